//! What a plan costs: bytes on tape, and operations that are run again.
//!
//! Trip counts come from constants in the code; others are taken to be [`DEFAULT_TRIPS`]. A byte on
//! tape is written once and read once, from memory where the tape is large: at five to ten bytes a
//! nanosecond against four operations a nanosecond that is about two operations. Memory is what
//! adjoints run out of first, so it is weighed twice that: [`WORK_PER_BYTE`].

use contraflow_ir::affine::{Symbol, linear_of};
use contraflow_ir::{
    Access, BinaryOp, Expr, ExprId, Extent, Intrinsic, Procedure, Stmt, StmtId, Type, VarId,
};

use crate::adjoint::needs::{Frame, Needs, Subject};

/// Iterations of a loop of unknown length.
pub const DEFAULT_TRIPS: f64 = 64.0;
/// Operations that one byte on tape is worth.
pub const WORK_PER_BYTE: f64 = 4.0;

/// Memory and time of a choice.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Cost {
    /// Bytes on tape.
    pub bytes: f64,
    /// Operations run again.
    pub work: f64,
}

impl Cost {
    /// Time in operations.
    pub fn time(self) -> f64 {
        self.work + WORK_PER_BYTE * self.bytes
    }
}

/// The cost of what `needs` asks for.
pub fn of(subject: &Subject<'_>, procedure: &Procedure, needs: &Needs) -> Cost {
    let mut cost = Cost::default();
    for (&frame, found) in &needs.frames {
        for (&stmt, places) in &found.saves {
            let trips = trips_within(subject, procedure, stmt, frame, false);
            cost.bytes += places
                .iter()
                .map(|place| kept_bytes(procedure, place, trips))
                .sum::<f64>();
        }
        for (&stmt, places) in &found.snapshots {
            let trips = trips_within(subject, procedure, stmt, frame, true);
            cost.bytes += places
                .iter()
                .map(|place| kept_bytes(procedure, place, trips))
                .sum::<f64>();
        }
        for &stmt in &found.stored {
            let trips = trips_within(subject, procedure, stmt, frame, false);
            cost.bytes += if trips > 1.0 { 4.0 * trips } else { 0.0 };
        }
        if frame.is_some() {
            cost.work += found
                .slice
                .iter()
                .map(|&stmt| {
                    statement_work(procedure, stmt)
                        * trips_within(subject, procedure, stmt, None, false)
                })
                .sum::<f64>();
        }
    }
    cost
}

/// Estimated bytes of a variable.
pub fn bytes_of(procedure: &Procedure, var: VarId) -> f64 {
    elements_of(procedure, var) * width(procedure.variables[var].ty)
}

/// Estimated work of running a procedure's body once.
pub fn work_of(procedure: &Procedure) -> f64 {
    let tree = crate::analysis::Tree::of(procedure);
    procedure
        .all_statements()
        .into_iter()
        .map(|stmt| {
            let runs: f64 = tree
                .loops(procedure, stmt)
                .into_iter()
                .map(|l| trips(procedure, l))
                .product();
            runs * statement_work(procedure, stmt)
        })
        .sum()
}

/// A scalar kept outside loops is no tape.
fn kept_bytes(procedure: &Procedure, place: &Access, trips: f64) -> f64 {
    let elements = if place.path.is_empty() {
        elements_of(procedure, place.var)
    } else {
        1.0
    };
    if elements * trips <= 1.0 {
        return 0.0;
    }
    elements * trips * width(procedure.variables[place.var].ty)
}

fn elements_of(procedure: &Procedure, var: VarId) -> f64 {
    procedure.variables[var]
        .shape
        .iter()
        .map(|dim| match dim.extent {
            Extent::Count(count) => constant(procedure, count).unwrap_or(DEFAULT_TRIPS),
            _ => DEFAULT_TRIPS,
        })
        .product()
}

fn width(ty: Type) -> f64 {
    match ty {
        Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
            f64::from(bytes)
        }
        Type::Complex { bytes } => 2.0 * f64::from(bytes),
        _ => 8.0,
    }
}

/// How often `stmt` runs in one run of `frame`; with `itself`, how often its body does.
fn trips_within(
    subject: &Subject<'_>,
    procedure: &Procedure,
    stmt: StmtId,
    frame: Frame,
    itself: bool,
) -> f64 {
    let mut loops = subject.tree.loops_within(procedure, stmt, frame);
    if itself {
        loops.push(stmt);
    }
    loops.into_iter().map(|l| trips(procedure, l)).product()
}

fn trips(procedure: &Procedure, l: StmtId) -> f64 {
    let Stmt::Loop {
        lower, upper, step, ..
    } = *procedure.stmt(l)
    else {
        return DEFAULT_TRIPS;
    };
    let bounds = (
        constant(procedure, lower),
        constant(procedure, upper),
        constant(procedure, step),
    );
    match bounds {
        (Some(lower), Some(upper), Some(step)) if step != 0.0 => {
            ((upper - lower + step) / step).max(0.0).floor()
        }
        _ => DEFAULT_TRIPS,
    }
}

fn constant(procedure: &Procedure, e: ExprId) -> Option<f64> {
    linear_of(procedure, e, &mut |var| Some(Symbol::Variable(var, 0)))?
        .as_constant()
        .map(|value| value as f64)
}

fn statement_work(procedure: &Procedure, stmt: StmtId) -> f64 {
    match procedure.stmt(stmt) {
        Stmt::Call { .. } => 200.0,
        other => {
            other
                .expressions()
                .into_iter()
                .map(|e| expression_work(procedure, e))
                .sum::<f64>()
                + 1.0
        }
    }
}

fn expression_work(procedure: &Procedure, e: ExprId) -> f64 {
    let own = match procedure.expr(e) {
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => 4.0,
        Expr::Binary(BinaryOp::Power, _, exponent) => {
            match procedure.exprs[*exponent].ty.is_integer() {
                true => 3.0,
                false => 40.0,
            }
        }
        Expr::Binary(..) | Expr::Unary(..) | Expr::Select { .. } => 1.0,
        Expr::Intrinsic(f, _) => match f {
            Intrinsic::Min | Intrinsic::Max | Intrinsic::Abs | Intrinsic::Sign => 1.0,
            Intrinsic::Sqrt => 6.0,
            _ => 20.0,
        },
        Expr::Load(_) => 0.5,
        _ => 0.0,
    };
    own + procedure
        .expr(e)
        .children()
        .into_iter()
        .map(|child| expression_work(procedure, child))
        .sum::<f64>()
}
