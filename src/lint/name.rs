//! File names.

use std::ffi::OsStr;

use super::chars::quote;
use super::lookup::file_name;
use super::{Check, Finding, RuleInfo, Subject};
use crate::curate::Change;
use crate::memory::Severity;
use crate::text::mentions::last;

/// A name that is not in kebab case.
pub(super) static NAME_STYLE: Check = Check(RuleInfo("name-style", Severity::Info), check);

fn check(rule: RuleInfo, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let local = file_name(&subject.memory.id.local);
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
    let mut finding = subject
        .finding(rule.0, rule.1, subject.at(0))
        .says(format!("the name {} is not in kebab case", quote(name)));
    if let Some(slug) = slug(name) {
        let to = folder.map_or_else(|| slug.clone(), |folder| format!("{folder}/{slug}"));
        let names = subject.named(&slug);
        let mut names = names.map(|(_, other)| file_name(&other.id.local));
        let is_taken = names.any(|other| other.eq_ignore_ascii_case(&to) && other != local);
        let id = memory.id.clone();
        let fix = || {
            subject.fix(
                format!("rename to `{slug}`"),
                Change::Rename {
                    id,
                    to,
                    mentions: false,
                },
            )
        };
        finding = match is_taken {
            true => finding.because(format!("{} is taken", quote(&slug))),
            false => finding.fixed_by(Some(fix())),
        };
    }
    out.push(finding);
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
