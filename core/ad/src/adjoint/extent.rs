//! How large arrays of the generated code must be: bounds of iteration spaces and of variables, as
//! expressions that can be evaluated at the procedure's entry.
//!
//! A bound that depends on an outer loop's variable (a triangular nest) is replaced by its extreme
//! over that loop's range, found from the sign of the variable's coefficient. An expression can be
//! evaluated at entry if it reads only named constants and variables that the procedure never
//! writes.

use contraflow_ir::affine::{Linear, Symbol, linear_of};
use contraflow_ir::{
    Access, BoundKind, Builder, Expr, ExprId, Extent, Procedure, Stmt, StmtId, Type, VarId,
};

use crate::analysis::Dependence;

/// The lower bound and the number of elements of a dimension.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Smallest subscript.
    pub lower: ExprId,
    /// How many.
    pub count: ExprId,
}

/// One loop's dimension in a tape: how it is subscripted and how large it is.
#[derive(Clone, Copy, Debug)]
pub struct LoopDim {
    /// The subscript, in terms of the loop's variable.
    pub subscript: ExprId,
    /// The dimension.
    pub range: Range,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Low,
    High,
}

/// Builds extents for one procedure; `out` is a copy of the analysed procedure that may have grown.
pub struct Extents<'a, 'd> {
    /// Order and overlap of the primal.
    pub dependence: &'d Dependence<'a>,
}

impl Extents<'_, '_> {
    /// Whether an expression has the same value at entry as where it stands.
    pub fn is_fixed(&self, out: &Procedure, e: ExprId) -> bool {
        let mut fixed = true;
        out.walk_expr(e, &mut |node| match out.expr(node) {
            Expr::Load(access) | Expr::Present(access) => {
                fixed &= access.path.is_empty() && self.is_entry_value(out, access.var)
            }
            Expr::Bound { array, .. } => fixed &= self.is_entry_value(out, array.var),
            Expr::Required { .. } | Expr::Opaque { .. } => fixed = false,
            _ => {}
        });
        fixed
    }

    fn is_entry_value(&self, out: &Procedure, var: VarId) -> bool {
        let variable = &out.variables[var];
        variable.is_constant()
            || (variable.outlives_call() || variable.is_argument())
                && self.dependence.is_invariant(var)
    }

    /// The dimension of a counted loop inside `loops` (outermost first, itself last).
    pub fn loop_dim(&self, out: &mut Procedure, loops: &[StmtId]) -> Option<LoopDim> {
        let (&l, outer) = loops.split_last()?;
        let Stmt::Loop {
            variable,
            lower,
            upper,
            step,
            ..
        } = *out.stmt(l)
        else {
            return None;
        };
        let stride = Builder::new(out).integer_value(step)?;
        let ty = out.variables[variable].ty;
        let (first, last) = if stride > 0 {
            (lower, upper)
        } else {
            (upper, lower)
        };
        if stride.abs() != 1 && self.is_fixed(out, lower) && self.is_fixed(out, upper) {
            let mut b = Builder::new(out);
            let value = b.load(variable);
            let distance = b.sub(value, lower);
            let subscript = b.exact_binary(contraflow_ir::BinaryOp::Divide, distance, step);
            let span = b.sub(upper, lower);
            let span = b.exact_binary(contraflow_ir::BinaryOp::Divide, span, step);
            let one = b.int_of(1, ty);
            let count = b.add(span, one);
            let lower = b.int_of(0, ty);
            let range = Range { lower, count };
            return Some(LoopDim { subscript, range });
        }
        let low = self.extreme(out, first, outer, End::Low)?;
        let high = self.extreme(out, last, outer, End::High)?;
        let range = range_between(out, low, high);
        let subscript = Builder::new(out).load(variable);
        Some(LoopDim { subscript, range })
    }

    /// The extreme of an integer expression over the loops around it, as an entry expression.
    fn extreme(
        &self,
        out: &mut Procedure,
        e: ExprId,
        loops: &[StmtId],
        end: End,
    ) -> Option<ExprId> {
        if self.is_fixed(out, e) {
            return Some(e);
        }
        let ty = out.exprs[e].ty;
        if let Some(form) = self.linear(out, e) {
            return self.extreme_form(out, form, loops, end, ty);
        }
        // min and max of bounds that have extremes themselves
        let Expr::Intrinsic(
            f @ (contraflow_ir::Intrinsic::Min | contraflow_ir::Intrinsic::Max),
            args,
        ) = out.expr(e).clone()
        else {
            return None;
        };
        let mut bounds = Vec::new();
        for a in args {
            bounds.push(self.extreme(out, a, loops, end)?);
        }
        Some(Builder::new(out).expr(Expr::Intrinsic(f, bounds), ty))
    }

    fn linear(&self, out: &Procedure, e: ExprId) -> Option<Linear> {
        linear_of(out, e, &mut |var| Some(Symbol::Variable(var, 0)))
    }

    fn extreme_form(
        &self,
        out: &mut Procedure,
        mut form: Linear,
        loops: &[StmtId],
        end: End,
        ty: Type,
    ) -> Option<ExprId> {
        for &l in loops.iter().rev() {
            let Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                ..
            } = *out.stmt(l)
            else {
                continue;
            };
            let symbol = Symbol::Variable(variable, 0);
            let factor = form.coefficient(symbol);
            if factor == 0 {
                continue;
            }
            let forwards = Builder::new(out).integer_value(step)? > 0;
            let wants_last = (factor > 0) == (end == End::High);
            let bound = if wants_last == forwards { upper } else { lower };
            let bound = self.linear(out, bound)?;
            form = form.substitute(symbol, &bound)?;
        }
        let known = form.terms.keys().all(|symbol| match *symbol {
            Symbol::Variable(var, _) => self.is_entry_value(out, var),
            Symbol::Opaque(_) => false,
        });
        known.then(|| expression_of(out, &form, ty))
    }

    /// The dimensions of a variable as entry expressions; a C pointer's from how it is used.
    pub fn shape(&self, out: &mut Procedure, var: VarId) -> Option<Vec<Range>> {
        let shape = out.variables[var].shape.clone();
        let mut ranges = Vec::new();
        for (dim, d) in shape.iter().enumerate() {
            let range = match d.extent {
                Extent::Count(count)
                    if self.is_fixed(out, count) && self.is_fixed(out, d.lower) =>
                {
                    Range {
                        lower: d.lower,
                        count,
                    }
                }
                Extent::Count(_) => return None,
                Extent::Assumed | Extent::Deferred => {
                    let mut b = Builder::new(out);
                    let mut bound = |kind| {
                        b.expr(
                            Expr::Bound {
                                array: Access::whole(var),
                                kind,
                                dim: dim as u32,
                            },
                            Type::INT,
                        )
                    };
                    Range {
                        lower: bound(BoundKind::Lower),
                        count: bound(BoundKind::Extent),
                    }
                }
                Extent::AssumedSize | Extent::Unknown => self.used_range(out, var, dim)?,
            };
            ranges.push(range);
        }
        Some(ranges)
    }

    /// The range of subscripts with which a variable is used along one dimension. Every use must
    /// have an extreme; the union of several is the range of their minima and maxima.
    fn used_range(&self, out: &mut Procedure, var: VarId, dim: usize) -> Option<Range> {
        let tree = crate::analysis::Tree::of(out);
        let mut lows: Vec<ExprId> = Vec::new();
        let mut highs: Vec<ExprId> = Vec::new();
        for stmt in out.all_statements() {
            let mut accesses: Vec<Access> = Vec::new();
            for e in out.stmt(stmt).expressions() {
                accesses.extend(out.reads_of_expr(e).into_iter().cloned());
            }
            match out.stmt(stmt) {
                Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => {
                    accesses.push(target.clone())
                }
                Stmt::Call {
                    arguments, result, ..
                } => {
                    for argument in arguments {
                        if let contraflow_ir::Argument::Place(place) = argument
                            && place.var == var
                            && out.variables[var].is_array()
                        {
                            // The callee may use any part of it.
                            return None;
                        }
                    }
                    accesses.extend(result.clone());
                }
                Stmt::Opaque { reads, writes, .. } => {
                    accesses.extend(reads.iter().chain(writes).cloned())
                }
                _ => {}
            }
            let loops = tree.loops(out, stmt);
            for access in accesses.into_iter().filter(|a| a.var == var) {
                let subscript = *access.subscripts()?.get(dim)?;
                let low = self.subscript_extreme(out, subscript, &loops, End::Low)?;
                let high = self.subscript_extreme(out, subscript, &loops, End::High)?;
                push_distinct(out, &mut lows, low);
                push_distinct(out, &mut highs, high);
            }
        }
        let low = combine(out, contraflow_ir::Intrinsic::Min, lows)?;
        let high = combine(out, contraflow_ir::Intrinsic::Max, highs)?;
        Some(range_between(out, low, high))
    }

    /// The extreme of a subscript that may multiply loop variables by sizes (`i*n + j`). Sizes are
    /// taken to be non-negative: where one is negative no iteration runs.
    fn subscript_extreme(
        &self,
        out: &mut Procedure,
        e: ExprId,
        loops: &[StmtId],
        end: End,
    ) -> Option<ExprId> {
        use contraflow_ir::BinaryOp;
        if let Some(bound) = self.extreme(out, e, loops, end) {
            return Some(bound);
        }
        let ty = out.exprs[e].ty;
        match *out.expr(e) {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), x, y) => {
                let other = match (op, end) {
                    (BinaryOp::Add, _) => end,
                    (_, End::Low) => End::High,
                    (_, End::High) => End::Low,
                };
                let x = self.subscript_extreme(out, x, loops, end)?;
                let y = self.subscript_extreme(out, y, loops, other)?;
                let mut b = Builder::new(out);
                Some(if op == BinaryOp::Add {
                    b.add(x, y)
                } else {
                    b.sub(x, y)
                })
            }
            Expr::Binary(BinaryOp::Multiply, x, y) => {
                let (factor, rest) = if self.is_fixed(out, y) {
                    (y, x)
                } else if self.is_fixed(out, x) {
                    (x, y)
                } else {
                    return None;
                };
                if !matches!(out.expr(factor), Expr::Load(_)) {
                    return None;
                }
                let rest = self.subscript_extreme(out, rest, loops, end)?;
                Some(Builder::new(out).expr(Expr::Binary(BinaryOp::Multiply, rest, factor), ty))
            }
            Expr::Convert(inner) => {
                let inner = self.subscript_extreme(out, inner, loops, end)?;
                Some(Builder::new(out).convert(inner, ty))
            }
            Expr::Load(Access { var, ref path }) if path.is_empty() => {
                let position = loops.iter().position(
                    |&l| matches!(out.stmt(l), Stmt::Loop { variable, .. } if *variable == var),
                )?;
                let Stmt::Loop {
                    lower, upper, step, ..
                } = *out.stmt(loops[position])
                else {
                    return None;
                };
                let forwards = Builder::new(out).integer_value(step)? > 0;
                let bound = if (end == End::High) == forwards {
                    upper
                } else {
                    lower
                };
                self.subscript_extreme(out, bound, &loops[..position], end)
            }
            _ => None,
        }
    }
}

fn range_between(out: &mut Procedure, low: ExprId, high: ExprId) -> Range {
    let mut b = Builder::new(out);
    let ty = b.type_of(low);
    let high = b.convert(high, ty);
    let forms = (
        linear_of(b.procedure, low, &mut |v| Some(Symbol::Variable(v, 0))),
        linear_of(b.procedure, high, &mut |v| Some(Symbol::Variable(v, 0))),
    );
    let difference = match forms {
        (Some(low), Some(high)) => high.sub(&low).and_then(|form| form.offset(1)),
        _ => None,
    };
    let count = match difference {
        Some(form) => expression_of(b.procedure, &form, ty),
        None => {
            let distance = b.sub(high, low);
            let one = b.int_of(1, ty);
            b.add(distance, one)
        }
    };
    Range { lower: low, count }
}

fn push_distinct(out: &Procedure, list: &mut Vec<ExprId>, e: ExprId) {
    if !list.iter().any(|&other| out.same_expr(other, e)) {
        list.push(e);
    }
}

fn combine(out: &mut Procedure, f: contraflow_ir::Intrinsic, list: Vec<ExprId>) -> Option<ExprId> {
    match list.as_slice() {
        [] => None,
        [one] => Some(*one),
        _ => {
            let mut b = Builder::new(out);
            let ty = b.type_of(list[0]);
            let list = list.into_iter().map(|e| b.convert(e, ty)).collect();
            Some(b.expr(Expr::Intrinsic(f, list), ty))
        }
    }
}

/// Writes a linear form of variables as an expression of type `ty`.
fn expression_of(out: &mut Procedure, form: &Linear, ty: Type) -> ExprId {
    let mut b = Builder::new(out);
    let mut sum: Option<ExprId> = None;
    for (&symbol, &factor) in &form.terms {
        let Symbol::Variable(var, _) = symbol else {
            unreachable!("invariant: forms that are written have variables only")
        };
        let value = b.load(var);
        let value = b.convert(value, ty);
        let magnitude = b.int_of(factor.unsigned_abs().into(), ty);
        let term = b.mul(magnitude, value);
        sum = Some(match (sum, factor > 0) {
            (None, true) => term,
            (None, false) => b.neg(term),
            (Some(sum), true) => b.add(sum, term),
            (Some(sum), false) => b.sub(sum, term),
        });
    }
    let constant = b.int_of(form.constant.into(), ty);
    match sum {
        None => constant,
        Some(sum) => b.add(sum, constant),
    }
}
