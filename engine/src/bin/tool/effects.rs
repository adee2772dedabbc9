//! Measures what many parameters are worth at once.
//!
//! In each pair of games one side has for every parameter the low or the high value, by chance, and
//! the other side has the opposite. Over many pairs the other parameters cancel out, so one match
//! tells of each of them what its high value is worth against its low one. What is taken from that
//! needs a match to prove it, since values that are good alone need not be so together.

use std::sync::Mutex;

use spielleiter_engine::blokus::parameters::Parameters;
use spielleiter_engine::blokus::search::Search;
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::figures::{elo_with_interval, mean_and_error};
use crate::matches::{Effort, Plan, play_twice};

/// Pairs after which the effects so far are printed.
const PRINT_EVERY: usize = 50;

/// A parameter with the two values that are compared.
struct Choice {
    name: String,
    low: f32,
    high: f32,
    /// For each pair what the side with the high value got: its share of wins, its points a game.
    shares: Vec<f64>,
    points: Vec<f64>,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let words = arguments.require("of")?;
    let pairs: u64 = arguments.take_or("pairs", 1000)?;
    let threads = arguments.take_or("threads", 1)?;
    let config = arguments.take_or("config", String::new())?;
    let plan = Plan::take(&mut arguments, &config, &config)?;
    arguments.finish()?;
    let choices = words.split(',').map(parse_choice).collect::<Result<Vec<_>, _>>()?;
    let choices = Mutex::new(choices);
    plan.for_each_pair(pairs, threads, |searches, number| {
        try_choices(&plan, searches, &choices, number);
    });
    Ok(())
}

/// Reads a choice from `name:low:high`.
fn parse_choice(word: &str) -> Result<Choice, String> {
    let parts: Vec<&str> = word.split(':').collect();
    let [name, low, high] = parts[..] else {
        return Err(format!("{word:?} is not of the form name:low:high"));
    };
    if !Parameters::NAMES.contains(&name) {
        return Err(format!("there is no parameter {name:?}"));
    }
    let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
    let (low, high) = (number(low)?, number(high)?);
    Ok(Choice { name: name.to_string(), low, high, shares: Vec::new(), points: Vec::new() })
}

/// Plays a pair with values drawn by chance and remembers how it went for the high ones.
fn try_choices(plan: &Plan, searches: &mut [Search; 2], choices: &Mutex<Vec<Choice>>, number: u64) {
    let mut random = Random::new(plan.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let side_with_high: Vec<usize> = {
        let choices = choices.lock().expect("no thread panics while it counts");
        choices.iter().map(|choice| draw_sides(choice, searches, &mut random)).collect()
    };
    let results = play_twice(plan, searches, number, &mut Effort::default());
    let mut choices = choices.lock().expect("no thread panics while it counts");
    for (choice, side) in choices.iter_mut().zip(side_with_high) {
        choice.count(results, side);
    }
    if choices[0].shares.len().is_multiple_of(PRINT_EVERY) {
        println!("{} pairs, the high value against the low one", choices[0].shares.len());
        choices.iter().for_each(|choice| println!("  {}", choice.line()));
    }
}

/// Gives one side the high value of a parameter and the other the low one. Returns which.
fn draw_sides(choice: &Choice, searches: &mut [Search; 2], random: &mut Random) -> usize {
    let side = random.below(2) as usize;
    searches[side].parameters.set(&choice.name, choice.high);
    searches[1 - side].parameters.set(&choice.name, choice.low);
    side
}

impl Choice {
    /// Remembers a pair by the points that side 0 was ahead in its games.
    fn count(&mut self, results: [f64; 2], side_with_high: usize) {
        let sign = if side_with_high == 0 { 1.0 } else { -1.0 };
        let share = |result: f64| match sign * result {
            ahead if ahead > 0.0 => 1.0,
            ahead if ahead < 0.0 => 0.0,
            _ => 0.5,
        };
        self.shares.push((share(results[0]) + share(results[1])) / 2.0);
        self.points.push(sign * (results[0] + results[1]) / 2.0);
    }

    fn line(&self) -> String {
        let [elo, low, high] = elo_with_interval(&self.shares);
        let (points, error) = mean_and_error(&self.points);
        format!(
            "{:16} {:8} {:8} elo {elo:+4.0} ({low:+4.0}..{high:+4.0}) points {points:+5.1} +- {error:.1}",
            self.name, self.low, self.high,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_with_the_high_value_is_counted() {
        let mut choice = parse_choice("rave:0:0.6").unwrap();
        choice.count([12.0, -3.0], 0);
        choice.count([12.0, 2.0], 1);
        choice.count([0.0, -8.0], 1);
        assert_eq!(choice.shares, [0.5, 0.0, 0.75]);
        assert_eq!(choice.points, [4.5, -7.0, 4.0]);
    }

    #[test]
    fn each_side_has_one_of_the_values() {
        let choice = parse_choice("rave:0.25:0.75").unwrap();
        let mut searches = [0, 1].map(|_| Search::new(Default::default()));
        let mut random = Random::new(1);
        let mut sides = [0, 0];
        for _ in 0..40 {
            let side = draw_sides(&choice, &mut searches, &mut random);
            assert_eq!(searches[side].parameters.rave, 0.75);
            assert_eq!(searches[1 - side].parameters.rave, 0.25);
            sides[side] += 1;
        }
        assert!(sides.iter().all(|&count| count > 5));
    }

    #[test]
    fn only_parameters_that_there_are_can_be_measured() {
        for word in ["luck:0:1", "rave", "rave:0", "rave:0:much", "rave:0:1:2"] {
            assert!(parse_choice(word).is_err(), "{word}");
        }
    }
}
