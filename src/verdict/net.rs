//! The order in which the lanes of a plane are decoded: from a coarse grid of king squares to a
//! fine one.
//!
//! The first round decodes lanes whose kings are four squares apart. Each lane is predicted from
//! lanes decoded before it. The last round decodes half of all lanes, each predicted from the lanes
//! next to it, up to four.

use crate::board::Square;

/// The largest number of neighbours of a lane.
pub const NEIGHBOURS: usize = 4;

/// The largest number of lanes in a plane.
pub const MOST_LANES: usize = 64;

/// The index that stands for a missing neighbour.
pub const NO_LANE: usize = MOST_LANES;

/// A lane, with the lanes that predict it. It takes seven bytes, since a decoder reads the entries of
/// all lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetEntry {
    lane: u8,
    neighbours: [u8; NEIGHBOURS],
    neighbour_count: u8,
    /// True if the neighbours are one king's step away.
    pub close: bool,
}

impl NetEntry {
    /// The index of the lane in its plane.
    #[inline(always)]
    pub fn lane(&self) -> usize {
        self.lane.into()
    }

    /// The indices of the neighbours, which are decoded before this lane; [`NO_LANE`] for a missing
    /// neighbour.
    #[inline(always)]
    pub fn neighbours(&self) -> [usize; NEIGHBOURS] {
        self.neighbours.map(usize::from)
    }

    /// The number of neighbours that exist.
    #[inline(always)]
    pub fn neighbour_count(&self) -> usize {
        self.neighbour_count.into()
    }
}

/// The lanes of a plane in decoding order. `domain` contains the square of each lane's king.
pub fn net(domain: &[Square]) -> Vec<NetEntry> {
    let mut order: Vec<usize> = (0..domain.len()).collect();
    order.sort_by_key(|&lane| (round(domain[lane]).0, lane));
    let entry = |(place, &lane): (usize, &usize)| {
        let (round, steps) = round(domain[lane]);
        let neighbour = |(file, rank): (i32, i32)| {
            let king = domain[lane];
            let file = i32::from(king.file()) + file;
            let rank = i32::from(king.rank()) + rank;
            let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
            let square = on_board.then(|| Square::wrapping((8 * rank + file) as usize))?;
            let other = domain.iter().position(|&s| s == square)?;
            order[..place].contains(&other).then_some(other)
        };
        let neighbour = |step| neighbour(step).unwrap_or(NO_LANE);
        let neighbours = steps.map(neighbour);
        NetEntry {
            lane: lane as u8,
            neighbours: neighbours.map(|lane| lane as u8),
            neighbour_count: neighbours.iter().filter(|&&lane| lane != NO_LANE).count() as u8,
            close: round >= 3,
        }
    };
    order.iter().enumerate().map(entry).collect()
}

/// The decoding round of the lane whose king is on this square, and the steps, in files and ranks,
/// to the kings of its neighbours.
fn round(king: Square) -> (u32, [(i32, i32); NEIGHBOURS]) {
    const STRAIGHT: [(i32, i32); NEIGHBOURS] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
    const DIAGONAL: [(i32, i32); NEIGHBOURS] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
    let times = |n: i32, steps: [(i32, i32); NEIGHBOURS]| steps.map(|(f, r)| (n * f, n * r));
    match (king.file() % 4, king.rank() % 4) {
        (0, 0) => (0, times(4, STRAIGHT)),
        (2, 2) => (1, times(2, DIAGONAL)),
        (0, 2) | (2, 0) => (2, times(2, STRAIGHT)),
        (1 | 3, 1 | 3) => (3, DIAGONAL),
        _ => (4, STRAIGHT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Symmetry;

    #[test]
    fn every_lane_comes_once_and_after_its_neighbours() {
        for symmetry in [Symmetry::Mirror, Symmetry::Full, Symmetry::Bia] {
            let domain = symmetry.domain();
            let net = net(&domain);
            let mut known = Vec::new();
            for entry in &net {
                let decoded = |n: &usize| *n == NO_LANE || known.contains(n);
                assert!(entry.neighbours().iter().all(decoded), "{entry:?}");
                assert!(!known.contains(&entry.lane()));
                known.push(entry.lane());
            }
            assert_eq!(known.len(), domain.len());
            // Only the first lane has no neighbour.
            let alone = net.iter().filter(|entry| entry.neighbour_count() == 0);
            assert_eq!(alone.count(), 1);
            // After the first round all neighbours inside the domain come earlier.
            for entry in &net {
                let king = domain[entry.lane()];
                let (round, steps) = round(king);
                let in_domain = |&(file, rank): &(i32, i32)| {
                    let at = |s: &Square| (i32::from(s.file()), i32::from(s.rank()));
                    let wanted = (at(&king).0 + file, at(&king).1 + rank);
                    domain.iter().any(|s| at(s) == wanted)
                };
                let all = steps.iter().filter(|step| in_domain(step)).count();
                assert!(round == 0 || entry.neighbour_count() == all, "{entry:?}");
            }
        }
    }
}
