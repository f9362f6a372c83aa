//! Places in memory and addresses of them, as the lowering composes them: subscripts are gathered
//! outermost first, as C writes them, and turned round when the place is complete.

use super::{Body, Lowered, Representation, Value};
use crate::cst::{
    BinaryOperator, Expression, MemberExpression, MemberOperator, Node, UnaryOperator,
};
use crate::declare::{ArrayExtent, CType, Symbol};
use contraflow_ir::{Access, Expr, ExprId, Selector, Type, VarId};

/// What an lvalue denotes.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    /// The path so far.
    pub access: Access,
    /// Subscripts into the array that the path ends at, outermost first.
    pub pending: Vec<ExprId>,
    pub ty: CType<'a>,
}

/// The address of an element, or of an object.
#[derive(Clone, Debug)]
pub(crate) struct Pointer<'a> {
    pub access: Access,
    pub pending: Vec<ExprId>,
    /// Elements from there; `None`: none.
    pub offset: Option<ExprId>,
    pub target: CType<'a>,
    /// It is the address of a single object, not of an element.
    pub single: bool,
}

impl<'a> Place<'a> {
    /// A whole variable.
    pub fn whole(var: VarId, ty: CType<'a>) -> Self {
        Self {
            access: Access::whole(var),
            pending: Vec::new(),
            ty,
        }
    }

    /// The access, with the gathered subscripts.
    pub fn finish(self) -> Access {
        let Self {
            mut access,
            mut pending,
            ..
        } = self;
        if !pending.is_empty() {
            pending.reverse();
            access.path.push(Selector::Index(pending));
        }
        access
    }
}

impl<'a> Pointer<'a> {
    /// The pointer to the first element of an array that `access` denotes.
    pub fn to_first(access: Access, target: CType<'a>) -> Self {
        Self {
            access,
            pending: Vec::new(),
            offset: None,
            target,
            single: false,
        }
    }

    /// Whether it is the value of a pointer variable, not of an array.
    pub fn is_dereferenced(&self) -> bool {
        self.pending.is_empty() && self.access.path.last() == Some(&Selector::Deref)
    }
}

impl<'u, 'a> Body<'u, 'a> {
    /// The place that an lvalue denotes.
    pub fn place(&mut self, node: &'a Node<Expression>) -> Lowered<Place<'a>> {
        let outer = self.span;
        self.span = self.unit.span(node.span);
        let place = self.place_here(node);
        self.span = outer;
        place
    }

    fn place_here(&mut self, node: &'a Node<Expression>) -> Lowered<Place<'a>> {
        match &node.node {
            Expression::Identifier(name) => match self.symbol(&name.node.name)? {
                Symbol::Local(var) => self.variable_place(var),
                Symbol::Global(index) => {
                    let var = self.known_global(index)?;
                    self.variable_place(var)
                }
                _ => self.unsupported("a name that is no variable"),
            },
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let (base, index) = (self.value(&binary.node.lhs)?, &binary.node.rhs);
                match base {
                    Value::Pointer(pointer) => {
                        let index = self.index_value(index)?;
                        self.element(pointer, Some(index))
                    }
                    // `i[a]` means `a[i]`.
                    Value::Scalar(index) => match self.value(&binary.node.rhs)? {
                        Value::Pointer(pointer) => self.element(pointer, Some(index)),
                        _ => self.unsupported("a subscript of something that is no array"),
                    },
                    _ => self.unsupported("a subscript of something that is no array"),
                }
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                match self.value(&unary.node.operand)? {
                    Value::Pointer(pointer) => self.element(pointer, None),
                    _ => self.unsupported("a dereference of something that is no known pointer"),
                }
            }
            Expression::Member(member) => self.member(&member.node),
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node),
            Expression::Cast(_) => self.unsupported("a cast as a place"),
            Expression::Comma(parts) => self.comma_place(parts),
            _ => match self.value(node)? {
                Value::Record(place) => Ok(place),
                _ => self.unsupported("an expression that is no place"),
            },
        }
    }

    fn comma_place(&mut self, parts: &'a [Node<Expression>]) -> Lowered<Place<'a>> {
        match parts.split_last() {
            Some((last, first)) => {
                for part in first {
                    self.effects(part)?;
                }
                self.place(last)
            }
            None => self.unsupported("an empty expression"),
        }
    }

    fn variable_place(&mut self, var: VarId) -> Lowered<Place<'a>> {
        let known = &self.known[var.index()];
        match known.representation {
            Representation::Plain => Ok(Place::whole(var, known.ty.clone())),
            _ => self.unsupported("the address of a pointer"),
        }
    }

    /// A subscript: an integer.
    fn index_value(&mut self, node: &'a Node<Expression>) -> Lowered<ExprId> {
        let index = self.scalar(node)?;
        self.whole_number(index)
    }

    /// A number that counts elements.
    pub fn whole_number(&mut self, e: ExprId) -> Lowered<ExprId> {
        match self.type_of(e) {
            Type::Integer { bytes, .. } if bytes >= 4 => Ok(e),
            Type::Integer { .. } | Type::Logical { .. } => Ok(self.convert(e, Type::INT)),
            _ => self.unsupported("a number of elements that is no integer"),
        }
    }

    /// What `pointer[index]` denotes; without an index: what `*pointer` does.
    pub fn element(&mut self, pointer: Pointer<'a>, index: Option<ExprId>) -> Lowered<Place<'a>> {
        if matches!(pointer.target, CType::Void | CType::Unknown) {
            return self.unsupported("a dereference of an address without a type");
        }
        if let CType::Function(_) = pointer.target {
            return self.unsupported("a dereference of a function");
        }
        let at = match (pointer.offset, index) {
            (Some(offset), Some(index)) => Some(self.sum(offset, index)),
            (offset, index) => offset.or(index),
        };
        let Pointer {
            access,
            mut pending,
            target,
            single,
            ..
        } = pointer.clone();
        if single {
            return match at.map(|at| self.builder().integer_value(at)) {
                None | Some(Some(0)) => Ok(Place {
                    access,
                    pending,
                    ty: target,
                }),
                _ => self.unsupported("a subscript beyond a single object"),
            };
        }
        if pointer.is_dereferenced() && at.is_none() && !target.is_array() {
            return Ok(Place {
                access,
                pending,
                ty: target,
            });
        }
        let at = match at {
            Some(at) => at,
            None => self.int(0),
        };
        pending.push(at);
        Ok(Place {
            access,
            pending,
            ty: target,
        })
    }

    fn member(&mut self, member: &'a MemberExpression) -> Lowered<Place<'a>> {
        let base = match member.operator.node {
            MemberOperator::Direct => self.place(&member.expression)?,
            MemberOperator::Indirect => match self.value(&member.expression)? {
                Value::Pointer(pointer) => self.element(pointer, None)?,
                _ => return self.unsupported("`->` on something that is no known pointer"),
            },
        };
        let CType::Record(record) = base.ty else {
            return self.unsupported("a member of something that is no struct");
        };
        let Some((path, ty)) = self.find_member(record, &member.identifier.node.name, 0) else {
            return self.unsupported("a member that the struct does not have");
        };
        if ty.leads_to_rows() {
            return self.unsupported("a pointer to arrays that is not local");
        }
        let mut access = base.finish();
        access.path.extend(path.into_iter().map(Selector::Field));
        // The record must have its IR type before its members are used.
        self.unit.ir_type(&CType::Record(record));
        Ok(Place {
            access,
            pending: Vec::new(),
            ty,
        })
    }

    /// The way to a member, through anonymous structs.
    pub fn find_member(
        &self,
        record: usize,
        name: &str,
        depth: u32,
    ) -> Option<(Vec<u32>, CType<'a>)> {
        let definition = self.unit.records.get(record).filter(|_| depth < 20)?;
        for (index, field) in (0u32..).zip(&definition.fields) {
            if field.name == name && !name.is_empty() {
                return Some((vec![index], field.ty.clone()));
            }
        }
        for (index, field) in (0u32..).zip(&definition.fields) {
            if let (true, CType::Record(inner)) = (field.name.is_empty(), &field.ty)
                && let Some((mut path, ty)) = self.find_member(*inner, name, depth + 1)
            {
                path.insert(0, index);
                return Some((path, ty));
            }
        }
        None
    }

    /// The value that a place holds; an array becomes the address of its first element.
    pub fn load_place(&mut self, place: Place<'a>) -> Lowered<Value<'a>> {
        match place.ty.clone() {
            CType::Scalar(ty) => {
                let access = self.finished(place)?;
                Ok(Value::Scalar(self.expr(Expr::Load(access), ty)))
            }
            CType::Array { element, extent }
                if place.access.path.last() == Some(&Selector::Deref) =>
            {
                self.row_behind_pointer(place, (*element).clone(), extent)
            }
            CType::Array { element, .. } => Ok(Value::Pointer(Pointer {
                access: place.access,
                pending: place.pending,
                offset: None,
                target: (*element).clone(),
                single: false,
            })),
            CType::Pointer { target, .. } => {
                if let CType::Function(_) = *target {
                    return Ok(Value::Procedure(self.finished(place.clone())?, place.ty));
                }
                let is_typed = self.unit.is_typed_pointer(&place.ty);
                let mut access = self.finished(place)?;
                if !is_typed {
                    return Ok(Value::Address(access));
                }
                access.path.push(Selector::Deref);
                Ok(Value::Pointer(Pointer::to_first(access, (*target).clone())))
            }
            CType::Record(record) => match self.unit.ir_type(&CType::Record(record)) {
                Type::Record(_) => Ok(Value::Record(place)),
                _ => self.unsupported("a struct without members"),
            },
            CType::Function(_) | CType::Void | CType::Unknown => {
                self.unsupported("a value of a type that is not understood")
            }
        }
    }

    /// The first element of an array behind a pointer to arrays: there one number counts elements.
    fn row_behind_pointer(
        &mut self,
        place: Place<'a>,
        element: CType<'a>,
        extent: ArrayExtent<'a>,
    ) -> Lowered<Value<'a>> {
        let offset = match place.pending.as_slice() {
            [] => None,
            &[row] => match self.builder().integer_value(row) {
                Some(0) => None,
                _ => Some(self.times_extent(row, extent)?),
            },
            _ => return self.unsupported("subscripts behind a pointer to an array"),
        };
        Ok(Value::Pointer(Pointer {
            access: place.access,
            pending: Vec::new(),
            offset,
            target: element,
            single: false,
        }))
    }

    fn times_extent(&mut self, count: ExprId, extent: ArrayExtent<'a>) -> Lowered<ExprId> {
        let contraflow_ir::Extent::Count(extent) = self.extent(extent)? else {
            return self.unsupported("an array of unknown length behind a pointer");
        };
        let changes = self.procedure.reads_of_expr(extent).iter().any(|access| {
            let known = &self.known[access.var.index()];
            let is_local = matches!(
                self.procedure.variables[access.var].storage,
                contraflow_ir::Storage::Local | contraflow_ir::Storage::Argument { .. }
            );
            let is_set_once = self.facts.writes_of(known.source_name) == 0
                && !self.facts.address_taken.contains(known.source_name);
            !(is_local && access.path.is_empty() && is_set_once)
        });
        if changes {
            return self.unsupported("an array behind a pointer whose length may change");
        }
        self.operate(contraflow_ir::BinaryOp::Multiply, count, extent)
    }

    /// `count` of what a pointer points to, in elements below all array dimensions.
    pub fn in_elements(&mut self, count: ExprId, target: &CType<'a>) -> Lowered<ExprId> {
        let mut count = count;
        for extent in target.extents() {
            count = self.times_extent(count, extent)?;
        }
        Ok(count)
    }

    /// The access of a complete place. Subscripts into what a pointer points to are one number.
    pub fn finished(&mut self, mut place: Place<'a>) -> Lowered<Access> {
        let behind_pointer = place.access.path.last() == Some(&Selector::Deref);
        if behind_pointer && place.pending.len() > 1 {
            return self.unsupported("subscripts behind a pointer to an array");
        }
        if let (true, &[row], CType::Array { .. }) =
            (behind_pointer, place.pending.as_slice(), &place.ty)
        {
            place.pending[0] = self.in_elements(row, &place.ty.clone())?;
            return Ok(place.finish());
        }
        if let CType::Array { .. } = place.ty
            && !place.pending.is_empty()
        {
            // A row of an array: its first element.
            let rank = place.ty.extents().len();
            for _ in 0..rank {
                let zero = self.int(0);
                place.pending.push(zero);
            }
        }
        Ok(place.finish())
    }

    /// The address of a place.
    pub fn address_of(&mut self, place: Place<'a>) -> Pointer<'a> {
        let Place {
            access,
            mut pending,
            ty,
        } = place;
        match pending.pop() {
            Some(last) => Pointer {
                access,
                pending,
                offset: Some(last),
                target: ty,
                single: false,
            },
            None if access.path.last() == Some(&Selector::Deref) => Pointer::to_first(access, ty),
            None => Pointer {
                access,
                pending,
                offset: None,
                target: ty,
                single: true,
            },
        }
    }

    /// The memory that a pointer passes to a callee: a whole variable, or an element from which
    /// the callee's array starts.
    pub fn passed(&mut self, pointer: Pointer<'a>) -> Lowered<Access> {
        if pointer.single || pointer.pending.is_empty() && pointer.offset.is_none() {
            let place = Place {
                access: pointer.access,
                pending: pointer.pending,
                ty: pointer.target,
            };
            return Ok(place.finish());
        }
        let behind_pointer = pointer.access.path.last() == Some(&Selector::Deref);
        let mut place = self.element(pointer, None)?;
        if behind_pointer {
            return self.finished(place);
        }
        let rank = place.ty.extents().len();
        for _ in 0..rank {
            let zero = self.int(0);
            place.pending.push(zero);
        }
        place.ty = place.ty.element().clone();
        self.finished(place)
    }

    /// The dimensions of an array, fastest first.
    pub fn shape(&mut self, ty: &CType<'a>) -> Lowered<Vec<contraflow_ir::Dim>> {
        let mut shape = Vec::new();
        for extent in ty.extents() {
            let extent = self.extent(extent)?;
            let lower = self.int(0);
            shape.push(contraflow_ir::Dim { lower, extent });
        }
        shape.reverse();
        Ok(shape)
    }

    pub fn extent(&mut self, extent: ArrayExtent<'a>) -> Lowered<contraflow_ir::Extent> {
        Ok(match extent {
            ArrayExtent::Unknown => contraflow_ir::Extent::Unknown,
            ArrayExtent::Constant(count) => {
                contraflow_ir::Extent::Count(self.int(i128::from(count)))
            }
            ArrayExtent::Variable(count) => {
                let count = self.scalar(count)?;
                contraflow_ir::Extent::Count(self.whole_number(count)?)
            }
        })
    }
}
