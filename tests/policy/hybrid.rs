//! memkeep's own policy: what it finds by which words, what it says of it, and what must hold
//! for any store.

use std::sync::Arc;

use memkeep::memory::{Timestamp, tokens_of};
use memkeep::project::demo;
use memkeep::retrieval::MultiScorer;
use memkeep::retrieval::StorePolicy;
use memkeep::retrieval::{Limits, Options, Preview, Reason, Scorer, Task, Texts as _, Verdict};
use memkeep::systems::{POLICIES, policy};
use memkeep::workspace::preview::PREVIEWS;
use proptest::prelude::*;

use crate::helper::{Memo, NOW, World, limits, load, memo, task};

fn scorer(world: &World) -> Box<dyn Scorer> {
    policy("hybrid").unwrap().scorer(world.memories.clone())
}

fn preview(world: &World, task: &Task, limits: &Limits) -> Arc<Preview> {
    scorer(world).preview(task, limits, None, &world.collection)
}

fn names(world: &World, verdicts: &[Verdict]) -> Vec<String> {
    verdicts.iter().map(|verdict| world.name(verdict)).collect()
}

/// A memory that nothing but its body tells apart.
fn plain(body: &str) -> Memo {
    memo("Note").when(&["x"]).importance("medium").body(body)
}

fn notes() -> World {
    World::of(&[
        ("n1", plain("Rotate the signing keys every month.")),
        ("n2", plain("The `parseHttpRequest` helper trims headers.")),
        ("n3", plain("Websockets are throttled behind the proxy.")),
        ("n4", plain("Database migrations go forward only.")),
        (
            "n5",
            plain("See src/billing/invoice_total.ts for the rounding."),
        ),
        (
            "n6",
            plain("Sessions expire after ten minutes.").tags("caching"),
        ),
        ("n7", plain("予約の確認メールを送る。")),
    ])
}

#[test]
fn words_are_found_in_the_forms_people_write_them() {
    let world = notes();
    for (text, first) in [
        ("rotating a key", "n1"),
        ("parse HTTP requests", "n2"),
        ("parse_http_request fails", "n2"),
        ("throttling of web-sockets", "n3"),
        ("add a throttler", "n3"),
        ("DB schema", "n4"),
        ("migrate", "n4"),
        ("invoiceTotal is wrong", "n5"),
        ("cache", "n6"),
        ("確認メール", "n7"),
    ] {
        let preview = preview(&world, &task(text, ""), &limits(""));
        let found = names(&world, &preview.selected);
        assert_eq!(found.first().map(String::as_str), Some(first), "{text}");
    }
}

#[test]
fn what_the_task_touches_counts_as_what_it_says() {
    let world = notes();
    let file = Task {
        files: vec!["lib/src/invoice_total.ts".to_owned()],
        ..task("fix it", "")
    };
    let preview = preview(&world, &file, &limits(""));
    assert_eq!(names(&world, &preview.selected), ["n5"]);
    let factor = &preview.selected[0].factors[0];
    assert_eq!(
        (factor.name, &*factor.detail),
        ("files", "invoice_total.ts")
    );
}

#[test]
fn a_word_that_only_begins_alike_is_no_match() {
    let world = World::of(&[
        ("tick", plain("Every backtick is escaped.")),
        ("sure", plain("The confidence is a share.")),
    ]);
    for text in ["roll it back", "read the configuration"] {
        let preview = preview(&world, &task(text, ""), &limits(""));
        assert!(preview.selected.is_empty(), "{text}");
    }
}

#[test]
fn a_compound_counts_once() {
    let world = World::of(&[("whole", plain("Call `rateLimit` first."))]);
    let points = |text: &str| {
        let preview = preview(&world, &task(text, ""), &limits(""));
        preview.selected[0].score
    };
    assert_eq!(points("rateLimit"), points("rate limit"));
    let world = World::of(&[("hash", plain("A SHA256 of the text."))]);
    let preview = preview(&world, &task("sha256", ""), &limits(""));
    let words = preview.selected[0].factors.iter();
    assert_eq!(words.filter(|factor| factor.name == "body").count(), 1);
}

#[test]
fn a_memory_that_names_the_file_comes_before_one_that_shares_a_word() {
    let world = World::of(&[
        (
            "word",
            plain("Session tokens: a session lasts a day.").tags("session"),
        ),
        (
            "named",
            plain("Where `src/session/refresh.rs` fails, the clock is wrong."),
        ),
        ("other", plain("Unrelated notes on tides.")),
    ]);
    let text = "the session check in src/session/refresh.rs";
    let preview = preview(&world, &task(text, ""), &limits(""));
    assert_eq!(names(&world, &preview.selected)[0], "named");
    let file = Task {
        files: vec!["src/session/refresh.rs".to_owned()],
        ..task("sessions", "")
    };
    let preview = self::preview(&world, &file, &limits(""));
    assert_eq!(names(&world, &preview.selected)[0], "named");
}

#[test]
fn nothing_is_selected_for_a_task_without_a_word_of_the_store() {
    let world = notes();
    for text in ["", "please help me with this", "zzzz qqqq"] {
        let preview = preview(&world, &task(text, ""), &limits(""));
        assert_eq!(preview.prompt, "", "{text}");
        assert!(preview.selected.is_empty(), "{text}");
        assert_eq!(preview.rejected.len(), 7);
        let all = preview.rejected.iter();
        assert!(all.clone().all(|verdict| verdict.reason == Reason::NoMatch));
        assert!(all.clone().all(|verdict| verdict.hint.is_some()));
    }
}

#[test]
fn a_word_counts_more_in_a_title_and_importance_decides_between_equals() {
    let world = World::of(&[
        ("a", plain("Something about quotas.")),
        ("b", plain("Something about tea.").raw("title", "Quotas")),
        ("c", plain("Something about quotas.").importance("critical")),
    ]);
    let preview = preview(&world, &task("quotas", ""), &limits(""));
    assert_eq!(names(&world, &preview.selected), ["b", "c", "a"]);
    let factor = preview.selected[1].factors.last().unwrap();
    assert_eq!((factor.name, &*factor.detail), ("importance", "critical"));
}

#[test]
fn equals_stand_in_the_order_of_the_store() {
    let memos: Vec<(String, Memo)> = (0..12)
        .map(|n| (format!("m{n:02}"), plain("The tide table.")))
        .collect();
    let memos: Vec<(&str, Memo)> = memos
        .iter()
        .map(|(name, memo)| (&**name, memo.clone()))
        .collect();
    let world = World::of(&memos);
    let preview = preview(&world, &task("tide", ""), &limits(""));
    assert_eq!(
        names(&world, &preview.selected),
        ["m00", "m01", "m02", "m03", "m04"]
    );
    assert_eq!(names(&world, &preview.rejected)[0], "m05");
    let hint = preview.rejected[0].hint.as_deref();
    assert_eq!(
        hint,
        Some("level with the fifth place, which is first by path")
    );
}

#[test]
fn limits_are_kept_and_say_what_they_left_out() {
    let long = "tide ".repeat(200);
    let world = World::of(&[
        ("a", plain("tide tide tide").importance("low")),
        ("b", plain(&format!("{long} table")).importance("high")),
        ("c", plain("tide and more").importance("high")),
        (
            "d",
            plain("tide and so much more of it than that").importance("medium"),
        ),
    ]);
    let of = |limits: &Limits| {
        let preview = preview(&world, &task("tide", ""), limits);
        let left = preview.rejected.iter().map(|verdict| {
            let hint = verdict.hint.clone().unwrap_or_default();
            format!("{} {}: {hint}", world.name(verdict), verdict.reason.word())
        });
        (
            names(&world, &preview.selected),
            left.collect::<Vec<_>>(),
            preview,
        )
    };
    let (selected, left, _) = of(&Limits {
        min_importance: Some("high".to_owned()),
        ..limits("")
    });
    assert_eq!(selected, ["b", "c"]);
    assert_eq!(
        left,
        [
            "a below_importance: below high",
            "d below_importance: below high"
        ]
    );
    let (selected, left, budgeted) = of(&Limits {
        budget: Some(40),
        ..limits("")
    });
    assert_eq!(selected, ["a", "c", "d"]);
    assert!(left[0].starts_with("b over_budget: ") && left[0].ends_with(" tokens over the budget"));
    assert!(tokens_of(budgeted.prompt.len()) <= 40);
    let (selected, left, _) = of(&Limits {
        max: Some(1),
        ..limits("")
    });
    assert_eq!(selected.len(), 1);
    assert!(
        left.iter()
            .all(|left| left.ends_with(" short of the first place")),
        "{left:?}"
    );
}

#[test]
fn the_sample_projects_answers_stay_as_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    let now = Timestamp::parse_iso(NOW).unwrap();
    demo::lay_out_in(&root, now).unwrap();
    let (collection, memories) = load(&root);
    let scorer = policy("hybrid").unwrap().scorer(memories.clone());
    let mut said = String::new();
    for sample in demo::tasks() {
        let limits = Limits {
            max: Some(3),
            rejected: 1,
            ..limits("")
        };
        let preview = scorer.preview(&task(&sample.text, ""), &limits, None, &collection);
        said.push_str(&format!("{}\n", sample.text));
        for verdict in preview.selected.iter().chain(&preview.rejected) {
            let score = verdict.score.unwrap_or_default();
            let local = &memories[verdict.memory].id.local;
            let hint = verdict.hint.as_deref().unwrap_or_default();
            said.push_str(&format!("  {score:>7.3} {local} {hint}\n"));
            for factor in &verdict.factors {
                said.push_str(&format!(
                    "    {:>7.3} {:<10} {}\n",
                    factor.points, factor.name, factor.detail
                ));
            }
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn the_prompt_holds_titles_and_bodies() {
    let world = notes();
    let preview = preview(
        &world,
        &task("rotate signing keys in the database", ""),
        &limits(""),
    );
    insta::assert_snapshot!(preview.prompt, @r"
    # Memories

    ## Note

    Rotate the signing keys every month.

    ## Note

    Database migrations go forward only.
    ");
}

#[test]
fn the_screen_asks_for_it_as_if_it_were_a_dialect() {
    let world = notes();
    let own = policy("rawko").unwrap();
    let way = StorePolicy {
        store: world.memories[0].id.store.clone(),
        policy: own,
        options: Options::default(),
    };
    let choice = MultiScorer::new(PREVIEWS, &[way], &world.memories);
    let task = task("rotate keys", "");
    let hybrid = choice.preview(&task, &limits("hybrid"), None, &world.collection);
    assert_eq!(hybrid.policy, "hybrid");
    assert_eq!(hybrid.prompt, preview(&world, &task, &limits("")).prompt);
    let usual = choice.preview(&task, &limits("natural"), None, &world.collection);
    assert_eq!((usual.policy, usual.selected.len()), ("rawko", 0));
    let verdicts = choice.verdicts(&task, &limits("hybrid"), &[0], &world.collection);
    assert_eq!(verdicts[0].rank, Some(1));
}

#[test]
fn it_is_one_of_the_policies() {
    assert!(POLICIES.iter().any(|policy| policy.name == "hybrid"));
}

const WORDS: &[&str] = &[
    "token",
    "tokens",
    "refresh",
    "cache",
    "caching",
    "db",
    "database",
    "retry",
    "the",
    "help",
    "src/auth/token.rs",
    "parseToken",
    "billing",
];

fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..8).prop_map(|words| words.join(" "))
}

fn store() -> impl Strategy<Value = Vec<Memo>> {
    let level = prop::sample::select(vec!["low", "medium", "high", "critical"]);
    let one = (sentence(), sentence(), prop::sample::select(WORDS), level);
    let one = one.prop_map(|(title, body, tag, level)| {
        memo(&format!("T {title}"))
            .tags(&format!("{tag:?}"))
            .importance(level)
            .body(&body)
    });
    prop::collection::vec(one, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn factors_make_the_score_and_single_verdicts_are_those_of_the_preview(
        memos in store(), text in sentence(), max in 0_usize..6,
    ) {
        let named: Vec<(String, Memo)> = memos.into_iter().enumerate()
            .map(|(n, memo)| (format!("m{n:02}"), memo)).collect();
        let named: Vec<(&str, Memo)> = named.iter().map(|(name, memo)| (&**name, memo.clone())).collect();
        let world = World::of(&named);
        let task = task(&text, "");
        let limits = Limits { max: Some(max), ..limits("") };
        let scorer = scorer(&world);
        let preview = scorer.preview(&task, &limits, None, &world.collection);
        let all: Vec<&Verdict> = preview.selected.iter().chain(&preview.rejected).collect();
        prop_assert_eq!(all.len(), world.memories.len());
        for pair in all.windows(2) {
            prop_assert!(pair[0].score >= pair[1].score);
        }
        for verdict in &all {
            let sum: f64 = verdict.factors.iter().map(|factor| factor.points).sum();
            let score = verdict.score.unwrap();
            prop_assert!((sum - score).abs() < 0.001 * (verdict.factors.len() + 1) as f64, "{:?}", verdict);
            prop_assert!(score > 0.0 || verdict.reason == Reason::NoMatch);
            // The same memory in its own place changes nothing.
            let own = &world.memories[verdict.memory];
            let again = scorer.preview(&task, &limits, Some((verdict.memory, own)), &world.collection);
            prop_assert_eq!(&again, &preview);
        }
        let wanted: Vec<usize> = (0..world.memories.len()).collect();
        for single in scorer.verdicts(&task, &limits, &wanted, &world.collection) {
            let known = all.iter().find(|verdict| verdict.memory == single.memory).unwrap();
            prop_assert_eq!(&single, *known);
        }
        for verdict in &preview.selected {
            let body = world.collection.body(&world.memories[verdict.memory]).unwrap();
            prop_assert!(preview.prompt.contains(body.trim()));
        }
    }
}
