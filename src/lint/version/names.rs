//! The names under which people know what manifests call otherwise.

use super::mention::Mention;

/// Names that dependencies and runtimes also go by.
const ALIASES: &[(&str, &str)] = &[
    ("node.js", "node"),
    ("nodejs", "node"),
    ("golang", "go"),
    ("rustc", "rust"),
    ("msrv", "rust"),
    ("rust-version", "rust"),
    ("requires-python", "python"),
    ("cpython", "python"),
    ("jdk", "java"),
    ("openjdk", "java"),
    ("java.version", "java"),
    ("tailwind css", "tailwindcss"),
    ("tailwind", "tailwindcss"),
    ("spring boot", "spring-boot"),
    ("react native", "react-native"),
    ("react router", "react-router"),
    ("next.js", "next"),
    ("vue.js", "vue"),
    ("nuxt.js", "nuxt"),
    ("three.js", "three"),
    ("pytorch", "torch"),
    ("beautifulsoup", "beautifulsoup4"),
    ("nestjs", "nest"),
    ("mui", "@mui/material"),
    ("material ui", "@mui/material"),
    ("sveltekit", "@sveltejs/kit"),
    ("redux toolkit", "@reduxjs/toolkit"),
    ("apollo client", "@apollo/client"),
    ("drizzle", "drizzle-orm"),
    ("agp", "android gradle plugin"),
];

/// Products that come as several artifacts, of which a manifest names some.
pub(super) const FAMILIES: &[(&str, &[&str])] = &[
    (
        "junit",
        &[
            "junit-jupiter",
            "junit-jupiter-api",
            "junit-jupiter-engine",
            "junit-bom",
            "junit",
        ],
    ),
    (
        "junit jupiter",
        &["junit-jupiter", "junit-jupiter-api", "junit-bom"],
    ),
    ("nest", &["@nestjs/core", "@nestjs/common"]),
    ("playwright", &["@playwright/test", "playwright"]),
    (
        "storybook",
        &[
            "storybook",
            "@storybook/react",
            "@storybook/vue3",
            "@storybook/angular",
        ],
    ),
    ("react query", &["@tanstack/react-query", "react-query"]),
    (
        "tanstack query",
        &[
            "@tanstack/react-query",
            "@tanstack/vue-query",
            "@tanstack/query-core",
        ],
    ),
    ("prisma", &["prisma", "@prisma/client"]),
    (
        "jackson",
        &["jackson-databind", "jackson-core", "jackson-bom"],
    ),
    ("hibernate", &["hibernate-core", "hibernate"]),
    (
        "kotlin",
        &["kotlin", "kotlin-stdlib", "kotlin-maven-plugin"],
    ),
    (
        "android gradle plugin",
        &["android gradle plugin", "android-gradle-plugin", "agp"],
    ),
    (
        "selenium",
        &["selenium", "selenium-java", "selenium-webdriver"],
    ),
];

/// Servers: a dependency of that name is a client, with versions of its own.
const SERVERS: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "redis",
    "mongodb",
    "mongo",
    "elasticsearch",
    "opensearch",
    "kafka",
    "rabbitmq",
    "cassandra",
    "clickhouse",
    "memcached",
    "docker",
    "kubernetes",
    "nginx",
    "consul",
];

/// What runs the code: the lowest version of it is a promise.
pub(super) const RUNTIMES: &[&str] = &["python", "node", "go", "rust", "java"];

/// Runtimes whose second number says what they understand.
pub(super) const BY_TWO: &[&str] = &["python", "go", "rust"];

/// The name by which something is known that is called this.
pub(super) fn meant(name: &str) -> String {
    let name = name.to_lowercase();
    let alias = ALIASES.iter().find(|(other, _)| *other == name);
    alias.map_or(name, |(_, name)| (*name).to_owned())
}

/// Whether a server is named, and not the package of its client: `PostgreSQL 16`, not
/// `` `redis` 5.0 `` or `redis==5.0`.
pub(super) fn is_server(line: &str, mention: &Mention<'_>) -> bool {
    let start = mention.name.as_ptr() as usize - line.as_ptr() as usize;
    let end = start + mention.name.len();
    let code = line
        .get(..start)
        .is_some_and(|before| before.ends_with(['`', '"']));
    let pinned = line
        .get(end..)
        .is_some_and(|after| after.starts_with(['@', '=', '~', '>', '<']));
    SERVERS.contains(&mention.name.to_lowercase().as_str()) && !code && !pinned
}
