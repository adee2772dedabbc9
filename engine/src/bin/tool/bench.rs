//! Measures speed along one game: the parts of a simulation, and simulations a second.

use std::hint::black_box;

use spielleiter_engine::blokus::board::Position;
use spielleiter_engine::blokus::features;
use spielleiter_engine::blokus::moves::{LegalMoves, settle};
use spielleiter_engine::blokus::playout::{Playout, Policy};
use spielleiter_engine::blokus::priors::{Planes, phase};
use spielleiter_engine::blokus::rules::Start;
use spielleiter_engine::blokus::search::{Limit, Search, Setup};
use spielleiter_engine::clock::{Deadline, Meter, thread_cpu_seconds};
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::config;
use crate::openings::opening;

const GAME_SIMULATIONS: u64 = 200;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let setup = config::parse(&arguments.take_or("config", String::new())?)?;
    let seconds = arguments.take_or("seconds", 0.5)?;
    arguments.finish()?;
    println!("{:?}", setup.cpu);
    println!(" ply moves | bitmaps features   judge playout  priors | simulations/s  tree");
    println!("           |   µs       µs       µs     µs       µs    |                 MB");
    let mut game = Search::new(setup.clone());
    let mut position = opening(Start::OwnCorner, &mut Random::new(1));
    let mut moves = LegalMoves::default();
    while settle(setup.cpu, &mut position, &mut moves) {
        if position.ply % 8 == 4 {
            measure(&setup, &position, &moves, seconds);
        }
        let placement = game.think(&position, Limit::simulations(GAME_SIMULATIONS));
        position.place(placement);
    }
    Ok(())
}

fn measure(setup: &Setup, position: &Position, moves: &LegalMoves, seconds: f64) {
    let cpu = setup.cpu;
    let mut scratch = LegalMoves::default();
    let bitmaps = time(|| scratch.find(cpu, black_box(position), position.color()));
    let mut values = [0; features::FEATURES];
    let features = time(|| features::compute(cpu, black_box(position), &mut values));
    let judge = time(|| {
        black_box(setup.net.as_ref().map(|net| net.judge(cpu, black_box(position))));
    });
    let mut playout = Playout::default();
    let mut random = Random::new(1);
    let policy = Policy { hit_limit: 3, double_weight: 8.0 };
    let step = time(|| {
        black_box(playout.choose(cpu, black_box(position), policy, &mut random));
    });
    let mut planes = Planes::default();
    let mut scored = Vec::new();
    let weights = &setup.priors.phases[phase(position.ply)];
    let priors = time(|| {
        planes.describe(cpu, black_box(position));
        planes.score(cpu, weights, moves, &mut scored);
    });
    let mut search = Search::new(setup.clone());
    let started = thread_cpu_seconds();
    search.think(position, Limit::deadline(Deadline::after(seconds, Meter::Cpu)));
    let rate = search.simulations() as f64 / (thread_cpu_seconds() - started);
    println!(
        " {:3} {:5} | {bitmaps:6.2}  {features:6.2}  {judge:6.2}  {step:6.2}  {priors:6.2} | {rate:13.0} {:5}",
        position.ply,
        moves.count(),
        search.bytes() >> 20,
    );
}

/// Returns the microseconds that one call takes.
fn time(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 2000;
    (0..5)
        .map(|_| {
            let started = thread_cpu_seconds();
            (0..CALLS).for_each(|_| call());
            (thread_cpu_seconds() - started) * 1e6 / f64::from(CALLS)
        })
        .fold(f64::INFINITY, f64::min)
}
