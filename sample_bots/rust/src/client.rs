//! The connection to the server: one stream for all matches, dialed again whenever it breaks.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ring::rand::{SecureRandom, SystemRandom};
use tokio::select;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_stream::Stream;
use tonic::transport::Endpoint;
use tonic::{Request, Streaming};

use crate::backoff::Backoff;
use crate::bot::Bot;
use crate::clock::{Clock, SystemClock};
use crate::entropy::Entropies;
use crate::errors::{Error, StreamError};
use crate::log::tell;
use crate::matches::Matches;
use crate::say;
use crate::settings::Settings;
use crate::v1::arena_service_client::ArenaServiceClient;
use crate::v1::server_message::Message;
use crate::v1::{BotMessage, PlayRequest, PlayResponse};
use crate::worker::Report;

/// A stream on which nothing was heard for this long is dead.
const SILENCE: Duration = Duration::from_secs(12);
/// How long the server may take to end the stream after Goodbye.
const LEAVING: Duration = Duration::from_secs(2);
/// After so long without the server there is none.
const UNREACHED: Duration = Duration::from_secs(600);
/// So many messages at most in one frame: beside the largest Hello, they stay below the 64 KiB that the server takes.
const FRAME: usize = 200;
/// The guide sets no bound for a frame of the server, which may hold all events of many matches.
const LARGEST_RECEIVED: usize = 256 << 20;

/// Ends when the bot is to leave. Not asked again once it has ended.
type Stop<'a> = Pin<&'a mut (dyn Future<Output = ()> + Send)>;

/// Plays on one server, with one token.
pub struct Client {
    settings: Settings,
    clock: Arc<dyn Clock>,
}

impl Client {
    /// A client by this machine's clock.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self::with_clock(settings, Arc::new(SystemClock))
    }

    /// A client by another clock.
    #[must_use]
    pub fn with_clock(settings: Settings, clock: Arc<dyn Clock>) -> Self {
        Self { settings, clock }
    }

    /// Plays every match that is offered, each by a bot that `make` makes on the match's own thread, until `stop` ends; then it leaves
    /// politely. Runs in a tokio runtime with I/O and time.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] before it dials, [`Error::Refused`] after an error that is final, [`Error::Unreached`] after ten minutes of
    /// dialing.
    pub async fn play<B: Bot + 'static>(
        &self,
        make: impl Fn() -> B + Send + Sync + 'static,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), Error> {
        let mut stop = pin!(stop);
        let (to_report, reports) = unbounded_channel();
        let make = Arc::new(move || -> Box<dyn Bot> { Box::new(make()) });
        let mut player = Player {
            endpoint: self.settings.endpoint()?,
            settings: &self.settings,
            clock: Arc::clone(&self.clock),
            matches: Matches::new(make, Arc::clone(&self.clock), to_report),
            reports,
            entropies: Entropies::of_the_system(),
            welcome: false,
        };
        let mut backoff = Backoff::default();
        let mut reached = self.clock.now();
        loop {
            let Err(error) = player.play_one_stream(stop.as_mut()).await else {
                return Ok(());
            };
            if !error.again() {
                return Err(Error::Refused(error));
            }
            if player.welcome || error.reason.is_some() {
                reached = self.clock.now();
            } else if self.clock.now() - reached >= UNREACHED {
                return Err(Error::Unreached(error.to_string()));
            }
            if player.welcome {
                backoff.reset();
            }
            let wait = error.wait() + backoff.next(chance());
            tell(format_args!("no stream: {error}; dialing again in {:.1} s", wait.as_secs_f64()));
            select! {
                () = &mut stop => return Ok(()),
                () = self.clock.sleep(wait) => {}
            }
        }
    }
}

/// What outlives a stream.
struct Player<'a> {
    endpoint: Endpoint,
    settings: &'a Settings,
    clock: Arc<dyn Clock>,
    matches: Matches,
    reports: UnboundedReceiver<Report>,
    entropies: Entropies,
    /// The server has greeted the bot on the newest stream.
    welcome: bool,
}

impl Player<'_> {
    /// Dials, and plays until the stream ends. Returns without an error when the bot has left.
    async fn play_one_stream(&mut self, mut stop: Stop<'_>) -> Result<(), StreamError> {
        self.welcome = false;
        let (say, frames) = unbounded_channel();
        let named = self.matches.new_stream();
        let hello = say::hello(&self.settings.bot_version, self.settings.capacity, named);
        let _ = say.send(hello);

        let mut stream = select! {
            () = &mut stop => return Ok(()),
            opened = self.open(frames) => opened?,
            () = self.clock.sleep(SILENCE) => return Err(silent()),
        };
        let mut silence = self.clock.sleep(SILENCE);
        loop {
            select! {
                () = &mut stop => {
                    self.leave(say, stream).await;
                    return Ok(());
                }
                frame = stream.message() => {
                    let frame = frame.map_err(|status| StreamError::from(&status))?;
                    self.on_frame(frame.ok_or_else(StreamError::ended)?);
                    silence = self.clock.sleep(SILENCE);
                }
                Some(report) = self.reports.recv() => self.matches.on_report(&report),
                () = &mut silence => return Err(silent()),
            }
            for message in self.matches.take_said() {
                let _ = say.send(message);
            }
        }
    }

    async fn open(&self, frames: UnboundedReceiver<BotMessage>) -> Result<Streaming<PlayResponse>, StreamError> {
        let channel = self.endpoint.connect().await.map_err(|error| {
            let below = std::error::Error::source(&error).map(ToString::to_string);
            StreamError::lost(below.unwrap_or_else(|| error.to_string()))
        })?;
        let mut request = Request::new(Frames(frames));
        request.metadata_mut().insert("authorization", self.settings.authorization());
        let mut service = ArenaServiceClient::new(channel).max_decoding_message_size(LARGEST_RECEIVED);
        match service.play(request).await {
            Ok(response) => Ok(response.into_inner()),
            Err(status) => Err(StreamError::from(&status)),
        }
    }

    /// Says Goodbye, nothing after it, and waits for the server to end the stream.
    async fn leave(&self, say: UnboundedSender<BotMessage>, mut stream: Streaming<PlayResponse>) {
        let _ = say.send(say::goodbye());
        drop(say);
        let ended = async { while let Ok(Some(_)) = stream.message().await {} };
        select! {
            () = ended => {}
            () = self.clock.sleep(LEAVING) => {}
        }
    }

    fn on_frame(&mut self, frame: PlayResponse) {
        let came = self.clock.now();
        // A message of no kind that is known here is passed over.
        for message in frame.messages.into_iter().filter_map(|message| message.message) {
            match message {
                Message::Welcome(welcome) => {
                    self.welcome = true;
                    tell(format_args!("{} is on {}", welcome.bot_id, welcome.server));
                    self.matches.on_welcome(&welcome);
                }
                Message::MatchStart(start) => self.matches.on_start(&start),
                Message::Seating(seating) => self.matches.on_seating(seating),
                Message::Decision(decision) => self.matches.on_decision(&decision, came),
                Message::Accepted(_) => {}
                Message::Refusal(refusal) => self.matches.on_refusal(&refusal),
                Message::MatchEnd(end) => self.matches.on_end(end),
                Message::Drain(_) => tell(format_args!("the server is about to restart")),
                Message::Ping(ping) => self.matches.say(say::pong(ping.nonce)),
                Message::MatchSync(sync) => self.matches.on_sync(sync),
                Message::EntropyRequest(request) => {
                    if let Some(entropy) = self.entropies.answer(&request) {
                        self.matches.say(entropy.into());
                    }
                }
            }
        }
    }
}

fn silent() -> StreamError {
    StreamError::lost(format!("nothing was heard for {} s", SILENCE.as_secs()))
}

/// A number from 0 to 1, drawn at random.
fn chance() -> f64 {
    let mut bytes = [0; 4];
    // Without randomness every bot waits equally long: a pity, and no reason to stop.
    let _ = SystemRandom::new().fill(&mut bytes);
    f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
}

/// What waits to be said, as frames: all that is ready goes into one.
struct Frames(UnboundedReceiver<BotMessage>);

impl Stream for Frames {
    type Item = PlayRequest;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<PlayRequest>> {
        let mut messages = Vec::new();
        let count = ready!(self.0.poll_recv_many(context, &mut messages, FRAME));
        Poll::Ready((count > 0).then_some(PlayRequest { messages }))
    }
}
