//! Policies that judge every memory for itself: no points, no ranking, an order that is the store's. Two
//! of them stand here: `always` and `names`.

use std::collections::HashMap;
use std::sync::Arc;

use itertools::Itertools as _;
use regex::{Regex, RegexSet};

use super::hybrid::Background;
use super::hybrid::about::{Ranked, is_topic};
use super::multi_store::join;
use super::scorer::too_long;
use super::{Asked, Match, Options, Policy, Preview, Reason, Scorer, Snapshot, StoreFault, Task};
use super::{Texts, Verdict, memory_at, unseen};
use crate::memory::{Memory, Severity, Value};

/// A memory is given, by the pattern that matched if any; or why not, and what would help.
pub(super) type Judged = Result<Option<Match>, (Reason, String)>;

pub(super) fn out(reason: Reason, hint: impl Into<String>) -> Judged {
    Err((reason, hint.into()))
}

/// A question with the dialect that answers it: that of the store, unless another is asked for.
pub(super) struct Ask<'a> {
    pub asked: &'a Asked<'a>,
    pub dialect: &'a str,
}

impl Ask<'_> {
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.asked.limits.options.get(name)
    }

    /// The field that switches a memory off, `field=value`, of those that the setting `off` names.
    fn switch(&self, memory: &Memory) -> Option<&str> {
        let mut switches = self.setting("off")?.split_whitespace();
        switches.find(|switch| {
            let (name, value) = switch.split_once('=').unwrap_or_default();
            let own = memory.field(name);
            own.is_some_and(|own| matches!(own, Value::Bool(_)) && own.to_string() == value)
        })
    }
}

pub(super) trait Listing {
    /// Judges a memory that the loader sees.
    fn judge(&self, memory: &Memory) -> Judged;
    fn prompt(&self, selected: &[&Memory]) -> String;
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Opens the listing of some memories, reading what is the same for all of them.
pub(super) type Open = for<'a> fn(&[&'a Memory], &'a Ask<'a>) -> Box<dyn Listing + 'a>;

/// The policy of such a system: its flags, dialects and faults are to be added.
pub(super) const fn listed(name: &'static str, scorer: fn(Snapshot) -> Box<dyn Scorer>) -> Policy {
    Policy {
        goes_by_task: |_| false,
        gives_texts: false,
        ..Policy::new(name, scorer)
    }
}

pub(super) struct ListedScorer(pub Snapshot, pub &'static Policy, pub Open);

/// Order of memories that are left out, the nearest to being given first.
const fn nearness(reason: Reason) -> u8 {
    match reason {
        Reason::Reachable => 0,
        Reason::NoMatch => 1,
        Reason::NotApplicable => 2,
        _ => 3,
    }
}

/// Puts what has words of the task first among what is reachable, as `memkeep hook` ranks it.
fn rank_as_hook(rejected: &mut [Verdict], ranked: &Ranked) {
    let places = ranked.all.iter().map(|about| about.memory).zip(0..);
    let places: HashMap<usize, usize> = places.collect();
    rejected.sort_by_key(|verdict| {
        let place = places.get(&verdict.memory).copied();
        let is_open = verdict.reason == Reason::Reachable;
        let place = place.filter(|_| is_open).unwrap_or(usize::MAX);
        (nearness(verdict.reason), place)
    });
}

impl ListedScorer {
    /// The ranking of `memkeep hook`, which sees only the text of the prompt.
    fn hook_ranking(&self, asked: &Asked<'_>) -> Ranked {
        let prompt = Task {
            text: asked.task.text.clone(),
            now: asked.task.now,
            ..Task::default()
        };
        let all = 0..self.0.len();
        let own = |at| match asked.what_if {
            Some((edited, memory)) if edited == at => Some(Arc::new(memory.clone())),
            _ => self.0.get(at).cloned(),
        };
        let all = all.filter_map(|at| Some((at, own(at)?)));
        let topics = all.filter(|(_, memory)| is_topic(memory));
        let (places, topics): (Vec<usize>, Vec<Arc<Memory>>) = topics.unzip();
        let topics = Arc::new(topics);
        let mut ranked = Ranked::new(&topics, &prompt, asked.texts, Background::default());
        ranked.rename(&places);
        ranked
    }
}

impl Scorer for ListedScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let (Self(memories, listed, open), limits) = (self, asked.limits);
        let wanted = Some(limits.dialect).filter(|name| !name.is_empty());
        let wanted = wanted.or_else(|| limits.options.get("dialect"));
        let dialect = wanted
            .or(listed.dialects.first().copied())
            .unwrap_or_default();
        let ask = Ask { asked, dialect };
        let all = 0..memories.len();
        let all = all.filter_map(|at| memory_at(memories, asked.what_if, at));
        let memories: Vec<&Memory> = all.collect();
        let listing = open(&memories, &ask);
        let (mut selected, mut rejected, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (index, memory) in memories.iter().enumerate() {
            let judged = match (unseen(memory), ask.switch(memory)) {
                (Some(why), _) => Err(why),
                (None, Some(switch)) => {
                    let written = switch.replace('=', ": ");
                    out(Reason::Disabled, format!("`{written}` switches it off"))
                }
                (None, None) => listing.judge(memory),
            };
            match judged {
                Ok(matched) => {
                    given.push(*memory);
                    selected.push(Verdict {
                        matched,
                        rank: Some(given.len()),
                        ..Verdict::of(index, memory, Reason::Selected)
                    });
                }
                Err(why) => rejected.push(Verdict::left_out(index, memory, why)),
            }
        }
        let (rejected_total, mut candidates) = (rejected.len(), Vec::new());
        if let Some(wanted) = asked.wanted {
            rejected.retain(|verdict| wanted.contains(&verdict.memory));
        } else {
            rejected.sort_by_key(|verdict| nearness(verdict.reason));
            if limits.rejected > 0 && !asked.task.text.trim().is_empty() {
                let ranked = self.hook_ranking(asked);
                rank_as_hook(&mut rejected, &ranked);
                let all = ranked.all.iter();
                candidates = all.map(|about| ranked.candidate(*about)).collect();
            }
            rejected.truncate(limits.rejected);
        }
        let unknown = ask.setting("unknown");
        let unknown = unknown.map(|what| format!("not known: {what}"));
        let long = given.iter().filter_map(|memory| {
            let what = too_long(memory, &limits.options, asked.texts)?;
            Some(format!("{}: {what}", memory.id.local))
        });
        let takes_files = listed.flags.contains(&"file") || asked.task.files.is_empty();
        let files = (!takes_files).then(|| "the files of the task change nothing here".to_owned());
        let notes = files.into_iter().chain(listing.notes());
        let notes = notes.chain(long).chain(unknown);
        let mut known = listed.dialects.iter().copied();
        Arc::new(Preview {
            policy: listed.name,
            dialect: known.find(|known| *known == dialect).unwrap_or_default(),
            rejected_total,
            selected,
            rejected,
            candidates,
            prompt: listing.prompt(&given),
            notes: notes.map(Into::into).collect(),
            ..Preview::default()
        })
    }
}

/// Gives every file in the order of the store (formats: memory-bank, "There is no loader").
pub static ALWAYS: Policy = Policy {
    faults,
    ..listed("always", |memories| {
        Box::new(ListedScorer(memories, &ALWAYS, |_, ask| {
            Box::new(Always(ask))
        }))
    })
};

struct Always<'a>(&'a Ask<'a>);

/// Why nobody reads a store that no rule names.
pub const NO_CARRIER: &str =
    "no rule of the project tells an agent to read this folder, and no program does";

impl Listing for Always<'_> {
    fn judge(&self, _memory: &Memory) -> Judged {
        match self.0.setting("carrier") {
            Some("") => out(Reason::NotApplicable, NO_CARRIER),
            _ => Ok(None),
        }
    }

    fn prompt(&self, selected: &[&Memory]) -> String {
        bodies(selected, self.0.asked.texts)
    }

    fn notes(&self) -> Vec<String> {
        let setting = |name| self.0.setting(name);
        let when = setting("carrier-when").map(|when| format!(" ({when})"));
        let when = when.unwrap_or_default();
        let carrier = setting("carrier").filter(|carrier| !carrier.is_empty());
        let carrier = carrier.map(|file| match setting("carrier-is-folder") {
            Some(_) => format!("loaded as rules: the store lies in {file}"),
            None => {
                format!("{file} tells the agent to read these files{when}; no program loads them")
            }
        });
        let others = setting("not-carriers").unwrap_or_default().lines();
        let others = others.map(ToOwned::to_owned);
        carrier.into_iter().chain(others).collect()
    }
}

fn faults(memories: &[(usize, &Memory)], options: &Options, _texts: &dyn Texts) -> Vec<StoreFault> {
    let Some((first, _)) = memories.first() else {
        return Vec::new();
    };
    // Instructions of the person's own, which no file of the project has, may name the folder.
    let is_unread = options.get("carrier") == Some("");
    let fault = |rule, message, evidence| StoreFault {
        rule,
        severity: Severity::of(!is_unread),
        memory: *first,
        message,
        evidence,
    };
    let mut faults = Vec::new();
    if is_unread {
        let hint = "name the folder in a rule that agents load, such as AGENTS.md";
        let others = options.get("not-carriers").unwrap_or_default().lines();
        let mut evidence: Vec<String> = others.map(ToOwned::to_owned).collect();
        evidence.insert(evidence.len().min(1), hint.to_owned());
        let says = NO_CARRIER.to_owned();
        faults.push(fault("invisible-to-loader", says, evidence));
    }
    let missing = missing(memories, options.get("core").unwrap_or_default());
    if !missing.is_empty() {
        let says = match missing.len() {
            1 => "a file that the system expects is not there".to_owned(),
            many => format!("{many} files that the system expects are not there"),
        };
        faults.push(fault("missing-file", says, missing));
    }
    faults
}

/// The files that a store lacks. Each line of `core` is a generation; the fullest one counts.
fn missing(memories: &[(usize, &Memory)], core: &str) -> Vec<String> {
    let local = |name: &str| {
        let mut all = memories.iter().map(|(_, memory)| &*memory.id.local);
        all.find(|local| local.eq_ignore_ascii_case(name))
    };
    let has = |name: &&str| local(name) == Some(*name);
    let present = |line: &str| line.split_whitespace().filter(has).count();
    // The first of those that are alike counts.
    let lines = core.lines().rev();
    let Some(names) = lines.max_by_key(|line| present(line)) else {
        return Vec::new();
    };
    let names = names.split_whitespace().filter(|name| !has(name));
    let said = |name: &str| match local(name) {
        Some(other) => format!("`{name}.md` is written `{other}.md`"),
        None => format!("`{name}.md`"),
    };
    names.map(said).collect()
}

/// The bodies of memories, a blank line between them.
pub(super) fn bodies(memories: &[&Memory], texts: &dyn Texts) -> String {
    let bodies = memories.iter().map(|memory| texts.loader_body(memory));
    let bodies: Vec<String> = bodies.flatten().collect();
    join(bodies.iter().map(|body| body.trim()))
}

/// Serena's: an agent is given the names, and reads what it wants (formats: serena, "What is injected").
pub static NAMES: Policy = listed("names", |memories| {
    Box::new(ListedScorer(memories, &NAMES, |memories, ask| {
        Box::new(Names::new(memories, ask))
    }))
});

fn whole_name(pattern: &str) -> String {
    format!("^(?:{pattern})$")
}

/// Regular expressions that match whole names. Invalid ones are dropped.
pub fn full_names<'p>(patterns: impl Iterator<Item = &'p str>) -> RegexSet {
    let patterns = patterns.map(whole_name);
    RegexSet::new(patterns.filter(|one| Regex::new(one).is_ok())).unwrap_or_default()
}

/// The names of a store, with those that the system's settings set apart.
struct Names<'a> {
    prefix: &'a str,
    /// All that the loader sees.
    names: Vec<String>,
    read_only: RegexSet,
    ignored: RegexSet,
    /// Patterns that this program cannot read.
    unread: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn new(memories: &[&Memory], ask: &'a Ask<'a>) -> Self {
        let prefix = ask.setting("prefix").unwrap_or_default();
        let lines = |name: &str| ask.setting(name).unwrap_or_default().lines();
        let patterns = lines("read-only").chain(lines("ignored"));
        let is_unread = |pattern: &&str| Regex::new(&whole_name(pattern)).is_err();
        let seen = memories.iter().filter(|memory| memory.hidden.is_none());
        let names = seen.map(|memory| format!("{prefix}{}", memory.id.local));
        Self {
            prefix,
            names: names.collect(),
            read_only: full_names(lines("read-only")),
            ignored: full_names(lines("ignored")),
            unread: patterns.filter(is_unread).collect(),
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
        let written = |all: &[&String]| all.iter().map(|name| format!("{name:?}")).join(", ");
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
