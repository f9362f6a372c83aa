//! What the backward sweep needs of the primal, and what must be saved so that it is there.
//!
//! The backward sweep visits the program points of the forward sweep in reverse. Its statements
//! use primal values ([`Use`]): what a place held at a point. When the backward sweep comes to that
//! point the place still holds the value, unless a write that ran after the point changed it. Such
//! a write *saves* the old value first, and the backward sweep puts it back when it passes the
//! write ("Restore" of METHOD.md section 3; a value that no write changes is "Available"). Sums of
//! integers may be undone instead (`undo`).
//!
//! A *frame* is what is run forward and then backward in one go: the whole procedure, or one
//! iteration of a loop that is reversed *joint*. In a joint loop the backward sweep of an iteration
//! first runs the needed part of the body again (the *slice*), saving as it goes, then goes back
//! through it. So values inside never reach the tape of the frame around; only what the slice reads
//! from outside (its *exposed* uses) is a need of the frame around. What the body overwrites of
//! those is kept in a *snapshot*, taken at the start of each iteration.
//!
//! Equations, for a frame `F` with statements `S(F)` and child frames `C(F)`:
//!
//! ```text
//! uses(F)    = ⋃ reverse uses of s ∈ S(F)  ∪  ⋃ exposed(c), c ∈ C(F)  ∪  subscripts of saved places
//! slice(F)   = { s : s may define a value that is live where a use wants it }   (all, for the root)
//! saves(F)   = { (w, place) : w ∈ slice(F) writes place, and may spoil some u ∈ uses(F) }
//! exposed(F) = { u ∈ uses(F) ∪ reads of slice(F) : u may see a value from before F }
//! ```
//!
//! solved from the inside out, each by iteration since a save adds uses. Branches, bounds and trip
//! counts are decided last: they are evaluated again where nothing spoils what they read, and
//! stored otherwise.

mod undo;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Module, Procedure, ProcedureId, Selector, SideTable, Stmt,
    StmtId, StmtNode, Type, VarId, place_of,
};
use fixedbitset::FixedBitSet;

use super::memory::Memory;
use super::time::Carried;
use crate::allocation::holds_pointers;
use crate::analysis::pointers::Pointers;
use crate::analysis::{Dependence, StmtEffects, Tree, Use, UsesInOrder};
use crate::checkpoint::{Decisions, Reversal};
use whole::Whole;

/// A frame: the whole procedure, or one iteration of a joint loop.
pub type Frame = Option<StmtId>;

/// What is known of one procedure before its needs are computed.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub module: &'a Module,
    /// The procedure.
    pub id: ProcedureId,
    /// What each statement reads and writes.
    pub effects: &'a SideTable<StmtNode, StmtEffects>,
    /// Where statements stand.
    pub tree: &'a Tree,
    /// Order and overlap.
    pub dependence: &'a Dependence<'a>,
    /// The values that each statement's backward code uses.
    pub uses: &'a BTreeMap<StmtId, Vec<Use>>,
    /// The statements that have backward code of their own.
    pub active: &'a BTreeSet<StmtId>,
    /// What is decided.
    pub decisions: &'a Decisions,
    /// Calls that are reversed split: their forward part is always run by the frame they are in.
    pub split: &'a BTreeSet<StmtId>,
    /// Those of them whose backward part writes variables of the primal.
    pub split_writes: &'a BTreeSet<StmtId>,
    /// Calls that must not be run again: they use shared memory that nothing here can restore.
    pub once: &'a BTreeSet<StmtId>,
    /// Procedures that must not run twice.
    pub unrepeatable: &'a BTreeSet<ProcedureId>,
    /// Memory that comes and goes.
    pub memory: &'a Memory,
    /// The loop whose iterations are reversed as soon as they have run (`fusion`).
    pub fused: Option<StmtId>,
}

/// What one frame needs.
#[derive(Clone, Default, Debug)]
pub struct FrameNeeds {
    /// The statements that are run again at the start of the frame's backward sweep; everything
    /// for the root frame.
    pub slice: BTreeSet<StmtId>,
    /// Places that a statement of this frame saves before it writes them.
    pub saves: BTreeMap<StmtId, Vec<Access>>,
    /// Places that a joint loop inside this frame saves at the start of each iteration.
    pub snapshots: BTreeMap<StmtId, Vec<Access>>,
    /// Places that get back, from the first snapshot of a time loop, what they held before it.
    pub given_back: BTreeMap<StmtId, Vec<Access>>,
    /// What is kept whole where a split loop starts, and put back before the loop is reversed.
    pub whole: BTreeMap<StmtId, Vec<Access>>,
    /// Sums of integers that are undone instead.
    pub undone: BTreeSet<StmtId>,
    /// Branches, loops and switches whose decision, bounds or selector are stored.
    pub stored: BTreeSet<StmtId>,
    /// What the frame needs from before it.
    pub exposed: Vec<Use>,
}

/// What all frames of a procedure need.
#[derive(Clone, Default, Debug)]
pub struct Needs {
    /// By frame.
    pub frames: BTreeMap<Frame, FrameNeeds>,
    /// The statements whose reversal emits something, containers included.
    pub reversed: BTreeSet<StmtId>,
    /// What time loops carry.
    pub carried: BTreeMap<StmtId, Carried>,
}

impl<'a> Subject<'a> {
    fn procedure(&self) -> &'a Procedure {
        &self.module.procedures[self.id]
    }

    fn effect(&self, stmt: StmtId) -> &StmtEffects {
        &self.effects[stmt]
    }

    /// The same with other decisions.
    pub fn with<'d>(self, decisions: &'d Decisions) -> Subject<'d>
    where
        'a: 'd,
    {
        Subject { decisions, ..self }
    }

    /// Computes the needs of all frames.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs {
            reversed: self.containers_of(self.active.iter().copied()),
            ..Needs::default()
        };
        self.frame(None, &mut needs);
        needs
    }

    /// Whether memory is allocated or released inside a statement.
    pub fn changes_memory(&self, container: StmtId) -> bool {
        let mut changes = false;
        for block in self.procedure().stmt(container).blocks() {
            self.procedure().walk_block(block, &mut |stmt| {
                changes |= !self.effect(stmt).reshapes.is_empty();
            });
        }
        changes
    }

    /// Whether a statement writes to what pointers of variables lead to: a copy of the variable keeps
    /// nothing of that.
    pub fn writes_behind_pointers(&self, stmt: StmtId) -> bool {
        let is_call = matches!(self.procedure().stmt(stmt), Stmt::Call { .. });
        self.effect(stmt).writes.iter().any(|write| {
            write.path.contains(&Selector::Deref)
                || self.goes_through_component(write)
                || is_call && self.leads_on(write.var)
        })
    }

    /// Whether a copy of a variable is no copy of all that is reached from it.
    pub fn leads_on(&self, var: VarId) -> bool {
        let ty = self.procedure().variables[var].ty;
        match self.procedure().scalars_by_value {
            true => Pointers::lead_on(self.module, ty),
            false => holds_pointers(self.module, ty),
        }
    }

    fn goes_through_component(&self, access: &Access) -> bool {
        let mut ty = self.procedure().variables[access.var].ty;
        access.path.iter().any(|selector| match (selector, ty) {
            (Selector::Field(field), Type::Record(record)) => {
                let field = &self.module.records[record].fields[*field as usize];
                ty = field.ty;
                field.allocation == Allocation::Pointer
            }
            _ => false,
        })
    }

    /// What is saved before a place is written: a scalar, a record, or a whole variable. Sections and
    /// arrays in records are saved with the variable or the record that holds them.
    fn kept_place(&self, write: &Access) -> Access {
        let mut place = write.clone();
        let is_one = |place: &Access| {
            place_of(self.module, self.procedure(), place).is_ok_and(|found| found.rank == 0)
        };
        while !place.path.is_empty() && !is_one(&place) {
            place.path.pop();
        }
        place
    }

    /// The part of a frame in which a write can change what a variable holds.
    fn lifetime(&self, var: VarId, frame: Frame) -> Frame {
        match self.memory.lifetime(var) {
            Some(l) if self.is_in(l, frame) => Some(l),
            _ => frame,
        }
    }

    /// Whether a statement that counts as a write takes no value away: what is allocated had no
    /// memory before, and what is not mirrored is released at the end.
    fn keeps_values(&self, stmt: StmtId) -> bool {
        match self.procedure().stmt(stmt) {
            Stmt::Allocate { .. } | Stmt::PointerAssign { .. } => true,
            Stmt::Free { target } => !self.memory.is_mirrored(target.var),
            _ => false,
        }
    }

    /// The joint loops directly inside a frame.
    pub fn children(&self, frame: Frame) -> Vec<StmtId> {
        self.decisions
            .frames()
            .filter(|&l| self.frame_of(l) == frame && self.is_in(l, frame) && Some(l) != frame)
            .collect()
    }

    /// The innermost joint loop around a statement (not itself).
    pub fn frame_of(&self, stmt: StmtId) -> Frame {
        self.tree
            .loops_outwards(stmt)
            .find(|&l| self.decisions.is_frame(l))
    }

    fn is_in(&self, stmt: StmtId, frame: Frame) -> bool {
        frame.is_none_or(|l| l != stmt && self.tree.contains(l, stmt))
    }

    /// The joint loop directly inside `frame` that holds `stmt`, if any.
    pub fn child_holding(&self, stmt: StmtId, frame: Frame) -> Frame {
        let mut child = None;
        for l in self.tree.loops_outwards(stmt) {
            if Some(l) == frame {
                break;
            }
            if self.decisions.is_frame(l) {
                child = Some(l);
            }
        }
        child
    }

    fn containers_of(&self, stmts: impl Iterator<Item = StmtId>) -> BTreeSet<StmtId> {
        let mut all = BTreeSet::new();
        for stmt in stmts {
            all.insert(stmt);
            // What is around something that is there is there.
            let around = self.tree.owners(stmt).into_iter().rev();
            for owner in around {
                if !all.insert(owner) {
                    break;
                }
            }
        }
        all
    }

    fn frame(&self, frame: Frame, needs: &mut Needs) {
        for child in self.children(frame) {
            self.frame(Some(child), needs);
        }
        let mut whole = self.whole(frame);
        loop {
            let spoilt = self.frame_with(frame, &whole, needs);
            if spoilt.is_empty() {
                break;
            }
            whole.retain(|kept| !spoilt.contains(kept));
        }
        if let Some(l) = frame.filter(|&l| self.schedule(l).is_some()) {
            let carried = self.carried(l, needs);
            needs.carried.insert(l, carried);
        }
    }

    /// The needs of a frame that keeps these variables whole; gives those for which that is wrong.
    fn frame_with(&self, frame: Frame, whole: &Whole, needs: &mut Needs) -> Vec<(StmtId, VarId)> {
        let region = self.region(frame);
        let mut found = FrameNeeds::default();
        let mut saved: BTreeMap<StmtId, Vec<Access>> = BTreeMap::new();
        let mut uses = self.initial_uses(frame, &region, needs);
        let is_protected =
            |used: &Use| self.whole_around(whole, used.at, used.access.var).is_some();
        let mut tested = 0;
        let run_by_children = self.run_by_children(frame, needs);
        loop {
            let mut forced = self.forced(frame, &region, needs, &found.stored);
            for call in self.rerun_calls(frame, &region) {
                if saved.contains_key(&call) {
                    let owners = self.tree.owners(call).into_iter();
                    forced.extend(owners.filter(|&owner| self.is_in(owner, frame)));
                }
            }
            for writer in run_by_children.iter().filter(|w| saved.contains_key(w)) {
                // Their snapshot is taken where this frame runs the child.
                let child = self.child_holding(*writer, frame);
                let around = self.containers_of(child.into_iter());
                forced.extend(around.into_iter().filter(|&owner| self.is_in(owner, frame)));
            }
            let mut control = self.control_uses(frame, &region, needs);
            let entered: Vec<Use> = self
                .time_loops(frame, needs)
                .into_iter()
                .flat_map(|l| needs.carried[&l].entered(l))
                .collect();
            found.slice = match frame {
                _ if frame.is_none() || frame == self.fused => region.iter().copied().collect(),
                _ => {
                    let wanted = uses.iter().chain(&control).chain(&entered);
                    self.liveness(frame, wanted, &forced).included
                }
            };
            let run = found.slice.union(&run_by_children).copied().collect();
            found.stored = self.stored(frame, &control, &run);
            let mut added = Vec::new();
            let mut undone = Vec::new();
            let assigns = self.assigns(frame, &found.slice);
            let writers = found
                .slice
                .iter()
                .copied()
                .chain(self.rerun_calls(frame, &region))
                .chain(run_by_children.iter().copied());
            let writers: BTreeSet<StmtId> = writers.collect();
            let unprotected = uses.iter().filter(|used| !is_protected(used));
            let open = UsesInOrder::of(self.dependence, unprotected);
            for writer in writers {
                for record in self
                    .memory
                    .records_changed(self.procedure(), self.effect(writer))
                {
                    let known = saved.entry(writer).or_default();
                    if !known.contains(&record) {
                        known.push(record.clone());
                        added.push((writer, record));
                    }
                }
                if self.keeps_values(writer) {
                    continue;
                }
                for write in self.effect(writer).writes.clone() {
                    if self.whole_around(whole, writer, write.var).is_some() {
                        continue;
                    }
                    let place = self.kept_place(&write);
                    let known = saved.entry(writer).or_default();
                    if known.contains(&place) {
                        continue;
                    }
                    let within = self.lifetime(write.var, frame);
                    let is_one = self.frame_of(writer) == frame
                        && found.slice.contains(&writer)
                        && matches!(self.procedure().stmt(writer),
                            Stmt::Assign { target, .. } if target.var == write.var);
                    let others = assigns.get(&write.var).filter(|_| is_one);
                    let others = others.map_or(&[][..], Vec::as_slice);
                    let write = (writer, &write);
                    let dependence = self.dependence;
                    let undoing = self.undone_by(writer, frame);
                    if undoing.is_some() && found.undone.contains(&writer)
                        || !dependence.may_spoil_some_first(&open, write, others, within)
                    {
                        continue;
                    }
                    if let Some(undoing) = undoing {
                        found.undone.insert(writer);
                        undone.push((writer, undoing));
                        continue;
                    }
                    known.push(place.clone());
                    added.push((writer, place));
                }
            }
            saved.retain(|_, places| !places.is_empty());
            needs
                .reversed
                .extend(self.containers_of(added.iter().map(|&(writer, _)| writer)));
            needs
                .reversed
                .extend(self.containers_of(undone.iter().map(|&(writer, _)| writer)));
            for (writer, place) in &added {
                self.add_subscript_uses(place, *writer, &mut uses);
            }
            for &(writer, undoing) in &undone {
                self.add_uses_of_undoing(writer, undoing, &mut uses);
            }
            // Another round while uses grow (subscripts of saved places, control of their owners).
            let size = uses.len()
                + saved.values().map(Vec::len).sum::<usize>()
                + control.len()
                + found.stored.len();
            if added.is_empty() && undone.is_empty() && size == tested {
                let spoilt = self.spoilt_whole(whole, &uses, &control);
                if !spoilt.is_empty() {
                    return spoilt;
                }
                control.extend(entered);
                found.exposed = self.exposed(frame, &uses, &control, &found.slice, &forced);
                break;
            }
            tested = size;
        }
        self.place_saves(frame, saved, &needs.carried, &mut found);
        for &(l, var) in whole {
            let kept = found.whole.entry(l).or_default();
            kept.push(Access::whole(var));
            needs.reversed.extend(self.containers_of([l].into_iter()));
        }
        needs.frames.insert(frame, found);
        Vec::new()
    }

    /// The assignments that a frame itself runs, by variable.
    fn assigns(
        &self,
        frame: Frame,
        slice: &BTreeSet<StmtId>,
    ) -> BTreeMap<VarId, Vec<(StmtId, &'a Access)>> {
        let mut found: BTreeMap<VarId, Vec<(StmtId, &Access)>> = BTreeMap::new();
        for &stmt in slice.iter().filter(|stmt| self.frame_of(**stmt) == frame) {
            if let Stmt::Assign { target, .. } = self.procedure().stmt(stmt) {
                found.entry(target.var).or_default().push((stmt, target));
            }
        }
        for assigns in found.values_mut() {
            assigns.sort_by_key(|&(stmt, _)| self.tree.extent(stmt));
        }
        found
    }

    /// The statements that the reversal of child frames runs again, whether or not this frame does.
    fn run_by_children(&self, frame: Frame, needs: &Needs) -> BTreeSet<StmtId> {
        let mut all = BTreeSet::new();
        for child in self.children(frame) {
            all.extend(self.run_backwards(Some(child), needs));
        }
        all
    }

    /// The statements of the primal that the backward sweep of one run of a frame runs again.
    pub fn run_backwards(&self, frame: Frame, needs: &Needs) -> BTreeSet<StmtId> {
        let mut all = self.run_by_children(frame, needs);
        if frame.is_some() {
            all.extend(&needs.frames[&frame].slice);
        }
        let advance = frame.and_then(|l| needs.carried.get(&l));
        all.extend(advance.into_iter().flat_map(|carried| &carried.advance));
        let calls = self.region(frame).into_iter().filter(|stmt| {
            self.frame_of(*stmt) == frame
                && self.active.contains(stmt)
                && matches!(self.procedure().stmt(*stmt), Stmt::Call { .. })
                && (!self.split.contains(stmt) || self.split_writes.contains(stmt))
        });
        all.extend(calls);
        all
    }

    /// Calls that a frame reverses joint: their reversal writes what the call writes, whether or not
    /// the slice runs the call itself.
    fn rerun_calls<'r>(
        &'r self,
        frame: Frame,
        region: &'r [StmtId],
    ) -> impl Iterator<Item = StmtId> + 'r {
        region
            .iter()
            .copied()
            .filter(move |&stmt| self.is_rerun_call(stmt, frame))
    }

    /// Whether a statement is a call that `frame` reverses joint.
    pub fn is_rerun_call(&self, stmt: StmtId, frame: Frame) -> bool {
        matches!(self.procedure().stmt(stmt), Stmt::Call { .. })
            && self.active.contains(&stmt)
            && !self.split.contains(&stmt)
            && self.frame_of(stmt) == frame
    }

    /// The statements that a frame's forward run contains whatever they define: loops whose trips
    /// are counted, and stored decisions, with what is around them.
    fn forced(
        &self,
        frame: Frame,
        region: &[StmtId],
        needs: &Needs,
        stored: &BTreeSet<StmtId>,
    ) -> BTreeSet<StmtId> {
        let recorded = region.iter().copied().filter(|stmt| {
            self.frame_of(*stmt) == frame
                && (stored.contains(stmt)
                    || self.split.contains(stmt)
                    || needs.reversed.contains(stmt)
                        && matches!(self.procedure().stmt(*stmt), Stmt::While { .. }))
        });
        let taped = self.taped_results(frame, needs);
        let in_time = self.time_loops(frame, needs).into_iter().flat_map(|l| {
            let advance = needs.carried[&l].advance.iter().copied();
            std::iter::once(l).chain(advance)
        });
        self.containers_of(recorded.chain(taped).chain(in_time))
            .into_iter()
            .filter(|&stmt| self.is_in(stmt, frame))
            .collect()
    }

    /// Whether the run of `frame` reads the result of an assignment back instead of computing it.
    pub fn is_read_back(&self, stmt: StmtId, frame: Frame) -> bool {
        self.decisions.stored.contains(&stmt)
            && frame.is_some_and(|l| self.decisions.reversal(l) == Reversal::Joint)
            && frame != self.fused
            && self.frame_of(stmt) == frame
    }

    /// What a statement reads when `frame` runs it: of an assignment whose result is read back only
    /// the subscripts of its target.
    fn reads_when_run(&self, stmt: StmtId, frame: Frame) -> Vec<Access> {
        if !self.is_read_back(stmt, frame) {
            return self.effect(stmt).reads.clone();
        }
        let procedure = self.procedure();
        self.effect(stmt)
            .writes
            .iter()
            .flat_map(Access::expressions)
            .flat_map(|e| procedure.reads_of_expr(e))
            .cloned()
            .collect()
    }

    /// The assignments in child frames whose results `frame` tapes.
    pub fn taped_results(&self, frame: Frame, needs: &Needs) -> Vec<StmtId> {
        self.decisions
            .stored
            .iter()
            .copied()
            .filter(|&stmt| {
                self.frame_of(stmt).is_some_and(|child| {
                    self.is_in(child, frame)
                        && self.frame_of(child) == frame
                        && self.is_read_back(stmt, Some(child))
                        && needs.frames[&Some(child)].slice.contains(&stmt)
                })
            })
            .collect()
    }

    /// All statements of a frame, inner joint loops with theirs included.
    pub fn region(&self, frame: Frame) -> Vec<StmtId> {
        let mut all = Vec::new();
        self.procedure()
            .walk_block(self.block(frame), &mut |stmt| all.push(stmt));
        all
    }

    /// The statements at the top of a frame.
    pub fn block(&self, frame: Frame) -> &'a [StmtId] {
        match frame.map(|l| self.procedure().stmt(l)) {
            None => &self.procedure().body,
            Some(Stmt::Loop { body, .. } | Stmt::While { body, .. }) => body,
            Some(_) => unreachable!("invariant: only loops are frames"),
        }
    }

    fn initial_uses(&self, frame: Frame, region: &[StmtId], needs: &Needs) -> Vec<Use> {
        let mut uses = Vec::new();
        for &stmt in region {
            if self.frame_of(stmt) == frame {
                uses.extend(self.uses.get(&stmt).into_iter().flatten().cloned());
            }
        }
        for child in self.children(frame) {
            match needs.carried.get(&child) {
                Some(carried) => {
                    for &var in &carried.inputs {
                        self.add_use(Access::whole(var), child, false, &mut uses);
                    }
                }
                None => uses.extend(needs.frames[&Some(child)].exposed.iter().cloned()),
            }
        }
        dedup(uses)
    }

    /// What branches, loops and switches read whose backward counterparts will be emitted by this
    /// frame.
    fn control_uses(&self, frame: Frame, region: &[StmtId], needs: &Needs) -> Vec<Use> {
        let mut uses = Vec::new();
        for &stmt in region {
            let own = self.frame_of(stmt) == frame;
            if own && needs.reversed.contains(&stmt) {
                for e in control_expressions(self.procedure().stmt(stmt)) {
                    self.add_expression_uses(e, stmt, &mut uses);
                }
            }
        }
        uses
    }

    /// Uses of everything that an expression at `stmt` reads, but for what is always there.
    pub fn add_expression_uses(&self, e: ExprId, stmt: StmtId, uses: &mut Vec<Use>) {
        for access in self.procedure().reads_of_expr(e) {
            self.add_use(access.clone(), stmt, false, uses);
        }
    }

    fn add_subscript_uses(&self, place: &Access, stmt: StmtId, uses: &mut Vec<Use>) {
        for e in place.expressions() {
            if !matches!(self.procedure().expr(e), Expr::Range { .. }) {
                self.add_expression_uses(e, stmt, uses);
            }
        }
    }

    fn add_use(&self, access: Access, at: StmtId, after: bool, uses: &mut Vec<Use>) {
        if self.is_always_there(access.var, at) {
            return;
        }
        let used = Use { access, at, after };
        if !uses.contains(&used) {
            uses.push(used);
        }
    }

    /// Named constants, variables of the loops around, what is never written.
    pub fn is_always_there(&self, var: VarId, at: StmtId) -> bool {
        self.procedure().variables[var].is_constant()
            || self.tree.loops_outwards(at).any(|l| {
                matches!(self.procedure().stmt(l),
                    Stmt::Loop { variable, .. } if *variable == var)
            })
    }

    /// Which statements of a frame can influence the uses, and what is live at its start.
    /// `forced` ones are included whatever they define: their decisions are recorded.
    fn liveness<'s, 'u>(
        &'s self,
        frame: Frame,
        uses: impl Iterator<Item = &'u Use>,
        forced: &'s BTreeSet<StmtId>,
    ) -> Liveness<'s, 'a> {
        let size = self.procedure().variables.len();
        let mut liveness = Liveness {
            subject: self,
            before: BTreeMap::new(),
            after: BTreeMap::new(),
            included: BTreeSet::new(),
            frame,
            forced,
            live: FixedBitSet::with_capacity(size),
        };
        for used in uses {
            let table = if used.after {
                &mut liveness.after
            } else {
                &mut liveness.before
            };
            table
                .entry(used.at)
                .or_insert_with(|| FixedBitSet::with_capacity(size))
                .insert(used.access.var.index());
        }
        liveness.block(self.block(frame));
        liveness
    }

    /// What is live at the start of each iteration of `l`, if these variables are, and the statements
    /// that carry it from one iteration to the next.
    pub(super) fn carrying(
        &self,
        l: StmtId,
        start: impl Iterator<Item = VarId>,
    ) -> (Vec<VarId>, BTreeSet<StmtId>) {
        let forced = BTreeSet::new();
        let mut liveness = self.liveness(Some(l), std::iter::empty(), &forced);
        liveness.included.clear();
        for var in start {
            liveness.live.insert(var.index());
        }
        liveness.repeat(self.block(Some(l)));
        let live = liveness.live.ones().map(VarId::from_index).collect();
        (live, liveness.included)
    }

    /// Branches, bounds and selectors that the backward sweep cannot evaluate again.
    fn stored(&self, frame: Frame, control: &[Use], run: &BTreeSet<StmtId>) -> BTreeSet<StmtId> {
        let mut stored = BTreeSet::new();
        let mut writes: BTreeMap<VarId, Vec<(StmtId, &Access)>> = BTreeMap::new();
        for &writer in run {
            for write in &self.effect(writer).writes {
                writes.entry(write.var).or_default().push((writer, write));
            }
        }
        let place = |stmt: StmtId| self.tree.extent(stmt);
        for writes in writes.values_mut() {
            writes.sort_by_key(|&(writer, _)| place(writer));
        }
        for used in control {
            // What spoils it mostly comes next.
            let of_variable = |var: VarId| {
                let writes = writes.get(&var).map_or(&[][..], Vec::as_slice);
                let next = writes.partition_point(|&(writer, _)| place(writer) < place(used.at));
                writes[next..].iter().chain(&writes[..next])
            };
            let spoilt = self
                .dependence
                .sharing(used.access.var)
                .flat_map(of_variable)
                .any(|&(writer, write)| self.dependence.may_spoil(used, writer, write, frame));
            if spoilt {
                stored.insert(used.at);
            }
        }
        let forgetful = self
            .region(frame)
            .into_iter()
            .filter(|&stmt| self.frame_of(stmt) == frame)
            .filter(|&stmt| {
                control_expressions(self.procedure().stmt(stmt))
                    .into_iter()
                    .any(|e| {
                        self.memory
                            .changes_answers(self.procedure(), self.tree, stmt, e)
                    })
            });
        stored.extend(forgetful);
        stored
    }

    fn exposed(
        &self,
        frame: Frame,
        uses: &[Use],
        control: &[Use],
        slice: &BTreeSet<StmtId>,
        forced: &BTreeSet<StmtId>,
    ) -> Vec<Use> {
        let Some(l) = frame.filter(|_| frame != self.fused) else {
            return Vec::new();
        };
        let live = self
            .liveness(frame, uses.iter().chain(control), forced)
            .live;
        let mut all: Vec<Use> = uses.iter().chain(control).cloned().collect();
        for &stmt in slice {
            for access in self.reads_when_run(stmt, frame) {
                self.add_use(access, stmt, false, &mut all);
            }
        }
        let all = dedup(all);
        all.into_iter()
            .filter(|used| {
                live.contains(used.access.var.index())
                    || self
                        .dependence
                        .sharing(used.access.var)
                        .any(|v| live.contains(v.index()))
            })
            .filter(|used| !self.is_loop_variable_of(used, l))
            .filter(|used| !self.is_covered(used, frame))
            .collect()
    }

    fn is_loop_variable_of(&self, used: &Use, l: StmtId) -> bool {
        matches!(self.procedure().stmt(l),
            Stmt::Loop { variable, .. } if *variable == used.access.var)
    }

    fn is_covered(&self, used: &Use, frame: Frame) -> bool {
        !used.access.path.is_empty()
            && !used.after
            && self.dependence.is_covered(used.at, &used.access, frame)
    }

    /// Turns saves by statements inside child frames into snapshots of those; of time loops, into
    /// saves before them.
    fn place_saves(
        &self,
        frame: Frame,
        saved: BTreeMap<StmtId, Vec<Access>>,
        carried: &BTreeMap<StmtId, Carried>,
        found: &mut FrameNeeds,
    ) {
        for (writer, places) in saved {
            let Some(child) = self.child_holding(writer, frame) else {
                found.saves.entry(writer).or_default().extend(places);
                continue;
            };
            if let Some(carried) = carried.get(&child) {
                for place in places {
                    let table = match carried.state.contains(&place.var) {
                        true => &mut found.given_back,
                        false => &mut found.saves,
                    };
                    let kept = table.entry(child).or_default();
                    let place = Access::whole(place.var);
                    if !kept.contains(&place) {
                        kept.push(place);
                    }
                }
                continue;
            }
            let snapshot = found.snapshots.entry(child).or_default();
            for place in places {
                let place = if self.is_fixed_in(&place, writer, child) {
                    place
                } else {
                    Access::whole(place.var)
                };
                if !snapshot
                    .iter()
                    .any(|known| self.procedure().same_access(known, &place))
                {
                    snapshot.push(place);
                }
            }
        }
    }

    /// Whether a place written in one iteration of `child` can be evaluated at its start, and is
    /// written in every iteration (so that reading it there is allowed).
    fn is_fixed_in(&self, place: &Access, writer: StmtId, child: StmtId) -> bool {
        let unconditional = self
            .tree
            .owners(writer)
            .into_iter()
            .skip_while(|&owner| owner != child)
            .skip(1)
            .all(|owner| matches!(self.procedure().stmt(owner), Stmt::Region { .. }));
        if place.path.is_empty() {
            return true;
        }
        if !unconditional || place.subscripts().is_none() {
            return false;
        }
        let read: BTreeSet<VarId> = place
            .expressions()
            .flat_map(|e| self.procedure().reads_of_expr(e))
            .map(|read| read.var)
            .collect();
        let is_written = |stmt: StmtId| {
            let mut writes = self.effect(stmt).writes.iter();
            writes.any(|write| read.contains(&write.var))
        };
        read.is_empty() || !self.region(Some(child)).into_iter().any(is_written)
    }
}

/// The expressions that decide what a container executes.
pub fn control_expressions(stmt: &Stmt) -> Vec<ExprId> {
    match stmt {
        Stmt::If { condition, .. } => vec![*condition],
        Stmt::Switch { selector, .. } => vec![*selector],
        Stmt::Loop {
            lower, upper, step, ..
        } => vec![*lower, *upper, *step],
        _ => Vec::new(),
    }
}

fn dedup(uses: Vec<Use>) -> Vec<Use> {
    let mut kept: Vec<Use> = Vec::with_capacity(uses.len());
    let mut index: BTreeMap<(VarId, StmtId, bool), Vec<usize>> = BTreeMap::new();
    for used in uses {
        let places = index
            .entry((used.access.var, used.at, used.after))
            .or_default();
        if !places.iter().any(|&k| kept[k].access == used.access) {
            places.push(kept.len());
            kept.push(used);
        }
    }
    kept
}

/// Backward liveness over the blocks of a frame. `live` holds the variables whose value at the
/// current point may be wanted later; `included` the statements that define such values.
struct Liveness<'s, 'a> {
    subject: &'s Subject<'a>,
    before: BTreeMap<StmtId, FixedBitSet>,
    after: BTreeMap<StmtId, FixedBitSet>,
    included: BTreeSet<StmtId>,
    frame: Frame,
    forced: &'s BTreeSet<StmtId>,
    live: FixedBitSet,
}

impl Liveness<'_, '_> {
    fn block(&mut self, block: &[StmtId]) {
        for &stmt in block.iter().rev() {
            if let Some(wanted) = self.after.get(&stmt) {
                self.live.union_with(wanted);
            }
            self.stmt(stmt);
            if let Some(wanted) = self.before.get(&stmt) {
                self.live.union_with(wanted);
            }
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        let procedure = self.subject.procedure();
        match procedure.stmt(stmt) {
            Stmt::Loop { body, variable, .. } => {
                let wants_variable = self.live.contains(variable.index());
                self.repeat(body);
                let included =
                    wants_variable || self.any_included(body) || self.forced.contains(&stmt);
                self.live.set(variable.index(), false);
                if included {
                    self.include(stmt);
                }
            }
            Stmt::While { body, .. } => {
                self.repeat(body);
                if self.any_included(body) || self.forced.contains(&stmt) {
                    self.include(stmt);
                    // What the condition reads decides how often the body runs.
                    self.repeat(body);
                    self.include(stmt);
                }
            }
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Region { .. } => {
                let after = self.live.clone();
                let mut joined = FixedBitSet::with_capacity(after.len());
                let mut any = false;
                for arm in procedure.stmt(stmt).blocks() {
                    self.live = after.clone();
                    self.block(arm);
                    joined.union_with(&self.live);
                    any |= self.any_included(arm);
                }
                self.live = joined;
                if any || self.forced.contains(&stmt) {
                    self.include(stmt);
                }
            }
            _ => self.simple(stmt),
        }
    }

    fn repeat(&mut self, body: &[StmtId]) {
        loop {
            let at_end = self.live.clone();
            self.block(body);
            self.live.union_with(&at_end);
            if self.live == at_end {
                break;
            }
        }
    }

    fn any_included(&self, block: &[StmtId]) -> bool {
        block.iter().any(|stmt| self.included.contains(stmt))
    }

    fn include(&mut self, stmt: StmtId) {
        self.included.insert(stmt);
        let subject = self.subject;
        for read in subject.reads_when_run(stmt, self.frame) {
            if !subject.is_always_there(read.var, stmt) {
                self.live.insert(read.var.index());
            }
        }
    }

    fn simple(&mut self, stmt: StmtId) {
        let subject = self.subject;
        let effects = subject.effect(stmt);
        let wanted = effects.writes.iter().any(|write| {
            self.live.contains(write.var.index())
                || self
                    .live
                    .ones()
                    .any(|v| subject.dependence.overlaps(VarId::from_index(v), write.var))
        });
        if !wanted && !self.forced.contains(&stmt) {
            return;
        }
        if let Stmt::Assign { target, .. } = subject.procedure().stmt(stmt)
            && target.path.is_empty()
        {
            self.live.set(target.var.index(), false);
        }
        self.include(stmt);
    }
}

/// Whether a statement is a loop that may be reversed joint.
pub fn may_be_joint(procedure: &Procedure, stmt: StmtId) -> bool {
    matches!(procedure.stmt(stmt), Stmt::Loop { .. })
}
