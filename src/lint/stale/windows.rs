//! Paths as Windows writes them.

use std::ops::Range;

use super::extract::{How, LONGEST, Line, last, written};

/// A path as Windows writes it: `src\a.ts`, `.\src\`, `C:\work\tide\src\a.ts`, in JSON with
/// two signs for one. Its bytes, the path with `/`, and from where it is written.
/// Escapes and patterns look alike and were never files.
pub(super) fn windows(
    token: &str,
    root: &str,
    line: &Line,
) -> Option<(Range<usize>, String, How<'static>)> {
    if token.len() > LONGEST || token.contains('/') || token.starts_with("\\\\") {
        return None;
    }
    let open = token.len() - token.trim_start_matches(['*', '<', ':', '#']).len();
    let rest = token.get(open..)?;
    let drive = rest.get(1..3) == Some(":\\") && rest.as_bytes().first()?.is_ascii_alphabetic();
    let start = open + if drive { 2 } else { 0 };
    // A line, a place or a test in the file.
    let rest = token.get(start..)?;
    let rest = rest.get(..rest.find([':', '#']).unwrap_or(rest.len()))?;
    let rest = rest.trim_end_matches(['*', '>', '.', '-', '+', '~']);
    let mut from = 0;
    let mut how = How::Plain;
    if drive {
        let name = last(root);
        let own = format!("\\{name}\\");
        let twice = format!("\\{name}\\\\");
        let at = [&own, &twice]
            .into_iter()
            .find_map(|own| Some(rest.find(own.as_str())? + own.len()));
        let at = at.filter(|_| !name.is_empty());
        how = at.map_or(How::Abroad, |_| How::Whole);
        from = at.unwrap_or_default();
    }
    while let Some(after) = ["\\", ".\\", "..\\"]
        .iter()
        .find_map(|up| rest.get(from..)?.strip_prefix(up))
    {
        from = rest.len() - after.len();
    }
    let inside = rest.get(from..)?;
    let folder = inside.ends_with('\\');
    let inside = inside.trim_end_matches('\\');
    let path = inside.replace("\\\\", "\\").replace('\\', "/");
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | '+' | '~');
    let sound = path.chars().all(plain) && !path.contains("//") && !path.contains("..");
    if path.is_empty() || !sound {
        return None;
    }
    let how = written(how, (&path, folder), line)?;
    let from = start + from;
    Some((from..from + inside.len(), path, how))
}
