//! Values of declarations without names: what another unit can repeat.

use contraflow_ir::{BinaryOp, Builder, Expr, ExprId, Procedure, Selector, Storage, UnaryOp};

/// The expression with each named constant replaced by its value; `None` where a value is not known
/// or something else than constants is named.
pub fn without_names(procedure: &mut Procedure, e: ExprId) -> Option<ExprId> {
    let node = procedure.exprs[e].clone();
    let mut again = |e: ExprId| without_names(procedure, e);
    let expr = match node.expr {
        Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Text(_) => return Some(e),
        Expr::Load(access) if access.path.is_empty() => {
            return match procedure.variables[access.var].storage {
                Storage::Constant {
                    value: Some(value), ..
                } => without_names(procedure, value),
                _ => None,
            };
        }
        Expr::Unary(op, operand) => Expr::Unary(op, again(operand)?),
        Expr::Convert(operand) => Expr::Convert(again(operand)?),
        Expr::Binary(op, left, right) => Expr::Binary(op, again(left)?, again(right)?),
        Expr::Intrinsic(function, arguments) => {
            let arguments: Option<Vec<ExprId>> = arguments.into_iter().map(again).collect();
            Expr::Intrinsic(function, arguments?)
        }
        Expr::Select {
            condition,
            then,
            otherwise,
        } => Expr::Select {
            condition: again(condition)?,
            then: again(then)?,
            otherwise: again(otherwise)?,
        },
        Expr::Load(_)
        | Expr::Present(_)
        | Expr::Associated { .. }
        | Expr::Bound { .. }
        | Expr::Range { .. }
        | Expr::Opaque { .. }
        | Expr::Required { .. } => return None,
    };
    Some(Builder::new(procedure).expr(expr, node.ty))
}

/// The value of a constant integer expression.
pub fn integer(procedure: &Procedure, e: ExprId) -> Option<i64> {
    let of = |e: ExprId| integer(procedure, e);
    match procedure.expr(e) {
        Expr::Integer(value) => i64::try_from(*value).ok(),
        Expr::Convert(operand) if procedure.exprs[*operand].ty.is_integer() => of(*operand),
        Expr::Unary(UnaryOp::Negate, operand) => of(*operand)?.checked_neg(),
        Expr::Binary(op, left, right) => {
            let (left, right) = (of(*left)?, of(*right)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Subtract => left.checked_sub(right),
                BinaryOp::Multiply => left.checked_mul(right),
                BinaryOp::Divide if right != 0 => left.checked_div(right),
                _ => None,
            }
        }
        Expr::Load(access) => match procedure.variables[access.var].storage {
            Storage::Constant {
                value: Some(value), ..
            } if !access.path.iter().any(|s| matches!(s, Selector::Index(_))) => of(value),
            _ => None,
        },
        _ => None,
    }
}
