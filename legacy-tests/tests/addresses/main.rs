//! C pointers that move: time levels that are swapped, rows behind pointers, lists, structs that are made,
//! changed and released by functions; memory that two names reach. All in a checked build: nothing may
//! leak, nothing may be used after its release.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str, head: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/addresses");
    Case::new(&folder, &[file], head)
}

#[test]
fn swap_levels() {
    case("swap_levels.c", "f: u -> u")
        .with("n=6 nt=5")
        .extents("u=n")
        .prove_in(Build::Checked);
}

#[test]
fn swap_args() {
    case("swap_args.c", "f: u,v -> u,v")
        .with("n=6 nt=5")
        .extents("u=n v=n")
        .prove_in(Build::Checked);
}

#[test]
fn swap_step() {
    case("swap_step.c", "f: u -> u")
        .with("n=6 nt=5")
        .extents("u=n")
        .prove_in(Build::Checked);
}

#[test]
fn ptr_param_swap() {
    case("ptr_param_swap.c", "f: u -> u")
        .with("n=6 nt=5")
        .extents("u=n")
        .prove_in(Build::Checked);
}

#[test]
fn rows_block() {
    case("rows_block.c", "f: x -> return")
        .with("n=3")
        .extents("x=n*n")
        .prove_in(Build::Checked);
}

#[test]
fn rows_many() {
    case("rows_many.c", "f: x -> return")
        .with("n=3")
        .extents("x=n*n")
        .prove_in(Build::Checked);
}

#[test]
fn rows_many_inline() {
    case("rows_many_inline.c", "f: x -> return")
        .with("n=3")
        .extents("x=n*n")
        .prove_in(Build::Checked);
}

#[test]
fn list() {
    case("list.c", "f: x -> return")
        .with("n=4")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn list_inline() {
    case("list_inline.c", "f: x -> return")
        .with("n=4")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn ctor() {
    case("ctor.c", "f: x -> return")
        .with("n=5")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn ctor_val() {
    case("ctor_val.c", "f: x -> return")
        .with("n=5")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn ptr_choice() {
    case("ptr_choice.c", "f: x,y -> x,y")
        .with("n=5 k=1")
        .extents("x=n y=n")
        .prove_in(Build::Checked);
}

#[test]
fn walk_struct() {
    case("walk_struct.c", "f: g -> return")
        .with("n=3")
        .extents("g=n")
        .prove_in(Build::Checked);
}

#[test]
fn walk_struct_arg() {
    case("walk_struct_arg.c", "f: c -> return,c")
        .with("n=3 c.k=1:4")
        .extents("c=n")
        .prove_in(Build::Checked);
}

#[test]
fn walk_end() {
    case("walk_end.c", "f: x -> return")
        .with("n=6")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn alias_call() {
    case("alias_call.c", "f: x -> x")
        .with("n=5")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn alias_struct() {
    case("alias_struct.c", "f: x -> x,return")
        .with("n=5")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn alias_glob() {
    case("alias_glob.c", "f: x -> return")
        .options("--saved fresh")
        .with("n=4")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn subarray() {
    case("subarray.c", "f: a -> a,return")
        .with("n=3")
        .extents("a=n*n")
        .prove_in(Build::Checked);
}

#[test]
fn member_len() {
    case("member_len.c", "f: x -> return")
        .with("n=4")
        .extents("x=n")
        .prove_in(Build::Checked);
}

#[test]
fn while_comma() {
    case("while_comma.c", "f: x -> return").prove_in(Build::Checked);
}

#[test]
fn comma_cond_sub() {
    case("comma_cond_sub.c", "f: x -> return,x")
        .with("n=4")
        .extents("x=n")
        .prove_in(Build::Checked);
}

/// `qsort` of records by their numbers, for the order alone.
#[test]
fn sorted() {
    case("sorted.c", "f: x -> return")
        .with("n=6 x=0.5:1.5")
        .extents("x=n")
        .prove_in(Build::Checked);
}
