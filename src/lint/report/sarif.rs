//! SARIF 2.1.0, the format of code scanning.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::{Report, level};
use crate::lint::{Finding, RULES, Rule};
use crate::text::rule_pages;

impl Report<'_> {
    /// A SARIF log of the findings.
    pub fn sarif(&self) -> Json {
        let results: Vec<Json> = self.findings.iter().map(|one| self.result(one)).collect();
        let rules = RULES.iter().map(descriptor);
        let driver = filled(json!({
            "name": "memkeep",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": rules.collect::<Vec<_>>(),
        }));
        let notes = self.notes.iter().map(|note| {
            json!({
                "level": "note",
                "message": { "text": format!("not checked: {}", note.message) },
                "associatedRule": { "id": note.rule },
            })
        });
        let invocation = filled(json!({
            "executionSuccessful": true,
            "toolExecutionNotifications": notes.collect::<Vec<_>>(),
        }));
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": driver },
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": results,
            }],
        })
    }

    fn result(&self, finding: &Finding) -> Json {
        let related = finding.related.iter().map(|index| {
            let start = self.memory(*index).map_or(1, |memory| memory.line);
            let mut location = self.location(*index, (start, 1));
            let message = json!({ "text": self.id(*index) });
            if let Some(fields) = location.as_object_mut() {
                fields.insert("message".to_owned(), message);
            }
            location
        });
        filled(json!({
            "ruleId": finding.rule,
            "ruleIndex": RULES.iter().position(|rule| rule.id == finding.rule),
            "level": level(finding.severity, "note"),
            "rank": (finding.confidence * 100.0).clamp(0.0, 100.0),
            "message": { "text": self.lines(finding) },
            "locations": [self.location(finding.memory, (finding.line, finding.column))],
            "relatedLocations": related.collect::<Vec<_>>(),
        }))
    }

    /// The place in the file, or the memory alone if its file is outside the repository.
    fn location(&self, memory: usize, (line, column): (u32, u32)) -> Json {
        match artifact(&self.path(memory)) {
            Some(artifact) => json!({
                "physicalLocation": {
                    "artifactLocation": artifact,
                    "region": { "startLine": line.max(1), "startColumn": column.max(1) },
                },
            }),
            None => json!({
                "logicalLocations": [{ "fullyQualifiedName": self.id(memory) }],
            }),
        }
    }
}

/// An object without its empty fields.
fn filled(mut object: Json) -> Json {
    let is_empty = |value: &Json| value.is_null() || *value == "" || *value == json!([]);
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !is_empty(value));
    }
    object
}

fn descriptor(rule: &Rule) -> Json {
    let help = rule_pages::page(rule.id);
    filled(json!({
        "id": rule.id,
        "shortDescription": { "text": rule_pages::title(rule.id) },
        "fullDescription": { "text": rule_pages::why(rule.id) },
        "help": { "text": help, "markdown": help },
        "defaultConfiguration": { "level": level(rule.severity, "note") },
        // GitHub lists alerts about security apart.
        "properties": rule.risk.map(|risk| {
            json!({ "tags": ["security"], "security-severity": format!("{risk:.1}") })
        }),
    }))
}

/// A file as a URI, relative to the root of the sources; none if it is not below that.
fn artifact(path: &str) -> Option<Json> {
    if Path::new(path).is_absolute() {
        return None;
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped = path.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    let uri: String = escaped.collect();
    Some(json!({ "uri": uri, "uriBaseId": "%SRCROOT%" }))
}
