//! Hase und Igel, with its rules, exact tables of the race, and a search.
//!
//! `board`, `state` and `moves` are the rules. `race`, `features` and `net` make the `evaluation`.
//! `search`, `searcher` and `thinker` look ahead, each in the words of the one before.

pub mod board;
pub mod evaluation;
pub mod features;
pub mod limits;
pub mod moves;
pub mod net;
pub mod notation;
pub mod race;
pub mod search;
pub mod searcher;
pub mod state;
pub mod table;
pub mod thinker;
pub mod training;
