//! Parses a model's answer line by line and keeps only what can be verified.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::request::{Note, unescaped};
use crate::lint::judged::{Judgement, find_quote};

/// Longest line that is read, in bytes.
const LONGEST: usize = 64 << 10;

/// A line of an answer.
#[derive(Deserialize)]
struct Line {
    a: String,
    b: String,
    verdict: String,
    quote_a: String,
    quote_b: String,
    why: Option<String>,
    keep: Option<String>,
    confidence: Option<serde_json::Value>,
}

/// The line that ends an answer.
#[derive(Deserialize)]
struct End {
    done: bool,
}

/// An answer that was read.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The verdicts that count: the first on each pair.
    pub judgements: Vec<Judgement>,
    /// Why other lines do not count.
    pub rejected: Vec<String>,
    /// True if the line that ends an answer stands in it.
    pub done: bool,
}

impl Answer {
    /// True if the model answered at all.
    pub fn is_answer(&self) -> bool {
        self.done || !self.judgements.is_empty()
    }
}

/// Reads an answer on these notes. A line counts where both notes are among them and both quotes
/// stand in their texts; what is no JSON object is passed over.
pub fn read(text: &str, notes: &[&Note], by: &str, at: &str) -> Answer {
    let by_id: HashMap<&str, &Note> = notes.iter().map(|note| (&*note.id, *note)).collect();
    let mut answer = Answer::default();
    let mut known = HashSet::new();
    let lines = text.lines().map(|line| line.trim().trim_end_matches(','));
    for line in lines.filter(|line| line.len() <= LONGEST && line.starts_with('{')) {
        if let Ok(End { done }) = serde_json::from_str(line) {
            answer.done |= done;
        } else if let Ok(line) = serde_json::from_str(line) {
            match judgement(line, &by_id, by, at) {
                Ok(one) if known.insert(one.ids.clone()) => answer.judgements.push(one),
                Ok(_) => {}
                Err(why) => answer.rejected.push(why),
            }
        }
    }
    answer
}

/// The verdict of a line, or why it does not count.
fn judgement(
    line: Line,
    by_id: &HashMap<&str, &Note>,
    by: &str,
    at: &str,
) -> Result<Judgement, String> {
    let word = line.verdict;
    let verdict = serde_json::from_value(word.as_str().into());
    let note = |id: &str| {
        let known = by_id.get(id).copied();
        known.ok_or_else(|| format!("`{id}` is not in the request"))
    };
    let verdict = verdict.map_err(|_| format!("`{word}` is no verdict"))?;
    let (a, b) = (note(&line.a)?, note(&line.b)?);
    if a.id == b.id {
        return Err(format!("`{}` is compared with itself", a.id));
    }
    let stands = |note: &Note, quoted: String| {
        let plain = unescaped(&quoted);
        let mut quotes = [quoted, plain].into_iter();
        let found = quotes.find(|quoted| find_quote(&note.body, quoted).is_some());
        found.ok_or_else(|| format!("the quote does not stand in `{}`", note.id))
    };
    let keep = line.keep.map(Into::into);
    let keep = keep.and_then(|keep| serde_json::from_value(keep).ok());
    let judgement = Judgement {
        verdict,
        ids: [a.id.clone(), b.id.clone()],
        texts: [a.print.clone(), b.print.clone()],
        quotes: [stands(a, line.quote_a)?, stands(b, line.quote_b)?],
        why: line.why.unwrap_or_default(),
        keep,
        confidence: line.confidence.and_then(|sure| sure.as_f64()),
        by: by.to_owned(),
        at: Some(at.to_owned()),
    };
    Ok(judgement.normalized())
}
