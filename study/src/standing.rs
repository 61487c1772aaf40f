//! A side's standing against the count: how large a share of its wins is in time.

use std::fmt;

use serde::Serialize;

use sakmak::probe::Share;

/// The percentage of a side's wins that must be in time for the side to beat the count.
const BEATS: f64 = 99.0;
/// The percentage of a side's wins that must be in time for the standing “usually”.
const USUALLY: f64 = 50.0;
/// The percentage of all positions that a side must be able to win on the board. With fewer, its
/// standing is “no win”.
const WINS: f64 = 1.0;

/// A side's standing against the count, by the share of its wins on the board that are in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The side wins hardly any position on the board.
    NoWin,
    /// None of the side's wins are in time.
    Never,
    /// Fewer than half of the side's wins are in time, but some are.
    Rarely,
    /// At least half of the side's wins are in time, but fewer than 99 %.
    Usually,
    /// At least 99 % of the side's wins are in time.
    Beats,
}

impl Standing {
    /// All standings, best first.
    pub const ALL: [Standing; 5] = [
        Standing::Beats,
        Standing::Usually,
        Standing::Rarely,
        Standing::Never,
        Standing::NoWin,
    ];

    /// The rule for the standings as a sentence, without its subject and full stop.
    pub const RULE: &str = "beats the count if, when it is to move, it wins in time at least \
        99 % of the positions that it can win at all. “usually”: it wins at least half of these \
        positions in time. “rarely”: fewer. “never”: none. “no win”: it can win fewer than 1 % \
        of all positions, even if nothing is counted";

    /// Determines the standing from the shares of positions won in time and won on the board.
    pub fn of(in_time: Share, won: Share) -> Standing {
        let of_wins = Share {
            of: won.positions,
            ..in_time
        };
        match of_wins.percent() {
            _ if won.percent() < WINS => Standing::NoWin,
            percent if percent >= BEATS => Standing::Beats,
            percent if percent >= USUALLY => Standing::Usually,
            _ if in_time.positions > 0 => Standing::Rarely,
            _ => Standing::Never,
        }
    }

    /// The word for the standing.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Beats => "beats the count",
            Standing::Usually => "usually",
            Standing::Rarely => "rarely",
            Standing::Never => "never",
            Standing::NoWin => "no win",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standing_depends_on_the_share_of_wins_in_time() {
        let standing = |in_time, won, of| {
            let share = |positions| Share { positions, of };
            Standing::of(share(in_time), share(won))
        };
        // K+N+N+N v K: three quarters of the positions can be won, all of them in time.
        assert_eq!(standing(74, 74, 100), Standing::Beats);
        assert_eq!(standing(99, 100, 100), Standing::Beats);
        assert_eq!(standing(98_999, 100_000, 100_000), Standing::Usually);
        assert_eq!(standing(1, 2, 2), Standing::Usually);
        assert_eq!(standing(499, 1000, 2000), Standing::Rarely);
        assert_eq!(standing(1, u64::MAX, u64::MAX), Standing::Rarely);
        assert_eq!(standing(0, 7, 7), Standing::Never);
        assert_eq!(standing(9, 9, 1000), Standing::NoWin);
        assert_eq!(standing(0, 0, 7), Standing::NoWin);
        for share in [BEATS, WINS] {
            assert!(Standing::RULE.contains(&format!("{share} %")));
        }
        assert!(Standing::ALL.is_sorted_by(|a, b| a > b));
    }
}
