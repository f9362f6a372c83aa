//! Real-linear maps from the change of one operand to the change of the result.

use contraflow_ir::{BinaryOp, Builder, Expr, ExprId, Intrinsic, Type};

/// How a change of one operand reaches the result.
#[derive(Clone, PartialEq, Debug)]
pub enum Local {
    /// Not at all.
    Zero,
    /// As it is.
    One,
    /// With its sign changed.
    MinusOne,
    /// Times a factor of the operand's type.
    Factor {
        /// The factor.
        factor: ExprId,
        /// Whether it may be infinite or 0/0 where the result is finite.
        singular: bool,
    },
    /// Times `numerator` (if there is one), divided by `denominator`.
    Quotient {
        /// Missing: one.
        numerator: Option<ExprId>,
        /// The divisor.
        denominator: ExprId,
        /// Whether it may be infinite or 0/0 where the result is finite.
        singular: bool,
    },
    /// By one of two maps.
    Guarded {
        /// A logical.
        condition: ExprId,
        /// The map where it holds.
        then: Box<Local>,
        /// The map where it does not.
        otherwise: Box<Local>,
    },
    /// Converted to the result's type: between widths, real to complex, complex to its real part.
    Converted,
    /// A real that becomes the imaginary part of the result.
    BecomesImaginary,
    /// The result is the operand's imaginary part.
    TakesImaginary,
    /// The complex conjugate.
    Conjugated,
    /// `Re(conj(factor) · z_d)`: a real function of a complex operand, `factor` being
    /// `∂/∂Re + i ∂/∂Im` of it.
    Gradient {
        /// The gradient as a complex number.
        factor: ExprId,
        /// Whether it may be infinite or 0/0 where the result is finite.
        singular: bool,
    },
}

impl Local {
    /// Whether the operand never matters.
    pub fn is_zero(&self) -> bool {
        matches!(self, Local::Zero)
    }

    /// Whether the map may be infinite or 0/0 where the result is finite, so that a zero seed must
    /// be kept from it.
    pub fn is_singular(&self) -> bool {
        match self {
            Local::Factor { singular, .. }
            | Local::Quotient { singular, .. }
            | Local::Gradient { singular, .. } => *singular,
            Local::Guarded {
                then, otherwise, ..
            } => then.is_singular() || otherwise.is_singular(),
            Local::Zero
            | Local::One
            | Local::MinusOne
            | Local::Converted
            | Local::BecomesImaginary
            | Local::TakesImaginary
            | Local::Conjugated => false,
        }
    }

    /// The expressions that the map is made of.
    pub fn expressions(&self) -> Vec<ExprId> {
        match self {
            Local::Factor { factor, .. } | Local::Gradient { factor, .. } => vec![*factor],
            Local::Quotient {
                numerator,
                denominator,
                ..
            } => numerator.iter().copied().chain([*denominator]).collect(),
            Local::Guarded {
                condition,
                then,
                otherwise,
            } => std::iter::once(*condition)
                .chain(then.expressions())
                .chain(otherwise.expressions())
                .collect(),
            Local::Zero
            | Local::One
            | Local::MinusOne
            | Local::Converted
            | Local::BecomesImaginary
            | Local::TakesImaginary
            | Local::Conjugated => Vec::new(),
        }
    }

    /// What a tangent `seed` of the operand adds to the tangent of the result, which has type
    /// `result`; `None` where that is nothing. A choice becomes a `Select`. A singular map is not
    /// guarded here.
    pub fn tangent(&self, b: &mut Builder<'_>, seed: ExprId, result: Type) -> Option<ExprId> {
        Some(match self {
            Local::Zero => return None,
            Local::One => seed,
            Local::MinusOne => b.neg(seed),
            Local::Factor { factor, .. } => b.mul(*factor, seed),
            Local::Quotient {
                numerator,
                denominator,
                ..
            } => ratio(b, seed, *numerator, *denominator),
            Local::Guarded {
                condition,
                then,
                otherwise,
            } => {
                let then = then.tangent(b, seed, result);
                let otherwise = otherwise.tangent(b, seed, result);
                return choose(b, *condition, then, otherwise, result);
            }
            Local::Converted => convert(b, seed, result),
            Local::BecomesImaginary => imaginary(b, seed, result),
            Local::TakesImaginary => b.expr(take_imaginary(seed), result),
            Local::Conjugated => b.call(Intrinsic::Conjugate, vec![seed]),
            Local::Gradient { factor, .. } => {
                let conjugate = b.call(Intrinsic::Conjugate, vec![*factor]);
                let product = b.mul(conjugate, seed);
                convert(b, product, result)
            }
        })
    }

    /// What an adjoint `seed` of the result adds to the adjoint of the operand, which has type
    /// `operand`; `None` where that is nothing. A choice becomes a `Select`. A singular map is not
    /// guarded here.
    pub fn adjoint(&self, b: &mut Builder<'_>, seed: ExprId, operand: Type) -> Option<ExprId> {
        Some(match self {
            Local::Zero => return None,
            Local::One => seed,
            Local::MinusOne => b.neg(seed),
            Local::Factor { factor, .. } => {
                let factor = conjugate(b, *factor);
                b.mul(factor, seed)
            }
            Local::Quotient {
                numerator,
                denominator,
                ..
            } => {
                let numerator = numerator.map(|numerator| conjugate(b, numerator));
                let denominator = conjugate(b, *denominator);
                ratio(b, seed, numerator, denominator)
            }
            Local::Guarded {
                condition,
                then,
                otherwise,
            } => {
                let then = then.adjoint(b, seed, operand);
                let otherwise = otherwise.adjoint(b, seed, operand);
                return choose(b, *condition, then, otherwise, operand);
            }
            Local::Converted => convert(b, seed, operand),
            Local::BecomesImaginary => b.expr(take_imaginary(seed), operand),
            Local::TakesImaginary => imaginary(b, seed, operand),
            Local::Conjugated => b.call(Intrinsic::Conjugate, vec![seed]),
            Local::Gradient { factor, .. } => {
                let seed = convert(b, seed, operand);
                b.mul(*factor, seed)
            }
        })
    }
}

/// `seed * numerator / denominator`, the seed first: it carries the sign and the type.
fn ratio(
    b: &mut Builder<'_>,
    seed: ExprId,
    numerator: Option<ExprId>,
    denominator: ExprId,
) -> ExprId {
    let dividend = match numerator {
        Some(numerator) => b.mul(numerator, seed),
        None => seed,
    };
    b.div(dividend, denominator)
}

fn choose(
    b: &mut Builder<'_>,
    condition: ExprId,
    then: Option<ExprId>,
    otherwise: Option<ExprId>,
    ty: Type,
) -> Option<ExprId> {
    if then.is_none() && otherwise.is_none() {
        return None;
    }
    let then = then.unwrap_or_else(|| b.zero(ty));
    let otherwise = otherwise.unwrap_or_else(|| b.zero(ty));
    Some(b.select(condition, then, otherwise))
}

/// The conjugate of a complex factor; a real one is its own.
fn conjugate(b: &mut Builder<'_>, e: ExprId) -> ExprId {
    match b.type_of(e) {
        Type::Complex { .. } => b.call(Intrinsic::Conjugate, vec![e]),
        _ => e,
    }
}

/// Between real and complex types of any width; of a complex the real part goes to a real.
fn convert(b: &mut Builder<'_>, e: ExprId, ty: Type) -> ExprId {
    match (b.type_of(e), ty) {
        (Type::Complex { bytes }, Type::Real { .. }) => {
            let real = Expr::Intrinsic(Intrinsic::RealPart, vec![e]);
            let real = b.expr(real, Type::Real { bytes });
            b.convert(real, ty)
        }
        _ => b.convert(e, ty),
    }
}

fn imaginary(b: &mut Builder<'_>, e: ExprId, ty: Type) -> ExprId {
    let real = b.type_of(e);
    let zero = b.zero(real);
    b.expr(Expr::Intrinsic(Intrinsic::Complex, vec![zero, e]), ty)
}

fn take_imaginary(e: ExprId) -> Expr {
    Expr::Intrinsic(Intrinsic::ImaginaryPart, vec![e])
}

/// `seed /= 0`: the condition under which a singular map may be applied.
pub fn is_nonzero(b: &mut Builder<'_>, seed: ExprId) -> ExprId {
    let ty = b.type_of(seed);
    let zero = b.zero(ty);
    b.compare(BinaryOp::NotEqual, seed, zero)
}
