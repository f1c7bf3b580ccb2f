//! The repository as others name it: where it is published, and files as code imports them.

use super::{History, Meaning, made};
use crate::lint::pairs::table::Words;

/// What an app is for that has a repository of its own, as a part of its name.
pub static PLATFORMS: Words = Words::of("ios android mobile");

/// Where an app runs, as a part of a name: `tide-prod` is no repository.
static PLACES: Words = Words::of("prod production staging dev test local db ci qa demo");

/// Endings of files that code names without them.
const CODE: &[&str] = &[
    "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "d.ts", "vue", "svelte", "json", "py",
    "pyi", "java", "kt", "scala", "groovy",
];

/// Where a repository is published that git reaches at an address:
/// `git@github.com:owner/name.git` is `github.com/owner/name`.
fn published(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://").unwrap_or(("", address));
    let (_, rest) = rest.rsplit_once('@').unwrap_or(("", rest));
    let rest = rest.trim_end_matches('/');
    let rest = rest.strip_suffix(".git").unwrap_or(rest);
    let (host, path) = rest.split_at_checked(rest.find([':', '/'])?)?;
    let path = path.trim_start_matches([':', '/']);
    // `ssh://git@host:22/owner/name`
    let (port, behind) = path.split_once('/')?;
    let path = if port.bytes().all(|byte| byte.is_ascii_digit()) {
        behind
    } else {
        path
    };
    (host.contains('.') && path.contains('/')).then(|| format!("{host}/{path}"))
}

impl History {
    /// The same with the addresses under which it is published, as git writes them.
    pub fn with_remotes(self, addresses: &[String]) -> Self {
        let remotes = addresses.iter().filter_map(|one| published(one)).collect();
        Self { remotes, ..self }
    }

    /// Whether it is published as this: `github.com/owner/name`.
    pub fn is_published_at(&self, place: &str) -> bool {
        let place = place.strip_prefix("www.").unwrap_or(place);
        self.remotes
            .iter()
            .any(|one| one.eq_ignore_ascii_case(place))
    }

    /// Whether it is called this: `owner/name`.
    pub fn is_called(&self, name: &str) -> bool {
        let mut remotes = self.remotes.iter();
        remotes.any(|one| {
            one.split_once('/')
                .is_some_and(|(_, path)| path.eq_ignore_ascii_case(name))
        })
    }

    /// Whether it is named this: its folder, or what it is published as without its owner.
    pub fn is_named(&self, name: &str) -> bool {
        let mut names = self.remotes.iter().filter_map(|one| one.rsplit('/').next());
        self.name().eq_ignore_ascii_case(name) || names.any(|one| one.eq_ignore_ascii_case(name))
    }

    /// Whether a file, a folder or a part of the name of one is called this, in singular or plural.
    pub fn has_part(&self, name: &str) -> bool {
        let bare = |name: &str| name.trim_end_matches(['s', 'S']).to_lowercase();
        let wanted = bare(name);
        let same = |part: &str| part.len() >= wanted.len() && bare(part) == wanted;
        let part = |path: &str| path.split(['/', '.', '-', '_']).any(same);
        self.files().any(part) || same(self.name())
    }

    /// Whether a name is that of another repository beside this one: its own name or what the app is
    /// for, joined with something, and not a part of it.
    pub fn is_sister(&self, name: &str) -> bool {
        let telling = |part: &str| PLATFORMS.has(&part.to_lowercase()) || self.is_named(part);
        let mut parts = name.split(['-', '_']);
        let joined = name.contains(['-', '_'])
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "-_".contains(c));
        let is_part = |path: &str| {
            path.split(['/', '.'])
                .any(|part| part.eq_ignore_ascii_case(name))
        };
        joined
            && parts.clone().any(telling)
            && !parts.any(|part| PLACES.has(&part.to_lowercase()))
            && !self.is_named(name)
            && !self.files().any(is_part)
    }

    /// Whether a path from the root is there or was.
    pub fn has_known(&self, path: &str) -> bool {
        let paths = [&self.files, &self.folders, &self.gone, &self.gone_folders];
        paths.iter().any(|paths| paths.get(path).is_some())
    }

    /// Whether a path from the root was a file or a folder with this whole name and is not there,
    /// nor the end of another one that is. In front of it may stand the root's own name, where a
    /// folder is named behind it too.
    pub fn was(&self, path: &str) -> bool {
        let below = path
            .strip_prefix(self.name())
            .and_then(|rest| rest.strip_prefix('/'));
        let mut names = [Some(path), below.filter(|rest| rest.contains('/'))]
            .into_iter()
            .flatten();
        names.any(|path| self.gone.get(path).is_some() || self.gone_folders.get(path).is_some())
            && self.meaning(path) != Meaning::Present
    }

    /// What code stands for that imports this: a file without its ending, or a folder.
    pub fn imported(&self, path: &str) -> Meaning {
        let index = ["index", "__init__", "mod"].map(|name| format!("{path}/{name}"));
        let stems = || [path].into_iter().chain(index.iter().map(String::as_str));
        let forms = || stems().flat_map(|stem| CODE.iter().map(move |end| format!("{stem}.{end}")));
        let there = |path: &str| self.files.ending(path).next().is_some();
        let folder = self.folders.ending(path).next().is_some();
        if folder || there(path) || forms().any(|form| there(&form)) {
            return Meaning::Present;
        }
        let gone = |form: String| -> Vec<usize> {
            let all = self.gone.ending(&form);
            all.filter(|at| !made(self.gone.at(*at))).take(2).collect()
        };
        let mut all = forms().flat_map(gone);
        match (all.next(), all.next()) {
            (Some(at), None) => Meaning::File(at, false),
            _ => Meaning::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_git_says_where_it_is_published() {
        for (address, expected) in [
            ("git@github.com:acme/tide.git", Some("github.com/acme/tide")),
            ("https://github.com/acme/tide", Some("github.com/acme/tide")),
            (
                "https://ci:x@gitlab.com/a/b/tide.git/",
                Some("gitlab.com/a/b/tide"),
            ),
            (
                "ssh://git@git.acme.io:2222/acme/tide.git",
                Some("git.acme.io/acme/tide"),
            ),
            ("/srv/git/tide.git", None),
            ("../tide", None),
        ] {
            assert_eq!(published(address).as_deref(), expected, "{address}");
        }
    }
}
