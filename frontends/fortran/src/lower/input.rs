//! READ: numbers are read into variables of their own and assigned to where they go, so that the
//! assignment cuts the derivative of what was there before.

use super::array::Range;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax, Tree};
use crate::syntax::scan::commas;
use crate::view::{Slice, Statement};
use contraflow_ir::{Access, BinaryOp, Block, Stmt, Type, VarId};

/// What a READ statement reads.
pub(super) struct Received {
    /// The text of its items.
    pub text: String,
    /// What they read: their subscripts.
    pub reads: Vec<VarId>,
    /// What is read into.
    pub writes: Vec<VarId>,
    /// Brings what was read to where it goes.
    pub assigned: Block,
}

/// Stands in quoted text for the name of a variable that has none yet.
const NAME_OF: char = '\u{2}';
const END_OF_NAME: char = '\u{3}';

/// The text that stands for the name of a variable until it has one.
fn name_to_come(var: VarId) -> String {
    format!("{NAME_OF}{}{END_OF_NAME}", var.index())
}

/// The text with the names that were to come. Marks that the user's own text has stay as they are.
pub(super) fn with_names(text: &str, name: impl Fn(usize) -> Option<String>) -> String {
    let mut named = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(NAME_OF) {
        named.push_str(before);
        let meant = after.split_once(END_OF_NAME).and_then(|(index, after)| {
            let index = index.parse().ok()?;
            Some((name(index)?, after))
        });
        match meant {
            Some((name, after)) => {
                named.push_str(&name);
                rest = after;
            }
            None => {
                named.push(NAME_OF);
                rest = after;
            }
        }
    }
    named + rest
}

impl Lowerer<'_> {
    /// The items of a READ statement.
    pub(super) fn receive(
        &mut self,
        tree: &Tree,
        statement: &Statement,
        items: Slice,
    ) -> Fallible<Received> {
        let parts = commas(statement.text.as_bytes(), items);
        let roots = tree.roots(1).to_vec();
        let is_list = parts.len() == roots.len() && !self.reads_own_subscripts(tree);
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let mut texts = Vec::new();
        let mut numbers = Vec::new();
        for (position, &node) in roots.iter().enumerate() {
            let item = Syn { tree, node };
            if is_list && let Some(var) = self.number_read(item)? {
                texts.push(name_to_come(var));
                writes.push(var);
                numbers.push((node, var));
                continue;
            }
            let part = parts.get(position).copied().unwrap_or_default();
            texts.push(statement.readable_part(part));
            let names = self.names_below(item);
            writes.extend(names.iter().copied());
            reads.extend(names);
        }
        let text = match is_list {
            true => texts.join(", "),
            false => statement.readable_part(items),
        };
        let (assigned, ()) = self.block(|lowerer| {
            for (node, var) in numbers {
                lowerer.take_in(Syn { tree, node }, var)?;
            }
            Ok(())
        })?;
        Ok(Received {
            text,
            reads,
            writes,
            assigned,
        })
    }

    /// Emits what follows a READ statement that succeeded.
    pub(super) fn where_read(&mut self, status: Option<VarId>, assigned: Block) {
        match status {
            Some(status) if !assigned.is_empty() => {
                let mut b = self.build();
                let status = b.load(status);
                let zero = b.zero(b.type_of(status));
                let is_read = b.compare(BinaryOp::Equal, status, zero);
                let guarded = b.if_else(is_read, assigned, Vec::new());
                self.out.push(guarded);
            }
            _ => self.out.extend(assigned),
        }
    }

    /// Whether an item names, in its subscripts, what another one is read into.
    fn reads_own_subscripts(&mut self, tree: &Tree) -> bool {
        let mut targets = Vec::new();
        let mut subscripts = Vec::new();
        for node in tree.roots(1).to_vec() {
            let mut target = Vec::new();
            for leaf in leaves(tree, node) {
                let mut base = leaf;
                while let Syntax::Apply(inner, _) | Syntax::Member(inner, _) = tree.syntax(base) {
                    base = *inner;
                }
                target.extend(self.names_below(Syn { tree, node: base }));
            }
            let names = self.names_below(Syn { tree, node });
            subscripts.extend(names.into_iter().filter(|name| !target.contains(name)));
            targets.extend(target);
        }
        subscripts.iter().any(|name| targets.contains(name))
    }

    /// The variable of `iostat=`.
    pub(super) fn status(&mut self, tree: &Tree) -> Option<VarId> {
        let roots = tree.roots(0).to_vec();
        roots.into_iter().find_map(|node| match tree.syntax(node) {
            Syntax::Keyword(name, value)
                if tree.statement.part(*name) == "iostat"
                    && *tree.syntax(*value) == Syntax::Name =>
            {
                self.named(tree.text(*value)).ok()
            }
            _ => None,
        })
    }

    /// A variable as large as an item that is a place of real or complex numbers.
    fn number_read(&mut self, item: Syn) -> Fallible<Option<VarId>> {
        if let Syntax::ImpliedDo(..) = item.tree.syntax(item.node) {
            return self.numbers_read(item);
        }
        let is_designator = match item.tree.syntax(item.node) {
            Syntax::Name | Syntax::Member(..) => true,
            Syntax::Apply(base, _) => {
                *item.tree.syntax(*base) != Syntax::Name
                    || matches!(
                        self.applied(item.tree.text(*base)),
                        super::expr::Applied::Array
                    )
            }
            _ => false,
        };
        if !is_designator {
            return Ok(None);
        }
        let Ok(place) = self.tried(|lowerer| lowerer.place(item, &[])) else {
            return Ok(None);
        };
        if !place.ty.is_differentiable() {
            return Ok(None);
        }
        if self.rank(item)? == 0 {
            return Ok(Some(self.temporary("input", place.ty)));
        }
        let Ok(ranges) = self.ranges(item) else {
            return Ok(None);
        };
        Ok(Some(self.temporary_array("input", place.ty, &ranges)))
    }

    /// The same for a loop over single numbers of one type.
    fn numbers_read(&mut self, item: Syn) -> Fallible<Option<VarId>> {
        let tree = item.tree;
        let described = self.tried(|lowerer| {
            let ty = lowerer.list_type(item, &[item.node])?;
            lowerer.list_count(item, &[item.node])?;
            Ok(ty)
        });
        let Ok(ty) = described else {
            return Ok(None);
        };
        for node in leaves(tree, item.node) {
            let leaf = Syn { tree, node };
            let is_element = match tree.syntax(node) {
                Syntax::Member(..) => true,
                Syntax::Apply(base, _) => {
                    *tree.syntax(*base) != Syntax::Name
                        || matches!(self.applied(tree.text(*base)), super::expr::Applied::Array)
                }
                _ => false,
            };
            let is_one = is_element && self.designator_type(leaf)? == ty;
            if !ty.is_differentiable() || !is_one {
                return Ok(None);
            }
        }
        let count = self.list_count(item, &[item.node])?;
        let lower = self.int(1);
        let all = Range {
            lower,
            upper: count,
            step: None,
        };
        Ok(Some(self.temporary_array("input", ty, &[all])))
    }

    /// The next numbers of `from` go to the items of a loop, whose variable counts as in the source.
    fn take_in_loop(&mut self, item: Syn, from: VarId, next: VarId) -> Fallible<()> {
        let tree = item.tree;
        let sub = |node| Syn { tree, node };
        let Syntax::ImpliedDo(items, variable, bounds) = tree.syntax(item.node).clone() else {
            let target = self.place(item, &[])?.access;
            let place = self.load(next);
            let value = self.build().load_element(from, vec![place]);
            self.emit(Stmt::Assign { target, value });
            let mut b = self.build();
            let (place, one) = (b.load(next), b.int(1));
            let value = b.add(place, one);
            let target = Access::whole(next);
            self.emit(Stmt::Assign { target, value });
            return Ok(());
        };
        let [first, last, rest @ ..] = bounds.as_slice() else {
            return refuse("an implied loop without bounds");
        };
        let name = tree.statement.part(variable).to_owned();
        let counter = self.named(&name)?;
        if self.variable(counter).ty != Type::INT {
            return refuse("an implied loop over integers of another kind");
        }
        let (lower, upper) = (self.integer(sub(*first))?, self.integer(sub(*last))?);
        let step = match rest {
            [node, ..] => self.integer(sub(*node))?,
            [] => self.int(1),
        };
        let (block, ()) = self.block(|lowerer| {
            let mut inner = items.iter();
            inner.try_for_each(|&node| lowerer.take_in_loop(sub(node), from, next))
        })?;
        let nest = self
            .build()
            .counted_loop(counter, lower, upper, step, block);
        self.out.push(nest);
        Ok(())
    }

    /// `item = variable`
    fn take_in(&mut self, item: Syn, var: VarId) -> Fallible<()> {
        if let Syntax::ImpliedDo(..) = item.tree.syntax(item.node) {
            let next = self.temporary("next", Type::INT);
            let (target, value) = (Access::whole(next), self.int(1));
            self.emit(Stmt::Assign { target, value });
            return self.take_in_loop(item, var, next);
        }
        if !self.variable(var).is_array() {
            let target = self.place(item, &[])?.access;
            let value = self.load(var);
            self.emit(Stmt::Assign { target, value });
            return Ok(());
        }
        let ranges = self.ranges(item)?;
        self.nest(&ranges, |lowerer, at| {
            let target = lowerer.place(item, at)?.access;
            let source: Access = lowerer.temporary_element(var, at);
            let value = lowerer.build().load_access(source);
            lowerer.emit(Stmt::Assign { target, value });
            Ok(())
        })
    }
}

/// The items of loops, and what is none.
fn leaves(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    match tree.syntax(node) {
        Syntax::ImpliedDo(items, ..) => items
            .iter()
            .flat_map(|&inner| leaves(tree, inner))
            .collect(),
        _ => vec![node],
    }
}

#[cfg(test)]
mod tests {
    use super::{name_to_come, with_names};
    use contraflow_ir::VarId;

    #[test]
    fn names_are_put_in_when_they_are_known() {
        let text = format!("read *, {}, x", name_to_come(VarId::from_index(3)));
        assert_eq!(
            with_names(&text, |index| Some(format!("v{index}"))),
            "read *, v3, x"
        );
    }
}
