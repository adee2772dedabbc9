//! Learns priors from the visits of searches, for each phase of the game on its own.

use super::adam::{Adam, cosine_rate};
use super::samples::{Library, Sample};
use crate::blokus::moves::LegalMoves;
use crate::blokus::pieces::PlacementId;
use crate::blokus::priors::{FEATURES, PHASES, Planes, Priors, Weights, phase};
use crate::cpu::Cpu;

const BATCH: usize = 32;
/// How strongly weights are drawn to zero.
const DECAY: f32 = 1.0e-4;

/// How to train.
#[derive(Clone, Debug)]
pub struct Options {
    pub epochs: usize,
    pub rate: f32,
    /// Positions of each phase that are trained with.
    pub per_phase: usize,
}

/// The legal placements of a position with their features and shares of visits.
struct Example {
    /// The features of all placements one after the other, and where each placement's begin.
    features: Vec<(u8, f32)>,
    starts: Vec<usize>,
    shares: Vec<f32>,
}

/// Memory to make examples with.
#[derive(Default)]
struct Workshop {
    planes: Box<Planes>,
    moves: LegalMoves,
    placements: Vec<PlacementId>,
}

/// Trains priors. Calls `report` with a line of text after every phase.
pub fn train(library: &Library, options: &Options, mut report: impl FnMut(String)) -> Priors {
    let mut workshop = Workshop::default();
    let phases = (0..PHASES)
        .map(|phase| {
            let train = choose(library, &library.train, phase, options.per_phase);
            let test = choose(library, &library.test, phase, options.per_phase / 8);
            let weights = train_phase(library, options, &train, &mut workshop);
            report(test_phase(library, phase, &train, &test, &weights, &mut workshop));
            weights
        })
        .collect();
    Priors { phases }
}

/// Returns positions of a phase in which a search has looked at several moves.
fn choose(library: &Library, samples: &[Sample], wanted: usize, most: usize) -> Vec<Sample> {
    let fits = |sample: &&Sample| {
        let game = &library.games[sample.game as usize];
        let searched = &game.plies[sample.ply as usize].searched;
        phase(sample.ply) == wanted && searched.as_ref().is_some_and(|it| it.visits.len() > 1)
    };
    samples.iter().filter(fits).take(most).copied().collect()
}

fn train_phase(
    library: &Library,
    options: &Options,
    samples: &[Sample],
    workshop: &mut Workshop,
) -> Weights {
    let mut weights = [0.0; FEATURES];
    let mut adam = Adam::new(FEATURES);
    let batches = samples.chunks(BATCH).len() * options.epochs;
    let mut number = 0;
    for _ in 0..options.epochs {
        for batch in samples.chunks(BATCH) {
            let mut gradient = [0.0; FEATURES];
            for &sample in batch {
                let example = workshop.example(library, sample);
                add_gradient(&example, &weights, &mut gradient);
            }
            for (sum, weight) in gradient.iter_mut().zip(&weights) {
                *sum = *sum / batch.len() as f32 + DECAY * weight;
            }
            let rate = cosine_rate(options.rate, number as f32 / batches as f32);
            adam.step(weights.iter_mut(), gradient.into_iter(), rate);
            number += 1;
        }
    }
    weights
}

impl Workshop {
    fn example(&mut self, library: &Library, sample: Sample) -> Example {
        let game = &library.games[sample.game as usize];
        let position = game.position_before(sample.ply as usize);
        let cpu = Cpu::detect();
        self.moves.find(cpu, &position, position.color());
        self.moves.list(&mut self.placements);
        self.planes.describe(cpu, &position);
        let visits = game.plies[sample.ply as usize].searched.as_ref();
        let visits = visits.map_or(&[][..], |searched| &searched.visits);
        let total: f32 = visits.iter().map(|(_, count)| f32::from(*count)).sum();
        let mut example = Example { features: Vec::new(), starts: vec![0], shares: Vec::new() };
        for &placement in &self.placements {
            let features = self.planes.features(placement);
            let present = features.iter().map(|&(index, value)| (index as u8, value));
            example.features.extend(present);
            example.starts.push(example.features.len());
            let count = visits.iter().find(|(visited, _)| *visited == placement);
            example.shares.push(count.map_or(0.0, |(_, count)| f32::from(*count) / total));
        }
        example
    }
}

impl Example {
    fn features_of(&self, index: usize) -> &[(u8, f32)] {
        &self.features[self.starts[index]..self.starts[index + 1]]
    }

    fn scores(&self, weights: &Weights) -> Vec<f32> {
        let score = |index| {
            let features = self.features_of(index).iter();
            features.map(|&(feature, value)| weights[feature as usize] * value).sum()
        };
        (0..self.shares.len()).map(score).collect()
    }

    /// Returns the probabilities that the weights give to the placements.
    fn probabilities(&self, weights: &Weights) -> Vec<f32> {
        let mut values = self.scores(weights);
        let highest = values.iter().copied().fold(f32::MIN, f32::max);
        values.iter_mut().for_each(|value| *value = (*value - highest).exp());
        let sum: f32 = values.iter().sum();
        values.iter_mut().for_each(|value| *value /= sum);
        values
    }
}

fn add_gradient(example: &Example, weights: &Weights, gradient: &mut Weights) {
    let probabilities = example.probabilities(weights);
    for (index, probability) in probabilities.iter().enumerate() {
        let error = probability - example.shares[index];
        if error.abs() > 1.0e-5 {
            for &(feature, value) in example.features_of(index) {
                gradient[feature as usize] += error * value;
            }
        }
    }
}

fn test_phase(
    library: &Library,
    phase: usize,
    train: &[Sample],
    test: &[Sample],
    weights: &Weights,
    workshop: &mut Workshop,
) -> String {
    let mut loss = 0.0;
    let mut within = [0; 3];
    let mut moves = 0;
    for &sample in test {
        let example = workshop.example(library, sample);
        let probabilities = example.probabilities(weights);
        moves += probabilities.len();
        let shares = example.shares.iter().zip(&probabilities);
        loss -= shares.map(|(share, value)| share * value.max(1.0e-9).ln()).sum::<f32>();
        let best = (0..moves.min(example.shares.len()))
            .max_by(|&a, &b| example.shares[a].total_cmp(&example.shares[b]))
            .map_or(0.0, |index| probabilities[index]);
        let better = probabilities.iter().filter(|&&value| value > best).count();
        for (count, limit) in within.iter_mut().zip([1, 5, 20]) {
            *count += usize::from(better < limit);
        }
    }
    let count = test.len().max(1) as f32;
    let share = within.map(|count_within| 100.0 * count_within as f32 / count);
    format!(
        "phase {phase} trained with {:6} | test loss {:.3}, best move in top 1 {:.1} % 5 {:.1} % 20 {:.1} % of {:.0} moves",
        train.len(),
        loss / count,
        share[0],
        share[1],
        share[2],
        moves as f32 / count,
    )
}
