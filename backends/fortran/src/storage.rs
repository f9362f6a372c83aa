//! Variables that share memory: `COMMON` and `EQUIVALENCE`.
//!
//! A block is declared member by member from its start. Members that lie over others are put there by
//! EQUIVALENCE. The shadow of a block is laid out as the block itself, with a filler for each member
//! that has no shadow: compilers then align both in the same way, and all units agree.

use std::collections::{BTreeSet, HashSet};

use contraflow_backend_common::BREAK;
use contraflow_ir::{CommonId, Extent, Role, Storage, Type, VarId, Variable};

use crate::emitter::Emitter;

/// A variable in the memory of a block.
#[derive(Clone, Copy)]
struct Member {
    id: VarId,
    start: i64,
    /// Bytes of an element and of all.
    element: i64,
    bytes: i64,
}

impl Member {
    fn end(self) -> i64 {
        self.start + self.bytes
    }
}

impl Emitter<'_> {
    /// The members of a COMMON block that the procedure names, by offset.
    pub fn members(&self, block: CommonId) -> Vec<(VarId, u64)> {
        let mut members: Vec<(VarId, u64)> = self
            .procedure
            .variables
            .iter()
            .filter_map(|(id, variable)| match variable.storage {
                Storage::Common { block: b, offset } if b == block => Some((id, offset)),
                _ => None,
            })
            .collect();
        members.sort_by_key(|member| member.1);
        members
    }

    /// `COMMON` and `EQUIVALENCE`, after declarations of fillers.
    pub fn storage_statements(&mut self, done: &HashSet<VarId>) -> Vec<String> {
        let procedure = self.procedure;
        let mut lines = Vec::new();
        let mut blocks: BTreeSet<CommonId> = BTreeSet::new();
        for (id, variable) in procedure.variables.iter() {
            if !done.contains(&id) {
                continue;
            }
            match variable.storage {
                Storage::Common { block, .. } => {
                    blocks.insert(block);
                }
                // Another procedure's variable in the memory of an argument: no variable of its own.
                Storage::Overlay { .. } if procedure.viewed(id).is_some() => {}
                Storage::Overlay { base, .. } if self.is_in_module(base) => {}
                Storage::Overlay { base, offset } => {
                    let base = self.member(base, 0);
                    let own = self.member(id, offset);
                    lines.extend(self.equivalence(base, own));
                }
                _ => {}
            }
        }
        for block in blocks {
            let declared = match self.shadowed_block(block) {
                Some(of) => self.shadow_block(block, of, &mut lines),
                None => self.block_in_order(block, &mut lines),
            };
            let common = self.k("common");
            let name = &self.module.commons[block].name;
            lines.push(format!(
                "{common} /{name}/ {}",
                declared.join(&format!(",{BREAK} "))
            ));
        }
        lines
    }

    /// The block that a block of shadows shadows.
    fn shadowed_block(&self, block: CommonId) -> Option<CommonId> {
        self.members(block).into_iter().find_map(|(id, _)| {
            let Role::Shadow { of } = self.procedure.variables[id].role else {
                return None;
            };
            match self.procedure.variables[of].storage {
                Storage::Common { block: of, .. } if of != block => Some(of),
                _ => None,
            }
        })
    }

    /// The names of a block's members in order; those that overlap are equivalenced.
    fn block_in_order(&mut self, block: CommonId, lines: &mut Vec<String>) -> Vec<String> {
        let (chain, rest) = self.block_chain(block);
        self.overlaid(&chain, &rest, lines);
        let mut reached = 0;
        let mut names = Vec::new();
        for member in chain {
            if member.start > reached {
                names.push(self.gap(member.start - reached, lines));
            }
            names.push(self.names[member.id.index()].clone());
            reached = member.end();
        }
        names
    }

    /// A filler of so many bytes.
    fn gap(&mut self, bytes: i64, lines: &mut Vec<String>) -> String {
        let filler = self.namer.name("filler");
        let (ty, count) = match bytes % 4 {
            0 => (self.k("integer"), bytes / 4),
            _ => (format!("{}(1)", self.k("integer")), bytes),
        };
        lines.insert(0, format!("{ty} :: {filler}({count})"));
        filler
    }

    /// The members of a shadow block: for each member of the primal's its shadow, or a filler.
    fn shadow_block(
        &mut self,
        block: CommonId,
        of: CommonId,
        lines: &mut Vec<String>,
    ) -> Vec<String> {
        let shadows = self.members(block);
        let procedure = self.procedure;
        let (chain, _) = self.block_chain(of);
        let mut names = Vec::new();
        let mut placed = Vec::new();
        let mut reached = 0;
        for member in chain {
            if member.start > reached {
                names.push(self.gap(member.start - reached, lines));
            }
            reached = member.end();
            let shadow = shadows
                .iter()
                .find(|(id, _)| procedure.variables[*id].role == (Role::Shadow { of: member.id }));
            match shadow {
                Some(&(id, _)) => {
                    placed.push(Member { id, ..member });
                    names.push(self.names[id.index()].clone());
                }
                None => {
                    let (declaration, name) = self.filler(member.id);
                    lines.insert(0, declaration);
                    names.push(name);
                }
            }
        }
        let rest: Vec<Member> = shadows
            .into_iter()
            .filter(|(id, _)| placed.iter().all(|member| member.id != *id))
            .filter_map(|(id, offset)| self.member(id, i64::try_from(offset).ok()?))
            .collect();
        self.overlaid(&placed, &rest, lines);
        names
    }

    /// A variable of the type and shape of another.
    fn filler(&mut self, of: VarId) -> (String, String) {
        let variable = &self.procedure.variables[of];
        let wanted = format!("no_{}", self.names[of.index()]);
        let name = self.namer.name(&wanted);
        let ty = self.type_of(variable);
        let dims: Vec<String> = variable
            .shape
            .iter()
            .map(|dim| self.declared_dimension(variable, dim))
            .collect();
        let dims = match dims.is_empty() {
            true => String::new(),
            false => format!("({})", dims.join(",")),
        };
        (format!("{ty} :: {name}{dims}"), name)
    }

    /// The members that follow each other from the start of a block, and those that lie over them.
    fn block_chain(&mut self, block: CommonId) -> (Vec<Member>, Vec<Member>) {
        let mut chain: Vec<Member> = Vec::new();
        let mut rest = Vec::new();
        let mut reached = 0;
        for (id, offset) in self.members(block) {
            let start = i64::try_from(offset).unwrap_or(i64::MAX);
            match self.member(id, start) {
                Some(member) if start >= reached => {
                    reached = member.end();
                    chain.push(member);
                }
                Some(member) => rest.push(member),
                None => {
                    self.refuse_layout(block, id);
                    break;
                }
            }
        }
        (chain, rest)
    }

    fn refuse_layout(&mut self, block: CommonId, id: VarId) {
        let name = self.module.commons[block].name.clone();
        let variable = &self.procedure.variables[id];
        self.refuse(
            variable.span,
            format!(
                "the layout of COMMON /{name}/ before or in `{}` is not known",
                variable.name
            ),
            "declare all members of the block with constant extents",
        );
    }

    fn overlaid(&mut self, chain: &[Member], rest: &[Member], lines: &mut Vec<String>) {
        for &member in rest {
            let base = chain
                .iter()
                .copied()
                .find(|base| base.start < member.end() && member.start < base.end());
            let line = self.equivalence(base, Some(member));
            lines.extend(line);
        }
    }

    fn member(&self, id: VarId, start: i64) -> Option<Member> {
        let variable = &self.procedure.variables[id];
        let element = self.bytes_of(variable)?;
        let count = i64::try_from(self.elements(variable)?).ok()?;
        Some(Member {
            id,
            start,
            element,
            bytes: element.checked_mul(count)?,
        })
    }

    /// `EQUIVALENCE (base(k), other)`, or the other way round.
    fn equivalence(&mut self, base: Option<Member>, own: Option<Member>) -> Option<String> {
        let (base, own) = (base?, own?);
        let distance = own.start - base.start;
        let names = if distance >= 0 && distance % base.element == 0 && distance < base.bytes {
            let place = self.element_name(base.id, distance / base.element);
            place.map(|place| (place, self.names[own.id.index()].clone()))
        } else if distance <= 0 && distance % own.element == 0 && -distance < own.bytes {
            let place = self.element_name(own.id, -distance / own.element);
            place.map(|place| (self.names[base.id.index()].clone(), place))
        } else {
            None
        };
        let Some((first, second)) = names else {
            let variable = &self.procedure.variables[own.id];
            self.refuse(
                variable.span,
                format!("`{}` overlays a part of an element", variable.name),
                "let the variables share whole elements",
            );
            return None;
        };
        Some(format!("{} ({first}, {second})", self.k("equivalence")))
    }

    /// The element at a position in memory; the variable itself at the start.
    fn element_name(&self, id: VarId, position: i64) -> Option<String> {
        let name = &self.names[id.index()];
        let procedure = self.procedure;
        let variable = &procedure.variables[id];
        if position == 0 {
            return Some(name.clone());
        }
        let mut rest = position;
        let mut subscripts = Vec::new();
        for dim in &variable.shape {
            let Extent::Count(count) = dim.extent else {
                return None;
            };
            let lower = procedure.constant_integer(dim.lower)?;
            let count = procedure.constant_integer(count)?;
            subscripts.push((lower + rest % count).to_string());
            rest /= count;
        }
        Some(format!("{name}({})", subscripts.join(",")))
    }

    fn bytes_of(&self, variable: &Variable) -> Option<i64> {
        match variable.ty {
            Type::Integer { bytes, .. } | Type::Real { bytes } | Type::Logical { bytes } => {
                Some(bytes.into())
            }
            Type::Complex { bytes } => Some(2 * i64::from(bytes)),
            Type::Character => self.procedure.constant_integer(variable.length?),
            _ => None,
        }
    }

    /// Whether another variable lies in the memory of this one.
    pub fn is_overlaid(&self, variable: &Variable) -> bool {
        let variables = &self.procedure.variables;
        variables.iter().any(|(_, other)| {
            matches!(other.storage, Storage::Overlay { base, .. }
                if std::ptr::eq(&variables[base], variable))
        })
    }
}
