//! Predicts a section from another section, its *base*: distances to honor from distances to mate,
//! and other rule sets' distances from makruk's.

use std::cmp::Ordering;
use std::io;

use super::contexts::UNKNOWN;
use crate::byte_map::ByteMap;
use crate::material::CanonicalMaterial;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::code::Code;
use crate::table::header::{Metric, SectionInfo};

/// Converts the base's codes to the codes of the section that is predicted from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverBase {
    /// For each code of the base, the code of the predicted section with the same value. If that
    /// section does not list the value, the code of the next worse value for White.
    numbers: ByteMap,
}

impl OverBase {
    /// The conversion for a section with these codes, which are sorted by [`for_white`].
    pub fn new(material: CanonicalMaterial, own: &SectionInfo, base: &SectionInfo) -> OverBase {
        let mut numbers = [UNKNOWN; 256];
        for (number, code) in numbers.iter_mut().zip(codes_of_base(material, own, base)) {
            let better = |own: &Code| for_white(*own, code) == Ordering::Less;
            let place = own.codes.partition_point(better);
            *number = place.min(own.codes.len().saturating_sub(1)) as u8;
        }
        OverBase {
            numbers: ByteMap::new(numbers),
        }
    }

    /// The section's code for a code of the base.
    #[inline(always)]
    pub fn number(&self, code: u8) -> u8 {
        self.numbers.of(code)
    }

    /// Replaces codes of the base with the section's codes.
    pub fn convert(&self, codes: &mut [u8]) {
        self.numbers.apply(codes);
    }
}

/// The codes of a base section, in the unit of the section that is predicted from it.
pub fn codes_of_base(
    material: CanonicalMaterial,
    own: &SectionInfo,
    base: &SectionInfo,
) -> impl Iterator<Item = Code> {
    let plies = |metric: Metric| metric.counts_plies(material);
    let in_plies = plies(own.metric) && !plies(base.metric);
    base.codes.iter().map(move |code| match in_plies {
        true => code.in_plies(FIFTY_MOVES_PLIES as u16),
        false => *code,
    })
}

/// A source of a base's cells: memory or a file.
pub trait BaseCells: Sync {
    /// Writes the cells of a block of the base to `out`, as codes of the section that is predicted
    /// from the base.
    fn read(&self, block: u64, out: &mut Vec<u8>) -> io::Result<()>;
}

/// Orders codes by their value for White, best first.
pub fn for_white(a: Code, b: Code) -> Ordering {
    let place = |code: Code| match code {
        Code::WhiteWins(moves) => (0, moves),
        Code::Draw => (1, 0),
        Code::Base => (1, 1),
        Code::BlackWins(moves) => (2, u16::MAX - moves),
    };
    place(a).cmp(&place(b))
}
