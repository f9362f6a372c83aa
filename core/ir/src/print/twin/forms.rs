//! Expressions of twins: linear forms, and text for what is not linear.

use super::{Twin, plain_type};
use crate::affine::{Linear, Symbol};
use crate::expr::{Access, BinaryOp, Expr, ExprId, Selector, UnaryOp};
use crate::print::words::{binary_word, quoted, type_text};
use crate::types::{Storage, Type, VarId};

impl Twin<'_> {
    pub(super) fn atom(&mut self, text: String) -> Linear {
        let index = match self.atoms.iter().position(|atom| *atom == text) {
            Some(index) => index,
            None => {
                self.atoms.push(text);
                self.atoms.len() - 1
            }
        };
        Linear::symbol(Symbol::Opaque(index as u32))
    }

    /// The linear form of an integer expression; what is not linear is an unknown of its own.
    pub(super) fn form(&mut self, e: ExprId) -> Linear {
        match self.linear(e) {
            Some(form) => form,
            None => {
                let text = self.bare(e);
                self.atom(text)
            }
        }
    }

    fn linear(&mut self, e: ExprId) -> Option<Linear> {
        match *self.procedure.expr(e) {
            Expr::Integer(value) => i64::try_from(value).ok().map(Linear::constant),
            Expr::Load(ref access) if access.path.is_empty() => {
                if let Some(form) = self.loops.get(&access.var) {
                    return Some(form.clone());
                }
                match self.procedure.variables[access.var].storage {
                    Storage::Constant {
                        value: Some(value), ..
                    } => Some(self.form(value)),
                    _ => None,
                }
            }
            Expr::Unary(UnaryOp::Plus, inner) => Some(self.form(inner)),
            Expr::Unary(UnaryOp::Negate, inner) => self.form(inner).scale(-1),
            Expr::Binary(BinaryOp::Add, a, b) => self.form(a).add(&self.form(b)),
            Expr::Binary(BinaryOp::Subtract, a, b) => self.form(a).sub(&self.form(b)),
            Expr::Binary(BinaryOp::Multiply, a, b) => {
                let (a, b) = (self.form(a), self.form(b));
                match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.scale(factor),
                    (_, Some(factor)) => a.scale(factor),
                    _ => None,
                }
            }
            Expr::Convert(inner) if self.procedure.exprs[inner].ty.is_integer() => {
                Some(self.form(inner))
            }
            _ => None,
        }
    }

    pub(super) fn linear_text(&self, form: &Linear) -> String {
        let mut terms: Vec<(&str, i64)> = form
            .terms
            .iter()
            .map(|(symbol, &coefficient)| match symbol {
                Symbol::Opaque(index) => (self.atoms[*index as usize].as_str(), coefficient),
                Symbol::Variable(..) => unreachable!("twins name all unknowns by text"),
            })
            .collect();
        terms.sort();
        let mut text = String::new();
        for (atom, coefficient) in terms {
            let sign = if coefficient < 0 { "-" } else { "+" };
            let factor = match coefficient.unsigned_abs() {
                1 => String::new(),
                factor => format!("{factor}*"),
            };
            text += &format!(" {sign} {factor}{atom}");
        }
        if form.constant != 0 || text.is_empty() {
            let sign = if form.constant < 0 { "-" } else { "+" };
            text += &format!(" {sign} {}", form.constant.unsigned_abs());
        }
        text.strip_prefix(" + ")
            .map_or(text.trim_start().to_owned(), str::to_owned)
    }

    pub(super) fn value(&mut self, e: ExprId) -> String {
        if self.procedure.exprs[e].ty.is_integer() {
            let form = self.form(e);
            return self.linear_text(&form);
        }
        self.bare(e)
    }

    fn bare(&mut self, e: ExprId) -> String {
        let node = &self.procedure.exprs[e];
        match &node.expr {
            Expr::Integer(value) => value.to_string(),
            Expr::Real(text) => match text.parse::<f64>() {
                Ok(value) => format!("{value:?}:{}", type_text(node.ty)),
                Err(_) => text.clone(),
            },
            Expr::Logical(value) => value.to_string(),
            Expr::Text(text) => quoted(text),
            Expr::Load(access) | Expr::Required { access, .. } => self.place(access),
            Expr::Unary(UnaryOp::Plus, operand) => self.value(*operand),
            Expr::Unary(op, operand) => format!("{op:?}({})", self.value(*operand)),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b),
            Expr::Intrinsic(f, arguments) => format!("{}({})", f.name(), self.values(arguments)),
            Expr::Convert(inner) => self.converted(*inner, node.ty),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => format!("select({})", self.values(&[*condition, *then, *otherwise])),
            Expr::Bound { array, kind, dim } => format!("{kind:?}({}, {dim})", self.place(array)),
            Expr::Present(access) => format!("present({})", self.place(access)),
            Expr::Associated { pointer, target } => {
                format!(
                    "associated({}, {})",
                    self.place(pointer),
                    self.place(target)
                )
            }
            Expr::Range { lower, upper, step } => {
                let mut end = |e: &Option<ExprId>| e.map(|e| self.value(e)).unwrap_or_default();
                format!("{}..{}..{}", end(lower), end(upper), end(step))
            }
            Expr::Opaque { text, .. } => quoted(text),
        }
    }

    /// A converted whole number is a literal.
    fn converted(&mut self, inner: ExprId, ty: Type) -> String {
        let value = self.value(inner);
        match (value.parse::<i64>(), ty) {
            (Ok(number), Type::Real { .. }) => format!("{:?}:{}", number as f64, type_text(ty)),
            _ => format!("{}({value})", plain_type(ty)),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> String {
        if op.is_comparison() && self.procedure.exprs[a].ty.is_integer() {
            return self.comparison(op, a, b);
        }
        let word = match op {
            BinaryOp::AndThen => "and",
            BinaryOp::OrElse => "or",
            op => binary_word(op).0,
        };
        format!("({} {word} {})", self.value(a), self.value(b))
    }

    fn comparison(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> String {
        let (left, right) = (self.form(a), self.form(b));
        let (difference, word) = match op {
            BinaryOp::Less => (right.sub(&left).and_then(|d| d.offset(-1)), ">="),
            BinaryOp::LessEqual => (right.sub(&left), ">="),
            BinaryOp::Greater => (left.sub(&right).and_then(|d| d.offset(-1)), ">="),
            BinaryOp::GreaterEqual => (left.sub(&right), ">="),
            BinaryOp::Equal => (left.sub(&right), "=="),
            _ => (left.sub(&right), "!="),
        };
        match difference {
            Some(difference) => {
                let text = self.linear_text(&difference);
                let opposite = difference.scale(-1).map(|d| self.linear_text(&d));
                let text = match opposite {
                    Some(opposite) if word != ">=" => text.min(opposite),
                    _ => text,
                };
                format!("({text} {word} 0)")
            }
            None => format!(
                "({} {op:?} {})",
                self.linear_text(&left),
                self.linear_text(&right)
            ),
        }
    }

    pub(super) fn values(&mut self, items: &[ExprId]) -> String {
        let items: Vec<String> = items.iter().map(|&e| self.value(e)).collect();
        items.join(", ")
    }

    /// A place, subscripts counted from zero.
    pub(super) fn place(&mut self, access: &Access) -> String {
        let mut text = self.name(access.var);
        for (n, selector) in access.path.iter().enumerate() {
            match selector {
                Selector::Index(subscripts) => {
                    let subscripts: Vec<String> = subscripts
                        .iter()
                        .enumerate()
                        .map(|(dim, &e)| self.subscript(access.var, e, (n == 0).then_some(dim)))
                        .collect();
                    text += &format!("[{}]", subscripts.join(", "));
                }
                Selector::Field(field) => text += &format!(".{field}"),
                Selector::Deref => text += ".*",
            }
        }
        text
    }

    /// A subscript less the lower bound of the variable's dimension.
    fn subscript(&mut self, var: VarId, e: ExprId, dim: Option<usize>) -> String {
        let lower = dim
            .and_then(|dim| self.procedure.variables[var].shape.get(dim))
            .map(|dim| dim.lower);
        let lower = lower.map_or_else(Linear::default, |lower| self.form(lower));
        let shifted = |twin: &mut Self, e: ExprId| {
            let form = twin.form(e);
            let form = form.sub(&lower).unwrap_or(form);
            twin.linear_text(&form)
        };
        if let Expr::Range {
            lower: first,
            upper,
            step,
        } = *self.procedure.expr(e)
        {
            let mut ends = [first, upper].map(|end| end.map(|end| shifted(self, end)));
            let step = step.map_or("1".into(), |step| self.value(step));
            let [first, last] = &mut ends;
            let (first, last) = (
                first.take().unwrap_or_default(),
                last.take().unwrap_or_default(),
            );
            return format!("{first}..{last}..{step}");
        }
        shifted(self, e)
    }
}
