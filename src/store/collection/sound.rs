//! True if the memories of a file are sound after a change that was made for other bytes of it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::Collection;
use crate::memory::{Memory, Severity, Stamp, Value, document};
use crate::store::Store;
use crate::store::files;

impl Collection {
    /// Looks at a file whose bytes would be others: every memory that keeps its bytes is what it
    /// was, and one that does not has nothing wrong with it that was not wrong before.
    pub(super) fn sound(&self) -> impl Fn(&Path, &[u8], &[u8]) -> bool {
        |path, now, after| {
            let store = self.store_at(path);
            store.is_none_or(|store| is_sound(store, path, now, after))
        }
    }

    /// The store that a file belongs to.
    pub fn store_at(&self, path: &Path) -> Option<&dyn Store> {
        let mut stores = self.stores.iter();
        stores.find(|store| {
            let info = store.info();
            let target = || files::target(&info.path).is_ok_and(|target| target == path);
            path.starts_with(&info.path) || path.starts_with(&info.archive) || target()
        })
    }
}

fn is_sound(store: &dyn Store, path: &Path, now: &[u8], after: &[u8]) -> bool {
    let was = store.parse(path, now, Stamp::default());
    let is = store.parse(path, after, Stamp::default());
    let text = |bytes: &[u8], memory: &Memory| {
        let text = document::part(bytes, memory.span.clone());
        text.trim_ascii_end().to_vec()
    };
    let mut same: HashMap<Vec<u8>, Vec<&Memory>> = HashMap::new();
    let mut known: HashMap<&str, &Memory> = HashMap::new();
    for memory in &was {
        same.entry(text(now, memory)).or_default().push(memory);
        known.insert(&memory.id.local, memory);
    }
    is.iter()
        .all(|memory| match same.get(&text(after, memory)) {
            Some(same) => same.iter().any(|was| is_same(was, memory)),
            None => {
                let before = known.get(&*memory.id.local).copied();
                errors(memory)
                    .all(|new| before.is_some_and(|old| errors(old).any(|old| old == new)))
                    && repeats(memory) <= before.map_or(0, repeats)
            }
        })
}

/// True if a memory that keeps its bytes is read as before.
fn is_same(was: &Memory, is: &Memory) -> bool {
    was.id == is.id
        && was.title == is.title
        && was.fields == is.fields
        && was.sight == is.sight
        && was.seen == is.seen
}

/// Returns the errors of a memory.
fn errors(memory: &Memory) -> impl Iterator<Item = (&str, &str)> {
    let errors = memory.problems.iter();
    let errors = errors.filter(|problem| problem.severity == Severity::Error);
    errors.map(|problem| (problem.rule, &*problem.message))
}

/// Counts the items that its lists repeat.
fn repeats(memory: &Memory) -> usize {
    let lists = memory.fields.iter().filter_map(|(_, value)| match value {
        Value::List(items) => Some(&**items),
        _ => None,
    });
    let twice = |items: &[Value]| {
        let different: HashSet<String> = items.iter().map(ToString::to_string).collect();
        items.len() - different.len()
    };
    lists.map(twice).sum()
}
