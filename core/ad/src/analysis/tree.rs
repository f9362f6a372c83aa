//! Where each statement stands: its place in the tree of blocks, and the order of execution that
//! follows from it.

use contraflow_ir::{Procedure, SideTable, Stmt, StmtId, StmtNode};

/// One step from a block to a statement in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The statement that owns the block; `None` for the procedure's body.
    pub owner: Option<StmtId>,
    /// Which of the owner's blocks.
    pub arm: u32,
    /// The position in the block.
    pub index: u32,
}

/// The place of every statement of a procedure's body.
#[derive(Clone, Debug)]
pub struct Tree {
    step: SideTable<StmtNode, Option<Step>>,
}

impl Tree {
    /// Reads the tree off a procedure. Costs one walk.
    pub fn of(procedure: &Procedure) -> Self {
        let mut tree = Self {
            step: SideTable::new(None),
        };
        tree.enter(procedure, &procedure.body, None, 0);
        tree
    }

    fn enter(&mut self, procedure: &Procedure, block: &[StmtId], owner: Option<StmtId>, arm: u32) {
        for (index, &stmt) in block.iter().enumerate() {
            let index = index as u32;
            self.step.set(stmt, Some(Step { owner, arm, index }));
            for (arm, inner) in procedure.stmt(stmt).blocks().into_iter().enumerate() {
                self.enter(procedure, inner, Some(stmt), arm as u32);
            }
        }
    }

    /// The statement whose block holds `stmt`.
    pub fn owner(&self, stmt: StmtId) -> Option<StmtId> {
        self.step[stmt].and_then(|step| step.owner)
    }

    /// The steps from the body to `stmt`, outermost first.
    pub fn path(&self, stmt: StmtId) -> Vec<Step> {
        let mut path = Vec::new();
        let mut next = Some(stmt);
        while let Some(stmt) = next {
            let Some(step) = self.step[stmt] else { break };
            path.push(step);
            next = step.owner;
        }
        path.reverse();
        path
    }

    /// The statements around `stmt`, outermost first, itself excluded.
    pub fn owners(&self, stmt: StmtId) -> Vec<StmtId> {
        self.path(stmt)
            .into_iter()
            .filter_map(|step| step.owner)
            .collect()
    }

    /// The loops (counted or not) around `stmt`, outermost first, itself excluded.
    pub fn loops(&self, procedure: &Procedure, stmt: StmtId) -> Vec<StmtId> {
        self.owners(stmt)
            .into_iter()
            .filter(|&owner| is_loop(procedure, owner))
            .collect()
    }

    /// The loops around `stmt` that lie inside `frame` (all of them where there is none).
    pub fn loops_within(
        &self,
        procedure: &Procedure,
        stmt: StmtId,
        frame: Option<StmtId>,
    ) -> Vec<StmtId> {
        let mut loops = self.loops(procedure, stmt);
        if let Some(position) = loops.iter().position(|&l| Some(l) == frame) {
            loops.drain(..=position);
        }
        loops
    }

    /// Whether `outer` is `stmt` or lies around it.
    pub fn contains(&self, outer: StmtId, stmt: StmtId) -> bool {
        let mut next = Some(stmt);
        while let Some(stmt) = next {
            if stmt == outer {
                return true;
            }
            next = self.owner(stmt);
        }
        false
    }
}

/// Whether a statement repeats its body.
pub fn is_loop(procedure: &Procedure, stmt: StmtId) -> bool {
    matches!(procedure.stmt(stmt), Stmt::Loop { .. } | Stmt::While { .. })
}
