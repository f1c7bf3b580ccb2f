//! Raising and lowering memories, and what else is done only where it is meant.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::Collection;
use super::planner::Planner;
use crate::curate::Change;
use crate::curate::change::Destination;
use crate::curate::promote::{self, Target, Way, evidence};
use crate::memory::index::{self, Entry};
use crate::memory::{Memory, MemoryId, State, StoreId, Timestamp};
use crate::retrieval::Texts as _;
use crate::store::{
    Overlay, Request, Result, Scope, StoreError, StoreInfo, discover, files, refused,
};

/// A memory that can be promoted.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which memory.
    pub id: MemoryId,
    /// The command that promotes it, or that comes before that.
    pub command: String,
    /// The change that the command makes.
    pub change: Change,
    /// Effect of promotion.
    pub why: String,
    /// Missing requirement; none if it is ready.
    pub missing: Option<String>,
    /// Evidence in favour.
    pub evidence: Vec<String>,
}

/// Memories that are tried as candidates; each takes reading its file.
const MOST_TRIED: usize = 2_000;

/// Memories of which it is said what goes with each; of more that there are more.
const MOST_NAMED: usize = 3;

impl Collection {
    /// Names the data deleted with a memory; none if that is only the memory itself.
    pub fn goes_with(&self, memory: &Memory) -> Result<Option<String>> {
        let store = self.store_of(&memory.id);
        let Some(store) = store else { return Ok(None) };
        let with = store.goes_with(memory)?.join(", ");
        let note = format!("{} takes {with} with it", memory.id);
        Ok((!with.is_empty()).then_some(note))
    }

    /// Why a memory keeps the name of its file; see [`crate::store::Store::fixed_name`].
    pub fn fixed_name(&self, memory: &Memory) -> Option<String> {
        self.store_of(&memory.id)?.fixed_name(memory)
    }

    /// The stores to write to: open ones, new ones, and the project's for agents with one at home.
    pub fn targets(&self) -> Vec<Target> {
        let target = |info: &StoreInfo, is_new: bool| {
            let shown = self.shown(&info.path);
            let is_project = info.scope == Scope::Project;
            let is_loaded = !is_project || discover::is_loaded(&self.search, info, &self.root);
            let (path, format) = (info.path.clone(), info.format().to_owned());
            let to = match is_new {
                false => Destination::Store(info.id.clone()),
                true => Destination::New { format, path },
            };
            Target {
                name: to.name().to_owned(),
                about: shown + if is_new { ", a new store" } else { "" },
                to,
                is_project,
                readers: is_loaded.then(|| info.readers()),
            }
        };
        let own: Vec<&StoreInfo> = self.infos().filter(|info| !info.kind.is_context).collect();
        let is_open = |format: &str| {
            let mut shared = own.iter().filter(|info| info.scope == Scope::Project);
            shared.any(|info| info.format() == format)
        };
        let new = self.formats().filter(|format| !is_open(format.name));
        let new = new.filter_map(|format| self.new_store(Some(format.name)));
        let home = etcetera::home_dir().map(|home| files::real(&home));
        let twin = |info: &&StoreInfo| {
            let below = info.path.strip_prefix(home.as_ref().ok()?).ok()?;
            let path = self.root.join(info.own_agent().and(Some(below))?);
            let new = self.new_store_at(Some(info.format()), &path)?;
            own.iter().all(|open| open.path != path).then_some(new)
        };
        let new: Vec<StoreInfo> = new.chain(own.iter().filter_map(twin)).collect();
        let open = own.iter().map(|info| target(info, false));
        let new = new.iter().map(|info| target(info, true));
        open.chain(new).collect()
    }

    /// Finds the places in the project that memories can be promoted to, the best first.
    pub fn promotion_places<'a>(
        &'a self,
        memories: &'a [Arc<Memory>],
    ) -> impl Fn(&[&Arc<Memory>]) -> Vec<Way> + use<'a> {
        let used: HashSet<&StoreId> = memories.iter().map(|one| &one.id.store).collect();
        let context = discover::context(&self.root);
        let context = context.map(|store| store.load(&[], &mut |_| true).memories);
        let (targets, context) = (self.targets(), context.unwrap_or_default());
        let is_used = move |id: &StoreId| used.contains(id);
        move |some| promote::places(some, &targets, &is_used, &context, &self.root)
    }

    /// True for a memory of a store in the person's home.
    pub fn is_users(&self, memory: &Memory) -> bool {
        let store = self.store_of(&memory.id);
        store.is_some_and(|store| store.info().scope == Scope::User)
    }

    /// The memories that can be promoted, with what is missing; `repeated` gives near duplicates.
    pub fn candidates(
        &self,
        memories: &[Arc<Memory>],
        now: Timestamp,
        repeated: &dyn Fn(&MemoryId) -> Option<[MemoryId; 2]>,
    ) -> Vec<Candidate> {
        let may_rise = |one: &&Arc<Memory>| {
            let is_memory = !one.schema.can.context && one.index_table().is_none();
            one.state == State::Active && is_memory
        };
        let places = self.promotion_places(memories);
        let mut all = Vec::new();
        for memory in memories.iter().filter(may_rise).take(MOST_TRIED) {
            let store = self.store_of(&memory.id);
            let Some(store) = store else { continue };
            let id = &memory.id;
            let raise = Change::Promote {
                ids: vec![id.clone()],
                up: true,
                sure: true,
            };
            let has_layers = memory.schema.field("layer").is_some();
            let raised = store.promote(memory, true, &mut Overlay::default());
            let evidence = evidence(memory, memories);
            let place = || places(&[memory]).into_iter().next();
            let place = self.is_users(memory).then(place).flatten();
            let (how, change, why, doubt) = match (raised, place) {
                (Ok(raised), _) if has_layers => ("", raise, raised.why, raised.doubt),
                (_, Some(way)) => {
                    let to = way.name.replacen("project: ", "the project: ", 1);
                    let why = format!("to {to}: {}", way.about);
                    (" --to project", way.change, why, None)
                }
                _ => match promote::importance(memory, true) {
                    Ok((_, why)) if !has_layers && !evidence.is_empty() => ("", raise, why, None),
                    _ => continue,
                },
            };
            let twin = promote::twin(memory, memories);
            let twin = twin.map(|other| [other.id.clone(), id.clone()]);
            let pair = repeated(id).or(twin);
            let merge = |[keep, with]: &[MemoryId; 2]| format!("merge {keep} {with}");
            let merge = pair.as_ref().map(merge);
            let format = memory.schema.format;
            let hidden = memory.hidden_at(now);
            let hidden = hidden.map(|why| format!("{format} does not load it: {why}"));
            let twice = |merge: &String| format!("it is there twice: `memkeep {merge}`");
            let twice = merge.as_ref().map(twice);
            let proof = "a confirmation (`memkeep confirm`) or a tool as its source";
            let proof = (!promote::is_proven(memory)).then(|| proof.to_owned());
            let missing = [hidden, twice, doubt, proof].into_iter().flatten();
            let missing: Vec<String> = missing.collect();
            all.push(Candidate {
                id: id.clone(),
                command: merge.unwrap_or_else(|| format!("promote{how} {id}")),
                change: pair.map_or(change, |[keep, with]| Change::merge(&keep, &with)),
                why,
                missing: (!missing.is_empty()).then(|| missing.join("; ")),
                evidence,
            });
        }
        all.sort_by_key(|one| one.missing.is_some());
        all
    }
}

impl Planner<'_> {
    /// Refuses to delete memories that more goes with.
    pub(super) fn refuse_more(&self, ids: &[MemoryId]) -> Result {
        let with = |id| self.collection.goes_with(self.find(id)?.1);
        let with = ids.iter().map(with);
        let with = with.filter_map(Result::transpose).take(MOST_NAMED + 1);
        let mut all = with.collect::<Result<Vec<String>>>()?;
        if let Some(more) = all.get_mut(MOST_NAMED) {
            *more = "others take more with them".to_owned();
        }
        match all.is_empty() {
            true => Ok(()),
            false => Err(StoreError::Doubtful(all.join("; "))),
        }
    }

    /// Raises or lowers memories; refused where their system would not, unless that is meant.
    pub(super) fn promote(&mut self, ids: &[MemoryId], (up, sure): (bool, bool)) -> Result {
        for (store, memory) in self.last_first(ids)? {
            let promotion = store.promote(memory, up, self.overlay)?;
            // The same may be done to several.
            self.overlay.note(Some(match ids {
                [_] => promotion.why,
                _ => format!("{}: {}", memory.id, promotion.why),
            }));
            let asks = up && self.collection.as_specified;
            let unproven = || promote::doubt(memory).filter(|_| asks);
            let doubt = promotion.doubt.or_else(unproven);
            let Some(doubt) = doubt else { continue };
            let evidence = match evidence(memory, self.memories).join(", ") {
                none if none.is_empty() => "there is no evidence for it yet".to_owned(),
                all => format!("evidence: {all}"),
            };
            let why = format!("{}: {doubt}; {evidence}", memory.id);
            if !sure {
                return Err(StoreError::Doubtful(why));
            }
            self.overlay.note(Some(why));
        }
        Ok(())
    }

    /// Orders the entries of indexes by the value of what they list.
    pub(super) fn reorder(&mut self, ids: &[MemoryId]) -> Result {
        for (_, memory) in self.last_first(ids)? {
            let refused = |why| refused(format!("{}: {why}", memory.id));
            let table = memory.index_table();
            let table = table.ok_or_else(|| refused("it is not the index of its store"))?;
            let text = self.overlay.read(&memory.path, Some(memory.stamp))?;
            let text = String::from_utf8(text.to_vec());
            let text = text.map_err(|_| refused("it is not UTF-8"))?;
            let entries = index::entries(text.as_bytes(), memory.body.start, table);
            let folder = memory.path.parent().unwrap_or(&memory.path);
            let own = self.memories.iter().map(|one| &**one);
            let own = own.filter(|one| one.id.store == memory.id.store);
            let own = own.filter(|one| one.index_table().is_none());
            let titled = |one: &Memory| folder.join(format!("{}.md", one.title));
            let mut listed: HashMap<_, _> = own.clone().map(|one| (titled(one), one)).collect();
            listed.extend(own.map(|one| (one.path.to_path_buf(), one)));
            let of_entry = |entry: &Entry| listed.get(&folder.join(&entry.target)).copied();
            if let Some(ordered) = index::by_value(&text, &entries, of_entry) {
                self.overlay.write(&memory.path, ordered.into_bytes())?;
            }
        }
        Ok(())
    }

    /// Writes memories as lines of a file of rules, and archives them.
    pub fn stage_rule(&mut self, ids: &[MemoryId], (file, line): (&Path, Option<&str>)) -> Result {
        let collection = self.collection;
        collection.may_write_to(file)?;
        let foreign = |_| refused(format!("{} is not UTF-8", collection.shown(file)));
        let mut text = match self.overlay.exists(file) {
            true => String::from_utf8(self.overlay.read(file, None)?.to_vec()).map_err(foreign)?,
            false => String::new(),
        };
        let mut whole = Vec::with_capacity(ids.len());
        for id in ids {
            let (_, memory) = self.find(id)?;
            let unread = || refused(collection.why_unread(memory).unwrap_or_default());
            let body = collection.body(memory).ok_or_else(unread)?;
            let refused = |why| refused(format!("{id}: {why}"));
            let rule = match line {
                Some(line) => line.to_owned(),
                None => promote::rule(&memory.title, &body).map_err(refused)?,
            };
            text = promote::with_rule(&text, &rule);
            match promote::left_out(&body, &rule) {
                None => whole.push(id.clone()),
                Some(rest) => self.overlay.note(Some(format!(
                    "{id} stays in use, for the rule leaves out “{}”",
                    crate::lint::mask(rest)
                ))),
            }
        }
        self.overlay.write(file, text.into_bytes())?;
        self.take_out(&whole, Request::Archive)
    }
}
