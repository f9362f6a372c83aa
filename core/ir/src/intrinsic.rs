//! The names of the intrinsics in the IR's text, and how many arguments each takes.

use std::ops::RangeInclusive;

use crate::expr::Intrinsic;

macro_rules! intrinsics {
    ($($variant:ident $name:literal $arity:expr;)*) => {
        impl Intrinsic {
            /// All intrinsics.
            pub const ALL: &'static [Intrinsic] = &[$(Intrinsic::$variant),*];

            /// The name in the IR's text.
            pub fn name(self) -> &'static str {
                match self {
                    $(Intrinsic::$variant => $name),*
                }
            }

            /// How many arguments it takes.
            pub fn arity(self) -> RangeInclusive<usize> {
                match self {
                    $(Intrinsic::$variant => $arity),*
                }
            }

            /// The intrinsic of this name.
            pub fn named(name: &str) -> Option<Intrinsic> {
                match name {
                    $($name => Some(Intrinsic::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

intrinsics! {
    Abs "abs" 1..=1;
    Sqrt "sqrt" 1..=1;
    Cbrt "cbrt" 1..=1;
    Exp "exp" 1..=1;
    Exp2 "exp2" 1..=1;
    Expm1 "expm1" 1..=1;
    Log "log" 1..=1;
    Log10 "log10" 1..=1;
    Log2 "log2" 1..=1;
    Log1p "log1p" 1..=1;
    Sin "sin" 1..=1;
    Cos "cos" 1..=1;
    Tan "tan" 1..=1;
    Asin "asin" 1..=1;
    Acos "acos" 1..=1;
    Atan "atan" 1..=1;
    Atan2 "atan2" 2..=2;
    Sinh "sinh" 1..=1;
    Cosh "cosh" 1..=1;
    Tanh "tanh" 1..=1;
    Asinh "asinh" 1..=1;
    Acosh "acosh" 1..=1;
    Atanh "atanh" 1..=1;
    Erf "erf" 1..=1;
    Erfc "erfc" 1..=1;
    Gamma "gamma" 1..=1;
    LogGamma "log_gamma" 1..=1;
    BesselJ0 "bessel_j0" 1..=1;
    BesselJ1 "bessel_j1" 1..=1;
    BesselY0 "bessel_y0" 1..=1;
    BesselY1 "bessel_y1" 1..=1;
    BesselJn "bessel_jn" 2..=2;
    BesselYn "bessel_yn" 2..=2;
    ErfcScaled "erfc_scaled" 1..=1;
    Nearest "nearest" 2..=2;
    Hypot "hypot" 2..=2;
    Min "min" 2..=usize::MAX;
    Max "max" 2..=usize::MAX;
    Modulo "modulo" 2..=2;
    Sign "sign" 2..=2;
    PositiveDifference "positive_difference" 2..=2;
    Floor "floor" 1..=1;
    Ceiling "ceiling" 1..=1;
    Truncate "truncate" 1..=1;
    Round "round" 1..=1;
    NearestInteger "nearest_integer" 1..=1;
    FloorInteger "floor_integer" 1..=1;
    CeilingInteger "ceiling_integer" 1..=1;
    Scale "scaled_by_power" 2..=2;
    Exponent "binary_exponent" 1..=1;
    FusedMultiplyAdd "fused_multiply_add" 3..=3;
    Complex "complex" 2..=2;
    RealPart "real_part" 1..=1;
    ImaginaryPart "imaginary_part" 1..=1;
    Conjugate "conjugate" 1..=1;
    Phase "phase" 1..=1;
    IsNan "is_nan" 1..=1;
    IsFinite "is_finite" 1..=1;
    Epsilon "epsilon" 1..=1;
    Tiny "tiny" 1..=1;
    Huge "huge" 1..=1;
}
