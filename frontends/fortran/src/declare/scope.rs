//! Symbol tables: what each program unit declares, as written, nothing resolved yet.

use super::derived::Binding;
use crate::cst::{NodeId, Tree};
use crate::syntax::blocks::{Node, UnitKind};
use contraflow_ir::{ContainerId, GlobalId, Intent, ProcedureId, RecordId, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// Names a scope of the program.
pub type ScopeId = usize;

/// An expression in a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct ExprRef {
    /// The statement's tree.
    pub tree: Arc<Tree>,
    /// The expression.
    pub node: NodeId,
}

/// A program unit or procedure with its symbols.
#[derive(Clone, PartialEq, Debug)]
pub struct Scope {
    /// The file, as index into the program's files.
    pub file: usize,
    /// What it is.
    pub kind: UnitKind,
    /// The name, lower case.
    pub name: String,
    /// The name as written.
    pub original: String,
    /// The place of the name.
    pub name_span: Span,
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// The first and last statement.
    pub statements: (usize, usize),
    /// The CONTAINS statement.
    pub contains: Option<usize>,
    /// What is executed.
    pub body: Vec<Node>,
    /// Whether the body nests too deeply.
    pub too_deep: bool,
    /// The symbols by lower-case name.
    pub symbols: HashMap<String, Symbol>,
    /// Their names in order of declaration.
    pub order: Vec<String>,
    /// USE statements.
    pub uses: Vec<Use>,
    /// Implicit typing.
    pub implicit: Implicit,
    /// Formal arguments in order, lower case; `*` for an alternate return.
    pub arguments: Vec<String>,
    /// The name of the function's result.
    pub result: Option<String>,
    /// `RECURSIVE`
    pub is_recursive: bool,
    /// `PURE`
    pub is_pure: bool,
    /// `ELEMENTAL`
    pub is_elemental: bool,
    /// `MODULE`: the interface or the body of a separate module procedure.
    pub is_separate: bool,
    /// COMMON blocks: name and members in order.
    pub commons: Vec<(String, Vec<String>)>,
    /// EQUIVALENCE groups.
    pub equivalences: Vec<Vec<ExprRef>>,
    /// DATA statements.
    pub data: Vec<DataGroup>,
    /// Assignments at the start of the body that may be statement functions.
    pub candidates: Vec<Candidate>,
    /// The statements that derived procedures repeat.
    pub prologue: Vec<usize>,
    /// Whether `PRIVATE` stands alone.
    pub is_private_by_default: bool,
    /// Whether `SAVE` stands alone.
    pub saves_all: bool,
    /// Where pairs `POINTER (address, pointee)` are declared.
    pub address_pointers: Option<Span>,
    /// Whether it is a body in an interface block.
    pub is_interface: bool,
    /// The ENTRY statement at which it begins, for a scope made of one; its declarations are those of
    /// the procedure around.
    pub entry: Option<usize>,
    /// The other entries of the procedure.
    pub entries: Vec<ScopeId>,
    /// Other names of a function's result: those of its entries.
    pub result_aliases: Vec<String>,
    /// Set once all scopes are known.
    pub container: Option<ContainerId>,
    /// Set once all scopes are known.
    pub procedure: Option<ProcedureId>,
}

/// `targets / values /` of a DATA statement.
#[derive(Clone, PartialEq, Debug)]
pub struct DataGroup {
    /// Variables, elements, implied loops.
    pub targets: Vec<ExprRef>,
    /// Values, each with how often it is repeated.
    pub values: Vec<(Option<ExprRef>, ExprRef)>,
}

/// `name(arguments) = value`, a statement function unless the name is an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The name.
    pub name: String,
    /// As written.
    pub original: String,
    /// Where.
    pub span: Span,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The value.
    pub value: ExprRef,
}

/// A USE statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    /// The module.
    pub module: String,
    /// Where.
    pub span: Span,
    /// `(local name, name in the module)`
    pub names: Vec<(String, String)>,
    /// Whether only these are seen.
    pub only: bool,
    /// `INTRINSIC`, or one of the language's own modules.
    pub target: Option<ScopeId>,
}

/// Implicit typing rules.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Implicit {
    /// Whether the scope says anything.
    pub stated: bool,
    /// `IMPLICIT NONE`
    pub none: bool,
    /// Types by first letter.
    pub letters: HashMap<char, TypeName>,
}

/// One name.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Symbol {
    /// As written.
    pub name: String,
    /// Where.
    pub span: Option<Span>,
    /// What it names.
    pub what: What,
    /// The declared type.
    pub ty: Option<TypeName>,
    /// The dimensions.
    pub dims: Vec<DimSpec>,
    /// The initial or constant value.
    pub init: Option<ExprRef>,
    /// Declared intent.
    pub intent: Option<Intent>,
    /// Whether it is a formal argument.
    pub argument: Option<u32>,
    /// `PARAMETER`
    pub is_parameter: bool,
    /// `ALLOCATABLE`
    pub is_allocatable: bool,
    /// `POINTER`
    pub is_pointer: bool,
    /// `TARGET`
    pub is_target: bool,
    /// `OPTIONAL`
    pub is_optional: bool,
    /// `VALUE`
    pub is_value: bool,
    /// `SAVE`, DATA, or an initial value.
    pub is_saved: bool,
    /// Whether it is named in a DATA statement, or has values between slashes.
    pub has_data: bool,
    /// `EXTERNAL`
    pub is_external: bool,
    /// `INTRINSIC`
    pub is_intrinsic: bool,
    /// `PROTECTED`
    pub is_protected: bool,
    /// `PRIVATE` or `PUBLIC`, if said.
    pub is_private: Option<bool>,
    /// Its COMMON block.
    pub common: Option<String>,
    /// Its declaration did not parse.
    pub is_broken: bool,
    /// The global that it is, in a module.
    pub global: Option<GlobalId>,
    /// The specific procedures of a generic name. A type or a procedure may have the same name.
    pub specifics: Vec<String>,
    /// The procedure that has the name of a generic one.
    pub procedure: Option<ScopeId>,
}

/// What a name stands for.
#[derive(Clone, PartialEq, Default, Debug)]
pub enum What {
    /// A variable, a constant, or a procedure that is only known by use.
    #[default]
    Entity,
    /// A procedure with a scope.
    Procedure(ScopeId),
    /// A generic name; see [`Symbol::specifics`].
    Generic,
    /// A derived type.
    Type(Box<DerivedType>),
    /// A statement function: its arguments and its value.
    StatementFunction(Vec<String>, ExprRef),
    /// A namelist: its variables.
    Namelist(Vec<String>),
    /// A construct name.
    Other,
}

/// A derived type.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct DerivedType {
    /// What it extends.
    pub extends: Option<String>,
    /// Its components.
    pub components: Vec<Symbol>,
    /// The procedures bound to it.
    pub bindings: Vec<Binding>,
    /// Whether only its extensions have objects.
    pub is_abstract: bool,
    /// Whether it has FINAL procedures.
    pub has_final: bool,
    /// Its record.
    pub record: Option<RecordId>,
}

/// One dimension as declared.
#[derive(Clone, PartialEq, Debug)]
pub struct DimSpec {
    /// The lower bound; none: 1.
    pub lower: Option<ExprRef>,
    /// The upper bound.
    pub upper: Upper,
}

/// An upper bound as declared.
#[derive(Clone, PartialEq, Debug)]
pub enum Upper {
    /// An expression.
    Expr(ExprRef),
    /// `:`
    Colon,
    /// `*`
    Star,
}

/// A type as declared.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeName {
    /// The word.
    pub base: Base,
    /// The kind.
    pub kind: KindName,
    /// The length of a character.
    pub length: Option<Length>,
    /// As it was written.
    pub spelling: String,
}

/// The word of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    /// `INTEGER`
    Integer,
    /// `REAL`
    Real,
    /// `DOUBLE PRECISION`
    Double,
    /// `COMPLEX`
    Complex,
    /// `DOUBLE COMPLEX`
    DoubleComplex,
    /// `LOGICAL`
    Logical,
    /// `CHARACTER`
    Character,
    /// `TYPE (name)`, `CLASS (name)`
    Derived(String),
    /// `PROCEDURE (interface)`, with what stands in the parentheses.
    Procedure(String),
}

/// The kind of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum KindName {
    /// The default one.
    Default,
    /// `*8`: bytes.
    Bytes(u32),
    /// An expression.
    Expr(ExprRef),
}

/// The length of a character.
#[derive(Clone, PartialEq, Debug)]
pub enum Length {
    /// `*` or `:`
    Assumed,
    /// An expression.
    Expr(ExprRef),
}

impl Scope {
    /// Whether it is a subroutine, function or main program: something with a body.
    pub fn is_procedure(&self) -> bool {
        matches!(
            self.kind,
            UnitKind::Subroutine
                | UnitKind::Function
                | UnitKind::Program
                | UnitKind::ModuleProcedure
        )
    }

    /// The symbol of a name, made if it is new.
    pub fn symbol(&mut self, key: &str, original: &str, span: Span) -> &mut Symbol {
        if !self.symbols.contains_key(key) {
            self.order.push(key.to_owned());
            self.symbols.insert(
                key.to_owned(),
                Symbol {
                    name: original.to_owned(),
                    span: Some(span),
                    ..Symbol::default()
                },
            );
        }
        self.symbols.entry(key.to_owned()).or_default()
    }
}
