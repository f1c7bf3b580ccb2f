//! What the load met, dates, and what the loader does not see.

use super::*;

#[test]
fn problems_of_the_load_become_findings() {
    for (rule, severity) in [
        ("load-error", Severity::Error),
        ("bad-date", Severity::Warning),
        ("missing-field", Severity::Error),
        ("unknown-value", Severity::Error),
    ] {
        let sample = || {
            memory("a")
                .front("", "x")
                .problem(rule, severity, 3, 7, "off \x1b")
        };
        let finding = one(rule, vec![sample()]);
        assert_eq!((finding.line, finding.column), (3, 7));
        assert_eq!(
            (finding.severity, &*finding.message),
            (severity, "off \\u{1b}")
        );
        for other in ["load-error", "bad-date", "missing-field", "unknown-value"] {
            assert_eq!(messages(other, sample()).len(), usize::from(other == rule));
        }
    }
}

#[test]
fn an_importance_that_is_nearly_one_is_put_right() {
    for (text, fixed) in [
        ("HIGH", Some("high")),
        ("urgent", Some("critical")),
        ("7 of 9", None),
    ] {
        let sample = memory("a")
            .text(&format!("---\ntitle: a\nimportance: {text}\n---\nx"))
            .problem(
                "unknown-value",
                Severity::Error,
                3,
                13,
                "`importance` is not one of",
            );
        let finding = one("unknown-value", vec![sample]);
        match fixed {
            Some(word) => assert_eq!(edits(&finding), [set("importance", word)]),
            None => assert_eq!(finding.fix, None),
        }
    }
}

#[test]
fn a_date_that_has_one_reading_is_put_right() {
    for (text, fixed) in [
        ("23 Jan 2026", Some("2026-01-23")),
        ("soon", None),
        ("3/4/2026", None),
    ] {
        let sample = memory("a")
            .text(&format!("---\ntitle: a\ndiscoveredAt: {text}\n---\nx"))
            .problem(
                "bad-date",
                Severity::Warning,
                3,
                15,
                "`discoveredAt` is not a date",
            );
        let finding = one("bad-date", vec![sample]);
        match fixed {
            Some(iso) => assert_eq!(edits(&finding), [set("discoveredAt", iso)]),
            None => assert_eq!(finding.fix, None),
        }
    }
}

#[test]
fn a_date_in_the_future_is_a_bad_date() {
    const HOUR: i64 = 3_600_000;
    let at = |hours: i64| {
        memory("a")
            .front("discoveredAt: 2026-02-03T00:00:00Z", "x")
            .change(|memory| memory.created = Some(Timestamp(NOW.0 + hours * HOUR)))
    };
    let finding = one("bad-date", vec![at(49)]);
    assert_eq!(
        finding.message,
        "`discoveredAt` is 2 days in the future and earns the points for recency until then"
    );
    assert_eq!((finding.line, finding.column), (6, 15));
    assert_eq!(messages("bad-date", at(20)).len(), 1);
    // The clock of where it was written may be ahead of UTC.
    for hours in [-1000, 0, 14] {
        quiet("bad-date", at(hours));
    }
}

#[test]
fn what_only_the_loader_skips_is_invisible() {
    let hidden = |memory: &mut Memory| memory.hidden = Some("it says so".into());
    let sample = |text: &str| memory("a").text(text).change(hidden);
    for text in [
        "\u{feff}---\ntitle: a\n---\nx",
        "\n---\ntitle: a\n---\nx",
        "---\r\ntitle: a\r\n---\r\nx",
    ] {
        let finding = one("invisible-to-loader", vec![sample(text)]);
        let change = finding.fix.unwrap().change;
        assert!(matches!(change, Change::Normalize(_)), "{text:?}");
        assert_eq!(
            finding.message,
            "it says so, so rawko never loads this memory"
        );
    }
    let finding = one("invisible-to-loader", vec![sample("---\ntitle: a\n---\nx")]);
    assert_eq!(edits(&finding), [set("tags", Value::List(Box::default()))]);
    let finding = one(
        "invisible-to-loader",
        vec![sample("---\ntags: a, b\n---\nx")],
    );
    assert_eq!(
        edits(&finding),
        [set(
            "tags",
            ["a".into(), "b".into()].into_iter().collect::<Value>()
        )]
    );
    // A link, say.
    let finding = one(
        "invisible-to-loader",
        vec![sample("---\ntags: [a]\n---\nx")],
    );
    assert_eq!(finding.fix, None);

    quiet("invisible-to-loader", memory("a").front("", "x"));
    let broken = sample("---\ntitle: a\n---\nx");
    quiet(
        "invisible-to-loader",
        broken.problem("missing-field", Severity::Error, 1, 1, "no `whenToUse`"),
    );
    quiet(
        "invisible-to-loader",
        sample("---\ntitle: a\n---\nx").change(|memory| memory.document = 1),
    );
}

#[test]
fn a_later_memory_of_a_file_is_dead() {
    let later = memory("a#2").front("", "x").change(|memory| {
        memory.document = 1;
        memory.line = 20;
    });
    let finding = one("dead-appended", vec![memory("a").front("", "x"), later]);
    assert_eq!((finding.memory, finding.line), (1, 20));
    let change = finding.fix.unwrap().change;
    assert!(matches!(change, Change::SplitFile(_)));
}
