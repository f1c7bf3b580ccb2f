//! Words that tell what a statement is about from what it says of it.

use super::Words;

/// Verbs that a subject stands in front of, whatever it is.
pub static VERBS: Words = Words::of(
    "is are was were be been being has have had must should shall may might can could will would \
cannot can't isn't aren't wasn't weren't don't doesn't didn't won't mustn't shouldn't does do did \
needs need gets get requires require uses use contains contain holds hold lives live runs run \
reads read writes write means mean returns return answers answer exposes expose",
);

/// Verbs of what was, each beside one of [`HOLDS`].
pub static HELD: Words = Words::of("was were had did wasn't weren't didn't");

/// Verbs of what holds.
pub static HOLDS: Words = Words::of("is are has have does do isn't aren't doesn't don't now");

/// Verbs in the past that do not end in `ed`.
static PAST: Words = Words::of(
    "held ran took gave went kept wrote built sent made began got sat lived stood found threw broke \
lost caught chose hid fell grew led left met paid saw said sold told thought",
);

/// Words that end in `ed` and are no verbs in the past; of those in `eed` only these others are.
static NOT_PAST: Words = Words::of(
    "embed imbed shed shred sled bed red wed ted hundred sacred naked wicked kindred hatred infrared",
);
static PAST_IN_EED: Words = Words::of("agreed disagreed freed decreed guaranteed refereed");

/// Whether a word in small letters is the past of a verb by its form.
pub fn is_past(word: &str) -> bool {
    let regular = match word.ends_with("eed") {
        true => PAST_IN_EED.has(word),
        false => word.ends_with("ed") && !NOT_PAST.has(word),
    };
    regular || PAST.has(word)
}

/// Nouns that a name stands behind: it tells which of them is meant.
pub static APPOSED: Words = Words::of(
    "table file endpoint node host server service module class function method field column queue \
topic bucket database schema index route page screen component package crate library cluster \
region pod container image job task step error status event flag variable setting key header \
command script test suite stage environment tenant customer user role team ticket issue type \
interface trait struct enum hook view model controller handler worker agent bot plugin extension \
app client tool repository folder directory partition shard replica channel device sensor board \
form dialog button menu tab widget template document report dashboard alert metric feature project \
product site zone vendor provider partner account group chapter section phase milestone",
);

/// Words in front of a noun that it is one of.
pub static ARTICLES: Words = Words::of("the a an this that each every our your its all any both");

/// Words that join what is said of a subject to it, or one part of that to another.
pub static JOINING: Words = Words::of(
    "of to in on at by for with from as into than via through over under between within without \
before after until and or but if when while because so that which who whose where",
);

/// What an order tells to do with one thing and, at another time, with another.
pub static STEPS: Words = Words::of(
    "call invoke press click tap hit select choose pick open visit run execute start launch see \
read check enter type add import export edit copy paste delete remove create install test try \
touch mention ask tell restart reload rebuild reset stop mock stub clear restore publish",
);

/// What has a name: `is` in front of a word says that it is called that.
pub static CALLED: Words = Words::of(
    "branch database region language locale currency timezone namespace bucket registry remote \
schema profile environment editor shell model font theme",
);

/// Words for whoever there is.
pub static EVERYONE: Words = Words::of("everyone everybody anyone anybody");

/// Negations that say what is not there rather than what not to do.
pub static LACKS: Words = Words::of("no without nor neither kein keine keinen keiner");

/// Words with which another clause begins, or goes on.
pub static ENDS_CLAUSE: Words =
    Words::of("and but because so since while although though if when unless until then");

/// Words in front of a clause that says when something is to be done.
pub static OCCASIONS: Words = Words::of("before after when whenever while once until if unless");

/// Who does it.
pub static WHO: Words = Words::of("you we i they");
