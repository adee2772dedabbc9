//! Learns weights from records of self-play.

use spielleiter_engine::blokus::training::samples::Library;
use spielleiter_engine::blokus::training::{priors, value};
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::config;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let files = arguments.require("games")?;
    let value_file: Option<String> = arguments.take("value")?;
    let priors_file: Option<String> = arguments.take("priors")?;
    let seed = arguments.take_or("seed", 1)?;
    let value_options = value::Options {
        hidden_first: arguments.take_or("hidden", 32)?,
        hidden_second: arguments.take_or("second", 16)?,
        epochs: arguments.take_or("epochs", 8)?,
        rate: arguments.take_or("rate", 0.0015)?,
        search_weight: arguments.take_or("search", 0.3)?,
        threads: arguments.take_or("threads", 1)?,
        seed,
    };
    let priors_options = priors::Options {
        epochs: arguments.take_or("priors_epochs", 6)?,
        rate: arguments.take_or("priors_rate", 0.03)?,
        per_phase: arguments.take_or("per_phase", 20_000)?,
    };
    arguments.finish()?;
    let mut library = read_library(&files, priors_file.is_some())?;
    if let Some(file) = priors_file {
        library.shuffle(&mut Random::new(seed));
        let trained = priors::train(&library, &priors_options, |line| println!("{line}"));
        write(&file, &trained.write())?;
    }
    if let Some(file) = value_file {
        let trained = value::train(&mut library, &value_options, |line| println!("{line}"));
        write(&file, &trained.write())?;
    }
    Ok(())
}

fn read_library(files: &str, with_visits: bool) -> Result<Library, String> {
    let mut library = Library::default();
    for file in files.split(',') {
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
