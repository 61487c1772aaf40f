//! Tables generated once for all these tests, and positions to probe.

use std::path::Path;
use std::sync::OnceLock;

use sakmak::board::{Color, Position, Square};
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::{Options, Tablebase};
use tempfile::TempDir;

use crate::making::made_as_published;

/// The bare-king endings, one with different men on both sides, one with a khon, one with the same
/// men.
const SETS: [&str; 4] = ["bare-4", "KRvKN", "KSvKM", "KNvKN"];

/// The directory of tables that all these tests read. Tests must not write to it.
pub fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    TABLES.get_or_init(|| made_as_published(&SETS)).path()
}

/// A directory with copies of some of the tables.
pub fn copies(names: &[&str]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for name in names {
        let file = format!("{name}.skm");
        std::fs::copy(tables().join(&file), directory.path().join(&file)).unwrap();
    }
    directory
}

/// The endings of the tables.
pub fn materials() -> Vec<CanonicalMaterial> {
    let sets = SETS.into_iter().flat_map(|set| parse_set(set).unwrap());
    let mut materials: Vec<_> = sets.collect();
    materials.sort();
    materials.dedup();
    materials
}

/// A tablebase of a directory.
pub fn tablebase(directory: &Path, options: &Options) -> Tablebase {
    let mut tablebase = Tablebase::with_options(options).unwrap();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

/// Legal positions of an ending with either side to move, some of them with the colours exchanged.
pub fn positions(material: CanonicalMaterial, n: usize) -> Vec<Position> {
    let roles: Vec<_> = material.material().roles().collect();
    let mut state = 1u64;
    let mut below = |limit: u64| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit) as usize
    };
    let mut found = Vec::new();
    while found.len() < n {
        let turn = Color::ALL[below(2)];
        let swap = below(2) == 1;
        let men: Vec<_> = roles
            .iter()
            .map(|&(color, role)| (Square::wrapping(below(64)), color, role))
            .collect();
        if let Ok(position) = Position::from_men(men, turn) {
            found.push(if swap { position.flipped() } else { position });
        }
    }
    found
}
