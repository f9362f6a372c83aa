//! Where the command line writes: standard output and standard error, or a test's buffers.

use std::io::Write;

/// Two streams for text.
pub struct Console {
    out: Box<dyn Write + Send>,
    error: Box<dyn Write + Send>,
    /// Whether diagnostics may be coloured.
    pub colour: bool,
}

impl Console {
    /// A console on two streams.
    pub fn new(
        out: impl Write + Send + 'static,
        error: impl Write + Send + 'static,
        colour: bool,
    ) -> Self {
        Self {
            out: Box::new(out),
            error: Box::new(error),
            colour,
        }
    }

    /// Writes a line of results. A closed pipe is not an error: the reader has seen enough.
    pub fn say(&mut self, text: &str) {
        write_line(&mut self.out, text);
    }

    /// Writes a line about the work: diagnostics, reports.
    pub fn complain(&mut self, text: &str) {
        write_line(&mut self.error, text);
    }
}

fn write_line(stream: &mut dyn Write, text: &str) {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let _ = write!(stream, "{text}{end}").and_then(|()| stream.flush());
}
