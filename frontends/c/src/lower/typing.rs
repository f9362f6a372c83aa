//! Questions about types: `sizeof`, `typeof`, `_Generic`, `offsetof`, and the type that an
//! expression would have.

use super::operator::{common_type, promoted};
use super::{Body, Lowered, Value};
use crate::cst::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Constant, Declaration,
    DeclarationSpecifier, Expression, FloatFormat, GenericAssociation, GenericSelection,
    InitDeclarator, Initializer, Node, OffsetDesignator, OffsetMember, OffsetOfExpression, Span,
    SpecifierQualifier, TypeName, TypeOf, TypeSpecifier, UnaryOperator, UnaryOperatorExpression,
};
use crate::declare::{ArrayExtent, CType, Symbol, constant_value, integer_type};
use crate::view::{INITIAL, Part};
use contraflow_ir::{BinaryOp, Expr, ExprId, Intrinsic, Type};

const SIZE: Type = Type::Integer {
    bytes: 8,
    signed: false,
};

impl<'u, 'a> Body<'u, 'a> {
    /// The type in a cast, `sizeof` or compound literal.
    pub fn type_name(&mut self, name: &'a TypeName) -> CType<'a> {
        let asked = name
            .specifiers
            .iter()
            .find_map(|specifier| match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => asked_of(&ty.node),
                _ => None,
            });
        let Some(base) = asked.and_then(|asked| self.type_of_expression(asked)) else {
            return self.unit.type_name(name);
        };
        match &name.declarator {
            Some(declarator) => self.unit.declared(&declarator.node, base, false).ty,
            None => base,
        }
    }

    /// The type that `typeof` or `__auto_type` gives the variables of a declaration.
    pub fn declared_type(
        &mut self,
        declaration: &'a Declaration,
        init: &'a InitDeclarator,
    ) -> Option<CType<'a>> {
        let asked = declaration
            .specifiers
            .iter()
            .find_map(|specifier| match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(ty) => asked_of(&ty.node),
                _ => None,
            })?;
        if super::facts::identifier(asked) != Some(INITIAL) {
            return self.type_of_expression(asked);
        }
        match init.initializer.as_ref().map(|initial| &initial.node) {
            Some(Initializer::Expression(value)) => {
                self.type_of_expression(value).map(|ty| ty.decayed())
            }
            _ => None,
        }
    }

    /// `sizeof`, or what was an `_Alignof`.
    pub fn size_or_alignment(&mut self, span: Span, ty: &CType<'a>) -> Lowered<Value<'a>> {
        match self.unit.view.marks.alignments.contains(&span.start) {
            true => self.alignment_of(ty),
            false => self.size_of(ty).map(Value::Scalar),
        }
    }

    /// How a type is aligned in memory.
    pub fn alignment_of(&mut self, ty: &CType<'a>) -> Lowered<Value<'a>> {
        let ty = ty.element();
        match self.unit.alignment_of(ty) {
            Some(bytes) => Ok(Value::Scalar(
                self.expr(Expr::Integer(i128::from(bytes)), SIZE),
            )),
            None => self.unsupported("the alignment of a type that is not understood"),
        }
    }

    /// `offsetof(type, member.member[n])`.
    pub fn offset_of(&mut self, node: &'a OffsetOfExpression) -> Lowered<Value<'a>> {
        let ty = self.type_name(&node.type_name.node);
        match self.offset_in(ty, &node.designator.node) {
            Some(bytes) => Ok(Value::Scalar(
                self.expr(Expr::Integer(i128::from(bytes)), SIZE),
            )),
            None => self.unsupported("`offsetof` of a type that is not understood"),
        }
    }

    fn offset_in(&mut self, ty: CType<'a>, designator: &'a OffsetDesignator) -> Option<u64> {
        let (mut offset, mut ty) = self.unit.field_at(&ty, &designator.base.node.name)?;
        for member in &designator.members {
            let (more, inner) = match &member.node {
                OffsetMember::Member(name) => self.unit.field_at(&ty, &name.node.name)?,
                OffsetMember::Index(index) => {
                    let index = u64::try_from(self.unit.constant(index)?).ok()?;
                    let element = ty.target()?.clone();
                    (index.checked_mul(self.unit.size_of(&element)?)?, element)
                }
                OffsetMember::IndirectMember(_) => return None,
            };
            offset = offset.checked_add(more)?;
            ty = inner;
        }
        Some(offset)
    }

    /// The size of a type in bytes, also of an array whose length is computed.
    pub fn size_of(&mut self, ty: &CType<'a>) -> Lowered<ExprId> {
        let size = SIZE;
        if let Some(bytes) = self.unit.size_of(ty) {
            return Ok(self.expr(Expr::Integer(i128::from(bytes)), size));
        }
        match ty {
            CType::Array {
                element,
                extent: ArrayExtent::Variable(count),
            } => {
                let count = self.scalar_as(count, size)?;
                let element = self.size_of(element)?;
                self.operate(BinaryOp::Multiply, count, element)
            }
            _ => self.unsupported("the size of a type that is not understood"),
        }
    }

    /// The part of a complex number that a unary operator takes.
    pub fn part_taken(&self, unary: &UnaryOperatorExpression) -> Option<Part> {
        let start = unary.operator.span.start;
        self.unit.view.marks.parts.get(&start).copied()
    }

    /// The real or imaginary part of a number.
    pub fn part_of(&mut self, part: Part, z: ExprId) -> ExprId {
        match (self.type_of(z), part) {
            (Type::Complex { bytes }, _) => {
                let f = match part {
                    Part::Real => Intrinsic::RealPart,
                    Part::Imaginary => Intrinsic::ImaginaryPart,
                };
                self.expr(Expr::Intrinsic(f, vec![z]), Type::Real { bytes })
            }
            (_, Part::Real) => z,
            (ty, Part::Imaginary) => self.builder().zero(ty),
        }
    }

    /// What `_Generic` selects.
    pub fn selected(&mut self, choice: &'a GenericSelection) -> Lowered<&'a Node<Expression>> {
        let Some(ty) = self.type_of_expression(&choice.expression) else {
            return self.unsupported("`_Generic` of an expression whose type is not clear");
        };
        let ty = ty.decayed();
        let (mut found, mut default) = (Vec::new(), None);
        for association in &choice.associations {
            match &association.node {
                GenericAssociation::Default(value) => default = Some(&**value),
                GenericAssociation::Type(association) => {
                    let listed = self.type_name(&association.node.type_name.node);
                    if self.is_same_type(&ty, &listed) {
                        found.push(&*association.node.expression);
                    }
                }
            }
        }
        match (found.as_slice(), default) {
            (&[only], _) | ([], Some(only)) => Ok(only),
            _ => self.unsupported("`_Generic` between types of one size"),
        }
    }

    fn is_same_type(&mut self, a: &CType<'a>, b: &CType<'a>) -> bool {
        match (a, b) {
            (CType::Void, CType::Void) => true,
            (CType::Scalar(a), CType::Scalar(b)) => a == b,
            (CType::Record(a), CType::Record(b)) => a == b,
            (
                CType::Pointer {
                    target: a,
                    read_only: p,
                    ..
                },
                CType::Pointer {
                    target: b,
                    read_only: q,
                    ..
                },
            ) => p == q && self.is_same_type(a, b),
            (
                CType::Array {
                    element: a,
                    extent: x,
                },
                CType::Array {
                    element: b,
                    extent: y,
                },
            ) => {
                let fits = match (x, y) {
                    (ArrayExtent::Constant(x), ArrayExtent::Constant(y)) => x == y,
                    _ => true,
                };
                fits && self.is_same_type(a, b)
            }
            (CType::Function(_), CType::Function(_)) => true,
            _ => false,
        }
    }

    /// The type of an expression that is not evaluated.
    pub fn type_of_expression(&mut self, node: &'a Node<Expression>) -> Option<CType<'a>> {
        match &node.node {
            Expression::Identifier(name) => self.type_of_name(&name.node.name),
            Expression::Constant(constant) => {
                Some(CType::Scalar(type_of_constant(&constant.node)?))
            }
            Expression::StringLiteral(text) => {
                let bytes: usize = text
                    .node
                    .iter()
                    .map(|part| part.len().saturating_sub(2))
                    .sum();
                Some(CType::Array {
                    element: CType::Scalar(CHARACTER).into(),
                    extent: ArrayExtent::Constant(i64::try_from(bytes + 1).ok()?),
                })
            }
            Expression::UnaryOperator(unary) => self.type_of_unary(&unary.node),
            Expression::BinaryOperator(binary) => self.type_of_binary(&binary.node),
            Expression::Member(member) => {
                let outer = self.type_of_expression(&member.node.expression)?;
                let record = match &outer {
                    CType::Record(record) => *record,
                    _ => match outer.target()? {
                        CType::Record(record) => *record,
                        _ => return None,
                    },
                };
                self.find_member(record, &member.node.identifier.node.name, 0)
                    .map(|(_, ty)| ty)
            }
            Expression::Cast(cast) => Some(self.type_name(&cast.node.type_name.node)),
            Expression::CompoundLiteral(literal) => {
                Some(self.type_name(&literal.node.type_name.node))
            }
            Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => Some(CType::Scalar(SIZE)),
            Expression::Call(call) => self.type_of_call(&call.node),
            Expression::Conditional(choice) => {
                let a = self
                    .type_of_expression(&choice.node.then_expression)?
                    .decayed();
                let b = self
                    .type_of_expression(&choice.node.else_expression)?
                    .decayed();
                match (a.scalar(), b.scalar()) {
                    (Some(a), Some(b)) => Some(CType::Scalar(common_type(a, b))),
                    (None, None) => Some(a),
                    (Some(_), None) => Some(b),
                    (None, Some(_)) => Some(a),
                }
            }
            Expression::Comma(parts) => self.type_of_expression(parts.last()?),
            Expression::GenericSelection(choice) => {
                let chosen = self.selected(&choice.node).ok()?;
                self.type_of_expression(chosen)
            }
            Expression::VaArg(argument) => Some(self.type_name(&argument.node.type_name.node)),
            Expression::Statement(_) => {
                // Its type is that of a value which is made and thrown away.
                let (_, value) = self.in_block(|body| body.value(node));
                match value.ok()? {
                    Value::Scalar(e) => Some(CType::Scalar(self.type_of(e))),
                    Value::Record(place) => Some(place.ty),
                    _ => None,
                }
            }
        }
    }

    fn type_of_name(&mut self, name: &str) -> Option<CType<'a>> {
        match self.unit.lookup(name)? {
            Symbol::Local(var) => Some(self.known[var.index()].ty.clone()),
            Symbol::Alias(index) => Some(self.alias_types[*index].clone()),
            Symbol::Global(index) => Some(self.unit.globals[*index].ty.clone()),
            Symbol::Function(index) => {
                Some(CType::Function(self.unit.functions[*index].ty.clone()))
            }
            Symbol::EnumConstant(_) => Some(CType::INT),
            Symbol::Typedef(_) => None,
        }
    }

    fn type_of_unary(&mut self, unary: &'a UnaryOperatorExpression) -> Option<CType<'a>> {
        if unary.operator.node == UnaryOperator::Negate {
            return Some(CType::INT);
        }
        let inner = self.type_of_expression(&unary.operand)?;
        match unary.operator.node {
            UnaryOperator::Indirection => match inner.decayed() {
                CType::Pointer { target, .. } => Some((*target).clone()),
                _ => None,
            },
            UnaryOperator::Address => Some(inner.pointed()),
            UnaryOperator::Complement if self.part_taken(unary).is_some() => {
                match inner.scalar()? {
                    Type::Complex { bytes } => Some(CType::Scalar(Type::Real { bytes })),
                    other => Some(CType::Scalar(other)),
                }
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                Some(CType::Scalar(promoted(inner.scalar()?)))
            }
            _ => Some(inner),
        }
    }

    fn type_of_binary(&mut self, binary: &'a BinaryOperatorExpression) -> Option<CType<'a>> {
        let operator = &binary.operator.node;
        if super::facts::is_assignment(operator) {
            return self.type_of_expression(&binary.lhs);
        }
        if super::operator::comparison(operator).is_some()
            || matches!(
                operator,
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
            )
        {
            return Some(CType::INT);
        }
        let a = self.type_of_expression(&binary.lhs)?.decayed();
        let b = self.type_of_expression(&binary.rhs)?.decayed();
        match (operator, a.scalar(), b.scalar()) {
            (BinaryOperator::Index, _, Some(_)) => a.target().cloned(),
            (BinaryOperator::Index, Some(_), _) => b.target().cloned(),
            (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, Some(a), _) => {
                Some(CType::Scalar(promoted(a)))
            }
            (_, Some(a), Some(b)) => Some(CType::Scalar(common_type(a, b))),
            (_, None, Some(_)) => Some(a),
            (BinaryOperator::Minus, None, None) => Some(CType::Scalar(Type::LONG)),
            (_, Some(_), None) => Some(b),
            (_, None, None) => None,
        }
    }

    fn type_of_call(&mut self, call: &'a CallExpression) -> Option<CType<'a>> {
        match super::facts::identifier(&call.callee) {
            Some("__builtin_tgmath") => {
                let (name, bytes, _) = self.type_generic_function(&call.arguments).ok()?;
                return Some(CType::Scalar(super::library::result_type(name, bytes)?));
            }
            Some("__builtin_expect" | "__builtin_assume_aligned") => {
                return self.type_of_expression(call.arguments.first()?);
            }
            Some(name) if self.unit.lookup(name).is_none() => {
                let (_, bytes) = super::library::library(name)?;
                return Some(CType::Scalar(super::library::result_type(name, bytes)?));
            }
            _ => {}
        }
        let callee = self.type_of_expression(&call.callee)?;
        callee.function().map(|function| function.result.clone())
    }
}

const CHARACTER: Type = Type::Integer {
    bytes: 1,
    signed: true,
};

/// The expression whose type `typeof` asks for.
fn asked_of(ty: &TypeSpecifier) -> Option<&Node<Expression>> {
    match ty {
        TypeSpecifier::TypeOf(of) => match &of.node {
            TypeOf::Expression(expression) => Some(expression),
            TypeOf::Type(_) => None,
        },
        _ => None,
    }
}

fn type_of_constant(constant: &Constant) -> Option<Type> {
    match constant {
        Constant::Integer(integer) if integer.suffix.imaginary => Some(Type::Complex { bytes: 8 }),
        Constant::Integer(integer) => Some(integer_type(integer, constant_value(constant)?)),
        Constant::Character(_) => Some(Type::INT),
        Constant::Float(float) => {
            let bytes = match &float.suffix.format {
                FloatFormat::Float => 4,
                FloatFormat::Double => 8,
                FloatFormat::LongDouble => 16,
                FloatFormat::TS18661Format(format) => u8::try_from(format.width / 8).ok()?,
            };
            Some(match float.suffix.imaginary {
                true => Type::Complex { bytes },
                false => Type::Real { bytes },
            })
        }
    }
}
