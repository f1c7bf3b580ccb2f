//! The JSON of the contract.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{Report, Resolve};
use crate::lint::Finding;

/// Number of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Suggestions.
    pub info: usize,
    /// Memories that were checked.
    pub memories: usize,
    /// Findings that their memory silences.
    pub silenced: usize,
    /// Findings in the baseline.
    pub baseline: usize,
    /// Findings of the baseline whose memory does not exist any more.
    pub baseline_gone: usize,
}

impl Report<'_> {
    /// The object that the contract calls "lint".
    pub fn json(&self, fixes: &dyn Resolve) -> Json {
        let findings = self.findings.iter();
        let findings: Vec<Json> = findings.map(|one| self.json_of(one, fixes)).collect();
        let notes = self.notes.iter();
        let notes = notes.map(|note| json!({ "rule": note.rule, "message": note.message }));
        json!({
            "findings": findings,
            "summary": self.summary(),
            "notes": notes.collect::<Vec<_>>(),
        })
    }

    fn json_of(&self, finding: &Finding, fixes: &dyn Resolve) -> Json {
        let marks = finding.marks.iter().map(
            |(piece, bytes)| json!({ "evidence": piece, "start": bytes.start, "end": bytes.end }),
        );
        let fix = finding.fix.as_deref().and_then(|fix| {
            let diff = fixes.resolve(fix)?.diff;
            Some(json!({ "title": fix.title, "diff": crate::lint::mask(&diff) }))
        });
        let related = finding.related.iter().map(|one| self.id(*one));
        json!({
            "rule": finding.rule,
            "severity": finding.severity.word(),
            "confidence": finding.confidence,
            "id": self.id(finding.memory),
            "path": self.path(finding.memory),
            "line": finding.line,
            "column": finding.column,
            "message": finding.message,
            "evidence": finding.evidence,
            "related": related.collect::<Vec<_>>(),
            "fix": fix,
            "marks": marks.collect::<Vec<_>>(),
        })
    }
}
