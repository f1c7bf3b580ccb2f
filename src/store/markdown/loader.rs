//! Behaviour of system loaders that no table describes: one small trait, and a name in the table.

mod rawko;

use std::borrow::Cow;
use std::ops::Range;

use crate::memory::{Fields, Sight, Timestamp};

/// The peculiarities of a system's own loader. A loader without any needs only a table.
pub(super) trait Loader: Send + Sync {
    /// The text that the loader takes for the frontmatter of the first document, where that is
    /// another than `ours`.
    fn other_front<'a>(
        &self,
        bytes: &'a [u8],
        number: u32,
        ours: Option<&Range<usize>>,
    ) -> Option<Cow<'a, str>> {
        let _ = (bytes, number, ours);
        None
    }
    /// How far the loader gets with a memory of a file it opens, and why no further. `broken` says
    /// why its fields cannot be trusted.
    fn sight(
        &self,
        bytes: &[u8],
        number: u32,
        fields: &Fields,
        broken: Option<&str>,
    ) -> (Sight, Option<String>) {
        let _ = (bytes, number, fields);
        match broken {
            Some(why) => (Sight::NoFields, Some(why.to_owned())),
            None => (Sight::Seen, None),
        }
    }
    /// Returns the body as the loader sees it, if that is not the text behind the frontmatter.
    fn body(&self, bytes: &[u8], number: u32) -> Option<Range<usize>> {
        let _ = (bytes, number);
        None
    }
    /// When a body says that it was last changed.
    fn updated(&self, body: &[u8]) -> Option<Timestamp> {
        let _ = body;
        None
    }
    /// The bytes of a file as the loader reads them, where it insists on a form.
    fn normalized(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let _ = bytes;
        None
    }
}

/// A loader that does what its table says.
struct Plain;

impl Loader for Plain {}

/// Every loader there is.
static LOADERS: &[(&str, &dyn Loader)] = &[("rawko", &rawko::Rawko)];

/// True if there is a loader with a name.
pub fn has_loader(name: &str) -> bool {
    LOADERS.iter().any(|(known, _)| *known == name)
}

/// The loader with a name; the one without peculiarities where there is none.
pub(super) fn named(name: Option<&str>) -> &'static dyn Loader {
    let known = LOADERS.iter().find(|(known, _)| Some(*known) == name);
    known.map_or(&Plain, |(_, loader)| *loader)
}
