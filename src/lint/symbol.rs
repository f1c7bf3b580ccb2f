//! Names of the code that memories put into code spans and that the code has no more.
//!
//! Only a name that stood in the code once is reported: what was never there is a word, a name of
//! another project, or an example.

mod aside;
mod extract;
pub(crate) mod names;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Mutex;

use self::extract::Named;
use super::chars::quote;
use super::repository::{History, Wanted, Was};
use super::since::since;
use super::stale::{ACT, Manner, Manners, said};
use super::{Context, Facts, Finding, Look, Out, Rule};
use crate::memory::Severity;

/// Names of one memory that are looked up; more say nothing new.
const MOST: usize = 50;
/// Different names of all memories that are looked up.
const MOST_NAMES: usize = 20_000;
/// Memories that are told of one name.
const MOST_PLACES: usize = 20;

/// A name that the code has no more.
pub(super) struct StaleSymbol;

/// What was met while memories were looked at, one by one and in no order.
#[derive(Default)]
pub(super) struct Met {
    names: Mutex<BTreeMap<Box<str>, Name>>,
    unchecked: Mutex<usize>,
}

/// A name and the memories that have it.
#[derive(Default)]
struct Name {
    /// The earliest time at which it was in use, seconds since 1970.
    since: Option<i64>,
    /// Whether by its look it can only be one of the code.
    sure: bool,
    places: Vec<Place>,
}

struct Place {
    memory: usize,
    /// Its bytes in the memory's text.
    bytes: Range<usize>,
    manner: Manner,
}

impl Rule for StaleSymbol {
    fn id(&self) -> &'static str {
        "stale-symbol"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a name that was in the code and is gone"
    }

    fn check(&self, look: &Look<'_>, _: &mut Vec<Finding>) {
        match look.cx.project.history() {
            Ok(_) => meet(look),
            Err("") => {}
            Err(_) => {
                let mut count = 0;
                extract::symbols(look.body().1, &mut |_| count += 1);
                look.facts.symbols.unchecked(count);
                look.gathers(|all| all.unchecked[1] = count);
            }
        }
    }

    fn gathers(&self) -> bool {
        true
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Out<'_, '_>) {
        match cx.project.history() {
            Ok(history) => report(cx, facts, history, out),
            Err(why) => {
                let count = facts.symbols.unchecked.lock().map_or(0, |count| *count);
                if count > 0 {
                    let names = super::report::counted(count, "name");
                    facts.note(
                        "stale-symbol",
                        format!("{names} of the code not looked up: {why}"),
                    );
                }
            }
        }
    }
}

/// Keeps the names of a memory.
fn meet(look: &Look<'_>) {
    let (start, body) = look.body();
    let mut found: Vec<Named<'_>> = Vec::new();
    extract::symbols(body, &mut |named| {
        if found.len() < MOST {
            found.push(named);
        }
    });
    let mut manners = Manners::of_body(look);
    let mut spots = Vec::new();
    for named in found {
        let manner = manners.manner(&named.bytes);
        let bytes = start + named.bytes.start..start + named.bytes.end;
        spots.extend(named.parts.into_iter().map(|part| Spot {
            name: part.name.into(),
            sure: part.sure,
            bytes: bytes.clone(),
            manner,
        }));
    }
    look.facts.symbols.take(look.cx, look.index, &spots);
    look.gathers(|all| all.spots = spots);
}

/// A name where a memory has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub name: Box<str>,
    /// Whether by its look it can only be one of the code.
    pub sure: bool,
    /// The bytes in the memory's text.
    pub bytes: Range<usize>,
    pub manner: Manner,
}

impl Met {
    /// Counts what could not be looked up.
    pub(super) fn unchecked(&self, count: u32) {
        if let Ok(mut unchecked) = self.unchecked.lock() {
            *unchecked += count as usize;
        }
    }

    /// Takes in the names of a memory.
    pub(super) fn take(&self, cx: &Context<'_>, memory: usize, spots: &[Spot]) {
        let known = cx.memories.get(memory).filter(|_| !spots.is_empty());
        let (Some(known), Ok(history)) = (known, cx.project.history()) else {
            return;
        };
        let time = since(known, history).map(|since| since.time);
        let Ok(mut names) = self.names.lock() else {
            return;
        };
        for spot in spots {
            if names.len() >= MOST_NAMES && !names.contains_key(&spot.name) {
                continue;
            }
            let name = names.entry(spot.name.clone()).or_default();
            name.since = [name.since, time].into_iter().flatten().min();
            name.sure |= spot.sure;
            name.places.push(Place {
                memory,
                bytes: spot.bytes.clone(),
                manner: spot.manner,
            });
            // The first of the snapshot are told, in whatever order they were met.
            if name.places.len() > 4 * MOST_PLACES {
                name.tidy();
            }
        }
    }
}

impl Name {
    fn tidy(&mut self) {
        self.places
            .sort_by_key(|place| (place.memory, place.manner, place.bytes.start));
        self.places.dedup_by_key(|place| place.memory);
        self.places.truncate(MOST_PLACES);
    }
}

fn report(cx: &Context<'_>, facts: &Facts, history: &History, out: &mut Out<'_, '_>) {
    let names = facts.symbols.names.lock();
    let mut names = names
        .map(|mut names| std::mem::take(&mut *names))
        .unwrap_or_default();
    if names.is_empty() {
        return;
    }
    if names.len() >= MOST_NAMES {
        facts.note(
            "stale-symbol",
            format!("only {MOST_NAMES} names of the code were looked up"),
        );
    }
    let wanted = Wanted {
        names: names
            .iter()
            .map(|(name, found)| (name.to_string(), found.since.unwrap_or(i64::MIN)))
            .collect(),
        skip: own(cx, history),
    };
    let symbols = cx.project.symbols(&wanted);
    if let Some(why) = &symbols.partial {
        facts.note("stale-symbol", why.clone());
    } else if let Some(why) = &history.partial {
        let says = format!("not all of the history was read: {why}");
        facts.note("stale-symbol", says);
    }
    let mut told: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (name, was) in &symbols.gone {
        let Some(found) = names.get_mut(name.as_str()) else {
            continue;
        };
        if !found.sure && !was.defined {
            continue;
        }
        found.tidy();
        for place in &found.places {
            // `A::b` is told of once where both are gone.
            if told.insert((place.memory, place.bytes.start)) {
                out.extend(finding(cx, facts, history, (name, was), place));
            }
        }
    }
}

/// The files of the stores below the root: they name what the code has no more.
fn own(cx: &Context<'_>, history: &History) -> BTreeSet<String> {
    let below = |memory: &crate::memory::Memory| {
        let path = memory.path.to_string_lossy().replace('\\', "/");
        let path = path.strip_prefix(&history.root)?.strip_prefix('/')?;
        names::is_code(path).then(|| path.to_owned())
    };
    cx.memories
        .iter()
        .filter_map(|memory| below(memory))
        .collect()
}

fn finding(
    cx: &Context<'_>,
    facts: &Facts,
    history: &History,
    (name, was): (&str, &Was),
    place: &Place,
) -> Option<Finding> {
    let memory = cx.memories.get(place.memory)?;
    let text = cx.texts.text(memory)?;
    let look = Look::new(cx, facts, place.memory, memory, &text);
    let written = text.get(place.bytes.clone())?;
    let since = since(memory, history);
    let before = match (&was.commit, since) {
        (Some(commit), Some(since)) => commit.time < since.time,
        _ => false,
    };
    let aside = (place.manner == Manner::Directive)
        .then(|| aside::aside((history, facts.manifests(cx)), &text, &place.bytes))
        .flatten();
    let (severity, confidence) = match (place.manner, was.defined) {
        (Manner::Directive, _) if aside.is_some() => (Severity::Info, 0.35),
        (Manner::Log, _) => (Severity::Info, 0.3),
        (Manner::Record | Manner::Quoted | Manner::Elsewhere | Manner::Act, _) => {
            (Severity::Info, 0.45)
        }
        (Manner::Directive, _) if before => (Severity::Info, 0.4),
        (Manner::Directive, true) => (Severity::Warning, 0.9),
        (Manner::Directive, false) => (Severity::Info, 0.6),
    };
    let place_of = look.at(place.bytes.start);
    let finding = look.finding("stale-symbol", severity, place_of);
    let mut finding = finding.about(place.bytes.clone()).sure(confidence);
    finding = finding.says(match before {
        true => {
            let verb = since.map_or("written", |since| since.verb);
            format!("{} left the code before this was {verb}", quote(written))
        }
        false => format!("{} is not in the code any more", quote(written)),
    });
    if written.trim_end_matches("()") != name {
        finding = finding.because(format!("{} is not there", quote(name)));
    }
    let stood = if was.defined { "defined" } else { "used" };
    finding = finding.because(format!("it was {stood} in {}", quote(&was.path)));
    if let Some(commit) = &was.commit {
        finding = finding.because(said("taken out", commit));
    }
    if let Some(now) = &was.now {
        finding = finding.because(format!("{} came with the same commit", quote(now)));
    }
    Some(match place.manner {
        Manner::Directive => aside.into_iter().fold(finding, Finding::because),
        Manner::Record => finding.because("the memory speaks of what was"),
        Manner::Quoted => finding.because("it is quoted there, or sought"),
        Manner::Elsewhere => finding.because("the sentence speaks of another project"),
        Manner::Act => finding.because(ACT),
        Manner::Log => finding.because("it stands in a log"),
    })
}
