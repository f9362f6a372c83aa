//! Alternate returns: `SUBROUTINE S(X, *, *)`, `RETURN 2`, `CALL S(X, *10, *20)`.
//!
//! The procedure has one more argument, an integer that tells which return is taken; the call is
//! followed by a choice among the labels.

use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::scope::ScopeId;
use crate::view::Slice;
use contraflow_ir::{
    Access, CaseArm, CaseLabel, Intent, Jump, Labels, Stmt, Storage, Type, VarId, Variable,
};

impl Lowerer<'_> {
    /// The argument that tells which return is taken, after all others.
    pub(super) fn alternate_argument(&mut self, arguments: &mut Vec<VarId>) {
        let scope = &self.program.scopes[self.scope];
        if !scope.arguments.iter().any(|name| name == "*") {
            return;
        }
        let base = "which_return";
        let mut variable = Variable::scalar(base, Type::INT);
        variable.intent = Intent::Out;
        variable.storage = Storage::Argument {
            index: arguments.len() as u32,
        };
        let var = self.generate(base, variable);
        arguments.push(var);
        let zero = self.int(0);
        let none = self.build().assign(Access::whole(var), zero);
        self.entry.push(none);
        let mut places = Vec::new();
        let mut explicit = 0;
        for name in &scope.arguments {
            match name.as_str() {
                "*" => places.push(explicit),
                _ => explicit += 1,
            }
        }
        self.procedure.labels = Some(Labels { which: var, places });
        self.alternate = Some(var);
    }

    /// `RETURN n`.
    pub(super) fn alternate_return(&mut self, value: Slice) -> Fallible<()> {
        let Some(which) = self.alternate else {
            // Another entry of the procedure has labels: called by this one it just returns.
            let scope = &self.program.scopes[self.home];
            if scope.entry.is_some() || !scope.entries.is_empty() {
                self.emit(Stmt::Jump(Jump::Return));
                return Ok(());
            }
            return refuse("an alternate return of a procedure that has none");
        };
        let tree = self.parse(&[value])?;
        let value = self.only(&tree, 0)?;
        let value = self.scalar(value)?;
        if !self.type_of(value).is_integer() {
            return refuse("an alternate return by a value that is no integer");
        }
        let value = self.build().convert(value, Type::INT);
        let told = self.build().assign(Access::whole(which), value);
        self.out.push(told);
        self.emit(Stmt::Jump(Jump::Return));
        Ok(())
    }

    /// Whether a procedure has alternate returns.
    pub(super) fn has_alternates(&self, scope: Option<ScopeId>) -> bool {
        scope.is_some_and(|scope| {
            let arguments = &self.program.scopes[scope].arguments;
            arguments.iter().any(|name| name == "*")
        })
    }

    /// The labels among the arguments of a call.
    pub(super) fn labels_of_call(&self, e: Syn, actuals: &[crate::cst::NodeId]) -> Vec<u32> {
        let labels = actuals
            .iter()
            .filter_map(|&node| match e.tree.syntax(node) {
                Syntax::AlternateReturn => e
                    .tree
                    .text(node)
                    .trim_start_matches('*')
                    .trim()
                    .parse()
                    .ok(),
                _ => None,
            });
        labels.collect()
    }

    /// The choice that follows a call.
    pub(super) fn choose_return(&mut self, which: VarId, labels: &[u32]) -> Fallible<()> {
        let mut arms = Vec::new();
        for (position, &label) in labels.iter().enumerate() {
            let jump = self.jump_statement(label)?;
            let value = self.int(position as i128 + 1);
            arms.push(CaseArm {
                labels: vec![CaseLabel::Value(value)],
                body: vec![jump],
            });
        }
        let selector = self.load(which);
        self.emit(Stmt::Switch {
            selector,
            arms,
            default: Vec::new(),
        });
        Ok(())
    }
}
