//! The one table of partial derivatives.
//!
//! [`partial`] says how a small change of one operand of an operation reaches its result, as a
//! [`Local`]: a real-linear map, built from expressions for the operands' values and for the
//! result's value that the caller supplies. The same `Local` serves both modes:
//! [`Local::tangent`] applies the map to the operand's tangent, [`Local::adjoint`] applies its
//! transpose to the result's adjoint.
//!
//! Which primal values a derivative needs is read off what the rule builds ([`needs`]); it is
//! stated nowhere else. Where a derivative can be written with the result it is (`sqrt`, `exp`,
//! `tanh`, a quotient), so that the operand is not needed.
//!
//! **Points without derivative.** At a tie of `max` and `min` the operand that the primal took
//! gets all, which is a constant if there is one, else the first; `abs'(0) = 0` and `sign` likewise; steps (`floor`, conversions to integer) have the
//! derivative zero. A derivative that is infinite (or 0/0) where the function itself is finite
//! (`sqrt` at 0) is marked [`singular`](Local::is_singular): the generator guards it, so that a
//! zero seed gives zero, and any other seed what IEEE arithmetic gives.
//!
//! **Complex numbers.** `w = f(z)` holomorphic: `w_d = f'(z) z_d`, and with
//! `z_b = ∂L/∂Re z + i ∂L/∂Im z`: `z_b += conj(f'(z)) w_b`. Maps between complex and real are
//! variants of [`Local`] of their own.

mod gamma;
mod local;
mod needs;
mod table;
#[cfg(test)]
mod tests;

pub use local::{Local, is_nonzero};
pub use needs::{Needs, flows, needs, told_by_result};
pub use table::{has_rule, partial};

use contraflow_ir::{BinaryOp, Expr, ExprId, Intrinsic, UnaryOp};

/// An operation, without its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// One operand.
    Unary(UnaryOp),
    /// Two operands.
    Binary(BinaryOp),
    /// An intrinsic function.
    Intrinsic(Intrinsic),
    /// A conversion from the operand's type to the result's.
    Convert,
    /// Operands: the condition, the value where it holds, the value where it does not.
    Select,
}

impl Op {
    /// The operation that an expression is, with its operands; `None` for leaves.
    pub fn of(expr: &Expr) -> Option<(Op, Vec<ExprId>)> {
        let op = match expr {
            Expr::Unary(op, _) => Op::Unary(*op),
            Expr::Binary(op, ..) => Op::Binary(*op),
            Expr::Intrinsic(f, _) => Op::Intrinsic(*f),
            Expr::Convert(_) => Op::Convert,
            Expr::Select { .. } => Op::Select,
            Expr::Integer(_)
            | Expr::Real(_)
            | Expr::Logical(_)
            | Expr::Text(_)
            | Expr::Load(_)
            | Expr::Bound { .. }
            | Expr::Present(_)
            | Expr::Associated { .. }
            | Expr::Range { .. }
            | Expr::Opaque { .. }
            | Expr::Required { .. } => return None,
        };
        Some((op, expr.children()))
    }
}
