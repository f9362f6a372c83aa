//! Plans with a memory limit: each is proved, none keeps more than it may, and the less memory there
//! is the more is run again.

mod undone;
mod words;

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::kernels;
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

/// Where little memory is left and the disk is allowed, the plan puts snapshots there by itself, no more
/// than fit.
#[test]
fn a_plan_may_use_the_disk() {
    let planned = |more: &str| {
        let case = fortran()
            .options("--size n=12,m=300 --memory 400")
            .options(more);
        let words = case.command("plan", &[]);
        let outcome = contraflow(&words[1..]);
        assert_eq!(outcome.status, 0, "{}", outcome.error);
        outcome.out
    };
    assert!(!planned("").contains("disk("));
    let out = planned("--disk 5kB");
    let files = out
        .split("disk(")
        .nth(1)
        .and_then(|rest| rest.split(',').next());
    let files: f64 = files.expect("a file").parse().expect("a number");
    assert!(files > 1.0 && 96.0 * files <= 5000.0, "{out}");
    let case = Case::new(&folder(), &["layers.f90"], "layers: x, w -> f");
    let case = case
        .with("n=12 m=300")
        .options("--size n=12,m=300 --memory 400 --disk 5kB");
    case.prove_in(Build::Optimised);
}

/// A loop that is reversed as it runs keeps nothing and runs nothing again: no snapshots of a loop around
/// it or inside are better than that.
#[test]
fn snapshots_are_not_taken_of_what_is_reversed_as_it_runs() {
    let mut kernels = kernels::all().expect("the list").into_iter();
    let kernel = kernels.find(|kernel| kernel.name == "contour_integral");
    let kernel = kernel.expect("it is in the list");
    let sizes = "nr=40,nm=60,np=8";
    for case in [kernel.fortran(sizes), kernel.c(sizes)] {
        let derivative = tape::adjoint(&case.options(&format!("--size {sizes}"))).unwrap();
        assert_eq!(derivative.peak.bytes, 0.0, "{:?}", derivative.report);
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

/// Without sizes the derivative chooses a plan when it is called: each of them is proved, and so is the
/// choice, whatever the limit lets it take.
#[test]
fn a_plan_is_chosen_when_the_derivative_is_called() {
    for limit in ["900", "2000", "1000000"] {
        let case = fortran().options(&format!("--memory {limit}"));
        let derivative = tape::adjoint(&case).unwrap();
        assert!(
            (2..=4).contains(&derivative.plans.len()),
            "{:?}",
            derivative.plans
        );
        let outcome = case.check(Build::Checked);
        assert_eq!(
            outcome.status, 0,
            "{limit}: {}{}",
            outcome.out, outcome.error
        );
        let proofs = outcome.out.matches("\nproved").count();
        assert_eq!(proofs, derivative.plans.len() + 1, "{}", outcome.out);
    }
}

#[test]
fn a_plan_is_chosen_in_c_too() {
    let case = Case::new(&folder(), &["layers.c"], "layers: x, w -> f")
        .with("n=12 m=30")
        .extents("x=n w=m h=n f=1")
        .options("--memory 900");
    let outcome = case.check(Build::Checked);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
    assert!(
        outcome.out.matches("\nproved").count() > 2,
        "{}",
        outcome.out
    );
}

/// Where no plan fits, the program ends and says how many bytes it needs.
#[test]
fn a_call_that_no_plan_fits_says_what_it_needs() {
    let c = Case::new(&folder(), &["layers.c"], "layers: x, w -> f")
        .with("n=12 m=30")
        .extents("x=n w=m h=n f=1");
    for case in [fortran(), c] {
        let outcome = case.options("--memory 10").check(Build::Optimised);
        assert_ne!(outcome.status, 0);
        let said = format!("{}{}", outcome.out, outcome.error);
        assert!(
            said.contains("may keep 10 bytes; bytes that it needs at least: "),
            "{said}"
        );
    }
}

/// What callees keep counts where the head is called.
#[test]
fn what_callees_keep_is_counted_at_entry() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nested.f90");
    let layers = std::fs::read_to_string(source_of_layers()).unwrap();
    let outer = "\nsubroutine outer(n, m, x, w, f)\n  implicit none\n  integer, intent(in) :: n, m\n  \
                 real(8), intent(in) :: x(n), w(m)\n  real(8), intent(out) :: f\n  real(8) :: g, y(n)\n  \
                 integer :: i\n  do i = 1, n\n    y(i) = sin(x(i))\n  end do\n  \
                 call layers(n, 2*m, y, [w, w], g)\n  f = g*g\nend subroutine outer\n";
    std::fs::write(&file, layers + outer).unwrap();
    let mut case = Case::new(folder.path(), &["nested.f90"], "outer: x, w -> f").with("n=12 m=30");
    case.options.extend(["--memory".into(), "2000".into()]);
    let derivative = tape::adjoint(&case).unwrap();
    assert!(derivative.plans.len() > 1, "{:?}", derivative.report);
    let outcome = case.check(Build::Checked);
    assert_eq!(outcome.status, 0, "{}{}", outcome.out, outcome.error);
}

/// Plans are printed one by one, and no file of several is read back.
#[test]
fn several_plans_are_shown() {
    let source = source_of_layers();
    let plan = |more: &[&str]| {
        let mut line = vec!["plan", source.as_str(), "--head", "layers: x, w -> f"];
        line.extend_from_slice(more);
        contraflow(&line)
    };
    let shown = plan(&["--memory", "900"]);
    assert!(shown.out.contains("layers_b_plan2: "), "{}", shown.out);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    std::fs::write(&file, plan(&["--memory", "900", "--json"]).out).unwrap();
    let refused = plan(&["--plan", &file.display().to_string()]);
    assert!(
        refused.error.contains("holds several plans"),
        "{}",
        refused.error
    );
}

fn source_of_layers() -> String {
    folder().join("layers.f90").display().to_string()
}
