//! When snapshots are taken: Griewank & Walther's binomial schedule (`revolve`, ACM TOMS 26(1),
//! 2000), as a function of the generated code.
//!
//! With `s` snapshots a chain of `n` steps is reversed in
//!
//! ```text
//! p(n, s) = r n - C(s + r, r - 1)      plain steps,      r the least with  C(s + r, s) >= n
//! ```
//!
//! besides the `n` steps that are taped, and no schedule needs fewer. The first of them goes `k` steps
//! ahead of the snapshot that it starts from, takes the next one there, and reverses the `n - k` steps
//! behind it with `s - 1` snapshots, then the `k` before it with `s`. All `k` between
//!
//! ```text
//! max(C(s + r - 2, s), n - C(s + r - 1, r))   and   min(C(s + r - 1, s), n - C(s + r - 2, r - 1))
//! ```
//!
//! are optimal; this takes the last one. What follows the loop is the last step of its chain: it is
//! run forward and back before any step of the loop is reversed.

use contraflow_ir::{
    Access, BinaryOp, Builder, Intent, Intrinsic, Module, Passing, Procedure, ProcedureId,
    ProcedureKind, ProcedureRole, Stmt, Storage, Type, VarId, Variable,
};

use crate::naming;

/// How many steps the next snapshot of a chain of `steps` lies ahead, with `slots` snapshots that may
/// be held, that at the start among them; `steps` where no further one is taken.
pub fn distance(steps: i64, slots: i64) -> i64 {
    if steps <= 1 || slots <= 1 {
        return steps;
    }
    let (mut repeats, mut before, mut reach) = (0, 1, 1);
    while reach < steps {
        before = reach;
        repeats += 1;
        reach = reach * (slots + repeats) / repeats;
    }
    before.min(steps - before * slots / (slots + repeats - 1))
}

/// The step of the next snapshot as a function of the generated code, for the derivatives of `of`:
/// `next_snapshot(here, end, free)` is `here + distance(end - here, free)`.
pub fn helper(module: &Module, of: ProcedureId) -> Procedure {
    let primal = &module.procedures[of];
    let base = naming::base(module, of);
    let mut p = Procedure::new(naming::procedure_name(module, &base, "_next"));
    p.home = primal.home.clone();
    p.home.host = None;
    p.home.prologue = Vec::new();
    p.role = ProcedureRole::Helper { of };
    p.is_private = true;
    p.scalars_by_value = primal.scalars_by_value;
    let here = argument(&mut p, "here");
    let end = argument(&mut p, "end");
    let free = argument(&mut p, "free");
    let mut value = Variable::scalar("next", Type::INT);
    value.storage = Storage::Result;
    let next = p.variables.add(value);
    p.kind = ProcedureKind::Function { result: next };
    let mut long = |name: &str| p.variables.add(Variable::scalar(name, Type::LONG));
    let own = ["steps", "slots", "repeats", "before", "reach"].map(&mut long);
    p.body = body(&mut p, [here, end, free], next, own);
    p
}

fn argument(p: &mut Procedure, name: &str) -> VarId {
    let mut variable = Variable::scalar(name, Type::INT);
    variable.storage = Storage::Argument {
        index: p.arguments.len() as u32,
    };
    variable.intent = Intent::In;
    if p.scalars_by_value {
        variable.passing = Passing::Value;
    }
    let var = p.variables.add(variable);
    p.arguments.push(var);
    var
}

fn body(
    p: &mut Procedure,
    [here, end, free]: [VarId; 3],
    next: VarId,
    [steps, slots, repeats, before, reach]: [VarId; 5],
) -> Vec<contraflow_ir::StmtId> {
    let mut b = Builder::new(p);
    let last = b.load(end);
    let nothing_ahead = b.assign(Access::whole(next), last);
    let (last, first) = (b.load(end), b.load(here));
    let all = b.sub(last, first);
    let all = b.convert(all, Type::LONG);
    let room = b.load(free);
    let room = b.convert(room, Type::LONG);
    let mut start = vec![
        b.assign(Access::whole(steps), all),
        b.assign(Access::whole(slots), room),
    ];
    let one = b.int_of(1, Type::LONG);
    let zero = b.int_of(0, Type::LONG);
    let search = vec![
        b.assign(Access::whole(repeats), zero),
        b.assign(Access::whole(before), one),
        b.assign(Access::whole(reach), one),
        turn(&mut b, [steps, slots, repeats, before, reach]),
        choose(&mut b, [here, next], [steps, slots, repeats, before]),
    ];
    let more_than_one = |b: &mut Builder<'_>, var: VarId| {
        let value = b.load(var);
        b.compare(BinaryOp::Greater, value, one)
    };
    let (many, room) = (more_than_one(&mut b, steps), more_than_one(&mut b, slots));
    let condition = b.and(many, room);
    start.push(nothing_ahead);
    start.push(b.if_else(condition, search, Vec::new()));
    start
}

/// Finds how often steps are repeated, and how far one repetition less reaches.
fn turn(
    b: &mut Builder<'_>,
    [steps, slots, repeats, before, reach]: [VarId; 5],
) -> contraflow_ir::StmtId {
    let old = b.load(reach);
    let keep = b.assign(Access::whole(before), old);
    let one = b.int_of(1, Type::LONG);
    let count = b.increment(Access::whole(repeats), one);
    let (held, times) = (b.load(slots), b.load(repeats));
    let sum = b.add(held, times);
    let product = b.mul(old, sum);
    let quotient = b.div(product, times);
    let grow = b.assign(Access::whole(reach), quotient);
    let (reached, wanted) = (b.load(reach), b.load(steps));
    let condition = b.compare(BinaryOp::Less, reached, wanted);
    b.stmt(Stmt::While {
        condition,
        body: vec![keep, count, grow],
        label: None,
    })
}

/// `next = here + min(before, steps - before*slots/(slots + repeats - 1))`
fn choose(
    b: &mut Builder<'_>,
    [here, next]: [VarId; 2],
    [steps, slots, repeats, before]: [VarId; 4],
) -> contraflow_ir::StmtId {
    let (last, held, times) = (b.load(before), b.load(slots), b.load(repeats));
    let product = b.mul(last, held);
    let one = b.int_of(1, Type::LONG);
    let sum = b.add(held, times);
    let sum = b.sub(sum, one);
    let behind = b.div(product, sum);
    let wanted = b.load(steps);
    let latest = b.sub(wanted, behind);
    let last = b.load(before);
    let least = b.call(Intrinsic::Min, vec![last, latest]);
    let least = b.convert(least, Type::INT);
    let first = b.load(here);
    let value = b.add(first, least);
    b.assign(Access::whole(next), value)
}

#[cfg(test)]
mod tests {
    use super::{distance, helper};
    use contraflow_ir::interp::{self, Value};
    use contraflow_ir::{Module, Procedure};
    use std::collections::HashMap;

    /// The least number of plain steps, by trying all places of the next snapshot.
    fn least(n: i64, s: i64, known: &mut HashMap<(i64, i64), i64>) -> i64 {
        if n <= 1 {
            return 0;
        }
        if s == 1 {
            return n * (n - 1) / 2;
        }
        if let Some(&value) = known.get(&(n, s)) {
            return value;
        }
        let value = (1..n)
            .map(|k| k + least(n - k, s - 1, known) + least(k, s, known))
            .min()
            .unwrap();
        known.insert((n, s), value);
        value
    }

    /// Griewank & Walther's formula.
    fn formula(n: i64, s: i64) -> i64 {
        let choose = |n: i64, k: i64| (0..k.min(n - k)).fold(1, |c, i| c * (n - i) / (i + 1));
        let r = (0..).find(|&r| choose(s + r, s) >= n).unwrap();
        if r == 0 {
            return 0;
        }
        r * n - choose(s + r, r - 1)
    }

    /// The plain steps that the schedule runs: as the generated code does it.
    fn run(n: i64, s: i64) -> i64 {
        let mut count = 0;
        let mut at = vec![0];
        let mut ahead = |at: &mut Vec<i64>, end: i64| {
            let mut place = *at.last().unwrap();
            let mut next = place + distance(end - place, s + 1 - at.len() as i64);
            while place < end - 1 {
                if place == next {
                    at.push(place);
                    next = place + distance(end - place, s + 1 - at.len() as i64);
                }
                assert!(at.len() as i64 <= s);
                place += 1;
                count += 1;
            }
        };
        for end in (1..=n).rev() {
            while *at.last().unwrap() > end - 1 {
                at.pop();
            }
            ahead(&mut at, end);
        }
        count
    }

    #[test]
    fn the_schedule_takes_as_many_steps_as_the_formula_says() {
        let mut known = HashMap::new();
        for s in 1..=8 {
            for n in 1..=50 {
                let least = least(n, s, &mut known);
                assert_eq!(formula(n, s), least, "n {n} s {s}");
                assert_eq!(run(n, s), least, "n {n} s {s}");
            }
        }
        for (n, s) in [(1000, 2), (1000, 5), (4000, 20), (3000, 100)] {
            assert_eq!(run(n, s), formula(n, s), "n {n} s {s}");
        }
    }

    /// All steps, the taped ones among them, with snapshots at equal distances on disk: as
    /// `emit/time/disk` does it, what follows the loop as the last step of `n`.
    fn run_with_disk(n: i64, slots: i64, files: i64) -> i64 {
        let trips = n - 1;
        let stride = ((trips + files - 1) / files).max(1);
        let stretches = (0..trips).step_by(stride as usize);
        let again: i64 = stretches
            .map(|start| run(stride.min(trips - start), slots))
            .sum();
        trips + again + n
    }

    /// Steps of H-Revolve (Herrmann & Pallez, ACM TOMS 46(2), 2020) with free disk, by
    /// checkpoint-schedules 1.0: for `(n, slots, files)` the least that any two-level schedule takes.
    const H_REVOLVE: &[(i64, i64, i64, i64)] = &[
        (11, 2, 2, 27),
        (11, 2, 4, 25),
        (11, 3, 8, 21),
        (21, 2, 4, 55),
        (21, 3, 4, 54),
        (21, 2, 8, 51),
        (21, 5, 8, 48),
        (31, 2, 4, 88),
        (31, 3, 8, 80),
        (31, 5, 4, 82),
        (50, 2, 4, 164),
        (50, 2, 8, 138),
        (50, 3, 8, 137),
        (50, 5, 4, 139),
        (50, 5, 8, 135),
    ];

    /// Equal distances on disk are simple, and not far from the best two levels.
    #[test]
    fn two_levels_take_at_most_a_third_more_steps_than_h_revolve() {
        for &(n, slots, files, least) in H_REVOLVE {
            let steps = run_with_disk(n, slots, files);
            assert!(steps >= least, "{n} {slots} {files}: {steps} < {least}");
            assert!(
                3 * steps <= 4 * least,
                "{n} {slots} {files}: {steps}, {least}"
            );
            // With free disk H-Revolve is Revolve with as many snapshots.
            assert_eq!(least, n + formula(n, slots + files), "{n} {slots} {files}");
        }
    }

    #[test]
    fn generated_code_has_the_same_schedule() {
        let mut module = Module::default();
        let of = module.procedures.add(Procedure::new("step"));
        let helper = helper(&module, of);
        let id = module.procedures.add(helper);
        contraflow_ir::verify::verify(&module).unwrap();
        for s in 1..=8 {
            for n in (0..=50).chain([999_999, 1_000_001]) {
                let mut arguments = [Value::Int(7), Value::Int(7 + n), Value::Int(s)];
                let value = interp::run(&module, id, &mut arguments).unwrap();
                assert_eq!(value, Some(Value::Int(7 + distance(n, s))), "n {n} s {s}");
            }
        }
    }
}
