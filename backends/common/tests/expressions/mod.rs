//! Expressions whose text depends on precedence, kinds and conversions. The back ends' tests share
//! them.

use contraflow_ir::{
    Access, BinaryOp, Builder, Expr, ExprId, Intrinsic, Module, Procedure, ProcedureId, Type,
    UnaryOp, Variable,
};

/// The operands: reals `a`, `b`, integers `i`, `j`, a single-precision `s`.
pub struct Operands {
    pub a: ExprId,
    pub b: ExprId,
    pub i: ExprId,
    pub j: ExprId,
    pub s: ExprId,
}

type Make = fn(&mut Builder<'_>, &Operands) -> ExprId;

/// Expressions of real or integer type.
pub const EXPRESSIONS: &[(&str, Make)] = &[
    ("a sum on the right of a difference", |b, o| {
        let sum = b.exact_binary(BinaryOp::Add, o.a, o.b);
        b.exact_binary(BinaryOp::Subtract, o.a, sum)
    }),
    ("a negation in a product", |b, o| {
        let minus = b.expr(Expr::Unary(UnaryOp::Negate, o.a), Type::REAL8);
        b.exact_binary(BinaryOp::Multiply, minus, o.b)
    }),
    ("a quotient in a divisor", |b, o| {
        let quotient = b.exact_binary(BinaryOp::Divide, o.a, o.b);
        b.exact_binary(BinaryOp::Divide, o.a, quotient)
    }),
    ("an integer in real arithmetic", |b, o| {
        let real = b.convert(o.i, Type::REAL8);
        b.exact_binary(BinaryOp::Multiply, real, o.a)
    }),
    ("a quotient of converted integers", |b, o| {
        let (x, y) = (b.convert(o.i, Type::REAL8), b.convert(o.j, Type::REAL8));
        b.exact_binary(BinaryOp::Divide, x, y)
    }),
    ("a square", |b, o| {
        let two = b.int(2);
        b.pow(o.a, two)
    }),
    ("a real power", |b, o| b.pow(o.a, o.b)),
    ("a remainder", |b, o| {
        b.exact_binary(BinaryOp::Remainder, o.i, o.j)
    }),
    ("a literal of double precision", |b, o| {
        let tiny = b.real("1.5e-3", Type::REAL8);
        b.exact_binary(BinaryOp::Add, o.a, tiny)
    }),
    ("single precision widened", |b, o| {
        let wide = b.convert(o.s, Type::REAL8);
        b.call(Intrinsic::Exp, vec![wide])
    }),
    ("a larger of two", |b, o| {
        b.call(Intrinsic::Max, vec![o.a, o.b])
    }),
    ("a cheap choice", |b, o| {
        let test = b.compare(BinaryOp::Less, o.a, o.b);
        b.select(test, o.a, o.b)
    }),
];

/// The text of each expression, as `write` gives it in `y = …`, between `=` and the end.
pub fn texts(c: bool, write: impl Fn(&Module, ProcedureId) -> String) -> Vec<String> {
    EXPRESSIONS
        .iter()
        .map(|(_, make)| {
            let mut procedure = Procedure::new("p");
            procedure.scalars_by_value = c;
            let mut b = Builder::new(&mut procedure);
            let mut local = |name: &str, ty| {
                let variable = b.variable(Variable::scalar(name, ty));
                b.load(variable)
            };
            let operands = Operands {
                a: local("a", Type::REAL8),
                b: local("b", Type::REAL8),
                i: local("i", Type::INT),
                j: local("j", Type::INT),
                s: local("s", Type::REAL4),
            };
            let value = make(&mut b, &operands);
            let y = b.variable(Variable {
                storage: contraflow_ir::Storage::Argument { index: 0 },
                ..Variable::scalar("y", b.type_of(value))
            });
            let set = b.assign(Access::whole(y), value);
            procedure.arguments = vec![y];
            procedure.body = vec![set];
            let mut module = Module::default();
            let id = module.procedures.add(procedure);
            let text = write(&module, id);
            let line = text
                .lines()
                .find_map(|line| line.trim().split_once("y = "))
                .expect("y is assigned");
            line.1.trim_end_matches(';').to_owned()
        })
        .collect()
}
