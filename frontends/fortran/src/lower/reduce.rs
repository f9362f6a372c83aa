//! Array intrinsics: reductions and products become loops.

use super::array::Range;
use super::expr::Applied;
use super::{Element, Fallible, Hoisted, LoopDim, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Intrinsic, Stmt, Type, UnaryOp};

/// What a reduction does with each element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reduction {
    Sum,
    Product,
    Max,
    Min,
    Count,
    Any,
    All,
}

fn reduction(name: &str) -> Option<Reduction> {
    Some(match name {
        "sum" => Reduction::Sum,
        "product" => Reduction::Product,
        "maxval" => Reduction::Max,
        "minval" => Reduction::Min,
        "count" => Reduction::Count,
        "any" => Reduction::Any,
        "all" => Reduction::All,
        _ => return None,
    })
}

/// The arguments of a reduction.
#[derive(Clone, Copy)]
struct Parts<'t> {
    array: Syn<'t>,
    dim: Option<Syn<'t>>,
    mask: Option<Syn<'t>>,
}

impl Lowerer<'_> {
    /// Whether the intrinsic takes whole arrays.
    pub(super) fn is_transformational(name: &str) -> bool {
        reduction(name).is_some()
            || matches!(
                name,
                "dot_product"
                    | "matmul"
                    | "transpose"
                    | "reshape"
                    | "spread"
                    | "pack"
                    | "unpack"
                    | "cshift"
                    | "eoshift"
                    | "maxloc"
                    | "minloc"
                    | "norm2"
                    | "findloc"
                    | "shape"
            )
    }

    /// The rank of a transformational intrinsic's value.
    pub(super) fn transformational_rank(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<usize> {
        if reduction(name).is_some() {
            let parts = self.parts(e, arguments, name)?;
            let rank = self.rank(parts.array)?;
            return Ok(if parts.dim.is_some() {
                rank.saturating_sub(1)
            } else {
                0
            });
        }
        match name {
            "dot_product" => Ok(0),
            "norm2" => self.norm_rank(e, arguments),
            "transpose" => Ok(2),
            "matmul" => {
                let a = self.argument_rank(e, arguments, 0)?;
                let b = self.argument_rank(e, arguments, 1)?;
                Ok((a + b).saturating_sub(2))
            }
            "cshift" | "eoshift" => self.argument_rank(e, arguments, 0),
            "reshape" => self.reshaped_rank(e, arguments),
            "unpack" => {
                let mask = self.demanded(e, arguments, 1, "mask")?;
                self.rank(mask)
            }
            _ if Self::is_locating(name) => self.located_rank(e, name, arguments),
            "spread" => Ok(self.argument_rank(e, arguments, 0)? + 1),
            "pack" | "shape" => Ok(1),
            _ => refuse(format!("the array intrinsic `{name}`")),
        }
    }

    fn argument_rank(&mut self, e: Syn, arguments: &[NodeId], index: usize) -> Fallible<usize> {
        match arguments.get(index) {
            Some(&node) => self.rank(Syn { tree: e.tree, node }),
            None => refuse("an array intrinsic with too few arguments"),
        }
    }

    fn parts<'t>(&mut self, e: Syn<'t>, arguments: &[NodeId], name: &str) -> Fallible<Parts<'t>> {
        let sub = |node| Syn { tree: e.tree, node };
        let mut parts = Parts {
            array: e,
            dim: None,
            mask: None,
        };
        for (position, &node) in arguments.iter().enumerate() {
            if let Syntax::Keyword(slice, value) = e.tree.syntax(node) {
                match e.tree.statement.part(*slice) {
                    "dim" => parts.dim = Some(sub(*value)),
                    "mask" if !matches!(name, "count" | "any" | "all") => {
                        parts.mask = Some(sub(*value));
                    }
                    "array" | "mask" => parts.array = sub(*value),
                    _ => return refuse("an unknown keyword of an array intrinsic"),
                }
            } else if position == 0 {
                parts.array = sub(node);
            } else if self.is_logical(sub(node))? {
                parts.mask = Some(sub(node));
            } else {
                parts.dim = Some(sub(node));
            }
        }
        if parts.array.node == e.node {
            return refuse("an array intrinsic without an array");
        }
        Ok(parts)
    }

    pub(super) fn is_logical(&mut self, e: Syn) -> Fallible<bool> {
        if self.rank(e)? > 0 {
            return Ok(true);
        }
        let value = self.tried(|lowerer| lowerer.scalar(e))?;
        Ok(matches!(self.type_of(value), Type::Logical { .. }))
    }

    /// A scalar reduction, in a temporary.
    pub(super) fn reduced(&mut self, e: Syn, name: &str, arguments: &[NodeId]) -> Fallible<ExprId> {
        let ty = self.reduced_type(e, name, arguments)?;
        let var = self.temporary(&format!("{name}_"), ty);
        self.reduce(e, name, arguments, &Access::whole(var), ty)?;
        Ok(self.load(var))
    }

    /// Reduces right into a scalar, where its type is that of the reduction.
    pub(super) fn reduce_into(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        access: &Access,
        ty: Type,
    ) -> Fallible<bool> {
        let is_scalar = (reduction(name).is_some() || name == "dot_product")
            && self.transformational_rank(e, name, arguments)? == 0;
        if !is_scalar || self.reduced_type(e, name, arguments)? != ty {
            return Ok(false);
        }
        self.reduce(e, name, arguments, access, ty)?;
        Ok(true)
    }

    fn reduced_type(&mut self, e: Syn, name: &str, arguments: &[NodeId]) -> Fallible<Type> {
        if name == "dot_product" {
            let (a, b) = self.two_arrays(e, arguments)?;
            let left = self.element_type(a)?;
            let right = self.element_type(b)?;
            return match super::expr::common_type(left, right) {
                Some(ty) => Ok(ty),
                None => refuse("a dot product of values that are no numbers"),
            };
        }
        if name == "shape" {
            return self.type_of_bounds(e, name, arguments);
        }
        match reduction(name) {
            Some(Reduction::Count) => Ok(Type::INT),
            Some(Reduction::Any | Reduction::All) => Ok(Type::LOGICAL),
            Some(_) => {
                let parts = self.parts(e, arguments, name)?;
                self.element_type(parts.array)
            }
            None => refuse(format!("the array intrinsic `{name}`")),
        }
    }

    fn two_arrays<'t>(&self, e: Syn<'t>, arguments: &[NodeId]) -> Fallible<(Syn<'t>, Syn<'t>)> {
        let plain = |node: NodeId| match e.tree.syntax(node) {
            Syntax::Keyword(_, value) => *value,
            _ => node,
        };
        match arguments {
            [a, b] => Ok((
                Syn {
                    tree: e.tree,
                    node: plain(*a),
                },
                Syn {
                    tree: e.tree,
                    node: plain(*b),
                },
            )),
            _ => refuse("an array intrinsic with other than two arguments"),
        }
    }

    /// The type of an expression's elements.
    pub(super) fn element_type(&mut self, e: Syn) -> Fallible<Type> {
        self.deeper(|lowerer| lowerer.element_type_here(e))
    }

    fn element_type_here(&mut self, e: Syn) -> Fallible<Type> {
        let sub = |node| Syn { tree: e.tree, node };
        match e.tree.syntax(e.node) {
            Syntax::Parenthesized(inner) => self.element_type(sub(*inner)),
            Syntax::Unary(..) | Syntax::Binary(..) | Syntax::Defined(_)
                if let Some(call) = self.operation_call(e)? =>
            {
                self.result_type(&call)
            }
            Syntax::Unary(_, inner) => self.element_type(sub(*inner)),
            Syntax::Binary(op, ..) if op.is_comparison() || op.is_logical() => Ok(Type::LOGICAL),
            Syntax::Binary(BinaryOp::Concatenate, ..) => Ok(Type::Character),
            Syntax::Binary(op, left, right) => {
                let left = self.element_type(sub(*left))?;
                let right = self.element_type(sub(*right))?;
                if *op == BinaryOp::Power && right.is_integer() {
                    return Ok(left);
                }
                match super::expr::common_type(left, right) {
                    Some(ty) => Ok(ty),
                    None => refuse("an operator that does not fit its operands"),
                }
            }
            Syntax::Name | Syntax::Member(..) => self.name_type(e),
            Syntax::Apply(base, _) => {
                if let Some(call) = self.invocation(e)? {
                    return self.result_type(&call);
                }
                if *e.tree.syntax(*base) != Syntax::Name {
                    return self.tried_type(e);
                }
                let name = e.tree.text(*base);
                match self.applied(name) {
                    Applied::Array => self.designator_type(e),
                    Applied::Constructor => self.declared_record(name).map(Type::Record),
                    _ => self.tried_type(e),
                }
            }
            _ => self.tried_type(e),
        }
    }

    fn name_type(&mut self, e: Syn) -> Fallible<Type> {
        if *e.tree.syntax(e.node) == Syntax::Name
            && let Some(map) = self.substitutions.last()
            && let Some(&value) = map.get(e.tree.text(e.node))
        {
            return Ok(self.type_of(value));
        }
        if *e.tree.syntax(e.node) == Syntax::Name && self.is_given_constant(e.tree.text(e.node)) {
            return Ok(Type::INT);
        }
        self.designator_type(e)
    }

    /// The type that lowering gives, what it emits thrown away.
    fn tried_type(&mut self, e: Syn) -> Fallible<Type> {
        let rank = self.rank(e)?;
        let counter = self.counter();
        let lower = self.int(1);
        let dim = LoopDim {
            variable: counter,
            lower,
        };
        let (hoisted, generated) = (self.hoisted.clone(), self.generated.len());
        let result = self.tried(|lowerer| {
            lowerer.hoist(e)?;
            lowerer.value(e, &vec![dim; rank])
        });
        self.hoisted = hoisted;
        debug_assert!(generated <= self.generated.len());
        self.free_counters.push(counter);
        Ok(self.type_of(result?))
    }

    /// Emits `target = reduction`.
    fn reduce(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        target: &Access,
        ty: Type,
    ) -> Fallible<()> {
        let outer = self.hoisted.clone();
        let result = if name == "dot_product" {
            self.dot_product(e, arguments, target, ty)
        } else {
            self.reduce_all(e, name, arguments, target, ty)
        };
        self.hoisted = outer;
        result
    }

    fn reduce_all(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
        target: &Access,
        ty: Type,
    ) -> Fallible<()> {
        let Some(kind) = reduction(name) else {
            return refuse(format!("the array intrinsic `{name}`"));
        };
        let parts = self.parts(e, arguments, name)?;
        if parts.dim.is_some() && self.rank(parts.array)? != 1 {
            return refuse("a reduction along one dimension");
        }
        self.hoist(parts.array)?;
        if let Some(mask) = parts.mask {
            self.hoist(mask)?;
        }
        let ranges = self.ranges(parts.array)?;
        self.start(kind, target, ty)?;
        self.nest(&ranges, |lowerer, at| {
            lowerer.masked_step(kind, parts, target, ty, at)
        })
    }

    fn start(&mut self, kind: Reduction, target: &Access, ty: Type) -> Fallible<()> {
        let value = match kind {
            Reduction::Sum | Reduction::Count => self.build().number(0, ty),
            Reduction::Product => self.build().number(1, ty),
            Reduction::Any => self.build().logical(false),
            Reduction::All => self.build().logical(true),
            Reduction::Max | Reduction::Min => {
                if !ty.is_integer() && !ty.is_real() {
                    return refuse("the largest of values that have no order");
                }
                let mut b = self.build();
                let zero = b.number(0, ty);
                let huge = b.call(Intrinsic::Huge, vec![zero]);
                if kind == Reduction::Min {
                    huge
                } else {
                    b.expr(Expr::Unary(UnaryOp::Negate, huge), ty)
                }
            }
        };
        let assigned = self.build().assign(target.clone(), value);
        self.out.push(assigned);
        Ok(())
    }

    fn masked_step(
        &mut self,
        kind: Reduction,
        parts: Parts,
        target: &Access,
        ty: Type,
        at: &Element,
    ) -> Fallible<()> {
        let Some(mask) = parts.mask else {
            return self.step(kind, parts.array, target, ty, at);
        };
        let at_mask = if self.rank(mask)? == 0 { &[][..] } else { at };
        let condition = self.value(mask, at_mask)?;
        let condition = self.truth(condition)?;
        let (then, ()) = self.block(|lowerer| lowerer.step(kind, parts.array, target, ty, at))?;
        let masked = self.build().if_else(condition, then, Vec::new());
        self.out.push(masked);
        Ok(())
    }

    fn step(
        &mut self,
        kind: Reduction,
        array: Syn,
        target: &Access,
        ty: Type,
        at: &Element,
    ) -> Fallible<()> {
        let mut value = self.value(array, at)?;
        if matches!(kind, Reduction::Count | Reduction::Any | Reduction::All) {
            value = self.truth(value)?;
        }
        let old = self.add(Expr::Load(target.clone()), ty);
        let new = match kind {
            Reduction::Sum => self.binary(BinaryOp::Add, old, value)?,
            Reduction::Product => self.binary(BinaryOp::Multiply, old, value)?,
            Reduction::Max => self.build().call(Intrinsic::Max, vec![old, value]),
            Reduction::Min => self.build().call(Intrinsic::Min, vec![old, value]),
            Reduction::Count => {
                let one = self.int(1);
                let next = self.binary(BinaryOp::Add, old, one)?;
                return self.set_where(value, target, next);
            }
            Reduction::Any => {
                let yes = self.build().logical(true);
                return self.set_where(value, target, yes);
            }
            Reduction::All => {
                let no = self.build().logical(false);
                let unmet = self.build().not(value);
                return self.set_where(unmet, target, no);
            }
        };
        let assigned = self.build().assign(target.clone(), new);
        self.out.push(assigned);
        Ok(())
    }

    fn set_where(&mut self, condition: ExprId, target: &Access, value: ExprId) -> Fallible<()> {
        let mut b = self.build();
        let set = b.assign(target.clone(), value);
        let guarded = b.if_else(condition, vec![set], Vec::new());
        self.out.push(guarded);
        Ok(())
    }

    fn dot_product(
        &mut self,
        e: Syn,
        arguments: &[NodeId],
        target: &Access,
        ty: Type,
    ) -> Fallible<()> {
        let (a, b) = self.two_arrays(e, arguments)?;
        self.hoist(a)?;
        self.hoist(b)?;
        let ranges = self.ranges(a)?;
        self.start(Reduction::Sum, target, ty)?;
        self.nest(&ranges, |lowerer, at| {
            let mut x = lowerer.value(a, at)?;
            if matches!(lowerer.type_of(x), Type::Complex { .. }) {
                x = lowerer.build().call(Intrinsic::Conjugate, vec![x]);
            }
            let y = lowerer.value(b, at)?;
            let product = lowerer.binary(BinaryOp::Multiply, x, y)?;
            let product = lowerer.converted(product, ty)?;
            let old = lowerer.add(Expr::Load(target.clone()), ty);
            let sum = lowerer.binary(BinaryOp::Add, old, product)?;
            let assigned = lowerer.build().assign(target.clone(), sum);
            lowerer.out.push(assigned);
            Ok(())
        })
    }

    /// Computes a transformational intrinsic ahead of the loop nest around it.
    pub(super) fn hoist_intrinsic(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<Option<Hoisted>> {
        if self.is_of_all_bounds(e, name, arguments) {
            return self.all_bounds(e, name, arguments).map(Some);
        }
        if !Self::is_transformational(name) || name == "transpose" {
            return Ok(None);
        }
        if name == "matmul" {
            return self.matmul(e, arguments).map(Some);
        }
        if name == "norm2" {
            return self.norm(e, arguments).map(Some);
        }
        if Self::is_rearranging(name) {
            return self.rearranged(e, name, arguments).map(Some);
        }
        if Self::is_locating(name) {
            return self.located(e, name, arguments).map(Some);
        }
        if self.transformational_rank(e, name, arguments)? == 0 {
            let value = self.intrinsic(e, name, arguments, &[])?;
            return match *self.procedure.expr(value) {
                Expr::Load(ref access) => Ok(Some(Hoisted::Scalar(access.var))),
                _ => Ok(None),
            };
        }
        if reduction(name).is_some() {
            return self.reduce_dim(e, name, arguments).map(Some);
        }
        if name == "spread" {
            return self.spread(e, arguments).map(Some);
        }
        refuse(format!("the array intrinsic `{name}`"))
    }

    /// A reduction along one dimension, into a temporary array.
    fn reduce_dim(&mut self, e: Syn, name: &str, arguments: &[NodeId]) -> Fallible<Hoisted> {
        let ty = self.reduced_type(e, name, arguments)?;
        let parts = self.parts(e, arguments, name)?;
        let (Some(kind), Some(dim)) = (reduction(name), parts.dim) else {
            return refuse("a reduction without a dimension");
        };
        let dim = match self.program.integer_of(self.scope, e.tree, dim.node, 0) {
            Some(dim) => usize::try_from(dim - 1).unwrap_or(usize::MAX),
            None => return refuse("a reduction along a dimension that is not constant"),
        };
        self.hoist(parts.array)?;
        if let Some(mask) = parts.mask {
            self.hoist(mask)?;
        }
        let ranges = self.ranges(parts.array)?;
        if dim >= ranges.len() {
            return refuse("a reduction along a dimension that is not there");
        }
        let mut kept = ranges.clone();
        let along = kept.remove(dim);
        let var = self.temporary_array(&format!("{name}_"), ty, &kept);
        self.nest(&kept, |lowerer, outer| {
            let target = lowerer.temporary_element(var, outer);
            lowerer.start(kind, &target, ty)?;
            let outer = outer.to_vec();
            lowerer.nest(&[along], |lowerer, inner| {
                let mut at = outer.clone();
                at.insert(dim, inner[0]);
                lowerer.masked_step(kind, parts, &target, ty, &at)
            })
        })?;
        Ok(Hoisted::Array(var))
    }

    /// A matrix product, into a temporary array.
    fn matmul(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<Hoisted> {
        let (a, b) = self.two_arrays(e, arguments)?;
        self.hoist(a)?;
        self.hoist(b)?;
        let left = self.element_type(a)?;
        let right = self.element_type(b)?;
        let Some(ty) = super::expr::common_type(left, right) else {
            return refuse("a matrix product of truth values");
        };
        self.hoist(a)?;
        self.hoist(b)?;
        let (x, y) = (self.ranges(a)?, self.ranges(b)?);
        let mut kept: Vec<Range> = Vec::new();
        kept.extend(x.iter().take(x.len().saturating_sub(1)));
        kept.extend(y.iter().skip(1));
        let along = match (x.last(), y.first()) {
            (Some(along), Some(_)) if !kept.is_empty() => *along,
            _ => return refuse("a matrix product of vectors"),
        };
        let var = self.temporary_array("product", ty, &kept);
        self.nest(&kept, |lowerer, at| {
            let target = lowerer.temporary_element(var, at);
            lowerer.start(Reduction::Sum, &target, ty)
        })?;
        let rows = x.len() - 1;
        let mut order: Vec<Range> = kept[..rows].to_vec();
        order.push(along);
        order.extend(&kept[rows..]);
        self.nest(&order, |lowerer, at| {
            let (row, rest) = at.split_at(rows);
            let (k, column) = rest.split_at(1);
            let cell: Vec<LoopDim> = row.iter().chain(column).copied().collect();
            let target = lowerer.temporary_element(var, &cell);
            let left: Vec<LoopDim> = row.iter().chain(k).copied().collect();
            let right: Vec<LoopDim> = k.iter().chain(column).copied().collect();
            let p = lowerer.value(a, &left)?;
            let q = lowerer.value(b, &right)?;
            let product = lowerer.binary(BinaryOp::Multiply, p, q)?;
            let product = lowerer.converted(product, ty)?;
            let old = lowerer.add(Expr::Load(target.clone()), ty);
            let sum = lowerer.binary(BinaryOp::Add, old, product)?;
            lowerer.emit(Stmt::Assign { target, value: sum });
            Ok(())
        })?;
        Ok(Hoisted::Array(var))
    }

    /// `spread(a, dim, n)`, into a temporary array.
    fn spread(&mut self, e: Syn, arguments: &[NodeId]) -> Fallible<Hoisted> {
        let plain = |node: NodeId| match e.tree.syntax(node) {
            Syntax::Keyword(_, value) => *value,
            _ => node,
        };
        let [source, dim, copies] = arguments else {
            return refuse("`spread` with other than three arguments");
        };
        let sub = |node| Syn {
            tree: e.tree,
            node: plain(node),
        };
        let source = sub(*source);
        let dim = self.program.integer_of(self.scope, e.tree, plain(*dim), 0);
        let copies = self.integer(sub(*copies))?;
        let ty = self.element_type(source)?;
        self.hoist(source)?;
        let mut ranges = if self.rank(source)? == 0 {
            Vec::new()
        } else {
            self.ranges(source)?
        };
        let dim = match dim.and_then(|dim| usize::try_from(dim - 1).ok()) {
            Some(dim) if dim <= ranges.len() => dim,
            _ => return refuse("`spread` along a dimension that is not constant"),
        };
        let lower = self.int(1);
        ranges.insert(
            dim,
            Range {
                lower,
                upper: copies,
                step: None,
            },
        );
        let var = self.temporary_array("spread_", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let mut inner = at.to_vec();
            inner.remove(dim);
            let value = lowerer.value(source, &inner)?;
            let target = lowerer.temporary_element(var, at);
            lowerer.emit(Stmt::Assign { target, value });
            Ok(())
        })?;
        Ok(Hoisted::Array(var))
    }
}
