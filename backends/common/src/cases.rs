//! Labels of a `Switch`. In the IR the first fitting arm is taken; Fortran and C demand that no
//! value fits two.

use contraflow_ir::{CaseArm, CaseLabel, Expr, ExprId, Procedure, UnaryOp};

/// Whether some integer fits two labels. Labels that are not integer literals (names, characters,
/// truth values) come from a source in which they do not overlap.
pub fn overlap(procedure: &Procedure, arms: &[CaseArm]) -> bool {
    let mut ranges: Vec<(i128, i128)> = arms
        .iter()
        .flat_map(|arm| &arm.labels)
        .filter_map(|label| range(procedure, label))
        .filter(|(low, high)| low <= high)
        .collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[0].1 >= pair[1].0)
}

fn range(procedure: &Procedure, label: &CaseLabel) -> Option<(i128, i128)> {
    let end = |e: Option<ExprId>, open: i128| e.map_or(Some(open), |e| literal(procedure, e));
    match *label {
        CaseLabel::Value(value) => literal(procedure, value).map(|v| (v, v)),
        CaseLabel::Range(low, high) => Some((end(low, i128::MIN)?, end(high, i128::MAX)?)),
    }
}

fn literal(procedure: &Procedure, e: ExprId) -> Option<i128> {
    match *procedure.expr(e) {
        Expr::Integer(value) => Some(value),
        Expr::Unary(UnaryOp::Negate, inner) => literal(procedure, inner).map(|v| -v),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::overlap;
    use contraflow_ir::{Builder, CaseArm, CaseLabel, Procedure};

    #[test]
    fn a_value_inside_an_open_range_overlaps() {
        let mut procedure = Procedure::new("p");
        let mut b = Builder::new(&mut procedure);
        let (two, three, five) = (b.int(2), b.int(3), b.int(5));
        let arm = |label| CaseArm {
            labels: vec![label],
            body: Vec::new(),
        };
        let below_three = arm(CaseLabel::Range(None, Some(three)));
        let value = |e| arm(CaseLabel::Value(e));
        assert!(overlap(&procedure, &[value(two), below_three.clone()]));
        assert!(!overlap(&procedure, &[value(five), below_three]));
    }
}
