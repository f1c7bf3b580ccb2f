//! The pages of help, one per rule.

macro_rules! pages {
    ($($rule:literal),+ $(,)?) => {
        &[$(($rule, include_str!(concat!("../../assets/lint/", $rule, ".md")))),+]
    };
}

static PAGES: &[(&str, &str)] = pages![
    "load-error",
    "bad-date",
    "missing-field",
    "unknown-value",
    "invisible-to-loader",
    "dead-appended",
    "pattern-matches-all",
    "pattern-never-matches",
    "pattern-alternative-regex",
    "pattern-invalid",
    "pattern-too-slow",
    "pattern-sentence",
    "duplicate-id",
    "duplicate-title",
    "broken-relation",
    "name-style",
    "body-length",
    "cut-in-prompt",
    "stale-path",
    "changed-since",
    "stale-symbol",
    "stale-version",
    "expired",
    "contradiction",
    "superseded-active",
    "near-duplicate",
    "contained",
    "failure-log",
    "never-selected",
    "always-selected",
    "secret",
    "reader-instruction",
    "exfiltration-link",
    "personal-path",
    "empty-body",
    "repeats-docs",
    "terminal-escape",
    "invisible-unicode",
    "unused-silence",
];

/// The page of a rule, in Markdown; empty where there is no such rule.
pub fn page(rule: &str) -> &'static str {
    PAGES
        .iter()
        .find(|(id, _)| *id == rule)
        .map_or("", |(_, page)| page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page_and_every_page_a_rule() {
        let rules: Vec<_> = crate::lint::RULES.iter().map(|rule| rule.id()).collect();
        let pages: Vec<_> = PAGES.iter().map(|(rule, _)| *rule).collect();
        assert_eq!(rules, pages);
        for rule in rules {
            let heading = page(rule).lines().next();
            assert_eq!(heading, Some(format!("# {rule}").as_str()));
        }
        assert_eq!(page("nothing"), "");
    }
}
