//! Integers that are undone instead of kept ("Invert" of METHOD.md section 3): `i = i + e` is reversed by
//! `i = i - e`.
//!
//! Integer sums are exact, so that the old value follows from the new one. Where such a statement would
//! save what it overwrites, the backward sweep uses the value after it instead, and what `e` reads. Both
//! are uses like others: what overwrites `i` next saves or undoes that in turn.

use contraflow_ir::{Access, Allocation, BinaryOp, Expr, ExprId, Stmt, StmtId};

use super::{Frame, Subject};
use crate::analysis::Use;
use crate::checkpoint::width;

/// The reversal of `target = target + by`, or `- by`.
#[derive(Clone, Copy, Debug)]
pub struct Undoing<'a> {
    /// The integer.
    pub target: &'a Access,
    /// What leads back.
    pub op: BinaryOp,
    /// How far; its type, no narrower than the integer's, is that in which the sum is computed.
    pub by: ExprId,
}

impl<'a> Subject<'a> {
    /// How a statement can be undone: it adds something to an integer that has one name, and reads
    /// nothing of it but to add to it. A sum in a wider type gives the same digits.
    pub fn undoing(&self, stmt: StmtId) -> Option<Undoing<'a>> {
        let procedure = self.procedure();
        let Stmt::Assign { target, value } = procedure.stmt(stmt) else {
            return None;
        };
        let variable = &procedure.variables[target.var];
        let is_plain = target.path.is_empty()
            && variable.shape.is_empty()
            && variable.ty.is_integer()
            && variable.allocation == Allocation::Fixed
            && !variable.optional
            && self.dependence.has_one_name(target.var);
        let inside = |e: ExprId| match *procedure.expr(e) {
            Expr::Convert(inner) if procedure.exprs[e].ty.is_integer() => inner,
            _ => e,
        };
        let is_target = |e: ExprId| {
            let read = procedure.expr(inside(e));
            matches!(read, Expr::Load(read) if procedure.same_access(read, target))
        };
        let sum = inside(*value);
        let (op, by) = match *procedure.expr(sum) {
            Expr::Binary(BinaryOp::Add, a, by) if is_target(a) => (BinaryOp::Subtract, by),
            Expr::Binary(BinaryOp::Add, by, a) if is_target(a) => (BinaryOp::Subtract, by),
            Expr::Binary(BinaryOp::Subtract, a, by) if is_target(a) => (BinaryOp::Add, by),
            _ => return None,
        };
        let wide = procedure.exprs[sum].ty;
        let is_exact = wide.is_integer()
            && width(wide) >= width(variable.ty)
            && procedure.exprs[by].ty == wide;
        let is_apart = |read: &Access| read.var != target.var;
        let reads = procedure.reads_of_expr(by);
        (is_plain && is_exact && reads.into_iter().all(is_apart)).then_some(Undoing {
            target,
            op,
            by,
        })
    }

    /// How a statement is undone that a frame runs itself, where that is decided.
    pub(super) fn undone_by(&self, stmt: StmtId, frame: Frame) -> Option<Undoing<'a>> {
        let is_decided = self.decisions.undone.contains(&stmt) && self.frame_of(stmt) == frame;
        is_decided.then(|| self.undoing(stmt)).flatten()
    }

    /// What undoing a statement uses.
    pub(super) fn add_uses_of_undoing(
        &self,
        stmt: StmtId,
        undoing: Undoing<'_>,
        uses: &mut Vec<Use>,
    ) {
        self.add_use(undoing.target.clone(), stmt, true, uses);
        self.add_expression_uses(undoing.by, stmt, uses);
    }
}
