//! Linear forms and the feasibility test: typical dependence questions, and brute force.

use contraflow_ir::affine::{Linear, Symbol, System, linear_of};
use contraflow_ir::{BinaryOp, Builder, Expr, Procedure, Type, Variable};
use proptest::prelude::*;

/// `constant + Σ coefficient · symbol`, symbols numbered by position.
fn form(constant: i64, coefficients: &[i64]) -> Linear {
    coefficients
        .iter()
        .enumerate()
        .fold(Linear::constant(constant), |sum, (n, &c)| {
            sum.add_scaled(&Linear::symbol(Symbol::Opaque(n as u32)), c)
                .unwrap()
        })
}

fn system(equalities: &[Linear], inequalities: &[Linear]) -> System {
    let mut system = System::new();
    equalities.iter().for_each(|f| system.add_eq(f.clone()));
    inequalities.iter().for_each(|f| system.add_ge(f.clone()));
    system
}

#[test]
fn neighbouring_elements_differ_within_one_iteration() {
    // a(i) and a(i+1) with the same i
    assert!(system(&[form(-1, &[0])], &[]).is_infeasible());
    // in different iterations i < i' they meet: i' = i + 1
    let meet = form(1, &[1, -1]);
    let later = form(-1, &[-1, 1]);
    assert!(!system(std::slice::from_ref(&meet), std::slice::from_ref(&later)).is_infeasible());
    // but not the other way round: i' = i - 1
    assert!(system(&[form(-1, &[1, -1])], &[later]).is_infeasible());
}

#[test]
fn even_and_odd_elements_never_meet() {
    assert!(system(&[form(1, &[2, -2])], &[]).is_infeasible());
    assert!(system(&[form(1, &[4, -6])], &[]).is_infeasible());
    assert!(!system(&[form(1, &[4, -7])], &[]).is_infeasible());
}

#[test]
fn a_gap_without_an_integer_is_empty() {
    // 1 <= 3x <= 2
    assert!(system(&[], &[form(-1, &[3]), form(2, &[-3])]).is_infeasible());
    // 0 <= x - 2y <= 1 and 1 <= 2x - 4y ... <= 1 : x - 2y would be 1/2
    assert!(system(&[], &[form(-1, &[2, -4]), form(1, &[-2, 4])]).is_infeasible());
}

#[test]
fn cholesky_reads_finished_columns_only() {
    // do i; do j = 0, i-1; do k = 0, j-1: a(i,j) -= a(i,k) * a(j,k)
    // Does a(j,k) read in iteration (i,j,k) what a(i',j') writes at i' >= i? j = i', k = j'.
    let (i, j, k, i2, j2) = (0, 1, 2, 3, 4);
    let at = |pairs: &[(usize, i64)], constant: i64| {
        let mut coefficients = [0; 5];
        pairs.iter().for_each(|&(n, c)| coefficients[n] = c);
        form(constant, &coefficients)
    };
    let same = [at(&[(j, 1), (i2, -1)], 0), at(&[(k, 1), (j2, -1)], 0)];
    let bounds = [
        at(&[(j, 1)], 0),
        at(&[(i, 1), (j, -1)], -1),
        at(&[(k, 1)], 0),
        at(&[(j, 1), (k, -1)], -1),
        at(&[(j2, 1)], 0),
        at(&[(i2, 1), (j2, -1)], -1),
    ];
    let later = at(&[(i2, 1), (i, -1)], 0);
    let mut backward = system(&same, &bounds);
    assert!(!backward.is_infeasible());
    backward.add_ge(later);
    assert!(backward.is_infeasible());
}

#[test]
fn seidel_reads_new_values_above_and_old_ones_below() {
    // a(i,j) reads a(i-1,j+1) in the same time step: written at (i',j') = (i-1,j+1), before (i,j).
    // (i',j') after (i,j) lexicographically is impossible: i' > i, or i' = i and j' > j.
    let same = [form(1, &[-1, 0, 1, 0]), form(-1, &[0, -1, 0, 1])];
    let outer_later = form(-1, &[-1, 0, 1, 0]);
    assert!(system(&same, &[outer_later]).is_infeasible());
    let mut inner_later = system(&same, &[form(-1, &[0, -1, 0, 1])]);
    inner_later.add_eq(form(0, &[1, 0, -1, 0]));
    assert!(inner_later.is_infeasible());
    // a(i,j+1) is written later in the same row.
    let below = [form(0, &[1, 0, -1, 0]), form(-1, &[0, -1, 0, 1])];
    assert!(!system(&below, &[form(-1, &[0, -1, 0, 1])]).is_infeasible());
}

#[test]
fn an_unknown_size_keeps_blocks_apart() {
    // x(i) and x(n + j) with 1 <= i <= n, 1 <= j <= n; symbols i, n, j
    let same = form(0, &[1, -1, -1]);
    let bounds = [
        form(-1, &[1, 0, 0]),
        form(0, &[-1, 1, 0]),
        form(-1, &[0, 0, 1]),
        form(0, &[0, 1, -1]),
    ];
    assert!(system(&[same], &bounds).is_infeasible());
}

#[test]
fn huge_coefficients_prove_nothing() {
    let big = i64::MAX;
    let system = system(
        &[],
        &[
            form(big, &[big, -3, big - 1]),
            form(-big, &[1 - big, big - 4, 7]),
            form(-1, &[5 - big, 2 - big, big - 9]),
            form(3, &[big - 11, 8, 13 - big]),
        ],
    );
    // Only that it answers; the coefficients outgrow 128 bits on the way.
    let _ = system.is_infeasible();
}

#[test]
fn subscripts_become_linear_forms() {
    let mut procedure = Procedure::new("p");
    let mut b = Builder::new(&mut procedure);
    let i = b.variable(Variable::scalar("i", Type::INT));
    let (load, two, three) = (b.load(i), b.int(2), b.int(3));
    let double = b.exact_binary(BinaryOp::Multiply, two, load);
    let sum = b.exact_binary(BinaryOp::Subtract, double, three);
    let wide = b.convert(sum, Type::LONG);
    let square = b.exact_binary(BinaryOp::Multiply, load, load);
    let byte = b.expr(
        Expr::Convert(sum),
        Type::Integer {
            bytes: 1,
            signed: false,
        },
    );
    let symbol = Symbol::Variable(i, 0);
    let mut known = |_| Some(symbol);
    let expected = Linear::symbol(symbol).scale(2).unwrap().offset(-3).unwrap();
    assert_eq!(linear_of(&procedure, wide, &mut known), Some(expected));
    assert_eq!(linear_of(&procedure, square, &mut known), None);
    assert_eq!(linear_of(&procedure, byte, &mut known), None);
    assert_eq!(linear_of(&procedure, wide, &mut |_| None), None);
}

#[test]
fn substitution_replaces_one_symbol() {
    let x = Symbol::Opaque(0);
    let replaced = form(1, &[2, 1]).substitute(x, &form(5, &[0, 3])).unwrap();
    assert_eq!(replaced, form(11, &[0, 7]));
    assert_eq!(
        form(0, &[i64::MAX]).substitute(x, &Linear::constant(2)),
        None
    );
}

fn forms(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Linear>> {
    let one = (-6i64..7, prop::collection::vec(-3i64..4, 3)).prop_map(|(c, v)| form(c, &v));
    prop::collection::vec(one, count)
}

/// Whether some point of `[-5, 5]³` satisfies the conditions.
fn some_point(equalities: &[Linear], inequalities: &[Linear]) -> bool {
    let value = |f: &Linear, p: [i64; 3]| {
        (0..3).fold(f.constant, |sum, n| {
            sum + f.coefficient(Symbol::Opaque(n as u32)) * p[n]
        })
    };
    (0..11i64.pow(3)).any(|n| {
        let p = [n % 11 - 5, n / 11 % 11 - 5, n / 121 - 5];
        equalities.iter().all(|f| value(f, p) == 0) && inequalities.iter().all(|f| value(f, p) >= 0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_point_satisfies_what_is_proven_infeasible(
        equalities in forms(0..3),
        inequalities in forms(0..6),
    ) {
        if system(&equalities, &inequalities).is_infeasible() {
            prop_assert!(!some_point(&equalities, &inequalities));
        }
    }

    /// Two independent equalities leave one unknown, where rounding the bounds is exact.
    #[test]
    fn a_boxed_system_of_one_unknown_is_decided(
        a in (1i64..4, -3i64..4, -3i64..4, -6i64..7),
        b in (1i64..5, -3i64..4, -6i64..7),
        mut inequalities in forms(0..4),
    ) {
        let equalities = [form(a.3, &[a.0, a.1, a.2]), form(b.2, &[0, b.0, b.1])];
        for n in 0..3 {
            let unit = form(0, &[i64::from(n == 0), i64::from(n == 1), i64::from(n == 2)]);
            inequalities.push(unit.offset(5).unwrap());
            inequalities.push(unit.scale(-1).unwrap().offset(5).unwrap());
        }
        prop_assert_eq!(
            system(&equalities, &inequalities).is_infeasible(),
            !some_point(&equalities, &inequalities)
        );
    }
}
