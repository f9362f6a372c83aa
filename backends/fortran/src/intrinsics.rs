//! Elemental intrinsic functions in Fortran. Those that only C has are called in the C library by
//! an interface, so that a C primal and its Fortran text give the same bits.

use contraflow_backend_common::{BREAK, Term};
use contraflow_ir::{ExprId, Intrinsic, Type};

use crate::emitter::Emitter;
use crate::expr::rank;

/// How an intrinsic is written.
enum Form {
    /// A function of this name.
    Function(&'static str),
    /// The same, with the kind of the result as last argument.
    Kinded(&'static str),
    /// A function of the C library.
    CLibrary(&'static str),
    /// A function of `ieee_arithmetic`.
    Ieee(&'static str),
    /// An expression.
    Written,
}

fn form(f: Intrinsic) -> Form {
    use Form::{CLibrary, Function, Ieee, Kinded, Written};
    match f {
        Intrinsic::Abs => Function("abs"),
        Intrinsic::Sqrt => Function("sqrt"),
        Intrinsic::Cbrt => CLibrary("cbrt"),
        Intrinsic::Exp => Function("exp"),
        Intrinsic::Exp2 => CLibrary("exp2"),
        Intrinsic::Expm1 => CLibrary("expm1"),
        Intrinsic::Log => Function("log"),
        Intrinsic::Log10 => Function("log10"),
        Intrinsic::Log2 => CLibrary("log2"),
        Intrinsic::Log1p => CLibrary("log1p"),
        Intrinsic::Sin => Function("sin"),
        Intrinsic::Cos => Function("cos"),
        Intrinsic::Tan => Function("tan"),
        Intrinsic::Asin => Function("asin"),
        Intrinsic::Acos => Function("acos"),
        Intrinsic::Atan => Function("atan"),
        Intrinsic::Atan2 => Function("atan2"),
        Intrinsic::Sinh => Function("sinh"),
        Intrinsic::Cosh => Function("cosh"),
        Intrinsic::Tanh => Function("tanh"),
        Intrinsic::Asinh => Function("asinh"),
        Intrinsic::Acosh => Function("acosh"),
        Intrinsic::Atanh => Function("atanh"),
        Intrinsic::Erf => Function("erf"),
        Intrinsic::Erfc => Function("erfc"),
        Intrinsic::Gamma => Function("gamma"),
        Intrinsic::LogGamma => Function("log_gamma"),
        Intrinsic::BesselJ0 => Function("bessel_j0"),
        Intrinsic::BesselJ1 => Function("bessel_j1"),
        Intrinsic::BesselY0 => Function("bessel_y0"),
        Intrinsic::BesselY1 => Function("bessel_y1"),
        Intrinsic::BesselJn => Function("bessel_jn"),
        Intrinsic::BesselYn => Function("bessel_yn"),
        Intrinsic::ErfcScaled => Function("erfc_scaled"),
        Intrinsic::Nearest => Function("nearest"),
        Intrinsic::Hypot => Function("hypot"),
        Intrinsic::Min => Function("min"),
        Intrinsic::Max => Function("max"),
        Intrinsic::Modulo => Function("modulo"),
        Intrinsic::Sign => Function("sign"),
        Intrinsic::PositiveDifference => Function("dim"),
        Intrinsic::Floor | Intrinsic::Ceiling => Written,
        Intrinsic::Truncate => Function("aint"),
        Intrinsic::Round => Function("anint"),
        Intrinsic::NearestInteger => Kinded("nint"),
        Intrinsic::FloorInteger => Kinded("floor"),
        Intrinsic::CeilingInteger => Kinded("ceiling"),
        Intrinsic::Scale => Function("scale"),
        Intrinsic::Exponent => Function("exponent"),
        Intrinsic::FusedMultiplyAdd => CLibrary("fma"),
        Intrinsic::Complex => Kinded("cmplx"),
        Intrinsic::RealPart => Function("real"),
        Intrinsic::ImaginaryPart => Function("aimag"),
        Intrinsic::Conjugate => Function("conjg"),
        Intrinsic::Phase => Written,
        Intrinsic::IsNan => Ieee("ieee_is_nan"),
        Intrinsic::IsFinite => Ieee("ieee_is_finite"),
        Intrinsic::Epsilon => Function("epsilon"),
        Intrinsic::Tiny => Function("tiny"),
        Intrinsic::Huge => Function("huge"),
    }
}

/// The names that writing an intrinsic takes.
pub(crate) fn names(f: Intrinsic) -> Vec<&'static str> {
    match (form(f), f) {
        (Form::Written, Intrinsic::Phase) => vec!["atan2", "aimag", "real"],
        (Form::Written, _) => vec!["aint", "merge"],
        (
            Form::Function(name) | Form::Kinded(name) | Form::CLibrary(name) | Form::Ieee(name),
            _,
        ) => vec![name],
    }
}

impl Emitter<'_> {
    /// The text of an intrinsic function.
    pub fn intrinsic(&mut self, f: Intrinsic, arguments: &[ExprId], ty: Type) -> Term {
        let texts: Vec<String> = arguments.iter().map(|&a| self.expr(a).text).collect();
        let list = texts.join(&format!(",{BREAK} "));
        let text = match form(f) {
            Form::Function(name) => format!("{}({list})", self.k(name)),
            Form::Kinded(name) if self.is_default_kind(ty) => {
                format!("{}({list})", self.k(name))
            }
            Form::Kinded(name) => {
                let kind = self.kind(ty);
                format!("{}({list}, {}={kind})", self.k(name), self.k("kind"))
            }
            Form::CLibrary(name) => {
                let name = c_library_name(name, ty);
                self.imports
                    .c_library
                    .insert(name.clone(), (arguments.len(), ty));
                format!("{name}({list})")
            }
            Form::Ieee(name) => {
                self.imports.ieee.insert(name);
                format!("{}({list})", self.k(name))
            }
            Form::Written => return self.written(f, &texts, ty),
        };
        Term::new(text, rank::PRIMARY)
    }

    fn written(&mut self, f: Intrinsic, texts: &[String], ty: Type) -> Term {
        let x = &texts[0];
        let (aint, merge) = (self.k("aint"), self.k("merge"));
        let (one, zero) = (self.real_text("1.0", ty), self.real_text("0.0", ty));
        match f {
            Intrinsic::Floor => Term::new(
                format!("{aint}({x}) - {merge}({one}, {zero}, {aint}({x}) > {x})"),
                rank::ADD,
            ),
            Intrinsic::Ceiling => Term::new(
                format!("{aint}({x}) + {merge}({one}, {zero}, {aint}({x}) < {x})"),
                rank::ADD,
            ),
            _ => Term::new(
                format!(
                    "{}({}({x}), {}({x}))",
                    self.k("atan2"),
                    self.k("aimag"),
                    self.k("real")
                ),
                rank::PRIMARY,
            ),
        }
    }

    fn is_default_kind(&self, ty: Type) -> bool {
        match ty {
            Type::Integer { bytes, .. } | Type::Complex { bytes } => bytes == 4,
            _ => true,
        }
    }
}

/// The name of a C function for a kind: `cbrt`, `cbrtf`, `cbrtl`.
fn c_library_name(name: &str, ty: Type) -> String {
    match ty {
        Type::Real { bytes: 4 } => format!("{name}f"),
        Type::Real { bytes: 16 } => format!("{name}l"),
        _ => name.to_owned(),
    }
}
