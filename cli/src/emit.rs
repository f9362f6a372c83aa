//! The back end of the language that is written.

use crate::arguments::LanguageName;
use crate::failure::Failure;
use crate::program::Program;
use contraflow_ad::Derivative;
use contraflow_backend_common::OutputFile;
use contraflow_ir::{Diagnostic, Language, ProcedureId};

/// The language that a procedure is written in.
pub fn language_of(program: &Program, procedure: ProcedureId) -> LanguageName {
    let home = &program.module.procedures[procedure].home;
    let is_c =
        home.span.is_some() && program.sources.file(home.span.file).language == Some(Language::C);
    if is_c {
        LanguageName::C
    } else {
        LanguageName::Fortran
    }
}

/// The output files of a derivative; the head's own language where none is asked for.
///
/// # Errors
/// What the language cannot express.
pub fn emit(
    program: &Program,
    derivative: &Derivative,
    language: Option<LanguageName>,
) -> Result<Vec<OutputFile>, Failure> {
    let _ = (program, derivative, language);
    Err(Failure::without_place(Diagnostic::error(
        "unfinished",
        "not written yet",
    )))
}
