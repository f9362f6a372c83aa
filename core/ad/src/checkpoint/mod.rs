//! Store or recompute: which loops are reversed joint (their body run again, iteration by
//! iteration) and which split (their values taped in the forward sweep).
//!
//! `cost` weighs a choice, `model` makes a plain 0-1 problem of all choices, `solve` solves it with
//! an integer program (or greedily), and [`Plan`] is the answer as data. What then has to be saved
//! follows from the plan exactly (`adjoint::needs`); the model only has to rank.

mod cost;
pub use cost::{WORK_PER_BYTE, bytes_of, work_of};
mod decisions;
mod model;
mod random;
mod solve;

pub use decisions::{Decisions, Reversal, Schedule};

use contraflow_ir::{Module, ProcedureId};

use crate::adjoint::needs::Subject;
use crate::request::Planner;

/// Which loops are reversed joint, and what that was estimated to cost.
#[derive(Clone, Default, Debug)]
pub struct Plan {
    /// What is decided.
    pub decisions: Decisions,
    /// Estimated bytes on tape.
    pub bytes: f64,
    /// Estimated extra work, in operations.
    pub work: f64,
}

/// Plans one procedure.
pub fn plan(subject: &Subject<'_>, planner: Planner) -> Plan {
    let problem = model::build(subject);
    let chosen = match planner {
        Planner::Optimal => solve::optimal(&problem),
        Planner::Greedy => solve::greedy(&problem),
        Planner::Random(seed) => {
            return Plan {
                decisions: random::decisions(subject, seed),
                ..Plan::default()
            };
        }
    };
    let mut plan = Plan {
        bytes: problem.split.bytes,
        work: problem.split.work,
        ..Plan::default()
    };
    for index in chosen {
        let choice = &problem.choices[index];
        plan.decisions.loops.insert(choice.loop_id, Reversal::Joint);
        plan.bytes += choice.cost.bytes - problem.split.bytes;
        plan.work += choice.cost.work - problem.split.work;
    }
    plan
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
                    contraflow_ir::Stmt::Loop { variable, .. } => {
                        procedure.variables[*variable].name.as_str()
                    }
                    _ => "",
                };
                format!(
                    "{}: the loop over {variable} is run again, iteration by iteration, in the backward sweep",
                    procedure.name
                )
            })
            .collect();
        lines.push(format!(
            "{}: estimated tape {:.0} bytes, {:.0} operations run again (loops of unknown length counted as {})",
            procedure.name,
            self.bytes,
            self.work,
            cost::DEFAULT_TRIPS
        ));
        lines
    }
}
