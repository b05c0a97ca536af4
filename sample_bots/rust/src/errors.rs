//! Why a stream ended, and whether to dial again.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use prost::Message;
use tonic::{Code, Status};

/// Why playing ended for good.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting is missing or wrong.
    #[error("{0}")]
    Setting(String),
    /// The server was not reached for ten minutes of dialing; this is the last that was heard.
    #[error("the server was not reached for ten minutes: {0}")]
    Unreached(String),
    /// The server does not want this bot, or not now.
    #[error("the server refuses this bot: {0}")]
    Refused(StreamError),
    /// The system gives the process no signals, or no threads.
    #[error("the bot cannot run here: {0}")]
    System(#[from] std::io::Error),
}

impl Error {
    /// What a process that ends by it returns, in every language alike.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::System(_) => 1,
            Self::Setting(_) => 2,
            Self::Unreached(_) => 3,
            Self::Refused(_) => 4,
        }
    }
}

/// Why one stream ended, or was not opened.
#[derive(Clone, Debug)]
pub struct StreamError {
    /// The gRPC status; [`Code::Ok`] for an end without an error.
    pub code: Code,
    /// The reason out of the guide's table *Errors*; none for errors that gRPC made itself.
    pub reason: Option<String>,
    /// What is said about it.
    pub message: String,
    /// The keys that the table names.
    pub metadata: HashMap<String, String>,
}

impl StreamError {
    /// An error that this side found: the line is gone.
    pub(crate) fn lost(message: impl Into<String>) -> Self {
        Self { code: Code::Unavailable, reason: None, message: message.into(), metadata: HashMap::new() }
    }

    /// The server ended the stream, and told no error.
    pub(crate) fn ended() -> Self {
        Self { code: Code::Ok, ..Self::lost("the server ended the stream") }
    }

    /// Whether a new stream may succeed later by itself.
    #[must_use]
    pub fn again(&self) -> bool {
        match self.reason.as_deref() {
            // These differ from what their status would say.
            Some("REPLACED" | "FRAME_TOO_LARGE" | "FLOODING" | "REQUEST_ID_CONFLICT") => false,
            Some(reason) if reason.starts_with("NOT_FOUND_") => false,
            Some(reason) if reason.starts_with("ALREADY_EXISTS_") => false,
            _ => !matches!(
                self.code,
                Code::Unauthenticated
                    | Code::PermissionDenied
                    | Code::InvalidArgument
                    | Code::FailedPrecondition
                    | Code::Unimplemented
            ),
        }
    }

    /// How long the server asks to wait, at least; an hour at most.
    #[must_use]
    pub fn wait(&self) -> Duration {
        let seconds = self.metadata.get("retry_seconds");
        let seconds: Option<f64> = seconds.and_then(|text| text.parse().ok());
        let seconds = seconds.filter(|seconds| !seconds.is_nan()).unwrap_or_default();
        Duration::from_secs_f64(seconds.clamp(0.0, 3600.0))
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Some(reason) => write!(to, "{reason}: {}", self.message),
            None => write!(to, "{}", self.message),
        }
    }
}

impl From<&Status> for StreamError {
    fn from(status: &Status) -> Self {
        let info = error_info(status.details());
        let mut message = status.message().to_owned();
        // A connection that breaks says why only in the errors below it, and often twice.
        let mut source = std::error::Error::source(status);
        while let Some(below) = source {
            let text = below.to_string();
            if !message.ends_with(&text) {
                message = format!("{message}: {text}");
            }
            source = below.source();
        }
        Self {
            code: status.code(),
            reason: info.as_ref().map(|info| info.reason.clone()),
            message,
            metadata: info.map(|info| info.metadata).unwrap_or_default(),
        }
    }
}

/// The `ErrorInfo` of Kitumaija in `grpc-status-details-bin`, if there is one.
fn error_info(details: &[u8]) -> Option<ErrorInfo> {
    let status = RpcStatus::decode(details).ok()?;
    let infos = status.details.iter().filter(|any| any.type_url.ends_with("/google.rpc.ErrorInfo"));
    infos.filter_map(|any| ErrorInfo::decode(any.value.as_slice()).ok()).find(|info| info.domain == "kitumaija")
}

/// `google.rpc.Status`, as far as it is read here.
#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

/// `google.rpc.ErrorInfo`.
#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(map = "string, string", tag = "3")]
    metadata: HashMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUIDE: &str = include_str!("../../../proto/README.md");

    fn error(code: Code, reason: Option<&str>) -> StreamError {
        StreamError { code, reason: reason.map(str::to_owned), ..StreamError::lost("") }
    }

    /// The rows of the guide's table *Errors*: reason, status, and whether to try again.
    fn rows() -> Vec<(&'static str, &'static str, bool)> {
        let table = GUIDE.split("## Errors").nth(1).expect("the guide has errors");
        let table = table.split("\n## ").next().unwrap_or_default();
        let cells = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        cells
            .filter(|cells| cells.len() >= 5 && cells[1].starts_with('`'))
            .map(|cells| (cells[1].trim_matches('`'), cells[2].trim_matches('`'), cells[3] == "yes"))
            .collect()
    }

    fn code(name: &str) -> Code {
        let wanted = name.replace('_', "").to_lowercase();
        (0..=16)
            .map(Code::from_i32)
            .find(|code| format!("{code:?}").to_lowercase() == wanted)
            .unwrap_or_else(|| panic!("{name} is no status"))
    }

    #[test]
    fn an_error_is_final_exactly_where_the_guide_says_so() {
        assert!(rows().len() > 30, "the guide's table was not found");
        for (reason, status, again) in rows() {
            assert_eq!(error(code(status), Some(reason)).again(), again, "{reason}");
        }
    }

    #[test]
    fn an_error_without_a_known_reason_goes_by_its_status() {
        for reason in [None, Some("SOMETHING_NEWER")] {
            for status in 0..=16 {
                let code = Code::from_i32(status);
                let last = [3, 7, 9, 12, 16].contains(&status);
                assert_eq!(error(code, reason).again(), !last, "{code:?}");
            }
        }
    }

    #[test]
    fn the_wait_is_what_the_server_asks_for_if_it_is_a_time() {
        for (text, seconds) in [("7", 7.0), ("0.5", 0.5), ("-1", 0.0), ("soon", 0.0), ("1e99", 3600.0), ("NaN", 0.0)] {
            let mut error = error(Code::ResourceExhausted, None);
            error.metadata.insert("retry_seconds".to_owned(), text.to_owned());

            assert_eq!(error.wait(), Duration::from_secs_f64(seconds), "{text}");
        }
    }
}
