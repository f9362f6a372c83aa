//! Which procedures are derived, for which patterns of active arguments: the answer of activity, in
//! the form that both modes build from.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{Access, Module, ProcedureId, Stmt, StmtId, VarId};

use crate::analysis::Activity;
use crate::request::Request;

/// One procedure with one pattern of active arguments, to be derived.
#[derive(Clone, Debug)]
pub struct Specialisation {
    /// The primal.
    pub procedure: ProcedureId,
    /// Its variables that need shadows.
    pub active: BTreeSet<VarId>,
    /// Formal arguments (and the function's value) whose shadows are arguments.
    pub passed: BTreeSet<VarId>,
    /// For each call statement through which derivatives flow, the callee's specialisation.
    pub callees: BTreeMap<StmtId, usize>,
    /// Places that a call overwrites with passive values, whose shadows the caller zeroes.
    pub zeroed: BTreeMap<StmtId, Vec<Access>>,
    /// Assignments after which what they write influences no dependent: its shadow is zero there.
    pub useless: BTreeSet<StmtId>,
}

/// The specialisations, callees before callers (but for recursion), the head's last.
pub fn specialise(module: &Module, activity: &Activity, request: &Request) -> Vec<Specialisation> {
    let order = activity.bottom_up();
    let index: BTreeMap<_, usize> = order.iter().enumerate().map(|(k, &id)| (id, k)).collect();
    let mut all: Vec<Specialisation> = order
        .iter()
        .map(|&id| {
            let found = &activity[id];
            let procedure = &module.procedures[found.procedure];
            let statements = procedure.all_statements();
            let active: BTreeSet<VarId> = found.active_variables().collect();
            let mut passed: BTreeSet<VarId> = procedure
                .arguments
                .iter()
                .enumerate()
                .filter(|&(position, _)| found.has_shadow_argument(module, position))
                .map(|(_, &formal)| formal)
                .collect();
            passed.extend(procedure.result().filter(|result| active.contains(result)));
            Specialisation {
                procedure: found.procedure,
                active,
                passed,
                callees: statements
                    .iter()
                    .filter_map(|&stmt| Some((stmt, index[&found.callee(stmt)?])))
                    .collect(),
                zeroed: statements
                    .iter()
                    .map(|&stmt| (stmt, found.zeroed(stmt).to_vec()))
                    .filter(|(_, places)| !places.is_empty())
                    .collect(),
                useless: statements
                    .iter()
                    .copied()
                    .filter(|&stmt| match procedure.stmt(stmt) {
                        Stmt::Assign { target, .. } => !found.is_useful_after(stmt, target.var),
                        _ => false,
                    })
                    .collect(),
            }
        })
        .collect();
    if let Some(head) = all.last_mut() {
        // What the user names has a shadow, even where it has no influence.
        let named: BTreeSet<VarId> = request
            .independents
            .iter()
            .chain(&request.dependents)
            .copied()
            .collect();
        head.active.extend(named.iter().copied());
        head.passed = named;
    }
    all
}
