//! When a search has to stop: at a point in time, after so many positions, or when told to.

use crate::clock::{Deadline, Meter};

/// How long to think. Without a limit a search goes on until it knows who wins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Seconds until the answer has to be there.
    pub seconds: Option<f64>,
    /// The same positions are looked at each time if this is the limit that counts.
    pub nodes: Option<u64>,
}

/// The most seconds that one position may be thought about.
pub const MOST_SECONDS: f64 = 86_400.0;
/// The part of the time that is left for handing over the answer.
const MARGIN: f64 = 0.02;
/// Positions between two looks at the clock, which take about a tenth of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 64;
/// Seconds between two looks that mean nothing.
const USUAL_GAP: f64 = 0.001;

impl Limits {
    /// Says what is wrong with limits that cannot be.
    pub fn check(self) -> Result<(), String> {
        if let Some(seconds) = self.seconds
            && !(seconds > 0.0 && seconds <= MOST_SECONDS)
        {
            return Err(format!(
                "the time must be more than 0 and at most {MOST_SECONDS} seconds, not {seconds}"
            ));
        }
        if self.nodes == Some(0) {
            return Err("a search has to look at one position at least".to_string());
        }
        Ok(())
    }
}

/// Watches over the limits of one search.
///
/// A look at the clock that comes late says that others ran meanwhile. They may do so again, so the
/// longest such gap is kept free at the end.
pub struct Pace {
    deadline: Deadline,
    stop: f64,
    nodes: u64,
    next_look: u64,
    looked: f64,
    longest_gap: f64,
}

impl Pace {
    /// Starts the clock.
    pub fn start(limits: Limits, meter: Meter) -> Pace {
        let seconds = limits.seconds.unwrap_or(f64::INFINITY);
        Pace {
            deadline: Deadline::after(seconds, meter),
            stop: seconds * (1.0 - MARGIN),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            next_look: 0,
            looked: 0.0,
            longest_gap: USUAL_GAP,
        }
    }

    /// Returns the seconds since the start, at the time of the latest look.
    pub fn elapsed(&self) -> f64 {
        self.looked
    }

    /// Returns whether it is time to look at the clock again.
    #[inline(always)]
    pub fn is_look_due(&self, nodes: u64) -> bool {
        nodes >= self.next_look
    }

    /// Looks at the clock. Returns whether the search has to stop.
    pub fn look(&mut self, nodes: u64) -> bool {
        let now = self.deadline.elapsed();
        self.longest_gap = self.longest_gap.max(now - self.looked);
        self.looked = now;
        self.next_look = self.nodes.min(nodes + NODES_BETWEEN_LOOKS);
        nodes >= self.nodes || now >= self.stop - (self.longest_gap - USUAL_GAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_time_that_can_be_is_accepted() {
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, 86_401.0] {
            let limits = Limits { seconds: Some(seconds), nodes: None };
            assert!(limits.check().is_err(), "{seconds}");
        }
        assert!(Limits { seconds: None, nodes: Some(0) }.check().is_err());
        assert!(Limits { seconds: Some(0.001), nodes: Some(1) }.check().is_ok());
        assert!(Limits { seconds: Some(MOST_SECONDS), nodes: None }.check().is_ok());
    }

    #[test]
    fn a_number_of_positions_is_kept_exactly() {
        let mut pace = Pace::start(Limits { seconds: None, nodes: Some(100) }, Meter::Wall);
        let stops = |nodes, pace: &mut Pace| pace.is_look_due(nodes) && pace.look(nodes);
        let stopped = (0..1000).find(|&nodes| stops(nodes, &mut pace));
        assert_eq!(stopped, Some(100));
    }

    #[test]
    fn a_time_that_is_over_stops() {
        let mut pace = Pace::start(Limits { seconds: Some(1e-9), nodes: None }, Meter::Wall);
        assert!(pace.look(0));
    }
}
