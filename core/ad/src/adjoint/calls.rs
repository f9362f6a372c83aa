//! The adjoint of a call: a call of the callee's adjoint (joint reversal).
//!
//! `foo_b` runs `foo` forward again and then backward, so at the call the backward sweep needs what
//! `foo` reads as it was before the call; what `foo` writes it writes again.

use contraflow_ir::{
    Access, Argument, BoundKind, Builder, Callee, Expr, ExprId, Extent, Passing, Procedure,
    ProcedureId, Selector, Stmt, StmtId, Type, VarId, Variable, place_of,
};

use super::local::Site;
use super::records;
use crate::allocation::{Before, conform_record, holds_allocatables};
use crate::analysis::{Dependence, Meeting};

/// The adjoint of a callee, as a caller sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct CalleeAdjoint {
    /// The adjoint procedure.
    pub procedure: ProcedureId,
    /// Its primal.
    pub primal: ProcedureId,
    /// For each formal argument of the primal, whether a shadow follows it.
    pub shadowed: Vec<bool>,
    /// Whether the function's value has a shadow.
    pub result_shadowed: bool,
    /// Whether new scalars are passed by value.
    pub scalars_by_value: bool,
    /// For each formal argument of the primal, whether it is a scalar that the callee only reads and
    /// whose memory, while it runs, the language lets no other name write: its shadow must not be
    /// another argument's either. (What the callee writes is nobody else's in the primal already.)
    pub exclusive_scalars: Vec<bool>,
    /// For each formal argument of the primal, its rank if it is an array that the callee only reads
    /// and whose memory, while it runs, the language lets no other name write.
    pub exclusive_arrays: Vec<Option<usize>>,
    /// The type of the function's value.
    pub result_type: Option<Type>,
    /// Whether it is a backward sweep alone, which does not take the function's value.
    pub is_split: bool,
}

impl Site<'_, '_> {
    /// The statements that reverse `result = callee(arguments)`. `reached` says of each argument
    /// whether the callee reaches its memory by another name too.
    pub fn reverse_call(
        &mut self,
        callee: &CalleeAdjoint,
        arguments: &[Argument],
        reached: &[bool],
        result: Option<&Access>,
    ) -> Vec<StmtId> {
        let mut block = Vec::new();
        let mut actual = Vec::new();
        let mut after = Vec::new();
        // A value that the source ignores is computed all the same.
        let ignored = callee
            .result_type
            .filter(|_| result.is_none())
            .map(|ty| Access::whole(self.temporaries.take(self.out, ty)));
        let value = result.or(ignored.as_ref()).map(|target| {
            if self.is_aggregate(target) {
                self.reverse_aggregate(callee, target, &mut block, &mut after)
            } else {
                self.reverse_result(callee, target, &mut block)
            }
        });
        for (position, argument) in arguments.iter().enumerate() {
            let shadowed = callee.shadowed.get(position) == Some(&true);
            actual.push(self.primal_argument(argument));
            if shadowed {
                let is_reached = reached.get(position) == Some(&true);
                let is_shared = callee.exclusive_scalars.get(position) == Some(&true)
                    && (is_reached || self.is_passed_again(arguments, position));
                let shadow = match argument {
                    Argument::Place(place) => {
                        match self.read_again(callee, arguments, position, is_reached) {
                            Meeting::Nowhere => {
                                self.shadow_argument(argument, is_shared, &mut block, &mut after)
                            }
                            meeting => self.second_shadow(place, meeting, &mut block, &mut after),
                        }
                    }
                    _ => self.shadow_argument(argument, is_shared, &mut block, &mut after),
                };
                actual.push(shadow);
            }
        }
        actual.extend(value.into_iter().flatten());
        block.push(Builder::new(self.out).stmt(Stmt::Call {
            callee: Callee::Procedure(callee.procedure),
            arguments: actual,
            result: None,
        }));
        block.extend(after);
        block
    }

    /// Takes the adjoint of the function's value out of its target; gives the arguments `v, v_b`.
    fn reverse_result(
        &mut self,
        callee: &CalleeAdjoint,
        target: &Access,
        block: &mut Vec<StmtId>,
    ) -> Vec<Argument> {
        let ty = super::place_type(self.module, self.out, target);
        let mut arguments = Vec::new();
        if !callee.is_split {
            let value = self.temporaries.take(self.out, ty);
            arguments.push(Argument::Place(Access::whole(value)));
        }
        let shadow = self.shadow_of(target);
        if shadow.is_none() && !callee.result_shadowed {
            return arguments;
        }
        let kept = self.temporaries.take(self.out, ty);
        match shadow {
            Some(shadow) => {
                let mut b = Builder::new(self.out);
                let seed = b.expr(Expr::Load(shadow.clone()), ty);
                block.push(b.assign(Access::whole(kept), seed));
                block.extend(self.zeroed(&shadow, ty));
            }
            None => block.extend(self.zeroed(&Access::whole(kept), ty)),
        }
        if callee.result_shadowed {
            arguments.push(if callee.scalars_by_value {
                Argument::Value(Builder::new(self.out).load(kept))
            } else {
                Argument::Place(Access::whole(kept))
            });
        }
        arguments
    }

    fn is_aggregate(&self, target: &Access) -> bool {
        place_of(self.module, self.out, target)
            .is_ok_and(|place| place.rank > 0 || matches!(place.ty, Type::Record(_)))
    }

    /// The same for an array or a record: front ends let it go to memory that no argument reaches,
    /// so the target itself and its shadow are the arguments.
    fn reverse_aggregate(
        &mut self,
        callee: &CalleeAdjoint,
        target: &Access,
        block: &mut Vec<StmtId>,
        after: &mut Vec<StmtId>,
    ) -> Vec<Argument> {
        let mut arguments = Vec::new();
        if !callee.is_split {
            arguments.push(Argument::Place(target.clone()));
        }
        let ty = super::place_type(self.module, self.out, target);
        match (self.shadow_of(target), callee.result_shadowed) {
            (None, false) => {}
            (None, true) => arguments.push(self.blank_shadow(target.var, block)),
            (Some(shadow), true) => {
                arguments.push(Argument::Place(shadow.clone()));
                after.extend(self.zeroed(&shadow, ty));
            }
            (Some(shadow), false) => block.extend(self.zeroed(&shadow, ty)),
        }
        arguments
    }

    /// Sets a place of any type to zero.
    pub fn zeroed(&mut self, place: &Access, ty: Type) -> Vec<StmtId> {
        if !super::tape::is_scalar_place(self.module, self.out, place) && ty.is_differentiable() {
            let mut b = Builder::new(self.out);
            let value = b.zero(ty);
            let target = place.clone();
            return vec![b.stmt(Stmt::Fill { target, value })];
        }
        records::zero_place(self.out, self.module, place, ty).unwrap_or_default()
    }

    fn primal_argument(&mut self, argument: &Argument) -> Argument {
        match argument {
            Argument::Value(e) => Argument::Value(self.required(*e, &|_| None)),
            other => other.clone(),
        }
    }

    /// The shadow that stands after an argument.
    fn shadow_argument(
        &mut self,
        argument: &Argument,
        is_shared: bool,
        block: &mut Vec<StmtId>,
        after: &mut Vec<StmtId>,
    ) -> Argument {
        match argument {
            Argument::Place(place) => match self.shadow_of(place) {
                Some(_) if is_shared => {
                    let ty = super::place_type(self.module, self.out, place);
                    let value = Builder::new(self.out).expr(Expr::Load(place.clone()), ty);
                    self.shadow_of_copy(value, block, after)
                }
                Some(shadow) => Argument::Place(shadow),
                None => match super::place_type(self.module, self.out, place) {
                    ty @ Type::Record(_)
                        if !place.path.is_empty()
                            && super::tape::is_scalar_place(self.module, self.out, place) =>
                    {
                        self.blank_record(place, ty, block)
                    }
                    _ => self.blank_shadow(place.var, block),
                },
            },
            Argument::Value(e) => {
                let ty = self.out.exprs[*e].ty;
                if let Expr::Load(place) = self.out.expr(*e)
                    && let Some(shadow) = self.shadow_of(&place.clone())
                {
                    match ty {
                        Type::Record(_) => return Argument::Place(shadow),
                        // An address is handed on as one.
                        Type::Address => {
                            let mut b = Builder::new(self.out);
                            return Argument::Value(b.expr(Expr::Load(shadow), ty));
                        }
                        _ => {}
                    }
                }
                self.shadow_of_copy(*e, block, after)
            }
            Argument::Absent => Argument::Absent,
            Argument::Procedure(_) | Argument::Opaque { .. } => Argument::Absent,
        }
    }

    /// A shadow of its own for a value, zero before the call; what the callee adds to it goes on to
    /// what the value was made of after the call.
    fn shadow_of_copy(
        &mut self,
        value: ExprId,
        block: &mut Vec<StmtId>,
        after: &mut Vec<StmtId>,
    ) -> Argument {
        let ty = self.out.exprs[value].ty;
        let shadow = self.temporaries.take(self.out, ty);
        let place = Access::whole(shadow);
        if let Expr::Load(source) = self.out.expr(value).clone() {
            block.extend(self.memory_like(&source, &place, ty));
        }
        block.extend(self.zeroed(&place, ty));
        if let Type::Record(_) = ty {
            after.extend(self.pass_on(&place, value, ty));
        } else {
            let seed = Builder::new(self.out).load(shadow);
            after.extend(self.reverse_expression(value, seed));
        }
        Argument::Place(place)
    }

    /// A zero shadow for a passive record in another one.
    fn blank_record(&mut self, place: &Access, ty: Type, block: &mut Vec<StmtId>) -> Argument {
        let shadow = Access::whole(self.temporaries.take(self.out, ty));
        block.extend(self.memory_like(place, &shadow, ty));
        block.extend(self.zeroed(&shadow, ty));
        Argument::Place(shadow)
    }

    /// Gives the allocatable components of a shadow the memory that those of a record have.
    fn memory_like(&mut self, record: &Access, shadow: &Access, ty: Type) -> Vec<StmtId> {
        match holds_allocatables(self.module, ty) {
            true => conform_record(self.out, self.module, record, shadow, Before::Any),
            false => Vec::new(),
        }
    }

    /// Adds the leaves of a record's shadow to that of the record that it is a copy of.
    fn pass_on(&mut self, shadow: &Access, value: ExprId, ty: Type) -> Vec<StmtId> {
        let source = match self.out.expr(value) {
            Expr::Load(source) => self.shadow_of(&source.clone()),
            _ => None,
        };
        let Some(source) = source else {
            return Vec::new();
        };
        let mut add = |out: &mut contraflow_ir::Procedure, leaf: &Access, ty: Type| {
            let target = records::counterpart(leaf, shadow, &source);
            vec![records::add(out, &target, leaf, ty)]
        };
        records::for_each_leaf(self.out, self.module, shadow, ty, &mut add).unwrap_or_default()
    }

    /// Whether the place at `position` may be reached through another argument too.
    fn is_passed_again(&self, arguments: &[Argument], position: usize) -> bool {
        let Argument::Place(place) = &arguments[position] else {
            return false;
        };
        arguments.iter().enumerate().any(|(other, argument)| {
            other != position
                && matches!(argument, Argument::Place(again)
                    if self.dependence.overlaps(place.var, again.var)
                        && self.shadows.contains_key(&again.var))
        })
    }

    /// Where an array may share elements with an earlier argument, both of them only read: the
    /// callee's adjoint writes both shadows, so they must not be the same memory.
    fn read_again(
        &self,
        callee: &CalleeAdjoint,
        arguments: &[Argument],
        position: usize,
        is_reached: bool,
    ) -> Meeting {
        let rank = |n: usize| match callee.shadowed.get(n) {
            Some(true) => callee.exclusive_arrays.get(n).copied().flatten(),
            _ => None,
        };
        let (Argument::Place(place), Some(own)) = (&arguments[position], rank(position)) else {
            return Meeting::Nowhere;
        };
        if !self.shadows.contains_key(&place.var) {
            return Meeting::Nowhere;
        }
        if is_reached {
            return Meeting::Anywhere;
        }
        let meets = |(n, other): (usize, &Argument)| {
            let (Argument::Place(again), Some(rank)) = (other, rank(n)) else {
                return Meeting::Nowhere;
            };
            let ends = |at, place| {
                let formal = (&self.module.procedures[callee.primal], at);
                ends_in_column(self.dependence, self.out, formal, arguments, place)
            };
            let column = ends(position, place) && ends(n, again);
            let meeting = self.dependence.meeting(self.stmt, place, again, column);
            of_rank(meeting, self.out, place, own.max(rank))
        };
        arguments[..position]
            .iter()
            .enumerate()
            .map(meets)
            .max()
            .unwrap_or(Meeting::Nowhere)
    }

    /// A second shadow of an array, or of the column in it where an argument starts, zero before the
    /// call and added to the first one after it.
    fn second_shadow(
        &mut self,
        place: &Access,
        meeting: Meeting,
        block: &mut Vec<StmtId>,
        after: &mut Vec<StmtId>,
    ) -> Argument {
        let Some(&first) = self.shadows.get(&place.var) else {
            return self.blank_shadow(place.var, block);
        };
        let mut path = place.path.clone();
        let mut column = None;
        if meeting == Meeting::Column
            && let Some(Selector::Index(subscripts)) = path.last_mut()
        {
            column = subscripts.pop();
        }
        let rank = self.out.variables[place.var].rank() - usize::from(column.is_some());
        let second = self.blank_of_rank(place.var, rank, block);
        let ty = self.out.variables[first].ty;
        let shape = self.out.variables[second].shape.clone();
        let mut b = Builder::new(self.out);
        let counters: Vec<VarId> = (0..shape.len())
            .map(|_| {
                let name = crate::naming::unique(b.procedure, "element");
                let mut counter = Variable::scalar(name, Type::INT);
                counter.role = contraflow_ir::Role::Temporary;
                b.variable(counter)
            })
            .collect();
        let mut subscripts: Vec<ExprId> = counters.iter().map(|&it| b.load(it)).collect();
        let more = b.expr(Expr::Load(Access::element(second, subscripts.clone())), ty);
        subscripts.extend(column);
        let mut inner = b.increment(Access::element(first, subscripts), more);
        for (&counter, dim) in counters.iter().zip(&shape) {
            let Extent::Count(count) = dim.extent else {
                continue;
            };
            let one = b.int(1);
            let upper = if b.integer_value(dim.lower) == Some(1) {
                count
            } else {
                let end = b.add(dim.lower, count);
                b.sub(end, one)
            };
            inner = b.counted_loop(counter, dim.lower, upper, one, vec![inner]);
        }
        after.push(inner);
        Argument::Place(Access { var: second, path })
    }

    /// A zero shadow for a passive actual argument of an active formal.
    fn blank_shadow(&mut self, var: VarId, block: &mut Vec<StmtId>) -> Argument {
        let rank = self.out.variables[var].rank();
        Argument::Place(Access::whole(self.blank_of_rank(var, rank, block)))
    }

    /// A zero array with the first dimensions of a variable.
    fn blank_of_rank(&mut self, var: VarId, rank: usize, block: &mut Vec<StmtId>) -> VarId {
        let primal = self.out.variables[var].clone();
        let name = crate::naming::shadow_name(self.out, &primal.name, "_blank");
        let mut shadow = Variable::scalar(name, primal.ty);
        shadow.spelling = primal.spelling_of(primal.ty);
        shadow.shape = primal.shape[..rank].to_vec();
        shadow.passing = Passing::Reference;
        shadow.role = contraflow_ir::Role::Temporary;
        for (n, dim) in shadow.shape.iter_mut().enumerate() {
            if dim.extent == Extent::Assumed {
                let extent = Expr::Bound {
                    array: Access::whole(var),
                    kind: BoundKind::Extent,
                    dim: n as u32,
                };
                dim.extent = Extent::Count(Builder::new(self.out).expr(extent, Type::INT));
            }
        }
        let ty = primal.ty;
        let shadow = self.out.variables.add(shadow);
        let zeros = self.zeroed(&Access::whole(shadow), ty);
        block.extend(zeros);
        shadow
    }
}

/// A callee's array with more dimensions than a column does not end in it.
pub fn of_rank(meeting: Meeting, primal: &Procedure, place: &Access, rank: usize) -> Meeting {
    let subscripts = place.subscripts().unwrap_or_default();
    let is_section = subscripts
        .iter()
        .any(|&e| matches!(primal.expr(e), Expr::Range { .. }));
    match meeting {
        Meeting::Column if !is_section && rank >= subscripts.len() => Meeting::Anywhere,
        other => other,
    }
}

/// Whether a callee's array ends in the column where it starts: it is of stated size, that of the column.
/// Others go on into the next columns, as rows do (`x(1 + i*ld)` from `a(j,1)` on). In C a pointer to a
/// row leads to that row only.
pub fn ends_in_column(
    dependence: &Dependence<'_>,
    caller: &Procedure,
    (callee, position): (&Procedure, usize),
    arguments: &[Argument],
    place: &Access,
) -> bool {
    let Some([before @ .., _]) = place.subscripts() else {
        return true;
    };
    let is_range = |&e: &ExprId| matches!(caller.expr(e), Expr::Range { .. });
    if callee.scalars_by_value || before.iter().any(is_range) {
        return true;
    }
    let formal = &callee.variables[callee.arguments[position]];
    let actual = &caller.variables[place.var];
    let is_same = |formal: &Extent, actual: &Extent| match (*formal, *actual) {
        (Extent::Count(formal), Extent::Count(actual)) => {
            is_same_count(dependence, (callee, formal), (caller, actual), arguments)
        }
        _ => false,
    };
    formal.rank() == before.len()
        && before
            .iter()
            .zip(&actual.shape)
            .all(|(&start, dim)| caller.same_expr(start, dim.lower))
        && formal
            .shape
            .iter()
            .zip(&actual.shape)
            .all(|(formal, actual)| is_same(&formal.extent, &actual.extent))
}

/// Whether an extent in a callee is certainly what an extent in the caller is.
fn is_same_count(
    dependence: &Dependence<'_>,
    (callee, formal): (&Procedure, ExprId),
    (caller, actual): (&Procedure, ExprId),
    arguments: &[Argument],
) -> bool {
    match (callee.expr(formal), caller.expr(actual)) {
        (Expr::Integer(formal), Expr::Integer(actual)) => formal == actual,
        (Expr::Load(size), _) if size.path.is_empty() => {
            let is_it = |&formal: &VarId| formal == size.var;
            let position = callee.arguments.iter().position(is_it);
            let passed = match position.and_then(|position| arguments.get(position)) {
                Some(&Argument::Value(value)) => caller.same_expr(value, actual),
                Some(Argument::Place(place)) => {
                    matches!(caller.expr(actual), Expr::Load(extent) if extent == place)
                }
                _ => false,
            };
            let reads = caller.reads_of_expr(actual);
            passed && reads.iter().all(|read| dependence.is_invariant(read.var))
        }
        _ => false,
    }
}

/// Whether a variable of the shape of this place's, or of the column where it starts, can be declared:
/// a plain array of stated size.
pub fn can_copy_shape(primal: &Procedure, place: &Access, meeting: Meeting) -> bool {
    let variable = &primal.variables[place.var];
    let is_known =
        |dim: &contraflow_ir::Dim| matches!(dim.extent, Extent::Count(_) | Extent::Assumed);
    let rank = variable.rank() - usize::from(meeting == Meeting::Column);
    place.subscripts().is_some()
        && variable.ty.is_differentiable()
        && variable.allocation == contraflow_ir::Allocation::Fixed
        && variable.shape[..rank].iter().all(is_known)
}
