//! CLASS components: objects inside of records whose type is known at run time only.
//!
//! An allocatable component of CLASS is one allocatable component for each type that it may be of
//! ([`Field::variant_of`](contraflow_ir::Field)); at most one of them has memory. A statement that
//! names the object is lowered once for each of them, under the condition that it has memory; what
//! depends on the type is known there. All types that extend another are taken to be in the program.

use super::array::Place;
use super::associate::Names;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::scope::ScopeId;
use crate::syntax::Kind;
use crate::syntax::blocks::Construct;
use contraflow_ir::{Access, BinaryOp, Block, Expr, ExprId, RecordId, Selector, Stmt, Type, VarId};

/// A component for each type that an object may be of.
pub(super) type Variants = Vec<(RecordId, u32)>;

/// A name whose meaning a statement needs to know: an object, or a procedure pointer.
#[derive(Clone)]
pub(super) struct Wanted {
    /// Its designator.
    key: String,
    cases: Vec<Case>,
    /// What is wrong if it is none of them.
    otherwise: &'static str,
}

/// What a name means under a condition.
#[derive(Clone)]
pub(super) struct Case {
    pub condition: ExprId,
    pub meaning: Meaning,
}

/// What a name may mean.
#[derive(Clone)]
pub(super) enum Meaning {
    /// An object of a type.
    Object(RecordId, Place),
    /// A procedure.
    Procedure(ScopeId),
}

const NO_OBJECT: &str = "an object is used that is not allocated";

/// What there was before a statement: variables and counters that are younger mean something inside
/// of it only.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    variables: usize,
    counters: usize,
}

fn variant_of(holder: &Access, variant: u32) -> Access {
    let mut place = holder.clone();
    place.path.push(Selector::Field(variant));
    place
}

impl Lowerer<'_> {
    /// The way to the record that has a component of CLASS, and the components that stand for it.
    pub(super) fn variants(
        &self,
        record: RecordId,
        name: &str,
    ) -> Option<(Vec<Selector>, Variants)> {
        let mut path = Vec::new();
        let mut at = record;
        for _ in 0..20 {
            let fields = &self.module.records[at].fields;
            let declared = fields
                .iter()
                .position(|field| field.name.eq_ignore_ascii_case(name));
            if let Some(declared) = declared {
                let variants: Variants = (0u32..)
                    .zip(fields)
                    .filter(|(_, field)| field.variant_of == Some(declared as u32))
                    .filter_map(|(index, field)| match field.ty {
                        Type::Record(record) => Some((record, index)),
                        _ => None,
                    })
                    .collect();
                return (!variants.is_empty()).then_some((path, variants));
            }
            at = self.program.parent_of(at)?;
            path.push(Selector::Field(0));
        }
        None
    }

    /// The type that a component of CLASS is declared with.
    pub(super) fn declared_class(&self, record: RecordId, name: &str) -> Option<RecordId> {
        let (path, _) = self.variants(record, name)?;
        let mut at = record;
        for _ in path {
            at = self.program.parent_of(at)?;
        }
        let (scope, derived) = self.program.derived(at)?;
        let is_meant = |c: &&crate::declare::scope::Symbol| c.name.eq_ignore_ascii_case(name);
        let component = derived.components.iter().find(is_meant)?;
        match self
            .program
            .resolve_type(scope, component.ty.as_ref()?, 0)?
        {
            Type::Record(declared) => Some(declared),
            _ => None,
        }
    }

    /// Refuses types that the procedure cannot name, and its derivative neither.
    pub(super) fn refuse_later_type(&self, record: RecordId) -> Fallible<()> {
        let declared = self.program.types.get(&record).map(|ty| ty.0);
        if declared.is_some_and(|scope| self.program.uses(scope, self.home)) {
            let name = &self.module.records[record].name;
            return refuse(format!(
                "an object may be of type `{name}`, whose module comes after this one: move this procedure to a module that may use it"
            ));
        }
        Ok(())
    }

    /// Notes that a statement cannot be lowered without the type of an object.
    pub(super) fn want<T>(
        &mut self,
        key: &str,
        base: &Access,
        (path, variants): (Vec<Selector>, Variants),
    ) -> Fallible<T> {
        for &(record, _) in &variants {
            self.refuse_later_type(record)?;
        }
        let mut holder = base.clone();
        holder.path.extend(path);
        let reads: Vec<VarId> = holder
            .expressions()
            .flat_map(|e| self.procedure.reads_of_expr(e))
            .map(|read| read.var)
            .collect();
        let mark = self.mark;
        let is_inner = |var: &VarId| {
            var.index() >= mark.variables
                || self
                    .counters
                    .get(mark.counters..)
                    .is_some_and(|inner| inner.contains(var))
        };
        if reads.iter().any(is_inner) {
            return refuse(
                "an object of a type known at run time only in an element whose subscript is computed",
            );
        }
        let cases = self.cases(&holder, &variants);
        self.want_case(key, cases, NO_OBJECT)
    }

    /// The objects that a component of CLASS may be.
    fn cases(&mut self, holder: &Access, variants: &Variants) -> Vec<Case> {
        variants
            .iter()
            .map(|&(record, variant)| {
                let access = variant_of(holder, variant);
                let place = Place::of(access.clone(), Type::Record(record), 0);
                Case {
                    condition: self.add(Expr::Present(access), Type::LOGICAL),
                    meaning: Meaning::Object(record, place),
                }
            })
            .collect()
    }

    /// Notes that a statement cannot be lowered without knowing what a name means.
    pub(super) fn want_case<T>(
        &mut self,
        key: &str,
        cases: Vec<Case>,
        otherwise: &'static str,
    ) -> Fallible<T> {
        self.wanted = Some(Wanted {
            key: key.to_owned(),
            cases,
            otherwise,
        });
        refuse(match otherwise {
            NO_OBJECT => "an object of a type known at run time only",
            _ => "a procedure pointer",
        })
    }

    /// What `f` emits; where it needs the type of a component, once for each type.
    pub(super) fn by_component_types(
        &mut self,
        f: &mut dyn FnMut(&mut Self) -> Fallible<()>,
    ) -> Fallible<()> {
        let outer = self.mark;
        self.mark = Mark {
            variables: self.procedure.variables.len(),
            counters: self.counters.len(),
        };
        let (emitted, hoisted) = (self.out.len(), self.hoisted.clone());
        let (substitutions, scope) = (self.substitutions.len(), self.scope);
        self.wanted = None;
        let mut result = f(self);
        let (mark, wanted) = (self.mark, self.wanted.take());
        self.mark = outer;
        if result.is_err()
            && let Some(wanted) = wanted
        {
            self.out.truncate(emitted);
            self.counters.truncate(mark.counters);
            self.substitutions.truncate(substitutions);
            self.hoisted = hoisted;
            self.scope = scope;
            result = self.for_each_variant(&wanted, f);
        }
        result
    }

    /// The same for a value.
    pub(super) fn value_by_component_types(
        &mut self,
        f: &mut dyn FnMut(&mut Self) -> Fallible<ExprId>,
    ) -> Fallible<ExprId> {
        let (mut value, mut target): (Option<ExprId>, Option<VarId>) = (None, None);
        let depth = self.told_apart;
        self.by_component_types(&mut |lowerer| {
            let found = f(lowerer)?;
            if lowerer.told_apart == depth {
                value = Some(found);
                return Ok(());
            }
            let ty = lowerer.type_of(found);
            let var = *target.get_or_insert_with(|| lowerer.temporary("object_value", ty));
            if lowerer.variable(var).ty != ty {
                return refuse("a value whose type depends on that of an object");
            }
            let told = lowerer.build().assign(Access::whole(var), found);
            lowerer.out.push(told);
            Ok(())
        })?;
        match (target, value) {
            (Some(var), _) => Ok(self.load(var)),
            (None, Some(value)) => Ok(value),
            (None, None) => refuse("a value that depends on an object"),
        }
    }

    fn for_each_variant(
        &mut self,
        wanted: &Wanted,
        f: &mut dyn FnMut(&mut Self) -> Fallible<()>,
    ) -> Fallible<()> {
        self.refuse_whole_changes(&wanted.key)?;
        self.over_cases(wanted, &mut |lowerer, meaning| {
            let pointed = lowerer.pointed.len();
            match meaning {
                Meaning::Object(_, place) => {
                    let names = Names::from([(wanted.key.clone(), Some(place.clone()))]);
                    lowerer.associations.push(names);
                }
                Meaning::Procedure(scope) => lowerer.pointed.push((wanted.key.clone(), *scope)),
            }
            lowerer.invocations.clear();
            lowerer.told_apart += 1;
            let result = lowerer.by_component_types(f);
            lowerer.told_apart -= 1;
            lowerer.pointed.truncate(pointed);
            if let Meaning::Object(..) = meaning {
                lowerer.associations.pop();
            }
            lowerer.invocations.clear();
            result
        })
    }

    /// `f` for each meaning under its condition.
    fn over_cases(
        &mut self,
        wanted: &Wanted,
        f: &mut dyn FnMut(&mut Self, &Meaning) -> Fallible<()>,
    ) -> Fallible<()> {
        let mut arms: Vec<(ExprId, Block)> = Vec::new();
        for case in &wanted.cases {
            let outer = std::mem::take(&mut self.to_free);
            let block = self.block(|lowerer| {
                f(lowerer, &case.meaning)?;
                lowerer.release();
                Ok(())
            });
            self.to_free = outer;
            arms.push((case.condition, block?.0));
        }
        let stop = self.build().stmt(Stmt::Opaque {
            text: format!("error stop '{}'", wanted.otherwise),
            kind: "stop",
            reads: Vec::new(),
            writes: Vec::new(),
            terminates: true,
        });
        let mut otherwise = vec![stop];
        for (condition, block) in arms.into_iter().rev() {
            otherwise = vec![self.build().if_else(condition, block, otherwise)];
        }
        self.out.extend(otherwise);
        Ok(())
    }

    /// Statements that may change which type an object has are no statements about an object of one.
    fn refuse_whole_changes(&self, key: &str) -> Fallible<()> {
        let text = &self.statement_at(self.statement).text;
        let target = match self.kind_at(self.statement) {
            Kind::Assignment { target, .. } => text.get(target.range()),
            Kind::If { action, .. } => match action.as_ref() {
                Kind::Assignment { target, .. } => text.get(target.range()),
                _ => None,
            },
            _ => None,
        };
        if target == Some(key) {
            return refuse(
                "an object of a type known at run time only is assigned to as a whole: allocate it with SOURCE",
            );
        }
        if text.contains("move_alloc(") {
            return refuse("an object of a type known at run time only is moved");
        }
        Ok(())
    }

    /// A component of CLASS that is named where its type is not known: the record that it is in, and
    /// the components that stand for it.
    pub(super) fn class_component(&mut self, e: Syn) -> Fallible<Option<(Access, Variants)>> {
        let Syntax::Member(base, name) = e.tree.syntax(e.node) else {
            return Ok(None);
        };
        if self.association(e.tree.text(e.node)).is_some() {
            return Ok(None);
        }
        let base = Syn {
            tree: e.tree,
            node: *base,
        };
        let Type::Record(record) = self.designator_type(base)? else {
            return Ok(None);
        };
        let Some((path, variants)) = self.variants(record, e.tree.statement.part(*name)) else {
            return Ok(None);
        };
        for &(record, _) in &variants {
            self.refuse_later_type(record)?;
        }
        let mut holder = self.place(base, &[])?.access;
        holder.path.extend(path);
        Ok(Some((holder, variants)))
    }

    /// `allocated(object)`
    pub(super) fn is_any_variant(&mut self, holder: &Access, variants: &Variants) -> ExprId {
        let mut any: Option<ExprId> = None;
        for &(_, variant) in variants {
            let place = variant_of(holder, variant);
            let there = self.add(Expr::Present(place), Type::LOGICAL);
            any = Some(match any {
                None => there,
                Some(before) => {
                    let either = Expr::Binary(BinaryOp::Or, before, there);
                    self.add(either, Type::LOGICAL)
                }
            });
        }
        any.unwrap_or_else(|| self.build().logical(false))
    }

    /// `allocate (stated :: object)`, `allocate (object, source=value)`, `allocate (object)`
    pub(super) fn allocate_variant(
        &mut self,
        (holder, variants): (Access, Variants),
        declared: RecordId,
        stated: Option<RecordId>,
        source: Option<Syn>,
        mold: Option<Syn>,
    ) -> Fallible<()> {
        if let Some(stated) = stated {
            return self.allocate_as(&holder, &variants, stated, None);
        }
        let Some(model) = source.or(mold) else {
            return self.allocate_as(&holder, &variants, declared, None);
        };
        let Type::Record(record) = self.element_type(model)? else {
            return refuse("an object is allocated like something that is none");
        };
        if !self.is_polymorphic(model)? {
            let value = match source {
                Some(source) => Some(self.value(source, &[])?),
                None => None,
            };
            return self.allocate_as(&holder, &variants, record, value);
        }
        let object = self.viewable(model)?;
        let mut otherwise: Block = Vec::new();
        for ty in self.program.family(record).into_iter().rev() {
            if self.module.records[ty].is_abstract {
                continue;
            }
            let view = self.view(object, ty, false);
            let value = source.map(|_| self.load(view));
            let (block, ()) =
                self.block(|lowerer| lowerer.allocate_as(&holder, &variants, ty, value))?;
            otherwise = vec![self.if_there(view, block, otherwise)];
        }
        self.out.extend(otherwise);
        Ok(())
    }

    /// `object = value`: the object is of the value's type then.
    pub(super) fn assign_object(
        &mut self,
        (holder, variants): (Access, Variants),
        value: Syn,
    ) -> Fallible<()> {
        let Type::Record(record) = self.element_type(value)? else {
            return refuse("an object gets a value that is none");
        };
        if self.is_polymorphic(value)? {
            let object = self.viewable(value)?;
            self.release_variants(&holder, &variants);
            debug_assert!(self.variable(object).polymorphic);
            return self.allocate_variant((holder, variants), record, None, Some(value), None);
        }
        if !self.is_flat(record, 0) {
            return refuse("an object that has memory of its own is assigned to as a whole");
        }
        let value = self.value(value, &[])?;
        let copy = self.temporary("object_value", Type::Record(record));
        let kept = self.build().assign(Access::whole(copy), value);
        self.out.push(kept);
        self.release_variants(&holder, &variants);
        let value = self.load(copy);
        self.allocate_as(&holder, &variants, record, Some(value))
    }

    fn release_variants(&mut self, holder: &Access, variants: &Variants) {
        for &(_, variant) in variants {
            let target = variant_of(holder, variant);
            let there = self.add(Expr::Present(target.clone()), Type::LOGICAL);
            let mut b = self.build();
            let free = b.stmt(Stmt::Free { target });
            let released = b.if_else(there, vec![free], Vec::new());
            self.out.push(released);
        }
    }

    fn allocate_as(
        &mut self,
        holder: &Access,
        variants: &Variants,
        record: RecordId,
        value: Option<ExprId>,
    ) -> Fallible<()> {
        let Some(&(_, variant)) = variants.iter().find(|(known, _)| *known == record) else {
            return refuse("an object is allocated as a type that it cannot be of");
        };
        let place = variant_of(holder, variant);
        self.emit(Stmt::Allocate {
            target: place.clone(),
            shape: Vec::new(),
            zeroed: false,
        });
        match value {
            Some(_) if !self.is_flat(record, 0) => {
                refuse("ALLOCATE of a record with a SOURCE that is no plain record")
            }
            Some(value) => {
                let assigned = self.build().assign(place, value);
                self.out.push(assigned);
                Ok(())
            }
            None => self.default_values(record, &place, &[]),
        }
    }

    /// `same_type_as(a, b)` and `extends_type_of(a, b)`.
    pub(super) fn types_compared(&mut self, a: Syn, b: Syn, is_same: bool) -> Fallible<ExprId> {
        let (a, b) = (self.types_of(a)?, self.types_of(b)?);
        let mut any = self.build().logical(false);
        for &(there, one) in &a {
            for &(here, other) in &b {
                let holds = match is_same {
                    true => one == other,
                    false => self.program.generations(one, other).is_some(),
                };
                if holds {
                    let both = self.add(Expr::Binary(BinaryOp::And, there, here), Type::LOGICAL);
                    any = self.add(Expr::Binary(BinaryOp::Or, any, both), Type::LOGICAL);
                }
            }
        }
        Ok(any)
    }

    /// The types that an object may be of, each with the condition that it is.
    fn types_of(&mut self, e: Syn) -> Fallible<Vec<(ExprId, RecordId)>> {
        if let Some((holder, variants)) = self.class_component(e)? {
            let cases = variants.into_iter().map(|(record, variant)| {
                let place = variant_of(&holder, variant);
                (self.add(Expr::Present(place), Type::LOGICAL), record)
            });
            return Ok(cases.collect());
        }
        let Type::Record(record) = self.designator_type(e)? else {
            return refuse("the type of something that is no object");
        };
        if !self.is_polymorphic(e)? {
            return Ok(vec![(self.build().logical(true), record)]);
        }
        let object = self.viewable(e)?;
        let mut cases = Vec::new();
        for ty in self.program.family(record) {
            if !self.module.records[ty].is_abstract {
                // Whether a view is there is a condition of a statement, not a value.
                let view = self.view(object, ty, false);
                let told = self.temporary("is_of_type", Type::LOGICAL);
                let mut b = self.build();
                let (no, yes) = (b.logical(false), b.logical(true));
                let none = b.assign(Access::whole(told), no);
                let found = b.assign(Access::whole(told), yes);
                let asked = self.if_there(view, vec![found], Vec::new());
                self.out.extend([none, asked]);
                cases.push((self.load(told), ty));
            }
        }
        Ok(cases)
    }

    /// Whether a place is a component that stands for an object of one type.
    pub(super) fn is_variant(&self, access: &Access) -> bool {
        let Some(Selector::Field(field)) = access.path.last() else {
            return false;
        };
        let mut holder = access.clone();
        holder.path.pop();
        let found = contraflow_ir::place_of(self.module, &self.procedure, &holder);
        found.is_ok_and(|place| match place.ty {
            Type::Record(record) => {
                let field = self.module.records[record].fields.get(*field as usize);
                field.is_some_and(|field| field.variant_of.is_some())
            }
            _ => false,
        })
    }

    /// `SELECT TYPE (name => component)`: the arm is known for each type.
    pub(super) fn select_component(
        &mut self,
        construct: &Construct,
        name: &str,
        holder: Access,
        variants: Variants,
    ) -> Fallible<()> {
        let arms = self.guards(construct)?;
        let wanted = Wanted {
            key: String::new(),
            cases: self.cases(&holder, &variants),
            otherwise: NO_OBJECT,
        };
        let label = self.construct_name(construct);
        let mut result = Ok(());
        let body = self.enclosed(label, false, true, |lowerer| {
            result = lowerer.over_cases(&wanted, &mut |lowerer, meaning| {
                if let Meaning::Object(record, place) = meaning {
                    lowerer.chosen_arm(&arms, name, *record, place.clone());
                }
                lowerer.still_quotable()
            });
        });
        result?;
        self.labelled(body.exit, body.block);
        Ok(())
    }
}
