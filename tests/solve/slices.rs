//! Colour slices solved one by one agree with the ending solved as a whole.

use sakmak::board::{Color, SquareSet};
use sakmak::generate::SolvedEndings;
use sakmak::index::Transform;
use sakmak::internals::{
    ColorSlice, Counted, Goal, Keep, LaneLayout, Simd, Solution, SolveCounts, StepCounts, Unit,
    solve,
};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;

/// Counts by distance, without the examples.
fn counts(solved: &SolveCounts, of_step: fn(&StepCounts) -> Counted) -> Vec<u64> {
    let steps = solved.steps.iter();
    let mut counts: Vec<u64> = steps.map(|step| of_step(step).positions).collect();
    while counts.last() == Some(&0) {
        counts.pop();
    }
    counts
}

fn add(sum: &mut Vec<u64>, counts: &[u64]) {
    sum.resize(sum.len().max(counts.len()), 0);
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// Asserts that each lane of a slice, and its mirror image, equals the whole's.
fn assert_lanes_agree(slice: &Solution, even: bool, whole: &Solution, what: &str) {
    let transforms: &[Transform] = match even {
        true => &[Transform::IDENTITY],
        false => &[Transform::IDENTITY, Transform::MIRROR],
    };
    let lane_layout = &slice.layout;
    let losers = [slice, whole].map(|s| s.loser_to_move.as_ref().unwrap());
    for lane in 0..lane_layout.lanes() {
        let (slab, men) = lane_layout.men(lane);
        let king = lane_layout.domain()[slab];
        let all = men.iter().fold(king.set(), |all, &men| all | men);
        if all.len() != 1 + lane_layout.groups().iter().map(|g| g.count).sum::<usize>() {
            continue;
        }
        for &image in transforms {
            let like = |g: usize| {
                let group = whole.layout.groups()[g];
                let groups = lane_layout.groups().iter().zip(&men);
                let like = groups.filter(|(g, _)| (g.color, g.role) == (group.color, group.role));
                image.set(like.fold(SquareSet::EMPTY, |all, (_, &men)| all | men))
            };
            let (into, other) = whole.layout.lane(image.square(king), like);
            for square in !all {
                let bit = into.square(image.square(square)).index();
                let same = slice.winner_to_move.get(lane, square.index())
                    == whole.winner_to_move.get(other, bit)
                    && losers[0].get(lane, square.index()) == losers[1].get(other, bit)
                    && slice.open[lane] >> square.index() & 1 == whole.open[other] >> bit & 1;
                assert!(same, "{what}, lane {lane}, {square}");
            }
        }
    }
}

fn assert_slices_are_the_whole(name: &str, winner: Color, goal: Goal) {
    let material = name.parse::<CanonicalMaterial>().unwrap().material();
    let mut solved_endings = SolvedEndings::new();
    let whole = solved_endings.solve(material, winner, goal, Keep::Both, &mut |_| {});
    let (mut legal, mut wins, mut losses) = ((0, 0), Vec::new(), Vec::new());
    for slice in ColorSlice::all(material) {
        let what = format!("{name}, {winner:?} wins, {goal:?}, {slice:?}");
        let lane_layout = LaneLayout::of_slice(material, winner, &slice);
        let leaves = solved_endings.leaves(material, &lane_layout, goal);
        let solution = solve(
            lane_layout,
            leaves,
            Keep::Both,
            Unit::Moves,
            Simd::detect(),
            &mut |_| {},
        );
        assert_lanes_agree(&solution, slice.is_even(), &whole, &what);
        let found = &solution.counts;
        legal.0 += found.winner_legal;
        legal.1 += found.loser_legal;
        add(&mut wins, &counts(found, |step| step.wins));
        add(&mut losses, &counts(found, |step| step.losses));
    }
    assert_eq!(legal, (whole.counts.winner_legal, whole.counts.loser_legal));
    assert_eq!(wins, counts(&whole.counts, |step| step.wins), "{name}");
    assert_eq!(losses, counts(&whole.counts, |step| step.losses), "{name}");
}

#[test]
fn bare_kings_in_slices_are_the_whole() {
    for name in ["KMvK", "KMMvK", "KRMvK", "KNMvK", "KSMvK"] {
        assert_slices_are_the_whole(name, Color::White, Goal::Mate);
    }
}

#[test]
fn men_on_both_sides_in_slices_are_the_whole() {
    for name in ["KMvKM", "KRvKM", "KNvKM", "KSvKM"] {
        for winner in Color::ALL {
            assert_slices_are_the_whole(name, winner, Goal::Mate);
            assert_slices_are_the_whole(name, winner, Goal::Honor(RuleSet::Makruk));
        }
    }
}

fn assert_both_sides_agree(name: &str) {
    let sides = match name.ends_with("vK") {
        true => &Color::ALL[..1],
        false => &Color::ALL,
    };
    for &winner in sides {
        assert_slices_are_the_whole(name, winner, Goal::Mate);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn several_mets_in_slices_are_the_whole() {
    assert_both_sides_agree("KMMMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn several_mets_with_a_rook_in_slices_are_the_whole() {
    for name in ["KMMvKM", "KRMMvK", "KRMvKM"] {
        assert_both_sides_agree(name);
    }
}
