//! Every rule against central differences, in both modes. The evaluator knows what the operations
//! mean; it shares nothing with the table.

use contraflow_ir::{
    BinaryOp, Builder, Expr, ExprId, Intrinsic, Procedure, Type, UnaryOp, VarId, Variable,
};
use num_complex::Complex64;

use super::{Local, Op, has_rule, needs, partial};

const COMPLEX: Type = Type::Complex { bytes: 8 };

/// Values of all variables; reals and integers have no imaginary part, truth is one.
type Values = Vec<Complex64>;

fn real(value: f64) -> Complex64 {
    Complex64::new(value, 0.0)
}

fn evaluate(procedure: &Procedure, values: &Values, e: ExprId) -> Complex64 {
    let at = |e: ExprId| evaluate(procedure, values, e);
    let is_complex = |e: ExprId| procedure.exprs[e].ty == COMPLEX;
    match procedure.expr(e) {
        Expr::Integer(value) => real(*value as f64),
        Expr::Real(text) => real(text.parse().expect("a literal")),
        Expr::Load(access) => values[access.var.index()],
        Expr::Convert(x) if procedure.exprs[e].ty.is_real() => real(at(*x).re),
        Expr::Convert(x) => at(*x),
        Expr::Unary(UnaryOp::Negate, x) => -at(*x),
        Expr::Unary(UnaryOp::Plus, x) => at(*x),
        Expr::Binary(op, x, y) if is_complex(*x) => complex_binary(*op, at(*x), at(*y)),
        Expr::Binary(op, x, y) => real(real_binary(*op, at(*x).re, at(*y).re)),
        Expr::Select {
            condition,
            then,
            otherwise,
        } => match at(*condition).re != 0.0 {
            true => at(*then),
            false => at(*otherwise),
        },
        Expr::Intrinsic(f, args) if is_complex(args[0]) => complex_function(*f, at(args[0])),
        Expr::Intrinsic(Intrinsic::Complex, args) => {
            Complex64::new(at(args[0]).re, args.get(1).map_or(0.0, |&e| at(e).re))
        }
        Expr::Intrinsic(f, args) => {
            let args: Vec<f64> = args.iter().map(|&e| at(e).re).collect();
            real(real_function(*f, &args))
        }
        other => panic!("the evaluator does not know {other:?}"),
    }
}

fn real_binary(op: BinaryOp, x: f64, y: f64) -> f64 {
    let truth = |holds: bool| f64::from(u8::from(holds));
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        BinaryOp::Multiply => x * y,
        BinaryOp::Divide => x / y,
        BinaryOp::Power => x.powf(y),
        BinaryOp::Remainder => x % y,
        BinaryOp::Equal | BinaryOp::Equivalent => truth(x == y),
        BinaryOp::NotEqual => truth(x != y),
        BinaryOp::Less => truth(x < y),
        BinaryOp::LessEqual => truth(x <= y),
        BinaryOp::Greater => truth(x > y),
        BinaryOp::GreaterEqual => truth(x >= y),
        other => panic!("the evaluator does not know {other:?}"),
    }
}

fn complex_binary(op: BinaryOp, x: Complex64, y: Complex64) -> Complex64 {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        BinaryOp::Multiply => x * y,
        BinaryOp::Divide => x / y,
        BinaryOp::Power => x.powc(y),
        other => panic!("the evaluator does not know {other:?}"),
    }
}

fn complex_function(f: Intrinsic, z: Complex64) -> Complex64 {
    match f {
        Intrinsic::Abs => real(z.norm()),
        Intrinsic::Sqrt => z.sqrt(),
        Intrinsic::Exp => z.exp(),
        Intrinsic::Log => z.ln(),
        Intrinsic::Sin => z.sin(),
        Intrinsic::Cos => z.cos(),
        Intrinsic::Tan => z.tan(),
        Intrinsic::Sinh => z.sinh(),
        Intrinsic::Cosh => z.cosh(),
        Intrinsic::Tanh => z.tanh(),
        Intrinsic::RealPart => real(z.re),
        Intrinsic::ImaginaryPart => real(z.im),
        Intrinsic::Conjugate => z.conj(),
        Intrinsic::Phase => real(z.arg()),
        other => panic!("the evaluator does not know {other:?} of a complex"),
    }
}

fn real_function(f: Intrinsic, args: &[f64]) -> f64 {
    let x = args[0];
    match f {
        Intrinsic::Abs => x.abs(),
        Intrinsic::Sqrt => x.sqrt(),
        Intrinsic::Cbrt => x.cbrt(),
        Intrinsic::Exp => x.exp(),
        Intrinsic::Exp2 => x.exp2(),
        Intrinsic::Expm1 => x.exp_m1(),
        Intrinsic::Log => x.ln(),
        Intrinsic::Log10 => x.log10(),
        Intrinsic::Log2 => x.log2(),
        Intrinsic::Log1p => x.ln_1p(),
        Intrinsic::Sin => x.sin(),
        Intrinsic::Cos => x.cos(),
        Intrinsic::Tan => x.tan(),
        Intrinsic::Asin => x.asin(),
        Intrinsic::Acos => x.acos(),
        Intrinsic::Atan => x.atan(),
        Intrinsic::Atan2 => x.atan2(args[1]),
        Intrinsic::Sinh => x.sinh(),
        Intrinsic::Cosh => x.cosh(),
        Intrinsic::Tanh => x.tanh(),
        Intrinsic::Asinh => x.asinh(),
        Intrinsic::Acosh => x.acosh(),
        Intrinsic::Atanh => x.atanh(),
        Intrinsic::Erf => libm::erf(x),
        Intrinsic::Erfc => libm::erfc(x),
        Intrinsic::BesselJ0 => libm::j0(x),
        Intrinsic::BesselJ1 => libm::j1(x),
        Intrinsic::BesselY0 => libm::y0(x),
        Intrinsic::BesselY1 => libm::y1(x),
        Intrinsic::BesselJn => libm::jn(x as i32, args[1]),
        Intrinsic::BesselYn => libm::yn(x as i32, args[1]),
        Intrinsic::ErfcScaled => (x * x).exp() * libm::erfc(x),
        Intrinsic::Nearest => x,
        Intrinsic::Hypot => x.hypot(args[1]),
        Intrinsic::Min => args.iter().copied().fold(f64::INFINITY, f64::min),
        Intrinsic::Max => args.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Intrinsic::Modulo => x - (x / args[1]).floor() * args[1],
        Intrinsic::Sign => x.abs().copysign(args[1]),
        Intrinsic::PositiveDifference => (x - args[1]).max(0.0),
        Intrinsic::Floor | Intrinsic::FloorInteger => x.floor(),
        Intrinsic::Ceiling | Intrinsic::CeilingInteger => x.ceil(),
        Intrinsic::Truncate => x.trunc(),
        Intrinsic::Round | Intrinsic::NearestInteger => x.round(),
        Intrinsic::Scale => x * args[1].exp2(),
        Intrinsic::Exponent => f64::from(libm::frexp(x).1),
        Intrinsic::FusedMultiplyAdd => x * args[1] + args[2],
        Intrinsic::Conjugate | Intrinsic::RealPart => x,
        Intrinsic::IsNan => f64::from(u8::from(x.is_nan())),
        Intrinsic::IsFinite => f64::from(u8::from(x.is_finite())),
        Intrinsic::Epsilon => f64::EPSILON,
        Intrinsic::Tiny => f64::MIN_POSITIVE,
        Intrinsic::Huge => f64::MAX,
        Intrinsic::Gamma => libm::tgamma(x),
        Intrinsic::LogGamma => libm::lgamma(x),
        Intrinsic::Complex | Intrinsic::ImaginaryPart | Intrinsic::Phase => {
            panic!("{f:?} is not a real function")
        }
    }
}

/// Points at which an intrinsic of reals is checked: one slice of operands per point. Adding an
/// intrinsic to the IR asks for a row here.
fn points(f: Intrinsic) -> &'static [&'static [f64]] {
    match f {
        Intrinsic::Abs | Intrinsic::Cbrt | Intrinsic::Atan | Intrinsic::Asinh => {
            &[&[0.7], &[-1.3], &[2.5]]
        }
        Intrinsic::Sqrt | Intrinsic::Log | Intrinsic::Log10 | Intrinsic::Log2 => {
            &[&[0.2], &[1.0], &[7.5]]
        }
        Intrinsic::Exp | Intrinsic::Exp2 | Intrinsic::Expm1 => &[&[-0.4], &[0.0], &[1.9]],
        Intrinsic::Log1p => &[&[-0.4], &[0.0], &[1.9]],
        Intrinsic::Sin | Intrinsic::Cos | Intrinsic::Tan => &[&[-2.2], &[0.0], &[0.9]],
        Intrinsic::Asin | Intrinsic::Acos | Intrinsic::Atanh => &[&[-0.8], &[0.0], &[0.35]],
        Intrinsic::Acosh => &[&[1.2], &[4.0]],
        Intrinsic::Sinh | Intrinsic::Cosh | Intrinsic::Tanh => &[&[-1.1], &[0.0], &[0.6]],
        Intrinsic::Erf | Intrinsic::Erfc => &[&[-0.9], &[0.0], &[1.4]],
        Intrinsic::BesselJ0 | Intrinsic::BesselJ1 => &[&[-1.5], &[0.0], &[2.8]],
        Intrinsic::BesselY0 | Intrinsic::BesselY1 => &[&[0.6], &[2.8]],
        Intrinsic::BesselJn => &[
            &[0.0, 1.3],
            &[0.0, 0.0],
            &[1.0, 0.0],
            &[2.0, 0.0],
            &[3.0, -0.4],
            &[5.0, 12.0],
        ],
        Intrinsic::BesselYn => &[&[0.0, 1.3], &[2.0, 0.7], &[4.0, 9.0]],
        Intrinsic::ErfcScaled => &[&[-0.9], &[0.0], &[2.4]],
        Intrinsic::Nearest => &[&[1.5, 1.0], &[-2.0, -1.0]],
        Intrinsic::Atan2 | Intrinsic::Hypot => &[&[1.0, 2.0], &[-0.5, -0.7], &[0.3, -2.0]],
        Intrinsic::Min | Intrinsic::Max => &[
            &[1.0, 2.0],
            &[2.0, 1.0],
            &[1.0, 3.0, 2.0],
            &[3.0, 1.0, 2.0, 2.5],
            &[1.0, 2.0, 0.5],
        ],
        Intrinsic::Modulo | Intrinsic::Sign => {
            &[&[7.3, 2.0], &[-7.3, 2.0], &[7.3, -2.0], &[-7.3, -2.0]]
        }
        Intrinsic::PositiveDifference => &[&[2.0, 1.0], &[1.0, 2.0]],
        Intrinsic::Floor
        | Intrinsic::Ceiling
        | Intrinsic::Truncate
        | Intrinsic::Round
        | Intrinsic::NearestInteger
        | Intrinsic::FloorInteger
        | Intrinsic::CeilingInteger => &[&[1.3], &[-2.6]],
        Intrinsic::Scale => &[&[1.3, 2.0], &[-2.6, -3.0]],
        Intrinsic::Exponent => &[&[1.3], &[-2.6]],
        Intrinsic::FusedMultiplyAdd => &[&[1.5, -2.0, 0.3]],
        Intrinsic::RealPart | Intrinsic::Conjugate => &[&[1.5]],
        Intrinsic::IsNan
        | Intrinsic::IsFinite
        | Intrinsic::Epsilon
        | Intrinsic::Tiny
        | Intrinsic::Huge => &[&[1.5]],
        Intrinsic::Gamma | Intrinsic::LogGamma => &[&[0.2], &[1.4], &[7.5], &[-0.7], &[-3.4]],
        // Checked with complex operands.
        Intrinsic::Complex | Intrinsic::ImaginaryPart | Intrinsic::Phase => &[],
    }
}

const INTRINSICS: [Intrinsic; 61] = [
    Intrinsic::Abs,
    Intrinsic::Sqrt,
    Intrinsic::Cbrt,
    Intrinsic::Exp,
    Intrinsic::Exp2,
    Intrinsic::Expm1,
    Intrinsic::Log,
    Intrinsic::Log10,
    Intrinsic::Log2,
    Intrinsic::Log1p,
    Intrinsic::Sin,
    Intrinsic::Cos,
    Intrinsic::Tan,
    Intrinsic::Asin,
    Intrinsic::Acos,
    Intrinsic::Atan,
    Intrinsic::Atan2,
    Intrinsic::Sinh,
    Intrinsic::Cosh,
    Intrinsic::Tanh,
    Intrinsic::Asinh,
    Intrinsic::Acosh,
    Intrinsic::Atanh,
    Intrinsic::Erf,
    Intrinsic::Erfc,
    Intrinsic::Gamma,
    Intrinsic::LogGamma,
    Intrinsic::BesselJ0,
    Intrinsic::BesselJ1,
    Intrinsic::BesselY0,
    Intrinsic::BesselY1,
    Intrinsic::BesselJn,
    Intrinsic::BesselYn,
    Intrinsic::ErfcScaled,
    Intrinsic::Nearest,
    Intrinsic::Hypot,
    Intrinsic::Min,
    Intrinsic::Max,
    Intrinsic::Modulo,
    Intrinsic::Sign,
    Intrinsic::PositiveDifference,
    Intrinsic::Floor,
    Intrinsic::Ceiling,
    Intrinsic::Truncate,
    Intrinsic::Round,
    Intrinsic::NearestInteger,
    Intrinsic::FloorInteger,
    Intrinsic::CeilingInteger,
    Intrinsic::Scale,
    Intrinsic::Exponent,
    Intrinsic::FusedMultiplyAdd,
    Intrinsic::Complex,
    Intrinsic::RealPart,
    Intrinsic::ImaginaryPart,
    Intrinsic::Conjugate,
    Intrinsic::Phase,
    Intrinsic::IsNan,
    Intrinsic::IsFinite,
    Intrinsic::Epsilon,
    Intrinsic::Tiny,
    Intrinsic::Huge,
];

/// One operation on fresh variables.
struct Case {
    procedure: Procedure,
    operands: Vec<VarId>,
    node: ExprId,
}

impl Case {
    fn new(types: &[Type], build: impl FnOnce(&mut Builder<'_>, &[ExprId]) -> ExprId) -> Case {
        let mut procedure = Procedure::new("case");
        let mut b = Builder::new(&mut procedure);
        let operands: Vec<VarId> = types
            .iter()
            .map(|&ty| b.variable(Variable::scalar("x", ty)))
            .collect();
        let loads: Vec<ExprId> = operands.iter().map(|&var| b.load(var)).collect();
        let node = build(&mut b, &loads);
        Case {
            procedure,
            operands,
            node,
        }
    }

    /// The map of operand `which`, and its application to `seed` in both modes.
    fn apply(&mut self, which: usize, values: &Values, seed: Complex64) -> (Complex64, Complex64) {
        let (op, operands) = Op::of(self.procedure.expr(self.node)).expect("an operation");
        let result = self.procedure.exprs[self.node].ty;
        let operand = self.procedure.exprs[operands[which]].ty;
        let mut b = Builder::new(&mut self.procedure);
        let local = partial(&mut b, op, &operands, self.node, which).expect("a rule");
        let forward = b.variable(Variable::scalar("seed", operand));
        let backward = b.variable(Variable::scalar("seed", result));
        let (forward, backward) = (b.load(forward), b.load(backward));
        let tangent = local.tangent(&mut b, forward, result);
        let adjoint = local.adjoint(&mut b, backward, operand);
        for e in [tangent, adjoint].into_iter().flatten() {
            let expected = if Some(e) == tangent { result } else { operand };
            assert_eq!(
                self.procedure.exprs[e].ty, expected,
                "{op:?} operand {which}"
            );
        }
        let mut values = values.clone();
        values.resize(self.procedure.variables.len() - 2, real(f64::NAN));
        values.extend([seed, seed]);
        let at = |e: Option<ExprId>| e.map_or(real(0.0), |e| evaluate(&self.procedure, &values, e));
        (at(tangent), at(adjoint))
    }

    fn difference(&self, which: usize, values: &Values, direction: Complex64) -> Complex64 {
        const STEP: f64 = 1e-5;
        let moved = |step: f64| {
            let mut values = values.clone();
            values[self.operands[which].index()] += direction * step;
            evaluate(&self.procedure, &values, self.node)
        };
        (moved(STEP) - moved(-STEP)) / (2.0 * STEP)
    }

    /// Real operand and result: both modes multiply by the derivative.
    fn check_real(mut self, operands: &[f64]) {
        let values: Values = operands.iter().copied().map(real).collect();
        for which in 0..operands.len() {
            if self.procedure.variables[self.operands[which]]
                .ty
                .is_integer()
            {
                continue;
            }
            let expected = self.difference(which, &values, real(1.0)).re;
            let (tangent, adjoint) = self.apply(which, &values, real(1.0));
            let what = self.procedure.expr(self.node);
            for (mode, found) in [("tangent", tangent), ("adjoint", adjoint)] {
                assert!(
                    (found.re - expected).abs() <= 1e-8 * (1.0 + expected.abs()),
                    "{mode} of {what:?} by operand {which} at {operands:?}: \
                     {found} instead of {expected}"
                );
            }
        }
    }

    /// Complex operand or result: the tangent is the difference, and the adjoint its transpose.
    fn check_complex(mut self, operands: &[Complex64]) {
        let values = operands.to_vec();
        let output = match self.procedure.exprs[self.node].ty {
            COMPLEX => Complex64::new(0.6, -1.1),
            _ => real(0.6),
        };
        for which in 0..operands.len() {
            let is_complex = self.procedure.variables[self.operands[which]].ty == COMPLEX;
            let (_, adjoint) = self.apply(which, &values, output);
            let directions = [real(1.0), Complex64::i(), Complex64::new(0.3, 0.8)];
            for &direction in &directions[..if is_complex { 3 } else { 1 }] {
                let expected = self.difference(which, &values, direction);
                let (tangent, _) = self.apply(which, &values, direction);
                let what = self.procedure.expr(self.node);
                assert!(
                    (tangent - expected).norm() <= 1e-8 * (1.0 + expected.norm()),
                    "tangent of {what:?} by operand {which}: {tangent} instead of {expected}"
                );
                let (forward, backward) = (
                    (output.conj() * tangent).re,
                    (adjoint.conj() * direction).re,
                );
                assert!(
                    (forward - backward).abs() <= 1e-12 * (1.0 + forward.abs()),
                    "adjoint of {what:?} by operand {which} is not the transpose"
                );
            }
        }
    }
}

fn intrinsic_case(f: Intrinsic, types: &[Type], result: Type) -> Case {
    Case::new(types, |b, args| {
        b.expr(Expr::Intrinsic(f, args.to_vec()), result)
    })
}

#[test]
fn intrinsics_of_reals_agree_with_differences() {
    for f in INTRINSICS {
        let result = match f {
            Intrinsic::NearestInteger
            | Intrinsic::FloorInteger
            | Intrinsic::CeilingInteger
            | Intrinsic::Exponent => Type::INT,
            Intrinsic::IsNan | Intrinsic::IsFinite => Type::LOGICAL,
            _ => Type::REAL8,
        };
        for operands in points(f) {
            let mut types = vec![Type::REAL8; operands.len()];
            if f == Intrinsic::Scale {
                types[1] = Type::INT;
            }
            if matches!(f, Intrinsic::BesselJn | Intrinsic::BesselYn) {
                types[0] = Type::INT;
            }
            intrinsic_case(f, &types, result).check_real(operands);
        }
    }
}

#[test]
fn every_intrinsic_is_in_the_list_of_those_checked() {
    for (index, f) in INTRINSICS
        .iter()
        .enumerate()
        .take(Intrinsic::Huge as usize + 1)
    {
        assert_eq!(*f as usize, index);
    }
}

#[test]
fn functions_without_rule_are_known() {
    for f in INTRINSICS {
        let mut case = intrinsic_case(f, &[Type::REAL8], Type::REAL8);
        let operands = [case.procedure.exprs.ids().next().expect("the operand")];
        let node = case.node;
        let mut b = Builder::new(&mut case.procedure);
        let takes_one = !matches!(
            f,
            Intrinsic::Atan2
                | Intrinsic::Hypot
                | Intrinsic::BesselJn
                | Intrinsic::BesselYn
                | Intrinsic::Nearest
                | Intrinsic::Min
                | Intrinsic::Max
                | Intrinsic::Modulo
                | Intrinsic::Sign
                | Intrinsic::PositiveDifference
                | Intrinsic::Scale
                | Intrinsic::FusedMultiplyAdd
        );
        if takes_one {
            let found = partial(&mut b, Op::Intrinsic(f), &operands, node, 0).is_some();
            assert_eq!(found, has_rule(Op::Intrinsic(f), Type::REAL8), "{f:?}");
        }
    }
}

#[test]
fn operations_on_reals_agree_with_differences() {
    let binary = |op| Case::new(&[Type::REAL8; 2], |b, x| b.exact_binary(op, x[0], x[1]));
    for op in [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
    ] {
        binary(op).check_real(&[1.7, -0.6]);
    }
    for operands in [[7.3, 2.0], [-7.3, 2.0], [7.3, -2.0], [0.4, 3.0]] {
        binary(BinaryOp::Remainder).check_real(&operands);
    }
    for operands in [[1.3, 2.4], [0.4, -1.7], [2.0, 0.5], [3.0, 1.0]] {
        binary(BinaryOp::Power).check_real(&operands);
    }
    for op in [UnaryOp::Negate, UnaryOp::Plus] {
        Case::new(&[Type::REAL8], |b, x| {
            b.expr(Expr::Unary(op, x[0]), Type::REAL8)
        })
        .check_real(&[1.7]);
    }
    for op in [BinaryOp::Less, BinaryOp::Equal] {
        binary(op).check_real(&[1.0, 2.0]);
    }
    Case::new(&[Type::REAL8], |b, x| b.convert(x[0], Type::REAL4)).check_real(&[1.7]);
    for x in [0.5, 1.5] {
        Case::new(&[Type::REAL8; 2], |b, x| {
            let one = b.number(1, Type::REAL8);
            let condition = b.compare(BinaryOp::Less, one, x[1]);
            b.select(condition, x[0], x[1])
        })
        .check_select(&[2.5, x]);
    }
}

impl Case {
    /// The first operand of a choice is its condition.
    fn check_select(mut self, operands: &[f64]) {
        let values: Values = operands.iter().copied().map(real).collect();
        for which in [1, 2] {
            let expected = self.difference(which - 1, &values, real(1.0)).re;
            let (tangent, adjoint) = self.apply(which, &values, real(1.0));
            assert!((tangent.re - expected).abs() < 1e-8 && (adjoint.re - expected).abs() < 1e-8);
        }
    }
}

#[test]
fn literal_exponents_agree_with_differences() {
    for exponent in [-3, -1, 0, 1, 2, 3, 4] {
        for base in [1.3, -0.7] {
            Case::new(&[Type::REAL8], |b, x| {
                let exponent = b.int(exponent.into());
                b.pow(x[0], exponent)
            })
            .check_real(&[base]);
        }
        Case::new(&[Type::REAL8], |b, x| {
            let exponent = b.number(exponent, Type::REAL8);
            b.pow(x[0], exponent)
        })
        .check_real(&[1.3]);
    }
    for exponent in ["0.5", "2.5", "-1.5"] {
        Case::new(&[Type::REAL8], |b, x| {
            let exponent = b.real(exponent, Type::REAL8);
            b.pow(x[0], exponent)
        })
        .check_real(&[0.8]);
    }
    // A negative base with a literal exponent that is a whole number, and at zero.
    for base in [0.0, -2.0] {
        Case::new(&[Type::REAL8], |b, x| {
            let exponent = b.real("3.0", Type::REAL8);
            b.pow(x[0], exponent)
        })
        .check_real(&[base]);
    }
}

#[test]
fn an_integer_exponent_of_zero_gives_zero_even_at_zero() {
    let case = |base| {
        let mut case = Case::new(&[Type::REAL8, Type::INT], |b, x| b.pow(x[0], x[1]));
        let values = vec![real(base), real(0.0)];
        case.apply(0, &values, real(1.0)).0
    };
    assert_eq!(case(0.0), real(0.0));
    assert_eq!(case(2.0), real(0.0));
}

#[test]
fn a_tie_goes_to_the_first_operand() {
    for f in [Intrinsic::Max, Intrinsic::Min] {
        for count in [2, 3] {
            let mut case = intrinsic_case(f, &vec![Type::REAL8; count], Type::REAL8);
            let values = vec![real(1.5); count];
            let shares: Vec<f64> = (0..count)
                .map(|which| case.apply(which, &values, real(1.0)).1.re)
                .collect();
            assert_eq!(shares[0], 1.0);
            assert_eq!(shares.iter().sum::<f64>(), 1.0);
        }
    }
}

#[test]
fn a_tie_with_a_constant_goes_to_the_constant() {
    for f in [Intrinsic::Max, Intrinsic::Min] {
        for constant_first in [false, true] {
            let mut case = Case::new(&[Type::REAL8], |b, x| {
                let zero = b.zero(Type::REAL8);
                let operands = match constant_first {
                    true => vec![zero, x[0]],
                    false => vec![x[0], zero],
                };
                b.call(f, operands)
            });
            let share = |case: &mut Case, x: f64| {
                let which = usize::from(constant_first);
                case.apply(which, &vec![real(x)], real(1.0)).1.re
            };
            assert_eq!(share(&mut case, 0.0), 0.0);
            let taken = if f == Intrinsic::Max { 1.0 } else { -1.0 };
            assert_eq!(share(&mut case, taken), 1.0);
            assert_eq!(share(&mut case, -taken), 0.0);
        }
    }
}

#[test]
fn kinks_at_zero_have_the_derivative_zero() {
    let mut abs = intrinsic_case(Intrinsic::Abs, &[Type::REAL8], Type::REAL8);
    assert_eq!(abs.apply(0, &vec![real(0.0)], real(1.0)).0, real(0.0));
    let mut sign = intrinsic_case(Intrinsic::Sign, &[Type::REAL8; 2], Type::REAL8);
    let values = vec![real(0.0), real(-1.0)];
    assert_eq!(sign.apply(0, &values, real(1.0)).0, real(0.0));
}

#[test]
fn a_remainder_just_below_a_multiple_takes_the_branch_of_the_primal() {
    // 1/0.1 rounds to 10, but the remainder is 1 - 9*0.1.
    let mut case = Case::new(&[Type::REAL8; 2], |b, x| {
        b.exact_binary(BinaryOp::Remainder, x[0], x[1])
    });
    let (tangent, _) = case.apply(1, &vec![real(1.0), real(0.1)], real(1.0));
    assert_eq!(tangent, real(-9.0));
}

#[test]
fn complex_operations_agree_with_differences() {
    let (z, w) = (Complex64::new(1.2, -0.7), Complex64::new(0.4, 1.5));
    for op in [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Power,
    ] {
        Case::new(&[COMPLEX; 2], |b, x| b.exact_binary(op, x[0], x[1])).check_complex(&[z, w]);
    }
    for f in [
        Intrinsic::Sqrt,
        Intrinsic::Exp,
        Intrinsic::Log,
        Intrinsic::Sin,
        Intrinsic::Cos,
        Intrinsic::Tan,
        Intrinsic::Sinh,
        Intrinsic::Cosh,
        Intrinsic::Tanh,
        Intrinsic::Conjugate,
    ] {
        intrinsic_case(f, &[COMPLEX], COMPLEX).check_complex(&[z]);
    }
    for f in [
        Intrinsic::Abs,
        Intrinsic::RealPart,
        Intrinsic::ImaginaryPart,
        Intrinsic::Phase,
    ] {
        intrinsic_case(f, &[COMPLEX], Type::REAL8).check_complex(&[z]);
    }
    intrinsic_case(Intrinsic::Complex, &[Type::REAL8; 2], COMPLEX)
        .check_complex(&[real(0.3), real(-0.9)]);
    Case::new(&[Type::REAL8], |b, x| b.convert(x[0], COMPLEX)).check_complex(&[real(0.3)]);
    Case::new(&[COMPLEX], |b, x| b.convert(x[0], Type::REAL8)).check_complex(&[z]);
    Case::new(&[COMPLEX], |b, x| {
        let exponent = b.int(3);
        b.pow(x[0], exponent)
    })
    .check_complex(&[z]);
}

#[test]
fn needs_are_read_off_the_rules() {
    let of = |case: &Case, which| needs(&case.procedure, case.node, which);
    let quotient = Case::new(&[Type::REAL8; 2], |b, x| {
        b.exact_binary(BinaryOp::Divide, x[0], x[1])
    });
    assert!(!of(&quotient, 0).result);
    assert_eq!(of(&quotient, 0).operands, [false, true]);
    assert!(of(&quotient, 1).result);
    assert_eq!(of(&quotient, 1).operands, [false, true]);
    let sine = intrinsic_case(Intrinsic::Sin, &[Type::REAL8], Type::REAL8);
    assert_eq!(of(&sine, 0).operands, [true]);
    for f in [Intrinsic::Exp, Intrinsic::Sqrt, Intrinsic::Tanh] {
        let case = intrinsic_case(f, &[Type::REAL8], Type::REAL8);
        assert!(of(&case, 0).result);
        assert_eq!(of(&case, 0).operands, [false]);
    }
    let cube = Case::new(&[Type::REAL8], |b, x| {
        let three = b.int(3);
        b.pow(x[0], three)
    });
    assert_eq!(of(&cube, 0).operands, [true, false]);
}

#[test]
fn an_infinite_slope_is_marked() {
    let is_singular = |f| {
        let mut case = intrinsic_case(f, &[Type::REAL8], Type::REAL8);
        let (op, operands) = Op::of(case.procedure.expr(case.node)).expect("an operation");
        let node = case.node;
        let mut b = Builder::new(&mut case.procedure);
        partial(&mut b, op, &operands, node, 0).is_some_and(|local: Local| local.is_singular())
    };
    assert!(is_singular(Intrinsic::Sqrt) && is_singular(Intrinsic::Acos));
    assert!(!is_singular(Intrinsic::Exp) && !is_singular(Intrinsic::Sin));
}
