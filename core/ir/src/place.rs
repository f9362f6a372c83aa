//! What an access denotes: the type of its elements, and of how many dimensions it still is.

use crate::expr::{Access, Expr, Selector};
use crate::module::{Module, Procedure};
use crate::types::Type;

/// What an access denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The type of an element.
    pub ty: Type,
    /// The number of dimensions: 0 for a scalar, more for a whole array or a section.
    pub rank: usize,
}

/// What `access` denotes in `procedure`; what is wrong with it, if it denotes nothing.
pub fn place_of(module: &Module, procedure: &Procedure, access: &Access) -> Result<Place, String> {
    let variable = procedure
        .variables
        .get(access.var)
        .ok_or_else(|| format!("variable {:?} does not exist", access.var))?;
    let name = &variable.name;
    let mut place = Place {
        ty: variable.ty,
        rank: variable.rank(),
    };
    let mut after_dereference = false;
    for selector in &access.path {
        match selector {
            Selector::Index(subscripts) => {
                let expected = if after_dereference { 1 } else { place.rank };
                if subscripts.len() != expected {
                    return Err(format!(
                        "`{name}` has {} subscripts where {expected} belong",
                        subscripts.len()
                    ));
                }
                place.rank = subscripts
                    .iter()
                    .filter(|&&e| is_range(procedure, e))
                    .count();
            }
            Selector::Field(field) => place = field_of(module, place, *field, name)?,
            Selector::Deref => place = target_of(module, place, name)?,
        }
        after_dereference = *selector == Selector::Deref;
    }
    Ok(place)
}

fn is_range(procedure: &Procedure, e: crate::expr::ExprId) -> bool {
    procedure
        .exprs
        .get(e)
        .is_some_and(|node| matches!(node.expr, Expr::Range { .. }))
}

fn field_of(module: &Module, place: Place, field: u32, name: &str) -> Result<Place, String> {
    let Type::Record(record) = place.ty else {
        return Err(format!(
            "`{name}` has a component selected where no record is"
        ));
    };
    let record = module
        .records
        .get(record)
        .ok_or_else(|| format!("record {record:?} does not exist"))?;
    let field = record.fields.get(field as usize).ok_or_else(|| {
        format!(
            "record `{}` has {} components, number {field} is selected",
            record.name,
            record.fields.len()
        )
    })?;
    if place.rank > 0 && !field.shape.is_empty() {
        return Err(format!(
            "`{name}` selects an array of each of several records"
        ));
    }
    Ok(Place {
        ty: field.ty,
        rank: place.rank + field.shape.len(),
    })
}

fn target_of(module: &Module, place: Place, name: &str) -> Result<Place, String> {
    match place.ty {
        Type::Pointer(pointer) if place.rank == 0 => {
            let pointer = module
                .pointers
                .get(pointer)
                .ok_or_else(|| format!("pointer type {pointer:?} does not exist"))?;
            Ok(Place {
                ty: pointer.target,
                rank: 0,
            })
        }
        _ => Err(format!("`{name}` is dereferenced where no pointer is")),
    }
}
