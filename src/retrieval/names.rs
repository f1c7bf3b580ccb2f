//! Serena's: an agent is given the names, and reads what it wants (formats: serena, "What is
//! injected").

use regex::{Regex, RegexSet};

use super::listing::{Ask, Judged, ListedScorer, Listing, listed, out};
use super::{Policy, Reason};
use crate::memory::Memory;

/// The policy.
pub static NAMES: Policy = listed("names", |memories| {
    Box::new(ListedScorer(memories, &NAMES, |memories, ask| {
        Box::new(Names::new(memories, ask))
    }))
});

fn whole(pattern: &str) -> String {
    format!("^(?:{pattern})$")
}

/// Regular expressions that match whole names. Invalid ones are dropped.
pub fn full_names<'p>(patterns: impl Iterator<Item = &'p str>) -> RegexSet {
    let patterns = patterns.map(whole);
    RegexSet::new(patterns.filter(|one| Regex::new(one).is_ok())).unwrap_or_default()
}

/// The names of a store, with those that the system's settings set apart.
struct Names<'a> {
    /// Stands before each name.
    prefix: &'a str,
    /// All that the loader sees.
    names: Vec<String>,
    /// Those that agents do not write.
    read_only: RegexSet,
    /// Those that agents do not read either.
    ignored: RegexSet,
    /// Patterns that this program cannot read.
    unread: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn new(memories: &[&Memory], ask: &'a Ask<'a>) -> Self {
        let prefix = ask.setting("prefix").unwrap_or_default();
        let lines = |name: &str| ask.setting(name).unwrap_or_default().lines();
        let is_unread = |pattern: &&str| Regex::new(&whole(pattern)).is_err();
        let seen = memories.iter().filter(|memory| memory.hidden.is_none());
        let names = seen.map(|memory| format!("{prefix}{}", memory.id.local));
        Self {
            prefix,
            names: names.collect(),
            read_only: full_names(lines("read-only")),
            ignored: full_names(lines("ignored")),
            unread: lines("read-only")
                .chain(lines("ignored"))
                .filter(is_unread)
                .collect(),
        }
    }
}

impl Listing for Names<'_> {
    fn judge(&self, memory: &Memory) -> Judged {
        let name = format!("{}{}", self.prefix, memory.id.local);
        let given = match self.prefix {
            "" => "the agent is given its name".to_owned(),
            _ => format!("the agent is given the name `{name}`"),
        };
        if self.ignored.is_match(&name) {
            let hint = format!("{given}; the system's settings ignore it: it cannot be read");
            return out(Reason::NotApplicable, hint);
        }
        let may = match self.read_only.is_match(&name) {
            true => "may read it, not write it",
            false => "may read it",
        };
        out(Reason::Reachable, format!("{given} and {may}"))
    }

    fn notes(&self) -> Vec<String> {
        let note = |one: &&str| {
            format!("not known: which names the pattern `{one}` of the settings matches")
        };
        self.unread.iter().map(note).collect()
    }

    fn prompt(&self, _selected: &[&Memory]) -> String {
        if self.names.is_empty() {
            return String::new();
        }
        let mut names: Vec<&String> = self.names.iter().collect();
        names.sort_unstable();
        // The names alone, as the program writes them: none of them can be written otherwise.
        let written = |names: &[&String]| {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            names.join(", ")
        };
        let is_kept = |name: &&String| self.read_only.is_match(name);
        let (kept, free): (Vec<&String>, Vec<&String>) = names.into_iter().partition(is_kept);
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
