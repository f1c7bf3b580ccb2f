//! Words by which a sentence speaks of what is or of what was.

use crate::lint::pairs::table::Words;

/// What was done to something that is not where it was, or not as it was; each may stand before
/// what it was done to, as its verb or as a property: `removed x`, `removed rows`.
pub(super) static CHANGED: Words = Words::of(
    "removed deleted moved renamed replaced superseded deprecated migrated dropped retired split \
merged consolidated extracted folded inlined refactored rewritten rewrote ported reverted cleaned \
converted killed added created introduced implemented completed fixed landed edited updated \
changed touched verified confirmed swapped separated broke eliminated discarded \
archived modified tweaked patched shipped wrote wired checked reviewed",
);

/// Those of them after which it is not there any more.
pub(super) static GONE: Words = Words::of(
    "removed deleted renamed replaced superseded deprecated dropped retired obsolete gone dead \
moved defunct inlined discarded archived eliminated history legacy",
);

/// Those of them that bring something: it is taken to be there.
pub(super) static BROUGHT: Words =
    Words::of("added created introduced implemented wrote written built generated landed shipped");

/// Those of them that bring something to a place.
pub(super) static CARRIED: Words = Words::of(
    "moved renamed replaced superseded migrated split merged consolidated extracted folded inlined \
ported converted swapped separated refactored",
);

/// Those of them that behind a subject may say how it is: `types split across three files`.
pub(super) static DIVIDED: Words = Words::of("split merged wired consolidated extracted");

/// What stands behind them then.
pub(super) static DIVIDES: Words = Words::of("across over into from together between");

/// What a bracket says of a plan that was carried out: `we will split x (done in April)`.
pub(super) static FINISHED: Words = Words::of("done finished completed");

/// Verbs of the past that can be nothing else.
pub(super) static WAS: Words = Words::of(
    "was were had wasn't weren't hadn't lived stood sat lay resided belonged existed went came \
began took ran became did didn't wurde wurden war waren",
);

/// Verbs by which a sentence holds now.
pub(super) static IS: Words = Words::of(
    "is are isn't aren't must should shall can cannot can't may might will won't need needs has \
have does do doesn't don't go goes come comes live lives stay stays land lands pass passes run \
runs use uses get gets belong belongs stand stands sit sits lie lies end ends fall falls return \
returns write writes start starts read reads call calls keep keeps hold holds see show shows \
send sends add put always never edit extend check change",
);

/// Forms of `to be` before what is done now, or is to be done.
pub(super) static PASSIVE: Words = Words::of("is are be being get gets getting isn't aren't");

/// Who does something.
pub(super) static WHO: Words =
    Words::of("we i they he she you who nobody somebody everybody everyone");

/// Words that say which one is meant and nothing else.
pub(super) static WHICH: Words = Words::of(
    "the a an this that these those our its their his her my both all and or also plus some etc file \
files module modules folder folders directory path paths script class function component page \
helper package crate location place name version code",
);

/// Words between which and a verb of the same form nothing stands: they make a noun of it.
pub(super) static DETERMINER: Words = Words::of("the a an this our its their no every each any");

/// Words that stand before a place.
pub(super) static AT: Words =
    Words::of("in from at of to into by with on under via through for as inside within");

/// Words between a verb and its form of `to be`.
pub(super) static ADVERB: Words = Words::of(
    "now already since long finally completely entirely just recently also then not later meanwhile \
hence therefore once fully partly soon being been all both",
);

/// Words with which another clause begins.
pub(super) static JOINS: Words = Words::of(
    "because so which that who whose what where when while if unless although though but until till \
before after since whenever once wherever",
);

/// Those of them with which something is only supposed.
pub(super) static SUPPOSES: Words =
    Words::of("if when whenever unless once until till before where");

/// Properties of what is not used any more.
pub(super) static OLD: Words = Words::of(
    "old legacy former obsolete deprecated removed deleted retired dead previous defunct ex gone \
now-deleted now-removed long-gone earlier",
);

/// Those of them of which another one took the place.
pub(super) static FORMER: Words = Words::of("old former previous earlier");

/// Words by which something is made again that was.
pub(super) static AGAIN: Words = Words::of(
    "recreate re-create restore resurrect reintroduce re-introduce re-add readd revive reinstate \
undelete bring",
);

/// Nouns of what happened to something.
pub(super) static EVENT: Words = Words::of(
    "removal deletion rename renaming split retirement end death deprecation disappearance demise",
);

/// What is being done to something, as a noun.
pub(super) static DOING: Words = Words::of(
    "removing deleting renaming moving splitting dropping retiring replacing deprecating",
);

/// Words by which a label of one or two words says that what follows is over.
pub(super) static LABEL: Words = Words::of(
    "done history changelog archived previous previously formerly was old before \
completed former obsolete log finished recently",
);

/// Words behind `session` that make it the record of one: `Session notes`, not `Session store`.
pub(super) static KEPT: Words =
    Words::of("log logs note notes summary recap report review diary handoff handover end");

/// When something was done, behind `in`: `Files changed in this session`.
pub(super) static OCCASION: Words =
    Words::of("session pr commit branch task sprint release iteration today");

/// First words of what is to be done.
pub(super) static ORDER: Words = Words::of(
    "use put call keep add run edit extend change see read never always do don't go write import \
register make place check start set ask",
);

/// Those of [`GONE`] of which something may be that is there all the same.
pub(super) static AGED: Words = Words::of("deprecated obsolete legacy dead defunct");

/// Words that go back to what was named.
pub(super) static BACK: Words = Words::of("it its they them their there this these those");

/// Words with which what follows from something begins.
pub(super) static HENCE: Words = Words::of("so therefore hence thus consequently");

/// Verbs of what holds now that begin no order: their subject is the one of before.
pub(super) static MUST: Words = Words::of(
    "must should shall can cannot can't may might will won't needs has have is are isn't aren't \
does doesn't stays remains",
);

/// Verbs of who makes use of something.
pub(super) static TAKE: Words =
    Words::of("use uses import imports call calls take takes require requires look search expect");

/// Verbs of how something is, of which nothing is said to be for: `used to be`.
pub(super) static STATE: Words = Words::of("be live come sit lie stand belong stay have");

/// Verbs in the past that look like no other form of theirs and do not end in `ed`.
pub(super) static IRREGULAR: Words = Words::of(
    "spent lost left felt slept swept dealt meant fought brought bought taught sought shot won sang \
sank swam flew drew drove rode rose froze woke forgot forbade knew blew shook fed bled bred fled \
slid spun stuck struck hung dug bound ground wound lent bent",
);

/// Words of a day that is over, with which a sentence begins.
pub(super) static GONE_BY: Words = Words::of("yesterday back last earlier");
