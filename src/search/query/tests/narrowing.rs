//! Parts of a memory that a query needs, and odd queries.

use proptest::prelude::*;

use super::*;

#[test]
fn what_a_query_needs() {
    for (query, fields_only, marks, body, empty) in [
        ("", true, false, false, true),
        ("auth", false, false, true, false),
        ("!auth", true, false, true, false),
        ("tag:x", true, false, false, false),
        ("tag:", true, false, false, true),
        ("has:finding auth", false, true, true, false),
        ("is:new", true, true, false, false),
        ("text:x has:body", true, false, true, false),
    ] {
        let parsed = parse(query);
        let is = (
            parsed.fields_only(),
            parsed.needs_marks(),
            parsed.wants_body(),
            parsed.is_empty(),
        );
        assert_eq!(is, (fields_only, marks, body, empty), "{query}");
    }
}

/// Pieces of queries, so that more than words comes up.
fn query_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z]{1,4}",
        "\\PC{0,3}",
        proptest::sample::select(vec![
            " ",
            " ",
            "!",
            "'",
            "^",
            "$",
            " | ",
            ":",
            "\\",
            "\"",
            ",",
            "*",
            "<",
            ">=",
            "tag:",
            "has:",
            "is:",
            "created:",
            "importance:",
            "30d",
            "2026-01",
            "high",
            "é",
            "Ж",
            "日",
            "e\u{301}",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in query_text(), title in "\\PC{0,20}", body in "\\PC{0,40}") {
        match Query::parse(&text, &[format::schema("rawko"), &*OTHER]) {
            Ok(query) => {
                let memory = Memory { title: title.clone().into(), ..sample() };
                query.matches(&memory, &Marks::default(), NOW, Some(&body));
                let len = title.chars().count();
                let mut end = 0;
                for range in query.highlights(&title) {
                    prop_assert!(range.start >= end && range.start < range.end && range.end <= len);
                    end = range.end;
                }
            }
            Err(error) => {
                prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                prop_assert!(!error.message.is_empty());
            }
        }
    }
}
