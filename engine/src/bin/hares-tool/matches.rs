//! Paired matches between two nets: the same board twice, with seats swapped.

use spielleiter_engine::clock::Meter;
use spielleiter_engine::hase_und_igel::board::Board;
use spielleiter_engine::hase_und_igel::limits::Limits;
use spielleiter_engine::hase_und_igel::moves::legal_steps;
use spielleiter_engine::hase_und_igel::searcher::Searcher;
use spielleiter_engine::hase_und_igel::state::Position;
use spielleiter_engine::hase_und_igel::training::boards::random_board;
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::figures::{REACH, elo_with_interval, mean_and_error};
use crate::nets::take_net;

const TABLE_MEGABYTES: usize = 32;
/// How often it is told how it stands.
const TELL_EVERY: u64 = 10;

/// One side of a match.
struct Side {
    searcher: Searcher,
    limits: Limits,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let pairs: u64 = arguments.take_or("pairs", 100)?;
    let seed = arguments.take_or("seed", 1)?;
    let seconds: Option<f64> = arguments.take("seconds")?;
    let nodes: Option<u64> = arguments.take("nodes")?;
    let nodes = nodes.or(if seconds.is_none() { Some(5000) } else { None });
    let other = Limits {
        seconds: arguments.take("seconds_b")?.or(seconds),
        nodes: arguments.take("nodes_b")?.or(nodes),
    };
    let mut sides = Vec::new();
    for (name, limits) in [("a", Limits { seconds, nodes }), ("b", other)] {
        limits.check()?;
        let searcher = Searcher::new(TABLE_MEGABYTES, take_net(&mut arguments, name)?);
        sides.push(Side { searcher, limits });
    }
    arguments.finish()?;
    let mut random = Random::new(seed);
    let mut won = Vec::new();
    for number in 1..=pairs {
        let board = random_board(&mut random);
        won.push((0..2).map(|seat| f64::from(u8::from(play(&board, &mut sides, seat)))).sum());
        if number % TELL_EVERY == 0 || number == pairs {
            println!("{}", describe(&won));
        }
    }
    Ok(())
}

/// Plays a match in which A has a seat. Returns whether it won.
fn play(board: &Board, sides: &mut [Side], seat_of_a: usize) -> bool {
    for side in sides.iter_mut() {
        side.searcher.forget();
    }
    let mut position = Position::START;
    while !position.is_over() {
        let side = &mut sides[position.seat() ^ seat_of_a];
        let limits = (side.limits, Meter::Cpu);
        let lines = side.searcher.think(board, position, limits, 1, &mut |_, _| true);
        let steps = legal_steps(board, position);
        let step = steps.iter().find(|step| step.play == lines[0].play);
        let step = step.expect("the search knows the rules");
        position = position.after(board, step.hare, true);
    }
    position.winner() == seat_of_a
}

/// Says how it stands after pairs of which so many were won.
fn describe(won: &[f64]) -> String {
    let shares: Vec<f64> = won.iter().map(|one| one / 2.0).collect();
    let (share, standard_error) = mean_and_error(&shares);
    let error = REACH * standard_error;
    let [elo, low, high] = elo_with_interval(&shares);
    format!(
        "{} of {} won, {:.1} % (+-{:.1}), {elo:+.0} Elo ({low:+.0} to {high:+.0})",
        won.iter().sum::<f64>(),
        2 * won.len(),
        100.0 * share,
        100.0 * error,
    )
}
