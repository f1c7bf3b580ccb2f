//! Finds the files that tell a model to read a store that no program reads (formats: memory-bank,
//! "The carrier rule").

use std::path::Path;
use std::sync::Arc;

use crate::memory::format::Carriers;
use crate::memory::{Memory, Role, State};
use crate::retrieval::{Limits, Options, Previews, Reason, Task, Texts, Verdict, policy};
use crate::store::Store;
use crate::store::control::{self, Owner};
use crate::store::discover::{folder_name, of_formats};

/// A larger file is no rule.
const LARGEST: usize = 1 << 20;
/// The most files that are told of those that do not count.
const MOST: usize = 5;

/// The files that name a store.
#[derive(Default)]
struct Found {
    /// The file that tells a model to read the store, or the folder of rules that it lies in.
    carrier: Option<String>,
    /// True if the carrier is a folder of rules: its agent loads the store with them.
    is_folder: bool,
    /// When an agent is given the file, where it is not always given.
    when: Option<String>,
    /// The files that name the store and that no agent is given, each with the reason.
    others: Vec<String>,
}

/// A file that names the store: when an agent is given it, where it is not always, or why it never
/// is.
struct Candidate {
    path: String,
    given: Result<Option<String>, String>,
}

/// Adds the carriers of a store below a root to the settings of its system.
pub fn set(
    options: &mut Options,
    (root, store): (&Path, &Path),
    carriers: &Carriers,
    previews: &dyn Previews,
) {
    let found = find(root, store, carriers, previews);
    options.set("carrier", found.carrier.unwrap_or_default());
    if found.is_folder {
        options.set("carrier-is-folder", "true");
    }
    if let Some(when) = found.when {
        options.set("carrier-when", when);
    }
    options.set("not-carriers", found.others.join("\n"));
    let core = carriers.core.iter().map(|names| names.join(" "));
    options.set("core", core.collect::<Vec<_>>().join("\n"));
}

/// Finds the carrier of a store. A file counts only if its own system gives it to an agent.
fn find(root: &Path, store: &Path, carriers: &Carriers, previews: &dyn Previews) -> Found {
    let folders = carriers.files.iter();
    let mut folders = folders.filter_map(|place| place.strip_suffix("/*"));
    if let Some(folder) = folders.find(|folder| store.starts_with(root.join(folder))) {
        return Found {
            carrier: Some(folder.to_owned()),
            is_folder: true,
            ..Found::default()
        };
    }
    let stores = of_formats(root, &carriers.formats);
    let mut all: Vec<Candidate> = Vec::new();
    for store in stores {
        all.extend(of_store(&*store, root, carriers, previews));
    }
    all.extend(plain(root, carriers));
    let is_always = |one: &&Candidate| one.given == Ok(None);
    let chosen = all.iter().find(is_always);
    let chosen = chosen.or_else(|| all.iter().find(|one| one.given.is_ok()));
    let other = |one: &Candidate| {
        let why = one.given.as_ref().err()?;
        Some(format!(
            "{} names this folder and does not count: {why}",
            one.path
        ))
    };
    Found {
        carrier: chosen.map(|one| one.path.clone()),
        when: chosen.and_then(|one| one.given.clone().ok().flatten()),
        others: all.iter().filter_map(other).take(MOST).collect(),
        is_folder: false,
    }
}

fn is_named(text: &str, carriers: &Carriers) -> bool {
    let text = text.to_lowercase();
    carriers.words.iter().any(|word| text.contains(word))
}

/// The files of a store that name ours, by what its own policy does with them.
fn of_store(
    store: &dyn Store,
    root: &Path,
    carriers: &Carriers,
    previews: &dyn Previews,
) -> Vec<Candidate> {
    let Some(policy) = policy(store.info().policy()) else {
        return Vec::new();
    };
    let memories = Arc::new(store.load(&[], &mut |_| true).memories);
    let limits = Limits {
        options: store.settings(root).unwrap_or_default(),
        ..Limits::default()
    };
    // A file that no pattern is for: what patterns attach is told from what nothing attaches.
    let task = Task {
        files: vec!["\0".to_owned()],
        ..Task::default()
    };
    let texts = Own(store);
    let wanted: Vec<usize> = (0..memories.len()).collect();
    let scorer = previews.build(policy, memories.clone());
    let verdicts = scorer.verdicts(&task, &limits, &wanted, &texts);
    let candidate = |(memory, verdict): (&Arc<Memory>, Verdict)| {
        let is_rule = memory.state == State::Active && memory.span.len() <= LARGEST;
        let text = is_rule.then(|| texts.text(memory)).flatten()?;
        is_named(&text, carriers).then(|| Candidate {
            path: folder_name(&memory.path, root),
            given: given(memory, verdict, &texts, carriers),
        })
    };
    memories
        .iter()
        .zip(verdicts)
        .filter_map(candidate)
        .collect()
}

/// When an agent is given a rule that names the store, or why it never is.
fn given(
    memory: &Memory,
    verdict: Verdict,
    texts: &dyn Texts,
    carriers: &Carriers,
) -> Result<Option<String>, String> {
    let when = match verdict.reason {
        Reason::Selected => None,
        Reason::NoMatch | Reason::Reachable => verdict.hint,
        reason => return Err(verdict.hint.unwrap_or_else(|| reason.word().to_owned())),
    };
    let about = memory.role(Role::Description);
    let about = about.filter(|_| verdict.reason == Reason::Reachable);
    let about = about.map(ToString::to_string).unwrap_or_default();
    let body = texts.loader_body(memory).unwrap_or_default();
    match is_named(&body, carriers) || is_named(&about, carriers) {
        true => Ok(when),
        false => Err("only its fields or comments do, which no agent is given".to_owned()),
    }
}

/// The files of no format that name the store.
fn plain(root: &Path, carriers: &Carriers) -> Vec<Candidate> {
    let places = carriers.files.iter();
    let paths = places.flat_map(|place| super::context::expanded(root, place));
    let candidate = |path: std::path::PathBuf| {
        let bytes = control::bytes(&path, Owner::Person, control::LARGEST).ok()??;
        is_named(&String::from_utf8_lossy(&bytes), carriers).then(|| Candidate {
            path: folder_name(&path, root),
            given: Ok(None),
        })
    };
    paths.filter_map(candidate).collect()
}

/// The texts of one store.
struct Own<'a>(&'a dyn Store);

impl Own<'_> {
    fn text_of(bytes: Vec<u8>) -> String {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Texts for Own<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        let text = self.0.text(memory).ok()?;
        Some(Self::text_of(self.0.extras().body_of(memory, &text)))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        Some(Self::text_of(self.0.loader_body(memory).ok()?))
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        Some(Self::text_of(self.0.text(memory).ok()?))
    }
}
