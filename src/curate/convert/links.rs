//! The links of a text in the form of another format.

use super::name::part_in;
use crate::memory::Schema;
use crate::memory::format::{LinkForm, Table, table_of};
use crate::memory::link::{TextLink, text_links};

/// A text of one format whose links are written as another one reads them. A format that knows no
/// links gets them as they are.
pub(super) fn translated(text: &str, from: &'static Schema, to: &'static Schema) -> String {
    let tables = table_of(from).zip(table_of(to));
    let (Some((from, to)), Some(form)) = (tables, to.can.links.first()) else {
        return text.to_owned();
    };
    let mut new = text.to_owned();
    for link in text_links(text, from.schema.can.links).into_iter().rev() {
        let is_read = match link.form {
            LinkForm::Path => end(from) == end(to),
            _ => true,
        };
        let is_kept = is_read && to.schema.can.links.contains(&link.form);
        if is_kept || link.is_code && link.form == LinkForm::Wiki {
            continue;
        }
        if let Some(written) = written(text, &link, (from, to), *form) {
            // A name in ticks is a link of Serena's, and code elsewhere.
            let (before, after) = text.split_at(link.whole.start);
            let after = after.get(link.whole.len()..).unwrap_or_default();
            let ticks = usize::from(before.ends_with('`') && after.starts_with('`'));
            new.replace_range(link.whole.start - ticks..link.whole.end + ticks, &written);
        }
    }
    new
}

/// How the names of the files end that a format writes.
fn end(table: &Table) -> &str {
    table.ends.first().map_or(".md", String::as_str)
}

fn written(
    text: &str,
    link: &TextLink,
    (from, to): (&Table, &Table),
    form: LinkForm,
) -> Option<String> {
    let target = link.target(text);
    let target = target.strip_prefix("./").unwrap_or(&target);
    // What leads out of the store is no memory of it.
    if target.starts_with(['/', '.', '~']) {
        return None;
    }
    let last = end(from).rfind('.').and_then(|at| end(from).get(at..));
    let name = [Some(end(from)), last, Some(".md")];
    let name = name.into_iter().flatten();
    let name = name.filter_map(|end| target.strip_suffix(end)).next();
    let name = name.unwrap_or(target);
    let parts = name.split('/').map(|part| part_in(to, part));
    let plain = parts.collect::<Vec<_>>().join("/");
    let label = text.get(link.label.clone())?;
    let is_name = label == target || label == name;
    let file = || format!("{plain}{}", end(to));
    Some(match form {
        LinkForm::Wiki if is_name => format!("[[{name}]]"),
        LinkForm::Wiki => format!("[[{name}|{label}]]"),
        LinkForm::Path if is_name => format!("[{name}]({})", file()),
        LinkForm::Path => format!("[{label}]({})", file()),
        _ if !is_name => format!("{label} ({}{plain})", form.mark()),
        LinkForm::File => format!("#file:{}", file()),
        LinkForm::Name => file(),
        LinkForm::At | LinkForm::Mem => format!("{}{plain}", form.mark()),
    })
}
