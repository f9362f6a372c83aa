//! Statements.

use super::frame::Frame;
use super::memory::{Cell, Target};
use super::operations::fit;
use super::{Error, Machine, Result};
use crate::expr::{Access, ExprId};
use crate::stmt::{Block, CaseArm, CaseLabel, Jump, JumpLabel, Stmt, StmtId};
use crate::types::{Allocation, Type, VarId};

/// What happens after a statement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Flow {
    Next,
    Jump(Jump),
}

/// Whether a loop goes on after an execution of its body that ended with `flow`.
fn after_body(flow: Flow, label: Option<JumpLabel>) -> Option<Flow> {
    match flow {
        Flow::Jump(Jump::Cycle(to)) if Some(to) == label => None,
        Flow::Jump(Jump::Exit(to)) if Some(to) == label => Some(Flow::Next),
        Flow::Jump(_) => Some(flow),
        Flow::Next => None,
    }
}

impl<'m> Machine<'m> {
    pub(super) fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> Result<Flow> {
        for &id in block {
            let flow = self.statement(frame, id)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, frame: &mut Frame<'m>, id: StmtId) -> Result<Flow> {
        self.steps = self.steps.checked_sub(1).ok_or(Error::StepLimit)?;
        match frame.procedure.stmt(id) {
            Stmt::Assign { target, value } => self.assign(frame, target, *value)?,
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call_statement(frame, callee, arguments, result.as_ref())?,
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                label,
                ..
            } => return self.counted(frame, *variable, [*lower, *upper, *step], body, *label),
            Stmt::While {
                condition,
                body,
                label,
            } => {
                while self.truth(frame, *condition)? {
                    self.steps = self.steps.checked_sub(1).ok_or(Error::StepLimit)?;
                    let flow = self.block(frame, body)?;
                    if let Some(flow) = after_body(flow, *label) {
                        return Ok(flow);
                    }
                }
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.truth(frame, *condition)?;
                return self.block(frame, if holds { then } else { otherwise });
            }
            Stmt::Switch {
                selector,
                arms,
                default,
            } => {
                let body = self.chosen(frame, *selector, arms)?.unwrap_or(default);
                return self.block(frame, body);
            }
            Stmt::Region { body, .. } => return self.block(frame, body),
            Stmt::Labelled { label, body } => {
                return Ok(match self.block(frame, body)? {
                    Flow::Jump(Jump::Exit(to)) if to == *label => Flow::Next,
                    flow => flow,
                });
            }
            Stmt::Jump(jump) => return Ok(Flow::Jump(*jump)),
            Stmt::Allocate {
                target,
                shape,
                zeroed,
            } => self.allocate(frame, target, shape, *zeroed)?,
            Stmt::Free { target } => self.free(frame, target)?,
            Stmt::PointerAssign {
                target,
                value,
                is_pointer,
                offset,
                bounds,
            } => self.point(frame, target, value.as_ref(), *is_pointer, *offset, bounds)?,
            Stmt::Fill { target, value } => {
                let view = self.locate(frame, target)?;
                let cell = self.evaluate(frame, *value)?;
                for address in self.elements(&view)? {
                    self.memory
                        .set(view.buffer, address, cell.clone(), "fill")?;
                }
            }
            Stmt::Copy { target, source } => self.copy(frame, target, source)?,
            Stmt::Push { tape, value } => {
                let cell = self.evaluate(frame, *value)?;
                let place = self.locate(frame, &Access::whole(*tape))?;
                self.memory.cells(place.buffer).push(cell);
                self.recount(frame, *tape);
            }
            Stmt::Pop { tape, target } => {
                let place = self.locate(frame, &Access::whole(*tape))?;
                let popped = self.memory.cells(place.buffer).pop();
                self.recount(frame, *tape);
                let cell = popped.ok_or_else(|| Error::OutOfBounds("an empty tape".into()))?;
                self.store(frame, target, cell)?;
            }
            Stmt::Opaque {
                terminates: true, ..
            } => return Err(Error::Stopped),
            Stmt::Opaque { text, writes, .. } => {
                if !writes.is_empty() {
                    return Err(Error::Unsupported(format!("`{text}`")));
                }
            }
            Stmt::Stop { .. } => return Err(Error::Stopped),
            Stmt::Comment(_) => {}
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, frame: &Frame<'m>, target: &Access, value: ExprId) -> Result<()> {
        if matches!(frame.procedure.exprs[value].ty, Type::Record(_)) {
            let crate::expr::Expr::Load(source) = frame.procedure.expr(value) else {
                return Err(Error::Wrong("a record that is no place".into()));
            };
            return self.copy(frame, target, source);
        }
        let cell = self.evaluate(frame, value)?;
        self.store(frame, target, cell)
    }

    fn counted(
        &mut self,
        frame: &mut Frame<'m>,
        variable: VarId,
        [lower, upper, step]: [ExprId; 3],
        body: &'m Block,
        label: Option<JumpLabel>,
    ) -> Result<Flow> {
        let lower = i128::from(self.integer(frame, lower)?);
        let upper = i128::from(self.integer(frame, upper)?);
        let step = i128::from(self.integer(frame, step)?);
        if step == 0 {
            return Err(Error::Wrong("the step of a loop is zero".into()));
        }
        let place = Access::whole(variable);
        let ty = frame.procedure.variables[variable].ty;
        let trips = ((upper - lower + step) / step).max(0);
        for trip in 0..trips {
            self.steps = self.steps.checked_sub(1).ok_or(Error::StepLimit)?;
            let value = fit(Cell::Int(lower + trip * step), ty)?;
            self.store(frame, &place, value)?;
            let flow = self.block(frame, body)?;
            if let Some(flow) = after_body(flow, label) {
                return Ok(flow);
            }
        }
        self.store(frame, &place, fit(Cell::Int(lower + trips * step), ty)?)?;
        Ok(Flow::Next)
    }

    fn chosen(
        &mut self,
        frame: &Frame<'m>,
        selector: ExprId,
        arms: &'m [CaseArm],
    ) -> Result<Option<&'m Block>> {
        let value = self.evaluate(frame, selector)?;
        for arm in arms {
            for label in &arm.labels {
                if self.fits(frame, &value, label)? {
                    return Ok(Some(&arm.body));
                }
            }
        }
        Ok(None)
    }

    fn fits(&mut self, frame: &Frame<'m>, value: &Cell, label: &CaseLabel) -> Result<bool> {
        use crate::expr::BinaryOp::{Equal, GreaterEqual, LessEqual};
        let tests = match *label {
            CaseLabel::Value(label) => vec![(Equal, label)],
            CaseLabel::Range(lower, upper) => lower
                .map(|lower| (GreaterEqual, lower))
                .into_iter()
                .chain(upper.map(|upper| (LessEqual, upper)))
                .collect(),
        };
        for (op, bound) in tests {
            let bound = self.evaluate(frame, bound)?;
            if super::operations::binary(op, value.clone(), bound)? != Cell::Logical(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn copy(&mut self, frame: &Frame<'m>, target: &Access, source: &Access) -> Result<()> {
        let (to, from) = (self.locate(frame, target)?, self.locate(frame, source)?);
        let size = self.size_of(from.ty) as i64;
        let (places, sources) = (self.elements(&to)?, self.elements(&from)?);
        if places.len() != sources.len() {
            return Err(Error::Wrong("arrays of different sizes are copied".into()));
        }
        for (place, source) in places.into_iter().zip(sources) {
            for n in 0..size {
                let cell = self.memory.get(from.buffer, source + n).cloned();
                let cell = cell.ok_or_else(|| Error::OutOfBounds("copy".into()))?;
                self.memory.set(to.buffer, place + n, cell, "copy")?;
            }
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        frame: &mut Frame<'m>,
        target: &Access,
        shape: &[(Option<ExprId>, ExprId)],
        zeroed: bool,
    ) -> Result<()> {
        let mut extents = Vec::new();
        for &(lower, extent) in shape {
            let lower = match lower {
                Some(lower) => self.integer(frame, lower)?,
                None => 1,
            };
            extents.push((lower, self.integer(frame, extent)?));
        }
        let variable = &frame.procedure.variables[target.var];
        if !target.path.is_empty() {
            return Err(Error::Unsupported("an allocated component".into()));
        }
        let (ty, is_value) = match variable.ty {
            Type::Pointer(pointer) => (self.module.pointers[pointer].target, true),
            ty => (ty, false),
        };
        let view = self.fresh(ty, &extents);
        if zeroed {
            let zero = zero_of(ty)?;
            self.memory.cells(view.buffer).fill(zero);
        }
        if is_value {
            let (buffer, offset) = (view.buffer, 0);
            let cell = Cell::Pointer(Some(Target { buffer, offset }));
            return self.store(frame, target, cell);
        }
        let mut view = view;
        if variable.allocation == Allocation::Fixed {
            // A C pointer used as an array: it counts from zero.
            view.dims.iter_mut().for_each(|dim| dim.lower = 0);
        }
        self.count(frame, target.var, &view);
        self.set_view(frame, target.var, Some(view));
        Ok(())
    }

    fn free(&mut self, frame: &mut Frame<'m>, target: &Access) -> Result<()> {
        let view = self.locate(frame, target)?;
        if let (Type::Pointer(_), Some(Cell::Pointer(Some(pointed)))) =
            (view.ty, self.memory.get(view.buffer, view.offset).cloned())
        {
            self.memory.cells(pointed.buffer).clear();
            return self.store(frame, target, Cell::Undefined);
        }
        self.kept.release(view.buffer);
        // The buffer keeps its number: other pointers to it find it empty.
        self.memory.cells(view.buffer).clear();
        self.set_view(frame, target.var, None);
        Ok(())
    }

    fn point(
        &mut self,
        frame: &mut Frame<'m>,
        target: &Access,
        value: Option<&Access>,
        is_pointer: bool,
        offset: Option<ExprId>,
        bounds: &[(ExprId, Option<ExprId>)],
    ) -> Result<()> {
        let elements = match offset {
            Some(offset) => self.integer(frame, offset)?,
            None => 0,
        };
        let variable = &frame.procedure.variables[target.var];
        let by_value = !target.path.is_empty() || matches!(variable.ty, Type::Pointer(_));
        let Some(value) = value else {
            if by_value {
                return self.store(frame, target, Cell::Pointer(None));
            }
            self.set_view(frame, target.var, None);
            return Ok(());
        };
        let mut view = self.locate(frame, value)?;
        if let (true, Type::Pointer(pointer)) = (is_pointer, view.ty) {
            let pointed = match self.memory.get(view.buffer, view.offset) {
                Some(Cell::Pointer(Some(pointed))) => *pointed,
                _ => return Err(Error::Undefined(self.describe(frame.id, value))),
            };
            view = self.pointed(pointed, self.module.pointers[pointer].target);
        }
        let step = view
            .dims
            .first()
            .map_or(self.size_of(view.ty) as i64, |dim| dim.stride);
        view.offset += elements * step;
        if by_value {
            let (buffer, offset) = (view.buffer, view.offset);
            let cell = Cell::Pointer(Some(Target { buffer, offset }));
            return self.store(frame, target, cell);
        }
        if variable.allocation == Allocation::Fixed && variable.is_array() {
            let (buffer, offset) = (view.buffer, view.offset);
            view = self.pointed(Target { buffer, offset }, view.ty);
        }
        self.bound_anew(frame, &mut view, bounds)?;
        self.set_view(frame, target.var, Some(view));
        Ok(())
    }
}

fn zero_of(ty: Type) -> Result<Cell> {
    match ty {
        Type::Integer { .. } => Ok(Cell::Int(0)),
        Type::Real { .. } => Ok(Cell::Real(0.0)),
        Type::Complex { .. } => Ok(Cell::Complex(0.0, 0.0)),
        Type::Logical { .. } => Ok(Cell::Logical(false)),
        Type::Pointer(_) => Ok(Cell::Pointer(None)),
        other => Err(Error::Unsupported(format!("zeroed memory of {other:?}"))),
    }
}
