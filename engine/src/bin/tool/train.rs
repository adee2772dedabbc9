use crate::arguments::Arguments;
pub fn run(_arguments: Arguments) -> Result<(), String> {
    Err("not yet".to_string())
}
