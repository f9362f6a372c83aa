//! The variables of one call.

use super::memory::{Cell, Target, View, ViewDim};
use super::{Error, Machine, Result};
use crate::expr::ExprId;
use crate::module::{GlobalId, Procedure, ProcedureId};
use crate::types::{Allocation, Extent, Storage, Type, VarId};

/// One call in progress.
pub(super) struct Frame<'m> {
    pub id: ProcedureId,
    pub procedure: &'m Procedure,
    /// Where each variable is; `None`: absent, not allocated, not associated.
    pub views: Vec<Option<View>>,
    /// The procedures passed as arguments.
    pub procedures: Vec<Option<ProcedureId>>,
    /// Buffers released at the end of the call.
    pub owned: Vec<usize>,
}

impl<'m> Machine<'m> {
    /// The cells that one element of a type takes.
    pub(super) fn size_of(&self, ty: Type) -> usize {
        let Type::Record(record) = ty else { return 1 };
        let sizes = self.module.records[record].fields.iter().map(|field| {
            let count: i64 = field.shape.iter().map(|(_, n)| n.unwrap_or(1)).product();
            self.size_of(field.ty) * usize::try_from(count).unwrap_or(0)
        });
        sizes.sum()
    }

    /// The bytes that one element takes in COMMON and in overlaid memory.
    pub(super) fn bytes_of(ty: Type) -> Option<i64> {
        match ty {
            Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
                Some(i64::from(bytes))
            }
            Type::Complex { bytes } => Some(2 * i64::from(bytes)),
            _ => None,
        }
    }

    /// Where a variable is now.
    pub(super) fn view_of_variable(
        &mut self,
        frame: &Frame<'m>,
        var: VarId,
    ) -> Result<Option<View>> {
        match frame.procedure.variables[var].storage {
            Storage::Global(global)
            | Storage::Constant {
                value: None,
                global: Some(global),
            } => self.global_view(global),
            Storage::Saved => Ok(self.saved[&(frame.id, var)].clone()),
            _ => Ok(frame.views[var.index()].clone()),
        }
    }

    /// Lets a variable be somewhere else: allocated, freed, associated.
    pub(super) fn set_view(&mut self, frame: &mut Frame<'m>, var: VarId, view: Option<View>) {
        match frame.procedure.variables[var].storage {
            Storage::Global(global) => self.globals[global.index()] = view,
            Storage::Saved => {
                self.saved.insert((frame.id, var), view);
            }
            _ => frame.views[var.index()] = view,
        }
    }

    /// The memory of a global, made at its first use if its shape is constant.
    pub(super) fn global_view(&mut self, id: GlobalId) -> Result<Option<View>> {
        if let Some(view) = &self.globals[id.index()] {
            return Ok(Some(view.clone()));
        }
        let global = &self.module.globals[id];
        if global.allocation != Allocation::Fixed {
            return Ok(None);
        }
        let extents: Option<Vec<(i64, i64)>> = global
            .shape
            .iter()
            .map(|&(lower, extent)| Some((lower, extent?)))
            .collect();
        let extents = extents
            .ok_or_else(|| Error::Unsupported(format!("the shape of global `{}`", global.name)))?;
        let view = self.fresh(global.ty, &extents);
        self.globals[id.index()] = Some(view.clone());
        if let Some((procedure, var)) = global.declared_by {
            let frame = Frame {
                id: procedure,
                procedure: &self.module.procedures[procedure],
                views: vec![None; self.module.procedures[procedure].variables.len()],
                procedures: Vec::new(),
                owned: Vec::new(),
            };
            self.give_values(&frame, var, &view)?;
        }
        Ok(Some(view))
    }

    /// New memory for an array or, without extents, a scalar.
    pub(super) fn fresh(&mut self, ty: Type, extents: &[(i64, i64)]) -> View {
        let size = self.size_of(ty);
        let count: i64 = extents.iter().map(|&(_, n)| n.max(0)).product();
        let buffer = self
            .memory
            .reserve(size * usize::try_from(count).unwrap_or(0));
        View::contiguous(buffer, 0, ty, size, extents)
    }

    /// Makes the memory of everything that is no argument.
    pub(super) fn make_locals(&mut self, frame: &mut Frame<'m>) -> Result<()> {
        let procedure = frame.procedure;
        let overlaid: Vec<VarId> = procedure
            .variables
            .iter()
            .filter_map(|(_, variable)| match variable.storage {
                Storage::Overlay { base, .. } => Some(base),
                _ => None,
            })
            .collect();
        for (var, variable) in procedure.variables.iter() {
            match variable.storage {
                Storage::Local | Storage::Result => {
                    if variable.ty == Type::Procedure || variable.ty == Type::Void {
                        continue;
                    }
                    let view = self.make(frame, var, overlaid.contains(&var))?;
                    frame.owned.extend(view.iter().map(|view| view.buffer));
                    if let Some(view) = &view {
                        self.count(frame, var, view);
                    }
                    frame.views[var.index()] = view;
                    self.initialise(frame, var)?;
                }
                Storage::Saved if !self.saved.contains_key(&(frame.id, var)) => {
                    let view = self.make(frame, var, overlaid.contains(&var))?;
                    self.saved.insert((frame.id, var), view);
                    self.initialise(frame, var)?;
                }
                Storage::Common { block, offset } => {
                    let block = self.common_view(block.index())?;
                    let view = self.over_bytes(frame, var, &block, offset as i64)?;
                    frame.views[var.index()] = Some(view);
                }
                _ => {}
            }
        }
        for (var, variable) in procedure.variables.iter() {
            if procedure.viewed(var).is_some() {
                return Err(Error::Unsupported("an object seen as its own type".into()));
            }
            if let Storage::Overlay { base, offset } = variable.storage {
                let base = self
                    .view_of_variable(frame, base)?
                    .ok_or_else(|| Error::Unsupported("an overlay on nothing".into()))?;
                frame.views[var.index()] = Some(self.over_bytes(frame, var, &base, offset)?);
            }
        }
        Ok(())
    }

    fn initialise(&mut self, frame: &Frame<'m>, var: VarId) -> Result<()> {
        match self.view_of_variable(frame, var)? {
            Some(view) => self.give_values(frame, var, &view),
            None => Ok(()),
        }
    }

    /// Writes the values of a variable's declaration to memory of its shape.
    fn give_values(&mut self, frame: &Frame<'m>, var: VarId, view: &View) -> Result<()> {
        let variable = &frame.procedure.variables[var];
        if let Some(initial) = variable.initial {
            let cell = self.evaluate(frame, initial)?;
            self.memory
                .set(view.buffer, view.offset, cell, &variable.name)?;
        }
        if variable.values.is_empty() {
            return Ok(());
        }
        let mut addresses = view.addresses().unwrap_or_default().into_iter();
        for &(count, value) in &variable.values {
            let cell = self.evaluate(frame, value)?;
            for _ in 0..count {
                let address = addresses.next().ok_or_else(|| {
                    Error::Wrong(format!("too many values of `{}`", variable.name))
                })?;
                self.memory
                    .set(view.buffer, address, cell.clone(), &variable.name)?;
            }
        }
        Ok(())
    }

    fn make(&mut self, frame: &Frame<'m>, var: VarId, overlaid: bool) -> Result<Option<View>> {
        let variable = &frame.procedure.variables[var];
        if variable.allocation != Allocation::Fixed {
            return Ok(None);
        }
        if let [dim] = variable.shape.as_slice()
            && matches!(dim.extent, Extent::Deferred | Extent::Unknown)
        {
            // A growing tape, or a C pointer that points nowhere yet.
            return Ok(Some(self.fresh(variable.ty, &[(0, 0)])));
        }
        let extents = self.extents(frame, var)?;
        if !overlaid {
            return Ok(Some(self.fresh(variable.ty, &extents)));
        }
        let bytes = Self::bytes_of(variable.ty)
            .ok_or_else(|| Error::Unsupported("overlaid memory of this type".into()))?;
        let count: i64 = extents.iter().map(|&(_, n)| n.max(0)).product();
        let cells = usize::try_from(count * bytes).unwrap_or(0);
        let buffer = self.memory.reserve(cells);
        let size = bytes as usize;
        Ok(Some(View::contiguous(
            buffer,
            0,
            variable.ty,
            size,
            &extents,
        )))
    }

    /// `(lower, extent)` per dimension of an array whose extents are all stated.
    fn extents(&mut self, frame: &Frame<'m>, var: VarId) -> Result<Vec<(i64, i64)>> {
        let variable = &frame.procedure.variables[var];
        variable
            .shape
            .iter()
            .map(|dim| match dim.extent {
                Extent::Count(count) => {
                    Ok((self.integer(frame, dim.lower)?, self.integer(frame, count)?))
                }
                other => Err(Error::Unsupported(format!(
                    "memory for `{}` of extent {other:?}",
                    variable.name
                ))),
            })
            .collect()
    }

    fn common_view(&mut self, block: usize) -> Result<View> {
        if let Some(view) = &self.commons[block] {
            return Ok(view.clone());
        }
        let id = crate::arena::Id::from_index(block);
        let bytes = usize::try_from(self.module.commons[id].bytes).unwrap_or(0);
        let buffer = self.memory.reserve(bytes);
        let view = View::contiguous(buffer, 0, Type::Unknown, 1, &[(0, bytes as i64)]);
        self.commons[block] = Some(view.clone());
        Ok(view)
    }

    /// The view of a variable at a byte of byte-addressed memory.
    fn over_bytes(
        &mut self,
        frame: &Frame<'m>,
        var: VarId,
        base: &View,
        offset: i64,
    ) -> Result<View> {
        let variable = &frame.procedure.variables[var];
        let size = Self::bytes_of(variable.ty)
            .ok_or_else(|| Error::Unsupported("overlaid memory of this type".into()))?;
        let extents = self.extents(frame, var)?;
        let offset = base.offset + offset;
        Ok(View::contiguous(
            base.buffer,
            offset,
            variable.ty,
            size as usize,
            &extents,
        ))
    }

    /// Binds a formal argument to memory of the caller.
    pub(super) fn bind(&mut self, frame: &mut Frame<'m>, var: VarId, actual: &View) -> Result<()> {
        let variable = &frame.procedure.variables[var];
        let descriptor = variable.allocation != Allocation::Fixed
            || variable
                .shape
                .iter()
                .any(|dim| matches!(dim.extent, Extent::Assumed | Extent::Deferred));
        let mut view = actual.clone();
        view.ty = variable.ty;
        if !variable.is_array() {
            view.dims.clear();
        } else if descriptor {
            if view.dims.len() != variable.rank() {
                return Err(Error::Wrong(format!(
                    "`{}` is given {} dimensions",
                    variable.name,
                    view.dims.len()
                )));
            }
            if variable.allocation == Allocation::Fixed {
                for (dim, formal) in view.dims.iter_mut().zip(&variable.shape) {
                    dim.lower = self.integer(frame, formal.lower)?;
                }
            }
        } else {
            // A COMMON array keeps its distance in bytes.
            let stride = actual
                .dims
                .first()
                .map_or(self.size_of(view.ty) as i64, |dim| dim.stride);
            view.dims = self.explicit_dims(frame, var, stride)?;
        }
        frame.views[var.index()] = Some(view);
        Ok(())
    }

    fn explicit_dims(
        &mut self,
        frame: &Frame<'m>,
        var: VarId,
        mut stride: i64,
    ) -> Result<Vec<ViewDim>> {
        let mut dims = Vec::new();
        for dim in &frame.procedure.variables[var].shape {
            let lower = self.integer(frame, dim.lower)?;
            let extent = match dim.extent {
                Extent::Count(count) => Some(self.integer(frame, count)?.max(0)),
                _ => None,
            };
            dims.push(ViewDim {
                lower,
                extent,
                stride,
            });
            stride *= extent.unwrap_or(1);
        }
        Ok(dims)
    }

    /// An integer expression's value.
    pub(super) fn integer(&mut self, frame: &Frame<'m>, e: ExprId) -> Result<i64> {
        match self.evaluate(frame, e)? {
            Cell::Int(value) => {
                i64::try_from(value).map_err(|_| Error::Wrong(format!("{value} as an extent")))
            }
            other => Err(Error::Wrong(format!("{other:?} where an integer belongs"))),
        }
    }

    /// What a pointer cell points to, seen as elements counted from there.
    pub(super) fn pointed(&self, target: Target, ty: Type) -> View {
        View {
            buffer: target.buffer,
            offset: target.offset,
            ty,
            dims: vec![ViewDim {
                lower: 0,
                extent: None,
                stride: self.size_of(ty) as i64,
            }],
        }
    }
}
