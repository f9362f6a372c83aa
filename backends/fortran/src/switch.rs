//! Choices among several arms: `select case`, or a chain of conditions where labels overlap.

use contraflow_backend_common::{BREAK, cases};
use contraflow_ir::{Block, CaseArm, CaseLabel, ExprId};

use crate::emitter::Emitter;
use crate::expr::rank;

impl Emitter<'_> {
    /// Executes the first arm that fits.
    pub fn switch(&mut self, selector: ExprId, arms: &[CaseArm], default: &Block) {
        if cases::overlap(self.procedure, arms) {
            self.chain(selector, arms, default);
            return;
        }
        let selector = self.expr(selector).text;
        let line = format!("{} ({selector})", self.k("select case"));
        self.out.line(&line);
        for arm in arms {
            let labels: Vec<String> = arm.labels.iter().map(|l| self.case_label(l)).collect();
            let list = labels.join(&format!(",{BREAK} "));
            let line = format!("{} ({list})", self.k("case"));
            self.out.line(&line);
            self.nested(&arm.body);
        }
        if !default.is_empty() {
            let line = self.k("case default");
            self.out.line(&line);
            self.nested(default);
        }
        let line = self.k("end select");
        self.out.line(&line);
    }

    fn case_label(&mut self, label: &CaseLabel) -> String {
        match *label {
            CaseLabel::Value(value) => self.expr(value).text,
            CaseLabel::Range(lower, upper) => {
                let lower = lower.map_or(String::new(), |e| self.expr(e).text);
                let upper = upper.map_or(String::new(), |e| self.expr(e).text);
                format!("{lower}:{upper}")
            }
        }
    }

    /// The arms as conditions on a scalar that holds the selector.
    fn chain(&mut self, selector: ExprId, arms: &[CaseArm], default: &Block) {
        let ty = self.ty(selector);
        let value = self.value(selector, ty);
        let chosen = self.temporary("chosen", ty);
        self.out.line(&format!("{chosen} = {BREAK}{value}"));
        let mut word = "if";
        for arm in arms {
            let tests: Vec<String> = arm
                .labels
                .iter()
                .map(|label| self.label_test(&chosen, label))
                .collect();
            let or = self.k(".or.");
            let test = tests.join(&format!(" {BREAK}{or} "));
            let line = format!("{} ({test}) {}", self.k(word), self.k("then"));
            self.out.line(&line);
            self.nested(&arm.body);
            word = "else if";
        }
        if !default.is_empty() {
            let line = self.k("else");
            self.out.line(&line);
            self.nested(default);
        }
        let line = self.k("end if");
        self.out.line(&line);
    }

    fn label_test(&mut self, chosen: &str, label: &CaseLabel) -> String {
        match *label {
            CaseLabel::Value(value) => self.bound_test(chosen, "==", value),
            CaseLabel::Range(Some(lower), Some(upper)) => format!(
                "({} {} {})",
                self.bound_test(chosen, ">=", lower),
                self.k(".and."),
                self.bound_test(chosen, "<=", upper)
            ),
            CaseLabel::Range(Some(lower), None) => self.bound_test(chosen, ">=", lower),
            CaseLabel::Range(None, Some(upper)) => self.bound_test(chosen, "<=", upper),
            CaseLabel::Range(None, None) => self.truth(true),
        }
    }

    fn bound_test(&mut self, chosen: &str, comparison: &str, value: ExprId) -> String {
        let value = self.expr(value).at_least(rank::COMPARE + 1);
        format!("{chosen} {comparison} {value}")
    }
}
