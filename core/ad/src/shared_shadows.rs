//! Shadows of memory that outlives calls: one for each active global, and for each COMMON block
//! with active members a block of the same layout.

use std::collections::BTreeMap;

use contraflow_ir::{CommonBlock, CommonId, GlobalId, Module};

use crate::analysis::{Activity, Shared};
use crate::naming;
use crate::pointing::Pointing;

/// The shadows of globals and COMMON blocks, shared by all derived procedures.
#[derive(Clone, Default, Debug)]
pub struct SharedShadows {
    globals: BTreeMap<GlobalId, (GlobalId, String)>,
    commons: BTreeMap<CommonId, CommonId>,
}

impl SharedShadows {
    /// Adds the shadows to the module: of what is active, and of what shadows of pointers point to.
    pub fn make(
        module: &mut Module,
        activity: &Activity,
        pointings: &[Pointing],
        suffix: &str,
    ) -> SharedShadows {
        let mut shadows = SharedShadows::default();
        for &shared in activity.active_globals() {
            match shared {
                Shared::Global(global) => shadows.add_global(module, global, suffix),
                Shared::Common { block, .. } => shadows.add_common(module, block, suffix),
                // Stays inside its procedure.
                Shared::Saved(..) => {}
            }
        }
        for target in pointings.iter().flat_map(Pointing::targets) {
            if !shadows.globals.contains_key(&target) {
                shadows.add_global(module, target, suffix);
            }
        }
        shadows
    }

    /// The shadow of a global and its name.
    pub fn global(&self, global: GlobalId) -> Option<(GlobalId, &str)> {
        self.globals
            .get(&global)
            .map(|(shadow, name)| (*shadow, name.as_str()))
    }

    /// The shadow of a COMMON block.
    pub fn common(&self, block: CommonId) -> Option<CommonId> {
        self.commons.get(&block).copied()
    }

    fn add_global(&mut self, module: &mut Module, global: GlobalId, suffix: &str) {
        let mut shadow = module.globals[global].clone();
        shadow.name = free_name(module, &shadow.name, suffix);
        shadow.shadow_of = Some(global);
        shadow.is_private = false;
        shadow.declared_by = None;
        let name = shadow.name.clone();
        let id = module.globals.add(shadow);
        self.globals.insert(global, (id, name));
    }

    fn add_common(&mut self, module: &mut Module, block: CommonId, suffix: &str) {
        if self.commons.contains_key(&block) {
            return;
        }
        let CommonBlock { name, bytes } = module.commons[block].clone();
        let base = if name.is_empty() { "blank" } else { &name };
        let taken = |name: &str| {
            module
                .commons
                .iter()
                .any(|(_, common)| common.name.eq_ignore_ascii_case(name))
        };
        let mut name = naming::global_shadow_name(module, base, suffix);
        let mut number = 1;
        while taken(&name) {
            name = naming::global_shadow_name(module, base, &format!("{suffix}{number}"));
            number += 1;
        }
        let id = module.commons.add(CommonBlock { name, bytes });
        self.commons.insert(block, id);
    }
}

/// A name that no procedure, global, or variable of any procedure has: it is visible to all.
fn free_name(module: &Module, base: &str, suffix: &str) -> String {
    let is_free = |name: &str| {
        module
            .procedures
            .iter()
            .all(|(_, procedure)| procedure.variable_named(name).is_none())
    };
    let first = naming::global_shadow_name(module, base, suffix);
    if is_free(&first) {
        return first;
    }
    (1u32..)
        .map(|number| naming::global_shadow_name(module, base, &format!("{suffix}{number}")))
        .find(|name| is_free(name))
        .expect("some number is free")
}
