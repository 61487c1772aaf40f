//! Standings: say in a word how often an ending is won inside the count.

use std::fmt;

use serde::Serialize;

use super::overlay::Share;

/// A side beats the count if at least this percentage of its wins is in time.
const BEATS: f64 = 99.0;
/// A side usually beats the count if at least this percentage of its wins is in time.
const USUALLY: f64 = 50.0;
/// A side counts as unable to win if it wins less than this percentage of all positions.
const WINS: f64 = 1.0;

/// How a side stands against the count: by the share of its wins on the board that are in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The side wins hardly any position on the board.
    NoWin,
    /// None of its wins are in time.
    Never,
    /// Fewer than half are in time.
    Rarely,
    /// Half or more are in time.
    Usually,
    /// Practically all are in time.
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

    /// The rule for beating the count as a sentence, without its subject and full stop.
    pub const RULE: &str = "beats the count if, to move, it wins in time at least 99 % of the \
        positions that it can win at all; usually: at least half of them; rarely: fewer; never: \
        none; no win: it can win fewer than 1 % of all positions, count or no count";

    /// The standing, from the shares of the same positions that are won in time and won on the
    /// board.
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
    fn of_the_positions_won_at_all() {
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
