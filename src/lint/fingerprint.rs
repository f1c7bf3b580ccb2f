//! Fingerprints of memories and keys of findings, by which decisions hold until a text changes.

use std::borrow::Cow;
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;

use super::{subject, succession};
use crate::curate::{DecisionKey, Digest, Mark, Silenced};
use crate::memory::Memory;
use crate::text::patterns::compact;

/// The fingerprint of what a rule compares of a memory, 128 bits; blank lines do not count.
pub fn fingerprint(rule: &str, memory: &Memory, text: &str) -> String {
    let body = text.get(subject::body_range(memory, text));
    let mut compared = settled(body.unwrap_or_default());
    if rule == "superseded-active" {
        let fields = succession::fields(memory);
        compared.extend(fields.map(|(field, value)| format!("\n{field}: {value}")));
    }
    short(&compared, 32)
}

/// The fingerprint of a memory's body.
pub fn text_print(memory: &Memory, text: &str) -> String {
    fingerprint("", memory, text)
}

/// The fingerprint of a document of the project.
pub fn document_print(text: &str) -> String {
    short(&settled(text), 32)
}

fn short(text: &str, length: usize) -> String {
    let mut print = Digest::of(text.as_bytes()).0;
    print.truncate(length);
    print
}

/// A text for comparison with later versions: without empty lines and line ends.
fn settled(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    lines.filter(|line| !line.is_empty()).join("\n")
}

/// The key of a finding on memories with these texts; the same on either of two.
pub(super) fn key(finding: &Silenced, all: &[(&Memory, String)]) -> Option<DecisionKey> {
    let Silenced { rule, mark, .. } = finding;
    let ids = all.iter().map(|(memory, _)| memory.id.to_string());
    let statements = match mark {
        Mark::Statements(all) => all.iter().sorted_unstable().join("\n"),
        Mark::Bytes(_) | Mark::Message => String::new(),
    };
    let print = match all {
        [] => return None,
        [(_, text)] => {
            let words = |text: &str| text.split_whitespace().join(" ");
            let found = match mark {
                Mark::Bytes(bytes) => text.get(bytes.clone()).map(words).unwrap_or_default(),
                Mark::Statements(_) | Mark::Message => statements,
            };
            match found.is_empty() {
                true => format!("{rule}\n\n{}", without_numbers(&finding.message)),
                false => format!("{rule}\n\n{found}"),
            }
        }
        _ => {
            let prints = all.iter();
            let prints = prints.map(|(memory, text)| fingerprint(rule, memory, text));
            let prints = prints.sorted_unstable().join("\n");
            // Two memories can contradict each other in several things.
            format!("{rule}\n{prints}\n{statements}")
        }
    };
    Some(DecisionKey::new(rule, ids.collect(), short(&print, 24)))
}

/// A sentence in which each number is `#`: counts and ages change from day to day.
pub(super) fn without_numbers(text: &str) -> String {
    static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| compact("[0-9]+(?:,[0-9]+)*"));
    let replaced = NUMBER.as_ref().map(|number| number.replace_all(text, "#"));
    replaced.map_or_else(String::new, Cow::into_owned)
}
