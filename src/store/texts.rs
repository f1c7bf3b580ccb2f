//! Contents of files as the steps of journals left them, compressed and named by their digests: a
//! step in a file that another program wrote to since is merged with them, line by line.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::curate::reorder::merged;
use crate::curate::{Digest, FileChange, Plan};

/// Milliseconds that contents and the entries of journals are kept: 90 days.
pub const KEPT: u64 = 90 * 24 * 60 * 60 * 1000;

/// Bytes that are kept at most; beyond them the oldest contents go.
const LARGEST: u64 = 136 << 20;

/// The folder of the contents.
#[derive(Clone, Debug)]
pub struct Texts(pub PathBuf);

impl Texts {
    /// Keeps the contents of the files that a plan wrote. A failure costs later merges only.
    pub fn keep(&self, plan: &Plan) {
        for change in &plan.changes {
            if let FileChange::Write(own) = change
                && let Some(after) = &own.after
                && let Ok(bytes) = fs::read(&own.path)
                && Digest::of(&bytes) == *after
            {
                let _ = self.write(after, &bytes);
            }
        }
    }

    fn write(&self, digest: &Digest, bytes: &[u8]) -> io::Result<()> {
        let to = self.0.join(&digest.0);
        if let Ok(known) = File::options().append(true).open(&to) {
            return known.set_modified(SystemTime::now());
        }
        fs::create_dir_all(&self.0)?;
        let file = tempfile::NamedTempFile::new_in(&self.0)?;
        let mut packed = DeflateEncoder::new(file, Compression::fast());
        packed.write_all(bytes)?;
        packed.finish()?.persist(to)?;
        Ok(())
    }

    fn read(&self, digest: &Digest) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(self.0.join(&digest.0)).ok()?;
        DeflateDecoder::new(file).read_to_end(&mut bytes).ok()?;
        (Digest::of(&bytes) == *digest).then_some(bytes)
    }

    /// A file before a change and after it; none if neither content is kept.
    pub fn both(&self, change: &FileChange) -> Option<[Vec<u8>; 2]> {
        let FileChange::Write(own) = change else {
            return None;
        };
        match self.read(own.after.as_ref()?) {
            Some(after) => {
                let before = change.inverse().applied(Some(&after))?;
                Some([before.unwrap_or_default(), after])
            }
            None => {
                let before = self.read(own.before.as_ref()?)?;
                let after = change.applied(Some(&before))??;
                Some([before, after])
            }
        }
    }

    /// The content of a file with a change made in it; none if its lines changed since.
    pub fn made(&self, now: &[u8], change: &FileChange) -> Option<Vec<u8>> {
        let [before, after] = self.both(change)?;
        merged(&before, now, &after)
    }

    /// The content of a file without a change of it; none if its lines changed since.
    pub fn taken_back(&self, now: &[u8], change: &FileChange) -> Option<Vec<u8>> {
        if let Some(before) = change.inverse().applied(Some(now)) {
            return before;
        }
        let [before, after] = self.both(change)?;
        merged(&after, now, &before)
    }

    /// Removes contents that are too old or too many.
    pub fn trim(&self) -> io::Result<()> {
        let oldest = SystemTime::now().checked_sub(Duration::from_millis(KEPT));
        let file = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let meta = entry.metadata().ok()?;
            Some((meta.modified().ok()?, meta.len(), entry.path()))
        };
        let mut all: Vec<_> = fs::read_dir(&self.0)?.filter_map(file).collect();
        all.sort();
        let mut sum = 0;
        for (time, length, path) in all.into_iter().rev() {
            sum += length;
            if sum > LARGEST || oldest.is_some_and(|oldest| time < oldest) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}
