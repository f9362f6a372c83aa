//! No text makes the front end panic, and whatever it makes of a text satisfies the invariants.

mod common;

use common::{assert_valid, program_with};
use contraflow_ir::{Host, ProgramOutput};
use proptest::prelude::*;
use std::io;
use std::path::Path;

/// A preprocessor that changes nothing.
struct Identity;

impl Host for Identity {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }
    fn run(&self, _: &str, _: &[String], input: Option<&[u8]>) -> io::Result<ProgramOutput> {
        Ok(ProgramOutput {
            success: true,
            stdout: input.unwrap_or_default().to_vec(),
            stderr: String::new(),
        })
    }
}

const SEEDS: [&str; 8] = [
    "typedef double real; enum { A, B = 3 };\nstatic real g, t[2][3] = { { 1.0, 2 }, { [1] = 4.0 } };\n\
     real f(int n, const real *restrict x, real (*y)[3]) {\n  real s = 0.0, *p = &y[0][n];\n\
     for (int i = 0, j = n; i < n - 1; i++, j--) { s += x[i] * y[i][2] + (i ? p[i] : g); if (s > 1e3) break; }\n\
     return s * t[1][A] + B;\n}\n",
    "void *malloc(unsigned long); void free(void *); double exp(double);\n\
     double g(unsigned long n, double x) {\n  double *a = malloc(n * sizeof(double)), r = 0;\n\
     unsigned long i; int k = 3;\n  for (i = 0; i < n; i++) a[i] = exp(x) * i;\n  while (k--) r += *a++;\n\
     do { r *= 0.5; } while (r > 1.0 && k);\n  free(a); return r;\n}\n",
    "struct p { double x, v[3]; struct { int k; }; union { int a; float b; } u; struct p *next; };\n\
     int h(struct p *p, struct p q) {\n  struct p l = { .v = { 1, 2 } }, *o = p->next;\n  switch (p->k) {\n\
     case 1: l.x++; case 2 ... 4: q = l; break;\n  default: if (q.k) goto out; p->v[1] += o->x; }\n\
     again: p++; if (p->x < 1.0) goto again;\nout:\n  return (l.k = 3, !q.k) ? -1 : ~2 << 1;\n}\n",
    "#pragma omp parallel for private(i) reduction(+:s)\nint main(a, b) int a; char **b; { static int c = 1;\n\
     double m[a][a + 1], (*r)[a] = 0; float _Complex z = 1.0iF; const char *t = \"x\\\"y\" \"z\";\n\
     for (;;) { a -= m[0][a] == 'c'; if (a < 0) return c++; else continue; } }\n",
    "double (*table[2])(double); double k(double (*f)(double), double x) { return f(x) + (*f)(x) + table[1](x); }\n\
     int v(int n, ...) { return ({ int b = n; b > 0 ? b : -b; }) + sizeof(int[3]) + (int){ 2 }; }\n",
    "static n = 3; sum(a, b) int a; { return a ?: b; }\n\
     double e(double x) { __label__ l; __auto_type y = x; typeof(y) z<:2:> = <% y, 1'000.5 %>; double _Complex c = x;\n\
     __real__ c += 1.0Q; l: y = _Generic(x, int: 1, double: z[1], default: 2) + __imag__ c + _Alignof(int);\n\
     return ({ y > 0 ? y : -y; }) + __builtin_types_compatible_p(int, long) + __builtin_choose_expr(1, 2, x); }\n",
    "struct __attribute__((packed)) s { char c; double $d, é[2]; } s = { .é[1] = 2 };\n\
     typedef int v4 __attribute__((vector_size(16))); _Bool b = 1; [[nodiscard]] static inline int t(void);\n\
     double u(struct s *s, const int *p) { __asm__ volatile (\"\" : \"+r\"(s)); \n\
     return s ? s->$d + __builtin_offsetof(struct s, é[1]) + sizeof *s + sizeof(typeof(*p)) : 0; }\n",
    "int x[] = { 1, 2, 3 }, y = 0x1fUL; extern int z;\nvoid w(void) { double u, *p = &u, **q = &p; *p = 1.; **q += .5e-3f; p = 0; }\n",
];

/// What happens to a text: at a place, some bytes go and some come.
#[derive(Clone, Debug)]
struct Edit {
    at: prop::sample::Index,
    remove: usize,
    insert: String,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let tokens = prop::sample::select(vec![
        "",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "*",
        "&",
        "-",
        "++",
        "=",
        "+=",
        "?",
        ":",
        "0",
        "1.5",
        "n",
        "x",
        "p",
        "int ",
        "double ",
        "struct p ",
        "return ",
        "goto out;",
        "case 1:",
        "break;",
        "if (x) ",
        "while (n) ",
        "for (;;) ",
        "sizeof ",
        "(void *)",
        "->x",
        ".v",
        "\"",
        "'",
        "\n",
        "#",
        "/*",
        "__attribute__((",
        "\u{e9}",
        "$",
        "<:",
        "__real__ ",
        "__imag__ ",
        "typeof(x) ",
        "_Generic(",
        "__auto_type ",
        "__alignof__ ",
        "__builtin_types_compatible_p(",
        "__label__ ",
        "static ",
    ]);
    let edit =
        (any::<prop::sample::Index>(), 0usize..12, tokens).prop_map(|(at, remove, insert)| Edit {
            at,
            remove,
            insert: insert.to_owned(),
        });
    prop::collection::vec(edit, 0..6)
}

fn edited(seed: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = seed.chars().collect();
    for edit in edits {
        if text.is_empty() {
            break;
        }
        let at = edit.at.index(text.len());
        let end = (at + edit.remove).min(text.len());
        text.splice(at..end, edit.insert.chars());
    }
    text.into_iter().collect()
}

fn survives(text: &str) {
    let program = program_with(&[("a.c", text)], &Identity);
    for diagnostic in &program.diagnostics {
        assert_ne!(diagnostic.code, "internal", "no panic");
        for label in &diagnostic.labels {
            let length = program.sources.file(label.span.file).bytes.len();
            assert!(label.span.start <= label.span.end && label.span.end as usize <= length);
        }
    }
    assert_valid(&program);
}

#[test]
fn the_seeds_are_translated_whole() {
    for seed in SEEDS {
        let program = program_with(&[("a.c", seed)], &Identity);
        let unparsed = program
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code == "unparsed");
        assert_eq!(unparsed.count(), 0, "{:?}", program.diagnostics);
        survives(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_programs_are_answered(which in 0..SEEDS.len(), edits in edits()) {
        survives(&edited(SEEDS[which], &edits));
    }

    #[test]
    fn any_text_is_answered(text in "[ -~\n]{0,200}") {
        survives(&text);
    }
}
