//! Bodies in place of calls, where a callee lets pointers of others point elsewhere.
//!
//! ```text
//! head = push(head, x[i]);          q = malloc(sizeof *q); q->v = x[i]; q->next = head; head = q;
//! ```
//!
//! The reversal of a pointer assignment needs the pointer's former value, and what is released must stay
//! until its allocation is undone. For pointers that outlive a callee only the caller can keep both. So a
//! procedure that gives an address, or that allocates, releases or associates what is not its own, stands
//! in its callers' bodies before anything is analysed: constructors, destructors, containers that grow.
//! Callees come first, so whole chains of such procedures end up where the memory is a local's.
//!
//! So do procedures that write to what the pointers of a struct lead to which is passed as a value: the
//! caller has no other name for it.
//!
//! Where arguments are passed by reference (Fortran), it is procedures that let a pointer argument point
//! somewhere, functions that give pointers among them.
//!
//! Left as calls are procedures that call themselves, have procedure arguments, saved variables, arrays of
//! computed size or matrix arguments, or whose quoted text names their variables. Cost: the size of what
//! is inlined, once per call.

mod copy;
mod fields;
mod mapped;
mod references;

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Callee, Expr, Extent, Module, Passing, Procedure, ProcedureId, ProcedureKind, Span,
    Stmt, StmtId, Storage, Type, VarId,
};

use crate::analysis::Effects;
use crate::analysis::pointers::Pointers;

/// The module with the bodies of such procedures in place of their calls, in all that the head calls,
/// and of those that are called at `asked`.
pub fn inline(module: &Module, head: ProcedureId, asked: &BTreeSet<Span>) -> Module {
    let mut inlined = module.clone();
    let mut wanted: BTreeSet<ProcedureId> = BTreeSet::new();
    let order = callees_first(module, head);
    let takes_pointers = |&id: &ProcedureId| {
        let procedure = &module.procedures[id];
        procedure
            .arguments
            .iter()
            .any(|&formal| holds_pointers_by_value(module, procedure, formal))
    };
    let effects = order
        .iter()
        .any(takes_pointers)
        .then(|| Effects::of(module));
    let writes_behind_values = |id: ProcedureId| {
        let procedure = &module.procedures[id];
        let mut formals = procedure.arguments.iter().enumerate();
        formals.any(|(position, &formal)| {
            holds_pointers_by_value(module, procedure, formal)
                && effects
                    .as_ref()
                    .is_some_and(|effects| effects.argument(id, position).write)
        })
    };
    for id in order {
        let mut left: BTreeSet<StmtId> = BTreeSet::new();
        while let Some((stmt, callee)) = next_call(&inlined, id, &|stmt, span, callee| {
            let is_asked = asked.contains(&span)
                && callee != id
                && can_stand_elsewhere(module, &module.procedures[callee])
                && !calls_itself(module, callee);
            (wanted.contains(&callee) || is_asked) && !left.contains(&stmt)
        }) {
            if !copy::in_place(&mut inlined, id, stmt, callee) {
                left.insert(stmt);
            }
        }
        if inlined.procedures[id].scalars_by_value {
            fields::apart(&mut inlined, id);
        }
        let procedure = &inlined.procedures[id];
        let can = id != head && can_stand_elsewhere(module, procedure);
        let moves = match procedure.scalars_by_value {
            true => moves_others(&inlined, id) || writes_behind_values(id),
            false => references::associates_arguments(procedure),
        };
        if can && !calls_itself(module, id) && moves {
            wanted.insert(id);
        }
    }
    inlined
}

/// Whether an argument is a struct that is passed as a value and has pointers.
fn holds_pointers_by_value(module: &Module, procedure: &Procedure, formal: VarId) -> bool {
    let variable = &procedure.variables[formal];
    variable.passing == Passing::Value
        && matches!(variable.ty, Type::Record(_))
        && Pointers::lead_on(module, variable.ty)
}

/// A call whose callee is wanted in place.
fn next_call(
    module: &Module,
    id: ProcedureId,
    is_wanted: &dyn Fn(StmtId, Span, ProcedureId) -> bool,
) -> Option<(StmtId, ProcedureId)> {
    let procedure = &module.procedures[id];
    procedure
        .all_statements()
        .into_iter()
        .find_map(|stmt| match procedure.stmt(stmt) {
            Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } if is_wanted(stmt, procedure.stmts[stmt].span, *callee) => Some((stmt, *callee)),
            _ => None,
        })
}

/// What the head calls, callees before callers, the head last.
fn callees_first(module: &Module, head: ProcedureId) -> Vec<ProcedureId> {
    fn visit(
        module: &Module,
        id: ProcedureId,
        seen: &mut BTreeSet<ProcedureId>,
        order: &mut Vec<ProcedureId>,
    ) {
        if !seen.insert(id) {
            return;
        }
        for callee in called_by(&module.procedures[id]) {
            visit(module, callee, seen, order);
        }
        order.push(id);
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    visit(module, head, &mut seen, &mut order);
    order
}

fn called_by(procedure: &Procedure) -> Vec<ProcedureId> {
    procedure
        .all_statements()
        .into_iter()
        .filter_map(|stmt| match procedure.stmt(stmt) {
            Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } => Some(*callee),
            _ => None,
        })
        .collect()
}

fn calls_itself(module: &Module, id: ProcedureId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = called_by(&module.procedures[id]);
    while let Some(next) = pending.pop() {
        if next == id {
            return true;
        }
        if seen.insert(next) {
            pending.extend(called_by(&module.procedures[next]));
        }
    }
    false
}

fn can_stand_elsewhere(module: &Module, procedure: &Procedure) -> bool {
    match procedure.scalars_by_value {
        true => is_simple(procedure),
        false => references::is_simple(module, procedure) && quoted_names_none(procedure),
    }
}

/// Whether a body can stand elsewhere under other names.
fn is_simple(procedure: &Procedure) -> bool {
    let fits = procedure.variables.iter().all(|(_, variable)| {
        let constant = |extent: &Extent| match extent {
            Extent::Count(count) => procedure.constant_integer(*count).is_some(),
            Extent::Deferred => true,
            Extent::Assumed | Extent::AssumedSize | Extent::Unknown => false,
        };
        match variable.storage {
            Storage::Argument { .. } => {
                variable.ty != Type::Procedure
                    && variable.ty != Type::Address
                    && variable.rank() <= 1
            }
            Storage::Local | Storage::Result => {
                variable.shape.iter().all(|dim| constant(&dim.extent))
            }
            Storage::Global(_) | Storage::Constant { .. } => true,
            Storage::Saved | Storage::Common { .. } | Storage::Overlay { .. } => false,
        }
    });
    procedure.has_body && fits && quoted_names_none(procedure)
}

/// Whether no quoted text names a variable of the procedure.
fn quoted_names_none(procedure: &Procedure) -> bool {
    let names = |text: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| procedure.variable_named(word).is_some())
    };
    let statements = procedure.all_statements();
    statements.iter().all(|&stmt| {
        let quoted = match procedure.stmt(stmt) {
            Stmt::Opaque {
                text,
                reads,
                writes,
                ..
            } => names(text) || !reads.is_empty() || !writes.is_empty(),
            Stmt::Call { arguments, .. } => arguments
                .iter()
                .any(|argument| matches!(argument, contraflow_ir::Argument::Opaque { .. })),
            _ => false,
        };
        let mut inside = false;
        for e in procedure.stmt(stmt).expressions() {
            procedure.walk_expr(e, &mut |node| {
                if let Expr::Opaque { text, reads } = procedure.expr(node) {
                    inside |= names(text) || !reads.is_empty();
                }
            });
        }
        !quoted && !inside
    })
}

/// Whether a procedure gives an address, or moves pointers or memory that are not its own.
fn moves_others(module: &Module, id: ProcedureId) -> bool {
    let procedure = &module.procedures[id];
    if let ProcedureKind::Function { result } = procedure.kind
        && Pointers::lead_on(module, procedure.variables[result].ty)
    {
        return true;
    }
    let closed = Pointers::closed(module, id);
    let is_own = |target: &Access, is_new: bool| {
        let variable = &procedure.variables[target.var];
        let is_name = target.path.is_empty()
            && (variable.storage == Storage::Local
                || variable.is_argument() && matches!(variable.ty, Type::Pointer(_)));
        closed.contains(&target.var) || is_name && !is_new
    };
    procedure
        .all_statements()
        .into_iter()
        .any(|stmt| match procedure.stmt(stmt) {
            Stmt::PointerAssign { target, .. } => !is_own(target, false),
            Stmt::Allocate { target, .. } | Stmt::Free { target } => !is_own(target, true),
            Stmt::Assign { target, value } => {
                Pointers::lead_on(module, procedure.exprs[*value].ty)
                    && !closed.contains(&target.var)
            }
            _ => false,
        })
}
