//! Which variables that hold pointers a procedure uses for these: not for numbers beside them only.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Callee, Expr, GlobalId, Module, Procedure, ProcedureId, RecordId, Selector,
    Stmt, Storage, Type, VarId, Variable, place_of,
};

use super::memory::{is_shown, leads_on};

/// The variables of which a procedure follows pointers, copies them, or passes the whole.
pub(super) fn followed(module: &Module, procedure: &Procedure) -> BTreeSet<VarId> {
    let follows = |access: &&Access| {
        is_shown(module, procedure, access)
            || place_of(module, procedure, access)
                .map_or(true, |place| leads_on(module, place.ty, 0))
    };
    let named = accesses(procedure).into_iter().filter(follows);
    named.map(|access| access.var).collect()
}

/// By procedure, the records of modules and files of which it, or what it calls, follows pointers.
pub(super) fn records_followed(module: &Module) -> BTreeMap<ProcedureId, BTreeSet<GlobalId>> {
    let holds = |variable: &Variable| {
        matches!(variable.ty, Type::Record(_)) && leads_on(module, variable.ty, 0)
    };
    let mut found: BTreeMap<ProcedureId, BTreeSet<GlobalId>> = BTreeMap::new();
    for (id, procedure) in module.procedures.iter() {
        let global = |(var, variable): (VarId, &Variable)| match variable.storage {
            Storage::Global(global) if holds(variable) => Some((var, global)),
            _ => None,
        };
        let named: Vec<_> = procedure.variables.iter().filter_map(global).collect();
        if !named.is_empty() {
            let followed = followed(module, procedure);
            let named = named.iter().filter(|(var, _)| followed.contains(var));
            found.insert(id, named.map(|&(_, global)| global).collect());
        }
    }
    if found.is_empty() {
        return found;
    }
    let anywhere: BTreeSet<GlobalId> = found.values().flatten().copied().collect();
    loop {
        let mut is_done = true;
        for (id, procedure) in module.procedures.iter() {
            let mut reached: BTreeSet<GlobalId> = BTreeSet::new();
            for (_, node) in procedure.stmts.iter() {
                match &node.stmt {
                    Stmt::Call {
                        callee: Callee::Procedure(callee),
                        ..
                    } => reached.extend(found.get(callee).into_iter().flatten()),
                    Stmt::Call {
                        callee: Callee::Variable(_),
                        ..
                    } => reached.extend(&anywhere),
                    _ => {}
                }
            }
            let known = found.entry(id).or_default();
            let before = known.len();
            known.extend(reached);
            is_done &= known.len() == before;
        }
        if is_done {
            return found;
        }
    }
}

/// The components that some procedures name, wherever.
pub(crate) fn components<'m>(
    module: &'m Module,
    procedures: impl Iterator<Item = &'m Procedure>,
) -> BTreeSet<(RecordId, u32)> {
    let mut found = BTreeSet::new();
    for procedure in procedures {
        for access in accesses(procedure) {
            let mut ty = procedure.variables[access.var].ty;
            for step in &access.path {
                match (step, ty) {
                    (Selector::Field(field), Type::Record(record)) => {
                        found.insert((record, *field));
                        let fields = &module.records[record].fields;
                        ty = fields
                            .get(*field as usize)
                            .map_or(Type::Unknown, |it| it.ty);
                    }
                    (Selector::Deref, Type::Pointer(pointer)) => {
                        ty = module.pointers[pointer].target;
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// All places that a procedure names.
fn accesses(procedure: &Procedure) -> Vec<&Access> {
    let mut found = Vec::new();
    for (_, node) in procedure.exprs.iter() {
        match &node.expr {
            Expr::Load(access)
            | Expr::Bound { array: access, .. }
            | Expr::Present(access)
            | Expr::Required { access, .. } => found.push(access),
            Expr::Associated { pointer, target } => found.extend([pointer, target]),
            Expr::Opaque { reads, .. } => found.extend(reads),
            Expr::Integer(_)
            | Expr::Real(_)
            | Expr::Logical(_)
            | Expr::Text(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Intrinsic(..)
            | Expr::Convert(_)
            | Expr::Select { .. }
            | Expr::Range { .. } => {}
        }
    }
    for (_, node) in procedure.stmts.iter() {
        match &node.stmt {
            Stmt::Assign { target, .. }
            | Stmt::Fill { target, .. }
            | Stmt::Allocate { target, .. }
            | Stmt::Free { target }
            | Stmt::Pop { target, .. } => found.push(target),
            Stmt::Copy { target, source } => found.extend([target, source]),
            Stmt::PointerAssign { target, value, .. } => {
                found.push(target);
                found.extend(value);
            }
            Stmt::Opaque { reads, writes, .. } => found.extend(reads.iter().chain(writes)),
            Stmt::Call {
                arguments, result, ..
            } => {
                found.extend(result);
                for argument in arguments {
                    match argument {
                        Argument::Place(place) => found.push(place),
                        Argument::Opaque { reads, .. } => found.extend(reads),
                        Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => {}
                    }
                }
            }
            Stmt::Push { .. }
            | Stmt::Loop { .. }
            | Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Region { .. }
            | Stmt::Labelled { .. }
            | Stmt::Jump(_)
            | Stmt::Stop { .. }
            | Stmt::Comment(_) => {}
        }
    }
    found
}
