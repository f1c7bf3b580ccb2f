//! Memories that a conversation was given because of files: each once. The state is a file of
//! digests for each conversation, in the person's own state folder; it names no memory.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use itertools::Itertools as _;

use crate::curate::Digest;

/// Largest number of conversations that are remembered; the oldest go first.
const MOST: usize = 100;

/// Largest size of the state of a conversation in bytes; then nothing more is given.
const LARGEST: u64 = 32 << 10;

/// The memories that a conversation was given, held for as long as nobody else may add to them.
#[derive(Debug)]
pub struct Given {
    file: File,
    known: HashSet<String>,
}

/// The file of a conversation below the state folder.
fn path(state: &Path, conversation: &str) -> PathBuf {
    let mut name = Digest::of(conversation.as_bytes()).0;
    name.truncate(32);
    state.join("conversations").join(name)
}

/// The digest of a text, as the state holds it.
fn print(text: &str) -> String {
    let mut print = Digest::of(text.as_bytes()).0;
    print.truncate(16);
    print
}

/// Forgets what a conversation was given.
pub fn forget(state: &Path, conversation: &str) {
    // A state that stays costs a repetition, no more.
    let _ = fs::remove_file(path(state, conversation));
}

impl Given {
    /// Opens the state of a conversation and waits for others that have it open.
    pub fn open(state: &Path, conversation: &str) -> io::Result<Self> {
        let path = path(state, conversation);
        let folder = path.parent().unwrap_or(state);
        fs::create_dir_all(folder)?;
        let mut options = File::options();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.read(true).append(true).create(true).open(&path)?;
        file.lock()?;
        let mut text = String::new();
        (&file).take(LARGEST).read_to_string(&mut text)?;
        if text.is_empty() {
            drop_oldest(folder)?;
        }
        if text.len() as u64 >= LARGEST {
            return Err(io::Error::other(
                "the conversation was given too many memories",
            ));
        }
        let known = text.lines().map(str::to_owned).collect();
        Ok(Self { file, known })
    }

    /// True if the conversation has a memory with this text.
    pub fn has(&self, text: &str) -> bool {
        self.known.contains(&print(text))
    }

    /// Adds the texts of memories.
    pub fn add(&mut self, texts: impl Iterator<Item = String>) -> io::Result<()> {
        let lines: String = texts.map(|text| print(&text) + "\n").collect();
        self.file.write_all(lines.as_bytes())
    }
}

/// Removes the oldest files of a folder that has too many.
fn drop_oldest(folder: &Path) -> io::Result<()> {
    let files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let time = |path: &PathBuf| {
        let written = fs::metadata(path).and_then(|meta| meta.modified());
        written.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let files: Vec<PathBuf> = files.sorted_by_cached_key(time).collect();
    let over = files.len().saturating_sub(MOST);
    files.iter().take(over).try_for_each(fs::remove_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_remembered_until_it_is_forgotten() {
        let state = tempfile::tempdir().unwrap();
        let open = |name: &str| Given::open(state.path(), name).unwrap();
        let texts = ["one", "two"].map(str::to_owned);
        open("a").add(texts.into_iter()).unwrap();
        assert!(open("a").has("two") && !open("a").has("three"));
        assert!(!open("b").has("one"));
        forget(state.path(), "a");
        assert!(!open("a").has("one"));
    }

    #[test]
    fn the_state_stays_small() {
        let state = tempfile::tempdir().unwrap();
        for n in 0..MOST + 20 {
            let mut given = Given::open(state.path(), &n.to_string()).unwrap();
            given.add(std::iter::once("one".to_owned())).unwrap();
        }
        let files = fs::read_dir(state.path().join("conversations")).unwrap();
        assert!(files.count() <= MOST + 1);
        let many = (0..5_000).map(|n| n.to_string());
        Given::open(state.path(), "a").unwrap().add(many).unwrap();
        assert!(Given::open(state.path(), "a").is_err());
    }
}
