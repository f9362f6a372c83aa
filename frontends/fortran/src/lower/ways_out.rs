//! Memory of a construct is released at its end and before each jump that leaves it.

use super::Lowerer;
use contraflow_ir::{Access, Block, Expr, Jump, JumpLabel, Stmt, StmtId, Type, VarId};
use std::collections::HashSet;

impl Lowerer<'_> {
    /// Releases memory, where it is not certainly there after a test.
    pub(super) fn released(&mut self, made: &[(VarId, bool)]) -> Vec<StmtId> {
        let mut statements = Vec::new();
        for &(var, is_certain) in made {
            let target = Access::whole(var);
            let free = self.build().stmt(Stmt::Free {
                target: target.clone(),
            });
            if is_certain {
                statements.push(free);
                continue;
            }
            let present = self.add(Expr::Present(target), Type::LOGICAL);
            statements.push(self.build().if_else(present, vec![free], Vec::new()));
        }
        statements
    }

    /// Releases memory before each jump that leaves `block` for somewhere beyond its end, which is
    /// `exit`.
    pub(super) fn release_where_left(
        &mut self,
        made: &[(VarId, bool)],
        block: &mut Block,
        exit: Option<JumpLabel>,
    ) {
        let leaving = self.leaving(block, exit);
        if made.is_empty() || leaving.is_empty() {
            return;
        }
        let mut inner = Vec::new();
        self.procedure.walk_block(block, &mut |id| inner.push(id));
        self.release_before(made, &leaving, block);
        for id in inner {
            let count = self.procedure.stmt(id).blocks().len();
            for arm in 0..count {
                let mut statements = std::mem::take(self.arm_mut(id, arm));
                self.release_before(made, &leaving, &mut statements);
                *self.arm_mut(id, arm) = statements;
            }
        }
    }

    fn arm_mut(&mut self, id: StmtId, arm: usize) -> &mut Block {
        self.procedure.stmts[id].stmt.blocks_mut().swap_remove(arm)
    }

    fn release_before(
        &mut self,
        made: &[(VarId, bool)],
        leaving: &HashSet<StmtId>,
        block: &mut Block,
    ) {
        if !block.iter().any(|id| leaving.contains(id)) {
            return;
        }
        let before = std::mem::take(block);
        for id in before {
            if leaving.contains(&id) {
                let released = self.released(made);
                block.extend(released);
            }
            block.push(id);
        }
    }

    /// The jumps of a block to somewhere outside of it, whose end is `exit`.
    fn leaving(&self, block: &Block, exit: Option<JumpLabel>) -> HashSet<StmtId> {
        let mut inside: HashSet<JumpLabel> = exit.into_iter().collect();
        let mut jumps = Vec::new();
        self.procedure
            .walk_block(block, &mut |id| match self.procedure.stmt(id) {
                Stmt::Loop { label, .. } | Stmt::While { label, .. } => inside.extend(*label),
                Stmt::Labelled { label, .. } => {
                    inside.insert(*label);
                }
                Stmt::Jump(jump) => jumps.push((id, *jump)),
                _ => {}
            });
        let leaves = |jump: &Jump| match jump {
            Jump::Exit(label) | Jump::Cycle(label) => !inside.contains(label),
            Jump::Return => true,
        };
        let leaving = jumps.into_iter().filter(|(_, jump)| leaves(jump));
        leaving.map(|(id, _)| id).collect()
    }
}
