//! Pairs of memories, statement by statement.

mod about;
mod body;
mod denied;
mod figures;
mod keyed;
mod withdrawn;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

pub use about::written;
use body::{Body, Others, Said, goes_on, is_copy};
pub use body::{common, says_otherwise, shingles};
pub use denied::{Denied, contradicted, denied, denies_itself};
use keyed::Keyed;

use super::compare::{Relation, Slot, compare, name_others};
use super::index::LIST;
use super::statement::Statement;
use crate::lint::{Context, look::first_part, place::Place, superseded::body_decides};
use crate::memory::{Memory, lines::Lines};

/// A statement that contradicts another.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Where it stands in its file.
    pub place: Place,
    /// Its words.
    pub text: String,
    /// The bytes of them that differ.
    pub marks: Vec<Range<usize>>,
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// In what they differ.
    pub slot: Slot,
    /// What they share.
    frame: u32,
    /// The statement of the first memory and that of the second, where they are kept: they take a
    /// kilobyte, and most of many are never shown.
    pub sides: Option<Box<[Side; 2]>>,
}

/// How much of the same two memories say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// The share of the shorter one that the other has, 0 to 1.
    pub share: f64,
    /// The length of the shorter as a part of the longer, 0 to 1.
    pub size: f64,
    /// Whether each also says something else: both have several statements, and not nearly all
    /// of the shorter one stand in the other.
    pub partly: bool,
    /// Whether each names a figure or a thing in place of the other's.
    pub differs: bool,
    /// Whether it is a few words, and stands under another heading in the other.
    pub brief: bool,
}

/// What two memories have to do with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The first, by its index in the snapshot.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// What cannot both hold.
    pub conflicts: Vec<Conflict>,
    /// How much of the same they say, where it is much and nothing contradicts.
    pub alike: Option<Likeness>,
}

impl Found {
    /// The same where its memories have these places, each so many lines further down in its file.
    pub fn moved(&mut self, (a, b): (usize, usize), down: [i32; 2]) {
        (self.a, self.b) = (a, b);
        let sides = self
            .conflicts
            .iter_mut()
            .filter_map(|one| one.sides.as_mut());
        for (side, down) in sides.flat_map(|sides| sides.iter_mut().zip(down)) {
            side.place.line = side.place.line.saturating_add_signed(down);
        }
    }
}

/// Statements in more of a memory's than this share a feature that says nothing.
const COMMON: usize = 8;

/// A memory shorter than this part of the other is contained in it, not its duplicate.
pub const SHORTER: f64 = 0.5;

/// What counts as the length of one whose statements all stand in a longer one, however long.
const WITHIN: f64 = 0.49;

/// A body of a few words that has none of the statements of the other has nearly all its words.
const FULL: f64 = 0.9;

/// Of several statements fewer than this part in common leave room for something else in each.
const NEARLY_ALL: f64 = 0.8;

/// Statements of a body that are all held against one.
const FEWEST: usize = 3;

/// A body of fewer words is compared as a sentence, for it has too few shingles.
const FEW: usize = 12;

/// What pairs have to do with each other, where that is something.
pub type Checked = HashMap<(u32, u32), Option<Arc<Found>>>;

/// The same of the pairs of one memory.
type Checks = Vec<((u32, u32), Option<Found>)>;

/// Groups of pairs that are read before the statements of most are let go.
const PIECE: usize = 1_024;

/// Reads the pairs again, but those that are known, and says what they have to do with each
/// other; with it what was said of each pair. The statements of so many pairs are kept.
pub fn verify(
    (cx, clean): (&Context<'_>, &Clean<'_>),
    pairs: &[(u32, u32)],
    mut known: Checked,
    spelled: usize,
) -> (Vec<Arc<Found>>, Checked) {
    known.retain(|pair, _| pairs.binary_search(pair).is_ok());
    let unknown = |pair: &&(u32, u32)| !known.contains_key(pair);
    let new: Vec<(u32, u32)> = pairs.iter().filter(unknown).copied().collect();
    let is_spelled = |found: &&Arc<Found>| found.conflicts.iter().any(|one| one.sides.is_some());
    let before = known.values().flatten().filter(is_spelled).count();
    let mut room = spelled.saturating_sub(before);
    let groups: Vec<&[(u32, u32)]> = new.chunk_by(|x, y| x.0 == y.0).collect();
    for groups in groups.chunks(PIECE) {
        let checked: Vec<Checks> = groups
            .par_iter()
            .map(|group| group_of((cx, clean), group))
            .collect();
        for (pair, found) in checked.into_iter().flatten() {
            let found = found.map(|mut found| {
                if room == 0 {
                    for conflict in &mut found.conflicts {
                        conflict.sides = None;
                    }
                }
                room = room.saturating_sub(usize::from(!found.conflicts.is_empty()));
                // Most have one, and a list begins with room for four.
                found.conflicts.shrink_to_fit();
                Arc::new(found)
            });
            known.insert(pair, found);
        }
    }
    let mut found: Vec<Arc<Found>> = pairs
        .iter()
        .filter_map(|pair| known.get(pair)?.clone())
        .collect();
    without_lists(&mut found);
    (found, known)
}

/// The pairs of one memory, which is the first of each.
fn group_of(facts: (&Context<'_>, &Clean<'_>), group: &[(u32, u32)]) -> Checks {
    let Some(&(first, _)) = group.first() else {
        return Vec::new();
    };
    let text = text(facts.0, first as usize);
    let body = Body::of(facts.0, first as usize, &text);
    let against = group.iter().map(|&(first, second)| {
        let first_of = (first as usize, &*text, &body);
        ((first, second), against(facts, first_of, second as usize))
    });
    against.collect()
}

/// The statements of a conflict of two memories, read again where they were not kept.
pub fn sides<'f>(
    facts: (&Context<'_>, &Clean<'_>),
    found: &'f Found,
    conflict: usize,
) -> Option<Cow<'f, [Side; 2]>> {
    let known = found.conflicts.get(conflict)?;
    if let Some(sides) = &known.sides {
        return Some(Cow::Borrowed(sides));
    }
    let text = text(facts.0, found.a);
    let body = Body::of(facts.0, found.a, &text);
    let again = against(facts, (found.a, &text, &body), found.b)?;
    // Lists were taken out of what is known, each as a whole.
    let key = |conflict: &Conflict| (conflict.slot, conflict.frame);
    let stays = |one: &Conflict| found.conflicts.iter().any(|known| key(known) == key(one));
    let conflict = again.conflicts.into_iter().filter(stays).nth(conflict)?;
    Some(Cow::Owned(*conflict.sides?))
}

/// Of which memories it is known that no secret stands in them.
type Clean<'c> = dyn Fn(usize) -> bool + Sync + 'c;

/// A text and, once it was asked for, the same without its secrets.
type Masked<'t, 'm> = (&'t str, &'m OnceCell<String>);

fn text(cx: &Context<'_>, index: usize) -> String {
    let text = |memory: &Arc<Memory>| {
        let text = cx.texts.text(memory)?;
        Some(written(memory, first_part(&text).into()).into_owned())
    };
    cx.memories.get(index).and_then(text).unwrap_or_default()
}

fn against(
    (cx, clean): (&Context<'_>, &Clean<'_>),
    (first, text_a, a): (usize, &str, &Body<'_>),
    second: usize,
) -> Option<Found> {
    let text_b = text(cx, second);
    let b = Body::of(cx, second, &text_b);
    let place = |index: usize, text: &str, at: Range<usize>| {
        let line = cx.memories.get(index).map_or(1, |memory| memory.line);
        Place::of_bytes((text, &Lines::new(text.as_bytes())), line, at)
    };
    // Masked as part of the whole text, for what stands around a secret makes it one.
    let masked = [OnceCell::new(), OnceCell::new()];
    let [mask_a, mask_b] = &masked;
    let mask = |index: usize, text: &str| match clean(index) {
        true => text.to_owned(),
        false => crate::lint::mask(text).into_owned(),
    };
    let mut conflicts = Vec::new();
    let mut same = 0.0;
    let mut near = false;
    let (mut told, mut others) = (HashSet::new(), Others::default());
    let keyed = Keyed::of(cx, (first, a), (second, &b));
    for (n, one) in a.statements.iter().enumerate() {
        let related = best(one, &b);
        let set = || keyed.as_ref()?.another_value(n);
        let related = match related {
            Some((Relation::Contradiction { .. } | Relation::Same(_), _)) => related,
            _ => set().or(related),
        };
        match related {
            Some((
                Relation::Contradiction {
                    slot,
                    a: x,
                    b: y,
                    frame,
                },
                other,
            )) => {
                // A sentence may stand twice in either of them.
                if !told.insert((one.statement.spelling(), other.spelling()))
                    || about::is_of_work(cx, (first, text_a), &one.statement)
                    || about::is_of_work(cx, (second, &text_b), other)
                    || keyed::are_apart(cx, (first, a, &one.statement), (second, &b, other))
                {
                    continue;
                }
                let side =
                    |index, (text, masked): Masked<'_, '_>, one: &Statement<'_>, marks| Side {
                        place: place(index, text, one.bytes()),
                        text: masked
                            .get_or_init(|| mask(index, text))
                            .get(one.bytes())
                            .unwrap_or_default()
                            .to_owned(),
                        marks,
                    };
                conflicts.push(Conflict {
                    slot,
                    frame,
                    sides: Some(Box::new([
                        side(first, (text_a, mask_a), &one.statement, x),
                        side(second, (&text_b, mask_b), other, y),
                    ])),
                });
            }
            Some((Relation::Same(like), _)) if !one.statement.filed => same += like,
            Some((Relation::Near, _)) => near = true,
            Some((Relation::Other, _)) => others.add(n),
            Some((Relation::Same(_) | Relation::Apart, _)) | None => {}
        }
    }
    // Of several statements one may be worded otherwise.
    let only_words = conflicts.iter().all(|one| one.slot == Slot::Word);
    let apart = others.outweigh(same);
    let apart = apart || !about::are_about_one(cx, (first, text_a), (second, &text_b));
    let alike = if !apart && (conflicts.is_empty() || (only_words && same > 0.0)) {
        alike(cx, (first, a), (second, &b), (same, near))
    } else {
        None
    };
    // Which of the two holds is said by one of them.
    let decides = |body: &Body<'_>, other: usize| {
        let other = cx.memories.get(other);
        other.is_some_and(|other| body_decides(body.text, other))
    };
    let something = !conflicts.is_empty() || alike.is_some();
    if !something || decides(a, second) || decides(&b, first) {
        return None;
    }
    // The log of a failed command may quote a lesson; it neither repeats nor contradicts it.
    let akin = || a.is_log() == b.is_log();
    akin().then_some(Found {
        a: first,
        b: second,
        conflicts,
        alike,
    })
}

/// The statement of a body that says most of what another says, and how they stand.
fn best<'b, 't>(one: &Said<'_>, body: &'b Body<'t>) -> Option<(Relation, &'b Statement<'t>)> {
    let with = one.features.iter().map(|feature| body.with(*feature));
    let mut shared: Vec<usize> = with
        .filter(|with| with.len() <= COMMON)
        .flat_map(|with| with.iter().map(|(_, n)| *n))
        .collect();
    shared.sort_unstable();
    let mut likely: Vec<(usize, usize)> = shared
        .chunk_by(|a, b| a == b)
        .filter_map(|group| Some((group.len(), *group.first()?)))
        .collect();
    likely.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    // Of a few each is held against it: short ones share no two words in a row.
    let few = (body.statements.len() <= FEWEST).then_some(0..body.statements.len());
    let likely = likely.into_iter().take(3).map(|(_, n)| n);
    let mut likely: Vec<usize> = likely.collect();
    let new = few.into_iter().flatten().filter(|n| !likely.contains(n));
    let new: Vec<usize> = new.collect();
    likely.extend(new);
    let likely = likely
        .into_iter()
        .filter_map(|n| body.statements.get(n))
        .filter(|other| one.may_be(other))
        .map(|other| &other.statement);
    // A sentence that the other repeats does not contradict it a line further on.
    let rank = |relation: &Relation| match relation {
        Relation::Same(_) => 0,
        Relation::Contradiction { .. } => 1,
        Relation::Near => 2,
        Relation::Other => 3,
        Relation::Apart => 4,
    };
    let mut found: Option<(Relation, &Statement<'_>)> = None;
    for other in likely {
        let relation = compare(&one.statement, other);
        let same = matches!(relation, Relation::Same(_));
        if found
            .as_ref()
            .is_none_or(|(best, _)| rank(&relation) < rank(best))
        {
            found = Some((relation, other));
        }
        if same {
            break;
        }
    }
    found
}

/// How much of the same two bodies say, where it is enough.
fn alike(
    cx: &Context<'_>,
    (first, a): (usize, &Body<'_>),
    (second, b): (usize, &Body<'_>),
    (same, near): (f64, bool),
) -> Option<Likeness> {
    let ((said_a, words_a), (said_b, words_b)) = (a.shingles(), b.shingles());
    let common = common(said_a, said_b);
    let (short, long) = (*words_a.min(words_b), *words_a.max(words_b));
    let least = said_a.len().min(said_b.len());
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let size = count(short) / count(long.max(1));
    let shingles = count(common) / count(least.max(1));
    let (x, y) = (a.count(), b.count());
    let share = match (x, y) {
        // The comparison knows a list from a repetition, which shingles do not.
        (1, 1) if same > 0.0 => shingles.max(same),
        (1, 1) if near => shingles,
        (1, 1) if goes_on(a, b) || goes_on(b, a) => shingles,
        (1, 1) => 0.0,
        _ if short < FEW && same == 0.0 && shingles < FULL => 0.0,
        // Statement by statement, of which each may be worded otherwise.
        _ => shingles.max((same / count(x.min(y).max(1))).min(1.0)),
    };
    let copies = is_copy(a.own(), b.own());
    // A list with all of the other, and more.
    let (longer, shorter) = if words_a > words_b { (a, b) } else { (b, a) };
    let within = longer.statements.len() > shorter.statements.len()
        && ((common == least && least > 0) || same + 0.01 >= count(x.min(y)))
        && longer.lists_more(shorter);
    let size = if within { size.min(WITHIN) } else { size };
    if !copies && withdrawn::withdraws(longer, shorter) {
        return None;
    }
    let share = if copies { 1.0 } else { share };
    let rule = if size < SHORTER {
        "contained"
    } else {
        "near-duplicate"
    };
    let enough = cx.threshold(rule, "share", first);
    let others = match (&*a.statements, &*b.statements) {
        ([a], [b]) => name_others(&a.statement, &b.statement),
        _ => false,
    };
    let differs = others || figures::have_other_figures(a.text, b.text);
    let partly = differs || (x.min(y) > 1 && share < NEARLY_ALL);
    ((least > 0 || copies) && share >= enough).then_some(Likeness {
        share,
        size,
        partly,
        differs,
        brief: keyed::is_brief(cx, (first, a), (second, b)),
    })
}

/// Leaves out what is a list: one sentence that many memories say with other words in its place.
fn without_lists(found: &mut Vec<Arc<Found>>) {
    let mut families: HashMap<(Slot, u32), HashSet<usize>> = HashMap::new();
    for pair in found.iter() {
        for conflict in &pair.conflicts {
            families
                .entry((conflict.slot, conflict.frame))
                .or_default()
                .extend([pair.a, pair.b]);
        }
    }
    for pair in found.iter_mut() {
        let stays = |conflict: &Conflict| {
            let family = families.get(&(conflict.slot, conflict.frame));
            family.is_none_or(|memories| memories.len() <= LIST)
        };
        if !pair.conflicts.iter().all(stays) {
            Arc::make_mut(pair).conflicts.retain(stays);
        }
    }
    found.retain(|pair| !pair.conflicts.is_empty() || pair.alike.is_some());
}
