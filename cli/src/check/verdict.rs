//! What the driver's figures say.
//!
//! The driver prints figures only; whether they are good enough is decided here. A figure that is
//! missing, or not a number, disproves.

use super::experiment::Experiment;
use crate::kept::Measured;
use std::collections::BTreeMap;

/// The largest relative errors that are taken for rounding.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerances {
    /// Between adjoint and tangent.
    pub adjoint: f64,
    /// Between tangent and differences.
    pub differences: f64,
}

/// Sensitivities are made dimensionless: directions are in proportion to the inputs, seeds in
/// inverse proportion to the outputs. Below this one, errors are not measured relative to the
/// sensitivity any more: what is left of terms that cancel is rounding.
const FLOOR: f64 = 1e-3;

/// The verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Whether everything holds.
    pub proved: bool,
    /// One line per law.
    pub lines: Vec<String>,
    /// What the adjoint kept, if it counts.
    pub kept: Option<Measured>,
}

/// The figures of a run by what they are about.
#[derive(Default, Debug)]
struct Figures {
    /// `(phase, variable)` to the number of elements that differ from the primal's.
    differ: BTreeMap<(String, usize), u64>,
    /// Output to its largest value.
    magnitude: BTreeMap<usize, f64>,
    /// Output to what is left in its shadow.
    left: BTreeMap<usize, f64>,
    /// Input to the error of the second call's increment.
    twice: BTreeMap<usize, f64>,
    /// `(input, output)`, 0 for all, to the error between adjoint and tangent.
    dot: BTreeMap<(usize, usize), f64>,
    /// `(input, output)` to the largest sensitivity met.
    volume: BTreeMap<(usize, usize), f64>,
    /// `(input, output)` to the error against differences.
    difference: BTreeMap<(usize, usize), f64>,
    seeds: BTreeMap<u32, u32>,
    /// What changed its size.
    resized: Option<usize>,
    /// What was kept.
    kept: Option<Measured>,
    done: bool,
}

/// Judges the driver's output.
///
/// # Errors
/// Output that is not a driver's, or that ends early.
pub fn judge(
    experiment: &Experiment,
    output: &str,
    tolerances: Tolerances,
) -> Result<Verdict, String> {
    let figures = read(output)?;
    if let Some(variable) = figures.resized {
        let name = Names::of(experiment).variable(variable);
        return Err(format!(
            "`{name}` has another size after a call, or none: give its size at exit with --extent, or \
             check a procedure that leaves it alone"
        ));
    }
    complete(experiment, &figures)?;
    let names = Names::of(experiment);
    let mut verdict = Verdict {
        proved: true,
        lines: Vec::new(),
        kept: figures.kept,
    };
    verdict.finite(&figures, &names);
    verdict.same_primal(&figures, &names);
    verdict.consumed(&figures, &names);
    verdict.small(
        "tangent against differences",
        &figures.difference,
        tolerances.differences,
        |&(i, j)| names.pair(i, j),
    );
    verdict.small(
        "adjoint against tangent",
        &figures.dot,
        tolerances.adjoint,
        |&(i, j)| names.pair(i, j),
    );
    verdict.small(
        "adjoint called twice",
        &figures.twice,
        tolerances.adjoint,
        |&i| names.variable(i),
    );
    if let Some((expected, measured)) = experiment.kept.as_ref().zip(figures.kept.as_ref()) {
        let (holds, fact) = expected.judge(measured);
        verdict.law(holds, "memory of tapes and snapshots", &fact);
    }
    verdict.untested(&figures, &names);
    Ok(verdict)
}

fn read(output: &str) -> Result<Figures, String> {
    let mut figures = Figures::default();
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // The user's code may print as well.
        let Some((&"check:", words)) = words.split_first() else {
            continue;
        };
        read_line(words, &mut figures).ok_or_else(|| format!("the driver printed `{line}`"))?;
    }
    Ok(figures)
}

fn read_line(words: &[&str], figures: &mut Figures) -> Option<()> {
    let index = |text: &str| text.parse::<usize>().ok();
    match *words {
        [] => {}
        ["done"] => figures.done = true,
        ["differ", phase, variable, count] => {
            let worst = figures
                .differ
                .entry((phase.to_owned(), index(variable)?))
                .or_default();
            *worst = count.parse::<u64>().ok()?.max(*worst);
        }
        ["magnitude", variable, value] => {
            keep_worst(&mut figures.magnitude, index(variable)?, number(value)?)
        }
        ["left", variable, value] => {
            keep_worst(&mut figures.left, index(variable)?, number(value)?)
        }
        ["twice", variable, error] => {
            keep_worst(&mut figures.twice, index(variable)?, number(error)?)
        }
        ["dot", seed, input, output, back, forth, volume] => {
            let error = relative(number(back)?, number(forth)?, number(volume)?);
            let volumes = &mut figures.volume;
            keep_worst(volumes, (index(input)?, index(output)?), number(volume)?);
            keep_worst(&mut figures.dot, (index(input)?, index(output)?), error);
            *figures.seeds.entry(seed.parse().ok()?).or_default() += 1;
        }
        ["difference", _, input, output, error, _] => {
            keep_worst(
                &mut figures.difference,
                (index(input)?, index(output)?),
                number(error)?,
            );
        }
        ["kept", left, most, on_disk] => {
            figures.kept = Some(Measured {
                left: number(left)?,
                most: number(most)?,
                on_disk: number(on_disk)?,
            });
        }
        ["resized", variable] => figures.resized = Some(index(variable)?),
        _ => return None,
    }
    Some(())
}

fn number(text: &str) -> Option<f64> {
    // A number too large for its field is printed as stars.
    if text.starts_with('*') {
        return Some(f64::INFINITY);
    }
    text.parse().ok()
}

fn relative(back: f64, forth: f64, volume: f64) -> f64 {
    (back - forth).abs() / volume.max(FLOOR)
}

/// Not a number is worse than any number.
fn keep_worst<K: Ord>(figures: &mut BTreeMap<K, f64>, key: K, value: f64) {
    let value = if value.is_nan() { f64::INFINITY } else { value };
    let worst = figures.entry(key).or_insert(value);
    *worst = worst.max(value);
}

/// Every law must have been tried on every variable.
fn complete(experiment: &Experiment, figures: &Figures) -> Result<(), String> {
    let inputs = experiment.independents().count();
    let outputs = experiment.dependents().count();
    let variables = experiment.variables.len();
    let dots = (inputs + 1) * (outputs + 1);
    let per_seed = u32::try_from(dots).map_err(|_| "too many variables".to_owned())?;
    let complete = figures.done
        && figures.kept.is_some() == experiment.kept.is_some()
        && figures.differ.len() == 4 * variables
        && figures.magnitude.len() == outputs
        && figures.twice.len() == inputs
        && figures.dot.len() == dots
        && figures.difference.len() == (inputs + 1) * outputs
        && figures.seeds.len() == experiment.seeds as usize
        && figures.seeds.values().all(|&count| count == per_seed);
    if complete {
        Ok(())
    } else {
        Err("the driver ended early".to_owned())
    }
}

struct Names {
    variables: Vec<String>,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

impl Names {
    fn of(experiment: &Experiment) -> Self {
        let name = |index: usize| experiment.variables[index].name.clone();
        Self {
            variables: (0..experiment.variables.len()).map(name).collect(),
            inputs: experiment.independents().map(name).collect(),
            outputs: experiment.dependents().map(name).collect(),
        }
    }

    fn variable(&self, number: usize) -> String {
        self.variables.get(number - 1).cloned().unwrap_or_default()
    }

    fn pair(&self, input: usize, output: usize) -> String {
        let one = |list: &[String], number: usize| match number {
            0 => "all".to_owned(),
            _ => list.get(number - 1).cloned().unwrap_or_default(),
        };
        format!(
            "d {} / d {}",
            one(&self.outputs, output),
            one(&self.inputs, input)
        )
    }
}

impl Verdict {
    fn law(&mut self, holds: bool, law: &str, fact: &str) {
        self.proved &= holds;
        let verdict = if holds { "ok  " } else { "FAIL" };
        self.lines.push(format!("  {verdict}  {law:<30} {fact}"));
    }

    fn finite(&mut self, figures: &Figures, names: &Names) {
        let bad: Vec<String> = figures
            .magnitude
            .iter()
            .filter(|(_, magnitude)| !magnitude.is_finite())
            .map(|(&variable, _)| names.variable(variable))
            .collect();
        if !bad.is_empty() {
            let fact = format!("{}: choose other values with --set", bad.join(", "));
            self.law(false, "the primal is finite", &fact);
        }
    }

    /// An output that no input moves proves little: the values may be chosen badly.
    fn untested(&mut self, figures: &Figures, names: &Names) {
        let flat: Vec<String> = figures
            .volume
            .iter()
            .filter(|&(&(input, output), &volume)| input == 0 && output > 0 && volume == 0.0)
            .filter_map(|(&(_, output), _)| names.outputs.get(output - 1).cloned())
            .collect();
        if !flat.is_empty() {
            self.lines.push(format!(
                "  note  {:<30} no input moves {}",
                "derivatives that are all zero",
                flat.join(", ")
            ));
        }
    }

    fn same_primal(&mut self, figures: &Figures, names: &Names) {
        for (phase, law) in [
            ("repeat", "the primal repeats itself"),
            ("tangent", "primal of the tangent"),
            ("adjoint", "primal of the adjoint"),
            ("again", "primal of a second call"),
        ] {
            let bad: Vec<String> = figures
                .differ
                .iter()
                .filter(|((of, _), count)| of == phase && **count > 0)
                .map(|((_, variable), count)| {
                    format!("{} ({count} elements)", names.variable(*variable))
                })
                .collect();
            match bad.is_empty() {
                true => self.law(true, law, "equal bit for bit"),
                false => self.law(false, law, &format!("differs in {}", bad.join(", "))),
            }
        }
    }

    fn consumed(&mut self, figures: &Figures, names: &Names) {
        let bad: Vec<String> = figures
            .left
            .iter()
            .filter(|(_, left)| **left != 0.0)
            .map(|(&variable, left)| format!("{} ({left:.1e})", names.variable(variable)))
            .collect();
        match bad.is_empty() {
            true => self.law(true, "shadows of outputs", "zero on return"),
            false => self.law(
                false,
                "shadows of outputs",
                &format!("not consumed: {}", bad.join(", ")),
            ),
        }
    }

    fn small<K>(
        &mut self,
        law: &str,
        errors: &BTreeMap<K, f64>,
        tolerance: f64,
        name: impl Fn(&K) -> String,
    ) {
        let worst = errors.iter().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((key, &error)) = worst else {
            return self.law(false, law, "no figures");
        };
        let holds = error <= tolerance;
        let relation = if holds { "within" } else { "above" };
        let fact = format!("{error:.1e} ({}), {relation} {tolerance:.0e}", name(key));
        self.law(holds, law, &fact);
        if !holds {
            let others = errors.iter().filter(|(_, error)| **error > tolerance);
            for (key, error) in others {
                self.lines
                    .push(format!("          {:<30} {error:.1e}", name(key)));
            }
        }
    }
}
