//! ALLOCATE, DEALLOCATE, NULLIFY, and pointer assignment.

use super::array::Place;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax, Tree};
use crate::syntax::scan::find_top;
use crate::view::Slice;
use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Extent, PointerBounds, RecordId, Selector, Stmt, Type,
};

impl Lowerer<'_> {
    pub(super) fn allocate(&mut self, list: Slice) -> Fallible<()> {
        let (stated, list) = self.stated_type(list);
        let tree = self.parse(&[list])?;
        let (mut status, mut source, mut mold) = (None, None, None);
        let mut objects = Vec::new();
        for &node in tree.roots(0) {
            match tree.syntax(node) {
                Syntax::Keyword(name, value) => match tree.statement.part(*name) {
                    "stat" => status = Some(*value),
                    "errmsg" => {}
                    "source" => {
                        source = Some(Syn {
                            tree: &tree,
                            node: *value,
                        })
                    }
                    "mold" => {
                        mold = Some(Syn {
                            tree: &tree,
                            node: *value,
                        })
                    }
                    _ => return refuse("ALLOCATE with an unknown keyword"),
                },
                _ => objects.push(node),
            }
        }
        if let [node] = objects[..]
            && let Some(object) = self.class_component(Syn { tree: &tree, node })?
        {
            let e = Syn { tree: &tree, node };
            let Type::Record(declared) = self.designator_type(e)? else {
                return refuse("an object of no type");
            };
            let stated = match stated {
                Some(stated) => {
                    let name = self.statement_at(self.statement).part(stated).to_owned();
                    Some(self.declared_record(&name)?)
                }
                None => None,
            };
            self.allocate_variant(object, declared, stated, source, mold)?;
            return self.succeed(&tree, status);
        }
        if let Some(stated) = stated {
            for &node in &objects {
                let object = match tree.syntax(node) {
                    Syntax::Apply(base, _) => *base,
                    _ => node,
                };
                self.is_of_stated_type(
                    Syn {
                        tree: &tree,
                        node: object,
                    },
                    stated,
                )?;
            }
        }
        let outer = self.hoisted.clone();
        let mut result = Ok(());
        if let Some(e) = source {
            result = self.hoist(e);
        }
        for node in objects {
            result = result.and_then(|()| self.allocate_one(&tree, node, source, source.or(mold)));
        }
        self.hoisted = outer;
        result?;
        self.succeed(&tree, status)
    }

    /// Sees that an allocated record is copied from its source as an assignment does it, without
    /// memory of its own.
    fn is_copied_plainly(
        &mut self,
        object: Syn,
        record: RecordId,
        source: Option<Syn>,
    ) -> Fallible<()> {
        if self.is_polymorphic(object)? {
            return refuse("an object of a type known at run time only is allocated");
        }
        let Some(source) = source else {
            return Ok(());
        };
        let is_place = matches!(
            source.tree.syntax(source.node),
            Syntax::Name | Syntax::Member(..) | Syntax::Apply(..)
        );
        if !is_place
            || self.is_polymorphic(source)?
            || self.designator_type(source)? != Type::Record(record)
            || !self.is_flat(record, 0)
        {
            return refuse("ALLOCATE of a record with a SOURCE that is no plain record");
        }
        Ok(())
    }

    /// Takes `type ::` off the list of an ALLOCATE statement.
    fn stated_type(&self, list: Slice) -> (Option<Slice>, Slice) {
        let bytes = self.statement_at(self.statement).text.as_bytes();
        match find_top(bytes, list, |text, at| text[at..].starts_with(b"::")) {
            Some(at) => (
                Some(Slice {
                    end: at as u32,
                    ..list
                }),
                Slice {
                    start: at as u32 + 2,
                    ..list
                },
            ),
            None => (None, list),
        }
    }

    /// Sees that what is allocated has the type that is stated for it: the one of its declaration.
    fn is_of_stated_type(&mut self, object: Syn, stated: Slice) -> Fallible<()> {
        let text = self.statement_at(self.statement).part(stated).to_owned();
        match self.designator_type(object)? {
            Type::Record(record) => {
                if self.is_polymorphic(object)? {
                    return refuse("an object of a type known at run time only is allocated");
                }
                let name = text.split('(').next().unwrap_or("");
                if self.declared_record(name)? != record {
                    return refuse("what is allocated has another type");
                }
                Ok(())
            }
            ty if ty.is_numeric() || matches!(ty, Type::Logical { .. }) => Ok(()),
            _ => refuse("a string of a length that is stated where it is allocated"),
        }
    }

    fn allocate_one(
        &mut self,
        tree: &Tree,
        node: NodeId,
        source: Option<Syn>,
        model: Option<Syn>,
    ) -> Fallible<()> {
        let (object, dims) = match tree.syntax(node) {
            Syntax::Apply(base, dims) => (Syn { tree, node: *base }, dims.as_slice()),
            _ => (Syn { tree, node }, [].as_slice()),
        };
        let target = self.allocated(object)?;
        let rank = self.rank(object)?;
        if model.is_some() {
            let ty = self.designator_type(object)?;
            match ty {
                Type::Record(record) => self.is_copied_plainly(object, record, source)?,
                _ if ty.is_numeric() || matches!(ty, Type::Logical { .. }) => {}
                _ => return refuse("ALLOCATE of a string with SOURCE or MOLD"),
            }
        }
        let shape = match model {
            Some(model) if dims.is_empty() && rank > 0 => self.shape_of_source(model)?,
            _ => self.allocated_shape(tree, dims)?,
        };
        self.emit(Stmt::Allocate {
            target,
            shape,
            zeroed: false,
        });
        match source {
            Some(source) => self.fill_from_source(object, source),
            None => Ok(()),
        }
    }

    fn allocated(&mut self, e: Syn) -> Fallible<Access> {
        let place = self.place(e, &[])?;
        if matches!(place.access.path.last(), Some(Selector::Index(_))) {
            return refuse("an element is allocated");
        }
        Ok(place.access)
    }

    fn allocated_shape(
        &mut self,
        tree: &Tree,
        dims: &[NodeId],
    ) -> Fallible<Vec<(Option<ExprId>, ExprId)>> {
        dims.iter()
            .map(|&node| match *tree.syntax(node) {
                Syntax::Range(Some(lower), Some(upper), None) => {
                    let lower = self.integer(Syn { tree, node: lower })?;
                    let upper = self.integer(Syn { tree, node: upper })?;
                    Ok((Some(lower), self.extent_between(lower, upper)))
                }
                Syntax::Range(..) => refuse("ALLOCATE with an open range"),
                _ => Ok((None, self.integer(Syn { tree, node })?)),
            })
            .collect()
    }

    /// Sets a status variable to zero: what the IR allocates is there.
    fn succeed(&mut self, tree: &Tree, status: Option<NodeId>) -> Fallible<()> {
        let Some(node) = status else {
            return Ok(());
        };
        let place = self.place(Syn { tree, node }, &[])?;
        if !place.ty.is_integer() {
            return refuse("a status that is no integer");
        }
        let zero = self.build().zero(place.ty);
        let assigned = self.build().assign(place.access, zero);
        self.out.push(assigned);
        Ok(())
    }

    pub(super) fn deallocate(&mut self, list: Slice) -> Fallible<()> {
        let tree = self.parse(&[list])?;
        let mut status = None;
        for &node in tree.roots(0) {
            if let Syntax::Keyword(name, value) = tree.syntax(node) {
                if tree.statement.part(*name) == "stat" {
                    status = Some(*value);
                }
                continue;
            }
            let target = self.allocated(Syn { tree: &tree, node })?;
            self.emit(Stmt::Free { target });
        }
        self.succeed(&tree, status)
    }

    pub(super) fn nullify(&mut self, list: Slice) -> Fallible<()> {
        let tree = self.parse(&[list])?;
        for &node in tree.roots(0) {
            if self.procedure_pointed(tree.text(node), "null()")? {
                continue;
            }
            let target = self.allocated(Syn { tree: &tree, node })?;
            self.emit(Stmt::PointerAssign {
                target,
                value: None,
                is_pointer: false,
                offset: None,
                bounds: Vec::new(),
            });
        }
        Ok(())
    }

    /// `target => value`
    pub(super) fn pointer_assignment(&mut self, target: Slice, value: Slice) -> Fallible<()> {
        let tree = self.parse(&[target, value])?;
        let pointer = self.only(&tree, 0)?;
        let source = self.only(&tree, 1)?;
        let (name, value) = (tree.text(pointer.node), tree.text(source.node));
        if self.procedure_pointed(name, value)? {
            return Ok(());
        }
        let place = self.place(pointer, &[])?;
        if let Some(Selector::Index(bounds)) = place.access.path.last().cloned() {
            return self.bounded_assignment(pointer, place, &bounds, source);
        }
        if place.ty == Type::Procedure {
            return refuse("a procedure pointer");
        }
        let target = place.access;
        if let Syntax::Apply(base, _) = tree.syntax(source.node)
            && tree.text(*base) == "null"
        {
            self.emit(Stmt::PointerAssign {
                target,
                value: None,
                is_pointer: false,
                offset: None,
                bounds: Vec::new(),
            });
            return Ok(());
        }
        if self.pointed_by_function(&target, place.ty, Vec::new(), source)? {
            return Ok(());
        }
        let value = self.place(source, &[])?;
        if value.ty != place.ty {
            return refuse("a pointer to another type");
        }
        let is_pointer = value.access.path.is_empty()
            && self.variable(value.access.var).allocation == Allocation::Pointer;
        self.emit(Stmt::PointerAssign {
            target,
            value: Some(value.access),
            is_pointer,
            offset: None,
            bounds: Vec::new(),
        });
        Ok(())
    }

    /// `p(lower:, ...) => value` and `p(lower:upper, ...) => value`
    fn bounded_assignment(
        &mut self,
        stated: Syn,
        pointer: Place,
        subscripts: &[ExprId],
        source: Syn,
    ) -> Fallible<()> {
        let bounds = self.stated_bounds(stated, subscripts)?;
        let mut target = pointer.access;
        target.path.pop();
        let sets_uppers = bounds.iter().any(|(_, upper)| upper.is_some());
        if !sets_uppers && self.pointed_by_function(&target, pointer.ty, bounds.clone(), source)? {
            return Ok(());
        }
        let value = self.place(source, &[])?;
        if value.ty != pointer.ty {
            return refuse("a pointer to another type");
        }
        if !sets_uppers && value.rank != bounds.len() {
            return refuse("a pointer of another rank");
        }
        if sets_uppers && value.rank != 1 && !self.is_in_one_piece(&value) {
            return refuse("a pointer that shows what may have gaps in another shape");
        }
        let is_pointer = value.access.path.is_empty()
            && self.variable(value.access.var).allocation == Allocation::Pointer;
        self.emit(Stmt::PointerAssign {
            target,
            value: Some(value.access),
            is_pointer,
            offset: None,
            bounds,
        });
        Ok(())
    }

    fn stated_bounds(&mut self, stated: Syn, subscripts: &[ExprId]) -> Fallible<PointerBounds> {
        let Syntax::Apply(_, nodes) = stated.tree.syntax(stated.node) else {
            return refuse("an element that is associated");
        };
        let mut bounds = PointerBounds::new();
        for (&subscript, &node) in subscripts.iter().zip(nodes) {
            let (Syntax::Range(Some(_), _, None), &Expr::Range { lower, upper, .. }) =
                (stated.tree.syntax(node), self.procedure.expr(subscript))
            else {
                return refuse("an element that is associated");
            };
            let Some(lower) = lower else {
                return refuse("a bound that is not understood");
            };
            bounds.push((lower, upper));
        }
        let uppers = bounds.iter().filter(|(_, upper)| upper.is_some()).count();
        match uppers == 0 || uppers == bounds.len() {
            true => Ok(bounds),
            false => refuse("a pointer assignment with upper bounds of some dimensions only"),
        }
    }

    /// Whether an array of several dimensions certainly has no gaps: a whole one that its declaration or
    /// ALLOCATE made. (Shadows are not declared CONTIGUOUS.)
    fn is_in_one_piece(&self, value: &Place) -> bool {
        let is_whole = value.is_whole && self.sections(&value.access).is_empty();
        is_whole
            && self.allocation_of(&value.access) != Allocation::Pointer
            && (!value.access.path.is_empty()
                || self
                    .variable(value.access.var)
                    .shape
                    .iter()
                    .all(|dim| dim.extent != Extent::Assumed))
    }
}
