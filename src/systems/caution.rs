//! Negative memories: they say what does not work or must not be done.

use std::sync::LazyLock;

use regex::Regex;

use crate::memory::{Memory, Role, Value};
use crate::text::{cut, patterns::compact};

/// The phrases of `assets/caution.txt`.
static PHRASES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let lines = include_str!("../../assets/caution.txt").lines();
    let lists = lines.filter_map(|line| line.split_once(": "));
    let patterns = lists.map(|(list, phrases)| {
        // Names have other signs for blanks, and some words of a phrase stand out.
        let phrases = phrases.replace(' ', "[-_ *`]{1,3}").replace('\'', "['’]?");
        match list {
            "kind" => format!(r"^\W*(?:{phrases})\W*$"),
            "first" => format!(r"^\W*(?:{phrases})(?:\W|$)"),
            "within" => format!(r"(?:^|\W)(?:{phrases})(?:\W|$)"),
            _ => phrases,
        }
    });
    compact(&format!("(?i){}", patterns.collect::<Vec<_>>().join("|")))
});

fn warns(text: &str) -> bool {
    (PHRASES.as_ref()).is_some_and(|phrases| phrases.is_match(cut(text, 300)))
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
        self.is_caution = !self.schema.can.context && (is_own || begins_with_one(&head));
        self
    }
}
