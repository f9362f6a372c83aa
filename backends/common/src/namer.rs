//! Names that are legal in the target and clash with nothing.

use std::collections::HashSet;

/// Gives out names. Each name is given out once.
#[derive(Clone, Debug)]
pub struct Namer {
    taken: HashSet<String>,
    case_blind: bool,
    longest: usize,
}

impl Namer {
    /// A namer for a language whose `reserved` words are not names.
    pub fn new(reserved: &[&str], case_blind: bool, longest: usize) -> Self {
        let mut namer = Self {
            taken: HashSet::new(),
            case_blind,
            longest,
        };
        for word in reserved {
            namer.reserve(word);
        }
        namer
    }

    /// Takes a name out of circulation.
    pub fn reserve(&mut self, name: &str) {
        let key = self.key(name);
        self.taken.insert(key);
    }

    /// Whether a name is free.
    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(&self.key(name))
    }

    /// `wanted` if that is legal and free, else the nearest legal and free name.
    pub fn name(&mut self, wanted: &str) -> String {
        let base = self.legal(wanted);
        let mut name = base.clone();
        let mut number = 1;
        while !self.is_free(&name) {
            let suffix = format!("_{number}");
            let kept = base.len().min(self.longest - suffix.len());
            name = format!("{}{suffix}", &base[..kept]);
            number += 1;
        }
        self.reserve(&name);
        name
    }

    fn key(&self, name: &str) -> String {
        if self.case_blind {
            name.to_ascii_lowercase()
        } else {
            name.to_owned()
        }
    }

    /// Letters, digits and underscores, beginning with a letter (Fortran allows no leading
    /// underscore, and C keeps those for itself).
    fn legal(&self, wanted: &str) -> String {
        let mut name: String = wanted
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let keeps = !self.case_blind && name.starts_with('_');
            if !keeps {
                name = format!("v{}{name}", if name.starts_with('_') { "" } else { "_" });
            }
        }
        name.truncate(self.longest);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::Namer;

    #[test]
    fn keywords_and_clashes_get_a_number() {
        let mut namer = Namer::new(&["double"], false, 63);
        assert_eq!(namer.name("double"), "double_1");
        assert_eq!(namer.name("x"), "x");
        assert_eq!(namer.name("x"), "x_1");
        assert_eq!(namer.name("X"), "X");
    }

    #[test]
    fn case_does_not_tell_names_apart_in_fortran() {
        let mut namer = Namer::new(&[], true, 63);
        assert_eq!(namer.name("A"), "A");
        assert_eq!(namer.name("a"), "a_1");
        assert_eq!(namer.name("_tmp"), "v_tmp");
    }

    #[test]
    fn names_are_never_longer_than_the_language_allows() {
        let mut namer = Namer::new(&[], true, 8);
        assert_eq!(namer.name("longername"), "longerna");
        assert_eq!(namer.name("longername"), "longer_1");
    }
}
