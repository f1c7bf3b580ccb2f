//! Terms that a query needs, and queries that find less than others.

use proptest::prelude::*;

use super::*;

#[test]
fn what_narrows() {
    let narrows = |new: &str, old: &str| parse(new).extends(&parse(old));
    for (new, old) in [
        ("a", ""),
        ("au", "a"),
        ("auth c", "auth"),
        ("auth ca", "auth c"),
        ("auth tag:x", "auth"),
        ("'auth", "auth"),
        ("^aut", "^au"),
        ("^aut", "'au"),
        ("aU", "a"),
        ("a !b", "a"),
        ("!b !c", "!b"),
        ("tag:x a", "tag:x"),
        ("a", "a | b"),
        ("ab | bc", "a | b"),
        ("b a", "a b"),
        ("a tag:", "a"),
    ] {
        assert!(narrows(new, old), "{new} narrows {old}");
    }
    for (new, old) in [
        ("", "a"),
        ("a", "au"),
        ("bau", "c"),
        ("!au", "!a"),
        ("au$", "u$"),
        ("a | b", "a"),
        ("tag:x,y", "tag:x"),
        ("tag:xy", "tag:x"),
        ("auth", "'auth"),
        ("a", "A"),
        ("e", "é"),
        ("!a", "a"),
        ("a", "!a"),
    ] {
        assert!(!narrows(new, old), "{new} does not narrow {old}");
    }
}

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
        match Query::parse(&text, &[format::schema("rawko"), &OTHER]) {
            Ok(query) => {
                let memory = Memory { title: title.clone().into(), ..sample() };
                query.matches(&memory, &Marks::default(), NOW, Some(&body));
                let len = title.chars().count();
                let mut end = 0;
                for range in query.highlights(&title) {
                    prop_assert!(range.start >= end && range.start < range.end && range.end <= len);
                    end = range.end;
                }
                prop_assert!(query.extends(&query));
            }
            Err(error) => {
                prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                prop_assert!(!error.message.is_empty());
            }
        }
    }

    #[test]
    fn what_narrows_finds_less(new in query_text(), cut in 0_usize..12, title in "[abAB éЖ-]{0,12}", body in "[abAB éЖ-]{0,12}") {
        let old: String = new.chars().take(cut).collect();
        let (Ok(new), Ok(old)) = (Query::parse(&new, &[format::schema("rawko")]), Query::parse(&old, &[format::schema("rawko")])) else {
            return Ok(());
        };
        let memory = Memory { title: title.into(), ..sample() };
        let finds = |query: &Query| query.matches(&memory, &marks(), NOW, Some(&body)).is_some();
        if new.extends(&old) && finds(&new) {
            prop_assert!(finds(&old), "{new:?} {old:?}");
        }
    }
}
