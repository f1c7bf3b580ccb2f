use super::*;
use crate::memory::rows;

mod random;

fn apply_rawko(bytes: &[u8], document: usize, edits: &[FieldEdit]) -> Result<Vec<u8>, EditError> {
    let rawko = crate::memory::format::schema("rawko");
    apply(rawko, bytes, document, edits)
}

fn set(field: &str, value: impl Into<Value>) -> FieldEdit {
    FieldEdit::set(field, value)
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
    FieldEdit::add(field, item)
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

fn edited(front: &str, edit: FieldEdit) -> String {
    let out = file(&format!("---\n{front}---\n\nbody\n"), 0, edit);
    let front = out.strip_prefix("---\n");
    let front = front.and_then(|out| out.strip_suffix("---\n\nbody\n"));
    front.unwrap().to_owned()
}

#[test]
fn scalars() {
    let table = rows! {
        "a: x\nb: y\n" => set("a", "z") => "a: z\nb: y\n",
        "a:   x   # why\n" => set("a", "z") => "a:   z   # why\n",
        "a: 'x'\n" => set("a", "it's") => "a: 'it''s'\n",
        "a: \"x\" # c\n" => set("a", "say \"z\"") => "a: \"say \\\"z\\\"\" # c\n",
        "a: 'x'\n" => set("a", "two\nlines") => "a: \"two\\nlines\"\n",
        "a: x\n" => set("a", "b: c") => "a: \"b: c\"\n",
        "a: x\n" => set("a", "yes") => "a: \"yes\"\n",
        "a: x\n" => set("a", "12") => "a: \"12\"\n",
        "a: x\n" => set("a", "2026-01-01") => "a: \"2026-01-01\"\n",
        "discoveredAt: 2026-01-23T10:30:00Z\n" => set("discoveredAt", "2026-02-01") =>
            "discoveredAt: 2026-02-01\n",
        "when: 2026-01-23\n" => set("when", "2026-02-01") => "when: 2026-02-01\n",
        "discoveredAt: \"2026-01-23\"\n" => set("discoveredAt", "2026-02-01") =>
            "discoveredAt: \"2026-02-01\"\n",
        "a:\nb: y\n" => set("a", "z") => "a: z\nb: y\n",
        "a:  # none yet\nb: y\n" => set("a", "z") => "a: z  # none yet\nb: y\n",
        "a: x\n" => set("a", Value::Int(3)) => "a: 3\n",
        "a: x\n" => set("a", Value::Null) => "a: null\n",
        "a: true\n" => set("a", Value::Bool(false)) => "a: false\n",
        "a: long\n  text\n  goes on\nb: y\n" => set("a", "z") => "a: z\nb: y\n",
        "a:\n  \"below\"\nb: y\n" => set("a", "z") => "a:\n  \"z\"\nb: y\n",
        "a: |\n  one\n  two\nb: y\n" => set("a", "one\nthree\n") => "a: \"one\\nthree\\n\"\nb: y\n",
        "a: |  # c\n  one\n  two\n\nb: y\n" => set("a", "z") => "a: z  # c\n\nb: y\n",
        "a: >-\n  one\n  two\nb: y\n" => set("a", "z") => "a: z\nb: y\n",
        "\"a b\": x\n" => set("a b", "z") => "\"a b\": z\n",
        "a : x\n" => set("a", "z") => "a : z\n",
        "  a: x\n  b: y\n" => set("b", "z") => "  a: x\n  b: z\n",
        "a: {b: c}\nd: e\n" => set("d", "z") => "a: {b: c}\nd: z\n",
        "a:\n  b: c\n  d: e\nf: g\n" => set("f", "z") => "a:\n  b: c\n  d: e\nf: z\n",
        "a:\n  b: c\n  d: e\nf: g\n" => set("a", "z") => "a: z\nf: g\n",
        "a: &x 1\nb: y\n" => set("b", "z") => "a: &x 1\nb: z\n",
        // New fields go to the end, as the writers of the format write them.
        "a: x\n# end\n" => set("b", "z") => "a: x\n# end\nb: z\n",
        "  a: x\n" => set("b", "z") => "  a: x\n  b: z\n",
        "" => set("b", "z") => "b: z\n",
        "# none\n" => set("title", "z") => "# none\ntitle: \"z\"\n",
        "a: x\n" => set("tags", list(&["b", "c d"])) => "a: x\ntags: [b, c d]\n",
        "a: x\n" => set("whenToUse", list(&["b|c"])) => "a: x\nwhenToUse:\n  - \"b|c\"\n",
        "a: x\n" => set("discoveredAt", "2026-02-01T10:00:00Z") =>
            "a: x\ndiscoveredAt: 2026-02-01T10:00:00Z\n",
        "a: x\n# about b\nb: y # c\n\nd: e\n" => unset("b") => "a: x\n# about b\n\nd: e\n",
        "a:\n  - x\n\n  - y\nb: z\n" => unset("a") => "b: z\n",
        "a: x\n" => unset("a") => "", "a: x\n" => unset("b") => "a: x\n",
        "a: x\n" => set("a", "x") => "a: x\n",
        "a: [ x,  \"y\" ]\n" => set("a", list(&["x", "y"])) => "a: [ x,  \"y\" ]\n",
    };
    for (before, edit, after) in table {
        assert_eq!(edited(before, edit.clone()), after, "{before:?} {edit:?}");
    }
}

#[test]
fn lists() {
    let table = rows! {
        "t: [a,  b ]\n" => add("t", "c") => "t: [a,  b,  c ]\n",
        "t: [a]  # c\n" => add("t", "x, y") => "t: [a, \"x, y\"]  # c\n",
        "t: ['a', 'b']\n" => add("t", "c") => "t: ['a', 'b', 'c']\n",
        "t: []\n" => add("t", "c") => "t: [c]\n",
        "t: [a, b,]\n" => add("t", "c") => "t: [a, b, c,]\n",
        "t: [\n  a,\n  b # why\n]\n" => add("t", "c") => "t: [\n  a,\n  b,\n  c # why\n]\n",
        "t:\n  - a\n  -  \"b\" # c\nu: v\n" => add("t", "c") =>
            "t:\n  - a\n  -  \"b\" # c\n  -  \"c\"\nu: v\n",
        "t:\n- a\n# next\nu: v\n" => add("t", "c") => "t:\n- a\n- c\n# next\nu: v\n",
        "t: \"x|y\" # c\n" => add("t", "z") => "t: [\"x|y\", \"z\"] # c\n",
        "t: x|y\n" => add("t", "z") => "t: [x|y, z]\n",
        "t: x, y\n" => add("t", "z") => "t: [\"x, y\", z]\n",
        "t: a\n  b\n" => add("t", "z") => "t: [a b, z]\n",
        "t: |\n  a\n" => add("t", "z") => "t: [\"a\\n\", z]\n",
        "t:\nu: v\n" => add("t", "z") => "t: [z]\nu: v\n",
        "t: null\n" => add("t", "z") => "t: [z]\n",
        "whenToUse:  # c\nu: v\n" => add("whenToUse", "z") => "whenToUse:  # c\n  - \"z\"\nu: v\n",
        "u: v\n" => add("t", "z") => "u: v\nt: [z]\n",
        "t: [a,  b, c]\n" => remove("t", 0) => "t: [b, c]\n",
        "t: [a,  b, c]\n" => remove("t", 1) => "t: [a, c]\n",
        "t: [a,  b, c ]\n" => remove("t", 2) => "t: [a,  b ]\n",
        "t: [a] # c\n" => remove("t", 0) => "t: [] # c\n",
        "t:\n  # first\n  - a\n  - b # two\n  - c\n" => remove("t", 1) =>
            "t:\n  # first\n  - a\n  - c\n",
        "t: # c\n  - a\nu: v\n" => remove("t", 0) => "t: [] # c\nu: v\n",
        "t: x\n" => remove("t", 0) => "t: []\n",
        "t: [a, 'b']\n" => set_item("t", 1, "c") => "t: [a, 'c']\n",
        "t:\n  - \"a\" # c\n  - b\n" => set_item("t", 0, "x\\d") =>
            "t:\n  - \"x\\\\d\" # c\n  - b\n",
        "t: \"a\"\n" => set_item("t", 0, "b") => "t: \"b\"\n",
        "t:\n  - p: q\n  - b\n" => set_item("t", 1, "c") => "t:\n  - p: q\n  - c\n",
        "t:\n  - p: q\n    r: s\n  - b\n" => set_item("t", 0, "c") => "t:\n  - c\n  - b\n",
        "t:\n  - [x, y]\n  - b\n" => remove("t", 0) => "t:\n  - b\n",
        "t: [{p: q}, b]\n" => set_item("t", 1, "c") => "t: [{p: q}, c]\n",
        "t: [a, b, c]\n" => set("t", list(&["a", "x", "c"])) => "t: [a, x, c]\n",
        "t: [a, b, c]\n" => set("t", list(&["a", "c"])) => "t: [a, c]\n",
        "t: [a, b, c]\n" => set("t", list(&["c"])) => "t: [c]\n",
        "t: [a, b]\n" => set("t", list(&["x", "w", "a", "b"])) => "t: [x, w, a, b]\n",
        "t:\n  - a # 1\n  - b # 2\n" => set("t", list(&["a", "x", "b"])) =>
            "t:\n  - a # 1\n  - x\n  - b # 2\n",
        "t:\n  - a\n  - b\nu: v\n" => set("t", "one") => "t: one\nu: v\n",
        "t:\n  - a\n" => set("t", list(&[])) => "t: []\n",
        "t: \"x\"\n" => set("t", list(&["x", "w"])) => "t: [\"x\", \"w\"]\n",
    };
    for (before, edit, after) in table {
        assert_eq!(edited(before, edit.clone()), after, "{before:?} {edit:?}");
    }
}

#[test]
fn what_is_not_safe_is_refused_with_the_reason() {
    let fail = |front: &str, edit| {
        apply_rawko(format!("---\n{front}---\nb\n").as_bytes(), 0, &[edit])
            .unwrap_err()
            .to_string()
    };
    let anchored = "`a` has a YAML anchor, alias or tag; edit the text instead";
    let table = rows! {
        "a: &i high\nb: *i\n" => set("a", "low") => anchored,
        "b: &i high\na: *i\n" => set("a", "low") => anchored,
        "a: !!str 1\n" => set("a", "low") => anchored,
        "a: &l [x]\nb: *l\n" => add("a", "low") => anchored,
        "a: &l\n- x\nb: *l\n" => unset("a") => anchored,
        "a: [&l x]\nb: *l\n" => remove("a", 0) => anchored,
        "a: 1\ntitle: x: y\n" => set("a", "2") =>
            "the frontmatter is not YAML: mapping values are not allowed in this context; edit the text instead",
        "a: 1\na: 2\n" => set("a", "2") =>
            "the frontmatter is not YAML: the key `a` occurs twice; edit the text instead",
        "a: [x]\n" => remove("a", 1) => "`a` has no item 2",
        "a: {b: c}\n" => add("a", "x") => "`a` is not a list",
        "a:\n  b: &x c\nd: *x\n" => unset("a") =>
            "the edit would have changed more than `a`; edit the text instead",
        "? a\n: b\nc: d\n" => set("c", "x") =>
            "the frontmatter is written in a way that only an edit of its text can change",
    };
    for (front, edit, message) in table {
        assert_eq!(fail(front, edit), message, "{front:?}");
    }
    let broken = apply_rawko(b"x\n\n---\n\n---\na: b\n---\n", 2, &[set("a", "c")]);
    assert_eq!(broken, Err(EditError::no_document(2)));
    let two = b"---\na: x\n---\none\n\n---\n\n---\na: y\n---\ntwo\n";
    assert!(apply_rawko(two, 1, &[unset("a")]).is_err());
    for text in [
        "one\n\n---\n\n---\nb: c\n---\n",
        "```\nopen\n\n---\n\n---\nb: c\n---\n",
    ] {
        assert!(apply_rawko(two, 0, &[FieldEdit::Body(text.into())]).is_err());
    }
    assert!(apply_rawko(b"body\n", 0, &[FieldEdit::Body("---\na: b\n---\n".into())]).is_err());
    assert!(apply_rawko(b"---\na: b\n\nbody\n", 0, &[set("c", "d")]).is_err());
    let place = apply_rawko(b"\n---\nok: 1\na: b: c\n---\n", 0, &[set("ok", "x")]);
    let why = place.unwrap_err().to_string();
    assert!(why.starts_with("the frontmatter is not YAML: "), "{why}");
}

/// Frontmatter that is not YAML: what is not understood stays as it is.
#[test]
fn lines_that_are_not_read_are_not_rewritten() {
    use crate::memory::format::schema;
    const BROKEN: &str = "description: a: b\n  goes on\n";
    for (format, front, edit, expected) in rows! {
        "cursor" => BROKEN => set("description", "c") => Some("description: c\n  goes on\n"),
        "cursor" => BROKEN => set("globs", "*.ts") =>
            Some("description: a: b\n  goes on\nglobs: *.ts\n"),
        "cursor" => BROKEN => unset("description") => None,
        "claude" => BROKEN => set("description", "c") => None,
        "claude" => BROKEN => set("name", "x") => Some("description: a: b\n  goes on\nname: x\n"),
        "claude" => BROKEN => unset("description") => None,
        // Lines between the items of a list, and a text of several lines.
        "cursor" => "globs:\n  - a\n  what\n  - b\nx: y: z\n" => set("globs", "c") => None,
        "cursor" => "globs:\n  - a\nwhat\n  - b\nx: y: z\n" => set("globs", "c") => None,
        "claude" => "description: |\n  one\nx: y: z\n" => set("description", "c") => None,
        "claude" => "description: b\nx: y: z\n" => set("description", "c") =>
            Some("description: c\nx: y: z\n"),
    } {
        let text = format!("---\n{front}---\n\nBody.\n");
        let edits = std::slice::from_ref(&edit);
        let after = apply(schema(format), text.as_bytes(), 0, edits);
        let after = after.ok().map(|bytes| String::from_utf8(bytes).unwrap());
        let expected = expected.map(|front| format!("---\n{front}---\n\nBody.\n"));
        assert_eq!(after, expected, "{format} {front} {edit:?}");
    }
}

#[test]
fn all_edits_or_none() {
    let before = b"---\na: x\nt: [p]\n---\n\nb\n";
    let edits = [set("a", "z"), add("t", "q"), FieldEdit::Body("c".into())];
    let out = apply_rawko(before, 0, &edits).unwrap();
    assert_eq!(out, b"---\na: z\nt: [p, q]\n---\n\nc\n");
    assert!(apply_rawko(before, 0, &[set("a", "y"), remove("t", 5)]).is_err());
}

fn file(before: &str, document: usize, edit: FieldEdit) -> String {
    let out = apply_rawko(before.as_bytes(), document, &[edit])
        .unwrap_or_else(|error| panic!("{before:?}: {error}"));
    String::from_utf8(out).unwrap()
}

#[test]
fn files() {
    let two = "---\na: x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n";
    let body = |text: &str| FieldEdit::Body(text.into());
    let text = |text: &str| FieldEdit::Text(text.into());
    let table = rows! {
        "---\r\na: x\r\n---\r\n\r\nb\r\n" => 0 => set("c", "z") =>
            "---\r\na: x\r\nc: z\r\n---\r\n\r\nb\r\n",
        "---\r\na: x\r\n---\r\n\r\nb\r\n" => 0 => set("a", list(&["1", "2"])) =>
            "---\r\na: [\"1\", \"2\"]\r\n---\r\n\r\nb\r\n",
        "\u{feff}---\na: x\n---\nb" => 0 => set("a", "z") => "\u{feff}---\na: z\n---\nb",
        two => 0 => set("a", "z") => "---\na: z\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        two => 1 => set("a", "z") => "---\na: x\n---\n\none\n\n\n---\n\n---\na: z\n---\n\ntwo\n",
        two => 0 => body("uno\ndos\n") =>
            "---\na: x\n---\n\nuno\ndos\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        two => 1 => body("dos") => "---\na: x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ndos\n",
        two => 0 => body("") => "---\na: x\n---\n\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
        // A text without frontmatter gets some.
        "body\n" => 0 => set("title", "x") => "---\ntitle: \"x\"\n---\n\nbody\n",
        "body\r\n" => 0 => set("title", "x") => "---\r\ntitle: \"x\"\r\n---\r\n\r\nbody\r\n",
        "\nbody\n" => 0 => add("tags", "x") => "---\ntags: [x]\n---\n\nbody\n",
        "\u{feff}body" => 0 => set("a", "x") => "\u{feff}---\na: x\n---\n\nbody",
        "" => 0 => set("a", "x") => "---\na: x\n---\n",
        "body\n" => 0 => unset("a") => "body\n",
        // Bodies keep line ends, blank lines around them and a missing last line end.
        "---\na: x\n---\n\n\nb\n\n\n" => 0 => body("\n\nc\n\n") => "---\na: x\n---\n\n\nc\n\n\n",
        "---\na: x\n---\nb" => 0 => body("c\nd\n") => "---\na: x\n---\nc\nd",
        "---\na: x\n---\nb\nc" => 0 => body("b") => "---\na: x\n---\nb",
        "---\na: x\n---\nb\nc" => 0 => body("b\nc\nd") => "---\na: x\n---\nb\nc\nd",
        "---\r\na: x\r\n---\r\nb\r\n" => 0 => body("c\nd") => "---\r\na: x\r\n---\r\nc\r\nd\r\n",
        "---\na: x\n---\n1\r\n2\n3\r\n" => 0 => body("1\nx\n3") =>
            "---\na: x\n---\n1\r\nx\r\n3\r\n",
        "---\na: x\n---\n1\r\n2\n3\r\n" => 0 => body("1\n2\n3\n") =>
            "---\na: x\n---\n1\r\n2\n3\r\n",
        // A line between two changes keeps its own end, and so does one that others come before.
        "1\r\n2\n3\r\n4\r\n" => 0 => body("x\n2\n3\ny\n4") => "x\r\n2\n3\r\ny\r\n4\r\n",
        "1\n2\r\n3" => 0 => body("3\n1\n2") => "3\n1\n2",
        "---\na: x\n---\n" => 0 => body("c\n") => "---\na: x\n---\n\nc\n",
        "---\na: x\n---" => 0 => body("c") => "---\na: x\n---\n\nc\n",
        "---\na: x\n---\n\n" => 0 => body("c") => "---\na: x\n---\n\nc\n",
        "" => 0 => body("c") => "c\n", "b" => 0 => body("c  ") => "c  ",
        // Broken ones are edited as text.
        "---\ntitle: a: b\n---\n\nb\n" => 0 => text("---\ntitle: \"a: b\"\n---\n\nb\n") =>
            "---\ntitle: \"a: b\"\n---\n\nb\n",
        "---\ntitle: a\n\nb" => 0 => text("---\ntitle: a\n---\n\nb") => "---\ntitle: a\n---\n\nb",
        "\u{feff}x\r\n" => 0 => text("x\ny") => "\u{feff}x\r\ny\r\n",
        "---\na: : x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n" => 0 => text("uno") =>
            "uno\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
    };
    for (before, document, edit, after) in table {
        let made = file(before, document, edit.clone());
        assert_eq!(made, after, "{before:?} {edit:?}");
    }
}

#[test]
fn bytes_that_are_not_text_stay() {
    let bytes = b"---\na: x\n---\n\n\xff one\ntwo \xfe\nthree\n";
    let out = apply_rawko(bytes, 0, &[set("a", "z")]).unwrap();
    assert_eq!(out, b"---\na: z\n---\n\n\xff one\ntwo \xfe\nthree\n");
    let text = String::from_utf8_lossy(bytes);
    let body = text[text.find("\n\n").unwrap() + 2..].replace("three", "3");
    let out = apply_rawko(bytes, 0, &[FieldEdit::Body(body)]).unwrap();
    assert_eq!(out, b"---\na: x\n---\n\n\xff one\ntwo \xfe\n3\n");
    let bytes = b"---\na: \xff\n---\nb\n";
    assert!(apply_rawko(bytes, 0, &[set("a", "z")]).is_err());
}
