//! Tunes parameters: small changes of all of them at once play against the opposite changes.
//!
//! After each pair of games the parameters move a little towards the changes that won. This is
//! stochastic approximation by simultaneous perturbation. What comes out needs a match to prove it.

use std::sync::Mutex;

use spielleiter_engine::blokus::parameters::Parameters;
use spielleiter_engine::blokus::search::Search;
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::matches::{Effort, Plan, play_twice};

/// How far parameters are changed for a game, as a part of what they are at the beginning.
const CHANGE: f32 = 0.2;
/// How far they move after a pair that one side won clearly, as a part of that change...
const FIRST_STEP: f32 = 0.15;
/// ...and after how many pairs such a step is about half as long.
const SLOWER_AFTER: f32 = 400.0;
/// The points of a pair that count as much as winning one game more.
const POINTS_OF_GAME: f64 = 40.0;
/// Pairs after which the parameters are printed.
const PRINT_EVERY: u64 = 10;

/// A parameter that is tuned.
struct Tuned {
    name: String,
    value: f32,
    change: f32,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let names = arguments.require("names")?;
    let pairs: u64 = arguments.take_or("pairs", 500)?;
    let threads = arguments.take_or("threads", 1)?;
    let config = arguments.take_or("config", String::new())?;
    let plan = Plan::take(&mut arguments, &config, &config)?;
    arguments.finish()?;
    let start = plan.setups[0].parameters.clone();
    let tuned = names.split(',').map(|name| tuned(&start, name)).collect::<Result<Vec<_>, _>>()?;
    let tuned = Mutex::new(tuned);
    plan.for_each_pair(pairs, threads, |searches, number| {
        try_changes(&plan, searches, &tuned, number);
    });
    Ok(())
}

fn tuned(parameters: &Parameters, name: &str) -> Result<Tuned, String> {
    match parameters.get(name) {
        Some(value) if value != 0.0 => {
            Ok(Tuned { name: name.to_string(), value, change: CHANGE * value.abs() })
        }
        Some(_) => Err(format!("{name} is 0, so there is no measure to change it by")),
        None => Err(format!("there is no parameter {name:?}")),
    }
}

/// Plays a pair of opposite changes and learns from it.
fn try_changes(plan: &Plan, searches: &mut [Search; 2], tuned: &Mutex<Vec<Tuned>>, number: u64) {
    let mut random = Random::new(plan.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let signs: Vec<f32> = {
        let tuned = tuned.lock().expect("no thread panics while it learns");
        let signs: Vec<f32> = tuned.iter().map(|_| [-1.0, 1.0][random.below(2) as usize]).collect();
        for (search, side) in searches.iter_mut().zip([1.0, -1.0]) {
            for (tuned, sign) in tuned.iter().zip(&signs) {
                search.parameters.set(&tuned.name, tuned.value + side * sign * tuned.change);
            }
        }
        signs
    };
    let results = play_twice(plan, searches, number, &mut Effort::default());
    let mut tuned = tuned.lock().expect("no thread panics while it learns");
    learn(&mut tuned, &signs, success(results), number);
    if (number + 1).is_multiple_of(PRINT_EVERY) {
        let values: Vec<String> =
            tuned.iter().map(|tuned| format!("{}={:.4}", tuned.name, tuned.value)).collect();
        println!("pair {:4} {}", number + 1, values.join(","));
    }
}

/// Returns how well one side did in a pair, from -2 to 2.
fn success(results: [f64; 2]) -> f32 {
    let won = |result: f64| f64::from(i8::from(result > 0.0) - i8::from(result < 0.0));
    let sum: f64 = results.iter().map(|&result| won(result) + result / POINTS_OF_GAME).sum();
    sum.clamp(-2.0, 2.0) as f32
}

/// Moves parameters towards changes that were successful, and away from others.
fn learn(tuned: &mut [Tuned], signs: &[f32], success: f32, number: u64) {
    let step = FIRST_STEP / (1.0 + number as f32 / SLOWER_AFTER);
    for (tuned, sign) in tuned.iter_mut().zip(signs) {
        tuned.value += step * success * sign * tuned.change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_and_so_do_points() {
        assert_eq!(success([0.0, 0.0]), 0.0);
        assert_eq!(success([1.0, -1.0]), 0.0);
        assert_eq!(success([20.0, -10.0]), 0.25);
        assert_eq!(success([-90.0, -90.0]), -2.0);
    }

    #[test]
    fn parameters_move_towards_what_won_and_less_later() {
        let parameters = Parameters::default();
        let mut values = [tuned(&parameters, "rave").unwrap(), tuned(&parameters, "rave").unwrap()];
        learn(&mut values, &[1.0, -1.0], 1.0, 0);
        let first = values[0].value - parameters.rave;
        assert!(first > 0.0 && (first + values[1].value - parameters.rave).abs() < 1.0e-6);
        learn(&mut values, &[1.0, -1.0], 1.0, 1000);
        assert!(values[0].value - parameters.rave < 2.0 * first);
    }

    #[test]
    fn only_parameters_that_there_are_can_be_tuned() {
        assert!(tuned(&Parameters::default(), "luck").is_err());
        assert!(tuned(&Parameters::default(), "solve_tree_nodes").is_err());
    }
}
