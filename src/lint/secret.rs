//! Secrets: keys, tokens, private keys and passwords. No finding shows one in full.
//!
//! Forms are rows of `assets/lint/secrets.toml`; `find_in_columns` reads tables with a telling
//! heading. Examples of what not to write and passwords of test users are masked and not reported.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

use super::chars::{cut, replaced};
use super::report::counted;
use super::rows::{Hit, Hits, Row, Table};
use super::{Finding, Rule, Subject};
use crate::text::mentions::{Block, Outline};
use crate::text::patterns::compact;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/secrets.toml")));

pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let hits = hits(subject);
    if hits.is_empty() {
        return;
    }
    // Random text beside a secret may be another secret.
    let masked = hide_random(&mask(subject.text));
    let outline = Outline::new(subject.text);
    for hit in hits {
        if is_shown(subject.text, &outline, hit) {
            continue;
        }
        let secret = subject.text.get(hit.at.clone()).unwrap_or_default();
        let length = counted(secret.chars().count(), "character");
        let says = format!("{} of {length} stands in the memory", hit.row.name);
        let place = subject.at_bytes(hit.at.clone());
        let finding = subject.finding(rule.id, rule.severity, place).says(says);
        let shown = line_around(&masked, &hit.at);
        out.push(finding.sure(hit.row.confidence).because(shown));
    }
}

/// Masks findings of one memory or of all: its secrets, and whatever else looks like one.
pub fn redact(subject: Option<&Subject<'_>>, findings: &mut [Finding]) {
    let subject = subject.filter(|_| !findings.is_empty());
    let secrets = subject.and_then(|one| KnownSecrets::new(one.text, hits(one)));
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

/// The secrets in a memory: the rule reports them, and hides them in what other rules report.
fn hits<'l>(subject: &'l Subject<'_>) -> &'l [Hit] {
    subject.of(|| find(subject.text))
}

/// The secrets of a text, in order, none inside another.
pub(super) fn find(text: &str) -> Vec<Hit> {
    let mut hits = TABLE.find(text);
    find_in_columns(text, &mut hits);
    hits.into_vec()
}

/// Lines of code above a secret, and bytes behind it, that say what it is.
const ABOVE: usize = 20;
const BEHIND: usize = 400;

/// True if the words around a secret say that it is an example, or a test user's made-up password.
fn is_shown(text: &str, outline: &Outline<'_>, hit: &Hit) -> bool {
    let at = |range: Range<usize>| text.get(range).unwrap_or_default();
    let is = |name, text| TABLE.words.is(name, text);
    let (own, kind) = outline.block(hit.at.start);
    let is_code = kind == Block::Code;
    // Its block, the lines of code above it and what leads to them, the nearest first.
    let blocks = std::iter::successors(Some((own.clone(), kind)), |(block, kind)| {
        let (before, above) = outline.block(block.start.checked_sub(1)?);
        let ends = || above != Block::Code && at(before.clone()).trim_end().ends_with(':');
        let leads = *kind == Block::Code || *block == own && ends();
        (before.end <= block.start && leads).then_some((before, above))
    });
    let blocks: Vec<Range<usize>> = blocks.take(ABOVE).map(|(block, _)| block).collect();
    let headings: Vec<&str> = outline.headings(own.start).collect();
    // A sentence may say "never" of something else than its secret.
    let near = blocks.iter().skip(usize::from(!is_code));
    let near = near.map(|block| at(block.clone()));
    let mut near = near.chain(headings.first().copied());
    let told = near.find(|text| is("bad", text) || is("good", text));
    let line = at(0..hit.at.start).rfind('\n').map_or(0, |n| n + 1);
    let is_cut = is("cut", at(hit.at.end..text.len()));
    let is_bad = told.is_some_and(|text| is("bad", text));
    if is_cut || is_bad || is("before", at(line..hit.at.start)) {
        return true;
    }
    let start = blocks.last().map_or(own.start, |block| block.start);
    let end = if is_code { text.len() } else { own.end };
    let around = cut(at(start..end), hit.at.end - start + BEHIND);
    let line = at(line..text.len()).lines().next().unwrap_or_default();
    let any = |name, text| is(name, text) || headings.iter().any(|title| is(name, title));
    TABLE.is_made_up(hit.row, at(hit.at.clone())) && any("test", around) && !any("real", line)
}

/// Bytes around a secret that are shown.
const AROUND: usize = 60;

/// The line a secret stands in, masked, and cut where it is long.
fn line_around(masked: &str, at: &Range<usize>) -> String {
    let before = masked.get(..at.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let after = masked.get(at.start..).unwrap_or_default();
    let end = after.find('\n').map_or(masked.len(), |n| at.start + n);
    let from = cut(masked, start.max(at.start.saturating_sub(AROUND))).len();
    let to = cut(masked, end.min(at.start + AROUND)).len();
    let line = masked.get(from.max(start)..to).unwrap_or_default();
    line.trim().to_owned()
}

/// Headings of columns of passwords (first group) and of other secrets (second group).
static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:^|[ _/-])(?:(passw(?:or)?d|pwd|passphrase|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord)|(token|secret|(?:api|access|secret|private|signing|encryption|integration|licen[cs]e)[ _-]?key))$",
    )
});

/// Bytes that a password has at least.
const SHORTEST: usize = 6;

/// Adds the secrets of the tables in a text to those that were found otherwise.
fn find_in_columns(text: &str, hits: &mut Hits) {
    if !text.contains('|') {
        return;
    }
    let mut columns: Vec<Option<&'static Row>> = Vec::new();
    let mut before = "";
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.contains('|') {
            columns.clear();
        } else if is_rule(line) {
            columns = cells(before).map(|(_, cell)| row_of(cell)).collect();
        } else if columns.iter().any(Option::is_some) {
            for ((place, cell), row) in cells(line).zip(&columns) {
                let at = start + place.start..start + place.end;
                if let Some(row) = row
                    && cell.len() >= SHORTEST
                    && !cell.contains(char::is_whitespace)
                    && TABLE.is_value(row, text, &at)
                {
                    hits.add(row, at);
                }
            }
        }
        start += line.len();
        before = line;
    }
}

/// True if a line is the one between the headings of a table and its rows.
fn is_rule(line: &str) -> bool {
    let inside = line.trim_start_matches(['>', '+', ' ']).trim();
    let mut bytes = inside.bytes();
    inside.contains("--") && bytes.all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// The cells of a row, without emphasis and the marks of code, quotations and diffs, and their bytes.
fn cells(line: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let marks = |c: char| matches!(c, '>' | '+' | '-') || c.is_whitespace();
    let row = line.trim_start_matches(marks);
    let row = row.strip_prefix('|').unwrap_or(row).trim_end();
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(move |cell| {
        let cell = cell.trim_matches(|c: char| c.is_whitespace() || "`*\"'".contains(c));
        // The cells are slices of the line.
        let start = cell.as_ptr() as usize - line.as_ptr() as usize;
        (start..start + cell.len(), cell)
    })
}

fn row_of(heading: &str) -> Option<&'static Row> {
    let captures = HEADING.as_ref()?.captures(heading)?;
    let password = captures.get(1).is_some();
    TABLE.row(if password { "password" } else { "secret" })
}

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
fn hide_random(text: &str) -> String {
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
    let changed = Some(masked).filter(|masked| *masked != text);
    changed.map_or(diff, String::into_bytes)
}

/// Finds the secrets of a text in messages, in any case: compiled patterns are in lower case.
struct KnownSecrets(AhoCorasick);

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

#[cfg(test)]
mod tests;
