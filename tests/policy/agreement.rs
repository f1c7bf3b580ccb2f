//! What must hold for any store and task.

use std::sync::Arc;

use memkeep::app::edited;
use memkeep::memory::Value;
use memkeep::memory::edit::FieldEdit;
use memkeep::retrieval::{Limits, Preview, Reason};
use memkeep::systems::policy;
use proptest::prelude::*;
use proptest::sample::select;

use crate::helper::{Memo, World, limits, memo, task};

const DIALECTS: [&str; 4] = ["natural", "arbiter", "unified", "sdk"];

const WORDS: [&str; 14] = [
    "auth",
    "refund",
    "Fix",
    "the",
    "a",
    "İstanbul",
    "ΟΔΟΣ",
    "😀",
    "express",
    "handlers",
    "developer",
    "",
    "rate-limit",
    "K",
];

const PATTERNS: [&str; 30] = [
    "auth|login",
    "auth|",
    "|",
    "",
    "*",
    "?",
    "implement.*auth",
    "re*und",
    "a{2}",
    "r.{2}und",
    "(",
    "**",
    "[a-*",
    "\\D+.{0}",
    "When fixing refunds",
    "writing Express handlers",
    "İ",
    "ς",
    "σ.{0}",
    "😀?",
    "\u{a0}auth\u{feff}",
    "developer",
    "nothing",
    "never seen",
    "K.{0}",
    "x*",
    "(a|b)*",
    "the .* of",
    "express",
    "rate?limit",
];

fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(select(&WORDS[..]), count).prop_map(|words| words.join(" "))
}

prop_compose! {
    fn any_memo()(
        title in words(0..5),
        patterns in prop::collection::vec(select(&PATTERNS[..]), 0..4),
        importance in select(&["low", "medium", "high", "critical", "urgent", "7", "[high]", ""][..]),
        tags in select(&["[]", "[code]", "[patterns, code, review]", "[Code, 1]", "text", "null", ""][..]),
        at in select(&["2026-02-01", "2026-01-30T00:00:00Z", "2025-01-01", "never", "null", ""][..]),
        by in select(&["developer", "tester", "7", ""][..]),
    ) -> Memo {
        memo(&title).when(&patterns).raw("importance", importance).raw("tags", tags).at(at).by(by)
    }
}

/// A store: some files have two memories, some are not frontmatter at all.
fn any_store() -> impl Strategy<Value = World> {
    let file = prop_oneof![
        8 => any_memo().prop_map(|memo| memo.text()),
        1 => (any_memo(), any_memo())
            .prop_map(|(one, two)| format!("{}\n\n---\n\n{}", one.text(), two.text())),
        1 => any_memo().prop_map(|memo| memo.text().replace('\n', "\r\n")),
    ];
    prop::collection::vec(file, 1..14).prop_map(|texts| {
        let names: Vec<String> = (0..texts.len()).map(|n| format!("m{n:02}")).collect();
        let files: Vec<(&str, String)> = names.iter().map(String::as_str).zip(texts).collect();
        World::files(&files)
    })
}

prop_compose! {
    fn any_limits()(
        dialect in select(&DIALECTS[..]),
        max in prop::option::of(0_usize..8),
        least in prop::option::of(select(&["low", "medium", "high", "critical"][..])),
        budget in prop::option::weighted(0.2, 0_usize..200),
        score_bonus in select(&[0_i64, 10, 200][..]),
    ) -> Limits {
        Limits { max, min_importance: least.map(ToOwned::to_owned), budget, score_bonus, ..limits(dialect) }
    }
}

/// All verdicts in their order, as far as a preview of a part of them has them.
fn shortened(mut preview: Preview, rejected: usize) -> Preview {
    preview.rejected.truncate(rejected);
    preview
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn earlier_answers_change_nothing(
        world in any_store(), limits in any_limits(), text in words(0..6),
        agent in select(&["developer", "", "reviewer"][..]), which in any::<prop::sample::Index>(),
        pattern in select(&PATTERNS[..]),
    ) {
        let task = task(&text, agent);
        let plain = world.scorer();
        let texts = &world.collection;
        let before = plain.preview(&task, &limits, None, texts);
        prop_assert_eq!(&before, &plain.preview(&task, &limits, None, texts), "twice the same");

        // With another version of one memory it is the preview of a store that has that version.
        let index = which.index(world.memories.len());
        let add = FieldEdit::AddItem { field: "whenToUse".to_owned(), item: Value::from(pattern) };
        let raise = FieldEdit::Set { field: "importance".to_owned(), value: Value::from("critical") };
        let other = edited(&world.memories[index], &[add, raise]).unwrap();
        let mut replaced = (*world.memories).clone();
        replaced[index] = Arc::new(other.clone());
        let really = policy("rawko").unwrap().scorer(Arc::new(replaced));
        let really = really.preview(&task, &limits, None, texts);
        prop_assert_eq!(&really, &plain.preview(&task, &limits, Some((index, &other)), texts));

        let all: Vec<usize> = (0..world.memories.len()).collect();
        prop_assert_eq!(plain.verdicts(&task, &limits, &all, texts), world.scorer().verdicts(&task, &limits, &all, texts));
    }

    #[test]
    fn single_verdicts_are_those_of_the_preview(
        world in any_store(), limits in any_limits(), text in words(0..6),
    ) {
        let task = task(&text, "developer");
        let limits = Limits { budget: None, ..limits };
        let preview = world.preview(&task, &limits);
        prop_assert_eq!(preview.selected.len() + preview.rejected.len(), world.memories.len());
        prop_assert_eq!(preview.rejected_total, preview.rejected.len());
        let scorer = world.scorer();
        for verdict in preview.selected.into_iter().chain(preview.rejected) {
            let single = scorer.verdicts(&task, &limits, &[verdict.memory], &world.collection);
            prop_assert_eq!(vec![verdict], single);
        }
        prop_assert_eq!(scorer.verdicts(&task, &limits, &[usize::MAX], &world.collection), vec![]);
    }

    #[test]
    fn the_rejected_are_best_first_and_cut_short(
        world in any_store(), limits in any_limits(), text in words(0..6), rejected in 0_usize..16,
    ) {
        let task = task(&text, "developer");
        let whole = world.preview(&task, &limits);
        let order: Vec<_> = whole.rejected.iter().map(|one| (std::cmp::Reverse(one.score.map(|score| score as i64)), one.memory)).collect();
        prop_assert!(order.is_sorted(), "{:?}", order);
        let few = Limits { rejected, ..limits.clone() };
        let scorer = world.scorer();
        let short = scorer.preview(&task, &few, None, &world.collection);
        prop_assert_eq!(&*short, &shortened(whole.clone(), rejected));
        for verdict in &whole.rejected {
            let has_none = verdict.reason == Reason::NoMatch;
            prop_assert!(verdict.hint.as_deref().map_or(has_none, |hint| !hint.is_empty()), "{:?}", verdict);
            prop_assert_eq!(verdict.rank, None);
        }
    }

    /// What the edits of a hint promise comes true.
    #[test]
    fn remedies_work(world in any_store(), limits in any_limits(), text in words(1..6)) {
        let task = task(&text, "developer");
        let limits = Limits { budget: None, ..limits };
        let scorer = world.scorer();
        for verdict in world.preview(&task, &limits).rejected {
            let hint = verdict.hint.unwrap_or_default();
            let Some(changed) = edited(&world.memories[verdict.memory], &verdict.remedy) else {
                continue;
            };
            let after = scorer.preview(&task, &limits, Some((verdict.memory, &changed)), &world.collection);
            let is_in = after.selected.iter().any(|one| one.memory == verdict.memory);
            let promised = !hint.contains("; then ") && limits.max != Some(0);
            prop_assert!(is_in == promised, "{}: {:?}", hint, changed.fields);
        }
    }

    #[test]
    fn natural_selects_what_arbiter_matches(world in any_store(), text in words(0..6)) {
        let task = task(&text, "developer");
        let natural = world.preview(&task, &limits("natural"));
        let arbiter = world.preview(&task, &Limits { max: Some(99), ..limits("arbiter") });
        for one in arbiter.selected {
            let found = natural.selected.iter().chain(&natural.rejected).find(|other| other.memory == one.memory).unwrap();
            prop_assert!(matches!(found.reason, Reason::Selected | Reason::OverLimit), "{:?}", found);
            prop_assert_eq!(&found.matched, &one.matched);
        }
    }
}
