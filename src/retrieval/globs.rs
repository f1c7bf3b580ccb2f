//! Rules that are attached by patterns of files: Cursor, Copilot, Kiro, Windsurf and others.

mod patterns;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use itertools::Itertools as _;

use self::patterns::{Dialect, Pattern};
pub use self::patterns::{MAY_CUT, dead_globs, in_one_line};
use super::listing::{Ask, Judged, ListedScorer, Listing, bodies, listed, out};
use super::{Match, Options, Policy, Reason, StoreFault, Texts};
use crate::memory::link::joined;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Severity, Sight, State, Value, plural};

/// The policy.
pub static GLOBS: Policy = Policy {
    dialects: &["cursor", "vscode", "github", "kiro", "windsurf", "plain"],
    flags: &["file"],
    faults,
    ..listed("globs", |memories| {
        Box::new(ListedScorer(memories, &GLOBS, |memories, ask| {
            Box::new(Globs::new(memories, ask))
        }))
    })
};

struct Globs<'a> {
    ask: &'a Ask<'a>,
    linked: Linked,
    /// The files that only imports load, by LOCAL; see [`imported`].
    imported: BTreeMap<String, Option<String>>,
}

/// Why memories are left out.
const DESCRIBED: &str = "the model sees its description and may read it";
const NOT_DESCRIBED: &str = "the model chooses it by its description, and it has none";
const TEXT_ONLY: &str =
    "it is attached by hand only: the first line is not `---`, so its fields are text";
const BY_HAND: &str =
    "it is attached by hand only: it has neither patterns nor a description that counts";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Always,
    Glob,
    Description,
    Manual,
}

/// True if the value that a memory has for a role is not blank.
fn has(memory: &Memory, role: Role) -> bool {
    let items = memory.role(role).into_iter().flat_map(Value::items);
    let mut texts = items.map(ToString::to_string);
    texts.any(|text| !text.trim().is_empty() && text.trim() != "[]")
}

/// How a system attaches a memory: what its field says, else what its other fields allow.
fn mode(memory: &Memory, options: &Options) -> Mode {
    let whole = options.get("whole");
    if whole.is_some_and(|name| *memory.id.local == *name) {
        return Mode::Always;
    }
    if memory.sight == Sight::TextOnly {
        return Mode::Manual;
    }
    // A quoted `true` is a text, and no system takes it for the switch.
    let is_switch = memory.schema.role(Role::Mode);
    let is_switch = is_switch.is_some_and(|spec| spec.kind == Kind::Bool);
    let said = memory.role(Role::Mode);
    let said = said.filter(|value| !is_switch || matches!(value, Value::Bool(_)));
    let said = said.map(ToString::to_string);
    let said = said.filter(|said| !said.is_empty());
    let said = said.as_deref().or_else(|| options.get("otherwise"));
    let named = [
        ("always", Mode::Always),
        ("glob", Mode::Glob),
        ("description", Mode::Description),
        ("manual", Mode::Manual),
    ];
    let named = named.into_iter().find(|(name, _)| {
        let own = options.get(name);
        own.is_some() && own == said
    });
    match named {
        Some((_, mode)) => mode,
        None if has(memory, Role::Patterns) => Mode::Glob,
        None if has(memory, Role::Description) => Mode::Description,
        None if options.get("bare") == Some("always") => Mode::Always,
        None => Mode::Manual,
    }
}

fn alone(memory: &Memory, ask: &Ask<'_>) -> Judged {
    let described = has(memory, Role::Description);
    let (reason, hint) = match mode(memory, &ask.asked.limits.options) {
        Mode::Always => match unmet_folder(memory, ask) {
            None => return Ok(None),
            Some(folder) => {
                let why = format!("a file below {folder} loads it (--file PATH)");
                return out(Reason::NotApplicable, why);
            }
        },
        Mode::Glob => return by_patterns(memory, ask),
        Mode::Description if described => (Reason::Reachable, DESCRIBED),
        Mode::Description => (Reason::NotApplicable, NOT_DESCRIBED),
        Mode::Manual if memory.sight == Sight::TextOnly => (Reason::NotApplicable, TEXT_ONLY),
        Mode::Manual => {
            let patterns = memory.role(Role::Patterns);
            let dialect = Dialect::of(ask.dialect);
            match patterns.and_then(|value| dialect.patterns(value).err()) {
                Some(why) => (Reason::Invalid, why),
                None => (Reason::NotApplicable, BY_HAND),
            }
        }
    };
    out(reason, hint)
}

/// The folder that a file of the task has to be in to bring a memory in, if none is.
fn unmet_folder<'a>(memory: &Memory, ask: &'a Ask<'_>) -> Option<&'a str> {
    let lines = ask.setting("below")?.lines();
    let mut folders = lines.filter_map(|line| line.split_once('\t'));
    let (_, folder) = folders.find(|(local, _)| *memory.id.local == **local)?;
    let mut files = ask.asked.task.files.iter();
    let is_met = files.any(|file| Path::new(file.trim_start_matches("./")).starts_with(folder));
    (!is_met).then_some(folder)
}

fn by_patterns(memory: &Memory, ask: &Ask<'_>) -> Judged {
    let value = memory.role(Role::Patterns);
    let patterns = match value.map(|value| Dialect::of(ask.dialect).patterns(value)) {
        None => return out(Reason::NotApplicable, "it has no patterns of files"),
        Some(Err(why)) => return out(Reason::Invalid, why),
        Some(Ok(patterns)) => patterns,
    };
    let files = &ask.asked.task.files;
    let hit = |pattern: &Pattern| {
        let glob = pattern.glob.as_ref().ok()?;
        let mut files = files.iter();
        let fits = |file: &&String| glob.is_match(file.trim_start_matches("./").as_bytes());
        match pattern.is_all {
            true => Some("every file".to_owned()),
            false => files.find(fits).cloned(),
        }
    };
    for pattern in &patterns {
        if let Some(hit) = hit(pattern) {
            return Ok(Some(Match {
                pattern: pattern.text.clone(),
                kind: "glob",
                hit,
            }));
        }
    }
    let mut dead = patterns.iter().map(|pattern| pattern.glob.as_ref().err());
    if let Some(Some(why)) = dead.next().filter(|_| dead.all(|why| why.is_some())) {
        return out(Reason::Invalid, why.clone());
    }
    let texts = patterns.iter().map(|pattern| &pattern.text).join("`, `");
    let wanted = format!("a file that matches `{texts}` attaches it");
    match files.is_empty() {
        true => out(Reason::NotApplicable, format!("{wanted} (--file PATH)")),
        false => out(Reason::NoMatch, wanted),
    }
}

impl<'a> Globs<'a> {
    fn new(memories: &[&Memory], ask: &'a Ask<'a>) -> Self {
        let is_attached = |memory: &Memory| alone(memory, ask).is_ok();
        let is_loaded = |local: &str| {
            let mut all = memories.iter();
            all.any(|one| *one.id.local == *local && one.hidden.is_none() && is_attached(one))
        };
        let linked = match ask.dialect {
            "vscode" => Linked::from_files(memories, is_attached, ask.asked.texts),
            _ => Linked::default(),
        };
        Self {
            ask,
            linked,
            imported: imported(ask.setting("imports").unwrap_or_default(), is_loaded),
        }
    }
}

impl Listing for Globs<'_> {
    fn judge(&self, memory: &Memory) -> Judged {
        let judged = match self.imported.get(&*memory.id.local) {
            Some(Some(from)) => {
                let why = format!("{from} imports it and is not loaded");
                out(Reason::NotApplicable, why)
            }
            Some(None) => Ok(None),
            None => alone(memory, self.ask),
        };
        let link = self.linked.to(memory).map(|from| Match {
            pattern: memory.id.local.to_string(),
            kind: "link",
            hit: from.to_owned(),
        });
        judged.or_else(|why| link.map(Some).ok_or(why))
    }

    fn notes(&self) -> Vec<String> {
        let note = |(from, path): &(Box<str>, String)| {
            format!(
                "{from} links to {path}, which VS Code attaches too where it is in the workspace"
            )
        };
        self.linked.others.iter().map(note).collect()
    }

    fn prompt(&self, selected: &[&Memory]) -> String {
        let texts = self.ask.asked.texts;
        if self.ask.dialect != "vscode" {
            return bodies(selected, texts);
        }
        // The whole file, fields included; the same text is given once.
        let text = |memory: &&Memory| texts.text(memory).unwrap_or_default().trim().to_owned();
        let given = selected
            .iter()
            .map(|memory| (text(memory), memory.path.display()));
        let given = given.unique_by(|(text, _)| text.clone());
        let mut parts = given
            .map(|(text, path)| format!("<attachment filePath=\"{path}\">\n{text}\n</attachment>"));
        parts.join("\n")
    }
}

/// Reports files that the model can never choose, for they have no description.
fn faults(memories: &[(usize, &Memory)], options: &Options, _texts: &dyn Texts) -> Vec<StoreFault> {
    let is_vscode = options.get("dialect") == Some("vscode");
    let is_bare = |memory: &Memory| match mode(memory, options) {
        Mode::Manual => is_vscode && memory.role(Role::Patterns).is_none(),
        Mode::Description => !has(memory, Role::Description),
        _ => false,
    };
    let bare = memories
        .iter()
        .filter(|(_, one)| one.hidden.is_none() && is_bare(one));
    let Some((first, _)) = bare.clone().next() else {
        return Vec::new();
    };
    let names = bare.map(|(_, memory)| format!("`{}`", memory.id.local));
    let evidence: Vec<String> = names.collect();
    let has = if evidence.len() == 1 { "has" } else { "have" };
    let many = format!("{} {has}", plural(evidence.len(), "file"));
    vec![StoreFault {
        rule: "missing-field",
        severity: Severity::Info,
        memory: *first,
        message: match is_vscode {
            true => format!(
                "{many} neither patterns nor a description: attached only by hand or by a link"
            ),
            false => format!("{many} no description for the model to choose by"),
        },
        evidence,
    }]
}

/// Files that attached files link to (formats: copilot, "What is injected").
#[derive(Default)]
struct Linked {
    /// The memory that links to each of these, by LOCAL.
    memories: BTreeMap<Box<str>, Box<str>>,
    /// Links to files that are no memories: the memory that links, and the path as it is written.
    others: BTreeSet<(Box<str>, String)>,
}

impl Linked {
    /// Files that these files link to, directly or through each other.
    fn from_files(
        memories: &[&Memory],
        is_attached: impl Fn(&Memory) -> bool,
        texts: &dyn Texts,
    ) -> Self {
        let active = memories.iter().filter(|one| one.state == State::Active);
        let seen = active.filter(|one| one.hidden.is_none());
        let by_path: HashMap<&Path, &Memory> = seen.map(|one| (&*one.path, *one)).collect();
        let attached = memories.iter().copied();
        let attached = attached.filter(|one| by_path.contains_key(&*one.path) && is_attached(one));
        let mut open: Vec<&Memory> = attached.collect();
        let mut known: BTreeSet<&str> = open.iter().map(|one| &*one.id.local).collect();
        let mut linked = Self::default();
        while let Some(from) = open.pop() {
            let body = texts.body(from).unwrap_or_default();
            let Some(folder) = from.path.parent() else {
                continue;
            };
            for path in paths(&body) {
                let target = joined(folder, path);
                let Some(to) = by_path.get(&*target) else {
                    let other = (from.id.local.clone(), path.to_owned());
                    let others = texts.is_file(&target).then_some(other);
                    linked.others.extend(others);
                    continue;
                };
                if known.insert(&to.id.local) {
                    let (to_local, from) = (to.id.local.clone(), from.id.local.clone());
                    linked.memories.insert(to_local, from);
                    open.push(to);
                }
            }
        }
        linked
    }

    /// The memory because of whose link one is attached.
    fn to(&self, memory: &Memory) -> Option<&str> {
        self.memories.get(&memory.id.local).map(|from| &**from)
    }
}

/// The relative paths that a text links to: `[text](path)`, no images, and `#file:path`.
fn paths(text: &str) -> Vec<&str> {
    let links = text.match_indices("](").filter_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + 2..)?);
        let open = before.rfind('[')?;
        let is_image = before.get(..open)?.ends_with('!');
        after.get(..after.find(')')?).filter(|_| !is_image)
    });
    let files = text.match_indices("#file:").filter_map(|(at, mark)| {
        let after = text.get(at + mark.len()..)?;
        after.split(char::is_whitespace).next()
    });
    let path = |link: &'_ str| link.split(['#', '?', ' ', '\n']).next().map(str::len);
    let all = links
        .chain(files)
        .filter_map(|link| link.get(..path(link)?));
    let is_path = |path: &&str| !path.is_empty() && !path.contains(':');
    all.filter(is_path).collect()
}

/// The files that only imports load (formats: claude, "Imports"), by LOCAL, each with a file that imports it; none where one of
/// these is loaded. Each line names an import: LOCAL of the imported and of the importing file.
fn imported(lines: &str, is_loaded: impl Fn(&str) -> bool) -> BTreeMap<String, Option<String>> {
    let pairs = || lines.lines().filter_map(|line| line.split_once('\t'));
    let waits = pairs().map(|(to, from)| (to.to_owned(), Some(from.to_owned())));
    let mut all: BTreeMap<String, Option<String>> = waits.collect();
    // An import of an import is one step further.
    for _ in 0..all.len() {
        let is_given = |from: &str| match all.get(from) {
            Some(waits) => waits.is_none(),
            None => is_loaded(from),
        };
        let given = pairs().filter(|(_, from)| is_given(from));
        let given: Vec<(String, Option<String>)> =
            given.map(|(to, _)| (to.to_owned(), None)).collect();
        all.extend(given);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_are_paths_and_pictures_are_not() {
        let text = "[a](b.md#c) ![p](p.png) [u](https://x.y/z) #file:d/e.ts and [t](#top) [x](\n";
        assert_eq!(paths(text), ["b.md", "d/e.ts"]);
        let folder = Path::new("/r/.github/instructions");
        assert_eq!(joined(folder, "../../a.md"), Path::new("/r/a.md"));
    }

    #[test]
    fn an_import_goes_with_what_imports_it() {
        let lines = "b\ta\nc\tb\nd\tx\nd\tc\ne\tx\nf\tg\ng\tf";
        let all = imported(lines, |local| local == "a");
        let waits = |from: &str| Some(Some(from.to_owned()));
        for (local, expected) in [
            ("a", None),
            ("b", Some(None)),
            ("c", Some(None)),
            ("d", Some(None)),
            ("e", waits("x")),
            ("f", waits("g")),
        ] {
            assert_eq!(all.get(local), expected.as_ref(), "{local}");
        }
    }
}
