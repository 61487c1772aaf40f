//! Tests that compare each kernel of the solver with a naive implementation, on random arrays.
//!
//! The naive implementations process one man and one square at a time, with [`attacks`] instead of
//! a graph. They share only the numbering of lanes with the kernels.

use super::capture::{by_lane_king, strikes};
use super::gather::Scratch;
use super::geometry::{Geometry, Place};
use super::ghosts::fill_ghosts;
use super::lane_layout::LaneLayout;
use super::leaf::Shape;
use super::rows::Rows;
use super::start::lane_start;
use crate::board::{Color, Position, Role, Square, SquareSet, attacks};
use crate::index::ColorSlice;
use crate::material::CanonicalMaterial;
use crate::simd::Simd;

/// Endings for the comparison. They cover an innermost group that is a single leaper, several men
/// or a slider; one, two or three groups; men on one side or on both; and layouts with all
/// symmetries or only the mirror.
const ENDINGS: [(&str, Color); 9] = [
    ("KNvK", Color::White),
    ("KRvK", Color::White),
    ("KRSvK", Color::White),
    ("KRRvK", Color::White),
    ("KRNMvK", Color::White),
    ("KRvKM", Color::White),
    ("KRvKM", Color::Black),
    ("KRvKR", Color::White),
    ("KRMvKN", Color::Black),
];

/// The number of lanes to compare in each ending, but at least three rows.
const LANES: usize = 1500;

/// Reproducible random numbers (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Random rows. Some rows are flagged as zero although they have bits.
    fn rows(&mut self, rows: usize, row_lanes: usize) -> Rows {
        let mut filled = Rows::new(rows, row_lanes);
        filled.words.iter_mut().for_each(|word| *word = self.next());
        let flags = filled.full.iter_mut();
        flags.for_each(|full| *full = u8::from(self.below(4) > 0));
        filled
    }
}

/// The word of a lane; 0 if its row is flagged as zero.
fn lane_of(rows: &Rows, lane: usize) -> u64 {
    match rows.row(lane / rows.row_lanes) {
        Some(row) => row[lane % rows.row_lanes],
        None => 0,
    }
}

/// The men of one lane, without the lane's king.
struct Men {
    king: Square,
    groups: Vec<SquareSet>,
}

impl Men {
    /// The men of a lane in the domain. `None` if two of them share a square.
    fn of(layout: &LaneLayout, lane: usize) -> Option<Men> {
        let (slab, groups) = layout.men(lane);
        let king = layout.domain()[slab];
        let men = Men { king, groups };
        men.are_apart().then_some(men)
    }

    fn are_apart(&self) -> bool {
        let men = self.groups.iter().map(|group| group.len());
        self.all().len() == men.sum::<usize>() + 1
    }

    fn all(&self) -> SquareSet {
        let groups = self.groups.iter();
        groups.fold(self.king.set(), |all, &group| all | group)
    }

    /// The index of the lane with these men. The winner's king must be in the domain or on the
    /// square of a ghost. Groups without men have no digit.
    fn lane(&self, layout: &LaneLayout) -> usize {
        let kings = layout.slab_kings();
        let slab = kings.iter().position(|&s| s == self.king);
        let mut lane = slab.expect("every square of the king has a slab");
        let groups = self
            .groups
            .iter()
            .filter(|&&group| group != SquareSet::EMPTY);
        for (group, &squares) in groups.enumerate() {
            let placements = layout.placements(group);
            lane = lane * placements.len() + placements.number(squares);
        }
        lane
    }

    /// All moves of `color`'s men with the lane's king on the given square. Returns the target
    /// square and the men after each move. Includes moves of the winner's king. After a capture,
    /// both men are on the target square.
    fn moves(&self, layout: &LaneLayout, color: Color, lane_king: Square) -> Vec<(Square, Men)> {
        let occupied = self.all() | lane_king.set();
        let mut moves = Vec::new();
        if color == layout.winner() {
            for king in attacks::king(self.king) {
                let groups = self.groups.clone();
                moves.push((king, Men { king, groups }));
            }
        }
        for (group, kind) in layout.groups().iter().enumerate() {
            if kind.color != color {
                continue;
            }
            for from in self.groups[group] {
                for to in attacks::attacks(kind.role, color, from, occupied) {
                    let mut groups = self.groups.clone();
                    if to != lane_king && !groups[group].contains(to) {
                        groups[group] = groups[group].without(from).with(to);
                        let king = self.king;
                        moves.push((to, Men { king, groups }));
                    }
                }
            }
        }
        moves
    }
}

/// A random row, in which the outer men are on different squares.
struct Row {
    slab: usize,
    slab_row: usize,
    row: usize,
    digits: Vec<usize>,
    occupied: SquareSet,
    /// The men of each lane. `None` if two of them share a square.
    men: Vec<Option<Men>>,
}

impl Row {
    fn by_chance(geometry: &Geometry, chance: &mut Chance) -> Row {
        let mut digits = vec![0; geometry.row_strides.len()];
        loop {
            let slab = chance.below(geometry.slabs());
            let slab_row = chance.below(geometry.slab_rows);
            geometry.digits(slab_row, &mut digits);
            let Some(occupied) = geometry.occupied(slab, &digits) else {
                continue;
            };
            let row = slab * geometry.slab_rows + slab_row;
            let men = (0..geometry.row_lanes)
                .map(|lane| Men::of(&geometry.layout, row * geometry.row_lanes + lane))
                .collect();
            return Row {
                slab,
                slab_row,
                row,
                digits,
                occupied,
                men,
            };
        }
    }

    fn place(&self) -> Place<'_> {
        Place {
            slab: self.slab,
            slab_row: self.slab_row,
            row: self.row,
            digits: &self.digits,
            occupied: self.occupied.0,
        }
    }

    /// Asserts that exactly the bits for which `holds` returns true are set in a row. Ignores the
    /// squares of the lane's men.
    fn assert_lanes(&self, lanes: &[u64], what: &str, holds: impl Fn(&Men, Square) -> bool) {
        for (lane, men) in self.men.iter().enumerate() {
            let Some(men) = men else { continue };
            let free = !men.all();
            let expected: SquareSet = free.filter(|&square| holds(men, square)).collect();
            assert_eq!(
                SquareSet(lanes[lane]) & free,
                expected,
                "{what}, lane {lane}"
            );
        }
    }
}

/// Endings for a comparison in every colour slice. Mets are innermost or not, on one side or both.
const SLICED: [(&str, Color); 5] = [
    ("KMMvK", Color::White),
    ("KSMMvK", Color::White),
    ("KRMMvK", Color::White),
    ("KMvKM", Color::Black),
    ("KMMvKMM", Color::White),
];

fn endings() -> impl Iterator<Item = (String, Geometry, Chance)> {
    let material = |name: &str| name.parse::<CanonicalMaterial>().unwrap().material();
    let whole = ENDINGS.iter().map(move |&(name, winner)| {
        let layout = LaneLayout::new(material(name), winner);
        (name.to_string(), layout)
    });
    let sliced = SLICED.iter().flat_map(move |&(name, winner)| {
        let slices = ColorSlice::all(material(name)).into_iter();
        slices.map(move |slice| {
            let layout = LaneLayout::of_slice(material(name), winner, &slice);
            (format!("{name}, {slice:?}"), layout)
        })
    });
    let layouts = (0..).zip(whole.chain(sliced));
    layouts.map(|(seed, (name, layout))| (name, Geometry::new(layout), Chance(seed)))
}

/// The number of rows to compare in an ending.
fn rows(geometry: &Geometry) -> usize {
    (LANES / geometry.row_lanes).max(3)
}

/// The groups of one colour.
fn groups_of(geometry: &Geometry, color: Color) -> Vec<usize> {
    let groups = geometry.layout.groups();
    let own = |&group: &usize| groups[group].color == color;
    (0..groups.len()).filter(own).collect()
}

/// Makes the leaf after the capture of a man of `group`, with random bits.
fn leaf_by_chance(geometry: &Geometry, group: usize, chance: &mut Chance) -> (Shape, Rows) {
    let shape = Shape::new(&geometry.layout, group);
    let rows = chance.rows(shape.rows(), shape.row_lanes);
    (shape, rows)
}

#[test]
fn a_lane_starts_with_the_squares_where_its_king_is_legal() {
    for (name, geometry, mut chance) in endings() {
        let layout = &geometry.layout;
        let legal = |men: &Men, square: Square, turn: Color| {
            let kings = [
                (men.king, layout.winner(), Role::King),
                (square, !layout.winner(), Role::King),
            ];
            let groups = layout.groups().iter().zip(&men.groups);
            let others = groups.flat_map(|(kind, &squares)| {
                squares.map(move |square| (square, kind.color, kind.role))
            });
            Position::from_men(kings.into_iter().chain(others), turn).is_ok()
        };
        for _ in 0..rows(&geometry) {
            let row = Row::by_chance(&geometry, &mut chance);
            let starts: Vec<_> = (0..geometry.row_lanes)
                .map(|lane| lane_start(&geometry, row.slab, &row.digits, row.occupied, lane))
                .collect();
            for (start, men) in starts.iter().zip(&row.men) {
                assert_eq!(
                    start.map(|start| start.men),
                    men.as_ref().map(|men| men.all().0)
                );
            }
            let lanes = |of: &dyn Fn(usize) -> Option<u64>| -> Vec<u64> {
                (0..starts.len()).map(|i| of(i).unwrap_or(0)).collect()
            };
            let open = lanes(&|i| starts[i].map(|start| start.open));
            row.assert_lanes(&open, &name, |men, s| legal(men, s, layout.winner()));
            let to_move = lanes(&|i| starts[i].map(|start| start.legal));
            row.assert_lanes(&to_move, &name, |men, s| legal(men, s, !layout.winner()));
        }
    }
}

#[test]
fn moves_are_gathered_from_where_each_man_can_go() {
    for (name, geometry, mut chance) in endings() {
        let layout = &geometry.layout;
        let slab_lanes = geometry.slab_rows * geometry.row_lanes;
        let mut source = chance.rows(
            layout.slab_kings().len() * geometry.slab_rows,
            geometry.row_lanes,
        );
        // Makes the words a set of positions: no two men share a square. In all slabs the other men
        // of a lane are the same.
        let others: Vec<Option<SquareSet>> = (0..slab_lanes)
            .map(|lane| SquareSet::EMPTY.disjoint_union(layout.men(lane).1))
            .collect();
        let slabs = source.words.chunks_mut(slab_lanes);
        for (slab, king) in slabs.zip(layout.slab_kings()) {
            for (word, others) in slab.iter_mut().zip(&others) {
                *word &= match others {
                    Some(others) if !others.contains(king) => !others.with(king).0,
                    _ => 0,
                };
            }
        }
        let mut scratch = Scratch::new(&geometry);
        for color in Color::ALL {
            for _ in 0..rows(&geometry) {
                let row = Row::by_chance(&geometry, &mut chance);
                let any = scratch.gather_moves(&geometry, color, &source, row.place());
                assert!(any || scratch.moves.iter().all(|&word| word == 0));
                let what = format!("{name}, {color:?} moves");
                row.assert_lanes(&scratch.moves, &what, |men, square| {
                    let occupied = men.all() | square.set();
                    let moves = men.moves(layout, color, square).into_iter();
                    let mut quiet = moves.filter(|(to, _)| !occupied.contains(*to));
                    quiet.any(|(_, after)| {
                        lane_of(&source, after.lane(layout)) >> square.index() & 1 != 0
                    })
                });
            }
        }
    }
}

#[test]
fn the_lanes_king_takes_each_man_that_stands_on_its_square() {
    for (name, geometry, mut chance) in endings() {
        let layout = &geometry.layout;
        for group in groups_of(&geometry, layout.winner()) {
            let rest = layout.without(group);
            let (shape, leaf) = leaf_by_chance(&geometry, group, &mut chance);
            for _ in 0..rows(&geometry) {
                let row = Row::by_chance(&geometry, &mut chance);
                let mut found = vec![0; geometry.row_lanes];
                by_lane_king(&geometry, &shape, &leaf, row.place(), &mut found);
                for (found, men) in found.into_iter().zip(&row.men) {
                    let Some(men) = men else { continue };
                    let taken = men.groups[group].filter(|&square| {
                        let mut groups = men.groups.clone();
                        groups[group] = groups[group].without(square);
                        let king = men.king;
                        let after = Men { king, groups }.lane(&rest);
                        lane_of(&leaf, after) >> square.index() & 1 != 0
                    });
                    assert_eq!(SquareSet(found), taken.collect(), "{name}");
                }
            }
        }
    }
}

#[test]
fn men_take_what_they_attack() {
    for (name, geometry, mut chance) in endings() {
        let layout = &geometry.layout;
        for color in Color::ALL {
            for group in groups_of(&geometry, !color) {
                let rest = layout.without(group);
                let (shape, leaf) = leaf_by_chance(&geometry, group, &mut chance);
                for _ in 0..rows(&geometry) {
                    let row = Row::by_chance(&geometry, &mut chance);
                    let mut found = vec![0; geometry.row_lanes];
                    strikes(&geometry, &shape, color, row.place(), |strike| {
                        strike.gather(&geometry, &leaf, row.place(), &mut found);
                        false
                    });
                    let what = format!("{name}: {color:?} captures a man of group {group}");
                    row.assert_lanes(&found, &what, |men, square| {
                        let moves = men.moves(layout, color, square).into_iter();
                        let mut captures = moves.filter(|(to, _)| men.groups[group].contains(*to));
                        captures.any(|(to, mut after)| {
                            after.groups[group] = after.groups[group].without(to);
                            lane_of(&leaf, after.lane(&rest)) >> square.index() & 1 != 0
                        })
                    });
                }
            }
        }
    }
}

#[test]
fn the_slabs_outside_the_domain_are_images_of_those_inside() {
    for (name, geometry, mut chance) in endings() {
        let layout = &geometry.layout;
        let kings = layout.slab_kings();
        let filled = chance.rows(kings.len() * geometry.slab_rows, geometry.row_lanes);
        for simd in Simd::available() {
            let mut rows = Rows::new(filled.full.len(), filled.row_lanes);
            rows.words.copy_from_slice(&filled.words);
            rows.full.copy_from_slice(&filled.full);
            fill_ghosts(simd, &geometry, &mut rows);
            let slab_lanes = geometry.slab_rows * geometry.row_lanes;
            for (ghost, &king) in kings.iter().enumerate().skip(geometry.slabs()) {
                for _ in 0..LANES / 20 {
                    let lane = chance.below(slab_lanes);
                    let (_, men) = layout.men(lane);
                    let (transform, image) = layout.lane(king, |group| men[group]);
                    let reflected = SquareSet(lane_of(&rows, ghost * slab_lanes + lane));
                    let expected = SquareSet(lane_of(&filled, image));
                    assert_eq!(transform.set(reflected), expected, "{name}, {simd:?}");
                }
            }
        }
    }
}
