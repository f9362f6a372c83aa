//! Parentheses, kinds and conversions in C.

#[path = "../../common/tests/expressions/mod.rs"]
mod expressions;

use contraflow_backend_c::{Options, procedure};
use contraflow_ir::{Sources, verify::verify};

fn check(from_c: bool, expected: &[&str]) {
    let found = expressions::texts(from_c, |module, id| {
        let verified = verify(module).expect("valid");
        procedure(verified, &Sources::default(), id, &Options::default()).expect("written")
    });
    for ((found, expected), (what, _)) in found.iter().zip(expected).zip(expressions::EXPRESSIONS) {
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn expressions_have_the_parentheses_that_they_need() {
    check(
        true,
        &[
            "a - (a + b)",
            "(-a)*b",
            "a/(a/b)",
            "i*a",
            "i/(double)j",
            "a*a",
            "pow(a, b)",
            "i % j",
            "a + 1.5e-3",
            "exp(s)",
            "fmax(a, b)",
            "a < b ? a : b",
        ],
    );
}

#[test]
fn the_larger_of_two_is_chosen_as_fortran_does() {
    let found = expressions::texts(false, |module, id| {
        let verified = verify(module).expect("valid");
        procedure(verified, &Sources::default(), id, &Options::default()).expect("written")
    });
    assert_eq!(found[10], "max_double(a, b)");
}
