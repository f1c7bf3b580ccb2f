//! Meaning of a file's place: whose tree it is in and which of the system's files it is.

use std::path::{Component, Path};

use super::{instant, scope};
use crate::memory::{Memory, Sight};

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
            scope: scope::GLOBAL.into(),
            file: Tree::Semantic,
        }
    }

    /// The place of a row. One that is seen outside of every tree stands in a file that was given
    /// by its path, and is taken for a fact.
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
                let day = instant::date_days(day).filter(|_| day.len() == 10)?;
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
            Some(folders) => scope::of_folders(folders)?,
            None if inside => return None,
            None => scope::GLOBAL.to_owned(),
        };
        Some(Self { scope, file })
    }

    /// The file of a layer below the store; `day` is the day of an episode, `YYYY-MM-DD`.
    pub fn file(scope: &str, layer: super::Layer, day: &str) -> String {
        let name = match layer {
            super::Layer::Working | super::Layer::Episodic => format!("episodic/{day}"),
            super::Layer::Semantic => "semantic".to_owned(),
            super::Layer::Procedural => "procedural".to_owned(),
        };
        let folder = scope::folder(scope);
        let gap = if folder.is_empty() { "" } else { "/" };
        format!("{folder}{gap}items/{name}.jsonl")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

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
        assert_eq!(
            Place::file(
                "task:a",
                crate::systems::golemcore::Layer::Episodic,
                "2026-01-02"
            ),
            "scopes/task/a/items/episodic/2026-01-02.jsonl"
        );
    }
}
