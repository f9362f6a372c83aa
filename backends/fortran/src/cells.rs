//! C pointers to single values. `double *v` may be an array or one number; where a function only
//! ever looks at `v[0]`, it is written as a scalar. A local scalar whose address goes to what may
//! be an array is written as an array of one element, which Fortran lets pass as one.

use std::collections::HashSet;

use contraflow_ir::{
    Access, Argument, Callee, Expr, Extent, Module, Procedure, ProcedureId, Selector, Stmt, VarId,
};

/// Array parameters of a C function of which only the first element is used.
pub(crate) fn single_values(module: &Module, id: ProcedureId) -> HashSet<VarId> {
    let procedure = &module.procedures[id];
    procedure
        .arguments
        .iter()
        .copied()
        .filter(|&argument| is_single_value(module, id, argument, 8))
        .collect()
}

/// Whether an array parameter is only used at its first element, calls followed to a `depth`.
fn is_single_value(module: &Module, id: ProcedureId, argument: VarId, depth: usize) -> bool {
    let procedure = &module.procedures[id];
    let variable = &procedure.variables[argument];
    let open = matches!(variable.shape.as_slice(), [dim] if dim.extent == Extent::Unknown);
    if !open || !procedure.has_body || depth == 0 {
        return false;
    }
    let mut single = true;
    let first = |access: &Access| access.var != argument || is_first_element(procedure, access);
    for stmt in procedure.all_statements() {
        let stmt = procedure.stmt(stmt);
        for root in stmt.expressions() {
            procedure.walk_expr(root, &mut |e| {
                single &= match procedure.expr(e) {
                    Expr::Load(access) => first(access),
                    Expr::Bound { array, .. } => array.var != argument,
                    Expr::Associated { pointer, target } => {
                        pointer.var != argument && target.var != argument
                    }
                    Expr::Opaque { reads, .. } => reads.iter().all(|a| a.var != argument),
                    _ => true,
                };
            });
        }
        single &= match stmt {
            Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => first(target),
            Stmt::Copy { target, source } => first(target) && first(source),
            Stmt::Pop { target, .. } => first(target),
            Stmt::Allocate { target, .. }
            | Stmt::Free { target }
            | Stmt::PointerAssign { target, .. } => target.var != argument,
            Stmt::Opaque { reads, writes, .. } => {
                reads.iter().chain(writes).all(|a| a.var != argument)
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => {
                result.iter().all(first)
                    && passed_as_single(module, callee, arguments, argument, procedure, depth)
            }
            _ => true,
        };
        if let Stmt::PointerAssign {
            value: Some(value), ..
        } = stmt
        {
            single &= value.var != argument;
        }
    }
    single
}

fn passed_as_single(
    module: &Module,
    callee: &Callee,
    arguments: &[Argument],
    argument: VarId,
    procedure: &Procedure,
    depth: usize,
) -> bool {
    arguments.iter().enumerate().all(|(position, actual)| {
        let Argument::Place(access) = actual else {
            return true;
        };
        if access.var != argument {
            return true;
        }
        let Callee::Procedure(callee) = callee else {
            return false;
        };
        let Some(&formal) = module.procedures[*callee].arguments.get(position) else {
            return false;
        };
        let whole = access.path.is_empty() || is_first_element(procedure, access);
        whole
            && (!module.procedures[*callee].variables[formal].is_array()
                || is_single_value(module, *callee, formal, depth - 1))
    })
}

/// Whether an access is `v[0]`.
pub(crate) fn is_first_element(procedure: &Procedure, access: &Access) -> bool {
    match access.path.as_slice() {
        [Selector::Index(subscripts)] => subscripts
            .iter()
            .all(|&s| matches!(procedure.expr(s), Expr::Integer(0))),
        _ => false,
    }
}

/// Scalars of a C function that are not parameters and whose address goes to an array parameter.
pub(crate) fn boxed_scalars(module: &Module, id: ProcedureId) -> HashSet<VarId> {
    let procedure = &module.procedures[id];
    let mut boxed = HashSet::new();
    for stmt in procedure.all_statements() {
        let Stmt::Call {
            callee: Callee::Procedure(callee),
            arguments,
            ..
        } = procedure.stmt(stmt)
        else {
            continue;
        };
        let called = &module.procedures[*callee];
        let singles = single_values(module, *callee);
        for (actual, formal) in arguments.iter().zip(&called.arguments) {
            if let Argument::Place(access) = actual
                && access.path.is_empty()
                && !procedure.variables[access.var].is_array()
                && called.variables[*formal].is_array()
                && !singles.contains(formal)
            {
                boxed.insert(access.var);
            }
        }
    }
    boxed
}
