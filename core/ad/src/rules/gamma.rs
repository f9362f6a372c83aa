//! The digamma function `ψ = (log Γ)'`, which neither language has, as an expression:
//!
//! ```text
//! ψ(x) = ψ(x + 10) - Σ_{k < 10} 1/(x + k)                      x > 0
//! ψ(y) ≈ log y - 1/(2y) - 1/(12 y²) + 1/(120 y⁴) - …           y > 10, up to y⁻¹⁴: below 1e-16
//! ψ(x) = ψ(1 - x) - π / tan(π x)                               x < 0
//! ```
//!
//! (Abramowitz & Stegun, 6.3.5 to 6.3.18.) Exact to double precision.

use contraflow_ir::{Builder, ExprId, Intrinsic};

/// The widest reals that the series is exact enough for.
pub const WIDEST: u8 = 8;

/// `|B_2k| / 2k`, from the last term of the series to the first.
const COEFFICIENTS: [&str; 7] = [
    "0.08333333333333333333",
    "0.02109279609279609280",
    "0.00757575757575757576",
    "0.00416666666666666667",
    "0.00396825396825396825",
    "0.00833333333333333333",
    "0.08333333333333333333",
];

const PI: &str = "3.14159265358979323846";

/// `ψ(x)` for positive `x`.
pub fn of_positive(b: &mut Builder<'_>, x: ExprId) -> ExprId {
    let ty = b.type_of(x);
    let one = b.real("1.0", ty);
    let ten = b.real("10.0", ty);
    let half = b.real("0.5", ty);
    let y = b.add(x, ten);
    let square = b.mul(y, y);
    let mut series = b.real(COEFFICIENTS[0], ty);
    for coefficient in &COEFFICIENTS[1..] {
        let coefficient = b.real(coefficient, ty);
        let rest = b.div(series, square);
        series = b.sub(coefficient, rest);
    }
    let series = b.div(series, square);
    let logarithm = b.call(Intrinsic::Log, vec![y]);
    let middle = b.div(half, y);
    let mut value = b.sub(logarithm, middle);
    value = b.sub(value, series);
    for k in 0..10u32 {
        let shift = b.real(&format!("{k}.0"), ty);
        let place = match k {
            0 => x,
            _ => b.add(x, shift),
        };
        let term = b.div(one, place);
        value = b.sub(value, term);
    }
    value
}

/// `ψ(x)` for negative `x`.
pub fn of_negative(b: &mut Builder<'_>, x: ExprId) -> ExprId {
    let ty = b.type_of(x);
    let one = b.real("1.0", ty);
    let pi = b.real(PI, ty);
    let mirrored = b.sub(one, x);
    let other = of_positive(b, mirrored);
    let angle = b.mul(pi, x);
    let tangent = b.call(Intrinsic::Tan, vec![angle]);
    let reflected = b.div(pi, tangent);
    b.sub(other, reflected)
}
