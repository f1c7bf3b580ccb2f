use crate::lint::tests::{Sample, Store, memory};
use crate::lint::{FixAction, Severity, UNUSED};
use crate::memory::edit::FieldEdit;

/// A body in which `personal-path` finds something.
const PERSONAL: &str = "The build writes to /home/ada/work/out every night.";

fn found(sample: Sample) -> Vec<(&'static str, Severity, u32, u32, String)> {
    let store = Store::new(vec![sample]);
    let rules = [UNUSED, "personal-path", "terminal-escape"];
    let found = store
        .run()
        .into_iter()
        .filter(|one| rules.contains(&one.rule));
    found
        .map(|one| (one.rule, one.severity, one.line, one.column, one.message))
        .collect()
}

fn rules(sample: Sample) -> Vec<&'static str> {
    found(sample).into_iter().map(|one| one.0).collect()
}

#[test]
fn a_memory_silences_rules_by_a_comment_or_a_field() {
    let body = |more: &str| memory("a").front("", &format!("{PERSONAL}\n{more}\n"));
    assert_eq!(rules(body("")), ["personal-path"]);
    for comment in [
        "<!-- memkeep-ignore personal-path -->",
        "<!--memkeep-ignore personal-path: that host is shared-->",
        "Text <!-- memkeep-ignore personal-path --> around it.",
        "<!-- memkeep-ignore personal-path, personal-path: twice -->",
    ] {
        let left = rules(body(comment));
        assert!(!left.contains(&"personal-path"), "{comment}: {left:?}");
    }
    for other in [
        "`<!-- memkeep-ignore personal-path -->`",
        "```\n<!-- memkeep-ignore personal-path -->\n```",
        "<!-- memkeep-ignored personal-path -->",
        "<!-- memkeep-ignore personal-path",
        "memkeep-ignore personal-path",
    ] {
        assert_eq!(rules(body(other)), ["personal-path"], "{other}");
    }
    for field in [
        "memkeep-ignore: personal-path",
        "memkeep-ignore: [personal-path]",
        "memkeep-ignore:\n  - personal-path",
    ] {
        assert_eq!(
            rules(memory("a").front(field, PERSONAL)),
            [""; 0],
            "{field}"
        );
    }
}

#[test]
fn what_silences_nothing_is_said_with_its_place() {
    let body = format!(
        "{PERSONAL}\n\n<!-- memkeep-ignore personal-path, terminal-escape, personel-path: why -->\n<!-- memkeep-ignore : -->\n"
    );
    let found = found(memory("a").front("memkeep-ignore: [secrets]", &body));
    let said: Vec<_> = found
        .iter()
        .map(|(rule, severity, line, column, message)| {
            assert_eq!(*rule, UNUSED);
            (*severity, *line, *column, message.as_str())
        })
        .collect();
    assert_eq!(
        said,
        [
            (
                Severity::Warning,
                6,
                18,
                "there is no rule `secrets`; did you mean `secret`?"
            ),
            (
                Severity::Warning,
                11,
                53,
                "there is no rule `personel-path`; did you mean `personal-path`?"
            ),
            (
                Severity::Warning,
                12,
                21,
                "no rule is named here, so nothing is silenced"
            ),
            (
                Severity::Info,
                11,
                36,
                "`terminal-escape` is silenced here and finds nothing"
            ),
        ]
    );
}

#[test]
fn a_rule_that_did_not_look_is_not_called_unused() {
    let sample = || memory("a").front("memkeep-ignore: [personal-path]", "Nothing here.");
    assert_eq!(rules(sample()), [UNUSED]);
    let store = Store::new(vec![sample()]);
    assert_eq!(store.only("personal-path"), []);
    assert_eq!(store.only(UNUSED), []);
    let mut off = Store::new(vec![sample()]);
    off.tuning.all.off = vec!["personal-path"];
    assert!(off.run().iter().all(|one| one.rule != UNUSED));
    let own = "memkeep-ignore: [personal-path, unused-silence]";
    assert_eq!(rules(memory("a").front(own, "Nothing here.")), [""; 0]);
}

#[test]
fn what_others_say_of_a_memory_is_silenced_there() {
    let new = || memory("new").front("supersedes: old", "Uploads end at 50 MB.");
    let old = |more: &str| memory("old").front(more, "Uploads end at 20 MB.");
    let found = |samples: Vec<Sample>| {
        let found = Store::new(samples).run().into_iter();
        let found = found.filter(|one| matches!(one.rule, UNUSED | "superseded-active"));
        found.map(|one| (one.rule, one.memory)).collect::<Vec<_>>()
    };
    let silence = "memkeep-ignore: superseded-active";
    // Whichever of the two is read first.
    assert_eq!(found(vec![new(), old("")]), [("superseded-active", 1)]);
    assert_eq!(found(vec![new(), old(silence)]), []);
    assert_eq!(found(vec![old(silence), new()]), []);
}

#[test]
fn what_is_asked_of_two_memories_either_silences() {
    let found = |samples: Vec<Sample>, rule: &str| {
        let found = Store::new(samples).run().into_iter();
        let found = found.filter(|one| one.rule == UNUSED || one.rule == rule);
        found.map(|one| (one.rule, one.memory)).collect::<Vec<_>>()
    };
    let cents = "Amounts are whole cents everywhere; only the page divides them by a hundred.";
    let twin = "Amounts are whole cents everywhere, only the page divides them by a hundred.";
    let longer = format!(
        "{cents} The ledger rounds half to even, and a refund is a row of its own. Reports group \
         the rows by day and by currency, the newest first."
    );
    for (rule, a, b, of) in [
        (
            "contradiction",
            ("", "The pool holds 10 connections in production."),
            ("", "The pool holds 25 connections in production."),
            1,
        ),
        ("near-duplicate", ("", cents), ("", twin), 1),
        ("contained", ("", cents), ("", &*longer), 1),
        (
            "superseded-active",
            ("supersedes: b", "Uploads end at 50 MB."),
            ("", "Downloads are not limited."),
            1,
        ),
        (
            "superseded-active",
            ("superseded_by: b", "Uploads end at 50 MB."),
            ("", "Downloads are not limited."),
            0,
        ),
    ] {
        for by in ["", "a", "b", "ab", "c"] {
            let one = |name: &str, (more, body): (&str, &str)| {
                let comment = match by.contains(name) {
                    true => format!("\n\n<!-- memkeep-ignore {rule}: both hold -->\n"),
                    false => String::new(),
                };
                memory(name).front(more, &format!("{body}{comment}"))
            };
            let all = vec![one("a", a), one("b", b), one("c", ("", "Ask first."))];
            let expected: &[(&str, usize)] = match by {
                "" => &[(rule, of)],
                "c" => &[(rule, of), (UNUSED, 2)],
                _ => &[],
            };
            assert_eq!(found(all, rule), expected, "{rule} {by}");
        }
    }
}

#[test]
fn a_pair_that_is_silenced_leaves_the_others() {
    let cents = "Amounts are whole cents everywhere; only the page divides them by a hundred.";
    let silenced = format!("{cents}\n\n<!-- memkeep-ignore near-duplicate -->\n");
    let store = Store::new(vec![
        memory("a").front("", &silenced),
        memory("b").front("", cents),
        memory("c").front("", cents),
    ]);
    let found = store.run().into_iter();
    let found = found.filter(|one| one.rule == UNUSED || one.rule == "near-duplicate");
    let about: Vec<_> = found.map(|one| (one.memory, one.related)).collect();
    assert_eq!(about, [(2, vec![1])]);
}

#[test]
fn the_fix_takes_out_what_is_not_needed() {
    let edits = |sample: Sample| {
        let store = Store::new(vec![sample]);
        let found = store.run().into_iter().filter(|one| one.rule == UNUSED);
        found
            .filter_map(|one| match one.fix?.action {
                FixAction::Edit(edits) => Some(edits),
                _ => None,
            })
            .flatten()
            .collect::<Vec<_>>()
    };
    let body = |text: &str| memory("a").front("", text);
    for (before, after) in [
        (
            "One.\n<!-- memkeep-ignore secret: x -->\nTwo.\n",
            "One.\nTwo.\n",
        ),
        ("One. <!-- memkeep-ignore secret -->\n", "One. \n"),
        ("One.\n\n<!-- memkeep-ignore secret -->", "One.\n\n"),
    ] {
        assert_eq!(
            edits(body(before)),
            [FieldEdit::Body(after.into())],
            "{before}"
        );
    }
    let several =
        format!("{PERSONAL}\n<!-- memkeep-ignore secret, personal-path, expired: x -->\n");
    assert_eq!(
        edits(body(&several)),
        [
            FieldEdit::Body(format!(
                "{PERSONAL}\n<!-- memkeep-ignore personal-path, expired: x -->\n"
            )),
            FieldEdit::Body(format!(
                "{PERSONAL}\n<!-- memkeep-ignore secret, personal-path: x -->\n"
            )),
        ]
    );
    let field = |value: &str| memory("a").front(&format!("memkeep-ignore: {value}"), PERSONAL);
    let name = || super::WORD.to_owned();
    assert_eq!(edits(field("secret")), [FieldEdit::Unset { field: name() }]);
    assert_eq!(
        edits(field("[secret]")),
        [FieldEdit::Unset { field: name() }]
    );
    assert_eq!(
        edits(field("[personal-path, secret]")),
        [FieldEdit::RemoveItem {
            field: name(),
            index: 1
        }]
    );
    assert_eq!(
        edits(field("personal-path, secret")),
        [FieldEdit::Set {
            field: name(),
            value: "personal-path".into()
        }]
    );
    // A misspelt one is the person's to put right.
    assert_eq!(edits(field("secrets")), []);
}

#[test]
fn a_text_is_compared_without_its_silences() {
    for text in [
        "One.\n\nTwo.",
        "One.\r\n\r\nTwo.\r\n",
        "One.\n\n<!-- memkeep-ignore secret: x -->\n\nTwo.\n",
        "One. <!-- memkeep-ignore secret -->\nTwo.",
    ] {
        assert_eq!(super::settled(text), "One.\nTwo.", "{text:?}");
    }
}
