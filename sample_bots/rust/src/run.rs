//! A bot as a process.

use std::io;
use std::process::ExitCode;

use tokio::runtime::Builder;

use crate::bot::Bot;
use crate::client::Client;
use crate::errors::Error;
use crate::log::tell;
use crate::settings::Settings;

/// Plays until the process is told to stop, by SIGTERM or SIGINT, on the server that the environment names; `make` makes the bot of each
/// match.
///
/// Return its result from `main`: 0 the bot left politely, 1 the system lets it not run, 2 a setting is missing or wrong, 3 the server was
/// not reached for ten minutes, 4 the server does not want it. Why is told on stderr.
pub fn run<B: Bot + 'static>(make: impl Fn() -> B + Send + Sync + 'static) -> ExitCode {
    match play(make) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("{error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn play<B: Bot + 'static>(make: impl Fn() -> B + Send + Sync + 'static) -> Result<(), Error> {
    let settings = Settings::from_env()?;
    // One thread is enough for the stream: bots think on threads of their own.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let played = runtime.block_on(async {
        let stop = told_to_stop()?;
        Client::new(settings).play(make, stop).await
    });
    runtime.shutdown_background();
    played
}

#[cfg(unix)]
fn told_to_stop() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "on Unix it may fail")]
fn told_to_stop() -> io::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
