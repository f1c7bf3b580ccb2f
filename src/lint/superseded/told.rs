//! What the body of a memory says of what takes the place of what.

use super::OVER;

/// What a body begins with that says of its memory that it is over.
pub(super) struct Over<'t> {
    /// Where that stands.
    pub at: usize,
    /// The word for it.
    pub word: &'t str,
    /// What is named as what took its place.
    pub by: Vec<&'t str>,
}

/// Words in front of the name of what is to be taken instead: `superseded by …`, `in favour of …`.
const TOWARDS: [&str; 8] = ["by", "use", "see", "read", "of", "to", "with", "→"];

/// Signs around a name.
const AROUND: [char; 13] = [
    '*', '_', '`', '"', '\'', '“', '”', ',', ';', ':', '.', '!', ')',
];

/// Whether the first words of a body say that its memory is over, and what took its place.
pub(super) fn over(body: &str) -> Option<Over<'_>> {
    let at = body.find(char::is_alphanumeric)?;
    let first = body.get(at..)?;
    let (word, rest) = first.split_at(first.find(|c: char| !c.is_alphabetic())?);
    let signs = [':', '*', ']', ')', '.', '!'];
    let phrases = [" by", " —", " in favo", " - ", ", "];
    let marked = rest.starts_with(signs) || phrases.iter().any(|phrase| rest.starts_with(phrase));
    (marked && OVER.contains(&word.to_lowercase().as_str())).then(|| Over {
        at,
        word,
        by: names(rest.lines().next().unwrap_or_default()),
    })
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
