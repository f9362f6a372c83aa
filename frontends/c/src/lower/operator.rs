//! Operators on numbers: promotions, the usual arithmetic conversions, comparisons, logic.

use super::facts::has_effects;
use super::{Body, Lowered, Pointer, Value};
use crate::cst::{BinaryOperator, ConditionalExpression, Expression, Node};
use crate::view::CONDITION;
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Stmt, Type, UnaryOp};

/// The type in which a value takes part in arithmetic.
pub(crate) fn promoted(ty: Type) -> Type {
    match ty {
        Type::Integer { bytes, .. } if bytes < 4 => Type::INT,
        Type::Logical { .. } => Type::INT,
        other => other,
    }
}

/// The common type of two operands (the usual arithmetic conversions).
pub(crate) fn common_type(a: Type, b: Type) -> Type {
    let (a, b) = (promoted(a), promoted(b));
    let real_bytes = |ty: Type| match ty {
        Type::Real { bytes } | Type::Complex { bytes } => bytes,
        _ => 0,
    };
    let bytes = real_bytes(a).max(real_bytes(b));
    match (a, b) {
        (Type::Complex { .. }, _) | (_, Type::Complex { .. }) => Type::Complex { bytes },
        (Type::Real { .. }, _) | (_, Type::Real { .. }) => Type::Real { bytes },
        (
            Type::Integer {
                bytes: x,
                signed: p,
            },
            Type::Integer {
                bytes: y,
                signed: q,
            },
        ) => {
            let signed = match x.cmp(&y) {
                std::cmp::Ordering::Equal => p && q,
                std::cmp::Ordering::Less => q,
                std::cmp::Ordering::Greater => p,
            };
            Type::Integer {
                bytes: x.max(y),
                signed,
            }
        }
        _ => a,
    }
}

/// The arithmetic operation of an operator, plain or compound.
pub(crate) fn arithmetic(operator: &BinaryOperator) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOperator::Plus | BinaryOperator::AssignPlus => BinaryOp::Add,
        BinaryOperator::Minus | BinaryOperator::AssignMinus => BinaryOp::Subtract,
        BinaryOperator::Multiply | BinaryOperator::AssignMultiply => BinaryOp::Multiply,
        BinaryOperator::Divide | BinaryOperator::AssignDivide => BinaryOp::Divide,
        BinaryOperator::Modulo | BinaryOperator::AssignModulo => BinaryOp::Remainder,
        BinaryOperator::ShiftLeft | BinaryOperator::AssignShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::ShiftRight | BinaryOperator::AssignShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::BitwiseAnd | BinaryOperator::AssignBitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::BitwiseOr | BinaryOperator::AssignBitwiseOr => BinaryOp::BitOr,
        BinaryOperator::BitwiseXor | BinaryOperator::AssignBitwiseXor => BinaryOp::BitXor,
        _ => return None,
    })
}

pub(crate) fn comparison(operator: &BinaryOperator) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOperator::Less => BinaryOp::Less,
        BinaryOperator::LessOrEqual => BinaryOp::LessEqual,
        BinaryOperator::Greater => BinaryOp::Greater,
        BinaryOperator::GreaterOrEqual => BinaryOp::GreaterEqual,
        BinaryOperator::Equals => BinaryOp::Equal,
        BinaryOperator::NotEquals => BinaryOp::NotEqual,
        _ => return None,
    })
}

impl<'u, 'a> Body<'u, 'a> {
    /// `a op b` on numbers.
    pub fn operate(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Lowered<ExprId> {
        let (ta, tb) = (self.type_of(a), self.type_of(b));
        let bitwise = matches!(
            op,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Remainder
        );
        let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let ty = if shift {
            promoted(ta)
        } else {
            common_type(ta, tb)
        };
        if (bitwise || shift) && !ty.is_integer() || !ty.is_numeric() {
            return self.unsupported("an operation on something that is no number");
        }
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        Ok(self.expr(Expr::Binary(op, a, b), ty))
    }

    /// `a op b` as a truth value.
    pub fn comparison_of(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Lowered<ExprId> {
        let ty = common_type(self.type_of(a), self.type_of(b));
        if !ty.is_numeric() {
            return self.unsupported("a comparison of something that is no number");
        }
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        Ok(self.compare(op, a, b))
    }

    /// An operator with two operands that assigns nothing.
    pub fn binary(
        &mut self,
        operator: &BinaryOperator,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
    ) -> Lowered<Value<'a>> {
        if matches!(
            operator,
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
        ) {
            return self.logic(operator, lhs, rhs).map(Value::Scalar);
        }
        let (a, b) = (self.value(lhs)?, self.value(rhs)?);
        if let (Value::Scalar(a), Value::Scalar(b)) = (&a, &b) {
            if let Some(op) = arithmetic(operator) {
                return self.operate(op, *a, *b).map(Value::Scalar);
            }
            return match comparison(operator) {
                Some(op) => self.comparison_of(op, *a, *b).map(Value::Scalar),
                None => self.unsupported("an operator"),
            };
        }
        self.pointer_operation(operator, a, b)
    }

    fn pointer_operation(
        &mut self,
        operator: &BinaryOperator,
        a: Value<'a>,
        b: Value<'a>,
    ) -> Lowered<Value<'a>> {
        match (operator, a, b) {
            (BinaryOperator::Plus, Value::Pointer(p), Value::Scalar(n))
            | (BinaryOperator::Plus, Value::Scalar(n), Value::Pointer(p)) => {
                self.moved(p, n, BinaryOp::Add).map(Value::Pointer)
            }
            (BinaryOperator::Minus, Value::Pointer(p), Value::Scalar(n)) => {
                self.moved(p, n, BinaryOp::Subtract).map(Value::Pointer)
            }
            (BinaryOperator::Equals, value, null) if self.is_null(&null) => {
                let present = self.truth(value)?;
                Ok(Value::Scalar(self.not(present)))
            }
            (BinaryOperator::Equals, null, value) if self.is_null(&null) => {
                let present = self.truth(value)?;
                Ok(Value::Scalar(self.not(present)))
            }
            (BinaryOperator::NotEquals, value, null) if self.is_null(&null) => {
                self.truth(value).map(Value::Scalar)
            }
            (BinaryOperator::NotEquals, null, value) if self.is_null(&null) => {
                self.truth(value).map(Value::Scalar)
            }
            (operator, Value::Pointer(p), Value::Pointer(q)) => {
                self.pointer_difference(operator, p, q)
            }
            (operator, Value::Address(a), Value::Address(b)) => match comparison(operator) {
                Some(op) => {
                    let a = self.expr(Expr::Load(a), Type::Address);
                    let b = self.expr(Expr::Load(b), Type::Address);
                    Ok(Value::Scalar(self.compare(op, a, b)))
                }
                None => self.unsupported("arithmetic with an address without a type"),
            },
            (
                operator,
                a @ (Value::Function(_) | Value::Procedure(..)),
                b @ (Value::Function(_) | Value::Procedure(..)),
            ) => match comparison(operator) {
                Some(op) => {
                    let (a, b) = (self.function_address(a), self.function_address(b));
                    Ok(Value::Scalar(self.compare(op, a, b)))
                }
                None => self.unsupported("arithmetic with functions"),
            },
            _ => self.unsupported("an operation on pointers"),
        }
    }

    /// Which function a pointer leads to.
    fn function_address(&mut self, value: Value<'a>) -> ExprId {
        let access = match value {
            Value::Function(index) => Access::whole(self.named_function(index)),
            Value::Procedure(access, _) => access,
            _ => unreachable!("only functions are compared as such"),
        };
        self.expr(Expr::Load(access), Type::Procedure)
    }

    fn is_null(&self, value: &Value<'a>) -> bool {
        match value {
            Value::Null => true,
            Value::Scalar(e) => matches!(self.procedure.expr(*e), Expr::Integer(0)),
            _ => false,
        }
    }

    /// `p + n` or `p - n`.
    pub fn moved(&mut self, p: Pointer<'a>, n: ExprId, op: BinaryOp) -> Lowered<Pointer<'a>> {
        if p.single {
            return self.unsupported("arithmetic with the address of a single object");
        }
        if matches!(self.type_of(n), Type::Logical { .. })
            || !promoted(self.type_of(n)).is_integer()
        {
            return self.unsupported("arithmetic with an address and no integer");
        }
        let zero = self.int(0);
        let from = p.offset.unwrap_or(zero);
        let offset = match op {
            BinaryOp::Add => self.sum(from, n),
            _ => self.difference(from, n),
        };
        Ok(Pointer {
            offset: Some(offset),
            ..p
        })
    }

    /// `p - q`, or a comparison, of addresses in one array.
    fn pointer_difference(
        &mut self,
        operator: &BinaryOperator,
        p: Pointer<'a>,
        q: Pointer<'a>,
    ) -> Lowered<Value<'a>> {
        let same = self.procedure.same_access(&p.access, &q.access)
            && p.pending.len() == q.pending.len()
            && p.pending
                .iter()
                .zip(&q.pending)
                .all(|(&a, &b)| self.procedure.same_expr(a, b));
        if !same || p.single || q.single {
            return match comparison(operator) {
                Some(op) => self.compare_addresses(op, p, q),
                None => self.distance(p, q).map(Value::Scalar),
            };
        }
        let zero = self.int(0);
        let (a, b) = (p.offset.unwrap_or(zero), q.offset.unwrap_or(zero));
        if *operator == BinaryOperator::Minus {
            let difference = self.difference(a, b);
            return Ok(Value::Scalar(self.convert(difference, Type::LONG)));
        }
        match comparison(operator) {
            Some(op) => self.comparison_of(op, a, b).map(Value::Scalar),
            None => self.unsupported("an operation on pointers"),
        }
    }

    /// `p - q` of pointers that are values.
    fn distance(&mut self, p: Pointer<'a>, q: Pointer<'a>) -> Lowered<ExprId> {
        let (wanted, given) = (self.unit.ir_type(&p.target), self.unit.ir_type(&q.target));
        if wanted != given || p.target.is_array() || q.target.is_array() {
            return self.unsupported("a difference of addresses in different arrays");
        }
        let (p, q) = (self.address_variable(p)?, self.address_variable(q)?);
        let name = |body: &Self, access: &Access| body.procedure.variables[access.var].name.clone();
        let text = format!("({} - {})", name(self, &p), name(self, &q));
        let reads = vec![p, q];
        Ok(self.expr(Expr::Opaque { text, reads }, Type::LONG))
    }

    /// A variable that holds an address.
    fn address_variable(&mut self, pointer: Pointer<'a>) -> Lowered<Access> {
        if pointer.is_dereferenced() && pointer.offset.is_none() && pointer.access.path.len() == 1 {
            return Ok(Access::whole(pointer.access.var));
        }
        let target = pointer.target.clone();
        let held = self.held_pointer("address", target, Value::Pointer(pointer))?;
        Ok(Access::whole(held.access.var))
    }

    /// A comparison of two addresses that are values.
    fn compare_addresses(
        &mut self,
        op: BinaryOp,
        p: Pointer<'a>,
        q: Pointer<'a>,
    ) -> Lowered<Value<'a>> {
        let (a, b) = (self.address_value(p)?, self.address_value(q)?);
        if self.type_of(a) != self.type_of(b) {
            return self.unsupported("a comparison of addresses of different types");
        }
        Ok(Value::Scalar(self.compare(op, a, b)))
    }

    /// An address as a value: what a pointer holds.
    fn address_value(&mut self, pointer: Pointer<'a>) -> Lowered<ExprId> {
        let ty = self.unit.ir_type(&pointer.target.clone().pointed());
        let mut access = pointer.access.clone();
        if pointer.is_dereferenced() && pointer.offset.is_none() {
            access.path.pop();
            return Ok(self.expr(Expr::Load(access), ty));
        }
        let held = self.pointer_temporary("address", &pointer)?;
        self.store(held.clone(), Value::Pointer(pointer))?;
        Ok(self.expr(Expr::Load(held.access), ty))
    }

    /// A variable for addresses of what `like` points to.
    fn pointer_temporary(&mut self, name: &str, like: &Pointer<'a>) -> Lowered<super::Place<'a>> {
        let ty = like.target.clone().pointed();
        if !self.unit.is_typed_pointer(&ty) || like.target.is_array() {
            return self.unsupported("an address of something without a simple type");
        }
        let plain = super::Representation::Plain;
        let var = self.local_variable(name, "", ty.clone(), plain)?;
        Ok(super::Place::whole(var, ty))
    }

    /// `c ? p : q` of addresses or structs, of which at least one is told: a variable that holds it.
    fn chosen_aggregate(
        &mut self,
        condition: ExprId,
        (then_block, then): (Vec<contraflow_ir::StmtId>, Value<'a>),
        (else_block, otherwise): (Vec<contraflow_ir::StmtId>, Value<'a>),
    ) -> Lowered<Value<'a>> {
        let held = match (&then, &otherwise) {
            (Value::Address(_), _) | (_, Value::Address(_)) => {
                let ty = crate::declare::CType::Void.pointed();
                let plain = super::Representation::Plain;
                let var = self.local_variable("chosen", "", ty.clone(), plain)?;
                super::Place::whole(var, ty)
            }
            (Value::Pointer(like), _) | (_, Value::Pointer(like)) => {
                let like = like.clone();
                self.pointer_temporary("chosen", &like)?
            }
            (Value::Function(index), Value::Function(_) | Value::Null)
            | (Value::Null, Value::Function(index)) => {
                let ty = crate::declare::CType::Function(self.unit.functions[*index].ty.clone());
                let ty = ty.pointed();
                let plain = super::Representation::Plain;
                let var = self.local_variable("chosen", "", ty.clone(), plain)?;
                super::Place::whole(var, ty)
            }
            (Value::Procedure(_, ty), _) | (_, Value::Procedure(_, ty)) => {
                let ty = ty.clone();
                let plain = super::Representation::Plain;
                let var = self.local_variable("chosen", "", ty.clone(), plain)?;
                super::Place::whole(var, ty)
            }
            (Value::Record(like), Value::Record(_)) => {
                let ty = like.ty.clone();
                let plain = super::Representation::Plain;
                let var = self.local_variable("chosen", "", ty.clone(), plain)?;
                super::Place::whole(var, ty)
            }
            _ => return self.unsupported("a choice between addresses or structs"),
        };
        let mut blocks = Vec::new();
        for (mut block, value) in [(then_block, then), (else_block, otherwise)] {
            let place = held.clone();
            let (stored, done) = self.in_block(|body| body.store(place, value));
            done?;
            block.extend(stored);
            blocks.push(block);
        }
        let otherwise = blocks.pop().unwrap_or_default();
        let then = blocks.pop().unwrap_or_default();
        self.emit(Stmt::If {
            condition,
            then,
            otherwise,
        });
        self.load_place(held)
    }

    /// `a && b`, `a || b`. Where `b` has effects, they happen only if it is evaluated.
    fn logic(
        &mut self,
        operator: &BinaryOperator,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
    ) -> Lowered<ExprId> {
        let is_and = *operator == BinaryOperator::LogicalAnd;
        let a = self.condition(lhs)?;
        if !has_effects(rhs) {
            let b = self.condition(rhs)?;
            let op = match is_and {
                true => BinaryOp::AndThen,
                false => BinaryOp::OrElse,
            };
            return Ok(self.expr(Expr::Binary(op, a, b), Type::LOGICAL));
        }
        let holds = self.temporary("holds", Type::LOGICAL);
        self.assign(Access::whole(holds), a);
        let (block, done) = self.in_block(|body| -> Lowered<()> {
            let b = body.condition(rhs)?;
            body.assign(Access::whole(holds), b);
            Ok(())
        });
        done?;
        let mut condition = self.load(holds);
        if !is_and {
            condition = self.not(condition);
        }
        self.emit(Stmt::If {
            condition,
            then: block,
            otherwise: Vec::new(),
        });
        Ok(self.load(holds))
    }

    /// An expression as a truth value.
    pub fn condition(&mut self, node: &'a Node<Expression>) -> Lowered<ExprId> {
        let value = self.value(node)?;
        self.truth(value)
    }

    /// A value as a truth value.
    pub fn truth(&mut self, value: Value<'a>) -> Lowered<ExprId> {
        match value {
            Value::Scalar(e) => Ok(match self.type_of(e) {
                Type::LOGICAL => e,
                _ => match self.builder().integer_value(e) {
                    Some(value) => self.expr(Expr::Logical(value != 0), Type::LOGICAL),
                    None => self.convert(e, Type::LOGICAL),
                },
            }),
            Value::Pointer(pointer) => {
                if pointer.single || pointer.offset.is_some() || !pointer.pending.is_empty() {
                    return Ok(self.expr(Expr::Logical(true), Type::LOGICAL));
                }
                let mut access = pointer.access;
                if access.path.last() == Some(&contraflow_ir::Selector::Deref) {
                    access.path.pop();
                }
                Ok(self.expr(Expr::Present(access), Type::LOGICAL))
            }
            Value::Procedure(access, _) | Value::Address(access) => {
                Ok(self.expr(Expr::Present(access), Type::LOGICAL))
            }
            Value::Null => Ok(self.expr(Expr::Logical(false), Type::LOGICAL)),
            Value::Function(_) => Ok(self.expr(Expr::Logical(true), Type::LOGICAL)),
            Value::Record(_) | Value::Void => self.unsupported("a condition that is no value"),
        }
    }

    /// `c ? a : b`.
    pub fn choice(&mut self, node: &'a ConditionalExpression) -> Lowered<Value<'a>> {
        if super::facts::identifier(&node.then_expression) == Some(CONDITION) {
            return self.choice_without_middle(node);
        }
        let condition = self.condition(&node.condition)?;
        self.choice_on(condition, node)
    }

    /// `a ?: b`: the value of the condition, kept, where it holds.
    fn choice_without_middle(&mut self, node: &'a ConditionalExpression) -> Lowered<Value<'a>> {
        let value = match self.value(&node.condition)? {
            Value::Scalar(e) => Value::Scalar(self.keep("value", e)),
            value @ (Value::Pointer(_) | Value::Null) => value,
            _ => return self.unsupported("a choice without a middle"),
        };
        let condition = self.truth(value.clone())?;
        self.middles.push(value);
        let chosen = self.choice_on(condition, node);
        self.middles.pop();
        chosen
    }

    fn choice_on(
        &mut self,
        condition: ExprId,
        node: &'a ConditionalExpression,
    ) -> Lowered<Value<'a>> {
        let effects = has_effects(&node.then_expression) || has_effects(&node.else_expression);
        let (then_block, then) = self.in_block(|body| body.value(&node.then_expression));
        let (else_block, otherwise) = self.in_block(|body| body.value(&node.else_expression));
        match (then?, otherwise?) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                self.chosen(condition, effects, (then_block, a), (else_block, b))
            }
            (
                Value::Void | Value::Scalar(_) | Value::Null,
                Value::Void | Value::Scalar(_) | Value::Null,
            ) => {
                self.emit(Stmt::If {
                    condition,
                    then: then_block,
                    otherwise: else_block,
                });
                Ok(Value::Void)
            }
            (then, otherwise) => {
                self.chosen_aggregate(condition, (then_block, then), (else_block, otherwise))
            }
        }
    }

    fn chosen(
        &mut self,
        condition: ExprId,
        effects: bool,
        (mut then_block, a): (Vec<contraflow_ir::StmtId>, ExprId),
        (mut else_block, b): (Vec<contraflow_ir::StmtId>, ExprId),
    ) -> Lowered<Value<'a>> {
        let (ta, tb) = (self.type_of(a), self.type_of(b));
        let ty = if ta == tb { ta } else { common_type(ta, tb) };
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        if !effects && then_block.is_empty() && else_block.is_empty() {
            return Ok(Value::Scalar(self.expr(
                Expr::Select {
                    condition,
                    then: a,
                    otherwise: b,
                },
                ty,
            )));
        }
        let chosen = self.temporary("chosen", ty);
        for (block, value) in [(&mut then_block, a), (&mut else_block, b)] {
            let (assignment, ()) = self.in_block(|body| body.assign(Access::whole(chosen), value));
            block.extend(assignment);
        }
        self.emit(Stmt::If {
            condition,
            then: then_block,
            otherwise: else_block,
        });
        Ok(Value::Scalar(self.load(chosen)))
    }

    /// `-a`, `+a`, `~a`.
    pub fn negated(&mut self, op: UnaryOp, e: ExprId) -> Lowered<ExprId> {
        let ty = promoted(self.type_of(e));
        if !ty.is_numeric() || op == UnaryOp::BitNot && !ty.is_integer() {
            return self.unsupported("a sign on something that is no number");
        }
        let e = self.convert(e, ty);
        match op {
            UnaryOp::Plus => Ok(e),
            _ => Ok(self.expr(Expr::Unary(op, e), ty)),
        }
    }
}
