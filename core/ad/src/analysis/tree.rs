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
    /// The innermost loop around a statement.
    around: SideTable<StmtNode, Option<StmtId>>,
    /// Its numbers.
    numbers: SideTable<StmtNode, Option<Numbers>>,
}

/// A statement's place in the order of the text, that of the last one in it, and how deep it lies.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    first: u32,
    last: u32,
    depth: u32,
}

impl Tree {
    /// Reads the tree off a procedure. Costs one walk.
    pub fn of(procedure: &Procedure) -> Self {
        let mut tree = Self {
            step: SideTable::new(None),
            around: SideTable::new(None),
            numbers: SideTable::new(None),
        };
        tree.enter(procedure, &procedure.body, (None, 0), 0);
        tree
    }

    /// Enters the statements of a block, which are counted from `next` on; how far that came.
    fn enter(
        &mut self,
        procedure: &Procedure,
        block: &[StmtId],
        (owner, arm): (Option<StmtId>, u32),
        mut next: u32,
    ) -> u32 {
        let depth = owner
            .and_then(|owner| self.numbers[owner])
            .map_or(0, |numbers| numbers.depth + 1);
        let around = owner.and_then(|owner| match is_loop(procedure, owner) {
            true => Some(owner),
            false => self.around[owner],
        });
        for (index, &stmt) in block.iter().enumerate() {
            let index = index as u32;
            self.step.set(stmt, Some(Step { owner, arm, index }));
            self.around.set(stmt, around);
            let first = next;
            let mut numbers = Numbers {
                first,
                last: first,
                depth,
            };
            self.numbers.set(stmt, Some(numbers));
            next += 1;
            for (arm, inner) in procedure.stmt(stmt).blocks().into_iter().enumerate() {
                next = self.enter(procedure, inner, (Some(stmt), arm as u32), next);
            }
            numbers.last = next - 1;
            self.numbers.set(stmt, Some(numbers));
        }
        next
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

    /// The steps of the path to `stmt` that lie inside `frame` (all of them where there is none); nothing
    /// for a statement that is not in it.
    pub fn path_within(&self, stmt: StmtId, frame: Option<StmtId>) -> Option<Vec<Step>> {
        let mut path = self.path(stmt);
        if let Some(frame) = frame {
            let start = path.iter().position(|step| step.owner == Some(frame))?;
            path.drain(..start);
        }
        Some(path)
    }

    /// The statements around `stmt`, outermost first, itself excluded.
    pub fn owners(&self, stmt: StmtId) -> Vec<StmtId> {
        self.path(stmt)
            .into_iter()
            .filter_map(|step| step.owner)
            .collect()
    }

    /// The loops (counted or not) around `stmt`, innermost first, itself excluded.
    pub fn loops_outwards(&self, stmt: StmtId) -> impl Iterator<Item = StmtId> + '_ {
        std::iter::successors(self.around[stmt], |&l| self.around[l])
    }

    /// The loops (counted or not) around `stmt`, outermost first, itself excluded.
    pub fn loops(&self, stmt: StmtId) -> Vec<StmtId> {
        let mut loops: Vec<StmtId> = self.loops_outwards(stmt).collect();
        loops.reverse();
        loops
    }

    /// The loops around `stmt` that lie inside `frame` (all of them where there is none).
    pub fn loops_within(&self, stmt: StmtId, frame: Option<StmtId>) -> Vec<StmtId> {
        let mut loops = self.loops(stmt);
        if let Some(position) = loops.iter().position(|&l| Some(l) == frame) {
            loops.drain(..=position);
        }
        loops
    }

    /// Whether a statement has run wherever `later` runs, in the same iteration of all loops around it: it
    /// stands before `later` in one of the blocks around that.
    pub fn dominates(&self, stmt: StmtId, later: StmtId) -> bool {
        let (Some(step), path) = (self.step[stmt], self.path(later)) else {
            return false;
        };
        path.iter().any(|other| {
            (other.owner, other.arm) == (step.owner, step.arm) && step.index < other.index
        })
    }

    /// The places of a statement and of the last one in it in the order of the text.
    pub fn extent(&self, stmt: StmtId) -> Option<[u32; 2]> {
        self.numbers[stmt].map(|numbers| [numbers.first, numbers.last])
    }

    /// Whether `outer` is `stmt` or lies around it.
    pub fn contains(&self, outer: StmtId, stmt: StmtId) -> bool {
        let is_inside = match (self.numbers[outer], self.numbers[stmt]) {
            (Some(outer), Some(inner)) => (outer.first..=outer.last).contains(&inner.first),
            _ => false,
        };
        is_inside || outer == stmt
    }

    /// The statements of one owner that hold two statements, neither of which holds the other, with
    /// their places; `None` for statements that are not in the body.
    pub fn parting(&self, a: StmtId, b: StmtId) -> Option<(StmtId, [Step; 2])> {
        let depth = |stmt| self.numbers[stmt].map(|numbers| numbers.depth);
        let (mut a, mut b) = (a, b);
        while depth(a)? > depth(b)? {
            a = self.owner(a)?;
        }
        while depth(b)? > depth(a)? {
            b = self.owner(b)?;
        }
        loop {
            let steps = [self.step[a]?, self.step[b]?];
            if steps[0].owner == steps[1].owner {
                return Some((a, steps));
            }
            (a, b) = (steps[0].owner?, steps[1].owner?);
        }
    }
}

/// Whether a statement repeats its body.
pub fn is_loop(procedure: &Procedure, stmt: StmtId) -> bool {
    matches!(procedure.stmt(stmt), Stmt::Loop { .. } | Stmt::While { .. })
}
