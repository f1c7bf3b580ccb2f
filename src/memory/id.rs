//! Ids: `STORE:LOCAL`, and how a person may shorten them.

use std::sync::Arc;

/// The id of a store: the format's name, or `format@folder` where two stores share one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StoreId(pub Arc<str>);

impl StoreId {
    /// The name of its format.
    pub fn format(&self) -> &str {
        self.0.split_once('@').map_or(&self.0, |(format, _)| format)
    }
}

impl std::fmt::Display for StoreId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

impl From<&str> for StoreId {
    fn from(id: &str) -> Self {
        Self(id.into())
    }
}

/// The id of a memory. LOCAL is the path below the store without its extension, with `#2` for
/// the second memory of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryId {
    /// The store it belongs to.
    pub store: StoreId,
    /// Its name inside the store.
    pub local: Box<str>,
}

impl MemoryId {
    /// An id from its two parts.
    pub fn new(store: &StoreId, local: impl Into<Box<str>>) -> Self {
        Self {
            store: store.clone(),
            local: local.into(),
        }
    }
}

impl std::fmt::Display for MemoryId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for part in [&*self.store.0, ":", &*self.local] {
            out.write_str(part)?;
        }
        Ok(())
    }
}

/// The meaning of a typed id.
#[derive(Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One memory, by its index.
    One(usize),
    /// Several: an exact id that occurs twice, or a prefix that fits more than one.
    Ambiguous(Vec<usize>),
    /// None.
    Unknown,
}

/// Finds what a typed id names: an exact id, then an exact LOCAL, then an unambiguous prefix of
/// either, in that order of preference (the contract's "Ids"); last FORMAT:LOCAL, so that an id stays
/// good where another store of its format appears.
pub fn resolve<'a>(typed: &str, ids: impl Iterator<Item = &'a MemoryId>) -> Resolved {
    let step = |id: &MemoryId| {
        let (store, local) = (&*id.store.0, &*id.local);
        let rest = typed.strip_prefix(store);
        let rest = rest.and_then(|rest| rest.strip_prefix(':'));
        let format = store.split('@').next().map(|format| (format, local));
        let is_store = !typed.contains(':') && store.starts_with(typed);
        match rest {
            Some(rest) if rest == local => Some(0),
            _ if local == typed => Some(1),
            Some(rest) if local.starts_with(rest) => Some(2),
            _ if local.starts_with(typed) || is_store => Some(2),
            _ => (typed.split_once(':') == format).then_some(3),
        }
    };
    let steps = ids.enumerate();
    let steps: Vec<(u8, usize)> = steps.filter_map(|(n, id)| Some((step(id)?, n))).collect();
    let best = steps.iter().map(|(step, _)| *step).min();
    let best = steps.iter().filter(|(step, _)| Some(*step) == best);
    let found: Vec<usize> = best.map(|(_, n)| *n).collect();
    match found.as_slice() {
        [] => Resolved::Unknown,
        [one] => Resolved::One(*one),
        _ => Resolved::Ambiguous(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    fn find(typed: &str, ids: &str) -> Resolved {
        let id = |id: &str| {
            let (store, local) = id.split_once(':').unwrap();
            MemoryId::new(&store.into(), local)
        };
        let ids: Vec<MemoryId> = ids.split(' ').map(id).collect();
        resolve(typed, ids.iter())
    }

    #[test]
    fn exact_ids_win_over_locals_and_locals_over_prefixes() {
        use Resolved::{Ambiguous, One, Unknown};
        let one = "rawko:auth rawko:auth-flow serena:auth serena:adr/0001 rawko:auth#2";
        let two = "serena@.:db serena@~/x:other serena@~/x:both serena@.:both";
        for (typed, ids, found) in rows! {
            "rawko:auth" => one => One(0), "auth" => one => Ambiguous(vec![0, 2]),
            "auth-" => one => One(1), "auth#2" => one => One(4), "adr/0" => one => One(3),
            "serena:ad" => one => One(3), "au" => one => Ambiguous(vec![0, 1, 2, 4]),
            "nothing" => one => Unknown, "serena:db" => two => One(0),
            "serena:both" => two => Ambiguous(vec![2, 3]), "rawko:db" => two => Unknown,
        } {
            assert_eq!(find(typed, ids), found, "{typed}");
        }
    }
}
