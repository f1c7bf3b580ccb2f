//! Scopes: `global`, `session:CHANNEL:CONVERSATION`, `goal:CHANNEL:CONVERSATION:GOAL` and
//! `task:TASK`, and the files of their trees (formats: golemcore, "Storage").

use std::path::{Component, Path};

use super::{Layer, java};
use crate::memory::{Memory, Sight};

/// The scope that everybody sees; invalid scopes count as this one.
pub const GLOBAL: &str = "global";

/// Forms of a scope.
pub const FORMS: &str =
    "global, session:CHANNEL:CONVERSATION, goal:CHANNEL:CONVERSATION:GOAL or task:ID";

/// The scope that a text means; anything invalid is the global one.
pub fn normal(text: &str) -> String {
    known(java::trim(text)).unwrap_or_else(|| GLOBAL.to_owned())
}

/// The scope that a text means, where it means one.
pub fn known(text: &str) -> Option<String> {
    if text.eq_ignore_ascii_case(GLOBAL) {
        return Some(GLOBAL.to_owned());
    }
    let (kind, rest) = text.split_once(':')?;
    // The most bytes of each part.
    let limits: &[usize] = match kind {
        "session" => &[CHANNEL, 64],
        "goal" => &[CHANNEL, 64, 128],
        "task" => &[128],
        _ => return None,
    };
    let parts = rest.splitn(limits.len(), ':').zip(limits);
    let parts: Vec<String> = parts.map_while(|(part, most)| token(part, *most)).collect();
    let is_whole = parts.len() == limits.len();
    is_whole.then(|| format!("{kind}:{}", parts.join(":")))
}

/// The scopes that a query reads, nearest first: those asked for, comma-separated, then the
/// global one.
pub fn chain(asked: Option<&str>) -> Vec<String> {
    let mut chain: Vec<String> = Vec::new();
    for scope in asked.unwrap_or_default().split(',') {
        let scope = normal(scope);
        if scope != GLOBAL && !chain.contains(&scope) {
            chain.push(scope);
        }
    }
    chain.push(GLOBAL.to_owned());
    chain
}

fn folder(scope: &str) -> String {
    match scope {
        GLOBAL => String::new(),
        scope => format!("scopes/{}", scope.replace(':', "/")),
    }
}

/// The scope whose tree stands in these folders below the store.
fn of_folders(folders: &[&str]) -> Option<String> {
    match folders {
        [] => Some(GLOBAL.to_owned()),
        ["scopes", rest @ ..] => {
            let scope = rest.join(":");
            // A folder that the system would name otherwise is never read.
            known(&scope).filter(|known| *known == scope && scope != GLOBAL)
        }
        _ => None,
    }
}

/// The most bytes of a channel, which is in lower case.
const CHANNEL: usize = 32;

fn token(text: &str, most: usize) -> Option<String> {
    let text = java::trim(text);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let good = (1..=most).contains(&text.len()) && text.bytes().all(plain);
    good.then(|| match most {
        CHANNEL => text.to_lowercase(),
        _ => text.to_owned(),
    })
}

/// The folder of the files of a tree.
pub const ITEMS: &str = "items";

/// A file that the system reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// `items/episodic/YYYY-MM-DD.jsonl`, by days since 1970.
    Day(i64),
    /// `items/semantic.jsonl`
    Semantic,
    /// `items/procedural.jsonl`
    Procedural,
}

/// Place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The scope whose tree it is in.
    pub scope: String,
    /// Which file it is.
    pub file: Tree,
}

impl Place {
    /// The place of the facts of all scopes.
    pub fn facts() -> Self {
        Self {
            scope: GLOBAL.into(),
            file: Tree::Semantic,
        }
    }

    /// The place of a row. A file that is opened by its path lies in no folder of a layer: its rows
    /// count as facts.
    pub fn of_row(memory: &Memory) -> Option<Self> {
        Self::of(&memory.path).or_else(|| (memory.sight == Sight::Seen).then(Self::facts))
    }

    /// The place of a file, where the system reads it: by the folders next to it, so that the
    /// store may stand anywhere.
    pub fn of(path: &Path) -> Option<Self> {
        let name = |part| match part {
            Component::Normal(name) => Some(name.to_str().unwrap_or("\u{FFFD}")),
            _ => None,
        };
        let parts: Vec<&str> = path.components().filter_map(name).collect();
        let (head, file) = match parts.as_slice() {
            [head @ .., "items", "episodic", name] => {
                let day = name.strip_suffix(".jsonl")?;
                let day = java::date_days(day).filter(|_| day.len() == 10)?;
                (head, Tree::Day(day))
            }
            [head @ .., "items", "semantic.jsonl"] => (head, Tree::Semantic),
            [head @ .., "items", "procedural.jsonl"] => (head, Tree::Procedural),
            _ => return None,
        };
        let at = |n: usize| head.len().checked_sub(n).and_then(|at| head.get(at..));
        let of_kind = |(kind, deep)| {
            let folders = at(deep)?;
            folders.starts_with(&["scopes", kind]).then_some(folders)
        };
        let mut kinds = [("session", 4), ("goal", 5), ("task", 3)].into_iter();
        let folders = kinds.find_map(of_kind);
        // Folders of scopes that name none are never looked into.
        let inside = head.iter().rev().take(4).any(|part| *part == "scopes");
        let scope = match folders {
            Some(folders) => of_folders(folders)?,
            None if inside => return None,
            None => GLOBAL.to_owned(),
        };
        Some(Self { scope, file })
    }

    /// The file of a layer below the store; `day` is the day of an episode, `YYYY-MM-DD`.
    pub fn file(scope: &str, layer: Layer, day: &str) -> String {
        let name = match layer {
            Layer::Working | Layer::Episodic => format!("episodic/{day}"),
            Layer::Semantic => "semantic".to_owned(),
            Layer::Procedural => "procedural".to_owned(),
        };
        let folder = folder(scope);
        let gap = if folder.is_empty() { "" } else { "/" };
        format!("{folder}{gap}items/{name}.jsonl")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn scopes_are_read_as_the_system_does() {
        let long = format!("task:{}", "a".repeat(128));
        let too_long = format!("{long}a");
        for (text, expected) in rows! {
            "" => "global", " GLOBAL\n" => "global", "session:Web:Abc_1" => "session:web:Abc_1",
            " session: Web : a " => "session:web:a", "session:web" => "global",
            "session:web:a:b" => "global", "session::a" => "global", "Session:web:a" => "global",
            "goal:telegram:12:g-1" => "goal:telegram:12:g-1",
            "goal:telegram:12" => "global", "task:t/1" => "global", &long => &long,
            &too_long => "global", "team:x" => "global",
        } {
            assert_eq!(normal(text), expected, "{text}");
        }
        let chain = chain(Some("task:1,session:web:a,global,task:1"));
        assert_eq!(chain, ["task:1", "session:web:a", "global"]);
        assert_eq!(folder("goal:web:a:g"), "scopes/goal/web/a/g");
        let scope = of_folders(&["scopes", "goal", "web", "a", "g"]);
        assert_eq!(scope.as_deref(), Some("goal:web:a:g"));
        assert_eq!(of_folders(&["scopes", "session", "Web", "a"]), None);
        assert_eq!(of_folders(&["archive"]), None);
    }

    #[test]
    fn files_are_known_by_their_place() {
        let of = |path: &str| Place::of(Path::new(path)).map(|place| (place.scope, place.file));
        let known = |scope: &str, file| Some((scope.to_owned(), file));
        for (path, expected) in rows! {
            "/p/memory/items/semantic.jsonl" => known("global", Tree::Semantic),
            "/p/memory/items/episodic/1970-01-02.jsonl" => known("global", Tree::Day(1)),
            "/p/memory/items/episodic/1970-13-02.jsonl" => None,
            "/p/memory/items/episodic/old/1970-01-02.jsonl" => None,
            "/p/memory/items/working.jsonl" => None,
            "/p/memory/scopes/task/t1/items/procedural.jsonl" => known("task:t1", Tree::Procedural),
            "/p/memory/scopes/session/web/a/items/semantic.jsonl" =>
                known("session:web:a", Tree::Semantic),
            "/p/memory/scopes/goal/web/a/g/items/semantic.jsonl" =>
                known("goal:web:a:g", Tree::Semantic),
            "/p/memory/scopes/session/WEB/a/items/semantic.jsonl" => None,
            "/p/memory/scopes/session/web/items/semantic.jsonl" => None,
            "/p/memory/scopes/team/x/items/semantic.jsonl" => None,
        } {
            assert_eq!(of(path), expected, "{path}");
        }
        let file = Place::file("task:a", Layer::Episodic, "2026-01-02");
        assert_eq!(file, "scopes/task/a/items/episodic/2026-01-02.jsonl");
    }
}
