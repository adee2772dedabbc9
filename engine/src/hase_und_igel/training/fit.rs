//! Fits the weights of the net to positions and how their games ended.
//!
//! Plain stochastic gradient descent with Adam's step sizes, in one thread.

use std::io::BufRead;

use super::super::evaluation::win_of;
use super::super::features::{self, ACTIVE, ROWS};
use super::super::net::{FIRST, SECOND, Weights};
use super::super::race::Race;
use super::games::{Record, read_games};
use super::start::zeros;
use crate::random::Random;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    pub epochs: usize,
    /// How much of what is learned is what the search thought, and not how the game ended.
    pub search_part: f32,
    pub rate: f32,
    pub seed: u64,
}

/// Positions that are looked at between two changes of the weights.
const BATCH: usize = 1024;
/// Every so many boards one is kept apart to see how good the weights are.
const CHECKED_BOARDS: usize = 20;
/// The rate at the end, as a part of the rate.
const LAST_RATE: f32 = 0.01;

/// A position as the net sees it.
#[derive(Clone, Copy)]
pub struct Sample {
    rows: [u16; ACTIVE],
    /// What the net should say.
    target: f32,
    result: f32,
}

/// Positions to learn from, and others to check what was learned.
#[derive(Default)]
pub struct Samples {
    pub learned: Vec<Sample>,
    pub checked: Vec<Sample>,
    boards: usize,
}

impl Samples {
    /// Reads games.
    pub fn read(&mut self, lines: impl BufRead, lesson: Lesson) -> Result<(), String> {
        read_games(lines, &mut |board, records| {
            self.boards += 1;
            let is_checked = self.boards.is_multiple_of(CHECKED_BOARDS);
            let samples = if is_checked { &mut self.checked } else { &mut self.learned };
            let race = Race::new(board);
            let sample = |record: &Record| {
                sample(features::rows(board, &race, record.position), record, lesson)
            };
            samples.extend(records.iter().map(sample));
        })
    }
}

fn sample(rows: [u16; ACTIVE], record: &Record, lesson: Lesson) -> Sample {
    let result = if record.has_won { 1.0 } else { 0.0 };
    let thought = win_of(record.worth) as f32;
    let target = result + (thought - result) * lesson.search_part;
    Sample { rows, target, result }
}

/// Returns weights that fit the samples. `tell` hears how it goes after each epoch.
pub fn fit(samples: &mut Samples, lesson: Lesson, tell: &mut dyn FnMut(&str)) -> Weights {
    let mut random = Random::new(lesson.seed);
    let mut weights = first_weights(&mut random);
    let mut descent = Descent::new();
    let batches = samples.learned.len().div_ceil(BATCH);
    let steps = (lesson.epochs * batches) as f32;
    for epoch in 1..=lesson.epochs {
        random.shuffle(&mut samples.learned);
        let mut loss = 0.0;
        for batch in samples.learned.chunks(BATCH) {
            loss += batch.iter().map(|one| descent.learn(&weights, one)).sum::<f64>();
            let rest = 1.0 - descent.step as f32 / steps;
            descent.apply(&mut weights, batch.len(), lesson.rate * rest.max(LAST_RATE));
        }
        let checked: f64 = samples.checked.iter().map(|one| checked_loss(&weights, one)).sum();
        tell(&format!(
            "epoch {epoch}: learned {:.4}, checked {:.4}",
            loss / samples.learned.len() as f64,
            checked / samples.checked.len().max(1) as f64
        ));
    }
    weights
}

fn first_weights(random: &mut Random) -> Weights {
    let mut some = |count, size: f32| (0..count).map(|_| size * random.normal()).collect();
    Weights {
        rows: some(ROWS * FIRST, 0.1),
        first_bias: vec![0.0; FIRST],
        second: some(SECOND * FIRST, (1.5 / FIRST as f32).sqrt()),
        second_bias: vec![0.0; SECOND],
        last: some(SECOND, (1.0 / SECOND as f32).sqrt()),
        last_bias: 0.0,
    }
}

/// What the neurons say about a position.
struct Activity {
    first: [f32; FIRST],
    second: [f32; SECOND],
    win: f32,
}

fn activity(weights: &Weights, rows: &[u16; ACTIVE]) -> Activity {
    let mut first = [0.0; FIRST];
    first.copy_from_slice(&weights.first_bias);
    for &row in rows {
        add(&mut first, &weights.rows[usize::from(row) * FIRST..][..FIRST], 1.0);
    }
    first = first.map(|sum| sum.max(0.0));
    let mut second = [0.0; SECOND];
    let mut logit = weights.last_bias;
    for (number, neuron) in second.iter_mut().enumerate() {
        let row = &weights.second[number * FIRST..][..FIRST];
        let sum: f32 = row.iter().zip(&first).map(|(weight, active)| weight * active).sum();
        *neuron = (weights.second_bias[number] + sum).max(0.0);
        logit += *neuron * weights.last[number];
    }
    Activity { first, second, win: 1.0 / (1.0 + (-logit).exp()) }
}

/// Adds a multiple of some numbers to others.
#[inline(always)]
fn add(sums: &mut [f32], values: &[f32], factor: f32) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += factor * value;
    }
}

fn loss(win: f32, target: f32) -> f64 {
    let win = f64::from(win.clamp(1e-7, 1.0 - 1e-7));
    let target = f64::from(target);
    -target * win.ln() - (1.0 - target) * (1.0 - win).ln()
}

fn checked_loss(weights: &Weights, sample: &Sample) -> f64 {
    loss(activity(weights, &sample.rows).win, sample.result)
}

/// The gradient of the loss, and how it was before.
struct Descent {
    gradient: Weights,
    mean: Weights,
    square: Weights,
    step: i32,
}

impl Descent {
    fn new() -> Descent {
        Descent { gradient: zeros(), mean: zeros(), square: zeros(), step: 0 }
    }

    /// Adds the gradient of one sample. Returns its loss.
    fn learn(&mut self, weights: &Weights, sample: &Sample) -> f64 {
        let active = activity(weights, &sample.rows);
        let error = active.win - sample.target;
        let gradient = &mut self.gradient;
        gradient.last_bias += error;
        let mut first = [0.0; FIRST];
        for (number, &neuron) in active.second.iter().enumerate() {
            if neuron > 0.0 {
                gradient.last[number] += error * neuron;
                let error = error * weights.last[number];
                gradient.second_bias[number] += error;
                let place = number * FIRST;
                add(&mut gradient.second[place..][..FIRST], &active.first, error);
                add(&mut first, &weights.second[place..][..FIRST], error);
            }
        }
        for (error, &neuron) in first.iter_mut().zip(&active.first) {
            *error = if neuron > 0.0 { *error } else { 0.0 };
        }
        add(&mut gradient.first_bias, &first, 1.0);
        for &row in &sample.rows {
            add(&mut gradient.rows[usize::from(row) * FIRST..][..FIRST], &first, 1.0);
        }
        loss(active.win, sample.target)
    }

    /// Changes the weights by the gradient of so many samples, and begins a new one.
    fn apply(&mut self, weights: &mut Weights, count: usize, rate: f32) {
        self.step += 1;
        let rates = Rates {
            part: 1.0 / count as f32,
            mean: 1.0 - 0.9f32.powi(self.step),
            square: 1.0 - 0.999f32.powi(self.step),
            rate,
        };
        let parts = parts(weights).into_iter().zip(parts(&mut self.gradient));
        let moments = parts_of_both(&mut self.mean, &mut self.square);
        for ((weights, gradient), (mean, square)) in parts.zip(moments) {
            rates.apply(weights, gradient, mean, square);
        }
    }
}

/// Returns all weights, layer by layer.
fn parts(weights: &mut Weights) -> [&mut [f32]; 6] {
    [
        &mut weights.rows,
        &mut weights.first_bias,
        &mut weights.second,
        &mut weights.second_bias,
        &mut weights.last,
        std::slice::from_mut(&mut weights.last_bias),
    ]
}

fn parts_of_both<'a>(
    one: &'a mut Weights,
    other: &'a mut Weights,
) -> impl Iterator<Item = (&'a mut [f32], &'a mut [f32])> {
    parts(one).into_iter().zip(parts(other))
}

/// Adam's step sizes, with the constants that its inventors propose.
struct Rates {
    part: f32,
    mean: f32,
    square: f32,
    rate: f32,
}

impl Rates {
    fn apply(
        &self,
        weights: &mut [f32],
        gradient: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32],
    ) {
        let moments = mean.iter_mut().zip(square.iter_mut());
        for ((weight, gradient), (mean, square)) in
            weights.iter_mut().zip(gradient.iter_mut()).zip(moments)
        {
            let slope = *gradient * self.part;
            *gradient = 0.0;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            let size = (*square / self.square).sqrt() + 1e-8;
            *weight -= self.rate * (*mean / self.mean) / size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: Lesson = Lesson { epochs: 3, search_part: 0.0, rate: 0.01, seed: 1 };

    /// Samples of which the last row alone says who won.
    fn samples() -> Samples {
        let mut random = Random::new(4);
        let mut some = |count: usize| -> Vec<Sample> {
            let mut sample = || {
                let mut rows = [0; ACTIVE];
                rows.fill_with(|| 100 + random.below(200) as u16);
                let has_won = random.below(2) == 1;
                rows[ACTIVE - 1] = u16::from(has_won);
                let result = f32::from(u8::from(has_won));
                Sample { rows, target: result, result }
            };
            (0..count).map(|_| sample()).collect()
        };
        Samples { learned: some(20_000), checked: some(500), boards: 0 }
    }

    #[test]
    fn what_is_plain_to_see_is_learned() {
        let mut samples = samples();
        let mut told = Vec::new();
        let weights = fit(&mut samples, LESSON, &mut |line| told.push(line.to_string()));
        assert_eq!(told.len(), 3);
        let loss: f64 = samples.checked.iter().map(|one| checked_loss(&weights, one)).sum();
        assert!(loss / 500.0 < 0.05, "{told:?}");
    }

    #[test]
    fn the_gradient_is_what_small_changes_say() {
        let sample = samples().learned[0];
        let mut weights = first_weights(&mut Random::new(2));
        let mut descent = Descent::new();
        let before = descent.learn(&weights, &sample);
        let mut gradient = descent.gradient;
        let rows = usize::from(sample.rows[0]) * FIRST;
        for (part, places) in [(0, rows..rows + 8), (1, 0..8), (2, 0..64), (3, 0..16), (4, 0..16)] {
            for place in places {
                let small = 1e-3;
                parts(&mut weights)[part][place] += small;
                let after = Descent::new().learn(&weights, &sample);
                parts(&mut weights)[part][place] -= small;
                let slope = ((after - before) / f64::from(small)) as f32;
                let expected = parts(&mut gradient)[part][place];
                assert!((slope - expected).abs() < 0.02, "{part} {place} {slope} {expected}");
            }
        }
    }
}
