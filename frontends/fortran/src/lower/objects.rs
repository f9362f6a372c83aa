//! Values of derived types: structure constructors, default values of components, assignment that
//! the program defines.

use super::invoke::Invocation;
use super::{Element, Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use crate::declare::derived::{Bound, Passed};
use crate::declare::scope::{ExprRef, Symbol, What};
use contraflow_ir::{Access, Allocation, Intent, RecordId, Selector, Stmt, Storage, Type, VarId};

/// The key of defined assignment.
const ASSIGNMENT: &str = "assignment(=)";

/// A component of a record, with the way to it and its declaration.
struct Component<'p> {
    /// The way through the types that the type extends.
    path: Vec<Selector>,
    name: String,
    ty: Type,
    rank: usize,
    allocation: Allocation,
    /// The scope of its type, and its declaration. A parent component has none.
    symbol: Option<(usize, &'p Symbol)>,
}

impl<'p> Lowerer<'p> {
    /// The record that a type's name means here.
    pub(super) fn declared_record(&self, name: &str) -> Fallible<RecordId> {
        match self
            .program
            .find(self.scope, name)
            .map(|found| &found.symbol.what)
        {
            Some(What::Type(derived)) => match derived.record {
                Some(record) => Ok(record),
                None => refuse("an unknown type"),
            },
            _ => refuse(format!("`{name}` is no type")),
        }
    }

    /// `name(values)`: a temporary that gets each component.
    pub(super) fn constructed(
        &mut self,
        e: Syn,
        name: &str,
        values: &[NodeId],
        at: &Element,
    ) -> Fallible<contraflow_ir::ExprId> {
        let record = self.declared_record(name)?;
        let value = self.temporary(&format!("{name}_"), Type::Record(record));
        self.assign_constructed(e, record, values, &Access::whole(value), at)?;
        Ok(self.load(value))
    }

    /// Constructs a value right in the place that it is assigned to, where it does not read what
    /// is there; says whether it did.
    pub(super) fn constructed_in_place(
        &mut self,
        e: Syn,
        place: &Access,
        ty: Type,
    ) -> Fallible<bool> {
        let (Type::Record(record), Syntax::Apply(base, values)) = (ty, e.tree.syntax(e.node))
        else {
            return Ok(false);
        };
        let is_plain = *e.tree.syntax(*base) == Syntax::Name
            && self
                .components(record)
                .iter()
                .all(|component| component.allocation == Allocation::Fixed);
        if !is_plain || self.invocation(e)?.is_some() {
            return Ok(false);
        }
        let is_same = self.declared_record(e.tree.text(*base)) == Ok(record);
        let reads = self.names_below(e);
        let is_local = matches!(
            self.variable(place.var).storage,
            Storage::Local | Storage::Result | Storage::Argument { .. }
        );
        if !is_same || !is_local || reads.iter().any(|&var| self.may_overlap(place.var, var)) {
            return Ok(false);
        }
        self.assign_constructed(e, record, values, place, &[])?;
        Ok(true)
    }

    /// Assigns the components of `target` as a structure constructor states.
    pub(super) fn assign_constructed(
        &mut self,
        e: Syn,
        record: RecordId,
        values: &[NodeId],
        target: &Access,
        at: &Element,
    ) -> Fallible<()> {
        let components = self.components(record);
        let mut given: Vec<Option<NodeId>> = vec![None; components.len()];
        let mut parents = Vec::new();
        for (position, &node) in values.iter().enumerate() {
            match e.tree.syntax(node) {
                Syntax::Keyword(name, value) => {
                    let name = e.tree.statement.part(*name);
                    match components
                        .iter()
                        .position(|component| component.name == name)
                    {
                        Some(index) => given[index] = Some(*value),
                        None => parents.push((self.parent_component(record, name)?, *value)),
                    }
                }
                _ => match given.get_mut(position) {
                    Some(entry) => *entry = Some(node),
                    None => return refuse("a constructor with too many values"),
                },
            }
        }
        for (path, node) in &parents {
            let mut place = target.clone();
            place.path.extend(path.iter().cloned());
            let value = self.value(
                Syn {
                    tree: e.tree,
                    node: *node,
                },
                at,
            )?;
            let assigned = self.build().assign(place, value);
            self.out.push(assigned);
        }
        for (component, node) in components.iter().zip(given) {
            let inherited = |(path, _): &(Vec<Selector>, NodeId)| component.path.starts_with(path);
            let mut place = target.clone();
            place.path.extend(component.path.iter().cloned());
            match node {
                Some(node) => {
                    let value = Syn { tree: e.tree, node };
                    self.assign_component(component, place, value, at)?;
                }
                None if parents.iter().any(inherited) => {}
                None => self.default_component(component, &place, true)?,
            }
        }
        Ok(())
    }

    /// All components of a record, those of the types that it extends first.
    fn components(&self, record: RecordId) -> Vec<Component<'p>> {
        let mut all = Vec::new();
        let own_from = match self.program.parent_of(record) {
            Some(parent) => {
                for mut component in self.components(parent) {
                    component.path.insert(0, Selector::Field(0));
                    all.push(component);
                }
                1
            }
            None => 0,
        };
        let derived = self.program.derived(record);
        let fields = &self.module.records[record].fields;
        for (index, field) in fields.iter().enumerate().skip(own_from) {
            if field.variant_of.is_some() {
                continue;
            }
            let symbol = derived.and_then(|(scope, derived)| {
                Some((scope, derived.components.get(index - own_from)?))
            });
            all.push(Component {
                path: vec![Selector::Field(index as u32)],
                name: field.name.to_ascii_lowercase(),
                ty: field.ty,
                rank: field.shape.len(),
                allocation: field.allocation,
                symbol,
            });
        }
        all
    }

    /// Whether a record holds all its memory itself.
    pub(super) fn is_flat(&self, record: RecordId, depth: u32) -> bool {
        depth < 40
            && self.components(record).iter().all(|component| {
                component.allocation == Allocation::Fixed
                    && match component.ty {
                        Type::Record(inner) => self.is_flat(inner, depth + 1),
                        ty => ty.is_numeric() || matches!(ty, Type::Logical { .. }),
                    }
            })
    }

    /// The way to the parent component of a name.
    fn parent_component(&self, record: RecordId, name: &str) -> Fallible<Vec<Selector>> {
        let mut path = vec![Selector::Field(0)];
        let mut at = self.program.parent_of(record);
        while let Some(parent) = at {
            if self.module.records[parent].name.eq_ignore_ascii_case(name) {
                return Ok(path);
            }
            path.push(Selector::Field(0));
            at = self.program.parent_of(parent);
        }
        refuse(format!("`{name}` is no component"))
    }

    fn assign_component(
        &mut self,
        component: &Component,
        place: Access,
        value: Syn,
        at: &Element,
    ) -> Fallible<()> {
        if component.ty == Type::Unknown || component.ty == Type::Procedure {
            return refuse("the type of a component is not known");
        }
        match component.allocation {
            Allocation::Fixed if component.rank == 0 => {
                let value = self.value(value, at)?;
                let value = self.fitting(value, component.ty)?;
                let assigned = self.build().assign(place, value);
                self.out.push(assigned);
                Ok(())
            }
            Allocation::Fixed if at.is_empty() => {
                self.assign_array_component(component, place, value)
            }
            Allocation::Fixed => refuse("an array component in an array of constructors"),
            Allocation::Pointer if is_null(value) => {
                self.emit(Stmt::PointerAssign {
                    target: place,
                    value: None,
                    is_pointer: false,
                    offset: None,
                    bounds: Vec::new(),
                });
                Ok(())
            }
            Allocation::Pointer => {
                let source = self.place(value, &[])?;
                let is_pointer = source.access.path.is_empty()
                    && self.variable(source.access.var).allocation == Allocation::Pointer;
                self.emit(Stmt::PointerAssign {
                    target: place,
                    value: Some(source.access),
                    is_pointer,
                    offset: None,
                    bounds: Vec::new(),
                });
                Ok(())
            }
            Allocation::Allocatable if is_null(value) => Ok(()),
            Allocation::Allocatable if at.is_empty() => {
                self.allocate_component(component, &place, value)?;
                if component.rank == 0 {
                    let value = self.scalar(value)?;
                    let value = self.fitting(value, component.ty)?;
                    let assigned = self.build().assign(place, value);
                    self.out.push(assigned);
                    return Ok(());
                }
                self.assign_array_component(component, place, value)
            }
            Allocation::Allocatable => {
                refuse("an allocatable component in an array of constructors")
            }
        }
    }

    /// Gives an allocatable component the shape of its value.
    fn allocate_component(
        &mut self,
        component: &Component,
        place: &Access,
        value: Syn,
    ) -> Fallible<()> {
        let mut shape = Vec::new();
        if component.rank > 0 {
            self.hoist(value)?;
            if self.rank(value)? != component.rank {
                return refuse("a component of another rank");
            }
            for range in self.ranges(value)? {
                shape.push((None, self.count(&range)));
            }
        }
        self.emit(Stmt::Allocate {
            target: place.clone(),
            shape,
            zeroed: false,
        });
        Ok(())
    }

    fn assign_array_component(
        &mut self,
        component: &Component,
        place: Access,
        value: Syn,
    ) -> Fallible<()> {
        self.hoist(value)?;
        let rank = self.rank(value)?;
        if rank != 0 && rank != component.rank {
            return refuse("a component of another rank");
        }
        let ranges = self.whole_ranges(&place)?;
        self.nest(&ranges, |lowerer, at| {
            let subscripts = at.iter().map(|dim| lowerer.load(dim.variable)).collect();
            let mut element = place.clone();
            element.path.push(Selector::Index(subscripts));
            let value = lowerer.value(value, if rank == 0 { &[] } else { at })?;
            let value = lowerer.fitting(value, component.ty)?;
            let assigned = lowerer.build().assign(element, value);
            lowerer.out.push(assigned);
            Ok(())
        })
    }

    /// The default value of a component that a constructor leaves out, or that a new variable has.
    fn default_component(
        &mut self,
        component: &Component,
        place: &Access,
        is_required: bool,
    ) -> Fallible<()> {
        let init = component.symbol.and_then(|(scope, symbol)| {
            let init = symbol.init.as_ref()?;
            Some((scope, init))
        });
        if let Some((scope, init)) = init {
            return self.default_value(component, place, scope, init);
        }
        let has_own = matches!(component.ty, Type::Record(_));
        match (component.allocation, component.ty) {
            (Allocation::Fixed, Type::Record(record)) if self.has_defaults(record, 0) => {
                let ranges = match component.rank {
                    0 => Vec::new(),
                    _ => self.whole_ranges(place)?,
                };
                self.default_values(record, place, &ranges)
            }
            (Allocation::Fixed, _) if is_required && !has_own => {
                refuse(format!("the component `{}` has no value", component.name))
            }
            _ => Ok(()),
        }
    }

    fn default_value(
        &mut self,
        component: &Component,
        place: &Access,
        scope: usize,
        init: &ExprRef,
    ) -> Fallible<()> {
        let tree = init.tree.clone();
        let value = Syn {
            tree: &tree,
            node: init.node,
        };
        if component.allocation != Allocation::Fixed {
            return if is_null(value) {
                Ok(())
            } else {
                refuse("a pointer component with a default target")
            };
        }
        let outer = std::mem::replace(&mut self.scope, scope);
        let hoisted = std::mem::take(&mut self.hoisted);
        let substitutions = std::mem::take(&mut self.substitutions);
        let result = self.assign_component(component, place.clone(), value, &[]);
        self.substitutions = substitutions;
        self.hoisted = hoisted;
        self.scope = outer;
        result
    }

    /// Whether any component of a record has a default value.
    fn has_defaults(&self, record: RecordId, depth: u32) -> bool {
        depth < 40
            && self.components(record).iter().any(|component| {
                let has_value = component
                    .symbol
                    .is_some_and(|(_, symbol)| symbol.init.is_some());
                let is_plain = component.allocation == Allocation::Fixed;
                is_plain
                    && (has_value
                        || matches!(component.ty, Type::Record(inner)
                            if self.has_defaults(inner, depth + 1)))
            })
    }

    /// Gives the components of a record, or of all elements over `ranges`, their default values.
    pub(super) fn default_values(
        &mut self,
        record: RecordId,
        place: &Access,
        ranges: &[super::array::Range],
    ) -> Fallible<()> {
        let components = self.components(record);
        if ranges.is_empty() {
            for component in &components {
                let mut inner = place.clone();
                inner.path.extend(component.path.iter().cloned());
                self.default_component(component, &inner, false)?;
            }
            return Ok(());
        }
        self.nest(ranges, |lowerer, at| {
            let subscripts = at.iter().map(|dim| lowerer.load(dim.variable)).collect();
            let mut element = place.clone();
            element.path.push(Selector::Index(subscripts));
            lowerer.default_values(record, &element, &[])
        })
    }

    /// The default values that a variable has when its procedure begins.
    pub(super) fn defaults_at_entry(&mut self, var: VarId) -> Fallible<()> {
        let variable = self.variable(var);
        let Type::Record(record) = variable.ty else {
            return Ok(());
        };
        let is_saved = variable.storage == Storage::Saved;
        let is_input = variable.is_argument() && variable.intent == Intent::In;
        if !is_saved && !is_input && self.module.is_finalized(variable.ty) {
            // What a FINAL procedure does to the object, and when, is not seen.
            self.span = variable.span;
            let stmt = self.build().stmt(Stmt::Opaque {
                text: "continue".to_owned(),
                kind: "final procedure",
                reads: vec![Access::whole(var)],
                writes: vec![Access::whole(var)],
                terminates: false,
            });
            self.entry.push(stmt);
        }
        let variable = self.variable(var);
        let is_new = match variable.storage {
            Storage::Local | Storage::Result => true,
            Storage::Argument { .. } => variable.intent == Intent::Out,
            Storage::Saved => {
                let is_fixed = variable.allocation == Allocation::Fixed;
                return if is_fixed && self.has_defaults(record, 0) {
                    refuse("a saved variable whose components have default values")
                } else {
                    Ok(())
                };
            }
            _ => false,
        };
        if !is_new || variable.allocation != Allocation::Fixed {
            return Ok(());
        }
        if variable.polymorphic && variable.shape.is_empty() {
            return self.defaults_by_type(var, record);
        }
        if variable.polymorphic && self.program.family(record).len() > 1 {
            // Which components get default values depends on the type of the elements.
            let stmt = self.build().stmt(Stmt::Opaque {
                text: "continue".to_owned(),
                kind: "intent(out) of objects",
                reads: Vec::new(),
                writes: vec![Access::whole(var)],
                terminates: false,
            });
            self.entry.push(stmt);
            return Ok(());
        }
        if !self.has_defaults(record, 0) {
            return Ok(());
        }
        let place = Access::whole(var);
        let span = std::mem::replace(&mut self.span, self.procedure.variables[var].span);
        let outer = std::mem::take(&mut self.out);
        let result = self
            .whole_ranges(&place)
            .and_then(|ranges| self.default_values(record, &place, &ranges));
        let made = std::mem::replace(&mut self.out, outer);
        self.span = span;
        result?;
        self.entry.extend(made);
        Ok(())
    }

    /// The same for an object: the default values are those of the type that it has.
    fn defaults_by_type(&mut self, var: VarId, record: RecordId) -> Fallible<()> {
        let span = std::mem::replace(&mut self.span, self.procedure.variables[var].span);
        let outer = std::mem::take(&mut self.out);
        let mut result = Ok(());
        for ty in self.program.family(record) {
            if self.module.records[ty].is_abstract || !self.has_defaults(ty, 0) {
                continue;
            }
            let view = self.view(var, ty, false);
            let place = Access::whole(view);
            match self.block(|lowerer| lowerer.default_values(ty, &place, &[])) {
                Ok((block, ())) => {
                    let chosen = self.if_there(view, block, Vec::new());
                    self.out.push(chosen);
                }
                Err(refusal) => result = Err(refusal),
            }
        }
        let made = std::mem::replace(&mut self.out, outer);
        self.span = span;
        result?;
        self.entry.extend(made);
        Ok(())
    }

    /// The subroutine that defines this assignment, if the program defines it.
    pub(super) fn defined_assignment(
        &mut self,
        target: Syn,
        value: Syn,
    ) -> Fallible<Option<Invocation>> {
        let visible = self.program.specifics(self.scope, ASSIGNMENT);
        let ty = self.designator_type(target)?;
        let is_record = matches!(ty, Type::Record(_));
        if visible.is_empty() && !is_record {
            return Ok(None);
        }
        let operands = [target.node, value.node];
        if let Some(target) = self.fitting_one(&visible, target, &operands, None)? {
            return Ok(Some(Invocation {
                name: "assignment".to_owned(),
                target,
                actuals: operands.to_vec(),
                passed: None,
                overriding: Vec::new(),
            }));
        }
        if let Type::Record(record) = ty {
            if let Some(call) = self.bound_assignment(target, value, record)? {
                return Ok(Some(call));
            }
            if self.assigns_by_parts(record, 0) {
                return refuse("a component's type has an assignment of its own");
            }
        }
        if let Type::Record(given) = self.element_type(value)? {
            return self.bound_assignment(target, value, given);
        }
        Ok(None)
    }

    fn bound_assignment(
        &mut self,
        target: Syn,
        value: Syn,
        record: RecordId,
    ) -> Fallible<Option<Invocation>> {
        let program = self.program;
        let operands = [target.node, value.node];
        for name in program.generic_binding(record, ASSIGNMENT) {
            let Some(found) = program.binding(record, &name) else {
                continue;
            };
            let Bound::Procedure {
                target: procedure,
                passed,
                ..
            } = &found.binding.what
            else {
                continue;
            };
            let Some(procedure) = program.procedure_named(found.scope, procedure) else {
                continue;
            };
            if *passed == Passed::Not {
                continue;
            }
            if let Some(callee) = self.fitting_one(&[procedure], target, &operands, None)? {
                if self.is_polymorphic(target)? {
                    self.refuse_dispatch(record, &found)?;
                }
                return Ok(Some(Invocation {
                    name: "assignment".to_owned(),
                    target: callee,
                    actuals: operands.to_vec(),
                    passed: None,
                    overriding: Vec::new(),
                }));
            }
        }
        Ok(None)
    }

    /// Whether assigning a record calls a procedure for one of its components.
    fn assigns_by_parts(&self, record: RecordId, depth: u32) -> bool {
        self.components(record).iter().any(|component| {
            matches!(component.ty, Type::Record(inner) if component.allocation != Allocation::Pointer
                && depth < 40
                && (!self.program.generic_binding(inner, ASSIGNMENT).is_empty()
                    || self.assigns_by_parts(inner, depth + 1)))
        })
    }
}

/// `null()`
fn is_null(e: Syn) -> bool {
    match e.tree.syntax(e.node) {
        Syntax::Apply(base, _) => e.tree.text(*base) == "null",
        Syntax::Unsupported(_) => e.tree.text(e.node).starts_with("null("),
        _ => false,
    }
}
