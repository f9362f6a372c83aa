//! Types and variables.

use crate::arena::Id;
use crate::expr::ExprId;
use crate::module::{CommonId, GlobalId, PointerId, ProcedureId, RecordId};
use crate::source::Span;

/// The type of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of `bytes` bytes.
    Integer {
        /// Width in bytes: 1, 2, 4, 8 or 16.
        bytes: u8,
        /// Whether negative values exist (always so in Fortran).
        signed: bool,
    },
    /// A floating-point number of `bytes` bytes. `long double` and `real(10)` have 16 as width of
    /// storage, told apart by their spelling.
    Real {
        /// Width in bytes: 2, 4, 8 or 16.
        bytes: u8,
    },
    /// A pair of reals of `bytes` bytes each.
    Complex {
        /// Width of one part in bytes.
        bytes: u8,
    },
    /// A truth value.
    Logical {
        /// Width in bytes.
        bytes: u8,
    },
    /// A character string; the length is a fact of the variable.
    Character,
    /// A derived type, struct or union.
    Record(RecordId),
    /// A pointer that is a value of its own (C, or a procedure pointer's data).
    Pointer(PointerId),
    /// A procedure passed or pointed to.
    Procedure,
    /// An address without a type (`void *`).
    Address,
    /// No value (the type of a subroutine).
    Void,
    /// Not understood by the front end; only `Opaque` code may touch it.
    Unknown,
}

/// How many bytes reals have that the source gives no width, or the kind 4: flags of compilers widen them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RealKinds {
    /// `real`, `1.0`.
    pub default: u8,
    /// `double precision`, `1d0`.
    pub double: u8,
    /// `real(4)`, `real*4`, `1.0_4`.
    pub four: u8,
}

impl Default for RealKinds {
    fn default() -> Self {
        Self {
            default: 4,
            double: 8,
            four: 4,
        }
    }
}

impl RealKinds {
    /// The width of a kind that the source states.
    pub fn stated(self, kind: u8) -> u8 {
        if kind == 4 { self.four } else { kind }
    }
}

impl Type {
    /// `double precision`, `double`.
    pub const REAL8: Type = Type::Real { bytes: 8 };
    /// `real`, `float`.
    pub const REAL4: Type = Type::Real { bytes: 4 };
    /// Default integer, `int`.
    pub const INT: Type = Type::Integer {
        bytes: 4,
        signed: true,
    };
    /// `integer(8)`, `long`.
    pub const LONG: Type = Type::Integer {
        bytes: 8,
        signed: true,
    };
    /// Default logical; in C the type of a comparison.
    pub const LOGICAL: Type = Type::Logical { bytes: 4 };

    /// Whether a derivative can flow through values of this type: reals and complex numbers.
    /// Records and pointers may hold such values; the analysis of activity looks into them.
    pub fn is_differentiable(self) -> bool {
        matches!(self, Type::Real { .. } | Type::Complex { .. })
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::Integer { .. })
    }

    /// Whether it is a real.
    pub fn is_real(self) -> bool {
        matches!(self, Type::Real { .. })
    }

    /// Whether it is a number.
    pub fn is_numeric(self) -> bool {
        matches!(
            self,
            Type::Integer { .. } | Type::Real { .. } | Type::Complex { .. }
        )
    }
}

/// Names a variable of its procedure.
pub type VarId = Id<Variable>;

/// A variable as one procedure sees it: an argument, a local, or a global that it uses.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// The name in the source, in the source's spelling; unique in the procedure (for case-blind
    /// Fortran: unique when compared so). Front ends rename shadowed C locals.
    pub name: String,
    /// Where it is declared (or first used, with implicit typing).
    pub span: Span,
    /// The type of an element.
    pub ty: Type,
    /// The type as the source spells it (`REAL(KIND=8)`, `real(dp)`, `double`), for re-declaring
    /// variables of the same type. `None`: the back end chooses.
    pub spelling: Option<String>,
    /// The length of a character variable; `None` for others and for an assumed length.
    pub length: Option<ExprId>,
    /// The dimensions, fastest-varying first; empty for a scalar.
    pub shape: Vec<Dim>,
    /// Where the memory is.
    pub storage: Storage,
    /// How an argument is passed. `Reference` for everything that is not an argument.
    pub passing: Passing,
    /// What the procedure may do to an argument.
    pub intent: Intent,
    /// Who makes the memory of an array.
    pub allocation: Allocation,
    /// What is known of overlap with other variables of the procedure.
    pub aliasing: Aliasing,
    /// A Fortran dummy argument that may be absent.
    pub optional: bool,
    /// C `const` on the pointee, Fortran `PROTECTED`: the procedure does not write it.
    pub read_only: bool,
    /// Fortran `CLASS`: what it holds may be of a type that extends its own. An `Overlay` of a
    /// polymorphic variable is a view of it as its own type: it is there (`Present`) only while the
    /// object is of that type or, if the view is polymorphic too, of one that extends it.
    pub polymorphic: bool,
    /// An address that compilers must not foresee: it is compared as a number.
    pub is_unforeseen: bool,
    /// Whether the name was added to the primal's: derived procedures must say where it comes from.
    pub imported: bool,
    /// What the variable is for. Front ends write `Primal`.
    pub role: Role,
    /// The initial value of a `Local` or `Saved` scalar that is declared with one. For `Saved` it
    /// holds at the first call only. A `Local` with an initial value is assigned in the body
    /// instead; front ends never leave one here. Of shared memory (`Global`, `Common`, `Overlay`): what
    /// it holds when the program starts, where the source of this procedure says so.
    pub initial: Option<ExprId>,
    /// The initial values of a `Saved` array or one in shared memory, in the order of memory, each as often in succession as
    /// its number says; empty if it has none. Elements past the last one have none.
    pub values: Vec<(u64, ExprId)>,
    /// Of a procedure argument or procedure pointer: a procedure with the same arguments and the
    /// same kind of value, if one is known.
    pub interface: Option<ProcedureId>,
}

impl Variable {
    /// A scalar local of type `ty`.
    pub fn scalar(name: impl Into<String>, ty: Type) -> Self {
        Self {
            name: name.into(),
            span: Span::NONE,
            ty,
            spelling: None,
            length: None,
            shape: Vec::new(),
            storage: Storage::Local,
            passing: Passing::Reference,
            intent: Intent::Unspecified,
            allocation: Allocation::Fixed,
            aliasing: Aliasing::None,
            optional: false,
            read_only: false,
            polymorphic: false,
            is_unforeseen: false,
            imported: false,
            role: Role::Primal,
            initial: None,
            values: Vec::new(),
            interface: None,
        }
    }

    /// How the type of a new variable is spelt that is made from this one: as this one's, where
    /// it has the type and is of no other at run time.
    pub fn spelling_of(&self, ty: Type) -> Option<String> {
        self.spelling
            .clone()
            .filter(|_| ty == self.ty && !self.polymorphic)
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        !self.shape.is_empty()
    }

    /// Whether it is an argument.
    pub fn is_argument(&self) -> bool {
        matches!(self.storage, Storage::Argument { .. })
    }

    /// Whether its value outlives the call, or is seen by other procedures: arguments passed by
    /// reference, globals, COMMON, saved variables.
    pub fn outlives_call(&self) -> bool {
        match self.storage {
            Storage::Argument { .. } => self.passing == Passing::Reference,
            Storage::Global(_)
            | Storage::Common { .. }
            | Storage::Saved
            | Storage::Overlay { .. } => true,
            Storage::Local | Storage::Result | Storage::Constant { .. } => false,
        }
    }

    /// The procedure whose name it is: a constant that stands for one where its address is a value.
    pub fn named_procedure(&self) -> Option<ProcedureId> {
        match self.ty {
            Type::Procedure if self.is_constant() => self.interface,
            _ => None,
        }
    }

    /// Whether it is a named constant.
    pub fn is_constant(&self) -> bool {
        matches!(self.storage, Storage::Constant { .. })
    }
}

/// Where the memory of a variable is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Storage {
    /// The `index`-th entry of [`Procedure::arguments`](crate::Procedure::arguments).
    Argument {
        /// Position, from 0.
        index: u32,
    },
    /// Lives as long as the call.
    Local,
    /// The value of the function.
    Result,
    /// Keeps its value between calls (`SAVE`, a C function's `static`).
    Saved,
    /// A variable of a module or a translation unit.
    Global(GlobalId),
    /// A member of a COMMON block, `offset` bytes from its start.
    Common {
        /// The block.
        block: CommonId,
        /// Bytes from the start of the block.
        offset: u64,
    },
    /// Shares the memory of another variable (`EQUIVALENCE`), `offset` bytes from its start.
    Overlay {
        /// The variable whose memory it is.
        base: VarId,
        /// Bytes from the start of `base`.
        offset: i64,
    },
    /// A named constant: Fortran `PARAMETER`, C `enum` member; of type `Procedure` the name of the
    /// procedure that is its interface. Never written.
    Constant {
        /// Its value, if the front end could build it.
        value: Option<ExprId>,
        /// The global it is, if it is declared outside the procedure (then its name is visible to
        /// procedures that keep the primal's prologue).
        global: Option<GlobalId>,
    },
}

/// One dimension of an array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dim {
    /// The smallest subscript.
    pub lower: ExprId,
    /// How many elements.
    pub extent: Extent,
}

/// The number of elements along a dimension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Extent {
    /// `extent` elements (not the upper bound).
    Count(ExprId),
    /// Taken from the actual argument's descriptor (`a(:)` dummies): asked for with `Bound`.
    Assumed,
    /// `a(*)`: the last dimension of an assumed-size array.
    AssumedSize,
    /// Set by allocation or pointer assignment: asked for with `Bound`.
    Deferred,
    /// A C pointer: nobody says. Found by analysis, or asked of the user; never taken to be one.
    Unknown,
}

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passing {
    /// A copy.
    Value,
    /// Its memory.
    Reference,
}

/// What a procedure may do to an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intent {
    /// It is not written.
    In,
    /// It is not read before it is written.
    Out,
    /// Both.
    InOut,
    /// The source does not say.
    Unspecified,
}

/// Who makes the memory of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allocation {
    /// The declaration.
    Fixed,
    /// `ALLOCATE` or assignment; freed at the end of its scope.
    Allocatable,
    /// Pointer assignment or `ALLOCATE`/`malloc`.
    Pointer,
}

/// What is known of overlap between a variable and others that outlive the call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aliasing {
    /// No other name reaches its memory while the procedure runs (Fortran dummies, `restrict`,
    /// locals whose address is not taken).
    None,
    /// Others of class `May` and of a compatible type may reach it (C pointers, `TARGET`).
    May,
}

/// What a variable is for, in generated code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A variable of the user's.
    Primal,
    /// The shadow of a variable: its tangent or adjoint.
    Shadow {
        /// The variable that it shadows, in the same procedure.
        of: VarId,
    },
    /// Primal values kept for the backward sweep.
    Tape,
    /// The same in a file: an array of which `Copy` and `Assign` move whole slots, counted by the last
    /// subscript, from and to tapes in memory.
    Disk,
    /// A scalar of the generated code.
    Temporary,
}
