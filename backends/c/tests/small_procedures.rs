//! Procedures built by hand, written as C, compiled without warnings and run under the sanitizers.

#[path = "../../common/tests/programs/mod.rs"]
mod programs;

use std::process::Command;

use contraflow_backend_c::{Options, files};
use contraflow_ir::{Module, ProcedureId, Sources, verify::verify};

/// Writes procedures, adds a main program, and gives back what it prints.
fn run(module: &Module, ids: &[ProcedureId], main: &str) -> String {
    let verified = verify(module).expect("the procedures are valid");
    let made = files(verified, &Sources::default(), ids, &Options::default())
        .expect("everything has its C");
    let folder = tempfile::tempdir().expect("a folder");
    for file in &made {
        std::fs::write(folder.path().join(&file.name), &file.text).expect("written");
    }
    let main = format!("#include <stdio.h>\n#include \"{}\"\n{main}", made[1].name);
    std::fs::write(folder.path().join("main.c"), main).expect("written");
    let compiled = Command::new("cc")
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsanitize=address,undefined",
        ])
        .args(["-o", "all", "main.c", &made[0].name, "-lm"])
        .current_dir(folder.path())
        .output()
        .expect("the compiler runs");
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    let text = String::from_utf8_lossy(&made[0].text);
    assert!(compiled.status.success(), "{complaints}\n{text}");
    let output = Command::new(folder.path().join("all"))
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn tapes_give_back_what_was_put_on_them() {
    let (module, id) = programs::taped();
    let printed = run(
        &module,
        &[id],
        "int main(void) {\n  double x[3000];\n  int n = 3000;\n  for (int i = 0; i < n; i++) x[i] = i + 1;\n  \
         reversed(&n, x);\n  printf(\"%g %g %g\\n\", x[0], x[1], x[2999]);\n  return 0;\n}\n",
    );
    assert_eq!(printed, "3 6 9000");
}

#[test]
fn what_must_not_be_evaluated_is_not() {
    let (module, id) = programs::guarded();
    let printed = run(
        &module,
        &[id],
        "int main(void) {\n  double x[3] = {1, 2, 3}, y;\n  int n = 3, at[3] = {3, 2, 9};\n  \
         for (int k = 0; k < 3; k++) {\n    guarded(&n, &at[k], x, &y);\n    printf(\"%g \", y);\n  }\n  return 0;\n}\n",
    );
    assert_eq!(printed, "13 2 -1");
}

#[test]
fn elements_are_passed_by_their_address() {
    let (module, ids) = programs::calling();
    let printed = run(
        &module,
        &ids,
        "int main(void) {\n  double x[3];\n  int n = 3;\n  outer(&n, x);\n  \
         printf(\"%g %g %g\\n\", x[0], x[1], x[2]);\n  return 0;\n}\n",
    );
    assert_eq!(printed, "1.5 3 1.5");
}
