//! How large arrays of the generated code must be: bounds of iteration spaces and of variables, as
//! expressions that can be evaluated at the procedure's entry.
//!
//! A bound that depends on an outer loop's variable (a triangular nest) is replaced by its extreme
//! over that loop's range, found from the sign of the variable's coefficient. An expression can be
//! evaluated at entry if it reads only named constants and variables that the procedure never
//! writes.

use contraflow_ir::affine::{Linear, Symbol};
use contraflow_ir::{
    Access, BinaryOp, BoundKind, Builder, Expr, ExprId, Extent, Intrinsic, Module, Procedure, Stmt,
    StmtId, Type, VarId,
};

mod forms;
mod uses;

use crate::analysis::Dependence;
use crate::analysis::settled::evaluates_at_entry;
use forms::{component_of, expression_of, form_of, range_between};

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

/// A subscript that no array has: the start of an empty range.
const FAR: i128 = 1 << 30;

/// Whose memory a shape is for.
#[derive(Clone, Copy, PartialEq)]
enum Need {
    /// New memory: it may be larger than needed.
    Own,
    /// The user's: no element outside may be touched.
    Users,
}

/// Builds extents for one procedure; `out` is a copy of the analysed procedure that may have grown.
pub struct Extents<'a, 'd> {
    /// Order and overlap of the primal.
    pub dependence: &'d Dependence<'a>,
}

impl Extents<'_, '_> {
    /// Whether an expression has the same value at entry as where it stands.
    pub fn is_fixed(&self, out: &Procedure, e: ExprId) -> bool {
        evaluates_at_entry(out, e, &|place| self.dependence.is_entry_value(out, place))
    }

    /// An expression with the definitions of locals that are set once in their place.
    fn resolved(&self, out: &mut Procedure, e: ExprId) -> ExprId {
        let ty = out.exprs[e].ty;
        let definition = match out.expr(e) {
            Expr::Load(place) => self.dependence.definition(place),
            _ => None,
        };
        if let Some(definition) = definition {
            return self.resolved(out, definition);
        }
        let expr = out.expr(e).clone();
        let mut changed = false;
        let mut inner = |out: &mut Procedure, child: ExprId| {
            let new = self.resolved(out, child);
            changed |= new != child;
            new
        };
        let expr = match expr {
            Expr::Unary(op, a) => Expr::Unary(op, inner(out, a)),
            Expr::Binary(op, a, b) => Expr::Binary(op, inner(out, a), inner(out, b)),
            Expr::Convert(a) => Expr::Convert(inner(out, a)),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => Expr::Select {
                condition: inner(out, condition),
                then: inner(out, then),
                otherwise: inner(out, otherwise),
            },
            Expr::Intrinsic(f, list) => {
                Expr::Intrinsic(f, list.into_iter().map(|a| inner(out, a)).collect())
            }
            other => other,
        };
        if !changed {
            return e;
        }
        let new = Builder::new(out).expr(expr, ty);
        // `n - 1 - 1` is `n - 2`.
        match form_of(out, new) {
            Some(form) => expression_of(out, &form, ty),
            None => new,
        }
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
        let (lower, upper) = (self.resolved(out, lower), self.resolved(out, upper));
        let (first, last) = if stride > 0 {
            (lower, upper)
        } else {
            (upper, lower)
        };
        if stride.abs() != 1 && self.is_fixed(out, lower) && self.is_fixed(out, upper) {
            let mut b = Builder::new(out);
            let value = b.load(variable);
            let distance = b.sub(value, lower);
            let subscript = b.exact_binary(BinaryOp::Divide, distance, step);
            let span = b.sub(upper, lower);
            let span = b.exact_binary(BinaryOp::Divide, span, step);
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
        let e = self.resolved(out, e);
        if self.is_fixed(out, e) {
            return Some(e);
        }
        let ty = out.exprs[e].ty;
        if let Some(form) = self.linear(out, e) {
            return self.extreme_form(out, form, loops, end, ty);
        }
        // min and max of bounds that have extremes themselves
        let Expr::Intrinsic(f @ (Intrinsic::Min | Intrinsic::Max), args) = out.expr(e).clone()
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
        form_of(out, e)
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
            let bound = self.resolved(out, bound);
            let bound = self.linear(out, bound)?;
            form = form.substitute(symbol, &bound)?;
        }
        let known = form.terms.keys().all(|symbol| match *symbol {
            Symbol::Variable(var, _) => self.dependence.is_entry_value(out, &Access::whole(var)),
            Symbol::Opaque(code) => {
                let place = component_of(out, code);
                self.dependence.is_entry_value(out, &place)
            }
        });
        known.then(|| expression_of(out, &form, ty))
    }

    /// The dimensions of a variable as entry expressions, for memory of the generated code: a C
    /// pointer's from all of its uses, rather too many elements than too few.
    pub fn shape(&self, out: &mut Procedure, var: VarId) -> Option<Vec<Range>> {
        self.ranges(out, var, Need::Own)
    }

    /// The dimensions of a variable as entry expressions, for reading and writing the user's memory:
    /// a C pointer's from uses that certainly happen. Holds everything that is written.
    pub fn memory(&self, out: &mut Procedure, var: VarId) -> Option<Vec<Range>> {
        self.ranges(out, var, Need::Users)
    }

    /// The ranges of subscripts of the whole array that an array or section is taken from.
    pub fn memory_of(
        &self,
        module: &Module,
        out: &mut Procedure,
        place: &Access,
    ) -> Option<Vec<Range>> {
        let array = super::tape::array_of(module, out, place)?;
        if array.path.is_empty() {
            return self.memory(out, array.var);
        }
        super::records::component_ranges(module, out, &array)
    }

    fn ranges(&self, out: &mut Procedure, var: VarId, need: Need) -> Option<Vec<Range>> {
        let shape = out.variables[var].shape.clone();
        let mut ranges = Vec::new();
        for (dim, d) in shape.iter().enumerate() {
            let range = match d.extent {
                Extent::Count(count) => {
                    let (lower, count) = (self.resolved(out, d.lower), self.resolved(out, count));
                    if !self.is_fixed(out, count) || !self.is_fixed(out, lower) {
                        return None;
                    }
                    Range { lower, count }
                }
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
                Extent::AssumedSize | Extent::Unknown => self.used_range(out, var, dim, need)?,
            };
            ranges.push(range);
        }
        Some(ranges)
    }

    /// Whether `a <= b` for all values of the variables in them.
    fn is_at_most(&self, out: &Procedure, a: ExprId, b: ExprId) -> bool {
        if out.same_expr(a, b) {
            return true;
        }
        let (Some(a), Some(b)) = (self.linear(out, a), self.linear(out, b)) else {
            return false;
        };
        b.sub(&a)
            .and_then(|difference| difference.as_constant())
            .is_some_and(|difference| difference >= 0)
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
