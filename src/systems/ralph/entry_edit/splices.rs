//! The bytes that an edit of an entry replaces.

use std::ops::Range;

use super::{Entry, File, Splice, without_end};
use crate::systems::codec::Result;
use crate::systems::ralph::block::{content_lines, metadata, tag_list};
use crate::systems::ralph::scan::{self, Line, Rule, lines};
use crate::systems::ralph::{as_meant, tags};

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
        let last = (head + gone.len())
            .checked_sub(1)
            .and_then(|last| old.get(last));
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
