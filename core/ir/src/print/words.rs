//! The words of the text form, for printing and for reading.

use crate::expr::{BinaryOp, Expr, Intrinsic};
use crate::module::{Module, Procedure};
use crate::place::place_of;
use crate::types::Type;

/// Words that a name may not be.
pub(crate) const RESERVED: &[&str] = &[
    "absent",
    "address",
    "after",
    "allocate",
    "and",
    "before",
    "block",
    "by",
    "call",
    "case",
    "character",
    "comment",
    "convert",
    "copy",
    "cycle",
    "default",
    "directive",
    "else",
    "eqv",
    "exit",
    "extent",
    "external",
    "false",
    "fill",
    "free",
    "from",
    "if",
    "is",
    "loop",
    "lower",
    "neqv",
    "not",
    "null",
    "opaque",
    "or",
    "place",
    "plus",
    "point",
    "pointer",
    "pop",
    "present",
    "associated",
    "procedure",
    "push",
    "quoted",
    "record",
    "region",
    "required",
    "return",
    "select",
    "switch",
    "terminates",
    "true",
    "unknown",
    "upper",
    "var",
    "via",
    "void",
    "while",
    "zeroed",
];

/// The binary operators: text, precedence (higher binds tighter), operation.
pub(crate) const BINARY: &[(&str, u8, BinaryOp)] = &[
    ("or", 1, BinaryOp::Or),
    ("||", 1, BinaryOp::OrElse),
    ("eqv", 1, BinaryOp::Equivalent),
    ("neqv", 1, BinaryOp::NotEquivalent),
    ("and", 2, BinaryOp::And),
    ("&&", 2, BinaryOp::AndThen),
    ("==", 3, BinaryOp::Equal),
    ("!=", 3, BinaryOp::NotEqual),
    ("<", 3, BinaryOp::Less),
    ("<=", 3, BinaryOp::LessEqual),
    (">", 3, BinaryOp::Greater),
    (">=", 3, BinaryOp::GreaterEqual),
    ("&", 4, BinaryOp::BitAnd),
    ("|", 4, BinaryOp::BitOr),
    ("^", 4, BinaryOp::BitXor),
    ("<<", 5, BinaryOp::ShiftLeft),
    (">>", 5, BinaryOp::ShiftRight),
    ("+", 6, BinaryOp::Add),
    ("-", 6, BinaryOp::Subtract),
    ("++", 6, BinaryOp::Concatenate),
    ("*", 7, BinaryOp::Multiply),
    ("/", 7, BinaryOp::Divide),
    ("%", 7, BinaryOp::Remainder),
    ("**", 8, BinaryOp::Power),
];

/// Binds tighter than every binary operator.
pub(crate) const UNARY: u8 = 9;
/// An operand that needs no parentheses.
pub(crate) const PRIMARY: u8 = 10;

/// The text and precedence of an operation.
pub(crate) fn binary_word(op: BinaryOp) -> (&'static str, u8) {
    BINARY
        .iter()
        .find(|(_, _, other)| *other == op)
        .map(|(text, precedence, _)| (*text, *precedence))
        .expect("every operation has a word")
}

/// A name as it is written: in backquotes where it is no plain identifier.
pub(crate) fn name(name: &str) -> String {
    let plain = name
        .chars()
        .enumerate()
        .all(|(n, c)| c == '_' || c.is_ascii_alphabetic() || (n > 0 && c.is_ascii_digit()));
    let taken =
        RESERVED.contains(&name) || Intrinsic::named(name).is_some() || simple_type(name).is_some();
    if plain && !taken && !name.is_empty() {
        name.to_owned()
    } else {
        format!(
            "`{}`",
            name.escape_debug().to_string().replace('`', "\\u{60}")
        )
    }
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.escape_debug().to_string().replace("\\'", "'")
    )
}

/// The type as it is written.
pub(crate) fn type_text(ty: Type) -> String {
    match ty {
        Type::Integer { bytes, signed } => {
            format!("{}{}", if signed { "i" } else { "u" }, u32::from(bytes) * 8)
        }
        Type::Real { bytes } => format!("f{}", u32::from(bytes) * 8),
        Type::Complex { bytes } => format!("c{}", u32::from(bytes) * 8),
        Type::Logical { bytes: 4 } => "logical".into(),
        Type::Logical { bytes } => format!("logical{}", u32::from(bytes) * 8),
        Type::Character => "character".into(),
        Type::Record(record) => format!("record({})", record.index()),
        Type::Pointer(pointer) => format!("pointer({})", pointer.index()),
        Type::Procedure => "procedure".into(),
        Type::Address => "address".into(),
        Type::Void => "void".into(),
        Type::Unknown => "unknown".into(),
    }
}

/// The number or truth type of this name.
pub(crate) fn simple_type(word: &str) -> Option<Type> {
    if word == "logical" {
        return Some(Type::LOGICAL);
    }
    let digits = word.find(|c: char| c.is_ascii_digit())?;
    let bits: u32 = word[digits..].parse().ok()?;
    let bytes = u8::try_from(bits / 8).ok()?;
    let ty = match &word[..digits] {
        "i" => Type::Integer {
            bytes,
            signed: true,
        },
        "u" => Type::Integer {
            bytes,
            signed: false,
        },
        "f" => Type::Real { bytes },
        "c" => Type::Complex { bytes },
        "logical" => Type::Logical { bytes },
        _ => return None,
    };
    (type_text(ty) == word && bytes > 0).then_some(ty)
}

/// The type that an expression has if none is written. A `Convert` always has one written.
pub(crate) fn usual_type(module: &Module, procedure: &Procedure, expr: &Expr) -> Type {
    let of = |e: &crate::expr::ExprId| procedure.exprs[*e].ty;
    match expr {
        Expr::Integer(_) | Expr::Bound { .. } | Expr::Range { .. } => Type::INT,
        Expr::Real(_) => Type::REAL8,
        Expr::Logical(_) | Expr::Present(_) | Expr::Associated { .. } => Type::LOGICAL,
        Expr::Text(_) => Type::Character,
        Expr::Load(access) | Expr::Required { access, .. } => {
            place_of(module, procedure, access).map_or(Type::Unknown, |place| place.ty)
        }
        Expr::Unary(_, operand) => of(operand),
        Expr::Binary(op, ..) if op.is_comparison() => Type::LOGICAL,
        Expr::Binary(_, left, _) => of(left),
        Expr::Intrinsic(Intrinsic::IsNan | Intrinsic::IsFinite, _) => Type::LOGICAL,
        Expr::Intrinsic(f, arguments) => match (f, arguments.first().map_or(Type::Unknown, of)) {
            (Intrinsic::Complex, Type::Real { bytes }) => Type::Complex { bytes },
            (
                Intrinsic::Abs | Intrinsic::RealPart | Intrinsic::ImaginaryPart | Intrinsic::Phase,
                Type::Complex { bytes },
            ) => Type::Real { bytes },
            (_, ty) => ty,
        },
        Expr::Select { then, .. } => of(then),
        Expr::Convert(_) | Expr::Opaque { .. } => Type::Unknown,
    }
}
