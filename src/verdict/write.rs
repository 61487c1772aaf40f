//! Writing a verdict table.

use std::cmp::Reverse;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32c::crc32c;
use rayon::prelude::*;

use super::codec::{Training, encode};
use super::facts::{LaneFacts, PlaneMen};
use super::header::checksum;
use super::header::{CodedSet, Counts, GROUP, Header, MAGIC, SETS, Set, Side, Stored, VERSION};
use super::layout::PlaneLayout;
use super::model::{KingSteps, Model};
use super::net::{Knot, net};
use super::words::{Planes, Turn};
use crate::atomic_file::AtomicFile;
use crate::board::{Color, SquareSet};
use crate::index::lane::king_steps;
use crate::material::CanonicalMaterial;
use crate::rans::Writer;
use crate::rules::RuleSet;
use crate::table::bytes::ByteWriter;
use crate::table::preamble::{self, PREAMBLE_BYTES};
use crate::table::{IoAction, TableError, rules_revision};

/// About how many blocks a model is trained on.
const TRAINED: u64 = 3000;

/// About how many blocks are encoded to learn how large a set becomes.
const SAMPLED: u64 = 1000;

/// The most bytes of a block of all sets of makruk, if planes can be had in smaller blocks.
const BLOCK_BYTES: u64 = 96;

/// The most symbols of a block, likewise: they are what decoding takes its time for.
const BLOCK_SYMBOLS: u64 = 2200;

/// The most lanes of a block.
const BLOCK_LANES: u64 = 160;

/// The words of a set: of each plane, those of its lanes. By side to move, the winner first.
pub type Words = [Vec<u64>; 2];

/// Writes one verdict table. The file gets its name when it is whole.
#[derive(Debug)]
pub struct VerdictWriter {
    path: PathBuf,
    out: BufWriter<AtomicFile>,
    place: u64,
    header: Header,
}

impl VerdictWriter {
    /// Starts the verdict table of this path, whose directory must exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn create(path: &Path, material: CanonicalMaterial) -> Result<VerdictWriter, TableError> {
        let started = || {
            let mut out = BufWriter::with_capacity(1 << 20, AtomicFile::create(path)?);
            out.write_all(&[0; PREAMBLE_BYTES])?;
            io::Result::Ok(out)
        };
        Ok(VerdictWriter {
            path: path.to_path_buf(),
            out: started().map_err(|error| TableError::io(path, IoAction::Write, error))?,
            place: PREAMBLE_BYTES as u64,
            header: Header {
                rules_revision: rules_revision(material),
                material,
                counts: Counts::default(),
                sides: Vec::new(),
            },
        })
    }

    /// Adds one side's wins: every set, in the order of [`Set::all`]. `order` has the groups, the
    /// outermost first. Bits without a legal position are of no account.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    ///
    /// # Panics
    ///
    /// If the order or a list of words is not one of this material.
    pub fn add_side(
        &mut self,
        winner: Color,
        order: &[u8],
        sets: Vec<Words>,
    ) -> Result<(), TableError> {
        let layout = PlaneLayout::new(self.header.material, winner, order)
            .expect("an order of the material's groups");
        let lanes = layout.planes() as usize * layout.domain().len();
        assert!(sets.len() == SETS && sets.iter().flatten().all(|w| w.len() == lanes));
        let mut source = Source {
            net: net(layout.domain()),
            layout,
            sets,
        };
        source.mask();
        source.count(&mut self.header.counts);
        let mut kinds = source.kinds();
        let block_planes = source.block_planes(&kinds);
        source.choose(&mut kinds, block_planes);
        let mut side = Side {
            winner,
            order: order.to_vec(),
            block_planes,
            planes: source.layout.planes(),
            sets: Vec::new(),
            index: 0,
        };
        let mut parts = [const { Vec::new() }; SETS];
        for (place, kind) in kinds.into_iter().enumerate() {
            let stored = match kind {
                Kind::Empty => Stored::Empty,
                Kind::Same(same) => Stored::Same(same),
                Kind::Coded(how) => {
                    let coded = source.encode(place, how, side.block_planes);
                    let set = self
                        .put_model(how, &coded)
                        .map_err(|error| TableError::io(&self.path, IoAction::Write, error))?;
                    parts[place] = coded.parts;
                    Stored::Coded(set)
                }
            };
            side.sets.push(stored);
        }
        self.put_blocks(&mut side, &parts)
            .map_err(|error| TableError::io(&self.path, IoAction::Write, error))?;
        self.header.sides.push(side);
        Ok(())
    }

    /// Writes the model of a set.
    fn put_model(&mut self, how: How, coded: &Coded) -> io::Result<CodedSet> {
        let model = zstd::bulk::compress(&coded.model.to_bytes(), 19)?;
        self.out.write_all(&model)?;
        let most = coded.parts.iter().map(Vec::len).max().unwrap_or(0) / 2;
        let set = CodedSet {
            parent: how.parent,
            like: how.like,
            guide: how.guide,
            length_bytes: if most > u8::MAX.into() { 2 } else { 1 },
            model: self.place,
            model_bytes: model.len() as u32,
            model_crc: crc32c(&model),
        };
        self.place += model.len() as u64;
        Ok(set)
    }

    /// Writes the blocks of a side, of which each set has these parts, and their index.
    fn put_blocks(&mut self, side: &mut Side, parts: &[Vec<Vec<u8>>; SETS]) -> io::Result<()> {
        if side.coded().next().is_none() {
            return Ok(());
        }
        let mut index = ByteWriter::default();
        let mut bytes = Vec::new();
        for block in 0..side.blocks() {
            if block % GROUP == 0 {
                index.u64(self.place);
            }
            let mut lengths = [0; SETS];
            bytes.clear();
            for (place, _) in side.coded() {
                let part = &parts[place][block as usize];
                lengths[place] = (part.len() / 2) as u16;
                bytes.extend_from_slice(part);
            }
            let number = self.header.sides.len();
            index.u16(checksum(self.place, lengths, number, block, &bytes));
            for (place, set) in side.coded() {
                index.put(&lengths[place].to_le_bytes()[..set.length_bytes.into()]);
            }
            self.out.write_all(&bytes)?;
            self.place += bytes.len() as u64;
        }
        side.index = self.place;
        self.out.write_all(&index.bytes)?;
        self.place += index.bytes.len() as u64;
        Ok(())
    }

    /// Writes the header and gives the file its name. Returns the number of its bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<u64, TableError> {
        let men = self.header.material.material();
        if men.white == men.black {
            // Black's wins are White's with the colours exchanged.
            for counts in &mut self.header.counts {
                let [white, black] = *counts;
                for category in 0..2 {
                    counts[0][4 - category] = black[4 - category];
                    counts[1][category] = white[category];
                }
            }
        }
        for counts in self.header.counts.iter_mut().flatten() {
            // All legal positions were counted as draws.
            let decided = counts[0] + counts[1] + counts[3] + counts[4];
            counts[2] -= decided;
        }
        let header = self.header.encode();
        let preamble = preamble::encode(&MAGIC, VERSION, &header, self.place);
        let end = self.place + header.len() as u64;
        let mut finish = || {
            self.out.write_all(&header)?;
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(&preamble)?;
            self.out.flush()
        };
        let write = |error| TableError::io(&self.path, IoAction::Write, error);
        finish().map_err(write)?;
        let file = self
            .out
            .into_inner()
            .map_err(|error| write(error.into_error()))?;
        file.commit().map_err(write)?;
        Ok(end)
    }
}

impl Header {
    fn encode(&self) -> Vec<u8> {
        let mut out = ByteWriter::default();
        out.u32(self.rules_revision);
        out.short_bytes(self.material.to_string().as_bytes());
        self.counts
            .iter()
            .flatten()
            .flatten()
            .for_each(|&n| out.u64(n));
        out.u8(self.sides.len() as u8);
        for side in &self.sides {
            out.u8(side.winner.index() as u8);
            out.short_bytes(&side.order);
            out.u8(side.block_planes as u8);
            for stored in &side.sets {
                match stored {
                    Stored::Empty => out.put(&[0, 0]),
                    &Stored::Same(same) => out.put(&[1, 1 + same as u8]),
                    Stored::Coded(set) => {
                        let [parent, like] =
                            [set.parent, set.like].map(|set| set.map_or(0, |set| 1 + set as u8));
                        out.put(&[2, parent, like, set.guide as u8, set.length_bytes]);
                        out.u64(set.model);
                        out.u32(set.model_bytes);
                        out.u32(set.model_crc);
                    }
                }
            }
            out.u64(side.index);
        }
        out.bytes
    }
}

/// What is to be made of a set.
#[derive(Clone, Copy)]
enum Kind {
    Empty,
    Same(usize),
    Coded(How),
}

/// How a set is coded: as in [`CodedSet`] and [`Model`].
#[derive(Clone, Copy)]
struct How {
    parent: Option<usize>,
    like: Option<usize>,
    outsiders: bool,
    guide: usize,
    king_steps: KingSteps,
}

/// An encoded set.
struct Coded {
    model: Model,
    /// The bytes of its part of each block.
    parts: Vec<Vec<u8>>,
}

/// The sets of one side's wins.
struct Source {
    layout: PlaneLayout,
    net: Vec<Knot>,
    sets: Vec<Words>,
}

impl Source {
    fn lanes(&self) -> usize {
        self.layout.domain().len()
    }

    fn facts(&self, plane: u64) -> impl Iterator<Item = LaneFacts> {
        let men = self.layout.men(plane);
        let men = PlaneMen::new(self.layout.winner(), self.layout.groups(), &men);
        self.layout
            .domain()
            .iter()
            .map(move |&king| men.facts(king))
    }

    /// Clears the bits without a legal position.
    fn mask(&mut self) {
        let lanes = self.lanes();
        let mut sets = std::mem::take(&mut self.sets);
        for words in &mut sets {
            let [won, lost] = words.each_mut().map(|words| words.par_chunks_mut(lanes));
            won.zip(lost).enumerate().for_each(|(plane, (won, lost))| {
                let words = won.iter_mut().zip(lost);
                for ((won, lost), facts) in words.zip(self.facts(plane as u64)) {
                    *won &= facts.legal[0];
                    *lost &= facts.legal[1];
                }
            });
        }
        self.sets = sets;
    }

    /// Adds the positions to those of each category. All legal ones are counted as draws too, with
    /// the first side.
    fn count(&self, counts: &mut Counts) {
        let lanes = self.lanes();
        let symmetry = self.layout.symmetry();
        let weights: Vec<u64> = self
            .layout
            .domain()
            .iter()
            .map(|&k| symmetry.weight(k))
            .collect();
        let first = counts[0][0][2] == 0;
        let found = (0..self.layout.planes()).into_par_iter().map(|plane| {
            let mut found = [[0u64; 2]; SETS + 1];
            for (lane, facts) in self.facts(plane).enumerate() {
                let at = plane as usize * lanes + lane;
                for turn in 0..2 {
                    for (found, words) in found.iter_mut().zip(&self.sets) {
                        found[turn] += weights[lane] * u64::from(words[turn][at].count_ones());
                    }
                    found[SETS][turn] += weights[lane] * u64::from(facts.legal[turn].count_ones());
                }
            }
            found
        });
        let found = found.reduce(
            || [[0; 2]; SETS + 1],
            |a, b| std::array::from_fn(|i| [a[i][0] + b[i][0], a[i][1] + b[i][1]]),
        );
        for (turn, color) in [self.layout.winner(), !self.layout.winner()]
            .into_iter()
            .enumerate()
        {
            for rules in RuleSet::ALL {
                let counts = &mut counts[usize::from(rules.id())][color.index()];
                let in_time = found[Set::InTime(rules).place()][turn];
                let (best, next) = if turn == 0 { (0, 1) } else { (4, 3) };
                counts[best] += in_time;
                counts[next] += found[0][turn] - in_time;
                if first {
                    counts[2] += found[SETS][turn];
                }
            }
        }
    }

    /// What is to be made of each set.
    fn kinds(&self) -> [Kind; SETS] {
        let sizes: Vec<u64> = self.sets.iter().map(size).collect();
        let same = |place: usize| (0..place).find(|&other| self.sets[other] == self.sets[place]);
        let parents: [Option<usize>; SETS] = std::array::from_fn(|place| {
            let own = &self.sets[place];
            let holds = |other: &usize| {
                let words = self.sets[*other].iter().zip(own);
                words.fold(true, |all, (other, own)| {
                    all && other.par_iter().zip(own).all(|(all, own)| own & !all == 0)
                })
            };
            (0..place).filter(holds).min_by_key(|&other| sizes[other])
        });
        let king_steps = self.king_steps(parents);
        std::array::from_fn(|place| match same(place) {
            _ if sizes[place] == 0 => Kind::Empty,
            Some(same) => Kind::Same(same),
            None => {
                // What tells most: the set itself, where others tell no more than it does, and of
                // others the one with the fewest wins, which leaves most escapes.
                let guides = (0..SETS).filter(|&guide| sizes[guide] > 0);
                let guide = guides.max_by_key(|&guide| {
                    let steps = king_steps[place][guide];
                    (steps, guide == place, Reverse(sizes[guide]), Reverse(guide))
                });
                let guide = guide.unwrap_or(place);
                Kind::Coded(How {
                    parent: parents[place],
                    like: None,
                    outsiders: false,
                    guide,
                    king_steps: king_steps[place][guide],
                })
            }
        })
    }

    /// What the king's steps tell of each set, by it and then by the set that says where its king
    /// escapes to.
    fn king_steps(&self, parents: [Option<usize>; SETS]) -> [[KingSteps; SETS]; SETS] {
        let lanes = self.lanes();
        let all = [[KingSteps::Decide; SETS]; SETS];
        let least = |a: [[KingSteps; SETS]; SETS], b: [[KingSteps; SETS]; SETS]| {
            std::array::from_fn(|i| std::array::from_fn(|j| a[i][j].min(b[i][j])))
        };
        let of_plane = |plane: u64| {
            let mut found = all;
            for (lane, facts) in self.facts(plane).enumerate() {
                let at = plane as usize * lanes + lane;
                let escapes = |set: &Words| king_steps(SquareSet(!set[0][at] & facts.legal[0])).0;
                let escapes: Vec<u64> = self.sets.iter().map(escapes).collect();
                let can_lose = king_steps(SquareSet(facts.legal[0])).0 | !facts.legal[0];
                for (place, found) in found.iter_mut().enumerate() {
                    let lost = self.sets[place][1][at];
                    let known = parents[place].map_or(!0, |parent| self.sets[parent][1][at]);
                    let known = known & facts.legal[1];
                    for (found, escape) in found.iter_mut().zip(&escapes) {
                        let settled = known & !escape & can_lose;
                        let steps = match () {
                            () if lost & escape != 0 => KingSteps::Open,
                            () if (lost ^ settled) & !facts.takes[1] != 0 => KingSteps::Save,
                            () => KingSteps::Decide,
                        };
                        *found = steps.min(*found);
                    }
                }
            }
            found
        };
        let planes = (0..self.layout.planes()).into_par_iter();
        planes.map(of_plane).reduce(|| all, least)
    }

    /// Walks over a block with either side to move.
    fn walk(
        &self,
        place: usize,
        how: How,
        first: u64,
        planes: u64,
        mut go: impl FnMut(&Planes<'_>, Turn, &mut [u64]),
    ) {
        let facts: Vec<LaneFacts> = (first..first + planes)
            .flat_map(|p| self.facts(p))
            .collect();
        let at = first as usize * self.lanes();
        let range = at..at + facts.len();
        let part = |place: usize, turn: usize| &self.sets[place][turn][range.clone()];
        let mut walk = Planes {
            net: &self.net,
            facts: &facts,
            parent: how.parent.map(|parent| part(parent, 0)),
            like: how.like.map(|like| part(like, 0)),
            outsiders: how.outsiders,
            winner: None,
            king_steps: how.king_steps,
        };
        go(&walk, Turn::Winner, &mut part(place, 0).to_vec());
        walk.parent = how.parent.map(|parent| part(parent, 1));
        walk.like = how.like.map(|like| part(like, 1));
        walk.winner = Some(part(how.guide, 0));
        go(&walk, Turn::Loser, &mut part(place, 1).to_vec());
    }

    /// A model of a set, by some of its blocks.
    fn train(&self, place: usize, how: How, block_planes: u64) -> Model {
        let training = self.sample(block_planes, TRAINED).map(|block| {
            let mut training = Training::default();
            let first = block * block_planes;
            self.walk(place, how, first, block_planes, |planes, turn, words| {
                training.add(planes, turn, words);
            });
            training
        });
        let joined = training.reduce(Training::default, |a, b| a.join(&b));
        joined.model(how.king_steps, how.outsiders)
    }

    /// About so many blocks, at unequal steps, so that the inner men stand everywhere.
    fn sample(&self, block_planes: u64, number: u64) -> impl ParallelIterator<Item = u64> {
        let blocks = self.layout.planes() / block_planes;
        let step = (blocks / number).max(1);
        (0..blocks.div_ceil(step))
            .into_par_iter()
            .map(move |i| (i * step + i.wrapping_mul(0x9e37_79b9) % step).min(blocks - 1))
    }

    /// The bytes and the symbols that a set takes in some blocks, and how many blocks these are.
    fn sampled(&self, place: usize, how: How, block_planes: u64) -> [u64; 3] {
        let model = self.train(place, how, block_planes);
        let parts = self.sample(block_planes, SAMPLED).map(|block| {
            let first = block * block_planes;
            let (part, symbols) = self.part(place, how, &model, first, block_planes);
            [part.len() as u64, symbols as u64, 1]
        });
        parts.reduce(|| [0; 3], |a, b| std::array::from_fn(|i| a[i] + b[i]))
    }

    /// Chooses for each set what it is like, and whether squares outside its parent have a say, by the bytes
    /// that some blocks take.
    fn choose(&self, kinds: &mut [Kind; SETS], block_planes: u64) {
        for place in 0..SETS {
            let (before, rest) = kinds.split_at_mut(place);
            let Kind::Coded(how) = &mut rest[0] else {
                continue;
            };
            let coded = |&set: &usize| matches!(before[set], Kind::Coded(_));
            let others = (0..place)
                .filter(coded)
                .filter(|&set| how.parent != Some(set));
            let likes = std::iter::once(None).chain(others.map(Some));
            let votes: &[bool] = if how.parent.is_some() {
                &[false, true]
            } else {
                &[false]
            };
            let ways: Vec<How> = likes
                .flat_map(|like| votes.iter().map(move |&outsiders| (like, outsiders)))
                .map(|(like, outsiders)| How {
                    like,
                    outsiders,
                    ..*how
                })
                .collect();
            if let [_, _, ..] = ways[..] {
                let bytes = |way: &How| self.sampled(place, *way, block_planes)[0];
                *how = ways.into_iter().min_by_key(bytes).unwrap_or(*how);
            }
        }
    }

    /// The bytes of a set's part of a block, and the number of symbols in them.
    fn part(
        &self,
        place: usize,
        how: How,
        model: &Model,
        first: u64,
        planes: u64,
    ) -> (Vec<u8>, usize) {
        let at = first as usize * self.lanes();
        let range = at..at + planes as usize * self.lanes();
        if self.sets[place]
            .iter()
            .all(|words| words[range.clone()].iter().all(|&w| w == 0))
        {
            return (Vec::new(), 0);
        }
        let mut writer = Writer::<1>::default();
        self.walk(place, how, first, planes, |planes, turn, words| {
            encode(planes, turn, model, &mut writer, words);
        });
        let symbols = writer.symbols();
        let mut bytes = Vec::new();
        writer.finish([0], &mut bytes);
        (bytes, symbols)
    }

    /// How many planes a block is to have.
    fn block_planes(&self, kinds: &[Kind; SETS]) -> u64 {
        let planes = self.layout.planes();
        let most = (BLOCK_LANES / self.lanes() as u64).min(planes).max(1);
        let makruk = Set::InTime(RuleSet::Makruk).place();
        let [mut bytes, mut symbols, mut blocks] = [0; 3];
        for (place, kind) in kinds.iter().enumerate().take(makruk + 1) {
            if let &Kind::Coded(how) = kind {
                let sampled = self.sampled(place, how, most);
                bytes += sampled[0];
                symbols += sampled[1];
                blocks = sampled[2];
            }
        }
        let within = |limit: u64, sum: u64| limit * most * blocks / sum.max(1);
        let planes = within(BLOCK_BYTES, bytes).min(within(BLOCK_SYMBOLS, symbols));
        planes.clamp(1, most)
    }

    fn encode(&self, place: usize, how: How, block_planes: u64) -> Coded {
        let model = self.train(place, how, block_planes);
        let planes = self.layout.planes();
        let parts = (0..planes.div_ceil(block_planes))
            .into_par_iter()
            .map(|block| {
                let first = block * block_planes;
                let planes = block_planes.min(planes - first);
                self.part(place, how, &model, first, planes).0
            });
        Coded {
            parts: parts.collect(),
            model,
        }
    }
}

/// The number of positions of a set, with either side to move.
fn size(words: &Words) -> u64 {
    let ones = |words: &Vec<u64>| -> u64 {
        let ones = words.par_iter().map(|word| u64::from(word.count_ones()));
        ones.sum()
    };
    words.iter().map(ones).sum()
}
