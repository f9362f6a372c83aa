//! Pieces of code that jump to each other in any way become nested blocks and loops.
//!
//! The pieces are the nodes of a flow graph. The method is that of N. Ramsey (Beyond Relooper,
//! 2022): the dominator tree says what stands inside what. A piece that others jump ahead to
//! follows a labelled block that they leave; a piece that is jumped back to begins an endless loop;
//! what a loop leaves to stands behind the loop. What is left are jumps outwards.
//!
//! A cycle with more than one entry (an irreducible graph) gets a piece of its own before it, which
//! asks an integer where to go on; all jumps to the entries go there.
//!
//! Costs `O(n · d)` for `n` pieces and loops that nest `d` deep, and once more per irreducible
//! cycle.

use super::reach;
use crate::build::Builder;
use crate::expr::Access;
use crate::module::Procedure;
use crate::source::Span;
use crate::stmt::{Block, CaseArm, CaseLabel, Jump, JumpLabel, Stmt, StmtId, StmtNode};
use crate::types::{Type, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

mod dominators;
mod reducible;

use dominators::Dominators;

/// A piece of code that starts at a label. `Jump::Exit` of the label goes to its start.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// Where it starts.
    pub label: JumpLabel,
    /// What it does before the next piece follows.
    pub body: Block,
}

/// Joins pieces: the first begins, each is followed by the next unless it jumps. Other jumps in
/// them lead outside and stay. `fresh_label` gives labels that nothing else uses, and
/// `fresh_state` integer variables for the graphs that are not reducible.
pub fn join(
    procedure: &mut Procedure,
    pieces: Vec<Piece>,
    fresh_label: &mut dyn FnMut() -> JumpLabel,
    fresh_state: &mut dyn FnMut(&mut Procedure) -> VarId,
) -> Block {
    let end = fresh_label();
    let mut graph = Graph {
        procedure,
        pieces: Vec::new(),
        places: HashMap::new(),
        fresh_label,
    };
    graph.fill(pieces, end);
    graph.make_reducible(fresh_state);
    let body = graph.place();
    vec![graph.add(Stmt::Labelled { label: end, body })]
}

struct Graph<'p> {
    procedure: &'p mut Procedure,
    /// The first one is empty: nothing jumps to it.
    pieces: Vec<Piece>,
    places: HashMap<JumpLabel, usize>,
    fresh_label: &'p mut dyn FnMut() -> JumpLabel,
}

impl Graph<'_> {
    fn fill(&mut self, pieces: Vec<Piece>, end: JumpLabel) {
        let mut labels: Vec<JumpLabel> = pieces.iter().map(|piece| piece.label).collect();
        labels.push(end);
        let entry = (self.fresh_label)();
        let begin = self.jump(Jump::Exit(labels[0]));
        self.push(entry, vec![begin]);
        for (piece, &next) in pieces.into_iter().zip(&labels[1..]) {
            let mut body = piece.body;
            if !reach::never_ends(self.procedure, &body) {
                body.push(self.jump(Jump::Exit(next)));
            }
            self.push(piece.label, body);
        }
    }

    fn push(&mut self, label: JumpLabel, body: Block) -> usize {
        let place = self.pieces.len();
        self.places.insert(label, place);
        self.pieces.push(Piece { label, body });
        place
    }

    fn add(&mut self, stmt: Stmt) -> StmtId {
        let span = Span::NONE;
        self.procedure.stmts.add(StmtNode { stmt, span })
    }

    fn jump(&mut self, jump: Jump) -> StmtId {
        self.add(Stmt::Jump(jump))
    }

    /// Where each piece may go on, without repetition.
    fn successors(&self) -> Vec<Vec<usize>> {
        let of = |piece: &Piece| {
            let mut found = BTreeSet::new();
            self.procedure.walk_block(&piece.body, &mut |id| {
                if let Stmt::Jump(Jump::Exit(label)) = self.procedure.stmt(id) {
                    found.extend(self.places.get(label).copied());
                }
            });
            found.into_iter().collect()
        };
        self.pieces.iter().map(of).collect()
    }

    /// Gives each irreducible cycle one entry.
    fn make_reducible(&mut self, fresh_state: &mut dyn FnMut(&mut Procedure) -> VarId) {
        while let Some(entries) = reducible::cycle_with_entries(&self.successors()) {
            let state = fresh_state(self.procedure);
            let label = (self.fresh_label)();
            let values: BTreeMap<JumpLabel, i128> = entries
                .iter()
                .map(|&entry| self.pieces[entry].label)
                .zip(1..)
                .collect();
            for place in 0..self.pieces.len() {
                let mut body = std::mem::take(&mut self.pieces[place].body);
                let redirect = Redirect {
                    state,
                    label,
                    values: &values,
                };
                redirect.block(self.procedure, &mut body);
                self.pieces[place].body = body;
            }
            let body = self.dispatch(state, &values);
            self.push(label, body);
        }
    }

    /// `switch (state) { 1: goto …; 2: goto …; }`
    fn dispatch(&mut self, state: VarId, values: &BTreeMap<JumpLabel, i128>) -> Block {
        let mut jumps: Vec<(i128, StmtId)> = values
            .iter()
            .map(|(&label, &value)| (value, label))
            .map(|(value, label)| (value, self.jump(Jump::Exit(label))))
            .collect();
        let (_, last) = jumps.pop().expect("a cycle is entered somewhere");
        let mut builder = Builder::new(self.procedure);
        let selector = builder.load(state);
        let arm = |builder: &mut Builder, (value, jump)| CaseArm {
            labels: vec![CaseLabel::Value(builder.int(value))],
            body: vec![jump],
        };
        let arms = jumps
            .into_iter()
            .map(|jump| arm(&mut builder, jump))
            .collect();
        vec![builder.stmt(Stmt::Switch {
            selector,
            arms,
            default: vec![last],
        })]
    }

    /// The pieces inside and behind each other, as their dominators have it.
    fn place(&mut self) -> Block {
        let dominators = Dominators::of(&self.successors());
        let loops = dominators.loops();
        let mut heads: HashMap<usize, JumpLabel> = HashMap::new();
        for (&header, members) in &loops {
            let again = (self.fresh_label)();
            heads.insert(header, again);
            self.cycle(header, members, again);
        }
        let mut layout = Layout {
            inside: vec![Vec::new(); self.pieces.len()],
            behind: vec![Vec::new(); self.pieces.len()],
            heads,
            jumps: self.count_jumps(),
        };
        for &piece in &dominators.order[1..] {
            let parent = dominators.parent[piece];
            let left = loops
                .iter()
                .filter(|(_, members)| members.contains(&parent) && !members.contains(&piece))
                .max_by_key(|(_, members)| members.len());
            match left {
                Some((&header, _)) => layout.behind[header].push(piece),
                None => layout.inside[parent].push(piece),
            }
        }
        self.emit(0, &layout)
    }

    /// Lets the jumps back to a loop's head start its next pass.
    fn cycle(&mut self, header: usize, members: &BTreeSet<usize>, again: JumpLabel) {
        let back = Stmt::Jump(Jump::Exit(self.pieces[header].label));
        let mut found = Vec::new();
        for &member in members {
            let body = &self.pieces[member].body;
            self.procedure.walk_block(body, &mut |id| found.push(id));
        }
        for id in found {
            if *self.procedure.stmt(id) == back {
                self.procedure.stmts[id].stmt = Stmt::Jump(Jump::Cycle(again));
            }
        }
    }

    fn count_jumps(&self) -> HashMap<JumpLabel, usize> {
        let mut counts = HashMap::new();
        for piece in &self.pieces {
            self.procedure.walk_block(&piece.body, &mut |id| {
                if let Stmt::Jump(Jump::Exit(label)) = self.procedure.stmt(id) {
                    *counts.entry(*label).or_default() += 1;
                }
            });
        }
        counts
    }

    fn emit(&mut self, piece: usize, layout: &Layout) -> Block {
        let mut block = std::mem::take(&mut self.pieces[piece].body);
        self.append(&mut block, &layout.inside[piece], layout);
        if let Some(&label) = layout.heads.get(&piece) {
            let condition = Builder::new(self.procedure).logical(true);
            block = vec![self.add(Stmt::While {
                condition,
                body: block,
                label: Some(label),
            })];
        }
        self.append(&mut block, &layout.behind[piece], layout);
        block
    }

    fn append(&mut self, block: &mut Block, pieces: &[usize], layout: &Layout) {
        for &piece in pieces {
            let label = self.pieces[piece].label;
            let to_it = Stmt::Jump(Jump::Exit(label));
            let falls = block
                .last()
                .is_some_and(|&last| *self.procedure.stmt(last) == to_it);
            if falls && layout.jumps.get(&label) == Some(&1) {
                block.pop();
            } else {
                let body = std::mem::take(block);
                block.push(self.add(Stmt::Labelled { label, body }));
            }
            let mut next = self.emit(piece, layout);
            block.append(&mut next);
        }
    }
}

/// What stands where.
struct Layout {
    /// The pieces that follow a piece, in the loop that it may begin.
    inside: Vec<Vec<usize>>,
    /// The pieces that follow the loop that a piece begins.
    behind: Vec<Vec<usize>>,
    /// The labels of loops by the piece that begins them.
    heads: HashMap<usize, JumpLabel>,
    jumps: HashMap<JumpLabel, usize>,
}

/// Sends the jumps to some labels through one that asks `state`.
struct Redirect<'v> {
    state: VarId,
    label: JumpLabel,
    values: &'v BTreeMap<JumpLabel, i128>,
}

impl Redirect<'_> {
    fn block(&self, procedure: &mut Procedure, block: &mut Block) {
        for id in std::mem::take(block) {
            if let Stmt::Jump(Jump::Exit(label)) = procedure.stmt(id)
                && let Some(&value) = self.values.get(label)
            {
                let mut builder = Builder::new(procedure);
                let value = builder.int_of(value, Type::INT);
                block.push(builder.assign(Access::whole(self.state), value));
                procedure.stmts[id].stmt = Stmt::Jump(Jump::Exit(self.label));
            }
            let nothing = Stmt::Comment(String::new());
            let mut stmt = std::mem::replace(&mut procedure.stmts[id].stmt, nothing);
            for inner in stmt.blocks_mut() {
                self.block(procedure, inner);
            }
            procedure.stmts[id].stmt = stmt;
            block.push(id);
        }
    }
}
