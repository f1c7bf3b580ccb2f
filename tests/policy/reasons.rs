//! Why a memory is left out, what would bring it in, and that it would.

use memkeep::app::edited;
use memkeep::memory::Value;
use memkeep::memory::edit::FieldEdit;
use memkeep::retrieval::{Limits, Reason, Verdict};

use crate::helper::{Memo, World, limits, memo, task};

/// Five that match and have 25 points.
fn full() -> Vec<(&'static str, Memo)> {
    ["a", "b", "c", "d", "e"]
        .map(|name| (name, memo("Qqq")))
        .to_vec()
}

/// The verdict on a memory `name` among five better ones, and what its edits do.
fn among(name: &'static str, memo: Memo, text: &str, limits: &Limits) -> (Verdict, Reason) {
    let mut memos = full();
    memos.push((name, memo));
    let world = World::of(&memos);
    let task = task(text, "developer");
    let verdict = world.verdict(name, &task, limits);
    let memory = &world.memories[verdict.memory];
    let changed = edited(memory, &verdict.remedy).unwrap_or_else(|| (**memory).clone());
    let what_if = Some((verdict.memory, &changed));
    let after = world
        .scorer()
        .preview(&task, limits, what_if, &world.collection);
    let mut all = after.selected.iter().chain(&after.rejected);
    let after = all.find(|one| one.memory == verdict.memory).unwrap().reason;
    (verdict, after)
}

fn set(word: &str) -> FieldEdit {
    FieldEdit::Set {
        field: "importance".to_owned(),
        value: Value::from(word),
    }
}

fn add(token: &str) -> FieldEdit {
    FieldEdit::AddItem {
        field: "whenToUse".to_owned(),
        item: Value::from(token),
    }
}

#[test]
fn a_pattern_that_does_not_match() {
    let quiet = |title: &str| memo(title).when(&["nothing"]);
    for (memo, name, text, hint, edits, after) in [
        // Nothing but the token is lacking: it comes before the last by points or by path.
        (
            quiet("Refunds").importance("critical"),
            "z",
            "refund the auth fee",
            "add `refund` to whenToUse",
            vec![add("refund")],
            Reason::Selected,
        ),
        (
            quiet("X").tags("Auth"),
            "0",
            "auth",
            "add `auth` to whenToUse",
            vec![add("auth")],
            Reason::Selected,
        ),
        // A higher importance too.
        (
            quiet("X").tags("Auth").importance("low"),
            "z",
            "auth",
            "add `auth` to whenToUse, make importance critical",
            vec![add("auth"), set("critical")],
            Reason::Selected,
        ),
        (
            quiet("X").tags("Auth").importance("urgent"),
            "0",
            "auth",
            "add `auth` to whenToUse, make importance high",
            vec![add("auth"), set("high")],
            Reason::Selected,
        ),
        // A word of the title or the tags before a longer one, and never an empty word or the agent.
        (
            quiet("X").importance("critical").tags("Fee"),
            "z",
            "implementing reimbursement of the auth fee",
            "add `fee` to whenToUse",
            vec![add("fee")],
            Reason::Selected,
        ),
        (
            quiet("Refunding fares").importance("critical"),
            "z",
            "When implementing refunds, developer: auth",
            "add `refunds` to whenToUse",
            vec![add("refunds")],
            Reason::Selected,
        ),
        (
            quiet("X").tags("reconciliation").importance("critical"),
            "z",
            "auth 20260131 reconciliation developer",
            "add `reconciliation` to whenToUse",
            vec![add("reconciliation")],
            Reason::Selected,
        ),
    ] {
        let (verdict, then) = among(name, memo, text, &limits("arbiter"));
        assert_eq!(verdict.reason, Reason::NoMatch, "{hint}");
        assert_eq!(verdict.hint.as_deref(), Some(hint));
        assert_eq!(verdict.remedy, edits, "{hint}");
        assert_eq!(then, after, "{hint}");
    }
}

#[test]
fn a_word_that_the_memory_does_not_say_is_not_suggested() {
    let world = World::of(&[("a", memo("Ferries").when(&["nothing"]))]);
    let task = task("add auth to it", "");
    let limits = limits("arbiter");
    let of_one = |name| world.verdict(name, &task, &limits);
    assert_eq!((of_one("a").hint, of_one("a").remedy.len()), (None, 0));
}

#[test]
fn where_no_word_bears_meaning() {
    for text in ["", "When the task is to do it", "developer", "? !"] {
        let world = World::of(&[("m", memo("T").when(&["nothing"]))]);
        let verdict = world.verdict("m", &task(text, "developer"), &limits("arbiter"));
        assert_eq!(verdict.reason, Reason::NoMatch, "{text}");
        assert_eq!(verdict.hint, None, "{text}");
        assert!(verdict.remedy.is_empty());
    }
}

#[test]
fn points_that_are_short() {
    let mut limits = limits("arbiter");
    for (memo, name, text, max, hint, edits) in [
        (
            memo("X").importance("medium"),
            "z",
            "auth",
            None,
            "10 points short of the fifth place",
            vec![set("critical")],
        ),
        (
            memo("X"),
            "z",
            "auth",
            None,
            "level with the fifth place, which is first by path",
            vec![set("critical")],
        ),
        (
            memo("X").importance("critical"),
            "z",
            "qqq auth qqq",
            None,
            "5 points short of the fifth place",
            vec![],
        ),
        (
            memo("X").importance("low"),
            "0",
            "auth",
            Some(3),
            "20 points short of the third place",
            vec![set("high")],
        ),
        (
            memo("X"),
            "0",
            "auth",
            Some(0),
            "there are no places",
            vec![],
        ),
    ] {
        limits.max = max;
        let (verdict, then) = among(name, memo, text, &limits);
        assert_eq!(verdict.reason, Reason::OverLimit, "{hint}");
        assert_eq!(verdict.hint.as_deref(), Some(hint));
        assert_eq!(verdict.remedy, edits, "{hint}");
        assert_eq!(then == Reason::Selected, !edits.is_empty(), "{hint}");
    }
    // More than any importance can give: the points are said behind the token.
    let far = memo("X")
        .tags("auth")
        .importance("critical")
        .when(&["nothing"]);
    let (verdict, _) = among("z", far, "auth qqq qqq", &self::limits("arbiter"));
    assert_eq!(
        verdict.hint.as_deref(),
        Some("add `auth` to whenToUse; then 5 points short of the fifth place")
    );
}

#[test]
fn an_importance_that_is_too_low() {
    let least = |word: &str| Limits {
        min_importance: Some(word.to_owned()),
        ..limits("arbiter")
    };
    for (importance, word, hint, to) in [
        ("low", "medium", "below medium", "high"),
        ("low", "critical", "below critical", "critical"),
        ("urgent", "medium", "`urgent` is no importance", "high"),
        ("HIGH", "low", "`HIGH` is no importance", "high"),
        ("5", "low", "its importance is not text", "high"),
    ] {
        let (verdict, after) = among("0", memo("X").importance(importance), "auth", &least(word));
        assert_eq!(verdict.reason, Reason::BelowImportance, "{importance}");
        assert_eq!(verdict.hint.as_deref(), Some(hint));
        assert_eq!(verdict.remedy, [set(to)]);
        assert_eq!(after, Reason::Selected, "{importance}");
    }
    // Where there is room the least is enough.
    let world = World::of(&[("m", memo("X").importance("low"))]);
    let verdict = world.verdict("m", &task("auth", ""), &least("medium"));
    assert_eq!(
        (verdict.hint.as_deref(), verdict.remedy.as_slice()),
        (Some("below medium"), [set("medium")].as_slice())
    );
}

#[test]
fn code_that_would_fail() {
    for (field, value, dialect, hint) in [
        ("title", "", "arbiter", "`title` is missing"),
        ("title", "null", "arbiter", "`title` is missing"),
        ("title", "7", "arbiter", "`title` is not text"),
        ("whenToUse", "", "arbiter", "`whenToUse` is missing"),
        (
            "whenToUse",
            "[nothing, 3]",
            "arbiter",
            "a pattern is not text",
        ),
        (
            "whenToUse",
            "['(*']",
            "unified",
            "`(*` is no regular expression",
        ),
        ("importance", "", "natural", "`importance` is missing"),
        (
            "importance",
            "[high]",
            "natural",
            "`importance` is not text",
        ),
        ("importance", "5", "unified", "`importance` is not text"),
        ("discoveredBy", "", "arbiter", "`discoveredBy` is missing"),
        ("tags", "auth", "arbiter", "`tags` is not a list"),
        (
            "tags",
            "[code, 1]",
            "sdk",
            "`tags` is a list with more than text",
        ),
    ] {
        let memo = memo("T").raw(field, value);
        let world = World::of(&[("m", memo)]);
        let verdict = world.verdict("m", &task("auth", ""), &limits(dialect));
        assert_eq!(verdict.reason, Reason::Invalid, "{hint}");
        assert_eq!(verdict.hint.as_deref(), Some(hint));
        assert!(verdict.remedy.is_empty());
    }
    let world = World::files(&[("m", "Text.\n".to_owned())]);
    let verdict = world.verdict("m", &task("auth", ""), &limits("arbiter"));
    assert_eq!(
        (verdict.reason, verdict.hint.as_deref()),
        (Reason::Invalid, Some("no frontmatter"))
    );
}

#[test]
fn what_the_real_loader_skips() {
    for (field, value, hint) in [
        ("tags", "", "`tags` is missing"),
        ("tags", "auth", "`tags` is not a list"),
        (
            "whenToUse",
            "{a: b}",
            "`whenToUse` is neither text nor a list",
        ),
        (
            "importance",
            "urgent",
            "`importance` is not low to critical",
        ),
        ("discoveredAt", "7", "`discoveredAt` is not text"),
        ("discoveredBy", "7", "`discoveredBy` is not text"),
    ] {
        let memo = memo("T").raw(field, value);
        let world = World::of(&[("m", memo)]);
        let verdict = world.verdict("m", &task("auth", ""), &limits("sdk"));
        assert_eq!(
            (verdict.reason, verdict.hint.as_deref()),
            (Reason::Invisible, Some(hint))
        );
        assert_eq!(verdict.score, None);
    }
}

#[test]
fn archived_and_slow() {
    let world = World::of(&[
        ("archive/old", memo("T")),
        ("slow", memo("T").when(&["^(.+)\\1+\\1+\\1+\\1+x.{0}$"])),
    ]);
    let long = task(&"ab".repeat(3000), "");
    let verdict = world.verdict("archive/old", &long, &limits("arbiter"));
    assert_eq!(
        (verdict.reason, verdict.hint.as_deref()),
        (Reason::Archived, Some("restore it from the archive"))
    );
    let verdict = world.verdict("slow", &long, &limits("arbiter"));
    assert_eq!(
        (verdict.reason, verdict.hint.as_deref()),
        (
            Reason::PatternTooSlow,
            Some("a pattern takes too long: simplify it")
        )
    );
}
