//! Waiting proposals: changes that agents want made, a file each (INTERFACE.md, "Proposal").

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};

use super::{Review, written_at};
use crate::curate::differences::{Against, Entry, Kind, Proposal, Side};
use crate::curate::{Change, Digest, Plan, merge};
use crate::lint::is_appended;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, Role, Schema, StoreId, Timestamp, Value};
use crate::store::collection::Collection;
use crate::store::control::{self, Owner};
use crate::store::disk::Lock;
use crate::store::{At as _, Result, Store, StoreError, files, refuse, refused};

const FOLDER: &str = ".memkeep/proposals";

/// Proposals that wait at most: nobody reviews more, and an agent may make them without end.
const MOST: usize = 1000;

/// The proposals of a root, by file name, and what is wrong with the others.
pub fn read(root: &Path) -> (Vec<Proposal>, Vec<String>) {
    let folder = root.join(FOLDER);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for path in paths {
        let shown = path.strip_prefix(root).unwrap_or(&path).display();
        match control::bytes(&path, Owner::Project(root), control::LARGEST) {
            Err(error) => wrong.push(error.to_string()),
            Ok(None) => {}
            Ok(Some(bytes)) => match serde_json::from_slice::<Proposal>(&bytes) {
                Ok(proposal) if proposal.version != 1 => {
                    wrong.push(format!("{shown}: version {} is unknown", proposal.version));
                }
                Ok(mut proposal) => {
                    let name = path.file_name().unwrap_or_default();
                    proposal.file = name.to_string_lossy().into_owned();
                    proposal.digest = Digest::of(&bytes).0;
                    all.push(proposal);
                }
                Err(error) => wrong.push(format!(
                    "{shown}:{}:{}: {error}",
                    error.line(),
                    error.column()
                )),
            },
        }
    }
    (all, wrong)
}

pub(super) fn path(root: &Path, proposal: &Proposal) -> PathBuf {
    root.join(FOLDER).join(&proposal.file)
}

impl Review<'_> {
    pub(super) fn proposed(&mut self) {
        let (all, wrong) = read(&self.collection.root);
        self.notes.extend(wrong);
        for proposal in all {
            if self.collection.is_narrowed() && self.store_for(&proposal).is_err() {
                continue;
            }
            match self.proposal(proposal) {
                Ok((entry, why)) => {
                    self.entries.push(entry);
                    self.notes.extend(why);
                }
                Err(why) => self.notes.push(why),
            }
        }
    }

    /// The entry of a proposal, and why it cannot be accepted; an error if it is no change at all.
    fn proposal(&self, proposal: Proposal) -> Result<(Entry, Option<String>), String> {
        let file = format!("{FOLDER}/{}", proposal.file);
        let wrong = |why: String| format!("{file}: {why}");
        let store = self.store_for(&proposal);
        let store = store.map_err(|error| wrong(error.to_string()))?;
        let before = match &proposal.id {
            Some(id) => {
                let memory = self.memories.iter().find(|memory| {
                    memory.id.to_string() == *id
                        || memory.id.store == store.info().id && *memory.id.local == **id
                });
                let memory = memory.ok_or_else(|| wrong(format!("{id} is not there any more")))?;
                self.side(memory)
            }
            None => None,
        };
        let kind = match (&*proposal.action, &before) {
            ("add", None) => Kind::Added,
            ("edit" | "promote", Some(_)) => Kind::Modified,
            ("forget", Some(_)) => Kind::Deleted,
            ("add" | "edit" | "promote" | "forget", _) => {
                return Err(wrong(format!(
                    "`{}` and its `id` do not fit",
                    proposal.action
                )));
            }
            (action, _) => return Err(wrong(format!("the action `{action}` is unknown"))),
        };
        let path = path(&self.collection.root, &proposal);
        let (mut entry, why) = self.planned(store, (proposal, &path), (kind, before));
        // A second change of one memory goes by the name of its file.
        let id = &entry.id;
        let is_taken = self.entries.iter().any(|other| other.id == *id)
            || entry.before.is_none() && self.memories.iter().any(|one| one.id == *id);
        if let (true, Against::Proposal(proposal)) = (is_taken, &entry.against) {
            let name = format!("proposal/{}", proposal.name());
            entry.id = MemoryId::new(&store.info().id, name);
        }
        let why = why.map(|why| wrong(format!("cannot be accepted: {why}")));
        Ok((entry, why))
    }

    /// The entry of a proposal, and why it cannot be accepted. A new memory that joins one that is
    /// there, or would never be read behind it, becomes a change of that one.
    fn planned(
        &self,
        store: &dyn Store,
        (mut proposal, path): (Proposal, &Path),
        (mut kind, mut before): (Kind, Option<Side>),
    ) -> (Entry, Option<StoreError>) {
        let fallback = proposed(store, &proposal, before.as_ref());
        let mut id = fallback.memory.id.clone();
        let now = proposal.created.as_deref().and_then(Timestamp::parse_iso);
        let now = now.or_else(|| written_at(path)).unwrap_or(Timestamp(0));
        let own = before.as_ref().map(|side| side.memory.id.clone());
        let mut change = change(store, &proposal, own, true);
        let plan = |change: &Change| self.collection.plan(change, &self.memories, now);
        let (planned, why) = match plan(&change) {
            Ok(plan) => (plan, None),
            Err(error) => (Plan::default(), Some(error)),
        };
        let own = before.as_ref().map(|side| &side.memory.id);
        let mut entries = self.entries_of(&planned);
        let mut main = take(&mut entries, own);
        if kind == Kind::Added
            && let Some(side) = main.as_ref().and_then(|main| main.after.as_ref())
            && let Some((first, edit)) = self.onto(store, side, now)
            && let Ok(edited) = plan(&edit)
        {
            let mut all = self.entries_of(&edited);
            if let Some(edited) = take(&mut all, Some(&first)) {
                (change, entries, main) = (edit, all, Some(edited));
            }
        }
        let (first, after) = match main {
            Some(main) => (main.before, main.after),
            None => (None, Some(fallback)),
        };
        if let Some(first) = first.filter(|_| kind == Kind::Added) {
            id = first.memory.id.clone();
            (kind, before) = (Kind::Modified, Some(first));
        }
        let others = self.others(entries);
        proposal.change = Some(Box::new(change));
        let after = after.filter(|_| kind != Kind::Deleted);
        let against = Against::Proposal(Box::new(proposal));
        let entry = Entry {
            others,
            ..Entry::new(id, kind, (before, after), against)
        };
        (entry, why)
    }

    /// The first memory of a file, and the edit that adds what an unread later one says.
    fn onto(&self, store: &dyn Store, side: &Side, now: Timestamp) -> Option<(MemoryId, Change)> {
        let mut memories = self.memories.iter();
        let first = memories.find(|one| one.path == side.memory.path && one.document == 0)?;
        if !is_appended(&side.memory) || merge::refusal(first, &side.memory).is_some() {
            return None;
        }
        let body = store.body_of(first, &store.text(first).ok()?);
        let of = |memory, body| merge::Side { memory, body };
        let body = String::from_utf8(body).ok()?;
        let both = (of(&**first, &*body), of(&*side.memory, &*side.body));
        let edits = merge::edits(both.0, both.1, now).ok()?;
        let change = Change::edit(&first.id, edits.clone());
        (!edits.is_empty()).then(|| (first.id.clone(), change))
    }

    /// The store that a proposal is for: the one it names, else the first.
    fn store_for(&self, proposal: &Proposal) -> Result<&dyn Store> {
        let named = proposal.store.as_deref().or_else(|| {
            let id = proposal.id.as_deref()?;
            Some(id.split_once(':')?.0)
        });
        let first = || self.collection.stores.iter().next();
        match named {
            Some(id) => self.collection.store(&StoreId::from(id)),
            None => first().ok_or_else(|| refused("there is no store")),
        }
    }
}

/// Takes the entry of a memory out; without an id the last new one, else a changed one.
fn take(entries: &mut Vec<Entry>, own: Option<&MemoryId>) -> Option<Entry> {
    let is_own = |one: &Entry| {
        let before = one.before.as_ref().map(|side| &side.memory.id);
        before.is_some() && before == own
    };
    let is = |kind| move |one: &Entry| own.is_none() && one.kind == kind;
    let mut at = entries.iter().position(is_own);
    at = at.or_else(|| entries.iter().rposition(is(Kind::Added)));
    at = at.or_else(|| entries.iter().position(is(Kind::Modified)));
    Some(entries.remove(at?))
}

/// The change that a proposal asks for, of a new memory without `id`; `sure` promotes anyway.
pub fn change(store: &dyn Store, proposal: &Proposal, id: Option<MemoryId>, sure: bool) -> Change {
    let ids = id.into_iter().collect();
    let values = || {
        let fields = proposal.fields.iter();
        fields.map(|(name, value)| (name.clone(), value_of(value)))
    };
    match &*proposal.action {
        "add" => {
            let schema = store.schema();
            let is_title = |name: &str| is_title(schema, name);
            let known = [
                (Role::Author, proposal.by.as_deref()),
                (Role::Created, proposal.created.as_deref()),
            ];
            let known = known.into_iter().filter_map(|(role, value)| {
                let name = schema.role(role)?.name;
                let is_given = proposal.fields.contains_key(name);
                (!is_given).then_some((name.to_owned(), Value::from(value?)))
            });
            let given = values().filter(|(name, _)| !is_title(name));
            let given = given.filter_map(|(name, value)| Some((name, value?)));
            Change::Add {
                store: Some(store.info().id.clone()),
                title: proposal.title(schema),
                fields: given.chain(known).collect(),
                body: proposal.body.clone().unwrap_or_default(),
            }
        }
        "promote" => Change::Promote {
            ids,
            up: true,
            sure,
        },
        "forget" => Change::Archive(ids),
        _ => {
            let fields = values().map(|(name, value)| match value {
                Some(value) => FieldEdit::Set { field: name, value },
                None => FieldEdit::Unset { field: name },
            });
            let body = proposal.body.clone().map(FieldEdit::Body);
            Change::Edit {
                ids,
                edits: fields.chain(body).collect(),
                seen: Vec::new(),
            }
        }
    }
}

fn is_title(schema: &Schema, name: &str) -> bool {
    let own = schema.role(Role::Title).map(|spec| spec.name);
    own == Some(name) || name == "title"
}

impl Proposal {
    /// The SHA-256 of the change that it asks for, whoever proposes it and when.
    pub fn change_digest(&self) -> String {
        let fields: BTreeMap<_, _> = self.fields.iter().collect();
        let change = json!([self.action, self.store, self.id, fields, self.body]);
        Digest::of(change.to_string().as_bytes()).0
    }

    fn name(&self) -> &str {
        self.file.trim_end_matches(".json")
    }

    fn title(&self, schema: &Schema) -> String {
        let mut fields = self.fields.iter();
        let title = fields.find(|(name, _)| is_title(schema, name));
        let title = title.and_then(|(_, title)| title.as_str());
        title.unwrap_or_default().to_owned()
    }
}

impl Collection {
    /// Writes a proposal and returns its file, or that of an equal one; a rejected one is refused.
    pub fn propose(&self, proposal: &Proposal) -> Result<PathBuf> {
        self.may_write()?;
        let (root, digest) = (&self.root, proposal.change_digest());
        let lines = control::decision_lines(root)?;
        let mut lines = lines.filter_map(|line| serde_json::from_str::<Json>(&line).ok());
        let is_it = |old: &Json| old.get("change").is_some_and(|change| *change == *digest);
        if let Some(old) = lines.find(is_it) {
            let part = |name: &str| old.get(name).and_then(Json::as_str);
            let part = |name: &str| part(name).unwrap_or("no reason given");
            let (day, reason) = (part("day"), part("reason"));
            return refuse(format!("was rejected on {day}: {reason}"));
        }
        let folder = root.join(FOLDER);
        let mut parents = folder.ancestors().filter(|path| path.exists());
        let leaves = |path| !files::real(path).starts_with(files::real(root));
        if parents.next().is_some_and(leaves) {
            let folder = folder.display();
            return refuse(format!("{folder} lies outside of the project"));
        }
        fs::create_dir_all(&folder).at(&folder)?;
        let ignored = folder.join(".gitignore");
        if !ignored.exists() {
            fs::write(ignored, "*\n").at(&folder)?;
        }
        // Two programs that propose the same at once see each other's.
        let end = Instant::now() + self.journals.patience;
        let _lock = Lock::of_folder(&folder, end)?;
        let (waiting, _) = read(root);
        if let Some(same) = waiting.iter().find(|one| one.change_digest() == digest) {
            return Ok(folder.join(&same.file));
        }
        if waiting.len() >= MOST {
            let why = format!("{MOST} proposals wait already: a person reviews them first");
            return refuse(why);
        }
        let time = proposal.created.as_deref().unwrap_or_default();
        let time: String = time.chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("{time}-{}.json", digest.get(..8).unwrap_or_default());
        let path = folder.join(name);
        let mut file = tempfile::NamedTempFile::new_in(&folder).at(&folder)?;
        let text = serde_json::to_string_pretty(proposal).unwrap_or_default();
        writeln!(file, "{text}").at(&folder)?;
        file.as_file().sync_all().at(&folder)?;
        match file.persist_noclobber(&path) {
            // Another process proposed the same at the same time.
            Err(error) if error.error.kind() != ErrorKind::AlreadyExists => {
                Err(files::io(&path, error.error))
            }
            _ => Ok(path),
        }
    }
}

/// A value of a proposal; none where it takes the field away.
fn value_of(value: &Json) -> Option<Value> {
    (!value.is_null()).then(|| value.clone().into())
}

/// The memory as the proposal would have it, where no file shows it.
fn proposed(store: &dyn Store, proposal: &Proposal, before: Option<&Side>) -> Side {
    let title = proposal.title(store.schema());
    let name = crate::curate::convert::plain(&title, '-');
    let name = Some(name).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| proposal.name().to_owned());
    let id = MemoryId::new(&store.info().id, name);
    let path = &*store.info().path;
    let new = || Memory::new(id, path.into(), store.schema());
    let mut memory = before.map_or_else(new, |side| Memory::clone(&side.memory));
    let is_kept = |(name, _): &(&str, &Value)| !proposal.fields.contains_key(*name);
    let old = memory.fields.iter().filter(is_kept);
    let old = old.map(|(name, value)| (name.to_owned(), value.clone()));
    let new = proposal.fields.iter();
    let new = new.filter_map(|(name, value)| Some((name.clone(), value_of(value)?)));
    memory.fields = old.chain(new).collect();
    let old = before.map_or("", |side| &*side.body);
    let body = proposal.body.clone().unwrap_or_else(|| old.to_owned());
    if !title.is_empty() {
        memory.title = title.into();
    } else if before.is_none() {
        memory.title = crate::memory::title_of(&body);
    }
    let text = before.map(|side| side.text.replacen(old, &body, 1));
    (memory.span, memory.body) = (0..body.len(), 0..body.len());
    memory.words = u32::try_from(body.split_whitespace().count()).unwrap_or(u32::MAX);
    Side {
        memory: Arc::new(memory),
        text: text.unwrap_or_else(|| body.clone()).into(),
        body: body.into(),
    }
}
