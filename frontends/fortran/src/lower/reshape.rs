//! Allocatables that get another shape: by assignment, by `move_alloc`, by `ALLOCATE` with a source,
//! and on entry to a procedure that gives them.

use super::array::Range;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax, Tree};
use contraflow_ir::{
    Access, Allocation, BinaryOp, Block, BoundKind, Expr, ExprId, Intent, Selector, Stmt, Type,
    UnaryOp, VarId,
};

/// Lower bound and extent per dimension.
pub(super) type Shape = Vec<(Option<ExprId>, ExprId)>;

impl Lowerer<'_> {
    /// The place of a target that is a whole allocatable: an assignment may give it another shape.
    pub(super) fn whole_allocatable(&mut self, target: Syn) -> Fallible<Option<Access>> {
        if !matches!(
            target.tree.syntax(target.node),
            Syntax::Name | Syntax::Member(..)
        ) {
            return Ok(None);
        }
        let access = self.place(target, &[])?.access;
        let is_allocatable = self.allocation_of(&access) == Allocation::Allocatable;
        Ok(is_allocatable.then_some(access))
    }

    /// Who makes the memory of what an access names.
    pub(super) fn allocation_of(&self, access: &Access) -> Allocation {
        let variable = self.variable(access.var);
        let (mut ty, mut allocation) = (variable.ty, variable.allocation);
        for selector in &access.path {
            allocation = match (selector, ty) {
                (Selector::Field(index), Type::Record(record)) => {
                    let field = &self.module.records[record].fields[*index as usize];
                    ty = field.ty;
                    field.allocation
                }
                _ => Allocation::Fixed,
            };
        }
        allocation
    }

    /// Before `target = value`: the allocatable gets the shape of the value.
    pub(super) fn reallocate(&mut self, access: &Access, value: Syn) -> Fallible<()> {
        let ranges = self.ranges(value)?;
        let is_whole = *value.tree.syntax(value.node) == Syntax::Name;
        let mut shape = Vec::new();
        for range in &ranges {
            let count = self.count(range);
            let from_one =
                self.build().integer_value(range.lower) == Some(1) || range.step.is_some();
            // Only a whole array hands its lower bound on.
            let lower = (is_whole && !from_one).then_some(range.lower);
            shape.push((lower, count));
        }
        self.reallocate_to(access, shape)
    }

    /// `if (allocated(a)) if (shape differs) deallocate (a)`,
    /// `if (.not. allocated(a)) allocate (a(shape))`
    fn reallocate_to(&mut self, access: &Access, shape: Shape) -> Fallible<()> {
        let mut differs = None;
        for (dim, &(_, count)) in shape.iter().enumerate() {
            let extent = self.bound(access, BoundKind::Extent, dim);
            let extent = self.same_integer(extent, count);
            let unequal = self.binary(BinaryOp::NotEqual, extent, count)?;
            differs = Some(match differs {
                None => unequal,
                Some(before) => self.binary(BinaryOp::Or, before, unequal)?,
            });
        }
        if let Some(differs) = differs {
            let present = self.is_allocated(access);
            let mut b = self.build();
            let free = b.stmt(Stmt::Free {
                target: access.clone(),
            });
            let inner = b.if_else(differs, vec![free], Vec::new());
            let outer = b.if_else(present, vec![inner], Vec::new());
            self.out.push(outer);
        }
        let present = self.is_allocated(access);
        let absent = self.add(Expr::Unary(UnaryOp::Not, present), Type::LOGICAL);
        let mut b = self.build();
        let allocate = b.stmt(Stmt::Allocate {
            target: access.clone(),
            shape,
            zeroed: false,
        });
        let made = b.if_else(absent, vec![allocate], Vec::new());
        self.out.push(made);
        Ok(())
    }

    fn is_allocated(&mut self, access: &Access) -> ExprId {
        self.add(Expr::Present(access.clone()), Type::LOGICAL)
    }

    /// Whether a value has the very bounds of the whole array `access`.
    pub(super) fn has_shape_of(&mut self, access: &Access, value: Syn) -> Fallible<bool> {
        for (dim, range) in self.ranges(value)?.iter().enumerate() {
            let lower = self.lower_bound(access, dim)?;
            let upper = self.upper_bound(access, dim)?;
            let same = range.step.is_none()
                && self.procedure.same_expr(range.lower, lower)
                && self.procedure.same_expr(range.upper, upper);
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `a = value` where the value is made of what `a` holds and may have another shape: the value
    /// is complete before `a` changes.
    pub(super) fn assign_reshaped(
        &mut self,
        access: &Access,
        target: Syn,
        value: Syn,
    ) -> Fallible<()> {
        let ty = self.designator_type(target)?;
        let ranges = self.ranges(value)?;
        let temporary = self.temporary_array("values", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let value = lowerer.value(value, at)?;
            let value = lowerer.fitting(value, ty)?;
            let target = lowerer.temporary_element(temporary, at);
            lowerer.emit(Stmt::Assign { target, value });
            Ok(())
        })?;
        let shape = self.shape_of(&Access::whole(temporary), BoundsOf::FromOne)?;
        self.reallocate_to(access, shape)?;
        self.copy_elements(access, &Access::whole(temporary), ty)
    }

    /// The shape of a whole array.
    fn shape_of(&mut self, access: &Access, bounds: BoundsOf) -> Fallible<Shape> {
        let rank = self.place_rank(access);
        let mut shape = Vec::new();
        for dim in 0..rank {
            let declared = match access.path.is_empty() {
                true => self.variable(access.var).shape.get(dim).copied(),
                false => None,
            };
            let count = match declared.map(|dim| dim.extent) {
                Some(contraflow_ir::Extent::Count(count)) => count,
                _ => self.bound(access, BoundKind::Extent, dim),
            };
            let lower = match bounds {
                BoundsOf::FromOne => None,
                BoundsOf::Source => Some(self.lower_bound(access, dim)?),
            };
            shape.push((lower, count));
        }
        Ok(shape)
    }

    fn place_rank(&self, access: &Access) -> usize {
        contraflow_ir::place_of(self.module, &self.procedure, access).map_or(0, |place| place.rank)
    }

    /// `target = source` for whole arrays of one shape.
    fn copy_elements(&mut self, target: &Access, source: &Access, ty: Type) -> Fallible<()> {
        let mut ranges = Vec::new();
        for dim in 0..self.place_rank(target) {
            ranges.push(Range {
                lower: self.lower_bound(target, dim)?,
                upper: self.upper_bound(target, dim)?,
                step: None,
            });
        }
        let source = source.clone();
        let target = target.clone();
        self.nest(&ranges, |lowerer, at| {
            let mut subscripts = (Vec::new(), Vec::new());
            for (position, dim) in at.iter().enumerate() {
                let first = lowerer.lower_bound(&source, position)?;
                subscripts.0.push(lowerer.shifted(first, None, dim));
                subscripts.1.push(lowerer.load(dim.variable));
            }
            let (from, to) = (
                with_subscripts(&source, subscripts.0),
                with_subscripts(&target, subscripts.1),
            );
            let value = lowerer.add(Expr::Load(from), ty);
            lowerer.emit(Stmt::Assign { target: to, value });
            Ok(())
        })
    }

    /// `s = value` allocates a scalar that has no memory.
    pub(super) fn allocate_scalar(&mut self, target: Syn) -> Fallible<()> {
        let Some(access) = self.whole_allocatable(target)? else {
            return Ok(());
        };
        self.reallocate_to(&access, Vec::new())
    }

    /// `call move_alloc(from, to)`
    pub(super) fn move_alloc(&mut self, tree: &Tree, actuals: &[NodeId]) -> Fallible<()> {
        let mut places = Vec::new();
        for (position, &node) in actuals.iter().enumerate() {
            let (position, node) = match tree.syntax(node) {
                Syntax::Keyword(name, value) => match tree.statement.part(*name) {
                    "from" => (0, *value),
                    "to" => (1, *value),
                    _ => return refuse("MOVE_ALLOC with a status"),
                },
                _ => (position, node),
            };
            let place = self.place(Syn { tree, node }, &[])?;
            if self.allocation_of(&place.access) != Allocation::Allocatable {
                return refuse("MOVE_ALLOC of something that is not allocatable");
            }
            places.push((position, place));
        }
        places.sort_by_key(|(position, _)| *position);
        let [(0, from), (1, to)] = places.as_slice() else {
            return refuse("MOVE_ALLOC with a status");
        };
        if from.ty != to.ty || matches!(from.ty, Type::Character | Type::Record(_)) {
            return refuse("MOVE_ALLOC of records or strings");
        }
        self.free_if_allocated(&to.access);
        let (moved, ()) = self.block(|lowerer| {
            let shape = lowerer.shape_of(&from.access, BoundsOf::Source)?;
            lowerer.emit(Stmt::Allocate {
                target: to.access.clone(),
                shape,
                zeroed: false,
            });
            lowerer.copy_elements(&to.access, &from.access, from.ty)?;
            lowerer.emit(Stmt::Free {
                target: from.access.clone(),
            });
            Ok(())
        })?;
        let present = self.is_allocated(&from.access);
        let stmt = self.build().if_else(present, moved, Vec::new());
        self.out.push(stmt);
        Ok(())
    }

    fn free_if_allocated(&mut self, access: &Access) {
        let stmt = self.release_of(access);
        self.out.push(stmt);
    }

    fn release_of(&mut self, access: &Access) -> contraflow_ir::StmtId {
        let present = self.is_allocated(access);
        let mut b = self.build();
        let free = b.stmt(Stmt::Free {
            target: access.clone(),
        });
        b.if_else(present, vec![free], Vec::new())
    }

    /// An allocatable argument that a procedure gives has no memory when it starts.
    pub(super) fn release_given(&mut self) -> Block {
        let given: Vec<VarId> = self
            .procedure
            .arguments
            .iter()
            .copied()
            .filter(|&var| {
                let variable = self.variable(var);
                variable.allocation == Allocation::Allocatable
                    && variable.intent == Intent::Out
                    && !variable.optional
                    && !matches!(variable.ty, Type::Unknown | Type::Procedure)
            })
            .collect();
        given
            .into_iter()
            .map(|var| self.release_of(&Access::whole(var)))
            .collect()
    }

    /// `allocate (a, source=value)`, `allocate (a, mold=value)`: the shape, where none is stated.
    pub(super) fn shape_of_source(&mut self, source: Syn) -> Fallible<Shape> {
        let ranges = self.ranges(source)?;
        let is_whole = *source.tree.syntax(source.node) == Syntax::Name;
        Ok(ranges
            .iter()
            .map(|range| {
                let count = self.count(range);
                let from_one = self.build().integer_value(range.lower) == Some(1);
                ((is_whole && !from_one).then_some(range.lower), count)
            })
            .collect())
    }

    /// Gives what `allocate (a, source=value)` allocated its value.
    pub(super) fn fill_from_source(&mut self, target: Syn, source: Syn) -> Fallible<()> {
        if self.rank(target)? == 0 {
            let place = self.place(target, &[])?;
            let value = self.scalar(source)?;
            let value = self.fitting(value, place.ty)?;
            self.emit(Stmt::Assign {
                target: place.access,
                value,
            });
            return Ok(());
        }
        let ranges = self.ranges(target)?;
        self.nest(&ranges, |lowerer, at| {
            lowerer.assign_element(target, source, at)
        })
    }
}

/// Whose lower bounds a shape has.
#[derive(Clone, Copy, PartialEq)]
enum BoundsOf {
    FromOne,
    Source,
}

fn with_subscripts(place: &Access, subscripts: Vec<ExprId>) -> Access {
    let mut place = place.clone();
    if !subscripts.is_empty() {
        place.path.push(Selector::Index(subscripts));
    }
    place
}
