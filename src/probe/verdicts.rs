//! The verdict tables of a tablebase, and looking them up.

use std::cell::RefCell;
#[cfg(feature = "files")]
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::cache::{PAGE_WORDS, PageCache};
use super::error::ProbeError;
use crate::board::{Color, Position};
use crate::index::Group;
use crate::material::{CanonicalMaterial, Material};
use crate::rules::{Category, RuleSet};
use crate::table::{FileBytes, TableError};
use crate::verdict::{
    LanePlace, Pages, PlaneLayout, Set, Turn, VerdictBlock, VerdictFile, WordPlace, is_decoded,
    word_number,
};

/// The verdict tables, by men.
#[derive(Debug, Default)]
pub(super) struct VerdictStore {
    /// By the men as they stand on a board: the number, and whether Black has those that the table
    /// calls White's.
    by_men: FxHashMap<Material, (usize, bool)>,
    slots: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    material: CanonicalMaterial,
    #[cfg(feature = "files")]
    path: Option<(PathBuf, crate::table::Access)>,
    opened: OnceLock<Opened>,
}

/// A verdict table that has been opened.
#[derive(Debug)]
struct Opened {
    file: VerdictFile,
    /// By winner, White first, unless it never wins.
    sides: [Option<Side>; 2],
}

/// What is asked of one side's wins.
#[derive(Debug)]
struct Side {
    /// The planes in all, those of a block, and the blocks.
    all_planes: u64,
    planes: u64,
    blocks: u64,
    /// The key in the cache of the first page.
    first_page: u64,
    /// The sets that have the wins on the board, and those inside the count by rule set, if there are
    /// any.
    board: usize,
    in_time: [Option<usize>; RuleSet::ALL.len()],
}

thread_local! {
    static SCRATCH: RefCell<VerdictBlock> = RefCell::default();
}

/// A question about one side's wins.
#[derive(Clone, Copy)]
struct Asked {
    winner: Color,
    rules: RuleSet,
    turn: Turn,
    place: LanePlace,
    /// Whether only what has been decoded may answer.
    only_cached: bool,
}

/// The pages of a block in the cache.
struct BlockPages<'a> {
    cache: &'a PageCache,
    /// The key of the first set's page, and the number of blocks.
    key: u64,
    blocks: u64,
}

impl BlockPages<'_> {
    fn key(&self, set: usize) -> u64 {
        self.key + set as u64 * self.blocks
    }
}

impl Pages for BlockPages<'_> {
    fn take(&self, set: usize, page: &mut [u64]) -> bool {
        self.cache.copy(self.key(set), page)
    }

    fn keep(&self, set: usize, page: &[u64]) {
        self.cache.replace(self.key(set), page.iter().copied());
    }
}

impl VerdictStore {
    /// Adds the verdict table in a file, unless there is one of its ending.
    #[cfg(feature = "files")]
    pub fn add_file(
        &mut self,
        material: CanonicalMaterial,
        path: PathBuf,
        access: crate::table::Access,
    ) -> bool {
        self.add(Slot {
            material,
            path: Some((path, access)),
            opened: OnceLock::new(),
        })
    }

    /// The file of an ending's verdict table, if it is in a file.
    #[cfg(feature = "files")]
    pub fn path(&self, material: CanonicalMaterial) -> Option<&std::path::Path> {
        let &(number, _) = self.by_men.get(&material.material())?;
        let (path, ..) = self.slots[number].path.as_ref()?;
        Some(path)
    }

    /// Adds the verdict table in these bytes, unless there is one of its ending.
    pub fn add_bytes(
        &mut self,
        bytes: FileBytes,
        pages: &AtomicU64,
    ) -> Result<CanonicalMaterial, TableError> {
        let file = VerdictFile::new(bytes)?;
        let material = file.material();
        self.add(Slot {
            material,
            #[cfg(feature = "files")]
            path: None,
            opened: OnceLock::from(Opened::new(file, pages)),
        });
        Ok(material)
    }

    /// The endings of which there are verdict tables.
    pub fn materials(&self) -> impl Iterator<Item = CanonicalMaterial> {
        self.slots.iter().map(|slot| slot.material)
    }

    fn add(&mut self, slot: Slot) -> bool {
        let Material { white, black } = slot.material.material();
        if self.by_men.contains_key(&Material { white, black }) {
            return false;
        }
        let number = self.slots.len();
        self.slots.push(slot);
        let swapped = Material {
            white: black,
            black: white,
        };
        for (men, swapped) in [(Material { white, black }, false), (swapped, true)] {
            self.by_men.entry(men).or_insert((number, swapped));
        }
        true
    }

    /// What a position is worth to the side to move with a count that begins now. None if there is no
    /// verdict table of its men.
    pub fn category(
        &self,
        position: &Position,
        rules: RuleSet,
        cache: &PageCache,
        pages: &AtomicU64,
        only_cached: bool,
    ) -> Result<Option<Category>, ProbeError> {
        let men = position.material();
        if men == Material::BARE_KINGS {
            return Ok(Some(Category::Draw));
        }
        let Some(&(number, swapped)) = self.by_men.get(&men) else {
            return Ok(None);
        };
        let opened = match self.slots[number].opened.get() {
            Some(opened) => opened,
            None if only_cached => return Err(ProbeError::NotDecoded),
            None => self.open(number, pages)?,
        };
        let flipped;
        let position = match swapped {
            true => {
                flipped = position.flipped();
                &flipped
            }
            false => position,
        };
        for winner in Color::ALL {
            // Where both sides have the same men, Black's wins are White's.
            let twin;
            let (position, winner) = if winner == Color::Black && men.white == men.black {
                twin = position.flipped();
                (&twin, Color::White)
            } else {
                (position, winner)
            };
            let side = opened.sides[winner.index()].as_ref();
            let Some((side, layout)) = side.zip(opened.file.layout(winner)) else {
                continue;
            };
            let turn = match position.turn() == winner {
                true => Turn::Winner,
                false => Turn::Loser,
            };
            let asked = Asked {
                winner,
                rules,
                turn,
                place: place(layout, position),
                only_cached,
            };
            let category = match opened.won(asked, side, layout, cache)? {
                [false, _] => continue,
                [true, false] => Category::CursedWin,
                [true, true] => Category::Win,
            };
            return Ok(Some(match turn {
                Turn::Winner => category,
                Turn::Loser => -category,
            }));
        }
        Ok(Some(Category::Draw))
    }

    #[cold]
    fn open(&self, number: usize, pages: &AtomicU64) -> Result<&Opened, ProbeError> {
        let slot = &self.slots[number];
        #[cfg(feature = "files")]
        if let Some((path, access)) = &slot.path {
            let file = VerdictFile::open_as(path, slot.material, *access)?;
            return Ok(slot.opened.get_or_init(|| Opened::new(file, pages)));
        }
        let _ = pages;
        slot.opened.get().ok_or(ProbeError::NotDecoded)
    }
}

impl Opened {
    fn new(file: VerdictFile, pages: &AtomicU64) -> Opened {
        let sides = Color::ALL.map(|winner| {
            let (planes, blocks) = file.blocks(winner)?;
            Some(Side {
                all_planes: file.layout(winner)?.planes(),
                planes,
                blocks,
                first_page: pages.fetch_add(Set::COUNT as u64 * blocks, Ordering::Relaxed),
                board: file.stored_set(winner, Set::Board)?,
                in_time: RuleSet::ALL.map(|rules| file.stored_set(winner, Set::InTime(rules))),
            })
        });
        Opened { file, sides }
    }

    /// Whether a position is won on the board, and inside the count.
    #[inline]
    fn won(
        &self,
        asked: Asked,
        side: &Side,
        layout: &PlaneLayout,
        cache: &PageCache,
    ) -> Result<[bool; 2], ProbeError> {
        let LanePlace { plane, lane, .. } = asked.place;
        let block = plane / side.planes;
        let first = block * side.planes;
        let in_plane = layout.domain().len();
        // The last block may have fewer planes.
        let planes = side.planes.min(side.all_planes - first) as usize;
        let word = WordPlace {
            winner: asked.winner,
            set: side.board,
            turn: asked.turn,
            block,
            lane: (plane - first) as usize * in_plane + lane,
        };
        let pages = BlockPages {
            cache,
            key: side.first_page + block,
            blocks: side.blocks,
        };
        let number = word_number(asked.turn, word.lane, planes * in_plane);
        let has = |set: usize| {
            let LanePlace { bit, own, .. } = asked.place;
            let found = match cache.get(pages.key(set), number) {
                Some(found) if is_decoded(found, own) => found,
                _ if asked.only_cached => return Err(ProbeError::NotDecoded),
                _ => self.decode(WordPlace { set, ..word }, &pages)?,
            };
            Ok(found >> bit & 1 != 0)
        };
        if !has(side.board)? {
            return Ok([false; 2]);
        }
        match side.in_time[usize::from(asked.rules.id())] {
            None => Ok([true, false]),
            Some(set) if set == side.board => Ok([true; 2]),
            Some(set) => Ok([true, has(set)?]),
        }
    }

    #[cold]
    fn decode(&self, word: WordPlace, pages: &BlockPages<'_>) -> Result<u64, ProbeError> {
        SCRATCH.with_borrow_mut(|scratch| {
            let word = self.file.read_word::<PAGE_WORDS>(word, pages, scratch)?;
            Ok(word)
        })
    }
}

fn place(layout: &PlaneLayout, position: &Position) -> LanePlace {
    let winner = layout.winner();
    let men = |group: &Group| position.by_color(group.color) & position.by_role(group.role);
    layout.place(position.king(winner), position.king(!winner), men)
}
