//! Learns weights from records of self-play.

use spielleiter_engine::blokus::training::samples::Library;
use spielleiter_engine::blokus::training::{priors, value};
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::config;

/// What to learn, from which games.
pub struct Plan {
    pub games: Vec<String>,
    pub value_file: Option<String>,
    pub priors_file: Option<String>,
    pub value: value::Options,
    pub priors: priors::Options,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let games = arguments.require("games")?.split(',').map(str::to_string).collect();
    let value_file = arguments.take("value")?;
    let priors_file = arguments.take("priors")?;
    let (value, priors) = options(&mut arguments)?;
    arguments.finish()?;
    train(&Plan { games, value_file, priors_file, value, priors })
}

/// Takes the options of training out of the arguments.
pub fn options(arguments: &mut Arguments) -> Result<(value::Options, priors::Options), String> {
    let threads = arguments.take_or("threads", 2)?;
    let value = value::Options {
        hidden_first: arguments.take_or("hidden", 32)?,
        hidden_second: arguments.take_or("second", 16)?,
        epochs: arguments.take_or("epochs", 6)?,
        rate: arguments.take_or("rate", 0.002)?,
        search_weight: arguments.take_or("search", 0.5)?,
        threads,
        seed: arguments.take_or("seed", 1)?,
    };
    let priors = priors::Options {
        epochs: arguments.take_or("priors_epochs", 4)?,
        rate: arguments.take_or("priors_rate", 0.01)?,
        per_phase: arguments.take_or("per_phase", 30_000)?,
        threads,
    };
    Ok((value, priors))
}

/// Learns what is wanted and writes it.
pub fn train(plan: &Plan) -> Result<(), String> {
    let mut library = read_library(&plan.games, plan.priors_file.is_some())?;
    if let Some(file) = &plan.priors_file {
        library.shuffle(&mut Random::new(plan.value.seed));
        let trained = priors::train(&library, &plan.priors, |line| println!("{line}"));
        write(file, &trained.write())?;
    }
    if let Some(file) = &plan.value_file {
        let trained = value::train(&mut library, &plan.value, |line| println!("{line}"));
        write(file, &trained.write())?;
    }
    Ok(())
}

fn read_library(files: &[String], with_visits: bool) -> Result<Library, String> {
    let mut library = Library::default();
    for file in files {
        let skipped = library.add(&config::read(file)?, with_visits);
        if skipped > 0 {
            println!("{file}: {skipped} bytes could not be read");
        }
    }
    if library.train.is_empty() || library.test.is_empty() {
        return Err("there are not enough games to learn from".to_string());
    }
    let positions = library.train.len() + library.test.len();
    println!("{} games with {positions} positions", library.games.len());
    Ok(library)
}

fn write(file: &str, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(file, bytes).map_err(|error| format!("{file} cannot be written: {error}"))
}
