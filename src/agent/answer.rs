//! Parses a model's answer line by line and keeps only what can be verified.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::request::{Note, unescaped};
use crate::lint::judged::{Judgement, Keep, PairVerdict, find_quote};

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
    #[serde(default)]
    why: Option<String>,
    #[serde(default)]
    keep: Option<String>,
    #[serde(default)]
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
    for line in text.lines() {
        let line = line.trim().trim_end_matches(',');
        if line.len() > LONGEST || !line.starts_with('{') {
            continue;
        }
        if let Ok(End { done }) = serde_json::from_str(line) {
            answer.done |= done;
            continue;
        }
        let Ok(line) = serde_json::from_str::<Line>(line) else {
            continue;
        };
        match judgement(line, &by_id, by, at) {
            Ok(one) if known.insert(one.ids.clone()) => answer.judgements.push(one),
            Ok(_) => {}
            Err(why) => answer.rejected.push(why),
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
    let verdict = match line.verdict.as_str() {
        "contradiction" => PairVerdict::Contradiction,
        "duplicate" => PairVerdict::Duplicate,
        "compatible" => PairVerdict::Compatible,
        other => return Err(format!("`{other}` is no verdict")),
    };
    let note = |id: &str| {
        let known = by_id.get(id).copied();
        known.ok_or_else(|| format!("`{id}` is not in the request"))
    };
    let (a, b) = (note(&line.a)?, note(&line.b)?);
    if a.id == b.id {
        return Err(format!("`{}` is compared with itself", a.id));
    }
    let stands = |note: &Note, quoted: String| {
        let plain = unescaped(&quoted);
        let in_text = [quoted, plain].into_iter();
        in_text
            .into_iter()
            .find(|quoted| find_quote(&note.body, quoted).is_some())
            .ok_or_else(|| format!("the quote does not stand in `{}`", note.id))
    };
    let quotes = [stands(a, line.quote_a)?, stands(b, line.quote_b)?];
    let judgement = Judgement {
        verdict,
        ids: [a.id.clone(), b.id.clone()],
        texts: [a.print.clone(), b.print.clone()],
        quotes,
        why: line.why.unwrap_or_default(),
        keep: match line.keep.as_deref() {
            Some("a") => Some(Keep::A),
            Some("b") => Some(Keep::B),
            Some("both") => Some(Keep::Both),
            _ => None,
        },
        confidence: line.confidence.and_then(|sure| sure.as_f64()),
        by: by.to_owned(),
        at: Some(at.to_owned()),
    };
    Ok(judgement.normalized())
}
