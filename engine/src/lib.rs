//! The engine of Spielleiter: strong players and exact analysis for its games.
//!
//! Each game has a module of its own. What they share is here: the clock, random numbers and the
//! choice of processor instructions. Nothing here knows the wire, files of matches or Python.

pub mod blokus;
pub mod clock;
pub mod cpu;
pub mod hase_und_igel;
pub mod random;

#[cfg(feature = "python")]
mod python;
