//! Serena's: an agent is given the names, and reads what it wants (formats: serena, "What is
//! injected").

use regex::{Regex, RegexSet};

use super::listing::{Ask, Judged, Listing};
use super::{Reason, Texts};
use crate::memory::Memory;

/// The policy.
pub(super) struct Names;

fn whole(pattern: &str) -> String {
    format!("^(?:{pattern})$")
}

/// Regular expressions that match whole names. Invalid ones are dropped; `None` if none is left.
pub fn full_names<'p>(patterns: impl Iterator<Item = &'p str>) -> Option<RegexSet> {
    let patterns = patterns.map(whole);
    let patterns: Vec<String> = patterns.filter(|one| Regex::new(one).is_ok()).collect();
    (!patterns.is_empty())
        .then(|| RegexSet::new(patterns).ok())
        .flatten()
}

/// Names that the system's settings set apart.
pub(super) struct Apart {
    /// Those that agents do not write.
    read_only: Option<RegexSet>,
    /// Those that agents do not read either.
    ignored: Option<RegexSet>,
    /// Patterns that this program cannot read.
    unread: Vec<String>,
}

fn is_match(patterns: &Option<RegexSet>, name: &str) -> bool {
    patterns.as_ref().is_some_and(|all| all.is_match(name))
}

impl Listing for Names {
    const NAME: &'static str = "names";
    type Facts = Apart;

    fn facts(_memories: &[&Memory], ask: &Ask<'_>, _texts: &dyn Texts) -> Apart {
        let lines = |name: &str| ask.setting(name).unwrap_or_default().lines();
        let is_unread = |pattern: &&str| Regex::new(&whole(pattern)).is_err();
        let unread = lines("read-only").chain(lines("ignored")).filter(is_unread);
        Apart {
            read_only: full_names(lines("read-only")),
            ignored: full_names(lines("ignored")),
            unread: unread.map(ToOwned::to_owned).collect(),
        }
    }

    fn judge(memory: &Memory, ask: &Ask<'_>, apart: &Apart) -> Judged {
        let prefix = ask.setting("prefix").unwrap_or_default();
        let name = format!("{prefix}{}", memory.id.local);
        let given = format!("the agent is given the name `{name}`");
        if is_match(&apart.ignored, &name) {
            let hint = format!("{given}; the system's settings ignore it: it cannot be read");
            return Judged::hint(Reason::NotApplicable, hint);
        }
        let may = match is_match(&apart.read_only, &name) {
            true => "may read it, not write it",
            false => "may read it",
        };
        Judged::hint(Reason::Reachable, format!("{given} and {may}"))
    }

    fn notes(_ask: &Ask<'_>, apart: &Apart) -> Vec<String> {
        let unread = apart.unread.iter();
        unread
            .map(|one| {
                format!("not known: which names the pattern `{one}` of the settings matches")
            })
            .collect()
    }

    fn prompt(
        memories: &[&Memory],
        _selected: &[&Memory],
        ask: &Ask<'_>,
        apart: &Apart,
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
        let is_kept = |name: &String| is_match(&apart.read_only, name);
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
