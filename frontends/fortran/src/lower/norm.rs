//! `norm2`: the root of a sum of squares, scaled by the largest element so far. With scale `s` and
//! sum `r`, `r s²` is the sum of the squares; it is computed in the steps of the GNU compiler, so that
//! derived code gives the same bits.

use super::array::Range;
use super::{Element, Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::NodeId;
use contraflow_ir::{Access, BinaryOp, ExprId, Intrinsic, Type, VarId};

/// In which order a sum is multiplied by a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// `r*(q*q)`: a whole array.
    Square,
    /// `(r*q)*q`: along a dimension.
    Twice,
}

impl Lowerer<'_> {
    /// The rank of `norm2`.
    pub(super) fn norm_rank(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<usize> {
        let array = self.demanded(e, arguments, 0, "x")?;
        match self.argument_of(e, arguments, 1, "dim") {
            Some(_) => Ok(self.rank(array)?.saturating_sub(1)),
            None => Ok(0),
        }
    }

    /// `norm2(x[, dim])` in a temporary.
    pub(super) fn norm(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<Hoisted> {
        let array = self.demanded(e, arguments, 0, "x")?;
        let ty = self.element_type(array)?;
        if !ty.is_real() {
            return refuse("a norm of values that are not real");
        }
        self.hoist(array)?;
        let ranges = self.ranges(array)?;
        let dim = self.argument_of(e, arguments, 1, "dim");
        let dim = match dim {
            Some(dim) => Some(self.constant_dim(Some(dim))?),
            None => None,
        };
        match dim {
            Some(dim) if dim >= ranges.len() => {
                refuse("a norm along a dimension that is not there")
            }
            Some(dim) if ranges.len() > 1 => {
                let mut kept = ranges;
                let along = kept.remove(dim);
                let var = self.temporary_array("norm", ty, &kept);
                self.nest(&kept, |lowerer, outer| {
                    let target = lowerer.temporary_element(var, outer);
                    let outer = outer.to_vec();
                    lowerer.norm_over(&[along], &target, ty, Steps::Twice, |lowerer, inner| {
                        let mut at = outer.clone();
                        at.insert(dim, inner[0]);
                        lowerer.value(array, &at)
                    })
                })?;
                Ok(Hoisted::Array(var))
            }
            _ => {
                let var = self.temporary("norm", ty);
                let target = Access::whole(var);
                let value = |lowerer: &mut Self, at: &Element| lowerer.value(array, at);
                self.norm_over(&ranges, &target, ty, Steps::Square, value)?;
                Ok(Hoisted::Scalar(var))
            }
        }
    }

    fn norm_over(
        &mut self,
        ranges: &[Range],
        target: &Access,
        ty: Type,
        steps: Steps,
        value: impl FnOnce(&mut Self, &Element) -> Fallible<ExprId>,
    ) -> Fallible<()> {
        let scale = self.temporary("scale", ty);
        let size = self.temporary("size_", ty);
        let mut b = self.build();
        let (zero, one) = (b.number(0, ty), b.number(1, ty));
        let starts = [
            b.assign(target.clone(), zero),
            b.assign(Access::whole(scale), one),
        ];
        self.out.extend(starts);
        self.nest(ranges, |lowerer, at| {
            let value = value(lowerer, at)?;
            let (then, ()) = lowerer.block(|lowerer| {
                lowerer.norm_step(value, target, scale, size, ty, steps);
                Ok(())
            })?;
            let mut b = lowerer.build();
            let counts = b.compare(BinaryOp::NotEqual, value, zero);
            let guarded = b.if_else(counts, then, Vec::new());
            lowerer.out.push(guarded);
            Ok(())
        })?;
        let mut b = self.build();
        let (scale, sum) = (b.load(scale), b.load_access(target.clone()));
        let root = b.call(Intrinsic::Sqrt, vec![sum]);
        let value = b.exact_binary(BinaryOp::Multiply, scale, root);
        let assigned = b.assign(target.clone(), value);
        self.out.push(assigned);
        Ok(())
    }

    fn norm_step(
        &mut self,
        value: ExprId,
        target: &Access,
        scale: VarId,
        size: VarId,
        ty: Type,
        steps: Steps,
    ) {
        let ratio = self.temporary("ratio", ty);
        let mut b = self.build();
        let one = b.number(1, ty);
        let absolute = b.call(Intrinsic::Abs, vec![value]);
        let measured = b.assign(Access::whole(size), absolute);
        let (new, old) = (b.load(size), b.load(scale));
        let is_larger = b.compare(BinaryOp::Greater, new, old);
        let sum = b.load_access(target.clone());
        let up = b.exact_binary(BinaryOp::Divide, old, new);
        let down = b.exact_binary(BinaryOp::Divide, new, old);
        let q = b.load(ratio);
        let square = b.exact_binary(BinaryOp::Multiply, q, q);
        let shrunk = match steps {
            Steps::Square => b.exact_binary(BinaryOp::Multiply, sum, square),
            Steps::Twice => {
                let once = b.exact_binary(BinaryOp::Multiply, sum, q);
                b.exact_binary(BinaryOp::Multiply, once, q)
            }
        };
        let rescaled = b.exact_binary(BinaryOp::Add, one, shrunk);
        let longer = b.exact_binary(BinaryOp::Add, sum, square);
        let then = vec![
            b.assign(Access::whole(ratio), up),
            b.assign(target.clone(), rescaled),
            b.assign(Access::whole(scale), new),
        ];
        let otherwise = vec![
            b.assign(Access::whole(ratio), down),
            b.assign(target.clone(), longer),
        ];
        let chosen = b.if_else(is_larger, then, otherwise);
        self.out.extend([measured, chosen]);
    }
}
