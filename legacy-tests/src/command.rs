//! `contraflow`, run in this process.

use contraflow_cli::Console;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What a command printed, and its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The exit status.
    pub status: u8,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub error: String,
}

/// Runs `contraflow` with these arguments.
pub fn contraflow<A: AsRef<str>>(arguments: &[A]) -> Outcome {
    let (out, error) = (Capture::default(), Capture::default());
    let console = Console::new(out.clone(), error.clone(), false);
    let line = std::iter::once("contraflow").chain(arguments.iter().map(A::as_ref));
    let status = contraflow_cli::run(line, console);
    Outcome {
        status,
        out: out.text(),
        error: error.text(),
    }
}

/// A stream that keeps what is written to it; clones share it.
#[derive(Clone, Default)]
pub struct Capture(Arc<Mutex<Vec<u8>>>);

impl Capture {
    /// What was written so far.
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
