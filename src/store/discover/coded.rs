//! Formats that no table describes.

use std::path::{Path, PathBuf};

use super::System;
use crate::store::{Store, StoreInfo};

/// A system that has code of its own.
pub struct Coded {
    /// See [`System::archive`].
    pub archive: fn(&Path) -> PathBuf,
    /// See [`System::holder`].
    pub holder: fn(&Path) -> Option<PathBuf>,
    /// See [`System::place`].
    pub place: fn(&Path) -> PathBuf,
    /// See [`System::open`].
    pub open: fn(StoreInfo) -> Box<dyn Store>,
}

impl System for Coded {
    fn archive(&self, store: &Path) -> PathBuf {
        (self.archive)(store)
    }

    fn holder(&self, path: &Path) -> Option<PathBuf> {
        (self.holder)(path)
    }

    fn place(&self, path: &Path) -> PathBuf {
        (self.place)(path)
    }

    fn open(&'static self, info: StoreInfo) -> Box<dyn Store> {
        (self.open)(info)
    }
}
