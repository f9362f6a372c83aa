//! Activity: which variables need a shadow, and which statements move derivatives.
//!
//! A variable is *varied* at a point if its value there depends, with a derivative, on an
//! independent variable; it is *useful* if it influences a dependent variable. It is *active* if it
//! is both at one point (Hascoët & Pascual, ACM TOMS 39(3), 2013). With `D(I)` the slots that
//! statement `I` may read with a derivative for what it writes, and `K(I)` the scalars that it
//! certainly overwrites:
//!
//! ```text
//! varied:  V⁺(I) = (V⁻(I) \ K(I)) ∪ { w written by I | D(I)(w) ∩ V⁻(I) ≠ ∅ }     joined over predecessors
//! useful:  U⁻(I) = (U⁺(I) \ K(I)) ∪ ⋃ { D(I)(w) | w written by I, w ∈ U⁺(I) }    joined over successors
//! active:  A = ⋃ over all points (V ∩ U)
//! ```
//!
//! Calls use a summary of the callee: which of its outputs depend on which of its inputs
//! (arguments, memory that outlives the call, the function's value). Both passes distribute over
//! unions, so one summary serves every calling context exactly.
//!
//! A callee is then analysed once for each pattern of (varied inputs, useful outputs) that occurs:
//! a [`Specialisation`]. More than sixteen patterns of one procedure are merged into their union.
//!
//! Conventions: whole assignments of scalars overwrite, those of array elements do not; integers
//! and truth values are never active; variables that overlap are active together; a record or a
//! pointer is active as a whole.
//!
//! **What generated code may rely on.** If every active variable's shadow starts at zero (or as the
//! caller passed it), every assignment to an active variable sets its shadow (to zero where the
//! statement is not active), and [`Specialisation::zeroed`] places are zeroed at calls, then all
//! shadows are right at all points, and shadows that are read are never undefined.
//!
//! Cost: per procedure and pattern a few passes over its statements (their number grows with the
//! depth of loops), each a union of bit sets of the procedure's variables per statement.

mod diagnose;
mod flow;
mod slots;
mod solve;
mod specialise;
mod summary;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;

use contraflow_ir::{Access, Diagnostic, Module, Passing, ProcedureId, StmtId, Type, VarId};
use fixedbitset::FixedBitSet;

use self::flow::Flow;
use self::slots::Slots;
pub(crate) use self::slots::type_carries;
use self::solve::Dependencies;
use super::call_graph::CallGraph;
use super::effects::{Effects, Shared};

/// Names a specialisation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpecialisationId(usize);

/// The activity of all procedures below a head.
#[derive(Clone, Debug)]
pub struct Activity {
    specialisations: Vec<Specialisation>,
    head: SpecialisationId,
    globals: BTreeSet<Shared>,
    hidden_inputs: Vec<Shared>,
    hidden_carriers: Vec<Shared>,
    warnings: Vec<Diagnostic>,
}

/// A procedure under one pattern of active inputs and outputs.
#[derive(Clone, Debug)]
pub struct Specialisation {
    /// The primal procedure.
    pub procedure: ProcedureId,
    active: FixedBitSet,
    varied_in: FixedBitSet,
    useful_in: FixedBitSet,
    useful_out: FixedBitSet,
    varied_out: FixedBitSet,
    varied_before: Vec<FixedBitSet>,
    useful_after: Vec<FixedBitSet>,
    active_statements: FixedBitSet,
    calls: BTreeMap<StmtId, SpecialisationId>,
    zeroed: BTreeMap<StmtId, Vec<Access>>,
}

impl Activity {
    /// Analyses what `head` and its callees do between the independent and the dependent
    /// variables, all of them variables of `head`.
    ///
    /// # Errors
    /// `inactive-output`: a dependent that depends on no independent. `no-rule`: an active value
    /// passes a procedure without source, or a function without derivative. `opaque-active`: an
    /// active value passes code that was not understood.
    pub fn of(
        module: &Module,
        effects: &Effects,
        head: ProcedureId,
        independents: &[VarId],
        dependents: &[VarId],
    ) -> Result<Activity, Vec<Diagnostic>> {
        let program = Program::of(module, effects, head);
        let found = specialise::search(&program, head, independents, dependents);
        let errors = diagnose::errors(&program, &found, dependents);
        if !errors.is_empty() {
            return Err(errors);
        }
        let warnings = diagnose::warnings(&program, &found, independents);
        Ok(specialise::activity(&program, found, warnings))
    }

    /// The specialisation of the head.
    pub fn head(&self) -> SpecialisationId {
        self.head
    }

    /// All specialisations with their names; callees before callers, but for recursion.
    pub fn bottom_up(&self) -> Vec<SpecialisationId> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        self.visit(self.head, &mut seen, &mut order);
        order
    }

    /// The memory outliving calls, arguments apart, that needs a shadow.
    pub fn active_globals(&self) -> &BTreeSet<Shared> {
        &self.globals
    }

    /// Active memory whose value at entry influences a dependent and that the head has no name for.
    /// Its shadow must be zero when the head's derivative is called.
    pub fn hidden_inputs(&self) -> &[Shared] {
        &self.hidden_inputs
    }

    /// Those [`hidden_inputs`](Self::hidden_inputs) that may depend on an independent when the head
    /// returns.
    pub fn hidden_carriers(&self) -> &[Shared] {
        &self.hidden_carriers
    }

    /// Findings that are no errors: `inactive-input`.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn visit(
        &self,
        id: SpecialisationId,
        seen: &mut BTreeSet<SpecialisationId>,
        order: &mut Vec<SpecialisationId>,
    ) {
        if seen.insert(id) {
            for &callee in self[id].calls.values() {
                self.visit(callee, seen, order);
            }
            order.push(id);
        }
    }
}

impl Index<SpecialisationId> for Activity {
    type Output = Specialisation;
    fn index(&self, id: SpecialisationId) -> &Specialisation {
        &self.specialisations[id.0]
    }
}

impl Specialisation {
    /// The variables that need a shadow.
    pub fn active_variables(&self) -> impl Iterator<Item = VarId> + '_ {
        self.active.ones().map(VarId::from_index)
    }

    /// Whether the variable needs a shadow.
    pub fn is_active(&self, var: VarId) -> bool {
        self.active.contains(var.index())
    }

    /// Whether the variable may depend on an independent when the procedure is entered.
    pub fn is_varied_in(&self, var: VarId) -> bool {
        self.varied_in.contains(var.index())
    }

    /// Whether the variable's value at entry may influence a dependent. If not, its shadow need not
    /// be defined at entry.
    pub fn is_useful_in(&self, var: VarId) -> bool {
        self.useful_in.contains(var.index())
    }

    /// Whether the variable may influence a dependent after the procedure has returned.
    pub fn is_useful_out(&self, var: VarId) -> bool {
        self.useful_out.contains(var.index())
    }

    /// Whether the variable may depend on an independent when the procedure has returned.
    pub fn is_varied_out(&self, var: VarId) -> bool {
        self.varied_out.contains(var.index())
    }

    /// Whether a derivative moves through the statement itself: a call that has a
    /// [`callee`](Self::callee), or an assignment, fill, or copy of a varied value to a target that
    /// is useful afterwards. An assignment that is not active gives the shadow of an active target
    /// the value zero.
    pub fn is_active_statement(&self, stmt: StmtId) -> bool {
        self.active_statements.contains(stmt.index())
    }

    /// The specialisation that a call's derivative calls; `None` for a passive call.
    pub fn callee(&self, stmt: StmtId) -> Option<SpecialisationId> {
        self.calls.get(&stmt).copied()
    }

    /// Places in the caller that a call overwrites with passive values and whose shadow the caller
    /// must set to zero: after the call in a tangent, before its reversal in an adjoint.
    pub fn zeroed(&self, stmt: StmtId) -> &[Access] {
        self.zeroed.get(&stmt).map_or(&[], Vec::as_slice)
    }

    /// Whether the variable's value before the statement may depend on an independent. In a loop:
    /// in any iteration.
    pub fn is_varied_before(&self, stmt: StmtId, var: VarId) -> bool {
        contains(&self.varied_before, stmt, var)
    }

    /// Whether the variable's value after the statement may influence a dependent. In a loop: in
    /// any iteration.
    pub fn is_useful_after(&self, stmt: StmtId, var: VarId) -> bool {
        contains(&self.useful_after, stmt, var)
    }

    /// Whether the derived procedure has a shadow argument for the formal at `position`. A formal
    /// passed by value that is passive at entry keeps its shadow inside.
    pub fn has_shadow_argument(&self, module: &Module, position: usize) -> bool {
        let procedure = &module.procedures[self.procedure];
        procedure.arguments.get(position).is_some_and(|&formal| {
            let variable = &procedure.variables[formal];
            let is_shared = variable.passing == Passing::Reference
                || matches!(variable.ty, Type::Pointer(_) | Type::Address);
            self.is_active(formal) && (is_shared || self.is_varied_in(formal))
        })
    }
}

fn contains(table: &[FixedBitSet], stmt: StmtId, var: VarId) -> bool {
    table
        .get(stmt.index())
        .is_some_and(|set| set.contains(var.index()))
}

/// What all parts of the analysis share: the procedures that the head reaches.
struct Program<'a> {
    module: &'a Module,
    effects: &'a Effects,
    slots: Vec<Option<Slots>>,
    flows: Vec<Vec<Flow>>,
    summaries: Vec<Dependencies>,
    /// The ports of each procedure through which it makes, releases or redirects memory.
    moved: Vec<FixedBitSet>,
}

impl<'a> Program<'a> {
    fn of(module: &'a Module, effects: &'a Effects, head: ProcedureId) -> Program<'a> {
        let graph = CallGraph::of(module, effects);
        let reachable = graph.reachable(head);
        let slots: Vec<Option<Slots>> = module
            .procedures
            .ids()
            .map(|id| {
                reachable
                    .contains(&id)
                    .then(|| Slots::of(module, effects, id))
            })
            .collect();
        let flows: Vec<Vec<Flow>> = module
            .procedures
            .ids()
            .map(|id| flow::flows(module, effects, &slots, id))
            .collect();
        let summaries = summary::summaries(module, &graph, &slots, &flows);
        let moved = summary::moved(module, &graph, &slots, &flows);
        Program {
            module,
            effects,
            slots,
            flows,
            summaries,
            moved,
        }
    }

    /// The slots of a procedure that the head reaches.
    fn slots(&self, id: ProcedureId) -> &Slots {
        self.slots[id.index()]
            .as_ref()
            .expect("only procedures that the head reaches are specialised")
    }
}
