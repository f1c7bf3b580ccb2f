//! Settings that decide how much is injected: flags, and what `ralph.yml` says (R5), as far as each
//! dialect obeys it.

use super::{Dialect, date_of, kind_of, tags_of};
use crate::memory::{Memory, Timestamp};
use crate::retrieval::Limits;
use crate::systems::ralph::Type;

/// The budget in tokens where the requirements' configuration is not written (R5).
const SPEC_BUDGET: usize = 2000;
/// Where Ralph's file stands unless its store says otherwise.
const PLACE: &str = ".ralph/agent/memories.md";
const DAY: i64 = 86_400_000;

/// The settings that are in force.
pub(super) struct Settings {
    /// Which reading.
    pub dialect: Dialect,
    /// Tokens; none: no limit.
    pub budget: Option<usize>,
    /// Why nothing is injected, and what would change that.
    pub disabled: Option<String>,
    /// True if the skill goes with it.
    pub skill: bool,
    /// The store, as its path is shown.
    pub store: String,
    /// Only these types; all where there are none.
    types: Vec<Type>,
    /// Types that were asked for and that there are not.
    unknown: Vec<String>,
    /// Only memories with one of these tags, lower case; all where there are none.
    tags: Vec<String>,
    /// Only memories of this day or later.
    since: Option<String>,
    /// The day of the task.
    today: String,
    /// Notes about settings that do nothing.
    pub notes: Vec<String>,
}

impl Settings {
    /// The settings of a preview at a time.
    pub(super) fn new(limits: &Limits, now: Timestamp) -> Self {
        let dialect = Dialect::named(limits.dialect);
        let mut settings = Self {
            dialect,
            budget: None,
            disabled: None,
            skill: false,
            store: limits.options.get("store").unwrap_or(PLACE).to_owned(),
            types: Vec::new(),
            unknown: Vec::new(),
            tags: Vec::new(),
            since: None,
            today: now.date(),
            notes: Vec::new(),
        };
        // A whole store as context: the person's flags decide, and no configuration does.
        let prime = limits.options.get("prime").is_some();
        let own = if prime {
            None
        } else {
            settings.configured(limits)
        };
        settings.budget = limits.budget.or(own).filter(|budget| *budget > 0);
        settings.filter(limits, prime, now);
        settings
    }

    /// Reads the configuration of injection; gives the budget.
    fn configured(&mut self, limits: &Limits) -> Option<usize> {
        let get = |name: &str| limits.options.get(name);
        let is_written = get("memories").is_some();
        let spec = self.dialect == Dialect::Spec;
        // An error is reported once, with its position.
        let fault = get("fault");
        self.notes.extend(fault.map(str::to_owned));
        let enabled = match get("enabled") {
            Some(word) => word == "true",
            // Ralph takes a missing value for false if anything else of the section is written.
            None => spec || !is_written,
        };
        if !enabled {
            self.disabled = Some("`memories.enabled: true` in ralph.yml switches it on".to_owned());
            if get("enabled").is_none() && fault.is_none() {
                let note = "ralph.yml: `memories` without `enabled` is off for Ralph";
                self.notes.push(note.to_owned());
            }
        }
        let mode = get("inject").unwrap_or("auto");
        if enabled && matches!(mode, "manual" | "none") {
            self.disabled = Some(format!(
                "`memories.inject` in ralph.yml is {mode}: `auto` injects"
            ));
        }
        let skill = get("skill_injection");
        self.skill = enabled && (!spec || skill != Some("false"));
        if !spec && skill.is_some() {
            let note =
                "ralph.yml: `memories.skill_injection` is ignored: Ralph always adds the skill";
            self.notes.push(note.to_owned());
        }
        let budget = get("budget").and_then(|budget| budget.parse().ok());
        budget.or_else(|| spec.then_some(SPEC_BUDGET))
    }

    /// Reads the filters: those of the flags of `prime`, else by the configuration, which
    /// Ralph reads and never uses.
    fn filter(&mut self, limits: &Limits, prime: bool, now: Timestamp) {
        let obeyed = prime || self.dialect == Dialect::Spec;
        let names = if prime {
            ["types", "tags", "recent"]
        } else {
            ["filter.types", "filter.tags", "filter.recent"]
        };
        for name in names {
            let Some(text) = limits.options.get(name) else {
                continue;
            };
            let text = text.trim();
            // Ralph's `prime --tags ''` asks for the empty tag, which no memory has.
            let asks = prime && name == "tags" && self.dialect == Dialect::Ralph;
            if text.is_empty() && !asks || (name.ends_with("recent") && text == "0" && !prime) {
                continue;
            }
            if !obeyed {
                let note = format!("ralph.yml: `memories.{name}` is ignored: Ralph never uses it");
                self.notes.push(note);
                continue;
            }
            let all = text.split(',').map(str::trim);
            let words = all.clone().filter(|word| !word.is_empty());
            match name.rsplit('.').next() {
                Some("types") => {
                    for word in words {
                        match Type::named(word) {
                            Some(kind) => self.types.push(kind),
                            None => self.unknown.push(word.to_owned()),
                        }
                    }
                }
                Some("tags") if asks => self.tags = all.map(str::to_lowercase).collect(),
                Some("tags") => self.tags = words.map(str::to_lowercase).collect(),
                _ => self.recent(text, now),
            }
        }
        if !self.unknown.is_empty() {
            let unknown = self.unknown.join(", ");
            let note = format!(
                "no such type: {unknown}; there are {}",
                Type::WORDS.join(", ")
            );
            self.notes.push(note);
        }
    }

    fn recent(&mut self, text: &str, now: Timestamp) {
        match text.parse::<u32>() {
            Ok(days) => {
                let since = now.0.saturating_sub(i64::from(days).saturating_mul(DAY));
                self.since = Some(Timestamp(since).date());
            }
            Err(_) => self.notes.push(format!("`{text}` is no number of days")),
        }
    }

    /// Why what is in is in: there are no scores that say it. None where nothing is injected.
    pub(super) fn grounds(&self) -> Option<String> {
        if self.disabled.is_some() {
            return None;
        }
        let sections = Type::ALL.map(Type::section).join(", ");
        let mut filters = Vec::new();
        if !self.types.is_empty() {
            let words: Vec<&str> = self.types.iter().map(|kind| kind.word()).collect();
            filters.push(format!("of type {}", words.join(" or ")));
        }
        if !self.tags.is_empty() {
            filters.push(format!("with a tag of {}", self.tags.join(", ")));
        }
        if let Some(since) = &self.since {
            filters.push(format!("of {since} or later"));
        }
        let which = match filters.as_slice() {
            [] => "every entry that Ralph reads".to_owned(),
            filters => format!("of the entries those {}", filters.join(", ")),
        };
        let room = match (self.budget, self.dialect) {
            (None, _) => "there is no budget, so nothing is cut".to_owned(),
            (Some(budget), Dialect::Ralph) => {
                format!(
                    "what comes after {budget} tokens is cut off, in the middle of an entry too"
                )
            }
            (Some(budget), Dialect::Spec) => {
                format!("within {budget} tokens, each entry whole or not at all")
            }
        };
        Some(format!(
            "whatever the task is, {which} goes in by sections ({sections}), in the order of the file; {room}"
        ))
    }

    /// Filter that keeps a memory out, as a hint.
    pub(super) fn misses(&self, memory: &Memory) -> Option<String> {
        // Ralph ignores types that it does not know, and all of them where it knows none.
        let all_unknown = self.types.is_empty() && !self.unknown.is_empty();
        let types = !self.types.is_empty() || all_unknown && self.dialect == Dialect::Spec;
        if types && !self.types.contains(&kind_of(memory)) {
            let word = kind_of(memory).word();
            return Some(format!("the filter for types would have to name {word}"));
        }
        let wanted = |tag: &&str| self.tags.contains(&tag.to_lowercase());
        if !self.tags.is_empty() && !tags_of(memory).iter().any(wanted) {
            let tags = self.tags.join(", ");
            return Some(format!("it has none of the tags asked for: {tags}"));
        }
        let since = self.since.as_ref()?;
        // Days are compared as text, as Ralph does.
        let date = date_of(memory).unwrap_or_else(|| self.today.clone());
        (date < *since).then(|| format!("it is of {date}, and asked for is {since} or later"))
    }
}
