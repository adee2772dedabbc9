//! Paired matches between two configurations: the same opening twice, with seats swapped.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use spielleiter_engine::blokus::board::Position;
use spielleiter_engine::blokus::moves::{LegalMoves, is_legal, settle};
use spielleiter_engine::blokus::pieces::{FULL_HAND, tables};
use spielleiter_engine::blokus::rules::Start;
use spielleiter_engine::blokus::search::{Limit, Search, Setup};
use spielleiter_engine::clock::{Deadline, Meter};
use spielleiter_engine::cpu::Cpu;
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::config;
use crate::figures::{elo_with_interval, mean_and_error};
use crate::openings::{draw_rules, opening};

const LEAD_IN_SIMULATIONS: u64 = 300;

/// What is played: by whom, from where and for how long.
pub struct Plan {
    pub setups: [Setup; 2],
    seconds: [f64; 2],
    simulations: [Option<u64>; 2],
    meter: Meter,
    pub seed: u64,
    starts: Vec<Start>,
    /// The ply from which on the match is played; those before it are played by a quick search.
    from_ply: u8,
    /// The seconds that A may think about first pieces, if they are not drawn but searched.
    first_seconds: Option<f64>,
}

impl Plan {
    /// Takes out of the arguments what two configurations play.
    pub fn take(arguments: &mut Arguments, a: &str, b: &str) -> Result<Plan, String> {
        let seconds = arguments.take_or("seconds", 0.1)?;
        let simulations = arguments.take("sims")?;
        Ok(Plan {
            setups: [config::parse(a)?, config::parse(b)?],
            seconds: [seconds, arguments.take_or("seconds_b", seconds)?],
            simulations: [simulations, arguments.take("sims_b")?.or(simulations)],
            meter: match arguments.take_or("clock", "cpu".to_string())?.as_str() {
                "cpu" => Meter::Cpu,
                "wall" => Meter::Wall,
                other => return Err(format!("clock={other} is neither cpu nor wall")),
            },
            seed: arguments.take_or("seed", 1)?,
            starts: starts(&arguments.take_or("start", "mixed".to_string())?)?,
            from_ply: arguments.take_or("from_ply", 4)?,
            first_seconds: arguments.take("first_seconds")?,
        })
    }

    /// Calls a function with the number of every pair, in threads with two searches each.
    pub fn for_each_pair(
        &self,
        pairs: u64,
        threads: usize,
        play: impl Fn(&mut [Search; 2], u64) + Sync,
    ) {
        let next = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut searches = self.setups.clone().map(Search::new);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= pairs {
                            break;
                        }
                        play(&mut searches, number);
                    }
                });
            }
        });
    }

    /// Returns how long a side may think about a position.
    fn limit(&self, side: usize, position: &Position) -> Limit {
        let first = position.hands[position.color()] == FULL_HAND;
        let seconds = match self.first_seconds {
            Some(seconds) if first && side == 0 => seconds,
            _ => self.seconds[side],
        };
        match self.simulations[side] {
            Some(count) => Limit::simulations(count),
            None => Limit::deadline(Deadline::after(seconds, self.meter)),
        }
    }
}

/// The results of pairs so far, seen from configuration A.
#[derive(Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
    pairs_won: u32,
    pairs_lost: u32,
    points: Vec<f64>,
    pair_scores: Vec<f64>,
    effort: Effort,
}

/// What both configurations have done.
#[derive(Default)]
pub struct Effort {
    simulations: [u64; 2],
    moves: [u64; 2],
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let pairs: u64 = arguments.take_or("pairs", 20)?;
    let threads = arguments.take_or("threads", 1)?;
    let (a, b) = (arguments.require("a")?, arguments.require("b")?);
    let plan = Plan::take(&mut arguments, &a, &b)?;
    arguments.finish()?;
    let score = Mutex::new(Score::default());
    plan.for_each_pair(pairs, threads, |searches, number| {
        play_pair(&plan, searches, number, &score);
    });
    Ok(())
}

/// Returns the ways to start that a name stands for.
pub fn starts(name: &str) -> Result<Vec<Start>, String> {
    Ok(match name {
        "table" => vec![Start::OwnCorner],
        "corner" => vec![Start::AnyCorner],
        "border" => vec![Start::Border],
        "mixed" => vec![Start::OwnCorner, Start::Border],
        other => return Err(format!("start={other} is none of table, corner, border, mixed")),
    })
}

fn play_pair(plan: &Plan, searches: &mut [Search; 2], number: u64, score: &Mutex<Score>) {
    let mut effort = Effort::default();
    let results = play_twice(plan, searches, number, &mut effort);
    let mut score = score.lock().expect("no thread panics while it counts");
    for side in 0..2 {
        score.effort.simulations[side] += effort.simulations[side];
        score.effort.moves[side] += effort.moves[side];
    }
    score.add(results);
    let pairs = score.points.len();
    println!("pair {pairs:3} {:+4} {:+4} | {}", results[0], results[1], score.line());
}

/// Plays both games of a pair. Returns the points by which A is ahead in each.
pub fn play_twice(
    plan: &Plan,
    searches: &mut [Search; 2],
    number: u64,
    effort: &mut Effort,
) -> [f64; 2] {
    let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let mut random = Random::new(seed);
    let start = plan.starts[number as usize % plan.starts.len()];
    let opening = match plan.first_seconds {
        Some(_) => Position::new(draw_rules(start, &mut random)),
        None => lead_in(opening(start, &mut random), plan.from_ply, seed),
    };
    [0, 1].map(|team_of_a: usize| {
        for search in searches.iter_mut() {
            search.restart(random.bits());
        }
        let difference = play_game(plan, searches, opening, team_of_a, effort);
        if team_of_a == 0 { difference } else { -difference }
    })
}

/// Plays a game to its end. Returns the difference of points for team 0.
fn play_game(
    plan: &Plan,
    searches: &mut [Search; 2],
    mut position: Position,
    team_of_a: usize,
    effort: &mut Effort,
) -> f64 {
    let mut legal = LegalMoves::default();
    while settle(Cpu::detect(), &mut position, &mut legal) {
        let side = position.team() ^ team_of_a;
        let limit = plan.limit(side, &position);
        let placement = searches[side].think(&position, limit);
        effort.simulations[side] += searches[side].simulations();
        effort.moves[side] += 1;
        assert!(is_legal(tables(), &position, position.color(), placement));
        position.place(placement);
    }
    f64::from(position.difference())
}

/// Plays on from an opening with a quick search, so that the match begins later in the game.
fn lead_in(mut position: Position, until: u8, seed: u64) -> Position {
    let setup = config::parse("").expect("the weights of the crate are there");
    let mut search = Search::new(Setup { seed, ..setup });
    let mut moves = LegalMoves::default();
    while position.ply < until && settle(Cpu::detect(), &mut position, &mut moves) {
        position.place(search.think(&position, Limit::simulations(LEAD_IN_SIMULATIONS)));
    }
    position
}

impl Score {
    fn add(&mut self, results: [f64; 2]) {
        let mut pair = 0.0;
        for result in results {
            if result > 0.0 {
                self.wins += 1;
                pair += 0.5;
            } else if result < 0.0 {
                self.losses += 1;
            } else {
                self.draws += 1;
                pair += 0.25;
            }
        }
        self.pairs_won += u32::from(pair > 0.5);
        self.pairs_lost += u32::from(pair < 0.5);
        self.pair_scores.push(pair);
        self.points.push((results[0] + results[1]) / 2.0);
    }

    fn line(&self) -> String {
        let (share, _) = mean_and_error(&self.pair_scores);
        let [elo, low, high] = elo_with_interval(&self.pair_scores);
        let (points, points_error) = mean_and_error(&self.points);
        let rate = |side: usize| self.effort.simulations[side] / self.effort.moves[side].max(1);
        format!(
            "W{} D{} L{} {:.1}% elo {elo:+.0} ({low:+.0}..{high:+.0}) points {points:+.1} +- {points_error:.1} \
             pairs {}-{} sims/move {} {}",
            self.wins,
            self.draws,
            self.losses,
            100.0 * share,
            self.pairs_won,
            self.pairs_lost,
            rate(0),
            rate(1),
        )
    }
}
