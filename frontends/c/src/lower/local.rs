//! Declarations in blocks, and initial values.

use super::{Body, Known, Lowered, Place, Representation, Value};
use crate::cst::{Declaration, InitDeclarator, Initializer, Node};
use crate::declare::{ArrayExtent, CType, Declared, Specified, Symbol, spelled};
use contraflow_ir::{Access, Stmt, Storage, Type, VarId, Variable};

impl<'u, 'a> Body<'u, 'a> {
    /// A declaration in a block.
    pub fn local_declaration(&mut self, node: &'a Node<Declaration>) {
        let outer = self.span;
        let here = self.unit.span(node.span);
        if here.is_some() {
            self.span = here;
        }
        let specified = self.unit.specified_in(&node.node.specifiers, node.span);
        for init in &node.node.declarators {
            let emitted = self.block.len();
            let mut specified = specified.clone();
            if let Some(ty) = self.declared_type(&node.node, &init.node) {
                specified.spelling = self.unit.spelling_of(&ty).unwrap_or_default();
                specified.ty = ty;
            }
            if let Err(why) = self.declarator(init, &specified) {
                self.block.truncate(emitted);
                self.undeclarable(init, &specified, why);
            }
        }
        self.span = outer;
    }

    fn declarator(
        &mut self,
        init: &'a Node<InitDeclarator>,
        specified: &Specified<'a>,
    ) -> Lowered<()> {
        let declarator = &init.node.declarator.node;
        let declared = self
            .unit
            .declared(declarator, specified.ty.clone(), specified.is_const);
        let initializer = init.node.initializer.as_ref();
        if specified.is_typedef {
            self.unit.declare_typedef(declared.name, declared.ty);
            return Ok(());
        }
        if let CType::Function(ty) = &declared.ty {
            let ty = ty.clone();
            let index =
                self.unit
                    .declare_function(declared.name, ty, &declared, specified.is_static);
            self.unit.declare(declared.name, Symbol::Function(index));
            return Ok(());
        }
        if specified.is_extern {
            let name = declared.name;
            let index = self.unit.declare_global(declared, specified, None);
            self.unit.declare(name, Symbol::Global(index));
            return Ok(());
        }
        let specified = &Specified {
            spelling: self
                .unit
                .name_by_variable((declared.name, &declared.ty), &specified.spelling)
                .unwrap_or_default(),
            ..specified.clone()
        };
        let here = self.unit.span(init.span);
        if here.is_some() {
            self.span = here;
        }
        if declared.ty.is_function_pointer()
            && !self.facts.may_write(declared.name)
            && let Some(Initializer::Expression(value)) = initializer.map(|init| &init.node)
            && let Ok(Value::Function(index)) = self.value(value)
        {
            self.unit.declare(declared.name, Symbol::Function(index));
            return Ok(());
        }
        if specified.is_static && !(declared.is_const && initializer.is_some()) {
            return self.saved(&declared, specified, initializer);
        }
        if declared.ty.is_pointer() && !declared.ty.is_function_pointer() {
            let span = self.unit.span(declared.span);
            return self.local_pointer(
                declared.name,
                declared.ty,
                &specified.spelling,
                span,
                initializer,
            );
        }
        let var = self.plain(&declared, specified, initializer)?;
        match initializer {
            Some(initializer) => {
                let ty = self.known[var.index()].ty.clone();
                self.initialise(Place::whole(var, ty), &initializer.node)
            }
            None => Ok(()),
        }
    }

    /// A local that is declared as it is.
    fn plain(
        &mut self,
        declared: &Declared<'a>,
        specified: &Specified<'a>,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<VarId> {
        let mut ty = declared.ty.clone();
        if let (
            CType::Array {
                element,
                extent: ArrayExtent::Unknown,
            },
            Some(initializer),
        ) = (&ty, initializer)
            && let Some(count) = self.unit.initializer_length(&initializer.node)
        {
            ty = CType::Array {
                element: element.clone(),
                extent: ArrayExtent::Constant(count),
            };
        }
        if let (CType::Scalar(scalar), false) = (&ty, specified.is_static)
            && let Some(var) = self.ended_scalar(declared.name, *scalar, &specified.spelling)
        {
            self.unit.declare(declared.name, Symbol::Local(var));
            return Ok(var);
        }
        let var = self.local_variable(declared.name, declared.name, ty, Representation::Plain)?;
        let span = self.unit.span(declared.span);
        let variable = &mut self.procedure.variables[var];
        variable.span = span;
        variable.spelling = spelled(&specified.spelling);
        self.unit.declare(declared.name, Symbol::Local(var));
        Ok(var)
    }

    /// A `static` in a block. Initial values of arrays and records are set at the first call.
    fn saved(
        &mut self,
        declared: &Declared<'a>,
        specified: &Specified<'a>,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<()> {
        let var = self.plain(declared, specified, initializer)?;
        self.procedure.variables[var].storage = Storage::Saved;
        let Some(initializer) = initializer else {
            return Ok(());
        };
        let ty = self.known[var.index()].ty.clone();
        if let (CType::Scalar(scalar), Initializer::Expression(value)) = (&ty, &initializer.node) {
            let (emitted, value) = self.in_block(|body| body.scalar_as(value, *scalar));
            if emitted.is_empty() {
                self.procedure.variables[var].initial = Some(value?);
                return Ok(());
            }
        }
        let flag = self.temporary(&format!("{}_is_set", declared.name), Type::LOGICAL);
        self.procedure.variables[flag].storage = Storage::Saved;
        let unset = self.builder().logical(false);
        self.procedure.variables[flag].initial = Some(unset);
        let (then, done) = self.in_block(|body| {
            let set = body.builder().logical(true);
            body.assign(Access::whole(flag), set);
            body.initialise(Place::whole(var, ty), &initializer.node)
        });
        done?;
        let is_set = self.load(flag);
        let condition = self.not(is_set);
        self.emit(Stmt::If {
            condition,
            then,
            otherwise: Vec::new(),
        });
        Ok(())
    }

    /// A variable whose declaration could not be taken apart: known, but touched by quoted text
    /// only.
    fn undeclarable(
        &mut self,
        init: &'a Node<InitDeclarator>,
        specified: &Specified<'a>,
        why: super::Unsupported,
    ) {
        let declarator = &init.node.declarator.node;
        let declared = self
            .unit
            .declared(declarator, specified.ty.clone(), specified.is_const);
        let known = match self.unit.lookup(declared.name) {
            Some(&Symbol::Local(var)) => {
                let source_name = self.known[var.index()].source_name;
                (source_name == declared.name && self.unit.is_declared_here(declared.name))
                    .then_some(var)
            }
            _ => None,
        };
        let var = known.unwrap_or_else(|| {
            let unique = self.unique_name(declared.name);
            let ty = self.unit.ir_type(&declared.ty);
            let mut variable = Variable::scalar(unique, ty);
            variable.span = self.unit.span(declared.span);
            variable.spelling = spelled(&specified.spelling);
            // Its type is not to be relied on: all that uses it is quoted. Of an address without a
            // type, or of something of the system's, nothing is used but itself.
            let is_systems = match declared.ty.target() {
                Some(CType::Record(record)) => !self.unit.records[*record].span.is_some(),
                _ => false,
            };
            let ty = match ty {
                Type::Address => declared.ty.clone(),
                Type::Pointer(_) if is_systems => declared.ty.clone(),
                _ => CType::Unknown,
            };
            let known = Known {
                ty,
                representation: Representation::Plain,
                source_name: declared.name,
            };
            let var = self.add_variable(variable, known);
            self.unit.declare(declared.name, Symbol::Local(var));
            var
        });
        if let Some(initializer) = &init.node.initializer {
            let name = self.procedure.variables[var].name.clone();
            let value = match &initializer.node {
                Initializer::Expression(value) => value.span,
                Initializer::List(_) => initializer.span,
            };
            let text = format!("{name} = {};", self.text(value));
            let mut facts = super::Facts::default();
            crate::cst::visit::Visit::visit_initializer(
                &mut facts,
                &initializer.node,
                &initializer.span,
            );
            self.quote_initializer(&facts, text, var);
            self.warn(why);
        }
    }

    /// Adds a local variable.
    pub fn local_variable(
        &mut self,
        wanted: &str,
        source_name: &'a str,
        ty: CType<'a>,
        representation: Representation<'a>,
    ) -> Lowered<VarId> {
        let element = match ty.is_array() {
            true => self.unit.ir_type(ty.element()),
            false => self.unit.ir_type(&ty),
        };
        if element == Type::Unknown {
            return self.unsupported("a variable of a type that is not understood");
        }
        let shape = self.fixed_extents(wanted, &ty)?;
        let name = self.unique_name(wanted);
        let mut variable = Variable::scalar(name, element);
        variable.span = self.span;
        variable.shape = shape;
        if let (Type::Procedure, Some(function)) = (element, ty.function()) {
            variable.interface = Some(self.interface_of(wanted, function));
        }
        let known = Known {
            ty,
            representation,
            source_name,
        };
        Ok(self.add_variable(variable, known))
    }

    /// The shape of a local array; lengths that may change later are kept.
    fn fixed_extents(&mut self, wanted: &str, ty: &CType<'a>) -> Lowered<Vec<contraflow_ir::Dim>> {
        let mut shape = self.shape(ty)?;
        for dim in &mut shape {
            if let contraflow_ir::Extent::Count(count) = dim.extent {
                let changes = {
                    let reads = self.procedure.reads_of_expr(count);
                    reads.iter().any(|access| {
                        let known = &self.known[access.var.index()];
                        let fixed = access.path.is_empty()
                            && !self.facts.may_write(known.source_name)
                            && self.procedure.variables[access.var].is_argument();
                        !fixed
                    })
                };
                if changes {
                    let kept = self.keep(&format!("{wanted}_extent"), count);
                    dim.extent = contraflow_ir::Extent::Count(kept);
                }
            }
        }
        Ok(shape)
    }
}
