//! The bytes that an access names.

use contraflow_ir::affine::{Linear, Symbol, linear_of};
use contraflow_ir::{
    Access, Allocation, ExprId, Extent, Module, Passing, Procedure, ProcedureId, Selector, Storage,
    Type, VarId,
};

use super::super::effects::Effects;
use super::super::memory::{self, Root};
use super::{Around, Owner, Place, Ranges, owner};

/// So many elements are named one by one.
const MOST: i64 = 4096;

/// Reads accesses of one procedure.
pub(super) struct Region<'a> {
    pub module: &'a Module,
    pub procedure: &'a Procedure,
    pub effects: &'a Effects,
    pub id: ProcedureId,
}

impl Region<'_> {
    /// The bytes that an access may touch.
    pub fn touched(&self, access: &Access, loops: &[Around]) -> (Place, Ranges) {
        let found = self.exact(access, loops).or_else(|| self.holder(access));
        if let Some(found) = found {
            return found;
        }
        let (owner, start, end) = self.extension(access.var);
        ((owner, Vec::new()), Ranges::one(start, end))
    }

    /// The bytes that an access touches in all iterations of some loops together; `None` where that
    /// is not known.
    pub fn exact(&self, access: &Access, loops: &[Around]) -> Option<(Place, Ranges)> {
        let variable = &self.procedure.variables[access.var];
        if variable.allocation != Allocation::Fixed {
            return None;
        }
        let (owner, start, end) = self.extension(access.var);
        let (fields, subscripts) = split(&access.path)?;
        if !fields.is_empty() {
            let everything = Ranges::one(0, i64::MAX);
            let is_scalar = !variable.is_array() && subscripts.is_none();
            let field = self.field_is_scalar(variable.ty, &fields);
            let is_known = is_scalar && field && !self.is_laid_out(access.var);
            return is_known.then_some(((owner, fields), everything));
        }
        let Some(subscripts) = subscripts else {
            let is_known = end < i64::MAX || !variable.is_array() && start == 0;
            return is_known.then_some(((owner, Vec::new()), Ranges::one(start, end)));
        };
        let size = i64::try_from(self.module.bytes_of(variable.ty)?).ok()?;
        let positions = self.positions(access.var, subscripts, loops)?;
        let mut ranges = Ranges::default();
        for position in positions {
            let first = start.checked_add(position.checked_mul(size)?)?;
            if position < 0 || first.checked_add(size)? > end {
                return None;
            }
            ranges.add(&Ranges::one(first, first + size));
        }
        Some(((owner, Vec::new()), ranges))
    }

    /// Whether a variable lies on bytes that others name too: in a COMMON block or by EQUIVALENCE.
    pub fn is_laid_out(&self, var: VarId) -> bool {
        matches!(
            self.procedure.variables[var].storage,
            Storage::Common { .. } | Storage::Overlay { .. }
        )
    }

    fn field_is_scalar(&self, ty: Type, fields: &[u32]) -> bool {
        let mut ty = ty;
        for &field in fields {
            let Type::Record(record) = ty else {
                return false;
            };
            let record = &self.module.records[record];
            let Some(field) = record.fields.get(field as usize) else {
                return false;
            };
            if record.is_union || !field.shape.is_empty() || field.allocation != Allocation::Fixed {
                return false;
            }
            ty = field.ty;
        }
        true
    }

    /// Whose bytes the variable has: the owner, the first and one past the last.
    pub fn extension(&self, var: VarId) -> (Owner, i64, i64) {
        let memory::Extension { root, start, end } =
            memory::extension(self.module, self.procedure, var);
        let owner = match root {
            Root::Variable(root) => owner(self.effects, self.procedure, self.id, root),
            Root::Common(_) => self
                .effects
                .shared(self.id, var)
                .map_or(Owner::Local(var), |shared| Owner::Shared(shared.memory())),
        };
        (owner, start, end)
    }

    /// Where the memory of an argument begins that is passed as it stands: the owner, the byte, and
    /// the bytes between which the variable lies.
    pub fn start_of(&self, place: &Access) -> Option<(Owner, i64, i64, i64)> {
        let variable = &self.procedure.variables[place.var];
        let is_plain = variable.allocation == Allocation::Fixed
            && !matches!(variable.ty, Type::Pointer(_) | Type::Address)
            && (!variable.is_argument() || variable.passing == Passing::Reference)
            && variable
                .shape
                .iter()
                .all(|dim| !matches!(dim.extent, Extent::Assumed | Extent::Deferred));
        if !is_plain {
            return None;
        }
        let (owner, start, end) = self.extension(place.var);
        match place.path.as_slice() {
            [] => Some((owner, start, start, end)),
            [Selector::Index(subscripts)] => {
                let size = i64::try_from(self.module.bytes_of(variable.ty)?).ok()?;
                let position = *self.positions(place.var, subscripts, &[])?.first()?;
                let first = start.checked_add(position.checked_mul(size)?)?;
                Some((owner, first, start, end))
            }
            _ => None,
        }
    }

    /// The elements that subscripts name, counted from 0 in the order of memory.
    fn positions(&self, var: VarId, subscripts: &[ExprId], loops: &[Around]) -> Option<Vec<i64>> {
        let shape = &self.procedure.variables[var].shape;
        if shape.len() != subscripts.len() {
            return None;
        }
        let mut position = Linear::constant(0);
        let mut stride = 1i64;
        let mut bounds = Vec::new();
        for (n, (dim, &subscript)) in shape.iter().zip(subscripts).enumerate() {
            let lower = self.procedure.constant_integer(dim.lower)?;
            let form = linear_of(self.procedure, subscript, &mut |var| {
                let is_around = loops.iter().any(|l| l.variable == var && l.range.is_some());
                is_around.then_some(Symbol::Variable(var, 0))
            })?;
            let form = form.offset(-lower)?;
            position = position.add_scaled(&form, stride)?;
            match dim.extent {
                Extent::Count(count) => match self.procedure.constant_integer(count) {
                    Some(count) => {
                        bounds.push((form, count));
                        stride = stride.checked_mul(count)?;
                    }
                    None if n + 1 == shape.len() => {}
                    None => return None,
                },
                _ if n + 1 == shape.len() => {}
                _ => return None,
            }
        }
        let mut found = Vec::new();
        let mut values = Vec::new();
        enumerate(&position, &bounds, loops, &mut values, &mut found).then_some(found)
    }
}

/// The values of a form for all iterations of the loops whose variables it names; false where they
/// are too many or out of bounds.
fn enumerate(
    form: &Linear,
    bounds: &[(Linear, i64)],
    loops: &[Around],
    values: &mut Vec<(Symbol, i64)>,
    found: &mut Vec<i64>,
) -> bool {
    let names = |form: &Linear, symbol: Symbol| form.coefficient(symbol) != 0;
    let next = loops.iter().find(|l| {
        let symbol = Symbol::Variable(l.variable, 0);
        values.iter().all(|(known, _)| *known != symbol)
            && (names(form, symbol) || bounds.iter().any(|(form, _)| names(form, symbol)))
    });
    let at = |form: &Linear, values: &[(Symbol, i64)]| {
        values
            .iter()
            .try_fold(form.constant, |total, &(symbol, value)| {
                total.checked_add(form.coefficient(symbol).checked_mul(value)?)
            })
    };
    let Some(next) = next else {
        let is_inside = bounds.iter().all(|(form, count)| {
            at(form, values).is_some_and(|position| (0..*count).contains(&position))
        });
        if let Some(value) = at(form, values) {
            found.push(value);
        }
        return is_inside && found.len() as i64 <= MOST;
    };
    let Some((lower, upper, step)) = next.range else {
        return false;
    };
    let trips = (upper.saturating_sub(lower)) / step + 1;
    if trips > MOST {
        return false;
    }
    for trip in 0..trips.max(0) {
        values.push((Symbol::Variable(next.variable, 0), lower + trip * step));
        let fits = enumerate(form, bounds, loops, values, found);
        values.pop();
        if !fits {
            return false;
        }
    }
    true
}

/// The components of a path and the subscripts after them; `None` for any other path.
fn split(path: &[Selector]) -> Option<(Vec<u32>, Option<&[ExprId]>)> {
    let mut fields = Vec::new();
    for (n, selector) in path.iter().enumerate() {
        match selector {
            Selector::Field(field) => fields.push(*field),
            Selector::Index(subscripts) if n + 1 == path.len() => {
                return Some((fields, Some(subscripts)));
            }
            _ => return None,
        }
    }
    Some((fields, None))
}
