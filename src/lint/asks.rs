//! What a rule that looks at one memory asks about others, so that it is known whom a change
//! concerns: those who asked for what is another answer now.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use super::files::{last, parts};
use super::look::{file_name, fold};
use super::succession;
use crate::memory::{Memory, MemoryId, Role, StoreId};

/// What is asked, as a number.
pub(super) type Ask = u32;

/// What a person said of pairs, and which memories there are at all.
pub(super) const ANSWERS: Ask = 0;

/// What time it is.
pub(super) const CLOCK: Ask = 1;

fn ask(kind: char, store: &StoreId, text: &str) -> Ask {
    let mut hasher = DefaultHasher::new();
    (kind, store, text).hash(&mut hasher);
    // The lower half, past the numbers that mean something else.
    u32::try_from(hasher.finish() >> 33).unwrap_or_default() | 2
}

/// Which memories of a store have this folded title.
pub(super) fn titled(store: &StoreId, folded: &str) -> Ask {
    ask('t', store, folded)
}

/// Which memories of a store have a file with this name.
pub(super) fn named(store: &StoreId, name: &str) -> Ask {
    ask('n', store, &name.to_lowercase())
}

/// Which memories of a store have a file whose name shares something with this one.
pub(super) fn like(store: &StoreId, name: &str) -> impl Iterator<Item = Ask> {
    parts(name).into_iter().map(|part| ask('p', store, &part))
}

/// Which memory of a store has this LOCAL.
pub(super) fn local(store: &StoreId, local: &str) -> Ask {
    ask('l', store, local)
}

/// What a memory says.
pub(super) fn text(id: &MemoryId) -> Ask {
    ask('m', &id.store, &id.local)
}

/// What has another answer where a memory comes, goes or is another one than before.
pub(super) fn touch(memory: &Memory, before: Option<&Memory>, touched: &mut HashSet<Ask>) {
    touched.insert(text(&memory.id));
    if before.is_some_and(|before| shown(before) == shown(memory)) {
        return;
    }
    for memory in [Some(memory), before].into_iter().flatten() {
        let store = &memory.id.store;
        let name = last(file_name(&memory.id.local));
        touched.extend([local(store, &memory.id.local), named(store, name)]);
        touched.extend(like(store, name));
        let title = memory.role(Role::Title).and_then(|title| title.as_str());
        touched.extend(title.map(|title| titled(store, &fold(title))));
    }
}

/// What rules that look at a memory may see of another one, but for its text.
fn shown(memory: &Memory) -> impl PartialEq {
    let title = memory.role(Role::Title).map(ToString::to_string);
    let said = succession::fields(memory).map(|(field, value)| (field, value.to_string()));
    (
        (memory.id.clone(), memory.path.clone(), memory.document),
        (memory.state, memory.sight, memory.title.clone(), title),
        said.collect::<Vec<_>>(),
    )
}
