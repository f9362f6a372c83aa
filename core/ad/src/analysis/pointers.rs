//! Where pointers of one procedure can lead.

use std::collections::BTreeSet;

use contraflow_ir::{Access, ExprId, Module, ProcedureId, Type, VarId};

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
