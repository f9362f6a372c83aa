//! Literals.

use super::{Body, Lowered, Value};
use crate::cst::{Constant, Float, FloatBase, FloatFormat, Integer, TS18661FloatFormat};
use crate::declare::{constant_value, integer_type};
use contraflow_ir::{Expr, ExprId, Intrinsic, Type};

impl<'u, 'a> Body<'u, 'a> {
    pub fn literal(&mut self, constant: &Constant) -> Lowered<Value<'a>> {
        let value = match constant {
            Constant::Integer(integer) => self.integer(integer),
            Constant::Float(float) => self.float(float),
            Constant::Character(_) => match constant_value(constant) {
                Some(value) => Ok(self.int(value)),
                None => self.unsupported("a character literal"),
            },
        };
        value.map(Value::Scalar)
    }

    fn integer(&mut self, integer: &Integer) -> Lowered<ExprId> {
        let plain = Constant::Integer(Integer {
            suffix: crate::cst::IntegerSuffix {
                imaginary: false,
                ..integer.suffix.clone()
            },
            ..integer.clone()
        });
        let Some(value) = constant_value(&plain) else {
            return self.unsupported("an integer that is too large");
        };
        if integer.suffix.imaginary {
            let text = format!("{value}.0");
            return Ok(self.imaginary(text, 8));
        }
        let ty = integer_type(integer, value);
        Ok(self.expr(Expr::Integer(value), ty))
    }

    fn float(&mut self, float: &Float) -> Lowered<ExprId> {
        let bytes = match &float.suffix.format {
            FloatFormat::Float => 4,
            FloatFormat::Double => 8,
            FloatFormat::LongDouble => 16,
            FloatFormat::TS18661Format(format) => match (&format.format, format.width) {
                (TS18661FloatFormat::BinaryInterchange, 32) => 4,
                (TS18661FloatFormat::BinaryInterchange, 64) => 8,
                (TS18661FloatFormat::BinaryInterchange, 128) => 16,
                _ => return self.unsupported("a literal of a special format"),
            },
        };
        let text = match float.base {
            FloatBase::Decimal => decimal(&float.number),
            FloatBase::Hexadecimal => match hexadecimal(&float.number) {
                Some(text) => text,
                None => return self.unsupported("a hexadecimal number"),
            },
        };
        if float.suffix.imaginary {
            return Ok(self.imaginary(text, bytes));
        }
        Ok(self.expr(Expr::Real(text), Type::Real { bytes }))
    }

    fn imaginary(&mut self, text: String, bytes: u8) -> ExprId {
        let part = Type::Real { bytes };
        let real = self.expr(Expr::Real("0.0".to_owned()), part);
        let imaginary = self.expr(Expr::Real(text), part);
        let parts = vec![real, imaginary];
        self.expr(
            Expr::Intrinsic(Intrinsic::Complex, parts),
            Type::Complex { bytes },
        )
    }
}

/// Decimal text as the IR has it.
fn decimal(number: &str) -> String {
    let mut text = number.to_ascii_lowercase();
    if !text.contains(['.', 'e']) {
        text.push_str(".0");
    }
    text
}

/// A hexadecimal number in decimal, if a double holds it exactly.
fn hexadecimal(number: &str) -> Option<String> {
    let number = number.to_ascii_lowercase();
    let digits = number.strip_prefix("0x").unwrap_or(&number);
    let (mantissa, exponent) = digits.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    if significant.len() > 13 {
        return None;
    }
    let value = match significant {
        "" => 0,
        digits => u64::from_str_radix(digits, 16).ok()?,
    };
    let scale = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    if !(-900..=900).contains(&scale) {
        return None;
    }
    Some(format!("{:e}", value as f64 * f64::from(scale).exp2())).map(|text| {
        if text.contains('.') {
            text
        } else {
            decimal(&text)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_numbers_are_exact() {
        assert_eq!(hexadecimal("1.8p+1").as_deref(), Some("3e0"));
        assert_eq!(hexadecimal("0x1p-1").as_deref(), Some("5e-1"));
        assert_eq!(
            hexadecimal("0.000000000000001p0"),
            Some(format!("{:e}", 16f64.powi(-15)))
        );
    }

    #[test]
    fn whole_numbers_get_a_point() {
        assert_eq!(decimal("1E5"), "1e5");
        assert_eq!(decimal("2"), "2.0");
        assert_eq!(decimal("2."), "2.");
    }
}
