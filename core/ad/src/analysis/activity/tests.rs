use contraflow_ir::{
    Access, Aliasing, Argument, BinaryOp, Global, GlobalKind, Intrinsic, Module, ProcedureId, Span,
    Stmt, Storage, Type, VarId,
};

use super::{Activity, Specialisation};
use crate::analysis::Effects;
use crate::testing::{Draft, place};

fn activity(module: &Module, head: ProcedureId, x: &[VarId], y: &[VarId]) -> Activity {
    Activity::of(module, &Effects::of(module), head, x, y).expect("no diagnostics")
}

fn codes(module: &Module, head: ProcedureId, x: &[VarId], y: &[VarId]) -> Vec<&'static str> {
    let errors = Activity::of(module, &Effects::of(module), head, x, y).expect_err("an error");
    errors.iter().map(|error| error.code).collect()
}

fn names(module: &Module, found: &Specialisation) -> Vec<String> {
    let procedure = &module.procedures[found.procedure];
    found
        .active_variables()
        .map(|var| procedure.variables[var].name.clone())
        .collect()
}

#[test]
fn only_what_is_varied_and_useful_is_active() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let (used, unused, constant) = (d.local("used"), d.local("unused"), d.local("constant"));
    let two = d.real("2.0");
    d.assign(constant, two);
    let (lx, lc) = (d.load(x), d.load(constant));
    let product = d.mul(lx, lc);
    let active = d.assign(used, product);
    d.assign(unused, product);
    let lu = d.load(used);
    d.assign(y, lu);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert_eq!(names(&module, head), ["x", "y", "used"]);
    assert!(head.is_active_statement(active));
}

#[test]
fn a_scalar_overwritten_with_a_constant_stops_being_varied() {
    // t = x; t = 1; y = t + x
    let mut d = Draft::new("f");
    let (x, y, t) = (d.argument("x"), d.argument("y"), d.local("t"));
    let lx = d.load(x);
    let first = d.assign(t, lx);
    let one = d.real("1.0");
    d.assign(t, one);
    let lt = d.load(t);
    let sum = d.add(lt, lx);
    d.assign(y, sum);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert_eq!(names(&module, head), ["x", "y"]);
    assert!(!head.is_active_statement(first));
}

#[test]
fn an_element_of_an_array_does_not_overwrite_the_array() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let a = d.variable("a", Type::REAL8, Some(3));
    let (one, two) = (d.int(1), d.int(2));
    let lx = d.load(x);
    d.store(Access::element(a, vec![one]), lx);
    let zero = d.real("0.0");
    let passive = d.store(Access::element(a, vec![two]), zero);
    let first = d.at(a, one);
    d.assign(y, first);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert!(head.is_active(a) && head.is_varied_before(passive, a));
    assert!(!head.is_active_statement(passive));
}

#[test]
fn a_loop_carries_activity_to_its_next_iteration() {
    // do i: y = y + t; t = x
    let mut d = Draft::new("f");
    let (x, y, t) = (d.argument("x"), d.argument("y"), d.local("t"));
    let i = d.integer("i");
    let zero = d.real("0.0");
    d.assign(t, zero);
    d.assign(y, zero);
    d.loop_over(i, 3, |d| {
        let (ly, lt) = (d.load(y), d.load(t));
        let sum = d.add(ly, lt);
        d.assign(y, sum);
        let lx = d.load(x);
        d.assign(t, lx);
    });
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    assert_eq!(names(&module, &activity[activity.head()]), ["x", "y", "t"]);
}

#[test]
fn branches_are_joined() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let (lx, zero) = (d.load(x), d.real("0.0"));
    let condition = d.binary(BinaryOp::Greater, lx, zero);
    let mut stmts = Vec::new();
    let mut passive = None;
    d.if_else(
        condition,
        |d| {
            let lx = d.load(x);
            stmts.push(d.assign(y, lx));
        },
        |d| {
            let zero = d.real("0.0");
            passive = Some(d.assign(y, zero));
        },
    );
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert!(head.is_active_statement(stmts[0]));
    assert!(passive.is_some_and(|passive| !head.is_active_statement(passive)));
}

/// `subroutine pair(a, b, c)`: c = a*b
fn pair(module: &mut Module) -> ProcedureId {
    let mut d = Draft::new("pair");
    let (a, b, c) = (d.argument("a"), d.argument("b"), d.argument("c"));
    let (la, lb) = (d.load(a), d.load(b));
    let product = d.mul(la, lb);
    d.assign(c, product);
    d.finish(module)
}

#[test]
fn a_callee_is_specialised_for_each_pattern_of_active_arguments() {
    let mut module = Module::default();
    let callee = pair(&mut module);
    let mut d = Draft::new("f");
    let (x, y, k) = (d.argument("x"), d.argument("y"), d.argument("k"));
    let (s, t) = (d.local("s"), d.local("t"));
    let left = d.call(callee, vec![place(x), place(k), place(s)], None);
    let right = d.call(callee, vec![place(k), place(x), place(t)], None);
    let passive = d.call(callee, vec![place(k), place(k), place(k)], None);
    let both = d.call(callee, vec![place(s), place(t), place(y)], None);
    let again = d.call(callee, vec![place(y), place(k), place(y)], None);
    let mut module_with_caller = module;
    let f = d.finish(&mut module_with_caller);
    let module = module_with_caller;
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert_eq!(head.callee(passive), None);
    assert_eq!(head.callee(left), head.callee(again));
    assert_eq!(activity.bottom_up().len(), 4);
    let shadows = |stmt| {
        let callee = head.callee(stmt).expect("an active call");
        (0..3)
            .map(|position| activity[callee].has_shadow_argument(&module, position))
            .collect::<Vec<_>>()
    };
    assert_eq!(shadows(left), [true, false, true]);
    assert_eq!(shadows(right), [false, true, true]);
    assert_eq!(shadows(both), [true, true, true]);
}

#[test]
fn a_callee_that_overwrites_with_constants_leaves_the_shadow_to_the_caller() {
    // y = x; reset(y); y = y + x
    let mut module = Module::default();
    let mut d = Draft::new("reset");
    let v = d.argument("v");
    let zero = d.real("0.0");
    d.assign(v, zero);
    let reset = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let lx = d.load(x);
    let dead = d.assign(y, lx);
    let call = d.call(reset, vec![place(y)], None);
    let ly = d.load(y);
    let sum = d.add(ly, lx);
    d.assign(y, sum);
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert_eq!(head.callee(call), None);
    assert_eq!(head.zeroed(call), [Access::whole(y)]);
    assert!(!head.is_active_statement(dead));
}

#[test]
fn recursion_ends() {
    // r(x, y, n): if (n > 0) call r(x, y, n) ; y = y*x
    let mut module = Module::default();
    let mut d = Draft::new("r");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let n = d.argument_of("n", Type::INT, None);
    let (ln, zero) = (d.load(n), d.int(0));
    let condition = d.binary(BinaryOp::Greater, ln, zero);
    d.if_else(
        condition,
        |d| {
            d.call(
                ProcedureId::from_index(0),
                vec![place(x), place(y), place(n)],
                None,
            );
        },
        |_| {},
    );
    let (lx, ly) = (d.load(x), d.load(y));
    let product = d.mul(ly, lx);
    d.assign(y, product);
    let r = d.finish(&mut module);
    let activity = activity(&module, r, &[x], &[y]);
    assert_eq!(names(&module, &activity[activity.head()]), ["x", "y"]);
}

#[test]
fn activity_passes_through_globals_that_the_caller_does_not_name() {
    let mut module = Module::default();
    let state = module.globals.add(Global {
        name: "state".to_owned(),
        span: Span::NONE,
        container: None,
        kind: GlobalKind::Module,
        ty: Type::REAL8,
        spelling: None,
        shape: Vec::new(),
        allocation: contraflow_ir::Allocation::Fixed,
        is_private: false,
        shadow_of: None,
        declared_by: None,
    });
    let use_state = |d: &mut Draft| {
        let var = d.local("state");
        d.procedure.variables[var].storage = Storage::Global(state);
        var
    };
    let mut d = Draft::new("put");
    let (v, s) = (d.argument("v"), use_state(&mut d));
    let value = d.load(v);
    d.assign(s, value);
    let put = d.finish(&mut module);
    let mut d = Draft::new("get");
    let (v, s) = (d.argument("v"), use_state(&mut d));
    let value = d.load(s);
    d.assign(v, value);
    let get = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let first = d.call(put, vec![place(x)], None);
    let second = d.call(get, vec![place(y)], None);
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    let head = &activity[activity.head()];
    assert!(head.callee(first).is_some() && head.callee(second).is_some());
    assert_eq!(activity.active_globals().len(), 1);
    let get = &activity[head.callee(second).expect("checked")];
    assert_eq!(names(&module, get), ["v", "state"]);
}

#[test]
fn an_aliased_argument_is_active_together_with_the_other() {
    let mut d = Draft::new("f");
    let (x, y, z) = (
        d.array_argument("x", 2),
        d.array_argument("y", 2),
        d.array_argument("z", 2),
    );
    for var in [x, y] {
        d.procedure.variables[var].aliasing = Aliasing::May;
    }
    let one = d.int(1);
    let lx = d.at(x, one);
    d.store(Access::element(z, vec![one]), lx);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[z]);
    assert_eq!(names(&module, &activity[activity.head()]), ["x", "y", "z"]);
}

#[test]
fn steps_and_integers_carry_no_activity() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let lx = d.load(x);
    let whole = d.function(Intrinsic::Floor, lx);
    d.assign(y, whole);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    assert_eq!(codes(&module, f, &[x], &[y]), ["inactive-output"]);
}

#[test]
fn an_input_without_influence_is_a_warning() {
    let mut d = Draft::new("f");
    let (x, z, y) = (d.argument("x"), d.argument("z"), d.argument("y"));
    let lx = d.load(x);
    d.assign(y, lx);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x, z], &[y]);
    let found: Vec<_> = activity.warnings().iter().map(|w| w.code).collect();
    assert_eq!(found, ["inactive-input"]);
    assert!(activity[activity.head()].is_active(z));
}

#[test]
fn an_active_call_without_source_is_an_error() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    d.call_external("solve", vec![place(x), place(y)]);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    assert_eq!(codes(&module, f, &[x], &[y]), ["no-rule"]);
}

#[test]
fn a_call_without_source_that_active_values_do_not_pass_is_none() {
    let mut d = Draft::new("f");
    let (x, y, k) = (d.argument("x"), d.argument("y"), d.local("k"));
    d.call_external("tick", vec![place(k)]);
    let lx = d.load(x);
    d.call_external("log_value", vec![Argument::Value(lx)]);
    d.assign(y, lx);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    let activity = activity(&module, f, &[x], &[y]);
    assert_eq!(names(&module, &activity[activity.head()]), ["x", "y"]);
}

#[test]
fn an_active_value_in_quoted_text_is_an_error() {
    let quoted = |writes: Vec<Access>, terminates: bool| {
        let mut d = Draft::new("f");
        let (x, y) = (d.argument("x"), d.argument("y"));
        let lx = d.load(x);
        d.assign(y, lx);
        d.push(Stmt::Opaque {
            text: "call h(x)".to_owned(),
            kind: "call",
            reads: vec![Access::whole(x)],
            writes,
            terminates,
        });
        let mut module = Module::default();
        let f = d.finish(&mut module);
        (module, f, x, y)
    };
    let (module, f, x, y) = quoted(vec![Access::whole(VarId::from_index(1))], false);
    assert_eq!(codes(&module, f, &[x], &[y]), ["opaque-active"]);
    let (module, f, x, y) = quoted(Vec::new(), false);
    activity(&module, f, &[x], &[y]);
}

#[test]
fn a_function_without_derivative_is_an_error_only_where_it_is_active() {
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let k = d.argument_of("k", Type::Real { bytes: 16 }, None);
    let (lx, lk) = (d.load(x), d.load(k));
    let gamma = d.function(Intrinsic::Gamma, lk);
    let gamma = d.b().convert(gamma, Type::REAL8);
    let product = d.mul(gamma, lx);
    d.assign(y, product);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    activity(&module, f, &[x], &[y]);
    assert_eq!(codes(&module, f, &[k], &[y]), ["no-rule"]);
}

#[test]
fn an_active_value_behind_an_untyped_address_is_followed_to_code_that_is_not_understood() {
    // g(void *p) writes *p; f: call g(y)
    let mut module = Module::default();
    let mut d = Draft::new("g");
    let p = d.argument_of("p", Type::Address, None);
    d.push(Stmt::Opaque {
        text: "*(double *)p *= 2".to_owned(),
        kind: "cast",
        reads: vec![Access::whole(p)],
        writes: vec![Access::whole(p)],
        terminates: false,
    });
    let g = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let lx = d.load(x);
    d.assign(y, lx);
    d.call(g, vec![place(y)], None);
    let f = d.finish(&mut module);
    assert_eq!(codes(&module, f, &[x], &[y]), ["opaque-active"]);
}

#[test]
fn an_integer_written_over_an_active_real_is_an_error() {
    // equivalence (n, y); y = x; n = 0
    let mut d = Draft::new("f");
    let (x, y, t) = (d.argument("x"), d.argument("y"), d.local("t"));
    let n = d.integer("n");
    d.procedure.variables[n].storage = Storage::Overlay { base: t, offset: 0 };
    let (lx, zero) = (d.load(x), d.int(0));
    d.assign(t, lx);
    d.assign(n, zero);
    let lt = d.load(t);
    d.assign(y, lt);
    let mut module = Module::default();
    let f = d.finish(&mut module);
    assert_eq!(codes(&module, f, &[x], &[y]), ["opaque-active"]);
}
