//! Constant expressions of declarations: kinds, bounds, lengths; and types in bytes.

use super::Program;
use super::scope::{Base, ExprRef, KindName, ScopeId, TypeName, What};
use super::type_spec::TypeParts;
use crate::cst::{NodeId, Syntax, Tree};
use crate::view::{Slice, Statement};
use contraflow_ir::{BinaryOp, Type, UnaryOp};
use std::sync::Arc;

/// How deep constants may refer to constants.
const DEEPEST: u32 = 60;

impl Program {
    /// The value of an integer constant expression.
    pub fn integer(&self, scope: ScopeId, expr: &ExprRef) -> Option<i128> {
        self.integer_of(scope, &expr.tree, expr.node, 0)
    }

    /// The value of an integer constant expression in a tree.
    pub fn integer_of(
        &self,
        scope: ScopeId,
        tree: &Tree,
        node: NodeId,
        depth: u32,
    ) -> Option<i128> {
        if depth > DEEPEST {
            return None;
        }
        let value = |node| self.integer_of(scope, tree, node, depth + 1);
        match tree.syntax(node) {
            Syntax::Integer => tree.text(node).split('_').next()?.parse().ok(),
            Syntax::Parenthesized(inner) => value(*inner),
            Syntax::Unary(UnaryOp::Negate, inner) => value(*inner)?.checked_neg(),
            Syntax::Unary(UnaryOp::Plus, inner) => value(*inner),
            Syntax::Binary(op, a, b) => arithmetic(*op, value(*a)?, value(*b)?),
            Syntax::Name => self.named_constant(scope, tree.text(node), depth),
            Syntax::Apply(base, arguments) if *tree.syntax(*base) == Syntax::Name => {
                self.function(scope, tree, tree.text(*base), arguments, depth)
            }
            _ => None,
        }
    }

    fn named_constant(&self, scope: ScopeId, name: &str, depth: u32) -> Option<i128> {
        match self.find(scope, name) {
            Some(found) => {
                if !found.symbol.is_parameter {
                    return None;
                }
                let init = found.symbol.init.as_ref()?;
                self.integer_of(found.scope, &init.tree, init.node, depth + 1)
            }
            None => language_constant(&self.language_name(scope, name)?),
        }
    }

    /// The value of a constant of one of the language's own modules.
    pub fn language_value(&self, scope: ScopeId, name: &str) -> Option<i128> {
        match self.find(scope, name) {
            Some(_) => None,
            None => language_constant(&self.language_name(scope, name)?),
        }
    }

    fn function(
        &self,
        scope: ScopeId,
        tree: &Tree,
        name: &str,
        arguments: &[NodeId],
        depth: u32,
    ) -> Option<i128> {
        let argument = |index: usize, keyword: &str| {
            let by_name = arguments.iter().find_map(|&node| match tree.syntax(node) {
                Syntax::Keyword(slice, value) if tree.statement.part(*slice) == keyword => {
                    Some(*value)
                }
                _ => None,
            });
            by_name.or_else(|| {
                arguments
                    .get(index)
                    .copied()
                    .filter(|&node| !matches!(tree.syntax(node), Syntax::Keyword(..)))
            })
        };
        let value =
            |index, keyword| self.integer_of(scope, tree, argument(index, keyword)?, depth + 1);
        match name {
            "kind" => Some(width(self.type_of(scope, tree, argument(0, "x")?, depth + 1)?).into()),
            "selected_real_kind" => {
                let digits = value(0, "p").unwrap_or(0);
                let range = value(1, "r").unwrap_or(0);
                Some(real_kind(digits, range))
            }
            "selected_int_kind" => Some(integer_kind(value(0, "r")?)),
            "max" => Some(value(0, "")?.max(value(1, "")?)),
            "min" => Some(value(0, "")?.min(value(1, "")?)),
            "abs" => Some(value(0, "a")?.abs()),
            "mod" => value(0, "a")?.checked_rem(value(1, "p")?),
            "int" => value(0, "a"),
            _ => None,
        }
    }

    /// The type of a constant expression, as far as `KIND` needs it.
    pub fn type_of(&self, scope: ScopeId, tree: &Tree, node: NodeId, depth: u32) -> Option<Type> {
        if depth > DEEPEST {
            return None;
        }
        match tree.syntax(node) {
            Syntax::Integer => Some(Type::Integer {
                bytes: self.literal_kind(scope, tree, node, depth).unwrap_or(4),
                signed: true,
            }),
            Syntax::Real => Some(self.real_literal_type(scope, tree, node)),
            Syntax::Logical(_) => Some(Type::LOGICAL),
            Syntax::Text => Some(Type::Character),
            Syntax::Parenthesized(inner) | Syntax::Unary(_, inner) => {
                self.type_of(scope, tree, *inner, depth + 1)
            }
            Syntax::Name => {
                let found = self.find(scope, tree.text(node))?;
                self.resolve_type(found.scope, found.symbol.ty.as_ref()?, depth + 1)
            }
            _ => None,
        }
    }

    /// The type of a real literal: from its suffix, else from its exponent letter.
    pub fn real_literal_type(&self, scope: ScopeId, tree: &Tree, node: NodeId) -> Type {
        let text = tree.text(node);
        if let Some(kind) = self.literal_kind(scope, tree, node, 0) {
            let bytes = self.reals.stated(kind);
            return Type::Real { bytes };
        }
        let bytes = match text.bytes().find(|b| matches!(b, b'd' | b'q')) {
            Some(b'd') => self.reals.double,
            Some(_) => 16,
            None => self.reals.default,
        };
        Type::Real { bytes }
    }

    /// The kind suffix of a literal.
    pub fn literal_kind(
        &self,
        scope: ScopeId,
        tree: &Tree,
        node: NodeId,
        depth: u32,
    ) -> Option<u8> {
        let (_, suffix) = tree.text(node).split_once('_')?;
        let value = match suffix.parse::<i128>() {
            Ok(value) => value,
            Err(_) => self.named_constant(scope, suffix, depth + 1)?,
        };
        u8::try_from(value).ok()
    }

    /// The type of `[type :: …]`, whose specification stands at `slice`; `None` if it is not known.
    pub fn constructor_type(
        &self,
        scope: ScopeId,
        statement: &Statement,
        slice: Slice,
    ) -> Option<Type> {
        let name = statement.part(slice);
        if let Some(found) = self.find(scope, name.split('(').next()?)
            && let What::Type(derived) = &found.symbol.what
        {
            return derived.record.map(Type::Record);
        }
        let parts = TypeParts::of(statement, slice)?;
        let kind = match parts.kind_text(statement) {
            "" => None,
            text => Some(self.literal_or_constant(scope, text)?),
        };
        let mut ty = parts.resolve(&Arc::new(Tree::empty(&Arc::new(statement.clone()))), 0);
        if let Some(kind) = kind {
            // As `REAL(8)`; `COMPLEX*16` says its width in another way.
            let doubled = matches!(ty.base, Base::Complex);
            ty.kind = KindName::Bytes(u32::try_from(kind).ok()? * if doubled { 2 } else { 1 });
        }
        self.resolve_type(scope, &ty, 0)
    }

    /// The length of `[character(len=length) :: …]`, whose specification stands at `slice`.
    pub fn constructor_length(
        &self,
        scope: ScopeId,
        statement: &Statement,
        slice: Slice,
    ) -> Option<i128> {
        let parts = TypeParts::of(statement, slice)?;
        self.literal_or_constant(scope, parts.length_text(statement))
    }

    fn literal_or_constant(&self, scope: ScopeId, text: &str) -> Option<i128> {
        match text.parse() {
            Ok(value) => Some(value),
            Err(_) => self.named_constant(scope, text, 0),
        }
    }

    /// The IR's type for a declared one.
    pub fn resolve_type(&self, scope: ScopeId, ty: &TypeName, depth: u32) -> Option<Type> {
        let kind = match &ty.kind {
            KindName::Default => None,
            KindName::Bytes(bytes) => Some(i128::from(*bytes)),
            KindName::Expr(expr) => {
                Some(self.integer_of(scope, &expr.tree, expr.node, depth + 1)?)
            }
        };
        let is_star = matches!(ty.kind, KindName::Bytes(_));
        let width = |default: u8| match kind {
            None => Some(default),
            Some(value) => u8::try_from(value)
                .ok()
                .filter(|w| [1, 2, 4, 8, 10, 16].contains(w)),
        };
        Some(match &ty.base {
            Base::Integer if ty.spelling.eq_ignore_ascii_case("byte") => Type::Integer {
                bytes: 1,
                signed: true,
            },
            Base::Integer => Type::Integer {
                bytes: width(4)?,
                signed: true,
            },
            Base::Real => Type::Real {
                bytes: self.real_width(kind.is_some(), width(4)?),
            },
            Base::Double => self.double(),
            // `COMPLEX*16` counts both parts, `COMPLEX(8)` one.
            Base::Complex if is_star => Type::Complex {
                bytes: self.reals.stated(u8::try_from(kind? / 2).ok()?),
            },
            Base::Complex => Type::Complex {
                bytes: self.real_width(kind.is_some(), width(4)?),
            },
            Base::DoubleComplex => Type::Complex {
                bytes: self.reals.double,
            },
            Base::Logical => Type::Logical { bytes: width(4)? },
            Base::Character => Type::Character,
            Base::Derived(name) => match &self.find(scope, name)?.symbol.what {
                What::Type(derived) => Type::Record(derived.record?),
                _ => return None,
            },
            Base::Procedure(_) => Type::Procedure,
        })
    }

    /// The width of a real whose kind is stated, or is the default.
    fn real_width(&self, is_stated: bool, kind: u8) -> u8 {
        match is_stated {
            true => storage_width(self.reals.stated(kind)),
            false => self.reals.default,
        }
    }

    /// `double precision`.
    pub fn double(&self) -> Type {
        Type::Real {
            bytes: self.reals.double,
        }
    }

    /// A type that functions of the language have where nothing else is said, which are stated for
    /// reals that no flag widens.
    pub fn usual(&self, ty: Type) -> Type {
        match ty {
            Type::REAL4 => Type::Real {
                bytes: self.reals.default,
            },
            Type::REAL8 => self.double(),
            other => other,
        }
    }
}

/// `real(10)` is stored in 16 bytes.
fn storage_width(kind: u8) -> u8 {
    if kind == 10 { 16 } else { kind }
}

fn width(ty: Type) -> u8 {
    match ty {
        Type::Integer { bytes, .. }
        | Type::Real { bytes }
        | Type::Complex { bytes }
        | Type::Logical { bytes } => bytes,
        _ => 1,
    }
}

/// The value of an integer operation.
pub fn arithmetic(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Power => a.checked_pow(u32::try_from(b).ok()?),
        _ => None,
    }
}

/// The kind with at least so many digits and so large an exponent range.
fn real_kind(digits: i128, range: i128) -> i128 {
    if digits <= 6 && range <= 37 {
        4
    } else if digits <= 15 && range <= 307 {
        8
    } else {
        16
    }
}

fn integer_kind(digits: i128) -> i128 {
    match digits {
        ..=2 => 1,
        3..=4 => 2,
        5..=9 => 4,
        10..=18 => 8,
        _ => 16,
    }
}

/// Kinds of `iso_c_binding` and `iso_fortran_env`, on the usual 64-bit machines.
pub(super) fn language_constant(name: &str) -> Option<i128> {
    Some(match name {
        "c_signed_char" | "c_int8_t" | "int8" | "c_char" | "c_bool" | "logical8" => 1,
        "c_short" | "c_int16_t" | "int16" | "logical16" => 2,
        "c_int" | "c_int32_t" | "c_float" | "c_float_complex" | "int32" | "real32"
        | "logical32" | "omp_lock_kind" => 4,
        "c_long" | "c_long_long" | "c_int64_t" | "c_size_t" | "c_intptr_t" | "c_intmax_t"
        | "c_double" | "c_double_complex" | "int64" | "real64" | "logical64" | "c_ptrdiff_t" => 8,
        "c_long_double" => 10,
        "real128" => 16,
        // Those of the usual compilers.
        "error_unit" => 0,
        "input_unit" => 5,
        "output_unit" => 6,
        "iostat_end" => -1,
        "iostat_eor" => -2,
        "character_storage_size" | "file_storage_size" => 8,
        "numeric_storage_size" => 32,
        _ => return None,
    })
}
