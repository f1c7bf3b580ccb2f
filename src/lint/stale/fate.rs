//! What became of a path that is gone, as a finding.

use std::cell::OnceCell;
use std::collections::HashSet;

use chrono::DateTime;

use super::beside::Beside;
use super::fix::{Swap, replace};
use super::places::Places;
use super::{Manner, Stale};
use crate::lint::chars::quote;
use crate::lint::repository::{Commit, History, Meaning};
use crate::lint::{Context, Facts, Finding, Look, Out};
use crate::memory::{Memory, Severity, Timestamp};

pub(super) fn report(cx: &Context<'_>, facts: &Facts, history: &History, out: &mut Out<'_, '_>) {
    let Ok(mut all) = facts
        .stale
        .gone
        .lock()
        .map(|mut all| std::mem::take(&mut *all))
    else {
        return;
    };
    let paths: Vec<&str> = all.iter().map(|stale| path_of(history, stale)).collect();
    let untracked = cx.project.untracked(&paths);
    let mut untracked = untracked.into_iter();
    all.retain(|_| !untracked.next().unwrap_or_default());
    all.sort_by_key(|stale| {
        (
            stale.finding.memory,
            stale.places.first().map(|at| at.start),
        )
    });
    let meanings: HashSet<Meaning> = all.iter().map(|stale| stale.meaning).collect();
    let memories = OnceCell::new();
    let own = |path: &str| memories.get_or_init(|| own(cx, history)).contains(path);
    let places = Places::find((cx.project, history), &meanings, &own);
    for of_one in all.chunk_by_mut(|a, b| a.finding.memory == b.finding.memory) {
        let index = of_one.first().map(|stale| stale.finding.memory);
        let memory = index.and_then(|index| Some((index, cx.memories.get(index)?)));
        let Some((index, memory)) = memory else {
            continue;
        };
        // It is read once, and only where something moved.
        let mut moved = of_one.iter().map(|stale| places.of(stale.meaning).now);
        let moved = moved.any(|now| now.is_some());
        let text = moved.then(|| cx.texts.text(memory)).flatten();
        let look = text
            .as_deref()
            .map(|text| Look::new(cx, facts, index, memory, text));
        let mut beside = look.as_ref().map(|look| Beside::of(look, history));
        let mut told = Vec::new();
        for stale in of_one {
            let finding = finding((history, &places), memory, beside.as_mut(), stale);
            told.extend(finding.map(|(finding, now)| (&*stale, finding, now)));
        }
        let swaps: Vec<Option<Swap<'_>>> = told
            .iter()
            .map(|(stale, _, now)| {
                Swap::of(history, stale, path_of(history, stale), now.as_deref()?)
            })
            .collect();
        let fix = |swap: &Swap<'_>| {
            let all = swaps.iter().flatten().filter(|other| swap.goes_with(other));
            replace(look.as_ref()?, history, swap, &all.collect::<Vec<_>>())
        };
        let fixes: Vec<_> = swaps
            .iter()
            .map(|swap| swap.as_ref().and_then(fix))
            .collect();
        let told = told.into_iter().zip(fixes);
        out.extend(told.map(|((_, finding, _), fix)| finding.fixed_by(fix)));
    }
}

/// The files of the stores below the root.
fn own(cx: &Context<'_>, history: &History) -> HashSet<String> {
    let below = |memory: &Memory| {
        let path = memory.path.to_string_lossy().replace('\\', "/");
        let path = path.strip_prefix(&history.root)?.strip_prefix('/')?;
        Some(path.to_owned())
    };
    let memories = cx.memories.iter();
    memories.filter_map(|memory| below(memory)).collect()
}

fn path_of<'a>(history: &'a History, stale: &Stale) -> &'a str {
    match stale.meaning {
        Meaning::File(at, _) => history.file(at),
        Meaning::Folder(at, _) => history.folder(at),
        Meaning::Present | Meaning::Unknown => "",
    }
}

/// The finding about a path, with what became of it, and where it is now if that is to be written in
/// its place; none where the memory says that itself.
fn finding(
    (history, places): (&History, &Places),
    memory: &Memory,
    mut beside: Option<&mut Beside<'_, '_>>,
    stale: &mut Stale,
) -> Option<(Finding, Option<String>)> {
    let place = places.of(stale.meaning);
    if let (Some(now), Some(beside)) = (&place.now, &mut beside)
        && !beside.without_told(stale, now)
    {
        return None;
    }
    let path = path_of(history, stale);
    let whole = matches!(
        stale.meaning,
        Meaning::File(_, true) | Meaning::Folder(_, true)
    );
    let commit = place.commit.and_then(|file| history.commit(file));
    let written = quote(&stale.written);
    // A path that went on from where it came to was gone before.
    let left = place.left.and_then(|file| history.commit(file));
    let before = left.is_some_and(|commit| is_before(commit, memory));
    let (severity, confidence) = weigh(stale.manner, whole, before);
    let mut finding = Finding {
        severity,
        ..stale.finding.clone()
    };
    let verb = if place.now.is_some() {
        "moved"
    } else {
        "deleted"
    };
    finding = finding.sure(confidence).says(match &place.now {
        Some(now) => format!("{written} has moved: it is {} now", quote(now)),
        None if before => format!("{written} was deleted before this was {}", did(memory)),
        None => format!("{written} is gone"),
    });
    if stale.manner == Manner::Act {
        finding.message.push_str(", in `actions`");
    }
    if !whole {
        finding = finding.because(format!("it was {}", quote(path)));
    }
    if let Some(commit) = commit {
        finding = finding.because(said(verb, commit));
    }
    if place
        .commit
        .is_some_and(|file| history.is_uncommitted(file))
    {
        finding = finding.because(format!("{verb} in the working tree, not committed yet"));
    }
    if place.now.is_some() && before {
        finding = finding.because(format!("that was before this was {}", did(memory)));
    }
    if let Some(via) = &place.via {
        finding = finding.because(format!("it had been moved to {}", quote(via)));
    }
    for near in &place.alike {
        finding = finding.because(format!("a file of that name is {}", quote(near)));
    }
    finding = match stale.manner {
        Manner::Directive => finding,
        Manner::Record => finding.because("the memory speaks of what was"),
        Manner::Act => finding.because(ACT),
        Manner::Log => finding.because("it stands in a log"),
        Manner::Elsewhere => {
            finding.because("the sentence speaks of another repository, branch or release")
        }
        Manner::Quoted => finding.because("it is quoted there, or sought"),
    };
    let now = place.now.filter(|_| stale.manner == Manner::Directive);
    Some((finding, now))
}

/// What is said of what stands in the record of what an agent did.
pub(in crate::lint) const ACT: &str = "it stands in `actions`, the record of what was done then";

/// How bad and how sure: what misleads now comes first.
const fn weigh(manner: Manner, whole: bool, before: bool) -> (Severity, f64) {
    match (manner, before) {
        (Manner::Log | Manner::Elsewhere, _) => (Severity::Info, 0.3),
        (Manner::Record | Manner::Quoted | Manner::Act, _) => (Severity::Info, 0.5),
        (Manner::Directive, true) => (Severity::Info, 0.4),
        (Manner::Directive, false) => (Severity::Warning, if whole { 0.97 } else { 0.9 }),
    }
}

/// Whether a commit was there when the memory was last written.
fn is_before(commit: &Commit, memory: &Memory) -> bool {
    let written: Option<Timestamp> = memory.updated.or(memory.created);
    let written = written.max(memory.confirmed);
    written.is_some_and(|written| commit.time.saturating_mul(1000) < written.0)
}

/// What was done last with a memory.
fn did(memory: &Memory) -> &'static str {
    match memory.confirmed {
        Some(at) if Some(at) >= memory.updated.or(memory.created) => "confirmed",
        _ => "written",
    }
}

/// `deleted in 1a2b3c4 on 2026-01-31 by Ines: Drop the sweeper`.
pub(in crate::lint) fn said(verb: &str, commit: &Commit) -> String {
    let id = commit.id.get(..7).unwrap_or(&commit.id);
    let day = DateTime::from_timestamp(commit.time, 0)
        .map(|time| time.format(" on %Y-%m-%d").to_string())
        .unwrap_or_default();
    format!(
        "{verb} in {id}{day} by {}: {}",
        commit.author, commit.subject
    )
}
