//! Symbol tables of one translation unit: typedefs, tags, `enum` members, functions and globals,
//! in the scopes of C; and how C's types become the IR's.

mod constant;
mod ctype;
mod ir_types;
mod targets;
mod types;

pub(crate) use constant::{constant_value, integer_type};
pub(crate) use ctype::{
    ArrayExtent, CType, FieldDefinition, FunctionType, Parameter, RecordDefinition,
};
pub(crate) use types::{Declared, Specified};

use crate::cst::{
    Declaration, ExternalDeclaration, FunctionDefinition, Initializer, Node, TranslationUnit,
};
use crate::view::View;
use contraflow_ir::{
    Allocation, ContainerId, Diagnostic, Global, GlobalId, GlobalKind, Module, PointerId,
    Procedure, ProcedureId, RecordId, Sources, Type, VarId,
};
use std::collections::HashMap;
use std::rc::Rc;

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Symbol<'a> {
    Typedef(CType<'a>),
    EnumConstant(i128),
    /// Index into [`Unit::functions`].
    Function(usize),
    /// Index into [`Unit::globals`].
    Global(usize),
    /// A variable of the procedure that is being lowered.
    Local(VarId),
    /// A local pointer that stands for a fixed address: index into the body's aliases.
    Alias(usize),
}

/// A function that is declared or defined.
#[derive(Clone, Debug)]
pub(crate) struct Function<'a> {
    pub name: &'a str,
    pub ty: Rc<FunctionType<'a>>,
    /// Declared in a file of the user's, not in a system header.
    pub is_user: bool,
    pub is_static: bool,
    pub definition: Option<&'a Node<FunctionDefinition>>,
    /// Its procedure, once there is one.
    pub procedure: Option<ProcedureId>,
    pub span: contraflow_ir::Span,
}

/// A variable at file scope.
#[derive(Clone, Debug)]
pub(crate) struct GlobalVariable<'a> {
    pub name: &'a str,
    pub ty: CType<'a>,
    pub spelling: String,
    pub is_const: bool,
    /// The initial value as written.
    pub initializer: Option<&'a Initializer>,
    /// `None` for variables of system headers.
    pub id: Option<GlobalId>,
}

/// A translation unit while it is translated.
pub(crate) struct Unit<'a> {
    pub view: &'a View,
    pub sources: &'a Sources,
    /// What the unit adds to the program; merged by `link`.
    pub module: Module,
    pub container: ContainerId,
    pub records: Vec<RecordDefinition<'a>>,
    pub functions: Vec<Function<'a>>,
    pub globals: Vec<GlobalVariable<'a>>,
    pub diagnostics: Vec<Diagnostic>,
    scopes: Vec<Scope<'a>>,
    record_ids: HashMap<usize, RecordId>,
    pointer_ids: HashMap<(Type, String), PointerId>,
}

#[derive(Default)]
struct Scope<'a> {
    symbols: HashMap<&'a str, Symbol<'a>>,
    tags: HashMap<&'a str, usize>,
}

impl<'a> Unit<'a> {
    /// A unit without declarations.
    pub fn new(
        view: &'a View,
        sources: &'a Sources,
        module: Module,
        container: ContainerId,
    ) -> Self {
        Self {
            view,
            sources,
            module,
            container,
            records: Vec::new(),
            functions: Vec::new(),
            globals: Vec::new(),
            diagnostics: Vec::new(),
            scopes: vec![Scope::default()],
            record_ids: HashMap::new(),
            pointer_ids: HashMap::new(),
        }
    }

    /// Begins a block.
    pub fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Ends a block. The variables that were declared in it are given back.
    pub fn leave(&mut self) -> Vec<(&'a str, VarId)> {
        let scope = self.scopes.pop().unwrap_or_default();
        let mut locals: Vec<(&'a str, VarId)> = scope
            .symbols
            .into_iter()
            .filter_map(|(name, symbol)| match symbol {
                Symbol::Local(var) => Some((name, var)),
                _ => None,
            })
            .collect();
        locals.sort_unstable();
        locals
    }

    /// What a name means here.
    pub fn lookup(&self, name: &str) -> Option<&Symbol<'a>> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.symbols.get(name))
    }

    /// Gives a name a meaning in the innermost block.
    pub fn declare(&mut self, name: &'a str, symbol: Symbol<'a>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.symbols.insert(name, symbol);
        }
    }

    /// Whether a name is declared in the innermost block.
    pub fn is_declared_here(&self, name: &str) -> bool {
        self.scopes
            .last()
            .is_some_and(|scope| scope.symbols.contains_key(name))
    }

    /// Whether the body of a function is read.
    fn is_in_body(&self) -> bool {
        self.scopes.len() > 1
    }

    /// Whether a name has the same meaning in every body.
    fn is_known_outside(&self, name: &str) -> bool {
        let inner = &self.scopes[1..];
        inner.iter().all(|scope| !scope.symbols.contains_key(name))
    }

    fn declare_at_file_scope(&mut self, name: &'a str, symbol: Symbol<'a>) {
        self.scopes[0].symbols.insert(name, symbol);
    }

    fn tag(&self, name: &str) -> Option<usize> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.tags.get(name).copied())
    }

    fn tag_here(&self, name: &str) -> Option<usize> {
        self.scopes
            .last()
            .and_then(|scope| scope.tags.get(name).copied())
    }

    fn declare_tag(&mut self, name: &'a str, index: usize) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(name, index);
        }
    }

    /// Declares everything at file scope.
    pub fn declare_all(&mut self, unit: &'a TranslationUnit) {
        for item in &unit.0 {
            match &item.node {
                ExternalDeclaration::Declaration(declaration) => {
                    self.declare_outside(declaration);
                }
                ExternalDeclaration::FunctionDefinition(definition) => self.define(definition),
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
    }

    /// A declaration at file scope.
    fn declare_outside(&mut self, node: &'a Node<Declaration>) {
        let declaration = &node.node;
        let specified = self.specified_in(&declaration.specifiers, node.span);
        for init in &declaration.declarators {
            let declarator = &init.node.declarator.node;
            let declared = self.declared(declarator, specified.ty.clone(), specified.is_const);
            if specified.is_typedef {
                self.declare_typedef(declared.name, declared.ty);
                continue;
            }
            match &declared.ty {
                CType::Function(ty) => {
                    let ty = with_spelling(ty, &specified.spelling);
                    self.declare_function(declared.name, ty, &declared, specified.is_static);
                }
                _ => {
                    let initializer = init.node.initializer.as_ref();
                    self.declare_global(declared, &specified, initializer);
                }
            }
        }
    }

    /// Declares a type's name. A struct without a tag has the name from then on.
    pub fn declare_typedef(&mut self, name: &'a str, ty: CType<'a>) {
        if let CType::Record(index) = ty
            && self.records[index].name.is_empty()
        {
            let record = &mut self.records[index];
            record.name = match (&record.local, record.is_union) {
                (Some(_), true) => format!("union {name}"),
                (Some(_), false) => format!("struct {name}"),
                (None, _) => name.to_owned(),
            };
        }
        self.declare(name, Symbol::Typedef(ty));
    }

    /// Gives a struct without a tag a name by a variable of that type; how the type is spelt from then
    /// on.
    pub fn name_by_variable(
        &mut self,
        (name, declared): (&str, &CType<'a>),
        spelling: &str,
    ) -> Option<String> {
        let CType::Record(index) = base(declared) else {
            return spelled(spelling);
        };
        let record = &mut self.records[*index];
        if record.name.is_empty() {
            record.name = match record.local {
                Some(_) if record.is_union => format!("union {name}_type"),
                Some(_) => format!("struct {name}_type"),
                None => format!("__typeof__({})", element_of(name, declared)),
            };
        }
        match spelling.is_empty() {
            true => Some(record.name.clone()),
            false => spelled(spelling),
        }
    }

    /// Notes a function's type; the index of the function.
    pub fn declare_function(
        &mut self,
        name: &'a str,
        ty: Rc<FunctionType<'a>>,
        declared: &Declared<'a>,
        is_static: bool,
    ) -> usize {
        let span = self.view.span(declared.span);
        if let Some(&Symbol::Function(index)) = self.scopes[0].symbols.get(name) {
            let function = &mut self.functions[index];
            if function.definition.is_none() && !ty.parameters.is_empty() {
                function.ty = ty;
            }
            function.is_static |= is_static;
            function.is_user |= span.is_some();
            return index;
        }
        self.functions.push(Function {
            name,
            ty,
            is_user: span.is_some(),
            is_static,
            definition: None,
            procedure: None,
            span,
        });
        let index = self.functions.len() - 1;
        self.declare_at_file_scope(name, Symbol::Function(index));
        index
    }

    /// A function that is called without a declaration.
    pub fn declare_implicitly(&mut self, name: &'a str) -> usize {
        self.functions.push(Function {
            name,
            ty: Rc::new(FunctionType {
                result: CType::INT,
                spelling: "int".to_owned(),
                parameters: Vec::new(),
                variadic: true,
            }),
            is_user: false,
            is_static: false,
            definition: None,
            procedure: None,
            span: contraflow_ir::Span::NONE,
        });
        let index = self.functions.len() - 1;
        self.declare_at_file_scope(name, Symbol::Function(index));
        index
    }

    fn define(&mut self, node: &'a Node<FunctionDefinition>) {
        let definition = &node.node;
        let specified = self.specified(&definition.specifiers);
        let declarator = &definition.declarator.node;
        let declared = self.declared(declarator, specified.ty.clone(), specified.is_const);
        let CType::Function(ty) = &declared.ty else {
            return;
        };
        let mut ty = with_spelling(ty, &specified.spelling);
        if !definition.declarations.is_empty() {
            ty = self.old_style(&ty, &definition.declarations);
        }
        let index =
            self.declare_function(declared.name, ty.clone(), &declared, specified.is_static);
        let span = self.view.span(declared.span);
        let function = &mut self.functions[index];
        if function.definition.is_some() || !span.is_some() {
            return;
        }
        function.ty = ty;
        function.span = span;
        function.definition = Some(node);
        let procedure = Procedure::new(declared.name);
        function.procedure = Some(self.module.procedures.add(procedure));
    }

    /// Gives the parameters of an old-style definition their types.
    fn old_style(
        &mut self,
        ty: &FunctionType<'a>,
        declarations: &'a [Node<Declaration>],
    ) -> Rc<FunctionType<'a>> {
        let mut ty = ty.clone();
        for declaration in declarations {
            let specified = self.specified(&declaration.node.specifiers);
            for init in &declaration.node.declarators {
                let declarator = &init.node.declarator.node;
                let declared = self.declared(declarator, specified.ty.clone(), specified.is_const);
                let parameter = ty
                    .parameters
                    .iter_mut()
                    .find(|parameter| parameter.name == Some(declared.name));
                if let Some(parameter) = parameter {
                    parameter.ty = declared.ty.decayed();
                    parameter.spelling.clone_from(&specified.spelling);
                }
            }
        }
        Rc::new(ty)
    }

    /// A variable at file scope (or an `extern` one in a block).
    pub fn declare_global(
        &mut self,
        declared: Declared<'a>,
        specified: &Specified<'a>,
        initializer: Option<&'a Node<Initializer>>,
    ) -> usize {
        let mut ty = declared.ty;
        if let (
            CType::Array {
                element,
                extent: ArrayExtent::Unknown,
            },
            Some(initializer),
        ) = (&ty, initializer)
            && let Some(count) = self.initializer_length(&initializer.node)
        {
            ty = CType::Array {
                element: element.clone(),
                extent: ArrayExtent::Constant(count),
            };
        }
        let span = self.view.span(declared.span);
        if let Some(&Symbol::Global(index)) = self.scopes[0].symbols.get(declared.name) {
            let known = &mut self.globals[index];
            // `extern` before the definition, or a tentative one.
            known.initializer = known.initializer.or(initializer.map(|it| &it.node));
            if let (Some(id), false) = (
                known.id,
                matches!(ty.extents().first(), Some(ArrayExtent::Unknown)),
            ) {
                let shape = self.fixed_shape(&ty);
                self.globals[index].ty = ty;
                self.module.globals[id].shape = shape;
            }
            return index;
        }
        let spelling = self
            .name_by_variable((declared.name, &ty), &specified.spelling)
            .unwrap_or_default();
        let id = span.is_some().then(|| {
            let global = Global {
                name: declared.name.to_owned(),
                span,
                container: Some(self.container),
                kind: match specified.is_static {
                    true => GlobalKind::FileStatic,
                    false => GlobalKind::External,
                },
                ty: self.ir_type(ty.element()),
                spelling: spelled(&spelling),
                shape: self.fixed_shape(&ty),
                allocation: Allocation::Fixed,
                is_private: false,
                shadow_of: None,
                declared_by: None,
            };
            self.module.globals.add(global)
        });
        self.globals.push(GlobalVariable {
            name: declared.name,
            ty,
            spelling,
            is_const: declared.is_const,
            initializer: initializer.map(|it| &it.node),
            id,
        });
        let index = self.globals.len() - 1;
        self.declare_at_file_scope(declared.name, Symbol::Global(index));
        index
    }

    /// How many elements an initialiser gives an array without a stated length.
    pub fn initializer_length(&mut self, initializer: &'a Initializer) -> Option<i64> {
        match initializer {
            Initializer::List(items) => {
                let (mut next, mut longest) = (0i64, 0i64);
                for item in items {
                    next = match item.node.designation.first().map(|d| &d.node) {
                        Some(crate::cst::Designator::Index(index)) => {
                            i64::try_from(self.constant(index)?).ok()?
                        }
                        Some(crate::cst::Designator::Range(range)) => {
                            i64::try_from(self.constant(&range.node.to)?).ok()?
                        }
                        Some(crate::cst::Designator::Member(_)) => return None,
                        None => next,
                    };
                    next = next.checked_add(1)?;
                    longest = longest.max(next);
                }
                Some(longest)
            }
            Initializer::Expression(expression) => match &expression.node {
                crate::cst::Expression::StringLiteral(text) => {
                    let bytes: usize = text
                        .node
                        .iter()
                        .map(|part| part.len().saturating_sub(2))
                        .sum();
                    i64::try_from(bytes + 1).ok()
                }
                _ => None,
            },
        }
    }
}

/// The type behind pointers and arrays.
fn base<'t, 'a>(ty: &'t CType<'a>) -> &'t CType<'a> {
    ty.target().map_or(ty, base)
}

/// What a variable leads to in the end.
fn element_of(name: &str, ty: &CType<'_>) -> String {
    let mut text = name.to_owned();
    let mut ty = ty;
    while let Some(target) = ty.target() {
        text.push_str("[0]");
        ty = target;
    }
    text
}

/// A spelling, if there is one.
pub(crate) fn spelled(spelling: &str) -> Option<String> {
    (!spelling.is_empty()).then(|| spelling.to_owned())
}

fn with_spelling<'a>(ty: &Rc<FunctionType<'a>>, spelling: &str) -> Rc<FunctionType<'a>> {
    let mut ty = (**ty).clone();
    spelling.clone_into(&mut ty.spelling);
    Rc::new(ty)
}
