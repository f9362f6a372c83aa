//! New text between unchanged bytes: output in place is the original with disjoint edits.

/// Replaces `start..end` of the original (nothing, where they are equal) by `text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// One past the last byte replaced.
    pub end: usize,
    /// What stands there instead.
    pub text: Vec<u8>,
}

impl Edit {
    /// Inserts `text` before byte `at`.
    pub fn insert(at: usize, text: impl Into<Vec<u8>>) -> Self {
        Self {
            start: at,
            end: at,
            text: text.into(),
        }
    }
}

/// The original with all edits made. Edits at one place stand in the order given. `None` if edits
/// overlap or lie outside the original.
pub fn splice(original: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.start, edit.end));
    let mut output = Vec::with_capacity(original.len());
    let mut done = 0;
    for edit in sorted {
        if edit.start < done || edit.end < edit.start || edit.end > original.len() {
            return None;
        }
        output.extend_from_slice(&original[done..edit.start]);
        output.extend_from_slice(&edit.text);
        done = edit.end;
    }
    output.extend_from_slice(&original[done..]);
    Some(output)
}

/// `offset`, or the start of its line if only blanks stand between the two.
pub fn line_start(original: &[u8], offset: usize) -> usize {
    let offset = offset.min(original.len());
    let start = original[..offset]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let only_blanks = original[start..offset]
        .iter()
        .all(|&b| b == b' ' || b == b'\t');
    if only_blanks { start } else { offset }
}

/// `text` with the line ends that `original` uses, and beginning on a line of its own at `at`.
pub fn fitted(original: &[u8], at: usize, text: &str) -> Vec<u8> {
    let needs_newline = at > 0 && at <= original.len() && original[at - 1] != b'\n';
    let text = if needs_newline {
        format!("\n{text}")
    } else {
        text.to_owned()
    };
    if original.windows(2).any(|pair| pair == b"\r\n") {
        text.replace('\n', "\r\n").into_bytes()
    } else {
        text.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, fitted, line_start, splice};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_edits_change_nothing(original in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(splice(&original, &[]), Some(original));
        }

        #[test]
        fn taking_the_insertion_out_gives_the_original_back(
            original in proptest::collection::vec(any::<u8>(), 0..200),
            at in 0usize..200,
            text in proptest::collection::vec(any::<u8>(), 0..20),
        ) {
            let at = at.min(original.len());
            let mut output = splice(&original, &[Edit::insert(at, text.clone())]).unwrap();
            let inserted: Vec<u8> = output.drain(at..at + text.len()).collect();
            prop_assert_eq!(inserted, text);
            prop_assert_eq!(output, original);
        }

        #[test]
        fn the_order_in_which_disjoint_edits_are_given_does_not_matter(
            original in proptest::collection::vec(any::<u8>(), 10..50),
            first in 0usize..5,
            second in 5usize..10,
        ) {
            let a = Edit::insert(first, *b"a");
            let b = Edit { start: second, end: second + 1, text: b"b".to_vec() };
            prop_assert_eq!(
                splice(&original, &[a.clone(), b.clone()]),
                splice(&original, &[b, a])
            );
        }
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let edit = |start, end| Edit {
            start,
            end,
            text: Vec::new(),
        };
        assert_eq!(splice(b"abcdef", &[edit(0, 3), edit(2, 4)]), None);
        assert_eq!(splice(b"abc", &[edit(2, 9)]), None);
    }

    #[test]
    fn insertions_take_line_starts_and_line_ends_of_the_file() {
        assert_eq!(line_start(b"a\n  end", 4), 2);
        assert_eq!(line_start(b"a b", 2), 2);
        assert_eq!(fitted(b"a\r\nb", 3, "x\n"), b"x\r\n");
        assert_eq!(fitted(b"a", 1, "x\n"), b"\nx\n");
    }
}
