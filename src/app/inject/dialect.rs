//! The dialect of the task box, and the systems that have none of that name.

use super::Inject;

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
