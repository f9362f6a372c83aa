//! `--bind`: which procedures stand for the procedure arguments of the head.

use crate::head::{self, Head, HeadSpec};
use contraflow_ir::{Diagnostic, Module, Procedure, Sources, Type, VarId};

/// Adds what the user says of procedure arguments to the head: `ARGUMENT=[module::]PROCEDURE`.
///
/// # Errors
/// A name that is no procedure argument of the head, a procedure that is not there.
pub fn bind(
    written: &[String],
    head: &mut Head,
    module: &Module,
    sources: &Sources,
) -> Result<(), Diagnostic> {
    for text in written {
        let wrong = |why: String| {
            Diagnostic::error(
                "option-syntax",
                format!("`--bind {text}` is not understood: {why}"),
            )
            .with_help("write `--bind ARGUMENT=PROCEDURE`, with a procedure argument of the head")
        };
        let Some((argument, procedure)) = text.split_once('=') else {
            return Err(wrong("`=` is missing".to_owned()));
        };
        let var = procedure_argument(&module.procedures[head.procedure], argument.trim())
            .map_err(wrong)?;
        let spec = HeadSpec::parse(procedure)?;
        if spec.variables.is_some() {
            return Err(wrong("a name alone stands after `=`".to_owned()));
        }
        let found = head::find_procedure(&spec, module, sources)?;
        head.bindings.insert(var, found);
    }
    Ok(())
}

fn procedure_argument(procedure: &Procedure, name: &str) -> Result<VarId, String> {
    let arguments: Vec<VarId> = procedure
        .arguments
        .iter()
        .copied()
        .filter(|&var| procedure.variables[var].ty == Type::Procedure)
        .collect();
    let name_of = |var: VarId| procedure.variables[var].name.as_str();
    let found = arguments
        .iter()
        .find(|&&var| name_of(var).eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = arguments.iter().map(|&var| name_of(var)).collect();
        match names.is_empty() {
            true => format!("`{}` has no procedure argument", procedure.name),
            false => format!(
                "the procedure arguments of `{}` are {}",
                procedure.name,
                names.join(", ")
            ),
        }
    })
}
