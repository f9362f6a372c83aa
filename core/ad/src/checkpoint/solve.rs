//! Solves the planner's problem. The only file that names good_lp.

use good_lp::{Expression, ProblemVariables, Solution, SolverModel, microlp, variable};

use super::model::Problem;

/// The choices to take, by the integer program; the greedy plan where the solver gives none.
pub fn optimal(problem: &Problem) -> Vec<usize> {
    if problem.choices.is_empty() {
        return Vec::new();
    }
    let mut variables = ProblemVariables::new();
    let take: Vec<_> = problem
        .choices
        .iter()
        .map(|_| variables.add(variable().binary()))
        .collect();
    let scale = scale(problem);
    let objective: Expression = take
        .iter()
        .enumerate()
        .map(|(k, &x)| gain(problem, k) / scale * x)
        .sum();
    let mut model = variables.maximise(objective).using(microlp);
    for path in &problem.exclusive {
        let sum: Expression = path.iter().map(|&k| Expression::from(take[k])).sum();
        model = model.with(sum.leq(1.0));
    }
    match model.solve() {
        Ok(solution) => (0..take.len())
            .filter(|&k| solution.value(take[k]) > 0.5)
            .collect(),
        Err(_) => greedy(problem),
    }
}

/// The choices to take, best gain first.
pub fn greedy(problem: &Problem) -> Vec<usize> {
    let mut order: Vec<usize> = (0..problem.choices.len())
        .filter(|&k| gain(problem, k) > 0.0)
        .collect();
    order.sort_by(|&a, &b| gain(problem, b).total_cmp(&gain(problem, a)));
    let mut taken: Vec<usize> = Vec::new();
    for k in order {
        let clash = problem
            .exclusive
            .iter()
            .any(|path| path.contains(&k) && taken.iter().any(|t| path.contains(t)));
        if !clash {
            taken.push(k);
        }
    }
    taken.sort_unstable();
    taken
}

/// Time saved by taking a choice, in operations.
fn gain(problem: &Problem, k: usize) -> f64 {
    problem.split.time() - problem.choices[k].cost.time()
}

fn scale(problem: &Problem) -> f64 {
    (0..problem.choices.len())
        .map(|k| gain(problem, k).abs())
        .fold(1.0, f64::max)
}
