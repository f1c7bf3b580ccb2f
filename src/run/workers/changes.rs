//! The worker that makes changes, one after the other.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use super::{Loader, Out};
use crate::app::msg::{Change, Failure, Msg};
use crate::workspace::orders::{Done, World};

/// A change to make, in order.
pub(super) enum Job {
    Apply(Change),
    /// The last change, or the one with this number.
    Undo(Option<u64>),
    Redo,
    /// Keeps a theme in the user's configuration.
    Theme(String),
    /// An editor ended that was given a file with these bytes; whether it failed.
    Edited(PathBuf, Vec<u8>, bool),
    End(Sender<()>),
}

/// Makes changes one after the other. The stores are read again before the answer is given, so
/// that what it speaks of is there.
pub(super) fn changes(
    world: &Arc<dyn World>,
    out: &Out,
    loader: &Arc<Loader>,
) -> io::Result<Sender<Job>> {
    let (world, out, loader) = (Arc::clone(world), out.clone(), Arc::clone(loader));
    let (jobs, queue) = channel();
    std::thread::Builder::new()
        .name("changes".to_owned())
        .spawn(move || {
            for job in queue {
                let back = if matches!(job, Job::Undo(_)) {
                    "redo"
                } else {
                    "undo"
                };
                let done: Result<Done, Failure> = match job {
                    Job::Apply(change) => world.apply(&change, &loader.snapshot()),
                    Job::Undo(seq) => world.undo(seq),
                    Job::Redo => world.redo(),
                    Job::Edited(path, before, failed) => match world.edited(&path, &before) {
                        // Keeps the message of a failed editor.
                        Ok(Some(done)) if failed => {
                            out.send(Msg::Notice(done.title));
                            continue;
                        }
                        Ok(Some(done)) => Ok(done),
                        Ok(None) => {
                            let nothing = "the editor changed nothing".to_owned();
                            out.send(Msg::Notice(nothing));
                            continue;
                        }
                        Err(failure) => Err(failure),
                    },
                    Job::Theme(name) => {
                        out.send(Msg::Notice(world.keep_theme(&name)));
                        continue;
                    }
                    Job::End(done) => {
                        let _ = done.send(());
                        return;
                    }
                };
                loader.load();
                out.send(match done {
                    Ok(Done { title, follow }) => Msg::Applied {
                        title,
                        follow,
                        back,
                    },
                    Err(failure) => Msg::Failed(failure),
                });
            }
        })?;
    Ok(jobs)
}
