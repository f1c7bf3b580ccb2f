//! Fits the models that compare statements: labelled pairs, and logistic regression.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use memkeep::text::compare::{Levels, Model, NAMES, Row, Sentence, Weights, features};
use memkeep::text::tokens::{Kind, hash, stem_of, tokens};

use crate::rows::{rows, text};
use crate::texts::{files, folders};

/// From where on pairs are reported, chosen on sources that were left out.
pub const LEVELS: Levels = Levels {
    same: 0.5,
    about_one: [0.5, 0.65],
    opposed: 0.5,
    repeated: [0.4, 0.31],
    suggestion: [0.25, 0.6],
    warning: [0.3, 0.6],
    certain: [0.85, 1.0],
    named: 0.65,
    reworded: 0.7,
};

/// How alike statements of real stores are that teach the model what is no contradiction.
const LIKE: f64 = 0.5;

/// How strongly large weights are avoided, per example.
const RIDGE: f64 = 1.0 / 0.03;
const RIDGE_OF_KINDS: f64 = 5.0;

/// Weight of all pairs of the corpus together, as a part of the labelled ones.
const CORPUS: f64 = 0.6;

/// The same of the model of what is about one thing.
const ALIKE: f64 = 0.2;

/// Words that are weighed by how many texts have them; others tell most.
const COMMON: usize = 300;

/// What a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    Contradiction,
    Duplicate,
    /// An old and a new wording of one line: one of the two above.
    Revised,
    Apart,
}

/// Two statements with their label.
pub struct Pair {
    pub a: String,
    pub b: String,
    pub label: Label,
    /// The set, and the part of it that is left out as a whole.
    pub set: &'static str,
    pub source: String,
}

/// The repository's own pairs.
pub fn own(path: &Path) -> Vec<Pair> {
    read(&path.join("pairs.jsonl"), "own", |_| "own".to_owned())
}

/// The pairs of the bench folder that models are fitted on.
pub fn public(folder: &Path) -> Vec<Pair> {
    let folder = folder.join("contradiction");
    let mut all = read(&folder.join("note_revisions.jsonl"), "notes", |row| {
        text(row, "repo")
    });
    let by = |row: &serde_json::Value| format!("author {}", text(row, "by"));
    all.extend(read(&folder.join("written_dev.jsonl"), "written", by));
    all
}

fn read(
    path: &Path,
    set: &'static str,
    source: impl Fn(&serde_json::Value) -> String,
) -> Vec<Pair> {
    let label = |label: String| match label.as_str() {
        "contradiction" => Label::Contradiction,
        "duplicate" | "contained" => Label::Duplicate,
        "revised" => Label::Revised,
        _ => Label::Apart,
    };
    let one = |row: serde_json::Value| Pair {
        a: text(&row, "a"),
        b: text(&row, "b"),
        label: label(text(&row, "label")),
        set,
        source: source(&row),
    };
    rows(path).into_iter().map(one).collect()
}

fn weights([same, contradiction, opposed]: [Model; 3], common: &BTreeMap<String, f64>) -> Weights {
    let hashed = common.iter().map(|(stem, weight)| (hash(stem), *weight));
    Weights {
        same,
        contradiction,
        opposed,
        levels: LEVELS,
        common: hashed.collect(),
    }
}

/// Weights without models.
fn none(common: &BTreeMap<String, f64>) -> Weights {
    weights([0; 3].map(|_| model(&[], &[], RIDGE)), common)
}

/// Like statements of different files of one store, in folders of stores: two of them contradict
/// each other so rarely that all are counted as none that do.
pub fn corpus(folder: &Path) -> Vec<Pair> {
    let none = none(&BTreeMap::new());
    let mut all = Vec::new();
    for store in stores(folder) {
        let mut bodies = Vec::new();
        files(&store, &mut |text| bodies.push(text.to_owned()));
        let mut said: Vec<(usize, Sentence<'_>)> = Vec::new();
        for (n, body) in bodies.iter().enumerate() {
            let own = Sentence::all(body, &none).into_iter();
            said.extend(
                own.map(|(_, one)| (n, one))
                    .filter(|(_, one)| one.tokens.len() > 2),
            );
        }
        let mut shared: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
        for (n, (_, one)) in said.iter().enumerate() {
            let stems: Vec<u32> = one.content().collect();
            let two: BTreeSet<(u32, u32)> = stems.windows(2).map(|two| (two[0], two[1])).collect();
            two.into_iter()
                .for_each(|two| shared.entry(two).or_default().push(n));
        }
        let mut pairs = BTreeSet::new();
        for group in shared.into_values().filter(|group| group.len() <= 4) {
            for (n, a) in group.iter().enumerate() {
                let later = group.iter().skip(n + 1);
                pairs.extend(
                    later
                        .filter(|b| said[*a].0 != said[**b].0)
                        .map(|b| (*a, *b)),
                );
            }
        }
        all.extend(pairs.into_iter().map(|(a, b)| Pair {
            a: said[a].1.text.to_owned(),
            b: said[b].1.text.to_owned(),
            label: Label::Apart,
            set: "corpus",
            source: store.display().to_string(),
        }));
    }
    all
}

/// The stores of a corpus: a folder of each repository in a folder of each format.
pub fn stores(folder: &Path) -> Vec<PathBuf> {
    let formats = folders(folder).into_iter();
    // Transcripts are no memories.
    let formats = formats.filter(|it| !it.ends_with("ralph") && !it.ends_with("transcripts"));
    formats.flat_map(|format| folders(&format)).collect()
}

/// Weights fitted on the pairs that are not left out, with the words that are common in them.
pub fn fit(pairs: &[Pair], left_out: &dyn Fn(&Pair) -> bool) -> (Weights, BTreeMap<String, f64>) {
    let pairs: Vec<&Pair> = pairs.iter().filter(|pair| !left_out(pair)).collect();
    let common = common(
        pairs
            .iter()
            .filter(|pair| pair.set != "corpus")
            .flat_map(|pair| [&*pair.a, &*pair.b]),
    );
    let none = none(&common);
    let rows = pairs.iter().filter_map(|pair| {
        let (a, b) = (Sentence::new(&pair.a, &none), Sentence::new(&pair.b, &none));
        if a.equals(&b) && pair.set == "corpus" {
            return None;
        }
        Some((*pair, features(&a, &b)?))
    });
    let rows: Vec<(&Pair, Row)> = rows.collect();
    let labelled = || rows.iter().filter(|(pair, _)| pair.set != "corpus");
    let of_corpus = || rows.iter().filter(|(pair, _)| pair.set == "corpus");
    // Few pairs of the corpus are about one thing.
    let weight = ALIKE * labelled().count() as f64 / of_corpus().count().max(1) as f64;
    let xs: Vec<Row> = labelled().chain(of_corpus()).map(|(_, row)| *row).collect();
    let ys: Vec<(f64, f64)> = labelled()
        .map(|(pair, _)| (is(pair.label != Label::Apart), 1.0))
        .chain(of_corpus().map(|_| (0.0, weight)))
        .collect();
    let same = model(&xs, &ys, RIDGE);
    let known = || labelled().filter(|(pair, _)| pair.label != Label::Revised);
    let like = || of_corpus().filter(|(_, row)| same.probability(row) >= LIKE);
    let weight = CORPUS * known().count() as f64 / like().count().max(1) as f64;
    let xs: Vec<Row> = known().chain(like()).map(|(_, row)| *row).collect();
    let ys: Vec<(f64, f64)> = known()
        .map(|(pair, _)| (is(pair.label == Label::Contradiction), 1.0))
        .chain(like().map(|_| (0.0, weight)))
        .collect();
    let contradiction = model(&xs, &ys, RIDGE);
    // Of two wordings of one statement and two that contradict each other.
    let kinds = known().filter(|(pair, _)| pair.label != Label::Apart && pair.a != pair.b);
    let (xs, ys): (Vec<Row>, Vec<_>) = kinds
        .map(|(pair, row)| (*row, (is(pair.label == Label::Contradiction), 1.0)))
        .unzip();
    let opposed = model(&xs, &ys, RIDGE_OF_KINDS);
    let models = [same, contradiction, opposed];
    (weights(models, &common), common)
}

fn is(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// How much the words tell that most of these texts have, by their stems.
fn common<'t>(texts: impl Iterator<Item = &'t str>) -> BTreeMap<String, f64> {
    let (mut counts, mut all): (BTreeMap<String, usize>, f64) = (BTreeMap::new(), 0.0);
    for text in texts {
        all += 1.0;
        let words = tokens(text)
            .into_iter()
            .filter(|token| token.kind != Kind::Number);
        let stems: BTreeSet<String> = words
            .map(|token| stem_of(&text[token.at].to_lowercase().replace('’', "'")))
            .collect();
        stems
            .into_iter()
            .for_each(|stem| *counts.entry(stem).or_default() += 1);
    }
    let mut counted: Vec<(usize, String)> = counts
        .into_iter()
        .map(|(stem, count)| (count, stem))
        .collect();
    counted.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    counted.truncate(COMMON);
    let rarity = |count: usize| ((all + 1.0) / (count as f64 + 1.0)).ln();
    let rarest = counted.last().map_or(1.0, |(count, _)| rarity(*count));
    let weight = |count: usize| ((rarity(count) / rarest).max(0.05) * 100.0).round() / 100.0;
    counted
        .into_iter()
        .map(|(count, stem)| (stem, weight(count)))
        .collect()
}

/// Logistic regression with ridge by Newton's method; each label with the weight of its row.
fn model(xs: &[Row], ys: &[(f64, f64)], ridge: f64) -> Model {
    const SIZE: usize = NAMES.len() + 1;
    let total: f64 = ys.iter().map(|y| y.1).sum::<f64>().max(1.0);
    let mut terms = [[0.0, 1.0, 0.0]; NAMES.len()];
    for (n, term) in terms.iter_mut().enumerate() {
        let mean = xs.iter().map(|x| x[n]).sum::<f64>() / (xs.len().max(1)) as f64;
        let spread =
            xs.iter().map(|x| (x[n] - mean).powi(2)).sum::<f64>() / (xs.len().max(1)) as f64;
        *term = [mean, spread.sqrt() + 1e-6, 0.0];
    }
    let scaled: Vec<[f64; SIZE]> = xs
        .iter()
        .map(|x| {
            std::array::from_fn(|n| {
                if n < NAMES.len() {
                    (x[n] - terms[n][0]) / terms[n][1]
                } else {
                    1.0
                }
            })
        })
        .collect();
    let mut weights = [0.0; SIZE];
    for _ in 0..30 {
        let mut slope = [0.0; SIZE];
        let mut curve = [[0.0; SIZE]; SIZE];
        for (x, (y, of)) in scaled.iter().zip(ys) {
            let sum: f64 = x.iter().zip(&weights).map(|(x, w)| x * w).sum();
            let p = 1.0 / (1.0 + (-sum).exp());
            for i in 0..SIZE {
                slope[i] += of * (p - y) * x[i];
                for j in 0..SIZE {
                    curve[i][j] += of * p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        for n in 0..NAMES.len() {
            slope[n] += ridge * weights[n];
            curve[n][n] += ridge;
        }
        (0..SIZE).for_each(|n| curve[n][n] += 1e-9 * total);
        let step = solved(curve, slope);
        (0..SIZE).for_each(|n| weights[n] -= step[n]);
    }
    let round = |value: f64| (value * 1e4).round() / 1e4;
    for (term, weight) in terms.iter_mut().zip(weights) {
        *term = [round(term[0]), round(term[1]).max(1e-4), round(weight)];
    }
    Model {
        terms,
        bias: round(weights[NAMES.len()]),
    }
}

/// The solution of a system of linear equations, by elimination.
fn solved<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for n in 0..N {
        let pivot = (n..N)
            .max_by(|x, y| a[*x][n].abs().total_cmp(&a[*y][n].abs()))
            .unwrap();
        a.swap(n, pivot);
        b.swap(n, pivot);
        for m in n + 1..N {
            let part = a[m][n] / a[n][n];
            let above = a[n];
            for (value, above) in a[m].iter_mut().zip(above).skip(n) {
                *value -= part * above;
            }
            b[m] -= part * b[n];
        }
    }
    for n in (0..N).rev() {
        for m in n + 1..N {
            b[n] -= a[n][m] * b[m];
        }
        b[n] /= a[n][n];
    }
    b
}
