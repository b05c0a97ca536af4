//! Bots that tell the test what they are asked, a client that plays them, and what a server says to it.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use kitumaija_bot::v1::server_message::Message;
use kitumaija_bot::v1::{self, Decision, LegalActions, MatchStart, MatchSync, Seating, View, Welcome};
use kitumaija_bot::{Action, Bot, Card, Client, End, Error, Offer, Settings, Turn};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::clock::{Sleeps, TestClock};
use crate::server::{Server, Stream, soon};

pub const MATCH: &str = "a";

/// What happens on a bot's thread.
#[derive(Debug)]
pub enum Seen {
    Start(Offer),
    Turn(Turn),
    End(End),
}

/// Chooses by this, after it has told the test.
type Choose = dyn Fn(&Turn) -> Action + Send + Sync;

pub struct Watched {
    seen: UnboundedSender<Seen>,
    choose: Arc<Choose>,
}

impl Bot for Watched {
    fn start(&mut self, offer: &Offer) {
        self.seen.send(Seen::Start(offer.clone())).unwrap();
    }

    fn choose(&mut self, turn: &Turn) -> Action {
        self.seen.send(Seen::Turn(turn.clone())).unwrap();
        (self.choose)(turn)
    }

    fn end(&mut self, end: &End) {
        self.seen.send(Seen::End(end.clone())).unwrap();
    }
}

/// A server, and a client that dials it.
pub struct Play {
    pub server: Server,
    pub clock: Arc<TestClock>,
    pub sleeps: Sleeps,
    pub seen: UnboundedReceiver<Seen>,
    ended: JoinHandle<Result<(), Error>>,
    stop: Option<oneshot::Sender<()>>,
}

impl Play {
    /// With bots that play the first legal action.
    pub async fn first_legal() -> Self {
        Self::choosing(|turn| turn.legal[0]).await
    }

    pub async fn choosing(choose: impl Fn(&Turn) -> Action + Send + Sync + 'static) -> Self {
        let (clock, sleeps) = TestClock::new();
        Self::by_clock(clock, sleeps, choose).await
    }

    pub async fn by_clock(
        clock: Arc<TestClock>,
        sleeps: Sleeps,
        choose: impl Fn(&Turn) -> Action + Send + Sync + 'static,
    ) -> Self {
        let (told, seen) = unbounded_channel();
        let choose: Arc<Choose> = Arc::new(choose);
        Self::of(clock, sleeps, seen, move || Watched { seen: told.clone(), choose: Arc::clone(&choose) }).await
    }

    pub async fn of<B: Bot + 'static>(
        clock: Arc<TestClock>,
        sleeps: Sleeps,
        seen: UnboundedReceiver<Seen>,
        make: impl Fn() -> B + Send + Sync + 'static,
    ) -> Self {
        let server = Server::new().await;
        let mut settings = Settings::new(&server.address(), "secret").unwrap();
        settings.capacity = 3;
        "7".clone_into(&mut settings.bot_version);
        let client = Client::with_clock(settings, clock.clone());
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            let stopped = async { stopped.await.unwrap_or_default() };
            client.play(make, stopped).await
        });
        Self { server, clock, sleeps, seen, ended, stop: Some(stop) }
    }

    /// The next stream, with its Hello heard and Welcome said; and the matches that Hello named.
    pub async fn greet(&self, playing: &[&str]) -> (Stream, Vec<String>) {
        let mut stream = self.server.accept().await;
        let v1::bot_message::Message::Hello(hello) = stream.hears().await else {
            panic!("the first message is not Hello");
        };
        stream.say([welcome(playing)]);
        (stream, hello.match_ids)
    }

    /// The same after the line was lost: the wait before dialing again is let pass.
    pub async fn greet_again(&mut self, playing: &[&str]) -> (Stream, Vec<String>) {
        self.pass_wait().await;
        self.greet(playing).await
    }

    /// A stream on which a match for two is seated, and the bot is asked for its first decision.
    pub async fn ask_first(&mut self) -> Stream {
        let (mut stream, _) = self.greet(&[]).await;
        stream.say([start(MATCH)]);
        assert_eq!(stream.hears().await, ready(MATCH));
        stream.say([seating(MATCH), decision(MATCH, 1, 0, 4)]);
        stream
    }

    /// Lets the next wait before dialing pass, and returns how long it was.
    pub async fn pass_wait(&mut self) -> Duration {
        loop {
            let wait = soon(self.sleeps.recv()).await;
            // Twelve seconds of silence are not waited for.
            if wait != Duration::from_secs(12) {
                self.clock.advance(wait);
                return wait;
            }
        }
    }

    /// The next turn that a bot gets.
    pub async fn turn(&mut self) -> Turn {
        loop {
            if let Seen::Turn(turn) = soon(self.seen.recv()).await {
                return turn;
            }
        }
    }

    /// The next end that a bot hears of.
    pub async fn end(&mut self) -> End {
        loop {
            if let Seen::End(end) = soon(self.seen.recv()).await {
                return end;
            }
        }
    }

    /// How the client ended.
    pub async fn ended(self) -> Result<(), Error> {
        soon(async { self.ended.await.ok() }).await
    }

    pub fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }
}

/// A gate at which bots wait, and the test's way to let one through.
pub fn gate() -> (mpsc::Sender<()>, impl Fn() + Send + Sync + 'static) {
    let (open, closed) = mpsc::channel();
    let closed = Mutex::new(closed);
    (open, move || closed.lock().unwrap().recv().unwrap())
}

pub fn welcome(playing: &[&str]) -> Message {
    let match_ids = playing.iter().map(|&id| id.to_owned()).collect();
    Message::Welcome(Welcome { bot_id: "aino".to_owned(), match_ids, ..Default::default() })
}

pub fn start(id: &str) -> Message {
    Message::MatchStart(MatchStart { match_id: id.to_owned(), seats: 2, limits: Some(v1::Limits::default()) })
}

pub fn seating(id: &str) -> Message {
    Message::Seating(seated(id))
}

pub fn seated(id: &str) -> Seating {
    let players = (0..2).map(|seat| v1::SeatedPlayer { seat, bot_id: format!("bot-{seat}"), ..Default::default() });
    Seating { match_id: id.to_owned(), players: players.collect(), ..Default::default() }
}

/// A decision of the phase CATCH with 11 s left, of which the network takes 20 ms: 8H, or the luck card.
pub fn asked(id: &str, decision_id: u32, first_event: u32, events: u32) -> Decision {
    Decision {
        match_id: id.to_owned(),
        decision_id,
        view: Some(View { seats: 2, phase: v1::Phase::Catch.into(), ..Default::default() }),
        legal: Some(legal()),
        first_event,
        events: told(first_event, events),
        time_left_us: 11_000_000,
        round_trip_us: 20_000,
        ..Default::default()
    }
}

pub fn decision(id: &str, decision_id: u32, first_event: u32, events: u32) -> Message {
    Message::Decision(asked(id, decision_id, first_event, events))
}

pub fn legal() -> LegalActions {
    LegalActions { play: vec![Card::HeartsEight.into()], turn: true, ..Default::default() }
}

pub fn sync(id: &str, events: u32) -> Message {
    Message::MatchSync(MatchSync {
        match_id: id.to_owned(),
        seating: Some(seated(id)),
        events: told(0, events),
        ..Default::default()
    })
}

pub fn match_end(id: &str, first_event: u32, events: u32) -> Message {
    Message::MatchEnd(v1::MatchEnd {
        match_id: id.to_owned(),
        ending: v1::MatchEnding::Played.into(),
        places: vec![1, 2],
        first_event,
        events: told(first_event, events),
        ..Default::default()
    })
}

/// Events that can be told apart: the one of number n says that seat n has passed.
fn told(first: u32, count: u32) -> Vec<v1::Event> {
    (first..first + count)
        .map(|seat| v1::Event { kind: v1::EventKind::Passed.into(), seat, ..Default::default() })
        .collect()
}

/// The numbers of events made so.
pub fn numbers(events: &[kitumaija_bot::Event]) -> Vec<u32> {
    let number = |event: &_| match event {
        kitumaija_bot::Event::Passed { seat } => *seat,
        other => panic!("{other:?}"),
    };
    events.iter().map(number).collect()
}

pub fn ready(id: &str) -> v1::bot_message::Message {
    v1::bot_message::Message::Ready(v1::Ready { match_id: id.to_owned() })
}

/// An answer with no time of thinking: the test's clock stands still.
pub fn answer(id: &str, decision_id: u32, action: Action) -> v1::bot_message::Message {
    v1::bot_message::Message::Answer(v1::Answer {
        match_id: id.to_owned(),
        decision_id,
        action: Some(action.into()),
        think_time_us: Some(0),
    })
}

pub const EIGHT: Action = Action::Play(Card::HeartsEight);
