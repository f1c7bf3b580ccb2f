//! Raising and lowering memories, and what else is done only where it is meant.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Collection;
use super::fixes::ById;
use crate::curate::change::Destination;
use crate::curate::promote::{self, evidence};
use crate::memory::index::{self, Entry};
use crate::memory::{Memory, MemoryId, State};
use crate::retrieval::Texts as _;
use crate::store::{Overlay, Request, Scope, Store, StoreError, StoreInfo};

/// A memory that can be promoted.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which memory.
    pub id: MemoryId,
    /// The command that promotes it, without its id.
    pub how: &'static str,
    /// The store it goes to, where it leaves its own.
    pub to: Option<Destination>,
    /// What promotion does.
    pub why: String,
    /// What is missing; none where it is ready.
    pub missing: Option<String>,
    /// What speaks for it.
    pub evidence: Vec<String>,
}

/// Memories that are tried as candidates; each takes reading its file.
const MOST_TRIED: usize = 2_000;

/// Memories of which it is said what goes with each; of more that there are more.
const MOST_NAMED: usize = 3;

impl Collection {
    /// What goes with a memory when it is deleted, as people are told it; none where that is no
    /// more than the memory.
    pub fn goes_with(&self, memory: &Memory) -> Result<Option<String>, StoreError> {
        let store = self.store_of(&memory.id);
        let with = store
            .map(|store| store.extras().goes_with(memory))
            .transpose()?;
        let with = with.filter(|with| !with.is_empty());
        Ok(with.map(|with| format!("{} takes {} with it", memory.id, with.join(", "))))
    }

    /// Why a memory keeps the name of its file; see [`crate::store::Extras::fixed_name`].
    pub fn fixed_name(&self, memory: &Memory) -> Option<String> {
        self.store_of(&memory.id)?.extras().fixed_name(memory)
    }

    /// Refuses to delete memories that more goes with, unless that is meant.
    pub(super) fn refuse_more(
        &self,
        ids: &[MemoryId],
        sure: bool,
        memories: &[Arc<Memory>],
    ) -> Result<(), StoreError> {
        if sure {
            return Ok(());
        }
        let by_id = ById::of(memories);
        let mut all = Vec::new();
        for id in ids {
            let Some(with) = self.goes_with(self.find(id, by_id.only(id))?.1)? else {
                continue;
            };
            if all.len() == MOST_NAMED {
                all.push("others take more with them".to_owned());
                break;
            }
            all.push(with);
        }
        match all.is_empty() {
            true => Ok(()),
            false => Err(StoreError::Doubtful(all.join("; "))),
        }
    }

    /// Raises or lowers memories; refused where their system would not, unless that is meant.
    pub(super) fn promote(
        &self,
        ids: &[MemoryId],
        (up, sure): (bool, bool),
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        self.each(ids, memories, |store, memory| {
            let promotion = store.promote(memory, up, overlay)?;
            // The same may be done to several.
            overlay.note(Some(match ids {
                [_] => promotion.why,
                _ => format!("{}: {}", memory.id, promotion.why),
            }));
            let Some(doubt) = promotion.doubt else {
                return Ok(());
            };
            let evidence = match evidence(memory, memories).join(", ") {
                none if none.is_empty() => "there is no evidence for it yet".to_owned(),
                all => format!("evidence: {all}"),
            };
            let why = format!("{}: {doubt}; {evidence}", memory.id);
            match sure {
                true => overlay.note(Some(why)),
                false => return Err(StoreError::Doubtful(why)),
            }
            Ok(())
        })
    }

    /// Orders the entries of indexes by the value of what they list.
    pub(super) fn reorder(
        &self,
        ids: &[MemoryId],
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        self.each(ids, memories, |_, memory| {
            let refused = |why| StoreError::Refused(format!("{}: {why}", memory.id));
            let table = memory.index_table();
            let table = table.ok_or_else(|| refused("it is not the index of its store"))?;
            let text = overlay.read(&memory.path, Some(memory.stamp))?.to_vec();
            let text = String::from_utf8(text).map_err(|_| refused("it is not UTF-8"))?;
            let front = memory.body.start;
            let entries = index::entries(text.as_bytes(), front, table);
            let folder = memory.path.parent().unwrap_or(&memory.path);
            let own = memories
                .iter()
                .filter(|one| one.id.store == memory.id.store);
            let own = own.filter(|one| one.index_table().is_none());
            let titled = |one: &Memory| folder.join(format!("{}.md", one.title));
            let mut listed: HashMap<PathBuf, &Memory> =
                own.clone().map(|one| (titled(one), &**one)).collect();
            listed.extend(own.map(|one| (one.path.to_path_buf(), &**one)));
            let of_entry = |entry: &Entry| listed.get(&folder.join(&entry.target)).copied();
            let Some(ordered) = index::by_value((&text, front), &entries, of_entry) else {
                return Ok(());
            };
            let headings = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| line.starts_with('#'));
                lines.map(str::to_owned).collect()
            };
            let why = "sections by their best entry too, for the index is cut";
            let is_moved = headings(&text) != headings(&ordered);
            overlay.note(is_moved.then(|| format!("{}: {why}", memory.id)));
            let after = index::entries(ordered.as_bytes(), front, table);
            overlay.note(index::still_below(&after, &memory.id.to_string()));
            overlay.write(&memory.path, ordered.into_bytes())
        })
    }

    /// Writes memories as lines of a file of rules, and archives them.
    pub(super) fn stage_rule(
        &self,
        ids: &[MemoryId],
        (file, line): (&Path, Option<&str>),
        memories: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let mut text = match overlay.exists(file) {
            true => String::from_utf8(overlay.read(file, None)?.to_vec())
                .map_err(|_| StoreError::Refused(format!("{} is not UTF-8", self.shown(file))))?,
            false => String::new(),
        };
        for id in ids {
            let (_, memory) = self.find(id, memories)?;
            let unread = || StoreError::Refused(self.why_unread(memory).unwrap_or_default());
            let body = self.body(memory).ok_or_else(unread)?;
            let own = line.map_or_else(|| promote::rule(&memory.title, &body), str::to_owned);
            text = promote::with_rule(&text, &own);
        }
        overlay.write(file, text.into_bytes())?;
        self.take_out(ids, memories, Request::Archive, overlay)
    }

    /// The store of the project that a memory of the user's goes to: of its format, else the first
    /// one that is there, else a new one.
    pub fn project_store(&self, memory: &Memory) -> Result<Destination, StoreError> {
        let is_users = |store: &dyn Store| store.info().scope == Scope::User;
        if !self.store_of(&memory.id).is_some_and(is_users) {
            let why = format!("{} is in the project already", memory.id);
            return Err(StoreError::Refused(why));
        }
        let own = |info: &&StoreInfo| info.scope == Scope::Project && !info.kind.is_context;
        let format = memory.schema.format;
        let same = self
            .infos()
            .filter(own)
            .find(|info| info.format() == format);
        if let Some(info) = same.or_else(|| self.infos().find(own)) {
            return Ok(Destination::Store(info.id.clone()));
        }
        let new = self
            .new_store(Some(format))
            .or_else(|| self.new_store(None));
        let new = new.map(|info| Destination::New {
            format: info.format().to_owned(),
            path: info.path,
        });
        new.ok_or_else(|| StoreError::Refused("the project has no store to promote to".to_owned()))
    }

    /// The memories that can be promoted on some grounds, each with what is missing. `repeated`
    /// gives the memories that say nearly the same as one.
    pub fn candidates(
        &self,
        memories: &[Arc<Memory>],
        repeated: &dyn Fn(&MemoryId) -> Option<String>,
    ) -> Vec<Candidate> {
        let evidence = |memory: &Memory| {
            let mut all = evidence(memory, memories);
            all.extend(repeated(&memory.id));
            all
        };
        let active = memories.iter().filter(|one| one.state == State::Active);
        let mut all = Vec::new();
        for memory in active
            .filter(|one| !one.schema.can.context && one.index_table().is_none())
            .take(MOST_TRIED)
        {
            let Some(store) = self.store_of(&memory.id) else {
                continue;
            };
            let candidate = |how, why: String, missing| Candidate {
                id: memory.id.clone(),
                how,
                to: None,
                why,
                missing,
                evidence: evidence(memory),
            };
            let has_layers = memory.schema.field("layer").is_some();
            let mut overlay = Overlay::default();
            if let (true, Ok(promotion)) = (has_layers, store.promote(memory, true, &mut overlay)) {
                all.push(candidate("promote", promotion.why, promotion.doubt));
            } else if let Ok(to) = self.project_store(memory) {
                let why = format!("from your own store to {}", to.name());
                all.push(Candidate {
                    to: Some(to),
                    ..candidate("promote --to project", why, None)
                });
            } else if !has_layers && !evidence(memory).is_empty() {
                let why = match promote::importance(memory, true) {
                    Ok((_, why)) => why,
                    Err(_) => continue,
                };
                all.push(candidate("promote", why, None));
            }
        }
        all.sort_by_key(|one| one.missing.is_some());
        all
    }
}
