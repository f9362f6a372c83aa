//! Values that variables have from their declaration: DATA statements, `SAVE` variables with a
//! value, named arrays of constants.
//!
//! A scalar keeps its value in [`contraflow_ir::Variable::initial`]. A small array that the procedure
//! never writes is a table: it becomes a local that gets its values at entry, so that procedures
//! derived from this one have them too. Other arrays keep their values in
//! [`contraflow_ir::Variable::values`].

use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax, Tree};
use crate::declare::constant::arithmetic;
use crate::declare::scope::{DataGroup, ExprRef, ScopeId, Symbol, What};
use crate::syntax::scan::{commas, in_name};
use crate::syntax::{DoControl, Kind};
use crate::view::Slice;
use contraflow_ir::{Access, Expr, ExprId, Intent, Span, Stmt, Storage, Type, UnaryOp, VarId};
use std::collections::HashMap;
use std::sync::Arc;

/// The same value for several elements in succession.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The position of the first one in memory.
    first: usize,
    count: usize,
    value: ExprRef,
    /// What the variables of the implied loops around the value are.
    indices: Vec<(String, i128)>,
}

/// The values of each variable.
pub(super) type Tables = HashMap<String, Vec<Run>>;

/// The longest table that is filled at entry.
const LONGEST: usize = 64;

/// The largest number of values that are computed from an implied loop.
const LARGEST: i128 = 100_000;

/// The most runs of equal values of shared memory that are kept.
const MOST_VALUES: usize = 20_000;

/// The largest number of elements that DATA speaks of.
const MOST_ELEMENTS: i128 = 1 << 40;

impl Lowerer<'_> {
    /// Gives a variable the values of its declaration.
    pub(super) fn initialize(&mut self, var: VarId, symbol: &Symbol, key: &str) -> Fallible<()> {
        let storage = self.variable(var).storage;
        let shares_values = match storage {
            Storage::Saved | Storage::Global(_) if self.at_home() => {
                let scope = self.home;
                self.values_of_others(scope, key)
                    .map_or(true, |others| !others.is_empty())
            }
            _ => false,
        };
        if shares_values || matches!(storage, Storage::Common { .. } | Storage::Global(_)) {
            self.values_at_start(var, symbol, key, shares_values);
            return Ok(());
        }
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
        let runs = self.runs(symbol, key)?;
        let count: usize = runs.iter().map(|run| run.count).sum();
        if count > LONGEST || storage == Storage::Saved && self.is_written(key) {
            self.procedure.variables[var].storage = Storage::Saved;
            return self.give_values(var, symbol, runs);
        }
        self.procedure.variables[var].storage = Storage::Local;
        self.fill_table(var, symbol, &runs)
    }

    /// What shared memory holds when the program starts, as far as this unit says so.
    fn values_at_start(&mut self, var: VarId, symbol: &Symbol, key: &str, shares: bool) {
        let has_values = symbol.init.is_some() || symbol.has_data || shares;
        if !has_values || !self.at_home() {
            return;
        }
        let given = match self.variable(var).is_array() {
            false if shares => refuse("values by EQUIVALENCE"),
            true if shares => self
                .shared_runs(symbol, key)
                .and_then(|runs| self.give_values(var, symbol, runs)),
            false => self.initial_scalar(var, symbol, key),
            true => match self.runs(symbol, key) {
                Ok(runs) if runs.len() <= MOST_VALUES => self.give_values(var, symbol, runs),
                Ok(_) => refuse("too many values"),
                Err(refusal) => Err(refusal),
            },
        };
        let variable = self.variable(var);
        if given.is_err() || variable.initial.is_none() && variable.values.is_empty() {
            let ty = variable.ty;
            let unknown = Expr::Opaque {
                text: key.to_owned(),
                reads: Vec::new(),
            };
            let unknown = self.add(unknown, ty);
            self.procedure.variables[var].initial = Some(unknown);
        }
    }

    /// The values of an array with those of the variables in its memory.
    fn shared_runs(&mut self, symbol: &Symbol, key: &str) -> Fallible<Vec<Run>> {
        let scope = self.home;
        let has_own = symbol.has_data || symbol.init.is_some();
        let mut all = match has_own {
            true => self.runs(symbol, key)?,
            false => Vec::new(),
        };
        for (name, start) in self.values_of_others(scope, key)? {
            let Some(other) = self.program.scopes[scope].symbols.get(&name).cloned() else {
                continue;
            };
            let runs = match (&other.init, other.has_data, other.dims.is_empty()) {
                (Some(value), false, true) => vec![Run {
                    first: 0,
                    count: 1,
                    value: value.clone(),
                    indices: Vec::new(),
                }],
                (_, true, true) => self.tables().get(&name).cloned().unwrap_or_default(),
                _ => self.runs(&other, &name)?,
            };
            for run in runs {
                let Some(first) = usize::try_from(start)
                    .ok()
                    .and_then(|start| start.checked_add(run.first))
                else {
                    return refuse("values before the start of an EQUIVALENCE");
                };
                all.push(Run { first, ..run });
            }
        }
        all.sort_by_key(|run| run.first);
        let total = elements(&self.program.fixed_shape(scope, &symbol.dims));
        let reached = all.last().map_or(0, |run| run.first + run.count);
        let overlap = |pair: &[Run]| pair[0].first + pair[0].count > pair[1].first;
        match total.is_some_and(|total| reached <= total) && !all.windows(2).any(overlap) {
            true => Ok(all),
            false => refuse(format!("the initial values of `{key}` are not known")),
        }
    }

    /// The values of an array in the order of memory.
    fn runs(&mut self, symbol: &Symbol, key: &str) -> Fallible<Vec<Run>> {
        if !symbol.has_data {
            return self.listed(symbol);
        }
        let mut runs = self.tables().get(key).cloned().unwrap_or_default();
        if runs.is_empty() {
            return refuse(format!("the initial values of `{key}` are not known"));
        }
        runs.sort_by_key(|run| run.first);
        if runs
            .windows(2)
            .any(|pair| pair[0].first + pair[0].count > pair[1].first)
        {
            return refuse(format!("`{key}` has two initial values for one element"));
        }
        Ok(runs)
    }

    /// Keeps the values with the variable; elements without one are zero.
    fn give_values(&mut self, var: VarId, symbol: &Symbol, runs: Vec<Run>) -> Fallible<()> {
        let ty = self.variable(var).ty;
        let span = std::mem::replace(&mut self.span, symbol.span.unwrap_or(Span::NONE));
        let mut values = Vec::new();
        let mut reached = 0;
        let mut result = Ok(());
        for run in runs {
            if run.first > reached {
                match self.nothing(ty) {
                    Ok(nothing) => values.push(((run.first - reached) as u64, nothing)),
                    Err(refusal) => result = Err(refusal),
                }
            }
            match self.data_value(&run, ty) {
                Ok(value) => values.push((run.count as u64, value)),
                Err(refusal) => result = Err(refusal),
            }
            reached = run.first + run.count;
        }
        let total = elements(&self.program.fixed_shape(self.home, &symbol.dims));
        if let Some(total) = total.filter(|&total| total > reached)
            && let Ok(nothing) = self.nothing(ty)
        {
            values.push(((total - reached) as u64, nothing));
        }
        self.span = span;
        result?;
        self.procedure.variables[var].values = values;
        Ok(())
    }

    /// What an element without initial value holds.
    fn nothing(&mut self, ty: Type) -> Fallible<ExprId> {
        match ty {
            Type::Integer { .. } | Type::Real { .. } | Type::Complex { .. } => {
                Ok(self.build().zero(ty))
            }
            Type::Logical { .. } => Ok(self.add(Expr::Logical(false), ty)),
            Type::Character => Ok(self.add(Expr::Text(" ".to_owned()), ty)),
            _ => refuse("only a part of it has initial values"),
        }
    }

    fn initial_scalar(&mut self, var: VarId, symbol: &Symbol, key: &str) -> Fallible<()> {
        if matches!(self.variable(var).storage, Storage::Constant { .. }) {
            return Ok(());
        }
        let initial = if symbol.has_data {
            let value = self
                .tables()
                .get(key)
                .and_then(|values| values.first().cloned());
            let Some(run) = value else {
                return refuse(format!("the initial value of `{key}` is not known"));
            };
            let ty = self.variable(var).ty;
            Some(self.data_value(&run, ty)?)
        } else {
            let scope = self.scope;
            self.constant_value(var, symbol, scope)
        };
        self.procedure.variables[var].initial = initial;
        Ok(())
    }

    fn data_value(&mut self, run: &Run, ty: Type) -> Fallible<ExprId> {
        let value = &run.value;
        let e = Syn {
            tree: &value.tree,
            node: value.node,
        };
        match e.tree.syntax(e.node) {
            Syntax::Boz => return self.bit_pattern(e, ty),
            Syntax::Text if ty != Type::Character => return self.text_as_bits(e, ty),
            _ => {}
        }
        let scope = self.scope;
        let value = self.in_loops(scope, value, &run.indices)?;
        self.fitting(value, ty)
    }

    /// Emits the assignments that fill a table at entry.
    fn fill_table(&mut self, var: VarId, symbol: &Symbol, runs: &[Run]) -> Fallible<()> {
        let shape = self.program.fixed_shape(self.scope, &symbol.dims);
        let count: usize = runs.iter().map(|run| run.count).sum();
        let mut extents = Vec::new();
        for (position, (lower, extent)) in shape.iter().enumerate() {
            let implied = position == 0 && shape.len() == 1;
            match extent {
                Some(extent) => extents.push((*lower, *extent)),
                None if implied => extents.push((*lower, count as i64)),
                None => {
                    let name = &self.variable(var).name;
                    return refuse(format!("the shape of `{name}` is not constant"));
                }
            }
        }
        let ty = self.variable(var).ty;
        let span = std::mem::replace(&mut self.span, symbol.span.unwrap_or(Span::NONE));
        let result = self.table_assignments(var, ty, runs, &extents);
        self.span = span;
        result
    }

    fn table_assignments(
        &mut self,
        var: VarId,
        ty: Type,
        runs: &[Run],
        extents: &[(i64, i64)],
    ) -> Fallible<()> {
        for run in runs {
            for position in run.first..run.first + run.count {
                let value = self.data_value(run, ty)?;
                let mut rest = position as i64;
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
        }
        Ok(())
    }

    /// The values of `[a, b, c]` or `reshape([a, b], …)`; one value for all elements.
    fn listed(&self, symbol: &Symbol) -> Fallible<Vec<Run>> {
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
        let run = |first, count, node| Run {
            first,
            count,
            value: ExprRef {
                tree: tree.clone(),
                node,
            },
            indices: Vec::new(),
        };
        match tree.syntax(node) {
            Syntax::Array(items, spec) => {
                if let Some(spec) = spec
                    && let stated =
                        (self.program).constructor_type(self.scope, &tree.statement, *spec)
                    && stated != Some(Type::Character)
                    && stated != self.declared_type(self.scope, &symbol.name).ok()
                {
                    return refuse("a table whose values are converted twice");
                }
                let mut runs = Vec::new();
                self.listed_items(tree, items, &mut Vec::new(), &mut runs)?;
                Ok(runs)
            }
            _ => {
                let shape = self.program.fixed_shape(self.scope, &symbol.dims);
                match elements(&shape) {
                    Some(count) => Ok(vec![run(0, count, node)]),
                    None => refuse("a table whose size is not constant"),
                }
            }
        }
    }

    /// The values of a list, those of implied loops one by one.
    fn listed_items(
        &self,
        tree: &Arc<Tree>,
        items: &[NodeId],
        indices: &mut Vec<(String, i128)>,
        runs: &mut Vec<Run>,
    ) -> Fallible<()> {
        for &node in items {
            if let Syntax::ImpliedDo(inner, variable, bounds) = tree.syntax(node) {
                let map = indices.iter().cloned().collect();
                let value = |&node: &NodeId| self.index_value(Syn { tree, node }, &map);
                let bounds: Option<Vec<i128>> = bounds.iter().map(value).collect();
                let (from, to, step) = match bounds.as_deref() {
                    Some(&[from, to]) => (from, to, 1),
                    Some(&[from, to, step]) if step != 0 => (from, to, step),
                    _ => return refuse("an implied loop whose bounds are not constant"),
                };
                let trips = ((to - from) / step + 1).max(0);
                if trips > LARGEST {
                    return refuse("a table with too many values");
                }
                for trip in 0..trips {
                    let name = tree.statement.part(*variable).to_owned();
                    indices.push((name, from + trip * step));
                    let result = self.listed_items(tree, inner, indices, runs);
                    indices.pop();
                    result?;
                }
                continue;
            }
            let text = tree.text(node);
            let is_plain = match tree.syntax(node) {
                Syntax::Integer
                | Syntax::Real
                | Syntax::Text
                | Syntax::Logical(_)
                | Syntax::Unary(..)
                | Syntax::Binary(..)
                | Syntax::Complex(..) => true,
                Syntax::Apply(function, _) => {
                    ["real", "dble", "int", "mod"].contains(&tree.text(*function))
                }
                _ => indices.iter().any(|(name, _)| name == text) || self.is_scalar_constant(text),
            };
            if !is_plain || runs.len() as i128 > LARGEST {
                return refuse("a table whose values are not listed one by one");
            }
            runs.push(Run {
                first: runs.len(),
                count: 1,
                value: ExprRef {
                    tree: tree.clone(),
                    node,
                },
                indices: indices.clone(),
            });
        }
        Ok(())
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
        let Some((procedure, dummy, intent)) = self.dummy_at(scope, callee, position) else {
            return true;
        };
        match intent {
            Some(Intent::In) => false,
            Some(_) => true,
            None => self.scope_writes(procedure, dummy, depth + 1),
        }
    }

    /// The dummy argument at a position of a procedure whose source is there: the procedure, the name
    /// and the intent.
    pub(super) fn dummy_at(
        &self,
        scope: ScopeId,
        callee: &str,
        position: usize,
    ) -> Option<(ScopeId, &str, Option<Intent>)> {
        let found = self.program.find(scope, callee);
        let procedure = match found.map(|found| found.symbol.what.clone()) {
            Some(What::Procedure(procedure)) => self.program.body_of(procedure),
            _ => self.program.externals.get(callee).copied()?,
        };
        let inner = &self.program.scopes[procedure];
        let dummy = inner.arguments.get(position)?;
        let intent = inner.symbols.get(dummy).and_then(|symbol| symbol.intent);
        Some((procedure, dummy, intent))
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
            values.push((count, value));
        }
        let mut places = Vec::new();
        for target in &group.targets {
            let e = Syn {
                tree: &target.tree,
                node: target.node,
            };
            self.places(e, &mut HashMap::new(), &mut places)?;
        }
        let mut values = values.into_iter();
        let mut left = (0, None);
        for (name, mut first, mut count) in places {
            let runs = tables.entry(name).or_default();
            while count > 0 {
                if left.0 == 0 {
                    left = match values.next() {
                        Some((count, value)) => (count, Some(value)),
                        None => return Ok(()),
                    };
                    continue;
                }
                let taken = count.min(left.0);
                if let Some(value) = left.1 {
                    runs.push(Run {
                        first,
                        count: taken,
                        value: value.clone(),
                        indices: Vec::new(),
                    });
                }
                first += taken;
                count -= taken;
                left.0 -= taken;
            }
        }
        Ok(())
    }

    /// The elements that a DATA target names, in order: first position and number. `indices` are the
    /// variables of the implied loops around.
    fn places(
        &self,
        e: Syn,
        indices: &mut HashMap<String, i128>,
        found: &mut Vec<(String, usize, usize)>,
    ) -> Fallible<()> {
        let symbols = &self.program.scopes[self.home].symbols;
        let shape_of = |name: &str| {
            let symbol = symbols.get(name);
            let shape = symbol.map(|symbol| self.program.fixed_shape(self.home, &symbol.dims));
            shape.unwrap_or_default()
        };
        match e.tree.syntax(e.node) {
            Syntax::Name => {
                let name = e.tree.text(e.node).to_owned();
                match elements(&shape_of(&name)) {
                    Some(count) => found.push((name, 0, count)),
                    None => return refuse("a table whose size is not constant"),
                }
            }
            Syntax::Apply(base, subscripts) => {
                let name = e.tree.text(*base).to_owned();
                let shape = shape_of(&name);
                let mut position = 0;
                let mut stride = 1;
                for (&node, (lower, extent)) in subscripts.iter().zip(&shape) {
                    let value = self.index_value(Syn { node, ..e }, indices);
                    let (Some(value), Some(extent)) = (value, extent) else {
                        return refuse("an element that is not constant");
                    };
                    position += (value - i128::from(*lower)) * stride;
                    stride *= i128::from(*extent);
                }
                match usize::try_from(position) {
                    Ok(position)
                        if subscripts.len() == shape.len() && position < stride as usize =>
                    {
                        append(found, name, position);
                    }
                    _ => return refuse("an element that is not there"),
                }
            }
            Syntax::ImpliedDo(items, variable, bounds) => {
                let variable = e.tree.statement.part(*variable).to_owned();
                self.implied_places(e, items, variable, bounds, indices, found)?;
            }
            _ => return refuse("an unknown target of DATA"),
        }
        Ok(())
    }

    /// `(a(i), b(2*i), i = 1, 9, 2)`
    fn implied_places(
        &self,
        e: Syn,
        items: &[crate::cst::NodeId],
        variable: String,
        bounds: &[crate::cst::NodeId],
        indices: &mut HashMap<String, i128>,
        found: &mut Vec<(String, usize, usize)>,
    ) -> Fallible<()> {
        let value = |node| self.index_value(Syn { node, ..e }, indices);
        let bounds = match *bounds {
            [from, to] => (value(from), value(to), Some(1)),
            [from, to, step] => (value(from), value(to), value(step)),
            _ => (None, None, None),
        };
        let (Some(from), Some(to), Some(step)) = bounds else {
            return refuse("an implied loop of DATA whose bounds are not constant");
        };
        if step == 0 || (to - from) / step > 100_000_000 {
            return refuse("an implied loop of DATA without end");
        }
        let outer = indices.get(&variable).copied();
        let mut at = from;
        while if step > 0 { at <= to } else { at >= to } {
            indices.insert(variable.clone(), at);
            for &node in items {
                self.places(Syn { node, ..e }, indices, found)?;
            }
            at += step;
        }
        match outer {
            Some(outer) => indices.insert(variable, outer),
            None => indices.remove(&variable),
        };
        Ok(())
    }

    /// An integer expression of constants and the variables of implied loops.
    fn index_value(&self, e: Syn, indices: &HashMap<String, i128>) -> Option<i128> {
        let value = |node| self.index_value(Syn { node, ..e }, indices);
        match e.tree.syntax(e.node) {
            Syntax::Name => match indices.get(e.tree.text(e.node)) {
                Some(&value) => Some(value),
                None => self.program.integer_of(self.home, e.tree, e.node, 0),
            },
            Syntax::Parenthesized(inner) => value(*inner),
            Syntax::Unary(UnaryOp::Negate, inner) => value(*inner)?.checked_neg(),
            Syntax::Binary(op, a, b) => arithmetic(*op, value(*a)?, value(*b)?),
            _ => self.program.integer_of(self.home, e.tree, e.node, 0),
        }
    }
}

/// Appends an element, to the last range where it continues it.
fn append(found: &mut Vec<(String, usize, usize)>, name: String, position: usize) {
    match found.last_mut() {
        Some((last, first, count)) if *last == name && *first + *count == position => *count += 1,
        _ => found.push((name, position, 1)),
    }
}

/// The number of elements of a shape.
fn elements(shape: &[(i64, Option<i64>)]) -> Option<usize> {
    let product = shape.iter().try_fold(1i128, |product, (_, extent)| {
        product
            .checked_mul(i128::from((*extent)?.max(0)))
            .filter(|&product| product <= MOST_ELEMENTS)
    })?;
    usize::try_from(product).ok()
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
