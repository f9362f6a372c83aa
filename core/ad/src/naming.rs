//! Names of generated entities: unique in their procedure without regard to case, since Fortran
//! has none.

use contraflow_ir::{Module, Procedure, ProcedureId, VarId};
use std::collections::{HashMap, HashSet};

/// `base`, or `base` with the smallest number that makes it unique among the procedure's variables.
///
/// One look at each variable: generated code has thousands of variables with one base.
pub fn unique(procedure: &Procedure, base: &str) -> String {
    let variables = procedure.variables.iter();
    let names = variables.map(|(_, variable)| variable.name.as_str());
    let taken: HashSet<Option<u32>> = names
        .chain([procedure.name.as_str()])
        .filter_map(|name| number_after(base, name))
        .collect();
    if !taken.contains(&None) {
        return base.to_owned();
    }
    let number = (1..).find(|&number| !taken.contains(&Some(number)));
    format!("{base}{}", number.expect("invariant: some number is free"))
}

/// What names one procedure has, for many new ones: [`unique`] looks at all variables each time.
///
/// Variables may be added between the calls, by whomever, but not renamed.
#[derive(Default)]
pub struct Names {
    /// How many variables have been looked at.
    seen: usize,
    /// Their names in lower case.
    taken: HashSet<String>,
    /// The first number that may be free, of the bases asked for.
    next: HashMap<String, u32>,
}

impl Names {
    /// [`unique`], in time that does not depend on the number of variables.
    pub fn unique(&mut self, procedure: &Procedure, base: &str) -> String {
        let new = (self.seen..procedure.variables.len()).map(VarId::from_index);
        let new = new.map(|id| procedure.variables[id].name.to_ascii_lowercase());
        self.taken.extend(new);
        self.seen = procedure.variables.len();
        let lower = base.to_ascii_lowercase();
        let is_free =
            |name: &str| !self.taken.contains(name) && !procedure.name.eq_ignore_ascii_case(name);
        if is_free(&lower) {
            return base.to_owned();
        }
        let start = self.next.get(&lower).copied().unwrap_or(1);
        let number = (start..).find(|number| is_free(&format!("{lower}{number}")));
        let number = number.expect("invariant: some number is free");
        self.next.insert(lower, number);
        format!("{base}{number}")
    }
}

/// The number with which a name is made of `base`, which itself has none; nothing for other names.
fn number_after(base: &str, name: &str) -> Option<Option<u32>> {
    let start = name.get(..base.len())?;
    let rest = &name[base.len()..];
    if !start.eq_ignore_ascii_case(base) || rest.starts_with(['0', '+']) {
        return None;
    }
    match rest {
        "" => Some(None),
        _ => rest.parse().ok().map(Some),
    }
}

/// The name of the shadow of a variable called `base`.
pub fn shadow_name(procedure: &Procedure, base: &str, suffix: &str) -> String {
    unique(procedure, &format!("{base}{suffix}"))
}

/// What the names of procedures derived from `id` begin with: its name, after that of its host.
pub fn base(module: &Module, id: ProcedureId) -> String {
    let procedure = &module.procedures[id];
    match procedure.home.host {
        Some(host) => format!("{}_{}", module.procedures[host].name, procedure.name),
        None => procedure.name.clone(),
    }
}

/// The name of a derived procedure: `base` with the suffix, and a number where that is taken.
pub fn procedure_name(module: &Module, base: &str, suffix: &str) -> String {
    first_free(&format!("{base}{suffix}"), |name| {
        !module.procedures_named(name).is_empty()
            || module
                .globals
                .iter()
                .any(|(_, global)| global.name.eq_ignore_ascii_case(name))
    })
}

/// The name of the shadow of a global called `base`.
pub fn global_shadow_name(module: &Module, base: &str, suffix: &str) -> String {
    procedure_name(module, base, suffix)
}

fn first_free(base: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(base) {
        return base.to_owned();
    }
    (1u32..)
        .map(|number| format!("{base}{number}"))
        .find(|name| !taken(name))
        .expect("invariant: some number is free")
}

#[cfg(test)]
mod tests {
    use super::{Names, unique};
    use contraflow_ir::{Procedure, Type, Variable};

    #[test]
    fn names_are_free_without_regard_to_case() {
        let mut procedure = Procedure::new("f");
        for name in ["X_b", "x_b1", "x_b03", "x_b3", "x_bar"] {
            procedure.variables.add(Variable::scalar(name, Type::REAL8));
        }
        assert_eq!(unique(&procedure, "x_b"), "x_b2");
        assert_eq!(unique(&procedure, "F"), "F1");
        assert_eq!(unique(&procedure, "y"), "y");
        let mut names = Names::default();
        for base in ["x_b", "F", "y"] {
            assert_eq!(
                names.unique(&procedure, base),
                unique(&procedure, base),
                "{base}"
            );
        }
        for name in ["x_b2", "X_B4"] {
            assert_eq!(names.unique(&procedure, "x_b"), name.to_lowercase());
            let variable = Variable::scalar(name, Type::REAL8);
            procedure.variables.add(variable);
        }
        assert_eq!(names.unique(&procedure, "X_b"), "X_b5");
    }
}
