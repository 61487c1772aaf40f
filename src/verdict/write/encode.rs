//! Encodes all blocks of a set, or samples of blocks to choose the set's coding.

use rayon::prelude::*;

use super::how::How;
use super::source::{Block, Source};
use crate::rans::Writer;
use crate::verdict::codec::{CodingModel, Training, encode};
use crate::verdict::model::Model;
use crate::verdict::words::Turn;

/// The approximate number of blocks on which a model is trained.
const TRAINED: u64 = 3000;

/// The approximate number of blocks that are encoded to estimate a size.
const ENCODED: u64 = 1000;

/// A sample of a side's blocks, spread over all placements of the inner men.
pub struct Samples<'a> {
    source: &'a Source<'a>,
    trained: Vec<Block>,
    encoded: Vec<Block>,
}

/// The size of a set in the sampled blocks.
#[derive(Clone, Copy, Default)]
pub struct Encoded {
    pub bytes: u64,
    pub symbols: u64,
}

impl<'a> Samples<'a> {
    /// Samples blocks of `block_planes` planes.
    pub fn new(source: &'a Source<'a>, block_planes: u64) -> Samples<'a> {
        let blocks = source.layout.planes() / block_planes;
        let sample = |number: u64| {
            let step = (blocks / number).max(1);
            let all = (0..blocks.div_ceil(step)).into_par_iter();
            let block =
                all.map(|i| (i * step + i.wrapping_mul(0x9e37_79b9) % step).min(blocks - 1));
            let block = block.map(|block| source.block(block * block_planes, block_planes));
            block.collect()
        };
        Samples {
            source,
            trained: sample(TRAINED),
            encoded: sample(ENCODED),
        }
    }

    /// The number of blocks that [`Samples::encode`] encodes.
    pub fn encoded(&self) -> u64 {
        self.encoded.len() as u64
    }

    /// Trains a model for a set on the sampled blocks.
    pub fn train(&self, set: usize, how: How) -> Model {
        let add = |mut training: Training, block: &Block| {
            self.source.walk(set, how, block, |planes, turn, words| {
                training.add(planes, turn, words);
            });
            training
        };
        let training = self.trained.par_iter().fold(Training::default, add);
        let training = training.reduce(Training::default, |a, b| a.join(&b));
        training.model(how.king_steps, how.ties.outsiders)
    }

    /// Measures the size of a set in the sampled blocks.
    pub fn encode(&self, set: usize, how: How, model: &Model) -> Encoded {
        let model = CodingModel::new(model);
        let encoded = self.encoded.par_iter().map(|block| {
            let Some(mut writer) = self.source.encode(set, how, &model, block) else {
                return Encoded::default();
            };
            let symbols = writer.symbols() as u64;
            // Counts the bytes as in format 2, where every part had a state of the range coder: the
            // block size was tuned for reading speed by these numbers.
            let mut part = Vec::new();
            writer.finish([0], &mut part);
            Encoded {
                bytes: part.len() as u64,
                symbols,
            }
        });
        encoded.reduce(Encoded::default, |a, b| Encoded {
            bytes: a.bytes + b.bytes,
            symbols: a.symbols + b.symbols,
        })
    }
}

impl Source<'_> {
    /// Encodes a set's part of a block, and returns the writer that contains it. `None` if the part
    /// is empty.
    pub fn encode(
        &self,
        set: usize,
        how: How,
        model: &CodingModel,
        block: &Block,
    ) -> Option<Writer> {
        let none = |turn| self.words(set, turn, block).iter().all(|&word| word == 0);
        if none(Turn::Winner) && none(Turn::Loser) {
            return None;
        }
        let mut writer = Writer::default();
        self.walk(set, how, block, |planes, turn, words| {
            encode(planes, turn, model, &mut writer, words);
        });
        Some(writer)
    }
}
