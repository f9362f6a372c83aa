//! Elemental intrinsic functions in C.

use contraflow_backend_common::{BREAK, Term};
use contraflow_ir::{ExprId, Intrinsic, Type};

use crate::emitter::Emitter;
use crate::expr::rank;
use crate::helpers::{Helper, Number};

/// The function of `math.h` for `double`, or of `complex.h` without its `c`.
fn library(f: Intrinsic) -> Option<&'static str> {
    Some(match f {
        Intrinsic::Sqrt => "sqrt",
        Intrinsic::Cbrt => "cbrt",
        Intrinsic::Exp => "exp",
        Intrinsic::Exp2 => "exp2",
        Intrinsic::Expm1 => "expm1",
        Intrinsic::Log => "log",
        Intrinsic::Log10 => "log10",
        Intrinsic::Log2 => "log2",
        Intrinsic::Log1p => "log1p",
        Intrinsic::Sin => "sin",
        Intrinsic::Cos => "cos",
        Intrinsic::Tan => "tan",
        Intrinsic::Asin => "asin",
        Intrinsic::Acos => "acos",
        Intrinsic::Atan => "atan",
        Intrinsic::Atan2 => "atan2",
        Intrinsic::Sinh => "sinh",
        Intrinsic::Cosh => "cosh",
        Intrinsic::Tanh => "tanh",
        Intrinsic::Asinh => "asinh",
        Intrinsic::Acosh => "acosh",
        Intrinsic::Atanh => "atanh",
        Intrinsic::Erf => "erf",
        Intrinsic::Erfc => "erfc",
        Intrinsic::Gamma => "tgamma",
        Intrinsic::LogGamma => "lgamma",
        Intrinsic::BesselJ0 => "j0",
        Intrinsic::BesselJ1 => "j1",
        Intrinsic::BesselY0 => "y0",
        Intrinsic::BesselY1 => "y1",
        Intrinsic::BesselJn => "jn",
        Intrinsic::BesselYn => "yn",
        Intrinsic::Hypot => "hypot",
        Intrinsic::Floor | Intrinsic::FloorInteger => "floor",
        Intrinsic::Ceiling | Intrinsic::CeilingInteger => "ceil",
        Intrinsic::Truncate => "trunc",
        Intrinsic::Round | Intrinsic::NearestInteger => "round",
        Intrinsic::Scale => "ldexp",
        Intrinsic::Exponent => "ilogb",
        Intrinsic::FusedMultiplyAdd => "fma",
        Intrinsic::Abs => "fabs",
        Intrinsic::Min => "fmin",
        Intrinsic::Max => "fmax",
        Intrinsic::Sign => "copysign",
        Intrinsic::PositiveDifference => "fdim",
        Intrinsic::ErfcScaled
        | Intrinsic::Nearest
        | Intrinsic::Modulo
        | Intrinsic::Complex
        | Intrinsic::RealPart
        | Intrinsic::ImaginaryPart
        | Intrinsic::Conjugate
        | Intrinsic::Phase
        | Intrinsic::IsNan
        | Intrinsic::IsFinite
        | Intrinsic::Epsilon
        | Intrinsic::Tiny
        | Intrinsic::Huge => return None,
    })
}

/// The names that writing an intrinsic takes.
pub(crate) fn names(f: Intrinsic, ty: Type) -> Vec<String> {
    let mut names: Vec<String> = library(f)
        .into_iter()
        .flat_map(|name| {
            [
                name.to_owned(),
                format!("{name}f"),
                format!("{name}l"),
                format!("c{name}"),
            ]
        })
        .collect();
    let number = Number::of(ty);
    match f {
        Intrinsic::Min => names.push(Helper::Minimum(number).name()),
        Intrinsic::Max => names.push(Helper::Maximum(number).name()),
        Intrinsic::Modulo => names.push(Helper::Modulo(number).name()),
        Intrinsic::Sign => names.push(Helper::Sign(number).name()),
        Intrinsic::PositiveDifference => names.push(Helper::PositiveDifference(number).name()),
        Intrinsic::Abs => names.extend(["abs", "labs", "cabs"].map(str::to_owned)),
        Intrinsic::Complex => names.push("CMPLX".to_owned()),
        Intrinsic::RealPart => names.push("creal".to_owned()),
        Intrinsic::ImaginaryPart => names.push("cimag".to_owned()),
        Intrinsic::Conjugate => names.push("conj".to_owned()),
        Intrinsic::Phase => names.push("carg".to_owned()),
        Intrinsic::IsNan => names.push("isnan".to_owned()),
        Intrinsic::IsFinite => names.push("isfinite".to_owned()),
        _ => {}
    }
    names
}

impl Emitter<'_> {
    /// The text of an intrinsic function.
    pub fn intrinsic(&mut self, f: Intrinsic, arguments: &[ExprId], ty: Type) -> Term {
        let operand = arguments.first().map_or(ty, |&a| self.ty(a));
        if let Some(limit) = self.limit(f, operand) {
            return Term::new(limit, rank::PRIMARY);
        }
        if matches!(f, Intrinsic::ErfcScaled | Intrinsic::Nearest) {
            let message = format!("C has no function `{}`", f.name());
            let help = "write the derivative in Fortran";
            let refused = self.refuse(self.procedure.home.span, message, help);
            return Term::new(refused, rank::PRIMARY);
        }
        // The order comes first, the number that the function is named after second.
        let operand = match f {
            Intrinsic::BesselJn | Intrinsic::BesselYn => ty,
            _ => operand,
        };
        let texts: Vec<String> = arguments
            .iter()
            .map(|&a| self.value(a, self.ty(a)))
            .collect();
        let function = match self.helper_for(f, operand) {
            Some(helper) => {
                let name = self.helper(helper);
                return Term::new(folded(&name, &texts), rank::PRIMARY);
            }
            None => self.function_name(f, operand),
        };
        let text = match f {
            Intrinsic::Min | Intrinsic::Max => folded(&function, &texts),
            _ => format!("{function}({})", texts.join(&format!(",{BREAK} "))),
        };
        match f {
            Intrinsic::NearestInteger | Intrinsic::FloorInteger | Intrinsic::CeilingInteger => {
                let span = self.procedure.home.span;
                let ty = self.type_name(ty, span);
                Term::new(format!("({ty}){text}"), rank::UNARY)
            }
            Intrinsic::Exponent => Term::new(format!("{text} + 1"), rank::ADD),
            _ => Term::new(text, rank::PRIMARY),
        }
    }

    /// Where Fortran and C differ, or C has no function, a helper is called.
    fn helper_for(&self, f: Intrinsic, ty: Type) -> Option<Helper> {
        let number = Number::of(ty);
        let own = ty.is_integer() || self.foreign;
        match f {
            Intrinsic::Min if own => Some(Helper::Minimum(number)),
            Intrinsic::Max if own => Some(Helper::Maximum(number)),
            Intrinsic::Modulo => Some(Helper::Modulo(number)),
            Intrinsic::Sign if ty.is_integer() => Some(Helper::Sign(number)),
            Intrinsic::PositiveDifference if ty.is_integer() => {
                Some(Helper::PositiveDifference(number))
            }
            _ => None,
        }
    }

    fn function_name(&mut self, f: Intrinsic, ty: Type) -> String {
        let complex = matches!(ty, Type::Complex { .. });
        let base = match (f, ty) {
            (Intrinsic::Abs, Type::Integer { bytes, .. }) => {
                self.needs.headers.insert("stdlib.h");
                return if bytes > 4 { "labs" } else { "abs" }.to_owned();
            }
            (Intrinsic::Abs, _) if complex => "cabs",
            (Intrinsic::Complex, _) => "CMPLX",
            (Intrinsic::RealPart, _) => "creal",
            (Intrinsic::ImaginaryPart, _) => "cimag",
            (Intrinsic::Conjugate, _) => "conj",
            (Intrinsic::Phase, _) => "carg",
            (Intrinsic::IsNan, _) => {
                self.needs.headers.insert("math.h");
                return "isnan".to_owned();
            }
            (Intrinsic::IsFinite, _) => {
                self.needs.headers.insert("math.h");
                return "isfinite".to_owned();
            }
            (f, _) => library(f).unwrap_or("fabs"),
        };
        if f == Intrinsic::Complex {
            return match ty {
                Type::Complex { bytes } | Type::Real { bytes } => {
                    self.helper(Helper::Complex(bytes))
                }
                _ => base.to_owned(),
            };
        }
        let header = if complex { "complex.h" } else { "math.h" };
        self.needs.headers.insert(header);
        let prefix = if complex && library(f).is_some() && f != Intrinsic::Abs {
            "c"
        } else {
            ""
        };
        let name = sized(&format!("{prefix}{base}"), ty);
        self.declare_hidden(f, &name, ty);
        name
    }

    /// Strict C11 headers do not declare the Bessel functions.
    fn declare_hidden(&mut self, f: Intrinsic, name: &str, ty: Type) {
        if matches!(f, Intrinsic::BesselJn | Intrinsic::BesselYn) {
            let span = self.procedure.home.span;
            let ty = self.type_name(ty, span);
            self.needs
                .prototypes
                .insert(format!("{ty} {name}(int, {ty});"));
        }
        if matches!(
            f,
            Intrinsic::BesselJ0 | Intrinsic::BesselJ1 | Intrinsic::BesselY0 | Intrinsic::BesselY1
        ) {
            let span = self.procedure.home.span;
            let ty = self.type_name(ty, span);
            self.needs.prototypes.insert(format!("{ty} {name}({ty});"));
        }
    }

    /// Facts about a type.
    fn limit(&mut self, f: Intrinsic, ty: Type) -> Option<String> {
        let fact = match f {
            Intrinsic::Epsilon => "EPSILON",
            Intrinsic::Tiny => "MIN",
            Intrinsic::Huge => "MAX",
            _ => return None,
        };
        let (header, prefix) = match ty {
            Type::Real { bytes: 4 } => ("float.h", "FLT"),
            Type::Real { bytes: 16 } => ("float.h", "LDBL"),
            Type::Real { .. } => ("float.h", "DBL"),
            Type::Integer { bytes: 8, .. } => ("limits.h", "LONG"),
            Type::Integer { bytes: 2, .. } => ("limits.h", "SHRT"),
            Type::Integer { bytes: 1, .. } => ("limits.h", "SCHAR"),
            _ => ("limits.h", "INT"),
        };
        self.needs.headers.insert(header);
        Some(format!("{prefix}_{fact}"))
    }
}

/// A function of two applied to two or more, from the left.
fn folded(name: &str, texts: &[String]) -> String {
    let mut texts = texts.iter();
    let first = texts.next().cloned().unwrap_or_default();
    texts.fold(first, |all, next| format!("{name}({all},{BREAK} {next})"))
}

/// The name of a library function for a type: `sqrt`, `sqrtf`, `sqrtl`.
pub(crate) fn sized(name: &str, ty: Type) -> String {
    match ty {
        Type::Real { bytes: 4 } | Type::Complex { bytes: 4 } => format!("{name}f"),
        Type::Real { bytes: 16 } | Type::Complex { bytes: 16 } => format!("{name}l"),
        _ => name.to_owned(),
    }
}
