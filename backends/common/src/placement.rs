//! Where derived procedures go: into their primal's container (output in place), or into a file of
//! their own (output beside).

use contraflow_ir::{
    Callee, ContainerId, FileId, Module, Procedure, ProcedureId, ProcedureRole, Stmt,
};

pub use crate::splice::{fitted, line_start as insertion_point};

/// The derived procedures of a request, sorted by where they go. Orders are those of the request.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    /// Files written again with insertions.
    pub in_place: Vec<ChangedFile>,
    /// Procedures that go into a new file.
    pub beside: Vec<ProcedureId>,
}

/// A file that is written again.
#[derive(Clone, PartialEq, Debug)]
pub struct ChangedFile {
    /// The file.
    pub file: FileId,
    /// Its containers that change.
    pub containers: Vec<ChangedContainer>,
}

/// A container that gets procedures, or only declarations of shadows.
#[derive(Clone, PartialEq, Debug)]
pub struct ChangedContainer {
    /// The container.
    pub container: ContainerId,
    /// What is added.
    pub procedures: Vec<ProcedureId>,
}

/// Sorts `derived` by `home_of`: the container that a procedure must be put in, if any.
/// `containers` are those that are written again whatever they hold.
pub fn placements(
    module: &Module,
    derived: &[ProcedureId],
    containers: &[ContainerId],
    home_of: impl Fn(&Procedure) -> Option<ContainerId>,
) -> Placement {
    let mut placement = Placement::default();
    for &container in containers {
        entry(&mut placement, module, container);
    }
    for &id in derived {
        match home_of(&module.procedures[id]) {
            Some(container) => entry(&mut placement, module, container).push(id),
            None => placement.beside.push(id),
        }
    }
    placement
}

fn entry<'p>(
    placement: &'p mut Placement,
    module: &Module,
    container: ContainerId,
) -> &'p mut Vec<ProcedureId> {
    let file = module.containers[container].file;
    let files = &mut placement.in_place;
    let at = position_or_add(
        files,
        |changed| changed.file == file,
        || ChangedFile {
            file,
            containers: Vec::new(),
        },
    );
    let containers = &mut files[at].containers;
    let at = position_or_add(
        containers,
        |changed| changed.container == container,
        || ChangedContainer {
            container,
            procedures: Vec::new(),
        },
    );
    &mut containers[at].procedures
}

fn position_or_add<T>(
    list: &mut Vec<T>,
    is_it: impl Fn(&T) -> bool,
    make: impl FnOnce() -> T,
) -> usize {
    list.iter().position(is_it).unwrap_or_else(|| {
        list.push(make());
        list.len() - 1
    })
}

/// What a derived procedure is, for the comment above it; nothing for the user's own.
pub fn description(module: &Module, procedure: &Procedure) -> Option<String> {
    let of = &module.procedures[procedure.role.origin()?].name;
    let what = match procedure.role {
        ProcedureRole::Primal => return None,
        ProcedureRole::Lifted { .. } => return Some(format!("{of}, outside of its host.")),
        ProcedureRole::Tangent { .. } => "Tangent",
        ProcedureRole::Adjoint { .. } => "Adjoint",
        ProcedureRole::Forward { .. } => "Forward sweep of the adjoint",
        ProcedureRole::Backward { .. } => "Backward sweep of the adjoint",
        ProcedureRole::Helper { .. } => {
            return Some(format!(
                "The step at which the adjoint of {of} takes its next snapshot of a time loop."
            ));
        }
        ProcedureRole::Start { .. } => {
            let unit = of.strip_suffix("%values").unwrap_or(of);
            return Some(format!("Initial values of memory that {unit} declares."));
        }
        ProcedureRole::Copy { .. } => {
            return Some(format!(
                "{of} once more, on the state of the derived procedures."
            ));
        }
    };
    Some(format!("{what} of {of}."))
}

/// Whether a Fortran text has this statement on a line of its own or between semicolons, whatever its
/// case.
pub fn says_line(text: &str, statement: &str) -> bool {
    let code = |line| str::split(line, '!').next().unwrap_or("");
    let statements = text.lines().flat_map(|line| code(line).split(';'));
    statements.into_iter().any(|found| {
        found
            .split_whitespace()
            .flat_map(|word| word.chars())
            .flat_map(char::to_lowercase)
            .eq(statement.chars().filter(|c| !c.is_whitespace()))
    })
}

/// The procedures that a procedure calls or hands on.
pub fn callees(procedure: &Procedure) -> Vec<ProcedureId> {
    let mut found = Vec::new();
    for id in procedure.all_statements() {
        if let Stmt::Call {
            callee: Callee::Procedure(callee),
            ..
        } = procedure.stmt(id)
        {
            found.push(*callee);
        }
    }
    found.extend(procedure.handed_on());
    found
}

/// `ids` and, before them, those of their direct and indirect callees that are `wanted`; callees
/// before callers.
pub fn with_callees(
    module: &Module,
    ids: &[ProcedureId],
    wanted: impl Fn(&Procedure) -> bool,
) -> Vec<ProcedureId> {
    let mut seen: Vec<ProcedureId> = ids.to_vec();
    let mut extra = Vec::new();
    for &id in ids {
        add_callees(module, id, &wanted, &mut seen, &mut extra);
    }
    extra.extend_from_slice(ids);
    extra
}

fn add_callees(
    module: &Module,
    id: ProcedureId,
    wanted: &impl Fn(&Procedure) -> bool,
    seen: &mut Vec<ProcedureId>,
    extra: &mut Vec<ProcedureId>,
) {
    for callee in callees(&module.procedures[id]) {
        if !seen.contains(&callee) && wanted(&module.procedures[callee]) {
            seen.push(callee);
            add_callees(module, callee, wanted, seen, extra);
            extra.push(callee);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::says_line;

    #[test]
    fn statements_are_found_without_case_and_comments() {
        assert!(says_line("  IMPLICIT   None ! all", "implicit none"));
        assert!(!says_line("  private :: x", "private"));
        assert!(says_line("implicit none ; private", "private"));
    }
}
