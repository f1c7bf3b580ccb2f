//! Masks secrets in texts, diffs and messages.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

use super::{Hit, TABLE, find};
use crate::lint::Finding;
use crate::lint::chars::replaced;
use crate::lint::rows::Hits;
use crate::text::patterns::compact;

/// Characters of a long secret that are shown, so that it can be told from others.
const SHOWN: usize = 4;

/// The least length of a secret of which anything is shown.
const LONG: usize = 16;

/// Replaces the secrets of a text by asterisks; its length in bytes stays.
/// The text may be a line of JSON, in which a secret may stand directly behind an escape.
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
    let secret = |at: &Range<usize>| text.get(at.clone()).unwrap_or_default();
    let parts = hits
        .into_iter()
        .map(|hit| (hit.at.clone(), hidden(secret(&hit.at))));
    Cow::Owned(replaced(text, parts))
}

/// Replaces whatever looks random in a text by asterisks; its length in bytes stays.
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

/// Replaces the escapes of JSON by blanks, in a text that has any.
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

/// Masks a diff of these texts. A line outside the diff, such as a heading, may reveal a secret.
/// Bytes that are not UTF-8 stay, unless a secret stands beside them.
pub fn mask_diff(diff: Vec<u8>, texts: &[Vec<u8>]) -> Vec<u8> {
    let text = String::from_utf8_lossy(&diff).into_owned();
    let mut masked = mask(&text).into_owned();
    for text in texts.iter().filter_map(|text| str::from_utf8(text).ok()) {
        if let Some(secrets) = KnownSecrets::new(text, &find(text)) {
            secrets.hide(&mut masked);
        }
    }
    if masked == text {
        diff
    } else {
        masked.into_bytes()
    }
}

/// Masks findings about a text: its secrets, and whatever else looks like one.
pub(in crate::lint) fn hide_all((text, hits): (&str, &[Hit]), findings: &mut [Finding]) {
    if findings.is_empty() {
        return;
    }
    let secrets = KnownSecrets::new(text, hits);
    let messages = findings.iter_mut().flat_map(|finding| {
        let title = finding.fix.as_mut().map(|fix| &mut fix.title);
        let texts = finding.evidence.iter_mut().chain([&mut finding.message]);
        texts.chain(title)
    });
    for message in messages {
        if let Some(secrets) = &secrets {
            secrets.hide(message);
        }
        if let Cow::Owned(masked) = mask(message) {
            *message = masked;
        }
    }
}

/// Finds the secrets of a text in messages, in any case: compiled patterns are in lower case.
pub(super) struct KnownSecrets(AhoCorasick);

impl KnownSecrets {
    /// The secrets at these places of a text; none without any.
    pub fn new(text: &str, hits: &[Hit]) -> Option<Self> {
        let secrets = hits.iter().filter_map(|hit| text.get(hit.at.clone()));
        let mut secrets = secrets.filter(|secret| !secret.is_empty()).peekable();
        secrets.peek()?;
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest);
        builder.ascii_case_insensitive(true);
        builder.build(secrets).ok().map(Self)
    }

    /// Masks them in a message.
    pub fn hide(&self, message: &mut String) {
        let places: Vec<Range<usize>> =
            self.0.find_iter(&*message).map(|hit| hit.range()).collect();
        for at in places.into_iter().rev() {
            let hidden = hidden(message.get(at.clone()).unwrap_or_default());
            message.replace_range(at, &hidden);
        }
    }
}

/// Asterisks for a secret; the first characters of a long one and the marks of a diff stay.
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
