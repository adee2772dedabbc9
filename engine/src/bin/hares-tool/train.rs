//! Weights from games.

use std::fs::File;
use std::io::BufReader;

use spielleiter_engine::hase_und_igel::training::fit::{Lesson, Samples, fit};

use crate::arguments::Arguments;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let (games, out) = (arguments.require("games")?, arguments.require("out")?);
    let lesson = take_lesson(&mut arguments)?;
    arguments.finish()?;
    let games: Vec<String> = games.split(',').map(str::to_string).collect();
    train(&games, &out, lesson)
}

pub fn take_lesson(arguments: &mut Arguments) -> Result<Lesson, String> {
    Ok(Lesson {
        epochs: arguments.take_or("epochs", 4)?,
        search_part: arguments.take_or("search", 0.5)?,
        rate: arguments.take_or("rate", 0.003)?,
        seed: arguments.take_or("seed", 1)?,
    })
}

/// Learns from files of games and writes weights to a file.
pub fn train(games: &[String], out: &str, lesson: Lesson) -> Result<(), String> {
    let mut samples = Samples::default();
    for path in games {
        let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
        samples.read(BufReader::new(file), lesson).map_err(|error| format!("{path}: {error}"))?;
    }
    println!("{} positions, {} more to check", samples.learned.len(), samples.checked.len());
    let weights = fit(&mut samples, lesson, &mut |line| println!("{line}"));
    std::fs::write(out, weights.write()).map_err(|error| format!("{out}: {error}"))
}
