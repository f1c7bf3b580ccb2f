//! Findings for people.

use std::fmt::Write as _;

use super::{Report, counted};
use crate::lint::answers::Resolution;
use crate::lint::chars::visible;
use crate::lint::{Finding, RULES};
use crate::memory::Severity;

impl Report<'_> {
    /// Findings grouped by rule, the worst first; nothing of a memory reaches the terminal raw.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (severity, rule) in self.groups() {
            let group: Vec<&Finding> = self
                .findings
                .iter()
                .filter(|finding| finding.rule == rule && finding.severity == severity)
                .collect();
            let title = crate::lint::rule(rule).map_or("", |rule| rule.title());
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{rule}: {title}");
            for finding in group {
                self.one(&mut text, finding);
            }
            text.push('\n');
        }
        for note in self.notes {
            let message = visible(&note.message);
            let _ = writeln!(text, "not checked by {}: {message}", note.rule);
        }
        let summary = self.summary();
        let _ = write!(
            text,
            "{}, {}, {} in {}",
            counted(summary.error, "error"),
            counted(summary.warning, "warning"),
            counted(summary.info, "suggestion"),
            match summary.memories {
                1 => "1 memory".into(),
                count => format!("{count} memories"),
            },
        );
        let parts = [
            (summary.baseline, "left out by the baseline"),
            (summary.silenced, "silenced"),
        ];
        for (count, how) in parts.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(text, " · {count} {how}");
        }
        text.push('\n');
        if self.findings.iter().any(Finding::asks) {
            let answers: Vec<&str> = Resolution::ALL
                .into_iter()
                .filter(|one| *one != Resolution::AskAgain)
                .map(Resolution::word)
                .collect();
            let _ = writeln!(
                text,
                "two memories that are asked about are answered once: memkeep lint --answer A B {}",
                answers.join("|")
            );
        }
        if summary.baseline_gone > 0 {
            let _ = writeln!(
                text,
                "the baseline names {} of memories that are gone: memkeep lint --write-baseline",
                counted(summary.baseline_gone, "finding"),
            );
        }
        text
    }

    /// Severity and rule of the groups: severities in order, rules as in the table.
    fn groups(&self) -> Vec<(Severity, &'static str)> {
        let place = |rule: &str| RULES.iter().position(|known| known.id() == rule);
        let mut groups: Vec<_> = self
            .findings
            .iter()
            .map(|finding| (finding.severity, finding.rule))
            .collect();
        groups.sort_by_key(|(severity, rule)| (*severity, place(rule), *rule));
        groups.dedup();
        groups
    }

    fn one(&self, text: &mut String, finding: &Finding) {
        let path = self.path(finding.memory);
        let _ = writeln!(
            text,
            "  {}:{}:{} {}[{}] {}{}",
            visible(&path),
            finding.line,
            finding.column,
            finding.severity.word(),
            finding.rule,
            visible(&finding.message),
            match finding.sureness() {
                Some(sure) => format!(" ({sure})"),
                None => String::new(),
            },
        );
        for evidence in 0..finding.evidence.len() {
            let _ = writeln!(text, "      {}", visible(&finding.shown(evidence)));
        }
        for related in &finding.related {
            let _ = writeln!(text, "      see {}", visible(&self.id(*related)));
        }
        if let Some(fix) = &finding.fix {
            let _ = writeln!(text, "      fix: {}", visible(&fix.title));
        }
    }
}
