//! The binary `contraflow`. All it does is in the library beside it, so that tests can call it.

use contraflow_cli::Console;
use std::io::{IsTerminal, stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let console = Console::new(stdout(), stderr(), stderr().is_terminal());
    ExitCode::from(contraflow_cli::run(std::env::args_os(), console))
}
