//! The command line of Contraflow: arguments, files, diagnostics, reports, and the proof of a
//! derivative by running it (`contraflow check`).
//!
//! Input, output and rendering are done here and nowhere else. The way of the data is
//! [`load`] → [`program`] → [`head`] → [`derive`] → [`write`]; [`check`] goes on from there with a
//! driver program, the user's compiler and a verdict.

pub mod arguments;
mod bind;
mod calibrate;
pub mod check;
pub mod commands;
mod console;
pub mod derive;
mod emit;
mod expression;
mod extents;
mod failure;
mod findings;
pub mod head;
mod host;
pub mod kept;
pub mod load;
pub mod plan;
mod planning;
pub mod program;
mod render;
mod widths;
mod write;

pub use arguments::{Arguments, Command};
pub use console::Console;
pub use failure::Failure;
pub use host::SystemHost;

use clap::Parser;
use contraflow_ad::Mode;
use std::ffi::OsString;

/// Everything went well.
pub const SUCCESS: u8 = 0;
/// The user's program or request cannot be differentiated, or a proof failed.
pub const USER_ERROR: u8 = 1;
/// The command line is not understood.
pub const USAGE_ERROR: u8 = 2;

/// Runs one command line (the program's name first) and gives its exit status.
pub fn run<I, A>(command_line: I, mut console: Console) -> u8
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let arguments = match Arguments::try_parse_from(command_line) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            console.complain(&error.to_string());
            return USAGE_ERROR;
        }
        Err(help) => {
            console.say(&help.to_string());
            return SUCCESS;
        }
    };
    match execute(&arguments.command, &mut console) {
        Ok(()) => SUCCESS,
        Err(failure) => {
            failure.show(&mut console);
            USER_ERROR
        }
    }
}

/// The stack that expressions and constructs may nest on: reserved, and taken as far as it is used.
const STACK: usize = 4 << 30;

/// Runs on a thread with a large stack; on the one there is where there is no room for it.
fn execute(command: &Command, console: &mut Console) -> Result<(), Failure> {
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || execute_here(command, console).map_err(Box::new));
        match started.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(done)) => Some(done.map_err(|failure| *failure)),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    })
    .unwrap_or_else(|| execute_here(command, console))
}

fn execute_here(command: &Command, console: &mut Console) -> Result<(), Failure> {
    match command {
        Command::Adjoint(request) => derive::command(request, Mode::Adjoint, console),
        Command::Tangent(request) => derive::command(request, Mode::Tangent, console),
        Command::Check(request) => check::command(request, console),
        Command::Plan(request) => plan::command(request, console),
        Command::Calibrate(request) => calibrate::command(request, console),
    }
}
