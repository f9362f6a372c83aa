//! Who is called: names, generic names, operators, procedures bound to types.

use super::expr::Applied;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use crate::declare::derived::{Bound, FoundBinding, Passed};
use crate::declare::generics::operator_key;
use crate::declare::scope::{Base, Scope, ScopeId, Symbol, What};
use contraflow_ir::{Callee, RecordId, Type};

/// Who is called.
#[derive(Clone)]
pub(super) struct Target {
    pub callee: Callee,
    /// Where its arguments are declared, if anywhere.
    pub scope: Option<ScopeId>,
}

/// A call as it stands in the source.
#[derive(Clone)]
pub(super) struct Invocation {
    /// A name for what it gives.
    pub name: String,
    pub target: Target,
    /// The arguments in parentheses, or the operands.
    pub actuals: Vec<NodeId>,
    /// The object that a bound procedure is called with, and which argument it is.
    pub passed: Option<(usize, NodeId)>,
    /// What is called instead where the object is of one of these types or of one that extends it,
    /// those further down first.
    pub overriding: Vec<(RecordId, Target)>,
}

impl Lowerer<'_> {
    /// The call of a procedure of the program that an expression is, if it is one.
    pub(super) fn invocation(&mut self, e: Syn) -> Fallible<Option<Invocation>> {
        // Calls nest: each is looked into once.
        let key = (std::ptr::from_ref(e.tree) as usize, e.node);
        if let Some(call) = self.invocations.get(&key) {
            return Ok(call.clone());
        }
        let call = self.invoked(e)?;
        self.invocations.insert(key, call.clone());
        Ok(call)
    }

    fn invoked(&mut self, e: Syn) -> Fallible<Option<Invocation>> {
        let tree = e.tree;
        match tree.syntax(e.node).clone() {
            Syntax::Apply(base, actuals) => match tree.syntax(base).clone() {
                Syntax::Name => self.named_function(e, base, actuals),
                Syntax::Member(object, name) => {
                    let name = tree.statement.part(name).to_owned();
                    self.bound_procedure(e, object, &name, actuals)
                }
                _ => Ok(None),
            },
            Syntax::Unary(..) | Syntax::Binary(..) if self.program.defines_operators => {
                self.operation(e, tree.children(e.node))
            }
            Syntax::Defined(operands) => match self.operation(e, operands)? {
                Some(call) => Ok(Some(call)),
                None => refuse("an operator that is not defined for its operands"),
            },
            _ => Ok(None),
        }
    }

    /// The call that an operation is, if its operator is the program's own here.
    pub(super) fn operation_call(&mut self, e: Syn) -> Fallible<Option<Invocation>> {
        let may_be = match e.tree.syntax(e.node) {
            Syntax::Defined(_) => true,
            Syntax::Unary(..) | Syntax::Binary(..) => self.program.defines_operators,
            _ => false,
        };
        if may_be { self.invocation(e) } else { Ok(None) }
    }

    fn named_function(
        &mut self,
        e: Syn,
        base: NodeId,
        actuals: Vec<NodeId>,
    ) -> Fallible<Option<Invocation>> {
        let name = e.tree.text(base);
        if let Some(scope) = self.pointed_procedure(name)? {
            return Ok(Some(Invocation {
                name: name.to_owned(),
                target: self.known(scope)?,
                actuals,
                passed: None,
                overriding: Vec::new(),
            }));
        }
        let is_candidate = match self.applied(name) {
            Applied::Function => true,
            // A type may have functions of its name.
            Applied::Constructor => self.has_specifics(name),
            _ => false,
        };
        if !is_candidate {
            return Ok(None);
        }
        let call = |target| Invocation {
            name: name.to_owned(),
            target,
            actuals: actuals.clone(),
            passed: None,
            overriding: Vec::new(),
        };
        if self.has_specifics(name) {
            let specifics = self.program.specifics(self.scope, name);
            if let Some(target) = self.fitting_one(&specifics, e, &actuals, None)? {
                return Ok(Some(call(target)));
            }
            // What no specific procedure fits may be the intrinsic function, or the constructor.
            if Self::is_intrinsic(name) || matches!(self.applied(name), Applied::Constructor) {
                return Ok(None);
            }
            return refuse("no specific procedure fits the arguments");
        }
        let target = self.callee(name, false)?;
        Ok(Some(call(target)))
    }

    fn has_specifics(&self, name: &str) -> bool {
        self.program.find(self.scope, name).is_some_and(|found| {
            !found.symbol.specifics.is_empty() || found.symbol.what == What::Generic
        })
    }

    /// The call that an operation with operands of the program's own types is.
    fn operation(&mut self, e: Syn, operands: Vec<NodeId>) -> Fallible<Option<Invocation>> {
        let operator = operator_of(e, &operands);
        let key = operator_key(&operator);
        let visible = self.program.specifics(self.scope, &key);
        if !visible.is_empty()
            && let Some(target) = self.fitting_one(&visible, e, &operands, None)?
        {
            return Ok(Some(Invocation {
                name: "operation".to_owned(),
                target,
                actuals: operands,
                passed: None,
                overriding: Vec::new(),
            }));
        }
        // A binding of either operand's type.
        for (position, &node) in operands.iter().enumerate() {
            let Type::Record(record) = self.element_type(Syn { tree: e.tree, node })? else {
                continue;
            };
            let mut rest = operands.clone();
            rest.remove(position);
            let object = (position, node);
            let call = self.generic_bound(e, record, &key, object, rest)?;
            if call.is_some() {
                return Ok(call);
            }
        }
        Ok(None)
    }

    /// `object%name(actuals)`, where `name` is a procedure bound to the object's type.
    pub(super) fn bound_procedure(
        &mut self,
        e: Syn,
        object: NodeId,
        name: &str,
        actuals: Vec<NodeId>,
    ) -> Fallible<Option<Invocation>> {
        let base = Syn {
            tree: e.tree,
            node: object,
        };
        let Type::Record(record) = self.designator_type(base)? else {
            return Ok(None);
        };
        let program = self.program;
        let Some(found) = program.binding(record, name) else {
            return Ok(None);
        };
        if let Bound::Generic(_) = found.binding.what {
            return match self.generic_bound(e, record, name, (0, object), actuals)? {
                Some(call) => Ok(Some(call)),
                None => refuse("no specific procedure fits the arguments"),
            };
        }
        self.bound_call(base, record, &found, actuals).map(Some)
    }

    /// The call of one binding with an object.
    fn bound_call(
        &mut self,
        object: Syn,
        record: RecordId,
        found: &FoundBinding,
        actuals: Vec<NodeId>,
    ) -> Fallible<Invocation> {
        let Bound::Procedure {
            target,
            passed,
            is_deferred,
        } = &found.binding.what
        else {
            return refuse("a generic binding of a generic binding");
        };
        let Some(procedure) = self.program.procedure_named(found.scope, target) else {
            return refuse(format!("`{target}` has no body"));
        };
        let overriding = match self.is_polymorphic(object)? {
            true => self.overriding(record, found)?,
            false => Vec::new(),
        };
        if !overriding.is_empty() {
            self.viewable(object)?;
        }
        if *is_deferred && overriding.is_empty() {
            return refuse("a call of a deferred procedure");
        }
        let arguments = &self.program.scopes[procedure].arguments;
        let position = match passed {
            Passed::First => Some(0),
            Passed::Named(name) => arguments.iter().position(|argument| argument == name),
            Passed::Not => None,
        };
        Ok(Invocation {
            name: found.binding.name.clone(),
            target: self.known(procedure)?,
            actuals,
            passed: position.map(|position| (position, object.node)),
            overriding,
        })
    }

    /// The procedures that extensions have in place of one.
    fn overriding(
        &self,
        record: RecordId,
        found: &FoundBinding,
    ) -> Fallible<Vec<(RecordId, Target)>> {
        let name = &found.binding.name;
        let mut all = Vec::new();
        for other in self.program.family(record) {
            let Some(binding) = self.program.binding(other, name) else {
                continue;
            };
            if binding.record != other || other == found.record {
                continue;
            }
            self.refuse_later_type(other)?;
            let Bound::Procedure {
                target,
                is_deferred: false,
                ..
            } = &binding.binding.what
            else {
                continue;
            };
            match self.program.procedure_named(binding.scope, target) {
                Some(procedure) => all.push((other, self.known(procedure)?)),
                None => return refuse(format!("`{target}` has no body")),
            }
        }
        Ok(all)
    }

    /// The binding behind a generic one whose arguments fit.
    fn generic_bound(
        &mut self,
        e: Syn,
        record: RecordId,
        key: &str,
        (position, node): (usize, NodeId),
        actuals: Vec<NodeId>,
    ) -> Fallible<Option<Invocation>> {
        let program = self.program;
        let object = Syn { tree: e.tree, node };
        let mut elemental = None;
        for name in program.generic_binding(record, key) {
            let Some(found) = program.binding(record, &name) else {
                continue;
            };
            let Bound::Procedure { target, passed, .. } = &found.binding.what else {
                continue;
            };
            let Some(procedure) = program.procedure_named(found.scope, target) else {
                continue;
            };
            let arguments = &program.scopes[procedure].arguments;
            let at = match passed {
                Passed::First => Some(0),
                Passed::Named(name) => arguments.iter().position(|argument| argument == name),
                Passed::Not => None,
            };
            // An operand is the object only where the procedure takes the object.
            if key.starts_with("operator(") && at != Some(position) {
                continue;
            }
            let passed = at.map(|at| (at, node));
            if !self.fits(procedure, e, &actuals, passed)? {
                continue;
            }
            let call = self.bound_call(object, record, &found, actuals.clone())?;
            if !program.scopes[procedure].is_elemental {
                return Ok(Some(call));
            }
            elemental = elemental.or(Some(call));
        }
        Ok(elemental)
    }

    /// Refuses a call that may reach another procedure than the one of the declared type.
    pub(super) fn refuse_dispatch(&self, record: RecordId, found: &FoundBinding) -> Fallible<()> {
        let name = &found.binding.name;
        let is_overridden = self.program.family(record).into_iter().any(|other| {
            self.program
                .binding(other, name)
                .is_some_and(|binding| binding.record != found.record)
        });
        if is_overridden {
            return refuse(format!(
                "which procedure `{name}` is depends on the type that the object has at run time"
            ));
        }
        Ok(())
    }

    /// Whether the type of an object may be an extension of the one declared.
    pub(super) fn is_polymorphic(&mut self, e: Syn) -> Fallible<bool> {
        match e.tree.syntax(e.node) {
            Syntax::Name => {
                let name = e.tree.text(e.node);
                if self.association(name).is_some() {
                    let place = self.place(e, &[])?;
                    if self.is_variant(&place.access) {
                        return Ok(false);
                    }
                    return Ok(!place.access.path.is_empty()
                        || self.variable(place.access.var).polymorphic);
                }
                Ok(self
                    .program
                    .find(self.scope, name)
                    .is_some_and(|found| found.symbol.is_class()))
            }
            Syntax::Apply(base, _) => self.is_polymorphic(Syn {
                tree: e.tree,
                node: *base,
            }),
            Syntax::Member(..) if self.association(e.tree.text(e.node)).is_some() => Ok(false),
            Syntax::Member(base, name) => {
                let base = Syn {
                    tree: e.tree,
                    node: *base,
                };
                let Type::Record(record) = self.designator_type(base)? else {
                    return Ok(false);
                };
                let name = e.tree.statement.part(*name);
                Ok(self.component_is_class(record, name))
            }
            _ => Ok(false),
        }
    }

    fn component_is_class(&self, record: RecordId, name: &str) -> bool {
        let mut at = Some(record);
        while let Some(here) = at {
            let found = self.program.derived(here).and_then(|(_, derived)| {
                derived
                    .components
                    .iter()
                    .find(|component| component.name.eq_ignore_ascii_case(name))
            });
            if let Some(component) = found {
                return component.is_class();
            }
            at = self.program.parent_of(here);
        }
        false
    }

    /// Who a name is, as a procedure that is not generic.
    pub(super) fn callee(&mut self, name: &str, is_subroutine: bool) -> Fallible<Target> {
        if let Some(scope) = self.pointed_procedure(name)? {
            return self.known(scope);
        }
        let Some(found) = self.program.find(self.scope, name) else {
            if is_subroutine && super::language::subroutine(name).is_some() {
                return refuse("a subroutine of the language");
            }
            return self.external(name);
        };
        let symbol = found.symbol;
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
            if is_subroutine {
                self.procedure.variables[var].spelling = None;
            }
            return Ok(Target {
                callee: Callee::Variable(var),
                scope: interface,
            });
        }
        match &symbol.what {
            What::Procedure(procedure) => self.known(*procedure),
            What::Entity if symbol.dims.is_empty() => self.external(name),
            _ => refuse(format!("`{name}` is no procedure")),
        }
    }

    /// The subroutine that a name means with these arguments.
    pub(super) fn subroutine(
        &mut self,
        name: &str,
        e: Syn,
        actuals: &[NodeId],
    ) -> Fallible<Target> {
        if self.has_specifics(name) {
            let specifics = self.program.specifics(self.scope, name);
            return match self.fitting_one(&specifics, e, actuals, None)? {
                Some(target) => Ok(target),
                None => refuse("no specific procedure fits the arguments"),
            };
        }
        self.callee(name, true)
    }

    /// The procedure of a scope, or of the interface that it is.
    pub(super) fn known(&self, scope: ScopeId) -> Fallible<Target> {
        let body = self.program.body_of(scope);
        match self.program.procedure_of(body) {
            Some(procedure) => Ok(Target {
                callee: Callee::Procedure(procedure),
                scope: Some(body),
            }),
            None => refuse(format!(
                "`{}` has no body",
                self.program.scopes[scope].original
            )),
        }
    }

    pub(super) fn external(&self, name: &str) -> Fallible<Target> {
        if let Some(&scope) = self.program.externals.get(name) {
            return self.known(scope);
        }
        Ok(Target {
            callee: Callee::External(name.to_owned()),
            scope: None,
        })
    }

    /// The one of several specific procedures whose arguments fit; an elemental one is chosen only
    /// if no other fits.
    pub(super) fn fitting_one(
        &mut self,
        specifics: &[ScopeId],
        e: Syn,
        actuals: &[NodeId],
        passed: Option<(usize, NodeId)>,
    ) -> Fallible<Option<Target>> {
        let mut elemental = None;
        for &procedure in specifics {
            if !self.fits(procedure, e, actuals, passed)? {
                continue;
            }
            if !self.program.scopes[procedure].is_elemental {
                return self.known(procedure).map(Some);
            }
            elemental = elemental.or(Some(procedure));
        }
        elemental.map(|procedure| self.known(procedure)).transpose()
    }

    fn fits(
        &mut self,
        procedure: ScopeId,
        e: Syn,
        actuals: &[NodeId],
        passed: Option<(usize, NodeId)>,
    ) -> Fallible<bool> {
        let scope = &self.program.scopes[procedure];
        let Ok(order) = self.match_arguments(scope, e, actuals, passed) else {
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
            let wants_procedure = symbol.is_external || matches!(symbol.what, What::Procedure(_));
            if wants_procedure != self.is_procedure_name(actual) {
                return Ok(false);
            }
            if wants_procedure {
                continue;
            }
            let rank = self.rank(actual)?;
            let rank_fits =
                rank == symbol.dims.len() || (scope.is_elemental && symbol.dims.is_empty());
            if !rank_fits {
                return Ok(false);
            }
            let wanted = self.declared_type(procedure, name)?;
            let given = self.element_type(actual)?;
            if !self.accepts(symbol, wanted, given) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an actual argument is the name of a procedure.
    fn is_procedure_name(&self, e: Syn) -> bool {
        if *e.tree.syntax(e.node) != Syntax::Name {
            return false;
        }
        let name = e.tree.text(e.node);
        let is_result = self.program.scopes[self.home].result.as_deref() == Some(name);
        let found = self.program.find(self.scope, name);
        let is_procedure = found.is_some_and(|found| {
            found.symbol.is_external
                || found.symbol.is_intrinsic
                || matches!(found.symbol.what, What::Procedure(_))
        });
        is_procedure && !is_result && self.association(name).is_none()
    }

    /// Whether an argument declared as `symbol`, of type `wanted`, takes a value of type `given`.
    pub(super) fn accepts(&self, symbol: &Symbol, wanted: Type, given: Type) -> bool {
        match (wanted, given) {
            (Type::Record(wanted), Type::Record(given)) if symbol.is_class() => {
                self.program.generations(given, wanted).is_some()
            }
            _ => wanted == given,
        }
    }

    /// The actual argument of each dummy.
    pub(super) fn match_arguments(
        &self,
        scope: &Scope,
        e: Syn,
        actuals: &[NodeId],
        passed: Option<(usize, NodeId)>,
    ) -> Fallible<Vec<Option<NodeId>>> {
        let mut order = vec![None; scope.arguments.len()];
        if let Some((at, object)) = passed {
            match order.get_mut(at) {
                Some(entry) => *entry = Some(object),
                None => return refuse("the procedure has no argument for the object"),
            }
        }
        let skipped = passed.map_or(usize::MAX, |(at, _)| at);
        for (position, &node) in actuals.iter().enumerate() {
            let (index, node) = match e.tree.syntax(node) {
                Syntax::Keyword(slice, value) => {
                    let keyword = e.tree.statement.part(*slice);
                    let index = scope.arguments.iter().position(|name| name == keyword);
                    (index, *value)
                }
                Syntax::AlternateReturn
                    if scope.arguments.get(position).is_none_or(|name| name != "*") =>
                {
                    return refuse(super::opaque::ALTERNATE_RETURN);
                }
                _ => (Some(position + usize::from(position >= skipped)), node),
            };
            match index.and_then(|index| order.get_mut(index)) {
                Some(entry @ None) => *entry = Some(node),
                _ => return refuse("the arguments do not fit those of the procedure"),
            }
        }
        Ok(order)
    }
}

impl Symbol {
    /// Whether it is declared with CLASS.
    pub fn is_class(&self) -> bool {
        self.ty.as_ref().is_some_and(|ty| {
            matches!(ty.base, Base::Derived(_))
                && ty
                    .spelling
                    .get(..5)
                    .is_some_and(|word| word.eq_ignore_ascii_case("class"))
        })
    }
}

/// The operator as it stands in the source, lower case.
fn operator_of(e: Syn, operands: &[NodeId]) -> String {
    let whole = e.tree.node(e.node).slice;
    let last = operands.last().map(|&node| e.tree.node(node).slice);
    let end = last.map_or(whole.end, |slice| slice.start);
    let start = match operands {
        [left, _] => e.tree.node(*left).slice.end,
        _ => whole.start,
    };
    e.tree
        .statement
        .part(crate::view::Slice { start, end })
        .trim()
        .to_owned()
}
