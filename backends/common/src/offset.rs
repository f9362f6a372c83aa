//! Integer expressions as a base and a constant, so that subscripts and bounds are written short:
//! `i + 1` from lower bound 1 is `i` from lower bound 0.

use contraflow_ir::{BinaryOp, Expr, ExprId, Procedure, UnaryOp};

/// `e` as `base + constant`; without base: a constant.
pub fn offset(procedure: &Procedure, e: ExprId) -> (Option<ExprId>, i128) {
    match *procedure.expr(e) {
        Expr::Integer(value) => (None, value),
        Expr::Unary(UnaryOp::Negate, inner) => match procedure.expr(inner) {
            Expr::Integer(value) => (None, -value),
            _ => (Some(e), 0),
        },
        Expr::Binary(BinaryOp::Add, base, constant) => match procedure.expr(constant) {
            Expr::Integer(value) => with_base(procedure, base, *value),
            _ => (Some(e), 0),
        },
        Expr::Binary(BinaryOp::Subtract, base, constant) => match procedure.expr(constant) {
            Expr::Integer(value) => with_base(procedure, base, -value),
            _ => (Some(e), 0),
        },
        _ => (Some(e), 0),
    }
}

fn with_base(procedure: &Procedure, base: ExprId, constant: i128) -> (Option<ExprId>, i128) {
    let (base, inner) = offset(procedure, base);
    (base, inner + constant)
}

/// `upper`, if `extent` is `upper - lower + 1`.
pub fn upper_of(procedure: &Procedure, lower: ExprId, extent: ExprId) -> Option<ExprId> {
    let Expr::Binary(BinaryOp::Add, difference, one) = *procedure.expr(extent) else {
        return None;
    };
    let Expr::Binary(BinaryOp::Subtract, upper, low) = *procedure.expr(difference) else {
        return None;
    };
    let is_one = matches!(procedure.expr(one), Expr::Integer(1));
    (is_one && procedure.same_expr(low, lower)).then_some(upper)
}

#[cfg(test)]
mod tests {
    use super::offset;
    use contraflow_ir::{BinaryOp, Builder, Procedure, Type, Variable};

    #[test]
    fn constants_are_gathered() {
        let mut procedure = Procedure::new("p");
        let mut b = Builder::new(&mut procedure);
        let i = b.variable(Variable::scalar("i", Type::INT));
        let base = b.load(i);
        let (one, three) = (b.int(1), b.int(3));
        let less = b.exact_binary(BinaryOp::Subtract, base, one);
        let more = b.exact_binary(BinaryOp::Add, less, three);
        assert_eq!(offset(&procedure, more), (Some(base), 2));
        assert_eq!(offset(&procedure, three), (None, 3));
    }
}
