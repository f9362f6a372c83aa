//! Procedures that are passed as arguments, called by their own names.
//!
//! `call trap(g, a, b, r)` with `r = f(a)` inside of `trap` becomes a call of an instance of `trap`
//! that calls `g`: one instance for each combination of procedures that is passed, found from the
//! head downwards, so that all analyses see who is called. An instance keeps the arguments of its
//! original. After differentiation [`Bound::restore`] lets derived procedures call the originals
//! again, and what came in by an argument through that argument, as the source does.
//!
//! A procedure argument whose value is not known stays one; an active value that passes through it
//! is refused.
//!
//! Cost: one walk over the statements of each instance. There are finitely many, since only
//! procedures of the program are passed.

mod dispatch;
mod restore;
mod targets;
mod unknown;

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::untyped::give_addresses_types;
use contraflow_ir::{
    Access, Argument, Callee, Module, Passing, Procedure, ProcedureId, Stmt, Type, VarId, place_of,
};

/// The procedures that stand for procedure arguments, by formal.
pub type Bindings = BTreeMap<VarId, ProcedureId>;

/// A module whose procedures below the head call what was passed to them.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The module. Ids of the original are valid in it; instances follow.
    pub module: Module,
    /// For each instance and for the head what its procedure arguments are.
    bindings: BTreeMap<ProcedureId, Bindings>,
    /// Procedures that stand for arguments of the head that nobody names.
    unknown: BTreeSet<ProcedureId>,
    /// The original of each instance.
    origins: BTreeMap<ProcedureId, ProcedureId>,
}

/// Binds procedure arguments from `head` downwards; `given` are those of the head itself.
pub fn bind(module: &Module, head: ProcedureId, given: &Bindings) -> Bound {
    let module = &dispatch::dispatch(module, head);
    let mut general = module.clone();
    let mut given = given.clone();
    let mut unknown = BTreeSet::new();
    for &formal in &module.procedures[head].arguments {
        let is_procedure = module.procedures[head].variables[formal].ty == Type::Procedure;
        if is_procedure
            && !given.contains_key(&formal)
            && let Some(procedure) = unknown::most_general(module, head, formal)
        {
            let id = general.procedures.add(procedure);
            unknown.insert(id);
            given.insert(formal, id);
        }
    }
    let (module, given) = (&general, &given);
    let mut search = Search {
        original: module,
        bound: Bound {
            module: module.clone(),
            bindings: BTreeMap::new(),
            unknown,
            origins: BTreeMap::new(),
        },
        known: BTreeMap::from([((head, given.clone()), head)]),
        pending: vec![(head, head)],
    };
    search.bound.bindings.insert(head, given.clone());
    while let Some((original, instance)) = search.pending.pop() {
        search.bind_calls(original, instance);
    }
    search.bound.name_instances();
    give_addresses_types(&mut search.bound.module);
    search.bound
}

struct Search<'a> {
    original: &'a Module,
    bound: Bound,
    known: BTreeMap<(ProcedureId, Bindings), ProcedureId>,
    pending: Vec<(ProcedureId, ProcedureId)>,
}

impl Search<'_> {
    /// Resolves the calls of one instance.
    fn bind_calls(&mut self, original: ProcedureId, instance: ProcedureId) {
        let given = self
            .bound
            .bindings
            .get(&instance)
            .cloned()
            .unwrap_or_default();
        let source = &self.original.procedures[original];
        for (&formal, &procedure) in &given {
            let formal = &mut self.bound.module.procedures[instance].variables[formal];
            formal.interface = Some(procedure);
        }
        for stmt in source.all_statements() {
            let Stmt::Call {
                callee,
                arguments,
                result,
            } = source.stmt(stmt)
            else {
                continue;
            };
            let call = self.resolve(source, &given, callee, arguments, result.as_ref());
            let Some((target, mut arguments)) = call else {
                continue;
            };
            if callee != &Callee::Procedure(target) {
                fit_scalars(&self.bound.module, instance, target, &mut arguments);
            }
            let passed = passed(&self.original.procedures[target], &arguments);
            let target = self.instance(target, passed);
            self.bound.module.procedures[instance].stmts[stmt].stmt = Stmt::Call {
                callee: Callee::Procedure(target),
                arguments,
                result: result.clone(),
            };
        }
    }

    /// Whom a call means and what it passes; `None` where it stays as it is.
    fn resolve(
        &self,
        source: &Procedure,
        given: &Bindings,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Access>,
    ) -> Option<(ProcedureId, Vec<Argument>)> {
        let arguments: Vec<Argument> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Place(place) if place.path.is_empty() => match given.get(&place.var) {
                    Some(&procedure) => Argument::Procedure(procedure),
                    None => argument.clone(),
                },
                _ => argument.clone(),
            })
            .collect();
        let target = match callee {
            Callee::Procedure(id) => *id,
            Callee::Variable(var) => {
                let target = *given.get(var)?;
                let called = &self.original.procedures[target];
                fits(self.original, source, called, &arguments, result).then_some(target)?
            }
            Callee::External(_) => return None,
        };
        Some((target, arguments))
    }

    /// The instance of a procedure for what is passed to it.
    fn instance(&mut self, procedure: ProcedureId, passed: Bindings) -> ProcedureId {
        let key = (procedure, passed);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let source = &self.original.procedures[procedure];
        let id = if key.1.is_empty() || !source.has_body {
            procedure
        } else {
            let id = self.bound.module.procedures.add(source.clone());
            self.bound.origins.insert(id, procedure);
            self.bound.bindings.insert(id, key.1.clone());
            id
        };
        self.known.insert(key, id);
        if source.has_body {
            self.pending.push((procedure, id));
        }
        id
    }
}

/// What a call passes for procedure arguments.
fn passed(callee: &Procedure, arguments: &[Argument]) -> Bindings {
    let pairs = callee.arguments.iter().zip(arguments);
    pairs
        .filter_map(|(&formal, argument)| match argument {
            Argument::Procedure(id) if callee.variables[formal].ty == Type::Procedure => {
                Some((formal, *id))
            }
            _ => None,
        })
        .collect()
}

/// Whether a call through a procedure argument passes what the procedure takes.
fn fits(
    module: &Module,
    caller: &Procedure,
    called: &Procedure,
    arguments: &[Argument],
    result: Option<&Access>,
) -> bool {
    let wanted = called.result().map(|value| called.variables[value].ty);
    let given = result.and_then(|place| place_of(module, caller, place).ok());
    let gives = match (wanted, given) {
        (Some(wanted), Some(given)) => same(wanted, given.ty),
        (None, None) => true,
        (Some(_), None) => result.is_none(),
        (None, Some(_)) => false,
    };
    gives
        && arguments.len() == called.arguments.len()
        && arguments
            .iter()
            .zip(&called.arguments)
            .all(|(argument, &formal)| {
                let formal = &called.variables[formal];
                let by_value = formal.passing == Passing::Value && formal.ty.is_numeric();
                match argument {
                    Argument::Value(e) => {
                        let ty = caller.exprs[*e].ty;
                        // What lies behind an address without a type, the formal says.
                        let is_untyped =
                            ty == Type::Address && formal.passing == Passing::Reference;
                        is_untyped || same(ty, formal.ty) && !formal.is_array()
                    }
                    Argument::Place(place) => place_of(module, caller, place).is_ok_and(|place| {
                        let is_untyped = place.ty == Type::Address && formal.is_array();
                        (same(place.ty, formal.ty) || is_untyped) && !by_value
                    }),
                    Argument::Procedure(_) => formal.ty == Type::Procedure,
                    Argument::Absent | Argument::Opaque { .. } => true,
                }
            })
}

/// Whether values of one type are values of the other, whatever the width of a truth value.
fn same(a: Type, b: Type) -> bool {
    a == b || matches!((a, b), (Type::Logical { .. }, Type::Logical { .. }))
}

/// A whole array that a scalar formal takes is its first element.
fn fit_scalars(
    module: &Module,
    caller: ProcedureId,
    called: ProcedureId,
    arguments: &mut [Argument],
) {
    let formals: Vec<bool> = {
        let called = &module.procedures[called];
        let formals = called.arguments.iter();
        formals
            .map(|&formal| called.variables[formal].is_array())
            .collect()
    };
    let caller = &module.procedures[caller];
    for (argument, takes_array) in arguments.iter_mut().zip(formals) {
        let Argument::Place(place) = argument else {
            continue;
        };
        let shape = &caller.variables[place.var].shape;
        if !takes_array && place.path.is_empty() && !shape.is_empty() {
            let first = shape.iter().map(|dim| dim.lower).collect();
            *place = Access::element(place.var, first);
        }
    }
}

impl Bound {
    /// Instances of one procedure are told apart by what is passed to them.
    fn name_instances(&mut self) {
        let mut count: BTreeMap<ProcedureId, usize> = BTreeMap::new();
        for &origin in self.origins.values() {
            *count.entry(origin).or_default() += 1;
        }
        for (&id, origin) in &self.origins {
            if count[origin] < 2 {
                continue;
            }
            let mut name = self.module.procedures[*origin].name.clone();
            for passed in self.bindings[&id].values() {
                name.push('_');
                name.push_str(&self.module.procedures[*passed].name);
            }
            self.module.procedures[id].name = name;
        }
    }

    /// Procedures that the user passes with their derivatives: nothing is written of them.
    pub fn unknown(&self) -> &BTreeSet<ProcedureId> {
        &self.unknown
    }

    fn origin(&self, id: ProcedureId) -> ProcedureId {
        self.origins.get(&id).copied().unwrap_or(id)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bindings, bind};
    use contraflow_ir::Module;
    use contraflow_ir::parse::parse;
    use contraflow_ir::print::print;

    const PROGRAM: &str = "
procedure square(x) -> square {
  var x: f64 argument(0)
  var square: f64 result
  square = x * x
}
procedure twice(f, x, y) {
  var f: procedure argument(0)
  var x: f64 argument(1)
  var y: f64 argument(2)
  var t: f64
  t = call via f(&x)
  y = call via f(&t)
}
procedure outer(g, x, y) {
  var g: procedure argument(0)
  var x: f64 argument(1)
  var y: f64 argument(2)
  call twice(&g, &x, &y)
}
procedure head(x, y) {
  var x: f64 argument(0)
  var y: f64 argument(1)
  call outer(procedure square, &x, &y)
}
";

    fn program() -> Module {
        parse(PROGRAM).expect("a program")
    }

    #[test]
    fn instances_call_what_is_passed_to_their_callers() {
        let module = program();
        let head = module.procedures_named("head")[0];
        let bound = bind(&module, head, &Bindings::new());
        contraflow_ir::verify::verify(&bound.module).expect("valid IR");
        assert_eq!(bound.module.procedures.len(), 6);
        let text = print(&bound.module);
        let instance = text.rsplit("procedure twice").next().expect("an instance");
        assert!(instance.contains("t = call square(&x)"), "{text}");
    }

    #[test]
    fn the_users_procedures_come_back() {
        let module = program();
        let head = module.procedures_named("head")[0];
        let bound = bind(&module, head, &Bindings::new());
        let mut derived = bound.module.clone();
        bound.restore(&module, &mut derived);
        for (id, procedure) in module.procedures.iter() {
            assert_eq!(&derived.procedures[id], procedure);
        }
    }

    #[test]
    fn the_heads_own_argument_is_the_most_general_procedure() {
        let module = program();
        let outer = module.procedures_named("outer")[0];
        let bound = bind(&module, outer, &Bindings::new());
        contraflow_ir::verify::verify(&bound.module).expect("valid IR");
        let [general] = bound.unknown().iter().copied().collect::<Vec<_>>()[..] else {
            panic!("one argument");
        };
        let general = &bound.module.procedures[general];
        assert_eq!((general.name.as_str(), general.arguments.len()), ("g", 1));
        assert!(general.result().is_some());
    }
}
