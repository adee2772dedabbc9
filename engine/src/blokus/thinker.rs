//! Thinks in threads of its own and answers in time, whatever those threads are doing.
//!
//! The threads publish what they think again and again. Whoever waits takes the latest opinion when
//! the time is up and never waits for a thread that is late.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::board::Position;
use super::moves::LegalMoves;
use super::opinions::{Line, Opinion};
use super::pieces::PASS;
use super::priors::{Planes, phase};
use super::search::{Limit, Search, Setup};
use crate::clock::{Deadline, Meter};

/// How often a thread publishes what it thinks.
const PUBLISH_EVERY: Duration = Duration::from_millis(10);
/// The part of the time, and the seconds, that are left for answering.
const MARGIN_PART: f64 = 0.02;
const MARGIN_SECONDS: f64 = 0.010;
const LARGEST_MARGIN_PART: f64 = 0.2;
/// On a busy machine we wake up late. So much of the time is given up for that at most...
const LARGEST_LATENESS_PART: f64 = 0.3;
/// ...and so fast a delay is forgotten again.
const LATENESS_DECAY: f64 = 0.9;
/// The part of the margin after which the latest opinion is taken, late threads or not.
const PATIENCE: f64 = 0.6;

/// Several searches that think about the same positions, each with a tree of its own.
pub struct Thinker {
    searches: Vec<Arc<Mutex<Search>>>,
    setup: Setup,
    running: Option<Arc<Board>>,
    /// How many seconds late the last answers were, the worst of them.
    lateness: Arc<Mutex<f64>>,
}

/// What to think about, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub position: Position,
    /// Seconds by the wall clock. The answer is there before they have passed.
    pub seconds: f64,
    pub simulations: Option<u64>,
    pub lines: usize,
}

/// Where threads publish what they think.
struct Board {
    state: Mutex<Published>,
    changed: Condvar,
    stop: AtomicBool,
}

#[derive(Default)]
struct Published {
    lines: Vec<Vec<Line>>,
    finished: usize,
    failure: Option<String>,
}

/// A task under way.
pub struct Thinking {
    board: Arc<Board>,
    threads: usize,
    latest: Instant,
    first_guess: Vec<Line>,
    lines: usize,
    lateness: Arc<Mutex<f64>>,
}

impl Thinker {
    pub fn new(setup: Setup, threads: usize) -> Self {
        let search = |number: usize| {
            let seed = setup.seed.wrapping_add(number as u64 * 0x9E37_79B9);
            let memory_bytes = setup.memory_bytes / threads.max(1);
            Arc::new(Mutex::new(Search::new(Setup { seed, memory_bytes, ..setup.clone() })))
        };
        Thinker {
            searches: (0..threads.max(1)).map(search).collect(),
            setup,
            running: None,
            lateness: Arc::default(),
        }
    }

    /// Begins to think about a task. What was under way before is stopped.
    pub fn start(&mut self, task: Task) -> Thinking {
        let started = Instant::now();
        if let Some(board) = self.running.take() {
            board.stop.store(true, Ordering::Relaxed);
        }
        let board = Arc::new(Board {
            state: Mutex::new(Published {
                lines: vec![Vec::new(); self.searches.len()],
                ..Published::default()
            }),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
        });
        let margin = margin(task.seconds, *lock(&self.lateness));
        let limit = Limit {
            deadline: Some(Deadline::after((task.seconds - margin).max(0.0), Meter::Wall)),
            simulations: task.simulations,
        };
        let first_guess = self.first_guess(&task);
        for (number, search) in self.searches.iter().enumerate() {
            let (search, board) = (search.clone(), board.clone());
            std::thread::spawn(move || work(&search, &board, number, task, limit));
        }
        self.running = Some(board.clone());
        let wait = task.seconds - margin * (1.0 - PATIENCE);
        Thinking {
            board,
            threads: self.searches.len(),
            latest: started + Duration::from_secs_f64(wait.max(0.0)),
            first_guess,
            lines: task.lines,
            lateness: self.lateness.clone(),
        }
    }

    /// Returns what is known before the threads run: from the last task, or by priors alone.
    fn first_guess(&self, task: &Task) -> Vec<Line> {
        if let Ok(mut search) = self.searches[0].try_lock() {
            search.begin(&task.position);
            let known = search.lines(task.lines);
            if known.first().is_some_and(|line| line.opinion.visits > 0) {
                return known;
            }
        }
        let position = &task.position;
        let mut moves = LegalMoves::default();
        moves.find(self.setup.cpu, position, position.color());
        let mut scored = Vec::new();
        let mut planes = Box::<Planes>::default();
        planes.describe(self.setup.cpu, position);
        let weights = &self.setup.priors.phases[phase(position.ply)];
        planes.score(self.setup.cpu, weights, &moves, &mut scored);
        let placement = scored.iter().max().map_or(PASS, |best| best.placement);
        let opinion =
            Opinion { placement, visits: 0, value: 0.5, win: 0.5, points: 0.0, exact: false };
        vec![Line { opinion, continuation: Vec::new() }]
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        if let Some(board) = &self.running {
            board.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Returns the seconds that are left for answering, where answers came late before.
fn margin(seconds: f64, lateness: f64) -> f64 {
    (seconds * LARGEST_MARGIN_PART).min(seconds * MARGIN_PART + MARGIN_SECONDS)
        + lateness.min(seconds * LARGEST_LATENESS_PART)
}

/// Locks what a thread that failed may have left locked. All of it is rewritten before it is used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Thinks in a thread of its own until the limit or until somebody says stop.
fn work(search: &Mutex<Search>, board: &Board, number: usize, task: Task, limit: Limit) {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut search = lock(search);
        search.begin(&task.position);
        board.publish(number, search.lines(task.lines));
        let mut published = Instant::now();
        while !board.stop.load(Ordering::Relaxed) && !search.go_on(limit) {
            if published.elapsed() >= PUBLISH_EVERY {
                board.publish(number, search.lines(task.lines));
                published = Instant::now();
            }
        }
        board.publish(number, search.lines(task.lines));
    }));
    let mut state = lock(&board.state);
    state.finished += 1;
    if let Err(panic) = result {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        state.failure = Some(text.unwrap_or_else(|| "unknown".to_string()));
        lock(search).restart(0);
    }
    board.changed.notify_all();
}

impl Board {
    fn publish(&self, number: usize, lines: Vec<Line>) {
        lock(&self.state).lines[number] = lines;
    }
}

impl Thinking {
    /// Waits until the answer is there, but no longer than this. Returns whether it is.
    pub fn wait(&self, most: Duration) -> bool {
        let until = self.latest.min(Instant::now() + most);
        let mut state = lock(&self.board.state);
        while state.finished < self.threads {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.board.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let finished = state.finished == self.threads;
        drop(state);
        let late = Instant::now().saturating_duration_since(self.latest);
        if finished || !late.is_zero() {
            let mut lateness = lock(&self.lateness);
            *lateness = (*lateness * LATENESS_DECAY).max(late.as_secs_f64());
        }
        finished || !late.is_zero()
    }

    pub fn stop(&self) {
        self.board.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the latest opinion of all threads together. Says what went wrong if a thread failed.
    pub fn lines(&self) -> Result<Vec<Line>, String> {
        let state = lock(&self.board.state);
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let merged = merge(&state.lines, self.lines);
        Ok(if merged.is_empty() { self.first_guess.clone() } else { merged })
    }
}

/// Puts the opinions of several threads together.
fn merge(opinions: &[Vec<Line>], count: usize) -> Vec<Line> {
    let mut merged: Vec<Line> = Vec::new();
    for line in opinions.iter().flatten() {
        let known = |other: &&mut Line| other.opinion.placement == line.opinion.placement;
        match merged.iter_mut().find(known) {
            None => merged.push(line.clone()),
            Some(other) => {
                if line.opinion.visits > other.opinion.visits {
                    other.continuation.clone_from(&line.continuation);
                }
                other.opinion = together(other.opinion, line.opinion);
            }
        }
    }
    merged.sort_by_key(|line| std::cmp::Reverse((line.opinion.exact, line.opinion.visits)));
    merged.truncate(count);
    merged
}

fn together(first: Opinion, second: Opinion) -> Opinion {
    if first.exact || second.exact {
        return if first.exact { first } else { second };
    }
    let visits = first.visits + second.visits;
    let part = if visits == 0 { 0.5 } else { second.visits as f32 / visits as f32 };
    let mix = |first: f32, second: f32| first + (second - first) * part;
    Opinion {
        placement: first.placement,
        visits,
        value: mix(first.value, second.value),
        win: mix(first.win, second.win),
        points: mix(first.points, second.points),
        exact: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::moves::is_legal;
    use crate::blokus::pieces::tables;
    use crate::blokus::rules::Rules;

    fn task(seconds: f64, simulations: Option<u64>) -> Task {
        let position = Position::new(Rules::season_2027(12));
        Task { position, seconds, simulations, lines: 3 }
    }

    #[test]
    fn the_same_seed_gives_the_same_lines() {
        let think = || {
            let mut thinker = Thinker::new(Setup::default(), 1);
            let thinking = thinker.start(task(600.0, Some(50)));
            assert!(thinking.wait(Duration::from_secs(600)));
            thinking.lines().unwrap()
        };
        assert_eq!(think(), think());
        assert_eq!(think().len(), 3);
    }

    #[test]
    fn without_time_there_is_a_legal_guess() {
        let mut thinker = Thinker::new(Setup::default(), 1);
        let task = task(0.0, None);
        let thinking = thinker.start(task);
        assert!(thinking.wait(Duration::ZERO));
        let lines = thinking.lines().unwrap();
        let color = task.position.color();
        assert!(is_legal(tables(), &task.position, color, lines[0].opinion.placement));
    }

    #[test]
    fn several_threads_add_their_visits() {
        let mut thinker = Thinker::new(Setup::default(), 3);
        let thinking = thinker.start(Task { lines: 500, ..task(600.0, Some(40)) });
        assert!(thinking.wait(Duration::from_secs(600)));
        let visits: u32 = thinking.lines().unwrap().iter().map(|line| line.opinion.visits).sum();
        assert_eq!(visits, 3 * 40);
    }

    #[test]
    fn thinking_can_be_stopped() {
        let mut thinker = Thinker::new(Setup::default(), 1);
        let thinking = thinker.start(task(3600.0, None));
        thinking.stop();
        assert!(thinking.wait(Duration::from_secs(600)));
    }

    #[test]
    fn margins_are_small_parts_of_the_time() {
        assert!(margin(0.01, 0.0) <= 0.002);
        assert!((margin(2.0, 0.0) - 0.05).abs() < 1.0e-9);
        assert!((margin(2.0, 0.1) - 0.15).abs() < 1.0e-9);
        assert!(margin(0.2, 9.0) < 0.1);
    }
}
