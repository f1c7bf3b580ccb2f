//! Relations to memories that are not there.

use std::collections::HashSet;
use std::ops::Range;

use itertools::Itertools as _;

use super::chars::{quote, replaced};
use super::run_state::{name_of, words};
use super::select::{distance, similar};
use super::{Finding, Fix, Rule, Subject};
use crate::curate::change::set_item;
use crate::memory::edit::FieldEdit;
use crate::memory::format::LinkForm;
use crate::memory::link::{RULE, folded as fold, named_memories};
use crate::memory::{Memory, Role, Severity, State, Value};
use crate::text::mentions::{Form, PathMention, last};

/// The place at which a memory names a related one.
enum Source {
    Field(&'static str, usize),
    /// A link at these bytes of the body; true if it may name a note still to be written.
    Text(Range<usize>, LinkForm, bool),
}

pub(super) fn check(_: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let mut known: HashSet<String> = HashSet::new();
    for spec in subject.memory.schema.roles(Role::Relations) {
        let items = subject.memory.field(spec.name).into_iter();
        for (item, name) in items.flat_map(Value::items).enumerate() {
            let name = name.as_str().unwrap_or_default();
            if known.insert(bare(name).to_owned()) {
                out.extend(check_one(subject, &Source::Field(spec.name, item), name));
            }
        }
    }
    // The links of an index have rules of their own.
    if subject.memory.index_table().is_some() {
        return;
    }
    for (name, source) in links(subject) {
        let by_all = matches!(source, Source::Text(_, LinkForm::Mem, _));
        let key = if by_all { &name } else { bare(&name) };
        if known.insert(key.to_owned()) {
            out.extend(check_one(subject, &source, &name));
        }
    }
}

fn links(subject: &Subject<'_>) -> Vec<(String, Source)> {
    let (_, body) = subject.body();
    let mut all = Vec::new();
    for one in named_memories(body, subject.memory) {
        let name = body.get(one.name.clone()).unwrap_or_default().to_owned();
        let is_new = one.form == LinkForm::Wiki;
        all.push((name, Source::Text(one.name, one.form, is_new)));
    }
    for one in subject.paths() {
        let at = one.bytes.clone();
        let known = subject.linked_memory(one);
        let is_prose = || !subject.cues().outline().is_fenced(at.start);
        if known.is_some() || is_unwritten(subject, one) && is_prose() {
            let name = known.unwrap_or(&one.path).to_owned();
            all.push((name, Source::Text(at, LinkForm::Path, known.is_none())));
        }
    }
    all
}

/// True if a link leads to a file beside a memory that the repository never had.
fn is_unwritten(subject: &Subject<'_>, mention: &PathMention<'_>) -> bool {
    let is_near = mention.form == Form::Link && mention.is_bare() && mention.path.ends_with(".md");
    let history = subject.cx.project.history().ok().filter(|_| is_near);
    history.is_some_and(|history| {
        let is_inside = history.below_root(&subject.memory.path).is_some();
        is_inside && history.named(&mention.path).next().is_none()
    })
}

fn check_one(subject: &Subject<'_>, source: &Source, written: &str) -> Option<Finding> {
    let name = bare(written);
    // A link out of the store does not refer to one of its memories.
    if name.is_empty() || written.contains("://") || written.trim_start().starts_with("..") {
        return None;
    }
    // The folder is part of the name where the system looks a memory up by all of it.
    let by_all = matches!(source, Source::Text(_, LinkForm::Mem, _));
    let is_named = |other: &Memory| match other.state {
        State::Active if by_all => *other.id.local == *written,
        _ => name_of(other) == name,
    };
    let is_active = |(_, other): &(usize, &Memory)| other.state == State::Active;
    let named = subject.named(name).filter(|(_, other)| is_named(other));
    let named: Vec<(usize, &Memory)> = named.collect();
    let is_new = matches!(source, Source::Text(_, _, true));
    if named.iter().any(is_active) || is_new && subject.called(name).next().is_some() {
        return None;
    }
    let severity = Severity::of(!is_new || !named.is_empty());
    let place = match source {
        Source::Field(field, item) => subject.at_field(field, Some(*item)),
        Source::Text(at, ..) => subject.in_body(at),
    };
    let finding = subject.finding("broken-relation", severity, place);
    let mut finding = finding.sure(0.95);
    let shown = quote(if by_all { written } else { name });
    if let Some((archived, _)) = named.last() {
        let says = format!("the related memory {shown} is archived");
        return Some(finding.says(says).beside([*archived]));
    }
    let others = subject.like(name).chain(subject.called(name));
    let others = others.filter(|other| is_active(other) && other.0 != subject.index);
    let others: Vec<(usize, &Memory)> = others.collect();
    finding = finding.says(format!("the related memory {shown} is not in the store"));
    for near in similar(name, others.iter().map(|(_, other)| name_of(other)), 0.5) {
        finding = finding.because(format!("{} is there", quote(near)));
    }
    if let Some((index, right)) = meant(name, &others) {
        finding.related.push(index);
        finding = finding.fixed_by(fix(subject, source, written, (index, right)));
    }
    Some(finding)
}

/// A relation without link brackets, folder, extension and place inside the file.
pub(super) fn bare(written: &str) -> &str {
    let name = written.trim().trim_start_matches("[[");
    let name = name.trim_end_matches("]]");
    let name = last(name.trim_end_matches('/'));
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    let rule = || name.strip_suffix(RULE);
    name.strip_suffix(".md")
        .or_else(rule)
        .unwrap_or(name)
        .trim()
}

/// The one memory that a name was meant for: by its words, its type left out, its title, or a slip.
fn meant<'a>(name: &str, others: &[(usize, &'a Memory)]) -> Option<(usize, &'a str)> {
    let key = words(name);
    let slips = match name.chars().count() {
        0..=4 => 0,
        5..=9 => 1,
        _ => 2,
    };
    // A different number is a different thing, however near.
    let digits = |text: &str| text.replace(|c: char| !c.is_ascii_digit(), "");
    let tests: [&dyn Fn(&Memory) -> bool; 4] = [
        &|other| words(name_of(other)) == key,
        &|other| {
            let kind = other.role(Role::Type).and_then(Value::as_str);
            let rest = kind.and_then(|kind| name_of(other).strip_prefix(kind));
            rest.is_some_and(|rest| words(rest) == key)
        },
        &|other| fold(&other.title) == fold(name),
        &|other| {
            let other = name_of(other);
            distance(other, name, slips).is_some() && digits(other) == digits(name)
        },
    ];
    let find = |test: &dyn Fn(&Memory) -> bool| {
        let found = others.iter().filter(|(_, other)| test(other));
        let found = found.map(|(index, other)| (*index, name_of(other)));
        found.dedup().collect_vec()
    };
    let found = tests
        .into_iter()
        .map(find)
        .find(|found| !found.is_empty())?;
    found.into_iter().exactly_one().ok()
}

/// The fix that writes the right name, the way the wrong one was written.
fn fix(
    subject: &Subject<'_>,
    source: &Source,
    written: &str,
    (index, right): (usize, &str),
) -> Option<Fix> {
    let title = format!("name {} instead", quote(right));
    match source {
        Source::Field(field, item) => {
            let (field, index) = ((*field).to_owned(), *item);
            let items = subject.memory.field(&field)?.items();
            let mut items = items.filter_map(Value::as_str);
            if items.any(|other| bare(other) == bare(right)) {
                let title = format!("take it out: {} is named already", quote(right));
                return Some(subject.edit(title, vec![FieldEdit::RemoveItem { field, index }]));
            }
            let value = written.replacen(bare(written), last(right), 1);
            Some(subject.edit(title, vec![set_item(field, index, value)]))
        }
        Source::Text(at, form, _) => {
            let (_, body) = subject.body();
            let name = match form {
                LinkForm::Path | LinkForm::File | LinkForm::Name => format!("{}.md", last(right)),
                LinkForm::Mem => subject.cx.memories.get(index)?.id.local.to_string(),
                LinkForm::Wiki => last(right).to_owned(),
                LinkForm::At => format!("{}{RULE}", last(right)),
            };
            let new = FieldEdit::Body(replaced(body, [(at.clone(), name)]));
            Some(subject.edit(title, vec![new]))
        }
    }
}
