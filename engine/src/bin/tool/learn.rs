//! Learns weights from nothing: plays games, learns from them, plays better games, and so on.
//!
//! What is in the folder already is not made again, so it can be stopped and goes on later.

use std::path::{Path, PathBuf};

use spielleiter_engine::blokus::records;

use crate::arguments::Arguments;
use crate::config;
use crate::selfplay::{self, BORDER, CORNER};
use crate::train;

/// Generations whose games are learned from. Older games are too weak to be of use.
const GENERATIONS_KEPT: usize = 3;

struct Course {
    folder: PathBuf,
    /// Games of the first generation, and how many times more each next one has.
    games: f64,
    growth: f64,
    simulations: u64,
    threads: usize,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let generations = arguments.take_or("generations", 6)?;
    let course = Course {
        folder: PathBuf::from(arguments.require("dir")?),
        games: arguments.take_or("games", 2000.0)?,
        growth: arguments.take_or("growth", 2.0)?,
        simulations: arguments.take_or("sims", 300)?,
        threads: arguments.take_or("play_threads", 2)?,
    };
    let (value, priors) = train::options(&mut arguments)?;
    arguments.finish()?;
    std::fs::create_dir_all(&course.folder)
        .map_err(|error| format!("{} cannot be made: {error}", course.folder.display()))?;
    for generation in 0..generations {
        println!("generation {generation}");
        course.play(generation)?;
        let value_file = course.file("value", generation);
        let priors_file = course.file("priors", generation);
        if Path::new(&value_file).exists() && Path::new(&priors_file).exists() {
            continue;
        }
        let oldest = (generation + 1).saturating_sub(GENERATIONS_KEPT);
        train::train(&train::Plan {
            games: (oldest..=generation).map(|number| course.file("games", number)).collect(),
            value_file: Some(value_file),
            priors_file: Some(priors_file),
            value: value.clone(),
            priors: priors.clone(),
        })?;
    }
    Ok(())
}

impl Course {
    fn file(&self, kind: &str, generation: usize) -> String {
        self.folder.join(format!("{generation}.{kind}")).display().to_string()
    }

    /// Plays the games of a generation that are still missing.
    fn play(&self, generation: usize) -> Result<(), String> {
        let config = match generation.checked_sub(1) {
            None => "net=none,priors=none".to_string(),
            Some(last) => {
                format!("net={},priors={}", self.file("value", last), self.file("priors", last))
            }
        };
        let out = self.file("games", generation);
        let mut there = 0;
        if Path::new(&out).exists() {
            records::for_each(&config::read(&out)?, |_| there += 1);
        }
        let wanted = (self.games * self.growth.powi(generation as i32)) as u64;
        if there >= wanted {
            return Ok(());
        }
        let plan = selfplay::Plan {
            setup: config::parse(&config)?,
            seed: 1 + generation as u64,
            simulations: self.simulations,
            border: BORDER,
            corner: CORNER,
            numbers: there..wanted,
            seconds: f64::INFINITY,
            threads: self.threads,
        };
        selfplay::play_games(&plan, &out)
    }
}
