//! The games to learn from, split into those to train with and those to test with.

use crate::blokus::records::{self, Game};
use crate::random::Random;

/// Every so many games one is kept for the test.
const TEST_EVERY: usize = 20;

/// One position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub game: u32,
    pub ply: u8,
}

/// All games, and their positions that were searched, in the order of training.
#[derive(Default)]
pub struct Library {
    pub games: Vec<Game>,
    pub train: Vec<Sample>,
    /// Positions of games that are not trained with. Games are split, never positions of one game.
    pub test: Vec<Sample>,
}

impl Library {
    /// Adds the games of one file of records. Returns how many bytes could not be read.
    pub fn add(&mut self, bytes: &[u8], with_visits: bool) -> usize {
        records::for_each(bytes, |mut game| {
            if !with_visits {
                for searched in game.plies.iter_mut().filter_map(|ply| ply.searched.as_mut()) {
                    searched.visits = Vec::new();
                }
            }
            self.add_game(game);
        })
    }

    fn add_game(&mut self, game: Game) {
        let number = self.games.len();
        let samples =
            if number.is_multiple_of(TEST_EVERY) { &mut self.test } else { &mut self.train };
        let sample = |ply| Sample { game: number as u32, ply: ply as u8 };
        let searched = |ply: &usize| game.plies[*ply].searched.is_some();
        samples.extend((0..game.plies.len()).filter(searched).map(sample));
        self.games.push(game);
    }

    pub fn shuffle(&mut self, random: &mut Random) {
        random.shuffle(&mut self.train);
    }
}
