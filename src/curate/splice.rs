//! What changes in the bytes of a file, and how it is found again in a file that was written to
//! since.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use similar::DiffOp;

use super::diff::ops::{lines_of, ops};
use super::plan::bytes;

/// Bytes taken out at an offset and others put in their place. A save of a 50 MB file is
/// remembered by what changed in it, not by two copies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Where, in bytes of the file before the change.
    pub at: usize,
    /// What stood there.
    #[serde(with = "bytes")]
    pub removed: Vec<u8>,
    /// What stands there afterwards.
    #[serde(with = "bytes")]
    pub inserted: Vec<u8>,
    /// What stands before it, before and afterwards: the change is found again by it in a file
    /// that was written to since.
    #[serde(default, with = "bytes", skip_serializing_if = "Vec::is_empty")]
    pub lead: Vec<u8>,
    /// What stands behind it.
    #[serde(default, with = "bytes", skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<u8>,
}

/// Bytes that are kept of what stands around a splice, on either side; fewer only where the file
/// ends there.
const AROUND: usize = 256;

/// Whole lines that are kept of it as well, however long they are.
const LINES: usize = 2;

/// What is longer is not kept for the sake of whole lines.
const MOST: usize = 1 << 16;

/// Fewer bytes may stand in a file once by chance.
const SURE: usize = 48;

/// Lines before and behind it that a stretch is looked for with: the more of them are there, the
/// surer. What says something stands on both sides always.
const LEVELS: [(usize, usize); 6] = [
    (usize::MAX, usize::MAX),
    (8, 8),
    (3, 3),
    (8, 1),
    (1, 8),
    (1, 1),
];

/// Lines that change side by side, and those around them that stay.
struct Stretch<'a> {
    lead: Vec<&'a [u8]>,
    removed: Vec<u8>,
    inserted: Vec<u8>,
    trail: Vec<&'a [u8]>,
    /// Whether the file begins with `lead`, and ends with `trail`.
    begins: bool,
    ends: bool,
}

impl Splice {
    /// What leads from one content of a file to another.
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        let head = same_head(old, new);
        let tail = same_tail(part(old, head..old.len()), part(new, head..new.len()));
        let end = old.len() - tail;
        Self {
            at: head,
            removed: part(old, head..end).to_vec(),
            inserted: part(new, head..new.len() - tail).to_vec(),
            lead: part(old, lead_from(old, head)..head).to_vec(),
            trail: part(old, end..trail_to(old, end)).to_vec(),
        }
    }

    /// The splice that takes this one back.
    pub fn inverse(self) -> Self {
        Self {
            removed: self.inserted,
            inserted: self.removed,
            ..self
        }
    }

    /// Bytes with the splice made in them; none where other bytes stand there.
    pub fn applied(&self, old: &[u8]) -> Option<Vec<u8>> {
        let end = self.at.checked_add(self.removed.len())?;
        (old.get(self.at..end)? == self.removed).then_some(())?;
        Some([old.get(..self.at)?, &self.inserted, old.get(end..)?].concat())
    }

    /// The bytes with the splice made where it belongs, in a file that was written to since; none
    /// where that is not sure. Whole lines are looked for: what is taken out and the lines on both
    /// sides of it have to be there still, in one place only. What stands there already as it is
    /// wanted is left.
    pub fn again(&self, content: &[u8]) -> Option<Vec<u8>> {
        let (old, new) = (self.whole(&self.removed)?, self.whole(&self.inserted)?);
        let begins = self.at == self.lead.len();
        let ends = self.trail.len() < AROUND;
        let mut out = Vec::with_capacity(content.len() + self.inserted.len());
        let mut done = 0;
        for stretch in stretches(&old, &new, begins, ends) {
            let at = stretch.place(content)?;
            // What is found elsewhere than behind the one before was moved.
            out.extend_from_slice(content.get(done..at.start)?);
            out.extend_from_slice(&stretch.inserted);
            done = at.end;
        }
        out.extend_from_slice(content.get(done..)?);
        Some(out)
    }

    /// The lines that it changes as they were, and those around them that are known; none where
    /// they are not known as a whole.
    pub fn before(&self) -> Option<Vec<u8>> {
        self.whole(&self.removed)
    }

    /// The same as they are afterwards, where the first line of them that changes begins, and
    /// whether the file ends with them.
    pub fn after(&self) -> Option<(Vec<u8>, usize, bool)> {
        let after = self.whole(&self.inserted)?;
        let start = self.whole(b"")?.len() - self.whole_trail()?.len();
        let line = memchr::memrchr(b'\n', after.get(..start)?);
        Some((
            after,
            line.map_or(0, |at| at + 1),
            self.trail.len() < AROUND,
        ))
    }

    /// The whole lines that are known of the file where this stands in the middle; none where the
    /// lines that change are not known as a whole.
    fn whole(&self, middle: &[u8]) -> Option<Vec<u8>> {
        let lead = match self.at == self.lead.len() {
            true => self.lead.as_slice(),
            false => self.lead.get(memchr::memchr(b'\n', &self.lead)? + 1..)?,
        };
        Some([lead, middle, self.whole_trail()?].concat())
    }

    fn whole_trail(&self) -> Option<&[u8]> {
        match self.trail.len() < AROUND {
            true => Some(&self.trail),
            false => self.trail.get(..=memchr::memrchr(b'\n', &self.trail)?),
        }
    }
}

impl Stretch<'_> {
    /// The bytes that it replaces; none where that is not sure.
    fn place(&self, content: &[u8]) -> Option<Range<usize>> {
        let least = (least(self.lead.iter().rev()), least(self.trail.iter()));
        for (before, behind) in LEVELS {
            let before = before.max(least.0).min(self.lead.len());
            let behind = behind.max(least.1).min(self.trail.len());
            let lead = self.lead.get(self.lead.len() - before..)?.concat();
            let trail = self.trail.get(..behind)?.concat();
            // Where what is wanted stands already, it is put in its own place.
            for middle in [&self.removed, &self.inserted] {
                let text = [lead.as_slice(), middle, &trail].concat();
                let found = memchr::memmem::find(content, &text);
                let Some(at) = found.filter(|_| text.len() >= SURE) else {
                    continue;
                };
                if memchr::memmem::rfind(content, &text) != Some(at) {
                    return None;
                }
                let end = at + text.len();
                // Where a neighbour is missing, the file begins or ends there: what was written
                // there since belongs to it only where there is something to hold on to.
                let begun = !lead.is_empty() || at == 0;
                let ended = !trail.is_empty() || end == content.len();
                let held = !middle.is_empty() && (self.begins || begun) && (self.ends || ended);
                let whole = at == 0 || content.get(at - 1) == Some(&b'\n');
                let whole = whole && (end == content.len() || text.ends_with(b"\n"));
                if !whole || !(begun && ended || held) {
                    return None;
                }
                let at = at + lead.len();
                return Some(at..at + middle.len());
            }
        }
        None
    }
}

/// The stretches of lines that differ between two texts, each with the lines up to the next one.
fn stretches<'a>(old: &'a [u8], new: &[u8], begins: bool, ends: bool) -> Vec<Stretch<'a>> {
    let (old, new) = (lines_of(old), lines_of(new));
    let mut all: Vec<Stretch<'a>> = Vec::new();
    let mut same: &[&[u8]] = &[];
    let mut joined = false;
    for op in ops(&old, &new) {
        let (_, was, is) = op.as_tag_tuple();
        let was = old.get(was).unwrap_or_default();
        if let DiffOp::Equal { .. } = op {
            same = was;
            joined = false;
            if let Some(last) = all.last_mut() {
                last.trail = same.to_vec();
            }
            continue;
        }
        let (removed, inserted) = (was.concat(), new.get(is).unwrap_or_default().concat());
        match all.last_mut().filter(|_| joined) {
            Some(last) => {
                last.removed.extend(removed);
                last.inserted.extend(inserted);
            }
            None => all.push(Stretch {
                begins: begins && all.is_empty(),
                ends: false,
                lead: std::mem::take(&mut same).to_vec(),
                removed,
                inserted,
                trail: Vec::new(),
            }),
        }
        joined = true;
    }
    if let Some(last) = all.last_mut() {
        last.ends = ends;
    }
    all
}

/// How many lines it takes to one that says something.
fn least<'a>(mut lines: impl Iterator<Item = &'a &'a [u8]>) -> usize {
    let blank = |line: &&[u8]| line.trim_ascii().is_empty();
    lines
        .position(|line| !blank(line))
        .map_or(usize::MAX, |n| n + 1)
}

/// Where what is kept before a place begins: behind the end of a line, which is kept too.
fn lead_from(old: &[u8], head: usize) -> usize {
    let known = part(old, head.saturating_sub(MOST)..head);
    let mut ends = memchr::memrchr_iter(b'\n', known);
    let short = if known.len() == head {
        0
    } else {
        head - AROUND
    };
    let line = ends.nth(LINES).map_or(short, |at| head - known.len() + at);
    line.min(head.saturating_sub(AROUND))
}

/// Where what is kept behind a place ends.
fn trail_to(old: &[u8], end: usize) -> usize {
    let known = part(old, end..old.len().min(end + MOST));
    let mut ends = memchr::memchr_iter(b'\n', known);
    let short = if known.len() == old.len() - end {
        old.len()
    } else {
        end + AROUND
    };
    let line = ends.nth(LINES).map_or(short, |at| end + at + 1);
    line.max(old.len().min(end + AROUND))
}

fn part(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

/// Bytes that are compared at once.
const STEP: usize = 4_096;

/// How many bytes two texts begin with alike.
fn same_head(a: &[u8], b: &[u8]) -> usize {
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP));
    let from = STEP * steps.take_while(|(a, b)| a == b).count();
    let (x, y) = (a.get(from..), b.get(from..));
    let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
    from + x.iter().zip(y).take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with alike.
fn same_tail(a: &[u8], b: &[u8]) -> usize {
    let steps = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP));
    let from = STEP * steps.take_while(|(a, b)| a == b).count();
    let rest = |bytes: &[u8]| ..bytes.len().saturating_sub(from);
    let (x, y) = (a.get(rest(a)), b.get(rest(b)));
    let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
    let (x, y) = (x.iter().rev(), y.iter().rev());
    from + x.zip(y).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a change of a text becomes in another one that was written since.
    fn again(old: &str, new: &str, now: &str) -> Option<String> {
        let again = Splice::between(old.as_bytes(), new.as_bytes()).again(now.as_bytes());
        again.map(|text| String::from_utf8(text).unwrap())
    }

    fn entry(id: &str, tags: &str) -> String {
        format!("### mem-{id}\n> A text that is long enough for {id}\n<!-- tags: {tags} -->\n\n")
    }

    #[test]
    fn what_others_wrote_in_the_same_line_or_beside_it_is_left() {
        let file = |tags: &str| format!("# Memories\n\n{}{}", entry("1", tags), entry("2", "z"));
        let (a, ab) = (file("a"), file("a, b"));
        let more = format!("{ab}{}", entry("3", "y"));
        for (now, wanted) in [
            (more.clone(), Some(more.replace("a, b", "a"))),
            (format!("{more}{ab}"), None),
            (ab.replace("a, b", "a, bc"), None),
            (ab.replace("a, b", "c"), None),
            (ab.replace("enough for 1", "enough"), None),
            (format!("More\n{a}"), Some(format!("More\n{a}"))),
        ] {
            assert_eq!(again(&ab, &a, &now), wanted, "{now}");
        }
    }

    #[test]
    fn stretches_far_apart_are_found_each_for_itself() {
        let all: Vec<String> = (0..20).map(|n| entry(&format!("{n:03}"), "a")).collect();
        let old = all.concat();
        let new = old.replace(&all[2], "").replace(&all[15], "");
        let edited = |text: &str| text.replace("enough for 008", "enough for nobody");
        assert_eq!(again(&new, &old, &edited(&new)), Some(edited(&old)));
        assert_eq!(again(&old, &new, &edited(&old)), Some(edited(&new)));
        // One of the two stands already.
        let half = edited(&old.replace(&all[2], ""));
        assert_eq!(again(&old, &new, &half), Some(edited(&new)));
    }

    #[test]
    fn long_lines_are_known_as_a_whole() {
        let line =
            |n: usize, word: &str| format!("{{\"n\":{n},\"x\":\"{}{word}\"}}\n", "x".repeat(999));
        let lines = |word: &str| [line(1, ""), line(2, word), line(3, "")].concat();
        let (old, new) = (lines("old"), lines("new"));
        let more = line(4, "more");
        let wanted = format!("{new}{more}");
        assert_eq!(again(&old, &new, &format!("{old}{more}")), Some(wanted));
        assert_eq!(
            again(&old, &new, &format!("{more}{}", lines("older"))),
            None
        );
    }

    proptest! {
        #[test]
        fn a_change_is_found_again_or_left(before in "([ab]{0,20}\\n){0,6}", gone in "([cd]{0,40}\\n){0,3}", come in "([ce]{0,40}\\n){0,3}", behind in "([ab]{0,20}\\n){0,6}", more in "[xy]{1,20}\\n?", at in 0_usize..300) {
            let (old, new) = (format!("{before}{gone}{behind}"), format!("{before}{come}{behind}"));
            // What is written outside of the change stays, in both directions.
            let at = at % (before.len() + behind.len() + 1);
            let outside = |middle: &str| {
                let (head, tail) = (at.min(before.len()), at.saturating_sub(before.len()));
                let insert = |text: &str, n: usize| format!("{}{more}{}", &text[..n], &text[n..]);
                if at <= before.len() {
                    format!("{}{middle}{behind}", insert(&before, head))
                } else {
                    format!("{before}{middle}{}", insert(&behind, tail))
                }
            };
            let splice = Splice::between(old.as_bytes(), new.as_bytes());
            for (splice, from, to) in [(splice.clone(), &gone, &come), (splice.inverse(), &come, &gone)] {
                if let Some(again) = splice.again(outside(from).as_bytes()) {
                    let again = String::from_utf8(again).unwrap();
                    prop_assert_eq!(again.matches(&more).count(), 1, "{}", again);
                    let is_beside = again.replacen(&more, "", 1) == format!("{before}{to}{behind}");
                    prop_assert!(is_beside && (at == before.len() || again == outside(to)), "{}", again);
                }
            }
        }
    }
}
