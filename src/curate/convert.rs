//! A memory of one format as a memory of another one: fields go by the part they play, and what has
//! no place there is kept at the end of the text, where a conversion back finds it.

mod fields;
mod kept;
mod links;
mod mapping;
mod name;

use std::collections::HashSet;

use self::fields::RoleFields;
pub use self::fields::is_on_task;
pub use self::links::{Targets, rebased};
pub use self::mapping::words_pattern;
use self::mapping::{described, mapped, same};
pub use self::name::{bare, parts_in, plain};
use crate::memory::document::is_crlf;
use crate::memory::format::{Untitled, table_of};
use crate::memory::frontmatter::with_crlf;
use crate::memory::schema::FieldSpec;
use crate::memory::{Memory, Role, Schema, Timestamp, Value, first_line};

/// The memory that is converted.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The memory, with the fields that its store reads when they are asked for.
    pub memory: &'a Memory,
    /// Its body.
    pub body: &'a str,
    /// Targets of its links.
    pub targets: &'a Targets,
}

/// What a new memory says of itself where its source does not.
#[derive(Clone, Copy, Debug)]
pub struct Defaults<'a> {
    /// The clock.
    pub now: Timestamp,
    /// Who writes it.
    pub author: &'a str,
}

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
    /// The fields that are kept in the body.
    pub kept: Vec<String>,
}

/// Makes a memory of another format out of one.
pub fn convert(source: Source<'_>, to: &'static Schema, defaults: Defaults<'_>) -> Converted {
    let written = source.memory.schema.can.written_as;
    let text = written.and_then(|name| Some(source.memory.field(name)?.to_string()));
    let text = text.as_deref().unwrap_or(source.body);
    let mut way = links::Way {
        from: (source.memory.schema, folder(&source.memory.id.local)),
        to: (to, ""),
        targets: source.targets,
    };
    let (body, blocks) = kept::parse(&text.replace("\r\n", "\n"), &way);
    let own = RoleFields::of_memory(source.memory, &body);
    let parts = Conversion::new(own, blocks, to);
    let title = parts.title();
    let mut fields = parts.fields(&title, defaults);
    let name = name::of(source.memory, to, &title);
    // A store that may be one file keeps no names to take the title from on the way back.
    let is_named = table_of(to).is_some_and(|table| !table.may_be_file);
    let last = name.as_deref().filter(|_| is_named);
    let again = with_title(&body, (&title, last), source.memory.schema) != body;
    way.to.1 = folder(name.as_deref().unwrap_or_default());
    let body = links::translated(&parts.own_body(&body), &way);
    let mut text = match parts.back.is_untitled {
        true => body.clone(),
        false => with_title(&body, (&title, name.as_deref()), to),
    };
    let is_untitled = again || text != body;
    let mut left = parts.left(&title, &fields, (defaults, is_untitled));
    let kept = left.iter().flat_map(|(_, fields)| fields);
    let kept = kept.map(|(name, _)| name.clone()).collect();
    parts.mark_untitled(is_untitled, &mut left);
    if !left.is_empty() {
        text = format!("{}\n\n{}", text.trim_end(), kept::write(&left, &way));
    }
    fields.retain(|(_, value)| *value != Value::Null);
    let mut body = text.trim_start_matches('\n').to_owned();
    if table_of(to).is_some() && is_crlf(source.body.as_bytes()) {
        body = with_crlf(&body);
    }
    Converted {
        name,
        title,
        fields,
        body,
        kept,
    }
}

/// The folder part of a name; empty if it has none.
fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A body that says its title where neither a field of the format nor the memory's name does.
fn with_title(body: &str, (title, name): (&str, Option<&str>), to: &'static Schema) -> String {
    let table = table_of(to);
    let mut lines = body.lines().filter_map(|line| line.strip_prefix("# "));
    let has_heading = body.trim_start().starts_with("# ") || lines.any(|line| line == title);
    let is_heading = table.is_some_and(|table| {
        // The file's name says less than the title does.
        let slug = name::plain(title, table.separator);
        let own = name.map_or(&*slug, |name| name.rsplit('/').next().unwrap_or(name));
        let is_lost = fields::spoken(own) != title;
        // A store that is one file is not named after its memory.
        let is_unnamed = name.is_none() || table.may_be_file;
        table.title_is_slug && is_lost
            || table.untitled.contains(&Untitled::Heading) && (is_lost || is_unnamed)
    });
    if is_heading && !has_heading {
        return format!("# {title}\n\n{body}");
    }
    if RoleFields::none(to).shows_first_line() && first_line(body) != first_line(title) {
        return format!("{title}\n\n{body}");
    }
    body.to_owned()
}

/// What is known of a memory: its own fields, and those that earlier conversions kept in its text.
struct Conversion {
    own: RoleFields,
    /// What was kept when it was converted from the format that it goes to.
    back: RoleFields,
    /// Whether it was converted from that format before.
    comes_back: bool,
    /// What was kept when it was converted from others.
    others: Vec<RoleFields>,
    /// The memory of the other format that this one seems to come from: what was kept of it, and
    /// what its other fields are made into.
    then: RoleFields,
    to: &'static Schema,
}

type Fields = Vec<(String, Value)>;

impl Conversion {
    fn new(own: RoleFields, blocks: Vec<RoleFields>, to: &'static Schema) -> Self {
        let (mut back, others): (Vec<RoleFields>, Vec<RoleFields>) =
            blocks.into_iter().partition(|facts| facts.schema == to);
        let comes_back = !back.is_empty();
        let mut back = back.pop().unwrap_or_else(|| RoleFields::none(to));
        // A pattern may be made of title and tags.
        back.title.clone_from(&own.title);
        let mut then = back.clone();
        then.lead.clone_from(&own.lead);
        // A word that makes a memory important comes back by that, and is not kept.
        then.implies_mode = back.role(Role::Mode).is_some();
        for spec in to.fields.iter().filter(|_| !back.values.is_empty()) {
            if back.get(spec.name).is_none() {
                let value = mapped(&own, to, spec);
                then.values
                    .extend(value.map(|value| (spec.name.to_owned(), value)));
            }
        }
        Self {
            own,
            back,
            comes_back,
            others,
            then,
            to,
        }
    }

    /// The body as it was before a conversion put the title above it.
    fn own_body(&self, body: &str) -> String {
        let mut body = body.trim_end().trim_start_matches(['\n', '\r']);
        let has_title = body.starts_with("# ") || self.own.shows_first_line();
        if self.back.is_untitled && has_title && first_line(body) == first_line(&self.own.title) {
            let rest = body.split_once('\n').map(|(_, rest)| rest);
            body = rest
                .unwrap_or_default()
                .trim_start_matches(['\n', '\r', ' ']);
        }
        if self.own.table.is_some() {
            return body.to_owned();
        }
        // A system that ends a text at an empty line has blanks in it.
        let lines = body.lines().map(|line| match line.trim() {
            "" => "",
            _ => line,
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Says which texts had no title above them: a conversion back puts none there.
    fn mark_untitled(&self, is_untitled: bool, left: &mut Vec<(&'static Schema, Fields)>) {
        let all = std::iter::once(&self.own).chain(&self.others);
        for facts in all {
            let is_own = std::ptr::eq(facts, &self.own);
            if !(facts.is_untitled || is_own && is_untitled) {
                continue;
            }
            let mark = (kept::TITLE.0.to_owned(), kept::TITLE.1.into());
            match left.iter_mut().find(|(schema, _)| *schema == facts.schema) {
                Some((_, fields)) => fields.insert(0, mark),
                None => left.push((facts.schema, vec![mark])),
            }
        }
    }

    /// The title: the one that was kept, else that of the memory.
    fn title(&self) -> String {
        let kept = std::iter::once(&self.back).chain(&self.others);
        let mut kept = kept.filter_map(|facts| facts.role(Role::Title));
        let kept = kept.next().and_then(|(_, value)| value.as_str());
        kept.map_or_else(|| self.own.title.clone(), ToOwned::to_owned)
    }

    /// The fields of the other format, beside the title and the text.
    fn fields(&self, title: &str, defaults: Defaults<'_>) -> Fields {
        let mut all: Fields = Vec::new();
        let unknown = self.back.unknown().filter(|_| !self.to.can.closed);
        let mut unknown: Fields = unknown.collect();
        // A name that is not that of the file.
        let name = self.to.role(Role::Title).filter(|_| is_slug(self.to));
        let name = name.and_then(|spec| Some((spec.name.to_owned(), self.back.get(spec.name)?)));
        all.extend(name.map(|(name, value)| (name, value.clone())));
        let is_asked = |spec: &&'static FieldSpec| {
            let written = self.to.is_text(spec.name) || self.to.can.written_as == Some(spec.name);
            spec.role != Role::Title && !written
        };
        for spec in self.to.fields.iter().filter(is_asked) {
            let value = self.value(spec, defaults);
            // A memory that comes back had no other fields than are known.
            let is_new = !self.comes_back || spec.required;
            let usual = || usual(&self.own, (self.to, spec), title, defaults);
            let value = value.or_else(|| is_new.then(usual).flatten());
            let Some(value) = value else { continue };
            // What else a mapping holds stands where its first field does.
            let mut aliases = spec.aliases.iter();
            let mapping = aliases.find_map(|alias| Some(alias.split_once('.')?.0));
            let at = unknown
                .iter()
                .position(|(name, _)| Some(&**name) == mapping);
            all.extend(at.map(|at| unknown.remove(at)));
            all.push((spec.name.to_owned(), value));
        }
        all.append(&mut unknown);
        if !self.to.can.closed {
            let own = self.own.unknown().filter(|_| self.own.schema == self.to);
            all.extend(own);
        }
        all
    }

    fn value(&self, spec: &'static FieldSpec, defaults: Defaults<'_>) -> Option<Value> {
        let kept = self.back.get(spec.name);
        if let Some(kept) = kept.filter(|_| !self.is_outdated(spec, defaults)) {
            return Some(kept.clone());
        }
        // What the system fills is not copied from another system.
        if self.to.follows.contains(&spec.name) && spec.role != Role::Updated {
            return None;
        }
        let mut all = std::iter::once(&self.own).chain(&self.others);
        all.find_map(|facts| mapped(facts, self.to, spec))
    }

    /// Whether the memory says something else by now than what was made of a kept field.
    fn is_outdated(&self, spec: &'static FieldSpec, defaults: Defaults<'_>) -> bool {
        let own = self.own.schema;
        let is_alike = spec.role != Role::Patterns || is_on_task(own) == is_on_task(self.to);
        let mut roles = vec![spec.role];
        if own.role(spec.role).is_none() || !is_alike {
            roles = match spec.role {
                Role::Importance => vec![Role::Mode, Role::Patterns],
                Role::Mode => vec![Role::Importance],
                Role::Patterns => vec![Role::Description],
                Role::Description => vec![Role::Patterns],
                _ => return false,
            };
        }
        // The first of these parts that the format has is what the field was made into.
        let known = roles.into_iter().find(|role| own.role(*role).is_some());
        let Some(role) = known.filter(|role| *role != Role::Plain) else {
            return false;
        };
        own.roles(role).any(|one| {
            let then = mapped(&self.then, own, one);
            let then = then.or_else(|| usual(&self.then, (own, one), &self.own.title, defaults));
            !same(one, then.as_ref(), self.own.get(one.name))
        })
    }

    /// What the other format does not hold, by the format that it comes from: what a conversion of
    /// the new fields would not give back.
    fn left(
        &self,
        title: &str,
        fields: &[(String, Value)],
        (defaults, is_untitled): (Defaults<'_>, bool),
    ) -> Vec<(&'static Schema, Fields)> {
        let made = RoleFields::made(self.to, title, fields);
        let mut left: Vec<(&'static Schema, Fields)> = Vec::new();
        let others = std::iter::once(&self.own).chain(&self.others);
        for facts in others {
            let is_own = std::ptr::eq(facts, &self.own);
            // What comes of a field on the way back, by what is said of it.
            let comes_back = |name: &str, value: &Value| {
                let Some(spec) = facts.spec(name) else {
                    return match facts.schema == self.to {
                        true => Back::Same,
                        false => Back::Other,
                    };
                };
                if spec.role == Role::Title {
                    return match is_own || self.shows_title(title) {
                        true => Back::Same,
                        false => Back::Other,
                    };
                }
                let again = usual(facts, (facts.schema, spec), title, defaults);
                let back = mapped(&made, facts.schema, spec);
                let is_made =
                    back.is_none() && spec.role != Role::Created && again.as_ref() == Some(value);
                // If the absence is not kept, the way back makes a description from the text.
                let is_described = spec.role == Role::Description && again.is_some();
                if is_described && *value == Value::Null && back.is_none() {
                    return Back::Other;
                }
                let is_implied = facts.implies_mode && spec.role == Role::Mode;
                match back.is_none() && !is_implied {
                    true if is_made || same(spec, None, Some(value)) => Back::ByDefault,
                    _ if same(spec, back.as_ref(), Some(value)) => Back::Same,
                    _ => Back::Other,
                }
            };
            let values = facts.values.iter();
            let is_lost = |(name, value): &&(String, Value)| comes_back(name, value) == Back::Other;
            let mut rest: Fields = values.clone().filter(is_lost).cloned().collect();
            if is_own {
                let title = self.lost_title(title);
                let absent = facts
                    .absent()
                    .filter(|name| comes_back(name, &Value::Null) == Back::Other);
                rest.extend(absent.map(|name| (name.to_owned(), Value::Null)));
                if !rest.is_empty() || title.is_some() || is_untitled {
                    // A memory that something was kept of gets no defaults on the way back.
                    let is_default = |(name, value): &&(String, Value)| {
                        comes_back(name, value) == Back::ByDefault
                    };
                    rest.extend(values.filter(is_default).cloned());
                }
                rest.sort_by_key(|(name, _)| facts.place(name));
                rest.splice(0..0, title);
            }
            if !rest.is_empty() {
                left.push((facts.schema, rest));
            }
        }
        let mut seen = HashSet::new();
        left.retain(|(schema, _)| seen.insert(schema.format));
        left
    }

    /// The title, where the new memory shows another one.
    fn lost_title(&self, title: &str) -> Option<(String, Value)> {
        let (spec, value) = self.own.role(Role::Title)?;
        if is_slug(self.own.schema) {
            // A name that is that of the file comes back with it.
            let is_name = value.as_str() == Some(&self.own.stem);
            return (!is_name).then(|| (spec.name.to_owned(), value.clone()));
        }
        (!self.shows_title(title)).then(|| (spec.name.to_owned(), title.into()))
    }

    /// Whether the new memory shows the title, in a field or as the heading of its text.
    fn shows_title(&self, title: &str) -> bool {
        let Some(table) = table_of(self.to) else {
            return true;
        };
        let is_heading = self.own.heading.as_deref().is_none_or(|own| own == title);
        let gets_heading = table.title_is_slug || table.untitled.contains(&Untitled::Heading);
        let is_field = self.to.role(Role::Title).is_some() && !table.title_is_slug;
        is_field || is_heading && gets_heading
    }
}

/// What a conversion back makes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    /// The same.
    Same,
    /// The same where nothing is kept: it is the default.
    ByDefault,
    /// Something else.
    Other,
}

/// Whether the title field of a format holds the name of the file.
fn is_slug(schema: &'static Schema) -> bool {
    table_of(schema).is_some_and(|table| table.title_is_slug)
}

/// What a new memory of a format has in a field that nothing is known of; `known` are the fields
/// of the memory that it is made of.
fn usual(
    known: &RoleFields,
    (to, spec): (&'static Schema, &'static FieldSpec),
    title: &str,
    defaults: Defaults<'_>,
) -> Option<Value> {
    let tags = || {
        let tags = known.role(Role::Tags).map(|(_, value)| value.clone());
        let tags = tags.unwrap_or_default();
        let tags = tags.items().map(ToString::to_string);
        tags.collect::<Vec<_>>()
    };
    match spec.role {
        Role::Patterns if spec.required && is_on_task(to) => Some(words_pattern(title, &tags())),
        Role::Tags if spec.required => Some(Value::List([].into())),
        Role::Created if spec.required => {
            let at = known.created.unwrap_or(defaults.now);
            Some(at.to_rfc3339().into())
        }
        // Models choose memories by description. A memory that could have one lacks it on purpose.
        Role::Description
            if known.schema.role(Role::Description).is_none() || known.schema == to =>
        {
            known.lead.as_deref().map(|lead| described(lead, spec))
        }
        Role::Author if spec.required && spec.default.is_none() => Some(defaults.author.into()),
        _ => spec.default_value(),
    }
}
