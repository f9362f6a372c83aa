//! Type specifications: `REAL(KIND=dp)`, `CHARACTER*(*)`, `INTEGER*4`, `TYPE(point)`.

use super::scope::{Base, ExprRef, KindName, Length, TypeName};
use crate::cst::{Syntax, Tree};
use crate::syntax::scan::{closing, commas};
use crate::view::{Slice, Statement};
use std::sync::Arc;

/// A type specification taken apart as text: which parts are to be parsed as expressions.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeParts {
    base: Base,
    bytes: Option<u32>,
    kind: Slice,
    length: LengthPart,
    spelling: String,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum LengthPart {
    None,
    Assumed,
    Expr(Slice),
}

impl TypeParts {
    /// Takes the text of a type specification apart.
    pub fn of(statement: &Statement, slice: Slice) -> Option<TypeParts> {
        let text = statement.part(slice);
        let (word, base) = words()
            .into_iter()
            .find(|(word, _)| text.starts_with(word))?;
        let start = slice.start as usize + word.len();
        let mut parts = TypeParts {
            base,
            bytes: None,
            kind: Slice::default(),
            length: LengthPart::None,
            spelling: spelling(statement, slice, word),
        };
        let bytes = &statement.text.as_bytes()[..slice.range().end];
        match bytes.get(start) {
            Some(b'*') => parts.star(statement, start + 1, slice),
            Some(b'(') => {
                let close = closing(bytes, start)?;
                parts.arguments(statement, Slice::new(start + 1, close));
            }
            _ => {}
        }
        Some(parts)
    }

    fn star(&mut self, statement: &Statement, at: usize, slice: Slice) {
        let bytes = statement.text.as_bytes();
        let is_character = self.base == Base::Character;
        if bytes.get(at) == Some(&b'(') {
            let inside = Slice::new(at + 1, (slice.end as usize).saturating_sub(1));
            self.set_length(statement, inside);
        } else if is_character {
            self.set_length(statement, Slice::new(at, slice.end as usize));
        } else {
            let text = statement.part(Slice::new(at, slice.end as usize));
            self.bytes = text.parse().ok();
        }
    }

    fn set_length(&mut self, statement: &Statement, slice: Slice) {
        self.length = match statement.part(slice) {
            "*" | ":" => LengthPart::Assumed,
            _ => LengthPart::Expr(slice),
        };
    }

    fn arguments(&mut self, statement: &Statement, inside: Slice) {
        if let Base::Derived(name) = &mut self.base {
            let text = statement.part(inside);
            *name = text.split('(').next().unwrap_or(text).to_owned();
            return;
        }
        if let Base::Procedure(interface) = &mut self.base {
            *interface = statement.part(inside).to_owned();
            return;
        }
        for (index, part) in commas(statement.text.as_bytes(), inside)
            .into_iter()
            .enumerate()
        {
            let text = statement.part(part);
            let skip = |word: &str| Slice {
                start: part.start + word.len() as u32,
                end: part.end,
            };
            let is_character = self.base == Base::Character;
            if text.starts_with("kind=") {
                self.kind = skip("kind=");
            } else if text.starts_with("len=") {
                self.set_length(statement, skip("len="));
            } else if is_character && index == 0 {
                self.set_length(statement, part);
            } else {
                self.kind = part;
            }
        }
    }

    /// The kind as it stands there, empty if none is given.
    pub fn kind_text<'s>(&self, statement: &'s Statement) -> &'s str {
        statement.part(self.kind)
    }

    /// The length of a character as it stands there, empty if none is given.
    pub fn length_text<'s>(&self, statement: &'s Statement) -> &'s str {
        match self.length {
            LengthPart::Expr(slice) => statement.part(slice),
            LengthPart::None | LengthPart::Assumed => "",
        }
    }

    /// The parts that are expressions, in ascending order.
    pub fn slices(&self) -> [Slice; 2] {
        let length = match self.length {
            LengthPart::Expr(slice) => slice,
            _ => Slice::default(),
        };
        if length.start <= self.kind.start {
            [length, self.kind]
        } else {
            [self.kind, length]
        }
    }

    /// The type, with its expressions taken from the tree; `first` is the index of the first of
    /// the two slices there.
    pub fn resolve(self, tree: &Arc<Tree>, first: usize) -> TypeName {
        let slices = self.slices();
        let find = |slice: Slice| {
            let index = slices.iter().position(|s| *s == slice && !s.is_empty())?;
            let node = tree.root(first + index)?;
            Some(ExprRef {
                tree: tree.clone(),
                node,
            })
        };
        let kind = match (self.bytes, find(self.kind)) {
            (Some(bytes), _) => KindName::Bytes(bytes),
            (None, Some(expr)) => KindName::Expr(expr),
            (None, None) => KindName::Default,
        };
        let length = match self.length {
            LengthPart::None => None,
            LengthPart::Assumed => Some(Length::Assumed),
            LengthPart::Expr(slice) => find(slice).map(Length::Expr),
        };
        TypeName {
            base: self.base,
            kind,
            length,
            spelling: self.spelling,
        }
    }
}

fn words() -> [(&'static str, Base); 11] {
    [
        ("integer", Base::Integer),
        ("real", Base::Real),
        ("doubleprecision", Base::Double),
        ("doublecomplex", Base::DoubleComplex),
        ("complex", Base::Complex),
        ("logical", Base::Logical),
        ("character", Base::Character),
        ("byte", Base::Integer),
        ("type", Base::Derived(String::new())),
        ("class", Base::Derived(String::new())),
        ("procedure", Base::Procedure(String::new())),
    ]
}

fn spelling(statement: &Statement, slice: Slice, word: &str) -> String {
    let text = statement.original_part(slice);
    if word.starts_with("double") && text.len() > 6 {
        return format!("{} {}", &text[..6], &text[6..]);
    }
    text.to_owned()
}

/// The dimensions in a list of bounds.
pub fn dimensions(tree: &Arc<Tree>, index: usize) -> Vec<super::scope::DimSpec> {
    use super::scope::{DimSpec, Upper};
    let refer = |node| ExprRef {
        tree: tree.clone(),
        node,
    };
    tree.roots(index)
        .iter()
        .map(|&root| match *tree.syntax(root) {
            Syntax::Star => DimSpec {
                lower: None,
                upper: Upper::Star,
            },
            Syntax::Range(lower, upper, _) => DimSpec {
                lower: lower.map(refer),
                upper: match upper {
                    None => Upper::Colon,
                    Some(node) if *tree.syntax(node) == Syntax::Star => Upper::Star,
                    Some(node) => Upper::Expr(refer(node)),
                },
            },
            _ => DimSpec {
                lower: None,
                upper: Upper::Expr(refer(root)),
            },
        })
        .collect()
}
