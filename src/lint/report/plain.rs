//! Findings for people.

use std::fmt::Write as _;

use itertools::Itertools as _;

use super::{Report, counted, level};
use crate::curate::Resolution;
use crate::lint::chars::visible;
use crate::lint::{Finding, RULES, is_floor};
use crate::memory::Severity;

/// Findings shown of a rule in an overview.
const SHOWN: usize = 3;
/// Pieces of evidence shown of such a finding: both quotes of a pair.
const PIECES: usize = 2;

/// Titles shown of memories of which the findings are one decision.
const TITLES: usize = 8;

/// Most lines of an overview.
const LINES: usize = 40;

/// The findings of one severity and rule.
type Group<'r> = ((Severity, &'static str), Vec<&'r Finding>);

/// The number of findings that some stand for.
fn count(group: &[&Finding]) -> usize {
    group.iter().map(|finding| finding.count()).sum()
}

/// The amount of detail that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A line for each rule, and the surest findings of the worst ones: at most 40 lines.
    Overview,
    /// Every finding with all of its evidence.
    Full,
}

impl Report<'_> {
    /// The totals, then findings grouped by rule, errors first. Store text is made visible, never
    /// printed raw.
    pub fn text(&self, detail: Detail) -> String {
        let mut text = self.totals();
        let is_short = detail == Detail::Overview;
        let mut groups = self.groups();
        // A line for each rule, and the last line.
        let room = LINES.saturating_sub(text.lines().count() + 1);
        let is_folded = is_short && groups.len() > room / 2;
        let is_folded = |(key, _): &mut Group<'_>| is_folded && key.0 == Severity::Info;
        let folded: Vec<Group<'_>> = groups.extract_if(.., is_folded).collect();
        let room = room.saturating_sub(usize::from(!folded.is_empty()));
        let rules = groups.len().min(room);
        let mut room = room - rules;
        let mut hidden = 0;
        for (number, ((severity, rule), group)) in groups.into_iter().enumerate() {
            if is_short && number >= rules {
                hidden += count(&group);
                continue;
            }
            let mut shown = Vec::new();
            for finding in &group {
                let own = self.one(finding, detail);
                let lines = own.lines().count();
                if is_short && (shown.len() == SHOWN || lines >= room) {
                    break;
                }
                room = room.saturating_sub(lines);
                shown.push(own);
            }
            hidden += count(group.get(shown.len()..).unwrap_or_default());
            // A blank line parts findings from the next rule.
            if !shown.is_empty() {
                room = room.saturating_sub(1);
                shown.push("\n".to_owned());
            }
            text += &format!("{}\n{}", heading(severity, rule, &group), shown.concat());
        }
        if !folded.is_empty() {
            hidden += folded.iter().map(|(_, group)| count(group)).sum::<usize>();
            let names = folded.iter();
            let names = names.map(|((_, rule), group)| format!("{rule} {}", count(group)));
            let names: Vec<String> = names.collect();
            text += &format!("suggestions: {}\n", names.join(", "));
        }
        if hidden > 0 {
            let more = "memkeep lint --all, or --rule RULE for those of one rule";
            text += &format!("{hidden} more: {more}\n");
        }
        text
    }

    /// The number of findings, of those left out and of rules that could not look.
    fn totals(&self) -> String {
        let memories = match self.active() {
            1 => "1 memory".to_owned(),
            count => format!("{count} memories"),
        };
        let mut text = format!(
            "{}, {}, {} in {memories}",
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
            counted(self.count(Severity::Info), "suggestion"),
        );
        let old = self.unreported.old;
        if old > 0 {
            text += &format!(" · {old} left out by the baseline");
        }
        text.push('\n');
        if self.findings.iter().any(Finding::asks) {
            let is_answer = |word: &&str| *word != Resolution::AskAgain.word();
            let answers: Vec<&str> = Resolution::words().filter(is_answer).collect();
            let answers = answers.join("|");
            let _ = writeln!(
                text,
                "answer a pair once: memkeep lint --answer A B {answers}"
            );
        }
        if self.unreported.gone > 0 {
            let _ = writeln!(
                text,
                "the baseline names {} of memories that are gone: memkeep lint --write-baseline",
                counted(self.unreported.gone, "finding"),
            );
        }
        for note in self.notes {
            let message = visible(&note.message);
            let _ = writeln!(text, "not checked by {}: {message}", note.rule);
        }
        if !self.findings.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The findings by severity and rule, the surest first: severities in order, then what harms an
    /// agent or leaks first, then the surest rule first, then as in the table of rules.
    fn groups(&self) -> Vec<Group<'_>> {
        let by_rule = self
            .findings
            .iter()
            .map(|one| ((one.severity, one.rule), one));
        let mut groups = Vec::from_iter(by_rule.into_group_map());
        for (_, group) in &mut groups {
            group.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        }
        let place = |rule: &str| RULES.iter().position(|known| known.id == rule);
        let surest = |group: &[&Finding]| group.first().map_or(0.0, |one| one.confidence);
        groups.sort_by(|((severity, rule), one), ((other, second), two)| {
            let by_harm = severity
                .cmp(other)
                .then(is_floor(second).cmp(&is_floor(rule)));
            let by_sureness = by_harm.then(surest(two).total_cmp(&surest(one)));
            by_sureness.then_with(|| place(rule).cmp(&place(second)))
        });
        groups
    }

    /// A finding in lines.
    fn one(&self, finding: &Finding, detail: Detail) -> String {
        let mut text = String::new();
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
        text
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
    let count = counted(count(group), level(severity, "suggestion"));
    format!("{rule} · {count}{sure} · {title}")
}
