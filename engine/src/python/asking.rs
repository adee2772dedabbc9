//! What the searches of all games share towards Python: limits of what may be asked, waiting for
//! answers, and errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

const LEAST_EVERY: f64 = 0.01;
pub const LONGEST_SECONDS: f64 = 86_400.0;
const MOST_LINES: usize = 1000;
pub const MOST_MEMORY_MB: usize = 1 << 16;
/// How often Ctrl+C is looked for.
const SIGNALS_EVERY: f64 = 0.1;

/// A search that runs in threads of its own.
pub trait Ongoing: Sync {
    type Line;

    /// Waits for the end, so long at most. Returns whether it has come.
    fn wait(&self, longest: Duration) -> bool;
    fn stop(&self);
    /// Returns what is known so far.
    fn lines(&self) -> Result<Vec<Self::Line>, String>;
}

pub fn refuse(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

/// Runs something that must not panic. If it does, that is a RuntimeError.
pub fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        Err(PyRuntimeError::new_err("the engine failed; this is a fault of it"))
    })
}

/// Takes hold of a thinker, which thinks about one position at a time.
pub fn hold<T>(thinker: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    let held = thinker.try_lock();
    held.map_err(|_| PyRuntimeError::new_err("this search is thinking already"))
}

/// Checks how often and how much is to be told.
pub fn check_telling(every: f64, lines: usize) -> PyResult<()> {
    if !(LEAST_EVERY..=LONGEST_SECONDS).contains(&every) {
        return Err(refuse(format!(
            "every must be from {LEAST_EVERY} to {LONGEST_SECONDS} seconds, not {every}"
        )));
    }
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(refuse(format!("lines must be from 1 to {MOST_LINES}, not {lines}")));
    }
    Ok(())
}

/// Waits for the answer and returns it. Tells how it stands now and then, and looks for Ctrl+C.
pub fn answer<S, L>(
    py: Python<'_>,
    search: &S,
    on_progress: Option<&Bound<'_, PyAny>>,
    every: f64,
) -> PyResult<Vec<L>>
where
    S: Ongoing,
    L: for<'a> From<&'a S::Line> + for<'py> IntoPyObject<'py>,
{
    let told = tell_progress::<S, L>(py, search, on_progress, every);
    search.stop();
    told?;
    read_lines(search)
}

fn tell_progress<S, L>(
    py: Python<'_>,
    search: &S,
    on_progress: Option<&Bound<'_, PyAny>>,
    every: f64,
) -> PyResult<()>
where
    S: Ongoing,
    L: for<'a> From<&'a S::Line> + for<'py> IntoPyObject<'py>,
{
    let interval = if on_progress.is_some() { every.min(SIGNALS_EVERY) } else { SIGNALS_EVERY };
    let mut until_progress = every;
    while !py.detach(|| search.wait(Duration::from_secs_f64(interval))) {
        py.check_signals()?;
        until_progress -= interval;
        if let Some(call) = on_progress
            && until_progress <= 0.0
        {
            until_progress = every;
            let answer = call.call1((read_lines::<S, L>(search)?,))?;
            if !answer.is_none() && !answer.is_truthy()? {
                break;
            }
        }
    }
    Ok(())
}

fn read_lines<S: Ongoing, L: for<'a> From<&'a S::Line>>(search: &S) -> PyResult<Vec<L>> {
    let lines = search.lines();
    let lines =
        lines.map_err(|text| PyRuntimeError::new_err(format!("the engine failed: {text}")))?;
    Ok(lines.iter().map(L::from).collect())
}
