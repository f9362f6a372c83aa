//! Calls and their arguments.

use contraflow_backend_common::BREAK;
use contraflow_ir::{
    Access, Argument, Callee, Expr, ExprId, Extent, Passing, Procedure, ProcedureId, Role,
    Selector, StmtId, Type, VarId, Variable,
};

use crate::emitter::Emitter;
use crate::expr::rank;
use crate::loops::Walk;
use crate::places::Layout;

impl Emitter<'_> {
    /// A call, with its result assigned.
    pub fn call(
        &mut self,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Access>,
        id: StmtId,
    ) {
        let name = match callee {
            Callee::Procedure(callee) => {
                self.needs.callees.insert(*callee);
                self.module.procedures[*callee].name.clone()
            }
            Callee::External(name) if self.foreign => {
                let span = self.procedure.stmts[id].span;
                self.refuse(
                    span,
                    format!("`{name}` is called, but its source is not there"),
                    "name the file that holds it, or ask for Fortran output",
                )
            }
            Callee::External(name) => name.clone(),
            Callee::Variable(variable) => self.name(*variable),
        };
        let mut texts = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let formal = self.formal(callee, position);
            texts.extend(self.argument(formal, argument, id));
        }
        let list = texts.join(&format!(",{BREAK} "));
        let wanted = result.filter(|target| !self.unread.contains(&target.var));
        let line = match wanted {
            Some(target) => {
                let target = self.place(target).text;
                format!("{target} = {BREAK}{name}({list});")
            }
            None => format!("{name}({list});"),
        };
        self.out.line(&line);
    }

    fn formal(&self, callee: &Callee, position: usize) -> Option<(ProcedureId, VarId)> {
        let callee = match callee {
            Callee::Procedure(callee) => *callee,
            Callee::Variable(var) => self.procedure.variables[*var].interface?,
            Callee::External(_) => return None,
        };
        let procedure = &self.module.procedures[callee];
        Some((callee, *procedure.arguments.get(position)?))
    }

    /// The actual parameters for one argument: extents where the formal is of assumed shape, then
    /// the value or the address.
    fn argument(
        &mut self,
        formal: Option<(ProcedureId, VarId)>,
        argument: &Argument,
        id: StmtId,
    ) -> Vec<String> {
        let module = self.module;
        let variable = formal.map(|(p, v)| &module.procedures[p].variables[v]);
        match argument {
            Argument::Value(value) => vec![self.value_argument(variable, *value)],
            Argument::Place(access) => {
                let mut texts = match formal {
                    Some((procedure, formal)) => {
                        self.actual_extents(&module.procedures[procedure], formal, access)
                    }
                    None => Vec::new(),
                };
                texts.push(self.place_argument(formal, access, id));
                texts
            }
            Argument::Procedure(procedure) => {
                self.needs.callees.insert(*procedure);
                vec![module.procedures[*procedure].name.clone()]
            }
            Argument::Absent => {
                self.needs.headers.insert("stddef.h");
                vec!["NULL".to_owned()]
            }
            Argument::Opaque { text, reads } => {
                for access in reads {
                    self.used.insert(access.var);
                }
                if self.foreign {
                    let span = self.procedure.stmts[id].span;
                    return vec![self.refuse(
                        span,
                        format!("the argument `{text}` is quoted Fortran"),
                        "ask for Fortran output",
                    )];
                }
                vec![text.clone()]
            }
        }
    }

    /// A value, or the address of an unnamed copy of it.
    fn value_argument(&mut self, formal: Option<&Variable>, value: ExprId) -> String {
        let by_reference = formal.is_some_and(|v| v.passing == Passing::Reference && !v.is_array());
        let ty = formal.map_or(self.ty(value), |v| {
            if v.is_array() { self.ty(value) } else { v.ty }
        });
        let text = self.value(value, ty);
        if by_reference {
            let name = self.type_name(ty, self.procedure.exprs[value].span);
            return format!("&({name}){{{text}}}");
        }
        text
    }

    fn place_argument(
        &mut self,
        formal: Option<(ProcedureId, VarId)>,
        access: &Access,
        id: StmtId,
    ) -> String {
        let module = self.module;
        let variable = formal.map(|(p, v)| &module.procedures[p].variables[v]);
        if variable.is_some_and(|v| v.passing == Passing::Value && !v.is_array()) {
            let is_address = |ty: Type| matches!(ty, Type::Address | Type::Pointer(_));
            let own = self.procedure.variables[access.var].ty;
            let wants_address = variable.is_some_and(|v| v.ty == Type::Address);
            if wants_address && !(access.path.is_empty() && is_address(own)) {
                return self.address(access);
            }
            return self.place(access).text;
        }
        let Some(start) = self.start_of_section(access) else {
            let span = self.procedure.stmts[id].span;
            let name = self.procedure.variables[access.var].name.clone();
            return self.refuse(
                span,
                format!("a section of `{name}` with gaps is passed, which C output cannot do"),
                "copy the section to an array of its own, or ask for Fortran output",
            );
        };
        let formal_nested = formal.is_some_and(|(p, v)| {
            variable.is_some_and(|v| v.rank() > 1) && {
                let callee = Emitter::new(self.setting, p);
                callee.layout(v) == Layout::Nested && !callee.is_viewed(v)
            }
        });
        let own = &self.procedure.variables[access.var];
        let whole = access.path.is_empty();
        let own_nested = own.rank() > 1 && self.layout(access.var) == Layout::Nested;
        let same = whole
            && own_nested == formal_nested
            && (!own_nested || variable.is_none_or(|v| v.rank() == own.rank()));
        if whole && (same || !own.is_array()) && (own.is_array() || !formal_nested) {
            return self.address(access);
        }
        let address = if whole && own_nested {
            let rank = own.rank();
            format!("&{}{}", self.name(access.var), "[0]".repeat(rank))
        } else if whole {
            self.name(access.var)
        } else {
            match start {
                Some(subscripts) => {
                    let name = self.name(access.var);
                    format!("&{name}{}", self.bracketed(access.var, subscripts))
                }
                None => self.address(access),
            }
        };
        if formal_nested {
            format!("(void *){address}")
        } else {
            address
        }
    }

    /// Where a section begins, as subscripts from zero; `Some(None)` for what is no section, and
    /// `None` for a section with gaps.
    fn start_of_section(
        &mut self,
        access: &Access,
    ) -> Option<Option<Vec<contraflow_backend_common::Term>>> {
        let procedure = self.procedure;
        let [Selector::Index(subscripts)] = access.path.as_slice() else {
            return Some(None);
        };
        let range = |e: ExprId| match procedure.expr(e) {
            Expr::Range { lower, upper, step } => Some((*lower, *upper, *step)),
            _ => None,
        };
        if subscripts.iter().all(|&s| range(s).is_none()) {
            return Some(None);
        }
        // Whole dimensions, then at most one partial range, then single subscripts.
        let mut open = true;
        for &subscript in subscripts {
            match range(subscript) {
                Some((_, _, Some(_))) => return None,
                Some(_) if !open => return None,
                Some((None, None, None)) => {}
                Some(_) | None => open = false,
            }
        }
        let walks = self.walks(access)?;
        Some(Some(
            walks
                .into_iter()
                .map(|walk| match walk {
                    Walk::Fixed(term) => term,
                    Walk::Range { first, .. } => first.unwrap_or_else(|| {
                        contraflow_backend_common::Term::new("0", rank::PRIMARY)
                    }),
                })
                .collect(),
        ))
    }

    /// Extents for a formal argument of assumed shape.
    fn actual_extents(
        &mut self,
        callee: &Procedure,
        formal: VarId,
        access: &Access,
    ) -> Vec<String> {
        let shape = &callee.variables[formal].shape;
        if !shape.iter().any(|dim| dim.extent == Extent::Assumed) || !owns_extents(callee, formal) {
            return Vec::new();
        }
        let counts: Vec<String> = match self.walks(access) {
            Some(walks) => walks
                .into_iter()
                .filter_map(|walk| match walk {
                    Walk::Range { count, .. } => Some(count.text),
                    Walk::Fixed(_) => None,
                })
                .collect(),
            None => Vec::new(),
        };
        shape
            .iter()
            .zip(counts)
            .filter(|(dim, _)| dim.extent == Extent::Assumed)
            .map(|(_, count)| count)
            .collect()
    }
}

/// Whether the extents of an assumed-shape argument are parameters of its own.
pub(crate) fn owns_extents(procedure: &Procedure, argument: VarId) -> bool {
    match procedure.variables[argument].role {
        Role::Shadow { of } => !procedure.variables[of].is_argument(),
        _ => true,
    }
}
