use crate::curate::Change;
use crate::lint::tests::{Sample, Store, memory};
use crate::lint::{Severity, UNUSED};
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
    let edits = |front: &str, body: &str| {
        let found = Store::new(vec![memory("a").front(front, body)]).run();
        let fixes = found.into_iter().filter(|one| one.rule == UNUSED);
        let edits = fixes.filter_map(|one| match one.fix?.change {
            Change::Edit { edits, .. } => Some(edits),
            _ => None,
        });
        edits.flatten().collect::<Vec<_>>()
    };
    let kept = |names: &str| format!("{PERSONAL}\n<!-- memkeep-ignore {names}: x -->\n");
    let all = kept("secret, personal-path, expired");
    let (first, last) = (
        kept("personal-path, expired"),
        kept("secret, personal-path"),
    );
    for (before, after) in [
        (
            "One.\n<!-- memkeep-ignore secret: x -->\nTwo.\n",
            &["One.\nTwo.\n"][..],
        ),
        ("One. <!-- memkeep-ignore secret -->\n", &["One. \n"]),
        ("One.\n\n<!-- memkeep-ignore secret -->", &["One.\n\n"]),
        (&*all, &[&*first, &*last]),
    ] {
        let after = after.iter().map(|body| FieldEdit::Body((*body).to_owned()));
        assert_eq!(edits("", before), after.collect::<Vec<_>>(), "{before}");
    }
    let field = super::WORD.to_owned();
    let unset = || FieldEdit::Unset {
        field: field.clone(),
    };
    let value = "personal-path".into();
    for (value, expected) in [
        ("secret", vec![unset()]),
        ("[secret]", vec![unset()]),
        (
            "[personal-path, secret]",
            vec![FieldEdit::RemoveItem {
                field: field.clone(),
                index: 1,
            }],
        ),
        (
            "personal-path, secret",
            vec![FieldEdit::Set {
                field: field.clone(),
                value,
            }],
        ),
        // A misspelt one is the person's to put right.
        ("secrets", vec![]),
    ] {
        let front = format!("memkeep-ignore: {value}");
        assert_eq!(edits(&front, PERSONAL), expected, "{front}");
    }
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
