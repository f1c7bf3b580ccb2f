//! Paths that memories name and that are gone, by the repository's history and not by age.
//!
//! Each memory's paths are resolved while it is looked at; where they went is asked once for all
//! of them at the end, for git compares contents only in the commits that took them away.

mod abroad;
mod bare;
mod beside;
mod braces;
mod doubt;
pub(super) mod extract;
mod fate;
mod fences;
mod fix;
mod imports;
mod links;
mod literal;
mod manner;
mod places;
mod trees;
mod whose;
mod windows;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Mutex;

pub(super) use self::abroad::{FOREIGN, is_of_another};
use self::extract::How;
use self::fate::report;
pub(super) use self::fate::{ACT, said};
pub(super) use self::manner::{Manner, Manners};
use super::chars::{last_of, quote};
use super::report::counted;
use super::repository::{History, Meaning};
use super::{Context, Facts, Finding, Look, Out, Rule};
use crate::memory::{Role, Severity};

/// Paths of one memory that are reported; more say nothing new.
const MOST: usize = 200;

/// Bytes in front of a path that are read for whose it is.
const NEAR: usize = 300;

/// Fields that name files of the project, by whatever format: golemcore's `references`, RUM's
/// `files`, and what people add to a frontmatter. `source` is where a rawko memory was read.
const FIELDS: &[&str] = &[
    "references",
    "files",
    "file",
    "source",
    "relatedFiles",
    "related_files",
    "relevant_files",
    "paths",
    "path",
];

/// A path that is gone.
pub(super) struct StalePath;

/// What was met while memories were looked at, one by one and in no order.
#[derive(Default)]
pub(super) struct Met {
    gone: Mutex<Vec<Stale>>,
    /// How many paths could not be looked up.
    unchecked: Mutex<usize>,
    /// How many stand in each submodule and are not there.
    modules: Mutex<BTreeMap<Box<str>, usize>>,
    /// How many are gone beside [`MOST`] of a memory.
    left: Mutex<usize>,
}

/// A path in a memory that is gone.
struct Stale {
    finding: Finding,
    written: Box<str>,
    meaning: Meaning,
    manner: Manner,
    /// Where it stands in the text.
    spots: Vec<Range<usize>>,
    /// Those of them that another path may be written over: they are not told of the past.
    places: Vec<Range<usize>>,
    /// Items of fields that are the path and nothing else: the field, and the item's number.
    items: Vec<(Box<str>, usize)>,
    /// The field of the title, where it stands in it.
    title: Option<&'static str>,
    /// Whether it is written as code names what it imports.
    import: bool,
}

impl Rule for StalePath {
    fn id(&self) -> &'static str {
        "stale-path"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a path that was in the repository and is gone"
    }

    fn check(&self, look: &Look<'_>, _: &mut Vec<Finding>) {
        match look.cx.project.history() {
            Ok(history) => gone(look, history),
            Err("") => {}
            Err(_) => unchecked(look),
        }
    }

    fn gathers(&self) -> bool {
        true
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, out: &mut Out<'_, '_>) {
        match cx.project.history() {
            Ok(history) => {
                if let Some(why) = &history.partial {
                    facts.note(
                        "stale-path",
                        format!("not all of the history was read: {why}"),
                    );
                }
                let left = facts.stale.left.lock().map_or(0, |left| *left);
                if left > 0 {
                    let paths = counted(left, "path");
                    facts.note(
                        "stale-path",
                        format!("{paths} more that are gone stand in memories with {MOST} of them"),
                    );
                }
                if let Ok(modules) = facts.stale.modules.lock() {
                    for (module, count) in &*modules {
                        let paths = counted(*count, "path");
                        let says = format!(
                            "{paths} not looked up: the submodule {} has a history of its own",
                            quote(module)
                        );
                        facts.note("stale-path", says);
                    }
                }
                report(cx, facts, history, out);
            }
            Err(why) => not_checked(facts, why),
        }
    }
}

fn base(look: &Look<'_>, bytes: Range<usize>) -> Finding {
    let at = look.at(bytes.start);
    look.finding("stale-path", Severity::Warning, at)
        .about(bytes)
}

/// Keeps the paths of a memory that are gone.
fn gone(look: &Look<'_>, history: &History) {
    let (start, body) = look.body();
    let mut found: Vec<Stale> = Vec::new();
    let mut known: HashMap<Cow<'_, str>, Option<usize>> = HashMap::new();
    let mut manners = Manners::of_body(look).within(history);
    let mut left = 0;
    let literal = |path: &str| history.meaning(path) != Meaning::Unknown;
    extract::paths(body, &history.root, &literal, &mut |named| {
        let Some(named) = here(look, history, body, named) else {
            return;
        };
        let bytes = start + named.bytes.start..start + named.bytes.end;
        if let Some(seen) = known.get(&named.path) {
            let stale = seen.and_then(|at| found.get_mut(at));
            if let Some(stale) = stale {
                again(look, stale, &mut manners, (&named, bytes));
            }
            return;
        }
        let meaning = meaning(look, history, &named);
        let is_gone = matches!(meaning, Meaning::File(..) | Meaning::Folder(..));
        let before = last_of(body.get(..named.bytes.start).unwrap_or_default(), NEAR);
        let after = body.get(named.bytes.end..).unwrap_or_default();
        if is_gone && abroad::is_abroad(history, (before, after)) {
            return;
        }
        if is_gone && manners.is_to_be_made(&named.bytes) {
            known.insert(named.path, None);
            return;
        }
        let wanted = is_gone && found.len() < MOST;
        left += usize::from(is_gone && !wanted);
        known.insert(named.path.clone(), wanted.then_some(found.len()));
        if wanted {
            let mut stale = Stale {
                finding: base(look, bytes.clone()),
                written: named.path.as_ref().into(),
                meaning,
                manner: manners.manner(&named.bytes),
                spots: vec![bytes.clone()],
                places: Vec::new(),
                items: Vec::new(),
                title: None,
                import: named.how == How::Import,
            };
            if stale.manner == Manner::Directive {
                stale.places = writable(&named, bytes);
            }
            found.push(stale);
        }
    });
    in_fields(look, history, &mut found);
    in_title(look, history, &mut found);
    if left > 0 || !found.is_empty() {
        look.gathers(|all| all.more = true);
    }
    if left > 0
        && let Ok(mut all) = look.facts.stale.left.lock()
    {
        *all += left;
    }
    if !found.is_empty()
        && let Ok(mut all) = look.facts.stale.gone.lock()
    {
        all.append(&mut found);
    }
}

/// What a path stands for. What lies in a submodule has a history of its own, and is counted.
fn meaning(look: &Look<'_>, history: &History, named: &extract::Named<'_>) -> Meaning {
    let meaning = match named.how {
        How::Import => history.imported(&named.path),
        _ => history.meaning(&named.path),
    };
    if meaning == Meaning::Unknown
        && let Some(module) = history.submodule(&named.path)
        && let Ok(mut all) = look.facts.stale.modules.lock()
    {
        *all.entry(module.into()).or_default() += 1;
        // It is counted anew each time.
        look.gathers(|all| all.more = true);
    }
    match meaning {
        Meaning::File(_, false) | Meaning::Folder(_, false) if named.how == How::Whole => {
            Meaning::Unknown
        }
        meaning => meaning,
    }
}

/// Keeps the paths that stand in fields made for them.
fn in_fields(look: &Look<'_>, history: &History, found: &mut Vec<Stale>) {
    let known = |path: &str| history.meaning(path) != Meaning::Unknown;
    let fields = look.memory.fields.iter();
    for (field, value) in fields.filter(|(field, _)| FIELDS.contains(field)) {
        let texts = value.items().enumerate().take(MOST);
        for (n, text) in texts.filter_map(|(n, item)| Some((n, item.as_str()?))) {
            extract::paths(text, &history.root, &known, &mut |named| {
                let Some(named) = here(look, history, text, named) else {
                    return;
                };
                let item = (named.path == text).then(|| (field.into(), n));
                let same = |stale: &&mut Stale| *stale.written == *named.path;
                if let Some(stale) = found.iter_mut().find(same) {
                    stale.items.extend(item);
                    return;
                }
                let meaning = meaning(look, history, &named);
                let is_gone = matches!(meaning, Meaning::File(..) | Meaning::Folder(..));
                if is_gone && found.len() < MOST {
                    let at = look.at_field(field, Some(n));
                    found.push(Stale {
                        finding: look.finding("stale-path", Severity::Warning, at),
                        written: named.path.as_ref().into(),
                        meaning,
                        // What follows from what was done follows from the record of it.
                        manner: match look.memory.schema.is_fixed(field) {
                            true => Manner::Act,
                            false => Manner::Directive,
                        },
                        spots: Vec::new(),
                        places: Vec::new(),
                        items: item.into_iter().collect(),
                        title: None,
                        import: false,
                    });
                }
            });
        }
    }
}

/// Keeps the paths of a title that is a field. What the text says of one holds for it there too:
/// a title says in a word what its text tells.
fn in_title(look: &Look<'_>, history: &History, found: &mut Vec<Stale>) {
    let Some(field) = look.memory.schema.role(Role::Title) else {
        return;
    };
    // Where the text is drawn from fields, it is read in the text.
    let title = look
        .memory
        .field(field.name)
        .and_then(|title| title.as_str());
    let Some(title) = title.filter(|_| !look.memory.schema.in_rows()) else {
        return;
    };
    let mut manners = Manners::of(title).within(history);
    let known = |path: &str| history.meaning(path) != Meaning::Unknown;
    extract::paths(title, &history.root, &known, &mut |named| {
        let Some(named) = here(look, history, title, named) else {
            return;
        };
        let same = |stale: &&mut Stale| *stale.written == *named.path;
        if let Some(stale) = found.iter_mut().find(same) {
            stale.title = Some(field.name);
            return;
        }
        let meaning = meaning(look, history, &named);
        let is_gone = matches!(meaning, Meaning::File(..) | Meaning::Folder(..));
        let before = title.get(..named.bytes.start).unwrap_or_default();
        let after = title.get(named.bytes.end..).unwrap_or_default();
        let is_other = || abroad::is_abroad(history, (last_of(before, NEAR), after));
        if is_gone && found.len() < MOST && !is_other() && !manners.is_to_be_made(&named.bytes) {
            let at = look.at_field(field.name, None);
            found.push(Stale {
                finding: look.finding("stale-path", Severity::Warning, at),
                written: named.path.as_ref().into(),
                meaning,
                manner: manners.manner(&named.bytes),
                spots: Vec::new(),
                places: Vec::new(),
                items: Vec::new(),
                title: Some(field.name),
                import: named.how == How::Import,
            });
        }
    });
}

/// The same path once more, by its bytes in the body and in the text: the finding stands where it
/// misleads most.
fn again(
    look: &Look<'_>,
    stale: &mut Stale,
    manners: &mut Manners<'_>,
    (named, bytes): (&extract::Named<'_>, Range<usize>),
) {
    let manner = manners.manner(&named.bytes);
    if manner < stale.manner {
        stale.manner = manner;
        stale.finding = base(look, bytes.clone());
    }
    stale.spots.push(bytes.clone());
    // What is told of the past stays as it was then.
    if manner == Manner::Directive {
        stale.places.extend(writable(named, bytes));
    }
}

/// The bytes that another path may be written over: a group stands for several.
fn writable(named: &extract::Named<'_>, bytes: Range<usize>) -> Vec<Range<usize>> {
    let whole = bytes.len() >= named.path.len();
    let own = whole && bytes.len() <= named.path.len() + named.path.matches('/').count();
    own.then_some(bytes).into_iter().collect()
}

/// A path of a text as it is written in this repository; nothing where another one is meant, or
/// none.
fn here<'a>(
    look: &Look<'_>,
    history: &History,
    text: &str,
    named: extract::Named<'a>,
) -> Option<extract::Named<'a>> {
    if let Some(named) = imports::of_go(look, &named) {
        return Some(named);
    }
    match named.how {
        How::Bare => bare::is_meant(history, text, &named).then_some(extract::Named {
            how: How::Whole,
            ..named
        }),
        How::Abroad => abroad::within(history, named),
        How::Link(repository) => history
            .is_published_at(repository)
            .then_some(extract::Named {
                how: How::Whole,
                ..named
            }),
        How::Plain | How::Whole | How::Import => Some(named),
    }
}

/// How many paths of a memory could have been looked up.
pub(super) fn local_paths(look: &Look<'_>) -> u32 {
    let mut count = 0;
    extract::paths(look.body().1, "", &|_| false, &mut |named| {
        count += u32::from(named.is_local() && named.path.contains('/'));
    });
    count
}

fn unchecked(look: &Look<'_>) {
    let count = local_paths(look);
    look.facts.stale.unchecked(count);
    look.gathers(|all| all.unchecked[0] = count);
}

impl Met {
    /// Counts what could not be looked up.
    pub(super) fn unchecked(&self, count: u32) {
        if let Ok(mut unchecked) = self.unchecked.lock() {
            *unchecked += count as usize;
        }
    }
}

fn not_checked(facts: &Facts, why: &str) {
    let count = facts.stale.unchecked.lock().map_or(0, |count| *count);
    if count > 0 {
        let paths = counted(count, "path");
        facts.note("stale-path", format!("{paths} not looked up: {why}"));
    }
}
