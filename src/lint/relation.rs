//! Relations to memories that are not there.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

use super::chars::{quote, replaced};
use super::lookup::{fold, name_of, words};
use super::report::some_of;
use super::select::{distance, similar};
use super::{Check, Finding, Fix, RuleInfo, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::format::LinkForm::{self, At, File, Mem, Path, Wiki};
use crate::memory::link::{RULE, named_memories};
use crate::memory::{Memory, Role, Severity, State, Value};
use crate::text::mentions::{Form, Outline, PathMention, last};

/// Maximum number of names that a finding lists.
const SHOWN: usize = 6;

/// A file of the store: its name, the index of its first memory, that memory.
type Named<'a> = (&'a str, usize, &'a Memory);

/// A related memory that the store does not have.
pub(super) static BROKEN_RELATION: Check =
    Check(RuleInfo("broken-relation", Severity::Warning), check);

fn check(_rule: RuleInfo, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let mut known: HashSet<String> = HashSet::new();
    for spec in subject.memory.schema.roles(Role::Relations) {
        let Some(value) = subject.memory.field(spec.name) else {
            continue;
        };
        let names = value.items().filter_map(Value::as_str).map(bare).collect();
        let list = (spec.name, names);
        for (item, name) in value.items().enumerate() {
            let name = name.as_str().unwrap_or_default();
            if known.insert(bare(name).to_owned()) {
                out.extend(check_one(subject, &Source::Field(&list, item), name));
            }
        }
    }
    let (start, body) = subject.body();
    // The links of an index have rules of their own.
    if subject.memory.index_table().is_some() {
        return;
    }
    let links = named_memories(body, subject.memory).into_iter();
    let links = links.filter_map(|one| Some((body.get(one.name.clone())?, one.name, one.form)));
    let links = links.map(|(name, at, form)| (name, at, form, form == Wiki));
    let outline = LazyCell::new(|| Outline::new(body));
    let paths = subject.paths().iter().filter_map(|one| {
        let at = one.bytes.clone();
        let is_new = || is_unwritten(subject, one) && !outline.is_fenced(at.start);
        match subject.linked_memory(one) {
            Some(name) => Some((name, at, Path, false)),
            None => is_new().then(|| (&*one.path, at.clone(), Path, true)),
        }
    });
    // Links to notes that do not exist yet are one finding per memory.
    let (mut first, mut names) = (None, Vec::new());
    for (name, at, form, is_new) in links.chain(paths) {
        let key = if form == Mem { name } else { bare(name) };
        if known.insert(key.to_owned()) {
            let bytes = start + at.start..start + at.end;
            match check_one(subject, &Source::Text(bytes, form, is_new), name) {
                Some(finding) if finding.severity == Severity::Info && finding.fix.is_none() => {
                    names.push(quote(bare(name)));
                    first.get_or_insert(finding);
                }
                finding => out.extend(finding),
            }
        }
    }
    let many = |mut finding: Finding, shown| {
        finding.evidence.clear();
        let says = format!("{} links lead to no memory of the store", names.len());
        finding.says(says).because(some_of(shown, names.len()))
    };
    out.extend(
        first.map(|first| match names.get(..SHOWN.min(names.len())) {
            Some(shown @ [_, _, ..]) => many(first, shown),
            _ => first,
        }),
    );
}

/// True if a link leads to a file beside a memory that the repository never had, and has nowhere else.
fn is_unwritten(subject: &Subject<'_>, mention: &PathMention<'_>) -> bool {
    let is_near = mention.form == Form::Link && mention.is_bare() && mention.path.ends_with(".md");
    let history = subject.cx.project.history().ok().filter(|_| is_near);
    history.is_some_and(|history| {
        let is_inside = history.below_root(&subject.memory.path).is_some();
        is_inside && history.named(&mention.path).next().is_none()
    })
}

/// The place at which a memory names a related one.
enum Source<'l> {
    /// In a field, and which item of it.
    Field(&'l List<'l>, usize),
    /// In a link of a form, at these bytes of the text; true if it may name a note that is still to be
    /// written.
    Text(Range<usize>, LinkForm, bool),
}

/// A field of relations, and the plain names in it.
type List<'a> = (&'static str, HashSet<&'a str>);

fn check_one(subject: &Subject<'_>, source: &Source<'_>, written: &str) -> Option<Finding> {
    let name = bare(written);
    // A link out of the store does not refer to one of its memories.
    if name.is_empty() || written.contains("://") || written.trim_start().starts_with("..") {
        return None;
    }
    // The folder is part of the name where the system looks a memory up by all of it.
    let by_all = matches!(source, Source::Text(_, Mem, _));
    let is_named = |other: &Memory| match other.state {
        State::Active if by_all => *other.id.local == *written,
        _ => name_of(other) == name,
    };
    let named = subject.named(name).filter(|(_, other)| is_named(other));
    let named: Vec<(usize, &Memory)> = named.collect();
    let shown = if by_all { written } else { name };
    if named.iter().any(|(_, other)| other.state == State::Active) {
        return None;
    }
    let (at, mut severity) = match source {
        Source::Field(list, item) => (subject.at_field(list.0, Some(*item)), Severity::Warning),
        Source::Text(bytes, _, is_new) => (subject.at(bytes.start), Severity::of(!is_new)),
    };
    let is_new = matches!(source, Source::Text(_, _, true));
    if is_new && subject.called(name).next().is_some() {
        return None;
    }
    if !named.is_empty() {
        severity = Severity::Warning;
    }
    let mut finding = subject.finding("broken-relation", severity, at).sure(0.95);
    if let Source::Text(bytes, ..) = source {
        finding = finding.about(bytes.clone());
    }
    if let Some((archived, _)) = named.last() {
        let says = format!("the related memory {} is archived", quote(shown));
        return Some(finding.says(says).beside([*archived]));
    }
    let active: Vec<Named<'_>> = subject
        .like(name)
        .chain(subject.facts.all(subject.called(name)))
        .filter(|(index, other)| other.state == State::Active && *index != subject.index)
        .map(|(index, other)| (name_of(other), index, other))
        .collect();
    let says = format!("the related memory {} is not in the store", quote(shown));
    let mut finding = finding.says(says);
    let renamed = renamed(name, &active);
    let names = active.iter().map(|(other, ..)| *other);
    for near in similar(name, names, 0.5) {
        finding = finding.because(format!("{} is there", quote(near)));
    }
    if let [(right, index)] = renamed.as_slice() {
        finding.related.push(*index);
        let fix = match source {
            Source::Field(list, index) => {
                let (field, index) = (list.0.to_owned(), *index);
                Some(if list.1.contains(bare(right)) {
                    let title = format!("take it out: {} is named already", quote(right));
                    subject.edit(title, vec![FieldEdit::RemoveItem { field, index }])
                } else {
                    // Written the way the wrong name was.
                    let value = written.replacen(name, last(right), 1).into();
                    let edit = FieldEdit::SetItem {
                        field,
                        index,
                        value,
                    };
                    subject.edit(format!("name {} instead", quote(right)), vec![edit])
                })
            }
            Source::Text(bytes, form, _) => relink(subject, bytes, (right, *index), *form),
        };
        finding = finding.fixed_by(fix);
    }
    Some(finding)
}

/// A relation without link brackets, folder, extension and place inside the file.
pub(super) fn bare(written: &str) -> &str {
    let name = written.trim().trim_start_matches("[[");
    let name = name.trim_end_matches("]]");
    let name = last(name.trim_end_matches('/'));
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    let end = [".md", RULE]
        .into_iter()
        .find_map(|end| name.strip_suffix(end));
    end.unwrap_or(name).trim()
}

/// The memories that a name was most likely meant for: the same words in other order or another
/// style, a letter or two apart, or the title in place of the name.
fn renamed<'a>(name: &str, active: &[Named<'a>]) -> Vec<(&'a str, usize)> {
    let key = words(name);
    let slips = match name.chars().count() {
        0..=4 => 0,
        5..=9 => 1,
        _ => 2,
    };
    let tests: [&dyn Fn(&Named<'_>) -> bool; 3] = [
        &|(other, ..)| words(other) == key,
        &|(.., memory)| fold(&memory.title) == fold(name),
        &|(other, ..)| {
            // A different number is a different thing, however near.
            let digits = |text: &str| text.replace(|c: char| !c.is_ascii_digit(), "");
            distance(other, name, slips).is_some() && digits(other) == digits(name)
        },
    ];
    let find = |test: &dyn Fn(&Named<'_>) -> bool| {
        let found = active.iter().filter(|memory| test(memory));
        let mut found: Vec<_> = found.map(|(other, index, _)| (*other, *index)).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let mut found = tests.into_iter().map(find);
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Writes the right name into a link.
fn relink(
    subject: &Subject<'_>,
    bytes: &Range<usize>,
    (right, other): (&str, usize),
    form: LinkForm,
) -> Option<Fix> {
    let (start, body) = subject.body();
    let at = bytes.start.checked_sub(start)?..bytes.end.checked_sub(start)?;
    let local = &*subject.cx.memories.get(other)?.id.local;
    let name = match form {
        Path | File | LinkForm::Name => format!("{}.md", last(right)),
        Mem => local.to_owned(),
        Wiki => last(right).to_owned(),
        At => format!("{}{RULE}", last(right)),
    };
    let new = FieldEdit::Body(replaced(body, [(at, name)]));
    Some(subject.edit(format!("name {} instead", quote(right)), vec![new]))
}
