//! Asks a model about the memories that it was not asked about as they are now.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;

use itertools::Itertools as _;

use super::answer::{Answer, read};
use super::command::{self, Failure};
use super::request::{Note, OVERHEAD, Request, Room, groups, nearest, notes};
use crate::config::Runnable;
use crate::lint::decisions::Decisions;
use crate::lint::judged::{Asked, Judgement, PairVerdict, sent};
use crate::lint::repository::Document;
use crate::memory::{Timestamp, tokens_of};
use crate::retrieval::{Previews, Snapshot, Texts};

/// The least budget of a request: the question and two short memories.
pub const LEAST: usize = 800;

/// Separator between two requests, and between two answers.
pub const PARTING: &str = "=====";

/// How often the tokens of a store are sent at most.
const TIMES: usize = 3;

/// Plan of a model run.
pub struct Plan {
    /// The memories that can be asked about.
    pub notes: Vec<Note>,
    /// The requests about new and changed memories.
    pub requests: Vec<Request>,
    /// Number of requests answered earlier.
    pub answered: usize,
    /// Who is asked: `model:NAME`.
    by: String,
    now: Timestamp,
}

/// Facts that a plan is made from.
pub struct Sources<'a> {
    /// All memories.
    pub memories: &'a Snapshot,
    /// Their texts.
    pub texts: &'a dyn Texts,
    /// The decisions of people and models so far.
    pub decisions: &'a Decisions,
    /// Builds the ranking of neighbours.
    pub previews: &'a dyn Previews,
    /// Documents of the project: their paths, which are their ids, and texts.
    pub context: &'a [Document],
    /// Pairs that rules suspect, by their ids.
    pub suspected: &'a [[String; 2]],
    /// The clock.
    pub now: Timestamp,
}

impl Plan {
    /// The requests to a model with this name, each within a budget of tokens.
    pub fn new(sources: &Sources<'_>, name: &str, budget: usize) -> Self {
        let (now, by) = (sources.now, format!("model:{name}"));
        let all = (sources.memories, sources.context);
        let notes = notes(all, sources.texts, now, budget);
        let sizes: Vec<usize> = notes.iter().map(Note::tokens).collect();
        let bodies = notes.iter();
        let bodies = bodies.map(|note| tokens_of(note.body.len()).min(note.tokens()));
        let room = Room {
            group: budget.saturating_sub(OVERHEAD),
            each: OVERHEAD,
            most: TIMES * bodies.sum::<usize>(),
        };
        let sent = Sent::new(sources.decisions, &by);
        let is_cut = sizes.iter().sum::<usize>() > room.group;
        let near = match is_cut || !sent.0.is_empty() {
            true => nearest(&notes, sources.previews, now),
            false => Vec::new(),
        };
        let all = groups(&sizes, &near, room);
        let count = all.len();
        let open = |group: &Vec<usize>| !sent.covers(&notes, group, &near);
        let open: Vec<Vec<usize>> = all.into_iter().filter(open).collect();
        let at: HashMap<&str, usize> = notes.iter().map(|note| &*note.id).zip(0..).collect();
        let index = |id: &String| at.get(&**id).copied();
        let suspected = sources.suspected.iter();
        let suspected = suspected.filter_map(|[a, b]| index(a).zip(index(b)));
        let suspected: Vec<_> = suspected.collect();
        let request = |group| Request::new(&notes, group, &suspected, budget);
        Self {
            answered: count - open.len(),
            requests: open.into_iter().map(request).collect(),
            notes,
            by,
            now,
        }
    }

    /// Number of memories that can be asked about.
    pub fn memories(&self) -> usize {
        self.notes.iter().filter(|note| !note.is_context()).count()
    }

    /// Tokens of all requests.
    pub fn tokens(&self) -> usize {
        self.requests.iter().map(Request::tokens).sum()
    }

    /// All requests, parted.
    pub fn prompts(&self) -> String {
        let mut texts = self.requests.iter().map(|one| &one.text);
        texts.join(&format!("{PARTING}\n"))
    }

    /// The notes of a request.
    fn notes_of(&self, request: &Request) -> Vec<&Note> {
        let notes = request.notes.iter();
        notes.filter_map(|note| self.notes.get(*note)).collect()
    }

    fn read(&self, text: &str, notes: &[&Note]) -> Answer {
        read(text, notes, &self.by, &self.now.to_rfc3339())
    }

    /// The line that says that a request was answered.
    fn asked(&self, request: &Request) -> Asked {
        let notes = self.notes_of(request).into_iter();
        Asked {
            asked: notes.map(|note| sent(&note.print)).collect(),
            by: self.by.clone(),
            at: Some(self.now.to_rfc3339()),
        }
    }

    /// Sends one request. Gives the tokens that were sent too.
    pub fn ask(
        &self,
        request: &Request,
        command: &Runnable,
        stop: &AtomicBool,
    ) -> Result<(Answer, Asked, usize), Failure> {
        let notes = self.notes_of(request);
        let read = |text: &str| {
            let answer = self.read(text, &notes);
            let why = || match answer.rejected.iter().unique().join("\n- ") {
                none if none.is_empty() => "it has no line of JSON in that form".to_owned(),
                all => all,
            };
            answer.is_answer().then_some(()).ok_or_else(why)?;
            Ok(answer)
        };
        let (answer, tokens) = command::ask(command, &request.text, stop, read)?;
        Ok((answer, self.asked(request), tokens))
    }

    /// Takes answers that were got elsewhere. As many parts as there are requests answer those in
    /// their order; else a verdict counts where a request has both memories, and answers that one.
    /// Gives the verdicts, the requests that are answered, and the numbers of those that their parts do
    /// not answer.
    pub fn take(&self, text: &str) -> (Answer, Vec<Asked>, Vec<usize>) {
        let lines = text.trim_end().split('\n').collect_vec();
        let parts = lines.split(|line| line.trim_end() == PARTING);
        let parts: Vec<String> = parts.map(|lines| lines.join("\n")).collect();
        if parts.len() == self.requests.len() {
            let (mut all, mut asked, mut unanswered) = (Answer::default(), Vec::new(), Vec::new());
            for (number, (request, part)) in (1..).zip(self.requests.iter().zip(parts)) {
                let answer = self.read(&part, &self.notes_of(request));
                match answer.is_answer() {
                    true => asked.push(self.asked(request)),
                    false => unanswered.push(number),
                }
                all.judgements.extend(answer.judgements);
                all.rejected.extend(answer.rejected);
            }
            return (all, asked, unanswered);
        }
        let all: Vec<&Note> = self.notes.iter().collect();
        let mut answer = self.read(text, &all);
        let asks = |request: &Request, one: &Judgement| {
            let notes = self.notes_of(request);
            let is_in = |id: &String| notes.iter().any(|note| note.id == *id);
            one.ids.iter().all(is_in)
        };
        let rejected = &mut answer.rejected;
        answer.judgements.retain(|one| {
            let asked = self.requests.iter().any(|request| asks(request, one));
            if !asked && !self.requests.is_empty() {
                let [a, b] = &one.ids;
                rejected.push(format!("`{a}` and `{b}` stand in no request together"));
            }
            asked || self.requests.is_empty()
        });
        let answered = self.requests.iter();
        let answered = answered.filter(|one| answer.judgements.iter().any(|by| asks(one, by)));
        let asked = answered.map(|request| self.asked(request)).collect();
        (answer, asked, Vec::new())
    }
}

impl Answer {
    /// Leaves out what a person answered already, and what is known.
    pub fn without_decided(mut self, decisions: &Decisions) -> Self {
        let rejected = &mut self.rejected;
        self.judgements.retain(|one| {
            let decided = decisions.overrules(&one.ids, &one.texts);
            if decided {
                let [a, b] = &one.ids;
                rejected.push(format!("a person answered about `{a}` and `{b}`"));
            }
            !decided && !decisions.judged.knows(one)
        });
        self
    }
}

/// `3 contradictions, 1 duplicate, 2 compatible`.
pub fn counted(judgements: &[Judgement]) -> String {
    let kinds = [
        (PairVerdict::Contradiction, "contradiction", "s"),
        (PairVerdict::Duplicate, "duplicate", "s"),
        (PairVerdict::Compatible, "compatible", ""),
    ];
    let counts = kinds.into_iter().filter_map(|(verdict, name, plural)| {
        let of_kind = judgements.iter().filter(|one| one.verdict == verdict);
        let count = of_kind.count();
        let plural = if count == 1 { "" } else { plural };
        (count > 0).then(|| format!("{count} {name}{plural}"))
    });
    match counts.into_iter().join(", ") {
        none if none.is_empty() => "nothing new".to_owned(),
        all => all,
    }
}

/// The texts that a model was asked about, by the requests they were in.
struct Sent<'a>(HashMap<&'a str, BTreeSet<usize>>);

impl<'a> Sent<'a> {
    fn new(decisions: &'a Decisions, by: &'a str) -> Self {
        let mut requests: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (number, texts) in decisions.judged.asked(by).enumerate() {
            for text in texts {
                requests.entry(text).or_default().insert(number);
            }
        }
        Self(requests)
    }

    /// True if the memories of a group were sent as they are now, each with its nearest in the
    /// group.
    fn covers(&self, notes: &[Note], group: &[usize], near: &[Vec<usize>]) -> bool {
        let of = |note: usize| self.0.get(&*sent(&notes.get(note)?.print));
        group.iter().all(|member| {
            let nearest = near.get(*member).and_then(|near| near.first());
            let nearest = nearest.filter(|other| group.contains(other));
            let both = of(*member).zip(of(*nearest.unwrap_or(member)));
            both.is_some_and(|(a, b)| !a.is_disjoint(b))
        })
    }
}
