//! Subjects of rules, for programs that sort alerts: the table `assets/lint/tags.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Subjects of rules.
#[derive(Default, Deserialize)]
pub struct Tags {
    /// The severity of each rule about security, 0 to 10 as in CVSS: over 7 high, over 4 medium.
    pub security: BTreeMap<String, String>,
    /// The rules of each other tag; a rule without a tag is about the format of memories.
    pub tags: BTreeMap<String, Vec<String>>,
    /// Rules that report nothing more about a memory of which a rule finds something, by that rule.
    pub covers: BTreeMap<String, Vec<String>>,
}

/// The table.
pub static TAGS: LazyLock<Tags> = LazyLock::new(|| {
    let table = include_str!("../../../assets/lint/tags.toml");
    toml::from_str(table).unwrap_or_default()
});

/// The rules that a rule covers.
pub fn covers(rule: &str) -> &'static [String] {
    TAGS.covers.get(rule).map_or(&[], Vec::as_slice)
}

/// The properties of a rule in a SARIF log. GitHub lists alerts with `security-severity` apart.
pub fn properties(rule: &str) -> Json {
    if let Some(severity) = TAGS.security.get(rule) {
        return json!({ "tags": ["security"], "security-severity": severity });
    }
    let mut tags = TAGS.tags.iter();
    let tag = tags.find(|(_, rules)| rules.iter().any(|one| one == rule));
    json!({ "tags": [tag.map_or("format", |(tag, _)| tag)] })
}
