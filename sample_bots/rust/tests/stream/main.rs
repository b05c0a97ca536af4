//! The client against a server that says what the test tells it to, over a real connection.

#![forbid(unsafe_code)]

mod bots;
mod clock;
mod ending;
mod newer;
mod playing;
mod refusing;
mod resuming;
mod server;
