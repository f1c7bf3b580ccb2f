//! Relations between memories, as changes: links from one to others, and chapters made of several.

use std::cmp::Reverse;

use itertools::Itertools as _;

use super::Change;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, Role, State, StoreId, Value};

/// The kinds of links that a memory can be given: its fields that name others, without those that
/// only repeat what another memory says.
pub fn kinds(memory: &Memory) -> impl Iterator<Item = &'static FieldSpec> + use<> {
    let schema = memory.schema;
    let own = |spec: &&FieldSpec| !schema.follows.contains(&spec.name);
    schema.roles(Role::Relations).filter(own)
}

/// Finds the item of a field that names another memory.
pub fn place(memory: &Memory, field: &str, other: &Memory) -> Option<usize> {
    let bare = |name: &str| name.trim_end_matches(".md") == &*other.id.local;
    let mut items = memory.items(field);
    items.position(|item| item.as_str().is_some_and(bare))
}

/// The change that links a memory to others; nothing is to do where all of it is there already.
pub fn link(from: &Memory, field: &str, to: &[&Memory]) -> Result<Change, String> {
    if to.iter().any(|to| to.id.store != from.id.store) {
        return Err("a link stays within a store".to_owned());
    }
    let new = to.iter().filter(|to| place(from, field, to).is_none());
    Ok(Change::Edit {
        seen: Vec::new(),
        ids: vec![from.id.clone()],
        edits: new.map(|to| FieldEdit::add(field, &*to.id.local)).collect(),
    })
}

/// Returns the initial fields of a chapter of these memories, taken from them (formats: rum,
/// "Chapters auto"); or why there is none.
pub fn chapter(members: &[&Memory]) -> Result<Vec<(&'static str, Value)>, String> {
    let Some(first) = members.first() else {
        return Err("a chapter is made of memories: name some".to_owned());
    };
    let format = first.schema.format;
    if members.iter().any(|other| other.id.store != first.id.store) {
        return Err("a chapter stays within a store".to_owned());
    }
    let mut schemas = members.iter().map(|one| one.schema);
    if schemas.any(|schema| schema.field("chapters").is_none()) {
        return Err(match first.schema.field("members") {
            Some(_) => "a chapter is made of memories, not of chapters".to_owned(),
            None => format!("{format} memories make no chapters"),
        });
    }
    let all = |tag: &&str| members.iter().all(|one| one.tags().any(|own| own == *tag));
    let shared = first.tags().find(all);
    let title = shared.map_or_else(|| first.title.to_string(), |tag| format!("Topic: {tag}"));
    let names = members.iter().map(|one| Value::from(&*one.id.local));
    Ok(vec![
        ("title", title.into()),
        ("type", "chapter".into()),
        ("summary", summary(members, usize::MAX).into()),
        ("learnings", learnings(members)),
        ("members", names.collect()),
    ])
}

fn summary(members: &[&Memory], most: usize) -> String {
    let part = |name, field| {
        let all = members.iter().filter_map(|one| one.field(field));
        let first = all.take(most).join("; ");
        (!first.is_empty()).then(|| format!("{name}: {first}"))
    };
    let parts = [part("Goals", "goal"), part("Outcomes", "summary")];
    parts.into_iter().flatten().join(". ")
}

fn learnings(members: &[&Memory]) -> Value {
    let all = members.iter().flat_map(|one| one.items("learnings"));
    all.unique_by(ToString::to_string).cloned().collect()
}

/// Smallest number of memories of one topic that make a chapter.
const FEWEST: usize = 3;

/// Number of goals and outcomes that the summary of such a chapter has; of chapters in that of wisdom.
const SUMMED_UP: usize = 3;

/// Number of tags of its memories that are its topics too.
const TOPICS: usize = 5;

/// The changes that make a chapter of every topic with at least three memories (formats: rum,
/// "Chapters auto"). A topic is a tag, or the type of a memory without tags. An automatic
/// chapter that exists gets its missing memories; a chapter that a person made is not changed.
pub fn auto_chapters(memories: &[&Memory]) -> Vec<Change> {
    let own = memories.iter().copied().filter(|one| makes_chapters(one));
    let newest_first = own.sorted_by_key(|one| Reverse(one.created));
    let mut topics: Vec<(&StoreId, String, Vec<&Memory>)> = Vec::new();
    for memory in newest_first {
        let mut names = memory.tags().unique().map(str::to_owned).collect_vec();
        if names.is_empty() {
            names.extend(memory.role(Role::Type).map(|kind| format!("task:{kind}")));
        }
        for name in names {
            let store = &memory.id.store;
            let mut known = topics.iter_mut();
            match known.find(|(own, topic, _)| *own == store && *topic == name) {
                Some((.., members)) => members.push(memory),
                None => topics.push((store, name, vec![memory])),
            }
        }
    }
    topics.retain(|(.., members)| members.len() >= FEWEST);
    let topics = topics.iter();
    let changes =
        topics.filter_map(|(store, topic, all)| auto_chapter(memories, store, topic, all));
    changes.collect()
}

fn makes_chapters(memory: &Memory) -> bool {
    let is_seen = memory.state == State::Active && memory.hidden.is_none();
    is_seen && memory.schema.field("chapters").is_some()
}

fn auto_chapter(
    memories: &[&Memory],
    store: &StoreId,
    topic: &str,
    members: &[&Memory],
) -> Option<Change> {
    let title = format!("Topic: {topic}");
    let oldest_first = members.iter().rev().map(|one| Value::from(&*one.id.local));
    let fields = [
        ("summary", summary(members, SUMMED_UP).into()),
        ("learnings", learnings(members)),
        ("members", oldest_first.collect()),
    ];
    let mut fields = fields
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec();
    let mut chapters = memories.iter().filter(|one| is_chapter(one));
    if let Some(known) = chapters.find(|one| one.id.store == *store && *one.title == *title) {
        let is_auto = known.field("origin").and_then(Value::as_str) == Some("auto");
        let is_new = |one: &&Memory| place(known, "members", one).is_none();
        let lacks = members.iter().any(is_new);
        let fields = fields.into_iter();
        let edits = fields.map(|(name, value)| FieldEdit::set(name, value));
        return (is_auto && lacks).then(|| Change::edit(&known.id, edits.collect()));
    }
    let counted = members.iter().flat_map(|one| one.tags()).counts();
    let by_count = members.iter().flat_map(|one| one.tags()).unique();
    let tags = by_count.sorted_by_key(|tag| Reverse(counted.get(tag).copied()));
    let tags = tags.collect_vec();
    let with_topic = |most| {
        let all = std::iter::once(topic).chain(tags.iter().take(most).copied());
        all.unique().map(Value::from).collect()
    };
    fields.extend([
        ("type".to_owned(), "chapter".into()),
        ("origin".to_owned(), "auto".into()),
        ("tags".to_owned(), with_topic(usize::MAX)),
        ("topics".to_owned(), with_topic(TOPICS)),
    ]);
    Some(Change::Add {
        store: Some(store.clone()),
        title,
        fields,
        body: String::new(),
    })
}

/// Smallest number of chapters that make wisdom.
const FEWEST_CHAPTERS: usize = 2;

/// Words by which a learning is a practice (formats: rum, "Wisdom").
const PRACTICES: [&str; 6] = ["should", "avoid", "prefer", "best", "never", "do not"];

/// The change that sums up chapters as wisdom (formats: rum, "Wisdom"); none if wisdom of the same
/// chapters is there.
pub fn wisdom(memories: &[&Memory], chapters: &[&Memory]) -> Result<Option<Change>, String> {
    let Some(first) = chapters.first() else {
        return Err("wisdom is made of chapters: there are none".to_owned());
    };
    if chapters.iter().any(|one| one.id.store != first.id.store) {
        return Err("wisdom stays within a store".to_owned());
    }
    if let Some(other) = chapters.iter().find(|one| !is_chapter(one)) {
        let id = &other.id;
        return Err(format!("wisdom is made of chapters, and {id} is none"));
    }
    if chapters.len() < FEWEST_CHAPTERS {
        return Err("wisdom is made of two chapters or more".to_owned());
    }
    if is_summed_up(memories, chapters) {
        return Ok(None);
    }
    let summaries = chapters.iter().filter_map(|one| one.field("summary"));
    let summaries = summaries.take(SUMMED_UP).join(" | ");
    let summary = format!("Synthesis across {} chapters: {summaries}", chapters.len());
    let topics = |one: &&Memory| {
        let topics = one.items("topics").map(ToString::to_string);
        let tags = one.tags().map(str::to_owned);
        tags.chain(topics).unique().collect_vec()
    };
    let counted = chapters.iter().flat_map(topics).counts();
    let patterns = chapters.iter().flat_map(topics).unique();
    let patterns = patterns.filter(|word| counted.get(word).is_some_and(|count| *count > 1));
    let learnings = learnings(chapters);
    let is_practice = |learning: &&Value| {
        let text = learning.to_string().to_lowercase();
        PRACTICES.iter().any(|word| text.contains(word))
    };
    let practices = learnings.items().filter(is_practice).cloned();
    let tags = chapters.iter().flat_map(|one| one.tags()).unique();
    let names = chapters.iter().map(|one| Value::from(&*one.id.local));
    let fields = [
        ("type", "wisdom".into()),
        ("patterns", patterns.map(Value::from).collect()),
        ("best_practices", practices.collect()),
        ("tags", tags.map(Value::from).collect()),
        ("members", names.collect()),
        ("insights", learnings.clone()),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    Ok(Some(Change::Add {
        store: Some(first.id.store.clone()),
        title: summary,
        fields: fields.to_vec(),
        body: String::new(),
    }))
}

/// True if there is wisdom of the same chapters.
fn is_summed_up(memories: &[&Memory], chapters: &[&Memory]) -> bool {
    memories.iter().any(|one| {
        let is_wisdom = one.schema.field("best_practices").is_some();
        let is_member = |chapter: &&Memory| {
            one.id.store == chapter.id.store && place(one, "members", chapter).is_some()
        };
        let count = one.items("members").count();
        is_wisdom && count == chapters.len() && chapters.iter().all(is_member)
    })
}

/// True if a memory is a chapter.
pub fn is_chapter(memory: &Memory) -> bool {
    memory.schema.field("topics").is_some()
}
