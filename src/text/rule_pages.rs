//! The pages of help about the rules of lint: there is one for each rule.

use std::collections::HashMap;
use std::sync::LazyLock;

use include_dir::{Dir, File, include_dir};

/// A page for each rule, named after it, and the tables of rules.
static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/lint");

/// The ids of all rules.
pub fn rules() -> impl Iterator<Item = &'static str> {
    let names = PAGES.files().filter_map(|file| file.path().to_str());
    names.filter_map(|name| name.strip_suffix(".md"))
}

/// The page of a rule, in Markdown; empty where there is no such rule.
pub fn page(rule: &str) -> &'static str {
    let file = PAGES.get_file(format!("{rule}.md"));
    file.and_then(File::contents_utf8).unwrap_or_default()
}

/// Why what a rule finds matters: the first paragraph of its page that says so.
pub fn why(rule: &str) -> &'static str {
    let why = page(rule).split("## Why it matters").nth(1);
    let mut paragraphs = why.unwrap_or_default().trim_start().split("\n\n");
    paragraphs.next().unwrap_or_default()
}

/// The title of a rule: the first sentence of its page, without capital and full stop.
pub fn title(rule: &str) -> &'static str {
    static TITLES: LazyLock<HashMap<&str, String>> =
        LazyLock::new(|| rules().map(|rule| (rule, first_sentence(rule))).collect());
    TITLES.get(rule).map_or("", String::as_str)
}

fn first_sentence(rule: &str) -> String {
    let sentence = page(rule).lines().nth(2).unwrap_or_default();
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page_and_every_page_a_rule() {
        let mut table: Vec<_> = crate::lint::RULES.iter().map(|rule| rule.id).collect();
        let mut pages: Vec<_> = rules().collect();
        table.sort_unstable();
        pages.sort_unstable();
        assert_eq!(table, pages);
        for rule in pages {
            let heading = page(rule).lines().next();
            assert_eq!(heading, Some(format!("# {rule}").as_str()));
        }
        assert_eq!(page("nothing"), "");
    }
}
