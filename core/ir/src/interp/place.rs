//! Accesses: from a path to a place in memory.

use super::frame::Frame;
use super::memory::{Cell, View, ViewDim};
use super::{Error, Machine, Result};
use crate::expr::{Access, Expr, ExprId, Selector};
use crate::types::Type;

impl<'m> Machine<'m> {
    /// The view that an access denotes.
    pub(super) fn locate(&mut self, frame: &Frame<'m>, access: &Access) -> Result<View> {
        let mut view = self
            .view_of_variable(frame, access.var)?
            .ok_or_else(|| self.undefined(frame, access))?;
        for (n, selector) in access.path.iter().enumerate() {
            match selector {
                Selector::Index(subscripts) => {
                    self.index(frame, access, &mut view, subscripts)?;
                }
                Selector::Field(field) => self.field(&mut view, *field)?,
                Selector::Deref => {
                    view = self.dereference(frame, access, &view)?;
                    if !matches!(access.path.get(n + 1), Some(Selector::Index(_))) {
                        view.dims.clear();
                    }
                }
            }
        }
        Ok(view)
    }

    fn undefined(&self, frame: &Frame<'m>, access: &Access) -> Error {
        Error::Undefined(self.describe(frame.id, access))
    }

    fn outside(&self, frame: &Frame<'m>, access: &Access) -> Error {
        Error::OutOfBounds(self.describe(frame.id, access))
    }

    fn index(
        &mut self,
        frame: &Frame<'m>,
        access: &Access,
        view: &mut View,
        subscripts: &[ExprId],
    ) -> Result<()> {
        if subscripts.len() != view.dims.len() {
            return Err(Error::Wrong(format!(
                "{} subscripts of {}",
                subscripts.len(),
                self.describe(frame.id, access)
            )));
        }
        let dims = std::mem::take(&mut view.dims);
        for (dim, &subscript) in dims.into_iter().zip(subscripts) {
            if let Expr::Range { lower, upper, step } = *frame.procedure.expr(subscript) {
                let section = self.section(frame, access, dim, [lower, upper, step])?;
                view.offset += section.0;
                view.dims.push(section.1);
                continue;
            }
            let position = self.integer(frame, subscript)? - dim.lower;
            let inside = match dim.extent {
                Some(extent) => (0..extent).contains(&position),
                None => true,
            };
            if !inside {
                return Err(Error::OutOfBounds(format!(
                    "subscript {} of {}",
                    position + dim.lower,
                    self.describe(frame.id, access)
                )));
            }
            view.offset += position * dim.stride;
        }
        Ok(())
    }

    /// The offset and the dimension of a range of subscripts; it counts from 1.
    fn section(
        &mut self,
        frame: &Frame<'m>,
        access: &Access,
        dim: ViewDim,
        [lower, upper, step]: [Option<ExprId>; 3],
    ) -> Result<(i64, ViewDim)> {
        let step = match step {
            Some(step) => self.integer(frame, step)?,
            None => 1,
        };
        if step == 0 {
            return Err(Error::Wrong("the step of a section is zero".into()));
        }
        let last = dim.extent.map(|extent| dim.lower + extent - 1);
        let (from, to) = if step > 0 {
            (Some(dim.lower), last)
        } else {
            (last, Some(dim.lower))
        };
        let lower = match lower {
            Some(lower) => Some(self.integer(frame, lower)?),
            None => from,
        };
        let upper = match upper {
            Some(upper) => Some(self.integer(frame, upper)?),
            None => to,
        };
        let (Some(lower), Some(upper)) = (lower, upper) else {
            return Err(Error::Unsupported("a section without end".into()));
        };
        let extent = ((upper - lower + step) / step).max(0);
        if extent > 0 {
            let ends = [lower, lower + (extent - 1) * step];
            let inside = ends.iter().all(|&end| {
                end >= dim.lower && dim.extent.is_none_or(|extent| end < dim.lower + extent)
            });
            if !inside {
                return Err(self.outside(frame, access));
            }
        }
        let section = ViewDim {
            lower: 1,
            extent: Some(extent),
            stride: dim.stride * step,
        };
        Ok(((lower - dim.lower) * dim.stride, section))
    }

    fn field(&mut self, view: &mut View, field: u32) -> Result<()> {
        let Type::Record(record) = view.ty else {
            return Err(Error::Wrong("a component of what is no record".into()));
        };
        let record = &self.module.records[record];
        if record.is_union {
            return Err(Error::Unsupported("a union".into()));
        }
        let mut offset = 0;
        for before in &record.fields[..field as usize] {
            let count: i64 = before.shape.iter().map(|(_, n)| n.unwrap_or(1)).product();
            offset += count * self.size_of(before.ty) as i64;
        }
        let field = &record.fields[field as usize];
        let extents: Option<Vec<(i64, i64)>> = field
            .shape
            .iter()
            .map(|&(lower, extent)| Some((lower, extent?)))
            .collect();
        let extents =
            extents.ok_or_else(|| Error::Unsupported(format!("component `{}`", field.name)))?;
        let size = self.size_of(field.ty);
        let inner = View::contiguous(view.buffer, view.offset + offset, field.ty, size, &extents);
        view.offset = inner.offset;
        view.ty = inner.ty;
        view.dims.splice(0..0, inner.dims);
        Ok(())
    }

    fn dereference(&mut self, frame: &Frame<'m>, access: &Access, view: &View) -> Result<View> {
        let Type::Pointer(pointer) = view.ty else {
            return Err(Error::Wrong("what is no pointer is dereferenced".into()));
        };
        match self.memory.get(view.buffer, view.offset) {
            Some(Cell::Pointer(Some(target))) => {
                Ok(self.pointed(*target, self.module.pointers[pointer].target))
            }
            _ => Err(self.undefined(frame, access)),
        }
    }

    /// Gives a view the bounds that are stated where a pointer is associated.
    pub(super) fn bound_anew(
        &mut self,
        frame: &Frame<'m>,
        view: &mut View,
        bounds: &[(ExprId, Option<ExprId>)],
    ) -> Result<()> {
        if bounds.iter().all(|(_, upper)| upper.is_none()) {
            for (&(lower, _), dim) in bounds.iter().zip(&mut view.dims) {
                dim.lower = self.integer(frame, lower)?;
            }
            return Ok(());
        }
        let size = self.size_of(view.ty);
        if view.dims.len() != 1 && !view.is_contiguous(size) {
            return Err(Error::Wrong("a section with gaps in another shape".into()));
        }
        let mut stride = view.dims.first().map_or(size as i64, |dim| dim.stride);
        let mut extents = view.dims.iter().map(|dim| dim.extent);
        let elements = extents.try_fold(1, |all, extent| Some(all * extent?));
        let (mut dims, mut count) = (Vec::new(), 1);
        for &(lower, upper) in bounds {
            let lower = self.integer(frame, lower)?;
            let upper = match upper {
                Some(upper) => self.integer(frame, upper)?,
                None => return Err(Error::Wrong("an upper bound is missing".into())),
            };
            let extent = (upper - lower + 1).max(0);
            dims.push(ViewDim {
                lower,
                extent: Some(extent),
                stride,
            });
            stride *= extent;
            count *= extent;
        }
        if elements.is_some_and(|elements| count > elements) {
            return Err(Error::OutOfBounds("a pointer with stated bounds".into()));
        }
        view.dims = dims;
        Ok(())
    }

    /// The scalar that an access denotes.
    pub(super) fn load(&mut self, frame: &Frame<'m>, access: &Access) -> Result<Cell> {
        let view = self.locate(frame, access)?;
        if !view.dims.is_empty() {
            return Err(Error::Wrong(format!(
                "{} is read as a scalar",
                self.describe(frame.id, access)
            )));
        }
        match self.memory.get(view.buffer, view.offset) {
            Some(Cell::Undefined) => Err(self.undefined(frame, access)),
            Some(cell) => Ok(cell.clone()),
            None => Err(self.outside(frame, access)),
        }
    }

    /// Stores a scalar.
    pub(super) fn store(&mut self, frame: &Frame<'m>, access: &Access, cell: Cell) -> Result<()> {
        let view = self.locate(frame, access)?;
        if !view.dims.is_empty() {
            return Err(Error::Wrong(format!(
                "{} is written as a scalar",
                self.describe(frame.id, access)
            )));
        }
        let name = self.describe(frame.id, access);
        self.memory.set(view.buffer, view.offset, cell, &name)
    }

    /// The offsets of all elements of a view, checked against its buffer.
    pub(super) fn elements(&self, view: &View) -> Result<Vec<i64>> {
        let addresses = view
            .addresses()
            .ok_or_else(|| Error::Unsupported("an array without known end, as a whole".into()))?;
        let length = self.memory.len(view.buffer) as i64;
        if addresses.iter().all(|a| (0..length).contains(a)) {
            Ok(addresses)
        } else {
            Err(Error::OutOfBounds("a whole array or section".into()))
        }
    }
}
