//! Encodes a set's part of a block, and samples of blocks to choose a coding by size.

use rayon::prelude::*;

use super::set_coding::SetCoding;
use super::source::{Block, Source};
use crate::parallel::ForkedByOneFunction;
use crate::rans::Writer;
use crate::verdict::codec::{CodingModel, Training, encode};
use crate::verdict::model::Model;
use crate::verdict::words::Turn;

/// The approximate number of sampled blocks on which a model is trained.
const TRAINED: u64 = 3000;

/// The approximate number of sampled blocks that are encoded to estimate a size.
const ENCODED: u64 = 1000;

/// Samples of a side's blocks, spread over all placements of the inner men.
pub struct Samples<'a> {
    source: &'a Source<'a>,
    /// The blocks on which models are trained.
    trained: Vec<Block>,
    /// The blocks that are encoded to estimate a size.
    encoded: Vec<Block>,
}

/// The size of a set's parts of the sampled blocks.
#[derive(Clone, Copy, Default)]
pub struct Encoded {
    pub bytes: u64,
    /// The number of symbols that the range coder encoded.
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
    pub fn train(&self, set: usize, coding: SetCoding) -> Model {
        let add = |mut training: Training, block: &Block| {
            self.source.walk(set, coding, block, |planes, turn, words| {
                training.add(planes, turn, words);
            });
            training
        };
        let training = self
            .trained
            .par_iter()
            .erased()
            .fold(Training::default, add);
        let training = training.reduce(Training::default, |a, b| a.join(&b));
        training.model(coding.king_steps, coding.ties.outsiders)
    }

    /// Encodes a set's parts of the sampled blocks, and returns their size.
    pub fn encode(&self, set: usize, coding: SetCoding, model: &Model) -> Encoded {
        let model = CodingModel::new(model);
        let encoded = self.encoded.par_iter().erased().map(|block| {
            let Some(mut writer) = self.source.encode(set, coding, &model, block) else {
                return Encoded::default();
            };
            let symbols = writer.symbols() as u64;
            // Counts the bytes as in format version 2, in which every part stored a state of the
            // range coder: `BLOCK_BYTES` was tuned for reading speed with these sizes.
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
        coding: SetCoding,
        model: &CodingModel,
        block: &Block,
    ) -> Option<Writer> {
        let none = |turn| self.words(set, turn, block).iter().all(|&word| word == 0);
        if none(Turn::Winner) && none(Turn::Loser) {
            return None;
        }
        let mut writer = Writer::default();
        self.walk(set, coding, block, |planes, turn, words| {
            encode(planes, turn, model, &mut writer, words);
        });
        Some(writer)
    }
}
