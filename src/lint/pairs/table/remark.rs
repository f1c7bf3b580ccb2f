//! Words of a remark at the end of a statement.

use super::Words;

/// What a decision is written in: a number behind it tells which.
pub static DOCUMENTS: Words = Words::of(
    "pr prs mr issue issues ticket tickets adr adrs rfc commit bug incident postmortem discussion \
thread decision spec changelog",
);

/// What stands in front of how it was before.
pub static FORMERLY: Words =
    Words::of("was were formerly previously originally earlier instead not");

/// What was done with a figure or a choice, or how it came to be.
pub static CHANGED: Words = Words::of(
    "changed raised lowered reduced increased bumped doubled halved cut moved switched migrated \
decided agreed confirmed updated measured new",
);

/// Words that make more of what is thought of something.
pub static VERY: Words = Words::of("too so very much far really quite rather often always still");

/// What is thought of something.
pub static JUDGED: Words = Words::of(
    "flaky slow slower fast faster quick quicker brittle noisy noisier unstable stable unreliable \
expensive costly cheap cheaper fragile insecure unsafe safer risky dangerous broken buggy obsolete \
simple simpler easy easier clean cleaner small smaller big bigger short shorter long longer better \
worse unmaintained unsupported outdated leaky racy confusing unnecessary insufficient enough overkill \
nondeterministic non-deterministic wasteful painful",
);

/// What work does, beside what records of it begin with.
pub static WORKED: Words =
    Words::of("changed passed failed skipped rewritten covered touched ported");

/// What somebody did who wanted it so.
pub static WANTED: Words = Words::of(
    "asked complained insisted requested demanded wanted decided agreed approved voted preferred \
proposed suggested objected",
);

/// Words that tell what a piece of work came to, in the present as well: `all tests pass now`.
pub static CAME_TO: Words = Words::of(
    "now again still yet done ready complete works work working pass passes passing fails failing \
green red clean tests test suite build coverage bug bugs fix cause culprit error errors",
);
