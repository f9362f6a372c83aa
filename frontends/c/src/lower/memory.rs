//! Memory: what `malloc`, `calloc`, `free`, `memset` and `memcpy` mean for arrays.

use super::place::Pointer;
use super::{Body, Lowered, Value};
use crate::cst::{BinaryOperator, CallExpression, Expression, Node};
use crate::declare::CType;
use contraflow_ir::{Access, Argument, BinaryOp, Callee, Expr, ExprId, Stmt, Type};

impl<'u, 'a> Body<'u, 'a> {
    /// `free(p)`.
    pub fn free(&mut self, call: &'a CallExpression) -> Lowered<()> {
        let [node] = call.arguments.as_slice() else {
            return self.unsupported("a call of `free`");
        };
        let pointer = match self.value(node)? {
            Value::Pointer(pointer) => pointer,
            Value::Address(access) => {
                self.free_elsewhere(access, Type::Address);
                return Ok(());
            }
            _ => return self.unsupported("a call of `free`"),
        };
        if pointer.single || pointer.offset.is_some() || !pointer.pending.is_empty() {
            return self.unsupported("a call of `free`");
        }
        let mut target = pointer.access;
        if target.path.last() == Some(&contraflow_ir::Selector::Deref) {
            target.path.pop();
        }
        if target.path.is_empty() && self.from_addresses.contains(&target.var) {
            let ty = self.procedure.variables[target.var].ty;
            self.free_elsewhere(target, ty);
            return Ok(());
        }
        self.emit(Stmt::Free { target });
        Ok(())
    }

    /// Releases memory that no `malloc` of known size made here.
    fn free_elsewhere(&mut self, pointer: Access, ty: Type) {
        let value = self.expr(Expr::Load(pointer), ty);
        self.emit(Stmt::Call {
            callee: Callee::External("free".to_owned()),
            arguments: vec![Argument::Value(value)],
            result: None,
        });
    }

    /// `memset(p, 0, n * sizeof *p)`: a loop.
    pub fn memset(&mut self, call: &'a CallExpression) -> Lowered<()> {
        let emitted = self.block.len();
        if self.cleared_elements(call).is_ok() {
            return Ok(());
        }
        self.block.truncate(emitted);
        self.moved_bytes(call)
    }

    fn cleared_elements(&mut self, call: &'a CallExpression) -> Lowered<()> {
        let [to, byte, bytes] = call.arguments.as_slice() else {
            return self.unsupported("a call of `memset`");
        };
        let zero = self.unit.constant(byte) == Some(0);
        let Value::Pointer(to) = self.value(to)? else {
            return self.unsupported("a call of `memset`");
        };
        if !zero {
            return self.unsupported("a call of `memset`");
        }
        let count = self.element_count(bytes, &to.target.clone())?;
        self.over_elements(count, |body, index| {
            let place = body.element(to, index)?;
            body.clear(place)
        })
    }

    /// `memcpy(p, q, n * sizeof *p)`: a loop.
    pub fn memcpy(&mut self, call: &'a CallExpression) -> Lowered<()> {
        let emitted = self.block.len();
        if self.copied_elements(call).is_ok() {
            return Ok(());
        }
        self.block.truncate(emitted);
        self.moved_bytes(call)
    }

    /// Bytes that are moved or set without regard to what they mean.
    fn moved_bytes(&mut self, call: &'a CallExpression) -> Lowered<()> {
        let Some(name) = super::facts::identifier(&call.callee) else {
            return self.unsupported("a call of `memcpy`");
        };
        let mut values = Vec::new();
        for node in &call.arguments {
            values.push(self.value(node)?);
        }
        // Bytes of one type that become some of another are seen as these.
        if let [Value::Pointer(to), Value::Pointer(from), ..] = values.as_slice()
            && self.unit.ir_type(&to.target) != self.unit.ir_type(&from.target)
        {
            let (target, from) = (to.target.element().clone(), from.clone());
            values[1] = self.pointer_cast(target, from)?;
        }
        let mut arguments = Vec::new();
        for value in values {
            arguments.push(self.argument(None, value)?);
        }
        self.emit(Stmt::Call {
            callee: Callee::External(name.to_owned()),
            arguments,
            result: None,
        });
        Ok(())
    }

    fn copied_elements(&mut self, call: &'a CallExpression) -> Lowered<()> {
        let [to, from, bytes] = call.arguments.as_slice() else {
            return self.unsupported("a call of `memcpy`");
        };
        let (Value::Pointer(to), Value::Pointer(from)) = (self.value(to)?, self.value(from)?)
        else {
            return self.unsupported("a call of `memcpy`");
        };
        let ty = self.unit.ir_type(&to.target);
        let whole = matches!(to.target, CType::Scalar(_) | CType::Record(_));
        if !whole || ty != self.unit.ir_type(&from.target) {
            return self.unsupported("a call of `memcpy`");
        }
        // `memmove` within one array may run backwards.
        let one = self.is_one_element(bytes, &to.target.clone());
        let count = self.element_count(bytes, &to.target.clone())?;
        if to.access.var == from.access.var && !one {
            let Some(count) = count else {
                return self.unsupported("a copy within one array");
            };
            return self.move_elements(to, from, count, ty);
        }
        self.over_elements(count, |body, index| {
            let source = body.element(from, index)?;
            let source = body.finished(source)?;
            let value = body.expr(Expr::Load(source), ty);
            let place = body.element(to, index)?;
            let target = body.finished(place)?;
            body.assign(target, value);
            Ok(())
        })
    }

    /// A copy within one array, whose parts may overlap: from the end that is not overwritten first.
    fn move_elements(
        &mut self,
        to: Pointer<'a>,
        from: Pointer<'a>,
        count: ExprId,
        ty: Type,
    ) -> Lowered<()> {
        let zero = self.int(0);
        let (a, b) = (to.offset.unwrap_or(zero), from.offset.unwrap_or(zero));
        let is_known = to.pending.is_empty() && from.pending.is_empty() && to.access == from.access;
        if !is_known {
            return self.unsupported("a copy within one array");
        }
        let distance = self.difference(a, b);
        let copy = |body: &mut Self, index: Option<ExprId>| {
            let Some(index) = index else { return Ok(()) };
            let source = body.element(from.clone(), Some(index))?;
            let source = body.finished(source)?;
            let value = body.expr(Expr::Load(source), ty);
            let place = body.element(to.clone(), Some(index))?;
            let target = body.finished(place)?;
            body.assign(target, value);
            Ok(())
        };
        let (upwards, done) = self.in_block(|body| body.over_elements(Some(count), copy));
        done?;
        let (downwards, done) = self.in_block(|body| {
            body.over_elements(Some(count), |body, index| {
                let Some(index) = index else { return Ok(()) };
                let last = count;
                let one = body.int(1);
                let last = body.difference(last, one);
                let mirrored = body.difference(last, index);
                copy(body, Some(mirrored))
            })
        });
        done?;
        match self.builder().integer_value(distance) {
            Some(distance) if distance > 0 => self.block.extend(downwards),
            Some(_) => self.block.extend(upwards),
            None => {
                let ty = self.type_of(distance);
                let zero = self.builder().int_of(0, ty);
                let condition = self.builder().compare(BinaryOp::Greater, distance, zero);
                self.emit(Stmt::If {
                    condition,
                    then: downwards,
                    otherwise: upwards,
                });
            }
        }
        Ok(())
    }

    /// How many elements; `None`: one.
    fn element_count(
        &mut self,
        bytes: &'a Node<Expression>,
        element: &CType<'a>,
    ) -> Lowered<Option<ExprId>> {
        match self.count_of(bytes, element)? {
            (Some(count), true) => self.whole_number(count).map(Some),
            (None, true) => Ok(None),
            _ => self.unsupported("memory whose number of elements is not clear"),
        }
    }

    fn is_one_element(&mut self, bytes: &'a Node<Expression>, element: &CType<'a>) -> bool {
        matches!(self.element_count(bytes, element), Ok(None))
    }

    /// `for (i = 0; i < count; i++) f(i)`.
    pub fn over_elements(
        &mut self,
        count: Option<ExprId>,
        f: impl FnOnce(&mut Self, Option<ExprId>) -> Lowered<()>,
    ) -> Lowered<()> {
        let Some(count) = count else {
            return f(self, None);
        };
        let wide = matches!(self.type_of(count), Type::Integer { bytes: 8, .. });
        let ty = if wide { Type::LONG } else { Type::INT };
        let variable = self.temporary("element", ty);
        let count = self.convert(count, ty);
        let one = self.builder().int_of(1, ty);
        let lower = self.builder().int_of(0, ty);
        let upper = self.difference(count, one);
        let index = self.load(variable);
        let (block, done) = self.in_block(|body| f(body, Some(index)));
        done?;
        self.emit(Stmt::Loop {
            variable,
            lower,
            upper,
            step: one,
            body: block,
            label: None,
            directive: None,
        });
        Ok(())
    }

    /// `target = malloc(…)` or `calloc(…)`: memory for elements of what `ty` points to.
    pub fn allocate(
        &mut self,
        target: Access,
        ty: &CType<'a>,
        call: &'a crate::cst::CallExpression,
    ) -> Lowered<()> {
        let Some(element) = ty.target().cloned() else {
            return self.unsupported("memory for something that is no pointer");
        };
        let zeroed = super::facts::identifier(&call.callee) == Some("calloc");
        let given = match super::facts::is_of_nothing(call) {
            true => &call.arguments[1..],
            false => call.arguments.as_slice(),
        };
        if element.is_array() {
            let (count, extents) = self.rows(&element, given)?;
            let mut shape: Vec<_> = extents.into_iter().map(|extent| (None, extent)).collect();
            shape.insert(0, (None, self.whole_number(count)?));
            shape.reverse();
            self.emit(Stmt::Allocate {
                target,
                shape,
                zeroed,
            });
            return Ok(());
        }
        let count = match (zeroed, given) {
            (true, [count, size]) => {
                let both = self.count_of(count, &element)?;
                match (both, self.count_of(size, &element)?) {
                    ((n, false), (m, true)) | ((m, true), (n, false)) => self.product(n, m)?,
                    _ => return self.unsupported("memory whose number of elements is not clear"),
                }
            }
            (false, [bytes]) => match self.count_of(bytes, &element)? {
                (Some(count), true) => count,
                (Some(count), false) if is_byte(&element) => count,
                (None, true) => self.int(1),
                _ => return self.unsupported("memory whose number of elements is not clear"),
            },
            _ => return self.unsupported("a call of an allocator"),
        };
        let shape = vec![(None, self.whole_number(count)?)];
        self.emit(Stmt::Allocate {
            target,
            shape,
            zeroed,
        });
        Ok(())
    }

    /// How many rows, matrices, … the arguments of an allocator ask for, and the extents of one:
    /// `n * n * sizeof(double)` are `n` rows of `n` numbers.
    fn rows(
        &mut self,
        element: &CType<'a>,
        arguments: &'a [Node<Expression>],
    ) -> Lowered<(ExprId, Vec<ExprId>)> {
        let (mut factors, mut sized) = (Vec::new(), false);
        for node in arguments {
            let has_size = self.factors(node, element.element(), &mut factors)?;
            if has_size && sized {
                return self.unsupported("memory whose number of elements is not clear");
            }
            sized |= has_size;
        }
        let mut extents = Vec::new();
        for extent in element.extents() {
            let contraflow_ir::Extent::Count(extent) = self.extent(extent)? else {
                return self.unsupported("memory for rows of unknown length");
            };
            sized &= self.cancelled(&mut factors, extent);
            extents.push(extent);
        }
        if !sized {
            return self.unsupported("memory whose number of elements is not clear");
        }
        let mut count = None;
        for factor in factors {
            count = Some(self.product(count, Some(factor))?);
        }
        let count = match count {
            Some(count) => count,
            None => self.int(1),
        };
        Ok((count, extents))
    }

    /// The factors of a number of bytes but the size of a number; whether that is among them.
    fn factors(
        &mut self,
        node: &'a Node<Expression>,
        number: &CType<'a>,
        found: &mut Vec<ExprId>,
    ) -> Lowered<bool> {
        let ty = match &node.node {
            Expression::SizeOfTy(of) => Some(self.type_name(&of.node.0.node)),
            Expression::SizeOfVal(of) => self.type_of_expression(&of.node.0),
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Multiply =>
            {
                let left = self.factors(&binary.node.lhs, number, found)?;
                let right = self.factors(&binary.node.rhs, number, found)?;
                if left && right {
                    return self.unsupported("memory whose number of elements is not clear");
                }
                return Ok(left || right);
            }
            Expression::Cast(cast)
                if matches!(cast.node.expression.node, Expression::BinaryOperator(_)) =>
            {
                return self.factors(&cast.node.expression, number, found);
            }
            _ => None,
        };
        let Some(ty) = ty else {
            let factor = self.scalar(node)?;
            found.push(factor);
            return Ok(false);
        };
        if self.unit.ir_type(ty.element()) != self.unit.ir_type(number) {
            let size = self.size_of(&ty)?;
            found.push(size);
            return Ok(false);
        }
        for extent in ty.extents() {
            let contraflow_ir::Extent::Count(extent) = self.extent(extent)? else {
                return self.unsupported("memory whose number of elements is not clear");
            };
            found.push(extent);
        }
        Ok(true)
    }

    /// Takes an extent out of the factors; whether it was among them.
    fn cancelled(&mut self, factors: &mut Vec<ExprId>, extent: ExprId) -> bool {
        let same = |factor: &ExprId| self.procedure.same_expr(*factor, extent);
        if let Some(at) = factors.iter().position(same) {
            factors.remove(at);
            return true;
        }
        let Some(extent) = self.builder().integer_value(extent).filter(|&it| it > 0) else {
            return false;
        };
        for factor in factors.iter_mut() {
            if let Some(value) = self.builder().integer_value(*factor)
                && value % extent == 0
            {
                *factor = self.int(value / extent);
                return true;
            }
        }
        false
    }

    fn product(&mut self, a: Option<ExprId>, b: Option<ExprId>) -> Lowered<ExprId> {
        match (a, b) {
            (Some(a), Some(b)) => self.operate(BinaryOp::Multiply, a, b),
            (Some(one), None) | (None, Some(one)) => Ok(one),
            (None, None) => Ok(self.int(1)),
        }
    }

    /// Takes a product apart: the factors but `sizeof element`, and whether that was among them.
    pub fn count_of(
        &mut self,
        node: &'a Node<Expression>,
        element: &CType<'a>,
    ) -> Lowered<(Option<ExprId>, bool)> {
        match &node.node {
            Expression::SizeOfTy(of) => {
                let ty = self.type_name(&of.node.0.node);
                self.sized(&ty, element)
            }
            Expression::SizeOfVal(of) => match self.type_of_expression(&of.node.0) {
                Some(ty) => self.sized(&ty, element),
                None => self.unsupported("`sizeof` of an expression"),
            },
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Multiply =>
            {
                let (a, in_a) = self.count_of(&binary.node.lhs, element)?;
                let (b, in_b) = self.count_of(&binary.node.rhs, element)?;
                if in_a && in_b {
                    return self.unsupported("memory whose number of elements is not clear");
                }
                let both = match (a, b) {
                    (None, None) => None,
                    _ => Some(self.product(a, b)?),
                };
                Ok((both, in_a || in_b))
            }
            Expression::Cast(cast)
                if matches!(cast.node.expression.node, Expression::BinaryOperator(_)) =>
            {
                self.count_of(&cast.node.expression, element)
            }
            _ => Ok((Some(self.scalar(node)?), false)),
        }
    }

    /// `sizeof ty` in elements.
    fn sized(&mut self, ty: &CType<'a>, element: &CType<'a>) -> Lowered<(Option<ExprId>, bool)> {
        let same_base = self.unit.ir_type(ty.element()) == self.unit.ir_type(element.element());
        let (rank, wanted) = (ty.extents().len(), element.extents().len());
        if same_base && rank == wanted {
            return Ok((None, true));
        }
        if same_base && rank == wanted + 1 {
            let extent = ty.extents()[0];
            if let contraflow_ir::Extent::Count(count) = self.extent(extent)? {
                return Ok((Some(count), true));
            }
        }
        Ok((Some(self.size_of(ty)?), false))
    }
}

/// Whether an element takes one byte, so that `sizeof` may be left out.
fn is_byte(element: &CType<'_>) -> bool {
    matches!(
        element,
        CType::Scalar(
            Type::Integer { bytes: 1, .. } | Type::Logical { bytes: 1 } | Type::Character
        )
    )
}
