//! Sets of bytes: disjoint ranges in ascending order.

/// A set of bytes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ranges {
    parts: Vec<(i64, i64)>,
}

impl Ranges {
    /// The bytes from `start` to `end`, exclusive.
    pub fn one(start: i64, end: i64) -> Ranges {
        Ranges {
            parts: if start < end {
                vec![(start, end)]
            } else {
                Vec::new()
            },
        }
    }

    /// The ranges, first and one past the last byte.
    pub fn parts(&self) -> &[(i64, i64)] {
        &self.parts
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds the bytes of another set.
    pub fn add(&mut self, other: &Ranges) {
        if other.minus(self).is_empty() {
            return;
        }
        let mut all: Vec<(i64, i64)> = self.parts.iter().chain(&other.parts).copied().collect();
        all.sort_unstable();
        self.parts.clear();
        for (start, end) in all {
            match self.parts.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => self.parts.push((start, end)),
            }
        }
    }

    /// The bytes that are in both sets.
    pub fn and(&self, other: &Ranges) -> Ranges {
        self.minus(&self.minus(other))
    }

    /// The bytes of this set that are not in another.
    pub fn minus(&self, other: &Ranges) -> Ranges {
        let mut parts = Vec::new();
        let mut holes = other.parts.iter().copied().peekable();
        for &(start, end) in &self.parts {
            let mut from = start;
            while holes.peek().is_some_and(|hole| hole.1 <= from) {
                holes.next();
            }
            let mut within = holes.clone();
            while let Some((first, last)) = within.next().filter(|hole| hole.0 < end) {
                if from < first {
                    parts.push((from, first));
                }
                from = from.max(last);
            }
            if from < end {
                parts.push((from, end));
            }
        }
        Ranges { parts }
    }

    /// The bytes moved by `offset` and cut to what lies between `first` and `end`.
    pub fn moved(&self, offset: i64, first: i64, end: i64) -> Ranges {
        let parts = self.parts.iter().map(|&(from, to)| {
            (
                from.saturating_add(offset).max(first),
                to.saturating_add(offset).min(end),
            )
        });
        Ranges {
            parts: parts.filter(|(from, to)| from < to).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    fn of(parts: &[(i64, i64)]) -> Ranges {
        let mut all = Ranges::default();
        for &(start, end) in parts {
            all.add(&Ranges::one(start, end));
        }
        all
    }

    #[test]
    fn neighbours_become_one_range() {
        assert_eq!(of(&[(8, 16), (0, 4), (4, 8)]).parts(), [(0, 16)]);
    }

    #[test]
    fn what_is_taken_away_leaves_holes() {
        let all = of(&[(0, 10), (20, 30)]);
        assert_eq!(
            all.minus(&of(&[(2, 4), (8, 22), (29, 40)])).parts(),
            [(0, 2), (4, 8), (22, 29)]
        );
        assert_eq!(all.and(&of(&[(5, 25)])).parts(), [(5, 10), (20, 25)]);
    }

    #[test]
    fn moved_ranges_stay_within_their_bounds() {
        assert_eq!(of(&[(0, i64::MAX)]).moved(8, 0, 24).parts(), [(8, 24)]);
    }
}
