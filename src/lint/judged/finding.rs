//! Findings from the verdicts of models.

use std::ops::Range;

use super::{Judgement, Keep, PairVerdict, find_quote, masked_body};
use crate::lint::chars::{cut, quote};
use crate::lint::subject::Position;
use crate::lint::{Collector, Context, Finding, Fix, MarkedBy, Rule, pairs, succession};
use crate::memory::lines::Lines;
use crate::memory::{MemoryId, Severity};

/// Below this confidence of the model a finding is a suggestion.
const SURE: f64 = 0.5;

/// The confidence of a verdict that states none, which is a suggestion.
const UNSTATED: f64 = 0.75;

/// Longest line of evidence, in bytes.
pub(super) const LONGEST_EVIDENCE: usize = 400;

/// Reports the verdicts that hold under the rules that look.
pub(in crate::lint) fn finish(cx: &Context<'_>, rules: &[&dyn Rule], out: &mut Collector<'_>) {
    if cx.decisions.judged().pairs.is_empty() {
        return;
    }
    for [a, b] in cx.judged_pairs() {
        let Some(judgement) = cx.judgement(a, b) else {
            continue;
        };
        let verdict = Some(judgement.verdict);
        let rule = rules.iter().find(|rule| rule.verdict() == verdict);
        let (Some(rule), Some(one), Some(other)) = (rule, cx.memories.get(a), cx.memories.get(b))
        else {
            continue;
        };
        if !succession::decides(one, other) {
            let (mut finding, sides) = finding(cx, rule.id(), judgement, [a, b]);
            tell(cx, &mut finding, sides);
            out.push(finding);
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
    let written = |index: usize| memory(index).and_then(|memory| memory.written());
    let quotes = judgement.quotes.each_ref().map(String::as_str);
    let mut sides = [(a, quotes[0]), (b, quotes[1])];
    if written(b) >= written(a) {
        sides.reverse();
    }
    let [(here, _), (there, _)] = sides;
    let id = |index: usize| memory(index).map(|memory| &memory.id);
    let name = |index: usize| quote(&id(index).map(MemoryId::to_string).unwrap_or_default());
    let says = match judgement.verdict {
        PairVerdict::Contradiction => "Contradicts",
        PairVerdict::Duplicate | PairVerdict::Compatible => "Repeats",
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
    let confidence = judgement.confidence.unwrap_or(UNSTATED);
    let severity = Severity::of(judgement.confidence.is_some_and(|stated| stated >= SURE));
    let line = memory(here).map_or(1, |memory| memory.line);
    let is_duplicate = judgement.verdict == PairVerdict::Duplicate;
    // The memory that the model keeps stays, else the earlier one.
    let stays = kept.unwrap_or(there);
    let goes = if stays == here { there } else { here };
    let fix = is_duplicate.then(|| Fix::merge(cx.memories, stays, goes));
    let finding = Finding::of_pair((rule, severity), (here, line), vec![there])
        .sure(confidence)
        .says(message)
        .marked_by(match is_duplicate {
            true => MarkedBy::Place,
            false => MarkedBy::Statements,
        })
        .fixed_by(fix.flatten());
    (finding, sides)
}

/// Adds both quotes and their places.
fn tell(cx: &Context<'_>, finding: &mut Finding, sides: [Side<'_>; 2]) {
    let side = |(index, quoted): Side<'_>| {
        let memory = cx.memories.get(index)?;
        let text = cx.texts.text(memory)?;
        let (start, body) = masked_body(memory, &text);
        let at = find_quote(&body, quoted)?;
        let shown = lines_around(&body, &at);
        let lines = Lines::new(text.as_bytes());
        let bytes = start + at.start..start + at.end;
        Some(pairs::Side {
            text: body.get(shown.clone())?.to_owned(),
            marks: std::iter::once(at.start - shown.start..at.end.min(shown.end) - shown.start)
                .collect(),
            place: Position::of_bytes((&text, &lines), memory.line, bytes),
        })
    };
    if let [Some(here), Some(there)] = sides.map(side) {
        pairs::tell(cx, finding, [&here, &there]);
    }
}

/// The lines around a quote, without the blanks at their ends; less where they are long.
pub(super) fn lines_around(body: &str, at: &Range<usize>) -> Range<usize> {
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
