//! Says that something changed below folders, soon after it did and once for a burst; kinds of
//! events are not to be trusted. Without a watcher folders are looked at about once a second.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::{Config, PollWatcher, RecursiveMode};

use super::files;

/// Folders to watch, each with what lies below it or not; a file among them is watched for alone.
pub type Folders = Vec<(PathBuf, bool)>;

/// A burst has ended when nothing happens for so long.
const QUIET: Duration = Duration::from_millis(30);
/// A burst that does not end is reported all the same after so long.
const LONGEST: Duration = Duration::from_millis(100);
/// Number of times that folders are watched anew because others appeared meanwhile.
const MOST_ATTEMPTS: usize = 16;
/// How often folders are looked at without a watcher.
const POLL: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// From now on nothing is missed; what changed before was not said.
    Watching,
    Changed,
    /// From now on folders are looked at about once a second; why.
    Polling(String),
}

enum Wake {
    /// Something happened to these; to anything, where there are none.
    Event(Vec<PathBuf>),
    /// These are gone or have another name, and may have come anew since.
    Gone(Vec<PathBuf>),
    /// Events were lost, or the watcher is broken: why.
    Broken(String),
    End,
}

/// A running watcher; it ends when it is dropped.
pub struct Watcher {
    wake: Sender<Wake>,
}

impl Watcher {
    /// Watches folders, or for missing ones. `sink` runs on a thread of its own; false ends it.
    pub fn start(folders: Folders, sink: impl FnMut(News) -> bool + Send + 'static) -> Self {
        let (wake, woken) = channel();
        let events = wake.clone();
        let run = move || {
            let native = || {
                let made = notify::recommended_watcher(handler(events.clone()));
                made.map(|watcher| Box::new(watcher) as _)
            };
            run(&folders, &native, &events, &woken, sink);
        };
        // Without a thread nothing is watched; there is nothing else to be done about it.
        let thread = std::thread::Builder::new().name("watcher".to_owned());
        let _ = thread.spawn(run);
        Self { wake }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.wake.send(Wake::End);
    }
}

/// Takes an event of the native watcher. Reading a file is an event too, and a rescan reads.
fn handler(wake: Sender<Wake>) -> impl FnMut(notify::Result<notify::Event>) + Send + 'static {
    use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
    move |event| {
        let said = match event {
            Ok(event) if event.need_rescan() => Wake::Event(Vec::new()),
            Ok(event) => match event.kind {
                EventKind::Access(AccessKind::Close(AccessMode::Write)) => Wake::Event(event.paths),
                EventKind::Access(_) => return,
                EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                    Wake::Gone(event.paths)
                }
                _ => Wake::Event(event.paths),
            },
            Err(error) => match error.kind {
                notify::ErrorKind::MaxFilesWatch => Wake::Broken(error.to_string()),
                // A folder that went away while it was being watched, and the like.
                _ => Wake::Event(Vec::new()),
            },
        };
        let _ = wake.send(said);
    }
}

/// Makes a watcher that watches nothing yet.
type Make<'a> = &'a dyn Fn() -> notify::Result<Box<dyn notify::Watcher>>;

fn run(
    folders: &Folders,
    native: Make<'_>,
    events: &Sender<Wake>,
    woken: &Receiver<Wake>,
    mut sink: impl FnMut(News) -> bool,
) {
    let reason = follow(folders, native, woken, &mut sink);
    let Err(reason) = reason else { return };
    let poll = || {
        let config = Config::default().with_poll_interval(POLL);
        let made = PollWatcher::new(handler(events.clone()), config);
        made.map(|watcher| Box::new(watcher) as _)
    };
    if sink(News::Polling(reason)) {
        let mut sink = |news| news == News::Watching || sink(news);
        let _ = follow(folders, &poll, woken, &mut sink);
    }
}

/// Reports bursts until told to end; an error says why the watcher fails.
fn follow(
    folders: &Folders,
    make: Make<'_>,
    woken: &Receiver<Wake>,
    sink: &mut dyn FnMut(News) -> bool,
) -> Result<(), String> {
    let mut watched = watch(folders, make)?;
    if !sink(News::Watching) {
        return Ok(());
    }
    while let Ok(mut next) = woken.recv() {
        let (began, ways) = (Instant::now(), ways(folders));
        let (mut ours, mut is_stale) = (false, false);
        loop {
            match next {
                Wake::Event(paths) => ours |= concerns(&ways, &paths),
                Wake::Gone(gone) => {
                    ours |= concerns(&ways, &gone);
                    // One that came in the place of another is another.
                    let is_gone = |path: &PathBuf| gone.iter().any(|gone| path.starts_with(gone));
                    is_stale |= watched.1.keys().any(is_gone);
                }
                Wake::Broken(reason) => return Err(reason),
                Wake::End => return Ok(()),
            }
            if began.elapsed() > LONGEST * 2 {
                break;
            }
            let left = LONGEST.saturating_sub(began.elapsed()).min(QUIET);
            match woken.recv_timeout(left) {
                Ok(wake) => next = wake,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        // Before the report: what appears after the rescan began must not be missed.
        if is_stale || watched.1 != existing(folders) {
            watched = watch(folders, make)?;
        }
        if ours && !sink(News::Changed) {
            break;
        }
    }
    Ok(())
}

/// A watcher, and the folders that it watches, each with what lies below it or not.
type Watched = (Box<dyn notify::Watcher>, BTreeMap<PathBuf, bool>);

/// Watches what exists of the folders, and the nearest folder above what does not.
fn watch(folders: &Folders, make: Make<'_>) -> Result<Watched, String> {
    let mut attempts = 0..MOST_ATTEMPTS;
    loop {
        let mut watcher = make().map_err(|error| error.to_string())?;
        let wanted = existing(folders);
        for (path, deep) in &wanted {
            let mode = match deep {
                true => RecursiveMode::Recursive,
                false => RecursiveMode::NonRecursive,
            };
            match watcher.watch(path, mode) {
                // One that went away just now: its parent says so.
                Err(error) if path.exists() => return Err(error.to_string()),
                _ => {}
            }
        }
        // No event reports a folder that appears while a folder above it begins to be watched.
        if attempts.next().is_none() || wanted == existing(folders) {
            return Ok((watcher, wanted));
        }
    }
}

/// The folders as given and as the system names them.
fn ways(folders: &Folders) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = folders.iter().map(|(folder, _)| folder.clone()).collect();
    out.extend(folders.iter().map(|(folder, _)| files::real(folder)));
    out
}

/// True if paths lie in the folders or on the way to them.
fn concerns(ways: &[PathBuf], paths: &[PathBuf]) -> bool {
    let on_way = |path: &PathBuf| {
        let mut ways = ways.iter();
        ways.any(|folder| path.starts_with(folder) || folder.starts_with(path))
    };
    paths.is_empty() || paths.iter().any(on_way)
}

/// The folders to watch: those that exist or the nearest above, and the parent of each.
fn existing(folders: &Folders) -> BTreeMap<PathBuf, bool> {
    let mut out = BTreeMap::new();
    let mut add = |path: &Path, deep: bool| {
        *out.entry(path.to_owned()).or_insert(false) |= deep;
    };
    for (folder, deep) in folders {
        if folder.is_dir() {
            add(folder, *deep);
        }
        let above = folder.ancestors().skip(1).find(|path| path.is_dir());
        if let Some(above) = above.filter(|path| path.parent().is_some()) {
            add(above, false);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SOON: Duration = Duration::from_secs(20);

    fn watch(folder: &Path) -> (Watcher, Receiver<News>) {
        let (sender, receiver) = channel();
        let folders = vec![(folder.to_owned(), true)];
        let watcher = Watcher::start(folders, move |news| sender.send(news).is_ok());
        assert_eq!(receiver.recv_timeout(SOON), Ok(News::Watching));
        (watcher, receiver)
    }

    /// Does something until the watcher says so.
    fn until_changed(news: &Receiver<News>, mut act: impl FnMut(usize)) {
        let began = Instant::now();
        for n in 0.. {
            act(n);
            match news.recv_timeout(Duration::from_millis(300)) {
                Ok(said) => return assert_eq!(said, News::Changed),
                Err(_) => assert!(began.elapsed() < SOON, "nothing was said"),
            }
        }
    }

    fn rest(news: &Receiver<News>) {
        while news.recv_timeout(Duration::from_millis(300)).is_ok() {}
    }

    /// Writes files into a folder until the watcher says so.
    fn write(news: &Receiver<News>, folder: &Path) {
        until_changed(news, |n| {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(format!("{n}.md")), n.to_string()).unwrap();
        });
        rest(news);
    }

    #[test]
    fn what_appears_below_is_reported_in_a_store_that_is_there_or_comes_goes_and_comes_again() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("store")).unwrap();
        for name in ["store", ".rawko/memories"] {
            let folder = dir.path().join(name);
            let (_watcher, news) = watch(&folder);
            write(&news, &folder);
            write(&news, &folder.join("later/deep"));
            write(&news, &folder.join("later/deep"));
            fs::remove_dir_all(&folder).unwrap();
            fs::create_dir(&folder).unwrap();
            rest(&news);
            write(&news, &folder);
            fs::rename(&folder, folder.with_extension("away")).unwrap();
            fs::create_dir(&folder).unwrap();
            rest(&news);
            write(&news, &folder);
        }
    }

    #[test]
    fn reading_is_no_change() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.md");
        fs::write(&file, "x").unwrap();
        let (_watcher, news) = watch(dir.path());
        write(&news, dir.path());
        fs::read(&file).unwrap();
        fs::read_dir(dir.path()).unwrap().for_each(drop);
        assert!(news.recv_timeout(Duration::from_millis(400)).is_err());
    }

    #[test]
    fn without_a_watcher_the_folders_are_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let (wake, woken) = channel();
        let (sender, news) = channel();
        let folders = vec![(dir.path().to_owned(), true)];
        let events = wake.clone();
        let thread = std::thread::spawn(move || {
            let broken = || Err(notify::Error::generic("no watcher here"));
            run(&folders, &broken, &events, &woken, move |said| {
                sender.send(said).is_ok()
            });
        });
        let why = "no watcher here".to_owned();
        assert_eq!(news.recv_timeout(SOON).unwrap(), News::Polling(why));
        fs::create_dir(dir.path().join("deep")).unwrap();
        write(&news, &dir.path().join("deep"));
        wake.send(Wake::End).unwrap();
        thread.join().unwrap();
    }
}
