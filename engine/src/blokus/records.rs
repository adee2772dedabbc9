//! Records of games that a search played against itself, to learn from.
//!
//! A record is written in one piece with its length and a checksum, so files can be appended to by
//! several programs, and what was cut off or damaged is skipped when reading. Colours that could
//! not move are not recorded; they follow from the colour of the next move.

use std::io::{self, Write};

use super::board::Position;
use super::pieces::{FULL_HAND, PLACEMENTS, PlacementId};
use super::rules::{Rules, Start};

const MAGIC: &[u8; 4] = b"BKG1";
const HEADER: usize = 12;
const NO_PIECE: u8 = u8::MAX;
/// Moves whose visits are recorded.
pub const MOST_VISITED: usize = 16;
const WIN_UNIT: f32 = 65535.0;
const POINTS_UNIT: f32 = 32.0;

/// What a search said about a position, for the team on turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    pub win: f32,
    pub points: f32,
    /// The most visited placements and their visits.
    pub visits: Vec<(PlacementId, u16)>,
}

/// One move, and the search behind it if there was one.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    pub color: u8,
    pub placement: PlacementId,
    pub searched: Option<Searched>,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    pub rules: Rules,
    pub plies: Vec<Ply>,
    /// Final points of both teams.
    pub points: [i16; 2],
}

impl Game {
    /// Returns the final points of team 0 minus those of team 1.
    pub fn difference(&self) -> i32 {
        i32::from(self.points[0]) - i32::from(self.points[1])
    }

    /// Returns the position before a ply.
    pub fn position_before(&self, ply: usize) -> Position {
        let mut position = Position::new(self.rules);
        for played in &self.plies[..ply] {
            turn_to(&mut position, played.color);
            position.place(played.placement);
        }
        if let Some(next) = self.plies.get(ply) {
            turn_to(&mut position, next.color);
        }
        position
    }

    /// Returns the first ply after another one that was not searched but drawn at random.
    ///
    /// What comes after it says little about the positions before it.
    pub fn next_stray(&self, ply: usize) -> Option<usize> {
        (ply + 1..self.plies.len()).find(|&later| self.plies[later].searched.is_none())
    }

    /// Returns the record as bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        let start = match self.rules.start {
            Start::AnyCorner => 0,
            Start::OwnCorner => 1,
            Start::Border => 2,
        };
        let drawn = self.rules.start_pieces.is_power_of_two();
        let piece = if drawn { self.rules.start_pieces.trailing_zeros() as u8 } else { NO_PIECE };
        let ends = u8::from(self.rules.ends_when_finished);
        payload.extend([start, piece, self.rules.turn_limit, ends, self.plies.len() as u8]);
        payload.extend(self.points[0].to_le_bytes());
        payload.extend(self.points[1].to_le_bytes());
        for ply in &self.plies {
            write_ply(ply, &mut payload);
        }
        let mut record = MAGIC.to_vec();
        record.extend((payload.len() as u32).to_le_bytes());
        record.extend(checksum(&payload).to_le_bytes());
        record.extend(payload);
        record
    }

    fn read(payload: &[u8]) -> Option<Game> {
        let mut bytes = Bytes(payload);
        let [start, piece, turn_limit, ends, plies] = bytes.take::<5>()?;
        let rules = Rules {
            start: *[Start::AnyCorner, Start::OwnCorner, Start::Border].get(start as usize)?,
            start_pieces: if piece == NO_PIECE { FULL_HAND } else { 1 << (piece & 31) },
            turn_limit,
            ends_when_finished: ends == 1,
        };
        let points = [bytes.number()? as i16, bytes.number()? as i16];
        let plies = (0..plies).map(|_| read_ply(&mut bytes)).collect::<Option<Vec<_>>>()?;
        Some(Game { rules, plies, points })
    }
}

fn turn_to(position: &mut Position, color: u8) {
    while position.color() != color as usize && !position.is_deserted() {
        position.drop_color();
    }
}

fn write_ply(ply: &Ply, payload: &mut Vec<u8>) {
    payload.extend(ply.placement.to_le_bytes());
    let visited = ply.searched.as_ref().map_or(0, |searched| searched.visits.len());
    let visited = visited.min(MOST_VISITED);
    let has_search = u8::from(ply.searched.is_some());
    payload.push(ply.color << 6 | has_search << 5 | visited as u8);
    if let Some(searched) = &ply.searched {
        let win = (searched.win.clamp(0.0, 1.0) * WIN_UNIT) as u16;
        let points = (searched.points * POINTS_UNIT).clamp(-32000.0, 32000.0) as i16;
        payload.extend(win.to_le_bytes());
        payload.extend(points.to_le_bytes());
        for (placement, visits) in &searched.visits[..visited] {
            payload.extend(placement.to_le_bytes());
            payload.extend(visits.to_le_bytes());
        }
    }
}

fn read_ply(bytes: &mut Bytes) -> Option<Ply> {
    let placement = bytes.number()?;
    let [mixed] = bytes.take::<1>()?;
    if placement as usize >= PLACEMENTS {
        return None;
    }
    let searched = if mixed >> 5 & 1 == 1 {
        let win = f32::from(bytes.number()?) / WIN_UNIT;
        let points = f32::from(bytes.number()? as i16) / POINTS_UNIT;
        let pair = |_| Some((bytes.number()?, bytes.number()?));
        let visits = (0..mixed & 31).map(pair).collect::<Option<Vec<_>>>()?;
        Some(Searched { win, points, visits })
    } else {
        None
    };
    Some(Ply { color: mixed >> 6, placement, searched })
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        let (front, rest) = self.0.split_first_chunk::<COUNT>()?;
        self.0 = rest;
        Some(*front)
    }

    fn number(&mut self) -> Option<u16> {
        self.take::<2>().map(u16::from_le_bytes)
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Appends a record to a file that was opened for appending.
pub fn append(file: &mut impl Write, game: &Game) -> io::Result<()> {
    file.write_all(&game.write())
}

/// Calls a function with every whole record among these bytes. Returns how many bytes were skipped.
pub fn for_each(bytes: &[u8], mut call: impl FnMut(Game)) -> usize {
    let mut rest = bytes;
    let mut skipped = 0;
    while rest.len() >= HEADER {
        match read_record(rest) {
            Some((game, length)) => {
                call(game);
                rest = &rest[length..];
            }
            None => {
                rest = &rest[1..];
                skipped += 1;
            }
        }
    }
    skipped + rest.len()
}

fn read_record(bytes: &[u8]) -> Option<(Game, usize)> {
    let mut front = Bytes(bytes);
    if front.take::<4>()? != *MAGIC {
        return None;
    }
    let length = u32::from_le_bytes(front.take()?) as usize;
    let expected = u32::from_le_bytes(front.take()?);
    let payload = front.0.get(..length)?;
    if checksum(payload) != expected {
        return None;
    }
    Some((Game::read(payload)?, HEADER + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let searched = Searched { win: 1.0, points: -12.5, visits: vec![(17, 200), (30_000, 9)] };
        Game {
            rules: Rules::season_2027(12),
            plies: vec![
                Ply { color: 0, placement: 17, searched: Some(searched) },
                Ply { color: 3, placement: 30_000, searched: None },
            ],
            points: [88, -3],
        }
    }

    fn read_all(bytes: &[u8]) -> (Vec<Game>, usize) {
        let mut games = Vec::new();
        let skipped = for_each(bytes, |game| games.push(game));
        (games, skipped)
    }

    #[test]
    fn records_survive_writing_and_reading() {
        let mut file = Vec::new();
        append(&mut file, &game()).unwrap();
        append(&mut file, &game()).unwrap();
        assert_eq!(read_all(&file), (vec![game(), game()], 0));
    }

    #[test]
    fn what_is_damaged_or_cut_off_is_skipped() {
        let whole = game().write();
        let mut damaged = whole.clone();
        *damaged.last_mut().unwrap() ^= 1;
        let cut = &whole[..whole.len() - 3];
        let file = [damaged.as_slice(), &whole, cut, &whole, cut].concat();
        let (games, skipped) = read_all(&file);
        assert_eq!(games.len(), 2);
        assert_eq!(skipped, damaged.len() + 2 * cut.len());
    }
}
