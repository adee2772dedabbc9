//! The Python module `spielleiter_engine._native`.
//!
//! Here values are checked and turned into those of the engine and back. A panic never reaches
//! Python: it becomes a RuntimeError.

mod asking;
mod blokus;
mod hares;

use pyo3::prelude::*;

/// The number of the interface. Spielleiter checks it and changes with it.
const API_VERSION: u32 = 1;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("API_VERSION", API_VERSION)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<blokus::BlokusPosition>()?;
    module.add_class::<blokus::BlokusSearch>()?;
    module.add_class::<blokus::Line>()?;
    module.add_class::<hares::HaresPosition>()?;
    module.add_class::<hares::HaresSearch>()?;
    module.add_class::<hares::HaresLine>()
}
