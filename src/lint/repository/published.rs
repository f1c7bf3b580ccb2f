//! The repository as links name it: where it is published.

use std::sync::LazyLock;

use regex::Regex;

use super::History;
use crate::text::patterns::compact;

/// A link of GitHub, Gitea or GitLab to a path on a branch that is worked on; what a tag or a commit
/// held stays there.
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let view = "(?:/-)?/(?:blob|tree|raw|edit|blame|src/branch)";
    let branch = "(?:main|master|develop|dev|trunk|HEAD)";
    compact(&format!(r"^\w+://(.+?){view}/{branch}/([^%{{<$]*)$"))
});

/// Returns the public location of a repository with a git address: `git@github.com:owner/name.git`
/// is `github.com/owner/name`.
fn published(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://").unwrap_or(("", address));
    let (_, rest) = rest.rsplit_once('@').unwrap_or(("", rest));
    let rest = rest.trim_end_matches('/');
    let rest = rest.strip_suffix(".git").unwrap_or(rest);
    let (host, path) = rest.split_at_checked(rest.find([':', '/'])?)?;
    let path = path.trim_start_matches([':', '/']);
    // `ssh://git@host:22/owner/name`
    let (port, behind) = path.split_once('/')?;
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    let path = if is_port { behind } else { path };
    (host.contains('.') && path.contains('/')).then(|| format!("{host}/{path}"))
}

impl History {
    /// The same with the addresses under which it is published, as git writes them.
    pub fn with_remotes(self, addresses: &[String]) -> Self {
        let remotes = addresses.iter().filter_map(|one| published(one)).collect();
        Self { remotes, ..self }
    }

    /// The path in a link to this repository, on a branch that is worked on.
    pub fn published_path<'u>(&self, address: &'u str) -> Option<&'u str> {
        let link = LINK.as_ref()?.captures(address)?;
        let (repository, path) = (link.get(1)?.as_str(), link.get(2)?.as_str());
        let repository = repository.strip_prefix("www.").unwrap_or(repository);
        let mut remotes = self.remotes.iter();
        let is_own = remotes.any(|one| one.eq_ignore_ascii_case(repository));
        is_own.then(|| path.trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_git_says_where_it_is_published() {
        for [address, expected] in crate::text::rows::<Vec<[String; 2]>>("tables", "published") {
            assert_eq!(
                published(&address).unwrap_or_default(),
                expected,
                "{address}"
            );
        }
    }
}
