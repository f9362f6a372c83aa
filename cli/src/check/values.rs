//! Values for the driver, as the user gives them: `--set`.

use crate::expression::Expression;
use contraflow_ir::Diagnostic;
use std::collections::BTreeMap;

/// What the elements of a variable start with.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Drawn at random between two numbers.
    Uniform(f64, f64),
    /// Rising or falling from one number to the other in the order of the memory, a little uneven.
    Ramp(f64, f64),
    /// A square matrix, drawn at random between two numbers, plus a number on its diagonal.
    Diagonal {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
        /// What is added on the diagonal.
        shift: f64,
    },
    /// These, again and again, in the order of the memory.
    List(Vec<f64>),
    /// Drawn at random between two whole numbers, both included.
    Whole(i64, i64),
    /// Whole numbers, again and again.
    Integers(Vec<i64>),
    /// A truth value.
    Logical(bool),
    /// Texts, again and again.
    Texts(Vec<String>),
    /// What the program has there when the head is called.
    Found,
}

/// `NAME=…` pairs, names compared without case.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    entries: BTreeMap<String, String>,
}

impl Settings {
    /// Reads the arguments of one option.
    ///
    /// # Errors
    /// An argument without `=`, or a name twice.
    pub fn parse(option: &str, arguments: &[String]) -> Result<Self, Diagnostic> {
        let mut settings = Self::default();
        for text in arguments {
            let Some((name, value)) = text.split_once('=') else {
                return Err(not_understood(option, text, "`=` is missing"));
            };
            // A component is written as Fortran or as C has it.
            let name = name.trim().to_ascii_lowercase().replace('.', "%");
            let old = settings.entries.insert(name, value.trim().to_owned());
            if old.is_some() {
                return Err(not_understood(option, text, "the name has a value already"));
            }
        }
        Ok(settings)
    }

    /// What was given for a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let text = self.entries.get(&name.to_ascii_lowercase())?;
        Some(text)
    }

    /// Gives a name a value, in place of the one that it may have.
    pub fn put(&mut self, name: &str, value: &str) {
        let name = name.to_ascii_lowercase();
        self.entries.insert(name, value.to_owned());
    }

    /// The names that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Whether any value mentions this name.
    pub fn mentions(&self, name: &str) -> bool {
        self.entries.values().any(|text| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word.eq_ignore_ascii_case(name))
        })
    }

    /// The value of an integer scalar, which may be an expression in others.
    ///
    /// # Errors
    /// No value (with the option to write), a value that is no integer, or a circle.
    pub fn integer(&self, name: &str) -> Result<i64, String> {
        self.integer_below(name, 16)
    }

    fn integer_below(&self, name: &str, depth: u32) -> Result<i64, String> {
        let text = self
            .get(name)
            .ok_or_else(|| format!("`{name}` has no value"))?;
        if depth == 0 {
            return Err(format!("the value of `{name}` depends on itself"));
        }
        Expression::parse(text)?.evaluate(&mut |other| self.integer_below(other, depth - 1))
    }

    /// An expression in integer scalars.
    ///
    /// # Errors
    /// As [`Settings::integer`].
    pub fn evaluate(&self, text: &str) -> Result<i64, String> {
        Expression::parse(text)?.evaluate(&mut |name| self.integer(name))
    }
}

/// A diagnostic about one argument of an option.
pub fn not_understood(option: &str, text: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        "option-syntax",
        format!("`{option} {text}` is not understood: {why}"),
    )
}

/// Real values: a number, `low:high`, `ramp:from:to`, `diag:low:high:shift`, or a list.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_real(text: &str) -> Result<Values, String> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    match parts.as_slice() {
        ["ramp", from, to] => Ok(Values::Ramp(number(from)?, number(to)?)),
        ["diag", low, high, shift] => Ok(Values::Diagonal {
            low: number(low)?,
            high: number(high)?,
            shift: number(shift)?,
        }),
        [low, high] => Ok(Values::Uniform(number(low)?, number(high)?)),
        [list] => list
            .split(',')
            .map(number)
            .collect::<Result<_, _>>()
            .map(Values::List),
        _ => {
            Err("write a number, low:high, ramp:from:to, diag:low:high:shift, or a list".to_owned())
        }
    }
}

/// A number as Fortran and C write it.
fn number(text: impl AsRef<str>) -> Result<f64, String> {
    let text = text.as_ref().trim();
    let plain = text.to_ascii_lowercase().replace('d', "e");
    match plain.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// Values of an integer: an expression, `low:high`, or a list.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_integer(text: &str, settings: &Settings) -> Result<Values, String> {
    if let Some((low, high)) = text.split_once(':') {
        let (low, high) = (settings.evaluate(low)?, settings.evaluate(high)?);
        if low > high {
            return Err(format!("{low} is above {high}"));
        }
        return Ok(Values::Whole(low, high));
    }
    text.split(',')
        .map(|part| settings.evaluate(part))
        .collect::<Result<_, _>>()
        .map(Values::Integers)
}

/// A truth value, as Fortran or C writes it.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_logical(text: &str) -> Result<Values, String> {
    match text.to_ascii_lowercase().trim_matches('.') {
        "true" | "t" | "1" => Ok(Values::Logical(true)),
        "false" | "f" | "0" => Ok(Values::Logical(false)),
        _ => Err("write true or false".to_owned()),
    }
}

/// Texts: one, or several for an array, separated by commas.
pub fn parse_text(text: &str) -> Values {
    Values::Texts(text.split(',').map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::{Settings, Values, parse_integer, parse_real};

    fn settings(arguments: &[&str]) -> Settings {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        Settings::parse("--set", &arguments).expect("settings")
    }

    #[test]
    fn integers_may_depend_on_others() {
        let settings = settings(&["nx=7", "nxp1 = nx + 1"]);
        assert_eq!(settings.integer("NXP1"), Ok(8));
        assert_eq!(settings.integer("ny"), Err("`ny` has no value".to_owned()));
    }

    #[test]
    fn a_circle_of_integers_is_found() {
        let settings = settings(&["a=b", "b=a"]);
        assert!(
            settings
                .integer("a")
                .expect_err("a circle")
                .contains("itself")
        );
    }

    #[test]
    fn reals_are_ranges_lists_ramps_and_matrices() {
        assert_eq!(parse_real("1d4:1e5"), Ok(Values::Uniform(1e4, 1e5)));
        assert_eq!(parse_real("2.5"), Ok(Values::List(vec![2.5])));
        assert_eq!(parse_real("1,2"), Ok(Values::List(vec![1.0, 2.0])));
        assert_eq!(parse_real("ramp:9:1"), Ok(Values::Ramp(9.0, 1.0)));
        let matrix = Values::Diagonal {
            low: 0.0,
            high: 1.0,
            shift: 8.0,
        };
        assert_eq!(parse_real("diag:0:1:8"), Ok(matrix));
        assert!(parse_real("nan").is_err());
        assert!(parse_real("1:2:3").is_err());
    }

    #[test]
    fn integer_arrays_are_ranges_and_lists() {
        let settings = settings(&["n=4"]);
        assert_eq!(parse_integer("1:n", &settings), Ok(Values::Whole(1, 4)));
        assert_eq!(
            parse_integer("1,n", &settings),
            Ok(Values::Integers(vec![1, 4]))
        );
        assert!(parse_integer("n:1", &settings).is_err());
    }
}
