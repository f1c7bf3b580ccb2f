//! A memory that both sides changed, merged field by field.

use std::ops::Range;

use super::{Merged, Segment, Split, Three, merge};
use crate::memory::json::{self, Kind};
use crate::memory::{Role, Schema, document};

/// Merges three versions of a memory: of a JSON object by property, else by field and body. Of a
/// date of change the later one stays.
pub fn resolve(schema: &'static Schema) -> impl Fn(&Segment<'_>, Three<'_>) -> Merged {
    move |segment, three| {
        let conflict = || Merged::conflict(three.ours, three.theirs);
        if !segment.is_memory {
            return conflict();
        }
        if let Some(mut merged) = objects(schema, three) {
            let (_, name) = segment.key.split_once(' ').unwrap_or_default();
            for field in &mut merged.fields {
                field.insert_str(0, &format!("{name}: "));
            }
            return merged;
        }
        let whole = |text| Pieces::split(text);
        let base = three.base.map(whole).unwrap_or_default();
        let (ours, theirs) = (whole(three.ours), whole(three.theirs));
        merge(
            &base,
            &ours,
            &theirs,
            &|piece, three| match later(schema, piece, three) {
                Some(text) => Merged::clean(text.to_vec()),
                None => Merged::conflict(three.ours, three.theirs),
            },
        )
    }
}

/// The later of two dates of change.
fn later<'a>(schema: &Schema, piece: &Segment<'_>, three: Three<'a>) -> Option<&'a [u8]> {
    let name = piece.key.split(' ').nth(1)?;
    let spec = schema.roles(Role::Updated).find(|spec| spec.name == name);
    spec.map(|_| three.ours.max(three.theirs))
}

/// Splits the text of a memory into the lines of its fields and its body.
struct Pieces<'a> {
    text: &'a [u8],
    split: Split<'a>,
    /// The piece that is being read, and its place.
    open: Option<(String, Range<usize>)>,
    /// The end of the last piece.
    at: usize,
}

impl<'a> Pieces<'a> {
    fn split(text: &'a [u8]) -> Split<'a> {
        let mut pieces = Self {
            text,
            split: Split::default(),
            open: None,
            at: 0,
        };
        let is_fence = |line: &[u8]| line.trim_ascii_end() == b"---";
        let mut fences = 0;
        let mut start = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let end = start + line.len();
            let shown = String::from_utf8_lossy(line);
            let first = start == 0;
            if is_fence(line.strip_prefix(document::BOM).unwrap_or(line)) && (first || fences == 1)
            {
                fences += 1;
                pieces.begin(&format!("fence{fences}"), start..end);
            } else if fences == 1 {
                match shown
                    .split_once(':')
                    .filter(|_| !shown.starts_with([' ', '\t', '-', '#']))
                {
                    Some((name, _)) => pieces.begin(name.trim(), start..end),
                    None => pieces.extend(end),
                }
            } else if first && line.starts_with(b"###") {
                pieces.begin("heading", start..end);
            } else if line.starts_with(b"<!-- tags:") {
                pieces.begin("tags and date", start..end);
            } else if pieces.open.as_ref().is_some_and(|(name, _)| name == "body") {
                pieces.extend(end);
            } else if !shown.trim().is_empty() {
                pieces.begin("body", start..end);
            }
            start = end;
        }
        pieces.close();
        pieces.split.tail = document::part(text, pieces.at..text.len());
        pieces.split
    }

    fn begin(&mut self, name: &str, range: Range<usize>) {
        self.close();
        self.open = Some((name.to_owned(), range));
    }

    fn extend(&mut self, end: usize) {
        match &mut self.open {
            Some((_, range)) => range.end = end,
            None => self.open = Some(("body".to_owned(), self.at..end)),
        }
    }

    fn close(&mut self) {
        let Some((name, range)) = self.open.take() else {
            return;
        };
        let text = document::part(self.text, range.clone()).trim_ascii_end();
        self.split.segments.push(Segment {
            key: format!("p {name}").into(),
            lead: document::part(self.text, self.at..range.start),
            text,
            // Fields of both sides are told by their names, and lines never replace each other.
            is_memory: true,
        });
        self.at = range.start + text.len();
    }
}

/// Properties of an object, each with its name as it is written.
fn properties(text: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let (node, _) = json::value(text).ok()?;
    let Kind::Map(entries) = node.kind else {
        return None;
    };
    let pair = |entry: &json::Entry| {
        (
            json::slice(text, &entry.key),
            json::slice(text, &entry.value.span),
        )
    };
    // Slices of the text, not of the node.
    Some(entries.iter().map(pair).collect())
}

/// Three versions of a JSON object merged by property. In a conflict both lines stand whole, and
/// differ in nothing else.
fn objects(schema: &Schema, three: Three<'_>) -> Option<Merged> {
    let base = properties(three.base.unwrap_or(b"{}"))?;
    let (ours, theirs) = (properties(three.ours)?, properties(three.theirs)?);
    let of = |all: &[(&'_ [u8], &'_ [u8])], name: &[u8]| -> Option<Vec<u8>> {
        let found = all.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.to_vec())
    };
    let names = ours.iter().map(|(name, _)| *name);
    let new = theirs.iter().map(|(name, _)| *name);
    let new = new.filter(|name| ours.iter().all(|(known, _)| known != name));
    let mut fields = Vec::new();
    let mut sides: [Vec<(&[u8], Vec<u8>)>; 2] = [Vec::new(), Vec::new()];
    for name in names.chain(new) {
        let (then, here, there) = (of(&base, name), of(&ours, name), of(&theirs, name));
        let word = json::name(name);
        let is_date = schema.roles(Role::Updated).any(|spec| spec.name == word);
        let values = match (here, there) {
            (here, there) if here == there || there == then => [here.clone(), here],
            (here, there) if here == then => [there.clone(), there],
            (here, there) if is_date => [here.clone().max(there.clone()), here.max(there)],
            both => {
                let shown = |value: &Option<Vec<u8>>| match value {
                    Some(value) => String::from_utf8_lossy(value).into_owned(),
                    None => "nothing".to_owned(),
                };
                fields.push(format!(
                    "{word} is {} in ours and {} in theirs",
                    shown(&both.0),
                    shown(&both.1)
                ));
                [both.0, both.1]
            }
        };
        for (side, value) in sides.iter_mut().zip(values) {
            side.extend(value.map(|value| (name, value)));
        }
    }
    let [ours, theirs] = sides.map(|side| written(&side));
    Some(match fields.is_empty() {
        true => Merged::clean(ours),
        false => Merged {
            fields,
            ..Merged::conflict(&ours, &theirs)
        },
    })
}

/// An object on one line.
fn written(properties: &[(&[u8], Vec<u8>)]) -> Vec<u8> {
    let all = properties
        .iter()
        .map(|(name, value)| [name, &b":"[..], value].concat());
    let all: Vec<Vec<u8>> = all.collect();
    [&b"{"[..], &all.join(&b','), b"}"].concat()
}
