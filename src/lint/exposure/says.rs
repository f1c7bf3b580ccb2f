//! Whether code, links and sentences give away what is not to leave.

use std::sync::LazyLock;

use regex::Regex;

use super::super::chars::compact;
use super::kept::{is_own, is_plain, is_secret, is_secret_variable};

/// What code sends: all variables, what a browser keeps, one variable under a name, a file.
static DATA: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"(?P<all>document\.cookie|os\.environ\b(?:[^\[.]|\.copy|$)|process\.env\b(?:[^.\[]|$))|(?P<kept>(?:local|session)Storage)|(?:["']?(?P<name>[0-9A-Za-z_-]+)["']?\s*[:=]\s*)?(?:os\.environ(?:\[|\.get\()|os\.getenv\()["'](?P<one>[0-9A-Za-z_]+)|(?:open|readFile(?:Sync)?)\(\s*["'](?P<file>[^"'\n]+)"#,
    )
});

/// Whether what code sends to an address is not to leave. What stands in its headers is what it
/// logs in with there.
pub fn code(text: &str) -> Option<&str> {
    let found = DATA.iter().flat_map(|data| data.captures_iter(text));
    let mut gives = found.map(|found| {
        let whole = found.get(0)?;
        let before = text.get(..whole.start())?;
        let address = before.split_once("://").map(|(_, address)| address);
        let sent = ["body", "data", "json"];
        let last = |words: &[&str]| words.iter().filter_map(|word| before.rfind(word)).max();
        let logs_in = last(&["headers", "Authorization", "auth="]) > last(&sent);
        let given = if found.name("all").is_some() {
            !logs_in
        } else if found.name("kept").is_some() {
            !logs_in && address.is_some()
        } else if let Some(one) = found.name("one") {
            let name = found.name("name").map(|name| name.as_str());
            let own = |address| is_own(one.as_str(), name, address);
            !logs_in && is_secret_variable(one.as_str()) && address.is_some_and(|to| !own(to))
        } else {
            found
                .name("file")
                .is_some_and(|file| !is_plain(file.as_str()))
        };
        given.then_some(whole.end())
    });
    let end = gives.find_map(|end| end)?;
    text.get(..end)
}

/// An image, which is loaded when it is seen, with room for data; or a link of which the room is
/// for what is not to leave.
pub fn room(text: &str) -> Option<&str> {
    const DATA: &[&str] = &[
        "data",
        "secret",
        "token",
        "content",
        "conversation",
        "summary",
        "history",
        "prompt",
        "password",
        "credential",
        "key",
        "env",
        "base64",
        "encoded",
        "cookie",
        "message",
        "memory",
        "memories",
        "context",
        "$(",
        "chat",
        "session",
        "leak",
        "exfil",
        "payload",
        "answer",
        "output",
        "text",
        "code",
    ];
    let room = text.find("://").and_then(|at| text.get(at + 3..))?;
    let room = room.get(room.find(['?', '#', '/'])?..)?.to_lowercase();
    (text.starts_with('!') || DATA.iter().any(|word| room.contains(word))).then_some(text)
}

/// Whether an image asks for data, rather than being one that is only shown with a key: a badge,
/// or a picture of a private page.
pub fn image(text: &str) -> Option<&str> {
    let (address, query) = text.rsplit_once(['?', '&'])?;
    let address = address.split('?').next().unwrap_or_default().to_lowercase();
    let key = matches!(
        query.trim_end_matches('='),
        "token" | "key" | "keys" | "env"
    );
    const PICTURES: [&str; 6] = [".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"];
    let shown = address.contains("badge")
        || address.contains("/render/")
        || PICTURES.iter().any(|ending| address.ends_with(ending));
    (!(key && shown)).then_some(text)
}

/// What says of an order that none is given, or of what is sent that it keeps no secret any more.
static TALK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\b(?:leaked|lost|stolen|expired|compromised|exposed|invalid|revoked)\s|\b(?:code|tokens?|credentials?|passwords?|keys?|secrets?|env(?:ironment)?)\s+(?:resets?|rotations?|requests?|questions?|usage|counts?|metrics|polic(?:y|ies)|expir[a-z]+|errors?|issues?|problems?|changes|reviews?|leaks?|templates?|examples?|schemas?|formats?|names?)\b",
    )
});

static NOT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?i)(?:\bnever|\bnot|n['’]t|\bnor|\bwithout|\bavoid|\binstead of)\s+(?:[a-z]+\s+)?$")
});

/// Whether an order to send something gives away what is not to leave. What one logs in with goes
/// to where one logs in.
pub fn order<'t>(before: &str, order: &str, rest: &'t str) -> Option<&'t str> {
    const LOGINS: [&str; 8] = [
        "auth",
        "oauth",
        "oauth2",
        "token",
        "login",
        "session",
        "sso",
        "introspect",
    ];
    let says = |pattern: &LazyLock<Option<Regex>>, text: &str| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(text))
    };
    let address = rest
        .get(order.len()..)
        .and_then(|rest| rest.split_whitespace().next());
    let address = address
        .unwrap_or_default()
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let mut parts = address.split(|c: char| !c.is_ascii_alphanumeric());
    let lower = order.to_lowercase();
    let login = parts.any(|part| LOGINS.contains(&part))
        && ["token", "credential", "password", "secret"]
            .iter()
            .any(|word| lower.contains(word));
    let whole = rest.get(..order.len() + address.len());
    whole.filter(|_| !login && !says(&TALK, order) && !says(&NOT, before))
}

/// Whether an order to send something names a file that keeps secrets as what is sent, and not as
/// what it is sent with, or as what something else is to be copied to.
pub fn file<'t>(before: &str, text: &str, rest: &'t str) -> Option<&'t str> {
    // What is named behind these is not what is sent.
    const BESIDE: [&str; 10] = [
        "about", "with", "using", "via", "by", "through", "from", "to", "into", "without",
    ];
    let secret = |word: &str| is_secret(word.trim_matches(['(', ')', '*', '<', '>']));
    let ends = |word: &str| word.ends_with(['.', ';', ':', '!', '?']);
    let (object, _) = text.rsplit_once(" to ")?;
    let mut words = object.split_whitespace().skip(1).peekable();
    // `Read ~/.netrc and send it`: the words before it say what.
    let told = words
        .peek()
        .is_some_and(|word| matches!(*word, "it" | "them" | "its" | "their"));
    let mut told_of = before
        .split_whitespace()
        .rev()
        .take_while(|word| !ends(word));
    let not = before.contains("not ") || before.to_lowercase().contains("never ");
    let sent = told && !not && told_of.any(secret)
        || words
            .by_ref()
            .take_while(|word| !ends(word) && !BESIDE.contains(word))
            .any(secret);
    let alone = words.all(|word| !ends(word) && !BESIDE[7..].contains(&word));
    (sent && alone).then(|| order(before, text, rest)).flatten()
}
