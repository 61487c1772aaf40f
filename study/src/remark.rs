//! The remark on an ending: its most notable fact, derived from the statistics in the table's
//! header.

use super::ending::{EndingStudy, Row};
use super::standing::Standing;
use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;

/// The smallest difference worth a remark, in percentage points: with one man fewer, the share of
/// positions won in time must be larger by at least this much.
const WORTH_A_REMARK: f64 = 0.5;

/// The most notable fact about the wins of the stronger side under one rule set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remark {
    /// The stronger side wins hardly any position, with or without a count.
    NoWin,
    /// The stronger side can force mate, but never in time.
    Never,
    /// With one man fewer, the stronger side wins a larger share of the positions in time.
    FewerWinMore {
        /// The ending with one man fewer.
        fewer: CanonicalMaterial,
        /// The share of the smaller ending's positions that are won in time, in percent.
        percent: f64,
    },
    /// Every win of the stronger side is in time.
    AllInTime,
    /// Some wins are too long for the count.
    CountTakes {
        /// The percentage of the stronger side's wins that are too long for the count.
        percent: f64,
        /// The number of moves of the shortest win that is too long for the count. None if wins are
        /// late only because too few moves remain after a capture.
        shortest: Option<usize>,
    },
}

impl Remark {
    /// Chooses the remark for an ending's row. `find` returns the row of another ending, for the
    /// same winner, rule set and side to move, to compare with.
    pub fn on<'a>(row: &Row, find: impl Fn(CanonicalMaterial) -> Option<&'a Row>) -> Remark {
        let in_time = row.share(row.in_time).percent();
        let fewer = one_man_fewer(row.material)
            .filter_map(|fewer| Some((fewer, find(fewer)?)))
            .map(|(fewer, row)| (fewer, row.share(row.in_time).percent()))
            // Among endings with equal shares, keeps the first.
            .reduce(|most, other| if other.1 > most.1 { other } else { most });
        match (row.standing, fewer) {
            (Standing::NoWin, _) => Remark::NoWin,
            (Standing::Never, _) => Remark::Never,
            (_, Some((fewer, percent))) if percent >= in_time + WORTH_A_REMARK => {
                Remark::FewerWinMore { fewer, percent }
            }
            _ if row.count_draws == 0 => Remark::AllInTime,
            _ => Remark::CountTakes {
                percent: 100.0 * row.count_draws as f64 / row.won.max(1) as f64,
                shortest: row.shortest_too_long,
            },
        }
    }
}

/// Lists the endings that have one white man fewer and in which White is still named first.
fn one_man_fewer(material: CanonicalMaterial) -> impl Iterator<Item = CanonicalMaterial> {
    let all = material.material();
    let fewer = all.white.groups().filter_map(move |(role, _)| {
        let white = all.white.without(role)?;
        let (canonical, swapped) = all.with_army(Color::White, white).canonical();
        (!swapped && !white.is_empty()).then_some(canonical)
    });
    fewer.collect::<Vec<_>>().into_iter()
}

impl EndingStudy {
    /// The row that represents an ending: the stronger side's wins with that side to move. The rule
    /// set is makruk or, if the table does not support it, the table's first.
    pub fn main_row(&self) -> Option<&Row> {
        let study = self.under(RuleSet::Makruk).or(self.rules.first())?;
        study.row(Color::White, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesStudy;
    use sakmak::statistics::{Counts, Statistics};

    /// The row of an ending in which White wins `wins[moves]` positions in each number of moves,
    /// and two more positions are drawn.
    fn row(name: &str, wins: &[u64]) -> Row {
        let counts = Counts {
            white_wins: wins.to_vec(),
            draws: 2,
            ..Counts::default()
        };
        let statistics = Statistics {
            white_to_move: counts.clone(),
            black_to_move: counts,
        };
        let study = RulesStudy::new(name.parse().unwrap(), RuleSet::Makruk, &statistics, None);
        study.unwrap().row(Color::White, true).unwrap().clone()
    }

    #[test]
    fn the_remark_is_the_most_notable_fact() {
        // The count allows 14 moves in K+R v K and five in K+R+R v K.
        let rook = row("KRvK", &[0, 8, 0, 4]);
        let none = |_| None;
        assert_eq!(Remark::on(&rook, none), Remark::AllInTime);
        let late = row("KRRvK", &[0, 3, 0, 0, 0, 0, 1]);
        let takes = Remark::CountTakes {
            percent: 25.0,
            shortest: Some(6),
        };
        assert_eq!(Remark::on(&late, none), takes);
        let with_rook = |name: CanonicalMaterial| (name == rook.material).then_some(&rook);
        let fewer = Remark::FewerWinMore {
            fewer: rook.material,
            percent: 100.0 * 12.0 / 14.0,
        };
        assert_eq!(Remark::on(&late, with_rook), fewer);
        assert_eq!(Remark::on(&row("KNvK", &[]), none), Remark::NoWin);
        let never = row("KRRvK", &[0, 0, 0, 0, 0, 0, 0, 9]);
        assert_eq!(Remark::on(&never, with_rook), Remark::Never);
    }
}
