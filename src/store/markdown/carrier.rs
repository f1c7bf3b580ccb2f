//! What tells a model to read a store that no program reads.

use std::path::Path;

use crate::memory::format::Carriers;
use crate::store::files;

/// A larger file is no rule.
const LARGEST: u64 = 1 << 20;

/// What tells a model to read a store, by its path below the project: a folder of rules that the
/// store lies in, else the first file that names it.
pub(super) fn find(root: &Path, store: &Path, carriers: &Carriers) -> Option<String> {
    let mut folders = carriers.files.iter();
    let holds = |folder: &str| store.starts_with(root.join(folder));
    let folder = folders.find_map(|place| place.strip_suffix("/*").filter(|one| holds(one)));
    if let Some(folder) = folder {
        return Some(folder.to_owned());
    }
    let places = carriers.files.iter();
    let places = places.flat_map(|place| super::context::expanded(root, place));
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
