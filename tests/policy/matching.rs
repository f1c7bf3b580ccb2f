//! Which patterns match which tasks (SPEC-0007, "Relevance Matching"; SPEC-0009, "Pattern
//! Matching"), as node 20 answers for the code of the specs.

use memkeep::retrieval::Reason;

use crate::helper::{World, limits, memo, task};

/// The kind of the match, or why there is none.
fn outcome(pattern: &str, text: &str, agent: &str, dialect: &'static str) -> &'static str {
    let world = World::of(&[("m", memo("Title").when(&[pattern]))]);
    let verdict = world.verdict("m", &task(text, agent), &limits(dialect));
    match (verdict.reason, &verdict.matched) {
        (Reason::Selected, Some(found)) => {
            assert_eq!(found.pattern, pattern);
            found.kind
        }
        (reason, _) => reason.word(),
    }
}

#[test]
fn the_examples_of_the_specs() {
    // Pattern, a task that matches, one that does not, and how it is found.
    for (pattern, matches, other, kind) in [
        (
            "auth|login|security",
            "add login page",
            "add user page",
            "alternative",
        ),
        (
            "implement.*auth",
            "implement authentication",
            "auth module",
            "wildcard",
        ),
        (
            "When implementing security",
            "security features task",
            "database task",
            "phrase",
        ),
    ] {
        assert_eq!(outcome(pattern, matches, "", "natural"), kind, "{pattern}");
        assert_eq!(
            outcome(pattern, other, "", "natural"),
            "no_match",
            "{pattern}"
        );
        let code = if kind == "phrase" { "no_match" } else { kind };
        for dialect in ["arbiter", "unified", "sdk"] {
            assert_eq!(
                outcome(pattern, matches, "", dialect),
                code,
                "{pattern} {dialect}"
            );
            assert_eq!(
                outcome(pattern, other, "", dialect),
                "no_match",
                "{pattern} {dialect}"
            );
        }
    }
}

#[test]
fn patterns_of_all_kinds() {
    let (no, invalid) = ("no_match", "invalid");
    // Pattern, task, agent, and the answers of `arbiter` and of `unified`.
    for (pattern, text, agent, arbiter, unified) in [
        // Alternatives are literal text, and an empty one is in every text.
        ("oauth|social.*auth", "social media auth", "", no, no),
        ("auth|", "x", "", "alternative", "alternative"),
        ("|", "", "", "alternative", "alternative"),
        (
            "a | \u{a0}b\u{feff}",
            "xbx",
            "",
            "alternative",
            "alternative",
        ),
        ("a|\u{85}b", "b", "", no, no),
        // Nothing at all is in every text.
        ("", "", "", "substring", "substring"),
        (" \t\u{feff}", "x", "", "substring", "substring"),
        // `*` becomes `.*`, so `.*` needs a character, and no line end.
        ("implement.*auth", "implementauth", "", no, no),
        ("implement.*auth", "implement\nauth", "", no, no),
        (
            "implement*auth",
            "implementauth",
            "",
            "wildcard",
            "wildcard",
        ),
        ("*", "x", "", "wildcard", "wildcard"),
        ("*", "", "", "wildcard", "wildcard"),
        ("**", "x", "", "wildcard", "wildcard"),
        ("*?", "x", "", "wildcard", "wildcard"),
        ("+*", "+*", "", "substring", invalid),
        // `?` is a character; to `unified` it is one of the text.
        ("rate?limit", "rate limit", "", "wildcard", no),
        ("rate?limit", "ratelimit", "", no, no),
        ("rate?limit", "rate?limit", "", "wildcard", "substring"),
        ("??", "x", "", "wildcard", no),
        ("(?:auth)?", "auth", "", no, no),
        // A dot and a brace make it a regular expression, but not for `unified`.
        ("implement.{0,5}auth", "implement an auth", "", "regex", no),
        ("implement.{0,5}auth", "implement all the auth", "", no, no),
        ("a{2}", "aa", "", no, no),
        ("a{2}", "a{2}", "", "substring", "substring"),
        ("a.{2,1}", "xa.{2,1}", "", "substring", "substring"),
        ("[a-*.{1}", "[a-*.{1}", "", "substring", invalid),
        ("(", "f(x)", "", "substring", "substring"),
        ("[a-", "[a-z]", "", "substring", "substring"),
        ("(*", "f(*)", "", "substring", invalid),
        // It is lower-cased before it is compiled.
        ("\\D+.{0}", "abc", "", no, no),
        ("\\D+.{0}", "a1", "", "regex", no),
        ("\\S*x", "a x", "", "wildcard", "wildcard"),
        ("AUTH", "Fix Auth", "", "substring", "substring"),
        // The name of the agent is part of the text, behind a blank.
        ("tester", "anything", "tester", "substring", "substring"),
        ("x tester", "x", "Tester", "substring", "substring"),
        ("^.?$", "", "", no, no),
        ("x $*", "x", "", "wildcard", "wildcard"),
        // Lower case as JavaScript has it.
        ("İ", "i\u{307}", "", "substring", "substring"),
        ("ΟΔΟΣ", "οδος", "", "substring", "substring"),
        ("ς", "ΟΔΟΣ", "", "substring", "substring"),
        ("σ", "ΟΔΟΣ", "", no, no),
        ("straße", "STRASSE", "", no, no),
        ("k.{0}", "\u{212a}", "", "regex", no),
        // Units of UTF-16: one `.` is half of an emoji.
        ("^.{2} $", "😀", "", "regex", no),
        ("^? $", "😀", "", no, no),
        // What is beyond a limit of JavaScript is not.
        ("z.{0,99999999999}", "z", "", "regex", no),
        ("\\1(a).{1}", "ab", "", "regex", no),
        ("(?<=o)auth.{0}", "oauth", "", no, no),
    ] {
        assert_eq!(
            outcome(pattern, text, agent, "arbiter"),
            arbiter,
            "{pattern:?} on {text:?}"
        );
        assert_eq!(
            outcome(pattern, text, agent, "sdk"),
            arbiter,
            "{pattern:?} on {text:?}, sdk"
        );
        assert_eq!(
            outcome(pattern, text, agent, "unified"),
            unified,
            "{pattern:?} on {text:?}, unified"
        );
    }
}

#[test]
fn phrases_match_by_their_meaning_in_natural_alone() {
    for (pattern, text, expected) in [
        (
            "When task mentions authentication",
            "authenticate the admin",
            "phrase",
        ),
        ("considering auth approaches", "add auth", "phrase"),
        (
            "writing Express handlers",
            "an express handler for refunds",
            "phrase",
        ),
        ("writing Express handlers", "an express route", "no_match"),
        (
            "When understanding project structure",
            "where is the structure of the project",
            "phrase",
        ),
        // No phrase: one word, metacharacters, or nothing that bears meaning.
        ("authentication", "authenticate", "no_match"),
        ("when fixing (auth)", "auth", "no_match"),
        ("When working on the task", "work on the task", "no_match"),
    ] {
        assert_eq!(
            outcome(pattern, text, "", "natural"),
            expected,
            "{pattern:?} on {text:?}"
        );
        assert_eq!(
            outcome(pattern, text, "", "arbiter"),
            "no_match",
            "{pattern:?} on {text:?}"
        );
    }
}

#[test]
fn the_first_pattern_that_matches_is_named() {
    let world = World::of(&[(
        "m",
        memo("T").when(&["nothing", "When adding logins", "log|auth", "auth"]),
    )]);
    let found = world
        .verdict("m", &task("auth login", ""), &limits("natural"))
        .matched
        .unwrap();
    assert_eq!(
        (found.pattern.as_str(), found.kind, found.hit.as_str()),
        ("log|auth", "alternative", "log")
    );
}

#[test]
fn lists_are_read_up_to_the_first_match() {
    let text = "[1, auth]";
    for (patterns, expected) in [
        (text, Reason::Invalid),
        ("[auth, 1]", Reason::Selected),
        ("[nothing, null]", Reason::Invalid),
        ("[[auth]]", Reason::Invalid),
        ("[{pattern: auth}]", Reason::Invalid),
        ("{pattern: auth}", Reason::Invalid),
        ("7", Reason::Invalid),
        ("[]", Reason::NoMatch),
        ("auth", Reason::Selected),
    ] {
        let world = World::of(&[("m", memo("T").raw("whenToUse", patterns))]);
        let reason = world
            .verdict("m", &task("auth", ""), &limits("arbiter"))
            .reason;
        assert_eq!(reason, expected, "{patterns}");
    }
}

#[test]
fn every_memory_of_a_file_counts_in_natural() {
    let first = memo("First").when(&["nothing"]).body("One.").text();
    let second = memo("Second").body("Two.").text();
    let third = memo("Third").body("Three.").text();
    let world = World::files(&[("m", format!("{first}\n\n---\n\n{second}\n\n---\n\n{third}"))]);
    let preview = world.preview(&task("auth", ""), &limits("natural"));
    let names: Vec<String> = preview.selected.iter().map(|one| world.name(one)).collect();
    assert_eq!(names, ["m#2", "m#3"]);
    assert!(
        preview.prompt.contains(
            "### Second\n*Importance: HIGH*\n*Discovered by: someone*\n\nTwo.\n\n### Third"
        )
    );
    assert!(
        preview.prompt.ends_with("\n\nThree.\n\n"),
        "{}",
        preview.prompt
    );
    for dialect in ["arbiter", "unified", "sdk"] {
        let verdict = world.verdict("m#2", &task("auth", ""), &limits(dialect));
        assert_eq!(verdict.reason, Reason::Invisible, "{dialect}");
        assert_eq!(
            verdict.hint.as_deref(),
            Some("only the first memory of a file is read")
        );
    }
}

#[test]
fn what_the_loader_does_not_read_is_not_selected() {
    let good = memo("T").text();
    for (text, arbiter, sdk) in [
        (good.clone(), Reason::Selected, Reason::Selected),
        (good.replace('\n', "\r\n"), Reason::Invalid, Reason::Invisible),
        (format!("\u{feff}{good}"), Reason::Invalid, Reason::Invisible),
        (format!("\n{good}"), Reason::Invalid, Reason::Invisible),
        ("Just text.\n".to_owned(), Reason::Invalid, Reason::Invisible),
        (String::new(), Reason::Invalid, Reason::Invisible),
        (good.replace("title:", "title: ["), Reason::Invalid, Reason::Invisible),
        // The loader ends at the first line that begins with `---`.
        (good.replace("---\n\nBody", "----\n\nBody"), Reason::Selected, Reason::Selected),
        (good.replace("---\n\nBody", "---"), Reason::Selected, Reason::Selected),
        ("---\n{title: T, whenToUse: auth, importance: low, tags: [], discoveredAt: x, discoveredBy: y}\n---\n".to_owned(), Reason::Selected, Reason::Selected),
    ] {
        let world = World::files(&[("m", text.clone())]);
        for (dialect, expected) in [("arbiter", arbiter), ("unified", arbiter), ("sdk", sdk)] {
            let verdict = world.verdict("m", &task("auth", ""), &limits(dialect));
            assert_eq!(verdict.reason, expected, "{dialect}: {text:?}");
        }
    }
    let world = World::files(&[("sub/m", good.clone()), ("archive/m", good)]);
    let of = |name: &str| {
        world
            .verdict(name, &task("auth", ""), &limits("natural"))
            .reason
    };
    assert_eq!(of("sub/m"), Reason::Invisible);
    assert_eq!(of("archive/m"), Reason::Archived);
}
