//! Formats that a team describes in its repository: tables in `.memkeep/formats/`.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::formats::names;
use super::{FORMATS, Format};
use crate::config::ConfigError;
use crate::memory::Role;
use crate::memory::format::{self, TABLES, Table};
use crate::memory::link::joined;
use crate::memory::problem::TextError;
use crate::memory::schema::Kind;
use crate::store::control::{self, Owner};

pub const FOLDER: &str = ".memkeep/formats";
/// Characters that may separate the words of a file name.
const SEPARATORS: &str = "-_. ";
const RESERVED: [&str; 2] = [".git", ".memkeep"];
/// A team's formats come behind those of the program.
const BEHIND: u32 = 1 << 16;

/// Reads a team's tables by file name, no links; gives unusable ones apart.
pub fn team_formats(root: &Path) -> (Vec<&'static Format>, Vec<ConfigError>) {
    let entries = fs::read_dir(root.join(FOLDER)).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    let is_table = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml");
    let mut paths: Vec<PathBuf> = paths.filter(is_table).collect();
    paths.sort_unstable();
    let mut formats: Vec<&'static Format> = Vec::new();
    let mut wrong = Vec::new();
    for path in paths {
        match read(root, &path, &formats) {
            Ok(table) => {
                let table: &'static Table = Box::leak(Box::new(table));
                format::add(table);
                let mut format = Format::of(table);
                format.order = format.order.saturating_add(BEHIND);
                formats.push(Box::leak(Box::new(format)));
            }
            Err(error) => wrong.push(ConfigError {
                path,
                line: error.line,
                column: error.column,
                message: format!("a format is not used: {error}"),
            }),
        }
    }
    formats.sort_by_key(|format| format.order);
    (formats, wrong)
}

fn read(root: &Path, path: &Path, known: &[&'static Format]) -> Result<Table, TextError> {
    let text = control::text(path, Owner::Project(root));
    let text = text.map_err(|error| TextError::at_line(1, error.reason()))?;
    let text = text.unwrap_or_default();
    let table = Table::read(&text).map_err(TextError::in_short)?;
    match check(&table, known) {
        Err(fault) => Err(located(&text, fault)),
        Ok(()) => Ok(table),
    }
}

/// The reason not to use a table: the key, the part of its value, and the explanation.
type Fault = (&'static str, String, String);

fn refuse<T>(key: &'static str, part: &str, why: &str) -> Result<T, Fault> {
    let message = match part {
        "" => why.to_owned(),
        part => format!("`{part}`: {why}"),
    };
    Err((key, part.to_owned(), message))
}

/// The error at the key of a fault, and in its value at the part where that stands there.
fn located(text: &str, (key, part, message): Fault) -> TextError {
    let is_key = |line: &&str| {
        let rest = line.trim_start().trim_start_matches('[');
        let rest = rest.strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with(['=', ']', '.']))
    };
    let quoted = format!("\"{part}\"");
    let keys = || text.lines().filter(is_key);
    let named = keys().rfind(|line| line.contains(&quoted));
    let line = named.or_else(|| keys().next()).unwrap_or(text);
    let start = line.as_ptr().addr() - text.as_ptr().addr();
    let below = text.get(start..).unwrap_or_default();
    let is_told = named.is_some() || !part.is_empty();
    let place = below.find(&quoted).filter(|_| is_told);
    let error = TextError::at(text, start + place.unwrap_or(0), "");
    TextError {
        message: format!("`{key}`: {message}"),
        ..error
    }
}

fn check(table: &Table, known: &[&'static Format]) -> Result<(), Fault> {
    check_name(table, known)?;
    check_places(table, known)?;
    check_paths(table)?;
    check_archive(table, known)?;
    check_file_names(table)?;
    check_policy(table)?;
    check_fields(table)
}

fn check_name(table: &Table, known: &[&'static Format]) -> Result<(), Fault> {
    let name = table.name();
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let why = if !name.chars().all(fits) {
        "a name has small letters, digits and `-`"
    } else if FORMATS.iter().any(|format| format.name == name) {
        "memkeep has a format of that name"
    } else if known.iter().any(|format| format.name == name) {
        "another table in this folder has that name"
    } else {
        return Ok(());
    };
    refuse("name", name, why)
}

/// Why a path may not stand in a table; none where it names something below where it starts.
fn leaves(path: &str, start: usize) -> Option<&'static str> {
    if path.contains(['\\', ':']) {
        return Some("a path has `/` between its parts and no `:`");
    }
    if path.starts_with('~') {
        return Some("it lies in a home folder");
    }
    let mut depth = start;
    for part in Path::new(path).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            _ => return Some("a path stays inside the repository"),
        }
    }
    (depth == 0).then_some("a path names something below the root")
}

fn check_places(table: &Table, known: &[&'static Format]) -> Result<(), Fault> {
    if table.project.is_empty() {
        return refuse("project", "", "a format has a place in the project");
    }
    for (number, place) in table.project.iter().enumerate() {
        let is_step = |part| !matches!(part, Component::Normal(_));
        let has_steps = Path::new(place).components().any(is_step);
        let why = leaves(place, 0).or(has_steps.then_some("a place has no `.` and no `..`"));
        let own = table.project.iter().take(number);
        if let Some(why) = why.map(str::to_owned).or_else(|| clash(place, own, known)) {
            return refuse("project", place, &why);
        }
    }
    Ok(())
}

/// True if a path is one of the folders that git and memkeep keep for themselves, or lies in one.
fn is_reserved(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.any(|part| RESERVED.iter().any(|own| part.eq_ignore_ascii_case(own)))
}

/// Says what a path of a table overlaps: a reserved folder, `own` other places, another format.
fn clash<'t>(
    path: &str,
    own: impl Iterator<Item = &'t String>,
    known: &[&'static Format],
) -> Option<String> {
    if is_reserved(path) {
        return Some("git and memkeep keep their own files there".to_owned());
    }
    let all = FORMATS.iter().chain(known.iter().copied());
    let others = all.flat_map(|format| {
        let name = format!("a place of {}", format.name);
        format.project.iter().map(move |at| (*at, name.clone()))
    });
    let own = own.map(|at| (at.as_str(), "another place of this format".to_owned()));
    let (at, what) = own.chain(others).find(|(at, _)| overlap(path, at))?;
    Some(format!("it overlaps `{at}`, {what}"))
}

/// True if two places can be one folder, or one contain the other; with `*` only at one depth.
/// Where each has a `*` for the other's name (`a/*`, `*/b`) the first format has what fits both.
fn overlap(a: &str, b: &str) -> bool {
    let count = |place: &str| place.split('/').count();
    let is_same_depth = count(a) == count(b);
    let parts = || a.split('/').zip(b.split('/'));
    let is_any = |a: &str, b: &str| a == "*" && b != "*";
    let is_crossed = parts().any(|(a, b)| is_any(a, b)) && parts().any(|(a, b)| is_any(b, a));
    let fits = parts().all(|(a, b)| {
        let is_any = a == "*" || b == "*";
        (is_same_depth || !is_any) && (names(a, b) || names(b, a))
    });
    fits && !is_crossed
}

/// Checks what a table names beside its stores: nothing lies outside of the repository.
fn check_paths(table: &Table) -> Result<(), Fault> {
    let at_home = [
        ("user", !table.user.is_empty()),
        ("home-env", table.home_env.is_some()),
        ("folder-setting", table.folder_setting.is_some()),
    ];
    if let Some((key, _)) = at_home.into_iter().find(|(_, is_set)| *is_set) {
        return refuse(key, "", "a team's format has stores in the project only");
    }
    let depth = |place: &String| place.split('/').count();
    let least = table.project.iter().map(depth).min().unwrap_or_default();
    let settings = table.name_patterns.iter().flat_map(|own| &own.files);
    let index = table.schema.can.index.iter().map(|index| &index.file);
    let carriers = table.carriers.iter().flat_map(|carriers| &carriers.files);
    let beside = table.beside.iter().map(|path| ("beside", path, least));
    let paths = beside
        .chain(settings.map(|path| ("files", path, least)))
        .chain(index.map(|path| ("file", path, 0)))
        .chain([("archive", &table.archive, least)])
        .chain(carriers.map(|path| ("files", path, 0)));
    for (key, path, start) in paths {
        if let Some(why) = leaves(path, start) {
            return refuse(key, path, why);
        }
    }
    let mut formats = table.carriers.iter().flat_map(|carriers| &carriers.formats);
    let is_known = |name: &String| FORMATS.iter().any(|format| format.name == *name);
    match formats.find(|name| !is_known(name)) {
        Some(unknown) => refuse("formats", unknown, "memkeep has no format of that name"),
        None => Ok(()),
    }
}

/// Refuses an archive that is a store, or lies in a place of a format.
fn check_archive(table: &Table, known: &[&'static Format]) -> Result<(), Fault> {
    let archive = &table.archive;
    let last = Path::new(archive).components().next_back();
    if !matches!(last, Some(Component::Normal(_))) {
        return refuse("archive", archive, "it is the store, or holds it");
    }
    for place in &table.project {
        let name = place.rsplit('/').next().unwrap_or_default();
        let path = joined(Path::new(place), &archive.replace("{name}", name));
        let own = table.project.iter().filter(|other| *other != place);
        if let Some(why) = clash(&path.to_string_lossy(), own, known) {
            return refuse("archive", archive, &why);
        }
    }
    Ok(())
}

fn check_file_names(table: &Table) -> Result<(), Fault> {
    if table.ends.is_empty() {
        return refuse("ends", "", "a file's name has an end");
    }
    let ends = table.ends.iter().map(|end| ("ends", end));
    for (key, end) in ends.chain(table.unread.keys().map(|end| ("unread", end))) {
        if end.is_empty() || end.contains(['/', '\\', '\n']) {
            let why = "the end of a file's name is not empty and has no `/`";
            return refuse(key, end, why);
        }
        if key == "ends" && !end.contains('.') {
            let why = "the end of a file's name begins with a `.`, or has one";
            return refuse(key, end, why);
        }
    }
    let separator = table.separator;
    if !SEPARATORS.contains(separator) {
        let why = "one of `-`, `_`, `.` and a blank";
        return refuse("separator", &separator.to_string(), why);
    }
    Ok(())
}

fn check_policy(table: &Table) -> Result<(), Fault> {
    let policy = table.schema.policy;
    let known = || TABLES.iter().filter(|own| own.schema.policy == policy);
    let list = |all: BTreeSet<&str>| Vec::from_iter(all).join("`, `");
    let has_index = |table: &Table| table.schema.can.index.is_some();
    let Some(first) = known().next() else {
        let all = TABLES.iter().map(|table| table.schema.policy).collect();
        let why = format!("unknown policy `{policy}`; one of `{}`", list(all));
        return Err(("policy", policy.to_owned(), why));
    };
    if has_index(first) && !has_index(table) {
        let why = "it goes by an index: describe it in a table [index]";
        return refuse("policy", policy, why);
    }
    if let Some(loader) = &table.loader {
        let why =
            format!("unknown loader `{loader}`: only memkeep's own formats have one; leave it out");
        return Err(("loader", loader.clone(), why));
    }
    let names = known().flat_map(|own| own.settings.keys().map(|name| &**name));
    let names: BTreeSet<&str> = names.chain(["off"]).collect();
    let unknown = |name: &&String| !names.contains(name.as_str());
    if let Some(name) = table.settings.keys().find(unknown) {
        let why = format!("`{name}`: the policy `{policy}` knows `{}`", list(names));
        return refuse("settings", "", &why);
    }
    let dialects: BTreeSet<&str> = known().filter_map(|own| own.schema.can.globs).collect();
    match table.schema.can.globs {
        Some(own) if !dialects.contains(own) => {
            refuse("dialect", own, &format!("one of `{}`", list(dialects)))
        }
        _ => Ok(()),
    }
}

fn check_fields(table: &Table) -> Result<(), Fault> {
    let mut seen = HashSet::new();
    for spec in table.schema.fields {
        let name = spec.name;
        let fault = |why: String| Err(("name", name.to_owned(), why));
        if name.is_empty() || !seen.insert(name) {
            return fault(format!("`{name}` is no name, or that of another field"));
        }
        if matches!(spec.kind, Kind::Choice([])) {
            return fault(format!("the field `{name}` has no `choices`"));
        }
        let first = table.schema.role(spec.role).map(|first| first.name);
        if spec.role != Role::Plain && first != Some(name) {
            let role = format!("{:?}", spec.role).to_lowercase();
            return refuse("role", &role, "two fields have this role");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    fn fault_of(table: &str) -> Option<ConfigError> {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(FOLDER);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("x.toml"), table).unwrap();
        let (_, wrong) = team_formats(dir.path());
        wrong.into_iter().next().map(|mut one| {
            one.message = one.message.replace("a format is not used: ", "");
            one
        })
    }

    const GOOD: &str = "name = \"xnotes\"\nabout = \"notes\"\npolicy = \"always\"\nproject = [\"docs/xnotes\"]\narchive = \"../xnotes-archive\"\n";

    #[test]
    fn what_is_wrong_with_a_table_is_told_with_line_column_and_key() {
        assert_eq!(fault_of(GOOD), None);
        for (from, to, place, part) in rows! {
            "xnotes\"\nabout" => "rum\"\nabout" => (1, 8) => "`name`",
            "\"xnotes\"" => "\"X notes\"" => (1, 8) => "small letters",
            "\"always\"" => "\"sometimes\"" => (3, 10) => "unknown policy `sometimes`",
            "\"always\"" => "\"index\"" => (3, 10) => "[index]",
            "docs/xnotes" => ".serena/memories/own" => (4, 12) => "a place of serena",
            "docs/xnotes" => "memory-bank" => (4, 12) => "a place of memory-bank",
            "docs/xnotes" => ".claude" => (4, 12) => "a place of claude",
            "docs/xnotes" => "/etc" => (4, 12) => "inside the repository",
            "../xnotes-archive" => "../../../away" => (5, 11) => "inside the repository",
            "../xnotes-archive" => ".." => (5, 11) => "is the store, or holds it",
            "archive =" => "user = [\".x\"]\narchive =" => (5, 1) => "in the project only",
            "archive =" => "beside = [\"../../../x\"]\narchive =" => (5, 11) =>
                "inside the repository",
            "archive =" => "beside = [\"~/x.md\"]\narchive =" => (5, 11) => "in a home folder",
            "archive =" => "ends = [\"/../../x.md\"]\narchive =" => (5, 9) => "has no `/`",
            "../xnotes-archive" => "../../.git/hooks" => (5, 11) =>
                "git and memkeep keep their own files there",
            "archive =" => "ends = []\narchive =" => (5, 1) => "has an end",
            "archive =" => "ends = [\".md\", \"md\"]\narchive =" => (5, 16) => "begins with a `.`",
            "archive =" => "loader = \"rawko\"\narchive =" => (5, 10) => "memkeep's own",
            "\"docs/xnotes\"" => "\"docs/xnotes\", \"docs\"" => (4, 27) =>
                "another place of this format",
            "../xnotes-archive" => "../../.cursor/rules" => (5, 11) => "a place of cursor",
            "archive =" => "ends = [\"\"]\narchive =" => (5, 9) => "not empty",
            "archive =" => "separator = \"/\"\narchive =" => (5, 13) => "one of `-`",
            "docs/xnotes" => ".git/notes" => (4, 12) => "their own files",
            "docs/xnotes" => ".memkeep" => (4, 12) => "their own files",
            "archive =" => "order = \"x\"\narchive =" => (5, 9) => "`order`",
            "name =" => "nom =" => (1, 1) => "unknown field `nom`",
        } {
            let error = fault_of(&GOOD.replacen(from, to, 1)).unwrap();
            assert!(error.message.contains(part), "{error}");
            assert_eq!((error.line, error.column), place, "{error}");
        }
        let index =
            |file: &str| format!("[index]\nfile = \"{file}\"\nlines = 9\nunits = 9\nline = 9\n");
        let field = |rest: &str| format!("[[field]]\nname = {rest}\nhelp = \"x\"\n");
        let two = ["\"a\"\nrole = \"title\"", "\"b\"\nrole = \"title\""].map(field);
        for (more, place, part) in rows! {
            index("../../../x.md") => (7, 8) => "`file`: `../../../x.md`: a path stays inside",
            index("~/x.md") => (7, 8) => "`file`: `~/x.md`: it lies in a home folder",
            field("\"kind\"\nkind = \"choice\"") => (7, 8) => "`kind` has no `choices`",
            two.concat() => (12, 8) => "two fields",
            field("\"\"") => (7, 8) => "is no name",
            "[settings]\nalwyas = \"x\"\n".into() => (6, 1) => "`alwyas`",
            "[carriers]\nwords = [\"x\"]\nformats = [\"cursor\", \"curser\"]\n".into() =>
                (8, 22) => "`formats`: `curser`: memkeep has no format of that name",
        } {
            let error = fault_of(&format!("{GOOD}{more}")).unwrap();
            assert!(error.message.contains(part), "{error}");
            assert_eq!((error.line, error.column), place, "{error}");
        }
        let globs = "policy = \"globs\"\n[settings]\ndialect = \"grep\"\n";
        let error = fault_of(&(GOOD.replace("policy = \"always\"\n", "") + globs)).unwrap();
        assert!(error.message.contains("one of `cursor`"), "{error}");
        assert_eq!((error.line, error.column), (7, 11), "{error}");
        for place in ["docs/*", "adr/*"] {
            assert_eq!(fault_of(&GOOD.replace("docs/xnotes", place)), None);
        }
        assert!(TABLES.iter().all(|own| check_fields(own).is_ok()));
    }
}
