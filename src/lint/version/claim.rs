//! What a sentence says of a version that it names: that it is what is used, something about it, or
//! that it is not meant here.

use super::mention::Mention;
use super::names::{RUNTIMES, meant};
use super::subject::{is_base, is_elsewhere, is_form, is_of_a_device, is_of_manifest};
use crate::lint::pairs::table::{STOP, Words};
use crate::lint::stale::FOREIGN;

/// What a sentence says of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// That it is what is used, and nothing that another version could make wrong.
    Used,
    /// That it is what is used, and why, or what follows from it.
    Reasoned,
    /// What it does, and what to do here because of that: true of this release for ever, and of no
    /// use where another one is in its place.
    Relied,
    /// Something else: what a release brought, what broke with it.
    Told,
    /// That it is not to be used, or what holds for others, or where it is.
    Aside,
}

impl Claim {
    /// Whether a sentence says this of what the project has.
    pub(super) const fn is_held_to(self) -> bool {
        matches!(self, Self::Used | Self::Reasoned | Self::Relied)
    }
}

/// Words before a name by which it is not what is used.
static REFUSED: Words = Words::of(
    "not no never don't doesn't isn't aren't without neither nor cannot can't won't shouldn't",
);

/// Words by which a clause only supposes something.
static SUPPOSED: Words = Words::of("if when whenever unless should once");

/// Others who have versions of their own; one of them may be a part of the project: `the client`.
static OTHERS: Words = Words::of(
    "customers users clients visitors people anyone someone those tenants partners consumers readers",
);

/// Parts of a project that may be called after them: `the users service`.
static PARTS: Words = Words::of(
    "service services app apps api apis frontend backend portal page pages module package worker \
workers job jobs server servers site",
);

/// Orders that stand behind what is supposed: `when in doubt use x`.
static ORDERS: Words = Words::of("use keep take pin install prefer");

/// Who does something, rather than being told to.
static SUBJECTS: Words = Words::of("we you i they to");

/// Words between two things of which one is as the other is elsewhere: `the same as in x`.
const ALIKE: &[&str] = &["same as", "as in", "like in", "as with", "known from"];

/// Verbs and participles behind which stands what is used.
static USES: Words = Words::of(
    "use uses using used run runs running need needs require requires requiring required want wants our write \
target targets targeting install installs pin pins follow follows keep expect expects assume assumes employ prefer take",
);

/// Verbs behind which it stands with a word between: `is on x`, `built with x`, `pinned to x`.
static STANDS: Words = Words::of(
    "is are am be being been use uses using used run runs running build builds built building write \
written compile compiles compiled deploy deploys deployed develop developed implement implemented \
code port pin pins pinned stay stays stick sticks stuck rely relies relied depend depends work works \
based start starts happen happens done ship ships target targets targeted standardize standardise standardized \
standardised set locked package packaged decided settled agreed stands lint lints linted we're we've",
);

/// The words between.
static LINKS: Words = Words::of("on with to in by under against from upon at");

/// Those that need no verb in front: `goes through x`.
static BY_WAY: Words = Words::of("through via");

/// The word between where it is what something is made for: `written for x`.
static MADE: Words = Words::of("build built write written compile compiled code target targeted");

/// Those of what is made out of another thing: `starts from x`.
static BEGINS: Words =
    Words::of("start starts started build builds built based derive derives derived");

/// Verbs that only say so of us and of what the project has: `we have x`, `the runners have x`.
static HAS: Words = Words::of("have has got");

/// Words between them and a name that do not matter.
pub(super) static FILLS: Words =
    Words::of("the a an now still currently only at least old latest already");

/// Who is meant by what is used here.
pub(super) static WE: Words = Words::of("we i our us my we're we've you your");

/// Words behind a version by which it is what is used: `x 1.2 is used`, `x 1.2 is what we run`.
static IN_USE: Words = Words::of(
    "used use installed needed required pinned deployed what minimum target baseline enough",
);

/// What a release did, told in the present.
static BROUGHT: Words = Words::of(
    "introduces adds drops removes brings changes deprecates replaces ships ends supports includes",
);

/// Words by which something goes wrong with a version, so that it is not said to be used.
static FAULTS: Words = Words::of(
    "workaround bug bugs panics panic crash crashes leaks leak fails fail failing breaks break broken \
issue issues regression problem problems error errors hangs",
);

/// What is meant by an article behind a verb: something of the project.
static OURS: Words = Words::of("the our all every each");

/// Words that end a clause.
static ENDS: Words = Words::of("because so since as but while although though which that where");

/// Words by which a sentence says why it is this version, or what becomes of it.
static WHY: Words = Words::of(
    "because since due until till workaround bug bugs panics panic crash crashes leaks leak fails \
fail failing breaks broken cve pinned pin stuck must cannot can't only before after problem issue \
issues regression vulnerable drops lacks needs requires so",
);

/// What is called after the version of a language that it came with, and stays in later ones:
/// `the Java 8 time API`.
static CAME_WITH: Words = Words::of("api apis syntax feature features stream streams idioms");

/// What a sentence of this line says of a version in it.
pub(super) fn claim(line: &str, mention: &Mention<'_>) -> Claim {
    let start = mention.name.as_ptr() as usize - line.as_ptr() as usize;
    let before = line.get(..start).unwrap_or_default();
    let from = [". ", "; ", "! ", "? "]
        .iter()
        .filter_map(|end| Some(before.rfind(end)? + end.len()))
        .max();
    let before = before.get(from.unwrap_or_default()..).unwrap_or_default();
    let before = before.to_lowercase().replace('’', "'");
    let after = line.get(mention.bytes.end..).unwrap_or_default();
    let to = [". ", "; ", "! ", "? "]
        .iter()
        .filter_map(|end| after.find(end))
        .min();
    let after = after.get(..to.unwrap_or(after.len())).unwrap_or_default();
    let after = after.to_lowercase().replace('’', "'");
    let between = line.get(start + mention.name.len()..mention.bytes.start);
    let language = RUNTIMES.contains(&meant(mention.name).as_str());
    let between = between.unwrap_or_default();
    let came_with = || words(&after).take(2).any(|word| CAME_WITH.has(word));
    if is_aside(&before)
        || is_of_a_device(&before, &after)
        || is_elsewhere(line)
        || (language && came_with())
    {
        return Claim::Aside;
    }
    let both = || words(&before).chain(words(&after));
    let ours = both().any(|word| WE.has(word));
    // Others are still where this project is no more.
    if !ours && words(&before).any(|word| word == "still") {
        return Claim::Aside;
    }
    let image = between == ":" && is_base(&after);
    let plain = is_used(&before) || is_in_use(&after) || is_of_manifest(&before) || image;
    if plain || is_at(between, &after) || is_label(&before, &after) {
        if both().any(|word| WHY.has(word)) {
            Claim::Reasoned
        } else {
            Claim::Used
        }
    } else if is_relied_on(&before, &after) || is_form(&before, &after) {
        Claim::Relied
    } else {
        Claim::Told
    }
}

pub(super) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-');
    let all = text.split(move |c: char| !part(c));
    let all = all.map(|word| word.trim_matches(['-', '\'']));
    all.filter(|word| !word.is_empty())
}

/// Whether the clause in front of a name refuses it, supposes it or speaks of others.
fn is_aside(before: &str) -> bool {
    let clause = before.rsplit([',', ':', '(']).next().unwrap_or_default();
    let mut all: Vec<&str> = words(clause).collect();
    let goes_on = |at: usize| {
        all.iter()
            .skip(at + 1)
            .any(|word| USES.has(word) || STANDS.has(word) || LINKS.has(word))
    };
    let ends = |(at, word): (usize, &&str)| {
        ENDS.has(word) || (matches!(*word, "and" | "then") && goes_on(at))
    };
    let end = all.iter().enumerate().rev().find(|one| ends(*one));
    if let Some((end, _)) = end {
        all.drain(..=end);
    }
    let next = |at: usize| all.get(at + 1).copied().unwrap_or_default();
    let of_others = |(at, word): (usize, &&str)| {
        let word = word.trim_end_matches("'s");
        FOREIGN.has(word) || (OTHERS.has(word) && !PARTS.has(next(at)))
    };
    // Whose it is may stand in the label of an item, or first.
    let label: Vec<&str> = before
        .rsplit_once(':')
        .map_or(Vec::new(), |(label, _)| words(label).collect());
    let of = |label: &[&str]| {
        label
            .iter()
            .any(|word| FOREIGN.has(word.trim_end_matches("'s")) || OTHERS.has(word))
    };
    of(&label)
        || all.first() == Some(&"their")
        || all.iter().any(|word| REFUSED.has(word))
        || all.iter().enumerate().any(of_others)
        || is_supposed(&all)
        || ALIKE.iter().any(|alike| clause.trim_end().ends_with(alike))
}

/// Whether a clause supposes something, and does not only say when an order behind holds.
fn is_supposed(clause: &[&str]) -> bool {
    let Some((first, rest)) = clause.split_first() else {
        return false;
    };
    let next = rest.first().copied().unwrap_or_default();
    let often = *first == "once" && matches!(next, "a" | "an" | "per" | "every" | "each");
    let should = *first == "should" && (USES.has(next) || STANDS.has(next));
    // `services keep x` is no order, nor is `you keep x`.
    let ordered = clause.windows(2).any(|two| match two {
        [before, order] => ORDERS.has(order) && !SUBJECTS.has(before) && !before.ends_with('s'),
        _ => false,
    });
    SUPPOSED.has(first) && !often && !should && !ordered
}

/// `we use x 1.2`, `it is built with the x 1.2`, `we run y and x 1.2`: what stands in front of a name
/// says that it is what is used. Between them may stand other things that are used, too.
fn is_used(before: &str) -> bool {
    let before = before.replace(" and ", ",").replace(" plus ", ",");
    static PLACES: Words = Words::of(
        "runner runners image images container containers pipeline ci project repo repository codebase",
    );
    let ours = words(&before).any(|word| WE.has(word));
    for part in before.rsplit([',', '&', '+', '/']) {
        let all: Vec<&str> = words(part).collect();
        for (at, word) in all.iter().enumerate().rev().take(4) {
            let rest = all.get(..at).unwrap_or_default();
            let has = |list: &Words| rest.iter().any(|word| list.has(word));
            if has(&FAULTS) || FAULTS.has(word) {
                return false;
            }
            let verb = USES.has(word) || BY_WAY.has(word) || matches!(*word, "is" | "are");
            // `plugins that need x` are whatever plugins there are.
            if matches!(rest, [_, "that" | "which"]) {
                return false;
            }
            let part = matches!(rest, [article, .., part] if OURS.has(article) && (PARTS.has(part) || PLACES.has(part)));
            if verb || ((ours || (part && rest.len() < 4)) && HAS.has(word)) {
                return true;
            }
            if LINKS.has(word) || *word == "for" {
                let image = *word == "from" && rest.is_empty();
                let verbs = match *word {
                    "for" => &MADE,
                    "from" => &BEGINS,
                    _ => &STANDS,
                };
                return image || has(verbs);
            }
            if matches!(*word, "of" | "about" | "than" | "as" | "like") {
                return false;
            }
        }
        // What is longer is no item of a list.
        if all.len() > 3 {
            return false;
        }
    }
    false
}

/// `x 1.2 is in use`, `x 1.2 is what runs here`.
fn is_in_use(after: &str) -> bool {
    let mut all = words(after);
    !words(after).any(|word| FOREIGN.has(word) || OTHERS.has(word))
        && matches!(all.next(), Some("is" | "are"))
        && all
            .take_while(|word| !ENDS.has(word))
            .take(3)
            .any(|word| IN_USE.has(word))
}

/// Whether a name and its version are all that is said, behind a label, in a list, in brackets:
/// `Stack: x 1.2, y 2`.
fn is_label(before: &str, after: &str) -> bool {
    let before = before.trim_end_matches([' ', '`', '*', '_', '"', '\'']);
    let listed = before.ends_with([':', '|', ',', '(', '&', '+', '/', '-', '—', '–', '→']);
    let first = before.is_empty();
    let after = after.trim_start_matches(['`', '*', '_', '"', '\'', 'x', '.']);
    let ends = after.trim().is_empty()
        || after.starts_with([',', '|', ')', ';', '+', '&', '/', '—', '–', '\n'])
        || [" (", " - ", " + ", " / ", " & ", " | "]
            .iter()
            .any(|sign| after.starts_with(sign));
    let mut all = words(after);
    let goes_on = all
        .next()
        .is_some_and(|word| ENDS.has(word) || LINKS.has(word) || ONWARD.has(word));
    let short = words(after).count() <= if listed { 2 } else { 1 };
    let verb = words(after).any(|word| word.len() > 3 && word.ends_with(['s', 'd']));
    (listed || first) && (ends || (short && !verb)) || (listed && goes_on)
}

/// Words behind a label's version that go on with it.
static ONWARD: Words = Words::of("and or plus without for until till due only");

/// Whether a sentence says what a version does, and what is to be done here because of that, or
/// what it does with a thing of the project.
fn is_relied_on(before: &str, after: &str) -> bool {
    let mut all = words(after);
    let verb = all.next().unwrap_or_default();
    let next = all.next().unwrap_or_default();
    static MODALS: Words = Words::of("do don't can can't cannot will won't must may need have are");
    // `has added` is told of what was.
    let past = verb.starts_with("ha") && next.len() > 4 && next.ends_with("ed");
    let holds = MODALS.has(verb) || (verb.len() > 1 && verb.ends_with('s') && verb != "was");
    // A release is told of that is not there yet, or is of no use.
    let apart = match verb {
        "will" => BROUGHT.has(&format!("{next}s")),
        "is" | "are" => next == "not",
        _ => BROUGHT.has(verb),
    };
    if !words(before).all(|word| FILLS.has(word)) || !holds || past || apart {
        return false;
    }
    let told = |part: &str| {
        let first = words(part).find(|word| *word != "so" && *word != "then");
        first.is_some_and(is_order)
    };
    OURS.has(next)
        || words(after).any(|word| WE.has(word))
        || after.split([',', ':', '—', '–']).skip(1).any(told)
}

/// Whether a word with which a clause begins can be an order: no word of grammar and no form of a
/// verb that is told.
fn is_order(word: &str) -> bool {
    let told = ["s", "ed", "ing", "ly"]
        .iter()
        .any(|end| word.ends_with(end));
    let grammar = STOP.split(' ').any(|stop| stop == word) && word != "do";
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b'\'');
    plain && word.len() > 1 && !told && !grammar && !ENDS.has(word) && !REFUSED.has(word)
        || matches!(word, "pass" | "never" | "don't")
}

/// `x is at 1.2`, `| x | 1.2 |`, `x: 1.2`.
fn is_at(between: &str, after: &str) -> bool {
    let said = words(between).any(|word| matches!(word, "is" | "at" | "on" | "pinned"));
    let cell = between.contains(['|', ':', '=']) && words(between).next().is_none();
    let ends = after.trim_start_matches(['`', '"', '*', ' ']);
    said || (cell && (ends.trim_end().is_empty() || ends.starts_with(['|', ','])))
}
