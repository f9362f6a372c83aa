//! Store or recompute: which loops are reversed joint (their body run again, iteration by iteration),
//! which split (their values taped in the forward sweep), and which results joint loops read back
//! instead of computing them again.
//!
//! `cost` weighs a plan, `model` makes a plain 0-1 problem of all choices, `solve` solves it with an
//! integer program (or greedily), `refine` weighs the answer exactly and improves it while that is
//! cheap. [`Plan`] is the answer as data. What then has to be saved follows from the plan exactly
//! (`adjoint::needs`).

mod branch;
mod candidates;
mod closure;
mod cost;
mod decisions;
mod layout;
pub mod measure;
mod model;
mod random;
mod refine;
mod relax;
mod sizes;
mod solve;
#[cfg(test)]
mod tests;
pub mod trial;
mod trips;
mod undo;
mod whole;
pub mod words;

pub use cost::{Cost, Entry, Reason, Weights, bytes_of, width, work_of};
pub use decisions::{Decisions, Reversal, Schedule};
pub use layout::size_of;
pub use sizes::{DEFAULT_SIZE, Known, Sizes, passed};
pub use trips::MANY;

use std::collections::BTreeMap;

use contraflow_ir::{Diagnostic, Module, ProcedureId, Span, Stmt, VarId};

use crate::adjoint::needs::Subject;
use crate::request::Planner;
use cost::Meter;
use words::Words;

/// What the user says about planning.
#[derive(Clone, PartialEq, Debug)]
pub struct Planning {
    /// How large things are.
    pub sizes: Sizes,
    /// The most bytes that the derivative may keep at a time.
    pub memory: Option<f64>,
    /// The most bytes that the snapshots of one time loop may take on disk; nothing where they may not be
    /// there unless the user says so of a loop.
    pub disk: Option<f64>,
    /// How often loops run at most of which nobody knows that; a million and less is tried where the
    /// user does not say.
    pub trips: Option<f64>,
    /// What things cost.
    pub weights: Weights,
    /// How long the solver may think about one procedure, in seconds.
    pub seconds: f64,
    /// How far from the optimum a plan may be, relative to it.
    pub gap: f64,
}

impl Planning {
    /// How often loops of unknown trips are taken to run.
    pub fn many(&self) -> f64 {
        self.trips.unwrap_or(MANY)
    }
}

impl Default for Planning {
    fn default() -> Self {
        Self {
            sizes: Sizes::default(),
            memory: None,
            disk: None,
            trips: None,
            weights: Weights::default(),
            seconds: 5.0,
            gap: 1e-3,
        }
    }
}

/// What one procedure's plan is made for.
pub struct Brief<'b> {
    /// What the user says.
    pub planning: &'b Planning,
    /// Who plans.
    pub planner: Planner,
    /// What is known of its variables at entry.
    pub values: &'b BTreeMap<VarId, f64>,
    /// The most bytes that it may keep.
    pub limit: Option<f64>,
    /// What the user says of single values.
    pub words: &'b Words,
    /// What is decided already: then only the costs are found.
    pub decided: Option<&'b Decisions>,
}

/// What is decided for one procedure, and what that is estimated to cost.
#[derive(Clone, Default, Debug)]
pub struct Plan {
    /// What is decided.
    pub decisions: Decisions,
    /// What it costs.
    pub cost: Cost,
    /// How far from the best plan it may be, relative to it; nothing where no bound is proven.
    pub gap: Option<f64>,
    /// Sizes of which nothing is known.
    pub guessed: Vec<String>,
    /// What the user said that it does not do.
    pub warnings: Vec<Diagnostic>,
}

/// One line of a plan's table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The procedure of the user.
    pub procedure: String,
    /// The derived procedure.
    pub derived: String,
    /// Where.
    pub span: Span,
    /// What: a variable, or a loop by its variable.
    pub name: String,
    /// What is done with it.
    pub decision: Decision,
    /// Bytes that it keeps.
    pub bytes: f64,
    /// Operations that are run again for it.
    pub work: f64,
}

/// What a row of the table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A loop's iterations are run again one by one.
    Joint,
    /// A loop is run again from snapshots of some of its iterations.
    Snapshots(Schedule),
    /// A loop is taped.
    Split,
    /// The old value is kept before a statement overwrites it.
    Restore,
    /// The old value follows from the new one.
    Invert,
    /// What each iteration starts from is kept.
    Snapshot,
    /// A result is kept.
    Store,
    /// A result is computed again.
    Recompute,
    /// A branch or bounds are kept.
    Branch,
}

impl Decision {
    /// As it is written.
    pub fn word(self) -> String {
        let word = match self {
            Decision::Snapshots(Schedule::Binomial { slots }) => {
                return format!("binomial({slots})");
            }
            Decision::Snapshots(Schedule::Disk { files, slots }) => {
                return format!("disk({files},{slots})");
            }
            Decision::Joint => "joint",
            Decision::Split => "split",
            Decision::Restore => "restore",
            Decision::Invert => "invert",
            Decision::Snapshot => "snapshot",
            Decision::Store => "store",
            Decision::Recompute => "recompute",
            Decision::Branch => "branch",
        };
        word.to_owned()
    }
}

/// Plans one procedure.
pub fn plan(subject: &Subject<'_>, brief: &Brief<'_>) -> Plan {
    if let Planner::Random(seed) = brief.planner {
        return Plan {
            decisions: random::decisions(subject, seed),
            ..Plan::default()
        };
    }
    let mut meter = meter(subject, brief);
    if let Some(decisions) = brief.decided {
        let decided = subject.with(decisions);
        let cost = meter.cost(&decided, &decided.needs());
        return Plan {
            decisions: decisions.clone(),
            cost,
            guessed: meter.guessed(),
            ..Plan::default()
        };
    }
    let undone = undo::decide(subject, &mut meter);
    let subject = &subject.with(&undone);
    let given = whole::decide(subject, &mut meter);
    let subject = &subject.with(&given);
    let problem = model::build(subject, &mut meter);
    let mut plan = refine::solve(subject, &mut meter, &problem, brief);
    if !brief.words.is_empty() {
        plan.warnings = brief.words.apply(subject, &mut plan.decisions);
        let decided = subject.with(&plan.decisions);
        plan.cost = meter.cost(&decided, &decided.needs());
        plan.gap = None;
    }
    plan.guessed = meter.guessed();
    plan
}

fn meter<'s, 'a>(subject: &'s Subject<'a>, brief: &Brief<'s>) -> Meter<'s, 'a> {
    let is_told = !brief.planning.sizes.is_empty();
    let (values, weights) = (brief.values.clone(), brief.planning.weights);
    Meter::new(subject, values, weights, brief.limit, is_told)
        .with_disk(brief.planning.disk)
        .with_trips(brief.planning.many())
}

/// What a subject's own decisions cost.
pub fn weigh(subject: &Subject<'_>, brief: &Brief<'_>) -> Cost {
    meter(subject, brief).cost(subject, &subject.needs())
}

/// The rows of the table of a plan.
pub fn rows(
    subject: &Subject<'_>,
    weights: Weights,
    values: &BTreeMap<VarId, f64>,
    derived: &str,
) -> Vec<Row> {
    let procedure = &subject.module.procedures[subject.id];
    let needs = subject.needs();
    let mut meter = Meter::new(subject, values.clone(), weights, None, true);
    let row = |stmt, name: &str, decision, cost: Cost| Row {
        procedure: procedure.name.clone(),
        derived: derived.to_owned(),
        span: procedure.stmts[stmt].span,
        name: name.to_owned(),
        decision,
        bytes: cost.bytes,
        work: cost.work,
    };
    let mut rows = Vec::new();
    for &stmt in needs.reversed.iter() {
        let name = match *procedure.stmt(stmt) {
            Stmt::Loop { variable, .. } => procedure.variables[variable].name.as_str(),
            Stmt::While { .. } => "while",
            _ => continue,
        };
        let decision = match subject.decisions.reversal(stmt) {
            Reversal::Joint => Decision::Joint,
            Reversal::Split => Decision::Split,
            Reversal::Checkpointed(schedule) => Decision::Snapshots(schedule),
        };
        rows.push(row(stmt, name, decision, Cost::default()));
    }
    for entry in meter.entries(subject, &needs) {
        let decision = match entry.reason {
            Reason::Restore => Decision::Restore,
            Reason::Invert => Decision::Invert,
            Reason::Snapshot => Decision::Snapshot,
            Reason::Store => Decision::Store,
            Reason::Decision => Decision::Branch,
            Reason::Recompute => Decision::Recompute,
        };
        let target = match procedure.stmt(entry.stmt) {
            Stmt::Assign { target, .. } => Some(target.var),
            _ => None,
        };
        let var = entry.place.as_ref().map(|place| place.var).or(target);
        let Some(name) = var.map(|var| procedure.variables[var].name.as_str()) else {
            continue;
        };
        if decision == Decision::Recompute && target.is_none() {
            continue;
        }
        rows.push(row(entry.stmt, name, decision, entry.cost));
    }
    rows
}

impl Plan {
    /// One line per decision.
    pub fn report(&self, module: &Module, id: ProcedureId) -> Vec<String> {
        let procedure = &module.procedures[id];
        let mut lines: Vec<String> = self
            .decisions
            .frames()
            .map(|l| {
                let variable = match procedure.stmt(l) {
                    Stmt::Loop { variable, .. } => procedure.variables[*variable].name.as_str(),
                    _ => "",
                };
                if let Reversal::Checkpointed(schedule) = self.decisions.reversal(l) {
                    let over = match variable {
                        "" => String::new(),
                        variable => format!(" over {variable}"),
                    };
                    return format!(
                        "{}: the loop{over} is reversed with {}",
                        procedure.name,
                        schedule.words()
                    );
                }
                format!(
                    "{}: the loop over {variable} is run again, iteration by iteration, in the backward sweep",
                    procedure.name
                )
            })
            .collect();
        for &stmt in &self.decisions.stored {
            if let Stmt::Assign { target, .. } = procedure.stmt(stmt) {
                lines.push(format!(
                    "{}: results for {} are kept, not computed again",
                    procedure.name, procedure.variables[target.var].name
                ));
            }
        }
        let guesses = match self.guessed.as_slice() {
            [] => String::new(),
            names => format!(
                " ({} counted as {DEFAULT_SIZE}: --size tells)",
                names.join(", ")
            ),
        };
        lines.push(format!(
            "{}: estimated tape {:.0} bytes, {:.0} operations run again{guesses}",
            procedure.name, self.cost.bytes, self.cost.work,
        ));
        if let Some(gap) = self.gap.filter(|&gap| gap > 1e-9) {
            lines.push(format!(
                "{}: the model's best plan is at most {:.2} % faster",
                procedure.name,
                100.0 * gap
            ));
        }
        lines
    }
}
