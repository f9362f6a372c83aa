//! COMMON and EQUIVALENCE: which memory a variable shares, and where in it.

use super::{Fallible, Lowerer, refuse};
use crate::cst::Syntax;
use crate::declare::scope::{ExprRef, ScopeId, Symbol};
use contraflow_ir::Storage;
use std::cmp::Reverse;

impl Lowerer<'_> {
    /// The storage of a variable in a COMMON block or an EQUIVALENCE group.
    pub(super) fn shared_storage(
        &mut self,
        scope: ScopeId,
        key: &str,
        symbol: &Symbol,
    ) -> Fallible<Option<Storage>> {
        if let Some(block) = &symbol.common {
            return self.common_storage(scope, block, key).map(Some);
        }
        self.overlay(scope, key)
    }

    fn common_storage(&self, scope: ScopeId, block: &str, key: &str) -> Fallible<Storage> {
        let common = self.module.commons.iter().find(|(_, c)| c.name == block);
        let members = self.program.scopes[scope]
            .commons
            .iter()
            .find(|(name, _)| name == block);
        let (Some((id, _)), Some((_, members))) = (common, members) else {
            return refuse("its COMMON block is not known");
        };
        let mut offset = 0;
        for member in members {
            if member == key {
                return Ok(Storage::Common { block: id, offset });
            }
            match self.program.bytes_of(self.module, scope, member) {
                Some(bytes) => offset += bytes,
                None => return refuse("the length of its COMMON block is not constant"),
            }
        }
        refuse("its COMMON block is not known")
    }

    /// Where a variable lies in the memory that it shares by EQUIVALENCE: in that of the variable of
    /// COMMON among those that share it, else of the one that starts first.
    fn overlay(&mut self, scope: ScopeId, key: &str) -> Fallible<Option<Storage>> {
        let starts = self.starts(scope, key)?;
        let symbols = &self.program.scopes[scope].symbols;
        let is_common = |name: &str| {
            symbols
                .get(name)
                .is_some_and(|symbol| symbol.common.is_some())
        };
        let own = starts.iter().find(|(name, _)| name == key);
        let base = starts.iter().find(|(name, _)| is_common(name)).or_else(|| {
            let groups = &self.program.scopes[scope].equivalences;
            let place = |name: &str| {
                let mut members = groups.iter().flatten().filter_map(member_name);
                members.position(|member| member == name)
            };
            // Of those that start first the longest: it holds the most of the others.
            let bytes = |name: &str| self.program.bytes_of(self.module, scope, name);
            starts
                .iter()
                .min_by_key(|(name, start)| (*start, Reverse(bytes(name)), place(name)))
        });
        let (Some((base_name, base_start)), Some((_, own_start))) = (base, own) else {
            return Ok(None);
        };
        if base_name == key {
            return Ok(None);
        }
        let offset = own_start - base_start;
        let base = self.named(base_name)?;
        if let Storage::Common {
            block,
            offset: start,
        } = self.variable(base).storage
            && let Ok(offset) = u64::try_from(start as i64 + offset)
        {
            return Ok(Some(Storage::Common { block, offset }));
        }
        Ok(Some(Storage::Overlay { base, offset }))
    }

    /// Whether a variable of an EQUIVALENCE is saved because another one of it is, or has values.
    pub(super) fn is_saved_with_others(&self, scope: ScopeId, key: &str) -> bool {
        let symbols = &self.program.scopes[scope].symbols;
        let is_saved = |name: &String| {
            symbols
                .get(name)
                .is_some_and(|symbol| symbol.is_saved || symbol.has_data || symbol.init.is_some())
        };
        self.starts(scope, key)
            .is_ok_and(|starts| starts.iter().any(|(name, _)| is_saved(name)))
    }

    /// The other variables of an EQUIVALENCE that have values of their own, and where they start, in
    /// elements from the start of `key`.
    ///
    /// # Errors
    /// Where they are of another type.
    pub(super) fn values_of_others(
        &self,
        scope: ScopeId,
        key: &str,
    ) -> Fallible<Vec<(String, i64)>> {
        let starts = self.starts(scope, key)?;
        let symbols = &self.program.scopes[scope].symbols;
        let type_of = |name: &str| {
            let symbol = symbols.get(name)?;
            let implicit = self.program.implicit_type(scope, name);
            let ty = symbol.ty.as_ref().or(implicit.as_ref())?;
            self.program.resolve_type(scope, ty, 0)
        };
        let own = type_of(key);
        let mut found = Vec::new();
        for (name, start) in starts {
            let has_values = symbols
                .get(&name)
                .is_some_and(|symbol| symbol.has_data || symbol.init.is_some());
            if name == key || !has_values {
                continue;
            }
            let size = own
                .and_then(|ty| self.module.bytes_of(ty))
                .and_then(|bytes| i64::try_from(bytes).ok())
                .filter(|size| *size > 0 && start % size == 0);
            match size {
                Some(size) if type_of(&name) == own => found.push((name, start / size)),
                _ => return refuse("values of another type by EQUIVALENCE"),
            }
        }
        Ok(found)
    }

    /// The variables that share memory with `key`, itself among them, and where they start, in bytes
    /// from the start of `key`; none if it is in no EQUIVALENCE.
    fn starts(&self, scope: ScopeId, key: &str) -> Fallible<Vec<(String, i64)>> {
        let groups = &self.program.scopes[scope].equivalences;
        let mut starts: Vec<(String, i64)> = Vec::new();
        let mut pending = vec![(key.to_owned(), 0)];
        while let Some((name, start)) = pending.pop() {
            if let Some((_, known)) = starts.iter().find(|(other, _)| *other == name) {
                if *known != start {
                    return refuse("its EQUIVALENCE groups contradict each other");
                }
                continue;
            }
            for group in groups {
                let mine = group
                    .iter()
                    .find(|member| member_name(member) == Some(name.as_str()));
                let Some(mine) = mine else { continue };
                let meeting = start + self.member_offset(scope, mine)?;
                for member in group {
                    if let Some(other) = member_name(member) {
                        let offset = self.member_offset(scope, member)?;
                        pending.push((other.to_owned(), meeting - offset));
                    }
                }
            }
            starts.push((name, start));
        }
        Ok(if starts.len() > 1 { starts } else { Vec::new() })
    }

    /// Bytes from the start of a variable to the element that a group names.
    fn member_offset(&self, scope: ScopeId, member: &ExprRef) -> Fallible<i64> {
        let Syntax::Apply(_, subscripts) = member.tree.syntax(member.node) else {
            return Ok(0);
        };
        let name = member_name(member).unwrap_or("");
        let program = self.program;
        let Some(symbol) = program.scopes[scope].symbols.get(name) else {
            return refuse("EQUIVALENCE names no variable");
        };
        let shape = program.fixed_shape(scope, &symbol.dims);
        let total: i64 = shape
            .iter()
            .map(|(_, extent)| extent.unwrap_or(0))
            .product();
        let bytes = program.bytes_of(self.module, scope, name).unwrap_or(0) as i64;
        if total == 0 || shape.len() != subscripts.len() {
            return refuse("the place of an EQUIVALENCE member is not constant");
        }
        let mut index = 0;
        let mut stride = 1;
        for (&subscript, (lower, extent)) in subscripts.iter().zip(&shape) {
            let value = program.integer_of(scope, &member.tree, subscript, 0);
            let Some(value) = value.and_then(|value| i64::try_from(value).ok()) else {
                return refuse("the place of an EQUIVALENCE member is not constant");
            };
            index += (value - lower) * stride;
            stride *= extent.unwrap_or(1);
        }
        Ok(index * (bytes / total))
    }
}

pub(super) fn member_name(member: &ExprRef) -> Option<&str> {
    let tree = &member.tree;
    match tree.syntax(member.node) {
        Syntax::Name => Some(tree.text(member.node)),
        Syntax::Apply(base, _) if *tree.syntax(*base) == Syntax::Name => Some(tree.text(*base)),
        _ => None,
    }
}
