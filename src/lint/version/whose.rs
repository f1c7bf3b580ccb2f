//! Whose a version is: of the project and its parts, or of an app, a site or a repository beside it.

use super::claim::words;
use super::mention::Mention;
use super::names::RUNTIMES;
use super::{Manifests, subject};
use crate::lint::Look;
use crate::lint::pairs::table::{STOP, Words};
use crate::lint::repository::{History, PLATFORMS};
use crate::lint::stale::FOREIGN;

/// What has versions of its own and is called after what it is for.
static KINDS: Words = Words::of(
    "app apps application applications site sites website websites repo repos repository repositories fork forks",
);

/// Words before them that tell none from others, or say what it is made of.
static ANY: Words = Words::of(
    "main whole entire same new old current single web client server backend frontend front-end \
back-end internal public own existing real actual legacy production staging team company monorepo mono \
git desktop cli two three both spa ssr single-page full-stack sample example",
);

/// What the parts of a project for phones are made with.
const OF_PHONES: &[&str] = &["react-native", "expo", "flutter"];

/// Who asks for a version that is not in use yet.
static BOTS: Words = Words::of("dependabot renovate renovatebot snyk bot");

/// Words behind a version that is not taken.
static PUT_OFF: Words = Words::of("wait decline postpone hold defer skip ignore later");

/// Whether a line says whose a version in it is, and that is no part of the project: `the council's
/// server runs x 1.2`, `the marketing site is on x 1.2`.
pub(super) fn is_of_others(
    look: &Look<'_>,
    manifests: &Manifests,
    line: &str,
    mention: &Mention<'_>,
) -> bool {
    let Ok(history) = look.cx.project.history() else {
        return false;
    };
    let before = line.get(..mention.bytes.start).unwrap_or_default();
    let after = line.get(mention.bytes.end..).unwrap_or_default();
    let after = after.split(". ").next().unwrap_or_default();
    let sentence = before.rsplit([';', '(']).next().unwrap_or_default();
    let sentence = sentence.rsplit(". ").next().unwrap_or_default();
    subject::owners(before).any(|owner| !history.has_part(owner))
        || is_asked_for(sentence, after)
        || is_for_others(after)
        || [" what ", " by ", " in "]
            .iter()
            .filter_map(|link| Some(after.split_once(link)?.1))
            .chain([sentence])
            .any(|part| Parts { history, manifests }.is_beside(part))
}

/// `dependabot wants x 1.2`, `x 1.2 is out, wait`.
fn is_asked_for(before: &str, after: &str) -> bool {
    let behind = |part: &str| words(part).next().is_some_and(|word| PUT_OFF.has(word));
    words(&before.to_lowercase()).any(|word| BOTS.has(word))
        || after.to_lowercase().split([',', ';']).skip(1).any(behind)
}

/// `x 1.2 for the vendor's tool`.
fn is_for_others(after: &str) -> bool {
    let after = after.to_lowercase();
    let all: Vec<&str> = words(&after).collect();
    let theirs = |word: &str| FOREIGN.has(word.trim_end_matches("'s"));
    all.windows(3)
        .any(|three| matches!(three, ["for" | "by", "the" | "a" | "our", word] if theirs(word)))
}

/// The project, as far as it is known what its parts are called.
struct Parts<'a> {
    history: &'a History,
    manifests: &'a Manifests,
}

impl Parts<'_> {
    /// Whether what a sentence speaks of stands beside the project, and not in it.
    fn is_beside(&self, sentence: &str) -> bool {
        let all: Vec<&str> = words(sentence).collect();
        let subject = all.iter().take_while(|word| !is_verb(word)).take(8);
        subject.enumerate().any(|(at, word)| {
            let word = word.trim_end_matches("'s");
            let next = all.get(at + 1..).unwrap_or_default();
            let of = match next {
                ["of", "the" | "our", name, ..] | ["of", name, ..] => Some(*name),
                _ => None,
            };
            // What is required is as good as never its own fork.
            let own = |name: &str| self.history.has_part(name) || self.manifests.is_called(name);
            let forked = word.starts_with("fork") && of.is_some_and(|name| !own(name));
            let named = || self.is_named(all.get(..at).unwrap_or_default());
            let kind = KINDS.has(&word.to_lowercase());
            // Its own name, or that of a repository that is called after it.
            (self.history.is_sister(word) && !self.has(word)) || (kind && (forked || named()))
        })
    }

    /// Whether the words before a kind of thing name it as one that is no part of the project.
    fn is_named(&self, before: &[&str]) -> bool {
        let mut names = before
            .iter()
            .rev()
            .take_while(|word| !STOP.split(' ').any(|stop| stop == word.to_lowercase()))
            .peekable();
        names.peek().is_some() && names.all(|name| !self.has(name) && !is_any(name))
    }

    fn has(&self, name: &str) -> bool {
        let phones = || {
            let parts = ["ios", "android", "mobile"];
            parts.iter().any(|part| self.history.has_part(part))
                || OF_PHONES.iter().any(|name| self.manifests.has(name))
        };
        self.history.has_part(name)
            || self.manifests.has(name)
            || self.manifests.is_called(name)
            || (PLATFORMS.has(&name.to_lowercase()) && phones())
    }
}

/// Whether a word before a kind of thing does not tell it from others.
fn is_any(name: &str) -> bool {
    let name = name.to_lowercase();
    ANY.has(&name)
        || name.ends_with("ed")
        || name.ends_with("'s")
        || RUNTIMES.contains(&name.as_str())
        || name.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_verb(word: &str) -> bool {
    static VERBS: Words = Words::of(
        "is are was were has have runs run uses use needs need requires require stays targets ships wants",
    );
    VERBS.has(&word.to_lowercase())
}
