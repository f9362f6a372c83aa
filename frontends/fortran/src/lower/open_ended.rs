//! Dummy arrays that end in `1` as Fortran 66 had it: `dimension work(1)` where `work(*)` is meant.
//! Such an array is taken for one of assumed size where an element other than the last dimension's
//! first is named, or where it goes on to another procedure; not where it has an INTENT, which is of
//! a later age.

use contraflow_ir::{Access, Argument, Expr, Extent, Intent, Procedure, Selector, Stmt, VarId};
use std::collections::HashSet;

/// Gives such arrays an assumed size.
pub(super) fn open(procedure: &mut Procedure) {
    let candidates: HashSet<VarId> = procedure
        .arguments
        .iter()
        .copied()
        .filter(|&var| ends_in_one(procedure, var))
        .collect();
    if candidates.is_empty() {
        return;
    }
    for var in reaching_on(procedure) {
        if candidates.contains(&var)
            && let Some(last) = procedure.variables[var].shape.last_mut()
        {
            last.extent = Extent::AssumedSize;
        }
    }
}

fn ends_in_one(procedure: &Procedure, var: VarId) -> bool {
    let is_one = |e| matches!(procedure.expr(e), Expr::Integer(1));
    let variable = &procedure.variables[var];
    let is_old = variable.intent == Intent::Unspecified;
    let is_open = variable.shape.last().is_some_and(|last| {
        is_one(last.lower) && matches!(last.extent, Extent::Count(count) if is_one(count))
    });
    is_old && is_open
}

/// The variables of which more than the first element of the last dimension may be meant.
fn reaching_on(procedure: &Procedure) -> HashSet<VarId> {
    let mut found = HashSet::new();
    let mut note = |access: &Access| {
        if let Some(Selector::Index(subscripts)) = access.path.first()
            && let Some(&last) = subscripts.last()
            && !matches!(procedure.expr(last), Expr::Integer(1))
        {
            found.insert(access.var);
        }
    };
    for (_, node) in procedure.exprs.iter() {
        if let Expr::Load(access) = &node.expr {
            note(access);
        }
    }
    let statements = procedure.all_statements();
    for &id in &statements {
        if let Stmt::Assign { target, .. } = procedure.stmt(id) {
            note(target);
        }
    }
    for id in statements {
        let Stmt::Call { arguments, .. } = procedure.stmt(id) else {
            continue;
        };
        for argument in arguments {
            if let Argument::Place(access) = argument {
                found.insert(access.var);
            }
        }
    }
    found
}
