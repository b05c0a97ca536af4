//! What the bot knows of each match that it plays, and what each message makes of it. It does no I/O: what is to be said is collected.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;

use crate::action::{Action, legal_actions};
use crate::bot::{End, Offer};
use crate::clock::Clock;
use crate::event::{Event, read_from};
use crate::log::tell;
use crate::say::{self, MOST_MATCHES};
use crate::turn::{Refused, Table, Turn};
use crate::v1::{self, BotMessage, RefusalReason};
use crate::worker::{self, Job, Maker, Report, What};

/// The matches that are not over, as far as the bot knows. They outlive a stream.
pub(crate) struct Matches {
    held: HashMap<String, Held>,
    named: HashSet<String>,
    made: u64,
    make: Maker,
    clock: Arc<dyn Clock>,
    reports: UnboundedSender<Report>,
    to_say: Vec<BotMessage>,
}

/// One match.
struct Held {
    serial: u64,
    jobs: mpsc::Sender<Job>,
    table: Arc<Table>,
    /// It was offered on this stream: Ready may be said.
    offered: bool,
    loaded: bool,
    /// How many events are known, and the number of the first that the bot was not told yet. Those between are waiting.
    known: usize,
    untold: usize,
    waiting: Vec<Event>,
    /// Resync was said about the decision that is open now.
    resynced: bool,
    asked: Option<Asked>,
}

/// The decision asked last. Dropped, it tells the bot that there is no use in thinking on.
struct Asked {
    turn: Turn,
    /// It was asked on this stream: the answer may be said.
    open_here: bool,
    answer: Option<v1::Answer>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.turn.stop();
    }
}

impl Matches {
    pub(crate) fn new(make: Maker, clock: Arc<dyn Clock>, reports: UnboundedSender<Report>) -> Self {
        Self { held: HashMap::new(), named: HashSet::new(), made: 0, make, clock, reports, to_say: Vec::new() }
    }

    /// Adds a message that is about no match.
    pub(crate) fn say(&mut self, message: BotMessage) {
        self.to_say.push(message);
    }

    /// What is to be said because of all that came, in order.
    pub(crate) fn take_said(&mut self) -> Vec<BotMessage> {
        mem::take(&mut self.to_say)
    }

    /// A new stream begins, and nothing was said on it. Returns the matches to name in Hello, the oldest first.
    pub(crate) fn new_stream(&mut self) -> Vec<String> {
        self.to_say.clear();
        for held in self.held.values_mut() {
            held.offered = false;
            if let Some(asked) = &mut held.asked {
                asked.open_here = false;
            }
        }
        let mut oldest: Vec<_> = self.held.iter().map(|(id, held)| (held.serial, id.clone())).collect();
        oldest.sort_unstable();
        oldest.truncate(MOST_MATCHES);
        let ids: Vec<String> = oldest.into_iter().map(|(_, id)| id).collect();
        self.named = ids.iter().cloned().collect();
        ids
    }

    /// What is not in Welcome is over. Of what was named the end is still told; the rest is forgotten.
    pub(crate) fn on_welcome(&mut self, welcome: &v1::Welcome) {
        let playing: HashSet<&String> = welcome.match_ids.iter().collect();
        let named = &self.named;
        self.held.retain(|id, _| playing.contains(id) || named.contains(id));
        for (id, held) in &mut self.held {
            if !playing.contains(id) {
                held.asked = None;
            }
        }
    }

    pub(crate) fn on_start(&mut self, start: &v1::MatchStart) {
        let held =
            self.hold(Offer { match_id: start.match_id.clone(), seats: start.seats as usize, limits: start.limits });
        held.offered = true;
        if held.loaded {
            self.to_say.push(say::ready(&start.match_id));
        }
    }

    pub(crate) fn on_seating(&mut self, seating: v1::Seating) {
        self.seat(seating, None);
    }

    /// All that the seat knows: the bot is told, with its next turn, what of it is new to it.
    pub(crate) fn on_sync(&mut self, sync: v1::MatchSync) {
        let mut seating = sync.seating.unwrap_or_default();
        seating.match_id = sync.match_id;
        self.seat(seating, sync.limits).learn(0, &sync.events);
    }

    pub(crate) fn on_decision(&mut self, decision: &v1::Decision, came: Instant) {
        let clock = Arc::clone(&self.clock);
        let held = self.hold(Offer {
            match_id: decision.match_id.clone(),
            seats: decision.view.as_ref().map_or(0, |view| view.seats as usize),
            limits: None,
        });
        match &mut held.asked {
            Some(asked) if asked.turn.decision_id == decision.decision_id => {
                // Asked again. What was answered is answered again; what is thought about, let it be thought about in what is left.
                asked.open_here = true;
                asked.turn.asked_again(decision, came);
                let answer = asked.answer.clone();
                self.to_say.extend(answer.map(BotMessage::from));
                return;
            }
            Some(asked) if asked.turn.decision_id > decision.decision_id => return,
            _ => {}
        }
        let first = decision.first_event as usize;
        if first != held.known && !held.resynced {
            held.resynced = true;
            self.to_say.push(say::resync(&decision.match_id));
            return;
        }
        held.learn(first, &decision.events);
        held.resynced = false;
        let mut turn = Turn::new(decision, Arc::clone(&held.table), clock, came);
        if !turn.legal.is_empty() {
            turn.first_event = u32::try_from(held.untold).unwrap_or(u32::MAX);
            turn.events = mem::take(&mut held.waiting);
            held.untold = held.known;
        }
        held.ask(turn);
    }

    pub(crate) fn on_refusal(&mut self, refusal: &v1::Refusal) {
        let action = refusal.action.as_ref().and_then(|action| Action::try_from(action).ok());
        tell(format_args!(
            "match {}, decision {}: {} was refused, {:?}. {}",
            refusal.match_id,
            refusal.decision_id,
            action.map_or("the answer".to_owned(), |action| action.to_string()),
            refusal.reason(),
            refusal.detail
        ));
        if refusal.reason() == RefusalReason::UnknownMatch {
            self.held.remove(&refusal.match_id);
            return;
        }
        let (Some(legal), Some(held)) = (&refusal.legal, self.held.get_mut(&refusal.match_id)) else {
            return;
        };
        // A bot that is thinking about it again has been told already: the answer refused was one sent twice.
        let Some(asked) =
            held.asked.take_if(|asked| asked.turn.decision_id == refusal.decision_id && asked.answer.is_some())
        else {
            return;
        };
        let refused = Refused {
            action,
            reason: refusal.reason(),
            detail: refusal.detail.clone(),
            retries_left: refusal.retries_left,
        };
        let first_event = u32::try_from(held.untold).unwrap_or(u32::MAX);
        held.ask(asked.turn.refused(refused, legal_actions(legal), first_event));
    }

    pub(crate) fn on_end(&mut self, end: v1::MatchEnd) {
        let Some(mut held) = self.held.remove(&end.match_id) else {
            return;
        };
        held.asked = None;
        held.learn(end.first_event as usize, &end.events);
        let _ = held.jobs.send(Job::End(Box::new(End {
            ending: end.ending(),
            places: end.places.clone(),
            first_event: u32::try_from(held.untold).unwrap_or(u32::MAX),
            events: held.waiting,
            message: end,
        })));
    }

    /// A bot has done something. What it did for a match or a decision that is over is of no use.
    pub(crate) fn on_report(&mut self, report: &Report) {
        let Some(held) = self.held.get_mut(&report.match_id) else {
            return;
        };
        if held.serial != report.serial {
            return;
        }
        match &report.what {
            What::Loaded => {
                held.loaded = true;
                if held.offered {
                    self.to_say.push(say::ready(&report.match_id));
                }
            }
            What::Chose { decision_id, action, thought } => {
                let about_it = |asked: &&mut Asked| asked.turn.decision_id == *decision_id;
                let Some(asked) = held.asked.as_mut().filter(about_it) else {
                    return;
                };
                let answer = say::answer(&report.match_id, *decision_id, *action, *thought);
                asked.answer = Some(answer.clone());
                if asked.open_here {
                    self.to_say.push(answer.into());
                }
            }
        }
    }

    /// The match, with a bot made for it if it is new.
    fn hold(&mut self, offer: Offer) -> &mut Held {
        self.held.entry(offer.match_id.clone()).or_insert_with(|| {
            self.made += 1;
            let table = Table { match_id: offer.match_id.clone(), limits: offer.limits, ..Table::default() };
            let (make, clock) = (Arc::clone(&self.make), Arc::clone(&self.clock));
            Held {
                serial: self.made,
                jobs: worker::start(make, clock, self.made, offer, self.reports.clone()),
                table: Arc::new(table),
                offered: false,
                loaded: false,
                known: 0,
                untold: 0,
                waiting: Vec::new(),
                resynced: false,
                asked: None,
            }
        })
    }

    fn seat(&mut self, seating: v1::Seating, limits: Option<v1::Limits>) -> &mut Held {
        let held = self.hold(Offer { match_id: seating.match_id.clone(), seats: seating.players.len(), limits });
        held.table = Arc::new(Table {
            match_id: seating.match_id,
            players: seating.players,
            options: seating.options.unwrap_or_default(),
            limits: limits.or(held.table.limits),
        });
        held
    }
}

impl Held {
    /// Takes in events, of which the first has the number `first`; those that are known already are passed over.
    fn learn(&mut self, first: usize, events: &[v1::Event]) {
        if first > self.known {
            // What lies between will not come any more.
            self.waiting.clear();
            self.untold = first;
            self.known = first;
        }
        self.waiting.extend(read_from(events, self.known - first));
        self.known = self.known.max(first + events.len());
    }

    /// Gives a turn to the bot. Where nothing is legal that is known here, the server decides.
    fn ask(&mut self, turn: Turn) {
        let job = (!turn.legal.is_empty()).then(|| Job::Choose(Box::new(turn.clone())));
        self.asked = Some(Asked { turn, open_here: true, answer: None });
        if let Some(job) = job {
            // A bot that failed as it started hears nothing any more.
            let _ = self.jobs.send(job);
        }
    }
}
