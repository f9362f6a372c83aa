//! The text form reads back as what was printed.

use contraflow_ir::generate::{Options, program};
use contraflow_ir::parse::parse;
use contraflow_ir::print::print;
use contraflow_ir::verify::verify;
use proptest::prelude::*;

/// Reads the text, and expects it to print as it stands.
fn check_round_trip(text: &str) {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&module), text);
}

#[test]
fn everything_that_the_ir_has_reads_back() {
    check_round_trip(
        r#"container heat module file(0) declare(12) insert(340) contains
container kernel unit file(1) declare(0) insert(10)
record "struct point" container(1) {
  field x: f64 spelling("double")
  field tail: f32[3 from 0, & from 1] allocatable
}
record "" union {
}
pointer record(0) spelling("struct point *")
common "block" 128
common "" 8
global speed: f64[4 from 1] module container(0) allocatable spelling("real(dp)")
global speed_b: f64 static shadow(0)
procedure f(x, n) -> f {
  is private
  is pure
  is prologue("use constants, only: \"dp\"")
  var x: f64 argument(0) value in
  var n: i32 argument(1) value optional read_only
  var f: f64 result
  f = x ** n + abs(x)
}
procedure `case`(p, q, w, u) {
  is adjoint(f)
  is file(1)
  is container(1)
  is host(f)
  is recursive
  is scalars_by_value
  var p: pointer(0) argument(0)
  var q: f32[* from 1] argument(1) inout may_alias spelling("real*4")
  var w: f64[: from 0, ? from 2] argument(2) out
  var u: f64[& from 1] argument(3) pointed
  var `loop`: i64
  var i: i32 temporary
  var flag: logical8
  var z: c32
  var name: character length(7)
  var keep: f64 saved initial(1.5e-3)
  var c: i32 common(0, 16)
  var o: f32[2 * c from 1] overlay(c, -4)
  var k: i32 constant(3, 1)
  var unknown_k: i32 constant(?)
  var g: f64 global(0)
  var g_b: f64 global(1) shadow(g)
  var tape: f64[& from 1] tape
  var callback: procedure argument(4)
  comment "all \"kinds\" of \\ statements\n"
  `loop` = i64(i) + 5:i64 - -3:i64
  z = complex(real_part(z), 1.0:f32 + 2.0:f32)
  keep = -(2.0) + -keep ** 2 - (keep - g) * (g / (keep * g))
  flag = (i < 3 and not (keep > g) or flag):logical8
  name = "it's" ++ name
  p.*.x = p.*[i + 1].tail[1, 2]
  p.*[0].tail[0, 1] = select(present(u), u[lower(u, 0)], 0.0)
  flag = associated(u, q[1..i]):logical8
  q[1] = q[i % 2 + 1] + f32(convert(p):address)
  fill q[1..i, .. by 2] = 1.0:f32
  copy u[..] = w[1, ..3]
  allocate u (i + 1 from 0, 3) zeroed
  free u
  point p = null
  point p = place w[1, 2] plus i
  point p = copy p
  point u = place q[1..i] bounds (-i)
  point u = copy u bounds (0 to i - 1)
  push tape, keep
  pop tape, g
  g = call f(keep, i)
  call external dgemm(&w, u[1], absent, quoted("*10", g), procedure f)
  call via callback(&w[.., 1])
  keep = required(g before 0) + required(keep after 2)
  g = opaque("hidden(g)", g, u[1]):f64
  opaque "write" "write(*,*) g" reads(g, u[i]) writes() terminates
  loop i = 1, 10, 2 @4 directive("omp do private(c)", private c, first_private g, reduction "+" keep, independent, collapse 2) {
    cycle @4
  }
  while true @5 {
    if flag {
      exit @5
    } else {
      return
    }
  }
  block @6 {
    switch i {
      case 1, 3..5, ..-1, 9.. {
        exit @6
      }
      case -7 {
      }
      default {
        call f(1.0, 2)
      }
    }
  }
  region directive("omp parallel") {
    i = extent(w, 1) << 2 & 7 | ~i ^ i
  }
}
"#,
    );
}

#[test]
fn errors_say_where_and_what() {
    let message = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        message("procedure p() {\n  x = 1\n}\n"),
        "line 2: no variable is called `x`"
    );
    assert_eq!(
        message("procedure p() {\n  call q()\n}\n"),
        "line 2: no procedure is called `q`"
    );
    assert_eq!(message("modul x"), "line 1: `modul` declares nothing");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn generated_programs_read_back(choices in prop::collection::vec(any::<u8>(), 0..500), jumps: bool) {
        let options = Options { jumps, ..Options::default() };
        let original = program(&choices, options).module;
        let text = print(&original);
        let read = parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(print(&read), text.clone());
        prop_assert_eq!(parse(&print(&read)).unwrap(), read);
        if !jumps {
            prop_assert!(verify(&original).is_ok());
        }
    }

    #[test]
    fn damaged_texts_are_refused_or_read(
        choices in prop::collection::vec(any::<u8>(), 0..200),
        at in 0.0f64..1.0,
        length in 0usize..12,
        inserted in "[a-z0-9.:@#\"`{}()\\[\\]=+* -]{0,4}",
    ) {
        let mut text = print(&program(&choices, Options { jumps: true, ..Options::default() }).module);
        let start = (at * text.len() as f64) as usize;
        let end = (start + length).min(text.len());
        text.replace_range(start..end, &inserted);
        if let Ok(module) = parse(&text) {
            // Whatever is wrong is found, not stumbled over.
            let _ = verify(&module);
            prop_assert!(!print(&module).is_empty() || module.procedures.is_empty());
        }
    }
}
