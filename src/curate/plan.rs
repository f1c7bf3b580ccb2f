//! A plan: the exact bytes that change, in which files, from which state to which.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::memory::row::Row;

/// The SHA-256 of a file's bytes, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub String);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(format!("{:x}", Sha256::digest(bytes)))
    }
}

/// Bytes taken out at an offset and others put in their place. A save of a 50 MB file is
/// remembered by what changed in it, not by two copies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Offset in the file before the change.
    pub at: usize,
    /// Bytes that stand there before.
    #[serde(with = "bytes")]
    pub removed: Vec<u8>,
    /// Bytes that stand there afterwards.
    #[serde(with = "bytes")]
    pub inserted: Vec<u8>,
}

impl Splice {
    /// The change from one content of a file to another.
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        let at = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let [old, new] = [old, new].map(|text| text.get(at..).unwrap_or_default());
        let ends = old.iter().rev().zip(new.iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        let without_tail = |text: &[u8]| text.get(..text.len() - tail).unwrap_or_default().to_vec();
        Self {
            at,
            removed: without_tail(old),
            inserted: without_tail(new),
        }
    }

    /// The splice that takes this one back.
    pub fn inverse(self) -> Self {
        Self {
            removed: self.inserted,
            inserted: self.removed,
            ..self
        }
    }

    /// Bytes with the splice made in them; none where other bytes stand there.
    pub fn applied(&self, old: &[u8]) -> Option<Vec<u8>> {
        let end = self.at.checked_add(self.removed.len())?;
        (old.get(self.at..end)? == self.removed).then_some(())?;
        Some([old.get(..self.at)?, &self.inserted, old.get(end..)?].concat())
    }
}

/// Change to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum FileChange {
    /// The file's bytes change.
    Write(Write),
    /// The file gets another name, bytes and mode as they are.
    Move {
        /// Its name before, absolute.
        from: PathBuf,
        /// Its name after, absolute.
        to: PathBuf,
        /// Its digest.
        digest: Digest,
    },
    /// Changes git's index entry of a file; the working file stays as it is.
    Stage(Staging),
    /// Rows of a SQLite database change, all of them in one transaction.
    Rows {
        /// The database, absolute.
        path: PathBuf,
        /// The rows, in the order in which they are written: what others refer to comes first
        /// where it is added, and last where it goes.
        rows: Vec<RowChange>,
    },
}

/// Other bytes of a file: it is made where it has no `before`, and goes away where it has no `after`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Write {
    /// Which file, absolute.
    pub path: PathBuf,
    /// The digest of the old content; `None` for a new file.
    pub before: Option<Digest>,
    /// The digest of the new content; `None` for a file that goes away.
    pub after: Option<Digest>,
    /// The bytes that change.
    pub splice: Splice,
    /// The mode of a file that comes or goes, where it is known; one that stays keeps its own.
    pub mode: Option<u32>,
}

/// Another entry of a file in git's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Staging {
    /// The root of the work tree, absolute.
    pub root: PathBuf,
    /// The file as git names it, below the root.
    pub file: PathBuf,
    /// The same, absolute.
    pub path: PathBuf,
    /// Index entry before; none if the file is not in the index.
    pub before: Option<Staged>,
    /// Index entry after.
    pub after: Option<Staged>,
    /// The bytes of `after`, where git need not have them yet.
    #[serde(with = "bytes")]
    pub content: Vec<u8>,
}

/// Entry of a file in git's index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Staged {
    /// `100644`, or `100755` of an executable.
    pub mode: String,
    /// The id of its blob.
    pub id: String,
}

/// Change to one row of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowChange {
    /// Its table.
    pub table: String,
    /// The columns that tell it from the other rows.
    pub key: Row,
    /// The old cells; `None` for a new row. An updated row lists only the cells that are compared.
    pub before: Option<Row>,
    /// Its cells after; none where it goes away. The same columns as before, where it stays.
    pub after: Option<Row>,
    /// True if something that it refers to was missing when it went: it may come back so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loose: bool,
}

impl RowChange {
    /// The change that takes this one back.
    pub fn inverse(self) -> Self {
        Self {
            before: self.after,
            after: self.before,
            ..self
        }
    }
}

impl FileChange {
    /// The change from one content of a file to another.
    pub fn write(path: &Path, before: Option<&[u8]>, after: Option<&[u8]>) -> Self {
        Self::Write(Write {
            path: path.to_owned(),
            before: before.map(Digest::of),
            after: after.map(Digest::of),
            splice: Splice::between(before.unwrap_or_default(), after.unwrap_or_default()),
            mode: None,
        })
    }

    /// The bytes of its file after it, `None` where it goes away; none if it was made for other bytes
    /// than these.
    pub fn applied(&self, now: Option<&[u8]>) -> Option<Option<Vec<u8>>> {
        let Self::Write(own) = self else {
            return None;
        };
        (now.map(Digest::of) == own.before).then_some(())?;
        let new = own.splice.applied(now.unwrap_or_default());
        Some(own.after.as_ref().and(new))
    }

    /// The change that takes this one back.
    pub fn inverse(&self) -> Self {
        let mut back = self.clone();
        match &mut back {
            Self::Write(own) => {
                std::mem::swap(&mut own.before, &mut own.after);
                std::mem::swap(&mut own.splice.removed, &mut own.splice.inserted);
            }
            Self::Move { from, to, .. } => std::mem::swap(from, to),
            Self::Stage(own) => {
                std::mem::swap(&mut own.before, &mut own.after);
                own.content.clear();
            }
            Self::Rows { rows, .. } => {
                *rows = rows.drain(..).rev().map(RowChange::inverse).collect();
            }
        }
        back
    }

    /// The file whose bytes it changes, where that is there before and afterwards.
    pub fn rewritten(&self) -> Option<&Path> {
        match self {
            Self::Write(own) if own.before.is_some() && own.after.is_some() => Some(&own.path),
            _ => None,
        }
    }

    /// The file that comes, under its new name.
    pub fn made(&self) -> Option<&Path> {
        match self {
            Self::Write(own) if own.before.is_none() => Some(&own.path),
            Self::Move { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The file that goes away, with its bytes and its mode.
    pub fn removed(&self) -> Option<(&Path, &[u8], Option<u32>)> {
        match self {
            Self::Write(own) if own.after.is_none() => {
                Some((&own.path, &own.splice.removed, own.mode))
            }
            _ => None,
        }
    }

    /// The files it touches.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Write(Write { path, .. })
            | Self::Stage(Staging { path, .. })
            | Self::Rows { path, .. } => vec![path],
            Self::Move { from, to, .. } => vec![from, to],
        }
    }
}

/// The text of a memory that a plan takes out of a file which holds others too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Its id before the plan.
    pub id: String,
    /// Its text, with what its store needs to put it back.
    #[serde(with = "bytes")]
    pub text: Vec<u8>,
}

/// Number of places that the title of a plan lists.
pub const MOST_PLACES: usize = 5;

/// An intended edit as data: what it is called and every byte it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Title, in the past tense for messages: `archived 3 memories`.
    pub title: String,
    /// Changes to files, in order.
    pub changes: Vec<FileChange>,
    /// Memories it removes from files that hold other memories too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<Taken>,
    /// Why it archives memories, by their ids, where that is not the same for all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, String>,
    /// The folders that it makes for its files, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<PathBuf>,
    /// The folders that it removes where they are empty at its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emptied: Vec<PathBuf>,
    /// End of its title: information for the person besides the change itself.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Places (`path:line`) that go on mentioning its memories by a name that they lose.
    #[serde(skip)]
    pub mentions: Vec<String>,
}

impl Plan {
    /// The plan that takes this one back.
    pub fn inverse(&self) -> Self {
        Self {
            title: self.title.clone(),
            changes: self.changes.iter().rev().map(FileChange::inverse).collect(),
            folders: self.emptied.clone(),
            emptied: self.folders.clone(),
            ..Self::default()
        }
    }

    /// Its changes by the files that they touch.
    pub fn by_path(&self) -> HashMap<&Path, Vec<&FileChange>> {
        let mut all: HashMap<&Path, Vec<&FileChange>> = HashMap::new();
        for change in &self.changes {
            for path in change.paths() {
                all.entry(path).or_default().push(change);
            }
        }
        all
    }

    /// The same without some of its changes, by their numbers.
    #[must_use]
    pub fn without(&self, left: &[usize]) -> Self {
        let made = self.changes.iter().enumerate();
        let made = made.filter(|(number, _)| !left.contains(number));
        Self {
            changes: made.map(|(_, change)| change.clone()).collect(),
            ..self.clone()
        }
    }

    /// True if it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// Bytes as base64 in the journal: files need not be UTF-8.
mod bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map_err(serde::de::Error::custom)
    }
}
