//! The keys by which decisions know findings and texts again.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::curate::{DecisionKey, Mark, Silenced};
use crate::lint::fingerprint::{fingerprint, short};
use crate::memory::Memory;
use crate::text::patterns::compact;

/// The key of a finding; `all` are its memories with their texts. A question about two memories has
/// the same key on either.
pub(super) fn key(finding: &Silenced, all: &[(&Memory, String)]) -> Option<DecisionKey> {
    let Silenced { rule, mark, .. } = finding;
    let ids = all.iter().map(|(memory, _)| memory.id.to_string());
    let statements = match mark {
        Mark::Statements(all) => {
            let mut all: Vec<&str> = all.iter().map(String::as_str).collect();
            all.sort_unstable();
            all.join("\n")
        }
        Mark::Bytes(_) | Mark::Message => String::new(),
    };
    let print = match all {
        [] => return None,
        [(_, text)] => {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
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
            let mut prints: Vec<String> = prints.collect();
            prints.sort_unstable();
            // Two memories can contradict each other in several things.
            format!("{rule}\n{}\n{statements}", prints.join("\n"))
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
