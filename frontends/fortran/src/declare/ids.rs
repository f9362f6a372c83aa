//! Hands out the ids of the module's containers, globals, records, COMMON blocks and procedures,
//! in the order of the sources, so that the same input gives the same module.

use super::Program;
use super::build::is_container;
use super::scope::{Base, DimSpec, Scope, ScopeId, Symbol, Upper, What};
use super::specific;
use crate::syntax::blocks::UnitKind;
use crate::view::Statement;
use contraflow_ir::{
    Allocation, CommonBlock, Container, ContainerId, ContainerKind, Field, Global, GlobalKind,
    Module, Procedure, ProcedureId, Record, RecordId, Sources, Span, Type,
};

impl Program {
    /// Adds containers, records, globals, blocks, and a place for each procedure.
    pub fn assign_ids(&mut self, module: &mut Module, sources: &Sources) {
        self.containers(module, sources);
        self.find_module_uses();
        self.records(module);
        self.globals(module);
        self.commons(module);
        for id in 0..self.scopes.len() {
            let scope = &self.scopes[id];
            let is_body = scope.is_procedure() && !scope.is_interface;
            if is_body || (scope.is_interface && self.body_of(id) == id) {
                let procedure = module
                    .procedures
                    .add(Procedure::new(scope.original.clone()));
                self.scopes[id].procedure = Some(procedure);
            }
        }
        self.passed_intrinsics(module);
    }

    /// Procedures for functions of the language that `INTRINSIC` statements name, since they may be
    /// passed as arguments.
    fn passed_intrinsics(&mut self, module: &mut Module) {
        for id in 0..self.scopes.len() {
            let mut names: Vec<&String> = self.scopes[id]
                .symbols
                .iter()
                .filter(|(_, symbol)| symbol.is_intrinsic)
                .map(|(name, _)| name)
                .collect();
            names.sort();
            for name in names.into_iter().cloned().collect::<Vec<_>>() {
                if self.intrinsics.contains_key(&name) {
                    continue;
                }
                let file = self.file_of(id).id;
                if let Some(procedure) = specific::procedure(&name, file, self) {
                    let procedure = module.procedures.add(procedure);
                    self.intrinsics.insert(name, procedure);
                }
            }
        }
    }

    /// The procedure that a scope stands for; an interface body stands for the procedure itself.
    pub fn procedure_of(&self, scope: ScopeId) -> Option<ProcedureId> {
        self.scopes[self.body_of(scope)].procedure
    }

    /// The scope with the body of a procedure, if an interface stands for one that has source.
    pub fn body_of(&self, scope: ScopeId) -> ScopeId {
        let here = &self.scopes[scope];
        if !here.is_interface {
            return scope;
        }
        if here.is_separate {
            return self.separate.get(&scope).copied().unwrap_or(scope);
        }
        self.externals.get(&here.name).copied().unwrap_or(scope)
    }

    fn containers(&mut self, module: &mut Module, sources: &Sources) {
        for id in 0..self.scopes.len() {
            let scope = &self.scopes[id];
            let container = if is_container(scope.kind) {
                Some(module.containers.add(self.container(id, sources)))
            } else {
                let parent = scope.parent;
                parent.and_then(|parent| self.scopes[parent].container)
            };
            self.scopes[id].container = container;
        }
    }

    fn container(&self, id: ScopeId, sources: &Sources) -> Container {
        let scope = &self.scopes[id];
        let file = self.file_of(id);
        let (first, last) = scope.statements;
        let end = file.statements[last].place();
        let declare = scope
            .contains
            .map_or(end, |index| file.statements[index].place());
        let bytes = &sources.file(end.file).bytes;
        Container {
            name: scope.original.clone(),
            kind: match scope.kind {
                UnitKind::Program => ContainerKind::Program,
                UnitKind::Submodule => ContainerKind::Submodule,
                _ => ContainerKind::Module,
            },
            file: file.id,
            span: lines_of(file.statements[first].place().join(end), bytes),
            declare_at: line_start(bytes, declare.start),
            insert_at: line_start(bytes, end.start),
            has_contains: scope.contains.is_some(),
        }
    }

    /// Records first without components, so that types may refer to each other.
    fn records(&mut self, module: &mut Module) {
        let mut all = Vec::new();
        for id in 0..self.scopes.len() {
            let container = self.scopes[id].container;
            let is_private_by_default = self.scopes[id].is_private_by_default;
            for key in self.scopes[id].order.clone() {
                let Some(symbol) = self.scopes[id].symbols.get_mut(&key) else {
                    continue;
                };
                let (name, span) = (symbol.name.clone(), symbol.span.unwrap_or(Span::NONE));
                let is_private = symbol.is_private.unwrap_or(is_private_by_default);
                if let What::Type(derived) = &mut symbol.what {
                    let record = module.records.add(Record {
                        name,
                        span,
                        container,
                        fields: Vec::new(),
                        is_union: false,
                        is_abstract: derived.is_abstract,
                        has_final: derived.has_final,
                        is_private,
                        local: None,
                    });
                    derived.record = Some(record);
                    self.types.insert(record, (id, key.clone()));
                    all.push((id, key, record));
                }
            }
        }
        for (id, key, record) in all {
            if let Some(Symbol {
                what: What::Type(derived),
                ..
            }) = self.scopes[id].symbols.get(&key)
            {
                let parent = derived
                    .extends
                    .as_ref()
                    .map(|name| self.parent_field(id, name));
                let own = derived.components.iter().map(|c| self.field(id, c));
                let mut fields: Vec<Field> = parent.into_iter().chain(own).collect();
                let first = fields.len() - derived.components.len();
                for (position, component) in derived.components.iter().enumerate() {
                    let at = first + position;
                    let variants = self.variants(module, id, component, record, at as u32);
                    if !variants.is_empty() {
                        fields[at].ty = Type::Unknown;
                        fields[at].allocation = Allocation::Fixed;
                        fields.extend(variants);
                    }
                }
                module.records[record].fields = fields;
            }
        }
    }

    /// What stands for an allocatable component of CLASS: a component for each type that its object
    /// may be of. None for one through which a type holds itself.
    fn variants(
        &self,
        module: &Module,
        scope: ScopeId,
        component: &Symbol,
        record: RecordId,
        position: u32,
    ) -> Vec<Field> {
        let is_object =
            component.is_class() && component.is_allocatable && component.dims.is_empty();
        let ty = component.ty.as_ref().filter(|_| is_object);
        let Some(Type::Record(base)) = ty.and_then(|ty| self.resolve_type(scope, ty, 0)) else {
            return Vec::new();
        };
        let family = self.family(base);
        let is_later =
            |one: &RecordId| self.types.get(one).is_some_and(|ty| self.uses(ty.0, scope));
        if family.iter().any(is_later) {
            return Vec::new();
        }
        let mut seen = Vec::new();
        if family.iter().any(|&one| self.holds(one, record, &mut seen)) {
            return Vec::new();
        }
        let concrete = family
            .iter()
            .filter(|&&one| !module.records[one].is_abstract);
        concrete
            .map(|&one| Field {
                name: format!("{}@{}", component.name, module.records[one].name),
                ty: Type::Record(one),
                spelling: None,
                shape: Vec::new(),
                allocation: Allocation::Allocatable,
                read_only: false,
                is_private: component.is_private == Some(true),
                variant_of: Some(position),
            })
            .collect()
    }

    /// Whether values of a type may hold values of another, or are such.
    fn holds(&self, record: RecordId, wanted: RecordId, seen: &mut Vec<RecordId>) -> bool {
        if record == wanted || seen.contains(&record) {
            return record == wanted;
        }
        seen.push(record);
        let parent = self.parent_of(record);
        let Some((scope, derived)) = self.derived(record) else {
            return false;
        };
        parent.is_some_and(|parent| self.holds(parent, wanted, seen))
            || derived.components.iter().any(|component| {
                let ty = component.ty.as_ref();
                let ty = ty.and_then(|ty| self.resolve_type(scope, ty, 0));
                match ty {
                    Some(Type::Record(inner)) if component.is_class() => self
                        .family(inner)
                        .into_iter()
                        .any(|one| self.holds(one, wanted, seen)),
                    Some(Type::Record(inner)) => self.holds(inner, wanted, seen),
                    _ => false,
                }
            })
    }

    fn parent_field(&self, scope: ScopeId, name: &str) -> Field {
        let record = self
            .find(scope, name)
            .and_then(|found| match &found.symbol.what {
                What::Type(derived) => derived.record,
                _ => None,
            });
        Field {
            name: name.to_owned(),
            ty: record.map_or(Type::Unknown, Type::Record),
            spelling: None,
            shape: Vec::new(),
            allocation: Allocation::Fixed,
            read_only: false,
            is_private: false,
            variant_of: None,
        }
    }

    fn field(&self, scope: ScopeId, component: &Symbol) -> Field {
        let ty = component.ty.as_ref();
        let resolved = ty.and_then(|ty| self.resolve_type(scope, ty, 0));
        Field {
            name: component.name.clone(),
            ty: if component.is_broken {
                Type::Unknown
            } else {
                resolved.unwrap_or(Type::Unknown)
            },
            spelling: ty.map(|ty| ty.spelling.clone()).filter(|s| !s.is_empty()),
            shape: self.fixed_shape(scope, &component.dims),
            allocation: component.allocation(),
            read_only: false,
            is_private: component.is_private == Some(true),
            variant_of: None,
        }
    }

    /// `(lower, extent)` of dimensions whose bounds are constants.
    pub fn fixed_shape(&self, scope: ScopeId, dims: &[DimSpec]) -> Vec<(i64, Option<i64>)> {
        dims.iter()
            .map(|dim| {
                let lower = match &dim.lower {
                    Some(expr) => self.integer(scope, expr).unwrap_or(1),
                    None => 1,
                };
                let extent = match &dim.upper {
                    Upper::Expr(expr) => self.integer(scope, expr).map(|upper| upper - lower + 1),
                    Upper::Colon | Upper::Star => None,
                };
                (
                    i64::try_from(lower).unwrap_or(1),
                    extent.and_then(|extent| i64::try_from(extent.max(0)).ok()),
                )
            })
            .collect()
    }

    fn globals(&mut self, module: &mut Module) {
        for id in 0..self.scopes.len() {
            if !matches!(self.scopes[id].kind, UnitKind::Module | UnitKind::Submodule) {
                continue;
            }
            for key in self.scopes[id].order.clone() {
                let symbol = &self.scopes[id].symbols[&key];
                if symbol.what != What::Entity || symbol.ty.is_none() || symbol.common.is_some() {
                    continue;
                }
                if matches!(&symbol.ty, Some(ty) if matches!(ty.base, Base::Procedure(_))) {
                    continue;
                }
                let global = self.global(id, symbol);
                let global = module.globals.add(global);
                if let Some(symbol) = self.scopes[id].symbols.get_mut(&key) {
                    symbol.global = Some(global);
                }
            }
        }
    }

    fn global(&self, scope: ScopeId, symbol: &Symbol) -> Global {
        let ty = symbol.ty.as_ref();
        Global {
            name: symbol.name.clone(),
            span: symbol.span.unwrap_or(Span::NONE),
            container: self.scopes[scope].container,
            kind: if symbol.is_parameter {
                GlobalKind::Constant
            } else {
                GlobalKind::Module
            },
            ty: ty
                .filter(|_| !symbol.is_broken)
                .and_then(|ty| self.resolve_type(scope, ty, 0))
                .unwrap_or(Type::Unknown),
            spelling: ty.map(|ty| ty.spelling.clone()).filter(|s| !s.is_empty()),
            shape: self.fixed_shape(scope, &symbol.dims),
            allocation: symbol.allocation(),
            is_private: !self.scopes[scope].is_visible(&symbol.name.to_ascii_lowercase()),
            shadow_of: None,
            declared_by: None,
        }
    }

    fn commons(&self, module: &mut Module) {
        for id in 0..self.scopes.len() {
            for (block, members) in &self.scopes[id].commons {
                let bytes = members
                    .iter()
                    .map(|member| self.bytes_of(module, id, member).unwrap_or(0))
                    .sum();
                let known = module.commons.iter().find(|(_, c)| c.name == *block);
                match known.map(|(common, _)| common) {
                    Some(common) => {
                        let old = &mut module.commons[common].bytes;
                        *old = (*old).max(bytes);
                    }
                    None => {
                        module.commons.add(CommonBlock {
                            name: block.clone(),
                            bytes,
                        });
                    }
                }
            }
        }
    }

    /// The storage of a variable in bytes.
    pub fn bytes_of(&self, module: &Module, scope: ScopeId, name: &str) -> Option<u64> {
        let symbol = self.scopes[scope].symbols.get(name)?;
        let implicit;
        let ty = match &symbol.ty {
            Some(ty) => ty,
            None => {
                implicit = self.implicit_type(scope, name)?;
                &implicit
            }
        };
        let element = match self.resolve_type(scope, ty, 0)? {
            Type::Character => match &ty.length {
                None => 1,
                Some(super::scope::Length::Expr(expr)) => {
                    u64::try_from(self.integer(scope, expr)?).ok()?
                }
                Some(super::scope::Length::Assumed) => return None,
            },
            ty => module.bytes_of(ty)?,
        };
        let mut count = 1u64;
        for (_, extent) in self.fixed_shape(scope, &symbol.dims) {
            count = count.checked_mul(u64::try_from(extent?).ok()?)?;
        }
        count.checked_mul(element)
    }
}

impl Symbol {
    /// Who makes the memory.
    pub fn allocation(&self) -> Allocation {
        if self.is_allocatable {
            Allocation::Allocatable
        } else if self.is_pointer {
            Allocation::Pointer
        } else {
            Allocation::Fixed
        }
    }
}

/// The start of the line that holds `offset`.
pub fn line_start(bytes: &[u8], offset: u32) -> u32 {
    let before = &bytes[..(offset as usize).min(bytes.len())];
    before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at as u32 + 1)
}

/// The span widened to whole lines, the last line's end left out.
pub fn lines_of(span: Span, bytes: &[u8]) -> Span {
    let end = (span.end as usize).min(bytes.len());
    let rest = bytes[end..].iter().position(|&b| b == b'\n');
    Span {
        start: line_start(bytes, span.start),
        end: rest.map_or(bytes.len(), |at| end + at) as u32,
        ..span
    }
}

/// The place of a procedure's whole text.
pub fn text_of(scope: &Scope, statements: &[std::sync::Arc<Statement>], bytes: &[u8]) -> Span {
    let (first, last) = scope.statements;
    lines_of(
        statements[first].place().join(statements[last].place()),
        bytes,
    )
}

/// The container of a scope, unless it is a main program's own.
pub fn home_container(program: &Program, scope: ScopeId) -> Option<ContainerId> {
    program.scopes[scope].container
}
