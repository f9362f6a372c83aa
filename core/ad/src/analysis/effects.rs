//! What each procedure and each statement may read and write.
//!
//! For a procedure `p` the summary `T(p)` says of each formal argument and of each variable that
//! outlives the call whether it may be read and whether it may be written. It is the least
//! solution of
//!
//! ```text
//! T(p) = ⋃ { touches of s : s a statement of p }
//! touches of `call q(a…)` = T(q) with formals replaced by the actual arguments a…
//! ```
//!
//! found by iteration from the empty summary, so recursion needs no care. A variable that overlaps
//! with others (COMMON, EQUIVALENCE, pointers) stands for them as well in `T(p)`; in the effects of
//! a *statement* only the names that it states appear, and [`Effects::overlaps`] tells what else
//! they may mean.
//!
//! A callee without source may read and write every place that it gets, but no global: what has no
//! source and changes globals must be described by a rule. A callee that is a procedure variable
//! may be any procedure that is passed as an argument anywhere.
//!
//! Cost: one walk over all statements, then one over the call statements per round; the number of
//! rounds is bounded by the depth of the call graph.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Callee, CommonId, ExprId, GlobalId, Intent, Module, Passing, Procedure,
    ProcedureId, Selector, Stmt, StmtId, Storage, Type, VarId, place_of,
};

use super::memory::{self, Extension, Root};
use crate::allocation::holds_allocatables;

/// Whether memory may be read and written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Touch {
    /// It may be read.
    pub read: bool,
    /// It may be written.
    pub write: bool,
    /// It may be given memory, lose it, or be pointed elsewhere.
    pub reshape: bool,
}

impl Touch {
    const BOTH: Touch = Touch {
        read: true,
        write: true,
        reshape: false,
    };

    fn join(&mut self, other: Touch) -> bool {
        let before = *self;
        self.read |= other.read;
        self.write |= other.write;
        self.reshape |= other.reshape;
        *self != before
    }
}

/// Memory that outlives calls, named independently of any procedure that uses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shared {
    /// A variable of a module or translation unit.
    Global(GlobalId),
    /// Bytes `start..end` of a COMMON block.
    Common {
        /// The block.
        block: CommonId,
        /// First byte.
        start: i64,
        /// One past the last byte; `i64::MAX` where the length is not known.
        end: i64,
    },
    /// A variable of a procedure that keeps its value between calls.
    Saved(ProcedureId, VarId),
}

impl Shared {
    /// Whether two names can mean the same memory.
    pub fn overlaps(self, other: Shared) -> bool {
        match (self, other) {
            (
                Shared::Common { block, start, end },
                Shared::Common {
                    block: block_other,
                    start: start_other,
                    end: end_other,
                },
            ) => block == block_other && start < end_other && start_other < end,
            _ => self == other,
        }
    }
}

/// What [`Shared`] is a part of: names of different memory never overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Memory {
    Global(GlobalId),
    Common(CommonId),
    Saved(ProcedureId, VarId),
}

impl Shared {
    pub(super) fn memory(self) -> Memory {
        match self {
            Shared::Global(global) => Memory::Global(global),
            Shared::Common { block, .. } => Memory::Common(block),
            Shared::Saved(procedure, var) => Memory::Saved(procedure, var),
        }
    }
}

/// What one statement itself reads and writes; not what the blocks inside it do.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct StmtEffects {
    /// Values that it may read, subscripts included.
    pub reads: Vec<Access>,
    /// Places that it may write.
    pub writes: Vec<Access>,
    /// Places whose memory it may make, release or exchange; they are among the written ones.
    pub reshapes: Vec<Access>,
}

#[derive(Clone, PartialEq, Default, Debug)]
struct Summary {
    arguments: Vec<Touch>,
    shared: BTreeMap<Shared, Touch>,
}

/// Summaries of all procedures of a module, and the overlaps of their variables.
#[derive(Clone, Debug)]
pub struct Effects {
    summaries: Vec<Summary>,
    overlapping: Vec<memory::Others>,
    unseen: Vec<memory::Others>,
    shared: Vec<Vec<Option<Shared>>>,
    named: Vec<BTreeMap<Memory, Vec<VarId>>>,
    passed: BTreeSet<ProcedureId>,
    /// The addresses in local variables that nobody reaches but by their names.
    nobodys: Vec<BTreeSet<VarId>>,
    tables: BTreeSet<GlobalId>,
}

impl Effects {
    /// Analyses all procedures.
    pub fn of(module: &Module) -> Effects {
        let shared: Vec<Vec<Option<Shared>>> = module
            .procedures
            .ids()
            .map(|id| shared_names(module, id))
            .collect();
        let movers = memory::movers(module);
        let tables = super::tables::tables(module);
        let records = super::followed::records_followed(module);
        let (overlapping, unseen) = module
            .procedures
            .ids()
            .map(|id| memory::overlapping(module, id, &movers, &tables, records.get(&id)))
            .unzip();
        let mut effects = Effects {
            summaries: module
                .procedures
                .iter()
                .map(|(_, p)| start(module, p))
                .collect(),
            overlapping,
            unseen,
            tables,
            named: shared.iter().map(|names| by_memory(names)).collect(),
            shared,
            passed: passed_procedures(module),
            nobodys: module
                .procedures
                .iter()
                .map(|(_, procedure)| super::pointers::nobodys(procedure))
                .collect(),
        };
        let mut calls = Vec::new();
        for (id, procedure) in module.procedures.iter().filter(|(_, p)| p.has_body) {
            for stmt in procedure.all_statements() {
                effects.absorb(module, id, stmt);
                if matches!(procedure.stmt(stmt), Stmt::Call { .. }) {
                    calls.push((id, stmt));
                }
            }
        }
        loop {
            let mut changed = false;
            for &(id, stmt) in calls.iter().rev() {
                changed |= effects.absorb(module, id, stmt);
            }
            if !changed {
                return effects;
            }
        }
    }

    /// What one statement itself may read and write, in names of its procedure.
    pub fn stmt(&self, module: &Module, procedure: ProcedureId, stmt: StmtId) -> StmtEffects {
        Collector {
            effects: self,
            module,
            caller: procedure,
            procedure: &module.procedures[procedure],
            found: StmtEffects::default(),
        }
        .collect(stmt)
    }

    /// What a procedure may do to the memory of its `position`-th argument, and to what is reached
    /// through it. Positions past the formals (variadic calls) may be read and written.
    pub fn argument(&self, procedure: ProcedureId, position: usize) -> Touch {
        let summary = &self.summaries[procedure.index()];
        summary
            .arguments
            .get(position)
            .copied()
            .unwrap_or(Touch::BOTH)
    }

    /// The memory that outlives calls which a procedure and its callees may touch, arguments apart.
    pub fn callee_globals(
        &self,
        procedure: ProcedureId,
    ) -> impl Iterator<Item = (Shared, Touch)> + '_ {
        let summary = &self.summaries[procedure.index()];
        summary
            .shared
            .iter()
            .map(|(&shared, &touch)| (shared, touch))
    }

    /// What a procedure and its callees may do to one such memory.
    pub fn global(&self, procedure: ProcedureId, shared: Shared) -> Touch {
        let summary = &self.summaries[procedure.index()];
        summary.shared.get(&shared).copied().unwrap_or_default()
    }

    /// The name, valid in all procedures, of a variable that outlives calls and is no argument.
    pub fn shared(&self, procedure: ProcedureId, var: VarId) -> Option<Shared> {
        self.shared[procedure.index()]
            .get(var.index())
            .copied()
            .flatten()
    }

    /// The variables of a procedure that name memory overlapping with `shared`.
    pub fn variables_of(
        &self,
        procedure: ProcedureId,
        shared: Shared,
    ) -> impl Iterator<Item = VarId> + '_ {
        let names = &self.shared[procedure.index()];
        self.named[procedure.index()]
            .get(&shared.memory())
            .into_iter()
            .flatten()
            .copied()
            .filter(move |var| names[var.index()].is_some_and(|name| name.overlaps(shared)))
    }

    /// Whether a procedure has names for all of some shared memory.
    pub fn is_named(&self, procedure: ProcedureId, shared: Shared) -> bool {
        let names = || self.variables_of(procedure, shared);
        let Shared::Common { start, end, .. } = shared else {
            return names().next().is_some();
        };
        let mut parts: Vec<(i64, i64)> = names()
            .filter_map(|var| match self.shared(procedure, var)? {
                Shared::Common { start, end, .. } => Some((start, end)),
                _ => None,
            })
            .collect();
        parts.sort_unstable();
        let reached = parts.into_iter().fold(start, |reached, (from, to)| {
            if from <= reached {
                reached.max(to)
            } else {
                reached
            }
        });
        reached >= end
    }

    /// Whether two variables of a procedure can mean common memory.
    pub fn overlaps(&self, procedure: ProcedureId, a: VarId, b: VarId) -> bool {
        a == b || self.overlapping(procedure, a).contains(&b)
    }

    /// The other variables of a procedure that can share memory with `var`.
    pub fn overlapping(&self, procedure: ProcedureId, var: VarId) -> &[VarId] {
        self.overlapping[procedure.index()]
            .get(var.index())
            .map_or(&[], Vec::as_slice)
    }

    /// The procedures that a call may reach; empty if there is none with known effects.
    pub fn targets(&self, callee: &Callee) -> Vec<ProcedureId> {
        match callee {
            Callee::Procedure(id) => vec![*id],
            Callee::External(_) => Vec::new(),
            Callee::Variable(_) => self.passed.iter().copied().collect(),
        }
    }

    /// Whether nobody writes a variable of a procedure, nor what its pointers lead to, by any name.
    pub fn is_table(&self, module: &Module, procedure: ProcedureId, var: VarId) -> bool {
        let variable = &module.procedures[procedure].variables[var];
        matches!(variable.storage, Storage::Global(global) if self.tables.contains(&global))
    }

    fn absorb(&mut self, module: &Module, id: ProcedureId, stmt: StmtId) -> bool {
        let StmtEffects {
            reads,
            writes,
            reshapes,
        } = self.stmt(module, id, stmt);
        let mut changed = false;
        for access in &reads {
            let touch = Touch {
                read: true,
                ..Touch::default()
            };
            changed |= self.note(module, id, access, touch);
        }
        for access in &writes {
            let touch = Touch {
                write: true,
                ..Touch::default()
            };
            let is_moved = matches!(module.procedures[id].stmt(stmt),
                Stmt::PointerAssign { target, .. } if target == access && access.path.is_empty());
            let is_nobodys = || is_moved && self.nobodys[id.index()].contains(&access.var);
            changed |= match moves_only(&module.procedures[id], stmt, access) || is_nobodys() {
                true => self.note_one(module, id, access, access.var, touch),
                false => self.note(module, id, access, touch),
            };
        }
        for access in &reshapes {
            let touch = Touch {
                reshape: true,
                ..Touch::default()
            };
            let is_own = access.path.is_empty()
                && !matches!(module.procedures[id].stmt(stmt), Stmt::Free { .. });
            changed |= match is_own {
                // Where one pointer points to is nothing to others.
                true => self.note_one(module, id, access, access.var, touch),
                false => self.note(module, id, access, touch),
            };
        }
        // What a callee does to memory that the caller has no name for.
        if let Stmt::Call { callee, .. } = module.procedures[id].stmt(stmt) {
            for target in self.targets(callee) {
                let inherited: Vec<_> = self.callee_globals(target).collect();
                let summary = &mut self.summaries[id.index()];
                for (shared, touch) in inherited {
                    changed |= summary.shared.entry(shared).or_default().join(touch);
                }
            }
        }
        changed
    }

    fn note(&mut self, module: &Module, id: ProcedureId, access: &Access, touch: Touch) -> bool {
        let others = self.unseen[id.index()].get(access.var.index());
        let others = others.cloned().unwrap_or_default();
        let mut changed = false;
        for var in std::iter::once(access.var).chain(others) {
            changed |= self.note_one(module, id, access, var, touch);
        }
        changed
    }

    /// Notes a touch of `access` for `var`, one of the variables that it may mean.
    fn note_one(
        &mut self,
        module: &Module,
        id: ProcedureId,
        access: &Access,
        var: VarId,
        touch: Touch,
    ) -> bool {
        let variable = &module.procedures[id].variables[var];
        let summary = &mut self.summaries[id.index()];
        if let Storage::Argument { index } = variable.storage {
            let stays_inside = variable.passing == Passing::Value
                && touch.write
                && var == access.var
                && !access.path.contains(&Selector::Deref);
            return !stays_inside
                && summary
                    .arguments
                    .get_mut(index as usize)
                    .is_some_and(|argument| argument.join(touch));
        }
        self.shared[id.index()][var.index()]
            .is_some_and(|shared| summary.shared.entry(shared).or_default().join(touch))
    }
}

/// Whether a statement lets a pointer with a descriptor point elsewhere and does nothing to what it, or any
/// other pointer, points to. (The address of such a pointer is nobody's.)
fn moves_only(procedure: &Procedure, stmt: StmtId, access: &Access) -> bool {
    let variable = &procedure.variables[access.var];
    matches!(procedure.stmt(stmt), Stmt::PointerAssign { target, .. } | Stmt::Allocate { target, .. }
        if target == access)
        && access.path.is_empty()
        && variable.allocation == contraflow_ir::Allocation::Pointer
        && !procedure.scalars_by_value
}

/// The summary to start from: nothing; without a body what the interface promises.
fn start(module: &Module, procedure: &Procedure) -> Summary {
    let arguments = procedure
        .arguments
        .iter()
        .map(|&var| {
            let variable = &procedure.variables[var];
            if procedure.has_body {
                return Touch::default();
            }
            // An address that comes as a value stays, what it leads to need not.
            let is_value = match variable.passing {
                Passing::Value => !memory::leads_on(module, variable.ty, 0),
                _ => variable.intent == Intent::In,
            };
            let kept = variable.read_only || is_value;
            Touch {
                read: variable.intent != Intent::Out,
                write: !kept,
                reshape: !kept && variable.allocation != contraflow_ir::Allocation::Fixed,
            }
        })
        .collect();
    Summary {
        arguments,
        shared: BTreeMap::new(),
    }
}

fn is_address(ty: Type) -> bool {
    matches!(ty, Type::Pointer(_) | Type::Address | Type::Unknown)
}

fn shared_names(module: &Module, id: ProcedureId) -> Vec<Option<Shared>> {
    let procedure = &module.procedures[id];
    procedure
        .variables
        .ids()
        .map(|var| {
            let Extension { root, start, end } = memory::extension(module, procedure, var);
            match root {
                Root::Common(block) => Some(Shared::Common { block, start, end }),
                Root::Variable(root) => match procedure.variables[root].storage {
                    Storage::Global(global) => Some(Shared::Global(global)),
                    Storage::Saved => Some(Shared::Saved(id, root)),
                    _ => None,
                },
            }
        })
        .collect()
}

fn by_memory(names: &[Option<Shared>]) -> BTreeMap<Memory, Vec<VarId>> {
    let mut variables: BTreeMap<Memory, Vec<VarId>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        if let Some(name) = name {
            let var = VarId::from_index(index);
            variables.entry(name.memory()).or_default().push(var);
        }
    }
    variables
}

fn passed_procedures(module: &Module) -> BTreeSet<ProcedureId> {
    let procedures = module.procedures.iter();
    procedures
        .flat_map(|(_, procedure)| procedure.handed_on())
        .collect()
}

struct Collector<'a> {
    effects: &'a Effects,
    module: &'a Module,
    caller: ProcedureId,
    procedure: &'a Procedure,
    found: StmtEffects,
}

impl Collector<'_> {
    fn collect(mut self, id: StmtId) -> StmtEffects {
        let stmt = self.procedure.stmt(id);
        if let Stmt::Call {
            callee,
            arguments,
            result,
        } = stmt
        {
            self.call(callee, arguments, result.as_ref());
            return self.found;
        }
        for e in stmt.expressions() {
            self.read_expr(e);
        }
        match stmt {
            Stmt::Assign { target, value } => {
                self.write(target);
                if holds_allocatables(self.module, self.procedure.exprs[*value].ty) {
                    self.reshape(target);
                }
            }
            Stmt::Fill { target, .. } => self.write(target),
            Stmt::Allocate { target, .. } | Stmt::Free { target } => {
                self.write(target);
                self.reshape(target);
            }
            Stmt::Loop { variable, .. } => self.write(&Access::whole(*variable)),
            Stmt::PointerAssign {
                target,
                value,
                is_pointer,
                ..
            } => {
                if let (Some(value), true) = (value, is_pointer) {
                    self.read(value);
                }
                self.write(target);
                // Behind a pointer to a function is no memory.
                let place = place_of(self.module, self.procedure, target);
                if place.is_ok_and(|place| place.ty != Type::Procedure) {
                    self.reshape(target);
                }
            }
            Stmt::Copy { target, source } => {
                self.read(source);
                self.write(target);
            }
            Stmt::Push { tape, .. } => self.write(&Access::whole(*tape)),
            Stmt::Pop { tape, target } => {
                self.read(&Access::whole(*tape));
                self.write(&Access::whole(*tape));
                self.write(target);
            }
            Stmt::Opaque { reads, writes, .. } => {
                reads.iter().for_each(|access| self.read(access));
                writes.iter().for_each(|access| self.write(access));
            }
            Stmt::Call { .. }
            | Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Region { .. }
            | Stmt::Labelled { .. }
            | Stmt::Jump(_)
            | Stmt::Stop { .. }
            | Stmt::Comment(_) => {}
        }
        self.found
    }

    fn read(&mut self, access: &Access) {
        if !self.found.reads.contains(access) {
            self.found.reads.push(access.clone());
        }
    }

    fn write(&mut self, access: &Access) {
        if !self.found.writes.contains(access) {
            self.found.writes.push(access.clone());
        }
    }

    fn read_expr(&mut self, e: ExprId) {
        for access in self.procedure.reads_of_expr(e) {
            self.read(access);
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument], result: Option<&Access>) {
        let targets = self.effects.targets(callee);
        for (position, argument) in arguments.iter().enumerate() {
            self.argument(&targets, position, argument);
        }
        for &target in &targets {
            for (shared, touch) in self.effects.callee_globals(target) {
                let variables: Vec<VarId> =
                    self.effects.variables_of(self.caller, shared).collect();
                for var in variables {
                    self.touch(&Access::whole(var), touch);
                }
            }
        }
        if let Some(result) = result {
            result.expressions().for_each(|e| self.read_expr(e));
            self.write(result);
            if self.gives_address(&targets, result) || self.gives_memory(result) {
                self.reshape(result);
            }
        }
    }

    /// Whether the value of one of the procedures is an address or holds one.
    fn gives_address(&self, targets: &[ProcedureId], result: &Access) -> bool {
        let holds_one = || {
            place_of(self.module, self.procedure, result)
                .is_ok_and(|place| memory::leads_on(self.module, place.ty, 0))
        };
        if targets.is_empty() && self.procedure.scalars_by_value {
            return holds_one();
        }
        targets.iter().any(|&target| {
            let callee = &self.module.procedures[target];
            callee.scalars_by_value
                && callee.result().is_some_and(|value| {
                    memory::leads_on(self.module, callee.variables[value].ty, 0)
                })
        })
    }

    /// Whether what gets a function's value has memory of its own that the value replaces.
    fn gives_memory(&self, result: &Access) -> bool {
        let place = contraflow_ir::place_of(self.module, self.procedure, result);
        place.is_ok_and(|place| holds_allocatables(self.module, place.ty))
    }

    fn argument(&mut self, targets: &[ProcedureId], position: usize, argument: &Argument) {
        let touch = self.touch_of_argument(targets, position);
        match argument {
            Argument::Value(value) => {
                self.read_expr(*value);
                if touch.write {
                    let ty = self.procedure.exprs[*value].ty;
                    for access in self.procedure.reads_of_expr(*value) {
                        self.write_behind(access, ty, 0);
                    }
                }
            }
            Argument::Place(place) => {
                place.expressions().for_each(|e| self.read_expr(e));
                let takes_array = targets.is_empty()
                    || targets.iter().any(|&t| self.formal_is_array(t, position));
                let reached = match takes_array {
                    true => before_last_element(self.procedure, place),
                    false => place.clone(),
                };
                self.touch(&reached, touch);
            }
            Argument::Opaque { reads, .. } => {
                for access in reads {
                    access.expressions().for_each(|e| self.read_expr(e));
                    self.read(access);
                }
            }
            Argument::Procedure(_) | Argument::Absent => {}
        }
    }

    /// Notes writes to what the pointers in a place of type `ty` lead to.
    fn write_behind(&mut self, place: &Access, ty: Type, depth: u32) {
        const DEEP: u32 = 12;
        if is_address(ty) {
            let mut reached = place.clone();
            reached.path.push(Selector::Deref);
            self.write(&reached);
        }
        let Type::Record(record) = ty else { return };
        let module = self.module;
        for (position, field) in module.records[record].fields.iter().enumerate() {
            if depth > DEEP || !memory::leads_on(module, field.ty, 0) {
                continue;
            }
            let mut part = place.clone();
            part.path.push(Selector::Field(position as u32));
            match field.shape.is_empty() {
                true => self.write_behind(&part, field.ty, depth + 1),
                false => self.write(&part),
            }
        }
    }

    fn touch_of_argument(&self, targets: &[ProcedureId], position: usize) -> Touch {
        if targets.is_empty() {
            return Touch::BOTH;
        }
        let mut touch = Touch::default();
        for &target in targets {
            touch.join(self.effects.argument(target, position));
        }
        touch
    }

    fn formal_is_array(&self, target: ProcedureId, position: usize) -> bool {
        let callee = &self.module.procedures[target];
        callee.arguments.get(position).is_none_or(|&formal| {
            let formal = &callee.variables[formal];
            formal.is_array() || is_address(formal.ty)
        })
    }

    fn touch(&mut self, access: &Access, touch: Touch) {
        if touch.read {
            self.read(access);
        }
        if touch.write {
            self.write(access);
        }
        if touch.reshape {
            self.reshape(access);
        }
    }

    fn reshape(&mut self, access: &Access) {
        if !self.found.reshapes.contains(access) {
            self.found.reshapes.push(access.clone());
        }
    }
}

/// The whole array whose element `place` is, where it ends with plain subscripts; a section stays
/// the section.
fn before_last_element(procedure: &Procedure, place: &Access) -> Access {
    let is_range = |&e: &ExprId| matches!(procedure.expr(e), contraflow_ir::Expr::Range { .. });
    match place.path.split_last() {
        Some((Selector::Index(subscripts), before)) if !subscripts.iter().any(is_range) => Access {
            var: place.var,
            path: before.to_vec(),
        },
        _ => place.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contraflow_ir::{Aliasing, Builder, CommonBlock, Dim, Extent, Variable};

    fn argument(procedure: &mut Procedure, name: &str, rank: usize) -> VarId {
        let mut b = Builder::new(procedure);
        let mut variable = Variable::scalar(name, Type::REAL8);
        variable.storage = Storage::Argument {
            index: b.procedure.arguments.len() as u32,
        };
        for _ in 0..rank {
            let lower = b.int(1);
            variable.shape.push(Dim {
                lower,
                extent: Extent::AssumedSize,
            });
        }
        let var = b.variable(variable);
        b.procedure.arguments.push(var);
        var
    }

    fn assign(procedure: &mut Procedure, target: VarId, source: VarId) {
        let mut b = Builder::new(procedure);
        let value = b.load(source);
        let stmt = b.assign(Access::whole(target), value);
        procedure.body.push(stmt);
    }

    fn call(procedure: &mut Procedure, callee: Callee, places: Vec<Access>) -> StmtId {
        let stmt = Builder::new(procedure).stmt(Stmt::Call {
            callee,
            arguments: places.into_iter().map(Argument::Place).collect(),
            result: None,
        });
        procedure.body.push(stmt);
        stmt
    }

    #[test]
    fn recursive_calls_reach_a_fixpoint() {
        // f(x, y): call f(y, x); y = x
        let mut f = Procedure::new("f");
        let (x, y) = (argument(&mut f, "x", 0), argument(&mut f, "y", 0));
        let itself = Callee::Procedure(ProcedureId::from_index(0));
        call(&mut f, itself, vec![Access::whole(y), Access::whole(x)]);
        assign(&mut f, y, x);
        let mut module = Module::default();
        let f = module.procedures.add(f);
        let effects = Effects::of(&module);
        assert_eq!(effects.argument(f, 0), Touch::BOTH);
        assert_eq!(effects.argument(f, 1), Touch::BOTH);
    }

    #[test]
    fn an_element_passed_to_an_array_formal_means_the_whole_array() {
        let mut f = Procedure::new("f");
        let x = argument(&mut f, "x", 1);
        let mut b = Builder::new(&mut f);
        let (one, zero) = (b.int(1), b.zero(Type::REAL8));
        let store = b.assign(Access::element(x, vec![one]), zero);
        f.body.push(store);
        let mut g = Procedure::new("g");
        let s = argument(&mut g, "s", 0);
        let t = argument(&mut g, "t", 0);
        assign(&mut g, s, t);
        let mut module = Module::default();
        let (f, g) = (module.procedures.add(f), module.procedures.add(g));
        let mut caller = Procedure::new("caller");
        let a = argument(&mut caller, "a", 1);
        let one = Builder::new(&mut caller).int(1);
        let element = Access::element(a, vec![one]);
        let whole = call(&mut caller, Callee::Procedure(f), vec![element.clone()]);
        let scalar = call(
            &mut caller,
            Callee::Procedure(g),
            vec![element.clone(), Access::whole(a)],
        );
        let external = Callee::External("unknown".to_owned());
        let unknown = call(&mut caller, external, vec![element.clone()]);
        let caller = module.procedures.add(caller);
        let effects = Effects::of(&module);
        let of = |stmt| effects.stmt(&module, caller, stmt);
        assert_eq!(of(whole).writes, vec![Access::whole(a)]);
        assert_eq!(of(whole).reads, vec![]);
        assert_eq!(of(scalar).writes, vec![element]);
        assert_eq!(of(unknown).reads, vec![Access::whole(a)]);
        assert_eq!(of(unknown).writes, vec![Access::whole(a)]);
    }

    #[test]
    fn common_members_meet_by_their_bytes() {
        let mut module = Module::default();
        let block = module.commons.add(CommonBlock {
            name: "state".to_owned(),
            bytes: 24,
        });
        let member = |procedure: &mut Procedure, name: &str, offset, count: i128| {
            let mut b = Builder::new(procedure);
            let mut variable = Variable::scalar(name, Type::REAL8);
            variable.storage = Storage::Common { block, offset };
            let (lower, count) = (b.int(1), b.int(count));
            variable.shape.push(Dim {
                lower,
                extent: Extent::Count(count),
            });
            b.variable(variable)
        };
        let mut f = Procedure::new("f");
        let pair = member(&mut f, "pair", 8, 2);
        let mut b = Builder::new(&mut f);
        let zero = b.zero(Type::REAL8);
        let fill = b.stmt(Stmt::Fill {
            target: Access::whole(pair),
            value: zero,
        });
        f.body.push(fill);
        let f = module.procedures.add(f);
        let mut caller = Procedure::new("caller");
        let first = member(&mut caller, "first", 0, 1);
        let last = member(&mut caller, "last", 16, 1);
        let all = member(&mut caller, "all", 0, 3);
        let stmt = call(&mut caller, Callee::Procedure(f), vec![]);
        let caller = module.procedures.add(caller);
        let effects = Effects::of(&module);
        assert_eq!(
            effects.stmt(&module, caller, stmt).writes,
            vec![Access::whole(last), Access::whole(all)]
        );
        assert!(!effects.overlaps(caller, first, last));
        assert!(effects.overlaps(caller, first, all));
    }

    #[test]
    fn a_write_through_a_pointer_writes_what_it_may_point_to() {
        let mut f = Procedure::new("f");
        let x = argument(&mut f, "x", 1);
        let y = argument(&mut f, "y", 1);
        f.variables[x].aliasing = Aliasing::May;
        f.variables[y].aliasing = Aliasing::None;
        let mut b = Builder::new(&mut f);
        let mut pointer = Variable::scalar("p", Type::REAL8);
        pointer.allocation = contraflow_ir::Allocation::Pointer;
        let p = b.variable(pointer);
        let point = b.stmt(Stmt::PointerAssign {
            target: Access::whole(p),
            value: Some(Access::whole(x)),
            is_pointer: false,
            offset: None,
            bounds: Vec::new(),
        });
        let zero = b.zero(Type::REAL8);
        let fill = b.stmt(Stmt::Fill {
            target: Access::whole(p),
            value: zero,
        });
        f.body.extend([point, fill]);
        let mut module = Module::default();
        let f = module.procedures.add(f);
        let effects = Effects::of(&module);
        assert!(effects.argument(f, 0).write);
        assert!(!effects.argument(f, 1).write);
        assert!(effects.overlaps(f, p, x) && !effects.overlaps(f, p, y));
    }
}
