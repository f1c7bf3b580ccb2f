//! How well the policy `hybrid` ranks: nDCG@10 on sets of questions with the notes that answer
//! them, beside plain BM25.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memkeep::memory::format;
use memkeep::memory::{Memory, MemoryId, Value};
use memkeep::retrieval::{Limits, Snapshot, Task, Texts};
use memkeep::systems::policy;
use serde_json::Value as Json;

use super::labelled::NOW;
use super::rows::{rows, text};
use super::texts::folders;

/// Places that count.
const PLACES: usize = 10;

/// The notes of one origin: a question is held against these alone.
#[derive(Default)]
struct Notes {
    ids: Vec<String>,
    texts: Vec<String>,
    memories: Vec<Arc<Memory>>,
}

impl Texts for Notes {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.texts
            .get(memory.id.local.parse::<usize>().ok()?)
            .cloned()
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }
}

impl Notes {
    fn add(&mut self, row: &Json) {
        let n = self.ids.len();
        let title = text(row, "title");
        let tags = row["tags"].as_array().into_iter().flatten();
        let tags = tags.filter_map(Json::as_str).map(Value::from);
        let fields = [
            ("title", Value::from(title.as_str())),
            ("tags", Value::List(tags.collect())),
        ];
        self.memories.push(Arc::new(Memory {
            title: title.into(),
            fields: fields
                .into_iter()
                .filter(|(_, value)| value.as_str() != Some(""))
                .collect(),
            ..Memory::new(
                MemoryId::new(&"rawko".into(), n.to_string()),
                PathBuf::from(format!("/notes/{n:06}.md")).into(),
                format::schema("rawko"),
            )
        }));
        self.ids.push(text(row, "id"));
        self.texts.push(text(row, "text"));
    }

    /// What the ids of these places are worth, the best order being 1.
    fn gain(&self, order: &[usize], wanted: &BTreeSet<String>) -> f64 {
        let worth = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let is_wanted = |(_, at): &(usize, &usize)| wanted.contains(&self.ids[**at]);
        let found = order.iter().take(PLACES).enumerate().filter(is_wanted);
        let found: f64 = found.map(|(place, _)| worth(place)).sum();
        found / (0..wanted.len().min(PLACES)).map(worth).sum::<f64>()
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// BM25 as it stands in the books, on words as they are written.
struct Plain {
    lists: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

impl Plain {
    fn of(notes: &Notes) -> Self {
        let mut lists: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (at, memory) in notes.memories.iter().enumerate() {
            let tags: Vec<&str> = memory.tags().collect();
            let title = memory.field("title").and_then(Value::as_str);
            let title = title.unwrap_or_default();
            let text = format!("{title} {} {}", notes.texts[at], tags.join(" "));
            let words = words(&text);
            lengths.push(words.len() as f64);
            for word in words {
                let list = lists.entry(word).or_default();
                match list.last_mut().filter(|(last, _)| *last == at) {
                    Some((_, count)) => *count += 1.0,
                    None => list.push((at, 1.0)),
                }
            }
        }
        Self { lists, lengths }
    }

    fn order(&self, query: &str) -> Vec<usize> {
        let all = self.lengths.len() as f64;
        let mean = self.lengths.iter().sum::<f64>() / all;
        let mut scores = vec![0.0; self.lengths.len()];
        for list in words(query).iter().filter_map(|word| self.lists.get(word)) {
            let has = list.len() as f64;
            let rarity = (1.0 + (all - has + 0.5) / (has + 0.5)).ln();
            for (at, count) in list {
                let norm = 1.2 * (0.25 + 0.75 * self.lengths[*at] / mean);
                scores[*at] += rarity * count * 2.2 / (count + norm);
            }
        }
        let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        order
    }
}

/// Prints a row for each set in a folder.
pub fn print(folder: &Path, errors: Option<&str>) {
    let sets = folders(folder);
    if sets.is_empty() {
        return;
    }
    println!("\n| nDCG@10 | questions | plain BM25 | hybrid |\n|---|---|---|---|");
    for set in sets {
        row(&set, errors);
    }
}

fn row(set: &Path, errors: Option<&str>) {
    let mut notes: BTreeMap<String, Notes> = BTreeMap::new();
    for row in rows(&set.join("docs.jsonl")) {
        notes.entry(text(&row, "repo")).or_default().add(&row);
    }
    let mut wanted: HashMap<String, BTreeSet<String>> = HashMap::new();
    for row in rows(&set.join("qrels.jsonl")) {
        let of = wanted.entry(text(&row, "qid")).or_default();
        of.insert(text(&row, "did"));
    }
    let limits = Limits {
        max: Some(PLACES),
        ..Limits::default()
    };
    let ready: BTreeMap<&String, _> = notes
        .iter()
        .map(|(repo, notes)| {
            let snapshot: Snapshot = Arc::new(notes.memories.clone());
            let scorer = policy("hybrid").unwrap().scorer(snapshot);
            (repo, (notes, scorer, Plain::of(notes)))
        })
        .collect();
    let (mut count, mut plain_sum, mut hybrid_sum) = (0, 0.0, 0.0);
    for row in rows(&set.join("queries.jsonl")) {
        let Some(wanted) = wanted.get(&text(&row, "id")) else {
            continue;
        };
        let (notes, scorer, plain) = &ready[&text(&row, "repo")];
        let task = Task {
            text: text(&row, "text"),
            agent: String::new(),
            plan: None,
            history: None,
            files: Vec::new(),
            now: NOW,
        };
        let preview = scorer.preview(&task, &limits, None, *notes);
        let order: Vec<usize> = preview.selected.iter().map(|one| one.memory).collect();
        let gain = notes.gain(&order, wanted);
        count += 1;
        hybrid_sum += gain;
        plain_sum += notes.gain(&plain.order(&task.text), wanted);
        if errors == Some("retrieval") && gain == 0.0 {
            println!("  {} {wanted:?}", task.text);
        }
    }
    let mean = |sum: f64| sum / f64::from(count.max(1));
    println!(
        "| {} | {count} | {:.3} | {:.3} |",
        set.file_name().unwrap_or_default().to_string_lossy(),
        mean(plain_sum),
        mean(hybrid_sum)
    );
}
