//! Makes loops that count out of `while` loops that do so by hand.
//!
//! ```text
//! i = a                                   loop i = a, n - 1
//! while i < n                      ─▶        body
//!    body
//!    i = i + 1
//! ```
//!
//! if the body changes neither `i` nor what `n` is made of, otherwise than in the last line. Legacy
//! code writes such loops with `DO WHILE`, and front ends where a bound stands in memory that the body
//! might reach: `for (i = 0; i < g->n; i++) g->x[i] = …`. That `n` stays the same is known only once
//! the whole program is read. A number of the loop's iterations that is known at entry is what tapes
//! are dimensioned by, what snapshots are spread over, and what the analysis of dependence goes by.

use contraflow_ir::{
    Access, Allocation, BinaryOp, Block, Builder, Expr, ExprId, Module, Procedure, ProcedureId,
    Stmt, StmtId, Storage, Type, VarId, Variable,
};

use crate::analysis::Effects;
use crate::analysis::settled::{is_number, may_change};
use crate::naming;

/// The module with them.
pub fn count(module: &Module, effects: &Effects) -> Module {
    let mut counted = module.clone();
    for (id, procedure) in module.procedures.iter().filter(|(_, p)| p.has_body) {
        let view = View {
            module,
            effects,
            id,
            procedure,
        };
        let loops = procedure
            .all_statements()
            .into_iter()
            .filter_map(|stmt| view.counted(stmt));
        for counting in loops {
            rewrite(&mut counted.procedures[id], &counting);
        }
    }
    counted
}

/// A `while` loop that counts.
struct Counting {
    stmt: StmtId,
    variable: VarId,
    relation: BinaryOp,
    bound: ExprId,
    /// A literal.
    step: i128,
}

fn rewrite(procedure: &mut Procedure, counting: &Counting) {
    let ty = procedure.variables[counting.variable].ty;
    let lower = start(procedure, counting);
    let mut b = Builder::new(procedure);
    let one = b.int_of(1, ty);
    let upper = match counting.relation {
        BinaryOp::Less => b.sub(counting.bound, one),
        BinaryOp::Greater => b.add(counting.bound, one),
        _ => counting.bound,
    };
    let step = b.int_of(counting.step, ty);
    let Stmt::While { body, .. } = &mut procedure.stmts[counting.stmt].stmt else {
        return;
    };
    let mut body = std::mem::take(body);
    body.pop();
    procedure.stmts[counting.stmt].stmt = Stmt::Loop {
        variable: counting.variable,
        lower,
        upper,
        step,
        body,
        label: None,
        directive: None,
    };
}

/// The first value: what the statement before the loop sets the variable to, which goes; else what the
/// variable holds, kept in another one.
fn start(procedure: &mut Procedure, counting: &Counting) -> ExprId {
    let set = Access::whole(counting.variable);
    let before = block_around(procedure, counting.stmt, |block, at| {
        at.checked_sub(1).map(|i| block[i])
    });
    if let Some(before) = before.flatten()
        && let Stmt::Assign { target, value } = procedure.stmt(before)
        && *target == set
        && procedure
            .reads_of_expr(*value)
            .iter()
            .all(|read| read.var != counting.variable)
    {
        let value = *value;
        block_around(procedure, counting.stmt, |block, at| block.remove(at - 1));
        return value;
    }
    let ty = procedure.variables[counting.variable].ty;
    let name = naming::unique(procedure, "start");
    let kept = procedure.variables.add(Variable::scalar(name, ty));
    let span = procedure.stmts[counting.stmt].span;
    let mut b = Builder::new(procedure);
    let value = b.load(counting.variable);
    let keep = b.assign(Access::whole(kept), value);
    let lower = b.load(kept);
    procedure.stmts[keep].span = span;
    block_around(procedure, counting.stmt, |block, at| block.insert(at, keep));
    lower
}

/// Hands the block that a statement stands in, and its position there, to `f`.
fn block_around<T>(
    procedure: &mut Procedure,
    stmt: StmtId,
    f: impl FnOnce(&mut Block, usize) -> T,
) -> Option<T> {
    let position = |block: &Block| block.iter().position(|&other| other == stmt);
    if let Some(at) = position(&procedure.body) {
        return Some(f(&mut procedure.body, at));
    }
    for owner in procedure.stmts.ids().collect::<Vec<_>>() {
        for block in procedure.stmts[owner].stmt.blocks_mut() {
            if let Some(at) = position(block) {
                return Some(f(block, at));
            }
        }
    }
    None
}

struct View<'a> {
    module: &'a Module,
    effects: &'a Effects,
    id: ProcedureId,
    procedure: &'a Procedure,
}

impl View<'_> {
    fn counted(&self, stmt: StmtId) -> Option<Counting> {
        let Stmt::While {
            condition,
            body,
            label: None,
        } = self.procedure.stmt(stmt)
        else {
            return None;
        };
        let (last, inner) = body.split_last()?;
        let (variable, step) = self.stepped(*last)?;
        let (relation, bound) = self.compared(*condition, variable)?;
        let suits = match relation {
            BinaryOp::Less | BinaryOp::LessEqual => step > 0,
            BinaryOp::Greater | BinaryOp::GreaterEqual => step < 0,
            _ => false,
        };
        (suits && self.is_fixed(bound, variable, inner)).then_some(Counting {
            stmt,
            variable,
            relation,
            bound,
            step,
        })
    }

    /// `i = i + literal`
    fn stepped(&self, stmt: StmtId) -> Option<(VarId, i128)> {
        let Stmt::Assign { target, value } = self.procedure.stmt(stmt) else {
            return None;
        };
        let variable = &self.procedure.variables[target.var];
        let is_counter = target.path.is_empty()
            && matches!(variable.ty, Type::Integer { signed: true, .. })
            && variable.storage == Storage::Local
            && variable.allocation == Allocation::Fixed
            && self.effects.overlapping(self.id, target.var).is_empty();
        let literal = |e| match *self.procedure.expr(e) {
            Expr::Integer(value) => Some(value),
            _ => None,
        };
        let step = match *self.procedure.expr(*value) {
            Expr::Binary(BinaryOp::Add, a, b) if self.is_load(a, target.var) => literal(b)?,
            Expr::Binary(BinaryOp::Add, a, b) if self.is_load(b, target.var) => literal(a)?,
            Expr::Binary(BinaryOp::Subtract, a, b) if self.is_load(a, target.var) => -literal(b)?,
            _ => return None,
        };
        (is_counter && step != 0).then_some((target.var, step))
    }

    fn is_load(&self, e: ExprId, var: VarId) -> bool {
        matches!(self.procedure.expr(e), Expr::Load(access) if *access == Access::whole(var))
    }

    /// `i REL bound`, either way round.
    fn compared(&self, condition: ExprId, variable: VarId) -> Option<(BinaryOp, ExprId)> {
        let Expr::Binary(relation, a, b) = *self.procedure.expr(condition) else {
            return None;
        };
        if self.is_load(a, variable) {
            return Some((relation, b));
        }
        let mirrored = match relation {
            BinaryOp::Less => BinaryOp::Greater,
            BinaryOp::LessEqual => BinaryOp::GreaterEqual,
            BinaryOp::Greater => BinaryOp::Less,
            BinaryOp::GreaterEqual => BinaryOp::LessEqual,
            _ => return None,
        };
        self.is_load(b, variable).then_some((mirrored, a))
    }

    /// Whether neither the variable nor the bound changes in the body.
    fn is_fixed(&self, bound: ExprId, variable: VarId, body: &[StmtId]) -> bool {
        if !self.is_plain(bound) {
            return false;
        }
        let mut read: Vec<&Access> = self.procedure.reads_of_expr(bound);
        let counter = Access::whole(variable);
        if read.iter().any(|access| access.var == variable) {
            return false;
        }
        read.push(&counter);
        let mut fixed = true;
        self.procedure.walk_block(body, &mut |stmt| {
            let is_quoted = matches!(
                self.procedure.stmt(stmt),
                Stmt::Opaque { .. } | Stmt::Jump(_)
            );
            let touched = self.effects.stmt(self.module, self.id, stmt);
            fixed &= !is_quoted;
            fixed &= touched.writes.iter().all(|write| {
                let reshaped = touched.reshapes.contains(write);
                read.iter()
                    .all(|read| !self.may_change(write, reshaped, read))
            });
        });
        fixed
    }

    /// Whether an expression is made of integers and is the same wherever they are.
    fn is_plain(&self, e: ExprId) -> bool {
        let mut plain = true;
        self.procedure.walk_expr(e, &mut |node| {
            plain &= matches!(self.procedure.exprs[node].ty, Type::Integer { .. })
                && matches!(
                    self.procedure.expr(node),
                    Expr::Integer(_)
                        | Expr::Load(_)
                        | Expr::Unary(..)
                        | Expr::Binary(..)
                        | Expr::Convert(_)
                );
        });
        plain
    }

    /// Whether writing `write` may change the integer `read`.
    fn may_change(&self, write: &Access, reshaped: bool, read: &Access) -> bool {
        let (module, procedure) = (self.module, self.procedure);
        let is_number = !reshaped && is_number(module, procedure, write);
        self.effects.overlaps(self.id, read.var, write.var)
            && may_change(module, procedure, write, is_number, read)
    }
}
