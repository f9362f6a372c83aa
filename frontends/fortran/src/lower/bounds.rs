//! What is asked about the bounds of arrays: `size`, `lbound`, `ubound`, `shape`.

use super::array::Range;
use super::{Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use contraflow_ir::{Access, BinaryOp, BoundKind, Expr, ExprId, Stmt, Type};

/// One dimension, from 0.
enum Dimension {
    Constant(usize),
    /// A number that is known at run time.
    Computed(ExprId),
}

impl Lowerer<'_> {
    /// A number about one dimension, or the size of all.
    pub(super) fn bound_of(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<ExprId> {
        let Some(array) = self.argument_of(e, arguments, 0, "array") else {
            return refuse("a bound of nothing");
        };
        let ty = self.kind_argument(e, arguments, 2, Type::INT)?;
        let ranges = self.ranges(array)?;
        let value = match self.dimension(e, arguments)? {
            None if name == "size" => self.size_of_all(&ranges)?,
            None => return refuse("all bounds of an array at once"),
            Some(Dimension::Constant(dim)) => self.edge(array, name, &ranges, dim)?,
            Some(Dimension::Computed(which)) => self.one_of_edges(array, name, &ranges, which)?,
        };
        self.converted(value, ty)
    }

    fn dimension(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<Option<Dimension>> {
        let Some(dim) = self.argument_of(e, arguments, 1, "dim") else {
            return Ok(None);
        };
        let constant = self.program.integer_of(self.scope, dim.tree, dim.node, 0);
        Ok(Some(match constant {
            Some(value) => Dimension::Constant(usize::try_from(value - 1).unwrap_or(usize::MAX)),
            None => Dimension::Computed(self.integer(dim)?),
        }))
    }

    fn size_of_all(&mut self, ranges: &[Range]) -> Fallible<ExprId> {
        let mut total = None;
        for range in ranges {
            let count = self.count(range);
            total = Some(match total {
                None => count,
                Some(before) => self.binary(BinaryOp::Multiply, before, count)?,
            });
        }
        Ok(total.unwrap_or_else(|| self.int(1)))
    }

    /// The number of the dimension that is asked for; of the last one, if of none before.
    fn one_of_edges(
        &mut self,
        array: Syn,
        name: &str,
        ranges: &[Range],
        which: ExprId,
    ) -> Fallible<ExprId> {
        let mut value = None;
        for dim in (0..ranges.len()).rev() {
            let own = self.edge(array, name, ranges, dim)?;
            let own = self.converted(own, Type::INT)?;
            value = Some(match value {
                None => own,
                Some(after) => {
                    let number = self.int(dim as i128 + 1);
                    let is_own = self.binary(BinaryOp::Equal, which, number)?;
                    self.build().select(is_own, own, after)
                }
            });
        }
        match value {
            Some(value) => Ok(value),
            None => refuse("a dimension of what has none"),
        }
    }

    /// Whether an intrinsic gives one number for each dimension.
    pub(super) fn is_of_all_bounds(&self, e: Syn, name: &str, arguments: &[NodeId]) -> bool {
        match name {
            "shape" => true,
            "lbound" | "ubound" => self.argument_of(e, arguments, 1, "dim").is_none(),
            _ => false,
        }
    }

    /// The type of these numbers.
    pub(super) fn type_of_bounds(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<Type> {
        let position = if name == "shape" { 1 } else { 2 };
        self.kind_argument(e, arguments, position, Type::INT)
    }

    /// The numbers of all dimensions, in a temporary array.
    pub(super) fn all_bounds(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<Hoisted> {
        let keyword = if name == "shape" { "source" } else { "array" };
        let Some(array) = self.argument_of(e, arguments, 0, keyword) else {
            return refuse("a bound of nothing");
        };
        let ty = self.type_of_bounds(e, name, arguments)?;
        let asked = if name == "shape" { "size" } else { name };
        let ranges = self.ranges(array)?;
        let (lower, upper) = (self.int(1), self.int(ranges.len() as i128));
        let all = Range {
            lower,
            upper,
            step: None,
        };
        let var = self.temporary_array(&format!("{name}_"), ty, &[all]);
        for dim in 0..ranges.len() {
            let value = self.edge(array, asked, &ranges, dim)?;
            let value = self.converted(value, ty)?;
            let place = self.int(dim as i128 + 1);
            let target = Access::element(var, vec![place]);
            self.emit(Stmt::Assign { target, value });
        }
        Ok(Hoisted::Array(var))
    }

    /// The extent of one dimension; of an array with a descriptor, asked there.
    fn extent_of(&mut self, array: Syn, range: &Range, dim: usize) -> Fallible<ExprId> {
        if let Expr::Bound {
            array: access,
            kind: BoundKind::Upper,
            ..
        } = self.procedure.expr(range.upper).clone()
            && *array.tree.syntax(array.node) == Syntax::Name
        {
            return Ok(self.bound(&access, BoundKind::Extent, dim));
        }
        Ok(self.count(range))
    }

    /// A number about one dimension. A bound of a whole array is its own, of any other expression it
    /// counts from 1.
    fn edge(&mut self, array: Syn, name: &str, ranges: &[Range], dim: usize) -> Fallible<ExprId> {
        let Some(range) = ranges.get(dim) else {
            return refuse("a dimension that is not there");
        };
        let is_whole = matches!(
            array.tree.syntax(array.node),
            Syntax::Name | Syntax::Member(..)
        );
        match (name, is_whole) {
            ("size", _) => self.extent_of(array, range, dim),
            ("lbound", true) => Ok(range.lower),
            ("ubound", true) => Ok(range.upper),
            ("lbound", false) => Ok(self.int(1)),
            _ => Ok(self.count(range)),
        }
    }
}
