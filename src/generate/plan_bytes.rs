//! Sizes, in bytes, shared by the plans of all methods.

use super::library::KEEP_BYTES;
use crate::board::{Color, Game, Role};
use crate::material::{Army, CanonicalMaterial};
use crate::solve::LaneLayout;

/// The size of a lane in one bit plane, in bytes: one word.
pub const WORD: u64 = 8;

/// The number of bit planes for distances against a bare king, which are at most 63 moves.
pub const BARE_PLANES: u64 = 6;

/// The number of bit planes for White's distances with men on both sides. The distances are at most
/// 127 moves, or 255 with a khon, the slowest winner.
pub fn white_planes(army: Army) -> u64 {
    if army.count(Role::Khon) == 0 { 7 } else { 8 }
}

/// The size of a lane's 64 cells of one byte each, in bytes.
pub const CELLS: u64 = 64;

/// The memory of the program and its threads while it makes a table against a bare king, in bytes.
pub const PROGRAM: u64 = 40 << 20;

/// The largest memory of the writer's copy of cells against a bare king, in bytes. The copy takes a
/// fifth of the size of the cells if that is less.
pub const WRITER: u64 = 24 << 20;

/// The memory in addition to the arrays for an ending with men on both sides, in bytes. It is
/// larger than [`PROGRAM`], because the blocks are larger and of more kinds, and the allocator
/// keeps memory from one metric to the next.
pub const TWO_SIDED: u64 = 84 << 20;

/// Returns the largest number of bytes that a library keeps for the subendings of one solve, which
/// finds one side's wins under one goal. With ASEAN chess's bia, nearly all subendings have bia or
/// men on both sides, and those of all four solves are kept.
pub fn kept_bytes(material: CanonicalMaterial) -> u64 {
    let endings = material.closure().into_iter();
    let subendings = endings.filter(|&ending| ending != material);
    let all = subendings.map(|subending| {
        let of_winner = |winner: Color| {
            let army = subending.army(winner);
            let planes = match army.is_empty() {
                true => 0,
                // The open positions, and the distances with either side to move.
                false => 1 + leaf_planes(army) + BARE_PLANES.max(leaf_planes(army)),
            };
            let lanes = LaneLayout::cells(subending.material(), winner) / CELLS;
            lanes.saturating_mul(WORD * planes)
        };
        of_winner(Color::White).max(of_winner(Color::Black))
    });
    let solves = match material.game() {
        Game::Makruk => 1,
        Game::Asean => 4,
    };
    let bytes = all.fold(0, u64::saturating_add).saturating_mul(solves);
    bytes.min(KEEP_BYTES as u64)
}

/// The number of bit planes for the distances in the leaves of a solve in which this army wins.
pub fn leaf_planes(army: Army) -> u64 {
    match army.len() {
        1 => BARE_PLANES,
        _ => white_planes(army),
    }
}
