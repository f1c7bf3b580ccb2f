//! Files that tell a model to read a store that no program reads (formats: memory-bank).

use std::path::Path;
use std::sync::Arc;

use crate::memory::format::Carriers;
use crate::memory::{Memory, Role, State};
use crate::retrieval::{Limits, Options, Previews, Reason, Task, Texts, Verdict};
use crate::store::Store;
use crate::store::control::{self, Owner};
use crate::store::discover::{folder_name, of_formats};
use crate::systems::policy;

/// A larger file is no rule.
const LARGEST: usize = 1 << 20;
/// The most files that are told of those that do not count.
const MOST: usize = 5;

/// When an agent is given a file, where it is not always, or why it never is.
type Given = Result<Option<String>, String>;

/// Adds the carriers of a store to its settings: files that name it and that agents are given.
pub fn set(
    options: &mut Options,
    (root, store): (&Path, &Path),
    carriers: &Carriers,
    previews: &dyn Previews,
) {
    let core = carriers.core.iter().map(|names| names.join(" "));
    options.set("core", core.collect::<Vec<_>>().join("\n"));
    // A store in a folder of rules is loaded with them.
    let mut folders = (carriers.files.iter()).filter_map(|place| place.strip_suffix("/*"));
    if let Some(folder) = folders.find(|folder| store.starts_with(root.join(folder))) {
        options.set("carrier", folder);
        options.set("carrier-is-folder", "true");
        options.set("not-carriers", "");
        return;
    }
    let mut all: Vec<(String, Given)> = Vec::new();
    for store in of_formats(root, &carriers.formats) {
        all.extend(of_store(&*store, root, carriers, previews));
    }
    all.extend(plain(root, carriers));
    let is_given = |(_, given): &&(String, Given)| given.is_ok();
    let chosen = all.iter().filter(is_given);
    let chosen = chosen.min_by_key(|(_, given)| *given != Ok(None));
    options.set("carrier", chosen.map_or("", |(path, _)| path));
    if let Some((_, Ok(Some(when)))) = chosen {
        options.set("carrier-when", when);
    }
    let other = |(path, given): &(String, Given)| {
        let why = given.as_ref().err()?;
        Some(format!(
            "{path} names this folder and does not count: {why}"
        ))
    };
    let others: Vec<String> = all.iter().filter_map(other).take(MOST).collect();
    options.set("not-carriers", others.join("\n"));
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
) -> Vec<(String, Given)> {
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
        let given = || given(memory, verdict, &texts, carriers);
        is_named(&text, carriers).then(|| (folder_name(&memory.path, root), given()))
    };
    let all = memories.iter().zip(verdicts);
    all.filter_map(candidate).collect()
}

/// When an agent is given a rule that names the store, or why it never is.
fn given(memory: &Memory, verdict: Verdict, texts: &dyn Texts, carriers: &Carriers) -> Given {
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
fn plain(root: &Path, carriers: &Carriers) -> Vec<(String, Given)> {
    let places = carriers.files.iter();
    let paths = places.flat_map(|place| super::context::expanded(root, place));
    let candidate = |path: std::path::PathBuf| {
        let bytes = control::bytes(&path, Owner::Person, control::LARGEST).ok()??;
        let is_it = is_named(&String::from_utf8_lossy(&bytes), carriers);
        is_it.then(|| (folder_name(&path, root), Ok(None)))
    };
    paths.filter_map(candidate).collect()
}

struct Own<'a>(&'a dyn Store);

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Texts for Own<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        let text = self.0.text(memory).ok()?;
        Some(text_of(&self.0.body_of(memory, &text)))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        Some(text_of(&self.0.loader_body(memory).ok()?))
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        Some(text_of(&self.0.text(memory).ok()?))
    }
}
