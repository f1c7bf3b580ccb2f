//! Verdicts of a language model on pairs of memories: kept beside the decisions of people, shown as
//! findings of `contradiction` and `near-duplicate`, and overruled by a person's answer.
//!
//! ```text
//! .memkeep/decisions.jsonl   lines of a model; later lines win
//! {"verdict":"contradiction","ids":["rawko:a","rawko:b"],"texts":["91…","0c…"],
//!  "quotes":["10 connections","25 connections"],"why":"two sizes of one pool","keep":"b",
//!  "confidence":0.9,"by":"model:NAME","at":"2026-02-01T00:00:00Z"}
//! {"asked":["91…","0c…","5e…"],"by":"model:NAME","at":"2026-02-01T00:00:00Z"}
//! ```
//! A verdict holds while both texts are unchanged and both quotes stand in them. An `asked` line
//! lists the texts of one answered request, so that they are not sent again.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::chars::{cut, oddity, quote};
pub use super::fingerprint::{document_print, text_print};
use super::quotable::Quotable;
use super::subject::Position;
use super::{
    Collector, Context, Finding, Fix, MarkedBy, RULES, Rule, mask, pairs, subject, succession,
};
use crate::memory::lines::Lines;
use crate::memory::{Memory, Severity, State};

/// Longest reason that is kept, in bytes.
const LONGEST_WHY: usize = 300;

/// Characters of the fingerprint of a text that was sent.
const SENT: usize = 16;

/// A model's verdict on two memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairVerdict {
    /// They cannot both be right.
    Contradiction,
    /// They say the same.
    Duplicate,
    /// Both can stay as they are.
    Compatible,
}

/// The memory that a model would keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The first.
    A,
    /// The second.
    B,
    /// Both.
    Both,
}

/// A model's verdict on two memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The verdict.
    pub verdict: PairVerdict,
    /// The two memories, in the order of their ids.
    pub ids: [String; 2],
    /// The fingerprints of their bodies.
    pub texts: [String; 2],
    /// A quote from each.
    pub quotes: [String; 2],
    /// The model's reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The memory that the model would keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// How sure the model is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// `model:NAME`.
    pub by: String,
    /// When, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl Judgement {
    /// Sorts the ids, and cuts the reason to one short line.
    pub fn normalized(mut self) -> Self {
        if self.ids[0] > self.ids[1] {
            self.ids.reverse();
            self.texts.reverse();
            self.quotes.reverse();
            self.keep = self.keep.map(|keep| match keep {
                Keep::A => Keep::B,
                Keep::B => Keep::A,
                Keep::Both => Keep::Both,
            });
        }
        let visible = |c: char| if oddity(c).is_some() { ' ' } else { c };
        let why: String = self.why.chars().map(visible).collect();
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        cut(&why, LONGEST_WHY).clone_into(&mut self.why);
        self.confidence = self.confidence.filter(|sure| (0.0..=1.0).contains(sure));
        self
    }

    /// Who judged.
    fn judge(&self) -> &str {
        self.by.strip_prefix("model:").unwrap_or(&self.by)
    }
}

/// The texts of one answered request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Fingerprints of the texts that were sent.
    pub asked: Vec<String>,
    /// `model:NAME`.
    pub by: String,
    /// When, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// All verdicts of models, the newest of each pair, and what was sent to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    pairs: BTreeMap<[String; 2], Judgement>,
    asked: Vec<Asked>,
}

/// Judgements are equal to themselves: no confidence is not a number.
impl Eq for Judged {}

impl Judged {
    /// Takes a line of the file in; false if it is no line of a model.
    pub(super) fn take(&mut self, line: &str) -> bool {
        if let Ok(one) = serde_json::from_str::<Judgement>(line) {
            let one = one.normalized();
            self.pairs.insert(one.ids.clone(), one);
            true
        } else if let Ok(asked) = serde_json::from_str::<Asked>(line) {
            self.asked.push(asked);
            true
        } else {
            false
        }
    }

    /// True if this verdict is known already.
    pub fn knows(&self, new: &Judgement) -> bool {
        let known = self.pairs.get(&new.ids);
        known.is_some_and(|known| {
            (known.verdict, &known.texts, &known.quotes, &known.by)
                == (new.verdict, &new.texts, &new.quotes, &new.by)
        })
    }

    /// The ids of the memories that were judged, with the fingerprints of their texts.
    pub(super) fn sides(&self) -> impl Iterator<Item = (&String, &String)> {
        let all = self.pairs.values();
        all.flat_map(|one| one.ids.iter().zip(&one.texts))
    }

    /// The same with other ids.
    pub(super) fn renamed(&self, rename: &dyn Fn(&mut [String])) -> Self {
        let pairs = self.pairs.values().cloned().map(|mut one| {
            rename(&mut one.ids);
            let one = one.normalized();
            (one.ids.clone(), one)
        });
        Self {
            pairs: pairs.collect(),
            asked: self.asked.clone(),
        }
    }

    /// The answered requests to a model: the fingerprints of their texts.
    pub fn asked<'a>(&'a self, by: &'a str) -> impl Iterator<Item = &'a [String]> {
        let own = self.asked.iter().filter(move |one| one.by == by);
        own.map(|one| one.asked.as_slice())
    }
}

/// A fingerprint as `asked` lines list it.
pub fn sent(print: &str) -> String {
    cut(print, SENT).to_owned()
}

/// The start of a memory's body in its text, and the body with masked secrets of the same length.
pub fn masked_body(memory: &Memory, text: &str) -> (usize, String) {
    let range = subject::body_range(memory, text);
    let masked = mask(text);
    let body = masked.get(range.clone()).unwrap_or_default();
    (range.start, body.to_owned())
}

impl Context<'_> {
    /// A model's verdict on two active memories; none if a text changed or a person
    /// answered.
    pub(super) fn judgement(&self, a: usize, b: usize) -> Option<&Judgement> {
        let judged = self.decisions.judged();
        let mut compares = RULES.iter().filter(|rule| rule.compares);
        if judged.pairs.is_empty() || compares.any(|rule| self.decided(rule.id, a, b)) {
            return None;
        }
        let side = |index: usize| {
            let memory = self.memories.get(index)?;
            let text = self.texts.text(memory)?;
            Some((memory.id.to_string(), text_print(memory, &text)))
        };
        let mut sides = [side(a)?, side(b)?];
        sides.sort();
        let [(one, one_text), (other, other_text)] = sides;
        let found = judged.pairs.get(&[one, other])?;
        (found.texts == [one_text, other_text]).then_some(found)
    }

    /// True if a model's verdict answers what a rule would report about two memories.
    pub(super) fn is_judged(&self, rule: &str, a: usize, b: usize) -> bool {
        super::rule(rule).is_some_and(|rule| rule.compares) && self.judgement(a, b).is_some()
    }

    /// True if a model's verdict holds on a memory and a document: its path and text.
    pub(super) fn is_judged_with(&self, memory: usize, (path, text): (&str, &str)) -> bool {
        let mut pairs = self.decisions.judged().pairs.values();
        pairs.any(|one| one.ids.iter().any(|id| id == path) && self.holds(one, memory, text))
    }

    /// True if a verdict is on a memory and on a document with this text.
    fn holds(&self, judgement: &Judgement, memory: usize, document: &str) -> bool {
        let memory = self.memories.get(memory);
        let Some((memory, text)) = memory.and_then(|one| Some((one, self.texts.text(one)?))) else {
            return false;
        };
        let id = memory.id.to_string();
        let [own, other] = [text_print(memory, &text), document_print(document)];
        match judgement.ids.first() == Some(&id) {
            true => judgement.texts == [own, other],
            false => judgement.ids.last() == Some(&id) && judgement.texts == [other, own],
        }
    }
}

/// Below this confidence of the model a finding is a suggestion.
const SURE: f64 = 0.5;

/// The confidence of a verdict that states none, which is a suggestion.
const UNSTATED: f64 = 0.75;

/// Longest line of evidence, in bytes.
const LONGEST_EVIDENCE: usize = 400;

/// Reports the verdicts that hold under the rules that look.
pub(super) fn finish(cx: &Context<'_>, rules: &[&Rule], out: &mut Collector<'_>) {
    let judged = &cx.decisions.judged().pairs;
    if judged.is_empty() {
        return;
    }
    let in_use = |memory: &Memory| memory.state == State::Active && !memory.is_expired(cx.now);
    let all = cx.memories.iter().enumerate();
    let all = all.filter(|(_, memory)| in_use(memory));
    let by_id: HashMap<String, usize> = all
        .map(|(index, memory)| (memory.id.to_string(), index))
        .collect();
    let documents = LazyCell::new(|| super::repository::context(cx));
    for one in judged.values() {
        let rule = rules.iter().find(|rule| rule.verdict == Some(one.verdict));
        let Some(rule) = rule else { continue };
        let [id_a, id_b] = &one.ids;
        let document = |own: usize, path: &String| {
            let mut all = documents.iter().filter(|(known, _)| known == path);
            all.find(|(_, text)| cx.holds(one, own, text))
        };
        let memory = |index: usize| cx.memories.get(index);
        let found = match (by_id.get(id_a).copied(), by_id.get(id_b).copied()) {
            (Some(a), Some(b)) => {
                let open = cx.judgement(a, b).and(memory(a)).zip(memory(b));
                let open = open.filter(|(one, other)| a != b && !succession::decides(one, other));
                open.map(|_| ([Some(a), Some(b)], None))
            }
            (Some(a), None) => document(a, id_b).map(|found| ([Some(a), None], Some(found))),
            (None, Some(b)) => document(b, id_a).map(|found| ([None, Some(b)], Some(found))),
            (None, None) => None,
        };
        if let Some((parties, document)) = found {
            let (mut finding, sides) = finding(cx, rule.id, one, parties);
            tell(cx, &mut finding, sides, document);
            out.push(finding);
        }
    }
}

/// A side of a finding: the index of the memory, if it is none of a document, its quote and its id.
type Side<'j> = (Option<usize>, &'j str, &'j str);

/// The finding of a verdict, without its evidence: the later of the two memories is where it stands.
fn finding<'j>(
    cx: &Context<'_>,
    rule: &'static str,
    judgement: &'j Judgement,
    [a, b]: [Option<usize>; 2],
) -> (Finding, [Side<'j>; 2]) {
    let memory = |index: Option<usize>| cx.memories.get(index?);
    let written = |index| memory(index).and_then(|memory| memory.written());
    let quotes = judgement.quotes.each_ref().map(String::as_str);
    let ids = judgement.ids.each_ref().map(String::as_str);
    let mut sides = [(a, quotes[0], ids[0]), (b, quotes[1], ids[1])];
    if a.is_none() || b.is_some() && written(b) >= written(a) {
        sides.reverse();
    }
    let [(here, ..), (there, _, other)] = sides;
    let says = match judgement.verdict {
        PairVerdict::Contradiction => "Contradicts",
        PairVerdict::Duplicate | PairVerdict::Compatible => "Repeats",
    };
    let mut message = format!("{says} {}, judged by {}", quote(other), judgement.judge());
    if !judgement.why.is_empty() {
        message += &format!(": {}", judgement.why.trim_end_matches('.'));
    }
    let kept = match judgement.keep {
        Some(Keep::A) => Some((a, ids[0])),
        Some(Keep::B) => Some((b, ids[1])),
        Some(Keep::Both) | None => None,
    };
    if let Some((_, kept)) = kept {
        message += &format!(" (keep {})", quote(kept));
    }
    let confidence = judgement.confidence.unwrap_or(UNSTATED);
    let severity = Severity::of(judgement.confidence.is_some_and(|stated| stated >= SURE));
    let line = memory(here).map_or(1, |memory| memory.line);
    let is_duplicate = judgement.verdict == PairVerdict::Duplicate;
    // The memory that the model keeps stays, else the earlier one. A document is never changed.
    let stays = kept.map_or(there, |(kept, _)| kept);
    let goes = if stays == here { there } else { here };
    let fix = stays.zip(goes).filter(|_| is_duplicate);
    let fix = fix.and_then(|(stays, goes)| Fix::merge(cx.memories, stays, goes));
    let own = (here.unwrap_or_default(), line);
    let finding = Finding::of_pair((rule, severity), own, there.into_iter().collect())
        .sure(confidence)
        .says(message)
        .marked_by(match is_duplicate {
            true => MarkedBy::Place,
            false => MarkedBy::Statements,
        })
        .fixed_by(fix);
    (finding, sides)
}

/// Adds both quotes and their places.
fn tell(
    cx: &Context<'_>,
    finding: &mut Finding,
    [here, there]: [Side<'_>; 2],
    document: Option<&(String, String)>,
) {
    let shown = |(text, body): (&str, &str), start: usize, line: u32, quoted: &str| {
        let at = Quotable::new(body).find(quoted)?;
        let shown = lines_around(body, &at);
        let lines = Lines::new(text.as_bytes());
        let bytes = start + at.start..start + at.end;
        Some(pairs::Side {
            text: body.get(shown.clone())?.to_owned(),
            marks: std::iter::once(at.start - shown.start..at.end.min(shown.end) - shown.start)
                .collect(),
            place: Position::of_bytes((text, &lines), line, bytes),
        })
    };
    let side = |(index, quoted, _): Side<'_>| {
        let memory = cx.memories.get(index?)?;
        let text = cx.texts.text(memory)?;
        let (start, body) = masked_body(memory, &text);
        shown((&text, &body), start, memory.line, quoted)
    };
    let other = match document {
        None => side(there),
        Some((path, text)) => {
            finding.source = Some(path.clone());
            let side = shown((text, &mask(text)), 0, 1, there.1);
            side.map(|side| side.behind(&format!("{path}:")))
        }
    };
    if let (Some(here), Some(there)) = (side(here), other) {
        pairs::tell(cx, finding, [&here, &there]);
    }
}

/// The lines around a quote, without the blanks at their ends; less where they are long.
fn lines_around(body: &str, at: &Range<usize>) -> Range<usize> {
    let from = body.get(..at.start).and_then(|before| before.rfind('\n'));
    let start = from.map_or(0, |line_end| line_end + 1);
    let line = body.get(start..at.start).unwrap_or_default();
    let start = at.start - line.trim_start().len();
    let behind = body.get(at.end..).unwrap_or_default();
    let line = behind.lines().next().unwrap_or_default();
    let lines = start..at.end + line.trim_end().len();
    match lines.len() <= LONGEST_EVIDENCE {
        true => lines,
        false => {
            let quoted = body.get(at.clone()).unwrap_or_default();
            at.start..at.start + cut(quoted, LONGEST_EVIDENCE).len()
        }
    }
}

#[cfg(test)]
mod tests;
