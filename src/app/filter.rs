//! The filter of the list: its text, its query, and the memories that match.

use std::sync::Arc;

use super::Model;
use super::line::Line;
use super::listing::Listed;
use super::msg::{Question, Slot};
use super::world::{Stamp, stamp};
use crate::retrieval::Snapshot;
use crate::search::query::Marks;
use crate::search::{Hit, Query, QueryError};

#[derive(Debug, Default)]
pub struct Filter {
    pub line: Line,
    pub editing: bool,
    /// The query; none where nothing is asked for, or nothing that is understood.
    pub query: Option<Query>,
    /// True if the texts of the memories are looked at too: that takes longer than a key may, and
    /// waits until the words are all typed.
    pub texts: bool,
    pub error: Option<QueryError>,
    /// The memories that match, best first; none where there is no query.
    pub hits: Option<Vec<Hit>>,
    /// True if other words were asked for, and `hits` does not answer them yet.
    pub awaited: bool,
    asked: Inputs,
}

/// Everything that the matches depend on.
#[derive(Debug, Default, PartialEq)]
struct Inputs {
    text: String,
    texts: bool,
    memories: Stamp,
    /// The marks, where the query asks for them.
    marks: Option<usize>,
    /// Of a text with an error, true while it is typed.
    editing: Option<bool>,
}

impl Inputs {
    fn new(model: &Model) -> Self {
        let filter = &model.browse.filter;
        let is_marked = filter.query.as_ref().is_some_and(Query::needs_marks);
        Self {
            text: filter.line.text().to_owned(),
            texts: filter.texts,
            memories: stamp(&model.world.memories),
            marks: is_marked.then(|| Arc::as_ptr(&model.world.marks).addr()),
            editing: filter.error.is_some().then_some(filter.editing),
        }
    }
}

impl Filter {
    /// True if some memories may be left out.
    pub fn is_on(&self) -> bool {
        !self.line.is_empty()
    }
}

/// Filters a snapshot.
#[derive(Debug)]
pub struct FilterMemories {
    /// The query, parsed without error.
    pub query: Query,
    /// The memories.
    pub memories: Snapshot,
    /// The marks of each memory, in the snapshot's order.
    pub marks: Arc<Vec<Marks>>,
    /// True if bodies are searched too.
    pub texts: bool,
}

impl Question for FilterMemories {
    const SLOT: Slot = "filter";
    const AWAITED: bool = true;
    type Answer = Vec<Hit>;

    fn settle(hits: Vec<Hit>, model: &mut Model) {
        let before = Listed::new(model);
        let filter = &mut model.browse.filter;
        let is_other = filter.hits.is_none() || filter.awaited;
        filter.hits = Some(hits);
        filter.awaited = false;
        model.arrange();
        if !model.browse.filter.editing {
            if is_other && !model.is_listed() {
                // Of other words the best match is stood on.
                model.browse.go(&model.world, 0);
            } else {
                before.stay(model);
            }
        }
        model.filtered();
    }
}

/// The filter follows its text, the memories and, where it asks for them, their marks.
pub fn ask(model: &mut Model) {
    let now = Inputs::new(model);
    let filter = &mut model.browse.filter;
    if now == filter.asked {
        return;
    }
    // Other words are looked for elsewhere first.
    let is_typed = now.text != filter.asked.text;
    filter.texts &= !is_typed;
    filter.awaited |= is_typed;
    let (query, error) = match Query::parse(&now.text, &model.world.schemas) {
        Ok(query) => {
            let unfinished = query.unfinished().cloned();
            (Some(query), unfinished)
        }
        Err(error) => (None, Some(error)),
    };
    filter.error = error;
    // A query with an error lists nothing, and so does one that asks for nothing once it is typed:
    // the next key may change the whole list.
    let is_unfinished = filter.error.is_some() && !filter.editing;
    let query = query.filter(|_| !is_unfinished);
    let is_understood = query.is_some();
    filter.query = query.filter(|query| !query.is_empty());
    if let Some(query) = filter.query.clone() {
        let question = FilterMemories {
            texts: filter.texts && query.wants_body(),
            query,
            memories: Arc::clone(&model.world.memories),
            marks: Arc::clone(&model.world.marks),
        };
        model.request(question);
    } else {
        let hits = (!is_understood).then(Vec::new);
        let was_on = std::mem::replace(&mut filter.hits, hits).is_some();
        filter.awaited = false;
        // An answer under way is for a filter that is no more.
        model.slots.ticket(FilterMemories::SLOT);
        if was_on || !is_understood {
            model.arrange();
            model.filtered();
        }
    }
    model.browse.filter.asked = Inputs::new(model);
}
