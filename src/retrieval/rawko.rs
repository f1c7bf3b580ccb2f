//! rawko
use super::{Policy, Scorer, Snapshot};
/// x
pub struct Rawko;
impl Policy for Rawko {
    fn name(&self) -> &'static str {
        "rawko"
    }
    fn dialects(&self) -> &'static [&'static str] {
        &["natural", "arbiter", "unified", "sdk"]
    }
    fn scorer(&self, _memories: Snapshot) -> Box<dyn Scorer> {
        unreachable!()
    }
}
