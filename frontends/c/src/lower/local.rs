//! Declarations in blocks, and initial values.

use super::{Body, Known, Lowered, Place, Representation, Value};
use crate::cst::{
    Declaration, Designator, Expression, InitDeclarator, Initializer, InitializerListItem, Node,
};
use crate::declare::{ArrayExtent, CType, Declared, Specified, Symbol, spelled};
use contraflow_ir::{Access, Expr, ExprId, Selector, Stmt, Storage, Type, VarId, Variable};

/// Arrays longer than this are not initialised element by element where a loop would do.
const LONGEST_RUN: i64 = 64;

impl<'u, 'a> Body<'u, 'a> {
    /// A declaration in a block.
    pub fn local_declaration(&mut self, node: &'a Node<Declaration>) {
        let outer = self.span;
        let here = self.unit.span(node.span);
        if here.is_some() {
            self.span = here;
        }
        let specified = self.unit.specified_in(&node.node.specifiers, node.span);
        for init in &node.node.declarators {
            let emitted = self.block.len();
            if let Err(why) = self.declarator(init, &specified) {
                self.block.truncate(emitted);
                self.undeclarable(init, &specified, why);
            }
        }
        self.span = outer;
    }

    fn declarator(
        &mut self,
        init: &'a Node<InitDeclarator>,
        specified: &Specified<'a>,
    ) -> Lowered<()> {
        let declarator = &init.node.declarator.node;
        let declared = self
            .unit
            .declared(declarator, specified.ty.clone(), specified.is_const);
        let initializer = init.node.initializer.as_ref();
        if specified.is_typedef {
            self.unit.declare_typedef(declared.name, declared.ty);
            return Ok(());
        }
        if let CType::Function(ty) = &declared.ty {
            let ty = ty.clone();
            let index =
                self.unit
                    .declare_function(declared.name, ty, &declared, specified.is_static);
            self.unit.declare(declared.name, Symbol::Function(index));
            return Ok(());
        }
        if specified.is_extern {
            let name = declared.name;
            let index = self.unit.declare_global(declared, specified, None);
            self.unit.declare(name, Symbol::Global(index));
            return Ok(());
        }
        let here = self.unit.span(init.span);
        if here.is_some() {
            self.span = here;
        }
        if declared.ty.is_function_pointer()
            && !self.facts.may_write(declared.name)
            && let Some(Initializer::Expression(value)) = initializer.map(|init| &init.node)
            && let Ok(Value::Function(index)) = self.value(value)
        {
            self.unit.declare(declared.name, Symbol::Function(index));
            return Ok(());
        }
        if specified.is_static && !(declared.is_const && initializer.is_some()) {
            return self.saved(&declared, specified, initializer);
        }
        if declared.ty.is_pointer() && !declared.ty.is_function_pointer() {
            let span = self.unit.span(declared.span);
            return self.local_pointer(
                declared.name,
                declared.ty,
                &specified.spelling,
                span,
                initializer,
            );
        }
        let var = self.plain(&declared, specified, initializer)?;
        match initializer {
            Some(initializer) => {
                let ty = self.known[var.index()].ty.clone();
                self.initialise(Place::whole(var, ty), &initializer.node)
            }
            None => Ok(()),
        }
    }

    /// A local that is declared as it is.
    fn plain(
        &mut self,
        declared: &Declared<'a>,
        specified: &Specified<'a>,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<VarId> {
        let mut ty = declared.ty.clone();
        if let (
            CType::Array {
                element,
                extent: ArrayExtent::Unknown,
            },
            Some(initializer),
        ) = (&ty, initializer)
            && let Some(count) = self.unit.initializer_length(&initializer.node)
        {
            ty = CType::Array {
                element: element.clone(),
                extent: ArrayExtent::Constant(count),
            };
        }
        if let (CType::Scalar(scalar), false) = (&ty, specified.is_static)
            && let Some(var) = self.ended_scalar(declared.name, *scalar, &specified.spelling)
        {
            self.unit.declare(declared.name, Symbol::Local(var));
            return Ok(var);
        }
        let var = self.local_variable(declared.name, declared.name, ty, Representation::Plain)?;
        let span = self.unit.span(declared.span);
        let variable = &mut self.procedure.variables[var];
        variable.span = span;
        variable.spelling = spelled(&specified.spelling);
        self.unit.declare(declared.name, Symbol::Local(var));
        Ok(var)
    }

    /// A `static` in a block. Initial values of arrays and records are set at the first call.
    fn saved(
        &mut self,
        declared: &Declared<'a>,
        specified: &Specified<'a>,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<()> {
        let var = self.plain(declared, specified, initializer)?;
        self.procedure.variables[var].storage = Storage::Saved;
        let Some(initializer) = initializer else {
            return Ok(());
        };
        let ty = self.known[var.index()].ty.clone();
        if let (CType::Scalar(scalar), Initializer::Expression(value)) = (&ty, &initializer.node) {
            let (emitted, value) = self.in_block(|body| body.scalar_as(value, *scalar));
            if emitted.is_empty() {
                self.procedure.variables[var].initial = Some(value?);
                return Ok(());
            }
        }
        let flag = self.temporary(&format!("{}_is_set", declared.name), Type::LOGICAL);
        self.procedure.variables[flag].storage = Storage::Saved;
        let unset = self.builder().logical(false);
        self.procedure.variables[flag].initial = Some(unset);
        let (then, done) = self.in_block(|body| {
            let set = body.builder().logical(true);
            body.assign(Access::whole(flag), set);
            body.initialise(Place::whole(var, ty), &initializer.node)
        });
        done?;
        let is_set = self.load(flag);
        let condition = self.not(is_set);
        self.emit(Stmt::If {
            condition,
            then,
            otherwise: Vec::new(),
        });
        Ok(())
    }

    /// A variable whose declaration could not be taken apart: known, but touched by quoted text
    /// only.
    fn undeclarable(
        &mut self,
        init: &'a Node<InitDeclarator>,
        specified: &Specified<'a>,
        why: super::Unsupported,
    ) {
        let declarator = &init.node.declarator.node;
        let declared = self
            .unit
            .declared(declarator, specified.ty.clone(), specified.is_const);
        let known = match self.unit.lookup(declared.name) {
            Some(&Symbol::Local(var)) => {
                let source_name = self.known[var.index()].source_name;
                (source_name == declared.name && self.unit.is_declared_here(declared.name))
                    .then_some(var)
            }
            _ => None,
        };
        let var = known.unwrap_or_else(|| {
            let unique = self.unique_name(declared.name);
            let ty = self.unit.ir_type(&declared.ty);
            let mut variable = Variable::scalar(unique, ty);
            variable.span = self.unit.span(declared.span);
            variable.spelling = spelled(&specified.spelling);
            // Its type is not to be relied on: all that uses it is quoted.
            let known = Known {
                ty: CType::Unknown,
                representation: Representation::Plain,
                source_name: declared.name,
            };
            let var = self.add_variable(variable, known);
            self.unit.declare(declared.name, Symbol::Local(var));
            var
        });
        if let Some(initializer) = &init.node.initializer {
            let text = format!(
                "{};",
                self.text(crate::cst::Span::span(init.span.start, init.span.end))
            );
            let mut facts = super::Facts::default();
            crate::cst::visit::Visit::visit_initializer(
                &mut facts,
                &initializer.node,
                &initializer.span,
            );
            self.quote_initializer(&facts, text, var);
            self.warn(why);
        }
    }

    /// Adds a local variable.
    pub fn local_variable(
        &mut self,
        wanted: &str,
        source_name: &'a str,
        ty: CType<'a>,
        representation: Representation<'a>,
    ) -> Lowered<VarId> {
        let element = match ty.is_array() {
            true => self.unit.ir_type(ty.element()),
            false => self.unit.ir_type(&ty),
        };
        if element == Type::Unknown {
            return self.unsupported("a variable of a type that is not understood");
        }
        let shape = self.fixed_extents(wanted, &ty)?;
        let name = self.unique_name(wanted);
        let mut variable = Variable::scalar(name, element);
        variable.span = self.span;
        variable.shape = shape;
        let known = Known {
            ty,
            representation,
            source_name,
        };
        Ok(self.add_variable(variable, known))
    }

    /// The shape of a local array; lengths that may change later are kept.
    fn fixed_extents(&mut self, wanted: &str, ty: &CType<'a>) -> Lowered<Vec<contraflow_ir::Dim>> {
        let mut shape = self.shape(ty)?;
        for dim in &mut shape {
            if let contraflow_ir::Extent::Count(count) = dim.extent {
                let changes = {
                    let reads = self.procedure.reads_of_expr(count);
                    reads.iter().any(|access| {
                        let known = &self.known[access.var.index()];
                        let fixed = access.path.is_empty()
                            && !self.facts.may_write(known.source_name)
                            && self.procedure.variables[access.var].is_argument();
                        !fixed
                    })
                };
                if changes {
                    let kept = self.keep(&format!("{wanted}_extent"), count);
                    dim.extent = contraflow_ir::Extent::Count(kept);
                }
            }
        }
        Ok(shape)
    }

    /// Gives a place its initial value.
    pub fn initialise(&mut self, place: Place<'a>, initializer: &'a Initializer) -> Lowered<()> {
        match initializer {
            Initializer::Expression(value) => {
                if let (CType::Array { .. }, Expression::StringLiteral(_)) =
                    (&place.ty, &value.node)
                {
                    return self.unsupported("an array of characters with a string");
                }
                let scalar = place.ty.scalar();
                if let Expression::Call(call) = &value.node
                    && scalar.is_some()
                    && self.call_result_type(&call.node) == scalar
                {
                    let target = self.finished(place)?;
                    return self.call_into(&call.node, target);
                }
                let value = self.value(value)?;
                self.store(place, value)
            }
            Initializer::List(items) => self.initialise_list(place, items),
        }
    }

    /// `{ … }`.
    pub fn initialise_list(
        &mut self,
        place: Place<'a>,
        items: &'a [Node<InitializerListItem>],
    ) -> Lowered<()> {
        if !covers(&place.ty, items, self) {
            self.clear(place.clone())?;
        }
        self.fill(place, items)
    }

    fn fill(&mut self, place: Place<'a>, items: &'a [Node<InitializerListItem>]) -> Lowered<()> {
        let mut cursor = 0;
        self.fill_from(place, items, &mut cursor, true)
    }

    /// Takes items from `cursor` on. Without `braced`, an aggregate takes as many as it has places.
    fn fill_from(
        &mut self,
        place: Place<'a>,
        items: &'a [Node<InitializerListItem>],
        cursor: &mut usize,
        braced: bool,
    ) -> Lowered<()> {
        let count = match &place.ty {
            CType::Array {
                extent: ArrayExtent::Constant(count),
                ..
            } => *count,
            CType::Array { .. } => i64::try_from(items.len()).unwrap_or(0),
            CType::Record(record) => {
                let fields = self.unit.records[*record].fields.len();
                match self.unit.records[*record].is_union {
                    true => fields.min(1) as i64,
                    false => fields as i64,
                }
            }
            _ => 1,
        };
        let mut index = 0i64;
        while *cursor < items.len() {
            let item = &items[*cursor].node;
            if let Some(first) = item.designation.first() {
                if !braced {
                    return Ok(());
                }
                self.designated(&place, item, &first.node, &mut index)?;
                *cursor += 1;
                continue;
            }
            if index >= count {
                if braced {
                    *cursor += 1;
                    continue;
                }
                return Ok(());
            }
            let part = self.part(&place, index)?;
            self.fill_part(part, items, cursor)?;
            index += 1;
        }
        Ok(())
    }

    fn fill_part(
        &mut self,
        part: Place<'a>,
        items: &'a [Node<InitializerListItem>],
        cursor: &mut usize,
    ) -> Lowered<()> {
        let item = &items[*cursor].node;
        let is_aggregate = matches!(part.ty, CType::Array { .. } | CType::Record(_));
        match &item.initializer.node {
            Initializer::List(inner) => {
                *cursor += 1;
                self.fill(part, inner)
            }
            Initializer::Expression(value) if is_aggregate => {
                if let CType::Record(_) = part.ty
                    && let Some(CType::Record(_)) = self.type_of_expression(value)
                {
                    *cursor += 1;
                    let value = self.value(value)?;
                    return self.store(part, value);
                }
                self.fill_from(part, items, cursor, false)
            }
            initializer => {
                *cursor += 1;
                self.initialise(part, initializer)
            }
        }
    }

    fn designated(
        &mut self,
        place: &Place<'a>,
        item: &'a InitializerListItem,
        first: &'a Designator,
        index: &mut i64,
    ) -> Lowered<()> {
        if item.designation.len() > 1 {
            return self.unsupported("a nested designator");
        }
        let (from, to) = match first {
            Designator::Index(at) => {
                let at = self.unit.constant(at);
                (at, at)
            }
            Designator::Range(range) => (
                self.unit.constant(&range.node.from),
                self.unit.constant(&range.node.to),
            ),
            Designator::Member(name) => {
                let at = match &place.ty {
                    CType::Record(record) => self.unit.records[*record]
                        .fields
                        .iter()
                        .position(|field| field.name == name.node.name)
                        .map(|at| at as i128),
                    _ => None,
                };
                (at, at)
            }
        };
        let (Some(from), Some(to)) = (from, to) else {
            return self.unsupported("a designator");
        };
        if to - from > i128::from(LONGEST_RUN) {
            return self.unsupported("a designator for a long range");
        }
        for at in from..=to {
            let at = i64::try_from(at).unwrap_or(0);
            let part = self.part(place, at)?;
            match &item.initializer.node {
                Initializer::List(inner) => self.fill(part, inner)?,
                initializer => self.initialise(part, initializer)?,
            }
            *index = at + 1;
        }
        Ok(())
    }

    /// The `index`-th part of an aggregate.
    fn part(&mut self, place: &Place<'a>, index: i64) -> Lowered<Place<'a>> {
        match &place.ty {
            CType::Array { element, .. } => {
                let at = self.int(i128::from(index));
                let mut part = place.clone();
                part.ty = (**element).clone();
                part.pending.push(at);
                Ok(part)
            }
            CType::Record(record) => {
                let record = *record;
                let at = usize::try_from(index).unwrap_or(usize::MAX);
                let Some(field) = self.unit.records[record].fields.get(at) else {
                    return self.unsupported("more values than members");
                };
                let ty = field.ty.clone();
                self.unit.ir_type(&CType::Record(record));
                let mut access = place.clone().finish();
                access.path.push(Selector::Field(at as u32));
                Ok(Place {
                    access,
                    pending: Vec::new(),
                    ty,
                })
            }
            _ => Ok(place.clone()),
        }
    }

    /// Sets everything in a place to zero.
    pub fn clear(&mut self, place: Place<'a>) -> Lowered<()> {
        match place.ty.clone() {
            CType::Scalar(ty) => {
                let zero = self.zero_of(ty);
                let target = self.finished(place)?;
                self.assign(target, zero);
                Ok(())
            }
            CType::Array { .. } if place.pending.is_empty() => match place.ty.element().scalar() {
                Some(ty) => {
                    let value = self.zero_of(ty);
                    self.emit(Stmt::Fill {
                        target: place.access,
                        value,
                    });
                    Ok(())
                }
                None => self.clear_parts(place),
            },
            CType::Array { .. } | CType::Record(_) => self.clear_parts(place),
            CType::Pointer { .. } => self.store(place, Value::Null),
            _ => self.unsupported("an initial value of a type that is not understood"),
        }
    }

    fn clear_parts(&mut self, place: Place<'a>) -> Lowered<()> {
        let count = match &place.ty {
            CType::Array {
                extent: ArrayExtent::Constant(count),
                ..
            } => *count,
            CType::Record(record) => self.unit.records[*record].fields.len() as i64,
            _ => return self.unsupported("an initial value of an array of unknown length"),
        };
        if count > LONGEST_RUN {
            return self.unsupported("an initial value of a long array");
        }
        for index in 0..count {
            let part = self.part(&place, index)?;
            self.clear(part)?;
        }
        Ok(())
    }

    fn zero_of(&mut self, ty: Type) -> ExprId {
        match ty {
            Type::Logical { .. } => self.expr(Expr::Logical(false), ty),
            _ => self.builder().zero(ty),
        }
    }
}

/// Whether a list gives every part a value, so that nothing needs to be cleared.
fn covers<'a>(ty: &CType<'a>, items: &[Node<InitializerListItem>], body: &Body<'_, 'a>) -> bool {
    let plain = items.iter().all(|item| item.node.designation.is_empty());
    let parts: Vec<CType<'a>> = match ty {
        CType::Array {
            element,
            extent: ArrayExtent::Constant(count),
        } => {
            if usize::try_from(*count).ok() != Some(items.len()) {
                return false;
            }
            vec![(**element).clone(); 1]
        }
        CType::Record(record) => {
            let record = &body.unit.records[*record];
            if record.fields.len() != items.len() || record.is_union {
                return false;
            }
            record.fields.iter().map(|field| field.ty.clone()).collect()
        }
        CType::Scalar(_) => return items.len() == 1,
        _ => return false,
    };
    plain
        && items.iter().enumerate().all(|(index, item)| {
            let part = parts.get(index).or(parts.first());
            match (part, &item.node.initializer.node) {
                (Some(part), Initializer::List(inner)) => covers(part, inner, body),
                (Some(CType::Array { .. } | CType::Record(_)), _) => false,
                _ => true,
            }
        })
}
