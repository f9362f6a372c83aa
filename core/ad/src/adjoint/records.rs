//! Records leaf by leaf: shadows of derived types and structs are records too, but only their real
//! components are zeroed and added to.

use contraflow_ir::{
    Access, Allocation, BoundKind, Builder, Expr, ExprId, Extent, Module, Procedure, Role,
    Selector, StmtId, Type, VarId, Variable,
};

use super::extent::Range;
use super::tape;

/// What is made of each differentiable scalar.
pub type LeafBody<'b> = dyn FnMut(&mut Procedure, &Access, Type) -> Vec<StmtId> + 'b;

/// What is made of the subscripts of each element.
type ElementBody<'b> = dyn FnMut(&mut Procedure, Vec<ExprId>) -> Option<Vec<StmtId>> + 'b;

/// The statements that `body` makes for each differentiable scalar of `base`, a place of type `ty`;
/// for arrays inside, in loops; for allocatable components, where they have memory. What
/// pointer components lead to is left alone.
pub fn for_each_leaf(
    out: &mut Procedure,
    module: &Module,
    base: &Access,
    ty: Type,
    body: &mut LeafBody<'_>,
) -> Option<Vec<StmtId>> {
    let record = match ty {
        Type::Real { .. } | Type::Complex { .. } => return Some(body(out, base, ty)),
        Type::Record(record) => record,
        // What a pointer leads to is no part of the record.
        _ => return Some(Vec::new()),
    };
    let mut block = Vec::new();
    let only = module.records[record]
        .is_union
        .then(|| crate::unions::widest(module, record));
    for (position, field) in module.records[record].fields.iter().enumerate() {
        if only.is_some_and(|only| only != position) {
            continue;
        }
        let mut place = base.clone();
        place.path.push(Selector::Field(position as u32));
        match field.allocation {
            Allocation::Fixed => {}
            Allocation::Allocatable => {
                let rank = field.shape.len();
                block.extend(where_allocated(out, module, &place, rank, field.ty, body)?);
                continue;
            }
            Allocation::Pointer => continue,
        }
        if let Type::Pointer(_) | Type::Address = field.ty {
            continue;
        }
        let ranges = fixed_ranges(out, &field.shape)?;
        block.extend(over_elements(out, module, &place, &ranges, field.ty, body)?);
    }
    Some(block)
}

/// The subscripts of a component whose shape is declared.
fn fixed_ranges(out: &mut Procedure, shape: &[(i64, Option<i64>)]) -> Option<Vec<Range>> {
    let mut b = Builder::new(out);
    shape
        .iter()
        .map(|&(lower, count)| {
            let count = b.int(count?.into());
            let lower = b.int(lower.into());
            Some(Range { lower, count })
        })
        .collect()
}

/// Sets all differentiable scalars of a place to zero: of a record, of an array of records, of a
/// section of one. `None` where a size is not known or a component has memory of its own.
pub fn zero_place(
    out: &mut Procedure,
    module: &Module,
    place: &Access,
    ty: Type,
) -> Option<Vec<StmtId>> {
    if tape::is_scalar_place(module, out, place) {
        return for_each_leaf(out, module, place, ty, &mut zero);
    }
    let array = tape::array_of(module, out, place)?;
    let whole = array_ranges(out, module, &array)?;
    let inside = place.path.get(array.path.len()).cloned();
    let Some(Selector::Index(given)) = inside else {
        let rest = place.path[array.path.len()..].to_vec();
        return nest(out, &whole, &mut |out, subscripts| {
            let mut element = array.clone();
            element.path.push(Selector::Index(subscripts));
            element.path.extend(rest.iter().cloned());
            for_each_leaf(out, module, &element, ty, &mut zero)
        });
    };
    let mut ranges = Vec::new();
    for (&subscript, whole) in given.iter().zip(&whole) {
        match *out.expr(subscript) {
            Expr::Range {
                lower,
                upper,
                step: None,
            } => {
                let mut b = Builder::new(out);
                let lower = lower.unwrap_or(whole.lower);
                let count = match upper {
                    Some(upper) => {
                        let one = b.int(1);
                        let distance = b.sub(upper, lower);
                        b.add(distance, one)
                    }
                    None => {
                        let skipped = b.sub(lower, whole.lower);
                        b.sub(whole.count, skipped)
                    }
                };
                ranges.push(Range { lower, count });
            }
            Expr::Range { .. } => return None,
            _ => {}
        }
    }
    let rest = place.path[array.path.len() + 1..].to_vec();
    nest(out, &ranges, &mut |out, subscripts| {
        let mut next = subscripts.into_iter();
        let all = given
            .iter()
            .map(|&e| match out.expr(e) {
                Expr::Range { .. } => next.next().unwrap_or(e),
                _ => e,
            })
            .collect();
        let mut element = array.clone();
        element.path.push(Selector::Index(all));
        element.path.extend(rest.iter().cloned());
        for_each_leaf(out, module, &element, ty, &mut zero)
    })
}

/// The subscripts of a whole array: of a component as declared, of a variable as declared or as
/// its descriptor tells.
fn array_ranges(out: &mut Procedure, module: &Module, array: &Access) -> Option<Vec<Range>> {
    if !array.path.is_empty() {
        return component_ranges(module, out, array);
    }
    let shape = out.variables[array.var].shape.clone();
    let mut ranges = Vec::new();
    for (dim, declared) in shape.iter().enumerate() {
        let mut b = Builder::new(out);
        ranges.push(match declared.extent {
            Extent::Count(count) => Range {
                lower: declared.lower,
                count,
            },
            Extent::Assumed | Extent::Deferred => {
                let mut bound = |kind| {
                    let array = array.clone();
                    let dim = dim as u32;
                    b.expr(Expr::Bound { array, kind, dim }, Type::INT)
                };
                Range {
                    lower: bound(BoundKind::Lower),
                    count: bound(BoundKind::Extent),
                }
            }
            Extent::AssumedSize | Extent::Unknown => return None,
        });
    }
    Some(ranges)
}

/// The subscripts of an array component, the last of a path, whose shape is declared.
pub fn component_ranges(
    module: &Module,
    out: &mut Procedure,
    component: &Access,
) -> Option<Vec<Range>> {
    let mut before = component.clone();
    let Some(Selector::Field(field)) = before.path.pop() else {
        return None;
    };
    let Type::Record(record) = contraflow_ir::place_of(module, out, &before).ok()?.ty else {
        return None;
    };
    let field = module.records[record].fields.get(field as usize)?;
    if field.allocation == Allocation::Allocatable {
        let rank = field.shape.len();
        return Some(bounds_of(out, component, rank));
    }
    fixed_ranges(out, &field.shape)
}

/// The subscripts of an array whose descriptor tells them.
fn bounds_of(out: &mut Procedure, array: &Access, rank: usize) -> Vec<Range> {
    let mut b = Builder::new(out);
    let mut bound = |kind, dim: usize| {
        let bound = Expr::Bound {
            array: array.clone(),
            kind,
            dim: dim as u32,
        };
        b.expr(bound, Type::INT)
    };
    (0..rank)
        .map(|dim| Range {
            lower: bound(BoundKind::Lower, dim),
            count: bound(BoundKind::Extent, dim),
        })
        .collect()
}

/// The same for an allocatable component, where it has memory.
fn where_allocated(
    out: &mut Procedure,
    module: &Module,
    place: &Access,
    rank: usize,
    ty: Type,
    body: &mut LeafBody<'_>,
) -> Option<Option<StmtId>> {
    let ranges = bounds_of(out, place, rank);
    let inner = over_elements(out, module, place, &ranges, ty, body)?;
    if inner.is_empty() {
        return Some(None);
    }
    let mut b = Builder::new(out);
    let there = b.expr(Expr::Present(place.clone()), Type::LOGICAL);
    Some(Some(b.if_else(there, inner, Vec::new())))
}

/// The same for all elements of an array of shape `ranges` (a scalar without them).
pub fn over_elements(
    out: &mut Procedure,
    module: &Module,
    array: &Access,
    ranges: &[Range],
    ty: Type,
    body: &mut LeafBody<'_>,
) -> Option<Vec<StmtId>> {
    if ranges.is_empty() {
        return for_each_leaf(out, module, array, ty, body);
    }
    nest(out, ranges, &mut |out, subscripts| {
        let mut element = array.clone();
        element.path.push(Selector::Index(subscripts));
        for_each_leaf(out, module, &element, ty, body)
    })
}

/// A loop nest over `ranges` around what `body` makes of the subscripts.
fn nest(out: &mut Procedure, ranges: &[Range], body: &mut ElementBody<'_>) -> Option<Vec<StmtId>> {
    let variables: Vec<VarId> = ranges
        .iter()
        .map(|range| loop_variable(out, range))
        .collect();
    let subscripts: Vec<ExprId> = variables
        .iter()
        .map(|&variable| Builder::new(out).load(variable))
        .collect();
    let mut block = body(out, subscripts)?;
    if block.is_empty() {
        return Some(block);
    }
    for (range, &variable) in ranges.iter().zip(&variables) {
        let mut b = Builder::new(out);
        let ty = b.type_of(range.lower);
        let count = b.convert(range.count, ty);
        let one = b.int_of(1, ty);
        let upper = b.add(range.lower, count);
        let upper = b.sub(upper, one);
        block = vec![b.counted_loop(variable, range.lower, upper, one, block)];
    }
    Some(block)
}

fn loop_variable(out: &mut Procedure, range: &Range) -> VarId {
    let ty = out.exprs[range.lower].ty;
    let mut variable = Variable::scalar(crate::naming::unique(out, "element"), ty);
    variable.role = Role::Temporary;
    out.variables.add(variable)
}

/// Sets a differentiable scalar to zero.
pub fn zero(out: &mut Procedure, place: &Access, ty: Type) -> Vec<StmtId> {
    let mut b = Builder::new(out);
    let value = b.zero(ty);
    vec![b.assign(place.clone(), value)]
}

/// `target += source`, both differentiable scalars.
pub fn add(out: &mut Procedure, target: &Access, source: &Access, ty: Type) -> StmtId {
    let mut b = Builder::new(out);
    let old = b.expr(Expr::Load(target.clone()), ty);
    let more = b.expr(Expr::Load(source.clone()), ty);
    let sum = b.add(old, more);
    b.assign(target.clone(), sum)
}

/// The place that lies in `other` where `leaf` lies in `base`.
pub fn counterpart(leaf: &Access, base: &Access, other: &Access) -> Access {
    let mut place = other.clone();
    place
        .path
        .extend(leaf.path[base.path.len()..].iter().cloned());
    place
}
