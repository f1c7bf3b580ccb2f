//! The bytes that an edit of an entry replaces.

use std::ops::Range;

use super::{EditError, Splice, eol, part, text_range};
use crate::systems::ralph::block::{self, as_meant, content_lines, metadata, tag_list};
use crate::systems::ralph::line::{self, Rule, lines};
use crate::systems::ralph::scan::{Entry, Layout};

/// Quoted lines that are not among the new ones go, new ones come in their place; lines at the
/// beginning and at the end that stay the same keep their bytes.
pub(super) fn content_splices(
    bytes: &[u8],
    layout: &Layout,
    entry: &Entry,
    text: &str,
) -> Result<Vec<Splice>, EditError> {
    let eol = eol(layout);
    let new = content_lines(text)?;
    let body = part(bytes, &entry.body);
    let old: Vec<line::Line> = lines(body)
        .filter(|line| line::quoted(line.of(body)).is_some())
        .collect();
    if old.is_empty() {
        let mut inserted = Vec::new();
        let heading = part(bytes, &(entry.heading.start..entry.body.start));
        if !heading.ends_with(b"\n") {
            inserted.extend_from_slice(eol.as_bytes());
        }
        inserted.extend_from_slice(new.join(eol).as_bytes());
        if heading.ends_with(b"\n") {
            inserted.extend_from_slice(eol.as_bytes());
        }
        return Ok(vec![(entry.body.start..entry.body.start, inserted)]);
    }
    let meant = |line: &[u8]| {
        let text = line::quoted(line).unwrap_or_default();
        if text.trim_ascii().is_empty() {
            Vec::new()
        } else {
            text.to_vec()
        }
    };
    let same = |old: &line::Line, new: &String| meant(old.of(body)) == meant(new.as_bytes());
    let head = old.iter().zip(&new).take_while(|(a, b)| same(a, b)).count();
    let rest = old.len().min(new.len()) - head;
    let pairs = old.iter().rev().zip(new.iter().rev());
    let tail = pairs.take(rest).take_while(|(a, b)| same(a, b)).count();
    let gone = old.get(head..old.len() - tail).unwrap_or_default();
    let come = new.get(head..new.len() - tail).unwrap_or_default();
    let at = |place: usize| entry.body.start + place;
    let mut splices: Vec<Splice> = Vec::new();
    // Line by line as long as there are both; what is left over goes or comes behind them.
    for (old, new) in gone.iter().zip(come) {
        let range = at(old.text.start)..at(old.text.end);
        splices.push((range, new.clone().into_bytes()));
    }
    for old in gone.iter().skip(come.len()) {
        splices.push((
            whole_line(bytes, at(old.text.start)..at(old.text.end)),
            Vec::new(),
        ));
    }
    if come.len() > gone.len() {
        let more = come.get(gone.len()..).unwrap_or_default();
        let behind = (head + gone.len())
            .checked_sub(1)
            .and_then(|last| old.get(last));
        splices.push(match behind {
            Some(last) => {
                let text: String = more.iter().flat_map(|line| [eol, line]).collect();
                (at(last.text.end)..at(last.text.end), text.into_bytes())
            }
            None => {
                let text: String = more.iter().flat_map(|line| [line.as_str(), eol]).collect();
                (entry.body.start..entry.body.start, text.into_bytes())
            }
        });
    }
    Ok(merged(splices))
}

/// A line with its end; the last line of a file that does not end goes with the end before it.
fn whole_line(bytes: &[u8], text: Range<usize>) -> Range<usize> {
    let rest = bytes.get(text.end..).unwrap_or_default();
    let end = match rest {
        [b'\r', b'\n', ..] => text.end + 2,
        [b'\n', ..] => text.end + 1,
        _ => {
            let head = bytes.get(..text.start).unwrap_or_default();
            let head = head.strip_suffix(b"\n").unwrap_or(head);
            let head = head.strip_suffix(b"\r").unwrap_or(head);
            return head.len()..text.end;
        }
    };
    text.start..end
}

/// Insertions at the place where a replacement ends become a part of it.
fn merged(mut splices: Vec<Splice>) -> Vec<Splice> {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out: Vec<Splice> = Vec::with_capacity(splices.len());
    for (range, new) in splices {
        match out.last_mut() {
            Some((last, text)) if last.end >= range.start => {
                last.end = last.end.max(range.end);
                text.extend(new);
            }
            _ => out.push((range, new)),
        }
    }
    out
}

/// Changes tags or date where they stand; a line that Ralph does not read is written anew.
pub(super) fn metadata_splices(
    bytes: &[u8],
    layout: &Layout,
    entry: &Entry,
    today: &str,
    tags: Option<&[String]>,
    date: Option<&str>,
) -> Result<Vec<Splice>, EditError> {
    let known = entry.metadata.as_ref();
    if let Some((tag_part, date_part)) = known.and_then(|known| known.parts.clone()) {
        let mut splices = Vec::new();
        if let Some(tags) = tags
            && block::tags(part(bytes, &tag_part)) != tags
        {
            splices.push((tag_part, tag_list(tags)?.into_bytes()));
        }
        if let Some(date) = date {
            metadata(&[], date)?;
            splices.push((date_part, date.as_bytes().to_vec()));
        }
        return Ok(splices);
    }
    let meant = known.map(|known| as_meant(part(bytes, &known.line)));
    let (old_tags, old_date) = meant.unwrap_or_default();
    // Without tags there are none to remove.
    if date.is_none() && old_tags.is_empty() && tags.is_some_and(<[String]>::is_empty) {
        return Ok(Vec::new());
    }
    let date = date.or(old_date.as_deref()).unwrap_or(today);
    let line = metadata(tags.unwrap_or(&old_tags), date)?;
    if let Some(known) = known {
        return Ok(vec![(known.line.clone(), line.into_bytes())]);
    }
    let eol = eol(layout);
    let end = text_range(bytes, entry).end;
    Ok(vec![(end..end, format!("{eol}{line}").into_bytes())])
}

/// What Ralph does not read, written the way it reads it: quoted lines without a blank or
/// without text, tags and date in another form, something behind the id.
pub(super) fn normal_splices(
    bytes: &[u8],
    layout: &Layout,
    entry: &Entry,
    today: &str,
) -> Result<Vec<Splice>, EditError> {
    let mut splices = Vec::new();
    let body = part(bytes, &entry.body);
    for line in lines(body) {
        let text = line.of(body);
        let unread = !matches!(line::rule(text), Rule::Content(_));
        if let Some(quoted) = line::quoted(text).filter(|_| unread) {
            let new = match quoted.trim_ascii().is_empty() {
                true => b">  ".to_vec(),
                false => [b"> ", quoted].concat(),
            };
            let start = entry.body.start;
            splices.push((start + line.text.start..start + line.text.end, new));
        }
    }
    let unread = entry
        .metadata
        .as_ref()
        .is_none_or(|known| known.parts.is_none());
    if unread {
        splices.extend(metadata_splices(bytes, layout, entry, today, None, None)?);
    }
    if entry.has_tail() {
        splices.push((entry.id.end..entry.heading.end, Vec::new()));
    }
    Ok(splices)
}
