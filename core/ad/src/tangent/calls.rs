//! Calls in a tangent procedure: an active call becomes one of the callee's tangent, which computes
//! the primal's results too.

use contraflow_ir::{
    Access, Allocation, Argument, Block, Builder, Callee, Diagnostic, Expr, ExprId, Stmt, StmtId,
    Type, VarId, place_of,
};

use super::expression::shadow_place;
use super::statements::Sweep;
use crate::allocation::conform;
use crate::analysis::pointers::Pointers;

impl Sweep<'_> {
    /// The statements in place of a call.
    pub fn call(&mut self, id: StmtId, arguments: &[Argument], result: Option<&Access>) -> Block {
        if let Some(result) = result
            && self.shadows.contains_key(&result.var)
            && self.gives_address(id)
        {
            self.refuse_address(id, result.var);
        }
        let mut block = match self.specialisation.callee(id) {
            Some(_) => self.active_call(id, arguments, result),
            None => vec![id],
        };
        let moved = self.moved(id);
        for &var in &moved {
            if let Some(&shadow) = self.shadows.get(&var)
                && !self.is_passed_on(&block, shadow)
            {
                block.extend(conform(&mut self.out, self.order.module, var, shadow));
            }
        }
        for place in self.specialisation.zeroed(id) {
            let Some(shadow) = shadow_place(&self.shadows, place) else {
                continue;
            };
            let zero = self.zero(id, &shadow);
            if !(place.path.is_empty() && moved.contains(&place.var)) {
                block.extend(zero);
                continue;
            }
            let mut b = self.b(id);
            let there = b.expr(Expr::Present(shadow), Type::LOGICAL);
            block.push(b.if_else(there, zero, Vec::new()));
        }
        block
    }

    /// Whether a call's value is an address, or holds some.
    fn gives_address(&self, id: StmtId) -> bool {
        let module = self.order.module;
        let Stmt::Call { callee, result, .. } = self.out.stmt(id) else {
            return false;
        };
        let Callee::Procedure(callee) = callee else {
            let place = result
                .as_ref()
                .and_then(|result| place_of(module, &self.out, result).ok());
            return self.out.scalars_by_value
                && place.is_some_and(|place| Pointers::lead_on(module, place.ty));
        };
        let callee = &module.procedures[*callee];
        callee.scalars_by_value
            && callee
                .result()
                .is_some_and(|value| Pointers::lead_on(module, callee.variables[value].ty))
    }

    fn refuse_address(&mut self, id: StmtId, var: VarId) {
        let name = self.out.variables[var].name.clone();
        let span = self.out.stmts[id].span;
        let message = format!("a call gives the address of active memory to `{name}`");
        self.problems.push(
            Diagnostic::error("no-tangent", message)
                .at(span, "what it points to has no derivative here")
                .with_help(
                    "give the source of the function, without recursion, or pass the memory to it",
                ),
        );
    }

    /// The allocatables whose memory a call may change.
    fn moved(&self, id: StmtId) -> Vec<VarId> {
        let primal = self.specialisation.procedure;
        let effects = self.order.effects.stmt(self.order.module, primal, id);
        effects
            .reshapes
            .iter()
            .filter(|place| {
                place.path.is_empty()
                    && self.out.variables[place.var].allocation == Allocation::Allocatable
            })
            .map(|place| place.var)
            .collect()
    }

    /// Whether a tangent call gets a shadow, whose memory the callee then sees to.
    fn is_passed_on(&self, block: &[StmtId], shadow: VarId) -> bool {
        block.iter().any(|&stmt| match self.out.stmt(stmt) {
            Stmt::Call { arguments, .. } => arguments
                .iter()
                .any(|argument| matches!(argument, Argument::Place(place) if place.var == shadow)),
            _ => false,
        })
    }

    fn active_call(
        &mut self,
        id: StmtId,
        arguments: &[Argument],
        result: Option<&Access>,
    ) -> Block {
        let Some(signature) = self
            .specialisation
            .callee(id)
            .and_then(|callee| self.order.signatures.get(&callee))
        else {
            return vec![id];
        };
        let mut before = Vec::new();
        let mut after = Vec::new();
        let mut actuals = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            actuals.push(argument.clone());
            if signature.shadowed.get(position) == Some(&true) {
                let shadow = self.shadow_argument(id, argument, &mut before);
                actuals.push(shadow);
            }
        }
        let is_function = self.order.module.procedures[self.callee_of(id)]
            .result()
            .is_some();
        if is_function {
            let shadowed = signature.result_shadowed;
            actuals.extend(self.value_arguments(id, result, shadowed, &mut after));
        }
        let call = self.b(id).stmt(Stmt::Call {
            callee: Callee::Procedure(signature.procedure),
            arguments: actuals,
            result: None,
        });
        before.push(call);
        before.extend(after);
        before
    }

    fn callee_of(&self, id: StmtId) -> contraflow_ir::ProcedureId {
        let callee = self.specialisation.callee(id).expect("an active call");
        self.order.activity[callee].procedure
    }

    /// The shadow that follows an argument.
    fn shadow_argument(&mut self, id: StmtId, argument: &Argument, before: &mut Block) -> Argument {
        match argument {
            Argument::Place(place) => match shadow_place(&self.shadows, place) {
                Some(shadow) => Argument::Place(shadow),
                None => self.no_shadow(id, Some(place.var)),
            },
            Argument::Value(e) => self.shadow_value(id, *e, before),
            Argument::Absent => Argument::Absent,
            Argument::Procedure(_) | Argument::Opaque { .. } => self.no_shadow(id, None),
        }
    }

    fn shadow_value(&mut self, id: StmtId, e: ExprId, before: &mut Block) -> Argument {
        let ty = self.out.exprs[e].ty;
        if matches!(ty, Type::Pointer(_) | Type::Address) {
            return match self.shadow_pointer(e) {
                Ok(shadow) => Argument::Value(shadow),
                Err(var) => self.no_shadow(id, Some(var)),
            };
        }
        if let (Type::Record(_), Expr::Load(source)) = (ty, self.out.expr(e).clone()) {
            let copy = self.temporaries.take(&mut self.out, ty);
            let value = Access::whole(copy);
            let from = shadow_place(&self.shadows, &source)
                .filter(|_| self.specialisation.is_varied_before(id, source.var));
            match from {
                Some(from) => {
                    let load = self.b(id).expr(Expr::Load(from), ty);
                    let copied = self.b(id).assign(value.clone(), load);
                    before.push(copied);
                }
                None => before.extend(self.zero(id, &value)),
            }
            return Argument::Place(value);
        }
        if matches!(ty, Type::Record(_)) {
            return self.shadow_record(id, e, ty, before);
        }
        let (temporaries, tangent) = self.derive(id, e, None);
        before.extend(temporaries);
        let value = tangent.unwrap_or_else(|| self.b(id).zero(ty));
        Argument::Value(value)
    }

    /// The tangent of a record that is passed by value.
    fn shadow_record(&mut self, id: StmtId, e: ExprId, ty: Type, before: &mut Block) -> Argument {
        let shadow = match self.out.expr(e) {
            Expr::Load(place) => shadow_place(&self.shadows, place),
            _ => None,
        };
        let shadow = shadow.unwrap_or_else(|| {
            let blank = Access::whole(self.temporaries.take(&mut self.out, ty));
            let zero = self.zero(id, &blank);
            before.extend(zero);
            blank
        });
        Argument::Value(self.b(id).expr(Expr::Load(shadow), ty))
    }

    fn no_shadow(&mut self, id: StmtId, var: Option<VarId>) -> Argument {
        let what = match var {
            Some(var) => format!("`{}`", self.out.variables[var].name),
            None => "an argument that was not understood".to_owned(),
        };
        let span = self.out.stmts[id].span;
        self.problems.push(
            Diagnostic::error(
                "no-tangent",
                format!("{what} is passed where the callee wants a derivative too"),
            )
            .at(span, "in this call")
            .with_help("pass a variable of the program"),
        );
        Argument::Absent
    }

    /// The arguments that take the function's value and its tangent. The target itself, where no
    /// argument can be the same memory, else a temporary that is assigned after the call.
    fn value_arguments(
        &mut self,
        id: StmtId,
        result: Option<&Access>,
        shadowed: bool,
        after: &mut Block,
    ) -> Vec<Argument> {
        let callee = &self.order.module.procedures[self.callee_of(id)];
        let Some(ty) = callee.result().map(|value| callee.variables[value].ty) else {
            return Vec::new();
        };
        let shadow = result.and_then(|target| shadow_place(&self.shadows, target));
        let is_direct = result.is_some_and(|target| self.is_apart(id, target))
            && (shadow.is_some() || !shadowed);
        if let (Some(target), true) = (result, is_direct) {
            let value = Argument::Place(target.clone());
            let tangent = shadow.filter(|_| shadowed).map(Argument::Place);
            return std::iter::once(value).chain(tangent).collect();
        }
        let mut arguments = Vec::new();
        let places = [(result.cloned(), true), (shadow, shadowed)];
        for (place, is_wanted) in places {
            if !is_wanted {
                continue;
            }
            let temporary = self.temporaries.take(&mut self.out, ty);
            arguments.push(Argument::Place(Access::whole(temporary)));
            if let Some(place) = place {
                let mut b = Builder::new(&mut self.out);
                let value = b.load(temporary);
                after.push(b.assign(place, value));
            }
        }
        // The tangent's target may have a subscript that the value's assignment changes.
        after.reverse();
        arguments
    }

    /// Whether nothing that the call reads or writes can be the target of its value.
    fn is_apart(&self, id: StmtId, target: &Access) -> bool {
        let primal = self.specialisation.procedure;
        let effects = self.order.effects;
        let found = effects.stmt(self.order.module, primal, id);
        let writes = found.writes.iter().filter(|&write| write != target);
        !found
            .reads
            .iter()
            .chain(writes)
            .any(|access| effects.overlaps(primal, access.var, target.var))
    }

    /// Whether the tangent of a call sets the shadow of `var` wherever the call sets `var`.
    pub fn mirrors(&self, stmt: StmtId, var: VarId) -> bool {
        let Some(callee) = self.specialisation.callee(stmt) else {
            return false;
        };
        let Some(signature) = self.order.signatures.get(&callee) else {
            return false;
        };
        let primal = &self.order.module.procedures[self.specialisation.procedure];
        let Stmt::Call {
            arguments, result, ..
        } = primal.stmt(stmt)
        else {
            return false;
        };
        let takes_value = result.as_ref().is_some_and(|target| target.var == var);
        let is_shadowed = arguments.iter().enumerate().all(|(position, argument)| {
            let is_it = matches!(argument, Argument::Place(place) if place.var == var);
            let procedure = self.order.activity[callee].procedure;
            !is_it
                || signature.shadowed.get(position) == Some(&true)
                || !self.order.effects.argument(procedure, position).write
        });
        is_shadowed && (!takes_value || signature.result_shadowed)
    }
}
