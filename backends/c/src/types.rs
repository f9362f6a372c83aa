//! Types and declarators.

use contraflow_ir::{Module, RecordId, Span, Type, Variable};

use crate::emitter::{Emitter, Place};

/// Words that a type may be spelt with in a file of its own.
const BUILT_IN: &[&str] = &[
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
    "_Complex", "complex",
];

impl Emitter<'_> {
    /// The type of a variable's element as a declaration begins, without `const` and stars.
    pub fn type_of(&mut self, variable: &Variable) -> String {
        self.note_local_type(variable.ty);
        if let Some(base) = variable.spelling.as_deref().map(base_of)
            && !self.foreign
            && !matches!(variable.ty, Type::Address | Type::Procedure)
            && (self.setting.place == Place::UsersFile || is_built_in(&base))
        {
            if base.contains("complex") {
                self.needs.headers.insert("complex.h");
            }
            return base;
        }
        self.type_name(variable.ty, variable.span)
    }

    /// Notes a type that only the body of another function declares, and those of its members before it.
    fn note_local_type(&mut self, ty: Type) {
        match ty {
            Type::Pointer(pointer) => self.note_local_type(self.module.pointers[pointer].target),
            Type::Record(record)
                if self.module.records[record].local.is_some()
                    && !self.local_types.contains(&record) =>
            {
                for field in &self.module.records[record].fields {
                    if field.ty != ty {
                        self.note_local_type(field.ty);
                    }
                }
                if !self.local_types.contains(&record) {
                    self.local_types.push(record);
                }
            }
            _ => {}
        }
    }

    /// Declares the types that only the bodies of other functions declare.
    pub fn local_types(&self) -> Vec<String> {
        let declared = self.local_types.iter().map(|&record| {
            let record = &self.module.records[record];
            let members = record.local.as_deref().unwrap_or("{}");
            format!("{} {members};", record.name)
        });
        declared.collect()
    }

    /// The stars between a variable's type as `type_of` writes it and its name, for values that
    /// are pointers themselves.
    pub fn stars(&self, variable: &Variable) -> String {
        stars_of(self.module, variable.ty)
    }

    /// A type without spelling; of a pointer: what it points to in the end.
    pub fn type_name(&mut self, ty: Type, span: Span) -> String {
        if let Type::Complex { .. } = ty {
            self.needs.headers.insert("complex.h");
        }
        match ty {
            Type::Record(record) if !self.foreign => {
                self.note_local_type(ty);
                let name = self.module.records[record].name.clone();
                if name.is_empty() {
                    return self.refuse(
                        span,
                        "the type of this is a struct without a name".to_owned(),
                        "give the struct a name (`struct NAME {`)",
                    );
                }
                if self.setting.place == Place::OwnFile {
                    return self.refuse(
                        span,
                        format!("the type `{name}` is not known in a file of its own"),
                        "make the function `static`, so that the derivative is written in place",
                    );
                }
                name
            }
            Type::Pointer(pointer) if !self.foreign => {
                let pointer = &self.module.pointers[pointer];
                match &pointer.spelling {
                    Some(spelling) if self.setting.place != Place::Header => base_of(spelling),
                    _ => self.type_name(pointer.target, span),
                }
            }
            _ => match plain_name(ty) {
                Some(name) => name.to_owned(),
                None => {
                    let what = describe(self.module, ty);
                    self.refuse(
                        span,
                        format!("{what} has no counterpart in C output"),
                        "ask for output in the language of the source",
                    )
                }
            },
        }
    }
}

/// The struct that a type is or leads to.
pub(crate) fn record_behind(module: &Module, mut ty: Type) -> Option<RecordId> {
    while let Type::Pointer(pointer) = ty {
        ty = module.pointers[pointer].target;
    }
    match ty {
        Type::Record(record) => Some(record),
        _ => None,
    }
}

/// The stars of a type that is a pointer.
pub(crate) fn stars_of(module: &Module, mut ty: Type) -> String {
    let mut stars = String::new();
    while let Type::Pointer(pointer) = ty {
        stars.push('*');
        ty = module.pointers[pointer].target;
    }
    if ty == Type::Address {
        stars.push('*');
    }
    stars
}

/// The name of a type that C has.
pub(crate) fn plain_name(ty: Type) -> Option<&'static str> {
    Some(match ty {
        Type::Integer { bytes, signed } => match (bytes, signed) {
            (1, true) => "char",
            (1, false) => "unsigned char",
            (2, true) => "short",
            (2, false) => "unsigned short",
            (4, true) => "int",
            (4, false) => "unsigned int",
            (8, true) => "long",
            (8, false) => "unsigned long",
            _ => return None,
        },
        Type::Real { bytes: 4 } => "float",
        Type::Real { bytes: 8 } => "double",
        Type::Real { bytes: 16 } => "long double",
        Type::Complex { bytes: 4 } => "float complex",
        Type::Complex { bytes: 8 } => "double complex",
        Type::Logical { bytes: 1 } => "_Bool",
        Type::Logical { .. } => "int",
        // With a star, see `stars_of`.
        Type::Address => "void",
        Type::Void => "void",
        _ => return None,
    })
}

/// A spelling without qualifiers, storage classes, stars and brackets.
pub(crate) fn base_of(spelling: &str) -> String {
    if spelling.starts_with("__typeof__") {
        return spelling.to_owned();
    }
    let end = spelling.find(['*', '[', '(']).unwrap_or(spelling.len());
    let words: Vec<&str> = spelling[..end]
        .split_whitespace()
        .filter(|word| {
            !matches!(
                *word,
                "const"
                    | "volatile"
                    | "restrict"
                    | "__restrict"
                    | "static"
                    | "extern"
                    | "register"
                    | "inline"
                    | "__inline"
            )
        })
        .collect();
    words.join(" ")
}

/// Whether a spelling needs no declaration.
pub(crate) fn is_built_in(base: &str) -> bool {
    !base.is_empty() && base.split_whitespace().all(|word| BUILT_IN.contains(&word))
}

/// A type in the user's terms.
fn describe(module: &Module, ty: Type) -> String {
    match ty {
        Type::Record(record) => format!("the derived type `{}`", module.records[record].name),
        Type::Character => "a character variable".to_owned(),
        Type::Procedure => "a procedure argument".to_owned(),
        _ => "this type".to_owned(),
    }
}
