//! The statistics of an ending solved in slices.

use super::checkpoint::SliceCounts;
use crate::solve::{Counted, LaneLayout};
use crate::statistics::{Counts, Example, Wins};

/// The counts of one side's slices, each with the slice's lane layout.
pub type Slices = [(SliceCounts, LaneLayout)];

/// Selects a slice's counts by distance: those of the wins or those of the losses.
pub type ByDistance = fn(&SliceCounts) -> &[Counted];

/// The position counts of an ending, with one side to move. `white` contains the slices of White's
/// wins; `black` contains those of Black's wins, if Black has men. The functions select the counts
/// for the side to move.
pub fn counts(
    white: &Slices,
    legal: fn(&SliceCounts) -> u64,
    white_wins: ByDistance,
    black: Option<(&Slices, ByDistance)>,
) -> Counts {
    let legal = white.iter().map(|(counts, _)| legal(counts)).sum();
    let black = black.map_or_else(Wins::default, |(slices, wins)| by_distance(slices, wins));
    Counts::of_wins(legal, by_distance(white, white_wins), black)
}

/// Adds up the counts of each distance over all slices. The example position of a distance comes
/// from the first slice with a position at that distance.
fn by_distance(slices: &Slices, of_slice: ByDistance) -> Wins {
    let mut positions = Vec::new();
    let mut examples: Vec<Option<Example>> = Vec::new();
    for (counts, lane_layout) in slices {
        let found = of_slice(counts);
        positions.resize(positions.len().max(found.len()), 0);
        examples.resize(positions.len(), None);
        for (distance, found) in found.iter().enumerate() {
            positions[distance] += found.positions;
            if examples[distance].is_none() {
                examples[distance] = found.example.map(|number| lane_layout.example(number));
            }
        }
    }
    (positions, examples)
}
