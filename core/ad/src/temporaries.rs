//! Temporaries of the generated code, reused from statement to statement.

use contraflow_ir::{Procedure, Role, Type, VarId, Variable};

use crate::naming;

/// Scalars of the generated code, free again for each statement.
#[derive(Clone, Default, Debug)]
pub struct Temporaries {
    known: Vec<(Type, VarId)>,
    used: Vec<VarId>,
}

impl Temporaries {
    /// Makes all of them free.
    pub fn release(&mut self) {
        self.used.clear();
    }

    /// A free scalar of a type.
    pub fn take(&mut self, out: &mut Procedure, ty: Type) -> VarId {
        let free = self
            .known
            .iter()
            .find(|(known, var)| *known == ty && !self.used.contains(var));
        let var = match free {
            Some(&(_, var)) => var,
            None => {
                let mut variable = Variable::scalar(naming::unique(out, "temp"), ty);
                variable.role = Role::Temporary;
                let var = out.variables.add(variable);
                self.known.push((ty, var));
                var
            }
        };
        self.used.push(var);
        var
    }
}
