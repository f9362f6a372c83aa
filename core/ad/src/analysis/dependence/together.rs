//! Which statements have certainly run where another one runs.
//!
//! In one iteration of the loops around both, an assignment that stands before a statement has run
//! before it if every branch around the assignment is taken the same way as one around the statement:
//! it is the same branch, or one of the same condition, made of what stays as it is in that iteration
//! (`if (t > 0)` twice in a loop over `t`).

use contraflow_ir::{Access, Expr, ExprId, Selector, Stmt, StmtId};

use super::Dependence;

impl Dependence<'_> {
    /// The assignments of a frame that run wherever `reader` runs in the same iterations of some loops,
    /// which are told with each: those around the branches that both share.
    pub(super) fn assignments_with(
        &self,
        reader: StmtId,
        frame: Option<StmtId>,
    ) -> Vec<(StmtId, Access, Vec<StmtId>)> {
        let block = match frame.map(|stmt| self.procedure.stmt(stmt)) {
            Some(Stmt::Loop { body, .. } | Stmt::While { body, .. }) => body,
            _ => &self.procedure.body,
        };
        let fixed = self.fixed_loops(frame);
        let mut found = Vec::new();
        let mut pending: Vec<(StmtId, Vec<StmtId>)> =
            block.iter().map(|&stmt| (stmt, Vec::new())).collect();
        while let Some((stmt, around)) = pending.pop() {
            let inside = |block: &[StmtId], around: &[StmtId]| {
                let with = |&stmt: &StmtId| (stmt, around.to_vec());
                block.iter().map(with).collect::<Vec<_>>()
            };
            match self.procedure.stmt(stmt) {
                Stmt::Assign { target, .. } => found.push((stmt, target.clone(), around)),
                Stmt::Loop { body, .. } | Stmt::Region { body, .. } => {
                    pending.extend(inside(body, &around));
                }
                Stmt::If { .. } | Stmt::Switch { .. } => {
                    let around = self.own_loops(stmt, &fixed);
                    let blocks = self.procedure.stmt(stmt).blocks();
                    for (arm, block) in blocks.into_iter().enumerate() {
                        if self.is_taken_with(stmt, arm as u32, reader) {
                            pending.extend(inside(block, &around));
                        }
                    }
                }
                _ => {}
            }
        }
        found
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
