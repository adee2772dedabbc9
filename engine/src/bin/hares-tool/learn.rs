//! Learns weights: plays games, learns from them, plays better games, and so on.
//!
//! It begins with a net that only knows who is ahead in the race.
//!
//! What is in the folder already is not made again, so it can be stopped and goes on later.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use spielleiter_engine::hase_und_igel::training::games::Recipe;
use spielleiter_engine::hase_und_igel::training::start::racing_net;

use crate::arguments::Arguments;
use crate::nets::read_net;
use crate::selfplay::play_to_file;
use crate::train::{take_lesson, train};

/// Generations whose games are learned from. Older games are too weak to be of use.
const GENERATIONS_KEPT: u64 = 3;

struct Course {
    folder: PathBuf,
    /// Boards of the first generation, and how many times more each next one has.
    boards: f64,
    growth: f64,
    games_per_board: u64,
    nodes: u32,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let generations: u64 = arguments.take_or("generations", 6)?;
    let course = Course {
        folder: PathBuf::from(arguments.require("dir")?),
        boards: arguments.take_or("boards", 1000.0)?,
        growth: arguments.take_or("growth", 1.3)?,
        games_per_board: arguments.take_or("games", 8)?,
        nodes: arguments.take_or("nodes", 1000)?,
    };
    let lesson = take_lesson(&mut arguments)?;
    arguments.finish()?;
    std::fs::create_dir_all(&course.folder)
        .map_err(|error| format!("{} cannot be made: {error}", course.folder.display()))?;
    for generation in 0..generations {
        println!("generation {generation}");
        course.play(generation)?;
        let weights = course.file("weights", generation);
        if !Path::new(&weights).exists() {
            let oldest = (generation + 1).saturating_sub(GENERATIONS_KEPT);
            let games = (oldest..=generation).map(|number| course.file("games", number));
            train(&games.collect::<Vec<_>>(), &weights, lesson)?;
        }
    }
    course.publish(generations)
}

impl Course {
    fn file(&self, kind: &str, generation: u64) -> String {
        self.folder.join(format!("{generation}.{kind}")).display().to_string()
    }

    /// Plays the games of a generation, if they are not there yet.
    fn play(&self, generation: u64) -> Result<(), String> {
        let out = self.file("games", generation);
        if Path::new(&out).exists() {
            return Ok(());
        }
        let net = match generation.checked_sub(1) {
            None => Arc::new(racing_net()),
            Some(last) => read_net(&self.file("weights", last))?,
        };
        let recipe = Recipe {
            boards: (self.boards * self.growth.powi(generation as i32)) as u64,
            games_per_board: self.games_per_board,
            nodes: self.nodes,
            seed: 1 + generation,
        };
        play_to_file(recipe, net, &out)
    }

    /// Copies the weights of the last generation to where one looks for them.
    fn publish(&self, generations: u64) -> Result<(), String> {
        let Some(last) = generations.checked_sub(1) else { return Ok(()) };
        let target = self.folder.join("hares.bin");
        std::fs::copy(self.file("weights", last), &target)
            .map_err(|error| format!("{} cannot be written: {error}", target.display()))?;
        Ok(())
    }
}
