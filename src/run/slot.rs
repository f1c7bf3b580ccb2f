//! A job of which one runs and one waits; a newer one takes the place of the one that waits.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

struct Place<J> {
    waiting: Option<J>,
    ended: bool,
}

/// A worker thread for one kind of job.
pub(super) struct Slot<J> {
    place: Arc<(Mutex<Place<J>>, Condvar)>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl<J> Clone for Slot<J> {
    fn clone(&self) -> Self {
        Self {
            place: Arc::clone(&self.place),
            thread: Arc::clone(&self.thread),
        }
    }
}

/// Takes a lock, whatever became of the thread that had it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J: Send + 'static> Slot<J> {
    /// Starts the thread.
    pub fn start(name: &str, mut work: impl FnMut(J) + Send + 'static) -> io::Result<Self> {
        let place = Place {
            waiting: None,
            ended: false,
        };
        let place = Arc::new((Mutex::new(place), Condvar::new()));
        let shared = Arc::clone(&place);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let (mutex, bell) = &*shared;
                let mut place = lock(mutex);
                loop {
                    if let Some(job) = place.waiting.take() {
                        drop(place);
                        work(job);
                        place = lock(mutex);
                    } else if place.ended {
                        return;
                    } else {
                        place = bell.wait(place).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            })?;
        Ok(Self {
            place,
            thread: Arc::new(Mutex::new(Some(thread))),
        })
    }

    /// Asks for a job; one that waits is forgotten.
    pub fn submit(&self, job: J) {
        let (mutex, bell) = &*self.place;
        lock(mutex).waiting = Some(job);
        bell.notify_all();
    }

    /// Waits until everything that was asked for is done, and ends the thread.
    pub fn finish(&self) {
        let (mutex, bell) = &*self.place;
        lock(mutex).ended = true;
        bell.notify_all();
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has ended the program already.
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
