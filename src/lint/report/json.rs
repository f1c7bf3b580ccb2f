//! The JSON of the contract.

use serde::Serialize;

use super::{Report, Resolve};
use crate::lint::Finding;

/// All findings and their number.
#[derive(Clone, Debug, Serialize)]
pub struct JsonReport {
    /// The findings.
    pub findings: Vec<JsonFinding>,
    /// Their number.
    pub summary: Summary,
}

/// How many findings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Suggestions.
    pub info: usize,
    /// Memories that were looked at.
    pub memories: usize,
    /// Findings that are left out, for their memory silences them.
    pub silenced: usize,
    /// Findings that are left out, for they stand in the baseline.
    pub baseline: usize,
    /// Findings of the baseline whose memory is not there any more.
    pub baseline_gone: usize,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFinding {
    /// The rule's id.
    pub rule: &'static str,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// 0 to 1.
    pub confidence: f64,
    /// The memory's id.
    pub id: String,
    /// Its file.
    pub path: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// The ids of other memories it is about.
    pub related: Vec<String>,
    /// What puts it right.
    pub fix: Option<JsonFix>,
    /// What matters in the evidence.
    pub marks: Vec<JsonMark>,
}

/// Some bytes of a piece of evidence.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JsonMark {
    /// Which piece, from 0.
    pub evidence: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// A fix.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFix {
    /// What it does.
    pub title: String,
    /// The unified diff.
    pub diff: String,
}

fn marks(finding: &Finding) -> Vec<JsonMark> {
    let marks = finding.marks.iter().map(|(evidence, bytes)| JsonMark {
        evidence: *evidence,
        start: bytes.start,
        end: bytes.end,
    });
    marks.collect()
}

impl Report<'_> {
    /// What the contract calls "lint".
    pub fn json(&self, fixes: &dyn Resolve) -> JsonReport {
        let findings = self.findings.iter().map(|finding| JsonFinding {
            rule: finding.rule,
            severity: finding.severity.word(),
            confidence: finding.confidence,
            id: self.id(finding.memory),
            path: self.path(finding.memory),
            line: finding.line,
            column: finding.column,
            message: finding.message.clone(),
            evidence: finding.evidence.clone(),
            related: finding.related.iter().map(|one| self.id(*one)).collect(),
            fix: finding.fix.as_ref().and_then(|fix| {
                let resolved = fixes.resolve(fix)?;
                Some(JsonFix {
                    title: fix.title.clone(),
                    diff: crate::lint::mask(&resolved.diff).into_owned(),
                })
            }),
            marks: marks(finding),
        });
        JsonReport {
            findings: findings.collect(),
            summary: self.summary(),
        }
    }
}
