//! Code that is deep or long: nesting, sums, lists. It is differentiated without overflowing the
//! stack and in time that stays in proportion; what compilers take as well is proved. The times are
//! printed.

use contraflow_legacy_tests::command::contraflow;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Differentiates a program whose head is `s: x -> y` in both modes; the adjoint's text.
fn derived(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("written");
    let out = folder.join("out");
    let mut written = String::new();
    for mode in ["tangent", "adjoint"] {
        let start = Instant::now();
        let (file, out) = (file.display().to_string(), out.display().to_string());
        let outcome = contraflow(&[mode, &file, "--head", "s: x -> y", "-o", &out]);
        println!("{name}: {mode} in {:.1} s", start.elapsed().as_secs_f64());
        assert_eq!(outcome.status, 0, "{name}: {}", outcome.error);
        let result = outcome.out.lines().last().map(PathBuf::from);
        written = std::fs::read_to_string(result.expect("a file")).expect("written");
    }
    written
}

/// Proves a program whose head is `s: x -> y`.
fn proved(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("written");
    let start = Instant::now();
    let file = file.display().to_string();
    let outcome = contraflow(&["check", &file, "--head", "s: x -> y", "--set", "x=0.5:0.9"]);
    println!("{name}: proved in {:.1} s", start.elapsed().as_secs_f64());
    assert_eq!(
        outcome.status, 0,
        "{name}: {}{}",
        outcome.out, outcome.error
    );
}

fn fortran(body: &str) -> String {
    format!("subroutine s(x, y)\n  real(8) :: x, y\n{body}end subroutine\n")
}

fn sum(terms: usize) -> String {
    let line = " + x*x".repeat(15) + " &\n";
    fortran(&format!("  y = x &\n{}  + x\n", line.repeat(terms / 15)))
}

fn parentheses(depth: usize) -> String {
    let open = "(".repeat(100) + " &\n";
    let close = ")".repeat(100) + " &\n";
    let times = depth / 100;
    fortran(&format!(
        "  y = &\n{}x*x &\n{}  + x\n",
        open.repeat(times),
        close.repeat(times)
    ))
}

fn conditions(depth: usize) -> String {
    let mut text = String::from("  y = x\n");
    for level in 0..depth {
        let _ = writeln!(text, "  if (x > -{level}.d0) then");
    }
    text.push_str("  y = y*x\n");
    text.push_str(&"  end if\n".repeat(depth));
    fortran(&text)
}

fn arms(number: usize) -> String {
    let mut text = String::from("  if (x < 0) then\n    y = x\n");
    for arm in 1..number {
        let _ = writeln!(text, "  else if (x < {arm}.d-3) then\n    y = x*{arm}");
    }
    fortran(&(text + "  else\n    y = sin(x)\n  end if\n"))
}

fn jumps(number: usize) -> String {
    let mut text = String::from("  y = x\n");
    for jump in 1..number {
        let _ = writeln!(
            text,
            "{jump} y = y + x*1d-3\n  if (y*{jump} < x) goto {}",
            jump + 2
        );
    }
    let _ = writeln!(text, "{number} y = y*x\n{} continue", number + 1);
    fortran(&text)
}

fn lines(number: usize) -> String {
    let mut text = String::from("  y = x\n");
    for line in 0..number {
        let _ = writeln!(text, "  y = y*0.999d0 + x*{}", line % 7);
    }
    fortran(&text)
}

/// Assignments, branches and loops that all change the same few variables.
fn steps(number: usize) -> String {
    let mut text = String::from(
        "subroutine s(n, x, y)\n  integer n, i\n  real(8) x(n), y(n), a, b, c\n  a = x(1)\n  \
         b = x(2)\n  c = 1d0\n",
    );
    for step in 0..number {
        let _ = writeln!(
            text,
            "  a = a*b + sin(c)*{step}.5d-3\n  b = b + a*x({})\n  if (a > {step}d0) then\n    c = c*a + b\n  \
             end if\n  do i = 1, n\n    y(i) = y(i) + a*x(i)\n  end do",
            step % 5 + 1
        );
    }
    text + "end subroutine\n"
}

/// The same in a time loop, where each iteration goes on from the last one, and products in place of sums.
fn steps_in_time(number: usize) -> String {
    let inside = steps(number).replace("y(i) + a", "y(i)*a + a");
    let inside = inside.replace("  integer n, i\n", "  integer n, i, t\n");
    let inside = inside.replacen("  c = 1d0\n", "  c = 1d0\n  y = x\n  do t = 1, n\n", 1);
    inside.replace(
        "end subroutine\n",
        "  end do\n  y(1) = y(1) + c\nend subroutine\n",
    )
}

/// Calls, one after another, that change what they are passed.
fn calls(number: usize) -> String {
    let mut text = String::from(
        "subroutine f(n, a, b, c)\n  integer n\n  real(8) a(n), b(n), c\n  c = c*sum(a) + b(1)\n  \
         b = a*c\nend subroutine\nsubroutine s(n, x, y)\n  integer n\n  real(8) x(n), y(n), c, w(n), u(n)\n  \
         w = x\n  u = x\n  c = 1\n",
    );
    for call in 0..number {
        let _ = writeln!(text, "  call f(n, w, u, c)\n  w({}) = u(2)*c", call % 5 + 1);
    }
    text + "  y = u + w + c\nend subroutine\n"
}

fn values(number: usize) -> String {
    let mut text = format!("  real(8) :: t({number})\n  integer :: i\n  data t / &\n");
    for first in (0..number).step_by(8) {
        let row: Vec<String> = (first..first + 8)
            .map(|k| format!("{}.5d0", k % 97))
            .collect();
        let end = if first + 8 < number { ", &" } else { " /" };
        let _ = writeln!(text, "    {}{end}", row.join(", "));
    }
    fortran(&format!(
        "{text}  y = 0\n  do i = 1, {number}\n    y = y + x*t(i)*1d-5\n  end do\n"
    ))
}

fn arguments(number: usize) -> String {
    let names: Vec<String> = (0..number).map(|k| format!("a{k}")).collect();
    let list = names.join(", &\n    ");
    let mut text = format!("  real(8) :: {list}\n");
    for name in &names {
        let _ = writeln!(text, "  {name} = x");
    }
    let _ = writeln!(text, "  call t({list})\n  y = {}", names.join(" &\n    + "));
    let mut callee = format!("subroutine t({list})\n  real(8) :: {list}\n");
    for name in &names {
        let _ = writeln!(callee, "  {name} = 2*{name}");
    }
    fortran(&text) + &callee + "end subroutine\n"
}

#[test]
fn what_compilers_take_is_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    proved(folder.path(), "sum.f90", &sum(300));
    proved(folder.path(), "parentheses.f90", &parentheses(200));
    proved(folder.path(), "conditions.f90", &conditions(150));
    proved(folder.path(), "arms.f90", &arms(100));
    proved(folder.path(), "jumps.f90", &jumps(30));
    proved(folder.path(), "values.f90", &values(2_000));
}

#[test]
fn nesting_does_not_overflow_the_stack() {
    let folder = tempfile::tempdir().expect("a folder");
    derived(folder.path(), "parentheses.f90", &parentheses(20_000));
    derived(folder.path(), "sum.f90", &sum(1_500));
    let text = derived(folder.path(), "conditions.f90", &conditions(600));
    assert!(text.lines().all(|line| line.len() <= 132));
    derived(folder.path(), "arms.f90", &arms(300));
    derived(folder.path(), "jumps.f90", &jumps(1_000));
}

#[test]
fn nesting_in_c_does_not_overflow_the_stack() {
    let folder = tempfile::tempdir().expect("a folder");
    let c = |body: &str| format!("void s(const double *x, double *y)\n{{\n{body}}}\n");
    let (open, close) = ("(".repeat(20_000), ")".repeat(20_000));
    derived(
        folder.path(),
        "parentheses.c",
        &c(&format!("*y = {open}*x * *x{close};\n")),
    );
    derived(
        folder.path(),
        "sum.c",
        &c(&format!("*y = *x{};\n", " + *x".repeat(1_000))),
    );
    let conditions = "if (*x > 0) {\n".repeat(800);
    let ends = "}\n".repeat(800);
    derived(
        folder.path(),
        "conditions.c",
        &c(&format!("*y = *x;\n{conditions}*y *= *x;\n{ends}")),
    );
}

#[test]
fn long_code_takes_its_time_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    derived(folder.path(), "lines.f90", &lines(1_000));
    derived(folder.path(), "steps.f90", &steps(300));
    derived(folder.path(), "steps_in_time.f90", &steps_in_time(300));
    derived(folder.path(), "calls.f90", &calls(500));
    derived(folder.path(), "values.f90", &values(20_000));
    derived(folder.path(), "arguments.f90", &arguments(250));
}
