//! Which statements have certainly run where another one runs.
//!
//! In one iteration of the loops around both, an assignment that stands before a statement has run
//! before it if every branch around the assignment is taken the same way as one around the statement:
//! it is the same branch, or one of the same condition, made of what stays as it is in that iteration
//! (`if (t > 0)` twice in a loop over `t`).

use contraflow_ir::{Access, Expr, ExprId, Selector, Stmt, StmtId, VarId};

use super::Dependence;
use super::first::ASKED;

impl Dependence<'_> {
    /// The assignments to a variable in a frame that run wherever `reader` runs in the same iterations of
    /// some loops, which are told with each: those around the branches that both share. Of many the nearest
    /// ones before it and the last ones after it, last ones first.
    pub(super) fn assignments_with(
        &self,
        reader: StmtId,
        var: VarId,
        frame: Option<StmtId>,
    ) -> Vec<(StmtId, &Access, Vec<StmtId>)> {
        let fixed = self.fixed_loops(frame);
        let all = self.assigns.get(&var).map_or(&[][..], Vec::as_slice);
        let after = all.partition_point(|&stmt| self.tree.extent(stmt) < self.tree.extent(reader));
        let (before, after) = all.split_at(after);
        let last = |some: &[StmtId]| some[some.len().saturating_sub(ASKED)..].to_vec();
        let mut found = Vec::new();
        for stmt in last(before).into_iter().chain(last(after)).rev() {
            let Stmt::Assign { target, .. } = self.procedure.stmt(stmt) else {
                continue;
            };
            if let Some(around) = self.around_shared(stmt, reader, frame, &fixed) {
                found.push((stmt, target, around));
            }
        }
        found
    }

    /// The loops around the innermost branch between a frame and an assignment, if each such branch is taken
    /// as one around `reader` is.
    fn around_shared(
        &self,
        stmt: StmtId,
        reader: StmtId,
        frame: Option<StmtId>,
        fixed: &[StmtId],
    ) -> Option<Vec<StmtId>> {
        let mut around = Vec::new();
        for step in self.tree.path_within(stmt, frame)? {
            let Some(owner) = step.owner.filter(|&owner| Some(owner) != frame) else {
                continue;
            };
            match self.procedure.stmt(owner) {
                Stmt::Loop { .. } | Stmt::Region { .. } => {}
                Stmt::If { .. } | Stmt::Switch { .. } => {
                    if !self.is_taken_with(owner, step.arm, reader) {
                        return None;
                    }
                    around = self.own_loops(owner, fixed);
                }
                _ => return None,
            }
        }
        Some(around)
    }

    /// Whether `first` runs wherever `second` does, in the same iteration of the loops around both, its
    /// own loops apart.
    pub(super) fn runs_with(&self, first: StmtId, second: StmtId) -> bool {
        let path = self.tree.path(first);
        path.iter().all(|step| match step.owner {
            Some(owner) if !self.tree.contains(owner, second) => match self.procedure.stmt(owner) {
                Stmt::Loop { .. } | Stmt::Region { .. } => true,
                Stmt::If { .. } => self.is_taken_with(owner, step.arm, second),
                _ => false,
            },
            _ => true,
        })
    }

    /// Whether an arm of a branch is taken wherever `stmt` runs.
    fn is_taken_with(&self, branch: StmtId, arm: u32, stmt: StmtId) -> bool {
        self.tree.path(stmt).iter().any(|step| {
            step.arm == arm
                && step
                    .owner
                    .is_some_and(|other| other == branch || self.decide_alike(branch, other))
        })
    }

    /// Whether two branches have the same condition, in the same loops, and nothing changes it there.
    fn decide_alike(&self, a: StmtId, b: StmtId) -> bool {
        let (
            Stmt::If { condition, .. },
            Stmt::If {
                condition: other, ..
            },
        ) = (self.procedure.stmt(a), self.procedure.stmt(b))
        else {
            return false;
        };
        if !self.procedure.same_expr(*condition, *other) {
            return false;
        }
        let loops = self.tree.loops(a);
        loops == self.tree.loops(b) && self.stays(*condition, &loops)
    }

    /// Whether an expression has one value in one iteration of these loops.
    fn stays(&self, e: ExprId, loops: &[StmtId]) -> bool {
        let is_plain = |selector: &Selector| matches!(selector, Selector::Index(_));
        let is_counter = |access: &Access| {
            loops.iter().any(|&l| {
                matches!(self.procedure.stmt(l),
                    Stmt::Loop { variable, .. } if *variable == access.var)
            })
        };
        let is_unchanged = self.procedure.reads_of_expr(e).into_iter().all(|read| {
            is_counter(read)
                || self.procedure.variables[read.var].is_constant()
                || self.is_invariant(read.var)
                    && self.has_one_name(read.var)
                    && read.path.iter().all(is_plain)
        });
        is_unchanged && self.is_made_of_values(e)
    }

    /// Whether an expression asks nothing of memory but what it holds.
    fn is_made_of_values(&self, e: ExprId) -> bool {
        let is_value = matches!(
            self.procedure.expr(e),
            Expr::Integer(_)
                | Expr::Real(_)
                | Expr::Logical(_)
                | Expr::Load(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Intrinsic(..)
                | Expr::Convert(_)
                | Expr::Select { .. }
        );
        let children = self.procedure.expr(e).children();
        is_value
            && children
                .into_iter()
                .all(|child| self.is_made_of_values(child))
    }
}
