//! What each rule finds in whole memories, and what it leaves alone.

use super::*;
use crate::memory::edit::FieldEdit;

mod fixes;
mod golemcore;
mod load;
mod pairs;
mod superseded;

/// One memory, and the messages of one rule on it.
fn messages(rule: &str, sample: Sample) -> Vec<String> {
    let store = Store::new(vec![sample]);
    let findings = store.only(rule);
    findings
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

fn quiet(rule: &str, sample: Sample) {
    assert_eq!(messages(rule, sample), [""; 0], "{rule}");
}

fn one(rule: &str, samples: Vec<Sample>) -> Finding {
    let mut findings = Store::new(samples).only(rule);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.remove(0)
}

fn edits(finding: &Finding) -> &[FieldEdit] {
    match finding.fix.as_ref().map(|fix| &fix.change) {
        Some(Change::Edit { edits, .. }) => edits,
        other => panic!("{other:?}"),
    }
}

fn set(field: &str, value: impl Into<Value>) -> FieldEdit {
    FieldEdit::Set {
        field: field.into(),
        value: value.into(),
    }
}

#[test]
fn patterns_are_named_where_they_stand() {
    let sample = memory("a").text(
        "---\ntitle: auth\nwhenToUse:\n  - auth\n  - \"oauth|social.*auth\" # why\n  - 'auth|'\n---\n\nauth|",
    );
    let store = Store::new(vec![sample]);
    let finding = store.only("pattern-alternative-regex").remove(0);
    assert_eq!((finding.line, finding.column), (5, 5));
    let text = &store.texts.texts[0].1;
    assert_eq!(
        &text[finding.place.clone().unwrap()],
        "\"oauth|social.*auth\""
    );
    let item = |index, value: &str| FieldEdit::SetItem {
        field: "whenToUse".into(),
        index,
        value: value.into(),
    };
    let add = |value: &str| FieldEdit::AddItem {
        field: "whenToUse".into(),
        item: value.into(),
    };
    assert_eq!(edits(&finding), [item(1, "oauth"), add("social.*auth")]);
    let finding = store.only("pattern-matches-all").remove(0);
    assert_eq!((finding.line, finding.column), (6, 5));
    // What it should say is there already.
    let remove = FieldEdit::RemoveItem {
        field: "whenToUse".into(),
        index: 2,
    };
    assert_eq!(edits(&finding), [remove]);

    let scalar = memory("a").front("whenToUse: oauth|social.*auth", "x");
    let both: Value = ["oauth".into(), "social.*auth".into()]
        .into_iter()
        .collect();
    assert_eq!(
        edits(&one("pattern-alternative-regex", vec![scalar])),
        [set("whenToUse", both)]
    );
    let empty = memory("a").front("whenToUse: ''", "x");
    assert_eq!(one("pattern-matches-all", vec![empty]).fix, None);
}

#[test]
fn a_sentence_is_a_suggestion() {
    let finding = one(
        "pattern-sentence",
        vec![memory("security").front("whenToUse: When implementing security", "x")],
    );
    assert_eq!(finding.severity, Severity::Info);
    let both: Value = ["When implementing security".into(), "security".into()]
        .into_iter()
        .collect();
    assert_eq!(edits(&finding), [set("whenToUse", both)]);
    let finding = one(
        "pattern-sentence",
        vec![memory("a").front(
            "whenToUse: [auth|security, When implementing security features]",
            "x",
        )],
    );
    assert!(finding.confidence < 0.5);
    assert_eq!(finding.fix, None);
    for pattern in [
        "auth|login",
        "rate limit",
        "implement.*auth",
        "implementing security",
    ] {
        quiet(
            "pattern-sentence",
            memory("a").front(&format!("whenToUse: {pattern}"), "x"),
        );
    }
}

#[test]
fn titles_count_by_store_and_file() {
    let titled =
        |local: &str, title: &str| memory(local).text(&format!("---\ntitle: {title}\n---\nx"));
    let finding = one(
        "duplicate-title",
        vec![titled("a", "Auth  Module"), titled("b", "auth module")],
    );
    assert_eq!((finding.memory, finding.related.as_slice()), (1, &[0][..]));
    assert_eq!((finding.line, finding.column), (2, 8));
    let elsewhere = |memory: &mut Memory| memory.id = MemoryId::new(&"rawko@x".into(), "b");
    let archived = |memory: &mut Memory| memory.state = State::Archived;
    for samples in [
        vec![titled("a", "Auth"), titled("a#2", "Auth")],
        vec![titled("a", "Auth"), titled("b", "Auth").change(elsewhere)],
        vec![titled("a", "Auth").change(archived), titled("b", "Auth")],
        vec![titled("a", "Auth"), titled("b", "Auth2")],
        vec![titled("a", "''"), titled("b", "''")],
        vec![memory("a").text("x"), memory("b").text("x")],
    ] {
        assert_eq!(Store::new(samples).only("duplicate-title"), []);
    }
}

#[test]
fn relations_lead_somewhere() {
    let names = |list: &str| memory("z").front(&format!("relatedMemories: [{list}]"), "x");
    let store = |list: &str| {
        vec![
            memory("auth-module").front("", "x"),
            memory("db").front("", "x"),
            memory("rule-1").front("", "x"),
            memory("old")
                .front("", "x")
                .change(|memory| memory.state = State::Archived),
            names(list),
        ]
    };
    for list in [
        "auth-module.md",
        "auth-module",
        "./auth-module.md",
        ".rawko/memories/auth-module.md",
        "auth-module.md#section",
        "'[[auth-module]]'",
        "https://example.com/x.md",
        "../../notes.md",
        "''",
        "z",
    ] {
        assert_eq!(
            Store::new(store(list)).only("broken-relation"),
            [],
            "{list}"
        );
    }
    let finding = one("broken-relation", store("db, auth-modul.md"));
    let item = |value: &str, index| FieldEdit::SetItem {
        field: "relatedMemories".into(),
        index,
        value: value.into(),
    };
    assert_eq!(edits(&finding), [item("auth-module.md", 1)]);
    assert_eq!((finding.memory, finding.related.as_slice()), (4, &[0][..]));
    assert_eq!(finding.evidence, ["`auth-module` is there"]);
    let finding = one("broken-relation", store("module_auth.md"));
    assert_eq!(edits(&finding), [item("auth-module.md", 0)]);
    // What is named already is not named again.
    let listed = Store::new(store("db, auth-modul.md, auth-module")).only("broken-relation");
    let gone = FieldEdit::RemoveItem {
        field: "relatedMemories".into(),
        index: 1,
    };
    assert_eq!(edits(&listed[0]), [gone]);
    // A different number, a short name, nothing alike: no guess.
    for list in ["rule-2.md", "dc.md", "restoring-a-backup.md"] {
        assert_eq!(one("broken-relation", store(list)).fix, None, "{list}");
    }
    let finding = one("broken-relation", store("old.md"));
    assert_eq!(finding.message, "the related memory `old` is archived");
}

#[test]
fn blank_lines_behind_the_fields_are_an_empty_body() {
    // A store gives the text without the blank lines that follow it.
    let front = "---\ntitle: a\nwhenToUse: auth\n---\n";
    for blank in ["", "\n", "\n\n\n", " \n"] {
        let sample = memory("a").text(&format!("{front}{blank}"));
        let cut = Sample {
            text: front.trim_end().to_owned(),
            ..sample
        };
        let finding = one("empty-body", vec![cut]);
        assert_eq!(finding.message, "the body is empty", "{blank:?}");
        assert!(finding.line >= 4, "{blank:?} {}", finding.line);
    }
}

#[test]
fn names_are_kebab_case_where_the_name_is_free() {
    let rename = |samples| match one("name-style", samples).fix?.change {
        Change::Rename { to, .. } => Some(to),
        _ => None,
    };
    assert_eq!(
        rename(vec![memory("Pool Size").front("", "x")]),
        Some("pool-size".to_owned())
    );
    assert_eq!(
        rename(vec![
            memory("Pool Size").front("", "x"),
            memory("pool-size").front("", "x")
        ]),
        None
    );
    assert_eq!(
        rename(vec![memory("Auth").front("", "x")]),
        Some("auth".to_owned())
    );
    quiet("name-style", memory("auth#2").front("", "x"));
    let later = |memory: &mut Memory| memory.document = 1;
    quiet("name-style", memory("A B#2").front("", "x").change(later));
}

#[test]
fn lengths_outside_the_advice() {
    let of = |words| memory("a").front("", "x").words(words);
    for (words, severity) in [
        (0, Severity::Info),
        (199, Severity::Info),
        (501, Severity::Info),
        (2000, Severity::Info),
        (2001, Severity::Warning),
    ] {
        assert_eq!(
            one("body-length", vec![of(words)]).severity,
            severity,
            "{words}"
        );
    }
    for words in [200, 500] {
        quiet("body-length", of(words));
    }
    quiet(
        "body-length",
        of(3).problem("load-error", Severity::Error, 1, 1, "broken"),
    );
}

#[test]
fn the_cut_of_the_prompt() {
    let long = "word ".repeat(120);
    let of = |body: &str| one("cut-in-prompt", vec![memory("a").front("", body)]);
    let finding = of(&long);
    assert_eq!((finding.severity, finding.line), (Severity::Info, 8));
    assert_eq!(finding.evidence, ["an agent never sees the last 20 words"]);
    assert!(finding.confidence < 0.3);

    let finding = of("# Own\n\nIntro.\n\n# Next\n\nRest of it.\n");
    assert_eq!(
        (finding.severity, finding.line, finding.column),
        (Severity::Info, 12, 1)
    );
    assert_eq!(
        finding.message,
        "the prompt ends after line 11: a first-level heading ends the preview"
    );
    let body = "# Own\n\nIntro.\n\n## Next\n\nRest of it.\n";
    assert_eq!(edits(&finding), [FieldEdit::Body(body.into())]);

    let finding = of("Run:\n```sh\n# install\nnpm i\n```\n");
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(finding.fix, None);
    let finding = of("# Own\n\n# Next\n\nAll of it.\n");
    assert_eq!(finding.severity, Severity::Warning);

    quiet(
        "cut-in-prompt",
        memory("a").front("", "# Own\n\nshort\n## Next\n"),
    );
    quiet("cut-in-prompt", memory("a").front("", &"x".repeat(500)));
    quiet(
        "cut-in-prompt",
        memory("a").front("", &format!("{}\n\n", "x".repeat(500))),
    );
}

#[test]
fn hostile_characters_are_taken_out() {
    let sample = memory("a").front("", "red \x1b[31mtext\x1b[0m here\n");
    let finding = one("terminal-escape", vec![sample]);
    assert_eq!((finding.line, finding.column), (8, 5));
    assert_eq!(finding.message, "2 control characters");
    assert_eq!(edits(&finding), [FieldEdit::Body("red text here\n".into())]);

    let sample = memory("a").text("---\ntitle: a\u{202e}b\n---\nx\u{200b}y\n");
    let finding = one("invisible-unicode", vec![sample]);
    assert_eq!(
        finding.evidence,
        ["U+202E right-to-left override", "U+200B zero width space"]
    );
    assert_eq!(
        finding.message,
        "2 invisible characters in 2 lines, the last in line 4"
    );
    assert_eq!(
        edits(&finding),
        [FieldEdit::Text("---\ntitle: ab\n---\nxy\n".into())]
    );

    // Spelled out, so that the text holds none.
    let sample = memory("a").front("source: \"a\\e[0mb\"", "x");
    let finding = one("terminal-escape", vec![sample]);
    assert_eq!(edits(&finding), [set("source", "ab")]);

    // Writing this text would lose what could not be read.
    let finding = one(
        "terminal-escape",
        vec![memory("a").front("", "\u{fffd}\x07")],
    );
    assert_eq!(finding.fix, None);
    quiet(
        "terminal-escape",
        memory("a").front("", "a\tb\r\nc \\x1b[31m é"),
    );
    quiet(
        "invisible-unicode",
        memory("a").front("", "👩\u{200d}💻 ok ❤\u{fe0f}"),
    );
}
