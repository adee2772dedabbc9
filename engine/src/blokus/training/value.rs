//! Learns the value net from the results of games and from what searches said on the way.

use std::sync::mpsc;

use super::adam::{Adam, cosine_rate};
use super::samples::{Library, Sample};
use super::territory::{Factors, Squares};
use crate::blokus::features::{self, FEATURES, Features};
use crate::blokus::net::{Layer, Net, OUTPUTS, POINTS_UNIT, STAGES, Table, sigmoid, stage};
use crate::blokus::records::Game;
use crate::cpu::{Cpu, multiversion};
use crate::random::Random;

const BATCH: usize = 256;
/// Samples that the mean and spread of the inputs are taken from.
const SCALE_SAMPLES: usize = 30_000;
/// The weight of the error in points against that of the error in winning...
const POINTS_WEIGHT: f32 = 0.5;
/// ...and the largest error in points, in units of the net, that still grows in effect.
const POINTS_LIMIT: f32 = 2.0;
/// How strongly weights are drawn to zero.
const DECAY: f32 = 0.1;
/// The phases that errors are listed by: plies below these numbers.
const PHASE_ENDS: [u8; 8] = [4, 12, 20, 28, 36, 44, 56, 99];

/// How to train.
#[derive(Clone, Debug)]
pub struct Options {
    pub hidden_first: usize,
    pub hidden_second: usize,
    pub epochs: usize,
    pub rate: f32,
    /// The weight of the search's opinion, against that of the result, in what the net shall say.
    pub search_weight: f32,
    pub seed: u64,
    /// Threads that prepare positions, beside the one that learns.
    pub threads: usize,
}

/// A position as the net sees it, with what it shall say for the team on turn.
#[derive(Clone)]
struct Example {
    inputs: [f32; FEATURES],
    squares: Squares,
    stage: usize,
    win: f32,
    points: f32,
}

/// The mean of every input and one over its spread.
#[derive(Clone)]
struct Scale {
    mean: Vec<f32>,
    factor: Vec<f32>,
}

/// Trains a net. Calls `report` with a line of text after every epoch.
pub fn train(library: &mut Library, options: &Options, mut report: impl FnMut(String)) -> Net {
    let cpu = Cpu::detect();
    let mut random = Random::new(options.seed);
    library.shuffle(&mut random);
    let scale = measure_scale(library, cpu, options);
    let mut net = first_net(options, &mut random);
    let mut gradient = Net::new(options.hidden_first, options.hidden_second);
    let mut adam = Adam::new(net.parameters().count());
    let mut factors = Factors::new(options.hidden_first, &mut random);
    let mut factor_gradient = Factors::zero(options.hidden_first);
    let mut factor_adam = Adam::new(factors.weights.len());
    let batches = (library.train.len() / BATCH).max(1);
    for epoch in 0..options.epochs {
        library.shuffle(&mut random);
        let mut loss = 0.0;
        let mut number = 0;
        prepare(library, &scale, options, cpu, |batch| {
            let part = (epoch * batches + number) as f32 / (options.epochs * batches) as f32;
            let rate = cosine_rate(options.rate, part);
            loss += learn(cpu, &net, &factors, &mut gradient, &mut factor_gradient, &batch);
            adam.step(net.parameters(), gradient.parameters().map(|value| *value), rate);
            let changes = factor_gradient.weights.iter().copied();
            factor_adam.step(factors.weights.iter_mut(), changes, rate);
            shrink(&mut net, 1.0 - rate * DECAY);
            factors.shrink(1.0 - rate * DECAY);
            number += 1;
        });
        let folded = fold(&net, &factors, &scale);
        let tested = test(&folded, library, cpu);
        let loss = loss / number.max(1) as f32;
        report(format!("epoch {epoch} train loss {loss:.4} | {}", tested.summary()));
        if epoch + 1 == options.epochs {
            tested.phases().into_iter().for_each(&mut report);
        }
    }
    fold(&net, &factors, &scale)
}

fn first_net(options: &Options, random: &mut Random) -> Net {
    let mut net = Net::new(options.hidden_first, options.hidden_second);
    let mut fill = |layer: &mut Layer, gain: f32| {
        let spread = gain * (2.0 / layer.inputs as f32).sqrt();
        layer.weights.iter_mut().for_each(|weight| *weight = spread * random.normal());
    };
    fill(&mut net.first, 0.7);
    fill(&mut net.heads[0].second, 1.0);
    fill(&mut net.heads[0].last, 0.3);
    net.heads = vec![net.heads[0].clone(); STAGES];
    net
}

fn shrink(net: &mut Net, factor: f32) {
    for layer in net.layers() {
        layer.weights.iter_mut().for_each(|weight| *weight *= factor);
    }
}

/// Returns a net that takes unscaled inputs and says the same.
fn fold(net: &Net, factors: &Factors, scale: &Scale) -> Net {
    let mut folded = net.clone();
    let hidden = net.first.outputs;
    folded.table = Table::rounded(hidden, &factors.joint());
    for input in 0..FEATURES {
        for unit in 0..hidden {
            let weight = &mut folded.first.weights[input * hidden + unit];
            *weight *= scale.factor[input];
            folded.first.bias[unit] -= *weight * scale.mean[input];
        }
    }
    folded
}

fn example(library: &Library, sample: Sample, options: &Options, cpu: Cpu) -> Example {
    let game = &library.games[sample.game as usize];
    let position = game.position_before(sample.ply as usize);
    let mut features: Features = [0; FEATURES];
    features::compute(cpu, &position, &mut features);
    let (win, points) = outlook(game, sample.ply as usize, options.search_weight);
    let squares = Squares::of(&position);
    Example {
        inputs: features.map(f32::from),
        squares,
        stage: stage(sample.ply),
        win,
        points: points / POINTS_UNIT,
    }
}

/// Returns what became of a position, for the team on turn: chance to win and points.
///
/// That is the result of the game, or what the last search before the next stray move said. The
/// search of the position itself counts with its weight, too.
fn outlook(game: &Game, ply: usize, search_weight: f32) -> (f32, f32) {
    let Some(now) = &game.plies[ply].searched else {
        unreachable!("only positions that were searched are learned from")
    };
    let (win, points) = match game.next_stray(ply) {
        Some(stray) => later_opinion(game, ply, stray - 1),
        None => {
            let difference =
                game.difference() * if game.plies[ply].color & 1 == 0 { 1 } else { -1 };
            ((difference.signum() + 1) as f32 / 2.0, difference as f32)
        }
    };
    (win + search_weight * (now.win - win), points + search_weight * (now.points - points))
}

/// Returns what the search of a later ply said, for the team on turn at the first one.
fn later_opinion(game: &Game, ply: usize, later: usize) -> (f32, f32) {
    let Some(searched) = &game.plies[later].searched else {
        unreachable!("every ply before the next stray one was searched")
    };
    if (game.plies[ply].color ^ game.plies[later].color) & 1 == 0 {
        (searched.win, searched.points)
    } else {
        (1.0 - searched.win, -searched.points)
    }
}

fn measure_scale(library: &Library, cpu: Cpu, options: &Options) -> Scale {
    let count = library.train.len().min(SCALE_SAMPLES);
    let mut sum = vec![0.0f64; FEATURES];
    let mut squares = vec![0.0f64; FEATURES];
    for &sample in &library.train[..count] {
        let inputs = example(library, sample, options, cpu).inputs;
        for (index, &input) in inputs.iter().enumerate() {
            sum[index] += f64::from(input);
            squares[index] += f64::from(input) * f64::from(input);
        }
    }
    let count = count.max(1) as f64;
    let mean: Vec<f32> = sum.iter().map(|sum| (sum / count) as f32).collect();
    let spread = |(squares, mean): (&f64, &f32)| {
        let variance = squares / count - f64::from(*mean) * f64::from(*mean);
        1.0 / (variance.max(0.0).sqrt() as f32 + 0.03)
    };
    Scale { factor: squares.iter().zip(&mean).map(spread).collect(), mean }
}

/// Prepares batches in threads and hands them over in the order of the samples.
fn prepare(
    library: &Library,
    scale: &Scale,
    options: &Options,
    cpu: Cpu,
    mut call: impl FnMut(Vec<Example>),
) {
    let threads = options.threads.max(1);
    std::thread::scope(|scope| {
        let receivers: Vec<_> = (0..threads)
            .map(|thread| {
                let (sender, receiver) = mpsc::sync_channel(8);
                scope.spawn(move || {
                    for batch in library.train.chunks_exact(BATCH).skip(thread).step_by(threads) {
                        let examples = batch
                            .iter()
                            .map(|&sample| scaled(example(library, sample, options, cpu), scale));
                        if sender.send(examples.collect()).is_err() {
                            return;
                        }
                    }
                });
                receiver
            })
            .collect();
        let mut turn = 0;
        while let Ok(batch) = receivers[turn].recv() {
            call(batch);
            turn = (turn + 1) % threads;
        }
    });
}

fn scaled(mut example: Example, scale: &Scale) -> Example {
    for (index, input) in example.inputs.iter_mut().enumerate() {
        *input = (*input - scale.mean[index]) * scale.factor[index];
    }
    example
}

multiversion! {
    /// Computes the gradient of a batch. Returns the mean loss.
    fn learn(
        net: &Net,
        factors: &Factors,
        gradient: &mut Net,
        factor_gradient: &mut Factors,
        batch: &[Example],
    ) -> f32 = learn_body;
}

#[inline(always)]
fn learn_body(
    net: &Net,
    factors: &Factors,
    gradient: &mut Net,
    factor_gradient: &mut Factors,
    batch: &[Example],
) -> f32 {
    gradient.parameters().for_each(|value| *value = 0.0);
    factor_gradient.weights.fill(0.0);
    let mut first = vec![0.0; net.first.outputs];
    let mut second = vec![0.0; net.heads[0].second.outputs];
    let mut output = vec![0.0; OUTPUTS];
    let mut first_error = first.clone();
    let mut second_error = second.clone();
    let mut loss = 0.0;
    for example in batch {
        first.copy_from_slice(&net.first.bias);
        factors.add_to(&example.squares, &mut first);
        forward(&net.first, &example.inputs, &mut first);
        cut(&mut first);
        let head = &net.heads[example.stage];
        let sums = &mut gradient.heads[example.stage];
        second.copy_from_slice(&head.second.bias);
        forward(&head.second, &first, &mut second);
        cut(&mut second);
        output.copy_from_slice(&head.last.bias);
        forward(&head.last, &second, &mut output);
        let errors = output_errors(&output, example, batch.len(), &mut loss);
        backward(&head.last, &mut sums.last, &second, &errors, Some(&mut second_error));
        backward(&head.second, &mut sums.second, &first, &second_error, Some(&mut first_error));
        backward(&net.first, &mut gradient.first, &example.inputs, &first_error, None);
        factor_gradient.learn(&example.squares, &first_error);
    }
    loss / batch.len() as f32
}

#[inline(always)]
fn output_errors(
    output: &[f32],
    example: &Example,
    batch: usize,
    loss: &mut f32,
) -> [f32; OUTPUTS] {
    let win = sigmoid(output[0]);
    let sure = win.clamp(1.0e-5, 1.0 - 1.0e-5);
    *loss -= example.win * sure.ln() + (1.0 - example.win) * (1.0 - sure).ln();
    let points_error = (output[1] - example.points).clamp(-POINTS_LIMIT, POINTS_LIMIT);
    let part = 1.0 / batch as f32;
    [(win - example.win) * part, POINTS_WEIGHT * points_error * part]
}

/// Adds what a layer makes of its inputs.
#[inline(always)]
fn forward(layer: &Layer, inputs: &[f32], outputs: &mut [f32]) {
    for (&input, weights) in inputs.iter().zip(layer.weights.chunks_exact(layer.outputs)) {
        for (output, weight) in outputs.iter_mut().zip(weights) {
            *output += input * weight;
        }
    }
}

#[inline(always)]
fn cut(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}

/// Adds to the gradient of a layer, and finds the errors of its inputs, which were cut at zero.
#[inline(always)]
fn backward(
    layer: &Layer,
    gradient: &mut Layer,
    inputs: &[f32],
    errors: &[f32],
    input_errors: Option<&mut Vec<f32>>,
) {
    for (sum, error) in gradient.bias.iter_mut().zip(errors) {
        *sum += error;
    }
    for (&input, sums) in inputs.iter().zip(gradient.weights.chunks_exact_mut(layer.outputs)) {
        if input != 0.0 {
            for (sum, error) in sums.iter_mut().zip(errors) {
                *sum += input * error;
            }
        }
    }
    let Some(input_errors) = input_errors else { return };
    let rows = layer.weights.chunks_exact(layer.outputs);
    for ((input_error, &input), weights) in input_errors.iter_mut().zip(inputs).zip(rows) {
        let sum: f32 = weights.iter().zip(errors).map(|(weight, error)| weight * error).sum();
        *input_error = if input > 0.0 { sum } else { 0.0 };
    }
}

/// Sums of errors in one phase of the test games.
#[derive(Clone, Default)]
struct Errors {
    count: f64,
    loss: f64,
    search_loss: f64,
    squares: f64,
    search_squares: f64,
    result: f64,
    result_squares: f64,
}

struct Tested(Vec<Errors>);

/// Compares net and search with the results of the test games, where only searches follow.
fn test(net: &Net, library: &Library, cpu: Cpu) -> Tested {
    let mut tested = vec![Errors::default(); PHASE_ENDS.len()];
    for sample in &library.test {
        let game = &library.games[sample.game as usize];
        let Some(searched) = &game.plies[sample.ply as usize].searched else { continue };
        if game.next_stray(sample.ply as usize).is_some() {
            continue;
        }
        let position = game.position_before(sample.ply as usize);
        let difference = game.difference() * if position.team() == 0 { 1 } else { -1 };
        let judgement = net.judge(cpu, &position);
        let win = f64::from(difference.signum() + 1) / 2.0;
        let loss = |said: f32| {
            let said = f64::from(said).clamp(0.005, 0.995);
            -win * said.ln() - (1.0 - win) * (1.0 - said).ln()
        };
        let square = |said: f32| (f64::from(said) - f64::from(difference)).powi(2);
        let phase = PHASE_ENDS.partition_point(|&end| end <= sample.ply).min(tested.len() - 1);
        let errors = &mut tested[phase];
        errors.count += 1.0;
        errors.loss += loss(judgement.win);
        errors.search_loss += loss(searched.win);
        errors.squares += square(judgement.points);
        errors.search_squares += square(searched.points);
        errors.result += f64::from(difference);
        errors.result_squares += f64::from(difference).powi(2);
    }
    Tested(tested)
}

impl Tested {
    fn summary(&self) -> String {
        let count: f64 = self.0.iter().map(|errors| errors.count).sum::<f64>().max(1.0);
        let loss: f64 = self.0.iter().map(|errors| errors.loss).sum();
        let squares: f64 = self.0.iter().map(|errors| errors.squares).sum();
        format!("test loss {:.4} rmse {:.2} points", loss / count, (squares / count).sqrt())
    }

    fn phases(&self) -> Vec<String> {
        let mut first = 0;
        let mut lines = Vec::new();
        for (errors, end) in self.0.iter().zip(PHASE_ENDS) {
            let count = errors.count.max(1.0);
            let variance = errors.result_squares - errors.result * errors.result / count;
            let explained = |squares: f64| 1.0 - squares / variance.max(1.0e-9);
            lines.push(format!(
                "  ply {first:2}-{end:2} n {:6} | log loss net {:.3} search {:.3} | R2 net {:.3} search {:.3}",
                errors.count,
                errors.loss / count,
                errors.search_loss / count,
                explained(errors.squares),
                explained(errors.search_squares),
            ));
            first = end;
        }
        lines
    }
}
