//! The search for all specialisations, and the closure that gives shadows to what needs one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use contraflow_ir::{Access, Diagnostic, Passing, ProcedureId, Stmt, StmtId, Type, VarId};
use fixedbitset::FixedBitSet;

use super::flow::{CallFlow, Flow};
use super::slots::Port;
use super::solve::Body;
use super::{Activity, Program, Specialisation, SpecialisationId};
use crate::analysis::effects::Shared;

/// Patterns of one procedure beyond this number are merged.
const MOST_PATTERNS: usize = 16;

/// Slots of a procedure that are varied when it is entered, and useful when it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    pub varied_in: FixedBitSet,
    pub useful_out: FixedBitSet,
}

impl Pattern {
    fn empty(slots: usize) -> Pattern {
        Pattern {
            varied_in: FixedBitSet::with_capacity(slots),
            useful_out: FixedBitSet::with_capacity(slots),
        }
    }

    fn absorb(&mut self, other: &Pattern) -> bool {
        let grown = !other.varied_in.is_subset(&self.varied_in)
            || !other.useful_out.is_subset(&self.useful_out);
        self.varied_in.union_with(&other.varied_in);
        self.useful_out.union_with(&other.useful_out);
        grown
    }
}

/// A procedure under a pattern with the facts at each point.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub procedure: ProcedureId,
    pub pattern: Pattern,
    pub varied_before: Vec<FixedBitSet>,
    pub useful_after: Vec<FixedBitSet>,
    pub varied_at_exit: FixedBitSet,
    pub useful_at_entry: FixedBitSet,
    /// Slots that are varied and useful at one point.
    live: FixedBitSet,
    /// The pattern of each active call.
    calls: BTreeMap<StmtId, Pattern>,
    zeroed: BTreeMap<StmtId, Vec<Access>>,
}

/// All contexts below a head, the head's first.
pub(super) struct Contexts {
    pub all: Vec<Context>,
    merged: BTreeSet<ProcedureId>,
}

impl Contexts {
    /// The context that serves calls of `procedure` with `pattern`. The head's context serves only
    /// the head.
    fn find(&self, procedure: ProcedureId, pattern: &Pattern) -> Option<usize> {
        let is_merged = self.merged.contains(&procedure);
        (1..self.all.len()).find(|&index| {
            let context = &self.all[index];
            context.procedure == procedure && (is_merged || context.pattern == *pattern)
        })
    }

    /// The index of the context behind an active call.
    pub fn callee(&self, program: &Program<'_>, context: usize, stmt: StmtId) -> Option<usize> {
        let pattern = self.all[context].calls.get(&stmt)?;
        let Flow::Call(call) = &program.flows[self.all[context].procedure.index()][stmt.index()]
        else {
            return None;
        };
        self.find(call.callee, pattern)
    }
}

pub(super) fn search(
    program: &Program<'_>,
    head: ProcedureId,
    independents: &[VarId],
    dependents: &[VarId],
) -> Contexts {
    let slots = program.slots(head);
    let mut pattern = Pattern::empty(slots.len());
    let carrying = |vars: &[VarId]| -> Vec<usize> {
        vars.iter()
            .map(|var| var.index())
            .filter(|&slot| slots.carries[slot])
            .collect()
    };
    pattern.varied_in.extend(carrying(independents));
    pattern.useful_out.extend(carrying(dependents));
    let mut contexts = Contexts {
        all: vec![analyse(program, head, pattern)],
        merged: BTreeSet::new(),
    };
    let mut pending = VecDeque::from([0]);
    while let Some(index) = pending.pop_front() {
        let Context { procedure, .. } = contexts.all[index];
        let calls: Vec<(StmtId, Pattern)> = contexts.all[index]
            .calls
            .iter()
            .map(|(&stmt, pattern)| (stmt, pattern.clone()))
            .collect();
        for (stmt, pattern) in calls {
            let Flow::Call(call) = &program.flows[procedure.index()][stmt.index()] else {
                continue;
            };
            pending.extend(require(program, &mut contexts, call.callee, pattern));
        }
    }
    contexts
}

/// Makes sure that some context serves the pattern; the context to look into, if it is new.
fn require(
    program: &Program<'_>,
    contexts: &mut Contexts,
    procedure: ProcedureId,
    mut pattern: Pattern,
) -> Option<usize> {
    if let Some(index) = contexts.find(procedure, &pattern) {
        if !contexts.merged.contains(&procedure)
            || !contexts.all[index].pattern.clone().absorb(&pattern)
        {
            return None;
        }
        pattern.absorb(&contexts.all[index].pattern);
        contexts.all[index] = analyse(program, procedure, pattern);
        return Some(index);
    }
    let known: Vec<usize> = (1..contexts.all.len())
        .filter(|&index| contexts.all[index].procedure == procedure)
        .collect();
    if known.len() < MOST_PATTERNS {
        contexts.all.push(analyse(program, procedure, pattern));
        return Some(contexts.all.len() - 1);
    }
    for &index in &known {
        pattern.absorb(&contexts.all[index].pattern);
    }
    contexts.merged.insert(procedure);
    contexts.all[known[0]] = analyse(program, procedure, pattern);
    Some(known[0])
}

fn analyse(program: &Program<'_>, id: ProcedureId, pattern: Pattern) -> Context {
    let procedure = &program.module.procedures[id];
    let slots = program.slots(id);
    let body = Body {
        procedure,
        slots,
        flows: &program.flows[id.index()],
        summaries: &program.summaries,
    };
    let none = FixedBitSet::with_capacity(slots.len());
    let mut varied_before = vec![none.clone(); procedure.stmts.len()];
    let mut varied_after = varied_before.clone();
    let mut useful_before = varied_before.clone();
    let mut useful_after = varied_before.clone();
    let with_overlaps = |set: &FixedBitSet| {
        let mut all = set.clone();
        for slot in set.ones() {
            all.extend(slots.overlapping[slot].iter().copied());
        }
        all
    };
    let mut varied = with_overlaps(&pattern.varied_in);
    let entry = varied.clone();
    body.forward(&procedure.body, &mut varied, &mut |stmt, before, after| {
        varied_before[stmt.index()].union_with(before);
        varied_after[stmt.index()].union_with(after);
    });
    let mut useful = with_overlaps(&pattern.useful_out);
    let exit = useful.clone();
    body.backward(&procedure.body, &mut useful, &mut |stmt, before, after| {
        useful_before[stmt.index()].union_with(before);
        useful_after[stmt.index()].union_with(after);
    });
    let mut live = none;
    let before = varied_before.iter().zip(&useful_before);
    let after = varied_after.iter().zip(&useful_after);
    for (varied, useful) in before
        .chain(after)
        .chain([(&entry, &useful), (&varied, &exit)])
    {
        live.extend(varied.intersection(useful));
    }
    let mut context = Context {
        procedure: id,
        pattern,
        varied_before,
        useful_after,
        varied_at_exit: varied,
        useful_at_entry: useful,
        live,
        calls: BTreeMap::new(),
        zeroed: BTreeMap::new(),
    };
    for stmt in procedure.all_statements() {
        match &program.flows[id.index()][stmt.index()] {
            Flow::Call(call) => context.resolve_call(program, stmt, call),
            Flow::Unknown(unknown) if !unknown.killed.is_empty() => {
                if let Stmt::Call { result, .. } = procedure.stmt(stmt) {
                    context
                        .zeroed
                        .insert(stmt, result.iter().cloned().collect());
                }
            }
            _ => {}
        }
    }
    context
}

impl Context {
    /// Finds the pattern under which a call's derivative is wanted, and what the call overwrites
    /// passively.
    fn resolve_call(&mut self, program: &Program<'_>, stmt: StmtId, call: &CallFlow) {
        let summary = &program.summaries[call.callee.index()];
        let callee_slots = program.slots(call.callee);
        let varied_before = &self.varied_before[stmt.index()];
        let useful_after = &self.useful_after[stmt.index()];
        let any = |slots: &[usize], set: &FixedBitSet| slots.iter().any(|&slot| set[slot]);
        let mut varied = FixedBitSet::with_capacity(call.inputs.len());
        for (port, input) in call.inputs.iter().enumerate() {
            varied.set(port, any(&input.slots, varied_before));
        }
        let mut wanted = self.pattern.useful_out.clone();
        add_overlapping(program, self.procedure, &mut wanted);
        let mut pattern = Pattern::empty(callee_slots.len());
        let mut zeroed = Vec::new();
        for output in &call.outputs {
            let inputs = &summary.of[output.port];
            let target = &output.target;
            let (kind, slot) = callee_slots.ports[output.port];
            // The shadow gets, loses and leads to memory as the variable does.
            let is_moved = program.moved[call.callee.index()][output.port]
                && callee_slots.carries[slot]
                && (any(&target.slots, &self.live) || any(&target.slots, &wanted));
            if is_moved {
                pattern.useful_out.insert(slot);
            }
            if !any(&target.slots, useful_after) {
                continue;
            }
            if !inputs.is_disjoint(&varied) {
                pattern.useful_out.insert(slot);
                let active = inputs.intersection(&varied);
                pattern
                    .varied_in
                    .extend(active.map(|port| callee_slots.ports[port].1));
            } else if !inputs[output.port] && callee_slots.carries[slot] {
                // Certainly overwritten, and with passive values.
                match &target.place {
                    Some(place) if is_scalar(program, call.callee, kind, slot) => {
                        zeroed.push(place.clone());
                    }
                    _ => pattern.useful_out.insert(slot),
                }
            }
        }
        if !pattern.useful_out.is_clear() {
            self.calls.insert(stmt, pattern);
        }
        if !zeroed.is_empty() {
            self.zeroed.insert(stmt, zeroed);
        }
    }
}

/// Whether the port is one number, so that the caller knows what is overwritten.
fn is_scalar(program: &Program<'_>, callee: ProcedureId, port: Port, slot: usize) -> bool {
    let procedure = &program.module.procedures[callee];
    match port {
        Port::Argument(_) | Port::Result => {
            !procedure.variables[VarId::from_index(slot)].is_array()
        }
        Port::Shared(_) => true,
    }
}

/// The result of the analysis, made of the contexts that the head reaches.
pub(super) fn activity(
    program: &Program<'_>,
    contexts: Contexts,
    warnings: Vec<Diagnostic>,
) -> Activity {
    let callees = reachable_calls(program, &contexts);
    let (active, globals) = close(program, &contexts, &callees);
    let names: BTreeMap<usize, SpecialisationId> = callees
        .keys()
        .enumerate()
        .map(|(position, &context)| (context, SpecialisationId(position)))
        .collect();
    let specialisations = callees
        .iter()
        .map(|(&index, calls)| {
            let context = &contexts.all[index];
            let calls = calls
                .iter()
                .map(|(&stmt, callee)| (stmt, names[callee]))
                .collect();
            specialisation(program, context, &active[&index], calls)
        })
        .collect();
    let (hidden_inputs, hidden_carriers) = hidden_inputs(program, &contexts.all[0], &active[&0]);
    Activity {
        specialisations,
        head: SpecialisationId(0),
        globals,
        hidden_inputs,
        hidden_carriers,
        warnings,
    }
}

/// Memory that the head has no name for and that is active and useful at entry; and what of it may
/// depend on an independent at exit.
fn hidden_inputs(
    program: &Program<'_>,
    head: &Context,
    active: &FixedBitSet,
) -> (Vec<Shared>, Vec<Shared>) {
    let slots = program.slots(head.procedure);
    let inputs = || {
        (slots.variables..)
            .zip(&slots.extras)
            .filter(|&(slot, _)| active[slot] && head.useful_at_entry[slot])
    };
    let carriers = inputs().filter(|&(slot, _)| head.varied_at_exit[slot]);
    (
        inputs().map(|(_, &shared)| shared).collect(),
        carriers.map(|(_, &shared)| shared).collect(),
    )
}

/// For each context that the head reaches the context of each active call.
pub(super) fn reachable_calls(
    program: &Program<'_>,
    contexts: &Contexts,
) -> BTreeMap<usize, BTreeMap<StmtId, usize>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        if found.contains_key(&index) {
            continue;
        }
        let calls: BTreeMap<StmtId, usize> = contexts.all[index]
            .calls
            .keys()
            .filter_map(|&stmt| Some((stmt, contexts.callee(program, index, stmt)?)))
            .collect();
        pending.extend(calls.values());
        found.insert(index, calls);
    }
    found
}

type ActiveSlots = BTreeMap<usize, FixedBitSet>;

/// Adds to what is active by itself: all that shares memory with it, and the actual arguments of
/// formals that have a shadow argument.
fn close(
    program: &Program<'_>,
    contexts: &Contexts,
    callees: &BTreeMap<usize, BTreeMap<StmtId, usize>>,
) -> (ActiveSlots, BTreeSet<Shared>) {
    let mut active: ActiveSlots = callees
        .keys()
        .map(|&index| {
            let context = &contexts.all[index];
            let mut slots = context.live.clone();
            slots.union_with(&context.pattern.varied_in);
            slots.union_with(&context.pattern.useful_out);
            (index, slots)
        })
        .collect();
    let mut globals = BTreeSet::new();
    loop {
        let mut changed = false;
        for (&index, calls) in callees {
            let mut slots = active[&index].clone();
            add_overlapping(program, contexts.all[index].procedure, &mut slots);
            changed |= add_shared(
                program,
                contexts.all[index].procedure,
                &mut slots,
                &mut globals,
            );
            for (&stmt, callee) in calls {
                add_actuals(program, contexts, index, stmt, &active[callee], &mut slots);
            }
            if !slots.is_subset(&active[&index]) {
                changed = true;
                active.insert(index, slots);
            }
        }
        if !changed {
            return (active, globals);
        }
    }
}

fn add_overlapping(program: &Program<'_>, id: ProcedureId, slots: &mut FixedBitSet) {
    let own = program.slots(id);
    let more: Vec<usize> = slots
        .ones()
        .flat_map(|slot| own.overlapping[slot].iter().copied())
        .collect();
    slots.extend(more);
}

fn add_shared(
    program: &Program<'_>,
    id: ProcedureId,
    slots: &mut FixedBitSet,
    globals: &mut BTreeSet<Shared>,
) -> bool {
    let own = program.slots(id);
    let mut changed = false;
    for slot in own.carries.ones() {
        let name = match slot.checked_sub(own.variables) {
            Some(extra) => Some(own.extras[extra]),
            None => program.effects.shared(id, VarId::from_index(slot)),
        };
        let Some(name) = name else {
            continue;
        };
        if slots[slot] {
            changed |= globals.insert(name);
        } else if globals.iter().any(|global| global.overlaps(name)) {
            slots.insert(slot);
        }
    }
    changed
}

fn add_actuals(
    program: &Program<'_>,
    contexts: &Contexts,
    caller: usize,
    stmt: StmtId,
    active_in_callee: &FixedBitSet,
    slots: &mut FixedBitSet,
) {
    let procedure = contexts.all[caller].procedure;
    let Flow::Call(call) = &program.flows[procedure.index()][stmt.index()] else {
        return;
    };
    let callee = &program.module.procedures[call.callee];
    let Stmt::Call { arguments, .. } = program.module.procedures[procedure].stmt(stmt) else {
        return;
    };
    for (port, &(kind, slot)) in program.slots(call.callee).ports.iter().enumerate() {
        let Port::Argument(position) = kind else {
            continue;
        };
        let formal = &callee.variables[VarId::from_index(slot)];
        let is_shared = formal.passing == Passing::Reference
            || matches!(formal.ty, Type::Pointer(_) | Type::Address);
        let is_place = matches!(
            arguments.get(position),
            Some(contraflow_ir::Argument::Place(_))
        );
        if active_in_callee[slot] && is_shared && (is_place || formal.passing == Passing::Value) {
            slots.extend(call.inputs[port].slots.iter().copied());
        }
    }
}

fn specialisation(
    program: &Program<'_>,
    context: &Context,
    active: &FixedBitSet,
    calls: BTreeMap<StmtId, SpecialisationId>,
) -> Specialisation {
    let id = context.procedure;
    let variables = program.slots(id).variables;
    let procedure = &program.module.procedures[id];
    let truncated = |set: &FixedBitSet| {
        let mut own = FixedBitSet::with_capacity(variables);
        own.extend(set.ones().take_while(|&slot| slot < variables));
        own
    };
    let mut active_statements = FixedBitSet::with_capacity(procedure.stmts.len());
    for stmt in procedure.stmts.ids() {
        let is_active = match &program.flows[id.index()][stmt.index()] {
            Flow::Move { target, source, .. } => {
                context.is_useful_after(stmt, *target)
                    && source
                        .slots
                        .iter()
                        .any(|&slot| context.is_varied_before(stmt, slot))
            }
            Flow::Call(_) => calls.contains_key(&stmt),
            Flow::Nothing | Flow::Kill(_) | Flow::Unknown(_) => false,
        };
        active_statements.set(stmt.index(), is_active);
    }
    let active = truncated(active);
    let zeroed = context
        .zeroed
        .iter()
        .map(|(&stmt, places)| {
            let places = places.iter().filter(|place| active[place.var.index()]);
            (stmt, places.cloned().collect())
        })
        .collect();
    Specialisation {
        procedure: id,
        varied_in: truncated(&context.pattern.varied_in),
        useful_in: truncated(&context.useful_at_entry),
        useful_out: truncated(&context.pattern.useful_out),
        varied_out: truncated(&context.varied_at_exit),
        varied_before: context.varied_before.iter().map(truncated).collect(),
        useful_after: context.useful_after.iter().map(truncated).collect(),
        active,
        active_statements,
        calls,
        zeroed,
    }
}

impl Context {
    pub fn is_varied_before(&self, stmt: StmtId, slot: usize) -> bool {
        self.varied_before[stmt.index()][slot]
    }

    pub fn is_useful_after(&self, stmt: StmtId, slot: usize) -> bool {
        self.useful_after[stmt.index()][slot]
    }
}
