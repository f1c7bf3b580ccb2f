//! Folders of samples that a program left behind when it was killed.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Beginning of the names of sample folders.
pub(super) const PREFIX: &str = "memkeep-demo-";
/// The file by which a folder of a sample is known. It is locked while its program runs.
const MARKER: &str = ".memkeep-demo";
/// Content of that file.
const MARK: &[u8] = b"A sample project of memkeep. The next `memkeep demo` removes this folder.\n";

/// Marks a folder as one of a sample. The marker gets its name once it is locked, so that no other
/// program takes the folder for an abandoned one.
pub(super) fn mark(folder: &Path) -> io::Result<File> {
    let new = folder.join("new-marker");
    let mut marker = File::create_new(&new)?;
    marker.write_all(MARK)?;
    marker.lock()?;
    fs::rename(new, folder.join(MARKER))?;
    Ok(marker)
}

/// Removes the folders of samples whose program is gone. Nothing else is touched: such a folder has
/// the name, is no link, and holds the marker; both are this person's.
pub(super) fn remove(temporary: &Path) {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    for entry in entries {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_named && is_abandoned(&entry.path()).unwrap_or(false) {
            // Folders that cannot be removed stay until the next run.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(folder: &Path) -> io::Result<bool> {
    let path = folder.join(MARKER);
    let (of_folder, of_marker) = (fs::symlink_metadata(folder)?, fs::symlink_metadata(&path)?);
    if !of_folder.is_dir() || !of_marker.is_file() || !are_own(&[of_folder, of_marker]) {
        return Ok(false);
    }
    let mut text = Vec::new();
    let marker = File::open(&path)?;
    (&marker)
        .take(MARK.len() as u64 + 1)
        .read_to_end(&mut text)?;
    Ok(text == MARK && marker.try_lock().is_ok())
}

/// True if files belong to the person who runs the program.
#[cfg(unix)]
fn are_own(files: &[fs::Metadata]) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::geteuid().as_raw();
    files.iter().all(|file| file.uid() == own)
}

/// True if files belong to the person who runs the program: a temporary folder is that person's.
#[cfg(not(unix))]
const fn are_own(_files: &[fs::Metadata]) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_samples_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let make = |name: &str, text: &[u8]| {
            let folder = temporary.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(MARKER), text).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
        };
        make("memkeep-demo-gone", MARK);
        make("memkeep-demo-other", b"another text");
        make("other-gone", MARK);
        fs::create_dir(temporary.path().join("memkeep-demo-bare")).unwrap();
        fs::write(temporary.path().join("memkeep-demo-file"), "x").unwrap();
        let used = temporary.path().join("memkeep-demo-used");
        fs::create_dir(&used).unwrap();
        let held = mark(&used).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join(MARKER), MARK).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(elsewhere.path(), temporary.path().join("memkeep-demo-link")).unwrap();
            let folder = temporary.path().join("memkeep-demo-linked");
            fs::create_dir(&folder).unwrap();
            symlink(elsewhere.path().join(MARKER), folder.join(MARKER)).unwrap();
        }
        let there = || {
            let names = fs::read_dir(temporary.path()).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        let mut expected = there();
        assert!(expected.remove("memkeep-demo-gone"));
        remove(temporary.path());
        assert_eq!(there(), expected);
        assert!(elsewhere.path().join(MARKER).exists());
        // A program that another test starts at this moment holds the file open until it runs.
        held.unlock().unwrap();
        remove(temporary.path());
        assert!(expected.remove("memkeep-demo-used"));
        assert_eq!(there(), expected);
    }
}
