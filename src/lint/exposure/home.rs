//! Paths of one person's machine.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::chars::{compact, quote};
use super::super::{Finding, Look, Rule};
use crate::memory::Severity;

/// A path in the home of one person.
pub struct PersonalPath;

/// Homes of persons: the name is the first group.
static HOME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"(?:^|[^0-9A-Za-z_.$}])((?:/Users|/home|/mnt/[a-z]/Users|/[a-z]/Users|[A-Za-z]:\\{1,2}Users|[A-Za-z]:/Users)[/\\]{1,2}([A-Za-z0-9][0-9A-Za-z_.-]{0,60})(?:[/\\][^\s"'`<>|)\],;]*)?)"#,
    )
});

/// Names of homes that are nobody's.
const NOBODY: [&str; 34] = [
    "user",
    "username",
    "you",
    "your",
    "yourname",
    "your-name",
    "your_name",
    "me",
    "name",
    "someone",
    "example",
    "shared",
    "public",
    "default",
    "runner",
    "runneradmin",
    "ubuntu",
    "node",
    "vscode",
    "app",
    "circleci",
    "ec2-user",
    "root",
    "admin",
    "developer",
    "dev",
    "coder",
    "codespace",
    "vagrant",
    "git",
    "linuxbrew",
    "gitpod",
    "foo",
    "test",
];

impl Rule for PersonalPath {
    fn id(&self) -> &'static str {
        "personal-path"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "a path of one person's machine"
    }

    fn reads_fields(&self) -> bool {
        true
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let paths = paths(look.text);
        let Some(first) = paths.first() else {
            return;
        };
        let count = paths.len();
        let says = match count {
            1 => "a path holds on one person's machine only".to_owned(),
            _ => format!("{count} paths hold on one person's machine only"),
        };
        let finding = look.finding(self.id(), self.severity(), look.at(first.start));
        let mut finding = finding.about(first.clone()).sure(0.9).says(says);
        for path in &paths {
            let shown = quote(look.text.get(path.clone()).unwrap_or_default());
            if finding.evidence.len() < 5 && !finding.evidence.contains(&shown) {
                finding.evidence.push(shown);
            }
        }
        out.push(finding);
    }
}

fn paths(text: &str) -> Vec<Range<usize>> {
    if !text.contains("/Users") && !text.contains("/home/") && !text.contains("\\Users") {
        return Vec::new();
    }
    let found = HOME.iter().flat_map(|pattern| pattern.captures_iter(text));
    let named = found.filter_map(|path| {
        let name = path.get(2)?.as_str().trim_end_matches('.').to_lowercase();
        let named = !NOBODY.contains(&name.as_str()) && !name.starts_with("xxx");
        let start = path.get(1)?.start();
        let path = unended(path.get(1)?.as_str());
        (named && !is_route(text, start, path, &name)).then_some(start..start + path.len())
    });
    named.collect()
}

/// A path without the mark that ends the sentence around it. `..` and `...` are part of one.
fn unended(path: &str) -> &str {
    let path = path.trim_end_matches(['!', '?', ':', '…']);
    let ended = path.strip_suffix('.');
    ended
        .filter(|path| !path.ends_with(['.', '/', '\\']))
        .unwrap_or(path)
}

/// Whether it is the address of a page: so it is called, a method stands in front of it, or it is
/// the name of one, and not that of a person.
fn is_route(text: &str, start: usize, path: &str, name: &str) -> bool {
    const PAGES: [&str; 18] = [
        "dashboard",
        "settings",
        "profile",
        "index.html",
        "index",
        "about",
        "news",
        "login",
        "feed",
        "search",
        "overview",
        "account",
        "notifications",
        "messages",
        "help",
        "page",
        "api",
        "welcome",
    ];
    if !path.starts_with("/home/") {
        return false;
    }
    let before = text.get(..start).unwrap_or_default();
    let word = last_word(before.chars().rev());
    const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    const CALLED: [&str; 10] = [
        "route",
        "routes",
        "url",
        "urls",
        "endpoint",
        "page",
        "pages",
        "redirect",
        "redirects",
        "href",
    ];
    METHODS.contains(&word.as_str())
        || CALLED.contains(&word.to_lowercase().as_str())
        || PAGES.contains(&name)
}

/// The last word before signs of a quotation, of characters from the last to the first. None before
/// it is read: a line may have thousands of paths.
fn last_word(backwards: impl Iterator<Item = char>) -> String {
    let signs = |c: &char| matches!(c, '`' | '"' | '\'' | '(' | ' ' | ':' | '*');
    let word = backwards
        .skip_while(signs)
        .take_while(|c| c.is_alphanumeric());
    let word: Vec<char> = word.collect();
    word.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_persons_are_told_from_others() {
        for (text, path) in [
            (
                "see /Users/maria/code/shop/src",
                "/Users/maria/code/shop/src",
            ),
            ("(/home/tomas.k/notes.md)", "/home/tomas.k/notes.md"),
            (r"C:\Users\Maria\shop", r"C:\Users\Maria\shop"),
            ("`/home/anna`", "/home/anna"),
            // The mark that ends a sentence is none of the path.
            (
                "The log is /Users/ann/Library/Logs/shop.log.",
                "/Users/ann/Library/Logs/shop.log",
            ),
            ("It was in /home/ann. Not now.", "/home/ann"),
            ("Is it /home/ann/src?", "/home/ann/src"),
            ("From /home/ann/src: see there", "/home/ann/src"),
            ("cd /home/ann/src/..", "/home/ann/src/.."),
        ] {
            let found = paths(text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(&text[found[0].clone()], path);
        }
        for text in [
            "/home/user/project",
            "/Users/username/x",
            "It is mounted at /home/user.",
            "/home/$USER/x",
            "/Users/<name>/x",
            "/home/runner/work/a",
            "~/code",
            "src/home/page.tsx",
            "https://shop.test/home/anna",
            "app/Users/list.tsx",
            "/home/",
            "The page `/home/dashboard` opens first.",
            "/home/settings/profile is public",
            "GET /home/offers.html is cached for an hour.",
            "Route `/home/offers` leads to `/login`.",
        ] {
            assert!(paths(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn of_a_long_line_only_the_last_word_is_read() {
        let line = format!("{} the route: `", "`/home/anna` ".repeat(1000));
        let mut read = 0;
        let word = last_word(line.chars().rev().inspect(|_| read += 1));
        assert_eq!((word.as_str(), read), ("route", "route: `".len() + 1));
    }
}
