//! Array intrinsics that move elements: `cshift`, `eoshift`, `reshape`, `pack`, `unpack`. Each fills
//! a temporary array ahead of the statement.
//!
//! An element of the source that no loop counter names is named by an integer variable that holds
//! its position from 0.

use super::array::Range;
use super::{Element, Fallible, Hoisted, LoopDim, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Intrinsic, Stmt, Type, VarId};

impl Lowerer<'_> {
    /// Whether [`Self::rearranged`] lowers the intrinsic.
    pub(super) fn is_rearranging(name: &str) -> bool {
        matches!(name, "cshift" | "eoshift" | "reshape" | "pack" | "unpack")
    }

    /// The elements in their new order, in a temporary array.
    pub(super) fn rearranged(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<Hoisted> {
        let var = match name {
            "cshift" | "eoshift" => self.shift(e, name, arguments)?,
            "reshape" => self.reshape(e, arguments)?,
            "pack" => self.pack(e, arguments)?,
            _ => self.unpack(e, arguments)?,
        };
        Ok(Hoisted::Array(var))
    }

    /// An argument that must be there.
    pub(super) fn demanded<'t>(
        &self,
        e: Syn<'t>,
        arguments: &[NodeId],
        position: usize,
        keyword: &str,
    ) -> Fallible<Syn<'t>> {
        match self.argument_of(e, arguments, position, keyword) {
            Some(argument) => Ok(argument),
            None => refuse(format!("an array intrinsic without `{keyword}`")),
        }
    }

    /// `target = value`
    fn set(&mut self, target: Access, value: ExprId) {
        self.emit(Stmt::Assign { target, value });
    }

    /// An integer variable that holds a value.
    fn holding(&mut self, base: &str, value: ExprId) -> VarId {
        let var = self.temporary(base, Type::INT);
        self.set(Access::whole(var), value);
        var
    }

    /// The position from 0 of a loop's element.
    fn place_of(&mut self, dim: LoopDim) -> ExprId {
        let mut b = self.build();
        let counter = b.load(dim.variable);
        b.sub(counter, dim.lower)
    }

    /// The element at the position from 0 that a variable holds.
    fn element_at(&mut self, variable: VarId) -> LoopDim {
        let lower = self.int(0);
        LoopDim { variable, lower }
    }

    fn shift(&mut self, e: Syn, name: &str, arguments: &[NodeId]) -> Fallible<VarId> {
        let is_cyclic = name == "cshift";
        let array = self.demanded(e, arguments, 0, "array")?;
        let shift = self.demanded(e, arguments, 1, "shift")?;
        let boundary = match is_cyclic {
            true => None,
            false => self.argument_of(e, arguments, 2, "boundary"),
        };
        let dim = self.argument_of(e, arguments, if is_cyclic { 2 } else { 3 }, "dim");
        let constant = dim.map(|dim| self.program.integer_of(self.scope, dim.tree, dim.node, 0));
        if let (Some(dim), Some(None)) = (dim, constant) {
            return self.shift_along(array, shift, is_cyclic, boundary, dim);
        }
        let dim = self.constant_dim(dim)?;
        let ty = self.element_type(array)?;
        if !ty.is_numeric() && !matches!(ty, Type::Logical { .. }) {
            return refuse("a shift of values that are no numbers");
        }
        for part in [Some(array), Some(shift), boundary].into_iter().flatten() {
            self.hoist(part)?;
        }
        let ranges = self.ranges(array)?;
        if dim >= ranges.len() {
            return refuse("a shift along a dimension that is not there");
        }
        let count = self.count(&ranges[dim]);
        let count = self.build().convert(count, Type::INT);
        let var = self.temporary_array("shifted", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let mut others = at.to_vec();
            let along = others.remove(dim);
            let distance = lowerer.value_of_rank(shift, &others)?;
            let distance = lowerer.build().convert(distance, Type::INT);
            let position = lowerer.place_of(along);
            let mut b = lowerer.build();
            let mut from = b.add(position, distance);
            if is_cyclic {
                from = b.call(Intrinsic::Modulo, vec![from, count]);
            }
            let from = lowerer.holding("from", from);
            let mut source = at.to_vec();
            source[dim] = lowerer.element_at(from);
            let target = lowerer.temporary_element(var, at);
            let (moved, ()) = lowerer.block(|lowerer| {
                let value = lowerer.value(array, &source)?;
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            if is_cyclic {
                lowerer.out.extend(moved);
                return Ok(());
            }
            let (filled, ()) = lowerer.block(|lowerer| {
                let value = match boundary {
                    Some(boundary) => {
                        let value = lowerer.value_of_rank(boundary, &others)?;
                        lowerer.fitting(value, ty)?
                    }
                    None if ty.is_numeric() => lowerer.build().zero(ty),
                    None => lowerer.build().logical(false),
                };
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            let mut b = lowerer.build();
            let (zero, from) = (b.int(0), b.load(from));
            let above = b.compare(BinaryOp::GreaterEqual, from, zero);
            let below = b.compare(BinaryOp::Less, from, count);
            let inside = b.and(above, below);
            let chosen = b.if_else(inside, moved, filled);
            lowerer.out.push(chosen);
            Ok(())
        })?;
        Ok(var)
    }

    /// A shift by one distance along a dimension that is known at run time.
    fn shift_along(
        &mut self,
        array: Syn,
        shift: Syn,
        is_cyclic: bool,
        boundary: Option<Syn>,
        dim: Syn,
    ) -> Fallible<VarId> {
        let ty = self.element_type(array)?;
        if !ty.is_numeric() {
            return refuse(
                "a shift of values that are no numbers along a dimension that is not constant",
            );
        }
        for part in [Some(shift), boundary].into_iter().flatten() {
            if self.rank(part)? > 0 {
                return refuse(
                    "a shift by several distances along a dimension that is not constant",
                );
            }
        }
        self.hoist(array)?;
        let number = self.integer(dim)?;
        let number = self.build().convert(number, Type::INT);
        let number = self.holding("dim", number);
        let distance = self.integer(shift)?;
        let distance = self.build().convert(distance, Type::INT);
        let distance = self.holding("distance", distance);
        let filling = match boundary {
            Some(boundary) => {
                let value = self.scalar(boundary)?;
                let value = self.fitting(value, ty)?;
                let var = self.temporary("boundary", ty);
                self.set(Access::whole(var), value);
                Some(var)
            }
            None => None,
        };
        let ranges = self.ranges(array)?;
        let counts: Vec<ExprId> = ranges
            .iter()
            .map(|range| {
                let count = self.count(range);
                self.build().convert(count, Type::INT)
            })
            .collect();
        let var = self.temporary_array("shifted", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let mut source = Vec::new();
            let mut inside = None;
            for (position, (&own, &count)) in at.iter().zip(&counts).enumerate() {
                let place = lowerer.place_of(own);
                let mut b = lowerer.build();
                let (here, distance) = (b.load(number), b.load(distance));
                let this = b.int(position as i128 + 1);
                let is_along = b.compare(BinaryOp::Equal, here, this);
                let mut moved = b.add(place, distance);
                if is_cyclic {
                    moved = b.call(Intrinsic::Modulo, vec![moved, count]);
                }
                let from = b.select(is_along, moved, place);
                let from = lowerer.holding("from", from);
                source.push(lowerer.element_at(from));
                let mut b = lowerer.build();
                let (zero, from) = (b.int(0), b.load(from));
                let above = b.compare(BinaryOp::GreaterEqual, from, zero);
                let below = b.compare(BinaryOp::Less, from, count);
                let fits = b.and(above, below);
                inside = Some(match inside {
                    Some(before) => b.and(before, fits),
                    None => fits,
                });
            }
            let target = lowerer.temporary_element(var, at);
            let (moved, ()) = lowerer.block(|lowerer| {
                let value = lowerer.value(array, &source)?;
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            let (false, Some(inside)) = (is_cyclic, inside) else {
                lowerer.out.extend(moved);
                return Ok(());
            };
            let mut b = lowerer.build();
            let value = match filling {
                Some(filling) => b.load(filling),
                None => b.zero(ty),
            };
            let filled = b.assign(target, value);
            let chosen = b.if_else(inside, moved, vec![filled]);
            lowerer.out.push(chosen);
            Ok(())
        })?;
        Ok(var)
    }

    /// A scalar for all elements, or the element of an array.
    fn value_of_rank(&mut self, e: Syn, at: &Element) -> Fallible<ExprId> {
        match self.rank(e)? {
            0 => self.value(e, &[]),
            _ => self.value(e, at),
        }
    }

    /// A dimension from 0; the first one where none is said.
    pub(super) fn constant_dim(&mut self, dim: Option<Syn>) -> Fallible<usize> {
        let Some(dim) = dim else {
            return Ok(0);
        };
        let value = self.program.integer_of(self.scope, dim.tree, dim.node, 0);
        match value.and_then(|value| usize::try_from(value - 1).ok()) {
            Some(dim) => Ok(dim),
            None => refuse("a dimension that is not constant"),
        }
    }

    /// The rank that `reshape` gives.
    pub(super) fn reshaped_rank(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<usize> {
        let shape = self.demanded(e, arguments, 1, "shape")?;
        let extents = self.tried(|lowerer| lowerer.wanted_extents(shape))?;
        Ok(extents.len())
    }

    /// The elements of a list of integers whose number is known.
    fn wanted_extents(&mut self, shape: Syn) -> Fallible<Vec<ExprId>> {
        let tree = shape.tree;
        let sub = |node| Syn { tree, node };
        match tree.syntax(shape.node).clone() {
            Syntax::Parenthesized(inner) => self.wanted_extents(sub(inner)),
            Syntax::Array(items, _) => {
                let mut extents = Vec::new();
                for item in items {
                    if self.rank(sub(item))? > 0 {
                        return refuse("a shape that is not a plain list");
                    }
                    let extent = self.integer(sub(item))?;
                    extents.push(self.build().convert(extent, Type::INT));
                }
                Ok(extents)
            }
            Syntax::Apply(base, arguments)
                if tree.text(base) == "shape" && !arguments.is_empty() =>
            {
                let ranges = self.ranges(sub(arguments[0]))?;
                let counts = ranges.iter().map(|range| {
                    let count = self.count(range);
                    self.build().convert(count, Type::INT)
                });
                Ok(counts.collect())
            }
            Syntax::Name => {
                let access = self.place(shape, &[])?.access;
                let lower = self.lower_bound(&access, 0)?;
                let ranges = self.ranges(shape)?;
                let count = self.count(&ranges[0]);
                let Some(count) = self.build().integer_value(count) else {
                    return refuse("a shape whose length is not constant");
                };
                (0..count)
                    .map(|index| {
                        let mut b = self.build();
                        let index = b.int(index);
                        let subscript = b.add(lower, index);
                        let element = Access::element(access.var, vec![subscript]);
                        let extent = b.load_access(element);
                        Ok(b.convert(extent, Type::INT))
                    })
                    .collect()
            }
            _ => refuse("a shape that is not a plain list"),
        }
    }

    /// The order in which `reshape` fills dimensions, from 0.
    fn filling_order(&mut self, order: Option<Syn>, rank: usize) -> Fallible<Vec<usize>> {
        let Some(order) = order else {
            return Ok((0..rank).collect());
        };
        let extents = self.wanted_extents(order)?;
        let dims: Option<Vec<usize>> = extents
            .into_iter()
            .map(|e| self.build().integer_value(e))
            .map(|value| usize::try_from(value? - 1).ok())
            .collect();
        let mut sorted = dims.clone().unwrap_or_default();
        sorted.sort_unstable();
        match dims {
            Some(dims) if sorted.into_iter().eq(0..rank) => Ok(dims),
            _ => refuse("an order that is not constant"),
        }
    }

    fn reshape(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<VarId> {
        let source = self.demanded(e, arguments, 0, "source")?;
        let shape = self.demanded(e, arguments, 1, "shape")?;
        let pad = self.argument_of(e, arguments, 2, "pad");
        let order = self.argument_of(e, arguments, 3, "order");
        let ty = self.element_type(source)?;
        self.hoist(source)?;
        if let Some(pad) = pad {
            self.hoist(pad)?;
        }
        let extents = self.wanted_extents(shape)?;
        let order = self.filling_order(order, extents.len())?;
        let one = self.int(1);
        let ranges: Vec<Range> = extents
            .iter()
            .map(|&upper| Range {
                lower: one,
                upper,
                step: None,
            })
            .collect();
        let from = self.ranges(source)?;
        let pads = match pad {
            Some(pad) => Some((pad, self.ranges(pad)?)),
            None => None,
        };
        let var = self.temporary_array("reshaped", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let mut stride = None;
            let mut position = None;
            for &dim in &order {
                let own = lowerer.place_of(at[dim]);
                let mut b = lowerer.build();
                let step = match stride {
                    Some(stride) => b.mul(stride, own),
                    None => own,
                };
                position = Some(match position {
                    Some(before) => b.add(before, step),
                    None => step,
                });
                stride = Some(match stride {
                    Some(stride) => b.mul(stride, extents[dim]),
                    None => extents[dim],
                });
            }
            let Some(position) = position else {
                return refuse("a shape without dimensions");
            };
            let target = lowerer.temporary_element(var, at);
            let (moved, ()) = lowerer.block(|lowerer| {
                let value = lowerer.nth_element(source, &from, position)?;
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            let Some((pad, pads)) = &pads else {
                lowerer.out.extend(moved);
                return Ok(());
            };
            let size = lowerer.size_of(&from);
            let (filled, ()) = lowerer.block(|lowerer| {
                let length = lowerer.size_of(pads);
                let mut b = lowerer.build();
                let rest = b.sub(position, size);
                let rest = b.call(Intrinsic::Modulo, vec![rest, length]);
                let value = lowerer.nth_element(*pad, pads, rest)?;
                let value = lowerer.fitting(value, ty)?;
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            let mut b = lowerer.build();
            let inside = b.compare(BinaryOp::Less, position, size);
            let chosen = b.if_else(inside, moved, filled);
            lowerer.out.push(chosen);
            Ok(())
        })?;
        Ok(var)
    }

    fn size_of(&mut self, ranges: &[Range]) -> ExprId {
        let mut size = self.int(1);
        for range in ranges {
            let count = self.count(range);
            let mut b = self.build();
            let count = b.convert(count, Type::INT);
            size = b.mul(size, count);
        }
        size
    }

    /// The element of an array at a position in the order of its elements, from 0.
    fn nth_element(&mut self, array: Syn, ranges: &[Range], position: ExprId) -> Fallible<ExprId> {
        let mut at = Vec::new();
        let mut rest = position;
        for (index, range) in ranges.iter().enumerate() {
            let is_last = index + 1 == ranges.len();
            let count = self.count(range);
            let mut b = self.build();
            let count = b.convert(count, Type::INT);
            let own = match is_last {
                true => rest,
                false => b.call(Intrinsic::Modulo, vec![rest, count]),
            };
            rest = b.div(rest, count);
            let own = self.holding("from", own);
            at.push(self.element_at(own));
        }
        self.value(array, &at)
    }

    /// `pack(array, mask[, vector])`
    fn pack(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<VarId> {
        let array = self.demanded(e, arguments, 0, "array")?;
        let mask = self.demanded(e, arguments, 1, "mask")?;
        let vector = self.argument_of(e, arguments, 2, "vector");
        let ty = self.element_type(array)?;
        for part in [Some(array), Some(mask), vector].into_iter().flatten() {
            self.hoist(part)?;
        }
        let ranges = self.ranges(array)?;
        let count = self.temporary("count", Type::INT);
        let zero = self.int(0);
        self.set(Access::whole(count), zero);
        self.where_masked(&ranges, mask, count, |_, _| Ok(()))?;
        let length = match vector {
            Some(vector) => self.ranges(vector)?[0],
            None => Range {
                lower: self.int(1),
                upper: self.load(count),
                step: None,
            },
        };
        let var = self.temporary_array("packed", ty, &[length]);
        let place = self.holding("place", zero);
        self.where_masked(&ranges, mask, place, |lowerer, at| {
            let value = lowerer.value(array, at)?;
            let subscript = lowerer.load(place);
            lowerer.set(Access::element(var, vec![subscript]), value);
            Ok(())
        })?;
        if let Some(vector) = vector {
            let size = self.count(&length);
            let size = self.build().convert(size, Type::INT);
            let mut b = self.build();
            let (used, one) = (b.load(count), b.int(1));
            let rest = Range {
                lower: b.add(used, one),
                upper: size,
                step: None,
            };
            self.nest(&[rest], |lowerer, at| {
                let source = LoopDim {
                    variable: at[0].variable,
                    lower: one,
                };
                let value = lowerer.value(vector, &[source])?;
                let value = lowerer.fitting(value, ty)?;
                let subscript = lowerer.load(at[0].variable);
                lowerer.set(Access::element(var, vec![subscript]), value);
                Ok(())
            })?;
        }
        Ok(var)
    }

    /// A loop nest that counts the elements where a mask holds, and does something at each.
    fn where_masked(
        &mut self,
        ranges: &[Range],
        mask: Syn,
        counter: VarId,
        body: impl FnOnce(&mut Self, &Element) -> Fallible<()>,
    ) -> Fallible<()> {
        self.nest(ranges, |lowerer, at| {
            let condition = lowerer.value_of_rank(mask, at)?;
            let condition = lowerer.truth(condition)?;
            let (then, ()) = lowerer.block(|lowerer| {
                let mut b = lowerer.build();
                let (before, one) = (b.load(counter), b.int(1));
                let next = b.add(before, one);
                lowerer.set(Access::whole(counter), next);
                body(lowerer, at)
            })?;
            let guarded = lowerer.build().if_else(condition, then, Vec::new());
            lowerer.out.push(guarded);
            Ok(())
        })
    }

    /// `unpack(vector, mask, field)`
    fn unpack(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<VarId> {
        let vector = self.demanded(e, arguments, 0, "vector")?;
        let mask = self.demanded(e, arguments, 1, "mask")?;
        let field = self.demanded(e, arguments, 2, "field")?;
        let ty = self.element_type(vector)?;
        for part in [vector, mask, field] {
            self.hoist(part)?;
        }
        let ranges = self.ranges(mask)?;
        let var = self.temporary_array("unpacked", ty, &ranges);
        let before = self.int(-1);
        let place = self.holding("place", before);
        self.nest(&ranges, |lowerer, at| {
            let condition = lowerer.value(mask, at)?;
            let condition = lowerer.truth(condition)?;
            let target = lowerer.temporary_element(var, at);
            let (then, ()) = lowerer.block(|lowerer| {
                let mut b = lowerer.build();
                let (old, one) = (b.load(place), b.int(1));
                let next = b.add(old, one);
                lowerer.set(Access::whole(place), next);
                let from = lowerer.element_at(place);
                let value = lowerer.value(vector, &[from])?;
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            let (otherwise, ()) = lowerer.block(|lowerer| {
                let value = lowerer.value_of_rank(field, at)?;
                let value = lowerer.fitting(value, ty)?;
                lowerer.set(target.clone(), value);
                Ok(())
            })?;
            let chosen = lowerer.build().if_else(condition, then, otherwise);
            lowerer.out.push(chosen);
            Ok(())
        })?;
        Ok(var)
    }
}

/// A scalar variable as a value.
pub(super) fn loaded(lowerer: &mut Lowerer, access: &Access, ty: Type) -> ExprId {
    lowerer.add(Expr::Load(access.clone()), ty)
}
