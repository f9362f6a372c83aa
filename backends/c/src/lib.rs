//! Writes verified IR as readable C11.
//!
//! A C function is written in its own words: types as spelt, the file's indentation. A Fortran
//! procedure is written with scalars by reference as pointers, shapes and subscripts reversed,
//! and lower bounds subtracted. The body is written first; then exactly those variables that it
//! names are declared.

mod calls;
mod chunks;
mod declare;
mod disk;
mod emitter;
mod expr;
mod files;
mod header;
mod helpers;
mod intrinsics;
mod kept;
mod loops;
mod names;
mod places;
mod procedure;
mod state;
mod stmt;
mod tape;
mod types;

use contraflow_backend_common::{Counter, OutputFile};
use contraflow_ir::verify::Verified;
use contraflow_ir::{Diagnostic, ProcedureId, Sources};

/// How the text is to look. What is not set follows the user's file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The widest line.
    pub line_length: Option<usize>,
    /// One level of indentation.
    pub indentation: Option<String>,
    /// What the functions are named after by which derived functions count the bytes that they keep on
    /// tapes and in snapshots.
    pub counter: Option<Counter>,
}

/// The text of one procedure, primal or derived, after the helper functions that it calls.
///
/// # Errors
/// Diagnostics for what C cannot express.
pub fn procedure(
    module: Verified<'_>,
    sources: &Sources,
    id: ProcedureId,
    options: &Options,
) -> Result<String, Vec<Diagnostic>> {
    procedure::standalone(module.module(), sources, id, options)
}

/// The output files that hold `derived` (callees before callers): the translation units of
/// `static` functions with the functions added, and a new source file with its header for others.
///
/// # Errors
/// Diagnostics for what C cannot express, or where a file cannot take the insertions.
pub fn files(
    module: Verified<'_>,
    sources: &Sources,
    derived: &[ProcedureId],
    options: &Options,
) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    files::all(module.module(), sources, derived, options)
}
