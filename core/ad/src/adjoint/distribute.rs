//! Innermost backward loops that vectorise: one loop per increment of a shadow.
//!
//! The adjoint of a stencil adds to several neighbours, `x_b(i-1) += …; x_b(i) += …; x_b(i+1) += …`.
//! In one loop these carry a dependence from iteration to iteration, and compilers leave them
//! scalar. Increments commute, so the loop is distributed (Kennedy & Allen): each loop has at most
//! one place per shadow, runs forwards, and the adjoints that are read are zeroed in a last one. A
//! row stays in the cache meanwhile, which is why this is done only inside another loop.
//!
//! It is done where the body is nothing but
//! * temporaries, of which those with a division or a function in them are used in one increment;
//! * increments `x_b(…) = x_b(…) + e`, none of whose shadows is read otherwise;
//! * at the end `v_b(…) = 0` for shadows that are read;
//! * values put back from a tape into variables that nothing here reads.

use std::collections::BTreeMap;

use contraflow_ir::{
    Access, BinaryOp, Builder, Expr, ExprId, ExprNode, Procedure, Role, Stmt, StmtId, VarId,
};

use crate::analysis::Dependence;

/// The bodies of the loops that together do what a loop with these bounds and `body` does; `None` where it is left as it is.
pub fn distribute(
    out: &mut Procedure,
    dependence: &Dependence<'_>,
    body: &[StmtId],
    bounds: &[ExprId],
) -> Option<Vec<Vec<StmtId>>> {
    let parts = Parts::of(out, body)?;
    let restores_bound = bounds
        .iter()
        .flat_map(|&bound| out.reads_of_expr(bound))
        .any(|read| {
            parts
                .restored
                .iter()
                .any(|&var| dependence.overlaps(read.var, var))
        });
    if restores_bound {
        return None;
    }
    if !parts.has_conflict(out) || !parts.is_legal(out, dependence) {
        return None;
    }
    let mut loops: Vec<Vec<(VarId, StmtId)>> = Vec::new();
    let mut texts: Vec<StmtId> = parts.comments.clone();
    for (target, value) in &parts.increments {
        let value = substitute(out, &parts.temporaries, *value);
        let stmt = Builder::new(out).assign(target.clone(), value);
        let free = loops
            .iter_mut()
            .find(|group| group.iter().all(|&(var, _)| var != target.var));
        match free {
            Some(group) => group.push((target.var, stmt)),
            None => loops.push(vec![(target.var, stmt)]),
        }
    }
    let restores = (!parts.restores.is_empty()).then_some(parts.restores);
    let loops = loops
        .into_iter()
        .map(|group| group.into_iter().map(|(_, stmt)| stmt).collect());
    let mut bodies: Vec<Vec<StmtId>> = restores.into_iter().chain(loops).collect();
    if let Some(first) = bodies.first_mut() {
        texts.append(first);
        *first = texts;
    }
    if !parts.zeros.is_empty() {
        bodies.push(parts.zeros);
    }
    Some(bodies)
}

#[derive(Default)]
struct Parts {
    comments: Vec<StmtId>,
    temporaries: BTreeMap<VarId, ExprId>,
    restores: Vec<StmtId>,
    restored: Vec<VarId>,
    increments: Vec<(Access, ExprId)>,
    zeros: Vec<StmtId>,
    zeroed: Vec<Access>,
}

impl Parts {
    /// The parts of a body, if it has no others.
    fn of(out: &Procedure, body: &[StmtId]) -> Option<Parts> {
        let mut parts = Parts::default();
        for &stmt in body {
            match out.stmt(stmt) {
                Stmt::Comment(_) => parts.comments.push(stmt),
                Stmt::Assign { target, value } => parts.add(out, stmt, target, *value)?,
                _ => return None,
            }
        }
        Some(parts)
    }

    fn add(&mut self, out: &Procedure, stmt: StmtId, target: &Access, value: ExprId) -> Option<()> {
        let variable = &out.variables[target.var];
        match variable.role {
            Role::Temporary if target.path.is_empty() => {
                // A second value of one temporary would need its own name.
                let is_new = self.temporaries.insert(target.var, value).is_none();
                (is_new && self.zeroed.is_empty()).then_some(())
            }
            Role::Shadow { .. } if !target.path.is_empty() => {
                if is_increment(out, target, value) {
                    let reads_zero = out
                        .reads_of_expr(value)
                        .iter()
                        .any(|read| self.zeroed.iter().any(|zeroed| zeroed.var == read.var));
                    if reads_zero {
                        return None;
                    }
                    self.increments.push((target.clone(), value));
                } else if is_zero(out, value) {
                    self.zeros.push(stmt);
                    self.zeroed.push(target.clone());
                } else {
                    return None;
                }
                Some(())
            }
            Role::Primal if !target.path.is_empty() => {
                let from_tape = matches!(out.expr(value), Expr::Load(access)
                    if out.variables[access.var].role == Role::Tape);
                self.restores.push(stmt);
                self.restored.push(target.var);
                from_tape.then_some(())
            }
            _ => None,
        }
    }

    /// Whether one shadow is incremented at two places, so that a compiler sees a dependence.
    fn has_conflict(&self, out: &Procedure) -> bool {
        self.increments.iter().enumerate().any(|(n, (a, _))| {
            self.increments[..n]
                .iter()
                .any(|(b, _)| a.var == b.var && !out.same_access(a, b))
        })
    }

    fn is_legal(&self, out: &Procedure, dependence: &Dependence<'_>) -> bool {
        let mut reads: Vec<&Access> = Vec::new();
        for (target, value) in &self.increments {
            let all = out.reads_of_expr(*value);
            let mut own = true;
            for read in all {
                if own && out.same_access(read, target) {
                    own = false;
                } else {
                    reads.push(read);
                }
            }
        }
        for &value in self.temporaries.values() {
            reads.extend(out.reads_of_expr(value));
        }
        let primal = |var: VarId| match out.variables[var].role {
            Role::Shadow { of } => Some(of),
            _ => None,
        };
        let may_overlap = |a: VarId, b: VarId| match (primal(a), primal(b)) {
            (Some(p), Some(q)) => dependence.overlaps(p, q),
            _ => a == b,
        };
        let increments_unread = self.increments.iter().all(|(target, _)| {
            reads.iter().all(|read| !may_overlap(read.var, target.var))
                && self
                    .zeroed
                    .iter()
                    .all(|zeroed| !may_overlap(zeroed.var, target.var))
        });
        // A zeroed place is read only as itself, in its own iteration.
        let zeroed_as_read = self.zeroed.iter().all(|zeroed| {
            reads
                .iter()
                .all(|read| !may_overlap(read.var, zeroed.var) || out.same_access(read, zeroed))
        });
        let places = self.increments.iter().map(|(target, _)| target);
        let subscripts = places
            .chain(&self.zeroed)
            .flat_map(Access::expressions)
            .flat_map(|e| out.reads_of_expr(e));
        let all: Vec<&Access> = subscripts.chain(reads.iter().copied()).collect();
        let restored_unread = self
            .restored
            .iter()
            .all(|&var| all.iter().all(|read| !dependence.overlaps(read.var, var)));
        increments_unread && restored_unread && zeroed_as_read && self.is_cheap(out)
    }

    /// Whether computing temporaries again in each loop costs little.
    fn is_cheap(&self, out: &Procedure) -> bool {
        self.temporaries.iter().all(|(&var, &value)| {
            if !is_heavy(out, value) {
                return true;
            }
            let uses = self
                .increments
                .iter()
                .map(|(_, value)| *value)
                .chain(self.temporaries.values().copied())
                .filter(|&value| out.reads_of_expr(value).iter().any(|read| read.var == var))
                .count();
            uses <= 1
        })
    }
}

fn is_increment(out: &Procedure, target: &Access, value: ExprId) -> bool {
    match out.expr(value) {
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, old, _) => {
            matches!(out.expr(*old), Expr::Load(access) if out.same_access(access, target))
        }
        _ => false,
    }
}

fn is_zero(out: &Procedure, value: ExprId) -> bool {
    matches!(out.expr(value), Expr::Real(text) if text.parse::<f64>() == Ok(0.0))
}

fn is_heavy(out: &Procedure, root: ExprId) -> bool {
    let mut heavy = false;
    out.walk_expr(root, &mut |e| {
        heavy |= matches!(
            out.expr(e),
            Expr::Intrinsic(..)
                | Expr::Select { .. }
                | Expr::Binary(BinaryOp::Power | BinaryOp::Divide, ..)
        );
    });
    heavy
}

/// `e` with temporaries replaced by what they hold.
fn substitute(out: &mut Procedure, temporaries: &BTreeMap<VarId, ExprId>, e: ExprId) -> ExprId {
    let node = out.exprs[e].clone();
    let expr = match node.expr {
        Expr::Load(ref access) if access.path.is_empty() => {
            return match temporaries.get(&access.var) {
                Some(&value) => substitute(out, temporaries, value),
                None => e,
            };
        }
        Expr::Unary(op, x) => Expr::Unary(op, substitute(out, temporaries, x)),
        Expr::Convert(x) => Expr::Convert(substitute(out, temporaries, x)),
        Expr::Binary(op, x, y) => Expr::Binary(
            op,
            substitute(out, temporaries, x),
            substitute(out, temporaries, y),
        ),
        Expr::Intrinsic(f, list) => Expr::Intrinsic(
            f,
            list.into_iter()
                .map(|x| substitute(out, temporaries, x))
                .collect(),
        ),
        Expr::Select {
            condition,
            then,
            otherwise,
        } => Expr::Select {
            condition: substitute(out, temporaries, condition),
            then: substitute(out, temporaries, then),
            otherwise: substitute(out, temporaries, otherwise),
        },
        _ => return e,
    };
    out.exprs.add(ExprNode { expr, ..node })
}
