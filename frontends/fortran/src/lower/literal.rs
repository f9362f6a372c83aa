//! Literals: digits stay as they are, kinds become types.

use super::{Fallible, Lowerer, Syn, refuse};
use contraflow_ir::{Expr, ExprId, Type};

impl Lowerer<'_> {
    pub(super) fn integer_literal(&mut self, e: Syn) -> Fallible<ExprId> {
        let text = e.tree.text(e.node);
        let digits = text.split('_').next().unwrap_or("");
        let Ok(value) = digits.parse::<i128>() else {
            return refuse("an integer is too large");
        };
        let bytes = if text.contains('_') {
            match self.program.literal_kind(self.scope, e.tree, e.node, 0) {
                Some(bytes) => bytes,
                None => return refuse("the kind of a literal is not known"),
            }
        } else {
            4
        };
        let ty = Type::Integer {
            bytes,
            signed: true,
        };
        Ok(self.add(Expr::Integer(value), ty))
    }

    pub(super) fn real_literal(&mut self, e: Syn) -> Fallible<ExprId> {
        let text = e.tree.text(e.node);
        let has_kind = text.contains('_');
        if has_kind
            && self
                .program
                .literal_kind(self.scope, e.tree, e.node, 0)
                .is_none()
        {
            return refuse("the kind of a literal is not known");
        }
        let ty = match self.program.real_literal_type(self.scope, e.tree, e.node) {
            Type::Real { bytes: 10 } => Type::Real { bytes: 16 },
            ty => ty,
        };
        let value = text
            .split('_')
            .next()
            .unwrap_or("")
            .replace(['d', 'q'], "e");
        Ok(self.add(Expr::Real(without_zero_exponent(value)), ty))
    }

    /// `z'ff'` as a number of a type.
    pub(super) fn bit_pattern(&mut self, e: Syn, ty: Type) -> Fallible<ExprId> {
        match bits(e.tree.text(e.node)) {
            Some(bits) => self.of_bits(bits, ty),
            None => refuse("a bit pattern"),
        }
    }

    /// Hollerith as a number: its characters in the order of memory, then blanks.
    pub(super) fn text_as_bits(&mut self, e: Syn, ty: Type) -> Fallible<ExprId> {
        let text = self.text_literal(e)?;
        let (Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes }) = ty
        else {
            return refuse("characters as the value of what holds none");
        };
        let Expr::Text(text) = self.procedure.expr(text).clone() else {
            return refuse("characters that are no literal");
        };
        if text.len() > usize::from(bytes) || !text.is_ascii() {
            return refuse("more characters than the variable holds");
        }
        let padded = text.bytes().chain(std::iter::repeat(b' '));
        let places = padded.take(usize::from(bytes)).enumerate();
        let bits = places.fold(0u128, |bits, (place, byte)| {
            bits | u128::from(byte) << (8 * place)
        });
        self.of_bits(bits, ty)
    }

    /// The number of a type whose bits are the lowest of `bits`.
    fn of_bits(&mut self, bits: u128, ty: Type) -> Fallible<ExprId> {
        match ty {
            Type::Integer { bytes, .. } if bytes < 16 => {
                let width = 8 * u32::from(bytes);
                let low = (bits & ((1 << width) - 1)) as i128;
                let is_negative = low >> (width - 1) == 1;
                let value = if is_negative { low - (1 << width) } else { low };
                Ok(self.build().int_of(value, ty))
            }
            Type::Real { bytes: 4 } => self.exact(f64::from(f32::from_bits(bits as u32)), ty),
            Type::Real { bytes: 8 } => self.exact(f64::from_bits(bits as u64), ty),
            _ => refuse("a bit pattern"),
        }
    }

    fn exact(&mut self, value: f64, ty: Type) -> Fallible<ExprId> {
        if !value.is_finite() || value.is_sign_negative() {
            return refuse("a bit pattern that is no literal");
        }
        let text = without_zero_exponent(format!("{value:e}"));
        Ok(self.add(Expr::Real(text), ty))
    }

    pub(super) fn text_literal(&mut self, e: Syn) -> Fallible<ExprId> {
        let text = e.tree.original(e.node);
        let start = text.find(['\'', '"']).unwrap_or(0);
        let quote = text.get(start..=start).unwrap_or("'");
        let inside = text
            .get(start + 1..text.len().saturating_sub(1))
            .unwrap_or("");
        let value = inside.replace(&quote.repeat(2), quote);
        Ok(self.add(Expr::Text(value), Type::Character))
    }
}

/// The bits of `z'ff'`, `x'ff'`, `'ff'x`, `o'17'` or `b'01'`.
fn bits(text: &str) -> Option<u128> {
    let open = text.find(['\'', '"'])?;
    let close = text.rfind(['\'', '"'])?;
    let radix = match (&text[..open], &text[close + 1..]) {
        ("z" | "x", "") | ("", "z" | "x") => 16,
        ("o", "") | ("", "o") => 8,
        ("b", "") | ("", "b") => 2,
        _ => return None,
    };
    u128::from_str_radix(text.get(open + 1..close)?, radix).ok()
}

/// `1.5e0`, which the letter `d` makes common, is `1.5`; `1e0` is `1.`.
fn without_zero_exponent(value: String) -> String {
    let Some((digits, exponent)) = value.split_once('e') else {
        return value;
    };
    let is_zero = exponent
        .trim_start_matches(['+', '-'])
        .bytes()
        .all(|b| b == b'0');
    match (is_zero, digits.contains('.')) {
        (false, _) => value,
        (true, true) => digits.to_owned(),
        (true, false) => format!("{digits}."),
    }
}
