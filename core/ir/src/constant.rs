//! Integer constants.

use crate::expr::{BinaryOp, Expr, ExprId, Intrinsic, UnaryOp};
use crate::module::Procedure;
use crate::types::Storage;

impl Procedure {
    /// The value of an integer expression made of literals and named constants.
    pub fn constant_integer(&self, e: ExprId) -> Option<i64> {
        let value = |e| self.constant_integer(e);
        match self.expr(e) {
            Expr::Integer(value) => i64::try_from(*value).ok(),
            Expr::Load(access) if access.path.is_empty() => {
                match self.variables[access.var].storage {
                    Storage::Constant { value: Some(e), .. } => value(e),
                    _ => None,
                }
            }
            Expr::Convert(inner) if self.exprs[*inner].ty.is_integer() => value(*inner),
            Expr::Unary(UnaryOp::Negate, inner) => value(*inner)?.checked_neg(),
            Expr::Unary(UnaryOp::Plus, inner) => value(*inner),
            Expr::Binary(op, a, b) => {
                let (a, b) = (value(*a)?, value(*b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    BinaryOp::Divide => a.checked_div(b),
                    BinaryOp::Power => a.checked_pow(u32::try_from(b).ok()?),
                    _ => None,
                }
            }
            Expr::Intrinsic(Intrinsic::Max, args) => args
                .iter()
                .map(|&e| value(e))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max(),
            _ => None,
        }
    }
}
