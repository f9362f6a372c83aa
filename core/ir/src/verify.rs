//! Checks what every analysis and back end relies on.
//!
//! # Invariants
//!
//!  1. Every id names a node of its arena.
//!  2. No expression is among its own operands, at any depth.
//!  3. No statement stands in two places.
//!  4. There are no jumps, no labelled blocks, and no labels on loops.
//!  5. Both operands of an arithmetic operation or a comparison have one type, the result of an
//!     arithmetic operation too; the exponent of a power may be an integer. Comparisons and logical
//!     operations give truth values, logical operations take them, bitwise ones take integers.
//!  6. Intrinsics have as many arguments as they take, of one numeric type.
//!  7. Conditions are logical.
//!  8. An access selects components of records only, dereferences pointers only, and has one
//!     integer subscript per dimension.
//!  9. What is loaded is a scalar of the expression's type.
//! 10. A target of an assignment is a scalar of the value's type.
//! 11. A loop's variable is an integer scalar that its body does not write; its bounds are integers.
//! 12. Ranges stand only as subscripts of arguments, and in `Fill`, `Copy`, `PointerAssign` and
//!     quoted text.
//! 13. There is no `Required`: every primal value has been made available.
//! 14. A call of a procedure of the module has one argument per formal argument; what is passed by
//!     value is a value of the formal's type. Only functions give a result, of their value's type.
//! 15. A variable is the argument that its storage says, and the only one of storage `Result` is
//!     the function's; an overlay lies on another variable.
//! 16. Names of variables are unique in their procedure.
//! 17. Named constants are not written.
//! 18. Growing tapes are variables of role `Tape` of one dimension.
//!
//! Unreachable nodes of the arenas are not looked at. The check is linear in the size of the
//! program, but for nested loops: each looks at its body for writes of its variable.

use crate::module::{Module, Procedure, ProcedureId};
use crate::source::Span;

mod accesses;
mod expressions;
mod statements;
mod variables;

/// A module that satisfies the invariants.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'m>(&'m Module);

impl<'m> Verified<'m> {
    /// The module.
    pub fn module(self) -> &'m Module {
        self.0
    }
}

/// Checks all invariants. Each violation is described by the procedure's name, the place, the
/// invariant's number in square brackets, and what is wrong.
pub fn verify(module: &Module) -> Result<Verified<'_>, Vec<String>> {
    let mut violations = Vec::new();
    for (id, _) in module.procedures.iter() {
        violations.extend(verify_procedure(module, id));
    }
    if violations.is_empty() {
        Ok(Verified(module))
    } else {
        Err(violations)
    }
}

/// Checks one procedure. Gives back the violations.
pub fn verify_procedure(module: &Module, id: ProcedureId) -> Vec<String> {
    let mut checker = Checker {
        module,
        procedure: &module.procedures[id],
        violations: Vec::new(),
    };
    checker.variables();
    // Expressions that name missing nodes or contain themselves cannot be walked.
    if checker.reachable_nodes_exist() {
        checker.expressions();
        checker.statements();
    }
    checker.violations
}

struct Checker<'m> {
    module: &'m Module,
    procedure: &'m Procedure,
    violations: Vec<String>,
}

impl Checker<'_> {
    fn require(
        &mut self,
        holds: bool,
        invariant: u32,
        span: Span,
        message: impl Fn(&Self) -> String,
    ) {
        if !holds {
            let message = message(self);
            self.report(invariant, span, message);
        }
    }

    fn report(&mut self, invariant: u32, span: Span, message: String) {
        let place = if span.is_some() {
            format!(
                " (file {}, bytes {}..{})",
                span.file.0, span.start, span.end
            )
        } else {
            String::new()
        };
        self.violations.push(format!(
            "procedure `{}`{place}: [{invariant}] {message}",
            self.procedure.name
        ));
    }
}
