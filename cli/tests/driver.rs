//! The drivers of `contraflow check` against derivatives written by hand: right ones are proved,
//! and each of a list of mistakes is found by the law that it breaks.

use contraflow_cli::check::build::{Origin, Run, Toolchain, Unit, build_and_run};
use contraflow_cli::check::experiment::{
    Actual, Call, Element, Experiment, Formal, Item, Quantity,
};
use contraflow_cli::check::values::Values;
use contraflow_cli::check::verdict::{Tolerances, Verdict, judge};
use contraflow_cli::check::{driver_c, driver_fortran};
use contraflow_ir::Home;
use std::path::Path;

/// `y = a sin(x)`, `w = w x`; `foo = sum(w)` at exit.
const FORTRAN: &str = "
real(8) function foo(n, x, a, w, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), a
  real(8), intent(inout) :: w(n)
  real(8), intent(out) :: y(n)
  y = a*sin(x)
  w = w*x
  foo = sum(w)
end function

subroutine foo_d(n, x, x_d, a, a_d, w, w_d, y, y_d, v, v_d)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), x_d(n), a, a_d
  real(8), intent(inout) :: w(n), w_d(n)
  real(8), intent(out) :: y(n), y_d(n), v, v_d
  y_d = a_d*sin(x) + a*cos(x)*x_d
  y = a*sin(x)
  w_d = w_d*x + w*x_d
  w = w*x
  v_d = sum(w_d)
  v = sum(w)
end subroutine

subroutine foo_b(n, x, x_b, a, a_b, w, w_b, y, y_b, v, v_b)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), a
  real(8), intent(inout) :: x_b(n), a_b, w(n), w_b(n), y_b(n), v_b
  real(8), intent(out) :: y(n), v
  real(8) :: w_old(n)
  y = a*sin(x)
  w_old = w
  w = w*x
  v = sum(w)
  w_b = w_b + v_b
  v_b = 0
  x_b = x_b + w_old*w_b
  w_b = w_b*x
  a_b = a_b + sum(sin(x)*y_b)
  x_b = x_b + a*cos(x)*y_b
  y_b = 0
end subroutine
";

const C: &str = "
#include <math.h>
double foo(int n, const double *x, double a, double *w, double *y) {
  double v = 0;
  for (int i = 0; i < n; i++) {
    y[i] = a*sin(x[i]);
    w[i] = w[i]*x[i];
    v += w[i];
  }
  return v;
}
void foo_d(int n, const double *x, const double *x_d, double a, double a_d, double *w, double *w_d,
           double *y, double *y_d, double *v, double *v_d) {
  *v = *v_d = 0;
  for (int i = 0; i < n; i++) {
    y_d[i] = a_d*sin(x[i]) + a*cos(x[i])*x_d[i];
    y[i] = a*sin(x[i]);
    w_d[i] = w_d[i]*x[i] + w[i]*x_d[i];
    w[i] = w[i]*x[i];
    *v += w[i];
    *v_d += w_d[i];
  }
}
void foo_b(int n, const double *x, double *x_b, double a, double *a_b, double *w, double *w_b,
           double *y, double *y_b, double *v, double v_b) {
  double w_old[100];
  *v = 0;
  for (int i = 0; i < n; i++) {
    y[i] = a*sin(x[i]);
    w_old[i] = w[i];
    w[i] = w[i]*x[i];
    *v += w[i];
  }
  for (int i = 0; i < n; i++) {
    w_b[i] = w_b[i] + v_b;
    x_b[i] = x_b[i] + w_old[i]*w_b[i];
    w_b[i] = w_b[i]*x[i];
    *a_b = *a_b + sin(x[i])*y_b[i];
    x_b[i] = x_b[i] + a*cos(x[i])*y_b[i];
    y_b[i] = 0;
  }
}
";

fn quantity(name: &str, element: Element, shape: &[u64], flags: &str) -> Quantity {
    Quantity {
        name: name.to_owned(),
        element,
        shape: shape.to_vec(),
        independent: flags.contains('i'),
        dependent: flags.contains('o'),
        values: Values::Uniform(0.5, 1.5),
        place: None,
    }
}

fn experiment(is_c: bool) -> Experiment {
    let real = Element::Real(8);
    let mut n = quantity("n", Element::Integer(4, true), &[], "");
    n.values = Values::Integers(vec![9]);
    let variables = vec![
        n,
        quantity("x", real, &[9], "i"),
        quantity("a", real, &[], "i"),
        quantity("w", real, &[9], "io"),
        quantity("y", real, &[9], "o"),
        quantity("foo", real, &[], "o"),
    ];
    let actuals = |has_shadows: bool, shadows_by_value: &[usize]| {
        let mut actuals = Vec::new();
        for variable in 0..6 {
            let value = is_c && (variable == 0 || variable == 2);
            let item = Item::Variable(variable);
            actuals.push(Actual {
                item,
                shadow: false,
                by_value: value,
                formal: Formal::default(),
            });
            if has_shadows && variable > 0 {
                let by_value = is_c && shadows_by_value.contains(&variable);
                actuals.push(Actual {
                    item,
                    shadow: true,
                    by_value,
                    formal: Formal::default(),
                });
            }
        }
        actuals
    };
    Experiment {
        head: "foo".to_owned(),
        copy: None,
        home: Home::none(),
        module: None,
        is_private: false,
        variables,
        holders: Vec::new(),
        procedures: Vec::new(),
        mirrors: Vec::new(),
        before: Vec::new(),
        primal: Call {
            name: "foo".to_owned(),
            actuals: actuals(false, &[])[..5].to_vec(),
            labels: None,
        },
        result: Some(Item::Variable(5)),
        tangent: Call {
            name: "foo_d".to_owned(),
            actuals: actuals(true, &[2]),
            labels: None,
        },
        adjoint: Call {
            name: "foo_b".to_owned(),
            actuals: actuals(true, &[5]),
            labels: None,
        },
        stale: Vec::new(),
        is_single: false,
        seeds: 2,
        step: None,
        kept: None,
    }
}

fn run(experiment: &Experiment, source: &str, is_c: bool, folder: &Path) -> Run {
    let write = |name: &str, text: &str, origin: Origin| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("written");
        Unit {
            path,
            is_fortran: !is_c,
            origin,
        }
    };
    let units = if is_c {
        [
            write("foo.c", source, Origin::User),
            write(
                "driver.c",
                &driver_c::driver(experiment, None),
                Origin::Driver,
            ),
        ]
    } else {
        [
            write("foo.f90", source, Origin::User),
            write(
                "driver.f90",
                &driver_fortran::driver(experiment),
                Origin::Driver,
            ),
        ]
    };
    let flags = if is_c {
        "-O1 -Wall -Wextra -Werror -std=c11"
    } else {
        "-O1 -Wall -Wno-unused-variable -fcheck=all,no-array-temps"
    };
    let toolchain = Toolchain {
        fortran: "gfortran".to_owned(),
        c: "gcc".to_owned(),
        flags: flags.split(' ').map(str::to_owned).collect(),
        standard: String::new(),
        definitions: Vec::new(),
        include_directories: Vec::new(),
        commands: Default::default(),
        link: Vec::new(),
        runner: Vec::new(),
    };
    build_and_run(&units, &toolchain, folder).expect("built and run")
}

fn verdict(source: &str, is_c: bool) -> Verdict {
    let folder = tempfile::tempdir().expect("a folder");
    let experiment = experiment(is_c);
    let run = run(&experiment, source, is_c, folder.path());
    assert!(run.success && run.errors.is_empty(), "{}", run.errors);
    let tolerances = Tolerances {
        adjoint: 1e-12,
        differences: 1e-6,
    };
    judge(&experiment, &run.output, tolerances).expect("figures")
}

fn proved(source: &str, is_c: bool) {
    let verdict = verdict(source, is_c);
    assert!(verdict.proved, "{}", verdict.lines.join("\n"));
}

/// The mistake is found, and by this law.
fn found(source: &str, right: &str, wrong: &str, law: &str, is_c: bool) {
    assert!(source.contains(right), "{right}");
    let verdict = verdict(&source.replacen(right, wrong, 1), is_c);
    let failed: Vec<&String> = verdict
        .lines
        .iter()
        .filter(|line| line.contains("FAIL"))
        .collect();
    let all = verdict.lines.join("\n");
    assert!(!verdict.proved, "not found: {wrong}\n{all}");
    assert!(
        failed.iter().any(|line| line.contains(law)),
        "{wrong}: not by `{law}`\n{all}"
    );
}

const DOT: &str = "adjoint against tangent";
const DIFFERENCES: &str = "tangent against differences";

#[test]
fn right_fortran_derivatives_are_proved() {
    proved(FORTRAN, false);
}

#[test]
fn right_c_derivatives_are_proved() {
    proved(C, true);
}

#[test]
fn mistakes_in_fortran_derivatives_are_found() {
    for (right, wrong, law) in [
        ("a*cos(x)*y_b", "a*cos(x)*y_b*(1 + 1d-9)", DOT),
        ("w_b = w_b*x\n", "w_b = w_b + w_b*x\n", DOT),
        (
            "x_b = x_b + a*cos(x)*y_b",
            "x_b(2:) = x_b(2:) + a*cos(x(2:))*y_b(2:)",
            DOT,
        ),
        ("sum(sin(x)*y_b)", "0", DOT),
        ("a_d*sin(x)", "a_d*sin(x)*1.001d0", DIFFERENCES),
        ("v_d = sum(w_d)", "v_d = v_d + sum(w_d)", DOT),
        (
            "x_b = x_b + w_old*w_b",
            "x_b = w_old*w_b",
            "adjoint called twice",
        ),
        ("  y_b = 0\n", "", "shadows of outputs"),
        ("  v_b = 0\n", "", "shadows of outputs"),
        (
            "  w_old = w\n  w = w*x\n",
            "  w_old = w\n",
            "primal of the adjoint",
        ),
        (
            "y = a*sin(x)\n  w_d",
            "y = 0.0d0\n  w_d",
            "primal of the tangent",
        ),
        (
            "y = a*sin(x)\n  w = w*x\n  foo",
            "y = sqrt(-a)\n  w = w*x\n  foo",
            "the primal is finite",
        ),
        ("x_b + w_old*w_b", "x_b + w_old*w_b/(x - x)", DOT),
    ] {
        found(FORTRAN, right, wrong, law, false);
    }
}

#[test]
fn mistakes_in_c_derivatives_are_found() {
    for (right, wrong, law) in [
        ("a*cos(x[i])*y_b[i]", "a*cos(x[i])*y_b[i]*(1 + 1e-9)", DOT),
        ("w_b[i] = w_b[i]*x[i]", "w_b[i] = w_b[i] + w_b[i]*x[i]", DOT),
        ("a_d*sin(x[i])", "a_d*sin(x[i])*1.001", DIFFERENCES),
        ("*a_b = *a_b + sin", "*a_b = *a_b - sin", DOT),
        (
            "x_b[i] = x_b[i] + w_old",
            "x_b[i] = w_old",
            "adjoint called twice",
        ),
        ("    y_b[i] = 0;\n", "", "shadows of outputs"),
        ("*v = 0;\n  for", "*v = 1;\n  for", "primal of the adjoint"),
        (
            "double v = 0;",
            "static double v = 0;",
            "the primal repeats itself",
        ),
    ] {
        found(C, right, wrong, law, true);
    }
}

#[test]
fn output_that_ends_early_proves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let experiment = experiment(true);
    let run = run(&experiment, C, true, folder.path());
    let tolerances = Tolerances {
        adjoint: 1e-12,
        differences: 1e-6,
    };
    let lines: Vec<&str> = run.output.lines().collect();
    for missing in [0, lines.len() / 2, lines.len() - 1] {
        let mut lines = lines.clone();
        // Laws are tried several times; the one line removed must be the only one of its kind.
        let kind: Vec<&str> = lines[missing].split(' ').take(3).collect();
        lines.retain(|line| !line.starts_with(&kind.join(" ")));
        assert!(
            judge(&experiment, &lines.join("\n"), tolerances).is_err(),
            "{kind:?}"
        );
    }
}
