//! Integer linear forms, and a test whether a system of them has an integer solution.
//!
//! Dependence questions about loop nests are such systems: two iterations touch the same element
//! where their subscripts are equal, both lie within the bounds, and one comes before the other.
//! If no integer point satisfies all of that, the two accesses are independent.
//!
//! [`System::is_infeasible`] is a one-sided test: `true` is a proof, `false` means "not proven".
//! Equalities are eliminated exactly: Euclid's algorithm on the coefficients, as unimodular changes
//! of variables, leads to a unit coefficient or to a failed gcd test. Inequalities are then
//! projected by Fourier and Motzkin's method; each is tightened to the integers (divided by the gcd
//! of its coefficients, the constant rounded down), and pairs that force an equality become one.
//! This is the Omega test without its exact splintering (W. Pugh, The Omega test: a fast and
//! practical integer programming algorithm for dependence analysis, 1991). The number of
//! inequalities may square with each projected variable, hence a cap.

use std::collections::BTreeMap;

use crate::expr::{Access, BinaryOp, Expr, ExprId, UnaryOp};
use crate::module::Procedure;
use crate::types::{Type, VarId};

mod system;

pub use system::System;

/// An unknown integer in a linear form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// The value of a variable; the tag tells apart its values at different times, such as a loop
    /// variable in two iterations.
    Variable(VarId, u32),
    /// Another value, numbered by whoever builds the form.
    Opaque(u32),
}

/// `constant + Σ coefficient · symbol`. No term has the coefficient zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Linear {
    /// The part without a symbol.
    pub constant: i64,
    /// The coefficient of each symbol.
    pub terms: BTreeMap<Symbol, i64>,
}

impl Linear {
    /// The form without symbols.
    pub fn constant(value: i64) -> Self {
        Self {
            constant: value,
            terms: BTreeMap::new(),
        }
    }

    /// The form that is one symbol.
    pub fn symbol(symbol: Symbol) -> Self {
        Self {
            constant: 0,
            terms: BTreeMap::from([(symbol, 1)]),
        }
    }

    /// The value, if there is no symbol.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of `symbol`; zero if it does not occur.
    pub fn coefficient(&self, symbol: Symbol) -> i64 {
        self.terms.get(&symbol).copied().unwrap_or(0)
    }

    /// `self + factor · other`; `None` on overflow.
    pub fn add_scaled(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        for (&symbol, &coefficient) in &other.terms {
            let total = sum
                .coefficient(symbol)
                .checked_add(coefficient.checked_mul(factor)?)?;
            if total == 0 {
                sum.terms.remove(&symbol);
            } else {
                sum.terms.insert(symbol, total);
            }
        }
        Some(sum)
    }

    /// `self + other`; `None` on overflow.
    pub fn add(&self, other: &Linear) -> Option<Linear> {
        self.add_scaled(other, 1)
    }

    /// `self - other`; `None` on overflow.
    pub fn sub(&self, other: &Linear) -> Option<Linear> {
        self.add_scaled(other, -1)
    }

    /// `self + value`; `None` on overflow.
    pub fn offset(&self, value: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(value)?;
        Some(sum)
    }

    /// `factor · self`; `None` on overflow.
    pub fn scale(&self, factor: i64) -> Option<Linear> {
        Linear::default().add_scaled(self, factor)
    }

    /// The form with `value` in place of `symbol`; `None` on overflow.
    pub fn substitute(&self, symbol: Symbol, value: &Linear) -> Option<Linear> {
        let mut rest = self.clone();
        match rest.terms.remove(&symbol) {
            Some(coefficient) => rest.add_scaled(value, coefficient),
            None => Some(rest),
        }
    }
}

/// The linear form of an integer expression; `None` if it is not linear or a value is not known.
///
/// `symbol` names the value that a scalar integer variable has where `e` is evaluated. Named
/// constants whose value is known are replaced by it. Integers are taken to be unbounded: the form
/// is right where the machine's arithmetic does not wrap, which holds for subscripts and loop
/// bounds of correct programs; do not conclude anything from comparisons of unsigned differences.
pub fn linear_of(
    procedure: &Procedure,
    e: ExprId,
    symbol: &mut dyn FnMut(VarId) -> Option<Symbol>,
) -> Option<Linear> {
    linear_of_places(procedure, e, &mut |place| {
        place.path.is_empty().then(|| symbol(place.var)).flatten()
    })
}

/// The same, where components and elements may be symbols too.
pub fn linear_of_places(
    procedure: &Procedure,
    e: ExprId,
    symbol: &mut dyn FnMut(&Access) -> Option<Symbol>,
) -> Option<Linear> {
    let node = &procedure.exprs[e];
    if !node.ty.is_integer() {
        return None;
    }
    match &node.expr {
        Expr::Integer(value) => Some(Linear::constant(i64::try_from(*value).ok()?)),
        Expr::Load(access) if access.path.is_empty() => {
            linear_of_variable(procedure, access.var, symbol)
        }
        Expr::Load(access) => symbol(access).map(Linear::symbol),
        Expr::Unary(UnaryOp::Plus, inner) => linear_of_places(procedure, *inner, symbol),
        Expr::Unary(UnaryOp::Negate, inner) => {
            linear_of_places(procedure, *inner, symbol)?.scale(-1)
        }
        Expr::Binary(BinaryOp::Add, a, b) => {
            linear_of_places(procedure, *a, symbol)?.add(&linear_of_places(procedure, *b, symbol)?)
        }
        Expr::Binary(BinaryOp::Subtract, a, b) => {
            linear_of_places(procedure, *a, symbol)?.sub(&linear_of_places(procedure, *b, symbol)?)
        }
        Expr::Binary(BinaryOp::Multiply, a, b) => {
            let (a, b) = (
                linear_of_places(procedure, *a, symbol)?,
                linear_of_places(procedure, *b, symbol)?,
            );
            match (a.as_constant(), b.as_constant()) {
                (Some(factor), _) => b.scale(factor),
                (_, Some(factor)) => a.scale(factor),
                _ => None,
            }
        }
        Expr::Convert(inner) => {
            let form = linear_of_places(procedure, *inner, symbol)?;
            let from = procedure.exprs[*inner].ty;
            (form.as_constant().is_some_and(|value| fits(value, node.ty))
                || keeps_value(from, node.ty))
            .then_some(form)
        }
        _ => None,
    }
}

fn linear_of_variable(
    procedure: &Procedure,
    var: VarId,
    symbol: &mut dyn FnMut(&Access) -> Option<Symbol>,
) -> Option<Linear> {
    let variable = &procedure.variables[var];
    if variable.is_array() {
        return None;
    }
    if let crate::types::Storage::Constant {
        value: Some(value), ..
    } = variable.storage
        && let Some(form) = linear_of_places(procedure, value, symbol)
    {
        return Some(form);
    }
    symbol(&Access::whole(var)).map(Linear::symbol)
}

/// Whether a constant is a value of an integer type of at most eight bytes.
fn fits(value: i64, ty: Type) -> bool {
    let Type::Integer { bytes, signed } = ty else {
        return false;
    };
    if bytes >= 8 {
        return signed || value >= 0;
    }
    let bits = u32::from(bytes) * 8;
    if signed {
        value >> (bits - 1) == value >> 63
    } else {
        value >> bits == 0
    }
}

/// Whether a conversion of integers leaves every value as it is, or is one that programs do not
/// use to wrap: to an integer that is not narrower, or to a signed one of four bytes or more.
fn keeps_value(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Integer { bytes: from, .. }, Type::Integer { bytes: to, signed }) => {
            to >= from || (signed && to >= 4)
        }
        _ => false,
    }
}
