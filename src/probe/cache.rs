//! The blocks a thread has decoded last.

use std::cell::RefCell;

use crate::table::{Block, Code, Decoder, FileBytes, Section, TableError};

/// Blocks kept by each thread. A block has some 32 KiB, so this is two megabytes; the moves from
/// one position reach about as many blocks.
const SLOTS: usize = 64;

/// A block of one section of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockKey {
    /// The table's number, which no other table of this process has or had.
    pub table: u64,
    /// The section's number in the table.
    pub section: usize,
    /// The block's number in the section.
    pub block: u64,
}

struct Slot {
    key: Option<BlockKey>,
    /// When it was last used, by the cache's clock.
    used: u64,
    block: Block,
}

struct Cache {
    decoder: Decoder,
    slots: Vec<Slot>,
    clock: u64,
}

impl Cache {
    fn new() -> Cache {
        Cache {
            decoder: Decoder::new(),
            slots: Vec::new(),
            clock: 0,
        }
    }

    /// The place of a block, decoded now if it was not there.
    fn slot(
        &mut self,
        key: BlockKey,
        section: Section<'_, FileBytes>,
    ) -> Result<usize, TableError> {
        self.clock += 1;
        if let Some(at) = self.slots.iter().position(|slot| slot.key == Some(key)) {
            self.slots[at].used = self.clock;
            return Ok(at);
        }
        if self.slots.len() < SLOTS {
            self.slots.push(Slot {
                key: None,
                used: 0,
                block: Block::new(),
            });
        }
        // The one not used for longest gives way; a new one has not been used at all.
        let oldest = self
            .slots
            .iter()
            .enumerate()
            .min_by_key(|(_, slot)| slot.used);
        let at = oldest.map_or(0, |(at, _)| at);
        let slot = &mut self.slots[at];
        // Should the reading fail, the slot holds nothing.
        slot.key = None;
        section.read_block(key.block, &mut self.decoder, &mut slot.block)?;
        slot.key = Some(key);
        slot.used = self.clock;
        Ok(at)
    }
}

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::new(Cache::new());
}

/// The code of a cell of the table with this number, or none if the section has no such cell.
pub(super) fn code(
    table: u64,
    section: Section<'_, FileBytes>,
    cell: u64,
) -> Result<Option<Code>, TableError> {
    let (block, place) = section.block_of(cell);
    let key = BlockKey {
        table,
        section: section.number(),
        block,
    };
    CACHE.with_borrow_mut(|cache| {
        let slot = cache.slot(key, section)?;
        let code = cache.slots[slot].block.get(place);
        Ok(code.and_then(|code| section.header().info.codes.get(usize::from(code)).copied()))
    })
}
