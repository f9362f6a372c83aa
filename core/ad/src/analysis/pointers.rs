//! Where pointers of one procedure can lead.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Argument, Expr, ExprId, Module, Procedure, ProcedureId, Stmt, Storage, Type, VarId,
};

use super::memory;

/// Questions about pointers that need no effects.
pub struct Pointers;

impl Pointers {
    /// The local variables whose pointers can only lead to memory that local variables name.
    pub fn closed(module: &Module, id: ProcedureId) -> BTreeSet<VarId> {
        memory::closed(module, id, &memory::movers(module))
    }

    /// How many elements lie behind a pointer: `place` is the pointer with a `Deref` at its end. Known
    /// where all memory that it may point to has one size, of which `is_fixed` holds.
    pub fn block(
        module: &Module,
        id: ProcedureId,
        place: &Access,
        is_fixed: &dyn Fn(ExprId) -> bool,
    ) -> Option<ExprId> {
        memory::block_behind(module, id, place, &memory::movers(module), is_fixed)
    }

    /// The variables that pointer assignments tie to one, itself included.
    pub fn tied(module: &Module, id: ProcedureId, var: VarId) -> BTreeSet<VarId> {
        memory::tied(module, id, var)
    }

    /// Whether a value of a type is an address or holds one.
    pub fn lead_on(module: &Module, ty: Type) -> bool {
        memory::leads_on(module, ty, 0)
    }
}

/// The local variables of C that hold one address each and whose own addresses nobody takes: what they are set
/// to is nothing to other variables.
pub fn nobodys(procedure: &Procedure) -> BTreeSet<VarId> {
    if !procedure.scalars_by_value {
        return BTreeSet::new();
    }
    let mut found: BTreeSet<VarId> = procedure
        .variables
        .iter()
        .filter(|(_, variable)| {
            variable.storage == Storage::Local
                && !variable.is_array()
                && matches!(
                    variable.ty,
                    Type::Pointer(_) | Type::Address | Type::Procedure
                )
        })
        .map(|(var, _)| var)
        .collect();
    let mut take = |access: &Access| {
        if access.path.is_empty() {
            found.remove(&access.var);
        }
    };
    for (_, node) in procedure.stmts.iter() {
        match &node.stmt {
            Stmt::PointerAssign {
                value: Some(value),
                is_pointer: false,
                ..
            } => take(value),
            Stmt::Call { arguments, .. } => {
                for argument in arguments {
                    match argument {
                        Argument::Place(place) => take(place),
                        Argument::Opaque { reads, .. } => reads.iter().for_each(&mut take),
                        _ => {}
                    }
                }
            }
            Stmt::Opaque { reads, writes, .. } => {
                reads.iter().chain(writes).for_each(&mut take);
            }
            _ => {}
        }
    }
    for (_, node) in procedure.exprs.iter() {
        if let Expr::Opaque { reads, .. } = &node.expr {
            reads.iter().for_each(&mut take);
        }
    }
    found
}
