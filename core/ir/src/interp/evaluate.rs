//! Expressions.

use super::frame::Frame;
use super::memory::Cell;
use super::operations::{binary, convert, fit, unary};
use super::{Error, Machine, Result};
use crate::expr::{Access, BinaryOp, BoundKind, Expr, ExprId};
use crate::types::{Storage, Type};

impl<'m> Machine<'m> {
    /// The value of an expression.
    pub(super) fn evaluate(&mut self, frame: &Frame<'m>, e: ExprId) -> Result<Cell> {
        let node = &frame.procedure.exprs[e];
        let value = match &node.expr {
            Expr::Integer(value) => Cell::Int(*value),
            Expr::Real(text) => Cell::Real(real(text, node.ty)?),
            Expr::Logical(value) => Cell::Logical(*value),
            Expr::Text(text) => Cell::Text(text.clone()),
            Expr::Load(access) => return self.load_or_constant(frame, access),
            Expr::Unary(op, operand) => unary(*op, self.evaluate(frame, *operand)?)?,
            Expr::Binary(op, a, b) => {
                let left = self.evaluate(frame, *a)?;
                match (op, &left) {
                    (BinaryOp::AndThen, Cell::Logical(false))
                    | (BinaryOp::OrElse, Cell::Logical(true)) => left,
                    _ => binary(*op, left, self.evaluate(frame, *b)?)?,
                }
            }
            Expr::Intrinsic(f, arguments) => {
                let values = arguments
                    .iter()
                    .map(|&argument| self.evaluate(frame, argument))
                    .collect::<Result<Vec<Cell>>>()?;
                let of = frame.procedure.exprs[arguments[0]].ty;
                super::intrinsics::intrinsic(*f, &values, of, node.ty)?
            }
            Expr::Convert(operand) => convert(self.evaluate(frame, *operand)?, node.ty)?,
            Expr::Select {
                condition,
                then,
                otherwise,
            } => {
                let chosen = if self.truth(frame, *condition)? {
                    then
                } else {
                    otherwise
                };
                self.evaluate(frame, *chosen)?
            }
            Expr::Bound { array, kind, dim } => self.bound(frame, array, *kind, *dim)?,
            Expr::Present(access) => Cell::Logical(self.is_present(frame, access)?),
            Expr::Associated { pointer, target } => {
                Cell::Logical(self.is_associated(frame, pointer, target)?)
            }
            Expr::Range { .. } => return Err(Error::Wrong("a range as a value".into())),
            Expr::Opaque { text, .. } => return Err(Error::Unsupported(format!("`{text}`"))),
            Expr::Required { .. } => return Err(Error::Unsupported("`Required`".into())),
        };
        fit(value, node.ty)
    }

    fn load_or_constant(&mut self, frame: &Frame<'m>, access: &Access) -> Result<Cell> {
        match frame.procedure.variables[access.var].storage {
            Storage::Constant {
                value: Some(value), ..
            } if access.path.is_empty() => self.evaluate(frame, value),
            _ => self.load(frame, access),
        }
    }

    /// A condition's value.
    pub(super) fn truth(&mut self, frame: &Frame<'m>, e: ExprId) -> Result<bool> {
        match self.evaluate(frame, e)? {
            Cell::Logical(value) => Ok(value),
            other => Err(Error::Wrong(format!("{other:?} as a condition"))),
        }
    }

    fn bound(
        &mut self,
        frame: &Frame<'m>,
        array: &Access,
        kind: BoundKind,
        dim: u32,
    ) -> Result<Cell> {
        let view = self.locate(frame, array)?;
        if kind == BoundKind::Length {
            return match self.memory.get(view.buffer, view.offset) {
                Some(Cell::Text(text)) => Ok(Cell::Int(text.len() as i128)),
                _ => Err(Error::Unsupported(
                    "the length of a text without value".into(),
                )),
            };
        }
        let missing = || Error::Unsupported("a bound that nobody states".into());
        let dim = view.dims.get(dim as usize).ok_or_else(missing)?;
        let extent = dim.extent.ok_or_else(missing);
        Ok(Cell::Int(i128::from(match kind {
            BoundKind::Lower => dim.lower,
            BoundKind::Upper => dim.lower + extent? - 1,
            BoundKind::Extent | BoundKind::Length => extent?,
        })))
    }

    fn is_present(&mut self, frame: &Frame<'m>, access: &Access) -> Result<bool> {
        if frame.procedures[access.var.index()].is_some() {
            return Ok(true);
        }
        if self.view_of_variable(frame, access.var)?.is_none() {
            return Ok(false);
        }
        let view = self.locate(frame, access)?;
        Ok(!matches!(view.ty, Type::Pointer(_) | Type::Address)
            || !matches!(
                self.memory.get(view.buffer, view.offset),
                Some(Cell::Pointer(None) | Cell::Undefined)
            ))
    }

    /// Whether a pointer shows exactly the elements, at least one, of a place.
    fn is_associated(
        &mut self,
        frame: &Frame<'m>,
        pointer: &Access,
        target: &Access,
    ) -> Result<bool> {
        if !self.is_present(frame, pointer)? || !self.is_present(frame, target)? {
            return Ok(false);
        }
        let (left, right) = (self.locate(frame, pointer)?, self.locate(frame, target)?);
        let elements = left.addresses();
        Ok(left.buffer == right.buffer
            && left.dims.len() == right.dims.len()
            && left
                .dims
                .iter()
                .zip(&right.dims)
                .all(|(a, b)| a.extent == b.extent)
            && elements.as_ref().is_some_and(|all| !all.is_empty())
            && elements == right.addresses())
    }
}

/// A literal's value, rounded once to its type.
fn real(text: &str, ty: Type) -> Result<f64> {
    let value = if ty == Type::REAL4 {
        text.parse::<f32>().map(f64::from)
    } else {
        text.parse()
    };
    value.map_err(|_| Error::Wrong(format!("`{text}` as a real")))
}
