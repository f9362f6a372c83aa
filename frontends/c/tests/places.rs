//! Spans lead back to the user's text.

mod common;

use common::{Program, program};
use contraflow_ir::{Procedure, Span, Stmt};

fn procedure<'p>(program: &'p Program, name: &str) -> &'p Procedure {
    let id = program.module.procedures_named(name)[0];
    &program.module.procedures[id]
}

/// The user's text of each assigned value.
fn values(program: &Program, name: &str) -> Vec<String> {
    let procedure = procedure(program, name);
    procedure
        .all_statements()
        .into_iter()
        .filter_map(|id| match procedure.stmt(id) {
            Stmt::Assign { value, .. } => {
                Some(program.sources.snippet(procedure.exprs[*value].span))
            }
            _ => None,
        })
        .collect()
}

fn statement_texts(program: &Program, name: &str) -> Vec<String> {
    let procedure = procedure(program, name);
    let all = procedure.all_statements();
    let text = |span: Span| program.sources.snippet(span);
    all.into_iter()
        .map(|id| text(procedure.stmts[id].span))
        .collect()
}

#[test]
fn expressions_have_their_text() {
    let program = program(&[(
        "a.c",
        "#include <math.h>\n/* one */ void f(double x, double *r) {\n  *r = x * sin( x ) /* two */ + 1.0;\n}\n",
    )]);
    assert_eq!(values(&program, "f"), ["x * sin( x ) /* two */ + 1.0"]);
}

#[test]
fn a_macro_has_the_place_of_its_use() {
    let program = program(&[(
        "a.c",
        "#define SQ(x) ((x) * (x))\nvoid f(double x, double *r) {\n  r[0] = SQ(x);\n  r[1] = 2.0 * SQ(x + 1.0) - x;\n}\n",
    )]);
    assert_eq!(values(&program, "f"), ["SQ(x)", "2.0 * SQ(x + 1.0) - x"]);
}

#[test]
fn statements_have_their_text_and_loops_their_head() {
    let program = program(&[(
        "a.c",
        "void f(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    if (a[i] > 1.0) {\n      a[i] = 1.0;\n    }\n}\n",
    )]);
    assert_eq!(
        statement_texts(&program, "f"),
        [
            "for (int i = 0; i < n; i++)",
            "if (a[i] > 1.0)",
            "a[i] = 1.0"
        ]
    );
}

#[test]
fn a_procedure_has_all_of_its_lines() {
    let text = "int a;\nstatic double\nf(double x)\n{\n  return x;\n} /* end */\nint b;\n";
    let program = program(&[("a.c", text)]);
    let home = &procedure(&program, "f").home;
    assert_eq!(
        program.sources.snippet(home.span),
        "static double\nf(double x)\n{\n  return x;\n} /* end */"
    );
    assert!(procedure(&program, "f").is_private);
}

#[test]
fn declarations_are_added_after_the_includes_and_procedures_at_the_end() {
    let text = "/* a */\n#include <math.h>\n#include <stdio.h>\nint a;\n";
    let program = program(&[("dir/a.c", text)]);
    let (_, container) = program.module.containers.iter().next().expect("one unit");
    assert_eq!(&text[container.declare_at as usize..], "int a;\n");
    assert_eq!(container.insert_at as usize, text.len());
    assert_eq!(container.name, "a");
}

#[test]
fn what_a_header_of_the_users_defines_has_its_place_there() {
    let folder = std::env::temp_dir().join(format!("contraflow-c-places-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    std::fs::write(
        folder.join("h.h"),
        "static double g(double x) { return x * x; }\n",
    )
    .expect("a header");
    let path = folder.join("a.c");
    let program = program(&[(
        path.to_str().expect("a plain path"),
        "#include \"h.h\"\ndouble f(double x) { return g(x); }\n",
    )]);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    let home = &procedure(&program, "g").home;
    assert_eq!(program.sources.file(home.file).path, folder.join("h.h"));
    assert_eq!(
        program.sources.snippet(home.span),
        "static double g(double x) { return x * x; }"
    );
    assert_eq!(program.diagnostics, []);
}

#[test]
fn line_directives_do_not_lead_away_from_the_text() {
    let text = "#line 100 \"made.y\"\nvoid f(double *r) { *r = 1.0; }\n# 7 \"other.y\"\nint a;\n";
    let program = program(&[("a.c", text)]);
    assert_eq!(values(&program, "f"), ["1.0"]);
    assert_eq!(program.module.globals.len(), 1);
}
