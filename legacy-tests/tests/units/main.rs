//! Program units and scopes: internal procedures, BLOCK and ASSOCIATE, functions of all forms,
//! submodules, names that clash. Each program is proved in an optimised build and in a checked one.

use contraflow_legacy_tests::proof::Case;
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/units");
    Case::new(&folder, &[file], head)
}

#[test]
fn internal_procedures_see_what_their_callees_need() {
    case("internal_chain.f90", "i1m::head: x, c -> y")
        .with("n=5")
        .prove();
}

#[test]
fn internal_procedures_see_arrays_and_optional_arguments() {
    case("internal_arrays.f90", "i2m::head: x, s, opt -> s, y")
        .with("n=4")
        .extents("s=3")
        .prove();
}

#[test]
fn internal_procedures_see_undeclared_variables() {
    case("internal_implicit.f90", "head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn internal_procedures_recurse_and_call_their_host() {
    case("internal_recursive.f90", "i4m::head: x -> r")
        .with("n=4")
        .prove();
}

#[test]
fn internal_procedures_of_one_name_in_two_hosts() {
    case("internal_same_name.f90", "i5m::head2: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn elemental_procedures_are_applied_to_arrays() {
    case("elemental.f90", "e1m::head: x -> y")
        .with("n=4")
        .prove();
}

/// A pure derivative sees by interfaces that the derivatives which it calls are pure.
#[test]
fn external_procedures_are_pure() {
    for head in ["basin::total: s, t -> return", "column: s, t -> weight"] {
        case("pure_externals.f90", head).with("n=4").prove();
    }
}

#[test]
fn functions_return_arrays_and_records() {
    case("array_functions.f90", "f1m::head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn associate_and_block_are_scopes() {
    case("associate_block.f90", "a1m::head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn where_nests_and_forall_keeps_values() {
    case("where_forall.f90", "t1m::head: x -> y")
        .with("n=5")
        .prove();
}

#[test]
fn concurrent_loops_keep_masks_and_cycle() {
    case("concurrent.f90", "t7m::head: x -> y")
        .with("n=5")
        .prove();
}

#[test]
fn private_procedures_are_reached_by_generic_names() {
    case("private_generic.f90", "topm::head: x -> y")
        .with("n=3")
        .prove();
}

#[test]
fn submodules_of_submodules_hold_bodies() {
    case("submodules.f90", "deep::head: x -> y")
        .with("n=3")
        .prove();
}

#[test]
fn files_come_in_any_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/units");
    let files = ["submodule_child.f90", "submodule_parent.f90"];
    Case::new(&folder, &files, "par::head: x -> y")
        .with("n=3")
        .prove();
}

#[test]
fn internal_functions_stand_in_all_places() {
    case("internal_functions.f90", "x1m::head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn internal_procedures_in_loops_with_jumps() {
    case("internal_loops.f90", "x5m::top: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn internal_procedures_of_external_ones() {
    case("internal_external.f90", "outer: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn selectors_are_evaluated_once() {
    case("associate_moving.f90", "x2m::head: x -> y")
        .with("n=3")
        .prove();
}

#[test]
fn arrays_keep_the_bounds_of_their_entry() {
    case("bounds_at_entry.f90", "z4m::head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn included_lines_and_imports_are_seen() {
    case("include_import.f90", "y1m::head: x -> y")
        .with("n=3")
        .prove();
}

#[test]
fn generated_names_clash_with_nothing() {
    case("name_clashes.f90", "y3m::head: x, x_d -> y")
        .with("n=3")
        .prove();
}

#[test]
fn jumps_leave_blocks_with_arrays() {
    case("block_jumps.f90", "z1m::head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn every_way_out_of_a_block_releases_its_arrays() {
    for x in ["0.1:0.4", "3:5"] {
        case("ways_out.f90", "z7m::head: x -> y")
            .with(&format!("n=5 x={x}"))
            .prove();
    }
}

#[test]
fn blocks_in_associate_return() {
    case("block_in_associate.f90", "z2m::head: x -> y")
        .with("n=4")
        .prove();
}

#[test]
fn an_internal_procedure_is_passed_as_an_argument() {
    case("internal_passed.f90", "t6m::head: p, q -> y").prove();
}

#[test]
fn internal_elemental_procedures_need_no_interface() {
    case("internal_elemental.f90", "f: a, b -> c")
        .with("n=4 m=3")
        .prove();
}
