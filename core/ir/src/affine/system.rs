//! The feasibility test. Method and limits are stated in [`super`].

use std::collections::BTreeMap;

use super::{Linear, Symbol};

/// Inequalities beyond which the test gives up.
const MOST_INEQUALITIES: usize = 2000;

/// Equalities `form = 0` and inequalities `form >= 0` over integers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct System {
    equalities: Vec<Linear>,
    inequalities: Vec<Linear>,
}

impl System {
    /// A system without conditions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `form >= 0`.
    pub fn add_ge(&mut self, form: Linear) {
        self.inequalities.push(form);
    }

    /// Adds `form = 0`.
    pub fn add_eq(&mut self, form: Linear) {
        self.equalities.push(form);
    }

    /// Whether it is proven that no integer point satisfies all conditions.
    pub fn is_infeasible(&self) -> bool {
        let mut columns = BTreeMap::new();
        for form in self.equalities.iter().chain(&self.inequalities) {
            for &symbol in form.terms.keys() {
                let next = columns.len();
                columns.entry(symbol).or_insert(next);
            }
        }
        let mut solver = Solver {
            equalities: self.equalities.iter().map(|f| row(f, &columns)).collect(),
            inequalities: self.inequalities.iter().map(|f| row(f, &columns)).collect(),
        };
        solver.refute() == Some(true)
    }
}

/// Coefficients by column, and the constant.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    coefficients: Vec<i128>,
    constant: i128,
}

fn row(form: &Linear, columns: &BTreeMap<Symbol, usize>) -> Row {
    let mut coefficients = vec![0; columns.len()];
    for (symbol, &coefficient) in &form.terms {
        coefficients[columns[symbol]] = i128::from(coefficient);
    }
    Row {
        coefficients,
        constant: i128::from(form.constant),
    }
}

impl Row {
    /// The gcd of the coefficients; zero if all are zero.
    fn gcd(&self) -> i128 {
        self.coefficients.iter().fold(0, |g, &c| gcd(g, c))
    }

    /// `p · self + q · other`; `None` on overflow.
    fn combine(&self, p: i128, other: &Row, q: i128) -> Option<Row> {
        let mix = |a: i128, b: i128| p.checked_mul(a)?.checked_add(q.checked_mul(b)?);
        Some(Row {
            coefficients: self
                .coefficients
                .iter()
                .zip(&other.coefficients)
                .map(|(&a, &b)| mix(a, b))
                .collect::<Option<_>>()?,
            constant: mix(self.constant, other.constant)?,
        })
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

struct Solver {
    equalities: Vec<Row>,
    inequalities: Vec<Row>,
}

impl Solver {
    /// `Some(true)`: no solution. `Some(false)`: no contradiction found. `None`: overflow or cap.
    fn refute(&mut self) -> Option<bool> {
        loop {
            while let Some(equality) = self.equalities.pop() {
                if self.eliminate(equality)? {
                    return Some(true);
                }
            }
            if self.tighten()? {
                return Some(true);
            }
            if !self.equalities.is_empty() {
                continue;
            }
            let Some(column) = self.cheapest_column() else {
                return Some(false);
            };
            self.project(column)?;
        }
    }

    /// Solves the equality for one unknown and removes that from all other rows. `true`: the
    /// equality has no integer solution.
    fn eliminate(&mut self, mut equality: Row) -> Option<bool> {
        let divisor = equality.gcd();
        if divisor == 0 {
            return Some(equality.constant != 0);
        }
        if equality.constant % divisor != 0 {
            return Some(true);
        }
        equality.constant /= divisor;
        for coefficient in &mut equality.coefficients {
            *coefficient /= divisor;
        }
        loop {
            let (pivot, &smallest) = equality
                .coefficients
                .iter()
                .enumerate()
                .filter(|(_, c)| **c != 0)
                .min_by_key(|(_, c)| c.unsigned_abs())?;
            if smallest.abs() == 1 {
                self.substitute(pivot, &equality)?;
                return Some(false);
            }
            self.reduce(pivot, &mut equality)?;
        }
    }

    /// Euclid's step: a new unknown `x' = x + Σ qⱼ xⱼ + q` in the pivot's column leaves remainders
    /// in all other columns of the equality.
    fn reduce(&mut self, pivot: usize, equality: &mut Row) -> Option<()> {
        let divisor = equality.coefficients[pivot];
        let mut quotients = Row {
            coefficients: equality
                .coefficients
                .iter()
                .map(|c| c.div_euclid(divisor))
                .collect(),
            constant: equality.constant.div_euclid(divisor),
        };
        quotients.coefficients[pivot] = 0;
        for row in self
            .equalities
            .iter_mut()
            .chain(&mut self.inequalities)
            .chain([equality])
        {
            let factor = row.coefficients[pivot];
            if factor != 0 {
                *row = row.combine(1, &quotients, factor.checked_neg()?)?;
            }
        }
        Some(())
    }

    /// Removes the unknown of column `pivot`, which has a unit coefficient in `equality`.
    fn substitute(&mut self, pivot: usize, equality: &Row) -> Option<()> {
        let sign = equality.coefficients[pivot];
        for row in self.equalities.iter_mut().chain(&mut self.inequalities) {
            let factor = row.coefficients[pivot];
            if factor != 0 {
                *row = row.combine(1, equality, factor.checked_mul(-sign)?)?;
            }
        }
        Some(())
    }

    /// Divides each inequality by its gcd, keeps the tightest of parallel ones, and makes opposite
    /// ones that leave a single value into equalities. `true`: a contradiction.
    fn tighten(&mut self) -> Option<bool> {
        let mut tightest: BTreeMap<Vec<i128>, i128> = BTreeMap::new();
        for mut row in self.inequalities.drain(..) {
            let divisor = row.gcd();
            if divisor == 0 {
                if row.constant < 0 {
                    return Some(true);
                }
                continue;
            }
            for coefficient in &mut row.coefficients {
                *coefficient /= divisor;
            }
            let constant = row.constant.div_euclid(divisor);
            tightest
                .entry(row.coefficients)
                .and_modify(|c| *c = constant.min(*c))
                .or_insert(constant);
        }
        if tightest.len() > MOST_INEQUALITIES {
            return None;
        }
        for (coefficients, &constant) in &tightest {
            let opposite: Vec<i128> = coefficients
                .iter()
                .map(|c| c.checked_neg())
                .collect::<Option<_>>()?;
            if let Some(other) = tightest.get(&opposite) {
                match constant.checked_add(*other)? {
                    slack if slack < 0 => return Some(true),
                    0 if *coefficients < opposite => self.equalities.push(Row {
                        coefficients: coefficients.clone(),
                        constant,
                    }),
                    _ => {}
                }
            }
        }
        self.inequalities = tightest
            .into_iter()
            .map(|(coefficients, constant)| Row {
                coefficients,
                constant,
            })
            .collect();
        Some(false)
    }

    /// The column whose projection leaves the fewest inequalities; `None` if no unknown is left.
    fn cheapest_column(&self) -> Option<usize> {
        let width = self.inequalities.first()?.coefficients.len();
        (0..width)
            .filter_map(|column| {
                let (lower, upper) = self.count_bounds(column);
                (lower + upper > 0).then_some((lower * upper, column))
            })
            .min()
            .map(|(_, column)| column)
    }

    fn count_bounds(&self, column: usize) -> (usize, usize) {
        let mut counts = (0, 0);
        for row in &self.inequalities {
            match row.coefficients[column].signum() {
                1 => counts.0 += 1,
                -1 => counts.1 += 1,
                _ => {}
            }
        }
        counts
    }

    /// Replaces all bounds on the unknown by what each lower and upper one say together.
    fn project(&mut self, column: usize) -> Option<()> {
        let (bounds, mut rest): (Vec<Row>, Vec<Row>) = self
            .inequalities
            .drain(..)
            .partition(|row| row.coefficients[column] != 0);
        let (lower, upper): (Vec<Row>, Vec<Row>) = bounds
            .into_iter()
            .partition(|row| row.coefficients[column] > 0);
        if rest.len() + lower.len() * upper.len() > 4 * MOST_INEQUALITIES {
            return None;
        }
        for low in &lower {
            for high in &upper {
                let (p, q) = (low.coefficients[column], high.coefficients[column]);
                rest.push(low.combine(q.checked_neg()?, high, p)?);
            }
        }
        self.inequalities = rest;
        Some(())
    }
}
