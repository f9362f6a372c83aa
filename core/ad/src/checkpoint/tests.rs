//! The integer program against brute force, on problems drawn at random.

use super::branch;
use super::cost::Cost;
use super::decisions::Reversal;
use super::model::{Choice, Item, LoopInfo, Problem, Selection};
use super::solve::{Aim, Task, greedy, lower_bound, optimal, programmed};
use super::trial::{self, Random, Shape};

fn cost(random: &mut Random, bytes: i64, traffic: i64, work: i64) -> Cost {
    let mut between = |most: i64| random.below(most.unsigned_abs() as usize + 1) as f64;
    Cost {
        bytes: between(bytes) * bytes.signum() as f64,
        traffic: between(traffic) * traffic.signum() as f64,
        work: between(work) * work.signum() as f64,
    }
}

/// A tree of loops, some joint in others, with assignments that use one another.
pub fn problem(seed: u64, loops: usize, items: usize) -> Problem {
    let mut random = Random::of(seed);
    let mut problem = Problem {
        split: Cost {
            bytes: 60.0 * loops as f64,
            traffic: 100.0 * loops as f64,
            work: 0.0,
        },
        ..Problem::default()
    };
    for l in 0..loops {
        let parent = (l > 0 && random.below(3) > 0).then(|| random.below(l));
        let around: Vec<usize> = parent
            .into_iter()
            .flat_map(|p| std::iter::once(p).chain(problem.loops[p].around.clone()))
            .collect();
        problem.loops.push(LoopInfo {
            id: None,
            around: around.clone(),
        });
        for parent in std::iter::once(None).chain(around.into_iter().map(Some)) {
            let saved = cost(&mut random, -60, -80, 0);
            let paid = cost(&mut random, 20, 30, 60);
            let cost = Cost {
                bytes: saved.bytes + paid.bytes,
                traffic: saved.traffic + paid.traffic,
                work: paid.work,
            };
            problem.choices.push(Choice {
                inner: l,
                parent,
                reversal: Reversal::Joint,
                cost,
            });
        }
    }
    for v in 0..items {
        let inner = random.below(loops);
        let operands = (0..v)
            .filter(|&u| problem.items[u].inner == inner)
            .filter(|_| random.below(2) == 0)
            .collect();
        let within: Vec<usize> = (0..loops)
            .filter(|&q| problem.loops[q].around.contains(&inner))
            .collect();
        // The innermost loop around the assignment, and those between that and the item's loop.
        let between: Vec<usize> = match within.is_empty() || random.below(2) == 0 {
            true => Vec::new(),
            false => {
                let q = within[random.below(within.len())];
                let outer = problem.loops[q].around.iter().copied();
                std::iter::once(q)
                    .chain(outer.take_while(|&p| p != inner))
                    .collect()
            }
        };
        let parents: Vec<Option<usize>> = std::iter::once(None)
            .chain(problem.loops[inner].around.iter().copied().map(Some))
            .collect();
        let stores = match random.below(4) {
            0 => Vec::new(),
            _ => parents
                .into_iter()
                .map(|parent| (parent, cost(&mut random, 15, 25, 0)))
                .collect(),
        };
        problem.items.push(Item {
            stmt: None,
            inner,
            between,
            needed: random.below(2) == 0,
            operands,
            work: random.below(50) as f64,
            stores,
        });
    }
    problem
}

fn brute(problem: &Problem, limit: f64) -> Option<f64> {
    let (loops, items) = (problem.loops.len(), problem.items.len());
    (0..1u32 << (loops + items))
        .filter_map(|bits| {
            let on = |k: usize| bits >> k & 1 == 1;
            let selection = Selection {
                loops: (0..loops)
                    .map(|l| on(l).then_some(Reversal::Joint))
                    .collect(),
                read: (0..items).map(|v| on(loops + v)).collect(),
            };
            problem.evaluate(&selection)
        })
        .filter(|(bytes, _)| *bytes <= limit)
        .map(|(_, time)| time)
        .min_by(f64::total_cmp)
}

fn task(limit: f64) -> Task {
    Task {
        limit: Some(limit),
        aim: Aim::Time,
        seconds: 30.0,
        gap: 0.0,
    }
}

#[test]
fn the_integer_program_is_as_good_as_brute_force() {
    let (mut solved, mut infeasible) = (0, 0);
    for seed in 0..60 {
        let problem = problem(seed, 2 + seed as usize % 3, 2 + seed as usize % 6);
        let mut last = f64::INFINITY;
        for share in [0.2, 0.5, 0.8, 1.0, 1.5] {
            let limit = share * problem.split.bytes;
            let answer = optimal(&problem, &task(limit));
            let expected = brute(&problem, limit);
            let Some(expected) = expected else {
                assert!(answer.is_none(), "seed {seed}: nothing fits into {limit}");
                infeasible += 1;
                continue;
            };
            let answer = answer.unwrap_or_else(|| panic!("seed {seed}: {limit} is enough"));
            let (bytes, time) = problem.evaluate(&answer.selection).unwrap();
            assert!(bytes <= limit + 1e-6, "seed {seed}: {bytes} of {limit}");
            assert!(
                (time - expected).abs() < 1e-6,
                "seed {seed}, limit {limit}: {time}, not {expected}"
            );
            assert!(time <= last + 1e-9, "seed {seed}: more memory, more time");
            last = time;
            let other = programmed(&problem, &task(limit)).unwrap();
            let (_, other) = problem.evaluate(&other.selection).unwrap();
            assert!((time - other).abs() < 1e-6, "seed {seed}: {time}, {other}");
            let bound = lower_bound(&problem, &task(limit)).unwrap();
            assert!(bound <= time + 1e-6, "seed {seed}: {bound} above {time}");
            if let Some(quick) = greedy(&problem, &task(limit)) {
                let (bytes, quick) = problem.evaluate(&quick).unwrap();
                assert!(bytes <= limit && quick >= time - 1e-6, "seed {seed}");
            }
            solved += 1;
        }
    }
    assert!(solved > 150 && infeasible > 0, "{solved}, {infeasible}");
}

#[test]
fn the_least_memory_is_found() {
    for seed in 100..130 {
        let problem = problem(seed, 3, 4);
        let least = Task {
            limit: None,
            aim: Aim::Memory,
            seconds: 30.0,
            gap: 0.0,
        };
        let answer = optimal(&problem, &least).unwrap();
        let (bytes, _) = problem.evaluate(&answer.selection).unwrap();
        assert!(brute(&problem, bytes + 1e-6).is_some());
        assert!(brute(&problem, bytes - 1e-3).is_none(), "seed {seed}");
    }
}

/// The solver of our own proves what it finds, without the integer program.
#[test]
fn branch_and_bound_alone_is_as_good_as_brute_force() {
    let (mut solved, mut infeasible) = (0, 0);
    for seed in 1000..1300 {
        let problem = problem(seed, 1 + seed as usize % 4, seed as usize % 8);
        for share in [0.1, 0.3, 0.6, 0.9, 1.2] {
            let limit = share * problem.split.bytes;
            let found = branch::solve(&problem, &task(limit), None);
            let Some(expected) = brute(&problem, limit) else {
                assert!(found.best.is_none() && found.bound == f64::INFINITY);
                infeasible += 1;
                continue;
            };
            let (_, value) = found.best.unwrap_or_else(|| panic!("seed {seed}"));
            assert!(
                (value - expected).abs() < 1e-6,
                "seed {seed}, limit {limit}: {value}, not {expected}"
            );
            assert!(found.bound <= expected + 1e-6 && found.bound >= expected - 1e-6);
            solved += 1;
        }
    }
    assert!(solved > 600 && infeasible > 50, "{solved}, {infeasible}");
}

/// Large programs are solved to one per cent; seconds are measured by `contraflow-bench solver`.
#[test]
fn large_problems_are_solved_to_one_per_cent() {
    for (shape, share) in [
        (Shape::Wide, 0.3),
        (Shape::Wide, 0.6),
        (Shape::Deep, 0.3),
        (Shape::Deep, 0.6),
    ] {
        let found = trial::solve(1, 500, shape, share, 60.0, 0.01);
        assert!(found.is_feasible);
        assert!(found.gap.unwrap() <= 0.01, "{shape:?}, {share}: {found:?}");
    }
}
