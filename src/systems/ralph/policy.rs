//! The policy of Ralph: every entry is injected, by section, as far as the budget goes
//! (specs: ralph-memories R4.5, R5; formats: ralph, "prime / budget" and "Config and injection").
//!
//! The task decides nothing. The dialect `ralph` is the code of Ralph 2.10, its cut in the middle of
//! a text included; `spec` obeys every setting and injects each entry whole or not at all.

use std::sync::Arc;

use serde::Deserialize;

use crate::memory::{Memory, Role, Timestamp, Value, frontmatter, plural, tokens_of};
use crate::retrieval::{
    Asked, Limits, Note, Policy, Preview, Reason, STORE, Scorer, Snapshot, Texts, Verdict,
    memory_at, unseen,
};
use crate::systems::ralph::Type;

/// The text that teaches an agent to use memories (R6).
pub const SKILL: &str = include_str!("../../../assets/skill/ralph.md");

/// The policy.
pub static RALPH: Policy = Policy {
    dialects: &["ralph", "spec"],
    flags: &["budget"],
    goes_by_task: |_| false,
    gives_whole: true,
    notes: |limits| Settings::new(limits, Timestamp::default()).notes,
    skill: Some(SKILL),
    ..Policy::new("ralph", |memories| Box::new(RalphScorer(memories)))
};

struct RalphScorer(Snapshot);

impl Scorer for RalphScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let (task, limits, texts) = (asked.task, asked.limits, asked.texts);
        let settings = &Settings::new(limits, task.now);
        let run = Run {
            memories: &self.0,
            what_if: asked.what_if,
            settings,
        };
        if let Some(wanted) = asked.wanted {
            return Arc::new(run.verdicts(wanted));
        }
        let pack = pack(settings, run.order(), texts);
        let over = pack.over.iter().filter_map(|(index, end)| {
            // Ralph may cut the last line end off.
            let needed = tokens_of(end - usize::from(!settings.spec));
            let budget = settings.budget.unwrap_or_default();
            let hint = format!("a budget of {needed} tokens brings it in; it is {budget}");
            let why = (Reason::OverBudget, hint);
            Some(Verdict::left_out(*index, run.memory(*index)?, why))
        });
        let mut rejected: Vec<Verdict> = over.take(limits.rejected).collect();
        let room = limits.rejected - rejected.len();
        let others = (0..self.0.len()).filter_map(|index| run.refusal(index));
        rejected.extend(others.take(room));
        let selected = pack.selected.iter().zip(1..);
        let selected = selected.filter_map(|((index, bytes, _), rank)| {
            Some(Verdict {
                rank: Some(rank),
                tokens: tokens_of(*bytes),
                ..Verdict::of(*index, run.memory(*index)?, Reason::Selected)
            })
        });
        let selected: Vec<Verdict> = selected.collect();
        let skill = || SKILL.replace(STORE, &settings.store);
        let skill = settings.skill.then(skill);
        let skill_note = skill.as_deref().map(|skill| {
            format!(
                "the skill that teaches the agent goes with it: {} more (`memkeep skill` prints it)",
                plural(tokens_of(skill.len()), "token")
            )
        });
        let grounds = settings.grounds().map(str::to_owned);
        let notes = settings.notes.iter().cloned().chain(grounds);
        Arc::new(Preview {
            policy: "ralph",
            dialect: if settings.spec { "spec" } else { "ralph" },
            rejected_total: self.0.len().saturating_sub(selected.len()),
            selected,
            rejected,
            prompt: pack.prompt,
            skill,
            budget: settings.budget,
            notes: notes.chain(skill_note).map(Note::from).collect(),
            ..Preview::default()
        })
    }
}

struct Run<'a> {
    memories: &'a [Arc<Memory>],
    what_if: Option<(usize, &'a Memory)>,
    settings: &'a Settings,
}

impl<'a> Run<'a> {
    fn memory(&self, index: usize) -> Option<&'a Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    fn order(&self) -> Vec<(usize, &'a Memory)> {
        let is_in = |(index, _): &(usize, &Memory)| self.refusal(*index).is_none();
        let all = (0..self.memories.len()).filter_map(|index| Some((index, self.memory(index)?)));
        let mut all: Vec<(usize, &Memory)> = all.filter(is_in).collect();
        all.sort_by_key(|(_, memory)| kind_of(memory));
        all
    }

    /// The verdicts alone, whatever the budget is: no text is read for them.
    fn verdicts(&self, wanted: &[usize]) -> Preview {
        let selected = self.order().into_iter().zip(1..);
        let selected = selected.map(|((index, memory), rank)| Verdict {
            rank: Some(rank),
            ..Verdict::of(index, memory, Reason::Selected)
        });
        let rejected = wanted.iter().filter_map(|index| self.refusal(*index));
        Preview {
            selected: selected.collect(),
            rejected: rejected.collect(),
            ..Preview::default()
        }
    }

    fn refusal(&self, index: usize) -> Option<Verdict> {
        let memory = self.memory(index)?;
        let why = match (unseen(memory), &self.settings.disabled) {
            (Some((Reason::Invisible, why)), _) => {
                (Reason::Invisible, format!("Ralph does not see it: {why}"))
            }
            (Some(archived), _) => archived,
            (None, Some(why)) => (Reason::Disabled, why.clone()),
            (None, None) => (Reason::NoMatch, self.settings.misses(memory)?),
        };
        Some(Verdict::left_out(index, memory, why))
    }
}

/// The type of a memory; one of another system counts as a pattern.
fn kind_of(memory: &Memory) -> Type {
    let word = memory.role(Role::Type).and_then(Value::as_str);
    word.and_then(Type::named).unwrap_or_default()
}

fn tags_of(memory: &Memory) -> Vec<&str> {
    let seen = memory.seen.as_ref().and_then(|seen| seen.get("tags"));
    match seen {
        Some(value) => value.items().filter_map(Value::as_str).collect(),
        None => memory.tags().collect(),
    }
}

/// Its date as Ralph reads it; none where Ralph takes the day it reads.
fn date_of(memory: &Memory) -> Option<String> {
    let seen = memory.seen.as_ref().and_then(|seen| seen.get("created"));
    let own = || memory.role(Role::Created);
    let text = seen.or_else(own).and_then(Value::as_str)?;
    // Another system's date has a time, which Ralph does not know.
    match memory.created {
        Some(at) if text.chars().count() > 10 => Some(at.date()),
        _ => Some(text.to_owned()),
    }
}

#[derive(Default)]
struct Pack {
    prompt: String,
    /// The memories whose blocks are whole in it, with the bytes of each and where it ends.
    selected: Vec<(usize, usize, usize)>,
    /// Those that found no room, with where they would end.
    over: Vec<(usize, usize)>,
}

/// Packs memories in their order. The requirements take each whole or not at all; Ralph puts one
/// behind the other and cuts the text in the end.
fn pack<'a>(
    settings: &Settings,
    memories: impl IntoIterator<Item = (usize, &'a Memory)>,
    texts: &dyn Texts,
) -> Pack {
    let budget = settings.budget.unwrap_or(usize::MAX);
    let room = budget.saturating_mul(4);
    let (mut pack, mut section) = (Pack::default(), None);
    for (index, memory) in memories {
        let kind = kind_of(memory);
        let is_first = pack.prompt.is_empty();
        let title = if is_first { "# Memories\n" } else { "" };
        let header = match section == Some(kind) {
            true => title.to_owned(),
            false => format!("{title}\n## {}\n", kind.section()),
        };
        let block = block(memory, texts, &settings.today);
        let end = pack.prompt.len() + header.len() + block.len();
        if settings.spec && end > room {
            pack.over.push((index, end));
            continue;
        }
        pack.prompt.push_str(&header);
        pack.prompt.push_str(&block);
        pack.selected.push((index, block.len(), end));
        section = Some(kind);
    }
    if pack.prompt.len() > room {
        let kept = cut(&pack.prompt, room);
        // The line end behind a block may be cut off without loss.
        let is_whole = |(.., end): &(usize, usize, usize)| *end <= kept + 1;
        let whole = pack.selected.partition_point(is_whole);
        let lost = pack.selected.split_off(whole).into_iter();
        pack.over = lost.map(|(index, _, end)| (index, end)).collect();
        pack.prompt.truncate(kept);
        let note = format!("\n\n<!-- truncated: budget {budget} tokens exceeded -->");
        pack.prompt.push_str(&note);
    }
    pack
}

fn block(memory: &Memory, texts: &dyn Texts, today: &str) -> String {
    let content = texts.loader_body(memory).unwrap_or_default();
    let id = memory.id.local.split('#').next().unwrap_or_default();
    let date = date_of(memory).unwrap_or_else(|| today.to_owned());
    let tags = tags_of(memory).join(", ");
    let content = content.replace('\n', "\n> ");
    format!("\n### {id}\n> {content}\n<!-- tags: {tags} | created: {date} -->\n")
}

/// Where Ralph cuts a text that is longer than `room` bytes: behind the last `-->`, whatever it
/// ends, and the line end there, where both are within.
fn cut(text: &str, room: usize) -> usize {
    let mut end = room.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    let Some(last) = head.rfind("-->") else {
        return end;
    };
    let behind = last + "-->".len();
    let end = head.get(behind..).and_then(|rest| rest.find('\n'));
    end.map_or(behind, |end| behind + end + 1)
}

/// The budget in tokens where the requirements' configuration is not written (R5).
const SPEC_BUDGET: usize = 2000;
/// Where Ralph's file stands unless its store says otherwise.
const PLACE: &str = ".ralph/agent/memories.md";
const DAY: i64 = 86_400_000;

/// The settings that are in force: flags, and what `ralph.yml` says (R5), as far as each dialect obeys
/// it.
#[derive(Default)]
struct Settings {
    /// True if the requirements decide, false if the real program.
    spec: bool,
    /// Tokens; none: no limit.
    budget: Option<usize>,
    /// Why nothing is injected, and what would change that.
    disabled: Option<String>,
    /// True if the skill goes with it.
    skill: bool,
    /// The store, as its path is shown.
    store: String,
    /// The day of the task.
    today: String,
    /// Notes about settings that do nothing.
    notes: Vec<String>,
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
    fn new(limits: &Limits, now: Timestamp) -> Self {
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
            let why = "is ignored: Ralph always adds the skill";
            self.note(format!("ralph.yml: `memories.skill_injection` {why}"));
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
    fn grounds(&self) -> Option<&'static str> {
        self.disabled.is_none().then_some(
            "whatever the task is, the entries that Ralph reads go in by section, in the order of \
             the file, as far as budget and filters go",
        )
    }

    /// Filter that keeps a memory out, as a hint.
    fn misses(&self, memory: &Memory) -> Option<String> {
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
    let at = format!("ralph.yml:{}:{}", error.line, error.column);
    Some(format!("{at}: {error}: Ralph does not start with it"))
}
