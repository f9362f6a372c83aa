//! How large things are: hints of the user, constants in the code, and what callers pass.
//!
//! Sizes stay symbolic until here: a tape's extents and a loop's trip count are expressions in
//! variables at entry. [`Known`] evaluates them with what is known of these variables; what is not
//! known counts as [`DEFAULT_SIZE`], and is remembered so that the report can say so.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Argument, BinaryOp, BoundKind, Callee, Expr, ExprId, Extent, Intrinsic, Module, Procedure,
    ProcedureId, Stmt, Storage, UnaryOp, VarId,
};

/// What stands for a size of which nothing is known.
pub const DEFAULT_SIZE: f64 = 64.0;

/// The user's hints: `nx=512`, or `solve::nx=512` for one procedure. An array's name gives the extent
/// of each dimension that the source does not tell.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Sizes {
    values: BTreeMap<String, f64>,
}

impl Sizes {
    /// Adds a hint.
    pub fn set(&mut self, name: &str, value: f64) {
        self.values.insert(name.to_lowercase(), value);
    }

    /// Adds a hint where there is none for this procedure's variable.
    pub fn suggest(&mut self, procedure: &str, name: &str, value: f64) {
        if self.get(procedure, name).is_none() {
            self.set(&format!("{procedure}::{name}"), value);
        }
    }

    /// Whether nothing is hinted.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn get(&self, procedure: &str, name: &str) -> Option<f64> {
        let name = name.to_lowercase();
        let own = format!("{}::{name}", procedure.to_lowercase());
        self.values
            .get(&own)
            .or_else(|| self.values.get(&name))
            .copied()
    }
}

/// What is known of the variables of each procedure at its entry: hints, and what the first caller
/// passes, from the head down.
pub fn passed(
    module: &Module,
    head: ProcedureId,
    sizes: &Sizes,
) -> BTreeMap<ProcedureId, BTreeMap<VarId, f64>> {
    let mut found: BTreeMap<ProcedureId, BTreeMap<VarId, f64>> = BTreeMap::new();
    let mut waiting = vec![head];
    let mut seen = BTreeSet::from([head]);
    while let Some(id) = waiting.pop() {
        let procedure = &module.procedures[id];
        let mut own = found.remove(&id).unwrap_or_default();
        for (var, variable) in procedure.variables.iter() {
            if let Some(value) = sizes.get(&procedure.name, &variable.name) {
                own.insert(var, value);
            }
        }
        let known = Known::new(procedure, own);
        for stmt in procedure.all_statements() {
            let Stmt::Call {
                callee: Callee::Procedure(callee),
                arguments,
                ..
            } = procedure.stmt(stmt)
            else {
                continue;
            };
            let target = &module.procedures[*callee];
            let values = found.entry(*callee).or_default();
            for (argument, &dummy) in arguments.iter().zip(&target.arguments) {
                let value = match argument {
                    Argument::Value(e) => known.value(procedure, *e),
                    Argument::Place(place) if place.path.is_empty() => known.variable(place.var),
                    _ => None,
                };
                if let Some(value) = value {
                    let old = values.entry(dummy).or_insert(value);
                    *old = old.max(value);
                }
            }
            if seen.insert(*callee) {
                waiting.insert(0, *callee);
            }
        }
        found.insert(id, known.values);
    }
    found
}

/// The values of one procedure's variables at entry, as far as they are known.
pub struct Known<'p> {
    primal: &'p Procedure,
    values: BTreeMap<VarId, f64>,
    guessed: RefCell<BTreeSet<String>>,
}

impl<'p> Known<'p> {
    /// From values at entry.
    pub fn new(primal: &'p Procedure, values: BTreeMap<VarId, f64>) -> Self {
        Self {
            primal,
            values,
            guessed: RefCell::default(),
        }
    }

    /// The names of what was counted as [`DEFAULT_SIZE`].
    pub fn guessed(&self) -> Vec<String> {
        self.guessed.borrow().iter().cloned().collect()
    }

    /// The same before anything was guessed.
    pub fn again(&self) -> Self {
        Self::new(self.primal, self.values.clone())
    }

    /// Takes note of what else was guessed.
    pub fn guess_also(&self, names: impl Iterator<Item = String>) {
        self.guessed.borrow_mut().extend(names);
    }

    fn variable(&self, var: VarId) -> Option<f64> {
        if let Some(&value) = self.values.get(&var) {
            return Some(value);
        }
        let variable = self.primal.variables.get(var)?;
        match variable.storage {
            Storage::Constant {
                value: Some(constant),
                ..
            } => self.value(self.primal, constant),
            _ => None,
        }
    }

    /// The value of an integer expression at entry; `None` where it is not known.
    pub fn value(&self, procedure: &Procedure, e: ExprId) -> Option<f64> {
        self.evaluate(procedure, e, &BTreeMap::new(), None)
    }

    /// The value with the loops' variables set, unknown variables counted as [`DEFAULT_SIZE`].
    pub fn guess(&self, procedure: &Procedure, e: ExprId, loops: &BTreeMap<VarId, f64>) -> f64 {
        self.evaluate(procedure, e, loops, Some(DEFAULT_SIZE))
            .unwrap_or(DEFAULT_SIZE)
    }

    fn evaluate(
        &self,
        procedure: &Procedure,
        e: ExprId,
        loops: &BTreeMap<VarId, f64>,
        default: Option<f64>,
    ) -> Option<f64> {
        let value = |e: ExprId| self.evaluate(procedure, e, loops, default);
        match procedure.expr(e) {
            Expr::Integer(value) => Some(*value as f64),
            Expr::Load(access) if access.path.is_empty() => {
                let known = loops.get(&access.var).copied();
                known
                    .or_else(|| self.variable(access.var))
                    .or_else(|| self.guess_of(procedure, access.var, default))
            }
            Expr::Load(access)
            | Expr::Present(access)
            | Expr::Associated {
                pointer: access, ..
            } => self.guess_of(procedure, access.var, default),
            Expr::Bound { array, kind, dim } => match kind {
                BoundKind::Lower => Some(1.0),
                BoundKind::Length => {
                    let is_whole = array.path.is_empty();
                    let length = procedure.variables[array.var].length;
                    let length = length.filter(|&length| is_whole && length != e);
                    length.and_then(value).or(default.map(|_| 16.0))
                }
                BoundKind::Extent | BoundKind::Upper => {
                    let declared = array
                        .path
                        .is_empty()
                        .then(|| procedure.variables[array.var].shape.get(*dim as usize))
                        .flatten();
                    match declared.map(|dim| dim.extent) {
                        Some(Extent::Count(count)) => value(count),
                        _ => self
                            .variable(array.var)
                            .or_else(|| self.guess_of(procedure, array.var, default)),
                    }
                }
            },
            Expr::Convert(inner) | Expr::Unary(UnaryOp::Plus, inner) => value(*inner),
            Expr::Unary(UnaryOp::Negate, inner) => Some(-value(*inner)?),
            Expr::Binary(op, left, right) => {
                let (a, b) = (value(*left)?, value(*right)?);
                match op {
                    BinaryOp::Add => Some(a + b),
                    BinaryOp::Subtract => Some(a - b),
                    BinaryOp::Multiply => Some(a * b),
                    BinaryOp::Divide if b != 0.0 => Some((a / b).trunc()),
                    BinaryOp::Remainder if b != 0.0 => Some(a % b),
                    BinaryOp::Power => Some(a.powf(b)),
                    _ => default,
                }
            }
            Expr::Intrinsic(Intrinsic::Max, list) => list
                .iter()
                .try_fold(f64::MIN, |m, &e| Some(m.max(value(e)?))),
            Expr::Intrinsic(Intrinsic::Min, list) => list
                .iter()
                .try_fold(f64::MAX, |m, &e| Some(m.min(value(e)?))),
            Expr::Select {
                then, otherwise, ..
            } => value(*then).or_else(|| value(*otherwise)),
            _ => default,
        }
    }

    fn guess_of(&self, procedure: &Procedure, var: VarId, default: Option<f64>) -> Option<f64> {
        if default.is_some() {
            let name = procedure.variables[var].name.clone();
            self.guessed.borrow_mut().insert(name);
        }
        default
    }
}
