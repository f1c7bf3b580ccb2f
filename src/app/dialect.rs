//! The dialect of the task box, and the systems that have none of that name.

use super::{Focus, Model, View};
use crate::app::inject::Part;

/// A dialect to choose, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Its name.
    pub name: &'static str,
    /// The formats whose policies have it, in the order of the stores; none where it is for all
    /// of them: what holds where nothing was chosen, and memkeep's own ranking.
    pub formats: Vec<&'static str>,
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
