//! Calls.

use super::execute::Flow;
use super::frame::Frame;
use super::memory::{Cell, View};
use super::{Error, Machine, Result};
use crate::expr::Access;
use crate::module::ProcedureId;
use crate::stmt::{Argument, Callee, Jump};
use crate::types::{Allocation, Extent, Passing, VarId};

/// Calls in progress at once.
const DEEPEST: usize = 200;

/// What is passed.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Actual {
    Cell(Cell),
    View(View),
    Procedure(ProcedureId),
    Absent,
}

impl<'m> Machine<'m> {
    pub(super) fn call_statement(
        &mut self,
        frame: &mut Frame<'m>,
        callee: &'m Callee,
        arguments: &'m [Argument],
        result: Option<&Access>,
    ) -> Result<()> {
        let id = match callee {
            Callee::Procedure(id) => *id,
            Callee::External(name) => return Err(Error::Unsupported(format!("`{name}`"))),
            Callee::Variable(var) => frame.procedures[var.index()]
                .ok_or_else(|| Error::Undefined(self.describe(frame.id, &Access::whole(*var))))?,
        };
        let mut actuals = Vec::new();
        for argument in arguments {
            actuals.push(self.actual(frame, argument)?);
        }
        let value = self.call(id, &mut actuals)?;
        self.hand_back(frame, id, arguments, &actuals);
        match (result, value) {
            (Some(result), Some(value)) => self.store(frame, result, value),
            (Some(_), None) => Err(Error::Wrong("a subroutine gives no value".into())),
            (None, _) => Ok(()),
        }
    }

    fn actual(&mut self, frame: &Frame<'m>, argument: &Argument) -> Result<Actual> {
        Ok(match argument {
            Argument::Value(value) => Actual::Cell(self.evaluate(frame, *value)?),
            Argument::Place(place) => {
                if let Some(id) = frame.procedures[place.var.index()] {
                    return Ok(Actual::Procedure(id));
                }
                if place.path.is_empty() && self.view_of_variable(frame, place.var)?.is_none() {
                    return Ok(Actual::Absent);
                }
                Actual::View(self.locate(frame, place)?)
            }
            Argument::Procedure(id) => Actual::Procedure(*id),
            Argument::Absent => Actual::Absent,
            Argument::Opaque { text, .. } => {
                return Err(Error::Unsupported(format!("argument `{text}`")));
            }
        })
    }

    /// Allocatables and pointers that the callee let be somewhere else.
    fn hand_back(
        &mut self,
        frame: &mut Frame<'m>,
        id: ProcedureId,
        arguments: &[Argument],
        actuals: &[Actual],
    ) {
        let callee = &self.module.procedures[id];
        for ((argument, actual), &formal) in arguments.iter().zip(actuals).zip(&callee.arguments) {
            if let Argument::Place(place) = argument
                && place.path.is_empty()
                && callee.variables[formal].allocation != Allocation::Fixed
            {
                let view = match actual {
                    Actual::View(view) => Some(view.clone()),
                    _ => None,
                };
                self.set_view(frame, place.var, view);
            }
        }
    }

    /// Calls a procedure; allocatable actuals become what it left. Gives back a function's value.
    pub(super) fn call(&mut self, id: ProcedureId, actuals: &mut [Actual]) -> Result<Option<Cell>> {
        let procedure = &self.module.procedures[id];
        if !procedure.has_body {
            return Err(Error::Unsupported(format!(
                "`{}` without body",
                procedure.name
            )));
        }
        if self.depth == DEEPEST {
            return Err(Error::StepLimit);
        }
        self.depth += 1;
        let count = procedure.variables.len();
        let mut frame = Frame {
            id,
            procedure,
            views: vec![None; count],
            procedures: vec![None; count],
            owned: Vec::new(),
        };
        let result = self.call_in(&mut frame, actuals);
        self.uncount(&frame);
        for buffer in frame.owned {
            self.memory.release(buffer);
        }
        self.depth -= 1;
        result
    }

    fn call_in(&mut self, frame: &mut Frame<'m>, actuals: &mut [Actual]) -> Result<Option<Cell>> {
        let procedure = frame.procedure;
        let formals = || procedure.arguments.iter().copied();
        let mut copies = Vec::new();
        // Scalars first: shapes of arrays ask for them.
        for arrays in [false, true] {
            for (formal, actual) in formals().zip(actuals.iter()) {
                if procedure.variables[formal].is_array() == arrays {
                    copies.extend(self.pass(frame, formal, actual)?);
                }
            }
        }
        self.make_locals(frame)?;
        match self.block(frame, &procedure.body)? {
            Flow::Next | Flow::Jump(Jump::Return) => {}
            Flow::Jump(jump) => return Err(Error::Wrong(format!("{jump:?} leads nowhere"))),
        }
        for (original, copy) in copies {
            self.copy_cells(&copy, &original)?;
        }
        for (formal, actual) in formals().zip(actuals) {
            if procedure.variables[formal].allocation != Allocation::Fixed {
                *actual = match frame.views[formal.index()].take() {
                    Some(view) => Actual::View(view),
                    None => Actual::Absent,
                };
            }
        }
        match procedure.result() {
            Some(result) => self.load(frame, &Access::whole(result)).map(Some),
            None => Ok(None),
        }
    }

    /// Binds a formal argument. Gives back the original and the copy where elements with gaps are
    /// passed to an array without.
    fn pass(
        &mut self,
        frame: &mut Frame<'m>,
        formal: VarId,
        actual: &Actual,
    ) -> Result<Option<(View, View)>> {
        let variable = &frame.procedure.variables[formal];
        match actual {
            Actual::Absent => Ok(None),
            Actual::Procedure(id) => {
                frame.procedures[formal.index()] = Some(*id);
                Ok(None)
            }
            Actual::Cell(cell) => {
                let view = self.fresh(variable.ty, &[]);
                frame.owned.push(view.buffer);
                self.memory
                    .set(view.buffer, 0, cell.clone(), &variable.name)?;
                self.bind(frame, formal, &view)?;
                Ok(None)
            }
            Actual::View(view) if variable.passing == Passing::Value && !variable.is_array() => {
                let mut scalar = view.clone();
                scalar.dims.clear();
                let copy = self.fresh(variable.ty, &[]);
                frame.owned.push(copy.buffer);
                self.copy_cells(&scalar, &copy)?;
                self.bind(frame, formal, &copy)?;
                Ok(None)
            }
            Actual::View(view) => {
                let wants_descriptor = variable.allocation != Allocation::Fixed
                    || variable
                        .shape
                        .iter()
                        .any(|dim| matches!(dim.extent, Extent::Assumed | Extent::Deferred));
                if wants_descriptor || !variable.is_array() || self.has_no_gaps(view) {
                    self.bind(frame, formal, view)?;
                    return Ok(None);
                }
                let extents: Vec<(i64, i64)> = view
                    .dims
                    .iter()
                    .map(|dim| (1, dim.extent.unwrap_or(0)))
                    .collect();
                let copy = self.fresh(view.ty, &extents);
                frame.owned.push(copy.buffer);
                self.copy_cells(view, &copy)?;
                self.bind(frame, formal, &copy)?;
                Ok(Some((view.clone(), copy)))
            }
        }
    }

    fn has_no_gaps(&self, view: &View) -> bool {
        let in_common = self
            .commons
            .iter()
            .flatten()
            .any(|common| common.buffer == view.buffer);
        let bytes = Self::bytes_of(view.ty).filter(|_| in_common);
        view.is_contiguous(bytes.map_or(self.size_of(view.ty), |bytes| bytes as usize))
    }

    fn copy_cells(&mut self, from: &View, to: &View) -> Result<()> {
        let size = self.size_of(from.ty) as i64;
        let pairs: Vec<(i64, i64)> = self
            .elements(from)?
            .into_iter()
            .zip(self.elements(to)?)
            .collect();
        for (source, target) in pairs {
            for n in 0..size {
                let cell = self.memory.get(from.buffer, source + n).cloned();
                let cell = cell.ok_or_else(|| Error::OutOfBounds("copy".into()))?;
                self.memory.set(to.buffer, target + n, cell, "copy")?;
            }
        }
        Ok(())
    }
}
