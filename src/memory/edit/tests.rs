use super::*;
use proptest::prelude::*;

fn set(field: &str, value: impl Into<Value>) -> FieldEdit {
    FieldEdit::Set {
        field: field.into(),
        value: value.into(),
    }
}

fn list(items: &[&str]) -> Value {
    items.iter().map(|item| Value::from(*item)).collect()
}

fn unset(field: &str) -> FieldEdit {
    FieldEdit::Unset {
        field: field.into(),
    }
}

fn add(field: &str, item: &str) -> FieldEdit {
    FieldEdit::AddItem {
        field: field.into(),
        item: item.into(),
    }
}

fn remove(field: &str, index: usize) -> FieldEdit {
    FieldEdit::RemoveItem {
        field: field.into(),
        index,
    }
}

fn set_item(field: &str, index: usize, value: &str) -> FieldEdit {
    FieldEdit::SetItem {
        field: field.into(),
        index,
        value: value.into(),
    }
}

fn move_item(field: &str, from: usize, to: usize) -> FieldEdit {
    FieldEdit::MoveItem {
        field: field.into(),
        from,
        to,
    }
}

fn edited(front: &str, edit: FieldEdit) -> String {
    let file = format!("---\n{front}---\n\nbody\n");
    let out =
        apply(file.as_bytes(), 0, &[edit]).unwrap_or_else(|error| panic!("{front:?}: {error}"));
    let out = String::from_utf8(out).unwrap();
    out.strip_prefix("---\n")
        .and_then(|out| out.strip_suffix("---\n\nbody\n"))
        .unwrap()
        .to_owned()
}

#[test]
fn scalars() {
    let table = [
        ("a: x\nb: y\n", set("a", "z"), "a: z\nb: y\n"),
        ("a:   x   # why\n", set("a", "z"), "a:   z   # why\n"),
        ("a: 'x'\n", set("a", "it's"), "a: 'it''s'\n"),
        (
            "a: \"x\" # c\n",
            set("a", "say \"z\""),
            "a: \"say \\\"z\\\"\" # c\n",
        ),
        ("a: 'x'\n", set("a", "two\nlines"), "a: \"two\\nlines\"\n"),
        ("a: x\n", set("a", "b: c"), "a: \"b: c\"\n"),
        ("a: x\n", set("a", "yes"), "a: \"yes\"\n"),
        ("a: x\n", set("a", "12"), "a: \"12\"\n"),
        ("a: x\n", set("a", "2026-01-01"), "a: \"2026-01-01\"\n"),
        (
            "discoveredAt: 2026-01-23T10:30:00Z\n",
            set("discoveredAt", "2026-02-01"),
            "discoveredAt: 2026-02-01\n",
        ),
        (
            "when: 2026-01-23\n",
            set("when", "2026-02-01"),
            "when: 2026-02-01\n",
        ),
        (
            "discoveredAt: \"2026-01-23\"\n",
            set("discoveredAt", "2026-02-01"),
            "discoveredAt: \"2026-02-01\"\n",
        ),
        ("a:\nb: y\n", set("a", "z"), "a: z\nb: y\n"),
        (
            "a:  # none yet\nb: y\n",
            set("a", "z"),
            "a: z  # none yet\nb: y\n",
        ),
        ("a: x\n", set("a", Value::Int(3)), "a: 3\n"),
        ("a: x\n", set("a", Value::Null), "a: null\n"),
        ("a: true\n", set("a", Value::Bool(false)), "a: false\n"),
        (
            "a: long\n  text\n  goes on\nb: y\n",
            set("a", "z"),
            "a: z\nb: y\n",
        ),
        (
            "a:\n  \"below\"\nb: y\n",
            set("a", "z"),
            "a:\n  \"z\"\nb: y\n",
        ),
        (
            "a: |\n  one\n  two\nb: y\n",
            set("a", "one\nthree\n"),
            "a: |\n  one\n  three\nb: y\n",
        ),
        (
            "a: |  # c\n  one\n  two\n\nb: y\n",
            set("a", "z"),
            "a: z  # c\n\nb: y\n",
        ),
        ("a: >-\n  one\n  two\nb: y\n", set("a", "z"), "a: z\nb: y\n"),
        ("\"a b\": x\n", set("a b", "z"), "\"a b\": z\n"),
        ("a : x\n", set("a", "z"), "a : z\n"),
        ("  a: x\n  b: y\n", set("b", "z"), "  a: x\n  b: z\n"),
        ("a: {b: c}\nd: e\n", set("d", "z"), "a: {b: c}\nd: z\n"),
        (
            "a:\n  b: c\n  d: e\nf: g\n",
            set("f", "z"),
            "a:\n  b: c\n  d: e\nf: z\n",
        ),
        ("a:\n  b: c\n  d: e\nf: g\n", set("a", "z"), "a: z\nf: g\n"),
        ("a: &x 1\nb: y\n", set("b", "z"), "a: &x 1\nb: z\n"),
        // New fields go to the end, as the writers of the format write them.
        ("a: x\n# end\n", set("b", "z"), "a: x\n# end\nb: z\n"),
        ("  a: x\n", set("b", "z"), "  a: x\n  b: z\n"),
        ("", set("b", "z"), "b: z\n"),
        ("# none\n", set("title", "z"), "# none\ntitle: \"z\"\n"),
        (
            "a: x\n",
            set("tags", list(&["b", "c d"])),
            "a: x\ntags: [b, c d]\n",
        ),
        (
            "a: x\n",
            set("whenToUse", list(&["b|c"])),
            "a: x\nwhenToUse:\n  - \"b|c\"\n",
        ),
        (
            "a: x\n",
            set("discoveredAt", "2026-02-01T10:00:00Z"),
            "a: x\ndiscoveredAt: 2026-02-01T10:00:00Z\n",
        ),
        (
            "a: x\n# about b\nb: y # c\n\nd: e\n",
            unset("b"),
            "a: x\n# about b\n\nd: e\n",
        ),
        ("a:\n  - x\n\n  - y\nb: z\n", unset("a"), "b: z\n"),
        ("a: x\n", unset("a"), ""),
        ("a: x\n", unset("b"), "a: x\n"),
        ("a: x\n", set("a", "x"), "a: x\n"),
        (
            "a: [ x,  \"y\" ]\n",
            set("a", list(&["x", "y"])),
            "a: [ x,  \"y\" ]\n",
        ),
    ];
    for (before, edit, after) in table {
        assert_eq!(edited(before, edit.clone()), after, "{before:?} {edit:?}");
    }
}

#[test]
fn lists() {
    let table = [
        ("t: [a,  b ]\n", add("t", "c"), "t: [a,  b,  c ]\n"),
        ("t: [a]  # c\n", add("t", "x, y"), "t: [a, \"x, y\"]  # c\n"),
        ("t: ['a', 'b']\n", add("t", "c"), "t: ['a', 'b', 'c']\n"),
        ("t: []\n", add("t", "c"), "t: [c]\n"),
        ("t: [a, b,]\n", add("t", "c"), "t: [a, b, c,]\n"),
        (
            "t: [\n  a,\n  b # why\n]\n",
            add("t", "c"),
            "t: [\n  a,\n  b,\n  c # why\n]\n",
        ),
        (
            "t:\n  - a\n  -  \"b\" # c\nu: v\n",
            add("t", "c"),
            "t:\n  - a\n  -  \"b\" # c\n  -  \"c\"\nu: v\n",
        ),
        (
            "t:\n- a\n# next\nu: v\n",
            add("t", "c"),
            "t:\n- a\n- c\n# next\nu: v\n",
        ),
        (
            "t: \"x|y\" # c\n",
            add("t", "z"),
            "t: [\"x|y\", \"z\"] # c\n",
        ),
        ("t: x|y\n", add("t", "z"), "t: [x|y, z]\n"),
        ("t: x, y\n", add("t", "z"), "t: [\"x, y\", z]\n"),
        ("t: a\n  b\n", add("t", "z"), "t: [a b, z]\n"),
        ("t: |\n  a\n", add("t", "z"), "t: [\"a\\n\", z]\n"),
        ("t:\nu: v\n", add("t", "z"), "t: [z]\nu: v\n"),
        ("t: null\n", add("t", "z"), "t: [z]\n"),
        (
            "whenToUse:  # c\nu: v\n",
            add("whenToUse", "z"),
            "whenToUse:  # c\n  - \"z\"\nu: v\n",
        ),
        ("u: v\n", add("t", "z"), "u: v\nt: [z]\n"),
        ("t: [a,  b, c]\n", remove("t", 0), "t: [b, c]\n"),
        ("t: [a,  b, c]\n", remove("t", 1), "t: [a, c]\n"),
        ("t: [a,  b, c ]\n", remove("t", 2), "t: [a,  b ]\n"),
        ("t: [a] # c\n", remove("t", 0), "t: [] # c\n"),
        (
            "t:\n  # first\n  - a\n  - b # two\n  - c\n",
            remove("t", 1),
            "t:\n  # first\n  - a\n  - c\n",
        ),
        ("t: # c\n  - a\nu: v\n", remove("t", 0), "t: [] # c\nu: v\n"),
        ("t: x\n", remove("t", 0), "t: []\n"),
        ("t: [a, 'b']\n", set_item("t", 1, "c"), "t: [a, 'c']\n"),
        (
            "t:\n  - \"a\" # c\n  - b\n",
            set_item("t", 0, "x\\d"),
            "t:\n  - \"x\\\\d\" # c\n  - b\n",
        ),
        ("t: \"a\"\n", set_item("t", 0, "b"), "t: \"b\"\n"),
        (
            "t:\n  - p: q\n  - b\n",
            set_item("t", 1, "c"),
            "t:\n  - p: q\n  - c\n",
        ),
        (
            "t:\n  - p: q\n    r: s\n  - b\n",
            set_item("t", 0, "c"),
            "t:\n  - c\n  - b\n",
        ),
        ("t:\n  - [x, y]\n  - b\n", remove("t", 0), "t:\n  - b\n"),
        (
            "t: [{p: q}, b]\n",
            set_item("t", 1, "c"),
            "t: [{p: q}, c]\n",
        ),
        (
            "t: [a, \"b\", c]\n",
            move_item("t", 0, 2),
            "t: [\"b\", c, a]\n",
        ),
        (
            "t:\n  - a # 1\n  - b # 2\n",
            move_item("t", 1, 0),
            "t:\n  - b # 1\n  - a # 2\n",
        ),
        (
            "t: [a, b, c]\n",
            set("t", list(&["a", "x", "c"])),
            "t: [a, x, c]\n",
        ),
        ("t: [a, b, c]\n", set("t", list(&["a", "c"])), "t: [a, c]\n"),
        ("t: [a, b, c]\n", set("t", list(&["c"])), "t: [c]\n"),
        (
            "t: [a, b]\n",
            set("t", list(&["x", "w", "a", "b"])),
            "t: [x, w, a, b]\n",
        ),
        (
            "t:\n  - a # 1\n  - b # 2\n",
            set("t", list(&["a", "x", "b"])),
            "t:\n  - a # 1\n  - x\n  - b # 2\n",
        ),
        (
            "t:\n  - a\n  - b\nu: v\n",
            set("t", "one"),
            "t: one\nu: v\n",
        ),
        ("t:\n  - a\n", set("t", list(&[])), "t: []\n"),
        (
            "t: \"x\"\n",
            set("t", list(&["x", "w"])),
            "t: [\"x\", \"w\"]\n",
        ),
    ];
    for (before, edit, after) in table {
        assert_eq!(edited(before, edit.clone()), after, "{before:?} {edit:?}");
    }
}

fn file(before: &str, document: usize, edit: FieldEdit) -> String {
    let out = apply(before.as_bytes(), document, &[edit])
        .unwrap_or_else(|error| panic!("{before:?}: {error}"));
    String::from_utf8(out).unwrap()
}

#[test]
fn files() {
    let two = "---\na: x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n";
    let body = |text: &str| FieldEdit::Body(text.into());
    let text = |text: &str| FieldEdit::Text(text.into());
    let table = [
        (
            "---\r\na: x\r\n---\r\n\r\nb\r\n",
            0,
            set("c", "z"),
            "---\r\na: x\r\nc: z\r\n---\r\n\r\nb\r\n",
        ),
        (
            "---\r\na: x\r\n---\r\n\r\nb\r\n",
            0,
            set("a", list(&["1", "2"])),
            "---\r\na: [\"1\", \"2\"]\r\n---\r\n\r\nb\r\n",
        ),
        (
            "\u{feff}---\na: x\n---\nb",
            0,
            set("a", "z"),
            "\u{feff}---\na: z\n---\nb",
        ),
        (
            two,
            0,
            set("a", "z"),
            "---\na: z\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        ),
        (
            two,
            1,
            set("a", "z"),
            "---\na: x\n---\n\none\n\n\n---\n\n---\na: z\n---\n\ntwo\n",
        ),
        (
            two,
            0,
            body("uno\ndos\n"),
            "---\na: x\n---\n\nuno\ndos\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        ),
        (
            two,
            1,
            body("dos"),
            "---\na: x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ndos\n",
        ),
        (
            two,
            0,
            body(""),
            "---\na: x\n---\n\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        ),
        // A text without frontmatter gets some.
        (
            "body\n",
            0,
            set("title", "x"),
            "---\ntitle: \"x\"\n---\n\nbody\n",
        ),
        (
            "body\r\n",
            0,
            set("title", "x"),
            "---\r\ntitle: \"x\"\r\n---\r\n\r\nbody\r\n",
        ),
        (
            "\nbody\n",
            0,
            add("tags", "x"),
            "---\ntags: [x]\n---\n\nbody\n",
        ),
        (
            "\u{feff}body",
            0,
            set("a", "x"),
            "\u{feff}---\na: x\n---\n\nbody",
        ),
        ("", 0, set("a", "x"), "---\na: x\n---\n"),
        ("body\n", 0, unset("a"), "body\n"),
        // Bodies keep line ends, blank lines around them and a missing last line end.
        (
            "---\na: x\n---\n\n\nb\n\n\n",
            0,
            body("\n\nc\n\n"),
            "---\na: x\n---\n\n\nc\n\n\n",
        ),
        (
            "---\na: x\n---\nb",
            0,
            body("c\nd\n"),
            "---\na: x\n---\nc\nd",
        ),
        ("---\na: x\n---\nb\nc", 0, body("b"), "---\na: x\n---\nb"),
        (
            "---\na: x\n---\nb\nc",
            0,
            body("b\nc\nd"),
            "---\na: x\n---\nb\nc\nd",
        ),
        (
            "---\r\na: x\r\n---\r\nb\r\n",
            0,
            body("c\nd"),
            "---\r\na: x\r\n---\r\nc\r\nd\r\n",
        ),
        (
            "---\na: x\n---\n1\r\n2\n3\r\n",
            0,
            body("1\nx\n3"),
            "---\na: x\n---\n1\r\nx\r\n3\r\n",
        ),
        (
            "---\na: x\n---\n1\r\n2\n3\r\n",
            0,
            body("1\n2\n3\n"),
            "---\na: x\n---\n1\r\n2\n3\r\n",
        ),
        ("---\na: x\n---\n", 0, body("c\n"), "---\na: x\n---\n\nc\n"),
        ("---\na: x\n---", 0, body("c"), "---\na: x\n---\n\nc\n"),
        ("---\na: x\n---\n\n", 0, body("c"), "---\na: x\n---\n\nc\n"),
        ("", 0, body("c"), "c\n"),
        ("b", 0, body("c  "), "c  "),
        // Broken ones are edited as text.
        (
            "---\ntitle: a: b\n---\n\nb\n",
            0,
            text("---\ntitle: \"a: b\"\n---\n\nb\n"),
            "---\ntitle: \"a: b\"\n---\n\nb\n",
        ),
        (
            "---\ntitle: a\n\nb",
            0,
            text("---\ntitle: a\n---\n\nb"),
            "---\ntitle: a\n---\n\nb",
        ),
        ("\u{feff}x\r\n", 0, text("x\ny"), "\u{feff}x\r\ny\r\n"),
        (
            "---\na: : x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
            0,
            text("uno"),
            "uno\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        ),
    ];
    for (before, document, edit, after) in table {
        assert_eq!(
            file(before, document, edit.clone()),
            after,
            "{before:?} {edit:?}"
        );
    }
}

#[test]
fn bytes_that_are_not_text_stay() {
    let bytes = b"---\na: x\n---\n\n\xff one\ntwo \xfe\nthree\n";
    let out = apply(bytes, 0, &[set("a", "z")]).unwrap();
    assert_eq!(out, b"---\na: z\n---\n\n\xff one\ntwo \xfe\nthree\n");
    let text = String::from_utf8_lossy(bytes);
    let body = text[text.find("\n\n").unwrap() + 2..].replace("three", "3");
    let out = apply(bytes, 0, &[FieldEdit::Body(body)]).unwrap();
    assert_eq!(out, b"---\na: x\n---\n\n\xff one\ntwo \xfe\n3\n");
    let bytes = b"---\na: \xff\n---\nb\n";
    assert!(matches!(
        apply(bytes, 0, &[set("a", "z")]),
        Err(EditError::Refused(_))
    ));
}

#[test]
fn what_is_not_safe_is_refused_with_the_reason() {
    let fail = |front: &str, edit| {
        apply(format!("---\n{front}---\nb\n").as_bytes(), 0, &[edit])
            .unwrap_err()
            .to_string()
    };
    let anchored = "`a` has a YAML anchor, alias or tag; edit the text instead";
    let table = [
        ("a: &i high\nb: *i\n", set("a", "low"), anchored),
        ("b: &i high\na: *i\n", set("a", "low"), anchored),
        ("a: !!str 1\n", set("a", "low"), anchored),
        ("a: &l [x]\nb: *l\n", add("a", "low"), anchored),
        ("a: &l\n- x\nb: *l\n", unset("a"), anchored),
        ("a: [&l x]\nb: *l\n", remove("a", 0), anchored),
        (
            "a: 1\ntitle: x: y\n",
            set("a", "2"),
            "the frontmatter is not YAML: mapping values are not allowed in this context; edit the text instead",
        ),
        (
            "a: 1\na: 2\n",
            set("a", "2"),
            "the frontmatter is not YAML: the key `a` occurs twice; edit the text instead",
        ),
        ("a: [x]\n", remove("a", 1), "`a` has no item 2"),
        ("a: {b: c}\n", add("a", "x"), "`a` is not a list"),
        (
            "a:\n  b: &x c\nd: *x\n",
            unset("a"),
            "the edit would have changed more than `a`; edit the text instead",
        ),
        (
            "? a\n: b\nc: d\n",
            set("c", "x"),
            "the frontmatter is written in a way that only an edit of its text can change",
        ),
    ];
    for (front, edit, message) in table {
        assert_eq!(fail(front, edit), message, "{front:?}");
    }
    let broken = apply(b"x\n\n---\n\n---\na: b\n---\n", 2, &[set("a", "c")]);
    assert_eq!(broken, Err(EditError::NoSuchDocument(2)));
    let two = b"---\na: x\n---\none\n\n---\n\n---\na: y\n---\ntwo\n";
    assert!(apply(two, 1, &[unset("a")]).is_err());
    for text in [
        "one\n\n---\n\n---\nb: c\n---\n",
        "```\nopen\n\n---\n\n---\nb: c\n---\n",
    ] {
        assert!(apply(two, 0, &[FieldEdit::Body(text.into())]).is_err());
    }
    assert!(apply(b"body\n", 0, &[FieldEdit::Body("---\na: b\n---\n".into())]).is_err());
    assert!(apply(b"---\na: b\n\nbody\n", 0, &[set("c", "d")]).is_err());
    let place = apply(b"\n---\nok: 1\na: b: c\n---\n", 0, &[set("ok", "x")]);
    assert!(
        matches!(
            place,
            Err(EditError::NotYaml {
                line: 4,
                column: 5,
                ..
            })
        ),
        "{place:?}"
    );
}

#[test]
fn all_edits_or_none() {
    let before = b"---\na: x\nt: [p]\n---\n\nb\n";
    let out = apply(
        before,
        0,
        &[set("a", "z"), add("t", "q"), FieldEdit::Body("c".into())],
    )
    .unwrap();
    assert_eq!(out, b"---\na: z\nt: [p, q]\n---\n\nc\n");
    assert!(apply(before, 0, &[set("a", "y"), remove("t", 5)]).is_err());
}

// Generated files.

const NAMES: [&str; 6] = [
    "title",
    "tags",
    "whenToUse",
    "importance",
    "discoveredAt",
    "x-extra",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z][a-z |.*-]{0,8}[a-z]",
        1 => "[ -~]{0,10}",
        1 => "[a-zé\u{2028}\u{feff}\u{1}\n\t\r \"'\\\\#:,]{0,8}",
        1 => prop::sample::select(vec!["yes", "null", "12", "1.5", "2026-01-01", "~", "", "a: b", "a #b", "-", "- a", "[a", "&a", "*a", "!a", "0x1f", ".inf", "1e3", "12:30", "<<", "=", "---", "..."]).prop_map(String::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::from),
        2 => prop::collection::vec(text(), 0..4).prop_map(|items| items.into_iter().map(Value::from).collect()),
        1 => prop::sample::select(vec![Value::Null, Value::Bool(true), Value::Int(-7), Value::Float(0.5), Value::Float(1e300)]),
    ]
}

/// A field's lines without line ends.
fn lines_of(name: &'static str) -> BoxedStrategy<Vec<String>> {
    let plain = "[a-z]([a-z |.*]{0,8}[a-z])?".boxed();
    let quoted = prop_oneof![
        plain.clone(),
        "[a-z |,:#\\[\\]{}*&!?-]{0,8}".prop_map(|text| format!("\"{text}\"")),
        "[a-z |,:#\\[\\]{}*&!?\"\\\\-]{0,8}".prop_map(|text| format!("'{text}'")),
        Just("\"a \\\" b\"".to_owned()),
        Just("'it''s'".to_owned()),
        Just("12".to_owned()),
    ]
    .boxed();
    let comment = prop::sample::select(vec!["", "", "", " # why", "   # a: [b]"]);
    let space = prop::sample::select(vec![" ", " ", "   "]);
    let one = (quoted.clone(), comment.clone(), space.clone())
        .prop_map(move |(v, c, s)| vec![format!("{name}:{s}{v}{c}")]);
    let flow = (
        prop::collection::vec(quoted.clone(), 0..4),
        comment.clone(),
        prop::sample::select(vec![", ", ",", " ,  "]),
        any::<bool>(),
    )
        .prop_map(move |(items, c, comma, pad)| {
            let pad = if pad { " " } else { "" };
            vec![format!("{name}: [{pad}{}{pad}]{c}", items.join(comma))]
        });
    let tall = (prop::collection::vec(quoted.clone(), 1..4), comment.clone()).prop_map(
        move |(items, c)| {
            let mut lines = vec![format!("{name}: [")];
            lines.extend(items.iter().map(|item| format!("  {item},")));
            lines.push(format!("]{c}"));
            lines
        },
    );
    let block = (
        prop::collection::vec((quoted, comment.clone()), 1..4),
        comment.clone(),
        prop::sample::select(vec!["- ", "  - ", "    -   "]),
        any::<bool>(),
    )
        .prop_map(move |(items, c, dash, gap)| {
            let mut lines = vec![format!("{name}:{c}")];
            for (item, c) in items {
                lines.push(format!("{dash}{item}{c}"));
                if gap {
                    lines.push(
                        if dash.starts_with('-') {
                            "# between"
                        } else {
                            ""
                        }
                        .to_owned(),
                    );
                }
            }
            lines
        });
    let literal = (
        prop::sample::select(vec!["|", "|-", ">", ">-", "|+", "|2-"]),
        prop::collection::vec(plain, 1..4),
        comment,
    )
        .prop_map(move |(head, lines, c)| {
            let first = format!("{name}: {head}{c}");
            [first]
                .into_iter()
                .chain(lines.into_iter().map(|line| format!("  {line}")))
                .collect()
        });
    let rest = prop::sample::select(vec![
        vec![format!("{name}:")],
        vec![format!("{name}: ~ # c")],
        vec![
            format!("{name}: goes on"),
            "  here".into(),
            "".into(),
            "  and here".into(),
        ],
        vec![format!("{name}:"), "  \"below\"".into()],
        vec![format!("{name}: \"goes"), "  on\"".into()],
        vec![
            format!("{name}:"),
            "  a: b".into(),
            "  c:".into(),
            "    - d".into(),
        ],
        vec![format!("{name}: {{a: b, c: [d]}} # c")],
    ]);
    prop_oneof![4 => one, 3 => flow, 1 => tall, 4 => block, 2 => literal, 2 => rest].boxed()
}

#[derive(Clone, Debug)]
struct Made {
    front: Vec<Vec<String>>,
    names: Vec<String>,
}

fn front() -> impl Strategy<Value = Made> {
    let between = prop::sample::select(vec![None, None, None, Some("# a note: x"), Some("")]);
    let fields: Vec<_> = NAMES
        .into_iter()
        .map(|name| (lines_of(name), any::<bool>(), between.clone()))
        .collect();
    fields.prop_map(|fields| {
        let mut made = Made {
            front: Vec::new(),
            names: Vec::new(),
        };
        for (name, (lines, keep, between)) in NAMES.into_iter().zip(fields) {
            if keep || name == "title" {
                made.front.push(lines);
                made.names.push(name.into());
                if let Some(between) = between {
                    made.front.push(vec![between.into()]);
                    made.names.push(String::new());
                }
            }
        }
        made
    })
}

fn edit() -> impl Strategy<Value = FieldEdit> {
    let name = prop::sample::select(NAMES.to_vec())
        .prop_map(String::from)
        .boxed();
    prop_oneof![
        4 => (name.clone(), value()).prop_map(|(field, value)| FieldEdit::Set { field, value }),
        1 => name.clone().prop_map(|field| FieldEdit::Unset { field }),
        3 => (name.clone(), text()).prop_map(|(field, item)| FieldEdit::AddItem { field, item: item.into() }),
        2 => (name.clone(), 0..4_usize).prop_map(|(field, index)| FieldEdit::RemoveItem { field, index }),
        2 => (name.clone(), 0..4_usize, text()).prop_map(|(field, index, value)| FieldEdit::SetItem { field, index, value: value.into() }),
        1 => (name, 0..4_usize, 0..4_usize).prop_map(|(field, from, to)| FieldEdit::MoveItem { field, from, to }),
    ]
}

/// A file around frontmatter, and the number of the document that has it.
fn wrap(made: &Made, eol: &str, bom: bool, second: bool, end: bool) -> (String, usize) {
    let front: String = made
        .front
        .iter()
        .flatten()
        .map(|line| format!("{line}{eol}"))
        .collect();
    let mut file = format!("---{eol}{front}---{eol}{eol}# Body{eol}{eol}---{eol}{eol}text");
    if second {
        file = format!(
            "---{eol}title: first{eol}---{eol}{eol}one{eol}{eol}---{eol}{eol}{file}{eol}{eol}---{eol}{eol}---{eol}title: third{eol}---{eol}"
        );
    }
    if bom {
        file.insert(0, '\u{feff}');
    }
    if end {
        file.push_str(eol);
    }
    (file, usize::from(second))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_changes_its_field_and_nothing_else(
        made in front(), edit in edit(), crlf in any::<bool>(), bom in any::<bool>(),
        second in any::<bool>(), end in any::<bool>(),
    ) {
        let (file, index) = wrap(&made, if crlf { "\r\n" } else { "\n" }, bom, second, end);
        let before = layout(file.as_bytes());
        prop_assert_eq!(before.documents.len(), if second { 3 } else { 1 });
        let fields = fields_of(file.as_bytes(), &before.documents[index]);
        // Some of what is put together is not YAML.
        prop_assume!(fields.is_ok());
        let fields = fields.unwrap();
        let out = match apply(file.as_bytes(), index, std::slice::from_ref(&edit)) {
            Ok(out) => String::from_utf8(out).unwrap(),
            Err(EditError::NoSuchItem { .. } | EditError::NotAList { .. }) => return Ok(()),
            // The last key of a later document.
            Err(EditError::NotMinimal(_)) if second && matches!(edit, FieldEdit::Unset { .. }) && fields.iter().count() == 1 => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{error}: {file}"))),
        };
        // Every line of every other field, and everything around, is there still.
        let name = edit.subject();
        let mut rest = out.as_str();
        let eol = if crlf { "\r\n" } else { "\n" };
        for (lines, field) in made.front.iter().zip(&made.names) {
            if field != name {
                // A new field may stand before blank lines.
                let lines = lines.iter().map(|line| format!("{line}{eol}")).collect::<String>();
                let lines = lines.trim_end();
                let at = rest.find(lines);
                prop_assert!(at.is_some(), "lost {:?} in {}", lines, out);
                rest = &rest[at.unwrap() + lines.len()..];
            }
        }
        if crlf {
            prop_assert_eq!(out.matches('\n').count(), out.matches("\r\n").count());
        }
        let head = before.documents[index].span.start;
        prop_assert_eq!(&out[..head], &file[..head]);
        let tail = &file[before.documents[index].body.start..];
        prop_assert!(out.ends_with(tail));
        // Putting the old value back gives the old fields, and where it was changed in place and
        // is text in quotes, the old bytes.
        if let (Some(old), false) = (fields.get(name), matches!(edit, FieldEdit::Unset { .. })) {
            let back = apply(out.as_bytes(), index, &[set(name, old.clone())]).map_err(|error| TestCaseError::fail(format!("{error}: {out}")))?;
            let after = layout(&back);
            prop_assert_eq!(fields_of(&back, &after.documents[index]).unwrap(), fields);
        }
    }

    #[test]
    fn a_body_is_replaced_and_nothing_else(
        old in "[a-z \n\r#`]{0,30}", new in "[a-z \n#`]{0,30}", crlf in any::<bool>(), second in any::<bool>(), end in any::<bool>(),
    ) {
        let made = Made { front: vec![vec!["title: x".into()]], names: vec!["title".into()] };
        let (file, index) = wrap(&made, if crlf { "\r\n" } else { "\n" }, false, second, end);
        let file = file.replace("# Body", &old);
        let documents = layout(file.as_bytes()).documents;
        prop_assume!(documents.len() == if second { 3 } else { 1 });
        if let Ok(out) = apply(file.as_bytes(), index, &[FieldEdit::Body(new)]) {
            prop_assert_eq!(&out[..documents[index].body.start.min(out.len())], &file.as_bytes()[..documents[index].body.start]);
            prop_assert!(out.ends_with(&file.as_bytes()[documents[index].body.end..]));
        }
        let same = String::from_utf8_lossy(part(file.as_bytes(), documents[index].body.clone())).into_owned();
        prop_assert_eq!(apply(file.as_bytes(), index, &[FieldEdit::Body(same)]), Ok(file.into_bytes()));
    }

    #[test]
    fn any_bytes_are_edited_or_refused(bytes in "(---\n|a: |\\[|\\]|b|: |- |\n|  |#|\"|'|\\{|\\}|&x |\\*x|\\||>|,|é|\t){0,24}", edit in edit()) {
        for bytes in [bytes.clone().into_bytes(), format!("---\n{bytes}\n---\nx").into_bytes()] {
            let _ = apply(&bytes, 0, std::slice::from_ref(&edit));
            let _ = frontmatter::locate(&String::from_utf8_lossy(&bytes), "a", Some(0));
        }
    }
}
