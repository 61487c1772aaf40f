//! Chooses the coding of each set and the number of planes in a block.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::encode::Samples;
use super::set_coding::{Kind, SetCoding};
use super::source::{Source, Words};
use crate::parallel::ForkedByOneFunction;
use crate::rules::RuleSet;
use crate::verdict::coding::Ties;
use crate::verdict::header::{SETS, Set};
use crate::verdict::model::{KingSteps, Model};

/// The largest average number of bytes that a block may use for two sets: the wins on the board,
/// and the wins under makruk's count. Blocks of one plane may exceed it.
const BLOCK_BYTES: u64 = 96;

/// The largest average number of symbols that a block may use for the same two sets. The decoding
/// time of a block is proportional to the number of its symbols. Blocks of one plane may exceed it.
const BLOCK_SYMBOLS: u64 = 2200;

/// With men on both sides, the square of a block's average number of symbols may be at most this
/// number times the number of blocks. In these endings, a search usually needs a block of each
/// side, so blocks should be small. If a table has few blocks, making them smaller costs little
/// space.
const SQUARED_SYMBOLS_PER_BLOCK: u64 = 45;

/// The largest number of lanes that the writer puts into a block.
const BLOCK_LANES: u64 = 160;

impl Source<'_> {
    /// Decides how to store each set.
    pub fn kinds(&self) -> [Kind; SETS] {
        let sizes: Vec<u64> = self.sets.iter().map(size).collect();
        let same = |place: usize| (0..place).find(|&other| self.sets[other] == self.sets[place]);
        let parents: [Option<usize>; SETS] = std::array::from_fn(|place| {
            let own = &self.sets[place];
            let holds = |other: &usize| {
                let words = self.sets[*other].iter().zip(own);
                words.fold(true, |all, (other, own)| {
                    all && other
                        .par_iter()
                        .zip(&**own)
                        .erased()
                        .all(|(all, own)| own & !all == 0)
                })
            };
            (0..place).filter(holds).min_by_key(|&other| sizes[other])
        });
        let same: [Option<usize>; SETS] = std::array::from_fn(same);
        let is_coded = std::array::from_fn(|place| sizes[place] > 0 && same[place].is_none());
        let king_steps = self.king_steps(parents, is_coded);
        std::array::from_fn(|place| match same[place] {
            _ if sizes[place] == 0 => Kind::Empty,
            Some(same) => Kind::Same(same),
            None => {
                // The best guide is the set with which the king's steps decide most. Among equals
                // it is the set itself or, failing that, the set with the fewest wins, since it
                // leaves the most escapes.
                let guides = (0..SETS).filter(|&guide| is_coded[guide]);
                let guide = guides.max_by_key(|&guide| {
                    let steps = king_steps[place][guide];
                    (steps, guide == place, Reverse(sizes[guide]), Reverse(guide))
                });
                let guide = guide.unwrap_or(place);
                Kind::Coded(SetCoding {
                    parent: parents[place],
                    ties: Ties::default(),
                    guide,
                    king_steps: king_steps[place][guide],
                })
            }
        })
    }

    /// For each coded set and each possible guide, the results that follow from the king's steps.
    fn king_steps(
        &self,
        parents: [Option<usize>; SETS],
        is_coded: [bool; SETS],
    ) -> [[KingSteps; SETS]; SETS] {
        let lanes = self.lanes();
        let all = [[KingSteps::Decide; SETS]; SETS];
        let least = |a: [[KingSteps; SETS]; SETS], b: [[KingSteps; SETS]; SETS]| {
            std::array::from_fn(|i| std::array::from_fn(|j| a[i][j].min(b[i][j])))
        };
        let coded = || (0..SETS).filter(|&place| is_coded[place]);
        let add_plane = |mut found: [[KingSteps; SETS]; SETS], plane: u64| {
            for (lane, facts) in self.facts(plane).enumerate() {
                let at = plane as usize * lanes + lane;
                let can_lose = facts.can_lose();
                for guide in coded() {
                    let escape = facts.escapes(self.sets[guide][0][at]);
                    for place in coded() {
                        let lost = self.sets[place][1][at];
                        let known = parents[place].map_or(!0, |parent| self.sets[parent][1][at]);
                        let settled = known & facts.legal[1] & !escape & can_lose;
                        let steps = match () {
                            () if lost & escape != 0 => KingSteps::Open,
                            () if (lost ^ settled) & !facts.takes[1] != 0 => KingSteps::Save,
                            () => KingSteps::Decide,
                        };
                        let found = &mut found[place][guide];
                        *found = steps.min(*found);
                    }
                }
            }
            found
        };
        let planes = (0..self.layout.planes()).into_par_iter();
        planes.fold(|| all, add_plane).reduce(|| all, least)
    }

    /// Chooses the number of planes in a block.
    pub fn block_planes(&self, kinds: &[Kind; SETS]) -> u64 {
        let planes = self.layout.planes();
        let most = (BLOCK_LANES / self.lanes() as u64).min(planes).max(1);
        let makruk = Set::InTime(RuleSet::Makruk).place();
        if !kinds.iter().any(|kind| matches!(kind, Kind::Coded(_))) {
            return 1;
        }
        let samples = Samples::new(self, most);
        let [mut bytes, mut symbols] = [0; 2];
        for (set, kind) in kinds.iter().enumerate().take(makruk + 1) {
            if let &Kind::Coded(coding) = kind {
                let encoded = samples.encode(set, coding, &samples.train(set, coding));
                bytes += encoded.bytes;
                symbols += encoded.symbols;
            }
        }
        let sampled = most * samples.encoded();
        let within = |limit: u64, sum: u64| limit * sampled / sum.max(1);
        let most = within(BLOCK_BYTES, bytes)
            .min(within(BLOCK_SYMBOLS, symbols))
            .min(most);
        let loser = !self.layout.winner();
        if !self
            .layout
            .groups()
            .iter()
            .any(|group| group.color == loser)
        {
            return most.max(1);
        }
        let is_small = |&block: &u64| {
            let symbols = symbols * block / sampled;
            symbols.pow(2) <= SQUARED_SYMBOLS_PER_BLOCK * (planes / block)
        };
        (1..=most).rev().find(is_small).unwrap_or(1)
    }

    /// Chooses, by the sizes of samples, the similar set from which to predict a coded set, if any,
    /// and whether squares outside the set's parent vote. Returns this coding, and the model
    /// trained for it. `before` contains the kinds of the earlier sets.
    pub fn choose(
        &self,
        set: usize,
        coding: SetCoding,
        before: &[Kind],
        samples: &Samples<'_>,
    ) -> (SetCoding, Model) {
        let is_coded = |&set: &usize| matches!(before[set], Kind::Coded(_));
        let others = (0..set).filter(is_coded);
        let others = others.filter(|&set| coding.parent != Some(set));
        let likes = std::iter::once(None).chain(others.map(Some));
        let votes: &[bool] = match coding.parent {
            Some(_) => &[false, true],
            None => &[false],
        };
        let ways = likes.flat_map(|like| votes.iter().map(move |&outsiders| (like, outsiders)));
        let trained: Vec<(SetCoding, Model)> = ways
            .map(|(like, outsiders)| {
                let coding = SetCoding {
                    ties: Ties { like, outsiders },
                    ..coding
                };
                (coding, samples.train(set, coding))
            })
            .collect();
        let bytes =
            |(coding, model): &(SetCoding, Model)| samples.encode(set, *coding, model).bytes;
        let best = match trained.len() {
            1 => trained.into_iter().next(),
            _ => trained.into_iter().min_by_key(bytes),
        };
        best.expect("a set can be coded without a similar set")
    }
}

/// The number of positions in a set, with either side to move.
fn size(words: &Words<'_>) -> u64 {
    let ones = |words: &&mut [u64]| -> u64 {
        let ones = words
            .par_iter()
            .erased()
            .map(|word| u64::from(word.count_ones()));
        ones.sum()
    };
    words.iter().map(ones).sum()
}
