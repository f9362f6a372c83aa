//! What is decided for one procedure, as data.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{StmtId, VarId};

/// How the iterations of a loop are reversed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Reversal {
    /// What the backward sweep needs is taped in the forward sweep.
    #[default]
    Split,
    /// Each iteration is run again just before it is reversed, from a snapshot of what it overwrites.
    Joint,
    /// As `Joint`, but snapshots are taken of a few iterations only, from which the others are run
    /// again.
    Checkpointed(Schedule),
}

/// Which iterations have a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Schedule {
    /// Griewank & Walther's binomial schedule with so many snapshots.
    Binomial {
        /// Snapshots that are kept at a time.
        slots: u32,
    },
    /// Snapshots at equal distances in a file, and the binomial schedule between them.
    Disk {
        /// Snapshots in the file.
        files: u32,
        /// Snapshots in memory at a time.
        slots: u32,
    },
}

/// What is decided for one procedure. What is not mentioned is split, and run again where a joint
/// loop needs it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Decisions {
    /// How loops are reversed; those that are not mentioned are split unless a plan finds better.
    pub loops: BTreeMap<StmtId, Reversal>,
    /// Assignments inside joint loops whose result is taped in the forward sweep and read back where
    /// the iteration is run again, instead of being computed a second time.
    pub stored: BTreeSet<StmtId>,
    /// Split loops, and variables that are kept whole where they start instead of where they overwrite
    /// them.
    pub whole: BTreeSet<(StmtId, VarId)>,
    /// Assignments to integers that are undone where they would save what they overwrite.
    pub undone: BTreeSet<StmtId>,
}

impl Decisions {
    /// The same with these loops joint.
    pub fn and_joint(&self, loops: impl IntoIterator<Item = StmtId>) -> Self {
        let mut more = self.clone();
        more.loops
            .extend(loops.into_iter().map(|l| (l, Reversal::Joint)));
        more
    }

    /// The same with this loop reversed like that.
    pub fn and(&self, l: StmtId, reversal: Reversal) -> Self {
        let mut more = self.clone();
        more.loops.insert(l, reversal);
        more
    }

    /// Whether one iteration of this loop is a frame: run forward and then backward in one go.
    pub fn is_frame(&self, stmt: StmtId) -> bool {
        self.reversal(stmt) != Reversal::Split
    }

    /// The loops whose iterations are frames.
    pub fn frames(&self) -> impl Iterator<Item = StmtId> {
        let is_frame = |(_, reversal): &(&StmtId, &Reversal)| **reversal != Reversal::Split;
        self.loops.iter().filter(is_frame).map(|(&l, _)| l)
    }

    /// How a loop is reversed.
    pub fn reversal(&self, stmt: StmtId) -> Reversal {
        self.loops.get(&stmt).copied().unwrap_or_default()
    }
}

impl Schedule {
    /// What is kept, in words.
    pub fn words(self) -> String {
        match self {
            Self::Binomial { slots } => format!("{slots} snapshots of its state"),
            Self::Disk { files, slots } => {
                format!("{files} snapshots of its state on disk and {slots} in memory")
            }
        }
    }
}
