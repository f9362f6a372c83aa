//! Reads what `gfortran -fdump-fortran-original` prints.
//!
//! Namespaces hold a list of symbols and, after `code:`, one statement a line. Expressions are
//! written `(+ a b)`, variables `scope:name`, elements `scope:name(i , j)`, calls
//! `name[[((first) (second))]]`.

use crate::skeleton::{Event, Outline, Skeleton, application};
use std::collections::{BTreeMap, BTreeSet};

/// Procedures with their statements, and what the names of the file stand for.
#[derive(Default, Debug)]
pub struct Dump {
    /// In the order of the source.
    pub outlines: Vec<Outline>,
    /// What names stand for in each procedure and module.
    pub names: BTreeMap<String, Names>,
}

/// Names in lower case with a meaning that no expression tells.
#[derive(Default, Debug)]
pub struct Names {
    /// PARAMETERs.
    pub constants: BTreeSet<String>,
    /// Statement functions.
    pub statement_functions: BTreeSet<String>,
}

/// Reads a whole dump.
pub fn read(text: &str) -> Dump {
    let mut dump = Dump::default();
    let mut symbol = String::new();
    let mut scope = String::new();
    let mut in_code = false;
    let mut in_transfer = false;
    for line in text.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("procedure name = ") {
            scope = name.to_ascii_lowercase();
            dump.outlines.push(Outline {
                procedure: scope.clone(),
                events: Vec::new(),
            });
            in_code = false;
        } else if line == "code:" {
            in_code = true;
        } else if in_code && transfers(line, &mut in_transfer) {
            // Loops in there are implied ones.
        } else if in_code {
            if let (Some(event), Some(outline)) = (event(line), dump.outlines.last_mut()) {
                outline.events.push(event);
            }
        } else if let Some(rest) = line.strip_prefix("symtree: '") {
            symbol = rest.split('\'').next().unwrap_or("").to_ascii_lowercase();
        } else if line.starts_with("attributes: (PARAMETER") {
            names(&mut dump, &scope).constants.insert(symbol.clone());
        } else if line.starts_with("attributes: (PROCEDURE STATEMENT-PROC") {
            names(&mut dump, &scope)
                .statement_functions
                .insert(symbol.clone());
        }
    }
    dump.outlines
        .retain(|outline| !outline.procedure.starts_with("__"));
    dump
}

fn names<'d>(dump: &'d mut Dump, scope: &str) -> &'d mut Names {
    dump.names.entry(scope.to_owned()).or_default()
}

fn without_label(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start()
}

/// Whether a line belongs to an input or output statement.
fn transfers(line: &str, in_transfer: &mut bool) -> bool {
    let line = without_label(line);
    let words = ["READ", "WRITE", "IOLENGTH"];
    let begins = words.iter().any(|word| line.starts_with(word));
    let ends = line.starts_with("DT_END");
    let belongs = *in_transfer || begins;
    *in_transfer = belongs && !ends;
    belongs
}

fn event(line: &str) -> Option<Event> {
    let line = without_label(line);
    let (word, rest, count) = if let Some(rest) = line.strip_prefix("POINTER ASSIGN ") {
        ("point", rest, 2)
    } else if let Some(rest) = line.strip_prefix("ASSIGN ") {
        ("assign", rest, 2)
    } else if let Some(rest) = line.strip_prefix("ELSE IF ") {
        ("else if", rest, 1)
    } else if let Some(rest) = line.strip_prefix("IF ") {
        ("if", rest, 1)
    } else if let Some(rest) = line.strip_prefix("DO WHILE ") {
        ("while", rest, 1)
    } else if line.starts_with("DO ") {
        ("do", "", 0)
    } else if line.starts_with("CALL ") {
        ("call", "", 0)
    } else {
        return None;
    };
    let mut reader = Reader { rest };
    let trees = (0..count).map(|_| reader.expression()).collect();
    Some(Event { word, trees })
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.to_owned()
    }

    fn expression(&mut self) -> Skeleton {
        self.skip_blanks();
        match self.rest.chars().next() {
            Some('(') => self.operation(),
            Some('\'') => self.string(),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.named(),
            _ => self.unknown(),
        }
    }

    /// Gives up on the rest of the line.
    fn unknown(&mut self) -> Skeleton {
        self.rest = "";
        Skeleton::Other
    }

    fn operation(&mut self) -> Skeleton {
        if self.rest.starts_with("(/ /") || self.rest.starts_with("(complex ") {
            return self.unknown();
        }
        self.take("(");
        let name = self.word(|c| !c.is_whitespace() && c != ')' && c != '(');
        let mut operands = Vec::new();
        while !self.rest.is_empty() {
            self.skip_blanks();
            if self.take(")") {
                break;
            }
            operands.push(self.expression());
        }
        match (name.as_str(), operands.len()) {
            ("parens", 1) => operands.remove(0),
            ("+" | "-" | "*" | "/" | "**" | "AND" | "OR" | "EQV" | "NEQV", 2)
            | ("==" | "/=" | "<" | "<=" | ">" | ">=", 2)
            | ("U-" | "U+" | "NOT", 1) => Skeleton::operation(&name, operands),
            _ => Skeleton::Other,
        }
    }

    fn string(&mut self) -> Skeleton {
        let mut escaped = false;
        let bytes = self.rest.as_bytes();
        let mut at = 1;
        while at < bytes.len() {
            match (bytes[at], bytes.get(at + 1)) {
                (b'\'', Some(b'\'')) if !escaped => escaped = true,
                (b'\'', _) if !escaped => break,
                _ => escaped = false,
            }
            at += 1;
        }
        self.rest = self.rest.get(at + 1..).unwrap_or("");
        Skeleton::Constant
    }

    fn number(&mut self) -> Skeleton {
        self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_'));
        Skeleton::Constant
    }

    /// A variable, an element of one, or a call.
    fn named(&mut self) -> Skeleton {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let first = self.word(is_part);
        if self.take("[[") {
            return self.call(&first);
        }
        let is_scoped = self.take(":");
        if !is_scoped || self.word(is_part).is_empty() {
            return self.unknown();
        }
        let shape = if self.take("(") {
            self.subscripts()
        } else {
            Skeleton::Variable
        };
        // What follows is a substring, a component or an element of one.
        if self.rest.starts_with(" % ") || self.rest.starts_with('(') {
            return self.unknown();
        }
        shape
    }

    fn subscripts(&mut self) -> Skeleton {
        let mut parts = Vec::new();
        let mut is_range = false;
        loop {
            self.skip_blanks();
            if self.take("FULL)") {
                return Skeleton::Variable;
            } else if self.take(":") {
                is_range = true;
            } else if self.rest.starts_with([',', ')']) {
                if is_range {
                    parts.push(Skeleton::Range);
                }
                is_range = false;
                if self.take(")") {
                    return Skeleton::Apply(parts);
                }
                self.take(",");
            } else if self.rest.is_empty() {
                return Skeleton::Other;
            } else {
                let part = self.expression();
                self.skip_blanks();
                if !is_range && !self.rest.starts_with(':') {
                    parts.push(part);
                }
            }
        }
    }

    /// `((a) (b) ((arg not-present)))]]`
    fn call(&mut self, name: &str) -> Skeleton {
        let mut arguments = Vec::new();
        self.take("(");
        loop {
            self.skip_blanks();
            if self.take("((arg not-present))") {
                continue;
            }
            if self.take(")") {
                break;
            }
            if !self.take("(") {
                return self.unknown();
            }
            arguments.push(self.expression());
            self.skip_blanks();
            if !self.take(")") {
                return self.unknown();
            }
        }
        if !self.take("]]") {
            return self.unknown();
        }
        application(name, arguments)
    }
}
