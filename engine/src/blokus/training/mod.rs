//! Learns weights from records of self-play. Nothing here is needed to play.
