//! The time spent in each phase of making tables.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// A phase of making a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Solving missing subendings, and converting subendings to leaves.
    Smaller,
    /// Solving the ending, from mate to the longest distance.
    Solving,
    /// Converting bit planes to codes.
    Collecting,
    /// Trying orders of the cells.
    Choosing,
    /// Compressing, writing and syncing.
    Writing,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Phase; 5] = [
        Phase::Smaller,
        Phase::Solving,
        Phase::Collecting,
        Phase::Choosing,
        Phase::Writing,
    ];

    /// The phase's name in JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Smaller => "smaller_endings",
            Phase::Solving => "solving",
            Phase::Collecting => "collecting",
            Phase::Choosing => "choosing",
            Phase::Writing => "writing",
        }
    }
}

/// The time that a phase took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Elapsed wall-clock time.
    pub elapsed: Duration,
    /// CPU time of the whole process.
    pub cpu: Duration,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.elapsed += other.elapsed;
        self.cpu += other.cpu;
    }
}

/// The time spent in each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases([Spent; Phase::ALL.len()]);

impl Phases {
    /// The time spent in one phase.
    pub fn of(&self, phase: Phase) -> Spent {
        self.0[phase as usize]
    }

    /// Runs a closure, and adds its time to a phase.
    pub fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        let result = work();
        self.0[phase as usize] += Spent {
            elapsed: started.elapsed(),
            cpu: cpu_started.elapsed(),
        };
        result
    }

    /// The total of all phases.
    pub fn total(&self) -> Spent {
        let mut total = Spent::default();
        for phase in self.0 {
            total += phase;
        }
        total
    }
}

impl AddAssign<&Phases> for Phases {
    fn add_assign(&mut self, other: &Phases) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_added_to_its_phase_and_to_the_total() {
        let mut phases = Phases::default();
        let nap = Duration::from_millis(2);
        let value = phases.measure(Phase::Choosing, || {
            std::thread::sleep(nap);
            7
        });
        assert_eq!(value, 7);
        let mut twice = phases;
        twice += &phases;
        assert!(phases.of(Phase::Choosing).elapsed >= nap);
        assert_eq!(phases.of(Phase::Writing), Spent::default());
        assert_eq!(twice.total().elapsed, 2 * phases.total().elapsed);
        for (place, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!(phase as usize, place);
        }
    }
}
