//! Estimates the size of sections from a sample of their blocks.

use rayon::prelude::*;

use super::block::{Encoded, Encoder, SectionPacker};
use super::block_size::BlockPacking;
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::table::code::CellSource;
use crate::table::header::{Packing, SectionInfo};
use crate::table::symbol_rank::decode::SectionShape;
use crate::table::symbol_rank::encode::{Ranking, sort_codes};
use crate::table::symbol_rank::train::train;

/// The number of blocks that a task compresses.
const TASK_BLOCKS: usize = 8;

/// Picks a sample of at most `max_sampled` of a section's `blocks` blocks, and returns their
/// indices. Divides the blocks into equal shares, and picks a random block of each share: equally
/// spaced blocks might all have the same digits of the inner components.
pub fn spread(blocks: u64, max_sampled: u64) -> Vec<u64> {
    let n = max_sampled.min(blocks);
    let place = |i: u64| (u128::from(i) * u128::from(blocks) / u128::from(n)) as u64;
    // One step of Knuth's MMIX generator, whose upper bits are the most random.
    let noise = |i: u64| (i + 1).wrapping_mul(6_364_136_223_846_793_005) >> 32;
    (0..n)
        .map(|i| place(i) + noise(i) % (place(i + 1) - place(i)).max(1))
        .collect()
}

/// Estimates the size in bytes of a section in this packing from a sample of at most `blocks`
/// blocks, to choose an order and a packing. `level` is the zstd level of plain blocks. `None` if
/// the section does not allow the packing.
pub fn estimate(
    material: CanonicalMaterial,
    info: &SectionInfo,
    packing: BlockPacking,
    level: i32,
    source: &dyn CellSource,
    blocks: u64,
) -> Option<u64> {
    if packing.kind == Packing::Plain {
        let all = source.cells().div_ceil(packing.cells.into());
        let chosen = spread(all, blocks);
        let bytes = sample_bytes(source, info.codes.len(), level, packing.cells, &chosen);
        return Some(scaled(bytes, all, chosen.len() as u64));
    }
    let (codes, recoded) = sort_codes(&info.codes, None)?;
    let info = SectionInfo {
        codes,
        ..info.clone()
    };
    let shape = SectionShape::new(material, &info, None)?;
    let block_cells = shape.block_cells(packing.cells as usize) as u32;
    let all = source.cells() / u64::from(block_cells);
    let chosen = spread(all, blocks);
    // Few blocks of the training sample are also in the measured sample: a model would look better
    // on its training blocks than on the rest of the section.
    let sample = spread(all, 8 * blocks + 1);
    let model = train(&shape, source, &recoded, None, block_cells, &sample, false).ok()?;
    let ranking = Ranking::new(shape, model, recoded);
    let packer = SectionPacker::SymbolRanking(&ranking, None);
    let bytes_of = |blocks: &[u64]| {
        let mut encoder = Encoder::new(0, info.codes.len(), packer).ok()?.unchecked();
        let mut out = Vec::new();
        let mut bytes = 0;
        for &block in blocks {
            let start = block * u64::from(block_cells);
            let encoded = encoder.encode(source, start, block_cells as usize, &mut out);
            encoded.ok()?;
            bytes += out.len() as u64 + packing.kind.entry_bytes();
        }
        Some(bytes)
    };
    let bytes = chosen.par_chunks(TASK_BLOCKS).erased().map(bytes_of);
    let bytes = bytes.sum::<Option<u64>>()?;
    let model = ranking.model.to_bytes().ok()?;
    Some(scaled(bytes, all, chosen.len() as u64) + model.len() as u64)
}

/// Extrapolates the size of a section with `total_blocks` blocks from `bytes`, the size of
/// `sampled_blocks` of its blocks.
fn scaled(bytes: u64, total_blocks: u64, sampled_blocks: u64) -> u64 {
    (u128::from(bytes) * u128::from(total_blocks) / u128::from(sampled_blocks.max(1))) as u64
}

/// The size in bytes of a sample of plain blocks, to choose among cell orders. A block that cannot
/// be encoded counts as one byte for each cell.
pub fn sample_bytes(
    source: &dyn CellSource,
    codes: usize,
    level: i32,
    block_cells: u32,
    blocks: &[u64],
) -> u64 {
    let size = u64::from(block_cells);
    let bytes_of = |blocks: &[u64]| {
        let mut encoder = Encoder::new(0, codes, SectionPacker::Plain(level));
        let mut out = Vec::new();
        let mut bytes = 0;
        for block in blocks {
            let start = block * size;
            let cells = size.min(source.cells() - start);
            let encoded = encoder
                .as_mut()
                .map(|encoder| encoder.encode(source, start, cells as usize, &mut out));
            bytes += match encoded {
                Ok(Ok(Encoded::Bytes)) => out.len() as u64,
                _ => cells,
            };
        }
        bytes
    };
    blocks.par_chunks(TASK_BLOCKS).erased().map(bytes_of).sum()
}

/// True if a section may be packed by symbol ranking. White must be to move, the two innermost
/// components must be White's king and, inside it, Black's king, and the section may have at most
/// 250 codes.
pub fn can_use_symbol_ranking(material: CanonicalMaterial, info: &SectionInfo) -> bool {
    SectionShape::new(material, info, None).is_some()
}
