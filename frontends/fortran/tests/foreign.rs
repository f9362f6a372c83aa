//! What surrounds a program: modules with and without source, headers, libraries, extensions.

mod common;

use common::{Memory, codes, opaque, program, program_with};
use contraflow_ir::{Host, ProgramOutput};
use std::io;
use std::path::Path;

fn reasons(program: &common::Program) -> Vec<&str> {
    let opaque = program.diagnostics.iter().filter(|d| d.code == "opaque");
    opaque.map(|d| d.labels[0].text.as_str()).collect()
}

#[test]
fn a_type_may_be_public_where_names_are_private() {
    let program = program(&[(
        "a.f90",
        b"module grid\nimplicit none ; private\ntype, public :: box\ninteger :: n\nend type\n\
          type, private :: hidden\ninteger :: n\nend type\nend module\n\
          subroutine s(g, k)\nuse grid, only : box\nimplicit none\ntype(box), intent(in) :: g\n\
          integer, intent(out) :: k\nk = g%n\nend\n",
    )]);
    assert!(opaque(&program).is_empty(), "{:?}", program.diagnostics);
}

#[test]
fn procedures_of_an_interface_need_no_module() {
    let program = program(&[(
        "a.f90",
        b"module m\ninterface load\nprocedure load_1, load_2\nend interface\ncontains\n\
          subroutine load_1(x)\nreal, intent(out) :: x\nx = 1\nend subroutine\n\
          subroutine load_2(x)\nreal, intent(out) :: x(:)\nx = 1\nend subroutine\n\
          subroutine s(x)\nreal, intent(out) :: x\ncall load(x)\nend subroutine\nend module\n",
    )]);
    assert!(opaque(&program).is_empty(), "{:?}", program.diagnostics);
}

#[test]
fn a_pointer_that_is_kept_gets_no_default_values() {
    let program = program(&[(
        "a.f90",
        b"module m\ntype box\nreal :: size = 1.0\nend type\ncontains\nsubroutine s(b, x)\n\
          type(box), target, intent(in) :: b\nreal, intent(out) :: x\n\
          type(box), pointer :: p => null()\np => b\nx = p%size\nend subroutine\nend module\n",
    )]);
    assert!(opaque(&program).is_empty(), "{:?}", program.diagnostics);
}

#[test]
fn constants_of_the_language_are_passed() {
    let program = program(&[(
        "a.f90",
        b"subroutine s(k)\nuse, intrinsic :: iso_fortran_env, only : error_unit, output_unit\n\
          implicit none\ninteger, intent(out) :: k\ncall say(error_unit)\nk = output_unit\nend\n\
          subroutine say(unit)\ninteger, intent(in) :: unit\nwrite(unit, *) 'so'\nend\n",
    )]);
    assert!(reasons(&program).is_empty(), "{:?}", program.diagnostics);
}

#[test]
fn constants_of_mpi_stay_names() {
    let program = program(&[(
        "a.f90",
        b"subroutine s(n, x, t)\nuse mpi\nimplicit none\ninteger, intent(in) :: n\nreal :: x(n)\n\
          real(8) :: t\ninteger :: ierr, status(MPI_STATUS_SIZE)\nt = mpi_wtime()\n\
          call mpi_send(x, n, MPI_REAL, 1, 0, MPI_COMM_WORLD, ierr)\n\
          call mpi_recv(x, n, MPI_REAL, 1, 0, MPI_COMM_WORLD, status, ierr)\nend\n",
    )]);
    assert!(opaque(&program).is_empty(), "{:?}", program.diagnostics);
    assert_eq!(codes(&program), ["unknown-module"]);
}

#[test]
fn what_a_module_without_source_declares_is_said() {
    let program = program(&[(
        "a.f90",
        b"module around\nuse missing, only : tool, kind_of\nend module\n\
          subroutine s(x)\nuse around\nimplicit none\nreal, intent(inout) :: x\n\
          real(kind_of) :: y\ntype(tool) :: t\nx = factor*x\ny = x\nx = t%length\nend\n",
    )]);
    let found = reasons(&program);
    assert_eq!(found.len(), 3, "{:?}", program.diagnostics);
    assert_eq!(found[0], "`factor` is not declared");
    assert!(
        found[1..]
            .iter()
            .all(|reason| reason.ends_with("module `missing`, which has no source"))
    );
}

#[test]
fn characters_are_as_long_as_the_argument_says() {
    let program = program(&[(
        "a.f90",
        b"module m\ncontains\nfunction lower(s) result(r)\ncharacter(len=*), intent(in) :: s\n\
          character(len=len(s) + 1) :: r\nr = s\nend function\nsubroutine s(a, b)\n\
          character(len=*), intent(in) :: a\ncharacter(len=8), intent(out) :: b\n\
          character(len=5) :: c(2)\nc = 'x'\nb = lower(a)\nb = lower(c(2))\nb = lower('ab'//c(1))\n\
          end subroutine\nend module\n",
    )]);
    assert!(reasons(&program).is_empty(), "{:?}", program.diagnostics);
}

#[test]
fn a_part_of_a_component_of_characters_is_written() {
    let program = program(&[(
        "a.f90",
        b"subroutine s(x)\ntype file\ncharacter(len=8) :: name\nreal :: size\nend type\n\
          type(file) :: f(3)\nreal :: x\nf(2)%name(1:3) = 'abc'\nf(2)%size = x\nx = f(2)%size\nend\n",
    )]);
    assert_eq!(opaque(&program), ["character"]);
    assert!(reasons(&program).is_empty(), "{:?}", program.diagnostics);
}

#[test]
fn cuda_says_where_a_procedure_runs() {
    let program = program(&[(
        "a.f90",
        b"module m\ncontains\nattributes(device) pure elemental function f(x)\n\
          real, value :: x\nreal :: f\nf = 2*x\nend function\nend module\n",
    )]);
    assert!(codes(&program).is_empty(), "{:?}", program.diagnostics);
    assert!(
        program
            .module
            .procedures
            .iter()
            .all(|(_, p)| p.is_elemental)
    );
}

/// A preprocessor that finds no header, and says so as the usual one does: with the line after.
struct WithoutHeaders;

impl Host for WithoutHeaders {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Memory::default().read(path)
    }

    fn run(&self, _: &str, _: &[String], input: Option<&[u8]>) -> io::Result<ProgramOutput> {
        let text = String::from_utf8_lossy(input.unwrap_or_default()).into_owned();
        let missing = text.lines().position(|line| line.starts_with("#include"));
        let error = |line: usize| {
            format!(
                "<stdin>:{}:2: fatal error: a.h: No such file or directory\n",
                line + 2
            )
        };
        Ok(ProgramOutput {
            success: missing.is_none(),
            stdout: format!("# 1 \"<stdin>\"\n{text}").into_bytes(),
            stderr: missing.map(error).unwrap_or_default(),
        })
    }
}

#[test]
fn only_the_line_of_a_missing_header_is_left_out() {
    let text = b"subroutine s(x)\nreal x\n#include \"a.h\"\nx = 1\n#include \"a.h\"\nend\n";
    let program = program_with(&[("a.F90", text)], &WithoutHeaders);
    assert_eq!(codes(&program), ["missing-include", "missing-include"]);
    let (_, procedure) = program.module.procedures.iter().next().expect("one");
    assert_eq!(procedure.body.len(), 1);
    let label = &program.diagnostics[0].labels[0];
    assert_eq!(
        &text[label.span.start as usize..label.span.end as usize],
        b"#include \"a.h\""
    );
}

#[test]
fn addresses_of_c_are_named() {
    let program = program(&[(
        "a.f90",
        b"subroutine s\nuse iso_c_binding\nimplicit none\ntype(c_ptr) :: plan\ncall make(plan)\n\
          call run(plan)\nend\n",
    )]);
    let found = reasons(&program);
    assert_eq!(found, ["`plan` is an address of C"; 2]);
}
