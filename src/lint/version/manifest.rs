//! What manifests require of dependencies and runtimes.

use serde_json::Value as Json;
use toml::Value as Toml;

use super::gradle;
use super::range::{Manager, Range};
use crate::lint::chars::cut;

/// A requirement of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Required {
    /// The dependency or runtime, as [`folded`].
    pub name: String,
    /// The requirement, as it is held against versions.
    pub text: String,
    /// The same as the manifest writes it.
    pub written: String,
    /// Its line in the manifest, where that is known.
    pub line: Option<String>,
    /// What it lets in.
    pub range: Range,
}

/// Files that are read, by their name.
pub const FILES: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "libs.versions.toml",
    "gradle-wrapper.properties",
    ".nvmrc",
    ".node-version",
    ".python-version",
    ".tool-versions",
    "rust-toolchain.toml",
    "rust-toolchain",
];

/// The form in which names are compared.
pub fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace('_', "-")
}

/// What the packages of a manifest are called, as far as a line says so.
pub fn packages(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let line = line.trim().trim_start_matches('{').trim_start_matches('"');
        let name = line.strip_prefix("name")?.trim_start_matches(['"', ' ']);
        let name = name.strip_prefix([':', '='])?.split(',').next()?;
        let name = name.trim_matches([' ', '"', '\'', '}']);
        Some(folded(name.rsplit('/').next()?)).filter(|name| !name.is_empty())
    })
}

/// The requirements of a manifest, by its file's name; why it cannot be read, where it cannot.
pub fn read(name: &str, text: &str) -> Result<Vec<Required>, String> {
    let mut all = All::default();
    match name {
        "Cargo.toml" => cargo(&toml_of(text)?, &mut all),
        "package.json" => {
            let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
            npm(&json, &mut all);
        }
        "pyproject.toml" => python(&toml_of(text)?, &mut all),
        "requirements.txt" => {
            if let Some(at) = text.lines().position(is_no_requirement) {
                return Err(format!("line {} is no requirement", at + 1));
            }
            text.lines().for_each(|line| all.pep508(line));
        }
        "go.mod" => go(text, &mut all)?,
        "pom.xml" => maven(text, &mut all)?,
        "build.gradle" | "build.gradle.kts" | "settings.gradle" | "settings.gradle.kts" => {
            gradle::build(text, &mut all);
        }
        "libs.versions.toml" => gradle::catalog(&toml_of(text)?, &mut all),
        "gradle-wrapper.properties" => gradle::wrapper(text, &mut all),
        ".nvmrc" | ".node-version" => all.add("node", text.trim(), Manager::Exact),
        ".python-version" => all.add(
            "python",
            text.lines().next().unwrap_or_default(),
            Manager::Exact,
        ),
        // asdf and mise: a name and its versions on each line.
        ".tool-versions" => {
            for line in text.lines() {
                let mut words = line
                    .split('#')
                    .next()
                    .unwrap_or_default()
                    .split_whitespace();
                let name = match words.next() {
                    Some("nodejs") => "node",
                    Some("golang") => "go",
                    Some(name) => name,
                    None => continue,
                };
                words.for_each(|version| all.add(name, version, Manager::Exact));
            }
        }
        "rust-toolchain.toml" => {
            let toml = toml_of(text)?;
            let channel = toml
                .get("toolchain")
                .and_then(|one| one.get("channel")?.as_str());
            all.add("rust", channel.unwrap_or_default(), Manager::Exact);
        }
        "rust-toolchain" => all.add("rust", text.trim(), Manager::Exact),
        _ => {}
    }
    all.find_lines(text);
    Ok(all.0)
}

/// Bytes of a line of a manifest that are shown.
const SHOWN: usize = 100;

/// What was read so far.
#[derive(Default)]
pub(super) struct All(Vec<Required>);

impl All {
    /// Adds a requirement, where it says anything of versions.
    pub(super) fn add(&mut self, name: &str, text: &str, manager: Manager) {
        if let Some(range) = Range::parse(text, manager) {
            self.0.push(Required {
                name: folded(name),
                text: text.trim().to_owned(),
                written: text.trim().to_owned(),
                line: None,
                range,
            });
        }
    }

    /// Adds the lowest version of something, which the manifest writes without a sign.
    fn add_lowest(&mut self, name: &str, version: &str, manager: Manager) {
        let before = self.0.len();
        self.add(name, &format!(">={}", version.trim()), manager);
        if let Some(one) = self.0.get_mut(before) {
            one.written = format!("{name} {}", version.trim());
        }
    }

    /// Says of each requirement in which line it stands: the first with its name and its version.
    fn find_lines(&mut self, text: &str) {
        let lines: Vec<(String, &str)> = text.lines().map(|line| (folded(line), line)).collect();
        for one in &mut self.0 {
            let version = one.text.trim_start_matches(">=").to_lowercase();
            let stands =
                |line: &&(String, &str)| line.0.contains(&version) && line.0.contains(&one.name);
            let line = lines.iter().position(|line| stands(&line));
            one.line = line.and_then(|at| {
                let shown = cut(lines.get(at)?.1.trim(), SHOWN);
                Some(format!("line {}: {shown}", at + 1))
            });
        }
    }

    /// `name[extra] >= 1.2, < 2 ; marker`.
    fn pep508(&mut self, text: &str) {
        let text = text.split([';', '#']).next().unwrap_or_default().trim();
        let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
        let Some((name, rest)) = end.map(|end| text.split_at(end)) else {
            return;
        };
        let rest = match rest.trim_start().strip_prefix('[') {
            Some(extras) => extras.split_once(']').map_or("", |(_, rest)| rest),
            None => rest,
        };
        let rest = rest.trim().trim_start_matches('(').trim_end_matches(')');
        if rest.starts_with(['=', '>', '<', '~', '!']) {
            self.add(name, rest, Manager::Python);
        }
    }
}

/// Whether a line of requirements begins with a sign that nothing begins with there.
fn is_no_requirement(line: &str) -> bool {
    line.trim()
        .starts_with(['<', '>', '=', '(', ')', '{', '}', '|', ';', ':', '@', '&'])
}

fn toml_of(text: &str) -> Result<Toml, String> {
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.message().to_owned())?;
    Ok(Toml::Table(table))
}

fn cargo(toml: &Toml, all: &mut All) {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = toml.get("target").and_then(Toml::as_table);
    let targets = targets.into_iter().flat_map(|table| table.values());
    let places = [Some(toml), toml.get("workspace")].into_iter().flatten();
    for place in places.chain(targets) {
        let tables = TABLES.iter().filter_map(|name| place.get(name)?.as_table());
        for (name, wanted) in tables.flatten() {
            let version = wanted.as_str().or_else(|| wanted.get("version")?.as_str());
            let package = wanted.get("package").and_then(Toml::as_str);
            if let Some(version) = version {
                all.add(package.unwrap_or(name), version, Manager::Cargo);
            }
        }
    }
    for package in [
        toml.get("package"),
        toml.get("workspace").and_then(|one| one.get("package")),
    ] {
        let version = package.and_then(|one| one.get("rust-version")?.as_str());
        if let Some(version) = version {
            all.add_lowest("rust", version, Manager::Cargo);
        }
    }
}

fn npm(json: &Json, all: &mut All) {
    const TABLES: [&str; 5] = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
        "engines",
    ];
    let tables = TABLES.iter().filter_map(|name| json.get(name)?.as_object());
    for (name, version) in tables.flatten() {
        let version = version.as_str().unwrap_or_default();
        // `npm:name@1.2.3` is another package under this name.
        let version = match version.strip_prefix("npm:") {
            Some(other) => other.rsplit_once('@').map_or("", |(_, version)| version),
            None => version.strip_prefix("workspace:").unwrap_or(version),
        };
        all.add(name, version, Manager::Npm);
    }
    let manager = json.get("packageManager").and_then(Json::as_str);
    if let Some((name, version)) = manager.and_then(|text| text.split_once('@')) {
        all.add(name, version, Manager::Npm);
    }
}

fn python(toml: &Toml, all: &mut All) {
    let project = toml.get("project");
    let list = |value: Option<&Toml>| value.and_then(Toml::as_array).cloned().unwrap_or_default();
    let of_table = |value: Option<&Toml>| {
        let table = value.and_then(Toml::as_table);
        table
            .into_iter()
            .flat_map(|table| table.values())
            .flat_map(|one| list(Some(one)))
            .collect::<Vec<_>>()
    };
    let mut wanted = list(project.and_then(|one| one.get("dependencies")));
    wanted.extend(of_table(
        project.and_then(|one| one.get("optional-dependencies")),
    ));
    wanted.extend(of_table(toml.get("dependency-groups")));
    for one in wanted.iter().filter_map(Toml::as_str) {
        all.pep508(one);
    }
    let python = project.and_then(|one| one.get("requires-python")?.as_str());
    all.add("python", python.unwrap_or_default(), Manager::Python);
    let poetry = toml.get("tool").and_then(|tool| tool.get("poetry"));
    let groups = poetry.and_then(|one| one.get("group")?.as_table());
    let groups = groups.into_iter().flat_map(|table| table.values());
    for place in poetry.into_iter().chain(groups) {
        let tables = ["dependencies", "dev-dependencies"].into_iter();
        for (name, wanted) in tables
            .filter_map(|name| place.get(name)?.as_table())
            .flatten()
        {
            let version = wanted.as_str().or_else(|| wanted.get("version")?.as_str());
            all.add(name, version.unwrap_or_default(), Manager::Python);
        }
    }
}

/// The module that a manifest is of, in Go.
pub fn module<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    let named = |line: &'t str| {
        let line = line.split("//").next().unwrap_or_default();
        let name = line.trim().strip_prefix("module")?;
        Some(name.trim().trim_matches('"')).filter(|name| !name.is_empty())
    };
    text.lines().find_map(named).filter(|_| name == "go.mod")
}

fn go(text: &str, all: &mut All) -> Result<(), String> {
    // Go takes no file without it.
    if module("go.mod", text).is_none() {
        return Err("no `module` line with a name".to_owned());
    }
    let bare = || {
        text.lines()
            .map(|line| line.split("//").next().unwrap_or_default().trim())
    };
    let opened = bare().filter(|line| line.ends_with('(')).count();
    if opened != bare().filter(|line| *line == ")").count() {
        return Err("a `(` is not closed".to_owned());
    }
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let line = line.trim().trim_start_matches("require ").trim();
        let Some((name, version)) = line.split_once(' ') else {
            continue;
        };
        if name == "go" {
            all.add_lowest("go", version, Manager::Exact);
        } else if name.contains('/') && version.trim().starts_with('v') && !version.contains("=>") {
            all.add(name, version.trim(), Manager::Exact);
            // Known by its last part: `gin` for `github.com/gin-gonic/gin/v2`.
            let mut parts = name.rsplit('/');
            let last = parts.next().unwrap_or_default();
            let major = last
                .strip_prefix('v')
                .is_some_and(|n| n.parse::<u32>().is_ok());
            let last = if major {
                parts.next().unwrap_or_default()
            } else {
                last
            };
            all.add(last, version.trim(), Manager::Exact);
        }
    }
    Ok(())
}

fn maven(text: &str, all: &mut All) -> Result<(), String> {
    let tags = balanced(text)?;
    let properties = inside(text, "properties").next().unwrap_or_default();
    let value = |text: &str| -> String {
        let text = text.trim();
        let name = text
            .strip_prefix("${")
            .and_then(|text| text.strip_suffix('}'));
        let known = name.and_then(|name| inside(properties, name).next());
        known.unwrap_or(text).trim().to_owned()
    };
    if tags == 0 {
        return Err("there is no element in it".to_owned());
    }
    for kind in ["dependency", "plugin", "parent"] {
        for block in inside(text, kind) {
            let name = inside(block, "artifactId").next();
            let version = inside(block, "version").next();
            if let (Some(name), Some(version)) = (name, version) {
                let name = name
                    .trim()
                    .trim_end_matches("-starter-parent")
                    .trim_end_matches("-dependencies");
                all.add(name, &value(version), Manager::Exact);
            }
        }
    }
    for name in [
        "java.version",
        "maven.compiler.release",
        "maven.compiler.target",
    ] {
        if let Some(version) = inside(properties, name).next() {
            all.add("java", &value(version), Manager::Exact);
            break;
        }
    }
    Ok(())
}

/// What stands between `<name>` and `</name>`.
fn inside<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once(&open)?;
        let (block, after) = after.split_once(&close)?;
        rest = after;
        Some(block)
    })
}

/// How many elements there are; an error where one is not closed.
fn balanced(text: &str) -> Result<usize, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment
                .split_once("-->")
                .ok_or("a comment is not closed")?
                .1;
            continue;
        }
        let (tag, after) = after.split_once('>').ok_or("a tag is not closed")?;
        rest = after;
        if tag.starts_with(['?', '!']) || tag.ends_with('/') {
            continue;
        }
        count += 1;
        match tag.strip_prefix('/') {
            Some(name) if open.pop() == Some(name.trim()) => {}
            Some(name) => return Err(format!("</{name}> closes nothing")),
            None => open.push(tag.split_whitespace().next().unwrap_or_default()),
        }
    }
    match open.last() {
        Some(name) => Err(format!("<{name}> is not closed")),
        None => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(file: &str, text: &str) -> Vec<String> {
        let all = read(file, text).unwrap();
        all.into_iter()
            .map(|one| format!("{} {}", one.name, one.text))
            .collect()
    }

    #[test]
    fn manifests_are_read() {
        let cargo = "[package]\nname = 'x'\nrust-version = '1.80'\n[dependencies]\naxum = '0.8'\n\
            serde_json = { version = '1', features = [] }\nyaml = { package = 'yaml_serde', version = '0.10' }\n\
            here = { path = '..' }\n[target.'cfg(unix)'.dependencies]\nnix = '0.29'\n\
            [workspace.dependencies]\ntokio = '1.40'\n";
        let found = [
            "axum 0.8",
            "serde-json 1",
            "yaml-serde 0.10",
            "tokio 1.40",
            "nix 0.29",
            "rust >=1.80",
        ];
        let mut all = names("Cargo.toml", cargo);
        let mut found = found.map(str::to_owned);
        all.sort();
        found.sort();
        assert_eq!(all, found);
        let npm = r#"{"dependencies":{"express":"^5","a":"workspace:*","b":"npm:c@2.1.0"},
            "engines":{"node":">=22"},"packageManager":"pnpm@9.1.0+sha.1"}"#;
        assert_eq!(
            names("package.json", npm),
            ["express ^5", "b 2.1.0", "node >=22", "pnpm 9.1.0+sha.1"]
        );
        let python = "[project]\nrequires-python = '>=3.11'\ndependencies = ['fastapi[all]>=0.110,<1 ; x', 'attrs']\n\
            [tool.poetry.dependencies]\npydantic = '^2.5'\n[dependency-groups]\ndev = ['pytest==8.0']\n";
        assert_eq!(
            names("pyproject.toml", python),
            [
                "fastapi >=0.110,<1",
                "pytest ==8.0",
                "python >=3.11",
                "pydantic ^2.5"
            ]
        );
        let go = "module x\n\ngo 1.22\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1 // indirect\n)\nreplace a => b v1\n";
        assert_eq!(
            names("go.mod", go),
            ["go >=1.22", "github.com/gin-gonic/gin v1.9.1", "gin v1.9.1"]
        );
        let pom = "<?xml?><project><properties><java.version>21</java.version><j>2.17.0</j></properties>\
            <parent><artifactId>spring-boot-starter-parent</artifactId><version>3.3.1</version></parent>\
            <dependencies><dependency><artifactId>jackson</artifactId><version>${j}</version></dependency>\
            </dependencies></project>";
        assert_eq!(
            names("pom.xml", pom),
            ["jackson 2.17.0", "spring-boot 3.3.1", "java 21"]
        );
        assert_eq!(
            names("requirements.txt", "# x\nflask==3.0.1\nuvicorn\n"),
            ["flask ==3.0.1"]
        );
        assert_eq!(names(".nvmrc", "v22.1\n"), ["node v22.1"]);
        assert_eq!(
            names(
                ".tool-versions",
                "# x\nnodejs 22.1.0\npython 3.12.1 3.11.8 # both\n"
            ),
            ["node 22.1.0", "python 3.12.1", "python 3.11.8"]
        );
    }

    #[test]
    fn what_does_not_parse_says_why() {
        for (file, text) in [
            ("Cargo.toml", "[package\n"),
            ("package.json", "{\"a\": "),
            ("pyproject.toml", "a = = b"),
            ("go.mod", "\u{fffd}\u{fffd}"),
            ("pom.xml", "<project><dependency></project>"),
        ] {
            assert!(!read(file, text).unwrap_err().is_empty(), "{file}");
        }
    }
}
