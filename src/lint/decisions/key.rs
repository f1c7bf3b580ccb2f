//! The keys by which decisions know findings and texts again.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::curate::{DecisionKey, Mark, Silenced};
use crate::lint::Finding;
use crate::lint::fingerprint::{fingerprint, short};
use crate::memory::Memory;
use crate::text::patterns::compact;

/// The keys of a finding; `all` are its memories with their texts. A question about several
/// memories has one key for each of the others, because it may be reported on any of them.
pub(super) fn keys(finding: &Silenced, all: &[(&Memory, String)]) -> Vec<DecisionKey> {
    let Silenced { rule, mark, .. } = finding;
    let Some(((memory, text), others)) = all.split_first() else {
        return Vec::new();
    };
    let id = memory.id.to_string();
    if others.is_empty() {
        let print = print_of((rule, mark, &finding.message), text);
        return vec![DecisionKey::new(rule, vec![id], print)];
    }
    // Two memories can contradict each other in several things.
    let statements = match mark {
        Mark::Statements(all) => sorted(all),
        Mark::Bytes(_) | Mark::Message => String::new(),
    };
    let own = fingerprint(rule, memory, text);
    let key = |(other, text): &(&Memory, String)| {
        let mut prints = [own.clone(), fingerprint(rule, other, text)];
        prints.sort_unstable();
        let print = digest(&format!("{rule}\n{}\n{statements}", prints.join("\n")));
        DecisionKey::new(rule, vec![id.clone(), other.id.to_string()], print)
    };
    others.iter().map(key).collect()
}

/// The fingerprint of a finding in one memory with this text.
pub(in crate::lint) fn print(finding: &Finding, text: &str) -> String {
    print_of((finding.rule, &finding.mark(), &finding.message), text)
}

fn print_of((rule, mark, message): (&str, &Mark, &str), text: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = match mark {
        Mark::Statements(all) => sorted(all),
        Mark::Bytes(bytes) => text.get(bytes.clone()).map(words).unwrap_or_default(),
        Mark::Message => String::new(),
    };
    let found = match found.is_empty() {
        true => without_numbers(message),
        false => found,
    };
    digest(&format!("{rule}\n\n{found}"))
}

fn sorted(statements: &[String]) -> String {
    let mut all: Vec<&str> = statements.iter().map(String::as_str).collect();
    all.sort_unstable();
    all.join("\n")
}

fn digest(text: &str) -> String {
    short(text, 24)
}

/// A sentence in which each number is `#`: counts and ages change from day to day.
pub(super) fn without_numbers(text: &str) -> String {
    static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| compact("[0-9]+(?:,[0-9]+)*"));
    let replaced = NUMBER.as_ref().map(|number| number.replace_all(text, "#"));
    replaced.map_or_else(String::new, Cow::into_owned)
}
