//! Constant expressions: array lengths, `enum` members, `case` labels, `sizeof`.

use super::{ArrayExtent, CType, Symbol, Unit};
use crate::cst::{
    BinaryOperator, Constant, Expression, Integer, IntegerBase, IntegerSize, Node, UnaryOperator,
};
use contraflow_ir::Type;

impl<'a> Unit<'a> {
    /// The value of an integer constant expression.
    pub fn constant(&mut self, expression: &'a Node<Expression>) -> Option<i128> {
        match &expression.node {
            Expression::Constant(constant) => constant_value(&constant.node),
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                Some(Symbol::EnumConstant(value)) => Some(*value),
                _ => None,
            },
            Expression::UnaryOperator(unary) => {
                let value = self.constant(&unary.node.operand)?;
                match unary.node.operator.node {
                    UnaryOperator::Plus => Some(value),
                    UnaryOperator::Minus => value.checked_neg(),
                    UnaryOperator::Complement => Some(!value),
                    UnaryOperator::Negate => Some(i128::from(value == 0)),
                    _ => None,
                }
            }
            Expression::BinaryOperator(binary) => {
                let left = self.constant(&binary.node.lhs)?;
                let right = self.constant(&binary.node.rhs)?;
                folded(&binary.node.operator.node, left, right)
            }
            Expression::Conditional(choice) => match self.constant(&choice.node.condition)? {
                0 => self.constant(&choice.node.else_expression),
                _ => self.constant(&choice.node.then_expression),
            },
            Expression::Cast(cast) => {
                let value = self.constant(&cast.node.expression)?;
                match self.type_name(&cast.node.type_name.node) {
                    CType::Scalar(Type::Integer { bytes, signed }) => {
                        Some(wrapped(value, bytes, signed))
                    }
                    _ => None,
                }
            }
            Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0.node);
                self.size_of(&ty).map(i128::from)
            }
            _ => None,
        }
    }

    /// The size of a type in bytes, where the source fixes it.
    pub fn size_of(&self, ty: &CType<'a>) -> Option<u64> {
        self.layout(ty, 0).map(|(size, _)| size)
    }

    /// The alignment of a type in bytes.
    pub fn alignment_of(&self, ty: &CType<'a>) -> Option<u64> {
        self.layout(ty, 0).map(|(_, align)| align)
    }

    /// The offset in bytes and the type of a member of a struct or union.
    pub fn field_at(&self, ty: &CType<'a>, name: &str) -> Option<(u64, CType<'a>)> {
        let CType::Record(index) = ty else {
            return None;
        };
        let record = self
            .records
            .get(*index)
            .filter(|record| record.is_complete && !record.is_packed)?;
        let mut end = 0u64;
        for field in &record.fields {
            let (size, align) = self.layout(&field.ty, 1)?;
            let start = match record.is_union {
                true => 0,
                false => end.next_multiple_of(align),
            };
            if field.name == name {
                return Some((start, field.ty.clone()));
            }
            if let (true, Some((inner, ty))) =
                (field.name.is_empty(), self.field_at(&field.ty, name))
            {
                return Some((start + inner, ty));
            }
            end = start.checked_add(size)?;
        }
        None
    }

    /// Size and alignment, as the common 64-bit systems have them.
    fn layout(&self, ty: &CType<'a>, depth: u32) -> Option<(u64, u64)> {
        if depth > 50 {
            return None;
        }
        match ty {
            CType::Scalar(
                Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes },
            ) => Some((u64::from(*bytes), u64::from(*bytes).max(1))),
            CType::Scalar(Type::Complex { bytes }) => {
                Some((2 * u64::from(*bytes), u64::from(*bytes)))
            }
            CType::Pointer { .. } => Some((8, 8)),
            CType::Array { element, extent } => {
                let (size, align) = self.layout(element, depth + 1)?;
                match extent {
                    ArrayExtent::Constant(count) => {
                        Some((size.checked_mul(u64::try_from(*count).ok()?)?, align))
                    }
                    _ => None,
                }
            }
            CType::Record(index) => {
                let record = self
                    .records
                    .get(*index)
                    .filter(|record| record.is_complete && !record.is_packed)?;
                let (mut end, mut widest) = (0u64, 1u64);
                let last = record.fields.len().saturating_sub(1);
                for (position, field) in record.fields.iter().enumerate() {
                    let (size, align) = match &field.ty {
                        // A flexible array takes no room.
                        CType::Array {
                            element,
                            extent: ArrayExtent::Unknown,
                        } if position == last => (0, self.layout(element, depth + 1)?.1),
                        ty => self.layout(ty, depth + 1)?,
                    };
                    widest = widest.max(align);
                    end = match record.is_union {
                        true => end.max(size),
                        false => end.next_multiple_of(align).checked_add(size)?,
                    };
                }
                Some((end.next_multiple_of(widest), widest))
            }
            _ => None,
        }
    }
}

fn wrapped(value: i128, bytes: u8, signed: bool) -> i128 {
    let bits = u32::from(bytes) * 8;
    if bits >= 128 {
        return value;
    }
    let low = value & ((1i128 << bits) - 1);
    if signed && low >> (bits - 1) & 1 == 1 {
        low - (1i128 << bits)
    } else {
        low
    }
}

fn folded(operator: &BinaryOperator, left: i128, right: i128) -> Option<i128> {
    let shift = u32::try_from(right).ok().filter(|&by| by < 100);
    match operator {
        BinaryOperator::Plus => left.checked_add(right),
        BinaryOperator::Minus => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        BinaryOperator::Divide => left.checked_div(right),
        BinaryOperator::Modulo => left.checked_rem(right),
        BinaryOperator::ShiftLeft => left.checked_shl(shift?),
        BinaryOperator::ShiftRight => left.checked_shr(shift?),
        BinaryOperator::Less => Some(i128::from(left < right)),
        BinaryOperator::Greater => Some(i128::from(left > right)),
        BinaryOperator::LessOrEqual => Some(i128::from(left <= right)),
        BinaryOperator::GreaterOrEqual => Some(i128::from(left >= right)),
        BinaryOperator::Equals => Some(i128::from(left == right)),
        BinaryOperator::NotEquals => Some(i128::from(left != right)),
        BinaryOperator::BitwiseAnd => Some(left & right),
        BinaryOperator::BitwiseXor => Some(left ^ right),
        BinaryOperator::BitwiseOr => Some(left | right),
        BinaryOperator::LogicalAnd => Some(i128::from(left != 0 && right != 0)),
        BinaryOperator::LogicalOr => Some(i128::from(left != 0 || right != 0)),
        _ => None,
    }
}

/// The value of an integer or character literal.
pub(crate) fn constant_value(constant: &Constant) -> Option<i128> {
    match constant {
        Constant::Integer(integer) if !integer.suffix.imaginary => integer_value(integer),
        Constant::Character(text) => character_value(text),
        _ => None,
    }
}

fn integer_value(integer: &Integer) -> Option<i128> {
    let radix = match integer.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    if integer.number.is_empty() {
        return Some(0);
    }
    i128::from_str_radix(&integer.number, radix).ok()
}

/// The type of an integer literal: the first in C's list that holds the value.
pub(crate) fn integer_type(integer: &Integer, value: i128) -> Type {
    let decimal = integer.base == IntegerBase::Decimal;
    let long = integer.suffix.size != IntegerSize::Int;
    let candidates = [(4u8, true), (4, false), (8, true), (8, false)];
    for (bytes, signed) in candidates {
        let suits = (bytes == 8 || !long)
            && (!signed || !integer.suffix.unsigned)
            && (signed || integer.suffix.unsigned || !decimal);
        if suits && wrapped(value, bytes, signed) == value {
            return Type::Integer { bytes, signed };
        }
    }
    Type::Integer {
        bytes: 8,
        signed: false,
    }
}

/// The value of `'a'`, `'\n'`, `'\x1b'`, `L'a'`.
fn character_value(text: &str) -> Option<i128> {
    let inner = text.trim_start_matches(['L', 'u', 'U']);
    let inner = inner.strip_prefix('\'').unwrap_or(inner);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let mut bytes = inner.chars();
    match bytes.next()? {
        '\\' => match bytes.next()? {
            'n' => Some(10),
            't' => Some(9),
            'r' => Some(13),
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'v' => Some(11),
            'x' => i128::from_str_radix(bytes.as_str(), 16).ok(),
            digit if digit.is_digit(8) => i128::from_str_radix(&inner[1..], 8).ok(),
            other => Some(other as i128),
        },
        only => Some(only as i128),
    }
}
