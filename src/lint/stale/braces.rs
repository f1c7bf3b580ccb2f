//! Groups of names in braces, as shells write several paths at once: `src/{a,b}.ts`.

use std::ops::Range;

use super::extract::{LONGEST, is_part};

/// Paths that one token stands for.
const MOST: usize = 40;

/// Where a token ends of which these bytes are the beginning, with a group of names in it; nothing
/// where there is none.
pub(super) fn end(text: &str, token: Range<usize>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = token.end;
    let mut groups = 0;
    loop {
        // Not read to its end where it is none: each part of it would be, again.
        let so_far = text.get(token.start..end)?;
        if so_far.len() > LONGEST {
            return None;
        }
        let open = so_far
            .rfind('{')
            .filter(|open| !so_far.get(*open..).is_some_and(|rest| rest.contains('}')));
        let Some(open) = open else {
            break;
        };
        let rest = text.get(end..)?;
        let inside = rest.bytes().take(LONGEST).position(|byte| byte == b'}')?;
        let group = text.get(token.start + open + 1..end + inside)?;
        let plain = |c: char| c.is_alphanumeric() || "_.-/@+, ".contains(c);
        if !group.contains(',') || !group.chars().all(plain) {
            return None;
        }
        end += inside + 1;
        end += bytes
            .iter()
            .skip(end)
            .take_while(|byte| is_part(**byte))
            .count();
        groups += 1;
    }
    let token = text.get(token.start..end)?;
    // What stands beside a group says that it is a path: `use a::{b, c}` is none.
    let path = token.contains('/') || token.contains("}.");
    (groups > 0 && path && token.len() <= LONGEST && !token.contains("::")).then_some(end)
}

/// The paths that a token with groups stands for.
pub(super) fn expanded(token: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut rest = token;
    while let Some((head, group, tail)) = split(rest) {
        let names = group.split(',').map(str::trim);
        all = all
            .iter()
            .flat_map(|start| {
                names
                    .clone()
                    .map(move |name| format!("{start}{head}{name}"))
            })
            .take(MOST)
            .collect();
        rest = tail;
    }
    for path in &mut all {
        path.push_str(rest);
    }
    all
}

/// What stands before the first group, in it and behind it.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = text.split_once('{')?;
    let (group, tail) = rest.split_once('}')?;
    Some((head, group, tail))
}
