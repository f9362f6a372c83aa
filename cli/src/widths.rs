//! Flags of compilers that change how wide reals are.

use contraflow_ir::{Diagnostic, RealKinds};

/// What a flag does to the widths.
fn effect(flag: &str) -> Option<fn(&mut RealKinds)> {
    Some(match flag {
        "-fdefault-real-8" => |reals| {
            reals.default = 8;
            reals.double = 16;
        },
        "-r8" => |reals| reals.default = 8,
        "-freal-4-real-8" => |reals| {
            reals.default = reals.default.max(8);
            reals.four = 8;
        },
        _ => return None,
    })
}

/// It takes back what another flag does to `double precision`, wherever it stands.
const KEEPS_DOUBLE: &str = "-fdefault-double-8";

/// Whether a flag widens reals.
pub fn widens_reals(flag: &str) -> bool {
    flag == KEEPS_DOUBLE || effect(flag).is_some()
}

/// How wide reals are under these flags.
///
/// # Errors
/// A flag that changes kinds in another way: what was read would not be what is compiled.
pub fn reals_under(flags: &str) -> Result<RealKinds, Diagnostic> {
    let mut reals = RealKinds::default();
    for flag in flags.split_whitespace() {
        match effect(flag) {
            Some(effect) => effect(&mut reals),
            None if changes_kinds(flag) => return Err(not_understood(flag)),
            None => {}
        }
    }
    if flags.split_whitespace().any(|flag| flag == KEEPS_DOUBLE) {
        reals.double = 8;
    }
    Ok(reals)
}

fn changes_kinds(flag: &str) -> bool {
    let is_of_gnu = flag.starts_with("-fdefault-") || flag.starts_with("-freal-");
    let is_other = [
        "-finteger-4-integer-8",
        "-i8",
        "-r16",
        "-real-size",
        "-integer-size",
    ];
    is_of_gnu && flag != KEEPS_DOUBLE || is_other.contains(&flag)
}

fn not_understood(flag: &str) -> Diagnostic {
    Diagnostic::error(
        "flag-of-kinds",
        format!("`{flag}` changes the kinds of the source in a way that is not understood"),
    )
    .with_help(
        "reals are widened by `-fdefault-real-8`, `-fdefault-double-8`, `-freal-4-real-8` or `-r8`",
    )
}

#[cfg(test)]
mod tests {
    use super::reals_under;

    fn widths(flags: &str) -> (u8, u8, u8) {
        let reals = reals_under(flags).expect("understood");
        (reals.default, reals.double, reals.four)
    }

    #[test]
    fn flags_widen_as_compilers_have_it() {
        assert_eq!(widths("-O2 -ffast-math"), (4, 8, 4));
        assert_eq!(widths("-fdefault-real-8"), (8, 16, 4));
        assert_eq!(widths("-fdefault-double-8 -fdefault-real-8"), (8, 8, 4));
        assert_eq!(widths("-freal-4-real-8"), (8, 8, 8));
        assert_eq!(widths("-r8"), (8, 8, 4));
    }

    #[test]
    fn kinds_of_integers_are_not_changed() {
        assert!(reals_under("-O2 -fdefault-integer-8").is_err());
    }
}
