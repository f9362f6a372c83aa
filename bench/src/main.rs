//! Side-by-side benchmarks: how fast generated gradients are against their primal and against
//! hand-written ones, and how fast the translator reads large sources.
//!
//! ```text
//! contraflow-bench gradients                       all kernels, both languages
//! contraflow-bench gradients --kernel heat --kernel lu --language c
//! contraflow-bench plans --language c              the same for several memory limits
//! contraflow-bench translate ~/src/lapack          statements per second, text to IR
//! contraflow-bench solver                          seconds to plan programs drawn at random
//! ```
//!
//! Tables are printed as Markdown.

mod compile;
mod gradients;
mod kernel;
mod measure;
mod plans;
mod solver;
mod table;
mod translate;

use clap::{Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "contraflow-bench", about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Gradient time and memory of the kernels, against primal and hand-written adjoint.
    Gradients(gradients::Request),
    /// Time and memory of the kernels' gradients, planned for several memory limits.
    Plans(plans::Request),
    /// Speed from text to intermediate representation.
    Translate {
        /// Folders of Fortran and C sources; each is read as one program.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// How often each is read; the best counts.
        #[arg(long, default_value_t = 3)]
        repeat: usize,
    },
    /// Seconds to solve the integer programs of plans, by their number of results.
    Solver(solver::Request),
    /// Reads one folder in this process and prints seconds and counts; `translate` runs it.
    #[command(hide = true)]
    Read {
        /// The folder.
        folder: PathBuf,
        /// How often it is read.
        repeat: usize,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Gradients(request) => gradients::run(&request),
        Command::Solver(request) => {
            solver::run(&request);
            Ok(())
        }
        Command::Plans(request) => plans::run(&request),
        Command::Translate { folders, repeat } => translate::run(&folders, repeat),
        Command::Read { folder, repeat } => translate::read(&folder, repeat),
    }
}
