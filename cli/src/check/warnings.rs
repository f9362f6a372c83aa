//! Derivatives in C are to compile without a warning. In a file of the user's, kinds of warnings that the
//! file has without them are the user's own.

use super::build::{Origin, Unit};
use anyhow::bail;
use std::collections::BTreeSet;
use std::path::Path;

/// What compilers are asked to warn of. What they say of the sizes of copies depends on what they inline,
/// and what they say may be unset on what they can tell of two branches with the same condition.
pub const ASKED: &[&str] = &[
    "-Wall",
    "-Wextra",
    "-Wno-stringop-overflow",
    "-Wno-maybe-uninitialized",
];

/// Refuses what a compiler says of a file with derivatives, where it does not say the same of the user's
/// file, which `of_original` compiles.
///
/// # Errors
/// The warnings, or that the user's file cannot be compiled.
pub fn refuse(
    unit: &Unit,
    said: &str,
    of_original: impl Fn(&Path) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let Origin::Derived { within } = &unit.origin else {
        return Ok(());
    };
    let mut kinds = kinds(said);
    if let (Some(original), false) = (within, kinds.is_empty()) {
        let original = of_original(original)?;
        let known = self::kinds(&original);
        kinds.retain(|kind| !known.contains(kind));
    }
    if kinds.is_empty() {
        return Ok(());
    }
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| kind_of(line).is_some_and(|kind| kinds.contains(kind)))
        .collect();
    bail!(
        "a compiler warns of the derivatives in `{}` (a defect of Contraflow):\n{}",
        unit.path.display(),
        lines.join("\n")
    );
}

fn kinds(said: &str) -> BTreeSet<&str> {
    said.lines().filter_map(kind_of).collect()
}

/// The option that a warning names at its end: `unused-variable`.
fn kind_of(line: &str) -> Option<&str> {
    let (_, option) = line.trim_end().strip_suffix(']')?.rsplit_once("[-W")?;
    line.contains("warning: ")
        .then(|| option.trim_end_matches('='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const SAID: &str = "f.c: In function 'f_b':
f.c:3:9: warning: unused variable 'k' [-Wunused-variable]
f.c:9:9: warning: this statement may fall through [-Wimplicit-fallthrough=]";

    fn unit(within: Option<&str>) -> Unit {
        Unit {
            path: PathBuf::from("f.c"),
            is_fortran: false,
            origin: Origin::Derived {
                within: within.map(PathBuf::from),
            },
        }
    }

    #[test]
    fn kinds_that_the_users_file_has_are_the_users() {
        let of_original = |_: &Path| Ok(SAID.to_owned());
        assert!(refuse(&unit(Some("f.c")), SAID, of_original).is_ok());
        let error = refuse(&unit(None), SAID, of_original).expect_err("a refusal");
        assert!(error.to_string().contains("fall through"), "{error}");
    }

    #[test]
    fn other_kinds_are_refused() {
        let of_original = |_: &Path| Ok("f.c:1:1: warning: x [-Wunused-variable]".to_owned());
        let error = refuse(&unit(Some("f.c")), SAID, of_original).expect_err("a refusal");
        assert!(!error.to_string().contains("unused"), "{error}");
    }
}
