//! Unary and binary operations and conversions.

use super::memory::Cell;
use super::{Error, Result};
use crate::expr::{BinaryOp, UnaryOp};
use crate::types::Type;

/// The value as one of type `ty`: reals rounded, unsigned integers wrapped, signed ones checked.
pub(super) fn fit(cell: Cell, ty: Type) -> Result<Cell> {
    match (cell, ty) {
        (Cell::Real(v), Type::Real { bytes: 4 }) => Ok(Cell::Real(f64::from(v as f32))),
        (Cell::Complex(re, im), Type::Complex { bytes: 4 }) => {
            Ok(Cell::Complex(f64::from(re as f32), f64::from(im as f32)))
        }
        (Cell::Int(v), Type::Integer { bytes, signed }) if bytes < 16 => {
            let bits = u32::from(bytes) * 8;
            if !signed {
                return Ok(Cell::Int(v.rem_euclid(1 << bits)));
            }
            let limit = 1i128 << (bits - 1);
            if (-limit..limit).contains(&v) {
                Ok(Cell::Int(v))
            } else {
                Err(Error::Wrong(format!(
                    "{v} overflows an integer of {bytes} bytes"
                )))
            }
        }
        (cell, _) => Ok(cell),
    }
}

/// Converts a value; a narrower integer keeps the low bits.
pub(super) fn convert(cell: Cell, ty: Type) -> Result<Cell> {
    let converted = match (cell, ty) {
        (Cell::Int(v), Type::Integer { bytes, signed }) => {
            let bits = u32::from(bytes) * 8;
            if bits >= 128 {
                return Ok(Cell::Int(v));
            }
            let low = v.rem_euclid(1 << bits);
            let wraps = signed && low >= 1 << (bits - 1);
            return Ok(Cell::Int(if wraps { low - (1 << bits) } else { low }));
        }
        (Cell::Int(v), Type::Real { .. }) => Cell::Real(v as f64),
        (Cell::Int(v), Type::Complex { .. }) => Cell::Complex(v as f64, 0.0),
        (Cell::Int(v), Type::Logical { .. }) => Cell::Logical(v != 0),
        (Cell::Real(v), Type::Integer { .. }) => Cell::Int(v.trunc() as i128),
        (Cell::Real(v), Type::Real { .. }) => Cell::Real(v),
        (Cell::Real(v), Type::Complex { .. }) => Cell::Complex(v, 0.0),
        (Cell::Real(v), Type::Logical { .. }) => Cell::Logical(v != 0.0),
        (Cell::Complex(re, _), Type::Real { .. }) => Cell::Real(re),
        (Cell::Complex(re, _), Type::Integer { .. }) => Cell::Int(re.trunc() as i128),
        (Cell::Complex(re, im), Type::Complex { .. }) => Cell::Complex(re, im),
        (Cell::Logical(v), Type::Logical { .. }) => Cell::Logical(v),
        (Cell::Logical(v), Type::Integer { .. }) => Cell::Int(i128::from(v)),
        (Cell::Logical(v), Type::Real { .. }) => Cell::Real(f64::from(u8::from(v))),
        (cell @ Cell::Pointer(_), Type::Pointer(_) | Type::Address) => cell,
        (cell @ Cell::Text(_), Type::Character) => cell,
        (cell, ty) => return Err(Error::Wrong(format!("{cell:?} is converted to {ty:?}"))),
    };
    fit(converted, ty)
}

pub(super) fn unary(op: UnaryOp, cell: Cell) -> Result<Cell> {
    match (op, cell) {
        (UnaryOp::Plus, cell) => Ok(cell),
        (UnaryOp::Negate, Cell::Int(v)) => Ok(Cell::Int(-v)),
        (UnaryOp::Negate, Cell::Real(v)) => Ok(Cell::Real(-v)),
        (UnaryOp::Negate, Cell::Complex(re, im)) => Ok(Cell::Complex(-re, -im)),
        (UnaryOp::Not, Cell::Logical(v)) => Ok(Cell::Logical(!v)),
        (UnaryOp::BitNot, Cell::Int(v)) => Ok(Cell::Int(!v)),
        (op, cell) => Err(Error::Wrong(format!("{op:?} of {cell:?}"))),
    }
}

pub(super) fn binary(op: BinaryOp, a: Cell, b: Cell) -> Result<Cell> {
    match (a, b) {
        (Cell::Int(a), Cell::Int(b)) => integers(op, a, b),
        (Cell::Real(a), Cell::Real(b)) => reals(op, a, b),
        (Cell::Real(a), Cell::Int(b)) if op == BinaryOp::Power => {
            let exponent = i32::try_from(b).map_err(|_| overflow(op))?;
            Ok(Cell::Real(a.powi(exponent)))
        }
        (Cell::Complex(a, b), Cell::Complex(c, d)) => complexes(op, (a, b), (c, d)),
        (Cell::Logical(a), Cell::Logical(b)) => logicals(op, a, b),
        (Cell::Text(a), Cell::Text(b)) => texts(op, a, &b),
        (Cell::Pointer(a), Cell::Pointer(b)) => match op {
            BinaryOp::Equal => Ok(Cell::Logical(a == b)),
            BinaryOp::NotEqual => Ok(Cell::Logical(a != b)),
            _ => Err(Error::Unsupported(format!("{op:?} of pointers"))),
        },
        (a, b) => Err(Error::Wrong(format!("{op:?} of {a:?} and {b:?}"))),
    }
}

fn overflow(op: BinaryOp) -> Error {
    Error::Wrong(format!("{op:?} overflows"))
}

fn compared<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> Option<Cell> {
    Some(Cell::Logical(match op {
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        _ => return None,
    }))
}

fn integers(op: BinaryOp, a: i128, b: i128) -> Result<Cell> {
    if let Some(cell) = compared(op, a, b) {
        return Ok(cell);
    }
    if b == 0 && matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
        return Err(Error::Wrong("an integer is divided by zero".into()));
    }
    let shift = || u32::try_from(b).ok().filter(|&bits| bits < 128);
    let value = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Remainder => a.checked_rem(b),
        BinaryOp::Power => integer_power(a, b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::ShiftLeft => shift().and_then(|bits| a.checked_mul(1i128.checked_shl(bits)?)),
        BinaryOp::ShiftRight => shift().map(|bits| a >> bits),
        _ => return Err(Error::Wrong(format!("{op:?} of integers"))),
    };
    value.map(Cell::Int).ok_or_else(|| overflow(op))
}

fn integer_power(a: i128, b: i128) -> Option<i128> {
    match (a, u32::try_from(b)) {
        (a, Ok(exponent)) => a.checked_pow(exponent),
        (1, _) => Some(1),
        (-1, _) => Some(if b % 2 == 0 { 1 } else { -1 }),
        (0, _) => None,
        _ => Some(0),
    }
}

fn reals(op: BinaryOp, a: f64, b: f64) -> Result<Cell> {
    if let Some(cell) = compared(op, a, b) {
        return Ok(cell);
    }
    Ok(Cell::Real(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a % b,
        BinaryOp::Power => a.powf(b),
        _ => return Err(Error::Wrong(format!("{op:?} of reals"))),
    }))
}

fn complexes(op: BinaryOp, (a, b): (f64, f64), (c, d): (f64, f64)) -> Result<Cell> {
    let (re, im) = match op {
        BinaryOp::Equal => return Ok(Cell::Logical(a == c && b == d)),
        BinaryOp::NotEqual => return Ok(Cell::Logical(a != c || b != d)),
        BinaryOp::Add => (a + c, b + d),
        BinaryOp::Subtract => (a - c, b - d),
        BinaryOp::Multiply => (a * c - b * d, a * d + b * c),
        BinaryOp::Divide => {
            let norm = c * c + d * d;
            ((a * c + b * d) / norm, (b * c - a * d) / norm)
        }
        _ => return Err(Error::Unsupported(format!("{op:?} of complex numbers"))),
    };
    Ok(Cell::Complex(re, im))
}

fn logicals(op: BinaryOp, a: bool, b: bool) -> Result<Cell> {
    Ok(Cell::Logical(match op {
        BinaryOp::And | BinaryOp::AndThen => a && b,
        BinaryOp::Or | BinaryOp::OrElse => a || b,
        BinaryOp::Equivalent | BinaryOp::Equal => a == b,
        BinaryOp::NotEquivalent | BinaryOp::NotEqual => a != b,
        _ => return Err(Error::Wrong(format!("{op:?} of truth values"))),
    }))
}

fn texts(op: BinaryOp, a: String, b: &str) -> Result<Cell> {
    if op == BinaryOp::Concatenate {
        return Ok(Cell::Text(a + b));
    }
    compared(op, a.trim_end(), b.trim_end())
        .ok_or_else(|| Error::Wrong(format!("{op:?} of strings")))
}
