//! From the units of a file to scopes with symbol tables.

use super::entities::{self, Entity, intent_of};
use super::entries;
use super::groups;
use super::scope::{DerivedType, Implicit, Scope, ScopeId, Symbol, TypeName, Use, What};
use super::type_spec::TypeParts;
use super::{derived, generics};
use crate::cst::{Parser, Syntax, Tree};
use crate::syntax::Kind;
use crate::syntax::blocks::{Classified, Construct, Item, Node, Unit, UnitKind};
use crate::syntax::scan::commas;
use crate::syntax::specification::after_type;
use crate::view::{Slice, Statement};
use contraflow_ir::{Diagnostic, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// Builds the scopes of one file.
pub struct Declarer<'a> {
    /// The file's index.
    pub file: usize,
    /// Its statements.
    pub statements: &'a [Arc<Statement>],
    /// Their kinds.
    pub kinds: &'a [Classified],
    /// The parser.
    pub parser: &'a mut Parser,
    /// What was found wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The scopes so far; ids count from 0 in this file.
    pub scopes: Vec<Scope>,
    pub(super) current: ScopeId,
}

impl<'a> Declarer<'a> {
    /// A declarer for a file.
    pub fn new(
        file: usize,
        statements: &'a [Arc<Statement>],
        kinds: &'a [Classified],
        parser: &'a mut Parser,
    ) -> Self {
        Self {
            file,
            statements,
            kinds,
            parser,
            diagnostics: Vec::new(),
            scopes: Vec::new(),
            current: 0,
        }
    }

    /// The scope that is being filled.
    pub fn scope(&mut self) -> &mut Scope {
        &mut self.scopes[self.current]
    }

    /// The symbol named by a part of a statement.
    pub fn named(&mut self, statement: &Statement, name: Slice) -> &mut Symbol {
        let key = statement.part(name).to_owned();
        let span = statement.span_of(name);
        self.scopes[self.current].symbol(&key, statement.original_part(name), span)
    }

    /// Parses parts of a statement; on failure says so and gives an empty tree and `true`.
    pub fn parse_or_empty(&mut self, index: usize, slices: &[Slice]) -> (Arc<Tree>, bool) {
        let statement = &self.statements[index];
        match self.parser.parse(statement, slices) {
            Ok(tree) => (Arc::new(tree), false),
            Err(unparsed) => {
                self.diagnostics.push(
                    Diagnostic::warning("unparsed", "this declaration is not understood")
                        .at(unparsed.span, "here")
                        .with_help("variables declared here can only be passive"),
                );
                (Arc::new(Tree::empty(statement)), true)
            }
        }
    }

    /// Adds a unit and all units in it.
    pub fn unit(&mut self, unit: Unit, parent: Option<ScopeId>, is_interface: bool) -> ScopeId {
        let id = self.scopes.len();
        let scope = self.head(&unit, parent, is_interface);
        self.scopes.push(scope);
        self.current = id;
        self.head_symbols(&unit, id);
        for item in unit.specification {
            self.current = id;
            self.item(item, id);
        }
        self.current = id;
        groups::statement_functions(self);
        self.blocks(&unit.body, id);
        for inner in unit.inner {
            let inner_id = self.unit(inner, Some(id), false);
            self.link(id, inner_id);
            for entry in self.scopes[inner_id].entries.clone() {
                self.link(id, entry);
            }
        }
        entries::add(self, id);
        id
    }

    /// Adds the scopes of BLOCK constructs with declarations.
    fn blocks(&mut self, nodes: &[Node], parent: ScopeId) {
        for node in nodes {
            let Node::Construct(construct) = node else {
                continue;
            };
            let mut around = parent;
            if !construct.specification.is_empty() {
                around = self.block(construct, parent);
            }
            for arm in &construct.arms {
                self.blocks(&arm.body, around);
            }
        }
    }

    fn block(&mut self, construct: &Construct, parent: ScopeId) -> ScopeId {
        let head = construct.arms[0].head;
        let unit = Unit {
            kind: UnitKind::Block,
            head: None,
            first: head,
            last: construct.end,
            specification: Vec::new(),
            body: Vec::new(),
            contains: None,
            inner: Vec::new(),
            too_deep: false,
        };
        let id = self.scopes.len();
        let scope = self.head(&unit, Some(parent), false);
        self.scopes.push(scope);
        self.current = id;
        for &index in &construct.specification {
            self.statement(index);
        }
        self.current = parent;
        id
    }

    /// Makes a procedure known in the scope around it.
    fn link(&mut self, outer: ScopeId, inner: ScopeId) {
        let (key, original, span) = {
            let scope = &self.scopes[inner];
            (scope.name.clone(), scope.original.clone(), scope.name_span)
        };
        let symbol = self.scopes[outer].symbol(&key, &original, span);
        if symbol.specifics.is_empty() {
            symbol.what = What::Procedure(inner);
        } else {
            symbol.procedure = Some(inner);
        }
    }

    fn head(&mut self, unit: &Unit, parent: Option<ScopeId>, is_interface: bool) -> Scope {
        let name = unit
            .head
            .map_or(Slice::default(), |head| unit_name(&self.kinds[head].kind));
        let statement = &self.statements[unit.head.unwrap_or(unit.first)];
        let has_name = !name.is_empty();
        let text = |anonymous: &str, part: &str| {
            if has_name {
                part.to_owned()
            } else {
                anonymous.to_owned()
            }
        };
        Scope {
            file: self.file,
            kind: unit.kind,
            name: text("main", statement.part(name)),
            original: text("main", statement.original_part(name)),
            name_span: statement.span_of(name),
            parent,
            statements: (unit.first, unit.last),
            contains: unit.contains,
            body: unit.body.clone(),
            too_deep: unit.too_deep,
            symbols: HashMap::new(),
            order: Vec::new(),
            uses: Vec::new(),
            implicit: Implicit::default(),
            arguments: Vec::new(),
            result: None,
            is_recursive: false,
            is_pure: false,
            is_elemental: false,
            is_separate: unit.kind == UnitKind::ModuleProcedure,
            commons: Vec::new(),
            equivalences: Vec::new(),
            data: Vec::new(),
            candidates: Vec::new(),
            prologue: Vec::new(),
            is_private_by_default: false,
            saves_all: false,
            address_pointers: None,
            is_interface,
            entry: None,
            entries: Vec::new(),
            result_aliases: Vec::new(),
            container: None,
            procedure: None,
        }
    }

    /// Arguments, result and prefix.
    fn head_symbols(&mut self, unit: &Unit, id: ScopeId) {
        let Some(head) = unit.head else {
            return;
        };
        let statement = self.statements[head].clone();
        let kind = self.kinds[head].kind.clone();
        match kind {
            Kind::Subroutine {
                prefix, arguments, ..
            } => {
                self.prefix(head, prefix, None);
                self.arguments(&statement, arguments);
            }
            Kind::Function {
                prefix,
                name,
                arguments,
                result,
            } => {
                let result = if result.is_empty() { name } else { result };
                self.scopes[id].result = Some(statement.part(result).to_owned());
                self.named(&statement, result);
                self.prefix(head, prefix, Some(result));
                self.arguments(&statement, arguments);
            }
            _ => {}
        }
    }

    pub(super) fn arguments(&mut self, statement: &Statement, list: Slice) {
        for (index, part) in commas(statement.text.as_bytes(), list)
            .into_iter()
            .enumerate()
        {
            let key = statement.part(part).to_owned();
            if key != "*" && !key.is_empty() {
                self.named(statement, part).argument = Some(index as u32);
            }
            self.scope().arguments.push(key);
        }
    }

    fn prefix(&mut self, head: usize, prefix: Slice, result: Option<Slice>) {
        let statement = self.statements[head].clone();
        let end = prefix.range().end;
        let mut at = prefix.range().start;
        while at < end {
            let rest = &statement.text[at..end];
            let word = [
                "non_recursive",
                "recursive",
                "impure",
                "elemental",
                "pure",
                "module",
            ]
            .into_iter()
            .find(|word| rest.starts_with(word));
            let scope = &mut self.scopes[self.current];
            match word {
                Some("recursive") => scope.is_recursive = true,
                Some("module") => scope.is_separate = true,
                Some("pure") => scope.is_pure = true,
                Some("elemental") => {
                    scope.is_elemental = true;
                    scope.is_pure = true;
                }
                Some(_) => {}
                None if rest.starts_with("attributes(") => {
                    at += rest.find(')').map_or(rest.len(), |close| close + 1);
                    continue;
                }
                None => {
                    let Some(next) = after_type(&statement.text, at) else {
                        return;
                    };
                    let ty = self.type_name(head, Slice::new(at, next.min(end)));
                    if let Some(result) = result {
                        self.named(&statement, result).ty = ty;
                    }
                    at = next;
                    continue;
                }
            }
            at += word.map_or(1, str::len);
        }
    }

    /// The type that a part of a statement names.
    pub fn type_name(&mut self, index: usize, slice: Slice) -> Option<TypeName> {
        let parts = TypeParts::of(&self.statements[index], slice)?;
        let (tree, _) = self.parse_or_empty(index, &parts.slices());
        Some(parts.resolve(&tree, 0))
    }

    fn item(&mut self, item: Item, id: ScopeId) {
        match item {
            Item::Statement(index) => self.statement(index),
            Item::Type(head, members) => self.derived_type(head, &members),
            Item::Enumerators(members) => groups::enumerators(self, &members),
            Item::Interface(head, bodies, names) => self.interface(head, bodies, &names, id),
        }
    }

    fn statement(&mut self, index: usize) {
        match self.kinds[index].kind.clone() {
            Kind::Declaration {
                type_spec,
                attributes,
                entities,
            } => {
                for (key, symbol) in
                    entities::declared(self, index, type_spec, attributes, entities)
                {
                    self.merge(&key, symbol);
                }
                groups::values_between_slashes(self, index, entities);
            }
            Kind::Attribute(attribute, list) => entities::attribute(self, index, attribute, list),
            Kind::Intent { intent, entities } => {
                let statement = self.statements[index].clone();
                let intent = intent_of(statement.part(intent));
                for part in commas(statement.text.as_bytes(), entities) {
                    self.named(&statement, part).intent = intent;
                }
            }
            Kind::Use { module, rest } => {
                self.scope().prologue.push(index);
                self.use_statement(index, module, rest);
            }
            Kind::Import => self.scope().prologue.push(index),
            Kind::Implicit(rest) => {
                self.scope().prologue.push(index);
                groups::implicit(self, index, rest);
            }
            Kind::Parameter(list) => groups::parameters(self, index, list),
            Kind::Data(list) => groups::data(self, index, list),
            Kind::Common(list) => groups::common(self, index, list),
            Kind::Equivalence(list) => groups::equivalence(self, index, list),
            Kind::Namelist(list) => {
                self.scope().prologue.push(index);
                groups::namelists(self, index, list);
            }
            _ => {}
        }
    }

    /// Adds what a declaration says to what other statements said.
    fn merge(&mut self, key: &str, new: Symbol) {
        let span = new.span.unwrap_or(Span::NONE);
        let old = self.scopes[self.current].symbol(key, &new.name, span);
        old.name.clone_from(&new.name);
        old.span = new.span;
        old.ty = new.ty;
        if !new.dims.is_empty() {
            old.dims = new.dims;
        }
        if new.init.is_some() {
            old.init = new.init;
        }
        old.intent = new.intent.or(old.intent);
        old.is_private = new.is_private.or(old.is_private);
        old.is_parameter |= new.is_parameter;
        old.is_allocatable |= new.is_allocatable;
        old.is_pointer |= new.is_pointer;
        old.is_target |= new.is_target;
        old.is_optional |= new.is_optional;
        old.is_value |= new.is_value;
        old.is_saved |= new.is_saved;
        old.has_data |= new.has_data;
        old.is_external |= new.is_external;
        old.is_intrinsic |= new.is_intrinsic;
        old.is_protected |= new.is_protected;
        old.is_broken |= new.is_broken;
    }

    fn use_statement(&mut self, index: usize, module: Slice, rest: Slice) {
        let statement = self.statements[index].clone();
        let text = statement.part(rest);
        let only = text.starts_with("only:");
        let list = Slice {
            start: rest.start + if only { 5 } else { 0 },
            end: rest.end,
        };
        let names = commas(statement.text.as_bytes(), list)
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| {
                let text = statement.part(part);
                let (local, name) = text.split_once("=>").unwrap_or((text, text));
                (generics::key_of(local), generics::key_of(name))
            })
            .collect();
        let module_name = statement.part(module).to_owned();
        self.scope().uses.push(Use {
            module: module_name,
            span: statement.span_of(module),
            names,
            only,
            target: None,
        });
    }

    fn derived_type(&mut self, head: usize, members: &[usize]) {
        let Kind::TypeDefinition { attributes, name } = self.kinds[head].kind else {
            return;
        };
        let statement = self.statements[head].clone();
        let extends = statement
            .part(attributes)
            .split_once("extends(")
            .and_then(|(_, rest)| rest.split(')').next())
            .map(str::to_owned);
        let words: Vec<&str> = commas(statement.text.as_bytes(), attributes)
            .into_iter()
            .map(|part| statement.part(part))
            .collect();
        let is_abstract = words.contains(&"abstract");
        let is_private = match (words.contains(&"private"), words.contains(&"public")) {
            (false, false) => None,
            (is_private, _) => Some(is_private),
        };
        let mut components = Vec::new();
        let mut bindings = Vec::new();
        let mut is_after_contains = false;
        let mut are_private = false;
        let mut has_final = false;
        for &member in members {
            if self.kinds[member].kind == Kind::Contains {
                is_after_contains = true;
            } else if is_after_contains {
                has_final |= self.statements[member].text.starts_with("final");
                bindings.extend(derived::bindings(&self.statements[member]));
            } else if let Kind::Declaration {
                type_spec,
                attributes,
                entities,
            } = self.kinds[member].kind
            {
                let declared = entities::declared(self, member, type_spec, attributes, entities);
                components.extend(declared.into_iter().map(|(_, symbol)| symbol));
            } else {
                are_private |= self.statements[member].text == "private";
            }
        }
        for component in components.iter_mut().filter(|_| are_private) {
            component.is_private.get_or_insert(true);
        }
        if !is_after_contains {
            self.repeat_local_type(head, members);
        }
        let symbol = self.named(&statement, name);
        symbol.is_private = is_private.or(symbol.is_private);
        symbol.what = What::Type(Box::new(DerivedType {
            extends,
            components,
            bindings,
            is_abstract,
            has_final,
            record: None,
        }));
    }

    /// A type of a procedure's own, which derived procedures declare again: one that names none of the
    /// procedure's constants, in a procedure without internal ones.
    fn repeat_local_type(&mut self, head: usize, members: &[usize]) {
        let last = members.last().map_or(head + 1, |last| last + 1);
        let scope = &self.scopes[self.current];
        let is_procedure = matches!(scope.kind, UnitKind::Subroutine | UnitKind::Function);
        let names_constant = members.iter().any(|&member| {
            let words = self.statements[member]
                .text
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.into_iter().any(|word| {
                let symbol = scope.symbols.get(word);
                symbol.is_some_and(|symbol| symbol.is_parameter)
            })
        });
        let is_end = matches!(self.kinds.get(last).map(|it| &it.kind), Some(Kind::End(_)));
        if is_procedure && scope.contains.is_none() && !names_constant && is_end {
            self.scope().prologue.extend(head..=last);
        }
    }

    fn interface(&mut self, head: usize, bodies: Vec<Unit>, names: &[usize], id: ScopeId) {
        let statement = self.statements[head].clone();
        let Kind::Interface { generic } = self.kinds[head].kind else {
            return;
        };
        let mut specific = Vec::new();
        for body in bodies {
            let body_id = self.unit(body, Some(id), true);
            specific.push(self.scopes[body_id].name.clone());
            let (key, original, span) = {
                let scope = &self.scopes[body_id];
                (scope.name.clone(), scope.original.clone(), scope.name_span)
            };
            let symbol = self.scopes[id].symbol(&key, &original, span);
            if !matches!(symbol.what, What::Procedure(_)) {
                symbol.what = What::Procedure(body_id);
            }
        }
        self.current = id;
        for &index in names {
            if let Kind::ModuleProcedure(list) = self.kinds[index].kind {
                let statement = &self.statements[index];
                for part in commas(statement.text.as_bytes(), list) {
                    specific.push(statement.part(part).to_owned());
                }
            }
        }
        let text = statement.part(generic);
        if generics::is_kept(text) {
            let key = generics::key_of(text);
            let original = statement.original_part(generic);
            let span = statement.span_of(generic);
            self.scopes[id]
                .symbol(&key, original, span)
                .add_specifics(specific);
        }
    }

    /// Whether an assignment's target looks like `name(a, b)` with plain names.
    pub fn names_in_apply(tree: &Tree, index: usize) -> Option<(String, Vec<String>)> {
        let root = tree.root(index)?;
        let Syntax::Apply(base, arguments) = tree.syntax(root) else {
            return None;
        };
        if *tree.syntax(*base) != Syntax::Name {
            return None;
        }
        let names = arguments
            .iter()
            .map(|&argument| {
                (*tree.syntax(argument) == Syntax::Name).then(|| tree.text(argument).to_owned())
            })
            .collect::<Option<Vec<_>>>()?;
        Some((tree.text(*base).to_owned(), names))
    }

    /// The entities of a list in a statement.
    pub fn entity_list(&self, index: usize, list: Slice) -> Vec<Entity> {
        let statement = &self.statements[index];
        commas(statement.text.as_bytes(), list)
            .into_iter()
            .filter_map(|slice| Entity::of(statement, slice))
            .collect()
    }
}

fn unit_name(kind: &Kind) -> Slice {
    match kind {
        Kind::Program(name)
        | Kind::Module(name)
        | Kind::BlockData(name)
        | Kind::ModuleProcedure(name) => *name,
        Kind::Submodule { name, .. }
        | Kind::Subroutine { name, .. }
        | Kind::Function { name, .. } => *name,
        _ => Slice::default(),
    }
}

/// Whether a unit kind holds globals.
pub fn is_container(kind: UnitKind) -> bool {
    matches!(
        kind,
        UnitKind::Module | UnitKind::Submodule | UnitKind::Program
    )
}
