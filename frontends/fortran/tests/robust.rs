//! Whatever a text is, the answer is a module that keeps the contract, and it comes in bounded
//! time: mutated programs, deep nesting, long procedures, includes in circles.

mod common;

use common::{Memory, codes, opaque, program, program_with};
use proptest::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const SEEDS: [&str; 4] = [
    include_str!("seeds/free.f90"),
    include_str!("seeds/fixed.f"),
    include_str!("seeds/arrays.f90"),
    include_str!("seeds/jumps.f"),
];

/// A change to a text: `(what, where, amount)`.
type Change = (u8, u16, u16);

fn mutate(seed: &str, changes: &[Change]) -> Vec<u8> {
    const BITS: [&str; 16] = [
        "&\n", "'", "(", ")", "%", "::", "=>", "=", ",", "end", " do ", "\n10 ", "!$omp ", "_8",
        "**", "\0",
    ];
    let mut text = seed.as_bytes().to_vec();
    for &(what, place, amount) in changes {
        if text.is_empty() {
            break;
        }
        let at = usize::from(place) % text.len();
        let length = usize::from(amount) % 40;
        let end = (at + length).min(text.len());
        match what % 4 {
            0 => drop(text.drain(at..end)),
            1 => {
                let copy = text[at..end].to_vec();
                let to = usize::from(amount) % text.len();
                text.splice(to..to, copy);
            }
            2 => {
                let bit = BITS[usize::from(amount) % BITS.len()];
                text.splice(at..at, bit.bytes());
            }
            _ => text[at] = amount as u8,
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_answered(
        seed in 0usize..SEEDS.len(),
        path in prop_oneof![Just("a.f90"), Just("a.f")],
        changes in prop::collection::vec(any::<Change>(), 1..12),
    ) {
        let text = mutate(SEEDS[seed], &changes);
        let start = Instant::now();
        let _ = program(&[(path, &text)]);
        prop_assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn the_seeds_are_understood_whole() {
    for (seed, path) in SEEDS.into_iter().zip(["free.f90", "fixed.f", "arrays.f90"]) {
        let program = program(&[(path, seed.as_bytes())]);
        let bad: Vec<_> = program
            .diagnostics
            .iter()
            .map(|d| {
                (
                    d.code,
                    d.labels.first().map(|l| program.sources.snippet(l.span)),
                )
            })
            .collect();
        assert!(bad.is_empty(), "{path}: {bad:?}");
    }
}

#[test]
fn deep_parentheses_are_answered() {
    let depth = 30_000;
    let text = format!(
        "subroutine s(x)\nreal x\nx = {}x{}\nend\n",
        "(".repeat(depth),
        ")".repeat(depth)
    );
    let program = program(&[("a.f90", text.as_bytes())]);
    assert_eq!(opaque(&program), ["parse-error"]);
}

#[test]
fn a_thousand_parentheses_are_understood() {
    let text = format!(
        "subroutine s(x)\nreal x\nx = {}x{}\nend\n",
        "(".repeat(1000),
        ")".repeat(1000)
    );
    assert!(opaque(&program(&[("a.f90", text.as_bytes())])).is_empty());
}

#[test]
fn deep_constructs_are_answered() {
    let depth = 5_000;
    let text = format!(
        "subroutine s(x)\nreal x\n{}x = 1\n{}end\n",
        "if (x > 0) then\n".repeat(depth),
        "end if\n".repeat(depth)
    );
    assert_eq!(opaque(&program(&[("a.f90", text.as_bytes())])), ["body"]);
}

#[test]
fn a_long_chain_of_else_if_is_understood() {
    let arms: String = (0..3000)
        .map(|i| format!("else if (i == {i}) then\nx = {i}.0\n"))
        .collect();
    let text =
        format!("subroutine s(i, x)\ninteger i\nreal x\nif (i < 0) then\n{arms}end if\nend\n");
    assert!(opaque(&program(&[("a.f90", text.as_bytes())])).is_empty());
}

#[test]
fn long_procedures_take_linear_time() {
    let text = |lines: usize| {
        let body = "x = x*y + 2.0\ny = y - x\n".repeat(lines / 2);
        format!("subroutine s(x, y)\nreal x, y\n{body}end\n")
    };
    let time = |lines: usize| {
        let text = text(lines);
        let start = Instant::now();
        let _ = program(&[("a.f90", text.as_bytes())]);
        start.elapsed()
    };
    let short = time(4_000);
    let long = time(16_000);
    assert!(
        long < short * 12 + Duration::from_secs(1),
        "{short:?} {long:?}"
    );
}

#[test]
fn a_recursive_include_is_refused_and_the_rest_read() {
    let mut host = Memory::default();
    let include = b"include 'a.inc'\ninteger k\n".to_vec();
    host.0.insert(PathBuf::from("a.inc"), include);
    let text = b"subroutine s(x)\ninclude 'a.inc'\nreal x\nx = k\nend\n";
    let program = program_with(&[("s.f90", text)], &host);
    assert_eq!(codes(&program), ["recursive-include"]);
    assert!(opaque(&program).is_empty());
}

#[test]
fn a_missing_include_is_located() {
    let text = b"subroutine s(x)\ninclude 'no.inc'\nreal x\nx = 1\nend\n";
    let program = program(&[("s.f90", text)]);
    assert_eq!(codes(&program), ["missing-include"]);
    let label = &program.diagnostics[0].labels[0];
    assert_eq!(program.sources.snippet(label.span), "include 'no.inc'");
}

#[test]
fn an_empty_file_is_said_to_be_empty() {
    assert_eq!(codes(&program(&[("a.f90", b" \n\n")])), ["empty-file"]);
}

#[test]
fn a_binary_file_is_refused() {
    assert_eq!(
        codes(&program(&[("a.f90", b"\x7fELF\0\0\x01")])),
        ["binary-file"]
    );
}

#[test]
fn a_missing_preprocessor_is_said_and_the_text_read() {
    let program = program(&[("a.F90", b"subroutine s(x)\nreal x\nx = 1\nend\n")]);
    assert_eq!(codes(&program), ["preprocessor"]);
    assert_eq!(program.module.procedures.len(), 1);
}

#[test]
fn an_unknown_module_is_named_with_its_neighbours() {
    let program = program(&[(
        "a.f90",
        b"module constants\nend module\nsubroutine s\nuse constant\nend\n",
    )]);
    assert_eq!(codes(&program), ["unknown-module"]);
    let help = program.diagnostics[0].help.as_deref().unwrap_or("");
    assert!(help.contains("constants"), "{help}");
}

#[test]
fn a_bad_statement_is_located_and_the_rest_is_lowered() {
    let program = program(&[(
        "a.f90",
        b"subroutine s(x)\nreal x\nx = 1.0 + * 2\nx = x + 1\nend\n",
    )]);
    assert_eq!(codes(&program), ["unparsed"]);
    assert_eq!(opaque(&program), ["parse-error"]);
    let (_, procedure) = program
        .module
        .procedures
        .iter()
        .next()
        .expect("a procedure");
    assert_eq!(procedure.all_statements().len(), 2);
}

#[test]
fn modules_that_use_each_other_in_a_circle_are_answered() {
    let program = program(&[(
        "a.f90",
        b"module a\nuse b\nreal :: x\nend module\nmodule b\nuse a\nreal :: y\nend module\n",
    )]);
    assert_eq!(program.module.globals.len(), 2);
}

#[test]
fn constants_that_name_each_other_in_a_circle_are_answered() {
    let program = program(&[(
        "a.f90",
        b"subroutine s(x)\ninteger, parameter :: a = b, b = a\nreal(a) :: x(a)\nx = 1\nend\n",
    )]);
    assert_eq!(program.module.procedures.len(), 1);
}

#[test]
fn a_thousand_arguments_are_passed() {
    let list = |stem: &str| {
        let names: Vec<String> = (0..1000).map(|n| format!("{stem}{n}")).collect();
        names.join(",&\n")
    };
    let text = format!(
        "subroutine p({0})\nreal :: {0}\ncall q({0})\nend\nsubroutine q({1})\nreal :: {1}\nb1 = b2\nend\n",
        list("a"),
        list("b"),
    );
    let program = program(&[("a.f90", text.as_bytes())]);
    assert!(codes(&program).is_empty(), "{:?}", codes(&program));
}

#[test]
fn a_hundred_thousand_values_of_data_are_read() {
    let values = vec!["1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 0.5"; 10_000].join(",&\n");
    let text =
        format!("subroutine p(x)\nreal :: x(100000), t(100000)\ndata t /{values}/\nx = x*t\nend\n");
    let program = program(&[("a.f90", text.as_bytes())]);
    assert!(codes(&program).is_empty(), "{:?}", codes(&program));
}

#[test]
fn hundreds_of_crossing_jumps_are_structured() {
    let labels: Vec<String> = (1..=200).map(|label| label.to_string()).collect();
    let mut text = "      SUBROUTINE P(K, Y)\n      GO TO (".to_owned();
    text += &labels.join(",\n     & ");
    text += "), K\n";
    for label in 1..=200 {
        let target = label * 7919 % 200 + 1;
        text += &format!(" {label:4} Y = Y + {label}\n      IF (Y .GT. {label}) GO TO {target}\n");
    }
    text += "      END\n";
    let program = program(&[("a.f", text.as_bytes())]);
    assert!(codes(&program).is_empty(), "{:?}", codes(&program));
}
