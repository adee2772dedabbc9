//! Learns weights from records of self-play. Nothing here is needed to play.

pub mod adam;
pub mod priors;
pub mod samples;
pub mod territory;
pub mod value;
