//! Which files and variables keep what is not to leave, by their names.

use super::shell::bare;

/// Words that say of a file that it keeps secrets, wherever they stand in a path.
const ANYWHERE: [&str; 30] = [
    "secrets",
    "credentials",
    "credential",
    "passwd",
    "htpasswd",
    "shadow",
    "netrc",
    "pgpass",
    "npmrc",
    "pypirc",
    "kube",
    "aws",
    "ssh",
    "gnupg",
    "pem",
    "p12",
    "pfx",
    "jks",
    "kdbx",
    "keystore",
    "rsa",
    "ed25519",
    "ecdsa",
    "tfstate",
    "passwords",
    "keychain",
    "keyring",
    "sudoers",
    "cookies",
    "tfvars",
];

/// Words that say so as the last one of a file's name: `api_key.txt`, and not `key-concepts.md`.
const HEADS: [&str; 11] = [
    "secret", "token", "tokens", "password", "key", "keys", "cookie", "history", "private", "pass",
    "apikey",
];

/// The endings of files that tell of such things, or work with them: `docs/token.md`.
const WORKS: [&str; 22] = [
    "md", "mdx", "rst", "adoc", "html", "css", "ts", "tsx", "js", "jsx", "vue", "rs", "go", "java",
    "kt", "rb", "cs", "swift", "svg", "png", "jpg", "gif",
];

/// Words that say of a file that everybody may read it.
const PUBLIC: [&str; 5] = ["example", "sample", "template", "pub", "dist"];

/// The endings of files that hold all of what somebody keeps.
const HOARDS: [&str; 9] = [
    "sql", "db", "sqlite", "sqlite3", "bak", "dump", "mdb", "ldif", "log",
];

fn parts(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
}

/// Whether a path is one of a file that keeps secrets.
///
/// A bare word is none: `secrets` is one of every day.
pub fn is_secret(path: &str) -> bool {
    let path = bare(path).to_lowercase();
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    if !path.contains(['/', '.', '_', '\\']) || parts(name).any(|part| PUBLIC.contains(&part)) {
        return false;
    }
    let environment = |name: &str| {
        let endings = name.split('.').skip(1);
        let mut words = endings.map(|ending| parts(ending).next().unwrap_or_default());
        words.any(|word| word == "env")
    };
    let stem = name.trim_start_matches('.').split('.').next();
    let head = stem.and_then(|stem| parts(stem).next_back());
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let works = WORKS.contains(&ending);
    let kept = path.get(..path.len() - if works { name.len() } else { 0 });
    let kept = kept.unwrap_or_default();
    ending == "key"
        || path.split(['/', '\\']).any(environment)
        || parts(kept).any(|part| ANYWHERE.contains(&part))
        || !works && head.is_some_and(|head| HEADS.contains(&head))
}

/// Whether a file is one of those that requests are made with: it has an ending, is none of a home
/// or of the system, and keeps no secrets. What a variable names is as its name says.
pub fn is_plain(path: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "~", ".", "$HOME", "${HOME", "/home/", "/Users/", "/root/", "/etc/", "/var/",
    ];
    let path = bare(path);
    let own = path.trim_start_matches("./").trim_start_matches("../");
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase());
    let known = match ending {
        Some(ending) => !HOARDS.contains(&ending.as_str()),
        None => name.starts_with('$') && !is_secret_variable(name),
    };
    known && !OTHERS.iter().any(|other| own.starts_with(other)) && !is_secret(path)
}

/// Words of variables that hold what one logs in with.
const SECRETS: [&str; 11] = [
    "SECRET",
    "TOKEN",
    "KEY",
    "APIKEY",
    "PASSWORD",
    "PASSWD",
    "PASS",
    "PAT",
    "CREDENTIALS",
    "CREDENTIAL",
    "COOKIE",
];

/// Words of such variables that say nothing of whose they are.
const ANYONE: [&str; 18] = [
    "api", "apikey", "access", "auth", "client", "secret", "token", "key", "id", "password",
    "pass", "private", "user", "bearer", "session", "refresh", "app", "service",
];

/// Whether a variable holds what one logs in with.
pub fn is_secret_variable(name: &str) -> bool {
    let name = name.to_uppercase();
    parts(&name).any(|part| SECRETS.contains(&part))
}

/// Whether a request may send a variable to an address to log in there: under the name of what one
/// logs in with, and nothing says that it is another one's.
pub fn is_own(variable: &str, parameter: Option<&str>, address: &str) -> bool {
    let (variable, address) = (variable.to_lowercase(), address.to_lowercase());
    let login = |name: &str| {
        let name = name.to_lowercase();
        parts(&name).any(|part| ANYONE.contains(&part) || part == "appid")
    };
    let owned = parts(&variable).all(|part| ANYONE.contains(&part) || address.contains(part));
    owned && parameter.is_none_or(login)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_keep_secrets_are_told_by_their_names() {
        for path in [
            ".env",
            "./.env.production",
            "app/prod.env",
            "~/.ssh/id_rsa",
            "id_ed25519",
            "~/.aws/credentials",
            "server.pem",
            "tls.key",
            "api_key.txt",
            "client_secret.json",
            "secrets/prod.yaml",
            ".bash_history",
            "~/.netrc",
            r"C:\x\.ssh\id_rsa",
        ] {
            assert!(is_secret(path), "{path}");
        }
        for path in [
            ".env.example",
            "~/.ssh/id_ed25519.pub",
            "key-concepts.md",
            "keyboard.png",
            "secrets",
            "token_usage.csv",
            "docs/environment.md",
            "config/fixture.json",
            "env.ts",
            "docs/api/token.md",
            "src/auth/password.rs",
            "cookies.ts",
        ] {
            assert!(!is_secret(path), "{path}");
        }
    }

    #[test]
    fn files_of_requests_are_told_from_others() {
        for path in [
            "order.json",
            "./a/b.json",
            "../fixtures/x.xml",
            "lcov.info",
            "/tmp/body.json",
            "model.cvimodel",
            "$REGISTER.rsf",
            "$OUTPUT_FILE",
            "${OUT}/a.tsv",
        ] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "~/notes.md",
            "$HOME/a.json",
            ".env",
            "/etc/passwd",
            "token",
            "dump.sql",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
