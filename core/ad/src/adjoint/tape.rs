//! Tapes: where values that the backward sweep needs wait for it.
//!
//! A value saved at a statement inside counted loops of its frame waits in an array dimensioned by
//! the iteration space, innermost loop fastest, so that both sweeps run through it contiguously. A
//! value saved outside all loops of its frame waits in a scalar. Only where an iteration count is
//! not known at entry (a `While` between frame and statement, bounds that change) does it go to a
//! growing tape, pushed and popped in the order of the loops.

use contraflow_ir::{
    Access, Allocation, BoundKind, Builder, Dim, Expr, ExprId, Extent, Module, Procedure, Role,
    Selector, Stmt, StmtId, Type, VarId, Variable,
};

use super::extent::{Extents, LoopDim, Range};
use crate::naming::Names;

/// How a value is kept.
#[derive(Clone, Debug)]
pub enum Slot {
    /// A place of the same shape as what it keeps: a scalar, an element, or a section of a tape.
    Fixed {
        /// The place.
        place: Access,
        /// The shape of one kept value; empty for a scalar.
        shape: Vec<Range>,
    },
    /// The end of a growing tape.
    Growing {
        /// The tape, of scalars.
        tape: VarId,
        /// The shape of one kept value; its elements are pushed one by one.
        shape: Vec<Range>,
    },
}

/// What a tape is for, in its name and in the report.
#[derive(Clone, Debug)]
pub struct Purpose<'p> {
    /// The name of the tape.
    pub name: &'p str,
    /// The type of an element.
    pub ty: Type,
    /// The type as the source spells it.
    pub spelling: Option<String>,
    /// The length of a text.
    pub length: Option<ExprId>,
    /// The shape of one saved value; empty for a scalar.
    pub shape: Vec<Range>,
    /// Whether the shape holds at entry.
    pub is_known_at_entry: bool,
}

/// Makes a slot for values saved inside `loops` (outermost first, all inside the frame).
pub fn slot(
    (out, names): (&mut Procedure, &mut Names),
    extents: &Extents<'_, '_>,
    loops: &[StmtId],
    around: &[StmtId],
    purpose: &Purpose<'_>,
) -> Slot {
    let dims: Option<Vec<LoopDim>> = (0..loops.len())
        .map(|depth| {
            let mut chain = around.to_vec();
            chain.extend_from_slice(&loops[..=depth]);
            extents.loop_dim(out, &chain)
        })
        .collect();
    let Some(mut dims) = dims.filter(|_| purpose.is_known_at_entry) else {
        return growing(out, names, purpose);
    };
    dims.reverse();
    let mut shape: Vec<Dim> = Vec::new();
    let mut subscripts: Vec<ExprId> = Vec::new();
    for range in &purpose.shape {
        shape.push(Dim {
            lower: range.lower,
            extent: Extent::Count(range.count),
        });
        let all = Expr::Range {
            lower: None,
            upper: None,
            step: None,
        };
        subscripts.push(Builder::new(out).expr(all, Type::INT));
    }
    for dim in &dims {
        shape.push(Dim {
            lower: dim.range.lower,
            extent: Extent::Count(dim.range.count),
        });
        subscripts.push(dim.subscript);
    }
    let var = tape_variable(out, names, purpose, shape);
    let place = if dims.is_empty() {
        Access::whole(var)
    } else {
        Access::element(var, subscripts)
    };
    Slot::Fixed {
        place,
        shape: purpose.shape.clone(),
    }
}

fn tape_variable(
    out: &mut Procedure,
    names: &mut Names,
    purpose: &Purpose<'_>,
    shape: Vec<Dim>,
) -> VarId {
    let mut variable = Variable::scalar(names.unique(out, purpose.name), purpose.ty);
    variable.role = if shape.is_empty() {
        Role::Temporary
    } else {
        Role::Tape
    };
    variable.spelling = purpose.spelling.clone();
    variable.length = purpose.length;
    variable.shape = shape;
    out.variables.add(variable)
}

/// How a kept copy of a variable is declared: the type as the source spells it or, since that of a
/// text may say no length, the length of the variable that is kept.
pub fn declared_like(
    out: &mut Procedure,
    place: &Access,
    ty: Type,
) -> (Option<String>, Option<ExprId>) {
    if ty != Type::Character {
        return (out.variables[place.var].spelling_of(ty), None);
    }
    let is_component = place.path.iter().any(|s| matches!(s, Selector::Field(_)));
    let array = match is_component {
        true => place.clone(),
        false => Access::whole(place.var),
    };
    let length = Expr::Bound {
        array,
        kind: BoundKind::Length,
        dim: 0,
    };
    (None, Some(Builder::new(out).expr(length, Type::INT)))
}

fn growing(out: &mut Procedure, names: &mut Names, purpose: &Purpose<'_>) -> Slot {
    let lower = Builder::new(out).int(1);
    let shape = vec![Dim {
        lower,
        extent: Extent::Deferred,
    }];
    let var = tape_variable(out, names, purpose, shape);
    Slot::Growing {
        tape: var,
        shape: purpose.shape.clone(),
    }
}

impl Slot {
    /// The statement that saves the value of `place`.
    pub fn save(&self, out: &mut Procedure, place: &Access, ty: Type) -> StmtId {
        match self {
            Slot::Fixed { shape, .. } if !shape.is_empty() => {
                self.transfer(out, place, ty, Direction::Save)
            }
            Slot::Growing { tape, shape } if !shape.is_empty() => {
                let nest = ElementLoops {
                    ranges: shape,
                    backwards: false,
                };
                nest.around(out, &mut |out, subscripts| {
                    let element = element_of(out, place, subscripts);
                    let mut b = Builder::new(out);
                    let value = b.expr(Expr::Load(element), ty);
                    b.stmt(Stmt::Push { tape: *tape, value })
                })
            }
            _ => {
                let value = Builder::new(out).expr(Expr::Load(place.clone()), ty);
                self.keep(out, value)
            }
        }
    }

    /// Copies an array to or from a fixed slot: as a whole where its size is declared, else element
    /// by element.
    fn transfer(
        &self,
        out: &mut Procedure,
        place: &Access,
        ty: Type,
        direction: Direction,
    ) -> StmtId {
        let (Slot::Fixed { shape, .. } | Slot::Growing { shape, .. }) = self;
        let is_component = place.path.iter().any(|s| matches!(s, Selector::Field(_)));
        let variable = &out.variables[place.var];
        let is_pointer = variable.allocation == Allocation::Pointer;
        let is_behind = place.path.last() == Some(&Selector::Deref);
        let is_declared = !is_behind
            && (is_component
                || variable.shape.iter().all(|dim| match dim.extent {
                    Extent::AssumedSize | Extent::Unknown => false,
                    Extent::Deferred => !is_pointer,
                    Extent::Count(_) | Extent::Assumed => true,
                }));
        let pair = |kept: Access, other: Access| match direction {
            Direction::Save => (kept, other),
            Direction::Restore => (other, kept),
        };
        if let Some(kept) = self.section(out, place) {
            let (target, source) = pair(kept, place.clone());
            return Builder::new(out).stmt(Stmt::Copy { target, source });
        }
        if is_declared {
            let (target, source) = pair(self.access(), place.clone());
            return Builder::new(out).stmt(Stmt::Copy { target, source });
        }
        let nest = ElementLoops {
            ranges: shape,
            backwards: false,
        };
        let kept = self.access();
        nest.around(out, &mut |out, subscripts| {
            let mut next = subscripts.iter();
            let kept = match kept.path.is_empty() {
                true => Access::element(kept.var, subscripts.to_vec()),
                false => kept.map(|e| match out.expr(e) {
                    Expr::Range { .. } => *next.next().unwrap_or(&e),
                    _ => e,
                }),
            };
            let other = element_of(out, place, subscripts);
            let (target, source) = pair(kept, other);
            let mut b = Builder::new(out);
            let value = b.expr(Expr::Load(source), ty);
            b.assign(target, value)
        })
    }

    /// Where a section is kept: at its own subscripts within the slot, which has the bounds of the
    /// whole array. `None` for whole arrays.
    fn section(&self, out: &Procedure, place: &Access) -> Option<Access> {
        let Some(Selector::Index(subscripts)) = place.path.get(array_end(out, place)) else {
            return None;
        };
        let kept = self.access();
        if kept.path.is_empty() {
            return Some(Access::element(kept.var, subscripts.to_vec()));
        }
        let mut next = subscripts.iter();
        Some(kept.map(|e| match out.expr(e) {
            Expr::Range { .. } => *next.next().unwrap_or(&e),
            _ => e,
        }))
    }

    /// The statement that saves a scalar value.
    pub fn keep(&self, out: &mut Procedure, value: ExprId) -> StmtId {
        match self {
            Slot::Fixed { place, .. } => Builder::new(out).assign(place.clone(), value),
            Slot::Growing { tape, .. } => Builder::new(out).stmt(Stmt::Push { tape: *tape, value }),
        }
    }

    /// The statement that puts the value back into `place`.
    pub fn restore(&self, out: &mut Procedure, place: &Access, ty: Type) -> StmtId {
        match self {
            Slot::Fixed { place: kept, shape } if shape.is_empty() => {
                let value = Builder::new(out).expr(Expr::Load(kept.clone()), ty);
                Builder::new(out).assign(place.clone(), value)
            }
            Slot::Fixed { .. } => self.transfer(out, place, ty, Direction::Restore),
            Slot::Growing { tape, shape } if !shape.is_empty() => {
                let nest = ElementLoops {
                    ranges: shape,
                    backwards: true,
                };
                nest.around(out, &mut |out, subscripts| {
                    let target = element_of(out, place, subscripts);
                    Builder::new(out).stmt(Stmt::Pop {
                        tape: *tape,
                        target,
                    })
                })
            }
            Slot::Growing { tape, .. } => Builder::new(out).stmt(Stmt::Pop {
                tape: *tape,
                target: place.clone(),
            }),
        }
    }

    /// The place from which the memory of the kept value starts, to be passed to a procedure.
    pub fn start(&self, out: &Procedure) -> Access {
        let Slot::Fixed { place, .. } = self else {
            return self.access();
        };
        let shape = &out.variables[place.var].shape;
        let mut dims = shape.iter();
        place.map(|e| {
            let dim = dims.next();
            match (out.expr(e), dim) {
                (Expr::Range { .. }, Some(dim)) => dim.lower,
                _ => e,
            }
        })
    }

    fn access(&self) -> Access {
        match self {
            Slot::Fixed { place, .. } => place.clone(),
            Slot::Growing { tape, .. } => Access::whole(*tape),
        }
    }

    /// The variable that holds it.
    pub fn variable(&self) -> VarId {
        self.access().var
    }

    /// Whether it is an array or grows.
    pub fn is_tape(&self, out: &Procedure) -> bool {
        out.variables[self.variable()].role == Role::Tape
    }
}

/// Whether an access means one value: not an array, and not a section.
pub fn is_scalar_place(module: &Module, out: &Procedure, place: &Access) -> bool {
    contraflow_ir::place_of(module, out, place).map_or(true, |place| place.rank == 0)
}

/// How many selectors of `place`, an array or a section, lead to the array that it has its
/// dimensions from: its subscripts, if any, come next.
fn array_end(out: &Procedure, place: &Access) -> usize {
    let is_section = |selector: &Selector| {
        matches!(selector, Selector::Index(subscripts)
            if subscripts.iter().any(|&e| matches!(out.expr(e), Expr::Range { .. })))
    };
    let is_array = out.variables[place.var].is_array();
    match place.path.iter().position(is_section) {
        Some(at) => at,
        None if is_array && !matches!(place.path.first(), Some(Selector::Index(_))) => 0,
        None => place.path.len(),
    }
}

/// The array that an array or section has its dimensions from, if that is plain to see: no array
/// component of a record lies before it.
pub fn array_of(module: &Module, out: &Procedure, place: &Access) -> Option<Access> {
    let mut array = place.clone();
    array.path.truncate(array_end(out, place));
    let rest = place.path.len().min(array.path.len() + 1);
    let found = contraflow_ir::place_of(module, out, &array).ok()?;
    let has_subscripts = matches!(place.path.get(array.path.len()), Some(Selector::Index(_)));
    let inner = &place.path[if has_subscripts {
        rest
    } else {
        array.path.len()
    }..];
    let is_plain = inner.iter().all(|s| matches!(s, Selector::Field(_)));
    (found.rank > 0 && is_plain && last_is_array(module, out, &array)).then_some(array)
}

/// Whether the last component or the variable itself is the array.
fn last_is_array(module: &Module, out: &Procedure, array: &Access) -> bool {
    let mut before = array.clone();
    match before.path.pop() {
        None => out.variables[array.var].is_array(),
        Some(Selector::Field(_)) => {
            contraflow_ir::place_of(module, out, &before).is_ok_and(|place| place.rank == 0)
        }
        Some(_) => false,
    }
}

/// The element of an array or section at subscripts of the whole array.
fn element_of(out: &Procedure, place: &Access, subscripts: &[ExprId]) -> Access {
    let at = array_end(out, place);
    let mut element = place.clone();
    let index = Selector::Index(subscripts.to_vec());
    match element.path.get_mut(at) {
        Some(selector @ Selector::Index(_)) => *selector = index,
        _ => element.path.insert(at, index),
    }
    element
}

#[derive(Clone, Copy)]
enum Direction {
    Save,
    Restore,
}

/// A loop nest over all elements of a shape, fastest dimension innermost.
pub struct ElementLoops<'r> {
    /// The shape; without dimensions there is no loop.
    pub ranges: &'r [Range],
    /// Whether the elements are visited from the last to the first.
    pub backwards: bool,
}

impl ElementLoops<'_> {
    /// The nest around a statement made from the subscripts.
    pub fn around(
        &self,
        out: &mut Procedure,
        body: &mut dyn FnMut(&mut Procedure, &[ExprId]) -> StmtId,
    ) -> StmtId {
        let variables: Vec<VarId> = (0..self.ranges.len())
            .map(|dim| self.variable(out, dim))
            .collect();
        let subscripts: Vec<ExprId> = variables
            .iter()
            .map(|&variable| Builder::new(out).load(variable))
            .collect();
        let mut stmt = body(out, &subscripts);
        for (range, &variable) in self.ranges.iter().zip(&variables) {
            let mut b = Builder::new(out);
            let ty = b.type_of(range.lower);
            let count = b.convert(range.count, ty);
            let one = b.int_of(1, ty);
            let upper = match b.integer_value(range.lower) {
                Some(1) => count,
                _ => {
                    let end = b.add(range.lower, count);
                    b.sub(end, one)
                }
            };
            stmt = if self.backwards {
                let step = b.int_of(-1, ty);
                b.counted_loop(variable, upper, range.lower, step, vec![stmt])
            } else {
                b.counted_loop(variable, range.lower, upper, one, vec![stmt])
            };
        }
        stmt
    }

    fn variable(&self, out: &mut Procedure, dim: usize) -> VarId {
        let ty = out.exprs[self.ranges[dim].lower].ty;
        let base = format!("element{}", dim + 1);
        let known = out.variable_named(&base).filter(|&var| {
            out.variables[var].role == Role::Temporary && out.variables[var].ty == ty
        });
        known.unwrap_or_else(|| {
            let mut variable = Variable::scalar(crate::naming::unique(out, &base), ty);
            variable.role = Role::Temporary;
            out.variables.add(variable)
        })
    }
}
