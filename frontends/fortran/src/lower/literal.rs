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
