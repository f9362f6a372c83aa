//! Programs whose adjoint was once wrong, each named after what it does. Each is proved, or refused, in
//! an optimised and in a checked build.

use contraflow_legacy_tests::command::contraflow;
use contraflow_legacy_tests::proof::{Build, Case};
use contraflow_legacy_tests::tape;
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    Case::new(&folder, &[file], head)
}

/// `call two(u, u*x)`: the factors of `u*x` are those from before the call.
#[test]
fn an_expression_argument_reads_what_the_callee_overwrites() {
    case("expression_argument_of_overwritten.f90", "f: x -> y").prove();
}

/// `call g(n, x, x(2), y)`: two arguments, one memory, two shadows.
#[test]
fn two_arguments_share_an_element() {
    case("overlapping_arguments.f90", "f: x -> y")
        .with("n=3")
        .prove();
}

/// `call two(k, u(k))`: `k` is put back before `u(k)`.
#[test]
fn a_callee_changes_the_subscript_of_its_other_argument() {
    case("overwritten_subscript.f90", "f: x -> y").prove();
}

/// `call two(k, u(k)*x(2), y)`: the shadow of `u(k)` is that of the old `k`.
#[test]
fn a_callee_changes_a_subscript_in_an_expression_argument() {
    case("subscript_in_expression_argument.f90", "f: x -> y")
        .with("n=4")
        .prove();
}

/// A split callee restores its result in the last loop: the primal's own results must stay.
#[test]
fn a_split_call_in_the_last_loop_keeps_results() {
    case("split_call_in_last_loop.f90", "f: x -> y")
        .with("n=4")
        .prove();
}

/// `mul(s, s)` where the callee modifies its copy.
#[test]
fn a_callee_modifies_an_argument_passed_twice_by_value() {
    case("argument_changed_by_callee.c", "f: x -> return")
        .with("n=3")
        .prove();
}

/// A module variable that only callees name, set again between two readers.
#[test]
fn callees_pass_state_through_a_module() {
    case("module_state_between_calls.f90", "m::head").prove();
}

/// The same one call further down, in loops.
#[test]
fn callees_of_callees_pass_state_through_a_module() {
    case("module_state_two_calls_down.f90", "m::head").prove();
}

/// A callee's backward sweep alone would read what later calls left in the module.
#[test]
fn a_callee_reads_a_module_variable_that_changes() {
    case("module_state_read_by_split_callee.f90", "m::head").prove();
}

/// The same with a `static` variable of a C file.
#[test]
fn callees_pass_state_through_a_file_static() {
    case("file_static_between_calls.c", "head").prove();
}

/// State in a COMMON block that the caller does not name: its derivative declares the block.
#[test]
fn callees_pass_state_through_a_common_block() {
    case("common_without_a_name.f90", "head").prove();
}

/// `if (m > 0) do i = 1, n/m`: the size of a tape is asked at entry, where nothing guards it.
#[test]
fn a_guarded_quotient_bounds_a_loop() {
    for m in ["m=0", "m=2"] {
        case("guarded_quotient_as_bound.f90", "head: x -> y")
            .with("n=6")
            .with(m)
            .prove();
    }
}

/// What is kept of an optional argument is kept only where it is there.
#[test]
fn an_optional_argument_is_absent() {
    case("absent_optional.f90", "mm::head: x -> y")
        .with("n=4")
        .prove();
}

/// `call dots(n, x, x, y)`: the shadow of an array that is read twice is written by two names.
#[test]
fn sections_of_one_array_are_read_twice() {
    case("sections_read_twice.f90", "top: x -> y")
        .with("n=7")
        .prove();
}

/// Saved sections keep their own shape, not that of the whole array.
#[test]
fn sections_are_saved_and_restored() {
    case("sections_restored.f90", "top: x, y, z -> x, y, z")
        .with("n=7")
        .extents("z=n")
        .prove();
}

/// `call layer(n, x, y(1:n), y(n+1))`.
#[test]
fn an_element_is_written_beside_a_section() {
    case("element_written_beside_section.f90", "top: x -> y")
        .with("n=5")
        .prove();
}

/// What quoted text reads crosses from one sweep of a split callee to the other.
#[test]
fn quoted_text_decides_in_a_split_callee() {
    case("quoted_text_in_split_callee.f90", "top: x -> y").prove();
}

/// `use(n, table, w, k)` overwrites what it reads; the size of `table` and `w` is known to the caller.
#[test]
fn sizes_are_known_to_callers() {
    for file in ["sizes_from_callers.c", "sizes_from_callers.f90"] {
        let head = if file.ends_with('c') {
            "f: x -> return"
        } else {
            "f: x -> y"
        };
        case(file, head).with("n=4").extents("x=n").prove();
    }
}

/// `scale(&a, y);` where `scale` returns a number.
#[test]
fn a_functions_value_is_ignored() {
    case("ignored_values.c", "top: x, y -> z")
        .extents("z=1")
        .prove();
}

/// `z = mul(z, z)` with structs by value.
#[test]
fn records_go_in_and_out_by_value() {
    case("records_by_value.c", "top: x -> return")
        .with("x=0.3:0.9")
        .extents("x=4")
        .prove();
}

/// `memmove(w + 1, w, n)`, and a stack in static memory.
#[test]
fn memory_is_copied_within_an_array() {
    case("copies_within_an_array.c", "top: x -> return")
        .with("n=7 x=0.3:0.9")
        .extents("x=n")
        .options("--kept buf")
        .prove();
}

/// `u = malloc(…); if (!u) return -1;`
#[test]
fn an_allocation_is_checked() {
    case("checked_allocation.c", "top: x -> return")
        .with("n=5")
        .extents("x=n")
        .prove();
}

/// `CALL SUB(K, *20, *30)`, a COMMON block between the two, arithmetic IF and computed GOTO around.
#[test]
fn alternate_returns() {
    case("alternate_returns.f", "top: x -> y")
        .with("n=6 x=0.5:1.5")
        .options("--saved fresh")
        .prove();
}

/// A record of allocatables, internal procedures, an operator of one's own, ASSOCIATE and GOTO in one.
#[test]
fn many_constructs_at_once() {
    case("many_constructs.f90", "tools::top: x -> y")
        .with("n=6 x=0.5:1.5")
        .prove();
}

/// `piinv = 1/pi` of a module, in a procedure that has a variable `pi`.
#[test]
fn a_local_hides_a_constant_of_a_constant() {
    case("hidden_constant.f90", "m::top: x -> y").prove();
}

/// A CLASS argument whose component is made and enlarged by the callee.
#[test]
fn a_component_of_an_object_grows() {
    case("growing_component_of_object.f90", "m::top: x -> y")
        .with("n=4 x=0.5:1.5")
        .prove();
}

/// WHERE in WHERE, lists of subscripts, sections backwards, intrinsics of arrays.
#[test]
fn array_statements() {
    case("array_statements.f90", "top: x -> y")
        .with("n=6 x=0.5:1.5")
        .prove();
}

/// Elimination with pivots: `lu([k, m], :) = lu([m, k], :)`.
#[test]
fn rows_are_exchanged_by_lists_of_subscripts() {
    case("row_exchanges.f90", "top: x -> y")
        .with("n=4 x=0.5:1.5")
        .prove();
}

/// COMMON blocks that are laid out differently in two units, and arrays over arrays.
#[test]
fn memory_has_several_names() {
    case("common_and_equivalence.f", "top: x -> y")
        .with("n=4 x=0.5:1.5")
        .prove();
}

/// What crosses between the sweeps of a callee has two names.
#[test]
fn equivalence_in_a_callee() {
    case("equivalence_in_callee.f", "head: x -> y").prove();
}

/// `ix = ix + incx`: a loop whose iterations hand something on is not reversed as it runs.
#[test]
fn subscripts_carried_from_iteration_to_iteration() {
    case("carried_subscripts.f90", "head: x, p -> y, r")
        .with("n=4")
        .prove();
}

/// `work(ip(k))`: one work array, cut into pieces whose places are computed. Its primal calls vector
/// variants of elementary functions where the compiler is free to.
#[test]
fn a_work_array_in_pieces() {
    case("work_array_in_pieces.f", "head: x -> y")
        .with("x=0.5:1.5")
        .prove();
}

/// The same two pointers of a function are one array in one call and two in another, a table of the file in a
/// third; a struct is changed through a pointer while others read it.
#[test]
fn calls_with_one_array_and_with_two() {
    case("aliased_and_distinct_calls.c", "f: x -> y")
        .extents("x=4 y=4")
        .prove();
}

/// `nm1 = n - 1` and `do i = 1, nm1`: the tape has a size.
#[test]
fn a_bound_that_is_set_once_sizes_the_tape() {
    let case = case("bound_set_once.f90", "f: x -> y").with("n=6");
    case.prove();
    assert_eq!(tape::bytes(&case).expect("a tape of a known size"), 8 * 5);
}

/// `do while (i <= n)` … `i = i + 1`.
#[test]
fn loops_that_count_by_hand() {
    case("counted_by_hand.f90", "grids::f: x -> y")
        .with("n=7")
        .prove();
}

/// `for (i = 0; i < g->n; i++)`, with a structure that the caller fills.
#[test]
fn bounds_stand_in_a_structure() {
    case("bounds_in_structure.c", "f: x -> y")
        .with("n=6")
        .prove();
}

/// A function that passes its pointers on: what the callee uses is their size.
#[test]
fn a_callee_tells_the_size_of_a_pointer() {
    case("size_from_callee.c", "f: x -> y").with("n=6").prove();
}

/// What a loop overwrites is kept whole before it, or by the first write after a use; not where the loop's
/// own values are used, where a loop has no trips, or where only some paths write.
#[test]
fn values_that_are_kept_once() {
    let case = case("kept_once.f90", "kept_once: x, a -> x, y");
    let case = |size: &str| case.clone().with(size).with("x=0.3:0.9 a=-0.4:0.4");
    case("n=6 m=3").prove();
    case("n=2 m=1").prove_in(contraflow_legacy_tests::proof::Build::Optimised);
}

/// A bound behind a pointer that leads nowhere where the loop does not run.
#[test]
fn a_pointer_leads_nowhere() {
    case("pointer_to_nothing.c", "f: x -> y")
        .with("n=6")
        .extents("f::x=n f::y=n inner::x=n inner::y=n")
        .prove();
}

/// `void *` of a function without source may be written, `const void *` is not.
#[test]
fn functions_without_source_may_write_behind_addresses_without_a_type() {
    let told = |head: &str| {
        let head = format!("{head}: x -> return");
        let case = case("behind_addresses.c", &head).extents("x=2");
        ["adjoint", "tangent"].map(|mode| {
            let folder = tempfile::tempdir().expect("a folder");
            let out = folder.path().display().to_string();
            contraflow(&case.command(mode, &["-o", &out])[1..])
        })
    };
    let heads = [
        ("scalars", 10),
        ("arrays", 16),
        ("pointers", 24),
        ("structs", 30),
        ("of_the_caller", 36),
    ];
    for (head, line) in heads {
        for outcome in told(head) {
            let place = format!("behind_addresses.c:{line}:3");
            let is_refused = outcome.status == 1 && outcome.error.contains("error[no-rule]");
            assert!(
                is_refused && outcome.error.contains(&place),
                "{head}: {}",
                outcome.error
            );
        }
    }
    for outcome in told("shown") {
        assert_eq!(outcome.status, 0, "{}", outcome.error);
    }
}

/// What a callee writes behind the pointers of a struct that it gets as a value belongs to the caller.
#[test]
fn structs_that_are_passed_as_values_lead_to_memory_of_the_caller() {
    let program = |head: &str| {
        let head = format!("{head}: x -> return");
        let case = case("structs_as_values.c", &head).with("n=5");
        case.extents("x=n")
    };
    program("head").prove();
    program("one_function").prove();
    let refused = [
        ("recursive", "error[no-rule]: `spread` writes", ":48:3"),
        (
            "functions_that_change",
            "the function that `m` points to changes",
            ":77:18",
        ),
    ];
    for (head, message, place) in refused {
        let text = program(head).check(Build::Checked).error;
        assert!(text.contains(message), "{text}");
        assert!(
            text.contains(&format!("structs_as_values.c{place}")),
            "{text}"
        );
    }
}

/// `memcpy(twin, rows, sizeof rows)` of pointers: what is written through the copies is not lost.
#[test]
fn addresses_that_are_copied_as_bytes_are_refused() {
    let refused = case("addresses_copied.c", "head: x -> y")
        .with("n=4")
        .extents("x=n y=1")
        .check(Build::Quick);
    assert_ne!(refused.status, 0);
    let said = "error[no-rule]: an active value passes through `memcpy`";
    assert!(refused.error.contains(said), "{}", refused.error);
}
