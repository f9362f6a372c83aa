//! What the user says of time loops: on the command line, or in a comment above the loop.
//!
//! ```text
//! --checkpoint 'advance::it=binomial(20)'       the loops over `it` in `advance`
//! --checkpoint 'advance::120=binomial(20)'      the loop that starts on line 120
//! !$ad checkpoint binomial(20)                  #pragma ad checkpoint binomial(20)
//! !$ad binomial-ckp nsteps+1 20 1               (Tapenade's)
//! !$taf checkpoint binomial(20)
//! !$ad ii-loop                                   !$taf loop = parallel          (Tapenade's, TAF's)
//! !$ad checkpoint disk(100, 5)                  100 snapshots on disk, 5 in memory at a time
//! ```

use std::collections::BTreeMap;

use contraflow_ir::{Diagnostic, Module, Procedure, Sources, Span, Stmt, StmtId};

use crate::analysis::tree::{Tree, is_loop};
use crate::checkpoint::{Decisions, Reversal, Schedule};

/// How the user wants a loop to be reversed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The procedure that it stands in.
    pub procedure: String,
    /// Which loop of it.
    pub which: Which,
    /// How.
    pub reversal: Reversal,
    /// As the user wrote it.
    pub text: String,
}

/// Names a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// The loops over a variable that no other loop over it is around.
    Variable(String),
    /// The one that starts on this line.
    Line(usize),
}

impl Hint {
    /// Reads what stands after `--checkpoint`.
    ///
    /// # Errors
    /// What is not understood, with the grammar as help.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let wrong = || {
            Diagnostic::error("bad-checkpoint", format!("cannot read `--checkpoint {text}`"))
                .with_help("write PROCEDURE::VARIABLE=binomial(20), or the line of the loop in place of its variable, or =all")
        };
        let (place, schedule) = text.split_once('=').ok_or_else(wrong)?;
        let (procedure, which) = place.split_once("::").ok_or_else(wrong)?;
        let which = which.trim();
        let is_name = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !is_name(procedure.trim()) || !is_name(which) {
            return Err(wrong());
        }
        Ok(Self {
            procedure: procedure.trim().to_owned(),
            which: match which.parse() {
                Ok(line) => Which::Line(line),
                Err(_) => Which::Variable(which.to_owned()),
            },
            reversal: reversal(schedule).ok_or_else(wrong)?,
            text: text.to_owned(),
        })
    }

    fn loops(&self, sources: &Sources, procedure: &Procedure) -> Vec<StmtId> {
        if !procedure.name.eq_ignore_ascii_case(&self.procedure) {
            return Vec::new();
        }
        let named: Vec<StmtId> = procedure
            .all_statements()
            .into_iter()
            .filter(|&stmt| is_loop(procedure, stmt))
            .filter(|&stmt| self.names(sources, procedure, stmt))
            .collect();
        let tree = Tree::of(procedure);
        let is_inner = |l: StmtId| {
            named
                .iter()
                .any(|&other| other != l && tree.contains(other, l))
        };
        named.iter().copied().filter(|&l| !is_inner(l)).collect()
    }

    fn names(&self, sources: &Sources, procedure: &Procedure, l: StmtId) -> bool {
        let span = procedure.stmts[l].span;
        match &self.which {
            Which::Line(line) => line_of(sources, span) == Some(*line),
            Which::Variable(name) => match procedure.stmt(l) {
                Stmt::Loop { variable, .. } => procedure.variables[*variable]
                    .name
                    .eq_ignore_ascii_case(name),
                _ => counts(&sources.snippet(span), name),
            },
        }
    }
}

/// Whether the head of a loop that has become one without trip count gives a variable values:
/// `do it = …`, `for (it = …`, `for (int it = …`.
fn counts(head: &str, name: &str) -> bool {
    let Some((before, _)) = head.split_once('=') else {
        return false;
    };
    let word = before
        .trim_end()
        .rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next();
    word.is_some_and(|word| word.eq_ignore_ascii_case(name))
}

/// The line on which something starts.
pub(crate) fn line_of(sources: &Sources, span: Span) -> Option<usize> {
    span.is_some()
        .then(|| sources.file(span.file).line_column(span.start as usize).0)
}

/// `binomial(20)`, `disk(100)`, `disk(100,5)`, `all`
fn reversal(text: &str) -> Option<Reversal> {
    let text: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase();
    match text.as_str() {
        "all" => return Some(Reversal::Joint),
        "split" => return Some(Reversal::Split),
        _ => {}
    }
    if let Some(numbers) = text.strip_prefix("disk(") {
        return on_disk(numbers.strip_suffix(')')?);
    }
    let slots = text.strip_prefix("binomial(")?.strip_suffix(')')?;
    binomial(slots)
}

/// `100` or `100,5`
fn on_disk(numbers: &str) -> Option<Reversal> {
    let (files, slots) = numbers.split_once(',').unwrap_or((numbers, "2"));
    let number = |text: &str| text.parse().ok().filter(|&number: &u32| number > 0);
    let (files, slots) = (number(files)?, number(slots)?);
    Some(Reversal::Checkpointed(Schedule::Disk { files, slots }))
}

fn binomial(slots: &str) -> Option<Reversal> {
    let slots = slots.parse().ok().filter(|&slots| slots > 0)?;
    Some(Reversal::Checkpointed(Schedule::Binomial { slots }))
}

/// The hints that name no loop of the program.
pub fn unknown(module: &Module, sources: &Sources, hints: &[Hint]) -> Vec<Diagnostic> {
    let names_one = |hint: &Hint| {
        module
            .procedures
            .iter()
            .any(|(_, procedure)| !hint.loops(sources, procedure).is_empty())
    };
    hints
        .iter()
        .filter(|hint| !names_one(hint))
        .map(|hint| {
            Diagnostic::error(
                "unknown-loop",
                format!("`--checkpoint {}` names no loop of the program", hint.text),
            )
            .with_help("a loop is named by the procedure that it stands in, and by its variable or the line on which it starts")
        })
        .collect()
}

/// What the user says of the loops of a procedure.
///
/// # Errors
/// Comments that are not understood.
pub fn decisions(
    sources: &Sources,
    procedure: &Procedure,
    hints: &[Hint],
) -> Result<Decisions, Vec<Diagnostic>> {
    let mut loops: BTreeMap<StmtId, Reversal> = BTreeMap::new();
    let mut problems = Vec::new();
    for stmt in procedure.all_statements() {
        if !is_loop(procedure, stmt) {
            continue;
        }
        match comment_above(sources, procedure.stmts[stmt].span) {
            Some(Ok(reversal)) => {
                loops.insert(stmt, reversal);
            }
            Some(Err(problem)) => problems.push(problem),
            None => {}
        }
    }
    for hint in hints {
        for l in hint.loops(sources, procedure) {
            loops.insert(l, hint.reversal);
        }
    }
    for (&l, &reversal) in &loops {
        let is_counted = matches!(procedure.stmt(l), Stmt::Loop { .. });
        if reversal == Reversal::Joint && !is_counted {
            problems.push(
                Diagnostic::error(
                    "not-checkpointed",
                    "a loop whose trips are not counted before it runs cannot keep all its states",
                )
                .at(procedure.stmts[l].span, "the loop")
                .with_help("write checkpoint binomial(20)"),
            );
        }
    }
    if problems.is_empty() {
        Ok(Decisions {
            loops,
            ..Decisions::default()
        })
    } else {
        Err(problems)
    }
}

/// What the comment lines right above a loop say of it.
fn comment_above(sources: &Sources, span: Span) -> Option<Result<Reversal, Diagnostic>> {
    if !span.is_some() {
        return None;
    }
    let bytes = &sources.file(span.file).bytes;
    let mut end = line_start(bytes, span.start as usize);
    while end > 0 {
        let start = line_start(bytes, end - 1);
        let line = contraflow_ir::source::latin1_tolerant(&bytes[start..end]);
        let line = line.trim_end();
        if !is_comment(line) {
            return None;
        }
        if let Some(words) = directive(line) {
            match said(words) {
                Said::Reversal(reversal) => return Some(Ok(reversal)),
                Said::Nonsense => {
                    let place = Span::new(span.file, start, start + line.len());
                    let problem = Diagnostic::error(
                        "bad-checkpoint",
                        "cannot read this directive about snapshots",
                    )
                    .at(place, "here")
                    .with_help("write `checkpoint binomial(20)` or `checkpoint all`");
                    return Some(Err(problem));
                }
                Said::Other => {}
            }
        }
        end = start;
    }
    None
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    bytes[..at]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |newline| newline + 1)
}

/// Whether a line is blank, a comment of either language, or a pragma.
pub(crate) fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    let in_first_column = line.starts_with(['c', 'C', '*', 'd', 'D'])
        && line[1..].starts_with(|c: char| !c.is_ascii_alphabetic());
    text.is_empty()
        || in_first_column
        || text.starts_with('!')
        || text.starts_with("//")
        || text.starts_with("/*") && text.ends_with("*/")
        || text.starts_with("#pragma")
}

/// What follows the mark of a directive for automatic differentiation: `!$ad`, `c$taf`, `/* $AD`,
/// `#pragma ad`.
pub(crate) fn directive(line: &str) -> Option<&str> {
    let text = line.trim_start();
    if let Some(words) = of_taf(text) {
        return Some(words);
    }
    let rest = match text.strip_prefix("#pragma") {
        Some(rest) => rest.trim_start(),
        None => text
            .trim_start_matches(['!', 'c', 'C', '*', '/', ' '])
            .strip_prefix('$')?,
    };
    let end = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let (mark, words) = rest.split_at(end);
    let is_mark = ["ad", "taf"]
        .iter()
        .any(|known| mark.eq_ignore_ascii_case(known));
    is_mark.then(|| words.trim().trim_end_matches("*/").trim())
}

/// What follows the older mark of TAF's: `CADJ STORE x = tape`.
fn of_taf(text: &str) -> Option<&str> {
    let mark = text.get(..4)?;
    let is_mark = ["cadj", "!adj", "*adj"]
        .iter()
        .any(|known| mark.eq_ignore_ascii_case(known));
    let words = text[4..].strip_prefix([' ', '\t'])?.trim();
    let first = words.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    let is_known = ["store", "init", "loop"]
        .iter()
        .any(|known| first.eq_ignore_ascii_case(known));
    (is_mark && is_known).then_some(words)
}

/// Whether a directive, in small letters, is about the loop below it.
pub(crate) fn said_of_loop(words: &str) -> bool {
    !matches!(said(words), Said::Other)
}

enum Said {
    Reversal(Reversal),
    Nonsense,
    Other,
}

fn said(words: &str) -> Said {
    let lower = words.to_ascii_lowercase();
    let found = if let Some(rest) = lower.strip_prefix("checkpoint ") {
        reversal(rest)
    } else if let Some(rest) = lower.strip_prefix("binomial-ckp ") {
        // The number of steps, that of snapshots, and that of the first step.
        let parts: Vec<&str> = rest.split_whitespace().collect();
        parts
            .len()
            .checked_sub(2)
            .and_then(|at| binomial(parts[at]))
    } else if lower.starts_with("ii-loop") || is_parallel(&lower) {
        Some(Reversal::Joint)
    } else {
        return Said::Other;
    };
    found.map_or(Said::Nonsense, Said::Reversal)
}

/// TAF's word for independent iterations: `loop = parallel`.
fn is_parallel(words: &str) -> bool {
    let words: String = words.chars().filter(|c| !c.is_whitespace()).collect();
    words.starts_with("loop=parallel")
}

#[cfg(test)]
mod tests {
    use super::{Hint, Which, counts, directive, reversal};
    use crate::checkpoint::{Reversal, Schedule};

    #[test]
    fn directives_of_all_spellings_are_read() {
        for line in [
            "!$ad checkpoint binomial(20)",
            "  !$AD CHECKPOINT BINOMIAL( 20 )",
            "c$taf checkpoint binomial(20)",
            "#pragma ad checkpoint binomial(20)",
            "  /* $AD checkpoint binomial(20) */",
            "// $AD checkpoint binomial(20)",
            "C$AD BINOMIAL-CKP nsteps+1 20 1",
        ] {
            let words = directive(line).unwrap_or_else(|| panic!("{line}"));
            let super::Said::Reversal(found) = super::said(words) else {
                panic!("{line}");
            };
            assert_eq!(
                found,
                Reversal::Checkpointed(Schedule::Binomial { slots: 20 })
            );
        }
        for line in [
            "CADJ STORE x = tape",
            "!adj init tape = 1",
            "c$taf store x = tape",
        ] {
            assert!(directive(line).is_some(), "{line}");
        }
        for line in [
            "cadj is the mark",
            "! add one",
            "c adjust",
            "x = 1",
            "!$omp parallel do",
            "* $ price",
        ] {
            assert!(directive(line).is_none(), "{line}");
        }
    }

    #[test]
    fn a_hint_names_a_loop_by_variable_or_line() {
        let hint = Hint::parse("advance::it=binomial(3)").unwrap();
        assert_eq!(hint.which, Which::Variable("it".into()));
        assert_eq!(Hint::parse("f::12=all").unwrap().which, Which::Line(12));
        for wrong in [
            "it=binomial(3)",
            "f::it",
            "f::it=binomial(0)",
            "f::=all",
            "f::i=x",
        ] {
            assert!(Hint::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(reversal("binomial(x)"), None);
    }

    #[test]
    fn the_variable_of_a_loop_is_read_off_its_head() {
        assert!(counts("do it = 1, n", "IT"));
        assert!(counts("for (int it = 0; it < n; it++)", "it"));
        assert!(!counts("do while (it /= n)", "it"));
        assert!(!counts("while (x)", "x"));
    }
}
