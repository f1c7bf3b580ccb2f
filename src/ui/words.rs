//! Numbers, ages and counts as a person reads them.

use std::borrow::Cow;

pub use crate::app::history::ago;
pub use crate::memory::number;
use crate::memory::{Memory, Severity};

pub fn title(memory: &Memory) -> Cow<'_, str> {
    plain(&memory.title)
}

/// A title without the secrets and the asterisks of bold words in it.
pub fn plain(title: &str) -> Cow<'_, str> {
    let shown = crate::lint::mask(title);
    match shown.contains("**") {
        true => Cow::Owned(shown.replace("**", "")),
        false => shown,
    }
}

/// A hint of a policy with the way of the screen in the place of a flag.
pub fn hint(text: &str) -> String {
    match text.strip_suffix(" (--file PATH)") {
        Some(what) => format!("Tab adds a file · {what}"),
        None => text.to_owned(),
    }
}

/// A count with its noun: `1 memory`, `3 memories`.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// Points without a useless fraction.
pub fn points(points: f64) -> String {
    match points {
        whole if whole.fract() == 0.0 => format!("{whole:.0}"),
        small if small.abs() < 2.0 => format!("{small:.2}"),
        points => format!("{points:.1}"),
    }
}

/// The part of a path that tells it from others: without the folders, and the first words of a
/// name whose words are parted by `-`, that all of them begin with, and the folders that all end
/// with.
pub fn apart<'a>(path: &'a str, all: impl Iterator<Item = &'a str>) -> &'a str {
    let (mut head, mut tail) = (path.len(), path.len());
    for other in all.filter(|other| *other != path) {
        let alike = |(a, b): &(u8, u8)| a == b;
        head = head.min(path.bytes().zip(other.bytes()).take_while(alike).count());
        let ends = path.bytes().rev().zip(other.bytes().rev());
        tail = tail.min(ends.take_while(alike).count());
    }
    let same = path.get(..head).unwrap_or_default();
    let folder = same.rfind('/').map_or(0, |at| at + 1);
    let is_mangled = path.get(folder..).is_some_and(|name| name.starts_with('-'));
    let start = match same.rfind('-') {
        Some(word) if is_mangled && word >= folder => word + 1,
        _ => folder,
    };
    let end = path.get(path.len() - tail..);
    let end = end.and_then(|same| same.find('/'));
    let end = end.map_or(path.len(), |at| path.len() - tail + at);
    let own = path.get(start..end).filter(|own| !own.is_empty());
    own.unwrap_or(path)
}

pub const fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "✗",
        Severity::Warning => "!",
        Severity::Info => "·",
    }
}

/// Asks before work is discarded; a narrow screen cuts the words, never the keys.
pub fn discard(what: &str, columns: usize) -> String {
    let long = format!("Discard {what}?  y discard  n keep editing");
    let middle = format!("Discard {what}? y/n");
    let fits = |text: &String| super::safe::width(text) <= columns;
    let text = [long, middle].into_iter().find(fits);
    text.unwrap_or_else(|| "Discard? y/n".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Timestamp;

    #[test]
    fn ages_speak() {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let now = Timestamp(1000 * DAY);
        let hour = DAY / 24;
        for (before, long) in [
            (0, "just now"),
            (5 * hour / 60, "5 minutes ago"),
            (hour, "1 hour ago"),
            (3 * DAY, "3 days ago"),
            (14 * DAY, "2 weeks ago"),
            (58 * DAY, "8 weeks ago"),
            (90 * DAY, "3 months ago"),
            (800 * DAY, "2 years ago"),
            (-DAY, "in 1 day"),
            (-20 * DAY, "in 2 weeks"),
        ] {
            assert_eq!(ago(Timestamp(now.0 - before), now), long);
        }
    }

    #[test]
    fn paths_are_told_apart_by_what_is_their_own() {
        let all = |names: [&str; 2]| names.map(|name| format!("~/.claude/projects/{name}/memory"));
        for (names, own) in [
            (["-home-me-shop", "-home-me-web"], ["shop", "web"]),
            (["-home-me-shop", "-home-me-shop-web"], ["shop", "shop-web"]),
            (["-a", "-b"], ["a", "b"]),
        ] {
            let paths = all(names);
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let apart = paths.iter().map(|path| apart(path, paths.iter().copied()));
            assert_eq!(apart.collect::<Vec<_>>(), own);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(12_345), "12,345");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(count(1, "memory", "memories"), "1 memory");
        assert_eq!(points(55.0), "55");
        assert_eq!(points(7.25), "7.2");
    }
}
