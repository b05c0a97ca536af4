//! How long to wait before dialing again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Waits that double up to five seconds, and are drawn at random so that not all bots of a restarted server come at once.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The next wait: between a half and the whole of it, by `chance` from 0 to 1.
    pub(crate) fn next(&mut self, chance: f64) -> Duration {
        let whole = FIRST.saturating_mul(1 << self.failures.min(10)).min(LONGEST);
        self.failures += 1;
        whole.mul_f64(0.5 + chance / 2.0)
    }

    /// The server answered: begin with short waits again.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_seconds_and_begin_anew_after_a_success() {
        let mut backoff = Backoff::default();

        let waits: Vec<_> = (0..8).map(|_| backoff.next(1.0).as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);

        backoff.reset();
        assert_eq!(backoff.next(1.0).as_millis(), 100);
    }

    #[test]
    fn chance_moves_a_wait_between_its_half_and_its_whole() {
        assert_eq!(Backoff::default().next(0.0).as_millis(), 50);
        assert_eq!(Backoff::default().next(0.5).as_millis(), 75);
    }
}
