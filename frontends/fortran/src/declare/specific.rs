//! Functions of the language that may be passed as arguments: those of a specific name, one type.

use super::Program;
use contraflow_ir::{
    Access, Builder, FileId, Home, Intent, Intrinsic, Procedure, ProcedureKind, Storage, Type,
    Variable,
};

/// What a specific name means.
fn meaning(name: &str) -> Option<(Intrinsic, Type, usize)> {
    use Intrinsic::{
        Abs, Acos, Asin, Atan, Atan2, Cos, Cosh, Exp, Log, Log10, PositiveDifference, Sign, Sin,
        Sinh, Sqrt, Tan, Tanh,
    };
    const SINGLE: Type = Type::REAL4;
    const DOUBLE: Type = Type::REAL8;
    Some(match name {
        "abs" => (Abs, SINGLE, 1),
        "acos" => (Acos, SINGLE, 1),
        "asin" => (Asin, SINGLE, 1),
        "atan" => (Atan, SINGLE, 1),
        "atan2" => (Atan2, SINGLE, 2),
        "cos" => (Cos, SINGLE, 1),
        "cosh" => (Cosh, SINGLE, 1),
        "dim" => (PositiveDifference, SINGLE, 2),
        "exp" => (Exp, SINGLE, 1),
        "alog" => (Log, SINGLE, 1),
        "alog10" => (Log10, SINGLE, 1),
        "sign" => (Sign, SINGLE, 2),
        "sin" => (Sin, SINGLE, 1),
        "sinh" => (Sinh, SINGLE, 1),
        "sqrt" => (Sqrt, SINGLE, 1),
        "tan" => (Tan, SINGLE, 1),
        "tanh" => (Tanh, SINGLE, 1),
        "dabs" => (Abs, DOUBLE, 1),
        "dacos" => (Acos, DOUBLE, 1),
        "dasin" => (Asin, DOUBLE, 1),
        "datan" => (Atan, DOUBLE, 1),
        "datan2" => (Atan2, DOUBLE, 2),
        "dcos" => (Cos, DOUBLE, 1),
        "dcosh" => (Cosh, DOUBLE, 1),
        "ddim" => (PositiveDifference, DOUBLE, 2),
        "dexp" => (Exp, DOUBLE, 1),
        "dlog" => (Log, DOUBLE, 1),
        "dlog10" => (Log10, DOUBLE, 1),
        "dsign" => (Sign, DOUBLE, 2),
        "dsin" => (Sin, DOUBLE, 1),
        "dsinh" => (Sinh, DOUBLE, 1),
        "dsqrt" => (Sqrt, DOUBLE, 1),
        "dtan" => (Tan, DOUBLE, 1),
        "dtanh" => (Tanh, DOUBLE, 1),
        _ => return None,
    })
}

/// The function as a procedure without text, in the file that names it.
pub fn procedure(name: &str, file: FileId, program: &Program) -> Option<Procedure> {
    let (function, ty, count) = meaning(name)?;
    let ty = program.usual(ty);
    let mut procedure = Procedure::new(name);
    procedure.home = Home {
        file,
        ..Home::none()
    };
    procedure.is_pure = true;
    let mut operands = Vec::new();
    for (index, name) in ["x", "y"].into_iter().enumerate().take(count) {
        let mut formal = Variable::scalar(name, ty);
        formal.storage = Storage::Argument {
            index: index as u32,
        };
        formal.intent = Intent::In;
        let formal = procedure.variables.add(formal);
        procedure.arguments.push(formal);
        operands.push(Builder::new(&mut procedure).load(formal));
    }
    let mut result = Variable::scalar(name, ty);
    result.storage = Storage::Result;
    let result = procedure.variables.add(result);
    procedure.kind = ProcedureKind::Function { result };
    let mut b = Builder::new(&mut procedure);
    let value = b.call(function, operands);
    let assign = b.assign(Access::whole(result), value);
    procedure.body.push(assign);
    Some(procedure)
}
