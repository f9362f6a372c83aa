//! What a call finds of earlier calls: the memory that it may read before it has written it
//! ("upward exposed"), what it may write, and what it certainly writes.
//!
//! ```text
//! exposed(p) = ⋃ { reads of s minus what is certainly written before s : s a statement of p }
//! ```
//!
//! Memory is named by its bytes, seen from the argument, COMMON block or variable that owns them, so
//! that an element passed for an array and two layouts of one COMMON block need no care. Subscripts
//! count where they are constants or variables of loops with constant bounds; a read in the same
//! iteration as a write of the same element is left to [`Dependence::is_covered`]. A procedure that
//! calls itself is taken to read all that it touches before it writes anything.
//!
//! Cost: one walk over all statements, callees before callers.

mod cover;
mod ranges;
mod region;

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, Allocation, Argument, Callee, ExprId, Module, Passing, Procedure, ProcedureId, Stmt,
    StmtId, Storage, Type, VarId,
};
use fixedbitset::FixedBitSet;

pub use ranges::Ranges;

use super::effects::{Effects, Memory, Shared};
use super::{CallGraph, Dependence, Tree, memory};
use region::Region;

/// Whose bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Owner {
    Shared(Memory),
    Argument(u32),
    Local(VarId),
}

/// The bytes of a component of an owner; without fields: of the owner itself.
type Place = (Owner, Vec<u32>);
type Bytes = BTreeMap<Place, Ranges>;

/// What one procedure does, calls included.
#[derive(Clone, PartialEq, Default, Debug)]
struct Summary {
    exposed: Bytes,
    /// Written on every path that returns; `None` where none does.
    defined: Option<Bytes>,
    written: Bytes,
}

/// The answer for all procedures.
#[derive(Clone, Debug)]
pub struct Entry {
    summaries: Vec<Summary>,
}

impl Entry {
    /// Analyses a procedure and all that it may call; of others nothing is known.
    pub fn of(module: &Module, effects: &Effects, head: ProcedureId) -> Entry {
        let mut entry = Entry {
            summaries: vec![Summary::default(); module.procedures.len()],
        };
        let graph = CallGraph::of(module, effects);
        let reachable = graph.reachable(head);
        let order = graph.bottom_up().iter().flatten();
        for &id in order.filter(|id| reachable.contains(id)) {
            let procedure = &module.procedures[id];
            let is_walked = procedure.has_body && !jumps(procedure) && !graph.is_recursive(id);
            let summary = match is_walked {
                true => entry.summary(module, effects, id),
                false => by_effects(module, effects, id),
            };
            entry.summaries[id.index()] = summary;
        }
        entry
    }

    /// Whether a call may read some shared memory before it writes it.
    pub fn exposes(&self, procedure: ProcedureId, shared: Shared) -> bool {
        touches(&self.summaries[procedure.index()].exposed, shared)
    }

    /// Whether a call may read what an argument holds before it writes it.
    pub fn reads(&self, procedure: ProcedureId, position: usize) -> bool {
        let mut exposed = self.summaries[procedure.index()].exposed.iter();
        exposed.any(|((owner, _), ranges)| {
            !ranges.is_empty()
                && matches!(owner, Owner::Argument(index) if *index as usize == position)
        })
    }

    /// The bytes of shared memory that a call may both read before it writes them, and write.
    pub fn kept(&self, procedure: ProcedureId, shared: Shared) -> Ranges {
        let summary = &self.summaries[procedure.index()];
        bytes_in(&summary.exposed, shared).and(&bytes_in(&summary.written, shared))
    }

    fn summary(&self, module: &Module, effects: &Effects, id: ProcedureId) -> Summary {
        let procedure = &module.procedures[id];
        let tree = Tree::of(procedure);
        let mut walk = Walk {
            entry: self,
            module,
            effects,
            id,
            procedure,
            dependence: Dependence::of(module, id, effects, &tree),
            assigned: assigned(procedure),
            loops: Vec::new(),
            summary: Summary::default(),
        };
        let mut state = Some(Bytes::new());
        walk.block(&procedure.body, &mut state);
        let mut summary = walk.summary;
        summary.written.retain(|place, _| outlives(place));
        summary.defined = state;
        summary
    }
}

/// Whether a place is more than a local variable.
fn outlives(place: &Place) -> bool {
    !matches!(place.0, Owner::Local(_))
}

fn touches(bytes: &Bytes, shared: Shared) -> bool {
    !bytes_in(bytes, shared).is_empty()
}

/// The bytes of some shared memory; a component of a record stands for all of it.
fn bytes_in(bytes: &Bytes, shared: Shared) -> Ranges {
    let all = all_of(shared);
    let mut found = Ranges::default();
    for ((owner, fields), ranges) in bytes {
        if *owner == Owner::Shared(shared.memory()) {
            match fields.is_empty() {
                true => found.add(&ranges.and(&all)),
                false => found.add(&all),
            }
        }
    }
    found
}

/// The bytes that shared memory names: of a COMMON block counted from its start.
pub fn all_of(shared: Shared) -> Ranges {
    match shared {
        Shared::Common { start, end, .. } => Ranges::one(start, end),
        Shared::Global(_) | Shared::Saved(..) => Ranges::one(0, i64::MAX),
    }
}

/// What is only known from what a procedure touches at all.
fn by_effects(module: &Module, effects: &Effects, id: ProcedureId) -> Summary {
    let mut summary = Summary {
        defined: Some(Bytes::new()),
        ..Summary::default()
    };
    let everything = Ranges::one(0, i64::MAX);
    let shared = effects
        .callee_globals(id)
        .map(|(shared, touch)| (Owner::Shared(shared.memory()), all_of(shared), touch));
    let arguments = (0..module.procedures[id].arguments.len()).map(|position| {
        let owner = Owner::Argument(position as u32);
        (owner, everything.clone(), effects.argument(id, position))
    });
    for (owner, ranges, touch) in shared.chain(arguments) {
        let place = (owner, Vec::new());
        if touch.read {
            let exposed = summary.exposed.entry(place.clone()).or_default();
            exposed.add(&ranges);
        }
        if touch.write {
            summary.written.entry(place).or_default().add(&ranges);
        }
    }
    summary
}

/// A loop with what is known of its bounds.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub variable: VarId,
    /// First and last value and step.
    pub bounds: [ExprId; 3],
    /// The same, where they are constant.
    pub range: Option<(i64, i64, i64)>,
}

impl Around {
    /// Whether the body certainly runs.
    pub fn runs(&self) -> bool {
        self.range
            .is_some_and(|(lower, upper, step)| match step > 0 {
                true => lower <= upper,
                false => lower >= upper,
            })
    }
}

/// The walk over one procedure.
struct Walk<'a> {
    entry: &'a Entry,
    module: &'a Module,
    effects: &'a Effects,
    id: ProcedureId,
    procedure: &'a Procedure,
    dependence: Dependence<'a>,
    /// Variables of which elements are assigned.
    assigned: FixedBitSet,
    loops: Vec<Around>,
    summary: Summary,
}

/// What is certainly written so far; `None` where no path leads.
type State = Option<Bytes>;

impl Walk<'_> {
    fn block(&mut self, block: &[StmtId], state: &mut State) {
        for &stmt in block {
            self.statement(stmt, state);
        }
    }

    fn statement(&mut self, stmt: StmtId, state: &mut State) {
        let procedure = self.procedure;
        match procedure.stmt(stmt) {
            Stmt::Loop { .. } => self.counted_loop(stmt, state),
            Stmt::While { body, .. } => {
                self.own_reads(stmt, state);
                let mut inner = state.clone();
                self.block(body, &mut inner);
            }
            branching @ (Stmt::If { .. } | Stmt::Switch { .. }) => {
                self.own_reads(stmt, state);
                let before = state.take();
                for block in branching.blocks() {
                    let mut exit = before.clone();
                    self.block(block, &mut exit);
                    *state = meet(state.take(), exit);
                }
            }
            Stmt::Region { body, .. } | Stmt::Labelled { body, .. } => self.block(body, state),
            Stmt::Call { .. } => self.call(stmt, state),
            Stmt::Opaque { terminates, .. } => {
                self.own_reads(stmt, state);
                self.may_write(stmt);
                if *terminates {
                    *state = None;
                }
            }
            Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => {
                self.own_reads(stmt, state);
                self.may_write(stmt);
                self.define(target, state);
            }
            Stmt::Copy { target, .. } => {
                self.own_reads(stmt, state);
                self.may_write(stmt);
                self.define(target, state);
            }
            Stmt::Allocate { target, .. } => {
                self.own_reads(stmt, state);
                self.may_write(stmt);
                self.define(target, state);
            }
            Stmt::Free { .. }
            | Stmt::PointerAssign { .. }
            | Stmt::Push { .. }
            | Stmt::Pop { .. }
            | Stmt::Jump(_)
            | Stmt::Stop { .. }
            | Stmt::Comment(_) => {
                self.own_reads(stmt, state);
                self.may_write(stmt);
            }
        }
    }

    fn counted_loop(&mut self, stmt: StmtId, state: &mut State) {
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            body,
            ..
        } = self.procedure.stmt(stmt)
        else {
            return;
        };
        self.own_reads(stmt, state);
        self.may_write(stmt);
        self.define(&Access::whole(*variable), state);
        let around = self.around(*variable, [*lower, *upper, *step]);
        self.loops.push(around);
        let mut inner = state.clone();
        self.block(body, &mut inner);
        self.loops.pop();
        if around.runs() {
            *state = inner;
        }
        self.define_all(body, vec![around], state);
    }

    /// Adds what all iterations of a loop together certainly write.
    fn define_all(&self, body: &[StmtId], loops: Vec<Around>, state: &mut State) {
        for &stmt in body {
            match self.procedure.stmt(stmt) {
                Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => {
                    if let Some((place, ranges)) = self.written(target, &loops)
                        && outlives(&place)
                        && let Some(bytes) = state
                    {
                        bytes.entry(place).or_default().add(&ranges);
                    }
                }
                Stmt::Region { body, .. } => self.define_all(body, loops.clone(), state),
                Stmt::Loop {
                    variable,
                    lower,
                    upper,
                    step,
                    body,
                    ..
                } => {
                    let mut inside = loops.clone();
                    inside.push(self.around(*variable, [*lower, *upper, *step]));
                    self.define_all(body, inside, state);
                }
                _ => {}
            }
        }
    }

    /// The bytes that a statement in loops certainly writes.
    fn written(&self, target: &Access, loops: &[Around]) -> Option<(Place, Ranges)> {
        let region = self.region();
        region.whole(target, loops).or_else(|| {
            let do_run = loops.iter().all(|around| around.runs());
            region.exact(target, loops).filter(|_| do_run)
        })
    }

    fn around(&self, variable: VarId, bounds: [ExprId; 3]) -> Around {
        let constant = |e: ExprId| self.procedure.constant_integer(e);
        let range = match bounds.map(constant) {
            [Some(lower), Some(upper), Some(step)] if step != 0 => Some((lower, upper, step)),
            _ => None,
        };
        Around {
            variable,
            bounds,
            range,
        }
    }

    fn region(&self) -> Region<'_> {
        Region {
            module: self.module,
            procedure: self.procedure,
            effects: self.effects,
            id: self.id,
        }
    }

    /// Notes what a statement itself reads.
    fn own_reads(&mut self, stmt: StmtId, state: &State) {
        let effects = self.effects.stmt(self.module, self.id, stmt);
        for read in &effects.reads {
            self.read(stmt, read, state);
        }
    }

    fn read(&mut self, stmt: StmtId, read: &Access, state: &State) {
        let (place, ranges) = self.region().touched(read, &self.loops);
        self.expose(stmt, Some(read), place, &ranges, state);
        self.others(stmt, read, state);
    }

    /// What else the name of a place may mean: memory behind pointers. What an argument leads to is the
    /// caller's to say; what the head's arguments lead to are its inputs.
    fn others(&mut self, stmt: StmtId, access: &Access, state: &State) {
        let own = memory::extension(self.module, self.procedure, access.var).root;
        let is_argument = |root| {
            matches!(root, memory::Root::Variable(root)
            if self.procedure.variables[root].is_argument())
        };
        if is_argument(own) {
            return;
        }
        for &other in self.effects.overlapping(self.id, access.var) {
            if memory::extension(self.module, self.procedure, other).root != own {
                let (place, ranges) = self.region().touched(&Access::whole(other), &[]);
                self.expose(stmt, None, place, &ranges, state);
            }
        }
    }

    fn expose(
        &mut self,
        stmt: StmtId,
        read: Option<&Access>,
        place: Place,
        ranges: &Ranges,
        state: &State,
    ) {
        let Some(state) = state.as_ref().filter(|_| outlives(&place)) else {
            return;
        };
        let known = self.summary.exposed.get(&place);
        let mut missing = known.map_or_else(|| ranges.clone(), |known| ranges.minus(known));
        if self.is_written_by_parts(&place, state) {
            return;
        }
        // A component is written also where the record around it is.
        for depth in 0..=place.1.len() {
            let around = (place.0.clone(), place.1[..depth].to_vec());
            let Some(written) = state.get(&around) else {
                continue;
            };
            if depth == place.1.len() {
                missing = missing.minus(written);
            } else if Ranges::one(0, i64::MAX).minus(written).is_empty() {
                return;
            }
        }
        let is_covered = || {
            read.is_some_and(|read| {
                self.assigned.contains(read.var.index())
                    && self.dependence.is_covered(stmt, read, None)
            })
        };
        if missing.is_empty() || is_covered() {
            return;
        }
        self.summary.exposed.entry(place).or_default().add(&missing);
    }

    /// Whether each component of a record is written.
    fn is_written_by_parts(&self, place: &Place, state: &Bytes) -> bool {
        let Some(ty) = self.record_of(place) else {
            return false;
        };
        let everything = Ranges::one(0, i64::MAX);
        let mut pending = vec![(place.1.clone(), ty)];
        while let Some((fields, ty)) = pending.pop() {
            let written = state.get(&(place.0.clone(), fields.clone()));
            if written.is_some_and(|written| everything.minus(written).is_empty()) {
                continue;
            }
            let Type::Record(record) = ty else {
                return false;
            };
            let record = &self.module.records[record];
            if record.is_union || record.fields.is_empty() {
                return false;
            }
            for (n, field) in record.fields.iter().enumerate() {
                let is_scalar = field.shape.is_empty() && field.allocation == Allocation::Fixed;
                let mut inner = fields.clone();
                inner.push(n as u32);
                pending.push((inner, if is_scalar { field.ty } else { Type::Address }));
            }
        }
        true
    }

    /// The type of a scalar record that memory outside of the procedure holds.
    fn record_of(&self, place: &Place) -> Option<Type> {
        let Owner::Shared(Memory::Global(global)) = place.0 else {
            return None;
        };
        let global = &self.module.globals[global];
        let is_scalar = global.shape.is_empty() && global.allocation == Allocation::Fixed;
        let is_record = matches!(global.ty, Type::Record(_));
        (is_scalar && is_record && place.1.is_empty()).then_some(global.ty)
    }

    fn may_write(&mut self, stmt: StmtId) {
        let effects = self.effects.stmt(self.module, self.id, stmt);
        for write in &effects.writes {
            let (place, ranges) = self.region().touched(write, &self.loops);
            self.summary.written.entry(place).or_default().add(&ranges);
            for &other in self.effects.overlapping(self.id, write.var) {
                let (place, ranges) = self.region().touched(&Access::whole(other), &[]);
                let own = memory::extension(self.module, self.procedure, write.var).root;
                if memory::extension(self.module, self.procedure, other).root != own {
                    self.summary.written.entry(place).or_default().add(&ranges);
                }
            }
        }
    }

    fn define(&self, target: &Access, state: &mut State) {
        if let Some((place, ranges)) = self.written(target, &[])
            && outlives(&place)
            && let Some(bytes) = state
        {
            bytes.entry(place).or_default().add(&ranges);
        }
    }

    fn call(&mut self, stmt: StmtId, state: &mut State) {
        let Stmt::Call {
            callee,
            arguments,
            result,
        } = self.procedure.stmt(stmt)
        else {
            return;
        };
        let Callee::Procedure(target) = callee else {
            self.own_reads(stmt, state);
            self.may_write(stmt);
            return;
        };
        let summary = self.entry.summaries[target.index()].clone();
        for argument in arguments {
            self.argument_reads(stmt, argument, state);
        }
        for ((owner, fields), ranges) in &summary.exposed {
            match owner {
                Owner::Argument(position) => {
                    let passed = self.passed(*target, arguments, *position);
                    match (arguments.get(*position as usize), passed) {
                        (Some(Argument::Place(place)), Some(_)) if fields.is_empty() => {
                            self.read_through(stmt, place, ranges, state);
                        }
                        (Some(Argument::Place(place)), Some(_)) => {
                            match self.component(*target, arguments, *position, fields) {
                                Some(part) => self.expose(stmt, None, part, ranges, state),
                                None => self.read(stmt, place, state),
                            }
                        }
                        (Some(Argument::Place(place)), None) => self.read(stmt, place, state),
                        _ => {}
                    }
                }
                _ => self.expose(stmt, None, (owner.clone(), fields.clone()), ranges, state),
            }
        }
        self.call_writes(*target, &summary, arguments, state);
        if let Some(result) = result {
            for e in result.expressions() {
                for read in self.procedure.reads_of_expr(e) {
                    self.read(stmt, &read.clone(), state);
                }
            }
            let (place, ranges) = self.region().touched(result, &self.loops);
            self.summary.written.entry(place).or_default().add(&ranges);
            self.define(result, state);
        }
        // What lies behind pointers is not followed into callees.
        let effects = self.effects.stmt(self.module, self.id, stmt);
        for read in &effects.reads {
            self.others(stmt, read, state);
        }
        self.may_write_behind(stmt);
    }

    fn may_write_behind(&mut self, stmt: StmtId) {
        let effects = self.effects.stmt(self.module, self.id, stmt);
        for write in &effects.writes {
            let own = memory::extension(self.module, self.procedure, write.var).root;
            for &other in self.effects.overlapping(self.id, write.var) {
                if memory::extension(self.module, self.procedure, other).root != own {
                    let (place, ranges) = self.region().touched(&Access::whole(other), &[]);
                    self.summary.written.entry(place).or_default().add(&ranges);
                }
            }
        }
    }

    /// What the evaluation of an argument reads.
    fn argument_reads(&mut self, stmt: StmtId, argument: &Argument, state: &State) {
        let roots: Vec<ExprId> = match argument {
            Argument::Value(value) => vec![*value],
            Argument::Place(place) => place.expressions().collect(),
            Argument::Opaque { reads, .. } => {
                for read in reads {
                    self.read(stmt, read, state);
                }
                Vec::new()
            }
            Argument::Procedure(_) | Argument::Absent => Vec::new(),
        };
        for root in roots {
            for read in self.procedure.reads_of_expr(root) {
                self.read(stmt, read, state);
            }
            // A value that is an address leads to what the callee reads.
            if self.is_address(root) {
                for access in self.procedure.reads_of_expr(root) {
                    self.read(stmt, &Access::whole(access.var), state);
                }
            }
        }
    }

    fn is_address(&self, e: ExprId) -> bool {
        matches!(self.procedure.exprs[e].ty, Type::Pointer(_) | Type::Address)
    }

    /// A callee's read of its argument's bytes.
    fn read_through(&mut self, stmt: StmtId, place: &Access, ranges: &Ranges, state: &State) {
        match self.region().start_of(place) {
            Some((owner, start, first, end)) => {
                let ranges = ranges.moved(start, first, end);
                self.expose(stmt, None, (owner, Vec::new()), &ranges, state);
            }
            None => {
                let (place, ranges) = self.region().touched(place, &self.loops);
                self.expose(stmt, None, place, &ranges, state);
            }
        }
    }

    fn call_writes(
        &mut self,
        callee: ProcedureId,
        summary: &Summary,
        arguments: &[Argument],
        state: &mut State,
    ) {
        for ((owner, fields), ranges) in &summary.written {
            let (place, ranges) = match owner {
                Owner::Argument(position) => {
                    let Some(place) = self.passed(callee, arguments, *position) else {
                        continue;
                    };
                    match self.region().start_of(place) {
                        Some((owner, start, first, end)) if fields.is_empty() => {
                            ((owner, Vec::new()), ranges.moved(start, first, end))
                        }
                        _ if !fields.is_empty() => {
                            match self.component(callee, arguments, *position, fields) {
                                Some(part) => (part, ranges.clone()),
                                None => self.region().touched(place, &self.loops),
                            }
                        }
                        _ => self.region().touched(place, &self.loops),
                    }
                }
                _ => ((owner.clone(), fields.clone()), ranges.clone()),
            };
            self.summary.written.entry(place).or_default().add(&ranges);
        }
        let (Some(defined), Some(bytes)) = (&summary.defined, state.as_mut()) else {
            *state = None;
            return;
        };
        for ((owner, fields), ranges) in defined {
            let (place, ranges) = match owner {
                Owner::Argument(position) if fields.is_empty() => {
                    let start = self
                        .passed(callee, arguments, *position)
                        .and_then(|place| self.region().start_of(place));
                    let Some((owner, start, first, end)) = start else {
                        continue;
                    };
                    ((owner, Vec::new()), ranges.moved(start, first, end))
                }
                Owner::Argument(position) => {
                    let part = self.component(callee, arguments, *position, fields);
                    let Some(part) = part else {
                        continue;
                    };
                    (part, ranges.clone())
                }
                _ => ((owner.clone(), fields.clone()), ranges.clone()),
            };
            if outlives(&place) {
                bytes.entry(place).or_default().add(&ranges);
            }
        }
    }

    /// The component of a record that a callee knows as that of an argument.
    fn component(
        &self,
        callee: ProcedureId,
        arguments: &[Argument],
        position: u32,
        fields: &[u32],
    ) -> Option<Place> {
        let passed = self.passed(callee, arguments, position)?;
        let target = &self.module.procedures[callee];
        let formal = *target.arguments.get(position as usize)?;
        let (owner, mut path) = self
            .region()
            .record_at(passed, target.variables[formal].ty)?;
        path.extend(fields);
        Some((owner, path))
    }

    /// The place that a callee's by-reference argument is, where one is passed.
    fn passed<'x>(
        &self,
        callee: ProcedureId,
        arguments: &'x [Argument],
        position: u32,
    ) -> Option<&'x Access> {
        let target = &self.module.procedures[callee];
        let formal = *target.arguments.get(position as usize)?;
        match arguments.get(position as usize) {
            Some(Argument::Place(place))
                if target.variables[formal].passing == Passing::Reference =>
            {
                Some(place)
            }
            _ => None,
        }
    }
}

fn assigned(procedure: &Procedure) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(procedure.variables.len());
    for stmt in procedure.all_statements() {
        if let Stmt::Assign { target, .. } = procedure.stmt(stmt) {
            found.insert(target.var.index());
        }
    }
    found
}

fn jumps(procedure: &Procedure) -> bool {
    let all = procedure.all_statements();
    all.into_iter()
        .any(|stmt| matches!(procedure.stmt(stmt), Stmt::Jump(_)))
}

/// What two paths that join have both written.
fn meet(a: State, b: State) -> State {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) => Some(
            a.into_iter()
                .filter_map(|(place, ranges)| {
                    let both = ranges.and(b.get(&place)?);
                    (!both.is_empty()).then_some((place, both))
                })
                .collect(),
        ),
    }
}

/// The owner of a variable's bytes.
pub(super) fn owner(
    effects: &Effects,
    procedure: &Procedure,
    id: ProcedureId,
    root: VarId,
) -> Owner {
    if let Some(shared) = effects.shared(id, root) {
        return Owner::Shared(shared.memory());
    }
    match procedure.variables[root].storage {
        Storage::Argument { index } => Owner::Argument(index),
        _ => Owner::Local(root),
    }
}

#[cfg(test)]
mod tests;
