//! Thinks in a thread of its own and answers in time, whatever that thread is doing.
//!
//! The thread publishes what it thinks again and again. Whoever waits takes the latest opinion when
//! the time is up, and never waits for a thread that is late.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::board::{Board, GOAL};
use super::evaluation::house_net;
use super::limits::Limits;
use super::moves::{Step, legal_steps};
use super::searcher::{Line, Searcher};
use super::state::Position;
use crate::clock::Meter;

/// How often the thread publishes what it thinks.
const PUBLISH_EVERY: f64 = 0.005;
/// The part of the time, and the seconds, that are left for answering.
const MARGIN_PART: f64 = 0.02;
const MARGIN_SECONDS: f64 = 0.005;
const LARGEST_MARGIN_PART: f64 = 0.2;
/// The part of the margin after which the latest opinion is taken, a late thread or not.
const PATIENCE: f64 = 0.5;

/// What to think about, and how long.
#[derive(Clone, Debug)]
pub struct Task {
    pub board: Arc<Board>,
    pub position: Position,
    /// Seconds by the wall clock. The answer is there before they have passed.
    pub seconds: f64,
    pub nodes: Option<u64>,
    pub lines: usize,
}

/// A searcher, and what it is doing at the moment.
pub struct Thinker {
    searcher: Arc<Mutex<Searcher>>,
    running: Option<Arc<Desk>>,
}

/// Where the thread leaves what it thinks.
#[derive(Default)]
struct Desk {
    state: Mutex<Published>,
    changed: Condvar,
    stop: AtomicBool,
}

#[derive(Default)]
struct Published {
    lines: Vec<Line>,
    is_finished: bool,
    failure: Option<String>,
}

/// A task under way.
pub struct Thinking {
    desk: Arc<Desk>,
    latest: Instant,
    first_guess: Line,
}

impl Thinker {
    /// Makes one that remembers positions in about so many megabytes.
    pub fn new(megabytes: usize) -> Thinker {
        Thinker {
            searcher: Arc::new(Mutex::new(Searcher::new(megabytes, house_net()))),
            running: None,
        }
    }

    /// Makes the tables of a board in the background, so that the first task on it need not.
    pub fn prepare(&mut self, board: Arc<Board>) {
        self.stop();
        let searcher = self.searcher.clone();
        std::thread::spawn(move || {
            lock(&searcher).prepare(&board);
        });
    }

    /// Begins to think about a task. What was under way before is stopped.
    ///
    /// There is no task where no move can be made.
    pub fn start(&mut self, task: Task) -> Option<Thinking> {
        let started = Instant::now();
        self.stop();
        let first_guess = first_guess(&task)?;
        let desk = Arc::new(Desk::default());
        self.running = Some(desk.clone());
        let margin = margin(task.seconds);
        let wait = task.seconds - margin * (1.0 - PATIENCE);
        let latest = started + Duration::from_secs_f64(wait.max(0.0));
        let until = started + Duration::from_secs_f64((task.seconds - margin).max(0.0));
        let thinking = Thinking { desk: desk.clone(), latest, first_guess };
        let searcher = self.searcher.clone();
        std::thread::spawn(move || work(&searcher, &desk, &task, until));
        Some(thinking)
    }

    fn stop(&mut self) {
        if let Some(desk) = self.running.take() {
            desk.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns the seconds that are left for answering.
fn margin(seconds: f64) -> f64 {
    (seconds * LARGEST_MARGIN_PART).min(seconds * MARGIN_PART + MARGIN_SECONDS)
}

/// Returns a move for those who have no time at all: into the goal, or the one that eats.
fn first_guess(task: &Task) -> Option<Line> {
    let steps = legal_steps(&task.board, task.position);
    let best = steps.iter().min_by_key(|Step { hare, .. }| (hare.field != GOAL, hare.salads))?;
    Some(Line { play: best.play, worth: 0, nodes: 0, continuation: Vec::new() })
}

/// Locks what a thread that failed may have left locked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Thinks until the limit, or until somebody says stop.
fn work(searcher: &Mutex<Searcher>, desk: &Desk, task: &Task, until: Instant) {
    let result = catch_unwind(AssertUnwindSafe(|| {
        // The searcher may still be busy with the task before, for a moment.
        let mut searcher = lock(searcher);
        let seconds = until.saturating_duration_since(Instant::now()).as_secs_f64();
        let limits = Limits { seconds: Some(seconds), nodes: task.nodes };
        let mut published = 0.0;
        let mut listen = |elapsed: f64, lines: &[Line]| {
            if !lines.is_empty() && elapsed >= published + PUBLISH_EVERY {
                lock(&desk.state).lines = lines.to_vec();
                published = elapsed;
            }
            !desk.stop.load(Ordering::Relaxed)
        };
        let budget = (limits, Meter::Wall);
        searcher.think(&task.board, task.position, budget, task.lines, &mut listen)
    }));
    let mut state = lock(&desk.state);
    state.is_finished = true;
    match result {
        Ok(lines) => state.lines = lines,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            state.failure = Some(text.unwrap_or_else(|| "unknown".to_string()));
            lock(searcher).forget();
        }
    }
    desk.changed.notify_all();
}

impl Thinking {
    /// Waits until the answer is there, but no longer than this. Returns whether it is.
    pub fn wait(&self, most: Duration) -> bool {
        let until = self.latest.min(Instant::now() + most);
        let mut state = lock(&self.desk.state);
        while !state.is_finished {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.desk.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.is_finished || Instant::now() >= self.latest
    }

    /// Lets the thread end soon.
    pub fn stop(&self) {
        self.desk.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the latest opinion. Says what went wrong if the thread failed.
    pub fn lines(&self) -> Result<Vec<Line>, String> {
        let state = lock(&self.desk.state);
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let known = !state.lines.is_empty();
        Ok(if known { state.lines.clone() } else { vec![self.first_guess.clone()] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::training::boards::random_board;
    use crate::random::Random;

    fn task(seconds: f64, nodes: Option<u64>) -> Task {
        let board = Arc::new(random_board(&mut Random::new(1)));
        Task { board, position: Position::START, seconds, nodes, lines: 3 }
    }

    fn is_legal(task: &Task, line: &Line) -> bool {
        legal_steps(&task.board, task.position).iter().any(|step| step.play == line.play)
    }

    #[test]
    fn so_many_positions_give_the_same_lines() {
        let think = || {
            let mut thinker = Thinker::new(1);
            let thinking = thinker.start(task(600.0, Some(500))).unwrap();
            assert!(thinking.wait(Duration::from_secs(600)));
            thinking.lines().unwrap()
        };
        assert_eq!(think(), think());
        assert_eq!(think().len(), 3);
    }

    #[test]
    fn without_time_there_is_a_legal_guess() {
        let mut thinker = Thinker::new(1);
        let task = task(0.0, None);
        let thinking = thinker.start(task.clone()).unwrap();
        assert!(thinking.wait(Duration::ZERO));
        assert!(is_legal(&task, &thinking.lines().unwrap()[0]));
    }

    #[test]
    fn thinking_can_be_stopped() {
        let mut thinker = Thinker::new(1);
        let thinking = thinker.start(task(3600.0, None)).unwrap();
        thinking.stop();
        assert!(thinking.wait(Duration::from_secs(600)));
    }

    #[test]
    fn a_new_task_ends_the_one_before() {
        let mut thinker = Thinker::new(1);
        let first = thinker.start(task(3600.0, None)).unwrap();
        let second = thinker.start(task(3600.0, Some(100))).unwrap();
        assert!(first.wait(Duration::from_secs(600)));
        assert!(second.wait(Duration::from_secs(600)));
    }

    #[test]
    fn a_board_may_be_prepared_before() {
        let mut thinker = Thinker::new(1);
        let task = task(600.0, Some(100));
        thinker.prepare(task.board.clone());
        let thinking = thinker.start(task).unwrap();
        assert!(thinking.wait(Duration::from_secs(600)));
    }

    #[test]
    fn after_the_end_there_is_no_task() {
        let mut task = task(1.0, None);
        task.position.turn = 60;
        assert!(Thinker::new(1).start(task).is_none());
    }

    #[test]
    fn margins_are_small_parts_of_the_time() {
        assert!(margin(0.01) <= 0.002);
        assert!((margin(2.0) - 0.045).abs() < 1.0e-9);
    }
}
