//! Which values a derivative is made of, read off what the table builds: the rule is run with
//! marked variables as operands and result, and the marks are looked for.

use contraflow_ir::{
    Access, Builder, Expr, ExprId, Intrinsic, Procedure, UnaryOp, VarId, Variable,
};

use super::{Op, partial};

/// Which values the derivative with respect to one operand uses.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// The operation's value.
    pub result: bool,
    /// For each operand, its value.
    pub operands: Vec<bool>,
}

/// What the derivative of the operation `node` with respect to its operand `which` uses. Literal
/// operands stay literals (`x**2`) and are never needed. Leaves and operations without rule need
/// nothing.
pub fn needs(procedure: &Procedure, node: ExprId, which: usize) -> Needs {
    let Some((op, operands)) = Op::of(procedure.expr(node)) else {
        return Needs::default();
    };
    let mut scratch = Procedure::new("scratch");
    let mut b = Builder::new(&mut scratch);
    let marks: Vec<ExprId> = operands
        .iter()
        .map(|&operand| mark(&mut b, procedure, operand))
        .collect();
    let result = variable(&mut b, procedure, node);
    let used: Vec<VarId> = partial(&mut b, op, &marks, result, which)
        .map(|local| local.expressions())
        .unwrap_or_default()
        .into_iter()
        .flat_map(|root| scratch.reads_of_expr(root))
        .map(|access| access.var)
        .collect();
    let is_used = |e: &ExprId| match scratch.expr(*e) {
        Expr::Load(Access { var, .. }) => used.contains(var),
        _ => false,
    };
    Needs {
        result: is_used(&result),
        operands: marks.iter().map(is_used).collect(),
    }
}

/// Whether a change of the operand `which` of the operation `node` can reach its value. Operations
/// without rule let everything through; the caller has to refuse them.
pub fn flows(procedure: &Procedure, node: ExprId, which: usize) -> bool {
    let Some((op, operands)) = Op::of(procedure.expr(node)) else {
        return false;
    };
    let is_continuous = |e: ExprId| procedure.exprs[e].ty.is_differentiable();
    if !is_continuous(node) || !is_continuous(operands[which]) {
        return false;
    }
    let mut scratch = Procedure::new("scratch");
    let mut b = Builder::new(&mut scratch);
    let marks: Vec<ExprId> = operands
        .iter()
        .map(|&operand| mark(&mut b, procedure, operand))
        .collect();
    let result = variable(&mut b, procedure, node);
    partial(&mut b, op, &marks, result, which).is_none_or(|local| !local.is_zero())
}

fn mark(b: &mut Builder<'_>, procedure: &Procedure, operand: ExprId) -> ExprId {
    let ty = procedure.exprs[operand].ty;
    match procedure.expr(operand) {
        literal @ (Expr::Integer(_) | Expr::Real(_)) => b.expr(literal.clone(), ty),
        Expr::Unary(UnaryOp::Negate, inner) if is_literal(procedure, *inner) => {
            let inner = mark(b, procedure, *inner);
            b.expr(Expr::Unary(UnaryOp::Negate, inner), ty)
        }
        _ => variable(b, procedure, operand),
    }
}

/// Whether the derivative of `node` with respect to its operand `which` may be told by the operation's
/// value instead of the operand's: `x > c` wherever `max(x, c) > c`, for a constant `c`.
pub fn told_by_result(procedure: &Procedure, node: ExprId, which: usize) -> bool {
    match procedure.expr(node) {
        Expr::Intrinsic(Intrinsic::Min | Intrinsic::Max, operands) => {
            operands.len() == 2 && is_literal(procedure, operands[1 - which])
        }
        _ => false,
    }
}

/// Whether an expression is a number as it is written, perhaps with a sign.
pub(super) fn is_literal(procedure: &Procedure, e: ExprId) -> bool {
    match procedure.expr(e) {
        Expr::Unary(UnaryOp::Negate, inner) => is_literal(procedure, *inner),
        other => matches!(other, Expr::Integer(_) | Expr::Real(_)),
    }
}

fn variable(b: &mut Builder<'_>, procedure: &Procedure, e: ExprId) -> ExprId {
    let var = b.variable(Variable::scalar("mark", procedure.exprs[e].ty));
    b.load(var)
}
