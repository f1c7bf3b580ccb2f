//! What the files of a Gradle build require: dependencies, plugins, catalogs and the wrapper.
//!
//! A build file is a program; only what is written out is read: `"group:artifact:version"`,
//! `id("…") version "…"`, `group: '…', name: '…', version: '…'`, and versions that the same file
//! gives a name.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use toml::Value as Toml;

use super::manifest::All;
use super::range::Manager;
use crate::lint::chars::compact;

/// Plugins, by the beginning of their id, that people call otherwise.
const PLUGINS: &[(&str, &str)] = &[
    ("org.springframework.boot", "spring-boot"),
    ("org.jetbrains.kotlin", "kotlin"),
    ("kotlin", "kotlin"),
    ("com.android", "android gradle plugin"),
    ("com.google.devtools.ksp", "ksp"),
    ("org.jetbrains.compose", "compose-multiplatform"),
    ("io.micronaut", "micronaut"),
    ("io.quarkus", "quarkus"),
];

/// Groups whose artifacts are one product with one version.
const GROUPS: &[(&str, &str)] = &[
    ("org.springframework.boot", "spring-boot"),
    ("org.jetbrains.kotlin", "kotlin"),
    ("com.android.tools.build", "android gradle plugin"),
    ("io.ktor", "ktor"),
    ("com.squareup.retrofit2", "retrofit"),
    ("androidx.room", "room"),
    ("com.google.dagger", "dagger"),
    ("org.testcontainers", "testcontainers"),
    ("io.quarkus", "quarkus"),
    ("io.micronaut", "micronaut"),
];

static COORDINATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"["']([A-Za-z0-9_.-]+):([A-Za-z0-9_.-]+):(?:([0-9][^"':@$]*)|\$\{?([A-Za-z0-9_.]+)\}?)(?::[^"']*|@[^"']*)?["']"#,
    )
});

static MAP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"group\s*[:=]\s*["']([^"']+)["']\s*,\s*name\s*[:=]\s*["']([^"']+)["']\s*,\s*version\s*[:=]\s*(?:["']([0-9][^"']*)["']|([A-Za-z0-9_.]+))"#,
    )
});

static PLUGIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"\b(id|kotlin)\s*\(?\s*["']([A-Za-z0-9_.-]+)["']\s*\)?\s*\.?version\s*\(?\s*["']([0-9][^"']*)["']"#,
    )
});

/// `val ktor = "2.3"`, `def ktor = '2.3'`, `ext.ktor = "2.3"`, `extra["ktor"] = "2.3"`, `ktor = "2.3"`.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"(?m)^\s*(?:(?:val|def|const val|set)\s+)?(?:ext\.|extra\[["'])?([A-Za-z][A-Za-z0-9_.]*)(?:["']\])?(?:\s*:\s*String)?\s*(?:=|by extra\()\s*["']([0-9][^"']*)["']"#,
    )
});

static JAVA: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"JavaLanguageVersion\.of\((\d+)\)|jvmToolchain\((\d+)\)|sourceCompatibility\s*=?\s*["']?(?:JavaVersion\.VERSION_)?(\d+)\b"#,
    )
});

static WRAPPER: LazyLock<Option<Regex>> =
    LazyLock::new(|| compact(r"distributionUrl\s*=\s*\S*/gradle-(\d+(?:\.\d+)+)-"));

/// `build.gradle`, `build.gradle.kts`, `settings.gradle` and `settings.gradle.kts`.
pub(super) fn build(text: &str, all: &mut All) {
    let text = &without_comments(text);
    let group =
        |found: &regex::Captures<'_>, n: usize| found.get(n).map(|part| part.as_str().to_owned());
    let mut named: HashMap<String, String> = HashMap::new();
    for found in NAMED.iter().flat_map(|one| one.captures_iter(text)) {
        if let (Some(name), Some(version)) = (group(&found, 1), group(&found, 2)) {
            named.insert(name, version);
        }
    }
    for pattern in [&COORDINATE, &MAP] {
        for found in pattern.iter().flat_map(|one| one.captures_iter(text)) {
            let variable = || group(&found, 4).and_then(|name| named.get(&name).cloned());
            let version = group(&found, 3).or_else(variable);
            if let (Some(of), Some(artifact), Some(version)) =
                (group(&found, 1), group(&found, 2), version)
            {
                module(&of, &artifact, &version, all);
            }
        }
    }
    for found in PLUGIN.iter().flat_map(|one| one.captures_iter(text)) {
        if let (Some(how), Some(id), Some(version)) =
            (group(&found, 1), group(&found, 2), group(&found, 3))
        {
            plugin(if how == "id" { &id } else { "kotlin" }, &version, all);
        }
    }
    let java = JAVA.iter().flat_map(|one| one.captures_iter(text)).next();
    if let Some(version) = java.and_then(|found| (1..=3).find_map(|n| group(&found, n))) {
        all.add("java", &version, Manager::Exact);
    }
}

/// `gradle/libs.versions.toml`.
pub(super) fn catalog(toml: &Toml, all: &mut All) {
    let table = |name: &str| toml.get(name).and_then(Toml::as_table);
    let text = |value: &Toml| -> Option<String> {
        let rich = ["strictly", "require", "prefer"];
        let one = rich.iter().find_map(|key| value.get(key)?.as_str());
        Some(value.as_str().or(one)?.to_owned())
    };
    let versions = table("versions");
    // Teams speak of a version under the name that the catalog has for it.
    for (name, value) in versions.into_iter().flatten() {
        if let Some(version) = text(value) {
            all.add(name, &version, Manager::Exact);
        }
    }
    let version = |entry: &Toml| -> Option<String> {
        let version = entry.get("version")?;
        match version.get("ref").and_then(Toml::as_str) {
            Some(name) => text(versions?.get(name)?),
            None => text(version),
        }
    };
    for (_, entry) in table("libraries").into_iter().flatten() {
        let whole = entry.as_str().or_else(|| entry.get("module")?.as_str());
        let parts = || {
            let part = |key| entry.get(key).and_then(Toml::as_str);
            Some(format!("{}:{}", part("group")?, part("name")?))
        };
        let Some(whole) = whole.map(str::to_owned).or_else(parts) else {
            continue;
        };
        let mut parts = whole.splitn(3, ':');
        let (of, artifact) = (parts.next(), parts.next());
        let version = parts.next().map(str::to_owned).or_else(|| version(entry));
        if let (Some(of), Some(artifact), Some(version)) = (of, artifact, version) {
            module(of, artifact, &version, all);
        }
    }
    for (_, entry) in table("plugins").into_iter().flatten() {
        let whole = entry.as_str().and_then(|text| text.split_once(':'));
        let id = entry.get("id").and_then(Toml::as_str);
        match (whole, id, version(entry)) {
            (Some((id, version)), ..) => plugin(id, version, all),
            (None, Some(id), Some(version)) => plugin(id, &version, all),
            _ => {}
        }
    }
}

/// `gradle/wrapper/gradle-wrapper.properties`.
pub(super) fn wrapper(text: &str, all: &mut All) {
    let found = WRAPPER.as_ref().and_then(|one| one.captures(text));
    if let Some(version) = found.and_then(|found| found.get(1)) {
        all.add("gradle", version.as_str(), Manager::Exact);
    }
}

fn module(group: &str, artifact: &str, version: &str, all: &mut All) {
    all.add(artifact, version, Manager::Exact);
    if let Some((_, name)) = GROUPS.iter().find(|(of, _)| *of == group) {
        all.add(name, version, Manager::Exact);
    }
}

fn plugin(id: &str, version: &str, all: &mut All) {
    let known = PLUGINS.iter().find(|(start, _)| {
        let rest = id.strip_prefix(start);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    all.add(known.map_or(id, |(_, name)| name), version, Manager::Exact);
}

/// The text without lines and blocks that are comments: what is commented out is not required.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        let head = line.trim_start();
        inside |= head.starts_with("/*");
        if !inside && !head.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
        inside &= !head.contains("*/");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::manifest::read;

    fn names(file: &str, text: &str) -> Vec<String> {
        let all = read(file, text).unwrap();
        let mut all: Vec<String> = all
            .into_iter()
            .map(|one| format!("{} {}", one.name, one.text))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn what_a_build_requires_is_read_where_it_is_written_out() {
        for (file, text, expected) in [
            (
                "build.gradle",
                "plugins {\n  id 'java'\n  id 'org.springframework.boot' version '3.3.1'\n}\n\
                 ext.guava = '33.2.0-jre'\nsourceCompatibility = '17'\ndependencies {\n\
                 \x20 implementation \"com.google.guava:guava:$guava\"\n\
                 \x20 // implementation 'org.old:thing:1.0'\n\
                 \x20 implementation 'org.slf4j:slf4j-api'\n\
                 \x20 implementation group: 'org.apache.kafka', name: 'kafka-clients', version: '3.7.0'\n\
                 \x20 runtimeOnly \"a.b:unknown:${other}\"\n}\n",
                &[
                    "guava 33.2.0-jre",
                    "java 17",
                    "kafka-clients 3.7.0",
                    "spring-boot 3.3.1",
                ][..],
            ),
            (
                "build.gradle.kts",
                "plugins {\n    kotlin(\"jvm\") version \"2.0.0\"\n    alias(libs.plugins.ktor)\n}\n\
                 val ktor = \"2.3.11\"\nkotlin { jvmToolchain(21) }\n/* implementation(\"a:b:1.0\")\n */\n\
                 dependencies {\n    implementation(\"io.ktor:ktor-server-core:$ktor\")\n\
                 \x20   testImplementation(platform(\"org.junit:junit-bom:5.10.2\"))\n}\n",
                &[
                    "java 21",
                    "junit-bom 5.10.2",
                    "kotlin 2.0.0",
                    "ktor 2.3.11",
                    "ktor-server-core 2.3.11",
                ],
            ),
            (
                "libs.versions.toml",
                "[versions]\nretrofit = '2.11.0'\nagp = { strictly = '8.4.0' }\n[libraries]\n\
                 retrofit = { module = 'com.squareup.retrofit2:retrofit', version.ref = 'retrofit' }\n\
                 moshi = 'com.squareup.moshi:moshi:1.15.1'\ncoil = { group = 'io.coil-kt', name = 'coil', version = '2.6.0' }\n\
                 bare = { module = 'x:y' }\n[plugins]\nandroid = { id = 'com.android.application', version.ref = 'agp' }\n",
                &[
                    "agp 8.4.0",
                    "android gradle plugin 8.4.0",
                    "coil 2.6.0",
                    "moshi 1.15.1",
                    "retrofit 2.11.0",
                    "retrofit 2.11.0",
                    "retrofit 2.11.0",
                ],
            ),
            (
                "gradle-wrapper.properties",
                "distributionBase=GRADLE_USER_HOME\ndistributionUrl=https\\://services.gradle.org/distributions/gradle-8.7-bin.zip\n",
                &["gradle 8.7"],
            ),
            (
                "build.gradle",
                "apply from: 'x.gradle'\nversion = '1.2.3'\n",
                &[],
            ),
        ] {
            assert_eq!(names(file, text), expected, "{file}");
        }
        assert!(read("libs.versions.toml", "[versions\n").is_err());
    }
}
