//! Policies that judge every memory for itself: no points, no ranking, an order that is the store's.

use std::collections::HashMap;
use std::sync::Arc;

use super::hybrid::about::{About, HANDED_OUT, about};
use super::options::too_long;
use super::{
    Limits, Match, Options, Policy, Preview, Reason, Scorer, Snapshot, StoreFault, Task, Texts,
    Verdict, memory_at,
};
use crate::memory::{Memory, State, Value};

/// Input for judging one memory.
pub(super) struct Ask<'a> {
    /// The task.
    pub task: &'a Task,
    /// The limits, with the settings of the store.
    pub limits: &'a Limits,
    /// The dialect, that of the store where nobody asks for another.
    pub dialect: &'a str,
}

impl Ask<'_> {
    /// A setting of the store.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.limits.options.get(name)
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

/// What becomes of one memory.
pub(super) struct Judged {
    /// In, or why not.
    pub reason: Reason,
    /// Hint on how to bring it in, or to get it elsewhere.
    pub hint: Option<String>,
    /// The pattern that brought it in.
    pub matched: Option<Match>,
}

impl Judged {
    /// A memory of which nothing more is to be said.
    pub const fn of(reason: Reason) -> Self {
        Self {
            reason,
            hint: None,
            matched: None,
        }
    }

    /// A memory that is left out, and what would bring it in.
    pub fn hint(reason: Reason, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..Self::of(reason)
        }
    }
}

/// A system that judges every memory for itself.
pub(super) trait Listing: Send + Sync {
    /// The policy's name.
    const NAME: &'static str;
    /// Its dialects, the default first.
    const DIALECTS: &'static [&'static str] = &[];
    /// The flags that mean something to it.
    const FLAGS: &'static [&'static str] = &[];
    /// Data read once for all memories.
    type Facts: Send + Sync;

    /// Reads that.
    fn facts(memories: &[&Memory], ask: &Ask<'_>, texts: &dyn Texts) -> Self::Facts;
    /// Judges a memory that the loader sees.
    fn judge(memory: &Memory, ask: &Ask<'_>, facts: &Self::Facts) -> Judged;
    /// The text that an agent is given.
    fn prompt(
        memories: &[&Memory],
        selected: &[&Memory],
        ask: &Ask<'_>,
        facts: &Self::Facts,
        texts: &dyn Texts,
    ) -> String;
    /// Returns errors of the store as a whole; see [`Policy::faults`].
    fn faults(
        memories: &[(usize, &Memory)],
        options: &Options,
        texts: &dyn Texts,
    ) -> Vec<StoreFault> {
        let _ = (memories, options, texts);
        Vec::new()
    }
    /// Returns notes for the person beside it.
    fn notes(ask: &Ask<'_>, facts: &Self::Facts) -> Vec<String> {
        let _ = (ask, facts);
        Vec::new()
    }
}

/// The policy of such a system.
pub(super) struct Listed<L>(pub std::marker::PhantomData<fn() -> L>);

impl<L: Listing + 'static> Policy for Listed<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn dialects(&self) -> &'static [&'static str] {
        L::DIALECTS
    }

    fn flags(&self) -> &'static [&'static str] {
        L::FLAGS
    }

    fn goes_by_task(&self, _dialect: &str) -> bool {
        false
    }

    fn gives_texts(&self) -> bool {
        false
    }

    fn faults(
        &self,
        memories: &[(usize, &Memory)],
        options: &Options,
        texts: &dyn Texts,
    ) -> Vec<StoreFault> {
        L::faults(memories, options, texts)
    }

    fn scorer(&self, memories: Snapshot) -> Box<dyn Scorer> {
        Box::new(ListedScorer::<L> {
            memories,
            system: std::marker::PhantomData,
        })
    }
}

struct ListedScorer<L> {
    memories: Snapshot,
    system: std::marker::PhantomData<fn() -> L>,
}

impl<L: Listing> ListedScorer<L> {
    fn ask<'a>(task: &'a Task, limits: &'a Limits) -> Ask<'a> {
        Ask {
            task,
            limits,
            dialect: match limits.dialect {
                "" => {
                    let own = limits.options.get("dialect");
                    own.or(L::DIALECTS.first().copied()).unwrap_or_default()
                }
                asked => asked,
            },
        }
    }

    fn judge(memory: &Memory, ask: &Ask<'_>, facts: &L::Facts) -> Judged {
        match (&memory.hidden, memory.state) {
            (_, State::Archived) => Judged::hint(Reason::Archived, "it is archived: restore it"),
            (Some(hidden), _) => Judged::hint(Reason::Invisible, hidden.to_string()),
            (None, State::Active) => match ask.switch(memory) {
                Some(switch) => {
                    let written = switch.replace('=', ": ");
                    Judged::hint(Reason::Disabled, format!("`{written}` switches it off"))
                }
                None => L::judge(memory, ask, facts),
            },
        }
    }

    fn verdict(index: usize, memory: &Memory, judged: Judged) -> Verdict {
        Verdict {
            hint: judged.hint,
            matched: judged.matched,
            ..Verdict::of(index, memory, judged.reason)
        }
    }
}

/// How near a memory that is left out is to being given.
const fn nearness(reason: Reason) -> u8 {
    match reason {
        Reason::Reachable => 0,
        Reason::NoMatch => 1,
        Reason::NotApplicable => 2,
        _ => 3,
    }
}

/// The memories of a snapshot with another one in the place of one of them.
fn replaced(memories: &Snapshot, at: usize, by: &Memory) -> Snapshot {
    let mut memories = memories.to_vec();
    if let Some(memory) = memories.get_mut(at) {
        *memory = Arc::new(by.clone());
    }
    Arc::new(memories)
}

/// Puts what has words of the task first among what an agent can only ask for, as `memkeep hook` ranks
/// it, and says what the hook does with it.
fn rank_as_hook(rejected: &mut [Verdict], ranked: &[About]) {
    let ranked = ranked.iter().filter(|about| !about.words.is_empty());
    let places: HashMap<usize, (usize, &About)> = ranked
        .enumerate()
        .map(|(place, about)| (about.memory, (place, about)))
        .collect();
    let place = |verdict: &Verdict| {
        let place = places.get(&verdict.memory);
        place.filter(|_| verdict.reason == Reason::Reachable)
    };
    rejected.sort_by_key(|verdict| {
        let place = place(verdict).map_or(usize::MAX, |(place, _)| *place);
        (nearness(verdict.reason), place)
    });
    let mut handed_out = 0;
    for verdict in rejected {
        let Some((_, about)) = place(verdict) else {
            continue;
        };
        let words: Vec<String> = about.words.iter().map(|word| format!("`{word}`")).collect();
        let words = words.join(", ");
        let is_given = about.is_above_floor() && handed_out < HANDED_OUT;
        handed_out += usize::from(is_given);
        let by_hook = match is_given {
            true => format!("the hook hands it out for {words}"),
            false => format!("too little for the hook: {words}"),
        };
        let own = verdict.hint.take().into_iter();
        let (before, after) = own.partition::<Vec<String>, _>(|_| !is_given);
        let parts = [before, vec![by_hook], after].concat();
        verdict.hint = Some(parts.join("; "));
    }
}

impl<L: Listing> Scorer for ListedScorer<L> {
    fn index(&mut self, _texts: &dyn Texts) {}

    fn preview(
        &self,
        task: &Task,
        limits: &Limits,
        what_if: Option<(usize, &Memory)>,
        texts: &dyn Texts,
    ) -> Arc<Preview> {
        let ask = Self::ask(task, limits);
        let all: Vec<(usize, &Memory)> = (0..self.memories.len())
            .filter_map(|at| Some((at, memory_at(&self.memories, what_if, at)?)))
            .collect();
        let memories: Vec<&Memory> = all.iter().map(|(_, memory)| *memory).collect();
        let facts = L::facts(&memories, &ask, texts);
        let (mut selected, mut rejected, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (index, memory) in all {
            let judged = Self::judge(memory, &ask, &facts);
            let mut verdict = Self::verdict(index, memory, judged);
            if verdict.reason == Reason::Selected {
                given.push(memory);
                verdict.rank = Some(given.len());
                selected.push(verdict);
            } else {
                rejected.push(verdict);
            }
        }
        rejected.sort_by_key(|verdict| nearness(verdict.reason));
        if limits.rejected > 0 && !task.text.trim().is_empty() {
            let memories = match what_if {
                Some((at, memory)) => replaced(&self.memories, at, memory),
                None => self.memories.clone(),
            };
            // The hook sees only the text of the prompt, neither files nor history.
            let prompt = Task {
                text: task.text.clone(),
                agent: task.agent.clone(),
                now: task.now,
                ..Task::default()
            };
            rank_as_hook(&mut rejected, &about(&memories, &prompt, texts));
        }
        rejected.truncate(limits.rejected);
        let prompt = L::prompt(&memories, &given, &ask, &facts, texts);
        let unknown = ask.setting("unknown");
        let unknown = unknown.map(|what| format!("not known: {what}"));
        let long = given.iter().filter_map(|memory| {
            let what = too_long(memory, &limits.options, texts)?;
            Some(format!("{}: {what}", memory.id.local))
        });
        let notes = L::notes(&ask, &facts).into_iter();
        let notes = notes.chain(long).chain(unknown);
        Arc::new(Preview {
            parts: Vec::new(),
            policy: L::NAME,
            dialect: L::DIALECTS
                .iter()
                .find(|known| **known == ask.dialect)
                .copied()
                .unwrap_or_default(),
            rejected_total: self.memories.len() - selected.len(),
            selected,
            rejected,
            prompt,
            skill: None,
            budget: None,
            places: None,
            notes: notes.map(Into::into).collect(),
        })
    }

    fn verdicts(
        &self,
        task: &Task,
        limits: &Limits,
        wanted: &[usize],
        texts: &dyn Texts,
    ) -> Vec<Verdict> {
        let ask = Self::ask(task, limits);
        let memories: Vec<&Memory> = self.memories.iter().map(|memory| &**memory).collect();
        let facts = L::facts(&memories, &ask, texts);
        let mut rank = 0;
        let mut found = Vec::new();
        for (index, memory) in memories.iter().enumerate() {
            let judged = Self::judge(memory, &ask, &facts);
            let is_in = judged.reason == Reason::Selected;
            rank += usize::from(is_in);
            if wanted.contains(&index) {
                let mut verdict = Self::verdict(index, memory, judged);
                verdict.rank = is_in.then_some(rank);
                found.push(verdict);
            }
        }
        found.sort_by_key(|verdict| wanted.iter().position(|at| *at == verdict.memory));
        found
    }
}
