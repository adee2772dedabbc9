//! A protocol of lines on standard input and output, for matches against other programs.
//!
//! `new [border]`, `play x,y x,y ...`, `skip`, `count`, `go MILLISECONDS`, `quit`. Time is CPU time.

use std::io::{BufRead, Write};

use spielleiter_engine::blokus::board::{COLORS, Position};
use spielleiter_engine::blokus::moves::{LegalMoves, can_place, is_legal};
use spielleiter_engine::blokus::pieces::{FULL_HAND, PASS, tables};
use spielleiter_engine::blokus::rules::{Rules, Start};
use spielleiter_engine::blokus::search::{Limit, Search};
use spielleiter_engine::clock::{Deadline, Meter, thread_cpu_seconds};
use spielleiter_engine::cpu::Cpu;

use crate::arguments::Arguments;
use crate::config;

struct Session {
    search: Search,
    position: Position,
    games: u64,
    verbose: bool,
}

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let setup = config::parse(&arguments.take_or("config", String::new())?)?;
    let verbose = arguments.take_or("verbose", 0)? == 1;
    arguments.finish()?;
    let position = Position::new(Rules::table());
    let mut session = Session { search: Search::new(setup), position, games: 0, verbose };
    let input = std::io::stdin().lock();
    for line in input.lines() {
        let line = line.map_err(|error| format!("the input cannot be read: {error}"))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"quit") {
            break;
        }
        if let Some(answer) = session.answer(&words) {
            println!("{answer}");
            std::io::stdout().flush().map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

impl Session {
    fn answer(&mut self, words: &[&str]) -> Option<String> {
        let (command, rest) = words.split_first()?;
        Some(match *command {
            "new" => self.begin(rest.contains(&"border")),
            "skip" => self.skip(),
            "count" => self.count(),
            "play" => self.play(rest).unwrap_or_else(|| "illegal".to_string()),
            "go" => match rest.first().and_then(|time| time.parse::<f64>().ok()) {
                Some(milliseconds) => self.go(milliseconds / 1000.0),
                None => "?".to_string(),
            },
            _ => "?".to_string(),
        })
    }

    fn begin(&mut self, border: bool) -> String {
        let start = if border { Start::Border } else { Start::OwnCorner };
        self.position = Position::new(Rules { start, start_pieces: FULL_HAND, ..Rules::table() });
        self.games += 1;
        self.search.restart(self.games);
        "ok".to_string()
    }

    /// Takes the colour on turn out of play. One that can place is meant by nobody: the other
    /// program names a colour again that is out of play here already.
    fn skip(&mut self) -> String {
        if !can_place(&self.position, self.position.color()) {
            self.position.drop_color();
        }
        "ok".to_string()
    }

    fn count(&self) -> String {
        let mut moves = LegalMoves::default();
        let mut answer = "count".to_string();
        for color in 0..COLORS {
            moves.find(Cpu::detect(), &self.position, color);
            answer += &format!(" {}", moves.count());
        }
        answer
    }

    fn play(&mut self, words: &[&str]) -> Option<String> {
        let square = |word: &&str| {
            let (x, y) = word.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        let squares = words.iter().map(square).collect::<Option<Vec<_>>>()?;
        let placement = tables().find(&squares)?;
        let color = self.position.color();
        if !is_legal(tables(), &self.position, color, placement) {
            return None;
        }
        self.position.place(placement);
        Some("ok".to_string())
    }

    fn go(&mut self, seconds: f64) -> String {
        let before = thread_cpu_seconds();
        let deadline = Deadline::after(seconds, Meter::Cpu);
        let placement = self.search.think(&self.position, Limit::deadline(deadline));
        if self.verbose {
            let count = self.search.simulations();
            let rate = count as f64 / (thread_cpu_seconds() - before);
            let (win, points) = self.search.root_means();
            let ply = self.position.ply;
            eprintln!("ply {ply} sims {count} /s {rate:.0} win {win:.3} points {points:+.1}");
        }
        if placement == PASS {
            return "move skip".to_string();
        }
        let squares = tables().squares(placement);
        let words: Vec<String> = squares.iter().map(|(x, y)| format!("{x},{y}")).collect();
        format!("move {}", words.join(" "))
    }
}
