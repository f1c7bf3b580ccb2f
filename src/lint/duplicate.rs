//! Memories that say the same, or what a document of the project says.

use std::collections::{BTreeMap, HashMap};

use super::chars::quote;
use super::pairs::{Found, Likeness, differing_words, documents, pairs, tell};
use super::succession::decides;
use super::tuning::Threshold;
use super::{Collector, Context, Facts, Finding, Fix, Rule};
use crate::curate::Change;
use crate::memory::Severity;
use crate::memory::format::share_readers;
use crate::systems::golemcore::kin;

/// A memory that has this share in common with more than so many others, and is no copy of them, is
/// a template that was filled in: each says what the others do not.
const TEMPLATE: (f64, usize) = (0.45, 4);

/// A memory shorter than this share of the other is contained in it, not its duplicate.
const SHORTER: f64 = 0.5;

/// Maximum number of further memories that a finding names.
const MORE: usize = 3;

/// The share of the shorter that stands in the other; in other words, what that says.
const NEARLY_ALL: f64 = 0.6;

pub(super) const OF_SHORTER: &[Threshold] = &[Threshold {
    name: "share",
    usual: NEARLY_ALL,
    range: (0.1, 1.0),
    what: "the part of the shorter one's wording that the longer one has",
}];

fn is_contained(rule: &Rule) -> bool {
    rule.id == "contained"
}

pub(super) fn finish(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    // For each memory what is like it, and how many are no copies.
    let mut found: BTreeMap<usize, Vec<(usize, Likeness, &Found)>> = BTreeMap::new();
    let mut like: HashMap<usize, usize> = HashMap::new();
    let of = |index: usize| cx.memories.get(index);
    for pair in pairs(cx, facts) {
        // Two memories, not a memory and a document.
        let both = of(pair.a).zip(of(pair.b));
        if both.is_none_or(|(a, b)| kin::belong_together(a, b) || decides(a, b)) {
            continue;
        }
        let is_like = |alike: Likeness| (TEMPLATE.0..1.0).contains(&alike.share);
        if pair.alike.is_some_and(is_like) {
            for memory in [pair.a, pair.b] {
                *like.entry(memory).or_default() += 1;
            }
        }
        if let Some((memory, other, alike)) = about(rule, cx, pair)
            && !cx.answered(rule.id, memory, other)
        {
            found.entry(memory).or_default().push((other, alike, pair));
        }
    }
    for (memory, mut others) in found {
        let is_template = like.get(&memory).is_some_and(|count| *count > TEMPLATE.1);
        others.retain(|(_, alike, _)| !is_template || alike.share >= 1.0);
        others.sort_by(|a, b| b.1.share.total_cmp(&a.1.share).then(a.0.cmp(&b.0)));
        let Some(&(other, alike, pair)) = others.first() else {
            continue;
        };
        let mut finding = finding((rule, cx), (memory, other), alike, pair);
        let more = others.iter().skip(1).filter(|(_, alike, _)| !alike.single);
        finding.related.extend(more.map(|one| one.0).take(MORE));
        out.push(finding);
    }
}

/// The share of the shorter of two memories that stands in the other; of two that say the same in
/// other words, what the other says.
fn evidence(cx: &Context<'_>, (memory, other): (usize, usize), share: f64) -> String {
    let of = |index: usize| cx.memories.get(index);
    let words = |index| of(index).map_or(0, |memory| memory.words);
    let percent = (share * 100.0).round();
    match of(other).filter(|_| share < 0.8 || words(memory) > words(other)) {
        Some(other) if share < 0.8 => {
            let says = other.gist.as_ref().unwrap_or(&other.title);
            format!("there: {}", quote(says))
        }
        Some(other) => {
            let name = quote(&other.id.to_string());
            format!("{percent}% of {name} stands in this one")
        }
        None => format!("{percent}% of it stands in the other"),
    }
}

fn finding(
    (rule, cx): (&Rule, &Context<'_>),
    (memory, other): (usize, usize),
    alike: Likeness,
    pair: &Found,
) -> Finding {
    // One that differs from the other is not contained in it.
    let warns = alike.warns && (pair.conflicts.is_empty() || !is_contained(rule));
    let sure = if warns { 0.9 + 0.1 * alike.share } else { 0.75 };
    let of = |index: usize| cx.memories.get(index);
    let name = of(other).map(|memory| quote(&memory.id.to_string()));
    let name = name.unwrap_or_default();
    let says = match is_contained(rule) {
        true => format!("all of it stands in {name}"),
        false => format!("nearly the same as {name}"),
    };
    let line = of(memory).map_or(1, |memory| memory.line);
    let severity = Severity::of(warns);
    let finding = Finding::new(rule.id, severity, memory, line).beside([other]);
    let mut finding = finding.sure(sure).says(says);
    let Some(conflict) = pair.conflicts.first() else {
        let finding = finding.because(evidence(cx, (memory, other), alike.share));
        return finding.fixed_by(fix(rule, cx, memory, other));
    };
    // To merge or to archive one of them would drop or join what is not the same.
    finding.message = format!("nearly the same as {name}, but they differ");
    let [a, b] = &conflict.sides;
    let sides = if pair.a == memory { [a, b] } else { [b, a] };
    tell(&mut finding, sides);
    finding.message += &differing_words(&finding);
    finding
}

/// Archives a contained memory unless it outlasts the other; merges the later of two alike.
fn fix(rule: &Rule, cx: &Context<'_>, memory: usize, first: usize) -> Option<Fix> {
    let own = cx.memories.get(memory)?;
    let other = cx.memories.get(first)?;
    if !is_contained(rule) {
        return Fix::merge(cx.memories, first, memory);
    }
    let archive = || Change::Archive(vec![own.id.clone()]);
    (!kin::outlasts(own, other)).then(|| Fix::reviewed("archive it", memory, archive()))
}

/// The memory a pair is reported on, the other, and how much of it that has: the shorter is
/// contained; of two that are alike the later repeats the first, and one that no commit has repeats
/// one that a commit has.
fn about(rule: &Rule, cx: &Context<'_>, pair: &Found) -> Option<(usize, usize, Likeness)> {
    let alike = pair.alike?;
    // Memories without a common reader are not duplicates.
    let [own, other] = [pair.a, pair.b].map(|index| Some(cx.memories.get(index)?.schema));
    share_readers(own?, other?).then_some(())?;
    let least = cx.threshold(rule.id, "share", pair.a);
    // A statement that is likely the same is enough, unless more is asked for.
    let is_likely = alike.single && !is_contained(rule) && least <= NEARLY_ALL;
    let is_enough = alike.share >= least || is_likely;
    if (alike.size < SHORTER) != is_contained(rule) || !is_enough {
        return None;
    }
    let words = |index: usize| cx.memories.get(index).map_or(0, |memory| memory.words);
    let first_repeats = match is_contained(rule) {
        true => words(pair.a) < words(pair.b),
        false => is_in_no_commit(cx, pair.a) && !is_in_no_commit(cx, pair.b),
    };
    Some(match first_repeats {
        true => (pair.a, pair.b, alike),
        false => (pair.b, pair.a, alike),
    })
}

/// True if a memory's file is in the repository and no commit of its whole history has it.
fn is_in_no_commit(cx: &Context<'_>, index: usize) -> bool {
    let history = cx.project.history().ok();
    let history = history.filter(|history| history.partial().is_none());
    let file = history.zip(cx.memories.get(index));
    file.is_some_and(|(history, memory)| {
        let path = history.below_root(&memory.path);
        path.is_some_and(|path| history.changes(&path).is_empty())
    })
}

/// The share of a memory in one document that is a warning, and that is a suggestion.
const SHARE: f64 = 0.7;
const PART: f64 = 0.4;

pub(super) fn of_documents(rule: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    let documents = documents(cx, facts);
    // For each memory the document that has most of it, and the share; of several the first.
    let mut best: BTreeMap<usize, (f64, &str)> = BTreeMap::new();
    for found in pairs(cx, facts) {
        let document = found.b.checked_sub(cx.memories.len());
        let document = document.and_then(|n| documents.get(n));
        // A memory with a number or a name that the document does not have is no repetition, and one
        // of a single statement has to stand there word for word.
        let is_repetition =
            |alike: &Likeness| found.conflicts.is_empty() && (!alike.single || alike.share >= 1.0);
        let Some((document, alike)) = document.zip(found.alike.filter(is_repetition)) else {
            continue;
        };
        let known = best.entry(found.a).or_default();
        if alike.of_first > known.0 {
            *known = (alike.of_first, &document.path);
        }
    }
    for (memory, (share, path)) in best.into_iter().filter(|(_, (share, _))| *share >= PART) {
        let (severity, says) = match share >= SHARE {
            true => (rule.severity, "says this already"),
            false => (Severity::Info, "says a part of this already"),
        };
        let percent = (share * 100.0).round();
        let line = cx.memories.get(memory).map_or(1, |memory| memory.line);
        let finding = Finding::new(rule.id, severity, memory, line).sure(0.6 + 0.35 * share);
        let mut finding = finding.says(format!("{} {says}", quote(path)));
        finding
            .evidence
            .push(format!("{percent}% of its wording stands there"));
        finding.source = Some(path.to_owned());
        out.push(finding);
    }
}
