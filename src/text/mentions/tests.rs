//! The rows of `tests/lint/mentions.toml`, and properties of any text.

use std::ops::Range;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::text::statements::{Statement, statements};
use crate::text::tokens::tokens;

#[derive(Deserialize)]
struct Row {
    text: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    symbols: Vec<String>,
    #[serde(default)]
    sentences: Vec<String>,
    /// Each token with its kind in front.
    tokens: Option<Vec<String>>,
    /// Each statement with its form in front, and its label behind.
    statements: Option<Vec<String>>,
}

fn paths_of(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    paths(text, &mut |mention| {
        let end = if mention.is_glob { "*" } else { "" };
        let slash = if mention.is_folder { "/" } else { "" };
        all.push(format!("{}{slash}{end}", mention.path));
    });
    all
}

fn symbols_of(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    symbols(text, &Outline::new(text), &mut |mention| {
        all.push(mention.names.join(" "))
    });
    all
}

#[test]
fn each_row_of_the_table_is_read_as_it_says() {
    let table: Vec<Row> = crate::text::rows("mentions", "row");
    let mut wrong = Vec::new();
    for row in &table {
        let text = &*row.text;
        let slices = |bytes: &mut dyn Iterator<Item = Range<usize>>| {
            bytes
                .map(|bytes| text[bytes].to_owned())
                .collect::<Vec<_>>()
        };
        let outline = Outline::new(text);
        let mut found = vec![(symbols_of(text), &row.symbols)];
        if !row.paths.is_empty() || text.contains("no path") {
            found.push((paths_of(text), &row.paths));
        }
        let at = |sentence: &String| text.find(sentence.as_str()).unwrap() + sentence.len() / 2;
        let sentences = row.sentences.iter().map(at).map(|at| outline.sentence(at));
        let sentences: Vec<String> = slices(&mut { sentences });
        let sentences = sentences.iter().map(|one| one.trim().to_owned()).collect();
        found.push((sentences, &row.sentences));
        if row.tokens.is_some() || row.statements.is_some() {
            found.clear();
        }
        let tokens = tokens(text).into_iter();
        let tokens = tokens.map(|one| format!("{:?} {}", one.kind, &text[one.at]));
        if let Some(expected) = &row.tokens {
            found.push((tokens.collect(), expected));
        }
        let statement = |one: Statement| {
            let label = one.label.map(|at| format!(" [{}]", &text[at]));
            let label = label.unwrap_or_default();
            format!("{:?} {}{label}", one.form, &text[one.at])
        };
        if let Some(expected) = &row.statements {
            found.push((
                statements(text).into_iter().map(statement).collect(),
                expected,
            ));
        }
        wrong.extend(
            found
                .into_iter()
                .filter(|(found, expected)| found != *expected),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    #[test]
    fn mentions_lie_within_any_text(text in "([ -~é→`\\n/.\\\\]|[-#>|`a-cA.:* 。\n]{4}){0,80}") {
        let outline = Outline::new(&text);
        let is_within = |bytes: &Range<usize>| text.get(bytes.clone()).is_some();
        paths(&text, &mut |mention| assert!(is_within(&mention.bytes)));
        symbols(&text, &outline, &mut |mention| assert!(is_within(&mention.bytes)));
        for at in 0..=text.len() {
            assert!(is_within(&outline.sentence(at)));
        }
        let mut last = 0;
        for one in statements(&text) {
            assert!(last <= one.at.start && one.at.start < one.at.end && is_within(&one.at));
            last = one.at.end;
        }
    }
}
