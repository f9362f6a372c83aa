//! `frexp`, `modf` and `sincos`: functions of the library that give further results through pointers.
//!
//! ```text
//! m = frexp(x, &e)    e = exponent(x);  m = scale(x, -e)
//! f = modf(x, &i)     i = trunc(x);     f = fmod(x, 1)
//! ```
//!
//! Only for an infinite `x` does the fraction differ: it is not a number instead of zero.

use super::library::Parting;
use super::{Body, Lowered, Place, Value};
use crate::cst::{Expression, Node};
use contraflow_ir::{BinaryOp, Expr, ExprId, Intrinsic, Type};

impl<'u, 'a> Body<'u, 'a> {
    /// The value of such a call; what it stores is stored.
    pub(super) fn parting_value(
        &mut self,
        function: Parting,
        bytes: u8,
        arguments: &'a [Node<Expression>],
    ) -> Lowered<Value<'a>> {
        let Some((x, targets)) = arguments.split_first() else {
            return self.unsupported("a library function without arguments");
        };
        let real = Type::Real { bytes };
        let x = self.scalar(x)?;
        let x = self.converted(x, real)?;
        let x = self.kept(x);
        let places = targets
            .iter()
            .map(|node| self.target_of(node))
            .collect::<Lowered<Vec<_>>>()?;
        match (function, places.as_slice()) {
            (Parting::Exponent, [exponent]) => {
                let value = self.exponent(x, real);
                let value = self.kept(value);
                self.store(exponent.clone(), Value::Scalar(value))?;
                let down = self.builder().neg(value);
                Ok(Value::Scalar(self.of_two(Intrinsic::Scale, x, down, real)))
            }
            (Parting::Whole, [whole]) => {
                let value = self.expr(Expr::Intrinsic(Intrinsic::Truncate, vec![x]), real);
                self.store(whole.clone(), Value::Scalar(value))?;
                let one = self.builder().number(1, real);
                let rest = Expr::Binary(BinaryOp::Remainder, x, one);
                Ok(Value::Scalar(self.expr(rest, real)))
            }
            (Parting::SineAndCosine, [sine, cosine]) => {
                for (place, f) in [(sine, Intrinsic::Sin), (cosine, Intrinsic::Cos)] {
                    let value = self.expr(Expr::Intrinsic(f, vec![x]), real);
                    self.store(place.clone(), Value::Scalar(value))?;
                }
                Ok(Value::Void)
            }
            _ => self.unsupported("a library function with another number of arguments"),
        }
    }

    /// A value that later stores do not change.
    fn kept(&mut self, e: ExprId) -> ExprId {
        match self.procedure.expr(e) {
            Expr::Real(_) | Expr::Integer(_) => e,
            _ => self.keep("part", e),
        }
    }

    /// What a pointer that is passed points to.
    fn target_of(&mut self, node: &'a Node<Expression>) -> Lowered<Place<'a>> {
        match self.value(node)? {
            Value::Pointer(pointer) => self.element(pointer, None),
            _ => self.unsupported("a result of the library that is stored at an unknown address"),
        }
    }

    /// The exponent of a finite number that is not zero; of all others 0.
    fn exponent(&mut self, x: ExprId, real: Type) -> ExprId {
        let is_finite = self.expr(Expr::Intrinsic(Intrinsic::IsFinite, vec![x]), Type::LOGICAL);
        let zero = self.builder().number(0, real);
        let is_not_zero = self.compare(BinaryOp::NotEqual, x, zero);
        let condition = self.compare(BinaryOp::AndThen, is_finite, is_not_zero);
        let exponent = self.expr(Expr::Intrinsic(Intrinsic::Exponent, vec![x]), Type::INT);
        let none = self.int(0);
        self.expr(
            Expr::Select {
                condition,
                then: exponent,
                otherwise: none,
            },
            Type::INT,
        )
    }

    fn of_two(&mut self, f: Intrinsic, x: ExprId, y: ExprId, ty: Type) -> ExprId {
        self.expr(Expr::Intrinsic(f, vec![x, y]), ty)
    }
}
