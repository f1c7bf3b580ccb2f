//! The columns of the list, by its width.

use super::store_name;
use crate::app::Model;
use crate::app::layout::{Areas, Room};
use crate::memory::{Role as Part, Schema};
use crate::ui::safe;

/// Columns of the list, worked out from its width.
pub(super) struct Columns {
    pub title: usize,
    pub rank: bool,
    pub points: bool,
    pub facts: bool,
    pub tags: usize,
    pub store: usize,
    /// Of the bar of importance, or of the type where there is none.
    pub kind: usize,
    /// The heading of that column.
    pub word: &'static str,
}

/// Columns of the marks at the right.
const MARKS: usize = 3;
/// Columns of the one mark of a narrow list.
pub(super) const MARK: usize = 1;
/// Columns before the title: the cursor and whether it is picked.
pub(super) const LEAD: usize = 2;
/// Columns of the bar of importance, and of a type.
pub(super) const BAR: usize = 4;
const TYPE: usize = 10;
/// Columns of the gap before importance, and of age.
const FACTS: usize = 2 + 4;
/// Columns that titles and stores have before tags are shown, and before types are.
const TITLES: usize = 34;
const WORDS: usize = 30;
/// The most and the fewest columns that names of stores have.
const STORE: usize = 14;
const LEAST_STORE: usize = 4;
/// Columns of rank and score with the gaps before them.
pub(super) const RANK: usize = 4;
pub(super) const POINTS: usize = 5;

impl Columns {
    pub fn new(model: &Model, areas: &Areas) -> Self {
        let width = usize::from(areas.rows.width);
        let facts = areas.room >= Room::Medium;
        let marks = if facts { MARKS } else { MARK };
        let room = width.saturating_sub(LEAD + marks + 1);
        let rank = facts && model.inject.preview().is_some();
        let points = rank && model.inject.has_points;
        let has = |part| move |schema: &&'static Schema| schema.role(part).is_some();
        let schemas = &model.world.schemas;
        let bars = schemas.iter().any(has(Part::Importance));
        let types = schemas.iter().any(has(Part::Type));
        let fixed = if facts { FACTS } else { 0 }
            + if rank { RANK } else { 0 }
            + if points { POINTS } else { 0 };
        let stores = &model.world.stores;
        let several = stores.len() > 1;
        // Types are whole words, where titles have room beside them.
        let beside = |kind| room.saturating_sub(fixed + kind);
        let kind = match (bars, types) {
            _ if !facts => 0,
            (_, true) if beside(TYPE) >= WORDS || !several && !bars => TYPE,
            (false, true) => 0,
            _ => BAR,
        };
        let rest = beside(kind);
        let widest = stores
            .iter()
            .map(|id| safe::width(store_name(model, id)))
            .max();
        // A narrow list has the beginning of the name.
        let store = match widest {
            Some(widest) if several => {
                let most = widest.clamp("STORE".len(), STORE);
                most.min(rest / 5).max(LEAST_STORE)
            }
            _ => 0,
        };
        let rest = rest.saturating_sub(if store > 0 { store + 2 } else { 0 });
        let tags = match facts && rest >= TITLES {
            true => (rest - TITLES.max(rest * 3 / 5)).max(8),
            false => 0,
        };
        Self {
            title: rest.saturating_sub(if tags > 0 { tags + 2 } else { 0 }),
            rank,
            points,
            facts,
            tags,
            store,
            kind,
            word: if bars { "IMP" } else { "TYPE" },
        }
    }
}
