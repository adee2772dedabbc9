//! Games of the search against itself.

use std::fs::File;
use std::io::BufWriter;

use spielleiter_engine::hase_und_igel::training::games::{Recipe, play_games};

use crate::arguments::Arguments;
use crate::nets::take_net;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let path = arguments.require("out")?;
    let recipe = Recipe {
        boards: arguments.take_or("boards", 100)?,
        games_per_board: arguments.take_or("games", 16)?,
        nodes: arguments.take_or("nodes", 2000)?,
        seed: arguments.take_or("seed", 1)?,
    };
    let net = take_net(&mut arguments, "net")?;
    arguments.finish()?;
    let file = File::create(&path).map_err(|error| format!("{path}: {error}"))?;
    play_games(recipe, net, &mut BufWriter::new(file)).map_err(|error| format!("{path}: {error}"))
}
