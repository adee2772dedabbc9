//! The tool around Hase und Igel: makes games, learns from them, measures.
//!
//! Every argument is of the form name=value. `hares-tool help` lists them.

#[path = "../tool/arguments.rs"]
mod arguments;
mod bench;
#[path = "../tool/figures.rs"]
mod figures;
mod learn;
mod line;
mod matches;
mod nets;
mod selfplay;
mod train;

use arguments::Arguments;

const HELP: &str = "\
hares-tool selfplay out=FILE [boards=100] [games=16] [nodes=2000] [seed=1] [net=FILE]
hares-tool train    games=FILE,FILE... out=FILE [epochs=4] [search=0.5] [rate=0.003] [seed=1]
hares-tool learn    dir=FOLDER [generations=6] [boards=1000] [growth=1.3] [games=8] [nodes=1000]
                    and what train takes
hares-tool match    [a=FILE] [b=FILE] [pairs=100] [nodes=5000] [nodes_b=N] [seed=1]
                    [seconds=S] [seconds_b=S]
hares-tool bench    [net=FILE] [nodes=200000]
hares-tool line     [net=FILE]

games is how many a board has. FILE of net, a and b has weights, race only knows
who is ahead, and without it they are those of the crate. seconds are those of the processor.";

fn main() {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let result = Arguments::read(words).and_then(|arguments| run(&command, arguments));
    if let Err(message) = result {
        eprintln!("hares-tool: {message}");
        std::process::exit(2);
    }
}

fn run(command: &str, arguments: Arguments) -> Result<(), String> {
    match command {
        "selfplay" => selfplay::run(arguments),
        "train" => train::run(arguments),
        "learn" => learn::run(arguments),
        "match" => matches::run(arguments),
        "bench" => bench::run(arguments),
        "line" => line::run(arguments),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        _ => Err(format!("there is no command {command:?}; `hares-tool help` lists them")),
    }
}
