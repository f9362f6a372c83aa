//! Where derived functions are put, and what the files look like.

use contraflow_backend_c::{Options, files};
use contraflow_backend_common::OutputFile;
use contraflow_ir::{
    Access, Allocation, Builder, Container, ContainerKind, Dim, Extent, Global, GlobalKind, Home,
    Language, Module, Passing, Procedure, ProcedureId, ProcedureRole, Sources, Span, Storage, Type,
    Variable, verify::verify,
};

const TEXT: &str = "#include <math.h>\nstatic void f(double *x)\n{\n  *x = sin(*x);\n}";

/// A derivative of `f` that only sets `x` to zero.
fn module_of(is_private: bool) -> (Module, Sources, Vec<ProcedureId>) {
    let mut sources = Sources::default();
    let file = sources.add("folder/source.c", TEXT.as_bytes().to_vec());
    sources.set_language(file, Language::C);
    let mut module = Module::default();
    let container = module.containers.add(Container {
        name: "source".to_owned(),
        kind: ContainerKind::TranslationUnit,
        file,
        span: Span::new(file, 0, TEXT.len()),
        declare_at: 18,
        insert_at: TEXT.len() as u32,
        has_contains: false,
    });
    let mut primal = Procedure::new("f");
    primal.is_private = is_private;
    primal.scalars_by_value = true;
    primal.home = Home {
        file,
        container: Some(container),
        span: Span::new(file, 18, TEXT.len()),
        ..Home::none()
    };
    let mut b = Builder::new(&mut primal);
    let argument = |name: &str, index, passing| Variable {
        storage: Storage::Argument { index },
        passing,
        spelling: Some("double".to_owned()),
        ..Variable::scalar(name, Type::REAL8)
    };
    let x = b.variable(argument("x", 0, Passing::Reference));
    let unused = b.variable(argument("t", 1, Passing::Value));
    let zero = b.zero(Type::REAL8);
    let set = b.assign(Access::whole(x), zero);
    primal.arguments = vec![x, unused];
    primal.body = vec![set];
    let of = module.procedures.add(primal.clone());
    let derived = module.procedures.add(Procedure {
        name: "f_b".to_owned(),
        role: ProcedureRole::Adjoint { of },
        ..primal
    });
    (module, sources, vec![derived])
}

fn written(is_private: bool) -> Vec<OutputFile> {
    let (module, sources, ids) = module_of(is_private);
    let verified = verify(&module).expect("valid");
    files(verified, &sources, &ids, &Options::default()).expect("written")
}

#[test]
fn a_file_of_its_own_needs_no_types_of_the_users() {
    let (mut module, sources, ids) = module_of(false);
    let global = module.globals.add(Global {
        name: "gain".to_owned(),
        span: Span::NONE,
        container: None,
        kind: GlobalKind::External,
        ty: Type::REAL8,
        spelling: Some("real_t".to_owned()),
        shape: vec![(0, Some(3))],
        allocation: Allocation::Fixed,
        is_private: false,
        shadow_of: None,
        declared_by: None,
    });
    let procedure = &mut module.procedures[ids[0]];
    let x = procedure.arguments[0];
    let mut b = Builder::new(procedure);
    let gain = b.variable(Variable {
        storage: Storage::Global(global),
        ..Variable::scalar("gain", Type::REAL8)
    });
    let (first, three) = (b.int(0), b.int(3));
    b.procedure.variables[gain].shape = vec![Dim {
        lower: first,
        extent: Extent::Count(three),
    }];
    let value = b.load_element(gain, vec![first]);
    let set = b.assign(Access::whole(x), value);
    procedure.body = vec![set];
    let verified = verify(&module).expect("valid");
    let made = files(verified, &sources, &ids, &Options::default()).expect("written");
    let written = text(&made[0]);
    assert!(written.contains("\nextern double gain[3];\n"), "{written}");
    assert!(written.contains("*x = gain[0];"), "{written}");
}

fn text(file: &OutputFile) -> &str {
    std::str::from_utf8(&file.text).expect("UTF-8")
}

#[test]
fn a_static_function_gains_its_derivative_in_place() {
    let made = written(true);
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].name, "source.c");
    let added = "\n\n/* Adjoint of f. */\nstatic void f_b(double *x, double t) {\n  (void)t;\n  *x = 0.0;\n}\n";
    assert_eq!(text(&made[0]), format!("{TEXT}{added}"));
}

#[test]
fn an_external_function_goes_beside_with_a_header() {
    let made = written(false);
    let names: Vec<&str> = made.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["f_b.c", "f_b.h"]);
    assert_eq!(
        text(&made[0]),
        "#include \"f_b.h\"\n\n/* Adjoint of f. */\nvoid f_b(double *x, double t) {\n  (void)t;\n  *x = 0.0;\n}\n"
    );
    let header = text(&made[1]);
    assert!(
        header.starts_with("#ifndef F_B_H\n#define F_B_H\n"),
        "{header}"
    );
    assert!(header.contains("extern \"C\" {"), "{header}");
    assert!(
        header.contains("\nvoid f_b(double *x, double t);\n"),
        "{header}"
    );
}
