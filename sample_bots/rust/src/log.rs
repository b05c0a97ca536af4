//! What a bot's process tells its owner.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes a line to stderr. A stderr that nobody reads any more is no reason to stop playing.
pub(crate) fn tell(line: Arguments<'_>) {
    let _ = writeln!(io::stderr(), "kitumaija: {line}");
}
