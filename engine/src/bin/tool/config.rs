//! Reads what a search is made of from one argument.

use std::sync::Arc;

use spielleiter_engine::blokus::net::Net;
use spielleiter_engine::blokus::parameters::Parameters;
use spielleiter_engine::blokus::priors::Priors;
use spielleiter_engine::blokus::search::Setup;
use spielleiter_engine::blokus::weights;
use spielleiter_engine::cpu::Cpu;

use crate::arguments::Arguments;

/// Returns what `config` describes: files of weights, and parameters.
pub fn parse(config: &str) -> Result<Setup, String> {
    let mut setup = Setup::default();
    let named = |name: &str| config.split(',').any(|pair| pair.starts_with(name));
    // Weights of the crate are read only where none are named, since that takes time.
    if !named("net=") {
        setup.net = Some(weights::net());
    }
    if !named("priors=") {
        setup.priors = weights::priors();
    }
    for pair in config.split(',').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("net", "none")) => setup.net = None,
            Some(("net", file)) => setup.net = Some(Arc::new(Net::read(&read(file)?)?)),
            Some(("priors", "none")) => {
                setup.priors = Arc::new(Priors::untrained());
                setup.parameters.width_second = 9999.0;
                setup.parameters.width_deeper = 9999.0;
            }
            Some(("priors", file)) => setup.priors = Arc::new(Priors::read(&read(file)?)?),
            Some(("cpu", "portable")) => setup.cpu = Cpu::portable(),
            _ => setup.parameters.apply(pair)?,
        }
    }
    Ok(setup)
}

pub fn read(file: &str) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| format!("{file} cannot be read: {error}"))
}

/// Lists the parameters with their values.
pub fn list(arguments: Arguments) -> Result<(), String> {
    arguments.finish()?;
    let parameters = Parameters::default();
    for name in Parameters::NAMES {
        println!("{name}={}", parameters.get(name).unwrap_or_default());
    }
    Ok(())
}
