//! File names and titles.

use std::ffi::OsStr;

use super::chars::quote;
use super::{Finding, Rule, Subject};
use crate::curate::Change;
use crate::curate::differences::without_number;
use crate::memory::link::folded as fold;
use crate::memory::{Memory, Role, Value};
use crate::systems::golemcore::kin;
use crate::text::mentions::last;

/// Reports a name that is not in kebab case.
pub(super) fn check_name(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let local = without_number(&subject.memory.id);
    let folder = local.rsplit_once('/').map(|(folder, _)| folder);
    let name = last(local);
    // The file is named once, by its first memory. Its name is an id and not a file's if the memory
    // has no title, or if the file has another name, as for one of many lines; that of a database
    // names the project, and is its system's.
    let memory = subject.memory;
    let stem = memory.path.file_stem().map(OsStr::to_string_lossy);
    let is_id = !memory.schema.can.kebab_names || stem.is_none_or(|stem| stem != name);
    if memory.document > 0 || is_id || is_kebab(name) {
        return;
    }
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    let finding = finding.says(format!("the name {} is not in kebab case", quote(name)));
    let Some(slug) = slug(name) else {
        return out.push(finding);
    };
    let to = folder.map_or_else(|| slug.clone(), |folder| format!("{folder}/{slug}"));
    let names = subject.named(&slug);
    let mut names = names.map(|(_, other)| without_number(&other.id));
    if names.any(|other| other.eq_ignore_ascii_case(&to) && other != local) {
        return out.push(finding.because(format!("{} is taken", quote(&slug))));
    }
    let change = Change::Rename {
        id: memory.id.clone(),
        to,
        mentions: false,
    };
    let fix = subject.fix(format!("rename to `{slug}`"), change);
    out.push(finding.fixed_by(Some(fix)));
}

fn is_kebab(name: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    name.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(is_letter))
}

/// The name in kebab case; none where letters would be lost.
fn slug(name: &str) -> Option<String> {
    let mut slug = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            // `PoolSize` is two words, `HTTP` and `OAuth2` are one.
            if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
                slug.push('-');
            }
            slug.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            return None;
        } else if c != '\'' && !slug.ends_with('-') {
            slug.push('-');
        }
        before = c;
    }
    let slug = slug.trim_matches('-').to_owned();
    (!slug.is_empty()).then_some(slug)
}

/// Reports titles that differ in case and white space at most.
pub(super) fn check_title(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let memory = subject.memory;
    let title = |name| Some((name, memory.field(name)?.as_str()?));
    let spec = memory.schema.role(Role::Title);
    let Some((field, title)) = spec.and_then(|spec| title(spec.name)) else {
        return;
    };
    let folded = fold(title);
    if folded.is_empty() || kin::has_made_title(memory, subject.body().1) {
        return;
    }
    let same = subject.called(title);
    // New knowledge for a title is appended to its file: that is no second memory to choose
    // between. The first of them all is the one that the others repeat.
    let mut before = same.take_while(|(index, _)| *index < subject.index);
    let is_another = |other: &Memory| match other.path == memory.path {
        true => kin::are_two_rows(memory, other),
        false => !kin::is_copy(memory, other),
    };
    let is_same = |other: &Memory| {
        let title = other.field(field).and_then(Value::as_str);
        title.is_some_and(|title| fold(title) == folded) && is_another(other)
    };
    let Some((first, other)) = before.find(|(_, other)| is_same(other)) else {
        return;
    };
    let place = subject.at_field(field, None);
    let id = quote(&other.id.to_string());
    let finding = subject.finding(rule.id, rule.severity, place);
    let finding = finding.because(format!("both are called {}", quote(title)));
    let finding = finding.says(format!("{id} has the same title"));
    out.push(finding.sure(0.95).beside([first]));
}
