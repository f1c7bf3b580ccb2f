//! Memories that say the same.

use std::collections::{BTreeMap, HashMap};

use super::chars::quote;
use super::digest::Gather;
use super::judged::PairVerdict;
use super::pairs::{Found, Likeness, SHORTER, gather, pairs};
use super::succession::decides;
use super::tuning::Threshold;
use super::{Collector, Context, Facts, Finding, Fix, Rule, RuleInfo, Subject};
use crate::curate::Change;
use crate::memory::Severity;
use crate::memory::golemcore::kin;

/// More memories than these that are like each other, word for word but for a few, are a form that
/// was filled in, and each says what the others do not.
const FORM: usize = 4;

/// A rule about memories that say the same.
pub(super) struct Duplicate {
    info: RuleInfo,
    /// Whether it is about one that is much shorter than the other.
    contained: bool,
    /// The share that makes two memories alike.
    share: &'static [Threshold],
}

/// Two memories of about one length.
pub(super) static NEAR_DUPLICATE: Duplicate = Duplicate {
    info: RuleInfo("near-duplicate", Severity::Warning),
    contained: false,
    share: &[Threshold {
        name: "share",
        usual: 0.45,
        range: (0.1, 1.0),
        what: "the part of the shorter one's wording that the other has",
    }],
};

/// A memory whose statements stand in a longer one.
pub(super) static CONTAINED: Duplicate = Duplicate {
    info: RuleInfo("contained", Severity::Warning),
    contained: true,
    share: &[Threshold {
        name: "share",
        usual: 0.7,
        range: (0.1, 1.0),
        what: "the part of the shorter one's wording that the longer one has",
    }],
};

impl Rule for Duplicate {
    fn info(&self) -> RuleInfo {
        self.info
    }

    fn compares(&self) -> bool {
        true
    }

    fn asks(&self) -> bool {
        true
    }

    fn verdict(&self) -> Option<PairVerdict> {
        (!self.contained).then_some(PairVerdict::Duplicate)
    }

    fn thresholds(&self) -> &'static [Threshold] {
        self.share
    }

    fn gather(&self, subject: &Subject<'_>) -> Gather {
        gather(subject)
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
        // Of each memory the one that is most like it, and what else is.
        let mut found: BTreeMap<usize, Vec<(usize, Likeness)>> = BTreeMap::new();
        let mut like: HashMap<usize, usize> = HashMap::new();
        let of = |index: usize| cx.memories.get(index);
        for pair in pairs(cx, facts).found(cx, facts) {
            let both = of(pair.a).zip(of(pair.b));
            if both.is_some_and(|(a, b)| kin::belong_together(a, b) || decides(a, b)) {
                continue;
            }
            if pair.alike.is_some_and(|alike| alike.share < 1.0) {
                for memory in [pair.a, pair.b] {
                    *like.entry(memory).or_default() += 1;
                }
            }
            if let Some((memory, other, alike)) = self.about(cx, pair)
                && !cx.answered(self.id(), memory, other)
            {
                found.entry(memory).or_default().push((other, alike));
            }
        }
        for (memory, others) in found {
            // A pair that is silenced is named only where every pair is.
            let is_silenced = |(other, _): &(usize, Likeness)| out.silences(self.id(), *other);
            let (silenced, open): (Vec<_>, Vec<_>) = others.into_iter().partition(is_silenced);
            let mut others = if open.is_empty() { silenced } else { open };
            others.sort_by(|a, b| b.1.share.total_cmp(&a.1.share).then(a.0.cmp(&b.0)));
            let Some(&(first, alike)) = others.first() else {
                continue;
            };
            let (share, partly, warns) = (alike.share, alike.partly, alike.warns);
            let name = of(first).map(|memory| quote(&memory.id.to_string()));
            let name = name.unwrap_or_default();
            let line = of(memory).map_or(1, |memory| memory.line);
            let percent = (share * 100.0).round();
            // What is shared is a part of the shorter one.
            let words = |index| of(index).map_or(0, |memory| memory.words);
            let evidence = match words(memory) > words(first) {
                true => format!("{percent}% of {name} stands in this one"),
                false => format!("{percent}% of it stands in the other"),
            };
            let count = like.get(&memory).copied().unwrap_or_default();
            let is_form = |share: f64| count > FORM && share < 1.0;
            let form = is_form(share);
            // Of each the same has to be true by itself.
            others.retain(|(_, one)| {
                is_form(one.share) == form && (one.partly, one.warns) == (partly, warns)
            });
            let says = match (form, self.contained) {
                (false, _) if partly => format!("shares much with {name}"),
                (true, _) => format!("one form with {count} others, as {name}"),
                (false, true) => format!("all of it stands in {name}"),
                (false, false) => format!("nearly the same as {name}"),
            };
            let (severity, sure) = match form {
                true => (Severity::Info, 0.4),
                // Each says something of its own: to merge them may be worth it, or not.
                false if partly => (Severity::Info, 0.6),
                false if !warns => (Severity::Info, 0.75),
                false => (Severity::Warning, 0.9 + 0.1 * share.min(1.0)),
            };
            let others = others.into_iter().map(|(other, _)| other);
            let others = others.take(8).collect();
            let finding = Finding::of_pair((self.id(), severity), (memory, line), others)
                .sure(sure)
                .says(says)
                .because(evidence)
                .fixed_by((!form).then(|| self.fix(cx, memory, first)).flatten());
            out.push(finding);
        }
    }
}

impl Duplicate {
    /// Archives what is contained unless it outlasts the other; of two that are alike merges the
    /// later one into the first.
    fn fix(&self, cx: &Context<'_>, memory: usize, first: usize) -> Option<Fix> {
        let own = cx.memories.get(memory)?;
        let other = cx.memories.get(first)?;
        if !self.contained {
            return Fix::merge(cx.memories, first, memory);
        }
        let archive = || Change::Archive(vec![own.id.clone()]);
        (!kin::outlasts(own, other)).then(|| Fix::reviewed("archive it", memory, archive()))
    }

    /// The memory a pair is reported on, the other, and how much of it that has: the shorter is
    /// contained; of two that are alike the later repeats the first.
    fn about(&self, cx: &Context<'_>, pair: &Found) -> Option<(usize, usize, Likeness)> {
        let alike = pair.alike?;
        if (alike.size < SHORTER) != self.contained {
            return None;
        }
        let words = |index: usize| cx.memories.get(index).map_or(0, |memory| memory.words);
        let first_is_short = self.contained && words(pair.a) < words(pair.b);
        Some(match first_is_short {
            true => (pair.a, pair.b, alike),
            false => (pair.b, pair.a, alike),
        })
    }
}
