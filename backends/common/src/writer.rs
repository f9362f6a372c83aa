//! Lines of code: indentation, and continuation of lines that are too long.
//!
//! A logical line is handed over as one string in which [`BREAK`] marks the places where it may be
//! broken. Of the places that fit, the writer takes the one that is nested least, and of those the
//! last, so that a long sum breaks at its terms and not inside a subscript.

use std::collections::VecDeque;

/// Marks a place where a logical line may be broken. It never reaches the output.
pub const BREAK: char = '\u{1}';

/// Marks a place where a logical line may be broken, but rather not: inside a product.
pub const TIGHT: char = '\u{2}';

/// Free form reads no more of a line. A token that is longer (a message, mostly) goes on in the
/// next line between two `&`.
const FREE_FORM_LIMIT: usize = 132;

/// Fixed form reads no more of a line, and goes on right after column 6 of the next one, inside a
/// token as well.
const FIXED_FORM_LIMIT: usize = 72;

/// No line of fixed form begins further to the right, so that there is room.
const FIXED_FORM_INDENTATION: usize = 36;

/// The same for the other forms.
const INDENTATION: usize = 80;

/// How lines are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Fortran free form: `&` at the end of a continued line.
    FortranFree,
    /// Fortran fixed form: statements from column 7, `&` in column 6 of a continuation.
    FortranFixed,
    /// C: lines break anywhere between tokens.
    C,
}

/// Collects lines.
#[derive(Clone, Debug)]
pub struct Writer {
    text: String,
    form: Form,
    unit: String,
    base: String,
    width: usize,
    level: usize,
}

impl Writer {
    /// A writer whose lines are indented by `base`, and by `unit` per level, and are at most
    /// `width` columns wide.
    pub fn new(form: Form, base: &str, unit: &str, width: usize) -> Self {
        let base = match form {
            Form::FortranFixed if base.len() < 6 => "      ",
            _ => base,
        };
        Self {
            text: String::new(),
            form,
            unit: unit.to_owned(),
            base: base.to_owned(),
            width,
            level: 0,
        }
    }

    /// An empty writer with the same layout and level.
    pub fn sibling(&self) -> Self {
        Self {
            text: String::new(),
            ..self.clone()
        }
    }

    /// The layout.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Indents what follows one level more.
    pub fn indent(&mut self) {
        self.level += 1;
    }

    /// Indents what follows one level less.
    pub fn dedent(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// Adds a logical line, broken where it is too long.
    pub fn line(&mut self, logical: &str) {
        let prefix = self.prefix();
        let visible = logical.chars().filter(|&c| !is_mark(c)).count();
        if columns(&prefix) + visible <= self.width {
            self.push_line(&prefix, &logical.replace(is_mark, ""));
        } else {
            self.wrapped(&prefix, logical);
        }
    }

    /// Adds lines as they are, without indentation.
    pub fn verbatim(&mut self, lines: &str) {
        self.text.push_str(lines);
        if !lines.is_empty() && !lines.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Adds the lines of another writer.
    pub fn append(&mut self, other: Writer) {
        self.text.push_str(&other.text);
    }

    /// Adds an empty line, unless there is nothing yet or the last line is empty.
    pub fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Adds a comment, one line of it per line of `text`. Comments are not broken.
    pub fn comment(&mut self, text: &str) {
        let prefix = self.prefix();
        for line in text.lines() {
            let line = line.trim_end();
            match self.form {
                Form::C => {
                    let safe = line.replace("*/", "* /").replace("/*", "/ *");
                    self.push_line(&prefix, &format!("/* {safe} */"));
                }
                _ => self.push_line(&prefix, format!("! {line}").trim_end()),
            }
        }
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// All of the text.
    pub fn finish(self) -> String {
        self.text
    }

    fn prefix(&self) -> String {
        let mut prefix = self.base.clone();
        for _ in 0..self.level {
            let most = match self.form {
                Form::FortranFixed => FIXED_FORM_INDENTATION,
                Form::FortranFree | Form::C => INDENTATION,
            };
            if prefix.len() + self.unit.len() > most {
                break;
            }
            prefix.push_str(&self.unit);
        }
        prefix
    }

    fn push_line(&mut self, prefix: &str, line: &str) {
        let whole = format!("{prefix}{}", line.trim_end());
        let is_code = !line.starts_with('!');
        let (limit, cut, end, start) = match self.form {
            Form::FortranFree if is_code => (FREE_FORM_LIMIT, FREE_FORM_LIMIT - 1, "&\n", "&"),
            Form::FortranFixed if is_code => (FIXED_FORM_LIMIT, FIXED_FORM_LIMIT, "\n", "     &"),
            _ => (usize::MAX, 0, "", ""),
        };
        let mut rest: Vec<char> = whole.chars().collect();
        while rest.len() > limit {
            let tail = rest.split_off(cut);
            self.text.extend(rest);
            self.text.push_str(end);
            rest = start.chars().chain(tail).collect();
        }
        self.text.extend(rest);
        self.text.push('\n');
    }

    fn wrapped(&mut self, prefix: &str, logical: &str) {
        let continuation = self.continuation_prefix(prefix);
        let suffix = match self.form {
            Form::FortranFree => " &",
            _ => "",
        };
        let mut rest = Pieces::of(logical);
        let mut current = prefix.to_owned();
        loop {
            let room = self.width.saturating_sub(columns(&current) + suffix.len());
            let all_room = self.width.saturating_sub(columns(&current));
            let head = rest.take(room, all_room);
            if rest.pieces.is_empty() {
                self.push_line(&current, &head);
                return;
            }
            self.push_line(&current, &format!("{}{suffix}", head.trim_end()));
            current.clone_from(&continuation);
        }
    }

    fn continuation_prefix(&self, prefix: &str) -> String {
        match self.form {
            Form::FortranFixed => {
                let column = prefix.get(6..).unwrap_or("");
                format!("     &{column}  ")
            }
            _ => format!("{prefix}{}", if self.unit == "\t" { "\t" } else { "    " }),
        }
    }
}

/// Whether a character is a mark of the writer's.
pub(crate) fn is_mark(c: char) -> bool {
    c == BREAK || c == TIGHT
}

fn columns(prefix: &str) -> usize {
    prefix.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum()
}

/// A logical line cut at its break marks, with the level of each cut: twice the nesting depth, and
/// one more inside a product.
struct Pieces {
    pieces: VecDeque<(String, usize)>,
    /// How many characters they have in all.
    total: usize,
}

impl Pieces {
    fn of(logical: &str) -> Self {
        let mut depth = 0usize;
        let mut pieces = VecDeque::new();
        let mut total = 0;
        let mut rest = logical;
        loop {
            let end = rest.find(is_mark).unwrap_or(rest.len());
            let (piece, after) = rest.split_at(end);
            for c in piece.chars() {
                match c {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            let mut after = after.chars();
            let mark = after.next();
            let level = 2 * depth + usize::from(mark == Some(TIGHT));
            total += piece.chars().count();
            pieces.push_back((piece.to_owned(), level));
            if mark.is_none() {
                break;
            }
            rest = after.as_str();
        }
        Self { pieces, total }
    }

    /// What goes on this line, taken off; all of it where it fits. `room` is for a line that is
    /// continued, `all_room` for one that is not.
    fn take(&mut self, room: usize, all_room: usize) -> String {
        if self.total <= all_room || self.pieces.len() < 2 {
            return self.pieces.drain(..).map(|(piece, _)| piece).collect();
        }
        let cut = self.best_cut(room);
        let head: String = self.pieces.drain(..cut).map(|(piece, _)| piece).collect();
        self.total -= head.chars().count();
        if let Some((first, _)) = self.pieces.front_mut() {
            let trimmed = first.trim_start().to_owned();
            self.total -= first.chars().count() - trimmed.chars().count();
            *first = trimmed;
        }
        head
    }

    /// Of the places in the second half of the line: the least nested, and of those the last. Of
    /// the places in the first half: the last.
    fn best_cut(&self, room: usize) -> usize {
        let mut length = 0;
        let mut best = (1, usize::MAX);
        for (index, (piece, depth)) in self.pieces.iter().enumerate().take(self.pieces.len() - 1) {
            let end = length + piece.trim_end().chars().count();
            if end > room {
                break;
            }
            let depth = if end * 2 < room { usize::MAX } else { *depth };
            if depth <= best.1 {
                best = (index + 1, depth);
            }
            length += piece.chars().count();
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::{BREAK, Form, Writer};

    fn marked(text: &str) -> String {
        text.replace('|', &BREAK.to_string())
    }

    #[test]
    fn short_lines_stay_whole() {
        let mut writer = Writer::new(Form::FortranFree, "", "  ", 40);
        writer.indent();
        writer.line(&marked("a = b |+ c"));
        assert_eq!(writer.finish(), "  a = b + c\n");
    }

    #[test]
    fn long_lines_break_at_the_least_nested_place() {
        let mut writer = Writer::new(Form::FortranFree, "", "  ", 24);
        writer.line(&marked("total = f(aaa,| bbb) |+ g(ccc,| ddd)"));
        assert_eq!(
            writer.finish(),
            "total = f(aaa, bbb) &\n    + g(ccc, ddd)\n"
        );
    }

    #[test]
    fn fixed_form_continues_in_column_six() {
        let mut writer = Writer::new(Form::FortranFixed, "", "  ", 72);
        let sum = ["variable"; 12].join(" |+ ");
        writer.line(&marked(&format!("x = {sum}")));
        let text = writer.finish();
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert!(text.lines().nth(1).is_some_and(|l| l.starts_with("     &")));
    }

    #[test]
    fn fixed_form_never_passes_column_72() {
        let mut writer = Writer::new(Form::FortranFixed, "", "   ", 72);
        for _ in 0..30 {
            writer.indent();
        }
        writer.line(&format!("x = {}", "y".repeat(60)));
        let text = writer.finish();
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert_eq!(text.replace("\n     &", "").trim().len(), 64);
    }

    #[test]
    fn a_line_without_breaks_is_left_long() {
        let mut writer = Writer::new(Form::C, "", "    ", 10);
        writer.line("abcdefghijklmnop");
        assert_eq!(writer.finish(), "abcdefghijklmnop\n");
    }

    #[test]
    fn long_messages_go_on_between_ampersands() {
        let mut writer = Writer::new(Form::FortranFree, "", "  ", 100);
        writer.line(&format!("s = '{}'", "m".repeat(150)));
        let text = writer.finish();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), 132);
        assert!(lines[0].ends_with("m&") && lines[1].starts_with("&m"));
    }
}
