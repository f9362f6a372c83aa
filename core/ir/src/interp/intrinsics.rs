//! Intrinsic functions. Only this file names `libm`.

use super::memory::Cell;
use super::{Error, Result};
use crate::expr::Intrinsic;
use crate::types::Type;

/// The value of an intrinsic whose result has type `ty` and whose arguments have type `of`.
pub(super) fn intrinsic(f: Intrinsic, arguments: &[Cell], of: Type, ty: Type) -> Result<Cell> {
    let value = match arguments {
        [Cell::Real(x)] => of_real(f, *x, of, ty),
        [Cell::Int(x)] => of_integer(f, *x, of, ty),
        [Cell::Complex(re, im)] => of_complex(f, *re, *im),
        [Cell::Real(x), Cell::Real(y)] => of_two_reals(f, *x, *y),
        [Cell::Int(x), Cell::Int(y)] => of_two_integers(f, *x, *y),
        [Cell::Real(x), Cell::Int(n)] if f == Intrinsic::Scale => {
            Some(Cell::Real(libm::ldexp(*x, (*n).clamp(-5000, 5000) as i32)))
        }
        [Cell::Int(n), Cell::Real(x)] => of_order(f, *n as i32, *x),
        [Cell::Real(x), Cell::Real(y), Cell::Real(z)] if f == Intrinsic::FusedMultiplyAdd => {
            Some(Cell::Real(x.mul_add(*y, *z)))
        }
        [first, rest @ ..] if matches!(f, Intrinsic::Min | Intrinsic::Max) => {
            rest.iter()
                .try_fold(first.clone(), |best, next| match (best, next) {
                    (Cell::Real(a), Cell::Real(b)) => of_two_reals(f, a, *b),
                    (Cell::Int(a), Cell::Int(b)) => of_two_integers(f, a, *b),
                    _ => None,
                })
        }
        _ => None,
    };
    value.ok_or_else(|| Error::Unsupported(format!("`{}` of {arguments:?}", f.name())))
}

fn of_real(f: Intrinsic, x: f64, of: Type, ty: Type) -> Option<Cell> {
    let single = of == Type::REAL4;
    let value = match f {
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
        Intrinsic::Sinh => x.sinh(),
        Intrinsic::Cosh => x.cosh(),
        Intrinsic::Tanh => x.tanh(),
        Intrinsic::Asinh => x.asinh(),
        Intrinsic::Acosh => x.acosh(),
        Intrinsic::Atanh => x.atanh(),
        Intrinsic::Erf => libm::erf(x),
        Intrinsic::Erfc => libm::erfc(x),
        Intrinsic::Gamma => libm::tgamma(x),
        Intrinsic::LogGamma => libm::lgamma(x),
        Intrinsic::BesselJ0 => libm::j0(x),
        Intrinsic::BesselJ1 => libm::j1(x),
        Intrinsic::BesselY0 => libm::y0(x),
        Intrinsic::BesselY1 => libm::y1(x),
        Intrinsic::ErfcScaled => erfc_scaled(x),
        Intrinsic::Floor => x.floor(),
        Intrinsic::Ceiling => x.ceil(),
        Intrinsic::Truncate => x.trunc(),
        Intrinsic::Round => x.round(),
        Intrinsic::RealPart | Intrinsic::Conjugate => x,
        Intrinsic::NearestInteger => return Some(Cell::Int(x.round() as i128)),
        Intrinsic::FloorInteger => return Some(Cell::Int(x.floor() as i128)),
        Intrinsic::CeilingInteger => return Some(Cell::Int(x.ceil() as i128)),
        Intrinsic::Exponent => return Some(Cell::Int(i128::from(libm::frexp(x).1))),
        Intrinsic::IsNan => return Some(Cell::Logical(x.is_nan())),
        Intrinsic::IsFinite => return Some(Cell::Logical(x.is_finite())),
        Intrinsic::Complex if matches!(ty, Type::Complex { .. }) => {
            return Some(Cell::Complex(x, 0.0));
        }
        Intrinsic::Epsilon if single => f64::from(f32::EPSILON),
        Intrinsic::Tiny if single => f64::from(f32::MIN_POSITIVE),
        Intrinsic::Huge if single => f64::from(f32::MAX),
        Intrinsic::Epsilon => f64::EPSILON,
        Intrinsic::Tiny => f64::MIN_POSITIVE,
        Intrinsic::Huge => f64::MAX,
        _ => return None,
    };
    Some(Cell::Real(value))
}

/// Bessel functions.
fn of_order(f: Intrinsic, n: i32, x: f64) -> Option<Cell> {
    match f {
        Intrinsic::BesselJn => Some(Cell::Real(libm::jn(n, x))),
        Intrinsic::BesselYn => Some(Cell::Real(libm::yn(n, x))),
        _ => None,
    }
}

/// `exp(x*x)*erfc(x)`, by its asymptotic series where the one factor is too large and the other too
/// small.
fn erfc_scaled(x: f64) -> f64 {
    const LARGE: f64 = 25.0;
    if x < LARGE {
        return (x * x).exp() * libm::erfc(x);
    }
    let half = 0.5 / (x * x);
    let series = 1.0 - half * (1.0 - 3.0 * half * (1.0 - 5.0 * half));
    series / (x * std::f64::consts::PI.sqrt())
}

fn of_integer(f: Intrinsic, x: i128, of: Type, ty: Type) -> Option<Cell> {
    match (f, of) {
        (Intrinsic::Abs, _) => Some(Cell::Int(x.abs())),
        (Intrinsic::Huge, Type::Integer { bytes, .. }) if bytes < 16 => {
            Some(Cell::Int((1 << (u32::from(bytes) * 8 - 1)) - 1))
        }
        (Intrinsic::RealPart, _) if ty.is_real() => Some(Cell::Real(x as f64)),
        _ => None,
    }
}

fn of_complex(f: Intrinsic, re: f64, im: f64) -> Option<Cell> {
    Some(match f {
        Intrinsic::Abs => Cell::Real(re.hypot(im)),
        Intrinsic::RealPart => Cell::Real(re),
        Intrinsic::ImaginaryPart => Cell::Real(im),
        Intrinsic::Conjugate => Cell::Complex(re, -im),
        Intrinsic::Phase => Cell::Real(im.atan2(re)),
        Intrinsic::Exp => Cell::Complex(re.exp() * im.cos(), re.exp() * im.sin()),
        Intrinsic::Log => Cell::Complex(re.hypot(im).ln(), im.atan2(re)),
        Intrinsic::Sin => Cell::Complex(re.sin() * im.cosh(), re.cos() * im.sinh()),
        Intrinsic::Cos => Cell::Complex(re.cos() * im.cosh(), -(re.sin() * im.sinh())),
        Intrinsic::Sqrt => {
            let (modulus, half) = (re.hypot(im).sqrt(), im.atan2(re) / 2.0);
            Cell::Complex(modulus * half.cos(), modulus * half.sin())
        }
        _ => return None,
    })
}

fn of_two_reals(f: Intrinsic, x: f64, y: f64) -> Option<Cell> {
    let value = match f {
        Intrinsic::Atan2 => x.atan2(y),
        Intrinsic::Hypot => x.hypot(y),
        Intrinsic::Nearest if y > 0.0 => x.next_up(),
        Intrinsic::Nearest => x.next_down(),
        Intrinsic::Min => {
            if y < x {
                y
            } else {
                x
            }
        }
        Intrinsic::Max => {
            if y > x {
                y
            } else {
                x
            }
        }
        Intrinsic::Modulo => x - y * (x / y).floor(),
        Intrinsic::Sign => x.copysign(y),
        Intrinsic::PositiveDifference => (x - y).max(0.0),
        Intrinsic::Complex => return Some(Cell::Complex(x, y)),
        _ => return None,
    };
    Some(Cell::Real(value))
}

fn of_two_integers(f: Intrinsic, x: i128, y: i128) -> Option<Cell> {
    let value = match f {
        Intrinsic::Min => x.min(y),
        Intrinsic::Max => x.max(y),
        Intrinsic::Modulo if y != 0 => {
            let rest = x % y;
            if rest != 0 && (rest < 0) != (y < 0) {
                rest + y
            } else {
                rest
            }
        }
        Intrinsic::Sign => {
            if y < 0 {
                -x.abs()
            } else {
                x.abs()
            }
        }
        Intrinsic::PositiveDifference => (x - y).max(0),
        _ => return None,
    };
    Some(Cell::Int(value))
}
