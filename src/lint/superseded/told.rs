//! What the body of a memory says of what takes the place of what.

use super::OVER;

/// What a body begins with that says that something is over.
pub(super) struct Over<'t> {
    /// Where that stands.
    pub at: usize,
    /// The word for it.
    pub word: &'t str,
    /// What is named as what took its place.
    pub by: Vec<&'t str>,
    /// Of what it is said.
    pub of: Of,
}

/// Of what a body says that it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Of its memory: the word stands alone, or a sentence says `this note`.
    Itself,
    /// Of whatever took the place of it: where that is a memory, of its own.
    Successor,
    /// Of a thing that follows: `Deprecated: the old client`.
    Thing,
}

/// What a memory may call itself.
const MEMORIES: [&str; 10] = [
    "memory", "note", "entry", "file", "document", "doc", "page", "lesson", "record", "section",
];

/// Words in front of the name of what is to be taken instead: `superseded by …`, `in favour of …`.
const TOWARDS: [&str; 8] = ["by", "use", "see", "read", "of", "to", "with", "→"];

/// Signs around a name.
const AROUND: [char; 13] = [
    '*', '_', '`', '"', '\'', '“', '”', ',', ';', ':', '.', '!', ')',
];

/// Whether the first words of a body say that something is over, of what, and what took its place.
pub(super) fn over(body: &str) -> Option<Over<'_>> {
    let begin = body.find(char::is_alphanumeric)?;
    let line = body.get(begin..)?.lines().next()?;
    if let Some((at, word)) = said_of_itself(line) {
        let by = names(line);
        let of = Of::Itself;
        return Some(Over {
            at: begin + at,
            word,
            by,
            of,
        });
    }
    let end = line
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    if !is_over(word) {
        return None;
    }
    // `**Deprecated.** …`, `[Outdated] — …`: the word is a sentence of its own.
    let bare = rest.trim_start_matches(['*', '_']);
    let next = bare.split_whitespace().next().unwrap_or_default();
    let of = match bare.chars().next() {
        None | Some('.' | '!' | ']' | ')') => Of::Itself,
        Some(':' | '—' | '-') if bare.trim_matches(|c: char| !c.is_alphanumeric()).is_empty() => {
            Of::Itself
        }
        Some(':') => Of::Thing,
        _ if matches!(next, "since" | "as") => Of::Itself,
        _ if matches!(next, "by" | "—" | "-" | "," | "in") || bare.starts_with(',') => {
            Of::Successor
        }
        _ => return None,
    };
    // `Superseded by B: the function A`
    let names_thing = of == Of::Successor
        && rest
            .split_whitespace()
            .rev()
            .skip(1)
            .any(|word| word.ends_with(':'));
    let of = if names_thing { Of::Thing } else { of };
    Some(Over {
        at: begin,
        word,
        by: names(rest),
        of,
    })
}

fn is_over(word: &str) -> bool {
    OVER.contains(&word.to_lowercase().as_str())
}

/// Where in its first line a body says of itself that it is over, `Note: this memory is obsolete`,
/// and the word for it.
fn said_of_itself(line: &str) -> Option<(usize, &str)> {
    const LEAD: usize = 1;
    const BETWEEN: usize = 3;
    let words = line.split(' ').scan(0, |at, word| {
        let start = *at;
        *at += word.len() + 1;
        Some((start, word))
    });
    let bare = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    let words: Vec<(usize, &str)> = words.collect();
    let this = words
        .iter()
        .take(LEAD + 1)
        .position(|(_, word)| bare(word) == "this")?;
    let lead = words.get(..this)?;
    let mut told = words.get(this + 1..)?.iter();
    let (_, noun) = told.next()?;
    let (_, verb) = told.next()?;
    let itself = MEMORIES.contains(&&*bare(noun)) && matches!(&*bare(verb), "is" | "was" | "has");
    let led = lead
        .iter()
        .all(|(_, word)| word.trim_end_matches(['*', '_']).ends_with(':'));
    let over = told.take(BETWEEN).find(|(_, word)| is_over(&bare(word)));
    let (at, word) = over.filter(|_| itself && led)?;
    Some((*at, word.trim_matches(|c: char| !c.is_alphanumeric())))
}

/// What a line names as what is to be taken instead.
fn names(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = String::new();
    let mut at = 0;
    for word in line.split_inclusive(char::is_whitespace) {
        let own = line.get(at..).unwrap_or_default();
        if TOWARDS.contains(&before.as_str()) {
            found.extend(name(own));
        }
        before = word.trim().trim_matches(AROUND).to_lowercase();
        at += word.len();
    }
    found
}

/// What a body names as what its memory takes the place of: a name has a sign in it, or is a link.
pub(super) fn supersedes(body: &str) -> Vec<&str> {
    const WORD: &str = "upersedes";
    let mut found = Vec::new();
    for (at, _) in body.match_indices(WORD) {
        let (before, after) = (body.get(..at), body.get(at + WORD.len()..));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let bare = after.trim_start_matches([':', '*', '_']);
        if !bare.starts_with(' ') || is_denied(before) {
            continue;
        }
        let bare = bare.trim_start_matches(' ');
        let signed = |name: &&str| bare.starts_with('[') || name.contains(['-', ':', '_', '/']);
        found.extend(name(bare).into_iter().filter(signed));
    }
    found
}

/// Whether a text ends in a word that says the next one does not hold: `no longer supersedes`.
fn is_denied(before: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    // The first letter of the verb.
    words.next();
    let last = words.next().unwrap_or_default().to_lowercase();
    matches!(&*last, "longer" | "not" | "never" | "nothing" | "neither") || last.ends_with("n't")
}

/// The names that a text may begin with: where a link goes and what it says, or a word.
fn name(text: &str) -> Vec<&str> {
    if let Some(inner) = text.strip_prefix("[[") {
        let inner = inner.split_once("]]").map(|(inner, _)| inner);
        return inner.into_iter().flat_map(|one| one.split('|')).collect();
    }
    let link = text.strip_prefix('[').and_then(|rest| {
        let (says, rest) = rest.split_once(']')?;
        let goes = rest.strip_prefix('(')?.split_once(')')?.0;
        Some([goes.split('#').next().unwrap_or_default(), says])
    });
    match link {
        Some(names) => names.into(),
        None => {
            let word = text.split_whitespace().next().unwrap_or_default();
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            (!word.is_empty()).then_some(word).into_iter().collect()
        }
    }
}
