//! Allocation and release in both sweeps, as [`Memory`](super::super::memory::Memory) says.

use contraflow_ir::{Access, BoundKind, Builder, Expr, ExprId, Stmt, StmtId, Type, VarId};

use super::{Emitter, Frame, Kind};
use crate::adjoint::extent::{Extents, Range};
use crate::adjoint::memory::Shape;

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

    fn allocate_zeroed(
        &mut self,
        target: Access,
        shape: Shape,
        stmt: StmtId,
        done: &mut Vec<StmtId>,
    ) {
        let allocate = Stmt::Allocate {
            target,
            shape,
            zeroed: true,
        };
        done.push(self.stmt(allocate, stmt));
    }

    /// Keeps the bounds of what is about to be freed, unless they can be evaluated again.
    pub(super) fn keep_shape(
        &mut self,
        stmt: StmtId,
        frame: Frame,
        var: VarId,
        done: &mut Vec<StmtId>,
    ) {
        if self.shape_again(stmt, var).is_some() {
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
        let shape = match self.shape_again(stmt, var) {
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
        if let Some(&shadow) = self.shadows.get(&var) {
            self.allocate_zeroed(Access::whole(shadow), shape, stmt, done);
        }
    }

    /// Undoes an allocation.
    pub(super) fn release_again(&mut self, stmt: StmtId, var: VarId, done: &mut Vec<StmtId>) {
        let shadow = self.shadows.get(&var).copied();
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

    fn shape_again(&self, stmt: StmtId, var: VarId) -> Option<Shape> {
        let subject = self.subject;
        let extents = Extents {
            dependence: subject.dependence,
        };
        let again = subject
            .memory
            .shape_again(&self.out, subject.tree, &extents, stmt, var);
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
}
