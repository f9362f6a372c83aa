//! OpenMP directives, read as facts: which loop or block they cover, which variables are private.

use crate::lower::Lowerer;
use crate::syntax::blocks::Node;
use crate::view::DirectiveLine;
use contraflow_ir::{Directive, VarId};

/// What a directive does to the program's structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Covers the loop that follows.
    Loop,
    /// Opens a block that an END directive closes.
    Region,
    /// Closes such a block.
    EndRegion,
    /// Nothing that changes what a serial run computes.
    Other,
}

fn role(text: &str) -> Role {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(6)
        .collect();
    let has_loop = |words: &[&str]| {
        words
            .iter()
            .take_while(|word| is_construct_word(word))
            .any(|word| {
                matches!(
                    *word,
                    "do" | "simd" | "loop" | "distribute" | "taskloop" | "paralleldo"
                )
            })
    };
    match words.as_slice() {
        ["end", rest @ ..] if rest.first() == Some(&"parallel") && !has_loop(rest) => {
            Role::EndRegion
        }
        ["endparallel", ..] => Role::EndRegion,
        ["end", ..] => Role::Other,
        [first, ..] if first.starts_with("end") => Role::Other,
        words if has_loop(words) => Role::Loop,
        ["parallel", ..] => Role::Region,
        _ => Role::Other,
    }
}

fn is_construct_word(word: &str) -> bool {
    matches!(
        word,
        "do" | "simd"
            | "loop"
            | "distribute"
            | "taskloop"
            | "paralleldo"
            | "parallel"
            | "target"
            | "teams"
            | "for"
    )
}

impl Lowerer<'_> {
    fn directives_at(&self, statement: usize) -> &[DirectiveLine] {
        let all = self.directive_lines();
        let start = all.partition_point(|line| line.before < statement);
        let end = all.partition_point(|line| line.before <= statement);
        &all[start..end]
    }

    /// Notes the directive of the loop that may follow.
    pub(crate) fn take_directives(&mut self, statement: usize) {
        let lines: Vec<DirectiveLine> = self
            .directives_at(statement)
            .iter()
            .filter(|line| line.sentinel == "omp")
            .cloned()
            .collect();
        for line in lines {
            let text = line.text.to_ascii_lowercase();
            if role(&text) == Role::Loop {
                let directive = self.directive(&line.text);
                self.expect_loop(directive);
            }
        }
    }

    /// The blocks of PARALLEL directives in a list of nodes: `(start, end, directive)`.
    pub(crate) fn regions(&self, nodes: &[Node]) -> Vec<(usize, usize, Box<Directive>)> {
        if self.directive_lines().is_empty() {
            return Vec::new();
        }
        let mut open: Vec<(usize, String)> = Vec::new();
        let mut regions = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            self.note_regions(node.first(), index, &mut open, &mut regions);
        }
        if let Some(last) = nodes.last() {
            self.note_regions(last.last() + 1, nodes.len(), &mut open, &mut regions);
        }
        regions
            .into_iter()
            .map(|(start, end, text)| {
                let directive = Directive {
                    text,
                    collapse: 1,
                    ..Directive::default()
                };
                (start, end, Box::new(directive))
            })
            .collect()
    }

    fn note_regions(
        &self,
        statement: usize,
        index: usize,
        open: &mut Vec<(usize, String)>,
        regions: &mut Vec<(usize, usize, String)>,
    ) {
        for line in self.directives_at(statement) {
            if line.sentinel != "omp" {
                continue;
            }
            match role(&line.text.to_ascii_lowercase()) {
                Role::Region => open.push((index, line.text.clone())),
                Role::EndRegion => {
                    if let Some((start, text)) = open.pop()
                        && start < index
                    {
                        regions.push((start, index, text));
                    }
                }
                Role::Loop | Role::Other => {}
            }
        }
    }

    /// The facts of a directive's clauses.
    pub(crate) fn directive(&mut self, text: &str) -> Directive {
        let lower = text.to_ascii_lowercase();
        let mut directive = Directive {
            text: text.to_owned(),
            collapse: 1,
            independent: true,
            ..Directive::default()
        };
        for (name, inside) in clauses(&lower) {
            match name {
                "private" | "lastprivate" => directive.private.extend(self.variables_in(inside)),
                "firstprivate" => directive.first_private.extend(self.variables_in(inside)),
                "collapse" => directive.collapse = inside.trim().parse().unwrap_or(1),
                "reduction" => {
                    if let Some((op, list)) = inside.split_once(':') {
                        let op = op.trim().to_owned();
                        for var in self.variables_in(list) {
                            directive.reductions.push((op.clone(), var));
                        }
                    }
                }
                "ordered" => directive.independent = false,
                _ => {}
            }
        }
        directive
    }

    fn variables_in(&mut self, list: &str) -> Vec<VarId> {
        list.split(',')
            .filter_map(|name| self.variable_for_directive(name.trim()))
            .collect()
    }
}

/// `name(inside)` in a directive's text.
fn clauses(text: &str) -> Vec<(&str, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('(').map(|offset| at + offset) {
        let Some(close) = crate::syntax::scan::closing(bytes, open) else {
            break;
        };
        let head = text[at..open].trim_end();
        let name = head
            .rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .next()
            .unwrap_or("");
        found.push((name, &text[open + 1..close]));
        at = close + 1;
    }
    found
}
