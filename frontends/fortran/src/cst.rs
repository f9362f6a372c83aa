//! The parser. Only this file knows tree-sitter; the rest of the front end sees [`Tree`].
//!
//! The expressions of one statement are parsed at once, as the arguments of a call in a tiny
//! subroutine, so that a bad statement disturbs nothing but itself. The concrete tree is turned
//! into a small one of our own right away, and what it gets wrong is set right on the way:
//! `a**b**c` is right-associative.

mod outline;
mod parsers;

pub use parsers::Parsers;

use crate::neutral::{Neutral, neutralize};
use crate::view::{Slice, Statement};
use contraflow_ir::{BinaryOp, Span, UnaryOp};
use outline::{Forms, Outline};
use std::sync::{Arc, OnceLock};
use tree_sitter::{Language, Node as Concrete, Parser as TreeSitter, TreeCursor};

const PROLOGUE: &str = "subroutine z\ncall z(";
const EPILOGUE: &str = ")\nend subroutine z\n";

/// How deep expressions may nest.
const DEEPEST: usize = 25_000;

/// Names a node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

/// The expressions of one statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// The statement.
    pub statement: Arc<Statement>,
    nodes: Vec<Node>,
    roots: Vec<Vec<NodeId>>,
}

/// One node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it is.
    pub syntax: Syntax,
    /// Its text.
    pub slice: Slice,
}

/// What a node is.
#[derive(Clone, PartialEq, Debug)]
pub enum Syntax {
    /// A name.
    Name,
    /// An integer literal.
    Integer,
    /// A real literal.
    Real,
    /// A binary, octal or hexadecimal literal.
    Boz,
    /// A character literal.
    Text,
    /// `.true.` or `.false.`
    Logical(bool),
    /// `-a`, `+a`, `.not. a`
    Unary(UnaryOp, NodeId),
    /// An intrinsic operation.
    Binary(BinaryOp, NodeId, NodeId),
    /// An operation of the program's own.
    Defined(Vec<NodeId>),
    /// `base(arguments)`: an element, a section, a call, a substring, a structure constructor.
    Apply(NodeId, Vec<NodeId>),
    /// `base%name`
    Member(NodeId, Slice),
    /// `lower:upper:step`
    Range(Option<NodeId>, Option<NodeId>, Option<NodeId>),
    /// `name = value`
    Keyword(Slice, NodeId),
    /// `[type :: items]`
    Array(Vec<NodeId>, Option<Slice>),
    /// `(items, variable = from, to, step)`
    ImpliedDo(Vec<NodeId>, Slice, Vec<NodeId>),
    /// `(re, im)`
    Complex(NodeId, NodeId),
    /// `(a)`
    Parenthesized(NodeId),
    /// `*`
    Star,
    /// `*10`
    AlternateReturn,
    /// A coindexed object, a conditional expression and what else is not read.
    Unsupported(Vec<NodeId>),
}

impl Tree {
    /// A tree without expressions.
    pub fn empty(statement: &Arc<Statement>) -> Tree {
        Tree {
            statement: statement.clone(),
            nodes: Vec::new(),
            roots: Vec::new(),
        }
    }

    /// The node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What the node is.
    pub fn syntax(&self, id: NodeId) -> &Syntax {
        &self.nodes[id.0 as usize].syntax
    }

    /// Its lower-case text.
    pub fn text(&self, id: NodeId) -> &str {
        self.statement.part(self.node(id).slice)
    }

    /// Its text in the source's case.
    pub fn original(&self, id: NodeId) -> &str {
        self.statement.original_part(self.node(id).slice)
    }

    /// Its place.
    pub fn span(&self, id: NodeId) -> Span {
        self.statement.span_of(self.node(id).slice)
    }

    /// The expressions in the `index`-th slice that was parsed.
    pub fn roots(&self, index: usize) -> &[NodeId] {
        self.roots.get(index).map_or(&[], Vec::as_slice)
    }

    /// The only expression in the `index`-th slice.
    pub fn root(&self, index: usize) -> Option<NodeId> {
        self.roots(index).first().copied()
    }

    /// All nodes, operands before operations.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The children of a node in order.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        match self.syntax(id) {
            Syntax::Unary(_, a) | Syntax::Member(a, _) | Syntax::Keyword(_, a) => vec![*a],
            Syntax::Parenthesized(a) => vec![*a],
            Syntax::Binary(_, a, b) | Syntax::Complex(a, b) => vec![*a, *b],
            Syntax::Defined(list) | Syntax::Array(list, _) | Syntax::Unsupported(list) => {
                list.clone()
            }
            Syntax::Apply(base, arguments) => std::iter::once(*base)
                .chain(arguments.iter().copied())
                .collect(),
            Syntax::Range(a, b, c) => [*a, *b, *c].into_iter().flatten().collect(),
            Syntax::ImpliedDo(items, _, bounds) => items.iter().chain(bounds).copied().collect(),
            _ => Vec::new(),
        }
    }
}

/// A statement that does not parse.
#[derive(Clone, PartialEq, Debug)]
pub struct Unparsed {
    /// Where the trouble is.
    pub span: Span,
}

/// A parser; each thread has its own.
pub struct Parser {
    inner: TreeSitter,
    buffer: Vec<u8>,
    outline: Outline,
    forms: Forms,
}

impl Default for Parser {
    fn default() -> Self {
        let mut inner = TreeSitter::new();
        // The grammar is linked in, and its version is checked by a test.
        let _ = inner.set_language(&language());
        Self {
            inner,
            buffer: Vec::new(),
            outline: Outline::default(),
            forms: Forms::default(),
        }
    }
}

fn language() -> Language {
    tree_sitter_fortran::LANGUAGE.into()
}

impl Parser {
    /// Parses the expressions in `slices`, each a comma-separated list, in ascending order.
    pub fn parse(
        &mut self,
        statement: &Arc<Statement>,
        slices: &[Slice],
    ) -> Result<Tree, Unparsed> {
        let mut tree = Tree {
            statement: statement.clone(),
            nodes: Vec::new(),
            roots: vec![Vec::new(); slices.len()],
        };
        let start = slices
            .iter()
            .filter(|s| !s.is_empty())
            .map(|s| s.start)
            .min();
        let end = slices.iter().map(|s| s.end).max().unwrap_or(0);
        let Some(start) = start else {
            return Ok(tree);
        };
        let neutral = neutralize(&statement.text, slices);
        let shift = Shift {
            start,
            end,
            neutral: &neutral,
        };
        let items = self.items(&mut tree, shift)?;
        let filled: Vec<usize> = (0..slices.len())
            .filter(|&i| !slices[i].is_empty())
            .collect();
        for item in items {
            let at = tree.node(item).slice.start;
            let after = filled.partition_point(|&index| slices[index].start <= at);
            if after > 0 {
                tree.roots[filled[after - 1]].push(item);
            }
        }
        Ok(tree)
    }

    /// Fills in the nodes, from memory if a text with the same outline was parsed before.
    fn items(&mut self, tree: &mut Tree, shift: Shift) -> Result<Vec<NodeId>, Unparsed> {
        let (start, neutral) = (shift.start, shift.neutral);
        // What is recorded aside of the text is not in the outline.
        if !neutral.stars.is_empty() || !neutral.type_specs.is_empty() {
            return self.convert(tree, shift);
        }
        self.outline
            .trace(&neutral.text[start as usize..shift.end as usize]);
        if let Some((nodes, items)) = self.forms.recall(&self.outline, start) {
            tree.nodes = nodes;
            return Ok(items);
        }
        let items = self.convert(tree, shift)?;
        self.forms.keep(&self.outline, start, &tree.nodes, &items);
        Ok(items)
    }

    /// Runs the grammar.
    fn convert(&mut self, tree: &mut Tree, shift: Shift) -> Result<Vec<NodeId>, Unparsed> {
        let text = &shift.neutral.text[shift.start as usize..shift.end as usize];
        self.buffer.clear();
        self.buffer.extend_from_slice(PROLOGUE.as_bytes());
        self.buffer.extend_from_slice(text);
        self.buffer.extend_from_slice(EPILOGUE.as_bytes());
        let failed = Unparsed {
            span: tree.statement.place(),
        };
        let concrete = self.inner.parse(&self.buffer, None).ok_or(failed.clone())?;
        if concrete.root_node().has_error() {
            return Err(located(concrete.root_node(), &tree.statement, &shift));
        }
        let list = argument_list(concrete.root_node()).ok_or(failed.clone())?;
        let mut converter = Converter {
            tree,
            shift,
            buffer: &self.buffer,
            kinds: kinds(),
        };
        let mut cursor = list.walk();
        converter.items(list, &mut cursor, 0).ok_or(failed)
    }
}

/// From the parser's buffer to the statement's text.
struct Shift<'a> {
    start: u32,
    end: u32,
    neutral: &'a Neutral,
}

impl Shift<'_> {
    fn slice(&self, node: Concrete) -> Slice {
        let skip = PROLOGUE.len();
        let back =
            |at: usize| (self.start + at.saturating_sub(skip) as u32).clamp(self.start, self.end);
        Slice {
            start: back(node.start_byte()),
            end: back(node.end_byte()),
        }
    }
}

/// The first error in the tree.
fn located(root: Concrete, statement: &Statement, shift: &Shift) -> Unparsed {
    let mut cursor = root.walk();
    let mut node = root;
    loop {
        if node.is_error() || node.is_missing() {
            break;
        }
        let bad = node
            .children(&mut cursor)
            .find(|child| child.has_error() || child.is_error() || child.is_missing());
        match bad {
            Some(child) => node = child,
            None => break,
        }
    }
    let slice = shift.slice(node);
    let span = if slice.is_empty() {
        statement.place()
    } else {
        statement.span_of(slice)
    };
    Unparsed { span }
}

fn argument_list(root: Concrete) -> Option<Concrete> {
    let kinds = kinds();
    let mut node = root;
    for _ in 0..6 {
        let mut cursor = node.walk();
        let next = node
            .children(&mut cursor)
            .find(|child| matches!(kinds.of(*child), Kind::Wrapper | Kind::ArgumentList))?;
        if kinds.of(next) == Kind::ArgumentList {
            return Some(next);
        }
        node = next;
    }
    None
}

/// The grammar's node kinds that matter here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Other,
    Wrapper,
    ArgumentList,
    Identifier,
    Number,
    Text,
    Logical,
    Null,
    Array,
    Complex,
    Member,
    Binary,
    Unary,
    Call,
    Parenthesized,
    ImpliedDo,
    LoopControl,
    Keyword,
    Extent,
    Star,
}

struct Kinds(Vec<Kind>);

impl Kinds {
    fn of(&self, node: Concrete) -> Kind {
        self.0
            .get(usize::from(node.kind_id()))
            .copied()
            .unwrap_or(Kind::Other)
    }
}

fn kinds() -> &'static Kinds {
    static KINDS: OnceLock<Kinds> = OnceLock::new();
    KINDS.get_or_init(|| {
        let language = language();
        let all = (0..language.node_kind_count()).map(|id| {
            language
                .node_kind_for_id(id as u16)
                .map_or(Kind::Other, kind_named)
        });
        Kinds(all.collect())
    })
}

fn kind_named(name: &str) -> Kind {
    match name {
        "subroutine" | "subroutine_call" => Kind::Wrapper,
        "argument_list" => Kind::ArgumentList,
        "identifier" => Kind::Identifier,
        "number_literal" => Kind::Number,
        "string_literal" => Kind::Text,
        "boolean_literal" => Kind::Logical,
        "null_literal" => Kind::Null,
        "array_literal" => Kind::Array,
        "complex_literal" => Kind::Complex,
        "derived_type_member_expression" => Kind::Member,
        "math_expression"
        | "logical_expression"
        | "relational_expression"
        | "concatenation_expression" => Kind::Binary,
        "unary_expression" => Kind::Unary,
        "call_expression" => Kind::Call,
        "parenthesized_expression" => Kind::Parenthesized,
        "implied_do_loop_expression" => Kind::ImpliedDo,
        "loop_control_expression" => Kind::LoopControl,
        "keyword_argument" => Kind::Keyword,
        "extent_specifier" => Kind::Extent,
        "assumed_size" => Kind::Star,
        _ => Kind::Other,
    }
}

struct Converter<'a> {
    tree: &'a mut Tree,
    shift: Shift<'a>,
    buffer: &'a [u8],
    kinds: &'static Kinds,
}

impl<'a> Converter<'a> {
    fn add(&mut self, syntax: Syntax, slice: Slice) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node { syntax, slice });
        id
    }

    fn named<'t>(&self, node: Concrete<'t>, cursor: &mut TreeCursor<'t>) -> Vec<Concrete<'t>> {
        node.named_children(cursor).collect()
    }

    fn items<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
    ) -> Option<Vec<NodeId>> {
        self.named(node, cursor)
            .into_iter()
            .map(|child| self.convert(child, cursor, depth + 1))
            .collect()
    }

    fn convert<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
    ) -> Option<NodeId> {
        if depth > DEEPEST {
            return None;
        }
        let slice = self.shift.slice(node);
        let syntax = match self.kinds.of(node) {
            Kind::Identifier => Syntax::Name,
            Kind::Number => self.number(slice),
            Kind::Text => Syntax::Text,
            Kind::Logical => Syntax::Logical(self.tree.statement.part(slice).starts_with(".t")),
            Kind::Array => {
                let spec = self.type_spec(slice);
                let is_empty = spec.is_some_and(|spec| self.shift.neutral.empty.contains(&spec));
                let items = match is_empty {
                    true => Vec::new(),
                    false => self.items(node, cursor, depth)?,
                };
                Syntax::Array(items, spec)
            }
            Kind::Complex => self.two(node, cursor, depth, Syntax::Complex)?,
            Kind::Member => self.member(node, cursor, depth)?,
            Kind::Binary => return self.operation(node, cursor, depth, slice),
            Kind::Unary => return self.operation(node, cursor, depth, slice),
            Kind::Call => return self.call(node, cursor, depth, slice),
            Kind::Parenthesized => {
                let inner = self.items(node, cursor, depth)?;
                Syntax::Parenthesized(*inner.first()?)
            }
            Kind::ImpliedDo => self.implied_do(node, cursor, depth)?,
            Kind::Keyword => self.keyword(node, cursor, depth)?,
            Kind::Extent => self.extent(node, cursor, depth)?,
            Kind::Star => Syntax::Star,
            _ => Syntax::Unsupported(self.items(node, cursor, depth)?),
        };
        Some(self.add(syntax, slice))
    }

    fn number(&self, slice: Slice) -> Syntax {
        let text = self.tree.statement.part(slice);
        if slice.start > 0 && self.shift.neutral.stars.contains(&(slice.start - 1)) {
            return Syntax::AlternateReturn;
        }
        if text.contains(['\'', '"']) {
            return Syntax::Boz;
        }
        let value = text.split('_').next().unwrap_or(text);
        if value.bytes().all(|b| b.is_ascii_digit()) {
            Syntax::Integer
        } else {
            Syntax::Real
        }
    }

    /// The recorded type of the array constructor at `slice`.
    fn type_spec(&self, slice: Slice) -> Option<Slice> {
        let specs = &self.shift.neutral.type_specs;
        let starts = [slice.start + 1, slice.start + 2];
        specs
            .iter()
            .copied()
            .find(|spec| starts.contains(&spec.start))
    }

    fn two<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
        make: fn(NodeId, NodeId) -> Syntax,
    ) -> Option<Syntax> {
        match self.items(node, cursor, depth)?.as_slice() {
            [a, b] => Some(make(*a, *b)),
            _ => None,
        }
    }

    fn member<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
    ) -> Option<Syntax> {
        let children = self.named(node, cursor);
        let (base, name) = (children.first()?, children.last()?);
        let base = self.convert(*base, cursor, depth + 1)?;
        Some(Syntax::Member(base, self.shift.slice(*name)))
    }

    fn operation<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
        slice: Slice,
    ) -> Option<NodeId> {
        let children: Vec<Concrete> = node.children(cursor).collect();
        match children.as_slice() {
            [operator, operand] => {
                let operand = self.convert(*operand, cursor, depth + 1)?;
                match unary(self.operator(*operator)) {
                    Some(op) => Some(self.add(Syntax::Unary(op, operand), slice)),
                    None => Some(self.defined_unary(slice.start, operand)),
                }
            }
            [left, operator, right] => {
                let left = self.convert(*left, cursor, depth + 1)?;
                let right = self.convert(*right, cursor, depth + 1)?;
                match binary(self.operator(*operator)) {
                    Some(op) if binds(op) > 0 && self.is_defined_unary_within(right, op) => {
                        Some(self.left_first(op, left, right, slice))
                    }
                    Some(BinaryOp::Power) => Some(self.power(left, right, slice)),
                    Some(op) => Some(self.add(Syntax::Binary(op, left, right), slice)),
                    None => Some(self.add(Syntax::Defined(vec![left, right]), slice)),
                }
            }
            _ => None,
        }
    }

    fn operator(&self, node: Concrete) -> &'a [u8] {
        &self.buffer[node.start_byte()..node.end_byte()]
    }

    /// `.op. a*b` means `(.op. a)*b`: a defined operator on one operand binds before all others,
    /// where the grammar has it bind as weakly as a sign.
    fn defined_unary(&mut self, start: u32, operand: NodeId) -> NodeId {
        let end = self.tree.node(operand).slice.end;
        if let Syntax::Binary(op, left, right) = *self.tree.syntax(operand)
            && binds(op) > 0
        {
            let left = self.defined_unary(start, left);
            return self.add(Syntax::Binary(op, left, right), Slice { start, end });
        }
        self.add(Syntax::Defined(vec![operand]), Slice { start, end })
    }

    /// Whether the right operand is a product or power that began with a defined operator, so that
    /// the grammar took it for one operand of `op`.
    fn is_defined_unary_within(&self, right: NodeId, op: BinaryOp) -> bool {
        let mut at = right;
        let mut weakest = u8::MAX;
        while let Syntax::Binary(inner, left, _) = *self.tree.syntax(at) {
            weakest = weakest.min(binds(inner));
            at = left;
        }
        let is_unary = matches!(self.tree.syntax(at), Syntax::Defined(list) if list.len() == 1);
        is_unary && weakest <= binds(op)
    }

    /// `a op (b*c)` as the grammar gives it means `(a op b)*c`.
    fn left_first(&mut self, op: BinaryOp, left: NodeId, right: NodeId, slice: Slice) -> NodeId {
        if let Syntax::Binary(inner, first, last) = *self.tree.syntax(right)
            && binds(inner) > 0
            && binds(inner) <= binds(op)
        {
            let end = self.tree.node(first).slice.end;
            let left = self.left_first(op, left, first, Slice { end, ..slice });
            return self.add(Syntax::Binary(inner, left, last), slice);
        }
        self.add(Syntax::Binary(op, left, right), slice)
    }

    /// `(a**b)**c` as the grammar gives it, without parentheses, means `a**(b**c)`.
    fn power(&mut self, left: NodeId, right: NodeId, slice: Slice) -> NodeId {
        if let Syntax::Binary(BinaryOp::Power, a, b) = *self.tree.syntax(left) {
            let inner = Slice {
                start: self.tree.node(b).slice.start,
                end: slice.end,
            };
            let exponent = self.power(b, right, inner);
            return self.add(Syntax::Binary(BinaryOp::Power, a, exponent), slice);
        }
        self.add(Syntax::Binary(BinaryOp::Power, left, right), slice)
    }

    fn call<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
        slice: Slice,
    ) -> Option<NodeId> {
        let children = self.named(node, cursor);
        let (base, lists) = children.split_first()?;
        let mut result = self.convert(*base, cursor, depth + 1)?;
        for list in lists {
            let arguments = self.items(*list, cursor, depth)?;
            let end = self.shift.slice(*list).end;
            result = self.add(
                Syntax::Apply(result, arguments),
                Slice {
                    start: slice.start,
                    end,
                },
            );
        }
        Some(result)
    }

    fn implied_do<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
    ) -> Option<Syntax> {
        let children = self.named(node, cursor);
        let (control, items) = children.split_last()?;
        if self.kinds.of(*control) != Kind::LoopControl {
            return None;
        }
        let items = items
            .iter()
            .map(|item| self.convert(*item, cursor, depth + 1))
            .collect::<Option<Vec<_>>>()?;
        let parts = self.named(*control, cursor);
        let (variable, bounds) = parts.split_first()?;
        let bounds = bounds
            .iter()
            .map(|bound| self.convert(*bound, cursor, depth + 1))
            .collect::<Option<Vec<_>>>()?;
        Some(Syntax::ImpliedDo(
            items,
            self.shift.slice(*variable),
            bounds,
        ))
    }

    fn keyword<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
    ) -> Option<Syntax> {
        let children = self.named(node, cursor);
        match children.as_slice() {
            [name, value] => {
                let value = self.convert(*value, cursor, depth + 1)?;
                Some(Syntax::Keyword(self.shift.slice(*name), value))
            }
            _ => None,
        }
    }

    fn extent<'t>(
        &mut self,
        node: Concrete<'t>,
        cursor: &mut TreeCursor<'t>,
        depth: usize,
    ) -> Option<Syntax> {
        let children: Vec<Concrete> = node.children(cursor).collect();
        let mut parts = [None; 3];
        let mut at = 0;
        for child in children {
            if child.is_named() {
                let part = self.convert(child, cursor, depth + 1)?;
                *parts.get_mut(at)? = Some(part);
            } else {
                at += 1;
            }
        }
        let [lower, upper, step] = parts;
        Some(Syntax::Range(lower, upper, step))
    }
}

/// How strongly the operators bind that bind more strongly than a sign; 0 for others.
fn binds(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Multiply | BinaryOp::Divide => 1,
        BinaryOp::Power => 2,
        _ => 0,
    }
}

fn unary(operator: &[u8]) -> Option<UnaryOp> {
    match operator {
        b"-" => Some(UnaryOp::Negate),
        b"+" => Some(UnaryOp::Plus),
        b".not." => Some(UnaryOp::Not),
        _ => None,
    }
}

fn binary(operator: &[u8]) -> Option<BinaryOp> {
    Some(match operator {
        b"+" => BinaryOp::Add,
        b"-" => BinaryOp::Subtract,
        b"*" => BinaryOp::Multiply,
        b"/" => BinaryOp::Divide,
        b"**" => BinaryOp::Power,
        b"//" => BinaryOp::Concatenate,
        b"==" | b".eq." => BinaryOp::Equal,
        b"/=" | b".ne." => BinaryOp::NotEqual,
        b"<" | b".lt." => BinaryOp::Less,
        b"<=" | b".le." => BinaryOp::LessEqual,
        b">" | b".gt." => BinaryOp::Greater,
        b">=" | b".ge." => BinaryOp::GreaterEqual,
        b".and." => BinaryOp::And,
        b".or." => BinaryOp::Or,
        b".eqv." => BinaryOp::Equivalent,
        b".neqv." => BinaryOp::NotEquivalent,
        _ => return None,
    })
}
