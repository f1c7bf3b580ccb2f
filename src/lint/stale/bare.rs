//! Names among words that have a `/` in them and no ending: a folder, or two words of which one
//! or the other is meant.

use super::extract::Named;
use crate::lint::pairs::table::Words;
use crate::lint::repository::History;

/// Words of which people name two or three with a `/` between them; `tests/unit` is a folder.
static CHOICES: Words = Words::of(
    "and or either neither not client server read write execute input output in out on off up down \
yes no true false request response get set put post push pull start stop begin end open close \
before after old new first last he she they him her them his hers pass fail success failure error \
warning key value name http https tcp udp ip ci cd ui ux i o dev stage staging prod production \
development frontend backend front back producer consumer publisher subscriber sender receiver \
master slave primary replica secondary parent child source target min max day night encode decode \
encrypt decrypt serialize deserialize create update delete insert upsert add remove lock unlock \
login logout sync async online offline local remote public private left right top bottom \
pub sub publish subscribe import export upload download load save show hide copy paste map reduce \
fork join acquire release grant revoke allow deny accept reject enable disable attach detach",
);

/// Kinds of media of which a type has two parts, and some of the second ones.
static MEDIA: Words = Words::of("application audio font image message model multipart text video");
static TYPES: Words = Words::of(
    "json xml html plain css csv javascript ecmascript typescript markdown pdf octet-stream zip gzip \
x-www-form-urlencoded x-ndjson ndjson yaml x-yaml toml wasm graphql sql rtf event-stream calendar \
form-data mixed alternative related byteranges png jpeg jpg gif webp avif bmp tiff mp4 mpeg ogg \
wav webm quicktime woff woff2 ttf otf http rfc822",
);

/// What a name begins with that is one of git: `origin/main`, `refs/heads/x`.
static OF_GIT: Words = Words::of("origin upstream refs heads remotes tags");

/// Words in front of what is no path of the tree.
static BEFORE: Words = Words::of(
    "repository repo fork branch branches tag tags import imports require requires get post put \
patch delete head options endpoint route url type content-type accept",
);

/// The same behind it.
static BEHIND: Words =
    Words::of("branch branches tag repository repo fork endpoint route header type protocol");

/// Whether such a name in a text means what was in the repository: from its root and whole, for
/// anything may be the end of a path.
pub(super) fn is_meant(history: &History, text: &str, named: &Named<'_>) -> bool {
    history.was(&named.path)
        && !is_other(&named.path)
        && !history.is_called(&named.path)
        && !is_introduced(text, named)
}

/// Whether a name has a meaning of its own, whatever there was in the tree.
fn is_other(path: &str) -> bool {
    let lower = path.to_lowercase();
    let mut parts = lower.split('/');
    let first = parts.next().unwrap_or_default();
    let second = parts.next().unwrap_or_default();
    let media = MEDIA.has(first) && TYPES.has(second) && parts.next().is_none();
    let letters = lower.bytes().any(|byte| byte.is_ascii_alphabetic()) || !lower.is_ascii();
    media || !letters || OF_GIT.has(first) || lower.split('/').all(|part| CHOICES.has(part))
}

/// Whether the word beside a name says that it is one of something else: `the branch x/y`.
fn is_introduced(text: &str, named: &Named<'_>) -> bool {
    let plain = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.to_lowercase()
    };
    let before = text.get(..named.bytes.start).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default();
    let behind = text.get(named.bytes.end..).unwrap_or_default();
    let behind = behind.lines().next().unwrap_or_default();
    let last = before.split_whitespace().next_back().map(plain);
    let next = behind.split_whitespace().next().map(plain);
    // Behind the end of a clause another one begins.
    let goes_on = behind.starts_with([' ', '\'', '"', '-']);
    last.is_some_and(|word| BEFORE.has(&word))
        || (goes_on && next.is_some_and(|word| BEHIND.has(&word)))
}
