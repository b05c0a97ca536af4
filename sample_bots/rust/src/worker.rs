//! A match's own thread, on which its bot is made and plays.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use crate::action::Action;
use crate::bot::{Bot, End, Offer};
use crate::clock::Clock;
use crate::log::tell;
use crate::turn::Turn;

/// Makes the bot of one match, on that match's thread.
pub(crate) type Maker = Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>;

/// What the bot of a match has to do next.
pub(crate) enum Job {
    Choose(Box<Turn>),
    End(Box<End>),
}

/// What became of it. `serial` tells of which match, for ids may come again.
pub(crate) struct Report {
    pub(crate) serial: u64,
    pub(crate) match_id: String,
    pub(crate) what: What,
}

pub(crate) enum What {
    Loaded,
    Chose { decision_id: u32, action: Action, thought: Duration },
}

/// Starts the thread of a match. It ends after its last job, when the sender of jobs is dropped. A bot that fails at something reports
/// nothing about it.
pub(crate) fn start(
    make: Maker,
    clock: Arc<dyn Clock>,
    serial: u64,
    offer: Offer,
    reports: UnboundedSender<Report>,
) -> mpsc::Sender<Job> {
    let (jobs, to_do) = mpsc::channel();
    let named = thread::Builder::new().name("match".to_owned());
    let started = named.spawn(move || {
        // Nobody listens any more where the client has ended.
        let report = |what| {
            let match_id = offer.match_id.clone();
            let _ = reports.send(Report { serial, match_id, what });
        };
        let loaded = guarded(&offer.match_id, "as it started", || {
            let mut bot = make();
            bot.start(&offer);
            bot
        });
        let Some(mut bot) = loaded else { return };
        report(What::Loaded);
        for job in to_do {
            match job {
                Job::Choose(turn) => {
                    let at = format!("at decision {}", turn.decision_id);
                    let began = clock.now();
                    let chosen = guarded(&offer.match_id, &at, || bot.choose(&turn));
                    let thought = clock.now().saturating_duration_since(began);
                    if let Some(action) = chosen {
                        report(What::Chose { decision_id: turn.decision_id, action, thought });
                    }
                }
                Job::End(end) => {
                    guarded(&offer.match_id, "as it ended", || bot.end(&end));
                }
            }
        }
    });
    if let Err(error) = started {
        tell(format_args!("a match goes without its bot, for there is no thread for it: {error}"));
    }
    jobs
}

/// What `play` returns; nothing if it panics, which is told.
fn guarded<T>(match_id: &str, at: &str, play: impl FnOnce() -> T) -> Option<T> {
    let played = catch_unwind(AssertUnwindSafe(play));
    played.map_err(|panic| tell(format_args!("the bot failed in match {match_id} {at}: {}", said(&*panic)))).ok()
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without words")
}
