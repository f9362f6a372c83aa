//! What the driver does, without a word of Fortran or C: the head's variables with their sizes and
//! values, and how the primal, the tangent and the adjoint are called.

use super::place::{Holder, Memory, Mirror, Place, Root};
use super::values::Values;
use crate::kept::Expected;
use contraflow_ir::{Home, ProcedureId};

/// The whole experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// The head's name.
    pub head: String,
    /// The name of the head that starts anew at each call, where the head itself keeps something.
    pub copy: Option<String>,
    /// Where the head stands; its derivatives stand there too.
    pub home: Home,
    /// The Fortran module that it stands in.
    pub module: Option<String>,
    /// Whether other translation units do not see the head.
    pub is_private: bool,
    /// Everything that has values.
    pub variables: Vec<Quantity>,
    /// What holds those variables that are not passed by themselves.
    pub holders: Vec<Holder>,
    /// Procedures that are passed.
    pub procedures: Vec<Passed>,
    /// The structs that a C driver declares.
    pub mirrors: Vec<Mirror>,
    /// What is called before each call of the head or of a derivative.
    pub before: Vec<Before>,
    /// The head's call.
    pub primal: Call,
    /// Where the function's value goes.
    pub result: Option<Item>,
    /// The tangent's call.
    pub tangent: Call,
    /// The adjoint's call.
    pub adjoint: Call,
    /// Shadows of memory that no variable of the experiment stands for: they are cleared.
    pub stale: Vec<Stale>,
    /// Whether derivatives pass through numbers of single precision.
    pub is_single: bool,
    /// How many random directions and seeds are tried.
    pub seeds: u32,
    /// The widest step of the differences, if the user says.
    pub step: Option<f64>,
    /// What is expected of an adjoint that counts the bytes that it keeps.
    pub kept: Option<Expected>,
}

/// A variable of the head: it has a buffer of its own in the driver.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantity {
    /// Its name in the source; components are separated by `%`.
    pub name: String,
    /// The type of an element.
    pub element: Element,
    /// The number of elements per dimension, fastest first; empty for a scalar.
    pub shape: Vec<u64>,
    /// Whether it is an input of the derivative.
    pub independent: bool,
    /// Whether it is an output of the derivative.
    pub dependent: bool,
    /// What it starts with.
    pub values: Values,
    /// Where it is; `None` if its buffer is passed.
    pub place: Option<Place>,
}

impl Quantity {
    /// The number of elements.
    pub fn count(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// Types that a driver can declare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Element {
    /// A real of 4 or 8 bytes.
    Real(u8),
    /// A complex with parts of 4 or 8 bytes.
    Complex(u8),
    /// An integer with its width and whether it is signed.
    Integer(u8, bool),
    /// A truth value with its width.
    Logical(u8),
    /// A text of so many characters; 0: as many as the value has.
    Character(u64),
}

impl Element {
    /// Whether a derivative can flow through it.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Real(_) | Self::Complex(_))
    }

    /// Whether it has single precision.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Real(4) | Self::Complex(4))
    }
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The procedure's name.
    pub name: String,
    /// Its actual arguments in order.
    pub actuals: Vec<Actual>,
    /// The labels that it takes (alternate returns).
    pub labels: Option<Labels>,
}

/// Labels among the arguments of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    /// The variable, by its index in [`Experiment::variables`], that gets the number of the label that
    /// the procedure returns to; 0: none.
    pub which: usize,
    /// How many actual arguments stand before each label.
    pub places: Vec<usize>,
}

/// An actual argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Actual {
    /// What is passed.
    pub item: Item,
    /// Whether it is the item's shadow.
    pub shadow: bool,
    /// Whether a copy is passed.
    pub by_value: bool,
    /// What receives it.
    pub formal: Formal,
}

/// What can be passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A variable, by its index in [`Experiment::variables`].
    Variable(usize),
    /// A holder, by its index in [`Experiment::holders`].
    Holder(usize),
    /// A procedure, by its index in [`Experiment::procedures`].
    Procedure(usize),
    /// Nothing: an optional argument is left out.
    Absent,
}

/// A procedure that is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    /// Its name.
    pub name: String,
    /// The Fortran module that it stands in.
    pub module: Option<String>,
    /// The type of its value.
    pub value: Option<Element>,
}

/// A formal argument, as an interface declares it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Formal {
    /// Its name.
    pub name: String,
    /// The number of dimensions.
    pub rank: usize,
    /// Whether it takes its shape from the actual argument.
    pub is_assumed: bool,
    /// Who makes its memory.
    pub memory: Memory,
    /// Whether it may be left out.
    pub is_optional: bool,
}

impl Formal {
    /// Whether the caller must know its declaration.
    pub fn needs_interface(&self) -> bool {
        self.is_assumed || self.is_optional || self.memory != Memory::Fixed
    }
}

/// A procedure that is called before the head.
#[derive(Clone, PartialEq, Debug)]
pub struct Before {
    /// The procedure.
    pub id: ProcedureId,
    /// Its name.
    pub name: String,
    /// The Fortran module that it stands in.
    pub module: Option<String>,
    /// Whether only its translation unit sees it.
    pub is_private: bool,
    /// Its arguments, filled anew for each call.
    pub variables: Vec<Quantity>,
    /// Which of them are passed by value.
    pub by_value: Vec<bool>,
    /// The declarations that receive them.
    pub formals: Vec<Formal>,
}

/// A shadow that is cleared before each derivative.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stale {
    /// A variable of a module or translation unit.
    Global {
        /// The Fortran module.
        module: Option<String>,
        /// Its name.
        name: String,
        /// Bytes, for C.
        bytes: u64,
        /// Whether its memory is made at run time.
        is_dynamic: bool,
    },
    /// A COMMON block of shadows.
    Common {
        /// The block.
        block: String,
        /// Its length in bytes.
        bytes: u64,
    },
}

impl Experiment {
    /// Indices of the independents.
    pub fn independents(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.variables.len()).filter(|&index| self.variables[index].independent)
    }

    /// Indices of the dependents.
    pub fn dependents(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.variables.len()).filter(|&index| self.variables[index].dependent)
    }

    /// The widest step of the differences, and how many are tried, each a tenth of the one before.
    pub fn steps(&self) -> (f64, u32) {
        let is_single = self
            .variables
            .iter()
            .any(|v| (v.independent || v.dependent) && v.element.is_single());
        match is_single {
            true => (self.step.unwrap_or(1e-1), 3),
            false => (self.step.unwrap_or(1e-2), 6),
        }
    }

    /// Whether a call gets the shadow of an item.
    pub fn gets_shadow(call: &Call, item: Item) -> bool {
        call.actuals
            .iter()
            .any(|actual| actual.shadow && actual.item == item)
    }

    /// The active variables that have shadows in the driver.
    pub fn shadowed(&self) -> impl Iterator<Item = (usize, &Quantity)> {
        self.variables
            .iter()
            .enumerate()
            .filter(|&(index, variable)| {
                let has_own = variable
                    .place
                    .as_ref()
                    .is_some_and(|place| self.holders[place.holder].has_shadow_in_program());
                let item = match &variable.place {
                    Some(place) => Item::Holder(place.holder),
                    None => Item::Variable(index),
                };
                variable.element.is_active()
                    && (variable.independent
                        || variable.dependent
                        || has_own
                        || Self::gets_shadow(&self.tangent, item)
                        || Self::gets_shadow(&self.adjoint, item))
            })
    }

    /// Whether a variable has shadows in the driver.
    pub fn is_shadowed(&self, index: usize) -> bool {
        self.shadowed().any(|(other, _)| other == index)
    }

    /// Whether the adjoint takes the shadow of an output as a copy.
    pub fn takes_seed_by_value(&self, index: usize) -> bool {
        self.adjoint
            .actuals
            .iter()
            .any(|actual| actual.shadow && actual.by_value && actual.item == Item::Variable(index))
    }

    /// Whether only the head's own translation unit sees all that the driver must see.
    pub fn needs_translation_unit(&self) -> bool {
        let is_static = |holder: &Holder| {
            matches!(
                holder.root,
                Root::Global {
                    is_static: true,
                    ..
                }
            )
        };
        self.is_private
            || self.holders.iter().any(is_static)
            || self.before.iter().any(|call| call.is_private)
    }

    /// The variables inside holders, with their places.
    pub fn placed(&self) -> impl Iterator<Item = (usize, &Quantity, &Place)> {
        self.variables
            .iter()
            .enumerate()
            .filter_map(|(index, variable)| Some((index, variable, variable.place.as_ref()?)))
    }
}
