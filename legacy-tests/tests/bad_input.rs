//! Bad input is answered: with what is wrong, where, and what to do. Nothing is half-written.

use contraflow_legacy_tests::command::{Outcome, contraflow};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const GOOD: &str = "\
subroutine scale(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = 2*x(i)*x(i)
  end do
end subroutine
";

/// Files in a folder of their own, and what came of differentiating a head in them.
struct Attempt {
    folder: TempDir,
    outcome: Outcome,
}

fn attempt(files: &[(&str, &[u8])], head: &str) -> Attempt {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("written");
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let outcome = adjoint(folder.path(), &names, head);
    Attempt { folder, outcome }
}

fn adjoint(folder: &Path, names: &[&str], head: &str) -> Outcome {
    let mut arguments = vec!["adjoint".to_owned()];
    arguments.extend(
        names
            .iter()
            .map(|name| folder.join(name).display().to_string()),
    );
    let output = folder.join("out").display().to_string();
    arguments.extend(["--head", head, "-o", &output].map(str::to_owned));
    contraflow(&arguments)
}

impl Attempt {
    /// It was refused with this code, all of these words, and without a file.
    fn refused(&self, code: &str, words: &[&str]) {
        let error = &self.outcome.error;
        assert_eq!(self.outcome.status, 1, "{error}");
        assert!(error.contains(&format!("error[{code}]")), "{error}");
        for word in words {
            assert!(error.contains(word), "no `{word}` in\n{error}");
        }
        assert!(!self.folder.path().join("out").exists(), "half-written");
    }

    fn written(&self, name: &str) -> String {
        assert_eq!(self.outcome.status, 0, "{}", self.outcome.error);
        let path = self.folder.path().join("out").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

#[test]
fn good_input_is_written() {
    let attempt = attempt(&[("good.f90", GOOD.as_bytes())], "scale");
    assert!(
        attempt
            .written("scale_b.f90")
            .contains("subroutine scale_b")
    );
}

#[test]
fn a_missing_file_is_named_with_its_nearest_neighbour() {
    let attempt = attempt(&[("good.f90", GOOD.as_bytes())], "scale");
    let outcome = adjoint(attempt.folder.path(), &["god.f90"], "scale");
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.error.contains("error[missing-file]"),
        "{}",
        outcome.error
    );
    assert!(outcome.error.contains("good.f90"), "{}", outcome.error);
}

#[test]
fn an_unknown_head_is_answered_with_the_nearest_names_and_their_places() {
    let attempt = attempt(&[("good.f90", GOOD.as_bytes())], "scael");
    attempt.refused("unknown-head", &["`scael`", "`scale` in", "good.f90:1"]);
}

#[test]
fn an_unknown_argument_is_answered_with_those_that_are_there() {
    let attempt = attempt(&[("good.f90", GOOD.as_bytes())], "scale: z -> y");
    attempt.refused("unknown-variable", &["good.f90:1", "x, y"]);
}

#[test]
fn an_empty_file_is_named() {
    attempt(&[("a.f90", b"\n  \n")], "scale").refused("empty-file", &["a.f90"]);
}

#[test]
fn a_binary_file_is_named() {
    attempt(&[("a.c", b"\x7fELF\x02\0\0")], "scale").refused("binary-file", &["a.c"]);
}

#[test]
fn a_file_that_is_no_source_is_named() {
    attempt(&[("a.py", b"print(1)")], "scale").refused("unknown-suffix", &["a.py", ".f90"]);
}

#[test]
fn an_output_that_does_not_depend_on_the_inputs_is_told() {
    let text = GOOD.replace("2*x(i)*x(i)", "2*i");
    let attempt = attempt(&[("flat.f90", text.as_bytes())], "scale: x -> y");
    attempt.refused("inactive-output", &["`y`"]);
}

#[test]
fn an_active_call_without_source_is_told_with_the_way_out() {
    let text = GOOD.replace("y(i) = 2*x(i)*x(i)", "call blackbox(x(i), y(i))");
    let attempt = attempt(&[("call.f90", text.as_bytes())], "scale: x -> y");
    let error = &attempt.outcome.error;
    assert_eq!(attempt.outcome.status, 1, "{error}");
    for word in ["blackbox", "call.f90:8", "help: "] {
        assert!(error.contains(word), "no `{word}` in\n{error}");
    }
}

#[test]
fn an_active_call_without_source_in_c_is_told_with_the_way_out() {
    let text = "double blackbox(double);\ndouble f(double x) {\n  return blackbox(x)*x;\n}\n";
    let attempt = attempt(&[("call.c", text.as_bytes())], "f");
    let error = &attempt.outcome.error;
    assert_eq!(attempt.outcome.status, 1, "{error}");
    for word in ["blackbox", "call.c:3", "help: "] {
        assert!(error.contains(word), "no `{word}` in\n{error}");
    }
}

#[test]
fn text_that_does_not_parse_is_located_and_the_rest_is_translated() {
    let text =
        format!("subroutine broken(a)\n  real(8) :: a\n  a = = 1 (\nend subroutine\n\n{GOOD}");
    let attempt = attempt(&[("mixed.f90", text.as_bytes())], "scale");
    assert!(attempt.written("scale_b.f90").contains("scale_b"));
    assert!(
        attempt.outcome.error.contains("mixed.f90:3"),
        "{}",
        attempt.outcome.error
    );
}

#[test]
fn a_head_that_does_not_parse_is_refused() {
    let text = GOOD.replace("2*x(i)*x(i)", "2*x(i) + * x(i)");
    let attempt = attempt(&[("broken.f90", text.as_bytes())], "scale");
    assert_eq!(attempt.outcome.status, 1, "{}", attempt.outcome.error);
    assert!(
        attempt.outcome.error.contains("broken.f90:8"),
        "{}",
        attempt.outcome.error
    );
    assert!(!attempt.folder.path().join("out").exists(), "half-written");
}

#[test]
fn c_that_does_not_parse_is_located() {
    let text = "double f(double x) {\n  return x*;\n}\n";
    let attempt = attempt(&[("broken.c", text.as_bytes())], "f");
    assert_eq!(attempt.outcome.status, 1, "{}", attempt.outcome.error);
    assert!(
        attempt.outcome.error.contains("broken.c:2"),
        "{}",
        attempt.outcome.error
    );
}

#[test]
fn an_unknown_module_is_located() {
    let text = GOOD.replace(
        "  implicit none",
        "  use constants, only: factor\n  implicit none",
    );
    let text = text.replace("2*x(i)", "factor*x(i)");
    let attempt = attempt(&[("user.f90", text.as_bytes())], "scale");
    let error = &attempt.outcome.error;
    for word in ["constants", "user.f90:2"] {
        assert!(error.contains(word), "no `{word}` in\n{error}");
    }
}

#[test]
fn a_recursive_include_is_answered() {
    let main = GOOD.replace("  implicit none", "  implicit none\n  include 'loop.inc'");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.f90"), main).expect("written");
    fs::write(folder.path().join("loop.inc"), "include 'loop.inc'\n").expect("written");
    let outcome = adjoint(folder.path(), &["a.f90"], "scale");
    assert!(outcome.error.contains("loop.inc"), "{}", outcome.error);
    assert!(outcome.error.contains("include"), "{}", outcome.error);
}

#[test]
fn a_recursive_include_in_c_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include \"loop.h\"\ndouble f(double x) { return x*x; }\n";
    fs::write(folder.path().join("a.c"), text).expect("written");
    fs::write(folder.path().join("loop.h"), "#include \"loop.h\"\n").expect("written");
    let outcome = adjoint(folder.path(), &["a.c"], "f");
    assert_eq!(outcome.status, 1, "{}", outcome.error);
    assert!(outcome.error.contains("loop.h"), "{}", outcome.error);
    assert!(!folder.path().join("out").exists(), "half-written");
}

#[test]
fn output_does_not_replace_a_source() {
    let module = format!("module m\ncontains\n{GOOD}end module\n");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.f90");
    fs::write(&path, &module).expect("written");
    let (file, output) = (
        path.display().to_string(),
        folder.path().display().to_string(),
    );
    let outcome = contraflow(&["adjoint", &file, "--head", "scale", "-o", &output]);
    assert_eq!(outcome.status, 1, "{}", outcome.error);
    assert!(
        outcome.error.contains("error[overwrites-source]"),
        "{}",
        outcome.error
    );
    assert_eq!(fs::read_to_string(&path).expect("still there"), module);
}

#[test]
fn a_command_line_that_is_not_understood_has_status_two() {
    assert_eq!(contraflow(&["adjoint", "a.f90"]).status, 2);
    assert_eq!(contraflow(&["adjont"]).status, 2);
    assert_eq!(contraflow(&["--version"]).status, 0);
}

#[test]
fn a_value_that_check_needs_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("good.f90");
    fs::write(&path, GOOD).expect("written");
    let file = path.display().to_string();
    let outcome = contraflow(&["check", &file, "--head", "scale"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.error.contains("--set n=7"), "{}", outcome.error);
}

const HOST: &str = "subroutine host(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: k
  k = 1
  y = x*x
BODY
contains
  real(8) function inner(t)
    real(8), intent(in) :: t
    inner = t*x
  end function
  integer function counted()
    counted = k
  end function
end subroutine
";

#[test]
fn an_internal_procedure_in_quoted_text_is_told() {
    let text = HOST.replace("BODY", "  write (*, *) 'count', counted()");
    attempt(&[("host.f90", text.as_bytes())], "host: x -> y")
        .refused("not-in-fortran", &["counted", "host.f90:8"]);
}

#[test]
fn an_internal_procedure_that_is_handed_on_is_told() {
    let text = HOST.replace("BODY", "  call integrate(inner, y)");
    attempt(&[("host.f90", text.as_bytes())], "host: x -> y")
        .refused("opaque-active", &["host.f90:8"]);
}

/// A target whose memory is exchanged has no lasting address to point to.
#[test]
fn a_pointer_to_memory_that_changes_is_refused() {
    let text = b"\
subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable, target :: a(:)
  real(8), pointer :: p(:)
  integer :: k
  y = 0.0d0
  do k = 1, n
    allocate (a(k))
    a = x(k)
    p => a
    y = y + p(1)*a(k)
    deallocate (a)
  end do
end subroutine
";
    attempt(&[("f.f90", text)], "f: x -> y").refused(
        "not-reversible",
        &[
            "a pointer to `a`, whose memory changes,",
            "f.f90:12",
            "through the pointer",
        ],
    );
}

/// A callee that calls itself and lets the caller's pointer point elsewhere.
#[test]
fn a_recursive_callee_that_associates_its_argument_is_refused() {
    let text = b"\
module m
contains
  recursive subroutine aim(p, a)
    real(8), pointer :: p(:)
    real(8), target :: a(:)
    if (size(a) > 5) call aim(p, a(2:))
    p => a
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), target :: a(2)
    real(8), pointer :: p(:)
    a = x
    call aim(p, a)
    y = p(1)*p(2)
  end subroutine
end module
";
    attempt(&[("f.f90", text)], "m::f: x -> y").refused(
        "not-reversible",
        &[
            "a pointer that outlives the call in `aim`",
            "f.f90:7",
            "f.f90:15",
        ],
    );
}

/// A callee overwrites a chain of records of which it is given the first.
#[test]
fn a_chain_that_a_callee_overwrites_is_refused() {
    let text = b"\
module m
  type t
    real(8) :: v = 0.0d0
    type(t), pointer :: next => null()
  end type
contains
  recursive subroutine square(c)
    type(t), pointer, intent(in) :: c
    if (.not. associated(c)) return
    c%v = c%v**2
    call square(c%next)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(t), pointer :: c
    allocate (c)
    allocate (c%next)
    c%v = x
    c%next%v = x*x
    call square(c)
    y = c%v*c%next%v
    deallocate (c%next)
    deallocate (c)
  end subroutine
end module
";
    attempt(&[("f.f90", text)], "m::f: x -> y").refused(
        "behind-pointers",
        &["what is reached from `c` through pointers"],
    );
}

/// What may have gaps cannot be shown in another shape; the shadow of a CONTIGUOUS array is not known to
/// have none. Upper bounds stand for all dimensions or for none.
#[test]
fn bounds_that_no_pointer_can_have_are_refused() {
    let bounds = [
        ("m(1:2, 1:2) => b", "may have gaps in another shape"),
        ("m(1:2, 1:2) => m", "may have gaps in another shape"),
        ("p(1:4) => c(:, :)", "may have gaps in another shape"),
        ("m(1:2, 1:) => a", "upper bounds of some dimensions only"),
        ("m(1:, 1:) => a", "a pointer of another rank"),
        ("p(1:4:2) => a", "an element that is associated"),
        ("p(2:4) => 2.0*a", "it is no variable"),
    ];
    for (statement, reason) in bounds {
        let text = format!(
            "\
subroutine f(b, x, y)
  real(8), contiguous, target, intent(in) :: b(:, :)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), target :: a(4), c(2, 2)
  real(8), pointer :: p(:), m(:, :)
  a = x
  c = x
  p => a
  m => c
  {statement}
  y = p(1)*m(2, 1)
end subroutine
"
        );
        attempt(&[("f.f90", text.as_bytes())], "f: b, x -> y")
            .refused("opaque-active", &["f.f90:11", reason]);
    }
}

/// An address says neither where subscripts start nor how far elements lie apart.
#[test]
fn fortran_arrays_that_are_more_than_an_address_are_not_written_as_c() {
    let statements = [
        ("p => a", "with other bounds than from 1"),
        ("p => b(2:6:2)", "a pointer to a section"),
        ("p(0:) => b", "with other bounds than from 1"),
        (
            "allocate (p(0:2))",
            "allocated with another lower bound than 1",
        ),
    ];
    for (statement, reason) in statements {
        let text = format!(
            "\
subroutine f(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), target :: a(0:6), b(6)
  real(8), pointer :: p(:)
  integer :: i
  {statement}
  do i = 1, 2
    p(i) = x*i
  end do
  y = p(1)*p(2)
end subroutine
"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("f.f90");
        fs::write(&source, text).expect("written");
        let (source, out) = (source.display().to_string(), folder.path().join("out"));
        let output = out.display().to_string();
        let arguments = [
            "tangent",
            &source,
            "--head",
            "f: x -> y",
            "--language",
            "c",
            "-o",
            &output,
        ];
        let outcome = contraflow(&arguments.map(str::to_owned));
        assert_eq!(outcome.status, 1, "{}", outcome.error);
        for word in ["error[not-in-c]", "f.f90:7", reason] {
            assert!(
                outcome.error.contains(word),
                "no `{word}` in\n{}",
                outcome.error
            );
        }
        assert!(!out.exists(), "half-written");
    }
}

/// A pointer that is initialised is saved. Where a call asks something of it that an earlier call may have
/// left, it is state.
#[test]
fn saved_pointers_that_a_call_finds_associated_are_refused() {
    let bodies = [
        "if (.not. associated(p)) p => t\n  p(1) = x",
        "if (x > 0.0d0) p => t\n  p(1) = x",
        "do k = 1, n\n  p => t\n  end do\n  p(1) = x",
        "do k = 1, n\n  if (k > 1) p(1) = x\n  p => t\n  end do",
    ];
    for body in bodies {
        let text = format!(
            "\
module m
contains
subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), target, save :: t(2)
  real(8), pointer :: p(:) => null()
  integer :: k
  {body}
  y = p(1)**2
end subroutine
end module
"
        );
        attempt(&[("f.f90", text.as_bytes())], "m::f: x -> y").refused(
            "saved-active",
            &["f.f90:8", "`p` keeps its value from one call"],
        );
    }
}

/// The caller of a head has the shadow of its allocatable argument: the head cannot exchange it.
#[test]
fn an_argument_of_the_head_that_gets_new_memory_is_refused() {
    let text = b"\
module m
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), allocatable, intent(out) :: y(:)
    allocate (y(2))
    y = x
  end subroutine
end module
";
    attempt(&[("f.f90", text)], "m::f: x -> y").refused(
        "not-reversible",
        &[
            "new memory of `y`, whose shadow the caller has,",
            "before the call",
        ],
    );
}

#[test]
fn a_type_that_is_declared_inside_the_procedure_is_told() {
    let text = "subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, parameter :: wp = 8
  type loc
    real(wp) :: q
  end type
  type(loc) :: l
  l%q = x*x
  y = l%q*x
end subroutine
";
    attempt(&[("local.f90", text.as_bytes())], "head: x -> y")
        .refused("not-in-fortran", &["`loc`", "local.f90:6", "help: "]);
}

#[test]
fn a_jump_out_of_an_unknown_call_is_refused() {
    let text = "\
subroutine top(x, y)
  real(8) :: x, y
  integer :: k
  y = x
  call outside(k, *10)
  return
10 y = 2*x
end subroutine
";
    attempt(&[("top.f90", text.as_bytes())], "top: x -> y")
        .refused("quoted-jump", &["top.f90:5", "alternate returns"]);
}

#[test]
fn a_variable_that_lies_where_an_address_says_is_refused() {
    let text = "\
subroutine top(x, y)
  real(8) :: x, y, a(2)
  integer(8) :: k
  pointer (k, a)
  a(1) = x
  y = a(1)*x
end subroutine
";
    attempt(&[("top.f90", text.as_bytes())], "top: x -> y")
        .refused("address-pointer", &["top.f90:4", "help: "]);
}

#[test]
fn a_namelist_that_may_read_an_active_variable_is_refused() {
    let text = "\
subroutine top(x, y)
  real(8) :: x, y, a
  namelist /control/ a
  a = x
  read (5, nml=control)
  y = a*x
end subroutine
";
    attempt(&[("top.f90", text.as_bytes())], "top: x -> y")
        .refused("opaque-active", &["top.f90:5"]);
}

#[test]
fn a_quoted_call_that_reaches_active_memory() {
    let text = "\
subroutine top(x, y)
  real(8) :: x, y, a
  integer :: k(2)
  common /c/ a
  a = x
  call sub(k, 3, 4)
  y = a*x
end subroutine
subroutine sub(k, m)
  real(8) :: a
  integer :: k(2), m
  common /c/ a
  a = a*a*m
  k(2) = 3
end subroutine
";
    attempt(&[("top.f90", text.as_bytes())], "top: x -> y")
        .refused("quoted-call", &["calls `sub`", "COMMON block /c/"]);
}

#[test]
fn bounds_stay_those_at_entry_whatever_an_unknown_procedure_does() {
    let text = "\
subroutine top(n, x, y)
  integer, intent(inout) :: n
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: a(n)
  external shrink
  a = x(1:n)**2
  call shrink(n)
  y = sum(a)
end subroutine
";
    let written = attempt(&[("top.f90", text.as_bytes())], "top: x -> y").written("top_b.f90");
    assert!(written.contains("ubound(a, 1)"), "{written}");
    assert!(!written.contains("= 1, n"), "{written}");
}

/// Nobody can follow what runs after a jump into a caller.
#[test]
fn long_jumps_are_refused() {
    let text = "\
#include <math.h>
#include <setjmp.h>
static jmp_buf back;
static double root(double x) { if (x < 0) longjmp(back, 1); return sqrt(x); }
double f(double x) { if (setjmp(back)) return 0.0; return root(x)*x; }
";
    attempt(&[("f.c", text.as_bytes())], "f: x -> return")
        .refused("long-jump", &["jumps to another function", "f.c:4"]);
}

/// What a struct of the caller leads to may be what is differentiated; only the caller has its shadow.
#[test]
fn a_struct_whose_pointers_may_be_active_is_refused() {
    let text = "\
struct table { int n; const double *w; };
void f(const struct table *t, const double *x, double y[1]) { y[0] = x[0]*t->w[0]; y[0] *= t->w[0]; }
";
    attempt(&[("f.c", text.as_bytes())], "f: x -> y")
        .refused("shadow-of-pointers", &["`t`", "--no-alias"]);
}

/// Bytes of an active number that are read as an integer.
#[test]
fn a_union_that_reinterprets_active_bytes_is_refused() {
    let text = "\
union number { double d; unsigned long bits; };
double f(double x) { union number u; u.d = x*x; u.bits ^= 1UL << 63; return u.d*x; }
";
    attempt(&[("f.c", text.as_bytes())], "f: x -> return")
        .refused("union-reinterpreted", &["union number", "f.c:2"]);
}

/// One without a tag has the name of what holds it.
#[test]
fn a_union_without_a_tag_is_named_by_its_place() {
    let text = "\
struct { union { double d; unsigned long bits; } number; int k; } s;
double f(double x) { s.number.d = x*x; s.number.bits ^= 1UL << 63; return s.number.d*x; }
";
    attempt(&[("f.c", text.as_bytes())], "f: x -> return")
        .refused("union-reinterpreted", &["`s.number`", "f.c:2"]);
}
