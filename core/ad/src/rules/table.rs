//! The table: one row per operation.
//!
//! `x`, `y` stand for operands and `r` for the result. A row states the derivative once; nothing
//! else in the crate does.

use contraflow_ir::{BinaryOp, Builder, Expr, ExprId, Intrinsic, Type, UnaryOp};

use super::needs::is_literal;
use super::{Local, Op, gamma};

/// How the operand number `which` of `op` reaches the result.
///
/// `operands` are expressions for the operands' values and `result` one for the operation's value;
/// the caller decides what they are (loads, temporaries, requirements). Their types must be those
/// of the operation. An operation without rule gives `None` ([`has_rule`]); activity refuses it.
pub fn partial(
    b: &mut Builder<'_>,
    op: Op,
    operands: &[ExprId],
    result: ExprId,
    which: usize,
) -> Option<Local> {
    let is_continuous = |b: &Builder<'_>, e| b.type_of(e).is_differentiable();
    if !is_continuous(b, operands[which]) || !is_continuous(b, result) {
        return Some(Local::Zero);
    }
    let mut row = Row {
        b,
        ty: Type::Void,
        r: result,
    };
    row.ty = row.b.type_of(operands[which]);
    match (op, operands) {
        (Op::Convert, _) => Some(Local::Converted),
        (Op::Select, [condition, ..]) => {
            let (then, otherwise) = one_of(which == 1);
            Some(guarded(*condition, then, otherwise))
        }
        (Op::Unary(op), _) => Some(row.unary(op)),
        (Op::Binary(op), &[x, y]) => Some(row.binary(op, x, y, which)),
        (Op::Intrinsic(Intrinsic::Min | Intrinsic::Max), &[x, y]) => {
            let is_max = op == Op::Intrinsic(Intrinsic::Max);
            // A tie goes to a constant: then the result tells who was taken (`told_by_result`).
            let order = match (is_max, is_literal(row.b.procedure, y)) {
                (true, true) => BinaryOp::Greater,
                (true, false) => BinaryOp::GreaterEqual,
                (false, true) => BinaryOp::Less,
                (false, false) => BinaryOp::LessEqual,
            };
            let takes_first = row.b.compare(order, x, y);
            let (then, otherwise) = one_of(which == 0);
            Some(guarded(takes_first, then, otherwise))
        }
        (Op::Intrinsic(Intrinsic::Min | Intrinsic::Max), _) => Some(row.extremum(operands, which)),
        (Op::Intrinsic(f), &[x]) => row.function(f, x),
        (Op::Intrinsic(f), &[x, y]) => row.function_of_two(f, x, y, which),
        (Op::Intrinsic(Intrinsic::FusedMultiplyAdd), &[x, y, _]) => Some(match which {
            0 => factor(y),
            1 => factor(x),
            _ => Local::One,
        }),
        (Op::Binary(_) | Op::Intrinsic(_) | Op::Select, _) => None,
    }
}

/// Whether derivatives can flow through the operation: `gamma` and its logarithm are the functions
/// without in quadruple precision (they want the digamma function).
pub fn has_rule(op: Op, ty: Type) -> bool {
    let is_gamma = matches!(op, Op::Intrinsic(Intrinsic::Gamma | Intrinsic::LogGamma));
    !is_gamma || matches!(ty, Type::Real { bytes } if bytes <= gamma::WIDEST)
}

/// What the rows are written with: the builder, the type of the operand, and the result.
struct Row<'r, 'p> {
    b: &'r mut Builder<'p>,
    ty: Type,
    r: ExprId,
}

impl Row<'_, '_> {
    fn unary(&mut self, op: UnaryOp) -> Local {
        match op {
            UnaryOp::Negate => Local::MinusOne,
            UnaryOp::Plus => Local::One,
            UnaryOp::Not | UnaryOp::BitNot => Local::Zero,
        }
    }

    fn binary(&mut self, op: BinaryOp, x: ExprId, y: ExprId, which: usize) -> Local {
        match (op, which) {
            (BinaryOp::Add, _) | (BinaryOp::Subtract | BinaryOp::Remainder, 0) => Local::One,
            (BinaryOp::Subtract, _) => Local::MinusOne,
            (BinaryOp::Multiply, 0) => factor(y),
            (BinaryOp::Multiply, _) => factor(x),
            (BinaryOp::Divide, 0) => over(y),
            (BinaryOp::Divide, _) => {
                let minus_r = self.b.neg(self.r);
                ratio(minus_r, y)
            }
            (BinaryOp::Power, 0) => self.power_by_base(x, y),
            (BinaryOp::Power, _) => self.power_by_exponent(x),
            (BinaryOp::Remainder, _) => self.minus_whole_quotient(x, y),
            (
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::AndThen
                | BinaryOp::OrElse
                | BinaryOp::Equivalent
                | BinaryOp::NotEquivalent
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::Concatenate,
                _,
            ) => Local::Zero,
        }
    }

    /// Functions of one operand.
    fn function(&mut self, f: Intrinsic, x: ExprId) -> Option<Local> {
        let r = self.r;
        Some(match f {
            Intrinsic::Abs => self.abs(x),
            Intrinsic::Sqrt => singular(over(self.times(2, r))),
            Intrinsic::Cbrt => {
                let square = self.b.mul(r, r);
                singular(over(self.times(3, square)))
            }
            Intrinsic::Exp => factor(r),
            Intrinsic::Exp2 => {
                let ln2 = self.constant(LN_2);
                factor(self.b.mul(ln2, r))
            }
            Intrinsic::Expm1 => factor(self.plus_one(r)),
            Intrinsic::Log => over(x),
            Intrinsic::Log10 => {
                let ln10 = self.constant(LN_10);
                over(self.b.mul(ln10, x))
            }
            Intrinsic::Log2 => {
                let ln2 = self.constant(LN_2);
                over(self.b.mul(ln2, x))
            }
            Intrinsic::Log1p => over(self.plus_one(x)),
            Intrinsic::Sin => factor(self.apply(Intrinsic::Cos, x)),
            Intrinsic::Cos => {
                let sine = self.apply(Intrinsic::Sin, x);
                factor(self.b.neg(sine))
            }
            Intrinsic::Tan => {
                let square = self.b.mul(r, r);
                factor(self.plus_one(square))
            }
            Intrinsic::Asin => singular(over(self.cosine_of_asin(x))),
            Intrinsic::Acos => {
                let minus_one = self.number(-1);
                singular(ratio(minus_one, self.cosine_of_asin(x)))
            }
            Intrinsic::Atan => {
                let square = self.b.mul(x, x);
                over(self.plus_one(square))
            }
            Intrinsic::Sinh => factor(self.apply(Intrinsic::Cosh, x)),
            Intrinsic::Cosh => factor(self.apply(Intrinsic::Sinh, x)),
            Intrinsic::Tanh => {
                let square = self.b.mul(r, r);
                let one = self.number(1);
                factor(self.b.sub(one, square))
            }
            Intrinsic::Asinh => {
                let square = self.b.mul(x, x);
                let sum = self.plus_one(square);
                over(self.apply(Intrinsic::Sqrt, sum))
            }
            Intrinsic::Acosh => {
                let one = self.number(1);
                let (below, above) = (self.b.sub(x, one), self.plus_one(x));
                let product = self.b.mul(below, above);
                singular(over(self.apply(Intrinsic::Sqrt, product)))
            }
            Intrinsic::Atanh => over(self.one_minus_square(x)),
            Intrinsic::Erf => factor(self.bell(x)),
            Intrinsic::Erfc => {
                let bell = self.bell(x);
                factor(self.b.neg(bell))
            }
            Intrinsic::ErfcScaled => {
                let product = self.b.mul(x, r);
                let growth = self.times(2, product);
                let height = self.constant(TWO_OVER_SQRT_PI);
                factor(self.b.sub(growth, height))
            }
            Intrinsic::BesselJ0 => {
                let next = self.apply(Intrinsic::BesselJ1, x);
                factor(self.b.neg(next))
            }
            Intrinsic::BesselY0 => {
                let next = self.apply(Intrinsic::BesselY1, x);
                factor(self.b.neg(next))
            }
            Intrinsic::BesselJ1 => {
                // J1' = J0 - J1/x, and 1/2 at 0.
                let slope = self.bessel_slope(Intrinsic::BesselJ0, x);
                let half = self.constant("0.5");
                let zero = self.number(0);
                let elsewhere = self.b.compare(BinaryOp::NotEqual, x, zero);
                guarded(elsewhere, factor(slope), factor(half))
            }
            Intrinsic::BesselY1 => factor(self.bessel_slope(Intrinsic::BesselY0, x)),
            Intrinsic::Gamma | Intrinsic::LogGamma if !has_rule(Op::Intrinsic(f), self.ty) => {
                return None;
            }
            Intrinsic::Gamma => self.by_digamma(x, &|row, psi| factor(row.b.mul(row.r, psi))),
            Intrinsic::LogGamma => self.by_digamma(x, &|_, psi| factor(psi)),
            Intrinsic::RealPart => Local::Converted,
            Intrinsic::ImaginaryPart => Local::TakesImaginary,
            Intrinsic::Conjugate => match self.ty {
                Type::Complex { .. } => Local::Conjugated,
                _ => Local::One,
            },
            Intrinsic::Complex => Local::Converted,
            Intrinsic::Phase => self.phase(x),
            Intrinsic::Floor
            | Intrinsic::Ceiling
            | Intrinsic::Truncate
            | Intrinsic::Round
            | Intrinsic::NearestInteger
            | Intrinsic::FloorInteger
            | Intrinsic::CeilingInteger
            | Intrinsic::Exponent
            | Intrinsic::IsNan
            | Intrinsic::IsFinite
            | Intrinsic::Epsilon
            | Intrinsic::Tiny
            | Intrinsic::Huge => Local::Zero,
            Intrinsic::BesselJn
            | Intrinsic::BesselYn
            | Intrinsic::Nearest
            | Intrinsic::Atan2
            | Intrinsic::Hypot
            | Intrinsic::Min
            | Intrinsic::Max
            | Intrinsic::Modulo
            | Intrinsic::Sign
            | Intrinsic::PositiveDifference
            | Intrinsic::Scale
            | Intrinsic::FusedMultiplyAdd => return None,
        })
    }

    /// A derivative that `ψ(x)` stands in.
    fn by_digamma(&mut self, x: ExprId, local: &dyn Fn(&mut Self, ExprId) -> Local) -> Local {
        let zero = self.number(0);
        let is_positive = self.b.compare(BinaryOp::Greater, x, zero);
        let above = gamma::of_positive(self.b, x);
        let below = gamma::of_negative(self.b, x);
        let (above, below) = (local(self, above), local(self, below));
        guarded(is_positive, above, below)
    }

    /// Functions of two operands.
    fn function_of_two(
        &mut self,
        f: Intrinsic,
        x: ExprId,
        y: ExprId,
        which: usize,
    ) -> Option<Local> {
        Some(match (f, which) {
            // atan2(x, y): the operands' usual names are y and x.
            (Intrinsic::Atan2, 0) => singular(ratio(y, self.sum_of_squares(x, y))),
            (Intrinsic::Atan2, _) => {
                let minus_x = self.b.neg(x);
                singular(ratio(minus_x, self.sum_of_squares(x, y)))
            }
            (Intrinsic::Hypot, 0) => singular(ratio(x, self.r)),
            (Intrinsic::Hypot, _) => singular(ratio(y, self.r)),
            (Intrinsic::Modulo, 0) => Local::One,
            (Intrinsic::Modulo, _) => self.minus_whole_quotient(x, y),
            (Intrinsic::Scale, _) => {
                let one = self.number(1);
                factor(self.b.call(Intrinsic::Scale, vec![one, y]))
            }
            (Intrinsic::BesselJn, _) => {
                // At 0 only the one of first order rises.
                let slope = self.slope_of_order(Intrinsic::BesselJn, x, y);
                let zero = self.number(0);
                let elsewhere = self.b.compare(BinaryOp::NotEqual, y, zero);
                let ty = self.b.type_of(x);
                let one = self.b.number(1, ty);
                let is_first = self.b.compare(BinaryOp::Equal, x, one);
                let half = self.constant("0.5");
                let at_zero = guarded(is_first, factor(half), Local::Zero);
                guarded(elsewhere, factor(slope), at_zero)
            }
            (Intrinsic::BesselYn, _) => factor(self.slope_of_order(Intrinsic::BesselYn, x, y)),
            (Intrinsic::Nearest, 0) => Local::One,
            (Intrinsic::Nearest, _) => Local::Zero,
            (Intrinsic::Sign, 0) => self.sign(x),
            (Intrinsic::Sign, _) => Local::Zero,
            (Intrinsic::PositiveDifference, _) => {
                let is_above = self.b.compare(BinaryOp::Greater, x, y);
                let slope = match which {
                    0 => Local::One,
                    _ => Local::MinusOne,
                };
                guarded(is_above, slope, Local::Zero)
            }
            (Intrinsic::Complex, 0) => Local::Converted,
            (Intrinsic::Complex, _) => Local::BecomesImaginary,
            _ => return None,
        })
    }

    /// `y * x**(y - 1)`. At `x = 0` it is infinite for `y < 1`, where the power itself is finite.
    fn power_by_base(&mut self, x: ExprId, y: ExprId) -> Local {
        if let Some(exponent) = whole_value(self.b, y) {
            return self.whole_power_by_base(x, exponent);
        }
        let exponent_type = self.b.type_of(y);
        let one = self.b.number(1, exponent_type);
        let lower = self.b.sub(y, one);
        let power = self.b.pow(x, lower);
        if exponent_type.is_integer() {
            let times = self.b.convert(y, self.ty);
            let zero = self.b.zero(exponent_type);
            let has_slope = self.b.compare(BinaryOp::NotEqual, y, zero);
            return guarded(has_slope, factor(self.b.mul(times, power)), Local::Zero);
        }
        let slope = factor(self.b.mul(y, power));
        if real_value(self.b, y).is_some_and(|value| value >= 1.0) {
            slope
        } else {
            singular(slope)
        }
    }

    fn whole_power_by_base(&mut self, x: ExprId, exponent: i32) -> Local {
        let times = self.number(exponent);
        match exponent {
            0 => Local::Zero,
            1 => Local::One,
            2 => factor(self.b.mul(times, x)),
            _ => {
                let lower = self.b.int(i128::from(exponent) - 1);
                let power = self.b.pow(x, lower);
                factor(self.b.mul(times, power))
            }
        }
    }

    /// `r * log(x)`: zero where the base is not positive, since the power is real there only for
    /// whole exponents.
    fn power_by_exponent(&mut self, x: ExprId) -> Local {
        let logarithm = self.apply(Intrinsic::Log, x);
        let slope = factor(self.b.mul(self.r, logarithm));
        if matches!(self.b.type_of(x), Type::Complex { .. }) {
            return slope;
        }
        let zero = self.number(0);
        let is_positive = self.b.compare(BinaryOp::Greater, x, zero);
        guarded(is_positive, slope, Local::Zero)
    }

    /// `-(x - r)/y`, a whole number: rounding it makes it exactly the one that the primal took,
    /// which truncating `x/y` would not.
    fn minus_whole_quotient(&mut self, x: ExprId, y: ExprId) -> Local {
        let multiple = self.b.sub(x, self.r);
        let quotient = self.b.div(multiple, y);
        let whole = self.apply(Intrinsic::Round, quotient);
        factor(self.b.neg(whole))
    }

    fn abs(&mut self, x: ExprId) -> Local {
        if let Type::Complex { .. } = self.ty {
            // The gradient of |z| is z/|z|.
            let modulus = self.b.convert(self.r, self.ty);
            let factor = self.b.div(x, modulus);
            return singular(Local::Gradient {
                factor,
                singular: true,
            });
        }
        let zero = self.number(0);
        let is_positive = self.b.compare(BinaryOp::Greater, x, zero);
        let is_negative = self.b.compare(BinaryOp::Less, x, zero);
        let below = guarded(is_negative, Local::MinusOne, Local::Zero);
        guarded(is_positive, Local::One, below)
    }

    /// The gradient of the phase is `i z / |z|²`.
    fn phase(&mut self, z: ExprId) -> Local {
        let Type::Complex { bytes } = self.ty else {
            return Local::Zero;
        };
        let part = Type::Real { bytes };
        let (zero, one) = (self.b.zero(part), self.b.number(1, part));
        let unit = Expr::Intrinsic(Intrinsic::Complex, vec![zero, one]);
        let unit = self.b.expr(unit, self.ty);
        // i z / (z conj(z)) = i / conj(z)
        let conjugate = self.apply(Intrinsic::Conjugate, z);
        let factor = self.b.div(unit, conjugate);
        Local::Gradient {
            factor,
            singular: true,
        }
    }

    /// `sign(x, y)`: the sign changes where `x` and the result differ in it; zero at `x = 0`, as
    /// for `abs`.
    fn sign(&mut self, x: ExprId) -> Local {
        let zero = self.number(0);
        let is_zero = self.b.compare(BinaryOp::Equal, x, zero);
        let x_below = self.b.compare(BinaryOp::Less, x, zero);
        let r_below = self.b.compare(BinaryOp::Less, self.r, zero);
        let is_kept = self.b.exact_binary(BinaryOp::Equivalent, x_below, r_below);
        let slope = guarded(is_kept, Local::One, Local::MinusOne);
        guarded(is_zero, Local::Zero, slope)
    }

    /// More than two operands: the first one that equals the result is the one that was taken.
    fn extremum(&mut self, operands: &[ExprId], which: usize) -> Local {
        let last = operands.len() - 1;
        let mut local = Local::One;
        if which < last {
            let is_taken = self.b.compare(BinaryOp::Equal, operands[which], self.r);
            local = guarded(is_taken, Local::One, Local::Zero);
        }
        for &earlier in operands[..which].iter().rev() {
            let is_taken = self.b.compare(BinaryOp::Equal, earlier, self.r);
            local = guarded(is_taken, Local::Zero, local);
        }
        local
    }

    /// `2/sqrt(pi) * exp(-x*x)`.
    fn bell(&mut self, x: ExprId) -> ExprId {
        let square = self.b.mul(x, x);
        let minus = self.b.neg(square);
        let bell = self.apply(Intrinsic::Exp, minus);
        let height = self.constant(TWO_OVER_SQRT_PI);
        self.b.mul(height, bell)
    }

    fn bessel_slope(&mut self, lower_order: Intrinsic, x: ExprId) -> ExprId {
        let lower = self.apply(lower_order, x);
        let rest = self.b.div(self.r, x);
        self.b.sub(lower, rest)
    }

    /// `F_n' = n/x F_n - F_(n+1)`, for both kinds of Bessel functions.
    fn slope_of_order(&mut self, f: Intrinsic, order: ExprId, x: ExprId) -> ExprId {
        let whole = self.b.type_of(order);
        let one = self.b.number(1, whole);
        let next = self.b.exact_binary(BinaryOp::Add, order, one);
        let next = self.b.call(f, vec![next, x]);
        // The node has the type of its first operand else.
        self.b.procedure.exprs[next].ty = self.ty;
        let order = self.b.convert(order, self.ty);
        let quotient = self.b.div(order, x);
        let rest = self.b.mul(quotient, self.r);
        self.b.sub(rest, next)
    }

    fn cosine_of_asin(&mut self, x: ExprId) -> ExprId {
        let product = self.one_minus_square(x);
        self.apply(Intrinsic::Sqrt, product)
    }

    /// `(1 - x)*(1 + x)`, exact near 1.
    fn one_minus_square(&mut self, x: ExprId) -> ExprId {
        let one = self.number(1);
        let (below, above) = (self.b.sub(one, x), self.b.add(one, x));
        self.b.mul(below, above)
    }

    fn sum_of_squares(&mut self, x: ExprId, y: ExprId) -> ExprId {
        let (x, y) = (self.b.mul(x, x), self.b.mul(y, y));
        self.b.add(x, y)
    }

    fn plus_one(&mut self, e: ExprId) -> ExprId {
        let one = self.number(1);
        self.b.add(one, e)
    }

    fn times(&mut self, number: i32, e: ExprId) -> ExprId {
        let number = self.number(number);
        self.b.mul(number, e)
    }

    fn number(&mut self, value: i32) -> ExprId {
        self.b.number(value, self.ty)
    }

    /// A real constant in the operand's type.
    fn constant(&mut self, digits: &str) -> ExprId {
        let part = match self.ty {
            Type::Complex { bytes } => Type::Real { bytes },
            other => other,
        };
        let real = self.b.real(digits, part);
        self.b.convert(real, self.ty)
    }

    fn apply(&mut self, f: Intrinsic, x: ExprId) -> ExprId {
        self.b.call(f, vec![x])
    }
}

const LN_2: &str = "0.693147180559945309417232121458176568";
const LN_10: &str = "2.30258509299404568401799145468436421";
const TWO_OVER_SQRT_PI: &str = "1.12837916709551257389615890312154517";

fn factor(factor: ExprId) -> Local {
    Local::Factor {
        factor,
        singular: false,
    }
}

fn over(denominator: ExprId) -> Local {
    Local::Quotient {
        numerator: None,
        denominator,
        singular: false,
    }
}

fn ratio(numerator: ExprId, denominator: ExprId) -> Local {
    Local::Quotient {
        numerator: Some(numerator),
        denominator,
        singular: false,
    }
}

/// The same map, marked as infinite or 0/0 somewhere where the result is finite.
fn singular(local: Local) -> Local {
    match local {
        Local::Factor { factor, .. } => Local::Factor {
            factor,
            singular: true,
        },
        Local::Quotient {
            numerator,
            denominator,
            ..
        } => Local::Quotient {
            numerator,
            denominator,
            singular: true,
        },
        other => other,
    }
}

fn guarded(condition: ExprId, then: Local, otherwise: Local) -> Local {
    Local::Guarded {
        condition,
        then: Box::new(then),
        otherwise: Box::new(otherwise),
    }
}

/// The maps of an operand that is taken where a condition holds, or where it does not.
fn one_of(is_then: bool) -> (Local, Local) {
    match is_then {
        true => (Local::One, Local::Zero),
        false => (Local::Zero, Local::One),
    }
}

/// The whole number that a literal exponent is, if it is small.
fn whole_value(b: &Builder<'_>, e: ExprId) -> Option<i32> {
    const LARGE: f64 = 1024.0;
    if let Some(value) = b.integer_value(e) {
        return i32::try_from(value).ok();
    }
    let value = real_value(b, e)?;
    (value.fract() == 0.0 && value.abs() <= LARGE).then_some(value as i32)
}

fn real_value(b: &Builder<'_>, e: ExprId) -> Option<f64> {
    match b.procedure.expr(e) {
        Expr::Real(text) => text.parse().ok(),
        Expr::Integer(value) => Some(*value as f64),
        Expr::Unary(UnaryOp::Negate, inner) => real_value(b, *inner).map(|value| -value),
        Expr::Unary(UnaryOp::Plus, inner) | Expr::Convert(inner) => real_value(b, *inner),
        _ => None,
    }
}
