//! One memory of two.

use std::sync::Arc;

use super::Collection;
use crate::curate::merge::{self, LeftOut, Side};
use crate::lint::mask;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId};
use crate::store::{NewName, Overlay, Request, Store, StoreError};

impl Collection {
    /// Makes the first of two memories say what both say, has the others name it where they named
    /// the second, and archives the second, or deletes it. Where it `settles` a contradiction the
    /// first holds, and what of the second contradicts it is left out.
    pub(super) fn merge(
        &self,
        (keep, with): (&MemoryId, &MemoryId),
        (delete, settles): (bool, bool),
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let (store, keep) = self.find(keep, memories)?;
        let (from, with) = self.find(with, memories)?;
        // Another one may have been merged into it by the same change.
        let staged = staged(store, keep, overlay);
        let keep = staged.as_deref().unwrap_or(keep);
        if let Some(why) = merge::refusal(keep, with) {
            return Err(StoreError::Refused(why));
        }
        let mut left_out = LeftOut::default();
        let denied = settles.then_some(&mut left_out);
        let edits = if keep.schema.in_rows() {
            let row = |store: &dyn Store, memory: &Memory| {
                let bytes = store.loader_body(memory)?;
                String::from_utf8(bytes)
                    .map_err(|error| StoreError::Refused(format!("{}: {error}", memory.id)))
            };
            let (own, theirs) = (row(store, keep)?, row(from, with)?);
            merge::rows((keep, &own), (with, &theirs), denied)
        } else {
            let own = match overlay.bytes(&keep.path).filter(|_| staged.is_some()) {
                Some(bytes) => utf8(
                    keep,
                    store.extras().body_of(keep, &store.text_in(keep, bytes)),
                )?,
                None => body(store, keep)?,
            };
            let theirs = body(from, with)?;
            let side = |memory, body| Side { memory, body };
            merge::edits(side(keep, &own), side(with, &theirs), denied, overlay.now)
        };
        let edits = edits.map_err(StoreError::Refused)?;
        if !edits.is_empty() {
            edit(store, keep, &edits, overlay)?;
        }
        overlay.note(if settles {
            what_of(keep, &edits, &left_out)
        } else {
            None
        });
        let others = memories.iter().filter(|other| {
            other.id.store == with.id.store && other.id != keep.id && other.id != with.id
        });
        for other in others {
            let edits = merge::redirected(other, keep, with);
            if !edits.is_empty() {
                edit(from, other, &edits, overlay)?;
            }
        }
        from.stage(
            &if delete {
                Request::Delete(with)
            } else {
                Request::Archive(with)
            },
            overlay,
        )?;
        let is_one_store = from.info().id == store.info().id;
        let to = if is_one_store {
            NewName::Local(&keep.id.local)
        } else {
            NewName::Gone
        };
        self.follow(&[(with, to)], memories, overlay)
    }
}

/// Adds to a memory what a text says beyond it; its fields stay.
pub(super) fn update(
    store: &dyn Store,
    memory: &Memory,
    text: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let own = body(store, memory)?;
    let side = |body| Side { memory, body };
    let edits = merge::edits(side(&own), side(text), None, overlay.now);
    edit(store, memory, &edits.map_err(StoreError::Refused)?, overlay)
}

/// What became of the contradiction.
fn what_of(keep: &Memory, edits: &[FieldEdit], left_out: &LeftOut) -> Option<String> {
    let says_more = |edit: &FieldEdit| matches!(edit, FieldEdit::Body(_) | FieldEdit::Set { .. });
    if left_out.gone.is_empty() {
        let both = edits.iter().any(says_more);
        return both.then(|| format!("{} says both: take out what does not hold", keep.id));
    }
    let quoted = |texts: &[String]| {
        let quoted = texts.iter().map(|text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            format!("“{}”", mask(&words.join(" ")))
        });
        quoted.collect::<Vec<_>>().join(", ")
    };
    let gone = format!(
        "left out, for {} says otherwise: {}",
        keep.id,
        quoted(&left_out.gone)
    );
    Some(match left_out.doubtful.is_empty() {
        true => gone,
        false => format!(
            "{gone} · in doubt, for it has a figure of that: {}",
            quoted(&left_out.doubtful)
        ),
    })
}

fn edit(
    store: &dyn Store,
    memory: &Memory,
    edits: &[FieldEdit],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    store.stage(&Request::Edit { memory, edits }, overlay)
}

/// A memory as it is staged; none where its file is not changed.
fn staged(store: &dyn Store, memory: &Memory, overlay: &Overlay) -> Option<Arc<Memory>> {
    let is_changed = overlay.changed().any(|path| *path == *memory.path);
    let bytes = overlay.bytes(&memory.path).filter(|_| is_changed)?;
    let mut all = store.parse(&memory.path, bytes, memory.stamp).into_iter();
    all.find(|one| one.id == memory.id)
}

/// The body of a memory; refused where it is not text, for the rest of it would be lost.
fn body(store: &dyn Store, memory: &Memory) -> Result<String, StoreError> {
    utf8(memory, store.extras().body_of(memory, &store.text(memory)?))
}

fn utf8(memory: &Memory, body: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(body)
        .map_err(|_| StoreError::Refused(format!("{} is not all UTF-8", memory.id)))
}
