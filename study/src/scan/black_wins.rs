//! Reads Black's wins from a verdict table. The table stores a word for each square of Black's
//! king, with a bit for each square of White's king. The reader transposes these words.

use rayon::prelude::*;

use super::count::RULES;
use sakmak::board::{Color, Square, SquareSet};
use sakmak::index::{Bia, Group, Transform};
use sakmak::internals::ForkedByOneFunction;
use sakmak::table::TableError;
use sakmak::verdict::{PlaneLayout, Set, Turn, VerdictBlock, VerdictFile};

/// The sets of Black's wins to read: on the board with White to move, on the board with Black to
/// move, and in time with White to move.
const READ_SETS: [(Set, Turn); 3] = [
    (Set::Board, Turn::Loser),
    (Set::Board, Turn::Winner),
    (Set::InTime(RULES), Turn::Loser),
];

/// Black's wins in an ending, read from its verdict table.
#[derive(Debug)]
pub struct BlackWins<'a> {
    layout: &'a PlaneLayout,
    /// True if the armies are equal. Then Black's wins are White's wins with the colours exchanged.
    exchanged: bool,
    /// The squares of Black's king, grouped by the transform that maps the king into the domain.
    images: Vec<Image>,
    /// For each lane, its words in the sets of [`READ_SETS`]. They are adjacent because
    /// [`BlackWins::of_plane`] reads lanes all over the table.
    words: Vec<[u64; READ_SETS.len()]>,
}

/// The squares of Black's king that one transform (a reflection or rotation) maps into the domain.
#[derive(Debug)]
struct Image {
    transform: Transform,
    /// Each square, with the index of its lane.
    squares: Vec<(Square, usize)>,
}

/// Black's wins with all men but the kings fixed. For each set and each square of White's king, a
/// word contains the squares of Black's king.
#[derive(Debug)]
pub struct PlaneWins([[u64; 64]; READ_SETS.len()]);

/// Black's wins in one lane, as sets of squares of Black's king.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneWins {
    /// The wins on the board: with White to move, then with Black to move.
    pub board: [u64; 2],
    /// The wins in time, with White to move.
    pub in_time: u64,
}

impl<'a> BlackWins<'a> {
    /// Reads Black's wins. None if Black wins no position.
    ///
    /// # Errors
    ///
    /// If the table is corrupt.
    pub fn read(verdicts: &'a VerdictFile) -> Result<Option<BlackWins<'a>>, TableError> {
        let men = verdicts.material().material();
        let exchanged = men.white == men.black;
        let winner = if exchanged {
            Color::White
        } else {
            Color::Black
        };
        let (Some(layout), Some((planes, _))) = (verdicts.layout(winner), verdicts.blocks(winner))
        else {
            return Ok(None);
        };
        let lanes = layout.domain().len();
        let in_block = planes as usize * lanes;
        let mut words = vec![[0; READ_SETS.len()]; layout.planes() as usize * lanes];
        let parts = words.par_chunks_mut(in_block).enumerate().erased();
        parts.try_for_each_init(VerdictBlock::default, |decoded, (block, words)| {
            verdicts.read_block(winner, &READ_SETS, block as u64, decoded)?;
            let sets = READ_SETS.map(|(set, turn)| decoded.words(set, turn));
            for (lane, words) in words.iter_mut().enumerate() {
                *words = sets.map(|set| set[lane]);
            }
            Ok(())
        })?;
        let mut images: Vec<Image> = Vec::new();
        for square in Square::all() {
            let king = match exchanged {
                true => square.flip_vertical(),
                false => square,
            };
            let transform = layout.symmetry().to_domain(Bia::NONE, king);
            let place = images.iter().position(|image| image.transform == transform);
            let place = place.unwrap_or_else(|| {
                images.push(Image {
                    transform,
                    squares: Vec::new(),
                });
                images.len() - 1
            });
            let image = transform.square(king);
            let lane = layout.domain().iter().position(|&king| king == image);
            images[place]
                .squares
                .extend(lane.map(|lane| (square, lane)));
        }
        Ok(Some(BlackWins {
            layout,
            exchanged,
            images,
            words,
        }))
    }

    /// Black's wins with the men of the groups on the squares of `men`.
    pub fn of_plane(&self, groups: &[Group], men: &[SquareSet]) -> PlaneWins {
        let mut rows = [[0; 64]; READ_SETS.len()];
        let seen = |group: &Group| {
            let color = match self.exchanged {
                true => !group.color,
                false => group.color,
            };
            let mut own = groups.iter().zip(men);
            let own = own.find(|(own, _)| (own.role, own.color) == (group.role, color));
            own.map_or(SquareSet::EMPTY, |(_, &men)| turned(self.exchanged, men))
        };
        // The lanes are far apart. Loading all of them before any other work lets the cache misses
        // overlap.
        let mut words = [[0; READ_SETS.len()]; 64];
        for image in &self.images {
            let plane = self.layout.plane(image.transform, Bia::NONE, seen);
            let lanes = &self.words[plane as usize * self.layout.domain().len()..];
            for &(square, lane) in &image.squares {
                words[square.index()] = lanes[lane];
            }
        }
        for image in &self.images {
            let back = image.transform.inverse();
            for &(square, _) in &image.squares {
                for (rows, word) in rows.iter_mut().zip(words[square.index()]) {
                    let squares = back.set(SquareSet(word));
                    rows[square.index()] = turned(self.exchanged, squares).0;
                }
            }
        }
        for rows in &mut rows {
            transpose(rows);
        }
        PlaneWins(rows)
    }
}

impl PlaneWins {
    /// Black's wins with White's king on `king`.
    pub fn with_white_king(&self, king: Square) -> LaneWins {
        let [white_to_move, black_to_move, in_time] =
            self.0.each_ref().map(|rows| rows[king.index()]);
        LaneWins {
            board: [white_to_move, black_to_move],
            in_time,
        }
    }
}

/// Reverses the ranks of a set of squares if `exchanged` is true.
fn turned(exchanged: bool, set: SquareSet) -> SquareSet {
    match exchanged {
        true => SquareSet(set.0.swap_bytes()),
        false => set,
    }
}

/// Transposes a 64-by-64 matrix of bits.
fn transpose(rows: &mut [u64; 64]) {
    if rows.iter().all(|&row| row == 0) {
        return;
    }
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width > 0 {
        // Exchanges squares of `width` bits across the diagonal.
        for start in (0..64).step_by(2 * width) {
            for row in start..start + width {
                let moved = (rows[row] >> width ^ rows[row + width]) & mask;
                rows[row] ^= moved << width;
                rows[row + width] ^= moved;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let row = |i: u64| {
            i.wrapping_add(3)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(i as u32)
        };
        let rows: [u64; 64] = std::array::from_fn(|i| row(i as u64));
        let mut columns = rows;
        transpose(&mut columns);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1, "{i}, {j}");
            }
        }
    }
}
