//! The bytes that an edit of an entry replaces. Puts a block into its section, where it is read as it
//! is written, or where it stood in an earlier content of its file.

use std::ops::Range;

use similar::DiffOp;

use super::{
    Changed, Entry, File, Splice, blank_before, check_reading, refused, seconds, without_end,
};
use crate::memory::edit::{EditError, splice};
use crate::memory::lines::ops;
use crate::systems::codec::{Result, refuse};
use crate::systems::ralph::scan::{self, Line, Rule, is_heading, lines};
use crate::systems::ralph::{Type, as_meant, content_lines, metadata, tag_list, tags};

/// The type of an entry, its block, and whether Ralph's reading of the other entries has to stay.
pub(super) type Wanted<'a> = (Type, &'a [u8], bool);

/// Inserts a block into the section of a type: at a place, else right below the header.
pub(super) fn insert(
    file: &File<'_>,
    wanted: Wanted<'_>,
    place: Option<usize>,
) -> Result<(Vec<u8>, usize)> {
    let (kind, ..) = wanted;
    let mut sections = file.layout.sections.iter();
    let Some((_, header)) = sections.find(|(known, _)| *known == kind) else {
        return at_end(file, wanted);
    };
    // Text, quoted or not, between the header and the first heading would be read as part of the
    // new entry.
    let below = file.part(&(header.end..file.bytes.len()));
    let next = lines(below).find(|line| is_heading(line.of(below)));
    let next = next.map(|line| blank_before(file.bytes, header.end + line.text.start));
    let mut first = None;
    for place in [place, Some(header.end), next].into_iter().flatten() {
        match insert_at(file, wanted, place, file.eol().as_bytes()) {
            Ok(done) => return Ok(done),
            Err(why) => first = first.or(why),
        }
    }
    Err(first.unwrap_or_else(|| {
        let section = kind.section();
        let why = "would be read with text that stands there";
        EditError(format!("an entry below `## {section}` {why}"))
    }))
}

/// Inserts a block at a place, behind a blank line or none. Refused where it would not be read as
/// it is written there, or another entry would not; with the reason where that is one entry.
pub(super) fn insert_at(
    file: &File<'_>,
    wanted: Wanted<'_>,
    place: usize,
    lead: &[u8],
) -> Result<(Vec<u8>, usize), Option<EditError>> {
    let (bytes, eol, (_, text, _)) = (file.bytes, file.eol().as_bytes(), wanted);
    let mut new = Vec::with_capacity(text.len() + 4);
    if place > 0 && bytes.get(place - 1) != Some(&b'\n') {
        new.extend_from_slice(eol);
    }
    new.extend_from_slice(lead);
    new.extend_from_slice(text);
    let ends = place == bytes.len() && !bytes.is_empty() && !bytes.ends_with(b"\n");
    if ends && text.ends_with(b"\n") {
        new.pop();
        new.pop_if(|byte| *byte == b'\r');
    } else if !ends && !text.ends_with(b"\n") && !bytes.is_empty() {
        new.extend_from_slice(eol);
    }
    let after = splice(bytes, vec![(place..place, new)]);
    let index = inserted(file, &after, wanted, place)?;
    Ok((after, index))
}

/// Makes a section at the end, as Ralph does.
fn at_end(file: &File<'_>, wanted: Wanted<'_>) -> Result<(Vec<u8>, usize)> {
    let (kind, text, _) = wanted;
    // Not a byte of a broken text is lost.
    let head = match std::str::from_utf8(file.bytes) {
        Ok(head) => head.trim_end().as_bytes(),
        Err(_) => file.bytes.trim_ascii_end(),
    };
    let eol = file.eol();
    let header = format!("{eol}## {}{eol}{eol}", kind.section());
    let end = if text.ends_with(b"\n") { "" } else { eol };
    let after = [head, header.as_bytes(), text, end.as_bytes()].concat();
    match inserted(file, &after, wanted, head.len()) {
        Ok(index) => Ok((after, index)),
        Err(Some(why)) => Err(why),
        Err(None) => refuse("a new section would change another entry"),
    }
}

/// The place of the one entry that came, where all others are as they were and Ralph reads the
/// new one as it is written; else the reason, where that is one entry.
fn inserted(
    before: &File<'_>,
    after: &[u8],
    (kind, text, strict): Wanted<'_>,
    place: usize,
) -> Result<usize, Option<EditError>> {
    let after = File::new(after);
    let mut entries = before.layout.entries.iter();
    let is_behind = |entry: &Entry| entry.span.start >= place;
    let last = entries.len();
    let index = entries.position(is_behind).unwrap_or(last);
    let entry = after.layout.entries.get(index).ok_or(None)?;
    let changed = Changed {
        old: &[],
        new: &[index],
    };
    let is_whole = after.part(&entry.span).trim_ascii_end() == text.trim_ascii_end();
    if !is_whole || !changed.leaves_others(before, &after) {
        return Err(None);
    }
    if strict {
        check_reading(before, &after, changed)?;
    }
    if let Some(seen) = &entry.seen {
        let stray = seen.stray.map(|stray| stray.line);
        let foreign = seen.foreign.filter(|(_, left_over)| !left_over);
        if let Some(line) = stray.or(foreign.map(|(line, _)| line)) {
            return Err(Some(refused(before, &after, entry, line, changed)));
        }
    }
    (entry.kind == kind).then_some(index).ok_or(None)
}

pub(super) struct Place {
    /// Its byte in the file as it is.
    pub at: usize,
    /// The blank line that stood before the entry.
    pub lead: Vec<u8>,
    /// True if what stood on its two sides is still side by side there.
    pub is_exact: bool,
}

/// An entry with the blank line before it, or a line that belongs to none.
struct Piece<'a> {
    range: Range<usize>,
    entry: Option<usize>,
    bytes: &'a [u8],
}

/// The places in a file of an entry that an earlier content has and the file has not; several where
/// its text stood there more than once.
pub(super) fn places(then: &File<'_>, now: &File<'_>, entry: &[u8], id: &[u8]) -> Vec<Place> {
    let (was, is) = (pieces(then), pieces(now));
    let mut kept: Vec<Option<usize>> = vec![None; was.len()];
    for op in ops(&texts(&was), &texts(&is)) {
        let same = kept.get_mut(op.old_range()).into_iter().flatten();
        if matches!(op, DiffOp::Equal { .. }) {
            same.zip(op.new_range())
                .for_each(|(slot, new)| *slot = Some(new));
        }
    }
    let newer = |piece: &&Piece<'_>| {
        let entry = piece.entry.and_then(|index| now.layout.entries.get(index));
        entry.is_some_and(|entry| seconds(entry.id(now.bytes)) > seconds(id))
    };
    let place = |(n, piece): (usize, &Piece<'_>)| {
        let is_it = piece.entry.is_some() && piece.bytes.trim_ascii() == entry.trim_ascii();
        let (before, rest) = kept.split_at_checked(n).filter(|_| is_it)?;
        let before = before.iter().rev().flatten().next();
        let (None, after) = (rest.first()?, rest.iter().flatten().next()) else {
            return None;
        };
        before.or(after)?;
        let from = before.map_or(0, |piece| piece + 1);
        let to = after.map_or(is.len(), |piece| *piece);
        // Newer entries that were added since stand above.
        let between = is.get(from..to).unwrap_or_default();
        let at = from + between.iter().take_while(newer).count();
        let lead = piece.bytes.len() - piece.bytes.trim_ascii_start().len();
        let next = is.get(at).map(|piece| piece.range.start);
        Some(Place {
            at: next.unwrap_or(now.bytes.len()),
            lead: piece.bytes.get(..lead)?.to_vec(),
            is_exact: from == to,
        })
    };
    was.iter().enumerate().filter_map(place).collect()
}

fn texts<'a>(pieces: &[Piece<'a>]) -> Vec<&'a [u8]> {
    let texts = pieces.iter().map(|piece| piece.bytes.trim_ascii());
    texts.collect()
}

/// A file as pieces, all of its bytes in order.
fn pieces<'a>(file: &File<'a>) -> Vec<Piece<'a>> {
    let mut pieces = Vec::with_capacity(file.layout.entries.len() * 2);
    let piece = |range: Range<usize>, entry| Piece {
        bytes: file.part(&range),
        range,
        entry,
    };
    let mut at = 0;
    let end = file.bytes.len();
    let entries = file.layout.entries.iter().enumerate();
    let entries = entries.map(|(index, entry)| (entry.span.clone(), Some(index)));
    for (span, entry) in entries.chain([(end..end, None)]) {
        let start = match entry {
            Some(_) => blank_before(file.bytes, span.start).max(at),
            None => end,
        };
        for line in lines(file.part(&(at..start))) {
            pieces.push(piece(at + line.text.start..at + line.end, None));
        }
        if entry.is_some() {
            pieces.push(piece(start..span.end, entry));
        }
        at = span.end;
    }
    pieces
}

impl File<'_> {
    /// Quoted lines that are not among the new ones go, new ones come in their place; lines at the
    /// beginning and at the end that stay the same keep their bytes.
    pub(super) fn content_splices(&self, entry: &Entry, text: &str) -> Result<Vec<Splice>> {
        let (new, body) = (content_lines(text)?, self.part(&entry.body));
        let is_quoted = |line: &Line| scan::quoted(line.of(body)).is_some();
        let old: Vec<Line> = lines(body).filter(is_quoted).collect();
        let same = |(old, new): &(&Line, &String)| {
            let text = |line| scan::quoted(line).unwrap_or_default();
            let (old, new) = (text(old.of(body)), text(new.as_bytes()));
            old == new || old.trim_ascii().is_empty() && new.trim_ascii().is_empty()
        };
        let head = old.iter().zip(&new).take_while(same).count();
        let rest = old.len().min(new.len()) - head;
        let pairs = old.iter().rev().zip(new.iter().rev());
        let tail = pairs.take(rest).take_while(same).count();
        let gone = old.get(head..old.len() - tail).unwrap_or_default();
        let mut come = new.get(head..new.len() - tail).unwrap_or_default().iter();
        let at = |place: usize| entry.body.start + place;
        let mut splices: Vec<Splice> = Vec::new();
        // Line by line as long as there are both; what is left over goes or comes behind them.
        for line in gone {
            let range = at(line.text.start)..at(line.text.end);
            splices.push(match come.next() {
                Some(new) => (range, new.clone().into_bytes()),
                None => (self.whole_line(range), Vec::new()),
            });
        }
        let eol = self.eol();
        let last = (head + gone.len()).checked_sub(1);
        let last = last.and_then(|last| old.get(last));
        let place = last.map_or(entry.body.start, |last| at(last.text.end));
        let is_behind = last.is_some() || !self.part(&(0..place)).ends_with(b"\n");
        let more: String = match is_behind {
            true => come.flat_map(|line| [eol, line]).collect(),
            false => come.flat_map(|line| [line, eol]).collect(),
        };
        splices.push((place..place, more.into_bytes()));
        Ok(splices)
    }

    /// A line with its end; the last line of a file that does not end goes with the end before it.
    fn whole_line(&self, text: Range<usize>) -> Range<usize> {
        match self.part(&(text.end..self.bytes.len())) {
            [b'\r', b'\n', ..] => text.start..text.end + 2,
            [b'\n', ..] => text.start..text.end + 1,
            _ => without_end(self.bytes, text.start).unwrap_or(text.start)..text.end,
        }
    }

    /// Changes tags or date where they stand; a line that Ralph does not read is written anew.
    pub(super) fn metadata_splices(
        &self,
        entry: &Entry,
        today: &str,
        new: Option<&[String]>,
        date: Option<&str>,
    ) -> Result<Vec<Splice>> {
        let known = entry.metadata.as_ref();
        if let Some((tag_part, date_part)) = known.and_then(|known| known.parts.clone()) {
            let mut splices = Vec::new();
            if let Some(new) = new.filter(|new| tags(self.part(&tag_part)) != **new) {
                splices.push((tag_part, tag_list(new)?.into_bytes()));
            }
            if let Some(date) = date {
                metadata(&[], date)?;
                splices.push((date_part, date.as_bytes().to_vec()));
            }
            return Ok(splices);
        }
        let meant = known.map(|known| as_meant(self.part(&known.line)));
        let (old_tags, old_date) = meant.unwrap_or_default();
        // Without tags there are none to remove.
        if date.is_none() && old_tags.is_empty() && new.is_some_and(<[String]>::is_empty) {
            return Ok(Vec::new());
        }
        let date = date.or(old_date.as_deref()).unwrap_or(today);
        let line = metadata(new.unwrap_or(&old_tags), date)?;
        Ok(vec![match known {
            Some(known) => (known.line.clone(), line.into_bytes()),
            None => {
                let end = self.text_end(entry);
                (end..end, format!("{}{line}", self.eol()).into_bytes())
            }
        }])
    }

    /// What Ralph does not read, written the way it reads it: quoted lines without a blank or
    /// without text, tags and date in another form, something behind the id.
    pub(super) fn normal_splices(&self, entry: &Entry, today: &str) -> Result<Vec<Splice>> {
        let mut splices = Vec::new();
        let body = self.part(&entry.body);
        for line in lines(body) {
            let text = line.of(body);
            let is_read = matches!(scan::rule(text), Rule::Content(_));
            if let Some(quoted) = scan::quoted(text).filter(|_| !is_read) {
                let is_blank = quoted.trim_ascii().is_empty();
                let quoted = if is_blank { b" " } else { quoted };
                let start = entry.body.start;
                let range = start + line.text.start..start + line.text.end;
                splices.push((range, [b"> ", quoted].concat()));
            }
        }
        let metadata = entry.metadata.as_ref();
        if metadata.is_none_or(|known| known.parts.is_none()) {
            splices.extend(self.metadata_splices(entry, today, None, None)?);
        }
        if entry.has_tail() {
            splices.push((entry.id.end..entry.heading.end, Vec::new()));
        }
        Ok(splices)
    }
}
