//! Findings for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Report, counted, level};
use crate::curate::Resolution;
use crate::lint::chars::visible;
use crate::lint::{Finding, RULES};
use crate::memory::Severity;

/// Findings shown of a rule before the rest is only counted.
const SHOWN: usize = 3;
/// Pieces of evidence shown of such a finding: both quotes of a pair.
const PIECES: usize = 2;

/// Titles shown of memories of which the findings are one decision.
const TITLES: usize = 8;

/// The amount of detail that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A line for each rule, its surest findings, and a count of the rest.
    Overview,
    /// Every finding with all of its evidence.
    Full,
}

impl Report<'_> {
    /// Findings grouped by rule, errors first. Store text is made visible, never printed raw.
    pub fn text(&self, detail: Detail) -> String {
        let mut text = String::new();
        for (severity, rule) in self.groups() {
            let is_own = |one: &&Finding| one.rule == rule && one.severity == severity;
            let mut group: Vec<&Finding> = self.findings.iter().filter(is_own).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", heading(severity, rule, &group));
            let shown = match (detail, severity) {
                (Detail::Full, _) => group.len(),
                (Detail::Overview, Severity::Info) if group.len() > SHOWN => 1,
                (Detail::Overview, _) => SHOWN,
            };
            group.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
            for finding in group.iter().take(shown) {
                self.one(&mut text, finding, detail);
            }
            let rest = group.len().saturating_sub(shown);
            if rest > 0 {
                let _ = writeln!(text, "  … {rest} more: memkeep lint --rule {rule}");
            }
            text.push('\n');
        }
        for note in self.notes {
            let message = visible(&note.message);
            let _ = writeln!(text, "not checked by {}: {message}", note.rule);
        }
        let memories = match self.active() {
            1 => "1 memory".to_owned(),
            count => format!("{count} memories"),
        };
        let _ = write!(
            text,
            "{}, {}, {} in {memories}",
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
            counted(self.count(Severity::Info), "suggestion"),
        );
        let parts = [
            (self.unreported.old, "left out by the baseline"),
            (self.unreported.silenced, "silenced"),
        ];
        for (count, how) in parts.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(text, " · {count} {how}");
        }
        text.push('\n');
        if self.findings.iter().any(Finding::asks) {
            let is_answer = |word: &&str| *word != Resolution::AskAgain.word();
            let answers: Vec<&str> = Resolution::words().filter(is_answer).collect();
            let _ = writeln!(
                text,
                "two memories that are asked about are answered once: memkeep lint --answer A B {}",
                answers.join("|")
            );
        }
        if self.unreported.gone > 0 {
            let _ = writeln!(
                text,
                "the baseline names {} of memories that are gone: memkeep lint --write-baseline",
                counted(self.unreported.gone, "finding"),
            );
        }
        text
    }

    /// Severity and rule of the groups: severities in order, then the surest rule first, then as in the
    /// table of rules.
    fn groups(&self) -> Vec<(Severity, &'static str)> {
        let mut surest: BTreeMap<(Severity, &'static str), f64> = BTreeMap::new();
        for one in self.findings {
            let known = surest.entry((one.severity, one.rule)).or_default();
            *known = known.max(one.confidence);
        }
        let place = |rule: &str| RULES.iter().position(|known| known.id == rule);
        let mut groups: Vec<_> = surest.into_iter().collect();
        groups.sort_by(|((severity, rule), sure), ((other, second), less)| {
            let by_sureness = severity.cmp(other).then(less.total_cmp(sure));
            by_sureness.then_with(|| place(rule).cmp(&place(second)))
        });
        groups.into_iter().map(|(group, _)| group).collect()
    }

    fn one(&self, text: &mut String, finding: &Finding, detail: Detail) {
        let _ = writeln!(
            text,
            "  {}:{}:{} {}[{}] {}{}",
            visible(&self.path(finding.memory)),
            finding.line,
            finding.column,
            finding.severity.word(),
            finding.rule,
            visible(&self.titled(finding)),
            finding
                .sureness()
                .map_or_else(String::new, |sure| format!(" ({sure})")),
        );
        let pieces = match (detail, finding.is_list()) {
            (Detail::Full, _) => usize::MAX,
            (Detail::Overview, false) => PIECES,
            (Detail::Overview, true) => TITLES,
        };
        for evidence in 0..finding.evidence.len().min(pieces) {
            let _ = writeln!(text, "      {}", visible(&finding.shown(evidence)));
        }
        let related = finding.related.iter().take(pieces);
        for related in related.filter(|_| !finding.is_list()) {
            let _ = writeln!(text, "      see {}", visible(&self.id(*related)));
        }
        if finding.is_list() && finding.evidence.len() > pieces {
            let (rest, rule) = (finding.evidence.len() - pieces, finding.rule);
            let _ = writeln!(text, "      … {rest} more: memkeep lint --rule {rule}");
        }
        if let Some(fix) = &finding.fix {
            let _ = writeln!(text, "      fix: {}", visible(&fix.title));
        }
    }
}

/// The line above the findings of a rule: id, count, confidence and title.
fn heading(severity: Severity, rule: &str, group: &[&Finding]) -> String {
    let each = group.iter().flat_map(|finding| finding.each());
    let each = each.map(|finding| (finding.confidence * 100.0).round());
    let (least, most) = each.fold((100.0_f64, 0.0_f64), |(least, most), one| {
        (least.min(one), most.max(one))
    });
    let sure = match least {
        95.0.. => String::new(),
        _ if least >= most => format!(" · confidence {most:.0} %"),
        _ => format!(" · confidence {least:.0} to {most:.0} %"),
    };
    let title = crate::text::rule_pages::title(rule);
    let count = group.iter().map(|finding| finding.count()).sum();
    format!(
        "{rule} · {}{sure} · {title}",
        counted(count, level(severity, "suggestion"))
    )
}
