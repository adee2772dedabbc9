//! Weights from files.

use std::sync::Arc;

use spielleiter_engine::hase_und_igel::evaluation::house_net;
use spielleiter_engine::hase_und_igel::net::Net;
use spielleiter_engine::hase_und_igel::training::start::racing_net;

use crate::arguments::Arguments;

/// Returns the net that an argument names, or that of the crate. `race` is what learning begins with.
pub fn take_net(arguments: &mut Arguments, name: &str) -> Result<Arc<Net>, String> {
    match arguments.take::<String>(name)? {
        None => Ok(house_net()),
        Some(path) if path == "race" => Ok(Arc::new(racing_net())),
        Some(path) => read_net(&path),
    }
}

/// Reads a file of weights.
pub fn read_net(path: &str) -> Result<Arc<Net>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(Arc::new(Net::read(&bytes).map_err(|error| format!("{path}: {error}"))?))
}
