//! `stale-path`: paths that memories mention, that were in the history and are not in the tree.
//!
//! The paths of each memory are resolved while it is checked. Their new locations are looked up
//! once for all of them at the end, because git compares contents only in the commits that removed
//! them.

mod report;

use std::collections::HashMap;
use std::ops::Range;

use self::report::{is_common, is_made, report};
use super::cues::Cue;
use super::repository::{History, Match, Meaning};
use super::{Collector, Context, Facts, Finding, Rule, Subject};
use crate::memory::Severity;
use crate::text::mentions::{Form, PathMention, paths};
use crate::text::word_lists::Words;

/// Fields that hold files: golemcore's `references`, RUM's `files`, and what people add.
static FIELDS: Words =
    Words::of("references files file source relatedFiles related_files relevant_files paths path");

/// Folders at the root of a machine.
static ROOTS: Words = Words::named("roots");

/// Items of a field that are read.
const MOST_ITEMS: usize = 200;

/// A path that is gone, and where a memory mentions it.
struct Target {
    /// A finding at the mention that misleads most.
    finding: Finding,
    /// The path as the memory writes it, below the root.
    written: Box<str>,
    meaning: Meaning,
    cue: Option<Cue>,
    /// True if another thing of that name may be meant.
    is_doubtful: bool,
    /// The mentions in the text without a cue: another path may be written over them.
    spots: Vec<Range<usize>>,
    /// Items of fields that are the path and nothing else: the field, and the item's number.
    items: Vec<(Box<str>, usize)>,
}

impl Target {
    fn path<'h>(&'h self, history: &'h History) -> &'h str {
        match self.meaning {
            Meaning::File(at, _) => history.gone.at(at),
            Meaning::Folder(at, _) => history.gone_folders.at(at),
            Meaning::Present | Meaning::Unknown => &self.written,
        }
    }
}

pub(super) fn finish(_: &Rule, cx: &Context<'_>, facts: &Facts, out: &mut Collector<'_>) {
    if let Ok(history) = cx.project.history() {
        report(cx, facts, history, facts.kept(), out);
    }
}

pub(super) fn gather(rule: &Rule, subject: &Subject<'_>) {
    let Some(history) = subject.history_of_paths(rule.id) else {
        return;
    };
    let mut reader = Reader {
        subject,
        history,
        all: Vec::new(),
        known: HashMap::new(),
    };
    reader.read_body();
    reader.read_fields();
    subject.facts.keep(reader.all);
}

struct Reader<'l, 'a> {
    subject: &'l Subject<'a>,
    history: &'l History,
    all: Vec<Target>,
    /// The target of each path that was seen; none where the path is not gone.
    known: HashMap<Box<str>, Option<usize>>,
}

impl Reader<'_, '_> {
    /// The target of a path, made at its first mention; none if the path is not gone.
    fn target(
        &mut self,
        mention: &PathMention<'_>,
        finding: impl FnOnce() -> Finding,
    ) -> Option<&mut Target> {
        if self.subject.linked_memory(mention).is_some() {
            return None;
        }
        let written = local(self.history, mention)?;
        if let Some(known) = self.known.get(written) {
            return known.and_then(|at| self.all.get_mut(at));
        }
        let (meaning, path) = self.meanings(mention, written);
        let is_gone = meaning != Meaning::Present;
        let at = is_gone.then_some(self.all.len());
        self.known.insert(written.into(), at);
        at?;
        let written = path;
        use Meaning::{File, Folder};
        let several = matches!(meaning, File(_, Match::Several) | Folder(_, Match::Several));
        let is_common = !written.contains('/') && is_common(written);
        let is_doubtful = several || mention.is_glob || is_common || is_made(written);
        self.all.push(Target {
            finding: finding(),
            written: written.into(),
            meaning,
            cue: Some(Cue::Log),
            is_doubtful,
            spots: Vec::new(),
            items: Vec::new(),
        });
        self.all.last_mut()
    }

    /// The meaning of a path and its part that has it; unknown only where a file is expected.
    fn meanings<'m>(&self, mention: &PathMention<'_>, written: &'m str) -> (Meaning, &'m str) {
        let ends = written.match_indices('/').map(|(at, _)| at + 1);
        let ends = ends.filter(|_| mention.is_drawn());
        let is_path = |path: &str| path.contains('/') || mention.has_ending() || mention.is_folder;
        let ends = ends.filter_map(|at| written.get(at..).filter(|path| is_path(path)));
        let all = std::iter::once(written).chain(ends);
        let mut all = all.map(|path| (self.meaning(mention, path), path));
        let known = all.find(|(meaning, path)| match meaning {
            Meaning::Unknown => self.is_expected(mention, path),
            _ => true,
        });
        known.unwrap_or((Meaning::Present, written))
    }

    /// True for a file that was never tracked although the files beside it are. Hidden folders are
    /// those of tools, which keep what they like in them.
    fn is_expected(&self, mention: &PathMention<'_>, written: &str) -> bool {
        let folder = written.rsplit_once('/').map(|(folder, _)| folder);
        let is_path = mention.is_local_path() && mention.has_ending() && mention.form != Form::Link;
        let root = mention.path.strip_suffix(written).unwrap_or_default();
        let is_root = self.history.whole(root.trim_end_matches('/')) == Meaning::Unknown;
        let is_kept = is_root && !written.starts_with('.') && !is_made(written);
        let below = folder.map(|folder| self.history.below_name(folder).unwrap_or(folder));
        is_path && is_kept && below.is_some_and(|folder| self.history.folders.has(folder))
    }

    /// The meaning of a path. A name without an ending may be anything: it has to match whole.
    fn meaning(&self, mention: &PathMention<'_>, written: &str) -> Meaning {
        let is_bare = !written.contains('/');
        let is_exact = (!mention.has_ending() && !mention.is_folder)
            || mention.is_absolute()
            || mention.is_glob;
        let meaning = match is_exact {
            true => self.history.whole(written),
            false => self.history.meaning(written),
        };
        if meaning == Meaning::Present
            && mention.is_folder
            && let Some(at) = self.history.gone_folders.get(written)
        {
            // Another folder of that name is somewhere below the root.
            return Meaning::Folder(at, Match::Several);
        }
        let is_stem = |at| self.history.gone.at(at) != written;
        match meaning {
            // A word that only a folder was called.
            Meaning::Folder(..) if is_bare && is_exact => Meaning::Unknown,
            // Two words with a `/` between them: only code names a file without its ending.
            Meaning::File(at, Match::Whole)
                if is_exact && mention.form == Form::Prose && is_stem(at) =>
            {
                Meaning::Unknown
            }
            meaning => meaning,
        }
    }

    fn read_body(&mut self) {
        let subject = self.subject;
        let ((start, _), cues) = (subject.body(), subject.cues());
        let (mut end, mut foreign) = (0, Vec::new());
        for mention in subject.paths() {
            // The words of a path with blanks.
            if mention.bytes.start < end {
                continue;
            }
            if is_elsewhere(&mention.path) && local(self.history, mention).is_none() {
                foreign.push(mention.bytes.start);
            }
            let bytes = start + mention.bytes.start..start + mention.bytes.end;
            let place = || subject.in_body(&mention.bytes);
            let base = || subject.finding("stale-path", Severity::Warning, place());
            let Some(target) = self.target(mention, base) else {
                continue;
            };
            end = mention.bytes.end;
            // A text may mention a path ten thousand times.
            if target.cue.is_none() && target.spots.len() > MOST_ITEMS {
                continue;
            }
            let mut cue = cues.of_claim(&mention.bytes);
            if cue.is_none() && cues.is_led_by(&mention.bytes, &foreign) {
                cue = Some(Cue::Elsewhere);
            }
            if cue < target.cue {
                target.cue = cue;
                target.finding = base();
            }
            if cue.is_none() && !mention.is_glob && !mention.is_drawn() {
                target.spots.push(bytes);
            }
        }
        // What never was is no wonder in a sentence about other times and places.
        let is_odd = |target: &Target| target.meaning != Meaning::Unknown || target.cue.is_none();
        self.all.retain(is_odd);
    }

    fn read_fields(&mut self) {
        let subject = self.subject;
        let fields = subject.memory.fields.iter();
        for (field, value) in fields.filter(|(field, _)| FIELDS.has(field)) {
            for (n, item) in value.items().enumerate().take(MOST_ITEMS) {
                let Some(text) = item.as_str() else {
                    continue;
                };
                paths(text, &mut |mention| {
                    let is_all = mention.path == text;
                    let at = || subject.at_field(field, Some(n));
                    let base = || subject.finding("stale-path", Severity::Warning, at());
                    if let Some(target) = self.target(&mention, base) {
                        let cue = subject.memory.schema.is_fixed(field).then_some(Cue::Record);
                        target.cue = cue.min(target.cue);
                        target.items.extend(is_all.then(|| (field.into(), n)));
                    }
                });
            }
        }
    }
}

/// True for a path of a home or at the root of a machine.
fn is_elsewhere(path: &str) -> bool {
    let first = path
        .strip_prefix('/')
        .and_then(|path| path.split('/').next());
    path.starts_with("~/") || first.is_some_and(|first| ROOTS.has(first))
}

/// The path below the root that a mention is written as; none where it leads elsewhere.
fn local<'m>(history: &History, mention: &'m PathMention<'_>) -> Option<&'m str> {
    let path = &*mention.path;
    if path.contains("://") {
        return None;
    }
    if !mention.is_absolute() {
        let below = history.below_name(path).filter(|_| mention.is_drawn());
        return below.or(Some(path));
    }
    let below = path.strip_prefix(&*history.root);
    let below = below.and_then(|rest| rest.strip_prefix('/'));
    if let Some(inside) = below.filter(|_| !history.root.is_empty()) {
        return Some(inside);
    }
    let own = format!("/{}/", history.name());
    if let Some(at) = path.rfind(&own).filter(|_| own.len() > 2) {
        return path.get(at + own.len()..);
    }
    // `/docs/a.md` in a link is written from the root.
    let from_root = path.strip_prefix('/');
    from_root.filter(|_| mention.form == Form::Link)
}
