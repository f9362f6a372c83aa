//! What the user says of single values: in comments, or in an edited plan.
//!
//! ```text
//! !$ad store(x, y)                  #pragma ad store(x)
//! !$ad recompute(z)                 #pragma ad recompute(z)
//! !$taf store x = tape, rec = i     CADJ STORE x = tape, KEY = i
//! !$taf init tape = static, n       CADJ INIT tape = COMMON, n       (tapes are declared anyway)
//! ```
//!
//! A comment right above an assignment, or above a loop, means what stands there. Elsewhere it means
//! the assignments before it in the same loop, as TAF's directives do: those that the value at this
//! place comes from. What the user says goes before what a plan would choose; what cannot be done is a
//! warning with its line.

use std::collections::BTreeMap;

use contraflow_ir::{Diagnostic, Procedure, Sources, Span, Stmt, StmtId};

use super::candidates;
use super::decisions::{Decisions, Reversal};
use crate::adjoint::needs::{self, Subject};
use crate::adjoint::time::hints::{directive, is_comment, line_of, said_of_loop};
use crate::analysis::tree::{Tree, is_loop};

/// What shall be done with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// It is kept and read back.
    Store,
    /// It is computed again.
    Recompute,
}

/// A word of an edited plan on one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueHint {
    /// The procedure.
    pub procedure: String,
    /// The line of the assignment.
    pub line: usize,
    /// The variable that is assigned.
    pub name: String,
    /// What shall be done.
    pub keep: Keep,
}

/// What the user says of one procedure's values.
#[derive(Clone, Default, Debug)]
pub struct Words {
    /// Assignments whose results are kept.
    stored: BTreeMap<StmtId, Span>,
    /// Assignments that are run again.
    recomputed: BTreeMap<StmtId, Span>,
    /// What is not understood, or means nothing here.
    pub warnings: Vec<Diagnostic>,
}

enum Said<'t> {
    Values(Keep, Vec<&'t str>),
    Nothing,
    Unknown,
}

/// The assignments of a line of a plan to a variable.
fn named(sources: &Sources, procedure: &Procedure, line: usize, name: &str) -> Vec<StmtId> {
    let all = procedure.all_statements().into_iter();
    all.filter(|&stmt| line_of(sources, procedure.stmts[stmt].span) == Some(line))
        .filter(|&stmt| assigns(procedure, stmt, name))
        .collect()
}

/// The words of a plan that name no assignment of the program, as errors.
pub fn stale(procedures: &[&Procedure], sources: &Sources, hints: &[ValueHint]) -> Vec<Diagnostic> {
    let is_there = |hint: &&ValueHint| {
        let own = |p: &&&Procedure| p.name.eq_ignore_ascii_case(&hint.procedure);
        procedures
            .iter()
            .filter(own)
            .any(|p| !named(sources, p, hint.line, &hint.name).is_empty())
    };
    let lost = hints.iter().filter(|hint| !is_there(hint));
    lost.map(|hint| {
        let message = format!(
            "the plan says what to do with `{}` in line {} of `{}`, where it is not assigned",
            hint.name, hint.line, hint.procedure
        );
        Diagnostic::error("bad-plan", message).with_help(
            "the source has changed since: start from what `contraflow plan --json` prints",
        )
    })
    .collect()
}

impl Words {
    /// What comments and an edited plan say of a procedure's values.
    pub fn of(sources: &Sources, procedure: &Procedure, hints: &[ValueHint]) -> Self {
        let mut words = Self::default();
        for (span, text) in directives(sources, procedure) {
            match said(&text) {
                Said::Nothing => {}
                Said::Unknown => words.warnings.push(
                    Diagnostic::warning(
                        "unknown-directive",
                        "this directive for automatic differentiation is not followed",
                    )
                    .at(span, "here")
                    .with_help(
                        "known are store(x), recompute(x), checkpoint binomial(20), checkpoint all, II-LOOP",
                    ),
                ),
                Said::Values(keep, names) => {
                    for name in names {
                        words.add_comment(sources, procedure, span, keep, name);
                    }
                }
            }
        }
        let own = |hint: &&ValueHint| procedure.name.eq_ignore_ascii_case(&hint.procedure);
        for hint in hints.iter().filter(own) {
            for stmt in named(sources, procedure, hint.line, &hint.name) {
                words.add(hint.keep, stmt, procedure.stmts[stmt].span);
            }
        }
        words
    }

    fn add(&mut self, keep: Keep, stmt: StmtId, place: Span) {
        let (to, from) = match keep {
            Keep::Store => (&mut self.stored, &mut self.recomputed),
            Keep::Recompute => (&mut self.recomputed, &mut self.stored),
        };
        from.remove(&stmt);
        to.insert(stmt, place);
    }

    fn add_comment(
        &mut self,
        sources: &Sources,
        procedure: &Procedure,
        place: Span,
        keep: Keep,
        name: &str,
    ) {
        let meant = meant(sources, procedure, place, name);
        for &stmt in &meant {
            self.add(keep, stmt, place);
        }
        if meant.is_empty() {
            let cause = match procedure.variable_named(name) {
                Some(_) => format!("`{name}` is assigned neither here nor before in this loop"),
                None => format!("there is no variable `{name}`"),
            };
            self.warnings.push(not_followed(place, cause));
        }
    }

    /// Loops that have to be run again so that their values are, where the user says nothing else.
    pub fn ask_for_loops(&mut self, subject: &Subject<'_>, decisions: &mut Decisions) {
        let procedure = &subject.module.procedures[subject.id];
        let mut impossible = Vec::new();
        for (&stmt, &place) in &self.recomputed {
            let around = subject.tree.loops(stmt);
            if around.iter().any(|l| decisions.is_frame(*l)) {
                continue;
            }
            let may_be_joint = |l: &&StmtId| {
                !decisions.loops.contains_key(l)
                    && needs::may_be_joint(procedure, **l)
                    && candidates::can_run_again(subject, procedure, **l)
                    && candidates::snapshots_are_whole(subject, **l)
            };
            match around.iter().rev().find(may_be_joint) {
                Some(&l) => {
                    decisions.loops.insert(l, Reversal::Joint);
                }
                None => impossible.push((stmt, place)),
            }
        }
        for (stmt, place) in impossible {
            self.recomputed.remove(&stmt);
            self.warnings.push(not_followed(
                place,
                "only what stands in a loop that can be run again is computed again".to_owned(),
            ));
        }
    }

    /// A plan's decisions with what the user says instead, and what cannot be done.
    pub fn apply(&self, subject: &Subject<'_>, decisions: &mut Decisions) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        decisions
            .stored
            .retain(|stmt| !self.recomputed.contains_key(stmt));
        let so_far = decisions.clone();
        let decided = subject.with(&so_far);
        for (&stmt, &place) in &self.stored {
            // Outside of loops that are run again all that is needed is kept anyway.
            if decided.frame_of(stmt).is_none() {
                continue;
            }
            match candidates::may_be_stored(&decided, stmt) {
                true => {
                    decisions.stored.insert(stmt);
                }
                false => warnings.push(not_followed(
                    place,
                    "only single numbers in counted loops are kept one by one".to_owned(),
                )),
            }
        }
        warnings
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty() && self.recomputed.is_empty()
    }
}

fn not_followed(place: Span, cause: String) -> Diagnostic {
    Diagnostic::warning("hint-not-followed", "this hint cannot be followed").at(place, cause)
}

fn assigns(procedure: &Procedure, stmt: StmtId, name: &str) -> bool {
    matches!(procedure.stmt(stmt), Stmt::Assign { target, .. }
        if procedure.variables[target.var].name.eq_ignore_ascii_case(name))
}

/// The assignments that a comment at `place` means.
fn meant(sources: &Sources, procedure: &Procedure, place: Span, name: &str) -> Vec<StmtId> {
    let statements: Vec<StmtId> = procedure
        .all_statements()
        .into_iter()
        .filter(|&stmt| procedure.stmts[stmt].span.file == place.file)
        .collect();
    let start = |stmt: StmtId| procedure.stmts[stmt].span.start;
    let assigned: Vec<StmtId> = statements
        .iter()
        .copied()
        .filter(|&stmt| assigns(procedure, stmt, name))
        .collect();
    let tree = Tree::of(procedure);
    let after = statements
        .iter()
        .copied()
        .filter(|&s| start(s) > place.start);
    let next_start = after.clone().map(start).min();
    let next: Vec<StmtId> = after.filter(|&s| Some(start(s)) == next_start).collect();
    let is_right_above = next_start.is_some_and(|next| {
        let bytes = &sources.file(place.file).bytes;
        let between = &bytes[place.end as usize..next as usize];
        let text = contraflow_ir::source::latin1_tolerant(between);
        let lines: Vec<&str> = text.lines().collect();
        lines
            .iter()
            .take(lines.len().saturating_sub(1))
            .all(|line| is_comment(line))
    });
    if is_right_above {
        let here = |&stmt: &StmtId| {
            next.contains(&stmt)
                || next
                    .iter()
                    .any(|&l| is_loop(procedure, l) && tree.contains(l, stmt))
        };
        let here: Vec<StmtId> = assigned.iter().copied().filter(here).collect();
        if !here.is_empty() {
            return here;
        }
    }
    // The innermost loop that has statements before the comment, and, if it goes on, behind it.
    let before = statements
        .iter()
        .copied()
        .filter(|&s| start(s) < place.start);
    let Some(last) = before.max_by_key(|&s| start(s)) else {
        return Vec::new();
    };
    let mut around = tree.loops(last);
    if is_loop(procedure, last) {
        around.push(last);
    }
    let earlier = |stmt: &&StmtId| start(**stmt) < place.start;
    let candidates: Vec<StmtId> = assigned.iter().filter(earlier).copied().collect();
    while let Some(l) = around.pop() {
        let inside = candidates.iter().copied();
        let inside: Vec<StmtId> = inside.filter(|&stmt| tree.contains(l, stmt)).collect();
        if !inside.is_empty() {
            return inside;
        }
    }
    candidates
}

/// The directives in a procedure's text: where they stand, and what they say.
fn directives(sources: &Sources, procedure: &Procedure) -> Vec<(Span, String)> {
    let mut files: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    for stmt in procedure.all_statements() {
        let span = procedure.stmts[stmt].span;
        if span.is_some() && span.file == procedure.home.span.file {
            let ends = files.entry(span.file).or_insert((usize::MAX, 0));
            ends.0 = ends.0.min(span.start as usize);
            ends.1 = ends.1.max(span.end as usize);
        }
    }
    let mut found = Vec::new();
    for (file, (first, last)) in files {
        let bytes = &sources.file(file).bytes;
        let mut start = first_comment(bytes, first);
        while start < bytes.len() && start < last {
            let end = bytes[start..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(bytes.len(), |length| start + length);
            let line = contraflow_ir::source::latin1_tolerant(&bytes[start..end]);
            if let Some(words) = directive(line.trim_end()) {
                found.push((Span::new(file, start, end), words.to_owned()));
            }
            start = end + 1;
        }
    }
    found
}

/// The start of the comment lines above a place.
fn first_comment(bytes: &[u8], at: usize) -> usize {
    let line_start = |at: usize| {
        let newline = bytes[..at].iter().rposition(|&b| b == b'\n');
        newline.map_or(0, |newline| newline + 1)
    };
    let mut start = line_start(at);
    while start > 0 {
        let above = line_start(start - 1);
        let line = contraflow_ir::source::latin1_tolerant(&bytes[above..start]);
        if !is_comment(line.trim_end()) {
            break;
        }
        start = above;
    }
    start
}

fn said(text: &str) -> Said<'_> {
    let lower = text.to_ascii_lowercase();
    for (word, keep) in [("store", Keep::Store), ("recompute", Keep::Recompute)] {
        let Some(rest) = lower.strip_prefix(word) else {
            continue;
        };
        // The same letters as written: names are compared without case.
        let rest = &text[text.len() - rest.len()..];
        let list = match rest.trim().strip_prefix('(') {
            Some(list) => list.rsplit_once(')').map(|(list, _)| list),
            // TAF: STORE x, y = tape, KEY = i
            None => rest.split('=').next(),
        };
        let names = names_of(list.unwrap_or_default());
        return match names.is_empty() {
            true => Said::Unknown,
            false => Said::Values(keep, names),
        };
    }
    match lower.starts_with("init") || said_of_loop(&lower) {
        true => Said::Nothing,
        false => Said::Unknown,
    }
}

/// `x, y(:, k)`: the variables, without what is in parentheses.
fn names_of(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = list.split(|c: char| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    });
    parts
        .map(|name| name.split(['(', '[']).next().unwrap_or_default().trim())
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Keep, Said, said};

    #[test]
    fn values_are_named_in_all_spellings() {
        for (text, names) in [
            ("store(x, y)", vec!["x", "y"]),
            ("STORE theta = comlev1, key = ikey", vec!["theta"]),
            ("store uVel(:,:,k), salt = tape", vec!["uVel", "salt"]),
        ] {
            let Said::Values(Keep::Store, found) = said(text) else {
                panic!("{text}");
            };
            assert_eq!(found, names);
        }
        assert!(
            matches!(said("recompute(z)"), Said::Values(Keep::Recompute, names) if names == ["z"])
        );
        assert!(matches!(said("INIT tape = COMMON, n"), Said::Nothing));
        assert!(matches!(said("checkpoint binomial(3)"), Said::Nothing));
        assert!(matches!(said("checkpoint-start"), Said::Unknown));
        assert!(matches!(said("store"), Said::Unknown));
    }
}
