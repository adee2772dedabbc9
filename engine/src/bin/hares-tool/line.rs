//! A protocol of lines on standard input and output, for matches against other programs.
//!
//! `new` forgets the match before. `go NODES SECONDS POSITION` answers with the best move, then,
//! after a bar, what it is worth, how deep and at how many positions was looked. 0 is no limit.
//! Time is CPU time.

use std::io::{BufRead, Write};

use spielleiter_engine::clock::Meter;
use spielleiter_engine::hase_und_igel::limits::Limits;
use spielleiter_engine::hase_und_igel::notation::{format_move, parse_position};
use spielleiter_engine::hase_und_igel::searcher::Searcher;

use crate::arguments::Arguments;
use crate::nets::take_net;

const TABLE_MEGABYTES: usize = 32;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let net = take_net(&mut arguments, "net")?;
    arguments.finish()?;
    let mut searcher = Searcher::new(TABLE_MEGABYTES, net);
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("the input cannot be read: {error}"))?;
        println!("{}", answer(&line, &mut searcher).unwrap_or_else(|error| format!("? {error}")));
        std::io::stdout().flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn answer(line: &str, searcher: &mut Searcher) -> Result<String, String> {
    if line == "new" {
        searcher.forget();
        return Ok("ok".to_string());
    }
    let words: Vec<&str> = line.splitn(4, ' ').collect();
    let ["go", nodes, seconds, position] = words[..] else {
        return Err("commands are new and go".to_string());
    };
    let nodes: u64 = nodes.parse().map_err(|_| format!("{nodes:?} is no number"))?;
    let seconds: f64 = seconds.parse().map_err(|_| format!("{seconds:?} is no number"))?;
    let limits =
        Limits { nodes: (nodes > 0).then_some(nodes), seconds: (seconds > 0.0).then_some(seconds) };
    limits.check()?;
    let (board, position) = parse_position(position)?;
    let lines = searcher.think(&board, position, (limits, Meter::Cpu), 1, &mut |_, _| true);
    let best = lines.first().ok_or("the match is over")?;
    let (depth, nodes) = (searcher.depth, searcher.nodes);
    Ok(format!("{} | {} {depth} {nodes}", format_move(best.play), best.worth))
}
