//! Plays games of a search against itself and records them.

use std::fs::OpenOptions;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use spielleiter_engine::blokus::board::Position;
use spielleiter_engine::blokus::moves::{LegalMoves, settle};
use spielleiter_engine::blokus::pieces::{FULL_HAND, PlacementId};
use spielleiter_engine::blokus::playout::{Playout, Policy};
use spielleiter_engine::blokus::records::{self, Game, MOST_VISITED, Ply, Searched};
use spielleiter_engine::blokus::rules::Start;
use spielleiter_engine::blokus::search::{Limit, Search, Setup};
use spielleiter_engine::cpu::Cpu;
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::config;
use crate::openings::{draw_rules, first_placement};

/// Moves at random keep games apart and show the net positions that a search would avoid.
const MOST_RANDOM_PLIES: u32 = 12;
const STRAY_MOVES: [f32; 4] = [0.0, 0.0, 0.04, 0.1];

const LATE_PLY: u8 = 40;

/// Which games to play, and how.
pub struct Plan {
    pub setup: Setup,
    pub seed: u64,
    pub simulations: u64,
    /// Simulations from `LATE_PLY` on, where there is less to learn.
    pub late_simulations: u64,
    /// Parts of the games that start at the border and in any corner; the others in own corners.
    pub border: f32,
    pub corner: f32,
    /// The numbers of the games. Each game depends on the seed and its number alone.
    pub numbers: std::ops::Range<u64>,
    pub seconds: f64,
    pub threads: usize,
}

pub const BORDER: f32 = 0.35;
pub const CORNER: f32 = 0.15;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let out = arguments.require("out")?;
    let simulations = arguments.take_or("sims", 300)?;
    let plan = Plan {
        setup: config::parse(&arguments.take_or("config", String::new())?)?,
        seed: arguments.take_or("seed", 1)?,
        simulations,
        late_simulations: arguments.take_or("late_sims", simulations)?,
        border: arguments.take_or("border", BORDER)?,
        corner: arguments.take_or("corner", CORNER)?,
        numbers: 0..arguments.take_or("games", u64::MAX)?,
        seconds: arguments.take_or("seconds", f64::INFINITY)?,
        threads: arguments.take_or("threads", 1)?,
    };
    arguments.finish()?;
    play_games(&plan, &out)
}

/// Plays games and appends them to a file.
pub fn play_games(plan: &Plan, out: &str) -> Result<(), String> {
    let file = OpenOptions::new().create(true).append(true).open(out);
    let file = Mutex::new(file.map_err(|error| format!("{out} cannot be written: {error}"))?);
    let next = AtomicU64::new(plan.numbers.start);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            scope.spawn(|| {
                let mut search = Search::new(plan.setup.clone());
                while started.elapsed().as_secs_f64() < plan.seconds {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.numbers.end {
                        break;
                    }
                    let game = play(plan, &mut search, number);
                    let mut file = file.lock().expect("no thread panics while it writes");
                    records::append(&mut *file, &game).expect("the file can be written");
                }
            });
        }
    });
    let played = next.load(Ordering::Relaxed).min(plan.numbers.end) - plan.numbers.start;
    let elapsed = started.elapsed().as_secs_f64();
    println!("{played} games in {elapsed:.0} s, {:.2} a second", played as f64 / elapsed);
    Ok(())
}

/// Plays one game.
fn play(plan: &Plan, search: &mut Search, number: u64) -> Game {
    let mut random = Random::new(plan.seed.wrapping_mul(0x0001_0000_0000_01B3) ^ number);
    search.restart(random.bits());
    let start = draw_start(plan, &mut random);
    let mut position = Position::new(draw_rules(start, &mut random));
    let stray = STRAY_MOVES[random.below(STRAY_MOVES.len() as u32) as usize];
    let search_first = random.below(2) == 0;
    let random_plies = random.below(2) * random.below(MOST_RANDOM_PLIES);
    let mut game = Game { rules: position.rules, plies: Vec::new(), points: [0; 2] };
    let mut moves = LegalMoves::default();
    let mut playout = Playout::default();
    while settle(Cpu::detect(), &mut position, &mut moves) {
        let first = position.hands[position.color()] == FULL_HAND;
        let strays = u32::from(position.ply) < 4 + random_plies || random.unit() < stray;
        let mut searched = None;
        let placement = if first && !search_first {
            let draws = 1 + 3 * random.below(2);
            first_placement(&position, &mut moves, draws, &mut random)
        } else if !first && strays {
            playout.restart();
            let policy = Policy { hit_limit: usize::MAX, double_weight: 8.0 };
            playout.choose(Cpu::detect(), &position, policy, &mut random)
        } else {
            let late = position.ply >= LATE_PLY;
            let count = if late { plan.late_simulations } else { plan.simulations };
            let (placement, what) = consult(search, &position, count);
            searched = Some(what);
            placement
        };
        game.plies.push(Ply { color: position.color() as u8, placement, searched });
        position.place(placement);
    }
    let points = position.points;
    game.points = [(points[0] + points[2]) as i16, (points[1] + points[3]) as i16];
    game
}

fn draw_start(plan: &Plan, random: &mut Random) -> Start {
    let draw = random.unit();
    if draw < plan.border {
        Start::Border
    } else if draw < plan.border + plan.corner {
        Start::AnyCorner
    } else {
        Start::OwnCorner
    }
}

fn consult(search: &mut Search, position: &Position, count: u64) -> (PlacementId, Searched) {
    let placement = search.think(position, Limit::simulations(count));
    let opinions = search.opinions();
    let visits = opinions
        .iter()
        .take(MOST_VISITED)
        .filter(|opinion| opinion.visits > 0)
        .map(|opinion| (opinion.placement, opinion.visits.min(u32::from(u16::MAX)) as u16))
        .collect();
    let (win, points) = search.root_means();
    (placement, Searched { win, points, visits })
}
