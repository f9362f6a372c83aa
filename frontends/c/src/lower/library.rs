//! The functions of C's library that the IR knows, by name.

use contraflow_ir::{Intrinsic, Type};

/// What a function of `math.h`, `complex.h` or `stdlib.h` is in the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// An intrinsic on reals; arguments are converted to the result's type.
    Real(Intrinsic),
    /// An intrinsic on complex numbers.
    Complex(Intrinsic),
    /// A real made of a complex number.
    ComplexPart(Intrinsic),
    /// A power.
    Power,
    ComplexPower,
    /// The rest of a division.
    Remainder,
    /// A number times a power of two.
    Scale,
    /// Absolute value of an integer of so many bytes.
    IntegerAbs(u8),
    /// A real rounded to an integer of so many bytes.
    ToInteger(Intrinsic, u8),
    /// A truth value about a real.
    Test(Intrinsic),
    /// A named value: how it is written.
    Named(&'static str),
}

/// A function of the library, and the width of its real type.
pub(crate) fn library(name: &str) -> Option<(Library, u8)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    if let Some(found) = table(name) {
        return Some((found, 8));
    }
    let (stem, bytes) = match name.as_bytes().last()? {
        b'f' => (&name[..name.len() - 1], 4),
        b'l' => (&name[..name.len() - 1], 16),
        _ => return None,
    };
    let found = table(stem)?;
    let has_variants = !matches!(found, Library::IntegerAbs(_));
    has_variants.then_some((found, bytes))
}

/// The type of what a function of the library gives.
pub(crate) fn result_type(name: &str, bytes: u8) -> Option<Type> {
    Some(match library(name)?.0 {
        Library::Real(_)
        | Library::ComplexPart(_)
        | Library::Power
        | Library::Remainder
        | Library::Scale => Type::Real { bytes },
        Library::Complex(_) | Library::ComplexPower => Type::Complex { bytes },
        Library::IntegerAbs(bytes) | Library::ToInteger(_, bytes) => Type::Integer {
            bytes,
            signed: true,
        },
        Library::Test(_) => Type::INT,
        Library::Named(_) => Type::Real { bytes },
    })
}

fn table(name: &str) -> Option<Library> {
    use Intrinsic as I;
    Some(match name {
        "fabs" => Library::Real(I::Abs),
        "sqrt" => Library::Real(I::Sqrt),
        "cbrt" => Library::Real(I::Cbrt),
        "exp" => Library::Real(I::Exp),
        "exp2" => Library::Real(I::Exp2),
        "expm1" => Library::Real(I::Expm1),
        "log" => Library::Real(I::Log),
        "log10" => Library::Real(I::Log10),
        "log2" => Library::Real(I::Log2),
        "log1p" => Library::Real(I::Log1p),
        "sin" => Library::Real(I::Sin),
        "cos" => Library::Real(I::Cos),
        "tan" => Library::Real(I::Tan),
        "asin" => Library::Real(I::Asin),
        "acos" => Library::Real(I::Acos),
        "atan" => Library::Real(I::Atan),
        "atan2" => Library::Real(I::Atan2),
        "sinh" => Library::Real(I::Sinh),
        "cosh" => Library::Real(I::Cosh),
        "tanh" => Library::Real(I::Tanh),
        "asinh" => Library::Real(I::Asinh),
        "acosh" => Library::Real(I::Acosh),
        "atanh" => Library::Real(I::Atanh),
        "erf" => Library::Real(I::Erf),
        "erfc" => Library::Real(I::Erfc),
        "tgamma" => Library::Real(I::Gamma),
        "lgamma" => Library::Real(I::LogGamma),
        "j0" => Library::Real(I::BesselJ0),
        "j1" => Library::Real(I::BesselJ1),
        "y0" => Library::Real(I::BesselY0),
        "y1" => Library::Real(I::BesselY1),
        "hypot" => Library::Real(I::Hypot),
        "fmin" => Library::Real(I::Min),
        "fmax" => Library::Real(I::Max),
        "fdim" => Library::Real(I::PositiveDifference),
        "fma" => Library::Real(I::FusedMultiplyAdd),
        "copysign" => Library::Real(I::Sign),
        "floor" => Library::Real(I::Floor),
        "ceil" => Library::Real(I::Ceiling),
        "trunc" => Library::Real(I::Truncate),
        "round" => Library::Real(I::Round),
        "lround" => Library::ToInteger(I::NearestInteger, 8),
        "llround" => Library::ToInteger(I::NearestInteger, 8),
        "pow" => Library::Power,
        "fmod" => Library::Remainder,
        "ldexp" | "scalbn" | "scalbln" => Library::Scale,
        "abs" => Library::IntegerAbs(4),
        "labs" | "llabs" => Library::IntegerAbs(8),
        "isnan" => Library::Test(I::IsNan),
        "isfinite" | "finite" => Library::Test(I::IsFinite),
        "nan" => Library::Named("NAN"),
        "inf" => Library::Named("INFINITY"),
        "huge_val" => Library::Named("HUGE_VAL"),
        "creal" => Library::ComplexPart(I::RealPart),
        "cimag" => Library::ComplexPart(I::ImaginaryPart),
        "cabs" => Library::ComplexPart(I::Abs),
        "carg" => Library::ComplexPart(I::Phase),
        "conj" => Library::Complex(I::Conjugate),
        "csqrt" => Library::Complex(I::Sqrt),
        "cexp" => Library::Complex(I::Exp),
        "clog" => Library::Complex(I::Log),
        "csin" => Library::Complex(I::Sin),
        "ccos" => Library::Complex(I::Cos),
        "ctan" => Library::Complex(I::Tan),
        "csinh" => Library::Complex(I::Sinh),
        "ccosh" => Library::Complex(I::Cosh),
        "ctanh" => Library::Complex(I::Tanh),
        "cpow" => Library::ComplexPower,
        _ => return None,
    })
}

/// Whether a call of this name only gives a value (if the name is the library's).
pub(crate) fn is_pure_name(name: &str) -> bool {
    library(name).is_some() || name == "__builtin_expect"
}

/// A function of the library that gives a further result through its last pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parting {
    /// `frexp(x, &e)`: mantissa and exponent.
    Exponent,
    /// `modf(x, &whole)`: fraction and whole part.
    Whole,
    /// `sincos(x, &s, &c)`.
    SineAndCosine,
}

/// The function of this name that gives further results, and the width of its real type.
pub(crate) fn parting(name: &str) -> Option<(Parting, u8)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let stem = name.strip_suffix(['f', 'l']).filter(|stem| *stem != "mod");
    let bytes = match (stem, name.as_bytes().last()?) {
        (Some(_), b'f') => 4,
        (Some(_), _) => 16,
        (None, _) => 8,
    };
    Some(match stem.unwrap_or(name) {
        "frexp" => (Parting::Exponent, bytes),
        "modf" => (Parting::Whole, bytes),
        "sincos" => (Parting::SineAndCosine, bytes),
        _ => return None,
    })
}

/// Functions that print: passive, quoted, writing no memory of the program.
pub(crate) fn is_printing(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "puts"
            | "putchar"
            | "fputs"
            | "fputc"
            | "putc"
            | "perror"
            | "fflush"
            | "vprintf"
            | "vfprintf"
            | "fwrite"
            | "fclose"
            | "setbuf"
            | "setvbuf"
    )
}

/// What a function of `stdio.h` does to a file; what matters most stands first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum InputOutput {
    Read,
    Open,
    Position,
    Close,
    Ask,
    Write,
}

impl InputOutput {
    /// The kind of a quoted statement.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Open => "open",
            Self::Position => "rewind",
            Self::Close => "close",
            Self::Ask => "inquire",
            Self::Write => "write",
        }
    }
}

/// What a function of this name does to a file.
pub(crate) fn input_or_output(name: &str) -> Option<InputOutput> {
    Some(match name {
        "fscanf" | "scanf" | "vfscanf" | "vscanf" | "getchar" | "getc" | "fgetc" | "fgets"
        | "gets" | "fread" | "getline" | "getdelim" | "ungetc" | "__isoc99_fscanf"
        | "__isoc99_scanf" => InputOutput::Read,
        "fopen" | "freopen" | "fdopen" | "tmpfile" | "popen" | "fopen64" => InputOutput::Open,
        "rewind" | "fseek" | "fseeko" | "ftell" | "ftello" | "fsetpos" | "fgetpos" => {
            InputOutput::Position
        }
        "pclose" | "remove" | "rename" | "unlink" => InputOutput::Close,
        "feof" | "ferror" | "clearerr" | "fileno" | "isatty" => InputOutput::Ask,
        "fclose" => InputOutput::Close,
        name if is_printing(name) => InputOutput::Write,
        _ => return None,
    })
}

/// Functions that do not return.
pub(crate) fn is_terminating(name: &str) -> bool {
    matches!(
        name,
        "exit"
            | "abort"
            | "_Exit"
            | "quick_exit"
            | "__assert_fail"
            | "__builtin_unreachable"
            | "__builtin_trap"
            | "__builtin_abort"
    )
}

/// What is said of long jumps.
pub(crate) const LONG_JUMP: &str = "a long jump";

/// `setjmp`, `longjmp` and their kin.
pub(crate) fn is_long_jump(name: &str) -> bool {
    let name = name.trim_start_matches("__builtin").trim_start_matches('_');
    matches!(name, "setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_give_the_width() {
        assert_eq!(library("sqrtf"), Some((Library::Real(Intrinsic::Sqrt), 4)));
        assert_eq!(library("erf"), Some((Library::Real(Intrinsic::Erf), 8)));
        assert_eq!(library("fabsl"), Some((Library::Real(Intrinsic::Abs), 16)));
        assert_eq!(library("__builtin_nanf"), Some((Library::Named("NAN"), 4)));
        assert_eq!(library("absf"), None);
        assert_eq!(library("ffff"), None);
    }

    #[test]
    fn the_f_of_modf_is_no_suffix() {
        assert_eq!(parting("modf"), Some((Parting::Whole, 8)));
        assert_eq!(parting("modff"), Some((Parting::Whole, 4)));
        assert_eq!(parting("frexpl"), Some((Parting::Exponent, 16)));
        assert_eq!(parting("sincos"), Some((Parting::SineAndCosine, 8)));
        assert_eq!(parting("fmod"), None);
    }
}
