//! Measures from which ply on endings are solved, and how long that takes.

use spielleiter_engine::blokus::board::Position;
use spielleiter_engine::blokus::endgame::Solver;
use spielleiter_engine::blokus::moves::{LegalMoves, settle};
use spielleiter_engine::blokus::rules::Start;
use spielleiter_engine::blokus::search::{Limit, Search};
use spielleiter_engine::clock::{Deadline, Meter, thread_cpu_seconds};
use spielleiter_engine::cpu::Cpu;
use spielleiter_engine::random::Random;

use crate::arguments::Arguments;
use crate::config;
use crate::openings::opening;

const FIRST_PLY: usize = 40;
const PLIES: usize = 84;

/// What happened at one ply of all games.
#[derive(Clone, Copy, Default)]
struct Tally {
    tried: u32,
    solved: u32,
    seconds: f64,
    nodes: u64,
    moves: usize,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let setup = config::parse(&arguments.take_or("config", String::new())?)?;
    let games: u64 = arguments.take_or("games", 20)?;
    let seconds = arguments.take_or("seconds", 0.5)?;
    let simulations = arguments.take_or("sims", 300)?;
    arguments.finish()?;
    let mut search = Search::new(setup.clone());
    let mut tallies = [Tally::default(); PLIES];
    for game in 0..games {
        let mut position = opening(Start::OwnCorner, &mut Random::new(game));
        let mut moves = LegalMoves::default();
        search.restart(game);
        while settle(setup.cpu, &mut position, &mut moves) {
            let placement = search.think(&position, Limit::simulations(simulations));
            if position.ply as usize >= FIRST_PLY {
                let tally = &mut tallies[position.ply as usize];
                tally.moves += moves.count();
                tally.solve(&position, search.expected_difference(), seconds);
            }
            position.place(placement);
        }
    }
    println!("ply tried solved  moves   ms each  nodes each");
    for (ply, tally) in tallies.iter().enumerate().filter(|(_, tally)| tally.tried > 0) {
        println!("{ply:3} {}", tally.line());
    }
    Ok(())
}

impl Tally {
    fn solve(&mut self, position: &Position, guess: i32, seconds: f64) {
        let mut solver = Solver::new(Cpu::detect());
        let started = thread_cpu_seconds();
        let deadline = Deadline::after(seconds, Meter::Cpu);
        let solution = solver.solve(position, guess, u64::MAX, Some(deadline));
        self.tried += 1;
        self.solved += u32::from(solution.is_some());
        self.seconds += thread_cpu_seconds() - started;
        self.nodes += solver.nodes();
    }

    fn line(&self) -> String {
        let count = f64::from(self.tried);
        format!(
            "{:5} {:5.0}% {:6.1} {:9.2} {:11.0}",
            self.tried,
            100.0 * f64::from(self.solved) / count,
            self.moves as f64 / count,
            1000.0 * self.seconds / count,
            self.nodes as f64 / count,
        )
    }
}
