//! The prompt, byte for byte (SPEC-0007 and SPEC-0009, "Prompt Formatting").

use memkeep::retrieval::Limits;

use crate::helper::{World, limits, memo, task};

const TITLE: &str = "## Background Knowledge from Previous Runs\n\n";
const INTRO: &str =
    "The following information was learned from prior runs and may be relevant:\n\n";

#[test]
fn whole_prompts() {
    let world = World::of(&[
        (
            "a",
            memo("One *is* `it`").by("planner").body("# One\n\nText."),
        ),
        ("b", memo("Two").importance("low").by("1e21").body("")),
    ]);
    let one =
        "### One *is* `it`\n*Importance: HIGH*\n*Discovered by: planner*\n\n# One\n\nText.\n\n";
    let two = "### Two\n*Importance: LOW*\n*Discovered by: 1e+21*\n\n\n\n";
    for (dialect, expected) in [
        ("arbiter", format!("{TITLE}{INTRO}{one}{two}")),
        ("natural", format!("{TITLE}{INTRO}{one}{two}")),
        ("unified", format!("{TITLE}{one}{two}")),
        ("sdk", format!("{TITLE}{INTRO}{one}")),
    ] {
        let preview = world.preview(&task("auth", ""), &limits(dialect));
        assert_eq!(preview.prompt, expected, "{dialect}");
        assert_eq!(preview.tokens(), expected.len().div_ceil(4));
        let none = world.preview(&task("other", ""), &limits(dialect));
        assert_eq!((none.prompt.as_str(), none.tokens()), ("", 0));
    }
}

/// What of a body reaches the prompt.
fn kept(body: &str, dialect: &'static str) -> String {
    let world = World::of(&[("m", memo("T").body(body))]);
    let prompt = world.preview(&task("auth", ""), &limits(dialect)).prompt;
    let (_, body) = prompt.split_once("*Discovered by: someone*\n\n").unwrap();
    body.strip_suffix("\n\n").unwrap().to_owned()
}

#[test]
fn bodies_are_cut_at_500_units() {
    let y = |count: usize| "y".repeat(count);
    for (body, expected) in [
        (y(500), y(500)),
        (y(501), y(500) + "..."),
        (y(498) + "😀", y(498) + "😀"),
        // Half of a surrogate pair is written as U+FFFD.
        (y(499) + "😀", y(499) + "\u{fffd}..."),
        (y(500) + "😀", y(500) + "..."),
        ("é".repeat(501), "é".repeat(500) + "..."),
        ("😀".repeat(251), "😀".repeat(250) + "..."),
        // JavaScript's blanks around it go, others stay.
        (format!("\u{feff}\u{a0} \n{}\n\u{2028}", y(3)), y(3)),
        (format!("\u{85}{}", y(3)), format!("\u{85}{}", y(3))),
        ("one\r\ntwo".to_owned(), "one\r\ntwo".to_owned()),
    ] {
        for dialect in ["arbiter", "unified", "sdk", "natural"] {
            assert_eq!(kept(&body, dialect), expected, "{dialect} {body:?}");
        }
    }
}

#[test]
fn a_first_level_heading_ends_a_body() {
    let y = |count: usize| "y".repeat(count);
    for (body, arbiter, unified) in [
        (
            "Text.\n\n# Next\nMore.",
            "Text.\n",
            "Text.\n\n# Next\nMore.",
        ),
        (
            "# Own\n\nText.\n# Next",
            "# Own\n\nText.",
            "# Own\n\nText.\n# Next",
        ),
        ("# Own\n# Next\n# Third", "# Own", "# Own\n# Next\n# Third"),
        (
            "Text.\n## Next\nMore.",
            "Text.\n## Next\nMore.",
            "Text.\n## Next\nMore.",
        ),
        (
            "Text.\n#Next\n#\n#\tx",
            "Text.\n#Next\n#\n#\tx",
            "Text.\n#Next\n#\n#\tx",
        ),
        ("Text.\n # Next", "Text.\n # Next", "Text.\n # Next"),
        ("Text.\r\n# Next", "Text.\r", "Text.\r\n# Next"),
    ] {
        assert_eq!(kept(body, "arbiter"), arbiter, "{body:?}");
        assert_eq!(kept(body, "sdk"), arbiter, "{body:?}");
        assert_eq!(kept(body, "natural"), arbiter, "{body:?}");
        assert_eq!(kept(body, "unified"), unified, "{body:?}");
    }
    // At 499 it ends the text, at 500 the text is long enough to be cut.
    assert_eq!(kept(&(y(499) + "\n# Next"), "arbiter"), y(499));
    assert_eq!(kept(&(y(500) + "\n# Next"), "arbiter"), y(500) + "...");
    // Units, not characters: 250 emoji are 500.
    assert_eq!(
        kept(&("😀".repeat(249) + "\n# Next"), "arbiter"),
        "😀".repeat(249)
    );
    assert_eq!(
        kept(&("😀".repeat(250) + "\n# Next"), "arbiter"),
        "😀".repeat(250) + "..."
    );
}

#[test]
fn a_budget_is_kept() {
    let world = World::of(&[
        ("a", memo("A").importance("critical").body(&"y".repeat(400))),
        ("b", memo("B").body("Small.")),
    ]);
    let with = |budget| {
        let limits = Limits {
            budget: Some(budget),
            ..limits("arbiter")
        };
        world.preview(&task("auth", ""), &limits)
    };
    let both = with(10_000);
    assert_eq!(both.selected.len(), 2);
    assert!(with(both.tokens()).selected.len() == 2);
    let less = with(both.tokens() - 1);
    assert_eq!(less.selected.len(), 1);
    assert_eq!(
        less.rejected[0].hint.as_deref(),
        Some("1 token over the budget")
    );
    // What does not fit makes room for what does.
    let small = with(60);
    let names: Vec<String> = small.selected.iter().map(|one| world.name(one)).collect();
    assert_eq!(names, ["b"]);
    assert!(small.tokens() <= 60 && small.prompt.starts_with(TITLE));
    assert_eq!(with(0).prompt, "");
}
