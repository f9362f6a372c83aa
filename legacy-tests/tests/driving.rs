//! What the drivers of `contraflow check` can call: kinds, complex numbers, texts, assumed shapes,
//! `static` functions. Each small program is proved in an optimised and in a checked build.

use contraflow_legacy_tests::proof::{Build, Case};
use std::fs;

fn case(name: &str, text: &str, head: &str) -> (tempfile::TempDir, Case) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), text).expect("written");
    let case = Case::new(folder.path(), &[name], head);
    (folder, case)
}

#[test]
fn single_precision_fortran() {
    let (_folder, case) = case(
        "single.f90",
        "subroutine f(n, x, y)\n  integer, intent(in) :: n\n  real, intent(in) :: x(n)\n  \
         real, intent(out) :: y\n  y = sum(x*x)\nend subroutine\n",
        "f",
    );
    case.with("n=6").prove();
}

#[test]
fn single_precision_c() {
    let (_folder, case) = case(
        "single.c",
        "float f(int n, const float x[n]) {\n  float s = 0;\n  for (int i = 0; i < n; i++) s += x[i]*x[i];\n  \
         return s;\n}\n",
        "f",
    );
    case.with("n=6").prove();
}

#[test]
fn complex_fortran() {
    let (_folder, case) = case(
        "complex.f90",
        "subroutine f(z, w, r)\n  complex(8), intent(in) :: z\n  complex(8), intent(out) :: w\n  \
         real(8), intent(out) :: r\n  w = exp(z)*conjg(z)/(z + (2d0, 1d0))\n  r = abs(w) + aimag(z)\n\
         end subroutine\n",
        "f",
    );
    case.prove();
}

#[test]
fn texts_truth_values_and_lists_in_fortran() {
    let (_folder, case) = case(
        "choice.f90",
        "subroutine f(kind, twice, order, x, y)\n  character(len=*), intent(in) :: kind\n  \
         logical, intent(in) :: twice\n  integer, intent(in) :: order(3)\n  real(8), intent(in) :: x(3)\n  \
         real(8), intent(out) :: y(3)\n  integer :: i\n  do i = 1, 3\n    y(i) = x(order(i))**2\n    \
         if (twice) y(i) = 2*y(i)\n    if (kind == 'sine') y(i) = sin(y(i))\n  end do\nend subroutine\n",
        "f: x -> y",
    );
    case.with("kind=sine twice=true order=3,1,2").prove();
}

#[test]
fn assumed_shapes_in_a_module() {
    let (_folder, case) = case(
        "shapes.f90",
        "module m\n  implicit none\ncontains\n  subroutine f(a, x, y)\n    real(8), intent(in) :: a(:,:), x(:)\n    \
         real(8), intent(out) :: y(:)\n    y = matmul(a, x)\n  end subroutine\nend module\n",
        "m::f",
    );
    case.with("n=4").extents("a=n,3 x=3 y=n").prove();
}

#[test]
fn a_static_function_in_c() {
    let (_folder, case) = case(
        "hidden.c",
        "static double square(double x) { return x*x; }\n\
         static void f(int n, const double *x, double *y) {\n  \
         for (int i = 0; i < n; i++) y[i] = square(x[i])*x[i];\n}\n\
         void use(double *x, double *y) { f(3, x, y); }\n",
        "f: x -> y",
    );
    case.with("n=3").extents("x=n y=n").prove();
}

#[test]
fn a_function_of_a_module_in_fortran() {
    let (_folder, case) = case(
        "value.f90",
        "module m\n  implicit none\n  private\n  public :: f\n  real(8), parameter :: half = 0.5d0\ncontains\n  \
         function f(x) result(y)\n    real(8), intent(in) :: x\n    real(8) :: y\n    y = half*x*x\n  \
         end function\nend module\n",
        "f: x -> y",
    );
    case.prove();
}

#[test]
fn fixed_form_fortran() {
    let (_folder, case) = case(
        "old.f",
        "C     SUM OF SQUARES\n      SUBROUTINE SUMSQ(N, X, S)\n      INTEGER N, I\n      DOUBLE PRECISION X(N), S\n      \
         S = 0.0D0\n      DO 10 I = 1, N\n        S = S + X(I)*\n     1      X(I)\n   10 CONTINUE\n      END\n",
        "sumsq: x -> s",
    );
    case.with("n=5").prove();
}

/// What old code sets without saying so: pivots and a code of errors. `N` and `LDA` must be said.
#[test]
fn what_is_set_before_it_is_read_needs_no_value() {
    let text = "      SUBROUTINE PIVOT(N, LDA, A, IPIV, INFO)\n      INTEGER N, LDA, IPIV(N), INFO, I, K\n\
                \x20     DOUBLE PRECISION A(LDA,N), T\n      INFO = 0\n      DO 10 K = 1, N\n\
                \x20        IPIV(K) = K\n         DO 20 I = K, N\n\
                \x20           IF (ABS(A(I,K)) .GT. ABS(A(IPIV(K),K))) IPIV(K) = I\n   20    CONTINUE\n\
                \x20        T = A(K,K)\n         A(K,K) = A(IPIV(K),K)*T\n         A(IPIV(K),K) = T\n\
                \x20        IF (T .EQ. 0D0) INFO = K\n   10 CONTINUE\n      END\n";
    let (_folder, case) = case("pivot.f", text, "pivot: a -> a");
    case.clone().with("n=3 lda=4").prove();
    let outcome = case.with("n=3").check(Build::Quick);
    assert!(
        outcome.error.contains("`LDA` needs a value"),
        "{}",
        outcome.error
    );
    assert!(!outcome.error.contains("`INFO`"), "{}", outcome.error);
}
