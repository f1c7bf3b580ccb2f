//! Settings that decide how much is injected: flags, and what `ralph.yml` says (R5), as far as each
//! dialect obeys it.

use serde::Deserialize;

use super::{date_of, kind_of, tags_of};
use crate::memory::frontmatter;
use crate::memory::{Memory, Timestamp};
use crate::retrieval::Limits;
use crate::systems::ralph::Type;

/// The budget in tokens where the requirements' configuration is not written (R5).
const SPEC_BUDGET: usize = 2000;
/// Where Ralph's file stands unless its store says otherwise.
const PLACE: &str = ".ralph/agent/memories.md";
const DAY: i64 = 86_400_000;

/// The settings that are in force.
#[derive(Default)]
pub(super) struct Settings {
    /// True if the requirements decide, false if the real program.
    pub spec: bool,
    /// Tokens; none: no limit.
    pub budget: Option<usize>,
    /// Why nothing is injected, and what would change that.
    pub disabled: Option<String>,
    /// True if the skill goes with it.
    pub skill: bool,
    /// The store, as its path is shown.
    pub store: String,
    /// The day of the task.
    pub today: String,
    /// Notes about settings that do nothing.
    pub notes: Vec<String>,
    /// Only these types; all where there are none.
    types: Vec<Type>,
    /// Types that were asked for and that there are not.
    unknown: Vec<String>,
    /// Only memories with one of these tags, lower case; all where there are none.
    tags: Vec<String>,
    /// Only memories of this day or later.
    since: Option<String>,
}

impl Settings {
    /// The settings of a preview at a time.
    pub(super) fn new(limits: &Limits, now: Timestamp) -> Self {
        let mut settings = Self {
            spec: limits.dialect == "spec",
            store: limits.options.get("store").unwrap_or(PLACE).to_owned(),
            today: now.date(),
            ..Self::default()
        };
        // A whole store as context: the person's flags decide, and no configuration does.
        let prime = limits.options.get("prime").is_some();
        let own = (!prime).then(|| settings.configured(limits)).flatten();
        settings.budget = limits.budget.or(own).filter(|budget| *budget > 0);
        settings.filter(limits, prime, now);
        settings
    }

    fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Reads the configuration of injection; gives the budget.
    fn configured(&mut self, limits: &Limits) -> Option<usize> {
        let get = |name: &str| limits.options.get(name);
        // An error is reported once, with its position.
        let fault = get("fault");
        self.notes.extend(fault.map(str::to_owned));
        let enabled = match get("enabled") {
            Some(word) => word == "true",
            // Ralph takes a missing value for false if anything else of the section is written.
            None => self.spec || get("memories").is_none(),
        };
        let mode = get("inject").unwrap_or("auto");
        if !enabled {
            self.disabled = Some("`memories.enabled: true` in ralph.yml switches it on".to_owned());
            if get("enabled").is_none() && fault.is_none() {
                self.note("ralph.yml: `memories` without `enabled` is off for Ralph");
            }
        } else if matches!(mode, "manual" | "none") {
            let why = format!("`memories.inject` in ralph.yml is {mode}: `auto` injects");
            self.disabled = Some(why);
        }
        let skill = get("skill_injection");
        self.skill = enabled && (!self.spec || skill != Some("false"));
        if !self.spec && skill.is_some() {
            self.note(
                "ralph.yml: `memories.skill_injection` is ignored: Ralph always adds the skill",
            );
        }
        let budget = get("budget").and_then(|budget| budget.parse().ok());
        budget.or(self.spec.then_some(SPEC_BUDGET))
    }

    /// Reads the filters: those of the flags of `prime`, else by the configuration, which
    /// Ralph reads and never uses.
    fn filter(&mut self, limits: &Limits, prime: bool, now: Timestamp) {
        for filter in ["types", "tags", "recent"] {
            let prefix = if prime { "" } else { "filter." };
            let name = format!("{prefix}{filter}");
            let Some(text) = limits.options.get(&name).map(str::trim) else {
                continue;
            };
            // Ralph's `prime --tags ''` asks for the empty tag, which no memory has.
            let asks = prime && filter == "tags" && !self.spec;
            if text.is_empty() && !asks || filter == "recent" && text == "0" && !prime {
                continue;
            }
            if !prime && !self.spec {
                self.note(format!(
                    "ralph.yml: `memories.{name}` is ignored: Ralph never uses it"
                ));
                continue;
            }
            let words = text.split(',').map(str::trim);
            let words = words.filter(|word| asks || !word.is_empty());
            match filter {
                "types" => {
                    for word in words {
                        match Type::named(word) {
                            Some(kind) => self.types.push(kind),
                            None => self.unknown.push(word.to_owned()),
                        }
                    }
                }
                "tags" => self.tags = words.map(str::to_lowercase).collect(),
                _ => match text.parse::<u32>() {
                    Ok(days) => {
                        let since = now.0.saturating_sub(i64::from(days).saturating_mul(DAY));
                        self.since = Some(Timestamp(since).date());
                    }
                    Err(_) => self.note(format!("`{text}` is no number of days")),
                },
            }
        }
        if !self.unknown.is_empty() {
            let (unknown, words) = (self.unknown.join(", "), Type::WORDS.join(", "));
            self.note(format!("no such type: {unknown}; there are {words}"));
        }
    }

    /// Why what is in is in: there are no scores that say it. None where nothing is injected.
    pub(super) fn grounds(&self) -> Option<&'static str> {
        self.disabled.is_none().then_some(
            "whatever the task is, the entries that Ralph reads go in by section, in the order of \
             the file, as far as budget and filters go",
        )
    }

    /// Filter that keeps a memory out, as a hint.
    pub(super) fn misses(&self, memory: &Memory) -> Option<String> {
        // Ralph ignores types that it does not know, and all of them where it knows none.
        let by_type = !self.types.is_empty() || self.spec && !self.unknown.is_empty();
        if by_type && !self.types.contains(&kind_of(memory)) {
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

/// The settings of `memories:` in `ralph.yml` by name.
pub const SETTINGS: &str =
    "enabled inject budget skill_injection filter.types filter.tags filter.recent";

/// The file as Ralph wants it, each setting optional.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what is wrong with it")]
struct Config {
    memories: Option<Memories>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what is wrong with it")]
struct Memories {
    enabled: Option<bool>,
    inject: Option<Mode>,
    budget: Option<u64>,
    skill_injection: Option<bool>,
    filter: Option<Filter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Auto,
    Manual,
    None,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what is wrong with it")]
struct Filter {
    types: Option<Vec<String>>,
    tags: Option<Vec<String>>,
    recent: Option<u32>,
}

/// The first setting that is not what it has to be, and where: Ralph reads all of the file or
/// does not start.
pub fn fault(text: &str) -> Option<String> {
    let error = frontmatter::parse::<Config>(text).err()?;
    let (line, column) = (error.line, error.column);
    Some(format!(
        "ralph.yml:{line}:{column}: {error}: Ralph does not start with it"
    ))
}
