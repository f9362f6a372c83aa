//! The two data-flow passes over one procedure: values forward, uses backward.
//!
//! The forward pass is written once for any [`Facts`]: one bit per slot for "varied", or the set of
//! input ports that each slot depends on for the procedure's summary. Loops are repeated until
//! nothing is added, which ends because facts only grow.

use contraflow_ir::{Procedure, Stmt, StmtId};
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::flow::{CallFlow, Flow};
use super::slots::Slots;

/// The ports of a callee that each of its ports depends on.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Dependencies {
    /// For each output port the input ports; an output that is not among its own inputs is
    /// certainly overwritten.
    pub of: Vec<FixedBitSet>,
}

impl Dependencies {
    /// Nothing depends on anything: the start of the iteration.
    pub fn none(ports: usize) -> Dependencies {
        Dependencies {
            of: vec![FixedBitSet::with_capacity(ports); ports],
        }
    }
}

/// A fact about each slot that statements move along.
pub(super) trait Facts: Clone {
    /// What one slot is known to be.
    type Value;
    /// The join of what some slots are.
    fn value(&self, slots: &[usize]) -> Self::Value;
    /// Joins values of other slots to a value.
    fn extend(&self, value: &mut Self::Value, slots: &[usize]);
    /// The slot starts anew.
    fn clear(&mut self, slot: usize);
    /// No point after this one is reached.
    fn clear_all(&mut self);
    /// Adds to what the slot is.
    fn join(&mut self, slot: usize, value: &Self::Value);
    /// Joins all slots; tells whether anything was new.
    fn absorb(&mut self, other: &Self) -> bool;
}

/// Varied: one bit per slot.
impl Facts for FixedBitSet {
    type Value = bool;

    fn value(&self, slots: &[usize]) -> bool {
        slots.iter().any(|&slot| self[slot])
    }

    fn extend(&self, value: &mut bool, slots: &[usize]) {
        *value |= self.value(slots);
    }

    fn clear(&mut self, slot: usize) {
        self.set(slot, false);
    }

    fn clear_all(&mut self) {
        FixedBitSet::clear(self);
    }

    fn join(&mut self, slot: usize, value: &bool) {
        if *value {
            self.insert(slot);
        }
    }

    fn absorb(&mut self, other: &Self) -> bool {
        absorb_bits(self, other)
    }
}

/// Reaching inputs: a set of ports per slot. States are copied at each statement and differ little, so
/// they share the sets, and runs of them.
#[derive(Clone, Debug)]
pub(super) struct Reaching {
    runs: Vec<Arc<Run>>,
}

/// The sets of neighbouring slots.
type Run = [Arc<FixedBitSet>; RUN];

/// How many slots share a run.
const RUN: usize = 32;

impl Reaching {
    /// Nothing reaches any slot.
    pub fn nothing(slots: usize) -> Reaching {
        let nothing: Arc<FixedBitSet> = Arc::default();
        let run = Arc::new(std::array::from_fn(|_| nothing.clone()));
        Reaching {
            runs: vec![run; slots.div_ceil(RUN)],
        }
    }

    fn of(&self, slot: usize) -> &Arc<FixedBitSet> {
        &self.runs[slot / RUN][slot % RUN]
    }

    fn of_mut(&mut self, slot: usize) -> &mut Arc<FixedBitSet> {
        &mut Arc::make_mut(&mut self.runs[slot / RUN])[slot % RUN]
    }

    /// The port reaches the slot.
    pub fn insert(&mut self, slot: usize, port: usize) {
        let mut ports = FixedBitSet::with_capacity(port + 1);
        ports.insert(port);
        self.join(slot, &ports);
    }
}

impl Facts for Reaching {
    type Value = FixedBitSet;

    fn value(&self, slots: &[usize]) -> FixedBitSet {
        let mut value = FixedBitSet::new();
        self.extend(&mut value, slots);
        value
    }

    fn extend(&self, value: &mut FixedBitSet, slots: &[usize]) {
        for &slot in slots {
            value.union_with(self.of(slot));
        }
    }

    fn clear(&mut self, slot: usize) {
        if !self.of(slot).is_clear() {
            *self.of_mut(slot) = Arc::default();
        }
    }

    fn clear_all(&mut self) {
        *self = Reaching::nothing(self.runs.len() * RUN);
    }

    fn join(&mut self, slot: usize, value: &FixedBitSet) {
        if !value.is_subset(self.of(slot)) {
            Arc::make_mut(self.of_mut(slot)).union_with(value);
        }
    }

    fn absorb(&mut self, other: &Self) -> bool {
        let mut grown = false;
        for (index, theirs) in other.runs.iter().enumerate() {
            if Arc::ptr_eq(&self.runs[index], theirs) {
                continue;
            }
            for (slot, theirs) in (index * RUN..).zip(theirs.iter()) {
                let mine = self.of(slot);
                if !Arc::ptr_eq(mine, theirs) && !theirs.is_subset(mine) {
                    grown |= absorb_bits(Arc::make_mut(self.of_mut(slot)), theirs);
                }
            }
        }
        grown
    }
}

fn absorb_bits(mine: &mut FixedBitSet, theirs: &FixedBitSet) -> bool {
    let grown = !theirs.is_subset(mine);
    if grown {
        mine.union_with(theirs);
    }
    grown
}

/// One procedure with the flow of its statements.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub procedure: &'a Procedure,
    pub slots: &'a Slots,
    pub flows: &'a [Flow],
    pub summaries: &'a [Dependencies],
}

impl Body<'_> {
    /// Runs `state` from the beginning to the end of `block`; `visit` sees the state before and
    /// after each statement. A statement in a loop is seen more than once; the states only grow.
    pub fn forward<F: Facts>(
        &self,
        block: &[StmtId],
        state: &mut F,
        visit: &mut dyn FnMut(StmtId, &F, &F),
    ) {
        for &stmt in block {
            let mut before = state.clone();
            match self.procedure.stmt(stmt) {
                Stmt::Loop { body, .. } | Stmt::While { body, .. } => {
                    loop {
                        let mut pass = state.clone();
                        self.forward(body, &mut pass, visit);
                        if !state.absorb(&pass) {
                            break;
                        }
                    }
                    before = state.clone();
                }
                branching @ (Stmt::If { .. } | Stmt::Switch { .. }) => {
                    let entry = state.clone();
                    let mut exits = branching.blocks().into_iter().map(|block| {
                        let mut exit = entry.clone();
                        self.forward(block, &mut exit, visit);
                        exit
                    });
                    if let Some(first) = exits.next() {
                        *state = first;
                    }
                    exits.for_each(|exit| {
                        state.absorb(&exit);
                    });
                }
                Stmt::Region { body, .. } | Stmt::Labelled { body, .. } => {
                    self.forward(body, state, visit);
                }
                _ => self.step(stmt, state),
            }
            visit(stmt, &before, state);
        }
    }

    fn step<F: Facts>(&self, stmt: StmtId, state: &mut F) {
        match &self.flows[stmt.index()] {
            Flow::Nothing => {}
            Flow::Kill(slot) => state.clear(*slot),
            Flow::Move {
                target,
                strong,
                source,
            } => {
                let value = state.value(&source.slots);
                if *strong {
                    state.clear(*target);
                }
                self.spread(state, *target, &value);
            }
            Flow::Call(call) => self.step_call(call, state),
            Flow::Unknown(unknown) => {
                if unknown.terminates {
                    state.clear_all();
                    return;
                }
                let value = state.value(&unknown.reads);
                unknown.killed.iter().for_each(|&slot| state.clear(slot));
                for &slot in &unknown.writes {
                    self.spread(state, slot, &value);
                }
            }
        }
    }

    fn step_call<F: Facts>(&self, call: &CallFlow, state: &mut F) {
        let summary = &self.summaries[call.callee.index()];
        let values: Vec<F::Value> = call
            .outputs
            .iter()
            .map(|output| {
                let mut value = state.value(&[]);
                for input in summary.of[output.port].ones() {
                    state.extend(&mut value, &call.inputs[input].slots);
                }
                value
            })
            .collect();
        for slot in call.overwritten(summary) {
            state.clear(slot);
        }
        for (output, value) in call.outputs.iter().zip(&values) {
            for &slot in &output.target.slots {
                self.spread(state, slot, value);
            }
        }
    }

    fn spread<F: Facts>(&self, state: &mut F, slot: usize, value: &F::Value) {
        state.join(slot, value);
        for &other in &self.slots.overlapping[slot] {
            state.join(other, value);
        }
    }

    /// Runs the useful slots from the end of `block` to its beginning; `visit` sees what is useful
    /// before and after each statement.
    pub fn backward(
        &self,
        block: &[StmtId],
        useful: &mut FixedBitSet,
        visit: &mut dyn FnMut(StmtId, &FixedBitSet, &FixedBitSet),
    ) {
        for &stmt in block.iter().rev() {
            let after = useful.clone();
            match self.procedure.stmt(stmt) {
                Stmt::Loop { body, .. } | Stmt::While { body, .. } => loop {
                    let mut pass = useful.clone();
                    self.backward(body, &mut pass, visit);
                    if !absorb_bits(useful, &pass) {
                        break;
                    }
                },
                branching @ (Stmt::If { .. } | Stmt::Switch { .. }) => {
                    useful.clear();
                    for block in branching.blocks() {
                        let mut entry = after.clone();
                        self.backward(block, &mut entry, visit);
                        useful.union_with(&entry);
                    }
                }
                Stmt::Region { body, .. } | Stmt::Labelled { body, .. } => {
                    self.backward(body, useful, visit);
                }
                _ => self.step_back(stmt, useful),
            }
            visit(stmt, useful, &after);
        }
    }

    fn step_back(&self, stmt: StmtId, useful: &mut FixedBitSet) {
        match &self.flows[stmt.index()] {
            Flow::Nothing => {}
            Flow::Kill(slot) => useful.set(*slot, false),
            Flow::Move {
                target,
                strong,
                source,
            } => {
                let is_useful = useful[*target];
                if *strong {
                    useful.set(*target, false);
                }
                if is_useful {
                    self.spread_back(useful, &source.slots);
                }
            }
            Flow::Call(call) => self.step_call_back(call, useful),
            Flow::Unknown(unknown) => {
                if unknown.terminates {
                    useful.clear();
                    return;
                }
                let is_useful = unknown.writes.iter().any(|&slot| useful[slot]);
                unknown
                    .killed
                    .iter()
                    .for_each(|&slot| useful.set(slot, false));
                if is_useful {
                    self.spread_back(useful, &unknown.reads);
                }
            }
        }
    }

    fn step_call_back(&self, call: &CallFlow, useful: &mut FixedBitSet) {
        let summary = &self.summaries[call.callee.index()];
        let mut ports = FixedBitSet::with_capacity(call.inputs.len());
        for output in &call.outputs {
            if output.target.slots.iter().any(|&slot| useful[slot]) {
                ports.union_with(&summary.of[output.port]);
            }
        }
        for slot in call.overwritten(summary) {
            useful.set(slot, false);
        }
        for port in ports.ones() {
            self.spread_back(useful, &call.inputs[port].slots);
        }
    }

    fn spread_back(&self, useful: &mut FixedBitSet, slots: &[usize]) {
        for &slot in slots {
            useful.insert(slot);
            for &other in &self.slots.overlapping[slot] {
                useful.insert(other);
            }
        }
    }
}

impl CallFlow {
    /// Slots that the call certainly overwrites.
    pub fn overwritten<'a>(
        &'a self,
        summary: &'a Dependencies,
    ) -> impl Iterator<Item = usize> + 'a {
        self.outputs
            .iter()
            .filter(|output| output.target.strong && !summary.of[output.port][output.port])
            .flat_map(|output| output.target.slots.iter().copied())
    }
}
