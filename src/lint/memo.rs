//! What was found the last time, taken again for memories that did not change.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use super::answers::Answers;
use super::digest::{Counts, Told};
use super::pairs::{Checked, Features};
use super::sift::Found as Sifted;
use super::tuning::Tuning;
use super::{Context, Rule, superseded};
use crate::memory::{Memory, Role};
use crate::retrieval::Snapshot;

/// Of more memories nothing is kept.
const MOST: usize = 20_000;

/// Of more memories only the number of findings that are not held is kept, and no features: they
/// would take more room than the memories.
const WHOLE: usize = 5_000;

/// Of more pairs that say something against or like each other, none is kept: each takes about a
/// kilobyte, and a store with so many is one that a program wrote.
const MOST_FOUND: usize = 2_000;

/// What was found in each memory the last time, and what its body has in common with others.
#[derive(Default)]
pub struct Memo {
    key: Option<Key>,
    memories: Snapshot,
    kept: Vec<Option<Kept>>,
    /// What was said of pairs of memories.
    pairs: Checked,
}

/// What is kept of a memory.
pub(super) struct Kept {
    /// What the rules found.
    pub told: Told,
    /// The features of its body, unless they are too many.
    pub features: Option<Features>,
}

/// What findings in a memory depend on beside that memory. Where it is another one, all of them
/// are looked at.
#[derive(PartialEq)]
struct Key {
    rules: Vec<&'static str>,
    /// From where on rules find something.
    tuning: Tuning,
    /// What was said of pairs.
    answers: Answers,
    /// Which memories there are, by what one may say of another.
    others: u64,
    project: u64,
    baseline: bool,
    /// How many memories are over by now: each time another one is, all are looked at.
    expired: usize,
    /// The time in steps of [`FRESH`]: what a rule reads of files that are no memories is looked
    /// at anew that often.
    step: i64,
}

/// Findings are at most so old, in milliseconds.
const FRESH: i64 = 5 * 60 * 1000;

impl Key {
    fn of(cx: &Context<'_>, rules: &[&dyn Rule]) -> Self {
        let expired = cx
            .memories
            .iter()
            .filter(|memory| memory.is_expired(cx.now));
        Self {
            rules: rules.iter().map(|rule| rule.id()).collect(),
            tuning: cx.tuning.clone(),
            answers: cx.answers.clone(),
            others: others(cx),
            project: cx.project.stamp(),
            baseline: cx.baseline.is_empty(),
            expired: expired.count(),
            step: cx.now.0.div_euclid(FRESH),
        }
    }
}

/// A hash of what rules that look at a memory ask of the others: names, titles, states, and what
/// replaces what.
fn others(cx: &Context<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for memory in cx.memories.iter() {
        (&memory.id, &memory.path, memory.document).hash(&mut hasher);
        (memory.state as u8, memory.sight, &memory.title).hash(&mut hasher);
        memory
            .role(Role::Title)
            .map(ToString::to_string)
            .hash(&mut hasher);
        for (field, value) in superseded::said(memory) {
            (field, value.to_string()).hash(&mut hasher);
        }
    }
    hasher.finish()
}

impl Memo {
    /// Ready for these memories: what is kept of other ones is let go. Nothing is kept of many.
    pub(super) fn turn(&mut self, cx: &Context<'_>, rules: &[&dyn Rule]) {
        let count = cx.memories.len();
        if count > MOST {
            *self = Self::default();
            return;
        }
        let key = Key::of(cx, rules);
        let mut old = std::mem::take(&mut self.kept);
        let same = self.key.as_ref() == Some(&key) && old.len() == count;
        let tuned = self
            .key
            .as_ref()
            .is_some_and(|old| old.tuning == key.tuning);
        self.pairs = match tuned {
            true => follow(std::mem::take(&mut self.pairs), &self.memories, cx.memories),
            false => Checked::default(),
        };
        self.kept = if same {
            let unchanged = |n: usize| match (self.memories.get(n), cx.memories.get(n)) {
                (Some(before), Some(now)) => Arc::ptr_eq(before, now),
                _ => false,
            };
            old.iter_mut()
                .enumerate()
                .map(|(n, kept)| kept.take().filter(|_| unchanged(n)))
                .collect()
        } else {
            std::iter::repeat_with(|| None).take(count).collect()
        };
        self.key = Some(key);
        self.memories = Arc::clone(cx.memories);
    }

    /// What was said of pairs of which neither changed.
    pub(super) fn take_pairs(&mut self) -> Checked {
        std::mem::take(&mut self.pairs)
    }

    /// Keeps what was said of pairs, where memories are kept at all.
    pub(super) fn put_pairs(&mut self, pairs: Checked) {
        let found = pairs.values().filter(|found| found.is_some()).count();
        if !self.kept.is_empty() && found <= MOST_FOUND {
            self.pairs = pairs;
        }
    }

    /// What is kept of a memory that did not change.
    pub(super) fn get(&self, index: usize) -> Option<&Kept> {
        self.kept.get(index)?.as_ref()
    }

    /// Keeps what was found in a memory.
    pub(super) fn put(&mut self, index: usize, found: &Sifted, features: &Features) {
        if self.kept.len() <= WHOLE
            && let Some(place) = self.kept.get_mut(index)
        {
            *place = Some(Kept {
                told: Told::Found(found.clone()),
                features: Some(features.clone()),
            });
        }
    }

    /// Keeps of many memories how much was found in one, where none of it is held.
    pub(super) fn put_counts(&mut self, index: usize, counts: Counts) {
        if self.kept.len() > WHOLE
            && let Some(kept) = self.kept.get_mut(index)
        {
            *kept = Some(Kept {
                told: Told::Counted(counts),
                features: None,
            });
        }
    }
}

/// What was said of pairs of which neither changed, wherever they stand now.
fn follow(pairs: Checked, old: &Snapshot, new: &Snapshot) -> Checked {
    let places = new.iter().enumerate();
    let places: HashMap<*const Memory, u32> = places
        .filter_map(|(n, memory)| Some((Arc::as_ptr(memory), u32::try_from(n).ok()?)))
        .collect();
    let place = |n: u32| places.get(&Arc::as_ptr(old.get(n as usize)?)).copied();
    let still = pairs.into_iter().filter_map(|((a, b), found)| {
        let (a, b) = (place(a)?, place(b)?);
        let found = found.map(|mut found| {
            if (found.a, found.b) != (a as usize, b as usize) {
                let moved = Arc::make_mut(&mut found);
                (moved.a, moved.b) = (a as usize, b as usize);
            }
            found
        });
        (a < b).then_some(((a, b), found))
    });
    still.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::lint::tests::{Sample, Store, memory};
    use crate::lint::{Selection, digest, digest_again};

    /// A store in which what is equal in an earlier one is the same memory.
    fn after(earlier: &Store, samples: Vec<Sample>) -> Store {
        let mut store = Store::new(samples);
        let same = |memory: &Arc<crate::memory::Memory>| {
            let text = |store: &Store| store.cx().texts.text(memory);
            let known = earlier.memories.iter().find(|old| old.id == memory.id);
            known
                .filter(|old| *old == memory && text(earlier) == text(&store))
                .unwrap_or(memory)
                .clone()
        };
        let memories = store.memories.iter().map(same).collect();
        store.memories = Arc::new(memories);
        store.texts.reads.store(0, Ordering::Relaxed);
        store
    }

    fn samples(bodies: [&str; 3], fields: [&str; 3]) -> Vec<Sample> {
        let [a, b, c] = bodies;
        let [x, y, z] = fields;
        vec![
            memory("pool").front(x, a),
            memory("sizes").front(y, b),
            memory("other").front(z, c),
        ]
    }

    #[test]
    fn what_did_not_change_is_not_read_again_and_nothing_else_is_said_than_anew() {
        let rules = Selection::all();
        let mut memo = Memo::default();
        let first = [
            "The pool holds ten.",
            "Amounts are cents.",
            "Ask \u{1b} first.",
        ];
        let plain = ["", "", ""];
        let mut store = Store::new(samples(first, plain));
        digest_again(&store.cx(), &rules, usize::MAX, &mut memo);
        for (bodies, fields, most) in [
            (first, plain, 0),
            (["The pool holds \u{1b} 25.", first[1], first[2]], plain, 1),
            (
                [
                    "x",
                    "The database answers in ten seconds at most.",
                    "The database answers in 30 seconds at most.",
                ],
                plain,
                usize::MAX,
            ),
            // Of two that are compared again, neither is read where neither changed.
            (
                [
                    "y",
                    "The database answers in ten seconds at most.",
                    "The database answers in 30 seconds at most.",
                ],
                plain,
                1,
            ),
            (first, plain, usize::MAX),
            // What one says of another concerns that one too.
            (first, ["", "", "supersedes: sizes"], usize::MAX),
            (first, ["title: \"Other\"", "", ""], usize::MAX),
            (first, ["relatedMemories: [nothing]", "", ""], usize::MAX),
            (first, ["relatedMemories: [sizes]", "", ""], 1),
        ] {
            store = after(&store, samples(bodies, fields));
            let anew = digest(&store.cx(), &rules, usize::MAX);
            store.texts.reads.store(0, Ordering::Relaxed);
            let again = digest_again(&store.cx(), &rules, usize::MAX, &mut memo);
            assert_eq!(again, anew, "{bodies:?} {fields:?}");
            let read = store.texts.reads.load(Ordering::Relaxed);
            assert!(read <= most, "{bodies:?} {fields:?}: {read}");
        }
    }

    #[test]
    fn what_a_person_decides_holds_for_what_is_kept() {
        use crate::lint::answers::{Answer, Resolution, fingerprint};
        use crate::lint::baseline::Baseline;
        let rules = Selection::all();
        let mut memo = Memo::default();
        let bodies = ["The pool holds ten.", "Ask \u{1b} first.", "Nothing."];
        let mut store = Store::new(samples(bodies, ["supersedes: sizes", "", ""]));
        let found = |store: &Store, memo: &mut Memo| {
            let again = digest_again(&store.cx(), &rules, usize::MAX, memo);
            assert_eq!(again, digest(&store.cx(), &rules, usize::MAX));
            let found = again.findings.into_iter();
            found.map(|one| one.rule).collect::<Vec<_>>()
        };
        let first = found(&store, &mut memo);
        for rule in ["superseded-active", "terminal-escape"] {
            assert!(first.contains(&rule), "{rule}: {first:?}");
        }
        let print = |index: usize| {
            let memory = &store.memories[index];
            let text = store.cx().texts.text(memory).unwrap();
            fingerprint("superseded-active", memory, &text)
        };
        let ids = [0, 1].map(|n: usize| store.memories[n].id.clone());
        let answer = Answer::new(
            "superseded-active",
            (&ids[0], print(0)),
            (&ids[1], print(1)),
            Resolution::Both,
        );
        store.answers = Answers::parse(&answer.to_line());
        let second = found(&store, &mut memo);
        assert!(!second.contains(&"superseded-active"), "{second:?}");
        let least = ("body-length", "least");
        store.tuning.all.thresholds.insert(least, 1_000.0);
        assert!(found(&store, &mut memo).contains(&"body-length"));
        let all = digest(&store.cx(), &rules, usize::MAX).findings;
        store.baseline = Baseline::of(&store.cx(), &all, &Baseline::default());
        assert_eq!(found(&store, &mut memo), [""; 0]);
        store.baseline = Baseline::default();
        assert!(found(&store, &mut memo).contains(&"terminal-escape"));
    }
}
