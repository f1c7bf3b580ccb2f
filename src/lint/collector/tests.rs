use crate::curate::Change;
use crate::lint::baseline::Baseline;
use crate::lint::tests::{Sample, Store, memory};
use crate::lint::{Selection, UNUSED, asking, digest};
use crate::memory::Timestamp;

const PERSONAL: &str = "The build writes to /home/ada/work/out every night.";

/// Two memories, of which the first has a personal path and is short.
fn store(first: &str, words: u32) -> Store {
    Store::new(vec![
        memory("a").front("", first).words(words),
        memory("b").front("", "Nothing is wrong with this."),
    ])
}

/// The baseline of a store, as its file has it.
fn baseline(store: &Store) -> Baseline {
    let found = store.run();
    let made = Baseline::of(&store.cx(), &found, &Baseline::default());
    Baseline::parse(&made.to_text()).unwrap()
}

fn rules(store: &Store) -> Vec<&'static str> {
    store.run().into_iter().map(|one| one.rule).collect()
}

#[test]
fn old_findings_are_left_out_and_counted() {
    let mut store = store(PERSONAL, 30);
    assert_eq!(rules(&store), ["body-length", "personal-path"]);
    store.baseline = baseline(&store);
    assert_eq!(store.baseline.len(), 2);
    let digest = digest(&store.cx(), &Selection::all(), usize::MAX);
    assert_eq!(digest.findings, []);
    assert_eq!((digest.warnings, digest.marks[0].count), (0, 0));
    assert_eq!(digest.unreported.old, 2);
    assert_eq!(digest.unreported.silenced, 0);
}

#[test]
fn an_old_finding_is_known_where_it_moves_and_not_where_it_is_another() {
    let old = baseline(&store(PERSONAL, 30));
    for (body, words, expected) in [
        // Lines above it, other blanks, another count.
        (format!("A first line.\n\n{PERSONAL}"), 34, vec![]),
        (PERSONAL.replace(' ', "  "), 30, vec![]),
        (
            PERSONAL.replace("/home/ada/work", "/home/eve/work"),
            30,
            vec![UNUSED, "personal-path"],
        ),
    ] {
        let mut store = store(&body, words);
        store.baseline = old.clone();
        assert_eq!(rules(&store), expected, "{body}");
    }
}

#[test]
fn what_does_not_occur_any_more_is_said_with_its_fix() {
    let mut later = store("Nothing is left of it.", 300);
    later.baseline = baseline(&store(PERSONAL, 30));
    let found = later.run();
    let said: Vec<_> = found
        .iter()
        .map(|one| (one.memory, one.message.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            (
                0,
                "1 finding of `body-length` in the baseline no longer occurs"
            ),
            (
                0,
                "1 finding of `personal-path` in the baseline no longer occurs"
            ),
        ]
    );
    let mut left = later.baseline.clone();
    for finding in &found {
        let Some(Change::Unlist(_, gone)) = finding.fix.as_ref().map(|fix| &fix.change) else {
            panic!("{finding:?}");
        };
        left = left.without(gone);
    }
    assert!(left.is_empty());
    later.baseline = left;
    assert_eq!(rules(&later), [""; 0]);
}

#[test]
fn old_findings_of_memories_that_are_gone_are_counted() {
    let mut later = Store::of(&[("b", "Nothing is wrong with this.")]);
    later.baseline = baseline(&store(PERSONAL, 30));
    let digest = digest(&later.cx(), &Selection::all(), usize::MAX);
    assert_eq!((digest.findings.len(), digest.unreported.gone), (0, 2));
}

#[test]
fn pairs_are_old_with_the_same_pair_only() {
    const TEN: &str = "The pool holds 10 connections in production.";
    const MORE: &str = "The pool holds 25 connections in production.";
    let old = baseline(&Store::of(&[("a", TEN), ("b", MORE)]));
    for (bodies, expected) in [
        (&[("a", TEN), ("b", MORE)][..], 0),
        // Another number on either side is another contradiction.
        (
            &[
                ("a", "The pool holds 11 connections in production."),
                ("b", MORE),
            ],
            1,
        ),
        (
            &[
                ("a", TEN),
                ("b", "The pool holds 26 connections in production."),
            ],
            1,
        ),
        // The same text under another name is the memory that was renamed.
        (&[("c", TEN), ("b", MORE)], 0),
        (&[("a", TEN), ("b", MORE), ("c", TEN)], 1),
    ] {
        let mut store = Store::of(bodies);
        store.baseline = old.clone();
        assert_eq!(store.only("contradiction").len(), expected, "{bodies:?}");
    }
}

/// Memories that rules ask about, in the order of their names: which of two is reported goes by
/// dates and names.
fn pairs(names: [&str; 4], dates: [i64; 2]) -> Store {
    let [pool, sizes, first, again] = names;
    let long = "Invoices are printed on the second printer in the hall, which takes the paper \
                from the lower tray, and a copy goes to the binder beside it.";
    let dated = |sample: Sample, day: i64| {
        sample.change(|memory| memory.created = Some(Timestamp(day * 86_400_000)))
    };
    let mut samples = vec![
        dated(
            memory(pool).front("", "The pool holds 10 connections in production."),
            dates[0],
        ),
        dated(
            memory(sizes).front("", "The pool holds 25 connections in production."),
            dates[1],
        ),
        memory(first).front("", long),
        memory(again).front("", &format!("{long} Ask Ada.")),
    ];
    samples.sort_by_key(Sample::id);
    Store::new(samples)
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

#[test]
fn what_is_asked_about_two_is_known_by_both_and_not_by_the_one_it_is_reported_on() {
    let store = pairs(NAMES, [1, 2]);
    let asked = |store: &Store| {
        let mut found = rules(store);
        found.retain(|rule| *rule == UNUSED || asking().any(|one| one == *rule));
        found
    };
    assert_eq!(asked(&store), ["contradiction", "near-duplicate"]);
    let old = baseline(&store);
    // Another date takes it to the other of the two.
    for dates in [[1, 2], [2, 1], [9, 9]] {
        let mut later = pairs(NAMES, dates);
        later.baseline = old.clone();
        assert_eq!(asked(&later), [""; 0], "{dates:?}");
    }
    // So does another name, where the baseline was told, and where another program gave it.
    for (n, to) in [(0, "x"), (1, "0"), (2, "x"), (3, "0")] {
        let mut names = NAMES;
        let from = std::mem::replace(&mut names[n], to);
        let mut later = pairs(names, [1, 2]);
        let ids = [from, to].map(|local| format!("rawko:{local}"));
        later.baseline = old.renamed(&ids[0], &ids[1]).unwrap();
        assert_eq!(asked(&later), [""; 0], "{from} {to}");
        later.baseline = old.clone();
        assert_eq!(asked(&later), [""; 0], "{from} {to}");
    }
}
