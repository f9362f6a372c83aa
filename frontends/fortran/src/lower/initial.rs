//! Values that variables have from their declaration: DATA statements, `SAVE` variables with a
//! value, named arrays of constants.
//!
//! A scalar keeps its value in [`contraflow_ir::Variable::initial`]. An array that the procedure
//! never writes is a table: it becomes a local that gets its values at entry, so that procedures
//! derived from this one have them too. An array with values that is written as well keeps a state
//! between calls that a derived procedure would start anew; its use is refused.

use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::Syntax;
use crate::declare::scope::{DataGroup, ExprRef, ScopeId, Symbol, What};
use crate::syntax::scan::{commas, in_name};
use crate::syntax::{DoControl, Kind};
use crate::view::Slice;
use contraflow_ir::{Access, ExprId, Intent, Span, Stmt, Storage, Type, VarId};
use std::collections::HashMap;

/// `name → (position in memory, value)`
pub(super) type Tables = HashMap<String, Vec<(usize, ExprRef)>>;

/// The longest table that is written out.
const LONGEST: usize = 5000;

impl Lowerer<'_> {
    /// Gives a variable the values of its declaration.
    pub(super) fn initialize(&mut self, var: VarId, symbol: &Symbol, key: &str) -> Fallible<()> {
        let storage = self.variable(var).storage;
        let is_table = matches!(
            storage,
            Storage::Saved | Storage::Constant { global: None, .. }
        );
        if !is_table || !self.at_home() {
            return Ok(());
        }
        if !self.variable(var).is_array() {
            return self.initial_scalar(var, symbol, key);
        }
        if symbol.init.is_none() && !symbol.has_data {
            return Ok(());
        }
        if storage == Storage::Saved && self.is_written(key) {
            return refuse(format!("`{key}` has initial values and is written too"));
        }
        self.procedure.variables[var].storage = Storage::Local;
        self.fill_table(var, symbol, key)
    }

    fn initial_scalar(&mut self, var: VarId, symbol: &Symbol, key: &str) -> Fallible<()> {
        if self.variable(var).storage != Storage::Saved {
            return Ok(());
        }
        let initial = if symbol.has_data {
            let value = self
                .tables()
                .get(key)
                .and_then(|values| values.first().cloned());
            let Some((_, value)) = value else {
                return refuse(format!("the initial value of `{key}` is not known"));
            };
            let ty = self.variable(var).ty;
            Some(self.data_value(&value, ty)?)
        } else {
            let scope = self.scope;
            self.constant_value(var, symbol, scope)
        };
        self.procedure.variables[var].initial = initial;
        Ok(())
    }

    fn data_value(&mut self, value: &ExprRef, ty: Type) -> Fallible<ExprId> {
        let scope = self.scope;
        let value = self.in_scope(scope, value)?;
        self.fitting(value, ty)
    }

    /// Emits the assignments that fill a table at entry.
    fn fill_table(&mut self, var: VarId, symbol: &Symbol, key: &str) -> Fallible<()> {
        let shape = self.program.fixed_shape(self.scope, &symbol.dims);
        let values = if symbol.has_data {
            self.tables().get(key).cloned().unwrap_or_default()
        } else {
            self.listed(symbol)?
        };
        if values.len() > LONGEST {
            return refuse(format!("`{key}` has too many values"));
        }
        let mut extents = Vec::new();
        for (position, (lower, extent)) in shape.iter().enumerate() {
            let implied = position == 0 && shape.len() == 1;
            match extent {
                Some(extent) => extents.push((*lower, *extent)),
                None if implied => extents.push((*lower, values.len() as i64)),
                None => return refuse(format!("the shape of `{key}` is not constant")),
            }
        }
        let ty = self.variable(var).ty;
        let span = std::mem::replace(&mut self.span, symbol.span.unwrap_or(Span::NONE));
        let result = self.table_assignments(var, ty, &values, &extents);
        self.span = span;
        result
    }

    fn table_assignments(
        &mut self,
        var: VarId,
        ty: Type,
        values: &[(usize, ExprRef)],
        extents: &[(i64, i64)],
    ) -> Fallible<()> {
        for (position, value) in values {
            let value = self.data_value(value, ty)?;
            let mut rest = *position as i64;
            let mut subscripts = Vec::new();
            for (lower, extent) in extents {
                if *extent <= 0 {
                    return refuse("a table without elements has values");
                }
                subscripts.push(self.int(i128::from(lower + rest % extent)));
                rest /= extent;
            }
            let target = Access::element(var, subscripts);
            let stmt = self.build().stmt(Stmt::Assign { target, value });
            self.entry.push(stmt);
        }
        Ok(())
    }

    /// The values of `[a, b, c]` or `reshape([a, b], …)`; one value for all elements.
    fn listed(&self, symbol: &Symbol) -> Fallible<Vec<(usize, ExprRef)>> {
        let Some(init) = &symbol.init else {
            return refuse("a table without values");
        };
        let tree = &init.tree;
        let mut node = init.node;
        if let Syntax::Apply(base, arguments) = tree.syntax(node)
            && tree.text(*base) == "reshape"
            && arguments.len() == 2
        {
            node = arguments[0];
        }
        let refer = |node| ExprRef {
            tree: tree.clone(),
            node,
        };
        match tree.syntax(node) {
            Syntax::Array(items, _) => {
                let is_plain = items.iter().all(|&item| {
                    matches!(
                        tree.syntax(item),
                        Syntax::Integer
                            | Syntax::Real
                            | Syntax::Text
                            | Syntax::Logical(_)
                            | Syntax::Unary(..)
                            | Syntax::Binary(..)
                            | Syntax::Complex(..)
                    ) || self.is_scalar_constant(tree.text(item))
                });
                if !is_plain {
                    return refuse("a table whose values are not listed one by one");
                }
                Ok(items.iter().map(|&item| refer(item)).enumerate().collect())
            }
            _ => {
                let shape = self.program.fixed_shape(self.scope, &symbol.dims);
                let mut count = 1usize;
                for (_, extent) in shape {
                    let extent = extent.and_then(|extent| usize::try_from(extent).ok());
                    match extent.and_then(|extent| count.checked_mul(extent)) {
                        Some(product) if product <= LONGEST => count = product,
                        _ => return refuse("a table whose size is not constant"),
                    }
                }
                Ok((0..count).map(|position| (position, refer(node))).collect())
            }
        }
    }

    fn is_scalar_constant(&self, name: &str) -> bool {
        self.program
            .find(self.scope, name)
            .is_some_and(|found| found.symbol.is_parameter && found.symbol.dims.is_empty())
    }

    /// Whether any statement of the procedure may write a variable.
    pub(super) fn is_written(&self, name: &str) -> bool {
        self.scope_writes(self.home, name, 0)
    }

    fn scope_writes(&self, scope: ScopeId, name: &str, depth: u32) -> bool {
        let file = self.program.file_of(scope);
        let (first, last) = self.program.scopes[scope].statements;
        depth > 6
            || (first..=last).any(|index| {
                let text = &file.statements[index].text;
                mentions(text, name)
                    && self.kind_may_write(scope, &file.kinds[index].kind, text, name, depth)
            })
    }

    /// Whether a statement that names a variable may write it. Expressions only read.
    fn kind_may_write(
        &self,
        scope: ScopeId,
        kind: &Kind,
        text: &str,
        name: &str,
        depth: u32,
    ) -> bool {
        match kind {
            Kind::Assignment { target, .. } => root_name(text, *target) == name,
            Kind::If { action, .. } => self.kind_may_write(scope, action, text, name, depth),
            Kind::Call { target, arguments } => {
                let callee = text.get(target.range()).unwrap_or("");
                commas(text.as_bytes(), *arguments)
                    .into_iter()
                    .enumerate()
                    .any(|(position, part)| {
                        root_name(text, part) == name
                            && self.callee_writes(scope, callee, position, depth)
                    })
            }
            Kind::Do {
                control: DoControl::Counted { variable, .. },
                ..
            } => root_name(text, *variable) == name,
            Kind::IfThen(_)
            | Kind::ElseIf(_)
            | Kind::SelectCase(_)
            | Kind::Case(_)
            | Kind::Subroutine { .. }
            | Kind::Function { .. }
            | Kind::Declaration { .. }
            | Kind::Attribute(..)
            | Kind::Data(_)
            | Kind::Parameter(_)
            | Kind::Return(_)
            | Kind::End(_)
            | Kind::ComputedGoto { .. }
            | Kind::ArithmeticIf { .. } => false,
            Kind::Io { word, .. } => !matches!(*word, "write" | "print"),
            _ => true,
        }
    }

    /// Whether a procedure may write the argument at a position.
    fn callee_writes(&self, scope: ScopeId, callee: &str, position: usize, depth: u32) -> bool {
        let found = self.program.find(scope, callee);
        let known = match found.map(|found| found.symbol.what.clone()) {
            Some(What::Procedure(procedure)) => Some(self.program.body_of(procedure)),
            _ => self.program.externals.get(callee).copied(),
        };
        let Some(procedure) = known else {
            return true;
        };
        let inner = &self.program.scopes[procedure];
        let Some(dummy) = inner.arguments.get(position) else {
            return true;
        };
        let intent = inner.symbols.get(dummy).and_then(|symbol| symbol.intent);
        match intent {
            Some(Intent::In) => false,
            Some(_) => true,
            None => self.scope_writes(procedure, dummy, depth + 1),
        }
    }

    /// The values of all DATA statements of the procedure.
    fn tables(&mut self) -> &Tables {
        if self.data.is_none() {
            let mut tables = Tables::new();
            for group in &self.program.scopes[self.home].data {
                // A group whose targets are not constant gives no values at all.
                let _ = self.expand(group, &mut tables);
            }
            self.data = Some(tables);
        }
        self.data.get_or_insert_default()
    }

    fn expand(&self, group: &DataGroup, tables: &mut Tables) -> Fallible<()> {
        let mut values = Vec::new();
        for (repeat, value) in &group.values {
            let count = match repeat {
                None => 1,
                Some(repeat) => match self.program.integer(self.home, repeat) {
                    Some(count) => usize::try_from(count).unwrap_or(0),
                    None => return refuse("a repeat count that is not constant"),
                },
            };
            for _ in 0..count.min(4 * LONGEST) {
                values.push(value.clone());
            }
        }
        let mut values = values.into_iter();
        for target in &group.targets {
            let e = Syn {
                tree: &target.tree,
                node: target.node,
            };
            for (name, position) in self.positions(e)? {
                let Some(value) = values.next() else {
                    return Ok(());
                };
                tables.entry(name).or_default().push((position, value));
            }
        }
        Ok(())
    }

    /// The places that a DATA target names, in order.
    fn positions(&self, e: Syn) -> Fallible<Vec<(String, usize)>> {
        let scope = self.home;
        let symbols = &self.program.scopes[scope].symbols;
        let shape_of = |name: &str| {
            let symbol = symbols.get(name);
            symbol.map(|symbol| self.program.fixed_shape(scope, &symbol.dims))
        };
        match e.tree.syntax(e.node) {
            Syntax::Name => {
                let name = e.tree.text(e.node).to_owned();
                let mut count = 1usize;
                for (_, extent) in shape_of(&name).unwrap_or_default() {
                    let extent = extent.and_then(|extent| usize::try_from(extent).ok());
                    match extent.and_then(|extent| count.checked_mul(extent)) {
                        Some(product) if product <= 4 * LONGEST => count = product,
                        _ => return refuse("a table whose size is not constant"),
                    }
                }
                Ok((0..count)
                    .map(|position| (name.clone(), position))
                    .collect())
            }
            Syntax::Apply(base, subscripts) => {
                let name = e.tree.text(*base).to_owned();
                let shape = shape_of(&name).unwrap_or_default();
                let mut position = 0;
                let mut stride = 1;
                for (&node, (lower, extent)) in subscripts.iter().zip(&shape) {
                    let value = self.program.integer_of(scope, e.tree, node, 0);
                    let (Some(value), Some(extent)) = (value, extent) else {
                        return refuse("an element that is not constant");
                    };
                    position += (value as i64 - lower) * stride;
                    stride *= extent;
                }
                match usize::try_from(position) {
                    Ok(position) if subscripts.len() == shape.len() => Ok(vec![(name, position)]),
                    _ => refuse("an element that is not constant"),
                }
            }
            Syntax::ImpliedDo(items, variable, bounds) => {
                let variable = e.tree.statement.part(*variable);
                self.implied_positions(e, items, variable, bounds)
            }
            _ => refuse("an unknown target of DATA"),
        }
    }

    /// `(a(i), i = 1, 5)`: elements of vectors along the loop.
    fn implied_positions(
        &self,
        e: Syn,
        items: &[crate::cst::NodeId],
        variable: &str,
        bounds: &[crate::cst::NodeId],
    ) -> Fallible<Vec<(String, usize)>> {
        let scope = self.home;
        let value = |node| self.program.integer_of(scope, e.tree, node, 0);
        let (item, from, to) = match (items, bounds) {
            ([item], [from, to]) => (*item, value(*from), value(*to)),
            _ => return refuse("an implied loop of DATA"),
        };
        let Syntax::Apply(base, subscripts) = e.tree.syntax(item) else {
            return refuse("an implied loop of DATA");
        };
        let name = e.tree.text(*base).to_owned();
        let is_along = matches!(subscripts.as_slice(), [s] if e.tree.text(*s) == variable);
        let symbol = self.program.scopes[scope].symbols.get(&name);
        let shape = symbol.map(|symbol| self.program.fixed_shape(scope, &symbol.dims));
        match (from, to, shape.as_deref()) {
            (Some(from), Some(to), Some([(lower, _)])) if is_along && to - from < 20_000 => {
                let first = from - i128::from(*lower);
                (0..=(to - from))
                    .map(|offset| match usize::try_from(first + offset) {
                        Ok(position) => Ok((name.clone(), position)),
                        Err(_) => refuse("an element that is not there"),
                    })
                    .collect()
            }
            _ => refuse("an implied loop of DATA"),
        }
    }
}

/// Whether a name stands in a statement's text.
fn mentions(text: &str, name: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices(name).any(|(at, _)| {
        let before = at.checked_sub(1).is_some_and(|at| in_name(bytes[at]));
        let after = bytes.get(at + name.len()).is_some_and(|&b| in_name(b));
        !before && !after
    })
}

/// The name that a designator begins with.
fn root_name(text: &str, slice: Slice) -> &str {
    let text = text.get(slice.range()).unwrap_or("");
    let length = text.bytes().take_while(|&b| in_name(b)).count();
    &text[..length]
}
