//! Solves the planner's problem. The only file that names good_lp.

use std::time::Instant;

#[cfg(feature = "highs")]
use good_lp::highs as solver;
#[cfg(not(feature = "highs"))]
use good_lp::microlp as solver;
use good_lp::{
    Expression, ProblemVariables, Solution, SolverModel, Variable, WithMipGap, WithTimeLimit,
    constraint, variable,
};

use super::branch;
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

/// Problems with more loops and results than this are too much for the integer program.
const MOST_FOR_PROGRAM: usize = match cfg!(feature = "highs") {
    true => usize::MAX,
    false => 400,
};

/// With fewer loops and results than this the greedy plan is where the search begins.
const SMALL: usize = 200;

/// The best selection by branch and bound (`branch`), and where that ends too early by the integer
/// program. `None` where nothing fits.
pub fn optimal(problem: &Problem, task: &Task) -> Option<Answer> {
    let began = Instant::now();
    let size = problem.loops.len() + problem.items.len();
    let start = (size <= SMALL).then(|| greedy(problem, task)).flatten();
    let found = branch::solve(problem, task, start);
    let gap_to = |bound: f64, value: f64| match value - bound {
        difference if difference <= 0.0 => 0.0,
        difference => difference / value.abs(),
    };
    let answer = found.best.map(|(selection, value)| Answer {
        selection,
        gap: found.bound.is_finite().then(|| gap_to(found.bound, value)),
    });
    let is_open = match &answer {
        Some(answer) => answer.gap.is_none_or(|gap| gap > task.gap.max(1e-9)),
        None => found.bound < f64::INFINITY,
    };
    let seconds = task.seconds - began.elapsed().as_secs_f64();
    if !is_open || size > MOST_FOR_PROGRAM || seconds <= 0.0 {
        return answer;
    }
    let task = Task { seconds, ..*task };
    let start = answer.as_ref().map(|answer| &answer.selection);
    let other = by_program(problem, &task, start);
    match (answer, other) {
        (Some(answer), Ok(other)) => Some(better(problem, &task, answer, other)),
        (None, Ok(other)) => Some(other),
        (answer, Err(_)) => answer,
    }
}

/// The better of two answers, with the smaller of their gaps.
fn better(problem: &Problem, task: &Task, a: Answer, b: Answer) -> Answer {
    let value = |answer: &Answer| -> f64 {
        match problem.evaluate(&answer.selection) {
            Some((bytes, _)) if task.limit.is_some_and(|limit| bytes > limit) => f64::INFINITY,
            Some((bytes, _)) if task.aim == Aim::Memory => bytes,
            Some((_, time)) => time,
            None => f64::INFINITY,
        }
    };
    let is_first = value(&a) <= value(&b);
    let gap = match (a.gap, b.gap) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    Answer {
        selection: if is_first { a.selection } else { b.selection },
        gap,
    }
}

/// The best selection by the integer program alone.
fn by_program(
    problem: &Problem,
    task: &Task,
    start: Option<&Selection>,
) -> Result<Answer, Outcome> {
    Program::of(problem, task, start, Numbers::Whole).solve(problem, task)
}

/// The integer program's answer, for comparison; `None` where nothing fits.
#[cfg(test)]
pub fn programmed(problem: &Problem, task: &Task) -> Option<Answer> {
    by_program(problem, task, None).ok()
}

/// A bound below the time of every plan that fits: the program's optimum in fractions.
#[cfg(test)]
pub fn lower_bound(problem: &Problem, task: &Task) -> Option<f64> {
    let program = Program::of(problem, task, None, Numbers::Fractions);
    let scale = program.scale;
    let objective = program.objective.clone();
    let mut model = program.variables.minimise(program.objective).using(solver);
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
                for &q in &item.between {
                    rows.push(constraint!(read + joint[q].clone() <= 1.0));
                }
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
        let mut model = self.variables.minimise(self.objective).using(solver);
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
        let gap = gap_of(solution, task);
        Ok(Answer { selection, gap })
    }
}

/// How far from the optimum the solver's answer may be.
#[cfg(not(feature = "highs"))]
fn gap_of(solution: good_lp::solvers::microlp::MicroLpSolution, _: &Task) -> Option<f64> {
    solution.into_inner().gap()
}

/// How far from the optimum the solver's answer may be: as far as was asked for, unless time ran out.
#[cfg(feature = "highs")]
fn gap_of(solution: good_lp::solvers::highs::HighsSolution, task: &Task) -> Option<f64> {
    let is_done = solution.status() != good_lp::solvers::SolutionStatus::TimeLimit;
    is_done.then_some(task.gap)
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
