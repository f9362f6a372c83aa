//! Arguments of which only the first element is ever used: `*x`, `x->a`, or passed on to where that
//! holds. They have one element, whatever a caller passes.
//!
//! The greatest solution: all arguments of unknown size are taken to be such until a use says otherwise.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Argument, Builder, Callee, Extent, Module, Procedure, ProcedureId, Selector, Stmt,
    Storage, VarId,
};

/// The module in which these arguments have one element.
pub(super) fn with_single_objects(module: &Module) -> Module {
    let mut single: BTreeSet<(ProcedureId, usize)> = module
        .procedures
        .iter()
        .filter(|(_, procedure)| procedure.has_body)
        .flat_map(|(id, procedure)| {
            let arguments = procedure.arguments.iter().enumerate();
            let open = arguments.filter(|&(_, &var)| is_open(procedure, var));
            open.map(move |(position, _)| (id, position))
        })
        .collect();
    loop {
        let others: Vec<(ProcedureId, usize)> = single
            .iter()
            .copied()
            .filter(|&(id, position)| !uses_the_first_only(module, &single, id, position))
            .collect();
        if others.is_empty() {
            break;
        }
        single.retain(|argument| !others.contains(argument));
    }
    let mut known = module.clone();
    for (id, position) in single {
        let procedure = &mut known.procedures[id];
        let var = procedure.arguments[position];
        let one = Builder::new(procedure).int(1);
        procedure.variables[var].shape[0].extent = Extent::Count(one);
    }
    known
}

fn is_open(procedure: &Procedure, var: VarId) -> bool {
    let variable = &procedure.variables[var];
    variable.rank() == 1 && variable.shape[0].extent == Extent::Unknown
}

fn uses_the_first_only(
    module: &Module,
    single: &BTreeSet<(ProcedureId, usize)>,
    id: ProcedureId,
    position: usize,
) -> bool {
    let procedure = &module.procedures[id];
    let var = procedure.arguments[position];
    let is_first = |access: &Access| access.var != var || starts_at_the_first(procedure, access);
    let is_overlaid = procedure
        .variables
        .iter()
        .any(|(_, other)| matches!(other.storage, Storage::Overlay { base, .. } if base == var));
    let is_single = |stmt: &Stmt| match stmt {
        Stmt::Assign { target, .. } => is_first(target),
        Stmt::Call {
            callee,
            arguments,
            result,
        } => {
            result.iter().all(is_first)
                && arguments
                    .iter()
                    .enumerate()
                    .all(|(at, argument)| match argument {
                        Argument::Place(place) if place.var == var => match place.path.as_slice() {
                            [] | [Selector::Index(_)] => {
                                (place.path.is_empty() || is_first(place))
                                    && matches!(callee, Callee::Procedure(callee)
                                    if single.contains(&(*callee, at)))
                            }
                            _ => is_first(place),
                        },
                        Argument::Opaque { reads, .. } => reads.iter().all(|read| read.var != var),
                        _ => true,
                    })
        }
        Stmt::PointerAssign { target, value, .. } => {
            let leads_away = |value: &Access| value.var == var && value.path.len() < 2;
            is_first(target)
                && value
                    .iter()
                    .all(|value| is_first(value) && !leads_away(value))
        }
        Stmt::Opaque { reads, writes, .. } => {
            reads.iter().chain(writes).all(|access| access.var != var)
        }
        Stmt::Fill { target, .. } | Stmt::Pop { target, .. } | Stmt::Allocate { target, .. } => {
            is_first(target)
        }
        Stmt::Free { target } => is_first(target),
        Stmt::Copy { target, source } => is_first(target) && is_first(source),
        Stmt::Loop { .. }
        | Stmt::While { .. }
        | Stmt::If { .. }
        | Stmt::Switch { .. }
        | Stmt::Push { .. }
        | Stmt::Region { .. }
        | Stmt::Labelled { .. }
        | Stmt::Jump(_)
        | Stmt::Stop { .. }
        | Stmt::Comment(_) => true,
    };
    !is_overlaid
        && procedure.all_statements().into_iter().all(|stmt| {
            let stmt = procedure.stmt(stmt);
            let roots = stmt.expressions().into_iter();
            let mut reads = roots.flat_map(|e| procedure.reads_of_expr(e));
            reads.all(is_first) && is_single(stmt)
        })
}

/// Whether an access is one of the first element, or of a part of it.
fn starts_at_the_first(procedure: &Procedure, access: &Access) -> bool {
    let lower = procedure.variables[access.var].shape.first();
    let lower = lower.and_then(|dim| procedure.constant_integer(dim.lower));
    match access.path.first() {
        Some(Selector::Index(subscripts)) if subscripts.len() == 1 => {
            lower.is_some() && procedure.constant_integer(subscripts[0]) == lower
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contraflow_ir::parse::parse;

    fn extents(text: &str) -> Vec<Vec<bool>> {
        let module = with_single_objects(&parse(text).unwrap_or_else(|error| panic!("{error}")));
        module
            .procedures
            .iter()
            .map(|(_, procedure)| {
                let arguments = procedure.arguments.iter();
                let of = |&var: &VarId| &procedure.variables[var].shape;
                arguments
                    .map(|var| matches!(of(var)[0].extent, Extent::Count(_)))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn what_is_passed_on_to_where_only_the_first_element_is_used_has_one() {
        let text =
            "procedure f(x, y) { var x: f64[? from 0] argument(0) var y: f64[? from 0] argument(1)
               x[0] = y[1] call f(&x, &y) call g(&x) }
             procedure g(x) { var x: f64[? from 0] argument(0) x[0] = x[0] * 2.0 }
             procedure h(x) { var x: f64[? from 0] argument(0) call k(&x) }
             procedure k(x) { var x: f64[? from 0] argument(0) x[1] = 0.0 }";
        let expected = [vec![true, false], vec![true], vec![false], vec![false]];
        assert_eq!(extents(text), expected);
    }
}
