//! The first of the two steps: symbol tables over all files, so that files may use each other's
//! modules in any order.

pub mod build;
pub mod constant;
pub mod derived;
pub mod entities;
mod entries;
pub mod generics;
pub mod groups;
pub mod ids;
pub mod resolve;
pub mod scope;
pub mod separate;
mod specific;
pub mod type_spec;

use crate::syntax::blocks::{Classified, UnitKind};
use crate::view::{DirectiveLine, Statement};
use contraflow_ir::{FileId, ProcedureId, RealKinds, RecordId};
use scope::{Scope, ScopeId, What};
use std::collections::HashMap;
use std::sync::Arc;

/// One file, split, classified.
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// The file.
    pub id: FileId,
    /// Its statements.
    pub statements: Vec<Arc<Statement>>,
    /// Their kinds.
    pub kinds: Vec<Classified>,
    /// Its directives.
    pub directives: Vec<DirectiveLine>,
}

/// All files with their scopes.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Program {
    /// How wide reals are.
    pub reals: RealKinds,
    /// The files.
    pub files: Vec<File>,
    /// All scopes, file by file, outer before inner.
    pub scopes: Vec<Scope>,
    /// Modules by name.
    pub modules: HashMap<String, ScopeId>,
    /// The bodies of separate module procedures, by the scope of their interface.
    pub separate: HashMap<ScopeId, ScopeId>,
    /// External procedures by name.
    pub externals: HashMap<String, ScopeId>,
    /// Functions of the language that may be passed as arguments.
    pub intrinsics: HashMap<String, ProcedureId>,
    /// What each module hands on to those who use it: `name → (scope, name there)`.
    pub exports: HashMap<ScopeId, HashMap<String, (ScopeId, String)>>,
    /// Where each record is declared: the scope, and the type's name there.
    pub types: HashMap<RecordId, (ScopeId, String)>,
    /// The modules that each module uses itself.
    pub module_uses: HashMap<ScopeId, Vec<ScopeId>>,
    /// Whether operators are defined anywhere.
    pub defines_operators: bool,
}

impl Program {
    /// Adds the scopes of a file, whose ids count from 0.
    pub fn add_scopes(&mut self, scopes: Vec<Scope>) {
        let base = self.scopes.len();
        for mut scope in scopes {
            scope.parent = scope.parent.map(|parent| parent + base);
            for entry in &mut scope.entries {
                *entry += base;
            }
            for symbol in scope.symbols.values_mut() {
                if let What::Procedure(id) = &mut symbol.what {
                    *id += base;
                }
                symbol.procedure = symbol.procedure.map(|id| id + base);
            }
            self.scopes.push(scope);
        }
    }

    /// The scope of the BLOCK that begins with a statement of a file.
    pub fn block_at(&self, file: usize, head: usize) -> Option<ScopeId> {
        self.scopes.iter().position(|scope| {
            scope.kind == UnitKind::Block && scope.file == file && scope.statements.0 == head
        })
    }

    /// The file of a scope.
    pub fn file_of(&self, scope: ScopeId) -> &File {
        &self.files[self.scopes[scope].file]
    }
}
