//! Memory that grows: `p = realloc(q, bytes)`.
//!
//! An address does not tell how much it leads to, so each local pointer that takes part has an integer
//! beside it, its room: the number of elements that it leads to.
//!
//! ```text
//! more = malloc(bytes);  for (i < min(room of q, new room)) more[i] = q[i];  free(q);
//! p = more;  room of p = new room
//! ```
//!
//! A test right after it whether it gave memory is left out: as with `malloc`, it always does here.

use super::facts::{Source, identifier, source_of};
use super::{Body, Lowered, Place, Pointer, Representation, Value};
use crate::cst::{CallExpression, Expression, Node};
use crate::declare::{CType, Symbol};
use contraflow_ir::{Access, BinaryOp, Expr, ExprId, Stmt, Type, VarId};

/// The call of `realloc` that an expression is.
pub(crate) fn reallocation(node: &Node<Expression>) -> Option<&CallExpression> {
    match &node.node {
        Expression::Cast(cast) => reallocation(&cast.node.expression),
        Expression::Call(call) => {
            let is_made = super::facts::is_of_nothing(&call.node);
            (identifier(&call.node.callee) == Some("realloc") && !is_made).then_some(&call.node)
        }
        _ => None,
    }
}

/// The pointer that a call of `realloc` is given.
pub(crate) fn reallocated(call: &CallExpression) -> Option<&str> {
    fn name(node: &Node<Expression>) -> Option<&str> {
        match &node.node {
            Expression::Cast(cast) => name(&cast.node.expression),
            _ => identifier(node),
        }
    }
    name(call.arguments.first()?)
}

impl<'u, 'a> Body<'u, 'a> {
    /// Gives a local pointer its room, if its memory grows.
    pub fn make_room(&mut self, name: &'a str, var: VarId) {
        if self.facts.grows(name) && !self.facts.address_taken.contains(name) {
            let room = self.temporary(&format!("{name}_room"), Type::LONG);
            self.rooms.insert(var, room);
        }
    }

    /// `var = value`, where the memory of `var` grows; what else is assigned leaves it unknown.
    pub fn assign_growing(
        &mut self,
        var: VarId,
        ty: &CType<'a>,
        value: &'a Node<Expression>,
    ) -> Lowered<()> {
        let place = Place::whole(var, ty.clone());
        if let Some(call) = reallocation(value) {
            return self.reallocate(var, ty, call);
        }
        if let Some(call) = super::facts::allocator(value) {
            self.allocate(Access::whole(var), ty, call)?;
            let made = self.block.last().map(|&stmt| self.procedure.stmt(stmt));
            let count = match made {
                Some(Stmt::Allocate { shape, .. }) if shape.len() == 1 => shape[0].1,
                _ => return self.unsupported("rows of memory that grow"),
            };
            return self.set_room(var, count);
        }
        let room = match source_of(value) {
            Source::Null => self.int(0),
            Source::Root(name) if identifier(value) == Some(name) => match self.room_of(name) {
                Some((_, room)) => self.load(room),
                None => return self.unsupported("a pointer to memory that grows elsewhere"),
            },
            _ => return self.unsupported("a pointer to memory that grows elsewhere"),
        };
        let value = self.value(value)?;
        self.store(place, value)?;
        self.set_room(var, room)
    }

    /// The local pointer of a name whose memory grows, and its room.
    pub fn room_of(&self, name: &str) -> Option<(VarId, VarId)> {
        match self.unit.lookup(name) {
            Some(&Symbol::Local(var)) => Some((var, *self.rooms.get(&var)?)),
            _ => None,
        }
    }

    fn set_room(&mut self, var: VarId, count: ExprId) -> Lowered<()> {
        let room = self.rooms[&var];
        let count = self.convert(count, Type::LONG);
        self.assign(Access::whole(room), count);
        Ok(())
    }

    fn reallocate(&mut self, var: VarId, ty: &CType<'a>, call: &'a CallExpression) -> Lowered<()> {
        let old = reallocated(call).and_then(|name| self.room_of(name));
        let (Some((old, room)), [_, bytes], Some(element)) =
            (old, call.arguments.as_slice(), ty.target().cloned())
        else {
            return self.unsupported("a `realloc` of what is no local pointer");
        };
        let (Some(count), true) = self.count_of(bytes, &element)? else {
            return self.unsupported("memory whose number of elements is not clear");
        };
        let count = self.whole_number(count)?;
        let count = self.convert(count, Type::LONG);
        let count = self.keep("room", count);
        let more = self.local_variable("more", "", ty.clone(), Representation::Plain)?;
        self.emit(Stmt::Allocate {
            target: Access::whole(more),
            shape: vec![(None, count)],
            zeroed: false,
        });
        let room = self.load(room);
        let less = self.builder().compare(BinaryOp::Less, room, count);
        let common = self.builder().select(less, room, count);
        let (to, from) = (self.led_to(more, ty)?, self.led_to(old, ty)?);
        let of = self.unit.ir_type(&element);
        self.over_elements(Some(common), |body, index| {
            let source = body.element(from, index)?;
            let source = body.finished(source)?;
            let value = body.expr(Expr::Load(source), of);
            let place = body.element(to, index)?;
            let target = body.finished(place)?;
            body.assign(target, value);
            Ok(())
        })?;
        self.emit(Stmt::Free {
            target: Access::whole(old),
        });
        let value = self.load_place(Place::whole(more, ty.clone()))?;
        self.store(Place::whole(var, ty.clone()), value)?;
        self.set_room(var, count)?;
        self.grown = self.block.last().map(|&last| (last, var));
        Ok(())
    }

    fn led_to(&mut self, var: VarId, ty: &CType<'a>) -> Lowered<Pointer<'a>> {
        match self.load_place(Place::whole(var, ty.clone()))? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => self.unsupported("memory for something that is no pointer"),
        }
    }
}
