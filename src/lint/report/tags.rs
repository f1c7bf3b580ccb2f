//! What rules are about, for programs that sort alerts.

use serde::Serialize;

/// By what GitHub sorts alerts; one with a severity of its own is listed under security.
#[derive(Clone, Debug, Serialize)]
pub struct Properties {
    tags: [&'static str; 1],
    #[serde(rename = "security-severity", skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
}

/// What rules are about that are not about safety; the others are about the form of memories.
const TAGS: &[(&str, &[&str])] = &[
    (
        "staleness",
        &[
            "stale-path",
            "changed-since",
            "stale-symbol",
            "stale-version",
            "expired",
        ],
    ),
    ("contradiction", &["contradiction", "superseded-active"]),
    (
        "duplication",
        &[
            "near-duplicate",
            "contained",
            "duplicate-title",
            "duplicate-id",
            "repeats-docs",
        ],
    ),
    (
        "waste",
        &["failure-log", "empty-body", "body-length", "cut-in-prompt"],
    ),
    (
        "retrieval",
        &[
            "invisible-to-loader",
            "dead-appended",
            "never-selected",
            "always-selected",
        ],
    ),
];

/// The properties of a rule.
pub fn properties(rule: &str) -> Properties {
    let security = SECURITY.iter().find(|(id, _)| *id == rule);
    let tag = TAGS.iter().find(|(_, rules)| rules.contains(&rule));
    let pattern = crate::lint::rule(rule).is_some_and(|rule| rule.id().contains("pattern"));
    Properties {
        tags: [match (security, tag) {
            (Some(_), _) => "security",
            (None, Some((tag, _))) => tag,
            (None, None) if pattern => "retrieval",
            (None, None) => "format",
        }],
        severity: security.map(|(_, severity)| *severity),
    }
}

/// The rules about safety, and how bad what they find is, 0 to 10 as CVSS counts: over 7 is high,
/// over 4 medium.
pub(super) const SECURITY: &[(&str, &str)] = &[
    ("secret", "8.0"),
    ("exfiltration-link", "7.5"),
    ("reader-instruction", "7.5"),
    ("terminal-escape", "5.0"),
    ("invisible-unicode", "5.0"),
    ("personal-path", "2.0"),
];
