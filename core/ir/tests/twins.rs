//! Twins in two languages share one text.

use contraflow_ir::parse::parse;
use contraflow_ir::print::twin_text;
use expect_test::expect;

fn twin(text: &str) -> String {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let (_, procedure) = module.procedures.iter().next().unwrap();
    twin_text(procedure)
}

const FORTRAN: &str = "
procedure heat(n, nt, u, r) {
  var n: i32 argument(0) in
  var nt: i32 argument(1) in
  var u: f64[n from 1, n from 0] argument(2) inout
  var r: f64 argument(3)
  var i: i32
  var t: i32
  var w: f64[n from 1]
  loop t = 1, nt {
    loop i = 2, n - 1 {
      w[i] = r * (u[i - 1, 0] + u[i + 1, t - 1]) * 2.0e0
    }
    loop i = n, 1, -2 {
      if i <= n - 1 and i != t {
        u[i, n - 1] = f64(i - 1) + w[n + 1 - i]
      }
    }
  }
}";

const C: &str = "
procedure heat(rows, steps, field, rate) {
  var rows: i32 argument(0) value
  var steps: i32 argument(1) value
  var field: f64[rows from 0, ? from 0] argument(2) may_alias
  var rate: f64 argument(3) value
  var work: f64[rows from 0]
  var j: i64
  var step: i32
  loop step = 0, steps - 1 {
    loop j = 1:i64, i64(rows) - 2:i64, 1:i64 {
      work[j] = rate * (field[j - 1:i64, 0] + field[j + 1:i64, step]) * f64(2)
    }
    loop j = i64(rows) - 1:i64, 0:i64, -2:i64 {
      if j < i64(rows) - 1:i64 && i64(step) != j {
        field[j, rows - 1] = f64(j) + work[i64(rows) - 1:i64 - j]
      }
    }
  }
}";

#[test]
fn a_fortran_and_a_c_twin_have_one_text() {
    assert_eq!(twin(FORTRAN), twin(C));
    expect![[r#"
        procedure {
          argument v0: int
          argument v1: int
          argument v2: f64[:, :]
          argument v3: f64
          local v4: f64[v0]
          loop L0 = 0, v1 - 1 {
            loop L1 = 0, v0 - 3 {
              v4[L1 + 1] = ((v3 * (v2[L1, 0] + v2[L1 + 2, L0])) * 2.0:f64)
            }
            loop L2 = 0, (v0 - 1) / 2 {
              if ((2*L2 - 1 >= 0) and (- L0 - 2*L2 + v0 - 1 != 0)) {
                v2[- 2*L2 + v0 - 1, v0 - 1] = (f64(- 2*L2 + v0 - 1) + v4[2*L2])
              }
            }
          }
        }
    "#]]
    .assert_eq(&twin(C));
}

#[test]
fn another_kernel_has_another_text() {
    for (from, to) in [
        ("2, n - 1", "2, n - 2"),
        ("u[i - 1, 0]", "u[i, 0]"),
        ("i <= n - 1", "i <= n"),
        ("f64(i - 1)", "f64(i)"),
        ("2.0e0", "2.5e0"),
        ("u[i, n - 1] =", "u[i, n - 2] ="),
    ] {
        assert_ne!(twin(&FORTRAN.replace(from, to)), twin(C), "{from}");
    }
}
