//! How values flow through each statement: from which slots to which, and what is overwritten.

use contraflow_ir::{
    Access, Aliasing, Argument, Callee, Dim, Expr, ExprId, Extent, Module, Passing, Procedure,
    ProcedureId, Span, Stmt, StmtId, Storage, Type, VarId, Variable, place_of,
};

use super::slots::{Port, Slots, type_carries, variable_carries};
use crate::analysis::effects::{Effects, Shared};
use crate::analysis::retyped;
use crate::rules::{self, Op};

/// Part of an expression that no derivative can pass, with the slots behind it.
#[derive(Clone, Debug)]
pub(super) struct Blocked {
    pub span: Span,
    /// The function without rule; `None` for quoted text.
    pub function: Option<Op>,
    pub slots: Vec<usize>,
}

/// Where the derivative of a value can come from.
#[derive(Clone, Default, Debug)]
pub(super) struct Source {
    pub slots: Vec<usize>,
    pub blocked: Vec<Blocked>,
}

impl Source {
    fn of(slots: Vec<usize>) -> Source {
        Source {
            slots,
            blocked: Vec::new(),
        }
    }
}

/// Where a port of a callee leads to in the caller.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub port: usize,
    pub target: Target,
}

/// What is written in the caller.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub slots: Vec<usize>,
    /// A definite write of the callee's port is a definite write of the slot as a whole.
    pub strong: bool,
    /// The place; missing for memory that the caller has no name for.
    pub place: Option<Access>,
}

/// A call of a procedure with source.
#[derive(Clone, Debug)]
pub(super) struct CallFlow {
    pub callee: ProcedureId,
    /// For each port of the callee what flows in.
    pub inputs: Vec<Source>,
    /// The ports that the callee may write.
    pub outputs: Vec<Output>,
    /// Memory that holds numbers and that the callee uses as something else.
    pub retyped: Vec<usize>,
}

/// Code without source or meaning: everything written may depend on everything read.
#[derive(Clone, Default, Debug)]
pub(super) struct UnknownFlow {
    pub reads: Vec<usize>,
    pub writes: Vec<usize>,
    /// Slots that are certainly overwritten as a whole.
    pub killed: Vec<usize>,
    pub terminates: bool,
}

/// What a statement itself does to slots.
#[derive(Clone, Debug)]
pub(super) enum Flow {
    Nothing,
    Move {
        target: usize,
        strong: bool,
        source: Source,
    },
    Kill(usize),
    Call(CallFlow),
    Unknown(UnknownFlow),
}

/// The flow of every statement of a procedure, by index.
pub(super) fn flows(
    module: &Module,
    effects: &Effects,
    slots: &[Option<Slots>],
    id: ProcedureId,
) -> Vec<Flow> {
    let Some(own) = &slots[id.index()] else {
        return Vec::new();
    };
    let reader = Reader {
        module,
        effects,
        id,
        procedure: &module.procedures[id],
        slots: own,
        all: slots,
    };
    reader
        .procedure
        .stmts
        .ids()
        .map(|stmt| reader.flow(stmt))
        .collect()
}

struct Reader<'a> {
    module: &'a Module,
    effects: &'a Effects,
    id: ProcedureId,
    procedure: &'a Procedure,
    slots: &'a Slots,
    all: &'a [Option<Slots>],
}

impl Reader<'_> {
    fn flow(&self, stmt: StmtId) -> Flow {
        match self.procedure.stmt(stmt) {
            Stmt::Assign { target, value } => {
                let is_whole = target.path.is_empty();
                self.move_to(target, is_whole, || self.source(*value))
            }
            Stmt::Fill { target, value } => {
                self.move_to(target, target.path.is_empty(), || self.source(*value))
            }
            Stmt::Copy { target, source } => {
                self.move_to(target, target.path.is_empty(), || self.place(source))
            }
            // The two names are one memory from here on, which the overlap of them says already.
            assignment @ Stmt::PointerAssign {
                target,
                value: Some(value),
                ..
            } if retyped::is_retyped(self.module, self.procedure, assignment) => {
                let seen = self.carrying([value, target]);
                Flow::Unknown(UnknownFlow {
                    reads: seen.clone(),
                    writes: seen,
                    killed: Vec::new(),
                    terminates: false,
                })
            }
            Stmt::PointerAssign { target, value, .. } => self.move_to(target, false, || {
                value
                    .as_ref()
                    .map(|value| self.place(value))
                    .unwrap_or_default()
            }),
            Stmt::Allocate { target, .. } | Stmt::Free { target } => {
                let slot = target.var.index();
                let is_killed = target.path.is_empty()
                    && self.slots.carries[slot]
                    && self.slots.overlapping[slot].is_empty();
                match is_killed {
                    true => Flow::Kill(slot),
                    false => Flow::Nothing,
                }
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(stmt, callee, arguments, result.as_ref()),
            Stmt::Opaque {
                reads,
                writes,
                terminates,
                ..
            } => Flow::Unknown(UnknownFlow {
                reads: self.carrying(reads),
                writes: self.carrying(writes),
                killed: Vec::new(),
                terminates: *terminates,
            }),
            Stmt::Push { .. }
            | Stmt::Pop { .. }
            | Stmt::Loop { .. }
            | Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Region { .. }
            | Stmt::Labelled { .. }
            | Stmt::Jump(_)
            | Stmt::Stop { .. }
            | Stmt::Comment(_) => Flow::Nothing,
        }
    }

    fn move_to(&self, target: &Access, whole: bool, source: impl Fn() -> Source) -> Flow {
        let slot = target.var.index();
        if !self.slots.carries[slot] {
            return self.write_beneath(slot);
        }
        Flow::Move {
            target: slot,
            strong: whole && self.slots.overlapping[slot].is_empty(),
            source: source(),
        }
    }

    /// A write of a variable without numbers that lies on the bytes of variables with numbers
    /// (EQUIVALENCE, COMMON): those change in a way that cannot be followed.
    fn write_beneath(&self, slot: usize) -> Flow {
        let by_bytes = |slot: usize| {
            let variable = self.procedure.variables.get(VarId::from_index(slot));
            variable.is_none_or(|variable| {
                matches!(
                    variable.storage,
                    Storage::Overlay { .. } | Storage::Common { .. }
                )
            })
        };
        let writes: Vec<usize> = self.slots.overlapping[slot]
            .iter()
            .copied()
            .filter(|&other| by_bytes(slot) || by_bytes(other))
            .collect();
        match writes.is_empty() {
            true => Flow::Nothing,
            false => Flow::Unknown(UnknownFlow {
                writes,
                ..UnknownFlow::default()
            }),
        }
    }

    fn carrying<'x>(&self, accesses: impl IntoIterator<Item = &'x Access>) -> Vec<usize> {
        let mut slots: Vec<usize> = accesses
            .into_iter()
            .map(|access| access.var.index())
            .filter(|&slot| self.slots.carries[slot])
            .collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn place(&self, access: &Access) -> Source {
        Source::of(self.carrying([access]))
    }

    fn source(&self, e: ExprId) -> Source {
        let mut source = Source::default();
        self.collect(e, &mut source);
        source.slots.sort_unstable();
        source.slots.dedup();
        source
    }

    fn collect(&self, e: ExprId, source: &mut Source) {
        match self.procedure.expr(e) {
            Expr::Load(access) | Expr::Required { access, .. } => {
                source.slots.extend(self.carrying([access]));
            }
            Expr::Opaque { reads, .. } => {
                let slots = self.carrying(reads);
                source.slots.extend(&slots);
                source.blocked.push(Blocked {
                    span: self.procedure.exprs[e].span,
                    function: None,
                    slots,
                });
            }
            expr => {
                let Some((op, operands)) = Op::of(expr) else {
                    return;
                };
                if self.is_pointer(e) {
                    // Arithmetic on addresses: the result leads where the operands lead.
                    operands
                        .iter()
                        .for_each(|&operand| self.collect(operand, source));
                    return;
                }
                let mut inner = Source::default();
                for (which, &operand) in operands.iter().enumerate() {
                    if rules::flows(self.procedure, e, which) {
                        self.collect(operand, &mut inner);
                    }
                }
                if !rules::has_rule(op, self.procedure.exprs[e].ty) {
                    inner.blocked.push(Blocked {
                        span: self.procedure.exprs[e].span,
                        function: Some(op),
                        slots: inner.slots.clone(),
                    });
                }
                source.slots.extend(inner.slots);
                source.blocked.extend(inner.blocked);
            }
        }
    }

    fn is_pointer(&self, e: ExprId) -> bool {
        matches!(self.procedure.exprs[e].ty, Type::Pointer(_) | Type::Address)
    }

    fn call(
        &self,
        stmt: StmtId,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Access>,
    ) -> Flow {
        match callee {
            Callee::Procedure(id)
                if self.module.procedures[*id].has_body && !self.loses_types(*id, arguments) =>
            {
                Flow::Call(self.call_with_source(stmt, *id, arguments, result))
            }
            _ => Flow::Unknown(self.call_without_source(stmt, result)),
        }
    }

    /// Whether memory that holds numbers is passed to a formal that does not say so (`void *`, an
    /// integer array), or that holds numbers of another type: what the callee does to it cannot be
    /// followed.
    fn loses_types(&self, callee: ProcedureId, arguments: &[Argument]) -> bool {
        let formals = &self.module.procedures[callee];
        arguments.iter().zip(&formals.arguments).enumerate().any(
            |(position, (argument, &formal))| {
                let touch = self.effects.argument(callee, position);
                let holds_numbers = match argument {
                    Argument::Place(place) => self.slots.carries[place.var.index()],
                    Argument::Value(e) => self.is_pointer(*e) && !self.source(*e).slots.is_empty(),
                    Argument::Procedure(_) | Argument::Absent | Argument::Opaque { .. } => false,
                };
                let formal = &formals.variables[formal];
                let formal_type = formal.ty;
                let is_number = |ty: Type| ty.is_real() || matches!(ty, Type::Complex { .. });
                let type_at = self.type_at(argument);
                let is_other_number = type_at
                    .is_some_and(|ty| is_number(ty) && is_number(formal_type) && ty != formal_type);
                let is_plain = is_plain(formal);
                let is_no_number = !variable_carries(self.module, formal)
                    && !is_plain
                    && type_at.is_none_or(|ty| type_carries(self.module, ty));
                holds_numbers && (touch.read || touch.write) && (is_other_number || is_no_number)
            },
        )
    }

    /// Whether memory that holds numbers is used by the callee as integers and nothing else.
    fn is_retyped(&self, callee: ProcedureId, position: usize, place: &Access) -> bool {
        let touch = self.effects.argument(callee, position);
        let formals = &self.module.procedures[callee];
        self.slots.carries[place.var.index()]
            && (touch.read || touch.write)
            && is_plain(&formals.variables[formals.arguments[position]])
    }

    /// The type of what an argument passes; `None` where that is not known.
    fn type_at(&self, argument: &Argument) -> Option<Type> {
        match argument {
            Argument::Place(place) => place_of(self.module, self.procedure, place)
                .ok()
                .map(|place| place.ty),
            _ => None,
        }
    }

    fn call_without_source(&self, stmt: StmtId, result: Option<&Access>) -> UnknownFlow {
        let found = self.effects.stmt(self.module, self.id, stmt);
        let killed = result
            .filter(|result| result.path.is_empty())
            .map(|result| self.carrying([result]))
            .unwrap_or_default();
        UnknownFlow {
            reads: self.carrying(&found.reads),
            writes: self.carrying(&found.writes),
            killed: killed
                .into_iter()
                .filter(|&slot| self.slots.overlapping[slot].is_empty())
                .collect(),
            terminates: false,
        }
    }

    fn call_with_source(
        &self,
        stmt: StmtId,
        id: ProcedureId,
        arguments: &[Argument],
        result: Option<&Access>,
    ) -> CallFlow {
        let mut flow = CallFlow {
            callee: id,
            inputs: Vec::new(),
            outputs: Vec::new(),
            retyped: Vec::new(),
        };
        let ports = self.all[id.index()].as_ref().map_or(&[][..], |s| &s.ports);
        for (port, &(kind, _)) in ports.iter().enumerate() {
            let (input, target) = match kind {
                Port::Argument(position) => match arguments.get(position) {
                    Some(Argument::Place(place)) if self.is_retyped(id, position, place) => {
                        flow.retyped.extend(self.carrying([place]));
                        (Source::default(), None)
                    }
                    Some(argument) => self.argument(stmt, id, position, argument),
                    None => (Source::default(), None),
                },
                Port::Shared(shared) => self.shared(id, shared),
                Port::Result => (Source::default(), result.map(|place| self.result(place))),
            };
            flow.inputs.push(input);
            flow.outputs
                .extend(target.map(|target| Output { port, target }));
        }
        flow
    }

    fn result(&self, place: &Access) -> Target {
        let slots = self.carrying([place]);
        Target {
            strong: place.path.is_empty() && self.are_alone(&slots),
            slots,
            place: Some(place.clone()),
        }
    }

    fn shared(&self, callee: ProcedureId, shared: Shared) -> (Source, Option<Target>) {
        let slots = self.slots.of_shared(self.effects, self.id, shared);
        let touch = self.effects.global(callee, shared);
        let place = slots
            .first()
            .filter(|&&slot| slot < self.slots.variables)
            .map(|&slot| Access::whole(VarId::from_index(slot)));
        let target = touch.write.then(|| Target {
            strong: slots.iter().all(|&slot| self.is_exactly(slot, shared))
                && self.are_alone(&slots),
            slots: slots.clone(),
            place,
        });
        (Source::of(slots), target)
    }

    fn are_alone(&self, slots: &[usize]) -> bool {
        slots
            .iter()
            .all(|&slot| self.slots.overlapping[slot].is_empty())
    }

    fn is_exactly(&self, slot: usize, shared: Shared) -> bool {
        let name = match slot.checked_sub(self.slots.variables) {
            Some(extra) => Some(self.slots.extras[extra]),
            None => self.effects.shared(self.id, VarId::from_index(slot)),
        };
        name == Some(shared)
    }

    fn argument(
        &self,
        stmt: StmtId,
        callee: ProcedureId,
        position: usize,
        argument: &Argument,
    ) -> (Source, Option<Target>) {
        let touch = self.effects.argument(callee, position);
        let formal = &self.module.procedures[callee];
        let formal = &formal.variables[formal.arguments[position]];
        match argument {
            Argument::Value(value) => {
                let source = self.source(*value);
                let leads_away = touch.write && self.is_pointer(*value);
                let target = leads_away.then(|| Target {
                    slots: source.slots.clone(),
                    strong: false,
                    place: None,
                });
                (source, target)
            }
            Argument::Place(place) => {
                let slots = self.carrying([place]);
                let is_address = matches!(formal.ty, Type::Pointer(_) | Type::Address);
                let writes = touch.write && (formal.passing == Passing::Reference || is_address);
                let actual = &self.procedure.variables[place.var];
                let is_scalar = !actual.is_array() && !formal.is_array() && !is_address;
                let target = writes.then(|| Target {
                    strong: place.path.is_empty() && is_scalar && self.are_alone(&slots),
                    slots: slots.clone(),
                    place: Some(place.clone()),
                });
                (Source::of(slots), target)
            }
            Argument::Opaque { reads, .. } => {
                let slots = self.carrying(reads);
                let blocked = vec![Blocked {
                    span: self.procedure.stmts[stmt].span,
                    function: None,
                    slots: slots.clone(),
                }];
                (Source { slots, blocked }, None)
            }
            Argument::Procedure(_) | Argument::Absent => (Source::default(), None),
        }
    }
}

/// Whether a formal holds integers, truth values or characters, and its memory cannot be named as
/// anything else: it is no pointer, nor an array without bounds, that a cast may change.
fn is_plain(formal: &Variable) -> bool {
    let has_bounds = |dim: &Dim| dim.extent != Extent::Unknown;
    matches!(
        formal.ty,
        Type::Integer { .. } | Type::Logical { .. } | Type::Character
    ) && formal.passing == Passing::Reference
        && formal.aliasing == Aliasing::None
        && formal.shape.iter().all(has_bounds)
}
