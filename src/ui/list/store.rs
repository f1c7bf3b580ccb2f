//! The name of a store on a row.

use crate::app::Model;
use crate::memory::StoreId;
use crate::ui::words;

/// The name that tells a store from the others: its folder, where all are of one format.
pub fn store_name<'a>(model: &'a Model, id: &'a StoreId) -> &'a str {
    let split = |id: &'a StoreId| id.0.split_once('@');
    let format = split(id).map(|(format, _)| format);
    let same = |other: &StoreId| other.0.split_once('@').map(|(format, _)| format) == format;
    // Folders of a home have long names that begin and end alike.
    let at_home = model.world.stores.iter().filter(|other| same(other));
    let at_home = at_home
        .filter_map(|other| Some(split(other)?.1))
        .filter(|one| one.starts_with("~/"));
    match split(id) {
        Some((_, folder)) if folder.starts_with("~/") && at_home.clone().count() > 1 => {
            words::apart(folder, at_home)
        }
        Some((_, folder)) if model.world.stores.iter().all(same) => folder,
        _ => &id.0,
    }
}
