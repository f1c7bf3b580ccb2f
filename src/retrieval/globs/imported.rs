//! Files that are loaded only with a file that imports them (formats: claude, "Imports").

use std::collections::BTreeMap;

/// The files that only imports load, by LOCAL, each with a file that imports it; none where one of
/// these is loaded.
#[derive(Default)]
pub(in crate::retrieval) struct Imported(BTreeMap<String, Option<String>>);

impl Imported {
    /// Those of a setting: a line for each import, LOCAL of what is imported and of what imports
    /// it.
    pub(super) fn new(lines: &str, is_loaded: impl Fn(&str) -> bool) -> Self {
        let pairs = || lines.lines().filter_map(|line| line.split_once('\t'));
        let waits = pairs().map(|(to, from)| (to.to_owned(), Some(from.to_owned())));
        let mut all: BTreeMap<String, Option<String>> = waits.collect();
        // An import of an import is one step further.
        for _ in 0..all.len() {
            let is_given = |from: &str| match all.get(from) {
                Some(waits) => waits.is_none(),
                None => is_loaded(from),
            };
            let given = pairs().filter(|(_, from)| is_given(from));
            let given: Vec<(String, Option<String>)> =
                given.map(|(to, _)| (to.to_owned(), None)).collect();
            all.extend(given);
        }
        Self(all)
    }

    /// True if a file is loaded, else a file that imports it; none for one that is loaded by
    /// itself.
    pub(super) fn get(&self, local: &str) -> Option<&Option<String>> {
        self.0.get(local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_goes_with_what_imports_it() {
        let lines = "b\ta\nc\tb\nd\tx\nd\tc\ne\tx\nf\tg\ng\tf";
        let all = Imported::new(lines, |local| local == "a");
        let waits = |from: &str| Some(Some(from.to_owned()));
        for (local, expected) in [
            ("a", None),
            ("b", Some(None)),
            ("c", Some(None)),
            ("d", Some(None)),
            ("e", waits("x")),
            ("f", waits("g")),
        ] {
            assert_eq!(all.get(local), expected.as_ref(), "{local}");
        }
    }
}
