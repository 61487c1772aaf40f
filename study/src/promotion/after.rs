//! The verdicts of all positions after a promotion, in memory.

use rayon::prelude::*;

use super::super::scan::Reader;
use super::men::Men;
use sakmak::board::{Color, Role, Square, SquareSet};
use sakmak::index::Group;
use sakmak::material::{CanonicalMaterial, MIN_MEN};
use sakmak::probe::ProbeError;
use sakmak::rules::RuleSet;
use sakmak::verdict::{PlaneLayout, Set, Turn, VerdictBlock, VerdictFile};

/// Makruk, the only rule set whose tables have bia.
pub const RULES: RuleSet = RuleSet::Makruk;

/// The number of sides.
const SIDES: usize = 2;

/// The wins of a lane, as two sets of squares of the weaker king: positions won on the board, and
/// positions won in time.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountWords {
    /// Positions won if nothing is counted.
    pub board: u64,
    /// Positions won under the count.
    pub in_time: u64,
}

/// One side's wins in one ending with one side to move.
#[derive(Debug)]
struct Words {
    layout: PlaneLayout,
    /// For each lane, its wins on the board and its wins in time.
    words: Vec<[u64; 2]>,
    /// True if the table of the ending has the colours exchanged.
    swapped: bool,
}

/// The verdicts of all endings that the promotions of an ending lead to.
#[derive(Debug)]
pub struct Afters {
    winner: Color,
    /// The verdicts, by the promoting side (the winner first) and [`taken_index`]. None if there is
    /// no such promotion, or if the winner wins no position after it.
    words: [[Option<Words>; 7]; SIDES],
}

/// The index in [`Afters::words`] for a promotion that captures a man of this role, or nothing.
fn taken_index(taken: Option<Role>) -> usize {
    taken.map_or(0, |role| 1 + role.index())
}

impl Afters {
    /// Reads the wins of `winner` after the promotions of both sides. None if a verdict table is
    /// missing.
    ///
    /// # Errors
    ///
    /// If a table is corrupt.
    pub fn read(
        material: CanonicalMaterial,
        winner: Color,
        reader: &Reader,
    ) -> Result<Option<Afters>, ProbeError> {
        let mut afters = Afters {
            winner,
            words: Default::default(),
        };
        let men = material.material();
        for side in Color::ALL {
            let Some(army) = men.army(side).without(Role::Bia) else {
                continue;
            };
            let promoted = men.with_army(side, army.with(Role::Met));
            // After the promotion the other side is to move.
            let turn = match side == winner {
                true => Turn::Loser,
                false => Turn::Winner,
            };
            let taken = men.army(!side).groups().map(|(role, _)| Some(role));
            for taken in taken.chain([None]) {
                let rest = taken.and_then(|role| men.army(!side).without(role));
                let after = rest.map_or(promoted, |rest| promoted.with_army(!side, rest));
                if after.men() == MIN_MEN || after.army(winner).is_empty() {
                    continue;
                }
                let (canonical, swapped) = after.canonical();
                let Some(verdicts) = reader.verdicts(canonical) else {
                    return Ok(None);
                };
                let own = if swapped { !winner } else { winner };
                afters.words[usize::from(side != winner)][taken_index(taken)] =
                    Words::read(&verdicts, own, turn, swapped)?;
            }
        }
        Ok(Some(afters))
    }

    /// The side whose wins are stored.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The wins after a promotion by `side` that leads to `men`, with the winner's king on `king`.
    /// `taken` is the role of the man that the promotion captures, if any.
    pub fn wins(&self, side: Color, taken: Option<Role>, men: &Men, king: Square) -> CountWords {
        let words = &self.words[usize::from(side != self.winner)][taken_index(taken)];
        words.as_ref().map_or_else(CountWords::default, |words| {
            let [board, in_time] = words.at(men, king);
            CountWords { board, in_time }
        })
    }
}

impl Words {
    /// Reads the wins of one side. None if that side never wins.
    fn read(
        verdicts: &VerdictFile,
        winner: Color,
        turn: Turn,
        swapped: bool,
    ) -> Result<Option<Words>, ProbeError> {
        let (Some(layout), Some((_, blocks))) = (verdicts.layout(winner), verdicts.blocks(winner))
        else {
            return Ok(None);
        };
        let sets = [Set::Board, Set::InTime(RULES)];
        let wanted = sets.map(|set| (set, turn));
        let read = |block: &mut VerdictBlock, number| {
            verdicts.read_block(winner, &wanted, number, block)?;
            let [board, in_time] = sets.map(|set| block.words(set, turn));
            let pairs = board.iter().zip(in_time);
            Ok::<Vec<[u64; 2]>, ProbeError>(pairs.map(|(&a, &b)| [a, b]).collect())
        };
        let words: Result<Vec<Vec<[u64; 2]>>, ProbeError> = (0..blocks)
            .into_par_iter()
            .map_init(VerdictBlock::default, read)
            .collect();
        Ok(Some(Words {
            layout: layout.clone(),
            words: words?.concat(),
            swapped,
        }))
    }

    /// The words for these men and the winner's king on `king`, with the colours of the ending in
    /// which the promotion takes place.
    fn at(&self, men: &Men, king: Square) -> [u64; 2] {
        let (men, king) = match self.swapped {
            true => (men.swapped(), reversed(king)),
            false => (*men, king),
        };
        let transform = self.layout.symmetry().to_domain(men.bia(), king);
        let of_group = |group: &Group| men.of(group.color, group.role);
        let place = self.layout.place(men.bia(), king, king, of_group);
        let lane = place.plane as usize * self.layout.domain().len() + place.lane;
        let back = transform.inverse();
        self.words[lane].map(|word| {
            let squares = back.set(SquareSet(word)).0;
            match self.swapped {
                true => squares.swap_bytes(),
                false => squares,
            }
        })
    }
}

/// Reverses the rank of a square: a1 becomes a8.
fn reversed(square: Square) -> Square {
    Square::wrapping(square.index() ^ 56)
}
