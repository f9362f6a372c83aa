//! Variables of an EQUIVALENCE in memory that outlives the call become elements of the variable whose
//! memory it is, where they have its type: what is kept between calls is then one variable.
//!
//! `b` of `real a(4), b; equivalence (a(2), b)` is `a(2)`, and `c(i)` that begins there `a(i + 1)`. A whole
//! array is the section of it, or starts at its first element where it is passed. Where a variable is
//! named in quoted text, or would leave the memory, the EQUIVALENCE stays.

use contraflow_ir::{
    Access, Allocation, Argument, Builder, Callee, Expr, ExprId, Extent, Module, Procedure,
    ProcedureId, Selector, Stmt, Storage, VarId,
};

use crate::request::Request;
use crate::state::constant::integer;

/// The module in which such variables are no longer named, but for those that the user names.
pub fn merge(module: &Module, request: &Request) -> Module {
    let mut merged = module.clone();
    for id in module.procedures.ids() {
        let procedure = &module.procedures[id];
        for var in procedure.variables.ids() {
            let is_asked = id == request.head
                && (request.independents.contains(&var) || request.dependents.contains(&var));
            if !is_asked
                && let Some(window) = Window::of(module, procedure, var)
                && window.can_be_renamed(module, id)
            {
                window.rename(module, &mut merged.procedures[id]);
            }
        }
    }
    merged
}

/// A variable as a part of another one.
struct Window {
    var: VarId,
    base: VarId,
    /// The smallest subscript of the base, and the element where the variable starts, from 0.
    lower: i64,
    start: i64,
    /// Smallest subscript and stride of each dimension, and the number of elements.
    dims: Vec<(i64, i64)>,
    count: i64,
}

impl Window {
    fn of(module: &Module, procedure: &Procedure, var: VarId) -> Option<Window> {
        let variable = &procedure.variables[var];
        let Storage::Overlay { base, offset } = variable.storage else {
            return None;
        };
        let owner = &procedure.variables[base];
        let is_kept = matches!(owner.storage, Storage::Saved | Storage::Global(_));
        let is_plain = owner.ty == variable.ty
            && owner.allocation == Allocation::Fixed
            && variable.allocation == Allocation::Fixed
            && variable.initial.is_none()
            && variable.values.is_empty();
        let [dim] = owner.shape.as_slice() else {
            return None;
        };
        let Extent::Count(total) = dim.extent else {
            return None;
        };
        if !is_kept || !is_plain {
            return None;
        }
        let size = i64::try_from(module.bytes_of(owner.ty)?).ok()?;
        let mut dims = Vec::new();
        let mut count = 1i64;
        for dim in &variable.shape {
            let Extent::Count(extent) = dim.extent else {
                return None;
            };
            dims.push((integer(procedure, dim.lower)?, count));
            count = count.checked_mul(integer(procedure, extent)?)?;
        }
        let window = Window {
            var,
            base,
            lower: integer(procedure, dim.lower)?,
            start: offset / size,
            dims,
            count,
        };
        let fits =
            offset % size == 0 && offset >= 0 && window.start + count <= integer(procedure, total)?;
        fits.then_some(window)
    }

    /// Whether all statements can name the base instead.
    fn can_be_renamed(&self, module: &Module, id: ProcedureId) -> bool {
        let procedure = &module.procedures[id];
        let is_it = |access: &Access| access.var == self.var;
        let plain = |access: &Access| {
            !is_it(access)
                || match access.path.as_slice() {
                    [] => self.dims.len() <= 1,
                    [Selector::Index(subscripts)] => {
                        let is_range =
                            |&e: &ExprId| matches!(procedure.expr(e), Expr::Range { .. });
                        subscripts.len() == self.dims.len()
                            && (self.dims.len() == 1 || !subscripts.iter().any(is_range))
                    }
                    _ => false,
                }
        };
        for (_, node) in procedure.stmts.iter() {
            let fits = match &node.stmt {
                Stmt::Opaque { reads, writes, .. } => !reads.iter().chain(writes).any(is_it),
                Stmt::Loop { variable, .. } => *variable != self.var,
                Stmt::PointerAssign { target, value, .. } => {
                    !is_it(target) && !value.iter().any(is_it)
                }
                Stmt::Allocate { target, .. } | Stmt::Free { target } => !is_it(target),
                Stmt::Call {
                    callee,
                    arguments,
                    result,
                } => {
                    result.iter().all(plain)
                        && arguments.iter().enumerate().all(|(position, argument)| {
                            self.can_be_passed(module, callee, position, argument)
                                || matches!(argument, Argument::Place(place) if plain(place))
                        })
                }
                Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => plain(target),
                Stmt::Copy { target, source } => plain(target) && plain(source),
                Stmt::Push { tape, .. } | Stmt::Pop { tape, .. } => *tape != self.var,
                _ => true,
            };
            if !fits {
                return false;
            }
        }
        procedure.exprs.iter().all(|(_, node)| match &node.expr {
            Expr::Load(access) => plain(access),
            Expr::Opaque { reads, .. } => !reads.iter().any(is_it),
            Expr::Bound { array, .. } => !is_it(array),
            Expr::Present(access) => !is_it(access),
            Expr::Associated { pointer, target } => !is_it(pointer) && !is_it(target),
            _ => true,
        })
    }

    /// Whether an argument is none of this variable, or all of it for an array that is told its bounds.
    fn can_be_passed(
        &self,
        module: &Module,
        callee: &Callee,
        position: usize,
        argument: &Argument,
    ) -> bool {
        match argument {
            Argument::Place(place) if place.var == self.var => {
                let Callee::Procedure(target) = callee else {
                    return false;
                };
                let target = &module.procedures[*target];
                let formal = target.arguments.get(position);
                let takes_memory = formal.is_some_and(|&formal| {
                    let shape = &target.variables[formal].shape;
                    let is_told =
                        |extent: Extent| matches!(extent, Extent::Count(_) | Extent::AssumedSize);
                    !shape.is_empty() && shape.iter().all(|dim| is_told(dim.extent))
                });
                place.path.is_empty() && takes_memory
            }
            Argument::Opaque { reads, .. } => reads.iter().all(|read| read.var != self.var),
            _ => true,
        }
    }

    fn rename(&self, module: &Module, procedure: &mut Procedure) {
        let exprs: Vec<ExprId> = procedure.exprs.ids().collect();
        for e in exprs {
            if let Expr::Load(access) = procedure.expr(e).clone()
                && access.var == self.var
            {
                let access = self.renamed(procedure, &access);
                procedure.exprs[e].expr = Expr::Load(access);
            }
        }
        let stmts: Vec<contraflow_ir::StmtId> = procedure.stmts.ids().collect();
        for stmt in stmts {
            let mut changed = procedure.stmt(stmt).clone();
            let mut places: Vec<&mut Access> = match &mut changed {
                Stmt::Assign { target, .. } | Stmt::Fill { target, .. } => vec![target],
                Stmt::Copy { target, source } => vec![target, source],
                Stmt::Call {
                    callee,
                    arguments,
                    result,
                } => {
                    let mut places: Vec<&mut Access> = result.iter_mut().collect();
                    for (position, argument) in arguments.iter_mut().enumerate() {
                        let by_memory = self.can_be_passed(module, callee, position, argument);
                        if let Argument::Place(place) = argument {
                            if by_memory && place.var == self.var {
                                let first =
                                    Builder::new(procedure).int((self.lower + self.start).into());
                                *place = Access::element(self.base, vec![first]);
                            } else {
                                places.push(place);
                            }
                        }
                    }
                    places
                }
                _ => Vec::new(),
            };
            for place in places.iter_mut().filter(|place| place.var == self.var) {
                **place = self.renamed(procedure, place);
            }
            procedure.stmts[stmt].stmt = changed;
        }
        procedure.variables[self.var].storage = Storage::Local;
    }

    /// The same place as one of the base.
    fn renamed(&self, procedure: &mut Procedure, access: &Access) -> Access {
        let first = self.lower + self.start;
        let mut b = Builder::new(procedure);
        let Some(subscripts) = access.subscripts().filter(|all| !all.is_empty()) else {
            let subscript = match self.dims.is_empty() {
                true => b.int(first.into()),
                false => {
                    let (lower, upper) =
                        (b.int(first.into()), b.int((first + self.count - 1).into()));
                    let ty = b.type_of(lower);
                    let range = Expr::Range {
                        lower: Some(lower),
                        upper: Some(upper),
                        step: None,
                    };
                    b.expr(range, ty)
                }
            };
            return Access::element(self.base, vec![subscript]);
        };
        let mut constant = first;
        let mut sum: Option<ExprId> = None;
        for (&subscript, &(lower, stride)) in subscripts.iter().zip(&self.dims) {
            if let Expr::Range { .. } = b.procedure.expr(subscript) {
                let range = self.moved_range(&mut b, subscript, first - lower);
                return Access::element(self.base, vec![range]);
            }
            constant -= lower * stride;
            let stride = b.int(stride.into());
            let term = b.mul(subscript, stride);
            sum = Some(match sum {
                Some(sum) => b.add(sum, term),
                None => term,
            });
        }
        let offset = b.int(constant.into());
        let subscript = match sum {
            Some(sum) => b.add(sum, offset),
            None => offset,
        };
        Access::element(self.base, vec![subscript])
    }

    fn moved_range(&self, b: &mut Builder<'_>, range: ExprId, by: i64) -> ExprId {
        let ty = b.type_of(range);
        let Expr::Range { lower, upper, step } = *b.procedure.expr(range) else {
            return range;
        };
        let first = self.lower + self.start;
        let mut end = |e: Option<ExprId>, whole: i64| match e {
            Some(e) => {
                let by = b.int(by.into());
                b.add(e, by)
            }
            None => b.int(whole.into()),
        };
        let (lower, upper) = (end(lower, first), end(upper, first + self.count - 1));
        let range = Expr::Range {
            lower: Some(lower),
            upper: Some(upper),
            step,
        };
        b.expr(range, ty)
    }
}
