//! Failure logs and output of commands, kept as memories.
//!
//! A record such as `cmd=…, exit=…, error=…, next=…` is known by its keys, output by how its lines
//! begin.

mod output;
mod record;

use self::output::{Lines, may_be_output};
use self::record::record;
use super::chars::cut;
use super::tuning::Threshold;
use super::{Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;

/// A failure log or the output of a command.
pub(super) struct FailureLog;

/// Bytes of a body that are read.
const LONGEST: usize = 64 * 1024;

/// The signs of a log in a body.
struct Log {
    confidence: f64,
    evidence: String,
    /// True if a sentence stands beside it, so that the memory may be worth its place.
    explained: bool,
}

impl Rule for FailureLog {
    fn info(&self) -> RuleInfo {
        RuleInfo("failure-log", Severity::Warning)
    }

    fn thresholds(&self) -> &'static [Threshold] {
        &[Threshold {
            name: "share",
            usual: 0.6,
            range: (0.1, 1.0),
            what: "the part of the lines that are log or output",
        }]
    }

    fn joins(&self) -> bool {
        true
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let (start, body) = subject.body();
        let share = subject.cx.threshold(self.id(), "share", subject.index);
        let Some(log) = log(cut(body, LONGEST), share) else {
            return;
        };
        let severity = match log.explained {
            true => Severity::Info,
            false => self.severity(),
        };
        let at = start + body.len() - body.trim_start().len();
        let finding = subject.finding(self.id(), severity, subject.at(at));
        out.push(
            finding
                .about(at..start + body.trim_end().len())
                .sure(log.confidence)
                .says("a log of what happened, not what was learnt from it")
                .because(log.evidence)
                .fixed_by(subject.archive().filter(|_| !log.explained)),
        );
    }
}

/// The log that a body is, if at least this share of its lines is output or it records one failure.
fn log(body: &str, share: f64) -> Option<Log> {
    if let Some(record) = record(body) {
        return (!record.settled).then(|| Log {
            confidence: if record.explained { 0.5 } else { 0.97 },
            evidence: format!("it records {}", record.keys.join(", ")),
            explained: record.explained,
        });
    }
    if share > 0.0 && !may_be_output(body) {
        return None;
    }
    let lines = Lines::new(body);
    let printed = lines.share();
    (printed >= share).then(|| {
        let explained = lines.has_sentences();
        Log {
            confidence: if explained { 0.5 } else { 0.85 },
            evidence: format!("{:.0} % of its lines are output", printed * 100.0),
            explained,
        }
    })
}
