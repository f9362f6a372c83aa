//! Bad input is answered: a diagnostic with a place, and the rest translated.

mod common;

use common::{SystemHost, program, program_with};
use contraflow_ir::{Host, ProgramOutput, Severity, Stmt};
use std::io;
use std::path::Path;

#[test]
fn an_empty_file_is_said_to_be_empty() {
    let program = program(&[("a.c", " \n\n")]);
    assert_eq!(program.diagnostics[0].code, "empty-file");
}

#[test]
fn a_binary_file_is_refused() {
    let program = program(&[("a.c", "int a;\0\0\x01")]);
    assert_eq!(program.diagnostics[0].code, "binary-file");
    assert_eq!(program.diagnostics[0].labels[0].span.start, 6);
}

#[test]
fn a_missing_include_is_located() {
    let program = program(&[
        ("a.c", "int a;\n#include \"not-there.h\"\n"),
        ("b.c", "int b;"),
    ]);
    let diagnostic = &program.diagnostics[0];
    assert_eq!(
        (diagnostic.code, diagnostic.severity),
        ("preprocessor", Severity::Error)
    );
    assert!(
        diagnostic.message.contains("not-there.h"),
        "{}",
        diagnostic.message
    );
    assert_eq!(
        program.sources.snippet(diagnostic.labels[0].span),
        "#include \"not-there.h\""
    );
    assert_eq!(
        program.module.globals.len(),
        1,
        "the other file is translated"
    );
}

#[test]
fn a_recursive_include_is_refused() {
    let folder = std::env::temp_dir().join(format!("contraflow-c-include-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    std::fs::write(folder.join("r.h"), "#include \"r.h\"\n").expect("a header");
    let path = folder.join("a.c");
    let program = program(&[(path.to_str().expect("a plain path"), "#include \"r.h\"\n")]);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!(program.diagnostics[0].code, "preprocessor");
    assert!(
        program.diagnostics[0].message.contains("nested"),
        "{}",
        program.diagnostics[0].message
    );
}

struct NoPrograms;

impl Host for NoPrograms {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        SystemHost.read(path)
    }
    fn run(&self, _: &str, _: &[String], _: Option<&[u8]>) -> io::Result<ProgramOutput> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }
}

#[test]
fn a_missing_preprocessor_is_said() {
    let program = program_with(&[("a.c", "int a;")], &NoPrograms);
    assert_eq!(program.diagnostics[0].code, "preprocessor");
    assert!(
        program.diagnostics[0]
            .help
            .as_deref()
            .is_some_and(|help| help.contains("gcc"))
    );
}

#[test]
fn a_function_that_does_not_parse_is_quoted_and_the_rest_translated() {
    let program = program(&[(
        "a.c",
        "double a(double x) { return x; }\ndouble b(double x) {\n  return x +* ] 2.0;\n}\ndouble c(double x) { return b(x); }\n",
    )]);
    common::assert_valid(&program);
    let diagnostic = &program.diagnostics[0];
    assert_eq!(
        (diagnostic.code, diagnostic.severity),
        ("unparsed", Severity::Warning)
    );
    assert_eq!(program.sources.snippet(diagnostic.labels[0].span), "]");
    assert_eq!(program.module.procedures.len(), 3);
    let b = &program.module.procedures[program.module.procedures_named("b")[0]];
    assert!(b.has_body);
    assert!(
        matches!(b.stmt(b.body[0]), Stmt::Opaque { kind: "parse-error", writes, .. } if writes.len() == 2)
    );
}

#[test]
fn a_missing_brace_loses_one_function() {
    let program = program(&[(
        "a.c",
        "double a(double x) {\n  if (x > 1.0) {\n  return x;\n}\ndouble c(double x) { return x; }\n",
    )]);
    assert_eq!(program.diagnostics[0].code, "unparsed");
    let c = &program.module.procedures[program.module.procedures_named("c")[0]];
    assert!(matches!(c.stmt(c.body[0]), Stmt::Assign { .. }));
}

#[test]
fn deep_nesting_is_refused_before_it_overflows() {
    let text = format!("int a = {}1{};\n", "(".repeat(30_000), ")".repeat(20_000));
    let program = program(&[("a.c", &text)]);
    assert_eq!(program.diagnostics[0].code, "too-deep");
}

#[test]
fn a_sum_of_ten_thousand_terms_is_read() {
    let sum = vec!["x"; 10_000].join(" + ");
    let text = format!("double f(double x) {{ return {sum}; }}\n");
    let program = program(&[("a.c", &text)]);
    assert_eq!(program.diagnostics, []);
}

#[test]
fn five_thousand_parentheses_are_read() {
    let (open, close) = ("(".repeat(5_000), ")".repeat(5_000));
    let text = format!("double f(double x) {{ return {open}x{close}; }}\n");
    let program = program(&[("a.c", &text)]);
    assert_eq!(program.diagnostics, []);
}

#[test]
fn a_thousand_arguments_are_read() {
    let formals = vec!["double"; 1_000].join(", ");
    let actuals = vec!["x"; 1_000].join(", ");
    let text = format!("double g({formals});\ndouble f(double x) {{ return g({actuals}); }}\n");
    let program = program(&[("a.c", &text)]);
    common::assert_valid(&program);
    assert_eq!(program.diagnostics, []);
}

#[test]
fn a_hundred_thousand_initial_values_are_read() {
    let values = vec!["0.5"; 100_000].join(", ");
    let text = format!(
        "static const double a[] = {{ {values} }};\ndouble f(int i) {{\n\
           static const double b[100000] = {{ {values} }};\n  return a[i] + b[i]; }}\n"
    );
    let program = program(&[("a.c", &text)]);
    common::assert_valid(&program);
    assert_eq!(program.diagnostics, []);
    let a = program.module.globals.iter().next().expect("the table").1;
    assert_eq!(a.shape, [(0, Some(100_000))]);
}

#[test]
fn a_long_else_if_chain_is_read() {
    let chain: String = (0..2_000)
        .map(|k| format!("if (k == {k}) r = {k}.0; else "))
        .collect();
    let text = format!("double f(int k) {{ double r; {chain} r = -1.0; return r; }}\n");
    let program = program(&[("a.c", &text)]);
    assert_eq!(program.diagnostics, []);
    assert!(program.module.procedures.len() == 1);
}

#[test]
fn units_are_linked_by_name() {
    let program = program(&[
        (
            "a.c",
            "extern double g[]; double sq(double); static double t(void) { return 1.0; } double f(double x) { return sq(x) + g[1] + t(); }",
        ),
        (
            "b.c",
            "double g[3]; static double t(void) { return 2.0; } double sq(double x) { return x * x + t(); }",
        ),
    ]);
    common::assert_valid(&program);
    assert_eq!(program.module.globals.len(), 1);
    let global = program.module.globals.iter().next().expect("one global").1;
    assert_eq!(global.shape, [(0, Some(3))]);
    assert_eq!(program.module.procedures.len(), 4);
    let sq = &program.module.procedures[program.module.procedures_named("sq")[0]];
    assert!(sq.has_body);
}

#[test]
fn types_of_one_header_are_one_type() {
    let folder = std::env::temp_dir().join(format!("contraflow-c-types-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let header = "struct s { double *w; struct s *next; };\nvoid swap(struct s *a, struct s *b, double **p);\n";
    std::fs::write(folder.join("s.h"), header).expect("a header");
    let (a, b) = (folder.join("a.c"), folder.join("b.c"));
    let program = program(&[
        (
            a.to_str().expect("a plain path"),
            "#include \"s.h\"\nvoid f(struct s *a, double **p) { swap(a, a->next, p); }\n",
        ),
        (
            b.to_str().expect("a plain path"),
            "#include \"s.h\"\nvoid swap(struct s *a, struct s *b, double **p) { a->w = b->w; *p = a->w; }\n",
        ),
    ]);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    common::assert_valid(&program);
    assert_eq!(program.diagnostics, []);
    assert_eq!(program.module.records.len(), 1);
    assert_eq!(program.module.pointers.len(), 2);
    assert_eq!(program.module.procedures.len(), 2);
}
