//! The commits in an answer of `git log -z --raw`.

use std::path::PathBuf;

use super::git::{label, path};

/// The facts that git is asked for about each commit.
pub(super) const FORMAT: &str = "--format=%x01%H%x00%at%x00%an%x00%s";

/// A commit with the files that it changed.
pub(super) struct Record<'a> {
    pub hash: &'a str,
    /// Seconds since 1970.
    pub time: i64,
    pub author: String,
    pub subject: String,
    pub files: Vec<Step<'a>>,
}

/// A change of a file by a commit.
pub(super) struct Step<'a> {
    /// The object before, and after: zeros where there is none.
    pub old: &'a str,
    pub new: &'a str,
    /// `A`, `D`, `M`, `T`, `R` or `C`.
    pub status: u8,
    /// Similarity of the two files of a copy or rename, in percent.
    pub score: u8,
    /// The path before, and after.
    pub from: &'a [u8],
    pub to: &'a [u8],
}

impl<'a> Step<'a> {
    /// Reads `:MODE MODE OLD NEW STATUS`, and one path or two of the parts behind it.
    fn read(head: &'a [u8], parts: &mut impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        let line = std::str::from_utf8(bare(head).strip_prefix(b":")?).ok()?;
        let words: Vec<&str> = line.split(' ').collect();
        let [_, _, old, new, status] = words[..] else {
            return None;
        };
        let (status, score) = status.split_at_checked(1)?;
        let status = *status.as_bytes().first()?;
        let from = parts.next().unwrap_or_default();
        let to = match status {
            b'R' | b'C' => parts.next().unwrap_or_default(),
            _ => from,
        };
        Some(Self {
            old,
            new,
            status,
            score: score.parse().unwrap_or_default(),
            from,
            to,
        })
    }

    /// The path before.
    pub fn old_path(&self) -> PathBuf {
        path(self.from)
    }

    /// The path after.
    pub fn new_path(&self) -> PathBuf {
        path(self.to)
    }

    /// The path before, where it is text.
    pub fn text(&self) -> Option<&'a str> {
        std::str::from_utf8(self.from).ok()
    }

    /// True if there was no file before.
    pub fn is_new(&self) -> bool {
        self.old.bytes().all(|byte| byte == b'0')
    }
}

/// The commits of an answer.
pub(super) fn records(out: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let mut parts = out.split(|byte| *byte == 0).peekable();
    std::iter::from_fn(move || {
        let hash = loop {
            let part = parts.next()?;
            if let Some(hash) = bare(part).strip_prefix(b"\x01") {
                break std::str::from_utf8(hash).unwrap_or_default();
            }
        };
        let mut next = || parts.next().map(label).unwrap_or_default();
        let (time, author, subject) = (next(), next(), next());
        Some(Record {
            hash,
            time: time.parse().unwrap_or_default(),
            author,
            subject,
            files: std::iter::from_fn(|| {
                let head = parts.next_if(|part| bare(part).starts_with(b":"))?;
                Step::read(head, &mut parts)
            })
            .collect(),
        })
    })
}

/// The files of an answer of `diff-tree` or `diff-index`, whatever commits they are of.
pub(super) fn all_steps(out: &[u8]) -> impl Iterator<Item = Step<'_>> {
    let mut parts = out.split(|byte| *byte == 0);
    std::iter::from_fn(move || {
        loop {
            let head = parts.next()?;
            if let Some(step) = Step::read(head, &mut parts) {
                return Some(step);
            }
        }
    })
}

/// A part without the line break that git puts before the first file of a commit.
fn bare(part: &[u8]) -> &[u8] {
    part.strip_prefix(b"\n").unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_with_renames_and_odd_names() {
        let out = b"\x01aa\x001\x00Ann\x00Move it\x00\n:100644 100644 b1 b2 R090\x00a b.md\x00c\nd.md\x00\x01bb\x002\x00Bob\x00\x00\n:000000 100644 00 b1 A\x00a b.md\x00\x01cc\x003\x00Eve\x00Add \xff\x00";
        let all: Vec<Record<'_>> = records(out).collect();
        let files = |one: &Record<'_>| -> Vec<_> {
            let files = one.files.iter();
            let shown =
                files.map(|file| (file.old.to_owned(), file.new_path().display().to_string()));
            shown.collect()
        };
        let shown: Vec<_> = all
            .iter()
            .map(|one| (one.hash, &*one.subject, files(one)))
            .collect();
        let file = |old: &str, to: &str| vec![(old.to_owned(), to.to_owned())];
        assert_eq!(
            shown,
            [
                ("aa", "Move it", file("b1", "c\nd.md")),
                ("bb", "", file("00", "a b.md")),
                ("cc", "Add \u{fffd}", Vec::new()),
            ]
        );
        assert!(all[1].files[0].is_new());
    }
}
