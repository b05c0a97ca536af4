//! The smallest bot: it plays the first thing that is legal.

use std::process::ExitCode;

use kitumaija_bot::{Action, Bot, Turn, run};

struct Smallest;

impl Bot for Smallest {
    fn choose(&mut self, turn: &Turn) -> Action {
        turn.legal[0]
    }
}

fn main() -> ExitCode {
    run(|| Smallest)
}
