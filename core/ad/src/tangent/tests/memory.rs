//! Memory that outlives calls, and records.

use contraflow_ir::interp::Value;
use contraflow_ir::{
    Access, Allocation, CommonBlock, Expr, Field, Global, GlobalKind, Module, Record, Selector,
    Span, Storage, Type,
};

use super::trial::{check, derive};
use crate::testing::{Draft, place};

#[test]
fn a_global_that_callees_share_has_one_shadow() {
    // put: state = v*v; get: v = state; f: call put(x); call get(y)
    let mut module = Module::default();
    let state = module.globals.add(Global {
        name: "state".to_owned(),
        span: Span::NONE,
        container: None,
        kind: GlobalKind::Module,
        ty: Type::REAL8,
        spelling: None,
        shape: Vec::new(),
        allocation: Allocation::Fixed,
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
    let square = d.mul(value, value);
    d.assign(s, square);
    let put = d.finish(&mut module);
    let mut d = Draft::new("get");
    let (v, s) = (d.argument("v"), use_state(&mut d));
    let value = d.load(s);
    d.assign(v, value);
    let get = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    d.call(put, vec![place(x)], None);
    d.call(get, vec![place(y)], None);
    let f = d.finish(&mut module);
    let derivative = derive(&module, f, &[x], &[y]);
    assert_eq!(derivative.module.globals.len(), 2);
    assert_eq!(derivative.derived.len(), 3);
    let arguments = vec![Value::Real(1.3), Value::Real(0.0)];
    check(&module, f, &[x], &[y], arguments);
}

#[test]
fn a_common_block_has_a_shadow_of_the_same_layout() {
    // put: common pair(2); pair(1) = v, pair(2) = 3; get: common first, second; v = first*second
    let mut module = Module::default();
    let block = module.commons.add(CommonBlock {
        name: "both".to_owned(),
        bytes: 16,
    });
    let mut d = Draft::new("put");
    let v = d.argument("v");
    let pair = d.variable("pair", Type::REAL8, Some(2));
    d.procedure.variables[pair].storage = Storage::Common { block, offset: 0 };
    let (one, two, three, value) = (d.int(1), d.int(2), d.real("3.0"), d.load(v));
    d.store(Access::element(pair, vec![one]), value);
    d.store(Access::element(pair, vec![two]), three);
    let put = d.finish(&mut module);
    let mut d = Draft::new("get");
    let v = d.argument("v");
    let (first, second) = (d.local("first"), d.local("second"));
    d.procedure.variables[first].storage = Storage::Common { block, offset: 0 };
    d.procedure.variables[second].storage = Storage::Common { block, offset: 8 };
    let (lf, ls) = (d.load(first), d.load(second));
    let product = d.mul(lf, ls);
    d.assign(v, product);
    let get = d.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    d.call(put, vec![place(x)], None);
    d.call(get, vec![place(y)], None);
    let f = d.finish(&mut module);
    let arguments = vec![Value::Real(1.3), Value::Real(0.0)];
    check(&module, f, &[x], &[y], arguments);
}

#[test]
fn components_of_a_record_are_differentiated() {
    // p%u = x; p%w(1) = p%u*x; q = p; y = q%w(1)
    let mut module = Module::default();
    let field = |name: &str, shape: Vec<(i64, Option<i64>)>| Field {
        name: name.to_owned(),
        ty: Type::REAL8,
        spelling: None,
        shape,
        allocation: Allocation::Fixed,
        read_only: false,
        is_private: false,
        variant_of: None,
    };
    let record = module.records.add(Record {
        name: "point".to_owned(),
        span: Span::NONE,
        container: None,
        fields: vec![field("u", Vec::new()), field("w", vec![(1, Some(2))])],
        is_union: false,
        is_abstract: false,
        has_final: false,
        is_private: false,
        local: None,
    });
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let ty = Type::Record(record);
    let (p, q) = (d.variable("p", ty, None), d.variable("q", ty, None));
    let (one, two, lx) = (d.int(1), d.int(2), d.load(x));
    let u = |var| Access {
        var,
        path: vec![Selector::Field(0)],
    };
    let w = |var, index| Access {
        var,
        path: vec![Selector::Field(1), Selector::Index(vec![index])],
    };
    d.store(u(p), lx);
    let load = |d: &mut Draft, access: Access| d.b().expr(Expr::Load(access), Type::REAL8);
    let lu = load(&mut d, u(p));
    let product = d.mul(lu, lx);
    d.store(w(p, one), product);
    let zero = d.real("0.5");
    d.store(w(p, two), zero);
    let whole = d.b().expr(Expr::Load(Access::whole(p)), ty);
    d.assign(q, whole);
    let (a, b) = (load(&mut d, w(q, one)), load(&mut d, w(q, two)));
    let product = d.mul(a, b);
    d.assign(y, product);
    let f = d.finish(&mut module);
    let arguments = vec![Value::Real(1.3), Value::Real(0.0)];
    check(&module, f, &[x], &[y], arguments);
}
