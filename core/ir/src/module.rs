//! The whole program.

use crate::arena::{Arena, Id};
use crate::expr::ExprNode;
use crate::source::{FileId, Span};
use crate::stmt::{Block, StmtNode};
use crate::types::{Allocation, Storage, Type, VarId, Variable};
use std::collections::BTreeMap;

/// Names a procedure.
pub type ProcedureId = Id<Procedure>;
/// Names a container.
pub type ContainerId = Id<Container>;
/// Names a global.
pub type GlobalId = Id<Global>;
/// Names a COMMON block.
pub type CommonId = Id<CommonBlock>;
/// Names a record.
pub type RecordId = Id<Record>;
/// Names a pointer type.
pub type PointerId = Id<Pointer>;

/// A whole program in one representation.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Module {
    /// Fortran modules and programs, C translation units.
    pub containers: Arena<Container>,
    /// Variables that outlive all calls.
    pub globals: Arena<Global>,
    /// COMMON blocks.
    pub commons: Arena<CommonBlock>,
    /// Derived types, structs, unions.
    pub records: Arena<Record>,
    /// Types of pointer values.
    pub pointers: Arena<Pointer>,
    /// Procedures, primal and derived.
    pub procedures: Arena<Procedure>,
    /// The globals that only procedures of this program can name, or that are constant, and whose
    /// declarations are understood; with the globals that pointers in them lead to when the program starts.
    pub initial_targets: BTreeMap<GlobalId, Vec<GlobalId>>,
}

/// A scope that holds globals and procedures.
#[derive(Clone, PartialEq, Debug)]
pub struct Container {
    /// The name; of a translation unit: the file's stem.
    pub name: String,
    /// What it is.
    pub kind: ContainerKind,
    /// The file.
    pub file: FileId,
    /// All of its text.
    pub span: Span,
    /// Where declarations are added: byte offset in the original file (before `CONTAINS` or
    /// `END`; after the last include of a translation unit).
    pub declare_at: u32,
    /// Where procedures are added: byte offset in the original file (before `END MODULE`; the end
    /// of a translation unit).
    pub insert_at: u32,
    /// Whether `CONTAINS` is already there.
    pub has_contains: bool,
}

/// The kind of a container.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContainerKind {
    /// A Fortran module.
    Module,
    /// A Fortran submodule.
    Submodule,
    /// A Fortran main program.
    Program,
    /// A C file with what it includes.
    TranslationUnit,
    /// A scope that no source has: the state of derived procedures. Its file is that of
    /// [`Span::NONE`]; back ends write it anew.
    Generated,
}

/// A variable that outlives all calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// The name in the source.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The scope.
    pub container: Option<ContainerId>,
    /// Who sees it.
    pub kind: GlobalKind,
    /// Whether other modules cannot use it (`PRIVATE`).
    pub is_private: bool,
    /// The type of an element.
    pub ty: Type,
    /// The type as spelt.
    pub spelling: Option<String>,
    /// `(lower, extent)` per dimension, fastest first; `None` as extent: deferred.
    pub shape: Vec<(i64, Option<i64>)>,
    /// Who makes the memory.
    pub allocation: Allocation,
    /// The variable that it is the shadow of, for generated ones.
    pub shadow_of: Option<GlobalId>,
    /// The variable of a procedure whose type, length and values from the declaration
    /// ([`Variable::initial`], [`Variable::values`]) it has: saved locals that became globals.
    pub declared_by: Option<(ProcedureId, VarId)>,
}

/// Who sees a global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKind {
    /// A module variable.
    Module,
    /// A named constant of a module.
    Constant,
    /// A C variable with external linkage.
    External,
    /// A C variable of one translation unit (`static`).
    FileStatic,
    /// A saved local that the entries of one Fortran procedure share. No other procedure can name it.
    Saved,
}

/// A COMMON block.
#[derive(Clone, PartialEq, Debug)]
pub struct CommonBlock {
    /// The name; empty for blank COMMON.
    pub name: String,
    /// Its largest length in bytes.
    pub bytes: u64,
}

/// A derived type, struct or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The name as declared (`struct point`, `particle`); empty for an anonymous one.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The scope.
    pub container: Option<ContainerId>,
    /// The components in order.
    pub fields: Vec<Field>,
    /// Whether all components share their memory.
    pub is_union: bool,
    /// Whether only types that extend it have objects.
    pub is_abstract: bool,
    /// Whether a procedure is called for objects that cease to be (`FINAL`).
    pub has_final: bool,
    /// Whether other modules cannot name it (`PRIVATE`).
    pub is_private: bool,
    /// Where only the body of one procedure declares it: its components as the source writes them. Other
    /// bodies that use it declare it again.
    pub local: Option<String>,
}

/// A component of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The type of an element.
    pub ty: Type,
    /// The type as spelt.
    pub spelling: Option<String>,
    /// `(lower, extent)` per dimension, fastest first; `None` as extent: deferred.
    pub shape: Vec<(i64, Option<i64>)>,
    /// Who makes the memory.
    pub allocation: Allocation,
    /// Whether it is a pointer through which nothing may be written (C `const` on the pointee).
    pub read_only: bool,
    /// Whether only the module of the type can name it (`PRIVATE`).
    pub is_private: bool,
    /// What the object in a component of CLASS is if it is of this component's type: the position of
    /// the component that the source declares, whose own type is `Unknown`. At most one of the
    /// components that stand for it has memory.
    pub variant_of: Option<u32>,
}

impl Field {
    /// Whether the component of a position stands for the objects of CLASS of another one.
    pub fn stands_for(&self, position: usize) -> bool {
        self.variant_of.is_some_and(|of| of as usize == position)
    }
}

/// The type of a pointer value.
#[derive(Clone, PartialEq, Debug)]
pub struct Pointer {
    /// What it points to.
    pub target: Type,
    /// The type of the target as spelt.
    pub spelling: Option<String>,
}

/// A procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    /// The name in the source.
    pub name: String,
    /// Where it stands.
    pub home: Home,
    /// Subroutine or function.
    pub kind: ProcedureKind,
    /// Primal, or what it was derived from.
    pub role: ProcedureRole,
    /// Formal arguments in order.
    pub arguments: Vec<VarId>,
    /// Its variables: arguments, locals, the globals that it uses, its named constants.
    pub variables: Arena<Variable>,
    /// Its expressions.
    pub exprs: Arena<ExprNode>,
    /// Its statements.
    pub stmts: Arena<StmtNode>,
    /// What it does.
    pub body: Block,
    /// Whether other translation units do not see it (`static`, `PRIVATE`).
    pub is_private: bool,
    /// Whether it may be active more than once at a time.
    pub is_recursive: bool,
    /// Whether it promises no side effects (`PURE`, `ELEMENTAL`).
    pub is_pure: bool,
    /// Whether it applies to arrays element by element.
    pub is_elemental: bool,
    /// The labels that it takes (alternate returns).
    pub labels: Option<Labels>,
    /// The variable of a function's value where that is memory, a pointer or an allocatable: the
    /// representation has a subroutine with it as the last argument, nothing allocated at entry.
    pub gives: Option<VarId>,
    /// How derived procedures pass new scalars (the function's value's shadow, sizes): by value (C)
    /// or by reference (Fortran).
    pub scalars_by_value: bool,
    /// Whether the source has its body (false: only an interface or a prototype).
    pub has_body: bool,
}

/// Labels among the arguments of a subroutine: it returns to the one that a variable tells.
///
/// That variable is the last argument of what IR calls. A procedure that has it among its arguments
/// no more takes the labels themselves, as the head does that the user calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    /// Which label is returned to, counted from 1; another number: none.
    pub which: VarId,
    /// How many arguments stand before each label.
    pub places: Vec<usize>,
}

/// Subroutine or function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcedureKind {
    /// Returns nothing.
    Subroutine,
    /// Returns the value of a variable of storage `Result`.
    Function {
        /// That variable.
        result: VarId,
    },
}

/// What a procedure is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcedureRole {
    /// The user's.
    Primal,
    /// An internal procedure outside of its host: what it uses of the host is passed to it.
    Lifted {
        /// Of whom.
        of: ProcedureId,
    },
    /// Primal results and directional derivative.
    Tangent {
        /// Of whom.
        of: ProcedureId,
    },
    /// Primal results and gradient.
    Adjoint {
        /// Of whom.
        of: ProcedureId,
    },
    /// The forward sweep of a split adjoint.
    Forward {
        /// Of whom.
        of: ProcedureId,
    },
    /// The backward sweep of a split adjoint.
    Backward {
        /// Of whom.
        of: ProcedureId,
    },
    /// The primal once more, on the state that derived procedures have.
    Copy {
        /// Of whom.
        of: ProcedureId,
    },
    /// What derived procedures call and no primal has: when the next snapshot is taken.
    Helper {
        /// For whose derived procedures.
        of: ProcedureId,
    },
    /// Sets memory to the initial values that it has in the declarations of the primal.
    Start {
        /// Of whom.
        of: ProcedureId,
    },
}

impl ProcedureRole {
    /// The primal that it was derived from.
    pub fn origin(self) -> Option<ProcedureId> {
        match self {
            Self::Primal => None,
            Self::Lifted { of }
            | Self::Tangent { of }
            | Self::Adjoint { of }
            | Self::Forward { of }
            | Self::Backward { of }
            | Self::Copy { of }
            | Self::Helper { of }
            | Self::Start { of } => Some(of),
        }
    }

    /// The same role as to another primal.
    #[must_use]
    pub fn with_origin(self, of: ProcedureId) -> Self {
        match self {
            Self::Primal => Self::Primal,
            Self::Tangent { .. } => Self::Tangent { of },
            Self::Adjoint { .. } => Self::Adjoint { of },
            Self::Forward { .. } => Self::Forward { of },
            Self::Backward { .. } => Self::Backward { of },
            Self::Lifted { .. } => Self::Lifted { of },
            Self::Copy { .. } => Self::Copy { of },
            Self::Helper { .. } => Self::Helper { of },
            Self::Start { .. } => Self::Start { of },
        }
    }
}

/// Where a procedure stands in the user's text. Derived procedures have the home of their primal.
#[derive(Clone, PartialEq, Debug)]
pub struct Home {
    /// The file; `FileId` of [`Span::NONE`] for procedures without text.
    pub file: FileId,
    /// The module or translation unit. `None` for an external Fortran procedure.
    pub container: Option<ContainerId>,
    /// The host of an internal procedure. The variables of the host that it uses are arguments after
    /// those that its text names.
    pub host: Option<ProcedureId>,
    /// The module (or submodule) that declares the interface of a separate module procedure, whose
    /// body stands in `container`.
    pub interface: Option<ContainerId>,
    /// The whole text, from the first line of the head to the end of the last line.
    pub span: Span,
    /// Lines that a derived procedure repeats so that the same names are visible: USE, IMPORT,
    /// IMPLICIT, one logical statement each, comments and continuations removed.
    pub prologue: Vec<String>,
}

impl Home {
    /// The home of a procedure without text.
    pub fn none() -> Self {
        Self {
            file: Span::NONE.file,
            container: None,
            host: None,
            interface: None,
            span: Span::NONE,
            prologue: Vec::new(),
        }
    }
}

impl Procedure {
    /// An empty subroutine without text.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            home: Home::none(),
            kind: ProcedureKind::Subroutine,
            role: ProcedureRole::Primal,
            arguments: Vec::new(),
            variables: Arena::default(),
            exprs: Arena::default(),
            stmts: Arena::default(),
            body: Vec::new(),
            is_private: false,
            is_recursive: false,
            is_pure: false,
            is_elemental: false,
            labels: None,
            gives: None,
            scalars_by_value: false,
            has_body: true,
        }
    }

    /// The variable that holds the function's value.
    pub fn result(&self) -> Option<VarId> {
        match self.kind {
            ProcedureKind::Function { result } => Some(result),
            ProcedureKind::Subroutine => None,
        }
    }

    /// Whether its arguments are not those of its text: an argument tells to which label it returns, or
    /// is the memory that a function gives, so that derived procedures call a copy of it.
    pub fn is_altered(&self) -> bool {
        let labels = self.labels.as_ref();
        self.gives.is_some() || labels.is_some_and(|labels| self.arguments.contains(&labels.which))
    }

    /// The labels that it takes, where it takes them as such.
    pub fn taken_labels(&self) -> Option<&Labels> {
        self.labels.as_ref().filter(|_| !self.is_altered())
    }

    /// The polymorphic variable that a variable is a view of; see [`Variable::polymorphic`].
    pub fn viewed(&self, var: VarId) -> Option<VarId> {
        let Storage::Overlay { base, .. } = self.variables.get(var)?.storage else {
            return None;
        };
        self.variables[base].polymorphic.then_some(base)
    }

    /// The variable of this name, compared without case.
    pub fn variable_named(&self, name: &str) -> Option<VarId> {
        self.variables
            .iter()
            .find(|(_, variable)| variable.name.eq_ignore_ascii_case(name))
            .map(|(id, _)| id)
    }
}

impl Module {
    /// The record that a record extends: that of its first component, which is named after it.
    pub fn parent_of(&self, record: RecordId) -> Option<RecordId> {
        let first = self.records.get(record)?.fields.first()?;
        let Type::Record(parent) = first.ty else {
            return None;
        };
        let is_parent =
            first.spelling.is_none() && first.name.eq_ignore_ascii_case(&self.records[parent].name);
        is_parent.then_some(parent)
    }

    /// Whether a procedure of the program is called when a value of a type ceases to be, for it or for
    /// a component.
    pub fn is_finalized(&self, ty: Type) -> bool {
        self.finalized(ty, 0)
    }

    fn finalized(&self, ty: Type, depth: u32) -> bool {
        const DEEP: u32 = 12;
        match ty {
            Type::Record(record) if depth < DEEP => {
                let record = &self.records[record];
                let mut fields = record.fields.iter();
                record.has_final
                    || fields.any(|field| {
                        field.allocation != Allocation::Pointer
                            && self.finalized(field.ty, depth + 1)
                    })
            }
            _ => false,
        }
    }

    /// The bytes that a value of a type takes, where that is certain: of a number, and of a record
    /// whose numbers are all equally wide, so that there is no padding.
    pub fn bytes_of(&self, ty: Type) -> Option<u64> {
        let (width, count) = self.numbers_of(ty, 0)?;
        width.checked_mul(count)
    }

    /// The width of the numbers that a value consists of, and how many there are.
    fn numbers_of(&self, ty: Type, depth: u32) -> Option<(u64, u64)> {
        match ty {
            Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
                Some((bytes.into(), 1))
            }
            Type::Complex { bytes } => Some((bytes.into(), 2)),
            Type::Record(record) if depth < 64 && !self.records[record].is_union => {
                let mut width = None;
                let mut total = 0u64;
                for field in &self.records[record].fields {
                    let (wide, mut count) = self.numbers_of(field.ty, depth + 1)?;
                    for (_, extent) in &field.shape {
                        count = count.checked_mul(u64::try_from((*extent)?).ok()?)?;
                    }
                    if *width.get_or_insert(wide) != wide || field.allocation != Allocation::Fixed {
                        return None;
                    }
                    total = total.checked_add(count)?;
                }
                Some((width?, total))
            }
            _ => None,
        }
    }

    /// Whether a record is extended by another.
    pub fn is_extended(&self, record: RecordId) -> bool {
        self.records
            .ids()
            .any(|other| self.parent_of(other) == Some(record))
    }

    /// Whether a record extends another, directly or not.
    pub fn descends_from(&self, record: RecordId, ancestor: RecordId) -> bool {
        std::iter::successors(self.parent_of(record), |&parent| self.parent_of(parent))
            .any(|parent| parent == ancestor)
    }

    /// All procedures of this name, compared without case.
    pub fn procedures_named(&self, name: &str) -> Vec<ProcedureId> {
        self.procedures
            .iter()
            .filter(|(_, procedure)| procedure.name.eq_ignore_ascii_case(name))
            .map(|(id, _)| id)
            .collect()
    }
}
