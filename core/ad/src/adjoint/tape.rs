//! Tapes: where values that the backward sweep needs wait for it.
//!
//! A value saved at a statement inside counted loops of its frame waits in an array dimensioned by
//! the iteration space, innermost loop fastest, so that both sweeps run through it contiguously. A
//! value saved outside all loops of its frame waits in a scalar. Only where an iteration count is
//! not known at entry (a `While` between frame and statement, bounds that change) does it go to a
//! growing tape, pushed and popped in the order of the loops.

use contraflow_ir::{
    Access, BoundKind, Builder, Dim, Expr, ExprId, Extent, Procedure, Role, Selector, Stmt, StmtId,
    Type, VarId, Variable,
};

use super::extent::{Extents, LoopDim, Range};

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
    out: &mut Procedure,
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
        return growing(out, purpose);
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
    let var = tape_variable(out, purpose, shape);
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

fn tape_variable(out: &mut Procedure, purpose: &Purpose<'_>, shape: Vec<Dim>) -> VarId {
    let mut variable = Variable::scalar(crate::naming::unique(out, purpose.name), purpose.ty);
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
pub fn declared_like(out: &mut Procedure, var: VarId) -> (Option<String>, Option<ExprId>) {
    if out.variables[var].ty != Type::Character {
        return (out.variables[var].spelling.clone(), None);
    }
    let length = Expr::Bound {
        array: Access::whole(var),
        kind: BoundKind::Length,
        dim: 0,
    };
    (None, Some(Builder::new(out).expr(length, Type::INT)))
}

fn growing(out: &mut Procedure, purpose: &Purpose<'_>) -> Slot {
    let lower = Builder::new(out).int(1);
    let shape = vec![Dim {
        lower,
        extent: Extent::Deferred,
    }];
    let var = tape_variable(out, purpose, shape);
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
                    let mut b = Builder::new(out);
                    let element = Access::element(place.var, subscripts.to_vec());
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
        let is_declared = out.variables[place.var]
            .shape
            .iter()
            .all(|dim| !matches!(dim.extent, Extent::AssumedSize | Extent::Unknown));
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
            let kept = kept.map(|e| match out.expr(e) {
                Expr::Range { .. } => *next.next().unwrap_or(&e),
                _ => e,
            });
            let other = Access::element(place.var, subscripts.to_vec());
            let (target, source) = pair(kept, other);
            let mut b = Builder::new(out);
            let value = b.expr(Expr::Load(source), ty);
            b.assign(target, value)
        })
    }

    /// Where a section is kept: at its own subscripts within the slot, which has the bounds of the
    /// whole array. `None` for whole arrays.
    fn section(&self, out: &Procedure, place: &Access) -> Option<Access> {
        let subscripts = place.subscripts().filter(|it| !it.is_empty())?;
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
                    Builder::new(out).stmt(Stmt::Pop {
                        tape: *tape,
                        target: Access::element(place.var, subscripts.to_vec()),
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

/// The places that an access with `Range` subscripts or a whole array means have the shape of the
/// variable; an element is a scalar.
pub fn is_scalar_place(out: &Procedure, place: &Access) -> bool {
    match place.path.last() {
        None => !out.variables[place.var].is_array(),
        Some(Selector::Index(subscripts)) => !subscripts
            .iter()
            .any(|&e| matches!(out.expr(e), Expr::Range { .. })),
        Some(Selector::Field(_) | Selector::Deref) => true,
    }
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
