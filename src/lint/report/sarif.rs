//! SARIF 2.1.0, the format of code scanning.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::tags::{Properties, properties};
use super::{Report, Resolve};
use crate::lint::{Finding, Fix, RULES};
use crate::memory::Severity;

/// A SARIF log.
#[derive(Clone, Debug, Serialize)]
pub struct Sarif {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<SarifResult>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification {
    level: &'static str,
    message: Text,
    associated_rule: RuleReference,
}

#[derive(Clone, Debug, Serialize)]
struct RuleReference {
    id: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Text,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Clone, Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Text {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    rank: f64,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical>,
    /// The memory, where its file is none of the repository's: where that lies is nobody's business.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum Region {
    #[serde(rename_all = "camelCase")]
    Place { start_line: u32, start_column: u32 },
    #[serde(rename_all = "camelCase")]
    Stretch {
        start_line: u32,
        start_column: u32,
        end_line: u32,
        end_column: u32,
    },
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Text,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: Artifact,
    replacements: Vec<SarifReplacement>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifReplacement {
    deleted_region: Region,
    inserted_content: Text,
}

impl Report<'_> {
    /// A SARIF log of the findings.
    pub fn sarif(&self, fixes: &dyn Resolve) -> Sarif {
        let mut seen = HashMap::new();
        let notes = self.notes.iter().map(|note| Notification {
            level: "note",
            message: plain(format!("not checked: {}", note.message)),
            associated_rule: RuleReference { id: note.rule },
        });
        let results = self
            .findings
            .iter()
            .map(|finding| self.result(finding, fixes, &mut seen))
            .collect();
        Sarif {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: Tool {
                    driver: Driver {
                        name: "memkeep",
                        version: env!("CARGO_PKG_VERSION"),
                        semantic_version: env!("CARGO_PKG_VERSION"),
                        information_uri: env!("CARGO_PKG_REPOSITORY"),
                        rules: descriptors(),
                    },
                },
                column_kind: "unicodeCodePoints",
                invocations: [Invocation {
                    execution_successful: true,
                    tool_execution_notifications: notes.collect(),
                }],
                results,
            }],
        }
    }

    fn result(
        &self,
        finding: &Finding,
        fixes: &dyn Resolve,
        seen: &mut HashMap<String, u32>,
    ) -> SarifResult {
        let mut message = finding.message.clone();
        for evidence in 0..finding.evidence.len() {
            message.push('\n');
            message.push_str(&finding.shown(evidence));
        }
        // The place is left out, so that a finding stays the same when lines move; the number
        // tells apart what is said twice.
        let said = format!(
            "{}\0{}\0{}",
            finding.rule,
            self.id(finding.memory),
            finding.message
        );
        let count = seen.entry(said.clone()).or_insert(0);
        *count += 1;
        let print = hex(&format!("{said}\0{count}"));
        SarifResult {
            rule_id: finding.rule,
            rule_index: RULES.iter().position(|rule| rule.id() == finding.rule),
            level: level(finding.severity),
            rank: (finding.confidence * 100.0).clamp(0.0, 100.0),
            message: plain(message),
            locations: vec![self.location(finding.memory, finding.line, finding.column)],
            related_locations: finding
                .related
                .iter()
                .enumerate()
                .map(|(n, index)| {
                    let start = self.memory(*index).map_or(1, |memory| memory.line);
                    let there = finding.there.filter(|_| n == 0);
                    let (line, column) = there.unwrap_or((start, 1));
                    Location {
                        message: Some(plain(self.id(*index))),
                        ..self.location(*index, line, column)
                    }
                })
                .collect(),
            partial_fingerprints: BTreeMap::from([("memkeep/v1", print)]),
            fixes: finding
                .fix
                .iter()
                .filter_map(|fix| sarif_fix(fix, fixes))
                .collect(),
        }
    }

    fn location(&self, memory: usize, line: u32, column: u32) -> Location {
        let artifact = artifact(&self.path(memory));
        let logical = artifact.is_none().then(|| Logical {
            fully_qualified_name: self.id(memory),
        });
        Location {
            physical_location: artifact.map(|artifact_location| Physical {
                artifact_location,
                region: Region::Place {
                    start_line: line.max(1),
                    start_column: column.max(1),
                },
            }),
            logical_locations: logical.into_iter().collect(),
            message: None,
        }
    }
}

fn descriptors() -> Vec<Descriptor> {
    RULES
        .iter()
        .map(|rule| Descriptor {
            id: rule.id(),
            short_description: plain(rule.title().to_owned()),
            full_description: plain(why(rule.help()).to_owned()),
            help: Text {
                text: rule.help().to_owned(),
                markdown: Some(rule.help()),
            },
            default_configuration: Configuration {
                level: level(rule.severity()),
            },
            properties: properties(rule.id()),
        })
        .collect()
}

/// The first paragraph of a page's "Why it matters".
fn why(page: &str) -> &str {
    let (_, why) = page.split_once("## Why it matters").unwrap_or(("", page));
    why.trim_start().split("\n\n").next().unwrap_or_default()
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

const fn plain(text: String) -> Text {
    Text {
        text,
        markdown: None,
    }
}

fn sarif_fix(fix: &Fix, fixes: &dyn Resolve) -> Option<SarifFix> {
    let mut changes: Vec<ArtifactChange> = Vec::new();
    for one in fixes.resolve(fix)?.replacements {
        // A secret is not written into a report, and without it the fix would not be one.
        if let Cow::Owned(_) = crate::lint::mask(&one.text) {
            return None;
        }
        let location = artifact(&one.path)?;
        let replacement = SarifReplacement {
            deleted_region: Region::Stretch {
                start_line: one.start.0,
                start_column: one.start.1,
                end_line: one.end.0,
                end_column: one.end.1,
            },
            inserted_content: plain(one.text),
        };
        match changes
            .iter_mut()
            .find(|change| change.artifact_location == location)
        {
            Some(change) => change.replacements.push(replacement),
            None => changes.push(ArtifactChange {
                artifact_location: location,
                replacements: vec![replacement],
            }),
        }
    }
    (!changes.is_empty()).then(|| SarifFix {
        description: plain(fix.title.clone()),
        artifact_changes: changes,
    })
}

/// A file as a URI, relative to the root of the sources; none where it is not below that.
fn artifact(path: &str) -> Option<Artifact> {
    use std::fmt::Write as _;
    if Path::new(path).is_absolute() {
        return None;
    }
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a String cannot fail.
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    Some(Artifact {
        uri,
        uri_base_id: "%SRCROOT%",
    })
}

fn hex(text: &str) -> String {
    use std::fmt::Write as _;
    let mut hex = String::with_capacity(32);
    for byte in Sha256::digest(text.as_bytes()).iter().take(16) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
