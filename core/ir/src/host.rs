//! What a front end may ask of the machine it runs on. Only the command line (and a test) makes
//! one; libraries do no input or output of their own.

use std::io;
use std::path::Path;

/// What a program that was run gave back.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramOutput {
    /// Whether its exit status was zero.
    pub success: bool,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error, for a diagnostic.
    pub stderr: String,
}

/// Reads files and runs the system's preprocessor.
pub trait Host: Sync {
    /// The bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Runs a program with an optional standard input.
    fn run(
        &self,
        program: &str,
        arguments: &[String],
        input: Option<&[u8]>,
    ) -> io::Result<ProgramOutput>;
}
