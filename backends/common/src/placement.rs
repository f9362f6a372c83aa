//! Where derived procedures go: into their primal's container (output in place), or into a file of
//! their own (output beside).

use contraflow_ir::{ContainerId, FileId, Module, Procedure, ProcedureId};

/// The derived procedures of a request, sorted by where they go. Orders are those of the request.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    /// Files written again with insertions: per file its containers, each with its procedures.
    /// A container without procedures is there for the shadows that it declares.
    pub in_place: Vec<(FileId, Vec<(ContainerId, Vec<ProcedureId>)>)>,
    /// Procedures that go into a new file.
    pub beside: Vec<ProcedureId>,
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
    let at = position_or_add(files, |entry| entry.0 == file, || (file, Vec::new()));
    let containers = &mut files[at].1;
    let at = position_or_add(
        containers,
        |entry| entry.0 == container,
        || (container, Vec::new()),
    );
    &mut containers[at].1
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
