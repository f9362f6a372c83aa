//! Names of a procedure's variables in C: no keywords, and not those of functions that the text
//! calls.

use contraflow_backend_common::Namer;
use contraflow_ir::{
    Argument, BinaryOp, Callee, Expr, Module, Procedure, ProcedureId, Stmt, Storage, VarId,
};

use crate::{intrinsics, state};

/// Words of C++ that are names in C.
const OF_CPP: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "bitand",
    "bitor",
    "bool",
    "catch",
    "char16_t",
    "char32_t",
    "class",
    "compl",
    "constexpr",
    "const_cast",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "false",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
];

/// Whether C++ takes a name for a word of its own.
pub(crate) fn is_word_of_cpp(name: &str) -> bool {
    OF_CPP.contains(&name)
}

const RESERVED: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "_Complex",
    "_Imaginary",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Generic",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "NULL",
    "I",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "size_t",
    "abort",
];

/// The namer that gives out further names, and the names of all variables.
pub(crate) fn of_procedure(
    module: &Module,
    id: ProcedureId,
    foreign: bool,
) -> (Namer, Vec<String>) {
    let procedure = &module.procedures[id];
    let mut namer = Namer::new(RESERVED, false, 63);
    namer.reserve(&procedure.name);
    for name in called_names(module, procedure) {
        namer.reserve(&name);
    }
    let mut names = vec![String::new(); procedure.variables.len()];
    for (variable, name) in state_names(module, procedure) {
        namer.reserve(&name);
        names[variable.index()] = name;
    }
    for (variable, name) in fixed_names(module, procedure, foreign) {
        if !names[variable.index()].is_empty() {
            continue;
        }
        namer.reserve(&name);
        names[variable.index()] = name;
    }
    let arguments = procedure.arguments.iter().copied();
    for variable in arguments.chain(procedure.variables.ids()) {
        if names[variable.index()].is_empty() {
            let is_result = procedure.result() == Some(variable);
            let wanted = match &procedure.variables[variable].name {
                name if is_result && *name == procedure.name => "value",
                name => name,
            };
            names[variable.index()] = namer.name(wanted);
        }
    }
    (namer, names)
}

/// Names of what derived functions keep between calls.
fn state_names(module: &Module, procedure: &Procedure) -> Vec<(VarId, String)> {
    procedure
        .variables
        .iter()
        .filter_map(|(id, variable)| match variable.storage {
            Storage::Global(global) => Some((id, state::name(module, global)?)),
            _ => None,
        })
        .collect()
}

/// Names that are declared elsewhere and cannot be changed here.
fn fixed_names(module: &Module, procedure: &Procedure, foreign: bool) -> Vec<(VarId, String)> {
    let named = procedure.variables.iter().filter_map(|(id, variable)| {
        let named = &module.procedures[variable.named_procedure()?];
        Some((id, named.name.clone()))
    });
    let declared = procedure
        .variables
        .iter()
        .filter(|(_, variable)| {
            !foreign
                && matches!(
                    variable.storage,
                    Storage::Global(_)
                        | Storage::Constant {
                            global: Some(_),
                            ..
                        }
                )
        })
        .map(|(id, variable)| (id, variable.name.clone()));
    named.chain(declared).collect()
}

/// Names of functions that the text will call.
fn called_names(module: &Module, procedure: &Procedure) -> Vec<String> {
    let mut names = Vec::new();
    for id in procedure.all_statements() {
        let Stmt::Call {
            callee, arguments, ..
        } = procedure.stmt(id)
        else {
            continue;
        };
        match callee {
            Callee::Procedure(callee) => names.push(module.procedures[*callee].name.clone()),
            Callee::External(name) => names.push(name.clone()),
            Callee::Variable(_) => {}
        }
        for argument in arguments {
            if let Argument::Procedure(p) = argument {
                names.push(module.procedures[*p].name.clone());
            }
        }
    }
    for (_, node) in procedure.exprs.iter() {
        match &node.expr {
            Expr::Intrinsic(f, _) => names.extend(intrinsics::names(*f, node.ty)),
            Expr::Binary(BinaryOp::Power, ..) => {
                names.extend(["pow", "powf", "powl"].map(str::to_owned));
            }
            Expr::Binary(BinaryOp::Remainder, ..) => {
                names.extend(["fmod", "fmodf", "fmodl"].map(str::to_owned));
            }
            _ => {}
        }
    }
    names
}
