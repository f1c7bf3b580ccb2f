//! Extracts lessons from a session: reads a transcript, a conversation or a diff, and applies rules
//! that find failures, fixes, commands, limits and decisions. It asks no model.
//!
//! ```text
//! lines ─> intake ─┬─ transcript ─┐
//!                  └─ prose ──────┴─> Session ─┬─ stated ───> Lessons ─> known ─> proposals
//!                                              └─ outcomes ─┘
//! ```
//!
//! Words hold limits, decisions and preferences that the person states, and why a failure was there.
//! Which sentences count stands in `assets/extract/sayings.toml`.

mod outcomes;
mod prose;
pub mod session;
pub(crate) mod trace;
pub mod transcript;
pub(crate) mod turn;
pub mod worth;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::curate::differences::Words;
use crate::text::cut;
use crate::text::patterns::Pattern;
use crate::text::statements::{Form, sentences, statements};
use crate::text::tokens::stems;
use session::{FileEdit, Session, Step};

/// The types that stores may have for each kind of lesson, the best first.
static KINDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../assets/extract/kinds.toml")).unwrap_or_default()
});

/// Something that is worth keeping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Its kind: a key of `assets/extract/kinds.toml`, which is the tag of its proposal.
    pub kind: &'static str,
    /// A line that names it.
    pub title: String,
    /// The text of the memory.
    pub body: String,
    /// The files it is about.
    pub files: Vec<String>,
    /// The words of the session that show it.
    pub evidence: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// The failure that a fix puts right.
    pub fixes: Option<Box<Lesson>>,
}

impl Lesson {
    /// A lesson that a text names.
    fn new(kind: &'static str, sure: f64, name: &str, body: String, evidence: String) -> Self {
        Self {
            kind,
            title: title(name),
            body,
            evidence,
            confidence: sure,
            ..Self::default()
        }
    }

    /// The same lesson about changed files.
    fn about(mut self, edits: &[&FileEdit]) -> Self {
        self.files = edits.iter().map(|edit| edit.path.clone()).collect();
        self
    }

    /// Types that a store may have for it, the best first, in lower case.
    pub fn types(&self) -> impl Iterator<Item = &'static str> + use<> {
        let types = KINDS.get(self.kind).map_or("", String::as_str);
        types.split_whitespace()
    }
}

/// Longest title, in bytes.
const TITLE: usize = 90;

/// A text as a title: one line, without the stop at its end.
fn title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut title = cut(&line, TITLE);
    if title.len() < line.len() {
        title = title.rsplit_once(' ').map_or(title, |(words, _)| words);
    }
    capital(title.trim_end_matches(['.', ',', ';', ':', '!', ' ', '。']))
}

/// A sentence that begins with a capital, unless it begins with code or the name of a file.
fn capital(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first
        .trim_end_matches([',', ':'])
        .chars()
        .all(char::is_alphabetic);
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if is_word => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// Share of the words of two lessons from which on they are the same.
const SAME: f64 = 0.8;

/// The lessons of a session, in its order, each once.
pub fn lessons(session: &Session) -> Vec<Lesson> {
    let mut kept: Vec<(Lesson, Words)> = Vec::new();
    for lesson in stated(session)
        .into_iter()
        .chain(outcomes::lessons(session))
    {
        let words = Words::new(&lesson.body);
        let is_same =
            |(other, own): &(Lesson, Words)| other.kind == lesson.kind && own.is_like(&words, SAME);
        if !kept.iter().any(is_same) {
            kept.push((lesson, words));
        }
    }
    kept.into_iter().map(|(lesson, _)| lesson).collect()
}

/// Share of the words of a lesson that one statement has from which on it says the same.
const SAYS: f64 = 0.75;

/// The texts that are there, memories and the files that agents are given: what they say is no lesson.
pub struct Known {
    texts: Vec<String>,
    /// The words of each statement of them.
    statements: Vec<Vec<u32>>,
}

impl Known {
    /// Reads texts.
    pub fn new(texts: Vec<String>) -> Self {
        let all = texts.iter().flat_map(|text| {
            let all = statements(text).into_iter();
            all.filter_map(|one| Some(stems(text.get(one.at)?)))
        });
        let statements = all.collect();
        Self { texts, statements }
    }

    /// True if no text says what a lesson says.
    pub fn is_new(&self, lesson: &Lesson) -> bool {
        let has = |part: &str| self.texts.iter().any(|text| text.contains(part));
        let first = lesson.body.lines().next().unwrap_or_default();
        let words = stems(first);
        let says = |one: &Vec<u32>| {
            let both = words.iter().filter(|word| one.contains(word)).count();
            both as f64 >= SAYS * words.len() as f64
        };
        !match lesson.kind {
            "command" | "fix" | "failure" => has(first) || has(&lesson.title),
            _ => self.statements.iter().any(says),
        }
    }
}

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
    let text = include_str!("../assets/extract/sayings.toml");
    let mut table: HashMap<String, Vec<Row>> = toml::from_str(text).unwrap_or_default();
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

fn is(text: &str, kind: &str, by: &str) -> bool {
    rows(kind, by).any(|row| row.pattern.is_in(text))
}

/// The first sentence of some texts of the agent that has this use.
fn first<'t>(texts: &[&'t str], kind: &str) -> Option<&'t str> {
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

fn stated(session: &Session) -> Vec<Lesson> {
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
