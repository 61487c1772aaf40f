//! Computes the results of a lane with Black to move, from the lanes that Black's moves lead to.

use super::dense::AfterCaptures;
use super::ending::EndingInMemory;
use super::placing::{LaneResults, Placing, open_lanes};
use sakmak::board::attacks::king_steps;
use sakmak::board::{Color, SquareSet, attacks};

/// Computes a lane with Black to move: the results for the placing `placed` (all men but Black's
/// king) with every square of Black's king.
///
/// `number` is the index of `placed` in `ending`, and `subendings` are those after captures of
/// White's men. White's king must be in the domain (the squares to which symmetry maps it).
pub fn black_to_move(
    ending: &EndingInMemory,
    subendings: &AfterCaptures,
    number: usize,
    placed: &Placing,
) -> LaneResults {
    let groups = ending.groups();
    let white_men = placed.men_of(groups, Color::White);
    let own = placed.men_of(groups, Color::Black);
    let occupied = placed.occupied();
    let attacked = placed.attacked(groups);

    // Black's king moves within the lane, so the results of its steps are those of the same lane
    // with White to move.
    let mut stepped = ending.lanes[number];
    for (g, group) in groups.iter().enumerate() {
        if group.color == Color::White {
            for taken in placed.men[g] & !attacked {
                let rest = placed.with(g, placed.men[g].without(taken));
                let after = subendings.after(group.role).lane(&rest, groups);
                stepped.add(after.only(taken.set()));
            }
        }
    }
    let mut reached = stepped.map(king_steps);

    for (g, group) in groups.iter().enumerate() {
        if group.color == Color::White {
            continue;
        }
        for from in placed.men[g] {
            let targets = attacks::attacks(group.role, Color::Black, from, occupied);
            for to in targets & !own & !placed.king.set() {
                let moved = placed.with(g, placed.men[g].without(from).with(to));
                let after = if white_men.contains(to) {
                    let taken = groups
                        .iter()
                        .zip(&placed.men)
                        .position(|(group, men)| group.color == Color::White && men.contains(to))
                        .unwrap_or(g);
                    let rest = moved.with(taken, moved.men[taken].without(to));
                    subendings.after(groups[taken].role).lane(&rest, groups)
                } else {
                    // White's king does not move, so the new placing is in the domain too.
                    ending.lanes[ending.numbering.number(&moved).0]
                };
                // Black's king must neither block its own man nor stand on the target square.
                let lanes = open_lanes(group.role, from, to).without(to);
                reached.add(after.only(lanes));
            }
        }
    }

    let legal = placed.legal(groups, Color::Black);
    let stuck = legal & !reached.legal();
    let chosen = |set: SquareSet, better: SquareSet| legal & set & !better;
    LaneResults {
        black: chosen(reached.black, SquareSet::EMPTY),
        drawn: chosen(reached.drawn, reached.black) | (stuck & !attacked),
        white: chosen(reached.white, reached.black | reached.drawn) | (stuck & attacked),
    }
}
