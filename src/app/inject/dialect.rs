//! The dialect of the task box, and the systems that have none of that name.

use super::{Inject, Part};
use crate::app::{Focus, Model, View};

/// A dialect to choose, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Its name; empty for that of each store.
    pub name: &'static str,
    /// The formats whose policies have it, in the order of the stores; none where it is for all
    /// of them: what holds where nothing was chosen, and memkeep's own ranking.
    pub formats: Vec<&'static str>,
}

impl Inject {
    /// The dialect that is in use: the chosen one, else that of the store that is shown.
    pub fn dialect(&self) -> &'static str {
        if !self.limits.dialect.is_empty() {
            return self.limits.dialect;
        }
        let shown = |(store, _): &&(_, _)| Some(store) == self.store.as_ref();
        let own = self.own_dialects.iter().find(shown);
        let own = own.or(self.own_dialects.first());
        own.map_or("", |(_, name)| name)
    }

    /// Takes the next dialect, or the one before.
    pub fn turn_dialect(&mut self, by: isize) {
        let count = self.dialects.len();
        let known = |one: &Dialect| one.name == self.limits.dialect;
        let now = self.dialects.iter().position(known);
        if count == 0 {
            return;
        }
        let step = by.rem_euclid(isize::try_from(count).unwrap_or(1));
        let next = (now.unwrap_or(0) + step.unsigned_abs()) % count;
        if let Some(dialect) = self.dialects.get(next) {
            self.limits.dialect = dialect.name;
        }
    }
}

/// Which systems go on as before under the dialect that was chosen, where the person chooses it or
/// stands on a memory of one of them.
pub fn note(model: &Model) -> Option<String> {
    if model.view != View::Inject {
        return None;
    }
    let name = model.inject.limits.dialect;
    let chosen = model.inject.dialects.iter().find(|one| one.name == name)?;
    let has = |format: &&str| chosen.formats.is_empty() || chosen.formats.contains(format);
    let mut others: Vec<&str> = Vec::new();
    for schema in &model.world.schemas {
        if !has(&schema.format) && !others.contains(&schema.format) {
            others.push(schema.format);
        }
    }
    let choosing = model.focus() == Focus::Task && model.inject.part == Part::Dialect;
    let here = model.current().map(|memory| memory.schema.format);
    if others.is_empty() || !(choosing || here.is_some_and(|here| others.contains(&here))) {
        return None;
    }
    let all = |names: &[&str]| match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    let default = if others.len() == 1 {
        "goes by its default"
    } else {
        "go by their defaults"
    };
    Some(format!(
        "`{name}` is a dialect of {}: {} {default}",
        all(&chosen.formats),
        all(&others)
    ))
}
