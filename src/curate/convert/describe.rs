//! A description for a memory that has none, made of its text.

use crate::memory::format::LinkForm;
use crate::memory::link::text_links;
use crate::retrieval::phrase::meaning;
use crate::text::statements::{Form, statements};

/// Maximum number of characters of a description.
const LONGEST: usize = 140;

/// A sentence with fewer words that bear meaning says too little to choose a memory by.
const LEAST: usize = 5;

/// Makes a description of a text: the first sentence that says enough, else the first one, else the
/// first item of a list, else the title.
pub(super) fn description_of(title: &str, body: &str) -> Option<String> {
    let all = statements(body);
    let of_form = |form: Form| {
        let own = all.iter().filter(move |one| one.form == form);
        own.filter_map(|one| body.get(one.at.clone()))
    };
    let says_enough = |text: &&str| !text.ends_with(':') && meaning(text).len() >= LEAST;
    let first = of_form(Form::Prose).find(says_enough);
    let text = first.or_else(|| of_form(Form::Prose).next());
    let text = text.or_else(|| of_form(Form::Item).next()).unwrap_or(title);
    let text = without_links(text).replace("**", "");
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
