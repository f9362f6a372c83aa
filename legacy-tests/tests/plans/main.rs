//! Plans with a memory limit: each is proved, none keeps more than it may, and the less memory there
//! is the more is run again.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::{Build, Case};
use contraflow_legacy_tests::tape;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans")
}

fn fortran() -> Case {
    Case::new(&folder(), &["layers.f90"], "layers: x, w -> f").with("n=12 m=30")
}

fn limited(mut case: Case, limit: &str) -> Case {
    case.options.extend(["--size".into(), "n=12,m=30".into()]);
    case.options.extend(["--memory".into(), limit.into()]);
    case
}

/// 30 layers of 12 numbers are 2,880 bytes; with less there are snapshots of some layers only.
#[test]
fn plans_within_a_limit_are_proved_and_slower_the_less_there_is() {
    let mut last = 0.0;
    for limit in [1_000_000, 2500, 1500, 900, 500] {
        let case = limited(fortran(), &limit.to_string());
        let derivative = tape::adjoint(&case).unwrap_or_else(|error| panic!("{limit}: {error}"));
        assert!(
            derivative.peak.bytes <= f64::from(limit),
            "{} bytes of {limit}",
            derivative.peak.bytes
        );
        assert!(derivative.time >= last, "less memory, less time: {limit}");
        last = derivative.time;
        let outcome = case.check(Build::Optimised);
        assert_eq!(
            outcome.status, 0,
            "{limit}: {}{}",
            outcome.out, outcome.error
        );
    }
}

#[test]
fn the_same_in_c() {
    let case = Case::new(&folder(), &["layers.c"], "layers: x, w -> f").with("n=12 m=30");
    let case = limited(case, "900").extents("x=n w=m h=n f=1");
    let outcome = case.check(Build::Checked);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
}

#[test]
fn a_limit_that_nothing_fits_tells_the_least() {
    let error = tape::adjoint(&limited(fortran(), "10"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("memory-limit"), "{error}");
    assert!(error.contains("the least that was found is"), "{error}");
    assert!(error.contains("h_"), "{error}");
}

#[test]
fn sizes_and_amounts_that_are_not_understood_are_refused() {
    for (option, value, code) in [
        ("--size", "n", "bad-size"),
        ("--size", "n=-3", "bad-size"),
        ("--size", "nobody=3", "unknown-size"),
        ("--memory", "8 gigs", "bad-memory"),
        ("--time-limit", "nan", "bad-time-limit"),
    ] {
        let mut case = fortran();
        case.options.extend([option.into(), value.into()]);
        let error = tape::adjoint(&case).unwrap_err().to_string();
        assert!(error.contains(code), "{option} {value}: {error}");
    }
}

/// A plan is found also where there is no time to look for a better one.
#[test]
fn the_search_for_a_plan_ends_in_time() {
    let mut case = limited(fortran(), "900");
    case.options.extend(["--time-limit".into(), "0".into()]);
    let derivative = tape::adjoint(&case).unwrap();
    assert!(derivative.peak.bytes <= 900.0);
}

/// What is printed can be edited and read back.
#[test]
fn an_edited_plan_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    let source = source_of_layers();
    let plan = |more: &[&str]| {
        let mut line = vec!["plan", source.as_str(), "--head", "layers: x, w -> f"];
        line.extend_from_slice(more);
        contraflow(&line)
    };
    let printed = plan(&["--json", "--size", "n=12,m=30", "--memory", "900"]);
    assert_eq!(printed.status, 0, "{}", printed.error);
    assert!(printed.out.contains("binomial("), "{}", printed.out);
    let edit = |text: &str| std::fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    let begin = printed.out.find("binomial(").unwrap();
    let end = begin + printed.out[begin..].find(')').unwrap() + 1;
    let edited = printed.out.replace(&printed.out[begin..end], "binomial(3)");
    edit(&edited);
    let followed = plan(&["--plan", &path]);
    assert_eq!(followed.status, 0, "{}", followed.error);
    assert!(followed.out.contains("binomial(3)"), "{}", followed.out);
    edit(&printed.out.replace(&printed.out[begin..end], "split"));
    let followed = plan(&["--plan", &path]);
    assert!(!followed.out.contains("binomial"), "{}", followed.out);
    for (text, said) in [
        ("{", "is not JSON"),
        ("{\"version\": 2}", "is not of version 1"),
        ("{\"version\": 1}", "has no list"),
        (
            &edited.replace("binomial(3)", "often"),
            "`often` is no decision",
        ),
        (&edited.replace("\"line\"", "\"row\""), "`line` is missing"),
        (
            &edited.replace("\"procedure\": \"layers\"", "\"procedure\": \"nobody\""),
            "names no loop",
        ),
    ] {
        edit(text);
        let refused = plan(&["--plan", &path]);
        assert_eq!(refused.status, 1, "{text}");
        assert!(refused.error.contains(said), "{text}: {}", refused.error);
    }
}

fn source_of_layers() -> String {
    folder().join("layers.f90").display().to_string()
}
