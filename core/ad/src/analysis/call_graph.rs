//! Who calls whom.
//!
//! The strongly connected components of the graph (Tarjan, SIAM J. Comput. 1972) come out with
//! callees before callers; a procedure is recursive if its component has more than one member or
//! it calls itself. Cost: one walk over all statements.

use std::collections::BTreeSet;

use contraflow_ir::{Module, ProcedureId, Stmt};

use super::effects::Effects;

/// The calls of a module, and its procedures in an order fit for summaries.
#[derive(Clone, PartialEq, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<ProcedureId>>,
    callers: Vec<Vec<ProcedureId>>,
    components: Vec<Vec<ProcedureId>>,
}

impl CallGraph {
    /// Reads the calls of all procedures with a body.
    pub fn of(module: &Module, effects: &Effects) -> CallGraph {
        let callees: Vec<Vec<ProcedureId>> = module
            .procedures
            .ids()
            .map(|id| callees_of(module, effects, id))
            .collect();
        let mut callers = vec![Vec::new(); callees.len()];
        for caller in module.procedures.ids() {
            for callee in &callees[caller.index()] {
                callers[callee.index()].push(caller);
            }
        }
        let components = Components::of(&callees);
        CallGraph {
            callees,
            callers,
            components,
        }
    }

    /// The procedures that a procedure may call, in ascending order.
    pub fn callees(&self, procedure: ProcedureId) -> &[ProcedureId] {
        &self.callees[procedure.index()]
    }

    /// The procedures that may call a procedure, in ascending order.
    pub fn callers(&self, procedure: ProcedureId) -> &[ProcedureId] {
        &self.callers[procedure.index()]
    }

    /// The components, callees before callers.
    pub fn bottom_up(&self) -> &[Vec<ProcedureId>] {
        &self.components
    }

    /// Whether a procedure may be active more than once at a time.
    pub fn is_recursive(&self, procedure: ProcedureId) -> bool {
        self.callees(procedure).contains(&procedure)
            || self
                .components
                .iter()
                .any(|component| component.len() > 1 && component.contains(&procedure))
    }

    /// A procedure and all that it may call, directly or not.
    pub fn reachable(&self, from: ProcedureId) -> BTreeSet<ProcedureId> {
        let mut reached = BTreeSet::from([from]);
        let mut pending = vec![from];
        while let Some(id) = pending.pop() {
            for &callee in self.callees(id) {
                if reached.insert(callee) {
                    pending.push(callee);
                }
            }
        }
        reached
    }
}

fn callees_of(module: &Module, effects: &Effects, id: ProcedureId) -> Vec<ProcedureId> {
    let procedure = &module.procedures[id];
    let mut callees = BTreeSet::new();
    procedure.walk_block(&procedure.body, &mut |stmt| {
        if let Stmt::Call { callee, .. } = procedure.stmt(stmt) {
            callees.extend(effects.targets(callee));
        }
    });
    callees.into_iter().collect()
}

/// The state of Tarjan's search.
struct Components<'g> {
    callees: &'g [Vec<ProcedureId>],
    number: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<ProcedureId>,
    count: usize,
    found: Vec<Vec<ProcedureId>>,
}

impl<'g> Components<'g> {
    fn of(callees: &'g [Vec<ProcedureId>]) -> Vec<Vec<ProcedureId>> {
        let size = callees.len();
        let mut search = Components {
            callees,
            number: vec![None; size],
            low: vec![0; size],
            on_stack: vec![false; size],
            stack: Vec::new(),
            count: 0,
            found: Vec::new(),
        };
        for index in 0..size {
            if search.number[index].is_none() {
                search.visit(ProcedureId::from_index(index));
            }
        }
        search.found
    }

    fn visit(&mut self, id: ProcedureId) {
        let index = id.index();
        self.number[index] = Some(self.count);
        self.low[index] = self.count;
        self.count += 1;
        self.stack.push(id);
        self.on_stack[index] = true;
        for &callee in &self.callees[index] {
            match self.number[callee.index()] {
                None => {
                    self.visit(callee);
                    self.low[index] = self.low[index].min(self.low[callee.index()]);
                }
                Some(number) if self.on_stack[callee.index()] => {
                    self.low[index] = self.low[index].min(number);
                }
                Some(_) => {}
            }
        }
        if self.number[index] == Some(self.low[index]) {
            self.close(id);
        }
    }

    fn close(&mut self, first: ProcedureId) {
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member.index()] = false;
            component.push(member);
            if member == first {
                break;
            }
        }
        component.sort();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contraflow_ir::{Builder, Callee, Procedure};

    /// `calls[i]` are the indices of the procedures that procedure `i` calls.
    fn graph(calls: &[&[usize]]) -> CallGraph {
        let mut module = Module::default();
        for callees in calls {
            let mut procedure = Procedure::new("p");
            for &callee in *callees {
                let stmt = Builder::new(&mut procedure).stmt(Stmt::Call {
                    callee: Callee::Procedure(ProcedureId::from_index(callee)),
                    arguments: Vec::new(),
                    result: None,
                });
                procedure.body.push(stmt);
            }
            module.procedures.add(procedure);
        }
        CallGraph::of(&module, &Effects::of(&module))
    }

    fn indices(procedures: &[ProcedureId]) -> Vec<usize> {
        procedures.iter().map(|id| id.index()).collect()
    }

    #[test]
    fn callees_come_before_callers() {
        let graph = graph(&[&[1, 2], &[2], &[]]);
        let order: Vec<_> = graph.bottom_up().iter().flat_map(|c| indices(c)).collect();
        assert_eq!(order, [2, 1, 0]);
        assert_eq!(indices(graph.callers(ProcedureId::from_index(2))), [0, 1]);
    }

    #[test]
    fn mutual_recursion_is_one_component() {
        let graph = graph(&[&[1], &[2], &[1], &[3]]);
        let components: Vec<_> = graph.bottom_up().iter().map(|c| indices(c)).collect();
        assert_eq!(components, [vec![1, 2], vec![0], vec![3]]);
        let recursive: Vec<_> = (0..4)
            .filter(|&p| graph.is_recursive(ProcedureId::from_index(p)))
            .collect();
        assert_eq!(recursive, [1, 2, 3]);
    }
}
