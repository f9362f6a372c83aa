//! Assignments and steps, and what they do to pointers.

use super::operator::arithmetic;
use super::{Body, Lowered, Pointer, Representation, Value};
use crate::cst::{BinaryOperator, Expression, Node, UnaryOperator, UnaryOperatorExpression};
use crate::declare::{CType, Symbol};
use crate::view::Part;
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Intrinsic, Stmt, Type, VarId};

/// When a place is stepped: before its value is taken, or after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Before,
    After,
}

impl<'u, 'a> Body<'u, 'a> {
    /// `lhs = rhs`, `lhs += rhs`, …; the value is that of `lhs` after it.
    pub fn assignment(
        &mut self,
        operator: &BinaryOperator,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
    ) -> Lowered<Value<'a>> {
        if let Some(var) = self.pointer_variable(lhs) {
            self.assign_pointer_variable(var, operator, rhs)?;
            return self.value(lhs);
        }
        if let Expression::UnaryOperator(unary) = &lhs.node
            && let Some(part) = self.part_taken(&unary.node)
        {
            return self.assign_part(part, &unary.node, operator, rhs);
        }
        match arithmetic(operator) {
            Some(op) => {
                let place = self.place(lhs)?;
                if place.ty.is_pointer() {
                    let by = self.scalar(rhs)?;
                    self.walk(place.clone(), by, op)?;
                } else {
                    let value = self.scalar(rhs)?;
                    self.update(place.clone(), op, value)?;
                }
                self.load_place(place)
            }
            None => {
                if let Some((var, _)) =
                    super::facts::identifier(lhs).and_then(|name| self.room_of(name))
                {
                    let ty = self.known[var.index()].ty.clone();
                    self.assign_growing(var, &ty, rhs)?;
                    return self.load_place(super::Place::whole(var, ty));
                }
                if super::grow::reallocation(rhs).is_some() {
                    return self.unsupported("a `realloc` of what is no local pointer");
                }
                if let Some(result) = self.assign_call(lhs, rhs)? {
                    return self.load_place(result);
                }
                if let (Expression::Conditional(choice), false) =
                    (&rhs.node, super::facts::has_effects(lhs))
                {
                    let place = self.place(lhs)?;
                    if place.ty.is_pointer() {
                        self.store_choice(place.clone(), &choice.node)?;
                        return self.load_place(place);
                    }
                }
                if let Some(call) = super::facts::allocator(rhs) {
                    let place = self.place(lhs)?;
                    if self.allocate_at(place.clone(), call)? {
                        return self.load_place(place);
                    }
                }
                let value = self.value(rhs)?;
                let place = self.place(lhs)?;
                self.store(place.clone(), value)?;
                self.load_place(place)
            }
        }
    }

    /// Memory for what `place` points to; whether it is clear how many elements it has.
    pub fn allocate_at(
        &mut self,
        place: super::Place<'a>,
        call: &'a crate::cst::CallExpression,
    ) -> Lowered<bool> {
        let ty = place.ty.clone();
        if !self.unit.is_typed_pointer(&ty) {
            return Ok(false);
        }
        let target = self.finished(place)?;
        let emitted = self.block.len();
        if self.allocate(target, &ty, call).is_ok() {
            return Ok(true);
        }
        self.block.truncate(emitted);
        Ok(false)
    }

    /// `__real__ z = rhs`, `__imag__ z += rhs`.
    fn assign_part(
        &mut self,
        part: Part,
        unary: &'a UnaryOperatorExpression,
        operator: &BinaryOperator,
        rhs: &'a Node<Expression>,
    ) -> Lowered<Value<'a>> {
        let place = self.place(&unary.operand)?;
        let Some(ty @ Type::Complex { bytes }) = place.ty.scalar() else {
            return self.unsupported("a part of something that is no complex number");
        };
        let mut value = self.scalar(rhs)?;
        let target = self.finished(place)?;
        let old = self.expr(Expr::Load(target.clone()), ty);
        if let Some(op) = arithmetic(operator) {
            let now = self.part_of(part, old);
            value = self.operate(op, now, value)?;
        }
        let value = self.converted(value, Type::Real { bytes })?;
        let parts = match part {
            Part::Real => vec![value, self.part_of(Part::Imaginary, old)],
            Part::Imaginary => vec![self.part_of(Part::Real, old), value],
        };
        let new = self.expr(Expr::Intrinsic(Intrinsic::Complex, parts), ty);
        self.assign(target.clone(), new);
        let stored = self.expr(Expr::Load(target), ty);
        Ok(Value::Scalar(self.part_of(part, stored)))
    }

    /// `lhs = f(…)` as one call, where the types agree.
    fn assign_call(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
    ) -> Lowered<Option<super::Place<'a>>> {
        let Expression::Call(call) = &rhs.node else {
            return Ok(None);
        };
        let Some(ty) = self.call_result_type(&call.node) else {
            return Ok(None);
        };
        if super::facts::has_effects(lhs) {
            return Ok(None);
        }
        let place = self.place(lhs)?;
        if place.ty.scalar() != Some(ty) {
            return Ok(None);
        }
        // Arguments may change what the subscripts of the target read.
        let is_simple = place.pending.is_empty() && place.access.path.is_empty();
        if !is_simple {
            return Ok(None);
        }
        let target = self.finished(place.clone())?;
        self.call_into(&call.node, target)?;
        Ok(Some(place))
    }

    /// Stores a value.
    pub fn store(&mut self, place: super::Place<'a>, value: Value<'a>) -> Lowered<()> {
        match (place.ty.clone(), value) {
            (CType::Scalar(ty), Value::Scalar(e)) => {
                let e = self.converted(e, ty)?;
                let target = self.finished(place)?;
                self.assign(target, e);
                Ok(())
            }
            (CType::Scalar(ty @ Type::Logical { .. }), value) => {
                let truth = self.truth(value)?;
                let truth = self.convert(truth, ty);
                let target = self.finished(place)?;
                self.assign(target, truth);
                Ok(())
            }
            (CType::Record(record), Value::Record(source)) => {
                let ty = self.unit.ir_type(&CType::Record(record));
                let access = self.finished(source)?;
                let value = self.expr(Expr::Load(access), ty);
                let target = self.finished(place)?;
                self.assign(target, value);
                Ok(())
            }
            (CType::Pointer { .. }, value) => {
                let fits = match &value {
                    Value::Null | Value::Scalar(_) => true,
                    Value::Procedure(..) | Value::Function(_) => place.ty.is_function_pointer(),
                    _ => !place.ty.is_function_pointer(),
                };
                if !fits {
                    return self.unsupported("an assignment to a function pointer");
                }
                let ty = self.unit.ir_type(&place.ty);
                let target = self.finished(place)?;
                if let Value::Scalar(e) = value
                    && let Expr::Text(text) = self.procedure.expr(e)
                {
                    let text = format!("\"{text}\"");
                    let reads = Vec::new();
                    let address = self.expr(Expr::Opaque { text, reads }, ty);
                    self.assign(target, address);
                    return Ok(());
                }
                self.point(target, value)
            }
            _ => self.unsupported("an assignment between different kinds of things"),
        }
    }

    /// `p = c ? q : r` of a pointer that is a value.
    pub fn store_choice(
        &mut self,
        place: super::Place<'a>,
        choice: &'a crate::cst::ConditionalExpression,
    ) -> Lowered<()> {
        let condition = self.condition(&choice.condition)?;
        let mut blocks = Vec::new();
        for node in [&choice.then_expression, &choice.else_expression] {
            let place = place.clone();
            let (block, done) = self.in_block(|body| -> Lowered<()> {
                let value = body.value(node)?;
                body.store(place, value)
            });
            done?;
            blocks.push(block);
        }
        let otherwise = blocks.pop().unwrap_or_default();
        let then = blocks.pop().unwrap_or_default();
        self.emit(Stmt::If {
            condition,
            then,
            otherwise,
        });
        Ok(())
    }

    /// Lets a pointer that is a value point to something.
    pub fn point(&mut self, target: Access, value: Value<'a>) -> Lowered<()> {
        if matches!(value, Value::Address(_)) && target.path.is_empty() {
            self.from_addresses.insert(target.var);
        }
        let (value, is_pointer, offset) = match value {
            Value::Null => (None, false, None),
            Value::Scalar(e) if matches!(self.procedure.expr(e), Expr::Integer(0)) => {
                (None, false, None)
            }
            Value::Pointer(pointer) if pointer.is_dereferenced() => {
                let offset = match pointer.offset {
                    Some(offset) => Some(self.in_elements(offset, &pointer.target)?),
                    None => None,
                };
                let mut access = pointer.access;
                access.path.pop();
                (Some(access), true, offset)
            }
            Value::Address(access) | Value::Procedure(access, _) => (Some(access), true, None),
            Value::Function(index) => {
                let named = self.named_function(index);
                (Some(Access::whole(named)), true, None)
            }
            Value::Pointer(pointer) => {
                let var = pointer.access.var;
                self.procedure.variables[var].aliasing = contraflow_ir::Aliasing::May;
                let is_array_pointer = matches!(
                    self.known[var.index()].representation,
                    Representation::Array
                ) && pointer.access.path.is_empty();
                let offset = pointer.offset;
                if is_array_pointer || pointer.single {
                    let whole = Pointer {
                        offset: None,
                        ..pointer
                    };
                    (Some(self.passed(whole)?), false, offset)
                } else {
                    (Some(self.passed(pointer)?), false, None)
                }
            }
            _ => return self.unsupported("an address that is not understood"),
        };
        self.emit(Stmt::PointerAssign {
            target,
            value,
            is_pointer,
            offset,
            bounds: Vec::new(),
        });
        Ok(())
    }

    /// `place = place op value`.
    fn update(&mut self, place: super::Place<'a>, op: BinaryOp, value: ExprId) -> Lowered<()> {
        let Some(ty) = place.ty.scalar() else {
            return self.unsupported("an update of something that is no number");
        };
        let target = self.finished(place)?;
        let old = self.expr(Expr::Load(target.clone()), ty);
        let new = self.operate(op, old, value)?;
        let new = self.converted(new, ty)?;
        self.assign(target, new);
        Ok(())
    }

    /// `p += n` of a pointer that is a value.
    fn walk(&mut self, place: super::Place<'a>, by: ExprId, op: BinaryOp) -> Lowered<()> {
        if !self.unit.is_typed_pointer(&place.ty) {
            return self.unsupported("arithmetic with an address without a type");
        }
        let by = self.whole_number(by)?;
        let by = match op {
            BinaryOp::Add => by,
            _ => self.builder().neg(by),
        };
        let by = match place.ty.target() {
            Some(pointed) => self.in_elements(by, &pointed.clone())?,
            None => by,
        };
        let target = self.finished(place)?;
        self.emit(Stmt::PointerAssign {
            target: target.clone(),
            value: Some(target),
            is_pointer: true,
            offset: Some(by),
            bounds: Vec::new(),
        });
        Ok(())
    }

    /// The pointer variable that is represented as an array or an offset, if `node` names one.
    fn pointer_variable(&self, node: &'a Node<Expression>) -> Option<VarId> {
        let Expression::Identifier(name) = &node.node else {
            return None;
        };
        let Some(&Symbol::Local(var)) = self.unit.lookup(&name.node.name) else {
            return None;
        };
        match self.known[var.index()].representation {
            Representation::Plain => None,
            _ => Some(var),
        }
    }

    fn assign_pointer_variable(
        &mut self,
        var: VarId,
        operator: &BinaryOperator,
        rhs: &'a Node<Expression>,
    ) -> Lowered<()> {
        match self.known[var.index()].representation.clone() {
            Representation::Array => {
                if let Some(call) = super::facts::allocator(rhs) {
                    let ty = self.known[var.index()].ty.clone();
                    return self.allocate(Access::whole(var), &ty, call);
                }
                match self.value(rhs)? {
                    Value::Null => {
                        self.emit(Stmt::PointerAssign {
                            target: Access::whole(var),
                            value: None,
                            is_pointer: false,
                            offset: None,
                            bounds: Vec::new(),
                        });
                        Ok(())
                    }
                    Value::Scalar(e) if matches!(self.procedure.expr(e), Expr::Integer(0)) => {
                        self.emit(Stmt::PointerAssign {
                            target: Access::whole(var),
                            value: None,
                            is_pointer: false,
                            offset: None,
                            bounds: Vec::new(),
                        });
                        Ok(())
                    }
                    _ => self.unsupported("an assignment to a pointer that stands for an array"),
                }
            }
            Representation::Offset { base, offset } => {
                let at = match arithmetic(operator) {
                    Some(op @ (BinaryOp::Add | BinaryOp::Subtract)) => {
                        let by = self.scalar(rhs)?;
                        let now = self.load(offset);
                        match op {
                            BinaryOp::Add => self.sum(now, by),
                            _ => self.difference(now, by),
                        }
                    }
                    Some(_) => return self.unsupported("an operation on a pointer"),
                    None => self.offset_from(&base, rhs)?,
                };
                let ty = self.procedure.variables[offset].ty;
                let at = self.convert(at, ty);
                self.assign(Access::whole(offset), at);
                Ok(())
            }
            Representation::Plain => self.unsupported("an assignment to a pointer"),
        }
    }

    /// How many elements the address `node` lies after `base`.
    pub fn offset_from(
        &mut self,
        base: &Pointer<'a>,
        node: &'a Node<Expression>,
    ) -> Lowered<ExprId> {
        let Value::Pointer(pointer) = self.value(node)? else {
            return self.unsupported("an assignment to a pointer that walks over an array");
        };
        let same = self.procedure.same_access(&pointer.access, &base.access)
            && pointer.pending.is_empty()
            && !pointer.single;
        if !same {
            return self.unsupported("a pointer that leaves its array");
        }
        match pointer.offset {
            Some(offset) => Ok(offset),
            None => Ok(self.int(0)),
        }
    }

    /// `x++`, `--x` as a statement.
    pub fn step(&mut self, unary: &'a UnaryOperatorExpression) -> Lowered<()> {
        let op = match unary.operator.node {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => BinaryOp::Add,
            _ => BinaryOp::Subtract,
        };
        let one = self.int(1);
        if let Some(var) = self.pointer_variable(&unary.operand) {
            let Representation::Offset { offset, .. } = self.known[var.index()].representation
            else {
                return self.unsupported("a step of a pointer that stands for an array");
            };
            let now = self.load(offset);
            let next = match op {
                BinaryOp::Add => self.sum(now, one),
                _ => self.difference(now, one),
            };
            let ty = self.procedure.variables[offset].ty;
            let next = self.convert(next, ty);
            self.assign(Access::whole(offset), next);
            return Ok(());
        }
        let place = self.place(&unary.operand)?;
        if place.ty.is_pointer() {
            return self.walk(place, one, op);
        }
        self.update(place, op, one)
    }

    /// `a[i++]++` in an expression: the effects of the place happen once.
    pub fn step_once(
        &mut self,
        unary: &'a UnaryOperatorExpression,
        step: Step,
    ) -> Lowered<Value<'a>> {
        let op = match unary.operator.node {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => BinaryOp::Add,
            _ => BinaryOp::Subtract,
        };
        let place = self.place(&unary.operand)?;
        if place.ty.scalar().is_none() {
            return self.unsupported("a step of a pointer with side effects");
        }
        let one = self.int(1);
        if step == Step::Before {
            self.update(place.clone(), op, one)?;
        }
        let Value::Scalar(value) = self.load_place(place.clone())? else {
            return self.unsupported("a step of something that is no number");
        };
        let value = self.keep("old", value);
        if step == Step::After {
            self.update(place, op, one)?;
        }
        Ok(Value::Scalar(value))
    }

    /// `x++` in an expression: the value before, kept.
    pub fn old_then_step(&mut self, unary: &'a UnaryOperatorExpression) -> Lowered<Value<'a>> {
        if super::facts::has_effects(&unary.operand) {
            return self.step_once(unary, Step::After);
        }
        let old = match self.value(&unary.operand)? {
            Value::Scalar(e) => Value::Scalar(self.keep("old", e)),
            Value::Pointer(pointer) if pointer.is_dereferenced() => {
                let target = pointer.target.clone();
                Value::Pointer(self.held_pointer("old", target, Value::Pointer(pointer))?)
            }
            Value::Pointer(mut pointer) => {
                if let Some(offset) = pointer.offset {
                    pointer.offset = Some(self.keep("old", offset));
                }
                Value::Pointer(pointer)
            }
            _ => return self.unsupported("a step of something that is no number"),
        };
        self.step(unary)?;
        Ok(old)
    }
}
