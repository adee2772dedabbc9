//! Learns priors from the visits of searches, for each phase of the game on its own.

use super::adam::{Adam, cosine_rate};
use super::samples::{Library, Sample};
use crate::blokus::moves::LegalMoves;
use crate::blokus::pieces::{PlacementId, tables};
use crate::blokus::priors::{
    FIRST_HIDDEN, LANES, Learned, PHASES, Planes, Priors, ROLES, Weights, phase, piece_vector,
};
use crate::blokus::territory::BOARD;
use crate::cpu::{Cpu, multiversion};
use crate::random::Random;

const BATCH: usize = 32;
/// How strongly weights are drawn to zero.
const DECAY: f32 = 1.0e-4;
/// Smaller errors than this are left out.
const SMALLEST_ERROR: f32 = 1.0e-4;

/// How to train.
#[derive(Clone, Debug)]
pub struct Options {
    pub epochs: usize,
    pub rate: f32,
    /// Positions of each phase that are trained with.
    pub per_phase: usize,
    /// Phases that are trained at the same time.
    pub threads: usize,
}

/// The legal placements of a position with their features and shares of visits.
struct Example {
    /// The features of all placements one after the other, and where each placement's begin.
    features: Vec<(u8, f32)>,
    feature_starts: Vec<usize>,
    /// The squares that all placements have to do with, by role, and where each placement's begin.
    squares: Vec<(u16, u8)>,
    square_starts: Vec<usize>,
    /// The vectors of every square of the board in every role.
    vectors: Vec<Vec<usize>>,
    /// The vector of each placement's piece.
    pieces: Vec<usize>,
    shares: Vec<f32>,
}

type Vector = [f32; LANES];

/// A vector for every role of every square of the board.
type Values = Vec<Vector>;

#[inline(always)]
fn add(sum: &mut Vector, value: &Vector) {
    for (sum, value) in sum.iter_mut().zip(value) {
        *sum += value;
    }
}

/// Memory to make examples with.
#[derive(Default)]
struct Workshop {
    planes: Box<Planes>,
    moves: LegalMoves,
    placements: Vec<PlacementId>,
}

/// Trains priors. Calls `report` with a line of text for every phase.
pub fn train(library: &Library, options: &Options, mut report: impl FnMut(String)) -> Priors {
    let threads = options.threads.max(1);
    let mut trained: Vec<(usize, Learned, String)> = std::thread::scope(|scope| {
        let work = |first: usize| {
            let phases = (first..PHASES).step_by(threads);
            phases.map(|phase| train_and_test(library, options, phase)).collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || work(first))).collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("training goes well"));
        results.flatten().collect()
    });
    trained.sort_by_key(|(phase, ..)| *phase);
    let phases = trained.into_iter().map(|(_, learned, line)| {
        report(line);
        Weights::new(learned)
    });
    Priors { phases: phases.collect() }
}

fn train_and_test(library: &Library, options: &Options, phase: usize) -> (usize, Learned, String) {
    let mut workshop = Workshop::default();
    let train = choose(library, &library.train, phase, options.per_phase);
    let test = choose(library, &library.test, phase, options.per_phase / 8);
    let learned = train_phase(library, options, &train, &mut workshop);
    let line = test_phase(library, phase, &train, &test, &learned, &mut workshop);
    (phase, learned, line)
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
) -> Learned {
    let mut learned = first_guess();
    let mut adam = Adam::new(learned.numbers().count());
    let batches = samples.chunks(BATCH).len() * options.epochs;
    let mut number = 0;
    for _ in 0..options.epochs {
        for batch in samples.chunks(BATCH) {
            let mut gradient = Learned::zero();
            for &sample in batch {
                let example = workshop.example(library, sample);
                add_gradient(Cpu::detect(), &example, &learned, &mut gradient);
            }
            for (sum, weight) in gradient.numbers().zip(learned.numbers()) {
                *sum = *sum / batch.len() as f32 + DECAY * *weight;
            }
            let rate = cosine_rate(options.rate, number as f32 / batches as f32);
            adam.step(learned.numbers(), gradient.numbers().map(|value| *value), rate);
            number += 1;
        }
    }
    learned
}

/// Returns small random vectors, so that hidden units learn different things.
fn first_guess() -> Learned {
    let mut random = Random::new(1);
    let mut learned = Learned::zero();
    for vector in &mut learned.vectors {
        vector[FIRST_HIDDEN..].iter_mut().for_each(|value| *value = 0.02 * random.normal());
    }
    learned.output[FIRST_HIDDEN..].iter_mut().for_each(|value| *value = 0.3 * random.normal());
    learned
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
        let mut example = Example::new(&self.planes);
        for &placement in &self.placements {
            let features = self.planes.features(placement);
            let present = features.iter().map(|&(index, value)| (index as u8, value));
            example.features.extend(present);
            example.feature_starts.push(example.features.len());
            let roles = self.planes.roles(placement);
            example.squares.extend(roles.iter().map(|&(square, role)| (square as u16, role as u8)));
            example.square_starts.push(example.squares.len());
            example.pieces.push(piece_vector(tables().form_of(placement).piece));
            let count = visits.iter().find(|(visited, _)| *visited == placement);
            example.shares.push(count.map_or(0.0, |(_, count)| f32::from(*count) / total));
        }
        example
    }
}

impl Example {
    fn new(planes: &Planes) -> Self {
        let roles = (0..BOARD).flat_map(|square| (0..ROLES).map(move |role| (square, role)));
        Example {
            features: Vec::new(),
            feature_starts: vec![0],
            squares: Vec::new(),
            square_starts: vec![0],
            vectors: roles.map(|(square, role)| planes.vectors_of(square, role)).collect(),
            pieces: Vec::new(),
            shares: Vec::new(),
        }
    }

    #[inline(always)]
    fn features_of(&self, index: usize) -> &[(u8, f32)] {
        &self.features[self.feature_starts[index]..self.feature_starts[index + 1]]
    }

    #[inline(always)]
    fn squares_of(&self, index: usize) -> &[(u16, u8)] {
        &self.squares[self.square_starts[index]..self.square_starts[index + 1]]
    }

    /// Adds up the vectors of all squares in all roles.
    #[inline(always)]
    fn values(&self, learned: &Learned) -> Values {
        let add_up = |vectors: &Vec<usize>| {
            let mut sum = [0.0; LANES];
            vectors.iter().for_each(|&vector| add(&mut sum, &learned.vectors[vector]));
            sum
        };
        self.vectors.iter().map(add_up).collect()
    }

    /// Returns the sum of a placement's vectors.
    #[inline(always)]
    fn sum(&self, learned: &Learned, values: &Values, index: usize) -> Vector {
        let mut sum = learned.vectors[self.pieces[index]];
        for &(square, role) in self.squares_of(index) {
            add(&mut sum, &values[square as usize * ROLES + role as usize]);
        }
        sum
    }

    #[inline(always)]
    fn score(&self, learned: &Learned, index: usize, sum: &Vector) -> f32 {
        let features = self.features_of(index).iter();
        let whole = features.map(|&(feature, value)| learned.sums[feature as usize] * value);
        let hidden = (FIRST_HIDDEN..LANES).map(|lane| sum[lane].max(0.0) * learned.output[lane]);
        sum[0] + whole.sum::<f32>() + hidden.sum::<f32>()
    }
}

/// Turns scores into probabilities.
fn probabilities(mut scores: Vec<f32>) -> Vec<f32> {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    scores.iter_mut().for_each(|value| *value = (*value - highest).exp());
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|value| *value /= sum);
    scores
}

multiversion! {
    /// Adds what an example wants the weights to change.
    fn add_gradient(example: &Example, learned: &Learned, gradient: &mut Learned)
        = add_gradient_body;
}

#[inline(always)]
fn add_gradient_body(example: &Example, learned: &Learned, gradient: &mut Learned) {
    let values = example.values(learned);
    let placements = 0..example.shares.len();
    let sums: Vec<Vector> =
        placements.clone().map(|index| example.sum(learned, &values, index)).collect();
    let scores = placements.map(|index| example.score(learned, index, &sums[index])).collect();
    let mut errors = vec![[0.0; LANES]; BOARD * ROLES];
    for (index, probability) in probabilities(scores).into_iter().enumerate() {
        let error = probability - example.shares[index];
        if error.abs() < SMALLEST_ERROR {
            continue;
        }
        for &(feature, value) in example.features_of(index) {
            gradient.sums[feature as usize] += error * value;
        }
        let sum = &sums[index];
        let mut sum_error = [0.0; LANES];
        sum_error[0] = error;
        for lane in FIRST_HIDDEN..LANES {
            gradient.output[lane] += error * sum[lane].max(0.0);
            sum_error[lane] = if sum[lane] > 0.0 { error * learned.output[lane] } else { 0.0 };
        }
        add(&mut gradient.vectors[example.pieces[index]], &sum_error);
        for &(square, role) in example.squares_of(index) {
            add(&mut errors[square as usize * ROLES + role as usize], &sum_error);
        }
    }
    spread(example, &errors, gradient);
}

/// Shares the errors of squares out among their vectors.
#[inline(always)]
fn spread(example: &Example, errors: &Values, gradient: &mut Learned) {
    for (error, vectors) in errors.iter().zip(&example.vectors) {
        if *error != [0.0; LANES] {
            vectors.iter().for_each(|&vector| add(&mut gradient.vectors[vector], error));
        }
    }
}

fn test_phase(
    library: &Library,
    phase: usize,
    train: &[Sample],
    test: &[Sample],
    learned: &Learned,
    workshop: &mut Workshop,
) -> String {
    let mut loss = 0.0;
    let mut within = [0; 3];
    let mut moves = 0;
    for &sample in test {
        let example = workshop.example(library, sample);
        let values = example.values(learned);
        let score = |index| example.score(learned, index, &example.sum(learned, &values, index));
        let probabilities = probabilities((0..example.shares.len()).map(score).collect());
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
