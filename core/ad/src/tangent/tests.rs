//! Tangents against central differences, by running both.

use contraflow_ir::generate::{self, Options};
use contraflow_ir::interp::Value;
use contraflow_ir::{
    Access, Aliasing, Argument, BinaryOp, Intrinsic, Module, Role, Stmt, Type, VarId,
};
use proptest::prelude::*;

use crate::analysis::{Activity, Effects};
use crate::testing::{Draft, place};

mod memory;
mod trial;

use trial::{check, derive};

#[test]
fn a_variable_that_is_changed_in_place() {
    // y = x*y; y = sin(y) + exp(y)/y; y = sqrt(y)
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let (lx, ly) = (d.load(x), d.load(y));
    let product = d.mul(lx, ly);
    d.assign(y, product);
    let (sine, exp) = (
        d.function(Intrinsic::Sin, ly),
        d.function(Intrinsic::Exp, ly),
    );
    let quotient = d.binary(BinaryOp::Divide, exp, ly);
    let sum = d.add(sine, quotient);
    d.assign(y, sum);
    let root = d.function(Intrinsic::Sqrt, ly);
    d.assign(y, root);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    check(
        &module,
        f,
        &[x, y],
        &[y],
        vec![Value::Real(1.3), Value::Real(0.9)],
    );
}

#[test]
fn the_result_of_the_primal_serves_its_tangent() {
    // y = exp(x): the tangent stands after and reads y
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let lx = d.load(x);
    let exp = d.function(Intrinsic::Exp, lx);
    d.assign(y, exp);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let derivative = derive(&module, f, &[x], &[y]);
    let derived = &derivative.module.procedures[derivative.head];
    assert_eq!(derived.body.len(), 2);
    assert_eq!(derived.body[0], module.procedures[f].body[0]);
    assert!(
        derived
            .variables
            .iter()
            .all(|(_, v)| v.role != Role::Temporary)
    );
    check(
        &module,
        f,
        &[x],
        &[y],
        vec![Value::Real(0.4), Value::Real(0.0)],
    );
}

#[test]
fn loops_branches_and_arrays() {
    // do i = 1, 3: if (x(i) > 0) t = x(i)*x(i) else t = 0 ; y(i) = t + y(i)*x(1)
    let mut d = Draft::new("f");
    let (x, y) = (d.array_argument("x", 3), d.array_argument("y", 3));
    let (t, i) = (d.local("t"), d.integer("i"));
    d.loop_over(i, 3, |d| {
        let li = d.load(i);
        let (xi, zero) = (d.at(x, li), d.real("0.0"));
        let condition = d.binary(BinaryOp::Greater, xi, zero);
        d.if_else(
            condition,
            |d| {
                let square = d.mul(xi, xi);
                d.assign(t, square);
            },
            |d| {
                d.assign(t, zero);
            },
        );
        let one = d.int(1);
        let (x1, yi, lt) = (d.at(x, one), d.at(y, li), d.load(t));
        let product = d.mul(yi, x1);
        let sum = d.add(lt, product);
        d.store(Access::element(y, vec![li]), sum);
    });
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let arguments = vec![
        Value::reals(vec![1.2, -0.7, 0.3]),
        Value::reals(vec![0.5, 2.0, -1.0]),
    ];
    check(&module, f, &[x], &[y], arguments.clone());
    check(&module, f, &[x, y], &[y], arguments);
}

#[test]
fn a_singular_slope_with_a_zero_tangent_is_zero() {
    // y = sqrt(x*0)
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let (lx, zero) = (d.load(x), d.real("0.0"));
    let product = d.mul(lx, zero);
    let root = d.function(Intrinsic::Sqrt, product);
    d.assign(y, root);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    check(
        &module,
        f,
        &[x],
        &[y],
        vec![Value::Real(0.4), Value::Real(0.0)],
    );
}

#[test]
fn functions_become_subroutines_with_two_more_arguments() {
    // v = g(x) = x*sin(x); f: y = g(y); y = g(x*y)
    let mut module = Module::default();
    let mut d = Draft::new("g");
    let x = d.argument("x");
    let v = d.result("v");
    let lx = d.load(x);
    let sine = d.function(Intrinsic::Sin, lx);
    let product = d.mul(lx, sine);
    d.assign(v, product);
    let g = d.finish(&mut module);
    check(&module, g, &[x], &[v], vec![Value::Real(0.7)]);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    d.call(g, vec![place(y)], Some(y));
    let (lx, ly) = (d.load(x), d.load(y));
    let product = d.mul(lx, ly);
    d.call(g, vec![Argument::Value(product)], Some(y));
    let f = d.finish(&mut module);
    check(
        &module,
        f,
        &[x, y],
        &[y],
        vec![Value::Real(0.7), Value::Real(1.1)],
    );
}

#[test]
fn a_passive_call_that_fills_an_active_array_leaves_a_zero_shadow() {
    // call ones(a); a(1) = x; y = a(1)*a(2)
    let mut module = Module::default();
    let mut d = Draft::new("ones");
    let a = d.array_argument("a", 2);
    for index in [1, 2] {
        let (index, one) = (d.int(index), d.real("1.0"));
        d.store(Access::element(a, vec![index]), one);
    }
    let ones = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let a = d.variable("a", Type::REAL8, Some(2));
    d.call(ones, vec![place(a)], None);
    let (one, two, lx) = (d.int(1), d.int(2), d.load(x));
    d.store(Access::element(a, vec![one]), lx);
    let (first, second) = (d.at(a, one), d.at(a, two));
    let product = d.mul(first, second);
    d.assign(y, product);
    let f = d.finish(&mut module);
    check(
        &module,
        f,
        &[x],
        &[y],
        vec![Value::Real(0.7), Value::Real(0.0)],
    );
}

#[test]
fn a_scalar_that_a_passive_call_overwrites_has_a_zero_shadow() {
    // y = x; do i = 1, 2: call reset(y); y = y + x*y
    let mut module = Module::default();
    let mut d = Draft::new("reset");
    let v = d.argument("v");
    let two = d.real("2.0");
    d.assign(v, two);
    let reset = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y, i) = (d.argument("x"), d.argument("y"), d.integer("i"));
    let (lx, ly) = (d.load(x), d.load(y));
    d.assign(y, lx);
    d.loop_over(i, 2, |d| {
        d.call(reset, vec![place(y)], None);
        let product = d.mul(lx, ly);
        let sum = d.add(ly, product);
        d.assign(y, sum);
    });
    let f = d.finish(&mut module);
    check(
        &module,
        f,
        &[x],
        &[y],
        vec![Value::Real(0.7), Value::Real(0.0)],
    );
}

#[test]
fn a_workspace_argument_of_the_head_has_a_local_shadow() {
    let mut d = Draft::new("f");
    let (x, w, y) = (d.argument("x"), d.array_argument("w", 2), d.argument("y"));
    let (one, lx) = (d.int(1), d.load(x));
    let square = d.mul(lx, lx);
    d.store(Access::element(w, vec![one]), square);
    let first = d.at(w, one);
    d.assign(y, first);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let derivative = derive(&module, f, &[x], &[y]);
    let derived = &derivative.module.procedures[derivative.head];
    let names: Vec<&str> = derived
        .arguments
        .iter()
        .map(|&var| derived.variables[var].name.as_str())
        .collect();
    assert_eq!(names, ["x", "x_d", "w", "y", "y_d"]);
    let arguments = vec![
        Value::Real(0.7),
        Value::reals(vec![0.0; 2]),
        Value::Real(0.0),
    ];
    check(&module, f, &[x], &[y], arguments);
}

#[test]
fn copies_and_fills_are_mirrored() {
    let mut d = Draft::new("f");
    let (x, y) = (d.array_argument("x", 2), d.array_argument("y", 2));
    let a = d.variable("a", Type::REAL8, Some(2));
    d.push(Stmt::Copy {
        target: Access::whole(a),
        source: Access::whole(x),
    });
    let (one, two) = (d.int(1), d.int(2));
    let first = d.at(a, one);
    let square = d.mul(first, first);
    d.push(Stmt::Fill {
        target: Access::whole(y),
        value: square,
    });
    let second = d.at(a, two);
    d.store(Access::element(y, vec![two]), second);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let arguments = vec![Value::reals(vec![0.3, -0.8]), Value::reals(vec![0.0; 2])];
    check(&module, f, &[x], &[y], arguments);
}

#[test]
fn an_allocated_array_has_an_allocated_shadow() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let a = d.variable("a", Type::REAL8, Some(2));
    d.procedure.variables[a].allocation = contraflow_ir::Allocation::Allocatable;
    d.procedure.variables[a].shape[0].extent = contraflow_ir::Extent::Deferred;
    let (one, two, lx) = (d.int(1), d.int(2), d.load(x));
    d.push(Stmt::Allocate {
        target: Access::whole(a),
        shape: vec![(Some(one), two)],
        zeroed: false,
    });
    d.store(Access::element(a, vec![one]), lx);
    let first = d.at(a, one);
    let square = d.mul(first, first);
    d.assign(y, square);
    d.push(Stmt::Free {
        target: Access::whole(a),
    });
    let mut module = Module::default();
    let f = d.finish(&mut module);
    check(
        &module,
        f,
        &[x],
        &[y],
        vec![Value::Real(0.7), Value::Real(0.0)],
    );
}

#[test]
fn arguments_that_may_be_one_memory_are_differentiated_as_one() {
    // call g(a, a) with g(p, q): q(1) = p(1)*p(1); q(1) = q(1)*p(1)
    let mut module = Module::default();
    let mut d = Draft::new("g");
    let (p, q) = (d.array_argument("p", 1), d.array_argument("q", 1));
    for var in [p, q] {
        d.procedure.variables[var].aliasing = Aliasing::May;
    }
    let one = d.int(1);
    let (lp, lq) = (d.at(p, one), d.at(q, one));
    let square = d.mul(lp, lp);
    d.store(Access::element(q, vec![one]), square);
    let product = d.mul(lq, lp);
    d.store(Access::element(q, vec![one]), product);
    let g = d.finish(&mut module);
    let mut d = Draft::new("f");
    let a = d.array_argument("a", 1);
    d.call(g, vec![place(a), place(a)], None);
    let f = d.finish(&mut module);
    check(&module, f, &[a], &[a], vec![Value::reals(vec![0.9])]);
}

#[test]
fn directives_around_active_code_are_left_out() {
    // parallel do: y(i) = x(i)*x(i) loses its directive; parallel do: k(i) = 0 keeps it
    let mut d = Draft::new("f");
    let (x, y) = (d.array_argument("x", 2), d.array_argument("y", 2));
    let k = d.variable("k", Type::INT, Some(2));
    let i = d.integer("i");
    let (li, zero) = (d.load(i), d.int(0));
    let active = d.loop_over(i, 2, |d| {
        let xi = d.at(x, li);
        let square = d.mul(xi, xi);
        d.store(Access::element(y, vec![li]), square);
    });
    let passive = d.loop_over(i, 2, |d| {
        d.store(Access::element(k, vec![li]), zero);
    });
    for stmt in [active, passive] {
        if let Stmt::Loop { directive, .. } = &mut d.procedure.stmts[stmt].stmt {
            *directive = Some(Box::default());
        }
    }
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let derivative = derive(&module, f, &[x], &[y]);
    let derived = &derivative.module.procedures[derivative.head];
    let keeps =
        |stmt| matches!(derived.stmt(stmt), Stmt::Loop { directive, .. } if directive.is_some());
    assert!(!keeps(active) && keeps(passive));
    let arguments = vec![Value::reals(vec![0.3, -0.8]), Value::reals(vec![0.0; 2])];
    check(&module, f, &[x], &[y], arguments);
}

/// A generated program: all reals independent and dependent, and some against others.
fn generated(choices: &[u8], options: Options) {
    let program = generate::program(choices, options);
    let entry = &program.module.procedures[program.entry];
    let reals: Vec<VarId> = entry
        .arguments
        .iter()
        .copied()
        .filter(|&var| entry.variables[var].ty.is_real())
        .collect();
    let effects = Effects::of(&program.module);
    for (x, y) in [(&reals[..], &reals[..]), (&reals[..2], &reals[2..4])] {
        let depends =
            |y: VarId| Activity::of(&program.module, &effects, program.entry, x, &[y]).is_ok();
        let y: Vec<VarId> = y.iter().copied().filter(|&y| depends(y)).collect();
        if !y.is_empty() {
            let arguments = program.arguments(4, 17);
            check(&program.module, program.entry, x, &y, arguments);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn smooth_programs_agree_with_differences(choices in prop::collection::vec(any::<u8>(), 0..400)) {
        generated(&choices, Options { kinks: false, ..Options::default() });
    }
    #[test]
    fn programs_with_kinks_agree_with_differences_elsewhere(
        choices in prop::collection::vec(any::<u8>(), 0..400)
    ) {
        generated(&choices, Options::default());
    }
}
