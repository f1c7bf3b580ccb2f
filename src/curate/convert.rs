//! A memory of one format as a memory of another one. Fields go by the part they play; a field
//! without a place in the other format is left out and named.

mod fields;
mod mapping;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use self::fields::RoleFields;
pub use self::fields::is_on_task;
pub use self::mapping::{at_commas, words_pattern};
use self::mapping::{is_mapped, mapped, own_pattern};
use crate::memory::document::is_crlf;
use crate::memory::format::{LinkForm, Table, Untitled, table_of};
use crate::memory::frontmatter::with_crlf;
use crate::memory::link::{self, TextLink, joined, relative, text_links};
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, Role, Schema, State, Timestamp, Value, first_line};

/// Who writes a memory where its source does not say.
const AUTHOR: &str = "human";

/// A memory of the other format.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// Its title.
    pub title: String,
    /// The name it is wished to have, where its format has names.
    pub name: Option<String>,
    /// Its other fields, in the order of the schema.
    pub fields: Vec<(String, Value)>,
    /// Its body.
    pub body: String,
    /// Names of the source's fields that the other format has no place for.
    pub left_out: Vec<String>,
}

type Fields = Vec<(String, Value)>;

/// Makes a memory of another format out of one with this body, all of whose fields are read.
/// `targets` are those of its links.
pub fn convert(
    (memory, source): (&Memory, &str),
    targets: &Targets,
    to: &'static Schema,
    now: Timestamp,
) -> Converted {
    let schema = memory.schema;
    let written = schema.can.written_as;
    let text = written.and_then(|name| Some(memory.field(name)?.to_string()));
    let text = text.as_deref().unwrap_or(source);
    let text = plain_body(schema, &text.replace("\r\n", "\n"));
    let own = RoleFields::of_memory(memory, &text);
    let fields = new_fields(&own, to, now);
    let name = name_of(memory, to, &own.title);
    let way = Way {
        from: (schema, folder(&memory.id.local)),
        to: (to, folder(name.as_deref().unwrap_or_default())),
        targets,
    };
    let mut body = translated(&text, &way);
    let mut left_out = left_out(&own, to, &fields);
    // Relations without a field of their own are links in the text.
    let relations = own.role(Role::Relations);
    if let Some((spec, names)) = relations.filter(|_| to.role(Role::Relations).is_none()) {
        let names: Vec<&str> = names.items().filter_map(Value::as_str).collect();
        let known = names.iter().filter_map(|name| of_name(name, &way));
        let known: Vec<String> = known.collect();
        if !known.is_empty() {
            body = format!("{}\n\nRelated: {}\n", body.trim_end(), known.join(", "));
        }
        left_out.retain(|name| name != spec.name || known.len() < names.len());
    }
    body = with_title(&body, (&own.title, name.as_deref()), to);
    if table_of(to).is_some() && is_crlf(source.as_bytes()) {
        body = with_crlf(&body);
    }
    Converted {
        name,
        title: own.title,
        fields,
        body,
        left_out,
    }
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A body without the line ends around it, and without the blanks of its empty lines where a
/// system ends a text at an empty line.
fn plain_body(schema: &'static Schema, body: &str) -> String {
    let body = body.trim_end().trim_start_matches(['\n', '\r']);
    if table_of(schema).is_some() {
        return body.to_owned();
    }
    let lines = body.lines().map(|line| match line.trim() {
        "" => "",
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A body that says its title where neither a field of the format nor the memory's name does.
fn with_title(body: &str, (title, name): (&str, Option<&str>), to: &'static Schema) -> String {
    let table = table_of(to);
    let mut lines = body.lines().filter_map(|line| line.strip_prefix("# "));
    // A title that was cut from the first line of the text says less than that line.
    let start = title.strip_suffix('…');
    let is_cut = start.is_some_and(|start| body.starts_with(start));
    let has_heading = body.starts_with("# ") || is_cut || lines.any(|line| line == title);
    let is_heading = table.is_some_and(|table| {
        // The file's name says less than the title does.
        let slug = plain(title, table.separator);
        let own = name.map_or(&*slug, |name| name.rsplit('/').next().unwrap_or(name));
        let is_lost = fields::spoken(own) != title;
        // A store that is one file is not named after its memory.
        let is_one = table.may_be_file && to.role(Role::Title).is_none();
        let is_unnamed = name.is_none() || is_one;
        table.title_is_slug && is_lost
            || table.untitled.contains(&Untitled::Heading) && (is_lost || is_unnamed)
    });
    if is_heading && !has_heading {
        // A first line that is the title becomes the heading.
        let rest = body.strip_prefix(title);
        let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with('\n'));
        let rest = rest.unwrap_or(body).trim_start_matches('\n');
        return format!("# {title}\n\n{rest}");
    }
    if RoleFields::none(to).shows_first_line() && first_line(body) != first_line(title) {
        return format!("{title}\n\n{body}");
    }
    body.to_owned()
}

fn new_fields(own: &RoleFields, to: &'static Schema, now: Timestamp) -> Fields {
    let is_asked = |spec: &&'static FieldSpec| {
        let written = to.is_text(spec.name) || to.can.written_as == Some(spec.name);
        spec.role != Role::Title && !written
    };
    let field = |spec: &'static FieldSpec| {
        let value = mapped(own, to, spec).or_else(|| usual(own, (to, spec), now))?;
        (value != Value::Null).then(|| (spec.name.to_owned(), value))
    };
    let fields = to.fields.iter().filter(is_asked).filter_map(field);
    let is_same = own.schema == to && !to.can.closed;
    fields.chain(own.unknown().filter(|_| is_same)).collect()
}

/// The value of a field that the source says nothing of.
fn usual(
    own: &RoleFields,
    (to, spec): (&'static Schema, &'static FieldSpec),
    now: Timestamp,
) -> Option<Value> {
    match spec.role {
        Role::Patterns if spec.required && is_on_task(to) => Some(own_pattern(own)),
        Role::Tags if spec.required => Some(Value::List([].into())),
        Role::Created if spec.required => Some(own.created.unwrap_or(now).to_rfc3339().into()),
        Role::Author if spec.required && spec.default.is_none() => Some(AUTHOR.into()),
        _ => spec.default_value(),
    }
}

/// Names of the fields that a new memory with these fields does not hold; those inside of a mapping
/// one by one.
fn left_out(own: &RoleFields, to: &'static Schema, fields: &Fields) -> Vec<String> {
    let made = RoleFields::made(to, &own.title, fields);
    let is_held = |name: &str, value: &Value| match own.spec(name) {
        Some(spec) => spec.role == Role::Title || is_mapped((own, &made), spec, value),
        None => own.schema == to,
    };
    let left = own.values.iter().filter(|(name, own)| !is_held(name, own));
    let names = |(name, value): &(String, Value)| match value {
        Value::Map(inner) => {
            let keys = inner.iter().map(|(key, _)| format!("{name}.{key}"));
            keys.collect()
        }
        _ => vec![name.clone()],
    };
    left.flat_map(names).collect()
}

/// The name that a memory gets in another format, after the one it has; none where a system makes
/// the names, and where it had none of its own.
fn name_of(memory: &Memory, to: &'static Schema, title: &str) -> Option<String> {
    let to_table = table_of(to)?;
    let from = table_of(memory.schema)?;
    // The names of later documents are numbers, and a file that its system finds by name has no
    // other one.
    let mut places = from.project.iter();
    let is_fixed = places.any(|place| memory.path.ends_with(place));
    if memory.document > 0 || title.is_empty() || is_fixed {
        return None;
    }
    if memory.schema == to {
        return Some(local(memory).to_owned());
    }
    // A format that names files by title chooses the name itself.
    let name = Some(parts_in(to_table, bare(memory))).filter(|_| !to_table.named_by_title);
    let name = name.map(|name| match from.named_by_title {
        true => name.to_lowercase(),
        false => name,
    });
    name.filter(|name| !name.is_empty())
}

/// LOCAL of a memory, without folders if it is archived.
fn local(memory: &Memory) -> &str {
    let local = &*memory.id.local;
    let last = local.rsplit('/').next();
    let last = last.filter(|_| memory.state == State::Archived);
    last.unwrap_or(local)
}

/// The name of a memory without the ending that its format gives to names, and without folders if
/// the memory is archived.
pub fn bare(memory: &Memory) -> &str {
    let local = local(memory);
    let end = table_of(memory.schema).and_then(|table| table.ends.first());
    let end = end.and_then(|end| end.get(..end.rfind('.')?));
    local.strip_suffix(end.unwrap_or("")).unwrap_or(local)
}

/// Changes a name to one that a format allows; parts that it allows stay as they are.
pub fn parts_in(to: &Table, name: &str) -> String {
    let part = |part: &str| match is_plain(part) && !to.schema.can.kebab_names {
        true => part.to_owned(),
        false => plain(part, to.separator),
    };
    let parts = name.split('/').map(part).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    match to.in_folders {
        Some(_) => parts.join(&to.separator.to_string()),
        None => parts.join("/"),
    }
}

/// True if a part of a name can stand for itself in every system.
fn is_plain(part: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    part.starts_with(is_word) && part.chars().all(|c| is_word(c) || c == '-')
}

/// A part of a name in letters and digits of ASCII, small ones where words are parted by `-`.
pub fn plain(part: &str, separator: char) -> String {
    let mut name = String::new();
    for c in part.chars() {
        let c = match c {
            c if c.is_ascii_alphanumeric() && separator == '-' => c.to_ascii_lowercase(),
            c if c.is_ascii_alphanumeric() => c,
            '-' | '_' if separator != '-' => c,
            _ => separator,
        };
        if c != separator || !name.ends_with(separator) {
            name.push(c);
        }
    }
    name.trim_matches(separator).to_owned()
}

/// Targets of links in a converted text, by each name that a link may have for a memory.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Memories that the other store has, with their name and title there.
    new: HashMap<String, Named>,
    /// Names of memories that the other store does not have.
    old: HashSet<String>,
    /// Source files of the memories in `new`.
    files: HashSet<Arc<Path>>,
}

/// The name and the title of a memory in the other store. The name is None if its format chooses
/// one when the memory is written.
type Named = (Option<String>, String);

impl Targets {
    /// Adds a memory with its name and title in the other store; None if that store does not have it.
    pub fn add(&mut self, memory: &Memory, new: Option<Named>) {
        self.files.extend(new.as_ref().map(|_| memory.path.clone()));
        let local = bare(memory);
        let last = local.rsplit('/').next().unwrap_or(local);
        let names = [local, last].map(|name| link::fold(memory.schema, name));
        for name in names.into_iter().chain(link::names(memory)) {
            let name = name.replace('_', "-");
            match &new {
                Some(new) => drop(self.new.entry(name).or_insert_with(|| new.clone())),
                None => drop(self.old.insert(name)),
            }
        }
    }
}

/// Rewrites the relative links of a text that moves to another folder, where they lead to files that
/// do not move.
pub fn rebased(
    text: &str,
    (was, now): (&Path, &Path),
    (targets, is_file): (&Targets, impl Fn(&Path) -> bool),
) -> String {
    let mut new = text.to_owned();
    let links = text_links(text, &[LinkForm::Path]).into_iter().rev();
    for link in links.filter(|link| !link.is_code) {
        let path = joined(was, &link.target(text));
        if is_file(&path) && !targets.files.contains(&*path) {
            let to = link.renamed(text, &relative(now, &path));
            new.replace_range(link.name, &to);
        }
    }
    new
}

/// The format and the folder that a text is converted from, those it is converted to, and the targets
/// of its links.
struct Way<'a> {
    pub from: (&'static Schema, &'a str),
    pub to: (&'static Schema, &'a str),
    pub targets: &'a Targets,
}

/// Rewrites the links of a text for the format that it is converted to. They stay as they are if that
/// format has no links, and if they lead to memories that are not converted.
fn translated(text: &str, way: &Way<'_>) -> String {
    let tables = table_of(way.from.0).zip(table_of(way.to.0));
    let (Some(tables), false) = (tables, way.to.0.can.links.is_empty()) else {
        return text.to_owned();
    };
    let (mut new, mut next) = (text.to_owned(), text.len());
    let mut links = text_links(text, way.from.0.can.links);
    links.sort_by_key(|link| link.whole.start);
    for link in links.into_iter().rev() {
        let is_code = matches!(link.form, LinkForm::Wiki | LinkForm::Path) && link.is_code;
        // Of nested links only the inner one is rewritten.
        let is_asked = !is_code && link.whole.end <= next;
        let written = is_asked.then(|| written(text, &link, (tables, way)));
        if let Some(written) = written.flatten() {
            // Serena links names in backticks; elsewhere backticks would make the link code.
            let (before, after) = text.split_at(link.whole.start);
            let after = after.get(link.whole.len()..).unwrap_or_default();
            let ticks = usize::from(before.ends_with('`') && after.starts_with('`'));
            next = link.whole.start - ticks;
            new.replace_range(next..link.whole.end + ticks, &written);
        }
    }
    new
}

/// Writes the name of a memory or of its file as a link of the format that a text is converted to.
/// None if the other store does not have the memory.
fn of_name(name: &str, way: &Way<'_>) -> Option<String> {
    let tables = table_of(way.from.0).zip(table_of(way.to.0))?;
    let name = name.strip_suffix(".md").unwrap_or(name);
    let text = format!("[[{name}]]");
    let link = text_links(&text, &[LinkForm::Wiki]).pop()?;
    let is_known = way.targets.new.contains_key(&key(name, way));
    let is_linked = is_known && !way.to.0.can.links.is_empty();
    is_linked.then(|| written(&text, &link, (tables, way)).unwrap_or(text))
}

fn key(name: &str, way: &Way<'_>) -> String {
    link::fold(way.from.0, name).replace('_', "-")
}

fn end(table: &Table) -> &str {
    table.ends.first().map_or(".md", String::as_str)
}

/// The name in a link without the ending of a file: as written, and from the root of the store if the
/// link is a path into the store.
fn named<'n>(target: &'n str, form: LinkForm, (from, folder): (&Table, &str)) -> (&'n str, String) {
    let last = end(from).rfind('.').and_then(|at| end(from).get(at..));
    let ends = [Some(end(from)), last, Some(".md")].into_iter().flatten();
    let target = target.strip_prefix("./").unwrap_or(target);
    // A path from the root of a project contains the path of the store.
    let mut places = from.project.iter();
    let below = places.find_map(|place| target.strip_prefix(&**place)?.strip_prefix('/'));
    let target = below.unwrap_or(target);
    let name = ends.filter_map(|end| target.strip_suffix(end)).next();
    let name = name.unwrap_or(target);
    let store = Path::new("/store");
    let path = joined(&store.join(folder), name);
    let inside = path.strip_prefix(store).ok().and_then(Path::to_str);
    let inside = inside.filter(|_| form == LinkForm::Path);
    (name, inside.unwrap_or(name).to_owned())
}

/// A link in the format that a text is converted to; None if it stays as it is.
fn written(
    text: &str,
    link: &TextLink,
    ((from, to), way): ((&Table, &Table), &Way<'_>),
) -> Option<String> {
    let target = link.target(text);
    let (name, inside) = named(&target, link.form, (from, way.from.1));
    let key = key(&inside, way);
    let known = way.targets.new.get(&key);
    // Paths out of the store, paths of code, packages and words that are no valid name of a file are
    // not links to memories.
    let is_other = || {
        let is_file = link.form == LinkForm::At && name.contains(['/', '.']);
        let is_outside = name.starts_with(['/', '.', '~']);
        let is_name = parts_in(to, name) == name;
        is_file || is_outside || !is_name || way.targets.old.contains(&key)
    };
    if known.is_none() && is_other() {
        return None;
    }
    let own = known.and_then(|(name, _)| name.clone());
    let plain = own.unwrap_or_else(|| parts_in(to, name));
    let path = match known {
        Some(_) => relative(Path::new(way.to.1), Path::new(&plain)),
        None => plain.clone(),
    } + end(to);
    // Formats with an id field link memories by title.
    let has_ids = to.schema.role(Role::Id).is_some();
    let title = known.filter(|_| has_ids).map(|(_, title)| title);
    let wiki = title.map_or(if known.is_some() { &plain } else { name }, String::as_str);
    let label = text.get(link.label.clone())?;
    let is_name = label == target || label == name;
    let links = to.schema.can.links;
    let fold = |name: &str| link::fold(to.schema, name);
    let is_read = link.form != LinkForm::Path || end(from) == end(to);
    if links.contains(&link.form) && (is_read || !is_name) {
        let (new, is_same) = match link.form {
            LinkForm::Wiki => (wiki, fold(wiki) == fold(&target)),
            LinkForm::Path => (&*path, *path == target),
            _ => (&*plain, *plain == target),
        };
        let before = text.get(link.whole.start..link.name.start)?;
        let after = text.get(link.name.end..link.whole.end)?;
        let is_kept = is_same || is_read && known.is_none();
        return (!is_kept).then(|| format!("{before}{}{after}", link.renamed(text, new)));
    }
    let form = *links.first()?;
    Some(match form {
        LinkForm::Wiki if is_name => format!("[[{wiki}]]"),
        LinkForm::Wiki => format!("[[{wiki}|{label}]]"),
        LinkForm::Path if is_name => format!("[{plain}]({path})"),
        LinkForm::Path => format!("[{label}]({path})"),
        _ if !is_name => format!("{label} ({}{plain})", form.mark()),
        LinkForm::File => format!("#file:{plain}{}", end(to)),
        LinkForm::Name => path,
        LinkForm::At | LinkForm::Mem => format!("{}{plain}", form.mark()),
    })
}
