//! A scanner that knows just enough of C to cut text into tokens: comments, strings and
//! directives are not mistaken for code. It never fails; any byte is some token.

/// A token: bytes `start..end`, and the line (from 1) on which its logical line starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Token {
    pub start: u32,
    pub end: u32,
    pub line: u32,
}

impl Token {
    /// The token's bytes in the text that it was cut from.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }
}

/// What is met at the start of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directives {
    /// `#` lines are left out.
    Skip,
    /// The text has none; `#` is a token like another.
    Keep,
}

/// Whether a byte may stand in an identifier.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The tokens of `text[from..to]`. Spliced lines count to the line on which they begin.
pub(crate) fn tokens(text: &[u8], from: usize, to: usize, directives: Directives) -> Vec<Token> {
    let mut scanner = Scanner {
        text: &text[..to],
        at: from,
        physical: 1,
        logical: 1,
        line_begins: true,
    };
    let mut found = Vec::new();
    while scanner.skip_blanks() {
        if directives == Directives::Skip && scanner.line_begins && scanner.text[scanner.at] == b'#'
        {
            scanner.skip_directive();
            continue;
        }
        scanner.line_begins = false;
        let start = scanner.at;
        let line = scanner.logical;
        scanner.skip_token();
        found.push(Token {
            start: start as u32,
            end: scanner.at as u32,
            line,
        });
    }
    found
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    physical: u32,
    logical: u32,
    line_begins: bool,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The length of a line splice at `at`, or 0.
    fn splice(&self) -> usize {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// Goes over white space and comments; whether there is text left.
    fn skip_blanks(&mut self) -> bool {
        while self.at < self.text.len() {
            let splice = self.splice();
            if splice > 0 {
                self.at += splice;
                self.physical += 1;
                continue;
            }
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.at += 1;
                    self.physical += 1;
                    self.logical = self.physical;
                    self.line_begins = true;
                }
                (b'/', b'*') => self.skip_block_comment(),
                (b'/', b'/') => self.skip_line(),
                (byte, _) if byte.is_ascii_whitespace() || byte == 0x0b => self.at += 1,
                _ => return true,
            }
        }
        false
    }

    fn skip_block_comment(&mut self) {
        self.at += 2;
        while self.at < self.text.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
            self.physical += u32::from(self.peek(0) == b'\n');
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.text.len());
        self.logical = self.physical;
    }

    /// Goes to the end of the logical line, not over it.
    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            let splice = self.splice();
            self.physical += u32::from(splice > 0);
            self.at += splice.max(1);
        }
    }

    fn skip_directive(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            let splice = self.splice();
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => self.skip_block_comment(),
                _ => {
                    self.physical += u32::from(splice > 0);
                    self.at += splice.max(1);
                }
            }
        }
    }

    fn skip_token(&mut self) {
        match self.peek(0) {
            quote @ (b'"' | b'\'') => self.skip_quoted(quote),
            byte if byte.is_ascii_digit() => self.skip_number(),
            b'.' if self.peek(1).is_ascii_digit() => self.skip_number(),
            byte if is_word(byte) || self.is_universal() => {
                while is_word(self.peek(0)) || self.is_universal() {
                    self.at += 1;
                }
            }
            _ => self.at += 1,
        }
    }

    /// Whether a letter stands here by its number: `\u00e9`.
    fn is_universal(&self) -> bool {
        self.peek(0) == b'\\' && matches!(self.peek(1), b'u' | b'U')
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            match self.peek(0) {
                b'\\' if self.at + 1 < self.text.len() => {
                    self.physical += u32::from(self.peek(1) == b'\n');
                    self.at += 2;
                }
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    fn skip_number(&mut self) {
        while self.at < self.text.len() {
            match (self.peek(0), self.peek(1)) {
                (b'e' | b'E' | b'p' | b'P', b'+' | b'-') => self.at += 2,
                (byte, _) if is_word(byte) || byte == b'.' => self.at += 1,
                // A digit separator of C23.
                (b'\'', digit) if digit.is_ascii_hexdigit() => self.at += 2,
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, u32)> {
        tokens(text.as_bytes(), 0, text.len(), Directives::Skip)
            .into_iter()
            .map(|token| {
                let word = String::from_utf8_lossy(token.of(text.as_bytes())).into_owned();
                (word, token.line)
            })
            .collect()
    }

    #[test]
    fn comments_strings_and_directives_are_no_code() {
        let text = "#define A b \\\n c\nx /* y\n */ = \"/*\" // z\n;";
        assert_eq!(
            words(text),
            [("x", 3), ("=", 4), ("\"/*\"", 4), (";", 5)].map(|(w, l)| (w.to_owned(), l))
        );
    }

    #[test]
    fn a_spliced_line_counts_to_its_first() {
        assert_eq!(
            words("a \\\n b\nc"),
            [("a", 1), ("b", 1), ("c", 3)].map(|(w, l)| (w.to_owned(), l))
        );
    }

    #[test]
    fn an_exponent_sign_belongs_to_its_number() {
        let found = words("1.0e-5-.5f+0x1p+3");
        let found: Vec<_> = found.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(found, ["1.0e-5", "-", ".5f", "+", "0x1p+3"]);
    }
}
