//! C's text, one construct after the other: what gcc accepts is lowered right, or refused with a
//! place. Each function `double t_…(double)` of a file is written again from the representation,
//! compiled beside the original, and must give the same bits.

use contraflow_cli::SystemHost;
use contraflow_frontend_c::{Options, lower};
use contraflow_ir::{Callee, Diagnostic, Module, ProcedureId, Sources, Stmt};
use contraflow_legacy_tests::proof::{Build, Case};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the copies' names end with.
const COPY: &str = "_again";

struct Lowered {
    module: Module,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_text")
}

fn lowered(path: &Path, text: &str, options: &Options) -> Lowered {
    let (mut module, mut sources) = (Module::default(), Sources::default());
    let file = sources.add(path, text.as_bytes().to_vec());
    let diagnostics = lower(&mut module, &mut sources, &[file], options, &SystemHost);
    assert_eq!(
        contraflow_ir::verify::verify(&module).err(),
        None,
        "{}",
        path.display()
    );
    Lowered {
        module,
        sources,
        diagnostics,
    }
}

/// The kinds of quoted statements, with how often each stands.
fn quoted(module: &Module) -> BTreeMap<&'static str, usize> {
    let mut kinds = BTreeMap::new();
    for (_, procedure) in module.procedures.iter() {
        for id in procedure.all_statements() {
            if let Stmt::Opaque { kind, .. } = procedure.stmt(id) {
                *kinds.entry(*kind).or_default() += 1;
            }
        }
    }
    kinds
}

/// Renames every procedure that has a body, so that it can stand beside the original.
fn copies(module: &mut Module) -> Vec<ProcedureId> {
    let copied: Vec<ProcedureId> = module
        .procedures
        .iter()
        .filter(|(_, procedure)| procedure.has_body)
        .map(|(id, _)| id)
        .collect();
    for &id in &copied {
        let procedure = &mut module.procedures[id];
        procedure.name.push_str(COPY);
        if let Some(result) = procedure.result() {
            procedure.variables[result].name.push_str(COPY);
        }
    }
    let rank = |id: ProcedureId| call_depth(module, id, 0);
    let mut ordered = copied;
    ordered.sort_by_key(|&id| rank(id));
    ordered
}

fn call_depth(module: &Module, id: ProcedureId, depth: usize) -> usize {
    let callees = module.procedures[id]
        .stmts
        .iter()
        .filter_map(|(_, node)| match &node.stmt {
            Stmt::Call {
                callee: Callee::Procedure(callee),
                ..
            } => Some(*callee),
            _ => None,
        });
    callees
        .filter(|&callee| callee != id && depth < 20)
        .map(|callee| 1 + call_depth(module, callee, depth + 1))
        .max()
        .unwrap_or(0)
}

/// Runs each function as written and as lowered at several points.
fn runs_the_same(name: &str, standard: &str, expected: &[(&'static str, usize)]) {
    let path = folder().join(name);
    let text = std::fs::read(&path).expect("the program is there");
    let text = String::from_utf8(text).expect("the program is text");
    let options = Options {
        standard: standard.to_owned(),
        ..Options::default()
    };
    let Lowered {
        mut module,
        sources,
        diagnostics,
    } = lowered(&path, &text, &options);
    let kinds: Vec<_> = quoted(&module).into_iter().collect();
    let said: Vec<String> = diagnostics
        .iter()
        .map(|found| {
            let place = found
                .labels
                .first()
                .map(|label| sources.snippet(label.span))
                .unwrap_or_default();
            format!("{} at `{place}`", found.message)
        })
        .collect();
    assert_eq!(kinds, expected, "{name}: {said:#?}");
    let tests: Vec<String> = module
        .procedures
        .iter()
        .filter(|(_, procedure)| procedure.has_body && procedure.name.starts_with("t_"))
        .map(|(_, procedure)| procedure.name.clone())
        .collect();
    let written = text.matches("double t_").count();
    assert_eq!(
        tests.len(),
        written,
        "{name}: no function is lost: {tests:?}"
    );
    let derived = copies(&mut module);
    let verified = contraflow_ir::verify::verify(&module).expect("the copies keep the invariants");
    let files = contraflow_backend_c::files(verified, &sources, &derived, &Default::default())
        .unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
    let build = tempfile::tempdir().expect("a temporary folder");
    let mut units = Vec::new();
    let mut is_original_there = false;
    for file in &files {
        let target = build.path().join(&file.name);
        std::fs::write(&target, &file.text).expect("the copy is written");
        is_original_there |= file.name == name;
        if target.extension().is_some_and(|suffix| suffix == "c") {
            units.push(target);
        }
    }
    if !is_original_there {
        units.push(path.clone());
    }
    let driver = build.path().join("driver.c");
    std::fs::write(&driver, driver_of(&tests)).expect("the driver is written");
    units.push(driver);
    let program = build.path().join("program");
    let mut compiler = Command::new("gcc");
    compiler.args([
        "-w",
        "-O1",
        "-ffp-contract=off",
        "-fopenmp",
        "-D_GNU_SOURCE",
        "-iquote",
    ]);
    compiler.arg(folder());
    if !standard.is_empty() {
        compiler.arg(format!("-std={standard}"));
    }
    let made = compiler
        .args(&units)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .output();
    let made = made.expect("gcc runs");
    let complaint = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{name}: {complaint}");
    let run = Command::new(&program).output().expect("the program runs");
    let out = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && out.is_empty(),
        "{name}: {:?}\n{out}",
        run.status
    );
}

fn driver_of(tests: &[String]) -> String {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_owned();
    for test in tests {
        let _ = writeln!(text, "double {test}(double), {test}{COPY}(double);");
    }
    text.push_str(
        "static const double points[] = { 0.5, 1.25, 2.0, 3.75 };\n\
         static void same(const char *name, double (*a)(double), double (*b)(double)) {\n\
           for (int i = 0; i < 4; i++) {\n\
             double x = a(points[i]), y = b(points[i]);\n\
             if (memcmp(&x, &y, sizeof x)) printf(\"%s(%g): %.17g, not %.17g\\n\", name, points[i], y, x);\n\
           }\n}\nint main(void) {\n",
    );
    for test in tests {
        let _ = writeln!(text, "  same(\"{test}\", {test}, {test}{COPY});");
    }
    text.push_str("  return 0;\n}\n");
    text
}

#[test]
fn declarations() {
    runs_the_same("declarations.c", "", &[]);
}

#[test]
fn numbers() {
    runs_the_same("numbers.c", "", &[]);
}

#[test]
fn control() {
    runs_the_same("control.c", "", &[]);
}

#[test]
fn preprocessed_text() {
    runs_the_same("preprocessed.c", "", &[]);
}

#[test]
fn carriage_returns() {
    runs_the_same("carriage_returns.c", "", &[]);
}

#[test]
fn old_c() {
    runs_the_same("old.c", "", &[]);
}

#[test]
fn system_headers() {
    runs_the_same("headers.c", "", &[("assert", 1)]);
}

/// What is not taken apart is refused where a derivative would flow through it, at its place.
#[test]
fn what_is_not_lowered_is_refused_with_its_place() {
    let cases = [
        (
            "asm goto",
            "double f(double x) {\n  asm goto (\"\" : : : : out);\nout:\n  return x;\n}\n",
            2,
        ),
        (
            "asm",
            "double f(double x) {\n  __asm__ volatile (\"\" : \"+x\"(x));\n  return x;\n}\n",
            2,
        ),
        (
            "label address",
            "double f(double x) {\n  void *p = &&l1;\n  goto *p;\nl1:\n  return x;\n}\n",
            2,
        ),
        (
            "nested function",
            "double f(double x) {\n  double g(double b) { return b * x; }\n  return g(x);\n}\n",
            2,
        ),
        (
            "vector",
            "typedef double v4 __attribute__((vector_size(32)));\ndouble f(double x) {\n  v4 a = { x, x };\n  return a[0];\n}\n",
            3,
        ),
        (
            "intrinsics",
            "#include <immintrin.h>\ndouble f(double x) {\n  __m256d a = _mm256_set1_pd(x);\n  return a[0];\n}\n",
            3,
        ),
        (
            "va_arg",
            "#include <stdarg.h>\ndouble f(double x, ...) {\n  va_list ap;\n  va_start(ap, x);\n  x *= va_arg(ap, double);\n  return x;\n}\n",
            5,
        ),
        (
            "types of one size",
            "double f(double x) {\n  long long n = 2;\n  return x * _Generic(n, long: 1, long long: 2);\n}\n",
            3,
        ),
        (
            "integer of other bits",
            "double f(double x) {\n  struct { int a : 3; } s;\n  s.a = 5;\n  x *= s.a;\n  return x;\n}\n",
            4,
        ),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (what, text, line) in cases {
        let file = folder.path().join("refused.c");
        std::fs::write(&file, text).expect("the program is written");
        let outcome = contraflow_legacy_tests::command::contraflow(&[
            "adjoint",
            &file.display().to_string(),
            "--head",
            "f: x -> return",
            "-o",
            &folder.path().join("out").display().to_string(),
        ]);
        let place = format!("refused.c:{line}:");
        assert!(
            outcome.status == 1 && outcome.error.contains(&place),
            "{what}: {}\n{}",
            outcome.status,
            outcome.error
        );
        assert!(
            !outcome.error.contains("defect"),
            "{what}: {}",
            outcome.error
        );
    }
}

#[test]
fn a_missing_header_is_named() {
    let outcome = lowered(
        Path::new("a.c"),
        "#include <not/there/mpi.h>\nint f(void) { return 1; }\n",
        &Options::default(),
    );
    let found = &outcome.diagnostics[0];
    assert!(
        found.message.contains("not/there/mpi.h"),
        "{}",
        found.message
    );
    assert_eq!(
        outcome.sources.snippet(found.labels[0].span),
        "#include <not/there/mpi.h>"
    );
}

/// The driver has a `main` too, and the derivative asks for headers that the user's macros would spoil.
#[test]
fn a_head_of_a_whole_program_is_proved() {
    Case::new(&folder(), &["program.c"], "weighted: x, y -> return")
        .with("n=3")
        .prove();
}

#[test]
fn derivatives_of_extensions_are_proved() {
    let prove = |head: &str, values: &str| {
        Case::new(&folder(), &["extensions.c"], head)
            .with(values)
            .prove();
    };
    prove("lists_of_effects: x, y -> return", "x=1.1:1.4 y=0.6:0.9");
    prove("complex_extensions: x -> return", "x=1.1:1.4");
    prove("nested_designators: x -> return", "x=1.1:1.4 n=3");
    prove("jumps_and_cases: x -> return", "x=1.1:1.4");
    prove(
        "orders_of_evaluation: x, y -> return",
        "x=1.12:1.18 y=0.6:0.9",
    );
}

/// Two files with macros, folders and standards of their own, as `compile_commands.json` has them.
#[test]
fn each_file_is_read_as_the_build_compiles_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(&path, text).expect("the file is written");
        path.display().to_string()
    };
    write(
        "inc/scale.h",
        "#define TIMES(x) (SCALE * (x))\ndouble inner(double);\n",
    );
    let head = write(
        "src/head.c",
        "#include <scale.h>\ndouble head(double x) { return TIMES(x) * inner(x); }\n",
    );
    let inner = write(
        "src/inner.c",
        "#include <scale.h>\n#if __STDC_VERSION__ > 200000L\n#error another standard\n#endif\n\
         static double own(double x) { return x * x; }\ndouble inner(double x) { return TIMES(own(x)); }\n",
    );
    let commands = write(
        "build/compile_commands.json",
        r#"[
          { "directory": "../src", "file": "head.c", "command": "cc -O2 -DSCALE=2.0 -I ../inc -o head.o -c head.c" },
          { "directory": "../src", "file": "inner.c",
            "arguments": ["cc", "-D", "SCALE=3.0", "-std=gnu89", "-isystem../inc", "-c", "inner.c"] }
        ]"#,
    );
    let proof = |more: &[&str]| {
        let mut arguments = vec!["check", &head, &inner, "--head", "head: x -> return"];
        arguments.extend(more);
        contraflow_legacy_tests::command::contraflow(&arguments)
    };
    let outcome = proof(&["--compile-commands", &commands]);
    assert!(
        outcome.status == 0 && outcome.out.ends_with("proved\n"),
        "{}{}",
        outcome.out,
        outcome.error
    );
    let outcome = proof(&[]);
    assert!(outcome.error.contains("scale.h"), "{}", outcome.error);
    let outcome = proof(&["--compile-commands", &inner]);
    assert!(
        outcome.error.contains("compile-commands"),
        "{}",
        outcome.error
    );
}

/// Structs without a tag, and types that the file or one function declares.
#[test]
fn types_without_names_and_of_one_function_have_derivatives() {
    let heads = [
        "of_the_file",
        "rows_of_the_file",
        "with_a_tag",
        "of_a_function",
        "one_of_two",
    ];
    for head in heads {
        Case::new(&folder(), &["types.c"], &format!("{head}: x -> return"))
            .with("n=5")
            .extents("x=n")
            .options("--saved kept")
            .prove_in(Build::Checked);
    }
}

/// What derivatives need of the standard library stands before the user's headers: their macros may have
/// names of its functions.
#[test]
fn headers_of_the_user_define_what_the_library_declares() {
    Case::new(&folder(), &["own_header.c"], "own_header: x -> return")
        .with("n=5 x=0.6,-0.7,1.8,0.9,1.1")
        .prove();
}
