//! Memories whose time is over.

use super::{Finding, Fix, Look, Rule};
use crate::memory::Severity;

/// A memory that its system stopped reading.
pub(super) struct Expired;

impl Rule for Expired {
    fn id(&self) -> &'static str {
        "expired"
    }

    fn severity(&self) -> Severity {
        Severity::Info
    }

    fn title(&self) -> &'static str {
        "a memory whose time is over: its system does not read it any more"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let expiry = look
            .memory
            .expires
            .filter(|_| look.memory.is_expired(look.cx.now));
        // What is not seen anyway has a finding of its own.
        let Some(expiry) = expiry.filter(|_| look.memory.hidden.is_none()) else {
            return;
        };
        let finding = look
            .finding(self.id(), self.severity(), look.at(0))
            .says(format!(
                "{} does not read it since {}: {}",
                look.memory.schema.format,
                expiry.at.date(),
                expiry.why
            ));
        // Its system reads it no more, wherever it stands.
        let fix = look.archive().map(|fix| Fix { safe: true, ..fix });
        out.push(finding.fixed_by(fix));
    }
}
