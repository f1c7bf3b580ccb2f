//! Reads the JSON objects that a language model wrote, in whatever form: in lists and fences, over
//! many lines, with other quotes or commas too many, with prose around them, or cut off.

use std::collections::{BTreeMap, VecDeque};

use crate::text::cut;

/// The values of an object by their names: lower case, letters and digits alone. A list has several.
pub type Fields = BTreeMap<String, Vec<String>>;

/// The first value of a name.
pub fn value<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name)?.first().map(|value| value.trim())
}

/// Deepest nesting that is followed; what encloses more is forgotten.
const DEEPEST: usize = 64;

/// Longest string that is read, in bytes.
const LONGEST: usize = 64 << 10;

/// Most blanks between two signs, in bytes.
const BLANKS: usize = 128;

/// The objects of an answer, and those of texts in it with a word: a program may print the reply of
/// its server, with the answer as a text in it. The drafts of a model that thinks aloud are no answer.
pub fn answers(text: &str, word: &str) -> (Vec<Fields>, bool) {
    let text = text.rsplit("</think>").next().unwrap_or_default();
    let (mut all, mut is_cut) = objects(text);
    let texts = all.iter().flat_map(Fields::values).flatten();
    let inner = texts.filter(|text| text.contains(word));
    let inner: Vec<_> = inner.map(|text| objects(text)).collect();
    for (inner, is_open) in inner {
        is_cut |= is_open;
        all.extend(inner);
    }
    (all, is_cut)
}

/// The objects of a text that have fields, each as it ends: inner ones first. True if the last one has
/// no end.
fn objects(text: &str) -> (Vec<Fields>, bool) {
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
