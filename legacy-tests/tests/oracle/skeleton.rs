//! What two readers of an expression must agree on: the tree of operations.
//!
//! Names of variables and functions are left out, as gfortran shows its intrinsics under names of
//! its own; so are parentheses and conversions, and everything that a compiler may compute in
//! advance is a constant.

/// The tree of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Skeleton {
    /// A literal, a named constant, or an operation on such.
    Constant,
    /// A variable without subscripts.
    Variable,
    /// An element, a section or a call.
    Apply(Vec<Skeleton>),
    /// An operation, by gfortran's name for it.
    Operation(String, Vec<Skeleton>),
    /// A subscript triplet.
    Range,
    /// What is not compared: components, constructors, concatenation, defined operations.
    Other,
}

impl Skeleton {
    /// An operation; a constant if all operands are.
    pub fn operation(name: &str, operands: Vec<Skeleton>) -> Self {
        if operands.iter().all(|operand| *operand == Self::Constant) {
            return Self::Constant;
        }
        Self::Operation(name.to_owned(), operands)
    }

    /// Whether all of it is compared.
    pub fn is_comparable(&self) -> bool {
        match self {
            Self::Constant | Self::Variable | Self::Range => true,
            Self::Other => false,
            Self::Apply(parts) | Self::Operation(_, parts) => parts.iter().all(Self::is_comparable),
        }
    }
}

/// The plain part of a name: `sqrt` of `__sqrt_r8`, `idint` of `_gfortran_idint`.
fn plain(name: &str) -> &str {
    let inner = name.trim_start_matches('_');
    let inner = inner.strip_prefix("gfortran_").unwrap_or(inner);
    match name.starts_with('_') {
        true => inner.split('_').next().unwrap_or(inner),
        false => name,
    }
}

/// Functions that change nothing but the kind.
fn is_conversion(name: &str) -> bool {
    matches!(
        name,
        "convert" | "real" | "dble" | "float" | "dfloat" | "sngl" | "int" | "idint" | "ifix"
    )
}

/// Functions that a compiler computes in advance if it knows the arguments.
fn is_elemental(name: &str) -> bool {
    const NAMES: [&str; 26] = [
        "abs", "acos", "aint", "anint", "asin", "atan", "atan2", "cos", "cosh", "exp", "ichar",
        "log", "log10", "max", "max0", "max1", "min", "min0", "min1", "mod", "nint", "sign", "sin",
        "sqrt", "tan", "tanh",
    ];
    let double = name.strip_prefix('d').or_else(|| name.strip_prefix('a'));
    NAMES.contains(&name) || double.is_some_and(|name| NAMES.contains(&name))
}

/// The skeleton of `name(arguments)`, for an array as well as for a function.
pub fn application(name: &str, mut arguments: Vec<Skeleton>) -> Skeleton {
    let name = plain(name);
    let is_constant = arguments.iter().all(|it| *it == Skeleton::Constant);
    if is_conversion(name) && !arguments.is_empty() {
        arguments.remove(0)
    } else if is_inquiry(name) || is_constant && is_elemental(name) {
        Skeleton::Constant
    } else {
        Skeleton::Apply(arguments)
    }
}

/// Functions whose value a compiler knows from the type of the argument.
fn is_inquiry(name: &str) -> bool {
    matches!(
        name,
        "epsilon"
            | "huge"
            | "tiny"
            | "kind"
            | "digits"
            | "precision"
            | "range"
            | "radix"
            | "maxexponent"
            | "minexponent"
            | "len"
            | "selected_real_kind"
            | "selected_int_kind"
    )
}

/// An executable statement, as far as it is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// `assign`, `point`, `call`, `if`, `else if`, `do`, `while`
    pub word: &'static str,
    /// Its expressions: target and value, or the condition.
    pub trees: Vec<Skeleton>,
}

/// A procedure and its statements in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline {
    /// The procedure's name in lower case.
    pub procedure: String,
    /// What it executes.
    pub events: Vec<Event>,
}
