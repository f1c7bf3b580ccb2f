//! A plan: the exact bytes that change, in which files, from which state to which.

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
        use std::fmt::Write as _;
        let mut hex = String::with_capacity(64);
        for byte in Sha256::digest(bytes) {
            // Writing to a String cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }
}

/// Bytes taken out at an offset and others put in their place. A save of a 50 MB file is
/// remembered by what changed in it, not by two copies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Where, in bytes of the file before the change.
    pub at: usize,
    /// What stood there.
    #[serde(with = "bytes")]
    pub removed: Vec<u8>,
    /// What stands there afterwards.
    #[serde(with = "bytes")]
    pub inserted: Vec<u8>,
    /// What stands before it, before and afterwards: the change is found again by it in a file
    /// that was written to since.
    #[serde(default, with = "bytes", skip_serializing_if = "Vec::is_empty")]
    pub lead: Vec<u8>,
    /// What stands behind it.
    #[serde(default, with = "bytes", skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<u8>,
}

/// Bytes that are kept of what stands around a splice, on either side.
const AROUND: usize = 256;

/// Fewer bytes may stand in a file once by chance.
const SURE: usize = 48;

impl Splice {
    /// The splice that takes this one back.
    fn inverse(self) -> Self {
        Self {
            removed: self.inserted,
            inserted: self.removed,
            ..self
        }
    }

    /// The bytes with the splice made where it belongs, in a file that was written to since; none
    /// where that is not sure: what is taken out and what stands around it has to be there still,
    /// in one place only.
    pub fn again(&self, content: &[u8]) -> Option<Vec<u8>> {
        let all = AROUND;
        let around = [(all, all), (64, 64), (16, 16), (all, 0), (0, all), (0, 0)];
        around.into_iter().find_map(|(before, behind)| {
            let lead = self.lead.get(self.lead.len().saturating_sub(before)..)?;
            let trail = self.trail.get(..behind.min(self.trail.len()))?;
            let text = [lead, &self.removed, trail].concat();
            let at = memchr::memmem::find(content, &text).filter(|_| text.len() >= SURE)?;
            let only = memchr::memmem::rfind(content, &text) == Some(at);
            let at = at + lead.len();
            let (head, rest) = content.split_at_checked(at).filter(|_| only)?;
            let rest = rest.get(self.removed.len()..)?;
            Some([head, &self.inserted, rest].concat())
        })
    }
}

/// What happens to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum FileChange {
    /// The file's bytes change; a file that did not exist begins empty and has no `before`.
    Write {
        /// Which file, absolute.
        path: PathBuf,
        /// Its digest before; none where it is new.
        before: Option<Digest>,
        /// Its digest after.
        after: Digest,
        /// The bytes that change.
        splice: Splice,
        /// The mode of a new file, where one is known; a file that exists keeps its own.
        mode: Option<u32>,
    },
    /// The file goes away.
    Remove {
        /// Which file, absolute.
        path: PathBuf,
        /// Its digest before.
        before: Digest,
        /// All its bytes.
        #[serde(with = "bytes")]
        content: Vec<u8>,
        /// Its mode, to bring it back as it was.
        mode: Option<u32>,
    },
    /// A symbolic link goes away or comes back; what it points to is not touched.
    Link {
        /// The link, absolute.
        path: PathBuf,
        /// What it points to, as written in it.
        target: PathBuf,
        /// Whether it is taken away.
        remove: bool,
    },
    /// The file gets another name, bytes and mode as they are.
    Move {
        /// Its name before, absolute.
        from: PathBuf,
        /// Its name after, absolute.
        to: PathBuf,
        /// Its digest.
        digest: Digest,
    },
    /// Rows of a SQLite database change, all of them in one transaction.
    Rows {
        /// The database, absolute.
        path: PathBuf,
        /// The rows, in the order in which they are written: what others refer to comes first
        /// where it is added, and last where it goes.
        rows: Vec<RowChange>,
    },
}

/// What happens to one row of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowChange {
    /// Its table.
    pub table: String,
    /// The columns that tell it from the other rows.
    pub key: Row,
    /// Its cells before; none where it is new. Of a row that stays only those that are looked at.
    pub before: Option<Row>,
    /// Its cells after; none where it goes away. The same columns as before, where it stays.
    pub after: Option<Row>,
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

/// Bytes that are compared at once.
const STEP: usize = 4_096;

/// How many bytes two texts begin with alike.
fn same_head(a: &[u8], b: &[u8]) -> usize {
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP));
    let from = STEP * steps.take_while(|(a, b)| a == b).count();
    let (x, y) = (a.get(from..), b.get(from..));
    let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
    from + x.iter().zip(y).take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with alike.
fn same_tail(a: &[u8], b: &[u8]) -> usize {
    let steps = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP));
    let from = STEP * steps.take_while(|(a, b)| a == b).count();
    let rest = |bytes: &[u8]| ..bytes.len().saturating_sub(from);
    let (x, y) = (a.get(rest(a)), b.get(rest(b)));
    let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
    let (x, y) = (x.iter().rev(), y.iter().rev());
    from + x.zip(y).take_while(|(a, b)| a == b).count()
}

impl FileChange {
    /// The change from one content of a file to another.
    pub fn write<'a>(path: &Path, before: Option<&'a [u8]>, after: &'a [u8]) -> Self {
        let old = before.unwrap_or_default();
        let head = same_head(old, after);
        let rest = |bytes: &'a [u8]| bytes.get(head..).unwrap_or_default();
        let (removed, inserted) = (rest(old), rest(after));
        let tail = same_tail(removed, inserted);
        let without = |bytes: &[u8]| {
            let end = bytes.len() - tail;
            bytes.get(..end).unwrap_or_default().to_vec()
        };
        let (removed, inserted) = (without(removed), without(inserted));
        let (end, part) = (
            old.len() - tail,
            |bytes: &[u8], range: std::ops::Range<usize>| {
                bytes.get(range).unwrap_or_default().to_vec()
            },
        );
        Self::Write {
            path: path.to_owned(),
            before: before.map(Digest::of),
            after: Digest::of(after),
            splice: Splice {
                at: head,
                removed,
                inserted,
                lead: part(old, head.saturating_sub(AROUND)..head),
                trail: part(old, end..old.len().min(end + AROUND)),
            },
            mode: None,
        }
    }

    /// The change that takes this one back.
    pub fn inverse(&self) -> Self {
        match self.clone() {
            Self::Write {
                path,
                before: None,
                after,
                splice,
                mode,
            } => Self::Remove {
                path,
                before: after,
                content: splice.inserted,
                mode,
            },
            Self::Write {
                path,
                before: Some(before),
                after,
                splice,
                mode,
            } => Self::Write {
                path,
                before: Some(after),
                after: before,
                splice: splice.inverse(),
                mode,
            },
            Self::Remove {
                path,
                before,
                content,
                mode,
            } => {
                let splice = Splice {
                    inserted: content,
                    ..Splice::default()
                };
                Self::Write {
                    path,
                    before: None,
                    after: before,
                    splice,
                    mode,
                }
            }
            Self::Link {
                path,
                target,
                remove,
            } => Self::Link {
                path,
                target,
                remove: !remove,
            },
            Self::Move { from, to, digest } => Self::Move {
                from: to,
                to: from,
                digest,
            },
            Self::Rows { path, rows } => Self::Rows {
                path,
                rows: rows.into_iter().rev().map(RowChange::inverse).collect(),
            },
        }
    }

    /// The files it touches.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Write { path, .. }
            | Self::Remove { path, .. }
            | Self::Link { path, .. }
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
    /// Where it stood, as its store remembers that; none where the store does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<serde_json::Value>,
}

/// An intended edit as data: what it is called and every byte it changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What it does, in the past tense for messages: `archived 3 memories`.
    pub title: String,
    /// What happens to which file, in order.
    pub changes: Vec<FileChange>,
    /// What it takes out of files that hold other memories too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<Taken>,
}

impl Plan {
    /// The plan that takes this one back.
    pub fn inverse(&self) -> Self {
        Self {
            title: self.title.clone(),
            changes: self.changes.iter().rev().map(FileChange::inverse).collect(),
            taken: Vec::new(),
        }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// Bytes as base64 in the journal: files need not be UTF-8.
mod bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD
            .decode(String::deserialize(from)?)
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn splice(old: &[u8], new: &[u8]) -> Splice {
        match FileChange::write(Path::new("/a"), Some(old), new) {
            FileChange::Write { splice, .. } => splice,
            other => unreachable!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn a_change_is_found_again_or_left(before in "[ab\\n]{0,90}", gone in "[cd]{0,60}", come in "[ce]{0,60}", behind in "[ab\\n]{0,90}", more in "[xy]{1,20}", at in 0_usize..300) {
            let (old, new) = (format!("{before}{gone}{behind}"), format!("{before}{come}{behind}"));
            let splice = splice(old.as_bytes(), new.as_bytes());
            // What is written outside of the change stays, in both directions.
            let at = at % (before.len() + behind.len() + 1);
            let outside = |middle: &str| {
                let (head, tail) = (at.min(before.len()), at.saturating_sub(before.len()));
                let insert = |text: &str, n: usize| format!("{}{more}{}", &text[..n], &text[n..]);
                if at <= before.len() {
                    format!("{}{middle}{behind}", insert(&before, head))
                } else {
                    format!("{before}{middle}{}", insert(&behind, tail))
                }
            };
            for (splice, from, to) in [(splice.clone(), &gone, &come), (splice.inverse(), &come, &gone)] {
                if let Some(again) = splice.again(outside(from).as_bytes()) {
                    let again = String::from_utf8(again).unwrap();
                    prop_assert_eq!(again.matches(&more).count(), 1, "{}", again);
                    // Where it stands in the change itself it may come before or behind it.
                    let is_beside = again.replacen(&more, "", 1) == format!("{before}{to}{behind}");
                    prop_assert!(is_beside && (at == before.len() || again == outside(to)), "{}", again);
                }
            }
        }
    }

    #[test]
    fn what_stands_there_twice_or_not_any_more_is_left() {
        let lines = |tags: &str| {
            format!("### mem-1\n> A text that is long enough\n<!-- tags: {tags} -->\n")
        };
        let back = splice(lines("a").as_bytes(), lines("a, b").as_bytes()).inverse();
        let once = format!("# Memories\n\n{}", lines("a, b"));
        let again = back.again(once.as_bytes()).unwrap();
        assert_eq!(
            String::from_utf8(again).unwrap(),
            format!("# Memories\n\n{}", lines("a"))
        );
        assert_eq!(back.again(once.repeat(2).as_bytes()), None);
        assert_eq!(back.again(once.replace("a, b", "c").as_bytes()), None);
    }
}
