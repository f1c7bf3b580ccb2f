//! Memories that say what the project's own documents say.

use super::chars::quote;
use super::pairs::{common, shingles};
use super::repository::Project;
use super::{Finding, Look, Rule};
use crate::memory::Severity;

/// The documents that an agent reads anyway, or a person points it to.
const NAMES: &[&str] = &[
    "README.md",
    "README",
    "README.rst",
    "CLAUDE.md",
    "AGENTS.md",
];
/// Documents that are read.
const MOST: usize = 40;
/// Shingles of three words below which a body is too short to repeat something.
const FEWEST: usize = 4;
/// Shingles below which it has to stand there word for word.
const FEW: usize = 10;
/// The share of a body's shingles that stand in one document: as much as makes one memory
/// contained in another.
const SHARE: f64 = 0.7;

/// A memory that a document of the project says too.
pub(super) struct RepeatsDocs;

/// What the documents say.
#[derive(Default, Hash)]
pub(super) struct Documents(Vec<(String, Vec<u32>)>);

impl Documents {
    /// Reads the documents of a project.
    pub(super) fn read(project: &dyn Project) -> Self {
        let mut paths: Vec<String> = match project.history() {
            Ok(history) => {
                let named = NAMES.iter().flat_map(|name| history.named(name));
                named
                    .filter(|path| is_own(path))
                    .map(str::to_owned)
                    .collect()
            }
            Err(_) => NAMES.iter().map(|name| (*name).to_owned()).collect(),
        };
        // The nearest to the root are read by most.
        paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
        let read = |path: String| {
            let (said, _) = shingles(&project.read(&path)?);
            Some((path, said))
        };
        Self(paths.into_iter().take(MOST).filter_map(read).collect())
    }
}

/// Whether a document is the project's, and no package's that lies in it.
fn is_own(path: &str) -> bool {
    const FOREIGN: [&str; 4] = ["node_modules", "vendor", "target", "third_party"];
    !path.split('/').any(|part| FOREIGN.contains(&part))
}

impl Rule for RepeatsDocs {
    fn id(&self) -> &'static str {
        "repeats-docs"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a memory that README, CLAUDE.md or AGENTS.md says already"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let documents = look.facts.documents(look.cx);
        if documents.0.is_empty() {
            return;
        }
        let (start, body) = look.body();
        let (said, _) = shingles(body);
        if said.len() < FEWEST {
            return;
        }
        let shared = documents
            .0
            .iter()
            .map(|(path, document)| (common(&said, document), path));
        // The first of several that say as much.
        let best = shared.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let Some((shared, path)) =
            best.map(|(shared, path)| (count(shared) / count(said.len()), path))
        else {
            return;
        };
        let is_it = look.memory.path.ends_with(path);
        let least = if said.len() < FEW { 1.0 } else { SHARE };
        if shared < least || is_it {
            return;
        }
        let finding = look.finding(self.id(), self.severity(), look.at(start));
        let percent = (shared * 100.0).round();
        out.push(
            finding
                .sure(0.6 + 0.35 * shared.min(1.0))
                .says(format!("{} says this already", quote(path)))
                .because(format!("{percent}% of its wording stands there")),
        );
    }
}
