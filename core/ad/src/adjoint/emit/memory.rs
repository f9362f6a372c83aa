//! Allocation and release in both sweeps, as [`Memory`](super::super::memory::Memory) says.

use contraflow_ir::{
    Access, Argument, BoundKind, Builder, Expr, ExprId, Stmt, StmtId, Type, VarId, place_of,
};

use super::{Emitter, Frame, Kind};
use crate::adjoint::extent::{Extents, Range};
use crate::adjoint::memory::{Shape, is_deferred};
use crate::allocation::{
    Before, conform, conform_record, holds_allocatables, make_like, release_if_there, zero_records,
};

impl Emitter<'_, '_> {
    /// Makes the shadow of what the primal allocates for good.
    pub(super) fn allocate_shadow(
        &mut self,
        primal: &Stmt,
        shadow: VarId,
        stmt: StmtId,
        done: &mut Vec<StmtId>,
    ) {
        let Stmt::Allocate { target, shape, .. } = primal else {
            return;
        };
        let place = Access {
            var: shadow,
            path: target.path.clone(),
        };
        self.allocate_zeroed(place, shape.clone(), stmt, done);
    }

    pub(super) fn allocate_zeroed(
        &mut self,
        target: Access,
        shape: Shape,
        stmt: StmtId,
        done: &mut Vec<StmtId>,
    ) {
        let ty = self.type_of(&target);
        let rank = shape.len();
        // Memory that is all zero bits holds zeros and null pointers.
        let by_bits = self.out.scalars_by_value;
        let allocate = Stmt::Allocate {
            target: target.clone(),
            shape,
            zeroed: by_bits || ty.is_differentiable(),
        };
        done.push(self.stmt(allocate, stmt));
        if let (Type::Record(_), false) = (ty, by_bits) {
            let module = self.subject.module;
            done.extend(zero_records(&mut self.out, module, &target, rank, ty));
        }
    }

    /// Keeps the bounds of what is about to be freed, unless they can be evaluated again.
    pub(super) fn keep_shape(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        var: VarId,
        done: &mut Vec<StmtId>,
    ) {
        if self.shape_again(var).is_some() {
            return;
        }
        for dim in 0..self.out.variables[var].rank() {
            let lower = self.bound(var, BoundKind::Lower, dim);
            self.keep_value(frame, stmt, Kind::Lower(dim), lower, done);
            let extent = self.bound(var, BoundKind::Extent, dim);
            self.keep_value(frame, stmt, Kind::Extent(dim), extent, done);
        }
    }

    /// Undoes the release of a variable: it and its shadow are allocated, and what the variable held
    /// comes back if it is needed.
    pub(super) fn allocate_again(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        var: VarId,
        done: &mut Vec<StmtId>,
    ) {
        let shape = match self.shape_again(var) {
            Some(shape) => shape,
            None => (0..self.out.variables[var].rank())
                .map(|dim| {
                    let lower = self.bound(var, BoundKind::Lower, dim);
                    let extent = self.bound(var, BoundKind::Extent, dim);
                    let lower = self.recall(stmt, frame, Kind::Lower(dim), lower, done);
                    let extent = self.recall(stmt, frame, Kind::Extent(dim), extent, done);
                    (Some(lower), extent)
                })
                .collect(),
        };
        let allocate = Stmt::Allocate {
            target: Access::whole(var),
            shape: shape.clone(),
            zeroed: false,
        };
        done.push(self.stmt(allocate, stmt));
        self.restore(stmt, frame, done);
        self.written_backwards.insert(var);
        if let Some(&shadow) = self.shadows.get(&var) {
            self.allocate_zeroed(Access::whole(shadow), shape, stmt, done);
        }
    }

    /// Undoes an allocation.
    pub(super) fn release_again(&mut self, stmt: StmtId, var: VarId, done: &mut Vec<StmtId>) {
        let shadow = self.shadows.get(&var).copied();
        self.written_backwards.insert(var);
        for var in shadow.into_iter().chain([var]) {
            let target = Access::whole(var);
            done.push(self.stmt(Stmt::Free { target }, stmt));
        }
    }

    /// The primal line whose change of memory is undone.
    pub(super) fn push_comment_of_memory(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        if let Some(text) = (self.comments)(stmt) {
            done.push(Builder::new(&mut self.out).stmt(Stmt::Comment(text)));
        }
    }

    fn shape_again(&self, var: VarId) -> Option<Shape> {
        let subject = self.subject;
        let extents = Extents {
            dependence: subject.dependence,
        };
        let again = subject
            .memory
            .shape_again(&self.out, subject.tree, &extents, var);
        again.or_else(|| {
            let known = subject.memory.shape_at_entry(&self.out, &extents, var)?;
            let whole = |range: &Range| (Some(range.lower), range.count);
            Some(known.iter().map(whole).collect())
        })
    }

    fn bound(&mut self, var: VarId, kind: BoundKind, dim: usize) -> ExprId {
        let bound = Expr::Bound {
            array: Access::whole(var),
            kind,
            dim: dim as u32,
        };
        Builder::new(&mut self.out).expr(bound, Type::INT)
    }

    /// The shape of a place that is saved or restored, where it stands.
    pub(super) fn shape_here(&mut self, stmt: StmtId, var: VarId) -> Option<Vec<Range>> {
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let known = self.shape_again(var);
        let Some(shape) = known.or_else(|| self.shape_since(stmt, var)) else {
            // An address does not tell how much it leads to.
            return match self.out.scalars_by_value {
                true => None,
                false => extents.memory(&mut self.out, var),
            };
        };
        let dims = &self.out.variables[var].shape;
        let ranges = shape.iter().zip(dims).map(|(&(lower, count), dim)| Range {
            lower: lower.unwrap_or(dim.lower),
            count,
        });
        Some(ranges.collect())
    }

    fn shape_since(&self, stmt: StmtId, var: VarId) -> Option<Shape> {
        let subject = self.subject;
        let primal = &subject.module.procedures[subject.id];
        let is_alone = |var: VarId| subject.dependence.has_one_name(var);
        let writers = |var: VarId| {
            let all = primal.all_statements().into_iter();
            let writes = |stmt: &StmtId| {
                let writes = &subject.effects[*stmt].writes;
                writes.iter().any(|write| write.var == var)
            };
            all.filter(writes).collect()
        };
        let memory = subject.memory;
        memory.shape_since(primal, subject.tree, &is_alone, &writers, (var, stmt))
    }

    /// Whether the shape of a place that is saved holds at entry.
    pub(super) fn is_shape_known(&self, place: &Access) -> bool {
        let memory = self.subject.memory;
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        !is_deferred(&self.out, place)
            || memory.is_settled(&self.out, place.var)
            || memory
                .shape_at_entry(&self.out, &extents, place.var)
                .is_some()
    }

    /// What is done to the memory of a variable that may have none is done where there is some.
    pub(super) fn if_allocated(&mut self, stmt: StmtId, place: &Access, inner: StmtId) -> StmtId {
        let memory = self.subject.memory;
        let comes_and_goes = is_deferred(&self.out, place)
            && !matches!(self.out.stmt(stmt), Stmt::Free { .. })
            && (memory.is_mirrored(place.var) && !memory.is_balanced(place.var)
                || memory.is_associated(place.var));
        let is_moved = place.path.is_empty() && self.moved_by(stmt).contains(&place.var);
        if !is_moved && !comes_and_goes {
            return inner;
        }
        let there = self.is_there(place.var);
        Builder::new(&mut self.out).if_else(there, vec![inner], Vec::new())
    }

    fn moved_by(&self, stmt: StmtId) -> Vec<VarId> {
        match self.out.stmt(stmt) {
            Stmt::Call { .. } => self.subject.memory.moved_by(stmt).collect(),
            _ => Vec::new(),
        }
    }

    fn is_there(&mut self, var: VarId) -> ExprId {
        Builder::new(&mut self.out).expr(Expr::Present(Access::whole(var)), Type::LOGICAL)
    }

    /// Before a call: whether the variables that it may reshape have memory, and how large.
    pub(super) fn keep_states(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        for var in self.moved_by(stmt) {
            let there = self.is_there(var);
            self.keep_value(frame, stmt, Kind::State(var), there, done);
            let mut bounds = Vec::new();
            for dim in 0..self.out.variables[var].rank() {
                let lower = self.bound(var, BoundKind::Lower, dim);
                self.keep_value(frame, stmt, Kind::StateLower(var, dim), lower, &mut bounds);
                let extent = self.bound(var, BoundKind::Extent, dim);
                self.keep_value(
                    frame,
                    stmt,
                    Kind::StateExtent(var, dim),
                    extent,
                    &mut bounds,
                );
            }
            if !bounds.is_empty() {
                let there = self.is_there(var);
                done.push(Builder::new(&mut self.out).if_else(there, bounds, Vec::new()));
            }
        }
    }

    /// Gives variables that a call reshaped the memory that they had before it.
    pub(super) fn restore_states(&mut self, stmt: StmtId, frame: Frame, done: &mut Vec<StmtId>) {
        for var in self.moved_by(stmt) {
            self.written_backwards.insert(var);
            let release = release_if_there(&mut self.out, var);
            done.push(release);
            let there = self.is_there(var);
            let there = self.recall(stmt, frame, Kind::State(var), there, done);
            let mut again = Vec::new();
            let shape = (0..self.out.variables[var].rank())
                .map(|dim| {
                    let lower = self.bound(var, BoundKind::Lower, dim);
                    let extent = self.bound(var, BoundKind::Extent, dim);
                    let (low, count) = (Kind::StateLower(var, dim), Kind::StateExtent(var, dim));
                    let lower = self.recall(stmt, frame, low, lower, &mut again);
                    let extent = self.recall(stmt, frame, count, extent, &mut again);
                    (Some(lower), extent)
                })
                .collect();
            let mut b = Builder::new(&mut self.out);
            again.push(b.stmt(Stmt::Allocate {
                target: Access::whole(var),
                shape,
                zeroed: false,
            }));
            done.push(b.if_else(there, again, Vec::new()));
        }
    }

    /// After the reversal of a call: shadows that its reversal did not get have the memory of the
    /// variables that the call reshaped, as it was before the call.
    pub(super) fn conform_shadows(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        for var in self.moved_by(stmt) {
            let Some(&shadow) = self.shadows.get(&var) else {
                continue;
            };
            if !self.is_passed_back(stmt, shadow) {
                done.extend(conform(&mut self.out, self.subject.module, var, shadow));
            }
        }
    }

    /// After the reversal of a statement that changed memory of records: their shadows have the memory
    /// that the records had before.
    pub(super) fn conform_records(&mut self, stmt: StmtId, done: &mut Vec<StmtId>) {
        let subject = self.subject;
        let primal = &subject.module.procedures[subject.id];
        let changed = subject
            .memory
            .records_changed(primal, &subject.effects[stmt]);
        for record in changed {
            if let Some(&shadow) = self.shadows.get(&record.var) {
                let of = |place: &Access| Access {
                    var: shadow,
                    path: place.path.clone(),
                };
                // What one statement made or released by name is all that it changed.
                if let Stmt::Allocate { target, .. } = primal.stmt(stmt) {
                    let target = of(target);
                    done.push(self.stmt(Stmt::Free { target }, stmt));
                    continue;
                }
                if let Stmt::Free { target } = primal.stmt(stmt)
                    && !holds_allocatables(subject.module, self.type_of(target))
                {
                    let rank = place_of(subject.module, primal, target).map_or(0, |p| p.rank);
                    done.push(make_like(
                        &mut self.out,
                        subject.module,
                        target,
                        &of(target),
                        rank,
                    ));
                    continue;
                }
                let block = conform_record(
                    &mut self.out,
                    subject.module,
                    &record,
                    &of(&record),
                    Before::Any,
                );
                done.extend(block);
            }
        }
    }

    /// Whether the reversal of a call gets a shadow.
    fn is_passed_back(&self, stmt: StmtId, shadow: VarId) -> bool {
        let backward = self.reverse.get(&stmt).into_iter().flatten();
        backward
            .filter_map(|&s| match self.out.stmt(s) {
                Stmt::Call { arguments, .. } => Some(arguments),
                _ => None,
            })
            .flatten()
            .any(|argument| matches!(argument, Argument::Place(place) if place.var == shadow))
    }
}
