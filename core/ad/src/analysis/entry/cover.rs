//! Accesses that name all elements of an array: as a whole, or one by one in loops from its first to
//! its last subscript.

use contraflow_ir::{
    Access, Allocation, BoundKind, Dim, Expr, ExprId, Extent, Selector, Type, VarId,
};

use super::region::Region;
use super::{Around, Place, Ranges};

/// An array, or a scalar component, in a variable.
struct Part {
    fields: Vec<u32>,
    /// First and last subscript of each dimension, where they are constant.
    dims: Vec<Option<(i64, i64)>>,
    allocation: Allocation,
    ty: Type,
}

impl Region<'_> {
    /// The place and bytes of an access that certainly names every element of its array, or of an
    /// array component of a record, in all iterations of some loops together.
    pub fn whole(&self, access: &Access, loops: &[Around]) -> Option<(Place, Ranges)> {
        let part = self.part(access)?;
        let rest = &access.path[part.fields.len()..];
        let is_whole = match rest {
            [] => part.allocation != Allocation::Pointer && loops.iter().all(|l| l.runs()),
            [Selector::Index(subscripts)] => self.runs_over(access, &part, subscripts, loops),
            _ => false,
        };
        is_whole.then(|| self.all_of(access.var, part.fields))?
    }

    /// The place that holds an access: a component of a scalar record where that is known, else the
    /// variable.
    pub fn holder(&self, access: &Access) -> Option<(Place, Ranges)> {
        let part = self.part(access)?;
        self.all_of(access.var, part.fields)
    }

    /// The place of a scalar record of some type that is passed as it stands.
    pub fn record_at(&self, access: &Access, ty: Type) -> Option<Place> {
        let part = self.part(access)?;
        let is_scalar = part.dims.is_empty() && part.allocation == Allocation::Fixed;
        let is_all = part.fields.len() == access.path.len();
        (is_scalar && is_all && part.ty == ty && !self.is_laid_out(access.var))
            .then(|| (self.extension(access.var).0, part.fields))
    }

    /// All of a variable or of a component of it; `None` where the variable is an array whose end is
    /// not known: what is all of it here may be a part of it for the caller.
    fn all_of(&self, var: VarId, fields: Vec<u32>) -> Option<(Place, Ranges)> {
        let variable = &self.procedure.variables[var];
        let (owner, start, end) = self.extension(var);
        // Components are not told apart from those of other variables on the same bytes.
        if !fields.is_empty() && self.is_laid_out(var) {
            return None;
        }
        let ends = end < i64::MAX
            || start == 0
                && (!variable.is_array() || variable.allocation == Allocation::Allocatable);
        let ranges = match fields.is_empty() {
            true => Ranges::one(start, end),
            false => Ranges::one(0, i64::MAX),
        };
        ends.then_some(((owner, fields), ranges))
    }

    /// The outermost array, or the innermost scalar component, that an access goes through. What a
    /// pointer leads to is not part of the variable.
    fn part(&self, access: &Access) -> Option<Part> {
        let variable = &self.procedure.variables[access.var];
        let mut part = Part {
            fields: Vec::new(),
            dims: variable.shape.iter().map(|dim| self.ends(dim)).collect(),
            allocation: variable.allocation,
            ty: variable.ty,
        };
        for selector in &access.path {
            let (Selector::Field(field), Type::Record(record)) = (selector, part.ty) else {
                break;
            };
            if !part.dims.is_empty() || part.allocation != Allocation::Fixed {
                break;
            }
            let record = &self.module.records[record];
            let inner = record.fields.get(*field as usize)?;
            if record.is_union {
                return None;
            }
            part.fields.push(*field);
            let ends = |&(lower, count): &(i64, Option<i64>)| Some((lower, lower + count? - 1));
            part.dims = inner.shape.iter().map(ends).collect();
            part.allocation = inner.allocation;
            part.ty = inner.ty;
        }
        let is_pointer = part.allocation == Allocation::Pointer
            || matches!(part.ty, Type::Pointer(_) | Type::Address);
        (!is_pointer).then_some(part)
    }

    fn ends(&self, dim: &Dim) -> Option<(i64, i64)> {
        let Extent::Count(count) = dim.extent else {
            return None;
        };
        let lower = self.procedure.constant_integer(dim.lower)?;
        Some((lower, lower + self.procedure.constant_integer(count)? - 1))
    }

    /// Whether each subscript is the variable of a loop of its own over all of its dimension, and the
    /// other loops run.
    fn runs_over(
        &self,
        access: &Access,
        part: &Part,
        subscripts: &[ExprId],
        loops: &[Around],
    ) -> bool {
        if subscripts.len() != part.dims.len() {
            return false;
        }
        let mut used = Vec::new();
        for (k, (&subscript, dim)) in subscripts.iter().zip(&part.dims).enumerate() {
            let Expr::Load(index) = self.procedure.expr(subscript) else {
                return false;
            };
            let found = loops
                .iter()
                .position(|l| index.path.is_empty() && l.variable == index.var);
            let Some(found) = found.filter(|found| !used.contains(found)) else {
                return false;
            };
            let [lower, upper, step] = loops[found].bounds;
            let ends = match self.procedure.constant_integer(step) {
                Some(1) => [lower, upper],
                Some(-1) => [upper, lower],
                _ => return false,
            };
            let array = Access {
                var: access.var,
                path: access.path[..part.fields.len()].to_vec(),
            };
            let is_end = |e, kind| self.is_end(e, &array, k as u32, *dim, kind);
            if !is_end(ends[0], BoundKind::Lower) || !is_end(ends[1], BoundKind::Upper) {
                return false;
            }
            used.push(found);
        }
        let mut others = loops.iter().enumerate().filter(|(n, _)| !used.contains(n));
        others.all(|(_, around)| around.runs())
    }

    /// Whether a value is the first or the last subscript of a dimension.
    fn is_end(
        &self,
        e: ExprId,
        array: &Access,
        k: u32,
        ends: Option<(i64, i64)>,
        wanted: BoundKind,
    ) -> bool {
        if let Expr::Bound {
            array: of,
            kind,
            dim,
        } = self.procedure.expr(e)
        {
            return of == array && *kind == wanted && *dim == k;
        }
        let (Some(value), Some((first, last))) = (self.procedure.constant_integer(e), ends) else {
            return false;
        };
        match wanted {
            BoundKind::Lower => value == first,
            _ => value == last,
        }
    }
}
