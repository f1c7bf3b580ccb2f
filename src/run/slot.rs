//! A job of which one runs and one waits; a newer one takes the place of the one that waits.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

type Shared<T> = Arc<Mutex<Option<T>>>;

/// A worker thread for one kind of job.
#[derive(Clone)]
pub(super) struct Slot<J> {
    jobs: Shared<Sender<J>>,
    thread: Shared<JoinHandle<()>>,
}

/// Takes a lock, whatever became of the thread that had it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J: Send + 'static> Slot<J> {
    /// Starts the thread.
    pub fn start(name: &str, mut work: impl FnMut(J) + Send + 'static) -> io::Result<Self> {
        let (sender, jobs) = channel();
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                while let Ok(job) = jobs.recv() {
                    work(jobs.try_iter().last().unwrap_or(job));
                }
            })?;
        Ok(Self {
            jobs: Arc::new(Mutex::new(Some(sender))),
            thread: Arc::new(Mutex::new(Some(thread))),
        })
    }

    /// Asks for a job; one that waits is forgotten.
    pub fn submit(&self, job: J) {
        if let Some(jobs) = &*lock(&self.jobs) {
            // A thread that panicked has ended the program already.
            let _ = jobs.send(job);
        }
    }

    /// Waits until the newest job is done, and ends the thread.
    pub fn finish(&self) {
        lock(&self.jobs).take();
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn the_newest_job_takes_the_place_of_the_waiting_one() {
        let (started, start) = channel();
        let (release, go) = channel::<()>();
        let (done, out) = channel();
        let slot = Slot::start("test", move |job: u32| {
            started.send(job).unwrap();
            let _ = go.recv();
            done.send(job).unwrap();
        })
        .unwrap();
        slot.submit(1);
        assert_eq!(start.recv(), Ok(1));
        for job in 2..=50 {
            slot.submit(job);
        }
        drop(release);
        slot.finish();
        assert_eq!(out.try_iter().collect::<Vec<_>>(), [1, 50]);
    }
}
