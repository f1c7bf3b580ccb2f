//! Reads a model's answer and keeps only what can be verified. Its JSON objects are read in whatever form
//! it wrote them: in lists and fences, over many lines, with other quotes or commas too many, with prose
//! around them, or cut off.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use itertools::Itertools as _;

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

#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The verdicts that count: the first on each pair.
    pub judgements: Vec<Judgement>,
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

pub(super) fn known<'n>(notes: impl IntoIterator<Item = &'n Note>) -> HashMap<&'n str, Known<'n>> {
    let notes = notes.into_iter();
    notes
        .map(|note| (&*note.id, (note, OnceCell::new())))
        .collect()
}

/// Reads an answer on these notes. An object counts where both notes are among them and both quotes
/// stand in their texts; what is no JSON object is passed over.
pub fn read(text: &str, notes: &[&Note], by: &str, at: &str) -> Answer {
    let notes = known(notes.iter().copied());
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

/// The note that an id names, also without its store if that is unambiguous, or as a file name.
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

/// The values of an object by their names: lower case, letters and digits alone. A list has several.
pub type Fields = BTreeMap<String, Vec<String>>;

pub(super) fn value<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name)?.first().map(|value| value.trim())
}

/// Deepest nesting that is followed; what encloses more is forgotten.
const DEEPEST: usize = 64;

/// Longest string that is read, in bytes.
const LONGEST: usize = 64 << 10;

/// Most blanks between two signs, in bytes.
const BLANKS: usize = 128;

/// Bytes of an answer that is read.
const MOST: usize = 4 << 20;

/// The objects of an answer that is whole and not empty; an error says why it is none.
pub(super) fn objects(text: &str, word: &str) -> Result<Vec<Fields>, String> {
    let (all, is_cut) = answers(cut(text, MOST), word);
    match text.trim() {
        _ if text.len() > MOST => Err("it is longer than 4 MB".to_owned()),
        _ if is_cut => Err("it ends in the middle".to_owned()),
        "" => Err("it is empty".to_owned()),
        _ => Ok(all),
    }
}

/// The objects of an answer, and those of texts in it with a word: a program may print the reply of
/// its server, with the answer as a text in it. The drafts of a model that thinks aloud are no answer.
fn answers(text: &str, word: &str) -> (Vec<Fields>, bool) {
    let text = text.rsplit("</think>").next().unwrap_or_default();
    let (mut all, mut is_cut) = objects_of(text);
    let texts = all.iter().flat_map(Fields::values).flatten();
    let inner = texts.filter(|text| text.contains(word));
    let inner: Vec<_> = inner.map(|text| objects_of(text)).collect();
    for (inner, is_open) in inner {
        is_cut |= is_open;
        all.extend(inner);
    }
    (all, is_cut)
}

/// The objects of a text that have fields, inner ones first. True if the last one has no end.
fn objects_of(text: &str) -> (Vec<Fields>, bool) {
    let (mut found, mut open, mut name) = (Vec::new(), VecDeque::<Fields>::new(), None);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let top = open.front_mut();
        if let Some((fields, (value, behind))) = top.and_then(|top| Some((top, scalar(rest)?))) {
            rest = behind;
            if rest.trim_start().starts_with(':') {
                let letters = value.chars().filter(|c| c.is_alphanumeric());
                name = Some(letters.collect::<String>().to_lowercase());
            } else if let Some(name) = name.clone().filter(|_| value != "null") {
                fields.entry(name).or_default().push(value);
            }
            continue;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        match first {
            '{' => {
                open.truncate(DEEPEST);
                open.push_front(Fields::new());
            }
            '}' => found.extend(open.pop_front()),
            _ => continue,
        }
        name = None;
    }
    // The last one of an answer that was cut off has no end.
    let is_cut = open.iter().any(|fields| !fields.is_empty());
    found.extend(open);
    found.retain(|fields| !fields.is_empty());
    (found, is_cut)
}

/// The string, number or word that a text begins with, and the text behind it.
fn scalar(text: &str) -> Option<(String, &str)> {
    let mut chars = text.char_indices();
    let (_, first) = chars.next()?;
    if first.is_alphanumeric() || matches!(first, '-' | '.') {
        let ends = |c: char| matches!(c, ',' | ':' | '{' | '}' | '[' | ']' | '\n');
        let (word, behind) = text.split_at(text.find(ends).unwrap_or(text.len()));
        return Some((word.trim().to_owned(), behind));
    }
    let close = match first {
        '"' | '\'' => first,
        '“' | '„' => '”',
        _ => return None,
    };
    let (mut end, mut after) = (text.len(), text.len());
    while let Some((at, c)) = chars.next() {
        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
        // A line that begins an object ends a string that was left open.
        let next = cut(behind, BLANKS).trim_start();
        let is_left_open = c == '\n' && next.starts_with('{') || at > LONGEST;
        if is_left_open || c == close && ends_string(cut(behind, BLANKS)) {
            (end, after) = (at, text.len() - behind.len());
            break;
        }
        if c == '\\' {
            chars.next();
        }
    }
    let raw = text.get(first.len_utf8()..end).unwrap_or_default();
    let value = serde_json::from_str(&format!("\"{raw}\""));
    // Quotes and line breaks that should have been escaped.
    let plain = |_| raw.replace("\\n", "\n").replace("\\\"", "\"");
    let rest = text.get(after..).unwrap_or_default();
    Some((value.unwrap_or_else(plain), rest))
}

/// True if this stands behind a string, rather than behind a quotation mark within it.
fn ends_string(behind: &str) -> bool {
    let behind = behind.trim_start();
    let next = behind.strip_prefix(',').map(str::trim_start);
    match next {
        Some(next) => next.is_empty() || next.starts_with(['"', '\'', '“', '„', '}', ']', '{']),
        None => behind.is_empty() || behind.starts_with([':', '}', ']']),
    }
}
