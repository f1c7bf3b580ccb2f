//! Problems that the loader met, and dates in the future.

mod date;
mod word;

use super::chars::visible;
use super::report::counted;
use super::{Finding, Fix, Rule, RuleInfo, Subject};
use crate::curate::Change;
use crate::memory::problem::LOW_FIELDS;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Problem, Role, Severity, Timestamp};

/// A rule that reports what the load met.
pub(super) struct Load {
    info: RuleInfo,
    /// The fix for a problem.
    fix: fn(&Subject<'_>, &Problem) -> Option<Fix>,
    /// The facts that the rule sees beside the load's problems.
    more: fn(&Subject<'_>, &mut Vec<Finding>),
}

/// Files that cannot be read.
pub(super) static LOAD_ERROR: Load = Load {
    fix: raise_fields,
    more: first_part,
    ..Load::plain("load-error", Severity::Error)
};

/// Dates.
pub(super) static BAD_DATE: Load = Load {
    info: RuleInfo("bad-date", Severity::Warning),
    fix: fix_date,
    more: future,
};

/// Required fields that are missing.
pub(super) static MISSING_FIELD: Load = Load::plain("missing-field", Severity::Error);

/// Files that a system expects in each of its stores and that are not there.
pub(super) static MISSING_FILE: Load = Load::plain("missing-file", Severity::Warning);

/// Ids that several entries of a file have.
pub(super) static DUPLICATE_ID: Load = Load::plain("duplicate-id", Severity::Warning);

/// Words that a field does not know.
pub(super) static UNKNOWN_VALUE: Load = Load {
    fix: fix_choice,
    ..Load::plain("unknown-value", Severity::Error)
};

impl Load {
    /// A rule that reports problems of the load without a fix.
    const fn plain(id: &'static str, severity: Severity) -> Self {
        Self {
            info: RuleInfo(id, severity),
            fix: |_, _| None,
            more: |_, _| {},
        }
    }
}

impl Rule for Load {
    fn info(&self) -> RuleInfo {
        self.info
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let met = subject.memory.problems.iter();
        for problem in met.filter(|problem| problem.rule == self.id()) {
            let (id, line) = (self.id(), problem.line);
            let finding = Finding::new(id, problem.severity, subject.index, line);
            let finding = finding.says(visible(&problem.message));
            out.push(Finding {
                column: problem.column,
                ..finding.fixed_by((self.fix)(subject, problem))
            });
        }
        (self.more)(subject, out);
    }
}

/// The field that a problem is about: one whose name it says.
fn field_of<'a>(
    subject: &Subject<'a>,
    problem: &Problem,
    kind: fn(&FieldSpec) -> bool,
) -> Option<(&'static FieldSpec, &'a str)> {
    let memory = subject.memory;
    let specs = memory.schema.fields.iter().filter(|spec| kind(spec));
    let mut texts = specs.filter_map(|spec| Some((spec, memory.field(spec.name)?.as_str()?)));
    let only = texts.clone().count() == 1;
    texts.find(|(spec, _)| only || problem.message.contains(spec.name))
}

/// Moves fields to where the loader reads them.
fn raise_fields(subject: &Subject<'_>, problem: &Problem) -> Option<Fix> {
    let change = Change::Normalize(subject.memory.id.clone());
    (*problem.message == *LOW_FIELDS).then(|| subject.fix("move the fields to line 1", change))
}

fn fix_choice(subject: &Subject<'_>, problem: &Problem) -> Option<Fix> {
    let is_choice = |spec: &FieldSpec| matches!(spec.kind, Kind::Choice(_));
    let (spec, text) = field_of(subject, problem, is_choice)?;
    let Kind::Choice(words) = spec.kind else {
        return None;
    };
    let word = word::nearest(text, words).filter(|word| *word != text)?;
    Some(subject.set(spec.name, word.into()))
}

fn fix_date(subject: &Subject<'_>, problem: &Problem) -> Option<Fix> {
    let (spec, text) = field_of(subject, problem, |spec| spec.kind == Kind::Date)?;
    let is_iso = |text: &str| Timestamp::parse_iso(text).is_some();
    let iso = date::recognise(text).filter(|iso| is_iso(iso) && !is_iso(text))?;
    Some(subject.set(spec.name, iso.into()))
}

/// Says that only the first part of a long memory was looked at.
fn first_part(subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if subject.is_cut() {
        let megabytes = |bytes: usize| format!("{:.1} MB", bytes as f64 / 1e6);
        let (part, whole) = (megabytes(subject.text.len()), megabytes(subject.whole));
        let finding = subject.finding(LOAD_ERROR.id(), Severity::Info, subject.at(0));
        let says = format!("lint looked only at the first {part} of its {whole}");
        out.push(finding.says(says));
    }
}

const HOUR: i64 = 3_600_000;

/// A time without an offset is taken for UTC: where the clock is furthest ahead, one that was
/// right when it was written is this much in the future.
const AHEAD: i64 = 14 * HOUR;

/// Dates that have not come yet earn the points of a new memory.
fn future(subject: &Subject<'_>, out: &mut Vec<Finding>) {
    for (role, at) in [
        (Role::Created, subject.memory.created),
        (Role::Updated, subject.memory.updated),
    ] {
        let (Some(spec), Some(at)) = (subject.memory.schema.role(role), at) else {
            continue;
        };
        let ahead = at.0.saturating_sub(subject.cx.now.0);
        // Asked for only where the clock decides.
        if ahead <= 0 || at.0 - subject.cx.now.0 <= AHEAD {
            continue;
        }
        let place = subject.at_field(spec.name, None);
        // The load may have reported it already.
        let is_known = |one: &Finding| one.rule == BAD_DATE.id() && one.line == place.line;
        if out.iter().any(is_known) {
            continue;
        }
        let (name, long) = (spec.name, long(ahead));
        let finding = subject.finding(BAD_DATE.id(), Severity::Warning, place);
        out.push(finding.says(format!(
            "`{name}` is {long} in the future and earns the points for recency until then"
        )));
    }
}

fn long(time: i64) -> String {
    let count = |n: i64| usize::try_from(n).unwrap_or_default();
    match count(time / HOUR) {
        hours @ 0..24 => counted(hours, "hour"),
        hours => counted(hours / 24, "day"),
    }
}

#[cfg(test)]
mod tests {
    use crate::text::rows;

    #[test]
    fn each_value_is_read_as_its_row_says() {
        for [text, iso] in &rows::<Vec<[String; 2]>>("values", "dates") {
            let found = super::date::recognise(text).unwrap_or_default();
            assert_eq!(found, *iso, "{text}");
        }
        for [text, word] in &rows::<Vec<[String; 2]>>("values", "words") {
            let found = super::word::nearest(text, &["low", "medium", "high", "critical"]);
            assert_eq!(found.unwrap_or_default(), word, "{text}");
        }
    }
}
