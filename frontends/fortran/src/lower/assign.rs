//! Assignments: scalars as they stand, arrays as loop nests with Fortran's meaning (the right-hand
//! side is evaluated before the store), with a temporary only where a dependence demands one.

use super::array::Range;
use super::invoke::Invocation;
use super::{Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax};
use crate::view::Slice;
use contraflow_ir::{
    Access, Aliasing, Allocation, Expr, ExprId, Intrinsic, Selector, Stmt, Type, VarId,
};

/// How a reference to the variable that is assigned to lies against the place assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Overlap {
    /// Each element is read before it is written, in ascending order of the loops.
    Safe,
    /// It may be read after it was written.
    Conflict,
}

impl Lowerer<'_> {
    /// `target = value`
    pub(super) fn assignment(&mut self, target: Slice, value: Slice) -> Fallible<()> {
        let tree = self.parse(&[target, value])?;
        let target = self.only(&tree, 0)?;
        let value = self.only(&tree, 1)?;
        self.assign(target, value)
    }

    pub(super) fn assign(&mut self, target: Syn, value: Syn) -> Fallible<()> {
        let root = self.root(target)?;
        if self.variable(root).is_constant() {
            return refuse("a named constant is assigned to");
        }
        if self.program.defines_operators
            && let Some(call) = self.defined_assignment(target, value)?
        {
            return self.call_assignment(root, target, value, call);
        }
        if let Some(object) = self.class_component(target)? {
            return self.assign_object(object, value);
        }
        if let Syntax::Member(base, name) = *target.tree.syntax(target.node)
            && let Some((part, _)) = {
                let node = base;
                let whole = Syn {
                    tree: target.tree,
                    node,
                };
                self.complex_part(whole, target.tree.statement.part(name))
            }
        {
            let tree = target.tree;
            return self.assign_part(Syn { tree, node: base }, part, value);
        }
        if self.rank(target)? == 0 {
            self.assign_scalar(target, value)
        } else {
            self.assign_array(target, value)
        }
    }

    /// `z%re = value`: `z` is assigned with its other part.
    fn assign_part(&mut self, whole: Syn, part: Intrinsic, value: Syn) -> Fallible<()> {
        if self.rank(whole)? == 0 {
            if self.rank(value)? > 0 {
                return refuse("an array is assigned to a scalar");
            }
            return self.assign_part_at(whole, part, value, &[]);
        }
        let root = self.root(whole)?;
        if self
            .names_below(value)
            .into_iter()
            .any(|var| self.may_overlap(root, var))
        {
            return refuse("parts of complex numbers are assigned from the same numbers");
        }
        let ranges = self.ranges(whole)?;
        let is_one = self.rank(value)? == 0;
        self.hoist(value)?;
        self.nest(&ranges, |lowerer, at| {
            let place = lowerer.place(whole, at)?;
            let value = lowerer.value(value, if is_one { &[] } else { at })?;
            lowerer.store_part(place, part, value)
        })
    }

    fn assign_part_at(
        &mut self,
        whole: Syn,
        part: Intrinsic,
        value: Syn,
        at: &super::Element,
    ) -> Fallible<()> {
        let place = self.place(whole, at)?;
        let value = self.value(value, at)?;
        self.store_part(place, part, value)
    }

    fn store_part(
        &mut self,
        place: super::array::Place,
        part: Intrinsic,
        value: ExprId,
    ) -> Fallible<()> {
        let Type::Complex { bytes } = place.ty else {
            return refuse("a part of something that is not complex");
        };
        let real = Type::Real { bytes };
        let value = self.converted(value, real)?;
        let before = self.add(Expr::Load(place.access.clone()), place.ty);
        let (re, im) = match part {
            Intrinsic::RealPart => {
                let kept = Expr::Intrinsic(Intrinsic::ImaginaryPart, vec![before]);
                (value, self.add(kept, real))
            }
            _ => {
                let kept = Expr::Intrinsic(Intrinsic::RealPart, vec![before]);
                (self.add(kept, real), value)
            }
        };
        let value = self.complex(re, Some(im), Some(bytes))?;
        let assigned = self.build().assign(place.access, value);
        self.out.push(assigned);
        Ok(())
    }

    /// An assignment that is a call: its value is computed before the target changes.
    fn call_assignment(
        &mut self,
        root: VarId,
        target: Syn,
        value: Syn,
        call: Invocation,
    ) -> Fallible<()> {
        let mut reads = self.names_below(value);
        reads.retain(|&var| self.may_overlap(root, var));
        if reads.is_empty() {
            return self.call_subroutine(target, &call);
        }
        if self.rank(target)? > 0 || self.rank(value)? > 0 {
            return refuse("a defined assignment of arrays that reads what it assigns");
        }
        let key = (std::ptr::from_ref(value.tree) as usize, value.node);
        let computed = self.scalar(value)?;
        let ty = self.type_of(computed);
        let temporary = self.temporary("value", ty);
        let assigned = self.build().assign(Access::whole(temporary), computed);
        self.out.push(assigned);
        self.hoisted.insert(key, Hoisted::Scalar(temporary));
        self.call_subroutine(target, &call)
    }

    fn assign_scalar(&mut self, target: Syn, value: Syn) -> Fallible<()> {
        let place = self.place(target, &[])?;
        if self.rank(value)? > 0 {
            return refuse("an array is assigned to a scalar");
        }
        if place.ty.is_numeric() || matches!(place.ty, Type::Logical { .. }) {
            self.allocate_scalar(target)?;
        }
        if self.constructed_in_place(value, &place.access, place.ty)? {
            return Ok(());
        }
        if self.value_into(value, &place.access, place.ty)? {
            return Ok(());
        }
        let value = self.scalar(value)?;
        let value = self.fitting(value, place.ty)?;
        self.emit(Stmt::Assign {
            target: place.access,
            value,
        });
        Ok(())
    }

    /// The value in the type of the place.
    pub(super) fn fitting(&mut self, value: ExprId, ty: Type) -> Fallible<ExprId> {
        match (self.type_of(value), ty) {
            (Type::Character, Type::Character) => Ok(value),
            (Type::Record(a), Type::Record(b)) if a == b => Ok(value),
            _ => self.converted(value, ty),
        }
    }

    fn assign_array(&mut self, target: Syn, value: Syn) -> Fallible<()> {
        let root = self.root(target)?;
        let outer = self.hoisted.clone();
        let result = self.assign_array_hoisted(root, target, value);
        self.hoisted = outer;
        result
    }

    fn assign_array_hoisted(&mut self, root: VarId, target: Syn, value: Syn) -> Fallible<()> {
        let allocatable = self.whole_allocatable(target)?;
        // Values that are converted first go by way of a temporary array.
        let is_list = matches!(value.tree.syntax(value.node), Syntax::Array(_, None));
        let reads_target = is_list && self.names_below(value).contains(&root);
        let keeps_shape = allocatable.is_none();
        if is_list
            && self.rank(target)? == 1
            && (!reads_target || keeps_shape && self.is_plain_list(value)?)
        {
            if let Some(access) = &allocatable {
                self.reallocate(access, value)?;
            }
            return self.assign_list(root, target, value);
        }
        self.hoist(target)?;
        self.hoist(value)?;
        let rank = self.rank(value)?;
        if rank > 0 && rank != self.rank(target)? {
            return refuse("arrays of different ranks");
        }
        if let Some(access) = allocatable.filter(|_| rank > 0) {
            if !self.reads(root, value) {
                self.reallocate(&access, value)?;
            } else if !self.has_shape_of(&access, value)? {
                return self.assign_reshaped(&access, target, value);
            }
        }
        let ranges = self.ranges(target)?;
        let ty = self.designator_type(target)?;
        let conflict = self.conflicts(root, target, value)?;
        if !conflict {
            return self.nest(&ranges, |lowerer, at| {
                lowerer.assign_element(target, value, at)
            });
        }
        if rank == 0 {
            let value = self.scalar(value)?;
            let value = self.fitting(value, ty)?;
            let temporary = self.temporary("value", ty);
            let assigned = self.build().assign(Access::whole(temporary), value);
            self.out.push(assigned);
            return self.nest(&ranges, |lowerer, at| {
                let place = lowerer.place(target, at)?;
                let value = lowerer.load(temporary);
                lowerer.emit(Stmt::Assign {
                    target: place.access,
                    value,
                });
                Ok(())
            });
        }
        let temporary = self.temporary_array("values", ty, &ranges);
        self.nest(&ranges, |lowerer, at| {
            let value = lowerer.value(value, at)?;
            let value = lowerer.fitting(value, ty)?;
            let target = lowerer.temporary_element(temporary, at);
            lowerer.emit(Stmt::Assign { target, value });
            Ok(())
        })?;
        self.nest(&ranges, |lowerer, at| {
            let place = lowerer.place(target, at)?;
            let source = lowerer.temporary_element(temporary, at);
            let value = lowerer.add(Expr::Load(source), ty);
            lowerer.emit(Stmt::Assign {
                target: place.access,
                value,
            });
            Ok(())
        })
    }

    pub(super) fn assign_element(
        &mut self,
        target: Syn,
        value: Syn,
        at: &super::Element,
    ) -> Fallible<()> {
        let place = self.place(target, at)?;
        let value = self.value(value, at)?;
        let value = self.fitting(value, place.ty)?;
        self.emit(Stmt::Assign {
            target: place.access,
            value,
        });
        Ok(())
    }

    /// `a = [x, y, (b(i), i = 1, n)]`
    fn assign_list(&mut self, root: VarId, target: Syn, value: Syn) -> Fallible<()> {
        let Syntax::Array(items, _) = value.tree.syntax(value.node).clone() else {
            return refuse("it is no list");
        };
        let sub = |node| Syn {
            tree: value.tree,
            node,
        };
        let range = self.ranges(target)?;
        let [range] = range.as_slice() else {
            return refuse("a list is assigned to something that is no list");
        };
        let reads_target = self.names_below(value).contains(&root);
        let simple = items
            .iter()
            .all(|&item| !matches!(value.tree.syntax(item), Syntax::ImpliedDo(..)));
        let mut scalars = simple;
        for &item in &items {
            scalars = scalars && self.rank(sub(item))? == 0;
        }
        if !scalars {
            if reads_target {
                return refuse("a list of values reads the array that it is assigned to");
            }
            return self.assign_running_list(target, range, &items, value);
        }
        let ty = self.designator_type(target)?;
        let mut values = Vec::new();
        for &item in &items {
            let value = self.scalar(sub(item))?;
            let value = self.fitting(value, ty)?;
            if reads_target {
                let temporary = self.temporary("value", ty);
                let assigned = self.build().assign(Access::whole(temporary), value);
                self.out.push(assigned);
                values.push(self.load(temporary));
            } else {
                values.push(value);
            }
        }
        for (position, value) in values.into_iter().enumerate() {
            let subscript = self.nth(range, position as i128);
            let access = self.indexed(target, subscript)?;
            self.emit(Stmt::Assign {
                target: access,
                value,
            });
        }
        Ok(())
    }

    /// The subscript at a position of a range.
    fn nth(&mut self, range: &Range, position: i128) -> ExprId {
        let mut b = self.build();
        let position = b.int(position);
        let distance = match range.step {
            Some(step) => b.mul(position, step),
            None => position,
        };
        let lower = b.convert(range.lower, Type::INT);
        b.add(lower, distance)
    }

    /// The element of a rank-one target with a given subscript in its free dimension.
    fn indexed(&mut self, target: Syn, subscript: ExprId) -> Fallible<Access> {
        let place = self.place(target, &[])?;
        let mut access = place.access;
        let mut done = false;
        for selector in &mut access.path {
            if let Selector::Index(subscripts) = selector {
                for entry in subscripts {
                    if matches!(self.procedure.expr(*entry), Expr::Range { .. }) {
                        *entry = subscript;
                        done = true;
                    }
                }
            }
        }
        if !done {
            access.path.push(Selector::Index(vec![subscript]));
        }
        Ok(access)
    }

    /// A list with implied loops or array items: a running subscript.
    fn assign_running_list(
        &mut self,
        target: Syn,
        range: &Range,
        items: &[NodeId],
        value: Syn,
    ) -> Fallible<()> {
        let running = self.temporary("position", Type::INT);
        let start = self.build().convert(range.lower, Type::INT);
        let first = self.build().assign(Access::whole(running), start);
        self.out.push(first);
        let step = match range.step {
            Some(step) => step,
            None => self.int(1),
        };
        for &item in items {
            self.append(
                &Destination::Target(target),
                Syn {
                    tree: value.tree,
                    node: item,
                },
                running,
                step,
            )?;
        }
        Ok(())
    }

    fn append(
        &mut self,
        target: &Destination,
        item: Syn,
        running: VarId,
        step: ExprId,
    ) -> Fallible<()> {
        if let Syntax::ImpliedDo(items, variable, bounds) = item.tree.syntax(item.node).clone() {
            let name = item.tree.statement.part(variable).to_owned();
            let [from, to, rest @ ..] = bounds.as_slice() else {
                return refuse("an implied loop without bounds");
            };
            let sub = |node| Syn {
                tree: item.tree,
                node,
            };
            let lower = self.integer(sub(*from))?;
            let upper = self.integer(sub(*to))?;
            let distance = match rest {
                [node, ..] => self.integer(sub(*node))?,
                [] => self.int(1),
            };
            let counter = self.temporary("i", Type::INT);
            let (block, ()) = self.block(|lowerer| {
                for &inner in &items {
                    let load = lowerer.load(counter);
                    let mut map = lowerer.substitutions.last().cloned().unwrap_or_default();
                    map.insert(name.clone(), load);
                    lowerer.substitutions.push(map);
                    let result = lowerer.append(target, sub(inner), running, step);
                    lowerer.substitutions.pop();
                    result?;
                }
                Ok(())
            })?;
            let nest = self
                .build()
                .counted_loop(counter, lower, upper, distance, block);
            self.out.push(nest);
            return Ok(());
        }
        if self.rank(item)? > 0 {
            let ranges = self.ranges(item)?;
            return self.nest(&ranges, |lowerer, at| {
                let value = lowerer.value(item, at)?;
                lowerer.store_next(target, value, running, step)
            });
        }
        let value = self.scalar(item)?;
        self.store_next(target, value, running, step)
    }

    fn store_next(
        &mut self,
        target: &Destination,
        value: ExprId,
        running: VarId,
        step: ExprId,
    ) -> Fallible<()> {
        let subscript = self.load(running);
        let (access, ty) = match *target {
            Destination::Target(target) => (
                self.indexed(target, subscript)?,
                self.designator_type(target)?,
            ),
            Destination::Temporary(var, ty) => (Access::element(var, vec![subscript]), ty),
        };
        let value = self.fitting(value, ty)?;
        self.emit(Stmt::Assign {
            target: access,
            value,
        });
        let mut b = self.build();
        let old = b.load(running);
        let step = b.convert(step, Type::INT);
        let next = b.add(old, step);
        let assigned = b.assign(Access::whole(running), next);
        self.out.push(assigned);
        Ok(())
    }

    /// Whether an element may be read after it was written.
    pub(super) fn conflicts(&mut self, root: VarId, target: Syn, value: Syn) -> Fallible<bool> {
        let mut pending = vec![value.node];
        while let Some(node) = pending.pop() {
            let e = Syn {
                tree: value.tree,
                node,
            };
            let key = (std::ptr::from_ref(value.tree) as usize, node);
            if self.hoisted.contains_key(&key) {
                continue;
            }
            // The elements of a transposed matrix are read in another order.
            if self.is_transposed(e) && self.names_below(e).contains(&root) {
                return Ok(true);
            }
            let is_designator = matches!(
                value.tree.syntax(node),
                Syntax::Name | Syntax::Apply(..) | Syntax::Member(..)
            );
            if is_designator
                && let Ok(var) = self.root(e)
                && self.may_overlap(root, var)
                && (var != root || self.overlap(target, e)? == Overlap::Conflict)
            {
                return Ok(true);
            }
            let inner_of_same = is_designator && self.root(e) == Ok(root);
            let children = value.tree.children(node);
            // The base of a designator was looked at with it.
            let skip = usize::from(inner_of_same);
            pending.extend(children.into_iter().skip(skip));
        }
        Ok(false)
    }

    /// Whether a value still reads memory of a variable, now that parts of it were computed ahead.
    fn reads(&mut self, root: VarId, value: Syn) -> bool {
        let mut pending = vec![value.node];
        while let Some(node) = pending.pop() {
            let key = (std::ptr::from_ref(value.tree) as usize, node);
            if self.hoisted.contains_key(&key) {
                continue;
            }
            if *value.tree.syntax(node) == Syntax::Name
                && let Ok(var) = self.named(value.tree.text(node))
                && self.may_overlap(root, var)
            {
                return true;
            }
            pending.extend(value.tree.children(node));
        }
        false
    }

    fn is_transposed(&self, e: Syn) -> bool {
        match e.tree.syntax(e.node) {
            Syntax::Apply(base, _) => {
                e.tree.text(*base) == "transpose"
                    && matches!(self.applied("transpose"), super::expr::Applied::Intrinsic)
            }
            _ => false,
        }
    }

    pub(super) fn may_overlap(&self, a: VarId, b: VarId) -> bool {
        use contraflow_ir::Storage;
        if a == b {
            return true;
        }
        let (x, y) = (self.variable(a), self.variable(b));
        let shares = |storage| matches!(storage, Storage::Overlay { .. });
        let both_alias = x.aliasing == Aliasing::May
            && y.aliasing == Aliasing::May
            && (x.allocation == Allocation::Pointer || y.allocation == Allocation::Pointer);
        both_alias
            || (y.is_array() && (shares(x.storage) || shares(y.storage)))
            || match (x.storage, y.storage) {
                (Storage::Common { block: p, .. }, Storage::Common { block: q, .. }) => {
                    p == q && self.has_equivalences()
                }
                _ => false,
            }
    }

    fn has_equivalences(&self) -> bool {
        !self.program.scopes[self.home].equivalences.is_empty()
    }

    /// How a reference lies against the target, both of one variable.
    fn overlap(&mut self, target: Syn, reference: Syn) -> Fallible<Overlap> {
        if target.tree.text(target.node) == reference.tree.text(reference.node) {
            return Ok(Overlap::Safe);
        }
        let (Ok(written), Ok(read)) = (self.place(target, &[]), self.place(reference, &[])) else {
            return Ok(Overlap::Conflict);
        };
        let dims = self.variable(written.access.var).rank();
        let write = self.dim_starts(&written.access, dims)?;
        let read = self.dim_starts(&read.access, dims)?;
        let (Some(write), Some(read)) = (write, read) else {
            return Ok(Overlap::Conflict);
        };
        for (w, r) in write.into_iter().zip(read).rev() {
            if w.step != r.step || w.is_range != r.is_range {
                return Ok(Overlap::Conflict);
            }
            match self.difference(r.start, w.start) {
                Some(0) => {}
                Some(_) if !w.is_range => return Ok(Overlap::Safe),
                Some(shift) if shift > 0 => return Ok(Overlap::Safe),
                _ => return Ok(Overlap::Conflict),
            }
        }
        Ok(Overlap::Safe)
    }

    /// Where each dimension of an access to a plain array starts; `None` for longer paths.
    fn dim_starts(&mut self, access: &Access, dims: usize) -> Fallible<Option<Vec<Start>>> {
        match access.path.as_slice() {
            [] => (0..dims)
                .map(|dim| {
                    Ok(Start {
                        start: self.lower_bound(access, dim)?,
                        is_range: true,
                        step: None,
                    })
                })
                .collect::<Fallible<Vec<_>>>()
                .map(Some),
            [Selector::Index(subscripts)] => {
                let subscripts = subscripts.clone();
                let whole = Access::whole(access.var);
                let mut starts = Vec::new();
                for (dim, subscript) in subscripts.into_iter().enumerate() {
                    starts.push(match *self.procedure.expr(subscript) {
                        Expr::Range { lower, step, .. } => Start {
                            start: match lower {
                                Some(lower) => lower,
                                None => self.lower_bound(&whole, dim)?,
                            },
                            is_range: true,
                            step: self.constant_step(step),
                        },
                        _ => Start {
                            start: subscript,
                            is_range: false,
                            step: None,
                        },
                    });
                }
                if starts.iter().any(|start| start.step == Some(i128::MIN)) {
                    return Ok(None);
                }
                Ok(Some(starts))
            }
            _ => Ok(None),
        }
    }

    /// The step as a number; the least number stands for one that is not constant or negative.
    fn constant_step(&mut self, step: Option<ExprId>) -> Option<i128> {
        let step = step?;
        match self.build().integer_value(step) {
            Some(1) => None,
            Some(value) if value > 0 => Some(value),
            _ => Some(i128::MIN),
        }
    }

    /// Computes ahead what must not be computed once per element: calls of functions that are not
    /// elemental, reductions, lists, and array-valued functions.
    pub(super) fn hoist(&mut self, e: Syn) -> Fallible<()> {
        self.deeper(|lowerer| lowerer.hoist_here(e))
    }

    fn hoist_here(&mut self, e: Syn) -> Fallible<()> {
        let tree = e.tree;
        let key = (std::ptr::from_ref(tree) as usize, e.node);
        if self.hoisted.contains_key(&key) {
            return Ok(());
        }
        if let Syntax::Array(items, spec) = tree.syntax(e.node).clone() {
            let var = self.list_into_temporary(e, &items, spec)?;
            self.hoisted.insert(key, Hoisted::Array(var));
            return Ok(());
        }
        if let Some(hoisted) = self.hoist_call(e)? {
            self.hoisted.insert(key, hoisted);
            return Ok(());
        }
        let children = match tree.syntax(e.node) {
            Syntax::Apply(base, arguments) if *tree.syntax(*base) == Syntax::Name => {
                arguments.clone()
            }
            _ => tree.children(e.node),
        };
        for node in children {
            self.hoist(Syn { tree, node })?;
        }
        Ok(())
    }

    /// The values of a list, in a temporary array.
    fn list_into_temporary(
        &mut self,
        e: Syn,
        items: &[NodeId],
        spec: Option<Slice>,
    ) -> Fallible<VarId> {
        let ty = match spec {
            Some(spec) => self.type_of_values(e, spec)?,
            None => self.list_type(e, items)?,
        };
        let lower = self.int(1);
        let upper = self.list_count(e, items)?;
        let range = Range {
            lower,
            upper,
            step: None,
        };
        let length = match ty {
            Type::Character => Some(self.text_length(e, items, spec)?),
            _ => None,
        };
        let var = self.temporary_array("list", ty, &[range]);
        self.procedure.variables[var].length = length;
        if !self.is_plain_list(e)? {
            return self.run_into(var, ty, e, items);
        }
        for (position, &node) in items.iter().enumerate() {
            let value = self.scalar(Syn { tree: e.tree, node })?;
            let value = self.fitting(value, ty)?;
            let subscript = self.int(position as i128 + 1);
            self.emit(Stmt::Assign {
                target: Access::element(var, vec![subscript]),
                value,
            });
        }
        Ok(var)
    }

    fn run_into(&mut self, var: VarId, ty: Type, e: Syn, items: &[NodeId]) -> Fallible<VarId> {
        let running = self.temporary("position", Type::INT);
        let one = self.int(1);
        let start = self.build().assign(Access::whole(running), one);
        self.out.push(start);
        for &node in items {
            let item = Syn { tree: e.tree, node };
            self.append(&Destination::Temporary(var, ty), item, running, one)?;
        }
        Ok(var)
    }

    /// The type that a list states for its values.
    fn type_of_values(&mut self, e: Syn, spec: Slice) -> Fallible<Type> {
        let ty = self
            .program
            .constructor_type(self.scope, &e.tree.statement, spec);
        match ty {
            Some(ty) => Ok(ty),
            None => refuse("a list of values whose type is not understood"),
        }
    }

    /// The length of the texts in a list: the one stated, or that of the first.
    fn text_length(&mut self, e: Syn, items: &[NodeId], spec: Option<Slice>) -> Fallible<ExprId> {
        let known = match spec {
            Some(spec) => self
                .program
                .constructor_length(self.scope, &e.tree.statement, spec),
            None => None,
        };
        let first = items.first().map(|&node| Syn { tree: e.tree, node });
        match (known, first) {
            (Some(length), _) => Ok(self.int(length)),
            (None, Some(first)) if spec.is_none() && self.rank(first)? == 0 => {
                let text = self.scalar(first)?;
                match self.procedure.expr(text) {
                    Expr::Text(text) => {
                        let length = text.chars().count();
                        Ok(self.int(length as i128))
                    }
                    _ => refuse("a list of texts whose length is not known"),
                }
            }
            _ => refuse("a list of texts whose length is not known"),
        }
    }

    /// The common type of a list's values.
    pub(super) fn list_type(&mut self, e: Syn, items: &[NodeId]) -> Fallible<Type> {
        let mut ty = None;
        for &node in items {
            let item = match e.tree.syntax(node).clone() {
                Syntax::ImpliedDo(inner, variable, _) => {
                    self.within_loop(e, variable, |lowerer, _| lowerer.list_type(e, &inner))?
                }
                _ => self.element_type(Syn { tree: e.tree, node })?,
            };
            ty = match ty {
                None => Some(item),
                Some(before) if before == item => Some(before),
                Some(before) => super::expr::common_type(before, item),
            };
            if ty.is_none() {
                return refuse("a list of values of different types");
            }
        }
        ty.map_or_else(|| refuse("an empty list of values"), Ok)
    }

    /// Looks at the items of an implied loop: its variable is a counter there.
    fn within_loop<T>(
        &mut self,
        e: Syn,
        variable: Slice,
        look: impl FnOnce(&mut Self, VarId) -> Fallible<T>,
    ) -> Fallible<T> {
        let name = e.tree.statement.part(variable).to_owned();
        let counter = self.counter();
        let load = self.load(counter);
        let mut map = self.substitutions.last().cloned().unwrap_or_default();
        map.insert(name, load);
        self.substitutions.push(map);
        let result = look(self, counter);
        self.substitutions.pop();
        self.free_counters.push(counter);
        result
    }

    /// Whether a list has scalars only, none of them from an implied loop.
    fn is_plain_list(&mut self, e: Syn) -> Fallible<bool> {
        let Syntax::Array(items, _) = e.tree.syntax(e.node).clone() else {
            return Ok(false);
        };
        for node in items {
            let is_loop = matches!(e.tree.syntax(node), Syntax::ImpliedDo(..));
            if is_loop || self.rank(Syn { tree: e.tree, node })? > 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The number of values in a list.
    pub(super) fn list_count(&mut self, e: Syn, items: &[NodeId]) -> Fallible<ExprId> {
        let mut fixed = 0;
        let mut total: Option<ExprId> = None;
        for &node in items {
            let item = Syn { tree: e.tree, node };
            let more = match e.tree.syntax(node).clone() {
                Syntax::ImpliedDo(inner, variable, bounds) => {
                    self.implied_count(e, &inner, variable, &bounds)?
                }
                _ if self.rank(item)? == 0 => {
                    fixed += 1;
                    continue;
                }
                _ => {
                    let mut product = self.int(1);
                    for range in self.ranges(item)? {
                        let count = self.count(&range);
                        let mut b = self.build();
                        let count = b.convert(count, Type::INT);
                        product = b.mul(product, count);
                    }
                    product
                }
            };
            total = Some(match total {
                None => more,
                Some(before) => self.build().add(before, more),
            });
        }
        let mut b = self.build();
        let fixed = b.int(fixed);
        Ok(match total {
            None => fixed,
            Some(total) => b.add(total, fixed),
        })
    }

    fn implied_count(
        &mut self,
        e: Syn,
        items: &[NodeId],
        variable: Slice,
        bounds: &[NodeId],
    ) -> Fallible<ExprId> {
        let each = self.within_loop(e, variable, |lowerer, counter| {
            let each = lowerer.list_count(e, items)?;
            let reads = lowerer.procedure.reads_of_expr(each);
            match reads.iter().any(|read| read.var == counter) {
                true => refuse("an implied loop whose passes give different numbers of values"),
                false => Ok(each),
            }
        })?;
        let [from, to, rest @ ..] = bounds else {
            return refuse("an implied loop without bounds");
        };
        let lower = self.integer(Syn {
            tree: e.tree,
            node: *from,
        })?;
        let upper = self.integer(Syn {
            tree: e.tree,
            node: *to,
        })?;
        let step = self.optional(e, rest.first().copied())?;
        let passes = self.count(&Range { lower, upper, step });
        let mut b = self.build();
        let passes = b.convert(passes, Type::INT);
        let zero = b.int(0);
        let passes = b.call(contraflow_ir::Intrinsic::Max, vec![passes, zero]);
        Ok(b.mul(passes, each))
    }
}

/// Where the values of a list with loops go.
enum Destination<'t> {
    /// A target of rank one.
    Target(Syn<'t>),
    /// A temporary array.
    Temporary(VarId, Type),
}

/// Where a dimension of an access starts.
struct Start {
    start: ExprId,
    is_range: bool,
    step: Option<i128>,
}
