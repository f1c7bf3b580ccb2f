//! What memories have for the rules that tell of all of them at the end, kept small.

use std::collections::HashMap;

use super::places::Places;
use crate::lint::cues::Cue;
use crate::lint::look::Gathered;
use crate::lint::stale_symbol::Spot;

/// What is kept of each memory.
#[derive(Default)]
pub(super) struct Gathers {
    /// Paths, names and files that could not be looked up; [`UNKNOWN`] where it has to be looked at again.
    unchecked: Vec<[u16; 3]>,
    /// The names of the code in those that have some.
    spots: HashMap<u32, Box<[Small]>>,
    /// The names, by their number.
    names: Vec<Box<str>>,
    number: HashMap<Box<str>, u32>,
}

const UNKNOWN: [u16; 3] = [u16::MAX; 3];

/// A name where a memory has it.
#[derive(Clone, Copy)]
struct Small {
    name: u32,
    start: u32,
    length: u32,
    cue: Option<Cue>,
}

impl Gathers {
    /// Nothing of so many memories.
    pub fn new(memories: usize) -> Self {
        Self {
            unchecked: vec![UNKNOWN; memories],
            ..Self::default()
        }
    }

    /// The same of so many memories, which stand at other places now.
    pub fn moved(self, places: &Places, memories: usize) -> Self {
        let mut moved = Self {
            names: self.names,
            number: self.number,
            ..Self::new(memories)
        };
        for (n, known) in self.unchecked.into_iter().enumerate() {
            let place = places.to(n).and_then(|to| moved.unchecked.get_mut(to));
            if let Some(place) = place {
                *place = known;
            }
        }
        let spots = self.spots.into_iter().filter_map(|(n, spots)| {
            let to = places.to(n as usize)?;
            Some((u32::try_from(to).ok()?, spots))
        });
        moved.spots.extend(spots);
        moved
    }

    /// Keeps what there is of a memory, where that is all.
    pub fn put(&mut self, index: usize, gathered: Gathered) {
        let [paths, names, files] = gathered.unchecked.map(u16::try_from);
        let (Some(place), Ok(key)) = (self.unchecked.get_mut(index), u32::try_from(index)) else {
            return;
        };
        *place = match (paths, names, files) {
            (Ok(paths), Ok(names), Ok(files)) if !gathered.more => [paths, names, files],
            _ => UNKNOWN,
        };
        let known = *place != UNKNOWN;
        let small = gathered
            .spots
            .into_iter()
            .filter_map(|spot| self.small(spot));
        let small: Box<[Small]> = small.collect();
        if known && !small.is_empty() {
            self.spots.insert(key, small);
        } else {
            self.spots.remove(&key);
        }
    }

    fn small(&mut self, spot: Spot) -> Option<Small> {
        let name = match self.number.get(&spot.name) {
            Some(name) => *name,
            None => {
                let next = u32::try_from(self.names.len()).ok()?;
                self.names.push(spot.name.clone());
                self.number.insert(spot.name, next);
                next
            }
        };
        Some(Small {
            name,
            start: u32::try_from(spot.bytes.start).ok()?,
            length: u32::try_from(spot.bytes.len()).ok()?,
            cue: spot.cue,
        })
    }

    /// What there is of a memory; none where it has to be looked at again.
    pub fn get(&self, index: usize) -> Option<Gathered> {
        let unchecked = self
            .unchecked
            .get(index)
            .filter(|known| **known != UNKNOWN)?;
        let small = self.spots.get(&u32::try_from(index).ok()?);
        let spots = small.into_iter().flatten().filter_map(|small| {
            let start = small.start as usize;
            Some(Spot {
                name: self.names.get(small.name as usize)?.clone(),
                bytes: start..start + small.length as usize,
                cue: small.cue,
            })
        });
        Some(Gathered {
            unchecked: unchecked.map(u32::from),
            spots: spots.collect(),
            more: false,
        })
    }
}
