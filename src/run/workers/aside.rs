//! Threads for work that nobody waits for.

use std::io;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// How far behind what a person waits for: threads at 0 get nine tenths of a processor that both
/// want.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Threads of their own, as many as there are processors: a key that is typed never stands in line
/// behind a thousand texts that are looked at.
pub(super) fn threads() -> io::Result<ThreadPool> {
    let threads = ThreadPoolBuilder::new()
        .thread_name(|n| format!("aside-{n}"))
        .start_handler(|_| give_way());
    threads.build().map_err(io::Error::other)
}

/// Lets others go first. Only Linux takes the number for that of the thread and not of all of them.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // If this is refused the work is done at normal priority.
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
}
