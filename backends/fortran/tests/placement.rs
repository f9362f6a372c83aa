//! Where derived procedures are put, and what the files look like.

use contraflow_backend_fortran::{Options, files};
use contraflow_ir::{
    Access, Allocation, Builder, Container, ContainerKind, Global, GlobalKind, Home, Intent,
    Language, Module, Procedure, ProcedureId, ProcedureRole, Sources, Span, Storage, Type,
    Variable, verify::verify,
};

const MODULE: &str = "MODULE m\r\n   PRIVATE\r\n   REAL(KIND=8) :: g ! \u{e9}\r\n   PUBLIC :: f\r\nCONTAINS\r\n   SUBROUTINE f(x)\r\n      REAL(KIND=8), INTENT(INOUT) :: x\r\n      x = x*g\r\n   END SUBROUTINE\r\nEND MODULE m\r\n";

/// The derivative `name` of the procedure at `head` in `text`; it sets `x` and `g_b` to zero.
fn module_of(text: &str, head: &str, language: Language) -> (Module, Sources, Vec<ProcedureId>) {
    let mut sources = Sources::default();
    let file = sources.add("folder/source.f90", text.as_bytes().to_vec());
    sources.set_language(file, language);
    let mut module = Module::default();
    let start = text.find(head).expect("the head is there");
    let mut primal = Procedure::new("f");
    primal.home = Home {
        file,
        span: Span::new(file, start, text.len()),
        ..Home::none()
    };
    let mut b = Builder::new(&mut primal);
    let x = b.variable(Variable {
        storage: Storage::Argument { index: 0 },
        intent: Intent::InOut,
        spelling: Some("REAL(KIND=8)".to_owned()),
        ..Variable::scalar("x", Type::REAL8)
    });
    let zero = b.zero(Type::REAL8);
    let set = b.assign(Access::whole(x), zero);
    primal.arguments = vec![x];
    primal.body = vec![set];
    let of = module.procedures.add(primal.clone());
    let derived = Procedure {
        name: "f_b".to_owned(),
        role: ProcedureRole::Adjoint { of },
        ..primal
    };
    let derived = module.procedures.add(derived);
    (module, sources, vec![derived])
}

/// Puts the procedures into a module of the file, with a variable that has a shadow.
fn in_module(module: &mut Module, text: &str, has_contains: bool) {
    let at = |word: &str| text.find(word).expect("the word is there");
    let file = module.procedures[ProcedureId::from_index(0)].home.file;
    let declare_at = if has_contains {
        "CONTAINS"
    } else {
        "END MODULE"
    };
    let container = module.containers.add(Container {
        name: "m".to_owned(),
        kind: ContainerKind::Module,
        file,
        span: Span::new(file, 0, text.len()),
        declare_at: at(declare_at) as u32,
        insert_at: at("END MODULE") as u32,
        has_contains,
    });
    let global = Global {
        name: "g".to_owned(),
        span: Span::NONE,
        container: Some(container),
        kind: GlobalKind::Module,
        ty: Type::REAL8,
        spelling: Some("REAL(KIND=8)".to_owned()),
        shape: vec![(0, Some(3))],
        allocation: Allocation::Fixed,
        is_private: false,
        shadow_of: None,
        declared_by: None,
    };
    let of = module.globals.add(global.clone());
    module.globals.add(Global {
        name: "g_b".to_owned(),
        is_private: false,
        shadow_of: Some(of),
        declared_by: None,
        ..global
    });
    let ids: Vec<ProcedureId> = module.procedures.ids().collect();
    for id in ids {
        module.procedures[id].home.container = Some(container);
    }
}

fn only_file(module: &Module, sources: &Sources, ids: &[ProcedureId]) -> (String, String) {
    let verified = verify(module).expect("valid");
    let mut made = files(verified, sources, ids, &Options::default()).expect("written");
    assert_eq!(made.len(), 1);
    let file = made.remove(0);
    (file.name, String::from_utf8(file.text).expect("UTF-8"))
}

#[test]
fn a_module_keeps_every_byte_and_gains_the_derivative() {
    let (mut module, sources, ids) = module_of(MODULE, "SUBROUTINE f", Language::FortranFree);
    in_module(&mut module, MODULE, true);
    let (name, text) = only_file(&module, &sources, &ids);
    assert_eq!(name, "source.f90");
    let declarations = "   REAL(KIND=8), PUBLIC :: g_b(0:2) = 0.0D0\r\n   PUBLIC :: f_b\r\n";
    let procedure = "\r\n   ! Adjoint of f.\r\n   SUBROUTINE f_b(x)\r\n      IMPLICIT NONE\r\n      \
                     REAL(KIND=8), INTENT(INOUT) :: x\r\n\r\n      x = 0.0D0\r\n   \
                     END SUBROUTINE f_b\r\n\r\n";
    let expected = MODULE
        .replace("CONTAINS", &format!("{declarations}CONTAINS"))
        .replace("END MODULE", &format!("{procedure}END MODULE"));
    assert_eq!(text, expected);
}

#[test]
fn a_module_without_procedures_gains_contains() {
    let text = "MODULE m\n  REAL :: g\nEND MODULE\n";
    let (mut module, sources, ids) = module_of(text, "MODULE m", Language::FortranFree);
    in_module(&mut module, text, false);
    let (_, written) = only_file(&module, &sources, &ids);
    assert!(written.starts_with("MODULE m\n  REAL :: g\n"), "{written}");
    let after = written
        .split("g_b(0:2)")
        .nth(1)
        .expect("the shadow is declared");
    assert!(
        after.contains("\nCONTAINS\n\n! Adjoint of f.\nSUBROUTINE f_b"),
        "{written}"
    );
    assert!(written.ends_with("\n\nEND MODULE\n"), "{written}");
}

#[test]
fn an_external_procedure_goes_beside() {
    let text = "subroutine f(x)\nend\n";
    let (module, sources, ids) = module_of(text, "subroutine", Language::FortranFree);
    let (name, written) = only_file(&module, &sources, &ids);
    assert_eq!(name, "f_b.f90");
    assert!(
        written.starts_with("! Adjoint of f.\nsubroutine f_b(x)\n"),
        "{written}"
    );
}

#[test]
fn fixed_form_stays_fixed_form() {
    let text = "      SUBROUTINE F(X)\n      END\n";
    let (module, sources, ids) = module_of(text, "SUBROUTINE", Language::FortranFixed);
    let (name, written) = only_file(&module, &sources, &ids);
    assert_eq!(name, "f_b.f");
    assert!(written.contains("\n      SUBROUTINE f_b(x)\n"), "{written}");
    assert!(written.lines().all(|line| line.len() <= 72), "{written}");
}
