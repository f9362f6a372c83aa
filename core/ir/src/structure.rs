//! Jumps become conditions: after [`structure`] a procedure has loops, conditions and nothing else.
//!
//! The idea is that of E. Erosa and L. Hendren (Taming control flow, 1994), for the jumps that the
//! IR has, which only lead outwards. A jump to where control arrives anyway (`return` as the last
//! statement, `cycle` at the end of a loop body) vanishes. Where one arm of a condition always
//! jumps, the statements after the condition move into the other arm:
//!
//! ```text
//! if (c) cycle                 if (c) {} else {
//! REST               becomes       REST
//!                              }
//! ```
//!
//! What remains sets a logical flag, and everything between the jump and its target asks the flag:
//! the statements that follow stand in `if (!leave)`, and the loops on the way go on only
//! `while (… && !leave)`. A flag is cleared where its target begins: the one of a loop just before
//! it, the one of an iteration at the head of the body, the one of `return` at the procedure's head.
//!
//! A `Loop` that is left early becomes a `While` over the same variable. The variable
//! keeps its value when the loop is left, as both languages have it. A directive on such a loop is
//! lost; flags inside a parallel loop or region are added to its private variables.
//!
//! Jumps that lead anywhere else are first turned into such by [`join`], which takes the pieces of
//! code between labels.
//!
//! Assumes that every jump stands inside its target. Statements keep their ids; unreachable ones
//! stay in the arena and stand in no block.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::build::Builder;
use crate::expr::{Access, BinaryOp, Expr, ExprId};
use crate::module::Procedure;
use crate::source::Span;
use crate::stmt::{Block, Jump, JumpLabel, Stmt, StmtId, StmtNode};
use crate::types::{Role, Type, VarId, Variable};

mod graph;
mod loops;
mod reach;

pub use graph::{Piece, join};

/// Removes every jump, labelled block and label. The procedure computes what it did before.
pub fn structure(procedure: &mut Procedure) {
    let body = std::mem::take(&mut procedure.body);
    let next_label = procedure
        .stmts
        .iter()
        .filter_map(|(_, node)| reach::label_of(&node.stmt))
        .map(|label| label.0 + 1)
        .max()
        .unwrap_or(0);
    let unstructured = reach::unstructured(procedure, &body);
    let mut structurer = Structurer {
        procedure,
        unstructured,
        flags: BTreeMap::new(),
        added: Vec::new(),
        next_label,
        numbers: BTreeMap::new(),
        moved: 0,
    };
    let (mut body, escapes) = structurer.block(body, &BTreeSet::from([Target::Return]));
    assert!(
        escapes.iter().all(|&target| target == Target::Return),
        "every jump stands inside its target"
    );
    if escapes.contains(&Target::Return) {
        let clear = structurer.set_flag(Target::Return, false, Span::NONE);
        body.insert(0, clear);
    }
    procedure.body = body;
    for id in procedure.all_statements() {
        if let Stmt::Loop { label, .. } | Stmt::While { label, .. } = &mut procedure.stmts[id].stmt
        {
            *label = None;
        }
    }
}

/// How deeply one conditional jump after another nests before flags take over.
const MOST_MOVED: usize = 12;

/// Where a jump leads. A `cycle` is made an exit from a block around the loop's body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    Return,
    Exit(u32),
}

type Targets = BTreeSet<Target>;

struct Structurer<'p> {
    procedure: &'p mut Procedure,
    /// Whether a jump or a labelled block is in a statement of the procedure as it came.
    unstructured: BTreeMap<StmtId, bool>,
    /// The flag of each target that needs one.
    flags: BTreeMap<Target, VarId>,
    /// All variables that were added.
    added: Vec<VarId>,
    next_label: u32,
    /// The last number of each stem of names.
    numbers: BTreeMap<String, u32>,
    /// How many arms around have received what followed their condition.
    moved: usize,
}

impl Structurer<'_> {
    /// The block without jumps, and the targets whose flags may be set when it ends. Reaching the
    /// end of the block means reaching each target in `tail`.
    fn block(&mut self, block: Block, tail: &Targets) -> (Block, Targets) {
        let (mut done, mut segment) = (Block::new(), Block::new());
        let mut set = Targets::new();
        let mut pending: VecDeque<StmtId> = block.into();
        while let Some(id) = pending.pop_front() {
            let known = self.unstructured.get(&id).copied();
            if !known.unwrap_or_else(|| reach::is_unstructured(self.procedure, id)) {
                segment.push(id);
                continue;
            }
            let rest: Block = std::mem::take(&mut pending).into();
            let (rest, escapes) = self.statement(id, rest, tail, &mut segment);
            pending = rest.into();
            if !escapes.is_empty() {
                self.guard(std::mem::take(&mut segment), &set, &mut done);
                set.extend(escapes);
            }
        }
        self.guard(segment, &set, &mut done);
        (done, set)
    }

    /// Adds `if (no flag of set) { segment }`, or the segment alone where no flag may be set.
    fn guard(&mut self, mut segment: Block, set: &Targets, done: &mut Block) {
        match segment.first() {
            Some(&first) if !set.is_empty() => {
                let span = self.procedure.stmts[first].span;
                let condition = self.none_set(set, span);
                done.push(self.builder(span).if_else(condition, segment, Block::new()));
            }
            _ => done.append(&mut segment),
        }
    }

    /// Structures one statement onto the end of `done`. Gives back what of `rest` is still to be
    /// done, and the flags that it may have set.
    fn statement(
        &mut self,
        id: StmtId,
        rest: Block,
        tail: &Targets,
        done: &mut Block,
    ) -> (Block, Targets) {
        let span = self.procedure.stmts[id].span;
        let taken = Stmt::Comment(String::new());
        let mut stmt = std::mem::replace(&mut self.procedure.stmts[id].stmt, taken);
        let nothing = Targets::new();
        let inner_tail = if rest.is_empty() { tail } else { &nothing };
        match stmt {
            Stmt::Jump(jump) => (Block::new(), self.jump(jump, span, tail, done)),
            Stmt::Labelled { label, body } => {
                let target = Target::Exit(label.0);
                let (mut body, mut escapes) = self.block(body, &with(inner_tail, target));
                if escapes.remove(&target) {
                    done.push(self.set_flag(target, false, span));
                }
                done.append(&mut body);
                (rest, escapes)
            }
            Stmt::Region {
                mut directive,
                body,
            } => {
                let mark = self.added.len();
                let (body, escapes) = self.block(body, inner_tail);
                directive.private.extend(self.private_since(mark, &escapes));
                self.put(id, Stmt::Region { directive, body }, done);
                (rest, escapes)
            }
            Stmt::If { .. } | Stmt::Switch { .. } => {
                let (before, count) = (self.moved, rest.len());
                let rest = self.distribute(&mut stmt, rest);
                self.moved += usize::from(rest.len() < count);
                let inner_tail = if rest.is_empty() { tail } else { &nothing };
                let mut escapes = Targets::new();
                for arm in stmt.blocks_mut() {
                    let (structured, set) = self.block(std::mem::take(arm), inner_tail);
                    *arm = structured;
                    escapes.extend(set);
                }
                self.moved = before;
                self.drop_empty_then(&mut stmt);
                self.put(id, stmt, done);
                (rest, escapes)
            }
            Stmt::Loop { .. } => (rest, self.counted_loop(id, stmt, done)),
            Stmt::While { .. } => (rest, self.while_loop(id, stmt, done)),
            other => unreachable!("a statement without blocks has no jumps: {other:?}"),
        }
    }

    fn put(&mut self, id: StmtId, stmt: Stmt, done: &mut Block) {
        self.procedure.stmts[id].stmt = stmt;
        done.push(id);
    }

    fn jump(&mut self, jump: Jump, span: Span, tail: &Targets, done: &mut Block) -> Targets {
        let target = reach::target_of(jump).expect("loops have turned their cycles into exits");
        if tail.contains(&target) {
            return Targets::new();
        }
        done.push(self.set_flag(target, true, span));
        Targets::from([target])
    }

    /// Moves what follows a condition into its only arm that goes on; drops it if none does. Not
    /// too often around one place: the code would wander off to the right.
    fn distribute(&mut self, stmt: &mut Stmt, rest: Block) -> Block {
        if self.moved == MOST_MOVED {
            return rest;
        }
        let arms = stmt.blocks_mut();
        let goes_on: Vec<bool> = arms
            .iter()
            .map(|arm| !reach::never_ends(self.procedure, arm))
            .collect();
        let count = goes_on.iter().filter(|&&goes_on| goes_on).count();
        if count > 1 || count == arms.len() {
            return rest;
        }
        if let Some((arm, _)) = arms.into_iter().zip(goes_on).find(|(_, goes_on)| *goes_on) {
            arm.extend(rest);
        }
        Block::new()
    }

    /// `if (c) {} else { … }` is `if (!c) { … }`.
    fn drop_empty_then(&mut self, stmt: &mut Stmt) {
        if let Stmt::If {
            condition,
            then,
            otherwise,
        } = stmt
            && then.is_empty()
            && !otherwise.is_empty()
        {
            std::mem::swap(then, otherwise);
            *condition = self.negated(*condition);
        }
    }

    /// The opposite; of integers, the opposite comparison (of reals, neither may hold).
    fn negated(&mut self, condition: ExprId) -> ExprId {
        let span = self.procedure.exprs[condition].span;
        if let Expr::Binary(op, a, b) = *self.procedure.expr(condition)
            && let Some(opposite) = opposite(op)
            && self.procedure.exprs[a].ty.is_integer()
        {
            let ty = self.procedure.exprs[condition].ty;
            return self.builder(span).expr(Expr::Binary(opposite, a, b), ty);
        }
        self.builder(span).not(condition)
    }

    fn builder(&mut self, span: Span) -> Builder<'_> {
        let mut builder = Builder::new(self.procedure);
        builder.span = span;
        builder
    }

    /// The variable that tells that control is on its way to `target`.
    fn flag(&mut self, target: Target) -> VarId {
        if let Some(&flag) = self.flags.get(&target) {
            return flag;
        }
        let flag = self.temporary("leave", Type::LOGICAL);
        self.flags.insert(target, flag);
        flag
    }

    fn set_flag(&mut self, target: Target, value: bool, span: Span) -> StmtId {
        let flag = self.flag(target);
        let mut builder = self.builder(span);
        let value = builder.logical(value);
        builder.assign(Access::whole(flag), value)
    }

    /// `!flag && !flag …`
    fn none_set(&mut self, targets: &Targets, span: Span) -> ExprId {
        let flags: Vec<VarId> = targets.iter().map(|&target| self.flag(target)).collect();
        let mut builder = self.builder(span);
        let mut condition: Option<ExprId> = None;
        for flag in flags {
            let set = builder.load(flag);
            let clear = builder.not(set);
            condition = Some(match condition {
                Some(others) => builder.and(others, clear),
                None => clear,
            });
        }
        condition.unwrap_or_else(|| builder.logical(true))
    }

    /// A new scalar of the generated code: `stem_1`, `stem_2`, …
    fn temporary(&mut self, stem: &str, ty: Type) -> VarId {
        let used = self.numbers.entry(stem.to_owned()).or_default();
        let name = loop {
            *used += 1;
            let name = format!("{stem}_{used}");
            if self.procedure.variable_named(&name).is_none() {
                break name;
            }
        };
        let mut variable = Variable::scalar(name, ty);
        variable.role = Role::Temporary;
        let var = self.procedure.variables.add(variable);
        self.added.push(var);
        var
    }

    /// The variables added since `mark` that are used inside only.
    fn private_since(&self, mark: usize, escapes: &Targets) -> Vec<VarId> {
        let outside: Vec<VarId> = escapes
            .iter()
            .filter_map(|target| self.flags.get(target).copied())
            .collect();
        self.added[mark..]
            .iter()
            .copied()
            .filter(|var| !outside.contains(var))
            .collect()
    }

    fn fresh_label(&mut self) -> JumpLabel {
        self.next_label += 1;
        JumpLabel(self.next_label - 1)
    }

    fn add(&mut self, stmt: Stmt, span: Span) -> StmtId {
        self.procedure.stmts.add(StmtNode { stmt, span })
    }
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Equal => Some(BinaryOp::NotEqual),
        BinaryOp::NotEqual => Some(BinaryOp::Equal),
        BinaryOp::Less => Some(BinaryOp::GreaterEqual),
        BinaryOp::GreaterEqual => Some(BinaryOp::Less),
        BinaryOp::Greater => Some(BinaryOp::LessEqual),
        BinaryOp::LessEqual => Some(BinaryOp::Greater),
        _ => None,
    }
}

fn with(targets: &Targets, target: Target) -> Targets {
    let mut all = targets.clone();
    all.insert(target);
    all
}
