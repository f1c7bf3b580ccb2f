//! What is said of texts, without the secrets in them.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

use super::{Hit, TABLE, find};
use crate::lint::Finding;
use crate::lint::chars::compact;
use crate::lint::rows::Hits;

/// Characters of a long secret that are shown, so that it can be told from others.
const SHOWN: usize = 4;

/// The least length of a secret of which anything is shown.
const LONG: usize = 16;

/// A text with asterisks in place of the secrets in it, as long in bytes as before.
///
/// The text may be a line of JSON: an escape hides no secret behind it.
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut hits = find(text);
    if let Some(blanked) = without_escapes(text) {
        let mut all = Hits::default();
        for hit in hits.into_iter().chain(find(&blanked)) {
            all.add(hit.row, hit.at);
        }
        hits = all.into_vec();
    }
    if hits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for hit in hits {
        masked.push_str(text.get(from..hit.at.start).unwrap_or_default());
        let secret = text.get(hit.at.clone()).unwrap_or_default();
        masked.push_str(&hidden(secret));
        from = hit.at.end;
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(masked)
}

/// A text with asterisks in place of whatever looks random in it, as long in bytes as before.
pub(super) fn hide_random(text: &str) -> String {
    let row = TABLE.row("secret");
    let is_random =
        |value: &str| row.is_some_and(|row| TABLE.is_value(row, value, &(0..value.len())));
    let part = |c: char| !(c.is_ascii_alphanumeric() || "_+/=-".contains(c));
    let pieces = text.split_inclusive(part).map(|piece| {
        let value = piece.trim_end_matches(part);
        let behind = piece.get(value.len()..).unwrap_or_default();
        match value.len() >= LONG && is_random(value) {
            true => Cow::Owned(hidden(value) + behind),
            false => Cow::Borrowed(piece),
        }
    });
    pieces.collect()
}

/// A text with blanks for the escapes of JSON, as long as before; none where it has none.
fn without_escapes(text: &str) -> Option<String> {
    static ESCAPE: LazyLock<Option<Regex>> =
        LazyLock::new(|| compact(r#"\\(?:u[0-9A-Fa-f]{4}|["\\/bfnrt])"#));
    if !text.contains('\\') {
        return None;
    }
    let blank = |found: &regex::Captures<'_>| " ".repeat(found.get(0).map_or(0, |all| all.len()));
    let blanked = ESCAPE.as_ref()?.replace_all(text, blank);
    matches!(blanked, Cow::Owned(_)).then(|| blanked.into_owned())
}

/// The same of bytes; of what is no UTF-8 line by line, so that the others stay as they are.
fn mask_bytes(bytes: Vec<u8>) -> Vec<u8> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return mask(&text).into_owned().into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let masked = lines.flat_map(|line| match mask(&String::from_utf8_lossy(line)) {
        Cow::Owned(masked) => masked.into_bytes(),
        Cow::Borrowed(_) => line.to_vec(),
    });
    masked.collect()
}

/// The same of a diff of these texts: what a secret is may be told by a line of a text that the
/// diff does not show.
pub fn mask_diff(diff: Vec<u8>, texts: &[Vec<u8>]) -> Vec<u8> {
    let mut masked = match String::from_utf8(mask_bytes(diff)) {
        Ok(masked) => masked,
        Err(error) => return error.into_bytes(),
    };
    for text in texts.iter().filter_map(|text| str::from_utf8(text).ok()) {
        if let Some(secrets) = Known::of(text, &find(text)) {
            secrets.hide(&mut masked);
        }
    }
    masked.into_bytes()
}

/// Takes the secrets out of what is said of a text: those of the text, wherever they are quoted,
/// and whatever else looks like one.
pub(in crate::lint) fn hide_all((text, hits): (&str, &[Hit]), findings: &mut [Finding]) {
    if findings.is_empty() {
        return;
    }
    let secrets = Known::of(text, hits);
    let said = findings.iter_mut().flat_map(|finding| {
        let title = finding.fix.as_mut().map(|fix| &mut fix.title);
        let said = finding.evidence.iter_mut().chain([&mut finding.message]);
        said.chain(title)
    });
    for said in said {
        if let Some(secrets) = &secrets {
            secrets.hide(said);
        }
        if let Cow::Owned(masked) = mask(said) {
            *said = masked;
        }
    }
}

/// The secrets of a text, to be found wherever they are quoted: in capitals or not, for patterns
/// are said as they are compiled.
pub(super) struct Known(AhoCorasick);

impl Known {
    /// Those that were found in a text; none where nothing was.
    pub fn of(text: &str, hits: &[Hit]) -> Option<Self> {
        let secrets = hits.iter().filter_map(|hit| text.get(hit.at.clone()));
        let mut secrets = secrets.filter(|secret| !secret.is_empty()).peekable();
        secrets.peek()?;
        let builder = &mut AhoCorasick::builder();
        let builder = builder.match_kind(MatchKind::LeftmostLongest);
        builder
            .ascii_case_insensitive(true)
            .build(secrets)
            .ok()
            .map(Self)
    }

    /// Hides them in what is said.
    pub fn hide(&self, said: &mut String) {
        let places: Vec<Range<usize>> = self.0.find_iter(&*said).map(|hit| hit.range()).collect();
        for at in places.into_iter().rev() {
            let hidden = hidden(said.get(at.clone()).unwrap_or_default());
            said.replace_range(at, &hidden);
        }
    }
}

/// A secret with asterisks for all but its first characters, where it is long enough. The marks
/// of the lines of a diff stay.
fn hidden(secret: &str) -> String {
    let keep = if secret.len() >= LONG { SHOWN } else { 0 };
    let mut hidden = String::with_capacity(secret.len());
    let mut before = ' ';
    for (n, c) in secret.chars().enumerate() {
        let mark = before == '\n' && matches!(c, '+' | '-');
        before = c;
        if n < keep || c == '\n' || mark {
            hidden.push(c);
        } else {
            hidden.extend(std::iter::repeat_n('*', c.len_utf8()));
        }
    }
    hidden
}
