//! The latest commits of the repository.

/// A commit, as a task that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The first line of its message.
    pub subject: Box<str>,
    /// The paths it changed, below the root, with `/`.
    pub files: Vec<Box<str>>,
}

/// The last commits of a repository, newest first; merges are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// The root, absolute, with `/`; empty where there is no repository.
    pub root: String,
    /// The commits.
    pub commits: Vec<Done>,
}

/// No commits.
pub static NONE: Recent = Recent {
    root: String::new(),
    commits: Vec::new(),
};
