//! What the program does inside: `cargo bench --bench work`.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/store.rs"]
mod store;

use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use memkeep::lint::{self, Selection};
use memkeep::memory::edit::{self, FieldEdit};
use memkeep::memory::{Memory, Timestamp, Value, document, frontmatter};
use memkeep::retrieval::hybrid;
use memkeep::retrieval::{Limits, Scorer, Snapshot, Task, Texts};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::systems::rawko::RAWKO;

const NOW: Timestamp = Timestamp(1_793_491_200_000);
const TASK: &str = "add a ledger retry to checkout";

/// A store in a temporary folder, with what was read from it.
struct Store {
    collection: Collection,
    memories: Snapshot,
    _folder: tempfile::TempDir,
}

impl Store {
    fn of(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        store::write(&folder.path().join(".rawko/memories"), count);
        let collection = open(folder.path());
        let memories: Snapshot = Arc::new(collection.load(&[], &mut |_| true).memories);
        assert!(memories.len() >= count);
        Self {
            collection,
            memories,
            _folder: folder,
        }
    }
}

fn open(root: &Path) -> Collection {
    let search = Search {
        start: root.to_owned(),
        root: Some(root.to_owned()),
        paths: Vec::new(),
        format: None,
        only: Vec::new(),
        ..Search::default()
    };
    Collection::open(&search, &root.join("state")).unwrap()
}

static STORES: [LazyLock<Store>; 3] = [
    LazyLock::new(|| Store::of(1_000)),
    LazyLock::new(|| Store::of(10_000)),
    LazyLock::new(|| Store::of(100_000)),
];

fn of(count: usize) -> &'static Store {
    match count {
        1_000 => &STORES[0],
        10_000 => &STORES[1],
        _ => &STORES[2],
    }
}

#[divan::bench(args = [1_000, 10_000], sample_count = 20)]
fn load(bencher: divan::Bencher, count: usize) {
    let store = of(count);
    bencher.bench(|| store.collection.load(&[], &mut |_| true).memories.len());
}

#[divan::bench(args = [1_000, 10_000], sample_count = 20)]
fn load_again(bencher: divan::Bencher, count: usize) {
    let store = of(count);
    bencher.bench(|| {
        store
            .collection
            .load(&store.memories, &mut |_| true)
            .memories
            .len()
    });
}

#[divan::bench]
fn layout_and_frontmatter(bencher: divan::Bencher) {
    let texts: Vec<String> = (0..1_000).map(|number| store::memory(number).1).collect();
    bencher
        .counter(divan::counter::ItemsCount::new(texts.len()))
        .bench(|| {
            for text in &texts {
                let layout = document::layout(black_box(text.as_bytes()));
                let front = layout.documents[0]
                    .front
                    .clone()
                    .and_then(|range| text.get(range));
                let _ = black_box(front.map(frontmatter::read));
            }
        });
}

#[divan::bench]
fn edit_one_field(bencher: divan::Bencher) {
    let (_, text) = store::memory(7);
    let edits = [FieldEdit::Set {
        field: "importance".to_owned(),
        value: Value::from("critical"),
    }];
    bencher.bench(|| {
        edit::apply(
            memkeep::memory::format::schema("rawko"),
            black_box(text.as_bytes()),
            0,
            &edits,
        )
        .unwrap()
    });
}

struct NoTexts;

impl Texts for NoTexts {
    fn body(&self, _memory: &Memory) -> Option<String> {
        None
    }
    fn loader_body(&self, _memory: &Memory) -> Option<String> {
        None
    }
    fn text(&self, _memory: &Memory) -> Option<String> {
        None
    }
}

/// Previews of a task that grows letter by letter; one call is one key.
fn score(bencher: divan::Bencher, scorer: &dyn Scorer) {
    let limits = Limits::default();
    let mut end = 0;
    bencher.bench_local(|| {
        end = end % TASK.len() + 1;
        let task = Task {
            text: TASK[..end].to_owned(),
            agent: "developer".to_owned(),
            plan: None,
            history: None,
            files: Vec::new(),
            now: NOW,
        };
        scorer
            .preview(&task, &limits, None, &NoTexts)
            .rejected
            .len()
    });
}

/// Builds what makes later answers fast.
fn first_answer(scorer: &dyn Scorer, texts: &dyn Texts) {
    scorer.preview(&Task::default(), &Limits::default(), None, texts);
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 120)]
fn score_key(bencher: divan::Bencher, count: usize) {
    score(bencher, &*RAWKO.scorer(of(count).memories.clone()));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 120)]
fn hybrid_key(bencher: divan::Bencher, count: usize) {
    let store = of(count);
    let scorer = hybrid::POLICY.scorer(store.memories.clone());
    first_answer(&*scorer, &store.collection);
    score(bencher, &*scorer);
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3)]
fn hybrid_index(bencher: divan::Bencher, count: usize) {
    let store = of(count);
    bencher
        .with_inputs(|| hybrid::POLICY.scorer(store.memories.clone()))
        .bench_local_values(|scorer| {
            first_answer(&*scorer, &store.collection);
            scorer
        });
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3)]
fn index_patterns(bencher: divan::Bencher, count: usize) {
    let memories = &of(count).memories;
    bencher
        .with_inputs(|| RAWKO.scorer(memories.clone()))
        .bench_local_values(|scorer| {
            first_answer(&*scorer, &NoTexts);
            scorer
        });
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn lint_all(bencher: divan::Bencher, count: usize) {
    let store = of(count);
    let nowhere = lint::repository::Nowhere;
    let context = lint::Context::new(&store.memories, &store.collection, NOW, &nowhere);
    bencher.bench(|| lint::run(&context, &Selection::all()).len());
}

fn main() {
    divan::main();
}
