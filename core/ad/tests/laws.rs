#![allow(missing_docs)]
//! The laws of a derivative, checked by running primal and derived procedures in the interpreter.

use contraflow_ad::checkpoint::{Decision, Planning};
use contraflow_ad::{Derivative, Mode, Planner, Request, differentiate};
use contraflow_ir::generate::{self, Options};
use contraflow_ir::interp::{self, Value};
use contraflow_ir::{
    Access, BinaryOp, Builder, Dim, ExprId, Extent, Intent, Intrinsic, Module, Procedure,
    ProcedureId, Role, Sources, Storage, Type, VarId, Variable,
};

/// A procedure under construction, with its builder's shorthand.
struct Draft {
    p: Procedure,
}

impl Draft {
    fn new(name: &str) -> Self {
        Self {
            p: Procedure::new(name),
        }
    }

    fn argument(&mut self, name: &str, ty: Type, extents: &[ExprId], intent: Intent) -> VarId {
        let mut v = Variable::scalar(name, ty);
        let one = Builder::new(&mut self.p).int(1);
        v.shape = extents
            .iter()
            .map(|&count| Dim {
                lower: one,
                extent: Extent::Count(count),
            })
            .collect();
        v.intent = intent;
        v.storage = Storage::Argument {
            index: self.p.arguments.len() as u32,
        };
        let id = self.p.variables.add(v);
        self.p.arguments.push(id);
        id
    }

    fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.p.variables.add(Variable::scalar(name, ty))
    }

    fn b(&mut self) -> Builder<'_> {
        Builder::new(&mut self.p)
    }
}

fn random(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    ((*state >> 33) as f64) / ((1u64 << 31) as f64)
}

/// Checks primal equality, the adjoint against differences, the increment and consumption of
/// shadows, and a second call.
fn check(
    module: &Module,
    head: ProcedureId,
    ins: &[&str],
    outs: &[&str],
    primal: &[Value],
) -> bool {
    check_plans(module, head, ins, outs, primal, PLANS)
}

/// A planner, and the share of the memory of its free plan that it may use.
type PlanKind = (Planner, Option<f64>);

const PLANS: &[PlanKind] = &[
    (Planner::Optimal, None),
    (Planner::Greedy, None),
    (Planner::Random(1), None),
    (Planner::Random(2), None),
    (Planner::Random(3), None),
    (Planner::Optimal, Some(0.7)),
    (Planner::Optimal, Some(0.4)),
];

/// Some of them, each program others.
fn plans_of(seed: u64) -> Vec<PlanKind> {
    let turn = 1 + seed as usize % 3;
    vec![PLANS[0], PLANS[turn], PLANS[turn + 3]]
}

fn check_plans(
    module: &Module,
    head: ProcedureId,
    ins: &[&str],
    outs: &[&str],
    primal: &[Value],
    planners: &[PlanKind],
) -> bool {
    let mut tested = true;
    let procedure = &module.procedures[head];
    let named = |names: &[&str]| -> Vec<VarId> {
        names
            .iter()
            .map(|name| procedure.variable_named(name).unwrap())
            .collect()
    };
    let (independents, dependents) = (named(ins), named(outs));
    let mut peak = 0.0;
    let mut gradients: Vec<Vec<f64>> = Vec::new();
    for &(planner, share) in planners {
        if share.is_some() && peak == 0.0 {
            continue;
        }
        let mut planning = Planning {
            seconds: 0.05,
            ..Planning::default()
        };
        planning.sizes.set("n", 4.0);
        planning.memory = share.map(|share| share * peak);
        let request = Request {
            head,
            independents: independents.clone(),
            dependents: dependents.clone(),
            bindings: Default::default(),
            values: Vec::new(),
            checkpoints: Vec::new(),
            mode: Mode::Adjoint,
            suffix: "_b".into(),
            planner,
            planning: planning.clone(),
            saved: Default::default(),
            memory: Default::default(),
            kept: Vec::new(),
            copy_head: false,
        };
        let derived = match differentiate(module, &Sources::default(), &request) {
            Ok(derived) => derived,
            Err(errors) if errors.iter().all(|e| e.code == "inactive-output") => return false,
            Err(errors) if errors.iter().all(|e| e.code == "memory-limit") => continue,
            Err(errors) => panic!("{errors:?}\n{}", contraflow_ir::print::print(module)),
        };
        contraflow_ir::verify::verify(&derived.module)
            .unwrap_or_else(|e| panic!("{e:?}\n{}", contraflow_ir::print::print(&derived.module)));
        if let Some(limit) = planning.memory {
            // By sizes that are guessed what grows may be above it; then it is watched.
            let is_kept = derived.peak.bytes <= limit || derived.watched.is_some();
            assert!(is_kept, "peak above the limit");
        }
        let text = contraflow_ir::print::print(&derived.module);
        if planner == Planner::Optimal {
            peak = derived.peak.bytes;
        }
        let gradient = check_adjoint(
            &derived.module,
            head,
            derived.head,
            &independents,
            &dependents,
            primal,
            &text,
            // What is watched ends when it runs before it keeps too much: the interpreter does not.
            planning.memory.map(|limit| {
                assert_eq!(derived.watched.is_some(), derived.peak.grows());
                (limit, derived.watched.is_some())
            }),
        );
        tested &= gradient.is_some();
        gradients.extend(gradient);
    }
    for other in gradients.iter().skip(1) {
        assert_same(&gradients[0], other);
    }
    tested
}

/// The gradient does not depend on the plan, but for the order in which shadows are summed up.
fn assert_same(one: &[f64], other: &[f64]) {
    let largest = one.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    for (a, b) in one.iter().zip(other) {
        assert!((a - b).abs() <= 1e-12 * largest, "{a} and {b} by two plans");
    }
}

/// The shadows that the adjoint leaves; nothing where differences say nothing.
#[allow(clippy::too_many_arguments)]
fn check_adjoint(
    module: &Module,
    head: ProcedureId,
    adjoint: ProcedureId,
    independents: &[VarId],
    dependents: &[VarId],
    primal: &[Value],
    text: &str,
    limit: Option<(f64, bool)>,
) -> Option<Vec<f64>> {
    let f = &module.procedures[head];
    let fb = &module.procedures[adjoint];
    let mut state = 42;
    let position = |var: VarId| f.arguments.iter().position(|&a| a == var).unwrap();
    let seeds: Vec<(VarId, Vec<f64>)> = dependents
        .iter()
        .map(|&v| {
            let size = primal[position(v)].as_reals().unwrap().len();
            (v, (0..size).map(|_| random(&mut state) - 0.5).collect())
        })
        .collect();
    let directions: Vec<(VarId, Vec<f64>)> = independents
        .iter()
        .map(|&v| {
            let size = primal[position(v)].as_reals().unwrap().len();
            (v, (0..size).map(|_| random(&mut state) - 0.5).collect())
        })
        .collect();
    let at = |h: f64| -> f64 {
        let mut arguments = primal.to_vec();
        for (v, d) in &directions {
            add(&mut arguments[position(*v)], d, h);
        }
        interp::run(module, head, &mut arguments).unwrap();
        seeds
            .iter()
            .map(|(v, s)| dot(arguments[position(*v)].as_reals().unwrap(), s))
            .sum()
    };
    let difference = |h: f64| (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    let expected = difference(1e-4);
    let finer = difference(2e-5);
    if (expected - finer).abs() > 1e-8 * expected.abs().max(1e-2) {
        return None; // a branch flips, or a kink: differences say nothing here
    }
    // The adjoint, with shadows of independents that are not zero.
    let mut arguments: Vec<Value> = Vec::new();
    let base = 0.75;
    for &a in &fb.arguments {
        let variable = &fb.variables[a];
        arguments.push(match variable.role {
            Role::Shadow { of } => {
                let mut value = primal[position(of)].clone();
                let size = value.as_reals().unwrap().len();
                let content = match seeds.iter().find(|(v, _)| *v == of) {
                    Some((_, seed)) => seed.clone(),
                    None => vec![base; size],
                };
                set(&mut value, &content);
                value
            }
            _ => primal[position(a)].clone(),
        });
    }
    let mut machine = interp::Machine::new(module);
    let done = machine.run(adjoint, &mut arguments);
    done.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let kept = machine.kept();
    assert_eq!(kept.now, 0, "tapes are left\n{text}");
    if let Some((limit, is_watched)) = limit {
        let most = match is_watched {
            true => kept.most_fixed,
            false => kept.most,
        };
        assert!(
            most as f64 <= 1.02 * limit,
            "{most} bytes were kept, {limit} are allowed\n{text}"
        );
    }
    let mut plain = primal.to_vec();
    interp::run(module, head, &mut plain).unwrap();
    let mut found = 0.0;
    let mut gradient = Vec::new();
    for (k, &a) in fb.arguments.iter().enumerate() {
        match fb.variables[a].role {
            Role::Shadow { of } => {
                let values = arguments[k].as_reals().unwrap();
                gradient.extend_from_slice(values);
                if let Some((_, d)) = directions.iter().find(|(v, _)| *v == of) {
                    let offset = if dependents.contains(&of) { 0.0 } else { base };
                    let moved: Vec<f64> = values.iter().map(|v| v - offset).collect();
                    found += dot(&moved, d);
                } else {
                    assert!(
                        values.iter().all(|&v| v == 0.0),
                        "shadow not consumed\n{text}"
                    );
                }
            }
            _ => assert_eq!(
                arguments[k],
                plain[position(a)],
                "primal result of {}\n{text}",
                fb.variables[a].name
            ),
        }
    }
    let scale = expected.abs().max(found.abs()).max(1e-3);
    assert!(
        (expected - found).abs() <= 1e-7 * scale,
        "differences {expected} adjoint {found}\n{text}"
    );
    Some(gradient)
}

fn add(value: &mut Value, d: &[f64], h: f64) {
    match value {
        Value::Real(x) => *x += h * d[0],
        Value::RealArray { data, .. } => data.iter_mut().zip(d).for_each(|(x, d)| *x += h * d),
        _ => unreachable!(),
    }
}

fn set(value: &mut Value, content: &[f64]) {
    match value {
        Value::Real(x) => *x = content[0],
        Value::RealArray { data, .. } => data.copy_from_slice(content),
        _ => unreachable!(),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn state_overwritten_in_a_time_loop() {
    let mut d = Draft::new("f");
    let n = d.argument("n", Type::INT, &[], Intent::In);
    let one = d.b().int(1);
    let en = d.b().load(n);
    let x = d.argument("x", Type::REAL8, &[en], Intent::In);
    let y = d.argument("y", Type::REAL8, &[en], Intent::InOut);
    let t = d.local("t", Type::REAL8);
    let i = d.local("i", Type::INT);
    let k = d.local("k", Type::INT);
    let mut b = d.b();
    let li = b.load(i);
    let (xi, yi) = (b.load_element(x, vec![li]), b.load_element(y, vec![li]));
    let s = b.call(Intrinsic::Sin, vec![xi]);
    let e = b.exact_binary(BinaryOp::Multiply, s, yi);
    let s1 = b.assign(Access::whole(t), e);
    let lt = b.load(t);
    let exp = b.call(Intrinsic::Exp, vec![lt]);
    let e2 = b.exact_binary(BinaryOp::Divide, exp, xi);
    let s2 = b.assign(Access::element(y, vec![li]), e2);
    let inner = b.counted_loop(i, one, en, one, vec![s1, s2]);
    let three = b.int(3);
    let outer = b.counted_loop(k, one, three, one, vec![inner]);
    d.p.body = vec![outer];
    let mut m = Module::default();
    let head = m.procedures.add(d.p);
    let values = [
        Value::Int(4),
        Value::reals(vec![1.1, 0.9, 1.3, 2.0]),
        Value::reals(vec![0.3, 0.5, -0.2, 0.1]),
    ];
    check(&m, head, &["x", "y"], &["y"], &values);
    check(&m, head, &["x"], &["y"], &values);
    check(&m, head, &["y"], &["y"], &values);
}

fn random_programs(options: Options, seeds: std::ops::Range<u64>) {
    let mut tested = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let program = generate::program(&generate::choices_of(seed, 400), options);
        let arguments = program.arguments(4, seed);
        let ins: &[&str] = [
            &["x", "a"][..],
            &["a", "b", "c"][..],
            &["x", "y", "z", "a", "b", "c"][..],
        ][seed as usize % 3];
        let outs: &[&str] =
            [&["x", "a"][..], &["c"][..], &["y", "b", "c"][..]][(seed / 3) as usize % 3];
        let mut module = program.module.clone();
        for id in module.procedures.ids() {
            contraflow_ir::structure::structure(&mut module.procedures[id]);
        }
        println!("seed {seed}");
        let plans = plans_of(seed);
        let held = check_plans(&module, program.entry, ins, outs, &arguments, &plans);
        tested += u64::from(held);
    }
    println!("{tested} of {count} programs tested");
    assert!(
        tested * 2 > count,
        "only {tested} of {count} programs were tested"
    );
}

#[test]
fn straight_and_looping_random_programs() {
    let options = Options {
        kinks: false,
        calls: false,
        whiles: false,
        ..Options::default()
    };
    random_programs(options, 0..150);
}

#[test]
fn random_programs_with_calls() {
    let options = Options {
        kinks: false,
        whiles: false,
        ..Options::default()
    };
    random_programs(options, 1000..1150);
}

#[test]
fn random_programs_with_everything() {
    let options = Options {
        kinks: true,
        jumps: true,
        statements: 16,
        ..Options::default()
    };
    random_programs(options, 2000..2100);
}

#[test]
fn short_random_programs_with_jumps() {
    let options = Options {
        kinks: false,
        jumps: true,
        statements: 5,
        ..Options::default()
    };
    random_programs(options, 400_000..400_200);
}

/// Integers that sums move on, and by which arrays are subscripted: kept, undone, or both.
#[test]
fn random_programs_with_counters() {
    let options = Options {
        kinks: false,
        counters: true,
        ..Options::default()
    };
    random_programs(options, 4000..4150);
}

/// The planner does undo them, in some of these programs.
#[test]
fn counters_are_undone() {
    let options = Options {
        kinks: false,
        counters: true,
        ..Options::default()
    };
    let undone = (4000..4150).filter(|&seed| {
        let program = generate::program(&generate::choices_of(seed, 400), options);
        let mut module = program.module;
        for id in module.procedures.ids() {
            contraflow_ir::structure::structure(&mut module.procedures[id]);
        }
        let reals = ["x", "y", "z", "a", "b", "c"];
        let reals = reals.map(|name| module.procedures[program.entry].variable_named(name));
        let reals: Vec<VarId> = reals.into_iter().flatten().collect();
        let request = Request {
            head: program.entry,
            independents: reals.clone(),
            dependents: reals,
            bindings: Default::default(),
            values: Vec::new(),
            checkpoints: Vec::new(),
            mode: Mode::Adjoint,
            suffix: "_b".into(),
            planner: Planner::Optimal,
            planning: Planning::default(),
            saved: Default::default(),
            memory: Default::default(),
            kept: Vec::new(),
            copy_head: false,
        };
        let derived = differentiate(&module, &Sources::default(), &request);
        derived.is_ok_and(|derived| {
            let mut decisions = derived.rows.iter().map(|row| row.decision);
            decisions.any(|decision| decision == Decision::Invert)
        })
    });
    let undone = undone.count();
    assert!(undone >= 5, "{undone} of 150");
}

/// A longer run of the same, for `make laws`.
#[test]
#[ignore = "takes minutes: run by `make laws`"]
fn many_random_programs() {
    for (base, kinks, jumps, statements) in [
        (400_000, false, true, 5),
        (500_000, false, false, 8),
        (100_000, false, false, 12),
        (200_000, true, true, 16),
        (300_000, true, true, 30),
    ] {
        let options = Options {
            kinks,
            jumps,
            statements,
            ..Options::default()
        };
        random_programs(options, base..base + 1000);
    }
}

/// `do i: t = sin(x(i)) … end do; f = t`: only the last iteration counts.
#[test]
fn a_tail_that_reads_the_last_iteration() {
    let mut d = Draft::new("f");
    let n = d.argument("n", Type::INT, &[], Intent::In);
    let one = d.b().int(1);
    let en = d.b().load(n);
    let x = d.argument("x", Type::REAL8, &[en], Intent::In);
    let f = d.argument("f", Type::REAL8, &[], Intent::Out);
    let t = d.local("t", Type::REAL8);
    let i = d.local("i", Type::INT);
    let mut b = d.b();
    let li = b.load(i);
    let xi = b.load_element(x, vec![li]);
    let sine = b.call(Intrinsic::Sin, vec![xi]);
    let body = b.assign(Access::whole(t), sine);
    let loop_id = b.counted_loop(i, one, en, one, vec![body]);
    let lt = b.load(t);
    let tail = b.assign(Access::whole(f), lt);
    d.p.body = vec![loop_id, tail];
    let mut m = Module::default();
    let head = m.procedures.add(d.p);
    let values = [
        Value::Int(3),
        Value::reals(vec![1.1, 0.9, 1.3]),
        Value::Real(0.0),
    ];
    assert!(check(&m, head, &["x"], &["f"], &values));
}

fn takes_snapshots(plan: &Derivative) -> bool {
    let mut rows = plan.rows.iter();
    rows.any(|row| matches!(row.decision, Decision::Snapshots(_)))
}

/// On small programs, with calls or without, the planner finds what trying all plans finds.
#[test]
fn no_plan_is_better_than_the_planners() {
    let (mut same, mut limited) = (0, 0);
    for seed in 0..45 {
        let options = Options {
            calls: seed % 3 == 1,
            jumps: seed % 3 == 2,
            kinks: false,
            statements: 6,
            ..Options::default()
        };
        let program = generate::program(&generate::choices_of(7000 + seed, 200), options);
        let mut module = program.module.clone();
        for id in module.procedures.ids() {
            contraflow_ir::structure::structure(&mut module.procedures[id]);
        }
        let procedure = &module.procedures[program.entry];
        let named = |names: &[&str]| -> Vec<VarId> {
            names
                .iter()
                .map(|name| procedure.variable_named(name).unwrap())
                .collect()
        };
        let ask = |planner: Planner, memory: Option<f64>| {
            let mut planning = Planning {
                memory,
                seconds: 30.0,
                ..Planning::default()
            };
            planning.sizes.set("n", 4.0);
            let request = Request {
                head: program.entry,
                independents: named(&["x", "y", "z", "a", "b", "c"]),
                dependents: named(&["x", "y", "z", "a", "b", "c"]),
                bindings: Default::default(),
                mode: Mode::Adjoint,
                suffix: "_b".into(),
                values: Vec::new(),
                checkpoints: Vec::new(),
                planner,
                planning,
                saved: Default::default(),
                memory: Default::default(),
                kept: Default::default(),
                copy_head: false,
            };
            differentiate(&module, &Sources::default(), &request)
        };
        let Ok(free) = ask(Planner::Optimal, None) else {
            continue;
        };
        for share in [None, Some(0.9), Some(0.7), Some(0.5)] {
            let memory = share.map(|share| share * free.peak.bytes);
            // What is above the limit if it grows as far as is assumed, and watches over that itself.
            let is_no_measure = |plan: &Derivative| {
                let is_above = |limit| plan.peak.assumed > limit;
                !plan.peak.growing().is_empty() || memory.is_some_and(is_above)
            };
            match (
                ask(Planner::Optimal, memory),
                ask(Planner::Exhaustive, memory),
            ) {
                (Ok(found), Ok(best)) => {
                    if is_no_measure(&best) {
                        continue;
                    }
                    if std::env::var("DBG").is_ok() && found.time > best.time * (1.0 + 1e-9) {
                        println!(
                            "seed {seed} {memory:?}\n{}\nFOUND {} {} {:?}\n{:?}\nBEST {} {} {:?}\n{:?}\n{:?}",
                            contraflow_ir::print::print(&module),
                            found.peak.bytes,
                            found.time,
                            found.report,
                            found.peak,
                            best.peak.bytes,
                            best.time,
                            best.report,
                            best.peak,
                            best.rows
                                .iter()
                                .map(|r| format!("{} {:?} {}", r.name, r.decision, r.bytes))
                                .collect::<Vec<_>>()
                        );
                    }
                    assert!(
                        found.time <= best.time * (1.0 + 1e-9) + 1e-9,
                        "seed {seed}, {share:?}: {} operations, not {}",
                        found.time,
                        best.time
                    );
                    same += 1;
                    limited += usize::from(share.is_some());
                }
                (Err(_), Err(_)) => {}
                // All plans of each procedure are tried, not all ways to share the memory among them.
                (Ok(_), Err(_)) if options.calls => {}
                // Nor are snapshots.
                (Ok(found), Err(_)) if takes_snapshots(&found) => {}
                (Err(_), Ok(best)) if is_no_measure(&best) => {}
                (found, best) => panic!(
                    "seed {seed}, {share:?}: found {}, possible {}",
                    found.is_ok(),
                    best.is_ok()
                ),
            }
        }
    }
    println!("{same} plans, {limited} of them with a limit");
    assert!(same > 15 && limited > 5, "{same} {limited}");
}
