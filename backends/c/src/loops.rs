//! Counted loops, and the loops that set or copy whole arrays.

use std::collections::HashSet;

use contraflow_backend_common::{BREAK, Term, Written, offset, usage};
use contraflow_ir::{
    Access, Argument, Block, Callee, Expr, ExprId, Extent, Selector, Stmt, StmtId, Storage, Type,
    VarId,
};

use crate::emitter::Emitter;
use crate::expr::{is_unsigned, rank};

/// How a place that a loop walks over is subscripted along one dimension.
pub(crate) enum Walk {
    /// A fixed subscript, counted from zero.
    Fixed(Term),
    /// `count` elements from `first` at a distance.
    Range {
        first: Option<Term>,
        count: Term,
        step: Option<Term>,
    },
}

impl Emitter<'_> {
    /// `for (variable = lower; variable <= upper; variable += step)`.
    pub fn counted_loop(
        &mut self,
        variable: VarId,
        [lower, upper, step]: [ExprId; 3],
        body: &Block,
    ) {
        let step_value = self.constant(step);
        let unsigned = matches!(
            self.procedure.variables[variable].ty,
            Type::Integer { signed: false, .. }
        );
        let head = match step_value {
            Some(-1) if unsigned => self.unsigned_countdown(variable, lower, upper, body),
            _ => self.loop_head(variable, [lower, upper, step], step_value, body),
        };
        self.out.line(&format!("for ({head}) {{"));
        self.nested(body);
        self.out.line("}");
    }

    fn constant(&self, e: ExprId) -> Option<i128> {
        match offset(self.procedure, e) {
            (None, value) => Some(value),
            _ => None,
        }
    }

    fn loop_head(
        &mut self,
        variable: VarId,
        [lower, upper, step]: [ExprId; 3],
        step_value: Option<i128>,
        body: &Block,
    ) -> String {
        let lower = self.index(lower).text;
        let end = self.loop_end(upper, step_value, variable, body);
        let name = self.scalar_name(variable);
        // `*i++` would move the pointer.
        let counter = match name.starts_with('*') {
            true => format!("({name})"),
            false => name.clone(),
        };
        let (test, advance) = match step_value {
            Some(1) => (format!("{name} {end}"), format!("{counter}++")),
            Some(-1) => (format!("{name} {end}"), format!("{counter}--")),
            Some(n) if n > 0 => (format!("{name} {end}"), format!("{name} += {n}")),
            Some(n) => (format!("{name} {end}"), format!("{name} -= {}", -n)),
            None => {
                let step_text = self.kept("step", step, variable, body);
                let last = self.kept("last", upper, variable, body).at_least(rank::ADD);
                let step_text = step_text.at_least(rank::ADD);
                (
                    format!("{step_text} > 0 ? {name} <= {last} : {name} >= {last}"),
                    format!("{name} += {step_text}"),
                )
            }
        };
        format!("{name} = {lower}; {BREAK}{test}; {BREAK}{advance}")
    }

    /// The comparison with the last value: `< n` rather than `<= n - 1`.
    fn loop_end(
        &mut self,
        upper: ExprId,
        step: Option<i128>,
        variable: VarId,
        body: &Block,
    ) -> String {
        let Some(step) = step else {
            return String::new();
        };
        let kept = self.must_be_kept(upper, variable, body);
        match (offset(self.procedure, upper), step > 0) {
            ((Some(base), less @ ..=-1), true) if !kept => {
                format!("< {}", self.sum(Some(base), less + 1).at_least(rank::ADD))
            }
            ((Some(base), more @ 1..), false) if !kept => {
                format!("> {}", self.sum(Some(base), more - 1).at_least(rank::ADD))
            }
            (_, up) => {
                let last = self.kept("last", upper, variable, body).at_least(rank::ADD);
                format!("{} {last}", if up { "<=" } else { ">=" })
            }
        }
    }

    /// A countdown of an unsigned variable must stop before it would pass zero.
    fn unsigned_countdown(
        &mut self,
        variable: VarId,
        lower: ExprId,
        upper: ExprId,
        body: &Block,
    ) -> String {
        let (base, constant) = offset(self.procedure, lower);
        let first = self.sum(base, constant + 1).text;
        let last = self.kept("last", upper, variable, body).at_least(rank::ADD);
        let name = self.scalar_name(variable);
        format!("{name} = {first}; {BREAK}{name}-- > {last};")
    }

    fn scalar_name(&mut self, variable: VarId) -> String {
        self.place(&Access::whole(variable)).text
    }

    /// A bound that the loop evaluates once: a scalar keeps it where the body could change it.
    fn kept(&mut self, wanted: &str, e: ExprId, variable: VarId, body: &Block) -> Term {
        if !self.must_be_kept(e, variable, body) {
            return self.index(e);
        }
        let ty = self.ty(e);
        let value = self.value(e, ty);
        let name = self.temporary(wanted, ty);
        self.out.line(&format!("{name} = {BREAK}{value};"));
        Term::new(name, rank::PRIMARY)
    }

    fn must_be_kept(&self, e: ExprId, variable: VarId, body: &Block) -> bool {
        let reads = self.procedure.reads_of_expr(e);
        if reads.is_empty() {
            return false;
        }
        let written = self.written_in(body);
        let calls = self.calls_in(body);
        reads.iter().any(|access| {
            let read = &self.procedure.variables[access.var];
            access.var == variable
                || written.contains(&access.var)
                || calls && matches!(read.storage, Storage::Global(_) | Storage::Common { .. })
                || !self.foreign
                    && read.outlives_call()
                    && written.iter().any(|&other| {
                        let other = &self.procedure.variables[other];
                        other.ty == read.ty && other.outlives_call()
                    })
        })
    }

    /// Everything that a block writes.
    fn written_in(&self, block: &[StmtId]) -> HashSet<VarId> {
        let mut written = HashSet::new();
        self.procedure.walk_block(block, &mut |id| {
            let stmt = self.procedure.stmt(id);
            written.extend(usage::written_directly(stmt));
            if let Stmt::Call {
                callee, arguments, ..
            } = stmt
            {
                for (position, argument) in arguments.iter().enumerate() {
                    if let Argument::Place(access) = argument
                        && self.is_written_by(callee, position)
                    {
                        written.insert(access.var);
                    }
                }
            }
        });
        written
    }

    fn is_written_by(&self, callee: &Callee, position: usize) -> bool {
        let Callee::Procedure(id) = callee else {
            return true;
        };
        match self.module.procedures[*id].arguments.get(position) {
            Some(&formal) => self.usage.written(*id, formal) != Written::No,
            None => true,
        }
    }

    fn calls_in(&self, block: &[StmtId]) -> bool {
        let mut calls = false;
        self.procedure.walk_block(block, &mut |id| {
            calls |= matches!(
                self.procedure.stmt(id),
                Stmt::Call { .. } | Stmt::Opaque { .. }
            );
        });
        calls
    }

    /// Sets every element of a place.
    pub fn fill(&mut self, target: &Access, value: ExprId) {
        let ty = self.procedure.variables[target.var].ty;
        let value = self.value(value, ty);
        let Some(walks) = self.walks(target) else {
            let place = self.place(target).text;
            self.out.line(&format!("{place} = {BREAK}{value};"));
            return;
        };
        let indices = self.open_loops(&walks);
        let place = self.walked(target.var, &walks, &indices);
        self.out.line(&format!("{place} = {BREAK}{value};"));
        self.close_loops(indices.len());
    }

    /// Copies every element of a place.
    pub fn copy(&mut self, target: &Access, source: &Access) {
        let (Some(to), Some(from)) = (self.walks(target), self.walks(source)) else {
            let (target, source) = (self.place(target).text, self.place(source).text);
            self.out.line(&format!("{target} = {BREAK}{source};"));
            return;
        };
        let indices = self.open_loops(&to);
        let target = self.walked(target.var, &to, &indices);
        let source = self.walked(source.var, &from, &indices);
        self.out.line(&format!("{target} = {BREAK}{source};"));
        self.close_loops(indices.len());
    }

    /// How many elements a dimension has, as a number with a sign.
    fn count_of(&mut self, var: VarId, dim: usize) -> Term {
        let count = self.extent(var, dim);
        let is_signed = match self.procedure.variables[var].shape[dim].extent {
            Extent::Count(e) => !is_unsigned(self.ty(e)),
            _ => true,
        };
        match is_signed {
            true => count,
            false => Term::new(format!("(int){}", count.at_least(rank::UNARY)), rank::UNARY),
        }
    }

    /// How loops walk over a place; `None` for a scalar.
    pub fn walks(&mut self, access: &Access) -> Option<Vec<Walk>> {
        let procedure = self.procedure;
        match access.path.as_slice() {
            [] if !procedure.variables[access.var].is_array() => None,
            [] => {
                let rank = procedure.variables[access.var].rank();
                Some(
                    (0..rank)
                        .map(|dim| Walk::Range {
                            first: None,
                            count: self.count_of(access.var, dim),
                            step: None,
                        })
                        .collect(),
                )
            }
            [Selector::Index(subscripts)] => {
                let is_section = subscripts
                    .iter()
                    .any(|&s| matches!(procedure.expr(s), Expr::Range { .. }));
                is_section.then(|| {
                    subscripts
                        .iter()
                        .enumerate()
                        .map(|(dim, &s)| self.walk(access.var, dim, s))
                        .collect()
                })
            }
            _ => None,
        }
    }

    fn walk(&mut self, var: VarId, dim: usize, subscript: ExprId) -> Walk {
        let Expr::Range { lower, upper, step } = *self.procedure.expr(subscript) else {
            return Walk::Fixed(self.zero_based(var, dim, subscript));
        };
        let low = self.procedure.variables[var].shape[dim].lower;
        let first = lower.map(|lower| self.difference(lower, low));
        let count = match (lower, upper) {
            (None, None) => self.extent(var, dim),
            (lower, Some(upper)) => {
                let (base, constant) = offset(self.procedure, upper);
                let from = offset(self.procedure, lower.unwrap_or(low));
                match from {
                    (None, from) => self.sum(base, constant + 1 - from),
                    (Some(_), _) => {
                        let difference = self.difference(upper, lower.unwrap_or(low));
                        Term::new(format!("{} + 1", difference.at_least(rank::ADD)), rank::ADD)
                    }
                }
            }
            (Some(lower), None) => {
                let extent = self.extent(var, dim).at_least(rank::ADD);
                let before = self.difference(lower, low).at_least(rank::ADD + 1);
                Term::new(format!("{extent} - {before}"), rank::ADD)
            }
        };
        let step = step.map(|step| self.index(step));
        let count = match &step {
            Some(step) => {
                let step = step.clone().at_least(rank::ADD + 1);
                let divisor = step.clone();
                Term::new(
                    format!("({} + {step} - 1)/{divisor}", count.at_least(rank::ADD)),
                    rank::MULTIPLY,
                )
            }
            None => count,
        };
        Walk::Range { first, count, step }
    }

    /// One loop per walked dimension, the slowest outermost. Gives back their variables, fastest
    /// first.
    fn open_loops(&mut self, walks: &[Walk]) -> Vec<String> {
        let mut indices = Vec::new();
        for walk in walks.iter().rev() {
            if let Walk::Range { count, .. } = walk {
                let name = self.namer.name("k");
                let count = count.clone().at_least(rank::ADD);
                self.out.line(&format!(
                    "for (int {name} = 0; {name} < {count}; {name}++) {{"
                ));
                self.out.indent();
                indices.push(name);
            }
        }
        indices.reverse();
        indices
    }

    fn close_loops(&mut self, count: usize) {
        for _ in 0..count {
            self.out.dedent();
            self.out.line("}");
        }
    }

    fn walked(&mut self, var: VarId, walks: &[Walk], indices: &[String]) -> String {
        let mut indices = indices.iter();
        let subscripts: Vec<Term> = walks
            .iter()
            .map(|walk| match walk {
                Walk::Fixed(term) => term.clone(),
                Walk::Range { first, step, .. } => {
                    let index = indices.next().cloned().unwrap_or_default();
                    walked_subscript(first.as_ref(), step.as_ref(), index)
                }
            })
            .collect();
        let name = self.name(var);
        format!("{name}{}", self.bracketed(var, subscripts))
    }
}

fn walked_subscript(first: Option<&Term>, step: Option<&Term>, index: String) -> Term {
    let index = match step {
        Some(step) => Term::new(
            format!("{}*{index}", step.clone().at_least(rank::UNARY)),
            rank::MULTIPLY,
        ),
        None => Term::new(index, rank::PRIMARY),
    };
    match first {
        Some(first) if first.text != "0" => {
            let first = first.clone().at_least(rank::ADD);
            Term::new(format!("{first} + {}", index.text), rank::ADD)
        }
        _ => index,
    }
}
