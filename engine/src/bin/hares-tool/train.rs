//! Weights from games.

use std::fs::File;
use std::io::BufReader;

use spielleiter_engine::hase_und_igel::training::fit::{Lesson, Samples, fit};

use crate::arguments::Arguments;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let (games, out) = (arguments.require("games")?, arguments.require("out")?);
    let lesson = Lesson {
        epochs: arguments.take_or("epochs", 5)?,
        search_part: arguments.take_or("search", 0.5)?,
        rate: arguments.take_or("rate", 0.003)?,
        seed: arguments.take_or("seed", 1)?,
    };
    arguments.finish()?;
    let mut samples = Samples::default();
    for path in games.split(',') {
        let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
        samples.read(BufReader::new(file), lesson).map_err(|error| format!("{path}: {error}"))?;
    }
    println!("{} positions, {} more to check", samples.learned.len(), samples.checked.len());
    let weights = fit(&mut samples, lesson, &mut |line| println!("{line}"));
    std::fs::write(&out, weights.write()).map_err(|error| format!("{out}: {error}"))
}
