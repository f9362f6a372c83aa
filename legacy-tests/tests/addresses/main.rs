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
fn rows_in_array() {
    case("rows_in_array.c", "f: x -> return")
        .with("n=8 x=0.1:0.9")
        .extents("x=n")
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

/// Contexts of callbacks, and other addresses without a type.
#[test]
fn contexts() {
    for head in ["callback", "in_struct", "in_table", "in_variable"] {
        case("contexts.c", &format!("{head}: x -> return")).prove_in(Build::Checked);
    }
}

#[test]
fn rows_behind_pointers() {
    for head in ["seen_as_matrix", "allocated_rows"] {
        case("rows_behind.c", &format!("{head}: x -> return"))
            .with("n=3")
            .extents("x=n*n")
            .prove_in(Build::Checked);
    }
    for head in ["allocated_matrix", "walking"] {
        case("rows_behind.c", &format!("{head}: x -> return")).prove_in(Build::Checked);
    }
}

#[test]
fn memory_seen_as_the_same_numbers() {
    case("views.c", "struct_on_array: x -> x,return")
        .with("n=2")
        .extents("x=2*n")
        .prove_in(Build::Checked);
    for head in ["counters", "distance"] {
        case("views.c", &format!("{head}: x -> return")).prove_in(Build::Checked);
    }
}

/// Bits of numbers, memory that is two things, memory from functions without source.
#[test]
fn memory_that_cannot_be_followed_is_refused() {
    let programs = [
        (
            "double f(double x[2]) { double t; long *b = (long *) &t; t = x[0] * x[1]; *b ^= 1L << 63; return t; }",
            "memory-retyped",
        ),
        (
            "static void flip(double *x) { long *b = (long *) x; *b ^= 1L << 63; }\n\
             double f(double x[2]) { double t = x[0] * x[1]; flip(&t); return t; }",
            "memory-retyped",
        ),
        (
            "static double third(void *p) { return ((double *) p)[0] + ((float *) p)[3]; }\n\
             double f(double x[2]) { return third(x); }",
            "memory-retyped",
        ),
        (
            "#include <string.h>\n\
             double f(double x[2]) { long b; double t; memcpy(&b, &x[0], 8); b ^= 1L << 63; memcpy(&t, &b, 8); return x[1] + t; }",
            "memory-retyped",
        ),
        (
            "static void *g; static void set(double *x) { g = x; } static double get(void) { return ((double *) g)[0]; }\n\
             double f(double x[2]) { set(x); return x[1] + get(); }",
            "saved-active",
        ),
        (
            "void *memory(int n);\n\
             double f(double x[2]) { double *p = (double *) memory(2); p[0] = x[0] * x[1]; return p[0]; }",
            "no-rule",
        ),
        (
            "void keep(double *a); double *kept(void);\n\
             double f(double x[2]) { double a[2]; keep(a); a[0] = x[0]; double *p = kept(); p[0] = x[1]; return a[0]; }",
            "kept_value",
        ),
        (
            "double g; void *k(void); static void put(double v) { double *p = (double *) k(); *p = v; }\n\
             double f(double x[2]) { put(x[0]); return g + x[1]; }",
            "no-rule",
        ),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (program, words) in programs {
        let file = folder.path().join("refused.c");
        std::fs::write(&file, program).expect("the program is written");
        for mode in ["adjoint", "tangent"] {
            let outcome = contraflow_legacy_tests::command::contraflow(&[
                mode,
                &file.display().to_string(),
                "--head",
                "f: x -> return",
                "-o",
                &folder.path().join("out").display().to_string(),
            ]);
            let is_refused = outcome.status == 1 && outcome.error.contains(words);
            assert!(is_refused, "{mode} {program}\n{}", outcome.error);
            assert!(!outcome.error.contains("defect"), "{}", outcome.error);
        }
    }
}

/// The derivative of a function that returns an address which its caller has gives none.
#[test]
fn address_of_argument() {
    case("address_of_argument.c", "head: x -> y")
        .with("n=4")
        .extents("x=n y=n")
        .prove();
}

/// Tables behind pointers that only declarations set are nobody's to write: what is written beside them is
/// no part of them.
#[test]
fn tables_behind_pointers_are_constant() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/addresses");
    let case = |head| Case::new(&folder, &["tables.c"], head);
    let table = case("table: x -> out");
    table.clone().with("x=1.3").prove();
    table.with("x=0.4").prove_in(Build::Checked);
    let chosen = case("chosen: x -> return");
    chosen.with("x=1.3 which=1").prove_in(Build::Checked);
    let plain = case("plain: x -> y").extents("y=1");
    plain.with("x=1.3").prove_in(Build::Checked);
}

/// What is written by another name is no table, whichever way its address goes there.
#[test]
fn tables_that_are_written_by_other_names_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/addresses");
    let ways = [
        "by_own_name",
        "through_struct",
        "through_pointer",
        "through_value",
        "through_local",
        "through_holder",
        "through_copy",
        "through_memcpy",
        "through_two",
        "through_swap",
        "through_literal",
        "through_exposed",
        "through_list",
    ];
    for way in ways {
        let head = format!("{way}: x -> return");
        let outcome = Case::new(&folder, &["tables.c"], &head).check(Build::Quick);
        assert_eq!(outcome.status, 1, "{way}: {}", outcome.error);
        assert!(
            outcome.error.contains("error[saved-active]"),
            "{way}: {}",
            outcome.error
        );
        assert!(
            outcome.error.contains("tables.c:"),
            "{way}: {}",
            outcome.error
        );
    }
    for way in ["through_library", "through_callback"] {
        let head = format!("{way}: x -> return");
        let case = Case::new(&folder, &["tables.c"], &head).with("x=1.3");
        case.prove_in(Build::Checked);
    }
}

/// Pointers in what outlives the call were set before it: they may lead to anything of theirs.
#[test]
fn pointers_that_only_callees_follow_are_refused_where_they_show_what_is_active() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/addresses");
    for (head, code) in [
        ("by_pointer", "unseen-pointer"),
        ("by_passed", "unseen-pointer"),
        ("by_component", "saved-active"),
        ("by_whole", "saved-active"),
        ("by_passive", "unseen-pointer"),
    ] {
        let head = format!("shown::{head}: x -> y");
        let outcome = Case::new(&folder, &["set_elsewhere.f90"], &head).check(Build::Quick);
        assert_eq!(outcome.status, 1, "{head}: {}", outcome.error);
        assert!(
            outcome.error.contains(&format!("error[{code}]")),
            "{head}: {}",
            outcome.error
        );
    }
}

#[test]
fn pointers_in_a_module_lead_to_its_targets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/addresses");
    let case = |head| Case::new(&folder, &["set_before.f90"], head);
    case("users::through_both: x -> y").prove_in(Build::Checked);
    for head in [
        "module_of_pointers::by_name: x -> y",
        "users::by_argument: x -> y",
    ] {
        let outcome = case(head).check(Build::Quick);
        assert_eq!(outcome.status, 1, "{head}: {}", outcome.error);
        assert!(
            outcome.error.contains("error[saved-active]"),
            "{head}: {}",
            outcome.error
        );
    }
}

/// Rows behind pointers that are exchanged within their array.
#[test]
fn rows_swapped() {
    case("rows_swapped.c", "rows: x -> return")
        .with("n=4")
        .extents("x=n")
        .prove_in(Build::Checked);
}

/// Pointers in members of members: the way to them does not lead through pointers.
#[test]
fn member_of_member() {
    case("member_of_member.c", "member: x -> return")
        .with("x=1.3")
        .prove_in(Build::Checked);
}

/// What the user's initialisation lets pointers of a file point to: shadows follow at the start of a call.
#[test]
fn pointers_of_a_file_that_point_before_the_call() {
    let heads = [
        "of_structs",
        "of_inner",
        "of_list",
        "of_members",
        "by_callees",
    ];
    for head in heads {
        let head = format!("{head}: x -> return");
        for values in ["n=6 x=0.2:0.7", "n=0 x=0.2:0.7"] {
            case("pointing.c", &head)
                .with(values)
                .options("--before init() --saved kept")
                .prove_in(Build::Checked);
        }
    }
}

#[test]
fn pointers_of_a_file_after_the_last_element() {
    let of = |file: &str, head: &str| {
        case(file, &format!("{head}: x -> return"))
            .with("n=6 x=0.2:0.7")
            .options("--before init() --saved kept")
    };
    of("ends.c", "walk").prove_in(Build::Checked);
    // Where the next variable begins there is up to the compiler: it is right, or the derivative ends.
    for head in ["arrays", "parts", "numbers"] {
        for build in [Build::Optimised, Build::Quick, Build::Checked] {
            let outcome = of("ends_that_meet.c", head).check(build);
            let is_right = outcome.status == 0 && outcome.out.ends_with("proved\n");
            let ends = outcome.status != 0 && outcome.error.contains("points to is not clear");
            assert!(is_right || ends, "{head}: {}{}", outcome.out, outcome.error);
        }
    }
}

/// An address that goes through two functions before it is stored.
#[test]
fn pointers_of_a_file_that_are_handed_on() {
    case("handed_on.c", "f: x -> return")
        .with("n=5 x=0.2:0.7")
        .options("--before init() --saved kept")
        .prove_in(Build::Checked);
}

#[test]
fn pointers_of_a_file_to_what_has_no_shadow_are_refused() {
    let refused = [
        ("by_allocated", "allocate()", "pointing.c:53", "`allocated`"),
        ("by_nameless", "init()", "pointing.c:17", "`nameless`"),
    ];
    for (head, before, place, name) in refused {
        let outcome = case("pointing.c", &format!("{head}: x -> return"))
            .with("n=3")
            .options(&format!("--before {before} --saved kept"))
            .check(Build::Quick);
        let is_refused = outcome.error.contains("error[unseen-pointer]")
            && outcome.error.contains(place)
            && outcome.error.contains(name);
        assert!(outcome.status == 1 && is_refused, "{}", outcome.error);
    }
    // What a callee puts behind the address of a pointer is seen when it is called.
    let outcome = case("pointing.c", "by_elsewhere: x -> return")
        .with("n=3")
        .options("--before elsewhere() --saved kept")
        .check(Build::Quick);
    let words = "what outside points to is no variable of a file and has no shadow";
    assert!(
        outcome.status != 0 && outcome.error.contains(words),
        "{}",
        outcome.error
    );
}

#[test]
fn pointers_to_arrays() {
    for head in ["exchanged", "chosen"] {
        case("row_pointers.c", &format!("{head}: x -> return"))
            .with("n=6")
            .prove_in(Build::Checked);
    }
    for head in ["by_file", "by_member"] {
        let outcome = case("row_pointers.c", &format!("{head}: x -> return"))
            .with("n=3")
            .options("--before init() --saved kept")
            .check(Build::Quick);
        let is_refused = outcome.error.contains("error[opaque-active]")
            && outcome.error.contains("row_pointers.c:")
            && outcome
                .error
                .contains("a pointer to arrays that is not local");
        assert!(outcome.status == 1 && is_refused, "{}", outcome.error);
    }
}

/// What a callee writes behind an address without a type is what its caller reads.
#[test]
fn addresses_without_a_type() {
    for head in ["of_variables", "of_two", "of_work"] {
        case("untyped.c", &format!("{head}: x -> return"))
            .with("n=6 x=0.2:0.7")
            .prove_in(Build::Checked);
    }
}

/// Arrays whose sizes are computed from arguments first; other sizes are not known at entry.
#[test]
fn computed_sizes() {
    case("computed_sizes.c", "once: x -> return")
        .with("n=6")
        .prove();
    for (head, place) in [
        ("changing", "computed_sizes.c:20"),
        ("twice_set", "computed_sizes.c:32"),
    ] {
        let outcome = case("computed_sizes.c", &format!("{head}: x -> return"))
            .with("n=5")
            .check(Build::Quick);
        let is_refused =
            outcome.error.contains("error[computed-size]") && outcome.error.contains(place);
        assert!(outcome.status == 1 && is_refused, "{}", outcome.error);
    }
}

/// How much functions are given that cannot stand in their callers: these tell them.
#[test]
fn sizes_that_callers_hand_on() {
    case("handed_sizes.c", "solve: a -> x")
        .with("a=1.5,2.3,0.8")
        .prove();
}
