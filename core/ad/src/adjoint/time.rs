//! Time loops: a loop whose iterations carry a state from one to the next and of which only a few
//! states are kept. The backward sweep goes to the latest kept state, runs the loop forward from there
//! without taping (it *advances*), and reverses one iteration (METHOD.md section 5).
//!
//! An iteration is a frame as that of a joint loop. What its reversal reads from outside is live where
//! it starts; so is what the statements read that carry such values through an iteration:
//!
//! ```text
//! live    = exposed(F) ∪ { what the body reads before writing it, for a value that is live after it }
//! state   = { v ∈ live : some statement of the body may write v }     kept in a snapshot
//! inputs  = live \ state                                             needed of the frame around
//! advance = { s : s may define a value that is live after it }        run again
//! ```

pub mod hints;
pub mod schedule;

use std::collections::BTreeSet;

use contraflow_ir::{Access, Callee, Diagnostic, Module, ProcedureId, Stmt, StmtId, VarId};

use super::extent::Extents;
use super::needs::{Needs, Subject};
use crate::analysis::Use;
use crate::analysis::tree::is_loop;
use crate::checkpoint::{Reversal, Schedule};

/// What goes from one iteration of a time loop to the next.
#[derive(Clone, Default, Debug)]
pub struct Carried {
    /// The variables that a snapshot keeps.
    pub state: Vec<VarId>,
    /// What the iterations read and none of them writes.
    pub inputs: Vec<VarId>,
    /// The statements that bring a state to the next iteration.
    pub advance: BTreeSet<StmtId>,
}

impl Carried {
    /// The values that the loop starts from, as uses before it.
    pub fn entered(&self, l: StmtId) -> impl Iterator<Item = Use> + '_ {
        self.state.iter().map(move |&var| before(l, var))
    }
}

/// The value of a whole variable before a loop.
pub fn before(l: StmtId, var: VarId) -> Use {
    Use {
        access: Access::whole(var),
        at: l,
        after: false,
    }
}

impl Subject<'_> {
    /// The schedule of a loop that is reversed with snapshots of some of its iterations.
    pub fn schedule(&self, l: StmtId) -> Option<Schedule> {
        match self.decisions.reversal(l) {
            Reversal::Checkpointed(schedule) => Some(schedule),
            Reversal::Split | Reversal::Joint => None,
        }
    }

    /// What a time loop carries, whose iteration has the needs that are known.
    pub(super) fn carried(&self, l: StmtId, needs: &Needs) -> Carried {
        let procedure = &self.module.procedures[self.id];
        let exposed: BTreeSet<VarId> = needs.frames[&Some(l)]
            .exposed
            .iter()
            .map(|used| used.access.var)
            .collect();
        let (live, advance) = self.carrying(l, exposed.iter().copied());
        let mut written: BTreeSet<VarId> = BTreeSet::new();
        for stmt in self.region(Some(l)) {
            written.extend(self.effects[stmt].writes.iter().map(|write| write.var));
        }
        let is_written = |var: &VarId| {
            written
                .iter()
                .any(|&other| other == *var || self.dependence.overlaps(other, *var))
        };
        let is_own = |var: &VarId| matches!(procedure.stmt(l), Stmt::Loop { variable, .. } if variable == var);
        let (state, inputs) = live
            .into_iter()
            .filter(|var| !is_own(var) && !procedure.variables[*var].is_constant())
            .filter(|var| exposed.contains(var) || !self.is_made_anew(l, *var, &advance))
            .partition(is_written);
        Carried {
            state,
            inputs,
            advance,
        }
    }

    /// Whether each of these statements that reads a variable finds what the same iteration wrote.
    fn is_made_anew(&self, l: StmtId, var: VarId, statements: &BTreeSet<StmtId>) -> bool {
        statements.iter().all(|&stmt| {
            self.effects[stmt].reads.iter().all(|read| {
                !self.dependence.overlaps(read.var, var)
                    || read.var == var
                        && !read.path.is_empty()
                        && self.dependence.is_covered(stmt, read, Some(l))
            })
        })
    }

    /// The time loops directly inside a frame that are reversed in it.
    pub(super) fn time_loops(&self, frame: Option<StmtId>, needs: &Needs) -> Vec<StmtId> {
        self.children(frame)
            .into_iter()
            .filter(|l| needs.carried.contains_key(l) && needs.reversed.contains(l))
            .collect()
    }
}

/// Whether a loop has something to reverse, and can be reversed with snapshots.
pub fn may_be_time_loop(subject: &Subject<'_>, l: StmtId) -> bool {
    is_loop(&subject.module.procedures[subject.id], l)
        && is_reversed(subject, l)
        && refusals(subject, l).is_empty()
}

/// Whether a loop has something to reverse.
pub fn is_reversed(subject: &Subject<'_>, l: StmtId) -> bool {
    let inside = subject.region(Some(l));
    inside.iter().any(|stmt| subject.active.contains(stmt))
}

/// What stands against reversing loops as the user wants it.
pub fn refused(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let loops = subject.decisions.frames();
    loops.flat_map(|l| refusals(subject, l)).collect()
}

/// Whether a time loop could have its snapshots on disk, if no other loop of its frame is around it.
pub fn may_be_on_disk(subject: &Subject<'_>, l: StmtId) -> bool {
    matches!(
        subject.module.procedures[subject.id].stmt(l),
        Stmt::Loop { .. }
    )
}

/// Whether it is known at entry how often a loop is run in one run of its frame, so that there is
/// room for the snapshots of each.
pub fn has_room(subject: &Subject<'_>, l: StmtId) -> bool {
    let Some(schedule) = subject.schedule(l) else {
        return true;
    };
    let procedure = &subject.module.procedures[subject.id];
    let extents = Extents {
        dependence: subject.dependence,
    };
    let mut out = procedure.clone();
    let all = subject.tree.loops(l);
    let within = subject.tree.loops_within(l, subject.frame_of(l));
    if matches!(schedule, Schedule::Disk { .. }) {
        return within.is_empty();
    }
    let around = all.len() - within.len();
    (around..all.len()).all(|depth| extents.loop_dim(&mut out, &all[..=depth]).is_some())
}

/// The ways in which running an iteration again would not do what it did the first time.
pub fn refusals(subject: &Subject<'_>, l: StmtId) -> Vec<Diagnostic> {
    let procedure = &subject.module.procedures[subject.id];
    let mut problems = Vec::new();
    for stmt in subject.region(Some(l)) {
        let Some((what, help)) = obstacle(subject, stmt) else {
            continue;
        };
        problems.push(
            Diagnostic::error(
                "not-checkpointed",
                format!(
                    "cannot reverse this loop of `{}` with snapshots: {what}",
                    procedure.name
                ),
            )
            .at(procedure.stmts[stmt].span, "here")
            .at(procedure.stmts[l].span, "the loop")
            .with_help(help),
        );
    }
    problems
}

fn obstacle(subject: &Subject<'_>, stmt: StmtId) -> Option<(String, &'static str)> {
    let procedure = &subject.module.procedures[subject.id];
    let is_reshaped = !subject.effects[stmt].reshapes.is_empty();
    match procedure.stmt(stmt) {
        Stmt::PointerAssign { .. } => Some((
            "a pointer is associated in it".into(),
            "associate it before the loop, or copy the values",
        )),
        _ if subject.writes_behind_pointers(stmt) => Some((
            "what pointers lead to is written in it, of which a snapshot keeps nothing".into(),
            "pass the memory as an array to a procedure that holds the loop",
        )),
        _ if is_reshaped => Some((
            "memory is allocated or released in it".into(),
            "allocate before the loop, or in a procedure that the loop calls",
        )),
        Stmt::Opaque { kind, writes, .. } if !writes.is_empty() => Some((
            format!("this {kind} statement cannot be run a second time"),
            "read or draw all values before the loop, and keep them in an array",
        )),
        Stmt::Call { callee, .. } => {
            if subject.once.contains(&stmt) {
                return Some((
                    "it calls a procedure that uses shared memory which cannot be named here"
                        .into(),
                    "use the variable in this procedure, or pass it as an argument",
                ));
            }
            match callee {
                Callee::Procedure(id) if subject.unrepeatable.contains(id) => Some((
                    format!(
                        "it calls `{}`, which reads from a file or draws random numbers",
                        subject.module.procedures[*id].name
                    ),
                    "read or draw all values before the loop, and pass them",
                )),
                Callee::Procedure(id) => speaks(subject.module, *id).map(|name| {
                    (
                        format!(
                            "it calls `{name}`, which has statements of its own that cannot be run a second time"
                        ),
                        "let the loop itself write what is to be seen, not a procedure that computes",
                    )
                }),
                Callee::External(name) => Some((
                    format!("it calls `{name}`, of which nothing is known"),
                    "give its source",
                )),
                Callee::Variable(_) => Some((
                    "it calls a procedure argument".into(),
                    "name the procedure: --bind",
                )),
            }
        }
        _ => None,
    }
}

/// A procedure that this one calls, itself included, that writes to a file or does what was not
/// understood.
fn speaks(module: &Module, id: ProcedureId) -> Option<&str> {
    let mut known = BTreeSet::from([id]);
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        let procedure = &module.procedures[id];
        if !procedure.has_body {
            return Some(&procedure.name);
        }
        for stmt in procedure.all_statements() {
            match procedure.stmt(stmt) {
                Stmt::Opaque { .. } => return Some(&procedure.name),
                Stmt::Call {
                    callee: Callee::Procedure(callee),
                    ..
                } => pending.extend(known.insert(*callee).then_some(*callee)),
                Stmt::Call { .. } => return Some(&procedure.name),
                _ => {}
            }
        }
    }
    None
}
