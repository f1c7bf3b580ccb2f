//! Verdicts of a language model on pairs of memories: kept beside the decisions of people, shown as
//! findings of `contradiction` and `near-duplicate`, and overruled by a person's answer. Finds their
//! quotes in texts.
//!
//! A verdict holds while both texts are unchanged and both quotes stand in them. An `asked` line
//! lists the texts of one answered request, so that they are not sent again.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::chars::{cut, oddity, quote};
pub use super::fingerprint::{document_print, fingerprint, text_print};
use super::repository::Document;
use super::subject::{self, Position};
use super::{Collector, Context, Finding, Fix, RULES, Rule, Trait, mask, pairs, succession};
use crate::memory::lines::Lines;
use crate::memory::{Memory, Severity, State};
use crate::text::tokens::tokens;

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
    /// A model's verdict on two texts, by their ids and fingerprints.
    fn verdict(&self, mut sides: [(String, String); 2]) -> Option<&Judgement> {
        sides.sort();
        let [(one, one_text), (other, other_text)] = sides;
        let found = self.decisions.judged.pairs.get(&[one, other])?;
        (found.texts == [one_text, other_text]).then_some(found)
    }

    /// A model's verdict on two memories; none if a text changed or a person answered.
    pub(super) fn judgement(&self, a: usize, b: usize) -> Option<&Judgement> {
        let mut compares = RULES.iter().filter(|rule| rule.has(Trait::Compares));
        let is_none = self.decisions.judged.pairs.is_empty();
        if is_none || compares.any(|rule| self.decided(rule.id, a, b)) {
            return None;
        }
        self.verdict([self.side("", a)?, self.side("", b)?])
    }

    pub(super) fn is_judged_with(&self, memory: usize, document: &Document) -> bool {
        let Document { path, text } = document;
        let mut pairs = self.decisions.judged.pairs.keys();
        let verdict = |own| self.verdict([own, (path.clone(), document_print(text))]);
        pairs.any(|ids| ids.contains(path)) && self.side("", memory).and_then(verdict).is_some()
    }
}

/// Below this confidence of the model a finding is a suggestion.
const SURE: f64 = 0.5;

/// The confidence of a verdict that states none, which is a suggestion.
const UNSTATED: f64 = 0.75;

/// Longest line of evidence, in bytes.
const LONGEST_EVIDENCE: usize = 400;

pub(super) fn finish(cx: &Context<'_>, rules: &[&Rule], out: &mut Collector<'_>) {
    let judged = &cx.decisions.judged.pairs;
    if judged.is_empty() {
        return;
    }
    let in_use = |memory: &Memory| memory.state == State::Active && !memory.is_expired(cx.now);
    let all = (0..).zip(cx.memories.iter());
    let all = all.filter(|(_, memory)| in_use(memory));
    let by_id = all.map(|(index, memory)| (memory.id.to_string(), index));
    let by_id: HashMap<String, usize> = by_id.collect();
    let documents = LazyCell::new(|| super::repository::context(cx));
    for one in judged.values() {
        let rule = rules.iter().find(|rule| rule.verdict == Some(one.verdict));
        let Some(rule) = rule else { continue };
        let parties = one.ids.each_ref().map(|id| by_id.get(id).copied());
        let document = match parties {
            [Some(a), Some(b)] => {
                let both = cx.memories.get(a).zip(cx.memories.get(b));
                let is_open = both.is_some_and(|(a, b)| !succession::decides(a, b));
                if a == b || !is_open || cx.judgement(a, b).is_none() {
                    continue;
                }
                None
            }
            [Some(own), None] | [None, Some(own)] => {
                let mut all = documents.iter().filter(|of| one.ids.contains(&of.path));
                let found = all.find(|of| cx.is_judged_with(own, of));
                if found.is_none() {
                    continue;
                }
                found
            }
            [None, None] => continue,
        };
        out.push(finding(cx, (rule.id, one), parties, document));
    }
}

/// A side of a finding: the index of the memory, if it is none of a document, its quote and its id.
type Side<'j> = (Option<usize>, &'j str, &'j str);

/// The finding of a verdict: the later of the two memories is where it stands.
fn finding(
    cx: &Context<'_>,
    (rule, judgement): (&'static str, &Judgement),
    [a, b]: [Option<usize>; 2],
    document: Option<&Document>,
) -> Finding {
    let memory = |index: Option<usize>| cx.memories.get(index?);
    let written = |index| memory(index).and_then(|memory| memory.written());
    let quotes = judgement.quotes.each_ref().map(String::as_str);
    let ids = judgement.ids.each_ref().map(String::as_str);
    let mut sides = [(a, quotes[0], ids[0]), (b, quotes[1], ids[1])];
    if a.is_none() || b.is_some() && written(b) >= written(a) {
        sides.reverse();
    }
    let [(here, ..), (there, _, other)] = sides;
    let repeats = judgement.verdict == PairVerdict::Duplicate;
    let says = if repeats { "Repeats" } else { "Contradicts" };
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
    // The memory that the model keeps stays, else the earlier one. A document is never changed.
    let stays = kept.map_or(there, |(kept, _)| kept);
    let goes = if stays == here { there } else { here };
    let fix = stays.zip(goes).filter(|_| repeats);
    let severity = Severity::of(judgement.confidence.is_some_and(|stated| stated >= SURE));
    let line = memory(here).map_or(1, |memory| memory.line);
    let mut finding = Finding::new(rule, severity, here.unwrap_or_default(), line)
        .beside(there)
        .sure(judgement.confidence.unwrap_or(UNSTATED))
        .says(message)
        .fixed_by(fix.and_then(|(stays, goes)| Fix::merge(cx.memories, stays, goes)));
    finding.source = document.map(|document| document.path.clone());
    if let [Some(here), Some(there)] = sides.map(|side| quoted(cx, side, document)) {
        pairs::tell(&mut finding, [&here, &there]);
    }
    finding
}

/// A quote and its place in a memory, or else in a document.
fn quoted(
    cx: &Context<'_>,
    (index, quoted, _): Side<'_>,
    document: Option<&Document>,
) -> Option<pairs::Side> {
    let (text, (start, body), line) = match index {
        Some(index) => {
            let memory = cx.memories.get(index)?;
            let text = cx.texts.text(memory)?;
            let body = masked_body(memory, &text);
            (text, body, memory.line)
        }
        None => {
            let text = &document?.text;
            (text.clone(), (0, mask(text).into_owned()), 1)
        }
    };
    let at = Quotable::new(&body).find(quoted)?;
    let shown = lines_around(&body, &at);
    let lines = (&*text, &Lines::new(text.as_bytes()));
    let marks = at.start - shown.start..at.end.min(shown.end) - shown.start;
    let side = pairs::Side {
        text: body.get(shown)?.to_owned(),
        marks: vec![marks],
        place: Position::of_bytes(lines, line, start + at.start..start + at.end),
    };
    Some(match document.filter(|_| index.is_none()) {
        Some(document) => side.behind(&format!("{}:", document.path)),
        None => side,
    })
}

/// The lines around a quote, without the blanks at their ends; less where they are long.
fn lines_around(body: &str, at: &Range<usize>) -> Range<usize> {
    let before = body.get(..at.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |line_end| line_end + 1);
    let behind = body.get(at.end..).unwrap_or_default();
    let end = at.end + behind.find('\n').unwrap_or(behind.len());
    let lines = body.get(start..end).unwrap_or_default();
    let start = end - lines.trim_start().len();
    let lines = start..start + lines.trim().len();
    if lines.len() <= LONGEST_EVIDENCE {
        return lines;
    }
    let quoted = body.get(at.clone()).unwrap_or_default();
    at.start..at.start + cut(quoted, LONGEST_EVIDENCE).len()
}

/// The characters that count when quotes are compared: in one case, no blanks and no marks.
fn telling(text: &str) -> impl Iterator<Item = (usize, char)> {
    let is_mark = |c: char| "\"'`´“”„‘’‚«»‹›*_".contains(c);
    let all = text.char_indices();
    let all = all.filter(move |(_, c)| !c.is_whitespace() && !is_mark(*c) && oddity(*c).is_none());
    all.map(|(at, c)| match c {
        '‐'..='―' | '−' => (at, '-'),
        _ => (at, c.to_lowercase().next().unwrap_or(c)),
    })
}

/// The least that a quote needs to show something: so many words, or so many characters.
const SHORTEST: (usize, usize) = (3, 12);

/// Punctuation that a model may add at the end of a quote. The text need not have it.
const STOPS: [char; 7] = ['.', ',', ';', ':', '!', '[', '('];

/// A text in which quotes are looked up.
pub struct Quotable<'t> {
    text: &'t str,
    plain: String,
    /// The place in the text of each byte of `plain`.
    places: Vec<usize>,
}

impl<'t> Quotable<'t> {
    /// Prepares a text.
    pub fn new(text: &'t str) -> Self {
        let (mut plain, mut places) = (String::with_capacity(text.len()), Vec::new());
        for (at, c) in telling(text) {
            plain.push(c);
            places.extend(std::iter::repeat_n(at, c.len_utf8()));
        }
        Self {
            text,
            plain,
            places,
        }
    }

    /// Finds a quote; of one with an ellipsis all parts, of which the longest is given. One of less
    /// than a few words counts only where it is all of the text.
    pub fn find(&self, quoted: &str) -> Option<Range<usize>> {
        let (mut from, mut best) = (0, 0..0);
        for part in quoted.replace("...", "…").split('…') {
            let part: String = telling(part).map(|(_, c)| c).collect();
            let part = part.trim_start_matches([']', ')']).trim_end_matches(STOPS);
            if part.contains(char::is_alphanumeric) {
                let at = from + self.plain.get(from..)?.find(part)?;
                from = at + part.len();
                best = [best, at..from].into_iter().max_by_key(Range::len)?;
            }
        }
        let last = *self.places.get(best.end.checked_sub(1)?)?;
        let width = self.text.get(last..)?.chars().next()?.len_utf8();
        let found = *self.places.get(best.start)?..last + width;
        let (words, characters) = SHORTEST;
        let is_short = self.plain.get(best.clone())?.chars().count() < characters
            && tokens(self.text.get(found.clone())?).len() < words;
        let is_all = best.start == 0 && best.end >= self.plain.trim_end_matches(STOPS).len();
        (!is_short || is_all).then_some(found)
    }
}

#[cfg(test)]
mod tests;
