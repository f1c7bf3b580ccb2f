//! Requirements of manifests on dependencies and runtimes, by the table in
//! `assets/lint/manifests.toml`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Numbers;
use crate::lint::chars::cut;
use crate::text::mentions::last;

/// Bytes of a line of a manifest that are shown.
const SHOWN: usize = 100;

/// A requirement of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Required {
    /// The manifest.
    pub path: String,
    /// The dependency or runtime, as [`folded`].
    pub name: String,
    /// The requirement.
    pub text: String,
    /// True if later versions fit too.
    pub is_lowest: bool,
    /// Its line in the manifest, with its number.
    pub line: String,
}

/// How one kind of manifest is read.
#[derive(Deserialize)]
struct Manifest {
    file: String,
    #[serde(default)]
    also: Vec<String>,
    syntax: Option<Syntax>,
    #[serde(default)]
    tables: Vec<String>,
    #[serde(default)]
    lists: Vec<String>,
    #[serde(default)]
    values: Vec<Vec<String>>,
    #[serde(default)]
    patterns: Vec<Vec<String>>,
    variables: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Syntax {
    Toml,
    Json,
}

#[derive(Default, Deserialize)]
struct Table {
    manifest: Vec<Manifest>,
    names: HashMap<String, Vec<String>>,
    kinds: BTreeMap<String, Vec<String>>,
}

/// The table. It is a part of the program, and a test reads it.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../assets/lint/manifests.toml")).unwrap_or_default()
});

/// The names of the files that are manifests.
pub fn files() -> impl Iterator<Item = &'static str> {
    let all = TABLE.manifest.iter();
    all.flat_map(|one| std::iter::once(&one.file).chain(&one.also))
        .map(String::as_str)
}

fn is_of_kind(kind: &str, name: &str) -> bool {
    let mut all = TABLE.kinds.get(kind).into_iter().flatten();
    all.any(|one| one == name)
}

/// True if a name is that of what runs the code.
pub(super) fn is_runtime(name: &str) -> bool {
    names(name).iter().any(|name| is_of_kind("runtimes", name))
}

/// The form in which names are compared.
pub(super) fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// The names that manifests use for a thing, the likeliest first; none for servers, which they lack.
pub(super) fn names(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    if let Some(known) = TABLE.names.get(&lower) {
        return known.clone();
    }
    let name = folded(name);
    if is_of_kind("servers", &name) {
        return Vec::new();
    }
    let plain = name.strip_suffix(".js").unwrap_or(&name).to_owned();
    let core = [
        format!("@{name}/core"),
        format!("{name}-core"),
        format!("{name}-bom"),
    ];
    [name, plain].into_iter().chain(core).collect()
}

/// The requirements of a manifest; why it does not parse, where it does not.
pub(super) fn read(path: &str, text: &str) -> Result<Vec<Required>, String> {
    let name = last(path);
    let own = |one: &&Manifest| one.file == name || one.also.iter().any(|other| other == name);
    let Some(manifest) = TABLE.manifest.iter().find(own) else {
        return Ok(Vec::new());
    };
    let mut all = Reader {
        path,
        text,
        all: Vec::new(),
    };
    match manifest.syntax {
        Some(Syntax::Toml) => {
            let value: toml::Table = text.parse().map_err(|error: toml::de::Error| {
                let start = error.span().map_or(0, |span| span.start);
                let line = cut(text, start).matches('\n').count() + 1;
                format!("{} at line {line}", error.message())
            })?;
            let value = serde_json::to_value(value).map_err(|error| error.to_string())?;
            all.values(manifest, &value);
        }
        Some(Syntax::Json) => {
            let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            all.values(manifest, &value);
        }
        None => all.patterns(manifest),
    }
    Ok(all.all)
}

/// The requirements of a manifest that were read so far.
struct Reader<'t> {
    path: &'t str,
    text: &'t str,
    all: Vec<Required>,
}

impl Reader<'_> {
    fn add(&mut self, name: &str, text: &str, is_lowest: bool) {
        // `npm:name@1.2.3` is another package under this name.
        let alias = text
            .strip_prefix("npm:")
            .and_then(|text| text.rsplit_once('@'));
        let text = alias.map_or(text, |(_, text)| text);
        let text = text.strip_prefix("workspace:").unwrap_or(text).trim();
        if Numbers::parse(text).is_none() || text.contains([':', '/']) {
            return;
        }
        let lines = self.text.lines().enumerate();
        let mut lines = lines.filter(|(_, line)| line.contains(text));
        let named = lines.clone().find(|(_, line)| line.contains(name));
        let line = named.or_else(|| lines.next());
        let line = line.map_or_else(String::new, |(at, line)| {
            format!("line {}: {}", at + 1, cut(line.trim(), SHOWN))
        });
        let required = |name: &str| Required {
            path: self.path.to_owned(),
            name: folded(name),
            text: text.to_owned(),
            is_lowest,
            line: line.clone(),
        };
        let own = required(name);
        // Go's modules are known by their last part: `gin` of `github.com/gin-gonic/gin/v2`.
        let is_major = |part: &&str| {
            part.starts_with('v') && part.get(1..).is_some_and(|n| n.parse::<u32>().is_ok())
        };
        let short = name.rsplit('/').find(|part| !is_major(part));
        let short = short.filter(|short| name.contains('.') && *short != name);
        let short = short.map(required);
        self.all.push(own);
        self.all.extend(short);
    }

    fn values(&mut self, manifest: &Manifest, value: &Value) {
        for path in &manifest.tables {
            for table in at(value, path) {
                for (name, wanted) in table.as_object().into_iter().flatten() {
                    let version = wanted.as_str().or_else(|| wanted.get("version")?.as_str());
                    let package = wanted.get("package").and_then(Value::as_str);
                    let name = package.unwrap_or(name);
                    self.add(name, version.unwrap_or_default(), false);
                }
            }
        }
        for path in &manifest.lists {
            let items = at(value, path).into_iter().filter_map(Value::as_array);
            let items = items.flatten();
            for item in items.filter_map(Value::as_str) {
                self.add_pep508(item);
            }
        }
        for row in &manifest.values {
            let [path, name, rest @ ..] = row.as_slice() else {
                continue;
            };
            for text in at(value, path).into_iter().filter_map(Value::as_str) {
                self.add(name, text, !rest.is_empty());
            }
        }
    }

    /// `name[extra] >= 1.2, < 2 ; marker`.
    fn add_pep508(&mut self, text: &str) {
        let text = text.split(';').next().unwrap_or_default();
        let start = text.find(['=', '<', '>', '~', '!']).unwrap_or(text.len());
        let (name, version) = text.split_at(start);
        let name = name.split(['[', '(']).next().unwrap_or_default();
        self.add(name, version.trim_end_matches(')'), false);
    }

    fn patterns(&mut self, manifest: &Manifest) {
        let pattern = |text: &String| Regex::new(text).ok();
        // Commented-out lines require nothing.
        let starts = |line: &str, mark: &str| line.trim_start().starts_with(mark);
        let is_code = |line: &&str| !["//", "#", "/*", "*"].iter().any(|mark| starts(line, mark));
        let lines: Vec<&str> = self.text.lines().filter(is_code).collect();
        let text = lines.join("\n");
        let group = |found: &regex::Captures<'_>, name: &str| {
            found.name(name).map(|part| part.as_str().to_owned())
        };
        let mut variables: HashMap<String, String> = HashMap::new();
        if let Some(pattern) = manifest.variables.as_ref().and_then(pattern) {
            let found = pattern.captures_iter(&text);
            let pair = |found| Some((group(&found, "name")?, group(&found, "version")?));
            variables.extend(found.filter_map(pair));
        }
        for row in &manifest.patterns {
            let Some(pattern) = row.first().and_then(pattern) else {
                continue;
            };
            for found in pattern.captures_iter(&text) {
                let variable = || variables.get(&group(&found, "variable")?).cloned();
                let version = group(&found, "version").or_else(variable);
                let name = row.get(1).cloned().or_else(|| group(&found, "name"));
                let name = name.map(|name| names(&name).into_iter().next().unwrap_or(name));
                if let (Some(name), Some(version)) = (name, version) {
                    self.add(&name, &version, row.len() > 2);
                }
            }
        }
    }
}

/// The values at a path of keys, in which `*` is any key.
fn at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    path.split('.').fold(vec![value], |all, key| {
        let all = all.into_iter();
        match key {
            "*" => all
                .filter_map(Value::as_object)
                .flat_map(Map::values)
                .collect(),
            key => all.filter_map(|one| one.get(key)).collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Row {
        file: String,
        text: String,
        requires: Vec<String>,
    }

    #[test]
    fn each_manifest_of_the_table_is_read_and_what_does_not_parse_says_why() {
        let rows: Vec<Row> = crate::text::rows("manifests", "row");
        for row in &rows {
            match read(&row.file, &row.text) {
                Ok(all) => {
                    let all = all.iter().map(|one| format!("{} {}", one.name, one.text));
                    let mut all: Vec<String> = all.collect();
                    let mut requires = row.requires.clone();
                    all.sort();
                    requires.sort();
                    assert_eq!(all, requires, "{}", row.file);
                }
                Err(why) => assert_eq!(row.requires, [why], "{}", row.file),
            }
        }
        let tested = |file: &str| rows.iter().any(|row| row.file == file);
        let mut files = TABLE.manifest.iter().map(|one| &one.file);
        assert_eq!(files.find(|file| !tested(file)), None);
    }
}
