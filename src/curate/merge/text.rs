//! What one text says that another does not: statement by statement, as it is written there.

mod blocks;
mod figures;
mod form;

use std::collections::HashSet;
use std::ops::Range;

use super::LeftOut;
use super::sayings::Sayings;
use crate::memory::index::marked;
use crate::text::statements::sentences;
use blocks::{Block, Kind, blocks, closes, fence_of};
pub use form::below;

/// What a text says that another does not, in the words and the order of that text; the headings
/// of what is left with it. Empty where the other says all of it. `title` is a heading that says
/// nothing more.
pub fn rest(of: &str, than: &str, title: &str) -> String {
    rest_but(&[], of, than, title).0
}

/// The same without the sentences that stand in these bytes, and all that went with them: the item
/// of a list with what is indented below it, and sentences that go on about what is not there.
pub fn rest_but(gone: &[Range<usize>], of: &str, than: &str, title: &str) -> (String, LeftOut) {
    let units = blocks(than).into_iter().flat_map(|block| {
        let units = units(than, &block).into_iter();
        units.flat_map(move |unit| {
            let clauses = clauses(block.kind, &unit).map(|clause| said(block.kind, clause));
            let clauses: Vec<String> = clauses.collect();
            clauses.into_iter().chain([said(block.kind, &unit)])
        })
    });
    let known = Known {
        units: units.collect(),
        sayings: Sayings::new(than),
        gone,
        figures: figures::of_gone(of, gone, than),
    };
    let all = blocks(of);
    let mut left_out = LeftOut::default();
    let kept = all
        .iter()
        .map(|block| left(of, block, &known, &mut left_out));
    let kept: Vec<Option<String>> = kept.collect();
    let mut out = String::new();
    let mut last: Option<usize> = None;
    for (n, block) in all.iter().enumerate() {
        let text = match block.kind {
            Kind::Heading(level) => {
                let below = all.iter().zip(&kept).skip(n + 1);
                let mut own = below.take_while(
                    |(other, _)| !matches!(other.kind, Kind::Heading(above) if above <= level),
                );
                let wanted = own
                    .any(|(other, kept)| kept.is_some() && !matches!(other.kind, Kind::Heading(_)));
                let heading = of.get(block.bytes.clone()).unwrap_or_default();
                let says = plain(heading) != plain(title);
                (wanted && says).then(|| heading.to_owned())
            }
            _ => kept.get(n).cloned().flatten(),
        };
        let Some(text) = text else {
            continue;
        };
        if let Some(before) = last {
            let next = before + 1 == n;
            let gap = all
                .get(before)
                .filter(|_| next)
                .and_then(|other| of.get(other.bytes.end..block.bytes.start));
            let items =
                block.kind == Kind::Item && all.get(before).is_some_and(|b| b.kind == Kind::Item);
            out.push_str(gap.unwrap_or(if items { "\n" } else { "\n\n" }));
        }
        out.push_str(&text);
        last = Some(n);
    }
    (form::of_rest(&out, of), left_out)
}

/// Whether a code block of a text has no end: what is put behind it would stand inside.
pub fn is_open(text: &str) -> bool {
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let own = fence_of(line);
        match (fence, own) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if closes(open, mark, line) => fence = None,
            _ => {}
        }
    }
    fence.is_some()
}

/// Whether a text begins with a paragraph.
pub fn is_prose(text: &str) -> bool {
    let rule = |line: &str| line.len() > 2 && line.bytes().all(|byte| byte == b'-');
    let first = blocks(text).first().map(|block| block.kind);
    first == Some(Kind::Paragraph) && !rule(text.lines().next().unwrap_or_default().trim())
}

/// Whether a text says a phrase somewhere, in whatever letters.
pub fn says(text: &str, phrase: &str) -> bool {
    format!(" {} ", plain(text)).contains(&format!(" {} ", plain(phrase)))
}

/// What a text says.
struct Known<'t> {
    units: HashSet<String>,
    sayings: Sayings<'t>,
    /// What of the other text is not wanted.
    gone: &'t [Range<usize>],
    /// The figures that only that says.
    figures: Vec<&'t str>,
}

impl Known<'_> {
    /// Whether it says a unit, in these words or nearly; or each clause of it.
    fn has(&self, unit: &str) -> bool {
        let says = |unit: &str| {
            let plain = plain(unit);
            plain.is_empty() || self.units.contains(&plain) || self.sayings.say(unit)
        };
        says(unit) || (unit.contains(CLAUSE) && unit.split(CLAUSE).all(says))
    }

    /// Whether something in these bytes of the other text is not wanted.
    fn leaves_out(&self, bytes: &Range<usize>) -> bool {
        let meets = |gone: &Range<usize>| gone.start < bytes.end && bytes.start < gone.end;
        self.gone.iter().any(meets)
    }
}

/// What of a block the other text does not say; none where it says all of it. What is not wanted
/// is added to `left_out`.
fn left(text: &str, block: &Block, known: &Known<'_>, left_out: &mut LeftOut) -> Option<String> {
    let own = text.get(block.bytes.clone())?;
    match block.kind {
        Kind::Item if known.leaves_out(&block.bytes) => {
            let rest = without_items(own, block.bytes.start, known, left_out);
            let says = |line: &str| !known.has(marked(line).unwrap_or(line));
            return rest.lines().any(says).then_some(rest);
        }
        Kind::Paragraph => {}
        Kind::Code | Kind::Table => {
            let new = |unit: &String| !known.units.contains(&said(block.kind, unit));
            let new = units(text, block).iter().any(new);
            return new
                .then(|| figures::left(own, block, known, left_out))
                .flatten();
        }
        _ => {
            let new = units(text, block).iter().any(|unit| match block.kind {
                Kind::Item => !known.has(unit),
                _ => !known.units.contains(&said(block.kind, unit)),
            });
            return new.then(|| own.to_owned());
        }
    }
    let sentences = sentences(own);
    let mut kept: Vec<&str> = Vec::with_capacity(sentences.len());
    // Whether the sentence before is not wanted, or in doubt.
    let (mut away, mut doubtful) = (false, false);
    for range in &sentences {
        let start = block.bytes.start;
        let sentence = own.get(range.clone()).unwrap_or_default();
        let denied = known.leaves_out(&(start + range.start..start + range.end));
        doubtful = !denied && (away || doubtful) && begins(sentence, &SINCE_BEFORE);
        away = denied || (away && begins(sentence, &ABOUT_BEFORE));
        if away {
            left_out.gone.push(sentence.trim().to_owned());
        } else if !known.has(sentence) {
            if doubtful {
                left_out.doubtful.push(sentence.trim().to_owned());
            }
            kept.push(sentence);
        }
    }
    match kept.len() {
        0 => None,
        // All of them: with every blank and line end as it is.
        n if n == sentences.len() => Some(own.to_owned()),
        _ => {
            let kept: Vec<&str> = kept.into_iter().map(str::trim).collect();
            Some(kept.join(" "))
        }
    }
}

/// How a sentence begins that is about what the one before says, or follows from it.
const ABOUT_BEFORE: [&str; 23] = [
    "it",
    "its",
    "this",
    "that",
    "these",
    "those",
    "they",
    "their",
    "them",
    "therefore",
    "thus",
    "hence",
    "consequently",
    "because of",
    "the reason",
    "the reasons",
    "the figure",
    "the number",
    "the value",
    "the latter",
    "the former",
    "the rationale",
    "reason",
];

/// How a sentence begins that counts on what the one before says, and may hold without it.
const SINCE_BEFORE: [&str; 13] = [
    "after that",
    "afterwards",
    "after this",
    "until then",
    "before that",
    "by then",
    "then",
    "otherwise",
    "instead",
    "longer ones",
    "shorter ones",
    "larger ones",
    "smaller ones",
];

/// Whether a sentence begins with one of these phrases.
fn begins(sentence: &str, phrases: &[&str]) -> bool {
    let words = sentence.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.to_lowercase()
    });
    let words: Vec<String> = words.take(2).collect();
    let first = words.first().map_or("", String::as_str);
    phrases.contains(&first) || phrases.contains(&&*words.join(" "))
}

/// An item of a list without the items in it that are not wanted, each with what is indented below.
/// `start` is where it begins in its text.
fn without_items(item: &str, start: usize, known: &Known<'_>, left_out: &mut LeftOut) -> String {
    let mut lines: Vec<(Range<usize>, &str)> = Vec::new();
    let mut at = 0;
    for line in item.split_inclusive('\n') {
        lines.push((start + at..start + at + line.len(), line));
        at += line.len();
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    // The line that an item begins with, for each of its own lines; and where it ends.
    let mut heads: Vec<usize> = Vec::with_capacity(lines.len());
    for (n, (_, line)) in lines.iter().enumerate() {
        let own = marked(line).is_some();
        heads.push(if own {
            n
        } else {
            heads.last().copied().unwrap_or(0)
        });
    }
    let end = |head: usize| {
        let deep = lines.get(head).map_or(0, |(_, line)| indent(line));
        let mut below = lines.iter().enumerate().skip(head + 1);
        let next = below.find(|(_, (_, line))| marked(line).is_some() && indent(line) <= deep);
        next.map_or(lines.len(), |(n, _)| n)
    };
    let mut gone: Vec<Range<usize>> = Vec::new();
    for ((bytes, _), head) in lines.iter().zip(&heads) {
        let known_gone = gone.iter().any(|gone| gone.contains(head));
        if known.leaves_out(bytes) && !known_gone {
            gone.push(*head..end(*head));
        }
    }
    let mut rest = String::with_capacity(item.len());
    for (n, (_, line)) in lines.iter().enumerate() {
        if !gone.iter().any(|gone| gone.contains(&n)) {
            rest.push_str(line);
        }
    }
    left_out.gone.extend(gone.into_iter().map(|gone| {
        let lines = lines.iter().skip(gone.start).take(gone.len());
        let text: String = lines.map(|(_, line)| *line).collect();
        text.trim_end().to_owned()
    }));
    rest.trim_end().to_owned()
}

/// What parts two sentences that stand as one.
const CLAUSE: &str = "; ";

/// The sentences that a unit of language is made of.
fn clauses(kind: Kind, unit: &str) -> impl Iterator<Item = &str> {
    let language = matches!(kind, Kind::Paragraph | Kind::Item);
    let clauses = unit.split(CLAUSE).filter(|clause| !clause.is_empty());
    clauses.filter(move |_| language && unit.contains(CLAUSE))
}

/// What a unit says, in a form in which the same is equal.
fn said(kind: Kind, unit: &str) -> String {
    match kind {
        Kind::Code => unit.to_owned(),
        _ => plain(unit),
    }
}

/// What a block says, one thing after the other.
fn units(text: &str, block: &Block) -> Vec<String> {
    let own = text.get(block.bytes.clone()).unwrap_or_default();
    match block.kind {
        Kind::Code => vec![
            own.lines()
                .map(str::trim_end)
                .collect::<Vec<_>>()
                .join("\n"),
        ],
        Kind::Heading(_) => Vec::new(),
        Kind::Table => own.lines().map(str::to_owned).collect(),
        Kind::Paragraph | Kind::Item => {
            let lines = if block.kind == Kind::Item {
                items(own)
            } else {
                vec![own.to_owned()]
            };
            let of_line = |line: &String| {
                let ranges = sentences(line);
                ranges
                    .into_iter()
                    .map(|range| line.get(range).unwrap_or_default().to_owned())
                    .collect::<Vec<_>>()
            };
            let all = lines.iter().flat_map(of_line);
            all.filter(|unit| !plain(unit).is_empty()).collect()
        }
    }
}

/// The items of an item and those below it, without their marks, each with its further lines.
fn items(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        match marked(line) {
            Some(rest) => all.push(rest.to_owned()),
            None => match all.last_mut() {
                Some(last) => {
                    last.push('\n');
                    last.push_str(line.trim());
                }
                None => all.push(line.trim().to_owned()),
            },
        }
    }
    all
}

/// Words without marks of emphasis and without the point at the end; plain words in lower case.
fn plain(text: &str) -> String {
    let word = |word: &str| {
        let mark = |c: char| "*_`\"'“”‘’".contains(c);
        let bare = word.trim_matches(mark);
        let bare = bare
            .trim_end_matches(['.', ',', ';', ':', '!'])
            .trim_matches(mark);
        if bare.chars().all(char::is_alphabetic) {
            bare.to_lowercase()
        } else {
            bare.to_owned()
        }
    };
    let text = text.trim_start_matches(['#', '>', ' ', '\t']);
    let words: Vec<String> = text.split_whitespace().map(word).collect();
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_is_left() {
        for (of, than, left) in [
            ("", "a b.", ""),
            ("Use tabs.", "Do not use tabs.", "Use tabs."),
            ("The pool holds ten.", "the *pool* holds `ten`!", ""),
            (
                "The pool holds ten. Amounts are cents.",
                "The pool holds ten.",
                "Amounts are cents.",
            ),
            (
                "Tags were read last. Mended by reading them first. Ask Ada.",
                "Tags were read last; mended by reading them first.",
                "Ask Ada.",
            ),
            (
                "- tags were read last; mended by reading them first\n- ask Ada\n",
                "Tags were read last. Mended by reading them first.",
                "- ask Ada",
            ),
            (
                "Tags were read last; then twice.",
                "Tags were read last.",
                "Tags were read last; then twice.",
            ),
            (
                "# Pool\n\nThe pool holds ten.\n\n## More\n\nAsk first.\n",
                "The pool holds ten.",
                "## More\n\nAsk first.",
            ),
            (
                "- one thing\n- two things\n- three\n",
                "* two things",
                "- one thing\n- three",
            ),
            (
                "- one\n  - below it\n- two\n",
                "- one\n- two",
                "- one\n  - below it",
            ),
            (
                "1. one\n\n   more of it\n2. two",
                "2. two",
                "1. one\n\n   more of it",
            ),
            (
                "Run the whole suite of the harbour tests before each push to main.\n",
                "# Tests\n\n- Run the whole suite of harbour tests before you push to main",
                "Run the whole suite of the harbour tests before each push to main.",
            ),
            (
                "The suite of the harbour needs a running Postgres on port 5432.",
                "Note: the suite of the harbour needs a running Postgres, on the port 5432.",
                "",
            ),
            (
                "The suite of the harbour needs a running Postgres on port 5432. It takes long.",
                "The suite of the harbour needs a running Postgres on port 5432 and takes a minute.",
                "It takes long.",
            ),
            (
                "The suite of the harbour needs a running Postgres on port 5433.",
                "The suite of the harbour needs a running Postgres on port 5432.",
                "The suite of the harbour needs a running Postgres on port 5433.",
            ),
            (
                "The suite needs a running Postgres on port 5432 and takes a minute.",
                "The suite needs a running Postgres on port 5432.",
                "The suite needs a running Postgres on port 5432 and takes a minute.",
            ),
            (
                "The suite of the harbour needs a running Postgres on port 8080 for each test of the gates.\n",
                "The suite of the harbour needs a running Postgres on port 8080 for every test of the gate.\n",
                "The suite of the harbour needs a running Postgres on port 8080 for each test of the gates.",
            ),
            ("```\na\n\nb\n```\n\ntext", "```\na\n\nb\n```", "text"),
            ("```\na  b\n```", "```\na b\n```", "```\na  b\n```"),
            (
                "| a | b |\n|---|---|\n| 1 | 2 |",
                "| a | b |\n|---|---|",
                "| a | b |\n|---|---|\n| 1 | 2 |",
            ),
            (
                "`git branch -D x` is fine.",
                "`git branch -d x` is fine.",
                "`git branch -D x` is fine.",
            ),
        ] {
            assert_eq!(rest(of, than, "Pool"), left, "{of}");
        }
    }

    fn owned(texts: Vec<&str>) -> Vec<String> {
        texts.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn figures_of_what_is_not_wanted_go_or_are_in_doubt() {
        for (of, denied, left, gone, doubtful) in [
            (
                "The app runs on port 5173.\n\n```sh\nPORT=5173 pnpm dev --host\n```",
                "The app runs on port 5173.",
                "",
                vec![
                    "The app runs on port 5173.",
                    "```sh\nPORT=5173 pnpm dev --host\n```",
                ],
                vec![],
            ),
            (
                "The app runs on port 5173.\n\n```sh\npnpm install\nPORT=5173 pnpm dev\n```",
                "The app runs on port 5173.",
                "```sh\npnpm install\nPORT=5173 pnpm dev\n```",
                vec!["The app runs on port 5173."],
                vec!["PORT=5173 pnpm dev"],
            ),
            (
                "| what | limit |\n|---|---|\n| requests | 120 |\n| files | 3 |",
                "requests | 120",
                "| what | limit |\n|---|---|\n| files | 3 |",
                vec!["| requests | 120 |"],
                vec![],
            ),
            (
                "```\nPOOL_SIZE=5\nCACHE_TTL=60\n```",
                "POOL_SIZE=5",
                "```\nCACHE_TTL=60\n```",
                vec!["POOL_SIZE=5"],
                vec![],
            ),
        ] {
            let at = of.find(denied).unwrap();
            let denied = at..at + denied.len();
            let (found, out) = rest_but(std::slice::from_ref(&denied), of, "Nothing like it.", "");
            assert_eq!(found, left, "{of}");
            assert_eq!(out.gone, owned(gone), "{of}");
            assert_eq!(out.doubtful, owned(doubtful), "{of}");
        }
    }

    #[test]
    fn what_counts_on_what_is_not_wanted_is_in_doubt() {
        let of = "The lease lasts 30 minutes. After that another may take it. Until then none does. Ask Ada.";
        let (found, out) = rest_but(std::slice::from_ref(&(0..27)), of, "Nothing like it.", "");
        assert_eq!(
            found,
            "After that another may take it. Until then none does. Ask Ada."
        );
        let doubtful = vec!["After that another may take it.", "Until then none does."];
        assert_eq!(out.doubtful, owned(doubtful));
    }

    /// What is said to be left out is no part of the rest, and the other way round.
    #[test]
    fn what_is_not_wanted_goes_with_what_hangs_on_it() {
        for (of, denied, left, gone) in [
            (
                "- Cache TTL: 300 s\n  - measured in June\n- Region: eu-west-1",
                "Cache TTL: 300 s",
                "- Region: eu-west-1",
                vec!["- Cache TTL: 300 s\n  - measured in June"],
            ),
            (
                "- Deploys run at 17:00 UTC.\n  They take an hour.",
                "Deploys run at 17:00 UTC.",
                "",
                vec!["- Deploys run at 17:00 UTC.\n  They take an hour."],
            ),
            (
                "- Timeouts\n  - connect: 5 s\n  - read: 60 s\n  - write: 9 s",
                "read: 60 s",
                "- Timeouts\n  - connect: 5 s\n  - write: 9 s",
                vec!["  - read: 60 s"],
            ),
            (
                "* The port is 9090.\n\n  Set `PORT` to change.",
                "The port is 9090.",
                "",
                vec!["* The port is 9090.\n\n  Set `PORT` to change."],
            ),
            (
                "Do not use `npm ci`. It deletes what we cache. Ask Ada.",
                "Do not use `npm ci`.",
                "Ask Ada.",
                vec!["Do not use `npm ci`.", "It deletes what we cache."],
            ),
            (
                "Do not use `yarn`. The reason: hoisting broke it. Therefore delete its lock. Ask Ada.",
                "Do not use `yarn`.",
                "Ask Ada.",
                vec![
                    "Do not use `yarn`.",
                    "The reason: hoisting broke it.",
                    "Therefore delete its lock.",
                ],
            ),
            (
                "Ask Ada. Therefore knock. The pool holds ten.",
                "The pool holds ten.",
                "Ask Ada. Therefore knock.",
                vec!["The pool holds ten."],
            ),
            (
                "Ask Ada. It is late. The pool holds ten.",
                "The pool holds ten.",
                "Ask Ada. It is late.",
                vec!["The pool holds ten."],
            ),
        ] {
            let at = of.find(denied).unwrap();
            let denied = at..at + denied.len();
            let (found, out) = rest_but(std::slice::from_ref(&denied), of, "Nothing like it.", "");
            assert_eq!((&*found, out.gone), (left, owned(gone)), "{of}");
        }
    }

    #[test]
    fn only_prose_goes_on_behind_a_title() {
        for text in ["- a", "3. a", "```sh\na\n```", "| a |", "## a", "---\n\na"] {
            assert!(!is_prose(text), "{text}");
        }
        assert!(is_prose("Use tabs. - always"));
    }

    #[test]
    fn an_open_code_block_is_seen() {
        assert!(is_open("a\n```sh\nb"));
        assert!(!is_open("a\n```sh\nb\n```\n"));
        assert!(is_open("~~~~\n~~~\n"));
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_left_of_a_text_that_is_there(text in "([#>a-c.|`*-]{0,3}[ \n]){0,20}") {
            proptest::prop_assert_eq!(rest(&text, &text, ""), "");
        }

        #[test]
        fn every_word_is_in_one_of_the_two(a in "([a-c-]{0,3}[ \n.]){0,20}", b in "([#a-c-]{0,3}[ \n.]){0,20}") {
            let left = rest(&b, &a, "");
            let both = format!("{a}\n{left}").to_lowercase();
            for word in b.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                // A heading with nothing left below it says nothing.
                let headed = b.lines().any(|line| line.starts_with('#') && line.contains(word));
                proptest::prop_assert!(headed || both.contains(word), "{word}: {left}");
            }
        }
    }
}
