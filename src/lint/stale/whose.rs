//! Whose the file is that a sentence names: this repository's as it is now, or that of another
//! repository, a branch, a tag or a release.
//!
//! What a path is said to be in is read as a phrase, `the infra repo`, `release-3.1`, where it can
//! be nothing else: at the start of a clause behind `in`, as what has the path, right before the
//! path, or right behind it.

use std::ops::Range;

use super::abroad::FOREIGN;
use crate::lint::pairs::table::Words;
use crate::lint::repository::History;

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Word(&'t str),
    /// A sign; `'` for the ending of whom something is.
    Mark(char),
}

use Piece::{Mark, Word};

/// Whether the text around a path says that it is not of this repository, or not of its current
/// state.
pub(super) fn is_elsewhere(history: &History, text: &str, path: &Range<usize>) -> bool {
    let part = |range: Range<usize>| text.get(range).unwrap_or_default().to_lowercase();
    let (before, after) = (part(0..path.start), part(path.end..text.len()));
    let before = before.replace('’', "'");
    let ends = [". ", "! ", "? ", ".\n", "\n\n"];
    let last = ends
        .iter()
        .filter_map(|end| Some(before.rfind(end)? + end.len()));
    let before = before.get(last.max().unwrap_or_default()..);
    let first = ends.iter().filter_map(|end| after.find(end)).min();
    let after = after.get(..first.unwrap_or(after.len()));
    let (before, after) = (
        pieces(before.unwrap_or_default()),
        pieces(after.unwrap_or_default()),
    );
    let reader = Reader {
        history,
        // Code has repositories too: `the user repository, src/repo/user.ts`.
        in_code: part(path.clone())
            .split(['/', '.', '-', '_'])
            .any(|part| part.starts_with("repo")),
        there: after.first() == Some(&Word("there")),
    };
    reader.says(&before, &after)
}

/// Whether a heading, or the line above a list, says that what follows is elsewhere.
pub(super) fn is_of_elsewhere(history: &History, label: &str) -> bool {
    let label = label.to_lowercase();
    let all = pieces(label.trim_start_matches(['#', ' ']));
    let reader = Reader {
        history,
        in_code: false,
        there: false,
    };
    let whole = |all: &[Piece<'_>]| {
        let phrase = reader.whose(all);
        phrase.is_some_and(|(count, other)| {
            other && matches!(all.get(count), None | Some(Mark(':' | '(' | '-')))
        })
    };
    match all.split_first() {
        Some((Word(word), rest)) if IN.has(word) => {
            reader.whose(rest).is_some_and(|(_, other)| other)
        }
        _ => whole(&all),
    }
}

/// Reads who has what is named in a sentence.
struct Reader<'a> {
    history: &'a History,
    /// Whether the path is that of a repository in the code.
    in_code: bool,
    /// Whether `there` stands behind the path.
    there: bool,
}

impl Reader<'_> {
    fn says(&self, before: &[Piece<'_>], after: &[Piece<'_>]) -> bool {
        if self.is_checked_out(before) {
            return true;
        }
        let behind = self.behind(after);
        behind
            .or_else(|| self.opening(before))
            .unwrap_or_else(|| self.is_right_before(before))
    }

    /// `check out v2.1 and run x`.
    fn is_checked_out(&self, before: &[Piece<'_>]) -> bool {
        before.iter().enumerate().any(|(at, piece)| {
            let rest = before.get(at + 1..).unwrap_or_default();
            let rest = match (piece, rest) {
                (Word("check"), [Word("out"), rest @ ..])
                | (Word("checkout"), rest)
                | (Word("switch"), [Word("to"), rest @ ..]) => rest,
                _ => return false,
            };
            self.whose(rest).is_some_and(|(_, other)| other)
        })
    }

    /// `x of their own repo`, `x is still on the v2 branch`.
    fn behind(&self, after: &[Piece<'_>]) -> Option<bool> {
        let passed = |piece: &Piece<'_>| match piece {
            Word(word) => STANDS.has(word),
            Mark(mark) => matches!(mark, ')' | '`'),
        };
        let at = after.iter().position(|piece| !passed(piece))?;
        match after.get(at..)? {
            [Word(word), rest @ ..] if IN.has(word) || *word == "of" => {
                self.whose(rest).map(|(_, other)| other)
            }
            _ => None,
        }
    }

    /// `In the infra repo, x`, `Upstream still has x`, `tide-infra: x`: the last that says so.
    fn opening(&self, before: &[Piece<'_>]) -> Option<bool> {
        let opens = |at: usize| match at.checked_sub(1).and_then(|at| before.get(at)) {
            None => true,
            Some(Mark(mark)) => *mark != '\'',
            Some(Word(word)) => OPENS.has(word),
        };
        let mut starts = (0..before.len()).rev().filter(|at| opens(*at));
        starts.find_map(|at| {
            let rest = skipped(before.get(at..)?);
            match rest {
                [Word(word), rest @ ..] if IN.has(word) => {
                    let (count, other) = self.whose(rest)?;
                    // `In the fork of the worker`, but `in v1.4 of the protocol`.
                    (rest.get(count) != Some(&Word("of"))).then_some(other)
                }
                _ => {
                    let (count, other) = self.whose(rest)?;
                    self.has_it(rest.get(count..)?).then_some(other)
                }
            }
        })
    }

    /// Whether what is named before is told to have what follows.
    fn has_it(&self, rest: &[Piece<'_>]) -> bool {
        let rest = match rest {
            [Mark(':'), ..] => return true,
            [Mark('\''), rest @ ..] => return rest.iter().all(is_filling),
            [Mark('('), rest @ ..] => {
                let end = rest.iter().position(|piece| *piece == Mark(')'));
                end.and_then(|end| rest.get(end + 1..)).unwrap_or_default()
            }
            rest => rest,
        };
        matches!(skipped(rest), [Word(verb), ..] if HOLDS.has(verb))
    }

    /// `Look at tide-legacy's x`, `See github.com/acme/charts, x`, `copied from the tide-ios
    /// project (x there)`.
    fn is_right_before(&self, before: &[Piece<'_>]) -> bool {
        let from = before.len().saturating_sub(12);
        (from..before.len()).any(|at| {
            let [Word(word), rest @ ..] = before.get(at..).unwrap_or_default() else {
                return false;
            };
            let leads = IN.has(word) || matches!(*word, "see" | "of");
            (leads || (self.there && *word == "from"))
                && self
                    .whose(rest)
                    .is_some_and(|(count, other)| other && rest.iter().skip(count).all(is_filling))
        })
    }

    /// What a phrase at the start of these names: how many pieces it is long, and whether that is
    /// elsewhere; nothing where it names no place of files.
    fn whose(&self, all: &[Piece<'_>]) -> Option<(usize, bool)> {
        let leads = |piece: &&Piece<'_>| matches!(piece, Word(word) if DETERMINERS.has(word));
        let start = all.iter().take_while(leads).count();
        let rest = all.get(start..)?;
        let led = |words: &[&str]| {
            all.iter()
                .take(start)
                .any(|piece| words.iter().any(|word| *piece == Word(word)))
        };
        let Some(Word(first)) = rest.first() else {
            return None;
        };
        let next = rest.get(1);
        let kind = |piece: &Piece<'_>| matches!(piece, Word(word) if REPOSITORIES.has(word) || COPIES.has(word) || STATES.has(word) || PROJECTS.has(word));
        let alone = !next.is_some_and(kind);
        if alone && CURRENT.has(first) {
            return Some((start + 1, false));
        }
        if alone && is_release(first) {
            return (next != Some(&Word("of"))).then_some((start + 1, true));
        }
        if let Some(place) = hosted(first) {
            return (!self.history.is_published_at(place)).then_some((start + 1, true));
        }
        let ends = |piece: Option<&Piece<'_>>| match piece {
            None | Some(Mark(_)) => true,
            Some(Word(word)) => is_small(word) || HOLDS.has(word),
        };
        if ends(next) && is_sister(self.history, first) {
            return Some((start + 1, true));
        }
        // `upstream changes` and `the mirror job` are no place.
        let at = rest.iter().take(5).enumerate().position(|(at, piece)| {
            let copy = matches!(piece, Word(word) if COPIES.has(word));
            kind(piece) && (!copy || ends(rest.get(at + 1)))
        })?;
        let (named, rest) = rest.split_at_checked(at)?;
        let clean = |piece: &Piece<'_>| match piece {
            Word(word) => !is_small(word) || DETERMINERS.has(word),
            Mark(mark) => matches!(mark, '\'' | '('),
        };
        if !named.iter().all(clean) {
            return None;
        }
        let named: Vec<&str> = named
            .iter()
            .filter_map(|piece| piece.word())
            .filter(|word| !DETERMINERS.has(word))
            .collect();
        let Some(Word(kind)) = rest.first() else {
            return None;
        };
        let mut count = start + at + 1;
        let title = match rest.get(1) {
            Some(Word(word))
                if word.contains(['/', '-']) || word.contains(|c: char| c.is_ascii_digit()) =>
            {
                Some(*word)
            }
            _ => None,
        };
        count += usize::from(title.is_some());
        if COPIES.has(kind)
            && let [_, Word("of"), Word(_), ..] = rest
        {
            count += 2;
        }
        if led(&["this", "these"]) {
            return Some((count, false));
        }
        let theirs = led(&["their", "his", "her", "another", "other"]);
        let any = led(&["a", "an", "any", "each", "every", "your"]);
        let foreign = named
            .iter()
            .any(|word| FOREIGN.has(word) || OTHERS.has(word));
        let ours = |word: &&str| self.history.is_called(word) || self.history.is_named(word);
        let other = if REPOSITORIES.has(kind) {
            let name = title.is_some_and(|name| !ours(&name) && !self.history.has_known(name));
            let own = named.iter().all(|word| OWN.has(word)) || named.iter().any(ours);
            if self.in_code && !theirs && !foreign {
                return None;
            }
            theirs || foreign || name || (!own && !any)
        } else if COPIES.has(kind) {
            if any && !foreign {
                return None;
            }
            true
        } else if STATES.has(kind) {
            let digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit() || c == '/');
            let kept = named.iter().any(|word| KEPT.has(word) || digit(word));
            if !kept && title.is_none() {
                return named
                    .iter()
                    .all(|word| CURRENT.has(word))
                    .then_some((count, false));
            }
            true
        } else {
            let sister = |word: &&str| is_sister(self.history, word);
            let told = self.there && !named.is_empty() && !named.iter().all(|word| OWN.has(word));
            if !(theirs || foreign || told || named.iter().any(sister)) {
                return None;
            }
            true
        };
        Some((count, other))
    }
}

impl<'t> Piece<'t> {
    const fn word(self) -> Option<&'t str> {
        match self {
            Word(word) => Some(word),
            Mark(_) => None,
        }
    }
}

/// The pieces of a text in small letters.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let quoted = |c: char| "`*\"“”«»".contains(c);
    let mut all = Vec::new();
    for chunk in text.split_whitespace() {
        let open = |c: char| quoted(c) || c == '(' || c == '[';
        let inner = chunk.trim_start_matches(open);
        if chunk
            .get(..chunk.len() - inner.len())
            .is_some_and(|signs| signs.contains('('))
        {
            all.push(Mark('('));
        }
        let close = |c: char| quoted(c) || ",;:.)]!?".contains(c);
        let core = inner.trim_end_matches(close);
        let (core, owner) = match core.strip_suffix("'s") {
            Some(core) => (core.trim_end_matches(quoted), true),
            None => (core, false),
        };
        match core {
            "" => {}
            "-" | "--" | "—" | "–" | "|" | "→" | "->" | ">" => all.push(Mark('-')),
            word => all.push(Word(word)),
        }
        if owner {
            all.push(Mark('\''));
        }
        let signs = inner
            .chars()
            .rev()
            .take_while(|c| close(*c))
            .filter(|c| !quoted(*c));
        let signs: Vec<char> = signs.collect();
        all.extend(signs.into_iter().rev().map(Mark));
    }
    all
}

/// Without adverbs.
fn skipped<'a, 't>(all: &'a [Piece<'t>]) -> &'a [Piece<'t>] {
    let passed = |piece: &&Piece<'_>| matches!(piece, Word(word) if ADVERBS.has(word));
    let count = all.iter().take_while(passed).count();
    all.get(count..).unwrap_or_default()
}

fn is_filling(piece: &Piece<'_>) -> bool {
    match piece {
        Word(word) => FILLING.has(word) || IN.has(word),
        Mark(_) => true,
    }
}

/// Whether a word names nothing, but joins others.
fn is_small(word: &str) -> bool {
    IN.has(word)
        || OPENS.has(word)
        || STANDS.has(word)
        || FILLING.has(word)
        || SMALL.has(word)
        || ADVERBS.has(word)
}

/// Whether a word is a state of a repository that was given out: `2.x`, `v1.4`, `release-3.1`.
fn is_release(word: &str) -> bool {
    let number = ["release-", "release/", "releases/", "v"];
    let number = number.iter().find_map(|head| word.strip_prefix(head));
    let begins = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let line = word.strip_suffix(".x").is_some_and(begins);
    line || number
        .is_some_and(|rest| begins(rest) && (rest.contains('.') || !word.starts_with('v')))
}

/// The repository in an address, without what stands behind it.
fn hosted(word: &str) -> Option<&str> {
    let place = word
        .trim_start_matches("https://")
        .trim_start_matches("http://");
    let place = place.strip_prefix("www.").unwrap_or(place);
    let known = HOSTS.iter().any(|host| place.starts_with(host));
    let end = place
        .match_indices('/')
        .nth(2)
        .map_or(place.len(), |(at, _)| at);
    let place = place.get(..end)?;
    (known && place.matches('/').count() == 2).then(|| place.trim_end_matches(".git"))
}

/// Whether a name is that of another repository beside this one: its own name or what the app is
/// for, joined with something, and not a part of it.
pub(in crate::lint) fn is_sister(history: &History, name: &str) -> bool {
    let telling = |part: &str| PLATFORMS.has(&part.to_lowercase()) || history.is_named(part);
    let mut parts = name.split(['-', '_']);
    let joined = name.contains(['-', '_'])
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_".contains(c));
    joined
        && parts.clone().any(telling)
        && !parts.any(|part| PLACES.has(&part.to_lowercase()))
        && !history.is_named(name)
        && !has(history, name)
}

fn has(history: &History, name: &str) -> bool {
    let part = |path: &str| {
        path.split(['/', '.'])
            .any(|part| part.eq_ignore_ascii_case(name))
    };
    history.files().any(part)
}

/// Where code of others is kept.
const HOSTS: &[&str] = &[
    "github.com/",
    "gitlab.com/",
    "bitbucket.org/",
    "codeberg.org/",
];

/// What an app is for that has a repository of its own, as a part of its name.
pub(in crate::lint) static PLATFORMS: Words = Words::of("ios android mobile");

/// Where an app runs, as a part of a name: `tide-prod` is no repository.
static PLACES: Words = Words::of("prod production staging dev test local db ci qa demo");

/// Words for what files are kept in.
static REPOSITORIES: Words = Words::of("repository repo monorepo repositories repos");

/// Words for what is one beside this one.
static COPIES: Words = Words::of("fork forks upstream mirror submodule");

/// Words for a state that is kept beside the current one.
static STATES: Words = Words::of("branch tag release line series");

/// Words for what may have a repository of its own.
static PROJECTS: Words =
    Words::of("project projects codebase template crate package tarball wheel sdk product site");

/// The current state.
static CURRENT: Words = Words::of("main master trunk head develop default current here");

/// Words by which a state is an old one.
static KEPT: Words =
    Words::of("release releases legacy stable maintenance lts hotfix backport backports previous");

/// Words that say of what kind this repository is, and not which one another is.
static OWN: Words = Words::of(
    "own main same current whole entire git mono present local single source code root project new \
public private github gitlab team team's app application default actual real company hg open-source",
);

/// Words by which it is not this one.
static OTHERS: Words = Words::of(
    "other another different separate legacy archived template partner sister sibling published \
released shipped old theirs",
);

static DETERMINERS: Words = Words::of(
    "the a an our their his her its your my own this these any each every another other both",
);

/// Words in front of what something is in.
static IN: Words = Words::of("in on at inside within under");

/// Words that begin a clause beside signs.
static OPENS: Words = Words::of("and but while whereas so because since though note that");

static ADVERBS: Words = Words::of("also only still even now just already always usually");

/// Verbs by which somebody has a file.
static HOLDS: Words = Words::of(
    "has have had keeps keep holds hold contains contain carries carry ships ship stores store \
puts put patches patch defines define overrides override maintains maintain hosts host",
);

/// Words between a path and where it is.
static STANDS: Words = Words::of(
    "is are was were lives live lies lie sits sit stays stay exists exist still only also now file folder",
);

/// Words between where it is and its path.
static FILLING: Words =
    Words::of("the file files folder directory path see it its own is are there");

/// Words that join others, beside those.
static SMALL: Words = Words::of(
    "to from of for with by into onto as or if when before after we you i they he she must should \
can will may not no run runs use uses edit edits reads read",
);
