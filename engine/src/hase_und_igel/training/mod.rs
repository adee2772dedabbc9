//! How the weights of the net are learned: games against itself, and a fit to how they ended.

pub mod boards;
pub mod fit;
pub mod games;
pub mod start;
