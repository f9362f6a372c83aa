//! Solves the planner's problem. The only file that names good_lp.

use good_lp::{
    Expression, ProblemVariables, Solution, SolverModel, Variable, WithMipGap, WithTimeLimit,
    constraint, microlp, variable,
};

use super::decisions::Reversal;
use super::model::{Problem, Selection};

/// What is asked of a solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Task {
    /// The most bytes that may be kept at a time.
    pub limit: Option<f64>,
    /// What is as small as possible.
    pub aim: Aim,
    /// When it must stop.
    pub seconds: f64,
    /// How far from the optimum the answer may be, relative to it.
    pub gap: f64,
}

/// What is as small as possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Run time.
    Time,
    /// Memory.
    Memory,
}

/// An answer with its proof.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// What to take.
    pub selection: Selection,
    /// How far from the optimum it may be, relative to it; nothing where no bound is proven.
    pub gap: Option<f64>,
}

/// The best selection, by the integer program; the greedy one where the solver gives none in time.
/// `None` where nothing fits.
pub fn optimal(problem: &Problem, task: &Task) -> Option<Answer> {
    let start = greedy(problem, task);
    if problem.choices.is_empty() {
        return start.map(|selection| Answer {
            selection,
            gap: Some(0.0),
        });
    }
    let program = Program::of(problem, task, start.as_ref(), Numbers::Whole);
    match program.solve(problem, task) {
        Ok(answer) => Some(answer),
        Err(Outcome::Infeasible) => None,
        Err(Outcome::Nothing) => start.map(|selection| Answer {
            selection,
            gap: None,
        }),
    }
}

/// A bound below the time of every plan that fits: the program's optimum in fractions.
#[cfg(test)]
pub fn lower_bound(problem: &Problem, task: &Task) -> Option<f64> {
    let program = Program::of(problem, task, None, Numbers::Fractions);
    let scale = program.scale;
    let objective = program.objective.clone();
    let mut model = program.variables.minimise(program.objective).using(microlp);
    for row in program.rows {
        model = model.with(row);
    }
    let solution = model.solve().ok()?;
    Some(solution.eval(&objective) * scale + problem.split.time())
}

/// Of what kind decisions are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Whole,
    #[cfg_attr(not(test), allow(dead_code))]
    Fractions,
}

enum Outcome {
    Infeasible,
    Nothing,
}

/// The integer program and what its variables mean.
struct Program {
    variables: ProblemVariables,
    objective: Expression,
    rows: Vec<good_lp::Constraint>,
    take: Vec<Variable>,
    #[cfg_attr(not(test), allow(dead_code))]
    scale: f64,
    reads: Vec<Vec<Variable>>,
}

impl Program {
    fn of(problem: &Problem, task: &Task, start: Option<&Selection>, numbers: Numbers) -> Self {
        let mut variables = ProblemVariables::new();
        let decision = || match numbers {
            Numbers::Whole => variable().binary(),
            Numbers::Fractions => variable().min(0.0).max(1.0),
        };
        let began = |on: Option<bool>| match on {
            Some(true) => decision().initial(1.0),
            Some(false) => decision().initial(0.0),
            None => decision(),
        };
        let take: Vec<Variable> = problem
            .choices
            .iter()
            .map(|choice| {
                let on = start.map(|s| {
                    s.loops[choice.inner] == Some(choice.reversal)
                        && problem.parent(choice.inner, s) == choice.parent
                });
                variables.add(began(on))
            })
            .collect();
        // Whether a loop is not split, and whether its iterations are run again one by one.
        let mut joint = vec![Expression::default(); problem.loops.len()];
        let mut one_by_one = joint.clone();
        for (choice, &y) in problem.choices.iter().zip(&take) {
            joint[choice.inner] += y;
            if choice.reversal == Reversal::Joint {
                one_by_one[choice.inner] += y;
            }
        }
        let scale = problem
            .choices
            .iter()
            .map(|choice| choice.cost.time().abs())
            .chain(problem.items.iter().map(|item| item.work.abs()))
            .fold(1.0, f64::max);
        let unit = problem
            .choices
            .iter()
            .map(|choice| choice.cost.bytes.abs())
            .chain([problem.split.bytes])
            .fold(1.0, f64::max);
        let mut time = Expression::default();
        let mut bytes = Expression::default();
        let mut rows = Vec::new();
        for j in &joint {
            rows.push(constraint!(j.clone() <= 1.0));
        }
        for (choice, &y) in problem.choices.iter().zip(&take) {
            time += choice.cost.time() / scale * y;
            bytes += choice.cost.bytes / unit * y;
            for &q in &problem.loops[choice.inner].around {
                if Some(q) == choice.parent {
                    rows.push(constraint!(Expression::from(y) <= joint[q].clone()));
                    break;
                }
                rows.push(constraint!(y + joint[q].clone() <= 1.0));
            }
        }
        let mut reads: Vec<Vec<Variable>> = Vec::new();
        let mut runs: Vec<Variable> = Vec::new();
        for item in &problem.items {
            let run = variables.add(variable().min(0.0).max(1.0));
            time += item.work / scale * run;
            runs.push(run);
            let mut own = Vec::new();
            for (parent, cost) in &item.stores {
                let taken = problem.choices.iter().position(|c| {
                    c.inner == item.inner && c.parent == *parent && c.reversal == Reversal::Joint
                });
                let Some(taken) = taken else { continue };
                let read = variables.add(decision());
                time += cost.time() / scale * read;
                bytes += cost.bytes / unit * read;
                rows.push(constraint!(Expression::from(read) <= take[taken]));
                own.push(read);
            }
            reads.push(own);
        }
        let there = |v: usize| -> Expression {
            reads[v]
                .iter()
                .copied()
                .map(Expression::from)
                .sum::<Expression>()
                + runs[v]
        };
        for (v, item) in problem.items.iter().enumerate() {
            if item.needed {
                let mut live = one_by_one[item.inner].clone();
                for &q in &item.between {
                    live -= joint[q].clone();
                }
                rows.push(constraint!(there(v) >= live));
            }
            for &operand in item.operands.iter().filter(|&&operand| operand != v) {
                rows.push(constraint!(there(operand) >= runs[v]));
            }
        }
        if let Some(limit) = task.limit {
            let room = (limit - problem.split.bytes) / unit;
            rows.push(constraint!(bytes.clone() <= room));
        }
        Self {
            variables,
            objective: match task.aim {
                Aim::Time => time,
                Aim::Memory => bytes,
            },
            rows,
            take,
            scale,
            reads,
        }
    }

    fn solve(self, problem: &Problem, task: &Task) -> Result<Answer, Outcome> {
        let mut model = self.variables.minimise(self.objective).using(microlp);
        for row in self.rows {
            model = model.with(row);
        }
        let model = model
            .with_time_limit(task.seconds)
            .with_mip_gap(task.gap as f32)
            .map_err(|_| Outcome::Nothing)?;
        let solution = match model.solve() {
            Ok(solution) => solution,
            Err(good_lp::ResolutionError::Infeasible) => return Err(Outcome::Infeasible),
            Err(_) => return Err(Outcome::Nothing),
        };
        let mut selection = problem.nothing();
        for (choice, &y) in problem.choices.iter().zip(&self.take) {
            if solution.value(y) > 0.5 {
                selection.loops[choice.inner] = Some(choice.reversal);
            }
        }
        for (v, reads) in self.reads.iter().enumerate() {
            selection.read[v] = reads.iter().any(|&read| solution.value(read) > 0.5);
        }
        let gap = solution.into_inner().gap();
        Ok(Answer { selection, gap })
    }
}

/// A selection made one change after the other, the best first; `None` where none of those that it
/// comes by fits.
pub fn greedy(problem: &Problem, task: &Task) -> Option<Selection> {
    let rank = |selection: &Selection| -> Option<(f64, f64)> {
        let (bytes, time) = problem.evaluate(selection)?;
        let excess = task.limit.map_or(0.0, |limit| (bytes - limit).max(0.0));
        Some(match task.aim {
            Aim::Time => (excess, time),
            Aim::Memory => (excess, bytes),
        })
    };
    let mut best = problem.nothing();
    let mut mark = rank(&best)?;
    loop {
        let mut step: Option<(Selection, (f64, f64))> = None;
        let mut consider = |next: Selection| {
            if let Some(found) = rank(&next)
                && found < step.as_ref().map_or(mark, |(_, mark)| *mark)
            {
                step = Some((next, found));
            }
        };
        for l in 0..problem.loops.len() {
            let others = problem.reversals(l).into_iter().map(Some).chain([None]);
            for reversal in others.filter(|&reversal| reversal != best.loops[l]) {
                let mut next = best.clone();
                next.loops[l] = reversal;
                consider(next);
            }
        }
        for (v, item) in problem.items.iter().enumerate() {
            if best.loops[item.inner].is_some() && !item.stores.is_empty() {
                let mut next = best.clone();
                next.read[v] = !next.read[v];
                consider(next);
            }
        }
        match step {
            Some((next, found)) => (best, mark) = (next, found),
            None => break,
        }
    }
    (mark.0 <= 0.0).then_some(best)
}
