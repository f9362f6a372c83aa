//! The kinds of statements, with the parts of their text that matter.

use crate::view::Slice;

/// What a statement is. Slices are parts of the statement's text.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// `PROGRAM name`
    Program(Slice),
    /// `MODULE name`
    Module(Slice),
    /// `SUBMODULE (parent) name`
    Submodule {
        /// The ancestor, perhaps with `:parent`.
        parent: Slice,
        /// Its name.
        name: Slice,
    },
    /// `BLOCK DATA name`
    BlockData(Slice),
    /// `prefix SUBROUTINE name(arguments)`
    Subroutine {
        /// `RECURSIVE`, `PURE`, …
        prefix: Slice,
        /// The name.
        name: Slice,
        /// What stands in the parentheses.
        arguments: Slice,
    },
    /// `prefix FUNCTION name(arguments) RESULT(result)`
    Function {
        /// `PURE`, a type, …
        prefix: Slice,
        /// The name.
        name: Slice,
        /// What stands in the parentheses.
        arguments: Slice,
        /// The result's name, empty if it is the function's.
        result: Slice,
    },
    /// `MODULE PROCEDURE names`, in an interface or a submodule.
    ModuleProcedure(Slice),
    /// `ENTRY name(arguments) RESULT(result)`
    Entry {
        /// The name.
        name: Slice,
        /// What stands in the parentheses.
        arguments: Slice,
        /// The result's name, empty if it is the entry's.
        result: Slice,
    },
    /// `END …`
    End(End),
    /// `CONTAINS`
    Contains,
    /// `INTERFACE generic`
    Interface {
        /// The generic name, `OPERATOR(…)`, or nothing.
        generic: Slice,
    },
    /// `TYPE, attributes :: name`
    TypeDefinition {
        /// `EXTENDS(…)`, …
        attributes: Slice,
        /// The name.
        name: Slice,
    },
    /// `ENUM, BIND(C)`
    Enum,
    /// `ENUMERATOR :: names`
    Enumerator(Slice),
    /// `USE module, …`
    Use {
        /// The module.
        module: Slice,
        /// `ONLY: …` or renames.
        rest: Slice,
    },
    /// `IMPORT …`
    Import,
    /// `IMPLICIT …`
    Implicit(Slice),
    /// `type, attributes :: entities`
    Declaration {
        /// The type.
        type_spec: Slice,
        /// Attributes, from the first comma.
        attributes: Slice,
        /// The entities.
        entities: Slice,
    },
    /// An attribute statement: `DIMENSION a(3)`, `SAVE`, …
    Attribute(Attribute, Slice),
    /// `INTENT(…) entities`
    Intent {
        /// `in`, `out`, `inout`
        intent: Slice,
        /// The entities.
        entities: Slice,
    },
    /// `PARAMETER (…)`
    Parameter(Slice),
    /// `DATA …`
    Data(Slice),
    /// `COMMON …`
    Common(Slice),
    /// `EQUIVALENCE …`
    Equivalence(Slice),
    /// `NAMELIST …`
    Namelist(Slice),
    /// Other specifications that say nothing about values.
    OtherSpecification,
    /// `FORMAT …`
    Format,
    /// `target = value`
    Assignment {
        /// Left.
        target: Slice,
        /// Right.
        value: Slice,
    },
    /// `target => value`
    PointerAssignment {
        /// Left.
        target: Slice,
        /// Right.
        value: Slice,
    },
    /// `CALL target(arguments)`
    Call {
        /// The name, or a component.
        target: Slice,
        /// What stands in the parentheses.
        arguments: Slice,
    },
    /// `IF (condition) action`
    If {
        /// The condition.
        condition: Slice,
        /// The statement.
        action: Box<Kind>,
    },
    /// `IF (condition) THEN`
    IfThen(Slice),
    /// `IF (value) l1, l2, l3`
    ArithmeticIf {
        /// The value.
        value: Slice,
        /// The labels.
        labels: Slice,
    },
    /// `ELSE IF (condition) THEN`
    ElseIf(Slice),
    /// `ELSE`
    Else,
    /// `DO label control`
    Do {
        /// The label of the last statement, if it has one.
        label: Option<u32>,
        /// How often.
        control: DoControl,
    },
    /// `SELECT CASE (selector)`
    SelectCase(Slice),
    /// `SELECT TYPE (…)`, `SELECT RANK (…)`
    SelectOther,
    /// `CASE (labels)`; empty for the default.
    Case(Slice),
    /// `TYPE IS (…)`, `CLASS IS (…)`, `CLASS DEFAULT`, `RANK …`
    TypeGuard,
    /// `WHERE (mask) action`
    Where {
        /// The mask.
        mask: Slice,
        /// The statement, unless it begins a construct.
        action: Option<Box<Kind>>,
    },
    /// `ELSEWHERE (mask)`; empty for the last.
    ElseWhere(Slice),
    /// `FORALL (header) action`
    Forall {
        /// The header.
        header: Slice,
        /// The statement, unless it begins a construct.
        action: Option<Box<Kind>>,
    },
    /// `ASSOCIATE (list)`
    Associate(Slice),
    /// `BLOCK`
    Block,
    /// `CRITICAL`, `CHANGE TEAM`
    Critical,
    /// `EXIT name`
    Exit(Slice),
    /// `CYCLE name`
    Cycle(Slice),
    /// `RETURN value`
    Return(Slice),
    /// `GO TO label`
    Goto(Slice),
    /// `GO TO (labels) selector`
    ComputedGoto {
        /// The labels.
        labels: Slice,
        /// The selector.
        selector: Slice,
    },
    /// `GO TO variable, (labels)`
    AssignedGoto {
        /// The variable.
        variable: Slice,
        /// The labels, if there are any.
        labels: Slice,
    },
    /// `ASSIGN label TO variable`
    Assign {
        /// The label.
        label: Slice,
        /// The variable.
        variable: Slice,
    },
    /// `CONTINUE`
    Continue,
    /// `STOP`, `ERROR STOP`
    Stop,
    /// `ALLOCATE (…)`
    Allocate(Slice),
    /// `DEALLOCATE (…)`
    Deallocate(Slice),
    /// `NULLIFY (…)`
    Nullify(Slice),
    /// An input or output statement.
    Io {
        /// Its word.
        word: &'static str,
        /// What controls it.
        control: Slice,
        /// What is transferred.
        items: Slice,
    },
    /// None of these.
    Unknown,
}

/// How often a DO loop runs.
#[derive(Clone, PartialEq, Debug)]
pub enum DoControl {
    /// Until something leaves it.
    Forever,
    /// While a condition holds.
    While(Slice),
    /// `variable = from, to, step`
    Counted {
        /// The variable.
        variable: Slice,
        /// First value.
        from: Slice,
        /// Last value.
        to: Slice,
        /// Distance, empty for 1.
        step: Slice,
    },
    /// `CONCURRENT (header)`
    Concurrent(Slice),
}

/// What an END statement ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// `END` alone.
    Bare,
    /// A program unit or procedure.
    Unit,
    /// `END INTERFACE`
    Interface,
    /// `END TYPE`
    Type,
    /// `END ENUM`
    Enum,
    /// `END IF`
    If,
    /// `END DO`
    Do,
    /// `END SELECT`
    Select,
    /// `END WHERE`
    Where,
    /// `END FORALL`
    Forall,
    /// `END ASSOCIATE`
    Associate,
    /// `END BLOCK`
    Block,
    /// `END CRITICAL`, `END TEAM`
    Critical,
}

/// Attributes that have a statement of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// `ALLOCATABLE`
    Allocatable,
    /// `CONTIGUOUS`
    Contiguous,
    /// `DIMENSION`
    Dimension,
    /// `EXTERNAL`
    External,
    /// `INTRINSIC`
    Intrinsic,
    /// `OPTIONAL`
    Optional,
    /// `POINTER`
    Pointer,
    /// `PRIVATE`
    Private,
    /// `PROTECTED`
    Protected,
    /// `PUBLIC`
    Public,
    /// `SAVE`
    Save,
    /// `TARGET`
    Target,
    /// `VALUE`
    Value,
}
