//! Reverse mode: one procedure's adjoint from its primal.
//!
//! The steps, each in a file of its own:
//! 1. `refuse`: what cannot be reversed is said, with its place;
//! 2. `shadows`: a shadow for each active variable; the derived procedure's arguments;
//! 3. `reverse`, `local`, `calls`: for each statement the statements that reverse it, primal values
//!    in them standing as `Required`;
//! 4. `needs`: what must be saved, restored, stored or run again, for given joint loops
//!    (which loops those are is the plan's choice, `checkpoint`);
//! 5. `fusion`: whether the last loop can be reversed iteration by iteration as it runs;
//! 6. `tape`, `extent`: where values are kept, and how large that is;
//! 7. `emit`: the forward and the backward sweep;
//! 8. `distribute`: innermost backward loops in a form that vectorises;
//! 9. `memory`: allocation and release in the backward sweep;
//! 10. `contract`: what the caller was promised about shadows and results;
//! 11. `split`: the two sweeps as procedures of their own, for callers that want them so.

mod calls;
pub(crate) mod contract;
mod distribute;
mod emit;
pub(crate) mod extent;
mod fusion;
mod local;
mod memory;
pub mod needs;
pub(crate) mod records;
mod refuse;
mod reverse;
mod shadows;
mod split;
mod tape;
pub mod time;

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Diagnostic, Expr, Module, Procedure, ProcedureId, ProcedureRole, SideTable, Sources, Stmt,
    StmtId, StmtNode, VarId,
};

pub use calls::CalleeAdjoint;
pub use emit::{BEHIND_POINTERS, UNKNOWN_EXTENT, place_type};
pub use shadows::callee_signature;
pub use split::{Split, SplitCallee};
pub use tape::is_scalar_place;

use crate::analysis::{Dependence, Effects, Entry, StmtEffects, Tree, Use};
use crate::checkpoint::words::{ValueHint, Words};
use crate::checkpoint::{self, Brief, Decisions, Plan, Planning, Row, measure};
use crate::request::Planner;
use crate::shared_shadows::SharedShadows;
use crate::specialise::Specialisation;
use emit::SplitCall;
use extent::Extents;
use memory::Memory;
use needs::Subject;
use shadows::Shadows;
use time::hints::{self, Hint};

/// What one adjoint procedure is made from.
pub struct Order<'a> {
    /// The program.
    pub module: &'a Module,
    /// The user's text, for comments.
    pub sources: &'a Sources,
    /// What procedures and statements read and write.
    pub effects: &'a Effects,
    /// What procedures find of earlier calls.
    pub entry: &'a Entry,
    /// Procedures that must not run twice.
    pub unrepeatable: &'a BTreeSet<ProcedureId>,
    /// The primal.
    pub id: ProcedureId,
    /// Its active variables, and which of their shadows are arguments.
    pub specialisation: &'a Specialisation,
    /// How shadows that are arguments behave.
    pub boundary: Boundary,
    /// The adjoints of the procedures that it calls, by call statement.
    pub callees: BTreeMap<StmtId, CalleeAdjoint>,
    /// Those of them that have a split form.
    pub split: BTreeMap<StmtId, SplitCallee>,
    /// The name of the derived procedure.
    pub name: String,
    /// The suffix of shadows.
    pub suffix: String,
    /// Who decides which loops are reversed joint.
    pub planner: Planner,
    /// Sizes, limits and weights for it.
    pub planning: &'a Planning,
    /// What is known of the procedure's variables at entry.
    pub values: &'a BTreeMap<VarId, f64>,
    /// The most bytes that it may keep.
    pub limit: Option<f64>,
    /// What is decided already, if anything.
    pub decided: Option<&'a Decisions>,
    /// How the user wants loops to be reversed.
    pub checkpoints: &'a [Hint],
    /// What shall be done with single values.
    pub values_said: &'a [ValueHint],
    /// The function that says when the next snapshot of a time loop is taken.
    pub next_snapshot: Option<ProcedureId>,
}

/// What happens to shadows at the procedure's boundary.
#[derive(Clone, PartialEq, Debug)]
pub enum Boundary {
    /// A callee: the shadow of each active argument holds the adjoint of its value, on entry that
    /// of the value on exit, on exit that of the value on entry.
    Callee,
    /// The head: shadows of independents are incremented, those of dependents consumed.
    Head {
        /// The independents.
        independents: BTreeSet<VarId>,
        /// The dependents.
        dependents: BTreeSet<VarId>,
    },
}

/// The adjoint of a procedure.
#[derive(Clone, Debug)]
pub struct Adjoint {
    /// The procedure.
    pub procedure: Procedure,
    /// Its two sweeps as procedures of their own, where that can be done.
    pub split: Option<Split>,
    /// One line per thing stored or run again.
    pub report: Vec<String>,
    /// The same as a table.
    pub rows: Vec<Row>,
    /// Estimated extra time, in operations.
    pub time: f64,
    /// What was decided.
    pub decisions: Decisions,
    /// Sizes of which nothing is known.
    pub guessed: Vec<String>,
    /// What the user said that is not done.
    pub warnings: Vec<Diagnostic>,
}

/// Builds the adjoint. `memory` has the shadows of what outlives calls.
///
/// # Errors
/// Diagnostics for constructs that cannot be reversed.
pub fn adjoint(order: &Order<'_>, memory: &SharedShadows) -> Result<Adjoint, Vec<Diagnostic>> {
    let primal = &order.module.procedures[order.id];
    let problems = refuse::refusals(order, primal);
    if !problems.is_empty() {
        return Err(problems);
    }
    let tree = Tree::of(primal);
    let dependence = Dependence::of(order.module, order.id, order.effects, &tree);
    let mut effects: SideTable<StmtNode, StmtEffects> = SideTable::new(StmtEffects::default());
    for stmt in primal.all_statements() {
        effects.set(stmt, order.effects.stmt(order.module, order.id, stmt));
    }
    let changes = Memory::of_order(order, primal, &tree, &dependence);
    let mut prepared = Prepared::of(order, memory, &tree, &dependence);
    prepared.active.extend(changes.mirrored_statements());
    prepared.active.extend(changes.associations());
    let mut lost = refuse::lost_pointers(primal, &tree, &changes, &prepared);
    lost.extend(refuse::lost_functions(
        order.module,
        primal,
        &tree,
        &prepared,
    ));
    if !lost.is_empty() {
        return Err(lost);
    }
    let split_calls: BTreeSet<StmtId> = prepared.split.keys().copied().collect();
    let problems = refuse::repeated_input(order, primal, &split_calls);
    if !problems.is_empty() {
        return Err(problems);
    }
    let split_writes: BTreeSet<StmtId> = prepared
        .split
        .iter()
        .filter(|(_, call)| call.callee.split.writes_back.contains(&true))
        .map(|(&stmt, _)| stmt)
        .collect();
    let once: BTreeSet<StmtId> = primal
        .all_statements()
        .into_iter()
        .filter(|&stmt| !refuse::hidden_in(order, primal, stmt).is_empty())
        .collect();
    let mut hinted = hints::decisions(order.sources, primal, order.checkpoints)?;
    hinted.loops.retain(|&l, _| {
        let holds = |stmt: &StmtId| tree.contains(l, *stmt) && *stmt != l;
        prepared.active.iter().any(holds)
    });
    let mut words = Words::of(order.sources, primal, order.values_said);
    let mut subject = Subject {
        module: order.module,
        id: order.id,
        effects: &effects,
        tree: &tree,
        dependence: &dependence,
        uses: &prepared.uses,
        active: &prepared.active,
        decisions: &hinted,
        split: &split_calls,
        split_writes: &split_writes,
        once: &once,
        unrepeatable: order.unrepeatable,
        memory: &changes,
        fused: None,
    };
    let mut asked = hinted.clone();
    words.ask_for_loops(&subject, &mut asked);
    subject.decisions = &asked;
    let mut brief = Brief {
        planning: order.planning,
        planner: order.planner,
        values: order.values,
        limit: order.limit,
        words: &words,
        decided: order.decided,
    };
    let problems = time::refused(&subject);
    if !problems.is_empty() {
        return Err(problems);
    }
    let given = subject.decisions;
    let mut best: Option<Whole> = None;
    // The plan weighs what it decides; copies that keep the contract come on top of it.
    for _ in 0..ROUNDS {
        subject.decisions = given;
        let plan = checkpoint::plan(&subject, &brief);
        let mut whole = whole(order, &subject, &prepared, plan, &brief)?;
        if let Some(other) = fused_instead(order, &subject, &prepared, &whole, &brief)?
            && other.rank(order.limit) < whole.rank(order.limit)
        {
            whole = other;
        }
        let whole_cost = whole.plan.cost.bytes;
        let excess = order.limit.map_or(0.0, |limit| whole.bytes - limit);
        if best.as_ref().is_none_or(|best| whole.bytes < best.bytes) {
            best = Some(whole);
        }
        match brief.limit {
            Some(limit) if excess > 0.0 && limit > 0.0 && order.decided.is_none() => {
                let kept = whole_cost.min(limit);
                brief.limit = Some((kept - excess).max(0.0));
            }
            _ => break,
        }
    }
    let whole = best.expect("invariant: there is a first round");
    subject.decisions = &whole.plan.decisions;
    let split = match order.boundary {
        Boundary::Callee if changes.associations().next().is_some() => None,
        Boundary::Callee => split_of(order, &subject, &prepared)?,
        Boundary::Head { .. } => None,
    };
    Ok(Adjoint {
        report: report(order, &whole),
        rows: whole.rows,
        time: whole.plan.cost.time(),
        guessed: whole.plan.guessed.clone(),
        warnings: words
            .warnings
            .into_iter()
            .chain(whole.plan.warnings)
            .collect(),
        decisions: whole.plan.decisions,
        procedure: whole.out,
        split,
    })
}

/// How often a plan is made again because the procedure keeps more than it may.
const ROUNDS: usize = 3;

/// A whole adjoint by one plan.
struct Whole {
    plan: Plan,
    out: Procedure,
    is_fused: bool,
    tapes: Vec<VarId>,
    rows: Vec<Row>,
    bytes: f64,
}

impl Whole {
    /// What is smaller is better: first what is over the limit, then time.
    fn rank(&self, limit: Option<f64>) -> (f64, f64) {
        let excess = limit.map_or(0.0, |limit| (self.bytes - limit).max(0.0));
        (excess, self.plan.cost.time())
    }
}

/// Where a plan takes snapshots of loops that could be reversed as they run: the best plan for the rest
/// if they are.
fn fused_instead(
    order: &Order<'_>,
    subject: &Subject<'_>,
    prepared: &Prepared,
    other: &Whole,
    brief: &Brief<'_>,
) -> Result<Option<Whole>, Vec<Diagnostic>> {
    let decided = subject.with(&other.plan.decisions);
    let takes_snapshots = decided.decisions.frames();
    let mut takes_snapshots = takes_snapshots.filter(|&l| decided.schedule(l).is_some());
    let is_asked = brief.decided.is_none() && !matches!(brief.planner, Planner::Random(_));
    if !is_asked || other.is_fused || takes_snapshots.next().is_none() {
        return Ok(None);
    }
    let Some(fusion) = fusion::find(subject, &prepared.shadows.of) else {
        return Ok(None);
    };
    let mut decisions = subject.decisions.clone();
    for l in subject.region(None) {
        let is_one = crate::analysis::tree::is_loop(&order.module.procedures[order.id], l);
        let tree = subject.tree;
        if is_one && (tree.contains(l, fusion.loop_id) || tree.contains(fusion.loop_id, l)) {
            decisions.loops.entry(l).or_default();
        }
    }
    let plan = checkpoint::plan(&subject.with(&decisions), brief);
    let whole = whole(order, subject, prepared, plan, brief)?;
    Ok(whole.is_fused.then_some(whole))
}

fn whole(
    order: &Order<'_>,
    subject: &Subject<'_>,
    prepared: &Prepared,
    mut plan: Plan,
    brief: &Brief<'_>,
) -> Result<Whole, Vec<Diagnostic>> {
    let decisions = plan.decisions.clone();
    let mut subject = subject.with(&decisions);
    let fusion = fusion::find(&subject, &prepared.shadows.of);
    if let Some(fusion) = &fusion {
        subject = subject.with(&fusion.decisions);
        subject.fused = Some(fusion.loop_id);
        plan.cost = checkpoint::weigh(&subject, brief);
    }
    let ahead = fusion.as_ref().map(|fusion| fusion.ahead.clone());
    let mut built = sweeps(order, &subject, prepared, ahead.unwrap_or_default())?;
    let parts = contract::parts(
        order,
        subject.dependence,
        subject.memory,
        &mut built.out,
        &prepared.shadows,
        &built.touched,
    )?;
    let mut out = built.out;
    out.body = parts.whole(built.forward, built.backward);
    settle_requirements(&mut out);
    let rows = checkpoint::rows(&subject, order.planning.weights, order.values, &order.name);
    let bytes = measure::total(&measure::tapes(order.module, &out, order.values));
    Ok(Whole {
        is_fused: fusion.is_some(),
        tapes: built.tapes,
        plan,
        out,
        rows,
        bytes,
    })
}

/// What both forms of an adjoint are made from.
struct Prepared {
    out: Procedure,
    shadows: Shadows,
    reverse: BTreeMap<StmtId, Vec<StmtId>>,
    uses: BTreeMap<StmtId, Vec<Use>>,
    active: BTreeSet<StmtId>,
    split: BTreeMap<StmtId, SplitCall>,
}

impl Prepared {
    fn of(
        order: &Order<'_>,
        memory: &SharedShadows,
        tree: &Tree,
        dependence: &Dependence<'_>,
    ) -> Self {
        let mut out = order.module.procedures[order.id].clone();
        out.role = ProcedureRole::Adjoint { of: order.id };
        out.name = order.name.clone();
        let shadows = shadows::create(order, &mut out, memory);
        let split = split_calls(order, tree, dependence, &mut out);
        let reverse =
            reverse::reverse_statements(order, tree, dependence, &mut out, &shadows.of, &split);
        let uses = reverse::collect_uses(&out, tree, &reverse, order, &split);
        let active = reverse
            .iter()
            .filter(|(_, block)| !block.is_empty())
            .map(|(&stmt, _)| stmt)
            .collect();
        Self {
            out,
            shadows,
            reverse,
            uses,
            active,
            split,
        }
    }
}

/// The calls that are reversed split: where keeping what crosses costs less than running the callee
/// forward again.
fn split_calls(
    order: &Order<'_>,
    tree: &Tree,
    dependence: &Dependence<'_>,
    out: &mut Procedure,
) -> BTreeMap<StmtId, SplitCall> {
    let primal = &order.module.procedures[order.id];
    let extents = Extents { dependence };
    let mut chosen = BTreeMap::new();
    for (&stmt, callee) in &order.split {
        let Stmt::Call {
            callee: contraflow_ir::Callee::Procedure(id),
            arguments,
            ..
        } = primal.stmt(stmt)
        else {
            continue;
        };
        let loops = tree.loops(stmt);
        let counted =
            (0..loops.len()).all(|depth| extents.loop_dim(out, &loops[..=depth]).is_some());
        let reshapes = !order
            .effects
            .stmt(order.module, order.id, stmt)
            .reshapes
            .is_empty();
        if !counted || reshapes || reads_what_it_writes(order, dependence, stmt) {
            continue;
        }
        let target = &order.module.procedures[*id];
        if let Some(kept) = callee.purposes(out, &extents, target, arguments) {
            let callee = callee.clone();
            chosen.insert(stmt, SplitCall { callee, kept });
        }
    }
    chosen
}

/// Whether evaluating the arguments of a call after the call gives other values than before: the
/// backward sweep of a split call is called with the memory that the call left.
fn reads_what_it_writes(order: &Order<'_>, dependence: &Dependence<'_>, stmt: StmtId) -> bool {
    let primal = &order.module.procedures[order.id];
    let writes = order.effects.stmt(order.module, order.id, stmt).writes;
    primal
        .stmt(stmt)
        .expressions()
        .into_iter()
        .flat_map(|e| primal.reads_of_expr(e))
        .any(|read| {
            writes
                .iter()
                .any(|write| dependence.overlaps(read.var, write.var))
        })
}

/// The two sweeps, and what they touch.
struct Built {
    out: Procedure,
    forward: Vec<StmtId>,
    backward: Vec<StmtId>,
    touched: contract::Touched,
    tapes: Vec<VarId>,
}

fn sweeps(
    order: &Order<'_>,
    subject: &Subject<'_>,
    prepared: &Prepared,
    ahead: Vec<StmtId>,
) -> Result<Built, Vec<Diagnostic>> {
    let needs = subject.needs();
    let comments = |stmt: StmtId| comment_of(order, stmt);
    let mut emitter = emit::Emitter::new(
        prepared.out.clone(),
        subject,
        &needs,
        &prepared.reverse,
        &comments,
        &prepared.shadows.of,
        &prepared.split,
    );
    emitter.ahead = ahead;
    emitter.next_snapshot = order.next_snapshot;
    let forward = emitter.forward_sweep();
    let backward = emitter.backward_sweep();
    if !emitter.problems.is_empty() {
        return Err(emitter.problems);
    }
    Ok(Built {
        forward,
        backward,
        touched: contract::Touched {
            written_backwards: emitter.written_backwards,
            saved: emitter.saved,
            freed: emitter.freed,
        },
        tapes: emitter.tapes,
        out: emitter.out,
    })
}

fn split_of(
    order: &Order<'_>,
    subject: &Subject<'_>,
    prepared: &Prepared,
) -> Result<Option<Split>, Vec<Diagnostic>> {
    let mut built = sweeps(order, subject, prepared, Vec::new())?;
    built.touched.written_backwards.clear();
    let parts = contract::parts(
        order,
        subject.dependence,
        subject.memory,
        &mut built.out,
        &prepared.shadows,
        &built.touched,
    )?;
    settle_requirements(&mut built.out);
    let (forward, backward) = parts.apart(built.forward, built.backward);
    let primal = &order.module.procedures[order.id];
    let work = checkpoint::work_of(primal);
    let may_write = |position| order.effects.argument(order.id, position).write;
    Ok(split::make(
        &built.out, &forward, &backward, primal, order.id, work, &may_write,
    ))
}

/// The plan made every required value available in its place: read it there.
fn settle_requirements(out: &mut Procedure) {
    for (_, node) in out.exprs.iter_mut() {
        if let Expr::Required { access, .. } = &node.expr {
            node.expr = Expr::Load(access.clone());
        }
    }
}

fn report(order: &Order<'_>, whole: &Whole) -> Vec<String> {
    let Whole { out, plan, .. } = whole;
    let name = &out.name;
    let mut lines = Vec::new();
    match whole.is_fused {
        true => lines.push(format!(
            "{name}: the last loop nest is reversed iteration by iteration as it runs"
        )),
        false => lines.extend(plan.report(order.module, order.id)),
    }
    for &tape in &whole.tapes {
        let tape = &out.variables[tape];
        lines.push(format!(
            "{name}: tape {}, {} dimensions",
            tape.name,
            tape.rank()
        ));
    }
    lines.push(format!("{name}: {} tapes", whole.tapes.len()));
    lines
}

/// The primal line that a piece of the backward sweep reverses.
fn comment_of(order: &Order<'_>, stmt: StmtId) -> Option<String> {
    let span = order.module.procedures[order.id].stmts[stmt].span;
    let text = order.sources.snippet(span);
    let text: String = text
        .lines()
        .map(|line| {
            line.trim()
                .trim_end_matches('&')
                .trim_start_matches('&')
                .trim()
        })
        .collect::<Vec<_>>()
        .join(" ");
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let short: String = text.chars().take(60).collect();
    Some(if short.len() < text.len() {
        format!("{short} ...")
    } else {
        short
    })
}
