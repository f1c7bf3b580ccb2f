use std::sync::atomic::Ordering;

use proptest::prelude::*;

use super::*;
use crate::curate::Resolution;
use crate::lint::decisions::{Decision, fingerprint};
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

#[test]
fn texts_of_memories_that_did_not_change_are_not_read_again() {
    let rules = Selection::all();
    let mut cache = Cache::default();
    let mut store = Store::new(Vec::new());
    type Row = ([String; 3], [String; 3], usize);
    for (bodies, fields, most) in crate::text::rows::<Vec<Row>>("tables", "reads") {
        let names = ["pool", "sizes", "other"].into_iter();
        let samples = names.zip(&bodies).zip(&fields);
        let samples = samples.map(|((name, body), front)| memory(name).front(front, body));
        store = after(&store, samples.collect());
        let anew = digest(&store.cx(), &rules, usize::MAX);
        store.texts.reads.store(0, Ordering::Relaxed);
        let again = digest_again(&store.cx(), &rules, usize::MAX, &mut cache);
        assert_eq!(again, anew, "{bodies:?} {fields:?}");
        let read = store.texts.reads.load(Ordering::Relaxed);
        assert!(read <= most, "{bodies:?} {fields:?}: {read}");
    }
}

/// A step of a store: what changes, of which memory, and to which of several values. A line is how much
/// further down a memory stands in a file that was written anew.
type Step = (&'static str, usize, usize);

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
    "relatedCacheries: [note-3, nothing]",
    "relatedCacheries: [Note_1]",
    "status: titled",
    "discoveredAt: 2026-02-09T00:00:00Z",
    "whenToUse: \"|\"",
];

fn step() -> impl Strategy<Value = Step> {
    const KINDS: &str = "body body body body fields fields fields fields state add add remove remove \
                         swap line line line answer time baseline";
    let kinds: Vec<&str> = KINDS.split_whitespace().collect();
    (prop::sample::select(kinds), 0..8_usize, 0..40_usize)
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

fn take(notes: &mut Vec<Short>, (kind, n, to): Step) {
    let count = notes.len();
    let at = |n: usize| n % count.max(1);
    match kind {
        "add" => {
            let name = |n: usize| format!("note-{n}");
            let known = |name: &String| notes.iter().any(|(known, ..)| known == name);
            let free = (0..).map(name).find(|name| !known(name)).unwrap();
            notes.insert(n.min(count), (free, to % BODIES.len(), 0, false, 0));
        }
        _ if count == 0 => {}
        "body" => notes[at(n)].1 = to % BODIES.len(),
        "fields" => notes[at(n)].2 = to % FIELDS.len(),
        "state" => notes[at(n)].3 ^= true,
        "remove" => drop(notes.remove(at(n))),
        "swap" => notes.swap(at(n), at(to)),
        "line" => notes[at(n)].4 += u32::try_from(to % 3).unwrap(),
        _ => {}
    }
}

/// What a person decides, and what time it is.
fn decide(store: &mut Store, (kind, a, b): Step, now: &mut Timestamp) {
    match (kind, b % 8) {
        ("answer", b) if a != b && a.max(b) < store.memories.len() => {
            let rule = "superseded-active";
            let side = |n: usize| {
                let memory = &store.memories[n];
                let text = store.cx().texts.text(memory).unwrap();
                (memory.id.clone(), fingerprint(rule, memory, &text))
            };
            let ((a, x), (b, y)) = (side(a), side(b));
            let answer = Decision::answer(rule, (&a, x), (&b, y), Resolution::Both);
            store.decide(&answer.to_line());
        }
        ("time", _) => now.0 += i64::try_from(b + 1).unwrap() * 3_600_000,
        ("baseline", _) if !store.decisions.has_baseline() => {
            let all = digest(&store.cx(), &Selection::all(), usize::MAX).findings;
            store.leave(&all);
        }
        ("baseline", _) => store.decide(""),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever changes, however little is kept and however few findings are held.
    #[test]
    fn a_cached_run_finds_what_a_fresh_run_finds(
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
        let mut cache = Cache::keeping(keeping);
        let mut now = crate::lint::tests::NOW;
        let mut store = Store::new(stored(&notes));
        for step in steps {
            take(&mut notes, step);
            let next = after(&store, stored(&notes));
            store = Store { file: store.file, decisions: store.decisions, ..next };
            decide(&mut store, step, &mut now);
            let cx = Context { now, ..store.cx() };
            let anew = digest(&cx, &rules, most);
            let again = digest_again(&cx, &rules, most, &mut cache);
            prop_assert_eq!(&again, &anew, "{:?} of {:?}", step, &notes);
            let all = digest(&cx, &rules, usize::MAX).findings;
            prop_assert!(anew.findings.iter().all(|finding| all.contains(finding)));
        }
    }
}
