//! Work that is counted, so that tests can tell near-linear work from quadratic work without a
//! clock. Whatever walks a field or a text adds its length; outside unit tests nothing is counted.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts work of this thread.
#[cfg(test)]
pub(crate) fn step(count: usize) {
    STEPS.set(STEPS.get() + count as u64);
}

/// Counts work of this thread: only unit tests do.
#[cfg(not(test))]
pub(crate) const fn step(_count: usize) {}

/// The work that a closure does on this thread.
#[cfg(test)]
pub(crate) fn steps_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = STEPS.get();
    let done = work();
    (done, STEPS.get() - before)
}
