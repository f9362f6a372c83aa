//! Writes verified IR as readable Fortran.
//!
//! A Fortran procedure is written in its own words: types as spelt, the same `USE` lines, the
//! file's indentation and keyword case. A C function is written as Fortran 2008 with `bind(c)` and
//! the kinds of `iso_c_binding`. The body is written first; then exactly those variables that it
//! names are declared.

mod calls;
mod cells;
mod declare;
mod disk;
mod emitter;
mod expr;
mod files;
mod intrinsics;
mod kept;
mod names;
mod object_components;
mod objects;
mod procedure;
mod state;
mod stmt;
mod storage;
mod switch;
mod tape;
mod types;
mod visibility;

use contraflow_backend_common::{Counter, KeywordCase, OutputFile};
use contraflow_ir::verify::Verified;
use contraflow_ir::{Diagnostic, ProcedureId, RealKinds, Sources};

/// How the text is to look. What is not set follows the user's file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The widest line.
    pub line_length: Option<usize>,
    /// One level of indentation.
    pub indentation: Option<String>,
    /// How keywords are written.
    pub keywords: Option<KeywordCase>,
    /// How wide the compiler makes reals.
    pub reals: RealKinds,
    /// The module in which derived procedures count the bytes that they keep on tapes and in snapshots.
    pub counter: Option<Counter>,
}

/// The text of one procedure, primal or derived.
///
/// # Errors
/// Diagnostics for what Fortran cannot express.
pub fn procedure(
    module: Verified<'_>,
    sources: &Sources,
    id: ProcedureId,
    options: &Options,
) -> Result<String, Vec<Diagnostic>> {
    procedure::standalone(module.module(), sources, id, options)
}

/// The output files that hold `derived` (callees before callers): the files of their modules with
/// the procedures inserted, and one new file for those that stand in no module.
///
/// # Errors
/// Diagnostics for what Fortran cannot express, or where a file cannot take the insertions.
pub fn files(
    module: Verified<'_>,
    sources: &Sources,
    derived: &[ProcedureId],
    options: &Options,
) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    files::all(module.module(), sources, derived, options)
}
