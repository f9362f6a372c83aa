//! Buffers of cells, and views of them.

use super::{Error, Result};
use crate::types::Type;

/// One scalar.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    Undefined,
    Int(i128),
    Real(f64),
    Complex(f64, f64),
    Logical(bool),
    Text(String),
    /// Where a pointer points; `None`: null.
    Pointer(Option<Target>),
}

/// A place that a pointer value points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub buffer: usize,
    pub offset: i64,
}

/// All buffers. Released ones are used again.
#[derive(Default)]
pub(super) struct Memory {
    buffers: Vec<Vec<Cell>>,
    free: Vec<usize>,
}

impl Memory {
    pub fn reserve(&mut self, cells: usize) -> usize {
        let cells = vec![Cell::Undefined; cells];
        if let Some(buffer) = self.free.pop() {
            self.buffers[buffer] = cells;
            return buffer;
        }
        self.buffers.push(cells);
        self.buffers.len() - 1
    }

    pub fn release(&mut self, buffer: usize) {
        self.buffers[buffer] = Vec::new();
        self.free.push(buffer);
    }

    pub fn cells(&mut self, buffer: usize) -> &mut Vec<Cell> {
        &mut self.buffers[buffer]
    }

    pub fn len(&self, buffer: usize) -> usize {
        self.buffers[buffer].len()
    }

    pub fn get(&self, buffer: usize, offset: i64) -> Option<&Cell> {
        self.buffers[buffer].get(usize::try_from(offset).ok()?)
    }

    pub fn set(&mut self, buffer: usize, offset: i64, cell: Cell, what: &str) -> Result<()> {
        let place = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.buffers[buffer].get_mut(offset))
            .ok_or_else(|| Error::OutOfBounds(what.to_owned()))?;
        *place = cell;
        Ok(())
    }
}

/// One dimension of a view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ViewDim {
    pub lower: i64,
    /// `None`: as far as the buffer reaches.
    pub extent: Option<i64>,
    pub stride: i64,
}

/// A part of a buffer, seen as a scalar or an array.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct View {
    pub buffer: usize,
    pub offset: i64,
    pub ty: Type,
    pub dims: Vec<ViewDim>,
}

impl View {
    /// An array without gaps; `(lower, extent)` per dimension, elements of `size` cells.
    pub fn contiguous(
        buffer: usize,
        offset: i64,
        ty: Type,
        size: usize,
        extents: &[(i64, i64)],
    ) -> Self {
        let mut stride = size as i64;
        let mut dims = Vec::new();
        for &(lower, extent) in extents {
            dims.push(ViewDim {
                lower,
                extent: Some(extent.max(0)),
                stride,
            });
            stride *= extent.max(0);
        }
        Self {
            buffer,
            offset,
            ty,
            dims,
        }
    }

    /// The offsets of all elements, fastest dimension first; `None` if an extent is not known.
    pub fn addresses(&self) -> Option<Vec<i64>> {
        let mut all = vec![self.offset];
        for dim in &self.dims {
            let extent = dim.extent?;
            let inner = std::mem::take(&mut all);
            for n in 0..extent {
                all.extend(inner.iter().map(|address| address + n * dim.stride));
            }
        }
        Some(all)
    }

    /// Whether the elements follow one another without gaps.
    pub fn is_contiguous(&self, size: usize) -> bool {
        let mut stride = size as i64;
        self.dims.iter().all(|dim| {
            let fits = dim.stride == stride || dim.extent == Some(1);
            stride *= dim.extent.unwrap_or(1);
            fits
        })
    }
}
