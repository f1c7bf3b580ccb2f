//! Patterns that are sentences, or lists as people write them.

use super::Flaw;
use super::analyse::is_literal;
use crate::lint::chars::quote;
use crate::retrieval::js::trim;
use crate::text::word_lists::Words;

/// Words that begin a description of an occasion.
static OCCASIONS: Words = Words::named("occasions");

/// Separators of lists, each with the minimum number of items: a comma may stand in a name.
const SIGNS: [(&str, usize); 3] = [(",", 3), (";", 2), (" / ", 2)];

/// The flaw of a pattern that is a sentence or a list.
pub(super) fn flaw(written: &str) -> Option<Flaw> {
    // Skip regular expressions first: most patterns are some.
    if written.contains(['|', '*', '?']) {
        return None;
    }
    let written = trim(written);
    let says = format!("{} matches only a task that says just that", quote(written));
    if let Some((sign, items)) = listed(written) {
        let sign = quote(sign.trim());
        let says = says + &format!(": alternatives are parted by |, not by {sign}");
        let flaw = Flaw::new("pattern-sentence", 0.8, says);
        return Some(flaw.cured_by(Some(vec![items.join("|")])));
    }
    if !is_sentence(&written.to_lowercase()) || !is_literal(written) {
        return None;
    }
    let mut flaw = Flaw::new("pattern-sentence", 0.8, says + ", word for word");
    let natural = "the dialect `natural` finds it by its words, the system's own code does not";
    flaw.evidence.push(natural.to_owned());
    Some(flaw)
}

/// The items of a list that is written as people write one, and the sign between them.
fn listed(written: &str) -> Option<(&'static str, Vec<&str>)> {
    const WORDS: usize = 3;
    let is_item = |item: &&str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let first = item.split(' ').next().unwrap_or_default().to_lowercase();
        item.chars().all(plain)
            && item.contains(char::is_alphabetic)
            && item.split(' ').count() <= WORDS
            && !OCCASIONS.has(&first)
    };
    SIGNS.iter().find_map(|(sign, least)| {
        let items = written.split(sign).map(str::trim);
        let items = items.map(|item| item.trim_start_matches("and ").trim_start_matches("or "));
        let items: Vec<&str> = items.collect();
        (items.len() >= *least && items.iter().all(is_item)).then_some((*sign, items))
    })
}

fn is_sentence(text: &str) -> bool {
    // A command line or a place is no sentence, however long.
    if text.contains(['/', '=', '`', '{', '(', '<', '\\']) || text.contains(" -") {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(first) = words.first() else {
        return false;
    };
    // "to", "in" and "on" begin names too.
    let least = if first.len() <= 2 { 3 } else { 2 };
    let doing = first.len() >= 6 && first.ends_with("ing") && words.len() >= 3;
    words.len() >= 4 || doing || OCCASIONS.has(first) && words.len() >= least
}
