//! Reading the endings that captures lead to.

use super::grid::{Distance, Grid, NEVER};
use super::ply::ply;
use super::smaller::{Distances, Ending, Lists, Smaller};
use super::source::open_with;
use super::stored::stored;
use super::{Source, VerifyError};
use crate::board::Color;
use crate::index::Layout;
use crate::material::{Army, CanonicalMaterial, MIN_MEN, Material};
use crate::rules::{Count, FIFTY_MOVES_PLIES, RuleSet, moves_available};
use crate::table::Metric;

impl Smaller {
    /// Reads what a material can become. `turns` are the sides to move that are needed, and
    /// `winners` those whose wins are: White alone where the whole work is on bare-king endings.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn read(
        material: CanonicalMaterial,
        metric: Metric,
        turns: &[Color],
        winners: &[Color],
        source: &dyn Source,
    ) -> Result<Smaller, VerifyError> {
        let groups = Layout::groups_of(material);
        let mut endings = Vec::new();
        for group in &groups {
            let mut rest: Material = material.material();
            let army = match group.color {
                Color::White => &mut rest.white,
                Color::Black => &mut rest.black,
            };
            *army = army.without(group.role).unwrap_or(Army::BARE);
            endings.push(if rest.men() > MIN_MEN {
                let (rest, swapped) = rest.canonical();
                let metric_of_rest = match metric {
                    Metric::Dth(_) if material.is_bare() => Metric::Dtm,
                    metric => metric,
                };
                let sides = (turns, winners);
                let (grid, lists) = read(rest, metric_of_rest, swapped, sides, source)?;
                let mut read = Distances::new(grid, lists, &groups);
                if metric != Metric::Dtm && material.is_bare() {
                    read.after_late_capture();
                }
                Ending::Table(Box::new(read))
            } else {
                Ending::Kings
            });
        }
        Ok(Smaller {
            endings,
            plies: metric.counts_plies(material),
        })
    }
}

impl Distances {
    /// Makes of the distances to mate, White to move, what the bare king's capture before takes of the
    /// clock: itself, and what the count asks for beyond the hundred plies of the fifty-move rule.
    /// After the capture, with c plies on the clock before it, c + 1 are counted, and mate on ply
    /// 129 of the count is the last in time.
    fn after_late_capture(&mut self) {
        let mates_in_time = |clock: u32, moves: u32| clock + 1 + 2 * moves - 1 <= 129;
        self.lists[0][0].change(|moves| match moves {
            // An illegal position.
            0 => 0,
            NEVER => NEVER,
            moves => {
                let last = (0..FIFTY_MOVES_PLIES).rev();
                let last = last
                    .into_iter()
                    .find(|&clock| mates_in_time(clock, moves.into()));
                last.map_or(NEVER, |clock| (FIFTY_MOVES_PLIES - clock) as Distance)
            }
        });
    }
}

/// All distances of an ending that were asked for, in the colours of the larger one. `turns` are in
/// those colours, which are those of `material` or, if `swapped`, the others. `winners` are both, or
/// White in both.
fn read(
    material: CanonicalMaterial,
    metric: Metric,
    swapped: bool,
    (turns, winners): (&[Color], &[Color]),
    source: &dyn Source,
) -> Result<(Grid, Lists), VerifyError> {
    let table = match metric {
        Metric::Dtm => source.open(material)?,
        Metric::Dth(rules) => open_with(source, material, rules)?,
    };
    // Against a bare king the distances to mate are the only ones.
    let honor = match metric {
        Metric::Dth(rules) if material.is_bare() => Some(rules),
        _ => None,
    };
    let metric = if material.is_bare() {
        Metric::Dtm
    } else {
        metric
    };
    let stored = stored(&table, metric, winners)?;
    let mut lists: Lists = Default::default();
    let needs_other = turns
        .iter()
        .any(|&t| (if swapped { !t } else { t }) != stored.side);
    // The side that is not stored takes one ply, into endings smaller still.
    let smaller = if needs_other {
        Smaller::read(material, metric, &[stored.side], winners, source)?
    } else {
        Smaller::default()
    };
    let [white, black] = stored.distances;
    for (winner, list) in [(Color::White, white), (Color::Black, black)] {
        if !winners.contains(&winner) {
            continue;
        }
        if needs_other {
            let other = ply(&stored.grid, !stored.side, winner, &list, &smaller);
            lists[(!stored.side).index()][winner.index()] = other;
        }
        lists[stored.side.index()][winner.index()] = list;
    }
    if metric == Metric::Dth(RuleSet::Asean) {
        // The capture starts the fifty-move rule again: inside it the win stands, outside it
        // is none.
        let most = match metric.counts_plies(material) {
            true => FIFTY_MOVES_PLIES,
            false => FIFTY_MOVES_PLIES / 2,
        };
        for turn in Color::ALL {
            for winner in Color::ALL {
                let stands = Distance::from(turn == winner);
                lists[turn.index()][winner.index()].change(|distance| match distance {
                    // An illegal position.
                    0 if turn == winner => 0,
                    distance if u32::from(distance) <= most => stands,
                    _ => NEVER,
                });
            }
        }
    }
    if let Some(rules) = honor {
        // The capture that bared the king was as good as mate inside the count, and worth
        // nothing outside.
        let (winner, turn) = (Color::White, Color::Black);
        let men = material.material();
        let most = moves_available(rules, men, winner, turn, &Count::Fresh);
        lists[turn.index()][winner.index()].change(|distance| {
            let wins = distance != NEVER && u32::from(distance) <= most.unwrap_or(u32::MAX);
            if wins { 0 } else { NEVER }
        });
    }
    Ok(match swapped {
        true => of_other_colors(stored.grid, lists),
        false => (stored.grid, lists),
    })
}

/// Distances with the colours exchanged and the board turned over: what was White's is Black's, and
/// the lanes are those of the other king. The larger ending then asks for whole lanes.
fn of_other_colors(from: Grid, lists: Lists) -> (Grid, Lists) {
    let to = from.of_other_colors();
    let [[a, b], [c, d]] = lists;
    // In the order of the new colours: Black's move and win were White's.
    let lists = [[d, c], [b, a]];
    let turned = lists.map(|lists| lists.map(|list| list.of_other_colors(&from, &to)));
    (to, turned)
}
