//! How a pointer of C stands in the IR: as an array, as an offset into one, as the name of a fixed
//! address, or as a value of its own.

use super::facts::{Source, allocator};
use super::library::input_or_output;
use super::{Body, Known, Lowered, Pointer, Representation, Value};
use crate::cst::{Expression, Initializer, Node};
use crate::declare::{CType, Symbol};
use contraflow_ir::{
    Access, Aliasing, Allocation, Dim, ExprId, Extent, Span, Stmt, Type, VarId, Variable,
};

/// What a local pointer is.
enum Plan<'a> {
    /// Another name for a fixed address.
    Alias,
    /// Its memory is allocated here.
    Allocated,
    /// It walks over the array of this name.
    Walks(&'a str),
    /// It names a file.
    Unknown,
    /// Anything else.
    Value,
}

impl<'u, 'a> Body<'u, 'a> {
    /// Declares a local pointer.
    pub fn local_pointer(
        &mut self,
        name: &'a str,
        ty: CType<'a>,
        spelling: &str,
        span: Span,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<()> {
        let value = match initializer.map(|init| &init.node) {
            Some(Initializer::Expression(value)) => Some(&**value),
            Some(Initializer::List(_)) => {
                return self.unsupported("a list as a pointer's initial value");
            }
            None => None,
        };
        match self.plan(name, &ty, value) {
            Plan::Alias => {
                if let Some(value) = value {
                    return self.alias(name, &ty, value);
                }
                Ok(())
            }
            Plan::Allocated => {
                let emitted = self.block.len();
                let done = self.allocated(name, ty.clone(), spelling, span, value);
                match (done, value) {
                    (Err(_), Some(value)) => {
                        // How many elements the memory has is not clear.
                        self.block.truncate(emitted);
                        let var =
                            self.local_variable(name, name, ty.clone(), Representation::Plain)?;
                        self.procedure.variables[var].spelling = crate::declare::spelled(spelling);
                        self.unit.declare(name, Symbol::Local(var));
                        let value = self.value(value)?;
                        self.store(super::Place::whole(var, ty), value)
                    }
                    (done, _) => done,
                }
            }
            Plan::Walks(root) => self.walking(name, ty, span, root, value),
            Plan::Unknown => self.unsupported("a pointer to a file"),
            Plan::Value => {
                let var = self.local_variable(name, name, ty.clone(), Representation::Plain)?;
                self.procedure.variables[var].spelling = crate::declare::spelled(spelling);
                self.procedure.variables[var].span = span;
                self.unit.declare(name, Symbol::Local(var));
                self.make_room(name, var);
                let grows = self.rooms.contains_key(&var);
                if !grows
                    && let Some(call) = value.and_then(allocator)
                    && self.allocate_at(super::Place::whole(var, ty.clone()), call)?
                {
                    return Ok(());
                }
                match value {
                    Some(value) if grows => self.assign_growing(var, &ty, value),
                    Some(Node {
                        node: Expression::Conditional(choice),
                        ..
                    }) => self.store_choice(super::Place::whole(var, ty), &choice.node),
                    Some(value) => {
                        let value = self.value(value)?;
                        self.store(super::Place::whole(var, ty), value)
                    }
                    None => Ok(()),
                }
            }
        }
    }

    fn plan(&self, name: &'a str, ty: &CType<'a>, value: Option<&'a Node<Expression>>) -> Plan<'a> {
        let typed = !matches!(ty.target(), Some(CType::Void | CType::Unknown) | None);
        if self.facts.address_taken.contains(name) || !typed {
            return Plan::Value;
        }
        let sources = self.facts.sources.get(name).map_or(&[][..], Vec::as_slice);
        let mut gives = sources.iter().filter_map(|source| match source {
            Source::Call(name) => Some(*name),
            _ => None,
        });
        if self.facts.grows(name) {
            return Plan::Value;
        }
        let is_file = |name: &str| !self.is_users(name) && input_or_output(name).is_some();
        if gives.clone().any(is_file) {
            return Plan::Unknown;
        }
        if gives.next().is_some() {
            return Plan::Value;
        }
        let fixed = self.facts.writes_of(name) == 0;
        if let (Some(value), true) = (value, fixed) {
            return match allocator(value) {
                Some(_) => Plan::Allocated,
                None if matches!(value.node, Expression::Conditional(_) | Expression::Call(_)) => {
                    Plan::Value
                }
                None => Plan::Alias,
            };
        }
        let steps =
            self.facts.writes_of(name) as usize + usize::from(value.is_some()) > sources.len();
        if !sources.is_empty()
            && !steps
            && sources.contains(&Source::Allocation)
            && sources
                .iter()
                .all(|source| matches!(source, Source::Allocation | Source::Null))
        {
            return Plan::Allocated;
        }
        let mut root = None;
        for source in sources {
            match source {
                Source::Root(other) if *other == name => {}
                Source::Root(other) if root.is_none_or(|root| root == *other) => {
                    root = Some(*other);
                }
                _ => return Plan::Value,
            }
        }
        match root {
            Some(root) if self.is_walkable(root, ty) => Plan::Walks(root),
            _ => Plan::Value,
        }
    }

    /// Whether a name is a one-dimensional array that a pointer of type `ty` can walk over.
    fn is_walkable(&self, root: &str, ty: &CType<'a>) -> bool {
        let var = match self.unit.lookup(root) {
            Some(&Symbol::Local(var)) => var,
            Some(&Symbol::Global(index)) => {
                let global = &self.unit.globals[index].ty;
                return global.is_array() && walks_alike(global.target(), ty.target());
            }
            _ => return false,
        };
        let known = &self.known[var.index()];
        let is_array = match known.representation {
            Representation::Plain => known.ty.is_array(),
            Representation::Array => {
                let sources = self.facts.sources.get(root).map_or(0, Vec::len);
                self.procedure.variables[var].allocation == Allocation::Fixed || sources <= 1
            }
            Representation::Offset { .. } => false,
        };
        is_array && walks_alike(known.ty.target(), ty.target())
    }

    /// `double *p = a + n;`, never set again: `p` is a name for that address.
    fn alias(&mut self, name: &'a str, ty: &CType<'a>, value: &'a Node<Expression>) -> Lowered<()> {
        let pointer = match self.value(value)? {
            Value::Pointer(pointer) => pointer,
            value => {
                let var = self.local_variable(name, name, ty.clone(), Representation::Plain)?;
                self.unit.declare(name, Symbol::Local(var));
                return self.store(super::Place::whole(var, ty.clone()), value);
            }
        };
        let compatible = ty.target().is_some_and(|target| {
            self.unit.ir_type(target.element()) == self.unit.ir_type(pointer.target.element())
                && target.extents().len() == pointer.target.extents().len()
        });
        if !compatible {
            let target = ty.target().cloned().unwrap_or(CType::Unknown);
            let Value::Pointer(pointer) = self.pointer_cast(target, pointer)? else {
                return self.unsupported("an array seen as one of another type");
            };
            return self.alias_to(name, ty, pointer);
        }
        self.alias_to(name, ty, pointer)
    }

    fn alias_to(&mut self, name: &'a str, ty: &CType<'a>, pointer: Pointer<'a>) -> Lowered<()> {
        if self.through_changing_pointer(&pointer.access) {
            let var = self.local_variable(name, name, ty.clone(), Representation::Plain)?;
            self.unit.declare(name, Symbol::Local(var));
            return self.store(
                super::Place::whole(var, ty.clone()),
                Value::Pointer(pointer),
            );
        }
        let frozen = self.frozen(name, pointer);
        self.aliases.push(frozen);
        self.alias_types.push(ty.clone());
        let index = self.aliases.len() - 1;
        self.unit.declare(name, Symbol::Alias(index));
        Ok(())
    }

    /// Whether a path leads through a pointer that may be set to something else.
    fn through_changing_pointer(&self, access: &Access) -> bool {
        let leads_through = access.path.contains(&contraflow_ir::Selector::Deref);
        let known = &self.known[access.var.index()];
        let reset = matches!(known.representation, Representation::Array)
            && self.procedure.variables[access.var].allocation != Allocation::Fixed
            && self.facts.writes_of(known.source_name) > 1;
        leads_through || reset
    }

    /// The address with subscripts that do not change any more.
    fn frozen(&mut self, name: &str, pointer: Pointer<'a>) -> Pointer<'a> {
        let Pointer {
            access,
            pending,
            offset,
            target,
            single,
        } = pointer;
        let wanted = format!("{name}_at");
        let access = {
            let expressions: Vec<ExprId> = access.expressions().collect();
            let kept: Vec<ExprId> = expressions
                .iter()
                .map(|&e| self.stable(&wanted, e))
                .collect();
            let mut kept = kept.into_iter();
            access.map(|e| kept.next().unwrap_or(e))
        };
        let pending = pending
            .into_iter()
            .map(|e| self.stable(&wanted, e))
            .collect();
        let offset = offset.map(|e| self.stable(&wanted, e));
        Pointer {
            access,
            pending,
            offset,
            target,
            single,
        }
    }

    /// `e`, or a temporary that keeps its value if what it reads may change.
    fn stable(&mut self, wanted: &str, e: ExprId) -> ExprId {
        let reads = self.procedure.reads_of_expr(e);
        let changes = reads.iter().any(|access| {
            let variable = &self.procedure.variables[access.var];
            let name = self.known[access.var.index()].source_name;
            let is_plain_local = access.path.is_empty()
                && !matches!(variable.storage, contraflow_ir::Storage::Global(_));
            !is_plain_local
                || (!name.is_empty() && self.written_in_block(name))
                || self.facts.address_taken.contains(name)
        });
        if changes { self.keep(wanted, e) } else { e }
    }

    /// Whether a name is written in the innermost block.
    fn written_in_block(&self, name: &str) -> bool {
        if self.facts.writes_of(name) == 0 {
            return false;
        }
        match self.blocks.last() {
            Some(items) => super::Facts::of_items(items).may_write(name),
            None => true,
        }
    }

    fn allocated(
        &mut self,
        name: &'a str,
        ty: CType<'a>,
        spelling: &str,
        span: Span,
        value: Option<&'a Node<Expression>>,
    ) -> Lowered<()> {
        let lower = self.int(0);
        let mut shape = match ty.target() {
            Some(target) => self.shape(&target.clone())?,
            None => Vec::new(),
        };
        shape.push(Dim {
            lower,
            extent: Extent::Deferred,
        });
        let unique = self.unique_name(name);
        let element = match ty.target() {
            Some(target) => self.unit.ir_type(&target.clone()),
            None => Type::Unknown,
        };
        let mut variable = Variable::scalar(unique, element);
        variable.span = span;
        variable.shape = shape;
        variable.spelling = crate::declare::spelled(spelling);
        variable.allocation = Allocation::Pointer;
        variable.aliasing = Aliasing::None;
        let known = Known {
            ty: ty.clone(),
            representation: Representation::Array,
            source_name: name,
        };
        let var = self.add_variable(variable, known);
        self.unit.declare(name, Symbol::Local(var));
        match value.and_then(allocator) {
            Some(call) => self.allocate(Access::whole(var), &ty, call),
            None => {
                if value.is_some() {
                    self.emit(Stmt::PointerAssign {
                        target: Access::whole(var),
                        value: None,
                        is_pointer: false,
                        offset: None,
                        bounds: Vec::new(),
                    });
                }
                Ok(())
            }
        }
    }

    fn walking(
        &mut self,
        name: &'a str,
        ty: CType<'a>,
        span: Span,
        root: &'a str,
        value: Option<&'a Node<Expression>>,
    ) -> Lowered<()> {
        let root = match self.unit.lookup(root) {
            Some(&Symbol::Local(root)) => root,
            Some(&Symbol::Global(index)) => self.global_variable(index)?,
            _ => return self.unsupported("a pointer that walks over something unknown"),
        };
        let Some(target) = ty.target().cloned() else {
            return self.unsupported("a pointer without a target");
        };
        let base = Pointer::to_first(Access::whole(root), target);
        let from = match value {
            Some(value) => Some(self.offset_from(&base, value)?),
            None => None,
        };
        let offset = self.offset_variable(name, ty, base);
        self.procedure.variables[offset].span = span;
        if let Some(from) = from {
            let from = self.convert(from, Type::INT);
            self.assign(Access::whole(offset), from);
        }
        self.unit.declare(name, Symbol::Local(offset));
        Ok(())
    }

    /// The integer that stands for a pointer which walks over `base`.
    fn offset_variable(&mut self, name: &'a str, ty: CType<'a>, base: Pointer<'a>) -> VarId {
        let offset = VarId::from_index(self.procedure.variables.len());
        let variable = Variable::scalar(self.unique_name(&format!("{name}_at")), Type::INT);
        self.add_variable(
            variable,
            Known {
                ty,
                representation: Representation::Offset { base, offset },
                source_name: name,
            },
        )
    }

    /// A pointer parameter that is stepped over its own array.
    pub fn walking_parameter(&mut self, var: VarId, name: &'a str) {
        let known = self.known[var.index()].clone();
        let Some(target) = known.ty.target().cloned() else {
            return;
        };
        let base = Pointer::to_first(Access::whole(var), target);
        let offset = self.offset_variable(name, known.ty, base);
        let zero = self.int(0);
        self.assign(Access::whole(offset), zero);
        self.unit.declare(name, Symbol::Local(offset));
    }

    /// Whether a pointer parameter always points to what it pointed to at entry.
    pub fn parameter_is_fixed(&self, name: &str) -> bool {
        !self.facts.may_write(name)
    }

    /// Whether a pointer parameter is only moved over its own array.
    pub fn parameter_walks(&self, name: &str) -> bool {
        !self.facts.address_taken.contains(name)
            && self
                .facts
                .sources
                .get(name)
                .is_none_or(|sources| sources.iter().all(|source| *source == Source::Root(name)))
    }
}

/// Whether a pointer to one thing can walk over an array of another: both are numbers, or structs.
fn walks_alike(one: Option<&CType<'_>>, other: Option<&CType<'_>>) -> bool {
    match (one, other) {
        (Some(CType::Scalar(a)), Some(CType::Scalar(b))) => a == b,
        (Some(CType::Record(a)), Some(CType::Record(b))) => a == b,
        _ => false,
    }
}
