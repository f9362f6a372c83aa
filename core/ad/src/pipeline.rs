//! The order of the passes, on one page.
//!
//! ```text
//! module ─▶ procedure arguments bound ─▶ bodies that move others' pointers in place of their calls
//!        ─▶ EQUIVALENCE of what is kept merged
//!        ─▶ idle reallocations gone ─▶ loops that count by hand made counted ones ─▶ effects ─▶ state of its own
//!        ─▶ names for shared memory, sizes from callers (adjoint)
//!        ─▶ activity ─▶ specialisations ─▶ shadows of globals
//!        ─▶ for each specialisation, callees first: adjoint (or tangent)
//!        ─▶ labels of the head (alternate returns)
//!        ─▶ copies of primal procedures that derived code calls: on its state, or out of their hosts
//!        ─▶ module with derivatives
//! ```

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Callee, Diagnostic, Module, Procedure, ProcedureId, Sources, Span, Stmt, VarId,
};

use crate::adjoint::time::{hints, schedule};
use crate::adjoint::{self, Boundary, Order, SplitCallee};
use crate::analysis::repeat::unrepeatable;
use crate::analysis::{Activity, Effects, Entry, Shared, behind_values, retyped};
use crate::callbacks::bind;
use crate::checkpoint::measure::{self, Measuring, Peak};
use crate::checkpoint::words;
use crate::checkpoint::{DEFAULT_SIZE, Decisions, Planning, Row, passed};
use crate::choice::{self, Calls, Ways, Weighed};
use crate::counting::count;
use crate::expose::expose;
use crate::inline::inline;
use crate::labels;
use crate::lift::lift;
use crate::links;
use crate::pointing::{self, Pointing};
use crate::request::{Mode, Request};
use crate::settle::settle;
use crate::shared_shadows::SharedShadows;
use crate::specialise::{Specialisation, specialise};
use crate::state::{self, State};
use crate::unsaved::unsaved;
use crate::{
    Derivative, PlanAtEntry, addresses, aliasing, computed, naming, overlays, quoted, sizes,
    tangent, unions,
};

/// Runs everything.
pub fn run(
    module: &Module,
    sources: &Sources,
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    let bound = bind(module, request.head, &request.bindings);
    let mut asked: BTreeSet<Span> = BTreeSet::new();
    let mut unsized_callees: BTreeSet<ProcedureId> = BTreeSet::new();
    let mut unsized_before: Option<Vec<Diagnostic>> = None;
    let mut derivative = loop {
        let inlined = inline(&bound.module, request.head, &asked);
        let inlined =
            addresses::without_result(inlined, request).map_err(|problem| vec![problem])?;
        let (sized, handed) = sizes::hand_on(&inlined, request.head, &unsized_callees);
        let problems = match run_bound(&sized, bound.unknown(), sources, request) {
            Ok(mut derivative) => {
                handed.restore(&inlined, &mut derivative.module);
                break derivative;
            }
            Err(problems) => problems,
        };
        // Where a caller cannot keep what a callee changes behind pointers, it does what the callee does;
        // so it does where the callee cannot know how much it is given, or tells it.
        let known = asked.len() + unsized_callees.len();
        let reached = problems
            .iter()
            .filter(|problem| problem.code == adjoint::BEHIND_POINTERS);
        asked.extend(reached.filter_map(|problem| Some(problem.labels.first()?.span)));
        let inlined_for_size = sizes::calls_without_size(&inlined, request.head, &problems);
        let is_for_size = inlined_for_size.iter().any(|call| !asked.contains(call));
        asked.extend(inlined_for_size);
        unsized_callees.extend(sizes::procedures_without_size(
            &inlined,
            request.head,
            &problems,
        ));
        if asked.len() + unsized_callees.len() == known {
            // Where their bodies do not stand in their callers, functions of C are told as well.
            let functions = sizes::functions_without_size(&inlined, request.head, &problems);
            unsized_callees.extend(functions);
        }
        if asked.len() + unsized_callees.len() == known {
            return Err(unsized_before.unwrap_or(problems));
        }
        // What is said of a body that stands in its caller says less.
        if is_for_size {
            unsized_before.get_or_insert(problems);
        }
    };
    bound.restore(module, &mut derivative.module);
    derivative.derived.retain(|&id| {
        let of = derivative.module.procedures[id].role.origin();
        of.is_none_or(|of| !bound.unknown().contains(&of))
    });
    labels::take(module, &mut derivative, request.head)?;
    derivative.derived = lift(&mut derivative.module, &derivative.derived);
    let mut told = Vec::new();
    derivative.diagnostics.retain(|diagnostic| {
        let is_new = !told.contains(diagnostic);
        told.push(diagnostic.clone());
        is_new
    });
    Ok(derivative)
}

fn run_bound(
    module: &Module,
    unknown: &BTreeSet<ProcedureId>,
    sources: &Sources,
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    let module = &overlays::merge(module, request);
    let module = &settle(module, &Effects::of(module));
    let module = &unsaved(module, &Effects::of(module));
    let module = &computed::stated(module, &Effects::of(module));
    let module = &count(module, &Effects::of(module));
    let effects = Effects::of(module);
    match state::separate(module, &effects, request)? {
        Some((separated, state)) => {
            let effects = Effects::of(&separated);
            let mut derivative = on_state(&separated, unknown, effects, &state, sources, request)?;
            state.copy_callees(&mut derivative, request);
            state::put_back(module, &mut derivative.module);
            Ok(derivative)
        }
        None => on_state(
            module,
            unknown,
            effects,
            &State::default(),
            sources,
            request,
        ),
    }
}

/// The derivative of a module whose saved variables are those of `state`.
fn on_state(
    module: &Module,
    unknown: &BTreeSet<ProcedureId>,
    effects: Effects,
    state: &State,
    sources: &Sources,
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    let hidden = quoted::refusals(module, &effects, request.head);
    if !hidden.is_empty() {
        return Err(hidden);
    }
    let activity_of = |module: &Module, effects: &Effects| {
        Activity::of(
            module,
            effects,
            request.head,
            &request.independents,
            &request.dependents,
        )
        .and_then(|activity| {
            let entry = Entry::of(module, effects, request.head);
            let mut refusals = state::carried(module, state, (effects, &entry), &activity, request);
            refusals.extend(state::pointing_at_start(module, &activity, request.head));
            refusals.extend(unions::refusals(module, &activity));
            refusals.extend(computed::refusals(module, &activity));
            refusals.extend(retyped::refusals(module, &activity));
            refusals.extend(behind_values::refusals(module, effects, &activity));
            let active = activity.active_globals();
            let pointings = pointing::pointings(module, effects, &entry, active, request);
            let pointings = pointings.unwrap_or_else(|unseen| {
                refusals.extend(unseen);
                Vec::new()
            });
            match refusals.is_empty() {
                true => Ok((activity, entry, pointings)),
                false => Err(refusals),
            }
        })
    };
    let named = pointing::named(module, &effects, request);
    let effects = named.as_ref().map_or(effects, Effects::of);
    let module = named.as_ref().unwrap_or(module);
    match request.mode {
        Mode::Tangent => {
            let module = &aliasing::from_callers(&expose(module, &effects), request.head);
            let effects = Effects::of(module);
            let (activity, _, pointings) = activity_of(module, &effects)?;
            tangent::tangents(module, &effects, &activity, &pointings, request)
        }
        Mode::Adjoint => {
            let mut exposed = expose(module, &effects);
            links::add(&mut exposed);
            let module = &exposed;
            let module = &aliasing::from_callers(module, request.head);
            let module = &sizes::from_callers(module, &Effects::of(module), request.head);
            let effects = Effects::of(module);
            let (activity, entry, pointings) = activity_of(module, &effects)?;
            let facts = Facts {
                effects: &effects,
                entry: &entry,
                activity: &activity,
                pointings: &pointings,
            };
            adjoints(module, unknown, sources, request, &facts)
        }
    }
}

/// What is known of a program.
struct Facts<'a> {
    effects: &'a Effects,
    entry: &'a Entry,
    activity: &'a Activity,
    /// Pointers whose shadows follow them at the start.
    pointings: &'a [Pointing],
}

fn adjoints(
    module: &Module,
    unknown: &BTreeSet<ProcedureId>,
    sources: &Sources,
    request: &Request,
    facts: &Facts<'_>,
) -> Result<Derivative, Vec<Diagnostic>> {
    let mut unknown_words = hints::unknown(module, sources, &request.checkpoints);
    let procedures: Vec<&Procedure> = module.procedures.iter().map(|(_, p)| p).collect();
    unknown_words.extend(words::stale(&procedures, sources, &request.values));
    if !unknown_words.is_empty() {
        return Err(unknown_words);
    }
    let specialisations = &specialise(module, facts.activity, request);
    let mut shadowed = module.clone();
    let memory = SharedShadows::make(
        &mut shadowed,
        facts.activity,
        facts.pointings,
        &request.suffix,
    );
    let site = Site {
        module,
        unknown,
        sources,
        request,
        facts,
        specialisations,
        memory: &memory,
        shadowed: &shadowed,
        unrepeatable: unrepeatable(module),
    };
    let first = site.planned(&request.planning)?;
    let is_kept = first.fits || site.is_watched(&first);
    let is_open = request.planning.memory.is_some() && !first.peak.guessed.is_empty();
    if is_open && let Some(derivative) = site.chosen_at_entry(&first)? {
        return Ok(derivative);
    }
    match is_kept {
        true => {
            let mut derivative = site.derivative(&first);
            if is_open && !first.peak.kept.is_empty() {
                derivative
                    .diagnostics
                    .push(unchecked(module, request, &first));
            }
            Ok(derivative)
        }
        false => Err(vec![too_little(module, request, &first.peak)]),
    }
}

/// Sizes are not told, and what is kept cannot be told where the derivative is called.
fn unchecked(module: &Module, request: &Request, built: &Built) -> Diagnostic {
    let names: Vec<&str> = built.peak.guessed.iter().map(String::as_str).collect();
    Diagnostic::warning(
        "memory-not-checked",
        format!(
            "the memory limit holds for {} counted as {DEFAULT_SIZE}",
            names.join(", ")
        ),
    )
    .at(
        module.procedures[request.head].home.span,
        "what it keeps cannot be computed at its entry",
    )
    .with_help("tell true sizes: `--size n=100`")
}

/// What derivatives of one request are built from.
struct Site<'a> {
    module: &'a Module,
    unknown: &'a BTreeSet<ProcedureId>,
    sources: &'a Sources,
    request: &'a Request,
    facts: &'a Facts<'a>,
    specialisations: &'a [Specialisation],
    memory: &'a SharedShadows,
    /// The program with shadows of what outlives calls.
    shadowed: &'a Module,
    unrepeatable: BTreeSet<ProcedureId>,
}

/// All derived procedures by one plan.
#[derive(Clone)]
struct Built {
    module: Module,
    head: ProcedureId,
    peak: Peak,
    fits: bool,
    /// How often loops of unknown trips were taken to run.
    trips: f64,
    ways: Ways,
    guessed: BTreeSet<String>,
    warnings: Vec<Diagnostic>,
    report: Vec<String>,
    rows: Vec<Row>,
    time: f64,
}

/// The plan that keeps less; the first of equals.
fn lesser(least: Option<Built>, built: Built) -> Built {
    match least {
        Some(least) if built.peak.assumed < least.peak.assumed => built,
        Some(least) => least,
        None => built,
    }
}

/// How a plan is made.
struct Way<'a> {
    planning: &'a Planning,
    share: f64,
    slack: f64,
    calls: Calls,
    /// What is decided already, by specialisation.
    decided: Option<&'a [Decisions]>,
    /// The program that derived procedures are added to.
    base: &'a Module,
    /// What the names of derived procedures end with.
    suffix: &'a str,
}

impl Site<'_> {
    /// The plan that fits, or that which keeps least. Where loops run nobody knows how often, and no plan
    /// fits if they run very often, they are taken to run as often as other loops.
    fn planned(&self, planning: &Planning) -> Result<Built, Vec<Diagnostic>> {
        let often = self.planned_for(planning)?;
        if often.fits || planning.trips.is_some() || often.peak.growing().is_empty() {
            return Ok(often);
        }
        self.planned_for(&Planning {
            trips: Some(DEFAULT_SIZE),
            ..planning.clone()
        })
    }

    /// Whether all that does not fit is what grows nobody knows how far: the derivative watches over that
    /// when it runs.
    fn is_watched(&self, built: &Built) -> bool {
        let planning = &self.request.planning;
        let is_growth = |limit| built.peak.bytes <= limit && !built.peak.growing().is_empty();
        planning.trips.is_none() && planning.memory.is_some_and(is_growth)
    }

    fn planned_for(&self, planning: &Planning) -> Result<Built, Vec<Diagnostic>> {
        let built = self.planned_with(planning, Calls::Cheapest)?;
        let has_calls = self
            .specialisations
            .iter()
            .any(|one| !one.callees.is_empty());
        if built.fits || !has_calls {
            return Ok(built);
        }
        // What crosses between the sweeps of a callee may be what is too much.
        let joint = self.planned_with(planning, Calls::Joint)?;
        Ok(match joint.peak.assumed < built.peak.assumed {
            true => joint,
            false => built,
        })
    }

    fn planned_with(&self, planning: &Planning, calls: Calls) -> Result<Built, Vec<Diagnostic>> {
        let shares = match self.specialisations.len() {
            1 => &SHARES[..1],
            _ => SHARES,
        };
        let build = |share, slack| {
            self.build(&Way {
                planning,
                share,
                slack,
                calls,
                decided: None,
                base: self.shadowed,
                suffix: &self.request.suffix,
            })
        };
        let mut least: Option<Built> = None;
        let (mut slack, mut last) = (0.0, 0.0);
        for (attempt, &share) in shares
            .iter()
            .flat_map(|share| [share; ATTEMPTS])
            .enumerate()
        {
            if attempt % ATTEMPTS == 0 {
                slack = 0.0;
            }
            // With nothing left the plan would be the same again.
            if slack > 0.0 && planning.memory.is_some_and(|limit| limit <= slack - last) {
                continue;
            }
            let built = build(share, slack)?;
            if built.fits {
                return Ok(built);
            }
            // Nothing else helps where it is assumed that loops run very often.
            let is_hopeless = slack > 0.0 && !built.peak.growing().is_empty();
            let is_hopeless = is_hopeless && planning.trips.is_none();
            // What was estimated was too little by so much.
            last = planning
                .memory
                .map_or(0.0, |limit| built.peak.assumed - limit);
            slack += last;
            least = Some(lesser(least, built));
            if is_hopeless {
                break;
            }
        }
        // Below what was too much there may be plans that keep far less.
        for part in PARTS {
            let Some(limit) = planning.memory else {
                break;
            };
            let built = build(1.0, limit * (1.0 - part))?;
            if built.fits {
                return Ok(built);
            }
            least = Some(lesser(least, built));
        }
        Ok(least.expect("invariant: there is a first attempt"))
    }

    fn build(&self, way: &Way<'_>) -> Result<Built, Vec<Diagnostic>> {
        let (module, request) = (self.module, self.request);
        let values = passed(module, request.head, &way.planning.sizes);
        let mut assembly = Assembly {
            module,
            sources: self.sources,
            request,
            planning: way.planning,
            effects: self.facts.effects,
            entry: self.facts.entry,
            unrepeatable: &self.unrepeatable,
            unknown: self.unknown,
            specialisations: self.specialisations,
            names: names(way.base, module, self.specialisations, way.suffix),
            values: &values,
            share: way.share,
            slack: way.slack,
            decided: way.decided,
            calls: way.calls,
            first: way.base.procedures.len(),
            derived: way.base.clone(),
            split: vec![None; self.specialisations.len()],
            report: Vec::new(),
            rows: Vec::new(),
            time: 0.0,
            decisions: Vec::new(),
            guessed: BTreeSet::new(),
            warnings: Vec::new(),
            next_snapshot: None,
        };
        let head = assembly.build_all(self.memory)?;
        let both = (head, request.head);
        let derived = &mut assembly.derived;
        pointing::follow(derived, both, self.facts.pointings, self.memory);
        let measuring = Measuring {
            module: &assembly.derived,
            values: &values,
            trips: way.planning.many(),
        };
        let peak = measuring.peak(head);
        let limit = way.planning.memory;
        Ok(Built {
            fits: limit.is_none_or(|limit| peak.assumed <= limit),
            trips: way.planning.many(),
            module: assembly.derived,
            head,
            peak,
            ways: Ways {
                decisions: assembly.decisions,
                calls: way.calls,
            },
            guessed: assembly.guessed,
            warnings: assembly.warnings,
            report: assembly.report,
            rows: assembly.rows,
            time: assembly.time,
        })
    }

    fn derivative(&self, built: &Built) -> Derivative {
        let built = built.clone();
        let limit = self.request.planning.memory;
        Derivative {
            primal: None,
            derived: called_from(&built.module, built.head, self.module.procedures.len()),
            head: built.head,
            diagnostics: {
                let mut all = warnings(self.module, self.facts, self.request.head);
                all.extend(built.warnings);
                if let Some(limit) = limit {
                    let trips = built.fits.then_some(built.trips);
                    all.extend(measure::uncounted(&built.module, &built.peak, limit, trips));
                }
                all
            },
            watched: limit.filter(|_| built.peak.grows()),
            module: built.module,
            report: built.report,
            rows: built.rows,
            time: built.time,
            peak: built.peak,
            plans: Vec::new(),
        }
    }

    /// Several plans, and the choice among them at the head's entry; nothing where no memory is kept,
    /// and where it cannot be told there.
    fn chosen_at_entry(&self, first: &Built) -> Result<Option<Derivative>, Vec<Diagnostic>> {
        let limit = self.request.planning.memory.unwrap_or(f64::INFINITY);
        if first.peak.kept.is_empty() {
            return Ok(None);
        }
        // Whether it can be told shows before all the plans are made.
        if self
            .with_choice(std::slice::from_ref(&first.ways), limit)?
            .is_none()
        {
            return Ok(None);
        }
        let names: BTreeSet<String> = first.guessed.union(&first.peak.guessed).cloned().collect();
        let mut ways: Vec<Ways> = Vec::new();
        let mut add = |built: Built| {
            if !ways.contains(&built.ways) {
                ways.push(built.ways);
            }
        };
        for &level in choice::LEVELS {
            let with = |memory| Planning {
                memory,
                ..self.at(level, &names)
            };
            let free = self.planned(&with(None))?;
            let most = free.peak.assumed;
            add(free);
            let parts = choice::PARTS.iter().map(|part| part * most);
            for memory in parts.chain([limit]).filter(|&memory| memory < most) {
                let built = self.planned(&with(Some(memory)))?;
                if built.fits {
                    add(built);
                }
            }
            add(self.planned(&with(Some(0.0)))?);
        }
        let mut weighed = Vec::new();
        for ways in ways {
            let mut costs = Vec::new();
            for &level in choice::LEVELS {
                let built = self.build(&Way {
                    planning: &self.at(level, &names),
                    share: 1.0,
                    slack: 0.0,
                    calls: ways.calls,
                    decided: Some(&ways.decisions),
                    base: self.shadowed,
                    suffix: &self.request.suffix,
                })?;
                costs.push((built.peak.assumed, built.time));
            }
            weighed.push(Weighed { ways, costs });
        }
        let ways: Vec<Ways> = choice::select(weighed)
            .into_iter()
            .map(|plan| plan.ways)
            .collect();
        self.with_choice(&ways, limit)
    }

    /// What the user says, with all other sizes at a level.
    fn at(&self, level: f64, names: &BTreeSet<String>) -> Planning {
        let mut planning = self.request.planning.clone();
        for name in names {
            planning.sizes.set(name, level);
        }
        planning
    }

    /// These plans behind one entry; nothing where what they keep cannot be told there.
    fn with_choice(
        &self,
        ways: &[Ways],
        limit: f64,
    ) -> Result<Option<Derivative>, Vec<Diagnostic>> {
        let suffix = &self.request.suffix;
        let planning = &self.request.planning;
        let mut all: Vec<Built> = Vec::new();
        for (number, one) in ways.iter().enumerate() {
            let suffix = match ways.len() {
                1 => suffix.clone(),
                _ => format!("{suffix}_plan{}", number + 1),
            };
            let base = all.last().map_or(self.shadowed, |built| &built.module);
            let built = self.build(&Way {
                planning,
                share: 1.0,
                slack: 0.0,
                calls: one.calls,
                decided: Some(&one.decisions),
                base,
                suffix: &suffix,
            })?;
            all.push(built);
        }
        let heads: Vec<ProcedureId> = all.iter().map(|built| built.head).collect();
        let Some(mut last) = all.last().cloned() else {
            return Ok(None);
        };
        let name = match heads.as_slice() {
            [one] => last.module.procedures[*one].name.clone(),
            _ => {
                let base = naming::base(self.module, self.request.head);
                naming::procedure_name(&last.module, &base, suffix)
            }
        };
        let about = choice::Entry {
            module: &last.module,
            first: self.module.procedures.len(),
            effects: self.facts.effects,
            head: self.request.head,
            limit,
            trips: planning.many(),
        };
        let Some(entry) = choice::entry(&about, &heads, &name) else {
            return Ok(None);
        };
        let head = match heads.as_slice() {
            [one] => {
                last.module.procedures[*one] = entry;
                *one
            }
            _ => last.module.procedures.add(entry),
        };
        let fastest = all.iter().find(|built| built.fits).unwrap_or(&last);
        let mut derivative = Derivative {
            peak: fastest.peak.clone(),
            time: fastest.time,
            watched: all.iter().any(|built| built.peak.grows()).then_some(limit),
            ..self.derivative(&Built {
                head,
                ..last.clone()
            })
        };
        if heads.len() > 1 {
            derivative.report = Vec::new();
            derivative.rows = Vec::new();
            for built in &all {
                let name = &last.module.procedures[built.head].name;
                derivative.report.extend(built.report.iter().cloned());
                derivative.report.push(format!(
                    "{name}: keeps {:.0} bytes, {:.0} operations of extra time, if all sizes that are not told are {DEFAULT_SIZE}",
                    built.peak.assumed, built.time
                ));
                derivative.rows.extend(built.rows.iter().cloned());
            }
        }
        derivative.plans = all
            .iter()
            .map(|built| PlanAtEntry {
                procedure: built.head,
                name: last.module.procedures[built.head].name.clone(),
                bytes: built.peak.assumed,
                time: built.time,
            })
            .collect();
        Ok(Some(derivative))
    }
}

/// What callees may take of the memory: first all, then less and less, so that their callers have the
/// rest.
const SHARES: &[f64] = &[1.0, 0.3, 0.0];

/// The parts of a limit within which plans are looked for when none was found with all of it.
const PARTS: [f64; 4] = [0.9, 0.5, 0.1, 0.0];

/// How often a plan is made again that was found to keep more than it was estimated to.
const ATTEMPTS: usize = 3;

/// No plan fits.
fn too_little(module: &Module, request: &Request, least: &Peak) -> Diagnostic {
    let limit = request.planning.memory.unwrap_or_default();
    // What grows nobody knows how far is no part of it unless the user tells.
    let bytes = match request.planning.trips {
        Some(_) => least.assumed,
        None => least.bytes,
    };
    let head = &module.procedures[request.head];
    Diagnostic::error(
        "memory-limit",
        format!(
            "no plan keeps within {limit:.0} bytes: the least that was found is {bytes:.0} bytes"
        ),
    )
    .at(head.home.span, format!("made up of {}", least.largest()))
    .with_help(format!(
        "allow more (`--memory {:.0}`), tell true sizes (`--size n=100`), or reverse a time loop with snapshots, in memory or on disk: write `!$ad checkpoint binomial(10)` or `!$ad checkpoint disk(100, 10)` before it (in C `#pragma ad checkpoint …`)",
        bytes.ceil()
    ))
}

/// What activity found worth saying, and which shadows the caller must clear.
fn warnings(module: &Module, facts: &Facts<'_>, head: ProcedureId) -> Vec<Diagnostic> {
    let mut all = facts.activity.warnings().to_vec();
    let hidden = facts.activity.hidden_inputs().iter();
    for shared in hidden.filter(|&&shared| facts.entry.exposes(head, shared)) {
        let (name, span) = match *shared {
            Shared::Global(global) => {
                let global = &module.globals[global];
                (global.name.clone(), global.span)
            }
            Shared::Common { block, .. } => {
                (format!("/{}/", module.commons[block].name), Span::NONE)
            }
            Shared::Saved(procedure, var) => {
                let variable = &module.procedures[procedure].variables[var];
                (variable.name.clone(), variable.span)
            }
        };
        let warning = Diagnostic::warning(
            "shadow-not-cleared",
            format!("the shadow of `{name}` must be zero when the adjoint is called"),
        )
        .at(span, "active, and not visible in the head")
        .with_help("set it to zero before each call, or use the variable in the head");
        all.push(warning);
    }
    all
}

/// The derived module while it grows, callees before callers.
struct Assembly<'a> {
    module: &'a Module,
    sources: &'a Sources,
    request: &'a Request,
    effects: &'a Effects,
    entry: &'a Entry,
    planning: &'a Planning,
    unrepeatable: &'a BTreeSet<ProcedureId>,
    /// Procedures whose derivative the user has: it has one form only.
    unknown: &'a BTreeSet<ProcedureId>,
    specialisations: &'a [Specialisation],
    names: Vec<String>,
    /// What is known of each procedure's variables at entry.
    values: &'a BTreeMap<ProcedureId, BTreeMap<VarId, f64>>,
    /// What callees may take of the memory.
    share: f64,
    /// Bytes of the memory that are left free, for what estimates do not see.
    slack: f64,
    /// What is decided already, by specialisation.
    decided: Option<&'a [Decisions]>,
    /// The first derived procedure.
    first: usize,
    derived: Module,
    /// What was decided, by specialisation.
    decisions: Vec<Decisions>,
    calls: Calls,
    /// Sizes that had to be guessed, with their procedures.
    guessed: BTreeSet<String>,
    /// What the user said that is not done.
    warnings: Vec<Diagnostic>,
    split: Vec<Option<SplitCallee>>,
    report: Vec<String>,
    next_snapshot: Option<ProcedureId>,
    rows: Vec<Row>,
    time: f64,
}

impl Assembly<'_> {
    /// Builds all derived procedures, and says which one is the head's.
    fn build_all(&mut self, memory: &SharedShadows) -> Result<ProcedureId, Vec<Diagnostic>> {
        // Ids first, since procedures may call each other: the primal stands in until its turn.
        for specialisation in self.specialisations {
            let stand_in = self.module.procedures[specialisation.procedure].clone();
            self.derived.procedures.add(stand_in);
        }
        let next_snapshot = schedule::helper(&self.derived, self.request.head);
        self.next_snapshot = Some(self.derived.procedures.add(next_snapshot));
        let mut problems = Vec::new();
        for index in 0..self.specialisations.len() {
            if let Err(found) = self.build(index, memory) {
                problems.extend(found);
            }
        }
        match problems.is_empty() {
            true => Ok(self.id(self.specialisations.len() - 1)),
            false => Err(problems),
        }
    }

    /// The bytes that a specialisation's procedure may keep itself.
    fn limit(&self, index: usize) -> Option<f64> {
        let limit = self.planning.memory? - self.slack;
        let callees = &self.specialisations[index].callees;
        let measuring = Measuring {
            module: &self.derived,
            values: self.values,
            trips: self.planning.many(),
        };
        let below = callees
            .values()
            .map(|&callee| measuring.peak(self.id(callee)).assumed)
            .fold(0.0, f64::max);
        let is_head = index + 1 == self.specialisations.len();
        let share = if is_head { 1.0 } else { self.share };
        // What calls itself has its tapes once for each call.
        let levels = match self.calls_itself(index) {
            true => measure::LEVELS,
            false => 1.0,
        };
        Some(((share * limit - below) / levels).max(0.0))
    }

    /// Whether a specialisation calls itself, if by way of others.
    fn calls_itself(&self, index: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![index];
        while let Some(one) = waiting.pop() {
            for &callee in self.specialisations[one].callees.values() {
                if callee == index {
                    return true;
                }
                if seen.insert(callee) {
                    waiting.push(callee);
                }
            }
        }
        false
    }

    fn id(&self, index: usize) -> ProcedureId {
        ProcedureId::from_index(self.first + index)
    }

    fn build(&mut self, index: usize, memory: &SharedShadows) -> Result<(), Vec<Diagnostic>> {
        let specialisation = &self.specialisations[index];
        let callees = &specialisation.callees;
        let boundary = if index + 1 == self.specialisations.len() {
            Boundary::Head {
                independents: self.request.independents.iter().copied().collect(),
                dependents: self.request.dependents.iter().copied().collect(),
            }
        } else {
            Boundary::Callee
        };
        let unknown = BTreeMap::new();
        let order = Order {
            module: self.module,
            sources: self.sources,
            effects: self.effects,
            entry: self.entry,
            unrepeatable: self.unrepeatable,
            id: specialisation.procedure,
            specialisation,
            boundary,
            callees: callees
                .iter()
                .map(|(&stmt, &callee)| {
                    let target = &self.specialisations[callee];
                    let id = self.id(callee);
                    (
                        stmt,
                        adjoint::callee_signature(self.module, self.effects, target, id),
                    )
                })
                .collect(),
            split: callees
                .iter()
                .filter_map(|(&stmt, &callee)| Some((stmt, self.split[callee].clone()?)))
                .collect(),
            name: self.names[index].clone(),
            suffix: self.request.suffix.clone(),
            planner: self.request.planner,
            planning: self.planning,
            decided: self.decided.and_then(|all| all.get(index)),
            values: self
                .values
                .get(&specialisation.procedure)
                .unwrap_or(&unknown),
            checkpoints: &self.request.checkpoints,
            values_said: &self.request.values,
            next_snapshot: self.next_snapshot,
            limit: self.limit(index),
        };
        let adjoint = adjoint::adjoint(&order, memory)?;
        let id = self.id(index);
        self.derived.procedures[id] = adjoint.procedure;
        self.report.extend(adjoint.report);
        self.rows.extend(adjoint.rows);
        self.time += adjoint.time;
        let procedure = &self.module.procedures[specialisation.procedure].name;
        let named = adjoint.guessed.iter();
        self.guessed
            .extend(named.map(|name| format!("{procedure}::{name}")));
        self.decisions.push(adjoint.decisions);
        self.warnings.extend(adjoint.warnings);
        let split = adjoint
            .split
            .filter(|split| {
                self.calls == Calls::Cheapest && split.pays()
                    || self.unrepeatable.contains(&specialisation.procedure)
            })
            .filter(|_| !self.unknown.contains(&specialisation.procedure))
            .filter(|_| !self.touches_state(specialisation.procedure));
        if let Some(mut split) = split {
            let base = &naming::base(self.module, specialisation.procedure);
            split.forward.name = naming::procedure_name(&self.derived, base, "_fwd");
            let forward = self.derived.procedures.add(split.forward.clone());
            split.backward.name = naming::procedure_name(&self.derived, base, "_rev");
            let backward = self.derived.procedures.add(split.backward.clone());
            self.split[index] = Some(SplitCallee {
                forward,
                backward,
                split,
            });
        }
        Ok(())
    }
}

impl Assembly<'_> {
    /// Whether a procedure touches shared memory that changes while the head runs: its backward
    /// sweep alone would find what later calls left there.
    fn touches_state(&self, procedure: ProcedureId) -> bool {
        let written: Vec<Shared> = self
            .effects
            .callee_globals(self.request.head)
            .filter(|(_, touch)| touch.write)
            .map(|(shared, _)| shared)
            .collect();
        self.effects
            .callee_globals(procedure)
            .any(|(shared, _)| written.iter().any(|other| other.overlaps(shared)))
    }
}

/// The derived procedures that `head` needs, callees before callers, itself last.
fn called_from(module: &Module, head: ProcedureId, first: usize) -> Vec<ProcedureId> {
    fn visit(module: &Module, id: ProcedureId, first: usize, order: &mut Vec<ProcedureId>) {
        if id.index() < first || order.contains(&id) {
            return;
        }
        order.push(id);
        let position = order.len() - 1;
        let procedure = &module.procedures[id];
        for stmt in procedure.all_statements() {
            if let Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } = procedure.stmt(stmt)
            {
                visit(module, *callee, first, order);
            }
        }
        let own = order.remove(position);
        order.push(own);
    }
    let mut order = Vec::new();
    visit(module, head, first, &mut order);
    order
}

/// A name for each derived procedure, unique in the program.
fn names(
    taken: &Module,
    module: &Module,
    specialisations: &[Specialisation],
    suffix: &str,
) -> Vec<String> {
    let program = taken;
    let mut taken: Vec<String> = Vec::new();
    for specialisation in specialisations {
        let base = &naming::base(module, specialisation.procedure);
        let name = naming::procedure_name(program, base, suffix);
        let is_free = |name: &str| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
        let name = if is_free(&name) {
            name
        } else {
            (1u32..)
                .map(|number| naming::procedure_name(program, base, &format!("{suffix}{number}")))
                .find(|name| is_free(name))
                .expect("invariant: some number is free")
        };
        taken.push(name);
    }
    taken
}
