//! Statements that differ in their names, numbers and strings only have the same tree. The
//! outline of a text has one byte for each of those; trees are kept by outline, so the grammar
//! runs once per outline: a few thousand times in a library of a hundred thousand statements.

use super::{Node, NodeId, Syntax};
use crate::view::Slice;
use std::collections::HashMap;

/// How many trees are kept.
const MOST: usize = 1 << 16;

/// The longest outline whose tree is kept.
const LONGEST: usize = 256;

/// A neutral text with runs shortened.
#[derive(Default)]
pub(super) struct Outline {
    text: Vec<u8>,
    /// Where each byte of the outline stands in the neutral text; at last, the text's length.
    starts: Vec<u32>,
}

impl Outline {
    /// Takes the outline of a neutral text.
    pub(super) fn trace(&mut self, neutral: &[u8]) {
        self.text.clear();
        self.starts.clear();
        let mut at = 0;
        while at < neutral.len() {
            let byte = neutral[at];
            at = match byte {
                b'\'' | b'"' => self.string(neutral, at),
                b'z' => self.run(neutral, at, |b| b == b'z', b'z'),
                b'0'..=b'9' => self.run(neutral, at, |b| b.is_ascii_digit(), b'1'),
                b' ' => self.run(neutral, at, |b| b == b' ', b' '),
                _ => self.copy(neutral, at, at + 1),
            };
        }
        self.starts.push(neutral.len() as u32);
    }

    fn push(&mut self, byte: u8, at: usize) {
        self.text.push(byte);
        self.starts.push(at as u32);
    }

    fn copy(&mut self, neutral: &[u8], from: usize, to: usize) -> usize {
        for (at, &byte) in neutral.iter().enumerate().take(to).skip(from) {
            self.push(byte, at);
        }
        to
    }

    /// Shortens a run to one byte, unless it is the prefix of a literal.
    fn run(&mut self, neutral: &[u8], at: usize, belongs: fn(u8) -> bool, short: u8) -> usize {
        let length = neutral[at..].iter().take_while(|b| belongs(**b)).count();
        let end = at + length;
        if matches!(neutral.get(end), Some(b'\'' | b'"' | b'_')) {
            return self.copy(neutral, at, end);
        }
        self.push(short, at);
        end
    }

    /// Shortens what is between quotes, unless it is the digits of a literal.
    fn string(&mut self, neutral: &[u8], at: usize) -> usize {
        let rest = &neutral[at + 1..];
        let length = rest.iter().position(|&b| b == neutral[at]);
        let Some(length) = length else {
            return self.copy(neutral, at, neutral.len());
        };
        let close = at + 1 + length;
        if length == 0 || rest[..length].iter().any(|&b| b != b'z') {
            return self.copy(neutral, at, close + 1);
        }
        self.push(neutral[at], at);
        self.push(b'z', at + 1);
        self.push(neutral[close], close);
        close + 1
    }

    /// From the outline to the statement, whose parsed part begins at `base`.
    fn outward(&self, slice: Slice, base: u32) -> Slice {
        Slice {
            start: base + self.starts[slice.start as usize],
            end: base + self.starts[slice.end as usize],
        }
    }

    /// From the statement to the outline; `None` if the place is inside of a shortened run.
    fn inward(&self, slice: Slice, base: u32) -> Option<Slice> {
        let find = |at: u32| self.starts.binary_search(&at.checked_sub(base)?).ok();
        Some(Slice::new(find(slice.start)?, find(slice.end)?))
    }
}

/// A tree whose slices are parts of the outline.
struct Form {
    nodes: Vec<Node>,
    items: Vec<NodeId>,
}

/// The trees by outline.
#[derive(Default)]
pub(super) struct Forms(HashMap<Box<[u8]>, Form>);

impl Forms {
    /// The nodes and items for a text with this outline, if one was parsed before.
    pub(super) fn recall(&self, outline: &Outline, base: u32) -> Option<(Vec<Node>, Vec<NodeId>)> {
        let form = self.0.get(outline.text.as_slice())?;
        let nodes = form.nodes.iter().map(|node| {
            let outward = |slice| Some(outline.outward(slice, base));
            moved(node, outward)
        });
        Some((nodes.collect::<Option<_>>()?, form.items.clone()))
    }

    /// Keeps a tree.
    pub(super) fn keep(&mut self, outline: &Outline, base: u32, nodes: &[Node], items: &[NodeId]) {
        if outline.text.len() > LONGEST || self.0.len() >= MOST {
            return;
        }
        let inward = |slice| outline.inward(slice, base);
        let nodes: Option<Vec<Node>> = nodes.iter().map(|node| moved(node, inward)).collect();
        if let Some(nodes) = nodes {
            let items = items.to_vec();
            self.0
                .insert(outline.text.as_slice().into(), Form { nodes, items });
        }
    }
}

/// A node with its slices moved.
fn moved(node: &Node, shift: impl Fn(Slice) -> Option<Slice>) -> Option<Node> {
    let mut moved = node.clone();
    moved.slice = shift(node.slice)?;
    match &mut moved.syntax {
        Syntax::Member(_, slice)
        | Syntax::Keyword(slice, _)
        | Syntax::Array(_, Some(slice))
        | Syntax::ImpliedDo(_, slice, _) => *slice = shift(*slice)?,
        _ => {}
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::Outline;

    fn outline(neutral: &str) -> String {
        let mut outline = Outline::default();
        outline.trace(neutral.as_bytes());
        String::from_utf8(outline.text).unwrap()
    }

    #[test]
    fn names_numbers_and_strings_are_one_byte_each() {
        assert_eq!(outline("zzz(zz,12)   ,1.50d-10*zz"), "z(z,1) ,1.1d-1*z");
        assert_eq!(outline("zzz,'zzzz',''"), "z,'z',''");
    }

    #[test]
    fn prefixes_and_digits_of_literals_stand_as_they_are() {
        assert_eq!(outline("zzzz,z'1ff0'"), "z,z'1ff0'");
        assert_eq!(outline("zz_'zz'"), "zz_'z'");
    }

    #[test]
    fn places_are_found_again_but_not_inside_of_a_name() {
        use crate::view::Slice;
        let mut outline = Outline::default();
        outline.trace(b"zzz+zz");
        let inner = outline.inward(Slice::new(14, 16), 10);
        assert_eq!(inner, Some(Slice::new(2, 3)));
        assert_eq!(outline.outward(Slice::new(2, 3), 10), Slice::new(14, 16));
        assert_eq!(outline.inward(Slice::new(11, 13), 10), None);
    }
}
