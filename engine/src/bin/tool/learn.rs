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
const GAMES: &str = "2000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000";
const SIMULATIONS: &str = "150,300,600,800,1200,1200,1200,1200,1200,1200,1200,1200";
/// Games after the last generation, from which the net alone learns. It wants many games, and so
/// they are quick.
const QUICK_GAMES: u64 = 12_000;
const QUICK_SIMULATIONS: u64 = 150;
/// The most simulations that late moves get.
const MOST_LATE_SIMULATIONS: u64 = 300;

struct Course {
    folder: PathBuf,
    generations: Vec<Generation>,
    quick_games: u64,
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
    let quick_games = arguments.take_or("quick", QUICK_GAMES)?;
    let threads = arguments.take_or("play_threads", 2)?;
    let (value, priors) = train::options(&mut arguments)?;
    arguments.finish()?;
    if games.len() != simulations.len() {
        return Err("games and sims need as many numbers, one for each generation".to_string());
    }
    let generation = |(games, simulations)| Generation { games, simulations };
    let generations = games.into_iter().zip(simulations).map(generation).collect();
    let course = Course { folder, generations, quick_games, threads, value, priors };
    std::fs::create_dir_all(&course.folder)
        .map_err(|error| format!("{} cannot be made: {error}", course.folder.display()))?;
    for (number, &generation) in course.generations.iter().enumerate() {
        println!("generation {number}");
        course.play(&course.file("games", number), number, generation)?;
        course.learn(number)?;
    }
    course.finish()
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

    /// Plays games that are still missing, with the weights of the generation before.
    fn play(&self, out: &str, number: usize, generation: Generation) -> Result<(), String> {
        let config = match number.checked_sub(1) {
            None => "net=none,priors=none".to_string(),
            Some(last) => {
                format!("net={},priors={}", self.file("value", last), self.file("priors", last))
            }
        };
        let mut there = 0;
        if Path::new(out).exists() {
            records::for_each(&config::read(out)?, |_| there += 1);
        }
        let Generation { games, simulations } = generation;
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
        selfplay::play_games(&plan, out)
    }

    /// Learns the weights of a generation.
    fn learn(&self, number: usize) -> Result<(), String> {
        let games = vec![self.file("games", number)];
        self.train(games, None, Some(self.file("priors", number)))?;
        self.train(self.kept_games(number), Some(self.file("value", number)), None)
    }

    /// Returns the files of the games that the net of a generation learns from.
    fn kept_games(&self, number: usize) -> Vec<String> {
        let oldest = (number + 1).saturating_sub(GENERATIONS_KEPT);
        (oldest..=number).map(|number| self.file("games", number)).collect()
    }

    /// Learns weights that are still missing.
    fn train(
        &self,
        games: Vec<String>,
        value_file: Option<String>,
        priors_file: Option<String>,
    ) -> Result<(), String> {
        if value_file.iter().chain(&priors_file).all(|file| Path::new(file).exists()) {
            return Ok(());
        }
        let (value, priors) = (self.value.clone(), self.priors.clone());
        train::train(&train::Plan { games, value_file, priors_file, value, priors })
    }

    /// Teaches the net quick games of the last generation, and puts the weights where one looks.
    fn finish(&self) -> Result<(), String> {
        let count = self.generations.len();
        let Some(last) = count.checked_sub(1) else { return Ok(()) };
        let published = |kind: &str| self.folder.join(format!("{kind}.bin")).display().to_string();
        println!("quick games");
        let quick = self.folder.join("quick.games").display().to_string();
        let generation = Generation { games: self.quick_games, simulations: QUICK_SIMULATIONS };
        self.play(&quick, count, generation)?;
        let mut games = self.kept_games(last);
        games.extend(Path::new(&quick).exists().then_some(quick));
        self.train(games, Some(published("value")), None)?;
        let target = published("priors");
        std::fs::copy(self.file("priors", last), &target)
            .map_err(|error| format!("{target} cannot be written: {error}"))?;
        Ok(())
    }
}
