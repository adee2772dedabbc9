//! Arguments of the form name=value.

use std::collections::BTreeMap;
use std::str::FromStr;

/// The arguments of a command. Those that nobody asked for are an error.
pub struct Arguments(BTreeMap<String, String>);

impl Arguments {
    pub fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut values = BTreeMap::new();
        for word in words {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| format!("{word:?} is not of the form name=value"))?;
            if values.insert(name.to_string(), value.to_string()).is_some() {
                return Err(format!("{name} is given twice"));
            }
        }
        Ok(Arguments(values))
    }

    /// Takes an argument out, None if it was not given.
    pub fn take<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let value = text.parse().map_err(|_| format!("{name}={text} cannot be understood"))?;
        Ok(Some(value))
    }

    pub fn take_or<T: FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        Ok(self.take(name)?.unwrap_or(default))
    }

    pub fn require(&mut self, name: &str) -> Result<String, String> {
        self.0.remove(name).ok_or_else(|| format!("{name}=... is missing"))
    }

    /// Says which arguments nobody has taken.
    pub fn finish(self) -> Result<(), String> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("there is no argument {name}")),
        }
    }
}
