//! What derived procedures keep, read off their tapes.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Callee, Diagnostic, Extent, Module, Procedure, ProcedureId, Role, Span, Stmt, VarId,
};

use super::cost::width;
use super::sizes::Known;

/// A tape or a snapshot.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// The derived procedure.
    pub procedure: String,
    /// The variable.
    pub name: String,
    /// Its bytes; nothing where it grows, as the tapes of a recursion do.
    pub bytes: Option<f64>,
}

/// The most that is kept at a time.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Peak {
    /// Bytes, without what grows.
    pub bytes: f64,
    /// What they are made of, the largest first.
    pub kept: Vec<Kept>,
    /// Sizes of these of which nothing is known, with their procedures.
    pub guessed: BTreeSet<String>,
}

impl Peak {
    /// What grows, of which the peak has no bytes.
    pub fn growing(&self) -> Vec<String> {
        let growing = self.kept.iter().filter(|kept| kept.bytes.is_none());
        let mut names: Vec<String> = growing
            .map(|kept| format!("{} of {}", kept.name, kept.procedure))
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// What to say where there is a memory limit and something grows, which no limit counts: where it grows.
pub fn uncounted(module: &Module, peak: &Peak) -> Option<Diagnostic> {
    let growing = peak.growing();
    if growing.is_empty() {
        return None;
    }
    let warning = Diagnostic::warning(
        "memory-grows",
        format!(
            "the memory limit does not count what grows as the program runs: {}",
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
        Some(span) => warning.at(span, "nobody knows at entry how often this runs"),
        None => warning,
    };
    Some(warning.with_help(
        "count the trips (a DO loop), or reverse the loop with snapshots (`!$ad checkpoint binomial(20)` or `#pragma ad checkpoint binomial(20)` before it); `--instrument` measures what a run keeps",
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

/// The tapes of a procedure.
pub fn tapes(procedure: &Procedure, values: &BTreeMap<VarId, f64>) -> Vec<Kept> {
    tapes_by(procedure, &Known::new(procedure, values.clone()))
}

fn tapes_by(procedure: &Procedure, known: &Known<'_>) -> Vec<Kept> {
    let none = BTreeMap::new();
    let elements = |count| known.guess(procedure, count, &none).max(0.0);
    procedure
        .variables
        .iter()
        .filter(|(_, variable)| variable.role == Role::Tape && !variable.is_argument())
        .map(|(_, variable)| {
            let count: Option<f64> = variable
                .shape
                .iter()
                .map(|dim| match dim.extent {
                    Extent::Count(count) => Some(elements(count)),
                    _ => None,
                })
                .product();
            Kept {
                procedure: procedure.name.clone(),
                name: variable.name.clone(),
                bytes: count.map(|count| count * width(variable.ty)),
            }
        })
        .collect()
}

/// The bytes of those of known size.
pub fn total(tapes: &[Kept]) -> f64 {
    tapes.iter().filter_map(|kept| kept.bytes).sum()
}

/// The peak of a derived procedure: its own tapes, and those of the callee that keeps most.
pub fn peak(
    module: &Module,
    id: ProcedureId,
    values: &BTreeMap<ProcedureId, BTreeMap<VarId, f64>>,
) -> Peak {
    let mut peak = visit(module, id, values, &mut BTreeSet::new());
    peak.kept
        .sort_by(|a, b| b.bytes.unwrap_or(0.0).total_cmp(&a.bytes.unwrap_or(0.0)));
    peak
}

fn visit(
    module: &Module,
    id: ProcedureId,
    values: &BTreeMap<ProcedureId, BTreeMap<VarId, f64>>,
    open: &mut BTreeSet<ProcedureId>,
) -> Peak {
    let procedure = &module.procedures[id];
    if !open.insert(id) {
        // Nobody knows how deep it goes.
        let levels = Kept {
            procedure: procedure.name.clone(),
            name: "the recursion".to_owned(),
            bytes: None,
        };
        return Peak {
            bytes: 0.0,
            kept: vec![levels],
            guessed: BTreeSet::new(),
        };
    }
    let none = BTreeMap::new();
    let origin = procedure.role.origin().and_then(|of| values.get(&of));
    let known = Known::new(procedure, origin.unwrap_or(&none).clone());
    let mut kept = tapes_by(procedure, &known);
    let primal = procedure.role.origin().unwrap_or(id);
    let primal = &module.procedures[primal].name;
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
        .map(|callee| visit(module, callee, values, open))
        .collect();
    open.remove(&id);
    guessed.extend(below.iter().flat_map(|peak| peak.guessed.iter().cloned()));
    // What grows in any callee counts, whichever keeps most of the rest.
    let growing = below.iter().flat_map(|peak| &peak.kept);
    kept.extend(growing.filter(|kept| kept.bytes.is_none()).cloned());
    let largest = below
        .into_iter()
        .max_by(|a, b| a.bytes.total_cmp(&b.bytes))
        .unwrap_or_default();
    let bytes = total(&kept) + largest.bytes;
    let known = largest.kept.into_iter().filter(|kept| kept.bytes.is_some());
    kept.extend(known);
    Peak {
        bytes,
        kept,
        guessed,
    }
}
