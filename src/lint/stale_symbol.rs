//! `stale-symbol`: names of code in code spans, that were in the code and are not any more.
//!
//! A name that was never in the code is a word, an example or a name of another project.

pub(crate) mod code;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Mutex;

use super::chars::quote;
use super::cues::{Cue, Cues};
use super::digest::Gather;
use super::facts::{Gathered, Unchecked};
use super::repository::{History, Wanted, Was};
use super::since::since;
use super::{Collector, Context, Facts, Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;
use crate::text::mentions::{Outline, is_distinct, symbols};

/// Maximum number of code spans of one memory that are looked up.
const MOST: usize = 50;
/// Maximum number of names of all memories that are looked up.
const MOST_NAMES: usize = 20_000;
/// Maximum number of memories in which one name is reported.
const MOST_MEMORIES: usize = 20;

/// The rule.
pub(super) struct StaleSymbol;

/// A name of code where a memory has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    pub name: Box<str>,
    /// The bytes of its code span in the memory's text.
    pub bytes: Range<usize>,
    pub cue: Option<Cue>,
}

/// The names of all memories, in no order.
type Names = Mutex<BTreeMap<Box<str>, Uses>>;

fn names(facts: &Facts) -> &Names {
    facts.of(Names::default)
}

/// The memories that have a name.
#[derive(Default)]
struct Uses {
    /// The earliest time at which a memory had it, seconds since 1970.
    since: Option<i64>,
    spots: Vec<(usize, Spot)>,
}

impl Uses {
    /// Keeps the first spot of each memory, of the first memories of the snapshot.
    fn shorten(&mut self) {
        self.spots
            .sort_by_key(|(memory, spot)| (*memory, spot.cue, spot.bytes.start));
        self.spots.dedup_by_key(|(memory, _)| *memory);
        self.spots.truncate(MOST_MEMORIES);
    }
}

impl Gathered for Box<[Spot]> {
    fn add(&self, cx: &Context<'_>, facts: &Facts, index: usize) {
        let memory = cx.memories.get(index);
        let (Some(memory), Ok(history)) = (memory, cx.project.history()) else {
            return;
        };
        let time = since(memory, history).map(|since| since.time);
        let Ok(mut names) = names(facts).lock() else {
            return;
        };
        for spot in self {
            if names.len() >= MOST_NAMES && !names.contains_key(&spot.name) {
                continue;
            }
            let uses = names.entry(spot.name.clone()).or_default();
            uses.since = [uses.since, time].into_iter().flatten().min();
            uses.spots.push((index, spot.clone()));
            if uses.spots.len() > 4 * MOST_MEMORIES {
                uses.shorten();
            }
        }
    }
}

impl Rule for StaleSymbol {
    fn info(&self) -> RuleInfo {
        RuleInfo("stale-symbol", Severity::Info)
    }

    fn gather(&self, subject: &Subject<'_>) -> Gather {
        let (start, body) = subject.body();
        match subject.cx.project.history() {
            Ok(_) => {
                let spots = spots(start, body, &subject.memory.title);
                match spots.is_empty() {
                    true => Gather::Nothing,
                    false => Gather::keep(spots.into_boxed_slice()),
                }
            }
            Err("") => Gather::Nothing,
            Err(_) => {
                let mut count = 0;
                symbols(body, &Outline::new(body), &mut |_| count += 1);
                Gather::keep(Unchecked(self.id(), count))
            }
        }
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        match cx.project.history() {
            Ok(history) => report(cx, facts, history, out),
            Err(why) => {
                facts.note_unchecked(self.id(), "name", "of the code not looked up", why);
            }
        }
    }
}

/// The names of a body that begins at this byte of its memory's text.
fn spots(start: usize, body: &str, title: &str) -> Vec<Spot> {
    let mut found = Vec::new();
    if !body.contains('`') {
        return found;
    }
    let cues = Cues::new(body, title);
    let mut spans = 0;
    symbols(body, cues.outline(), &mut |mention| {
        spans += 1;
        if spans > MOST {
            return;
        }
        let cue = cues.at(&mention.bytes);
        let bytes = start + mention.bytes.start..start + mention.bytes.end;
        found.extend(mention.names.into_iter().map(|name| Spot {
            name: name.into(),
            bytes: bytes.clone(),
            cue,
        }));
    });
    found
}

fn report(cx: &Context<'_>, facts: &Facts, history: &History, out: &mut Collector<'_>) {
    let names = names(facts).lock();
    let names = names.map(|mut names| std::mem::take(&mut *names));
    let mut names = names.unwrap_or_default();
    if names.is_empty() {
        return;
    }
    if names.len() >= MOST_NAMES {
        let note = format!("only {MOST_NAMES} names of the code were looked up");
        facts.note("stale-symbol", note);
    }
    // Files of stores contain the names too, and are no code.
    let stored = cx.memories.iter();
    let stored = stored.filter_map(|memory| history.below_root(&memory.path));
    let time = |uses: &Uses| uses.since.unwrap_or(i64::MIN);
    let wanted = Wanted {
        names: names
            .iter()
            .map(|(name, uses)| (name.to_string(), time(uses)))
            .collect(),
        skip: stored.filter(|path| code::is_code(path)).collect(),
    };
    let symbols = cx.project.symbols(&wanted);
    if let Some(why) = &symbols.partial {
        facts.note("stale-symbol", why.clone());
    } else if let Some(why) = &history.partial {
        facts.note(
            "stale-symbol",
            format!("not all of the history was read: {why}"),
        );
    }
    // `A::b` is reported once if both names are gone.
    let mut reported: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (name, was) in &symbols.gone {
        // `Ledger` may be a word: it counts only if the code defined it.
        let is_name = was.defined || is_distinct(name);
        let Some(uses) = names.get_mut(name.as_str()).filter(|_| is_name) else {
            continue;
        };
        uses.shorten();
        for (memory, spot) in &uses.spots {
            if reported.insert((*memory, spot.bytes.start)) {
                out.extend(finding((cx, facts, history), *memory, spot, was));
            }
        }
    }
}

fn finding(
    (cx, facts, history): (&Context<'_>, &Facts, &History),
    index: usize,
    spot: &Spot,
    was: &Was,
) -> Option<Finding> {
    let memory = cx.memories.get(index)?;
    let text = cx.texts.text(memory)?;
    let subject = Subject::new(cx, facts, index, memory, &text);
    let written = text.get(spot.bytes.clone())?;
    let since = since(memory, history);
    let is_before = match (&was.commit, since) {
        (Some(commit), Some(since)) => commit.time < since.time,
        _ => false,
    };
    let confidence = match (spot.cue, was.defined) {
        (Some(_), _) => 0.3,
        (None, _) if is_before => 0.4,
        (None, true) => 0.8,
        (None, false) => 0.6,
    };
    let finding = subject.finding("stale-symbol", Severity::Info, subject.at(spot.bytes.start));
    let finding = finding.about(spot.bytes.clone()).sure(confidence);
    let mut finding = finding.says(match since.filter(|_| is_before) {
        Some(since) => format!(
            "{} left the code before this was {}",
            quote(written),
            since.verb
        ),
        None => format!("{} is not in the code any more", quote(written)),
    });
    if written.trim_end_matches("()") != &*spot.name {
        finding = finding.because(format!("{} is not there", quote(&spot.name)));
    }
    let stood = if was.defined { "defined" } else { "used" };
    finding = finding.because(format!("it was {stood} in {}", quote(&was.path)));
    if let Some(commit) = &was.commit {
        finding = finding.because(commit.evidence("taken out"));
    }
    if let Some(now) = &was.now {
        finding = finding.because(format!("{} came with the same commit", quote(now)));
    }
    Some(
        spot.cue
            .into_iter()
            .map(Cue::evidence)
            .fold(finding, Finding::because),
    )
}
