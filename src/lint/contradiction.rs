//! Memories that cannot both be right.

use std::ops::Range;

use super::chars::quote;
use super::pairs::statement::sentences;
use super::pairs::{Side, Slot, denied, denies_itself, table};
use super::{Context, Facts, Finding, Look, Out, Rule};
use crate::memory::{Memory, Severity};

/// Two memories say different things of the same.
pub(super) struct Contradiction;

/// Below this certainty it is a suggestion.
const SURE: f64 = 0.8;

/// What stands above a part that was put behind the rest.
const UPDATE: &str = "\n## Update (";

/// Contradictions of two memories that are shown; more say that one replaced the other.
const SHOWN: usize = 3;

impl Rule for Contradiction {
    fn id(&self) -> &'static str {
        "contradiction"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "two memories say different things of the same"
    }

    fn compares(&self) -> bool {
        true
    }

    /// A document of the project is no memory: what it says stands against one at a time.
    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        out.extend(super::repeats::contradicted(look));
        out.extend(updated(look));
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Out<'_, '_>) {
        if let Some(unread) = cx.answers.unread() {
            facts.note(self.id(), unread);
        }
        for found in facts.pairs.found(cx) {
            let (Some(a), Some(b)) = (cx.memories.get(found.a), cx.memories.get(found.b)) else {
                continue;
            };
            // Which of them holds has been said already, by one of them or by a person.
            let answered = !found.conflicts.is_empty() && cx.answered(self.id(), found.a, found.b);
            if answered || super::superseded::decides(a, b) {
                continue;
            }
            // The later of the two is where the contradiction came in.
            let later = written(b) >= written(a);
            let (memory, other) = match later {
                true => (found.b, found.a),
                false => (found.a, found.b),
            };
            for (n, conflict) in found.conflicts.iter().take(SHOWN).enumerate() {
                out.told(
                    finding(self.id(), memory, other, conflict.slot),
                    |finding| {
                        let name = cx.memories.get(other).map(|memory| memory.id.to_string());
                        let name = quote(&name.unwrap_or_default());
                        if let Some(sides) = facts.pairs.sides(cx, found, n) {
                            let [a, b] = &*sides;
                            tell(cx, finding, if later { [b, a] } else { [a, b] });
                        }
                        finding.message = conflict.slot.against(&name) + &differing(finding);
                    },
                );
            }
        }
    }
}

/// A part that was put behind the rest of a memory, as a merge does, or a paragraph behind another
/// one, that says otherwise.
fn updated(look: &Look<'_>) -> Option<Finding> {
    let (start, body) = look.body();
    let mut parts = body.match_indices(UPDATE).map(|(at, _)| at);
    let update = parts.find_map(|at| {
        let (before, part) = body.split_at(at);
        let (slot, [(here, marks), there]) = denied(part, before, 0..before.len())?;
        Some((slot, [(at + here.start..at + here.end, marks), there]))
    });
    let within = || {
        openings(body)
            .iter()
            .find_map(|section| denies_itself(body, section))
    };
    let (slot, sides) = update.or_else(within)?;
    let [(here, marks), (there, marks_there)] =
        sides.map(|(bytes, marks)| (start + bytes.start..start + bytes.end, marks));
    let in_file = look.cx.texts.places(look.memory, &[there.start]);
    let in_file = in_file.and_then(|places| places.first().copied());
    let line = in_file.map_or_else(|| look.at(there.start).line, |(line, _)| line);
    let finding = look.finding("contradiction", Severity::Warning, look.at(here.start));
    let mut finding = finding
        .about(here.clone())
        .sure(slot.confidence())
        .says(slot.against(&format!("line {line}")));
    let masked = super::mask(look.text);
    for (bytes, marks) in [(here, marks), (there, marks_there)] {
        let text = masked.get(bytes).unwrap_or_default();
        finding.show(text.replace(['\n', '\r'], " "), marks);
    }
    finding.message += &differing(&finding);
    Some(finding)
}

/// The two words that differ, where each side has one and both are short: `: 10 and 15`.
pub(super) fn differing(finding: &Finding) -> String {
    const LONGEST: usize = 24;
    let word = |(piece, bytes): &(usize, Range<usize>)| {
        let text = finding.evidence.get(*piece)?.get(bytes.clone())?.trim();
        (!text.is_empty() && text.len() <= LONGEST).then_some(text)
    };
    match finding.marks.as_slice() {
        [here, there] if (here.0, there.0) == (0, 1) => match (word(here), word(there)) {
            (Some(here), Some(there)) => format!(": {here} and {there}"),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// The opening sentences of the paragraphs below each heading, where there are several that speak
/// of one thing: what a label stands above holds there, and a later sentence of a paragraph holds
/// as the ones before it tell.
fn openings(body: &str) -> Vec<Vec<Range<usize>>> {
    let mut sections: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    let (mut labelled, mut announced) = (false, false);
    for (part, block) in blocks(body) {
        let Some(section) = sections.last_mut() else {
            break;
        };
        let text = body.get(block.clone()).unwrap_or_default();
        // What a line with a colon announces is a list, or one of several things.
        let told = std::mem::replace(&mut announced, false);
        labelled |= told && part != Part::Listing;
        match part {
            Part::Heading => {
                sections.push(Vec::new());
                labelled = false;
            }
            Part::Label => labelled = true,
            Part::Announcement => announced = true,
            Part::Prose if !labelled => {
                let first = sentences(text).into_iter().next();
                section.extend(first.map(|at| block.start + at.start..block.start + at.end));
            }
            Part::Prose | Part::Listing => {}
        }
    }
    sections.retain(|section| section.len() > 1);
    sections
}

/// What a run of lines is to those below it.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Heading,
    Label,
    Announcement,
    Prose,
    /// A list, a table, a block of code: it is about itself.
    Listing,
}

/// The runs of lines between blank ones, and what each is.
fn blocks(body: &str) -> Vec<(Part, Range<usize>)> {
    let mut found = Vec::new();
    let (mut fence, mut at, mut open) = (None, 0, 0..0);
    let close = |open: &mut Range<usize>, end: usize, found: &mut Vec<_>| {
        let lines = body.get(open.clone()).unwrap_or_default();
        if !lines.trim().is_empty() {
            found.push((part(lines), open.clone()));
        }
        *open = end..end;
    };
    for line in body.split_inclusive('\n') {
        let (start, was) = (at, fence);
        at += line.len();
        fence = super::body::step(fence, line);
        let heading = line.starts_with('#');
        if was.is_some() || fence.is_some() {
            close(&mut open, at, &mut found);
            found.push((Part::Listing, start..at));
        } else if heading || line.trim().is_empty() {
            close(&mut open, at, &mut found);
            if heading {
                found.push((Part::Heading, start..at));
            }
        } else {
            open.end = at;
        }
    }
    close(&mut open, at, &mut found);
    found
}

/// What these lines are, none of them blank. Where it is not sure that they are whole sentences
/// they are a label, above which nothing is compared with what stands below.
fn part(lines: &str) -> Part {
    /// Columns below which nobody breaks lines.
    const NARROWEST: usize = 40;
    /// Words of a label that ends with a full stop all the same.
    const LABEL: usize = 2;
    let all: Vec<&str> = lines.lines().map(str::trim_end).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return Part::Listing;
    };
    let language = |line: &str| line.starts_with(|c: char| c.is_alphanumeric() || c == '`');
    let item = |line: &str| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.starts_with(['-', '*', '+', '|', '>', '<', '•']) && !line.starts_with("**")
            || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
    };
    let stops = |line: &str| {
        let bare = line.trim_end_matches(['*', '_', '`', ')', '"']);
        bare.ends_with(['.', '!', '?', '。'])
    };
    let marks = ['*', '_'];
    let marked = last.ends_with(marks) && first.starts_with(marks);
    let short = |line: &&str| !stops(line) && line.chars().count() < NARROWEST;
    let broken = all.iter().take(all.len() - 1).any(short);
    match all.as_slice() {
        _ if last.ends_with([':', '：']) => Part::Announcement,
        [one] if !one.contains(char::is_alphanumeric) => Part::Listing,
        [first, ..] if first.starts_with(['|', '<']) => Part::Listing,
        [first, next, ..] if first.ends_with([':', '：']) && item(next) => Part::Listing,
        [one] if marked || !stops(one) => Part::Label,
        [one] if one.split_whitespace().count() <= LABEL => Part::Label,
        [first, ..] if item(first) => Part::Listing,
        _ if !stops(last) || broken => Part::Label,
        _ if tells(lines) => Part::Label,
        _ if all.iter().all(|line| language(line)) => Part::Prose,
        _ => Part::Listing,
    }
}

/// Whether a paragraph tells what was done and when, so that what stands below it may have come of
/// that: `Then we added an index.`
fn tells(lines: &str) -> bool {
    let lower = lines.to_lowercase();
    sentences(&lower).into_iter().any(|at| {
        let words = lower.get(at).unwrap_or_default();
        let words = words.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let done = words.windows(2).any(
            |two| matches!(two, [who, did] if table::NARRATORS.has(who) && table::is_past(did)),
        );
        done || words.first().is_some_and(|word| table::TURNS.has(word))
    })
}

fn written(memory: &Memory) -> Option<i64> {
    memory.updated.or(memory.created).map(|time| time.0)
}

fn finding(rule: &'static str, memory: usize, other: usize, slot: Slot) -> Finding {
    let confidence = slot.confidence();
    let severity = if confidence >= SURE {
        Severity::Warning
    } else {
        Severity::Info
    };
    Finding {
        rule,
        severity,
        confidence,
        memory,
        line: 1,
        column: 1,
        place: None,
        message: String::new(),
        evidence: Vec::new(),
        marks: Vec::new(),
        related: vec![other],
        there: None,
        fix: None,
    }
}

/// Says what stands here and there.
fn tell(cx: &Context<'_>, finding: &mut Finding, [here, there]: [&Side; 2]) {
    (finding.line, finding.column) = (here.place.line, here.place.column);
    finding.place.clone_from(&here.place.bytes);
    let other = finding.related.first();
    let other = other.and_then(|index| cx.memories.get(*index));
    let start = there.place.bytes.as_ref().map(|bytes| bytes.start);
    let in_file = other
        .zip(start)
        .and_then(|(other, at)| cx.texts.places(other, &[at])?.first().copied());
    finding.there = Some(in_file.unwrap_or((there.place.line, there.place.column)));
    for side in [here, there] {
        // On one line; a blank is as long as the line end it stands for.
        let text = side.text.replace(['\n', '\r'], " ");
        finding.show(text, side.marks.iter().cloned());
    }
}
