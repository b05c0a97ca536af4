//! A clock that goes only when the test says so.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kitumaija_bot::Clock;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

pub struct TestClock {
    began: Instant,
    passed: watch::Sender<Duration>,
    sleeps: UnboundedSender<Duration>,
}

/// Tells how long the client sleeps, each time it begins to.
pub type Sleeps = UnboundedReceiver<Duration>;

impl TestClock {
    pub fn new() -> (Arc<Self>, Sleeps) {
        let (sleeps, begun) = unbounded_channel();
        let passed = watch::Sender::new(Duration::ZERO);
        (Arc::new(Self { began: Instant::now(), passed, sleeps }), begun)
    }

    pub fn advance(&self, time: Duration) {
        self.passed.send_modify(|passed| *passed += time);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        self.began + *self.passed.borrow()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut passed = self.passed.subscribe();
        let until = *passed.borrow() + time;
        let _ = self.sleeps.send(time);
        Box::pin(async move {
            let _ = passed.wait_for(|passed| *passed >= until).await;
        })
    }
}
