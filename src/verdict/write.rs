//! Writing a verdict table.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32c::crc32c;
use rayon::prelude::*;

use super::codec::{Training, encode};
use super::facts::{LaneFacts, PlaneMen};
use super::header::{CodedAt, Counts, GROUP, Header, MAGIC, SETS, Set, Side, Stored, VERSION};
use super::header::{checksum, set_number};
use super::layout::PlaneLayout;
use super::model::Model;
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

/// The most bytes of a block of all sets of makruk, if planes can be had in smaller blocks: a block is
/// decoded whole.
const BLOCK_BYTES: u64 = 96;

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
        let escapes = source.mask();
        source.count(&mut self.header.counts);
        let kinds = source.kinds();
        let block_planes = source.block_planes(&kinds, escapes);
        let mut side = Side {
            winner,
            order: order.to_vec(),
            block_planes,
            planes: source.layout.planes(),
            sets: Vec::new(),
        };
        let number = self.header.sides.len();
        for (place, kind) in kinds.into_iter().enumerate() {
            let stored = match kind {
                Kind::Empty => Stored::Empty,
                Kind::Same(same) => Stored::Same(same),
                Kind::PartOf(parent) => {
                    let coded = source.encode(place, parent, block_planes, escapes[place]);
                    let at = self
                        .put(set_number(number, place), &coded)
                        .map_err(|error| TableError::io(&self.path, IoAction::Write, error))?;
                    Stored::Coded { parent, at }
                }
            };
            side.sets.push(stored);
        }
        self.header.sides.push(side);
        Ok(())
    }

    /// Writes model, blocks and index of a set.
    fn put(&mut self, set: u8, coded: &Coded) -> io::Result<CodedAt> {
        let model = zstd::bulk::compress(&coded.model.to_bytes(), 19)?;
        let start = self.place;
        self.out.write_all(&model)?;
        let mut place = start + model.len() as u64;
        let mut index = ByteWriter::default();
        for (number, block) in (0..).zip(&coded.blocks) {
            if number % GROUP == 0 {
                index.u64(place);
            }
            let length = block.len() as u16;
            index.u16(length);
            index.u16(checksum(place, length, set, number, block));
            self.out.write_all(block)?;
            place += block.len() as u64;
        }
        self.out.write_all(&index.bytes)?;
        self.place = place + index.bytes.len() as u64;
        Ok(CodedAt {
            start,
            model_bytes: model.len() as u32,
            model_crc: crc32c(&model),
            index: place,
        })
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
                    &Stored::Coded { parent, at } => {
                        out.put(&[2, parent.map_or(0, |parent| 1 + parent as u8)]);
                        out.u64(at.start);
                        out.u32(at.model_bytes);
                        out.u32(at.model_crc);
                        out.u64(at.index);
                    }
                }
            }
        }
        out.bytes
    }
}

/// What is to be made of a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Empty,
    Same(usize),
    PartOf(Option<usize>),
}

/// An encoded set.
struct Coded {
    model: Model,
    blocks: Vec<Vec<u8>>,
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

    /// Clears the bits without a legal position. Tells for each set whether a king that can step to
    /// where the winner does not win never loses.
    fn mask(&mut self) -> [bool; SETS] {
        let lanes = self.lanes();
        let mut sets = std::mem::take(&mut self.sets);
        let mut parts: Vec<Vec<&mut [u64]>> = Vec::new();
        for words in sets.iter_mut().flatten() {
            for (plane, part) in words.chunks_mut(lanes).enumerate() {
                if plane == parts.len() {
                    parts.push(Vec::with_capacity(2 * SETS));
                }
                parts[plane].push(part);
            }
        }
        let this = &*self;
        let escapes = parts.into_par_iter().enumerate().map(|(plane, mut words)| {
            let mut escapes = [true; SETS];
            for (lane, facts) in this.facts(plane as u64).enumerate() {
                for (set, escapes) in words.chunks_mut(2).zip(&mut escapes) {
                    let [won, lost] = [0, 1].map(|turn: usize| {
                        set[turn][lane] &= facts.legal[turn];
                        set[turn][lane]
                    });
                    let open = king_steps(SquareSet(!won & facts.legal[0])).0;
                    *escapes &= lost & open == 0;
                }
            }
            escapes
        });
        let both = |a: [bool; SETS], b: [bool; SETS]| std::array::from_fn(|i| a[i] && b[i]);
        let escapes = escapes.reduce(|| [true; SETS], both);
        self.sets = sets;
        escapes
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

    /// What each set is a part of.
    fn kinds(&self) -> [Kind; SETS] {
        std::array::from_fn(|place| {
            let own = &self.sets[place];
            if own
                .iter()
                .all(|words| words.par_iter().all(|&word| word == 0))
            {
                return Kind::Empty;
            }
            let same = (0..place).find(|&other| self.sets[other] == *own);
            if let Some(same) = same {
                return Kind::Same(same);
            }
            // The smallest that has it is the latest: each set comes after those it can be part of.
            let holds = |other: &usize| {
                self.sets[*other]
                    .iter()
                    .zip(own)
                    .all(|(all, own)| all.par_iter().zip(own).all(|(all, own)| own & !all == 0))
            };
            Kind::PartOf((0..place).rev().find(holds))
        })
    }

    /// Walks over a block with either side to move.
    fn walk(
        &self,
        place: usize,
        parent: Option<usize>,
        first: u64,
        planes: u64,
        escapes: bool,
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
            parent: parent.map(|parent| part(parent, 0)),
            winner: None,
            escapes,
        };
        go(&walk, Turn::Winner, &mut part(place, 0).to_vec());
        walk.parent = parent.map(|parent| part(parent, 1));
        walk.winner = Some(part(place, 0));
        go(&walk, Turn::Loser, &mut part(place, 1).to_vec());
    }

    /// A model of a set, by some of its blocks.
    fn train(
        &self,
        place: usize,
        parent: Option<usize>,
        block_planes: u64,
        escapes: bool,
    ) -> Model {
        let blocks = self.layout.planes() / block_planes;
        let step = (blocks / TRAINED).max(1);
        let training = (0..blocks.div_ceil(step)).into_par_iter().map(|i| {
            // At unequal steps, so that the inner men stand everywhere.
            let block = (i * step + i.wrapping_mul(0x9e37_79b9) % step).min(blocks - 1);
            let mut training = Training::default();
            let first = block * block_planes;
            self.walk(
                place,
                parent,
                first,
                block_planes,
                escapes,
                |planes, turn, words| {
                    training.add(planes, turn, words);
                },
            );
            training
        });
        let joined = training.reduce(Training::default, |a, b| a.join(&b));
        joined.model(escapes)
    }

    /// The bytes of a block.
    fn block(
        &self,
        place: usize,
        parent: Option<usize>,
        model: &Model,
        first: u64,
        planes: u64,
    ) -> Vec<u8> {
        let at = first as usize * self.lanes();
        let range = at..at + planes as usize * self.lanes();
        if self.sets[place]
            .iter()
            .all(|words| words[range.clone()].iter().all(|&w| w == 0))
        {
            return Vec::new();
        }
        let mut writer = Writer::<1>::default();
        self.walk(
            place,
            parent,
            first,
            planes,
            model.escapes,
            |planes, turn, words| {
                encode(planes, turn, model, &mut writer, words);
            },
        );
        let mut bytes = Vec::new();
        writer.finish([0], &mut bytes);
        bytes
    }

    /// How many planes a block is to have.
    fn block_planes(&self, kinds: &[Kind; SETS], escapes: [bool; SETS]) -> u64 {
        let planes = self.layout.planes();
        let most = (BLOCK_LANES / self.lanes() as u64).min(planes).max(1);
        let most = 1 << most.ilog2();
        let makruk = Set::InTime(RuleSet::Makruk).place();
        let mut bytes = 0;
        let mut sampled = 0;
        for (place, kind) in kinds.iter().enumerate().take(makruk + 1) {
            let &Kind::PartOf(parent) = kind else {
                continue;
            };
            let model = self.train(place, parent, most, escapes[place]);
            let blocks = planes / most;
            let step = (blocks / 1000).max(1);
            let lengths = (0..blocks.div_ceil(step)).into_par_iter().map(|i| {
                let block = (i * step + i.wrapping_mul(0x9e37_79b9) % step).min(blocks - 1);
                self.block(place, parent, &model, block * most, most).len() as u64
            });
            sampled = blocks.div_ceil(step);
            bytes += lengths.sum::<u64>();
        }
        let mut block_planes = most;
        while block_planes > 1 && bytes * block_planes > BLOCK_BYTES * most * sampled {
            block_planes /= 2;
        }
        block_planes
    }

    fn encode(
        &self,
        place: usize,
        parent: Option<usize>,
        block_planes: u64,
        escapes: bool,
    ) -> Coded {
        let model = self.train(place, parent, block_planes, escapes);
        let planes = self.layout.planes();
        let blocks = (0..planes.div_ceil(block_planes))
            .into_par_iter()
            .map(|block| {
                let first = block * block_planes;
                let planes = block_planes.min(planes - first);
                self.block(place, parent, &model, first, planes)
            });
        Coded {
            blocks: blocks.collect(),
            model,
        }
    }
}
