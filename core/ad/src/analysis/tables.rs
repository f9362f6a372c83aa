//! Which variables of C files nobody writes, by whatever name: tables.
//!
//! A variable that only this program can name, or that is `const` ([`Module::initial_targets`]), is a table
//! unless its address reaches a place through which something is written, or leaves what can be seen. Where
//! addresses go is followed in their direction, as in Andersen's analysis (1994), without order, and with
//! one node for each variable of each procedure:
//!
//! ```text
//! g ∈ lead(v)                 v names the global g, or pointers in what v names start with the address of g
//! lead(v) ⊆ lead(w)           w = v, for addresses; v is passed for the formal w; w gets a function's value v
//! written = ⋃ { lead(v) : something is written through v, or v is stored where other names reach it }
//! ```
//!
//! A variable of which pointers start with the address of something written is no table either: what is
//! read through it changes. Cost: one walk over all statements of C, and the edges times the tables.

use std::collections::{BTreeMap, BTreeSet};

use contraflow_ir::{
    Access, Argument, Callee, Expr, ExprId, GlobalId, Module, Passing, Procedure, ProcedureId,
    Selector, Stmt, Storage, Type, VarId,
};
use fixedbitset::FixedBitSet;

use super::memory::leads_on;

/// The globals that are tables.
pub(super) fn tables(module: &Module) -> BTreeSet<GlobalId> {
    if module.initial_targets.is_empty() {
        return BTreeSet::new();
    }
    let mut flow = Flow::of(module);
    for (id, procedure) in module.procedures.iter() {
        if procedure.scalars_by_value && procedure.has_body {
            Walk {
                module,
                id,
                procedure,
                flow: &mut flow,
            }
            .all();
        }
    }
    let written = flow.written(module);
    let mut tables: BTreeSet<GlobalId> = module.initial_targets.keys().copied().collect();
    tables.retain(|global| !written.contains(global.index()));
    loop {
        let leads_out = |global: &&GlobalId| {
            let targets = &module.initial_targets[*global];
            targets.iter().any(|target| !tables.contains(target))
        };
        let Some(&global) = tables.iter().find(leads_out) else {
            return tables;
        };
        tables.remove(&global);
    }
}

/// A variable of a procedure.
type Node = (ProcedureId, VarId);

/// Where addresses go.
struct Flow {
    /// The globals that each node leads to.
    leads: BTreeMap<Node, FixedBitSet>,
    edges: BTreeMap<Node, Vec<Node>>,
    /// Nodes through which something is written, or whose addresses leave what is followed.
    open: BTreeSet<Node>,
}

impl Flow {
    fn of(module: &Module) -> Flow {
        let mut leads = BTreeMap::new();
        for (id, procedure) in module.procedures.iter() {
            for (var, variable) in procedure.variables.iter() {
                if let Storage::Global(global) = variable.storage
                    && module.initial_targets.contains_key(&global)
                {
                    leads.insert((id, var), closure(module, global));
                }
            }
        }
        Flow {
            leads,
            edges: BTreeMap::new(),
            open: BTreeSet::new(),
        }
    }

    fn written(mut self, module: &Module) -> FixedBitSet {
        let mut waiting: Vec<Node> = self.leads.keys().copied().collect();
        while let Some(from) = waiting.pop() {
            let leads = self.leads[&from].clone();
            for &to in self.edges.get(&from).into_iter().flatten() {
                let known = self.leads.entry(to).or_default();
                if !leads.is_subset(known) {
                    known.union_with(&leads);
                    waiting.push(to);
                }
            }
        }
        let mut written = FixedBitSet::with_capacity(module.globals.len());
        for leads in self.open.iter().filter_map(|node| self.leads.get(node)) {
            written.union_with(leads);
        }
        written
    }
}

/// A global and all that its pointers lead to when the program starts.
fn closure(module: &Module, global: GlobalId) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(module.globals.len());
    let mut waiting = vec![global];
    while let Some(global) = waiting.pop() {
        if !found.put(global.index()) {
            let targets = module.initial_targets.get(&global);
            waiting.extend(targets.into_iter().flatten());
        }
    }
    found
}

/// The walk over one procedure.
struct Walk<'a> {
    module: &'a Module,
    id: ProcedureId,
    procedure: &'a Procedure,
    flow: &'a mut Flow,
}

impl Walk<'_> {
    fn all(&mut self) {
        let procedure = self.procedure;
        for stmt in procedure.all_statements() {
            self.statement(procedure.stmt(stmt));
        }
        for (_, node) in procedure.exprs.iter() {
            if let Expr::Opaque { reads, .. } = &node.expr {
                reads.iter().for_each(|access| self.open(access.var));
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { target, value } | Stmt::Fill { target, value } => {
                self.write(target);
                self.move_value(*value, target);
            }
            Stmt::Copy { target, source } => {
                self.write(target);
                if leads_on(self.module, self.procedure.variables[source.var].ty, 0) {
                    self.hand(source.var, target);
                }
            }
            Stmt::PointerAssign { target, value, .. } => {
                self.write(target);
                if let Some(value) = value {
                    self.hand(value.var, target);
                }
            }
            Stmt::Allocate { target, .. } | Stmt::Free { target } => self.write(target),
            Stmt::Loop { variable, .. } => self.write(&Access::whole(*variable)),
            Stmt::Push { tape, .. } => self.write(&Access::whole(*tape)),
            Stmt::Pop { tape, target } => {
                self.write(&Access::whole(*tape));
                self.write(target);
            }
            Stmt::Opaque { reads, writes, .. } => {
                let touched = reads.iter().chain(writes);
                touched.for_each(|access| self.open(access.var));
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(callee, arguments, result.as_ref()),
            Stmt::While { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Region { .. }
            | Stmt::Labelled { .. }
            | Stmt::Jump(_)
            | Stmt::Stop { .. }
            | Stmt::Comment(_) => {}
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument], result: Option<&Access>) {
        if let Some(result) = result {
            self.write(result);
        }
        let callee = match callee {
            Callee::Procedure(callee) => Some(*callee),
            Callee::External(_) | Callee::Variable(_) => None,
        };
        for (position, argument) in arguments.iter().enumerate() {
            for var in self.passed(argument) {
                self.pass(callee, position, var, result);
            }
        }
        let value = callee.and_then(|callee| self.module.procedures[callee].result());
        if let (Some(callee), Some(value), Some(result)) = (callee, value, result) {
            match self.is_own(result) {
                true => self.edge((callee, value), (self.id, result.var)),
                false => drop(self.flow.open.insert((callee, value))),
            }
        }
    }

    /// The variables whose addresses, or addresses in which, an argument passes.
    fn passed(&self, argument: &Argument) -> Vec<VarId> {
        let of = |accesses: &[&Access]| accesses.iter().map(|access| access.var).collect();
        match argument {
            Argument::Place(place) => vec![place.var],
            Argument::Value(e) if leads_on(self.module, self.procedure.exprs[*e].ty, 0) => {
                of(&self.procedure.reads_of_expr(*e))
            }
            Argument::Opaque { reads, .. } => of(&reads.iter().collect::<Vec<_>>()),
            Argument::Value(_) | Argument::Procedure(_) | Argument::Absent => Vec::new(),
        }
    }

    fn pass(
        &mut self,
        callee: Option<ProcedureId>,
        position: usize,
        var: VarId,
        result: Option<&Access>,
    ) {
        let formal = callee.and_then(|callee| {
            let formals = &self.module.procedures[callee];
            Some((callee, formals, *formals.arguments.get(position)?))
        });
        match formal {
            // Only procedures of C are walked.
            Some((callee, formals, formal)) if formals.has_body && formals.scalars_by_value => {
                self.edge((self.id, var), (callee, formal));
            }
            Some((_, formals, formal)) if formals.variables[formal].read_only => {
                // It may give back the address.
                if let Some(result) = result {
                    self.hand(var, result);
                }
            }
            _ => self.open(var),
        }
    }

    /// The value of an expression, if it is or holds an address, goes to a place.
    fn move_value(&mut self, value: ExprId, target: &Access) {
        if leads_on(self.module, self.procedure.exprs[value].ty, 0) {
            for read in self.procedure.reads_of_expr(value) {
                self.hand(read.var, target);
            }
        }
    }

    /// The address of a variable, or one that it holds, goes to a place.
    fn hand(&mut self, from: VarId, target: &Access) {
        match self.is_own(target) {
            true => self.edge((self.id, from), (self.id, target.var)),
            false => self.open(from),
        }
    }

    fn edge(&mut self, from: Node, to: Node) {
        self.flow.edges.entry(from).or_default().push(to);
    }

    fn write(&mut self, target: &Access) {
        if !self.is_own(target) {
            self.open(target.var);
        }
    }

    fn open(&mut self, var: VarId) {
        self.flow.open.insert((self.id, var));
    }

    /// Whether a place is memory of the procedure's own variable, and not what that leads to.
    fn is_own(&self, place: &Access) -> bool {
        let variable = &self.procedure.variables[place.var];
        let is_local = match variable.storage {
            Storage::Local | Storage::Result => true,
            Storage::Argument { .. } => variable.passing == Passing::Value && !variable.is_array(),
            _ => false,
        };
        is_local
            && !place.path.contains(&Selector::Deref)
            && !(variable.is_array() && matches!(variable.ty, Type::Unknown))
    }
}
