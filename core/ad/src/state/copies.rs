//! Copies of primal procedures that derived procedures call: on the state of these.

use std::collections::BTreeMap;

use contraflow_ir::{Argument, Callee, Module, ProcedureId, ProcedureRole, Stmt};

use super::State;
use crate::request::Request;
use crate::{Derivative, naming};

pub fn copy_callees(state: &State, derivative: &mut Derivative, request: &Request) {
    let suffix = &request.suffix;
    let mut copies: BTreeMap<ProcedureId, ProcedureId> = BTreeMap::new();
    let mut order = state.starts.clone();
    let module = &mut derivative.module;
    if request.copy_head && state.users.contains(&request.head) {
        let head = request.head;
        derivative.primal = Some(copy(state, module, head, suffix, &mut copies, &mut order));
    }
    for &id in &derivative.derived {
        redirect(state, module, id, suffix, &mut copies, &mut order);
    }
    order.append(&mut derivative.derived);
    derivative.derived = order;
}

fn copy(
    state: &State,
    module: &mut Module,
    of: ProcedureId,
    suffix: &str,
    copies: &mut BTreeMap<ProcedureId, ProcedureId>,
    order: &mut Vec<ProcedureId>,
) -> ProcedureId {
    let mut copy = module.procedures[of].clone();
    copy.role = ProcedureRole::Copy { of };
    copy.name = naming::procedure_name(module, &naming::base(module, of), &format!("_p{suffix}"));
    let copy = module.procedures.add(copy);
    copies.insert(of, copy);
    redirect(state, module, copy, suffix, copies, order);
    order.push(copy);
    copy
}

/// Lets a procedure call copies instead of the primal procedures that touch the state.
fn redirect(
    state: &State,
    module: &mut Module,
    id: ProcedureId,
    suffix: &str,
    copies: &mut BTreeMap<ProcedureId, ProcedureId>,
    order: &mut Vec<ProcedureId>,
) {
    for stmt in module.procedures[id].all_statements() {
        for callee in named(module.procedures[id].stmt(stmt)) {
            if state.users.contains(&callee) && !copies.contains_key(&callee) {
                copy(state, module, callee, suffix, copies, order);
            }
        }
        let node = &mut module.procedures[id].stmts[stmt];
        if let Stmt::Call {
            callee, arguments, ..
        } = &mut node.stmt
        {
            if let Callee::Procedure(target) = callee
                && let Some(&copy) = copies.get(target)
            {
                *target = copy;
            }
            for argument in arguments {
                if let Argument::Procedure(target) = argument
                    && let Some(&copy) = copies.get(target)
                {
                    *target = copy;
                }
            }
        }
    }
}

/// The procedures that a statement calls or hands on.
fn named(stmt: &Stmt) -> Vec<ProcedureId> {
    let Stmt::Call {
        callee, arguments, ..
    } = stmt
    else {
        return Vec::new();
    };
    let handed = arguments.iter().filter_map(|argument| match argument {
        Argument::Procedure(id) => Some(*id),
        _ => None,
    });
    let called = match callee {
        Callee::Procedure(id) => Some(*id),
        _ => None,
    };
    called.into_iter().chain(handed).collect()
}
