//! Integer expressions of the command line: `n*n`, `(nx + 1)/2`.

use std::iter::Peekable;
use std::str::Chars;

/// Evaluates an expression in integers, names, `+ - * /`, and parentheses.
///
/// # Errors
/// What is wrong with the text, or what `value_of` says of a name.
pub fn evaluate(
    text: &str,
    value_of: &mut dyn FnMut(&str) -> Result<i64, String>,
) -> Result<i64, String> {
    let mut parser = Parser {
        rest: text.chars().peekable(),
        value_of,
    };
    let value = parser.sum()?;
    parser.skip_blanks();
    match parser.rest.next() {
        None => Ok(value),
        Some(other) => Err(format!("`{other}` is not expected in `{text}`")),
    }
}

struct Parser<'t, 'v> {
    rest: Peekable<Chars<'t>>,
    value_of: &'v mut dyn FnMut(&str) -> Result<i64, String>,
}

impl Parser<'_, '_> {
    fn sum(&mut self) -> Result<i64, String> {
        let mut total = self.product()?;
        while let Some(operator) = self.operator(&['+', '-']) {
            let term = self.product()?;
            let result = match operator {
                '+' => total.checked_add(term),
                _ => total.checked_sub(term),
            };
            total = result.ok_or("the value is too large")?;
        }
        Ok(total)
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut total = self.factor()?;
        while let Some(operator) = self.operator(&['*', '/']) {
            let factor = self.factor()?;
            total = match (operator, factor) {
                ('/', 0) => return Err("division by zero".to_owned()),
                ('/', _) => total / factor,
                _ => total.checked_mul(factor).ok_or("the value is too large")?,
            };
        }
        Ok(total)
    }

    fn factor(&mut self) -> Result<i64, String> {
        self.skip_blanks();
        match self.rest.peek().copied() {
            Some('-') => {
                self.rest.next();
                Ok(-self.factor()?)
            }
            Some('(') => {
                self.rest.next();
                let value = self.sum()?;
                match self.operator(&[')']) {
                    Some(_) => Ok(value),
                    None => Err("`)` is missing".to_owned()),
                }
            }
            Some(digit) if digit.is_ascii_digit() => {
                let digits = self.word(|c| c.is_ascii_digit());
                digits
                    .parse()
                    .map_err(|_| format!("`{digits}` is too large"))
            }
            Some(letter) if letter.is_alphabetic() || letter == '_' => {
                let name = self.word(|c| c.is_alphanumeric() || c == '_');
                (self.value_of)(&name)
            }
            Some(other) => Err(format!("`{other}` is not expected")),
            None => Err("a number is missing".to_owned()),
        }
    }

    fn operator(&mut self, wanted: &[char]) -> Option<char> {
        self.skip_blanks();
        self.rest.next_if(|c| wanted.contains(c))
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|&c| belongs(c)) {
            word.push(c);
        }
        word
    }

    fn skip_blanks(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    fn value(text: &str) -> Result<i64, String> {
        evaluate(text, &mut |name| match name {
            "n" => Ok(4),
            other => Err(format!("no {other}")),
        })
    }

    #[test]
    fn expressions_bind_as_usual() {
        assert_eq!(value("n*n - 2*(n + 1)"), Ok(6));
        assert_eq!(value("-n + 7/2"), Ok(-1));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(value("m"), Err("no m".to_owned()));
        assert_eq!(value("n/0"), Err("division by zero".to_owned()));
        assert_eq!(value("(n"), Err("`)` is missing".to_owned()));
        assert!(value("n n").is_err());
        assert!(value("").is_err());
    }
}
