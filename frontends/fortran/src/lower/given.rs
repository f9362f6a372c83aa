//! Constants that no source declares: those of the language's own modules, and those of MPI, whose
//! values are the library's own and which stay names.

use super::Lowerer;
use contraflow_ir::{Expr, ExprId, Type};

/// Names of MPI that stand for memory, not for a number.
const PLACES: [&str; 7] = [
    "mpi_argv_null",
    "mpi_argvs_null",
    "mpi_bottom",
    "mpi_errcodes_ignore",
    "mpi_in_place",
    "mpi_status_ignore",
    "mpi_statuses_ignore",
];

impl Lowerer<'_> {
    /// Whether a name is a constant that no source declares.
    pub(super) fn is_given_constant(&self, name: &str) -> bool {
        self.program.language_value(self.scope, name).is_some() || self.is_mpi_constant(name)
    }

    /// Its value.
    pub(super) fn given_constant(&mut self, name: &str) -> Option<ExprId> {
        if let Some(value) = self.program.language_value(self.scope, name) {
            return Some(self.int(value));
        }
        self.is_mpi_constant(name).then(|| {
            let text = name.to_ascii_uppercase();
            let reads = Vec::new();
            self.add(Expr::Opaque { text, reads }, Type::INT)
        })
    }

    fn is_mpi_constant(&self, name: &str) -> bool {
        name.starts_with("mpi_") && !PLACES.contains(&name) && self.is_of_mpi(name)
    }

    fn is_of_mpi(&self, name: &str) -> bool {
        self.program.find(self.scope, name).is_none()
            && self.program.unknown_module_of(self.scope, name) == Some("mpi")
    }

    /// The type of a function of the MPI module.
    pub(super) fn mpi_function(&self, name: &str) -> Option<Type> {
        let is_clock = matches!(name, "mpi_wtime" | "mpi_wtick");
        (is_clock && self.is_of_mpi(name)).then_some(Type::REAL8)
    }
}
