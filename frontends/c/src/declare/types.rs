//! From specifiers and declarators to types.

use super::{
    ArrayExtent, CType, FieldDefinition, FunctionType, Parameter, RecordDefinition, Symbol, Unit,
};
use crate::cst::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis,
    EnumType, Node, ParameterDeclaration, PointerQualifier, SpecifierQualifier,
    StorageClassSpecifier, StructDeclaration, StructField, StructKind, StructType,
    TS18661FloatFormat, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use contraflow_ir::{Span, Type};
use std::rc::Rc;

/// What the specifiers of a declaration say.
#[derive(Clone, Debug)]
pub(crate) struct Specified<'a> {
    pub ty: CType<'a>,
    pub spelling: String,
    pub is_const: bool,
    pub is_typedef: bool,
    pub is_extern: bool,
    pub is_static: bool,
}

/// A declared name with its type.
#[derive(Clone, Debug)]
pub(crate) struct Declared<'a> {
    pub name: &'a str,
    pub span: crate::cst::Span,
    pub ty: CType<'a>,
    /// The object itself (a pointer, not what it points to) is `const`.
    pub is_const: bool,
}

impl<'a> Unit<'a> {
    /// Reads the specifiers of a declaration, declaring the tags and `enum` members in them.
    pub fn specified(&mut self, specifiers: &'a [Node<DeclarationSpecifier>]) -> Specified<'a> {
        let mut types = Vec::new();
        let mut specified = Specified {
            ty: CType::Unknown,
            spelling: String::new(),
            is_const: false,
            is_typedef: false,
            is_extern: false,
            is_static: false,
        };
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => specified.is_typedef = true,
                    StorageClassSpecifier::Extern => specified.is_extern = true,
                    StorageClassSpecifier::Static => specified.is_static = true,
                    _ => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) => types.push(ty),
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    specified.is_const |= qualifier.node == TypeQualifier::Const;
                }
                _ => {}
            }
        }
        (specified.ty, specified.spelling) = self.base_type(&types);
        specified
    }

    /// The specifiers of the declaration at `span`; unknown if an attribute in it changes the type.
    pub fn specified_in(
        &mut self,
        specifiers: &'a [Node<DeclarationSpecifier>],
        span: crate::cst::Span,
    ) -> Specified<'a> {
        let mut specified = self.specified(specifiers);
        let has = |marks: &[usize]| {
            let first = marks.partition_point(|&at| at < span.start);
            marks.get(first).is_some_and(|&at| at < span.end)
        };
        if has(&self.view.marks.retyping) {
            specified.ty = CType::Unknown;
        }
        let defines = specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::TypeSpecifier(ty)
                if matches!(&ty.node, TypeSpecifier::Struct(record) if record.node.declarations.is_some()))
        });
        if let (CType::Record(index), true) =
            (&specified.ty, defines && has(&self.view.marks.packing))
        {
            self.records[*index].is_packed = true;
        }
        specified
    }

    fn qualified(
        &mut self,
        specifiers: &'a [Node<SpecifierQualifier>],
    ) -> (CType<'a>, String, bool) {
        let mut types = Vec::new();
        let mut is_const = false;
        for specifier in specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(ty) => types.push(ty),
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    is_const |= qualifier.node == TypeQualifier::Const;
                }
                SpecifierQualifier::Extension(_) => {}
            }
        }
        let (ty, spelling) = self.base_type(&types);
        (ty, spelling, is_const)
    }

    /// The type in a cast, `sizeof` or compound literal.
    pub fn type_name(&mut self, name: &'a TypeName) -> CType<'a> {
        let (base, _, is_const) = self.qualified(&name.specifiers);
        match &name.declarator {
            Some(declarator) => self.declared(&declarator.node, base, is_const).ty,
            None => base,
        }
    }

    fn base_type(&mut self, specifiers: &[&'a Node<TypeSpecifier>]) -> (CType<'a>, String) {
        let mut words: Vec<&str> = Vec::new();
        for specifier in specifiers {
            words.push(match &specifier.node {
                TypeSpecifier::Void => "void",
                TypeSpecifier::Char => "char",
                TypeSpecifier::Short => "short",
                TypeSpecifier::Int => "int",
                TypeSpecifier::Long => "long",
                TypeSpecifier::Float => "float",
                TypeSpecifier::Double => "double",
                TypeSpecifier::Signed => "signed",
                TypeSpecifier::Unsigned => "unsigned",
                TypeSpecifier::Bool => "_Bool",
                TypeSpecifier::Complex => "_Complex",
                TypeSpecifier::Atomic(name) => return (self.type_name(&name.node), String::new()),
                TypeSpecifier::Struct(record) => return self.record_type(record),
                TypeSpecifier::Enum(members) => return self.enum_type(members),
                TypeSpecifier::TypedefName(name) => {
                    let ty = match self.lookup(&name.node.name) {
                        Some(Symbol::Typedef(ty)) => ty.clone(),
                        _ => CType::Unknown,
                    };
                    // Other bodies do not know the name.
                    let spelling = match self.is_known_outside(&name.node.name) {
                        true => name.node.name.clone(),
                        false => self.spelling_of(&ty).unwrap_or_default(),
                    };
                    return (ty, spelling);
                }
                TypeSpecifier::TypeOf(of) => {
                    let ty = match &of.node {
                        TypeOf::Type(name) => self.type_name(&name.node),
                        TypeOf::Expression(_) => CType::Unknown,
                    };
                    return (ty, String::new());
                }
                TypeSpecifier::TS18661Float(float) => {
                    let binary = float.format == TS18661FloatFormat::BinaryInterchange;
                    let ty = match (binary, float.width) {
                        (true, 16) => CType::Scalar(Type::Real { bytes: 2 }),
                        (true, 32) => CType::Scalar(Type::REAL4),
                        (true, 64) => CType::Scalar(Type::REAL8),
                        (true, 128) => CType::Scalar(Type::Real { bytes: 16 }),
                        _ => CType::Unknown,
                    };
                    return (ty, format!("_Float{}", float.width));
                }
            });
        }
        (arithmetic_type(&words), words.join(" "))
    }

    fn record_type(&mut self, node: &'a Node<StructType>) -> (CType<'a>, String) {
        let record = &node.node;
        let keyword = match record.kind.node {
            StructKind::Struct => "struct",
            StructKind::Union => "union",
        };
        let tag = record.identifier.as_ref().map(|tag| tag.node.name.as_str());
        let spelling = tag
            .map(|tag| format!("{keyword} {tag}"))
            .unwrap_or_default();
        let known = match (tag, &record.declarations) {
            (Some(tag), None) => self.tag(tag),
            (Some(tag), Some(_)) => self
                .tag_here(tag)
                .filter(|&index| !self.records[index].is_complete),
            (None, _) => None,
        };
        let index = known.unwrap_or_else(|| {
            self.records.push(RecordDefinition {
                name: spelling.clone(),
                span: self.view.span(node.span),
                is_union: record.kind.node == StructKind::Union,
                is_complete: false,
                is_packed: self.is_packed_by_pragma(node.span.start),
                local: None,
                fields: Vec::new(),
            });
            let index = self.records.len() - 1;
            if let Some(tag) = tag {
                self.declare_tag(tag, index);
            }
            index
        });
        if let Some(declarations) = &record.declarations {
            let mut fields = Vec::new();
            for declaration in declarations {
                if let StructDeclaration::Field(field) = &declaration.node {
                    self.add_fields(&field.node, &mut fields);
                }
            }
            if self.is_in_body() {
                self.records[index].local = self.braced(node.span);
            }
            self.records[index].fields = fields;
            self.records[index].is_complete = true;
        }
        (CType::Record(index), spelling)
    }

    /// What stands in the braces of a type, without names that only this body knows.
    fn braced(&self, span: crate::cst::Span) -> Option<String> {
        let text = self.view.text.get(span.start..span.end)?;
        let inner = &text[text.find('{')?..=text.rfind('}')?];
        let is_marker = |line: &&str| line.trim_start().starts_with('#');
        let lines = inner.lines().filter(|line| !is_marker(line));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let joined = words.join(" ");
        let is_within = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut out = String::new();
        let mut rest = joined.as_str();
        while let Some(start) = rest.find(is_within) {
            let end = rest[start..].find(|c| !is_within(c));
            let end = end.map_or(rest.len(), |length| start + length);
            let word = &rest[start..end];
            out.push_str(&rest[..start]);
            match self.lookup(word) {
                Some(Symbol::Typedef(ty)) if !self.is_known_outside(word) => {
                    out.push_str(&self.spelling_of(ty)?);
                }
                _ => out.push_str(word),
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
        Some(out)
    }

    /// Whether a `#pragma pack` stands somewhere before.
    fn is_packed_by_pragma(&self, at: usize) -> bool {
        self.view
            .pragmas
            .iter()
            .any(|(place, text)| (*place as usize) < at && text.starts_with("pack"))
    }

    fn add_fields(&mut self, field: &'a StructField, fields: &mut Vec<FieldDefinition<'a>>) {
        let (base, spelling, is_const) = self.qualified(&field.specifiers);
        if field.declarators.is_empty() {
            fields.push(FieldDefinition {
                name: String::new(),
                ty: base,
                spelling,
            });
            return;
        }
        for declarator in &field.declarators {
            let Some(declared) = &declarator.node.declarator else {
                continue;
            };
            let declared = self.declared(&declared.node, base.clone(), is_const);
            let ty = match declarator.node.bit_width {
                Some(_) => CType::Unknown,
                None => declared.ty,
            };
            fields.push(FieldDefinition {
                name: declared.name.to_owned(),
                ty,
                spelling: spelling.clone(),
            });
        }
    }

    fn enum_type(&mut self, node: &'a Node<EnumType>) -> (CType<'a>, String) {
        let mut next = 0i128;
        for member in &node.node.enumerators {
            if let Some(value) = &member.node.expression {
                next = self.constant(value).unwrap_or(next);
            }
            let name = member.node.identifier.node.name.as_str();
            self.declare(name, Symbol::EnumConstant(next));
            next = next.saturating_add(1);
        }
        let spelling = match &node.node.identifier {
            Some(tag) => format!("enum {}", tag.node.name),
            None => "int".to_owned(),
        };
        (CType::INT, spelling)
    }

    /// The name and type that a declarator makes of a base type.
    pub fn declared(
        &mut self,
        declarator: &'a Declarator,
        base: CType<'a>,
        is_const: bool,
    ) -> Declared<'a> {
        let mut ty = base;
        let mut is_const = is_const;
        // Pointers stand first and bind last; arrays and functions bind from the right.
        let (pointers, rest): (Vec<_>, Vec<_>) = declarator.derived.iter().partition(|derived| {
            matches!(
                derived.node,
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_)
            )
        });
        for pointer in pointers {
            let restrict;
            let read_only = is_const;
            (is_const, restrict) = match &pointer.node {
                DerivedDeclarator::Pointer(qualifiers) => pointer_qualifiers(qualifiers),
                _ => (false, false),
            };
            ty = CType::Pointer {
                target: Rc::new(ty),
                read_only,
                restrict,
            };
        }
        for derived in rest.into_iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Array(array) => CType::Array {
                    element: Rc::new(ty),
                    extent: self.array_extent(&array.node.size),
                },
                DerivedDeclarator::Function(function) => {
                    let parameters = self.parameters(&function.node.parameters);
                    CType::Function(Rc::new(FunctionType {
                        result: ty,
                        spelling: String::new(),
                        parameters,
                        variadic: function.node.ellipsis == Ellipsis::Some,
                    }))
                }
                DerivedDeclarator::KRFunction(names) => CType::Function(Rc::new(FunctionType {
                    result: ty,
                    spelling: String::new(),
                    parameters: names
                        .iter()
                        .map(|name| Parameter {
                            name: Some(&name.node.name),
                            ty: CType::INT,
                            outer: ArrayExtent::Unknown,
                            spelling: "int".to_owned(),
                            span: self.view.span(name.span),
                        })
                        .collect(),
                    variadic: names.is_empty(),
                })),
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => ty,
            };
        }
        match &declarator.kind.node {
            DeclaratorKind::Abstract => Declared {
                name: "",
                span: declarator.kind.span,
                ty,
                is_const,
            },
            DeclaratorKind::Identifier(name) => Declared {
                name: &name.node.name,
                span: name.span,
                ty,
                is_const,
            },
            DeclaratorKind::Declarator(inner) => self.declared(&inner.node, ty, is_const),
        }
    }

    fn array_extent(&mut self, size: &'a ArraySize) -> ArrayExtent<'a> {
        match size {
            ArraySize::Unknown | ArraySize::VariableUnknown => ArrayExtent::Unknown,
            ArraySize::VariableExpression(count) | ArraySize::StaticExpression(count) => match self
                .constant(count)
                .and_then(|count| i64::try_from(count).ok())
            {
                Some(count) => ArrayExtent::Constant(count),
                None => ArrayExtent::Variable(count),
            },
        }
    }

    fn parameters(&mut self, declarations: &'a [Node<ParameterDeclaration>]) -> Vec<Parameter<'a>> {
        let mut parameters: Vec<Parameter<'a>> = Vec::new();
        for node in declarations {
            let specified = self.specified(&node.node.specifiers);
            let declared = match &node.node.declarator {
                Some(declarator) => {
                    self.declared(&declarator.node, specified.ty, specified.is_const)
                }
                None => Declared {
                    name: "",
                    span: node.span,
                    ty: specified.ty,
                    is_const: specified.is_const,
                },
            };
            if matches!(declared.ty, CType::Void) {
                continue;
            }
            let outer = match &declared.ty {
                CType::Array { extent, .. } => *extent,
                _ => ArrayExtent::Unknown,
            };
            let ty = as_parameter(declared.ty, declared.is_const, node);
            parameters.push(Parameter {
                name: (!declared.name.is_empty()).then_some(declared.name),
                ty,
                outer,
                spelling: specified.spelling,
                span: self.view.span(declared.span),
            });
        }
        parameters
    }

    /// The span of a node in the user's text.
    pub fn span(&self, span: crate::cst::Span) -> Span {
        self.view.span(span)
    }
}

/// An array parameter is a pointer to its element.
fn as_parameter<'a>(ty: CType<'a>, is_const: bool, node: &Node<ParameterDeclaration>) -> CType<'a> {
    match ty {
        CType::Array { element, .. } => {
            let restrict = node
                .node
                .declarator
                .as_ref()
                .is_some_and(|declarator| array_is_restrict(&declarator.node));
            CType::Pointer {
                target: element,
                read_only: is_const,
                restrict,
            }
        }
        CType::Function(_) => ty.pointed(),
        other => other,
    }
}

fn array_is_restrict(declarator: &Declarator) -> bool {
    declarator.derived.iter().any(|derived| {
        matches!(&derived.node, DerivedDeclarator::Array(array)
            if array.node.qualifiers.iter().any(|q| q.node == TypeQualifier::Restrict))
    })
}

fn pointer_qualifiers(qualifiers: &[Node<PointerQualifier>]) -> (bool, bool) {
    let has = |wanted: TypeQualifier| {
        qualifiers.iter().any(|qualifier| {
            matches!(&qualifier.node, PointerQualifier::TypeQualifier(q) if q.node == wanted)
        })
    };
    (has(TypeQualifier::Const), has(TypeQualifier::Restrict))
}

fn arithmetic_type<'a>(words: &[&str]) -> CType<'a> {
    let count = |word: &str| words.iter().filter(|&&w| w == word).count();
    let signed = count("unsigned") == 0;
    let real = if count("double") > 0 {
        Some(if count("long") > 0 { 16 } else { 8 })
    } else if count("float") > 0 {
        Some(4)
    } else {
        None
    };
    if count("_Complex") > 0 {
        return CType::Scalar(Type::Complex {
            bytes: real.unwrap_or(8),
        });
    }
    if let Some(bytes) = real {
        return CType::Scalar(Type::Real { bytes });
    }
    if count("void") > 0 {
        return CType::Void;
    }
    if count("_Bool") > 0 {
        return CType::Scalar(Type::Logical { bytes: 1 });
    }
    let bytes = if count("char") > 0 {
        1
    } else if count("short") > 0 {
        2
    } else if count("long") > 0 {
        8
    } else if words.is_empty() {
        return CType::Unknown;
    } else {
        4
    };
    CType::Scalar(Type::Integer { bytes, signed })
}
