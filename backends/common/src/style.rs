//! The habits of a user's file: indentation, case of keywords, line width.

/// How Fortran keywords are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeywordCase {
    /// `end subroutine`
    Lower,
    /// `END SUBROUTINE`
    Upper,
}

/// How a file is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Style {
    /// One level of indentation.
    pub unit: String,
    /// How keywords are written.
    pub keywords: KeywordCase,
    /// The widest line to write.
    pub width: usize,
}

impl Style {
    /// The style of generated files without a model.
    pub fn plain(unit: &str, width: usize) -> Self {
        Self {
            unit: unit.to_owned(),
            keywords: KeywordCase::Lower,
            width,
        }
    }

    /// The style of a file. Where the text says nothing, that of `fallback`. Lines become as wide
    /// as the file's widest code line, but at least as the fallback and at most `widest`.
    pub fn of(text: &[u8], fallback: &Style, widest: usize) -> Self {
        let lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
        let longest = lines.iter().map(|line| line.len()).max().unwrap_or(0);
        Self {
            unit: indentation(&lines).unwrap_or_else(|| fallback.unit.clone()),
            keywords: keyword_case(text).unwrap_or(fallback.keywords),
            width: longest.clamp(fallback.width.min(widest), widest),
        }
    }

    /// A keyword in the file's case.
    pub fn keyword(&self, word: &str) -> String {
        match self.keywords {
            KeywordCase::Lower => word.to_ascii_lowercase(),
            KeywordCase::Upper => word.to_ascii_uppercase(),
        }
    }
}

/// The most common step by which a line is indented more than the one before.
fn indentation(lines: &[&[u8]]) -> Option<String> {
    let mut counts = [0usize; 9];
    let mut tabs = 0;
    let mut before: Option<usize> = None;
    for line in lines {
        let blanks = line.iter().take_while(|&&b| b == b' ').count();
        match line.get(blanks) {
            None | Some(b'\r') => continue,
            Some(b'\t') => tabs += 1,
            Some(_) => {}
        }
        if let Some(step) = before.and_then(|b| blanks.checked_sub(b))
            && (1..=8).contains(&step)
        {
            counts[step] += 1;
        }
        before = Some(blanks);
    }
    let best = (1..=8).rev().max_by_key(|&step| counts[step])?;
    if tabs > counts[best] {
        return Some("\t".to_owned());
    }
    (counts[best] > 0).then(|| " ".repeat(best))
}

/// The case in which most of the common keywords are written.
fn keyword_case(text: &[u8]) -> Option<KeywordCase> {
    const WORDS: [&str; 8] = [
        "end",
        "do",
        "if",
        "then",
        "call",
        "integer",
        "real",
        "subroutine",
    ];
    let (mut lower, mut upper) = (0, 0);
    for word in text.split(|b| !b.is_ascii_alphanumeric()) {
        let matches = |w: &&str| w.as_bytes().eq_ignore_ascii_case(word);
        if WORDS.iter().any(matches) {
            if word.iter().all(u8::is_ascii_uppercase) {
                upper += 1;
            } else {
                lower += 1;
            }
        }
    }
    match (lower, upper) {
        (0, 0) => None,
        _ if upper > lower => Some(KeywordCase::Upper),
        _ => Some(KeywordCase::Lower),
    }
}

/// The blanks before the text at `offset` on its line.
pub fn indentation_at(text: &[u8], offset: usize) -> String {
    let offset = offset.min(text.len());
    let start = text[..offset]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    text[start..]
        .iter()
        .take_while(|&&b| b == b' ' || b == b'\t')
        .map(|&b| b as char)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{KeywordCase, Style, indentation_at};

    #[test]
    fn indentation_and_keyword_case_follow_the_file() {
        let text = b"SUBROUTINE s\n    INTEGER i\n    DO i=1,2\n        x = i\n    END DO\nEND\n";
        let style = Style::of(text, &Style::plain("  ", 80), 132);
        assert_eq!(style.unit, "    ");
        assert_eq!(style.keywords, KeywordCase::Upper);
        assert_eq!(style.keyword("end do"), "END DO");
        assert_eq!(style.width, 80);
    }

    #[test]
    fn an_empty_file_has_the_fallback_style() {
        let plain = Style::plain("  ", 80);
        assert_eq!(Style::of(b"", &plain, 132), plain);
    }

    #[test]
    fn indentation_of_a_line_is_found_from_inside_it() {
        assert_eq!(indentation_at(b"a\n   b c", 7), "   ");
    }
}
