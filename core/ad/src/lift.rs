//! Copies of internal procedures for derived code, and of those whose arguments are not those of their
//! text.
//!
//! A derived procedure stands outside of its primal's host, and so does whoever derives from an
//! internal procedure. An internal procedure that derived code calls as it is must stand outside as
//! well. Its arguments already say what it uses of the host; so the copy is the procedure itself
//! under another name.

use std::collections::BTreeMap;

use contraflow_ir::{Argument, Callee, Module, ProcedureId, ProcedureRole, Stmt};

use crate::naming;

/// Lets the procedures `derived` call copies of the internal procedures that they call. Gives them
/// with the copies before those who call them.
pub fn lift(module: &mut Module, derived: &[ProcedureId]) -> Vec<ProcedureId> {
    let mut lifting = Lifting {
        module,
        copies: BTreeMap::new(),
        order: Vec::new(),
    };
    for &id in derived {
        lifting.redirect(id);
        lifting.order.push(id);
    }
    lifting.order
}

struct Lifting<'m> {
    module: &'m mut Module,
    copies: BTreeMap<ProcedureId, ProcedureId>,
    order: Vec<ProcedureId>,
}

impl Lifting<'_> {
    fn redirect(&mut self, id: ProcedureId) {
        for stmt in self.module.procedures[id].all_statements() {
            let Stmt::Call {
                callee, arguments, ..
            } = self.module.procedures[id].stmt(stmt)
            else {
                continue;
            };
            let (mut callee, mut arguments) = (callee.clone(), arguments.clone());
            if let Callee::Procedure(target) = &mut callee {
                *target = self.copy_of(*target);
            }
            for argument in &mut arguments {
                if let Argument::Procedure(target) = argument {
                    *target = self.copy_of(*target);
                }
            }
            if let Stmt::Call {
                callee: old_callee,
                arguments: old_arguments,
                ..
            } = &mut self.module.procedures[id].stmts[stmt].stmt
            {
                *old_callee = callee;
                *old_arguments = arguments;
            }
        }
    }

    /// The procedure itself, or the copy of an internal one.
    fn copy_of(&mut self, id: ProcedureId) -> ProcedureId {
        let procedure = &self.module.procedures[id];
        let is_outside = procedure.home.host.is_none() && !procedure.is_altered();
        if is_outside || procedure.role != ProcedureRole::Primal {
            return id;
        }
        if let Some(&copy) = self.copies.get(&id) {
            return copy;
        }
        let mut copy = procedure.clone();
        copy.name = naming::procedure_name(self.module, &naming::base(self.module, id), "");
        copy.role = ProcedureRole::Lifted { of: id };
        let place = self.module.procedures.add(copy);
        // Known before its body is looked at: it may call itself.
        self.copies.insert(id, place);
        self.redirect(place);
        self.order.push(place);
        place
    }
}
