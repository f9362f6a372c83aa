//! Heads with alternate returns: their derivatives take labels where they do.
//!
//! In the representation a subroutine with labels among its arguments tells by an argument of its own to
//! which one it returns. The derivative of the head is called by the user, who has labels and not that
//! argument: it becomes a local variable, and the derivative returns to the label that it tells. A label
//! stands after the same argument as in the head, and after that argument's shadow.

use contraflow_ir::{
    Callee, Diagnostic, Labels, Module, Procedure, ProcedureId, Role, Stmt, Storage, VarId,
};

use crate::Derivative;

/// Gives what the user calls for `head` the labels of the head.
///
/// # Errors
/// `altered-head`: the head is called below itself, where its derivative gets no labels.
pub fn take(
    module: &Module,
    derivative: &mut Derivative,
    head: ProcedureId,
) -> Result<(), Vec<Diagnostic>> {
    let primal = &module.procedures[head];
    let Some(labels) = &primal.labels else {
        return Ok(());
    };
    for id in std::iter::once(derivative.head).chain(derivative.primal) {
        if is_called(&derivative.module, id) {
            let message = format!("`{}` has alternate returns and calls itself", primal.name);
            return Err(vec![
                Diagnostic::error("altered-head", message)
                    .at(primal.home.span, "the head")
                    .with_help("take a procedure that calls it as the head"),
            ]);
        }
        let places = labels.places.iter();
        let procedure = &mut derivative.module.procedures[id];
        let places = places
            .map(|&place| place_in(procedure, primal, labels.which, place))
            .collect();
        let which = labels.which;
        procedure.arguments.retain(|&argument| argument != which);
        procedure.variables[which].storage = Storage::Local;
        let arguments = procedure.arguments.clone();
        for (index, argument) in (0u32..).zip(arguments) {
            procedure.variables[argument].storage = Storage::Argument { index };
        }
        procedure.labels = Some(Labels { which, places });
    }
    Ok(())
}

/// How many arguments of a derivative stand before a label that stands after `place` arguments of the
/// primal.
fn place_in(procedure: &Procedure, primal: &Procedure, which: VarId, place: usize) -> usize {
    let Some(&next) = primal.arguments.get(place).filter(|&&next| next != which) else {
        return procedure.arguments.len() - 1;
    };
    let found = procedure.arguments.iter().position(|&var| var == next);
    debug_assert!(
        found.is_some_and(
            |found| procedure.variables[procedure.arguments[found]].role == Role::Primal
        )
    );
    found.unwrap_or(place)
}

fn is_called(module: &Module, wanted: ProcedureId) -> bool {
    module.procedures.iter().any(|(_, procedure)| {
        procedure.all_statements().into_iter().any(|stmt| {
            matches!(procedure.stmt(stmt), Stmt::Call { callee: Callee::Procedure(id), .. }
                if *id == wanted)
        })
    })
}
