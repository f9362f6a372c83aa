//! Each violated invariant is found and named.

use contraflow_ir::parse::parse;
use contraflow_ir::verify::verify;
use contraflow_ir::{
    Access, Argument, Builder, Callee, Expr, Id, Module, Procedure, Stmt, Type, VarId, Variable,
};

const HEAD: &str = "record \"r\" { field x: f64 }
pointer f64
procedure f(x) -> v { var x: f64 argument(0) value var v: f64 result v = x }
procedure g(n, a) { var n: i32 argument(0) value var a: f64[n from 1] argument(1) }
procedure p(n, x, a) {
  var n: i32 argument(0)
  var x: f64 argument(1)
  var a: f64[n from 1] argument(2)
  var c: f64[2 from 1, 3 from 1]
  var i: i32
  var b: i32[3 from 1]
  var l: logical
  var y: f32
  var r: record(0)
  var q: pointer(0)
  var k: i32 constant(3)
  var t: f64[& from 1] tape
";

/// The violations in a procedure with this body.
fn violations(body: &str) -> Vec<String> {
    let module = parse(&format!("{HEAD}{body}}}")).unwrap_or_else(|error| panic!("{error}"));
    verify(&module).err().unwrap_or_default()
}

/// Exactly this invariant is violated, once.
fn check(invariant: u32, body: &str) {
    let found = violations(body);
    let tag = format!("[{invariant}]");
    assert!(
        found.len() == 1 && found[0].contains(&tag) && found[0].starts_with("procedure `p`"),
        "{body}: {found:?}"
    );
}

#[test]
fn right_programs_pass() {
    let body =
        "loop i = 1, n - 1 { a[i] = x ** i + f64(b[k]) * c[1, i] if l and i < 3 { l = false } }
        x = call f(x) call g(n, &a[2]) fill c[1, ..] = 0.0 r.x = q.*[i] + q.*
        push t, x pop t, x while not l { l = x != 0.0 } switch i { case 1 { } default { } }
        call external h(&c[1..2, 3], x, absent)";
    assert_eq!(violations(body), Vec::<String>::new());
}

#[test]
fn jumps_and_labels_are_found() {
    check(4, "return");
    check(4, "loop i = 1, 2 @1 { }");
    check(4, "while l @1 { }");
    check(4, "block @1 { }");
}

#[test]
fn operands_of_different_types_are_found() {
    check(5, "x = x + y");
    check(5, "l = i < n + 1:i64");
    check(5, "l = not (i < 3 and x)");
    check(5, "i = i & 3:i64");

    check(5, "x = select(l, x, y)");
    check(5, "x = (-l):f64");
    check(6, "x = min(x, f64(1), 2)");
    check(6, "x = sin()");
    check(6, "x = atan2(x):f64");
    check(7, "if i { }");
    check(7, "while x { }");
    check(7, "switch x { default { } }");
}

#[test]
fn wrong_places_are_found() {
    check(8, "x = a[x]");
    check(8, "x = c[1]:f64");
    check(8, "x = a[1, 2]:f64");
    check(8, "x = x.*:f64");
    check(8, "x = r.#1:f64");
    check(8, "i = extent(a, 1)");
    check(9, "x = a");
    check(9, "x = y:f64");
    check(10, "x = y");
    check(10, "a = x");
    check(10, "fill a = 1");
    check(17, "k = 4");
}

#[test]
fn wrong_loops_are_found() {
    check(11, "loop x = 1, 2 { }");
    check(11, "loop i = 1, x { }");
    check(11, "loop i = 1, 2, 0 { }");
    check(11, "loop i = 1, 2 { if l { i = 3 } }");
    check(11, "loop i = 1, 2 { loop i = 1, 2 { } }");
}

#[test]
fn ranges_and_requirements_are_found_where_they_do_not_belong() {
    assert!(
        violations("x = a[1..2] + 1.0")
            .iter()
            .any(|v| v.contains("[12]"))
    );
    assert!(
        violations("a[1..2] = 1.0")
            .iter()
            .any(|v| v.contains("[12]"))
    );
    check(13, "x = required(x before 0)");
}

#[test]
fn wrong_calls_are_found() {
    check(14, "call g(n)");
    check(14, "call g(x, &a)");
    check(14, "call g(&n, &a)");
    check(14, "x = call g(n, &a)");
    check(14, "y = call f(x)");
    check(18, "push a, x");
    check(18, "push t, i");
}

#[test]
fn wrong_variables_are_found() {
    let error = |text: &str, invariant: &str| {
        let found = verify(&parse(text).unwrap()).err().unwrap_or_default();
        assert!(found.iter().any(|v| v.contains(invariant)), "{found:?}");
    };
    error("procedure p(x) { var x: f64 }", "[15]");
    error("procedure p(x) { var x: f64 argument(1) }", "[15]");
    error("procedure p() { var x: f64 result }", "[15]");
    error("procedure p() -> x { var x: f64 }", "[15]");
    error("procedure p() { var x: f64 overlay(x, 0) }", "[15]");
    error("procedure p() { var x: f64 global(0) }", "[1]");
    error("procedure p() { var x: record(2) }", "[1]");
}

fn only(procedure: Procedure) -> Vec<String> {
    let mut module = Module::default();
    module.procedures.add(procedure);
    verify(&module).err().unwrap_or_default()
}

#[test]
fn ids_of_nothing_are_found() {
    let mut procedure = Procedure::new("p");
    procedure.body.push(Id::from_index(3));
    assert!(only(procedure)[0].contains("[1]"));

    let mut procedure = Procedure::new("p");
    let mut builder = Builder::new(&mut procedure);
    let missing: VarId = Id::from_index(9);
    let value = builder.expr(Expr::Load(Access::whole(missing)), Type::REAL8);
    let assign = builder.assign(Access::whole(missing), value);
    let call = builder.stmt(Stmt::Call {
        callee: Callee::Procedure(Id::from_index(4)),
        arguments: vec![Argument::Value(Id::from_index(70))],
        result: None,
    });
    procedure.body = vec![assign, call];
    assert!(only(procedure)[0].contains("expression #70 does not exist"));
}

#[test]
fn shared_statements_cyclic_expressions_and_equal_names_are_found() {
    let mut procedure = Procedure::new("p");
    let mut builder = Builder::new(&mut procedure);
    let x = builder.variable(Variable::scalar("x", Type::REAL8));
    let value = builder.load(x);
    let twice = builder.assign(Access::whole(x), value);
    procedure.body = vec![twice, twice];
    assert!(only(procedure.clone())[0].contains("[3]"));

    procedure.body = vec![twice];
    procedure.exprs[value].expr = Expr::Convert(value);
    assert!(only(procedure.clone())[0].contains("[2]"));

    procedure.exprs[value].expr = Expr::Load(Access::whole(x));
    assert_eq!(only(procedure.clone()), Vec::<String>::new());
    procedure.variables.add(Variable::scalar("x", Type::INT));
    assert!(only(procedure)[0].contains("[16]"));
}
