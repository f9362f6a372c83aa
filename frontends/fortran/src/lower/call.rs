//! Calls: who is meant, which argument is which, and what is passed.

use super::array::{Place, Range};
use super::invoke::{Invocation, Target};
use super::{Element, Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::scope::{ScopeId, Symbol, Upper, What};
use crate::view::Slice;
use contraflow_ir::{
    Access, Allocation, Argument, Callee, Expr, ExprId, Intent, Passing, Stmt, Storage, Type,
    VarId, place_of,
};
use std::collections::HashMap;

impl Lowerer<'_> {
    /// `CALL target(arguments)`
    pub(super) fn call(&mut self, target: Slice, arguments: Slice) -> Fallible<()> {
        let tree = self.parse(&[target, arguments])?;
        let callee = self.only(&tree, 0)?;
        let actuals = tree.roots(1).to_vec();
        let call = match *tree.syntax(callee.node) {
            Syntax::Name => {
                let name = tree.text(callee.node).to_owned();
                if name == "move_alloc" && self.program.find(self.scope, &name).is_none() {
                    return self.move_alloc(&tree, &actuals);
                }
                if self.program.find(self.scope, &name).is_none()
                    && let Some(subroutine) = super::language::subroutine(&name)
                {
                    return self.language_subroutine(subroutine, &tree, &actuals);
                }
                let target = self.subroutine(&name, callee, &actuals)?;
                Invocation {
                    name,
                    target,
                    actuals,
                    passed: None,
                    overriding: Vec::new(),
                }
            }
            Syntax::Member(object, name) => {
                let name = tree.statement.part(name).to_owned();
                match self.bound_procedure(callee, object, &name, actuals)? {
                    Some(call) => call,
                    None => return refuse("a call of a component"),
                }
            }
            _ => return refuse("a call of a component"),
        };
        self.call_subroutine(callee, &call)
    }

    /// Emits the call of a subroutine; of an elemental one that is given arrays, in a loop nest.
    pub(super) fn call_subroutine(&mut self, e: Syn, call: &Invocation) -> Fallible<()> {
        let is_function = call
            .target
            .scope
            .is_some_and(|scope| self.program.scopes[scope].result.is_some());
        if is_function {
            return refuse("a function is called as a subroutine");
        }
        if self.is_elemental(&call.target) && self.largest_actual_rank(e, call)? > 0 {
            return self.elemental_call(e, call);
        }
        if self.has_alternates(call.target.scope) {
            let labels = self.labels_of_call(e, &call.actuals);
            let which = self.temporary("which_return", Type::INT);
            self.returned = Some(which);
            let called = self.emit_call(e, call, &[], None);
            self.returned = None;
            called?;
            return self.choose_return(which, &labels);
        }
        self.emit_call(e, call, &[], None)
    }

    /// An elemental subroutine applied to arrays: once per element.
    fn elemental_call(&mut self, e: Syn, call: &Invocation) -> Fallible<()> {
        let mut shape = None;
        let object = call.passed.map(|(_, node)| node);
        for node in call.actuals.iter().copied().chain(object) {
            let node = match e.tree.syntax(node) {
                Syntax::Keyword(_, value) => *value,
                _ => node,
            };
            let actual = Syn { tree: e.tree, node };
            self.hoist(actual)?;
            if shape.is_none() && self.rank(actual)? > 0 {
                shape = Some(self.ranges(actual)?);
            }
        }
        let ranges = shape.unwrap_or_default();
        self.nest(&ranges, |lowerer, at| lowerer.emit_call(e, call, at, None))
    }

    fn largest_actual_rank(&mut self, e: Syn, call: &Invocation) -> Fallible<usize> {
        let mut nodes = call.actuals.clone();
        nodes.extend(call.passed.map(|(_, node)| node));
        self.largest_rank(e, &nodes)
    }

    fn is_elemental(&self, target: &Target) -> bool {
        target
            .scope
            .is_some_and(|scope| self.program.scopes[scope].is_elemental)
    }

    pub(super) fn arguments(
        &mut self,
        e: Syn,
        call: &Invocation,
        at: &Element,
    ) -> Fallible<Vec<Argument>> {
        let Some(scope_id) = call.target.scope else {
            let is_keyword =
                |&node: &crate::cst::NodeId| matches!(e.tree.syntax(node), Syntax::Keyword(..));
            let module = self.program.unknown_module_of(self.scope, &call.name);
            if module.is_some() && call.actuals.iter().any(is_keyword) {
                return self.undeclared(&call.name);
            }
            return call
                .actuals
                .iter()
                .map(|&node| self.unknown_argument(Syn { tree: e.tree, node }))
                .collect();
        };
        let scope = &self.program.scopes[scope_id];
        let order = self.match_arguments(scope, e, &call.actuals, call.passed)?;
        let mut arguments = Vec::new();
        for (name, actual) in scope.arguments.iter().zip(order) {
            if name == "*" {
                continue;
            }
            let Some(symbol) = scope.symbols.get(name) else {
                return refuse("an argument of the procedure is not declared");
            };
            arguments.push(match actual {
                None if symbol.is_optional => Argument::Absent,
                None => return refuse(format!("the argument `{name}` is missing")),
                Some(node) => {
                    let actual = Syn { tree: e.tree, node };
                    self.argument(actual, scope_id, symbol, name, at)?
                }
            });
        }
        if self.has_alternates(Some(scope_id)) {
            let Some(which) = self.returned else {
                return refuse(super::opaque::ALTERNATE_RETURN);
            };
            arguments.push(Argument::Place(Access::whole(which)));
        }
        Ok(arguments)
    }

    /// An argument of a procedure whose arguments are not known.
    fn unknown_argument(&mut self, e: Syn) -> Fallible<Argument> {
        match e.tree.syntax(e.node) {
            Syntax::Keyword(..) => return refuse("a keyword in a call without interface"),
            Syntax::AlternateReturn => return refuse(super::opaque::ALTERNATE_RETURN),
            _ => {}
        }
        match (way_of_passing(e), e.tree.syntax(e.node)) {
            (Some("%ref"), Syntax::Parenthesized(inner)) => {
                let node = *inner;
                return self.unknown_argument(Syn { tree: e.tree, node });
            }
            (Some(way), _) => {
                let reads = self.names_below(e).into_iter().map(Access::whole).collect();
                let text = format!("{way}{}", e.tree.original(e.node));
                return Ok(Argument::Opaque { text, reads });
            }
            (None, _) => {}
        }
        if let Some(procedure) = self.procedure_argument(e)? {
            return Ok(procedure);
        }
        if let Some((access, _)) = self.place_argument(e)? {
            if access.path.is_empty() && self.counters.contains(&access.var) {
                return Ok(Argument::Value(self.load(access.var)));
            }
            return Ok(Argument::Place(access));
        }
        if self.rank(e)? > 0 {
            return self.array_value(e);
        }
        Ok(Argument::Value(self.scalar(e)?))
    }

    fn argument(
        &mut self,
        e: Syn,
        scope: ScopeId,
        symbol: &Symbol,
        name: &str,
        at: &Element,
    ) -> Fallible<Argument> {
        if way_of_passing(e).is_some() {
            return refuse("an argument that is passed in a way of its own");
        }
        let wants_procedure = symbol.is_external || matches!(symbol.what, What::Procedure(_));
        if let Some(procedure) = self.procedure_argument(e)? {
            let name = e.tree.text(e.node);
            if symbol.is_pointer && self.procedure_pointers.contains_key(name) {
                return refuse("a procedure pointer is passed as a pointer");
            }
            return Ok(procedure);
        }
        if wants_procedure {
            return refuse("an argument that should be a procedure");
        }
        let wanted = self.declared_type(scope, name)?;
        if !at.is_empty() {
            return self.element_argument(e, symbol, wanted, at);
        }
        if symbol.is_value {
            let value = self.scalar(e)?;
            return Ok(Argument::Value(self.fitting(value, wanted)?));
        }
        if let Some((access, ty)) = self.place_argument(e)? {
            if (symbol.is_allocatable || symbol.is_pointer) && self.is_object(&access) {
                return refuse("an object of several types is passed as an allocatable");
            }
            if (symbol.is_allocatable || symbol.is_pointer || symbol.is_optional)
                && self.is_variant(&access)
            {
                return refuse(
                    "an object in a component is passed as an allocatable, pointer or optional argument",
                );
            }
            if !self.accepts(symbol, wanted, ty) && !self.may_differ(scope, ty, wanted) {
                return refuse(format!("the argument `{name}` has another type"));
            }
            let access = self.first_element(e, access, symbol)?;
            self.check_rank(e, &access, symbol)?;
            let is_counter = self.counters.contains(&access.var);
            let is_input = symbol.intent == Some(Intent::In) && symbol.dims.is_empty();
            let is_plain = access.path.is_empty() && self.variable(access.var).shape.is_empty();
            if is_plain && (is_counter || (is_input && self.variable(access.var).is_constant())) {
                return Ok(Argument::Value(self.load(access.var)));
            }
            return Ok(Argument::Place(access));
        }
        if self.rank(e)? > 0 {
            return self.array_value(e);
        }
        let value = self.scalar(e)?;
        let ty = self.type_of(value);
        let is_constant = matches!(self.procedure.expr(value), Expr::Text(_) | Expr::Integer(_));
        let may_differ = is_constant && self.may_differ(scope, ty, wanted);
        if !self.accepts(symbol, wanted, ty) && !may_differ {
            return refuse(format!("the argument `{name}` has another type"));
        }
        Ok(Argument::Value(value))
    }

    /// Whether old code may pass memory of one type for another: to an external procedure, and not
    /// where numbers would come out of what seems to hold none.
    fn may_differ(&self, scope: ScopeId, actual: Type, wanted: Type) -> bool {
        let callee = &self.program.scopes[scope];
        let is_number = |ty: Type| ty.is_real() || matches!(ty, Type::Complex { .. });
        let is_known = |ty: Type| is_number(ty) || ty.is_integer() || is_plain(ty);
        callee.parent.is_none()
            && !callee.is_interface
            && is_known(actual)
            && is_known(wanted)
            && (is_number(actual) || !is_number(wanted))
    }

    /// A whole array passed to a scalar is its first element, as old code has it.
    fn first_element(&mut self, e: Syn, access: Access, symbol: &Symbol) -> Fallible<Access> {
        let is_whole = *e.tree.syntax(e.node) == Syntax::Name && access.path.is_empty();
        let rank = self.variable(access.var).rank();
        if !symbol.dims.is_empty() || !is_whole || rank == 0 {
            return Ok(access);
        }
        let subscripts = (0..rank)
            .map(|dim| self.lower_bound(&access, dim))
            .collect::<Fallible<Vec<_>>>()?;
        Ok(Access::element(access.var, subscripts))
    }

    /// Sequence association needs an array element or a whole array; descriptors the same rank.
    fn check_rank(&mut self, e: Syn, access: &Access, symbol: &Symbol) -> Fallible<()> {
        let is_element = access.path.len() == 1 && symbol.dims.is_empty();
        let rank = if is_element && *e.tree.syntax(e.node) == Syntax::Name {
            0
        } else {
            self.rank(e)?
        };
        let takes_sequence = symbol
            .dims
            .iter()
            .all(|dim| !matches!(dim.upper, Upper::Colon));
        if symbol.dims.is_empty() && rank > 0 {
            return refuse("an array is passed where a scalar is wanted");
        }
        if !symbol.dims.is_empty() && rank == 0 && !takes_sequence {
            return refuse("a scalar is passed where an array is wanted");
        }
        if !takes_sequence && rank != symbol.dims.len() {
            return refuse("an array of another rank is passed");
        }
        Ok(())
    }

    fn element_argument(
        &mut self,
        e: Syn,
        symbol: &Symbol,
        wanted: Type,
        at: &Element,
    ) -> Fallible<Argument> {
        let is_designator = matches!(
            e.tree.syntax(e.node),
            Syntax::Name | Syntax::Apply(..) | Syntax::Member(..)
        );
        let is_designator = is_designator && self.invocation(e)?.is_none();
        if is_designator
            && !symbol.is_value
            && self.hoisted_at(e).is_none()
            && let Ok(place) = self.place(e, at)
            && self.accepts(symbol, wanted, place.ty)
            && place.rank == 0
            && !self.variable(place.access.var).is_constant()
        {
            return Ok(Argument::Place(place.access));
        }
        let value = self.value(e, at)?;
        Ok(Argument::Value(self.fitting(value, wanted)?))
    }

    fn hoisted_at(&self, e: Syn) -> Option<Hoisted> {
        let key = (std::ptr::from_ref(e.tree) as usize, e.node);
        self.hoisted.get(&key).copied()
    }

    /// The procedure that an actual argument names, if it names one.
    fn procedure_argument(&mut self, e: Syn) -> Fallible<Option<Argument>> {
        if *e.tree.syntax(e.node) != Syntax::Name {
            return Ok(None);
        }
        let name = e.tree.text(e.node);
        if self.association(name).is_some() {
            return Ok(None);
        }
        if let Some(scope) = self.pointed_procedure(name)? {
            let target = self.known(scope)?;
            if self.takes_memory(&target) {
                return refuse("a function is passed whose value is a pointer or allocatable");
            }
            return match target.callee {
                Callee::Procedure(id) => Ok(Some(Argument::Procedure(id))),
                _ => refuse("a procedure pointer to something that is not known"),
            };
        }
        let found = self.program.find(self.scope, name);
        let (is_procedure, is_dummy) = match &found {
            Some(found) => (
                found.symbol.is_external
                    || (found.symbol.is_intrinsic)
                    || matches!(found.symbol.what, What::Procedure(_)),
                found.symbol.argument.is_some(),
            ),
            None => (false, false),
        };
        let is_result = self.program.scopes[self.home].result.as_deref() == Some(name);
        if !is_procedure || is_result {
            return Ok(None);
        }
        if is_dummy {
            let var = self.named(name)?;
            return Ok(Some(Argument::Place(Access::whole(var))));
        }
        let is_intrinsic = found
            .as_ref()
            .is_some_and(|found| found.symbol.is_intrinsic);
        if let Some(&id) = self.program.intrinsics.get(name).filter(|_| is_intrinsic) {
            return Ok(Some(Argument::Procedure(id)));
        }
        let target = match found.map(|found| found.symbol.what.clone()) {
            Some(What::Procedure(scope)) => self.known(scope)?,
            _ => self.external(name)?,
        };
        if self.takes_memory(&target) {
            return refuse("a function is passed whose value is a pointer or allocatable");
        }
        Ok(Some(match target.callee {
            Callee::Procedure(id) => Argument::Procedure(id),
            _ => Argument::Opaque {
                text: e.tree.original(e.node).to_owned(),
                reads: Vec::new(),
            },
        }))
    }

    /// The place that an actual argument is, if it is a variable.
    pub(super) fn place_argument(&mut self, e: Syn) -> Fallible<Option<(Access, Type)>> {
        let is_variable = match e.tree.syntax(e.node) {
            Syntax::Name => !self.is_substituted(e) && !self.is_given_constant(e.tree.text(e.node)),
            Syntax::Member(..) => true,
            Syntax::Apply(base, _) => {
                *e.tree.syntax(*base) != Syntax::Name
                    || matches!(
                        self.applied(e.tree.text(*base)),
                        super::expr::Applied::Array
                    )
            }
            _ => false,
        };
        if !is_variable || self.has_list(e)? || self.invocation(e)?.is_some() {
            return Ok(None);
        }
        let place = self.place(e, &[])?;
        let is_constant = self.variable(place.access.var).is_constant();
        if is_constant && place.rank == 0 && !self.variable(place.access.var).is_array() {
            return Ok(None);
        }
        Ok(Some((place.access, place.ty)))
    }

    /// Whether a subscript is a list: the language has it that such an argument is only read.
    fn has_list(&mut self, e: Syn) -> Fallible<bool> {
        let Syntax::Apply(_, subscripts) = e.tree.syntax(e.node).clone() else {
            return Ok(false);
        };
        for node in subscripts {
            let subscript = Syn { tree: e.tree, node };
            if !matches!(e.tree.syntax(node), Syntax::Range(..)) && self.rank(subscript)? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_substituted(&self, e: Syn) -> bool {
        let name = e.tree.text(e.node);
        self.substitutions
            .last()
            .is_some_and(|map| map.contains_key(name))
    }

    /// An array expression as argument: a temporary array that holds its values.
    fn array_value(&mut self, e: Syn) -> Fallible<Argument> {
        Ok(Argument::Place(Access::whole(self.array_temporary(e)?)))
    }

    /// A temporary array with the values of an expression.
    pub(super) fn array_temporary(&mut self, e: Syn) -> Fallible<VarId> {
        let outer = self.hoisted.clone();
        let result = self.array_temporary_hoisted(e);
        self.hoisted = outer;
        result
    }

    fn array_temporary_hoisted(&mut self, e: Syn) -> Fallible<VarId> {
        self.hoist(e)?;
        if let Some(Hoisted::Array(var)) = self.hoisted_at(e) {
            return Ok(var);
        }
        let ty = self.element_type(e)?;
        let ranges = self.ranges(e)?;
        let var = self.temporary_array("values", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let value = lowerer.value(e, at)?;
            let value = lowerer.fitting(value, ty)?;
            let target = lowerer.temporary_element(var, at);
            lowerer.emit(Stmt::Assign { target, value });
            Ok(())
        })?;
        Ok(var)
    }

    /// A function's value, in a temporary.
    pub(super) fn function_call(
        &mut self,
        e: Syn,
        call: &Invocation,
        at: &Element,
    ) -> Fallible<ExprId> {
        let is_elemental = self.is_elemental(&call.target);
        if !at.is_empty() && !is_elemental {
            return refuse("a function is called once per element");
        }
        let ty = self.result_type(call)?;
        if self.result_rank(&call.target) > 0 {
            return refuse("a function's array stands where one value is wanted");
        }
        if self.memory_of_call(call).is_some() {
            let var = self.memory_from(e, call)?;
            return Ok(self.load(var));
        }
        let at = if is_elemental { at } else { &[] };
        let value = self.temporary(&format!("{}_", call.name), ty);
        if ty == Type::Character {
            let length = self.result_length(e, call)?;
            self.procedure.variables[value].length = Some(length);
        }
        self.emit_call(e, call, at, Some(Access::whole(value)))?;
        Ok(self.load(value))
    }

    /// The type of what a function returns.
    pub(super) fn result_type(&mut self, call: &Invocation) -> Fallible<Type> {
        let name = call.name.as_str();
        let ty = match call.target.scope {
            Some(scope) => {
                let Some(result) = self.program.scopes[scope].result.clone() else {
                    return refuse("a subroutine is called as a function");
                };
                self.declared_type(scope, &result)?
            }
            None => {
                if let Some(ty) = self.mpi_function(name) {
                    return Ok(ty);
                }
                if self.program.uses_unknown(self.scope, name)
                    && self.program.find(self.scope, name).is_none()
                {
                    return self.undeclared(name);
                }
                self.declared_type(self.scope, name)?
            }
        };
        if ty == Type::Procedure {
            return refuse("a function whose type is that of an interface");
        }
        Ok(ty)
    }

    pub(super) fn result_rank(&self, target: &Target) -> usize {
        let symbol = target.scope.and_then(|scope| {
            let scope = &self.program.scopes[scope];
            scope.symbols.get(scope.result.as_deref()?)
        });
        symbol.map_or(0, |symbol| symbol.dims.len())
    }

    /// The rank of what a function returns.
    pub(super) fn function_rank(&mut self, e: Syn, call: &Invocation) -> Fallible<usize> {
        if self.is_elemental(&call.target) {
            return self.largest_actual_rank(e, call);
        }
        Ok(self.result_rank(&call.target))
    }

    /// Evaluates a call ahead of a loop nest, if that must be.
    pub(super) fn hoist_call(&mut self, e: Syn) -> Fallible<Option<Hoisted>> {
        if let Some(call) = self.invocation(e)? {
            if self.is_elemental(&call.target) && self.largest_actual_rank(e, &call)? > 0 {
                return Ok(None);
            }
            return self.hoist_function(e, &call).map(Some);
        }
        let Syntax::Apply(base, actuals) = e.tree.syntax(e.node).clone() else {
            return Ok(None);
        };
        if *e.tree.syntax(base) != Syntax::Name {
            return Ok(None);
        }
        let name = e.tree.text(base).to_owned();
        match self.applied(&name) {
            super::expr::Applied::Intrinsic => self.hoist_intrinsic(e, &name, &actuals),
            super::expr::Applied::Function if Self::is_intrinsic(&name) => {
                self.hoist_intrinsic(e, &name, &actuals)
            }
            _ => Ok(None),
        }
    }

    fn hoist_function(&mut self, e: Syn, call: &Invocation) -> Fallible<Hoisted> {
        if self.result_rank(&call.target) > 0 {
            return self.array_function(e, call);
        }
        let value = self.function_call(e, call, &[])?;
        match *self.procedure.expr(value) {
            Expr::Load(ref access) if access.path.is_empty() => Ok(Hoisted::Scalar(access.var)),
            _ => refuse("a call that gives no variable"),
        }
    }

    /// A function that returns an array: into a temporary array of its shape.
    fn array_function(&mut self, e: Syn, call: &Invocation) -> Fallible<Hoisted> {
        let Some(scope) = call.target.scope else {
            return refuse("an array-valued function without interface");
        };
        if self.memory_of_call(call).is_some() {
            return self.memory_from(e, call).map(Hoisted::Array);
        }
        if !call.overriding.is_empty() {
            return refuse("which array-valued function is called depends on the object's type");
        }
        let ty = self.result_type(call)?;
        let arguments = self.arguments(e, call, &[])?;
        let ranges = self.result_ranges(scope, &arguments)?;
        let var = self.temporary_array(&format!("{}_", call.name), ty, &ranges);
        self.emit(Stmt::Call {
            callee: call.target.callee.clone(),
            arguments,
            result: Some(Access::whole(var)),
        });
        Ok(Hoisted::Array(var))
    }

    /// The shape of a function's result, its scalar arguments put in.
    fn result_ranges(&mut self, scope: ScopeId, arguments: &[Argument]) -> Fallible<Vec<Range>> {
        let callee = &self.program.scopes[scope];
        let symbol = callee
            .result
            .as_deref()
            .and_then(|name| callee.symbols.get(name));
        let dims = symbol.map(|symbol| symbol.dims.clone()).unwrap_or_default();
        let texts: Vec<String> = dims
            .iter()
            .flat_map(|dim| match &dim.upper {
                Upper::Expr(upper) => vec![Some(upper), dim.lower.as_ref()],
                _ => vec![dim.lower.as_ref()],
            })
            .flatten()
            .map(|expr| expr.tree.text(expr.node).to_owned())
            .collect();
        // Where only its size is asked for, it does not matter from which bound an array counts.
        let asks_for_size = |name: &str| {
            let element = format!("{name}(");
            texts
                .iter()
                .all(|text| !text.contains("bound") && !text.contains(&element))
        };
        let mut map = HashMap::new();
        let mut arrays = super::associate::Names::new();
        for (name, argument) in callee.arguments.iter().zip(arguments) {
            let formal = &callee.symbols[name];
            match argument {
                Argument::Value(value) => {
                    map.insert(name.clone(), *value);
                }
                Argument::Place(access) if formal.dims.is_empty() => {
                    let place = place_of(self.module, &self.procedure, access);
                    if let Ok(place) = &place
                        && matches!(place.ty, Type::Record(_))
                        && place.rank == 0
                    {
                        let object = Place::of(access.clone(), place.ty, 0);
                        arrays.insert(name.clone(), Some(object));
                    }
                    if place.is_ok_and(|place| place.rank == 0 && place.ty.is_integer()) {
                        let load = self.build().load_access(access.clone());
                        map.insert(name.clone(), load);
                    }
                }
                // An array of assumed shape has the extents of what is passed, and counts from 1.
                Argument::Place(access) => {
                    let takes_shape = formal
                        .dims
                        .iter()
                        .all(|dim| matches!(dim.upper, Upper::Colon))
                        && (formal.dims.iter().all(|dim| dim.lower.is_none())
                            || asks_for_size(name));
                    let place = place_of(self.module, &self.procedure, access);
                    let is_plain = self.variable(access.var).allocation == Allocation::Fixed
                        && access.path.len() < 2;
                    if let Ok(place) = place
                        && takes_shape
                        && (formal.allocation() == Allocation::Fixed || is_plain)
                    {
                        let place = Place::of(access.clone(), place.ty, place.rank);
                        let place = self.frozen(place)?;
                        let place = self.counted_from_one(place)?;
                        arrays.insert(name.clone(), Some(place));
                    }
                }
                _ => {}
            }
        }
        let arrays = vec![arrays];
        let mut ranges = Vec::new();
        for dim in &dims {
            let Upper::Expr(upper) = &dim.upper else {
                return refuse("a function whose result has no stated shape");
            };
            let upper = self.with_arguments(scope, upper, &map, &arrays)?;
            let lower = match &dim.lower {
                Some(lower) => self.with_arguments(scope, lower, &map, &arrays)?,
                None => self.int(1),
            };
            let count = self.extent_between(lower, upper);
            let one = self.int(1);
            ranges.push(Range {
                lower: one,
                upper: count,
                step: None,
            });
        }
        Ok(ranges)
    }

    fn with_arguments(
        &mut self,
        scope: ScopeId,
        expr: &crate::declare::scope::ExprRef,
        map: &HashMap<String, ExprId>,
        arrays: &[super::associate::Names],
    ) -> Fallible<ExprId> {
        let hidden = std::mem::replace(&mut self.associations, arrays.to_vec());
        let here = std::mem::replace(&mut self.scope, scope);
        self.substitutions.push(map.clone());
        let tree = expr.tree.clone();
        let result = self.scalar(Syn {
            tree: &tree,
            node: expr.node,
        });
        self.substitutions.pop();
        self.scope = here;
        self.associations = hidden;
        let bound = result?;
        if !self.type_of(bound).is_integer() {
            return refuse("a bound that is no integer");
        }
        Ok(bound)
    }

    /// Computes `value` right into a scalar place, where it is one call; says whether it did.
    pub(super) fn value_into(&mut self, e: Syn, access: &Access, ty: Type) -> Fallible<bool> {
        let may_be_call = match e.tree.syntax(e.node) {
            Syntax::Apply(base, _) => {
                matches!(e.tree.syntax(*base), Syntax::Name | Syntax::Member(..))
            }
            Syntax::Defined(_) => true,
            Syntax::Binary(..) | Syntax::Unary(..) => self.program.defines_operators,
            _ => false,
        };
        if !may_be_call || !access.path.is_empty() {
            return Ok(false);
        }
        let is_local = matches!(
            self.variable(access.var).storage,
            Storage::Local | Storage::Result | Storage::Argument { .. }
        ) && self.variable(access.var).passing == Passing::Reference;
        if !is_local || self.names_below(e).contains(&access.var) {
            return Ok(false);
        }
        if let Some(call) = self.invocation(e)? {
            let fits = ty != Type::Character
                && self.memory_of_call(&call).is_none()
                && self.result_type(&call)? == ty
                && self.result_rank(&call.target) == 0
                && matches!(
                    self.variable(access.var).storage,
                    Storage::Local | Storage::Result
                );
            if !fits {
                return Ok(false);
            }
            self.emit_call(e, &call, &[], Some(access.clone()))?;
            return Ok(true);
        }
        let Syntax::Apply(base, actuals) = e.tree.syntax(e.node).clone() else {
            return Ok(false);
        };
        if *e.tree.syntax(base) != Syntax::Name {
            return Ok(false);
        }
        let name = e.tree.text(base).to_owned();
        match self.applied(&name) {
            super::expr::Applied::Intrinsic => self.reduce_into(e, &name, &actuals, access, ty),
            super::expr::Applied::Function if Self::is_intrinsic(&name) => {
                self.reduce_into(e, &name, &actuals, access, ty)
            }
            _ => Ok(false),
        }
    }
}

fn is_plain(ty: Type) -> bool {
    matches!(ty, Type::Logical { .. } | Type::Character)
}

/// `%val` or `%ref` before an argument.
fn way_of_passing(e: Syn) -> Option<&'static str> {
    let start = e.tree.node(e.node).slice.start as usize;
    let before = e.tree.statement.text.get(..start)?;
    ["%val", "%ref", "%loc"]
        .into_iter()
        .find(|way| before.ends_with(way))
}
