//! Objects whose type is known at run time only: SELECT TYPE, and calls of bound procedures that
//! extensions of a type replace.
//!
//! An object is seen as one of the types that it may be of through a *view*, an overlay of its
//! variable; that the view is present is the condition of what is done with it. All types that extend
//! another are taken to be in the program.

use super::array::Place;
use super::associate::Names;
use super::invoke::Invocation;
use super::{Element, Fallible, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::syntax::blocks::{Arm, Construct};
use crate::syntax::scan::closing;
use crate::view::Slice;
use contraflow_ir::{
    Access, Allocation, Argument, Block, Expr, ExprId, RecordId, Stmt, Storage, Type, VarId,
    Variable,
};

/// What a type guard asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// `TYPE IS (t)`
    Exactly(RecordId),
    /// `CLASS IS (t)`
    Extending(RecordId),
    /// `CLASS DEFAULT`
    Default,
}

impl Lowerer<'_> {
    /// Emits a call; where its procedure depends on the type of the object, one for each type.
    pub(super) fn emit_call(
        &mut self,
        e: Syn,
        call: &Invocation,
        at: &Element,
        result: Option<Access>,
    ) -> Fallible<()> {
        let object = call.passed.filter(|_| !call.overriding.is_empty());
        let Some((_, node)) = object else {
            if !call.overriding.is_empty() {
                return refuse("which procedure is called depends on an object that is not passed");
            }
            let mut arguments = self.arguments(e, call, at)?;
            let mut result = result;
            if self.takes_memory(&call.target) {
                let Some(memory) = result.take() else {
                    return refuse("what a function gives goes nowhere");
                };
                arguments.push(Argument::Place(memory));
            }
            self.emit(Stmt::Call {
                callee: call.target.callee.clone(),
                arguments,
                result,
            });
            return Ok(());
        };
        let object = Syn { tree: e.tree, node };
        let base = self.viewable(object)?;
        let name = e.tree.text(node).to_owned();
        let mut arms = Vec::new();
        for (record, target) in &call.overriding {
            let view = self.view(base, *record, true);
            let chosen = Invocation {
                target: target.clone(),
                overriding: Vec::new(),
                ..call.clone()
            };
            let names = self.names_for(&name, view);
            self.associations.push(names);
            let block = self.block(|lowerer| lowerer.emit_call(e, &chosen, at, result.clone()));
            self.associations.pop();
            arms.push((view, block?.0));
        }
        let has_own = self.has_body(&call.target);
        let (mut otherwise, ()) = self.block(|lowerer| {
            if !has_own {
                return Ok(());
            }
            let own = Invocation {
                overriding: Vec::new(),
                ..call.clone()
            };
            lowerer.emit_call(e, &own, at, result.clone())
        })?;
        for (view, block) in arms.into_iter().rev() {
            otherwise = vec![self.if_there(view, block, otherwise)];
        }
        self.out.extend(otherwise);
        Ok(())
    }

    fn has_body(&self, target: &super::invoke::Target) -> bool {
        target
            .scope
            .is_none_or(|scope| !self.program.scopes[scope].is_interface)
    }

    pub(super) fn if_there(
        &mut self,
        view: VarId,
        then: Block,
        otherwise: Block,
    ) -> contraflow_ir::StmtId {
        let there = self.is_there(view);
        self.build().if_else(there, then, otherwise)
    }

    fn is_there(&mut self, view: VarId) -> ExprId {
        self.add(Expr::Present(Access::whole(view)), Type::LOGICAL)
    }

    fn names_for(&self, name: &str, view: VarId) -> Names {
        let ty = self.variable(view).ty;
        let place = Place::of(Access::whole(view), ty, 0);
        Names::from([(name.to_owned(), Some(place))])
    }

    /// The variable of an object that may be seen as other types: one whose type stays what it is
    /// while the procedure runs.
    pub(super) fn viewable(&mut self, e: Syn) -> Fallible<VarId> {
        let place = self.place(e, &[])?;
        let mut base = place.access.var;
        while let Some(viewed) = self.procedure.viewed(base) {
            base = viewed;
        }
        let variable = self.variable(base);
        let is_plain = place.access.path.is_empty()
            && variable.shape.is_empty()
            && variable.allocation == Allocation::Fixed
            && matches!(variable.storage, Storage::Argument { .. });
        if *e.tree.syntax(e.node) != Syntax::Name || !is_plain || !variable.polymorphic {
            return refuse("an object of a type known at run time only that is no plain argument");
        }
        if variable.optional {
            return refuse("an optional object of a type known at run time only");
        }
        Ok(base)
    }

    /// The view of an object as a type.
    pub(super) fn view(&mut self, base: VarId, record: RecordId, may_extend: bool) -> VarId {
        let key = (base, record, may_extend);
        if let Some(&view) = self.views.get(&key) {
            return view;
        }
        let object = self.variable(base);
        let ty = &self.module.records[record].name;
        let name = format!("{}_{}", object.name, ty).to_ascii_lowercase();
        let mut view = Variable::scalar(name.clone(), Type::Record(record));
        view.span = object.span;
        view.storage = Storage::Overlay { base, offset: 0 };
        view.polymorphic = may_extend;
        view.aliasing = object.aliasing;
        let view = self.generate(&name, view);
        self.views.insert(key, view);
        view
    }

    /// `SELECT TYPE (object)`
    pub(super) fn select_type(&mut self, construct: &Construct) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let (name, selector) = self.type_selector(head)?;
        let object = self.statement_at(head).part(selector).to_owned();
        if self.objects.contains_key(&object) {
            return self.select_object(construct, &name, &object);
        }
        let tree = self.parse(&[selector])?;
        let object = self.only(&tree, 0)?;
        if let Some((holder, variants)) = self.class_component(object)? {
            return self.select_component(construct, &name, holder, variants);
        }
        let base = self.viewable(object)?;
        let mut arms = Vec::new();
        for arm in &construct.arms[1..] {
            arms.push((self.guard(arm.head)?, arm));
        }
        // The guard that fits best is chosen, wherever it stands.
        arms.sort_by_key(|(guard, _)| match guard {
            Guard::Exactly(_) => (0, 0),
            Guard::Extending(record) => (1, self.program.family(*record).len()),
            Guard::Default => (2, 0),
        });
        let label = self.construct_name(construct);
        let mut result = Ok(());
        let body = self.enclosed(label, false, true, |lowerer| {
            let mut chain: Vec<(Option<VarId>, Block)> = Vec::new();
            for (guard, arm) in arms {
                let view = match guard {
                    Guard::Exactly(record) => Some(lowerer.view(base, record, false)),
                    Guard::Extending(record) => Some(lowerer.view(base, record, true)),
                    Guard::Default => None,
                };
                let names = match view {
                    Some(view) => lowerer.names_for(&name, view),
                    None => lowerer.names_for(&name, base),
                };
                lowerer.local_names.push([name.clone()].into());
                lowerer.associations.push(names);
                let block = lowerer.body_of(&arm.body);
                lowerer.associations.pop();
                lowerer.local_names.pop();
                if let Err(refusal) = lowerer.still_quotable() {
                    result = Err(refusal);
                }
                chain.push((view, block));
            }
            let mut otherwise = Vec::new();
            for (view, block) in chain.into_iter().rev() {
                otherwise = match view {
                    Some(view) => vec![lowerer.if_there(view, block, otherwise)],
                    None => block,
                };
            }
            lowerer.out.extend(otherwise);
        });
        result?;
        self.labelled(body.exit, body.block);
        Ok(())
    }

    /// The same for an object that is taken apart: the arm is known for each of its types.
    fn select_object(&mut self, construct: &Construct, name: &str, object: &str) -> Fallible<()> {
        if construct
            .arms
            .iter()
            .skip(1)
            .any(|arm| !self.objects_in(arm.head).is_empty())
        {
            return refuse("a type guard that names an object");
        }
        let arms = self.guards(construct)?;
        let label = self.construct_name(construct);
        let mut result = Ok(());
        let body = self.enclosed(label, false, true, |lowerer| {
            result = lowerer.for_each_type(object, &mut |lowerer, record| {
                let place = lowerer
                    .association(object)
                    .map(|place| place.access.clone());
                let Some(access) = place else {
                    return refuse("no object");
                };
                let place = Place::of(access, Type::Record(record), 0);
                lowerer.chosen_arm(&arms, name, record, place);
                Ok(())
            });
        });
        result?;
        self.labelled(body.exit, body.block);
        Ok(())
    }

    /// The arms of a construct with what they ask.
    pub(super) fn guards<'c>(&self, construct: &'c Construct) -> Fallible<Vec<(Guard, &'c Arm)>> {
        let arms = construct.arms[1..].iter();
        arms.map(|arm| Ok((self.guard(arm.head)?, arm))).collect()
    }

    /// Emits the arm that an object of a type chooses, in which a name stands for the object.
    pub(super) fn chosen_arm(
        &mut self,
        arms: &[(Guard, &Arm)],
        name: &str,
        record: RecordId,
        place: Place,
    ) {
        let program = self.program;
        let fitting = arms.iter().filter_map(|(guard, arm)| {
            let distance = match guard {
                Guard::Exactly(exact) => (*exact == record).then_some(0)?,
                Guard::Extending(other) => 1 + program.generations(record, *other)?,
                Guard::Default => u32::MAX,
            };
            Some((distance, arm))
        });
        let Some((_, arm)) = fitting.min_by_key(|(distance, _)| *distance) else {
            return;
        };
        let names = Names::from([(name.to_owned(), Some(place))]);
        self.associations.push(names);
        let block = self.body_of(&arm.body);
        self.associations.pop();
        self.out.extend(block);
    }

    /// The name that stands for the object in the arms, and the object.
    fn type_selector(&self, head: usize) -> Fallible<(String, Slice)> {
        const WORD: &str = "selecttype(";
        let statement = self.statement_at(head);
        let Some(at) = statement.text.find(WORD) else {
            return refuse("SELECT RANK");
        };
        let open = at + WORD.len() - 1;
        let Some(close) = closing(statement.text.as_bytes(), open) else {
            return refuse("SELECT TYPE without a selector");
        };
        let inside = Slice::new(open + 1, close);
        let text = statement.part(inside);
        match text.split_once("=>") {
            Some((name, _)) => {
                let start = open + 1 + name.len() + 2;
                Ok((name.to_owned(), Slice::new(start, close)))
            }
            None => Ok((text.to_owned(), inside)),
        }
    }

    fn guard(&self, head: usize) -> Fallible<Guard> {
        let text = &self.statement_at(head).text;
        if text.contains("classdefault") {
            return Ok(Guard::Default);
        }
        let named = |word: &str| {
            let start = text.find(word)? + word.len();
            text[start..].split(')').next().map(str::to_owned)
        };
        if let Some(name) = named("typeis(") {
            return self.declared_record(&name).map(Guard::Exactly);
        }
        if let Some(name) = named("classis(") {
            return self.declared_record(&name).map(Guard::Extending);
        }
        refuse("a guard that names no type")
    }
}
