//! Games of the search against itself, and the lines of text that keep them.
//!
//! A line `B` and letters begins a board. Every other line is a position on it: the turn, both
//! hares, what the search thought of it, and 1 if the hare to move won the game.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::sync::Arc;

use super::super::board::Board;
use super::super::limits::Limits;
use super::super::moves::{Step, legal_steps};
use super::super::net::Net;
use super::super::searcher::Searcher;
use super::super::state::{Hare, Position};
use super::boards::random_board;
use crate::clock::Meter;
use crate::random::Random;

/// How games are made.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub boards: u64,
    pub games_per_board: u64,
    /// Positions that each move looks at, on average.
    pub nodes: u32,
    pub seed: u64,
}

/// Up to so many turns of a game have random moves, so that bad positions are seen, too.
const WILD_TURNS: u32 = 58;
/// The part of the moves that are random there.
const WILD_PART: f32 = 0.25;
/// What a search may remember. Little is enough for a few thousand positions.
const TABLE_MEGABYTES: usize = 4;

/// A position of a game, with what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    pub position: Position,
    /// What the search thought, for the hare to move.
    pub worth: i32,
    pub has_won: bool,
}

/// Plays games and writes them down.
pub fn play_games(recipe: Recipe, net: Arc<Net>, out: &mut dyn Write) -> std::io::Result<()> {
    let mut random = Random::new(recipe.seed);
    let mut searcher = Searcher::new(TABLE_MEGABYTES, net);
    for _ in 0..recipe.boards {
        let board = random_board(&mut random);
        writeln!(out, "B {}", board.letters())?;
        for _ in 0..recipe.games_per_board {
            for record in play_game(&board, recipe.nodes, &mut searcher, &mut random) {
                writeln!(out, "{}", format_record(record))?;
            }
        }
    }
    out.flush()
}

/// Plays a game. Only what came after the last random move is told, since that is how it ended.
fn play_game(
    board: &Board,
    nodes: u32,
    searcher: &mut Searcher,
    random: &mut Random,
) -> Vec<Record> {
    searcher.forget();
    let wild_turns = random.below(WILD_TURNS);
    let mut position = Position::START;
    let mut seen = Vec::new();
    while !position.is_over() {
        let steps = legal_steps(board, position);
        let is_wild = u32::from(position.turn) < wild_turns && random.unit() < WILD_PART;
        let step = if is_wild {
            seen.clear();
            steps[random.below(steps.len() as u32) as usize]
        } else {
            let nodes = nodes / 2 + random.below(nodes);
            let (step, worth) = best_step(board, position, &steps, nodes, searcher);
            if steps.len() > 1 {
                seen.push((position, worth));
            }
            step
        };
        position = position.after(board, step.hare, true);
    }
    let winner = position.winner();
    let record = |(position, worth): (Position, i32)| Record {
        position,
        worth,
        has_won: position.seat() == winner,
    };
    seen.into_iter().map(record).collect()
}

fn best_step(
    board: &Board,
    position: Position,
    steps: &[Step],
    nodes: u32,
    searcher: &mut Searcher,
) -> (Step, i32) {
    let limits = Limits { seconds: None, nodes: Some(u64::from(nodes.max(1))) };
    let lines = searcher.think(board, position, (limits, Meter::Wall), 1, &mut |_, _| true);
    let best = steps.iter().find(|step| step.play == lines[0].play);
    (*best.unwrap_or(&steps[0]), lines[0].worth)
}

fn format_record(record: Record) -> String {
    let Position { mover, other, turn } = record.position;
    let mut line = format!("{turn}");
    for Hare { field, carrots, salads, cards, must_eat } in [mover, other] {
        // Writing to a string cannot fail.
        _ = write!(line, " {field},{carrots},{salads},{cards},{}", u8::from(must_eat));
    }
    _ = write!(line, " {} {}", record.worth, u8::from(record.has_won));
    line
}

/// Reads games, and hands over each board with its positions.
pub fn read_games(
    lines: impl BufRead,
    take: &mut dyn FnMut(&Board, &[Record]),
) -> Result<(), String> {
    let mut board = None;
    let mut records = Vec::new();
    for (number, line) in (1..).zip(lines.lines()) {
        let line = line.map_err(|error| format!("line {number} cannot be read: {error}"))?;
        if let Some(letters) = line.strip_prefix("B ") {
            if let Some(board) = &board {
                take(board, &records);
            }
            records.clear();
            board = Some(Board::from_letters(letters)?);
        } else {
            let record = parse_record(&line);
            records.push(record.ok_or_else(|| format!("line {number} is no position: {line:?}"))?);
        }
    }
    if let Some(board) = &board {
        take(board, &records);
    }
    Ok(())
}

fn parse_record(line: &str) -> Option<Record> {
    let words: Vec<&str> = line.split(' ').collect();
    let [turn, mover, other, worth, won] = words[..] else { return None };
    let position =
        Position { mover: parse_hare(mover)?, other: parse_hare(other)?, turn: turn.parse().ok()? };
    Some(Record { position, worth: worth.parse().ok()?, has_won: won == "1" })
}

fn parse_hare(word: &str) -> Option<Hare> {
    let numbers: Vec<u32> = word.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [field, carrots, salads, cards, must_eat] = numbers[..] else { return None };
    Some(Hare {
        carrots,
        field: field.try_into().ok()?,
        salads: salads.try_into().ok()?,
        cards: cards.try_into().ok()?,
        must_eat: must_eat == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::evaluation::house_net;

    fn games(seed: u64) -> Vec<u8> {
        let recipe = Recipe { boards: 2, games_per_board: 2, nodes: 40, seed };
        let mut out = Vec::new();
        play_games(recipe, house_net(), &mut out).unwrap();
        out
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let written = games(1);
        let mut again = String::new();
        let mut take = |board: &Board, records: &[Record]| {
            again += &format!("B {}\n", board.letters());
            for record in records {
                assert!(!record.position.is_over());
                again += &format!("{}\n", format_record(*record));
            }
        };
        read_games(&written[..], &mut take).unwrap();
        assert_eq!(again.as_bytes(), written);
        assert!(again.lines().count() > 50);
    }

    #[test]
    fn a_seed_gives_the_same_games() {
        assert_eq!(games(2), games(2));
        assert_ne!(games(2), games(3));
    }

    #[test]
    fn other_text_is_no_game() {
        let error = read_games(&b"B S\n"[..], &mut |_, _| ()).unwrap_err();
        assert!(error.contains("65 fields"), "{error}");
        let error = read_games(&b"1 2 3\n"[..], &mut |_, _| ()).unwrap_err();
        assert!(error.contains("line 1 is no position"), "{error}");
    }
}
