//! The endings a capture leads to, for the verifier: all their distances, both sides to move.

use super::grid::{Distance, Grid, NEVER};
use super::ply::ply;
use super::{Source, VerifyError, stored};
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::material::{Army, CanonicalMaterial, MIN_MEN, Material};
use crate::rules::{Count, RuleSet, moves_available};
use crate::table::Metric;

/// What is left after the capture of a man of each kind.
#[derive(Debug, Default)]
pub struct Smaller {
    endings: Vec<(Role, Color, Ending)>,
}

/// One smaller ending.
#[derive(Debug)]
pub enum Ending {
    /// The two kings alone.
    Kings,
    /// One with a table.
    Table(Box<Distances>),
}

/// All distances of an ending that were asked for.
#[derive(Debug)]
pub struct Distances {
    grid: Grid,
    /// Whether its White is the larger ending's Black.
    swapped: bool,
    /// By side to move and winner, each 0 for White; empty where not asked for.
    lists: [[Vec<Distance>; 2]; 2],
}

impl Smaller {
    /// Reads what a material can become. `turns` are the sides to move that are needed.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn read(
        material: CanonicalMaterial,
        metric: Metric,
        turns: &[Color],
        source: &dyn Source,
    ) -> Result<Smaller, VerifyError> {
        let mut endings = Vec::new();
        for color in Color::ALL {
            for (role, _) in material.army(color).groups() {
                let mut rest: Material = material.material();
                let army = match color {
                    Color::White => &mut rest.white,
                    Color::Black => &mut rest.black,
                };
                *army = army.without(role).unwrap_or(Army::BARE);
                let ending = if rest.men() > MIN_MEN {
                    let (rest, swapped) = rest.canonical();
                    Ending::Table(Box::new(Distances::read(
                        rest, metric, swapped, turns, source,
                    )?))
                } else {
                    Ending::Kings
                };
                endings.push((role, color, ending));
            }
        }
        Ok(Smaller { endings })
    }

    /// What is left after a man of this kind is captured.
    pub fn after(&self, role: Role, color: Color) -> &Ending {
        let found = self
            .endings
            .iter()
            .find(|(r, c, _)| (*r, *c) == (role, color));
        &found.expect("every man can be captured").2
    }
}

impl Distances {
    /// `turns` are in the larger ending's colours.
    fn read(
        material: CanonicalMaterial,
        metric: Metric,
        swapped: bool,
        turns: &[Color],
        source: &dyn Source,
    ) -> Result<Distances, VerifyError> {
        let table = source.open(material)?;
        // Against a bare king the distances to mate are the only ones.
        let honor = match metric {
            Metric::Dth { rules } if material.is_bare() => RuleSet::from_id(rules),
            _ => None,
        };
        let metric = if material.is_bare() {
            Metric::Dtm
        } else {
            metric
        };
        let stored = stored(&table, metric, &Color::ALL)?;
        let mut lists: [[Vec<Distance>; 2]; 2] = Default::default();
        let needs_other = turns
            .iter()
            .any(|&t| (if swapped { !t } else { t }) != stored.side);
        // The side that is not stored takes one ply, into endings smaller still.
        let smaller = if needs_other {
            Smaller::read(material, metric, &[stored.side], source)?
        } else {
            Smaller::default()
        };
        let [white, black] = stored.distances;
        for (winner, list) in [(Color::White, white), (Color::Black, black)] {
            if needs_other {
                let other = ply(&stored.grid, !stored.side, winner, &list, &smaller);
                lists[(!stored.side).index()][winner.index()] = other;
            }
            lists[stored.side.index()][winner.index()] = list;
        }
        if let Some(rules) = honor {
            // The capture that bared the king was as good as mate inside the count, and worth
            // nothing outside.
            let (winner, turn) = (Color::White, Color::Black);
            let men = material.material();
            let most = moves_available(rules, men, winner, turn, &Count::Fresh);
            for distance in &mut lists[turn.index()][winner.index()] {
                let wins = *distance != NEVER && u32::from(*distance) <= most.unwrap_or(u32::MAX);
                *distance = if wins { 0 } else { NEVER };
            }
        }
        Ok(Distances {
            grid: stored.grid,
            swapped,
            lists,
        })
    }
}

impl Ending {
    /// The distance with the kings here and the men of the larger ending's groups (whose captured
    /// man is already gone) there. `turn` and `winner` are in the larger ending's colours.
    pub fn distance(
        &self,
        turn: Color,
        winner: Color,
        white_king: Square,
        black_king: Square,
        grid: &Grid,
        men: &[SquareSet],
    ) -> Distance {
        let table = match self {
            Ending::Table(table) => table,
            Ending::Kings => {
                let legal = !attacks::king(white_king).contains(black_king);
                return if turn != winner || legal { NEVER } else { 0 };
            }
        };
        let seen = |square: Square| match table.swapped {
            true => square.flip_vertical(),
            false => square,
        };
        let color = |color: Color| if table.swapped { !color } else { color };
        let (king, lane) = match table.swapped {
            true => (seen(black_king), seen(white_king)),
            false => (white_king, black_king),
        };
        let mut own = [SquareSet::EMPTY; 8];
        let groups = table.grid.groups();
        for (own, group) in own.iter_mut().zip(groups) {
            let place = grid
                .groups()
                .iter()
                .position(|g| g.role == group.role && g.color == color(group.color))
                .expect("a smaller ending has no man that the larger has not");
            *own = men[place].map(seen).collect();
        }
        let (number, transform) = table.grid.number(king, &own[..groups.len()]);
        let list = &table.lists[color(turn).index()][color(winner).index()];
        list[number * 64 + transform.square(lane).index()]
    }
}
