//! Scans an ending by its verdict table, which contains the wins on the board and in time, with
//! either side to move.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::black_wins::BlackWins;
use super::count::RULES;
use super::lanes::{Lane, Plane, Timed};
use super::placing::{LaneResults, MAX_GROUPS};
use super::scanner::{Scanner, Sums};
use sakmak::board::{Color, SquareSet};
use sakmak::index::Bia;
use sakmak::internals::ForkedByOneFunction;
use sakmak::table::TableError;
use sakmak::verdict::{PlaneLayout, Set, Turn, VerdictBlock, VerdictFile};

/// The smallest number of blocks that one parallel task processes.
const CHUNK: usize = 1 << 10;

/// Adds up the results of an ending's lanes. Calls `progress` with the fraction done, from 0 to 1.
/// None if White wins no position, since the table then has no lanes to scan.
///
/// # Errors
///
/// If the verdict table is corrupt.
pub fn sums(
    verdicts: &VerdictFile,
    scanner: &Scanner,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Option<Sums>, TableError> {
    let winner = Color::White;
    let (Some(layout), Some((_, blocks))) = (verdicts.layout(winner), verdicts.blocks(winner))
    else {
        return Ok(None);
    };
    let scan = VerdictScan {
        verdicts,
        layout,
        scanner,
        black: BlackWins::read(verdicts)?,
    };
    progress(0.1);
    let done = AtomicU64::new(0);
    // Boxed, since rayon moves the accumulator from block to block.
    let add = |mut task: Box<(VerdictBlock, Sums)>, number: usize| {
        let (block, sums) = &mut *task;
        scan.add(number as u64, block, sums)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(CHUNK as u64) {
            progress(0.1 + 0.9 * done as f64 / blocks as f64);
        }
        Ok(task)
    };
    let blocks = (0..blocks as usize)
        .into_par_iter()
        .with_min_len(CHUNK)
        .erased();
    let sums = blocks
        .try_fold(Default::default, add)
        .map(|part| part.map(|task| task.1));
    sums.try_reduce(Sums::default, |a, b| Ok(a.merge(b)))
        .map(Some)
}

/// The inputs of a scan, which do not change.
struct VerdictScan<'a> {
    verdicts: &'a VerdictFile,
    /// The layout of White's wins in the table.
    layout: &'a PlaneLayout,
    scanner: &'a Scanner,
    /// Black's wins. None if Black wins no position.
    black: Option<BlackWins<'a>>,
}

impl VerdictScan<'_> {
    /// Adds the lanes of the block with the index `number`.
    fn add(
        &self,
        number: u64,
        block: &mut VerdictBlock,
        sums: &mut Sums,
    ) -> Result<(), TableError> {
        let sets = [
            (Set::Board, Turn::Loser),
            (Set::InTime(RULES), Turn::Winner),
        ];
        self.verdicts
            .read_block(Color::White, &sets, number, block)?;
        self.verdicts.read_legal(Color::White, number, block)?;
        let (planes, _) = self.verdicts.blocks(Color::White).unwrap_or_default();
        let domain = self.layout.domain();
        let mut lanes = Vec::with_capacity(domain.len());
        let first = number * planes;
        for plane in first..(first + planes).min(self.layout.planes()) {
            let (_, placed) = self.layout.men(plane);
            let place = |group| self.layout.groups().iter().position(|own| own == group);
            let mut men = [SquareSet::EMPTY; MAX_GROUPS];
            for (men, group) in men.iter_mut().zip(self.scanner.groups()) {
                *men = place(group).map_or(SquareSet::EMPTY, |place| placed[place]);
            }
            // Men that share a square leave no legal position.
            if SquareSet::EMPTY.disjoint_union(men).is_none() {
                continue;
            }
            let black = self.black.as_ref();
            let black = black.map(|wins| wins.of_plane(self.scanner.groups(), &men));
            let board = [Turn::Winner, Turn::Loser].map(|turn| block.words(Set::Board, turn));
            let in_time = block.words(Set::InTime(RULES), Turn::Winner);
            lanes.clear();
            let at = (plane - first) as usize * domain.len();
            for (lane, &king) in (at..).zip(domain) {
                let legal = block.legal(lane);
                if legal == [0; 2] {
                    continue;
                }
                let black = black.as_ref().map(|wins| wins.with_white_king(king));
                let black = black.unwrap_or_default();
                let results = |legal: u64, white: u64, black: u64| LaneResults {
                    white: SquareSet(white),
                    drawn: SquareSet(legal & !white & !black),
                    black: SquareSet(black),
                };
                lanes.push(Lane {
                    king,
                    weight: self.layout.symmetry().weight(Bia::NONE, king),
                    white_to_move: Timed {
                        on_board: results(legal[0], board[0][lane], black.board[0]),
                        in_time: SquareSet(in_time[lane]),
                        lost_in_time: SquareSet(black.in_time),
                    },
                    black_to_move: results(legal[1], board[1][lane], black.board[1]),
                });
            }
            let plane = Plane { men, lanes: &lanes };
            self.scanner.add(sums, &plane);
        }
        Ok(())
    }
}
