//! What a plan costs: bytes that are kept at the same time, bytes that are moved, and operations that
//! are run again.
//!
//! All tapes of a procedure exist from its entry to its return, so what they hold adds up. A byte of
//! a tape is written once and read once for each run of the frame that owns it. A tape that the whole
//! procedure owns is long gone from the cache when it is read; that of a joint loop is used again in
//! each iteration and stays there, if it fits.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, BinaryOp, Expr, ExprId, Intrinsic, Procedure, Selector, Stmt, StmtId, Type, VarId,
};

use super::decisions::Schedule;
use super::layout::size_of;
use super::sizes::{DEFAULT_SIZE, Known};
use super::trips;
use crate::adjoint::extent::Extents;
use crate::adjoint::needs::{Frame, Needs, Subject};
use crate::adjoint::{is_scalar_place, place_type};
use crate::analysis::Tree;

/// What things cost on the user's machine, in simple operations; see `contraflow calibrate`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Writing a byte to memory that was never touched, and reading it back.
    pub byte: f64,
    /// The same in memory that is used again and again.
    pub warm_byte: f64,
    /// The same where it stays in the cache.
    pub cached_byte: f64,
    /// Bytes that stay in the cache.
    pub cache: f64,
    /// Writing a byte to a file, and reading it back.
    pub disk_byte: f64,
    /// A division.
    pub divide: f64,
    /// An elementary function.
    pub function: f64,
    /// A power with a real exponent.
    pub power: f64,
    /// A call of a procedure.
    pub call: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            byte: 12.0,
            warm_byte: 3.0,
            cached_byte: 0.4,
            cache: 1_048_576.0,
            disk_byte: 24.0,
            divide: 4.0,
            function: 20.0,
            power: 40.0,
            call: 200.0,
        }
    }
}

/// Memory and time of a plan.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Cost {
    /// Bytes on tape and in snapshots.
    pub bytes: f64,
    /// Time to write and read them, in operations.
    pub traffic: f64,
    /// Operations run again.
    pub work: f64,
}

impl Cost {
    /// Time in operations.
    pub fn time(self) -> f64 {
        self.work + self.traffic
    }
}

/// One thing that a plan keeps or runs again.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The statement.
    pub stmt: StmtId,
    /// What is kept; nothing where the statement is run again.
    pub place: Option<Access>,
    /// Why.
    pub reason: Reason,
    /// What it costs.
    pub cost: Cost,
}

/// Why something is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The old value, before the statement overwrites it.
    Restore,
    /// The old value follows from the new one.
    Invert,
    /// What each iteration of a joint loop starts from.
    Snapshot,
    /// The result, to be read back instead of computed again.
    Store,
    /// A branch or bounds.
    Decision,
    /// The statement is run again.
    Recompute,
}

/// Bytes of a tape. One of a triangular nest is a rectangle, of which the loops fill a part.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Room {
    /// What is reserved.
    reserved: f64,
    /// What is written and read back in one run of the frame.
    touched: f64,
}

impl Room {
    /// Room of which all is used.
    fn full(bytes: f64) -> Self {
        Self {
            reserved: bytes,
            touched: bytes,
        }
    }

    fn times(self, copies: f64) -> Self {
        Self {
            reserved: self.reserved * copies,
            touched: self.touched * copies,
        }
    }
}

/// Measures the plans of one procedure.
pub struct Meter<'s, 'a> {
    subject: &'s Subject<'a>,
    known: Known<'s>,
    weights: Weights,
    scratch: Procedure,
    runs: BTreeMap<StmtId, f64>,
    trips: BTreeMap<StmtId, f64>,
    work: BTreeMap<StmtId, f64>,
    limit: Option<f64>,
    disk: Option<f64>,
    is_told: bool,
    /// Loops whose trips nobody knows.
    unknown: BTreeSet<StmtId>,
    /// How often they run as far as memory is limited.
    many: f64,
}

impl<'s, 'a> Meter<'s, 'a> {
    /// A meter for plans of `subject`'s procedure.
    pub fn new(
        subject: &'s Subject<'a>,
        values: BTreeMap<VarId, f64>,
        weights: Weights,
        limit: Option<f64>,
        is_told: bool,
    ) -> Self {
        let is_told = limit.is_some() || is_told;
        let procedure = &subject.module.procedures[subject.id];
        let known = Known::new(procedure, values);
        let (runs, trips) = runs_of(procedure, subject.tree, &known);
        let work = procedure
            .all_statements()
            .into_iter()
            .map(|stmt| {
                let inner = innermost(procedure, subject.tree, stmt);
                (stmt, statement_work(procedure, stmt, inner, &weights))
            })
            .collect();
        let unknown = unknown_loops(procedure);
        Self {
            subject,
            known,
            weights,
            scratch: procedure.clone(),
            runs,
            trips,
            work,
            limit,
            disk: None,
            is_told,
            unknown,
            many: trips::MANY,
        }
    }

    /// The same where loops of unknown trips run so often.
    pub fn with_trips(mut self, many: f64) -> Self {
        self.many = many;
        self
    }

    /// The same where the snapshots of a time loop may take so many bytes on disk.
    pub fn with_disk(mut self, disk: Option<f64>) -> Self {
        self.disk = disk;
        self
    }

    /// Sizes that had to be guessed so far.
    pub fn guessed(&self) -> Vec<String> {
        self.known.guessed()
    }

    /// Whether schedules of snapshots are weighed: not where all sizes are guessed and memory is free.
    pub fn weighs_schedules(&self) -> bool {
        self.is_told
    }

    /// The most bytes that may be kept.
    pub fn limit(&self) -> Option<f64> {
        self.limit
    }

    /// The most bytes that the snapshots of a time loop may take on disk.
    pub fn disk(&self) -> Option<f64> {
        self.disk
    }

    /// Bytes of one snapshot of a time loop's state.
    pub fn state_bytes(&mut self, decided: &Subject<'_>, needs: &Needs, l: StmtId) -> f64 {
        let Some(carried) = needs.carried.get(&l) else {
            return 0.0;
        };
        let frame = decided.frame_of(l);
        let state = carried.state.iter();
        state
            .map(|&var| self.snapshot_room(decided, frame, l, var).reserved)
            .sum()
    }

    fn snapshot_room(
        &mut self,
        decided: &Subject<'_>,
        frame: Frame,
        l: StmtId,
        var: VarId,
    ) -> Room {
        let elements = self.elements(&Access::whole(var)).unwrap_or(1.0);
        let ty = self.primal().variables[var].ty;
        let each = size_of(decided.module, ty);
        self.tape_room(decided, frame, l, false, Some(elements), each)
    }

    /// The trips of a loop in one run of it.
    pub fn trips(&self, l: StmtId) -> f64 {
        self.trips[&l]
    }

    /// Operations of all runs of a statement itself.
    pub fn work(&self, stmt: StmtId) -> f64 {
        self.work[&stmt] * self.runs[&stmt]
    }

    /// The cost of what a plan needs.
    pub fn cost(&mut self, decided: &Subject<'_>, needs: &Needs) -> Cost {
        let mut sum = Cost::default();
        for entry in self.entries(decided, needs) {
            sum.bytes += entry.cost.bytes;
            sum.traffic += entry.cost.traffic;
            sum.work += entry.cost.work;
        }
        let finals = self.finals(decided, needs);
        sum.bytes += finals.bytes;
        sum.traffic += finals.traffic;
        sum
    }

    /// What is put back backwards and belongs to the caller, who gets what the primal leaves in it: it is
    /// copied between the sweeps.
    fn finals(&mut self, decided: &Subject<'_>, needs: &Needs) -> Cost {
        let procedure = &self.subject.module.procedures[self.subject.id];
        let mut changed: BTreeSet<VarId> = BTreeSet::new();
        for (&frame, found) in &needs.frames {
            let kept = found.saves.values().chain(found.snapshots.values());
            let kept = kept.chain(found.whole.values());
            changed.extend(kept.flatten().map(|place| place.var));
            let undone = found
                .undone
                .iter()
                .flat_map(|s| &decided.effects[*s].writes);
            changed.extend(undone.map(|write| write.var));
            if frame.is_some() && frame != decided.fused {
                let writes = found.slice.iter().flat_map(|s| &decided.effects[*s].writes);
                changed.extend(writes.map(|write| write.var));
            }
        }
        for carried in needs.carried.values() {
            let writes = carried
                .advance
                .iter()
                .flat_map(|s| &decided.effects[*s].writes);
            changed.extend(carried.state.iter().copied());
            changed.extend(writes.map(|write| write.var));
        }
        let mut sum = Cost::default();
        for var in changed {
            let variable = &procedure.variables[var];
            let elements = self.elements(&Access::whole(var)).unwrap_or(1.0);
            if variable.outlives_call() && elements > 1.0 {
                let cost = self.kept(
                    None,
                    Room::full(elements * size_of(decided.module, variable.ty)),
                );
                sum.bytes += cost.bytes;
                sum.traffic += cost.traffic;
            }
        }
        sum
    }

    /// What a plan keeps and runs again.
    pub fn entries(&mut self, decided: &Subject<'_>, needs: &Needs) -> Vec<Entry> {
        let mut entries = Vec::new();
        let procedure = &self.subject.module.procedures[self.subject.id];
        for (&frame, found) in &needs.frames {
            let kept = |reason: Reason, stmt: StmtId, place: &Access| (reason, stmt, place.clone());
            let mut places: Vec<(Reason, StmtId, Access)> = Vec::new();
            for (&stmt, saved) in found.saves.iter().chain(&found.whole) {
                places.extend(saved.iter().map(|place| kept(Reason::Restore, stmt, place)));
            }
            for (&stmt, saved) in &found.snapshots {
                places.extend(
                    saved
                        .iter()
                        .map(|place| kept(Reason::Snapshot, stmt, place)),
                );
            }
            for stmt in decided.taped_results(frame, needs) {
                if let Stmt::Assign { target, .. } = procedure.stmt(stmt) {
                    places.push(kept(Reason::Store, stmt, target));
                }
            }
            for (reason, stmt, place) in places {
                let ty = place_type(decided.module, procedure, &place);
                let elements = self.elements(&place);
                let itself = reason == Reason::Snapshot;
                let each = size_of(decided.module, ty);
                let room = self.tape_room(decided, frame, stmt, itself, elements, each);
                let cost = self.kept(frame, room);
                let place = Some(place);
                entries.push(Entry {
                    stmt,
                    place,
                    reason,
                    cost,
                });
            }
            for &stmt in &found.undone {
                let undoing = decided.undoing(stmt);
                entries.push(Entry {
                    stmt,
                    place: undoing.map(|undoing| undoing.target.clone()),
                    reason: Reason::Invert,
                    cost: Cost {
                        work: self.work(stmt),
                        ..Cost::default()
                    },
                });
            }
            for &stmt in &found.stored {
                let values = match procedure.stmt(stmt) {
                    Stmt::Loop {
                        lower, upper, step, ..
                    } => [lower, upper, step]
                        .into_iter()
                        .filter(|&&e| !procedure.reads_of_expr(e).is_empty())
                        .count() as f64,
                    _ => 1.0,
                };
                let room = self.tape_room(decided, frame, stmt, false, None, 4.0 * values);
                let cost = self.kept(frame, room);
                entries.push(Entry {
                    stmt,
                    place: None,
                    reason: Reason::Decision,
                    cost,
                });
            }
            if frame.is_some() && frame != decided.fused {
                for &stmt in &found.slice {
                    let work = match decided.is_read_back(stmt, frame) {
                        true => 0.0,
                        false => self.work(stmt),
                    };
                    let cost = Cost {
                        work,
                        ..Cost::default()
                    };
                    let reason = Reason::Recompute;
                    entries.push(Entry {
                        stmt,
                        place: None,
                        reason,
                        cost,
                    });
                }
            }
        }
        for (&l, carried) in &needs.carried {
            if !needs.reversed.contains(&l) {
                continue;
            }
            // Of snapshots on disk those in memory count, and the steps of a binomial schedule with all.
            let (slots, files) = match decided.schedule(l) {
                Some(Schedule::Binomial { slots }) => (slots, 0),
                Some(Schedule::Disk { files, slots }) => (slots, files),
                None => continue,
            };
            let all = slots.saturating_add(files);
            let frame = decided.frame_of(l);
            let trips = self.trips[&l].max(1.0);
            let (slots, all) = (f64::from(slots), f64::from(all));
            let files = f64::from(files).min(trips);
            for &var in &carried.state {
                let place = Access::whole(var);
                let room = self.snapshot_room(decided, frame, l, var);
                let bytes = room.touched;
                let mut cost = self.kept(frame, room.times(slots));
                // Touched once; then written as often as snapshots are taken, read in each step.
                let taken = slots + (trips - slots) / 2.0;
                let moved = bytes * (trips + taken) / 2.0 * self.used_again(bytes * slots);
                let fresh = self.weights.byte - self.weights.warm_byte;
                cost.traffic = moved + bytes * slots * fresh.max(0.0);
                cost.traffic += files * (bytes * self.weights.disk_byte + FILE_ACCESS);
                entries.push(Entry {
                    stmt: l,
                    place: Some(place),
                    reason: Reason::Snapshot,
                    cost,
                });
            }
            let taken = self.kept(frame, Room::full(4.0 * slots));
            entries.push(Entry {
                stmt: l,
                place: None,
                reason: Reason::Decision,
                cost: taken,
            });
            let steps = match decided.schedule(l) {
                // A stretch between two snapshots on disk is a chain of its own.
                Some(Schedule::Disk { .. }) => {
                    let files = files.max(1.0);
                    trips + files * extra_steps((trips / files).ceil(), slots)
                }
                _ => extra_steps(trips, all),
            };
            let again = (steps - trips).max(0.0) / trips;
            let work: f64 = carried.advance.iter().map(|&stmt| self.work(stmt)).sum();
            entries.push(Entry {
                stmt: l,
                place: None,
                reason: Reason::Recompute,
                cost: Cost {
                    work: work * again,
                    ..Cost::default()
                },
            });
        }
        entries
    }

    /// The cost of taping the result of an assignment in a joint loop inside `frame`.
    pub fn store(&mut self, decided: &Subject<'_>, frame: Frame, stmt: StmtId) -> Cost {
        let Stmt::Assign { ref target, .. } = *self.primal().stmt(stmt) else {
            return Cost::default();
        };
        let ty = place_type(decided.module, self.primal(), target);
        let room = self.tape_room(decided, frame, stmt, false, None, width(ty));
        self.kept(frame, room)
    }

    /// What it costs to keep a tape in each run of a frame.
    fn kept(&self, frame: Frame, room: Room) -> Cost {
        let (runs, weight) = match frame {
            None => (1.0, self.weights.byte),
            Some(l) => {
                let runs = self.runs[&l] * self.trips[&l];
                (runs, self.used_again(room.touched))
            }
        };
        Cost {
            bytes: room.reserved,
            traffic: room.touched * runs * weight,
            work: 0.0,
        }
    }

    /// The weight of a byte of memory that is used again and again.
    fn used_again(&self, bytes: f64) -> f64 {
        match bytes <= self.weights.cache {
            true => self.weights.cached_byte,
            false => self.weights.warm_byte,
        }
    }

    fn primal(&self) -> &'s Procedure {
        &self.subject.module.procedures[self.subject.id]
    }

    fn elements(&mut self, place: &Access) -> Option<f64> {
        if is_scalar_place(self.subject.module, &self.scratch, place) {
            return None;
        }
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let ranges = extents.memory_of(self.subject.module, &mut self.scratch, place);
        let none = BTreeMap::new();
        Some(match ranges {
            Some(ranges) => ranges
                .iter()
                .map(|range| self.known.guess(&self.scratch, range.count, &none).max(0.0))
                .product(),
            None => DEFAULT_SIZE,
        })
    }

    /// The tape for something kept at a statement: none for a scalar outside all loops.
    fn tape_room(
        &mut self,
        decided: &Subject<'_>,
        frame: Frame,
        stmt: StmtId,
        itself: bool,
        elements: Option<f64>,
        width: f64,
    ) -> Room {
        let mut loops = decided.tree.loops_within(stmt, frame);
        if itself {
            loops.push(stmt);
        }
        let around: Vec<StmtId> = decided
            .tree
            .loops(stmt)
            .into_iter()
            .filter(|l| !loops.contains(l))
            .collect();
        if loops.is_empty() && elements.is_none() {
            return Room::default();
        }
        let extents = Extents {
            dependence: self.subject.dependence,
        };
        let none = BTreeMap::new();
        let mut room = Room::full(elements.unwrap_or(1.0) * width);
        for depth in 0..loops.len() {
            let mut chain = around.clone();
            chain.extend_from_slice(&loops[..=depth]);
            let trips = self.trips[&loops[depth]];
            let (reserved, touched) = match extents.loop_dim(&mut self.scratch, &chain) {
                Some(dim) => {
                    let count = self.known.guess(&self.scratch, dim.range.count, &none);
                    (count.max(0.0), trips.min(count.max(0.0)))
                }
                None if self.limit.is_some() && self.unknown.contains(&loops[depth]) => {
                    (self.many, trips)
                }
                // A growing tape holds what is pushed.
                None => (trips, trips),
            };
            room.reserved *= reserved;
            room.touched *= touched;
        }
        room
    }
}

/// What an access costs besides where those of successive iterations are not neighbours in memory.
const APART: f64 = 2.0;

/// Writing and reading a snapshot in a file, besides its bytes.
const FILE_ACCESS: f64 = 4000.0;

/// Loops of which nobody knows how often they run at most.
fn unknown_loops(procedure: &Procedure) -> BTreeSet<StmtId> {
    let bounded = trips::bounded(procedure);
    let is_while = |stmt: &StmtId| matches!(procedure.stmt(*stmt), Stmt::While { .. });
    let all = procedure.all_statements().into_iter();
    all.filter(is_while)
        .filter(|stmt| !bounded.contains_key(stmt))
        .collect()
}

/// The plain steps of the binomial schedule, the first sweep among them: `r n - C(s + r, r - 1)`, `r`
/// the least with `C(s + r, s) >= n`.
fn extra_steps(n: f64, s: f64) -> f64 {
    let (mut r, mut reach) = (0.0, 1.0);
    while reach < n && r < 1e6 {
        r += 1.0;
        reach *= (s + r) / r;
    }
    // C(s + r, r - 1) = C(s + r, s) r / (s + 1)
    r * n - reach * r / (s + 1.0)
}

/// Estimated bytes of a variable.
pub fn bytes_of(procedure: &Procedure, var: VarId) -> f64 {
    let known = Known::new(procedure, BTreeMap::new());
    let elements: f64 = procedure.variables[var]
        .shape
        .iter()
        .map(|dim| match dim.extent {
            contraflow_ir::Extent::Count(count) => {
                known.value(procedure, count).unwrap_or(DEFAULT_SIZE)
            }
            _ => DEFAULT_SIZE,
        })
        .product();
    elements * width(procedure.variables[var].ty)
}

/// Estimated work of running a procedure's body once.
pub fn work_of(procedure: &Procedure) -> f64 {
    let tree = Tree::of(procedure);
    let known = Known::new(procedure, BTreeMap::new());
    let weights = Weights::default();
    let (runs, _) = runs_of(procedure, &tree, &known);
    runs.into_iter()
        .map(|(stmt, runs)| {
            let inner = innermost(procedure, &tree, stmt);
            runs * statement_work(procedure, stmt, inner, &weights)
        })
        .sum()
}

/// Bytes of one element.
pub fn width(ty: Type) -> f64 {
    match ty {
        Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
            f64::from(bytes)
        }
        Type::Complex { bytes } => 2.0 * f64::from(bytes),
        _ => 8.0,
    }
}

/// How often each statement runs, and the trips of each loop in one run; variables of outer loops are
/// taken half way.
fn runs_of(
    procedure: &Procedure,
    tree: &Tree,
    known: &Known<'_>,
) -> (BTreeMap<StmtId, f64>, BTreeMap<StmtId, f64>) {
    let mut runs = BTreeMap::new();
    let mut trips = BTreeMap::new();
    let mut middles: BTreeMap<VarId, f64> = BTreeMap::new();
    let bounded = trips::bounded(procedure);
    for stmt in procedure.all_statements() {
        let loops = tree.loops(stmt);
        let product: f64 = loops.iter().map(|l| trips.get(l).unwrap_or(&1.0)).product();
        runs.insert(stmt, product);
        match *procedure.stmt(stmt) {
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                ..
            } => {
                let at = |e: ExprId| known.guess(procedure, e, &middles);
                let (first, last, step) = (at(lower), at(upper), at(step));
                let count = match step {
                    0.0 => DEFAULT_SIZE,
                    step => ((last - first + step) / step).max(0.0),
                };
                trips.insert(stmt, count);
                middles.insert(variable, (first + last) / 2.0);
            }
            Stmt::While { .. } => {
                let most = bounded.get(&stmt);
                let count = most.map(|most| most.guess(procedure, known, &middles));
                trips.insert(stmt, count.unwrap_or(DEFAULT_SIZE));
            }
            _ => {}
        }
    }
    (runs, trips)
}

/// The variable of the innermost loop around a statement.
fn innermost(procedure: &Procedure, tree: &Tree, stmt: StmtId) -> Option<VarId> {
    match procedure.stmt(*tree.loops(stmt).last()?) {
        Stmt::Loop { variable, .. } => Some(*variable),
        _ => None,
    }
}

fn statement_work(
    procedure: &Procedure,
    stmt: StmtId,
    inner: Option<VarId>,
    weights: &Weights,
) -> f64 {
    match procedure.stmt(stmt) {
        Stmt::Call { .. } => weights.call,
        other => {
            let expressions = other.expressions().into_iter();
            let work: f64 = expressions
                .map(|e| expression_work(procedure, e, inner, weights))
                .sum();
            let target = match other {
                Stmt::Assign { target, .. } if strides(procedure, target, inner) => APART,
                _ => 0.0,
            };
            work + target + 1.0
        }
    }
}

/// What the evaluation of an expression costs. Sums and products of integers are addresses and counts,
/// which compilers carry along and processors work out beside: they cost nothing, so that `u[i*n + j]`
/// costs as much as `u(j,i)`.
fn expression_work(
    procedure: &Procedure,
    e: ExprId,
    inner: Option<VarId>,
    weights: &Weights,
) -> f64 {
    let is_integer = procedure.exprs[e].ty.is_integer();
    let own = match procedure.expr(e) {
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => weights.divide,
        Expr::Binary(BinaryOp::Power, _, exponent) => {
            match procedure.exprs[*exponent].ty.is_integer() {
                true => 3.0,
                false => weights.power,
            }
        }
        Expr::Binary(..) | Expr::Unary(..) if is_integer => 0.0,
        Expr::Binary(..) | Expr::Unary(..) | Expr::Select { .. } => 1.0,
        Expr::Intrinsic(f, _) => match f {
            Intrinsic::Min | Intrinsic::Max | Intrinsic::Abs | Intrinsic::Sign => 1.0,
            Intrinsic::Sqrt => 1.5 * weights.divide,
            _ => weights.function,
        },
        Expr::Load(access) if is_integer && access.path.is_empty() => 0.0,
        Expr::Load(access) if strides(procedure, access, inner) => 0.5 + APART,
        Expr::Load(_) => 0.5,
        _ => 0.0,
    };
    own + procedure
        .expr(e)
        .children()
        .into_iter()
        .map(|child| expression_work(procedure, child, inner, weights))
        .sum::<f64>()
}

/// Whether an access reaches elements that are not neighbours from one iteration of a loop to the next.
fn strides(procedure: &Procedure, access: &Access, inner: Option<VarId>) -> bool {
    let Some(inner) = inner else { return false };
    let subscripts = access.path.iter().filter_map(|selector| match selector {
        Selector::Index(subscripts) => Some(subscripts),
        _ => None,
    });
    subscripts.flatten().enumerate().any(|(place, &subscript)| {
        match growth(procedure, subscript, inner) {
            Growth::None => false,
            Growth::One => place > 0,
            Growth::Other => true,
        }
    })
}

/// How an integer grows with a variable.
#[derive(Clone, Copy, PartialEq)]
enum Growth {
    None,
    One,
    Other,
}

fn growth(procedure: &Procedure, e: ExprId, variable: VarId) -> Growth {
    match *procedure.expr(e) {
        Expr::Load(ref access) if access.var == variable => Growth::One,
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => {
            match [a, b].map(|part| growth(procedure, part, variable)) {
                [Growth::None, other] | [other, Growth::None] => other,
                _ => Growth::Other,
            }
        }
        _ => {
            let is_read = |read: &Access| read.var == variable;
            match procedure.reads_of_expr(e).into_iter().any(is_read) {
                true => Growth::Other,
                false => Growth::None,
            }
        }
    }
}
