//! The verdicts of all positions just after a promotion, in memory.

use rayon::prelude::*;

use super::super::scan::Reader;
use super::men::Men;
use sakmak::board::{Color, Role, Square, SquareSet};
use sakmak::index::Group;
use sakmak::material::{CanonicalMaterial, MIN_MEN};
use sakmak::probe::ProbeError;
use sakmak::rules::RuleSet;
use sakmak::verdict::{PlaneLayout, Set, Turn, VerdictBlock, VerdictFile};

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
    /// For each lane, its wins on the board and its wins in time. Both are 0 in blocks without any
    /// position just after the promotion.
    words: Vec<[u64; 2]>,
    /// True if the table of the ending has the colours exchanged.
    swapped: bool,
}

/// A kind of promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromotionKind {
    /// The side that promotes.
    pub side: Color,
    /// The man that the bia becomes.
    pub role: Role,
    /// The man that the promotion captures, if any.
    pub taken: Option<Role>,
}

impl PromotionKind {
    /// The number of kinds.
    const COUNT: usize = Color::ALL.len() * Role::ALL.len() * (Role::ALL.len() + 1);

    fn index(self) -> usize {
        let taken = self.taken.map_or(0, |role| 1 + role.index());
        let man = self.side.index() * Role::ALL.len() + self.role.index();
        man * (Role::ALL.len() + 1) + taken
    }
}

/// The verdicts of all endings that the promotions of an ending lead to, under one rule set.
#[derive(Debug)]
pub struct Afters {
    winner: Color,
    rules: RuleSet,
    /// The verdicts by [`PromotionKind::index`]. None if there is no such promotion, or if the
    /// winner wins no position after it.
    words: Vec<Option<Words>>,
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
        rules: RuleSet,
        reader: &Reader,
    ) -> Result<Option<Afters>, ProbeError> {
        let mut words: Vec<Option<Words>> = (0..PromotionKind::COUNT).map(|_| None).collect();
        let men = material.material();
        for side in Color::ALL {
            let Some(rest) = men.army(side).without(Role::Bia) else {
                continue;
            };
            // After the promotion the other side is to move.
            let turn = match side == winner {
                true => Turn::Loser,
                false => Turn::Winner,
            };
            for &role in rules.game().promotions() {
                let promoted = men.with_army(side, rest.with(role));
                let taken = men.army(!side).groups().map(|(role, _)| Some(role));
                for taken in taken.chain([None]) {
                    let rest = taken.and_then(|role| men.army(!side).without(role));
                    let after = rest.map_or(promoted, |rest| promoted.with_army(!side, rest));
                    if after.men() == MIN_MEN || after.army(winner).is_empty() {
                        continue;
                    }
                    let (canonical, swapped) = after.canonical();
                    let Some(verdicts) = reader.verdicts(canonical, rules) else {
                        return Ok(None);
                    };
                    let own = |color: Color| if swapped { !color } else { color };
                    let wanted = AfterPromotion {
                        winner: own(winner),
                        turn,
                        rules,
                        new_man: (own(side), role),
                    };
                    let kind = PromotionKind { side, role, taken };
                    words[kind.index()] = Words::read(&verdicts, &wanted, swapped)?;
                }
            }
        }
        Ok(Some(Afters {
            winner,
            rules,
            words,
        }))
    }

    /// The side whose wins are stored.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The rule set.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The wins after a promotion of this kind that leads to `men`, with the winner's king on
    /// `king`.
    pub fn wins(&self, kind: PromotionKind, men: &Men, king: Square) -> CountWords {
        let words = &self.words[kind.index()];
        words.as_ref().map_or_else(CountWords::default, |words| {
            let [board, in_time] = words.at(men, king);
            CountWords { board, in_time }
        })
    }
}

/// The positions to read from a verdict table: those just after a promotion. The colours are those
/// of the table's ending.
struct AfterPromotion {
    winner: Color,
    turn: Turn,
    rules: RuleSet,
    /// The man that the bia has just become.
    new_man: (Color, Role),
}

impl AfterPromotion {
    /// The planes with the new man on a promotion square or, since symmetry turns the board, on an
    /// image of one.
    fn planes(&self, layout: &PlaneLayout) -> impl Fn(u64) -> bool {
        let (color, role) = self.new_man;
        let squares = self.rules.game().promotion_squares(color);
        let squares = layout.symmetry().images(squares);
        move |plane| {
            let men = layout.all_men(plane).into_iter();
            let mut new_men = men.filter(|man| (man.0, man.1) == (color, role));
            new_men.any(|(.., men)| !(men & squares).is_empty())
        }
    }
}

impl Words {
    /// Reads the wins of one side in all blocks with a wanted position. None if that side never
    /// wins.
    fn read(
        verdicts: &VerdictFile,
        wanted: &AfterPromotion,
        swapped: bool,
    ) -> Result<Option<Words>, ProbeError> {
        let winner = wanted.winner;
        let (Some(layout), Some((planes, blocks))) =
            (verdicts.layout(winner), verdicts.blocks(winner))
        else {
            return Ok(None);
        };
        let sets = [Set::Board, Set::InTime(wanted.rules)];
        let turns = sets.map(|set| (set, wanted.turn));
        let lanes = layout.domain().len();
        let is_wanted = wanted.planes(layout);
        let mut words = vec![[0; 2]; layout.planes() as usize * lanes];
        let read = |block: &mut VerdictBlock, (number, words): (usize, &mut [[u64; 2]])| {
            let first = number as u64 * planes;
            let mut planes = first..first + (words.len() / lanes) as u64;
            if planes.any(&is_wanted) {
                verdicts.read_block(winner, &turns, number as u64, block)?;
                let [board, in_time] = sets.map(|set| block.words(set, wanted.turn));
                for (words, (&board, &in_time)) in words.iter_mut().zip(board.iter().zip(in_time)) {
                    *words = [board, in_time];
                }
            }
            Ok::<(), ProbeError>(())
        };
        let parts = words.par_chunks_mut(planes as usize * lanes).enumerate();
        debug_assert_eq!(parts.len() as u64, blocks);
        parts.try_for_each_init(VerdictBlock::default, read)?;
        Ok(Some(Words {
            layout: layout.clone(),
            words,
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
