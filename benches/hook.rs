//! How well `memkeep hook` finds what a prompt is about, and the table of words that it goes by:
//!
//! ```text
//! cargo bench --bench hook -- --set PROMPTS.jsonl --stores FOLDER --corpus FOLDER --texts FOLDER [--write]
//! ```
//!
//! `--set`: prompts with the store and repository they are put to, and the ids they need (`must`) or
//! may be given (`may`). `--stores`: the folder of those stores. `--corpus`: public memories, a folder
//! a kind and in it a folder a repository. `--texts`: other public texts, a folder a language or kind:
//! manual pages, handbooks, fortune files, README files. `--write` writes the table,
//! `assets/hybrid/word-shares.txt`; only counts of texts go into it.
//!
//! Each store is measured with a table in which its own repository is not counted.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/rows.rs"]
mod rows;
#[path = "support/texts.rs"]
mod texts;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::memory::{Memory, Timestamp};
use memkeep::retrieval::hybrid::about::{About, FLOOR, Ranked, handed_out};
use memkeep::retrieval::hybrid::words;
use memkeep::retrieval::hybrid::{Background, UNKNOWN};
use memkeep::retrieval::{Snapshot, Task};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use rows::{rows, text};
use serde_json::Value as Json;
use texts::{argument, files, folders};

/// What must hold on prompts of other repositories: hits, false answers, what is right of all given.
const MUST: (f64, f64, f64) = (0.45, 0.06, 0.45);

/// Words in front of a prompt that must not take a hit away.
const BEFORE: &str = "hey, can you take a look when you have a minute:";

/// Words of a text that count as one document, so that long texts and short ones weigh alike.
const DOCUMENT: usize = 400;

/// Documents that a word has to stand in.
const LEAST: u32 = 3;

/// Bytes of a text that are counted.
const MOST: usize = 40_000;

/// Documents by the words they have.
#[derive(Default)]
struct Counts {
    documents: u32,
    words: HashMap<String, u32>,
}

impl Counts {
    /// Adds the documents of a text; a rest that is too short to be compared is left out.
    fn add(&mut self, text: &str) {
        let end = memkeep::text::cut(text, MOST).len();
        let language = words::language(text);
        let mut document = HashSet::new();
        let (mut count, mut is_first) = (0, true);
        let runs = words::runs(&text[..end]).map(Some).chain([None]);
        for run in runs {
            if count >= DOCUMENT || run.is_none() && (is_first || count > DOCUMENT / 4) {
                self.documents += 1;
                for word in document.drain() {
                    *self.words.entry(word).or_default() += 1;
                }
                (count, is_first) = (0, false);
            }
            let Some(run) = run else { break };
            let terms = words::terms(run, language).into_iter();
            document.extend(terms.map(|term| term.stem));
            // A run without blanks is several words.
            count += if run.is_ascii() {
                1
            } else {
                run.chars().count().div_ceil(3)
            };
        }
    }
}

/// The level of a share of texts: each halves the share of the one before the last.
fn level(share: f64) -> u8 {
    (-2.0 * share.log2()).round().clamp(0.0, f64::from(UNKNOWN)) as u8
}

/// The counts of every kind of text; those of memories by repository too.
struct Counted {
    kinds: Vec<Counts>,
    repositories: BTreeMap<String, Counts>,
}

impl Counted {
    fn new(corpus: &Path, texts: &Path) -> Self {
        let mut kinds: Vec<Counts> = Vec::new();
        for folder in folders(texts) {
            let mut counts = Counts::default();
            files(&folder, &mut |text| counts.add(text));
            kinds.push(counts);
        }
        let mut repositories: BTreeMap<String, Counts> = BTreeMap::new();
        for folder in folders(corpus).iter().flat_map(|kind| folders(kind)) {
            let name = folder.file_name().unwrap().to_str().unwrap();
            let counts = repositories.entry(name.to_owned()).or_default();
            files(&folder, &mut |text| counts.add(text));
        }
        Self {
            kinds,
            repositories,
        }
    }

    /// The lines of the table, one repository left out: each word with the level of its largest share.
    fn table(&self, without: &str) -> String {
        let mut memories = Counts::default();
        for (name, counts) in &self.repositories {
            if name != without {
                memories.documents += counts.documents;
                for (word, count) in &counts.words {
                    *memories.words.entry(word.clone()).or_default() += count;
                }
            }
        }
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for counts in self.kinds.iter().chain([&memories]) {
            let documents = f64::from(counts.documents + 20);
            for (word, count) in &counts.words {
                let is_number = word.len() > 4 && word.contains(char::is_numeric);
                if *count >= LEAST && word.len() <= 24 && !is_number {
                    let share = shares.entry(word).or_default();
                    *share = share.max(f64::from(*count) / documents);
                }
            }
        }
        let levels = shares.iter().map(|(word, share)| (word, level(*share)));
        let known = levels.filter(|(_, level)| *level < UNKNOWN);
        let lines = known.map(|(word, level)| format!("{word}{}\n", char::from(b'a' + level)));
        lines.collect()
    }
}

/// A store in a folder of its own, its memories by store.
struct Place {
    _folder: tempfile::TempDir,
    collection: Collection,
    stores: Vec<Snapshot>,
    background: Background,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => fs::write(target, fs::read(entry.path()).unwrap()).unwrap(),
        }
    }
}

impl Place {
    fn new(stores: &Path, row: &Json, counted: &Counted) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let store = text(row, "store");
        let parts: Vec<&str> = store.split('/').collect();
        let own = parts.iter().position(|part| part.starts_with('.'));
        let below = match own {
            Some(at) => parts[at..].join("/"),
            None if parts.last() == Some(&"memory-bank") => "memory-bank".to_owned(),
            None => parts[2..].join("/"),
        };
        copy(&stores.join(&store), &root.join(&below));
        let format = Some(text(row, "as")).filter(|format| !format.is_empty());
        let search = Search {
            root: Some(root.clone()),
            paths: format.iter().map(|_| root.join(&below)).collect(),
            format,
            start: root.clone(),
            ..Search::default()
        };
        let collection = Collection::open(&search, &root.join("state")).unwrap();
        let mut by_store: BTreeMap<String, Vec<Arc<Memory>>> = BTreeMap::new();
        for memory in collection.load(&[], &mut |_| true).memories {
            if &*memory.id.local != "MEMORY" {
                let store = memory.id.store.to_string();
                by_store.entry(store).or_default().push(memory);
            }
        }
        let repository = text(row, "repo").replace('/', "__");
        let table = counted.table(&repository).into_boxed_str();
        Self {
            _folder: folder,
            collection,
            stores: by_store.into_values().map(Arc::new).collect(),
            background: Background::new(Box::leak(table)),
        }
    }

    /// The memories by evidence, best first, and how many of them are handed out.
    fn ask(&self, prompt: &str) -> (Vec<String>, usize) {
        let task = Task {
            text: prompt.to_owned(),
            now: Timestamp(0),
            ..Task::default()
        };
        let mut all: Vec<(About, String)> = Vec::new();
        for store in &self.stores {
            let ranked = Ranked::new(store, &task, &self.collection, self.background);
            let name = |at: usize| {
                let local = store[at].id.local.to_string();
                local.rsplit('/').next().unwrap().to_owned()
            };
            all.extend(ranked.all.iter().map(|about| (*about, name(about.memory))));
        }
        all.sort_by(|one, other| other.0.evidence.total_cmp(&one.0.evidence));
        let given = handed_out(all.iter().map(|(about, _)| *about));
        (all.into_iter().map(|(_, name)| name).collect(), given)
    }
}

/// Sums over some prompts.
#[derive(Default)]
struct Sums {
    needing: usize,
    hits: usize,
    firm: usize,
    needless: usize,
    wrong: usize,
    given: usize,
    right: usize,
    gain: f64,
}

impl Sums {
    fn add(&mut self, row: &Json, place: &Place) {
        let ids = |key: &str| -> BTreeSet<String> {
            let ids = row[key].as_array().into_iter().flatten();
            ids.filter_map(Json::as_str).map(str::to_owned).collect()
        };
        let (must, may) = (ids("must"), ids("may"));
        let prompt = text(row, "prompt");
        let (ranked, given) = place.ask(&prompt);
        let given = &ranked[..given];
        let helps = |id: &&String| must.contains(*id) || may.contains(*id);
        self.given += given.len();
        self.right += given.iter().filter(helps).count();
        if must.is_empty() {
            self.needless += 1;
            self.wrong += usize::from(!given.is_empty());
            return;
        }
        self.needing += 1;
        if given.iter().any(|id| must.contains(id)) {
            self.hits += 1;
            let (ranked, given) = place.ask(&format!("{BEFORE} {prompt}"));
            self.firm += usize::from(ranked[..given].iter().any(|id| must.contains(id)));
        }
        let worth = |(at, gain): (usize, f64)| gain / (at as f64 + 2.0).log2();
        let gain = |id: &String| match (must.contains(id), may.contains(id)) {
            (true, _) => 2.0,
            (_, true) => 1.0,
            _ => 0.0,
        };
        let found: f64 = ranked.iter().take(5).map(gain).enumerate().map(worth).sum();
        let best = must.iter().map(|_| 2.0).chain(may.iter().map(|_| 1.0));
        self.gain += found / best.take(5).enumerate().map(worth).sum::<f64>();
    }

    fn print(&self, name: &str) -> (f64, f64, f64) {
        let part = |count: usize, all: usize| count as f64 / all.max(1) as f64;
        let rates = (
            part(self.hits, self.needing),
            part(self.wrong, self.needless),
            part(self.right, self.given),
        );
        println!(
            "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.3} |",
            self.needing + self.needless,
            rates.0,
            rates.1,
            rates.2,
            part(self.firm, self.hits),
            self.gain / self.needing.max(1) as f64
        );
        rates
    }
}

fn main() {
    let folder = |name: &str| argument(name).map(PathBuf::from);
    let (Some(corpus), Some(texts)) = (folder("--corpus"), folder("--texts")) else {
        println!(
            "skipped: cargo bench --bench hook -- --set FILE --stores FOLDER --corpus FOLDER --texts FOLDER"
        );
        return;
    };
    let counted = Counted::new(&corpus, &texts);
    if std::env::args().any(|arg| arg == "--write") {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/hybrid/word-shares.txt");
        fs::write(table, counted.table("")).unwrap();
    }
    let (Some(set), Some(stores)) = (folder("--set"), folder("--stores")) else {
        return;
    };
    let mut places: HashMap<String, Place> = HashMap::new();
    let mut groups: BTreeMap<String, Sums> = BTreeMap::new();
    let mut all = Sums::default();
    for row in &rows(&set) {
        let place = places.entry(text(row, "store"));
        let place = place.or_insert_with(|| Place::new(&stores, row, &counted));
        all.add(row, place);
        let language = format!("{} in {}", text(row, "lang"), text(row, "store_lang"));
        for group in [language, text(row, "kind"), text(row, "store")] {
            groups.entry(group).or_default().add(row, place);
        }
    }
    println!(
        "| floor {FLOOR} | prompts | hit | false | right | stay | nDCG@5 |\n|---|---|---|---|---|---|---|"
    );
    for (name, sums) in &groups {
        sums.print(name);
    }
    let (hit, wrong, right) = all.print("all");
    assert!(
        hit >= MUST.0 && wrong <= MUST.1 && right >= MUST.2,
        "below {MUST:?}"
    );
}
