//! The one representation of Contraflow: loop nests over arrays, from primal to kernel.
//!
//! # The contract
//!
//! A [`Module`] is a whole program: containers (Fortran modules, C translation units), globals,
//! records, COMMON blocks and procedures. A [`Procedure`] owns its variables, expressions and
//! statements in arenas; nothing in it points outside but ids of the module. Procedures are
//! therefore independent, and analyses run on them in parallel.
//!
//! **Statements have effects, expressions are pure.** A function call is a [`Stmt::Call`] whose
//! result is assigned; assignments inside conditions, increments inside subscripts, and calls
//! inside expressions have been taken out by the front end, in the source's order of evaluation.
//! Primal values are computed as the source states: no re-association, no contraction.
//!
//! **Control flow is structured.** In a [`verify::Verified`] module there are no jumps: front ends
//! write [`Jump`]s, and [`structure`] turns them into flags and conditions. `Loop` has a trip count
//! that is fixed at entry; everything else is `While`.
//!
//! **Memory order, not writing order.** The shape of a variable and the subscripts of an access
//! list the *fastest-varying* dimension first, in both languages: Fortran `a(i,j)` has subscripts
//! `[i, j]`, C `a[j][i]` has subscripts `[i, j]` too. A C back end writes them in reverse. So no
//! analysis asks for a layout, and twins in the two languages are the same IR. (The plan had a
//! `Layout` in each type; a canonical order needs none.) Subscripts count from the dimension's
//! `lower`, as the source wrote them.
//!
//! **A language is a set of facts.** Core never asks where a procedure came from. `Passing`,
//! `Intent`, `Dim`, `Aliasing`, [`BinaryOp::Remainder`] against [`Intrinsic::Modulo`] and so on say
//! what holds. Names of types are kept as written ([`Variable::spelling`]) for the back ends only.
//!
//! **How each construct is represented** (those that a front end does not fill yet have their
//! place all the same):
//!
//! | construct | representation |
//! |---|---|
//! | records (derived types, structs, unions) | [`Record`], [`Type::Record`], [`Selector::Field`] |
//! | Fortran pointers and allocatables | [`Variable::allocation`], accessed without a `Deref`; [`Stmt::Allocate`], [`Stmt::Free`], [`Stmt::PointerAssign`] |
//! | C pointers used as arrays | an array with [`Extent::Unknown`]; walking ones: [`Type::Pointer`] and [`Selector::Deref`] |
//! | COMMON, EQUIVALENCE | [`Storage::Common`], [`Storage::Overlay`]: byte offsets into a block or another variable |
//! | procedure values | [`Type::Procedure`], [`Callee::Variable`], [`Argument::Procedure`] |
//! | complex | [`Type::Complex`], intrinsics `Complex`, `RealPart`, `ImaginaryPart`, `Conjugate` |
//! | parallel regions | [`Stmt::Region`], [`Directive`] on loops; facts, not yet a schedule |
//! | what is not understood | [`Stmt::Opaque`], [`Expr::Opaque`]: quoted text with what it reads and writes |
//! | array expressions | loop nests with explicit temporaries where a dependence demands one |
//! | whole-array fills and copies of generated code | [`Stmt::Fill`], [`Stmt::Copy`] |
//! | tapes | counted: plain arrays of role [`Role::Tape`]; of unknown length: [`Stmt::Push`], [`Stmt::Pop`] |
//! | primal values wanted backwards, not yet planned | [`Expr::Required`] |

pub mod affine;
pub mod arena;
pub mod build;
mod constant;
pub mod diagnostic;
pub mod expr;
pub mod generate;
pub mod host;
pub mod interp;
pub mod intrinsic;
pub mod module;
pub mod parse;
pub mod place;
pub mod print;
pub mod source;
pub mod stmt;
pub mod structure;
pub mod types;
pub mod untyped;
pub mod verify;
pub mod walk;

pub use arena::{Arena, Id, SideTable};
pub use build::Builder;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use expr::{Access, BinaryOp, BoundKind, Expr, ExprId, ExprNode, Intrinsic, Selector, UnaryOp};
pub use host::{Host, ProgramOutput};
pub use module::{
    CommonBlock, CommonId, Container, ContainerId, ContainerKind, Field, Global, GlobalId,
    GlobalKind, Home, Labels, Module, Pointer, PointerId, Procedure, ProcedureId, ProcedureKind,
    ProcedureRole, Record, RecordId,
};
pub use place::{Place, place_of};
pub use source::{FileId, Language, SourceFile, Sources, Span};
pub use stmt::{
    Argument, Block, Callee, CaseArm, CaseLabel, Directive, Jump, JumpLabel, PointerBounds, Stmt,
    StmtId, StmtNode,
};
pub use types::{
    Aliasing, Allocation, Dim, Extent, Intent, Passing, RealKinds, Role, Storage, Type, VarId,
    Variable,
};
