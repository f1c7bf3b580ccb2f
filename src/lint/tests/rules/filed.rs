//! Memories that share how they were filed, or a few words below other titles.

use super::*;

/// What is said of two memories by the rules about pairs, with these titles and bodies.
fn said(titles: [&str; 2], bodies: [&str; 2]) -> Vec<(&'static str, Severity)> {
    let note = |n: usize| {
        let (title, body) = (titles[n], bodies[n]);
        let head = format!("---\ntitle: \"{title}\"\nwhenToUse:\n  - \"n{n}\"\n---\n\n");
        memory(&format!("n{n}")).text(&format!("{head}{body}\n"))
    };
    let store = Store::new(vec![note(0), note(1)]);
    let rules = ["contradiction", "near-duplicate", "contained"];
    let found = rules.iter().flat_map(|rule| store.only(rule));
    found.map(|one| (one.rule, one.severity)).collect()
}

const NOTES: [&str; 2] = ["Wrong owner in the issue view", "Package install rejected"];

#[test]
fn how_two_memories_were_filed_is_nothing_they_say() {
    let hook = |seen: u8, input: &str, error: &str| {
        format!(
            "- **Severity:** high\n- **Seen:** {seen} times\n- **Input:** `{input}`\n- **Error:** {error}"
        )
    };
    let hooks = [
        hook(5, "ls /nonexistent", "no such folder"),
        hook(2, "python3 -c 'import x'", "Python was not found"),
    ];
    for bodies in [
        [
            "**Seen:** 5 times\nThe view fails.",
            "**Seen:** 2 times\nThe install fails.",
        ],
        ["- Reproducible: yes", "- Reproducible: unknown"],
        ["- Reproducible: yes", "- Reproducible: yes"],
        [
            "- See Also: ERR-20260317-003",
            "- See Also: ERR-20260317-003",
        ],
        [
            "- **Resolved**: 2026-07-24T00:00:00+08:00",
            "- **Resolved**: 2026-07-24T00:00:00+08:00",
        ],
        [
            "- Reproducible: yes\n- Related Files: tool/tree.py, tool/run.py",
            "- Reproducible: unknown\n- Related Files: conf/profiles.yaml, tool/run.py",
        ],
        [
            "**Logged**: 2026-07-24\n**Priority**: low\n**Status**: resolved\n**Area**: infra",
            "**Logged**: 2026-07-27\n**Priority**: low\n**Status**: resolved\n**Area**: docs",
        ],
        [
            "Occurrences: 3\nStatus: pending\n\n### Error\nThe MSBuild of the SDK cannot build Office references.",
            "Occurrences: 8\nStatus: pending\n\n### Error\nA recursive search ran into binary files and timed out.",
        ],
        [&hooks[0], &hooks[1]],
    ] {
        assert_eq!(said(NOTES, bodies), [], "{bodies:?}");
    }
    let fact = "Deploys go through the gateway host and never from a laptop of a developer.";
    for (bodies, rule) in [
        (
            [
                format!("Seen: 3\nStatus: open\n\n{fact}"),
                format!("Seen: 7\nStatus: done\n\n{fact}"),
            ],
            "near-duplicate",
        ),
        (
            [
                "Severity: high\n\nThe session times out after 30 s.".to_owned(),
                "Severity: low\n\nThe session times out after 60 s.".to_owned(),
            ],
            "contradiction",
        ),
    ] {
        let found = said(NOTES, [&bodies[0], &bodies[1]]);
        assert_eq!(found, [(rule, Severity::Warning)], "{bodies:?}");
    }
}

#[test]
fn a_few_words_below_another_title_are_no_duplicate_to_warn_of() {
    for (titles, bodies) in [
        (
            ["Commit messages", "Language of answers"],
            ["- As one short line", "- **Form**: as one short line"],
        ),
        (
            ["Vertex AI client", "A2A server"],
            ["- Fine-tuning of parameters (planned)"; 2],
        ),
        (
            [
                "progress: State manager enhancement, part a",
                "progress: A2A server migration, part e",
            ],
            ["- Adapter for backward compatibility"; 2],
        ),
        (
            ["Search index", "Billing export"],
            ["- Performance validation (planned)"; 2],
        ),
        (["Uploader", "Audit log"], ["- Retry with backoff"; 2]),
        (
            ["Admin area", "Public website"],
            ["- Advanced caching (in progress)"; 2],
        ),
    ] {
        let found = said(titles, bodies);
        let warns = found
            .iter()
            .any(|(_, severity)| *severity == Severity::Warning);
        assert!(!warns, "{titles:?}: {found:?}");
    }
    for (titles, bodies) in [
        (
            ["Run the tests", "Running tests"],
            ["- Test with the nextest runner"; 2],
        ),
        (
            ["Package manager", "Installing things"],
            ["- Install with `pnpm`, not `npm`"; 2],
        ),
        (
            ["First note", "Second note"],
            ["- Adapter for backward compatibility"; 2],
        ),
        (
            ["Deploys", "Who may ship"],
            ["Deploys go through the gateway host and never from a laptop of a developer."; 2],
        ),
        (
            ["Formatting", "Formatting of the code"],
            ["- Format before each commit"; 2],
        ),
        (["", "Hints"], ["- Review needs two people"; 2]),
        (
            ["Project overview", "Code conventions"],
            ["- Written in Rust 2024"; 2],
        ),
        (
            ["Next milestones", "Reliability"],
            ["- Rotation of IPFS gateways"; 2],
        ),
    ] {
        let found = said(titles, bodies);
        assert_eq!(found, [("near-duplicate", Severity::Warning)], "{titles:?}");
    }
}
