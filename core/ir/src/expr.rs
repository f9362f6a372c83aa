//! Expressions. They are pure: evaluating one twice, or not at all, changes nothing.

use crate::arena::Id;
use crate::source::Span;
use crate::stmt::StmtId;
use crate::types::{Type, VarId};

/// Names an expression of its procedure.
pub type ExprId = Id<ExprNode>;

/// An expression with its type and place.
#[derive(Clone, PartialEq, Debug)]
pub struct ExprNode {
    /// What it is.
    pub expr: Expr,
    /// The type of its value.
    pub ty: Type,
    /// The user's text that it came from.
    pub span: Span,
}

/// What an expression means.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// An integer literal.
    Integer(i128),
    /// A real literal: decimal text with `e` as exponent letter and without kind suffix, such as
    /// `1.0e-5`, always with a `.` or an exponent. Its kind is the node's type.
    Real(String),
    /// A truth literal.
    Logical(bool),
    /// A character literal, without quotes.
    Text(String),
    /// The value of a scalar variable, an array element, or a scalar component.
    Load(Access),
    /// A unary operation.
    Unary(UnaryOp, ExprId),
    /// A binary operation. Both operands of an arithmetic operation and of a comparison have the
    /// same type (front ends insert `Convert`), but for `Power`, whose exponent may be an integer.
    Binary(BinaryOp, ExprId, ExprId),
    /// An elemental intrinsic function of scalars.
    Intrinsic(Intrinsic, Vec<ExprId>),
    /// The value in another type, as both languages convert: to integer by truncation, to a
    /// narrower real by rounding to nearest, number to truth value by comparing with zero.
    Convert(ExprId),
    /// `then` where `condition` holds, else `otherwise`; only the chosen one is evaluated.
    Select {
        /// A logical.
        condition: ExprId,
        /// The value where it holds.
        then: ExprId,
        /// The value where it does not.
        otherwise: ExprId,
    },
    /// A bound or the extent of one dimension of an array, asked of its descriptor.
    Bound {
        /// The array.
        array: Access,
        /// Which number.
        kind: BoundKind,
        /// The dimension, from 0.
        dim: u32,
    },
    /// Whether an optional argument is present, a pointer associated, an allocatable allocated.
    Present(Access),
    /// Whether a pointer with a descriptor is associated with exactly the elements, one or more, that a
    /// place (perhaps a section, perhaps another pointer) has now; of one that is an address, whether it
    /// is the place's.
    Associated {
        /// The pointer.
        pointer: Access,
        /// The place.
        target: Access,
    },
    /// A range of subscripts. Only directly as a subscript of an access that stands as an
    /// argument, in `Fill`, `Copy`, `PointerAssign` or `Associated`. Missing ends mean the array's.
    Range {
        /// First subscript.
        lower: Option<ExprId>,
        /// Last subscript, inclusive.
        upper: Option<ExprId>,
        /// Distance; missing: 1.
        step: Option<ExprId>,
    },
    /// Text that the front end could not or need not take apart, quoted as it stands. Passive:
    /// if an active value is among `reads`, it is an error.
    Opaque {
        /// The text, valid in the language and scope of the procedure.
        text: String,
        /// What it reads.
        reads: Vec<Access>,
    },
    /// The primal's value of an access at a point of the forward sweep, wanted in the backward
    /// sweep; how it is made available is not decided yet. Only `core/ad` writes it, and its
    /// materialisation leaves none.
    Required {
        /// What is wanted.
        access: Access,
        /// The statement before (or after) which it has the value.
        at: StmtId,
        /// Whether the point is after the statement (derivatives in result form).
        after: bool,
    },
}

/// A place in memory: a variable, and the way from there.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The variable.
    pub var: VarId,
    /// Subscripts, components and dereferences, outermost first. Empty: the whole variable.
    pub path: Vec<Selector>,
}

impl Access {
    /// The whole variable.
    pub fn whole(var: VarId) -> Self {
        Self {
            var,
            path: Vec::new(),
        }
    }

    /// An element of an array variable.
    pub fn element(var: VarId, subscripts: Vec<ExprId>) -> Self {
        Self {
            var,
            path: vec![Selector::Index(subscripts)],
        }
    }

    /// The subscripts, if the path is exactly one `Index`; no subscripts for a whole variable.
    pub fn subscripts(&self) -> Option<&[ExprId]> {
        match self.path.as_slice() {
            [] => Some(&[]),
            [Selector::Index(subscripts)] => Some(subscripts),
            _ => None,
        }
    }

    /// All expressions in the path.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.path.iter().flat_map(|selector| match selector {
            Selector::Index(subscripts) => subscripts.as_slice().iter().copied(),
            Selector::Field(_) | Selector::Deref => [].iter().copied(),
        })
    }
}

/// One step into a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Selector {
    /// An element: one subscript per dimension, fastest-varying first.
    Index(Vec<ExprId>),
    /// The `n`-th component of a record, from 0.
    Field(u32),
    /// What a pointer value points to; a following `Index` counts elements from there.
    Deref,
}

/// Operations on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `+x`, and parentheses that the source states around an operand and that the language makes
    /// binding (Fortran).
    Plus,
    /// Logical not.
    Not,
    /// Bitwise complement.
    BitNot,
}

/// Operations on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`; of integers: towards zero.
    Divide,
    /// `a` to the power of `b`; `b` real or integer.
    Power,
    /// The rest of the division towards zero: C `%` and `fmod`, Fortran `mod`.
    Remainder,
    /// `a == b`
    Equal,
    /// `a /= b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// Logical and. The right operand need not be defined where the left one is false only if
    /// the source language promises it (`AndThen`).
    And,
    /// Logical or.
    Or,
    /// Logical and that evaluates `b` only if `a` holds (C `&&`).
    AndThen,
    /// Logical or that evaluates `b` only if `a` does not hold (C `||`).
    OrElse,
    /// Both or none.
    Equivalent,
    /// Exactly one.
    NotEquivalent,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift to the left.
    ShiftLeft,
    /// Shift to the right (arithmetic where signed).
    ShiftRight,
    /// Concatenation of strings.
    Concatenate,
}

impl BinaryOp {
    /// Whether the result is a truth value made of two numbers.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
        )
    }

    /// Whether operands and result are truth values.
    pub fn is_logical(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Or
                | Self::AndThen
                | Self::OrElse
                | Self::Equivalent
                | Self::NotEquivalent
        )
    }
}

/// Which number about a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoundKind {
    /// The smallest subscript.
    Lower,
    /// The largest subscript.
    Upper,
    /// The number of elements.
    Extent,
    /// The length of a character variable; the dimension is 0 and means nothing.
    Length,
}

/// Elemental functions that both languages have, or that one has and the other can write.
/// Arguments and results are scalars of one real type unless said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Intrinsic {
    /// Absolute value of an integer or real, modulus of a complex (result real).
    Abs,
    /// Square root.
    Sqrt,
    /// Cube root (C `cbrt`).
    Cbrt,
    /// e to the x.
    Exp,
    /// 2 to the x.
    Exp2,
    /// `exp(x) - 1`.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 10.
    Log10,
    /// Logarithm to base 2.
    Log2,
    /// `log(1 + x)`.
    Log1p,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// `atan2(y, x)`.
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// Inverse hyperbolic tangent.
    Atanh,
    /// Error function.
    Erf,
    /// Complementary error function.
    Erfc,
    /// Gamma function (`gamma`, C `tgamma`).
    Gamma,
    /// Logarithm of the absolute value of the gamma function.
    LogGamma,
    /// Bessel function of the first kind, order 0.
    BesselJ0,
    /// Bessel function of the first kind, order 1.
    BesselJ1,
    /// Bessel function of the second kind, order 0.
    BesselY0,
    /// Bessel function of the second kind, order 1.
    BesselY1,
    /// `bessel_jn(n, x)`: Bessel function of the first kind, whole order.
    BesselJn,
    /// `bessel_yn(n, x)`: Bessel function of the second kind, whole order.
    BesselYn,
    /// `exp(x*x)*erfc(x)`.
    ErfcScaled,
    /// Fortran `nearest(x, s)`: the next number in the direction of the sign of `s`.
    Nearest,
    /// `sqrt(x*x + y*y)` without overflow.
    Hypot,
    /// The smaller of two or more numbers; at a tie the first.
    Min,
    /// The larger of two or more numbers; at a tie the first.
    Max,
    /// Fortran `modulo`: the rest with the sign of the divisor.
    Modulo,
    /// `|a|` with the sign of `b` (`sign`, `copysign`).
    Sign,
    /// Fortran `dim`, C `fdim`: `max(a - b, 0)`.
    PositiveDifference,
    /// Largest whole number not above, as a real.
    Floor,
    /// Smallest whole number not below, as a real.
    Ceiling,
    /// Whole part towards zero, as a real (`aint`, `trunc`).
    Truncate,
    /// Nearest whole number, halves away from zero, as a real (`anint`, `round`).
    Round,
    /// Nearest integer, halves away from zero, as the node's integer type (`nint`, `lround`).
    NearestInteger,
    /// Largest integer not above, as the node's integer type (Fortran `floor`).
    FloorInteger,
    /// Smallest integer not below, as the node's integer type (Fortran `ceiling`).
    CeilingInteger,
    /// `a * 2^n` for a whole `n` (Fortran `scale`, C `ldexp`).
    Scale,
    /// The `e` of `x = m * 2^e` with `1/2 <= |m| < 1`, as the node's integer type; `x` is finite and not
    /// zero (Fortran `exponent`, C `ilogb` plus one).
    Exponent,
    /// Fused multiply-add `a*b + c` (C `fma`).
    FusedMultiplyAdd,
    /// A complex made of real and imaginary part.
    Complex,
    /// The real part.
    RealPart,
    /// The imaginary part.
    ImaginaryPart,
    /// The complex conjugate.
    Conjugate,
    /// The argument (phase) of a complex.
    Phase,
    /// Whether the number is not a number.
    IsNan,
    /// Whether the number is finite.
    IsFinite,
    /// Fortran `epsilon` of the argument's type.
    Epsilon,
    /// Fortran `tiny` of the argument's type.
    Tiny,
    /// Fortran `huge` of the argument's type.
    Huge,
}
