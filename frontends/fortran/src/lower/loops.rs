//! Loop nests over arrays, and temporary arrays.

use super::array::Range;
use super::{Element, Fallible, LoopDim, Lowerer};
use contraflow_ir::{
    Access, Allocation, Dim, Expr, ExprId, Extent, Intent, Passing, Stmt, Storage, Type, VarId,
    Variable,
};

impl Lowerer<'_> {
    /// A loop nest over `ranges`, the first one innermost. A range with a step is run over by
    /// positions from 0, so that all subscripts stay affine.
    pub(super) fn nest(
        &mut self,
        ranges: &[Range],
        body: impl FnOnce(&mut Self, &Element) -> Fallible<()>,
    ) -> Fallible<()> {
        let mut dims = Vec::new();
        let mut bounds = Vec::new();
        for range in ranges {
            let variable = self.counter();
            let is_unit = match range.step {
                None => true,
                Some(step) => self.build().integer_value(step) == Some(1),
            };
            let (lower, upper) = if is_unit {
                (range.lower, range.upper)
            } else {
                let count = self.count(range);
                let mut b = self.build();
                let zero = b.int(0);
                let one = b.int(1);
                (zero, b.sub(count, one))
            };
            let lower = self.build().convert(lower, Type::INT);
            let upper = self.build().convert(upper, Type::INT);
            dims.push(LoopDim { variable, lower });
            bounds.push((lower, upper));
        }
        let result = self.block(|lowerer| body(lowerer, &dims));
        for dim in dims.iter().rev() {
            self.free_counters.push(dim.variable);
        }
        let (mut block, ()) = result?;
        for (dim, (lower, upper)) in dims.iter().zip(bounds) {
            let mut b = self.build();
            let step = b.int(1);
            block = vec![b.counted_loop(dim.variable, lower, upper, step, block)];
        }
        self.out.extend(block);
        Ok(())
    }

    /// The subscripts of a temporary array at an element.
    pub(super) fn temporary_element(&mut self, var: VarId, at: &Element) -> Access {
        let one = self.int(1);
        let subscripts = at.iter().map(|dim| self.shifted(one, None, dim)).collect();
        Access::element(var, subscripts)
    }

    /// A temporary array with as many elements as `ranges`, counted from 1. It is automatic where
    /// its extents are known at entry, else allocated here and released after the statement.
    pub(super) fn temporary_array(&mut self, base: &str, ty: Type, ranges: &[Range]) -> VarId {
        let extents: Vec<ExprId> = ranges.iter().map(|range| self.count(range)).collect();
        let is_automatic = extents.iter().all(|&extent| self.known_at_entry(extent));
        let mut variable = Variable::scalar(base, ty);
        variable.span = self.span;
        let one = self.int(1);
        variable.shape = extents
            .iter()
            .map(|&extent| Dim {
                lower: one,
                extent: if is_automatic {
                    Extent::Count(extent)
                } else {
                    Extent::Deferred
                },
            })
            .collect();
        if !is_automatic {
            variable.allocation = Allocation::Allocatable;
        }
        let var = self.generate(base, variable);
        if !is_automatic {
            self.emit(Stmt::Allocate {
                target: Access::whole(var),
                shape: extents.into_iter().map(|extent| (None, extent)).collect(),
                zeroed: false,
            });
            self.to_free.push(var);
        }
        var
    }

    /// Releases what the statement allocated.
    pub(super) fn release(&mut self) {
        for var in std::mem::take(&mut self.to_free) {
            self.emit(Stmt::Free {
                target: Access::whole(var),
            });
        }
    }

    /// Whether an expression has the same value at entry as now: literals, constants, arguments
    /// that are not written, bounds of arguments.
    pub(super) fn known_at_entry(&self, e: ExprId) -> bool {
        let mut fine = true;
        self.procedure.walk_expr(e, &mut |id| {
            fine &= match self.procedure.expr(id) {
                Expr::Load(access) => {
                    let variable = self.variable(access.var);
                    let is_fixed = variable.is_constant()
                        || (variable.is_argument()
                            && (variable.intent == Intent::In
                                || variable.passing == Passing::Value));
                    is_fixed && access.path.is_empty()
                }
                Expr::Bound { array, .. } => {
                    let variable = self.variable(array.var);
                    matches!(variable.storage, Storage::Argument { .. })
                        && variable.allocation == Allocation::Fixed
                        && array.path.is_empty()
                }
                Expr::Opaque { .. } => false,
                _ => true,
            };
        });
        fine
    }
}
