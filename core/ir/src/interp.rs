//! Executes procedures on values, exactly as the IR says and with every check that it can make:
//! the reference for what a transformation must preserve.
//!
//! Memory is a set of buffers of cells; a cell holds one scalar or is undefined, and reading an
//! undefined cell is an error. A variable is a view of a buffer (offset, and per dimension the
//! lower bound, extent and stride), so that arguments by reference, sections, sequence association,
//! allocatables and pointers need no copies. COMMON blocks and overlaid variables are addressed by
//! bytes; a value must be read through the type that it was written with.
//!
//! Reals of four bytes are rounded after each operation. Signed integers must not overflow,
//! unsigned ones wrap. Both operands of `And` and `Or` are evaluated: who relies on the contrary
//! must say `AndThen`. Not executed: external procedures, quoted text that writes, `Required`.

use std::collections::HashMap;
use std::fmt;

use crate::expr::Access;
use crate::module::{Module, ProcedureId};
use crate::types::VarId;

mod call;
mod evaluate;
mod execute;
mod frame;
mod intrinsics;
mod kept;
mod memory;
mod operations;
mod place;

pub use kept::Counts;
use memory::{Cell, Memory, View};

/// Statements that are executed before the interpreter gives up, if nothing else is said.
pub const STEP_LIMIT: u64 = 10_000_000;

/// An argument or a result. Arrays list their elements in memory order, fastest dimension first.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A real.
    Real(f64),
    /// An integer.
    Int(i64),
    /// A truth value.
    Logical(bool),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// An array of reals.
    RealArray {
        /// Elements per dimension.
        shape: Vec<usize>,
        /// All elements.
        data: Vec<f64>,
    },
    /// An array of integers.
    IntArray {
        /// Elements per dimension.
        shape: Vec<usize>,
        /// All elements.
        data: Vec<i64>,
    },
    /// An array of truth values.
    LogicalArray {
        /// Elements per dimension.
        shape: Vec<usize>,
        /// All elements.
        data: Vec<bool>,
    },
    /// A procedure.
    Procedure(ProcedureId),
    /// Memory that holds nothing yet: of a scalar, or of an array of that shape. What the callee
    /// leaves there is given back as a value, if all of it is defined.
    Undefined(Vec<usize>),
    /// An omitted optional argument, a null pointer.
    Absent,
}

impl Value {
    /// A vector of reals.
    pub fn reals(data: Vec<f64>) -> Self {
        Value::RealArray {
            shape: vec![data.len()],
            data,
        }
    }

    /// The number that a real scalar is.
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Value::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The elements of an array of reals; a real scalar is one element.
    pub fn as_reals(&self) -> Option<&[f64]> {
        match self {
            Value::Real(value) => Some(std::slice::from_ref(value)),
            Value::RealArray { data, .. } => Some(data),
            _ => None,
        }
    }
}

/// Why a run ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// An element outside its array.
    OutOfBounds(String),
    /// A value that nothing has given yet.
    Undefined(String),
    /// More statements than allowed.
    StepLimit,
    /// The program stopped itself.
    Stopped,
    /// Something that the interpreter does not execute.
    Unsupported(String),
    /// The program is wrong: a division of integers by zero, an overflow, a value of another type.
    Wrong(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::OutOfBounds(what) => write!(f, "outside its array: {what}"),
            Error::Undefined(what) => write!(f, "read before it is given a value: {what}"),
            Error::StepLimit => write!(f, "more statements than allowed"),
            Error::Stopped => write!(f, "the program stopped itself"),
            Error::Unsupported(what) => write!(f, "not executed by the interpreter: {what}"),
            Error::Wrong(what) => write!(f, "wrong program: {what}"),
        }
    }
}

impl std::error::Error for Error {}

type Result<T> = std::result::Result<T, Error>;

/// Runs one procedure with fresh global memory. Arguments passed by reference hold afterwards what
/// the procedure left in them. Gives back a function's value.
pub fn run(
    module: &Module,
    procedure: ProcedureId,
    arguments: &mut [Value],
) -> Result<Option<Value>> {
    Machine::new(module).run(procedure, arguments)
}

/// A program with its global memory, which calls share.
pub struct Machine<'m> {
    module: &'m Module,
    memory: Memory,
    globals: Vec<Option<View>>,
    commons: Vec<Option<View>>,
    saved: HashMap<(ProcedureId, VarId), Option<View>>,
    steps: u64,
    depth: usize,
    kept: kept::Kept,
}

impl<'m> Machine<'m> {
    /// A program whose globals are undefined.
    pub fn new(module: &'m Module) -> Self {
        Self {
            module,
            memory: Memory::default(),
            globals: vec![None; module.globals.len()],
            commons: vec![None; module.commons.len()],
            saved: HashMap::new(),
            steps: STEP_LIMIT,
            depth: 0,
            kept: kept::Kept::default(),
        }
    }

    /// Allows so many statements from here on.
    pub fn limit(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// The bytes that tapes and snapshots hold, now and at most.
    pub fn kept(&self) -> Counts {
        self.kept.counts()
    }

    /// Runs a procedure; see [`run`].
    pub fn run(
        &mut self,
        procedure: ProcedureId,
        arguments: &mut [Value],
    ) -> Result<Option<Value>> {
        let callee = &self.module.procedures[procedure];
        if callee.arguments.len() != arguments.len() {
            return Err(Error::Wrong(format!(
                "`{}` takes {} arguments and is given {}",
                callee.name,
                callee.arguments.len(),
                arguments.len()
            )));
        }
        let mut actuals = Vec::new();
        for (value, &formal) in arguments.iter().zip(&callee.arguments) {
            actuals.push(self.actual_of(value, &callee.variables[formal]));
        }
        let result = self.call(procedure, &mut actuals)?;
        for (value, actual) in arguments.iter_mut().zip(&actuals) {
            if let call::Actual::View(view) = actual {
                if let Some(left) = self.value_of(view) {
                    *value = left;
                }
                self.memory.release(view.buffer);
            }
        }
        Ok(result.as_ref().and_then(value_of_cell))
    }

    /// Memory that holds an argument's value.
    fn actual_of(&mut self, value: &Value, formal: &crate::types::Variable) -> call::Actual {
        let (shape, cells): (&[usize], Vec<Cell>) = match value {
            Value::Real(v) => (&[], vec![Cell::Real(*v)]),
            Value::Int(v) => (&[], vec![Cell::Int(i128::from(*v))]),
            Value::Logical(v) => (&[], vec![Cell::Logical(*v)]),
            Value::Complex(re, im) => (&[], vec![Cell::Complex(*re, *im)]),
            Value::RealArray { shape, data } => {
                (shape, data.iter().map(|&v| Cell::Real(v)).collect())
            }
            Value::IntArray { shape, data } => (
                shape,
                data.iter().map(|&v| Cell::Int(i128::from(v))).collect(),
            ),
            Value::LogicalArray { shape, data } => {
                (shape, data.iter().map(|&v| Cell::Logical(v)).collect())
            }
            Value::Procedure(id) => return call::Actual::Procedure(*id),
            Value::Undefined(shape) => {
                let count = shape.iter().product::<usize>() * self.size_of(formal.ty);
                (shape, vec![Cell::Undefined; count])
            }
            Value::Absent => return call::Actual::Absent,
        };
        let size = self.size_of(formal.ty);
        let buffer = self.memory.reserve(0);
        *self.memory.cells(buffer) = cells;
        let extents: Vec<(i64, i64)> = shape.iter().map(|&n| (1, n as i64)).collect();
        call::Actual::View(View::contiguous(buffer, 0, formal.ty, size, &extents))
    }

    /// What memory holds, if all of it is defined and of one kind.
    fn value_of(&self, view: &View) -> Option<Value> {
        if view.dims.is_empty() {
            return value_of_cell(self.memory.get(view.buffer, view.offset)?);
        }
        let cells: Vec<&Cell> = view
            .addresses()?
            .into_iter()
            .map(|address| self.memory.get(view.buffer, address))
            .collect::<Option<_>>()?;
        let shape = view.dims.iter().map(|d| d.extent.unwrap_or(0) as usize);
        let shape: Vec<usize> = shape.collect();
        match cells.first() {
            Some(Cell::Int(_)) => Some(Value::IntArray {
                shape,
                data: cells
                    .iter()
                    .map(|cell| match cell {
                        Cell::Int(v) => i64::try_from(*v).ok(),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
            }),
            Some(Cell::Logical(_)) => Some(Value::LogicalArray {
                shape,
                data: cells
                    .iter()
                    .map(|cell| match cell {
                        Cell::Logical(v) => Some(*v),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
            }),
            _ => Some(Value::RealArray {
                shape,
                data: cells
                    .iter()
                    .map(|cell| match cell {
                        Cell::Real(v) => Some(*v),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
            }),
        }
    }

    /// Gives a module variable or C global its value; arrays of constant shape only.
    pub fn set_global(&mut self, name: &str, value: &Value) -> Result<()> {
        let view = self.global_named(name)?;
        let elements: Vec<Cell> = match value {
            Value::Real(v) => vec![Cell::Real(*v)],
            Value::Int(v) => vec![Cell::Int(i128::from(*v))],
            Value::Logical(v) => vec![Cell::Logical(*v)],
            Value::RealArray { data, .. } => data.iter().map(|&v| Cell::Real(v)).collect(),
            Value::IntArray { data, .. } => {
                data.iter().map(|&v| Cell::Int(i128::from(v))).collect()
            }
            _ => return Err(Error::Unsupported(format!("setting `{name}` so"))),
        };
        let addresses = view
            .addresses()
            .filter(|addresses| addresses.len() == elements.len())
            .ok_or_else(|| Error::Wrong(format!("`{name}` has another shape")))?;
        for (address, cell) in addresses.into_iter().zip(elements) {
            self.memory.set(view.buffer, address, cell, name)?;
        }
        Ok(())
    }

    /// The value of a module variable or C global, if all of it is defined.
    pub fn global(&mut self, name: &str) -> Result<Option<Value>> {
        let view = self.global_named(name)?;
        Ok(self.value_of(&view))
    }

    fn global_named(&mut self, name: &str) -> Result<View> {
        let id = self
            .module
            .globals
            .iter()
            .find(|(_, global)| global.name.eq_ignore_ascii_case(name))
            .map(|(id, _)| id)
            .ok_or_else(|| Error::Wrong(format!("there is no global `{name}`")))?;
        self.global_view(id)?
            .ok_or_else(|| Error::Undefined(format!("`{name}` has no memory")))
    }

    fn describe(&self, procedure: ProcedureId, access: &Access) -> String {
        let procedure = &self.module.procedures[procedure];
        format!(
            "`{}` in `{}`",
            procedure.variables[access.var].name, procedure.name
        )
    }
}

fn value_of_cell(cell: &Cell) -> Option<Value> {
    match cell {
        Cell::Real(v) => Some(Value::Real(*v)),
        Cell::Int(v) => i64::try_from(*v).ok().map(Value::Int),
        Cell::Logical(v) => Some(Value::Logical(*v)),
        Cell::Complex(re, im) => Some(Value::Complex(*re, *im)),
        Cell::Undefined | Cell::Text(_) | Cell::Pointer(_) => None,
    }
}
