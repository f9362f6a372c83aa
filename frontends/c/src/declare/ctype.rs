//! The types of C, as declarations state them.

use crate::cst::{Expression, Node};
use contraflow_ir::{Span, Type};
use std::rc::Rc;

/// A type of C.
#[derive(Clone, Debug)]
pub(crate) enum CType<'a> {
    Void,
    /// A number or `_Bool`.
    Scalar(Type),
    /// A struct or union: index into [`Unit::records`](super::Unit::records).
    Record(usize),
    Pointer {
        target: Rc<CType<'a>>,
        /// The target is `const`.
        read_only: bool,
        restrict: bool,
    },
    Array {
        element: Rc<CType<'a>>,
        extent: ArrayExtent<'a>,
    },
    Function(Rc<FunctionType<'a>>),
    /// Not understood.
    Unknown,
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArrayExtent<'a> {
    /// `[]`, `[*]`.
    Unknown,
    Constant(i64),
    /// Evaluated where the declaration stands.
    Variable(&'a Node<Expression>),
}

/// The type of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionType<'a> {
    pub result: CType<'a>,
    /// How the result's type is spelt.
    pub spelling: String,
    pub parameters: Vec<Parameter<'a>>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'a> {
    pub name: Option<&'a str>,
    pub ty: CType<'a>,
    /// The outermost extent, where it is declared as an array.
    pub outer: ArrayExtent<'a>,
    pub spelling: String,
    pub span: Span,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub(crate) struct RecordDefinition<'a> {
    /// `struct point`; empty without a tag.
    pub name: String,
    pub span: Span,
    pub is_union: bool,
    /// Whether the members are known.
    pub is_complete: bool,
    /// Whether an attribute or pragma moves its members from where they would lie.
    pub is_packed: bool,
    /// The members in braces, as they are written, where a body declares it.
    pub local: Option<String>,
    pub fields: Vec<FieldDefinition<'a>>,
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub(crate) struct FieldDefinition<'a> {
    /// Empty for an anonymous struct inside.
    pub name: String,
    pub ty: CType<'a>,
    pub spelling: String,
}

impl<'a> CType<'a> {
    pub const INT: CType<'static> = CType::Scalar(Type::INT);

    /// A pointer to `self`.
    pub fn pointed(self) -> Self {
        CType::Pointer {
            target: Rc::new(self),
            read_only: false,
            restrict: false,
        }
    }

    /// What a value of this type becomes in an expression or as a parameter.
    pub fn decayed(&self) -> Self {
        match self {
            CType::Array { element, .. } => (**element).clone().pointed(),
            CType::Function(_) => self.clone().pointed(),
            _ => self.clone(),
        }
    }

    /// What a pointer points to or an array consists of.
    pub fn target(&self) -> Option<&CType<'a>> {
        match self {
            CType::Pointer { target, .. } => Some(target),
            CType::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The type below all array dimensions.
    pub fn element(&self) -> &CType<'a> {
        match self {
            CType::Array { element, .. } => element.element(),
            _ => self,
        }
    }

    /// The extents of an array, outermost first.
    pub fn extents(&self) -> Vec<ArrayExtent<'a>> {
        let mut extents = Vec::new();
        let mut ty = self;
        while let CType::Array { element, extent } = ty {
            extents.push(*extent);
            ty = element;
        }
        extents
    }

    /// Whether it is, or is an array of, a pointer to arrays (`double (*rows)[5]`).
    pub fn leads_to_rows(&self) -> bool {
        match self {
            CType::Array { element, .. } => element.leads_to_rows(),
            CType::Pointer { target, .. } => target.is_array() || target.leads_to_rows(),
            _ => false,
        }
    }

    pub fn is_array(&self) -> bool {
        matches!(self, CType::Array { .. })
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self, CType::Pointer { .. })
    }

    /// Whether it is a pointer to a function.
    pub fn is_function_pointer(&self) -> bool {
        matches!(self, CType::Pointer { target, .. } if matches!(**target, CType::Function(_)))
    }

    /// The function that it is or points to.
    pub fn function(&self) -> Option<Rc<FunctionType<'a>>> {
        match self {
            CType::Function(function) => Some(function.clone()),
            CType::Pointer { target, .. } => target.function(),
            _ => None,
        }
    }

    /// The number type, of a scalar.
    pub fn scalar(&self) -> Option<Type> {
        match self {
            CType::Scalar(ty) => Some(*ty),
            _ => None,
        }
    }
}
