//! Blokus for two players with two colours each: rules, search and what the search has learned.
//!
//! The rules are those of `spielleiter.games.blokus` and are tested against them. Colours, pieces,
//! forms and the order of moves are numbered as there.

pub mod board;
pub mod description;
pub mod endgame;
pub mod features;
pub mod moves;
pub mod net;
pub mod opinions;
pub mod parameters;
pub mod pieces;
pub mod playout;
pub mod priors;
pub mod reach;
pub mod records;
pub mod replies;
pub mod rules;
#[cfg(test)]
mod sampling;
pub mod search;
pub mod simulation;
pub mod territory;
pub mod thinker;
pub mod training;
pub mod tree;
pub mod weights;
