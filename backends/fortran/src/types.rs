//! Types in declarations.

use contraflow_ir::{Module, Role, Span, Type, Variable};

use crate::emitter::Emitter;

impl Emitter<'_> {
    /// The type of a variable as a declaration begins.
    pub fn type_of(&mut self, variable: &Variable) -> String {
        if let Some(spelling) = self.spelling_of(variable) {
            return spelling;
        }
        if variable.ty == Type::Character {
            let length = match variable.length {
                _ if self.is_growing(variable) => ":".to_owned(),
                Some(length) => self.expr(length).text,
                None => "*".to_owned(),
            };
            return self.k(&format!("character(len={length})"));
        }
        self.type_name(variable.ty, variable.span)
    }

    /// The spelling of a variable's type: its own, or that of another of the user's variables of
    /// the same type.
    pub fn spelling_of(&self, variable: &Variable) -> Option<String> {
        // The names of kinds that a procedure sees are not seen where it is only passed.
        let is_elsewhere = self.name_here.is_some() && variable.ty.is_numeric();
        let is_unspelt = variable.ty == Type::Character && variable.spelling.is_none();
        if self.interop || is_elsewhere || is_unspelt {
            return None;
        }
        let own = variable.spelling.clone();
        own.or_else(|| {
            self.procedure
                .variables
                .iter()
                .map(|(_, other)| other)
                .filter(|other| other.ty == variable.ty && other.role == Role::Primal)
                .find_map(|other| {
                    let spelling = other.spelling.as_ref()?;
                    match spelling.find('(').filter(|_| other.polymorphic) {
                        Some(open) => Some(self.k("type") + &spelling[open..]),
                        None => Some(spelling.clone()),
                    }
                })
        })
    }

    /// A type without spelling.
    pub fn type_name(&mut self, ty: Type, span: Span) -> String {
        match ty {
            Type::Integer { bytes, .. } => self.with_kind("integer", ty, bytes == 4),
            Type::Real { bytes } => self.with_kind("real", ty, bytes == self.options.reals.default),
            Type::Complex { bytes } => {
                self.with_kind("complex", ty, bytes == self.options.reals.default)
            }
            Type::Logical { bytes } if !self.interop || bytes == 1 => {
                self.with_kind("logical", ty, bytes == 4)
            }
            Type::Logical { .. } => self.k("logical"),
            Type::Record(record) if !self.interop => {
                let name = &self.module.records[record].name;
                format!("{}({name})", self.k("type"))
            }
            Type::Procedure => self.k("external"),
            _ => {
                let what = describe(self.module, ty);
                self.refuse(
                    span,
                    format!("{what} has no counterpart in Fortran output"),
                    "ask for output in the language of the source",
                )
            }
        }
    }

    /// `base(kind)`, or `base` alone where that is the default kind.
    fn with_kind(&mut self, base: &str, ty: Type, is_default: bool) -> String {
        if is_default && !self.interop {
            return self.k(base);
        }
        format!("{}({})", self.k(base), self.kind(ty))
    }

    /// The kind of a type: its width, or the name in `iso_c_binding`.
    pub fn kind(&mut self, ty: Type) -> String {
        if self.interop
            && let Some(kind) = c_kind(ty)
        {
            self.imports.c_kinds.insert(kind);
            return kind.to_owned();
        }
        match ty {
            Type::Integer { bytes, .. }
            | Type::Real { bytes }
            | Type::Complex { bytes }
            | Type::Logical { bytes } => bytes.to_string(),
            _ => "4".to_owned(),
        }
    }
}

fn c_kind(ty: Type) -> Option<&'static str> {
    Some(match ty {
        Type::Integer { bytes: 1, .. } => "c_int8_t",
        Type::Integer { bytes: 2, .. } => "c_short",
        Type::Integer { bytes: 4, .. } => "c_int",
        Type::Integer { bytes: 8, .. } => "c_int64_t",
        Type::Real { bytes: 4 } => "c_float",
        Type::Real { bytes: 8 } => "c_double",
        Type::Real { bytes: 16 } => "c_long_double",
        Type::Complex { bytes: 4 } => "c_float_complex",
        Type::Complex { bytes: 8 } => "c_double_complex",
        Type::Logical { bytes: 1 } => "c_bool",
        _ => return None,
    })
}

/// A type in the user's terms.
pub(crate) fn describe(module: &Module, ty: Type) -> String {
    match ty {
        Type::Record(record) => format!("the record `{}`", module.records[record].name),
        Type::Pointer(_) => "a pointer value".to_owned(),
        Type::Address => "an untyped pointer".to_owned(),
        Type::Procedure => "a procedure pointer".to_owned(),
        _ => "this type".to_owned(),
    }
}
