use crate::lint::baseline::Baseline;
use crate::lint::tests::{Sample, Store, memory};
use crate::lint::{FixAction, Selection, UNUSED, digest};

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
        let Some(FixAction::Unlist(gone)) = finding.fix.as_ref().map(|fix| &fix.action) else {
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
    let old = baseline(&store(PERSONAL, 30));
    let mut later = Store::new(vec![memory("b").front("", "Nothing is wrong with this.")]);
    later.baseline = old;
    let digest = digest(&later.cx(), &Selection::all(), usize::MAX);
    assert_eq!(digest.findings, []);
    assert_eq!(digest.unreported.gone, 2);
}

#[test]
fn pairs_are_old_with_the_same_pair_only() {
    let note = |name: &str, number: &str| {
        memory(name).front(
            "",
            &format!("The pool holds {number} connections in production."),
        )
    };
    let contradictions = |samples: Vec<Sample>, old: &Baseline| {
        let mut store = Store::new(samples);
        store.baseline = old.clone();
        store.only("contradiction").len()
    };
    let old = baseline(&Store::new(vec![note("a", "10"), note("b", "25")]));
    assert_eq!(
        contradictions(vec![note("a", "10"), note("b", "25")], &old),
        0
    );
    // Another number on either side is another contradiction.
    assert_eq!(
        contradictions(vec![note("a", "11"), note("b", "25")], &old),
        1
    );
    assert_eq!(
        contradictions(vec![note("a", "10"), note("b", "26")], &old),
        1
    );
    assert_eq!(
        contradictions(vec![note("c", "10"), note("b", "25")], &old),
        1
    );
}
