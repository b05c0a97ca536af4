//! A gRPC server of one call, scripted by the test: it accepts a connection, hears what the bot says and says what it is told to.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, Response};
use kitumaija_bot::v1::bot_message::Message as Said;
use kitumaija_bot::v1::server_message::Message;
use kitumaija_bot::v1::{PlayRequest, PlayResponse, ServerMessage};
use prost::Message as _;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tonic::{Code, Status};

/// A test that waits for longer than this has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// What comes, as long as the client runs.
pub async fn soon<T>(coming: impl Future<Output = Option<T>>) -> T {
    timeout(PATIENCE, coming).await.expect("nothing came").expect("the client has ended")
}

pub struct Server {
    listener: TcpListener,
}

impl Server {
    pub async fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").await.unwrap() }
    }

    pub fn address(&self) -> String {
        self.listener.local_addr().unwrap().to_string()
    }

    /// The next stream that the bot opens; nothing is answered yet.
    pub async fn accept(&self) -> Stream {
        timeout(PATIENCE, self.accept_now()).await.expect("the bot dials")
    }

    async fn accept_now(&self) -> Stream {
        let (socket, _) = self.listener.accept().await.unwrap();
        let mut connection = h2::server::handshake(socket).await.unwrap();
        let (request, mut respond) = connection.accept().await.unwrap().unwrap();
        let (head, incoming) = request.into_parts();
        assert_eq!(head.uri.path(), "/kitumaija.v1.ArenaService/Play");
        let response = Response::builder().header("content-type", "application/grpc").body(()).unwrap();
        let outgoing = respond.send_response(response, false).unwrap();
        let line = tokio::spawn(async move { while connection.accept().await.is_some() {} });
        Stream { metadata: head.headers, incoming, outgoing, line, read: BytesMut::new(), heard: VecDeque::new() }
    }
}

/// One stream, from the server's side.
pub struct Stream {
    pub metadata: HeaderMap,
    incoming: RecvStream,
    outgoing: SendStream<Bytes>,
    line: JoinHandle<()>,
    read: BytesMut,
    heard: VecDeque<Said>,
}

impl Stream {
    /// The next thing that the bot says; none if it has closed its half.
    pub async fn hears_or_end(&mut self) -> Option<Said> {
        while self.heard.is_empty() {
            let frame = timeout(PATIENCE, self.frame()).await.expect("the bot says something")?;
            assert!(!frame.messages.is_empty(), "a frame without messages breaks the protocol");
            assert!(frame.encoded_len() <= 64 << 10, "a frame of {} bytes", frame.encoded_len());
            self.heard.extend(frame.messages.into_iter().map(|message| message.message.unwrap()));
        }
        self.heard.pop_front()
    }

    pub async fn hears(&mut self) -> Said {
        self.hears_or_end().await.expect("the bot has closed its half of the stream")
    }

    /// Says these messages in one frame.
    pub fn say(&mut self, messages: impl IntoIterator<Item = Message>) {
        let messages = messages.into_iter().map(|message| ServerMessage { message: Some(message) });
        self.say_frame(&PlayResponse { messages: messages.collect() }.encode_to_vec());
    }

    pub fn say_frame(&mut self, frame: &[u8]) {
        let mut bytes = BytesMut::new();
        bytes.put_u8(0);
        bytes.put_u32(u32::try_from(frame.len()).unwrap());
        bytes.put_slice(frame);
        self.outgoing.send_data(bytes.freeze(), false).unwrap();
    }

    /// Asks for a Pong, and makes sure that it is the very next thing that the bot says: it had nothing else to say.
    pub async fn hears_nothing_before_pong(&mut self, nonce: u64) {
        self.say([Message::Ping(kitumaija_bot::v1::Ping { nonce })]);
        assert_eq!(self.hears().await, Said::Pong(kitumaija_bot::v1::Pong { nonce }));
    }

    /// Ends the stream with a status, as the server does.
    pub fn end(mut self, status: &Status) {
        let mut trailers = HeaderMap::new();
        status.add_header(&mut trailers).unwrap();
        self.outgoing.send_trailers(trailers).unwrap();
        // The connection stays until the bot has seen the end of it.
        tokio::spawn(async move {
            let _ = self.line.await;
        });
    }

    /// Cuts the connection, as a crash does.
    pub fn cut(self) {
        self.line.abort();
    }

    async fn frame(&mut self) -> Option<PlayRequest> {
        loop {
            if let Some(mut head) = self.read.get(..5) {
                assert_eq!(head.get_u8(), 0, "not compressed");
                let length = head.get_u32() as usize;
                if self.read.len() >= 5 + length {
                    self.read.advance(5);
                    return Some(PlayRequest::decode(self.read.split_to(length)).unwrap());
                }
            }
            let data = self.incoming.data().await?.unwrap();
            self.incoming.flow_control().release_capacity(data.len()).unwrap();
            self.read.extend_from_slice(&data);
        }
    }
}

/// The status of an error out of the guide's table.
pub fn status(code: Code, reason: &str, metadata: &[(&str, &str)]) -> Status {
    let pairs = metadata.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let info = ErrorInfo { reason: reason.to_owned(), domain: "kitumaija".to_owned(), metadata: pairs.collect() };
    let any = prost_types::Any {
        type_url: "type.googleapis.com/google.rpc.ErrorInfo".to_owned(),
        value: info.encode_to_vec(),
    };
    let details = RpcStatus { code: code as i32, message: String::new(), details: vec![any] };
    Status::with_details(code, "because", details.encode_to_vec().into())
}

#[derive(Clone, PartialEq, prost::Message)]
struct RpcStatus {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(map = "string, string", tag = "3")]
    metadata: HashMap<String, String>,
}
