//! Blokus for Python: positions with their rules, and the search.

use std::sync::Mutex;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::asking::{
    LONGEST_SECONDS, MOST_MEMORY_MB, Ongoing, answer, check_telling, guarded, hold, refuse,
};
use crate::blokus::board::{COLORS, Played, Position, Rows};
use crate::blokus::description::Description;
use crate::blokus::moves::{LegalMoves, is_legal, settle};
use crate::blokus::opinions;
use crate::blokus::pieces::{FORMS, FULL_HAND, PASS, PIECES, PlacementId, SIZE, tables};
use crate::blokus::rules::{Rules, Start};
use crate::blokus::search::Setup;
use crate::blokus::thinker::{Task, Thinker, Thinking};
use crate::blokus::weights;
use crate::cpu::Cpu;

/// Piece, form, and the top left corner of the form's box.
type Move = (u8, u8, u8, u8);

const STRIDE: usize = SIZE + 1;
const BOARD_BYTES: usize = (SIZE * STRIDE).div_ceil(8);
const MOST_THREADS: usize = 64;
const LEAST_MEMORY_MB: usize = 16;

fn to_move(placement: PlacementId) -> Option<Move> {
    let at = tables().placements.get(placement as usize)?;
    Some((tables().forms[at.form as usize].piece, at.form, at.x, at.y))
}

fn from_move((piece, form, x, y): Move) -> PyResult<PlacementId> {
    let known = tables().forms.get(form as usize).filter(|known| known.piece == piece);
    let Some(known) = known else {
        return Err(refuse(format!("form {form} of piece {piece} is none of the {FORMS} forms")));
    };
    let fits =
        x as usize + known.width as usize <= SIZE && y as usize + known.height as usize <= SIZE;
    if !fits {
        return Err(refuse(format!("form {form} at ({x}, {y}) does not lie on the board")));
    }
    Ok(known.placement(x as usize, y as usize))
}

/// One position of Blokus. It does not change.
#[pyclass(frozen, module = "spielleiter_engine")]
pub struct BlokusPosition {
    position: Position,
}

#[pymethods]
impl BlokusPosition {
    #[new]
    #[pyo3(signature = (
        boards, hands, *, valid, turn, start_piece, mono_last, last_move_color,
        season=None, border_start=None, turn_limit=None, ends_when_finished=None,
    ))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        boards: Vec<Bound<'_, PyAny>>,
        hands: Vec<u32>,
        valid: u8,
        turn: u32,
        start_piece: usize,
        mono_last: u8,
        last_move_color: Option<usize>,
        season: Option<u32>,
        border_start: Option<bool>,
        turn_limit: Option<u8>,
        ends_when_finished: Option<bool>,
    ) -> PyResult<Self> {
        if start_piece >= PIECES {
            return Err(refuse(format!("there is no piece {start_piece}")));
        }
        if last_move_color.is_some_and(|color| color >= COLORS) {
            return Err(refuse("the last move is not of one of the four colours"));
        }
        let mut rules =
            season_rules(season, start_piece, border_start, turn_limit, ends_when_finished)?;
        if let Some(border) = border_start {
            rules.start = if border { Start::Border } else { Start::AnyCorner };
        }
        rules.turn_limit = turn_limit.unwrap_or(rules.turn_limit);
        rules.ends_when_finished = ends_when_finished.unwrap_or(rules.ends_when_finished);
        let boards = boards.iter().map(read_board).collect::<PyResult<Vec<_>>>()?;
        let description = Description {
            boards: boards.try_into().map_err(|_| refuse("there must be four boards"))?,
            hands: hands.try_into().map_err(|_| refuse("there must be four hands"))?,
            valid,
            turn,
            rules,
            start_piece,
            mono_last,
            last_move_color,
        };
        guarded(|| Ok(BlokusPosition { position: description.check().map_err(refuse)? }))
    }

    /// Returns all legal placements, in the order of `BlokusState.legal_moves`.
    fn legal_moves(&self) -> PyResult<Vec<Move>> {
        guarded(|| {
            let mut placements = Vec::new();
            if !self.position.is_over() {
                let mut moves = LegalMoves::default();
                moves.find(Cpu::detect(), &self.position, self.position.color());
                moves.list(&mut placements);
            }
            Ok(placements.into_iter().filter_map(to_move).collect())
        })
    }

    /// Returns whether the colour on turn may pass.
    fn may_pass(&self) -> bool {
        let first = self.position.hands[self.position.color()] == FULL_HAND;
        !self.position.is_over() && !first
    }

    /// Returns the position after a move; None passes.
    #[pyo3(name = "play", signature = (r#move))]
    fn play(&self, r#move: Option<Move>) -> PyResult<Self> {
        guarded(|| {
            let mut position = self.position;
            if position.is_over() {
                return Err(refuse("the game is over"));
            }
            match r#move {
                None if self.may_pass() => position.pass(),
                None => return Err(refuse("the first move of a colour must place a piece")),
                Some(wanted) => {
                    let placement = from_move(wanted)?;
                    if !is_legal(tables(), &position, position.color(), placement) {
                        return Err(refuse(format!("the move {wanted:?} is not legal here")));
                    }
                    position.place(placement);
                }
            }
            settle(Cpu::detect(), &mut position, &mut LegalMoves::default());
            Ok(BlokusPosition { position })
        })
    }

    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    /// Returns the points of both teams so far.
    fn points(&self) -> (i32, i32) {
        let points = &self.position.points;
        (points[0] + points[2], points[1] + points[3])
    }

    /// Returns the turn. Its two lowest bits are the colour that moves.
    #[getter]
    fn turn(&self) -> u8 {
        self.position.turn
    }

    /// Returns the colours in play as a bit set.
    #[getter]
    fn valid(&self) -> u8 {
        0b1111 & !self.position.out
    }

    fn __repr__(&self) -> String {
        let (first, second) = self.points();
        format!("<BlokusPosition turn {} points {first}:{second}>", self.position.turn)
    }
}

/// Returns the rules of a season, or of none if everything is said about them.
fn season_rules(
    season: Option<u32>,
    start_piece: usize,
    border_start: Option<bool>,
    turn_limit: Option<u8>,
    ends_when_finished: Option<bool>,
) -> PyResult<Rules> {
    let complete = border_start.is_some() && turn_limit.is_some() && ends_when_finished.is_some();
    match season {
        Some(2021) => Ok(Rules::season_2021(start_piece)),
        Some(2027) => Ok(Rules::season_2027(start_piece)),
        None if complete => Ok(Rules::season_2027(start_piece)),
        Some(other) => Err(refuse(format!("there are no rules of season {other}"))),
        None => Err(refuse("either season or all of its rules must be given")),
    }
}

/// Reads a set of squares: bit y * 21 + x of a whole number.
fn read_board(number: &Bound<'_, PyAny>) -> PyResult<Rows> {
    let bytes = number
        .call_method1("to_bytes", (BOARD_BYTES, "little"))
        .map_err(|_| refuse("a board has bits beyond its squares, or is no whole number"))?;
    let bytes = bytes.cast_into::<PyBytes>().map_err(|_| refuse("a board is no whole number"))?;
    let mut rows = Rows::EMPTY;
    for (index, byte) in bytes.as_bytes().iter().enumerate() {
        for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
            let square = index * 8 + bit;
            let (x, y) = (square % STRIDE, square / STRIDE);
            if x >= SIZE || y >= SIZE {
                return Err(refuse("a board has bits beyond its squares"));
            }
            rows.insert(x, y);
        }
    }
    Ok(rows)
}

/// A move with what the search thinks of it, for the team on turn.
#[pyclass(frozen, get_all, module = "spielleiter_engine")]
pub struct Line {
    /// The move; None passes.
    r#move: Option<Move>,
    /// The probability of winning, half for a draw.
    win: f32,
    /// The expected difference of points at the end.
    points: f32,
    visits: u32,
    /// Whether the points are the result of perfect play, and not an estimate.
    exact: bool,
    /// The moves that are expected after it, each with its colour.
    continuation: Vec<(u8, Option<Move>)>,
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let Line { win, points, visits, .. } = self;
        format!("<Line {:?} win {win:.3} points {points:+.1} visits {visits}>", self.r#move)
    }
}

impl From<&opinions::Line> for Line {
    fn from(line: &opinions::Line) -> Self {
        let follows = |played: &Played| (played.color, to_move(played.placement));
        Line {
            r#move: to_move(line.opinion.placement),
            win: line.opinion.win,
            points: line.opinion.points,
            visits: line.opinion.visits,
            exact: line.opinion.exact,
            continuation: line.continuation.iter().map(follows).collect(),
        }
    }
}

/// A search that keeps what it knows from one position to the next. One for each match.
#[pyclass(frozen, module = "spielleiter_engine")]
pub struct BlokusSearch {
    thinker: Mutex<Thinker>,
}

#[pymethods]
impl BlokusSearch {
    #[new]
    #[pyo3(signature = (*, seed=0, threads=1, memory_mb=256, scalar=false))]
    fn new(seed: u64, threads: usize, memory_mb: usize, scalar: bool) -> PyResult<Self> {
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(refuse(format!("threads must be from 1 to {MOST_THREADS}, not {threads}")));
        }
        if !(LEAST_MEMORY_MB..=MOST_MEMORY_MB).contains(&memory_mb) {
            return Err(refuse(format!(
                "memory_mb must be from {LEAST_MEMORY_MB} to {MOST_MEMORY_MB}, not {memory_mb}"
            )));
        }
        guarded(|| {
            let setup = Setup {
                net: Some(weights::net()),
                priors: weights::priors(),
                cpu: if scalar { Cpu::portable() } else { Cpu::detect() },
                seed,
                memory_bytes: memory_mb << 20,
                ..Setup::default()
            };
            Ok(BlokusSearch { thinker: Mutex::new(Thinker::new(setup, threads)) })
        })
    }

    /// Thinks about a position. Returns the best moves, the best first.
    #[pyo3(signature = (
        position, seconds, *, simulations=None, on_progress=None, every=0.25, lines=5,
    ))]
    #[allow(clippy::too_many_arguments)]
    fn think(
        &self,
        py: Python<'_>,
        position: &BlokusPosition,
        seconds: f64,
        simulations: Option<u64>,
        on_progress: Option<Bound<'_, PyAny>>,
        every: f64,
        lines: usize,
    ) -> PyResult<Vec<Line>> {
        check_budget(seconds, simulations)?;
        check_telling(every, lines)?;
        let position = position.position;
        if position.is_over() {
            return Err(refuse("the game is over"));
        }
        if !is_able(&position) {
            return Ok(vec![only_pass(&position)]);
        }
        let task = Task { position, seconds, simulations, lines };
        let mut thinker = hold(&self.thinker)?;
        let thinking = guarded(|| Ok(thinker.start(task)))?;
        drop(thinker);
        answer(py, &thinking, on_progress.as_ref(), every)
    }
}

impl Ongoing for Thinking {
    type Line = opinions::Line;

    fn wait(&self, longest: Duration) -> bool {
        Thinking::wait(self, longest)
    }

    fn stop(&self) {
        Thinking::stop(self);
    }

    fn lines(&self) -> Result<Vec<Self::Line>, String> {
        Thinking::lines(self)
    }
}

fn check_budget(seconds: f64, simulations: Option<u64>) -> PyResult<()> {
    if !(seconds > 0.0 && seconds <= LONGEST_SECONDS) {
        return Err(refuse(format!("seconds must be more than 0 and at most {LONGEST_SECONDS}")));
    }
    if simulations == Some(0) {
        return Err(refuse("simulations must be at least 1"));
    }
    Ok(())
}

/// Returns whether the colour on turn has a placement, which a position from outside may not have.
fn is_able(position: &Position) -> bool {
    let mut moves = LegalMoves::default();
    moves.find(Cpu::detect(), position, position.color());
    !moves.is_empty()
}

fn only_pass(position: &Position) -> Line {
    let sign = if position.team() == 0 { 1 } else { -1 };
    let points = (position.difference() * sign) as f32;
    debug_assert!(to_move(PASS).is_none());
    Line { r#move: None, win: 0.5, points, visits: 0, exact: false, continuation: Vec::new() }
}
