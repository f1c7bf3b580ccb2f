//! Negative memories: they say what does not work or must not be done.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::memory::{Memory, Role, Value, first_sentence};
use crate::text::cut;

/// The phrases of `assets/caution.txt`, and the list of each. They are searched for as plain text: a
/// pattern of them all would take as long to build as a small store takes to read.
static PHRASES: LazyLock<Option<(AhoCorasick, Vec<&str>)>> = LazyLock::new(|| {
    let lines = include_str!("../../assets/caution.txt").lines();
    let lists = lines.filter_map(|line| line.split_once(": "));
    let phrases = lists.flat_map(|(list, all)| all.split('|').map(move |one| (list, plain(one))));
    let (lists, phrases): (Vec<_>, Vec<_>) = phrases.unzip();
    Some((AhoCorasick::new(phrases).ok()?, lists))
});

/// A text in lower case without apostrophes, with one blank between words: a file name has hyphens
/// there, and emphasis puts marks around words.
fn plain(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            '\'' | '’' => {}
            '-' | '_' | ' ' | '*' | '`' if all.ends_with(' ') => {}
            '-' | '_' | ' ' | '*' | '`' => all.push(' '),
            _ => all.push(c),
        }
    }
    all
}

fn warns(text: &str) -> bool {
    let text = plain(cut(text, 300));
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let found = PHRASES.iter().flat_map(|(phrases, lists)| {
        let found = phrases.find_overlapping_iter(&text);
        found.map(|one| (one.range(), lists.get(one.pattern().as_usize())))
    });
    found.into_iter().any(|(at, list)| {
        let before = text.get(..at.start).unwrap_or_default();
        let after = text.get(at.end..).unwrap_or_default();
        let is_end = !is_word(after.chars().next());
        match list.copied() {
            Some("kind") => ![before, after].concat().chars().any(char::is_alphanumeric),
            Some("first") => is_end && !before.chars().any(char::is_alphanumeric),
            Some("within") => is_end && !is_word(before.chars().next_back()),
            _ => true,
        }
    })
}

/// True if a body warns in the headings that it begins with, or in the first sentence of prose
/// behind them: the first of several items says little about the others.
fn begins_with_one(body: &str) -> bool {
    let lines = body.lines().map(str::trim).take(30);
    let lines = lines.filter(|line| !line.is_empty());
    let mut is_open = true;
    let mut first = lines.take_while(|line| std::mem::replace(&mut is_open, line.starts_with('#')));
    let is_item = |c: char| c.is_ascii_digit() || "|`<-+[".contains(c);
    first.any(|line| {
        let is_prose = !line.starts_with(is_item) && !line.starts_with("* ");
        is_prose && line.split(". ").next().is_some_and(warns)
    })
}

impl Memory {
    /// The same, negative if its title, type, tags, switches or beginning say so.
    pub(crate) fn with_caution(mut self, body: &[u8]) -> Self {
        let kinds = [Role::Type, Role::Tags].into_iter();
        let kinds = kinds.filter_map(|role| self.role(role));
        let mut kinds = kinds.flat_map(Value::items).filter_map(Value::as_str);
        let is_off = |(name, value): (&str, &Value)| {
            *value == Value::Bool(false) && warns(&format!("{name} off"))
        };
        let is_own = warns(&self.title) || kinds.any(warns) || self.fields.iter().any(is_off);
        let head = String::from_utf8_lossy(body.get(..6_000).unwrap_or(body));
        let is_described = self.role(Role::Description).is_some();
        self.gist = first_sentence(&head).filter(|_| !is_described);
        self.is_caution = !self.schema.can.context && (is_own || begins_with_one(&head));
        self
    }
}
