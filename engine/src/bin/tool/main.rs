//! The tool around the engine: makes games, learns from them, measures.
//!
//! Every argument is of the form name=value. `engine-tool help` lists them.

mod arguments;
mod bench;
mod config;
mod effects;
mod endings;
mod figures;
mod learn;
mod line;
mod matches;
mod openings;
mod perft;
mod selfplay;
mod train;

use arguments::Arguments;

const HELP: &str = "\
engine-tool selfplay out=FILE [games=N] [seconds=S] [sims=300] [seed=1] [threads=1]
                     [late_sims=N] [border=0.35] [corner=0.15] [config=CONFIG]
engine-tool train    games=FILE,FILE... [value=FILE] [priors=FILE] [hidden=32] [second=16]
                     [epochs=6] [rate=0.002] [search=0.5] [seed=1] [per_phase=30000] [threads=2]
engine-tool learn    dir=FOLDER [games=N,N,...] [sims=N,N,...] for each generation [quick=N]
                     [play_threads=2] and what train takes
engine-tool match    a=CONFIG b=CONFIG [pairs=20] [seconds=0.1] [sims=N] [clock=cpu|wall]
                     [seed=1] [threads=1] [start=table|corner|border|mixed] [from_ply=4]
                     [first_seconds=S] to search first pieces, too, A for so long
engine-tool effects  of=NAME:LOW:HIGH,NAME:LOW:HIGH... [config=CONFIG] [pairs=1000]
                     and what match takes
engine-tool bench    [config=CONFIG] [seconds=0.5]
engine-tool perft    [start=corner|border|table] [piece=10] [depth=3]
engine-tool line     [config=CONFIG]
engine-tool endings  [games=20] [seconds=0.5] [config=CONFIG]
engine-tool parameters

CONFIG is net=FILE|none,priors=FILE|none,cpu=portable,NAME=VALUE,... with the names that
`parameters` lists. Without net= and priors= the weights of the crate are used.";

fn main() {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let result = Arguments::read(words).and_then(|arguments| run(&command, arguments));
    if let Err(message) = result {
        eprintln!("engine-tool: {message}");
        std::process::exit(2);
    }
}

fn run(command: &str, arguments: Arguments) -> Result<(), String> {
    match command {
        "selfplay" => selfplay::run(arguments),
        "train" => train::run(arguments),
        "learn" => learn::run(arguments),
        "match" => matches::run(arguments),
        "effects" => effects::run(arguments),
        "bench" => bench::run(arguments),
        "perft" => perft::run(arguments),
        "line" => line::run(arguments),
        "endings" => endings::run(arguments),
        "parameters" => config::list(arguments),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        _ => Err(format!("there is no command {command:?}; `engine-tool help` lists them")),
    }
}
