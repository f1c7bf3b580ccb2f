//! Words between a thing and what is said of it: whether that can only be one, or there may be
//! others beside it.

use super::Words;

/// What holds of one at a time: whoever says another one contradicts.
pub static ONE: Words = Words::of(
    "is are was were be been being become becomes named called titled live lives located sit sits \
reside stored keep kept saved held configured defined declared documented pinned lock locked set \
default point belong hosted owned maintained approved decided chosen replaced loaded deployed \
generated rendered served managed implemented handled computed equal mean start begin end written",
);

/// What adds up: another one stands beside it.
pub static SEVERAL: Words = Words::of(
    "need depend require has have had contain include comprise consist offer provide feature carry \
accept take receive support understand listen subscribe publish emit dispatch broadcast trigger fire raise \
talk speak connect collide interact communicate integrate write send sent report notify forward post push \
upload log record export import expose extend derive inherit implement reference refer link mention cite \
set add append update bump register exclude ignore skip wrap mount install enable avoid check watch monitor \
inspect review verify test remember know see mock stub clear delete remove create configure pass annotate \
mark tag declare document list restart rebuild run execute call invoke build built translate available \
compatible allowed permitted visible aware affected keep",
);

/// Those of them that add up as a fact as well: `is sent to A`, and `is registered in A` does not.
pub static SPREAD: Words = Words::of(
    "sent available compatible allowed permitted visible aware affected translated notified published \
supported tested built required included",
);

/// Words that say of several that each may be.
pub static MAY: Words = Words::of("can may could might");

/// Words that say what is to be done.
pub static DUTY: Words = Words::of("must should shall ought to always please remember never");

/// What is done with one of several that do the same: with which, a word behind it says.
pub static DONE_WITH: Words = Words::of(
    "run ran execute build test format lint check deploy install encrypt sign compress hash compile bundle \
generate manage write written migrate release authenticate",
);

/// What takes one of several for a purpose, where that is named.
pub static TAKING: Words = Words::of("use prefer choose pick adopt");

/// What stands in front of the purpose, or of what is not taken.
pub static PURPOSE: Words = Words::of("for to as instead rather over");

/// What stands in front of the place of something, or of where it comes from: it has one.
pub static PLACING: Words = Words::of("in at from under below inside");

/// Whose something is: what stands behind is a noun.
pub static WHOSE: Words = Words::of(
    "the a an this that each every its their our your his her my no any all both some these those of",
);

/// Words that a sentence begins with which holds from some turn on, or up to it.
pub static TURNS: Words = Words::of(
    "after afterwards then later before since until once when while meanwhile now today \
previously formerly originally initially finally eventually with without",
);

/// Who tells what was done.
pub static NARRATORS: Words = Words::of("we i they");

/// What stands in front of that with which something is done.
pub static MEANS: Words = Words::of("with via using through by");

/// What stands in front of that behind or before which something is done.
pub static ONCE: Words = Words::of("after before once");

/// Words that say that it has to be so, and such that say so in front of `to`.
pub static MUST: Words = Words::of("must should shall");
pub static HAS_TO: Words = Words::of("has have had need needs ought");

/// Words in front of what something is given in that say nothing more of it.
pub static PLAINLY: Words = Words::of("integer integers whole plain raw simple exact");
