//! Initial values: `= x`, `= { … }` with designators, and zero for what a list leaves out.

use super::facts::{Source, identifier, source_of};
use super::{Body, Lowered, Place, Value};
use crate::cst::{Designator, Expression, Initializer, InitializerListItem, Node, UnaryOperator};
use crate::declare::{ArrayExtent, CType, Symbol};
use contraflow_ir::{Expr, ExprId, Extent, Selector, Stmt, Type, VarId};

/// Aggregates longer than this are not set part by part.
const LONGEST_RUN: i64 = 64;

/// Longer arrays within records are cleared in a loop.
const SHORTEST_LOOP: i64 = 4;

/// The most values of a variable at file scope that are kept.
const MOST_VALUES: usize = 4096;

fn elements(counts: &[usize]) -> Option<usize> {
    counts
        .iter()
        .try_fold(1usize, |total, &count| total.checked_mul(count))
}

impl<'u, 'a> Body<'u, 'a> {
    /// Keeps what a variable at file scope holds when the program starts: numbers, or that it is not
    /// known.
    pub fn values_at_start(&mut self, var: VarId, ty: Type, initializer: &'a Initializer) {
        let is_array = self.procedure.variables[var].is_array();
        if let (Type::Pointer(_) | Type::Address, Initializer::Expression(value)) =
            (ty, initializer)
            && matches!(source_of(value), Source::Null)
        {
            return;
        }
        let values: Option<Vec<ExprId>> = match initializer {
            Initializer::Expression(value) if !is_array => {
                self.constant(value, ty).map(|value| vec![value])
            }
            Initializer::List(items) if is_array && !self.is_emptied(items) => {
                let counts = self.counts(var);
                counts.and_then(|counts| self.listed(items, &counts, ty))
            }
            _ => None,
        };
        let total = self.counts(var).and_then(|counts| elements(&counts));
        match (values, total) {
            (Some(values), _) if !is_array => {
                self.procedure.variables[var].initial = values.first().copied();
            }
            (Some(values), Some(total)) if total >= values.len() => {
                let rest = (total - values.len()) as u64;
                let mut runs: Vec<(u64, ExprId)> =
                    values.into_iter().map(|value| (1, value)).collect();
                if rest > 0 {
                    let zero = self.builder().zero(ty);
                    runs.push((rest, zero));
                }
                self.procedure.variables[var].values = runs;
            }
            _ => {
                let unknown = Expr::Opaque {
                    text: self.procedure.variables[var].name.clone(),
                    reads: Vec::new(),
                };
                let unknown = self.builder().expr(unknown, ty);
                self.procedure.variables[var].initial = Some(unknown);
            }
        }
    }

    /// Whether an initialiser lets a pointer point to a variable.
    pub fn has_addresses(&self, initializer: &'a Initializer) -> bool {
        match initializer {
            Initializer::Expression(value) => self.is_address(value),
            Initializer::List(items) => items
                .iter()
                .any(|item| self.has_addresses(&item.node.initializer.node)),
        }
    }

    fn is_address(&self, value: &'a Node<Expression>) -> bool {
        let is_array = |name: &str| match self.unit.lookup(name) {
            Some(&Symbol::Global(index)) => self.unit.globals[index].ty.is_array(),
            _ => false,
        };
        match &value.node {
            Expression::Identifier(name) => is_array(&name.node.name),
            Expression::Cast(cast) => self.is_address(&cast.node.expression),
            Expression::UnaryOperator(unary) => {
                let is_function = identifier(&unary.node.operand).is_some_and(|name| {
                    matches!(self.unit.lookup(name), Some(Symbol::Function(_)))
                });
                unary.node.operator.node == UnaryOperator::Address && !is_function
            }
            Expression::BinaryOperator(binary) => self.is_address(&binary.node.lhs),
            _ => false,
        }
    }

    /// Whether a list was too long for the parser, so that its values are not known.
    fn is_emptied(&self, items: &[Node<InitializerListItem>]) -> bool {
        let first = items.first().map(|item| item.span.start);
        first.is_some_and(|start| self.unit.view.marks.emptied.contains(&start))
    }

    /// The lengths of an array, outermost first.
    fn counts(&self, var: VarId) -> Option<Vec<usize>> {
        let dims = self.procedure.variables[var].shape.iter().rev();
        dims.map(|dim| match dim.extent {
            Extent::Count(count) => {
                let count = self.procedure.constant_integer(count)?;
                usize::try_from(count).ok()
            }
            _ => None,
        })
        .collect()
    }

    /// The values of a list in the order of memory, zeros for what inner lists leave out. Lists that
    /// leave out inner braces here and not there, or name places, are not known.
    fn listed(
        &mut self,
        items: &'a [Node<InitializerListItem>],
        counts: &[usize],
        ty: Type,
    ) -> Option<Vec<ExprId>> {
        let is_outer = counts.len() > 1;
        let is_list = |item: &Node<InitializerListItem>| {
            matches!(item.node.initializer.node, Initializer::List(_))
        };
        let is_nested = is_outer && items.iter().all(is_list);
        let most = if is_nested {
            *counts.first()?
        } else {
            elements(counts)?
        };
        if items.len() > most || most > MOST_VALUES {
            return None;
        }
        let mut values = Vec::new();
        for item in items {
            if !item.node.designation.is_empty() {
                return None;
            }
            match &item.node.initializer.node {
                Initializer::Expression(value) => values.push(self.constant(value, ty)?),
                Initializer::List(inner) if is_nested => {
                    let full = elements(&counts[1..])?;
                    let row = self.listed(inner, &counts[1..], ty)?;
                    let rest = full.checked_sub(row.len())?;
                    values.extend(row);
                    for _ in 0..rest {
                        let zero = self.builder().zero(ty);
                        values.push(zero);
                    }
                }
                Initializer::List(_) => return None,
            }
            if values.len() > MOST_VALUES {
                return None;
            }
        }
        Some(values)
    }

    /// The value of an expression that computes nothing by statements.
    fn constant(&mut self, value: &'a Node<Expression>, ty: Type) -> Option<ExprId> {
        let (emitted, value) = self.in_block(|body| body.scalar_as(value, ty));
        value.ok().filter(|_| emitted.is_empty())
    }

    /// Gives a place its initial value.
    pub fn initialise(&mut self, place: Place<'a>, initializer: &'a Initializer) -> Lowered<()> {
        match initializer {
            Initializer::Expression(value) => {
                if let (CType::Array { .. }, Expression::StringLiteral(_)) =
                    (&place.ty, &value.node)
                {
                    return match Self::literal_bytes(value) {
                        Some(text) => self.store_text(&place, &text),
                        None => self.unsupported("an array of characters with a string"),
                    };
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
                let goes_on = items
                    .get(*cursor)
                    .is_some_and(|it| it.node.designation.is_empty());
                if item.designation.len() > 1 && goes_on {
                    return self.unsupported("values after a nested designator");
                }
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
            Initializer::Expression(value)
                if matches!(value.node, Expression::StringLiteral(_))
                    && part.ty.element().scalar().is_some() =>
            {
                *cursor += 1;
                self.initialise(part, &item.initializer.node)
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
        let (from, to, inner) = self.designation(place, first)?;
        if to - from > LONGEST_RUN {
            return self.unsupported("a designator for a long range");
        }
        for at in from..=to {
            let mut part = self.part(place, at)?;
            part = self.part_within(part, &inner)?;
            for deeper in &item.designation[1..] {
                let (at, to, inner) = self.designation(&part, &deeper.node)?;
                if at != to {
                    return self.unsupported("a range inside a nested designator");
                }
                part = self.part(&part, at)?;
                part = self.part_within(part, &inner)?;
            }
            match &item.initializer.node {
                Initializer::List(inner) => self.fill(part, inner)?,
                initializer => self.initialise(part, initializer)?,
            }
            *index = at + 1;
        }
        Ok(())
    }

    fn part_within(&mut self, part: Place<'a>, path: &[u32]) -> Lowered<Place<'a>> {
        path.iter()
            .try_fold(part, |part, &at| self.part(&part, i64::from(at)))
    }

    /// The parts that a designator names, from the first to the last, and where in them: a member of a
    /// struct without a name is one of the struct around it.
    fn designation(
        &mut self,
        place: &Place<'a>,
        designator: &'a Designator,
    ) -> Lowered<(i64, i64, Vec<u32>)> {
        let (from, to) = match designator {
            Designator::Index(at) => {
                let at = self.unit.constant(at);
                (at, at)
            }
            Designator::Range(range) => (
                self.unit.constant(&range.node.from),
                self.unit.constant(&range.node.to),
            ),
            Designator::Member(name) => {
                let found = match &place.ty {
                    CType::Record(record) => self.find_member(*record, &name.node.name, 0),
                    _ => None,
                };
                return match found.as_ref().and_then(|(path, _)| path.split_first()) {
                    Some((&first, rest)) => Ok((i64::from(first), i64::from(first), rest.to_vec())),
                    None => self.unsupported("a designator"),
                };
            }
        };
        let count = |at: Option<i128>| at.and_then(|at| i64::try_from(at).ok());
        match (count(from), count(to)) {
            (Some(from), Some(to)) => Ok((from, to, Vec::new())),
            _ => self.unsupported("a designator"),
        }
    }

    /// The `index`-th part of an aggregate.
    pub fn part(&mut self, place: &Place<'a>, index: i64) -> Lowered<Place<'a>> {
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
            CType::Array {
                extent: ArrayExtent::Constant(count),
                ..
            } if !place.access.path.is_empty() && count > SHORTEST_LOOP => {
                let Value::Pointer(first) = self.load_place(place)? else {
                    return self.unsupported("an initial value of an array in a record");
                };
                let count = self.int(count.into());
                self.over_elements(Some(count), |body, index| {
                    let element = body.element(first, index)?;
                    body.clear(element)
                })
            }
            CType::Array { .. } if !place.access.path.is_empty() => self.clear_parts(place),
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
