//! Properties that hold for any store and any task.

use proptest::prelude::*;

use super::*;

const WORDS: [&str; 14] = [
    "oauth",
    "login",
    "use",
    "db",
    "É",
    "日本語",
    "𝐀𐐀x",
    "src/a.java",
    "#12",
    "straße",
    "ΑΣ",
    "null",
    "ab",
    "x-y",
];

fn any_text(most: usize) -> impl Strategy<Value = String> {
    let word = proptest::sample::select(&WORDS[..]);
    let gap = proptest::sample::select(&[" ", "  ", ", ", "/", "\n", "\u{a0}", "."][..]);
    proptest::collection::vec((word, gap), 0..=most).prop_map(|parts| {
        parts
            .into_iter()
            .map(|(word, gap)| format!("{word}{gap}"))
            .collect()
    })
}

fn any_fields() -> impl Strategy<Value = Vec<(&'static str, Value)>> {
    let pick =
        |words: &'static [&'static str]| proptest::sample::select(words).prop_map(Value::from);
    let number = (0..=12_i32).prop_map(|n| Value::Float(f64::from(n) / 10.0));
    let day = pick(&[
        "2026-11-01T12:00:00Z",
        "2026-11-01T12:34:56.789Z",
        "2026-10-02T12:34:56.789Z",
        "2026-10-20T00:00:00.5Z",
        "2026-11-03T00:00:00Z",
    ]);
    let tags = proptest::collection::vec(pick(&["java", " Java ", "ΑΣ", "oauth"]), 0..3);
    let some = any::<u16>();
    (
        pick(&["EPISODIC", "SEMANTIC", "PROCEDURAL", "WORKING", "fact"]),
        pick(&["FIX", "DECISION", "TASK_STATE"]),
        any_text(4),
        tags,
        number,
        day,
        pick(&["a", "b", "", "c"]),
        pick(&["global", "task:t", "session:web:c"]),
        some,
    )
        .prop_map(
            |(layer, kind, title, tags, number, day, print, scope, some)| {
                let all = [
                    ("layer", layer),
                    ("type", kind),
                    ("title", title.into()),
                    ("tags", tags.into_iter().collect()),
                    ("salience", number),
                    ("updatedAt", day),
                    ("fingerprint", print),
                    ("scope", scope),
                ];
                let kept = all
                    .into_iter()
                    .enumerate()
                    .filter(|(n, _)| some >> n & 3 != 0);
                kept.map(|(_, field)| field).collect()
            },
        )
}

const FILES: [&str; 5] = [
    FACTS,
    "items/procedural.jsonl",
    "items/episodic/2026-11-01.jsonl",
    "items/episodic/2026-10-12.jsonl",
    "scopes/session/web/c/items/semantic.jsonl",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_index_changes_nothing(
        rows in proptest::collection::vec((proptest::sample::select(&FILES[..]), any_fields(), any_text(8)), 0..30),
        asked in any_text(4), skill in proptest::sample::select(&["", "java", "ας", "java "][..]),
        scope in proptest::sample::select(&["global", "task:t,session:web:c"][..]),
        places in 0..6_usize, budget in 0..200_usize, rejected in 0..40_usize, which in any::<prop::sample::Index>(),
        other in any_fields(), rerank in any::<bool>(),
    ) {
        let rows: Vec<Row<'_>> = rows.iter().map(|(file, fields, body)| (*file, fields.clone(), body.as_str())).collect();
        let (memories, bodies) = store(&rows);
        let rerank = rerank.to_string();
        let mut limits = limits(&[("skill", skill), ("scope", scope), ("reranking.enabled", &rerank)]);
        (limits.max, limits.budget, limits.rejected) = (Some(places), Some(budget), rejected);
        let task = task(&asked);
        let plain = POLICY.scorer(memories.clone());
        let mut indexed = POLICY.scorer(memories.clone());
        indexed.index(&bodies);
        let before = plain.preview(&task, &limits, None, &bodies);
        prop_assert_eq!(&before, &indexed.preview(&task, &limits, None, &bodies));
        prop_assert_eq!(before.rejected.len(), before.rejected_total.min(rejected));
        let all: Vec<usize> = (0..memories.len()).collect();
        let verdicts = plain.verdicts(&task, &limits, &all, &bodies);
        prop_assert_eq!(&verdicts, &indexed.verdicts(&task, &limits, &all, &bodies));
        prop_assert!(verdicts.iter().all(|one| one.rank.is_some() || one.hint.is_some()));
        if memories.is_empty() { return Ok(()) }
        // With another version of one memory it is the preview of a store that has that version.
        let at = which.index(memories.len());
        let mut edited = (*memories[at]).clone();
        edited.fields = other.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let mut replaced = (*memories).clone();
        replaced[at] = Arc::new(edited.clone());
        let really = POLICY.scorer(Arc::new(replaced)).preview(&task, &limits, None, &bodies);
        prop_assert_eq!(&really, &plain.preview(&task, &limits, Some((at, &edited)), &bodies));
        prop_assert_eq!(&really, &indexed.preview(&task, &limits, Some((at, &edited)), &bodies));
    }
}
