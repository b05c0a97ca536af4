//! The local clock, as an argument, so that tests own it.

use std::pin::Pin;
use std::time::{Duration, Instant};

/// A clock that only goes forward, and wakes who sleeps by it.
pub trait Clock: Send + Sync + 'static {
    /// What it shows now.
    fn now(&self) -> Instant;

    /// Ends when this long has passed.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// This machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }
}
