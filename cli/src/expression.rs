//! Integer expressions of the command line: `n*n`, `(nx + 1)/2`.

use std::iter::Peekable;
use std::str::Chars;

/// An expression in integers and names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A name.
    Name(String),
    /// The negative.
    Negative(Box<Expression>),
    /// `+ - * /` of two.
    Binary(char, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Reads integers, names, `+ - * /`, and parentheses.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser {
            rest: text.chars().peekable(),
        };
        let expression = parser.sum()?;
        parser.skip_blanks();
        match parser.rest.next() {
            None => Ok(expression),
            Some(other) => Err(format!("`{other}` is not expected in `{text}`")),
        }
    }

    /// Its value.
    ///
    /// # Errors
    /// What `value_of` says of a name, division by zero, overflow.
    pub fn evaluate(
        &self,
        value_of: &mut dyn FnMut(&str) -> Result<i64, String>,
    ) -> Result<i64, String> {
        match self {
            Self::Number(value) => Ok(*value),
            Self::Name(name) => value_of(name),
            Self::Negative(inner) => Ok(-inner.evaluate(value_of)?),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.evaluate(value_of)?, right.evaluate(value_of)?);
                let result = match operator {
                    '+' => left.checked_add(right),
                    '-' => left.checked_sub(right),
                    '*' => left.checked_mul(right),
                    _ if right == 0 => return Err("division by zero".to_owned()),
                    _ => left.checked_div(right),
                };
                result.ok_or_else(|| "the value is too large".to_owned())
            }
        }
    }
}

struct Parser<'t> {
    rest: Peekable<Chars<'t>>,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expression, String> {
        let mut total = self.product()?;
        while let Some(operator) = self.operator(&['+', '-']) {
            let term = self.product()?;
            total = Expression::Binary(operator, Box::new(total), Box::new(term));
        }
        Ok(total)
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut total = self.factor()?;
        while let Some(operator) = self.operator(&['*', '/']) {
            let factor = self.factor()?;
            total = Expression::Binary(operator, Box::new(total), Box::new(factor));
        }
        Ok(total)
    }

    fn factor(&mut self) -> Result<Expression, String> {
        self.skip_blanks();
        match self.rest.peek().copied() {
            Some('-') => {
                self.rest.next();
                Ok(Expression::Negative(Box::new(self.factor()?)))
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
                let value = digits
                    .parse()
                    .map_err(|_| format!("`{digits}` is too large"))?;
                Ok(Expression::Number(value))
            }
            Some(letter) if letter.is_alphabetic() || letter == '_' => Ok(Expression::Name(
                self.word(|c| c.is_alphanumeric() || c == '_'),
            )),
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
    use super::Expression;

    fn value(text: &str) -> Result<i64, String> {
        Expression::parse(text)?.evaluate(&mut |name| match name {
            "n" => Ok(4),
            other => Err(format!("no {other}")),
        })
    }

    #[test]
    fn expressions_bind_as_usual() {
        assert_eq!(value("n*n - 2*(n + 1)"), Ok(6));
        assert_eq!(value("-n + 7/2"), Ok(-1));
        assert_eq!(value("n - 1 - 1"), Ok(2));
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
