//! (written next)
use crate::module::Module;

/// A module that satisfies the invariants.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'m>(&'m Module);

impl<'m> Verified<'m> {
    /// The module.
    pub fn module(self) -> &'m Module {
        self.0
    }
}

/// Checks all invariants.
pub fn verify(module: &Module) -> Result<Verified<'_>, Vec<String>> {
    Ok(Verified(module))
}
