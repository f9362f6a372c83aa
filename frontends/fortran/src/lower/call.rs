//! Calls: who is meant, which argument is which, and what is passed.

use super::array::{Place, Range};
use super::{Element, Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use crate::declare::scope::{Scope, ScopeId, Symbol, Upper, What};
use crate::view::Slice;
use contraflow_ir::{
    Access, Allocation, Argument, Callee, Expr, ExprId, Intent, Passing, Stmt, Storage, Type,
    VarId, place_of,
};
use std::collections::HashMap;

/// Who is called.
struct Target {
    callee: Callee,
    /// Where its arguments are declared, if anywhere.
    scope: Option<ScopeId>,
}

/// Subroutines of the language: their effects are not known to the IR.
const INTRINSIC_SUBROUTINES: [&str; 14] = [
    "random_number",
    "random_seed",
    "random_init",
    "system_clock",
    "cpu_time",
    "date_and_time",
    "get_environment_variable",
    "get_command_argument",
    "get_command",
    "execute_command_line",
    "move_alloc",
    "mvbits",
    "flush",
    "exit",
];

impl Lowerer<'_> {
    /// `CALL target(arguments)`
    pub(super) fn call(&mut self, target: Slice, arguments: Slice) -> Fallible<()> {
        let tree = self.parse(&[target, arguments])?;
        let callee = self.only(&tree, 0)?;
        if *tree.syntax(callee.node) != Syntax::Name {
            return refuse("a call of a component");
        }
        let name = tree.text(callee.node).to_owned();
        let actuals = tree.roots(1).to_vec();
        if name == "move_alloc" && self.program.find(self.scope, &name).is_none() {
            return self.move_alloc(&tree, &actuals);
        }
        let target = self.callee(&name, callee, &actuals, true)?;
        let is_function = target
            .scope
            .is_some_and(|scope| self.program.scopes[scope].result.is_some());
        if is_function {
            return refuse("a function is called as a subroutine");
        }
        if self.is_elemental(&target) && self.largest_rank(callee, &actuals)? > 0 {
            return self.elemental_call(callee, &actuals, &target);
        }
        let arguments = self.arguments(callee, &actuals, &target, &[])?;
        self.emit(Stmt::Call {
            callee: target.callee,
            arguments,
            result: None,
        });
        Ok(())
    }

    /// An elemental subroutine applied to arrays: once per element.
    fn elemental_call(&mut self, e: Syn, actuals: &[NodeId], target: &Target) -> Fallible<()> {
        let mut shape = None;
        for &node in actuals {
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
        self.nest(&ranges, |lowerer, at| {
            let arguments = lowerer.arguments(e, actuals, target, at)?;
            lowerer.emit(Stmt::Call {
                callee: target.callee.clone(),
                arguments,
                result: None,
            });
            Ok(())
        })
    }

    fn is_elemental(&self, target: &Target) -> bool {
        target
            .scope
            .is_some_and(|scope| self.program.scopes[scope].is_elemental)
    }

    /// Who a name is, as a procedure.
    fn callee(
        &mut self,
        name: &str,
        e: Syn,
        actuals: &[NodeId],
        is_subroutine: bool,
    ) -> Fallible<Target> {
        let Some(found) = self.program.find(self.scope, name) else {
            if is_subroutine && INTRINSIC_SUBROUTINES.contains(&name) {
                return refuse("a subroutine of the language");
            }
            return self.external(name);
        };
        let (symbol, scope) = (found.symbol, found.scope);
        if symbol.argument.is_some() {
            let interface = match symbol.what {
                What::Procedure(interface) => Some(interface),
                _ => None,
            };
            let var = self.named(name)?;
            if self.used_as_data.contains(&var) {
                return refuse(format!("`{name}` is called, but was a variable before"));
            }
            self.procedure.variables[var].ty = Type::Procedure;
            self.procedure.variables[var].spelling = None;
            return Ok(Target {
                callee: Callee::Variable(var),
                scope: interface,
            });
        }
        match &symbol.what {
            What::Procedure(procedure) => self.known(*procedure, name),
            What::Generic(specific) => {
                let specific = specific.clone();
                self.generic(scope, &specific, e, actuals)
            }
            What::Entity if symbol.dims.is_empty() => self.external(name),
            _ => refuse(format!("`{name}` is no procedure")),
        }
    }

    fn known(&self, scope: ScopeId, name: &str) -> Fallible<Target> {
        let body = self.program.body_of(scope);
        match self.program.procedure_of(body) {
            Some(procedure) => Ok(Target {
                callee: Callee::Procedure(procedure),
                scope: Some(body),
            }),
            None => refuse(format!("`{name}` has no body")),
        }
    }

    fn external(&self, name: &str) -> Fallible<Target> {
        if let Some(&scope) = self.program.externals.get(name) {
            return self.known(scope, name);
        }
        Ok(Target {
            callee: Callee::External(name.to_owned()),
            scope: None,
        })
    }

    /// The specific procedure whose arguments fit.
    fn generic(
        &mut self,
        scope: ScopeId,
        specific: &[String],
        e: Syn,
        actuals: &[NodeId],
    ) -> Fallible<Target> {
        let mut fitting = Vec::new();
        for name in specific {
            let Some(found) = self.program.find(scope, name) else {
                continue;
            };
            let What::Procedure(procedure) = found.symbol.what else {
                continue;
            };
            if self.fits(procedure, e, actuals)? {
                fitting.push((procedure, name.clone()));
            }
        }
        match fitting.as_slice() {
            [] => refuse("no specific procedure fits the arguments"),
            // An elemental one is chosen only if no other fits.
            several => {
                let exact = several
                    .iter()
                    .find(|(procedure, _)| !self.program.scopes[*procedure].is_elemental);
                let (procedure, name) = exact.unwrap_or(&several[0]);
                self.known(*procedure, name)
            }
        }
    }

    fn fits(&mut self, procedure: ScopeId, e: Syn, actuals: &[NodeId]) -> Fallible<bool> {
        let scope = &self.program.scopes[procedure];
        let Ok(order) = self.match_arguments(scope, e, actuals) else {
            return Ok(false);
        };
        for (name, actual) in scope.arguments.iter().zip(order) {
            let Some(symbol) = scope.symbols.get(name) else {
                return Ok(false);
            };
            let Some(node) = actual else {
                if symbol.is_optional {
                    continue;
                }
                return Ok(false);
            };
            let actual = Syn { tree: e.tree, node };
            let rank = self.rank(actual)?;
            let rank_fits =
                rank == symbol.dims.len() || (scope.is_elemental && symbol.dims.is_empty());
            if !rank_fits {
                return Ok(false);
            }
            let wanted = self.declared_type(procedure, name)?;
            if self.element_type(actual)? != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The actual argument of each dummy.
    fn match_arguments(
        &self,
        scope: &Scope,
        e: Syn,
        actuals: &[NodeId],
    ) -> Fallible<Vec<Option<NodeId>>> {
        let mut order = vec![None; scope.arguments.len()];
        for (position, &node) in actuals.iter().enumerate() {
            let (index, node) = match e.tree.syntax(node) {
                Syntax::Keyword(slice, value) => {
                    let keyword = e.tree.statement.part(*slice);
                    let index = scope.arguments.iter().position(|name| name == keyword);
                    (index, *value)
                }
                Syntax::AlternateReturn => return refuse("an alternate return"),
                _ => (Some(position), node),
            };
            match index.and_then(|index| order.get_mut(index)) {
                Some(entry @ None) => *entry = Some(node),
                _ => return refuse("the arguments do not fit those of the procedure"),
            }
        }
        Ok(order)
    }

    fn arguments(
        &mut self,
        e: Syn,
        actuals: &[NodeId],
        target: &Target,
        at: &Element,
    ) -> Fallible<Vec<Argument>> {
        let Some(scope_id) = target.scope else {
            return actuals
                .iter()
                .map(|&node| self.unknown_argument(Syn { tree: e.tree, node }))
                .collect();
        };
        let scope = &self.program.scopes[scope_id];
        if scope.arguments.iter().any(|name| name == "*") {
            return refuse("an alternate return");
        }
        let order = self.match_arguments(scope, e, actuals)?;
        let mut arguments = Vec::new();
        for (name, actual) in scope.arguments.iter().zip(order) {
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
        Ok(arguments)
    }

    /// An argument of a procedure whose arguments are not known.
    fn unknown_argument(&mut self, e: Syn) -> Fallible<Argument> {
        match e.tree.syntax(e.node) {
            Syntax::Keyword(..) => return refuse("a keyword in a call without interface"),
            Syntax::AlternateReturn => return refuse("an alternate return"),
            _ => {}
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
        let wants_procedure = symbol.is_external || matches!(symbol.what, What::Procedure(_));
        if let Some(procedure) = self.procedure_argument(e)? {
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
            if ty != wanted {
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
        if self.type_of(value) != wanted {
            return refuse(format!("the argument `{name}` has another type"));
        }
        Ok(Argument::Value(value))
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
        if is_designator
            && !symbol.is_value
            && self.hoisted_at(e).is_none()
            && let Ok(place) = self.place(e, at)
            && place.ty == wanted
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
        let target = match found.map(|found| found.symbol.what.clone()) {
            Some(What::Procedure(scope)) => self.known(scope, name)?,
            _ => self.external(name)?,
        };
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
            Syntax::Name => !self.is_substituted(e),
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
        if !is_variable {
            return Ok(None);
        }
        let place = self.place(e, &[])?;
        let is_constant = self.variable(place.access.var).is_constant();
        if is_constant && place.rank == 0 && !self.variable(place.access.var).is_array() {
            return Ok(None);
        }
        Ok(Some((place.access, place.ty)))
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
        name: &str,
        actuals: &[NodeId],
        at: &Element,
    ) -> Fallible<ExprId> {
        let target = self.callee(name, e, actuals, false)?;
        let is_elemental = self.is_elemental(&target);
        if !at.is_empty() && !is_elemental {
            return refuse("a function is called once per element");
        }
        let ty = self.result_type(&target, name)?;
        if self.result_rank(&target) > 0 {
            return refuse("a function's array stands where one value is wanted");
        }
        let at = if is_elemental { at } else { &[] };
        let arguments = self.arguments(e, actuals, &target, at)?;
        let value = self.temporary(&format!("{name}_"), ty);
        self.emit(Stmt::Call {
            callee: target.callee,
            arguments,
            result: Some(Access::whole(value)),
        });
        Ok(self.load(value))
    }

    fn result_type(&mut self, target: &Target, name: &str) -> Fallible<Type> {
        let ty = match target.scope {
            Some(scope) => {
                let Some(result) = self.program.scopes[scope].result.clone() else {
                    return refuse("a subroutine is called as a function");
                };
                self.declared_type(scope, &result)?
            }
            None => {
                if self.program.uses_unknown(self.scope, name)
                    && self.program.find(self.scope, name).is_none()
                {
                    return refuse(format!("`{name}` is not declared"));
                }
                self.declared_type(self.scope, name)?
            }
        };
        if ty == Type::Character || ty == Type::Procedure {
            return refuse("a function of characters");
        }
        Ok(ty)
    }

    /// The type of what a function returns.
    pub(super) fn function_type(
        &mut self,
        e: Syn,
        name: &str,
        actuals: &[NodeId],
    ) -> Fallible<Type> {
        let target = self.callee(name, e, actuals, false)?;
        self.result_type(&target, name)
    }

    fn result_rank(&self, target: &Target) -> usize {
        let symbol = target.scope.and_then(|scope| {
            let scope = &self.program.scopes[scope];
            scope.symbols.get(scope.result.as_deref()?)
        });
        symbol.map_or(0, |symbol| symbol.dims.len())
    }

    /// The rank of what a function returns.
    pub(super) fn function_rank(
        &mut self,
        e: Syn,
        name: &str,
        actuals: &[NodeId],
    ) -> Fallible<usize> {
        let target = self.callee(name, e, actuals, false)?;
        if self.is_elemental(&target) {
            return self.largest_rank(e, actuals);
        }
        Ok(self.result_rank(&target))
    }

    /// Evaluates a call ahead of a loop nest, if that must be.
    pub(super) fn hoist_call(&mut self, e: Syn) -> Fallible<Option<Hoisted>> {
        let Syntax::Apply(base, actuals) = e.tree.syntax(e.node).clone() else {
            return Ok(None);
        };
        if *e.tree.syntax(base) != Syntax::Name {
            return Ok(None);
        }
        let name = e.tree.text(base).to_owned();
        match self.applied(&name) {
            super::expr::Applied::Intrinsic => self.hoist_intrinsic(e, &name, &actuals),
            super::expr::Applied::Function => self.hoist_function(e, &name, &actuals).map(Some),
            _ => Ok(None),
        }
        .or_else(|refusal| {
            let is_elementwise = self.is_elementwise(&name, e, &actuals);
            if is_elementwise {
                Ok(None)
            } else {
                Err(refusal)
            }
        })
    }

    fn is_elementwise(&mut self, name: &str, e: Syn, actuals: &[NodeId]) -> bool {
        match self.callee(name, e, actuals, false) {
            Ok(target) => self.is_elemental(&target),
            Err(_) => false,
        }
    }

    fn hoist_function(&mut self, e: Syn, name: &str, actuals: &[NodeId]) -> Fallible<Hoisted> {
        let target = self.callee(name, e, actuals, false)?;
        if self.is_elemental(&target) && self.largest_rank(e, actuals)? > 0 {
            return refuse("it is computed once per element");
        }
        if self.result_rank(&target) > 0 {
            return self.array_function(e, name, actuals, &target);
        }
        let value = self.function_call(e, name, actuals, &[])?;
        match *self.procedure.expr(value) {
            Expr::Load(ref access) if access.path.is_empty() => Ok(Hoisted::Scalar(access.var)),
            _ => refuse("a call that gives no variable"),
        }
    }

    /// A function that returns an array: into a temporary array of its shape.
    fn array_function(
        &mut self,
        e: Syn,
        name: &str,
        actuals: &[NodeId],
        target: &Target,
    ) -> Fallible<Hoisted> {
        let Some(scope) = target.scope else {
            return refuse("an array-valued function without interface");
        };
        let ty = self.result_type(target, name)?;
        let arguments = self.arguments(e, actuals, target, &[])?;
        let ranges = self.result_ranges(scope, &arguments)?;
        let var = self.temporary_array(&format!("{name}_"), ty, &ranges);
        self.emit(Stmt::Call {
            callee: target.callee.clone(),
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
                        .all(|dim| dim.lower.is_none() && matches!(dim.upper, Upper::Colon));
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
        let Syntax::Apply(base, actuals) = e.tree.syntax(e.node).clone() else {
            return Ok(false);
        };
        if *e.tree.syntax(base) != Syntax::Name || !access.path.is_empty() {
            return Ok(false);
        }
        let name = e.tree.text(base).to_owned();
        let is_local = matches!(
            self.variable(access.var).storage,
            Storage::Local | Storage::Result | Storage::Argument { .. }
        ) && self.variable(access.var).passing == Passing::Reference;
        if !is_local || self.names_below(e).contains(&access.var) {
            return Ok(false);
        }
        match self.applied(&name) {
            super::expr::Applied::Function => {
                let target = self.callee(&name, e, &actuals, false)?;
                let fits = self.result_type(&target, &name)? == ty
                    && self.result_rank(&target) == 0
                    && matches!(
                        self.variable(access.var).storage,
                        Storage::Local | Storage::Result
                    );
                if !fits {
                    return Ok(false);
                }
                let arguments = self.arguments(e, &actuals, &target, &[])?;
                self.emit(Stmt::Call {
                    callee: target.callee,
                    arguments,
                    result: Some(access.clone()),
                });
                Ok(true)
            }
            super::expr::Applied::Intrinsic => self.reduce_into(e, &name, &actuals, access, ty),
            _ => Ok(false),
        }
    }
}
