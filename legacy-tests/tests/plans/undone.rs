//! Integers that are undone by the backward sweep instead of kept.

use super::folder;
use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::{Build, Case};

fn fortran(name: &str) -> Case {
    let more = match name {
        "moved" => ("a, x, y", " k=1"),
        "leaves" => ("a, x", " m=0"),
        _ => ("a, x", ""),
    };
    let head = format!("{name}: {} -> y", more.0);
    Case::new(&folder(), &["counters.f90"], &head).with(&format!("n=9{}", more.1))
}

fn c(name: &str) -> Case {
    let head = format!("{name}: a, x -> return");
    Case::new(&folder(), &["counters.c"], &head)
        .with("n=9")
        .extents("a=400 x=n")
}

/// How the plan has it with each change of an integer, in the order of the source.
fn planned(case: &Case, name: &str) -> Vec<String> {
    let words = case.command("plan", &[]);
    let outcome = contraflow(&words[1..]);
    assert_eq!(outcome.status, 0, "{}", outcome.error);
    let mut found: Vec<(u32, String)> = Vec::new();
    for row in outcome.out.lines() {
        if let [_, line, what, decision @ ("invert" | "restore"), ..] =
            row.split_whitespace().collect::<Vec<_>>()[..]
            && what == name
        {
            found.push((line.parse().expect("a line"), decision.to_owned()));
        }
    }
    found.sort();
    found.into_iter().map(|(_, decision)| decision).collect()
}

#[test]
fn a_packed_triangle_keeps_no_subscripts() {
    assert_eq!(planned(&fortran("packed"), "k"), ["invert"; 3]);
    assert_eq!(planned(&c("packed"), "at"), ["invert"; 3]);
}

#[test]
fn what_moves_by_another_integer_is_undone_with_it() {
    let case = fortran("strides");
    assert_eq!(planned(&case, "k"), ["invert"; 2]);
    assert_eq!(planned(&case, "d"), ["invert"]);
}

#[test]
fn what_has_two_names_or_is_no_sum_is_kept() {
    assert!(!planned(&fortran("shared"), "k").contains(&"invert".to_owned()));
    assert!(!planned(&c("truths"), "b").contains(&"invert".to_owned()));
    assert!(!planned(&c("own"), "k").contains(&"invert".to_owned()));
}

#[test]
fn counters_are_proved() {
    let names = [
        "packed", "moved", "strides", "shared", "tabled", "together", "leaves", "kinds",
    ];
    for name in names {
        fortran(name).prove_in(Build::Checked);
    }
    for name in ["packed", "truths", "jumps", "own"] {
        c(name).prove_in(Build::Checked);
    }
}
