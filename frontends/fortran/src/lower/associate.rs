//! ASSOCIATE: names for places and for values.
//!
//! A name for a variable stands for its place; subscripts are evaluated once, at the head. A name for
//! a section counts from 1: [`Lowerer::composed`] puts the subscripts together. A name for any other
//! expression is a temporary that holds its value.

use super::array::{Place, Range};
use super::{Fallible, Lowerer, Syn, refuse};
use crate::syntax::blocks::Construct;
use crate::syntax::scan::{commas, find_top};
use crate::view::Slice;
use contraflow_ir::{Access, Expr, ExprId, Intent, Passing, Selector, Type, VarId};
use std::collections::{HashMap, HashSet};

/// What names stand for in a construct; `None`: a local name hides an outer association.
pub(super) type Names = HashMap<String, Option<Place>>;

impl Lowerer<'_> {
    /// What an associate name stands for.
    pub(super) fn association(&self, name: &str) -> Option<&Place> {
        let known = self.associations.iter().rev().find_map(|map| map.get(name));
        known.and_then(Option::as_ref)
    }

    pub(super) fn associate_construct(
        &mut self,
        construct: &Construct,
        list: Slice,
    ) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let outer = std::mem::take(&mut self.to_free);
        let names = self.associated_names(list);
        self.hoisted.clear();
        let temporaries = std::mem::replace(&mut self.to_free, outer);
        let name = self.construct_name(construct);
        self.local_names.push(HashSet::new());
        let names = match names {
            Ok(names) => names,
            Err(refusal) => {
                self.local_names.pop();
                return Err(refusal);
            }
        };
        if let Some(local) = self.local_names.last_mut() {
            local.extend(names.keys().cloned());
        }
        self.associations.push(names);
        let mut body = self.enclosed(name, false, true, |lowerer| {
            lowerer.nodes(&construct.arms[0].body);
        });
        self.associations.pop();
        self.local_names.pop();
        self.still_quotable()?;
        let made: Vec<(VarId, bool)> = temporaries.into_iter().map(|var| (var, true)).collect();
        self.release_where_left(&made, &mut body.block, body.exit);
        self.labelled(body.exit, body.block);
        let released = self.released(&made);
        self.out.extend(released);
        Ok(())
    }

    /// Fails if text that was quoted since names a local name that the text around does not have.
    pub(super) fn still_quotable(&mut self) -> Fallible<()> {
        if std::mem::take(&mut self.is_unquotable) {
            return refuse("a statement in it is kept as it stands and has names of the construct");
        }
        Ok(())
    }

    /// Notes that text is quoted.
    pub(super) fn quotes(&mut self, text: &str) {
        self.keeps_objects(&text.to_ascii_lowercase());
        if self.local_names.is_empty() {
            return;
        }
        let text = text.to_ascii_lowercase();
        let words = super::host::names_in(&text);
        self.is_unquotable |= self
            .local_names
            .iter()
            .any(|names| words.iter().any(|word| names.contains(*word)));
    }

    fn associated_names(&mut self, list: Slice) -> Fallible<Names> {
        let statement = self.statement_at(self.statement).clone();
        let bytes = statement.text.as_bytes();
        let mut names = Names::new();
        for part in commas(bytes, list) {
            let arrow = find_top(bytes, part, |t, at| t[at..].starts_with(b"=>"));
            let Some(at) = arrow else {
                return refuse("an association without a selector");
            };
            let name = statement
                .part(Slice::new(part.start as usize, at))
                .to_owned();
            let is_index = self
                .substitutions
                .last()
                .is_some_and(|map| map.contains_key(&name));
            if is_index {
                return refuse(format!("`{name}` is an index of a loop around too"));
            }
            let tree = self.parse(&[Slice::new(at + 2, part.end as usize)])?;
            let selector = self.only(&tree, 0)?;
            let place = self.selected(&name, selector)?;
            names.insert(name, Some(place));
        }
        Ok(names)
    }

    /// What a selector stands for, evaluated now.
    fn selected(&mut self, name: &str, e: Syn) -> Fallible<Place> {
        if let Some(place) = self.selected_place(e)? {
            return Ok(place);
        }
        let ty = self.element_type(e)?;
        if ty == Type::Character {
            return refuse("a name for a character expression");
        }
        self.hoist(e)?;
        if self.rank(e)? == 0 {
            let value = self.scalar(e)?;
            let ty = self.type_of(value);
            let var = self.temporary(&format!("{name}_"), ty);
            let assigned = self.build().assign(Access::whole(var), value);
            self.out.push(assigned);
            return Ok(Place::of(Access::whole(var), ty, 0));
        }
        let var = self.array_temporary(e)?;
        let rank = self.variable(var).rank();
        Ok(Place::of(Access::whole(var), self.variable(var).ty, rank))
    }

    /// The place that a selector is, if it is a variable without a list of subscripts.
    fn selected_place(&mut self, e: Syn) -> Fallible<Option<Place>> {
        let mark = self.out.len();
        let place = match self.place_argument(e) {
            Ok(Some(_)) => self.place(e, &[])?,
            _ => {
                self.out.truncate(mark);
                return Ok(None);
            }
        };
        if matches!(place.ty, Type::Unknown | Type::Procedure) {
            return refuse("a name for something that is no variable");
        }
        self.frozen(place).map(Some)
    }

    /// The place with subscripts that keep the value that they have now, and sections with both ends.
    pub(super) fn frozen(&mut self, place: Place) -> Fallible<Place> {
        let mut whole = Access::whole(place.access.var);
        let count = place.access.path.len();
        for (position, selector) in place.access.path.into_iter().enumerate() {
            let Selector::Index(subscripts) = selector else {
                whole.path.push(selector);
                continue;
            };
            let mut fixed = Vec::new();
            for (dim, subscript) in subscripts.into_iter().enumerate() {
                let Expr::Range { lower, upper, step } = *self.procedure.expr(subscript) else {
                    fixed.push(self.fixed(subscript));
                    continue;
                };
                if position + 1 < count {
                    return refuse("a name for components of a section");
                }
                let lower = match lower {
                    Some(lower) => lower,
                    None => self.lower_bound(&whole, dim)?,
                };
                let upper = match upper {
                    Some(upper) => upper,
                    None => self.upper_bound(&whole, dim)?,
                };
                let range = Expr::Range {
                    lower: Some(self.fixed(lower)),
                    upper: Some(self.fixed(upper)),
                    step: step.map(|step| self.fixed(step)),
                };
                fixed.push(self.add(range, Type::INT));
            }
            whole.path.push(Selector::Index(fixed));
        }
        Ok(Place::of(whole, place.ty, place.rank))
    }

    /// A whole array as a section, so that it counts from 1.
    pub(super) fn counted_from_one(&mut self, place: Place) -> Fallible<Place> {
        if place.rank == 0 || !self.sections(&place.access).is_empty() {
            return Ok(place);
        }
        let mut access = place.access.clone();
        let mut subscripts = Vec::new();
        for range in self.whole_ranges(&place.access)? {
            let range = Expr::Range {
                lower: Some(range.lower),
                upper: Some(range.upper),
                step: None,
            };
            subscripts.push(self.add(range, Type::INT));
        }
        access.path.push(Selector::Index(subscripts));
        Ok(Place::of(access, place.ty, place.rank))
    }

    /// An expression with the value that this one has now.
    pub(super) fn fixed(&mut self, e: ExprId) -> ExprId {
        let mut is_fixed = true;
        self.procedure.walk_expr(e, &mut |id| {
            is_fixed &= match self.procedure.expr(id) {
                Expr::Load(access) => {
                    let variable = &self.procedure.variables[access.var];
                    let is_input = variable.is_argument()
                        && (variable.intent == Intent::In || variable.passing == Passing::Value);
                    access.path.is_empty()
                        && (variable.is_constant()
                            || is_input
                            || self.counters.contains(&access.var))
                }
                Expr::Bound { array, .. } => {
                    let variable = &self.procedure.variables[array.var];
                    array.path.is_empty() && variable.allocation == contraflow_ir::Allocation::Fixed
                }
                Expr::Opaque { .. } => false,
                _ => true,
            };
        });
        if is_fixed {
            return e;
        }
        let ty = self.type_of(e);
        let var = self.temporary("at", ty);
        let assigned = self.build().assign(Access::whole(var), e);
        self.out.push(assigned);
        self.load(var)
    }

    /// The sections in the last subscripts of a place: positions, and what they run over.
    pub(super) fn sections(&self, access: &Access) -> Vec<(usize, Range)> {
        let Some(Selector::Index(subscripts)) = access.path.last() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (position, &subscript) in subscripts.iter().enumerate() {
            if let Expr::Range {
                lower: Some(lower),
                upper: Some(upper),
                step,
            } = *self.procedure.expr(subscript)
            {
                found.push((position, Range { lower, upper, step }));
            }
        }
        found
    }

    /// A place of sections with subscripts that count from 1 in each of them.
    pub(super) fn composed(&mut self, access: &Access, subscripts: Vec<ExprId>) -> Access {
        let sections = self.sections(access);
        let mut access = access.clone();
        if sections.is_empty() {
            access.path.push(Selector::Index(subscripts));
            return access;
        }
        for ((position, range), subscript) in sections.into_iter().zip(subscripts) {
            let composed = match *self.procedure.expr(subscript) {
                Expr::Range { lower, upper, step } => {
                    let lower = match lower {
                        Some(lower) => self.at_position(&range, lower),
                        None => range.lower,
                    };
                    let upper = match upper {
                        Some(upper) => self.at_position(&range, upper),
                        None => range.upper,
                    };
                    let step = match (range.step, step) {
                        (None, step) => step,
                        (step, None) => step,
                        (Some(outer), Some(inner)) => {
                            let mut b = self.build();
                            let inner = b.convert(inner, Type::INT);
                            let outer = b.convert(outer, Type::INT);
                            Some(b.mul(outer, inner))
                        }
                    };
                    let range = Expr::Range {
                        lower: Some(lower),
                        upper: Some(upper),
                        step,
                    };
                    self.add(range, Type::INT)
                }
                _ => self.at_position(&range, subscript),
            };
            if let Some(Selector::Index(own)) = access.path.last_mut() {
                own[position] = composed;
            }
        }
        access
    }

    /// The subscript at a position, counted from 1, of a section.
    fn at_position(&mut self, range: &Range, position: ExprId) -> ExprId {
        let lower = range.lower;
        let is_unit = range
            .step
            .is_none_or(|step| self.build().integer_value(step) == Some(1));
        if is_unit && self.build().integer_value(lower) == Some(1) {
            return position;
        }
        let (base, constant) = self.split_constant(position);
        let step = range.step;
        let mut b = self.build();
        let lower = b.convert(lower, Type::INT);
        let shift = b.int(constant - 1);
        let distance = match base {
            None => shift,
            Some(base) => {
                let base = b.convert(base, Type::INT);
                if constant == 1 {
                    base
                } else {
                    b.add(base, shift)
                }
            }
        };
        let distance = match step {
            None => distance,
            Some(step) => {
                let step = b.convert(step, Type::INT);
                b.mul(distance, step)
            }
        };
        if b.integer_value(distance) == Some(0) {
            return lower;
        }
        match (b.integer_value(lower), b.integer_value(distance)) {
            (Some(lower), Some(distance)) => b.int(lower + distance),
            _ if is_unit => {
                // `lower - 1 + position`, so that the subscript stays easy to read.
                match (b.integer_value(lower), base) {
                    (Some(lower), Some(base)) => {
                        let base = b.convert(base, Type::INT);
                        match lower - 1 + constant {
                            0 => base,
                            shift => {
                                let shift = b.int(shift);
                                b.add(base, shift)
                            }
                        }
                    }
                    _ => b.add(lower, distance),
                }
            }
            _ => b.add(lower, distance),
        }
    }
}
