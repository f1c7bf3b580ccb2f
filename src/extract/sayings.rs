//! Lessons in words: limits, decisions and preferences that the person states, and why a failure was
//! there. Which sentences count stands in `assets/extract/sayings.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::session::{Session, Step};
use super::{Lesson, capital, title};
use crate::text::patterns::Pattern;
use crate::text::statements::{Form, sentences, statements};

/// A form of a sentence: its use, and who says it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: String,
    by: String,
    #[serde(default)]
    sure: f64,
    pattern: Pattern,
    #[cfg_attr(not(test), expect(dead_code, reason = "rows show themselves to tests"))]
    example: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "rows show themselves to tests"))]
    counter: String,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let text = include_str!("../../assets/extract/sayings.toml");
    let mut table: std::collections::HashMap<String, Vec<Row>> =
        toml::from_str(text).unwrap_or_default();
    let mut rows = table.remove("row").unwrap_or_default();
    for row in &mut rows {
        row.pattern = Pattern::new(format!("(?i){}", row.pattern.source));
    }
    rows
});

/// Words of a sentence that is kept: shorter ones say too little, longer ones are no rule.
const WORDS: std::ops::RangeInclusive<usize> = 4..=60;

/// Beginnings of sentences behind a rule that give its reason.
const REASONS: &str = "because since otherwise it its they that this else sonst weil";

fn rows(kind: &str, by: &str) -> impl Iterator<Item = &'static Row> {
    ROWS.iter()
        .filter(move |row| row.kind == kind && row.by == by)
}

/// True if a text has this use.
pub fn is(text: &str, kind: &str, by: &str) -> bool {
    rows(kind, by).any(|row| row.pattern.is_in(text))
}

/// The first sentence of some texts of the agent that has this use.
pub fn first<'t>(texts: &[&'t str], kind: &str) -> Option<&'t str> {
    let mut all = texts.iter().flat_map(|text| {
        let all = sentences(text).into_iter();
        all.filter_map(|at| text.get(at)).map(str::trim)
    });
    all.find(|text| is(text, kind, "agent"))
}

/// The kind of a sentence and how sure it is; none if it is nothing to keep.
fn kind_of(sentence: &str, by: &str) -> Option<(&'static str, f64)> {
    if is(sentence, "not", by) || !WORDS.contains(&sentence.split_whitespace().count()) {
        return None;
    }
    let is = |row: &&Row| row.by == by && row.sure > 0.0;
    let mut rows = ROWS.iter().filter(is);
    let found = rows.find(|row| row.pattern.is_in(sentence))?;
    Some((&found.kind, found.sure))
}

/// The lessons that a text states.
fn of_text(text: &str, by: &str) -> Vec<Lesson> {
    let all = statements(text).into_iter();
    let all = all.filter(|one| one.form != Form::Row);
    let all = all.filter_map(|one| text.get(one.at)).map(str::trim);
    let all: Vec<&str> = all.collect();
    let lesson = |(at, sentence): (usize, &&str)| {
        // What only opens a sentence is left out.
        let bare = rows("lead", by).fold(*sentence, |text, row| {
            let lead = row.pattern.places(text).next();
            let rest = lead.and_then(|(whole, _)| text.get(whole.end..));
            rest.map_or(text, str::trim_start)
        });
        let (kind, confidence) = kind_of(sentence, by).or_else(|| kind_of(bare, by))?;
        let reasons = all.iter().skip(at + 1).take(2).take_while(|next| {
            let first = next.split(|c: char| !c.is_alphabetic()).next();
            let first = first.unwrap_or_default().to_lowercase();
            REASONS.split(' ').any(|word| word == first) && kind_of(next, by).is_none()
        });
        let body = reasons.fold(capital(bare), |body, reason| format!("{body} {reason}"));
        let is_ended = body.ends_with(['.', '!', '。', '`']);
        Some(Lesson {
            kind,
            title: title(bare),
            body: if is_ended { body } else { body + "." },
            evidence: (*sentence).to_owned(),
            confidence,
            ..Lesson::default()
        })
    };
    all.iter().enumerate().filter_map(lesson).collect()
}

/// The comments among lines of code.
fn comments(code: &str) -> String {
    fn comment(line: &str) -> &str {
        let is_mark = |c: char| "/#-*;<!\"".contains(c);
        let text = line.trim().trim_start_matches(is_mark);
        let is_comment = text.len() < line.trim().len() && text.starts_with(' ');
        let text = text.trim_end_matches(['/', '*', '>', '-']).trim();
        if is_comment { text } else { "" }
    }
    code.lines().map(comment).collect::<Vec<_>>().join("\n")
}

/// What is stated in a session.
pub fn lessons(session: &Session) -> Vec<Lesson> {
    let of_step = |step: &Step| match step {
        Step::Person(text) => of_text(text, "person"),
        Step::Agent(text) => of_text(text, "agent"),
        Step::Edit(edit) if session.is_diff => {
            let mut found = of_text(&comments(&edit.added), "code");
            for lesson in &mut found {
                lesson.files.push(edit.path.clone());
                lesson.body = format!("{} (`{}`)", lesson.body, edit.path);
            }
            found
        }
        _ => Vec::new(),
    };
    session.steps.iter().flat_map(of_step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_matches_its_example_and_not_its_counter_example() {
        assert!(ROWS.len() > 15);
        for row in &*ROWS {
            assert!(row.pattern.is_in(&row.example), "{}", row.example);
            assert!(!row.pattern.is_in(&row.counter), "{}", row.counter);
        }
    }

    #[test]
    fn a_rule_takes_its_reason_along_and_no_opening() {
        let text = "ok, please never log tokens. Otherwise they end up in the archive. Now go on.";
        let found = of_text(text, "person");
        let expected = "Never log tokens. Otherwise they end up in the archive.";
        assert_eq!((found.len(), &*found[0].body), (1, expected));
        assert_eq!(found[0].title, "Never log tokens");
    }
}
