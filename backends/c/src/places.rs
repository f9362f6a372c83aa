//! Places in memory: how a variable is held, and subscripts from zero, slowest first.

use contraflow_backend_common::{Term, tight, usage};
use contraflow_ir::{
    Access, Allocation, Expr, ExprId, Extent, Passing, Role, Selector, Type, VarId, Variable,
    place_of,
};

use crate::emitter::Emitter;
use crate::expr::rank;

/// How an array is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// `a[j][i]`: one dimension, or inner extents that the declaration can state.
    Nested,
    /// `a[i + n*j]`: a pointer to the first element.
    Linear,
}

impl Emitter<'_> {
    /// How an array variable is written.
    pub fn layout(&self, id: VarId) -> Layout {
        let variable = &self.procedure.variables[id];
        let inner = variable.shape.len().saturating_sub(1);
        let stated = variable.shape[..inner].iter().all(|dim| match dim.extent {
            Extent::Count(count) => !variable.is_argument() || self.is_known_at_entry(count),
            Extent::Assumed => true,
            Extent::AssumedSize | Extent::Deferred | Extent::Unknown => false,
        });
        // What is allocated in the body is declared before its extents are known.
        let is_allocated = variable.allocation != Allocation::Fixed && !variable.is_argument();
        if stated && !(is_allocated && inner > 0) {
            Layout::Nested
        } else {
            Layout::Linear
        }
    }

    /// Whether an array parameter is a pointer in the parameter list, because extents that its
    /// type needs come after it; a pointer to rows is then declared in the body.
    pub fn is_viewed(&self, id: VarId) -> bool {
        let variable = &self.procedure.variables[id];
        let position = |id: VarId| self.procedure.arguments.iter().position(|&a| a == id);
        let inner = variable.shape.len().saturating_sub(1);
        variable.is_argument()
            && self.layout(id) == Layout::Nested
            && variable.shape[..inner].iter().any(|dim| match dim.extent {
                Extent::Count(count) => usage::variables_of(self.procedure, count)
                    .into_iter()
                    .any(|v| position(v) > position(id)),
                _ => false,
            })
    }

    /// The name of a parameter: of a viewed array, that of its memory.
    pub fn parameter_name(&self, id: VarId) -> String {
        match self.memory_names.get(&id) {
            Some(name) => name.clone(),
            None => self.names[id.index()].clone(),
        }
    }

    /// Whether an extent names only parameters and constants.
    fn is_known_at_entry(&self, extent: ExprId) -> bool {
        let mut known = true;
        self.procedure.walk_expr(extent, &mut |e| {
            known &= match self.procedure.expr(e) {
                Expr::Load(access) => {
                    let variable = &self.procedure.variables[access.var];
                    variable.is_constant() || variable.is_argument() && access.path.is_empty()
                }
                Expr::Bound { .. }
                | Expr::Opaque { .. }
                | Expr::Present(_)
                | Expr::Associated { .. } => false,
                _ => true,
            };
        });
        known
    }

    /// Whether a scalar is reached through a pointer.
    pub fn is_by_reference(&self, id: VarId) -> bool {
        let variable = &self.procedure.variables[id];
        variable.is_argument() && !variable.is_array() && variable.passing == Passing::Reference
            || !variable.is_array()
                && variable.allocation != Allocation::Fixed
                && !matches!(variable.ty, Type::Pointer(_))
    }

    /// The text of a place.
    pub fn place(&mut self, access: &Access) -> Term {
        let name = self.name(access.var);
        let mut ty = self.procedure.variables[access.var].ty;
        let mut term = match access.path.first() {
            None if self.is_by_reference(access.var) => {
                return Term::new(format!("*{name}"), rank::DEREFERENCE);
            }
            Some(Selector::Field(_)) if self.is_by_reference(access.var) => {
                Term::new(format!("(*{name})"), rank::PRIMARY)
            }
            _ => Term::new(name, rank::PRIMARY),
        };
        let mut path = access.path.iter().peekable();
        let mut at_variable = true;
        let variable = &self.procedure.variables[access.var];
        let at_first = matches!(variable.shape.as_slice(), [dim] if dim.extent == Extent::Unknown);
        let is_shadow = matches!(variable.role, Role::Shadow { .. });
        let mut is_read_only = false;
        while let Some(selector) = path.next() {
            let through_read_only = std::mem::take(&mut is_read_only);
            match selector {
                Selector::Index(subscripts) if at_variable => {
                    let text = self.subscripts(access.var, subscripts);
                    term.text.push_str(&text);
                }
                Selector::Index(subscripts) => {
                    for &subscript in subscripts.iter().rev() {
                        let text = tight(&self.index(subscript).text);
                        term.text.push_str(&format!("[{text}]"));
                    }
                }
                Selector::Field(field) => {
                    let Type::Record(record) = ty else { break };
                    let field = &self.module.records[record].fields[*field as usize];
                    if field.name.is_empty() {
                        // The members of a struct without a name are those of the struct around it.
                        ty = field.ty;
                        continue;
                    }
                    term.text = match term.text.strip_prefix("(*") {
                        Some(pointer) if term.text.ends_with(')') => {
                            format!("{}->{}", &pointer[..pointer.len() - 1], field.name)
                        }
                        _ => match term.text.strip_suffix("[0]") {
                            Some(pointer) if at_first && !pointer.ends_with(']') => {
                                format!("{pointer}->{}", field.name)
                            }
                            _ => format!("{}.{}", term.text, field.name),
                        },
                    };
                    ty = field.ty;
                    is_read_only = field.read_only;
                }
                Selector::Deref => {
                    // The shadow of what is only read is written.
                    if through_read_only && is_shadow {
                        let cast = self.pointer_cast(ty);
                        term = Term::new(format!("({cast}{})", term.text), rank::PRIMARY);
                    }
                    if let Type::Pointer(pointer) = ty {
                        ty = self.module.pointers[pointer].target;
                    }
                    match path.peek() {
                        Some(Selector::Index(_)) => {}
                        None => {
                            term = Term::new(format!("*{}", term.text), rank::DEREFERENCE);
                        }
                        Some(_) => {
                            term = Term::new(format!("(*{})", term.text), rank::PRIMARY);
                        }
                    }
                }
            }
            at_variable = false;
        }
        term
    }

    /// `(double *)`: a cast to a pointer type.
    pub fn pointer_cast(&mut self, ty: Type) -> String {
        let stars = self.stars(&Variable::scalar("", ty));
        let base = self.type_name(ty, contraflow_ir::Span::NONE);
        format!("({base} {stars})")
    }

    /// Whether an access ends at a pointer through which nothing may be written.
    pub fn ends_read_only(&self, access: &Access) -> bool {
        let variable = &self.procedure.variables[access.var];
        let mut ty = variable.ty;
        let mut read_only = self.is_const(access.var, variable);
        for selector in &access.path {
            match (selector, ty) {
                (Selector::Field(n), Type::Record(record)) => {
                    let field = &self.module.records[record].fields[*n as usize];
                    (ty, read_only) = (
                        field.ty,
                        field.read_only || read_only && !matches!(field.ty, Type::Pointer(_)),
                    );
                }
                (Selector::Deref, Type::Pointer(pointer)) => {
                    ty = self.module.pointers[pointer].target;
                }
                _ => {}
            }
        }
        read_only
    }

    /// The subscripts of an array variable, in brackets.
    fn subscripts(&mut self, id: VarId, subscripts: &[ExprId]) -> String {
        let zero_based: Vec<Term> = subscripts
            .iter()
            .enumerate()
            .map(|(dim, &subscript)| self.zero_based(id, dim, subscript))
            .collect();
        self.bracketed(id, zero_based)
    }

    /// A subscript counted from zero.
    pub fn zero_based(&mut self, id: VarId, dim: usize, subscript: ExprId) -> Term {
        match self.procedure.variables[id].shape.get(dim) {
            Some(dim) => self.difference(subscript, dim.lower),
            None => self.index(subscript),
        }
    }

    /// Subscripts from zero, fastest first, in brackets.
    pub fn bracketed(&mut self, id: VarId, zero_based: Vec<Term>) -> String {
        if self.layout(id) == Layout::Nested {
            return zero_based
                .into_iter()
                .rev()
                .map(|term| format!("[{}]", tight(&term.text)))
                .collect();
        }
        let mut sum = Vec::new();
        let mut strides = String::new();
        for (dim, term) in zero_based.into_iter().enumerate() {
            if dim == 0 {
                sum.push(term.at_least(rank::ADD));
            } else {
                let extent = self.extent(id, dim - 1).at_least(rank::UNARY);
                strides = if strides.is_empty() {
                    format!("(long){extent}")
                } else {
                    format!("{strides}*{extent}")
                };
                let factor = term.at_least(rank::UNARY);
                sum.push(format!("{strides}*{factor}"));
            }
        }
        format!("[{}]", tight(&sum.join(" + ")))
    }

    /// The address of a place.
    pub fn address(&mut self, access: &Access) -> String {
        let variable = &self.procedure.variables[access.var];
        if access.path.is_empty() && (variable.is_array() || self.is_by_reference(access.var)) {
            return self.name(access.var);
        }
        let place = self.place(access);
        // An array that is a member stands for the address of its first element.
        let is_row = matches!(access.path.last(), Some(Selector::Field(_)))
            && place_of(self.module, self.procedure, access).is_ok_and(|place| place.rank == 1);
        if is_row {
            return place.text;
        }
        match place.text.strip_prefix('*') {
            Some(pointer) if place.rank == rank::DEREFERENCE => pointer.to_owned(),
            _ => format!("&{}", place.text),
        }
    }

    /// The parameter that holds the extent of an assumed-shape array. A shadow has the extents of
    /// what it shadows.
    pub fn extent_argument(&mut self, id: VarId, dim: usize) -> String {
        let mut owner = id;
        if let Role::Shadow { of } = self.procedure.variables[id].role
            && self.procedure.variables[of].is_argument()
        {
            owner = of;
        }
        format!("{}_n{}", self.names[owner.index()], dim + 1)
    }
}
