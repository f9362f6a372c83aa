//! Expressions and accesses.

use super::Printer;
use super::words::{PRIMARY, UNARY, binary_word, name, quoted, simple_type, type_text, usual_type};
use crate::expr::{Access, BinaryOp, BoundKind, Expr, ExprId, Selector, UnaryOp};
use crate::place::place_of;
use crate::stmt::StmtId;
use crate::types::Type;

impl Printer<'_> {
    pub(super) fn expr(&self, e: ExprId) -> String {
        self.expr_within(e, 0)
    }

    /// The expression, in parentheses if it binds less tightly than `least`.
    fn expr_within(&self, e: ExprId, least: u8) -> String {
        let Some(node) = self.procedure.exprs.get(e) else {
            return format!("<missing {e:?}>");
        };
        let (text, precedence) = self.bare(&node.expr, node.ty);
        let written = match node.expr {
            Expr::Convert(_) => !is_simple(node.ty),
            _ => node.ty != usual_type(self.module, self.procedure, &node.expr),
        };
        if written {
            let ty = type_text(node.ty);
            if precedence == PRIMARY {
                format!("{text}:{ty}")
            } else {
                format!("({text}):{ty}")
            }
        } else if precedence < least {
            format!("({text})")
        } else {
            text
        }
    }

    fn bare(&self, expr: &Expr, ty: Type) -> (String, u8) {
        let text = match expr {
            Expr::Integer(value) => value.to_string(),
            Expr::Real(text) => text.clone(),
            Expr::Logical(value) => value.to_string(),
            Expr::Text(text) => quoted(text),
            Expr::Load(access) => self.access(access),
            Expr::Unary(op, operand) => return (self.unary(*op, *operand), UNARY),
            Expr::Binary(op, a, b) => return self.binary(*op, *a, *b),
            Expr::Intrinsic(intrinsic, arguments) => {
                format!("{}({})", intrinsic.name(), self.list(arguments))
            }
            Expr::Convert(operand) if is_simple(ty) => {
                format!("{}({})", type_text(ty), self.expr(*operand))
            }
            Expr::Convert(operand) => format!("convert({})", self.expr(*operand)),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => format!("select({})", self.list(&[*condition, *then, *otherwise])),
            Expr::Bound { array, kind, dim } => {
                let kind = match kind {
                    BoundKind::Lower => "lower",
                    BoundKind::Upper => "upper",
                    BoundKind::Extent => "extent",
                    BoundKind::Length => "length",
                };
                format!("{kind}({}, {dim})", self.access(array))
            }
            Expr::Present(access) => format!("present({})", self.access(access)),
            Expr::Associated { pointer, target } => {
                format!(
                    "associated({}, {})",
                    self.access(pointer),
                    self.access(target)
                )
            }
            Expr::Range { lower, upper, step } => {
                let end = |e: &Option<ExprId>| e.map(|e| self.expr(e)).unwrap_or_default();
                let step = step
                    .map(|step| format!(" by {}", self.expr(step)))
                    .unwrap_or_default();
                format!("{}..{}{step}", end(lower), end(upper))
            }
            Expr::Opaque { text, reads } => {
                format!("opaque({}{})", quoted(text), self.more(reads))
            }
            Expr::Required { access, at, after } => {
                let when = if *after { "after" } else { "before" };
                format!(
                    "required({} {when} {})",
                    self.access(access),
                    self.place(*at)
                )
            }
        };
        (text, PRIMARY)
    }

    fn unary(&self, op: UnaryOp, operand: ExprId) -> String {
        let word = match op {
            UnaryOp::Negate => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => "not ",
            UnaryOp::BitNot => "~",
        };
        // `-5` is a literal; the negation of a literal keeps its parentheses.
        let literal = matches!(
            self.procedure.exprs.get(operand).map(|node| &node.expr),
            Some(Expr::Integer(_) | Expr::Real(_))
        );
        let operand = self.expr_within(operand, UNARY);
        if literal {
            format!("{word}({operand})")
        } else {
            format!("{word}{operand}")
        }
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId) -> (String, u8) {
        let (word, precedence) = binary_word(op);
        let (left, right) = (
            self.expr_within(a, precedence),
            self.expr_within(b, precedence + 1),
        );
        (format!("{left} {word} {right}"), precedence)
    }

    fn list(&self, items: &[ExprId]) -> String {
        let items: Vec<String> = items.iter().map(|&e| self.expr(e)).collect();
        items.join(", ")
    }

    /// `, a, b`
    pub(super) fn more(&self, accesses: &[Access]) -> String {
        accesses
            .iter()
            .map(|access| format!(", {}", self.access(access)))
            .collect()
    }

    /// The position of a statement in the text.
    fn place(&self, at: StmtId) -> String {
        match self.order.iter().position(|&id| id == at) {
            Some(position) => position.to_string(),
            None => format!("{at:?}"),
        }
    }

    pub(super) fn access(&self, access: &Access) -> String {
        let mut text = self.var(access.var);
        for (n, selector) in access.path.iter().enumerate() {
            match selector {
                Selector::Index(subscripts) => text += &format!("[{}]", self.list(subscripts)),
                Selector::Field(field) => {
                    let record = Access {
                        var: access.var,
                        path: access.path[..n].to_vec(),
                    };
                    text += &format!(".{}", self.field(&record, *field));
                }
                Selector::Deref => text += ".*",
            }
        }
        text
    }

    fn field(&self, record: &Access, field: u32) -> String {
        let named = place_of(self.module, self.procedure, record)
            .ok()
            .and_then(|place| match place.ty {
                Type::Record(record) => self.module.records.get(record),
                _ => None,
            })
            .and_then(|record| record.fields.get(field as usize));
        match named {
            Some(named) => name(&named.name),
            None => format!("#{field}"),
        }
    }
}

fn is_simple(ty: Type) -> bool {
    simple_type(&type_text(ty)).is_some()
}
