//! Bounds as linear forms of variables and of components of records, and as expressions again.

use contraflow_ir::affine::{Linear, Symbol, linear_of_places};
use contraflow_ir::{
    Access, Builder, Dim, Expr, ExprId, ExprNode, Procedure, Selector, Type, VarId,
};

use super::Range;

pub(super) fn range_between(out: &mut Procedure, low: ExprId, high: ExprId) -> Range {
    let mut b = Builder::new(out);
    let ty = b.type_of(low);
    let high = b.convert(high, ty);
    let forms = (form_of(b.procedure, low), form_of(b.procedure, high));
    let difference = match forms {
        (Some(low), Some(high)) => high.sub(&low).and_then(|form| form.offset(1)),
        _ => None,
    };
    let count = match difference {
        Some(form) => expression_of(b.procedure, &form, ty),
        None => {
            let distance = b.sub(high, low);
            let one = b.int_of(1, ty);
            b.add(distance, one)
        }
    };
    Range { lower: low, count }
}

/// An integer expression as a linear form of scalar variables and of components of records.
pub(super) fn form_of(out: &Procedure, e: ExprId) -> Option<Linear> {
    linear_of_places(out, e, &mut |place| match place.path.is_empty() {
        true => Some(Symbol::Variable(place.var, 0)),
        false => component_symbol(out, place),
    })
}

/// No component, in the number of a symbol.
const NONE: u32 = 0xff;

/// The symbol of a component, or component of a component, of a record or of the first one behind a
/// pointer: their numbers in one.
fn component_symbol(out: &Procedure, place: &Access) -> Option<Symbol> {
    let shape = &out.variables[place.var].shape;
    let is_first = |(&e, dim): (&ExprId, &Dim)| out.same_expr(e, dim.lower);
    let path = match place.path.split_first()? {
        (Selector::Index(list), rest) if list.iter().zip(shape).all(is_first) => rest,
        _ => &place.path,
    };
    let (outer, inner) = match *path {
        [Selector::Field(outer)] => (outer, NONE),
        [Selector::Field(outer), Selector::Field(inner)] if inner < NONE => (outer, inner),
        _ => return None,
    };
    let var = u32::try_from(place.var.index()).ok()?;
    let fits = var <= 0xffff && outer <= 0xff;
    fits.then_some(Symbol::Opaque(var << 16 | outer << 8 | inner))
}

/// The component that a symbol stands for.
pub(super) fn component_of(out: &Procedure, code: u32) -> Access {
    let var = VarId::from_index((code >> 16) as usize);
    let mut path = Vec::new();
    let shape = &out.variables[var].shape;
    if !shape.is_empty() {
        path.push(Selector::Index(shape.iter().map(|dim| dim.lower).collect()));
    }
    path.push(Selector::Field(code >> 8 & 0xff));
    if code & 0xff != NONE {
        path.push(Selector::Field(code & 0xff));
    }
    Access { var, path }
}

/// Writes a linear form of variables as an expression of type `ty`.
pub(super) fn expression_of(out: &mut Procedure, form: &Linear, ty: Type) -> ExprId {
    let mut b = Builder::new(out);
    let mut sum: Option<ExprId> = None;
    for (&symbol, &factor) in &form.terms {
        let value = match symbol {
            Symbol::Variable(var, _) => b.load(var),
            Symbol::Opaque(code) => {
                let place = component_of(b.procedure, code);
                let read = |node: &ExprNode| matches!(&node.expr, Expr::Load(other) if b.procedure.same_access(other, &place));
                let own = b.procedure.exprs.iter().find(|(_, node)| read(node));
                let own = own.map_or(ty, |(_, node)| node.ty);
                b.expr(Expr::Load(place), own)
            }
        };
        let value = b.convert(value, ty);
        let magnitude = b.int_of(factor.unsigned_abs().into(), ty);
        let term = b.mul(magnitude, value);
        sum = Some(match (sum, factor > 0) {
            (None, true) => term,
            (None, false) => b.neg(term),
            (Some(sum), true) => b.add(sum, term),
            (Some(sum), false) => b.sub(sum, term),
        });
    }
    let constant = b.int_of(form.constant.into(), ty);
    match sum {
        None => constant,
        Some(sum) => b.add(sum, constant),
    }
}
