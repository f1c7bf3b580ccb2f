//! Bodies that say nothing.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::compact;
use super::words::{STOP, Words};
use super::{Finding, Rule, Subject};
use crate::memory::golemcore::kin;
use crate::memory::{Role, Severity, Value};
use crate::text::tokens::{Kind, Token, stem_of, tokens};

/// A body that says nothing, or nothing that the title does not.
pub(super) struct EmptyBody;

/// What stands where something is still to be written.
const UNWRITTEN: [&str; 8] = [
    "todo",
    "tbd",
    "tba",
    "wip",
    "none",
    "n/a",
    "empty",
    "placeholder",
];

/// A sentence that only says that the text is to come.
static TO_COME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"^(?:(?:(?:this|it|the (?:text|content|rest|description)|text|content|details?|description|documentation|more(?: details)?|notes?)(?: (?:memory|note|section|entry|page))? )?(?:(?:(?:is|are|has|have|will|still|needs?) )*(?:to )?be (?:written|done|added|filled(?: in| out)?|completed|continued|documented|described|decided|determined|defined|provided|expanded|specified|updated|populated)|(?:still )?to (?:come|follow)|(?:is |are )?coming|(?:(?:is|are|was|has been) )?(?:not|un) ?(?:yet )?(?:been )?(?:written|documented|described|filled in)|nothing(?: here)?|(?:write|fill|add|document|describe) (?:this|me|it|details?)(?: (?:in|up|down|out))?|fill (?:this )?in)(?: (?:here|later|soon|shortly|yet|still|when there is time))*|work in progress|under construction|(?:none|nothing|empty|no (?:entries|items|notes|content|memories|lessons|learnings|findings|records|patterns|decisions|issues))(?: (?:here|recorded|added|written|noted|logged|documented))? (?:yet|so far|for now|as of now))$",
    )
});

/// The same of a line that stands in brackets or is set off as a remark, as templates write it.
static REMARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"^(?:(?:none|nothing|empty|todo|tbd)(?: [a-z]+)? ?(?:yet|so far|for now|[—–:;-]).*|(?:(?:to|will) be )?(?:auto-?)?(?:populated|filled(?: in| out)?|added|updated|written|completed|generated) (?:during|as|when|while|after|by|once|later|over|automatically|here)\b[^`]*)$",
    )
});

/// Whether a line says that nothing is there yet.
fn is_to_come(line: &str) -> bool {
    let is = |one: &LazyLock<Option<Regex>>, text: &str| {
        one.as_ref().is_some_and(|one| one.is_match(text))
    };
    let line = line.to_lowercase();
    let line = line.trim_start_matches(['-', '*', '>', ' ']);
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let remark = [('(', ')'), ('[', ']'), ('_', '_'), ('<', '>')];
    let whole = line.trim_end_matches(['.', '*']);
    let set_off = remark
        .iter()
        .any(|(open, close)| whole.starts_with(*open) && whole.ends_with(*close));
    is(&TO_COME, bare) || (set_off && is(&REMARK, bare))
}

/// Words that send a reader to the title: `See the title.`, `The title says it all.`
const POINTING: &str = "see read title heading says tells same above everything";

/// Letters that a word and another form of it begin with.
const FORM: usize = 5;

/// A body of more lines is not looked at word by word.
const FEW: usize = 3;

impl Rule for EmptyBody {
    fn id(&self) -> &'static str {
        "empty-body"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a body that says nothing the title does not"
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        // Of a file that could not be read it is not known what the body is.
        if subject.has_problem("load-error") {
            return;
        }
        let (start, body) = subject.body();
        let Some(says) = nothing(body, title(subject)) else {
            return;
        };
        let finding = subject.finding(self.id(), self.severity(), subject.at(start));
        out.push(finding.sure(0.95).says(says));
    }
}

/// The title, where it is a field and not taken from the body.
fn title<'a>(subject: &Subject<'a>) -> Option<&'a str> {
    let made = kin::has_made_title(subject.memory, subject.body().1);
    let title = subject.memory.role(Role::Title).and_then(Value::as_str);
    title.filter(|_| !made)
}

/// How a sentence begins that only says what its memory is about.
static ABOUT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"^(?i:(?:(?:this|the|these|some) )?(?:memory|memories|notes?|document|entry|file|page|section|information|info|details|documentation|overview)(?: (?:is|are))? (?:about|on|of|for|regarding|concerning|describ(?:es?|ing)|contain(?:s|ing)?|cover(?:s|ing)?|explain(?:s|ing)?|documents?|summari[sz]es?)(?: (?:information|info|details|notes|everything) (?:about|on|for|of))?(?: (?:how|what|where|why|when)\b)?) ",
    )
});

/// A memory that says of itself what it is about, and no more.
static ITSELF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"^(?i:this (?:memory|note|entry) (?:is about|describes|contains|covers|explains|documents|summari[sz]es)) [A-Za-z ,'-]+\.?$",
    )
});

/// Why a sentence that only says what it is about says nothing.
fn only_about(text: &str, title: Option<&str>) -> Option<&'static str> {
    let that = text.split(' ').any(|word| word == "that");
    if !that && ITSELF.as_ref()?.is_match(text) {
        return Some("the body only says what it is about");
    }
    let rest = text.get(ABOUT.as_ref()?.find(text)?.end()..)?;
    let title = words(title?);
    let said = words(rest);
    let known = |word: &String| {
        let is = |other: &String| {
            let (short, long) = if word.len() < other.len() {
                (word, other)
            } else {
                (other, word)
            };
            long == short || (short.len() >= FORM && long.starts_with(short.as_str()))
        };
        title.iter().any(is)
    };
    (!said.is_empty() && said.iter().all(known))
        .then_some("the body says nothing that the title does not")
}

/// The words of a text that say something, without their endings.
fn words(text: &str) -> Vec<String> {
    let content = content(text);
    let words = content.filter_map(|token| text.get(token.at));
    words.map(|word| stem_of(&word.to_lowercase())).collect()
}

/// The tokens of a text that say something.
fn content(text: &str) -> impl Iterator<Item = Token> {
    static STOPS: Words = Words::of(STOP);
    tokens(text).into_iter().filter(|token| {
        let word = text.get(token.at.clone()).unwrap_or_default();
        token.kind != Kind::Negation && !STOPS.has(&word.to_lowercase())
    })
}

/// Why a body says nothing.
fn nothing(body: &str, title: Option<&str>) -> Option<&'static str> {
    let body = without_comments(body);
    let lines = body
        .lines()
        .map(str::trim)
        .filter(|line| line.chars().any(char::is_alphanumeric));
    let lines: Vec<&str> = lines.take(40).collect();
    if lines.is_empty() {
        return Some("the body is empty");
    }
    let text: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !line.starts_with('#'))
        .collect();
    if let [only] = text.as_slice() {
        let bare = only.to_lowercase();
        let bare = bare.trim_matches(|c: char| !c.is_alphanumeric());
        if UNWRITTEN.contains(&bare) || is_to_come(only) {
            return Some("the body is still to be written");
        }
    }
    // What is longer says something; there is no need to read it word by word.
    if lines.len() > FEW {
        return None;
    }
    if let [only] = text.as_slice()
        && let Some(says) = only_about(only, title)
    {
        return Some(says);
    }
    let title = title?;
    let hashes = |text: &str| -> HashSet<u32> { content(text).map(|token| token.stem).collect() };
    let (said, known) = (hashes(&lines.join("\n")), hashes(title));
    let points = hashes(POINTING);
    let pointed = !said.is_disjoint(&hashes("title heading"));
    let is_known = |word: &u32| known.contains(word) || (pointed && points.contains(word));
    if !said.is_empty() && said.iter().all(is_known) {
        return Some("the body says nothing that the title does not");
    }
    text.is_empty()
        .then_some("the body is nothing but headings")
}

fn without_comments(body: &str) -> String {
    let mut rest = body;
    let mut text = String::with_capacity(body.len().min(4_096));
    while let Some((before, after)) = rest.split_once("<!--") {
        text.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_say_nothing() {
        let title = Some("Tests need the clock of the fixture");
        for body in [
            "",
            " \n\n",
            "---\n",
            "<!-- tags: a -->\n",
            "# Tests need the clock of the fixture\n",
            "Tests need the fixture's clock.",
            "TODO",
            "- TBD\n",
            "To be written.",
            "*To be filled in later*",
            "Details to follow.",
            "Coming soon",
            "This note is still to be written.",
            "Not yet documented.",
            "Nothing here yet.",
            "Fill this in later!",
            "Will be added soon.",
            "# Notes\n\n## Details\n",
            "Notes about tests and the fixture clock.",
            "This note describes how the tests use their fixtures.",
            "This memory explains how to deploy the API.",
            "(populated during reviews)",
            "## Patterns\n\n(none yet — add one when it recurs)",
            "To be written.",
            "_Will be filled in as the work goes on._",
            "- Nothing recorded yet.",
            "[added by the reviewer]",
            "Coming soon…",
            "(empty for now)",
            "No entries so far",
            "To be determined later.",
            "See the title.",
            "Same as the title above.",
            "The title says it all.",
        ] {
            assert!(nothing(body, title).is_some(), "{body:?}");
        }
        for body in [
            "Tests need the clock of the fixture: `Clock::fixed()`.",
            "See issue 12.",
            "The title of an issue says which clock it is about.",
            "To be written in Rust.",
            "Details follow the standard.",
            "To be deployed on Fridays only.",
            "Will be removed in 2.0.",
            "The endpoint is not documented: ask Ada.",
            "Nothing is written to disk.",
            "Add details of the host to the log.",
            "x",
            "认证需要令牌",
            "# Notes\n\nThe machine's clock drifts.",
            "Notes about staging.",
            "Notes for tests: seed the clock first.",
            "This note explains that the clock drifts.",
            "This file contains the clock of 12 fixtures.",
            "Document the clock of the fixture.",
            "Populated during reviews by `tools/fill.py`.",
            "To be written in Rust: the parser.",
            "None of the jobs may run twice.",
            "Nothing is cached here.",
            "No migrations yet: create the first one with make.",
            "(added in 2.3)",
            "(filled in by `make seed`)",
            "No issues so far with Node 22.",
        ] {
            assert!(nothing(body, title).is_none(), "{body:?}");
        }
        assert!(nothing("Tests need the clock", None).is_none());
    }
}
