//! A description for a memory that has none, made of its text.

use std::borrow::Cow;

use crate::memory::format::LinkForm;
use crate::memory::link::text_links;
use crate::retrieval::phrase::meaning;
use crate::text::fence_after;
use crate::text::statements::{Form, statements};

/// Maximum number of characters of a description.
const LONGEST: usize = 140;

/// A sentence with fewer words that bear meaning says too little to choose a memory by.
const LEAST: usize = 5;

/// Characters of a script without blanks that count as one word.
const PER_WORD: usize = 3;

/// Makes a description of a text: the first sentence that says enough. Of several sections only the
/// opening sentence of the first one is about the whole text; where it says too little, the title
/// and the headings of the sections describe the text.
pub(super) fn description_of(title: &str, body: &str) -> Option<String> {
    let sections = sections(body);
    let is_parted = sections.len() > 1;
    let end = sections.first().filter(|_| is_parted);
    let end = end.map_or(body.len(), |(at, _)| *at);
    let all = statements(body);
    let of_form = |form: Form| {
        let own = all.iter().filter(move |one| one.form == form);
        own.filter_map(|one| {
            let text = body.get(one.at.clone())?;
            Some((one.at.start, weight(text), text))
        })
    };
    let prose = || of_form(Form::Prose);
    let opening = all.first().filter(|one| one.label.is_none());
    let is_opening = |at: usize| opening.is_some_and(|one| one.at.start == at);
    let mut intro = prose().filter(|(at, ..)| *at < end || is_opening(*at));
    let first = intro.find(|(_, weight, _)| *weight >= LEAST);
    let first = first.map(|(_, _, text)| Cow::Borrowed(text));
    let headings = || {
        let names: Vec<&str> = sections.iter().map(|(_, name)| *name).collect();
        is_parted.then(|| Cow::Owned(format!("{title}: {}", names.join(", "))))
    };
    let longest = || {
        let most = prose().map(|(_, weight, _)| weight).max()?;
        let mut all = prose().filter(|(_, weight, _)| *weight == most && most > 0);
        all.next().map(|(_, _, text)| Cow::Borrowed(text))
    };
    let item = || {
        of_form(Form::Item)
            .map(|(.., text)| Cow::Borrowed(text))
            .next()
    };
    let text = first.or_else(headings).or_else(longest).or_else(item);
    let text = without_links(&text.unwrap_or(Cow::Borrowed(title))).replace("**", "");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = match text.char_indices().nth(LONGEST) {
        None => text.trim_end_matches(['.', '。', ':', '：']).to_owned(),
        Some((end, _)) => {
            let head = text.get(..end)?;
            let words = head.rsplit_once(' ').map_or(head, |(words, _)| words);
            format!("{}…", words.trim_end_matches([',', ';', ':']))
        }
    };
    // A bare id describes nothing.
    (shown != title || shown.contains(' ')).then_some(shown)
}

/// A text with the words of its links to memories in their place.
fn without_links(text: &str) -> String {
    let (mut plain, mut next) = (text.to_owned(), text.len());
    let mut links = text_links(text, &[LinkForm::Wiki, LinkForm::Path]);
    links.sort_by_key(|link| link.whole.start);
    for link in links.into_iter().rev().filter(|link| !link.is_code) {
        // Of nested links only the inner one is one.
        if link.whole.end <= next {
            next = link.whole.start;
            plain.replace_range(link.whole, text.get(link.label).unwrap_or_default());
        }
    }
    plain
}

/// Number of different words of a sentence that bear meaning; half of it if the sentence introduces
/// something else by a colon.
fn weight(text: &str) -> usize {
    let mut words = meaning(text);
    words.sort_unstable();
    words.dedup();
    let wide = text
        .chars()
        .filter(|c| *c > '\u{2e80}' && c.is_alphabetic());
    let weight = words.len().max(wide.count() / PER_WORD);
    match text.trim_end_matches('*').ends_with([':', '：']) {
        true => weight / 2,
        false => weight,
    }
}

/// The headings below the first level, each with its place in the text.
fn sections(body: &str) -> Vec<(usize, &str)> {
    let (mut found, mut at, mut fence) = (Vec::new(), 0, None);
    for line in body.split_inclusive('\n') {
        let was = fence;
        fence = fence_after(fence, line);
        let name = line.strip_prefix("##").filter(|_| was.or(fence).is_none());
        let name = name.map(|name| name.trim_start_matches('#').trim());
        // The sections of the highest level that there is.
        found.extend(name.filter(|name| !name.is_empty()).map(|name| (at, name)));
        at += line.len();
    }
    let depth = |(at, _): &(usize, &str)| {
        let line = body.get(*at..).unwrap_or_default();
        line.len() - line.trim_start_matches('#').len()
    };
    let least = found.iter().map(depth).min();
    found.retain(|one| Some(depth(one)) == least);
    found
}
