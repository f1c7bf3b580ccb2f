//! Policies that judge every memory for itself: no points, no ranking, an order that is the store's.

use std::collections::HashMap;
use std::sync::Arc;

use super::hybrid::about::{Ranked, is_topic};
use super::hybrid::background::Background;
use super::scorer::too_long;
use super::{
    Asked, Match, Policy, Preview, Reason, Scorer, Snapshot, Task, Verdict, memory_at, unseen,
};
use crate::memory::{Memory, Value};

/// Result for one memory: it is given, by the pattern that matched if there is one; or why it is left
/// out, and what would bring it in.
pub(super) type Judged = Result<Option<Match>, (Reason, String)>;

/// A memory that is left out.
pub(super) fn out(reason: Reason, hint: impl Into<String>) -> Judged {
    Err((reason, hint.into()))
}

/// A question with the dialect that answers it: that of the store, unless another is asked for.
pub(super) struct Ask<'a> {
    pub asked: &'a Asked<'a>,
    pub dialect: &'a str,
}

impl Ask<'_> {
    /// A setting of the store.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.asked.limits.options.get(name)
    }

    /// The field that switches a memory off, with its value: one of those that the setting `off`
    /// names, `field=value`.
    fn switch(&self, memory: &Memory) -> Option<&str> {
        let mut switches = self.setting("off")?.split_whitespace();
        switches.find(|switch| {
            let (name, value) = switch.split_once('=').unwrap_or_default();
            let own = memory.field(name);
            own.is_some_and(|own| matches!(own, Value::Bool(_)) && own.to_string() == value)
        })
    }
}

/// The memories of one preview of such a system.
pub(super) trait Listing {
    /// Judges a memory that the loader sees.
    fn judge(&self, memory: &Memory) -> Judged;
    /// The text that an agent is given.
    fn prompt(&self, selected: &[&Memory]) -> String;
    /// Returns notes for the person beside it.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Opens the listing of some memories, reading what is the same for all of them.
pub(super) type Open = for<'a> fn(&[&'a Memory], &'a Ask<'a>) -> Box<dyn Listing + 'a>;

/// The policy of such a system: its flags, dialects and faults are to be added.
pub(super) const fn listed(name: &'static str, scorer: fn(Snapshot) -> Box<dyn Scorer>) -> Policy {
    Policy {
        goes_by_task: |_| false,
        gives_texts: false,
        ..Policy::new(name, scorer)
    }
}

/// The scorer of such a policy.
pub(super) struct ListedScorer(pub Snapshot, pub &'static Policy, pub Open);

/// Order of memories that are left out, the nearest to being given first.
const fn nearness(reason: Reason) -> u8 {
    match reason {
        Reason::Reachable => 0,
        Reason::NoMatch => 1,
        Reason::NotApplicable => 2,
        _ => 3,
    }
}

/// Puts what has words of the task first among what an agent can only ask for, as `memkeep hook` ranks
/// it.
fn rank_as_hook(rejected: &mut [Verdict], ranked: &Ranked) {
    let places = ranked.all.iter().map(|about| about.memory).zip(0..);
    let places: HashMap<usize, usize> = places.collect();
    rejected.sort_by_key(|verdict| {
        let place = places.get(&verdict.memory).copied();
        let is_open = verdict.reason == Reason::Reachable;
        let place = place.filter(|_| is_open).unwrap_or(usize::MAX);
        (nearness(verdict.reason), place)
    });
}

impl ListedScorer {
    /// The ranking of `memkeep hook`, which sees only the text of the prompt.
    fn hook_ranking(&self, asked: &Asked<'_>) -> Ranked {
        let prompt = Task {
            text: asked.task.text.clone(),
            now: asked.task.now,
            ..Task::default()
        };
        let all = 0..self.0.len();
        let own = |at| match asked.what_if {
            Some((edited, memory)) if edited == at => Some(Arc::new(memory.clone())),
            _ => self.0.get(at).cloned(),
        };
        let all = all.filter_map(|at| Some((at, own(at)?)));
        let topics = all.filter(|(_, memory)| is_topic(memory));
        let (places, topics): (Vec<usize>, Vec<Arc<Memory>>) = topics.unzip();
        let topics = Arc::new(topics);
        let mut ranked = Ranked::new(&topics, &prompt, asked.texts, Background::default());
        ranked.rename(&places);
        ranked
    }
}

impl Scorer for ListedScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let (Self(memories, listed, open), limits) = (self, asked.limits);
        let own = || limits.options.get("dialect");
        let dialect = match limits.dialect {
            "" => own()
                .or(listed.dialects.first().copied())
                .unwrap_or_default(),
            wanted => wanted,
        };
        let ask = Ask { asked, dialect };
        let all = 0..memories.len();
        let all = all.filter_map(|at| memory_at(memories, asked.what_if, at));
        let memories: Vec<&Memory> = all.collect();
        let listing = open(&memories, &ask);
        let (mut selected, mut rejected, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (index, memory) in memories.iter().enumerate() {
            let judged = match (unseen(memory), ask.switch(memory)) {
                (Some(why), _) => Err(why),
                (None, Some(switch)) => {
                    let written = switch.replace('=', ": ");
                    out(Reason::Disabled, format!("`{written}` switches it off"))
                }
                (None, None) => listing.judge(memory),
            };
            match judged {
                Ok(matched) => {
                    given.push(*memory);
                    selected.push(Verdict {
                        matched,
                        rank: Some(given.len()),
                        ..Verdict::of(index, memory, Reason::Selected)
                    });
                }
                Err(why) => rejected.push(Verdict::left_out(index, memory, why)),
            }
        }
        let (rejected_total, mut candidates) = (rejected.len(), Vec::new());
        if let Some(wanted) = asked.wanted {
            rejected.retain(|verdict| wanted.contains(&verdict.memory));
        } else {
            rejected.sort_by_key(|verdict| nearness(verdict.reason));
            if limits.rejected > 0 && !asked.task.text.trim().is_empty() {
                let ranked = self.hook_ranking(asked);
                rank_as_hook(&mut rejected, &ranked);
                let all = ranked.all.iter();
                candidates = all.map(|about| ranked.candidate(*about)).collect();
            }
            rejected.truncate(limits.rejected);
        }
        let unknown = ask.setting("unknown");
        let unknown = unknown.map(|what| format!("not known: {what}"));
        let long = given.iter().filter_map(|memory| {
            let what = too_long(memory, &limits.options, asked.texts)?;
            Some(format!("{}: {what}", memory.id.local))
        });
        let takes_files = listed.flags.contains(&"file") || asked.task.files.is_empty();
        let files = (!takes_files).then(|| "the files of the task change nothing here".to_owned());
        let notes = files.into_iter().chain(listing.notes());
        let notes = notes.chain(long).chain(unknown);
        let mut known = listed.dialects.iter().copied();
        Arc::new(Preview {
            policy: listed.name,
            dialect: known.find(|known| *known == dialect).unwrap_or_default(),
            rejected_total,
            selected,
            rejected,
            candidates,
            prompt: listing.prompt(&given),
            notes: notes.map(Into::into).collect(),
            ..Preview::default()
        })
    }
}
