//! What a language model judged of pairs of memories: kept beside the answers of people, shown as
//! findings of `contradiction` and `near-duplicate`, and overruled by a person's answer.
//!
//! ```text
//! .memkeep/verdicts.jsonl   lines of a model; later lines win
//! {"verdict":"contradiction","ids":["rawko:a","rawko:b"],"texts":["91…","0c…"],
//!  "quotes":["10 connections","25 connections"],"why":"two sizes of one pool","keep":"b",
//!  "confidence":0.9,"by":"model:NAME","at":"2026-02-01T00:00:00Z"}
//! {"asked":["91…","0c…","5e…"],"by":"model:NAME","at":"2026-02-01T00:00:00Z"}
//! ```
//! A verdict holds while both texts are unchanged and both quotes stand in them. An `asked` line
//! lists the texts of one answered request, so that they are not sent again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::answers::fingerprint;
use super::chars::{cut, oddity, quote};
use super::place::Place;
use super::{Context, Finding, Fix, FixAction, Out, Rule, look, mask, superseded};
use crate::memory::golemcore::kin;
use crate::memory::lines::Lines;
use crate::memory::{Memory, MemoryId, Severity, State};

/// The rules that say nothing of a pair that was judged.
const SETTLED: [&str; 3] = ["contradiction", "near-duplicate", "contained"];

/// Below this confidence of the model a finding is a suggestion.
const SURE: f64 = 0.5;

/// The confidence of a verdict that states none.
const USUAL: f64 = 0.9;

/// Longest reason that is kept, in bytes.
const LONGEST_WHY: usize = 300;

/// Longest line of evidence, in bytes.
const LONGEST_EVIDENCE: usize = 400;

/// Characters of the fingerprint of a text that was sent.
const SENT: usize = 16;

/// What a model says of two memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They cannot both be right.
    Contradiction,
    /// They say the same.
    Duplicate,
    /// Both can stay as they are.
    Compatible,
}

impl Verdict {
    /// The rule under which it is reported.
    const fn rule(self) -> Option<&'static str> {
        match self {
            Self::Contradiction => Some("contradiction"),
            Self::Duplicate => Some("near-duplicate"),
            Self::Compatible => None,
        }
    }
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
    pub verdict: Verdict,
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
    /// The same with the ids in order and a reason of one short line.
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

/// A line of the file.
fn to_line(line: &impl Serialize) -> String {
    // Nothing in it can fail to be written.
    let mut line = serde_json::to_string(line).unwrap_or_default();
    line.push('\n');
    line
}

/// The lines that remember answered requests.
pub fn lines(judgements: &[Judgement], asked: &[Asked]) -> String {
    let judged = judgements.iter().map(to_line);
    judged.chain(asked.iter().map(to_line)).collect()
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
    /// Nothing was judged.
    pub(super) const NONE: Self = Self {
        pairs: BTreeMap::new(),
        asked: Vec::new(),
    };

    /// Takes a line of the file in; false where it is no line of a model.
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

    /// Whether this verdict is known already.
    pub fn knows(&self, new: &Judgement) -> bool {
        let known = self.pairs.get(&new.ids);
        known.is_some_and(|known| {
            (known.verdict, &known.texts, &known.quotes, &known.by)
                == (new.verdict, &new.texts, &new.quotes, &new.by)
        })
    }

    /// The answered requests to a model: the fingerprints of their texts.
    pub fn asked<'a>(&'a self, by: &'a str) -> impl Iterator<Item = &'a [String]> {
        let own = self.asked.iter().filter(move |one| one.by == by);
        own.map(|one| one.asked.as_slice())
    }
}

/// The fingerprint of a text as `asked` lines list it.
pub fn sent(memory: &Memory, text: &str) -> String {
    cut(&text_print(memory, text), SENT).to_owned()
}

/// The fingerprint of a memory's body.
pub fn text_print(memory: &Memory, text: &str) -> String {
    fingerprint(SETTLED[0], memory, text)
}

/// Where a memory's body begins in its text, and the body with its secrets masked, as long in bytes
/// as before.
pub fn masked_body(memory: &Memory, text: &str) -> (usize, String) {
    let range = look::body_range(memory, text);
    let masked = mask(text);
    let body = masked.get(range.clone()).unwrap_or_default();
    (range.start, body.to_owned())
}

/// Whether a character counts for nothing where a quote is compared with a text.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || oddity(c).is_some()
}

/// Where a quote stands in a text, blanks and invisible characters aside.
pub fn find_quote(text: &str, quoted: &str) -> Option<Range<usize>> {
    let wanted: String = quoted.chars().filter(|c| !is_blank(*c)).collect();
    if !wanted.contains(char::is_alphanumeric) {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices().filter(|(_, c)| !is_blank(*c)) {
        plain.push(c);
        places.extend(std::iter::repeat_n(at, c.len_utf8()));
    }
    let at = plain.find(&wanted)?;
    let last = *places.get(at + wanted.len() - 1)?;
    let width = text.get(last..)?.chars().next()?.len_utf8();
    Some(*places.get(at)?..last + width)
}

impl Context<'_> {
    /// The verdict of a model on two active memories, by their indices; none where a text changed
    /// since, a quote does not stand in it, or a person answered.
    pub(super) fn judgement(&self, a: usize, b: usize) -> Option<&Judgement> {
        let judged = self.answers.judged();
        if judged.pairs.is_empty() || SETTLED.iter().any(|rule| self.decided(rule, a, b)) {
            return None;
        }
        let side = |index: usize| {
            let memory = self.memories.get(index)?;
            let text = self.texts.text(memory)?;
            let print = text_print(memory, &text);
            Some((memory.id.to_string(), print, memory, text))
        };
        let mut sides = [side(a)?, side(b)?];
        sides.sort_by(|a, b| a.0.cmp(&b.0));
        let ids = sides.each_ref().map(|side| side.0.clone());
        let [one, other] = sides.each_ref().map(|side| side.1.as_str());
        let is_of = |found: &&Judgement| found.texts == [one, other];
        let found = match judged.pairs.get(&ids) {
            Some(known) => Some(known).filter(is_of),
            // A memory under another name is known by its text.
            None => judged.pairs.values().find(|found| {
                let [x, y] = &found.texts;
                is_of(found) || (x == other && y == one)
            }),
        }?;
        let stands = |(print, quoted): (&String, &String)| {
            let side = sides.iter().find(|side| side.1 == *print);
            side.is_some_and(|(_, _, memory, text)| {
                find_quote(&masked_body(memory, text).1, quoted).is_some()
            })
        };
        let mut quotes = found.texts.iter().zip(&found.quotes);
        quotes.all(stands).then_some(found)
    }

    /// Whether a model's verdict answers what a rule would say of two memories.
    pub(super) fn is_judged(&self, rule: &str, a: usize, b: usize) -> bool {
        SETTLED.contains(&rule) && self.judgement(a, b).is_some()
    }

    /// The pairs that were judged and are active, by their indices.
    fn judged_pairs(&self) -> Vec<[usize; 2]> {
        let judged = self.answers.judged();
        let named: HashSet<&str> = judged.pairs.keys().flatten().map(String::as_str).collect();
        let in_use =
            |memory: &Memory| memory.state == State::Active && !memory.is_expired(self.now);
        let all = || {
            let all = self.memories.iter().enumerate();
            all.filter(|(_, memory)| in_use(memory))
        };
        let mut by_id: HashMap<String, usize> = HashMap::new();
        for (index, memory) in all() {
            let id = memory.id.to_string();
            if named.contains(id.as_str()) {
                by_id.insert(id, index);
            }
        }
        // A memory under another name is known by its text.
        let mut by_text: HashMap<String, usize> = HashMap::new();
        if by_id.len() < named.len() {
            let all: Vec<_> = all().collect();
            let print = |(index, memory): &(usize, &std::sync::Arc<Memory>)| {
                let text = self.texts.text(memory)?;
                Some((text_print(memory, &text), *index))
            };
            by_text = all.par_iter().filter_map(print).collect();
        }
        let side = |one: &Judgement, side: usize| {
            let own = by_id.get(one.ids.get(side)?);
            own.or_else(|| by_text.get(one.texts.get(side)?)).copied()
        };
        let pair = |one: &Judgement| Some([side(one, 0)?, side(one, 1)?]);
        let pairs = judged.pairs.values().filter_map(pair);
        pairs.filter(|[a, b]| a != b).collect()
    }
}

/// Reports the verdicts that hold under the rules that look.
pub(super) fn finish(cx: &Context<'_>, rules: &[&dyn Rule], out: &mut Out<'_, '_>) {
    if cx.answers.judged().pairs.is_empty() {
        return;
    }
    for [a, b] in cx.judged_pairs() {
        let Some(judgement) = cx.judgement(a, b) else {
            continue;
        };
        let rule = judgement.verdict.rule();
        let rule = rule.filter(|id| rules.iter().any(|rule| rule.id() == *id));
        let (Some(rule), Some(one), Some(other)) = (rule, cx.memories.get(a), cx.memories.get(b))
        else {
            continue;
        };
        if !superseded::decides(one, other) {
            let (finding, sides) = finding(cx, rule, judgement, [a, b]);
            out.told(finding, |finding| tell(cx, finding, sides));
        }
    }
}

/// A side of a finding: the index of the memory and its quote.
type Side<'j> = (usize, &'j str);

/// The finding of a verdict, without its evidence: the later of the two memories is where it stands.
fn finding<'j>(
    cx: &Context<'_>,
    rule: &'static str,
    judgement: &'j Judgement,
    [a, b]: [usize; 2],
) -> (Finding, [Side<'j>; 2]) {
    let memory = |index: usize| cx.memories.get(index);
    let written = |index: usize| {
        let memory = memory(index)?;
        memory.updated.or(memory.created).map(|time| time.0)
    };
    let quotes = judgement.quotes.each_ref().map(String::as_str);
    let mut sides = [(a, quotes[0]), (b, quotes[1])];
    if written(b) >= written(a) {
        sides.reverse();
    }
    let [(here, _), (there, _)] = sides;
    let id = |index: usize| memory(index).map(|memory| &memory.id);
    let name = |index: usize| quote(&id(index).map(MemoryId::to_string).unwrap_or_default());
    let says = match judgement.verdict {
        Verdict::Contradiction => "contradicts",
        Verdict::Duplicate | Verdict::Compatible => "repeats",
    };
    let mut message = format!("{says} {}, judged by {}", name(there), judgement.judge());
    if !judgement.why.is_empty() {
        message += &format!(": {}", judgement.why.trim_end_matches('.'));
    }
    let kept = match judgement.keep {
        Some(Keep::A) => Some(a),
        Some(Keep::B) => Some(b),
        Some(Keep::Both) | None => None,
    };
    if let Some(kept) = kept {
        message += &format!(" (keep {})", name(kept));
    }
    let confidence = judgement.confidence.unwrap_or(USUAL);
    let finding = Finding {
        rule,
        severity: match confidence >= SURE {
            true => Severity::Warning,
            false => Severity::Info,
        },
        confidence,
        memory: here,
        line: memory(here).map_or(1, |memory| memory.line),
        column: 1,
        place: None,
        message,
        evidence: Vec::new(),
        marks: Vec::new(),
        related: vec![there],
        there: None,
        fix: (judgement.verdict == Verdict::Duplicate)
            .then(|| merge(cx, kept, [here, there]))
            .flatten(),
    };
    (finding, sides)
}

/// The fix that merges two memories into the one that the model keeps, else the earlier one. What
/// lasts is not put aside for what does not.
fn merge(cx: &Context<'_>, kept: Option<usize>, [later, earlier]: [usize; 2]) -> Option<Fix> {
    let (mut stays, mut goes) = match kept == Some(later) {
        true => (later, earlier),
        false => (earlier, later),
    };
    if kin::outlasts(cx.memories.get(goes)?, cx.memories.get(stays)?) {
        std::mem::swap(&mut stays, &mut goes);
    }
    let (keep, with) = (cx.memories.get(stays)?, cx.memories.get(goes)?);
    (keep.schema.format == with.schema.format).then(|| Fix {
        title: format!("merge it into {}", keep.id),
        memory: stays,
        action: FixAction::Merge(with.id.clone()),
        safe: false,
    })
}

/// Adds both quotes and their places.
fn tell(cx: &Context<'_>, finding: &mut Finding, sides: [Side<'_>; 2]) {
    for (n, (index, quoted)) in sides.into_iter().enumerate() {
        let Some(memory) = cx.memories.get(index) else {
            continue;
        };
        let text = cx.texts.text(memory).unwrap_or_default();
        let (start, body) = masked_body(memory, &text);
        let Some(at) = find_quote(&body, quoted) else {
            continue;
        };
        let shown = lines_around(&body, &at);
        let evidence = body.get(shown.clone()).unwrap_or_default();
        let end = at.end.min(shown.end);
        finding.show(
            evidence.replace(['\n', '\r'], " "),
            std::iter::once(at.start - shown.start..end - shown.start),
        );
        let bytes = start + at.start..start + at.end;
        let lines = Lines::new(text.as_bytes());
        let place = Place::of_bytes((&text, &lines), memory.line, bytes.clone());
        let in_file = cx.texts.places(memory, &[bytes.start]);
        let in_file = in_file.and_then(|places| places.first().copied());
        let place = in_file.unwrap_or((place.line, place.column));
        match n {
            0 => {
                (finding.line, finding.column) = place;
                finding.place = Some(bytes);
            }
            _ => finding.there = Some(place),
        }
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
mod tests {
    use super::*;
    use crate::lint::Selection;
    use crate::lint::answers::{Answer, Answers, Resolution};
    use crate::lint::run;
    use crate::lint::tests::{NOW, Store, memory};

    #[test]
    fn quotes_are_found_blanks_aside() {
        for (text, quoted, found) in [
            (
                "The pool\n  holds 10.",
                "pool holds 10",
                Some("pool\n  holds 10"),
            ),
            ("a\u{200b}b ü", "ab ü", Some("a\u{200b}b ü")),
            ("The pool holds 10.", "the pool", None),
            ("The pool holds 10.", " ", None),
            ("The pool holds 10.", "…", None),
            ("", "x", None),
        ] {
            let range = find_quote(text, quoted);
            assert_eq!(range.map(|range| &text[range]), found, "{quoted}");
        }
    }

    #[test]
    fn the_line_of_a_quote_is_shown_where_it_is_short() {
        let long = "x".repeat(LONGEST_EVIDENCE);
        for (body, quoted, shown) in [
            (
                "one\n  - two three \nfour",
                "three",
                "- two three".to_owned(),
            ),
            ("one", "one", "one".to_owned()),
            (&format!("{long} two"), "two", "two".to_owned()),
            (&format!("{long}y"), &format!("{long}y"), long.clone()),
        ] {
            let at = find_quote(body, quoted).unwrap();
            assert_eq!(body[lines_around(body, &at)], shown);
        }
    }

    /// Two memories that rules find nothing in.
    fn store() -> Store {
        Store::new(vec![
            memory("a").front("", "Every dump is kept for a month."),
            memory("b").front("", "We throw old dumps away each Sunday."),
        ])
    }

    fn line(store: &Store, verdict: &str, more: &str) -> String {
        let cx = store.cx();
        let print = |index: usize| {
            let memory = &cx.memories[index];
            text_print(memory, &cx.texts.text(memory).unwrap())
        };
        let (a, b) = (print(0), print(1));
        format!(
            "{{\"verdict\":\"{verdict}\",\"ids\":[\"rawko:a\",\"rawko:b\"],\
             \"texts\":[\"{a}\",\"{b}\"],\"quotes\":[\"kept for a month\",\
             \"throw old dumps away\"],\"why\":\"a month or a week\",\"by\":\"model:m\"{more}}}\n"
        )
    }

    fn found(store: &mut Store, lines: &str) -> Vec<Finding> {
        store.answers = Answers::parse(lines);
        let rules = Selection::of(&SETTLED).unwrap();
        run(&store.cx(), &rules)
    }

    #[test]
    fn a_verdict_makes_a_finding_with_both_quotes_marked() {
        let mut store = store();
        let line = line(
            &store,
            "contradiction",
            ",\"keep\":\"a\",\"confidence\":0.8",
        );
        let found = found(&mut store, &line);
        let [finding] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(
            finding.message,
            "contradicts `rawko:a`, judged by m: a month or a week (keep `rawko:a`)"
        );
        assert_eq!(finding.shown(0), "We ‹throw old dumps away› each Sunday.");
        assert_eq!(finding.shown(1), "Every dump is ‹kept for a month›.");
        assert_eq!(
            (finding.rule, finding.severity),
            ("contradiction", Severity::Warning)
        );
        assert!(finding.asks() && finding.there.is_some() && finding.column > 1);
    }

    #[test]
    fn the_rule_severity_and_fix_follow_from_the_verdict() {
        for (verdict, more, expected) in [
            (
                "contradiction",
                ",\"confidence\":0.2",
                Some(("contradiction", Severity::Info, false)),
            ),
            (
                "contradiction",
                ",\"confidence\":7",
                Some(("contradiction", Severity::Warning, false)),
            ),
            (
                "duplicate",
                "",
                Some(("near-duplicate", Severity::Warning, true)),
            ),
            ("compatible", "", None),
        ] {
            let mut store = store();
            let line = line(&store, verdict, more);
            let found = found(&mut store, &line);
            let told = found
                .first()
                .map(|one| (one.rule, one.severity, one.fix.is_some()));
            assert_eq!(told, expected, "{verdict}{more}");
        }
    }

    /// A changed text, a quote that does not stand, and a person's answer each end a verdict.
    #[test]
    fn a_verdict_holds_until_a_text_changes_or_a_person_answers() {
        let mut store = store();
        let line = line(&store, "contradiction", "");
        assert_eq!(found(&mut store, &line).len(), 1);
        let moved = line.replace("kept for a month", "kept for a year");
        assert_eq!(found(&mut store, &moved), []);
        let compatible = line.replace("\"contradiction\"", "\"compatible\"");
        assert_eq!(found(&mut store, &(line.clone() + &compatible)), []);
        let cx = store.cx();
        let print = |index: usize| {
            let memory = &cx.memories[index];
            let text = cx.texts.text(memory).unwrap();
            (memory.id.clone(), text_print(memory, &text))
        };
        let (a, b) = (print(0), print(1));
        let answer = Answer::new(SETTLED[0], (&a.0, a.1), (&b.0, b.1), Resolution::Both);
        let answer = answer.said(NOW, Some("Ada".into())).to_line();
        assert_eq!(found(&mut store, &(answer + &line)), []);
        let mut other = Store::new(vec![
            memory("a").front("", "Every dump is kept for a month or two."),
            memory("b").front("", "We throw old dumps away each Sunday."),
        ]);
        assert_eq!(found(&mut other, &line), []);
        let mut renamed = Store::new(vec![
            memory("b").front("", "We throw old dumps away each Sunday."),
            memory("c").front("", "Every dump is kept for a month."),
        ]);
        assert_eq!(found(&mut renamed, &line).len(), 1);
    }

    #[test]
    fn a_verdict_lifts_and_drops_what_rules_find() {
        let mut store = Store::new(vec![
            memory("a").front("", "The pool holds 10 connections in production."),
            memory("b").front("", "The pool holds 25 connections in production."),
        ]);
        let by_rules = found(&mut store, "");
        assert!(
            by_rules
                .iter()
                .any(|one| one.message.contains("says otherwise"))
        );
        let line = line(&store, "contradiction", "")
            .replace("kept for a month", "10 connections")
            .replace("throw old dumps away", "25 connections");
        let judged = found(&mut store, &line);
        assert_eq!(judged.len(), 1);
        assert!(judged[0].message.contains("judged by m"));
        let compatible = line.replace("\"contradiction\"", "\"compatible\"");
        assert_eq!(found(&mut store, &compatible), []);
    }
}
