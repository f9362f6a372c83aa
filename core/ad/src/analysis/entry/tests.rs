use contraflow_ir::{Access, CommonBlock, Module, ProcedureId, Storage, Type, VarId};

use super::{Entry, Ranges};
use crate::analysis::{Effects, Shared};
use crate::testing::{Draft, place};

fn member(d: &mut Draft, name: &str, module: &mut Module, count: Option<i128>) -> VarId {
    let block = match module.commons.ids().next() {
        Some(block) => block,
        None => module.commons.add(CommonBlock {
            name: "c".to_owned(),
            bytes: 80,
        }),
    };
    let var = d.variable(name, Type::REAL8, count);
    d.procedure.variables[var].storage = Storage::Common { block, offset: 0 };
    var
}

fn kept(module: &Module, head: ProcedureId, var: VarId) -> Ranges {
    let effects = Effects::of(module);
    let shared: Shared = effects.shared(head, var).expect("shared");
    Entry::of(module, &effects, head).kept(head, shared)
}

#[test]
fn a_scalar_that_one_branch_writes_is_exposed() {
    let mut module = Module::default();
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let c = member(&mut d, "c", &mut module, None);
    let condition = d.b().logical(true);
    let lx = d.load(x);
    d.if_else(
        condition,
        |d| {
            d.assign(c, lx);
        },
        |_| {},
    );
    let lc = d.load(c);
    d.assign(y, lc);
    let f = d.finish(&mut module);
    assert_eq!(kept(&module, f, c).parts(), [(0, 8)]);
}

#[test]
fn elements_written_by_a_loop_or_one_by_one_are_not_exposed() {
    // do i = 1, 4; c(i) = x; c(5) = x; y = c(1) + … + c(6), through a callee
    let mut module = Module::default();
    let mut g = Draft::new("g");
    let (s, a) = (g.argument("s"), g.array_argument("a", 6));
    let i = g.integer("i");
    g.loop_over(i, 6, |g| {
        let li = g.load(i);
        let (element, sum) = (g.at(a, li), g.load(s));
        let sum = g.add(sum, element);
        g.assign(s, sum);
    });
    let g = g.finish(&mut module);
    let mut d = Draft::new("f");
    let (x, y) = (d.argument("x"), d.argument("y"));
    let c = member(&mut d, "c", &mut module, Some(6));
    let i = d.integer("i");
    d.loop_over(i, 4, |d| {
        let (li, lx) = (d.load(i), d.load(x));
        d.store(Access::element(c, vec![li]), lx);
    });
    let (five, lx) = (d.b().int(5), d.load(x));
    d.store(Access::element(c, vec![five]), lx);
    d.call(g, vec![place(y), place(c)], None);
    let (six, lx) = (d.b().int(6), d.load(x));
    d.store(Access::element(c, vec![six]), lx);
    let f = d.finish(&mut module);
    assert_eq!(kept(&module, f, c).parts(), [(40, 48)]);
}
