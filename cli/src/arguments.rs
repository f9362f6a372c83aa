//! What the user writes on the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Differentiates unmodified Fortran and C into readable Fortran and C.
#[derive(Parser, Debug)]
#[command(name = "contraflow", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Write the adjoint (reverse mode): gradients of outputs with respect to inputs.
    Adjoint(Derive),
    /// Write the tangent (forward mode): a directional derivative.
    Tangent(Derive),
    /// Prove both derivatives by compiling and running them.
    Check(Check),
    /// Show what the adjoint keeps and what it runs again.
    Plan(Plan),
    /// Measure what arithmetic and memory cost on this machine, for later plans.
    Calibrate(Calibrate),
}

/// The program and the procedure to differentiate.
#[derive(Args, Clone, Debug)]
pub struct Input {
    /// Fortran and C sources; a folder stands for all sources below it.
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// The procedure, with its inputs and outputs: `[module::]name[: x, y -> f]`. Without a list,
    /// every real or complex argument by its intent. Variables of modules that the procedure uses may
    /// be named like arguments, or as `module::x`.
    #[arg(long, value_name = "HEAD")]
    pub head: String,
    /// Define a preprocessor macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub definitions: Vec<String>,
    /// Look for included files in this folder.
    #[arg(short = 'I', value_name = "DIR")]
    pub include_directories: Vec<PathBuf>,
    /// The `compile_commands.json` of the C sources: each file is read (and by `check` compiled) with its
    /// own include folders, macros and language standard.
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// The number of elements of an array that the source does not tell, such as a C pointer:
    /// `x=n*n`; several dimensions in the order of the source, separated by commas. `solve::x=n` tells
    /// it of an argument of `solve`, which the head calls, `grid%x=n` of a component.
    #[arg(long = "extent", value_name = "NAME=COUNT")]
    pub extents: Vec<String>,
    /// The procedure that is passed for a procedure argument of the head: `fcn=myrhs`.
    #[arg(long = "bind", value_name = "ARGUMENT=PROCEDURE")]
    pub bind: Vec<String>,
    /// Take it that different arguments of a procedure never overlap in memory, as Fortran has it.
    /// Without it a C pointer may reach what another one reaches, unless it is `restrict`.
    #[arg(long)]
    pub no_alias: bool,
    /// The language standard of C sources, as `gcc -std=` takes it.
    #[arg(long = "std", value_name = "STANDARD", default_value = "")]
    pub standard: String,
    /// Who decides what is stored and what is computed again.
    #[arg(long, value_enum, default_value_t = PlannerName::Optimal)]
    pub planner: PlannerName,
    /// Reverse a time loop with few snapshots of its state, from which steps are run again:
    /// `advance::it=binomial(20)` for the loop over `it` in `advance`, `advance::120=binomial(20)` for
    /// the one on line 120, `=all` for a snapshot of each step. A comment `!$ad checkpoint
    /// binomial(20)` above the loop says the same.
    #[arg(long = "checkpoint", value_name = "LOOP=SCHEDULE")]
    pub checkpoints: Vec<String>,
    /// Reverse loops as this plan says, which `contraflow plan --json` printed and a person may have
    /// edited.
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// How large things are, for the plan: `nx=512,nt=1000`, or `solve::n=20` for one procedure. The
    /// name of an array tells the extents that the source does not.
    #[arg(long = "size", value_name = "NAME=COUNT")]
    pub sizes: Vec<String>,
    /// The most memory that the adjoint may keep on tapes and in snapshots at a time: `8GiB`, `500MB`,
    /// or a number of bytes.
    #[arg(long, value_name = "AMOUNT")]
    pub memory: Option<String>,
    /// The most that the snapshots of a time loop may take on disk (in `$TMPDIR`): then the plan may put
    /// some of them there, where what `--memory` leaves makes it slower.
    #[arg(long, value_name = "AMOUNT")]
    pub disk: Option<String>,
    /// How often loops run at most of which nobody knows that before they run (`do while`, `while`), for
    /// `--memory`: a million where nothing is said, or as few as fit. The derivative counts what such loops
    /// make it keep, and ends with a message before that is more than `--memory`.
    #[arg(long, value_name = "COUNT")]
    pub trips: Option<f64>,
    /// How long the search for a plan of one procedure may take, in seconds; then the best plan so far
    /// is taken, and the report says how far from the best of all it may be.
    #[arg(long, value_name = "SECONDS")]
    pub time_limit: Option<f64>,
    /// Let the adjoint count the bytes that it keeps on tapes and in snapshots, now and at most, in a
    /// small file of its own: module `NAME_kept`, in C `NAME_kept.h`.
    #[arg(long)]
    pub instrument: bool,
    /// What a run measured: `contraflow check` writes this file, other commands show it, and take the
    /// sizes of the run where `--size` says nothing.
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// What variables that keep their values between calls (SAVE, DATA, static, COMMON, variables of
    /// modules) hold when the derivative is called; needed only where they carry derivatives from call
    /// to call.
    #[arg(long, value_enum, value_name = "STATE")]
    pub saved: Option<SavedName>,
    /// Memory that is taken as it is when the derivative is called, and constant, whatever `--saved`
    /// says: a variable, or a COMMON block.
    #[arg(long = "kept", value_name = "NAME")]
    pub kept: Vec<String>,
    /// Flags for both compilers. `check` compiles with them; those that widen reals (`-fdefault-real-8`,
    /// `-fdefault-double-8`, `-freal-4-real-8`, `-r8`) change what a Fortran source means, and so its
    /// derivative. The default ones make equal statements give equal bits: no contraction, and no
    /// vector variants of elementary functions, which round differently.
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "-O2 -g -ffp-contract=off -fno-tree-vectorize",
        allow_hyphen_values = true
    )]
    pub flags: String,
    /// Say what is stored and what is computed again.
    #[arg(long)]
    pub report: bool,
}

/// `contraflow adjoint` and `contraflow tangent`.
#[derive(Args, Clone, Debug)]
pub struct Derive {
    /// The program and the procedure.
    #[command(flatten)]
    pub input: Input,
    /// The folder that the derivative is written to.
    #[arg(short, long, value_name = "DIR", required_unless_present = "ir")]
    pub output: Option<PathBuf>,
    /// What the names of derived procedures and variables end with, instead of `_b` or `_d`.
    #[arg(long, value_name = "SUFFIX")]
    pub suffix: Option<String>,
    /// The language to write, instead of the head's own.
    #[arg(long, value_enum)]
    pub language: Option<LanguageName>,
    /// Print the intermediate representation at this stage, and write nothing.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub ir: Option<Stage>,
}

/// `contraflow plan`.
#[derive(Args, Clone, Debug)]
pub struct Plan {
    /// The program and the procedure.
    #[command(flatten)]
    pub input: Input,
    /// Print the plan as JSON, which `--plan` reads back.
    #[arg(long)]
    pub json: bool,
}

/// `contraflow calibrate`.
#[derive(Args, Clone, Debug)]
pub struct Calibrate {
    /// The file that the figures are written to, instead of the user's configuration.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The C compiler [default: $CC, then gcc].
    #[arg(long, value_name = "PROGRAM")]
    pub cc: Option<String>,
}

/// `contraflow check`.
#[derive(Args, Clone, Debug)]
pub struct Check {
    /// The program and the procedure.
    #[command(flatten)]
    pub input: Input,
    /// Values for an argument: `nx=7`, `prs=1e4:1e5` (drawn at random between the two), or a list
    /// `k=1,2,3`. Reals are drawn from 0.5:1.5 where nothing is said. Components are named `grid%nx`
    /// (in C `grid.nx`), variables of modules `module::name`; `name=absent` leaves an optional
    /// argument out.
    #[arg(long = "set", value_name = "NAME=VALUES")]
    pub values: Vec<String>,
    /// A procedure that prepares what the head needs, such as tables in modules: `init`,
    /// `tables::init(1004.0, n, [1,2,3])`. It is called before each call of the head and of its
    /// derivatives, so that all start from the same state; several are called in the order given. They
    /// find the variables of modules that `--set` names as they are set.
    #[arg(long, value_name = "NAME[(VALUES)]")]
    pub before: Vec<String>,
    /// The Fortran compiler [default: $FC, then gfortran].
    #[arg(long, value_name = "PROGRAM")]
    pub fc: Option<String>,
    /// The C compiler [default: $CC, then gcc].
    #[arg(long, value_name = "PROGRAM")]
    pub cc: Option<String>,
    /// Further flags for linking, such as `-llapack`.
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub link: String,
    /// A program and its arguments that run the compiled driver: `valgrind -q --error-exitcode=1`.
    #[arg(
        long,
        value_name = "COMMAND",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub run_with: String,
    /// The largest relative error between adjoint and tangent [default: 1e-12, and 1e-4 where a
    /// variable has single precision].
    #[arg(long, value_name = "ERROR")]
    pub tolerance: Option<f64>,
    /// The largest relative error between tangent and differences [default: 1e-6, and 1e-2 where
    /// a variable has single precision].
    #[arg(long, value_name = "ERROR")]
    pub fd_tolerance: Option<f64>,
    /// The widest step of the differences, relative to the inputs: six steps are tried, each a tenth
    /// of the one before [default: 1e-2; in single precision three from 1e-1]. Code that looks up
    /// tables needs steps that do not reach the next entry: 1e-7.
    #[arg(long, value_name = "STEP")]
    pub step: Option<f64>,
    /// How many random directions and seeds are tried.
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub seeds: u32,
    /// Keep the driver, the derivatives and what they compile to in this folder.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// Who plans.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlannerName {
    /// An integer program.
    Optimal,
    /// One decision after the other.
    Greedy,
}

/// What saved variables hold at the start of a call.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SavedName {
    /// Their initial values: each call of the derivative is a first call.
    Fresh,
    /// What earlier calls left, taken as constant.
    Kept,
}

/// A language to write.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanguageName {
    /// Fortran 2008.
    Fortran,
    /// C11.
    C,
}

/// A stage of the translation.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The user's program, as it was understood.
    Primal,
    /// With the derived procedures.
    Derivative,
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;

    #[test]
    fn the_declared_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
