//! What tells a model to read a store that no program reads.

use std::path::Path;

use crate::memory::format::Carriers;
use crate::store::discover::expand;
use crate::store::files;

/// A larger file is no rule.
const LARGEST: u64 = 1 << 20;

/// The first file of a project that names the store, by its path below the project.
pub(super) fn find(root: &Path, carriers: &Carriers) -> Option<String> {
    let places = carriers.files.iter().flat_map(|place| expand(root, place));
    let names = |path: &Path| {
        let meta = std::fs::metadata(path).ok()?;
        let is_small = meta.is_file() && meta.len() <= LARGEST;
        let (bytes, _) = is_small.then(|| files::read(path).ok()).flatten()?;
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        carriers
            .words
            .iter()
            .any(|word| text.contains(word))
            .then_some(())
    };
    let mut found = places.filter(|path| names(path).is_some());
    let path = found.next()?;
    let below = path.strip_prefix(root).unwrap_or(&path);
    Some(below.to_string_lossy().into_owned())
}
