//! Scopes: `global`, `session:CHANNEL:CONVERSATION`, `goal:CHANNEL:CONVERSATION:GOAL` and
//! `task:TASK` (formats: golemcore, "Storage").

use super::java;

/// The scope that everybody sees; invalid scopes count as this one.
pub const GLOBAL: &str = "global";

/// Forms of a scope.
pub const FORMS: &str =
    "global, session:CHANNEL:CONVERSATION, goal:CHANNEL:CONVERSATION:GOAL or task:ID";

/// The scope that a text means; anything invalid is the global one.
pub fn normal(text: &str) -> String {
    known(java::trim(text)).unwrap_or_else(|| GLOBAL.to_owned())
}

/// The scope that a text means, where it means one.
pub fn known(text: &str) -> Option<String> {
    if text.eq_ignore_ascii_case(GLOBAL) {
        return Some(GLOBAL.to_owned());
    }
    let (kind, rest) = text.split_once(':')?;
    // The most bytes of each part.
    let limits: &[usize] = match kind {
        "session" => &[CHANNEL, 64],
        "goal" => &[CHANNEL, 64, 128],
        "task" => &[128],
        _ => return None,
    };
    let parts = rest.splitn(limits.len(), ':').zip(limits);
    let parts: Vec<String> = parts.map_while(|(part, most)| token(part, *most)).collect();
    let is_whole = parts.len() == limits.len();
    is_whole.then(|| format!("{kind}:{}", parts.join(":")))
}

/// The scopes that a query reads, nearest first: those asked for, comma-separated, then the
/// global one.
pub fn chain(asked: Option<&str>) -> Vec<String> {
    let mut chain: Vec<String> = Vec::new();
    for scope in asked.unwrap_or_default().split(',') {
        let scope = normal(scope);
        if scope != GLOBAL && !chain.contains(&scope) {
            chain.push(scope);
        }
    }
    chain.push(GLOBAL.to_owned());
    chain
}

/// The folders of a scope's tree below the store.
pub fn folder(scope: &str) -> String {
    match scope {
        GLOBAL => String::new(),
        scope => format!("scopes/{}", scope.replace(':', "/")),
    }
}

/// The scope whose tree stands in these folders below the store.
pub fn of_folders(folders: &[&str]) -> Option<String> {
    match folders {
        [] => Some(GLOBAL.to_owned()),
        ["scopes", rest @ ..] => {
            let scope = rest.join(":");
            // A folder that the system would name otherwise is never read.
            known(&scope).filter(|known| *known == scope && scope != GLOBAL)
        }
        _ => None,
    }
}

/// The most bytes of a channel, which is in lower case.
const CHANNEL: usize = 32;

fn token(text: &str, most: usize) -> Option<String> {
    let text = java::trim(text);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let good = (1..=most).contains(&text.len()) && text.bytes().all(plain);
    good.then(|| match most {
        CHANNEL => text.to_lowercase(),
        _ => text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_as_the_system_does() {
        let long = format!("task:{}", "a".repeat(128));
        let too_long = format!("{long}a");
        for (text, expected) in [
            ("", "global"),
            (" GLOBAL\n", "global"),
            ("session:Web:Abc_1", "session:web:Abc_1"),
            (" session: Web : a ", "session:web:a"),
            ("session:web", "global"),
            ("session:web:a:b", "global"),
            ("session::a", "global"),
            ("Session:web:a", "global"),
            ("goal:telegram:12:g-1", "goal:telegram:12:g-1"),
            ("goal:telegram:12", "global"),
            ("task:t/1", "global"),
            (&long, &long),
            (&too_long, "global"),
            ("team:x", "global"),
        ] {
            assert_eq!(normal(text), expected, "{text}");
        }
        assert_eq!(
            chain(Some("task:1,session:web:a,global,task:1")),
            ["task:1", "session:web:a", "global"]
        );
        assert_eq!(folder("goal:web:a:g"), "scopes/goal/web/a/g");
        assert_eq!(
            of_folders(&["scopes", "goal", "web", "a", "g"]).as_deref(),
            Some("goal:web:a:g")
        );
        assert_eq!(of_folders(&["scopes", "session", "Web", "a"]), None);
        assert_eq!(of_folders(&["archive"]), None);
    }
}
