//! What an agent did, as its system keeps it: it is no more to go by than a log, and nothing puts it
//! right.

use super::*;
use crate::memory::Severity;
use crate::memory::rum::{Layers, RUM, markdown};

fn project() -> Fake {
    let gone = [
        ("tools/pack.py", Some("pipeline/pack.py")),
        ("src/gfx/a.lua", Some("engine/r_a.lua")),
        ("src/gfx/b.lua", Some("engine/r_b.lua")),
        ("src/gfx/sub/c.lua", Some("engine/sub/r_c.lua")),
        ("src/net/a.lua", Some("src/net_a.lua")),
        ("src/net/b.lua", Some("src/net_b.lua")),
        ("src/one/[id].tsx", Some("src/pages/profile.tsx")),
    ];
    let files: Vec<&str> = gone.iter().filter_map(|(_, to)| *to).collect();
    Fake {
        history: taken(&gone, &files),
        ..Fake::default()
    }
}

fn row(goal: &str, actions: &str, learned: &str) -> Vec<Finding> {
    of_row((&project(), "stale-path"), goal, actions, learned)
}

fn of_row(
    (project, rule): (&Fake, &str),
    goal: &str,
    actions: &str,
    learned: &str,
) -> Vec<Finding> {
    let json = |text: String| serde_json::from_str(&text).unwrap();
    let layers = Layers {
        intent: json(format!(r#"{{"goal": "{goal}", "task_type": "bug_fix"}}"#)),
        actions: json(actions.to_owned()),
        outcome: json(format!(
            r#"{{"success": true, "summary": "done", "learnings": ["{learned}"]}}"#
        )),
        ..Layers::default()
    };
    let body = markdown::memory(&layers);
    let mut sample = memory("a");
    sample.memory.schema = &RUM;
    sample.memory.fields = [("goal", Value::from(goal))].into_iter().collect();
    (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
    sample.text = body;
    found(project, rule, sample).findings
}

#[test]
fn what_was_done_to_a_file_is_a_record() {
    let edit =
        r#"[{"type": "file_edit", "file_path": "tools/pack.py", "result": {"success": true}}]"#;
    let run = r#"[{"type": "command_run", "command": "python tools/pack.py"}]"#;
    for actions in [edit, run] {
        let findings = row("Speed up packing", actions, "Pack in parallel.");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].severity, Severity::Info);
        assert!(
            findings[0].message.ends_with(", in `actions`"),
            "{findings:?}"
        );
        assert!(findings[0].fix.is_none());
        // What was learnt, or is wanted, is to go by.
        for (goal, learned) in [
            ("Speed up packing", "Wrap errors in tools/pack.py."),
            ("Keep tools/pack.py fast", "Pack in parallel."),
        ] {
            let findings = row(goal, actions, learned);
            assert_eq!(findings[0].severity, Severity::Warning, "{goal} {learned}");
            assert!(findings[0].message.ends_with("now"), "{findings:?}");
        }
    }
}

#[test]
fn a_version_that_was_installed_is_a_record() {
    let npm = ("package.json", r#"{"dependencies":{"express":"5.1.0"}}"#);
    let project = (&Fake::new(&[npm]), "stale-version");
    let run = r#"[{"type": "command_run", "command": "npm install express@4.19.2", "result": {"output": "express: 4.19.2"}}]"#;
    for (learned, severity) in [
        ("Pack in parallel.", Severity::Info),
        ("Wrap handlers, we use Express 4.", Severity::Warning),
    ] {
        let findings = of_row(project, "Add a server", run, learned);
        let worst = findings.iter().map(|one| one.severity).min();
        assert_eq!(worst, Some(severity), "{learned}: {findings:?}");
    }
}

#[test]
fn a_folder_went_where_most_of_its_files_are_under_whatever_names() {
    for (body, expected) in [
        (
            "Drawing code is below src/gfx/ only.",
            "w `src/gfx` has moved: it is `engine` now => Drawing code is below engine/ only.",
        ),
        // What it was a part of is no other place.
        ("Sockets are below src/net/ only.", "w `src/net` is gone"),
        ("Profiles are in src/one/ only.", "w `src/one` is gone"),
        (
            "The profile is src/one/[id].tsx; keep it.",
            "w `src/one/[id].tsx` has moved: it is `src/pages/profile.tsx` now => The profile is src/pages/profile.tsx; keep it.",
        ),
        (
            "Is it (src/one/[id].tsx)?",
            "w `src/one/[id].tsx` has moved: it is `src/pages/profile.tsx` now => Is it (src/pages/profile.tsx)?",
        ),
    ] {
        assert_eq!(said(&project(), "stale-path", body), [expected], "{body}");
    }
}
