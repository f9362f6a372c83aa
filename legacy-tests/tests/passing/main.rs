//! Modes of passing, complex numbers, mixed precision and array expressions, each proved in an
//! optimised build, where compilers use what the language says of memory; most in a checked one too.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passing");
    Case::new(&folder, &[file], head)
}

/// Texts that decide branches are put back before calls that changed them are reversed.
#[test]
fn texts_are_restored() {
    case("texts_restored.f90", "head: x -> y")
        .with("n=3 msg=abc x=0.2:0.3")
        .prove();
}

/// `call dot(n, x(1,i), x(1,j), f)` where `i` may be `j`.
#[test]
fn two_columns_may_be_one() {
    case("gram.f90", "head: x -> f")
        .with("n=40")
        .prove_in(Build::Optimised);
}

/// Rows go through all columns, whatever column they start in.
#[test]
fn two_rows_of_one_matrix() {
    case("rows_of_one_matrix.f", "head: x -> f")
        .with("n=5")
        .prove();
}

/// A factorisation in place, as LAPACK's: a row and a block of one matrix are only read, another part is
/// written. How large the matrix is, its declaration does not tell.
#[test]
fn rows_and_columns_of_one_matrix() {
    case("rows_and_columns.f", "head: a -> d, a")
        .with("n=6")
        .extents("potf2::a=lda,n")
        .prove();
}

/// The same array for two arguments that are only read, shifted ones, expressions of it.
#[test]
fn an_array_is_passed_twice() {
    case("passed_twice.f90", "head: x -> f")
        .with("n=4")
        .prove_in(Build::Optimised);
}

/// Strided sections and lists of subscripts for dummies of explicit shape.
#[test]
fn sections_are_copied_in_and_out() {
    case("sections.f90", "head: x, y -> f").with("n=6").prove();
}

/// An element for an array, of another shape and another lower bound.
#[test]
fn arrays_start_at_an_element() {
    case("sequence_association.f90", "head: x, y -> f, x, y")
        .with("n=4")
        .prove();
}

/// Lower bounds other than one, negative strides, loops without a trip.
#[test]
fn bounds_and_strides_of_assumed_shapes() {
    case("bounds.f90", "m::head: x, y -> y").with("n=4").prove();
}

/// What is assigned under one name of an EQUIVALENCE is read under the other.
#[test]
fn an_equivalence_has_two_names() {
    case("equivalence_base_unread.f", "head: x -> f").prove_in(Build::Optimised);
}

/// Variables that only EQUIVALENCE names, of local memory and of COMMON.
#[test]
fn an_equivalence_declares_its_names() {
    case("equivalence_of_undeclared.f", "head: x, a -> y")
        .with("n=3")
        .prove();
}

/// Reals without a kind, those of kind 4, double precision, and the language's own functions, under
/// the flags that widen them.
#[test]
fn compilers_widen_reals() {
    for flags in [
        "",
        "-fdefault-real-8",
        "-fdefault-real-8 -fdefault-double-8",
        "-freal-4-real-8",
    ] {
        case("widened_reals.f", "wide: x, a, z -> y, w")
            .with("n=4")
            .flags(flags)
            .prove_in(Build::Optimised);
    }
}

/// Real parts by EQUIVALENCE, COMPLEX in COMMON that is laid out differently.
#[test]
fn complex_numbers_by_their_parts() {
    case("complex_parts_by_equivalence.f", "head: z -> f")
        .with("n=3")
        .prove();
}

#[test]
fn single_and_double_precision_mix() {
    case("mixed_precision.f90", "head: x, d -> y, e")
        .with("n=4")
        .prove_in(Build::Optimised);
}

/// Every operation on complex numbers, and how they mix with reals and integers.
#[test]
fn complex_arithmetic() {
    case("complex_arithmetic.f90", "head: z, x -> w, r")
        .with("n=4")
        .prove_in(Build::Optimised);
}

/// Complex arrays in modules, sections, elemental and internal functions.
#[test]
fn complex_arrays() {
    case("complex_arrays.f90", "m::head: z -> z, y")
        .with("n=2")
        .prove_in(Build::Optimised);
}

/// Optional, assumed-shape and explicit-shape dummies, strided and reversed actuals, recursion.
#[test]
fn sections_of_sections() {
    case("sections_of_sections.f90", "m::head: x, y -> f, x, y")
        .with("n=4 x=0.3:0.9 y=0.3:0.6")
        .prove();
}

/// Lists of subscripts on the left, nested WHERE, constructors, right-hand sides that overlap the
/// left, reductions in conditions.
#[test]
fn array_expressions() {
    case("array_expressions.f90", "head: x, y -> f, x, y")
        .with("n=4")
        .prove_in(Build::Optimised);
}

/// Parenthesised variables, expressions and constants for dummies that the callee writes.
#[test]
fn values_for_written_dummies() {
    case("values_for_written_dummies.f90", "head: x -> f")
        .with("n=4")
        .prove();
}

/// `call work(c, 3)` where `work` reads `c` in COMMON too: two shadows of one memory.
#[test]
fn an_argument_is_in_common_too() {
    case("argument_also_in_common.f90", "head: x -> f").prove();
}

/// Two arrays on the halves of a third.
#[test]
fn an_equivalence_begins_in_the_middle() {
    case("equivalence_of_halves.f90", "head: x -> f").prove();
}

/// Groups that share members, with subscripts, of locals and of members of COMMON.
#[test]
fn equivalences_form_chains() {
    case("equivalence_chains.f", "head: x -> f")
        .with("n=4 x=0.3:0.9")
        .prove_in(Build::Optimised);
}

/// `call axpy(n, (x(j,i)), x(1,j), x(1,i))`: the value of what the callee changes by another name, and
/// its tangent, are passed as values.
#[test]
fn values_are_passed_beside_written_arrays() {
    case("values_beside_written_arrays.f90", "head: x -> x")
        .with("n=4 x=0.2:0.6")
        .prove_in(Build::Optimised);
}

/// Columns, rows and blocks of one matrix, some of them the same.
#[test]
fn columns_rows_and_blocks() {
    case("columns_rows_and_blocks.f90", "m::head: x -> f, x")
        .with("n=4 x=0.2:0.6")
        .prove();
}

/// Module arrays and parts of them as arguments, while the callees use others of the module.
#[test]
fn module_arrays_are_passed() {
    case("module_arrays_passed.f90", "m::head: x -> f")
        .with("n=4 x=0.3:0.8")
        .prove_in(Build::Optimised);
}

/// Pieces of one work array; dummies that end in `1`, so that bounds are not checked.
#[test]
fn pieces_of_a_work_array() {
    case("pieces_of_work.f", "head: x -> f")
        .with("n=3 lw=40")
        .extents("x=3 w=40")
        .prove_in(Build::Optimised);
}

/// The derivative declares no second interface of what a used module describes.
#[test]
fn an_interface_stands_in_a_module() {
    case("interface_in_module.f90", "head: x -> f")
        .with("n=3")
        .prove_in(Build::Optimised);
}

/// Callees are told how much of a work array they are given, and how many columns.
#[test]
fn parts_of_work_arrays() {
    case("work_arrays.f", "head: x -> y")
        .with("n=3 lwork=14")
        .prove();
    case("work_arrays.f", "cols: a -> a")
        .with("n=4 lda=5")
        .prove();
    case("work_arrays.f", "old: x -> y")
        .with("n=4")
        .extents("x=n y=n")
        .prove_in(Build::Optimised);
}
