//! What was found the last time, taken again for memories that did not change.

mod gathers;
mod places;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use self::gathers::Gathers;
pub(super) use self::places::Places;
use super::answers::Answers;
use super::asks::{self, Ask};
use super::digest::{Counts, New};
use super::look::Gathered;
use super::pairs::{Checked, Features};
use super::sift::Found;
use super::tuning::Tuning;
use super::{Context, Facts, Rule};
use crate::memory::{Severity, Timestamp};
use crate::retrieval::Snapshot;

/// Of more memories the rules that found something are kept, and neither findings nor features:
/// they would take more room than the memories. The findings that are held are looked for again,
/// and the features, where memories are compared.
const WHOLE: usize = 5_000;

/// What was found in each memory the last time, and what its body has in common with others.
pub struct Memo {
    key: Option<Key>,
    now: Timestamp,
    /// What was said of pairs.
    answers: Answers,
    memories: Snapshot,
    /// The text of each as a number.
    texts: Vec<u64>,
    /// How much was found in each, by the number of the list, or [`NOTHING`] or [`ALL`].
    kept: Vec<u32>,
    /// All that is known, where that is kept.
    whole: HashMap<u32, Whole>,
    /// Each list of rules that found something in a memory, of which there are few.
    kinds: Vec<Counts>,
    kind: HashMap<Counts, u32>,
    /// What was asked about other memories, and by which.
    asked: Vec<(Ask, u32)>,
    gathers: Gathers,
    /// The paths of the project, and what became of them, when that was gathered.
    project: u64,
    /// What was said of pairs of memories.
    pairs: Checked,
    /// Of how many memories more than the number of findings is kept.
    most: usize,
}

impl Default for Memo {
    fn default() -> Self {
        Self::keeping(WHOLE)
    }
}

/// Of a memory nothing is kept.
const NOTHING: u32 = u32::MAX;
/// Of a memory all is kept.
const ALL: u32 = u32::MAX - 1;

/// All that is to be known of a memory.
pub(super) struct Whole {
    /// What the rules found.
    pub found: Found,
    /// The features of its body, where it is compared with others.
    pub features: Option<Features>,
}

/// What is known of a memory.
pub(super) enum Known<'a> {
    /// How much was found, and the number of that list.
    Counted(u32, &'a [(&'static str, Severity)]),
    Whole(&'a Whole),
}

/// What findings in all memories depend on. Where it is another one, all are looked at.
#[derive(PartialEq)]
struct Key {
    rules: Vec<&'static str>,
    /// From where on rules find something.
    tuning: Tuning,
    baseline: bool,
    /// What the files of the project say that are no memories.
    files: u64,
}

impl Key {
    fn of(cx: &Context<'_>, facts: &Facts, rules: &[&dyn Rule]) -> Self {
        let mut hasher = DefaultHasher::new();
        facts.manifests(cx).hash(&mut hasher);
        facts.documents(cx).hash(&mut hasher);
        Self {
            rules: rules.iter().map(|rule| rule.id()).collect(),
            tuning: cx.tuning.clone(),
            baseline: cx.baseline.is_empty(),
            files: hasher.finish(),
        }
    }
}

impl Memo {
    /// Nothing yet; all is kept of so many memories at most.
    pub(super) fn keeping(most: usize) -> Self {
        Self {
            most,
            key: None,
            now: Timestamp::default(),
            answers: Answers::default(),
            memories: Snapshot::default(),
            texts: Vec::new(),
            kept: Vec::new(),
            whole: HashMap::new(),
            kinds: Vec::new(),
            kind: HashMap::new(),
            asked: Vec::new(),
            gathers: Gathers::default(),
            project: 0,
            pairs: Checked::default(),
        }
    }

    /// Ready for these memories: what is kept of others is let go.
    pub(super) fn turn(&mut self, cx: &Context<'_>, facts: &Facts, rules: &[&dyn Rule]) {
        let key = Key::of(cx, facts, rules);
        let known = self.key.as_ref();
        let tuned = known.is_some_and(|known| known.tuning == key.tuning);
        let places = Places::of(&self.memories, cx.memories, &|n, at| {
            let known = self.kept.get(n).is_some_and(|kept| *kept != NOTHING);
            let text = || cx.texts.text(cx.memories.get(at)?);
            known && text().map(|text| number(&text)).as_ref() == self.texts.get(n)
        });
        let follows = known == Some(&key);
        let touched = follows.then(|| places.touched(&self.memories, cx.memories));
        let touched = touched.flatten();
        let same = touched.is_some();
        let pairs = std::mem::take(&mut self.pairs);
        if tuned {
            self.pairs = follow(pairs, &places);
        }
        let count = cx.memories.len();
        let project = cx.project.stamp();
        self.gathers = match same && self.project == project {
            true => std::mem::take(&mut self.gathers).moved(&places, count),
            false => Gathers::new(count),
        };
        let texts = std::mem::replace(&mut self.texts, vec![0; count]);
        for (n, text) in texts.into_iter().enumerate() {
            let to = places.to(n).and_then(|to| self.texts.get_mut(to));
            to.into_iter().for_each(|to| *to = text);
        }
        let old = std::mem::replace(&mut self.kept, vec![NOTHING; count]);
        let whole = std::mem::take(&mut self.whole);
        match touched {
            Some(touched) => self.take_over(cx, (&places, touched), old, whole),
            None => {
                self.asked.clear();
                self.kinds.clear();
                self.kind.clear();
            }
        }
        self.key = Some(key);
        self.project = project;
        self.now = cx.now;
        self.answers.clone_from(cx.answers);
        self.memories = Arc::clone(cx.memories);
    }

    /// Keeps what was found in memories that are as they were, but where what they asked for is
    /// another answer now.
    fn take_over(
        &mut self,
        cx: &Context<'_>,
        (places, mut touched): (&Places, HashSet<Ask>),
        mut old: Vec<u32>,
        mut whole: HashMap<u32, Whole>,
    ) {
        touched.extend((self.now != cx.now).then_some(asks::CLOCK));
        touched.extend((self.answers != *cx.answers).then_some(asks::ANSWERS));
        for (ask, memory) in &self.asked {
            if touched.contains(ask)
                && let Some(kept) = old.get_mut(*memory as usize)
            {
                *kept = NOTHING;
            }
        }
        for (n, kept) in (0_u32..).zip(old) {
            let Some(to) = places.to(n as usize) else {
                continue;
            };
            let memory = cx.memories.get(to);
            let over = |now| memory.is_some_and(|memory| memory.is_expired(now));
            let place = self.kept.get_mut(to);
            let place = place.filter(|_| over(self.now) == over(cx.now));
            let (Some(place), Ok(key)) = (place, u32::try_from(to)) else {
                continue;
            };
            if kept == ALL {
                let Some(mut one) = whole.remove(&n) else {
                    continue;
                };
                if !places.all_stay {
                    if one.found.names_moved_lines(places) {
                        continue;
                    }
                    one.found.moved(n as usize, places);
                }
                self.whole.insert(key, one);
            }
            *place = kept;
        }
        let kept = &self.kept;
        self.asked.retain_mut(|(_, memory)| {
            let to = places.to(*memory as usize);
            *memory = to.and_then(|to| u32::try_from(to).ok()).unwrap_or(u32::MAX);
            to.is_some_and(|to| kept.get(to).is_some_and(|kept| *kept != NOTHING))
        });
    }

    /// What was said of pairs of which neither changed.
    pub(super) fn take_pairs(&mut self) -> Checked {
        std::mem::take(&mut self.pairs)
    }

    /// Keeps what was said of pairs.
    pub(super) fn put_pairs(&mut self, pairs: Checked) {
        if self.keeps() {
            self.pairs = pairs;
        }
    }

    /// What is known of a memory that did not change.
    pub(super) fn get(&self, index: usize) -> Option<Known<'_>> {
        match *self.kept.get(index)? {
            NOTHING => None,
            ALL => Some(Known::Whole(self.whole.get(&u32::try_from(index).ok()?)?)),
            kind => Some(Known::Counted(kind, self.counts(kind))),
        }
    }

    /// What a memory has for the rules that tell at the end; none where it has to be looked at.
    pub(super) fn gathered(&self, index: usize) -> Option<Gathered> {
        self.gathers.get(index)
    }

    /// Keeps what a memory has for the rules that tell at the end.
    pub(super) fn gather(&mut self, index: usize, gathered: Option<Gathered>) {
        if let Some(gathered) = gathered {
            self.gathers.put(index, gathered);
        }
    }

    /// The rules and severities of a list.
    pub(super) fn counts(&self, kind: u32) -> &[(&'static str, Severity)] {
        self.kinds.get(kind as usize).map_or(&[], |counts| counts)
    }

    /// Whether anything is kept.
    pub(super) fn keeps(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Whether all that is found in one more memory is kept, `plain` where the number of findings
    /// says as much.
    pub(super) fn keeps_whole(&self, plain: bool) -> bool {
        let count = self.kept.len();
        count > 0 && (count <= self.most || !plain && self.whole.len() < self.most)
    }

    /// Keeps all that was found in a memory.
    pub(super) fn put(&mut self, index: usize, new: New, found: Found) {
        let few = self.kept.len() <= self.most;
        let features = new.features.filter(|_| few);
        if let Some(memory) = self.keep(index, ALL, (new.asked, new.text)) {
            self.whole.insert(memory, Whole { found, features });
        }
    }

    /// Keeps how much was found in a memory.
    pub(super) fn put_counts(&mut self, index: usize, new: New, counts: Counts) {
        let next = u32::try_from(self.kinds.len()).unwrap_or(NOTHING);
        let kind = match self.kind.get(&counts) {
            Some(kind) => *kind,
            None if self.kept.is_empty() || next >= ALL => return,
            None => {
                self.kinds.push(counts.clone());
                self.kind.insert(counts, next);
                next
            }
        };
        self.keep(index, kind, (new.asked, new.text));
    }

    fn keep(&mut self, index: usize, kind: u32, (asked, text): (Vec<Ask>, u64)) -> Option<u32> {
        let memory = u32::try_from(index).ok()?;
        *self.kept.get_mut(index)? = kind;
        *self.texts.get_mut(index)? = text;
        self.asked
            .extend(asked.into_iter().map(|ask| (ask, memory)));
        Some(memory)
    }

    /// Lets go of room that is not needed until something changes.
    pub(super) fn settle(&mut self) {
        self.asked.shrink_to_fit();
    }
}

/// A text as a number.
pub(super) fn number(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What was said of pairs of which neither changed, wherever they stand now.
fn follow(pairs: Checked, places: &Places) -> Checked {
    let still = pairs.into_iter().filter_map(|(found_at, mut known)| {
        let (a, b) = (
            places.to(found_at.0 as usize)?,
            places.to(found_at.1 as usize)?,
        );
        let down = [found_at.0, found_at.1].map(|n| places.down(n as usize));
        if let Some(found) = &mut known.found
            && ((found.a, found.b) != (a, b) || down != [0, 0])
        {
            Arc::make_mut(found).moved((a, b), down);
        }
        let pair = (u32::try_from(a).ok()?, u32::try_from(b).ok()?);
        (a < b).then_some((pair, known))
    });
    still.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use proptest::prelude::*;

    use super::*;
    use crate::lint::tests::{Sample, Store, memory};
    use crate::lint::{Selection, digest, digest_again};
    use crate::memory::{Memory, Value};

    /// A store in which what is equal in an earlier one is the same memory.
    fn after(earlier: &Store, samples: Vec<Sample>) -> Store {
        let mut store = Store::new(samples);
        let same = |memory: &Arc<Memory>| {
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
                    "Longer.",
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

    /// A step of a store: of one memory its body, its fields, or whether it is there.
    #[derive(Clone, Debug)]
    enum Step {
        Body(usize, usize),
        Fields(usize, usize),
        State(usize),
        Add(usize, usize),
        Remove(usize),
        Swap(usize, usize),
        /// It stands so many lines further down, in a file that was written anew.
        Line(usize, u32),
        Answer(usize, usize),
        Time(i64),
        Baseline,
    }

    const BODIES: [&str; 10] = [
        "The pool holds ten.",
        "The database answers in ten seconds at most.",
        "The database answers in 30 seconds at most.",
        "The database answers in 30 seconds at most, and the pool holds ten connections.",
        "Ask \u{1b} first.",
        "This supersedes note-2 of old.",
        "Superseded: see the other.",
        "Freeze until 2026-02-03: do not deploy.",
        "<!-- memkeep-ignore body-length: short --> The pool holds ten.",
        "Ask \u{1b} first.\nThen \u{1b} again.",
    ];

    const FIELDS: [&str; 7] = [
        "",
        "supersedes: note-1",
        "relatedMemories: [note-3, nothing]",
        "relatedMemories: [Note_1]",
        "status: titled",
        "discoveredAt: 2026-02-09T00:00:00Z",
        "whenToUse: \"|\"",
    ];

    fn step() -> impl Strategy<Value = Step> {
        let n = || 0..8_usize;
        prop_oneof![
            4 => (n(), 0..BODIES.len()).prop_map(|(n, to)| Step::Body(n, to)),
            4 => (n(), 0..FIELDS.len()).prop_map(|(n, to)| Step::Fields(n, to)),
            1 => n().prop_map(Step::State),
            2 => (n(), 0..BODIES.len()).prop_map(|(n, body)| Step::Add(n, body)),
            2 => n().prop_map(Step::Remove),
            1 => (n(), n()).prop_map(|(a, b)| Step::Swap(a, b)),
            3 => (n(), 0..3_u32).prop_map(|(n, line)| Step::Line(n, line)),
            1 => (n(), n()).prop_map(|(a, b)| Step::Answer(a, b)),
            1 => (1..40_i64).prop_map(Step::Time),
            1 => Just(Step::Baseline),
        ]
    }

    /// A memory in short: its name, body, fields, whether it is archived, and its line.
    type Short = (String, usize, usize, bool, u32);

    fn stored(notes: &[Short]) -> Vec<Sample> {
        let archived = |memory: &mut Memory, is| {
            if is {
                memory.state = crate::memory::State::Archived;
            }
        };
        let sample = |(name, body, fields, is, line): &Short| {
            memory(name)
                .front(FIELDS[*fields], BODIES[*body])
                .change(|memory| {
                    archived(memory, *is);
                    memory.line += line;
                    let bytes = 10 * *line as usize;
                    for range in [&mut memory.span, &mut memory.body] {
                        *range = range.start + bytes..range.end + bytes;
                    }
                    memory.stamp.modified = i64::from(*line);
                    if memory.field("status").is_some() {
                        memory.title = "One".into();
                        let fields = memory.fields.iter().map(|(name, value)| match name {
                            "title" => (name, Value::from("One")),
                            _ => (name, value.clone()),
                        });
                        memory.fields = fields.collect();
                    }
                    memory.created = memory
                        .field("discoveredAt")
                        .and_then(|at| Timestamp::parse_iso(at.as_str()?));
                })
        };
        notes.iter().map(sample).collect()
    }

    fn take(notes: &mut Vec<Short>, step: &Step) {
        let count = notes.len();
        let at = |n: usize| n % count.max(1);
        match *step {
            Step::Body(n, to) if count > 0 => notes[at(n)].1 = to,
            Step::Fields(n, to) if count > 0 => notes[at(n)].2 = to,
            Step::State(n) if count > 0 => notes[at(n)].3 ^= true,
            Step::Add(n, body) => {
                let name = |n: usize| format!("note-{n}");
                let known = |name: &String| notes.iter().any(|(known, ..)| known == name);
                let free = (0..).map(name).find(|name| !known(name)).unwrap();
                notes.insert(n.min(count), (free, body, 0, false, 0));
            }
            Step::Remove(n) if count > 0 => drop(notes.remove(at(n))),
            Step::Swap(a, b) if count > 0 => notes.swap(at(a), at(b)),
            Step::Line(n, line) if count > 0 => notes[at(n)].4 += line,
            _ => {}
        }
    }

    /// What a person decides, and what time it is.
    fn decide(store: &mut Store, step: &Step, now: &mut Timestamp) {
        use crate::lint::answers::{Answer, Resolution, fingerprint};
        use crate::lint::baseline::Baseline;
        match *step {
            Step::Answer(a, b) if a != b && a.max(b) < store.memories.len() => {
                let rule = "superseded-active";
                let side = |n: usize| {
                    let memory = &store.memories[n];
                    let text = store.cx().texts.text(memory).unwrap();
                    (memory.id.clone(), fingerprint(rule, memory, &text))
                };
                let ((a, x), (b, y)) = (side(a), side(b));
                let answer = Answer::new(rule, (&a, x), (&b, y), Resolution::Both);
                store.answers = Answers::parse(&answer.to_line());
            }
            Step::Time(hours) => now.0 += hours * 3_600_000,
            Step::Baseline if store.baseline.is_empty() => {
                let all = digest(&store.cx(), &Selection::all(), usize::MAX).findings;
                store.baseline = Baseline::of(&store.cx(), &all, &Baseline::default());
            }
            Step::Baseline => store.baseline = Baseline::default(),
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// Whatever changes, what is kept says what a fresh look would say, however little is
        /// kept and however few findings are held.
        #[test]
        fn what_is_kept_says_what_a_fresh_look_says(
            first in prop::collection::vec((0..BODIES.len(), 0..FIELDS.len()), 0..7),
            steps in prop::collection::vec(step(), 1..12),
            keeping in prop_oneof![Just(0_usize), Just(2), Just(WHOLE)],
            most in prop_oneof![Just(0_usize), Just(1), Just(3), Just(usize::MAX)],
        ) {
            let rules = Selection::all();
            let mut notes: Vec<Short> = first
                .into_iter()
                .enumerate()
                .map(|(n, (body, fields))| (format!("note-{n}"), body, fields, false, 0))
                .collect();
            let mut memo = Memo::keeping(keeping);
            let mut now = crate::lint::tests::NOW;
            let mut store = Store::new(stored(&notes));
            for step in &steps {
                take(&mut notes, step);
                let next = after(&store, stored(&notes));
                store = Store { answers: store.answers, baseline: store.baseline, ..next };
                decide(&mut store, step, &mut now);
                let cx = Context { now, ..store.cx() };
                let anew = digest(&cx, &rules, most);
                let again = digest_again(&cx, &rules, most, &mut memo);
                prop_assert_eq!(&again, &anew, "{:?} of {:?}", step, &notes);
                let all = digest(&cx, &rules, usize::MAX).findings;
                prop_assert!(anew.findings.iter().all(|finding| all.contains(finding)));
            }
        }
    }
}
