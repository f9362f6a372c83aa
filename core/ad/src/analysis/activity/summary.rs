//! Which outputs of each procedure depend on which of its inputs.
//!
//! `D(p)[o]` is the set of input ports whose value at entry may influence, with a derivative, the
//! value of port `o` at exit. It is the least solution of the forward equations with every port
//! varied by itself; components of the call graph are repeated until they are stable.
//!
//! [`moved`] says through which ports memory is made, released or pointed to: shadows must follow.

use super::flow::Flow;
use super::slots::Slots;
use super::solve::{Body, Dependencies, Facts, Reaching};
use crate::analysis::call_graph::CallGraph;
use contraflow_ir::{Module, ProcedureId, Stmt};
use fixedbitset::FixedBitSet;

/// The dependencies of all procedures that have slots.
pub(super) fn summaries(
    module: &Module,
    graph: &CallGraph,
    slots: &[Option<Slots>],
    flows: &[Vec<Flow>],
) -> Vec<Dependencies> {
    let mut found: Vec<Dependencies> = slots
        .iter()
        .map(|slots| Dependencies::none(slots.as_ref().map_or(0, |slots| slots.ports.len())))
        .collect();
    for component in graph.bottom_up() {
        loop {
            let mut changed = false;
            for &id in component {
                let Some(own) = &slots[id.index()] else {
                    continue;
                };
                let next = dependencies(module, id, own, &flows[id.index()], &found);
                changed |= next != found[id.index()];
                found[id.index()] = next;
            }
            if !changed {
                break;
            }
        }
    }
    found
}

fn dependencies(
    module: &Module,
    id: ProcedureId,
    slots: &Slots,
    flows: &[Flow],
    summaries: &[Dependencies],
) -> Dependencies {
    let procedure = &module.procedures[id];
    let ports = slots.ports.len();
    let mut state = Reaching::nothing(slots.len());
    for (port, &(_, slot)) in slots.ports.iter().enumerate() {
        if slots.carries[slot] && Some(slot) != procedure.result().map(|var| var.index()) {
            state.insert(slot, port);
            for &other in &slots.overlapping[slot] {
                state.insert(other, port);
            }
        }
    }
    let body = Body {
        procedure,
        slots,
        flows,
        summaries,
    };
    body.forward(&procedure.body, &mut state, &mut |_, _, _| {});
    Dependencies {
        of: slots
            .ports
            .iter()
            .map(|&(_, slot)| {
                let mut inputs = state.value(&[slot]);
                inputs.grow(ports);
                inputs
            })
            .collect(),
    }
}

/// For each procedure the ports through which it, or what it calls, makes or releases memory or lets
/// pointers point elsewhere.
pub(super) fn moved(
    module: &Module,
    graph: &CallGraph,
    slots: &[Option<Slots>],
    flows: &[Vec<Flow>],
) -> Vec<FixedBitSet> {
    let mut found: Vec<FixedBitSet> = slots
        .iter()
        .map(|slots| FixedBitSet::with_capacity(slots.as_ref().map_or(0, |s| s.ports.len())))
        .collect();
    for component in graph.bottom_up() {
        loop {
            let mut changed = false;
            for &id in component {
                let Some(own) = &slots[id.index()] else {
                    continue;
                };
                let touched = moved_slots(module, id, own, &flows[id.index()], &found);
                for (port, &(_, slot)) in own.ports.iter().enumerate() {
                    if touched[slot] && !found[id.index()][port] {
                        found[id.index()].insert(port);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }
    found
}

fn moved_slots(
    module: &Module,
    id: ProcedureId,
    slots: &Slots,
    flows: &[Flow],
    found: &[FixedBitSet],
) -> FixedBitSet {
    let procedure = &module.procedures[id];
    let mut touched = FixedBitSet::with_capacity(slots.len());
    for stmt in procedure.all_statements() {
        match (procedure.stmt(stmt), &flows[stmt.index()]) {
            (
                Stmt::Allocate { target, .. }
                | Stmt::Free { target }
                | Stmt::PointerAssign { target, .. },
                _,
            ) => {
                let slot = target.var.index();
                touched.insert(slot);
                if !target.path.is_empty() {
                    Extend::extend(&mut touched, slots.overlapping[slot].iter().copied());
                }
            }
            (Stmt::Call { .. }, Flow::Call(call)) => {
                let moved = &found[call.callee.index()];
                let outputs = call.outputs.iter().filter(|output| moved[output.port]);
                let targets = outputs.flat_map(|output| output.target.slots.iter().copied());
                Extend::extend(&mut touched, targets);
            }
            _ => {}
        }
    }
    touched
}
