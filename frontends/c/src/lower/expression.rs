//! Expressions: what each evaluates to, with its side effects emitted before.

use super::assign::Step;
use super::{Body, Lowered, Pointer, Representation, Value};
use crate::cst::{
    CastExpression, CompoundLiteral, Expression, Node, Statement, UnaryOperator,
    UnaryOperatorExpression,
};
use crate::declare::{ArrayExtent, CType, Symbol};
use crate::view::CONDITION;
use contraflow_ir::{BinaryOp, Expr, ExprId, Intrinsic, Type, UnaryOp, VarId};

impl<'u, 'a> Body<'u, 'a> {
    /// What an expression evaluates to.
    pub fn value(&mut self, node: &'a Node<Expression>) -> Lowered<Value<'a>> {
        let outer = self.span;
        let here = self.unit.span(node.span);
        if here.is_some() {
            self.span = here;
        }
        let value = self.value_here(node);
        self.span = outer;
        value
    }

    /// An expression that is a number or truth value.
    pub fn scalar(&mut self, node: &'a Node<Expression>) -> Lowered<ExprId> {
        match self.value(node)? {
            Value::Scalar(e) => Ok(e),
            _ => self.unsupported("an address or struct where a number is wanted"),
        }
    }

    /// An expression as a number of a type.
    pub fn scalar_as(&mut self, node: &'a Node<Expression>, ty: Type) -> Lowered<ExprId> {
        let e = self.scalar(node)?;
        self.converted(e, ty)
    }

    /// A number in another type.
    pub fn converted(&mut self, e: ExprId, ty: Type) -> Lowered<ExprId> {
        let from = self.type_of(e);
        let is_number = |ty: Type| ty.is_numeric() || matches!(ty, Type::Logical { .. });
        if from != ty && !(is_number(from) && is_number(ty)) {
            return self.unsupported("a conversion between a number and something else");
        }
        Ok(self.convert(e, ty))
    }

    /// Evaluates an expression for its effects.
    pub fn effects(&mut self, node: &'a Node<Expression>) -> Lowered<()> {
        let outer = self.span;
        self.span = self.unit.span(node.span);
        let done = self.effects_here(node);
        self.span = outer;
        done
    }

    fn effects_here(&mut self, node: &'a Node<Expression>) -> Lowered<()> {
        match &node.node {
            Expression::UnaryOperator(unary)
                if super::facts::is_step(&unary.node.operator.node) =>
            {
                self.step(&unary.node)
            }
            Expression::Comma(parts) => {
                for part in parts.iter() {
                    self.effects(part)?;
                }
                Ok(())
            }
            Expression::Call(call) => self.call_for_effect(&call.node),
            Expression::Cast(cast) => self.effects(&cast.node.expression),
            _ if !super::facts::has_effects(node) => Ok(()),
            _ => self.value_here(node).map(drop),
        }
    }

    fn value_here(&mut self, node: &'a Node<Expression>) -> Lowered<Value<'a>> {
        match &node.node {
            Expression::Identifier(name) => self.named(&name.node.name),
            Expression::Constant(constant) => self.literal(&constant.node),
            Expression::StringLiteral(text) => {
                let text = text.node.concat();
                Ok(Value::Scalar(
                    self.expr(Expr::Text(unquoted(&text)), Type::Character),
                ))
            }
            Expression::Member(_) => {
                let place = self.place(node)?;
                self.load_place(place)
            }
            Expression::Call(call) => self.call_value(&call.node),
            Expression::CompoundLiteral(literal) => {
                let place = self.compound_literal(&literal.node)?;
                self.load_place(place)
            }
            Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0.node);
                self.size_or_alignment(size.span, &ty)
            }
            Expression::SizeOfVal(size) => match self.type_of_expression(&size.node.0) {
                Some(ty) => self.size_or_alignment(size.span, &ty),
                None => self.unsupported("`sizeof` of an expression"),
            },
            Expression::UnaryOperator(unary) => self.unary(node, &unary.node),
            Expression::Cast(cast) => self.cast(&cast.node),
            Expression::BinaryOperator(binary) => {
                let operator = &binary.node.operator.node;
                if super::facts::is_assignment(operator) {
                    return self.assignment(operator, &binary.node.lhs, &binary.node.rhs);
                }
                if *operator == crate::cst::BinaryOperator::Index {
                    let place = self.place(node)?;
                    return self.load_place(place);
                }
                self.binary(operator, &binary.node.lhs, &binary.node.rhs)
            }
            Expression::Conditional(choice) => self.choice(&choice.node),
            Expression::Comma(parts) => match parts.split_last() {
                Some((last, first)) => {
                    for part in first {
                        self.effects(part)?;
                    }
                    self.value(last)
                }
                None => Ok(Value::Void),
            },
            Expression::Statement(statement) => self.statement_expression(statement),
            Expression::GenericSelection(choice) => {
                let chosen = self.selected(&choice.node)?;
                self.value(chosen)
            }
            Expression::AlignOf(align) => {
                let ty = self.type_name(&align.node.0.node);
                self.alignment_of(&ty)
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node),
            Expression::VaArg(_) => self.unsupported("`va_arg`"),
        }
    }

    fn named(&mut self, name: &str) -> Lowered<Value<'a>> {
        if name == CONDITION
            && let Some(value) = self.middles.last()
        {
            return Ok(value.clone());
        }
        match self.symbol(name)? {
            Symbol::EnumConstant(value) => {
                let ty = match i32::try_from(value) {
                    Ok(_) => Type::INT,
                    Err(_) => Type::LONG,
                };
                Ok(Value::Scalar(self.expr(Expr::Integer(value), ty)))
            }
            Symbol::Local(var) => self.variable_value(var),
            Symbol::Alias(index) => Ok(Value::Pointer(self.aliases[index].clone())),
            Symbol::Global(index) => {
                let var = self.known_global(index)?;
                self.variable_value(var)
            }
            Symbol::Function(index) => Ok(Value::Function(index)),
            Symbol::Typedef(_) => self.unsupported("a type where a value is wanted"),
        }
    }

    fn variable_value(&mut self, var: VarId) -> Lowered<Value<'a>> {
        let known = self.known[var.index()].clone();
        match known.representation {
            Representation::Plain => self.load_place(super::Place::whole(var, known.ty)),
            Representation::Array => {
                let Some(target) = known.ty.target() else {
                    return self.unsupported("a pointer without a target");
                };
                let access = contraflow_ir::Access::whole(var);
                Ok(Value::Pointer(Pointer::to_first(access, target.clone())))
            }
            Representation::Offset { base, offset } => {
                let at = self.load(offset);
                self.moved(base, at, BinaryOp::Add).map(Value::Pointer)
            }
        }
    }

    fn unary(
        &mut self,
        node: &'a Node<Expression>,
        unary: &'a UnaryOperatorExpression,
    ) -> Lowered<Value<'a>> {
        match &unary.operator.node {
            UnaryOperator::PostIncrement | UnaryOperator::PostDecrement => {
                self.old_then_step(unary)
            }
            UnaryOperator::PreIncrement | UnaryOperator::PreDecrement => {
                if super::facts::has_effects(&unary.operand) {
                    return self.step_once(unary, Step::Before);
                }
                self.step(unary)?;
                self.value(&unary.operand)
            }
            UnaryOperator::Address => {
                if let Expression::Identifier(name) = &unary.operand.node
                    && let Some(&Symbol::Function(index)) = self.unit.lookup(&name.node.name)
                {
                    return Ok(Value::Function(index));
                }
                let place = self.place(&unary.operand)?;
                Ok(Value::Pointer(self.address_of(place)))
            }
            UnaryOperator::Indirection => match self.value(&unary.operand)? {
                value @ (Value::Function(_) | Value::Procedure(..)) => Ok(value),
                Value::Pointer(pointer) => {
                    let place = self.element(pointer, None)?;
                    self.load_place(place)
                }
                _ => {
                    let place = self.place(node)?;
                    self.load_place(place)
                }
            },
            UnaryOperator::Plus => self.signed(UnaryOp::Plus, &unary.operand),
            UnaryOperator::Minus => self.signed(UnaryOp::Negate, &unary.operand),
            UnaryOperator::Complement => match self.part_taken(unary) {
                Some(part) => {
                    let z = self.scalar(&unary.operand)?;
                    Ok(Value::Scalar(self.part_of(part, z)))
                }
                None => {
                    let e = self.scalar(&unary.operand)?;
                    match self.type_of(e) {
                        // GNU C: the conjugate.
                        ty @ Type::Complex { .. } => Ok(Value::Scalar(
                            self.expr(Expr::Intrinsic(Intrinsic::Conjugate, vec![e]), ty),
                        )),
                        _ => self.negated(UnaryOp::BitNot, e).map(Value::Scalar),
                    }
                }
            },
            UnaryOperator::Negate => {
                let condition = self.condition(&unary.operand)?;
                Ok(Value::Scalar(self.not(condition)))
            }
        }
    }

    fn signed(&mut self, op: UnaryOp, operand: &'a Node<Expression>) -> Lowered<Value<'a>> {
        let e = self.scalar(operand)?;
        self.negated(op, e).map(Value::Scalar)
    }

    fn cast(&mut self, cast: &'a CastExpression) -> Lowered<Value<'a>> {
        let ty = self.type_name(&cast.type_name.node);
        if let CType::Void = ty {
            self.effects(&cast.expression)?;
            return Ok(Value::Void);
        }
        let value = self.value(&cast.expression)?;
        match (ty, value) {
            (CType::Scalar(ty), Value::Scalar(e)) => Ok(Value::Scalar(self.converted(e, ty)?)),
            (CType::Pointer { .. }, Value::Scalar(e))
                if matches!(self.procedure.expr(e), Expr::Integer(0)) =>
            {
                Ok(Value::Null)
            }
            (CType::Pointer { target, .. }, Value::Pointer(pointer)) => {
                self.pointer_cast((*target).clone(), pointer)
            }
            (ty @ CType::Pointer { .. }, Value::Address(access))
                if self.unit.is_typed_pointer(&ty) && !ty.is_function_pointer() =>
            {
                let target = ty.target().cloned().unwrap_or(CType::Unknown);
                let held = self.held_pointer("cast", target, Value::Address(access))?;
                Ok(Value::Pointer(held))
            }
            (
                CType::Pointer { .. },
                value @ (Value::Null
                | Value::Function(_)
                | Value::Procedure(..)
                | Value::Address(_)),
            ) => Ok(value),
            (CType::Pointer { .. }, value @ Value::Scalar(e))
                if self.type_of(e) == Type::Character =>
            {
                Ok(value)
            }
            (CType::Record(_), value @ Value::Record(_)) => Ok(value),
            _ => self.unsupported("a cast between a number and an address"),
        }
    }

    /// A pointer seen as a pointer to another type: allowed where the elements are the same.
    pub fn pointer_cast(&mut self, target: CType<'a>, pointer: Pointer<'a>) -> Lowered<Value<'a>> {
        if let CType::Void = target {
            return Ok(Value::Pointer(pointer));
        }
        let wanted = self.unit.ir_type(target.element());
        let given = self.unit.ir_type(pointer.target.element());
        let same_rank = target.extents().len() == pointer.target.extents().len();
        if wanted == given && same_rank {
            return Ok(Value::Pointer(pointer));
        }
        if matches!(wanted, Type::Unknown | Type::Void | Type::Procedure) {
            return self.unsupported("an array seen as one of another type");
        }
        let seen = self.held_pointer("seen", target, Value::Pointer(pointer))?;
        Ok(Value::Pointer(seen))
    }

    /// An address in a variable of its own, as a pointer to `target`.
    pub fn held_pointer(
        &mut self,
        name: &str,
        target: CType<'a>,
        value: Value<'a>,
    ) -> Lowered<Pointer<'a>> {
        let ty = target.clone().pointed();
        if !self.unit.is_typed_pointer(&ty) {
            return self.unsupported("an address of something without a type");
        }
        let var = self.local_variable(name, "", ty, Representation::Plain)?;
        self.procedure.variables[var].spelling = self.unit.spelling_of(target.element());
        self.point(contraflow_ir::Access::whole(var), value)?;
        let mut access = contraflow_ir::Access::whole(var);
        access.path.push(contraflow_ir::Selector::Deref);
        Ok(Pointer::to_first(access, target))
    }

    fn compound_literal_type(&mut self, literal: &'a CompoundLiteral) -> CType<'a> {
        let ty = self.type_name(&literal.type_name.node);
        match &ty {
            CType::Array {
                element,
                extent: ArrayExtent::Unknown,
            } => CType::Array {
                element: element.clone(),
                extent: ArrayExtent::Constant(literal.initializer_list.len() as i64),
            },
            _ => ty,
        }
    }

    /// `(type){…}`: a variable without a name.
    pub fn compound_literal(&mut self, literal: &'a CompoundLiteral) -> Lowered<super::Place<'a>> {
        let ty = self.compound_literal_type(literal);
        let var = self.local_variable("literal", "", ty.clone(), Representation::Plain)?;
        let place = super::Place::whole(var, ty);
        self.initialise_list(place.clone(), &literal.initializer_list)?;
        Ok(place)
    }

    /// `({ … value; })`.
    fn statement_expression(&mut self, node: &'a Node<Statement>) -> Lowered<Value<'a>> {
        let Statement::Compound(items) = &node.node else {
            return self.unsupported("a statement as an expression");
        };
        self.unit.enter();
        self.blocks.push(items);
        let mut value = Ok(Value::Void);
        for (index, item) in items.iter().enumerate() {
            if index + 1 == items.len()
                && let crate::cst::BlockItem::Statement(last) = &item.node
                && let Statement::Expression(Some(last)) = &last.node
            {
                value = self.value(last);
                // What it names ends with the block.
                if let Ok(Value::Scalar(e)) = value {
                    value = Ok(Value::Scalar(self.keep("value", e)));
                }
                break;
            }
            self.block_item(item);
        }
        self.blocks.pop();
        self.leave_block();
        value
    }
}

/// The text of a string literal between its quotes.
fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    inner.strip_suffix('"').unwrap_or(inner).to_owned()
}
