//! Comments that say what is kept and what is computed again: followed where that can be done, else a
//! warning with its line.

use crate::{folder, fortran, source_of_layers};
use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::{Build, Case};
use contraflow_legacy_tests::tape;
use std::path::PathBuf;
use tempfile::TempDir;

/// `layers` with lines put before others.
fn with_lines(lines: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut text = std::fs::read_to_string(source_of_layers()).unwrap();
    for (before, line) in lines {
        assert!(text.contains(before), "{before}");
        text = text.replacen(before, &format!("{line}\n{before}"), 1);
    }
    let file = folder.path().join("layers.f90");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

fn planned(file: &std::path::Path) -> String {
    let file = file.display().to_string();
    let shown = contraflow(&["plan", &file, "--head", "layers: x, w -> f"]);
    assert_eq!(shown.status, 0, "{}", shown.error);
    shown.out
}

fn decisions_on(plan: &str, name: &str) -> Vec<String> {
    plan.lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() > 3 && words[2] == name)
        .map(|words| words[3].to_owned())
        .collect()
}

#[test]
fn a_comment_keeps_a_value_that_would_be_computed_again() {
    let before = "      s = exp(";
    assert_eq!(
        decisions_on(&planned(&with_lines(&[]).1), "s"),
        ["recompute"]
    );
    for line in [
        "      !$ad store(s)",
        "!$AD STORE( s )",
        "!$taf store s = tape, key = i",
    ] {
        let (folder, file) = with_lines(&[(before, line)]);
        let plan = planned(&file);
        assert!(
            decisions_on(&plan, "s").contains(&"store".to_owned()),
            "{line}: {plan}"
        );
        let case = Case::new(folder.path(), &["layers.f90"], "layers: x, w -> f").with("n=5 m=4");
        let outcome = case.check(Build::Checked);
        assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
    }
}

/// As in sources that were written for TAF: behind the assignments that the value comes from.
#[test]
fn a_comment_behind_an_assignment_means_it() {
    let (_folder, file) = with_lines(&[
        ("      h(i) = h(i)/t", "CADJ STORE t = tape, KEY = i"),
        ("  f = 0.0d0", "CADJ INIT tape = COMMON, 9"),
    ]);
    let fixed = std::fs::read_to_string(&file).unwrap();
    // The old mark is a comment in free form too.
    std::fs::write(&file, fixed.replace("CADJ", "!ADJ")).unwrap();
    let plan = planned(&file);
    assert!(
        decisions_on(&plan, "t").contains(&"store".to_owned()),
        "{plan}"
    );
    assert!(
        !decisions_on(&plan, "s").contains(&"store".to_owned()),
        "{plan}"
    );
}

#[test]
fn a_comment_computes_again_what_a_plan_would_keep() {
    let line = "      !$ad recompute(s, t)";
    let (folder, file) = with_lines(&[("    do i = 1, n\n      s", line)]);
    let shown = contraflow(&[
        "plan",
        &file.display().to_string(),
        "--head",
        "layers: x, w -> f",
        "--memory",
        "100000000",
        "--size",
        "n=1024,m=1024",
    ]);
    assert!(
        !decisions_on(&shown.out, "s").contains(&"restore".to_owned()),
        "{}",
        shown.out
    );
    let case = Case::new(folder.path(), &["layers.f90"], "layers: x, w -> f").with("n=5 m=4");
    let outcome = case.check(Build::Optimised);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
}

#[test]
fn a_pragma_says_the_same_in_c() {
    let scratch = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(folder().join("layers.c")).unwrap();
    let text = text.replacen(
        "      double s =",
        "#pragma ad store(s)\n      double s =",
        1,
    );
    std::fs::write(scratch.path().join("layers.c"), text).unwrap();
    let case = Case::new(scratch.path(), &["layers.c"], "layers: x, w -> f")
        .with("n=5 m=4")
        .extents("x=n w=m h=n f=1")
        .options("--report");
    let outcome = case.check(Build::Checked);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
    let said = format!("{}{}", outcome.out, outcome.error);
    assert!(said.contains("tape s_tape"), "{said}");
}

#[test]
fn what_cannot_be_followed_is_a_warning_with_its_line() {
    for (before, line, cause) in [
        (
            "  f = 0.0d0",
            "  !$ad store(nobody)",
            "there is no variable `nobody`",
        ),
        (
            "  f = 0.0d0",
            "  !$ad recompute(f)",
            "is assigned neither here nor before",
        ),
        ("  f = 0.0d0", "  !$ad checkpoint-start", "is not followed"),
        ("  f = 0.0d0", "  !$AD NOCHECKPOINT", "is not followed"),
    ] {
        let (_folder, file) = with_lines(&[(before, line)]);
        let out = tempfile::tempdir().unwrap();
        let done = contraflow(&[
            "adjoint",
            &file.display().to_string(),
            "--head",
            "layers: x, w -> f",
            "-o",
            &out.path().display().to_string(),
        ]);
        if cause.contains("neither") {
            // Right above an assignment of it, outside of loops.
            assert!(done.error.contains("hint-not-followed"), "{}", done.error);
        } else {
            assert!(done.error.contains(cause), "{line}: {}", done.error);
        }
        assert_eq!(done.status, 0, "{}", done.error);
        assert!(done.error.contains("layers.f90:19"), "{}", done.error);
    }
}

/// An edited plan may keep single values; what it says of lines that have changed is named.
#[test]
fn an_edited_plan_keeps_single_values() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    let path = file.display().to_string();
    let source = source_of_layers();
    let plan = |more: &[&str]| {
        let mut line = vec!["plan", source.as_str(), "--head", "layers: x, w -> f"];
        line.extend_from_slice(more);
        contraflow(&line)
    };
    let printed = plan(&["--json"]).out;
    let kept = printed.replacen("\"decision\": \"recompute\"", "\"decision\": \"store\"", 1);
    assert_ne!(printed, kept);
    std::fs::write(&file, &kept).unwrap();
    let followed = plan(&["--plan", &path]);
    assert_eq!(followed.status, 0, "{}", followed.error);
    assert!(followed.out.contains(" store "), "{}", followed.out);
    let stale = kept.replacen("\"name\": \"s\"", "\"name\": \"q\"", 1);
    std::fs::write(&file, stale).unwrap();
    let refused = plan(&["--plan", &path]);
    assert_eq!(refused.status, 1);
    assert!(
        refused
            .error
            .contains("what to do with `q` in line 14 of `layers`"),
        "{}",
        refused.error
    );
}

/// The least memory that the error tells is enough, and less is not.
#[test]
fn the_least_memory_is_what_the_error_says() {
    let ask = |memory: f64| {
        let case = fortran().options(&format!("--size n=12,m=30 --memory {memory}"));
        tape::adjoint(&case)
    };
    let error = ask(10.0).unwrap_err().to_string();
    let begin = error.find("the least that was found is ").expect("a least") + 28;
    let least: String = error[begin..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let least: f64 = least.parse().unwrap();
    assert!(ask(least).unwrap().peak.bytes <= least);
    assert!(ask(least - 1.0).is_err());
}

/// Callees that are run again keep their memory one after the other: the larger one counts. (In a loop
/// whose trips are not counted no call is reversed by two sweeps apart.)
#[test]
fn callees_count_by_their_own_peak() {
    let scratch = tempfile::tempdir().unwrap();
    let layers = std::fs::read_to_string(source_of_layers()).unwrap();
    let peak = |calls: &[&str]| {
        let body: String = calls
            .iter()
            .map(|m| format!("  call layers(n, {m}, x, w, g)\n  f = f + g*g\n"))
            .collect();
        let outer = format!(
            "\nsubroutine outer(n, m, x, w, f)\n  integer, intent(in) :: n, m\n  \
             real(8), intent(in) :: x(n), w(m)\n  real(8), intent(out) :: f\n  real(8) :: g\n  \
             real(8) :: t\n  f = 0.0d0\n  t = 0\n  do while (t < 2)\n  t = t + 1\n\
             {body}  end do\nend subroutine outer\n"
        );
        std::fs::write(scratch.path().join("outer.f90"), format!("{layers}{outer}")).unwrap();
        let case = Case::new(scratch.path(), &["outer.f90"], "outer: x, w -> f")
            .options("--size n=12,m=30");
        tape::adjoint(&case).unwrap().peak.bytes
    };
    let one = peak(&["m"]);
    assert!(one > 0.0);
    assert_eq!(peak(&["m", "m"]), one);
}

/// Where keeping what crosses between the sweeps of callees is too much, callees are run again.
#[test]
fn calls_are_reversed_joint_where_memory_is_short() {
    let scratch = tempfile::tempdir().unwrap();
    let layers = std::fs::read_to_string(source_of_layers()).unwrap();
    let outer = "\nsubroutine outer(n, m, x, w, f)\n  integer, intent(in) :: n, m\n  \
                 real(8), intent(in) :: x(n), w(m)\n  real(8), intent(out) :: f\n  real(8) :: g\n  \
                 call layers(n, m, x, w, g)\n  f = g*g\n  call layers(n, m, x, w, g)\n  \
                 f = f + g*g\nend subroutine outer\n";
    std::fs::write(scratch.path().join("outer.f90"), format!("{layers}{outer}")).unwrap();
    let case = |memory: &str| {
        Case::new(scratch.path(), &["outer.f90"], "outer: x, w -> f")
            .options(&format!("--size n=12,m=30 {memory}"))
            .with("n=12 m=30")
    };
    let free = tape::adjoint(&case("")).unwrap();
    assert!(free.peak.bytes > 5000.0);
    let limited = tape::adjoint(&case("--memory 3500")).unwrap();
    assert!(limited.peak.bytes <= 3500.0, "{}", limited.peak.bytes);
    let outcome = case("--memory 3500").check(Build::Checked);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
}
