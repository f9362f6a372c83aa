//! What derived procedures keep, read off their tapes.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Callee, Diagnostic, ExprId, Extent, Module, Procedure, ProcedureId, Role, Span, Stmt,
    StmtId, Type, VarId, Variable,
};

use super::layout::size_of;
use super::sizes::{DEFAULT_SIZE, Known};
use super::trips::{self, Most};
use crate::analysis::Tree;

/// A tape or a snapshot.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// The derived procedure.
    pub procedure: String,
    /// The variable.
    pub name: String,
    /// Its bytes: the most that there may be, or what is assumed where nobody knows.
    pub bytes: f64,
    /// How far that is known.
    pub growth: Growth,
}

/// How far it is known what a tape takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// It has its memory from the start.
    Fixed,
    /// It grows as the loops run that fill it, up to a bound.
    Bounded,
    /// It grows with trips, or calls of a recursion, that nobody knows.
    Unknown,
}

/// The most that is kept at a time.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Peak {
    /// Bytes, without what grows nobody knows how far.
    pub bytes: f64,
    /// Bytes with all, as far as it is assumed to grow.
    pub assumed: f64,
    /// What they are made of, the largest first.
    pub kept: Vec<Kept>,
    /// Sizes of these of which nothing is known, with their procedures.
    pub guessed: BTreeSet<String>,
}

impl Peak {
    /// What grows nobody knows how far: it is in no prediction.
    pub fn growing(&self) -> Vec<String> {
        let growing = self
            .kept
            .iter()
            .filter(|kept| kept.growth == Growth::Unknown);
        let mut names: Vec<String> = growing
            .map(|kept| format!("{} of {}", kept.name, kept.procedure))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether anything takes memory as the program runs.
    pub fn grows(&self) -> bool {
        self.kept.iter().any(|kept| kept.growth != Growth::Fixed)
    }

    /// The largest of what it is made of, in words.
    pub fn largest(&self) -> String {
        let mut kept: Vec<&Kept> = self.kept.iter().collect();
        kept.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
        let words = |kept: &&Kept| {
            let what = match kept.growth {
                Growth::Unknown => ", as far as it is counted",
                Growth::Bounded => " at most",
                Growth::Fixed => "",
            };
            format!(
                "{} of {} {:.0}{what}",
                kept.name, kept.procedure, kept.bytes
            )
        };
        let words: Vec<String> = kept.iter().take(6).map(words).collect();
        words.join(", ")
    }
}

/// What to say where there is a memory limit and something grows nobody knows how far: as how often its
/// loops were counted, and that the derivative ends before it takes too much.
pub fn uncounted(
    module: &Module,
    peak: &Peak,
    limit: f64,
    trips: Option<f64>,
) -> Option<Diagnostic> {
    let growing = peak.growing();
    if growing.is_empty() {
        return None;
    }
    let counted = match trips {
        Some(trips) => format!(
            "counted as if loops ran {trips:.0} times and recursions went {LEVELS} levels deep"
        ),
        None => "too much where that is often".to_owned(),
    };
    let warning = Diagnostic::warning(
        "memory-grows",
        format!(
            "nobody knows how far this grows as the program runs: {}; it is {counted}, and the derivative ends with a message before it keeps more than {limit:.0} bytes",
            growing.join(", ")
        ),
    );
    let names: BTreeSet<&String> = peak.kept.iter().map(|kept| &kept.procedure).collect();
    let place = module
        .procedures
        .iter()
        .filter(|(_, procedure)| names.contains(&procedure.name))
        .find_map(|(_, procedure)| first_push(procedure));
    let warning = match place {
        Some(span) => warning.at(span, "nobody knows before how often this runs"),
        None => warning,
    };
    Some(warning.with_help(
        "say how often such loops run at most (`--trips 5000`), count the trips (a DO loop), or reverse the loop with snapshots (`!$ad checkpoint binomial(20)` or `#pragma ad checkpoint binomial(20)` before it)",
    ))
}

/// Where the loop, or else the statement, stands that first pushes onto a growing tape.
fn first_push(procedure: &Procedure) -> Option<Span> {
    let mut place = None;
    for stmt in procedure.all_statements() {
        let node = &procedure.stmts[stmt];
        let is_loop = matches!(node.stmt, Stmt::Loop { .. } | Stmt::While { .. });
        if node.span != Span::NONE && (is_loop || place.is_none()) {
            place = Some(node.span);
        }
        if matches!(node.stmt, Stmt::Push { .. }) {
            return place;
        }
    }
    None
}

/// What the memory of a program is made from.
pub struct Measuring<'a> {
    /// The program with its derived procedures.
    pub module: &'a Module,
    /// What is known of variables at entry, by primal procedure.
    pub values: &'a BTreeMap<ProcedureId, BTreeMap<VarId, f64>>,
    /// How often loops run of which nobody knows that.
    pub trips: f64,
}

/// The tapes of a procedure.
pub fn tapes(module: &Module, procedure: &Procedure, values: &BTreeMap<VarId, f64>) -> Vec<Kept> {
    let known = Known::new(procedure, values.clone());
    tapes_by(module, procedure, &known, DEFAULT_SIZE)
}

fn tapes_by(module: &Module, procedure: &Procedure, known: &Known<'_>, trips: f64) -> Vec<Kept> {
    let none = BTreeMap::new();
    let elements = |count| known.guess(procedure, count, &none).max(0.0);
    let is_own = |variable: &Variable| variable.role == Role::Tape && !variable.is_argument();
    let mut filled: Option<Filled<'_>> = None;
    let inside = known.again();
    let tapes = procedure.variables.iter();
    let tapes: Vec<Kept> = tapes
        .filter(|(_, variable)| is_own(variable))
        .map(|(var, variable)| {
            let fixed: Option<f64> = variable
                .shape
                .iter()
                .map(|dim| match dim.extent {
                    Extent::Count(count) => Some(elements(count)),
                    _ => None,
                })
                .product();
            let (count, growth) = match fixed {
                // What nobody knows the length of is watched like what grows up to a bound.
                Some(count) if has_open_length(procedure, variable, known) => {
                    (count, Growth::Bounded)
                }
                Some(count) => (count, Growth::Fixed),
                None => filled
                    .get_or_insert_with(|| Filled::of(procedure))
                    .elements(var, &inside, trips),
            };
            Kept {
                procedure: procedure.name.clone(),
                name: variable.name.clone(),
                bytes: count * each(module, procedure, variable, known),
                growth,
            }
        })
        .collect();
    // Of what loops run to, arguments can be told where the derivative is called.
    let is_argument = |name: &String| {
        let var = procedure.variable_named(name);
        var.is_some_and(|var| procedure.variables[var].is_argument())
    };
    known.guess_also(inside.guessed().into_iter().filter(is_argument));
    tapes
}

/// Bytes of one element: a text has as many as it has letters.
fn each(module: &Module, procedure: &Procedure, variable: &Variable, known: &Known<'_>) -> f64 {
    let length = variable.length.filter(|_| variable.ty == Type::Character);
    match length {
        Some(length) => known.guess(procedure, length, &BTreeMap::new()).max(0.0),
        None => size_of(module, variable.ty),
    }
}

/// Whether it is a text of a length that is not known before the program runs.
fn has_open_length(procedure: &Procedure, variable: &Variable, known: &Known<'_>) -> bool {
    let length = variable.length.filter(|_| variable.ty == Type::Character);
    length.is_some_and(|length| known.value(procedure, length).is_none())
}

/// How tapes are filled that have no size at entry.
pub struct Filled<'p> {
    procedure: &'p Procedure,
    tree: Tree,
    bounded: BTreeMap<StmtId, Most>,
    pushes: Vec<(VarId, StmtId)>,
    /// The loops around where a tape is read back.
    emptied: BTreeMap<VarId, BTreeSet<StmtId>>,
}

/// A loop by whose trips a tape grows.
pub enum Filling {
    /// A counted loop.
    Counted(StmtId),
    /// One that runs no more often than this.
    AtMost(Most),
    /// One of which nobody knows how often it runs.
    Unknown,
}

impl<'p> Filled<'p> {
    /// Reads it off a procedure.
    pub fn of(procedure: &'p Procedure) -> Self {
        let tree = Tree::of(procedure);
        let mut pushes = Vec::new();
        let mut emptied: BTreeMap<VarId, BTreeSet<StmtId>> = BTreeMap::new();
        for stmt in procedure.all_statements() {
            match procedure.stmt(stmt) {
                Stmt::Push { tape, .. } => pushes.push((*tape, stmt)),
                Stmt::Pop { tape, .. } => {
                    emptied.entry(*tape).or_default().extend(tree.loops(stmt));
                }
                _ => {}
            }
        }
        Self {
            procedure,
            bounded: trips::bounded(procedure),
            tree,
            pushes,
            emptied,
        }
    }

    /// For each place where values are pushed onto a tape, the loops that push them before they are read
    /// back: a loop in which both is done empties the tape each time.
    pub fn fillings(&self, tape: VarId) -> Vec<Vec<Filling>> {
        let pushes = self.pushes.iter().filter(|(other, _)| *other == tape);
        pushes
            .map(|&(_, stmt)| {
                let loops = self.tree.loops(stmt).into_iter();
                loops
                    .filter(|&l| !self.is_emptied_in(tape, l))
                    .map(|l| self.filling(l))
                    .collect()
            })
            .collect()
    }

    fn is_emptied_in(&self, tape: VarId, l: StmtId) -> bool {
        self.emptied
            .get(&tape)
            .is_some_and(|loops| loops.contains(&l))
    }

    fn filling(&self, l: StmtId) -> Filling {
        match (self.procedure.stmt(l), self.bounded.get(&l)) {
            (Stmt::Loop { .. }, _) => Filling::Counted(l),
            (_, Some(most)) => Filling::AtMost(*most),
            _ => Filling::Unknown,
        }
    }

    /// How many elements are on a tape at most.
    fn elements(&self, tape: VarId, known: &Known<'_>, trips: f64) -> (f64, Growth) {
        if let Some(elements) = self.allocated(tape, known) {
            return (elements, Growth::Unknown);
        }
        let mut growth = Growth::Bounded;
        let mut sum = 0.0;
        for &(_, stmt) in self.pushes.iter().filter(|(other, _)| *other == tape) {
            let mut middles: BTreeMap<VarId, f64> = BTreeMap::new();
            let mut product = 1.0;
            for l in self.tree.loops(stmt) {
                if self.is_emptied_in(tape, l) {
                    self.enter(l, known, &mut middles);
                    continue;
                }
                product *= match self.filling(l) {
                    Filling::Counted(l) => counted(self.procedure, l, known, &mut middles),
                    Filling::AtMost(most) => most.guess(self.procedure, known, &middles),
                    Filling::Unknown => {
                        growth = Growth::Unknown;
                        trips
                    }
                };
            }
            sum += product;
        }
        (sum, growth)
    }

    /// Some iteration of a loop whose trips do not count.
    fn enter(&self, l: StmtId, known: &Known<'_>, middles: &mut BTreeMap<VarId, f64>) {
        if let Stmt::Loop {
            variable,
            lower,
            upper,
            ..
        } = *self.procedure.stmt(l)
        {
            let [first, last] = [lower, upper].map(|e| known.value(self.procedure, e));
            let middle = first.zip(last).map(|(first, last)| (first + last) / 2.0);
            middles.insert(variable, middle.unwrap_or(DEFAULT_SIZE / 2.0));
        }
    }

    /// The elements of a tape that gets its memory by a statement.
    fn allocated(&self, tape: VarId, known: &Known<'_>) -> Option<f64> {
        let none = BTreeMap::new();
        let sizes = self
            .procedure
            .all_statements()
            .into_iter()
            .filter_map(|stmt| match self.procedure.stmt(stmt) {
                Stmt::Allocate { target, shape, .. } if *target == Access::whole(tape) => {
                    let counts = shape
                        .iter()
                        .map(|&(_, count)| known.guess(self.procedure, count, &none).max(0.0));
                    Some(counts.product::<f64>())
                }
                _ => None,
            });
        sizes.reduce(f64::max)
    }
}

/// The trips of a counted loop, those around it half way, as it is itself afterwards.
fn counted(
    procedure: &Procedure,
    l: StmtId,
    known: &Known<'_>,
    middles: &mut BTreeMap<VarId, f64>,
) -> f64 {
    let Stmt::Loop {
        variable,
        lower,
        upper,
        step,
        ..
    } = *procedure.stmt(l)
    else {
        return DEFAULT_SIZE;
    };
    let at = |e: ExprId| known.guess(procedure, e, middles);
    let (first, last, step) = (at(lower), at(upper), at(step));
    middles.insert(variable, (first + last) / 2.0);
    match step {
        0.0 => DEFAULT_SIZE,
        step => ((last - first + step) / step).max(0.0),
    }
}

/// The bytes of those that have them from the start.
pub fn total(tapes: &[Kept]) -> f64 {
    let fixed = tapes.iter().filter(|kept| kept.growth == Growth::Fixed);
    fixed.map(|kept| kept.bytes).sum()
}

impl Measuring<'_> {
    /// The peak of a derived procedure: its own tapes, and those of the callee that keeps most.
    pub fn peak(&self, id: ProcedureId) -> Peak {
        let mut peak = self.visit(id, &mut BTreeSet::new());
        peak.kept.sort_by(|a, b| {
            let is_unknown = |kept: &Kept| kept.growth == Growth::Unknown;
            let order = is_unknown(a).cmp(&is_unknown(b));
            order.then(b.bytes.total_cmp(&a.bytes))
        });
        peak
    }

    fn visit(&self, id: ProcedureId, open: &mut BTreeSet<ProcedureId>) -> Peak {
        let procedure = &self.module.procedures[id];
        let none = BTreeMap::new();
        let origin = procedure.role.origin();
        let values = origin.and_then(|of| self.values.get(&of)).unwrap_or(&none);
        let known = Known::new(procedure, values.clone());
        let mut kept = tapes_by(self.module, procedure, &known, self.trips);
        if !open.insert(id) {
            // Nobody knows how deep it goes.
            let one: f64 = kept.iter().map(|kept| kept.bytes).sum();
            if one == 0.0 {
                return Peak::default();
            }
            let levels = Kept {
                procedure: procedure.name.clone(),
                name: "the recursion".to_owned(),
                bytes: LEVELS * one,
                growth: Growth::Unknown,
            };
            return Peak {
                bytes: 0.0,
                assumed: levels.bytes,
                kept: vec![levels],
                guessed: BTreeSet::new(),
            };
        }
        let primal = origin.unwrap_or(id);
        let primal = &self.module.procedures[primal].name;
        let mut guessed: BTreeSet<String> = known
            .guessed()
            .into_iter()
            .map(|name| format!("{primal}::{name}"))
            .collect();
        let callees: BTreeSet<ProcedureId> = procedure
            .all_statements()
            .into_iter()
            .filter_map(|stmt| match procedure.stmt(stmt) {
                Stmt::Call {
                    callee: Callee::Procedure(callee),
                    ..
                } => Some(*callee),
                _ => None,
            })
            .collect();
        let below: Vec<Peak> = callees
            .into_iter()
            .map(|callee| self.visit(callee, open))
            .collect();
        open.remove(&id);
        guessed.extend(below.iter().flat_map(|peak| peak.guessed.iter().cloned()));
        let of = |is_wanted: fn(Growth) -> bool| {
            let wanted = kept.iter().filter(|kept| is_wanted(kept.growth));
            wanted.map(|kept| kept.bytes).sum::<f64>()
        };
        let most = |bytes: fn(&Peak) -> f64| below.iter().map(bytes).fold(0.0, f64::max);
        let bytes = of(|growth| growth != Growth::Unknown) + most(|peak| peak.bytes);
        let assumed = of(|_| true) + most(|peak| peak.assumed);
        // What grows in any callee counts, whichever keeps most of the rest.
        let is_known = |kept: &Kept| kept.growth != Growth::Unknown;
        let growing = below.iter().flat_map(|peak| &peak.kept);
        kept.extend(growing.filter(|kept| !is_known(kept)).cloned());
        let largest = below
            .into_iter()
            .max_by(|a, b| a.bytes.total_cmp(&b.bytes))
            .unwrap_or_default();
        kept.extend(largest.kept.into_iter().filter(is_known));
        Peak {
            bytes,
            assumed,
            kept,
            guessed,
        }
    }
}

/// How deep a recursion goes of which nobody knows that.
pub const LEVELS: f64 = DEFAULT_SIZE;
