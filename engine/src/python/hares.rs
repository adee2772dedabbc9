//! Hase und Igel for Python: positions with their rules, and the search.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::prelude::*;

use super::asking::{MOST_MEMORY_MB, Ongoing, answer, check_telling, guarded, hold, refuse};
use crate::hase_und_igel::board::Board;
use crate::hase_und_igel::evaluation::{points_of, win_of};
use crate::hase_und_igel::limits::Limits;
use crate::hase_und_igel::moves::{Action, Card, Move, legal_steps};
use crate::hase_und_igel::race::Race;
use crate::hase_und_igel::searcher;
use crate::hase_und_igel::state::{Hare, Position};
use crate::hase_und_igel::thinker::{Task, Thinker, Thinking};

/// Actions, each with its kind and a value, which is 0 where it has none.
type Actions = Vec<(String, i32)>;
/// Field, carrots, salads, cards as bits, and whether it must eat now.
type PlainHare = (u8, u32, u8, u8, bool);

fn spell(action: Action) -> (&'static str, i32) {
    match action {
        Action::Advance(distance) => ("advance", i32::from(distance)),
        Action::Exchange(value) => ("exchange_carrots", value),
        Action::EatSalad => ("eat_salad", 0),
        Action::FallBack => ("fall_back", 0),
        Action::Skip => ("skip", 0),
        Action::Play(Card::TakeOrDrop(value)) => ("card_take_or_drop_carrots", value),
        Action::Play(Card::EatSalad) => ("card_eat_salad", 0),
        Action::Play(Card::HurryAhead) => ("card_hurry_ahead", 0),
        Action::Play(Card::FallBack) => ("card_fall_back", 0),
    }
}

fn to_actions(play: Move) -> Actions {
    let spelled = play.actions().into_iter().map(spell);
    spelled.map(|(kind, value)| (kind.to_string(), value)).collect()
}

fn to_plain(hare: Hare) -> PlainHare {
    (hare.field, hare.carrots, hare.salads, hare.cards, hare.must_eat)
}

fn from_plain((field, carrots, salads, cards, must_eat): PlainHare) -> Hare {
    Hare { field, carrots, salads, cards, must_eat }
}

/// One position of Hase und Igel. It does not change.
#[pyclass(frozen, module = "spielleiter_engine")]
pub struct HaresPosition {
    board: Arc<Board>,
    position: Position,
    pays_after_end: bool,
}

#[pymethods]
impl HaresPosition {
    #[new]
    #[pyo3(signature = (board, hares, *, turn, pays_after_end=true))]
    fn new(
        board: &str,
        hares: Vec<PlainHare>,
        turn: u8,
        pays_after_end: bool,
    ) -> PyResult<HaresPosition> {
        let hares: [PlainHare; 2] =
            hares.try_into().map_err(|_| refuse("there must be two hares"))?;
        guarded(|| {
            let board = Arc::new(Board::from_letters(board).map_err(refuse)?);
            let position = Position::new(&board, hares.map(from_plain), turn).map_err(refuse)?;
            Ok(HaresPosition { board, position, pays_after_end })
        })
    }

    /// Returns all legal moves, in the order of `HareState.legal_moves`.
    fn legal_moves(&self) -> PyResult<Vec<Actions>> {
        guarded(|| {
            let steps = legal_steps(&self.board, self.position);
            Ok(steps.into_iter().map(|step| to_actions(step.play)).collect())
        })
    }

    /// Returns the position after a move.
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: Actions) -> PyResult<HaresPosition> {
        guarded(|| {
            if self.position.is_over() {
                return Err(refuse("the game is over"));
            }
            let steps = legal_steps(&self.board, self.position);
            let wanted = steps.iter().find(|step| to_actions(step.play) == r#move);
            let Some(step) = wanted else {
                return Err(refuse(format!("the move {move:?} is not legal here")));
            };
            let position = self.position.after(&self.board, step.hare, self.pays_after_end);
            Ok(HaresPosition { board: self.board.clone(), position, ..*self })
        })
    }

    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    /// Returns the seat that wins if the game ends like this.
    fn winner(&self) -> usize {
        self.position.winner()
    }

    /// Returns the turns that each hare alone needs to the goal, always first and always second.
    fn solo_turns(&self, py: Python<'_>) -> PyResult<Vec<(u8, u8)>> {
        let (board, hares) = (&self.board, self.position.hares());
        let race = guarded(|| Ok(py.detach(|| Race::new(board))))?;
        let turns = hares.map(|hare| race.turns(hare));
        Ok(turns.iter().map(|turns| (turns.first(), turns.second())).collect())
    }

    /// Returns red and blue as they were given.
    #[getter]
    fn hares(&self) -> Vec<PlainHare> {
        self.position.hares().map(to_plain).to_vec()
    }

    #[getter]
    fn turn(&self) -> u8 {
        self.position.turn
    }

    fn __repr__(&self) -> String {
        let [red, blue] = self.position.hares();
        format!("<HaresPosition turn {} fields {}:{}>", self.turn(), red.field, blue.field)
    }
}

/// A move with what the search thinks of it, for the hare on turn.
#[pyclass(frozen, get_all, module = "spielleiter_engine")]
pub struct HaresLine {
    r#move: Actions,
    /// The probability of winning.
    win: f64,
    /// The expected difference of fields at the end.
    points: f64,
    /// How many positions after the move were looked at.
    visits: u64,
    /// The moves that are expected after it.
    continuation: Vec<Actions>,
}

#[pymethods]
impl HaresLine {
    fn __repr__(&self) -> String {
        let HaresLine { win, points, visits, .. } = self;
        format!("<HaresLine {:?} win {win:.3} points {points:+.1} visits {visits}>", self.r#move)
    }
}

impl From<&searcher::Line> for HaresLine {
    fn from(line: &searcher::Line) -> HaresLine {
        HaresLine {
            r#move: to_actions(line.play),
            win: win_of(line.worth),
            points: points_of(line.worth),
            visits: line.nodes,
            continuation: line.continuation.iter().map(|&play| to_actions(play)).collect(),
        }
    }
}

/// A search that keeps what it knows from one position to the next. One for each match.
#[pyclass(frozen, module = "spielleiter_engine")]
pub struct HaresSearch {
    thinker: Mutex<Thinker>,
}

#[pymethods]
impl HaresSearch {
    #[new]
    #[pyo3(signature = (*, memory_mb=64))]
    fn new(memory_mb: usize) -> PyResult<HaresSearch> {
        if !(1..=MOST_MEMORY_MB).contains(&memory_mb) {
            return Err(refuse(format!(
                "memory_mb must be from 1 to {MOST_MEMORY_MB}, not {memory_mb}"
            )));
        }
        guarded(|| Ok(HaresSearch { thinker: Mutex::new(Thinker::new(memory_mb)) }))
    }

    /// Makes the tables of a board in the background, so that the first move on it need not.
    fn prepare(&self, position: &HaresPosition) -> PyResult<()> {
        hold(&self.thinker)?.prepare(position.board.clone());
        Ok(())
    }

    /// Thinks about a position. Returns the best moves, the best first.
    #[pyo3(signature = (
        position, seconds, *, simulations=None, on_progress=None, every=0.25, lines=5,
    ))]
    #[allow(clippy::too_many_arguments)]
    fn think(
        &self,
        py: Python<'_>,
        position: &HaresPosition,
        seconds: f64,
        simulations: Option<u64>,
        on_progress: Option<Bound<'_, PyAny>>,
        every: f64,
        lines: usize,
    ) -> PyResult<Vec<HaresLine>> {
        Limits { seconds: Some(seconds), nodes: simulations }.check().map_err(refuse)?;
        check_telling(every, lines)?;
        let HaresPosition { board, position, .. } = position;
        let task =
            Task { board: board.clone(), position: *position, seconds, nodes: simulations, lines };
        let thinking =
            hold(&self.thinker)?.start(task).ok_or_else(|| refuse("the game is over"))?;
        answer(py, &thinking, on_progress.as_ref(), every)
    }
}

impl Ongoing for Thinking {
    type Line = searcher::Line;

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
