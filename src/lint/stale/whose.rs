//! Whose the file is that a sentence names: this repository's as it is now, or that of another
//! repository, a branch, a tag or a release.
//!
//! What a path is said to be in is read as a phrase, `the infra repo`, `release-3.1`, where it can
//! be nothing else: at the start of a clause behind `in`, as what has the path, right before the
//! path, or right behind it.

mod pieces;
mod words;

use std::ops::Range;

use self::pieces::Piece::{self, Mark, Word};
use self::pieces::{hosted, is_filling, is_release, is_small, pieces, skipped, title};
use self::words::{
    COPIES, CURRENT, DETERMINERS, HOLDS, IN, KEPT, OPENS, OTHERS, OWN, PROJECTS, REPOSITORIES,
    STANDS, STATES,
};
use super::abroad::FOREIGN;
use crate::lint::repository::{History, PLATFORMS};

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
            // What is left of a folder's name: `src/app/ of …`.
            Word(word) => STANDS.has(word) || *word == "/",
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
        let (led, rest) = all.split_at_checked(start)?;
        let first = rest.first()?.word()?;
        let next = rest.get(1);
        let alone = !next.is_some_and(is_kind);
        let name = if alone && CURRENT.has(first) {
            Some(false)
        } else if alone && is_release(first) {
            if next == Some(&Word("of")) {
                return None;
            }
            Some(true)
        } else if let Some(place) = hosted(first) {
            Some(!self.history.is_published_at(place))
        } else {
            (ends(next) && self.history.is_sister(first)).then_some(true)
        };
        if let Some(other) = name {
            return Some((start + 1, other));
        }
        // `upstream changes` and `the mirror job` are no place.
        let at = rest.iter().take(5).enumerate().position(|(at, piece)| {
            let copy = piece.word().is_some_and(|word| COPIES.has(word));
            let next = rest.get(at + 1);
            is_kind(piece) && (!copy || ends(next) || title(next).is_some())
        })?;
        let (named, rest) = rest.split_at_checked(at)?;
        let clean = |piece: &Piece<'_>| match piece {
            Word(word) => !is_small(word) || DETERMINERS.has(word),
            Mark(mark) => matches!(mark, '\'' | '('),
        };
        if !named.iter().all(clean) {
            return None;
        }
        let named = named.iter().filter_map(|piece| piece.word());
        let named: Vec<&str> = named.filter(|word| !DETERMINERS.has(word)).collect();
        let title = title(rest.get(1));
        let kind = rest.first()?.word()?;
        let of = matches!(rest, [_, Word("of"), Word(_), ..]) && COPIES.has(kind);
        let count = start + at + 1 + usize::from(title.is_some()) + if of { 2 } else { 0 };
        let other = self.is_other(led, &named, (kind, title))?;
        Some((count, other))
    }

    /// Whether what is called so is elsewhere, by the words it is led in with, those that name it,
    /// what it is and its title: `the`, `infra`, `repo`.
    fn is_other(
        &self,
        led: &[Piece<'_>],
        named: &[&str],
        (kind, title): (&str, Option<&str>),
    ) -> Option<bool> {
        let led = |words: &[&str]| words.iter().any(|word| led.contains(&Word(word)));
        if led(&["this", "these"]) {
            return Some(false);
        }
        let foreign = named
            .iter()
            .any(|word| FOREIGN.has(word) || OTHERS.has(word));
        let foreign = foreign || led(&["their", "his", "her", "another", "other"]);
        let any = led(&["a", "an", "any", "each", "every", "your"]);
        let ours = |word: &str| self.history.is_called(word) || self.history.is_named(word);
        if REPOSITORIES.has(kind) {
            let name = title.is_some_and(|name| !ours(name) && !self.history.has_known(name));
            let own = named.iter().all(|word| OWN.has(word)) || named.iter().any(|word| ours(word));
            return (foreign || !self.in_code).then_some(foreign || name || (!own && !any));
        }
        if COPIES.has(kind) {
            return (foreign || !any).then_some(true);
        }
        if STATES.has(kind) {
            let digit = |word: &str| word.contains(|c: char| c.is_ascii_digit() || c == '/');
            let kept = named.iter().any(|word| KEPT.has(word) || digit(word));
            let current = named.iter().all(|word| CURRENT.has(word));
            return match kept || title.is_some() {
                true => Some(true),
                false => current.then_some(false),
            };
        }
        let sister = |word: &&str| self.history.is_sister(word);
        let told = self.there && !named.iter().all(|word| OWN.has(word));
        // `In the mobile codebase`, where this one has no such part.
        let platform = |word: &str| PLATFORMS.has(word) && !self.history.has_part(word);
        let told = told || (kind == "codebase" && named.iter().any(|word| platform(word)));
        (foreign || told || named.iter().any(sister)).then_some(true)
    }
}

/// Whether a word says what files are kept in.
fn is_kind(piece: &Piece<'_>) -> bool {
    let kinds = [&REPOSITORIES, &COPIES, &STATES, &PROJECTS];
    let word = piece.word();
    word.is_some_and(|word| kinds.iter().any(|kind| kind.has(word)))
}

/// Whether a name ends before this: what stands there does not go on with it.
fn ends(next: Option<&Piece<'_>>) -> bool {
    let word = next.and_then(|piece| piece.word());
    word.is_none_or(|word| is_small(word) || HOLDS.has(word))
}
