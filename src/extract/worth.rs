//! The memories that a session drew on, and those that it went against.
//!
//! ```text
//! memory ─> its name, code spans and rare words ─┬─ in the agent's words and deeds ──> drawn on
//!           code spans behind a prohibition ─────┴─ in its deeds ───────────────────> gone against
//! ```

use std::collections::HashSet;
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::Regex;

use super::session::{Session, Step};
use crate::memory::worth::Part;
use crate::retrieval::phrase::stems;
use crate::text::opposites::is_negation;
use crate::text::word_lists::Words;

/// A memory that a session was given.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Its name in its store.
    pub name: &'a str,
    /// Its text, the title first.
    pub text: &'a str,
}

/// The use that a session made of a memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Use {
    /// Its part.
    pub part: Part,
    /// Lines that show it.
    pub evidence: Vec<String>,
    points: f64,
}

/// Points from which on a memory was drawn on.
const ENOUGH: f64 = 1.0;
/// Points of the memory's name, of a command, of one name of code, and of a rare word.
const NAMED: f64 = 2.0;
const COMMAND: f64 = 1.5;
const CODE: f64 = 1.0;
const WORD: f64 = 0.35;
/// Rare words that it takes, and the share of a memory's rare words from which on each counts whole.
const FEWEST_WORDS: usize = 2;
const SHARE: f64 = 0.4;
const SHORTEST: usize = 3;
const SHORTEST_NAME: usize = 5;
/// Words that may stand between two words of a command.
const GAP: usize = 3;
const MOST_EVIDENCE: usize = 5;

static STOP: Words = Words::named("every-text");

static SPAN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("`([^`\n]{2,120})`").ok());

/// A forbidding phrase before a code span.
static FORBIDS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:instead of|rather than|in place of)\s").ok());

#[derive(Debug)]
struct Span {
    /// Its words in lower case, without placeholders.
    words: Vec<String>,
    is_forbidden: bool,
}

/// The texts of a session by what they tell.
struct Heard {
    /// Words of the person: an answer repeats it whatever it was given.
    asked: String,
    told: String,
    /// Lines of what it did: commands, paths of changed files, lines that it added.
    done: Vec<String>,
}

impl Heard {
    fn new(session: &Session, task: &str) -> Self {
        let mut heard = Self {
            asked: task.to_lowercase(),
            told: String::new(),
            done: Vec::new(),
        };
        for step in &session.steps {
            match step {
                Step::Person(text) => heard.asked += &format!("\n{}", text.to_lowercase()),
                Step::Agent(text) | Step::Commit(text) => {
                    heard.told += &format!("\n{}", text.to_lowercase());
                }
                Step::Run(run) => heard.done.extend(run.line.lines().map(str::to_lowercase)),
                Step::Edit(edit) => {
                    heard.done.push(edit.path.to_lowercase());
                    heard.done.extend(edit.added.lines().map(str::to_lowercase));
                }
                Step::Read(_) | Step::Gone => {}
            }
        }
        heard
    }

    fn is_done(&self, words: &[String]) -> bool {
        self.done.iter().any(|line| has(line, words))
    }

    fn is_told(&self, words: &[String]) -> bool {
        self.told.lines().any(|line| has(line, words))
    }
}

/// The use that a session made of each memory that it was given for a task.
pub fn uses(given: &[Given<'_>], session: &Session, task: &str) -> Vec<Use> {
    let heard = Heard::new(session, task);
    let all_words = given.iter().map(|one| words(one.text)).collect_vec();
    let counts = all_words.iter().flatten().counts();
    let own = words(&[&*heard.told, &heard.done.join("\n")].join("\n"));
    let asked = words(&heard.asked);
    let each = given.iter().zip(&all_words).map(|(one, own_words)| {
        let mut found = Use::default();
        found.by_name(one, &heard);
        for span in spans(one.text) {
            found.by_span(&span, &heard);
        }
        let rare = own_words.iter().filter(|word| counts.get(word) == Some(&1));
        let rare = rare.filter(|word| !asked.contains(*word)).collect_vec();
        found.by_words(&rare, &own);
        if found.part == Part::Unused && found.points >= ENOUGH {
            found.part = Part::Drawn;
        }
        found.evidence.truncate(MOST_EVIDENCE);
        found
    });
    each.collect()
}

impl Use {
    fn add(&mut self, points: f64, evidence: String) {
        self.points += points;
        self.evidence.push(evidence);
    }

    /// How sure it is, 0 to 1.
    pub fn confidence(&self) -> f64 {
        match self.part {
            Part::Unused => 1.0 - self.points / 2.0,
            Part::Drawn => (0.5 + self.points / 6.0).min(0.95),
            Part::Against => 0.9,
        }
    }

    /// Counts the name of the memory, where it is a name and no word.
    fn by_name(&mut self, one: &Given<'_>, heard: &Heard) {
        let name = one.name.to_lowercase();
        let is_name = name.len() >= SHORTEST_NAME && !name.chars().all(char::is_alphabetic);
        let name = [name];
        if is_name && heard.is_told(&name) && !has(&heard.asked, &name) {
            self.add(NAMED, format!("names it: {}", one.name));
        }
    }

    /// Counts a code span; done in spite of a prohibition, it decides.
    fn by_span(&mut self, span: &Span, heard: &Heard) {
        let (words, text) = (&span.words, span.words.join(" "));
        if has(&heard.asked, words) {
            return;
        }
        let is_done = heard.is_done(words);
        if span.is_forbidden && is_done {
            self.part = Part::Against;
            self.evidence
                .insert(0, format!("did what it forbids: {text}"));
        } else if is_done || heard.is_told(words) {
            let worth = if words.len() > 1 { COMMAND } else { CODE };
            let how = if is_done { "did" } else { "wrote" };
            self.add(worth, format!("{how} `{text}`"));
        }
    }

    /// Counts the words that no other memory and no request has.
    fn by_words(&mut self, rare: &[&String], own: &HashSet<String>) {
        let found = rare.iter().filter(|word| own.contains(**word));
        let found = found.collect_vec();
        if found.len() >= FEWEST_WORDS {
            let share = found.len() as f64 / rare.len().max(1) as f64;
            let worth = WORD * found.len() as f64 * (share / SHARE).min(1.0);
            let shown = found.iter().sorted().join(", ");
            self.add(worth, format!("has its words: {shown}"));
        }
    }
}

/// The stems of a text that tell it from others.
fn words(text: &str) -> HashSet<String> {
    let all = stems(text).into_iter();
    let all = all.filter(|(stem, at)| {
        let word = text.get(at.clone()).unwrap_or_default().to_lowercase();
        stem.chars().count() >= SHORTEST
            && !STOP.has(&word)
            && !word.starts_with(|c: char| c.is_ascii_digit())
    });
    all.map(|(stem, _)| stem).collect()
}

/// The code spans of a text. One is forbidden where its clause says so before it.
fn spans(text: &str) -> Vec<Span> {
    let (mut all, mut end) = (Vec::new(), 0);
    for found in SPAN.iter().flat_map(|form| form.captures_iter(text)) {
        let (Some(whole), Some(code)) = (found.get(0), found.get(1)) else {
            continue;
        };
        let before = text.get(end..whole.start()).unwrap_or_default();
        end = whole.end();
        let is_forbidden = forbids(before);
        let words = code_words(code.as_str());
        if words.iter().map(String::len).sum::<usize>() >= SHORTEST {
            all.push(Span {
                words,
                is_forbidden,
            });
        }
    }
    all
}

/// True if the last clause of a text forbids what follows.
pub(super) fn forbids(before: &str) -> bool {
    let clause = before.rsplit([';', ':', '.', '!', '\n']).next();
    let clause = clause.unwrap_or_default().to_lowercase();
    let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let phrase = FORBIDS.as_ref().is_some_and(|form| form.is_match(&clause));
    phrase || words.any(|word| is_negation(&word.replace('’', "'")))
}

/// The words of a code span in lower case, without placeholders and the brackets of a call.
fn code_words(code: &str) -> Vec<String> {
    let all = code.split_whitespace().collect_vec();
    let is_placeholder = |word: &str| {
        let is_bracketed =
            word.starts_with(['<', '{', '[', '$']) && word.ends_with(['>', '}', ']']);
        all.len() > 1 && (is_bracketed || word.trim_matches('.').is_empty() || word == "…")
    };
    let kept = all.iter().filter(|word| !is_placeholder(word));
    let kept = kept.map(|word| word.trim_end_matches("()"));
    let kept = kept.map(|word| word.trim_end_matches(['>', ',', ';']));
    let kept = kept.map(str::to_lowercase);
    kept.filter(|word| !word.is_empty()).collect()
}

/// True if a line has some words in their order, with little between them.
fn has(line: &str, words: &[String]) -> bool {
    match words {
        [] => false,
        [only] => line.match_indices(&**only).any(|(at, _)| {
            let is_part =
                |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            let after = line
                .get(at + only.len()..)
                .and_then(|text| text.chars().next());
            let begins = only.starts_with(|c: char| c.is_alphanumeric());
            let ends = only.ends_with(|c: char| c.is_alphanumeric());
            !(begins && is_part(before) || ends && is_part(after))
        }),
        [first, rest @ ..] => {
            let is_sign = |c: char| "\"'`,;()".contains(c);
            let all = line.split_whitespace();
            let all = all.map(|word| word.trim_matches(is_sign)).collect_vec();
            let starts = all.iter().positions(|word| word == first);
            starts.into_iter().any(|start| {
                let mut at = start;
                rest.iter().all(|word| {
                    let mut next = all.iter().skip(at + 1).take(GAP);
                    let steps = next.position(|own| own == word);
                    at += steps.map_or(0, |steps| steps + 1);
                    steps.is_some()
                })
            })
        }
    }
}
