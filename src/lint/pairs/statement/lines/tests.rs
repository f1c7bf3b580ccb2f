use proptest::prelude::*;

use crate::lint::pairs::statement::statements;

/// What a body says, each statement on one line.
fn said(body: &str) -> Vec<String> {
    let found = statements(body);
    found.iter().map(|one| one.text.to_string()).collect()
}

/// Breaks a paragraph before each word that does not fit; what goes on stands so far in.
fn wrapped(text: &str, columns: usize, head: &str, inset: &str) -> String {
    let (mut out, mut line) = (String::new(), head.to_owned());
    let mut begins = true;
    for word in text.split(' ') {
        if !begins && line.chars().count() + 1 + word.chars().count() > columns {
            out.push_str(&line);
            out.push('\n');
            inset.clone_into(&mut line);
            begins = true;
        }
        if !begins {
            line.push(' ');
        }
        line.push_str(word);
        begins = false;
    }
    out + &line
}

/// A sentence as notes have them: names, code, numbers, commas, abbreviations, asides.
fn sentence() -> impl Strategy<Value = String> {
    let first = prop::sample::select(vec![
        "The",
        "Use",
        "Never",
        "`make check`",
        "Redis",
        "Postgres",
        "Kubernetes",
        "Always",
        "`src/db.rs`",
    ]);
    let word = prop::sample::select(vec![
        "the",
        "of",
        "a",
        "worker",
        "queue",
        "Redis",
        "PostgreSQL",
        "4000",
        "30 s",
        "`src/main.rs`",
        "listens",
        "connections,",
        "e.g. Kafka",
        "(see ADR 7)",
        "because",
        "so",
        "v2.1",
        "runs; it",
        "holds",
        "#12",
        "internationalisation",
        "`cargo test --locked`",
        "and",
        "in",
        "CI",
        "Windows",
        "vs. Linux",
        "äöü",
        "it",
        "stays",
        "— flaky",
        "**never**",
    ]);
    let end = prop::sample::select(vec!["file.", "commit.", "Kafka!", "host.", "`main`."]);
    (first, prop::collection::vec(word, 3..28), end)
        .prop_map(|(first, words, end)| format!("{first} {} {end}", words.join(" ")))
}

proptest! {
    #[test]
    fn however_lines_are_broken_they_say_the_same(
        paragraphs in prop::collection::vec(prop::collection::vec(sentence(), 1..4), 1..4),
        columns in 40_usize..=100,
        style in 0_usize..3,
    ) {
        let (head, inset) = [("", ""), ("- ", "  "), ("> ", "> ")][style];
        let all = |columns: usize| {
            let texts = paragraphs.iter().map(|one| wrapped(&one.join(" "), columns, head, inset));
            texts.collect::<Vec<_>>().join("\n\n")
        };
        prop_assert_eq!(said(&all(columns)), said(&all(100_000)));
    }

    #[test]
    fn what_is_found_on_one_line_stands_in_the_text(
        sentence in sentence(),
        columns in 40_usize..=100,
    ) {
        let text = wrapped(&sentence, columns, "", "   ");
        for one in statements(&text) {
            for token in &one.tokens {
                let at = one.in_source(&token.at);
                prop_assert_eq!(&one.source()[at], one.word(token));
            }
        }
    }
}

#[test]
fn lines_of_their_own_stay_apart() {
    for body in [
        "Port: number 80\nHost: name here",
        "Runs on Postgres 14 in prod\nDeploys go out on Tuesdays",
        "DATABASE_URL=postgres on the local host here\nREDIS_URL=redis on the local host here",
        "These are the conventions that all of us agreed to:\nUse tabs in every file",
        "The dev server listens on port 4000\nThe gateway of the shop answers on port 8080, the admin page on 9000",
    ] {
        assert_eq!(said(body), body.lines().collect::<Vec<_>>(), "{body}");
    }
}
