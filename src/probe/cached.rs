//! Probes that use only blocks already decoded.

use super::error::ProbeError;
use super::lookup::{Lookup, validate};
use super::store::Store;
use super::value::Value;
use crate::board::Position;
use crate::rules::{Category, Count, RuleSet};

/// Probes that use only decoded blocks, from [`Tablebase::cached`](super::Tablebase::cached). They
/// never open a file, read, allocate or wait, so a search may call them at any node.
#[derive(Clone, Copy, Debug)]
pub struct Cached<'a> {
    store: &'a Store,
}

impl<'a> Cached<'a> {
    pub(super) fn new(store: &'a Store) -> Cached<'a> {
        Cached { store }
    }

    /// [`Tablebase::category`](super::Tablebase::category), from decoded blocks only.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block is not decoded, else as for
    /// [`Tablebase::category`](super::Tablebase::category).
    pub fn category(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(self.store, rules).category(position, rules, count)
    }

    /// [`Tablebase::probe`](super::Tablebase::probe), from decoded blocks only.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block is not decoded, else as for
    /// [`Tablebase::probe`](super::Tablebase::probe).
    pub fn probe(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(self.store, rules).probe(position, rules, count)
    }
}
