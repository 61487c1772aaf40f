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
use crate::verdict::{LanePlace, PlaneLayout};
use crate::verdict::{Set, Turn, VerdictBlock, VerdictFile};

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
    /// By winner, White first: the key of the first page in the cache.
    first_page: [u64; 2],
}

thread_local! {
    static SCRATCH: RefCell<VerdictBlock> = RefCell::default();
}

/// A question to a verdict table: does this side win here?
#[derive(Clone, Copy)]
struct Asked {
    winner: Color,
    rules: RuleSet,
    turn: Turn,
    place: LanePlace,
    /// Whether only blocks that have been decoded may answer.
    only_cached: bool,
}

/// Which pages of the cache are wanted.
#[derive(Clone, Copy)]
struct Page {
    winner: Color,
    rules: RuleSet,
    turn: Turn,
    block: u64,
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
            if opened.file.is_empty(winner, Set::Board) {
                continue;
            }
            let Some(layout) = opened.file.layout(winner) else {
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
            let category = match opened.won(asked, layout, cache)? {
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
        let first_page = Color::ALL.map(|winner| {
            let blocks = file.blocks(winner).map_or(0, |(_, blocks)| blocks);
            pages.fetch_add(2 * RuleSet::ALL.len() as u64 * blocks, Ordering::Relaxed)
        });
        Opened { file, first_page }
    }

    fn key(&self, page: Page, blocks: u64) -> u64 {
        let number = 2 * u64::from(page.rules.id()) + page.turn as u64;
        self.first_page[page.winner.index()] + number * blocks + page.block
    }

    /// Whether a position is won on the board, and inside the count.
    #[inline]
    fn won(
        &self,
        asked: Asked,
        layout: &PlaneLayout,
        cache: &PageCache,
    ) -> Result<[bool; 2], ProbeError> {
        let Some((planes, blocks)) = self.file.blocks(asked.winner) else {
            return Ok([false; 2]);
        };
        let LanePlace { plane, lane, bit } = asked.place;
        let page = Page {
            winner: asked.winner,
            rules: asked.rules,
            turn: asked.turn,
            block: plane / planes,
        };
        let word = (plane % planes) as usize * layout.domain().len() + lane;
        let key = self.key(page, blocks);
        let words = |word| {
            let board = cache.get(key, 2 * word)?;
            Some([board, cache.get(key, 2 * word + 1)?])
        };
        let words = match words(word) {
            Some(words) => words,
            None if asked.only_cached => return Err(ProbeError::NotDecoded),
            None => self.decode(cache, page, blocks, word)?,
        };
        Ok(words.map(|word| word >> bit & 1 != 0))
    }

    #[cold]
    fn decode(
        &self,
        cache: &PageCache,
        page: Page,
        blocks: u64,
        word: usize,
    ) -> Result<[u64; 2], ProbeError> {
        SCRATCH.with_borrow_mut(|decoded| {
            let in_time = Set::InTime(page.rules);
            let sets = [Set::Board, in_time];
            self.file
                .read_block(page.winner, &sets, page.block, decoded)?;
            let mut found = None;
            for turn in [Turn::Winner, Turn::Loser] {
                let board = decoded.words(Set::Board, turn);
                let in_time = decoded.words(in_time, turn);
                debug_assert!(2 * board.len() <= PAGE_WORDS);
                let words = board.iter().zip(in_time).flat_map(|(&b, &t)| [b, t]);
                cache.insert(self.key(Page { turn, ..page }, blocks), words);
                if turn == page.turn {
                    found = board.get(word).copied().zip(in_time.get(word).copied());
                }
            }
            // The block has a word for each of its positions.
            Ok(found.map_or([0; 2], |(board, in_time)| [board, in_time]))
        })
    }
}

fn place(layout: &PlaneLayout, position: &Position) -> LanePlace {
    let winner = layout.winner();
    let men = |group: &Group| position.by_color(group.color) & position.by_role(group.role);
    layout.place(position.king(winner), position.king(!winner), men)
}
