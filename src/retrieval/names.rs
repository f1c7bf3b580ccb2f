//! Serena's: an agent is given the names, and reads what it wants (formats: serena, "What is
//! injected").

use regex::{Regex, RegexSet};

use super::listing::{Ask, Judged, Listing};
use super::{Reason, Texts};
use crate::memory::Memory;

/// The policy.
pub(super) struct Names;

/// Globs that match whole names. Invalid ones are dropped; `None` if no glob is left.
pub fn full_names<'p>(patterns: impl Iterator<Item = &'p str>) -> Option<RegexSet> {
    let patterns = patterns.map(|pattern| format!("^(?:{pattern})$"));
    let patterns: Vec<String> = patterns.filter(|one| Regex::new(one).is_ok()).collect();
    (!patterns.is_empty())
        .then(|| RegexSet::new(patterns).ok())
        .flatten()
}

impl Listing for Names {
    const NAME: &'static str = "names";
    /// Names that agents do not write.
    type Facts = Option<RegexSet>;

    fn facts(_memories: &[&Memory], ask: &Ask<'_>, _texts: &dyn Texts) -> Option<RegexSet> {
        full_names(ask.setting("read-only").unwrap_or_default().lines())
    }

    fn judge(memory: &Memory, ask: &Ask<'_>, _facts: &Option<RegexSet>) -> Judged {
        let prefix = ask.setting("prefix").unwrap_or_default();
        let name = &memory.id.local;
        let hint = format!("the agent is given the name `{prefix}{name}` and may read it");
        Judged::hint(Reason::Reachable, hint)
    }

    fn prompt(
        memories: &[&Memory],
        _selected: &[&Memory],
        ask: &Ask<'_>,
        read_only: &Option<RegexSet>,
        _texts: &dyn Texts,
    ) -> String {
        let prefix = ask.setting("prefix").unwrap_or_default();
        let seen = memories.iter().filter(|memory| memory.hidden.is_none());
        let mut names: Vec<String> = seen
            .map(|memory| format!("{prefix}{}", memory.id.local))
            .collect();
        if names.is_empty() {
            return String::new();
        }
        names.sort_unstable();
        // The names alone, as the program writes them: none of them can be written otherwise.
        let written = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            names.join(", ")
        };
        let is_kept = |name: &String| read_only.as_ref().is_some_and(|all| all.is_match(name));
        let (kept, free): (Vec<String>, Vec<String>) = names.into_iter().partition(is_kept);
        let free = written(&free);
        match kept.is_empty() {
            true => format!("{{\"memories\": [{free}]}}"),
            false => format!(
                "{{\"memories\": [{free}], \"read_only_memories\": [{}]}}",
                written(&kept)
            ),
        }
    }
}
