//! Findings for people and for programs: text grouped by rule, with store text made visible, the
//! contract's "lint" in JSON, SARIF for code scanning, and GitHub's workflow commands.

mod sarif;

use std::cell::RefCell;
use std::path::Path;

use itertools::Itertools as _;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::chars::visible;
use super::{Finding, Fix, Note, RULES, Unreported, is_floor, mask};
use crate::curate::Resolution;
pub(super) use crate::memory::plural as counted;
use crate::memory::{Memory, Severity, State};
use crate::retrieval::Snapshot;

/// The unified diff of a fix, made by the store; none if it cannot be made after all.
pub type Diffs<'a> = &'a mut dyn FnMut(&Fix) -> Option<String>;

/// The object that the contract calls "lint".
#[derive(Serialize)]
struct Lint<'r, I: Iterator<Item = Json>> {
    /// Made one by one as they are written: all of them would take more room than the memories.
    #[serde(serialize_with = "in_turn")]
    findings: RefCell<Option<I>>,
    summary: Json,
    notes: &'r [Note],
}

fn in_turn<I, S>(items: &RefCell<Option<I>>, to: S) -> Result<S::Ok, S::Error>
where
    I: Iterator<Item = Json>,
    S: Serializer,
{
    to.collect_seq(items.take().into_iter().flatten())
}

/// Findings, and what it takes to name what they are about.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The memories that the findings count.
    pub memories: &'a Snapshot,
    /// Paths are shown relative to it.
    pub root: &'a Path,
    /// The findings, in their order.
    pub findings: &'a [Finding],
    /// What rules could not check.
    pub notes: &'a [Note],
    /// Numbers of findings that are not among them.
    pub unreported: Unreported,
}

impl Report<'_> {
    fn memory(&self, index: usize) -> Option<&Memory> {
        self.memories.get(index).map(AsRef::as_ref)
    }

    fn id(&self, index: usize) -> String {
        let memory = self.memory(index);
        memory.map_or_else(String::new, |memory| memory.id.to_string())
    }

    /// The message of a finding behind the title of its memory.
    fn titled(&self, finding: &Finding) -> String {
        let memory = self.memory(finding.memory);
        // A file that cannot be read has its own name for a title, and a list has all of them.
        let is_named =
            |memory: &&Memory| !finding.is_list() && !memory.path.ends_with(&*memory.title);
        let title = memory
            .filter(is_named)
            .map(|memory| short(&mask(&memory.title)));
        match title.filter(|title| !title.is_empty()) {
            Some(title) => format!("{title}: {}", finding.message),
            None => finding.message.clone(),
        }
    }

    /// The memory's file below the root with `/`, else absolute.
    fn path(&self, index: usize) -> String {
        let Some(memory) = self.memory(index) else {
            return String::new();
        };
        match memory.path.strip_prefix(self.root) {
            Ok(below) => below.iter().map(|part| part.to_string_lossy()).join("/"),
            Err(_) => memory.path.to_string_lossy().into_owned(),
        }
    }

    /// A finding with its evidence, a line each; store text made visible.
    fn lines(&self, finding: &Finding) -> String {
        let evidence = (0..finding.evidence.len()).map(|piece| finding.shown(piece));
        let lines = [self.titled(finding)].into_iter().chain(evidence);
        lines.map(|line| visible(&line).into_owned()).join("\n")
    }

    fn count(&self, severity: Severity) -> usize {
        let found = self.findings.iter().filter(|one| one.severity == severity);
        found.map(Finding::count).sum()
    }

    fn active(&self) -> usize {
        let active = self.memories.iter();
        active.filter(|one| one.state == State::Active).count()
    }

    /// The object that the contract calls "lint".
    pub fn json<'r>(&'r self, fixes: Diffs<'r>) -> impl Serialize {
        let findings = self.findings.iter();
        let findings = findings.map(move |one| self.json_of(one, fixes));
        Lint {
            findings: RefCell::new(Some(findings)),
            summary: json!({
                "error": self.count(Severity::Error),
                "warning": self.count(Severity::Warning),
                "info": self.count(Severity::Info),
                "memories": self.active(),
                "baseline": self.unreported.old,
                "baseline_gone": self.unreported.gone,
            }),
            notes: self.notes,
        }
    }

    fn json_of(&self, finding: &Finding, fixes: Diffs<'_>) -> Json {
        let marks = finding.marks.iter().map(
            |(piece, bytes)| json!({ "evidence": piece, "start": bytes.start, "end": bytes.end }),
        );
        let fix = finding.fix.as_deref().and_then(|fix| {
            let diff = fixes(fix)?;
            Some(json!({ "title": fix.title, "diff": mask(&diff) }))
        });
        let related = finding.related.iter().map(|one| self.id(*one));
        let related = related.chain(finding.source.clone());
        json!({
            "rule": finding.rule,
            "severity": finding.severity.word(),
            "confidence": finding.confidence,
            "id": self.id(finding.memory),
            "path": self.path(finding.memory),
            "line": finding.line,
            "column": finding.column,
            "message": finding.message,
            "evidence": finding.evidence,
            "related": related.collect::<Vec<_>>(),
            "fix": fix,
            "marks": marks.collect::<Vec<_>>(),
        })
    }

    /// One workflow command for each finding.
    pub fn github(&self) -> String {
        let mut text = String::new();
        for finding in self.findings {
            let command = level(finding.severity, "notice");
            let mut message = self.lines(finding);
            let path = self.path(finding.memory);
            // A file of the user's is none that the reader of a pull request has.
            let place = if Path::new(&path).is_absolute() {
                message.insert_str(0, &format!("{}: ", visible(&self.id(finding.memory))));
                String::new()
            } else {
                let path = property(&visible(&path));
                format!("file={path},line={},col={},", finding.line, finding.column)
            };
            let (rule, message) = (property(finding.rule), data(&message));
            text += &format!("::{command} {place}title={rule}::{message}\n");
        }
        for note in self.notes {
            let (rule, message) = (property(note.rule), data(&visible(&note.message)));
            text += &format!("::notice title={rule}::not checked: {message}\n");
        }
        text
    }
}

/// The word for a severity, with another one for suggestions.
const fn level(severity: Severity, info: &'static str) -> &'static str {
    match severity {
        Severity::Info => info,
        other => other.word(),
    }
}

/// The escapes of a command's text.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The escapes of a command's properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

const TITLE: usize = 48;

/// A title of at most [`TITLE`] characters, without the full stop of a sentence.
fn short(title: &str) -> String {
    let title = title.trim_end_matches('.');
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", title.get(..end).unwrap_or(title).trim_end()),
        None => title.to_owned(),
    }
}

/// These names of this many.
pub(super) fn some_of(names: &[String], count: usize) -> String {
    match count - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Findings shown of a rule in an overview.
const SHOWN: usize = 3;
/// Pieces of evidence shown of such a finding: both quotes of a pair.
const PIECES: usize = 2;

/// Titles shown of memories of which the findings are one decision.
const TITLES: usize = 8;

/// Most lines of an overview.
const LINES: usize = 40;

type Group<'r> = ((Severity, &'static str), Vec<&'r Finding>);

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
    /// The totals, then findings grouped by rule, errors first; store text made visible.
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
            let mut names = names.map(|((_, rule), group)| format!("{rule} {}", count(group)));
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
            let answers = Resolution::words().filter(is_answer).join("|");
            text += &format!("answer a pair once: memkeep lint --answer A B {answers}\n");
        }
        if self.unreported.gone > 0 {
            let gone = counted(self.unreported.gone, "finding");
            let rewrite = "memkeep lint --write-baseline";
            text += &format!("the baseline names {gone} of memories that are gone: {rewrite}\n");
        }
        for note in self.notes {
            let message = visible(&note.message);
            text += &format!("not checked by {}: {message}\n", note.rule);
        }
        if !self.findings.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The findings by severity, what harms first, then the surest rule, then as in the table.
    fn groups(&self) -> Vec<Group<'_>> {
        let findings = self.findings.iter();
        let by_rule = findings.into_group_map_by(|one| (one.severity, one.rule));
        let mut groups = Vec::from_iter(by_rule);
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

    fn one(&self, finding: &Finding, detail: Detail) -> String {
        let (path, titled) = (self.path(finding.memory), self.titled(finding));
        let (path, titled) = (visible(&path), visible(&titled));
        let (line, column) = (finding.line, finding.column);
        let (severity, rule) = (finding.severity.word(), finding.rule);
        let sure = finding.sureness().map(|sure| format!(" ({sure})"));
        let sure = sure.unwrap_or_default();
        let mut text = format!("  {path}:{line}:{column} {severity}[{rule}] {titled}{sure}\n");
        let pieces = match (detail, finding.is_list()) {
            (Detail::Full, _) => usize::MAX,
            (Detail::Overview, false) => PIECES,
            (Detail::Overview, true) => TITLES,
        };
        for evidence in 0..finding.evidence.len().min(pieces) {
            text += &format!("      {}\n", visible(&finding.shown(evidence)));
        }
        let related = finding.related.iter().take(pieces);
        for related in related.filter(|_| !finding.is_list()) {
            text += &format!("      see {}\n", visible(&self.id(*related)));
        }
        if finding.is_list() && finding.evidence.len() > pieces {
            let rest = finding.evidence.len() - pieces;
            text += &format!("      … {rest} more: memkeep lint --rule {rule}\n");
        }
        if let Some(fix) = &finding.fix {
            text += &format!("      fix: {}\n", visible(&fix.title));
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

#[cfg(test)]
mod tests;
