//! Local arrays of C whose sizes are computed before their declarations.
//!
//! ```text
//! m = n - 1; double w[m];   ─▶   double w[n - 1]      where m has one definition and n keeps its value
//! ```
//!
//! Derived procedures make the memory of their local arrays where they start. So a size has to be an expression
//! in arguments that keep their values: variables with one definition are replaced by it. An array whose size
//! changes, or depends on what is computed from memory, is refused. Cost: one walk over the statements of each
//! procedure that has such an array.

use contraflow_ir::{
    Access, Allocation, BinaryOp, Builder, Diagnostic, Expr, ExprId, Extent, Module, Procedure,
    ProcedureId, Role, Stmt, Storage, VarId,
};

use crate::analysis::{Activity, Effects};

/// Definitions are followed so far.
const DEEP: usize = 12;

/// The module in which sizes of local arrays are stated in arguments, where they can be.
pub fn stated(module: &Module, effects: &Effects) -> Module {
    let mut changed = module.clone();
    for (id, procedure) in module.procedures.iter() {
        for (var, at, count) in computed(procedure) {
            let definitions = Definitions {
                module,
                effects,
                id,
                procedure,
            };
            let out = &mut changed.procedures[id];
            if let Some(stated) = definitions.stated(out, count, 0) {
                out.variables[var].shape[at].extent = Extent::Count(stated);
            }
        }
    }
    changed
}

/// Refuses arrays whose sizes are still computed.
pub fn refusals(module: &Module, activity: &Activity) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for specialisation in activity.bottom_up() {
        let procedure = &module.procedures[activity[specialisation].procedure];
        for (var, ..) in computed(procedure) {
            let variable = &procedure.variables[var];
            let message = format!(
                "the size of `{}` is computed in `{}`, and not known where that starts",
                variable.name, procedure.name
            );
            let problem = Diagnostic::error("computed-size", message)
                .at(variable.span, "declared here")
                .with_help(
                    "declare it in a function of its own that gets the size, or allocate it",
                );
            if !found.contains(&problem) {
                found.push(problem);
            }
        }
    }
    found
}

/// The local arrays with an extent that local variables tell: the dimension and the extent.
fn computed(procedure: &Procedure) -> Vec<(VarId, usize, ExprId)> {
    if !procedure.scalars_by_value || !procedure.has_body {
        return Vec::new();
    }
    let is_computed = |count: ExprId| {
        let reads = procedure.reads_of_expr(count);
        reads
            .iter()
            .any(|read| procedure.variables[read.var].storage == Storage::Local)
    };
    let arrays = procedure.variables.iter().filter(|(_, variable)| {
        variable.storage == Storage::Local
            && variable.allocation == Allocation::Fixed
            && variable.role == Role::Primal
    });
    let extents = arrays.flat_map(|(var, variable)| {
        let dims = variable.shape.iter().enumerate();
        dims.filter_map(move |(at, dim)| match dim.extent {
            Extent::Count(count) => Some((var, at, count)),
            _ => None,
        })
    });
    extents
        .filter(|&(_, _, count)| is_computed(count))
        .collect()
}

struct Definitions<'a> {
    module: &'a Module,
    effects: &'a Effects,
    id: ProcedureId,
    procedure: &'a Procedure,
}

impl Definitions<'_> {
    /// The value in arguments that keep theirs, as a new expression of `out`, a copy of the procedure.
    fn stated(&self, out: &mut Procedure, e: ExprId, depth: usize) -> Option<ExprId> {
        let node = &self.procedure.exprs[e];
        if depth > DEEP || !node.ty.is_integer() {
            return None;
        }
        let expr = match &node.expr {
            Expr::Integer(_) => return Some(e),
            Expr::Load(access) if access.path.is_empty() => {
                return match self.procedure.variables[access.var].storage {
                    Storage::Argument { .. } => self.writers(access.var).is_empty().then_some(e),
                    Storage::Local => {
                        let value = self.definition(access)?;
                        self.stated(out, value, depth + 1)
                    }
                    _ => None,
                };
            }
            Expr::Convert(inner) => Expr::Convert(self.stated(out, *inner, depth + 1)?),
            Expr::Binary(op, a, b) => {
                let is_safe = match op {
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => true,
                    BinaryOp::Divide => self.procedure.constant_integer(*b).is_some_and(|n| n > 0),
                    _ => false,
                };
                if !is_safe {
                    return None;
                }
                let a = self.stated(out, *a, depth + 1)?;
                Expr::Binary(*op, a, self.stated(out, *b, depth + 1)?)
            }
            _ => return None,
        };
        Some(Builder::new(out).expr(expr, node.ty))
    }

    /// What the only statement that writes a variable assigns to it.
    fn definition(&self, access: &Access) -> Option<ExprId> {
        match self.writers(access.var).as_slice() {
            [Stmt::Assign { target, value }] if target == access => Some(*value),
            _ => None,
        }
    }

    fn writers(&self, var: VarId) -> Vec<&Stmt> {
        let statements = self.procedure.all_statements().into_iter();
        let writes = |stmt: &_| {
            let effects = self.effects.stmt(self.module, self.id, *stmt);
            let others = self.effects.overlapping(self.id, var);
            effects
                .writes
                .iter()
                .any(|write| write.var == var || others.contains(&write.var))
        };
        let writers = statements.filter(writes);
        writers.map(|stmt| self.procedure.stmt(stmt)).collect()
    }
}
