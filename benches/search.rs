//! Filtering 100,000 memories: `cargo bench --bench search`.
//!
//! Beside the usual table it types queries letter by letter, as a person does in the list pane,
//! and prints the percentiles of the time from key to hits.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use memkeep::memory::format;
use memkeep::memory::{Fields, Memory, MemoryId, Timestamp, Value};
use memkeep::search::filter::Reads;
use memkeep::search::{Marks, Query, filter};

const COUNT: usize = 100_000;
const NOW: Timestamp = Timestamp(1_793_491_200_000);

const LATIN: [&[&str]; 3] = [
    &[
        "Auth",
        "Billing",
        "Cache",
        "Config",
        "Database",
        "Deploy",
        "Events",
        "Feature Flags",
        "Gateway",
        "Graphql",
        "Import",
        "Jobs",
        "Kafka",
        "Logging",
        "Metrics",
        "Notifications",
        "Onboarding",
        "Payments",
        "Queue",
        "Rate Limit",
        "Scheduler",
        "Search",
        "Telemetry",
        "Users",
        "Validation",
        "Websocket",
    ],
    &[
        "Adapter",
        "Builder",
        "Cache",
        "Client",
        "Controller",
        "Decorator",
        "Endpoint",
        "Factory",
        "Guard",
        "Handler",
        "Index",
        "Layer",
        "Middleware",
        "Observer",
        "Pool",
        "Registry",
        "Resolver",
        "Router",
        "Serializer",
        "Timer",
        "Watcher",
        "Writer",
    ],
    &[
        "Pattern",
        "Structure",
        "Failure",
        "Convention",
        "Constraint",
        "Decision",
        "Layout",
    ],
];
const CYRILLIC: [&[&str]; 3] = [
    &[
        "Авторизация",
        "База данных",
        "Вход",
        "Графики",
        "Доставка",
        "Журнал",
        "Заказы",
        "Кэш",
        "Лимиты",
        "Метрики",
        "Очередь",
        "Платежи",
        "Сессии",
        "Хранилище",
    ],
    &[
        "адаптер",
        "клиент",
        "контроллер",
        "маршрут",
        "модуль",
        "обработчик",
        "проверка",
        "слой",
        "таймер",
        "шаблон",
        "пул",
    ],
    &["ошибка", "решение", "правило", "структура", "ограничение"],
];
const ACCENTS: [&[&str]; 3] = [
    &[
        "Größe",
        "Zugänge",
        "Aufträge",
        "Café",
        "Prüfung",
        "Übersicht",
        "Schlüssel",
        "Täglich",
        "Années",
        "Réseau",
    ],
    &[
        "für Nutzer",
        "der Geräte",
        "löschen",
        "ändern",
        "être",
        "créé",
        "prüfen",
    ],
    &["Lösung", "Ärger", "Idée", "Übung"],
];
const TAGS: [&str; 8] = [
    "planning",
    "analysis",
    "implementation",
    "testing",
    "failures",
    "architecture",
    "scope",
    "auth",
];

fn memories(words: [&'static [&'static str]; 3]) -> Vec<Arc<Memory>> {
    (0..COUNT)
        .map(|n| {
            // A fixed scramble: the same memories in every run.
            let mut seed = n as u64;
            let mut pick = |from: &[&'static str]| {
                seed = seed.wrapping_add(1).wrapping_mul(6_364_136_223_846_793_005);
                from[(seed >> 33) as usize % from.len()]
            };
            let title = words.map(&mut pick).join(" ");
            let tags = [pick(&TAGS), pick(&TAGS)];
            let importance = pick(&["low", "medium", "high", "critical"]);
            let fields = [
                ("title", Value::from(title.clone())),
                (
                    "whenToUse",
                    Value::from("auth|cache|When adding the adapter"),
                ),
                ("tags", tags.iter().map(|tag| Value::from(*tag)).collect()),
                ("importance", Value::from(importance)),
                ("discoveredBy", Value::from("developer")),
            ];
            let id = MemoryId::new(&"rawko".into(), format!("adapter-pattern-{n:06}"));
            let path = std::path::Path::new("/repo/.rawko/memories/x.md");
            Arc::new(Memory {
                title: title.into(),
                fields: fields.into_iter().collect(),
                created: Some(Timestamp(NOW.0 - (n as i64 % 400) * 86_400_000)),
                ..Memory::new(id, path.into(), format::schema("rawko"))
            })
        })
        .collect()
}

struct Corpus {
    memories: Vec<Arc<Memory>>,
    marks: Vec<Marks>,
}

impl Corpus {
    fn new(words: [&'static [&'static str]; 3]) -> Self {
        let memories = memories(words);
        Self {
            marks: vec![Marks::default(); memories.len()],
            memories,
        }
    }

    fn run(&self, query: &str) -> Vec<memkeep::search::Hit> {
        let query = Query::parse(query, &[format::schema("rawko")]).unwrap();
        let reads = Reads {
            inner: &|_| Fields::default(),
            body: None,
        };
        filter(&self.memories, &self.marks, &query, NOW, reads)
    }
}

static ASCII: LazyLock<Corpus> = LazyLock::new(|| Corpus::new(LATIN));
static RUSSIAN: LazyLock<Corpus> = LazyLock::new(|| Corpus::new(CYRILLIC));
static ACCENTED: LazyLock<Corpus> = LazyLock::new(|| Corpus::new(ACCENTS));

#[divan::bench(args = ["a", "e", "au", "auth", "cache adap", "'pattern", "!cache", "^auth", "tag:auth", "importance:>=high", "created:<30d", "zqx"])]
fn ascii(query: &str) -> usize {
    ASCII.run(query).len()
}

#[divan::bench(args = ["а", "ав", "авт", "кэш правило", "Очередь", "a"])]
fn cyrillic(query: &str) -> usize {
    RUSSIAN.run(query).len()
}

#[divan::bench(args = ["u", "gr", "größe", "losung", "prüfen"])]
fn accented(query: &str) -> usize {
    ACCENTED.run(query).len()
}

/// Types the texts letter by letter.
fn typed(corpus: &Corpus, texts: &[&str]) -> Vec<Duration> {
    let mut times = Vec::new();
    for text in texts.iter().cycle().take(20 * texts.len()) {
        for (end, c) in text.char_indices() {
            let start = Instant::now();
            corpus.run(&text[..end + c.len_utf8()]);
            times.push(start.elapsed());
        }
    }
    times.sort_unstable();
    times
}

fn report(name: &str, corpus: &Corpus, texts: &[&str]) {
    let times = typed(corpus, texts);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!(
        "{name:9} keys {:4}  p50 {:5.2}  p90 {:5.2}  p99 {:5.2}  max {:5.2} ms",
        times.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
    );
}

fn main() {
    divan::main();
    let latin = [
        "auth cache",
        "pattern",
        "retry limit",
        "obsrvr",
        "'adapter",
        "cache ^auth",
        "e a i o",
    ];
    report("ascii", &ASCII, &latin);
    report(
        "fields",
        &ASCII,
        &["tag:auth", "cache tag:a*", "author:dev"],
    );
    report(
        "cyrillic",
        &RUSSIAN,
        &["авторизация", "кэш слой", "Очередь", "правило", "auth"],
    );
    report(
        "accented",
        &ACCENTED,
        &["grosse", "losung", "prüfen", "cafe uber"],
    );
}
