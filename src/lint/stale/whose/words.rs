//! Words by which a phrase says where a file is kept.

use crate::lint::pairs::table::Words;

/// Words for what files are kept in.
pub(super) static REPOSITORIES: Words = Words::of("repository repo monorepo repositories repos");

/// Words for what is one beside this one.
pub(super) static COPIES: Words = Words::of("fork forks upstream mirror submodule");

/// Words for a state that is kept beside the current one.
pub(super) static STATES: Words = Words::of("branch tag release line series");

/// Words for what may have a repository of its own.
pub(super) static PROJECTS: Words =
    Words::of("project projects codebase template crate package tarball wheel sdk product site");

/// The current state.
pub(super) static CURRENT: Words = Words::of("main master trunk head develop default current here");

/// Words by which a state is an old one.
pub(super) static KEPT: Words =
    Words::of("release releases legacy stable maintenance lts hotfix backport backports previous");

/// Words that say of what kind this repository is, and not which one another is.
pub(super) static OWN: Words = Words::of(
    "own main same current whole entire git mono present local single source code root project new \
public private github gitlab team team's app application default actual real company hg open-source",
);

/// Words by which it is not this one.
pub(super) static OTHERS: Words = Words::of(
    "other another different separate legacy archived template partner sister sibling published \
released shipped old theirs",
);

pub(super) static DETERMINERS: Words = Words::of(
    "the a an our their his her its your my own this these any each every another other both",
);

/// Words in front of what something is in.
pub(super) static IN: Words = Words::of("in on at inside within under");

/// Words that begin a clause beside signs.
pub(super) static OPENS: Words =
    Words::of("and but while whereas so because since though note that");

pub(super) static ADVERBS: Words =
    Words::of("also only still even now just already always usually");

/// Verbs by which somebody has a file.
pub(super) static HOLDS: Words = Words::of(
    "has have had keeps keep holds hold contains contain carries carry ships ship stores store \
puts put patches patch defines define overrides override maintains maintain hosts host",
);

/// Words between a path and where it is.
pub(super) static STANDS: Words = Words::of(
    "is are was were lives live lies lie sits sit stays stay exists exist still only also now file folder",
);

/// Words between where it is and its path.
pub(super) static FILLING: Words =
    Words::of("the file files folder directory path see it its own is are there");

/// Words that join others, beside those.
pub(super) static SMALL: Words = Words::of(
    "to from of for with by into onto as or if when before after we you i they he she must should \
can will may not no run runs use uses edit edits reads read",
);
