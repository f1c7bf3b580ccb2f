use super::*;
use crate::memory::rows;
use proptest::prelude::*;

/// Line of the document, its frontmatter or `-`, and its body.
fn seen(file: &str) -> Vec<(u32, String, String)> {
    let layout = layout(file.as_bytes());
    check(file.as_bytes(), &layout);
    let text = |range: Range<usize>| file[range].to_owned();
    let documents = layout.documents.into_iter();
    let parts = documents.map(|d| (d.line, d.front.map_or("-".into(), text), text(d.body)));
    parts.collect()
}

/// Checks the invariants of a file.
fn check(bytes: &[u8], layout: &Layout) {
    let mut end = 0;
    for document in &layout.documents {
        assert_eq!(document.span.start, end);
        end = document.span.end;
        let inside = |range: &Range<usize>| {
            range.start <= range.end && document.span.start <= range.start && range.end <= end
        };
        assert!(inside(&document.span) && inside(&document.body));
        let front = document.front.as_ref();
        assert!(front.is_none_or(|front| inside(front) && front.end <= document.body.start));
        let line = |at: usize| 1 + bytes[..at].iter().filter(|b| **b == b'\n').count() as u32;
        assert_eq!(document.line, line(document.span.start));
        let front = front.map_or(document.span.start, |front| front.start);
        assert_eq!(document.front_line, line(front));
    }
    assert_eq!(end, bytes.len());
    assert!(!layout.documents.is_empty());
}

#[test]
fn one_document() {
    let table = rows! {
        // file, frontmatter, body
        "" => "-" => "", "\n" => "-" => "", "text" => "-" => "text", "text\n" => "-" => "text\n",
        "\n\n  text\n\n" => "-" => "  text\n",
        "---\na: b\n---\n\nbody\n" => "a: b\n" => "body\n",
        "---\na: b\n---\nbody" => "a: b\n" => "body",
        "---\na: b\n---\n\n\n  indented\nx\n\n\n" => "a: b\n" => "  indented\nx\n",
        "---\na: b\n---" => "a: b\n" => "", "---\na: b\n---\n" => "a: b\n" => "",
        "---\na: b\n---\n\n" => "a: b\n" => "", "---\na: b\n---\n\n\n\n" => "a: b\n" => "",
        "\u{feff}---\na: b\n---\nbody\n" => "a: b\n" => "body\n",
        "\u{feff}text\n" => "-" => "text\n",
        "\n \n---\na: b\n---\nbody\n" => "a: b\n" => "body\n",
        "---\r\na: b\r\n---\r\n\r\nbody\r\n" => "a: b\r\n" => "body\r\n",
        "---  \na: b\n--- \t\nbody\n" => "a: b\n" => "body\n",
        "---\n---\nbody\n" => "" => "body\n", "---\n\n---\nbody\n" => "\n" => "body\n",
        // Never closed.
        "---\na: b\n\nbody\n" => "-" => "---\na: b\n\nbody\n",
        "---" => "-" => "---", "---\n" => "-" => "---\n",
        // A rule at the top of a text.
        "---\n\nprose here\n\n---\n\nmore\n" => "-" => "---\n\nprose here\n\n---\n\nmore\n",
        "----\na: b\n----\n" => "-" => "----\na: b\n----\n",
        " ---\na: b\n---\n" => "-" => " ---\na: b\n---\n",
        "text\n---\na: b\n---\n" => "-" => "text\n---\na: b\n---\n",
        // Broken YAML is frontmatter all the same.
        "---\ntitle: Note: \"x\"\n---\nbody\n" => "title: Note: \"x\"\n" => "body\n",
        "---\n\"t\": [\n---\nbody\n" => "\"t\": [\n" => "body\n",
        "---\n# c\nodd\nt: x\n---\nbody\n" => "# c\nodd\nt: x\n" => "body\n",
    };
    for (file, front, body) in table {
        assert_eq!(seen(file), [(1, front.into(), body.into())], "{file:?}");
    }
}

#[test]
fn rules_updates_and_examples_in_a_body() {
    for body in [
        "x\n\n---\n\ny\n",
        "x\n\n---\n\n## Update (2026-01-24)\n\ny\n",
        "x\n\n---\nc: d\n---\n",
        "x\n\n---\n\n---\n\ny\n",
        "x\n\n---\n\n---\nprose only\n---\n",
        "x\n\n---\n\n---\nt: a: b\n---\n",
        "x\n\n---\n\n---\n- c: d\n---\n",
        "x\n\n---\n\n---\nc: d\n",
        "```\n---\n\n---\nc: d\n---\n```\n",
        "~~~ yaml\n```\n---\n\n---\nc: d\n---\n~~~~\n",
        "````md\n```\nx\n```\n---\n\n---\nc: d\n---\n````\n",
        "   ```\n---\n\n---\nc: d\n---\n   ```\n",
    ] {
        let file = format!("---\na: b\n---\n{body}");
        assert_eq!(seen(&file), [(1, "a: b\n".into(), body.into())]);
    }
}

#[test]
fn appended_documents() {
    let doc = |line, front: &str, body: &str| (line, front.to_owned(), body.to_owned());
    let table = rows! {
        // As the writer makes it.
        "---\na: b\n---\n\nx\n\n\n---\n\n---\nc: d\n---\n\ny\n" =>
            vec![doc(1, "a: b\n", "x\n"), doc(10, "c: d\n", "y\n")],
        // The existing text had no final line end.
        "---\na: b\n---\n\nx\n\n---\n\n---\nc: d\n---\n\ny" =>
            vec![doc(1, "a: b\n", "x\n"), doc(9, "c: d\n", "y")],
        "---\r\na: b\r\n---\r\n\r\nx\r\n\r\n---\r\n\r\n---\r\nc: d\r\n---\r\n\r\ny\r\n" =>
            vec![doc(1, "a: b\r\n", "x\r\n"), doc(9, "c: d\r\n", "y\r\n")],
        "text\n\n---\n\n---\nc: d\n---\ny\n" =>
            vec![doc(1, "-", "text\n"), doc(5, "c: d\n", "y\n")],
        "---\na: b\n---\n\n\n\n---\n\n---\nc: d\n---\n" =>
            vec![doc(1, "a: b\n", ""), doc(9, "c: d\n", "")],
        // Nothing before the separator: the file begins with what was appended.
        "---\n\n---\nc: d\n---\ny\n" => vec![doc(1, "c: d\n", "y\n")],
        // Three, and a rule between.
        "---\na: 1\n---\nx\n---\n\n---\na: 2\n---\n\n---\n\nrule\n\n--- \n\n\n---\na: 3\n---\nz\n" =>
            vec![doc(1, "a: 1\n", "x\n"), doc(7, "a: 2\n", "---\n\nrule\n"), doc(18, "a: 3\n", "z\n")],
        // The first is never closed.
        "---\na: b\n\nx\n\n---\n\n---\nc: d\n---\ny\n" =>
            vec![doc(1, "-", "---\na: b\n\nx\n"), doc(8, "c: d\n", "y\n")],
        // A code fence that is never closed hides nothing, one that is closed ends.
        "---\na: b\n---\n```ts\nx\n\n---\n\n---\nc: d\n---\ny\n" =>
            vec![doc(1, "a: b\n", "```ts\nx\n"), doc(9, "c: d\n", "y\n")],
        "---\na: b\n---\n```\nx\n```\n\n---\n\n---\nc: d\n---\ny\n" =>
            vec![doc(1, "a: b\n", "```\nx\n```\n"), doc(10, "c: d\n", "y\n")],
        "---\na: b\n---\n``` a`b\n\n---\n\n---\nc: d\n---\ny\n```\n" =>
            vec![doc(1, "a: b\n", "``` a`b\n"), doc(8, "c: d\n", "y\n```\n")],
        "---\na: b\n---\n    ```\n\n---\n\n---\nc: d\n---\ny\n```\n" =>
            vec![doc(1, "a: b\n", "    ```\n"), doc(8, "c: d\n", "y\n```\n")],
        // Comments and blank lines in the later frontmatter.
        "x\n\n---\n\n---\n# c\n\nc: d\n---\ny\n" =>
            vec![doc(1, "-", "x\n"), doc(5, "# c\n\nc: d\n", "y\n")],
    };
    for (file, documents) in table {
        assert_eq!(seen(file), documents, "{file:?}");
    }
}

#[test]
fn the_file_itself() {
    assert!(layout(b"\xEF\xBB\xBF").bom);
    assert!(!layout(b"x").bom);
    assert!(layout(b"a\r\nb\n").crlf);
    assert!(!layout(b"a\nb\r\n").crlf);
    let broken = b"---\na: b\n---\n\xff\xfe\n\n---\n\n---\nc: \xff\n---\n\xff";
    let layout = layout(broken);
    check(broken, &layout);
    assert_eq!(layout.documents.len(), 2);
}

#[test]
fn large_files_take_linear_time() {
    let files = [
        "---\n".repeat(100_000),
        "---\n\n".repeat(100_000),
        "---\n\n---\n".repeat(50_000),
        "---\na: b\n---\n\n".repeat(30_000),
        "---\n\n---\na: b\n".repeat(30_000),
        "```\n---\n\n---\na: b\n".repeat(30_000),
        (3..700)
            .rev()
            .map(|n| "`".repeat(n) + "a\n---\n\n---\na\n")
            .collect(),
        "x".repeat(20_000_000),
        "\n".repeat(5_000_000),
    ];
    for file in files {
        let layout = layout(file.as_bytes());
        assert!(!layout.documents.is_empty());
        let _ = loader_reads(file.as_bytes());
    }
}

#[test]
fn what_the_real_loader_reads() {
    // Results of node for the regular expression.
    let read = rows! {
        "---\na: b\n---\n\nbody\n" => "a: b" => "\nbody\n",
        "---\na: b\n---" => "a: b" => "", "---\na: b\n---x\ny" => "a: b" => "x\ny",
        "---\na: b\n----\ny" => "a: b" => "-\ny", "---\n\n---\n" => "" => "",
        "---\na: b\r\n---\r\nx" => "a: b\r" => "\r\nx",
        "---\n---\nx\n---\ny" => "---\nx" => "y",
        "---\na: b\n---\nx\n\n---\n\n---\nc: d\n---\ny\n" => "a: b" =>
            "x\n\n---\n\n---\nc: d\n---\ny\n",
    };
    for (file, front, body) in read {
        let view = loader_reads(file.as_bytes()).unwrap();
        let parts = (&file[view.front], &file[view.body]);
        assert_eq!(parts, (front, body), "{file:?}");
    }
    let not = rows! {
        "" => "an empty file", "text\n" => "no frontmatter",
        "----\na: b\n---\n" => "no frontmatter",
        "---\r\na: b\r\n---\r\n" => "Windows line ends",
        "\n---\na: b\n---\n" => "a blank line before the frontmatter",
        "\r\n---\r\na: b\r\n---\r\n" => "a blank line before the frontmatter",
        "  ---\na: b\n---\n" => "spaces before the opening ---",
        "--- \na: b\n---\n" => "spaces after the opening ---",
        "\u{feff}---\na: b\n---\n" => "a byte order mark before the frontmatter",
        "\u{feff}text\n" => "no frontmatter", "---\n---\nx\n" => "empty frontmatter",
        "---\na: b\n" => "the frontmatter is not closed",
        "---" => "the frontmatter is not closed", "\n\ntext" => "no frontmatter",
    };
    for (file, reason) in not {
        assert_eq!(loader_reads(file.as_bytes()), Err(reason), "{file:?}");
    }
}

fn awkward() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => Just("---"),
        3 => Just(""),
        3 => Just("a: b"),
        10 => prop::sample::select(vec![
            "c: [d", "text", "```", "```md", "~~~", "````", "   ```", "--- ", "- x", "# c",
            "  ", "\u{feff}", "é: ü", "----",
        ]),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let lines = prop::collection::vec((line, end), 0..24);
    lines.prop_map(|lines| {
        lines
            .into_iter()
            .flat_map(|(line, end)| [line, end])
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn documents_tile_every_file(file in awkward(), cut in 0..8_usize) {
        let bytes = file.as_bytes();
        let bytes = &bytes[..bytes.len().saturating_sub(cut)];
        check(bytes, &layout(bytes));
        let _ = loader_reads(bytes);
    }

    #[test]
    fn any_bytes_are_divided(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes, &layout(&bytes));
    }
}
