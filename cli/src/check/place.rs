//! Where the driver's variables are: what it passes itself, and what stands inside records, modules and
//! COMMON blocks.
//!
//! Each variable of the experiment has a buffer of its own in the driver. One that has a [`Place`] is
//! copied into it before each call and back after it.

use super::experiment::Element;
use contraflow_ir::{ContainerKind, Module, RecordId, Type};

/// A thing that the driver passes or finds, and that holds variables of the experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Holder {
    /// Its name in the source.
    pub name: String,
    /// Where it is.
    pub root: Root,
    /// Its type, if it is a record.
    pub record: Option<RecordType>,
    /// Its dimensions, fastest first; empty for a scalar.
    pub dims: Vec<Span>,
    /// Who makes its memory.
    pub memory: Memory,
    /// Whether the primal gets a copy.
    pub by_value: bool,
}

/// Where a holder is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// Passed as an argument, or the function's value.
    Passed,
    /// A variable of a module or translation unit.
    Global {
        /// The Fortran module.
        module: Option<String>,
        /// Whether only its translation unit sees it.
        is_static: bool,
        /// Its shadow in the tangent.
        tangent: Option<String>,
        /// Its shadow in the adjoint.
        adjoint: Option<String>,
    },
    /// A member of a COMMON block.
    Common {
        /// The block.
        block: String,
        /// Its members as the head declares them, up to the last.
        members: Vec<Member>,
        /// The tangent's block of shadows.
        tangent: Option<String>,
        /// The adjoint's block of shadows.
        adjoint: Option<String>,
    },
}

/// A member of a COMMON block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The type of an element.
    pub element: Element,
    /// Its dimensions, fastest first.
    pub dims: Vec<Span>,
    /// Whether it is the variable that is meant.
    pub is_meant: bool,
}

/// A derived type or struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordType {
    /// Which.
    pub id: RecordId,
    /// Its name.
    pub name: String,
    /// The Fortran module that declares it.
    pub module: Option<String>,
}

/// One dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The smallest subscript.
    pub lower: i64,
    /// The number of elements.
    pub count: u64,
}

/// Who makes the memory of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Memory {
    /// Its declaration.
    #[default]
    Fixed,
    /// The driver: a Fortran allocatable.
    Allocatable,
    /// The driver: a pointer.
    Pointer,
}

/// The place of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Index of the holder.
    pub holder: usize,
    /// The components that lead from it to the variable; none if it is the holder itself.
    pub steps: Vec<Step>,
}

/// A component of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its dimensions, fastest first.
    pub dims: Vec<Span>,
    /// Who makes its memory.
    pub memory: Memory,
}

impl Holder {
    /// Whether the derivatives have a shadow of it in the program.
    pub fn has_shadow_in_program(&self) -> bool {
        match &self.root {
            Root::Passed => false,
            Root::Global {
                tangent, adjoint, ..
            }
            | Root::Common {
                tangent, adjoint, ..
            } => tangent.is_some() || adjoint.is_some(),
        }
    }

    /// Whether it is passed.
    pub fn is_passed(&self) -> bool {
        self.root == Root::Passed
    }
}

/// What a record is called, and where it is declared.
pub fn record_type(module: &Module, id: RecordId) -> RecordType {
    let record = &module.records[id];
    let container = record.container.map(|id| &module.containers[id]);
    RecordType {
        id,
        name: record.name.clone(),
        module: container
            .filter(|container| container.kind == ContainerKind::Module)
            .map(|container| container.name.clone()),
    }
}

/// What a C driver declares for the records that it passes: structs of the same layout. The record's
/// index names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mirror {
    /// Index of the record.
    pub record: usize,
    /// Name, type, number of elements, and whether it is a pointer.
    pub fields: Vec<MirrorField>,
}

/// A component of a mirrored struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirrorField {
    /// Its name.
    pub name: String,
    /// The type of an element.
    pub ty: Type,
    /// The number of elements of an array.
    pub count: Option<u64>,
}

/// The mirrors of the records that the holders have, those inside others first.
///
/// # Errors
/// The name of a component whose layout is not known.
pub fn mirrors(module: &Module, holders: &[Holder]) -> Result<Vec<Mirror>, String> {
    let mut found = Vec::new();
    for holder in holders {
        if let Some(record) = &holder.record {
            mirror(module, record.id, &mut found)?;
        }
    }
    Ok(found)
}

fn mirror(module: &Module, id: RecordId, found: &mut Vec<Mirror>) -> Result<(), String> {
    if found.iter().any(|known| known.record == id.index()) {
        return Ok(());
    }
    let record = &module.records[id];
    if record.is_union {
        return Err(record.name.clone());
    }
    let mut fields = Vec::new();
    for field in &record.fields {
        if let Type::Record(inner) = field.ty {
            mirror(module, inner, found)?;
        }
        let counts: Option<Vec<i64>> = field.shape.iter().map(|dim| dim.1).collect();
        let count = counts.ok_or_else(|| field.name.clone())?;
        let is_known = !matches!(field.ty, Type::Unknown | Type::Void);
        if !is_known {
            return Err(field.name.clone());
        }
        fields.push(MirrorField {
            name: field.name.clone(),
            ty: field.ty,
            count: (!count.is_empty()).then(|| count.iter().product::<i64>().unsigned_abs()),
        });
    }
    found.push(Mirror {
        record: id.index(),
        fields,
    });
    Ok(())
}
