//! The order of the passes, on one page.
//!
//! ```text
//! module ─▶ procedure arguments bound ─▶ bodies that move others' pointers in place of their calls
//!        ─▶ EQUIVALENCE of what is kept merged
//!        ─▶ idle reallocations gone ─▶ effects ─▶ state of its own
//!        ─▶ names for shared memory, sizes from callers (adjoint)
//!        ─▶ activity ─▶ specialisations ─▶ shadows of globals
//!        ─▶ for each specialisation, callees first: adjoint (or tangent)
//!        ─▶ labels of the head (alternate returns)
//!        ─▶ copies of primal procedures that derived code calls: on its state, or out of their hosts
//!        ─▶ module with derivatives
//! ```

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{Callee, Diagnostic, Module, ProcedureId, Sources, Span, Stmt, VarId};

use crate::adjoint::time::{hints, schedule};
use crate::adjoint::{self, Boundary, Order, SplitCallee};
use crate::analysis::repeat::unrepeatable;
use crate::analysis::{Activity, Effects, Entry, Shared};
use crate::callbacks::bind;
use crate::checkpoint::measure::{self, Peak};
use crate::checkpoint::{Row, passed};
use crate::expose::expose;
use crate::inline::inline;
use crate::labels;
use crate::lift::lift;
use crate::links;
use crate::request::{Mode, Request};
use crate::settle::settle;
use crate::shared_shadows::SharedShadows;
use crate::specialise::{Specialisation, specialise};
use crate::state::{self, State};
use crate::unsaved::unsaved;
use crate::{Derivative, aliasing, naming, overlays, quoted, sizes, tangent, unions};

/// Runs everything.
pub fn run(
    module: &Module,
    sources: &Sources,
    request: &Request,
) -> Result<Derivative, Vec<Diagnostic>> {
    let bound = bind(module, request.head, &request.bindings);
    let mut asked: BTreeSet<Span> = BTreeSet::new();
    let mut derivative = loop {
        let inlined = inline(&bound.module, request.head, &asked);
        let problems = match run_bound(&inlined, bound.unknown(), sources, request) {
            Ok(derivative) => break derivative,
            Err(problems) => problems,
        };
        // Where a caller cannot keep what a callee changes behind pointers, it does what the callee does.
        let known = asked.len();
        let reached = problems
            .iter()
            .filter(|problem| problem.code == adjoint::BEHIND_POINTERS);
        asked.extend(reached.filter_map(|problem| Some(problem.labels.first()?.span)));
        if asked.len() == known {
            return Err(problems);
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
            refusals.extend(unions::refusals(module, &activity));
            match refusals.is_empty() {
                true => Ok((activity, entry)),
                false => Err(refusals),
            }
        })
    };
    match request.mode {
        Mode::Tangent => {
            let module = &aliasing::from_callers(&expose(module, &effects), request.head);
            let effects = Effects::of(module);
            let (activity, _) = activity_of(module, &effects)?;
            tangent::tangents(module, &effects, &activity, request)
        }
        Mode::Adjoint => {
            let mut exposed = expose(module, &effects);
            links::add(&mut exposed);
            let module = &exposed;
            let module = &aliasing::from_callers(module, request.head);
            let module = &sizes::from_callers(module, &Effects::of(module), request.head);
            let effects = Effects::of(module);
            let (activity, entry) = activity_of(module, &effects)?;
            let facts = Facts {
                effects: &effects,
                entry: &entry,
                activity: &activity,
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
}

fn adjoints(
    module: &Module,
    unknown: &BTreeSet<ProcedureId>,
    sources: &Sources,
    request: &Request,
    facts: &Facts<'_>,
) -> Result<Derivative, Vec<Diagnostic>> {
    let unknown_loops = hints::unknown(module, sources, &request.checkpoints);
    if !unknown_loops.is_empty() {
        return Err(unknown_loops);
    }
    let activity = facts.activity;
    let specialisations = &specialise(module, activity, request);
    let mut shadowed = module.clone();
    let memory = SharedShadows::make(&mut shadowed, activity, &request.suffix);
    let values = passed(module, request.head, &request.planning.sizes);
    let mut least: Option<Peak> = None;
    let shares = match specialisations.len() {
        1 => &SHARES[..1],
        _ => SHARES,
    };
    let mut slack = 0.0;
    for (attempt, &share) in shares
        .iter()
        .flat_map(|share| [share; ATTEMPTS])
        .enumerate()
    {
        if attempt % ATTEMPTS == 0 {
            slack = 0.0;
        }
        let mut assembly = Assembly {
            module,
            sources,
            request,
            effects: facts.effects,
            entry: facts.entry,
            unrepeatable: unrepeatable(module),
            unknown,
            specialisations,
            names: names(module, specialisations, &request.suffix),
            values: &values,
            share,
            slack,
            derived: shadowed.clone(),
            split: vec![None; specialisations.len()],
            report: Vec::new(),
            rows: Vec::new(),
            time: 0.0,
            next_snapshot: None,
        };
        let head = assembly.build_all(&memory)?;
        let peak = measure::peak(&assembly.derived, head, &values);
        let fits = request
            .planning
            .memory
            .is_none_or(|limit| peak.bytes <= limit);
        if fits {
            return Ok(Derivative {
                primal: None,
                derived: called_from(&assembly.derived, head, module.procedures.len()),
                module: assembly.derived,
                head,
                diagnostics: warnings(module, facts, request.head),
                report: assembly.report,
                rows: assembly.rows,
                time: assembly.time,
                peak,
            });
        }
        // What was estimated was too little by so much.
        slack += request
            .planning
            .memory
            .map_or(0.0, |limit| peak.bytes - limit);
        if least.as_ref().is_none_or(|least| peak.bytes < least.bytes) {
            least = Some(peak);
        }
    }
    Err(vec![too_little(
        module,
        request,
        &least.unwrap_or_default(),
    )])
}

/// What callees may take of the memory: first all, then less and less, so that their callers have the
/// rest.
const SHARES: &[f64] = &[1.0, 0.3, 0.0];

/// How often a plan is made again that was found to keep more than it was estimated to.
const ATTEMPTS: usize = 3;

/// No plan fits.
fn too_little(module: &Module, request: &Request, least: &Peak) -> Diagnostic {
    let limit = request.planning.memory.unwrap_or_default();
    let values: Vec<String> = least
        .kept
        .iter()
        .take(6)
        .filter_map(|kept| {
            let bytes = kept.bytes?;
            Some(format!("{} of {} {bytes:.0}", kept.name, kept.procedure))
        })
        .collect();
    let head = &module.procedures[request.head];
    Diagnostic::error(
        "memory-limit",
        format!(
            "no plan keeps within {limit:.0} bytes: the least that was found is {:.0} bytes",
            least.bytes
        ),
    )
    .at(head.home.span, format!("made up of {}", values.join(", ")))
    .with_help(format!(
        "allow more (`--memory {:.0}`), tell true sizes (`--size n=100`), or reverse a time loop with snapshots (`!$ad checkpoint`)",
        least.bytes.ceil()
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
    unrepeatable: BTreeSet<ProcedureId>,
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
    derived: Module,
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
        let limit = self.request.planning.memory? - self.slack;
        let callees = &self.specialisations[index].callees;
        let below = callees
            .values()
            .map(|&callee| measure::peak(&self.derived, self.id(callee), self.values).bytes)
            .fold(0.0, f64::max);
        let is_head = index + 1 == self.specialisations.len();
        let share = if is_head { 1.0 } else { self.share };
        Some((share * limit - below).max(0.0))
    }

    fn id(&self, index: usize) -> ProcedureId {
        ProcedureId::from_index(self.module.procedures.len() + index)
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
            unrepeatable: &self.unrepeatable,
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
            planning: &self.request.planning,
            values: self
                .values
                .get(&specialisation.procedure)
                .unwrap_or(&unknown),
            checkpoints: &self.request.checkpoints,
            next_snapshot: self.next_snapshot,
            limit: self.limit(index),
        };
        let adjoint = adjoint::adjoint(&order, memory)?;
        let id = self.id(index);
        self.derived.procedures[id] = adjoint.procedure;
        self.report.extend(adjoint.report);
        self.rows.extend(adjoint.rows);
        self.time += adjoint.time;
        let split = adjoint
            .split
            .filter(|split| split.pays() || self.unrepeatable.contains(&specialisation.procedure))
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
fn names(module: &Module, specialisations: &[Specialisation], suffix: &str) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for specialisation in specialisations {
        let base = &naming::base(module, specialisation.procedure);
        let name = naming::procedure_name(module, base, suffix);
        let is_free = |name: &str| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
        let name = if is_free(&name) {
            name
        } else {
            (1u32..)
                .map(|number| naming::procedure_name(module, base, &format!("{suffix}{number}")))
                .find(|name| is_free(name))
                .expect("invariant: some number is free")
        };
        taken.push(name);
    }
    taken
}
