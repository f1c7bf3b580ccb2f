//! Requests to a model: memories with their texts, and the question about them.
//!
//! Memories are cut into groups of a size, so that each meets those that are nearest to it: those that
//! the policy `hybrid` would give for its text. Pairs of near memories are met in the order of their
//! ranks, the nearest of each first. Each group begins with the first pair that no group has yet, and
//! takes in further pairs as long as there is room.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;
use rayon::prelude::*;

use crate::lint::chars::{cut, oddity};
use crate::lint::judged::{document_print, masked_body, text_print};
use crate::lint::mask;
use crate::lint::repository::Document;
use crate::memory::{Memory, MemoryId, State, Timestamp, format, tokens_of};
use crate::retrieval::hybrid;
use crate::retrieval::{Limits, Previews, Scorer, Snapshot, Task, Texts};

const QUESTION: &str = include_str!("../../assets/agent/judge.md");

/// Heading above pairs that rules suspect.
const SUSPECTED: &str =
    "\nChecks that compare words suspect these pairs. Answer each with a line:\n";

/// Tokens that the reasons in a second request have room for.
const REASONS: usize = 120;

const CUT: &str = "\n[cut]";

/// Tokens of a request besides its memories: the question, suspected pairs, reasons.
pub const OVERHEAD: usize = QUESTION.len().div_ceil(4) + 60 + REASONS;

/// A memory as it is sent.
pub struct Note {
    pub memory: Arc<Memory>,
    pub id: String,
    /// Its body, secrets masked.
    pub body: String,
    pub print: String,
    pub block: String,
}

impl Note {
    /// A memory whose part of a request takes at most so many tokens.
    fn new(memory: &Arc<Memory>, texts: &dyn Texts, most: usize) -> Option<Self> {
        let text = texts.text(memory)?;
        let (_, body) = masked_body(memory, &text);
        let date = memory.written();
        let date = date.map(|at| format!(" date=\"{}\"", at.date()));
        let (title, date) = (attribute(&mask(&memory.title)), date.unwrap_or_default());
        let more = format!(" title=\"{title}\"{date}");
        let (id, print) = (memory.id.to_string(), text_print(memory, &text));
        let own = (Arc::clone(memory), id);
        Self::shown(own, body, print, ("memory", &more), most)
    }

    /// The same of a document of the project, whose id is its path.
    fn context(Document { path, text }: &Document, most: usize) -> Option<Self> {
        let id = MemoryId::new(&"context".into(), path.as_str());
        let schema = format::schema("context");
        let memory = Memory::new(id, std::path::Path::new(path).into(), schema);
        let (body, print) = (mask(text).into_owned(), document_print(text));
        let own = (Arc::new(memory), path.clone());
        Self::shown(own, body, print, ("context", ""), most)
    }

    /// A note in a tag with more attributes; none if it has no text.
    fn shown(
        (memory, id): (Arc<Memory>, String),
        body: String,
        print: String,
        (tag, more): (&str, &str),
        most: usize,
    ) -> Option<Self> {
        let head = format!("<{tag} id=\"{}\"{more}>", attribute(&id));
        let room = (most * 4).saturating_sub(head.len() + 17);
        let shown = shortened(&escaped(body.trim()), room);
        let block = format!("{head}\n{shown}\n</{tag}>\n");
        (!body.trim().is_empty()).then_some(Self {
            memory,
            id,
            body,
            print,
            block,
        })
    }

    /// True if it is a document of the project and no memory.
    pub fn is_context(&self) -> bool {
        self.memory.schema.can.context
    }

    pub fn tokens(&self) -> usize {
        tokens_of(self.block.len())
    }
}

/// The memories that can be asked about: active, not expired, and with a text; behind them the
/// documents. No two are together larger than a request with this budget.
pub fn notes(
    (memories, context): (&Snapshot, &[Document]),
    texts: &dyn Texts,
    now: Timestamp,
    budget: usize,
) -> Vec<Note> {
    let most = budget.saturating_sub(OVERHEAD) / 2;
    let in_use = |memory: &&Arc<Memory>| {
        memory.state == State::Active && !memory.is_expired(now) && !memory.schema.can.context
    };
    let in_use = memories.par_iter().filter(in_use);
    let notes = in_use.filter_map(|memory| Note::new(memory, texts, most));
    let mut notes: Vec<Note> = notes.collect();
    let context = context.iter().filter(|_| !notes.is_empty());
    let context: Vec<Note> = context.filter_map(|one| Note::context(one, most)).collect();
    notes.extend(context);
    notes
}

pub(super) fn attribute(value: &str) -> String {
    let visible = value.chars().filter(|c| oddity(*c).is_none());
    let visible = visible.map(|c| if c.is_whitespace() { ' ' } else { c });
    let visible: String = visible.collect();
    let escaped = visible.replace('&', "&amp;").replace('"', "&quot;");
    escaped.replace('<', "&lt;").replace('>', "&gt;")
}

const TAGS: [&str; 3] = ["memory", "context", "session"];

/// A text in which no note begins or ends, and without what a terminal obeys or nobody sees.
pub(super) fn escaped(text: &str) -> String {
    let visible: String = text.chars().filter(|c| oddity(*c).is_none()).collect();
    let mut escaped = String::with_capacity(visible.len());
    let mut rest = visible.as_str();
    while let Some((before, tag)) = rest.split_once('<') {
        escaped.push_str(before);
        let name = tag.trim_start_matches(['<', '/']);
        let begins = |tag: &str| cut(name, tag.len()).eq_ignore_ascii_case(tag);
        let is_tag = TAGS.into_iter().any(begins);
        escaped.push_str(if is_tag { "&lt;" } else { "<" });
        rest = tag;
    }
    escaped + rest
}

/// A quote as the text has it that was escaped.
pub fn unescaped(quoted: &str) -> String {
    quoted.replace("&lt;", "<")
}

/// The first lines of a text that fit into so many bytes.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let short = cut(text, most.saturating_sub(CUT.len()));
    let line_end = short.rfind('\n').filter(|at| *at > most / 3);
    let short = line_end.and_then(|at| short.get(..at)).unwrap_or(short);
    short.to_owned() + CUT
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub notes: Vec<usize>,
    pub text: String,
}

impl Request {
    /// A request about these notes, with those suspected pairs of them that the budget has room for.
    pub fn new(
        notes: &[Note],
        members: Vec<usize>,
        suspected: &[(usize, usize)],
        budget: usize,
    ) -> Self {
        let mut text = QUESTION.to_owned() + "\n";
        for note in members.iter().filter_map(|member| notes.get(*member)) {
            text += &note.block;
        }
        let among = |(a, b): &&(usize, usize)| members.contains(a) && members.contains(b);
        let mut head = SUSPECTED;
        for (a, b) in suspected.iter().filter(among) {
            let (Some(a), Some(b)) = (notes.get(*a), notes.get(*b)) else {
                continue;
            };
            let (a, b) = (attribute(&a.id), attribute(&b.id));
            let line = format!("{head}\"{a}\" and \"{b}\"\n");
            if tokens_of(text.len() + line.len()) + REASONS > budget {
                break;
            }
            (text, head) = (text + &line, "");
        }
        Self {
            notes: members,
            text,
        }
    }

    pub fn tokens(&self) -> usize {
        tokens_of(self.text.len())
    }
}

const NEIGHBOURS: usize = 8;

/// The ranking of notes by a text, with their bodies, which are read already.
struct Ranking<'a> {
    bodies: HashMap<&'a MemoryId, &'a str>,
    scorer: Box<dyn Scorer>,
    now: Timestamp,
}

impl Texts for Ranking<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.bodies.get(&memory.id).map(|body| (*body).to_owned())
    }
}

impl<'a> Ranking<'a> {
    fn new(notes: &'a [Note], previews: &dyn Previews, now: Timestamp) -> Self {
        let memories = notes.iter().map(|note| note.memory.clone()).collect();
        let bodies = notes.iter().map(|note| (&note.memory.id, &*note.body));
        Self {
            bodies: bodies.collect(),
            scorer: previews.build(&hybrid::POLICY, Arc::new(memories)),
            now,
        }
    }

    /// The notes that are near to a text, the nearest first.
    fn near(&self, text: String) -> impl Iterator<Item = usize> {
        let task = Task {
            text,
            now: self.now,
            ..Task::default()
        };
        let limits = Limits {
            max: Some(NEIGHBOURS + 1),
            ..Limits::default()
        };
        let preview = self.scorer.preview(&task, &limits, None, self);
        let near = preview.selected.iter().map(|one| one.memory);
        near.collect_vec().into_iter()
    }
}

/// All notes, those that are nearest to a text first.
pub fn ranked(notes: &[Note], previews: &dyn Previews, now: Timestamp, text: &str) -> Vec<usize> {
    let ranking = Ranking::new(notes, previews, now);
    let near = ranking.near(text.to_owned());
    near.chain(0..notes.len()).unique().collect()
}

/// For each note those near to it, the nearest first.
pub fn nearest(notes: &[Note], previews: &dyn Previews, now: Timestamp) -> Vec<Vec<usize>> {
    let ranking = Ranking::new(notes, previews, now);
    let near_to = |(own, note): (usize, &Note)| -> Vec<usize> {
        let others = ranking.near(format!("{}\n{}", note.memory.title, note.body));
        let others = others.filter(|one| *one != own);
        // Two documents are never compared.
        let is_context = |one: &usize| notes.get(*one).is_some_and(Note::is_context);
        let others = others.filter(|one| !(note.is_context() && is_context(one)));
        others.take(NEIGHBOURS).collect()
    };
    notes.par_iter().enumerate().map(near_to).collect()
}

/// Token limits of the groups.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub group: usize,
    /// Tokens that each group costs beside its memories.
    pub each: usize,
    /// Limit for all groups together; above it, each memory is grouped only with its nearest one.
    pub most: usize,
}

/// Groups of memories by their indices: each memory is in one at least, and together with its
/// nearest where the two fit into one. `near` lists for each memory its nearest first.
pub fn groups(sizes: &[usize], near: &[Vec<usize>], room: Room) -> Vec<Vec<usize>> {
    if sizes.iter().sum::<usize>() <= room.group {
        let all = (0..sizes.len()).collect_vec();
        return Some(all).filter(|all| all.len() > 1).into_iter().collect();
    }
    let all = parted(sizes, near, NEIGHBOURS, room);
    let members = all.iter().flatten().filter_map(|one| sizes.get(*one));
    match members.sum::<usize>() + all.len() * room.each <= room.most {
        true => all,
        // Too much: only the nearest of each decides what meets.
        false => parted(sizes, near, 1, room),
    }
}

/// Cuts groups by the pairs of each memory with so many of its nearest.
fn parted(sizes: &[usize], near: &[Vec<usize>], ranks: usize, room: Room) -> Vec<Vec<usize>> {
    let size = |one: &usize| sizes.get(*one).copied().unwrap_or_default();
    let pair = |rank: usize, one: usize| Some((rank, [one, *near.get(one)?.get(rank)?]));
    let pairs = (0..ranks).cartesian_product(0..sizes.len());
    let mut open: Vec<_> = pairs.filter_map(|(rank, one)| pair(rank, one)).collect();
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    let mut spent = 0;
    while let Some((rank, seed)) = open.first().copied() {
        let mut group = BTreeSet::from(seed);
        let mut left = room.group.saturating_sub(seed.iter().map(size).sum());
        // Pairs of which one is there already meet at the least cost.
        for most_new in [1, 2] {
            for (_, pair) in &open {
                let new = pair.iter().filter(|one| !group.contains(one));
                let (count, cost) = (new.clone().count(), new.map(size).sum::<usize>());
                if (1..=most_new).contains(&count) && cost <= left {
                    left -= cost;
                    group.extend(pair);
                }
            }
        }
        spent += room.group - left + room.each;
        if rank > 0 && spent > room.most {
            break;
        }
        open.retain(|(_, pair)| !pair.iter().all(|one| group.contains(one)));
        groups.push(group);
    }
    // Memories near to nothing are still sent once, and none is sent alone.
    let placed: HashSet<usize> = groups.iter().flatten().copied().collect();
    for one in (0..sizes.len()).filter(|one| !placed.contains(one)) {
        let fits = |group: &&mut BTreeSet<usize>| {
            group.iter().chain([&one]).map(size).sum::<usize>() <= room.group
        };
        match groups.iter_mut().rev().find(fits) {
            Some(group) => drop(group.insert(one)),
            None => groups.push(BTreeSet::from([one])),
        }
    }
    for group in groups.iter_mut().filter(|group| group.len() == 1) {
        let other = (0..sizes.len()).find(|other| !group.contains(other));
        group.extend(other);
    }
    let groups = groups.into_iter();
    groups.map(|group| group.into_iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_text_begins_or_ends_a_memory() {
        for (text, expected) in [
            ("a <b> <memory id=\"x\"> c", "a <b> &lt;memory id=\"x\"> c"),
            ("</memory>", "&lt;/memory>"),
            ("</Memory >", "&lt;/Memory >"),
            ("</context>", "&lt;/context>"),
            ("<<memory>", "&lt;&lt;memory>"),
            ("<\u{200b}memory>", "&lt;memory>"),
            ("\u{1b}[2J<m", "[2J<m"),
        ] {
            assert_eq!(escaped(text), expected);
        }
        assert_eq!(attribute("a\"\n<b>&\u{7}"), "a&quot; &lt;b&gt;&amp;");
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let text = "one two three\nfour five six\nseven";
        assert_eq!(shortened(text, 100), text);
        assert_eq!(shortened(text, 27), "one two three\n[cut]");
        assert_eq!(shortened("äöüßé", 9), "ä\n[cut]");
    }

    fn meet(groups: &[Vec<usize>], one: usize, other: usize) -> bool {
        let both = |group: &Vec<usize>| group.contains(&one) && group.contains(&other);
        groups.iter().any(both)
    }

    #[test]
    fn a_store_that_fits_is_one_group() {
        let room = Room {
            group: 30,
            each: 5,
            most: 90,
        };
        let near = vec![Vec::new(); 3];
        assert_eq!(groups(&[10, 10, 10], &near, room), [vec![0, 1, 2]]);
        assert!(groups(&[10], &near[..1], room).is_empty());
        assert!(groups(&[], &[], room).is_empty());
    }

    #[test]
    fn near_memories_meet_and_all_are_sent() {
        let near = vec![vec![3], vec![2], vec![1], vec![0], Vec::new()];
        let room = Room {
            group: 20,
            each: 0,
            most: 1000,
        };
        let cut = groups(&[10; 5], &near, room);
        assert!(meet(&cut, 0, 3) && meet(&cut, 1, 2), "{cut:?}");
        assert!(cut.iter().flatten().any(|memory| *memory == 4), "{cut:?}");
        assert!(cut.iter().all(|group| group.len() > 1), "{cut:?}");
    }

    proptest! {
        /// No group is too large, each memory meets its nearest, and all groups together are at
        /// most three times the store.
        #[test]
        fn each_meets_its_nearest_within_the_limits(
            sizes in prop::collection::vec(1..50_usize, 2..60),
            picks in prop::collection::vec(prop::collection::vec(0..1000_usize, 0..6), 60),
            group in 100..400_usize,
        ) {
            let count = sizes.len();
            let near: Vec<Vec<usize>> = (0..count)
                .map(|memory| {
                    let mut known = HashSet::from([memory]);
                    let all = picks[memory].iter().map(|pick| pick % count);
                    all.filter(|other| known.insert(*other)).collect()
                })
                .collect();
            let whole: usize = sizes.iter().sum();
            let room = Room { group, each: 0, most: 3 * whole };
            let cut = groups(&sizes, &near, room);
            let cost = |group: &Vec<usize>| group.iter().map(|one| sizes[*one]).sum::<usize>();
            let total: usize = cut.iter().map(cost).sum();
            prop_assert!(total <= 3 * whole, "{total} of {whole}");
            for members in &cut {
                prop_assert!(cost(members) <= group);
            }
            for (memory, all) in near.iter().enumerate() {
                prop_assert!(cut.iter().flatten().any(|member| *member == memory));
                if let Some(nearest) = all.first() {
                    prop_assert!(meet(&cut, memory, *nearest));
                }
            }
        }
    }
}
