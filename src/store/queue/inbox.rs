//! Proposals that agents make through memkeep: each becomes a file that waits for a person.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::proposals::{FOLDER, read};
use crate::curate::Digest;
use crate::curate::differences::Proposal;
use crate::store::collection::Collection;
use crate::store::{StoreError, files, shared};

/// Proposals that wait at most: nobody reviews more, and an agent may make them without end.
const MOST: usize = 1000;

impl Proposal {
    /// The SHA-256 of the change that it asks for, whoever proposes it and when.
    pub fn change_digest(&self) -> String {
        let fields: BTreeMap<_, _> = self.fields.iter().collect();
        let change = json!([self.action, self.store, self.id, fields, self.body]);
        Digest::of(change.to_string().as_bytes()).0
    }
}

impl Collection {
    /// Writes a proposal and returns its file. One that says what a waiting one says is that one;
    /// one that a person rejected is refused.
    pub fn propose(&self, proposal: &Proposal) -> Result<PathBuf, StoreError> {
        self.may_write()?;
        let (root, digest) = (&self.root, proposal.change_digest());
        let lines = shared::lines(root, shared::DECISIONS)?;
        let mut lines = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        let is_it = |old: &Value| old.get("change").is_some_and(|change| *change == *digest);
        if let Some(old) = lines.find(is_it) {
            let part = |name: &str| old.get(name).and_then(Value::as_str);
            let part = |name: &str| part(name).unwrap_or("no reason given");
            let what = format!("was rejected on {}: {}", part("day"), part("reason"));
            return Err(StoreError::Refused(what));
        }
        let folder = shared::path(root, FOLDER);
        let (waiting, _) = read(root);
        if let Some(same) = waiting.iter().find(|one| one.change_digest() == digest) {
            return Ok(folder.join(&same.file));
        }
        let mut parents = folder.ancestors().filter(|path| path.exists());
        let leaves = |path| !files::real(path).starts_with(files::real(root));
        if waiting.len() >= MOST {
            let what = format!("{MOST} proposals wait already: a person reviews them first");
            return Err(StoreError::Refused(what));
        }
        if parents.next().is_some_and(leaves) {
            let what = format!("{} lies outside of the project", folder.display());
            return Err(StoreError::Refused(what));
        }
        let failed = |error| files::io(&folder, error);
        fs::create_dir_all(&folder).map_err(failed)?;
        let ignored = folder.join(".gitignore");
        if !ignored.exists() {
            fs::write(ignored, "*\n").map_err(failed)?;
        }
        let time = proposal.created.as_deref().unwrap_or_default();
        let time: String = time.chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("{time}-{}.json", digest.get(..8).unwrap_or_default());
        let path = folder.join(name);
        let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
        let text = serde_json::to_string_pretty(proposal).unwrap_or_default();
        writeln!(file, "{text}").map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        match file.persist_noclobber(&path) {
            // Another process proposed the same at the same time.
            Err(error) if error.error.kind() != ErrorKind::AlreadyExists => {
                Err(files::io(&path, error.error))
            }
            _ => Ok(path),
        }
    }
}
