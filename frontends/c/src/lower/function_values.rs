//! Functions as values: their names, and what pointers to them hold.

use super::{Body, Known, Lowered, Place, Representation};
use crate::declare::{CType, Unit};
use contraflow_ir::{Access, Procedure, Stmt, Storage, Type, VarId, Variable};

impl<'u, 'a> Body<'u, 'a> {
    /// The constant that stands for a function of the unit where its address is a value.
    pub fn named_function(&mut self, index: usize) -> VarId {
        let id = self.procedure_of(index);
        if let Some(known) = self.procedure.name_of_procedure(id) {
            return known;
        }
        let function = &self.unit.functions[index];
        let ty = CType::Function(function.ty.clone());
        let name = function.name;
        let name = self.unique_name(name);
        let mut variable = Variable::scalar(name, Type::Procedure);
        variable.span = self.span;
        variable.storage = Storage::Constant {
            value: None,
            global: None,
        };
        variable.interface = Some(id);
        self.add_variable(
            variable,
            Known {
                ty,
                representation: Representation::Plain,
                source_name: "",
            },
        )
    }

    /// The variable that is called where a pointer to functions is: itself, or one that holds what a member,
    /// an element or a global holds now.
    pub fn held_function(&mut self, access: Access, ty: CType<'a>) -> Lowered<VarId> {
        let variable = &self.procedure.variables[access.var];
        let is_own = !matches!(variable.storage, Storage::Global(_)) && !variable.is_array();
        if access.path.is_empty() && is_own && variable.interface.is_some() {
            return Ok(access.var);
        }
        let var = self.local_variable("called", "", ty, Representation::Plain)?;
        self.emit(Stmt::PointerAssign {
            target: Access::whole(var),
            value: Some(access),
            is_pointer: true,
            offset: None,
            bounds: Vec::new(),
        });
        Ok(var)
    }
}

/// Lets the pointers to functions in variables at file scope point to what their initial values say, in a
/// procedure without a body: who asks where a pointer may lead looks there.
pub(crate) fn functions_of_unit(unit: &mut Unit<'_>) {
    let wanted: Vec<usize> = (0..unit.globals.len())
        .filter(|&index| {
            let global = &unit.globals[index];
            global.id.is_some()
                && global.initializer.is_some()
                && holds_functions(unit, &global.ty, 0)
        })
        .collect();
    if wanted.is_empty() {
        return;
    }
    let container = &unit.module.containers[unit.container];
    let procedure = Procedure::new(format!("{}%functions", container.name));
    let span = container.span;
    unit.enter();
    let mut body = Body::new(unit, procedure, super::Facts::default());
    body.procedure.scalars_by_value = true;
    body.procedure.has_body = false;
    body.procedure.is_private = true;
    body.procedure.home.file = span.file;
    body.procedure.home.span = span;
    body.procedure.home.container = Some(body.unit.container);
    for index in wanted {
        let (ty, initializer) = {
            let global = &body.unit.globals[index];
            (global.ty.clone(), global.initializer)
        };
        if let (Ok(var), Some(initializer)) = (body.global_variable(index), initializer) {
            let place = Place::whole(var, ty);
            // What is not understood points nowhere that is known.
            let (emitted, _) = body.in_block(|body| body.initialise(place, initializer));
            let procedure = &body.procedure;
            let named = emitted
                .into_iter()
                .filter(|&stmt| match procedure.stmt(stmt) {
                    Stmt::PointerAssign {
                        value: Some(value), ..
                    } => procedure.variables[value.var].named_procedure().is_some(),
                    _ => false,
                });
            body.block.extend(named.collect::<Vec<_>>());
        }
    }
    body.procedure.body = std::mem::take(&mut body.block);
    let procedure = body.procedure;
    unit.leave();
    unit.module.procedures.add(procedure);
}

/// Whether something of a type holds pointers to functions.
fn holds_functions(unit: &Unit<'_>, ty: &CType<'_>, depth: u32) -> bool {
    const DEEP: u32 = 12;
    match ty {
        CType::Array { element, .. } => holds_functions(unit, element, depth),
        CType::Record(record) => unit.records.get(*record).is_some_and(|record| {
            let mut fields = record.fields.iter();
            depth < DEEP && fields.any(|field| holds_functions(unit, &field.ty, depth + 1))
        }),
        ty => ty.is_function_pointer(),
    }
}
