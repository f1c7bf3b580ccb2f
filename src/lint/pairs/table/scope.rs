//! Words at the end of a statement that say where or when the rest of it holds, and others that only
//! go on.

use super::Words;

/// What begins a part that says where, when or for whom the rest holds: `in staging`, `for admins`.
pub static SCOPES: Words = Words::of(
    "in on at for by with from through over under between within without before after until when \
if while where whose per during unless inside outside except among across",
);

/// What begins it where a thing follows, and tells a purpose where a verb does: `to the replica`,
/// `of the mail package`.
pub static TOWARDS: Words = Words::of("to into of");

/// Words in front of it: `only for exports`, `especially in tests`.
pub static NARROWING: Words = Words::of("only just but mostly especially particularly");

/// Words behind its first one that leave nothing out: `for all users`, `by default`, `in this project`.
pub static WHOLE: Words = Words::of(
    "all every each any everything everyone everybody everywhere default total general average once \
least most whole entire both this current now moment present order fact practice case addition latest earliest",
);

/// Nouns of what something is done for.
pub static PURPOSES: Words = Words::of(
    "reasons reason sake safety security speed performance simplicity clarity compliance consistency \
compatibility reproducibility debugging good convenience comfort fairness privacy robustness \
resilience efficiency correctness",
);

/// Nouns behind `by` or `on` that say how it came to be so: `by design`, `on purpose`.
pub static MANNERS: Words = Words::of(
    "design purpose convention intention intent choice agreement consensus policy law contract \
definition principle decision tradition",
);

/// Where all of it is written.
pub static WRITTEN: Words =
    Words::of("code codebase source config configuration settings repository repo");

/// Parts of the path of a file that figures are set in.
pub static SET_IN: Words =
    Words::of("config configuration conf cfg settings constants env ini toml yml yaml properties");

/// Parts of the path of one that is for one place of several.
pub static STAGES: Words = Words::of(
    "test tests testing spec e2e ci dev development local staging stage prod production preview \
qa sandbox demo example examples",
);

/// Words that go on with another part of what is said, though they say something themselves.
pub static GOING_ON: Words = Words::of("next beside along together never not");

/// What holds of several beside each other, without endings: `Node 20 is supported`, `appears in
/// Chrome 120`, `CI tests Node 20`.
pub static SEVERALLY: Words = Words::of(
    "support test work break fail crash hang leak affect vulnerable compatible incompatible appear \
occur happen reproduce reproduc reproducible seen verify verifi check cover available pass install \
compile compil certify certifi accept understand",
);

/// What tells of a figure that it was measured, in a case that the rest may name.
pub static MEASURED: Words = Words::of(
    "take takes took last lasts lasted cost costs consume consumes consumed handle handles",
);

/// What tells that a figure came out of one run.
pub static CAME_OUT: Words = Words::of(
    "took wall wall-clock elapsed lasted measured clocked benchmarked finished completed timed peaked \
dauerte gemessen",
);

/// What makes a rule or a setting of a figure, whoever measured it.
pub static RULES: Words = Words::of(
    "must should shall always never max maximum minimum limit limits limited budget timeout least \
most exceed exceeds target cap capped allowed required expires after every",
);

/// What stands in front of the release or the day that something is said of: `since 2.3`.
pub static SINCE: Words = Words::of("in since until version release");

/// Words of a denial that leaves no exception: `never`, `without any`.
pub static OUTRIGHT: Words = Words::of("never any ever no none nothing niemals nie kein keine");

/// What stands behind a verb: `fixtures fill it`.
pub static OBJECTS: Words = Words::of("it them this these us");

/// What points back at what was just said.
pub static BACK: Words = Words::of("this that it these they which");

/// What is said of it where it holds no longer, and what `not` stands in front of then.
pub static WITHDRAWN: Words =
    Words::of("outdated obsolete wrong withdrawn superseded revoked invalid untrue incorrect");
pub static HOLDING: Words = Words::of("longer true valid correct right so");
