//! A text that two twins share: the same kernel written in Fortran and in C.
//!
//! What a language decides is normalised away. Variables are called `v0`, `v1`, … in order of use,
//! arguments first. Subscripts count from zero, and so do loops: a loop over `i = lower, upper, step`
//! counts `L` from zero, and `lower + step · L` stands for `i` in its body. Integer expressions are
//! linear forms with sorted terms, integer comparisons are `form >= 0` or `form == 0`, and widths of
//! integers are left out. So are spellings, places, intents, how arguments are passed, what may
//! overlap, directives and comments, parentheses that bind, and whether `and` short-circuits.

use std::collections::HashMap;

use super::words::{binary_word, quoted, type_text};
use crate::affine::{Linear, Symbol};
use crate::expr::{Access, BinaryOp, Expr, ExprId, Selector, UnaryOp};
use crate::module::Procedure;
use crate::stmt::{Argument, Callee, CaseLabel, Jump, Stmt, StmtId};
use crate::types::{Extent, Storage, Type, VarId};

/// The text of a procedure in which its language does not show.
pub fn twin_text(procedure: &Procedure) -> String {
    let mut twin = Twin {
        procedure,
        names: HashMap::new(),
        order: Vec::new(),
        atoms: Vec::new(),
        loops: HashMap::new(),
        loop_count: 0,
        text: String::new(),
        depth: 0,
    };
    for &argument in &procedure.arguments {
        twin.name(argument);
    }
    let result = procedure.result().map(|result| twin.name(result));
    twin.depth = 1;
    twin.block(&procedure.body);
    let body = std::mem::take(&mut twin.text);
    for index in 0.. {
        let Some(&var) = twin.order.get(index) else {
            break;
        };
        twin.declaration(var);
    }
    let result = result.map(|name| format!(" -> {name}")).unwrap_or_default();
    let declarations = twin.text;
    format!("procedure{result} {{\n{declarations}{body}}}\n")
}

struct Twin<'p> {
    procedure: &'p Procedure,
    names: HashMap<VarId, String>,
    order: Vec<VarId>,
    /// The unknowns of linear forms, as text.
    atoms: Vec<String>,
    /// What stands for the variables of the loops around.
    loops: HashMap<VarId, Linear>,
    loop_count: usize,
    text: String,
    depth: usize,
}

impl Twin<'_> {
    fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn name(&mut self, var: VarId) -> String {
        if let Some(name) = self.names.get(&var) {
            return name.clone();
        }
        let name = format!("v{}", self.order.len());
        self.order.push(var);
        self.names.insert(var, name.clone());
        name
    }

    /// The rank of an argument; the extents of what is declared here.
    fn declaration(&mut self, var: VarId) {
        let variable = &self.procedure.variables[var];
        let kind = match variable.storage {
            Storage::Argument { .. } => "argument",
            Storage::Local | Storage::Result => "local",
            Storage::Saved => "saved",
            Storage::Global(_) => "global",
            Storage::Common { .. } | Storage::Overlay { .. } => "shared",
            Storage::Constant { .. } => "constant",
        };
        let dims: Vec<String> = variable
            .shape
            .iter()
            .map(|dim| match dim.extent {
                Extent::Count(count) if !variable.is_argument() => self.value(count),
                _ => ":".into(),
            })
            .collect();
        let shape = if dims.is_empty() {
            String::new()
        } else {
            format!("[{}]", dims.join(", "))
        };
        let name = self.name(var);
        self.line(&format!(
            "{kind} {name}: {}{shape}",
            plain_type(variable.ty)
        ));
    }

    fn atom(&mut self, text: String) -> Linear {
        let index = match self.atoms.iter().position(|atom| *atom == text) {
            Some(index) => index,
            None => {
                self.atoms.push(text);
                self.atoms.len() - 1
            }
        };
        Linear::symbol(Symbol::Opaque(index as u32))
    }

    /// The linear form of an integer expression; what is not linear is an unknown of its own.
    fn form(&mut self, e: ExprId) -> Linear {
        match self.linear(e) {
            Some(form) => form,
            None => {
                let text = self.bare(e);
                self.atom(text)
            }
        }
    }

    fn linear(&mut self, e: ExprId) -> Option<Linear> {
        match *self.procedure.expr(e) {
            Expr::Integer(value) => i64::try_from(value).ok().map(Linear::constant),
            Expr::Load(ref access) if access.path.is_empty() => {
                if let Some(form) = self.loops.get(&access.var) {
                    return Some(form.clone());
                }
                match self.procedure.variables[access.var].storage {
                    Storage::Constant {
                        value: Some(value), ..
                    } => Some(self.form(value)),
                    _ => None,
                }
            }
            Expr::Unary(UnaryOp::Plus, inner) => Some(self.form(inner)),
            Expr::Unary(UnaryOp::Negate, inner) => self.form(inner).scale(-1),
            Expr::Binary(BinaryOp::Add, a, b) => self.form(a).add(&self.form(b)),
            Expr::Binary(BinaryOp::Subtract, a, b) => self.form(a).sub(&self.form(b)),
            Expr::Binary(BinaryOp::Multiply, a, b) => {
                let (a, b) = (self.form(a), self.form(b));
                match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.scale(factor),
                    (_, Some(factor)) => a.scale(factor),
                    _ => None,
                }
            }
            Expr::Convert(inner) if self.procedure.exprs[inner].ty.is_integer() => {
                Some(self.form(inner))
            }
            _ => None,
        }
    }

    fn linear_text(&self, form: &Linear) -> String {
        let mut terms: Vec<(&str, i64)> = form
            .terms
            .iter()
            .map(|(symbol, &coefficient)| match symbol {
                Symbol::Opaque(index) => (self.atoms[*index as usize].as_str(), coefficient),
                Symbol::Variable(..) => unreachable!("twins name all unknowns by text"),
            })
            .collect();
        terms.sort();
        let mut text = String::new();
        for (atom, coefficient) in terms {
            let sign = if coefficient < 0 { "-" } else { "+" };
            let factor = match coefficient.unsigned_abs() {
                1 => String::new(),
                factor => format!("{factor}*"),
            };
            text += &format!(" {sign} {factor}{atom}");
        }
        if form.constant != 0 || text.is_empty() {
            let sign = if form.constant < 0 { "-" } else { "+" };
            text += &format!(" {sign} {}", form.constant.unsigned_abs());
        }
        text.strip_prefix(" + ")
            .map_or(text.trim_start().to_owned(), str::to_owned)
    }

    fn value(&mut self, e: ExprId) -> String {
        if self.procedure.exprs[e].ty.is_integer() {
            let form = self.form(e);
            return self.linear_text(&form);
        }
        self.bare(e)
    }

    fn bare(&mut self, e: ExprId) -> String {
        let node = &self.procedure.exprs[e];
        match &node.expr {
            Expr::Integer(value) => value.to_string(),
            Expr::Real(text) => match text.parse::<f64>() {
                Ok(value) => format!("{value:?}:{}", type_text(node.ty)),
                Err(_) => text.clone(),
            },
            Expr::Logical(value) => value.to_string(),
            Expr::Text(text) => quoted(text),
            Expr::Load(access) | Expr::Required { access, .. } => self.place(access),
            Expr::Unary(UnaryOp::Plus, operand) => self.value(*operand),
            Expr::Unary(op, operand) => format!("{op:?}({})", self.value(*operand)),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b),
            Expr::Intrinsic(f, arguments) => format!("{}({})", f.name(), self.values(arguments)),
            Expr::Convert(inner) => self.converted(*inner, node.ty),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => format!("select({})", self.values(&[*condition, *then, *otherwise])),
            Expr::Bound { array, kind, dim } => format!("{kind:?}({}, {dim})", self.place(array)),
            Expr::Present(access) => format!("present({})", self.place(access)),
            Expr::Range { lower, upper, step } => {
                let mut end = |e: &Option<ExprId>| e.map(|e| self.value(e)).unwrap_or_default();
                format!("{}..{}..{}", end(lower), end(upper), end(step))
            }
            Expr::Opaque { text, .. } => quoted(text),
        }
    }

    /// A converted whole number is a literal.
    fn converted(&mut self, inner: ExprId, ty: Type) -> String {
        let value = self.value(inner);
        match (value.parse::<i64>(), ty) {
            (Ok(number), Type::Real { .. }) => format!("{:?}:{}", number as f64, type_text(ty)),
            _ => format!("{}({value})", plain_type(ty)),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> String {
        if op.is_comparison() && self.procedure.exprs[a].ty.is_integer() {
            return self.comparison(op, a, b);
        }
        let word = match op {
            BinaryOp::AndThen => "and",
            BinaryOp::OrElse => "or",
            op => binary_word(op).0,
        };
        format!("({} {word} {})", self.value(a), self.value(b))
    }

    fn comparison(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> String {
        let (left, right) = (self.form(a), self.form(b));
        let (difference, word) = match op {
            BinaryOp::Less => (right.sub(&left).and_then(|d| d.offset(-1)), ">="),
            BinaryOp::LessEqual => (right.sub(&left), ">="),
            BinaryOp::Greater => (left.sub(&right).and_then(|d| d.offset(-1)), ">="),
            BinaryOp::GreaterEqual => (left.sub(&right), ">="),
            BinaryOp::Equal => (left.sub(&right), "=="),
            _ => (left.sub(&right), "!="),
        };
        match difference {
            Some(difference) => {
                let text = self.linear_text(&difference);
                let opposite = difference.scale(-1).map(|d| self.linear_text(&d));
                let text = match opposite {
                    Some(opposite) if word != ">=" => text.min(opposite),
                    _ => text,
                };
                format!("({text} {word} 0)")
            }
            None => format!(
                "({} {op:?} {})",
                self.linear_text(&left),
                self.linear_text(&right)
            ),
        }
    }

    fn values(&mut self, items: &[ExprId]) -> String {
        let items: Vec<String> = items.iter().map(|&e| self.value(e)).collect();
        items.join(", ")
    }

    /// A place, subscripts counted from zero.
    fn place(&mut self, access: &Access) -> String {
        let mut text = self.name(access.var);
        for (n, selector) in access.path.iter().enumerate() {
            match selector {
                Selector::Index(subscripts) => {
                    let subscripts: Vec<String> = subscripts
                        .iter()
                        .enumerate()
                        .map(|(dim, &e)| self.subscript(access.var, e, (n == 0).then_some(dim)))
                        .collect();
                    text += &format!("[{}]", subscripts.join(", "));
                }
                Selector::Field(field) => text += &format!(".{field}"),
                Selector::Deref => text += ".*",
            }
        }
        text
    }

    /// A subscript less the lower bound of the variable's dimension.
    fn subscript(&mut self, var: VarId, e: ExprId, dim: Option<usize>) -> String {
        let lower = dim
            .and_then(|dim| self.procedure.variables[var].shape.get(dim))
            .map(|dim| dim.lower);
        let lower = lower.map_or_else(Linear::default, |lower| self.form(lower));
        let shifted = |twin: &mut Self, e: ExprId| {
            let form = twin.form(e);
            let form = form.sub(&lower).unwrap_or(form);
            twin.linear_text(&form)
        };
        if let Expr::Range {
            lower: first,
            upper,
            step,
        } = *self.procedure.expr(e)
        {
            let mut ends = [first, upper].map(|end| end.map(|end| shifted(self, end)));
            let step = step.map_or("1".into(), |step| self.value(step));
            let [first, last] = &mut ends;
            let (first, last) = (
                first.take().unwrap_or_default(),
                last.take().unwrap_or_default(),
            );
            return format!("{first}..{last}..{step}");
        }
        shifted(self, e)
    }

    fn block(&mut self, block: &[StmtId]) {
        for &id in block {
            self.statement(self.procedure.stmt(id));
        }
    }

    fn inner(&mut self, head: &str, block: &[StmtId]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, stmt: &Stmt) {
        let line = match stmt {
            Stmt::Assign { target, value } => {
                format!("{} = {}", self.place(target), self.value(*value))
            }
            Stmt::Call {
                callee,
                arguments,
                result,
            } => self.call(callee, arguments, result.as_ref()),
            Stmt::Loop {
                variable,
                lower,
                upper,
                step,
                body,
                ..
            } => return self.counted(*variable, [*lower, *upper, *step], body),
            Stmt::While {
                condition, body, ..
            } => {
                let head = format!("while {}", self.value(*condition));
                return self.inner(&head, body);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let head = format!("if {}", self.value(*condition));
                self.inner(&head, then);
                if !otherwise.is_empty() {
                    self.inner("else", otherwise);
                }
                return;
            }
            Stmt::Switch {
                selector,
                arms,
                default,
            } => {
                let head = format!("switch {}", self.value(*selector));
                self.line(&head);
                for arm in arms {
                    let labels: Vec<String> =
                        arm.labels.iter().map(|label| self.case(label)).collect();
                    self.inner(&format!("case {}", labels.join(", ")), &arm.body);
                }
                return self.inner("default", default);
            }
            Stmt::Region { body, .. } => return self.block(body),
            Stmt::Labelled { body, .. } => return self.inner("block", body),
            Stmt::Jump(Jump::Exit(_)) => "exit".into(),
            Stmt::Jump(Jump::Cycle(_)) => "cycle".into(),
            Stmt::Jump(Jump::Return) => "return".into(),
            Stmt::Allocate { target, shape, .. } => {
                let extents: Vec<ExprId> = shape.iter().map(|(_, extent)| *extent).collect();
                format!("allocate {}[{}]", self.place(target), self.values(&extents))
            }
            Stmt::Free { target } => format!("free {}", self.place(target)),
            Stmt::PointerAssign {
                target,
                value,
                offset,
                ..
            } => {
                let value = value
                    .as_ref()
                    .map_or("null".into(), |value| self.place(value));
                let offset = offset.map_or("0".into(), |offset| self.value(offset));
                format!("point {} = {value} + {offset}", self.place(target))
            }
            Stmt::Fill { target, value } => {
                format!("fill {} = {}", self.place(target), self.value(*value))
            }
            Stmt::Copy { target, source } => {
                format!("copy {} = {}", self.place(target), self.place(source))
            }
            Stmt::Push { tape, value } => {
                format!("push {}, {}", self.name(*tape), self.value(*value))
            }
            Stmt::Pop { tape, target } => {
                format!("pop {}, {}", self.name(*tape), self.place(target))
            }
            Stmt::Opaque { text, .. } => format!("opaque {}", quoted(text)),
            Stmt::Comment(_) => return,
        };
        self.line(&line);
    }

    fn case(&mut self, label: &CaseLabel) -> String {
        let mut end = |e: Option<ExprId>| e.map(|e| self.value(e)).unwrap_or_default();
        match *label {
            CaseLabel::Value(value) => end(Some(value)),
            CaseLabel::Range(lower, upper) => format!("{}..{}", end(lower), end(upper)),
        }
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument], result: Option<&Access>) -> String {
        let result = result
            .map(|result| format!("{} = ", self.place(result)))
            .unwrap_or_default();
        let callee = match callee {
            Callee::Procedure(id) => format!("procedure {}", id.index()),
            Callee::External(name) => name.to_lowercase(),
            Callee::Variable(var) => self.name(*var),
        };
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value) => self.value(*value),
                Argument::Place(place) => self.place(place),
                Argument::Procedure(id) => format!("procedure {}", id.index()),
                Argument::Absent => "absent".into(),
                Argument::Opaque { text, .. } => quoted(text),
            })
            .collect();
        format!("{result}call {callee}({})", arguments.join(", "))
    }

    /// A loop that counts from zero, where its step is known.
    fn counted(&mut self, variable: VarId, [lower, upper, step]: [ExprId; 3], body: &[StmtId]) {
        let (lower, upper, step) = (self.form(lower), self.form(upper), self.form(step));
        let span = match step.as_constant() {
            Some(step) if step > 0 => upper.sub(&lower),
            Some(_) => lower.sub(&upper),
            None => None,
        };
        let counter = self.atom(format!("L{}", self.loop_count));
        let value = step
            .as_constant()
            .and_then(|step| lower.add_scaled(&counter, step));
        let (Some(step), Some(span), Some(value)) = (step.as_constant(), span, value) else {
            let bounds = [lower, upper, step].map(|form| self.linear_text(&form));
            let head = format!("loop {} = {}", self.name(variable), bounds.join(", "));
            return self.inner(&head, body);
        };
        let mut last = self.linear_text(&span);
        if step.abs() != 1 {
            last = format!("({last}) / {}", step.unsigned_abs());
        }
        let head = format!("loop L{} = 0, {last}", self.loop_count);
        self.loop_count += 1;
        let outer = self.loops.insert(variable, value);
        self.inner(&head, body);
        match outer {
            Some(outer) => self.loops.insert(variable, outer),
            None => self.loops.remove(&variable),
        };
    }
}

fn plain_type(ty: Type) -> String {
    match ty {
        Type::Integer { .. } => "int".into(),
        Type::Logical { .. } => "logical".into(),
        ty => type_text(ty),
    }
}
