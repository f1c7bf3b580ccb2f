//! How a memory speaks of a path: as what to go by, of what was, or in the log of a failure.

mod absent;
mod clause;
mod holds;
mod lead;
mod quoted;
mod tokens;
mod told;
mod verb;
mod words;
mod wrapped;

use std::ops::Range;

use super::fences::Fences;
use super::whose;
use crate::lint::Look;
use crate::lint::log::is_log;
use crate::lint::repository::History;

/// How a memory speaks of a path. The first misleads whoever reads it now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lint) enum Manner {
    /// As something to go by.
    Directive,
    /// As what another repository has, or another state of this one.
    Elsewhere,
    /// As what is sought, or a part of a name: another path there says another thing.
    Quoted,
    /// As something that was.
    Record,
    /// In what a system keeps of what an agent did.
    Act,
    /// In the log of a failure or the output of a command.
    Log,
}

/// Words by which a heading says that what follows is over.
const OVER: &[&str] = &[
    "history",
    "changelog",
    "change log",
    "work log",
    "completed",
    "done",
    "previous",
    "archived",
    "removed",
    "deprecated",
    "this session",
    "last session",
    "session log",
    "session notes",
    "session summary",
    "session:",
    "postmortem",
    "post-mortem",
    "recent changes",
    "what changed",
];

/// Words that say it as all of a heading; in a longer one they may be its subject: `Log levels`.
const OVER_ALONE: &[&str] = &["archive", "log", "logs", "before"];

/// What ends a paragraph, and a line.
const PARAGRAPH: &[&str] = &["\n\n", "\n\r\n"];
const LINE: &[&str] = &["\n"];

/// Bytes that are read on each side of a path, of its sentences and of its paragraph.
const NEAR: usize = 300;
const AROUND: usize = 4_000;

/// How a text speaks of the paths in it. What is read around one of them is known for its
/// neighbours: a text may name a path ten thousand times.
pub(in crate::lint) struct Manners<'t> {
    text: &'t str,
    /// The part of the text that was read last.
    log: Option<Read>,
    /// Where the line begins that was read last, and whether the heading above a path in it says
    /// that what follows is over.
    over: (usize, Above),
    fences: Option<Fences>,
    /// The part of the text in which a system keeps what an agent did.
    acts: Range<usize>,
    /// The repository of which it is asked whether a path is said to be in it.
    history: Option<&'t History>,
}

/// What a heading says of what follows.
#[derive(Clone, Copy, Default)]
struct Above {
    /// That it is over.
    over: bool,
    /// That it is of another repository, or of another state of this one.
    elsewhere: bool,
}

/// A part of a text without the end of a paragraph in it.
struct Read {
    /// Where the block of [`AROUND`] bytes begins around which it was cut.
    block: usize,
    bytes: Range<usize>,
    is_log: bool,
}

impl<'t> Manners<'t> {
    /// Of this text.
    pub const fn of(text: &'t str) -> Self {
        Self {
            text,
            log: None,
            over: (
                0,
                Above {
                    over: false,
                    elsewhere: false,
                },
            ),
            fences: None,
            acts: 0..0,
            history: None,
        }
    }

    /// The same for a text about this repository: it is told where another one is meant.
    pub fn within(self, history: &'t History) -> Self {
        Self {
            history: Some(history),
            ..self
        }
    }

    /// Of the body of a memory.
    pub fn of_body(look: &Look<'t>) -> Self {
        let (_, body) = look.body();
        let acts = look.memory.schema.in_rows().then(|| acts(body)).flatten();
        Self {
            acts: acts.unwrap_or_default(),
            ..Self::of(body)
        }
    }

    /// How the text speaks of the path at these bytes.
    pub fn manner(&mut self, path: &Range<usize>) -> Manner {
        if self.acts.contains(&path.start) {
            return Manner::Act;
        }
        if self.is_in_log(path) {
            return Manner::Log;
        }
        let own = self.own(path);
        let text = self.text.get(own.clone()).unwrap_or_default();
        let within = path.start - own.start..path.end - own.start;
        let above = self.above(path.start);
        let lead = self.lead(own.start, text);
        if clause::is_past(text, &within) || above.over || lead.is_some_and(lead::is_past_lead) {
            return Manner::Record;
        }
        let elsewhere = |history| {
            let of_lead = || lead.is_some_and(|lead| is_led_elsewhere(history, lead));
            above.elsewhere || of_lead() || whose::is_elsewhere(history, text, &within)
        };
        match self.history {
            Some(history) if elsewhere(history) => Manner::Elsewhere,
            _ if quoted::is_quoted(text, &within) => Manner::Quoted,
            _ => Manner::Directive,
        }
    }

    /// Whether the text tells to make the path at these bytes.
    pub fn is_to_be_made(&mut self, path: &Range<usize>) -> bool {
        let own = self.own(path);
        let text = self.text.get(own.clone()).unwrap_or_default();
        clause::is_to_be_made(text, &(path.start - own.start..path.end - own.start))
    }

    /// The text around a path that speaks of it: its line, and those that are one text with it.
    pub fn own(&mut self, path: &Range<usize>) -> Range<usize> {
        let near = path.start.saturating_sub(NEAR)..path.end.saturating_add(NEAR);
        let to = near.end;
        let fences = self.fences.get_or_insert_with(|| Fences::of(self.text));
        if fences.around(path.start).is_some() {
            return self.around(path, near, LINE);
        }
        let part = self.around(path, near, PARAGRAPH);
        let text = self.text.get(part.clone()).unwrap_or_default();
        let within = path.start - part.start..path.end - part.start;
        let own = wrapped::around(text, &within, part.end >= to);
        part.start + own.start..part.start + own.end
    }

    /// The line above the list that a line belongs to.
    fn lead(&self, start: usize, line: &str) -> Option<&'t str> {
        if !is_item(line) {
            return None;
        }
        let from =
            (start.saturating_sub(AROUND)..=start).find(|at| self.text.is_char_boundary(*at));
        let above = from.and_then(|from| self.text.get(from..start));
        let lines = above.unwrap_or_default().lines().rev();
        let mut other = lines
            .filter(|line| !line.trim().is_empty() && !is_item(line) && !line.starts_with(' '));
        other.next()
    }

    /// Whether the paragraph around a path is a log; of a long one the part that it stands in.
    fn is_in_log(&mut self, path: &Range<usize>) -> bool {
        let block = path.start - path.start % AROUND;
        if let Some(read) = &self.log
            && read.block == block
            && read.bytes.start <= path.start
            && path.end <= read.bytes.end
        {
            return read.is_log;
        }
        let near = block.saturating_sub(AROUND)..block.saturating_add(2 * AROUND);
        let bytes = self.around(path, near, PARAGRAPH);
        let is_log = is_log(self.text.get(bytes.clone()).unwrap_or_default());
        self.log = Some(Read {
            block,
            bytes,
            is_log,
        });
        is_log
    }

    /// What the last heading before a place says of what follows.
    fn above(&mut self, at: usize) -> Above {
        let (known, above) = self.over;
        let from = if known <= at { known } else { 0 };
        // With the line end that a heading stands behind.
        let new = self
            .text
            .get(from.saturating_sub(1)..at)
            .unwrap_or_default();
        let above = match heading(new) {
            Some(heading) => Above {
                over: is_over(&heading.to_lowercase()),
                elsewhere: self
                    .history
                    .is_some_and(|history| whose::is_of_elsewhere(history, heading)),
            },
            None if from > 0 => above,
            None => Above::default(),
        };
        let line = self.text.get(from..at).and_then(|text| text.rfind('\n'));
        self.over = (line.map_or(from, |end| from + end + 1), above);
        above
    }

    /// What stands around a path up to one of these ends, within these bytes.
    fn around(&self, path: &Range<usize>, most: Range<usize>, ends: &[&str]) -> Range<usize> {
        let edge = |mut at: usize| {
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
            at
        };
        let from = edge(most.start);
        let to = edge(most.end.min(self.text.len()));
        let before = self.text.get(from..path.start).unwrap_or_default();
        let after = self.text.get(path.end..to).unwrap_or_default();
        let last = |end: &&str| Some(before.rfind(end)? + end.len());
        let start = from + ends.iter().filter_map(last).max().unwrap_or_default();
        let end = ends.iter().filter_map(|end| after.find(end)).min();
        start..end.map_or(to, |end| path.end + end)
    }
}

/// Whether the line above a list says that it is of another repository.
fn is_led_elsewhere(history: &History, line: &str) -> bool {
    let line = line.trim().trim_matches(['*', '_']);
    line.ends_with(':') && whose::is_of_elsewhere(history, line)
}

/// The part of the page of a row that lists what the agent did.
fn acts(page: &str) -> Option<Range<usize>> {
    const HEADING: &str = "## ";
    let mut at = 0;
    let mut from = None;
    for line in page.split_inclusive('\n') {
        if let Some(heading) = line.strip_prefix(HEADING) {
            match from {
                Some(from) => return Some(from..at),
                None if heading.trim_end() == "Actions" => from = Some(at),
                None => {}
            }
        }
        at += line.len();
    }
    from.map(|from| from..at)
}

/// Whether a heading says that what follows is over: by a word, or as the log of one session.
fn is_over(heading: &str) -> bool {
    let bare = heading.trim_matches(|c: char| !c.is_alphanumeric());
    let numbered = bare.strip_prefix("session ");
    let numbered = numbered.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    says(bare, OVER) || lead::is_of_changes(bare) || OVER_ALONE.contains(&bare) || numbered
}

/// Whether a text says one of these, and not in the middle of a word.
fn says(text: &str, words: &[&str]) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    words.iter().any(|words| {
        let open = !words.ends_with(char::is_alphanumeric);
        text.match_indices(words).any(|(at, _)| {
            let after = text.get(at + words.len()..).unwrap_or_default();
            let before = text.get(..at).unwrap_or_default();
            ends(before.chars().next_back()) && (open || ends(after.chars().next()))
        })
    })
}

/// Whether a line is one of a list.
pub(super) fn is_item(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
    let bare = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || (bare.len() < line.len() && (bare.starts_with(". ") || bare.starts_with(") ")))
}

/// The last heading of a text, as far as it goes.
fn heading(text: &str) -> Option<&str> {
    let at = text.rfind("\n#").map(|at| at + 1);
    let at = at.or_else(|| text.starts_with('#').then_some(0));
    text.get(at?..)?.lines().next()
}

#[cfg(test)]
mod tests;
