//! Designators and the shapes of array expressions.
//!
//! An array expression is lowered at one element at a time: a loop nest gives each dimension a
//! variable that runs over the subscripts of the place assigned to, and each array operand is
//! indexed by that variable, shifted by the constant difference of their first subscripts. So
//! `a(2:n) = b(1:n-1)` has the subscripts `i` and `i - 1`, which every analysis understands.

use super::expr::Applied;
use super::{Element, Fallible, Hoisted, LoopDim, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use contraflow_ir::{
    Access, BinaryOp, BoundKind, Expr, ExprId, Extent, RecordId, Selector, Type, VarId,
};

/// A place in memory.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    /// The place.
    pub access: Access,
    /// The type of an element.
    pub ty: Type,
    /// The dimensions that are not indexed: of a whole array, or ranges of a section.
    pub rank: usize,
    /// Whether the path ends with an array that has no subscripts yet.
    pub is_whole: bool,
}

impl Place {
    /// A whole array, a scalar, or a section that may be subscripted again.
    pub(super) fn of(access: Access, ty: Type, rank: usize) -> Self {
        Self {
            access,
            ty,
            rank,
            is_whole: rank > 0,
        }
    }
}

/// The subscripts that one dimension of an array expression runs over.
#[derive(Clone, Copy)]
pub(super) struct Range {
    /// First.
    pub lower: ExprId,
    /// Last.
    pub upper: ExprId,
    /// Distance, if not 1.
    pub step: Option<ExprId>,
}

impl Lowerer<'_> {
    /// A designator at an element of the loop nest; without one, sections become ranges.
    pub(super) fn place(&mut self, e: Syn, at: &Element) -> Fallible<Place> {
        let mut used = 0;
        let place = self.open(e, at, &mut used)?;
        let place = self.close(place, at, &mut used)?;
        if used != 0 && used != at.len() {
            return refuse("array operands of different ranks");
        }
        Ok(place)
    }

    fn open(&mut self, e: Syn, at: &Element, used: &mut usize) -> Fallible<Place> {
        let tree = e.tree;
        match tree.syntax(e.node) {
            Syntax::Name => {
                if let Some(place) = self.association(tree.text(e.node)) {
                    return Ok(place.clone());
                }
                let var = self.named(tree.text(e.node))?;
                self.used_as_data.insert(var);
                let variable = self.variable(var);
                if variable.ty == Type::Unknown {
                    return self.untyped(self.scope, tree.text(e.node));
                }
                Ok(Place {
                    access: Access::whole(var),
                    ty: variable.ty,
                    rank: variable.rank(),
                    is_whole: variable.is_array(),
                })
            }
            Syntax::Member(base, name) => {
                if let Some(place) = self.association(tree.text(e.node)) {
                    return Ok(place.clone());
                }
                let base = Syn { tree, node: *base };
                let base = self.open(base, at, used)?;
                let base = self.close(base, at, used)?;
                let name = tree.statement.part(*name);
                if let Type::Record(record) = base.ty
                    && let Some(variants) = self.variants(record, name)
                {
                    return match base.rank {
                        0 => self.want(tree.text(e.node), &base.access, variants),
                        _ => refuse("objects in all elements of an array"),
                    };
                }
                self.member(base, name)
            }
            Syntax::Apply(base, arguments) => {
                let base = Syn { tree, node: *base };
                let base = self.open(base, at, used)?;
                self.subscripts(base, e, arguments, at, used)
            }
            _ => refuse("it is no variable"),
        }
    }

    fn member(&mut self, base: Place, name: &str) -> Fallible<Place> {
        let Type::Record(record) = base.ty else {
            return refuse("a component of something that has none");
        };
        let (path, field) = self.find_field(record, name, 0)?;
        let mut access = base.access;
        access.path.extend(path);
        let rank = field.1 + base.rank;
        Ok(Place {
            access,
            ty: field.0,
            rank,
            is_whole: field.1 > 0,
        })
    }

    /// The way to a component, through the types that a type extends.
    fn find_field(
        &self,
        record: RecordId,
        name: &str,
        depth: u32,
    ) -> Fallible<(Vec<Selector>, (Type, usize))> {
        let fields = &self.module.records[record].fields;
        for (index, field) in fields.iter().enumerate() {
            if field.name.eq_ignore_ascii_case(name) {
                if field.ty == Type::Unknown || field.ty == Type::Procedure {
                    return self.untyped_component(record, name);
                }
                let step = vec![Selector::Field(index as u32)];
                return Ok((step, (field.ty, field.shape.len())));
            }
        }
        if let Some(first) = fields.first()
            && let Type::Record(parent) = first.ty
            && depth < 20
            && let Ok((mut path, found)) = self.find_field(parent, name, depth + 1)
        {
            path.insert(0, Selector::Field(0));
            return Ok((path, found));
        }
        refuse("an unknown component")
    }

    /// Gives a whole array the subscripts of the element.
    fn close(&mut self, place: Place, at: &Element, used: &mut usize) -> Fallible<Place> {
        if !place.is_whole || at.is_empty() {
            return Ok(place);
        }
        let Some(dims) = at.get(*used..*used + place.rank) else {
            return refuse("array operands of different ranks");
        };
        let mut subscripts = Vec::new();
        for (index, dim) in dims.iter().enumerate() {
            let lower = self.lower_bound(&place.access, index)?;
            subscripts.push(self.shifted(lower, None, dim));
        }
        *used += place.rank;
        let access = self.composed(&place.access, subscripts);
        Ok(Place {
            access,
            ty: place.ty,
            rank: 0,
            is_whole: false,
        })
    }

    fn subscripts(
        &mut self,
        base: Place,
        e: Syn,
        arguments: &[NodeId],
        at: &Element,
        used: &mut usize,
    ) -> Fallible<Place> {
        if !base.is_whole {
            return refuse("a part of a character, or a function's result with subscripts");
        }
        if arguments.len() != base.rank {
            return refuse("the wrong number of subscripts");
        }
        let mut rank = 0;
        let mut subscripts = Vec::new();
        for (index, &node) in arguments.iter().enumerate() {
            let argument = Syn { tree: e.tree, node };
            let subscript = match *e.tree.syntax(node) {
                Syntax::Range(lower, _, step) if !at.is_empty() => {
                    let lower = match lower {
                        Some(node) => self.integer(Syn { tree: e.tree, node })?,
                        None => self.lower_bound(&base.access, index)?,
                    };
                    let step = self.optional(e, step)?;
                    let dim = self.next_dim(at, used)?;
                    self.shifted(lower, step, &dim)
                }
                Syntax::Range(lower, upper, step) => {
                    rank += 1;
                    let lower = self.optional(e, lower)?;
                    let upper = self.optional(e, upper)?;
                    let step = self.optional(e, step)?;
                    self.add(Expr::Range { lower, upper, step }, Type::INT)
                }
                _ if self.rank(argument)? == 1 => {
                    if at.is_empty() {
                        return refuse("a list of subscripts outside an expression");
                    }
                    let dim = self.next_dim(at, used)?;
                    self.value(argument, &[dim])?
                }
                _ => self.scalar(argument)?,
            };
            if !self.type_of(subscript).is_integer() {
                return refuse("a subscript that is no integer");
            }
            subscripts.push(subscript);
        }
        let access = self.composed(&base.access, subscripts);
        Ok(Place {
            access,
            ty: base.ty,
            rank,
            is_whole: false,
        })
    }

    fn next_dim(&self, at: &Element, used: &mut usize) -> Fallible<LoopDim> {
        let dim = at.get(*used).copied();
        *used += 1;
        dim.map_or_else(|| refuse("array operands of different ranks"), Ok)
    }

    pub(super) fn optional(&mut self, e: Syn, node: Option<NodeId>) -> Fallible<Option<ExprId>> {
        match node {
            Some(node) => Ok(Some(self.integer(Syn { tree: e.tree, node })?)),
            None => Ok(None),
        }
    }

    /// The value of a scalar integer: a subscript, a bound, a count.
    pub(super) fn integer(&mut self, e: Syn) -> Fallible<ExprId> {
        let value = self.scalar(e)?;
        if !self.type_of(value).is_integer() {
            return refuse("a subscript or bound that is no integer");
        }
        Ok(value)
    }

    /// The subscript of an operand whose range begins at `lower`.
    pub(super) fn shifted(&mut self, lower: ExprId, step: Option<ExprId>, dim: &LoopDim) -> ExprId {
        let counter = self.load(dim.variable);
        match step.filter(|&step| self.build().integer_value(step) != Some(1)) {
            None => {
                let difference = self.difference(lower, dim.lower);
                match difference {
                    Some(0) => counter,
                    Some(value) => {
                        let mut b = self.build();
                        let value = b.int(value);
                        b.add(counter, value)
                    }
                    None => {
                        let start = dim.lower;
                        let mut b = self.build();
                        let position = b.sub(counter, start);
                        let lower = b.convert(lower, Type::INT);
                        b.add(lower, position)
                    }
                }
            }
            Some(step) => {
                let start = dim.lower;
                let mut b = self.build();
                let position = b.sub(counter, start);
                let step = b.convert(step, Type::INT);
                let lower = b.convert(lower, Type::INT);
                let distance = b.mul(position, step);
                b.add(lower, distance)
            }
        }
    }

    /// `a - b`, if it is a constant.
    pub(super) fn difference(&mut self, a: ExprId, b: ExprId) -> Option<i128> {
        let (x, p) = self.split_constant(a);
        let (y, q) = self.split_constant(b);
        let same = match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => self.procedure.same_expr(x, y),
            _ => false,
        };
        same.then_some(p - q)
    }

    /// `e` as something plus a constant.
    pub(super) fn split_constant(&mut self, e: ExprId) -> (Option<ExprId>, i128) {
        if let Some(value) = self.build().integer_value(e) {
            return (None, value);
        }
        if let Expr::Binary(op, left, right) = *self.procedure.expr(e)
            && let Some(value) = self.build().integer_value(right)
        {
            let (rest, constant) = self.split_constant(left);
            match op {
                BinaryOp::Add => return (rest, constant + value),
                BinaryOp::Subtract => return (rest, constant - value),
                _ => {}
            }
        }
        if let Expr::Binary(BinaryOp::Add, left, right) = *self.procedure.expr(e)
            && let Some(value) = self.build().integer_value(left)
        {
            let (rest, constant) = self.split_constant(right);
            return (rest, constant + value);
        }
        (Some(e), 0)
    }

    /// The lower bound of a dimension of a whole array.
    pub(super) fn lower_bound(&mut self, access: &Access, dim: usize) -> Fallible<ExprId> {
        if !self.sections(access).is_empty() {
            return Ok(self.int(1));
        }
        if access.path.is_empty() {
            let Some(declared) = self.variable(access.var).shape.get(dim).copied() else {
                return refuse("an unknown dimension");
            };
            return Ok(match declared.extent {
                _ if self.moving.contains(&access.var) => self.bound(access, BoundKind::Lower, dim),
                Extent::Deferred => self.bound(access, BoundKind::Lower, dim),
                _ => declared.lower,
            });
        }
        match self.field_shape(access)?.get(dim) {
            Some((lower, Some(_))) => Ok(self.int((*lower).into())),
            Some((_, None)) => Ok(self.bound(access, BoundKind::Lower, dim)),
            None => refuse("an unknown dimension"),
        }
    }

    /// The upper bound of a dimension of a whole array.
    pub(super) fn upper_bound(&mut self, access: &Access, dim: usize) -> Fallible<ExprId> {
        let sections = self.sections(access);
        if !sections.is_empty() {
            return match sections.get(dim) {
                Some((_, range)) => Ok(self.count(range)),
                None => refuse("an unknown dimension"),
            };
        }
        if access.path.is_empty() {
            let Some(declared) = self.variable(access.var).shape.get(dim).copied() else {
                return refuse("an unknown dimension");
            };
            return match declared.extent {
                Extent::Count(_) if self.moving.contains(&access.var) => {
                    Ok(self.bound(access, BoundKind::Upper, dim))
                }
                Extent::Count(count) => Ok(self.last_of(declared.lower, count)),
                Extent::AssumedSize | Extent::Unknown => {
                    refuse("the last dimension of an assumed-size array has no end")
                }
                Extent::Assumed | Extent::Deferred => Ok(self.bound(access, BoundKind::Upper, dim)),
            };
        }
        match self.field_shape(access)?.get(dim) {
            Some((lower, Some(extent))) => Ok(self.int(i128::from(lower + extent - 1))),
            Some((_, None)) => Ok(self.bound(access, BoundKind::Upper, dim)),
            None => refuse("an unknown dimension"),
        }
    }

    pub(super) fn bound(&mut self, access: &Access, kind: BoundKind, dim: usize) -> ExprId {
        let array = access.clone();
        let dim = dim as u32;
        self.add(Expr::Bound { array, kind, dim }, Type::INT)
    }

    /// `lower + count - 1`; where `count` is `upper - lower + 1`, that is `upper`.
    fn last_of(&mut self, lower: ExprId, count: ExprId) -> ExprId {
        if let Expr::Binary(BinaryOp::Add, difference, one) = *self.procedure.expr(count)
            && self.build().integer_value(one) == Some(1)
            && let Expr::Binary(BinaryOp::Subtract, upper, start) = *self.procedure.expr(difference)
            && self.procedure.same_expr(start, lower)
        {
            return upper;
        }
        let mut b = self.build();
        match b.integer_value(lower) {
            Some(1) => count,
            Some(value) => {
                let ty = b.type_of(count);
                let shift = b.int_of(value - 1, ty);
                b.add(count, shift)
            }
            None => {
                let one = b.int(1);
                let sum = b.add(lower, count);
                b.sub(sum, one)
            }
        }
    }

    fn field_shape(&self, access: &Access) -> Fallible<Vec<(i64, Option<i64>)>> {
        let mut ty = self.variable(access.var).ty;
        let mut shape = Vec::new();
        for selector in &access.path {
            if let (Selector::Field(index), Type::Record(record)) = (selector, ty) {
                let field = &self.module.records[record].fields[*index as usize];
                ty = field.ty;
                shape.clone_from(&field.shape);
            }
        }
        Ok(shape)
    }

    /// The number of dimensions of an expression.
    pub(super) fn rank(&mut self, e: Syn) -> Fallible<usize> {
        let key = (std::ptr::from_ref(e.tree) as usize, e.node);
        match self.hoisted.get(&key) {
            Some(Hoisted::Scalar(_)) => return Ok(0),
            Some(Hoisted::Array(var)) => return Ok(self.variable(*var).rank()),
            None => {}
        }
        self.deeper(|lowerer| lowerer.rank_here(e))
    }

    fn rank_here(&mut self, e: Syn) -> Fallible<usize> {
        let tree = e.tree;
        match tree.syntax(e.node) {
            Syntax::Name => {
                let name = tree.text(e.node);
                if self
                    .substitutions
                    .last()
                    .is_some_and(|map| map.contains_key(name))
                {
                    return Ok(0);
                }
                if let Some(place) = self.association(name) {
                    return Ok(place.rank);
                }
                if self.is_given_constant(name) {
                    return Ok(0);
                }
                let var = self.named(name)?;
                Ok(self.variable(var).rank())
            }
            Syntax::Parenthesized(inner) => self.rank(Syn { tree, node: *inner }),
            Syntax::Unary(..) | Syntax::Binary(..) | Syntax::Defined(_)
                if let Some(call) = self.operation_call(e)? =>
            {
                self.function_rank(e, &call)
            }
            Syntax::Unary(_, inner) => self.rank(Syn { tree, node: *inner }),
            Syntax::Binary(_, left, right) => {
                let left = self.rank(Syn { tree, node: *left })?;
                let right = self.rank(Syn { tree, node: *right })?;
                Ok(left.max(right))
            }
            Syntax::Array(..) => Ok(1),
            Syntax::Member(base, name) => {
                let outer = self.rank(Syn { tree, node: *base })?;
                let whole = Syn { tree, node: *base };
                if self
                    .complex_part(whole, tree.statement.part(*name))
                    .is_some()
                {
                    return Ok(outer);
                }
                let place = self.rank_place(e)?;
                Ok(outer.max(place))
            }
            Syntax::Apply(base, arguments) => self.rank_apply(e, *base, arguments),
            _ => Ok(0),
        }
    }

    fn rank_place(&mut self, e: Syn) -> Fallible<usize> {
        let out = self.out.len();
        let place = self.place(e, &[]);
        self.out.truncate(out);
        Ok(place?.rank)
    }

    fn rank_apply(&mut self, e: Syn, base: NodeId, arguments: &[NodeId]) -> Fallible<usize> {
        let tree = e.tree;
        if let Some(call) = self.invocation(e)? {
            return self.function_rank(e, &call);
        }
        if *tree.syntax(base) == Syntax::Name {
            let name = tree.text(base);
            match self.applied(name) {
                Applied::Array => {}
                Applied::Intrinsic | Applied::Function => {
                    return self.intrinsic_rank(e, name, arguments);
                }
                Applied::Substring | Applied::Constructor => return Ok(0),
                Applied::Statement(..) => {
                    return self.largest_rank(e, arguments);
                }
            }
        }
        if self.is_substring(e) {
            return Ok(0);
        }
        let mut rank = 0;
        for &node in arguments {
            rank += match tree.syntax(node) {
                Syntax::Range(..) => 1,
                _ => self.rank(Syn { tree, node })?,
            };
        }
        match tree.syntax(base) {
            Syntax::Member(inner, _) => Ok(rank + self.rank(Syn { tree, node: *inner })?),
            _ => Ok(rank),
        }
    }

    pub(super) fn largest_rank(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<usize> {
        let mut rank = 0;
        for &node in arguments {
            let node = match e.tree.syntax(node) {
                Syntax::Keyword(_, value) => *value,
                _ => node,
            };
            rank = rank.max(self.rank(Syn { tree: e.tree, node })?);
        }
        Ok(rank)
    }

    /// The subscripts that an array expression runs over: those of its first array operand.
    pub(super) fn ranges(&mut self, e: Syn) -> Fallible<Vec<Range>> {
        self.deeper(|lowerer| lowerer.ranges_here(e))
    }

    fn ranges_here(&mut self, e: Syn) -> Fallible<Vec<Range>> {
        let tree = e.tree;
        let key = (std::ptr::from_ref(tree) as usize, e.node);
        if let Some(Hoisted::Array(var)) = self.hoisted.get(&key).copied() {
            return self.whole_ranges(&Access::whole(var));
        }
        match tree.syntax(e.node) {
            Syntax::Parenthesized(inner) | Syntax::Unary(_, inner) => {
                self.ranges(Syn { tree, node: *inner })
            }
            Syntax::Defined(operands) => self.first_ranges(e, operands),
            Syntax::Apply(base, arguments)
                if let Syntax::Member(object, _) = *tree.syntax(*base)
                    && self.invocation(e)?.is_some() =>
            {
                let mut nodes = arguments.clone();
                nodes.push(object);
                self.first_ranges(e, &nodes)
            }
            Syntax::Binary(_, left, right) => {
                let left = Syn { tree, node: *left };
                if self.rank(left)? > 0 {
                    self.ranges(left)
                } else {
                    self.ranges(Syn { tree, node: *right })
                }
            }
            Syntax::Array(items, _) => {
                let upper = self.list_count(e, items)?;
                let lower = self.int(1);
                Ok(vec![Range {
                    lower,
                    upper,
                    step: None,
                }])
            }
            Syntax::Apply(base, arguments) if *tree.syntax(*base) == Syntax::Name => {
                match self.applied(tree.text(*base)) {
                    Applied::Array => self.section_ranges(e),
                    Applied::Intrinsic if tree.text(*base) == "transpose" => {
                        let mut ranges = self.first_ranges(e, arguments)?;
                        ranges.reverse();
                        Ok(ranges)
                    }
                    _ => self.first_ranges(e, arguments),
                }
            }
            _ => self.section_ranges(e),
        }
    }

    fn first_ranges(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<Vec<Range>> {
        for &node in arguments {
            let node = match e.tree.syntax(node) {
                Syntax::Keyword(_, value) => *value,
                _ => node,
            };
            let argument = Syn { tree: e.tree, node };
            if self.rank(argument)? > 0 {
                return self.ranges(argument);
            }
        }
        refuse("the shape of an expression is not known")
    }

    /// All subscripts of a whole array.
    pub(super) fn whole_ranges(&mut self, access: &Access) -> Fallible<Vec<Range>> {
        let sections = self.sections(access).len();
        let rank = if sections > 0 {
            sections
        } else if access.path.is_empty() {
            self.variable(access.var).rank()
        } else {
            self.field_shape(access)?.len()
        };
        (0..rank)
            .map(|dim| {
                Ok(Range {
                    lower: self.lower_bound(access, dim)?,
                    upper: self.upper_bound(access, dim)?,
                    step: None,
                })
            })
            .collect()
    }

    fn section_ranges(&mut self, e: Syn) -> Fallible<Vec<Range>> {
        let sub = |node| Syn { tree: e.tree, node };
        match e.tree.syntax(e.node).clone() {
            Syntax::Apply(base, arguments) => {
                let whole = self.place(sub(base), &[])?;
                if !whole.is_whole || whole.rank != arguments.len() {
                    return refuse("the wrong number of subscripts");
                }
                let whole = whole.access;
                let mut ranges = Vec::new();
                for (dim, &node) in arguments.iter().enumerate() {
                    if let Syntax::Range(lower, upper, step) = *e.tree.syntax(node) {
                        ranges.push(self.section_range(e, &whole, dim, [lower, upper, step])?);
                    } else if self.rank(sub(node))? == 1 {
                        ranges.extend(self.ranges(sub(node))?);
                    }
                }
                if let Syntax::Member(inner, _) = *e.tree.syntax(base)
                    && self.rank(sub(inner))? > 0
                {
                    ranges.extend(self.ranges(sub(inner))?);
                }
                Ok(ranges)
            }
            Syntax::Member(base, _) if self.rank(sub(base))? > 0 => self.ranges(sub(base)),
            _ => {
                let place = self.place(e, &[])?;
                self.whole_ranges(&place.access)
            }
        }
    }

    fn section_range(
        &mut self,
        e: Syn,
        whole: &Access,
        dim: usize,
        [lower, upper, step]: [Option<NodeId>; 3],
    ) -> Fallible<Range> {
        let lower = match self.optional(e, lower)? {
            Some(lower) => lower,
            None => self.lower_bound(whole, dim)?,
        };
        let upper = match self.optional(e, upper)? {
            Some(upper) => upper,
            None => self.upper_bound(whole, dim)?,
        };
        let step = self.optional(e, step)?;
        Ok(Range { lower, upper, step })
    }

    /// The type of a designator's elements, whatever its subscripts are.
    pub(super) fn designator_type(&mut self, e: Syn) -> Fallible<Type> {
        let sub = |node| Syn { tree: e.tree, node };
        match e.tree.syntax(e.node) {
            Syntax::Apply(base, _) => self.designator_type(sub(*base)),
            Syntax::Member(..) if let Some(place) = self.association(e.tree.text(e.node)) => {
                Ok(place.ty)
            }
            Syntax::Member(base, name) => match self.designator_type(sub(*base))? {
                Type::Record(record) => {
                    let name = e.tree.statement.part(*name);
                    if let Some(declared) = self.declared_class(record, name) {
                        return Ok(Type::Record(declared));
                    }
                    Ok(self.find_field(record, name, 0)?.1.0)
                }
                Type::Complex { bytes } if matches!(e.tree.statement.part(*name), "re" | "im") => {
                    Ok(Type::Real { bytes })
                }
                _ => refuse("a component of something that has none"),
            },
            _ => Ok(self.place(e, &[])?.ty),
        }
    }

    /// The number of elements of a range.
    pub(super) fn count(&mut self, range: &Range) -> ExprId {
        match range
            .step
            .filter(|&step| self.build().integer_value(step) != Some(1))
        {
            None => self.extent_between(range.lower, range.upper),
            Some(step) => {
                let (lower, upper) = (range.lower, range.upper);
                let mut b = self.build();
                let length = b.sub(upper, lower);
                let length = b.add(length, step);
                b.div(length, step)
            }
        }
    }

    /// The variable of a designator's root.
    pub(super) fn root(&mut self, e: Syn) -> Fallible<VarId> {
        match e.tree.syntax(e.node) {
            Syntax::Name => self.named(e.tree.text(e.node)),
            Syntax::Member(base, _) | Syntax::Apply(base, _) | Syntax::Parenthesized(base) => self
                .root(Syn {
                    tree: e.tree,
                    node: *base,
                }),
            _ => refuse("it is no variable"),
        }
    }
}
