//! Derived types, operators of the program's own, procedures bound to types and objects whose type
//! is known at run time only, each proved in an optimised and in a checked build.

use contraflow_legacy_tests::proof::{Build, Case};
use std::path::Path;

fn case(file: &str) -> Case {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    Case::new(&folder, &[file], "head: u -> v").with("n=4")
}

/// Nested records, arrays of them, constructors, record-valued functions, records overwritten.
#[test]
fn records_are_differentiated() {
    case("records.f90").prove();
}

/// Arguments of all intents, optional ones, sections of arrays of records, recursion, default values.
#[test]
fn records_are_passed() {
    case("record_arguments.f90").prove();
}

/// Records of a module, of a SEQUENCE type, constants; kinds by SELECTED_REAL_KIND.
#[test]
fn records_of_a_module_are_differentiated() {
    case("module_records.f90").options("--kept g").prove();
}

/// `call f(s%w)`, `call f(a(:)%x)`: components of one record and of an array of records.
#[test]
fn components_are_passed() {
    case("component_calls.f90").prove();
}

/// `+`, `*` (elemental too), unary `-`, `.dot.`, assignment; default values of components.
#[test]
fn operators_of_the_program_are_calls() {
    case("operators.f90").prove();
}

/// Generic names by type, kind and rank, over intrinsic names and over a type's own name;
/// `.inv. a**2` binds as `(.inv. a)**2`.
#[test]
fn generic_names_are_resolved() {
    case("generics.f90").prove();
}

/// Specific procedures that take procedures are told from those that take numbers.
#[test]
fn generic_names_of_procedures_that_take_procedures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    let files = ["generic_with_procedures.f90"];
    Case::new(&folder, &files, "m::head: x -> y")
        .with("x=1.2")
        .prove();
}

/// Bindings with PASS, NOPASS, a generic one, inherited ones.
#[test]
fn procedures_bound_to_types_are_called() {
    case("bound_procedures.f90").prove();
}

/// Operators and assignment bound to a type, nested calls of bound functions, arrays of objects.
#[test]
fn operators_bound_to_types_are_calls() {
    case("bound_operators.f90").prove();
}

/// `allocate (t :: s)` of local CLASS allocatables, with several types and in a loop.
#[test]
fn local_objects_of_several_types_are_taken_apart() {
    case("local_objects.f90").with("u=0.1:0.5").prove();
}

/// TYPE IS, CLASS IS, CLASS DEFAULT; a deferred procedure.
#[test]
fn the_type_of_an_object_selects() {
    case("select_type.f90").prove();
}

/// Three generations with overridden procedures, called through CLASS arguments, in loops.
#[test]
fn calls_reach_the_procedure_of_the_object() {
    case("dispatch.f90").prove();
}

/// `class(base), intent(out)`: all components of the object's own type get their default values.
#[test]
fn an_object_that_comes_out_has_the_default_values_of_its_type() {
    case("object_out.f90").prove();
}

/// Pure functions that call each other through objects, records by value, parent components.
#[test]
fn pure_functions_of_objects_are_differentiated() {
    case("pure_objects.f90").prove();
}

/// What a callee may change outside of the declared type cannot be restored: refused.
#[test]
fn components_that_are_not_seen_are_refused() {
    let text = case("unseen_components.f90").check(Build::Optimised).error;
    assert!(text.contains("error[not-reversible]"), "{text}");
    assert!(text.contains("unseen_components.f90:35"), "{text}");
}

/// The objects of a CLASS argument change between the calls of a loop.
#[test]
fn objects_of_each_pass_of_a_loop() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    Case::new(&folder, &["dispatch_in_a_loop.f90"], "head: x -> y")
        .with("n=5 x=0.5:1.5")
        .prove_in(Build::Checked);
}

#[test]
fn numbers_in_an_extension_of_an_abstract_type() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    Case::new(&folder, &["abstract_system.f90"], "run: x -> y")
        .with("n=5 x=0.5:1.5")
        .prove_in(Build::Checked);
}

/// `z%re = x`, `a(:)%im = b`; `allocate (c, source=b)` of records.
#[test]
fn parts_are_assigned_and_records_copied_where_they_are_allocated() {
    case("complex_parts_assigned.f90").prove();
}

/// Types that the head declares for itself are declared again by its derivatives.
#[test]
fn types_of_a_procedure_are_repeated() {
    case("local_types.f90").prove();
}

/// `call this%solver%step(x)` for CLASS components of local records and of arguments.
#[test]
fn objects_in_components_are_called() {
    let case = case("object_components.f90").with("u=0.5:1");
    case.prove();
}

/// Objects reallocated as other types in a loop, with allocatable components of their own; SELECT TYPE
/// of components, bound functions and generics, objects two levels down, ones that are not allocated.
#[test]
fn objects_in_components_change_their_type() {
    case("object_components_change.f90").with("u=0.5:1").prove();
}

/// `allocate (cells(i)%gain, source=g)` of a CLASS argument, records with objects copied as a whole.
#[test]
fn objects_in_elements_are_copied() {
    case("object_components_in_arrays.f90")
        .with("u=0.5:1")
        .prove_in(Build::Optimised);
}

/// `h%object = w`, with and without an object of another type there.
#[test]
fn objects_are_assigned_as_a_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    let files = ["object_components_refused.f90"];
    Case::new(&folder, &files, "whole: x -> y").prove();
}

/// What may change which type an object has, and cannot be told apart, is refused where it stands.
#[test]
fn objects_that_change_as_a_whole_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    for (head, line) in [("moved", 54), ("made", 63), ("points", 75), ("lists", 84)] {
        let head = format!("{head}: x -> y");
        let case = Case::new(&folder, &["object_components_refused.f90"], &head);
        let text = case.check(Build::Optimised).error;
        assert!(text.contains("error["), "{head}: {text}");
        let place = format!("object_components_refused.f90:{line}");
        assert!(text.contains(&place), "{head} at {place}: {text}");
    }
}

/// Constructs that have no derivative yet are refused with their place and a way out.
#[test]
fn what_is_not_there_yet_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    let heads = [
        ("procedures_refused.f90", "comp", 24),
        ("procedures_refused.f90", "modu", 12),
        ("procedures_refused.f90", "star", 36),
        ("procedures_refused.f90", "inner", 51),
        ("objects_refused.f90", "pointers", 33),
        ("objects_refused.f90", "arrays", 49),
        ("objects_refused.f90", "whole", 57),
        ("objects_refused.f90", "state", 75),
    ];
    for (file, head, line) in heads {
        let head = format!("m::{head}: x -> y");
        let outcome = Case::new(&folder, &[file], &head).check(Build::Optimised);
        let text = outcome.error;
        assert_eq!(outcome.status, 1, "{head}: {text}");
        let error = text.split("error[").nth(1).unwrap_or_default();
        let place = error.contains(&format!("{file}:{line}:"));
        assert!(place && error.contains("help:"), "{head} at {line}: {text}");
    }
}

/// Objects with FINAL procedures are kept where they are passive, and refused where they are active or
/// would have to be copied.
#[test]
fn objects_with_final_procedures() {
    let head = |head: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
        Case::new(
            &folder,
            &["final_procedures.f90"],
            &format!("fm::{head}: u -> v"),
        )
        .with("n=3 u=0.5:1")
    };
    head("head").prove();
    let text = head("head2").check(Build::Optimised).error;
    assert!(text.contains("error[opaque-active]"), "{text}");
    assert!(text.contains("final_procedures.f90:35"), "{text}");
    let text = head("head3").check(Build::Optimised).error;
    assert!(text.contains("error["), "{text}");
    assert!(text.contains("final_procedures.f90:50"), "{text}");
}

/// Objects in conditions, bounds, reductions, arguments and as values of functions; a procedure that
/// gets the record and the object in it.
#[test]
fn objects_in_components_stand_in_expressions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    let file = "object_components_in_expressions.f90";
    Case::new(&folder, &[file], "dm::head: u -> v")
        .with("n=3 u=0.5:0.9")
        .prove_in(Build::Optimised);
}

/// EXIT, CYCLE and RETURN out of SELECT TYPE of a component; `same_type_as`, `extends_type_of`; a module
/// variable and a pointer that lead to objects are refused.
#[test]
fn objects_in_components_and_what_surrounds_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    let head = |head: &str| {
        let file = "object_components_elsewhere.f90";
        Case::new(&folder, &[file], &format!("gm::{head}: u -> v")).with("n=3 u=0.5:0.9")
    };
    for proved in ["jumps_out", "with_types", "with_dummies"] {
        head(proved).prove();
    }
    let text = head("through_pointer").check(Build::Optimised).error;
    assert!(text.contains("error[not-reversible]"), "{text}");
    let text = head("through_module").check(Build::Optimised).error;
    assert!(text.contains("error[saved-active]"), "{text}");
}

/// The base type, an extension of it, the record with an object and its user stand in four modules.
#[test]
fn types_of_other_modules_are_used() {
    for head in ["top_mod::head: u -> v", "top_mod::head2: u -> v"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
        Case::new(&folder, &["types_of_other_modules.f90"], head)
            .with("n=3 u=0.5:0.9")
            .prove();
    }
}

/// A derivative cannot name a type whose module uses its own.
#[test]
fn types_of_later_modules_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types");
    for (head, line) in [("head", 22), ("head2", 27)] {
        let head = format!("top_mod::{head}: u -> v");
        let case = Case::new(&folder, &["types_of_later_modules.f90"], &head).with("n=3");
        let text = case.check(Build::Optimised).error;
        assert!(text.contains("error[opaque-active]"), "{text}");
        let place = format!("types_of_later_modules.f90:{line}");
        assert!(text.contains(&place), "{head} at {place}: {text}");
    }
}
