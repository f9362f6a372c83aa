//! Text of an expression with the rank of its outermost operator, so that parentheses are put
//! exactly where the target's grammar (or the tree) needs them.

use crate::writer::is_mark;

/// The text of an expression and how tightly its outermost operator binds: higher ranks bind
/// tighter. Each back end has its own table of ranks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The text, with [`BREAK`](crate::BREAK) where a line may be broken.
    pub text: String,
    /// The rank of the outermost operator.
    pub rank: u8,
}

impl Term {
    /// A term of a rank.
    pub fn new(text: impl Into<String>, rank: u8) -> Self {
        Self {
            text: text.into(),
            rank,
        }
    }

    /// The text as an operand that must bind at least as tightly as `rank`.
    pub fn at_least(self, rank: u8) -> String {
        if self.rank >= rank {
            self.text
        } else {
            format!("({})", self.text)
        }
    }
}

/// A subscript without blanks and breaks around its signs, as it is written inside brackets.
pub fn tight(subscript: &str) -> String {
    let plain = !subscript.contains(['\'', '"', ',', '<', '>', '=', '?', '&', '|', '.']);
    if !plain {
        return subscript.to_owned();
    }
    let text: String = subscript.chars().filter(|&c| !is_mark(c)).collect();
    text.replace(" + ", "+").replace(" - ", "-")
}

#[cfg(test)]
mod tests {
    use super::Term;

    #[test]
    fn only_looser_operators_get_parentheses() {
        assert_eq!(Term::new("a + b", 1).at_least(2), "(a + b)");
        assert_eq!(Term::new("a*b", 2).at_least(2), "a*b");
    }
}
