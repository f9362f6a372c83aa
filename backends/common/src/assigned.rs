//! Which variables the text of a procedure may seem to read before it writes them: scalars, and arrays that
//! are copied whole. The backward sweep asks
//! the same conditions as the forward sweep, but a compiler that does not see that warns; declared with a
//! value they are quiet.
//!
//! A walk in the order of the text; what one arm of a condition or the body of a loop writes is not
//! written for certain. An array of which some element is written is taken as written.

use contraflow_ir::{
    Access, Argument, Callee, ExprId, Module, Procedure, ProcedureRole, Stmt, StmtId, Storage,
    VarId,
};
use std::collections::{BTreeSet, HashSet};

/// The variables of the procedure's own that are read where they may not have been written.
pub fn read_before_written(module: &Module, procedure: &Procedure) -> BTreeSet<VarId> {
    let mut walk = Walk::new(module, procedure);
    walk.block(&procedure.body);
    walk.found
}

struct Walk<'a> {
    module: &'a Module,
    procedure: &'a Procedure,
    written: HashSet<VarId>,
    /// What is in `written`, in the order in which it came in.
    journal: Vec<VarId>,
    found: BTreeSet<VarId>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a Module, procedure: &'a Procedure) -> Self {
        Self {
            module,
            procedure,
            written: HashSet::new(),
            journal: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    fn block(&mut self, block: &[StmtId]) {
        for &stmt in block {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, id: StmtId) {
        let stmt = self.procedure.stmt(id);
        for e in stmt.expressions() {
            self.read(e);
        }
        if let Stmt::PointerAssign {
            value: Some(value),
            is_pointer: true,
            ..
        } = stmt
        {
            self.read_place(value);
        }
        match stmt {
            Stmt::Assign { target, .. } | Stmt::Fill { target, .. } | Stmt::Pop { target, .. } => {
                self.write(target);
            }
            Stmt::PointerAssign { target, .. } | Stmt::Allocate { target, .. } => {
                self.write(target);
            }
            Stmt::Free { target } => self.read_place(target),
            Stmt::Copy { target, source } => {
                self.read_whole(source);
                self.write(target);
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => {
                let unsure = self.unsure(callee);
                for (position, argument) in arguments.iter().enumerate() {
                    if let Argument::Place(place) = argument {
                        if unsure.contains(&position) {
                            self.read_whole(place);
                        }
                        self.write(place);
                    }
                }
                result.iter().for_each(|result| self.write(result));
            }
            Stmt::Opaque { writes, .. } => writes.iter().for_each(|place| self.write(place)),
            Stmt::Loop { variable, .. } => {
                self.add(*variable);
            }
            _ => {}
        }
        match stmt {
            Stmt::If {
                then, otherwise, ..
            } => self.arms(&[then, otherwise]),
            Stmt::Switch { arms, default, .. } => {
                let mut blocks: Vec<&contraflow_ir::Block> =
                    arms.iter().map(|arm| &arm.body).collect();
                blocks.push(default);
                self.arms(&blocks);
            }
            Stmt::Region { body, .. } => self.block(body),
            _ => {
                for block in stmt.blocks() {
                    self.arms(&[block, &Vec::new()]);
                }
            }
        }
    }

    /// The arguments that the forward sweep of a callee does not write for certain: it keeps this on one
    /// way, that on another.
    fn unsure(&self, callee: &Callee) -> Vec<usize> {
        let Callee::Procedure(callee) = callee else {
            return Vec::new();
        };
        let callee = &self.module.procedures[*callee];
        if !matches!(callee.role, ProcedureRole::Forward { .. }) {
            return Vec::new();
        }
        let mut walk = Walk::new(self.module, callee);
        walk.block(&callee.body);
        let formals = callee.arguments.iter().enumerate();
        formals
            .filter(|(_, formal)| !walk.written.contains(formal))
            .map(|(position, _)| position)
            .collect()
    }

    /// Blocks of which one runs. What each of them adds is taken back after it; deep nests would copy
    /// large sets.
    fn arms(&mut self, blocks: &[&contraflow_ir::Block]) {
        let start = self.journal.len();
        let mut all: Option<HashSet<VarId>> = None;
        for block in blocks {
            self.block(block);
            let added = self.journal.split_off(start);
            for var in &added {
                self.written.remove(var);
            }
            all = Some(match all {
                None => added.into_iter().collect(),
                Some(others) => added
                    .into_iter()
                    .filter(|var| others.contains(var))
                    .collect(),
            });
        }
        for var in all.into_iter().flatten() {
            self.add(var);
        }
    }

    fn add(&mut self, var: VarId) {
        if self.written.insert(var) {
            self.journal.push(var);
        }
    }

    fn read(&mut self, e: ExprId) {
        for access in self.procedure.reads_of_expr(e) {
            self.read_place(access);
        }
    }

    fn read_place(&mut self, access: &Access) {
        if !self.procedure.variables[access.var].is_array() {
            self.read_whole(access);
        }
    }

    fn read_whole(&mut self, access: &Access) {
        let variable = &self.procedure.variables[access.var];
        let is_own = matches!(variable.storage, Storage::Local | Storage::Result);
        if is_own && !self.written.contains(&access.var) {
            self.found.insert(access.var);
        }
    }

    fn write(&mut self, place: &Access) {
        if place.path.is_empty() || self.procedure.variables[place.var].is_array() {
            self.add(place.var);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contraflow_ir::parse::parse;

    fn found_in(text: &str) -> Vec<String> {
        let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let (_, procedure) = module.procedures.iter().next().expect("a procedure");
        read_before_written(&module, procedure)
            .into_iter()
            .map(|var| procedure.variables[var].name.clone())
            .collect()
    }

    #[test]
    fn an_array_that_only_one_arm_copies_is_not_written() {
        let text = "procedure f(x, n) { var x: f64[2 from 1] argument(0) var n: i32 argument(1)
               var a: f64[2 from 1] var b: f64[2 from 1]
               if n > 0 { copy a = x }
               b[1] = 2.0
               copy x = a copy x = b }";
        assert_eq!(found_in(text), ["a"]);
    }

    #[test]
    fn what_only_one_arm_writes_is_not_written() {
        let text = "procedure f(x, n) { var x: f64 argument(0) var n: i32 argument(1)
               var a: f64 var b: f64 var c: f64 var d: f64 var i: i32
               if n > 0 { a = x b = x } else { a = 1.0 }
               loop i = 1, n, 1 { c = x d = c }
               x = a + b + d }";
        assert_eq!(found_in(text), ["b", "d"]);
    }
}
