//! Every fix makes its finding go away.

use super::*;

/// The samples whose fixes are tried, with the rule and whether there is more than one edit to do.
static FIXABLE: &[(&str, &str)] = &[
    (
        "unknown-value",
        "---\ntitle: a\nimportance: URGENT # soon\n---\nx\n",
    ),
    (
        "bad-date",
        "---\ntitle: a\ndiscoveredAt: 2026/01/03 10:00\n---\nx\n",
    ),
    ("invisible-to-loader", "---\ntitle: a\n---\nx\n"),
    ("invisible-to-loader", "---\ntitle: a\ntags: a, b\n---\nx\n"),
    (
        "pattern-matches-all",
        "---\nwhenToUse: [auth|, x]\n---\nx\n",
    ),
    (
        "pattern-matches-all",
        "---\nwhenToUse: 'auth||login'\n---\nx\n",
    ),
    (
        "pattern-matches-all",
        "---\nwhenToUse:\n  - x\n  - ''\n---\nx\n",
    ),
    (
        "pattern-alternative-regex",
        "---\nwhenToUse: [oauth|social.*auth, x]\n---\nx\n",
    ),
    (
        "pattern-alternative-regex",
        "---\nwhenToUse: oauth|social.*auth\n---\nx\n",
    ),
    (
        "pattern-alternative-regex",
        "---\nwhenToUse:\n  - (login|signup).*form\n---\nx\n",
    ),
    (
        "pattern-never-matches",
        "---\nwhenToUse: [\"\\\\bauth\\\\b\"]\n---\nx\n",
    ),
    (
        "pattern-never-matches",
        "---\nwhenToUse: |\n  auth\n  login\n---\nx\n",
    ),
    (
        "pattern-never-matches",
        "---\nwhenToUse: rate  limit\n---\nx\n",
    ),
    (
        "broken-relation",
        "---\nrelatedMemories:\n  - othr-memory.md # old\n---\nx\n",
    ),
    (
        "cut-in-prompt",
        "---\nwhenToUse: x\n---\n\n# A\n\nb\n\n# C\n\nd\n",
    ),
    (
        "cut-in-prompt",
        "---\r\nwhenToUse: x\r\n---\r\n\r\n# A\r\n\r\nb\r\n\r\n# C\r\n\r\nd\r\n",
    ),
    (
        "terminal-escape",
        "---\ntitle: a\n---\n\nred \x1b[31mtext\n\n",
    ),
    (
        "terminal-escape",
        "---\r\ntitle: a\r\n---\r\n\r\nred \x1b[31mtext\r\nb",
    ),
    ("terminal-escape", "---\ntitle: a\x07\n---\nx\n"),
    ("terminal-escape", "---\ntitle: [a, \"b\\e[0m\"]\n---\nx\n"),
    (
        "invisible-unicode",
        "---\ntitle: a\u{200b}\n---\nx\u{202e}\n",
    ),
    (
        "invisible-unicode",
        "\u{feff}---\ntitle: a\n---\nx\u{202e}\ny\n",
    ),
    (
        "invisible-unicode",
        "\u{feff}---\ntitle: a\u{200b}\n---\nx\n",
    ),
];

/// A memory as the load would see it, as far as the rules with fixes care.
fn loaded(text: &str) -> Store {
    let sample = memory("a").text(text).change(|memory| {
        let mut problems = Vec::new();
        let mut problem = |rule, message: &str| {
            problems.push(Problem {
                rule,
                severity: Severity::Warning,
                line: 1,
                column: 1,
                message: message.into(),
            });
        };
        if memory.importance().is_some_and(|word| word != "critical") {
            problem("unknown-value", "importance");
        }
        let date = memory.field("discoveredAt").and_then(Value::as_str);
        if date.is_some_and(|date| Timestamp::parse_iso(date).is_none()) {
            problem("bad-date", "discoveredAt");
        }
        if !matches!(memory.field("tags"), Some(Value::List(_))) {
            memory.hidden = Some("no tags".into());
        }
        memory.problems = problems.into();
    });
    Store::new(vec![sample, memory("other-memory").front("", "x")])
}

#[test]
fn a_fix_makes_its_finding_go_away() {
    for (rule, text) in FIXABLE {
        let findings = loaded(text).only(rule);
        let finding = findings.iter().find(|finding| finding.memory == 0);
        let finding = finding.unwrap_or_else(|| panic!("{rule}: nothing in {text:?}"));
        let fixed = crate::memory::edit::apply(text.as_bytes(), 0, edits(finding));
        let fixed = fixed.unwrap_or_else(|error| panic!("{rule}: {error} in {text:?}"));
        let fixed = String::from_utf8(fixed).unwrap();
        let left = loaded(&fixed).only(rule);
        assert_eq!(left, [], "{rule}: {text:?} became {fixed:?}");
    }
}

#[test]
fn only_what_is_certain_or_a_warning_is_put_right_unseen() {
    use crate::memory::Severity;
    let info = [(
        "cut-in-prompt",
        "---\nwhenToUse: x\n---\n\n# A\n\nb b b b b b b b b b b b b\n\n# C\n\nd\n",
    )];
    let mut fixes = [0, 0];
    for (rule, text) in FIXABLE.iter().chain(&info) {
        let sample = memory("Some Name").text(text);
        let named = Store::new(vec![sample, memory("b").front("", "x")]);
        let findings = [loaded(text).only(rule), named.only(rule)].concat();
        for finding in findings {
            let Some(fix) = &finding.fix else {
                continue;
            };
            let sure = finding.severity != Severity::Info || finding.confidence >= 0.95;
            fixes[usize::from(sure)] += 1;
            assert!(sure || !fix.safe, "{rule}: {finding:?}");
        }
    }
    assert!(fixes.iter().all(|count| *count > 0), "{fixes:?}");
}
