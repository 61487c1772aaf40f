//! ASEAN chess with its clock: a value for each position and each number of plies since the last
//! capture. Against a bare king the count is as old as the clock, since both began with the same
//! capture.

use sakmak::board::{Color, Role, SquareSet};
use sakmak::rules::RuleSet;

use super::retrograde::Retrograde;
use super::{NaiveTable, Value};

/// The plies since the last capture at which the game is drawn, unless the last of them mates.
pub const DRAWN: u32 = 100;

/// The most plies counted against knights; beyond them the game is drawn, unless the last ply
/// mates.
const COUNTED: u32 = 128;

impl NaiveTable {
    /// The same ending with the clock. A position with the value v is won as long as the clock
    /// leaves v of the [`DRAWN`] plies: see [`NaiveTable::winner`].
    pub fn by_clock(&self) -> NaiveTable {
        let bare = self.bare_king();
        let smaller = |table: &NaiveTable| match table.bare_king() {
            Some(_) if bare.is_some() => {
                table.assert_nothing_is_won_by_captures();
                table.by_clock()
            }
            Some(bare) => table.at_baring(RuleSet::Asean, bare),
            None => table.by_clock(),
        };
        // At a hundred plies only mates are won.
        let mut table = self.undecided(smaller, |moves| moves == 0);
        // The values of the bare king's captures change with the count.
        let captures_change =
            bare.is_some() && table.smaller.iter().flatten().any(NaiveTable::is_won);
        // From each clock to the one before; only positions with a move to one that changed in the
        // last round are examined.
        let mut changed: Option<[Vec<u32>; 2]> = None;
        for clock in (0..DRAWN).rev() {
            let mut found = [Vec::new(), Vec::new()];
            for turn in Color::ALL {
                let looked_at_all = changed.as_ref().filter(|_| !captures_change);
                let look_at: Box<dyn Iterator<Item = usize>> = match looked_at_all {
                    None => Box::new(0..table.values[0].len()),
                    Some(changed) => {
                        let mut before = Vec::new();
                        for &index in &changed[(!turn).index()] {
                            table.each_move_back(index as usize, turn, |index| before.push(index));
                        }
                        before.sort_unstable();
                        before.dedup();
                        Box::new(before.into_iter())
                    }
                };
                for index in look_at {
                    let known = table.at(index, turn);
                    if known == Value::Illegal {
                        continue;
                    }
                    let winner = table.winner_a_ply_on(index, turn, clock);
                    match (known, winner) {
                        (Value::Win(known, _), found) => assert_eq!(Some(known), found),
                        (_, Some(winner)) => found[turn.index()].push((index as u32, winner)),
                        (_, None) => {}
                    }
                }
            }
            for (values, found) in table.values.iter_mut().zip(&found) {
                for &(index, winner) in found {
                    values[index as usize] = Value::Win(winner, DRAWN - clock).to_byte();
                }
            }
            changed = Some(found.map(|found| found.into_iter().map(|(index, _)| index).collect()));
        }
        table
    }

    /// The winner at a number of plies on the clock, from a value of [`NaiveTable::by_clock`].
    pub fn winner(value: Value, clock: u32) -> Option<Color> {
        match value {
            Value::Win(winner, left) if left + clock <= DRAWN => Some(winner),
            _ => None,
        }
    }

    /// The plies that the count leaves against a bare king after some plies. Against mets alone
    /// there is no count.
    fn plies_counted(&self, counted: u32) -> u32 {
        match self.men.iter().any(|&(_, role)| role == Role::Knight) {
            true => (COUNTED + 1).saturating_sub(counted),
            false => DRAWN,
        }
    }

    /// Asserts that captures into other bare-king endings win nothing.
    fn assert_nothing_is_won_by_captures(&self) {
        assert!(!self.smaller.iter().flatten().any(NaiveTable::is_won));
    }

    /// True if any position is won.
    fn is_won(&self) -> bool {
        let won = |byte: &u8| matches!(Value::from_byte(*byte), Value::Win(..));
        self.values.iter().flatten().any(won)
    }

    /// The winner one ply later, at a number of plies on the clock.
    fn winner_a_ply_on(&self, index: usize, turn: Color, clock: u32) -> Option<Color> {
        let (mut moves, mut lost, mut won) = (0, 0, false);
        let occupied = self.occupied(index);
        let captured = match self.bare_king() {
            // The count goes on. It leaves as much as this clock does, since no later capture
            // restarts it.
            Some(_) => DRAWN.saturating_sub(self.plies_counted(clock + 1)),
            None => 0,
        };
        for (targets, clock) in [
            (occupied, captured),
            (SquareSet::ALL & !occupied, clock + 1),
        ] {
            self.each_move(index, turn, targets, |value| {
                let winner = NaiveTable::winner(value, clock);
                moves += 1;
                lost += u32::from(winner == Some(!turn));
                won |= winner == Some(turn);
                !won
            });
        }
        match (won, moves) {
            (true, _) => Some(turn),
            (_, 0) => self.is_check(index, turn).then_some(!turn),
            _ => (lost == moves).then_some(!turn),
        }
    }
}
