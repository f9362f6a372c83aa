//! Tokens of the text form.

use super::{ParseError, Result};

/// One token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A word without backquotes: a keyword or a name.
    Word(String),
    /// A name in backquotes.
    Name(String),
    Integer(i128),
    Real(String),
    Text(String),
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "**", "++", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "->", "..", ".", "+", "-", "*",
    "/", "%", "<", ">", "=", "&", "|", "^", "~", "(", ")", "[", "]", "{", "}", ",", ":", "@", "#",
    "?",
];

/// All tokens of a text, and the place of the next one.
pub(super) struct Tokens {
    all: Vec<(Token, usize)>,
    next: usize,
}

impl Tokens {
    pub fn new(text: &str) -> Result<Self> {
        let mut all = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let mut rest = line.trim_start();
            while !rest.is_empty() {
                let (token, length) = scan(rest).ok_or_else(|| ParseError {
                    line: number + 1,
                    message: format!("`{rest}` is no part of the text form"),
                })?;
                all.push((token, number + 1));
                rest = rest[length..].trim_start();
            }
        }
        Ok(Self { all, next: 0 })
    }

    pub fn line(&self) -> usize {
        let last = self.all.len().saturating_sub(1);
        self.all
            .get(self.next.min(last))
            .map_or(1, |(_, line)| *line)
    }

    pub fn position(&self) -> usize {
        self.next
    }

    pub fn go_to(&mut self, position: usize) {
        self.next = position;
    }

    pub fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> &Token {
        self.all
            .get(self.next + ahead)
            .map_or(&Token::End, |(token, _)| token)
    }

    pub fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.next += 1;
        token
    }

    /// Whether the next token is this word or symbol.
    pub fn at(&self, text: &str) -> bool {
        match self.peek() {
            Token::Word(word) => word == text,
            Token::Symbol(symbol) => *symbol == text,
            _ => false,
        }
    }

    /// Takes the word or symbol, if it is the next token.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        self.next += usize::from(found);
        found
    }

    pub fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) {
            Ok(())
        } else {
            self.error(format!("`{text}` is expected, not {:?}", self.peek()))
        }
    }

    fn error<T>(&self, message: String) -> Result<T> {
        Err(ParseError {
            line: self.line(),
            message,
        })
    }

    pub fn name(&mut self) -> Result<String> {
        match self.next() {
            Token::Word(name) | Token::Name(name) => Ok(name),
            other => self.error(format!("a name is expected, not {other:?}")),
        }
    }

    pub fn text(&mut self) -> Result<String> {
        match self.next() {
            Token::Text(text) => Ok(text),
            other => self.error(format!("a text is expected, not {other:?}")),
        }
    }

    pub fn integer(&mut self) -> Result<i128> {
        let negative = self.eat("-");
        match self.next() {
            Token::Integer(value) => Ok(if negative { -value } else { value }),
            other => self.error(format!("a number is expected, not {other:?}")),
        }
    }

    pub fn number<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let value = self.integer()?;
        match T::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.error(format!("{value} is out of range")),
        }
    }

    pub fn index(&mut self) -> Result<usize> {
        self.number::<u32>().map(|index| index as usize)
    }
}

/// The first token and its length in bytes.
fn scan(text: &str) -> Option<(Token, usize)> {
    let first = text.chars().next()?;
    match first {
        '"' => enclosed(text, '"').map(|(inner, length)| (Token::Text(inner), length)),
        '`' => enclosed(text, '`').map(|(inner, length)| (Token::Name(inner), length)),
        c if c.is_ascii_digit() => number(text),
        '.' if text[1..].starts_with(|c: char| c.is_ascii_digit()) => number(text),
        c if c == '_' || c.is_ascii_alphabetic() => {
            let length = text
                .find(|c: char| c != '_' && !c.is_ascii_alphanumeric())
                .unwrap_or(text.len());
            Some((Token::Word(text[..length].to_owned()), length))
        }
        _ => SYMBOLS
            .iter()
            .find(|symbol| text.starts_with(**symbol))
            .map(|symbol| (Token::Symbol(symbol), symbol.len())),
    }
}

fn number(text: &str) -> Option<(Token, usize)> {
    let digits = |from: usize| {
        text[from..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(text.len(), |length| from + length)
    };
    let whole = digits(0);
    let mut end = whole;
    if text[end..].starts_with('.') && !text[end..].starts_with("..") {
        end = digits(end + 1);
    }
    let exponent =
        end + 1 + usize::from(text[end..].starts_with("e-") || text[end..].starts_with("e+"));
    if text[end..].starts_with('e') && digits(exponent.min(text.len())) > exponent {
        end = digits(exponent);
    }
    let token = if end == whole {
        Token::Integer(text[..end].parse().ok()?)
    } else {
        Token::Real(text[..end].to_owned())
    };
    Some((token, end))
}

/// The text between two delimiters with its escapes resolved, and the length with delimiters.
fn enclosed(text: &str, delimiter: char) -> Option<(String, usize)> {
    let mut inner = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == delimiter {
            return Some((inner, at + 1));
        }
        if c != '\\' {
            inner.push(c);
            continue;
        }
        let (_, escape) = chars.next()?;
        inner.push(match escape {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                chars.next()?;
                let digits: String = chars
                    .by_ref()
                    .map(|(_, c)| c)
                    .take_while(|c| *c != '}')
                    .collect();
                char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
            }
            other => other,
        });
    }
    None
}
