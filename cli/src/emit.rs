//! The back end of the language that is written.

use crate::arguments::LanguageName;
use crate::failure::Failure;
use crate::program::{Program, verified};
use contraflow_ad::Derivative;
use contraflow_backend_c as c;
use contraflow_backend_common::{Counter, OutputFile};
use contraflow_backend_fortran as fortran;
use contraflow_ir::{Language, Module, ProcedureId, Sources};

/// The language of the text that a procedure stands in; a derived one has its primal's home.
pub fn language_of(module: &Module, sources: &Sources, procedure: ProcedureId) -> LanguageName {
    let home = &module.procedures[procedure].home;
    let is_c = home.span.is_some() && sources.file(home.file).language == Some(Language::C);
    if is_c {
        LanguageName::C
    } else {
        LanguageName::Fortran
    }
}

/// The output files of a derivative; the head's own language where none is asked for. `counter` names
/// what counts the bytes that it keeps.
///
/// # Errors
/// What the language cannot express.
pub fn emit(
    program: &Program,
    derivative: &Derivative,
    language: Option<LanguageName>,
    counter: Option<&Counter>,
) -> Result<Vec<OutputFile>, Failure> {
    let module = verified(&derivative.module, "derivative")?;
    let (sources, derived) = (&program.sources, &derivative.derived);
    let written = match language
        .unwrap_or_else(|| language_of(&derivative.module, sources, derivative.head))
    {
        LanguageName::Fortran => {
            let options = fortran::Options {
                reals: program.reals,
                counter: counter.cloned(),
                ..Default::default()
            };
            fortran::files(module, sources, derived, &options)
        }
        LanguageName::C => {
            let options = c::Options {
                counter: counter.cloned(),
                ..Default::default()
            };
            c::files(module, sources, derived, &options)
        }
    };
    written.map_err(|errors| Failure::user(errors, sources))
}
