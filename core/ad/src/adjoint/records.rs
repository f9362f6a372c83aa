//! Records leaf by leaf: shadows of derived types and structs are records too, but only their real
//! components are zeroed and added to.

use contraflow_ir::{
    Access, Allocation, Builder, Expr, ExprId, Module, Procedure, Role, Selector, StmtId, Type,
    VarId, Variable,
};

use super::extent::Range;

/// What is made of each differentiable scalar.
pub type LeafBody<'b> = dyn FnMut(&mut Procedure, &Access, Type) -> Vec<StmtId> + 'b;

/// The statements that `body` makes for each differentiable scalar of `base`, a place of type `ty`;
/// for arrays inside, in loops. `None` if a component is a pointer or allocatable.
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
        Type::Pointer(_) | Type::Address => return None,
        _ => return Some(Vec::new()),
    };
    let mut block = Vec::new();
    for (position, field) in module.records[record].fields.iter().enumerate() {
        if field.allocation != Allocation::Fixed {
            return None;
        }
        let mut place = base.clone();
        place.path.push(Selector::Field(position as u32));
        let mut ranges = Vec::new();
        for &(lower, count) in &field.shape {
            let mut b = Builder::new(out);
            let lower = b.int(lower.into());
            let count = b.int(count?.into());
            ranges.push(Range { lower, count });
        }
        block.extend(over_elements(out, module, &place, &ranges, field.ty, body)?);
    }
    Some(block)
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
    let variables: Vec<VarId> = ranges
        .iter()
        .map(|range| loop_variable(out, range))
        .collect();
    let subscripts: Vec<ExprId> = variables
        .iter()
        .map(|&variable| Builder::new(out).load(variable))
        .collect();
    let mut element = array.clone();
    element.path.push(Selector::Index(subscripts));
    let mut block = for_each_leaf(out, module, &element, ty, body)?;
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
