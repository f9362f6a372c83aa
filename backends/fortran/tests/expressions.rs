//! Parentheses, kinds and conversions in Fortran.

#[path = "../../common/tests/expressions/mod.rs"]
mod expressions;

use contraflow_backend_fortran::{Options, procedure};
use contraflow_ir::{Sources, verify::verify};

#[test]
fn expressions_have_the_parentheses_that_they_need() {
    let found = expressions::texts(false, |module, id| {
        let verified = verify(module).expect("valid");
        procedure(verified, &Sources::default(), id, &Options::default()).expect("written")
    });
    let expected = [
        "a - (a + b)",
        "(-a)*b",
        "a/(a/b)",
        "i*a",
        "i/real(j, 8)",
        "a**2",
        "a**b",
        "mod(i, j)",
        "a + 1.5d-3",
        "exp(real(s, 8))",
        "max(a, b)",
        "merge(a, b, a < b)",
    ];
    for ((found, expected), (what, _)) in found.iter().zip(expected).zip(expressions::EXPRESSIONS) {
        assert_eq!(found, expected, "{what}");
    }
}
