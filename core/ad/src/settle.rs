//! Removes reallocations that never happen.
//!
//! Fortran gives an allocatable the shape of what is assigned to it, so `a = x` stands in the program
//! as
//!
//! ```text
//! if (allocated(a)) if (size(a) /= n) deallocate (a)
//! if (.not. allocated(a)) allocate (a(n))
//! a(i) = x(i), for all i
//! ```
//!
//! Where a local is allocated by one statement at the top of the procedure with these very extents,
//! and is released at the top after all such assignments or not at all, the first two lines do
//! nothing. Without them the array has one shape and one memory as far as anybody can see, so that
//! pointers may lead to it and nothing has to be undone.

use std::collections::BTreeSet;

use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Module, Procedure, ProcedureId, Stmt, StmtId, Storage,
    UnaryOp, VarId,
};

use crate::analysis::{Effects, Tree};

/// The module without them.
pub fn settle(module: &Module, effects: &Effects) -> Module {
    let mut settled = module.clone();
    for id in module.procedures.ids() {
        let idle = idle_statements(module, effects, id);
        if !idle.is_empty() {
            remove(&mut settled.procedures[id], &idle);
        }
    }
    settled
}

fn remove(procedure: &mut Procedure, idle: &BTreeSet<StmtId>) {
    let keep = |block: &mut Vec<StmtId>| block.retain(|stmt| !idle.contains(stmt));
    keep(&mut procedure.body);
    for stmt in procedure.stmts.ids().collect::<Vec<_>>() {
        for block in procedure.stmts[stmt].stmt.blocks_mut() {
            keep(block);
        }
    }
}

fn idle_statements(module: &Module, effects: &Effects, id: ProcedureId) -> BTreeSet<StmtId> {
    let procedure = &module.procedures[id];
    let local = |var: VarId| {
        let variable = &procedure.variables[var];
        variable.allocation == Allocation::Allocatable && variable.storage == Storage::Local
    };
    let statements = procedure.all_statements();
    let mut candidates: BTreeSet<VarId> = BTreeSet::new();
    for &stmt in &statements {
        if let Stmt::Allocate { target, .. } = procedure.stmt(stmt)
            && target.path.is_empty()
            && local(target.var)
        {
            candidates.insert(target.var);
        }
    }
    if candidates.is_empty() {
        return BTreeSet::new();
    }
    let tree = Tree::of(procedure);
    let mut written: BTreeSet<VarId> = BTreeSet::new();
    let mut reshaped: Vec<(StmtId, VarId)> = Vec::new();
    for &stmt in &statements {
        let touched = effects.stmt(module, id, stmt);
        reshaped.extend(touched.reshapes.iter().map(|place| (stmt, place.var)));
        for write in touched.writes {
            written.insert(write.var);
            written.extend(effects.overlapping(id, write.var));
        }
    }
    let mut idle = BTreeSet::new();
    for var in candidates {
        let changes: Vec<StmtId> = reshaped
            .iter()
            .filter(|(_, other)| *other == var)
            .map(|&(stmt, _)| stmt)
            .collect();
        let view = View {
            procedure,
            tree: &tree,
            written: &written,
            var,
        };
        idle.extend(view.idle(&changes).into_iter().flatten());
    }
    idle
}

/// One variable of one procedure.
struct View<'a> {
    procedure: &'a Procedure,
    tree: &'a Tree,
    written: &'a BTreeSet<VarId>,
    var: VarId,
}

impl View<'_> {
    /// The statements that do nothing, if all changes of the variable's memory are of the form above.
    fn idle(&self, changes: &[StmtId]) -> Option<Vec<StmtId>> {
        let is_top = |stmt: StmtId| self.tree.owner(stmt).is_none();
        let position = |stmt: StmtId| self.tree.path(stmt).first().map(|step| step.index);
        let (mut made, mut freed) = (None, None);
        let mut patterns = Vec::new();
        let mut shapes = Vec::new();
        let mut conditions = Vec::new();
        for &stmt in changes {
            match self.procedure.stmt(stmt) {
                Stmt::Allocate { target, shape, .. } if target.path.is_empty() => {
                    let extents: Vec<ExprId> = shape.iter().map(|&(_, extent)| extent).collect();
                    shapes.push(extents);
                    match is_top(stmt) {
                        true if made.is_none() => made = Some(stmt),
                        true => return None,
                        false => patterns.push(self.guarded_allocation(stmt)?),
                    }
                }
                Stmt::Free { target } if target.path.is_empty() => match is_top(stmt) {
                    true if freed.is_none() => freed = Some(stmt),
                    true => return None,
                    false => {
                        let (owner, condition) = self.guarded_release(stmt)?;
                        patterns.push(owner);
                        conditions.push(condition);
                    }
                },
                _ => return None,
            }
        }
        let made = position(made?)?;
        let after = |stmt: StmtId| position(stmt).is_some_and(|place| place > made);
        let before = |stmt: StmtId| {
            freed.is_none_or(|freed| {
                position(stmt)
                    .zip(position(freed))
                    .is_some_and(|(a, b)| a < b)
            })
        };
        let (first, others) = shapes.split_first()?;
        let settled = first.iter().all(|&extent| self.is_settled(extent));
        let same = others.iter().all(|other| {
            other.len() == first.len()
                && other
                    .iter()
                    .zip(first)
                    .all(|(&a, &b)| self.procedure.same_expr(a, b))
        });
        let compared = conditions
            .iter()
            .all(|&condition| self.compares_extents(condition, first));
        (settled && same && compared && patterns.iter().all(|&stmt| after(stmt) && before(stmt)))
            .then_some(patterns)
    }

    /// The statement `if (.not. allocated(a)) allocate (a(…))` around an allocation.
    fn guarded_allocation(&self, stmt: StmtId) -> Option<StmtId> {
        let owner = self.tree.owner(stmt)?;
        let Stmt::If {
            condition,
            then,
            otherwise,
        } = self.procedure.stmt(owner)
        else {
            return None;
        };
        let Expr::Unary(UnaryOp::Not, asked) = *self.procedure.expr(*condition) else {
            return None;
        };
        (self.asks(asked) && then.as_slice() == [stmt] && otherwise.is_empty()).then_some(owner)
    }

    /// The statement `if (allocated(a)) if (condition) deallocate (a)` around a release, and its inner
    /// condition.
    fn guarded_release(&self, stmt: StmtId) -> Option<(StmtId, ExprId)> {
        let inner = self.tree.owner(stmt)?;
        let outer = self.tree.owner(inner)?;
        let only = |owner: StmtId, content: StmtId| match self.procedure.stmt(owner) {
            Stmt::If {
                condition,
                then,
                otherwise,
            } if then.as_slice() == [content] && otherwise.is_empty() => Some(*condition),
            _ => None,
        };
        let condition = only(inner, stmt)?;
        only(outer, inner).filter(|&condition| self.asks(condition))?;
        Some((outer, condition))
    }

    fn asks(&self, condition: ExprId) -> bool {
        matches!(self.procedure.expr(condition),
            Expr::Present(access) if *access == Access::whole(self.var))
    }

    /// `size(a, 1) /= n .or. …` with the extents that the variable has
    fn compares_extents(&self, condition: ExprId, extents: &[ExprId]) -> bool {
        match *self.procedure.expr(condition) {
            Expr::Binary(contraflow_ir::BinaryOp::Or, a, b) => {
                self.compares_extents(a, extents) && self.compares_extents(b, extents)
            }
            Expr::Binary(contraflow_ir::BinaryOp::NotEqual, a, b) => {
                let Expr::Bound {
                    ref array,
                    kind: contraflow_ir::BoundKind::Extent,
                    dim,
                } = *self.procedure.expr(self.stripped(a))
                else {
                    return false;
                };
                *array == Access::whole(self.var)
                    && extents.get(dim as usize).is_some_and(|&extent| {
                        let (other, own) = (self.stripped(b), self.stripped(extent));
                        self.procedure.same_expr(other, own)
                    })
            }
            _ => false,
        }
    }

    fn stripped(&self, e: ExprId) -> ExprId {
        match *self.procedure.expr(e) {
            Expr::Convert(inner) => self.stripped(inner),
            _ => e,
        }
    }

    /// Whether an expression has the same value wherever it stands.
    fn is_settled(&self, e: ExprId) -> bool {
        let mut settled = true;
        self.procedure.walk_expr(e, &mut |node| {
            settled &= match self.procedure.expr(node) {
                Expr::Load(access) => {
                    let variable = &self.procedure.variables[access.var];
                    access.path.is_empty()
                        && (variable.is_constant()
                            || variable.is_argument() && !self.written.contains(&access.var))
                }
                Expr::Bound { array, .. } => {
                    let variable = &self.procedure.variables[array.var];
                    array.path.is_empty()
                        && variable.is_argument()
                        && variable.allocation == Allocation::Fixed
                }
                Expr::Present(_)
                | Expr::Associated { .. }
                | Expr::Opaque { .. }
                | Expr::Required { .. } => false,
                _ => true,
            };
        });
        settled
    }
}
