//! Variables of a procedure: made when first named, with type, shape and storage.

use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::resolve::Found;
use crate::declare::scope::{
    Base, DimSpec, ExprRef, KindName, Length, ScopeId, Symbol, TypeName, Upper, What,
};
use crate::syntax::blocks::UnitKind;
use contraflow_ir::{
    Aliasing, Allocation, Dim, Expr, ExprId, Extent, Intent, Passing, RecordId, Span, Storage,
    Type, VarId, Variable,
};
use std::collections::HashMap;

impl Lowerer<'_> {
    /// The variable that a name means here.
    pub(super) fn named(&mut self, name: &str) -> Fallible<VarId> {
        if let Some(place) = self.association(name) {
            return Ok(place.access.var);
        }
        self.needs_objects |= self.at_home() && self.objects.contains_key(name);
        if let Some(&var) = self.variables.get(&(self.scope, name.to_owned())) {
            return self.finished(var);
        }
        match self.program.find(self.scope, name) {
            Some(found) => self.found(&found, name),
            None => match self.is_implicit_in_host(name) {
                Some(host) => self.capture(host, name),
                None => self.implicit(name),
            },
        }
    }

    /// The variable of a symbol; `local` is the name that it has here.
    fn found(&mut self, found: &Found, local: &str) -> Fallible<VarId> {
        let key = (found.scope, found.key.clone());
        if let Some(&var) = self.variables.get(&key) {
            return self.finished(var);
        }
        if self.is_captured(found) {
            return self.capture(found.scope, &found.key);
        }
        let is_own_result = self.is_own_result(found.scope, local);
        let is_dummy = found.symbol.argument.is_some();
        if !matches!(found.symbol.what, What::Entity) && !is_own_result && !is_dummy {
            return refuse(format!("`{local}` is no variable"));
        }
        self.check_reach(found, local)?;
        let here = self.scope;
        if self.is_own_scope(found.scope) {
            self.scope = found.scope;
        }
        let made = self.made(found, local, key);
        self.scope = here;
        made
    }

    /// Whether a name is that of the function's value.
    pub(super) fn is_own_result(&self, scope: ScopeId, name: &str) -> bool {
        let is_own = match self.is_own_scope(scope) {
            true => scope == self.home,
            false => scope == self.scope,
        };
        is_own && self.program.scopes[scope].result.as_deref() == Some(name)
    }

    fn made(&mut self, found: &Found, local: &str, key: (ScopeId, String)) -> Fallible<VarId> {
        let symbol = found.symbol.clone();
        let mut variable = self.blank(&symbol, found.scope, local);
        if self.blocks.contains(&found.scope) {
            variable.name = self.name_in_block(&variable.name, found.scope);
        }
        let var = self.procedure.variables.add(variable);
        self.variables.insert(key.clone(), var);
        if found.scope == self.scope {
            self.variables.insert((self.scope, local.to_owned()), var);
        }
        self.in_progress.insert(var);
        let described = self
            .shape(var, &symbol, found.scope)
            .and_then(|()| self.storage(var, &symbol, found.scope, &found.key));
        self.in_progress.remove(&var);
        let described = described.and_then(|()| self.rename_hidden(var, found, local));
        if let Err(refusal) = described {
            // Whoever names it again is refused as well.
            self.procedure.variables[var].ty = Type::Unknown;
            return Err(refusal);
        }
        Ok(var)
    }

    /// A constant that another one is made of, and whose name means something else in this procedure,
    /// gets a name of its own.
    fn rename_hidden(&mut self, var: VarId, found: &Found, local: &str) -> Fallible<()> {
        let is_hidden = !self.is_own_scope(found.scope)
            && !self.blocks.contains(&found.scope)
            && self
                .program
                .find(self.home, local)
                .is_some_and(|seen| seen.scope != found.scope);
        if !is_hidden {
            return Ok(());
        }
        self.generated.push((var, local.to_owned()));
        match &mut self.procedure.variables[var].storage {
            Storage::Constant {
                value: Some(_),
                global,
            } => *global = None,
            _ => return refuse(format!("`{local}` of another scope is hidden here")),
        }
        Ok(())
    }

    /// A variable, unless its own declaration asks for it.
    pub(super) fn finished(&self, var: VarId) -> Fallible<VarId> {
        if self.in_progress.contains(&var) {
            return refuse(format!(
                "`{}` is declared by itself",
                self.variable(var).name
            ));
        }
        Ok(var)
    }

    /// Variables of other procedures are not reached; their constants are.
    fn check_reach(&self, found: &Found, local: &str) -> Fallible<()> {
        let scope = &self.program.scopes[found.scope];
        let is_module = matches!(scope.kind, UnitKind::Module | UnitKind::Submodule);
        if self.is_own_scope(found.scope) || is_module || found.symbol.is_parameter {
            return Ok(());
        }
        if found.symbol.common.is_some() {
            return Ok(());
        }
        refuse(format!("`{local}` belongs to another procedure"))
    }

    fn implicit(&mut self, name: &str) -> Fallible<VarId> {
        let scope = match self.is_own_scope(self.scope) {
            true => self.home,
            false => self.scope,
        };
        let key = (scope, name.to_owned());
        if let Some(&var) = self.variables.get(&key) {
            return self.finished(var);
        }
        let ty = self.program.implicit_type(scope, name);
        if ty.is_none() || self.program.uses_unknown(self.scope, name) {
            return self.undeclared(name);
        }
        let symbol = Symbol {
            name: name.to_owned(),
            span: Some(self.span),
            ty,
            is_saved: self.program.scopes[scope].saves_all,
            ..Symbol::default()
        };
        let mut variable = self.blank(&symbol, scope, name);
        if symbol.is_saved {
            variable.storage = Storage::Saved;
        }
        let var = self.procedure.variables.add(variable);
        self.variables.insert(key, var);
        Ok(var)
    }

    /// Refuses a name that nothing declares; says so if a module without source may declare it.
    pub(super) fn undeclared<T>(&self, name: &str) -> Fallible<T> {
        match self.program.unknown_module_of(self.scope, name) {
            Some(module) => refuse(format!(
                "`{name}` may come from module `{module}`, which has no source"
            )),
            None => refuse(format!("`{name}` is not declared")),
        }
    }

    /// Refuses a name whose type or shape is not known; says so for lack of which module.
    pub(super) fn untyped<T>(&self, scope: ScopeId, name: &str) -> Fallible<T> {
        let found = self.program.find(scope, name);
        let ty = found.as_ref().and_then(|found| found.symbol.ty.as_ref());
        if let Some(Base::Derived(of)) = ty.map(|ty| &ty.base)
            && matches!(of.as_str(), "c_ptr" | "c_funptr")
        {
            return refuse(format!("`{name}` is an address of C"));
        }
        let missing = match &found {
            Some(found) => self.program.missing_for(found.scope, found.symbol),
            None => self.program.unknown_module_of(scope, name),
        };
        match missing {
            Some(module) => refuse(format!(
                "the type of `{name}` depends on module `{module}`, which has no source"
            )),
            None => refuse(format!("the type of `{name}` is not known")),
        }
    }

    /// The same for a component.
    pub(super) fn untyped_component<T>(&self, record: RecordId, name: &str) -> Fallible<T> {
        let missing = self.program.types.get(&record).and_then(|(scope, key)| {
            let What::Type(derived) = &self.program.scopes[*scope].symbols.get(key)?.what else {
                return None;
            };
            let is_meant = |c: &&Symbol| c.name.eq_ignore_ascii_case(name);
            let component = derived.components.iter().find(is_meant)?;
            self.program.missing_for(*scope, component)
        });
        match missing {
            Some(module) => refuse(format!(
                "the type of component `{name}` depends on module `{module}`, which has no source"
            )),
            None => refuse("the type of a component is not known"),
        }
    }

    pub(super) fn blank(&self, symbol: &Symbol, scope: ScopeId, local: &str) -> Variable {
        let implicit;
        let ty = match &symbol.ty {
            Some(ty) => Some(ty),
            None => {
                implicit = self.program.implicit_type(scope, local);
                implicit.as_ref()
            }
        };
        let resolved = match ty {
            Some(ty) if !symbol.is_broken => self
                .program
                .resolve_type(scope, ty, 0)
                .unwrap_or(Type::Unknown),
            _ => Type::Unknown,
        };
        let name = if local.eq_ignore_ascii_case(&symbol.name) {
            symbol.name.clone()
        } else {
            local.to_owned()
        };
        let is_procedure = symbol.is_external || matches!(symbol.what, What::Procedure(_));
        let resolved = if is_procedure && symbol.argument.is_some() {
            Type::Procedure
        } else {
            resolved
        };
        let mut variable = Variable::scalar(name, resolved);
        variable.span = symbol.span.unwrap_or(Span::NONE);
        let is_said = symbol.ty.is_some() || resolved != Type::Procedure;
        variable.spelling = ty
            .filter(|_| is_said)
            .and_then(|ty| self.spelling(ty, scope, resolved));
        if let (Type::Procedure, What::Procedure(interface)) = (resolved, &symbol.what) {
            variable.interface = self.program.procedure_of(*interface);
        }
        variable.allocation = symbol.allocation();
        variable.optional = symbol.is_optional;
        variable.read_only = symbol.is_protected && scope != self.scope;
        variable.polymorphic = symbol.is_class();
        variable.intent = symbol.intent.unwrap_or(Intent::Unspecified);
        if symbol.is_target || symbol.is_pointer {
            variable.aliasing = Aliasing::May;
        }
        if symbol.is_value {
            variable.passing = Passing::Value;
        }
        variable
    }

    /// The spelling of a type, if the names in it mean the same here.
    fn spelling(&self, ty: &TypeName, scope: ScopeId, resolved: Type) -> Option<String> {
        let is_address = matches!(&ty.base, Base::Derived(name)
            if matches!(name.as_str(), "c_ptr" | "c_funptr")
                && self.program.language_name(self.scope, name).is_some());
        if ty.spelling.is_empty() || resolved == Type::Unknown && !is_address {
            return None;
        }
        if let KindName::Expr(expr) = &ty.kind
            && scope != self.scope
        {
            let here = self.program.integer(self.scope, expr);
            if here.is_none() || here != self.program.integer(scope, expr) {
                return None;
            }
        }
        Some(ty.spelling.clone())
    }

    pub(super) fn shape(&mut self, var: VarId, symbol: &Symbol, scope: ScopeId) -> Fallible<()> {
        // A constant of the procedure's own that the spelling names must be there to be declared.
        if let Some(ty) = &symbol.ty
            && let KindName::Expr(expr) = &ty.kind
            && scope == self.scope
            && self.variable(var).spelling.is_some()
        {
            let _ = self.declared(scope, expr);
        }
        if let Some(ty) = &symbol.ty
            && let Some(Length::Expr(expr)) = &ty.length
        {
            let length = self.declared_bound(scope, expr).ok();
            self.procedure.variables[var].length = length;
        } else if self.variable(var).ty == Type::Character
            && !matches!(
                symbol.ty.as_ref().and_then(|ty| ty.length.as_ref()),
                Some(Length::Assumed)
            )
        {
            let one = self.int(1);
            self.procedure.variables[var].length = Some(one);
        }
        let mut shape = Vec::new();
        for spec in &symbol.dims {
            match self.dim(spec, symbol, scope) {
                Ok(dim) => shape.push(dim),
                Err(_) => {
                    self.procedure.variables[var].ty = Type::Unknown;
                    return Ok(());
                }
            }
        }
        self.procedure.variables[var].shape = shape;
        self.note_moving(var, scope);
        Ok(())
    }

    fn dim(&mut self, spec: &DimSpec, symbol: &Symbol, scope: ScopeId) -> Fallible<Dim> {
        let lower = match &spec.lower {
            Some(expr) => self.declared_bound(scope, expr)?,
            None => self.int(1),
        };
        let extent = match &spec.upper {
            Upper::Star if symbol.is_parameter => Extent::Count(self.implied_extent(symbol)?),
            Upper::Star => Extent::AssumedSize,
            Upper::Colon if symbol.allocation() != Allocation::Fixed => Extent::Deferred,
            Upper::Colon => Extent::Assumed,
            Upper::Expr(expr) => {
                let upper = self.declared_bound(scope, expr)?;
                Extent::Count(self.extent_between(lower, upper))
            }
        };
        Ok(Dim { lower, extent })
    }

    /// The number of values in `parameter :: a(*) = [ … ]`.
    fn implied_extent(&mut self, symbol: &Symbol) -> Fallible<ExprId> {
        let init = symbol.init.as_ref();
        match init.map(|init| init.tree.syntax(init.node)) {
            Some(Syntax::Array(items, _)) => Ok(self.int(items.len() as i128)),
            _ => refuse("its extent is implied by a value that is no list"),
        }
    }

    /// `upper - lower + 1`
    pub(super) fn extent_between(&mut self, lower: ExprId, upper: ExprId) -> ExprId {
        let lower = self.same_integer(lower, upper);
        let ty = self.type_of(upper);
        if self.build().integer_value(lower) == Some(1) {
            return upper;
        }
        let mut b = self.build();
        let difference = b.sub(upper, lower);
        let one = b.int_of(1, ty);
        b.add(difference, one)
    }

    /// `e` in the integer type of `like`; literals change their type, others are converted.
    pub(super) fn same_integer(&mut self, e: ExprId, like: ExprId) -> ExprId {
        let ty = self.type_of(like);
        if self.type_of(e) == ty || !ty.is_integer() {
            return e;
        }
        let mut b = self.build();
        match b.integer_value(e) {
            Some(value) => b.int_of(value, ty),
            None => b.convert(e, ty),
        }
    }

    fn declared_bound(&mut self, scope: ScopeId, expr: &ExprRef) -> Fallible<ExprId> {
        let bound = self.declared(scope, expr)?;
        if !self.type_of(bound).is_integer() {
            return refuse("a bound that is no integer");
        }
        Ok(bound)
    }

    /// An expression of a declaration: a number where it is constant and its names are not this
    /// procedure's own.
    fn declared(&mut self, scope: ScopeId, expr: &ExprRef) -> Fallible<ExprId> {
        let is_literal = *expr.tree.syntax(expr.node) == Syntax::Integer;
        if (scope != self.scope || is_literal)
            && let Some(value) = self.program.integer(scope, expr)
        {
            return Ok(self.int(value));
        }
        self.in_scope(scope, expr)
    }

    /// Lowers an expression of another scope there.
    pub(super) fn in_scope(&mut self, scope: ScopeId, expr: &ExprRef) -> Fallible<ExprId> {
        self.in_loops(scope, expr, &[])
    }

    /// The same within implied loops whose variables have these values.
    pub(super) fn in_loops(
        &mut self,
        scope: ScopeId,
        expr: &ExprRef,
        indices: &[(String, i128)],
    ) -> Fallible<ExprId> {
        let mut map = HashMap::new();
        for (name, value) in indices {
            map.insert(name.clone(), self.int(*value));
        }
        let tree = expr.tree.clone();
        let here = std::mem::replace(&mut self.scope, scope);
        let inner = if map.is_empty() {
            Vec::new()
        } else {
            vec![map]
        };
        let hidden = std::mem::replace(&mut self.substitutions, inner);
        let associations = std::mem::take(&mut self.associations);
        let outer = std::mem::take(&mut self.out);
        let around = std::mem::replace(&mut self.in_declaration, true);
        let result = self.deeper(|lowerer| {
            lowerer.scalar(Syn {
                tree: &tree,
                node: expr.node,
            })
        });
        self.in_declaration = around;
        let emitted = std::mem::replace(&mut self.out, outer);
        self.substitutions = hidden;
        self.associations = associations;
        self.scope = here;
        if !emitted.is_empty() {
            return refuse("a declaration calls a function");
        }
        result
    }

    fn storage(&mut self, var: VarId, symbol: &Symbol, scope: ScopeId, key: &str) -> Fallible<()> {
        let here = &self.program.scopes[scope];
        let is_own = scope == self.scope;
        let storage = if let Some(index) = symbol.argument.filter(|_| is_own) {
            let stars = here.arguments[..(index as usize).min(here.arguments.len())]
                .iter()
                .filter(|name| *name == "*")
                .count();
            Storage::Argument {
                index: index - stars as u32,
            }
        } else if symbol.is_parameter {
            let value = self.constant_value(var, symbol, scope);
            Storage::Constant {
                value,
                global: symbol.global,
            }
        } else if let Some(storage) = self.shared_storage(scope, key, symbol)? {
            storage
        } else if let Some(global) = symbol.global {
            Storage::Global(global)
        } else if is_own && here.result.as_deref() == Some(key) {
            Storage::Result
        } else if symbol.is_saved
            || here.saves_all
            || is_own && self.is_saved_with_others(scope, key)
        {
            Storage::Saved
        } else {
            Storage::Local
        };
        self.procedure.variables[var].storage = storage;
        if is_own {
            self.initialize(var, symbol, key)?;
            self.defaults_at_entry(var)?;
        }
        Ok(())
    }

    /// The declared value of a scalar, in its type.
    pub(super) fn constant_value(
        &mut self,
        var: VarId,
        symbol: &Symbol,
        scope: ScopeId,
    ) -> Option<ExprId> {
        if self.variable(var).is_array() {
            return None;
        }
        let init = symbol.init.as_ref()?;
        let ty = self.variable(var).ty;
        if ty == Type::Unknown {
            return None;
        }
        let value = self.in_scope(scope, init).ok()?;
        self.converted(value, ty).ok()
    }

    /// The value in a type, as assignment converts it.
    pub(super) fn converted(&mut self, value: ExprId, ty: Type) -> Fallible<ExprId> {
        let from = self.type_of(value);
        if from == ty {
            return Ok(value);
        }
        let fits = (from.is_numeric() && ty.is_numeric())
            || matches!((from, ty), (Type::Logical { .. }, Type::Logical { .. }));
        if !fits {
            return refuse("types do not fit");
        }
        Ok(self.add(Expr::Convert(value), ty))
    }
}
