//! FORALL and DO CONCURRENT: loop nests over indices of their own.
//!
//! A FORALL assignment computes all values before it stores any, and its mask before that; so does
//! DO CONCURRENT with its mask. Where the order matters, values are kept in arrays over the positions
//! of the indices.

use super::array::Range;
use super::associate::Names;
use super::host::names_in;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Tree};
use crate::syntax::Kind;
use crate::syntax::blocks::{Construct, Node};
use crate::syntax::scan::{after_name, closing, commas, find_top};
use crate::view::Slice;
use contraflow_ir::{
    Access, Allocation, Block, Directive, Expr, ExprId, Extent, JumpLabel, Stmt, Storage, Type,
    VarId,
};
use std::collections::HashMap;
use std::sync::Arc;

/// An index of FORALL or DO CONCURRENT.
struct Index {
    name: String,
    variable: VarId,
    lower: ExprId,
    upper: ExprId,
    step: ExprId,
}

/// The header of FORALL or DO CONCURRENT.
struct Header {
    indices: Vec<Index>,
    mask: Option<(Arc<Tree>, NodeId)>,
    /// The values of the mask, where they must be kept.
    kept: Option<VarId>,
}

impl Lowerer<'_> {
    /// The indices and the mask of a FORALL or DO CONCURRENT header.
    fn header(&mut self, header: Slice) -> Fallible<Header> {
        let statement = self.statement_at(self.statement).clone();
        let bytes = statement.text.as_bytes();
        let mut indices: Vec<Index> = Vec::new();
        let mut mask = None;
        for part in commas(bytes, header) {
            let part = without_type(bytes, part);
            let equals = find_top(bytes, part, |t, at| {
                t[at] == b'=' && t.get(at + 1) != Some(&b'=') && at > 0 && t[at - 1] != b'='
            });
            let is_index = equals.is_some_and(|at| {
                bytes[part.start as usize..at]
                    .iter()
                    .all(|&b| crate::syntax::scan::in_name(b))
            });
            match equals {
                Some(at) if is_index => {
                    let name = Slice::new(part.start as usize, at);
                    let name = statement.part(name).to_owned();
                    let index = self.index(name, Slice::new(at + 1, part.end as usize))?;
                    indices.push(index);
                }
                _ => {
                    let tree = self.parse(&[part])?;
                    let node = self.only(&tree, 0)?.node;
                    mask = Some((tree, node));
                }
            }
        }
        Ok(Header {
            indices,
            mask,
            kept: None,
        })
    }

    fn index(&mut self, name: String, range: Slice) -> Fallible<Index> {
        let statement = self.statement_at(self.statement).clone();
        let bytes = statement.text.as_bytes();
        let colon = |slice| find_top(bytes, slice, |t, at| t[at] == b':');
        let Some(first) = colon(range) else {
            return refuse("an index without a range");
        };
        let rest = Slice::new(first + 1, range.end as usize);
        let second = colon(rest);
        let from = Slice::new(range.start as usize, first);
        let to = Slice::new(first + 1, second.unwrap_or(range.end as usize));
        let by = second.map_or(Slice::default(), |at| {
            Slice::new(at + 1, range.end as usize)
        });
        let tree = self.parse(&[from, to, by])?;
        let lower = self.only(&tree, 0)?;
        let upper = self.only(&tree, 1)?;
        let lower = self.scalar(lower)?;
        let upper = self.scalar(upper)?;
        let step = match tree.root(2) {
            Some(node) => self.scalar(Syn { tree: &tree, node })?,
            None => self.int(1),
        };
        let variable = self.temporary("i", Type::INT);
        Ok(Index {
            name,
            variable,
            lower: self.converted(lower, Type::INT)?,
            upper: self.converted(upper, Type::INT)?,
            step: self.converted(step, Type::INT)?,
        })
    }

    /// What `f` emits, with the names of the indices and the mask around it.
    fn with_indices(
        &mut self,
        header: &Header,
        f: impl FnOnce(&mut Self) -> Fallible<()>,
    ) -> Fallible<Block> {
        let mut map: HashMap<_, _> = self.substitutions.last().cloned().unwrap_or_default();
        for index in &header.indices {
            let load = self.load(index.variable);
            map.insert(index.name.clone(), load);
        }
        self.substitutions.push(map);
        let names = header.indices.iter().map(|index| index.name.clone());
        self.local_names.push(names.collect());
        let result = self.block(|lowerer| {
            let condition = match (header.kept, &header.mask) {
                (Some(kept), _) => {
                    let position = lowerer.position(header);
                    let access = Access::element(kept, position);
                    Some(lowerer.add(Expr::Load(access), Type::LOGICAL))
                }
                (None, Some((tree, node))) => Some(lowerer.condition(Syn { tree, node: *node })?),
                (None, None) => None,
            };
            let Some(condition) = condition else {
                return f(lowerer);
            };
            let (then, ()) = lowerer.block(f)?;
            let stmt = lowerer.build().if_else(condition, then, Vec::new());
            lowerer.out.push(stmt);
            Ok(())
        });
        self.local_names.pop();
        self.substitutions.pop();
        Ok(result?.0)
    }

    /// Loops over the indices, the last one outermost, around a block. The label is that of the
    /// innermost one.
    fn over(&mut self, header: &Header, mut block: Block, mut label: Option<JumpLabel>) {
        for index in &header.indices {
            let directive = Directive {
                text: "concurrent".to_owned(),
                independent: true,
                collapse: 1,
                ..Directive::default()
            };
            let stmt = self.build().stmt(Stmt::Loop {
                variable: index.variable,
                lower: index.lower,
                upper: index.upper,
                step: index.step,
                body: block,
                label: label.take(),
                directive: Some(Box::new(directive)),
            });
            block = vec![stmt];
        }
        self.out.extend(block);
    }

    /// The position of each index in its range, from 1.
    fn position(&mut self, header: &Header) -> Vec<ExprId> {
        let mut subscripts = Vec::new();
        for index in &header.indices {
            let mut b = self.build();
            let value = b.load(index.variable);
            let is_plain =
                b.integer_value(index.lower) == Some(1) && b.integer_value(index.step) == Some(1);
            if is_plain {
                subscripts.push(value);
                continue;
            }
            let distance = b.sub(value, index.lower);
            let steps = match b.integer_value(index.step) {
                Some(1) => distance,
                _ => b.div(distance, index.step),
            };
            let one = b.int(1);
            subscripts.push(b.add(steps, one));
        }
        subscripts
    }

    /// An array with an element for each combination of the indices.
    fn over_positions(&mut self, base: &str, ty: Type, header: &Header) -> VarId {
        let mut ranges = Vec::new();
        for index in &header.indices {
            let count = self.count(&Range {
                lower: index.lower,
                upper: index.upper,
                step: Some(index.step),
            });
            let lower = self.int(1);
            ranges.push(Range {
                lower,
                upper: count,
                step: None,
            });
        }
        self.temporary_array(base, ty, &ranges)
    }

    /// Evaluates the mask for all combinations, before anything is done.
    fn keep_mask(&mut self, header: &mut Header) -> Fallible<()> {
        let Some((tree, node)) = header.mask.take() else {
            return Ok(());
        };
        let kept = self.over_positions("mask", Type::LOGICAL, header);
        let block = self.with_indices(header, |lowerer| {
            let value = lowerer.condition(Syn { tree: &tree, node })?;
            let value = lowerer.converted(value, Type::LOGICAL)?;
            let position = lowerer.position(header);
            lowerer.emit(Stmt::Assign {
                target: Access::element(kept, position),
                value,
            });
            Ok(())
        })?;
        self.over(header, block, None);
        header.kept = Some(kept);
        Ok(())
    }

    /// Settles what the statements below would change: bounds, and the values of the mask.
    fn settle(&mut self, header: &mut Header, nodes: &[Node]) -> Fallible<()> {
        for position in 0..header.indices.len() {
            let index = &header.indices[position];
            for (which, e) in [index.lower, index.upper, index.step]
                .into_iter()
                .enumerate()
            {
                let reads = self.procedure.reads_of_expr(e);
                let vars: Vec<VarId> = reads.iter().map(|read| read.var).collect();
                if !self.nodes_may_change(nodes, &vars) {
                    continue;
                }
                let fixed = self.fixed(e);
                let index = &mut header.indices[position];
                match which {
                    0 => index.lower = fixed,
                    1 => index.upper = fixed,
                    _ => index.step = fixed,
                }
            }
        }
        if let Some((tree, node)) = header.mask.clone() {
            let reads = self.names_below(Syn { tree: &tree, node });
            if self.nodes_may_change(nodes, &reads) {
                self.keep_mask(header)?;
            }
        }
        Ok(())
    }

    /// Whether statements may change one of the variables: they assign to it, or name it in anything
    /// that is no assignment.
    fn nodes_may_change(&mut self, nodes: &[Node], vars: &[VarId]) -> bool {
        let mut pending: Vec<&Node> = nodes.iter().collect();
        while let Some(node) = pending.pop() {
            match node {
                Node::Construct(construct) => {
                    pending.extend(construct.arms.iter().flat_map(|arm| &arm.body));
                }
                Node::Simple(index) => {
                    let statement = self.statement_at(*index).clone();
                    let mut kind = self.kind_at(*index).clone();
                    while let Kind::If { action, .. } = kind {
                        kind = *action;
                    }
                    let text = match kind {
                        Kind::Assignment { target, .. } => {
                            let text = statement.part(target);
                            &text[..after_name(text.as_bytes(), 0)]
                        }
                        _ => statement.text.as_str(),
                    };
                    let changed = names_in(text)
                        .into_iter()
                        .filter_map(|name| self.known_variable(name))
                        .any(|var| vars.contains(&var));
                    if changed {
                        return true;
                    }
                }
            }
        }
        false
    }

    pub(super) fn concurrent(&mut self, construct: &Construct, slice: Slice) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let nodes = &construct.arms[0].body;
        let outer = std::mem::take(&mut self.to_free);
        let mut header = self.header(slice)?;
        self.settle(&mut header, nodes)?;
        let temporaries = std::mem::replace(&mut self.to_free, outer);
        let (own, initial) = self.locality(slice)?;
        let names: std::collections::HashSet<String> = own.keys().cloned().collect();
        self.associations.push(own);
        self.local_names.push(names);
        let name = self.construct_name(construct);
        let mut label = None;
        let block = self.with_indices(&header, |lowerer| {
            for (var, from) in initial {
                let value = lowerer.load(from);
                let assigned = lowerer.build().assign(Access::whole(var), value);
                lowerer.out.push(assigned);
            }
            let body = lowerer.enclosed(name, true, true, |lowerer| lowerer.nodes(nodes));
            label = body.exit;
            lowerer.out.extend(body.block);
            Ok(())
        });
        self.local_names.pop();
        self.associations.pop();
        self.still_quotable()?;
        self.over(&header, block?, label);
        for var in temporaries {
            self.emit(Stmt::Free {
                target: Access::whole(var),
            });
        }
        Ok(())
    }

    /// The variables that each iteration has for itself, and those of them that start with the value
    /// from outside.
    fn locality(&mut self, header: Slice) -> Fallible<(Names, Vec<(VarId, VarId)>)> {
        let statement = self.statement_at(self.statement).clone();
        let bytes = statement.text.as_bytes();
        let (mut own, mut initial) = (Names::new(), Vec::new());
        let mut at = header.end as usize + 1;
        while at < bytes.len() {
            let end = after_name(bytes, at);
            let word = &statement.text[at..end];
            let Some(close) = closing(bytes, end).filter(|_| end > at) else {
                return refuse("a locality that is not read");
            };
            let list = commas(bytes, Slice::new(end + 1, close));
            at = close + 1;
            if !matches!(word, "local" | "local_init") {
                continue;
            }
            for part in list {
                let name = statement.part(part);
                let outer = self.named(name)?;
                let mut variable = self.variable(outer).clone();
                let is_plain = variable.allocation == Allocation::Fixed
                    && variable
                        .shape
                        .iter()
                        .all(|dim| matches!(dim.extent, Extent::Count(_)));
                if !is_plain || (word == "local_init" && variable.is_array()) {
                    return refuse("an array that each iteration has for itself");
                }
                variable.storage = Storage::Local;
                variable.passing = contraflow_ir::Passing::Reference;
                variable.intent = contraflow_ir::Intent::Unspecified;
                variable.optional = false;
                let (ty, rank) = (variable.ty, variable.rank());
                let var = self.generate(&format!("{name}_"), variable);
                if word == "local_init" {
                    initial.push((var, outer));
                }
                let place = super::array::Place::of(Access::whole(var), ty, rank);
                own.insert(name.to_owned(), Some(place));
            }
        }
        Ok((own, initial))
    }

    pub(super) fn one_line_forall(&mut self, header: Slice, action: &Kind) -> Fallible<()> {
        let Kind::Assignment { target, value } = action else {
            return refuse("FORALL of something other than an assignment");
        };
        let mut header = self.header(header)?;
        let node = Node::Simple(self.statement);
        if matches!(self.kind_at(self.statement), Kind::Forall { .. }) {
            self.settle_assignment(&mut header, *target)?;
        } else {
            self.settle(&mut header, &[node])?;
        }
        self.forall_assignment(&header, *target, *value)?;
        self.still_quotable()
    }

    /// The same for a single assignment.
    fn settle_assignment(&mut self, header: &mut Header, target: Slice) -> Fallible<()> {
        let tree = self.parse(&[target])?;
        let target = self.only(&tree, 0)?;
        let root = self.root(target)?;
        for position in 0..header.indices.len() {
            let index = &header.indices[position];
            let bounds = [index.lower, index.upper, index.step].map(|e| {
                let reads = self.procedure.reads_of_expr(e);
                let is_read = reads.iter().any(|read| read.var == root);
                if is_read { self.fixed(e) } else { e }
            });
            let index = &mut header.indices[position];
            [index.lower, index.upper, index.step] = bounds;
        }
        if let Some((tree, node)) = header.mask.clone()
            && self.names_below(Syn { tree: &tree, node }).contains(&root)
        {
            self.keep_mask(header)?;
        }
        Ok(())
    }

    /// An assignment all of whose values are computed before any is stored.
    fn forall_assignment(&mut self, header: &Header, target: Slice, value: Slice) -> Fallible<()> {
        let tree = self.parse(&[target, value])?;
        let target = self.only(&tree, 0)?;
        let value = self.only(&tree, 1)?;
        let root = self.root(target)?;
        let subscripts = match tree.syntax(target.node) {
            crate::cst::Syntax::Apply(_, subscripts) => subscripts.clone(),
            _ => Vec::new(),
        };
        for node in subscripts {
            if self.reads_other(Syn { tree: &tree, node }, "", root) {
                return refuse("FORALL assigns to what its subscripts read");
            }
        }
        if !self.reads_other(value, tree.text(target.node), root) {
            let block = self.with_indices(header, |lowerer| lowerer.assign(target, value))?;
            self.over(header, block, None);
            return Ok(());
        }
        let ty = self.designator_type(target)?;
        let kept = self.over_positions("values", ty, header);
        let block = self.with_indices(header, |lowerer| {
            if lowerer.rank(target)? > 0 {
                return refuse("FORALL of sections that reads what it assigns to");
            }
            let value = lowerer.scalar(value)?;
            let value = lowerer.fitting(value, ty)?;
            let position = lowerer.position(header);
            lowerer.emit(Stmt::Assign {
                target: Access::element(kept, position),
                value,
            });
            Ok(())
        })?;
        self.over(header, block, None);
        let block = self.with_indices(header, |lowerer| {
            let place = lowerer.place(target, &[])?;
            let position = lowerer.position(header);
            let value = lowerer.add(Expr::Load(Access::element(kept, position)), ty);
            lowerer.emit(Stmt::Assign {
                target: place.access,
                value,
            });
            Ok(())
        })?;
        self.over(header, block, None);
        Ok(())
    }

    /// Whether an expression reads a variable other than by the text `same`.
    fn reads_other(&mut self, e: Syn, same: &str, root: VarId) -> bool {
        let mut pending = vec![e.node];
        while let Some(node) = pending.pop() {
            if !same.is_empty() && e.tree.text(node) == same {
                continue;
            }
            let inner = Syn { tree: e.tree, node };
            if *e.tree.syntax(node) == crate::cst::Syntax::Name
                && self
                    .root(inner)
                    .is_ok_and(|var| self.may_overlap(root, var))
            {
                return true;
            }
            pending.extend(e.tree.children(node));
        }
        false
    }

    pub(super) fn forall_construct(&mut self, construct: &Construct, slice: Slice) -> Fallible<()> {
        let head = construct.arms[0].head;
        self.statement = head;
        self.span = self.statement_at(head).place();
        let nodes = &construct.arms[0].body;
        let mut header = self.header(slice)?;
        self.settle(&mut header, nodes)?;
        for node in nodes {
            let Node::Simple(index) = node else {
                return refuse("a construct inside FORALL");
            };
            self.statement = *index;
            self.span = self.statement_at(*index).place();
            let Kind::Assignment { target, value } = *self.kind_at(*index) else {
                return refuse("something other than an assignment in FORALL");
            };
            self.forall_assignment(&header, target, value)?;
        }
        self.still_quotable()?;
        self.release();
        Ok(())
    }
}

/// An index may be declared in the header: `integer :: i = 1:n`.
fn without_type(bytes: &[u8], part: Slice) -> Slice {
    match find_top(bytes, part, |t, at| t[at..].starts_with(b"::")) {
        Some(at) => Slice::new(at + 2, part.end as usize),
        None => part,
    }
}
