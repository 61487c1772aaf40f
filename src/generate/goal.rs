//! What an ending comes to under one goal: both sides' wins, solved or known already.

use super::encode::CodedCells;
use super::library::{Goal, Library};
use super::phases::Phase;
use super::report::{Progress, Report};
use crate::board::Color;
use crate::material::CanonicalMaterial;
use crate::solve::{
    self, BitPlanes, Keep, LaneLayout, LaneWords, Simd, Solution, SolveCounts, digest,
};
use crate::stats::{Counts, Statistics};

/// An ending under one goal.
pub struct SolvedEnding {
    white: Side,
    /// None if Black has no men.
    black: Option<Side>,
    /// What becomes of each position with White to move.
    pub cells: CodedCells,
}

/// What became of one side's moves.
#[derive(Clone)]
struct Side {
    /// What its captures lead to: with the same leaves it comes to the same.
    leaves: blake3::Hash,
    lane_layout: LaneLayout,
    counts: SolveCounts,
}

/// One side's wins.
enum Wins {
    /// Just solved.
    Solved(Box<(Side, Solution)>),
    /// Its captures lead to the same as under the goal before.
    Known,
}

/// Solves both sides' wins to one goal. Nothing if every position comes to the same as what is
/// known of the goal before.
///
/// Goals differ in what a capture is worth, and many endings have none where they do. In those nothing
/// is solved twice.
///
/// White's distances are gone when Black's are solved: [`super::plan`] counts the arrays that are
/// there at the same time.
pub fn solve(
    material: CanonicalMaterial,
    goal: Goal,
    library: &mut Library,
    known: Option<&SolvedEnding>,
    report: &mut Report,
    progress: &(dyn Fn(Progress) + Sync),
) -> Option<SolvedEnding> {
    let mut one = |report: &mut Report, winner: Color, keep: Keep, known: Option<&Side>| {
        progress(Progress::Reading);
        let lane_layout = LaneLayout::new(material.material(), winner);
        let (leaves, digest) = report.phases.measure(Phase::Smaller, || {
            let leaves = library.leaves(material.material(), &lane_layout, goal);
            // Under this goal they are not asked for again, and their memory is needed now.
            library.forget();
            let digest = digest(&leaves);
            (leaves, digest)
        });
        if known.is_some_and(|known| known.leaves == digest) {
            return Wins::Known;
        }
        report.cells += lane_layout.lanes() as u64 * 64 * 2;
        let solution = report.phases.measure(Phase::Solving, || {
            solve::solve(lane_layout, leaves, keep, Simd::detect(), &mut |step| {
                progress(Progress::Solved(step.moves));
            })
        });
        let side = Side {
            leaves: digest,
            lane_layout: solution.layout.clone(),
            counts: solution.counts.clone(),
        };
        Wins::Solved(Box::new((side, solution)))
    };
    // White to move is stored: White's wins with the winner to move, Black's with the loser.
    let before = known.map(|known| &known.white);
    let white = match one(report, Color::White, Keep::Winner, before) {
        Wins::Known => None,
        Wins::Solved(solved) => {
            let (side, mut solution) = *solved;
            let phases = &mut report.phases;
            let cells = phases.measure(Phase::Collecting, || CodedCells::collect(&solution));
            (solution.winner_to_move, solution.open) = (BitPlanes::default(), LaneWords::default());
            Some((side, cells))
        }
    };
    let before = known.and_then(|known| known.black.as_ref());
    let black = (!material.is_bare()).then(|| one(report, Color::Black, Keep::Loser, before));
    if white.is_none() && !matches!(black, Some(Wins::Solved(..))) {
        return None;
    }
    report.phases.measure(Phase::Collecting, || {
        let (white, mut cells) = match white {
            Some(white) => white,
            None => (known?.white.clone(), CodedCells::white_of(&known?.cells)),
        };
        let black = match black {
            None => None,
            Some(Wins::Known) => {
                cells = cells.with_black_of(&known?.cells);
                known?.black.clone()
            }
            Some(Wins::Solved(solved)) => {
                let (side, solution) = *solved;
                cells = cells.with_black(&solution);
                Some(side)
            }
        };
        Some(SolvedEnding {
            white,
            black,
            cells,
        })
    })
}

impl SolvedEnding {
    /// The statistics of the ending under this goal.
    pub fn statistics(&self) -> Statistics {
        let list = |side: &Side, wins: &[(u64, Option<u64>)]| {
            let last = wins.iter().rposition(|&(n, _)| n > 0).unwrap_or(0);
            let counts: Vec<u64> = wins[..=last].iter().map(|&(n, _)| n).collect();
            let example =
                |&(_, number): &(u64, Option<u64>)| number.map(|n| side.lane_layout.example(n));
            let examples: Vec<_> = wins[..=last].iter().map(example).collect();
            (counts, examples)
        };
        let counts = |legal: u64, white: (Vec<u64>, Vec<_>), black: Option<(Vec<u64>, Vec<_>)>| {
            let black = black.unwrap_or_default();
            Counts {
                draws: legal - white.0.iter().sum::<u64>() - black.0.iter().sum::<u64>(),
                white_wins: white.0,
                black_wins: black.0,
                white_examples: white.1,
                black_examples: black.1,
            }
        };
        let (white, black) = (&self.white, self.black.as_ref());
        Statistics {
            white_to_move: counts(
                white.counts.winner_legal,
                list(white, &white.counts.winner_wins),
                black.map(|black| list(black, &black.counts.loser_losses)),
            ),
            black_to_move: counts(
                white.counts.loser_legal,
                list(white, &white.counts.loser_losses),
                black.map(|black| list(black, &black.counts.winner_wins)),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Layout;
    use crate::rules::RuleSet;
    use crate::table::CellSource;

    /// The codes' meanings cell by cell, which two arrangements of the codes have in common.
    fn values(material: CanonicalMaterial, cells: &CodedCells) -> Vec<Option<crate::table::Code>> {
        let order = LaneLayout::new(material.material(), Color::White);
        let order: Layout = order.table_layout(material);
        let cells_in_order = cells.in_order(&order);
        let mut places = vec![0; cells_in_order.cells() as usize];
        cells_in_order.read(0, &mut places);
        let code = |&place: &u16| cells.codes().get(usize::from(place)).copied();
        places.iter().map(code).collect()
    }

    #[test]
    fn what_is_known_of_one_goal_is_what_another_would_be_solved_to() {
        let (mut wholly, mut partly) = (0, 0);
        for name in ["KRvKS", "KRvKN", "KSvKM", "KNvKM"] {
            let material: CanonicalMaterial = name.parse().unwrap();
            let mut library = Library::new();
            let mut run = |goal, known: Option<&SolvedEnding>| {
                let mut report = Report::new(material);
                let outcome = solve(material, goal, &mut library, known, &mut report, &|_| {});
                (outcome, report.cells)
            };
            let mut known: Option<SolvedEnding> = None;
            let goals = RuleSet::ALL.map(Goal::Honor);
            for (number, goal) in [Goal::Mate].into_iter().chain(goals).enumerate() {
                let (anew, all_cells) = run(goal, None);
                let anew = anew.expect("nothing was known");
                let (outcome, cells) = run(goal, known.as_ref());
                let made = match &outcome {
                    Some(made) => made,
                    None => known.as_ref().expect("the first goal is solved"),
                };
                wholly += u32::from(outcome.is_none());
                partly += u32::from(outcome.is_some() && cells < all_cells);
                let same = values(material, &made.cells) == values(material, &anew.cells);
                assert!(same, "{name} {goal:?}");
                assert_eq!(made.statistics(), anew.statistics(), "{name} {goal:?}");
                if number < 2 {
                    known = Some(anew);
                }
            }
        }
        assert!(wholly > 0 && partly > 0, "{wholly} wholly, {partly} partly");
    }
}
