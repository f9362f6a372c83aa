//! Runs a program and its tangent, and compares.

use contraflow_ir::interp::{self, Value};
use contraflow_ir::{Module, Procedure, ProcedureId, Role, VarId};

use crate::Derivative;
use crate::analysis::{Activity, Effects};
use crate::request::{Mode, Planner, Request};
use crate::tangent::tangents;

const STEP: f64 = 1e-5;

pub fn derive(module: &Module, head: ProcedureId, x: &[VarId], y: &[VarId]) -> Derivative {
    let request = Request {
        head,
        independents: x.to_vec(),
        dependents: y.to_vec(),
        bindings: Default::default(),
        mode: Mode::Tangent,
        suffix: "_d".to_owned(),
        planner: Planner::Greedy,
        planning: Default::default(),
        values: Vec::new(),
        checkpoints: Vec::new(),
        saved: crate::Saved::Unspecified,
        memory: crate::Saved::Unspecified,
        kept: Vec::new(),
        copy_head: false,
    };
    let effects = Effects::of(module);
    let activity = Activity::of(module, &effects, head, x, y).expect("activity");
    let derivative = tangents(module, &effects, &activity, &[], &request).expect("a tangent");
    contraflow_ir::verify::verify(&derivative.module).expect("valid IR");
    derivative
}

/// A program with values for its arguments.
struct Trial<'a> {
    module: &'a Module,
    head: ProcedureId,
    x: &'a [VarId],
    y: &'a [VarId],
    arguments: Vec<Value>,
}

/// Reals of an argument, by the number of the formal; a function's value is the last.
type Reals = Vec<Vec<f64>>;

impl Trial<'_> {
    fn procedure(&self) -> &Procedure {
        &self.module.procedures[self.head]
    }

    /// The primal's arguments moved along `direction`, and what they are afterwards.
    fn primal(&self, direction: &[f64], step: f64) -> Result<Reals, interp::Error> {
        let mut arguments = self.arguments.clone();
        let mut next = 0;
        for (position, formal) in self.procedure().arguments.iter().enumerate() {
            if self.x.contains(formal) {
                move_along(&mut arguments[position], direction, &mut next, step);
            }
        }
        let value = interp::run(self.module, self.head, &mut arguments)?;
        Ok(arguments.iter().chain(&value).map(reals).collect())
    }

    /// Runs the tangent along `direction`; gives the primal results and their tangents.
    fn tangent(&self, derivative: &Derivative, direction: &[f64]) -> (Reals, Reals) {
        let derived = &derivative.module.procedures[derivative.head];
        let primal = self.procedure();
        let mut arguments = Vec::new();
        let mut next = 0;
        for &formal in &derived.arguments {
            let position = |var| primal.arguments.iter().position(|&formal| formal == var);
            arguments.push(match derived.variables[formal].role {
                Role::Shadow { of } => match position(of) {
                    Some(position) => {
                        let mut shadow = self.arguments[position].clone();
                        let independent = self.x.contains(&of);
                        set_all(&mut shadow, if independent { 0.0 } else { 7.5 });
                        if independent {
                            move_along(&mut shadow, direction, &mut next, 1.0);
                        }
                        shadow
                    }
                    None => Value::Undefined(Vec::new()),
                },
                _ => match position(formal) {
                    Some(position) => self.arguments[position].clone(),
                    None => Value::Undefined(Vec::new()),
                },
            });
        }
        interp::run(&derivative.module, derivative.head, &mut arguments).expect("the tangent runs");
        let (mut values, mut tangents) = (Vec::new(), Vec::new());
        for (index, &formal) in derived.arguments.iter().enumerate() {
            match derived.variables[formal].role {
                Role::Shadow { of } => {
                    let last = values.len() - 1;
                    tangents.resize(last, Vec::new());
                    tangents.push(match self.y.contains(&of) {
                        true => reals(&arguments[index]),
                        false => Vec::new(),
                    });
                }
                _ => values.push(reals(&arguments[index])),
            }
        }
        tangents.resize(values.len(), Vec::new());
        (values, tangents)
    }

    fn directions(&self) -> Vec<Vec<f64>> {
        let count: usize = self
            .procedure()
            .arguments
            .iter()
            .zip(&self.arguments)
            .filter(|(formal, _)| self.x.contains(formal))
            .map(|(_, value)| reals(value).len())
            .sum();
        (1..4)
            .map(|k| {
                (0..count)
                    .map(|i| ((k * i + 2 * k + 1) as f64).sin())
                    .collect()
            })
            .collect()
    }

    /// Compares primal results bit for bit and tangents with differences.
    fn check(&self) {
        let derivative = derive(self.module, self.head, self.x, self.y);
        for direction in self.directions() {
            let (values, tangents) = self.tangent(&derivative, &direction);
            let expected = self.primal(&direction, 0.0).expect("the primal runs");
            assert_eq!(values, expected, "primal results");
            let above = self.primal(&direction, STEP).expect("the primal runs");
            let below = self.primal(&direction, -STEP).expect("the primal runs");
            for (position, tangent) in tangents.iter().enumerate() {
                for (element, &found) in tangent.iter().enumerate() {
                    let (above, below) = (above[position][element], below[position][element]);
                    let value = expected[position][element];
                    let difference = (above - below) / (2.0 * STEP);
                    let one_sided = (above - value) / STEP;
                    let is_kink = (one_sided - difference).abs() > 1e-2;
                    assert!(
                        is_kink || (found - difference).abs() <= 1e-6 * (1.0 + difference.abs()),
                        "argument {position}, element {element}: {found} instead of {difference}\n{}",
                        contraflow_ir::print::print(&derivative.module)
                    );
                }
            }
        }
    }
}

fn reals(value: &Value) -> Vec<f64> {
    value.as_reals().map(<[f64]>::to_vec).unwrap_or_default()
}

fn set_all(value: &mut Value, to: f64) {
    match value {
        Value::Real(x) => *x = to,
        Value::RealArray { data, .. } => data.fill(to),
        _ => {}
    }
}

fn move_along(value: &mut Value, direction: &[f64], next: &mut usize, step: f64) {
    let mut add = |x: &mut f64| {
        *x += direction[*next] * step;
        *next += 1;
    };
    match value {
        Value::Real(x) => add(x),
        Value::RealArray { data, .. } => data.iter_mut().for_each(add),
        _ => {}
    }
}

/// Checks one program at one point.
pub fn check(module: &Module, head: ProcedureId, x: &[VarId], y: &[VarId], arguments: Vec<Value>) {
    Trial {
        module,
        head,
        x,
        y,
        arguments,
    }
    .check();
}
