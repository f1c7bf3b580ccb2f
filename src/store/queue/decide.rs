//! Changes made by a decision: keeping stages a memory's bytes, rejecting restores the base's.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Parts, Reviewed, stage_change, write};
use super::sides::Place;
use super::{Review, proposals};
use crate::curate::differences::{Against, Entry, Kind, Other, Side};
use crate::curate::{Change, FileChange, Plan};
use crate::lint::repository::Nowhere;
use crate::lint::{Context, Facts, Finding, RULES, Subject, fields_beside, is_floor, mask, redact};
use crate::memory::edit::FieldEdit;
use crate::memory::{MemoryId, Severity, Timestamp, document};
use crate::project::staging;
use crate::retrieval::{Snapshot, Texts};
use crate::store::collection::Done;
use crate::store::{Overlay, Result, StoreError, apply, control, refuse, refused};

/// How often a decision is planned at most.
const ATTEMPTS: usize = 8;

impl Review<'_> {
    /// The entries of some memories, to be decided on: refused in the middle of a merge.
    fn find(&self, ids: &[MemoryId]) -> Result<Vec<&Entry>> {
        let one = |id: &MemoryId| {
            let is = |side: &Side| side.memory.id == *id;
            let mut entries = self.entries.iter();
            let found = entries.find(|entry| entry.id == *id || entry.sides().any(is));
            found.ok_or_else(|| {
                let unread = self.unread.values().next();
                let why = unread.map_or("has nothing to review", |why| why);
                refused(format!("{id}: {why}"))
            })
        };
        let found: Vec<&Entry> = ids.iter().map(one).collect::<Result<_, _>>()?;
        if found.iter().any(|one| one.against != Against::LastReview) {
            let mut roots = self.heads.iter().map(|head| &*head.root);
            roots.try_for_each(refuse_unfinished)?;
        }
        Ok(found)
    }

    /// The first of these entries that brings a secret or an instruction to the reader, and which.
    pub fn warned(&self, ids: &[MemoryId]) -> Result<Option<(&MemoryId, String)>> {
        let entries = self.find(ids)?;
        Ok(entries.into_iter().find_map(|entry| {
            let warnings = new_warnings(entry, self.collection);
            let finding = warnings.into_iter().next()?;
            let what = format!("new {}: {}", finding.rule, mask(&finding.message));
            Some((&entry.id, what))
        }))
    }

    /// Plans to accept entries: they are staged, remembered as seen, or done if they are proposals;
    /// index lines of gone memories go too. With a secret or an instruction to the reader only if
    /// `sure`.
    fn accept(&self, ids: &[MemoryId], sure: bool, now: Timestamp) -> Result<Plan> {
        let entries = self.find(ids)?;
        if let (false, Some((id, what))) = (sure, self.warned(ids)?) {
            return refuse(format!("{id}: {what}"));
        }
        let mut plan = Plan {
            title: title("accepted", &entries),
            ..Plan::default()
        };
        let mut overlay = self.collection.overlay(now);
        let mut lines = self.without_lines(&entries, now)?;
        let written = self.written(&lines)?;
        for file in self.taken(&entries)? {
            let all = file.versions;
            let work = written.get(file.path).or(all.work.as_ref());
            let work = work.map(Vec::as_slice);
            match &all.reviewed {
                Reviewed::Copy(copy) => {
                    let old = overlay.current(copy)?.map(<[u8]>::to_vec);
                    let new = self.composed(&file, old.as_deref(), work)?;
                    write(copy, new, &mut overlay)?;
                }
                Reviewed::Index { .. } => plan.changes.extend(self.staged(&file, work)?),
            }
        }
        // An index that did not change is compared with nothing: its line is staged with the plan.
        let is_compared = |change: &FileChange| {
            let mut paths = change.paths().into_iter();
            paths.any(|path| self.files.contains_key(path))
        };
        let (compared, alone) = lines.changes.into_iter().partition(is_compared);
        lines.changes = alone;
        self.stage_with(&mut lines, &mut overlay)?;
        plan.changes.extend(lines.changes);
        plan.changes.extend::<Vec<_>>(compared);
        let mut proposed = Vec::new();
        for entry in entries {
            let gone = || refused(format!("{} changes nothing", entry.id));
            match &entry.against {
                Against::LastReview if is_row(entry) => self.remember_row(entry, &mut overlay)?,
                Against::Proposal(proposal) => {
                    proposed.push(proposal.change.as_deref().ok_or_else(gone)?.clone());
                    let file = proposals::path(&self.collection.root, proposal);
                    overlay.remove(&file, None)?;
                }
                Against::Commit | Against::LastReview => {}
            }
        }
        // Several may go to one file, which need not be there yet.
        if !proposed.is_empty() {
            let all = Change::Together(proposed);
            let mut done = self.collection.plan(&all, &self.memories, now)?;
            self.stage_with(&mut done, &mut overlay)?;
            plan.changes.extend(done.changes);
            plan.taken.extend(done.taken);
            plan.notes.extend(done.notes);
        }
        plan.changes.extend(overlay.into_plan("").changes);
        Ok(plan)
    }

    /// Plans to reject entries: old versions come back, new memories go to the archive or away.
    fn reject(&self, ids: &[MemoryId], reason: Option<&str>, now: Timestamp) -> Result<Plan> {
        let entries = self.find(ids)?;
        let mut plan = Plan {
            title: title("rejected", &entries),
            ..Plan::default()
        };
        if let Some(reason) = reason {
            plan.title.push_str(&format!(": {reason}"));
        }
        for file in self.taken(&entries)? {
            let head = file.versions.head.as_deref();
            plan.changes.extend(self.staged(&file, head)?);
        }
        let mut overlay = self.collection.overlay(now);
        let (mut added, mut in_files, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &entries {
            match &entry.against {
                Against::Proposal(proposal) => {
                    let root = &self.collection.root;
                    let line = serde_json::json!({
                        "digest": proposal.digest, "change": proposal.change_digest(),
                        "reason": reason, "day": overlay.day(now),
                    });
                    control::append_decisions(root, &format!("{line}\n"), &mut overlay)?;
                    overlay.remove(&proposals::path(root, proposal), None)?;
                }
                _ if entry.kind == Kind::Added && entry.before.is_none() => {
                    added.push(entry.id.clone());
                }
                _ if is_row(entry) => back.push(row_change(entry)),
                _ => in_files.push(*entry),
            }
        }
        let secrets = self.with_new_secrets(&added)?;
        added.retain(|id| !secrets.contains(id));
        for info in self.collection.infos() {
            if added.iter().any(|id| id.store == info.id) {
                let archive = self.collection.shown(&info.archive);
                let new = (!info.archive.exists()).then_some(", which is new");
                let new = new.unwrap_or_default();
                plan.notes.push(format!("archived in {archive}{new}"));
            }
        }
        if !secrets.is_empty() {
            let note = "deleted, not archived, because of the secret";
            plan.notes.push(note.to_owned());
        }
        let archived = (!added.is_empty()).then(|| Change::Archive(added));
        let deleted = (!secrets.is_empty()).then(|| Change::Delete {
            ids: secrets,
            sure: true,
        });
        let mut planner = self.collection.planner(&self.memories, &mut overlay);
        for change in archived.into_iter().chain(deleted).chain(back) {
            planner.stage(&change)?;
        }
        for file in self.taken(&in_files)? {
            self.put_back(&file, &mut overlay)?;
        }
        let done = overlay.into_plan("");
        plan.changes.extend(done.changes);
        plan.taken.extend(done.taken);
        Ok(plan)
    }

    /// The entries of new memories that hold a secret: an archive would keep it in the open.
    fn with_new_secrets(&self, added: &[MemoryId]) -> Result<Vec<MemoryId>> {
        let has_secret = |entry: &&Entry| {
            let mut warnings = new_warnings(entry, self.collection).into_iter();
            warnings.any(|finding| finding.rule == "secret")
        };
        let entries = self.find(added)?.into_iter().filter(has_secret);
        Ok(entries.map(|entry| entry.id.clone()).collect())
    }

    /// Commits what is staged of the stores, with hooks and signing; gives roots and commits.
    pub fn commit(&self, message: &str, quiet: bool) -> Result<Vec<(PathBuf, String)>> {
        self.collection.may_write()?;
        let staged = self.to_commit()?;
        for (root, _) in &staged {
            refuse_unfinished(root)?;
        }
        let commit = |(root, files): (PathBuf, Vec<PathBuf>)| {
            let name = staging::commit(&root, message, &files, quiet);
            let name = name.map_err(|error| apply::git_refused(&root, error))?;
            Ok((root, name))
        };
        staged.into_iter().map(commit).collect()
    }

    /// The files of stores that are staged, by repository.
    pub fn to_commit(&self) -> Result<Vec<(PathBuf, Vec<PathBuf>)>> {
        let mut all = Vec::new();
        for head in &self.heads {
            let root = &head.root;
            let stores = self.collection.stores.iter();
            let stores = stores.filter(|store| !store.schema().can.context);
            let places = stores.filter_map(|store| Place::new(store.info(), root));
            let places: Vec<Place<'_>> = places.collect();
            let staged = staging::to_commit(root, head.commit());
            let mut own = staged.map_err(|error| apply::git_refused(root, error))?;
            own.retain(|file| places.iter().any(|place| place.holds(file)));
            if !own.is_empty() {
                all.push((root.clone(), own));
            }
        }
        Ok(all)
    }

    /// Carries a decision out. If something else was staged meanwhile it is planned anew.
    pub fn decide(&self, change: &Change, now: Timestamp) -> Result<Done> {
        let names: Vec<String> = change.ids().into_iter().map(ToString::to_string).collect();
        let carry_out = |review: &Self| {
            let plan = review.plan(change, now)?;
            let notes: String = plan.notes.iter().map(|note| format!(" · {note}")).collect();
            let collection = self.collection;
            let mut done = collection.carry_out(plan, change.action(), names.clone(), now)?;
            done.title.push_str(&notes);
            Ok(done)
        };
        let mut done = carry_out(self);
        for _ in 1..ATTEMPTS {
            if !matches!(done, Err(StoreError::Changed(_))) {
                break;
            }
            done = carry_out(&Self::open(self.collection, &self.base, &self.memories)?);
        }
        done
    }

    /// Plans the decision that a change stands for.
    pub fn plan(&self, change: &Change, now: Timestamp) -> Result<Plan> {
        match change {
            Change::Accept { ids, sure } => self.accept(ids, *sure, now),
            Change::Reject(ids, reason) => self.reject(ids, reason.as_deref(), now),
            _ => Ok(Plan::default()),
        }
    }

    /// The change of the index after which it has a file's parts as another version has them.
    fn staged(&self, file: &Parts<'_>, new: Option<&[u8]>) -> Result<Option<FileChange>> {
        let all = file.versions;
        let Reviewed::Index {
            root,
            file: name,
            staged,
        } = &all.reviewed
        else {
            return Ok(None);
        };
        if let Some(why) = &all.refused {
            return refuse(why);
        }
        let old = all.index.as_deref();
        let result = self.composed(file, old, new)?;
        stage_change((root, name, file.path), (staged.clone(), old), result)
    }

    /// Has a working file hold what the base has of some memories, with the line ends it has now.
    fn put_back(&self, file: &Parts<'_>, overlay: &mut Overlay) -> Result {
        let now = overlay.current(file.path)?.map(<[u8]>::to_vec);
        let has_returns = now.as_deref().is_some_and(document::is_crlf);
        let base = file.versions.base.as_deref().map(|base| {
            match has_returns && !document::is_crlf(base) {
                true => {
                    let lines = base.split(|byte| *byte == b'\n');
                    lines.collect::<Vec<_>>().join(&b"\r\n"[..])
                }
                false => base.to_vec(),
            }
        });
        let result = self.composed(file, now.as_deref(), base.as_deref())?;
        write(file.path, result, overlay)
    }
}

fn is_row(entry: &Entry) -> bool {
    let side = entry.side();
    side.is_some_and(|side| side.memory.schema.can.in_rows)
}

/// Refuses to decide or commit while git is in the middle of a merge or a rebase.
fn refuse_unfinished(root: &Path) -> Result {
    match staging::unfinished(root) {
        None => Ok(()),
        Some(what) => refuse(format!(
            "the repository is in the middle of a {what}: finish it first, or `git {what} --abort`"
        )),
    }
}

fn row_change(entry: &Entry) -> Change {
    let now = entry.after.as_ref().map(|side| side.memory.id.clone());
    if entry.kind == Kind::Deleted {
        return Change::Restore(vec![now.unwrap_or_else(|| entry.id.clone())]);
    }
    let edits = entry.fields().into_iter().map(|change| {
        let field = change.name;
        match change.old {
            Some(value) => FieldEdit::Set { field, value },
            None => FieldEdit::Unset { field },
        }
    });
    Change::edit(&entry.id, edits.collect())
}

/// `accepted 3 changes`, or the title of the one.
fn title(verb: &str, entries: &[&Entry]) -> String {
    match entries {
        [one] => {
            let is_deletion = one.kind == Kind::Deleted && verb == "accepted";
            let of = if is_deletion { "the deletion of " } else { "" };
            mask(&format!("{verb} {of}“{}”", one.title())).into_owned()
        }
        all => format!("{verb} {} changes", all.len()),
    }
}

/// Different matches of a rule that are told apart in one text.
const MOST: usize = 64;

/// The warnings about what a change brings: those whose text was not warned of before.
pub fn new_warnings(entry: &Entry, texts: &dyn Texts) -> Vec<Finding> {
    let after = entry.after.as_ref();
    let Some(after) = after.filter(|_| entry.kind != Kind::Deleted) else {
        return Vec::new();
    };
    let with_others = |text: &str, of: fn(&Other) -> &str| {
        let others = entry.others.iter().map(of);
        let all: Vec<&str> = [text].into_iter().chain(others).collect();
        all.join("\n")
    };
    let (old, new) = entry.texts();
    let mut found = warnings(after, with_others(new, |other| &other.new), texts);
    if let Some(before) = entry.before.as_ref().filter(|_| !found.is_empty()) {
        let known = warnings(before, with_others(old, |other| &other.old), texts);
        found.retain(|(matched, finding)| {
            let mut known = known.iter();
            !known.any(|(text, old)| text == matched && old.rule == finding.rule)
        });
    }
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// The warnings about a memory with this text, each with the part that it is about.
fn warnings(side: &Side, mut text: String, texts: &dyn Texts) -> Vec<(String, Finding)> {
    let memories: Snapshot = Arc::new(vec![Arc::clone(&side.memory)]);
    let cx = Context::new(&memories, texts, Timestamp(0), &Nowhere);
    let facts = Facts::default();
    text.push_str(&format!("\n{}", fields_beside(&side.memory, &side.text)));
    let mut out: Vec<(String, Finding)> = Vec::new();
    for rule in RULES.iter().filter(|rule| is_floor(rule.id)) {
        // A rule may report one match of many: what is reported is blanked, and it looks again.
        let mut rest = text.clone();
        for _ in 0..MOST {
            let mut found = Vec::new();
            let subject = Subject::new(&cx, &facts, 0, &side.memory, &rest);
            rule.check(&subject, &mut found);
            redact(Some(&subject), &mut found);
            found.retain(|finding| finding.severity < Severity::Info);
            let mut next = rest.clone();
            for finding in found {
                let matched = finding.place.clone().and_then(|bytes| rest.get(bytes));
                let matched = matched.unwrap_or(&finding.message).to_owned();
                next = next.replace(&matched, &" ".repeat(matched.len()));
                out.push((matched, finding));
            }
            drop(subject);
            if next == rest {
                break;
            }
            rest = next;
        }
    }
    out
}
