//! Carrying plans out, taking them back, and where that is remembered.

mod reorder;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use self::reorder::{Next, in_the_way};
use super::{Collection, Done, root_hash};
use crate::curate::{FileChange, Plan, diff};
use crate::memory::{Memory, MemoryId, Severity, Stamp, Timestamp, Value, document};
use crate::store::discover::anchor;
use crate::store::journal::{Entry, History, Journal, Kind};
use crate::store::journals::Homes;
use crate::store::queue::unstage_gone;
use crate::store::{Guard, Result, Store, StoreError, StoreInfo, apply, files};

impl Collection {
    /// Carries a plan out and remembers it.
    pub fn carry_out(
        &self,
        mut plan: Plan,
        action: &str,
        ids: Vec<String>,
        now: Timestamp,
    ) -> Result<Done> {
        self.stays_within(&plan, false)?;
        unstage_gone(self, &mut plan)?;
        let lock = |plan: &Plan| self.lock(plan);
        self.remember((plan, action, ids), now, &lock, Journal::carry_out)
    }

    /// Gives a plan to the journals. Their locks come before those of systems: no ring of waits.
    pub(super) fn remember(
        &self,
        (mut plan, action, ids): (Plan, &str, Vec<String>),
        now: Timestamp,
        lock: &dyn Fn(&Plan) -> Result<Vec<Guard>>,
        work: fn(&Journal, Entry) -> Result<Vec<String>>,
    ) -> Result<Done> {
        self.may_write()?;
        let done = Done {
            title: plan.title.clone(),
            changed: !plan.is_empty(),
        };
        if plan.is_empty() {
            return Ok(done);
        }
        make_real(&mut plan);
        let homes = self.homes_of(&plan);
        let home = Some(self.home()).filter(|home| homes.contains(home));
        let home = home.or_else(|| homes.first().cloned()).unwrap_or_default();
        let mut entry = Entry::new(plan, action, ids, now);
        let journals = &self.journals;
        let (group, _locks) = journals.lock(&homes, Instant::now() + journals.patience)?;
        let _guards = lock(&entry.plan)?;
        let mut notes = journals.settle(&group)?;
        journals.share(&homes)?;
        let known = journals.history(&group.union(&self.homes()).cloned().collect())?;
        entry.seq = entry.seq.max(known.next);
        entry.order = entry.order.max(known.last + 1);
        notes.extend(work(&journals.at(&home), entry)?);
        notes.insert(0, done.title);
        Ok(Done {
            title: notes.join(" · "),
            ..done
        })
    }

    /// Remembers what an editor changed in a file that had these bytes before; none if nothing.
    pub fn edited(&self, path: &Path, before: &[u8], now: Timestamp) -> Result<Option<Done>> {
        let path = &*files::real(path);
        let after = self.journals.disk.bytes(path)?;
        if after.as_deref() == Some(before) {
            return Ok(None);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = match &after {
            Some(after) => {
                let (removed, added) = diff::line_counts(before, after);
                format!("edited {name} in the editor: +{added} −{removed} lines")
            }
            None => format!("removed {name} in the editor"),
        };
        let change = FileChange::write(path, Some(before), after.as_deref());
        let plan = Plan {
            title,
            changes: vec![change],
            ..Plan::default()
        };
        let nobody = |_: &Plan| Ok(Vec::new());
        let done = self.remember((plan, "edit", Vec::new()), now, &nobody, Journal::record)?;
        Ok(Some(done))
    }

    fn lock(&self, plan: &Plan) -> Result<Vec<Guard>> {
        self.stays_within(plan, true)?;
        // Changes that are only staged write no store.
        let is_written = |change: &&FileChange| !matches!(change, FileChange::Stage(_));
        let written: Vec<&FileChange> = plan.changes.iter().filter(is_written).collect();
        let stores = self.stores.iter();
        let stores = stores.filter(|store| changes(written.iter().copied(), store.info()));
        stores.map(|store| store.lock()).collect()
    }

    /// Takes the last change back: of the stores that were named, where some were.
    pub fn undo(&self) -> Result<Option<Entry>> {
        self.step(Kind::Undo, None)
    }

    /// Takes one change back, unless a later one touches the same memory, lines or whole file.
    pub fn undo_one(&self, seq: u64) -> Result<Option<Entry>> {
        self.step(Kind::Undo, Some(seq))
    }

    /// Takes the last decision on a memory in the review back, whatever was changed since.
    pub fn undo_decision(&self, id: &MemoryId) -> Result<Option<Entry>> {
        let (id, applied) = (id.to_string(), self.applied()?);
        let is_decision = |entry: &&Entry| {
            ["accept", "reject"].contains(&&*entry.action) && entry.ids.contains(&id)
        };
        let last = applied.iter().rev().find(is_decision);
        last.map_or(Ok(None), |entry| self.undo_one(entry.seq))
    }

    /// Makes the last undone change again.
    pub fn redo(&self) -> Result<Option<Entry>> {
        self.step(Kind::Redo, None)
    }

    /// Takes the last plan back or carries it out again, or the one with a number; none if none.
    fn step(&self, kind: Kind, seq: Option<u64>) -> Result<Option<Entry>> {
        self.may_write()?;
        let journals = &self.journals;
        let end = Instant::now() + journals.patience;
        let mut notes = journals.settle_until(&self.homes(), end)?;
        loop {
            let next = self.next(kind, seq)?;
            let Some(next) = next else { return Ok(None) };
            let (seq_of, home) = (next.entry.seq, next.entry.home.clone());
            let mut homes = self.homes_of(&next.entry.plan);
            homes.insert(home.clone());
            let (group, _locks) = journals.lock(&homes, end)?;
            notes.extend(journals.settle(&group)?);
            let is_it = |again: &Next| again.entry.home == home && again.entry.seq == seq_of;
            let next = self.next(kind, seq)?.filter(is_it);
            let Some(next) = next else { continue };
            let _guards = self.lock(&next.entry.plan)?;
            let begun = next.reorder(self, kind)?;
            let beside = next.beside().map(|other| in_the_way(kind, other));
            let journal = journals.at(&home);
            let made = journal.step(kind, next.entry, begun, &self.sound());
            let mut entry = made.map_err(|error| match error {
                // A later row may refer to this one.
                StoreError::Changed(_) | StoreError::Exists(_) => beside.unwrap_or(error),
                error => error,
            })?;
            entry.away.extend(notes);
            return Ok(Some(entry));
        }
    }

    /// The plan of the next undo or redo; without changes if all is already as wanted.
    pub fn step_plan(&self, kind: Kind) -> Result<Option<Plan>> {
        let next = self.next(kind, None)?;
        let Some(next) = next else { return Ok(None) };
        let begun = next.reorder(self, kind)?;
        let plan = kind.plan(&begun.plan.unwrap_or(next.entry.plan));
        let (disk, texts) = (&self.journals.disk, self.journals.texts());
        let fitted = apply::fitted(disk, &plan, &self.sound(), &texts);
        let left = fitted.map_or(plan, |fitted| fitted.plan.without(&fitted.stood));
        Ok(Some(left))
    }

    /// The entry that a step is made with next, of the collection or with a number.
    fn next(&self, kind: Kind, seq: Option<u64>) -> Result<Option<Next>> {
        let mut known = self.journals.history(&self.homes())?;
        // The clock tells the order of steps that other projects made in homes of their own.
        let now = chrono::Utc::now().timestamp_millis();
        let order = now.max(known.last + 1);
        let (mut stack, gone) = match kind {
            Kind::Redo => (known.undone, Vec::new()),
            Kind::Do | Kind::Undo => {
                known.undone.append(&mut known.dropped);
                (known.applied, known.undone)
            }
        };
        let is_over = |entry: &Entry| kind == Kind::Undo && apply::is_committed(&entry.plan);
        let at = stack.iter().rposition(|entry| {
            let is_wanted = seq.is_none_or(|seq| seq == entry.seq);
            is_wanted && self.is_ours(entry) && !is_over(entry)
        });
        let Some(at) = at else { return Ok(None) };
        let mut later = stack.split_off(at + 1);
        later.retain(|entry| !is_over(entry));
        let Some(mut entry) = stack.pop() else {
            return Ok(None);
        };
        // A folder goes with its last file, where no entry in force made it.
        let made = gone.into_iter().flat_map(|other| other.plan.folders);
        let changes = &entry.plan.changes;
        let paths: Vec<&Path> = changes.iter().flat_map(FileChange::paths).collect();
        let own = made.filter(|folder| paths.iter().any(|path| path.starts_with(folder)));
        let own: BTreeSet<PathBuf> = own.chain(entry.plan.folders.iter().cloned()).collect();
        entry.plan.folders = own.into_iter().rev().collect();
        Ok(Some(Next {
            entry,
            order,
            later,
        }))
    }

    /// The steps about the stores of the collection.
    pub fn history(&self) -> Result<History> {
        let mut all = self.journals.history(&self.homes())?;
        for stack in all.stacks() {
            stack.retain(|entry| self.is_ours(entry));
        }
        Ok(all)
    }

    /// The steps that are in force, oldest first.
    pub fn applied(&self) -> Result<Vec<Entry>> {
        Ok(self.history()?.applied)
    }

    /// Puts right what a crash left, unless someone holds a lock: they are at work on it.
    pub fn recover(&self) -> Result<Vec<String>> {
        match self.journals.settle_until(&self.homes(), Instant::now()) {
            Err(StoreError::Locked(_)) => Ok(Vec::new()),
            settled => settled,
        }
    }

    /// True if a step is about a named store or the project, or says something of its memories.
    fn is_ours(&self, entry: &Entry) -> bool {
        let is_own = entry.home == self.home();
        let names = |info: &StoreInfo| {
            let mut stores = entry.ids.iter().filter_map(|id| id.split_once(':'));
            is_own && stores.any(|(store, _)| *store == *info.id.0)
        };
        let is_about = |info: &StoreInfo| changes(&entry.plan.changes, info) || names(info);
        is_own && !self.is_narrowed() || self.infos().any(is_about)
    }

    fn home(&self) -> String {
        root_hash(&self.root)
    }

    pub(super) fn homes(&self) -> Homes {
        let stores = self.infos().map(|info| root_hash(&anchor(info)));
        stores.chain([self.home()]).collect()
    }

    fn homes_of(&self, plan: &Plan) -> Homes {
        let paths = plan.changes.iter().flat_map(FileChange::paths);
        let home = |path: &Path| {
            let mut infos = self.infos();
            let own = infos.find(|info| holds(info, path));
            own.map_or_else(|| self.home(), |info| root_hash(&anchor(info)))
        };
        paths.map(home).collect()
    }

    /// Why a plan cannot be carried out on the files as they are.
    pub fn in_the_way(&self, plan: &Plan) -> Option<StoreError> {
        apply::blocked(&self.journals.disk, plan)
    }
}

fn changes<'c>(all: impl IntoIterator<Item = &'c FileChange>, info: &StoreInfo) -> bool {
    let mut paths = all.into_iter().flat_map(FileChange::paths);
    paths.any(|path| holds(info, path))
}

/// True if a path is a store, or in it or its archive, under whatever name.
fn holds(info: &StoreInfo, path: &Path) -> bool {
    let own = [&info.path, &info.archive];
    own.iter().any(|own| path.starts_with(own))
        || own.iter().any(|own| path.starts_with(files::real(own)))
}

/// Makes the paths of a plan those that links lead to, as other projects may lead elsewhere.
fn make_real(plan: &mut Plan) {
    let beside = |path: &mut PathBuf| {
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            *path = files::real(folder).join(name);
        }
    };
    for change in &mut plan.changes {
        match change {
            FileChange::Rows { path, .. } => *path = files::real(path),
            FileChange::Write(own) => beside(&mut own.path),
            FileChange::Stage(own) => beside(&mut own.path),
            FileChange::Move { from, to, .. } => [from, to].into_iter().for_each(beside),
        }
    }
}

impl Collection {
    /// True if memories that keep their bytes stay as they are, and others get no new errors.
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
