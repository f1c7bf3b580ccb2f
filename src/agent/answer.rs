//! Reads a model's answer and keeps only what can be verified.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use itertools::Itertools as _;

use super::loose_json::{Fields, answers, value};
use super::request::{Note, unescaped};
use crate::lint::judged::{Judgement, Keep, PairVerdict, Quotable};
use crate::text::cut;

/// Beginnings of words for a verdict.
const VERDICTS: [(&str, PairVerdict); 7] = [
    ("no", PairVerdict::Compatible),
    ("compatib", PairVerdict::Compatible),
    ("contradict", PairVerdict::Contradiction),
    ("conflict", PairVerdict::Contradiction),
    ("duplic", PairVerdict::Duplicate),
    ("repeat", PairVerdict::Duplicate),
    ("repeti", PairVerdict::Duplicate),
];

/// Words for a confidence.
const SURE: [(&str, f64); 4] = [
    ("high", 0.9),
    ("medium", 0.6),
    ("moderate", 0.6),
    ("low", 0.3),
];

/// Words that deny, and beginnings of what they deny shortly after where there is no pair.
const DENYING: [&str; 4] = ["no", "none", "not", "nothing"];
const DENIED: [&str; 5] = ["pair", "contradict", "duplic", "repe", "conflict"];
const SHORTLY: usize = 6;

/// Longest beginning of an answer that is searched for such words, in bytes.
const BEGINNING: usize = 400;

/// An answer that was read.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The verdicts that count: the first on each pair.
    pub judgements: Vec<Judgement>,
    /// Why other lines do not count.
    pub rejected: Vec<String>,
    /// True if it says that there is no pair, or no further one.
    pub done: bool,
}

impl Answer {
    /// True if the question is answered: with a verdict that counts, or by saying that there is none.
    pub fn is_answer(&self) -> bool {
        !self.judgements.is_empty() || self.done && self.rejected.is_empty()
    }
}

/// A note with its words as quotes are looked up in them.
pub(super) type Known<'n> = (&'n Note, OnceCell<Quotable<'n>>);

/// Reads an answer on these notes. An object counts where both notes are among them and both quotes
/// stand in their texts; what is no JSON object is passed over.
pub fn read(text: &str, notes: &[&Note], by: &str, at: &str) -> Answer {
    let notes = notes.iter();
    let notes = notes.map(|note| (&*note.id, (*note, OnceCell::new())));
    let notes: HashMap<&str, Known<'_>> = notes.collect();
    let (mut answer, mut known) = (Answer::default(), HashSet::new());
    let (all, _) = answers(text, "verdict");
    answer.done = all.is_empty() && says_none(text);
    for fields in all {
        let is_end = fields.len() == 1 && value(&fields, "done") == Some("true");
        answer.done |= is_end;
        match judgement(&fields, &notes, by, at) {
            Some(Ok(one)) if known.insert(one.ids.clone()) => answer.judgements.push(one),
            Some(Err(why)) => answer.rejected.push(why),
            _ => {}
        }
    }
    answer
}

/// True if an answer is an empty list, or says in words that there is no pair.
pub(super) fn says_none(text: &str) -> bool {
    let text = text.rsplit("</think>").next().unwrap_or_default();
    let words = cut(text, BEGINNING).split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let denies = |at: usize| {
        let is_denied = |word: &String| DENIED.iter().any(|start| word.starts_with(start));
        let mut behind = words.iter().skip(at + 1).take(SHORTLY);
        words.get(at).is_some_and(|word| DENYING.contains(&&**word)) && behind.any(is_denied)
    };
    let signs = text.chars().filter(|c| !c.is_whitespace());
    let is_none = words.last().is_some_and(|word| word == "none");
    is_none || signs.collect::<String>().contains("[]") || (0..words.len()).any(denies)
}

/// The note that an id names, which may leave out its store where that is unambiguous, or be written
/// as the name of a file.
pub(super) fn find_note<'k, 'n>(
    notes: &'k HashMap<&str, Known<'n>>,
    id: &str,
) -> Result<&'k Known<'n>, String> {
    let id = id.trim_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '<' | '>' | '"'));
    if let Some(known) = notes.get(id) {
        return Ok(known);
    }
    let id = id.strip_suffix(".md").unwrap_or(id);
    let is_end = |full: &&&str| {
        let before = full.strip_suffix(id);
        before.is_some_and(|before| before.is_empty() || before.ends_with([':', '/']))
    };
    let found = notes.keys().filter(is_end).at_most_one();
    let found = found.map_err(|_| format!("`{id}` names more than one memory"))?;
    let found = found.and_then(|full| notes.get(full));
    found.ok_or_else(|| format!("`{id}` is not in the request"))
}

/// The verdict of an object, or why it does not count; none if it compares nothing.
fn judgement(
    fields: &Fields,
    notes: &HashMap<&str, Known<'_>>,
    by: &str,
    at: &str,
) -> Option<Result<Judgement, String>> {
    let get = |name: &str| value(fields, name);
    let (a, b) = (get("a")?, get("b")?);
    let word = get("verdict").unwrap_or_default().to_lowercase();
    let verdict = VERDICTS.iter().find(|(start, _)| word.starts_with(start));
    let mut keep = get("keep").and_then(|keep| match keep.to_lowercase().as_str() {
        "both" => Some(Keep::Both),
        name if name == "a" || keep == a => Some(Keep::A),
        name if name == "b" || keep == b => Some(Keep::B),
        _ => None,
    });
    let mut judge = || {
        let (_, verdict) = verdict.ok_or_else(|| format!("`{word}` is no verdict"))?;
        let [a, b] = [find_note(notes, a)?, find_note(notes, b)?];
        if a.0.id == b.0.id {
            return Err(format!("`{}` is compared with itself", a.0.id));
        }
        if a.0.is_context() && b.0.is_context() {
            return Err(format!("`{}` and `{}` are no memories", a.0.id, b.0.id));
        }
        let [one, other] = ["quotea", "quoteb"].map(|name| get(name).unwrap_or_default());
        let mut quotes = [words_of(a, one), words_of(b, other)];
        // A model may swap the two. Which of them it keeps is then unknown.
        if let (Ok(one), Ok(other)) = (words_of(a, other), words_of(b, one))
            && quotes.iter().any(Result::is_err)
        {
            (quotes, keep) = ([Ok(one), Ok(other)], None);
        }
        let [one, other] = quotes;
        let judgement = Judgement {
            verdict: *verdict,
            ids: [a.0.id.clone(), b.0.id.clone()],
            texts: [a.0.print.clone(), b.0.print.clone()],
            quotes: [one?, other?],
            why: get("why").unwrap_or_default().to_owned(),
            keep,
            confidence: get("confidence").and_then(confidence),
            by: by.to_owned(),
            at: Some(at.to_owned()),
        };
        Ok(judgement.normalized())
    };
    Some(judge())
}

/// The words of a note that are quoted, as they stand there.
pub(super) fn words_of((note, words): &Known<'_>, quoted: &str) -> Result<String, String> {
    let words = words.get_or_init(|| Quotable::new(&note.body));
    let at = words.find(quoted);
    let at = at.or_else(|| words.find(&unescaped(quoted)));
    let found = at.and_then(|at| note.body.get(at));
    let found = found.map(|found| found.split_whitespace().join(" "));
    found.ok_or_else(|| format!("the quote does not stand in `{}`", note.id))
}

/// A confidence from 0 to 1: a number, percent or a word.
pub(super) fn confidence(text: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let word = SURE.iter().find(|(word, _)| text.contains(word));
    let number = || {
        let number = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number: f64 = number.parse().ok()?;
        let is_percent = number > 1.0 || text.contains('%');
        Some(if is_percent { number / 100.0 } else { number })
    };
    word.map(|(_, sure)| *sure).or_else(number)
}
