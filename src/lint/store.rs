//! Fault that a policy finds in a store as a whole. A rule reports it under its id.

use super::{Collector, Context, Finding, Rule};
use crate::memory::State;
use crate::retrieval::StoreFault;

/// Reports the faults of all stores that belong to one of these rules.
pub(super) fn finish(cx: &Context<'_>, rules: &[&'static dyn Rule], out: &mut Collector<'_>) {
    for way in &cx.play.policies {
        let own = cx.memories.iter().map(|memory| &**memory).enumerate();
        let own = own.filter(|(_, one)| one.id.store == way.store && one.state == State::Active);
        let own: Vec<_> = own.collect();
        let any = StoreFault::of_any(&own, &way.options, cx.texts);
        let faults = way.policy.faults(&own, &way.options, cx.texts);
        for fault in faults.into_iter().chain(any) {
            let line = cx.memories.get(fault.memory).map_or(1, |one| one.line);
            if rules.iter().any(|rule| rule.id() == fault.rule) {
                let finding = Finding::new(fault.rule, fault.severity, fault.memory, line);
                out.push(Finding {
                    evidence: fault.evidence,
                    ..finding.says(fault.message)
                });
            }
        }
    }
}
