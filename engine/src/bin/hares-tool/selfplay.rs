//! Games of the search against itself.

use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use spielleiter_engine::hase_und_igel::net::Net;
use spielleiter_engine::hase_und_igel::training::games::{Recipe, play_games};

use crate::arguments::Arguments;
use crate::nets::take_net;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let path = arguments.require("out")?;
    let recipe = Recipe {
        boards: arguments.take_or("boards", 100)?,
        games_per_board: arguments.take_or("games", 8)?,
        nodes: arguments.take_or("nodes", 600)?,
        seed: arguments.take_or("seed", 1)?,
    };
    let net = take_net(&mut arguments, "net")?;
    arguments.finish()?;
    play_to_file(recipe, net, &path)
}

/// Plays games and writes them to a file. There is no file before all of them are played.
pub fn play_to_file(recipe: Recipe, net: Arc<Net>, path: &str) -> Result<(), String> {
    let unfinished = format!("{path}.unfinished");
    let file = File::create(&unfinished).map_err(|error| format!("{unfinished}: {error}"))?;
    play_games(recipe, net, &mut BufWriter::new(file))
        .and_then(|()| std::fs::rename(&unfinished, path))
        .map_err(|error| format!("{path}: {error}"))
}
