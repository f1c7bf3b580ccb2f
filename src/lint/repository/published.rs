//! The repository as links name it: where it is published.

use super::History;

/// What stands between a repository and a branch in the links of GitHub, Gitea and GitLab.
const MARKS: &[&str] = &[
    "/-/blob/",
    "/-/tree/",
    "/-/raw/",
    "/-/edit/",
    "/blob/",
    "/tree/",
    "/raw/",
    "/edit/",
    "/blame/",
    "/src/branch/",
];

/// Branches that are worked on: what a tag or a commit held is there for ever.
const BRANCHES: &[&str] = &["main", "master", "develop", "dev", "trunk", "HEAD"];

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
    fn is_published_at(&self, place: &str) -> bool {
        let place = place.strip_prefix("www.").unwrap_or(place);
        self.remotes
            .iter()
            .any(|one| one.eq_ignore_ascii_case(place))
    }

    /// The path of a file in a link to it where this repository is published, on a branch that is
    /// worked on.
    pub fn published_path<'u>(&self, address: &'u str) -> Option<&'u str> {
        let (_, link) = address.split_once("://")?;
        let (repository, rest) = MARKS.iter().find_map(|mark| link.split_once(mark))?;
        let (branch, path) = rest.split_once('/')?;
        let sound = BRANCHES.contains(&branch) && !path.contains(['%', '{', '<', '$']);
        (sound && self.is_published_at(repository)).then(|| path.trim_end_matches('/'))
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
