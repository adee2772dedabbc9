//! Time for searches: the wall clock for play, CPU time for fair matches on a busy machine.

use std::time::{Duration, Instant};

/// Which time a search has to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meter {
    /// The time on the wall. This is what a referee measures.
    Wall,
    /// The CPU time of this thread, so that other programs on the machine do not count.
    Cpu,
}

/// A point in time at which a search must have ended.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    meter: Meter,
    started: Instant,
    started_cpu: f64,
    seconds: f64,
}

impl Deadline {
    /// Returns a deadline `seconds` from now.
    pub fn after(seconds: f64, meter: Meter) -> Self {
        Deadline { meter, started: Instant::now(), started_cpu: thread_cpu_seconds(), seconds }
    }

    /// Returns the seconds since the deadline was set.
    pub fn elapsed(&self) -> f64 {
        match self.meter {
            Meter::Wall => self.started.elapsed().as_secs_f64(),
            Meter::Cpu => thread_cpu_seconds() - self.started_cpu,
        }
    }

    /// Returns a deadline after a part (0 to 1) of the time of this one.
    pub fn part(&self, part: f64) -> Self {
        Deadline { seconds: self.seconds * part, ..*self }
    }

    pub fn has_passed(&self) -> bool {
        self.elapsed() >= self.seconds
    }
}

/// Returns the CPU seconds that this thread has used so far.
#[cfg(unix)]
pub fn thread_cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the structure it is given and nowhere else.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32).as_secs_f64()
}

/// Returns seconds of the wall clock, where CPU time of a thread cannot be had.
#[cfg(not(unix))]
pub fn thread_cpu_seconds() -> f64 {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let elapsed: Duration = START.elapsed();
    elapsed.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_of_zero_seconds_has_passed() {
        assert!(Deadline::after(0.0, Meter::Wall).has_passed());
        assert!(Deadline::after(0.0, Meter::Cpu).has_passed());
    }

    #[test]
    fn a_deadline_of_an_hour_has_not_passed() {
        assert!(!Deadline::after(3600.0, Meter::Wall).has_passed());
        assert!(!Deadline::after(3600.0, Meter::Cpu).has_passed());
    }

    #[test]
    fn a_part_of_a_deadline_is_earlier() {
        let deadline = Deadline::after(3600.0, Meter::Wall);
        assert!(deadline.part(0.0).has_passed());
        assert!(!deadline.part(0.5).has_passed());
    }

    #[test]
    fn work_takes_cpu_time() {
        let before = thread_cpu_seconds();
        let mut sum = 0u64;
        while thread_cpu_seconds() == before {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(thread_cpu_seconds() > before);
    }
}
