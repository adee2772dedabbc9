//! What differs between seasons of Blokus, as data.

use super::board::Rows;
use super::pieces::{FULL_HAND, FULL_ROW, PIECES, SIZE};

/// Where the first piece of a colour must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It must cover a corner of the board; any of the four (2021).
    AnyCorner,
    /// It must cover the corner that belongs to its colour, as on the table.
    OwnCorner,
    /// It must cover a square at the edge of the board (2027).
    Border,
}

/// The rules of one season, with the first piece that was drawn for the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub start: Start,
    /// The pieces a colour may begin with, as a bit set.
    pub start_pieces: u32,
    /// The game is over as soon as the turn reaches this number.
    pub turn_limit: u8,
    /// Whether the game ends with the round in which a colour has placed its last piece.
    pub ends_when_finished: bool,
}

impl Rules {
    /// Returns the rules of 2021 with a drawn first piece.
    pub fn season_2021(start_piece: usize) -> Self {
        Rules {
            start: Start::AnyCorner,
            start_pieces: 1 << start_piece,
            turn_limit: 100,
            ends_when_finished: true,
        }
    }

    /// Returns the rules of 2027 with a drawn first piece.
    pub fn season_2027(start_piece: usize) -> Self {
        Rules {
            start: Start::Border,
            start_pieces: 1 << start_piece,
            turn_limit: 96,
            ends_when_finished: false,
        }
    }

    /// Returns rules without a drawn piece and with one corner a colour, as other programs play.
    pub fn table() -> Self {
        Rules {
            start: Start::OwnCorner,
            start_pieces: FULL_HAND,
            turn_limit: 100,
            ends_when_finished: false,
        }
    }

    /// Returns whether a piece can be the first one: a pentomino that can lie where it must.
    pub fn can_start_with(start: Start, piece: usize) -> bool {
        const CROSS: usize = 19;
        (9..PIECES).contains(&piece) && (start == Start::Border || piece != CROSS)
    }

    /// Returns the squares of which the first piece of a colour must cover one.
    pub fn start_squares(&self, color: usize) -> Rows {
        let mut rows = Rows::EMPTY;
        const RIGHT: u32 = 1 << (SIZE - 1);
        match self.start {
            Start::AnyCorner => {
                rows.0[1] = 1 | RIGHT;
                rows.0[SIZE] = 1 | RIGHT;
            }
            Start::OwnCorner => {
                let (row, bit) = [(1, 1), (1, RIGHT), (SIZE, RIGHT), (SIZE, 1)][color];
                rows.0[row] = bit;
            }
            Start::Border => {
                rows.0[1..=SIZE].fill(1 | RIGHT);
                rows.0[1] = FULL_ROW;
                rows.0[SIZE] = FULL_ROW;
            }
        }
        rows
    }
}
