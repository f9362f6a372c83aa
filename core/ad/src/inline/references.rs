//! What stands for arguments that are passed by reference: the places that are passed.
//!
//! Subscripts are what they are when the call begins. A place that goes through a pointer or an
//! allocatable, or that an argument which may be associated reaches too, has nothing that stands for it.

use contraflow_ir::{
    Access, Allocation, Argument, Dim, Expr, ExprId, Extent, Intent, Module, Passing, Procedure,
    Selector, Stmt, Storage, Type, VarId, Variable, place_of,
};

use super::copy::{Copying, Stand};

/// Whether a procedure lets a pointer among its arguments point to something.
pub fn associates_arguments(procedure: &Procedure) -> bool {
    let is_given = |access: &Access| {
        let variable = &procedure.variables[access.var];
        variable.is_argument() && access.path.is_empty()
    };
    let statements = procedure.all_statements();
    statements.iter().any(|&stmt| match procedure.stmt(stmt) {
        Stmt::PointerAssign { target, .. } => is_given(target),
        Stmt::Allocate { target, .. } => {
            let is_pointer = procedure.variables[target.var].allocation == Allocation::Pointer;
            is_pointer && procedure.gives == Some(target.var) && target.path.is_empty()
        }
        _ => false,
    })
}

/// Whether such a body can stand elsewhere under other names.
pub fn is_simple(module: &Module, procedure: &Procedure) -> bool {
    let is_constant = |extent: &Extent| matches!(extent, Extent::Count(e) if procedure.constant_integer(*e).is_some());
    let fits = procedure.variables.iter().all(|(_, variable)| {
        let is_plain = variable.length.is_none()
            && !matches!(
                variable.ty,
                Type::Procedure | Type::Address | Type::Unknown | Type::Character
            );
        is_plain
            && match variable.storage {
                Storage::Argument { .. } => {
                    !variable.optional && variable.passing == Passing::Reference
                }
                Storage::Local | Storage::Result => {
                    let has_own = variable.allocation == Allocation::Allocatable
                        || crate::allocation::holds_allocatables(module, variable.ty);
                    let is_fixed = variable.shape.iter().all(|dim| is_constant(&dim.extent));
                    !has_own && (is_fixed || variable.allocation == Allocation::Pointer)
                }
                Storage::Global(_) => variable.values.is_empty(),
                Storage::Constant { value, .. } => value.is_some() && variable.shape.is_empty(),
                Storage::Saved | Storage::Common { .. } | Storage::Overlay { .. } => false,
            }
    });
    procedure.has_body && procedure.labels.is_none() && fits
}

/// Whether what a Fortran procedure names is seen in another module: no private components or
/// variables, no variables of its own types.
pub fn is_public(module: &Module, source: &Procedure) -> bool {
    let names_private = source
        .variables
        .iter()
        .any(|(_, variable)| match variable.storage {
            Storage::Global(global) => module.globals[global].is_private,
            Storage::Local => matches!(variable.ty, Type::Record(_)),
            _ => false,
        });
    let mut hidden = false;
    let mut see = |access: &Access| {
        let mut ty = source.variables[access.var].ty;
        for selector in &access.path {
            if let (Selector::Field(position), Type::Record(record)) = (selector, ty) {
                let field = &module.records[record].fields[*position as usize];
                hidden |= field.is_private;
                ty = field.ty;
            }
        }
    };
    for (_, node) in source.exprs.iter() {
        match &node.expr {
            Expr::Load(access) | Expr::Present(access) => see(access),
            Expr::Bound { array, .. } => see(array),
            Expr::Associated { pointer, target } => {
                see(pointer);
                see(target);
            }
            _ => {}
        }
    }
    for stmt in source.all_statements() {
        places_of(source.stmt(stmt)).into_iter().for_each(&mut see);
    }
    !names_private && !hidden
}

/// The places that a statement names itself.
fn places_of(stmt: &Stmt) -> Vec<&Access> {
    match stmt {
        Stmt::Assign { target, .. }
        | Stmt::Fill { target, .. }
        | Stmt::Allocate { target, .. }
        | Stmt::Free { target } => vec![target],
        Stmt::Copy { target, source } => vec![target, source],
        Stmt::PointerAssign { target, value, .. } => {
            std::iter::once(target).chain(value.iter()).collect()
        }
        Stmt::Call {
            arguments, result, ..
        } => {
            let places = arguments.iter().filter_map(|argument| match argument {
                Argument::Place(place) => Some(place),
                _ => None,
            });
            places.chain(result.iter()).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether two of the arguments meet where one of them may be associated.
pub fn meet(out: &Procedure, source: &Procedure, arguments: &[Argument]) -> bool {
    let place = |argument: &Argument| match argument {
        Argument::Place(place) => Some(place.clone()),
        _ => None,
    };
    let places: Vec<Option<Access>> = arguments.iter().map(place).collect();
    let mut pairs = source.arguments.iter().zip(&places);
    pairs.any(|(&formal, place)| {
        let Some(place) = place else { return false };
        let moves = source.variables[formal].allocation != Allocation::Fixed;
        let is_pointer = out.variables[place.var].allocation != Allocation::Fixed;
        let named = |(_, variable): (VarId, &Variable)| match out.variables[place.var].storage {
            Storage::Global(global) => variable.storage == Storage::Global(global),
            _ => false,
        };
        let is_named = is_pointer && source.variables.iter().any(named);
        let others = places.iter().flatten().filter(|other| {
            let shared = other.path.len().min(place.path.len());
            other.var == place.var && other.path[..shared] == place.path[..shared]
        });
        is_named || moves && others.count() > 1
    })
}

/// What memory a place is.
fn allocation_of(types: &Module, out: &Procedure, place: &Access) -> Allocation {
    let variable = &out.variables[place.var];
    let (mut ty, mut allocation) = (variable.ty, variable.allocation);
    for selector in &place.path {
        match (selector, ty) {
            (Selector::Field(position), Type::Record(record)) => {
                let field = &types.records[record].fields[*position as usize];
                (ty, allocation) = (field.ty, field.allocation);
            }
            _ => allocation = Allocation::Fixed,
        }
    }
    allocation
}

impl Copying<'_> {
    /// What stands for an argument that is passed by reference.
    pub fn reference(&mut self, id: VarId, argument: &Argument) -> Option<Stand> {
        let formal = self.source.variables[id].clone();
        let place = match argument {
            Argument::Place(place) => place,
            Argument::Value(_)
                if formal.shape.is_empty() && formal.allocation == Allocation::Fixed =>
            {
                return self.value(&formal, argument);
            }
            _ => return None,
        };
        let found = place_of(self.types, self.out, place).ok()?;
        if found.rank != formal.rank() || self.goes_through_memory(place) {
            return None;
        }
        let allocation = allocation_of(self.types, self.out, place);
        if formal.allocation != Allocation::Fixed && allocation != formal.allocation {
            return None;
        }
        let mut place = self.at_entry(place);
        place.path.extend(self.way_to(found.ty, formal.ty)?);
        if formal.allocation != Allocation::Fixed || formal.shape.is_empty() {
            return Some(Stand::Object(place));
        }
        let is_assumed = formal.shape.iter().all(|dim| dim.extent == Extent::Assumed);
        let lowers = self.lowers(&formal.shape)?;
        if !is_assumed {
            return None;
        }
        if self.is_only_pointed_to(id) {
            return Some(Stand::Pointed(place, lowers));
        }
        (allocation == Allocation::Fixed && self.lowers_of(&place)? == lowers)
            .then_some(Stand::Object(place))
    }

    fn lowers(&self, shape: &[Dim]) -> Option<Vec<i64>> {
        let lowers = shape.iter();
        lowers
            .map(|dim| self.source.constant_integer(dim.lower))
            .collect()
    }

    /// The lower bounds of a whole array of fixed memory.
    fn lowers_of(&self, place: &Access) -> Option<Vec<i64>> {
        if place.path.is_empty() {
            let shape = &self.out.variables[place.var].shape;
            return shape
                .iter()
                .map(|dim| self.out.constant_integer(dim.lower))
                .collect();
        }
        let (Selector::Field(position), before) = place.path.split_last()? else {
            return None;
        };
        let holder = Access {
            var: place.var,
            path: before.to_vec(),
        };
        let Type::Record(record) = place_of(self.types, self.out, &holder).ok()?.ty else {
            return None;
        };
        let field = &self.types.records[record].fields[*position as usize];
        Some(field.shape.iter().map(|(lower, _)| *lower).collect())
    }

    /// Whether a pointer or an allocatable is on the way to a place.
    fn goes_through_memory(&self, place: &Access) -> bool {
        (0..place.path.len()).any(|length| {
            let part = Access {
                var: place.var,
                path: place.path[..length].to_vec(),
            };
            let is_element = matches!(place.path[length], Selector::Index(_));
            let is_own = length == 0 || is_element && length + 1 == place.path.len();
            !is_own && allocation_of(self.types, self.out, &part) != Allocation::Fixed
                || place.path[length] == Selector::Deref
        })
    }

    /// The components that lead from a record to the one that it extends.
    fn way_to(&self, from: Type, to: Type) -> Option<Vec<Selector>> {
        let (mut at, mut way) = (from, Vec::new());
        while at != to {
            let Type::Record(record) = at else {
                return None;
            };
            at = Type::Record(self.types.parent_of(record)?);
            way.push(Selector::Field(0));
        }
        Some(way)
    }

    /// A place with its subscripts as they are now.
    fn at_entry(&mut self, place: &Access) -> Access {
        let path = place
            .path
            .iter()
            .map(|selector| match selector {
                Selector::Index(subscripts) => {
                    Selector::Index(subscripts.iter().map(|&e| self.now(e)).collect())
                }
                other => other.clone(),
            })
            .collect();
        Access {
            var: place.var,
            path,
        }
    }

    fn now(&mut self, e: ExprId) -> ExprId {
        if self.out.constant_integer(e).is_some() {
            return e;
        }
        let node = self.out.exprs[e].clone();
        if let Expr::Range { lower, upper, step } = node.expr {
            let mut end = |e: Option<ExprId>| e.map(|e| self.now(e));
            let range = Expr::Range {
                lower: end(lower),
                upper: end(upper),
                step: end(step),
            };
            let mut node = node;
            node.expr = range;
            return self.out.exprs.add(node);
        }
        let local = self.local(&Variable::scalar("at", node.ty));
        let target = Access::whole(local);
        let span = self.span;
        self.emit(Stmt::Assign { target, value: e }, span);
        contraflow_ir::Builder::new(self.out).load(local)
    }

    /// Whether pointers are let point to all of an array argument, and nothing else is done with it.
    fn is_only_pointed_to(&self, formal: VarId) -> bool {
        let source = self.source;
        let is_named = |access: &Access| access.var == formal;
        let read = source.exprs.iter().any(|(_, node)| match &node.expr {
            Expr::Load(access) | Expr::Present(access) => is_named(access),
            Expr::Bound { array, .. } => is_named(array),
            Expr::Associated { pointer, target } => is_named(pointer) || is_named(target),
            _ => false,
        });
        let statements = source.all_statements();
        let other = statements.iter().any(|&stmt| match source.stmt(stmt) {
            Stmt::PointerAssign {
                value: Some(value),
                target,
                ..
            } => is_named(target) || is_named(value) && !value.path.is_empty(),
            stmt => places_of(stmt).into_iter().any(is_named),
        });
        !read && !other
    }

    /// What stands for a variable of a module, or for a constant.
    pub fn shared(&mut self, variable: &Variable) -> Option<Stand> {
        if let Storage::Constant { value, .. } = variable.storage {
            return Some(Stand::Value(self.expr(value?)?));
        }
        let mut copy = variable.clone();
        copy.initial = None;
        copy.shape = self.shape(&variable.shape.clone());
        if self.home == self.source.home.container {
            if self.out.variable_named(&variable.name).is_some() {
                return None;
            }
        } else {
            copy.imported = true;
            copy.name = crate::naming::unique(self.out, &variable.name);
        }
        copy.intent = Intent::Unspecified;
        Some(Stand::Variable(self.out.variables.add(copy)))
    }
}
