//! The same outline from our own front end: its statements, its constructs, its trees.

use crate::dump::Names;
use crate::skeleton::{Event, Outline, Skeleton, application};
use contraflow_frontend_fortran::cst::{NodeId, Parser, Syntax, Tree};
use contraflow_frontend_fortran::syntax::blocks::{Classified, Node, Unit, UnitKind, build};
use contraflow_frontend_fortran::syntax::classify::classify;
use contraflow_frontend_fortran::syntax::kind::{DoControl, Kind};
use contraflow_frontend_fortran::view::{Slice, Statement};
use contraflow_ir::{BinaryOp, UnaryOp};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The outlines of a text; `names` is what its names stand for in each procedure and module.
pub fn read(path: &Path, text: &[u8], names: &BTreeMap<String, Names>) -> Vec<Outline> {
    let statements = contraflow_frontend_fortran::statements(path, text).statements;
    let kinds: Vec<Classified> = statements
        .iter()
        .map(|statement| {
            let (kind, construct) = classify(statement);
            Classified { kind, construct }
        })
        .collect();
    let units = build(&statements, &kinds, &mut Vec::new());
    let mut reader = Reader {
        statements: statements.into_iter().map(Arc::new).collect(),
        kinds: &kinds,
        names,
        scopes: Vec::new(),
        parser: Parser::default(),
        outlines: Vec::new(),
    };
    units.iter().for_each(|unit| reader.unit(unit));
    reader.outlines
}

struct Reader<'a> {
    statements: Vec<Arc<Statement>>,
    kinds: &'a [Classified],
    names: &'a BTreeMap<String, Names>,
    /// Those of the units around, outermost first.
    scopes: Vec<&'a Names>,
    parser: Parser,
    outlines: Vec<Outline>,
}

impl Reader<'_> {
    fn unit(&mut self, unit: &Unit) {
        let name = self.name(unit);
        let names = name.as_ref().and_then(|name| self.names.get(name));
        self.scopes.extend(names);
        let mut events = Vec::new();
        for node in &unit.body {
            self.node(node, &mut events);
        }
        let is_procedure = matches!(unit.kind, UnitKind::Subroutine | UnitKind::Function);
        if let Some(procedure) = name.filter(|_| is_procedure) {
            self.outlines.push(Outline { procedure, events });
        }
        unit.inner.iter().for_each(|inner| self.unit(inner));
        if names.is_some() {
            self.scopes.pop();
        }
    }

    fn name(&self, unit: &Unit) -> Option<String> {
        let head = unit.head?;
        match &self.kinds[head].kind {
            Kind::Subroutine { name, .. } | Kind::Function { name, .. } | Kind::Module(name) => {
                Some(self.statements[head].part(*name).to_owned())
            }
            _ => None,
        }
    }

    fn is_constant(&self, name: &str) -> bool {
        self.scopes
            .iter()
            .any(|scope| scope.constants.contains(name))
    }

    fn node(&mut self, node: &Node, events: &mut Vec<Event>) {
        match node {
            Node::Simple(index) => self.statement(*index, events),
            Node::Construct(construct) => {
                for arm in &construct.arms {
                    self.statement(arm.head, events);
                    arm.body.iter().for_each(|node| self.node(node, events));
                }
            }
        }
    }

    fn statement(&mut self, index: usize, events: &mut Vec<Event>) {
        let kinds = self.kinds;
        self.kind(index, &kinds[index].kind, events);
    }

    fn kind(&mut self, index: usize, kind: &Kind, events: &mut Vec<Event>) {
        match kind {
            Kind::Assignment { target, .. } if self.is_statement_function(index, *target) => {}
            Kind::Assignment { target, value } => {
                self.push("assign", index, &[*target, *value], events);
            }
            Kind::PointerAssignment { target, value } => {
                self.push("point", index, &[*target, *value], events);
            }
            Kind::Call { .. } => self.push("call", index, &[], events),
            Kind::IfThen(condition) => self.push("if", index, &[*condition], events),
            Kind::ElseIf(condition) => self.push("else if", index, &[*condition], events),
            Kind::ArithmeticIf { value, .. } => self.push("if", index, &[*value], events),
            Kind::If { condition, action } => {
                self.push("if", index, &[*condition], events);
                self.kind(index, action, events);
            }
            Kind::Do { control, .. } => match control {
                DoControl::Counted { .. } | DoControl::Concurrent(_) => {
                    self.push("do", index, &[], events);
                }
                DoControl::While(condition) => self.push("while", index, &[*condition], events),
                DoControl::Forever => events.push(Event {
                    word: "while",
                    trees: vec![Skeleton::Constant],
                }),
            },
            Kind::Where {
                action: Some(action),
                ..
            }
            | Kind::Forall {
                action: Some(action),
                ..
            } => {
                self.kind(index, action, events);
            }
            _ => {}
        }
    }

    fn is_statement_function(&self, index: usize, target: Slice) -> bool {
        let target = self.statements[index].part(target);
        let name = target.split('(').next().unwrap_or(target);
        target != name
            && self
                .scopes
                .iter()
                .any(|scope| scope.statement_functions.contains(name))
    }

    fn push(
        &mut self,
        word: &'static str,
        index: usize,
        slices: &[Slice],
        events: &mut Vec<Event>,
    ) {
        let statement = self.statements[index].clone();
        let trees = match self.parser.parse(&statement, slices) {
            Ok(tree) => (0..slices.len())
                .map(|at| match tree.root(at) {
                    Some(root) => self.skeleton(&tree, root),
                    None => Skeleton::Other,
                })
                .collect(),
            Err(_) => vec![Skeleton::Other; slices.len()],
        };
        events.push(Event { word, trees });
    }

    fn skeleton(&self, tree: &Tree, id: NodeId) -> Skeleton {
        match tree.syntax(id) {
            Syntax::Name if self.is_constant(tree.text(id)) => Skeleton::Constant,
            Syntax::Name => Skeleton::Variable,
            Syntax::Integer | Syntax::Real | Syntax::Boz | Syntax::Text | Syntax::Logical(_) => {
                Skeleton::Constant
            }
            Syntax::Parenthesized(inner) => self.skeleton(tree, *inner),
            Syntax::Unary(operation, operand) => {
                Skeleton::operation(unary(*operation), vec![self.skeleton(tree, *operand)])
            }
            Syntax::Binary(operation, a, b) => match binary(*operation) {
                Some(name) => {
                    let operands = vec![self.skeleton(tree, *a), self.skeleton(tree, *b)];
                    Skeleton::operation(name, operands)
                }
                None => Skeleton::Other,
            },
            Syntax::Apply(base, arguments) => self.application(tree, *base, arguments),
            Syntax::Range(..) => Skeleton::Range,
            _ => Skeleton::Other,
        }
    }

    fn application(&self, tree: &Tree, base: NodeId, arguments: &[NodeId]) -> Skeleton {
        if *tree.syntax(base) != Syntax::Name {
            return Skeleton::Other;
        }
        let name = tree.text(base);
        let parts: Vec<Skeleton> = arguments
            .iter()
            .map(|&argument| self.skeleton(tree, argument))
            .collect();
        let is_all = !parts.is_empty() && arguments.iter().all(|&it| is_colon(tree, it));
        let is_constant = parts.iter().all(|it| *it == Skeleton::Constant);
        if is_all {
            Skeleton::Variable
        } else if is_constant && self.is_constant(name) {
            Skeleton::Constant
        } else {
            application(name, parts)
        }
    }
}

fn is_colon(tree: &Tree, id: NodeId) -> bool {
    matches!(tree.syntax(id), Syntax::Range(None, None, None))
}

fn unary(operation: UnaryOp) -> &'static str {
    match operation {
        UnaryOp::Negate => "U-",
        UnaryOp::Plus => "U+",
        UnaryOp::Not | UnaryOp::BitNot => "NOT",
    }
}

/// gfortran's name of an operation; none for what Fortran has not got, and for concatenation.
fn binary(operation: BinaryOp) -> Option<&'static str> {
    Some(match operation {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Power => "**",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "/=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And | BinaryOp::AndThen => "AND",
        BinaryOp::Or | BinaryOp::OrElse => "OR",
        BinaryOp::Equivalent => "EQV",
        BinaryOp::NotEquivalent => "NEQV",
        _ => return None,
    })
}
