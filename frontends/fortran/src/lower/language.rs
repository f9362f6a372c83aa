//! Subroutines of the language: quoted as they stand, with what they read and write.

use super::opaque::dedup;
use super::{Fallible, Lowerer, Syn, refuse};
use crate::cst::{NodeId, Syntax, Tree};

/// A subroutine of the language.
pub(super) struct Subroutine {
    name: &'static str,
    /// The dummy arguments in order.
    dummies: &'static [&'static str],
    /// Those that it writes.
    writes: &'static [&'static str],
}

const SUBROUTINES: [Subroutine; 14] = [
    all("random_number", &["harvest"]),
    some("random_seed", &["size", "put", "get"], &["size", "get"]),
    some("random_init", &["repeatable", "image_distinct"], &[]),
    all("system_clock", &["count", "count_rate", "count_max"]),
    all("cpu_time", &["time"]),
    all("date_and_time", &["date", "time", "zone", "values"]),
    some(
        "get_environment_variable",
        &["name", "value", "length", "status", "trim_name", "errmsg"],
        &["value", "length", "status", "errmsg"],
    ),
    some(
        "get_command_argument",
        &["number", "value", "length", "status", "errmsg"],
        &["value", "length", "status", "errmsg"],
    ),
    all("get_command", &["command", "length", "status", "errmsg"]),
    some(
        "execute_command_line",
        &["command", "wait", "exitstat", "cmdstat", "cmdmsg"],
        &["exitstat", "cmdstat", "cmdmsg"],
    ),
    some(
        "mvbits",
        &["from", "frompos", "len", "to", "topos"],
        &["to"],
    ),
    some("flush", &["unit"], &[]),
    some("exit", &["status"], &[]),
    some("move_alloc", &["from", "to"], &["from", "to"]),
];

const fn all(name: &'static str, dummies: &'static [&'static str]) -> Subroutine {
    some(name, dummies, dummies)
}

const fn some(
    name: &'static str,
    dummies: &'static [&'static str],
    writes: &'static [&'static str],
) -> Subroutine {
    Subroutine {
        name,
        dummies,
        writes,
    }
}

/// The subroutine of a name.
pub(super) fn subroutine(name: &str) -> Option<&'static Subroutine> {
    SUBROUTINES
        .iter()
        .find(|subroutine| subroutine.name == name)
}

impl Lowerer<'_> {
    /// A call of a subroutine of the language.
    pub(super) fn language_subroutine(
        &mut self,
        subroutine: &Subroutine,
        tree: &Tree,
        actuals: &[NodeId],
    ) -> Fallible<()> {
        if !self.to_free.is_empty() {
            return refuse("a subroutine of the language after temporaries");
        }
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for (position, &node) in actuals.iter().enumerate() {
            let (dummy, node) = match tree.syntax(node) {
                Syntax::Keyword(name, value) => (tree.statement.part(*name), *value),
                _ => match subroutine.dummies.get(position) {
                    Some(dummy) => (*dummy, node),
                    None => return refuse("too many arguments"),
                },
            };
            let e = Syn { tree, node };
            if self.calls_functions(e) {
                return refuse("a subroutine of the language is given a function's value");
            }
            let names = self.names_below(e);
            let is_written = subroutine.writes.contains(&dummy);
            let is_inout = matches!(dummy, "to" | "exitstat" | "cmdmsg" | "from");
            match self.base_variable(e).filter(|_| is_written) {
                Some(var) => {
                    writes.push(var);
                    let is_whole = *tree.syntax(node) == Syntax::Name;
                    reads.extend(
                        names
                            .into_iter()
                            .filter(|&n| n != var || !is_whole || is_inout),
                    );
                }
                None => reads.extend(names),
            }
        }
        dedup(&mut reads);
        dedup(&mut writes);
        let index = self.statement;
        let statement = self.statement_at(index);
        let whole = crate::view::Slice {
            start: self.action_start(index),
            end: statement.text.len() as u32,
        };
        let text = statement.readable_part(whole);
        let ends = subroutine.name == "exit";
        let kind = if ends { "stop" } else { "intrinsic" };
        self.opaque(text, kind, reads, writes, ends);
        Ok(())
    }
}
