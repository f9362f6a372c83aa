//! The choices of one procedure as a plain 0-1 problem (METHOD.md section 7).
//!
//! ```text
//! y[l,p]   loop l is joint, and p is the innermost joint loop around it (the procedure itself, or
//!          another loop): p's forward run takes l's snapshots
//! run[v]   the joint loop around assignment v computes v again
//! read[v,p]  it reads v back from a tape that p's forward run fills
//!
//! minimise   time = Σ time·y + Σ work·run + Σ time·read
//! subject to J[l] = Σ_p y[l,p] ≤ 1,   y[l,p] ≤ J[p],   y[l,p] + J[q] ≤ 1 for q between p and l
//!            run[v] + Σ read[v] ≥ J[l] - Σ J[q]      v is used by l's backward sweep
//!            run[v] + Σ read[v] ≥ run[u]             v is an operand of u
//!            read[v,p] ≤ y[l,p]
//!            Σ bytes·y + Σ bytes·read ≤ M
//! ```
//!
//! All tapes of a procedure live from its entry to its return, so that one row holds its memory at
//! every point of both sweeps. Coefficients are differences of exact costs: the needs are computed
//! with `p` joint, and with `p` and `l` joint.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{Stmt, StmtId};

use super::candidates;
use super::cost::{Cost, Entry, Meter, Reason};
use super::decisions::{Decisions, Reversal, Schedule};
use crate::adjoint::needs::{self, Needs, Subject, control_expressions};
use crate::adjoint::time;
use crate::analysis::Use;

/// With more pairs of loops than this, one loop of a path can be joint only.
const MANY_PAIRS: usize = 300;
/// With more statements than this likewise.
const MANY_STATEMENTS: usize = 1500;

/// The needs of a procedure are found once for each loop: for as many loops as statements go into this,
/// those that keep most.
const STATEMENTS_IN_ALL: usize = 150_000;
/// For this many loops in any case.
const FEW_LOOPS: usize = 16;

/// A loop that may be joint.
#[derive(Clone, Default, Debug)]
pub struct LoopInfo {
    /// The loop; nothing in problems made for tests.
    pub id: Option<StmtId>,
    /// The candidates around it, innermost first.
    pub around: Vec<usize>,
}

/// A loop joint inside another one.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The loop.
    pub inner: usize,
    /// The innermost joint loop around it.
    pub parent: Option<usize>,
    /// How it is reversed.
    pub reversal: Reversal,
    /// What it adds to the cost.
    pub cost: Cost,
}

/// An assignment in the iteration of a joint loop.
#[derive(Clone, Default, Debug)]
pub struct Item {
    /// The assignment; nothing in problems made for tests.
    pub stmt: Option<StmtId>,
    /// The joint loop.
    pub inner: usize,
    /// Candidates between the loop and the assignment: where one is joint, this item is not there.
    pub between: Vec<usize>,
    /// Whether the backward sweep of the iteration uses it.
    pub needed: bool,
    /// Items of the same loop that it is computed from.
    pub operands: Vec<usize>,
    /// Operations to compute it again.
    pub work: f64,
    /// What it costs to tape it, by the innermost joint loop around the item's loop.
    pub stores: Vec<(Option<usize>, Cost)>,
}

/// The problem.
#[derive(Clone, Default, Debug)]
pub struct Problem {
    /// What is decided already.
    pub given: Decisions,
    /// The cost with all other loops split.
    pub split: Cost,
    /// The loops that may be joint, outer ones first.
    pub loops: Vec<LoopInfo>,
    /// What can be taken.
    pub choices: Vec<Choice>,
    /// What can be read back.
    pub items: Vec<Item>,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Selection {
    /// By loop, how it is reversed if it is not split.
    pub loops: Vec<Option<Reversal>>,
    /// By item, whether it is read back (where its loop is joint).
    pub read: Vec<bool>,
}

impl Problem {
    /// All split.
    pub fn nothing(&self) -> Selection {
        Selection {
            loops: vec![None; self.loops.len()],
            read: vec![false; self.items.len()],
        }
    }

    /// Whether there are so few pairs of loops, one inside the other, that both may be joint.
    pub fn may_nest(&self) -> bool {
        let pairs: usize = self.loops.iter().map(|info| info.around.len()).sum();
        pairs <= MANY_PAIRS
    }

    /// The innermost joint loop around a loop.
    pub fn parent(&self, l: usize, selection: &Selection) -> Option<usize> {
        self.loops[l]
            .around
            .iter()
            .copied()
            .find(|&p| selection.loops[p].is_some())
    }

    /// Bytes and time of a selection; `None` where a pair of loops is no choice.
    pub fn evaluate(&self, selection: &Selection) -> Option<(f64, f64)> {
        let mut sum = self.split;
        let mut add = |cost: &Cost| {
            sum.bytes += cost.bytes;
            sum.traffic += cost.traffic;
            sum.work += cost.work;
        };
        let mut missing = 0;
        let parents: Vec<Option<Option<usize>>> = (0..self.loops.len())
            .map(|l| {
                selection.loops[l]?;
                missing += 1;
                Some(self.parent(l, selection))
            })
            .collect();
        for choice in &self.choices {
            if parents[choice.inner] == Some(choice.parent)
                && selection.loops[choice.inner] == Some(choice.reversal)
            {
                add(&choice.cost);
                missing -= 1;
            }
        }
        if missing != 0 {
            return None;
        }
        let live = |item: &Item| self.is_live(item, selection);
        // Operands of what is computed again must be there: read back, or computed again too.
        let mut wanted: Vec<bool> = self
            .items
            .iter()
            .map(|item| item.needed && live(item))
            .collect();
        let mut waiting: Vec<usize> = (0..wanted.len()).filter(|&v| wanted[v]).collect();
        let mut done = vec![false; wanted.len()];
        while let Some(v) = waiting.pop() {
            if done[v] {
                continue;
            }
            done[v] = true;
            let item = &self.items[v];
            let parent = self.parent(item.inner, selection);
            let store = item.stores.iter().find(|(p, _)| *p == parent);
            match (selection.read[v] && live(item), store) {
                (true, Some((_, cost))) => add(cost),
                _ => {
                    add(&Cost {
                        work: item.work,
                        ..Cost::default()
                    });
                    for &operand in &item.operands {
                        wanted[operand] = true;
                        waiting.push(operand);
                    }
                }
            }
        }
        Some((sum.bytes, sum.time()))
    }

    /// Whether the iterations that an item stands for are run again one by one.
    fn is_live(&self, item: &Item, selection: &Selection) -> bool {
        selection.loops[item.inner] == Some(Reversal::Joint)
            && item.between.iter().all(|&q| selection.loops[q].is_none())
    }

    /// The reversals that a loop may have.
    pub fn reversals(&self, l: usize) -> Vec<Reversal> {
        let mut all: Vec<Reversal> = Vec::new();
        for choice in self.choices.iter().filter(|choice| choice.inner == l) {
            if !all.contains(&choice.reversal) {
                all.push(choice.reversal);
            }
        }
        all
    }

    /// The decisions that a selection stands for.
    pub fn decisions(&self, selection: &Selection) -> Decisions {
        let mut decisions = self.given.clone();
        for (info, reversal) in self.loops.iter().zip(&selection.loops) {
            if let (Some(id), Some(reversal)) = (info.id, *reversal) {
                decisions.loops.insert(id, reversal);
            }
        }
        for (v, item) in self.items.iter().enumerate() {
            if selection.read[v] && self.is_live(item, selection) {
                decisions.stored.extend(item.stmt);
            }
        }
        decisions
    }
}

/// Weighs each candidate.
pub fn build(subject: &Subject<'_>, meter: &mut Meter<'_, '_>) -> Problem {
    let split_needs = subject.needs();
    let mut problem = Problem {
        given: subject.decisions.clone(),
        split: meter.cost(subject, &split_needs),
        ..Problem::default()
    };
    if problem.split.bytes == 0.0 {
        return problem;
    }
    let ids = candidates::loops(subject, &split_needs, meter.weighs_schedules());
    for &id in &ids {
        let around = subject
            .tree
            .owners(id)
            .into_iter()
            .rev()
            .filter_map(|owner| ids.iter().position(|&other| other == owner))
            .collect();
        problem.loops.push(LoopInfo {
            id: Some(id),
            around,
        });
    }
    let size = subject.module.procedures[subject.id].stmts.len();
    let nests = problem.may_nest() && size <= MANY_STATEMENTS;
    let procedure = &subject.module.procedures[subject.id];
    let mut alone: Vec<Option<Needs>> = Vec::new();
    let mut costs: Vec<Option<Cost>> = Vec::new();
    let weighed = with_most_kept(subject, meter, &split_needs, &ids);
    for &id in &ids {
        let may_be_joint = weighed.contains(&id)
            && needs::may_be_joint(procedure, id)
            && candidates::can_run_again(subject, procedure, id)
            && candidates::snapshots_are_whole(subject, id);
        if !may_be_joint {
            alone.push(None);
            costs.push(None);
            continue;
        }
        let one = subject.decisions.and_joint([id]);
        let decided = subject.with(&one);
        let needs = decided.needs();
        costs.push(Some(meter.cost(&decided, &needs)));
        alone.push(Some(needs));
    }
    for inner in 0..ids.len() {
        if let Some(cost) = costs[inner] {
            problem.choices.push(Choice {
                inner,
                parent: None,
                reversal: Reversal::Joint,
                cost: difference(cost, problem.split),
            });
        }
        if weighed.contains(&ids[inner]) {
            add_schedules(subject, meter, ids[inner], inner, &mut problem);
        }
        let around = problem.loops[inner].around.clone();
        for outer in around
            .into_iter()
            .filter(|_| nests && costs[inner].is_some())
        {
            let Some(outer_cost) = costs[outer] else {
                continue;
            };
            let both = subject.decisions.and_joint([ids[outer], ids[inner]]);
            let decided = subject.with(&both);
            let needs = decided.needs();
            problem.choices.push(Choice {
                inner,
                parent: Some(outer),
                reversal: Reversal::Joint,
                cost: difference(meter.cost(&decided, &needs), outer_cost),
            });
        }
    }
    if nests {
        for (inner, needs) in alone.iter().enumerate() {
            if let Some(needs) = needs {
                add_items(subject, meter, &ids, inner, needs, &mut problem);
            }
        }
    }
    problem
}

/// The loops that are weighed: all, or those in which most bytes are kept with all loops split.
fn with_most_kept(
    subject: &Subject<'_>,
    meter: &mut Meter<'_, '_>,
    needs: &Needs,
    ids: &[StmtId],
) -> BTreeSet<StmtId> {
    let size = subject.module.procedures[subject.id].stmts.len();
    let most = FEW_LOOPS.max(STATEMENTS_IN_ALL / size.max(1));
    if ids.len() <= most {
        return ids.iter().copied().collect();
    }
    let mut kept: BTreeMap<StmtId, f64> = ids.iter().map(|&id| (id, 0.0)).collect();
    for entry in meter.entries(subject, needs) {
        let around = subject.tree.owners(entry.stmt);
        for stmt in around.into_iter().chain([entry.stmt]) {
            if let Some(bytes) = kept.get_mut(&stmt) {
                *bytes += entry.cost.bytes;
            }
        }
    }
    let mut order = ids.to_vec();
    order.sort_by(|a, b| kept[b].total_cmp(&kept[a]));
    order.into_iter().take(most).collect()
}

/// Snapshots on disk: as many as may be there or fractions of them, and a few in memory between them.
fn on_disk(
    subject: &Subject<'_>,
    meter: &mut Meter<'_, '_>,
    id: StmtId,
    needs: &Needs,
    room: Option<f64>,
) -> Vec<Schedule> {
    let Some(allowed) = meter.disk().filter(|_| time::may_be_on_disk(subject, id)) else {
        return Vec::new();
    };
    let trips = meter.trips(id);
    let state = meter.state_bytes(subject, needs, id);
    let most = (allowed / state.max(1.0)).floor().min(trips - 1.0);
    let files = [1.0, 2.0, 4.0, 8.0].map(|part| (most / part).floor());
    let files: BTreeSet<u32> = files
        .into_iter()
        .filter(|&files| (1.0..1e6).contains(&files))
        .map(|files| files as u32)
        .collect();
    let slots = [Some(1.0), Some(2.0), Some(5.0), Some(10.0), room];
    let slots: BTreeSet<u32> = slots
        .into_iter()
        .flatten()
        .filter(|&slots| slots >= 1.0 && slots < trips && slots < 1e6)
        .map(|slots| slots as u32)
        .collect();
    let of = |files: u32| {
        slots
            .iter()
            .map(move |&slots| Schedule::Disk { files, slots })
    };
    files.into_iter().flat_map(of).collect()
}

/// A loop with snapshots of some iterations: with one, with what is left of the memory, with about the
/// square root and with fractions of its trips.
fn add_schedules(
    subject: &Subject<'_>,
    meter: &mut Meter<'_, '_>,
    id: StmtId,
    inner: usize,
    problem: &mut Problem,
) {
    if !meter.weighs_schedules() || !time::may_be_time_loop(subject, id) {
        return;
    }
    let under = |schedule| subject.decisions.and(id, Reversal::Checkpointed(schedule));
    let with = |slots: u32| under(Schedule::Binomial { slots });
    let one = with(1);
    let decided = subject.with(&one);
    if !time::has_room(&decided, id) {
        return;
    }
    let needs = decided.needs();
    let least = meter.cost(&decided, &needs).bytes;
    let two = with(2);
    let step = meter.cost(&subject.with(&two), &needs).bytes - least;
    let trips = meter.trips(id);
    let room = meter
        .limit()
        .map(|limit| ((limit - least) / step.max(1.0)).floor() + 1.0);
    let grid = [
        Some(1.0),
        Some(2.0),
        Some(3.0),
        Some(5.0),
        Some(8.0),
        Some(trips.sqrt().floor()),
        Some((trips / 8.0).floor()),
        Some((trips / 4.0).floor()),
        Some((trips / 3.0).floor()),
        Some((trips / 2.0).floor()),
        room,
    ];
    let slots: BTreeSet<u32> = grid
        .into_iter()
        .flatten()
        .filter(|&slots| slots >= 1.0 && slots < trips && slots < 1e6)
        .map(|slots| slots as u32)
        .collect();
    let in_memory = slots.into_iter().map(|slots| Schedule::Binomial { slots });
    let on_disk = on_disk(&decided, meter, id, &needs, room);
    for schedule in in_memory.chain(on_disk) {
        let decisions = under(schedule);
        if !time::has_room(&subject.with(&decisions), id) {
            continue;
        }
        let cost = meter.cost(&subject.with(&decisions), &needs);
        problem.choices.push(Choice {
            inner,
            parent: None,
            reversal: decisions.reversal(id),
            cost: difference(cost, problem.split),
        });
    }
}

fn difference(a: Cost, b: Cost) -> Cost {
    Cost {
        bytes: a.bytes - b.bytes,
        traffic: a.traffic - b.traffic,
        work: a.work - b.work,
    }
}

/// The assignments that a joint loop runs again, where reading one of them back can pay.
fn add_items(
    subject: &Subject<'_>,
    meter: &mut Meter<'_, '_>,
    ids: &[StmtId],
    inner: usize,
    needs: &Needs,
    problem: &mut Problem,
) {
    let procedure = &subject.module.procedures[subject.id];
    let l = ids[inner];
    let alone = subject.decisions.and_joint([l]);
    let decided = subject.with(&alone);
    let slice: Vec<StmtId> = needs.frames[&Some(l)]
        .slice
        .iter()
        .copied()
        .filter(|&stmt| matches!(procedure.stmt(stmt), Stmt::Assign { .. }))
        .collect();
    let total: f64 = slice.iter().map(|&stmt| meter.work(stmt)).sum();
    let entries = meter.entries(&decided, needs);
    let may_pay: BTreeSet<StmtId> = slice
        .iter()
        .copied()
        .filter(|&stmt| candidates::may_be_stored(&decided, stmt))
        .filter(|&stmt| {
            let spared = total + restored_for(subject, stmt, &entries);
            meter.store(&decided, None, stmt).time() < spared
        })
        .collect();
    if may_pay.is_empty() {
        return;
    }
    let direct = used_backwards(&decided, l, needs);
    let first = problem.items.len();
    let defines = |stmt: StmtId, read: contraflow_ir::VarId| {
        subject.effects[stmt]
            .writes
            .iter()
            .any(|write| subject.dependence.overlaps(write.var, read))
    };
    for &stmt in &slice {
        let operands = slice
            .iter()
            .enumerate()
            .filter(|&(_, &other)| {
                subject.effects[stmt]
                    .reads
                    .iter()
                    .any(|read| defines(other, read.var))
            })
            .map(|(k, _)| first + k)
            .collect();
        let parents =
            std::iter::once(None).chain(problem.loops[inner].around.iter().copied().map(Some));
        let stores: Vec<(Option<usize>, Cost)> = match may_pay.contains(&stmt) {
            false => Vec::new(),
            true => parents
                .collect::<Vec<_>>()
                .into_iter()
                .map(|parent| {
                    let loops = parent.map(|p| ids[p]).into_iter().chain([l]);
                    let decisions = subject.decisions.and_joint(loops);
                    let decided = subject.with(&decisions);
                    let frame = parent.map(|p| ids[p]);
                    (parent, meter.store(&decided, frame, stmt))
                })
                .collect(),
        };
        let between = (0..ids.len())
            .filter(|&q| q != inner && subject.tree.contains(l, ids[q]))
            .filter(|&q| subject.tree.contains(ids[q], stmt))
            .collect();
        problem.items.push(Item {
            stmt: Some(stmt),
            inner,
            between,
            needed: direct.iter().any(|used| defines(stmt, used.access.var)),
            operands,
            work: meter.work(stmt),
            stores,
        });
    }
    // What the items stand for is no longer part of the choice.
    for choice in &mut problem.choices {
        if choice.inner == inner && choice.reversal == Reversal::Joint {
            choice.cost.work -= total;
        }
    }
}

/// The time to restore what a statement reads: where its result is read back that may be spared.
fn restored_for(subject: &Subject<'_>, stmt: StmtId, entries: &[Entry]) -> f64 {
    let reads = &subject.effects[stmt].reads;
    let is_read = |entry: &&Entry| {
        entry.reason == Reason::Restore
            && entry.place.as_ref().is_some_and(|place| {
                let mut reads = reads.iter();
                reads.any(|read| subject.dependence.overlaps(place.var, read.var))
            })
    };
    let restored = entries.iter().filter(is_read);
    restored.map(|entry| entry.cost.time()).sum()
}

/// What the backward sweep of an iteration uses, and what its run reads but for assignments.
fn used_backwards(decided: &Subject<'_>, l: StmtId, needs: &Needs) -> Vec<Use> {
    let procedure = &decided.module.procedures[decided.id];
    let mut uses = Vec::new();
    for stmt in decided.region(Some(l)) {
        uses.extend(decided.uses.get(&stmt).into_iter().flatten().cloned());
        let runs = needs.frames[&Some(l)].slice.contains(&stmt);
        if runs && !matches!(procedure.stmt(stmt), Stmt::Assign { .. }) {
            for access in &decided.effects[stmt].reads {
                uses.push(Use {
                    access: access.clone(),
                    at: stmt,
                    after: false,
                });
            }
        }
        if needs.reversed.contains(&stmt) {
            for e in control_expressions(procedure.stmt(stmt)) {
                decided.add_expression_uses(e, stmt, &mut uses);
            }
        }
    }
    uses
}
