//! Learns weights from nothing: plays games, learns from them, plays better games, and so on.
//!
//! What is in the folder already is not made again, so it can be stopped and goes on later.

use std::path::{Path, PathBuf};

use spielleiter_engine::blokus::records;
use spielleiter_engine::blokus::training::{priors, value};

use crate::arguments::Arguments;
use crate::config;
use crate::selfplay::{self, BORDER, CORNER};
use crate::train;

/// Generations whose games the net learns from. Older games are too weak to be of use. Priors learn
/// from the last generation alone: they get better with each generation, as long as its searches
/// look far.
const GENERATIONS_KEPT: usize = 8;
/// What is played by default: games of each generation, and simulations for each of their moves.
const GAMES: &str = "2000,2000,2000,2000,2000,2000,2000,2000,2000,2000";
const SIMULATIONS: &str = "150,300,400,600,800,800,1200,1200,1200,1200";
/// The most simulations that late moves get.
const MOST_LATE_SIMULATIONS: u64 = 300;

struct Course {
    folder: PathBuf,
    generations: Vec<Generation>,
    threads: usize,
    value: value::Options,
    priors: priors::Options,
}

#[derive(Clone, Copy)]
struct Generation {
    games: u64,
    simulations: u64,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let folder = PathBuf::from(arguments.require("dir")?);
    let games = numbers(&arguments.take_or("games", GAMES.to_string())?)?;
    let simulations = numbers(&arguments.take_or("sims", SIMULATIONS.to_string())?)?;
    let threads = arguments.take_or("play_threads", 2)?;
    let (value, priors) = train::options(&mut arguments)?;
    arguments.finish()?;
    if games.len() != simulations.len() {
        return Err("games and sims need as many numbers, one for each generation".to_string());
    }
    let generation = |(games, simulations)| Generation { games, simulations };
    let generations = games.into_iter().zip(simulations).map(generation).collect();
    let course = Course { folder, generations, threads, value, priors };
    std::fs::create_dir_all(&course.folder)
        .map_err(|error| format!("{} cannot be made: {error}", course.folder.display()))?;
    for number in 0..course.generations.len() {
        println!("generation {number}");
        course.play(number)?;
        course.learn(number)?;
    }
    course.publish()
}

/// Reads numbers that are separated by commas.
fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let read = |word: &str| word.parse().map_err(|_| format!("{word:?} is no whole number"));
    text.split(',').map(read).collect()
}

impl Course {
    fn file(&self, kind: &str, generation: usize) -> String {
        self.folder.join(format!("{generation}.{kind}")).display().to_string()
    }

    /// Plays the games of a generation that are still missing.
    fn play(&self, number: usize) -> Result<(), String> {
        let config = match number.checked_sub(1) {
            None => "net=none,priors=none".to_string(),
            Some(last) => {
                format!("net={},priors={}", self.file("value", last), self.file("priors", last))
            }
        };
        let out = self.file("games", number);
        let mut there = 0;
        if Path::new(&out).exists() {
            records::for_each(&config::read(&out)?, |_| there += 1);
        }
        let Generation { games, simulations } = self.generations[number];
        if there >= games {
            return Ok(());
        }
        let plan = selfplay::Plan {
            setup: config::parse(&config)?,
            seed: 1 + number as u64,
            simulations,
            late_simulations: simulations.min(MOST_LATE_SIMULATIONS),
            border: BORDER,
            corner: CORNER,
            numbers: there..games,
            seconds: f64::INFINITY,
            threads: self.threads,
        };
        selfplay::play_games(&plan, &out)
    }

    /// Learns the weights of a generation that are still missing.
    fn learn(&self, number: usize) -> Result<(), String> {
        let oldest = (number + 1).saturating_sub(GENERATIONS_KEPT);
        let value_file = self.file("value", number);
        let priors_file = self.file("priors", number);
        let plan = train::Plan {
            games: Vec::new(),
            value_file: None,
            priors_file: None,
            value: self.value.clone(),
            priors: self.priors.clone(),
        };
        if !Path::new(&priors_file).exists() {
            let games = vec![self.file("games", number)];
            train::train(&train::Plan { games, priors_file: Some(priors_file), ..plan.clone() })?;
        }
        if !Path::new(&value_file).exists() {
            let games = (oldest..=number).map(|number| self.file("games", number)).collect();
            train::train(&train::Plan { games, value_file: Some(value_file), ..plan })?;
        }
        Ok(())
    }

    /// Copies the weights of the last generation to where one looks for them.
    fn publish(&self) -> Result<(), String> {
        let Some(last) = self.generations.len().checked_sub(1) else { return Ok(()) };
        for kind in ["value", "priors"] {
            let target = self.folder.join(format!("{kind}.bin"));
            std::fs::copy(self.file(kind, last), &target)
                .map_err(|error| format!("{} cannot be written: {error}", target.display()))?;
        }
        Ok(())
    }
}
