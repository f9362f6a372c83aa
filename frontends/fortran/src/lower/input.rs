//! READ: numbers are read into variables of their own and assigned to where they go, so that the
//! assignment cuts the derivative of what was there before.

use super::{Fallible, Lowerer, Syn};
use crate::cst::{Syntax, Tree};
use crate::syntax::scan::commas;
use crate::view::{Slice, Statement};
use contraflow_ir::{Access, BinaryOp, Block, Stmt, VarId};

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
            let mut base = node;
            while let Syntax::Apply(inner, _) | Syntax::Member(inner, _) = tree.syntax(base) {
                base = *inner;
            }
            let target = self.names_below(Syn { tree, node: base });
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

    /// `item = variable`
    fn take_in(&mut self, item: Syn, var: VarId) -> Fallible<()> {
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
