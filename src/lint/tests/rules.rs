//! Findings of rules in stores that are no rows of `tests/lint/*.toml`.

use serde::Deserialize;

use super::*;
use crate::memory::steps::steps_of;

#[test]
fn blank_lines_behind_the_fields_are_an_empty_body() {
    // A store gives the text without the blank lines that follow it.
    let front = "---\ntitle: a\nwhenToUse: auth\n---\n";
    for blank in ["", "\n", "\n\n\n", " \n"] {
        let sample = memory("a").text(&format!("{front}{blank}"));
        let text = front.trim_end().to_owned();
        let findings = Store::new(vec![Sample { text, ..sample }]).only("empty-body");
        assert_eq!(findings[0].message, "the body is empty", "{blank:?}");
        assert!(findings[0].line >= 4, "{blank:?} {}", findings[0].line);
    }
}

#[test]
fn labels_and_footers_that_many_memories_fill_in_contradict_nothing() {
    let one = |n: usize| {
        let body = format!(
            "Lesson {n} of the harbour.\n\n---\n\n**Atomicity**: {}% | **Impact**: {}/10\n\
             **Status**: {}\n",
            70 + n,
            n % 10,
            ["open", "done"][n % 2]
        );
        memory(&format!("skill-{n}")).front("", &body)
    };
    for count in [3, 8, 60] {
        let store = Store::new((0..count).map(one).collect());
        assert_eq!(store.only("contradiction"), [], "{count}");
    }
}

/// Pairs of statements, with the rule that reports them.
const PAIRS: [(&str, &str, &str); 5] = [
    (
        "contradiction",
        "The nightly export of the invoice archive starts at 02:30 UTC.",
        "The nightly export of the invoice archive starts at 04:00 UTC.",
    ),
    (
        "contradiction",
        "Never retry a failed refund in the payment worker.",
        "Always retry a failed refund in the payment worker.",
    ),
    (
        "contradiction",
        "Session tokens of the admin console are stored in Redis.",
        "Session tokens of the admin console are stored in Postgres.",
    ),
    (
        "contradiction",
        "监控面板的会话令牌存放在 Redis 里面。",
        "监控面板的会话令牌存放在 Postgres 里面。",
    ),
    (
        "near-duplicate",
        "Feature flags for the checkout page live in `config/flags.toml` and are read at start.",
        "Feature flags for the checkout page live in `config/flags.toml` and get read at start.",
    ),
];

/// A memory of so many statements that has few neighbouring words in common with others.
fn unrelated(seed: usize, statements: usize) -> String {
    let mut state = seed as u64 + 1;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        format!("topic{}", (state >> 33) % 4_000)
    };
    let statement = |_| format!("- The {} of {} needs {}.\n", word(), word(), word());
    (0..statements).map(statement).collect()
}

/// The findings on a pair among neighbours, turned round or not, without the names of its memories.
fn among(pair: (&str, &str, &str), neighbours: &[String], turn: bool) -> Vec<String> {
    let others = neighbours.iter().enumerate();
    let others = others.map(|(n, text)| (format!("m{n}"), text.clone()));
    let own = [("a", pair.1), ("z", pair.2)].map(|(name, text)| (name.to_owned(), text.to_owned()));
    let mut all: Vec<(String, String)> = own.into_iter().chain(others).collect();
    if turn {
        all.reverse();
    }
    let samples = all.iter().map(|(name, body)| memory(name).front("", body));
    let store = Store::new(samples.collect());
    let rules = ["contradiction", "near-duplicate", "contained"];
    let is_own = |at: usize| ["a", "z"].contains(&&*store.memories[at].id.local);
    let found = run(&store.cx(), &Selection::of(&rules).unwrap()).into_iter();
    let found = found.filter(|one| one.parties().all(is_own));
    let found = found.map(|one| format!("{} {:?} {:.3}", one.rule, one.severity, one.confidence));
    found.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn a_pair_is_found_alike_beside_any_neighbours(
        pair in prop::sample::select(&PAIRS[..]),
        neighbours in prop::collection::vec((any::<usize>(), 1_usize..40), 0..40),
        turn in any::<bool>(),
    ) {
        let alone = among(pair, &[], false);
        prop_assert_eq!(alone.len(), 1, "{:?}", pair);
        prop_assert!(alone[0].starts_with(pair.0), "{:?} {:?}", pair, alone);
        let texts = neighbours.into_iter().map(|(seed, size)| unrelated(seed, size));
        prop_assert_eq!(among(pair, &texts.collect::<Vec<_>>(), turn), alone);
    }
}

#[test]
fn a_pair_is_found_alike_among_two_thousand_memories() {
    let neighbours: Vec<String> = (0..2_000).map(|n| unrelated(n, 2)).collect();
    for pair in [PAIRS[0], PAIRS[4]] {
        assert_eq!(among(pair, &neighbours, true), among(pair, &[], false));
    }
}

#[derive(Debug, Deserialize)]
struct Shape {
    front: Option<[String; 3]>,
    body: Option<[String; 3]>,
}

impl Shape {
    /// The work of checking a memory in which the part is repeated so often.
    fn work(&self, count: usize) -> u64 {
        let text = |parts: &Option<[String; 3]>| {
            let [start, part, end] = parts.as_ref()?;
            let parts = (0..count).map(|n| part.replace('#', &format!("{n:03}")));
            Some(format!("{start}{}{end}", parts.collect::<String>()))
        };
        let front = text(&self.front).unwrap_or_default();
        let body = text(&self.body).unwrap_or_else(|| "Its body.".to_owned());
        let others = ["one-other", "another"].map(|name| memory(name).front("", "Another text."));
        let all = [memory("a").front(&front, &body)].into_iter().chain(others);
        let store = Store::new(all.collect());
        steps_of(|| store.run()).1
    }
}

#[test]
fn eight_times_the_size_is_no_more_than_sixteen_times_the_work() {
    const SIZE: usize = 100;
    // Steps are counted by thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.unwrap();
    for shape in crate::text::rows::<Vec<Shape>>("growth", "shape") {
        let (small, large) = pool.install(|| (shape.work(SIZE), shape.work(8 * SIZE)));
        let is_linear = (small..=16 * small).contains(&large);
        assert!(is_linear, "{shape:?}: {small} steps became {large}");
    }
}
