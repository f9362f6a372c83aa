//! COMMON and EQUIVALENCE: which memory a variable shares, and where in it.

use super::{Fallible, Lowerer, refuse};
use crate::cst::Syntax;
use crate::declare::scope::{ExprRef, ScopeId, Symbol};
use contraflow_ir::Storage;

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
            match self.program.bytes_of(scope, member) {
                Some(bytes) => offset += bytes,
                None => return refuse("the length of its COMMON block is not constant"),
            }
        }
        refuse("its COMMON block is not known")
    }

    /// Where a variable lies in the memory of the first variable of its EQUIVALENCE group.
    fn overlay(&mut self, scope: ScopeId, key: &str) -> Fallible<Option<Storage>> {
        let program = self.program;
        let groups = &program.scopes[scope].equivalences;
        let mut mine = groups
            .iter()
            .filter(|group| group.iter().any(|member| member_name(member) == Some(key)));
        let Some(group) = mine.next() else {
            return Ok(None);
        };
        if mine.next().is_some() {
            return refuse(format!("`{key}` stands in several EQUIVALENCE groups"));
        }
        let Some(first) = group.first() else {
            return Ok(None);
        };
        let base_name = member_name(first).unwrap_or("").to_owned();
        if base_name == key {
            return Ok(None);
        }
        let base_offset = self.member_offset(scope, first)?;
        let member = group.iter().find(|member| member_name(member) == Some(key));
        let own = match member {
            Some(member) => self.member_offset(scope, member)?,
            None => 0,
        };
        let base = self.named(&base_name)?;
        let offset = base_offset - own;
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
        let bytes = program.bytes_of(scope, name).unwrap_or(0) as i64;
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
