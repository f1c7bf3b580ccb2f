//! Edits of whole files.

use super::*;
use crate::memory::rows;

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
        "" => 0 => body("c") => "c\n",
        "b" => 0 => body("c  ") => "c  ",
        // Broken ones are edited as text.
        "---\ntitle: a: b\n---\n\nb\n" => 0 => text("---\ntitle: \"a: b\"\n---\n\nb\n") =>
            "---\ntitle: \"a: b\"\n---\n\nb\n",
        "---\ntitle: a\n\nb" => 0 => text("---\ntitle: a\n---\n\nb") => "---\ntitle: a\n---\n\nb",
        "\u{feff}x\r\n" => 0 => text("x\ny") => "\u{feff}x\r\ny\r\n",
        "---\na: : x\n---\n\none\n\n\n---\n\n---\na: y\n---\n\ntwo\n" => 0 => text("uno") =>
            "uno\n\n\n---\n\n---\na: y\n---\n\ntwo\n",
    };
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
    let out = apply_rawko(bytes, 0, &[set("a", "z")]).unwrap();
    assert_eq!(out, b"---\na: z\n---\n\n\xff one\ntwo \xfe\nthree\n");
    let text = String::from_utf8_lossy(bytes);
    let body = text[text.find("\n\n").unwrap() + 2..].replace("three", "3");
    let out = apply_rawko(bytes, 0, &[FieldEdit::Body(body)]).unwrap();
    assert_eq!(out, b"---\na: x\n---\n\n\xff one\ntwo \xfe\n3\n");
    let bytes = b"---\na: \xff\n---\nb\n";
    assert!(apply_rawko(bytes, 0, &[set("a", "z")]).is_err());
}
