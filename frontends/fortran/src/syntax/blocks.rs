//! Which statements belong together: program units, constructs, loops with shared labels.
//!
//! One pass with a stack of open frames; linear in the number of statements. Nothing here needs
//! the parser, so one bad statement never disturbs its neighbours.

use super::kind::{End, Kind};
use crate::view::{Slice, Statement};
use contraflow_ir::{Diagnostic, Span};

/// How deep constructs may nest. Deeper code is not taken apart.
const DEEPEST: usize = 3_000;

/// A statement with its kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Classified {
    /// What it is.
    pub kind: Kind,
    /// The name of the construct that it begins.
    pub construct: Option<Slice>,
}

/// A program unit or procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// What it is.
    pub kind: UnitKind,
    /// The statement that begins it; none for a main program without PROGRAM.
    pub head: Option<usize>,
    /// Its first statement.
    pub first: usize,
    /// Its last statement (END).
    pub last: usize,
    /// What is declared.
    pub specification: Vec<Item>,
    /// What is executed.
    pub body: Vec<Node>,
    /// The CONTAINS statement.
    pub contains: Option<usize>,
    /// The procedures after CONTAINS.
    pub inner: Vec<Unit>,
    /// Whether constructs nest too deeply to be taken apart.
    pub too_deep: bool,
}

/// The kind of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitKind {
    /// A main program.
    Program,
    /// A module.
    Module,
    /// A submodule.
    Submodule,
    /// BLOCK DATA.
    BlockData,
    /// A subroutine.
    Subroutine,
    /// A function.
    Function,
    /// The body of a separate module procedure.
    ModuleProcedure,
    /// A BLOCK construct with declarations.
    Block,
}

/// Something in the specification part.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A statement.
    Statement(usize),
    /// A derived type: its head and the statements in it.
    Type(usize, Vec<usize>),
    /// An interface block: its head, bodies, and MODULE PROCEDURE statements.
    Interface(usize, Vec<Unit>, Vec<usize>),
    /// Enumerators.
    Enumerators(Vec<usize>),
}

/// Something that is executed.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A statement.
    Simple(usize),
    /// A construct.
    Construct(Construct),
}

/// A construct: IF, DO, SELECT, WHERE, …; told apart by the kind of its first head.
#[derive(Clone, PartialEq, Debug)]
pub struct Construct {
    /// Its parts; the first head begins the construct.
    pub arms: Vec<Arm>,
    /// Its last statement.
    pub end: usize,
    /// Declarations inside a BLOCK construct.
    pub specification: Vec<usize>,
}

/// A part of a construct.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// The statement that begins it.
    pub head: usize,
    /// What is executed.
    pub body: Vec<Node>,
}

impl Node {
    /// Its first statement.
    pub fn first(&self) -> usize {
        match self {
            Node::Simple(index) => *index,
            Node::Construct(construct) => construct.arms[0].head,
        }
    }

    /// Its last statement.
    pub fn last(&self) -> usize {
        match self {
            Node::Simple(index) => *index,
            Node::Construct(construct) => construct.end,
        }
    }
}

/// What is open.
enum Frame {
    Unit(Unit),
    Construct(Construct),
    Type(usize, Vec<usize>),
    Interface(usize, Vec<Unit>, Vec<usize>),
    Enumerators(Vec<usize>),
}

/// Builds the units of a file.
pub fn build(
    statements: &[Statement],
    kinds: &[Classified],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Unit> {
    let mut builder = Blocks {
        statements,
        kinds,
        diagnostics,
        frames: Vec::new(),
        units: Vec::new(),
    };
    for index in 0..statements.len() {
        builder.take(index);
    }
    builder.close_all();
    builder.units
}

struct Blocks<'a> {
    statements: &'a [Statement],
    kinds: &'a [Classified],
    diagnostics: &'a mut Vec<Diagnostic>,
    frames: Vec<Frame>,
    units: Vec<Unit>,
}

impl Blocks<'_> {
    fn take(&mut self, index: usize) {
        match &self.kinds[index].kind {
            Kind::End(end) => self.end(index, *end),
            kind if self.inside_type_or_enum() => {
                let is_head = matches!(kind, Kind::Subroutine { .. } | Kind::Module(_));
                if is_head {
                    self.close_frame(index);
                    self.take(index);
                } else {
                    self.member(index);
                }
            }
            Kind::Program(_) => self.open_unit(UnitKind::Program, index),
            Kind::Module(_) => self.open_unit(UnitKind::Module, index),
            Kind::Submodule { .. } => self.open_unit(UnitKind::Submodule, index),
            Kind::BlockData(_) => self.open_unit(UnitKind::BlockData, index),
            Kind::Subroutine { .. } => self.open_unit(UnitKind::Subroutine, index),
            Kind::Function { .. } => self.open_unit(UnitKind::Function, index),
            Kind::ModuleProcedure(_) => self.module_procedure(index),
            Kind::Contains => self.contains(index),
            Kind::Interface { .. } => {
                self.ensure_unit(index);
                self.frames
                    .push(Frame::Interface(index, Vec::new(), Vec::new()));
            }
            Kind::TypeDefinition { .. } => {
                self.ensure_unit(index);
                self.frames.push(Frame::Type(index, Vec::new()));
            }
            Kind::Enum => {
                self.ensure_unit(index);
                self.frames.push(Frame::Enumerators(Vec::new()));
            }
            kind if is_specification(kind) => self.specification(index),
            kind if opens_construct(kind) => self.open_construct(index),
            kind if is_arm(kind) => self.arm(index),
            _ => self.simple(index),
        }
    }

    fn place(&self, index: usize) -> Span {
        self.statements
            .get(index)
            .map_or(Span::NONE, Statement::place)
    }

    fn inside_type_or_enum(&self) -> bool {
        matches!(
            self.frames.last(),
            Some(Frame::Type(..) | Frame::Enumerators(_))
        )
    }

    fn member(&mut self, index: usize) {
        if let Some(Frame::Type(_, members) | Frame::Enumerators(members)) = self.frames.last_mut()
        {
            members.push(index);
        }
    }

    /// Opens a main program around statements that stand in no unit.
    fn ensure_unit(&mut self, index: usize) {
        if self.frames.is_empty() {
            self.push_unit(UnitKind::Program, None, index);
        }
    }

    fn push_unit(&mut self, kind: UnitKind, head: Option<usize>, first: usize) {
        self.frames.push(Frame::Unit(Unit {
            kind,
            head,
            first,
            last: first,
            specification: Vec::new(),
            body: Vec::new(),
            contains: None,
            inner: Vec::new(),
            too_deep: false,
        }));
    }

    fn open_unit(&mut self, kind: UnitKind, index: usize) {
        loop {
            let fits = match self.frames.last() {
                None | Some(Frame::Interface(..)) => true,
                Some(Frame::Unit(unit)) => unit.contains.is_some(),
                Some(_) => false,
            };
            if fits {
                break;
            }
            self.unclosed(index);
            self.close_frame(index.saturating_sub(1));
        }
        self.push_unit(kind, Some(index), index);
    }

    fn unclosed(&mut self, index: usize) {
        let open = match self.frames.last() {
            Some(Frame::Unit(unit)) => unit.first,
            Some(Frame::Construct(construct)) => construct.arms[0].head,
            Some(Frame::Type(head, _) | Frame::Interface(head, ..)) => *head,
            Some(Frame::Enumerators(_)) | None => index,
        };
        self.diagnostics.push(
            Diagnostic::warning("unclosed", "this has no END")
                .at(self.place(open), "opened here")
                .at(self.place(index), "taken to end before this")
                .with_help("add the END statement"),
        );
    }

    fn module_procedure(&mut self, index: usize) {
        match self.frames.last_mut() {
            Some(Frame::Interface(_, _, names)) => names.push(index),
            _ if self.statements[index].text.starts_with("procedure") => self.simple(index),
            _ => self.open_unit(UnitKind::ModuleProcedure, index),
        }
    }

    fn contains(&mut self, index: usize) {
        while matches!(self.frames.last(), Some(Frame::Construct(_))) {
            self.unclosed(index);
            self.close_frame(index);
        }
        self.ensure_unit(index);
        if let Some(Frame::Unit(unit)) = self.frames.last_mut() {
            unit.contains = Some(index);
        }
    }

    fn specification(&mut self, index: usize) {
        self.ensure_unit(index);
        match self.frames.last_mut() {
            Some(Frame::Construct(construct)) => {
                let head = construct.arms[0].head;
                if self.kinds[head].kind == Kind::Block {
                    construct.specification.push(index);
                } else if let Some(unit) = self.unit_mut() {
                    unit.specification.push(Item::Statement(index));
                }
            }
            Some(Frame::Unit(unit)) => unit.specification.push(Item::Statement(index)),
            _ => {}
        }
    }

    fn unit_mut(&mut self) -> Option<&mut Unit> {
        self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Unit(unit) => Some(unit),
            _ => None,
        })
    }

    fn add_node(&mut self, node: Node) {
        match self.frames.last_mut() {
            Some(Frame::Construct(construct)) => {
                if let Some(arm) = construct.arms.last_mut() {
                    arm.body.push(node);
                }
            }
            Some(Frame::Unit(unit)) => unit.body.push(node),
            _ => {}
        }
    }

    fn simple(&mut self, index: usize) {
        self.ensure_unit(index);
        self.add_node(Node::Simple(index));
        self.close_labelled_loops(index);
    }

    /// Ends all DO loops whose last statement this is.
    fn close_labelled_loops(&mut self, index: usize) {
        let Some(label) = self.statements[index].label else {
            return;
        };
        while let Some(Frame::Construct(construct)) = self.frames.last() {
            let head = construct.arms[0].head;
            match &self.kinds[head].kind {
                Kind::Do { label: Some(l), .. } if *l == label => self.close_frame(index),
                _ => return,
            }
        }
    }

    fn open_construct(&mut self, index: usize) {
        self.ensure_unit(index);
        if self.frames.len() > DEEPEST {
            if let Some(unit) = self.unit_mut() {
                unit.too_deep = true;
            }
            return;
        }
        self.frames.push(Frame::Construct(Construct {
            arms: vec![Arm {
                head: index,
                body: Vec::new(),
            }],
            end: index,
            specification: Vec::new(),
        }));
    }

    fn arm(&mut self, index: usize) {
        let kind = &self.kinds[index].kind;
        match self.frames.last_mut() {
            Some(Frame::Construct(construct))
                if takes_arm(&self.kinds[construct.arms[0].head].kind, kind) =>
            {
                construct.arms.push(Arm {
                    head: index,
                    body: Vec::new(),
                });
            }
            _ => self.unmatched(index),
        }
    }

    fn unmatched(&mut self, index: usize) {
        let deep = self.unit_mut().is_some_and(|unit| unit.too_deep);
        if !deep {
            self.diagnostics.push(
                Diagnostic::warning("unmatched", "this belongs to no open construct")
                    .at(self.place(index), "")
                    .with_help("remove it, or add the statement that opens the construct"),
            );
        }
    }

    fn end(&mut self, index: usize, end: End) {
        if matches!(end, End::Bare | End::Unit) {
            self.end_unit(index);
            return;
        }
        let fits = self.frames.last().is_some_and(|frame| match frame {
            Frame::Type(..) => end == End::Type,
            Frame::Interface(..) => end == End::Interface,
            Frame::Enumerators(_) => end == End::Enum,
            Frame::Construct(construct) => ends(&self.kinds[construct.arms[0].head].kind, end),
            Frame::Unit(_) => false,
        });
        if fits {
            self.close_frame(index);
            if matches!(end, End::Do) {
                self.close_labelled_loops(index);
            }
        } else {
            self.unmatched(index);
        }
    }

    fn end_unit(&mut self, index: usize) {
        loop {
            match self.frames.last() {
                None => {
                    self.unmatched(index);
                    return;
                }
                Some(Frame::Unit(_)) => break,
                Some(_) => {
                    self.unclosed(index);
                    self.close_frame(index);
                }
            }
        }
        self.close_frame(index);
    }

    /// Takes the innermost frame off the stack and gives it to the one around it.
    fn close_frame(&mut self, last: usize) {
        match self.frames.pop() {
            Some(Frame::Unit(mut unit)) => {
                unit.last = last.max(unit.first);
                match self.frames.last_mut() {
                    Some(Frame::Unit(outer)) => outer.inner.push(unit),
                    Some(Frame::Interface(_, bodies, _)) => bodies.push(unit),
                    _ => self.units.push(unit),
                }
            }
            Some(Frame::Construct(mut construct)) => {
                construct.end = last;
                self.add_node(Node::Construct(construct));
            }
            Some(Frame::Type(head, members)) => self.add_item(Item::Type(head, members)),
            Some(Frame::Interface(head, bodies, names)) => {
                self.add_item(Item::Interface(head, bodies, names));
            }
            Some(Frame::Enumerators(members)) => self.add_item(Item::Enumerators(members)),
            None => {}
        }
    }

    fn add_item(&mut self, item: Item) {
        if let Some(unit) = self.unit_mut() {
            unit.specification.push(item);
        }
    }

    fn close_all(&mut self) {
        let last = self.statements.len().saturating_sub(1);
        while let Some(frame) = self.frames.last() {
            let implicit = matches!(frame, Frame::Unit(unit) if unit.head.is_none());
            if !implicit {
                self.unclosed(last);
            }
            self.close_frame(last);
        }
    }
}

fn is_specification(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Use { .. }
            | Kind::Import
            | Kind::Implicit(_)
            | Kind::Declaration { .. }
            | Kind::Attribute(..)
            | Kind::Intent { .. }
            | Kind::Parameter(_)
            | Kind::Data(_)
            | Kind::Common(_)
            | Kind::Equivalence(_)
            | Kind::Namelist(_)
            | Kind::OtherSpecification
            | Kind::Format
            | Kind::Enumerator(_)
    )
}

fn opens_construct(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::IfThen(_)
            | Kind::Do { .. }
            | Kind::SelectCase(_)
            | Kind::SelectOther
            | Kind::Where { action: None, .. }
            | Kind::Forall { action: None, .. }
            | Kind::Associate(_)
            | Kind::Block
            | Kind::Critical
    )
}

fn is_arm(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Else | Kind::ElseIf(_) | Kind::Case(_) | Kind::TypeGuard | Kind::ElseWhere(_)
    )
}

/// Whether a construct has arms that begin so.
fn takes_arm(head: &Kind, arm: &Kind) -> bool {
    match head {
        Kind::IfThen(_) => matches!(arm, Kind::Else | Kind::ElseIf(_)),
        Kind::SelectCase(_) => matches!(arm, Kind::Case(_)),
        Kind::SelectOther => matches!(arm, Kind::TypeGuard | Kind::Case(_)),
        Kind::Where { .. } => matches!(arm, Kind::ElseWhere(_)),
        _ => false,
    }
}

fn ends(head: &Kind, end: End) -> bool {
    match head {
        Kind::IfThen(_) => end == End::If,
        Kind::Do { .. } => end == End::Do,
        Kind::SelectCase(_) | Kind::SelectOther => end == End::Select,
        Kind::Where { .. } => end == End::Where,
        Kind::Forall { .. } => end == End::Forall,
        Kind::Associate(_) => end == End::Associate,
        Kind::Block => end == End::Block,
        Kind::Critical => end == End::Critical,
        _ => false,
    }
}
